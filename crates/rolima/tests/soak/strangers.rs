//! Attacks by those who never say anything whole, or nothing that means anything.

use super::line::{PATIENCE, connect, plain};
use super::target::Target;
use crate::common::live::Viewer;
use std::io::Write;
use std::time::{Duration, Instant};
use tungstenite::Message;
use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};

/// How long strangers stay, so that what they cost is seen.
const STAY: Duration = Duration::from_millis(600);

/// A piece of a message that goes on.
fn piece(kind: Data, content: Vec<u8>) -> Message {
    Message::Frame(Frame::message(content, OpCode::Data(kind), false))
}

/// Large messages that never end, with pongs between their pieces: as much memory as all of them may
/// have together is theirs, and no more.
pub(super) fn half_sent_messages(target: &Target) -> Result<(), String> {
    const SENDERS: usize = 12;
    const BYTES: usize = 15 << 20;
    let mut senders = vec![];
    for _ in 0..SENDERS {
        let mut viewer = connect(target.address())?;
        // Whoever finds no memory is cut off, which may show while it still sends.
        let sent = viewer.socket.send(piece(Data::Binary, vec![0; BYTES]));
        let _ = sent.and_then(|()| viewer.socket.send(Message::Pong(vec![].into())));
        let _ = viewer.socket.send(piece(Data::Continue, vec![0; 1000]));
        senders.push(viewer);
    }
    std::thread::sleep(STAY);
    target.answers()
}

/// Pongs, and pieces without content, until the connection is cut off.
pub(super) fn floods(target: &Target) -> Result<(), String> {
    let mut pongs = connect(target.address())?;
    until_cut_off(&mut pongs, || Message::Pong(vec![].into()))?;
    let mut pieces = connect(target.address())?;
    let _ = pieces.socket.send(piece(Data::Binary, vec![]));
    until_cut_off(&mut pieces, || piece(Data::Continue, vec![]))
}

fn until_cut_off(viewer: &mut Viewer, message: impl Fn() -> Message) -> Result<(), String> {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end {
        let all = (0..1000).try_for_each(|_| viewer.socket.write(message()));
        if all.and_then(|()| viewer.socket.flush()).is_err() {
            return Ok(());
        }
    }
    Err("a flood is not cut off".to_owned())
}

/// Heads of requests that never end, and connections that say nothing: others still come in.
pub(super) fn half_heads(target: &Target) -> Result<(), String> {
    let mut strangers = vec![];
    for number in 0..420 {
        let mut stream = plain(target.address())?;
        if number % 2 == 0 {
            // Those that had to make way may be gone already.
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: local");
        }
        strangers.push(stream);
    }
    std::thread::sleep(STAY);
    target.answers()?;
    connect(target.address()).map(drop)
}

/// Programs of Robot One that say half of something, or make no sense.
pub(super) fn half_requests(target: &Target) -> Result<(), String> {
    let mut strangers = vec![];
    for number in 0..60_u8 {
        let mut stream = plain(&target.programs)?;
        let said: &[u8] = match number % 3 {
            0 => &[],
            1 => &[0, 6, 0, 0, 0, b'P', b'o'],
            _ => &[0xff; 64],
        };
        // What makes no sense may have been cut off already.
        let _ = stream.write_all(said);
        strangers.push(stream);
    }
    std::thread::sleep(STAY);
    Ok(())
}
