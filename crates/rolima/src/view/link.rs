//! What passes between the simulation and the view. Neither ever waits for the other's work: the
//! simulation leaves pictures in a slot if nobody is just taking one, and looks for orders without
//! blocking.

use super::events;
use rolima_core::{Event, Frame, Volts, World};
use rolima_run::{Speed, Turn};
use std::collections::VecDeque;
use std::sync::mpsc::Receiver;
use std::sync::{Mutex, TryLockError};

/// What the view shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Picture {
    pub(super) frame: Frame,
    /// The latest events worth reading, the newest last.
    pub(super) events: VecDeque<Event>,
    pub(super) pace: Pace,
}

/// How the run goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pace {
    pub(super) speed: Speed,
    pub(super) paused: bool,
    /// Steps a second of wall time, lately.
    pub(super) steps_per_s: f64,
    /// Simulated time by wall time, lately.
    pub(super) real_time_factor: f64,
    /// How often the run fell too far behind its speed.
    pub(super) missed: u64,
}

impl Default for Pace {
    fn default() -> Self {
        let (speed, paused, missed) = (Speed::REAL_TIME, false, 0);
        Self { speed, paused, steps_per_s: 0.0, real_time_factor: 0.0, missed }
    }
}

/// What the view asks of the simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Order {
    TogglePause,
    SingleStep,
    Faster,
    Slower,
    /// As fast as possible, and back to real time.
    ToggleMax,
    Reset,
    Drive(u32, Volts),
    Release(u32),
}

/// The latest picture.
#[derive(Debug, Default)]
pub(super) struct Slot {
    latest: Mutex<(Picture, bool)>,
}

impl Slot {
    /// Swaps a newer picture in, if there is one.
    pub(super) fn take(&self, picture: &mut Picture) {
        // A simulation that panicked while it wrote leaves the last whole frame or a mixture of
        // two; the view ends soon after in any case.
        let mut slot = self.latest.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let (latest, is_new) = &mut *slot;
        if *is_new {
            std::mem::swap(latest, picture);
            *is_new = false;
        }
    }

    /// Lets `fill` write the latest picture, unless the view is just taking one.
    fn offer(&self, fill: impl FnOnce(&mut Picture)) -> bool {
        match self.latest.try_lock() {
            Ok(mut slot) => {
                fill(&mut slot.0);
                slot.1 = true;
                true
            }
            Err(TryLockError::WouldBlock | TryLockError::Poisoned(_)) => false,
        }
    }
}

/// Wall time between pictures, s.
const PICTURE_S: f64 = 1.0 / 60.0;
/// Wall time over which rates are taken, s.
const RATE_S: f64 = 0.5;
const MOST_EVENTS: usize = 100;

/// The simulation's end: obeys orders and leaves pictures.
pub(super) struct Desk<'a> {
    slot: &'a Slot,
    orders: Receiver<Order>,
    events: VecDeque<Event>,
    pace: Pace,
    next_picture_s: f64,
    /// Wall time and step at which the rates were last taken.
    rates_taken: (f64, u64),
}

impl<'a> Desk<'a> {
    pub(super) fn new(slot: &'a Slot, orders: Receiver<Order>) -> Self {
        Self {
            slot,
            orders,
            events: VecDeque::with_capacity(MOST_EVENTS),
            pace: Pace::default(),
            next_picture_s: 0.0,
            rates_taken: (0.0, 0),
        }
    }

    /// The runner's hook.
    pub(super) fn turn(&mut self, turn: &mut Turn, world: &mut World) {
        while let Ok(order) = self.orders.try_recv() {
            if order == Order::Reset {
                self.events.clear();
                self.rates_taken = (turn.wall_s, 0);
            }
            obey(order, turn, world);
            self.next_picture_s = turn.wall_s;
        }
        if turn.wall_s < self.next_picture_s {
            return;
        }
        self.next_picture_s = turn.wall_s + PICTURE_S;
        for event in world.take_events().into_iter().filter(events::is_told) {
            if self.events.len() == MOST_EVENTS {
                self.events.pop_front();
            }
            self.events.push_back(event);
        }
        self.update_pace(turn, world);
        let (events, pace) = (&self.events, self.pace);
        self.slot.offer(|picture| {
            picture.frame.fill(world.model(), world.state());
            picture.events.clone_from(events);
            picture.pace = pace;
        });
    }

    fn update_pace(&mut self, turn: &Turn, world: &World) {
        (self.pace.speed, self.pace.paused) = (turn.speed, turn.paused);
        self.pace.missed = turn.missed;
        let (since_s, since_step) = self.rates_taken;
        let (wall_s, step) = (turn.wall_s - since_s, world.state().step);
        if wall_s >= RATE_S {
            self.pace.steps_per_s = step.saturating_sub(since_step) as f64 / wall_s;
            self.pace.real_time_factor = self.pace.steps_per_s * world.model().step_s;
            self.rates_taken = (turn.wall_s, step);
        }
    }
}

/// Speeds that + and - choose from go from 1/64 to 1,024, by factors of two.
const SLOWEST: f64 = 1.0 / 64.0;
const FASTEST: f64 = 1024.0;

fn obey(order: Order, turn: &mut Turn, world: &mut World) {
    match order {
        Order::TogglePause => turn.paused = !turn.paused,
        Order::SingleStep => {
            turn.paused = true;
            turn.single_steps += 1;
        }
        Order::Faster => {
            turn.speed = match turn.speed {
                Speed::Factor(factor) if 2.0 * factor <= FASTEST => Speed::factor(2.0 * factor),
                _ => Speed::Max,
            };
        }
        Order::Slower => {
            turn.speed = match turn.speed {
                Speed::Factor(factor) => Speed::factor((0.5 * factor).max(SLOWEST)),
                Speed::Max => Speed::factor(FASTEST),
            };
        }
        Order::ToggleMax => {
            turn.speed = if turn.speed == Speed::Max { Speed::REAL_TIME } else { Speed::Max };
        }
        Order::Reset => world.reset(),
        // A refusal is an event, which the view shows.
        Order::Drive(robot, volts) => drop(world.command(robot, volts)),
        Order::Release(robot) => world.release(robot),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::builtin;
    use rolima_run::Runner;
    use std::sync::mpsc::channel;

    #[test]
    fn orders_reach_the_simulation_and_pictures_the_view() {
        let mut world = World::new(builtin("soccer", &[]).unwrap());
        let slot = Slot::default();
        let (send, orders) = channel();
        let mut desk = Desk::new(&slot, orders);
        for order in [
            Order::SingleStep,
            Order::SingleStep,
            Order::Faster,
            Order::Drive(1, Volts { right: 3.0, left: 2.0 }),
        ] {
            send.send(order).unwrap();
        }
        let mut seen = Picture::default();
        let mut turns = 0;
        Runner::new(Speed::REAL_TIME).run(&mut world, |turn, world| {
            desk.turn(turn, world);
            turns += 1;
            // By its orders the world does two steps and stands still.
            slot.take(&mut seen);
            turn.stop = seen.frame.step == 2;
            assert!(turns < 1_000_000 && world.state().step <= 2);
        });
        assert!(seen.pace.paused && seen.pace.speed == Speed::Factor(2.0));
        assert_eq!(seen.frame.bodies[1].volts, [3.0, 2.0]);
    }

    #[test]
    fn the_simulation_never_waits_for_the_view() {
        let slot = Slot::default();
        let taking = slot.latest.lock().unwrap();
        assert!(!slot.offer(|_| panic!("the view has the slot")));
        drop(taking);
        assert!(slot.offer(|picture| picture.frame.step = 7));
        let mut seen = Picture::default();
        slot.take(&mut seen);
        assert_eq!(seen.frame.step, 7);
        seen.frame.step = 8;
        slot.take(&mut seen);
        assert_eq!(seen.frame.step, 8, "an old picture does not come again");
    }

    #[test]
    fn speeds_go_up_to_max_and_down_to_slow_motion() {
        let mut world = World::new(builtin("open-loop", &[]).unwrap());
        Runner::new(Speed::REAL_TIME).run(&mut world, |turn, world| {
            (0..11).for_each(|_| obey(Order::Faster, turn, world));
            assert_eq!(turn.speed, Speed::Max);
            obey(Order::Slower, turn, world);
            assert_eq!(turn.speed, Speed::Factor(1024.0));
            (0..30).for_each(|_| obey(Order::Slower, turn, world));
            assert_eq!(turn.speed, Speed::Factor(SLOWEST));
            obey(Order::ToggleMax, turn, world);
            obey(Order::ToggleMax, turn, world);
            assert_eq!(turn.speed, Speed::REAL_TIME);
            turn.stop = true;
        });
    }
}
