//! The last minute of a live run, in memory.

use super::mark::{HistoryMark, HistoryMarks, mark_of_event};
use super::rerun::{Rerun, StretchRerun, Stretches};
use super::series::{PointTaker, SeriesChannel, SeriesWanted, simulated_series};
use super::stretch::{HistoryScene, Stretch, StretchStart, kept_bytes};
use super::{History, HistoryError, RunInstant};
use crate::live::happened::thin_events;
use crate::live::log::Entry;
use crate::live::session::Session;
use rolima_core::{Event, EventLog};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// How much of a live run is kept in memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Keep {
    /// Simulated time, s; 0: nothing is kept.
    pub seconds: f64,
    /// Most memory, bytes.
    pub bytes: u64,
}

impl Keep {
    /// Nothing.
    pub const NOTHING: Self = Self { seconds: 0.0, bytes: 0 };
    /// The last minute, in 256 MiB at most.
    pub const MINUTE: Self = Self { seconds: 60.0, bytes: 256 << 20 };
}

/// Simulated time between two instants that are kept, s, if that costs little.
const APART_S: f64 = 1.0;
/// Share of the time that keeping may take.
const MOST_COST: f64 = 0.005;
/// Events of a stretch that are kept.
const MOST_EVENTS: usize = 256;
/// Memory of an action, bytes: routes of many goals are larger, but shared with those who sent them.
const ENTRY_BYTES: usize = size_of::<(u64, Entry)>() + 32;

/// The last minute of a live run: what was kept of it every second or so, and what was done since.
pub struct MemoryHistory {
    keep: Keep,
    kept: Mutex<Kept>,
}

struct Kept {
    /// What is complete, the oldest first.
    stretches: VecDeque<Arc<Part>>,
    /// What goes on.
    open: Option<Open>,
    /// Where the run is.
    now: RunInstant,
    bytes: usize,
    /// About what keeping the run as it is takes, bytes.
    one_bytes: usize,
    scene: Option<Arc<HistoryScene>>,
    /// The step at which the run is kept next, and before which time of the clock it is not, s.
    due: u64,
    not_before_s: f64,
}

/// A stretch, and what happened in it.
struct Part {
    stretch: Arc<Stretch>,
    events: Vec<(RunInstant, Event)>,
    /// Marks that are no events.
    marks: Vec<HistoryMark>,
    bytes: usize,
}

/// The same while it goes on.
struct Open {
    stretch: Stretch,
    events: Vec<(RunInstant, Event)>,
    marks: Vec<HistoryMark>,
    bytes: usize,
}

impl Open {
    /// As it is now, where it ends at this step.
    fn ended(&self, step: u64) -> Part {
        let stretch = Stretch { end_step: step, ..self.stretch.clone() };
        let (events, marks) = (self.events.clone(), self.marks.clone());
        Part { stretch: Arc::new(stretch), events, marks, bytes: self.bytes }
    }
}

impl MemoryHistory {
    /// Nothing is kept yet.
    pub fn new(keep: Keep) -> Self {
        let kept = Kept {
            stretches: VecDeque::new(),
            open: None,
            now: RunInstant::default(),
            bytes: 0,
            one_bytes: 0,
            scene: None,
            due: u64::MAX,
            not_before_s: 0.0,
        };
        Self { keep, kept: Mutex::new(kept) }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How much is kept.
    pub fn keep(&self) -> Keep {
        self.keep
    }

    /// Another scene begins: what was before it is forgotten, as nobody holds its robots any more.
    pub(crate) fn begin(&self, scene: Arc<HistoryScene>, session: &Session, now_s: f64) {
        let mut kept = self.kept();
        kept.stretches.clear();
        kept.open = None;
        kept.bytes = 0;
        kept.one_bytes = kept_bytes(session.simulation());
        kept.scene = Some(scene);
        drop(kept);
        self.add(session, now_s);
    }

    /// The step at which the run is to be kept next.
    pub(crate) fn due(&self) -> u64 {
        self.kept().due
    }

    /// Whether it may be kept now.
    pub(crate) fn may_add(&self, step: u64, now_s: f64) -> bool {
        let kept = self.kept();
        kept.due <= step && kept.not_before_s <= now_s
    }

    /// Puts off what costs too much now.
    pub(crate) fn put_off(&self, step: u64) {
        let mut kept = self.kept();
        let step_s = kept.scene.as_ref().map_or(1e-3, |scene| scene.model.step_s);
        kept.due = step + ((0.1 * APART_S / step_s) as u64).max(1);
    }

    /// Keeps the run as it is; the next time not before this time of the clock, s.
    pub(crate) fn add(&self, session: &Session, not_before_s: f64) {
        let at = RunInstant { step: session.steps_done(), time_s: session.simulated_s() };
        let start = StretchStart::Kept(Arc::new(session.simulation().keep()));
        let mut kept = self.kept();
        kept.now = at;
        kept.not_before_s = not_before_s;
        kept.close(at.step);
        let Some(scene) = kept.scene.clone() else { return };
        let step_s = scene.model.step_s;
        let bytes = kept.one_bytes + size_of::<Stretch>();
        // As many as there is room for.
        let apart_s = APART_S.max(self.keep.seconds * bytes as f64 / self.keep.bytes.max(1) as f64);
        kept.due = at.step + ((apart_s / step_s).round() as u64).max(1);
        kept.bytes += bytes;
        let stretch =
            Stretch { scene, begin: at, start, entries: vec![], end_step: u64::MAX, is_last: true };
        kept.open = Some(Open { stretch, events: vec![], marks: vec![], bytes });
        self.forget(&mut kept);
    }

    /// That took so long, s of the clock, and is over now.
    pub(crate) fn took(&self, took_s: f64, now_s: f64) {
        self.kept().not_before_s = now_s + took_s / MOST_COST;
    }

    /// Forgets what is too old, or too much.
    fn forget(&self, kept: &mut Kept) {
        while let Some(oldest) = kept.stretches.front() {
            let open = kept.open.as_ref().map(|open| &open.stretch);
            let next = kept.stretches.get(1).map(|part| &*part.stretch).or(open);
            let is_old =
                next.is_some_and(|next| kept.now.time_s - next.begin.time_s >= self.keep.seconds);
            if !is_old && kept.bytes as u64 <= self.keep.bytes {
                return;
            }
            kept.bytes -= oldest.bytes.min(kept.bytes);
            kept.stretches.pop_front();
        }
    }

    /// Notes what is done at this step of the run. True where the run is to be kept, as much was done.
    pub(crate) fn note(&self, at: RunInstant, entry: &Entry) -> bool {
        let text = match entry {
            Entry::Hash(_) | Entry::Load { .. } => return false,
            Entry::Reset => Some(("reset", "started over".to_owned())),
            Entry::Seed(seed) => Some(("reset", format!("started over with seed {seed}"))),
            Entry::Restore(_) => Some(("taken_over", "gone on from an earlier instant".to_owned())),
            Entry::Action(_) => None,
        };
        let mut kept = self.kept();
        kept.now = at;
        let Some(open) = &mut kept.open else { return false };
        let size = ENTRY_BYTES + if let Entry::Restore(saved) = entry { saved.len() } else { 0 };
        open.stretch.entries.push((at.step, entry.clone()));
        if let Some((kind, text)) = text {
            let (kind, bodies) = (kind.to_owned(), vec![]);
            let (time_s, value, zone) = (at.time_s, 0.0, None);
            open.marks.push(HistoryMark { time_s, kind, text, bodies, value, zone });
        }
        open.bytes += size;
        let is_much = open.bytes as u64 > self.keep.bytes / 8;
        kept.bytes += size;
        if is_much {
            kept.due = at.step;
        }
        self.forget(&mut kept);
        is_much
    }

    /// Notes what happened since.
    pub(crate) fn events(&self, session: &Session, log: &EventLog) {
        if log.events().is_empty() {
            return;
        }
        let world = session.world();
        let (now, step_s) = (world.state().step, world.model().step_s);
        let mut kept = self.kept();
        let Some(Open { events, .. }) = &mut kept.open else { return };
        for event in log.events() {
            let ago = now.saturating_sub(event.step);
            let at = RunInstant {
                step: session.steps_done().saturating_sub(ago),
                time_s: session.simulated_s() - ago as f64 * step_s,
            };
            events.push((at, *event));
        }
        if events.len() > 2 * MOST_EVENTS {
            thin_events(events, MOST_EVENTS, |(_, event)| event.kind());
        }
    }

    /// The run is here now.
    pub(crate) fn is_at(&self, at: RunInstant) {
        self.kept().now = at;
    }

    /// What is kept now, as it is, for somebody who looks at it when the run has long gone on otherwise.
    pub(crate) fn frozen(&self) -> Self {
        let kept = self.kept();
        let mut stretches = kept.stretches.clone();
        stretches.extend(kept.open.as_ref().map(|open| Arc::new(open.ended(kept.now.step))));
        let frozen = Kept {
            stretches,
            open: None,
            now: kept.now,
            bytes: kept.bytes,
            one_bytes: kept.one_bytes,
            scene: kept.scene.clone(),
            due: u64::MAX,
            not_before_s: 0.0,
        };
        Self { keep: self.keep, kept: Mutex::new(frozen) }
    }
}

impl Kept {
    /// The stretch that goes on ends at this step.
    fn close(&mut self, step: u64) {
        let Some(Open { mut stretch, events, marks, bytes }) = self.open.take() else { return };
        (stretch.end_step, stretch.is_last) = (step, false);
        let stretch = Arc::new(stretch);
        self.stretches.push_back(Arc::new(Part { stretch, events, marks, bytes }));
    }

    /// Where the first stretch begins.
    fn begin(&self) -> RunInstant {
        let open = self.open.as_ref().map(|open| open.stretch.begin);
        self.stretches.front().map(|part| part.stretch.begin).or(open).unwrap_or(self.now)
    }
}

impl Stretches for MemoryHistory {
    fn stretch_at(&self, step: u64) -> Result<Arc<Stretch>, HistoryError> {
        let kept = self.kept();
        if let Some(open) = kept.open.as_ref().filter(|open| open.stretch.begin.step <= step) {
            return Ok(open.ended(kept.now.step).stretch);
        }
        let found = kept.stretches.iter().rev().find(|part| part.stretch.begin.step <= step);
        let found = found.or(kept.stretches.front());
        let none = || HistoryError("nothing of this run is kept".to_owned());
        found.map(|part| Arc::clone(&part.stretch)).ok_or_else(none)
    }
}

impl History for MemoryHistory {
    fn file(&self) -> &str {
        ""
    }

    fn span(&self) -> [RunInstant; 2] {
        let kept = self.kept();
        [kept.begin(), kept.now]
    }

    fn nearest(&self, time_s: f64) -> RunInstant {
        let [begin, end] = self.span();
        let kept = self.kept();
        let Some(scene) = &kept.scene else { return end };
        let steps = ((time_s - begin.time_s) / scene.model.step_s).round().max(0.0) as u64;
        let step = begin.step.saturating_add(steps).min(end.step);
        let time_s = begin.time_s + (step - begin.step) as f64 * scene.model.step_s;
        RunInstant { step, time_s }
    }

    fn rerun(self: Arc<Self>, step: u64) -> Result<Box<dyn Rerun>, HistoryError> {
        Ok(Box::new(StretchRerun::new(self, step)?))
    }

    fn marks(&self) -> Result<HistoryMarks, HistoryError> {
        let kept = self.kept();
        let open = kept.open.as_ref().map(|open| Arc::new(open.ended(kept.now.step)));
        let parts: Vec<Arc<Part>> = kept.stretches.iter().cloned().chain(open).collect();
        drop(kept);
        let mut marks = HistoryMarks::default();
        for part in parts {
            let model = &part.stretch.scene.model;
            let events = part.events.iter().map(|(at, event)| mark_of_event(model, *at, event));
            let mut own: Vec<HistoryMark> = part.marks.iter().cloned().chain(events).collect();
            own.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
            own.into_iter().for_each(|mark| marks.add(mark));
        }
        marks.thin();
        Ok(marks)
    }

    fn series(
        self: Arc<Self>,
        wanted: &SeriesWanted,
        take: &mut PointTaker<'_>,
    ) -> Result<Vec<SeriesChannel>, HistoryError> {
        simulated_series(self, wanted, take)
    }

    fn first_scene(&self) -> Result<Arc<HistoryScene>, HistoryError> {
        let none = || HistoryError("nothing of this run is kept".to_owned());
        self.kept().scene.clone().ok_or_else(none)
    }
}
