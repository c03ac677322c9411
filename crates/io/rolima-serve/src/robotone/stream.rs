//! What a session does with its socket: everything in one piece, and whether somebody is there.

#[cfg(target_os = "linux")]
use socket2::SockRef;
use std::io::IoSlice;
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout_at};

/// How often to ask whether a peer is gone that has sent something ahead.
const LOOK: Duration = Duration::from_millis(100);

/// As many bytes of a long reply are put into the socket first and wait there for the rest: somewhat fewer
/// than fill a packet of the loopback, as a full one leaves at once.
const AHEAD_BYTES: usize = 60_000;

/// Sends everything; gives back in how many pieces it went. `at_once`: the other side has room for all of
/// it, which should come there at once.
pub(super) async fn send_all(
    stream: &TcpStream,
    mut head: &[u8],
    mut body: &[u8],
    at_once: bool,
) -> std::io::Result<usize> {
    let mut pieces = 0;
    let mut is_held = at_once && is_long(head, body);
    while !head.is_empty() || !body.is_empty() {
        let written = match body {
            body if is_held => put_ahead(stream, head, &body[..AHEAD_BYTES - head.len()]),
            [] => stream.try_write(head),
            body => stream.try_write_vectored(&[IoSlice::new(head), IoSlice::new(body)]),
        };
        match written {
            Ok(0) => return Err(std::io::ErrorKind::WriteZero.into()),
            Ok(count) => {
                pieces += usize::from(!is_held);
                is_held = false;
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

/// Whether a reply takes several packets on the loopback, and this system can hold the first one back.
fn is_long(head: &[u8], body: &[u8]) -> bool {
    cfg!(target_os = "linux") && head.len() < AHEAD_BYTES && head.len() + body.len() > AHEAD_BYTES
}

/// Puts the beginning of a long reply into the socket, where it waits for the rest.
///
/// Written at once, each packet of the loopback would leave as soon as it is filled, and a program that
/// reads with one `recv` would be woken by the first and find what has been copied until then. With
/// `MSG_MORE` the system holds back this one, which is not full; with `MSG_EOR` it adds nothing to it, so that
/// what follows queues behind it, and all leave together when the last is copied.
#[cfg(target_os = "linux")]
fn put_ahead(stream: &TcpStream, head: &[u8], body: &[u8]) -> std::io::Result<usize> {
    use rustix::net::SendFlags;
    let flags = SendFlags::MORE | SendFlags::EOR | SendFlags::NOSIGNAL;
    let pieces = [IoSlice::new(head), IoSlice::new(body)];
    stream.try_io(tokio::io::Interest::WRITABLE, || {
        SockRef::from(stream).send_vectored_with_flags(&pieces, flags.bits().cast_signed())
    })
}

/// Nothing is held back here.
#[cfg(not(target_os = "linux"))]
fn put_ahead(stream: &TcpStream, head: &[u8], body: &[u8]) -> std::io::Result<usize> {
    stream.try_write_vectored(&[IoSlice::new(head), IoSlice::new(body)])
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
