//! `rolima run --record`, `rolima replay` of recordings and `rolima record`.

use crate::common;

use common::{code_and_stderr, result};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A file of this test alone.
fn file(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("recordings");
    std::fs::create_dir_all(&folder).expect("a folder for files");
    folder.join(name)
}

/// Records a run and returns what it told.
fn recorded(name: &str, more: &[&str]) -> (PathBuf, serde_json::Value) {
    let path = file(name);
    let text = path.to_str().expect("a path of text");
    let run = ["run", "soccer", "--for", "3", "--seed", "9", "--force", "--record", text];
    let told = result(&[&run[..], more].concat());
    (path, told)
}

#[test]
fn a_recorded_run_is_the_same_as_another_and_replays_to_the_bit() {
    let (path, told) = recorded("whole.mcap", &[]);
    let plain = result(&["run", "soccer", "--for", "3", "--seed", "9"]);
    assert_eq!(told["state_hash"], plain["state_hash"], "recording changes nothing");
    let text = path.to_str().unwrap();
    let again = result(&["replay", text]);
    assert_eq!(again["state_hash"], told["state_hash"]);
    assert_eq!((again["steps"].as_u64(), again["seed"].as_u64()), (Some(3000), Some(9)));
    let (code, said) = code_and_stderr(&["replay", text, "--headless", "--from", "2.5"]);
    assert!(code == Some(0) && said.contains("to the bit"), "{said}");
    let verified = result(&["replay", text, "--verify"]);
    assert_eq!(verified["differs"], serde_json::Value::Null);
    assert_eq!(verified["states"], 181);
    assert_eq!((&verified["hashes"], &verified["whole"]), (&4.into(), &true.into()));
    let about = result(&["record", "about", text]);
    assert_eq!((&about["end_s"], &about["whole"]), (&3.0.into(), &true.into()));
    let (other, _) = recorded("again.mcap", &[]);
    assert!(std::fs::read(&path).unwrap() == std::fs::read(other).unwrap(), "the same bytes");
}

#[test]
fn a_run_goes_on_from_any_time_of_a_recording_and_names_its_origin() {
    let (path, told) = recorded("origin.mcap", &[]);
    let text = path.to_str().unwrap();
    let branch = file("branch.mcap");
    let branched = branch.to_str().unwrap();
    let on = ["run", "--from", text, "--at", "1.234", "--for", "1.766"];
    let went_on = result(&[&on[..], &["--force", "--record", branched]].concat());
    assert_eq!(went_on["state_hash"], told["state_hash"], "as if it had never been left");
    let about = result(&["record", "about", branched]);
    assert_eq!(about["scenes"][0]["seed"], 9, "that of the run that it comes from");
    assert_eq!((&about["origin"]["file"], &about["origin"]["step"]), (&text.into(), &1234.into()));
    assert_eq!(result(&["replay", branched, "--verify"])["differs"], serde_json::Value::Null);
    let elsewhere = result(&[&on[..], &["--send", "blue-1=0,0,90"]].concat());
    assert_ne!(elsewhere["state_hash"], told["state_hash"]);
    let (code, said) = code_and_stderr(&["run", "--from", text, "--at", "3.5", "--json"]);
    assert!(code == Some(2) && said.contains("--at 3.5: expected a time of"), "{said}");
}

#[test]
fn a_branch_may_have_another_seed_and_other_settings_and_is_verified() {
    let (path, told) = recorded("other.mcap", &["--set", "driver=random"]);
    let text = path.to_str().unwrap();
    let branch = file("other-branch.mcap");
    let branched = branch.to_str().unwrap();
    let on =
        ["run", "--from", text, "--at", "1.5", "--for", "1.5", "--force", "--record", branched];
    for changed in [&["--seed", "77"][..], &["--set", "robot.blue-1.drive.mass=0.5"], &[]] {
        let went_on = result(&[&on[..], changed].concat());
        let is_same = went_on["state_hash"] == told["state_hash"];
        assert_eq!(is_same, changed.is_empty(), "{changed:?}");
        let verified = result(&["replay", branched, "--verify"]);
        assert_eq!(verified["differs"], serde_json::Value::Null, "{changed:?}");
        assert_eq!(result(&["replay", branched])["state_hash"], went_on["state_hash"]);
        let about = result(&["record", "about", branched]);
        assert_eq!(about["origin"]["step"], 1500);
        let seed = if changed.contains(&"--seed") { 77 } else { 9 };
        assert_eq!(about["scenes"][0]["seed"], seed);
    }
    let other = [&on[..], &["--set", "robot.blue-1.name=somebody"]].concat();
    let (code, said) = code_and_stderr(&other);
    assert!(code == Some(2) && said.contains("the same bodies by the same names"), "{said}");
}

#[test]
fn an_old_recording_is_written_over_only_by_force() {
    let (path, _) = recorded("old.mcap", &["--record-rate", "20", "--record-f64"]);
    let before = std::fs::read(&path).unwrap();
    let text = path.to_str().unwrap();
    let (code, said) =
        code_and_stderr(&["run", "soccer", "--for", "1", "--json", "--record", text]);
    assert!(code == Some(2) && said.contains("--record") && said.contains("--force"), "{said}");
    assert_eq!(std::fs::read(&path).unwrap(), before, "it is as it was");
    let about = result(&["record", "about", text]);
    assert_eq!(
        (&about["scenes"][0]["rate_hz"], &about["scenes"][0]["f64"]),
        (&20.0.into(), &true.into())
    );
}

#[test]
fn what_is_left_of_a_recording_is_made_whole() {
    let (path, _) = recorded("cut.mcap", &[]);
    let bytes = std::fs::read(&path).unwrap();
    std::fs::write(&path, &bytes[..bytes.len() * 3 / 4]).unwrap();
    let text = path.to_str().unwrap();
    let out = file("mended.mcap");
    let mended = out.to_str().unwrap();
    let repair = ["record", "repair", text, "--force", "--out", mended];
    let (code, said) = code_and_stderr(&repair);
    assert!(code == Some(0) && said.contains("it ended there") && said.contains("byte"), "{said}");
    let (code, said) = code_and_stderr(&["replay", mended, "--verify"]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = code_and_stderr(&["record", "repair", text, "--force", "--out", text]);
    assert!(code == Some(2) && said.contains("another file"), "{said}");
}

#[test]
fn what_is_no_recording_is_told_in_a_sentence() {
    let path = file("none.mcap");
    let text = path.to_str().unwrap();
    std::fs::write(&path, b"not a recording").unwrap();
    for command in [&["record", "about", text][..], &["record", "repair", text]] {
        let (code, said) = code_and_stderr(command);
        assert!(code == Some(2) && said.contains("byte 0: expected a recording"), "{said}");
    }
    let (code, said) = code_and_stderr(&["replay", text, "--verify"]);
    assert!(code == Some(2) && said.contains("--verify: expected a recording"), "{said}");
    // The magic alone.
    std::fs::write(&path, b"\x89MCAP0\r\n").unwrap();
    let (code, said) = code_and_stderr(&["replay", text, "--verify"]);
    assert!(code == Some(2) && said.contains("byte 8: expected a record"), "{said}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_said_at_once_and_the_run_goes_on() {
    let run = ["run", "soccer", "--for", "3", "--seed", "9", "--json", "--record", "/dev/full"];
    let (code, said) = code_and_stderr(&run);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("error: /dev/full: ") && said.contains("not recorded from here on"),
        "{said}"
    );
}

/// The independent readers of MCAP in Python find the robots where the run says they are, and every channel
/// by its name.
#[test]
fn others_read_it_too() {
    let (path, told) = recorded("python.mcap", &[]);
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own = repository.join("target/python/bin/python");
    let told_path = file("python.json");
    std::fs::write(&told_path, told.to_string()).unwrap();
    let mut python = Command::new(if own.exists() { own } else { "python3".into() });
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/common/read_recording.py");
    let output = python.arg(script).arg(&path).arg(&told_path).output().expect("Python");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "Python with mcap and mcap-protobuf-support: {said}");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("6 robots where the run says"), "{printed}");
}
