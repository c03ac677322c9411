//! Which instant of a run is shown, and which can be gone to.

use super::history::{Fidelity, History, HistoryError, HistoryScene, RunInstant};
use super::loaded::Loaded;
use std::sync::Arc;

/// Most futures that are remembered of a run that was taken over again and again.
pub const MOST_FUTURES: usize = 4;

/// What is shown of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShownMode {
    /// Its newest instant.
    #[default]
    Live,
    /// An earlier instant; the run stands.
    Past,
    /// A recording or a log.
    Replay,
}

/// Where a run was taken over from.
#[derive(Clone, Debug, PartialEq)]
pub struct TakenFrom {
    /// The file; empty: the run itself.
    pub file: Arc<str>,
    /// The instant there.
    pub from: RunInstant,
    /// The run time at which this run went on from it, s.
    pub at_s: f64,
    /// Hash of the state there.
    pub state_hash: u64,
}

/// What became of a run before it was taken over.
#[derive(Clone)]
pub struct Future {
    /// Tells it from others.
    pub number: u32,
    /// It.
    pub history: Arc<dyn History>,
    /// The run time of what is shown is so much larger than its own, s.
    pub shift_s: f64,
    /// The part that is another future, in its own run time, s.
    pub span_s: [f64; 2],
}

/// Which instant of a run is shown, and which can be gone to.
#[derive(Clone, Default)]
pub struct ShownTimeline {
    /// What is shown.
    pub mode: ShownMode,
    /// First and last instant that can be gone to.
    pub span: [RunInstant; 2],
    /// The instant that is shown.
    pub at: RunInstant,
    /// Simulated seconds a second; below 0: backwards.
    pub speed: f64,
    /// Whether time goes on.
    pub playing: bool,
    /// The instant that is being gone to, s of the run.
    pub seeking_s: Option<f64>,
    /// Whether it would be taken over now.
    pub may_take_over: bool,
    /// How far what is shown is what was.
    pub fidelity: Fidelity,
    /// Where the run was taken over from, the last time.
    pub origin: Option<TakenFrom>,
    /// Counts up when what can be gone to is something else than before, other than that the run went on.
    pub course: u32,
    /// What a live run keeps at most, s.
    pub kept_s: f64,
    /// What can be gone back to.
    pub history: Option<Arc<dyn History>>,
    /// The scene that is shown.
    pub scene: Option<Arc<HistoryScene>>,
    /// The scene of the live run.
    pub live_scene: Option<Arc<HistoryScene>>,
    /// What became of the run before it was taken over.
    pub futures: Vec<Future>,
    /// Why the past could not be shown, the last time.
    pub error: Option<HistoryError>,
}

/// How to go to another instant.
pub enum Travel {
    /// To a run time, s.
    Seek(f64),
    /// By so many steps.
    Step(i64),
    /// Goes on at this speed, simulated seconds a second; below 0: backwards.
    Play(f64),
    /// Stands still.
    Stop,
    /// Back to the live run.
    ToLive,
    /// The instant shown becomes the live one.
    TakeOver {
        /// Key of random numbers from there on.
        seed: Option<u64>,
        /// The scene with other settings, ready to run.
        loaded: Option<Arc<Loaded>>,
        /// Told what became of it, on the loop's thread. Must not block.
        tell: TravelAnswer,
    },
}

/// Told whether an instant was taken over.
pub type TravelAnswer = Box<dyn FnOnce(Result<(), TravelRefusal>) + Send>;

/// Why the instant shown is not another one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TravelRefusal {
    /// Nothing is kept.
    #[error("nothing of this run is kept to go back to (`--keep`)")]
    NothingKept,
    /// Controllers go on with their answers only.
    #[error("the run is in lock step, where nobody goes back")]
    LockStep,
    /// It is the live one.
    #[error("the newest instant is shown: there is nothing to take over")]
    IsLive,
    /// It is on its way.
    #[error("the instant is not there yet")]
    NotThere,
    /// It is not what was.
    #[error("what is shown was not simulated to the recorded bits: it cannot be taken over")]
    Inexact,
    /// The settings do not fit.
    #[error("{0}")]
    Settings(String),
}
