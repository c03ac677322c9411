//! What a session does with its socket: everything in one piece, and whether somebody is there.

use std::io::IoSlice;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

/// How often to ask whether a peer is gone that has sent something ahead.
const LOOK: Duration = Duration::from_millis(100);

/// Sends everything; gives back in how many pieces it went.
pub(super) async fn send_all(
    stream: &TcpStream,
    mut head: &[u8],
    mut body: &[u8],
) -> std::io::Result<usize> {
    let mut pieces = 0;
    while !head.is_empty() || !body.is_empty() {
        let written = match body {
            [] => stream.try_write(head),
            body => stream.try_write_vectored(&[IoSlice::new(head), IoSlice::new(body)]),
        };
        match written {
            Ok(0) => return Err(std::io::ErrorKind::WriteZero.into()),
            Ok(count) => {
                pieces += 1;
                let of_head = count.min(head.len());
                head = &head[of_head..];
                body = &body[count - of_head..];
            }
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                stream.writable().await?;
            }
            Err(error) => return Err(error),
        }
    }
    // So that a program that never stops asking lets others have their turn.
    tokio::task::coop::consume_budget().await;
    Ok(pieces)
}

/// Waits until the other side is gone. One that has sent something ahead is there until that is
/// read.
pub(super) async fn gone(stream: &TcpStream) {
    let mut byte = [0];
    while let Ok(1..) = stream.peek(&mut byte).await {
        tokio::time::sleep(LOOK).await;
    }
}

/// What comes next on a connection.
pub(super) enum Read {
    Bytes(usize),
    End,
    /// Nothing, for longer than was waited for.
    Late,
    /// The program's robot is not for programs any more.
    TakenBack,
}

/// Reads what comes next, until then at most where there is an end.
pub(super) async fn next_bytes(
    stream: &mut TcpStream,
    buffer: &mut [u8],
    until: Option<Instant>,
) -> Read {
    // What is there already is read, however late it is.
    let read = match until {
        None => Ok(stream.read(buffer).await),
        Some(until) => timeout_at(until, stream.read(buffer)).await,
    };
    match read {
        Err(_) => Read::Late,
        Ok(Ok(0) | Err(_)) => Read::End,
        Ok(Ok(count)) => Read::Bytes(count),
    }
}
