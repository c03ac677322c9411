//! What can be commanded of the robots of a scene.

use crate::model::Model;
use core::ops::Range;

/// Lists the actuators of all robots, in their order.
pub(crate) fn list(model: &mut Model) {
    model.first_actuators.push(0);
    for i in 0..model.robots.len() {
        let own = crate::engine::actuators(model, i);
        model.actuators.extend(own);
        model.first_actuators.push(model.actuators.len() as u32);
    }
}

impl Model {
    /// Where the actuators of a robot stand among [`Model::actuators`]; empty where there is no such
    /// robot.
    pub fn actuators_of(&self, robot: u32) -> Range<usize> {
        let at = |i: usize| self.first_actuators.get(i).map(|&first| first as usize);
        match (at(robot as usize), at(robot as usize + 1)) {
            (Some(first), Some(end)) => first..end,
            _ => 0..0,
        }
    }

    /// The number, among a robot's own, of its actuator with this name.
    pub fn actuator(&self, robot: u32, name: &str) -> Option<u32> {
        let own = &self.actuators[self.actuators_of(robot)];
        own.iter().position(|a| a.name == name).map(|i| i as u32)
    }
}
