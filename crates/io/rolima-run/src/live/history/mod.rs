//! What was simulated of a run, to go back to: a recording, or the last minute of a live run in memory.
//!
//! ```text
//!  History ──stretch of a step──► Stretch: where it begins, and what was done in it
//!  Stretch ──restored, simulated again──► Rerun: the run at any step, to the bit
//!  steps wanted ──► Seeker, a thread ──► Found: a rerun there, and what was saved on the way
//! ```
//!
//! | module | what |
//! |---|---|
//! | `stretch` | a part of a run: a saved simulation, and what was done from there on |
//! | `rerun` | a run simulated again, step by step |
//! | `memory` | the last minute of a live run |
//! | `dense` | instants saved close together, to play backwards |
//! | `seeker` | going to a step, beside the loop |
//! | `mark` | what happened, in words |
//! | `series` | values of channels over a stretch of time |

pub(super) mod dense;
mod mark;
mod memory;
mod rerun;
pub(super) mod seeker;
mod series;
mod stretch;

pub use dense::KeptStep;
pub use mark::{HistoryMark, HistoryMarks, MOST_MARKS, mark_of_event};
pub use memory::{Keep, MemoryHistory};
pub use rerun::{Fidelity, Rerun, StretchRerun, Stretches};
pub use series::{
    PointTaker, Points, SeriesChannel, SeriesPoint, SeriesWanted, body_channel, pose_channels,
    simulated_series,
};
pub use stretch::{HistoryScene, Stretch, StretchStart, kept_bytes};

use std::sync::Arc;

/// Between two steps of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunInstant {
    /// Steps that were done, over resets and other scenes.
    pub step: u64,
    /// Simulated time, s, over resets and other scenes.
    pub time_s: f64,
}

/// Why an instant of a run cannot be shown.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct HistoryError(pub String);

/// What was simulated of a run and can be gone back to. Its instants are all between its steps; one is what was
/// after all that was done at it.
pub trait History: Send + Sync {
    /// The file that it is read from, for people; empty: none.
    fn file(&self) -> &str;
    /// First and last instant.
    fn span(&self) -> [RunInstant; 2];
    /// The instant within the span that is nearest to a run time, s.
    fn nearest(&self, time_s: f64) -> RunInstant;
    /// The run somewhere at this step or not long before it.
    fn rerun(self: Arc<Self>, step: u64) -> Result<Box<dyn Rerun>, HistoryError>;
    /// What happened.
    fn marks(&self) -> Result<HistoryMarks, HistoryError>;
    /// Values of channels over a stretch of time, point after point; ends early where the taker says so.
    fn series(
        self: Arc<Self>,
        wanted: &SeriesWanted,
        take: &mut PointTaker<'_>,
    ) -> Result<Vec<SeriesChannel>, HistoryError>;
    /// The scene that it begins with.
    fn first_scene(&self) -> Result<Arc<HistoryScene>, HistoryError>;
}
