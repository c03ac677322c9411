//! The socket of a connection.

use crate::vanished::{MOST_UNREAD_BYTES, give_up_after, watch};
use std::io::{self, Error};
use std::net::Shutdown;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// What the system keeps for a viewer that reads slowly, bytes. More would show it old pictures.
const SEND_BUFFER_BYTES: usize = 256 * 1024;

/// The socket of a connection. Clones are the same socket.
#[derive(Clone)]
pub(crate) struct SharedSocket {
    socket: Arc<TcpStream>,
    /// After so long without a sign of the other machine the connection ends.
    patience: Duration,
}

impl SharedSocket {
    /// No delay for small messages, little memory for slow readers, questions to silent machines.
    pub(crate) fn new(socket: TcpStream, patience: Duration) -> Self {
        let options = socket2::SockRef::from(&socket);
        // None of them is necessary.
        let _ = options.set_tcp_nodelay(true);
        let _ = options.set_send_buffer_size(SEND_BUFFER_BYTES);
        let patience = watch(&options, patience);
        Self { socket: Arc::new(socket), patience }
    }

    /// The first byte that comes, which stays to be read; none if the connection ends before.
    pub(crate) async fn first_byte(&self) -> io::Result<Option<u8>> {
        let mut byte = [0];
        let count = self.socket.peek(&mut byte).await?;
        Ok((count > 0).then_some(byte[0]))
    }

    /// A message of this length is about to be sent to a program that may be held in a debugger.
    pub(crate) fn sends_to_controller(&self, length: usize) {
        if length > MOST_UNREAD_BYTES {
            give_up_after(&self.options(), None);
        }
    }

    /// The program has read what it was sent.
    pub(crate) fn was_read(&self) {
        give_up_after(&self.options(), Some(self.patience));
    }

    fn options(&self) -> socket2::SockRef<'_> {
        socket2::SockRef::from(&*self.socket)
    }
}

impl AsyncRead for SharedSocket {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        loop {
            ready!(self.socket.poll_read_ready(context))?;
            match self.socket.try_read(buffer.initialize_unfilled()) {
                Ok(count) => {
                    buffer.advance(count);
                    return Poll::Ready(Ok(()));
                }
                Err(error) if must_wait(&error) => {}
                Err(error) => return Poll::Ready(Err(error)),
            }
        }
    }
}

impl AsyncWrite for SharedSocket {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            ready!(self.socket.poll_write_ready(context))?;
            match self.socket.try_write(bytes) {
                Err(error) if must_wait(&error) => {}
                written => return Poll::Ready(written),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        // A socket keeps nothing back.
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(self.options().shutdown(Shutdown::Write))
    }
}

fn must_wait(error: &Error) -> bool {
    error.kind() == io::ErrorKind::WouldBlock
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    /// Both ends of a connection.
    async fn connection(patience: Duration) -> (SharedSocket, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let there = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        (SharedSocket::new(listener.accept().await.unwrap().0, patience), there)
    }

    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.unwrap().block_on(test);
    }

    #[test]
    fn more_than_fits_goes_through_both_ways_at_once() {
        run(async {
            let (line, there) = connection(Duration::from_secs(30)).await;
            let sent: Vec<u8> = (0..5_000_000u32).map(|i| (i % 251) as u8).collect();
            let (mut from_here, mut to_there) = tokio::io::split(line);
            let (mut from_there, mut to_here) = there.into_split();
            let (mut got_here, mut got_there) = (vec![], vec![]);
            let (one, two, three, four) = tokio::join!(
                async {
                    to_there.write_all(&sent).await?;
                    to_there.shutdown().await
                },
                async {
                    to_here.write_all(&sent).await?;
                    to_here.shutdown().await
                },
                from_here.read_to_end(&mut got_here),
                from_there.read_to_end(&mut got_there),
            );
            one.and(two).and(three).and(four).unwrap();
            assert!(got_here == sent && got_there == sent);
        });
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn silence_of_the_machine_is_borne_longer_only_after_a_long_message() {
        run(async {
            let patience = Duration::from_secs(30);
            let (line, _there) = connection(patience).await;
            let limit = || line.options().tcp_user_timeout().unwrap().filter(|t| !t.is_zero());
            assert_eq!(limit(), Some(patience));
            line.sends_to_controller(MOST_UNREAD_BYTES);
            assert_eq!(limit(), Some(patience));
            line.sends_to_controller(MOST_UNREAD_BYTES + 1);
            // A short one after it does not help: the long one may still wait.
            line.sends_to_controller(2);
            assert_eq!(limit(), None);
            line.was_read();
            assert_eq!(limit(), Some(patience));
            assert!(crate::vanished::is_watched(&line.options(), patience));
        });
    }
}
