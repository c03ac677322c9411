//! The simulator's side: what the loop leaves, cameras' threads, sockets and clients.
//!
//! Every camera of the world has a link of its own: a port, a token, threads. What one team's programs do, or what is
//! done to its port, takes nothing from another. The loop copies where everything was, and only while a camera has
//! clients; it never waits.
//!
//! | module | what |
//! |---|---|
//! | `options` | what a link may be told, and what is wrong with it |
//! | `sink` | what the loop leaves for the cameras |
//! | [`maker`](FrameMaker) | pictures to messages |
//! | `camera` | the thread of a camera: takes shots, delivers frames, holds late ones back |
//! | `outbox` | what a camera's clients get, and who has got what |
//! | `tcp` | programs that read a stream |
//! | `udp` | programs that take datagrams |
//! | `mjpeg` | viewers that can only read MJPEG over HTTP |
//! | `lock_step` | the world waits for a camera's program at every frame |
//! | `tokens` | a file that keeps them |
//! | `stats` | what was sent, and what was left out |

mod camera;
mod lock_step;
mod maker;
mod mjpeg;
mod options;
mod outbox;
mod sink;
mod stats;
mod tcp;
mod tokens;
mod udp;

pub use maker::FrameMaker;
pub use options::{CameraLinkError, CameraLinkOptions, DEFAULT_PORT, LinkLimits};
pub use sink::LinkSink;
pub use stats::LinkStats;
pub use tokens::keep_tokens;

use camera::{CameraThread, Inbox};
use options::bind;
use outbox::Outbox;
use rolima_core::Model;
use rolima_core::model::{Mount, Rate, SensorKind};
use rolima_run::live::Mailbox;
use std::net::{SocketAddr, TcpListener, UdpSocket};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;

/// What all threads of a camera's link share.
pub(crate) struct Shared {
    /// What scenes call the camera.
    pub(crate) name: String,
    /// Its number among the links of this run.
    pub(crate) index: u32,
    pub(crate) token: Option<String>,
    pub(crate) limits: LinkLimits,
    /// Where to ask that the world waits, in lock step.
    pub(crate) mailbox: Option<Mailbox>,
    /// The camera in the scene that runs, if that has it.
    pub(crate) scene: Mutex<Option<SceneCamera>>,
    pub(crate) inbox: Inbox,
    pub(crate) seat: lock_step::Seat,
    pub(crate) outbox: Outbox,
    pub(crate) jpeg: mjpeg::Jpegs,
    pub(crate) stats: stats::Counters,
    pub(crate) stopped: AtomicBool,
}

/// A camera in a scene.
#[derive(Clone, Copy)]
pub(crate) struct SceneCamera {
    /// Its number among all sensors.
    pub(crate) device: usize,
    /// Which exposure it has.
    pub(crate) exposure: usize,
    pub(crate) rate: Rate,
    pub(crate) step_s: f64,
}

impl Shared {
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(std::sync::atomic::Ordering::Relaxed)
    }
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a thread with a name.
pub(crate) fn start(
    name: &str,
    run: impl FnOnce() + Send + 'static,
) -> std::io::Result<JoinHandle<()>> {
    std::thread::Builder::new().name(name.to_owned()).spawn(run)
}

/// The link of one camera.
struct CameraLink {
    shared: Arc<Shared>,
    address: SocketAddr,
    threads: Vec<JoinHandle<()>>,
}

/// The camera links of a run. They end when this is dropped.
pub struct CameraLinks {
    links: Vec<CameraLink>,
    // Cameras first, so that clients are told that the run is over.
    cameras: Vec<CameraThread>,
}

/// What is to be said of a camera's link.
#[derive(Clone, Debug)]
pub struct LinkAnnounced {
    /// What the scene calls the camera.
    pub camera: String,
    /// Where it is, by TCP and UDP.
    pub address: SocketAddr,
    /// What clients must show; none where everybody is let in.
    pub token: Option<String>,
}

impl CameraLinks {
    /// Opens a link for every camera of the world. Returns what the live loop must get as a sink. `mailbox` is the
    /// loop's, in lock step.
    pub fn open(
        model: &Arc<Model>,
        options: &CameraLinkOptions,
        mailbox: Option<Mailbox>,
    ) -> Result<(Self, LinkSink), CameraLinkError> {
        let names = cameras(model);
        if names.is_empty() {
            return Err(CameraLinkError::NoCamera);
        }
        let mut links = Self { links: vec![], cameras: vec![] };
        let mut all = vec![];
        let mut key = [0; 4];
        getrandom::fill(&mut key).map_err(|error| CameraLinkError::Token(error.to_string()))?;
        for (index, name) in names.into_iter().enumerate() {
            let token = options.token(&name)?;
            let (tcp, udp) =
                bind(options, index as u16, links.links.last().map(|l| l.address.port()))?;
            let shared = Arc::new(Shared {
                name,
                index: index as u32,
                token,
                limits: options.limits,
                mailbox: mailbox.clone(),
                scene: Mutex::new(None),
                inbox: Inbox::default(),
                seat: lock_step::Seat::default(),
                outbox: Outbox::default(),
                jpeg: mjpeg::Jpegs::default(),
                stats: stats::Counters::default(),
                stopped: AtomicBool::new(false),
            });
            // Backgrounds of another run have other numbers.
            links.cameras.push(CameraThread::start(Arc::clone(&shared), u32::from_le_bytes(key))?);
            links.links.push(CameraLink::start(&shared, tcp, udp)?);
            all.push(shared);
        }
        Ok((links, LinkSink::new(all)))
    }

    /// Where the links are.
    pub fn announced(&self) -> impl Iterator<Item = LinkAnnounced> + '_ {
        self.links.iter().map(|link| LinkAnnounced {
            camera: link.shared.name.clone(),
            address: link.address,
            token: link.shared.token.clone(),
        })
    }

    /// What was sent so far, by the links.
    pub fn stats(&self) -> Vec<LinkStats> {
        self.links.iter().map(|link| link.shared.stats.read()).collect()
    }
}

impl CameraLink {
    fn start(
        shared: &Arc<Shared>,
        tcp: TcpListener,
        udp: UdpSocket,
    ) -> Result<Self, CameraLinkError> {
        let address = tcp.local_addr()?;
        let udp = Arc::new(udp);
        let mut threads = vec![];
        let own = Arc::clone(shared);
        threads.push(start("link tcp", move || tcp::listen(&own, &tcp))?);
        let receivers = Arc::new(udp::Receivers::new());
        let (own, socket, known) = (Arc::clone(shared), Arc::clone(&udp), Arc::clone(&receivers));
        threads.push(start("link udp in", move || udp::receive(&own, &socket, &known))?);
        let own = Arc::clone(shared);
        threads.push(start("link udp out", move || udp::send(&own, &udp, &receivers))?);
        Ok(Self { shared: Arc::clone(shared), address, threads })
    }
}

impl Drop for CameraLinks {
    fn drop(&mut self) {
        self.cameras.clear();
        for link in &mut self.links {
            link.shared.stopped.store(true, std::sync::atomic::Ordering::Relaxed);
            link.shared.outbox.end();
            // Wakes the thread that waits for connections.
            let _ = std::net::TcpStream::connect_timeout(&own_address(link.address), options::SOON);
        }
        for thread in self.links.iter_mut().flat_map(|link| link.threads.drain(..)) {
            let _ = thread.join();
        }
    }
}

/// Where this machine reaches itself.
fn own_address(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        ip if !ip.is_unspecified() => ip,
        std::net::IpAddr::V4(_) => std::net::Ipv4Addr::LOCALHOST.into(),
        std::net::IpAddr::V6(_) => std::net::Ipv6Addr::LOCALHOST.into(),
    };
    SocketAddr::new(ip, address.port())
}

/// The cameras of the world, by name.
fn cameras(model: &Model) -> Vec<String> {
    let all = model.devices_of(Mount::World);
    let is_camera =
        |device: &&rolima_core::model::DeviceModel| matches!(device.kind, SensorKind::Camera(_));
    model.devices[all].iter().filter(is_camera).map(|device| device.name.clone()).collect()
}
