//! Programs of Robot One against the real program: graded runs, mazes from a paint program, the
//! thesis's case studies with real cameras, a classroom, what the documents say, and programs that
//! misbehave.
#![cfg(unix)]

use crate::common;
mod documents;
mod grading;
mod hostile;
mod live;
mod released;
mod view;
mod way_points;
mod worlds;

use common::rolima;
use rolima_robotone::{Dialect, Options, RobotOne};
use rolima_testing::Folder;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An example in Python as a command: with the Python of the tests, and our package.
fn example(arguments: &str) -> String {
    let place = repository().join("target/python/bin/python");
    let own = std::env::var_os("ROLIMA_PYTHON").map(PathBuf::from);
    let python = own.unwrap_or(if place.exists() { place } else { "python3".into() });
    let root = repository();
    let (root, python) = (root.display(), python.display());
    format!(
        "cd {root}/examples/python && PYTHONDONTWRITEBYTECODE=1 \
         PYTHONPATH={root}/clients/python {python} {arguments}"
    )
}

/// A program that runs until this is dropped.
struct Running(Child);

impl Running {
    /// Ends it as Ctrl-C does; how it ended, and what it said on standard output.
    fn stop(mut self) -> (ExitStatus, String) {
        let mut said = String::new();
        let mut out = self.0.stdout.take().expect("a pipe");
        self.interrupt();
        out.read_to_string(&mut said).expect("text");
        (self.0.wait().expect("its end"), said)
    }

    fn interrupt(&self) {
        let id = rustix::process::Pid::from_child(&self.0);
        let _ = rustix::process::kill_process(id, rustix::process::Signal::INT);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // One that was waited for is gone, and its number may be another's.
        if matches!(self.0.try_wait(), Ok(None)) {
            self.interrupt();
        }
        let _ = self.0.wait();
    }
}

/// Starts a program and waits for a line that it says on standard error.
fn start(arguments: &[&str], last: &str) -> (Running, Vec<String>) {
    let child = rolima(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut running = Running(child);
    let mut lines = BufReader::new(running.0.stderr.take().expect("a pipe")).lines();
    let mut said = vec![];
    loop {
        let line = lines.next().unwrap_or_else(|| panic!("it ended: {said:?}")).expect("text");
        said.push(line);
        if said.last().is_some_and(|line| line.contains(last)) {
            break;
        }
    }
    // What it says later is read, so that it is not held up.
    std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
    (running, said)
}

fn connect(address: &str, dialect: Dialect) -> RobotOne {
    let options = Options { dialect, ..Options::default() };
    RobotOne::connect_with(address, options).expect("a connection")
}

/// The address before a word in brackets.
fn address_of(line: &str, dialect: &str) -> String {
    let before = line.split(&format!(" ({dialect})")).next().unwrap_or_default();
    before.rsplit([' ', ',']).next().unwrap_or_default().to_owned()
}
