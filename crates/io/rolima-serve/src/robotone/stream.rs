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

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use std::io::Read as _;
    use std::net::{Ipv4Addr, SocketAddr};

    /// Two ends of a connection. The second has no room for a picture, and the first knows how much it has,
    /// from zeros that went ahead.
    async fn pair() -> (TcpStream, std::net::TcpStream) {
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        let listener = tokio::net::TcpListener::bind(any).await.unwrap();
        let kind = (socket2::Domain::IPV4, socket2::Type::STREAM);
        let there = socket2::Socket::new(kind.0, kind.1, None).unwrap();
        there.set_recv_buffer_size(128 << 10).unwrap();
        there.connect(&listener.local_addr().unwrap().into()).unwrap();
        let here = listener.accept().await.unwrap().0;
        SockRef::from(&here).set_tcp_nodelay(true).unwrap();
        SockRef::from(&here).set_send_buffer_size(1 << 20).unwrap();
        let mut there = std::net::TcpStream::from(there);
        let reading = tokio::task::spawn_blocking(move || {
            there.read_exact(&mut vec![0; 1 << 20]).unwrap();
            // What is sent back tells how much room there is.
            std::io::Write::write_all(&mut there, &[1]).unwrap();
            there
        });
        send_all(&here, &[], &vec![0; 1 << 20], false).await.unwrap();
        let there = reading.await.unwrap();
        here.readable().await.unwrap();
        assert_eq!(here.try_read(&mut [0]).unwrap(), 1);
        (here, there)
    }

    /// Whether so many bytes are full packets of the loopback, with or without time stamps in their heads.
    fn is_full(bytes: usize) -> bool {
        [65_483, 65_495].into_iter().any(|full| bytes.is_multiple_of(full))
    }

    fn is_empty(stream: &std::net::TcpStream) -> bool {
        stream.set_nonblocking(true).unwrap();
        let empty = stream.peek(&mut [0]).is_err();
        stream.set_nonblocking(false).unwrap();
        empty
    }

    /// Tries until the machine was quick enough: the system holds nothing back for longer than 200 ms.
    async fn in_time(mut attempt: impl AsyncFnMut() -> bool) {
        for _ in 0..100 {
            if attempt().await {
                return;
            }
        }
        panic!("the machine is too busy");
    }

    fn in_thread<T>(work: impl Future<Output = T>) -> T {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.unwrap().block_on(work)
    }

    #[test]
    fn the_beginning_of_a_long_reply_stays_in_the_socket_until_more_is_written() {
        in_thread(in_time(async || {
            let (here, mut there) = pair().await;
            let start = Instant::now();
            let ahead = put_ahead(&here, &[1; 10], &[2; AHEAD_BYTES - 10]).unwrap();
            let is_held = is_empty(&there);
            let is_sure = start.elapsed() < LOOK;
            assert!(!is_sure || (is_held && ahead == AHEAD_BYTES), "{ahead}");
            assert_eq!(here.try_write(&[3; 1000]).unwrap(), 1000);
            let mut all = vec![0; AHEAD_BYTES + 1000];
            there.read_exact(&mut all).unwrap();
            assert!(all == [&[1; 10][..], &[2; AHEAD_BYTES - 10], &[3; 1000]].concat());
            is_sure
        }));
    }

    /// Written at once, the first packet would be a full one and leave before the rest is copied.
    #[test]
    fn the_first_packet_of_a_long_reply_is_the_one_that_is_held_back() {
        in_thread(in_time(async || {
            let (here, mut there) = pair().await;
            let (head, body) = (vec![1; 10], vec![2; 230_400]);
            let expected = [&head[..], &body].concat();
            let sending = tokio::spawn(async move { send_all(&here, &head, &body, true).await });
            let reading = tokio::task::spawn_blocking(move || {
                let come = there.peek(&mut vec![0; 1 << 20]).unwrap();
                let mut all = vec![0; 230_410];
                there.read_exact(&mut all).unwrap();
                (come, all)
            });
            let (come, all) = reading.await.unwrap();
            assert!(all == expected && sending.await.unwrap().is_ok());
            assert!(!is_full(come), "{come} bytes are full packets, none held back");
            come == AHEAD_BYTES || come > AHEAD_BYTES && is_full(come - AHEAD_BYTES)
        }));
    }
}
