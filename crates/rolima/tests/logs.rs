//! `--log` and `--commands`: what was done to a run can be done again, to the bit.

use crate::common;

use common::{code_and_stderr, result, rolima};
use std::path::{Path, PathBuf};

/// A file of this test alone.
fn file(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("logs");
    std::fs::create_dir_all(&folder).expect("a folder for files");
    folder.join(name)
}

fn logged(name: &str) -> (PathBuf, String) {
    let log = file(name);
    let path = log.to_str().expect("a path of text");
    let run = result(&["run", "soccer", "--for", "2", "--seed", "9", "--force", "--log", path]);
    let hash = run["state_hash"].as_str().expect("a hash").to_owned();
    (log, hash)
}

#[test]
fn an_old_log_is_written_over_only_by_force() {
    let (log, _) = logged("old.jsonl");
    let before = std::fs::read(&log).unwrap();
    let path = log.to_str().unwrap();
    let run = ["run", "soccer", "--headless", "--for", "1", "--log", path];
    let (code, said) = code_and_stderr(&run);
    assert!(code == Some(2) && said.contains("--log") && said.contains("--force"), "{said}");
    assert_eq!(std::fs::read(&log).unwrap(), before, "it is as it was");
    let (code, said) = code_and_stderr(&[&run[..], &["--force"]].concat());
    assert_eq!(code, Some(0), "{said}");
    assert_ne!(std::fs::read(&log).unwrap(), before);
}

#[test]
fn a_log_replays_to_the_same_hash() {
    let (log, hash) = logged("whole.jsonl");
    let again = result(&["run", "soccer", "--commands", log.to_str().unwrap()]);
    assert_eq!(again["state_hash"], hash.as_str());
    assert_eq!((again["steps"].as_u64(), again["seed"].as_u64()), (Some(2000), Some(9)));
}

#[test]
fn commands_written_by_hand_are_done_and_an_end_that_differs_is_an_error() {
    let (log, hash) = logged("edited.jsonl");
    let text = std::fs::read_to_string(&log).unwrap();
    let command = r#"{"step":500,"do":"command","robot":0,"right":-3.5,"left":4}"#;
    let mut lines: Vec<&str> = text.lines().collect();
    lines.insert(1, command);
    std::fs::write(&log, lines.join("\n") + "\n").unwrap();
    let output = rolima(&["run", "soccer", "--json", "--commands", log.to_str().unwrap()]);
    let output = { output }.output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = common::stderr(&output);
    assert!(said.contains("not as logged") && said.contains(&hash), "{said}");
    // Without its end it is replayed as far as it goes.
    lines.pop();
    std::fs::write(&log, lines.join("\n") + "\n").unwrap();
    let (code, said) = code_and_stderr(&["run", "soccer", "--commands", log.to_str().unwrap()]);
    assert!(code == Some(0) && said.contains("has no end"), "{said}");
}

#[test]
fn a_log_of_another_scene_and_a_broken_one_are_refused_with_file_and_line() {
    let (log, _) = logged("other.jsonl");
    let path = log.to_str().unwrap();
    let (code, said) = code_and_stderr(&["run", "scrum", "--commands", path]);
    assert_eq!(code, Some(2));
    assert!(said.contains("other.jsonl, line 1") && said.contains("expected"), "{said}");

    let text = std::fs::read_to_string(&log).unwrap();
    let (header, _) = text.split_once('\n').unwrap();
    std::fs::write(&log, format!("{header}\n{{\"step\":3,\"do\":\"fly\"}}\n")).unwrap();
    let (code, said) = code_and_stderr(&["run", "soccer", "--commands", path]);
    assert_eq!(code, Some(2));
    assert!(said.contains("line 2") && said.contains("fly"), "{said}");

    let (code, said) = code_and_stderr(&["run", "soccer", "--commands", "no-such-file"]);
    assert!(code == Some(2) && said.contains("no-such-file"), "{said}");
}
