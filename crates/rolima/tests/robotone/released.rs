//! Programs over the released library, which die of SIGPIPE when the server closes, by a stand-in.

use super::{Folder, Running, address_of, connect, repository, start};
use rolima_robotone::Dialect;
use std::io::{BufRead, BufReader};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

const SIGPIPE: i32 = 13;

/// The stand-in, compiled.
fn stand_in(folder: &Folder) -> PathBuf {
    let source = repository().join("crates/rolima/tests/robotone/released.c");
    let program = folder.file("released");
    let built = Command::new("cc").arg("-O1").arg(source).arg("-o").arg(&program).status();
    assert!(built.expect("`cargo xtask test` installs a C compiler").success());
    program
}

/// Starts it and waits for its first pose.
fn driving(program: &PathBuf, address: &str, more: &[&str]) -> Child {
    let port = address.rsplit(':').next().expect("a port");
    let mut command = Command::new(program);
    let mut child = command.arg(port).args(more).stdout(Stdio::piped()).spawn().expect("it starts");
    let mut line = String::new();
    BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
    assert_eq!(line.split_whitespace().count(), 3, "a pose: {line:?}");
    child
}

fn run(listen: &str) -> (Running, String) {
    let run = ["run", "maze", "--headless", "--json", "--robotone-listen", listen];
    let (running, said) = start(&run, "programs: ");
    (running, address_of(said.last().expect("a line"), "release"))
}

#[test]
fn a_program_that_dies_of_sigpipe_when_the_run_ends_does_not_disturb_the_end() {
    let folder = Folder::new("sigpipe-end");
    let program = stand_in(&folder);
    let (running, address) = run("127.0.0.1:0");
    let mut child = driving(&program, &address, &[]);
    let (status, summary) = running.stop();
    assert!(status.success(), "{status}");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("a summary");
    assert!(summary["simulated_s"].as_f64().is_some_and(|time| time > 0.0), "{summary}");
    let status = child.wait().expect("its end");
    assert_eq!(status.signal(), Some(SIGPIPE), "{status}");
}

#[test]
fn a_program_that_dies_of_sigpipe_leaves_its_robot_standing_and_free() {
    let folder = Folder::new("sigpipe-bad");
    let program = stand_in(&folder);
    let (_running, address) = run("127.0.0.1:0");
    // The server closes because the stream is lost, and the program dies of its next requests.
    let mut child = driving(&program, &address, &["bad"]);
    let status = child.wait().expect("its end");
    assert_eq!(status.signal(), Some(SIGPIPE), "{status}");
    // The robot brakes to rest, and the next program has it.
    let mut next = connect(&address, Dialect::Release);
    let mut last = next.pose().expect("a pose");
    for _ in 0..600 {
        next.wait().expect("a cycle");
        let now = next.pose().expect("a pose");
        if now == last {
            next.set_velocity([0.3, 0.0]).expect("the robot is free");
            next.wait().expect("a cycle");
            return;
        }
        last = now;
    }
    panic!("it still moves: {last:?}");
}
