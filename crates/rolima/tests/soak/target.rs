//! The program that is under attack: a real match in real time, and what the system tells of it.

use super::Done;
use super::line::{connect, health, next};
use crate::common::rolima;
use crate::common::running::{HERE, Running};
use rolima_wire::pb::{self, server_message::Kind};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// What the system tells of a process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figures {
    pub(super) memory_mb: f64,
    pub(super) descriptors: u64,
    /// Of the memory, what nobody shares, and what is shared: blocks of state.
    pub(super) own_mb: f64,
    pub(super) shared_mb: f64,
}

pub(super) struct Target {
    running: Running,
    /// Where programs of Robot One connect, in the thesis's dialect.
    pub(super) programs: String,
    /// A folder of this soak alone.
    pub(super) folder: PathBuf,
    status: Mutex<pb::Status>,
}

impl Target {
    pub(super) fn start(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("soak-{name}"));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        let run = ["run", "soccer", "--json", "--speed", "1", "--listen", HERE];
        let mut child = rolima(&run)
            .args(["--robotone-listen", HERE])
            // Where its state block gets its name.
            .env("XDG_RUNTIME_DIR", &folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut said = BufReader::new(child.stderr.take().expect("a pipe")).lines();
        let mut word_after = |begin: &str| {
            let line = said.find_map(|line| {
                let line = line.expect("text");
                Some(line.split_once(begin)?.1.to_owned())
            });
            let line = line.unwrap_or_else(|| panic!("it says no {begin:?}"));
            line.split_whitespace().next().unwrap_or_default().to_owned()
        };
        let url = word_after("http://");
        let programs = word_after("programs: ");
        // What it says later is nobody's business, but must not block it.
        std::thread::spawn(move || said.for_each(drop));
        let running = Running::of(child, &url);
        let target = Self { running, programs, folder, status: Mutex::default() };
        target.answers().expect("it answers");
        target
    }

    pub(super) fn address(&self) -> &str {
        &self.running.address
    }

    /// The file by which other processes find its state.
    pub(super) fn state_file(&self) -> Option<PathBuf> {
        let folders = std::fs::read_dir(&self.folder).ok()?.flatten();
        let inside = folders.filter_map(|folder| std::fs::read_dir(folder.path()).ok());
        let mut files = inside.flatten().flatten().map(|file| file.path());
        files.find(|path| path.extension().is_some_and(|ending| ending == "state"))
    }

    /// Whether it still answers; else what is wrong.
    pub(super) fn answers(&self) -> Result<(), String> {
        health(self.address())
    }

    pub(super) fn figures(&self) -> Figures {
        let process = PathBuf::from(format!("/proc/{}", self.running.child.id()));
        let status = std::fs::read_to_string(process.join("status")).expect("it runs");
        let megabytes = |name: &str| {
            let told = status.lines().find_map(|line| line.strip_prefix(name));
            let kilobytes = told.and_then(|line| line.split_whitespace().next()?.parse().ok());
            let kilobytes: f64 = kilobytes.expect("memory in kB");
            (kilobytes / 1e3).round()
        };
        let descriptors = std::fs::read_dir(process.join("fd")).expect("it runs").count() as u64;
        let [memory_mb, own_mb, shared_mb] = ["VmRSS:", "RssAnon:", "RssShmem:"].map(megabytes);
        Figures { memory_mb, descriptors, own_mb, shared_mb }
    }

    /// Figures when they are no more than these, or when it was waited long enough.
    pub(super) fn settled(&self, most: Figures, patience: Duration) -> Figures {
        let end = Instant::now() + patience;
        loop {
            let figures = self.figures();
            let is_settled =
                figures.descriptors <= most.descriptors && figures.memory_mb <= most.memory_mb;
            if is_settled || Instant::now() > end {
                return figures;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }

    /// How it goes, as it told last.
    pub(super) fn status(&self) -> pb::Status {
        *self.status.lock().expect("nobody panicked")
    }

    /// A viewer that stays through everything, and keeps what it is told.
    pub(super) fn watch(&self, done: &Done) {
        let outcome = connect(self.address()).and_then(|mut viewer| {
            while done.goes_on() {
                if let Kind::Frame(frame) = next(&mut viewer)?
                    && let Some(status) = frame.status
                {
                    *self.status.lock().expect("nobody panicked") = status;
                }
            }
            Ok(())
        });
        done.note("the viewer that stays", outcome);
    }

    /// Ends it as Ctrl-C does, and tells its last words on deadlines.
    pub(super) fn end(self) -> String {
        self.running.signal(rustix::process::Signal::INT);
        let result = self.running.result();
        format!("deadlines of the whole run: {}", result["deadlines"])
    }
}
