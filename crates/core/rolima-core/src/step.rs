//! The step: an index of the six stages.

use crate::probe::{Probe, StepPart};
use crate::{actuators, commands, contacts, dynamics, publish, sensors, world::World};

impl World {
    /// Advances the world by one step of [`rolima_model::Model::step_s`].
    ///
    /// Cannot fail, does not block, and allocates nothing once the world is warm; on rough ground
    /// that holds while no body is near another or on the ground awake, as those list their contacts.
    /// A world that has come to its [end](World::end) stays as it is.
    pub fn step(&mut self) {
        self.step_with(&mut ());
    }

    /// The same step, bit by bit, of which a probe is told which part is worked on.
    #[inline]
    pub fn step_with(&mut self, probe: &mut impl Probe) {
        if self.end().is_some() {
            return;
        }
        let Self { model, state, scratch, observers } = self;
        // 1 queue, drivers => commanded voltages and speeds
        probe.begin(StepPart::Commands);
        commands::run(model, state, scratch);
        // 2 commanded voltages and speeds => motor voltages
        probe.begin(StepPart::Actuators);
        actuators::run(model, state, scratch);
        // 3 motion, motor voltages => motion without contacts (the old motion stays in scratch)
        dynamics::run(model, state, scratch, probe);
        // 4 motion before and after => motion with contacts
        contacts::run(model, state, scratch, probe);
        // 5 motion => wheels counted, readings, zones, score
        sensors::run(model, state, scratch, probe);
        // 6 state => step count, events, frame
        probe.begin(StepPart::Publish);
        publish::run(model, state, scratch, observers);
        probe.end();
    }

    /// Advances the world by `count` steps, or up to its [end](World::end). Returns how many
    /// there were.
    pub fn steps(&mut self, count: u64) -> u64 {
        self.steps_with(count, &mut ())
    }

    /// The same steps, bit by bit, of which a probe is told which part is worked on.
    #[inline]
    pub fn steps_with(&mut self, count: u64, probe: &mut impl Probe) -> u64 {
        for done in 0..count {
            let before = self.state.step;
            self.step_with(probe);
            if self.state.step == before {
                return done;
            }
        }
        count
    }
}
