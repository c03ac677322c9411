//! What the tests of the command line share.
#![allow(dead_code)] // each test file uses its part

pub(crate) mod files;
#[cfg(unix)]
pub(crate) mod live;
#[cfg(unix)]
pub(crate) mod running;

use serde_json::Value;
use std::process::{Command, Output};

/// `rolima` with some arguments.
pub(crate) fn rolima(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rolima"));
    command.args(arguments);
    command
}

/// Makes a named pipe.
#[cfg(unix)]
pub(crate) fn pipe(path: &std::path::Path) {
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo starts");
    assert!(made.success(), "{}", path.display());
}

/// Runs `rolima` to its end.
pub(crate) fn output(arguments: &[&str]) -> Output {
    rolima(arguments).output().expect("the program starts")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// Exit code of `rolima`, and what it said on standard error.
pub(crate) fn code_and_stderr(arguments: &[&str]) -> (Option<i32>, String) {
    let output = output(arguments);
    (output.status.code(), stderr(&output))
}

/// Standard output of a run that must succeed.
pub(crate) fn good(arguments: &[&str]) -> String {
    let output = output(arguments);
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// The last line of a run that must succeed, as JSON.
pub(crate) fn result(arguments: &[&str]) -> Value {
    let text = good(&[arguments, &["--json"]].concat());
    serde_json::from_str(text.lines().last().unwrap_or_default())
        .unwrap_or_else(|e| panic!("{e}: {text}"))
}

/// The state hash of a run of `soccer` with the random driver.
pub(crate) fn hash(arguments: &[&str]) -> String {
    let run = [&["run", "soccer", "--set", "driver=random", "--for", "3"], arguments].concat();
    result(&run)["state_hash"].as_str().expect("a hash").to_owned()
}
