//! The state block cannot be made shorter under the simulator, which would be killed by it (Linux).
#![cfg(target_os = "linux")]

use crate::common;

use common::{Folder, Shown, model};
use rolima_serve::shm::{BlockPlace, PublicationCopy, StateReader, StateWriter, running_states};
use std::fs::{self, OpenOptions};
use std::io::ErrorKind;
use std::process::Command;

#[test]
fn nobody_shortens_a_block_and_taking_its_name_away_leaves_the_run_alone() {
    let folder = Folder::new("sealed");
    let path = folder.file("test.state");
    let mut writer =
        StateWriter::create(BlockPlace::File(path.clone()), "soccer", &model("soccer"))
            .expect("a block");
    let mut reader = StateReader::open(&path).expect("a block");
    let shortened = OpenOptions::new().write(true).truncate(true).open(&path);
    assert_eq!(shortened.expect_err("sealed").kind(), ErrorKind::PermissionDenied);
    let opened = OpenOptions::new().write(true).open(&path).expect("this user's own");
    for length in [0, 8, 1 << 40] {
        assert!(opened.set_len(length).is_err(), "{length} bytes");
    }
    let by_program = Command::new("truncate").args(["--size", "0"]).arg(&path).output();
    assert!(!by_program.expect("coreutils").status.success());

    fs::remove_file(&path).expect("the link");
    let mut shown = Shown::new("soccer");
    let mut copy = PublicationCopy::default();
    for _ in 0..20 {
        shown.step_and_show(&mut writer);
        assert!(reader.read(&mut copy).expect("readable"));
    }
    assert_eq!(copy.now.step, 20);
    // Another, larger scene goes to a file of its own, found under the same name.
    shown.load("crowd", &mut writer);
    shown.show(&mut writer);
    assert!(StateReader::open(&path).is_ok(), "it is there again");
}

#[test]
fn links_that_dead_processes_left_are_swept_away() {
    let folder = rolima_serve::shm::runtime_folder().expect("a folder");
    let dead = folder.join("999999999-soccer.state");
    let _ = fs::remove_file(&dead);
    std::os::unix::fs::symlink("/proc/999999999/fd/3", &dead).expect("a link");
    let again = running_states().expect("a folder");
    assert!(!dead.is_symlink(), "it is gone");
    assert!(again.iter().all(|state| state.path != dead));
}
