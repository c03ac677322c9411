//! What a server of Robot One may be told.

use super::for_programs::ForPrograms;
use super::network::Network;
use rolima_wire::robotone::{RELEASE_PORT, THESIS_PORT};
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// What data of all programs together may take that are on their way or wait for their turn, bytes.
///
/// A class of 64 that sends drawn mazes at once, 2 MiB each, fits in it, and so do eight of the
/// largest maps (16 MiB). Without it 64 connections could make a server hold 1 GiB by sending half of
/// what they promise; with less, maps of a large class are refused sooner, to be sent again.
const ARRIVING_BYTES: usize = 128 << 20;
/// What data of one program may take in any case, bytes: text maps and small pictures, so that those
/// who fill the rest do not keep them out. All programs together pass the limit by 4 MiB at most.
pub(super) const ALWAYS_BYTES: usize = 64 << 10;

/// Takes lines for the log. Must not block.
pub type RobotOneLog = Arc<dyn Fn(&str) + Send + Sync>;

/// How a server behaves.
#[derive(Clone)]
pub struct RobotOneOptions {
    /// Where the release's dialect is spoken; port 0 takes any that is free. Default: this machine
    /// only, port 5046.
    pub release: Option<SocketAddr>,
    /// Where the thesis's dialect is spoken. Default: this machine only, port 5047.
    pub thesis: Option<SocketAddr>,
    /// Where programs may come from; none: from wherever they can.
    pub allow: Option<Vec<Network>>,
    /// Which robots they may drive. Default: all.
    pub for_programs: ForPrograms,
    /// Before whose first picture zeros are sent, in the release's dialect.
    pub priming: Priming,
    /// What it bears.
    pub limits: RobotOneLimits,
    /// Where it tells what was refused and why. Default: nowhere.
    pub log: RobotOneLog,
}

impl Default for RobotOneOptions {
    fn default() -> Self {
        let here = |port| Some(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
        Self {
            release: here(RELEASE_PORT),
            thesis: here(THESIS_PORT),
            allow: None,
            for_programs: ForPrograms::default(),
            priming: Priming::default(),
            limits: RobotOneLimits::default(),
            log: Arc::new(|_| {}),
        }
    }
}

impl RobotOneOptions {
    /// The same at an address: the release's dialect at its port, the thesis's at the next one. Port 0 takes
    /// any two that are free.
    #[must_use]
    pub fn at(self, release: SocketAddr) -> Self {
        // Neither any port nor the last one has a next one: then any that is free.
        let thesis = match release.port() {
            0 => release,
            port => SocketAddr::new(release.ip(), port.wrapping_add(1)),
        };
        Self { release: Some(release), thesis: Some(thesis), ..self }
    }

    /// On this machine, at ports that are free: for tests, and for many servers at a time.
    pub fn any_ports() -> Self {
        let any = Some(SocketAddr::from((Ipv4Addr::LOCALHOST, 0)));
        Self { release: any, thesis: any, ..Self::default() }
    }
}

/// Before whose first picture 1 MiB of zeros is sent, in the release's dialect.
///
/// The released library reads every reply with one `recv`, whose window at first is smaller than a
/// picture; zeros, which it throws away, widen it. Other programs must not see them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Priming {
    /// Nobody's.
    Never,
    /// Those that have the released library's habits: values other than 0 in a get, and numbers asked
    /// for one by one.
    #[default]
    Recognised,
    /// Everybody's at the release's port.
    Always,
}

/// What a server bears.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RobotOneLimits {
    /// Connections at a time, half of them from one other machine. Where there are more, the one
    /// makes way that has been idle longest of those that have no robot; where all have one, the
    /// newcomer is cut off. Default 64.
    pub clients: usize,
    /// A program that takes nothing for so long is cut off. Default 10 s.
    pub write_timeout: Duration,
    /// Acts of one program that may be on their way; more wait for the next publication, some 1 ms.
    /// Default 4.
    pub actions: usize,
    /// Lines for the log of one connection; what is beyond is counted. Default 20.
    pub lines: u64,
    /// Bytes of data, of all programs together, that are on their way or wait for their turn; what
    /// would pass them is refused. 64 KiB of each program have room in any case. Default 128 MiB.
    pub arriving_bytes: usize,
}

impl Default for RobotOneLimits {
    fn default() -> Self {
        Self {
            clients: 64,
            write_timeout: Duration::from_secs(10),
            actions: 4,
            lines: 20,
            arriving_bytes: ARRIVING_BYTES,
        }
    }
}

/// Why a server of Robot One cannot start.
#[derive(Debug, thiserror::Error)]
pub enum RobotOneServerError {
    /// The address is taken, or not this machine's.
    #[error("Robot One cannot listen at {address}: {source}")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// Threads and the like.
    #[error("the server of Robot One cannot start: {0}")]
    System(#[from] io::Error),
}

impl RobotOneServerError {
    /// Whether another program has the port.
    pub fn is_taken(&self) -> bool {
        matches!(self, Self::Listen { source, .. } if source.kind() == io::ErrorKind::AddrInUse)
    }
}
