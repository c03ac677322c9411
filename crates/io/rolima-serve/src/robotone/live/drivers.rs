//! Robots that programs take and give back.

use super::LiveRobots;
use crate::robotone::robots::{Driver, RequestError, Robots};
use rolima_core::RobotId;
use rolima_run::live::{Action, Holder, Purpose, Request};
use std::time::Instant;

impl LiveRobots {
    /// Says who drives a robot from now on; the seats say whether they may.
    pub(super) fn change_driver(&self, robot: u32, to: Driver) -> Result<(), RequestError> {
        let name = self.name(robot);
        let mut seats = self.setup.seats.lock();
        let mut state = self.state();
        let program = match to {
            Driver::Program(client) | Driver::PeopleBesides(client) => Some(client),
            Driver::People => state.programs.get(&robot).copied(),
        };
        let Some(program) = program else { return Ok(()) };
        let (by, drives) = (Holder::Program(program), matches!(to, Driver::Program(_)));
        if drives {
            let words = || name.clone().unwrap_or_else(|| format!("robot {robot}"));
            let held = seats.check(robot, by);
            held.map_err(|held| RequestError::Refused(held.in_words(&words())))?;
        }
        // A robot of a world that is gone needs nobody's care, nor does one that a person drives while
        // the program lets them.
        let is_own = seats.get(robot).is_some_and(|seat| seat.holder == by);
        if name.is_some() && (drives || is_own) {
            self.send(Request::Action(match to {
                Driver::People => Action::Release { robot: RobotId(robot) },
                Driver::Program(_) | Driver::PeopleBesides(_) => {
                    Action::Stop { robot: RobotId(robot) }
                }
            }))?;
        }
        if drives {
            // Checked above.
            let _ = seats.take(robot, by, Purpose::Commands, Instant::now());
        } else {
            seats.give_back(robot, by);
        }
        if to == Driver::People {
            state.programs.remove(&robot);
            state.waiting.remove(&program);
        } else {
            state.programs.insert(robot, program);
        }
        if self.setup.lock_step.is_some() {
            self.go_on(&mut state);
        }
        Ok(())
    }
}
