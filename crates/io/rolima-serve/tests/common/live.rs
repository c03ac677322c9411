//! A plain live loop, and viewers on real sockets.

use super::{Shown, model};
use rolima_core::{Command, RobotId};
use rolima_run::Speed;
use rolima_run::live::{
    Action, MapSource, PublishedTurn, Request, TimedRequest, TurnSink, Undelivered,
};
use rolima_scene::rolima_map::{Size, read};
use rolima_serve::web::{MapLoaded, SceneListed, SceneLoaded};
use rolima_serve::{
    Backend, BlockPlace, Listen, Server, ServerHandle, ServerOptions, StateReader, StateWriter,
};
use rolima_wire::MapAsked;
use rolima_wire::pb::{self, client_message, server_message::Kind};
use rolima_wire::prost::Message as _;
use std::collections::BTreeMap;
use std::net::{SocketAddr, TcpStream};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio_tungstenite::tungstenite::{self, ClientRequestBuilder, Message, WebSocket};

/// Longer than anything takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// What came to the loop.
#[derive(Clone, Debug, PartialEq)]
pub enum Seen {
    Action(Action),
    Commands(Vec<(RobotId, Command)>),
    Play,
    Pause,
    Step(u64),
    Speed(Speed),
    Reset,
    Seed(u64),
    Load(String),
    Join(u32, u64),
    Answer(u32, u64, Vec<(RobotId, Command)>),
    Leave(u32, Vec<RobotId>),
    Mark,
    Stop,
    Unknown,
}

/// A world that steps every millisecond, more or less, and does what it is told.
pub struct Run {
    reader: StateReader,
    queue: mpsc::SyncSender<TimedRequest>,
    pub seen: Arc<Mutex<Vec<Seen>>>,
    thread: Option<JoinHandle<()>>,
}

struct Controller {
    period: u64,
    sink: Box<dyn TurnSink>,
    asked: Option<u64>,
    answered: Option<u64>,
}

impl Run {
    pub fn start(scene: &str, place: BlockPlace) -> Self {
        let mut writer = StateWriter::create(place, scene, &model(scene)).expect("a block");
        let reader = writer.reader();
        let (queue, timed_requests) = mpsc::sync_channel::<TimedRequest>(64);
        let seen = Arc::new(Mutex::new(vec![]));
        let mut shown = Shown::new(scene);
        let told = Arc::clone(&seen);
        let thread = std::thread::spawn(move || {
            let mut controllers = BTreeMap::new();
            loop {
                match timed_requests.recv_timeout(Duration::from_millis(1)) {
                    Ok(timed_request) => {
                        let seen = apply(timed_request, &mut shown, &mut writer, &mut controllers);
                        let is_end = seen == Seen::Stop;
                        told.lock().expect("not poisoned").push(seen);
                        if is_end {
                            return;
                        }
                    }
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if !shown.status.paused && may_step(&shown, &mut controllers) {
                    shown.world.step();
                }
                shown.status.controllers = controllers.len() as u32;
                shown.show(&mut writer);
            }
        });
        Self { reader, queue, seen, thread: Some(thread) }
    }

    pub fn backend(&self) -> Backend {
        let queue = self.queue.clone();
        Backend {
            scenes: ["soccer", "playground"]
                .map(|name| SceneListed { name: name.to_owned(), title: format!("The {name}") })
                .to_vec(),
            load: Arc::new(|name: &str| {
                Ok(SceneLoaded { model: model(name), map: None, notes: vec![], source: None })
            }),
            load_map: Arc::new(read_map),
            send: Some(Arc::new(move |timed_request| {
                queue.try_send(timed_request).map_err(|_| Undelivered::Full)
            })),
            ..Backend::watch_only()
        }
    }

    pub fn reader(&self) -> StateReader {
        self.reader.another()
    }

    pub fn serve(&self, options: ServerOptions) -> ServerHandle {
        Server::start(options, self.reader(), self.backend()).expect("a server")
    }

    /// Waits until the loop has seen something.
    #[track_caller]
    pub fn wait_for(&self, what: impl Fn(&Seen) -> bool) {
        wait_until(|| self.seen.lock().expect("not poisoned").iter().any(&what));
    }

    pub fn has_seen(&self, what: &Seen) -> bool {
        self.seen.lock().expect("not poisoned").contains(what)
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        let _ = self.queue.send(TimedRequest { at: Instant::now(), request: Request::Stop });
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

/// Reads maps as the program does, in short.
pub fn read_map(asked: &MapAsked) -> Result<MapLoaded, String> {
    let size = asked.size.and_then(|[width, height]| Size::new(width, height));
    let found = read(&asked.name, &asked.data, size).map_err(|error| error.to_string())?;
    let size = found.size.map(|size| [size.width(), size.height()]);
    let map = MapSource { text: found.map.to_string(), size };
    let scene = rolima_scene::load_map(&found.map, &[]).map_err(|error| error.to_string())?;
    let model = scene.compile().map_err(|error| error.to_string())?;
    let model = (!asked.only_read).then(|| Arc::new(model));
    Ok(MapLoaded { map: Arc::new(map), notes: found.notes, model, source: None })
}

fn may_step(shown: &Shown, controllers: &mut BTreeMap<u32, Controller>) -> bool {
    let step = shown.world.state().step;
    let mut may = true;
    for controller in controllers.values_mut() {
        if !step.is_multiple_of(controller.period) {
            continue;
        }
        if controller.asked != Some(step) {
            controller.asked = Some(step);
            controller.sink.turn(&PublishedTurn {
                generation: shown.generation,
                frame: &shown.world.frame(),
                senses: &shown.world.state().senses,
                contacts: &[],
                events: &[],
                events_left_out: 0,
            });
        }
        may &= controller.answered == Some(step);
    }
    may
}

fn apply(
    timed_request: TimedRequest,
    shown: &mut Shown,
    writer: &mut StateWriter,
    controllers: &mut BTreeMap<u32, Controller>,
) -> Seen {
    match timed_request.request {
        Request::Action(action) => {
            match action {
                Action::Command { robot, command } => {
                    let _ = shown.world.command(robot, command);
                }
                Action::Stop { robot } => {
                    let _ = shown.world.stop(robot);
                }
                Action::Release { robot } => shown.world.release(robot),
                Action::Place { body, pose } => {
                    shown.world.place_body(body, pose);
                }
                _ => {}
            }
            Seen::Action(action)
        }
        Request::Commands(commands) => {
            for (robot, command) in &commands {
                let _ = shown.world.command(*robot, *command);
            }
            Seen::Commands(commands)
        }
        Request::Play => {
            shown.status.paused = false;
            Seen::Play
        }
        Request::Pause => {
            shown.status.paused = true;
            Seen::Pause
        }
        Request::Step(count) => {
            (0..count).for_each(|_| shown.world.step());
            Seen::Step(count)
        }
        Request::Speed(speed) => Seen::Speed(speed),
        Request::Reset => {
            shown.world.reset();
            Seen::Reset
        }
        Request::Seed(seed) => {
            shown.world.reset_with_seed(seed);
            shown.status.seed = seed;
            Seen::Seed(seed)
        }
        Request::Load(loaded) => {
            let map = (loaded.map.as_deref(), &loaded.notes[..]);
            shown.load_model(&loaded.name, loaded.model.clone(), map, writer);
            Seen::Load(loaded.name.clone())
        }
        Request::Join { controller, period, turns } => {
            let joined = Controller { period, sink: turns, asked: None, answered: None };
            controllers.insert(controller, joined);
            Seen::Join(controller, period)
        }
        Request::Answer { controller, step, commands } => {
            for (robot, volts) in &commands {
                let _ = shown.world.command(*robot, *volts);
            }
            if let Some(c) = controllers.get_mut(&controller) {
                c.answered = Some(step);
            }
            Seen::Answer(controller, step, commands)
        }
        Request::Leave { controller, robots } => {
            controllers.remove(&controller);
            Seen::Leave(controller, robots)
        }
        Request::Mark { done, number } => {
            done.store(number, std::sync::atomic::Ordering::Release);
            Seen::Mark
        }
        Request::Stop => Seen::Stop,
        // This loop keeps nothing to go back to, and nobody records it.
        Request::Travel(_) | Request::Record(..) | Request::StopRecord(_) => Seen::Unknown,
    }
}

/// Any free port of this machine.
pub fn options() -> ServerOptions {
    let listen = Listen::At("127.0.0.1:0".parse().expect("an address"));
    ServerOptions { listen, ..ServerOptions::default() }
}

#[track_caller]
pub fn wait_until(mut done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !done() {
        assert!(start.elapsed() < PATIENCE, "it never came");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// A viewer on a real socket.
pub struct Viewer {
    pub socket: WebSocket<TcpStream>,
}

/// Connects as a program does.
pub fn connect(address: SocketAddr) -> Viewer {
    try_connect(address, "/ws", &[]).expect("a WebSocket")
}

pub fn try_connect(
    address: SocketAddr,
    path: &str,
    headers: &[(&str, &str)],
) -> Result<Viewer, u16> {
    let stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let uri = format!("ws://{address}{path}").parse().expect("an address");
    let mut request = ClientRequestBuilder::new(uri);
    for (name, value) in headers {
        request = request.with_header(*name, *value);
    }
    match tungstenite::client(request, stream) {
        Ok((socket, _)) => Ok(Viewer { socket }),
        Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(response))) => {
            Err(response.status().as_u16())
        }
        Err(error) => panic!("{error}"),
    }
}

impl Viewer {
    /// The next message; none when the server has ended the connection.
    pub fn try_next(&mut self) -> Option<Kind> {
        loop {
            match self.socket.read() {
                Ok(Message::Binary(bytes)) => {
                    let message = pb::ServerMessage::decode(bytes).expect("a ServerMessage");
                    return Some(message.kind.expect("a kind"));
                }
                Ok(Message::Close(_)) => return None,
                Ok(_) => {}
                Err(tungstenite::Error::Io(error))
                    if matches!(
                        error.kind(),
                        std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut
                    ) =>
                {
                    panic!("nothing for {PATIENCE:?}");
                }
                // The test was stopped and went on.
                Err(tungstenite::Error::Io(error))
                    if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }

    pub fn next(&mut self) -> Kind {
        self.try_next().expect("the connection lives")
    }

    /// Reads on until something comes.
    #[track_caller]
    pub fn until<T>(&mut self, mut pick: impl FnMut(Kind) -> Option<T>) -> T {
        let start = Instant::now();
        loop {
            if let Some(found) = pick(self.next()) {
                return found;
            }
            assert!(start.elapsed() < PATIENCE, "it never came");
        }
    }

    #[track_caller]
    pub fn notice(&mut self) -> String {
        self.until(|kind| match kind {
            Kind::Notice(notice) => Some(notice.text),
            _ => None,
        })
    }

    #[track_caller]
    pub fn frame(&mut self) -> pb::Frame {
        self.until(|kind| match kind {
            Kind::Frame(frame) => Some(frame),
            _ => None,
        })
    }

    pub fn say(&mut self, kind: client_message::Kind) {
        self.try_say(kind).expect("sent");
    }

    /// None if the server has ended the connection.
    pub fn try_say(&mut self, kind: client_message::Kind) -> Option<()> {
        let bytes = pb::ClientMessage { kind: Some(kind) }.encode_to_vec();
        self.socket.send(Message::binary(bytes)).ok()
    }

    /// Keeps a message to be sent together with others, by flushing the socket.
    pub fn write(&mut self, kind: client_message::Kind) {
        let bytes = pb::ClientMessage { kind: Some(kind) }.encode_to_vec();
        self.socket.write(Message::binary(bytes)).expect("kept");
    }

    pub fn control(&mut self, kind: pb::control::Kind) {
        self.say(client_message::Kind::Control(pb::Control { kind: Some(kind) }));
    }

    pub fn claim(&mut self, body: u32) {
        self.say(client_message::Kind::Claim(pb::Claim { body, release: false }));
    }

    pub fn drive(&mut self, body: u32, left: f32, right: f32) {
        self.say(client_message::Kind::Drive(pb::Drive {
            body,
            left,
            right,
            ..pb::Drive::default()
        }));
    }

    /// Waits until the list of drivers is as wanted.
    #[track_caller]
    pub fn drivers(&mut self, wanted: impl Fn(&[pb::Driver]) -> bool) -> Vec<pb::Driver> {
        self.until(|kind| match kind {
            Kind::Drivers(drivers) if wanted(&drivers.drivers) => Some(drivers.drivers),
            _ => None,
        })
    }
}

/// Sends bytes as they are and reads the answer to its end.
pub fn raw(address: SocketAddr, bytes: &[u8]) -> String {
    use std::io::{Read, Write};
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    // The server may refuse before everything is sent.
    let _ = stream.write_all(bytes);
    let mut answer = vec![];
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

pub fn get(address: SocketAddr, path: &str, host: &str) -> String {
    let request = format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    raw(address, request.as_bytes())
}
