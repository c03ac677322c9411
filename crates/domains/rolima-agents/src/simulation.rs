//! A world and the agents in it: all that the course of a simulation depends on.

use crate::action::Action;
use crate::agent::{Agent, Commands, View};
use crate::go_to::GoTo;
use crate::grabs::Grabs;
use crate::published_goal::PublishedGoal;
use crate::route::Route;
use crate::saved::{self, RestoreError};
use rolima_core::{Instant, KeptWorld, Model, Probe, Schema, World};
use std::sync::Arc;

/// A world and the agents in it.
///
/// The same acts at the same steps give the same bits, whoever does them: a live loop, the replay of its
/// log, a batch, a test. It has no clock and no sockets; it can be forked, saved and restored, half-done
/// actions included.
pub struct Simulation {
    world: World,
    pub(crate) agents: Agents,
    commands: Commands,
}

/// A simulation as it was, kept to go back to.
pub struct KeptSimulation {
    world: KeptWorld,
    agents: Agents,
}

/// Those who decide outside of the world's step, in the order in which they act.
#[derive(Clone, Debug, serde::Serialize, serde::Deserialize)]
pub(crate) struct Agents {
    pub(crate) go_to: GoTo,
    pub(crate) grabs: Grabs,
}

impl Simulation {
    /// A world at its first instant, with the seed of its scene.
    pub fn new(model: Arc<Model>) -> Self {
        Self::of(World::new(model))
    }

    /// The same with a seed of its own.
    pub fn with_seed(model: Arc<Model>, seed: u64) -> Self {
        Self::of(World::with_seed(model, seed))
    }

    /// A world at its first instant.
    pub fn of(world: World) -> Self {
        let agents = Agents { go_to: GoTo::of(&world), grabs: Grabs::default() };
        Self { world, agents, commands: Commands::default() }
    }

    /// A second one in the same state, goals, grabs and half-done actions included: it goes on
    /// bit-equal, and neither knows of the other. Observers, and events that nobody has taken, stay here.
    pub fn fork(&self) -> Self {
        let (world, agents) = (self.world.fork(), self.agents.clone());
        Self { world, agents, commands: Commands::default() }
    }

    /// All of it as bytes, for [`Simulation::restore`]. Observers, and events that nobody has taken, are
    /// no part of it.
    pub fn save(&self) -> Vec<u8> {
        saved::bytes_of(&self.world, &self.agents)
    }

    /// Goes on from what was saved of a simulation of the same scene, bit for bit. Nothing is changed
    /// where the bytes are not that.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), RestoreError> {
        let (world, agents) = saved::read(self.world.model(), bytes)?;
        self.world.restore(world)?;
        self.agents = agents;
        Ok(())
    }

    /// All of it as it is, to go back to: quicker than bytes, and about as large.
    pub fn keep(&self) -> KeptSimulation {
        KeptSimulation { world: self.world.keep(), agents: self.agents.clone() }
    }

    /// Goes back to what was kept of a simulation of the same scene, bit for bit. Refused (false) where it is
    /// of another one.
    pub fn go_back(&mut self, kept: &KeptSimulation) -> bool {
        let is_back = self.world.go_back(&kept.world);
        if is_back {
            self.agents.clone_from(&kept.agents);
        }
        is_back
    }

    /// One of another scene in the state of this one, half-done actions included: see
    /// [`World::carry_over`].
    pub fn carry_over(&self, model: Arc<Model>) -> Result<Self, RestoreError> {
        let world = self.world.carry_over(model)?;
        let agents = self.agents.clone();
        if !agents.go_to.fits(world.model()) || !agents.grabs.fits(world.model()) {
            let why = "robots go to goals by other numbers than the scene has now";
            return Err(RestoreError::Damaged(why));
        }
        Ok(Self { world, agents, commands: Commands::default() })
    }

    /// Draws all random numbers from now on by another seed. Robots on their way to goals by simulated
    /// vision see by the old one until they get there.
    pub fn reseed(&mut self, seed: u64) {
        self.world.reseed(seed);
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Hash of every bit of the world's state.
    pub fn state_hash(&self) -> u64 {
        self.world.state_hash()
    }

    /// The same without a copy of the state, so that a loop allocates nothing for it.
    pub fn state_hash_in_place(&mut self) -> u64 {
        self.world.state_hash_in_place()
    }

    /// Does something to the world, before its next step. False where the world or an agent refuses.
    pub fn act(&mut self, action: &Action) -> bool {
        let (world, Agents { go_to, grabs }) = (&mut self.world, &mut self.agents);
        match *action {
            // Whoever takes the wheel ends the robot's going to its goal.
            Action::Command { robot, command } => {
                let is_taken = world.command(robot, command).is_ok();
                if is_taken {
                    go_to.leave(robot);
                }
                is_taken
            }
            // One that goes somewhere brakes under control. What was refused is shown on: silence stops
            // robots, too, and must not take the reason from those who read it.
            Action::Stop { robot } => go_to.halt(robot) || world.stop(robot).is_ok(),
            Action::Goal { robot, pose } => send(world, go_to, robot, Route::to(pose)),
            Action::Route { robot, ref route, append: true } if go_to.is_going(robot) => {
                go_to.append(world, robot, route)
            }
            Action::Route { robot, ref route, .. } => {
                send(world, go_to, robot, Route::clone(route))
            }
            Action::NoGoal { robot } => {
                let was_going = go_to.is_going(robot);
                let brakes = go_to.call_back(robot);
                if was_going && !brakes {
                    return world.stop(robot).is_ok();
                }
                robot.index() < world.model().robots.len()
            }
            Action::Release { robot } => {
                world.release(robot);
                go_to.release(world, robot);
                robot.index() < world.model().robots.len()
            }
            Action::Place { body, pose } => world.place_body(body, pose),
            Action::Push { body, point, impulse } => world.push(body, point, impulse),
            Action::Grab { body, own, hand } => grabs.grab(world, body, own, hand),
            Action::LetGo { body } => grabs.let_go(body),
            Action::Sigma { device, axis, sigma } => {
                world.set_sigma(device as usize, axis as usize, sigma).is_ok()
            }
            Action::Believe { robot, pose } => world.set_odometry(robot, pose),
        }
    }

    /// Steps the world, so often or up to its end; agents act before the steps that they are due at.
    /// Returns how many steps there were.
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
            let Self { world, agents: Agents { go_to, grabs }, commands } = self;
            let next = let_act(go_to, world, commands).min(let_act(grabs, world, commands));
            let free = next.saturating_sub(world.state().step).max(1);
            left -= step(world, free.min(left));
        }
        count - left
    }

    /// What is shown of the robots that have goals, in the order of robots; the list keeps its memory.
    pub fn publish_goals(&self, published: &mut Vec<PublishedGoal>) {
        self.agents.go_to.report(published);
    }

    /// The values of all channels now, goals included. `out` is overwritten.
    pub fn read_channels(&self, schema: &Schema, out: &mut Vec<f64>) {
        let (world, mut published) = (&self.world, vec![]);
        self.publish_goals(&mut published);
        let goals: Vec<_> = published.iter().map(PublishedGoal::report).collect();
        schema.read(Instant { world, frame: &world.frame(), goals: &goals }, out);
    }

    /// Back to the first instant, same seed: as a fresh one.
    pub fn reset(&mut self) {
        self.reset_with_seed(self.world.state().seed);
    }

    /// Back to the first instant with another seed.
    pub fn reset_with_seed(&mut self, seed: u64) {
        self.world.reset_with_seed(seed);
        self.agents.start_over(&self.world);
    }

    /// Another world at its first instant in place of this one, which is returned.
    pub fn replace(&mut self, world: World) -> World {
        let before = std::mem::replace(&mut self.world, world);
        self.agents.start_over(&self.world);
        before
    }

    /// Forgets the world's events, once somebody has looked at them.
    pub fn clear_events(&mut self) {
        self.world.clear_events();
    }
}

impl Agents {
    /// As in a fresh simulation of a world that is at its first instant; numbers of plans go on, so that
    /// none that was shown has the number of another.
    fn start_over(&mut self, world: &World) {
        self.grabs.clear();
        self.go_to.start_over(world);
    }
}

/// Lets an agent act if it is due. Returns the step before which it is due next.
fn let_act<A: Agent>(agent: &mut A, world: &mut World, commands: &mut Commands) -> u64 {
    if agent.due() <= world.state().step {
        agent.act(&View { world }, commands);
        commands.carry_out(world);
    }
    agent.due()
}

/// Sends a robot along a route. One that goes elsewhere and is refused brakes.
fn send(world: &mut World, go_to: &mut GoTo, robot: rolima_core::RobotId, route: Route) -> bool {
    let was_going = go_to.is_going(robot);
    let is_sent = go_to.send(world, robot, route);
    if was_going && !is_sent && !go_to.halt(robot) {
        let _ = world.stop(robot);
    }
    is_sent
}
