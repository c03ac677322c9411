//! Sockets, threads, start and end.

use super::crowd::Crowd;
use super::encoding::Content;
use super::guard::Guard;
use super::handler::RequestHandler;
use super::hub::Hub;
use super::intake::IntakeBudget;
use super::line::SharedSocket;
use super::options::{Backend, ServerError, ServerLimits, ServerOptions};
use super::stats::{Stats, ViewerStats};
use super::tick::Tick;
use super::tls::TlsIdentity;
use super::tokens::Tokens;
use super::{page, routes};
use crate::shm::StateReader;
use crate::waiting::{ConnectionPlace, Waiting};
use axum::Router;
use axum::body::Bytes;
use hyper::body::Incoming;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use rolima_wire::{Role, now, pb};
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, UdpSocket};
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Notify, Semaphore, watch};
use tokio::task::JoinHandle;

/// Threads of a server.
const THREADS: usize = 2;
/// Longest that a connection serves files; then a browser opens another.
const LONGEST_CONNECTION: Duration = Duration::from_secs(300);
/// Longest request head, bytes, and most headers.
const MOST_HEAD_BYTES: usize = 16 * 1024;
const MOST_HEADERS: usize = 64;
/// How long viewers have to say goodbye.
const GOODBYE: Duration = Duration::from_secs(1);

/// Where a request comes from.
#[derive(Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// What all connections share.
pub(crate) struct Shared {
    pub(crate) limits: ServerLimits,
    pub(crate) handler: Arc<RequestHandler>,
    pub(crate) ticks: watch::Receiver<Option<Arc<Tick>>>,
    pub(crate) stats: Arc<Stats>,
    pub(crate) wake: Arc<Notify>,
    pub(crate) stop: watch::Receiver<bool>,
    pub(crate) next_client: AtomicU32,
    pub(crate) scenes_message: Bytes,
    pub(crate) pictures: Mutex<BTreeMap<String, Content>>,
    pub(crate) drawing: Semaphore,
    /// Memory for messages that are half sent.
    pub(crate) budget: Arc<IntakeBudget>,
    pub(crate) crowd: Crowd,
}

/// The web server of a live run.
pub struct Server;

impl Server {
    /// Starts a server that shows what a state block holds and passes on what viewers ask.
    pub fn start(
        options: ServerOptions,
        source: StateReader,
        backend: Backend,
    ) -> Result<ServerHandle, ServerError> {
        let http_service = HttpService::open(&options)?;
        let stats = Arc::new(Stats::default());
        let (sender, ticks) = watch::channel(None);
        let wake = Arc::new(Notify::new());
        let hub = Hub::new(source, sender, Arc::clone(&stats), Arc::clone(&wake));
        let scenes_message = scenes_message(&backend);
        let handler = Arc::new(RequestHandler::new(backend, &options, ticks.clone()));
        let shared = Arc::new(Shared {
            limits: options.limits,
            handler: Arc::clone(&handler),
            ticks,
            stats: Arc::clone(&stats),
            wake,
            stop: http_service.stop.subscribe(),
            next_client: AtomicU32::new(1),
            scenes_message,
            pictures: Mutex::default(),
            drawing: Semaphore::new(1),
            crowd: Crowd::default(),
            budget: Arc::new(IntakeBudget::new(options.limits.half_sent_bytes, Arc::clone(&stats))),
        });
        let _inside = http_service.runtime.enter();
        tokio::spawn(hub.run(options.limits.frames_per_second));
        if handler.may_control() {
            tokio::spawn(async move { handler.watch().await });
        }
        drop(_inside);
        let router = routes::router(shared, Arc::clone(&http_service.guard));
        http_service.serve(router, options.limits, stats)
    }
}

/// A socket that listens, threads, and the checks of who may connect.
pub(crate) struct HttpService {
    listener: TcpListener,
    address: SocketAddr,
    was_taken: Option<SocketAddr>,
    runtime: Runtime,
    tls: Option<TlsIdentity>,
    pub(crate) guard: Arc<Guard>,
    pub(crate) stop: watch::Sender<bool>,
}

impl HttpService {
    pub(crate) fn open(options: &ServerOptions) -> Result<Self, ServerError> {
        let addresses = options.listen.addresses();
        let first = addresses.first().copied();
        let (listener, address) = listen(&addresses)?;
        let was_taken = first.filter(|first| first.port() != 0 && *first != address);
        let needs_token = !address.ip().is_loopback() && !options.open;
        let system = |error: &dyn std::fmt::Display| ServerError::System(error.to_string());
        let tokens = match &options.tokens {
            Some(given) => Some(given.clone()),
            None if needs_token => Some(Tokens::random().map_err(|e| system(&e))?),
            None => None,
        };
        let tls = options.tls.clone();
        let (hosts, origins) = (&options.hosts, &options.origins);
        let guard = Guard::new(address, hosts, origins, tokens, tls.is_some());
        let runtime = Builder::new_multi_thread()
            .worker_threads(THREADS)
            .max_blocking_threads(4)
            .thread_name("rolima-web")
            .enable_all()
            .build()
            .map_err(|error| system(&error))?;
        let (stop, _) = watch::channel(false);
        Ok(Self { listener, address, was_taken, runtime, tls, guard: Arc::new(guard), stop })
    }

    pub(crate) fn serve(
        self,
        router: Router,
        limits: ServerLimits,
        stats: Arc<Stats>,
    ) -> Result<ServerHandle, ServerError> {
        let Self { listener, address, was_taken, runtime, tls, guard, stop } = self;
        let inside = runtime.enter();
        let listener = listener
            .set_nonblocking(true)
            .and_then(|()| tokio::net::TcpListener::from_std(listener))
            .map_err(|error| ServerError::System(error.to_string()))?;
        drop(inside);
        let acceptor = Acceptor { router, limits, tls, stop: stop.subscribe() };
        let accepting = runtime.spawn(accept(listener, acceptor));
        let runtime = Some(runtime);
        Ok(ServerHandle { address, was_taken, guard, stats, stop, accepting, runtime })
    }
}

fn listen(addresses: &[SocketAddr]) -> Result<(TcpListener, SocketAddr), ServerError> {
    let mut problem = None;
    for address in addresses {
        match TcpListener::bind(address).and_then(|l| l.local_addr().map(|at| (l, at))) {
            Ok(found) => return Ok(found),
            Err(source) => {
                problem.get_or_insert(ServerError::Listen { address: *address, source });
            }
        }
    }
    Err(problem.unwrap_or_else(|| ServerError::System("no address to listen at".to_owned())))
}

/// What those find who connect.
#[derive(Clone)]
struct Acceptor {
    router: Router,
    limits: ServerLimits,
    tls: Option<TlsIdentity>,
    stop: watch::Receiver<bool>,
}

/// Most connections that are no WebSockets (yet): half-sent requests, browsers between two files, and
/// strangers who say nothing; and of them from one other machine.
const MOST_WAITING: usize = 384;
const MOST_WAITING_FROM_ONE: usize = 128;

async fn accept(listener: tokio::net::TcpListener, acceptor: Acceptor) {
    let waiting = Arc::new(Waiting::new(MOST_WAITING, MOST_WAITING_FROM_ONE));
    let mut stop = acceptor.stop.clone();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = stopped(&mut stop) => return,
        };
        let Ok((stream, peer)) = accepted else {
            // Out of file handles: others have to go first.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let Some(place) = waiting.enter(peer.ip().to_canonical()) else { continue };
        let acceptor = acceptor.clone();
        tokio::spawn(async move {
            let line = SharedSocket::new(stream, acceptor.limits.vanished);
            connection(line, acceptor, place).await;
        });
    }
}

/// Waits until the server ends.
pub(crate) async fn stopped(stop: &mut watch::Receiver<bool>) {
    let _ = stop.wait_for(|stop| *stop).await;
}

/// Serves a connection until it ends, has to make way, or becomes a WebSocket, which goes on by
/// itself. A handshake has the time of a request, and makes way as one that says nothing does.
async fn connection(line: SharedSocket, acceptor: Acceptor, place: Arc<ConnectionPlace>) {
    let mut stop = acceptor.stop.clone();
    let serving = async {
        let own = Arc::clone(&place);
        match &acceptor.tls {
            None => serve_http(line.clone(), line, &acceptor, own).await,
            Some(tls) => {
                if let Some(stream) = tls.greet(&line, acceptor.limits.request_timeout).await {
                    serve_http(stream, line, &acceptor, own).await;
                }
            }
        }
    };
    tokio::select! {
        _ = tokio::time::timeout(LONGEST_CONNECTION, serving) => {}
        () = place.evicted() => {}
        () = stopped(&mut stop) => {}
    }
}

/// Answers what is asked on a connection, which may be encrypted, over this socket.
async fn serve_http<S>(
    stream: S,
    line: SharedSocket,
    acceptor: &Acceptor,
    place: Arc<ConnectionPlace>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let router = TowerToHyperService::new(acceptor.router.clone());
    let service = service_fn(move |mut request: hyper::Request<Incoming>| {
        let place = Arc::clone(&place);
        place.is_served(true);
        request.extensions_mut().insert(Peer(place.address()));
        request.extensions_mut().insert(line.clone());
        let answering = router.call(request);
        async move {
            let answer = answering.await;
            place.is_served(false);
            answer
        }
    });
    // What goes wrong with one connection is nobody else's business.
    let _ = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(acceptor.limits.request_timeout)
        .max_headers(MOST_HEADERS)
        .max_buf_size(MOST_HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades()
        .await;
}

/// A name as part of an address.
fn in_address(name: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte);
    let encoded = |byte: u8| match is_plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    };
    name.bytes().map(encoded).collect()
}

fn scenes_message(backend: &Backend) -> Bytes {
    let entries = backend.scenes.iter().map(|scene| pb::SceneEntry {
        name: scene.name.clone(),
        title: scene.title.clone(),
        picture: format!("pictures/{}.svg", in_address(&scene.name)),
    });
    let scenes = pb::Scenes { entries: entries.collect() };
    now::server_message(pb::server_message::Kind::Scenes(scenes)).into()
}

/// A server that runs; it ends when this is dropped.
pub struct ServerHandle {
    address: SocketAddr,
    was_taken: Option<SocketAddr>,
    guard: Arc<Guard>,
    stats: Arc<Stats>,
    stop: watch::Sender<bool>,
    accepting: JoinHandle<()>,
    runtime: Option<Runtime>,
}

impl ServerHandle {
    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address that it should have had by default, if that was taken.
    pub fn was_taken(&self) -> Option<SocketAddr> {
        self.was_taken
    }

    /// The access tokens, where they are needed.
    pub fn tokens(&self) -> Option<&Tokens> {
        self.guard.tokens()
    }

    /// What to open in a browser, with the token that lets it do everything.
    pub fn url(&self) -> String {
        self.url_to(Role::Control)
    }

    /// What to open in a browser on this machine, with a role's token.
    pub fn url_to(&self, role: Role) -> String {
        self.url_at(IpAddr::from(Ipv4Addr::LOCALHOST), role)
    }

    /// What to open in a browser on another machine, with a role's token; none if it listens on this
    /// machine only, or if this machine has no way to others.
    pub fn url_for_others(&self, role: Role) -> Option<String> {
        let ip = self.address.ip();
        if ip.is_loopback() {
            return None;
        }
        if !ip.is_unspecified() {
            return Some(self.url_to(role));
        }
        // Chooses the way that a packet would take, and sends none.
        let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9)).ok()?;
        let own = socket.local_addr().ok()?.ip();
        (!own.is_loopback() && !own.is_unspecified()).then(|| self.url_at(own, role))
    }

    /// The address, with this machine's own where it listens at all of them.
    fn url_at(&self, own: IpAddr, role: Role) -> String {
        let mut address = self.address;
        if address.ip().is_unspecified() {
            address.set_ip(own);
        }
        let scheme = if self.guard.tls() { "https" } else { "http" };
        match self.tokens() {
            Some(tokens) => format!("{scheme}://{address}/?token={}", tokens.of(role)),
            None => format!("{scheme}://{address}/"),
        }
    }

    /// Whether the program was built with the page inside.
    pub fn has_page(&self) -> bool {
        page::is_there()
    }

    /// What viewers have cost so far.
    pub fn stats(&self) -> ViewerStats {
        self.stats.now()
    }

    /// Says goodbye to all viewers and ends.
    pub fn shutdown(self) {}
}

impl Drop for ServerHandle {
    fn drop(&mut self) {
        self.stop.send_replace(true);
        let start = Instant::now();
        let is_done = || self.stats.viewers.load(Relaxed) == 0 && self.accepting.is_finished();
        while !is_done() && start.elapsed() < GOODBYE {
            std::thread::sleep(Duration::from_millis(5));
        }
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
