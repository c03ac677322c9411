//! What the words of a state have to be so that it can be stepped: looked at where a state comes from
//! outside, as a snapshot may have been forged.
//!
//! Most words may be anything: a body whose motion is no motion is taken out by the next step, with an
//! event, and the others go on. Here is what steps rely on without looking.

use crate::commands::Command;
use crate::snapshot::SnapshotError;
use crate::state::{State, Visitor};
use rolima_model::{Model, RobotId};

/// Most steps of a state: of a microsecond each, of nine years. A sensor's next reading is found by
/// times that are told apart up to here.
const MOST_STEPS: u64 = 1 << 48;

/// Largest number that counts something which no step does more than some times.
const MOST_COUNTED: u64 = 1 << 62;

/// An error that names a word and what was expected of it, where that does not hold.
pub(crate) fn holds(
    it_does: bool,
    what: &'static str,
    expected: &'static str,
) -> Result<(), SnapshotError> {
    if it_does { Ok(()) } else { Err(SnapshotError::Word { what, expected }) }
}

impl State {
    /// Whether steps can be made from this state of a model, whose lists have the right lengths.
    pub(crate) fn check(&mut self, model: &Model) -> Result<(), SnapshotError> {
        holds(self.step <= MOST_STEPS, "the number of steps", "at most 2^48")?;
        let mut numbers = AreFinite(true);
        self.visit_orders(&mut numbers);
        holds(numbers.0, "what robots are told", "finite numbers")?;
        for (robot, waiting) in (0..).map(RobotId).zip(&self.waiting) {
            let known = match waiting {
                Some(Command::Direct { actuator, .. }) => {
                    (*actuator as usize) < model.actuators_of(robot.0).len()
                }
                _ => true,
            };
            holds(known, "a command that waits", "an actuator of the robot")?;
        }
        let patience = self.drivers.iter().all(|driver| driver.patience > -(1 << 32));
        holds(patience, "a driver's patience", "more than -2^32")?;
        let counted = self.event_counts.iter().chain(&self.scores);
        holds(counted.max() < Some(&MOST_COUNTED), "a count of events", "below 2^62")?;
        self.senses.check()?;
        self.engine.check(model, self.step)
    }
}

/// Whether all numbers are finite.
pub(crate) struct AreFinite(pub(crate) bool);

impl Visitor for AreFinite {
    fn word(&mut self, _: &mut u64) {}

    fn number(&mut self, x: &mut f64) {
        self.0 &= x.is_finite();
    }
}
