//! A program that runs beside the test.

use super::rolima;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

/// Any free port of this machine.
pub(crate) const HERE: &str = "127.0.0.1:0";

/// A program that says where it listens; ended when this is dropped.
pub(crate) struct Running {
    pub(crate) child: Child,
    pub(crate) address: String,
    /// What it printed behind the address: `?token=...`, or nothing.
    pub(crate) query: String,
}

impl Running {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = rolima(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let is_encrypted = arguments.contains(&"--tls-cert");
        let scheme = if is_encrypted { "https://" } else { "http://" };
        let url = address_by(&mut child, scheme).unwrap_or_else(|said| {
            panic!("no address from {arguments:?}: {said}");
        });
        Self::of(child, &url)
    }

    /// A program that listens there, as [`address_of`] tells.
    pub(crate) fn of(child: Child, url: &str) -> Self {
        let (address, query) = url.split_once('/').unwrap_or((url, ""));
        Self { child, address: address.to_owned(), query: query.to_owned() }
    }

    pub(crate) fn port(&self) -> &str {
        self.address.rsplit(':').next().unwrap_or_default()
    }

    /// The result that it prints at its end, which it comes to by itself: a program that has to be ended
    /// some seconds after Ctrl-C fails.
    pub(crate) fn result(mut self) -> Value {
        let out = BufReader::new(self.child.stdout.take().expect("a pipe"));
        let last = out.lines().map_while(Result::ok).last().unwrap_or_default();
        let status = self.child.wait().expect("it ends");
        assert!(status.success(), "{status}: {last}");
        serde_json::from_str(&last).unwrap_or_else(|error| panic!("{error}: {last}"))
    }

    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, signal).expect("it runs");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Where a program says that it listens, with what stands behind the address, or what it said instead.
pub(crate) fn address_of(child: &mut Child) -> Result<String, String> {
    address_by(child, "http://")
}

/// The same for a scheme: what `view` shows may be encrypted where its own page is not.
pub(crate) fn address_by(child: &mut Child, scheme: &str) -> Result<String, String> {
    let mut said = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut all = String::new();
    loop {
        let mut line = String::new();
        if said.read_line(&mut line).expect("text") == 0 {
            return Err(all);
        }
        if let Some((_, rest)) = line.split_once(scheme) {
            // What it says later is nobody's business, but must not block it.
            std::thread::spawn(move || said.lines().for_each(drop));
            return Ok(rest.split_whitespace().next().unwrap_or_default().to_owned());
        }
        all.push_str(&line);
    }
}
