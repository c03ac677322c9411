//! What the loop does to show other instants of a run than the newest: of the last minute, or of a recording.
//!
//! The live session stays as it is meanwhile. Where to go takes long, a thread of its own goes there; the
//! loop shows what it had until that is there.

use super::clock::LiveClock;
use super::history::dense::DenseSteps;
use super::history::seeker::{Found, Seeker, Wish};
use super::history::{Fidelity, History, HistoryError, Rerun, RunInstant};
use super::loaded::Loaded;
use super::log::Entry;
use super::run::LoopState;
use super::session::Session;
use super::timeline::{
    Future, MOST_FUTURES, ShownMode, ShownTimeline, TakenFrom, Travel, TravelRefusal,
};
use crate::chunk::Chunk;
use std::sync::Arc;

/// How much wall time what is played may lag before it gives the lag up, s.
const MOST_LAG_S: f64 = 0.1;
/// Stretches that are kept to be played backwards: the one that is shown, and one either way.
const MOST_DENSE: usize = 3;

/// Other instants of a run, while they are shown.
pub(super) struct Travelling {
    history: Arc<dyn History>,
    seeker: Seeker,
    /// What is shown; none until the first instant is there.
    shown: Option<Box<dyn Rerun>>,
    /// Where it is going.
    seeking: Option<RunInstant>,
    /// The step before which more is being made ready to be played backwards.
    ahead: Option<u64>,
    dense: Vec<Arc<DenseSteps>>,
    speed: f64,
    playing: bool,
    /// When the run time was what, s of the clock and of the run.
    anchor: (f64, f64),
    /// Whether it is a recording, and no part of this run.
    is_recording: bool,
}

impl Travelling {
    fn start(history: Arc<dyn History>, is_recording: bool) -> Result<Self, HistoryError> {
        let seeker = Seeker::start(Arc::clone(&history))?;
        Ok(Self {
            history,
            seeker,
            shown: None,
            seeking: None,
            ahead: None,
            dense: vec![],
            speed: 1.0,
            playing: false,
            anchor: (0.0, 0.0),
            is_recording,
        })
    }

    /// What is shown, once it is there.
    pub(super) fn shown(&self) -> Option<&dyn Rerun> {
        self.shown.as_deref()
    }

    /// Whether it is a recording, and no part of this run.
    pub(super) fn is_recording(&self) -> bool {
        self.is_recording
    }

    pub(super) fn is_playing(&self) -> bool {
        self.playing
    }

    pub(super) fn speed(&self) -> f64 {
        self.speed
    }

    /// The instant shown, or that where it is going.
    fn at(&self) -> RunInstant {
        self.seeking.or_else(|| self.shown().map(|shown| at(shown.session()))).unwrap_or_default()
    }

    fn seek(&mut self, to: RunInstant) {
        let [begin, end] = self.history.span();
        let step = to.step.clamp(begin.step, end.step);
        self.seeking = Some(RunInstant { step, ..to });
        self.ahead = None;
        self.seeker.wish(Wish { step, shown: true });
    }

    fn play(&mut self, speed: f64, now_s: f64) {
        (self.speed, self.playing) = (speed, true);
        self.anchor = (now_s, self.at().time_s);
    }

    fn stop(&mut self) {
        self.playing = false;
    }

    /// Takes what was found since. True where something else is shown now.
    fn take_found(&mut self, now_s: f64) -> Result<bool, HistoryError> {
        let mut is_new = false;
        while let Some(Found { wish, rerun, dense }) = self.seeker.take()? {
            let is_there = dense.is_some();
            if let Some(dense) = dense {
                self.remember(dense);
            }
            if !wish.shown {
                self.ahead = None;
                continue;
            }
            if self.seeking.is_none_or(|seeking| seeking.step != wish.step) {
                continue;
            }
            let rerun = rerun.inspect_err(|_| (self.seeking, self.playing) = (None, false))?;
            if is_there {
                self.seeking = None;
                self.anchor = (now_s, rerun.session().simulated_s());
            }
            self.shown = Some(rerun);
            is_new = true;
        }
        Ok(is_new)
    }

    fn remember(&mut self, dense: Arc<DenseSteps>) {
        self.dense.retain(|known| known.begin_step() != dense.begin_step());
        self.dense.insert(0, dense);
        self.dense.truncate(MOST_DENSE);
    }

    /// Where it should be by now.
    fn due(&self, now_s: f64) -> RunInstant {
        let (then_s, time_s) = self.anchor;
        self.history.nearest(time_s + self.speed * (now_s - then_s))
    }

    /// Goes on forwards by a part of what is due. True where there is more to do at once.
    fn forwards(
        &mut self,
        clock: &impl LiveClock,
        chunk: &mut Chunk,
    ) -> Result<bool, HistoryError> {
        let now_s = clock.now_s();
        let due = self.due(now_s);
        let end = self.history.span()[1];
        let Some(shown) = &mut self.shown else { return Ok(false) };
        let now = at(shown.session());
        let wanted = due.step.saturating_sub(now.step);
        let count = wanted.min(chunk.steps());
        let begin_s = clock.now_s();
        let done = shown.advance(count)?;
        chunk.fit(done, clock.now_s() - begin_s);
        let is_over = done < count || shown.session().steps_done() >= end.step;
        let lag_s = (due.time_s - shown.session().simulated_s()) / self.speed.abs();
        if lag_s > MOST_LAG_S {
            self.anchor = (now_s, shown.session().simulated_s());
        }
        if is_over {
            self.playing = false;
        }
        Ok(wanted > done && !is_over)
    }

    /// Shows an earlier instant if one is due, and lets more be made ready.
    fn backwards(&mut self, now_s: f64) -> Result<(), HistoryError> {
        let due = self.due(now_s);
        let begin = self.history.span()[0];
        let Some(shown) = &mut self.shown else { return Ok(()) };
        let now = at(shown.session());
        let found = self.dense.iter().find(|dense| dense.covers(due.step)).cloned();
        if let Some(dense) = &found
            && let Some(kept) = dense.before(due.step).filter(|kept| kept.at.step < now.step)
        {
            let is_same = shown.stretch_begin() == dense.begin_step() && shown.go_to(kept)?;
            if !is_same {
                self.shown = Some(dense.rerun_at(kept)?);
            }
            if kept.at.step <= begin.step {
                self.playing = false;
            }
        }
        // What comes next: before what is there already.
        let next = match found {
            Some(dense) => dense.begin_step().checked_sub(1),
            None => {
                // It is not there yet: it waits, rather than to jump.
                self.anchor = (now_s, now.time_s);
                due.step.min(now.step.saturating_sub(1)).into()
            }
        };
        if let Some(step) = next.filter(|step| *step >= begin.step && *step < now.step)
            && self.ahead.is_none()
            && !self.dense.iter().any(|dense| dense.covers(step))
        {
            self.ahead = Some(step);
            self.seeker.wish(Wish { step, shown: false });
        }
        if now.step <= begin.step {
            self.playing = false;
        }
        Ok(())
    }
}

/// Where a session is in its run.
pub(super) fn at(session: &Session) -> RunInstant {
    RunInstant { step: session.steps_done(), time_s: session.simulated_s() }
}

impl<C: LiveClock> LoopState<C> {
    /// Shows the past, or a recording, as far as it is due. True where there is work to do at once.
    pub(super) fn travel_on(&mut self, now_s: f64) -> bool {
        let Some(travelling) = &mut self.travelling else { return false };
        let done = travelling.take_found(now_s).and_then(|is_new| {
            let is_there = travelling.seeking.is_none() && travelling.shown.is_some();
            if !travelling.playing || !is_there {
                return Ok((is_new, false));
            }
            if travelling.speed > 0.0 {
                let more = travelling.forwards(&self.live.clock, &mut self.chunk)?;
                return Ok((is_new, more));
            }
            travelling.backwards(now_s)?;
            Ok((is_new, false))
        });
        match done {
            Ok((is_new, more)) => {
                if is_new {
                    self.show_scene_of_past();
                }
                more
            }
            Err(why) => {
                travelling.stop();
                self.timeline.error = Some(why);
                false
            }
        }
    }

    /// Tells of another scene, if the instant shown is of another.
    fn show_scene_of_past(&mut self) {
        let Some(shown) = self.travelling.as_ref().and_then(Travelling::shown) else { return };
        let scene = Arc::clone(shown.scene());
        if !Arc::ptr_eq(&scene.model, self.publisher.model()) {
            self.publisher.scene(&scene.name, &scene.model, scene.map.as_deref(), &[], None);
        }
    }

    /// Goes to another instant, or says why not.
    pub(super) fn travel(&mut self, travel: Travel, now_s: f64) {
        let result = match travel {
            Travel::TakeOver { seed, loaded, tell } => {
                let result = self.take_over(seed, loaded, now_s);
                tell(result.clone());
                result
            }
            Travel::ToLive => self.back_to_live(now_s),
            Travel::Stop if self.travelling.is_none() => Ok(()),
            other => self.enter_past().map(|()| self.go(other, now_s)),
        };
        self.refused += u64::from(result.is_err());
    }

    /// Goes to another instant of the past.
    fn go(&mut self, travel: Travel, now_s: f64) {
        let Some(travelling) = &mut self.travelling else { return };
        match travel {
            Travel::Seek(time_s) => {
                travelling.stop();
                travelling.seek(travelling.history.nearest(time_s));
            }
            Travel::Step(steps) => {
                travelling.stop();
                let step = travelling.at().step.saturating_add_signed(steps);
                let step_s = self.live.model.step_s;
                let time_s = travelling.at().time_s + steps as f64 * step_s;
                travelling.seek(RunInstant { step, time_s });
            }
            Travel::Play(speed) => travelling.play(speed, now_s),
            Travel::Stop | Travel::ToLive | Travel::TakeOver { .. } => travelling.stop(),
        }
    }

    /// Begins to show the past, at the newest instant, if it is not shown already.
    fn enter_past(&mut self) -> Result<(), TravelRefusal> {
        if self.travelling.is_some() {
            return Ok(());
        }
        if self.live.lock_step.is_some() {
            return Err(TravelRefusal::LockStep);
        }
        let memory = self.live.memory.clone().ok_or(TravelRefusal::NothingKept)?;
        self.collect_events();
        // So that what is kept ends where the run stands.
        memory.add(&self.live.session, f64::INFINITY);
        let now = at(&self.live.session);
        let history: Arc<dyn History> = memory;
        self.begin_travelling(history, false, now).map_err(|why| {
            self.timeline.error = Some(why);
            TravelRefusal::NothingKept
        })
    }

    /// Begins to show other instants than the newest.
    pub(super) fn begin_travelling(
        &mut self,
        history: Arc<dyn History>,
        is_recording: bool,
        at: RunInstant,
    ) -> Result<(), HistoryError> {
        let mut travelling = Travelling::start(history, is_recording)?;
        travelling.seek(at);
        self.travelling = Some(travelling);
        self.timeline.course += 1;
        self.timeline.error = None;
        Ok(())
    }

    /// Back to the live run, as it was left.
    pub(super) fn back_to_live(&mut self, now_s: f64) -> Result<(), TravelRefusal> {
        match &self.travelling {
            None => return Ok(()),
            Some(travelling) if travelling.is_recording => return Err(TravelRefusal::Inexact),
            Some(_) => {}
        }
        self.travelling = None;
        self.timeline.course += 1;
        if let Some(memory) = &self.live.memory {
            // It was not kept meanwhile.
            memory.took(0.0, now_s);
        }
        if !Arc::ptr_eq(&self.live.model, self.publisher.model()) {
            self.publish_scene(&[], None);
        }
        self.pace.restart(now_s);
        Ok(())
    }

    /// The instant shown becomes the live one.
    fn take_over(
        &mut self,
        seed: Option<u64>,
        loaded: Option<Arc<Loaded>>,
        now_s: f64,
    ) -> Result<(), TravelRefusal> {
        let travelling = self.travelling.as_ref().ok_or(TravelRefusal::IsLive)?;
        let shown = travelling.shown().filter(|_| travelling.seeking.is_none());
        let shown = shown.ok_or(TravelRefusal::NotThere)?;
        if shown.fidelity() != Fidelity::Exact {
            return Err(TravelRefusal::Inexact);
        }
        let from = at(shown.session());
        let state_hash = shown.session().state_hash();
        let mut simulation = shown.session().simulation().fork();
        if let Some(loaded) = &loaded {
            let model = Arc::clone(&loaded.model);
            let carried = simulation.carry_over(model);
            simulation = carried.map_err(|why| TravelRefusal::Settings(why.to_string()))?;
        }
        if let Some(seed) = seed {
            simulation.reseed(seed);
        }
        let Some(travelling) = self.travelling.take() else { return Ok(()) };
        let file: Arc<str> = travelling.history.file().into();
        self.remember_future(&travelling, from);
        let is_recording = travelling.is_recording;
        if is_recording && let Some(shown) = travelling.shown {
            self.begin_live(shown);
        }
        // A log that was replayed was another run from here on.
        self.live.replayer = None;
        let at_s = self.live.session.simulated_s();
        if let Some(loaded) = loaded {
            self.load(loaded, now_s);
        }
        let saved: Arc<[u8]> = simulation.save().into();
        // A run that begins here has no log that would need to know.
        if !is_recording || seed.is_some() || self.is_kept() {
            self.note(Entry::Restore(saved));
        }
        drop(self.live.session.go_on(simulation));
        self.record_now();
        self.keep_now();
        self.timeline.origin = Some(TakenFrom { file, from, at_s, state_hash });
        self.timeline.course += 1;
        self.pace.restart(now_s);
        Ok(())
    }

    /// The run of a recording becomes the live one.
    fn begin_live(&mut self, shown: Box<dyn Rerun>) {
        let scene = Arc::clone(shown.scene());
        let live = &mut self.live;
        live.session = shown.into_session();
        live.session.clear_events();
        (live.name, live.model) = (scene.name.clone(), Arc::clone(&scene.model));
        live.map = scene.map.clone();
        live.loaded = Some((scene.name.clone(), scene.source.clone()));
        self.pace.set_step_s(scene.model.step_s, live.clock.now_s());
        live.paused = true;
        self.keep_scene();
    }

    /// What became of the run so far stays to be looked at.
    fn remember_future(&mut self, travelling: &Travelling, from: RunInstant) {
        let [_, end] = travelling.history.span();
        let history: Arc<dyn History> = match &self.live.memory {
            Some(memory) if !travelling.is_recording => Arc::new(memory.frozen()),
            _ => Arc::clone(&travelling.history),
        };
        let at_s = if travelling.is_recording { from.time_s } else { end.time_s };
        let futures = &mut self.timeline.futures;
        self.futures += 1;
        let (number, shift_s) = (self.futures, at_s - from.time_s);
        futures.push(Future { number, history, shift_s, span_s: [from.time_s, end.time_s] });
        if futures.len() > MOST_FUTURES {
            futures.remove(0);
        }
    }

    /// What is told of the instant shown.
    pub(super) fn tell_timeline(&mut self) {
        let live = &self.live;
        let timeline: &mut ShownTimeline = &mut self.timeline;
        let memory = live.memory.clone();
        timeline.kept_s = memory.as_ref().map_or(0.0, |memory| memory.keep().seconds);
        let is_replay = live.replayer.is_some();
        let Some(travelling) = &self.travelling else {
            let now = at(&live.session);
            if let Some(memory) = &memory {
                memory.is_at(now);
            }
            let history = memory.map(|memory| memory as Arc<dyn History>);
            timeline.mode = if is_replay { ShownMode::Replay } else { ShownMode::Live };
            timeline.span = history.as_ref().map_or([now; 2], |history| history.span());
            timeline.at = now;
            timeline.playing = !live.paused;
            timeline.speed = self.pace.factor();
            (timeline.seeking_s, timeline.may_take_over) = (None, false);
            timeline.fidelity = Fidelity::Exact;
            (timeline.history, timeline.scene) = (history, timeline.live_scene.clone());
            return;
        };
        let is_replay = is_replay || travelling.is_recording;
        timeline.mode = if is_replay { ShownMode::Replay } else { ShownMode::Past };
        timeline.span = travelling.history.span();
        let shown = travelling.shown();
        timeline.at = shown.map_or_else(|| at(&live.session), |shown| at(shown.session()));
        (timeline.playing, timeline.speed) = (travelling.playing, travelling.speed);
        timeline.seeking_s = travelling.seeking.map(|seeking| seeking.time_s);
        timeline.fidelity = shown.map_or(Fidelity::Exact, Rerun::fidelity);
        timeline.may_take_over =
            shown.is_some() && travelling.seeking.is_none() && timeline.fidelity == Fidelity::Exact;
        timeline.history = Some(Arc::clone(&travelling.history));
        timeline.scene = shown.map(|shown| Arc::clone(shown.scene()));
    }

    /// Requests that mean what is shown, while it is not the live run. False where it is.
    pub(super) fn control_shown(&mut self, control: ShownControl, now_s: f64) -> bool {
        let Some(travelling) = &mut self.travelling else { return false };
        match control {
            ShownControl::Play => {
                let speed = travelling.speed.abs();
                travelling.play(speed, now_s);
            }
            ShownControl::Pause => travelling.stop(),
            ShownControl::Step(steps) => {
                self.go(Travel::Step(i64::try_from(steps).unwrap_or(i64::MAX)), now_s);
            }
            ShownControl::Speed(factor) => {
                let speed = factor.copysign(travelling.speed);
                let is_playing = travelling.playing;
                travelling.play(speed, now_s);
                travelling.playing = is_playing;
            }
        }
        true
    }

    /// Notes that the run has events that nobody has taken, of what is shown.
    pub(super) fn collect_shown_events(&mut self) {
        let Some(travelling) = &mut self.travelling else { return };
        let Some(shown) = &mut travelling.shown else { return };
        if travelling.playing && travelling.speed > 0.0 {
            self.publisher.note_events(shown.session());
        }
        shown.clear_events();
    }
}

/// What is asked of what is shown.
pub(super) enum ShownControl {
    Play,
    Pause,
    Step(u64),
    Speed(f64),
}
