//! A viewer of a program that runs beside the test.

use super::running::Running;
use prost::Message as _;
use rolima_wire::pb::{self, client_message, control, server_message};
use std::net::TcpStream;
use std::time::Duration;
use tungstenite::{Message, WebSocket};

impl Running {
    pub(crate) fn connect(&self) -> Viewer {
        Viewer::connect(&self.address)
    }
}

/// Most messages that somebody waits for one among.
const MOST_MESSAGES: usize = 6000;

pub(crate) struct Viewer {
    pub(crate) socket: WebSocket<TcpStream>,
}

impl Viewer {
    pub(crate) fn connect(address: &str) -> Self {
        let stream = TcpStream::connect(address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time");
        let (socket, _) =
            tungstenite::client(format!("ws://{address}/ws"), stream).expect("a WebSocket");
        Self { socket }
    }

    pub(crate) fn next(&mut self) -> server_message::Kind {
        loop {
            if let Message::Binary(bytes) = self.socket.read().expect("a message in time") {
                let message = pb::ServerMessage::decode(&bytes[..]).expect("a server message");
                return message.kind.expect("a kind");
            }
        }
    }

    /// What is picked of the messages that come; some minutes of frames without it are a failure.
    #[track_caller]
    pub(crate) fn until<T>(
        &mut self,
        mut pick: impl FnMut(server_message::Kind) -> Option<T>,
    ) -> T {
        let found = (0..MOST_MESSAGES).find_map(|_| pick(self.next()));
        found.expect("what is waited for comes")
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
