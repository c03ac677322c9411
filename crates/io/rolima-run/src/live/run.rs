//! The live loop: wait for a request or the next deadline, simulate up to it, apply, publish.

use super::clock::LiveClock;
use super::contract::{FRAME_S, MapSource, Request, Sink, TICK_S, TimedRequest};
use super::deadlines::Deadlines;
use super::history::{History, MemoryHistory, Rerun};
use super::loaded::{Disposal, Gone, Loaded, Prepared};
use super::lock_step::LockStep;
use super::log::{Entry, LogError, LogSummary, LogWriter, Replayed};
use super::mailbox::Mailbox;
use super::publish::Publisher;
use super::recorder::{RecordBroken, RecordSummary, Recorder};
use super::replaying::Replayer;
use super::schedule::exact_timers;
use super::session::Session;
use super::setup::Setup;
use super::timeline::ShownTimeline;
use super::travelling::{ShownControl, Travelling};
use crate::chunk::Chunk;
use crate::clock::WallClock;
use crate::pace::Pace;
use crate::report::Report;
use crate::speed::Speed;
use rolima_agents::Action;
use rolima_core::Model;
use rolima_scene::Bundle;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;

/// Longest work between two looks at clock and queue, s, as far as single steps allow.
const CHUNK_S: f64 = 0.25e-3;

/// So long after a tick it is published even if the world has not come so far, s.
const MOST_HELD_BACK_S: f64 = TICK_S;

/// For how many times what showing takes the world goes on before it is shown again, if it has
/// work to do; but every frame is shown.
const SHOW_REST: f64 = 30.0;

/// What is shown of the past as fast as possible is shown this fast.
const MOST_SHOWN_SPEED: f64 = 100.0;

/// A world that runs live.
///
/// Each turn of the loop takes at most one request, waiting for it no longer than until the next
/// tick; simulates up to the request's instant, or up to now; applies the request; and publishes if
/// a tick has come. Long work is cut, so that a world that is too heavy still takes requests and
/// publishes, and a flood of requests does not stop the world.
pub struct Live<C = WallClock> {
    pub(super) clock: C,
    inbox: Receiver<TimedRequest>,
    mailbox: Mailbox,
    sinks: Vec<Box<dyn Sink>>,
    pub(super) session: Session,
    pub(super) name: String,
    pub(super) model: Arc<Model>,
    pub(super) map: Option<Arc<MapSource>>,
    /// Of the scene that the run begins with, until it is shown.
    notes: Vec<String>,
    /// As asked for last.
    pub(super) speed: Speed,
    pub(super) paused: bool,
    most_steps: u64,
    stop: Arc<AtomicBool>,
    ends_with_world: bool,
    pub(super) lock_step: Option<LockStep>,
    pub(super) log: Option<LogWriter>,
    pub(super) recorder: Option<Box<dyn Recorder>>,
    pub(super) replayer: Option<Replayer>,
    /// The scene that was loaded last.
    pub(super) loaded: Option<(String, Option<Arc<Bundle>>)>,
    /// All that the first scene was read from, where that is known.
    pub(super) source: Option<Arc<Bundle>>,
    /// What is kept to go back to.
    pub(super) memory: Option<Arc<MemoryHistory>>,
    /// A recording to begin with, and when in it.
    history: Option<(Arc<dyn History>, f64)>,
}

/// A live run that is over.
pub struct RunOutcome {
    /// How it went.
    pub report: Report,
    /// The world as it was left.
    pub session: Session,
    /// Its deadlines every [`TICK_S`] and every [`super::FRAME_S`], and how late they were.
    pub deadlines: [Deadlines; 2],
    /// The scene that it ended with, and all that was read for it, where that is not the one that it began
    /// with.
    pub loaded: Option<(String, Option<Arc<Bundle>>)>,
    /// How its log came out, if there is one.
    pub log: Option<Result<LogSummary, LogError>>,
    /// How its recording came out, if there is one.
    pub record: Option<Result<RecordSummary, RecordBroken>>,
    /// How its replay came out, if it was one.
    pub replayed: Option<Result<Replayed, LogError>>,
}

impl Live<WallClock> {
    /// A run on the machine's clock.
    pub fn new(setup: Setup) -> Self {
        Self::with_clock(setup, WallClock::default())
    }
}

impl<C: LiveClock> Live<C> {
    /// A run on a clock of its own.
    pub fn with_clock(mut setup: Setup, clock: C) -> Self {
        let (mailbox, inbox) = Mailbox::new(setup.queue_length);
        let is_keeping = setup.keep.seconds > 0.0 && setup.keep.bytes > 0;
        Self {
            clock,
            inbox,
            mailbox,
            sinks: vec![],
            session: setup.begin(),
            name: setup.name,
            model: setup.model,
            map: setup.map,
            notes: setup.notes,
            speed: setup.speed,
            paused: setup.paused,
            most_steps: setup.steps.unwrap_or(u64::MAX),
            stop: setup.stop,
            ends_with_world: setup.ends_with_world,
            lock_step: setup.lock_step.map(LockStep::new),
            log: setup.log,
            recorder: setup.recorder,
            replayer: setup.replay.map(Replayer::new),
            loaded: None,
            source: setup.source,
            memory: is_keeping.then(|| Arc::new(MemoryHistory::new(setup.keep))),
            history: setup.history,
        }
    }

    /// Where requests are put in, by any number of threads.
    pub fn mailbox(&self) -> Mailbox {
        self.mailbox.clone()
    }

    /// Shows the run to somebody.
    pub fn add_sink(&mut self, sink: Box<dyn Sink>) {
        self.sinks.push(sink);
    }

    /// Runs until it is told to stop, on the calling thread.
    pub fn run(mut self) -> RunOutcome {
        exact_timers();
        let now_s = self.clock.now_s();
        let notes = std::mem::take(&mut self.notes);
        let publisher = Publisher::new(std::mem::take(&mut self.sinks), &self.model, now_s);
        let pace = Pace::new(self.speed, self.model.step_s, now_s);
        let mut loop_state = LoopState {
            live: self,
            begin_s: now_s,
            publisher,
            pace,
            chunk: Chunk::new(CHUNK_S),
            disposal: Disposal::start(),
            single_steps: 0,
            waiting: None,
            busy: false,
            rest_until_s: 0.0,
            halted: false,
            stopped: false,
            refused: 0,
            travelling: None,
            timeline: ShownTimeline::default(),
            futures: 0,
        };
        loop_state.publish_scene(&notes, None);
        loop_state.record_scene();
        match loop_state.live.history.take() {
            Some((history, at_s)) => loop_state.begin_replay(history, at_s),
            None => loop_state.keep_scene(),
        }
        loop_state.show();
        while !loop_state.is_over() {
            loop_state.turn();
        }
        loop_state.end()
    }
}

/// A run under way.
pub(super) struct LoopState<C> {
    pub(super) live: Live<C>,
    begin_s: f64,
    pub(super) publisher: Publisher,
    pub(super) pace: Pace,
    pub(super) chunk: Chunk,
    disposal: Disposal,
    /// Steps to do while the world stands still.
    single_steps: u64,
    /// A request whose instant the world has not reached.
    waiting: Option<TimedRequest>,
    /// Whether there is work to do at once.
    busy: bool,
    /// Until when nothing is shown while there is work to do.
    rest_until_s: f64,
    /// Whether it stands still only because the world is at its end.
    halted: bool,
    stopped: bool,
    pub(super) refused: u64,
    /// Other instants than the newest, while they are shown; the session stays as it is meanwhile.
    pub(super) travelling: Option<Travelling>,
    pub(super) timeline: ShownTimeline,
    /// How often what became of the run was left for another future.
    pub(super) futures: u32,
}

impl<C: LiveClock> LoopState<C> {
    fn is_over(&self) -> bool {
        let done = self.live.session.steps_done() >= self.live.most_steps;
        self.stopped || done || self.live.stop.load(Ordering::Relaxed)
    }

    /// One turn of the loop.
    fn turn(&mut self) {
        let live = &mut self.live;
        if self.waiting.is_none() {
            let until_s = if self.busy { f64::NEG_INFINITY } else { self.publisher.next_s() };
            self.waiting = live.clock.receive(&live.inbox, until_s);
        }
        let now_s = live.clock.now_s();
        let at_s = self.waiting.as_ref().map_or(now_s, |a| live.clock.at_s(a.at).min(now_s));
        let is_there = self.advance(now_s, at_s);
        if is_there && let Some(timed_request) = self.waiting.take() {
            self.obey(timed_request.request, at_s);
            // There may be more, and the world is not at `now` yet.
            self.busy = true;
        }
        self.ask_controllers();
        if self.must_show() {
            let begin_s = self.live.clock.now_s();
            self.show();
            let now_s = self.live.clock.now_s();
            self.publisher.served(now_s, self.live.session.simulated_s());
            self.rest_until_s = now_s + (SHOW_REST * (now_s - begin_s)).min(FRAME_S);
        }
    }

    /// Whether a tick has come, and the world has come to it; but a world that cannot keep up is
    /// not waited for.
    ///
    /// Showing a large world takes long: while the world has work to do, it gets most of the time.
    fn must_show(&self) -> bool {
        let now_s = self.live.clock.now_s();
        if self.busy && now_s < self.rest_until_s {
            return false;
        }
        let late_s = now_s - self.publisher.next_s();
        late_s >= MOST_HELD_BACK_S || late_s >= 0.0 && self.has_reached(self.publisher.next_s())
    }

    /// Whether the world is at this instant, or need not or cannot go there.
    fn has_reached(&self, at_s: f64) -> bool {
        self.travelling.is_some()
            || self.live.paused
            || self.pace.due_by(at_s) == 0
            || !self.is_free()
    }

    /// Whether the world may advance: always, unless it waits for controllers.
    fn is_free(&self) -> bool {
        let step = self.live.session.world().state().step;
        self.live.lock_step.as_ref().is_none_or(|lock| lock.is_ready(step))
    }

    /// Simulates towards an instant, but only a chunk. Returns whether a request of that instant
    /// may take effect.
    fn advance(&mut self, now_s: f64, at_s: f64) -> bool {
        self.busy = false;
        if self.travelling.is_some() {
            self.busy = self.travel_on(now_s);
            return true;
        }
        self.replay_due();
        if self.stand_at_end() {
            return true;
        }
        if !self.is_free() {
            // Waiting for a controller is no lag.
            self.pace.forgive(now_s);
            return true;
        }
        let at_speed = !self.live.paused && self.pace.speed() != Speed::Max;
        let wanted = if self.live.paused {
            self.single_steps
        } else if at_speed {
            self.pace.keep_up(now_s);
            self.pace.due_by(at_s)
        } else {
            u64::MAX
        };
        let mut count = wanted
            .min(self.live.most_steps - self.live.session.steps_done())
            .min(self.chunk.steps())
            .min(self.steps_to_pause());
        if count == 0 {
            return true;
        }
        if self.live.lock_step.is_some() {
            count = count.min(self.take_answers());
        }
        let begin_s = self.live.clock.now_s();
        let count = self.do_steps(count);
        self.keep(count);
        self.chunk.fit(count, self.live.clock.now_s() - begin_s);
        if self.live.paused {
            self.single_steps -= count;
        } else {
            self.pace.did(count);
        }
        self.busy = wanted > count;
        self.replay_due();
        self.stand_at_end();
        // Without a speed there is no instant to reach.
        !(at_speed && self.busy)
    }

    /// A world at its end stands still until somebody starts it over or puts the vehicle back, and
    /// then goes on if it ran before; where nobody is there to do so, the run is over. Returns
    /// whether it is at its end, or at that of the log that is replayed.
    fn stand_at_end(&mut self) -> bool {
        let is_replayed = self.live.replayer.as_ref().is_some_and(Replayer::is_over);
        let ended = is_replayed || self.live.session.world().end().is_some();
        if ended {
            self.halted |= !self.live.paused;
            (self.live.paused, self.single_steps, self.busy) = (true, 0, false);
            self.stopped |= self.live.ends_with_world;
        } else if self.halted {
            (self.halted, self.live.paused) = (false, false);
            self.pace.restart(self.live.clock.now_s());
        }
        ended
    }

    /// Does what is asked, at an instant that the world has reached.
    fn obey(&mut self, request: Request, at_s: f64) {
        let is_recording = self.travelling.as_ref().is_some_and(Travelling::is_recording);
        if (is_recording || self.live.replayer.is_some()) && request.changes_world() {
            self.refused += 1;
            return;
        }
        let Some(request) = self.control_past(request, at_s) else { return };
        match request {
            Request::Action(action) => self.action_of_others(action),
            Request::Commands(commands) => {
                for (robot, command) in commands {
                    self.action_of_others(Action::Command { robot, command });
                }
            }
            Request::Play => {
                if self.live.paused {
                    self.live.paused = false;
                    self.pace.restart(at_s);
                }
                self.single_steps = 0;
            }
            Request::Pause => {
                (self.live.paused, self.halted) = (true, false);
                self.single_steps = 0;
            }
            Request::Step(count) => {
                (self.live.paused, self.halted) = (true, false);
                self.single_steps = self.single_steps.saturating_add(count);
            }
            Request::Speed(speed) => {
                self.live.speed = speed;
                self.pace.set_speed(speed, at_s);
            }
            Request::Reset => {
                self.start_over(Entry::Reset, Session::reset);
                self.record_now();
            }
            Request::Seed(seed) => {
                self.start_over(Entry::Seed(seed), |session| session.reset_with_seed(seed));
                self.record_now();
            }
            Request::Load(loaded) => self.load(loaded, at_s),
            Request::Join { controller, period, turns } => self.join(controller, period, turns),
            Request::Answer { controller, step, commands } => {
                self.take_answer(controller, step, commands);
            }
            Request::Leave { controller, robots } => self.leave(controller, robots),
            Request::Travel(travel) => self.travel(travel, at_s),
            Request::Record(recorder, answer) => self.begin_record(recorder, answer),
            Request::StopRecord(end) => self.end_record(end),
            Request::Mark { done, number } => done.store(number, Ordering::Release),
            Request::Stop => self.stopped = true,
        }
    }

    /// Does something to the world, and logs it: also what is refused, as that counts, too. Returns
    /// whether the world took it.
    pub(super) fn act(&mut self, action: Action) -> bool {
        self.note(Entry::Action(action.clone()));
        let is_taken = self.live.session.act(&action);
        self.refused += u64::from(!is_taken);
        is_taken
    }

    /// The world starts over; what happened before is shown first.
    pub(super) fn start_over<T>(
        &mut self,
        entry: Entry,
        start: impl FnOnce(&mut Session) -> T,
    ) -> T {
        self.show();
        self.note(entry);
        let before = start(&mut self.live.session);
        if let Some(lock) = &mut self.live.lock_step {
            lock.start_over();
        }
        before
    }

    /// Puts another scene in the place of the one that runs.
    pub(super) fn load(&mut self, loaded: Arc<Loaded>, at_s: f64) {
        let Loaded { name, model, map, notes, source, prepared, .. } = &*loaded;
        let (scene, source) = (name.clone(), source.clone());
        self.live.loaded = Some((scene.clone(), source.clone()));
        let entry = Entry::Load { scene, model: model.fingerprint, source };
        let before = self.start_over(entry, |session| session.replace(loaded.take_world()));
        let live = &mut self.live;
        (live.name, live.model) = (name.clone(), Arc::clone(model));
        let map = std::mem::replace(&mut live.map, map.clone());
        self.publish_scene(notes, Some(prepared));
        self.record_scene();
        self.keep_scene();
        self.chunk = Chunk::new(CHUNK_S);
        self.pace.set_step_s(model.step_s, at_s);
        // Last, so that nobody else holds the scene before and has to free it.
        self.disposal.take(Gone { world: before, map, loaded });
    }

    /// What is asked of the instant shown, while that is not the newest one; else the request comes back.
    /// What begins the world anew ends that first.
    fn control_past(&mut self, request: Request, at_s: f64) -> Option<Request> {
        if self.travelling.is_none() {
            return Some(request);
        }
        let control = match request {
            Request::Play => ShownControl::Play,
            Request::Pause => ShownControl::Pause,
            Request::Step(steps) => ShownControl::Step(steps),
            Request::Speed(Speed::Factor(factor)) => ShownControl::Speed(factor),
            Request::Speed(Speed::Max) => ShownControl::Speed(MOST_SHOWN_SPEED),
            Request::Reset | Request::Seed(_) | Request::Load(_) => {
                // A recording is not begun anew: that was refused.
                let _ = self.back_to_live(at_s);
                return Some(request);
            }
            other => return Some(other),
        };
        self.control_shown(control, at_s);
        None
    }

    /// Begins to show a recording, in place of a run that goes on.
    fn begin_replay(&mut self, history: Arc<dyn History>, at_s: f64) {
        let (at, speed, paused) = (history.nearest(at_s), self.pace.factor(), self.live.paused);
        match self.begin_travelling(history, true, at) {
            Ok(()) => {
                let speed = if speed > 0.0 { speed } else { MOST_SHOWN_SPEED };
                self.control_shown(ShownControl::Speed(speed), self.begin_s);
                if !paused {
                    self.control_shown(ShownControl::Play, self.begin_s);
                }
            }
            Err(why) => self.timeline.error = Some(why),
        }
    }

    /// Another scene begins.
    pub(super) fn publish_scene(&mut self, notes: &[String], prepared: Option<&Prepared>) {
        let Live { name, model, map, .. } = &self.live;
        self.publisher.scene(name, model, map.as_deref(), notes, prepared);
    }

    /// Shows the world as it is.
    fn show(&mut self) {
        self.collect_events();
        self.collect_shown_events();
        self.tell_timeline();
        let status = &mut self.publisher.status;
        status.paused = self.live.paused && self.single_steps == 0;
        status.speed = self.pace.factor();
        if let Some(travelling) = &self.travelling {
            // Which way is told by the timeline.
            (status.paused, status.speed) = (!travelling.is_playing(), travelling.speed().abs());
        }
        status.behind_s = self.pace.missed_s();
        if let Some(lock) = &self.live.lock_step {
            status.lock_step = true;
            status.controllers = lock.controllers();
            status.awaited = lock.awaited();
        }
        let shown = self.travelling.as_ref().and_then(Travelling::shown);
        let session = shown.map_or(&self.live.session, Rerun::session);
        self.publisher.show(session, &self.timeline);
    }

    /// The last publication, the log's last line, and the report.
    fn end(mut self) -> RunOutcome {
        let wall_s = self.live.clock.now_s() - self.begin_s;
        let simulated_s = self.live.session.simulated_s();
        self.publisher.update_figures();
        self.publisher.status.ended = true;
        self.record_now();
        self.show();
        let Live { session, mailbox, log, recorder, replayer, loaded, .. } = self.live;
        let status = &self.publisher.status;
        let report = Report {
            missed_ticks: status.missed_ticks,
            missed_frames: status.missed_frames,
            tick_lateness: status.tick_lateness,
            frame_lateness: status.frame_lateness,
            refused_timed_requests: mailbox.refused(),
            refused_requests: self.refused,
            ..Report::new(session.steps_done(), simulated_s, wall_s, &self.pace)
        };
        let log = log.map(|log| log.finish(session.steps_done(), session.state_hash()));
        let record = recorder.map(|recorder| recorder.finish(&session));
        let replayed = replayer.map(|Replayer { replaying, error, .. }| match error {
            Some(error) => Err(error),
            None => Ok(replaying.replay.replayed(&session)),
        });
        let deadlines = self.publisher.into_deadlines();
        RunOutcome { report, session, deadlines, loaded, log, record, replayed }
    }
}
