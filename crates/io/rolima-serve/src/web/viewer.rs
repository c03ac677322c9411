//! One viewer: a WebSocket, a task that writes and one that reads.

use super::channels::SentChannels;
use super::crowd::Counted;
use super::goals::SentGoals;
use super::handler::Client;
use super::intake::{Intake, Trouble};
use super::line::SharedSocket;
use super::lock_step::TurnCopy;
use super::outbox::{Out, Outbox, refusal};
use super::rate::{Measure, MessageVerdict, time_for};
use super::recordings::SentRecordings;
use super::refusal::RequestRefusal;
use super::sensor_feed::SensorFeed;
use super::server::{Shared, stopped};
use super::stats::Stats;
use super::tick::{LastSent, Tick};
use super::timeline::SentTimeline;
use super::upgrade::Socket;
use super::view_hints::SentViewHints;
use axum::body::Bytes;
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use rolima_wire::{Ask, Role, WireError, decode, now, pb};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, watch};
use tokio::time::{MissedTickBehavior, timeout};
use tokio_tungstenite::tungstenite::Message;

/// How long what still comes from a viewer that is cut off is thrown away.
const LINGER: Duration = Duration::from_secs(2);

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

/// Serves a viewer of this role to its end.
pub(crate) async fn serve(
    socket: Socket,
    line: SharedSocket,
    intake: Arc<Intake>,
    counted: Counted,
    role: Role,
) {
    let (shared, number) = (Arc::clone(counted.shared()), counted.client());
    shared.wake.notify_one();
    let (outbox, waiting) = Outbox::new(shared.limits.backlog);
    let name = format!("guest {number}");
    shared.handler.enter(number, &name);
    // Given back also if this task is dropped.
    let client = Client::new(number, outbox, role);
    let mut guard = ClientGuard { shared: Arc::clone(&shared), client };
    let (sink, mut stream) = socket.split();
    let full = Arc::clone(&guard.client.outbox.full);
    let controls = Arc::clone(&guard.client.outbox.controls);
    let watched = Arc::clone(&guard.client.outbox.watched);
    let sensor_feed = SensorFeed::new(shared.handler.backend.senses.clone(), watched);
    let view_hints = SentViewHints::new(shared.handler.backend.view_hints.clone());
    let wanted = Arc::clone(&guard.client.outbox.goals);
    let goals = SentGoals::new(shared.handler.backend.goals.clone(), wanted);
    let wanted = Arc::clone(&guard.client.outbox.timeline);
    let timeline = SentTimeline::new(shared.handler.backend.timeline.clone(), wanted);
    let outbox = guard.client.outbox.clone();
    let wishes = guard.client.outbox.wishes.clone();
    let channels = SentChannels::new(wishes, shared.handler.backend.profile.clone());
    let mut writer = Writer {
        shared: Arc::clone(&shared),
        sink,
        line: line.clone(),
        last: None,
        controls,
        sensor_feed,
        view_hints,
        goals,
        channels,
        timeline,
        recordings: SentRecordings::default(),
        outbox,
        role,
    };
    let end = tokio::select! {
        end = writer.run(shared.handler.welcome(number, name, role), waiting) => end,
        end = read(&shared, &mut stream, &line, &intake, &mut guard.client) => end,
        () = full.1.notified() => End::Cut,
    };
    if end != End::Gone {
        Stats::add(&shared.stats.cut_off, 1);
    }
    drop(guard);
    drop(counted);
    let goodbye = async {
        if end == End::NoRoom {
            let _ = writer.send(refusal(pb::notice::Level::Error, &RequestRefusal::NoRoom)).await;
        }
        if end != End::Cut {
            let _ = writer.sink.close().await;
        }
    };
    // Also a controller, which may else take as long as it likes.
    let _ = timeout(shared.limits.write_timeout, goodbye).await;
    if end == End::NoRoom {
        // A connection that is closed before all that came was read is reset, and a reset may reach
        // the viewer before it has read why.
        intake.drain();
        let _ = timeout(LINGER, async { while let Some(Ok(_)) = stream.next().await {} }).await;
    }
}

struct ClientGuard {
    shared: Arc<Shared>,
    client: Client,
}

impl Drop for ClientGuard {
    fn drop(&mut self) {
        self.shared.handler.leave(&self.client);
    }
}

struct Writer {
    shared: Arc<Shared>,
    sink: SplitSink<Socket, Message>,
    line: SharedSocket,
    last: Option<LastSent>,
    controls: Arc<AtomicBool>,
    sensor_feed: SensorFeed,
    view_hints: SentViewHints,
    goals: SentGoals,
    channels: SentChannels,
    timeline: SentTimeline,
    recordings: SentRecordings,
    /// Where what is made elsewhere for this viewer goes.
    outbox: Outbox,
    role: Role,
}

impl Writer {
    async fn run(&mut self, welcome: pb::Welcome, mut waiting: mpsc::Receiver<Out>) -> End {
        match self.try_run(welcome, &mut waiting).await {
            Ok(()) => End::Gone,
            Err(end) => end,
        }
    }

    async fn try_run(
        &mut self,
        welcome: pb::Welcome,
        waiting: &mut mpsc::Receiver<Out>,
    ) -> Result<(), End> {
        use pb::server_message::Kind;
        self.send(now::server_message(Kind::Welcome(welcome)).into()).await?;
        self.send(self.shared.scenes_message.clone()).await?;
        let mut ticks = self.shared.ticks.clone();
        ticks.mark_changed();
        let mut drivers = self.shared.handler.drivers();
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
                        self.scene(&tick, &mut drivers).await?;
                        for bytes in self.view_hints.messages() {
                            self.send(bytes).await?;
                        }
                        for bytes in self.past() {
                            self.send(bytes).await?;
                        }
                        self.frame(&tick).await?;
                        let goals = self.goals.message(&tick);
                        let channels = self.channels.messages(&tick);
                        let told = self.sensor_feed.messages(&tick).into_iter().chain(goals);
                        for bytes in told.chain(channels) {
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
                    Some(out) => self.pass_on(out, &mut drivers).await?,
                    None => return Ok(()),
                },
                _ = pings.tick() => self.send_raw(Message::Ping(Bytes::new())).await?,
                () = stopped(&mut stop) => {
                    // The last turn of a run is a controller's as any other.
                    while let Ok(out) = waiting.try_recv() {
                        self.pass_on(out, &mut drivers).await?;
                    }
                    return Ok(());
                }
            }
        }
    }

    /// Sends what must not be skipped.
    async fn pass_on(&mut self, out: Out, drivers: &mut watch::Receiver<Bytes>) -> Result<(), End> {
        match out {
            Out::Message(bytes) => self.send(bytes).await,
            Out::Turn(turn) => self.turn(&turn, drivers).await,
        }
    }

    /// What is told of other instants, if anybody wants to know; before the frame.
    fn past(&mut self) -> Vec<Bytes> {
        let mut messages = Vec::from_iter(self.timeline.message());
        if let Some((course, history)) = self.timeline.marks_wanted() {
            self.shared.handler.tell_marks(self.outbox.clone(), course, history);
        }
        if self.outbox.timeline.load(Relaxed) {
            messages.extend(self.recordings.messages(&self.shared.handler, self.role));
        }
        messages
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

    /// Sends the scene, and who drives in it, to a viewer that does not know it yet.
    async fn scene(
        &mut self,
        tick: &Tick,
        drivers: &mut watch::Receiver<Bytes>,
    ) -> Result<(), End> {
        if self.last.is_none_or(|last| last.generation != tick.scene.scene.generation) {
            self.send(tick.scene.bytes.clone()).await?;
            let now = drivers.borrow_and_update().clone();
            self.send(now).await?;
            self.view_hints.begin_scene();
        }
        Ok(())
    }

    /// Tells a controller that the world waits for it; before, the scene where that is another one.
    async fn turn(
        &mut self,
        turn: &TurnCopy,
        drivers: &mut watch::Receiver<Bytes>,
    ) -> Result<(), End> {
        // The world waits at the turn, so the hub sees that scene soon, if it has not yet.
        let mut ticks = self.shared.ticks.clone();
        let is_there = |tick: &Tick| tick.publication.now.generation >= turn.generation;
        let found = ticks.wait_for(|tick| tick.as_deref().is_some_and(is_there)).await;
        let Some(tick) = found.map_err(|_| End::Gone)?.clone() else { return Ok(()) };
        if tick.publication.now.generation > turn.generation {
            // Void: another scene was loaded meanwhile, which has turns of its own.
            return Ok(());
        }
        self.scene(&tick, drivers).await?;
        self.last = Some(tick.sent());
        let wanted = self.sensor_feed.wanted();
        let pictures = self.sensor_feed.pictures_of(turn, &tick.scene, &wanted).await;
        let message = turn.message(&tick.scene, &wanted, pictures);
        self.send(message.into()).await
    }

    async fn send(&mut self, bytes: Bytes) -> Result<(), End> {
        let length = bytes.len() as u64;
        self.send_raw(Message::Binary(bytes)).await?;
        Stats::add(&self.shared.stats.bytes_sent, length);
        Ok(())
    }

    async fn send_raw(&mut self, message: Message) -> Result<(), End> {
        let length = if let Message::Binary(bytes) = &message { bytes.len() } else { 0 };
        if self.controls.load(Relaxed) {
            self.line.sends_to_controller(length);
            return self.sink.send(message).await.map_err(|_| End::Gone);
        }
        let patience = self.shared.limits.write_timeout + time_for(length as u64);
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
    stream: &mut SplitStream<Socket>,
    line: &SharedSocket,
    intake: &Intake,
    client: &mut Client,
) -> End {
    let mut measure = Measure::new(shared.limits.messages_per_second, Instant::now());
    loop {
        let silence = (!client.outbox.controls.load(Relaxed)).then_some(shared.limits.silence);
        let message = match next(stream, intake, silence).await {
            Ok(message) => message,
            Err(end) => return end,
        };
        let length = match &message {
            Message::Binary(bytes) => bytes.len(),
            Message::Text(text) => text.len(),
            Message::Close(_) => 0,
            // Their number is watched where they come in.
            Message::Ping(_) | Message::Pong(_) | Message::Frame(_) => continue,
        };
        match measure.judge(length, Instant::now()) {
            MessageVerdict::Take => {}
            _ if is_awaited(&message, &client.outbox) => {}
            MessageVerdict::Drop { tell } => {
                // Whoever sends a map waits for an answer.
                if let Message::Binary(bytes) = &message
                    && let Ok(Ask::LoadMap(map)) = decode(bytes)
                {
                    client.refuse_map(map.request, &RequestRefusal::TooManyMessages);
                }
                if tell {
                    client.refuse(&RequestRefusal::TooManyMessages);
                }
                continue;
            }
            MessageVerdict::Cut => return End::Cut,
        }
        match message {
            Message::Binary(bytes) => match decode(&bytes) {
                Ok(ask) => {
                    if matches!(ask, Ask::Answer { .. }) {
                        client.outbox.take_answer();
                        line.was_read();
                    }
                    shared.handler.handle(ask, client);
                }
                // Only maps may be long.
                Err(WireError::TooLong(_)) => return End::Gone,
                Err(error) => client.outbox.notice(pb::notice::Level::Warning, error.to_string()),
            },
            Message::Text(_) => {
                client.refuse(&RequestRefusal::NotBinary);
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
