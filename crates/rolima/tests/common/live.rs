//! A live run of the real program, and a viewer of it.

use super::rolima;
use prost::Message as _;
use rolima_wire::pb::{self, client_message, control, server_message};
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::Duration;
use tungstenite::{Message, WebSocket};

/// Any port of this machine.
pub(crate) const HERE: &str = "127.0.0.1:0";

/// A program that says where it listens; ended when this is dropped.
pub(crate) struct Running {
    pub(crate) child: Child,
    pub(crate) address: String,
}

impl Running {
    pub(crate) fn start(arguments: &[&str]) -> Self {
        let mut child = rolima(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let address = address_of(&mut child).unwrap_or_else(|said| {
            panic!("no address from {arguments:?}: {said}");
        });
        Self { child, address }
    }

    pub(crate) fn connect(&self) -> Viewer {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time");
        let (socket, _) =
            tungstenite::client(format!("ws://{}/ws", self.address), stream).expect("a WebSocket");
        Viewer { socket }
    }

    /// The result that it prints at its end.
    pub(crate) fn result(mut self) -> Value {
        let out = BufReader::new(self.child.stdout.take().expect("a pipe"));
        let last = out.lines().map_while(Result::ok).last().unwrap_or_default();
        assert!(self.child.wait().expect("it ends").success());
        serde_json::from_str(&last).unwrap_or_else(|error| panic!("{error}: {last}"))
    }

    pub(crate) fn signal(&self, signal: rustix::process::Signal) {
        let id = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(id, signal).expect("it runs");
    }
}

/// Where a program says that it listens, or what it said instead.
pub(crate) fn address_of(child: &mut Child) -> Result<String, String> {
    let mut said = BufReader::new(child.stderr.take().expect("a pipe"));
    let mut all = String::new();
    loop {
        let mut line = String::new();
        if said.read_line(&mut line).expect("text") == 0 {
            return Err(all);
        }
        if let Some((_, rest)) = line.split_once("http://") {
            // What it says later is nobody's business, but must not block it.
            std::thread::spawn(move || said.lines().for_each(drop));
            return Ok(rest.split('/').next().unwrap_or_default().to_owned());
        }
        all.push_str(&line);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) struct Viewer {
    pub(crate) socket: WebSocket<TcpStream>,
}

impl Viewer {
    pub(crate) fn next(&mut self) -> server_message::Kind {
        loop {
            if let Message::Binary(bytes) = self.socket.read().expect("a message in time") {
                let message = pb::ServerMessage::decode(&bytes[..]).expect("a server message");
                return message.kind.expect("a kind");
            }
        }
    }

    pub(crate) fn until<T>(
        &mut self,
        mut pick: impl FnMut(server_message::Kind) -> Option<T>,
    ) -> T {
        loop {
            if let Some(found) = pick(self.next()) {
                return found;
            }
        }
    }

    pub(crate) fn frame(&mut self, wanted: impl Fn(&pb::Frame) -> bool) -> pb::Frame {
        self.until(|kind| match kind {
            server_message::Kind::Frame(frame) => Some(frame).filter(&wanted),
            _ => None,
        })
    }

    pub(crate) fn say(&mut self, kind: client_message::Kind) {
        let bytes = pb::ClientMessage { kind: Some(kind) }.encode_to_vec();
        self.socket.send(Message::Binary(bytes.into())).expect("it listens");
    }

    pub(crate) fn control(&mut self, kind: control::Kind) {
        self.say(client_message::Kind::Control(pb::Control { kind: Some(kind) }));
    }
}
