//! What can be commanded of the robots of a scene.

use crate::model::Model;
use core::ops::Range;
use rolima_spatial::{Actuator, ActuatorKind};

/// Numbers of a two-wheeled robot's wheels, right before left as everywhere; its actuators are named
/// by them.
const TWO_WHEELS: [(&str, u32); 2] = [("left", 1), ("right", 0)];

/// Lists the actuators of all robots: those of vehicles, and of others the voltages of both motors.
pub(crate) fn list(model: &mut Model) {
    model.first_actuators.push(0);
    for i in 0..model.robots.len() {
        match &model.spatial {
            Some(spatial) => model.actuators.extend_from_slice(&spatial.vehicles[i].actuators),
            None => {
                let limit = model.drives[model.robots[i].drive as usize].spec.supply;
                model.actuators.extend(TWO_WHEELS.map(|(name, wheel)| Actuator {
                    name: name.to_owned(),
                    kind: ActuatorKind::Voltage,
                    wheel,
                    limit,
                }));
            }
        }
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
