//! A connection: requests out, replies in.

use rolima_wire::robotone::{
    Dialect, MOST_DATA_BYTES, Reply, ReplyDecoder, encode_get, encode_set, encode_set_data,
    encode_set_floats,
};
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv6Addr, TcpStream, ToSocketAddrs};
use std::time::Duration;

/// What is read at a time, bytes: a picture needs few of them.
const READ_BYTES: usize = 256 * 1024;

/// How to connect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Which dialect. Default: that of the thesis, which tells when something was not done.
    pub dialect: Dialect,
    /// How long to try. Default 5 s.
    pub connect_timeout: Duration,
    /// How long an answer may take; none for ever. Default: none, as a wait for the next cycle
    /// lasts as long as the simulation stands still.
    pub read_timeout: Option<Duration>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            dialect: Dialect::Thesis,
            connect_timeout: Duration::from_secs(5),
            read_timeout: None,
        }
    }
}

/// Why something did not work.
#[derive(Debug, thiserror::Error)]
pub enum RobotOneError {
    /// Nobody answers at the address.
    #[error("cannot connect to Robot One at {address}: {source}")]
    Connect {
        /// Where.
        address: String,
        /// Why.
        source: io::Error,
    },
    /// The connection broke, or an answer took too long.
    #[error("the connection to Robot One is lost: {0}")]
    Lost(#[from] io::Error),
    /// The simulator did not do it.
    #[error("{}", not_done(.name, .why))]
    NotDone {
        /// What was asked for.
        name: String,
        /// Why, as far as the simulator tells; empty if it does not.
        why: String,
    },
    /// The answer makes no sense.
    #[error("{name}: {why}")]
    BadReply {
        /// What was asked for.
        name: String,
        /// What is wrong.
        why: String,
    },
}

/// A connection to a simulator or a robot.
#[derive(Debug)]
pub struct RobotOne {
    stream: TcpStream,
    dialect: Dialect,
    decoder: ReplyDecoder,
    request: Vec<u8>,
    buffer: Vec<u8>,
    /// Whether an answer was given up, so that later ones would be taken for others.
    broken: bool,
    /// Whether the other side has not got `Lidar.Scan`, which not all have.
    pub(crate) lacks_scan: bool,
}

impl RobotOne {
    /// Connects to `HOST` or `HOST:PORT`.
    pub fn connect(address: &str) -> Result<Self, RobotOneError> {
        Self::connect_with(address, Options::default())
    }

    /// Connects to `HOST` or `HOST:PORT`.
    ///
    /// Unless a port is given, it is the dialect's own, or the one that the environment says
    /// (`ROBOTONE_PORT`, for the release's dialect `ROBOTONE_RELEASE_PORT`), so that a program can
    /// be let loose on another simulator as it is.
    pub fn connect_with(address: &str, options: Options) -> Result<Self, RobotOneError> {
        let open = || -> io::Result<TcpStream> {
            let (host, port) = host_and_port(address, default_port(options.dialect)?)?;
            let mut problem = io::Error::new(io::ErrorKind::NotFound, "there is no such host");
            for found in (host, port).to_socket_addrs()? {
                match TcpStream::connect_timeout(&found, options.connect_timeout) {
                    Ok(stream) => return Ok(stream),
                    Err(error) => problem = error,
                }
            }
            Err(problem)
        };
        let prepare = |stream: TcpStream| -> io::Result<TcpStream> {
            stream.set_nodelay(true)?;
            stream.set_read_timeout(options.read_timeout)?;
            Ok(stream)
        };
        let stream = open().and_then(prepare);
        let stream = stream.map_err(|source| {
            let address = address.to_owned();
            RobotOneError::Connect { address, source }
        })?;
        Ok(Self {
            stream,
            dialect: options.dialect,
            decoder: ReplyDecoder::new(options.dialect),
            request: vec![],
            buffer: vec![0; READ_BYTES],
            broken: false,
            lacks_scan: false,
        })
    }

    /// Which dialect it speaks.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// A number by its name.
    pub fn get(&mut self, name: &str) -> Result<f32, RobotOneError> {
        Ok(self.get_any(name)?.value)
    }

    /// Sets a number by its name; gives back what the other side says.
    pub fn set(&mut self, name: &str, value: f32) -> Result<f32, RobotOneError> {
        self.request.clear();
        encode_set(self.dialect, name, value, &mut self.request);
        Ok(self.ask(name)?.value)
    }

    /// A number or data by their name, whichever it is.
    pub fn get_any(&mut self, name: &str) -> Result<Reply, RobotOneError> {
        self.request.clear();
        encode_get(self.dialect, name, &mut self.request);
        self.ask(name)
    }

    /// Data by their name.
    pub fn get_data(&mut self, name: &str) -> Result<Vec<u8>, RobotOneError> {
        let reply = self.get_any(name)?;
        let bad = || bad_reply(name, "expected data, got a number");
        reply.data.ok_or_else(bad)
    }

    /// Numbers by their name.
    pub fn get_floats(&mut self, name: &str) -> Result<Vec<f32>, RobotOneError> {
        floats_of(name, &self.get_data(name)?)
    }

    /// Numbers by their name, or the one number that it has.
    pub fn get_one_or_more(&mut self, name: &str) -> Result<Vec<f32>, RobotOneError> {
        let reply = self.get_any(name)?;
        reply.data.map_or(Ok(vec![reply.value]), |data| floats_of(name, &data))
    }

    /// So many numbers by their name.
    pub fn get_numbers<const N: usize>(&mut self, name: &str) -> Result<[f32; N], RobotOneError> {
        let floats = self.get_floats(name)?;
        let got = floats.len();
        let bad = |_| bad_reply(name, &format!("expected {N} numbers, got {got}"));
        floats.try_into().map_err(bad)
    }

    /// Sets data by their name.
    pub fn set_data(&mut self, name: &str, data: &[u8]) -> Result<f32, RobotOneError> {
        check_size(name, data.len())?;
        self.request.clear();
        encode_set_data(self.dialect, name, data, &mut self.request);
        Ok(self.ask(name)?.value)
    }

    /// Sets numbers by their name. Nothing in the simulator takes any; other robots may.
    pub fn set_floats(&mut self, name: &str, floats: &[f32]) -> Result<f32, RobotOneError> {
        check_size(name, floats.len().saturating_mul(4))?;
        self.request.clear();
        encode_set_floats(self.dialect, name, floats, &mut self.request);
        Ok(self.ask(name)?.value)
    }

    /// Sends the request and waits for its reply.
    fn ask(&mut self, name: &str) -> Result<Reply, RobotOneError> {
        if self.broken {
            let why = "an earlier answer was given up: connect again";
            return Err(io::Error::new(io::ErrorKind::BrokenPipe, why).into());
        }
        // Until the reply is there, the connection is of no use for others.
        self.broken = true;
        let reply = self.exchange(name)?;
        if !reply.done {
            let why = self.reason()?;
            self.broken = false;
            return Err(RobotOneError::NotDone { name: name.to_owned(), why });
        }
        self.broken = false;
        Ok(reply)
    }

    /// Why the other side did not do what was asked last; empty if it does not tell.
    fn reason(&mut self) -> Result<String, RobotOneError> {
        let name = "World.LastError";
        self.request.clear();
        encode_get(self.dialect, name, &mut self.request);
        let data = self.exchange(name)?.data.unwrap_or_default();
        Ok(String::from_utf8_lossy(&data).into_owned())
    }

    fn exchange(&mut self, name: &str) -> Result<Reply, RobotOneError> {
        self.stream.write_all(&self.request)?;
        self.reply(name)
    }

    fn reply(&mut self, name: &str) -> Result<Reply, RobotOneError> {
        loop {
            let count = match self.stream.read(&mut self.buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                result => result?,
            };
            if count == 0 {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof).into());
            }
            let mut bytes = &self.buffer[..count];
            let found = self.decoder.feed(&mut bytes);
            if let Some(reply) = found.map_err(|bad| bad_reply(name, &bad.to_string()))? {
                if !bytes.is_empty() {
                    return Err(bad_reply(name, "more came than was asked for"));
                }
                return Ok(reply);
            }
        }
    }
}

pub(crate) fn floats_of(name: &str, data: &[u8]) -> Result<Vec<f32>, RobotOneError> {
    let (floats, rest) = data.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(bad_reply(name, "expected numbers of four bytes each"));
    }
    Ok(floats.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
}

/// What is told of something that was not done: the reason names what was asked for.
fn not_done(name: &str, why: &str) -> String {
    match why {
        "" => format!("{name}: not done; the simulator's log says why"),
        why => why.to_owned(),
    }
}

fn check_size(name: &str, size: usize) -> Result<(), RobotOneError> {
    if size <= MOST_DATA_BYTES {
        return Ok(());
    }
    Err(bad_reply(name, &format!("expected at most {MOST_DATA_BYTES} bytes, got {size}")))
}

fn bad_reply(name: &str, why: &str) -> RobotOneError {
    RobotOneError::BadReply { name: name.to_owned(), why: why.to_owned() }
}

/// The port that is meant if none is told.
fn default_port(dialect: Dialect) -> io::Result<u16> {
    let name = match dialect {
        Dialect::Thesis => "ROBOTONE_PORT",
        Dialect::Release => "ROBOTONE_RELEASE_PORT",
    };
    let Ok(port) = std::env::var(name) else { return Ok(dialect.port()) };
    port.parse().map_err(|_| {
        let why = format!("expected a port in {name}, got `{port}`");
        io::Error::new(io::ErrorKind::InvalidInput, why)
    })
}

/// `HOST`, `HOST:PORT`, `[V6]` or `[V6]:PORT`, or a bare address of version 6.
fn host_and_port(address: &str, port: u16) -> io::Result<(&str, u16)> {
    let address = address.trim();
    let wrong = |_| io::Error::new(io::ErrorKind::InvalidInput, "expected HOST or HOST:PORT");
    if address.parse::<Ipv6Addr>().map(IpAddr::from).is_ok() {
        return Ok((address, port));
    }
    let (host, own_port) = match address.rsplit_once(':') {
        Some((host, own_port)) if !own_port.ends_with(']') => (host, Some(own_port)),
        _ => (address, None),
    };
    let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let host = if host.is_empty() { "127.0.0.1" } else { host };
    Ok((host, own_port.map_or(Ok(port), |text| text.parse().map_err(wrong))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_several_forms() {
        for (text, host, port) in [
            ("127.0.0.1", "127.0.0.1", 5047),
            ("simulator:80", "simulator", 80),
            ("[::1]:80", "::1", 80),
            ("[::1]", "::1", 5047),
            ("::1", "::1", 5047),
            ("", "127.0.0.1", 5047),
            (":80", "127.0.0.1", 80),
        ] {
            assert_eq!(host_and_port(text, 5047).unwrap(), (host, port), "{text}");
        }
        assert!(host_and_port("host:port", 1).is_err());
        assert!(host_and_port("host:70000", 1).is_err());
    }
}
