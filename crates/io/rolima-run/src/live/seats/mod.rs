//! Who drives which robot: one table that the page, the terminal, programs of Robot One, controllers in
//! lock step and goals ask, so that all of them give the same answer.
//!
//! A state machine without sockets and without a clock: whoever asks says what time it is. It is no part
//! of a world's state: clients are not restored with a world, and a replay has none.
//!
//! | who asks \ who holds | nobody | viewer | terminal | program | controller |
//! |---|---|---|---|---|---|
//! | viewer | takes | refused | refused | refused | refused |
//! | terminal | takes | refused | refused | refused | refused |
//! | program | takes | takes over | takes over | refused | refused |
//! | controller | takes | refused | refused | refused | takes over |
//!
//! Whoever asks again for what it holds keeps it; a client that is both viewer and controller is one. A
//! program takes over as its protocol knows no refusal for that, and people can take robots from programs
//! altogether. Controllers may answer for the same robot: their answers take effect in the order of
//! their numbers, whichever came first, so that the bits depend on the answers only.
//!
//! A goal is driven for whoever set it, who holds the robot meanwhile. Reading sensors asks nothing here.

mod shared;
#[cfg(test)]
mod tests;

pub use shared::SharedSeats;

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The number of a run's first scene.
const FIRST_SCENE: u32 = 1;

/// Somebody who can hold a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Holder {
    /// A client of the live protocol, such as a page, by its number.
    Viewer(u32),
    /// Who sits at the terminal of the run.
    Terminal,
    /// A program of Robot One, by its number.
    Program(u32),
    /// A client that commands the robot by its answers in lock step, by its number as a viewer.
    Controller(u32),
}

impl Holder {
    /// The number of a client of the live protocol.
    pub fn client(self) -> Option<u32> {
        match self {
            Self::Viewer(client) | Self::Controller(client) => Some(client),
            Self::Terminal | Self::Program(_) => None,
        }
    }

    /// Whether these are the same one, perhaps in two roles.
    fn is_same(self, other: Self) -> bool {
        self == other || self.client().is_some_and(|client| other.client() == Some(client))
    }

    /// Whether it may take a robot that `other` holds.
    fn takes_over(self, other: Self) -> bool {
        matches!(
            (self, other),
            (Self::Program(_), Self::Viewer(_) | Self::Terminal)
                | (Self::Controller(_), Self::Controller(_))
        )
    }
}

/// What a robot is held for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// To be commanded.
    Commands,
    /// It was sent to a pose and goes there by itself.
    Goal,
}

/// A robot that somebody holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// Who.
    pub holder: Holder,
    /// Since when.
    pub since: Instant,
    /// What for.
    pub purpose: Purpose,
    /// When it was last commanded.
    commanded: Instant,
    /// Whether it was stopped because of silence.
    stopped: bool,
}

/// A robot that is held, and by whom: why somebody else cannot have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldSeat {
    /// Number of the robot.
    pub robot: u32,
    /// Who holds it.
    pub holder: Holder,
    /// What the holder is called; empty where it has no name.
    pub name: String,
    /// What it is held for.
    pub purpose: Purpose,
    /// Since when it is held.
    pub since: Instant,
}

impl HeldSeat {
    /// One line for people, in English, with the robot's name.
    pub fn in_words(&self, robot: &str) -> String {
        let name = if self.name.is_empty() { "somebody" } else { &self.name };
        match (self.holder, self.purpose) {
            (Holder::Viewer(_), Purpose::Commands) => format!("{name} drives {robot}."),
            (Holder::Viewer(_), Purpose::Goal) => format!("{name} has sent {robot} to a goal."),
            (Holder::Terminal, _) => format!("Somebody at the terminal drives {robot}."),
            (Holder::Program(_), _) => format!("A program drives {robot} (Robot One)."),
            (Holder::Controller(_), _) => format!("{name} drives {robot} in lock step."),
        }
    }
}

/// Why a command is not taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotHeld {
    /// Somebody else holds the robot.
    Held(HeldSeat),
    /// Nobody does: it has to be taken first.
    Free,
}

/// What came of taking a robot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SeatTaken {
    /// Whether it was not held by the same one before.
    pub is_new: bool,
    /// Who has lost it by that.
    pub from: Option<Holder>,
}

/// What a robot does while nobody commands it, for [`Seats::time_out`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Idle {
    /// It is on its way to a goal, or there.
    pub has_goal: bool,
    /// Its built-in driver is at it, as after a reset.
    pub drives_itself: bool,
}

/// Who holds which robot; see the [module](self).
#[derive(Clone, Debug, Default)]
pub struct Seats {
    seats: BTreeMap<u32, Seat>,
    /// Names of the clients of the live protocol.
    names: BTreeMap<u32, String>,
    generation: u32,
    changes: u64,
}

impl Seats {
    /// Who holds a robot, if somebody does.
    pub fn get(&self, robot: u32) -> Option<&Seat> {
        self.seats.get(&robot)
    }

    /// All robots that are held, in their order.
    pub fn all(&self) -> impl Iterator<Item = HeldSeat> {
        self.seats.iter().map(|(robot, seat)| self.held(*robot, seat))
    }

    /// What a holder is called; empty where it has no name.
    pub fn name(&self, holder: Holder) -> &str {
        holder.client().and_then(|client| self.names.get(&client)).map_or("", String::as_str)
    }

    /// Counts the changes of who holds what, and of holders' names.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Whether somebody may take a robot: says who would lose it, or who holds it.
    pub fn check(&self, robot: u32, by: Holder) -> Result<Option<Holder>, HeldSeat> {
        match self.seats.get(&robot) {
            None => Ok(None),
            Some(seat) if by.is_same(seat.holder) => Ok(None),
            Some(seat) if by.takes_over(seat.holder) => Ok(Some(seat.holder)),
            Some(seat) => Err(self.held(robot, seat)),
        }
    }

    /// Takes a robot, or keeps it, for this purpose from now on. Counts as a command.
    pub fn take(
        &mut self,
        robot: u32,
        by: Holder,
        purpose: Purpose,
        now: Instant,
    ) -> Result<SeatTaken, HeldSeat> {
        let from = self.check(robot, by)?;
        let before = self.seats.get(&robot).filter(|seat| by.is_same(seat.holder));
        // A robot that was claimed stays so when its holder answers for it in lock step, too.
        let holder = match before.map(|seat| seat.holder) {
            Some(claimed @ Holder::Viewer(_)) => claimed,
            _ => by,
        };
        let since = before.map_or(now, |seat| seat.since);
        let is_new = before.is_none();
        let is_change = before.is_none_or(|b| (b.holder, b.purpose) != (holder, purpose));
        let seat = Seat { holder, since, purpose, commanded: now, stopped: false };
        self.seats.insert(robot, seat);
        self.changes += u64::from(is_change);
        Ok(SeatTaken { is_new, from })
    }

    /// Refuses whoever does not hold a robot.
    pub fn must_hold(&self, robot: u32, by: Holder) -> Result<(), NotHeld> {
        match self.seats.get(&robot) {
            None => Err(NotHeld::Free),
            Some(seat) if by.is_same(seat.holder) => Ok(()),
            Some(seat) => Err(NotHeld::Held(self.held(robot, seat))),
        }
    }

    /// Takes note of a command at this instant by whoever holds a robot; one that holds longer than the
    /// silence that is borne counts as given later. It ends a goal.
    pub fn command(&mut self, robot: u32, by: Holder, at: Instant) -> Result<(), NotHeld> {
        self.must_hold(robot, by)?;
        if let Some(seat) = self.seats.get_mut(&robot) {
            self.changes += u64::from(seat.purpose != Purpose::Commands);
            (seat.purpose, seat.commanded, seat.stopped) = (Purpose::Commands, at, false);
        }
        Ok(())
    }

    /// Gives a robot back. False where it was not held by this one.
    pub fn give_back(&mut self, robot: u32, by: Holder) -> bool {
        let is_own = self.seats.get(&robot).is_some_and(|seat| by.is_same(seat.holder));
        if is_own {
            self.seats.remove(&robot);
            self.changes += 1;
        }
        is_own
    }

    /// Somebody goes: gives back all that it held, in order, and forgets its name.
    pub fn leave(&mut self, by: Holder) -> Vec<u32> {
        let gone = self.seats.extract_if(.., |_, seat| by.is_same(seat.holder));
        let robots: Vec<u32> = gone.map(|(robot, _)| robot).collect();
        by.client().map(|client| self.names.remove(&client));
        self.changes += u64::from(!robots.is_empty());
        robots
    }

    /// A client of the live protocol is called so from now on.
    pub fn rename(&mut self, client: u32, name: &str) {
        self.names.insert(client, name.to_owned());
        let holds = self.seats.values().any(|seat| seat.holder.client() == Some(client));
        self.changes += u64::from(holds);
    }

    /// Robots that viewers have left without a command for so long, and that have to be stopped now. They
    /// stay held. `is_awaited` says of a client that the world waits for it, so that it is never silent.
    ///
    /// The terminal says itself when keys are let go, programs command until they say otherwise, and
    /// controllers are waited for: of these only viewers fall silent.
    pub fn time_out(
        &mut self,
        now: Instant,
        silence: Duration,
        is_awaited: impl Fn(u32) -> bool,
        idle: impl Fn(u32) -> Idle,
    ) -> Vec<u32> {
        let mut stops = vec![];
        for (robot, seat) in &mut self.seats {
            let Holder::Viewer(client) = seat.holder else { continue };
            if now.saturating_duration_since(seat.commanded) < silence || is_awaited(client) {
                continue;
            }
            let Idle { has_goal, drives_itself } = idle(*robot);
            if seat.purpose == Purpose::Goal {
                if has_goal {
                    continue;
                }
                seat.purpose = Purpose::Commands;
                self.changes += 1;
            }
            if !seat.stopped || drives_itself {
                (seat.stopped, seat.commanded) = (true, now);
                stops.push(*robot);
            }
        }
        stops
    }

    /// Another scene, by the number that the run counts them with: its robots are others, so nobody holds
    /// them but programs, which choose robots by number and keep theirs. Older scenes change nothing.
    pub fn begin_scene(&mut self, generation: u32) {
        // Robots of the first scene may be taken before anybody has told of it.
        if generation <= self.generation.max(FIRST_SCENE) {
            return;
        }
        self.generation = generation;
        let before = self.seats.len();
        self.seats.retain(|_, seat| matches!(seat.holder, Holder::Program(_)));
        self.changes += u64::from(before != self.seats.len());
    }

    fn held(&self, robot: u32, seat: &Seat) -> HeldSeat {
        let Seat { holder, purpose, since, .. } = *seat;
        HeldSeat { robot, holder, name: self.name(holder).to_owned(), purpose, since }
    }
}
