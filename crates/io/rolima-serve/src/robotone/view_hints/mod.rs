//! What programs want people to see: the view of a robot, and where robots have been.
//!
//! The loop writes paths down, programs switch them, viewers copy them. The loop never waits: what
//! it cannot write at one instant, it writes at the next.

mod notices;
mod path;

use super::robots::{ViewMode, Viewpoint};
pub use notices::{Notice, Warning};
use path::{RobotPath, Spot};
use rolima_wire::{now, pb};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Robots that leave traces at a time.
pub const MOST_TRACED: usize = 64;
/// A point of a path is kept when a robot has gone this share of its reach, and so many metres.
const LEAST_REACHES: f64 = 0.15;
const LEAST_M: f64 = 0.004;
/// The view before any program has asked for another.
const FIRST_VIEW: Viewpoint = Viewpoint { mode: ViewMode::ThirdPerson, zoom: 0.5, robot: 0 };

/// What programs want people to see; clones are the same.
#[derive(Clone, Default)]
pub struct ViewHints(Arc<Inner>);

#[derive(Default)]
struct Inner {
    view: Mutex<Option<Viewpoint>>,
    views: AtomicU64,
    notice: OnceLock<Notice>,
    paths: Mutex<Paths>,
    traces: AtomicU64,
    /// How many robots leave traces: without any, the loop does not look.
    traced: AtomicU64,
    warning: OnceLock<Warning>,
}

#[derive(Default)]
struct Paths {
    generation: u32,
    paths: Vec<RobotPath>,
}

/// What the loop tells of a robot.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Seen {
    /// Where it is, m.
    pub(super) at: [f64; 2],
    /// Where it believes to be, m.
    pub(super) believed: Option<[f64; 2]>,
    /// How fast it is, m/s.
    pub(super) speed: f64,
}

/// Counts what changed, for viewers that were told before.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ViewHintChanges {
    pub(crate) views: u64,
    pub(crate) traces: u64,
    /// Whether there is a warning, and something to tell.
    pub(crate) warns: bool,
    pub(crate) tells: bool,
}

impl ViewHints {
    /// Warns everybody who watches, now or later. There is one warning at most: later ones are dropped.
    pub fn warn(&self, warning: Warning) {
        // A second one is no failure.
        let _ = self.0.warning.set(warning);
    }

    /// What everybody is warned of.
    pub fn warning(&self) -> Option<&Warning> {
        self.0.warning.get()
    }

    /// The warning as a message for viewers.
    pub(crate) fn warning_message(&self) -> Option<Vec<u8>> {
        let warning = self.warning()?;
        Some(notice(pb::notice::Level::Error, warning.to_string(), warning.message()))
    }

    /// From where people shall look.
    pub(super) fn view(&self) -> Viewpoint {
        self.lock_view().unwrap_or(FIRST_VIEW)
    }

    pub(super) fn set_view(&self, view: Viewpoint) {
        *self.lock_view() = Some(view);
        self.0.views.fetch_add(1, Ordering::Release);
    }

    /// Tells people something, once: later ones are dropped.
    pub fn tell(&self, what: Notice) {
        // A second one is no failure.
        let _ = self.0.notice.set(what);
    }

    /// Whether a robot leaves a trace.
    pub(super) fn is_traced(&self, robot: u32) -> bool {
        self.0.traced.load(Ordering::Acquire) > 0
            && self.paths().paths.iter().any(|path| path.robot == robot)
    }

    /// Lets a robot of so much reach, m, leave a trace; false if there are too many.
    pub(super) fn trace(&self, robot: u32, reach: f64) -> bool {
        let mut paths = self.paths();
        if paths.paths.iter().any(|path| path.robot == robot) {
            return true;
        }
        if paths.paths.len() >= MOST_TRACED {
            return false;
        }
        paths.paths.push(RobotPath::new(robot, LEAST_M.max(LEAST_REACHES * reach)));
        self.changed(&paths);
        true
    }

    /// The trace of a robot is gone.
    pub(super) fn untrace(&self, robot: u32) {
        let mut paths = self.paths();
        let before = paths.paths.len();
        paths.paths.retain(|path| path.robot != robot);
        if paths.paths.len() != before {
            self.changed(&paths);
        }
    }

    /// The trace of a robot begins anew when the loop has passed this mark.
    pub(super) fn begin_anew(&self, robot: u32, mark: u64) {
        if self.0.traced.load(Ordering::Acquire) == 0 {
            return;
        }
        let mut paths = self.paths();
        if let Some(path) = paths.paths.iter_mut().find(|path| path.robot == robot) {
            path.anew_at = Some(mark);
        }
    }

    /// Takes note of where robots are; on the loop's thread, so without waiting for anybody.
    /// `done`: marks that the loop has passed.
    pub(super) fn record(
        &self,
        generation: u32,
        time_s: f64,
        done: u64,
        seen: impl Fn(u32) -> Option<Seen>,
    ) {
        if self.0.traced.load(Ordering::Acquire) == 0 {
            return;
        }
        let Ok(mut paths) = self.0.paths.try_lock() else { return };
        let mut is_anew = paths.generation != generation;
        if is_anew {
            paths.generation = generation;
            paths.paths.iter_mut().for_each(RobotPath::clear);
        }
        for path in &mut paths.paths {
            if path.anew_at.is_some_and(|mark| done >= mark) {
                path.anew_at = None;
                path.clear();
                is_anew = true;
            }
            let Some(Seen { at, believed, speed }) = seen(path.robot) else { continue };
            is_anew |= path.take(Spot { time_s, at, believed, speed });
        }
        if is_anew {
            self.changed(&paths);
        }
    }

    pub(crate) fn changes(&self) -> ViewHintChanges {
        ViewHintChanges {
            views: self.0.views.load(Ordering::Acquire),
            traces: self.0.traces.load(Ordering::Acquire),
            warns: self.warning().is_some(),
            tells: self.0.notice.get().is_some(),
        }
    }

    /// The message about the view; none while nobody has asked for one.
    pub(crate) fn look_message(&self) -> Option<Vec<u8>> {
        use pb::look::From;
        let Viewpoint { mode, zoom, robot } = (*self.lock_view())?;
        let from = match mode {
            ViewMode::ThirdPerson => From::ThirdPerson,
            ViewMode::Top => From::Top,
            ViewMode::FirstPerson => From::FirstPerson,
        };
        let look = pb::Look { from: from.into(), zoom, body: robot };
        Some(now::server_message(pb::server_message::Kind::Look(look)))
    }

    /// The message of what people are told.
    pub(crate) fn notice_message(&self) -> Option<Vec<u8>> {
        let told = self.0.notice.get()?;
        Some(notice(told.level(), told.to_string(), told.message()))
    }

    /// The message about the traces.
    pub(crate) fn traces_message(&self) -> Vec<u8> {
        let ways = |line: &path::Polyline| line.pieces().map(|points| pb::Way { points }).collect();
        let paths = self.paths();
        let trace = |path: &RobotPath| pb::Trace {
            body: path.robot,
            true_way: ways(&path.true_path),
            believed: ways(&path.believed),
        };
        let traces = paths.paths.iter().map(trace).collect();
        drop(paths);
        now::server_message(pb::server_message::Kind::Traces(pb::Traces { traces }))
    }

    fn changed(&self, paths: &Paths) {
        self.0.traced.store(paths.paths.len() as u64, Ordering::Release);
        self.0.traces.fetch_add(1, Ordering::Release);
    }

    fn lock_view(&self) -> MutexGuard<'_, Option<Viewpoint>> {
        self.0.view.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn paths(&self) -> MutexGuard<'_, Paths> {
        self.0.paths.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn notice(level: pb::notice::Level, text: String, refusal: pb::Refusal) -> Vec<u8> {
    let (level, refusal) = (level.into(), Some(refusal));
    let notice = pb::Notice { level, text, refusal, ..pb::Notice::default() };
    now::server_message(pb::server_message::Kind::Notice(notice))
}
