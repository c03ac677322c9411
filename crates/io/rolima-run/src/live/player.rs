//! A world and the hands on it: what acts do, live and in a replay alike.

use super::contract::Act;
use super::hands::Hands;
use rolima_core::{Model, World};
use std::sync::Arc;

/// A world and the hands on it.
///
/// The same acts at the same steps give the same bits, whoever plays them: the live loop, or the
/// replay of its log.
pub struct Player {
    world: World,
    hands: Hands,
    steps_done: u64,
    /// Simulated time, s, and steps of the scenes before this one.
    earlier: (f64, u64),
}

impl Player {
    /// A world at its first instant.
    pub fn new(model: Arc<Model>, seed: u64) -> Self {
        Self {
            world: World::with_seed(model, seed),
            hands: Hands::default(),
            steps_done: 0,
            earlier: (0.0, 0),
        }
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Steps done since this player began; goes on counting over resets and other scenes.
    pub fn steps_done(&self) -> u64 {
        self.steps_done
    }

    /// Simulated time since this player began, s, over resets and other scenes.
    pub fn simulated_s(&self) -> f64 {
        let (seconds, steps) = self.earlier;
        seconds + (self.steps_done - steps) as f64 * self.world.model().step_s
    }

    /// Hash of every bit of the world's state.
    pub fn state_hash(&self) -> u64 {
        self.world.state_hash()
    }

    /// Does something to the world, before its next step. False where the world refuses.
    pub fn act(&mut self, act: &Act) -> bool {
        let world = &mut self.world;
        match *act {
            Act::Command { robot, command } => world.command(robot, command).is_ok(),
            Act::Stop { robot } => world.stop(robot).is_ok(),
            Act::Release { robot } => {
                world.release(robot);
                (robot as usize) < world.model().robots.len()
            }
            Act::Place { slot, pose } => world.place_body(slot, pose),
            Act::Push { slot, point, impulse } => world.push(slot, point, impulse),
            Act::Grab { slot, own, hand } => self.hands.grab(world, slot, own, hand),
            Act::LetGo { slot } => self.hands.let_go(slot),
            Act::Sigma { device, axis, sigma } => {
                world.set_sigma(device as usize, axis as usize, sigma).is_ok()
            }
            Act::Believe { robot, pose } => world.set_odometry(robot, pose),
        }
    }

    /// Steps the world; hands pull before every step.
    pub fn steps(&mut self, count: u64) {
        if self.hands.is_empty() {
            self.world.steps(count);
        } else {
            for _ in 0..count {
                self.hands.pull(&mut self.world);
                self.world.step();
            }
        }
        self.steps_done += count;
    }

    /// Back to the first instant, same seed; hands let go.
    pub fn reset(&mut self) {
        self.reset_with_seed(self.world.state().seed);
    }

    /// Back to the first instant with another seed; hands let go.
    pub fn reset_with_seed(&mut self, seed: u64) {
        self.hands.clear();
        self.world.reset_with_seed(seed);
    }

    /// Another scene at its first instant, with its own seed; hands let go.
    pub fn load(&mut self, model: Arc<Model>) {
        self.hands.clear();
        self.earlier = (self.simulated_s(), self.steps_done);
        self.world = World::new(model);
    }

    /// Forgets the world's events, once somebody has looked at them.
    pub fn clear_events(&mut self) {
        self.world.clear_events();
    }
}
