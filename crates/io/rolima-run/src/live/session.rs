//! A simulation, and how far it got over resets and other scenes.

use super::scenes::{SceneSummary, ScenesLeft};
use rolima_agents::{Action, KeptSimulation, PublishedGoal, RestoreError, Simulation};
use rolima_core::{Model, Probe, Schema, World};
use std::sync::Arc;

/// A simulation, and how far it got over resets and other scenes.
///
/// The same acts at the same steps give the same bits, whoever does them: the live loop, or the
/// replay of its log.
pub struct Session {
    simulation: Simulation,
    steps_done: u64,
    /// Simulated time, s, and steps of the scenes before this one.
    earlier: (f64, u64),
    /// How often this scene began.
    starts: u64,
    left: ScenesLeft,
}

impl Session {
    /// A world at its first instant.
    pub fn new(model: Arc<Model>, seed: u64) -> Self {
        Self::of(Simulation::with_seed(model, seed))
    }

    /// A simulation as it is: its steps and its time are counted from here.
    pub fn of(simulation: Simulation) -> Self {
        Self {
            simulation,
            steps_done: 0,
            earlier: (0.0, 0),
            starts: 1,
            left: ScenesLeft::default(),
        }
    }

    /// The same, with so many steps, in so much simulated time, s, counted as done already.
    pub fn counted_from(mut self, steps: u64, time_s: f64) -> Self {
        self.count_from(steps, time_s);
        self
    }

    /// Counts so many steps, in so much simulated time, s, as done.
    pub fn count_from(&mut self, steps: u64, time_s: f64) {
        (self.steps_done, self.earlier) = (steps, (time_s, steps));
    }

    /// A second one in the same state, goals, grabs and half-done actions included: it goes on
    /// bit-equal, and neither knows of the other. Observers, and events that nobody has taken, stay here.
    pub fn fork(&self) -> Self {
        Self {
            simulation: self.simulation.fork(),
            steps_done: self.steps_done,
            earlier: self.earlier,
            starts: self.starts,
            left: self.left.clone(),
        }
    }

    /// The simulation.
    pub fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    /// The world.
    pub fn world(&self) -> &World {
        self.simulation.world()
    }

    /// Steps done since this session began; goes on counting over resets and other scenes.
    pub fn steps_done(&self) -> u64 {
        self.steps_done
    }

    /// Simulated time since this session began, s, over resets and other scenes.
    pub fn simulated_s(&self) -> f64 {
        let (seconds, steps) = self.earlier;
        seconds + (self.steps_done - steps) as f64 * self.world().model().step_s
    }

    /// How far it got in the scene that runs.
    pub fn scene(&self) -> SceneSummary {
        let (simulated_s, steps) = self.earlier;
        let own = (self.simulated_s() - simulated_s, self.steps_done - steps);
        SceneSummary::of(self.world(), own, self.starts)
    }

    /// The scenes before the one that runs.
    pub fn scenes_left(&self) -> &ScenesLeft {
        &self.left
    }

    /// Hash of every bit of the world's state.
    pub fn state_hash(&self) -> u64 {
        self.simulation.state_hash()
    }

    /// The same without a copy of the state, so that the loop allocates nothing for it.
    pub(super) fn state_hash_in_place(&mut self) -> u64 {
        self.simulation.state_hash_in_place()
    }

    /// Does something to the world, before its next step. False where the world refuses.
    pub fn act(&mut self, action: &Action) -> bool {
        self.simulation.act(action)
    }

    /// Steps the world, so often or up to its end. Returns how many steps there were.
    pub fn steps(&mut self, count: u64) -> u64 {
        let done = self.simulation.steps(count);
        self.steps_done += done;
        done
    }

    /// The same, of which a probe is told which part of a step is worked on.
    pub fn steps_with(&mut self, count: u64, probe: &mut impl Probe) -> u64 {
        let done = self.simulation.steps_with(count, probe);
        self.steps_done += done;
        done
    }

    /// What is published of the robots that have goals; the list keeps its memory.
    pub fn publish_goals(&self, published: &mut Vec<PublishedGoal>) {
        self.simulation.publish_goals(published);
    }

    /// The values of all channels of this world now, goals included. `out` is overwritten.
    pub fn read_channels(&self, schema: &Schema, out: &mut Vec<f64>) {
        self.simulation.read_channels(schema, out);
    }

    /// Goes on from what was saved of a simulation of the same scene, bit for bit; steps and time are
    /// counted on. Nothing is changed where the bytes are not that.
    pub fn restore(&mut self, saved: &[u8]) -> Result<(), RestoreError> {
        self.simulation.restore(saved)
    }

    /// Goes back to what was kept of a simulation of the same scene; false where it is of another one. Steps and
    /// time are counted on.
    pub fn go_back(&mut self, kept: &KeptSimulation) -> bool {
        self.simulation.go_back(kept)
    }

    /// Goes on with another simulation of the same scene; steps and time are counted on. Returns the one
    /// before.
    pub(crate) fn go_on(&mut self, simulation: Simulation) -> Simulation {
        std::mem::replace(&mut self.simulation, simulation)
    }

    /// Back to the first instant, same seed; hands let go, goals are forgotten.
    pub fn reset(&mut self) {
        self.reset_with_seed(self.world().state().seed);
    }

    /// Back to the first instant with another seed; hands let go, goals are forgotten.
    pub fn reset_with_seed(&mut self, seed: u64) {
        self.simulation.reset_with_seed(seed);
        self.starts += 1;
    }

    /// Another scene at its first instant, with its own seed; hands let go, goals are forgotten.
    pub fn load(&mut self, model: Arc<Model>) {
        self.replace(World::new(model));
    }

    /// The same with a world that is built already. Returns the one before.
    pub fn replace(&mut self, world: World) -> World {
        self.left.push(self.scene());
        self.earlier = (self.simulated_s(), self.steps_done);
        self.starts = 1;
        self.simulation.replace(world)
    }

    /// Forgets the world's events, once somebody has looked at them.
    pub fn clear_events(&mut self) {
        self.simulation.clear_events();
    }
}
