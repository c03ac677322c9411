//! What a link may be told, and what is wrong with it.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::time::Duration;

/// Port of the first camera where nobody says another one.
pub const DEFAULT_PORT: u16 = 8650;
/// How many ports from there on are tried.
const PORTS_TRIED: u16 = 50;
/// How long a connection to this machine itself may take.
pub(crate) const SOON: Duration = Duration::from_millis(200);
/// Shortest and longest token, characters.
const TOKEN_LENGTHS: std::ops::RangeInclusive<usize> = 16..=128;

/// What bounds a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LinkLimits {
    /// Clients of a camera, by TCP and by UDP each, viewers of MJPEG among the first.
    pub clients: usize,
    /// Connections that have not yet said who they are; of more the oldest ends.
    pub strangers: usize,
    /// How long a connection may take to say who it is, and how long one may read nothing of what was sent.
    pub patience: Duration,
    /// How long a receiver of datagrams may be silent.
    pub silence: Duration,
    /// Time between two backgrounds by UDP.
    pub key_every: Duration,
    /// Shortest time between two backgrounds that one client asks for.
    pub key_rest: Duration,
}

impl Default for LinkLimits {
    fn default() -> Self {
        Self {
            clients: 8,
            strangers: 32,
            patience: Duration::from_secs(30),
            silence: Duration::from_secs(5),
            key_every: Duration::from_secs(5),
            key_rest: Duration::from_millis(200),
        }
    }
}

/// What camera links may be told.
#[derive(Clone, Debug, Default)]
pub struct CameraLinkOptions {
    /// Where: the first camera has this port, the others the next ones. None: this machine only, at
    /// [`DEFAULT_PORT`] or the next free ones.
    pub listen: Option<SocketAddr>,
    /// Tokens by camera. Others are made where other machines can reach the links.
    pub tokens: BTreeMap<String, String>,
    /// What bounds them.
    pub limits: LinkLimits,
}

/// Why there is no link.
#[derive(Debug, thiserror::Error)]
pub enum CameraLinkError {
    /// There is nothing to send.
    #[error("the scene has no camera of the world ([[sensor]] with kind = \"camera\")")]
    NoCamera,
    /// A port that is taken, or an address that is not this machine's.
    #[error("the camera link cannot be at {address}: {source}")]
    Address {
        /// Where.
        address: SocketAddr,
        /// What the system says.
        source: std::io::Error,
    },
    /// A token that is none.
    #[error("{0}")]
    Token(String),
    /// Anything else of the system's.
    #[error("the camera link: {0}")]
    System(#[from] std::io::Error),
}

impl CameraLinkOptions {
    /// The token of a camera: the one that was given, a random one where other machines can reach it, else none.
    pub(crate) fn token(&self, camera: &str) -> Result<Option<String>, CameraLinkError> {
        if let Some(token) = self.tokens.get(camera) {
            let is_plain = token.bytes().all(|byte| byte.is_ascii_alphanumeric());
            if !is_plain || !TOKEN_LENGTHS.contains(&token.len()) {
                let (least, most) = (TOKEN_LENGTHS.start(), TOKEN_LENGTHS.end());
                let got = token.chars().count();
                return Err(CameraLinkError::Token(format!(
                    "token of {camera}: expected {least} to {most} letters and digits, got {got} characters"
                )));
            }
            return Ok(Some(token.clone()));
        }
        if self.listen.is_none_or(|address| address.ip().is_loopback()) {
            return Ok(None);
        }
        random_token().map(Some)
    }
}

/// 128 random bits.
pub(crate) fn random_token() -> Result<String, CameraLinkError> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| CameraLinkError::Token(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Compares in a time that does not tell where they differ.
pub(crate) fn equal(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |all, (x, y)| all | (x ^ y)) == 0
}

/// The sockets of a camera: the same port by TCP and UDP. `before` is the port of the camera before.
pub(crate) fn bind(
    options: &CameraLinkOptions,
    index: u16,
    before: Option<u16>,
) -> Result<(TcpListener, UdpSocket), CameraLinkError> {
    let both = |address: SocketAddr| -> std::io::Result<(TcpListener, UdpSocket)> {
        let tcp = TcpListener::bind(address)?;
        let udp = UdpSocket::bind(tcp.local_addr()?)?;
        Ok((tcp, udp))
    };
    let told = |address: SocketAddr| move |source| CameraLinkError::Address { address, source };
    if let Some(first) = options.listen {
        // Port 0 is any that is free.
        let port = if first.port() == 0 { 0 } else { first.port().saturating_add(index) };
        let address = SocketAddr::new(first.ip(), port);
        return both(address).map_err(told(address));
    }
    let first = before.map_or(DEFAULT_PORT, |port| port + 1);
    let mut last = None;
    for port in first..first.saturating_add(PORTS_TRIED) {
        let address = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
        match both(address) {
            Ok(sockets) => return Ok(sockets),
            Err(error) => last = Some(told(address)(error)),
        }
    }
    Err(last.unwrap_or(CameraLinkError::NoCamera))
}
