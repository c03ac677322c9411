//! `--log` and `rolima replay`: what was done to a run can be done again, to the bit.

use crate::common;

use common::{code_and_stderr, result};
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
    let path = log.to_str().unwrap();
    let again = result(&["replay", path]);
    assert_eq!(again["state_hash"], hash.as_str());
    assert_eq!((again["steps"].as_u64(), again["seed"].as_u64()), (Some(2000), Some(9)));
    let (code, said) = code_and_stderr(&["replay", path, "--headless", "--speed", "100"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("logged, to the bit (3 states compared)"), "{said}");
}

/// A scene of two files in a folder of its own.
fn scene_folder(name: &str) -> PathBuf {
    let folder = file(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    let write =
        |name: &str, bytes: &[u8]| std::fs::write(folder.join(name), bytes).expect("a file");
    write(
        "scene.toml",
        b"[ground]\nkind = \"file\"\nfile = \"hill.asc\"\n\
          [[robot]]\nname = \"one\"\npreset = \"skid-steer\"\n\
          driver = { kind = \"constant\", left = 12, right = 10 }\n",
    );
    let row = "0 0.1 0.2 0.1 0 0.1 0.2 0.1 0 0\n";
    let head = "ncols 10\nnrows 10\nxllcorner -5\nyllcorner -5\ncellsize 1\n";
    write("hill.asc", format!("{head}{}", row.repeat(10)).as_bytes());
    folder
}

#[test]
fn a_replay_needs_nothing_but_the_log() {
    let folder = scene_folder("gone");
    let scene = folder.join("scene.toml");
    let log = file("alone.jsonl");
    let (scene, path) = (scene.to_str().unwrap(), log.to_str().unwrap());
    let set = "robot.one.driver.left=14";
    let run = ["run", scene, "--set", set, "--for", "3", "--force", "--log", path];
    let before = result(&run);
    let plain = result(&["run", scene, "--for", "3"]);
    assert_ne!(plain["state_hash"], before["state_hash"], "the setting counts");
    std::fs::remove_dir_all(&folder).unwrap();
    let again = result(&["replay", path]);
    assert_eq!(again["state_hash"], before["state_hash"]);
    // The files are in it by content: another hill is another scene.
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::write(&log, text.replacen("0 0.1 0.2", "0 0.1 0.3", 1)).unwrap();
    let (code, said) = code_and_stderr(&["replay", path, "--headless"]);
    assert!(code == Some(2) && said.contains("of the log, fingerprint"), "{said}");
}

#[test]
fn the_first_difference_is_an_error_with_its_step() {
    let (log, hash) = logged("edited.jsonl");
    let path = log.to_str().unwrap();
    let text = std::fs::read_to_string(&log).unwrap();
    let command = r#"{"step":500,"do":"command","robot":0,"right":-3.5,"left":4}"#;
    let mut lines: Vec<&str> = text.lines().collect();
    let first_hash = lines.iter().position(|line| line.contains("\"do\":\"hash\"")).unwrap();
    lines.insert(first_hash, command);
    std::fs::write(&log, lines.join("\n") + "\n").unwrap();
    let (code, said) = code_and_stderr(&["replay", path, "--json"]);
    assert_eq!(code, Some(1), "{said}");
    let at = format!("line {}: after step 1000 expected state hash ", first_hash + 2);
    assert!(said.contains("not as logged: ") && said.contains(&at), "{said}");
    assert!(said.contains("the same up to step 0") && !said.contains(&hash), "{said}");
    // Without its end, and before the difference, it is replayed as far as it goes.
    std::fs::write(&log, lines[..=first_hash].join("\n") + "\n").unwrap();
    let (code, said) = code_and_stderr(&["replay", path, "--headless"]);
    assert!(code == Some(0) && said.contains("has no end") && said.contains("500 steps"), "{said}");
}

#[test]
fn old_and_broken_logs_are_refused_with_file_and_line() {
    let (log, _) = logged("broken.jsonl");
    let path = log.to_str().unwrap();
    let text = std::fs::read_to_string(&log).unwrap();
    let (whole, _) = text.trim_end().rsplit_once('\n').unwrap();
    std::fs::write(&log, format!("{whole}\n{{\"step\":3000,\"do\":\"fly\"}}\n")).unwrap();
    let (code, said) = code_and_stderr(&["replay", path, "--headless"]);
    assert_eq!(code, Some(2), "{said}");
    let line = format!("broken.jsonl, line {}: ", text.lines().count());
    assert!(said.contains(&line) && said.contains("fly"), "{said}");

    let old = r#"{"rolima_log":1,"rolima":"0.1.0","scene":"soccer","set":[],"seed":7}"#;
    std::fs::write(&log, format!("{old}\n")).unwrap();
    let (code, said) = code_and_stderr(&["replay", path]);
    assert_eq!(code, Some(2), "{said}");
    assert!(
        said.contains("broken.jsonl, line 1: expected a log of format 3, got format 1, written by"),
        "{said}"
    );

    let (code, said) = code_and_stderr(&["replay", "no-such-file"]);
    assert!(code == Some(2) && said.contains("no-such-file"), "{said}");
}
