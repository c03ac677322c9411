//! What a controller in lock step is told.

use super::contract::PublishedContact;
use rolima_core::{Event, Frame, SenseState};

/// Where a controller in lock step is told that the world waits for it.
pub trait TurnSink: Send {
    /// The world waits for this controller's answer. Must not block. There is at most one unanswered
    /// turn a controller.
    fn turn(&mut self, turn: &PublishedTurn<'_>);

    /// How many steps after `step` this controller's next turn is, at least 1; its first is at step 0.
    /// By default a turn every `period` steps, as it joined with.
    fn steps_to_turn(&self, period: u64, step: u64) -> u64 {
        period - step % period
    }

    /// Something that this controller asked for was refused. Must not block.
    fn refused(&mut self, _why: TurnRefusal) {}
}

/// What a controller in lock step sees when the world waits for it: the same in every run with the
/// same answers, whatever the clock says.
#[derive(Clone, Copy)]
pub struct PublishedTurn<'a> {
    /// Which scene.
    pub generation: u32,
    /// The bodies, and what sensors read.
    pub frame: &'a Frame,
    /// The sensors, as in [`super::Publication`].
    pub senses: &'a SenseState,
    /// Points where bodies pressed in the last step.
    pub contacts: &'a [PublishedContact],
    /// What happened since this controller's last turn, or since it joined; at most
    /// [`super::MOST_EVENTS_TOLD`].
    pub events: &'a [Event],
    /// How many more there were.
    pub events_left_out: u64,
}

/// Why a controller's request in lock step was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TurnRefusal {
    /// The run is not in lock step.
    #[error("this run is not in lock step")]
    NotLockStep,
    /// Somebody else has this number.
    #[error("controller {0} takes part already")]
    NumberTaken(u32),
    /// A period of no steps.
    #[error("expected a period of at least 1 step, got 0")]
    Period,
    /// Too many take part.
    #[error("expected at most {} controllers", super::MOST_CONTROLLERS)]
    TooMany,
    /// Somebody who does not take part.
    #[error("controller {0} does not take part")]
    NotJoined(u32),
    /// An answer for another step than the one that was asked for.
    #[error("expected an answer for step {expected}, got one for step {got}")]
    WrongStep {
        /// The step of the turn.
        expected: u64,
        /// The step of the answer.
        got: u64,
    },
    /// An answer without a turn, or a second one.
    #[error("expected no answer now, got one for step {got}")]
    NotAsked {
        /// The step of the answer.
        got: u64,
    },
    /// An answer with more commands than there are robots.
    #[error("expected at most {most} commands, got {got}")]
    Commands {
        /// Robots of the scene.
        most: usize,
        /// Commands of the answer.
        got: usize,
    },
}
