//! What a session does with its socket: everything in one piece, and whether somebody is there.

use std::io::IoSlice;
use std::time::Duration;
use tokio::net::TcpStream;

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
