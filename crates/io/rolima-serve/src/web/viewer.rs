//! One viewer: a WebSocket, a task that writes and one that reads.

use super::crowd::Counted;
use super::desk::Visitor;
use super::goals::GoalsTold;
use super::intake::{Intake, Trouble};
use super::rate::{Bucket, Measure, Verdict};
use super::server::{Shared, stopped};
use super::shown::ShownTo;
use super::sights::{Sights, Watched};
use super::stats::Stats;
use super::tick::{Sent, Tick};
use super::upgrade::Socket;
use axum::body::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use rolima_core::Frame;
use rolima_wire::{Ask, Now, PROTOCOL, WireError, decode, now, pb};
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, mpsc};
use tokio::time::{MissedTickBehavior, timeout};
use tokio_tungstenite::tungstenite::Message;

/// Notices a second to one viewer, and how many at once.
const NOTICES: (f64, f64) = (2.0, 8.0);
/// What viewers are told whose messages are dropped, or cannot be taken.
const TOO_MANY: &str = "Too many messages: some were dropped.";
const NO_ROOM: &str = "Too many maps are being sent at once: try again in a while.";
/// Long messages, such as large terrains, get time for links as slow as this.
const SLOWEST_BYTES_A_SECOND: f64 = 100_000.0;

/// Something for a viewer that must not be skipped.
pub(crate) enum Out {
    /// A whole message.
    Message(Bytes),
    /// The world waits for this controller.
    Turn(Box<Frame>),
}

/// The way to a viewer for what must not be skipped: bounded; a viewer that lets it run full is
/// cut off.
#[derive(Clone)]
pub(crate) struct Outbox {
    sender: mpsc::Sender<Out>,
    full: Arc<(AtomicBool, Notify)>,
    notices: Arc<Mutex<Bucket>>,
    /// Turns of lock step that wait for an answer, which no rate may drop: the world waits, too.
    turns: Arc<AtomicU32>,
    /// Whether the viewer has joined as a controller: then it gets turns in place of frames, and
    /// may take as long as it likes, as one does that a debugger holds.
    controls: Arc<AtomicBool>,
    /// The robots whose sensors the viewer wants to see.
    watched: Arc<Mutex<Watched>>,
    /// Whether the viewer wants to see where robots are sent.
    goals: Arc<AtomicBool>,
}

impl Outbox {
    fn new(backlog: usize) -> (Self, mpsc::Receiver<Out>) {
        let (sender, receiver) = mpsc::channel(backlog.max(4));
        let notices = Bucket::new(NOTICES.0, NOTICES.1, Instant::now());
        let notices = Arc::new(Mutex::new(notices));
        let (turns, controls, watched) = (Arc::default(), Arc::default(), Arc::default());
        let (full, goals) = (Arc::default(), Arc::default());
        (Self { sender, full, notices, turns, controls, watched, goals }, receiver)
    }

    /// Tells a controller in lock step that the world waits for it. Never blocks.
    pub(crate) fn turn(&self, frame: &Frame) {
        self.turns.fetch_add(1, Relaxed);
        // Encoded by the viewer's task, not by the loop.
        self.push(Out::Turn(Box::new(frame.clone())));
    }

    /// Sets the robots whose sensors the viewer wants to see.
    pub(crate) fn watch(&self, bodies: Vec<u32>, pictures: bool) {
        *self.watched.lock().unwrap_or_else(PoisonError::into_inner) = Watched { bodies, pictures };
    }

    /// Whether the viewer wants to see where robots are sent.
    pub(crate) fn watch_goals(&self, on: bool) {
        self.goals.store(on, Relaxed);
    }

    /// From now on this is a controller's.
    pub(crate) fn is_for_controller(&self) {
        self.controls.store(true, Relaxed);
    }

    fn awaits_answer(&self) -> bool {
        self.turns.load(Relaxed) > 0
    }

    /// Takes note of an answer to a turn, if one is expected.
    fn take_answer(&self) -> bool {
        self.turns.fetch_update(Relaxed, Relaxed, |turns| turns.checked_sub(1)).is_ok()
    }

    /// Never blocks.
    pub(crate) fn push(&self, out: Out) {
        if let Err(mpsc::error::TrySendError::Full(_)) = self.sender.try_send(out) {
            self.full.0.store(true, Relaxed);
            self.full.1.notify_one();
        }
    }

    /// Something to tell the person; too many are left out.
    pub(crate) fn notice(&self, level: pb::notice::Level, text: impl Into<String>) {
        let mut notices = self.notices.lock().unwrap_or_else(PoisonError::into_inner);
        if notices.take(Instant::now()) {
            self.push(Out::Message(notice(level, text)));
        }
    }
}

fn notice(level: pb::notice::Level, text: impl Into<String>) -> Bytes {
    let notice = pb::Notice { level: level.into(), text: text.into() };
    now::server_message(pb::server_message::Kind::Notice(notice)).into()
}

/// Why a viewer's connection ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum End {
    /// The viewer went, or the server ends.
    Gone,
    /// The viewer was cut off.
    Cut,
    /// There is no memory for what the viewer sends; it is told.
    NoRoom,
}

/// Serves a viewer to its end.
pub(crate) async fn serve(socket: Socket, intake: Arc<Intake>, counted: Counted) {
    let (shared, client) = (Arc::clone(counted.shared()), counted.client());
    shared.wake.notify_one();
    let (outbox, waiting) = Outbox::new(shared.limits.backlog);
    let name = format!("guest {client}");
    shared.desk.enter(client, &name);
    // Given back also if this task is dropped.
    let mut guest = Guest { shared: Arc::clone(&shared), visitor: Visitor::new(client, outbox) };
    let (sink, stream) = socket.split();
    let full = Arc::clone(&guest.visitor.outbox.full);
    let controls = Arc::clone(&guest.visitor.outbox.controls);
    let watched = Arc::clone(&guest.visitor.outbox.watched);
    let sights = Sights::new(shared.desk.backend.senses.clone(), watched);
    let shown = ShownTo::new(shared.desk.backend.shown.clone());
    let wanted = Arc::clone(&guest.visitor.outbox.goals);
    let goals = GoalsTold::new(shared.desk.backend.goals.clone(), wanted);
    let own = Arc::clone(&shared);
    let mut writer = Writer { shared: own, sink, last: None, controls, sights, shown, goals };
    let end = tokio::select! {
        end = writer.run(client, name, waiting) => end,
        end = read(&shared, stream, &intake, &mut guest.visitor) => end,
        () = full.1.notified() => End::Cut,
    };
    if end != End::Gone {
        Stats::add(&shared.stats.cut_off, 1);
    }
    if end == End::NoRoom {
        let _ = writer.send(notice(pb::notice::Level::Error, NO_ROOM)).await;
    }
    drop(guest);
    drop(counted);
    if end != End::Cut {
        let _ = timeout(shared.limits.write_timeout, writer.sink.close()).await;
    }
}

struct Guest {
    shared: Arc<Shared>,
    visitor: Visitor,
}

impl Drop for Guest {
    fn drop(&mut self) {
        self.shared.desk.leave(&self.visitor);
    }
}

struct Writer {
    shared: Arc<Shared>,
    sink: SplitSink<Socket, Message>,
    last: Option<Sent>,
    controls: Arc<AtomicBool>,
    sights: Sights,
    shown: ShownTo,
    goals: GoalsTold,
}

impl Writer {
    async fn run(&mut self, client: u32, name: String, mut waiting: mpsc::Receiver<Out>) -> End {
        match self.try_run(client, name, &mut waiting).await {
            Ok(()) => End::Gone,
            Err(end) => end,
        }
    }

    async fn try_run(
        &mut self,
        client: u32,
        name: String,
        waiting: &mut mpsc::Receiver<Out>,
    ) -> Result<(), End> {
        use pb::server_message::Kind;
        let welcome = pb::Welcome {
            protocol: PROTOCOL,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            client,
            name,
            may_control: self.shared.desk.may_control(),
        };
        self.send(now::server_message(Kind::Welcome(welcome)).into()).await?;
        self.send(self.shared.scenes_message.clone()).await?;
        let mut ticks = self.shared.ticks.clone();
        ticks.mark_changed();
        let mut drivers = self.shared.desk.drivers();
        let mut stop = self.shared.stop.clone();
        let mut pings = tokio::time::interval(self.shared.limits.silence / 3);
        pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let controls = self.controls.load(Relaxed);
            tokio::select! {
                changed = ticks.changed(), if !controls => {
                    changed.map_err(|_| End::Gone)?;
                    let tick = ticks.borrow_and_update().clone();
                    if let Some(tick) = tick {
                        if self.last.is_none_or(|last| last.generation != tick.scene.scene.generation) {
                            self.send(tick.scene.bytes.clone()).await?;
                            let now = drivers.borrow_and_update().clone();
                            self.send(now).await?;
                            self.shown.begin_scene();
                        }
                        for bytes in self.shown.messages() {
                            self.send(bytes).await?;
                        }
                        self.frame(&tick).await?;
                        let goals = self.goals.message(&tick);
                        for bytes in self.sights.messages(&tick).into_iter().chain(goals) {
                            self.send(bytes).await?;
                        }
                    }
                }
                changed = drivers.changed(), if self.last.is_some() && !controls => {
                    changed.map_err(|_| End::Gone)?;
                    let now = drivers.borrow_and_update().clone();
                    self.send(now).await?;
                }
                out = waiting.recv() => match out {
                    Some(Out::Message(bytes)) => self.send(bytes).await?,
                    Some(Out::Turn(frame)) => self.turn(&frame).await?,
                    None => return Ok(()),
                },
                _ = pings.tick() => self.send_raw(Message::Ping(Bytes::new())).await?,
                () = stopped(&mut stop) => return Ok(()),
            }
        }
    }

    async fn frame(&mut self, tick: &Tick) -> Result<(), End> {
        if let Some(last) = self.last {
            let skipped = tick.number.saturating_sub(last.tick + 1);
            Stats::add(&self.shared.stats.frames_dropped, skipped);
        }
        let bytes = tick.message(self.last);
        self.last = Some(tick.sent());
        self.send(bytes).await?;
        Stats::add(&self.shared.stats.frames_sent, 1);
        Ok(())
    }

    async fn turn(&mut self, frame: &Frame) -> Result<(), End> {
        let tick = self.shared.ticks.borrow().clone();
        let generation = tick.map_or(0, |tick| tick.moment.now.generation);
        let content = Now::of(generation, frame).key_frame();
        let turn = pb::Turn { step: frame.step, frame: Some(content) };
        self.send(now::server_message(pb::server_message::Kind::Turn(turn)).into()).await
    }

    async fn send(&mut self, bytes: Bytes) -> Result<(), End> {
        let length = bytes.len() as u64;
        self.send_raw(Message::Binary(bytes)).await?;
        Stats::add(&self.shared.stats.bytes_sent, length);
        Ok(())
    }

    async fn send_raw(&mut self, message: Message) -> Result<(), End> {
        if self.controls.load(Relaxed) {
            return self.sink.send(message).await.map_err(|_| End::Gone);
        }
        let length = if let Message::Binary(bytes) = &message { bytes.len() } else { 0 };
        let patience = self.shared.limits.write_timeout
            + Duration::from_secs_f64(length as f64 / SLOWEST_BYTES_A_SECOND);
        match timeout(patience, self.sink.send(message)).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(End::Gone),
            Err(_) => Err(End::Cut),
        }
    }
}

/// Takes what a viewer says, until it goes or has to go.
async fn read(
    shared: &Arc<Shared>,
    mut stream: SplitStream<Socket>,
    intake: &Intake,
    visitor: &mut Visitor,
) -> End {
    use pb::notice::Level;
    let mut measure = Measure::new(shared.limits.messages_per_second, Instant::now());
    loop {
        let silence = (!visitor.outbox.controls.load(Relaxed)).then_some(shared.limits.silence);
        let message = match next(&mut stream, intake, silence).await {
            Ok(message) => message,
            Err(end) => return end,
        };
        let length = match &message {
            Message::Binary(bytes) => bytes.len(),
            Message::Text(text) => text.len(),
            _ => 0,
        };
        match measure.judge(length, Instant::now()) {
            Verdict::Take => {}
            _ if is_awaited(&message, &visitor.outbox) => {}
            Verdict::Drop { tell } => {
                // Whoever sends a map waits for an answer.
                if let Message::Binary(bytes) = &message
                    && let Ok(Ask::LoadMap(map)) = decode(bytes)
                {
                    visitor.refuse_map(map.request, TOO_MANY);
                }
                if tell {
                    visitor.outbox.notice(Level::Warning, TOO_MANY);
                }
                continue;
            }
            Verdict::Cut => return End::Cut,
        }
        match message {
            Message::Binary(bytes) => match decode(&bytes) {
                Ok(ask) => {
                    if matches!(ask, Ask::Answer { .. }) {
                        visitor.outbox.take_answer();
                    }
                    shared.desk.handle(ask, visitor);
                }
                // Only maps may be long.
                Err(WireError::TooLong(_)) => return End::Gone,
                Err(error) => visitor.outbox.notice(Level::Warning, error.to_string()),
            },
            Message::Text(_) => {
                visitor.outbox.notice(Level::Warning, "Expected a binary message.");
            }
            Message::Close(_) => return End::Gone,
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => {}
        }
    }
}

/// The next message, unless the viewer says nothing for too long, or goes on for too long.
async fn next(
    stream: &mut SplitStream<Socket>,
    intake: &Intake,
    silence: Option<Duration>,
) -> Result<Message, End> {
    tokio::select! {
        // Too long, or no WebSocket any more.
        next = stream.next() => next.and_then(Result::ok).ok_or(End::Gone),
        () = tokio::time::sleep(silence.unwrap_or_default()), if silence.is_some() => Err(End::Cut),
        trouble = intake.trouble() => Err(match trouble {
            Trouble::NoRoom => End::NoRoom,
            Trouble::TooMany | Trouble::TooSlow => End::Cut,
        }),
    }
}

/// Whether this is the answer that the world waits for.
fn is_awaited(message: &Message, outbox: &Outbox) -> bool {
    let Message::Binary(bytes) = message else { return false };
    outbox.awaits_answer() && matches!(decode(bytes), Ok(Ask::Answer { .. }))
}
