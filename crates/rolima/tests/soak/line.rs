//! Connections to the program under attack.

use crate::common::live::Viewer;
use prost::Message as _;
use rolima_wire::pb::{self, client_message, control, server_message::Kind};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::Message;
use tungstenite::protocol::WebSocketConfig;

/// An answer that takes longer than this never comes.
pub(super) const PATIENCE: Duration = Duration::from_secs(120);

/// A plain connection.
pub(super) fn plain(address: &str) -> Result<TcpStream, String> {
    let stream = TcpStream::connect(address).map_err(|error| format!("no connection: {error}"))?;
    stream
        .set_read_timeout(Some(PATIENCE))
        .and_then(|()| stream.set_write_timeout(Some(PATIENCE)))
        .map_err(|error| error.to_string())?;
    Ok(stream)
}

/// A WebSocket that takes messages of any length, as scenes of large maps are.
pub(super) fn connect(address: &str) -> Result<Viewer, String> {
    let mut config = WebSocketConfig::default();
    (config.max_message_size, config.max_frame_size) = (None, None);
    let stream = plain(address)?;
    tungstenite::client::client_with_config(format!("ws://{address}/ws"), stream, Some(config))
        .map(|(socket, _)| Viewer { socket })
        .map_err(|error| format!("no WebSocket: {error}"))
}

/// The next message; an error where there is none in time.
pub(super) fn next(viewer: &mut Viewer) -> Result<Kind, String> {
    let end = Instant::now() + PATIENCE;
    // Pings come also where nothing else does.
    while Instant::now() < end {
        match viewer.socket.read() {
            Ok(Message::Binary(bytes)) => {
                let message = pb::ServerMessage::decode(&bytes[..]).map_err(|e| e.to_string())?;
                return message.kind.ok_or_else(|| "a message without content".to_owned());
            }
            Ok(_) => {}
            Err(error) => return Err(format!("no message: {error}")),
        }
    }
    Err("no message in time".to_owned())
}

/// Reads until something is there that is wanted.
pub(super) fn until<T>(
    viewer: &mut Viewer,
    what: &str,
    mut pick: impl FnMut(Kind) -> Option<T>,
) -> Result<T, String> {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        let kind = next(viewer).map_err(|error| format!("waiting for {what}: {error}"))?;
        if let Some(found) = pick(kind) {
            return Ok(found);
        }
    }
    Err(format!("no {what} came"))
}

pub(super) fn say(viewer: &mut Viewer, kind: client_message::Kind) -> Result<(), String> {
    let bytes = pb::ClientMessage { kind: Some(kind) }.encode_to_vec();
    viewer.socket.send(Message::Binary(bytes.into())).map_err(|error| error.to_string())
}

/// Sends a map and waits for what is said of it. Somebody else's map may be in the way.
pub(super) fn send_map(
    viewer: &mut Viewer,
    name: &str,
    data: &[u8],
) -> Result<pb::MapAnswer, String> {
    let busy = "Another scene is being loaded.";
    let end = Instant::now() + PATIENCE;
    let mut request = 0;
    loop {
        request += 1;
        let (name, data) = (name.to_owned(), data.to_vec().into());
        let map = pb::LoadMap { request, name, data, ..pb::LoadMap::default() };
        say(viewer, client_message::Kind::LoadMap(map))?;
        let answer = until(viewer, "answer to a map", |kind| match kind {
            Kind::MapAnswer(answer) if answer.request == request => Some(answer),
            _ => None,
        })?;
        if answer.error != busy || Instant::now() > end {
            return Ok(answer);
        }
    }
}

/// Loads the match again, whatever the world is.
pub(super) fn back_to_soccer(viewer: &mut Viewer) -> Result<(), String> {
    let load = control::Kind::Load("soccer".to_owned());
    say(viewer, client_message::Kind::Control(pb::Control { kind: Some(load) }))?;
    until(viewer, "match", |kind| match kind {
        Kind::Scene(scene) if scene.name == "soccer" => Some(()),
        _ => None,
    })
}

/// What `/healthz` answers.
pub(super) fn health(address: &str) -> Result<(), String> {
    let mut stream = plain(address)?;
    let head = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    let mut answer = String::new();
    stream
        .write_all(head.as_bytes())
        .and_then(|()| stream.read_to_string(&mut answer))
        .map_err(|error| format!("/healthz: {error}"))?;
    match answer.ends_with("ok\n") {
        true => Ok(()),
        false => Err(format!("/healthz: expected ok, got {answer:?}")),
    }
}
