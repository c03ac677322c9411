//! A world and the hands on it: what acts do, live and in a replay alike.

use super::contract::{Act, GoalShown};
use super::goals::Goals;
use super::hands::Hands;
use super::scenes::{SceneSummary, ScenesLeft};
use rolima_core::{Instant, Model, Probe, Schema, World};
use std::sync::Arc;

/// A world and the hands on it.
///
/// The same acts at the same steps give the same bits, whoever plays them: the live loop, or the
/// replay of its log.
pub struct Player {
    world: World,
    hands: Hands,
    goals: Goals,
    steps_done: u64,
    /// Simulated time, s, and steps of the scenes before this one.
    earlier: (f64, u64),
    /// How often this scene began.
    starts: u64,
    left: ScenesLeft,
}

impl Player {
    /// A world at its first instant.
    pub fn new(model: Arc<Model>, seed: u64) -> Self {
        Self {
            world: World::with_seed(model, seed),
            hands: Hands::default(),
            goals: Goals::default(),
            steps_done: 0,
            earlier: (0.0, 0),
            starts: 1,
            left: ScenesLeft::default(),
        }
    }

    /// A second run in the same state, hands, goals and half-done actions included: it goes on
    /// bit-equal, and neither knows of the other. Observers, and events that nobody has taken, stay here.
    pub fn fork(&self) -> Self {
        Self {
            world: self.world.fork(),
            hands: self.hands.clone(),
            goals: self.goals.clone(),
            steps_done: self.steps_done,
            earlier: self.earlier,
            starts: self.starts,
            left: self.left.clone(),
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

    /// How far it got in the scene that runs.
    pub fn scene(&self) -> SceneSummary {
        let (simulated_s, steps) = self.earlier;
        let own = (self.simulated_s() - simulated_s, self.steps_done - steps);
        SceneSummary::of(&self.world, own, self.starts)
    }

    /// The scenes before the one that runs.
    pub fn scenes_left(&self) -> &ScenesLeft {
        &self.left
    }

    /// Hash of every bit of the world's state.
    pub fn state_hash(&self) -> u64 {
        self.world.state_hash()
    }

    /// The same without a copy of the state, so that the loop allocates nothing for it.
    pub(super) fn state_hash_in_place(&mut self) -> u64 {
        self.world.state_hash_in_place()
    }

    /// Does something to the world, before its next step. False where the world refuses.
    pub fn act(&mut self, act: &Act) -> bool {
        let world = &mut self.world;
        match *act {
            // Whoever takes the wheel ends the robot's errand.
            Act::Command { robot, command } => {
                let is_taken = world.command(robot, command).is_ok();
                if is_taken {
                    self.goals.leave(robot);
                }
                is_taken
            }
            // One that goes somewhere brakes under control. What was refused is shown on: silence stops
            // robots, too, and must not take the reason from those who read it.
            Act::Stop { robot } => self.goals.halt(robot) || world.stop(robot).is_ok(),
            Act::Goal { robot, pose } => {
                let was_going = self.goals.is_going(robot);
                let is_sent = self.goals.send(world, robot, pose);
                if was_going && !is_sent && !self.goals.halt(robot) {
                    let _ = world.stop(robot);
                }
                is_sent
            }
            Act::NoGoal { robot } => {
                let was_going = self.goals.is_going(robot);
                let brakes = self.goals.call_back(robot);
                if was_going && !brakes {
                    return world.stop(robot).is_ok();
                }
                robot.index() < world.model().robots.len()
            }
            Act::Release { robot } => {
                self.goals.leave(robot);
                world.release(robot);
                robot.index() < world.model().robots.len()
            }
            Act::Place { body, pose } => world.place_body(body, pose),
            Act::Push { body, point, impulse } => world.push(body, point, impulse),
            Act::Grab { body, own, hand } => self.hands.grab(world, body, own, hand),
            Act::LetGo { body } => self.hands.let_go(body),
            Act::Sigma { device, axis, sigma } => {
                world.set_sigma(device as usize, axis as usize, sigma).is_ok()
            }
            Act::Believe { robot, pose } => world.set_odometry(robot, pose),
        }
    }

    /// Steps the world, so often or up to its end; hands pull before every step, robots with goals
    /// are commanded every 30 ms. Returns how many steps there were.
    pub fn steps(&mut self, count: u64) -> u64 {
        self.steps_by(count, |world, count| world.steps(count))
    }

    /// The same, of which a probe is told which part of a step is worked on.
    pub fn steps_with(&mut self, count: u64, probe: &mut impl Probe) -> u64 {
        self.steps_by(count, |world, count| world.steps_with(count, probe))
    }

    fn steps_by(&mut self, count: u64, mut step: impl FnMut(&mut World, u64) -> u64) -> u64 {
        let mut left = count;
        while left > 0 && self.world.end().is_none() {
            let mut free = left;
            if !self.goals.is_empty() {
                self.goals.act(&mut self.world);
                free = free.min(self.goals.steps_to_next(&self.world));
            }
            if self.hands.is_empty() {
                left -= step(&mut self.world, free);
            } else {
                for _ in 0..free {
                    if self.world.end().is_some() {
                        break;
                    }
                    self.hands.pull(&mut self.world);
                    left -= step(&mut self.world, 1);
                }
            }
        }
        let done = count - left;
        self.steps_done += done;
        done
    }

    /// What is shown of the robots that have goals; the list keeps its memory.
    pub fn show_goals(&self, shown: &mut Vec<GoalShown>) {
        self.goals.show(shown);
    }

    /// The values of all channels of this world now, goals included. `out` is overwritten.
    pub fn read_channels(&self, schema: &Schema, out: &mut Vec<f64>) {
        let (world, mut shown) = (&self.world, vec![]);
        self.goals.show(&mut shown);
        let goals: Vec<_> = shown.iter().map(GoalShown::report).collect();
        schema.read(Instant { world, frame: &world.frame(), goals: &goals }, out);
    }

    /// Back to the first instant, same seed; hands let go, goals are forgotten.
    pub fn reset(&mut self) {
        self.reset_with_seed(self.world.state().seed);
    }

    /// Back to the first instant with another seed; hands let go, goals are forgotten.
    pub fn reset_with_seed(&mut self, seed: u64) {
        self.hands.clear();
        self.goals.clear();
        self.world.reset_with_seed(seed);
        self.starts += 1;
    }

    /// Another scene at its first instant, with its own seed; hands let go, goals are forgotten.
    pub fn load(&mut self, model: Arc<Model>) {
        self.replace(World::new(model));
    }

    /// The same with a world that is built already. Returns the one before.
    pub fn replace(&mut self, world: World) -> World {
        self.hands.clear();
        self.goals.clear();
        self.left.push(self.scene());
        self.earlier = (self.simulated_s(), self.steps_done);
        self.starts = 1;
        std::mem::replace(&mut self.world, world)
    }

    /// Forgets the world's events, once somebody has looked at them.
    pub fn clear_events(&mut self) {
        self.world.clear_events();
    }
}
