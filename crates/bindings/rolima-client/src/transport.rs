//! Messages by TCP and by UDP.

use crate::camera::{CameraOptions, ClientError, Transport};
use rolima_link::messages::{MAGIC, bad_length};
use rolima_link::{Assembler, ClientMessage, MOST_BODY_BYTES, ServerMessage};
use std::io::{ErrorKind, Read, Write};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, UdpSocket};
use std::time::{Duration, Instant};

/// How often a receiver of datagrams says that it is there.
const HELLO_EVERY: Duration = Duration::from_secs(1);
/// How often it says so until it is answered.
const HELLO_FIRST: Duration = Duration::from_millis(100);
/// Bytes that are read at a time.
const AT_ONCE: usize = 64 * 1024;

/// What was heard.
pub(crate) enum Heard {
    /// A message.
    Message,
    /// Nothing, in time.
    Nothing,
}

/// A connection to a camera's link.
pub(crate) enum Link {
    Tcp(Box<Stream>),
    Udp(Box<Datagrams>),
}

/// By TCP.
pub(crate) struct Stream {
    socket: TcpStream,
    /// What was read; the message that was heard last begins it, after its length.
    bytes: Vec<u8>,
    heard: usize,
    room: Vec<u8>,
}

/// By UDP.
pub(crate) struct Datagrams {
    socket: UdpSocket,
    assembler: Assembler,
    message: Vec<u8>,
    hello: ClientMessage,
    said: Instant,
    room: Vec<u8>,
}

impl Link {
    pub(crate) fn connect(
        address: SocketAddr,
        options: &CameraOptions,
    ) -> Result<Self, ClientError> {
        let (token, lock_step) = (options.token.clone(), options.lock_step);
        let hello = ClientMessage::Hello { token, lock_step, cookie: 0 };
        match options.transport {
            Transport::Tcp => {
                let socket = TcpStream::connect_timeout(&address, options.patience)?;
                socket.set_nodelay(true)?;
                let mut stream = Stream { socket, bytes: vec![], heard: 0, room: vec![0; AT_ONCE] };
                stream.socket.write_all(MAGIC)?;
                stream.say(&hello)?;
                Ok(Self::Tcp(Box::new(stream)))
            }
            Transport::Udp => {
                Datagrams::connect(address, hello, options.patience).map(Box::new).map(Self::Udp)
            }
        }
    }

    /// Whether nothing that is sent is damaged or lost on the way.
    pub(crate) fn is_reliable(&self) -> bool {
        matches!(self, Self::Tcp(_))
    }

    /// Waits for a message.
    pub(crate) fn hear(&mut self, until: Instant) -> Result<Heard, ClientError> {
        match self {
            Self::Tcp(stream) => stream.hear(until),
            Self::Udp(datagrams) => datagrams.hear(until),
        }
    }

    /// The message that was heard last.
    pub(crate) fn message(&self) -> &[u8] {
        match self {
            Self::Tcp(stream) => &stream.bytes[4..stream.heard],
            Self::Udp(datagrams) => &datagrams.message,
        }
    }

    pub(crate) fn say(&mut self, message: &ClientMessage) -> Result<(), ClientError> {
        match self {
            Self::Tcp(stream) => stream.say(message),
            Self::Udp(datagrams) => {
                datagrams.socket.send(&message.datagram())?;
                Ok(())
            }
        }
    }
}

/// A time to wait that sockets take: none is zero.
fn left(until: Instant) -> Option<Duration> {
    let left = until.saturating_duration_since(Instant::now());
    (left > Duration::ZERO).then(|| left.max(Duration::from_micros(100)))
}

fn is_timeout(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

impl Stream {
    fn say(&mut self, message: &ClientMessage) -> Result<(), ClientError> {
        let mut bytes = vec![0; 4];
        message.write(&mut bytes);
        let length = (bytes.len() - 4) as u32;
        bytes[..4].copy_from_slice(&length.to_le_bytes());
        Ok(self.socket.write_all(&bytes)?)
    }

    fn hear(&mut self, until: Instant) -> Result<Heard, ClientError> {
        self.bytes.drain(..self.heard);
        self.heard = 0;
        loop {
            if let Some(length) = self.bytes.first_chunk::<4>() {
                let length = u32::from_le_bytes(*length) as usize;
                if length == 0 || length > MOST_BODY_BYTES {
                    return Err(bad_length(length).into());
                }
                if self.bytes.len() >= 4 + length {
                    self.heard = 4 + length;
                    return Ok(Heard::Message);
                }
            }
            let Some(left) = left(until) else { return Ok(Heard::Nothing) };
            self.socket.set_read_timeout(Some(left))?;
            match self.socket.read(&mut self.room) {
                Ok(0) => return Err(std::io::Error::from(ErrorKind::UnexpectedEof).into()),
                Ok(count) => self.bytes.extend_from_slice(&self.room[..count]),
                Err(error) if is_timeout(&error) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

impl Datagrams {
    /// Says hello until the link answers, shows the cookie that it gives, and waits for the first message after.
    fn connect(
        address: SocketAddr,
        hello: ClientMessage,
        patience: Duration,
    ) -> Result<Self, ClientError> {
        let own: SocketAddr = match address {
            SocketAddr::V4(_) => (Ipv4Addr::UNSPECIFIED, 0).into(),
            SocketAddr::V6(_) => (Ipv6Addr::UNSPECIFIED, 0).into(),
        };
        let socket = UdpSocket::bind(own)?;
        // From then on the system lets nobody else's datagrams in.
        socket.connect(address)?;
        let (assembler, message) = (Assembler::default(), vec![]);
        let mut made =
            Self { socket, assembler, message, hello, said: Instant::now(), room: vec![0; 2048] };
        let until = Instant::now() + patience;
        while Instant::now() < until {
            made.greet()?;
            match made.hear((Instant::now() + HELLO_FIRST).min(until)) {
                Ok(Heard::Message) => {}
                Ok(Heard::Nothing) => continue,
                // Nobody is there yet, says the system.
                Err(ClientError::System(error)) if error.kind() == ErrorKind::ConnectionRefused => {
                    std::thread::sleep(HELLO_FIRST);
                    continue;
                }
                Err(error) => return Err(error),
            }
            match ServerMessage::read(&made.message) {
                Ok(ServerMessage::Cookie(_)) => {}
                Ok(ServerMessage::Refused(why)) => return Err(ClientError::Refused(why)),
                // The camera, or a frame: it has let this client in.
                _ => return Ok(made),
            }
        }
        Err(ClientError::Silent(address.to_string()))
    }

    fn greet(&mut self) -> Result<(), ClientError> {
        self.said = Instant::now();
        match self.socket.send(&self.hello.datagram()) {
            Err(error) if error.kind() != ErrorKind::ConnectionRefused => Err(error.into()),
            _ => Ok(()),
        }
    }

    fn hear(&mut self, until: Instant) -> Result<Heard, ClientError> {
        loop {
            if self.said.elapsed() >= HELLO_EVERY {
                self.greet()?;
            }
            let next_hello = self.said + HELLO_EVERY;
            let Some(left) = left(until.min(next_hello)) else {
                if Instant::now() >= until {
                    return Ok(Heard::Nothing);
                }
                continue;
            };
            self.socket.set_read_timeout(Some(left))?;
            let count = match self.socket.recv(&mut self.room) {
                Ok(count) => count,
                Err(error) if is_timeout(&error) => continue,
                Err(error) => return Err(error.into()),
            };
            let Some(message) = self.assembler.take(&self.room[..count]) else { continue };
            self.message.clear();
            self.message.extend_from_slice(message);
            if let Ok(ServerMessage::Cookie(given)) = ServerMessage::read(&self.message)
                && let ClientMessage::Hello { cookie, .. } = &mut self.hello
            {
                // Also later: a simulator that was started anew has other ones.
                *cookie = given;
                self.greet()?;
            }
            return Ok(Heard::Message);
        }
    }
}
