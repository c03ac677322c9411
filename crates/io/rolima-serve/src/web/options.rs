//! What a server may be told.

use super::tls::TlsIdentity;
use super::tokens::Tokens;
use crate::goals::SharedGoals;
use crate::profile::SharedProfile;
use crate::robotone::{ForPrograms, ViewHints};
use crate::senses::Senses;
use crate::timeline::SharedTimeline;
use rolima_core::Model;
use rolima_record::RecordingsFolder;
use rolima_run::live::history::History;
use rolima_run::live::log::Bundle;
use rolima_run::live::{MapSource, SharedSeats, TimedRequest, Undelivered};
use rolima_wire::MapAsked;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

/// The port that is tried first.
pub const DEFAULT_PORT: u16 = 8642;
/// How many ports after the first are tried.
const PORTS_TRIED: u16 = 100;

/// Where a server listens.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Listen {
    /// On this machine only, at [`DEFAULT_PORT`] or the next one that is free.
    #[default]
    Default,
    /// At this address and port; port 0 takes any that is free.
    At(SocketAddr),
}

impl Listen {
    /// Addresses to try, in order.
    pub(crate) fn addresses(self) -> Vec<SocketAddr> {
        match self {
            Self::At(address) => vec![address],
            Self::Default => {
                let ports = DEFAULT_PORT..DEFAULT_PORT + PORTS_TRIED;
                ports.map(|port| (IpAddr::from(Ipv4Addr::LOCALHOST), port).into()).collect()
            }
        }
    }
}

/// How a server behaves.
#[derive(Clone, Debug, Default)]
pub struct ServerOptions {
    /// Where it listens.
    pub listen: Listen,
    /// Whether it does without access tokens where other machines can reach it.
    pub open: bool,
    /// Access tokens, which are then needed on this machine, too; none: random ones where other
    /// machines can reach it.
    pub tokens: Option<Tokens>,
    /// Names of the robots that the role drive may drive; none: all.
    pub drive_robots: Option<Vec<String>>,
    /// Certificate and key, for encrypted connections alone.
    pub tls: Option<TlsIdentity>,
    /// Names besides addresses and `localhost` by which it is called.
    pub hosts: Vec<String>,
    /// Pages from elsewhere that may connect, such as `http://localhost:5173` while the page is
    /// developed.
    pub origins: Vec<String>,
    /// What it bears.
    pub limits: ServerLimits,
}

/// What a server bears.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServerLimits {
    /// Viewers at a time. Default 256.
    pub viewers: usize,
    /// Frames a second. Default 60.
    pub frames_per_second: u32,
    /// Messages a second of one viewer; beyond, they are dropped. Default 200.
    pub messages_per_second: u32,
    /// A viewer that takes nothing for so long is cut off. Default 10 s.
    pub write_timeout: Duration,
    /// A viewer that gives no sign of life for so long is cut off. Default 30 s; asked every
    /// third of it.
    pub silence: Duration,
    /// A connection to a machine that gives no sign for so long ends, whatever its program may do: a
    /// controller in lock step, too. Default 30 s, at least 6 s. Linux keeps to it; other systems may
    /// take minutes where something was on its way.
    pub vanished: Duration,
    /// A message has to be there so long after its first byte, and a second later for each 100 kB
    /// of it. Default 30 s.
    pub message_timeout: Duration,
    /// Memory for messages that are half sent, such as large maps, of all viewers together, bytes;
    /// each may have 64 KiB besides. Default 64 MiB.
    pub half_sent_bytes: u64,
    /// A request has to be there after so long. Default 10 s.
    pub request_timeout: Duration,
    /// A claimed robot without commands for so long is stopped. Default 0.5 s.
    pub drive_silence: Duration,
    /// Messages to a viewer that wait, besides frames, which do not. Default 64.
    pub backlog: usize,
}

impl Default for ServerLimits {
    fn default() -> Self {
        Self {
            viewers: 256,
            frames_per_second: 60,
            messages_per_second: 200,
            write_timeout: Duration::from_secs(10),
            silence: Duration::from_secs(30),
            vanished: Duration::from_secs(30),
            message_timeout: Duration::from_secs(30),
            half_sent_bytes: 64 * 1024 * 1024,
            request_timeout: Duration::from_secs(10),
            drive_silence: Duration::from_millis(500),
            backlog: 64,
        }
    }
}

/// A scene that viewers can load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneListed {
    /// What it is loaded by.
    pub name: String,
    /// One line for people.
    pub title: String,
}

/// A scene that was read and compiled.
#[derive(Clone)]
pub struct SceneLoaded {
    /// The scene.
    pub model: Arc<Model>,
    /// The map that all of it comes from, if it does.
    pub map: Option<Arc<MapSource>>,
    /// What people may want to know of the pictures that it was read from, a line each.
    pub notes: Vec<String>,
    /// All that it was read from, for a log.
    pub source: Option<Arc<Bundle>>,
}

/// A map that was read.
#[derive(Clone)]
pub struct MapLoaded {
    /// What was read.
    pub map: Arc<MapSource>,
    /// What the viewer's person may want to know about it.
    pub notes: Vec<String>,
    /// The scene of it; none if it was only to be read.
    pub model: Option<Arc<Model>>,
    /// All that the scene was read from, for a log.
    pub source: Option<Arc<Bundle>>,
}

/// Reads and compiles a scene by its name. Runs on a thread of its own.
pub type Loader = Arc<dyn Fn(&str) -> Result<SceneLoaded, String> + Send + Sync>;
/// Reads a map that a viewer sent, and compiles a scene of it unless it is only to be read. Runs
/// on a thread of its own. An error has a line for each mistake.
pub type MapLoader = Arc<dyn Fn(&MapAsked) -> Result<MapLoaded, String> + Send + Sync>;
/// Passes something on to the loop; an error (a full queue) is told to the viewer. Must not block.
pub type Sender = Arc<dyn Fn(TimedRequest) -> Result<(), Undelivered> + Send + Sync>;

/// What stands behind a server.
#[derive(Clone)]
pub struct Backend {
    /// Scenes that viewers can choose.
    pub scenes: Vec<SceneListed>,
    /// Reads one of them: to load it, and for its picture.
    pub load: Loader,
    /// Reads maps that viewers send.
    pub load_map: MapLoader,
    /// The way to the loop; none where viewers can only watch.
    pub send: Option<Sender>,
    /// The log that is replayed, if one is: viewers cannot change the world, only its time.
    pub replay_of: Option<String>,
    /// What robots see; none where the loop is elsewhere.
    pub senses: Option<Senses>,
    /// Where robots are sent; none where the loop is elsewhere.
    pub goals: Option<SharedGoals>,
    /// Where the time of steps goes; none where the loop is elsewhere.
    pub profile: Option<SharedProfile>,
    /// Who drives which robot: the same that the terminal and programs ask.
    pub seats: SharedSeats,
    /// Which robots programs may drive; none where programs are not let in.
    pub for_programs: Option<ForPrograms>,
    /// What programs want viewers to see.
    pub view_hints: ViewHints,
    /// Which instant is shown; none where the loop is elsewhere.
    pub timeline: Option<SharedTimeline>,
    /// Where viewers' recordings are; none: viewers record nothing.
    pub recordings: Option<Arc<RecordingsFolder>>,
    /// The file that the run is recorded into from its beginning on, for people.
    pub recorded: Option<String>,
    /// Recordings that are shown over the run from its beginning on, by their names.
    pub ghosts: Vec<(String, Arc<dyn History>)>,
}

impl Backend {
    /// Viewers can only watch, and there are no scenes to choose from.
    pub fn watch_only() -> Self {
        let load: Loader = Arc::new(|_: &str| Err("this viewer can only watch".to_owned()));
        let load_map: MapLoader = Arc::new(|_| Err("this viewer can only watch".to_owned()));
        Self {
            scenes: vec![],
            load,
            load_map,
            send: None,
            replay_of: None,
            senses: None,
            goals: None,
            profile: None,
            seats: SharedSeats::default(),
            for_programs: None,
            view_hints: ViewHints::default(),
            timeline: None,
            recordings: None,
            recorded: None,
            ghosts: vec![],
        }
    }
}

/// Why a server cannot start.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// The address is taken, or not this machine's.
    #[error("cannot listen at {address}: {source}")]
    Listen {
        /// Which.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// Threads, random numbers and the like.
    #[error("cannot start the web server: {0}")]
    System(String),
    /// The address of a relay's other side makes no sense.
    #[error(
        "`{got}` is no address of a simulator: expected HOST:PORT or http://HOST:PORT/?token=..., or \
         with https"
    )]
    Address {
        /// What was given.
        got: String,
    },
    /// Nobody answers there, or somebody else.
    #[error("no run answers at {address}: {why}")]
    NoRun {
        /// `HOST:PORT`.
        address: String,
        /// What came instead.
        why: String,
    },
}
