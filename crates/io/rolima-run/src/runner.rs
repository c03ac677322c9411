//! Runs a world until it is told to stop.

use crate::chunk::Chunk;
use crate::clock::{Clock, WallClock};
use crate::pace::{Due, Pace};
use crate::report::Report;
use crate::speed::Speed;
use rolima_core::World;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Longest wall time between two turns, s, as far as single steps allow.
const TURN_S: f64 = 0.005;

/// What the hook sees and may change at every turn: every few milliseconds, between two steps.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Wall time since the run began, s.
    pub wall_s: f64,
    /// How fast the world shall run.
    pub speed: Speed,
    /// Whether the world stands still.
    pub paused: bool,
    /// Steps to do while it stands still; counts down.
    pub single_steps: u64,
    /// Ends the run.
    pub stop: bool,
    /// How often so far the run fell so far behind its speed that it gave the lag up.
    pub missed: u64,
}

/// Runs worlds at a speed.
pub struct Runner<C = WallClock> {
    clock: C,
    speed: Speed,
    steps: Option<u64>,
    stop: Arc<AtomicBool>,
}

impl Runner<WallClock> {
    /// A runner that goes on until it is stopped.
    pub fn new(speed: Speed) -> Self {
        Self::with_clock(speed, WallClock::default())
    }
}

impl<C: Clock> Runner<C> {
    /// A runner with a clock of its own.
    pub fn with_clock(speed: Speed, clock: C) -> Self {
        Self { clock, speed, steps: None, stop: Arc::default() }
    }

    /// Ends a run after so many steps.
    pub fn for_steps(mut self, steps: u64) -> Self {
        self.steps = Some(steps);
        self
    }

    /// Ends the run soon after somebody sets this flag.
    pub fn stop_flag(mut self, stop: Arc<AtomicBool>) -> Self {
        self.stop = stop;
        self
    }

    /// Runs a world. Every few milliseconds, and before the first step, `hook` may look at it,
    /// command robots, and change speed or pause. What the hook takes the simulation waits, so it
    /// must not block.
    pub fn run(
        &mut self,
        world: &mut World,
        mut hook: impl FnMut(&mut Turn, &mut World),
    ) -> Report {
        let begin_s = self.clock.now_s();
        let mut pace = Pace::new(self.speed, world.model().step_s, begin_s);
        let mut chunk = Chunk::new(TURN_S);
        let mut turn = Turn {
            wall_s: 0.0,
            speed: self.speed,
            paused: false,
            single_steps: 0,
            stop: false,
            missed: 0,
        };
        let mut was_paused = false;
        let mut steps = 0;
        loop {
            turn.wall_s = self.clock.now_s() - begin_s;
            turn.missed = pace.missed();
            hook(&mut turn, world);
            let left = self.steps.map_or(u64::MAX, |all| all - steps);
            if turn.stop || left == 0 || self.stop.load(Ordering::Relaxed) {
                break;
            }
            let now_s = self.clock.now_s();
            pace.set_speed(turn.speed, now_s);
            // Time that passes in a pause is never due, up to the very instant of going on.
            if turn.paused || was_paused {
                pace.restart(now_s);
            }
            was_paused = turn.paused;
            let wanted = if turn.paused {
                turn.single_steps
            } else {
                turn.single_steps = 0;
                match pace.due(now_s) {
                    Due::Steps(due) => due,
                    Due::Any => u64::MAX,
                    Due::Wait(wait_s) => {
                        self.clock.wait_s(wait_s.min(TURN_S));
                        continue;
                    }
                }
            };
            if wanted == 0 {
                self.clock.wait_s(TURN_S);
                continue;
            }
            let count = wanted.min(left).min(chunk.steps());
            world.steps(count);
            steps += count;
            turn.single_steps = turn.single_steps.saturating_sub(count);
            pace.did(count);
            chunk.fit(count, self.clock.now_s() - now_s);
        }
        let wall_s = self.clock.now_s() - begin_s;
        Report::new(steps, steps as f64 * world.model().step_s, wall_s, &pace)
    }
}

/// The steps that closest simulate `seconds`; a time that is no number or negative has none.
pub fn steps_for(seconds: f64, step_s: f64) -> u64 {
    (seconds / step_s).round() as u64
}
