//! Sockets, the thread, start and end.

use super::for_programs::ForPrograms;
use super::network::Network;
use super::options::{
    ALWAYS_BYTES, Priming, RobotOneLimits, RobotOneLog, RobotOneOptions, RobotOneServerError,
};
use super::queue::ProgramQueue;
use super::robots::{Notifier, Robots};
use super::session::{Caller, ProgramSession};
use super::unpaced::UsualCongestionControl;
use crate::vanished::watch;
use crate::waiting::Waiting;
use rolima_wire::robotone::{Budget, Dialect, RELEASE_PORT};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::runtime::Builder;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;

/// What the system keeps for a program that reads slowly, bytes: enough for a picture, which has to
/// leave in one piece.
const SEND_BUFFER_BYTES: usize = 1 << 20;
/// The last port that is tried for programs of the release: fifty runs side by side.
const LAST_PORT: u16 = RELEASE_PORT + 98;
/// How long programs have to be let go at the end.
const GOODBYE: Duration = Duration::from_secs(1);

/// Worlds of different programs that are read side by side: each takes a thread, and a picture up
/// to 200 MB.
const MOST_CHANGES: usize = 3;

/// A program whose machine gives no sign for so long is no longer waited for, neither by others who want
/// its robot nor by a world that advances with its programs.
pub(super) const VANISHED: Duration = Duration::from_secs(30);

/// What all connections share.
pub(super) struct Shared {
    pub(super) robots: Arc<dyn Robots>,
    pub(super) queue: ProgramQueue,
    pub(super) notifier: Notifier,
    pub(super) limits: RobotOneLimits,
    /// Where programs may come from; none: from anywhere.
    allow: Option<Vec<Network>>,
    pub(super) for_programs: ForPrograms,
    pub(super) priming: Priming,
    pub(super) log: RobotOneLog,
    /// What data may take that are not dealt with yet.
    pub(super) arriving: Budget,
    /// Programs that are connected: one without a robot makes way where there are too many.
    connected: Arc<Waiting>,
    /// Worlds that are read side by side.
    pub(super) changing: Arc<Semaphore>,
    pub(super) stats: Arc<Stats>,
    pub(super) stop: watch::Receiver<bool>,
}

impl Shared {
    /// Whether programs may come from this address.
    fn allows(&self, address: IpAddr) -> bool {
        let allow = self.allow.as_ref();
        allow.is_none_or(|networks| networks.iter().any(|network| network.contains(address)))
    }
}

#[derive(Default)]
pub(super) struct Stats {
    pub(super) clients: AtomicU64,
    pub(super) connections: AtomicU64,
    pub(super) turned_away: AtomicU64,
    pub(super) not_allowed: AtomicU64,
    pub(super) requests: AtomicU64,
    pub(super) refused: AtomicU64,
    pub(super) split: AtomicU64,
}

/// What a server has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RobotOneStats {
    /// Programs that are connected now.
    pub clients: u64,
    /// Programs that ever were.
    pub connections: u64,
    /// Connections that were too many.
    pub turned_away: u64,
    /// Connections from addresses that are not allowed.
    pub not_allowed: u64,
    /// Requests that were answered.
    pub requests: u64,
    /// Those of them that made no sense or could not be done.
    pub refused: u64,
    /// Replies that did not leave in one piece, as the other side read too slowly.
    pub split: u64,
    /// Data that are on their way or wait for their turn now, bytes.
    pub arriving_bytes: u64,
}

/// The server of Robot One.
pub struct RobotOneServer;

impl RobotOneServer {
    /// Starts a server on this machine, at the usual ports or at the first two in a row after them that nobody
    /// has, so that runs stand side by side.
    pub fn start_beside(
        options: &RobotOneOptions,
        robots: &Arc<dyn Robots>,
    ) -> Result<RobotOneServerHandle, RobotOneServerError> {
        let mut release = SocketAddr::from((Ipv4Addr::LOCALHOST, RELEASE_PORT));
        loop {
            match Self::start(options.clone().at(release), Arc::clone(robots)) {
                Err(error) if error.is_taken() && release.port() < LAST_PORT => {
                    release.set_port(release.port() + 2);
                }
                started => return started,
            }
        }
    }

    /// Starts a server for these robots.
    pub fn start(
        options: RobotOneOptions,
        robots: Arc<dyn Robots>,
    ) -> Result<RobotOneServerHandle, RobotOneServerError> {
        let listen = |address: Option<SocketAddr>| address.map(bind).transpose();
        let release = listen(options.release)?;
        let thesis = listen(options.thesis)?;
        let runtime = Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(MOST_CHANGES)
            .build()?;
        let notifier = Notifier::default();
        robots.notify(notifier.clone());
        let (stop, stopped) = watch::channel(false);
        let stats = Arc::new(Stats::default());
        let arriving = Budget::new(options.limits.arriving_bytes, ALWAYS_BYTES);
        let clients = options.limits.clients;
        let shared = Arc::new(Shared {
            queue: ProgramQueue::new(Arc::clone(&robots)),
            robots,
            notifier,
            limits: options.limits,
            allow: options.allow,
            for_programs: options.for_programs,
            priming: options.priming,
            log: options.log,
            arriving: arriving.clone(),
            connected: Arc::new(Waiting::new(clients, clients.div_ceil(2))),
            changing: Arc::new(Semaphore::new(MOST_CHANGES)),
            stats: Arc::clone(&stats),
            stop: stopped,
        });
        let address_of =
            |acceptor: &Option<ProgramAcceptor>| acceptor.as_ref().map(|acceptor| acceptor.address);
        let addresses = (address_of(&release), address_of(&thesis));
        let listeners = [(Dialect::Release, release), (Dialect::Thesis, thesis)];
        let listeners =
            listeners.into_iter().filter_map(|(dialect, acceptor)| Some((dialect, acceptor?)));
        let listeners: Vec<(Dialect, ProgramAcceptor)> = listeners.collect();
        let serving = std::thread::Builder::new().name("rolima-robotone".to_owned());
        let serving = serving.spawn(move || {
            runtime.block_on(serve(listeners, shared));
            // A map that is being read is waited for by nobody any more.
            runtime.shutdown_background();
        })?;
        Ok(RobotOneServerHandle { addresses, stats, arriving, stop, serving: Some(serving) })
    }
}

struct ProgramAcceptor {
    listener: TcpListener,
    address: SocketAddr,
    usual: UsualCongestionControl,
}

fn bind(address: SocketAddr) -> Result<ProgramAcceptor, RobotOneServerError> {
    let open = || -> std::io::Result<ProgramAcceptor> {
        let listener = TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let usual = UsualCongestionControl::replaced(&listener);
        Ok(ProgramAcceptor { listener, address, usual })
    };
    open().map_err(|source| RobotOneServerError::Listen { address, source })
}

async fn serve(listeners: Vec<(Dialect, ProgramAcceptor)>, shared: Arc<Shared>) {
    let mut accepting = JoinSet::new();
    for (dialect, ProgramAcceptor { listener, usual, .. }) in listeners {
        match tokio::net::TcpListener::from_std(listener) {
            Ok(listener) => {
                drop(accepting.spawn(accept(listener, usual, dialect, Arc::clone(&shared))));
            }
            Err(error) => (shared.log)(&format!("Robot One ({dialect}) is not served: {error}")),
        }
    }
    stopped(shared.stop.clone()).await;
    accepting.shutdown().await;
    let is_alone = || shared.stats.clients.load(Relaxed) == 0;
    let _ = tokio::time::timeout(GOODBYE, async {
        while !is_alone() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    })
    .await;
}

/// Waits until the server ends.
pub(super) async fn stopped(mut stop: watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

async fn accept(
    listener: tokio::net::TcpListener,
    usual: UsualCongestionControl,
    dialect: Dialect,
    shared: Arc<Shared>,
) {
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            // Out of file handles: others have to go first.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let stats = Arc::clone(&shared.stats);
        if !shared.allows(from.ip()) {
            // Nobody's protocol says why; the log does.
            let count = stats.not_allowed.fetch_add(1, Relaxed) + 1;
            if count.is_power_of_two() {
                (shared.log)(&format!(
                    "Robot One: {} is not allowed (--robotone-allow); turned away so far: {count}",
                    from.ip().to_canonical()
                ));
            }
            continue;
        }
        let Some(place) = shared.connected.enter(from.ip().to_canonical()) else {
            // Told at powers of two, or a flood of connections were a flood of lines.
            let count = stats.turned_away.fetch_add(1, Relaxed) + 1;
            if count.is_power_of_two() {
                (shared.log)(&format!(
                    "Robot One: expected at most {} programs, half of them from one other machine, {count} \
                     more were turned away",
                    shared.limits.clients
                ));
            }
            continue;
        };
        prepare(&stream);
        usual.restore(&stream, from.ip());
        let client = stats.connections.fetch_add(1, Relaxed) + 1;
        let counted = Counted::enter(Arc::clone(&shared));
        tokio::spawn(async move {
            let client = u32::try_from(client).unwrap_or(u32::MAX);
            let caller = Caller { client, from, dialect, place };
            ProgramSession::new(stream, caller, Arc::clone(&counted.0)).run().await;
            drop(counted);
        });
    }
}

/// Counts a program until its session ends, however it does.
struct Counted(Arc<Shared>);

impl Counted {
    fn enter(shared: Arc<Shared>) -> Self {
        shared.stats.clients.fetch_add(1, Relaxed);
        Self(shared)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        let left = self.0.stats.clients.fetch_sub(1, Relaxed) - 1;
        // If it is refused, more is published than need be.
        let _ = self.0.robots.connected(left);
    }
}

/// No delay for small replies, room for a picture, questions to silent peers.
fn prepare(stream: &TcpStream) {
    let socket = socket2::SockRef::from(stream);
    // Without them programs are served less well.
    let _ = socket.set_tcp_nodelay(true);
    let _ = socket.set_send_buffer_size(SEND_BUFFER_BYTES);
    watch(&socket, VANISHED);
}

/// A server that runs; it ends when this is dropped.
pub struct RobotOneServerHandle {
    addresses: (Option<SocketAddr>, Option<SocketAddr>),
    stats: Arc<Stats>,
    arriving: Budget,
    stop: watch::Sender<bool>,
    serving: Option<JoinHandle<()>>,
}

impl RobotOneServerHandle {
    /// Where a dialect is spoken; none if it is not.
    pub fn address(&self, dialect: Dialect) -> Option<SocketAddr> {
        match dialect {
            Dialect::Release => self.addresses.0,
            Dialect::Thesis => self.addresses.1,
        }
    }

    /// What it has done so far.
    pub fn stats(&self) -> RobotOneStats {
        let of = |count: &AtomicU64| count.load(Relaxed);
        RobotOneStats {
            clients: of(&self.stats.clients),
            connections: of(&self.stats.connections),
            turned_away: of(&self.stats.turned_away),
            not_allowed: of(&self.stats.not_allowed),
            requests: of(&self.stats.requests),
            refused: of(&self.stats.refused),
            split: of(&self.stats.split),
            arriving_bytes: self.arriving.held() as u64,
        }
    }

    /// Gives all robots back and ends.
    pub fn shutdown(self) {}
}

impl Drop for RobotOneServerHandle {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        if let Some(serving) = self.serving.take() {
            // It does not panic; if it did, it has ended.
            let _ = serving.join();
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_program_whose_machine_vanishes_is_given_up_after_half_a_minute() {
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let _there = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
            let here = listener.accept().await.unwrap().0;
            prepare(&here);
            assert!(crate::vanished::is_watched(&socket2::SockRef::from(&here), VANISHED));
        });
    }
}
