//! Commands of vehicles.

use super::state::ONE_BY_ONE;
use super::{State, known};
use crate::commands::Command;
use rolima_model::spatial::MOST_ACTUATORS;
use rolima_model::{Model, RobotId};

/// Whether a robot can be commanded by these speeds.
pub(crate) fn drives_at(model: &Model, robot: RobotId, numbers: [f64; 2]) -> bool {
    let vehicle = &known(model).vehicles[robot.index()];
    let can = vehicle.has_speeds() || (vehicle.has_voltages() && !vehicle.steers());
    // To stand, brakes are enough.
    numbers == [0.0; 2] || (model.robots[robot.index()].servo.is_some() && can)
}

/// Whether a robot's motors are commanded by voltages.
pub(crate) fn takes_voltages(model: &Model, robot: RobotId) -> bool {
    known(model).vehicles[robot.index()].has_voltages()
}

/// Gives an actuator of a vehicle its value, which holds from the next step on. Unless one has been told
/// since another kind of command (`goes_on`), the others are set to 0 first.
pub(crate) fn tell_actuator(
    model: &Model,
    state: &mut State,
    robot: RobotId,
    command: Command,
    goes_on: bool,
) {
    let Command::Direct { actuator, value } = command else { return };
    let spatial = known(model);
    if !goes_on {
        let zeros = [0.0; MOST_ACTUATORS];
        let zeros = &zeros[..model.actuators_of(robot.0).len()];
        let last_command = state.world.order(spatial, robot.0, zeros, 0.0);
        debug_assert!(last_command, "as many as there are actuators");
    }
    let last_command = state.world.actuate(spatial, robot.0, actuator, value);
    debug_assert!(last_command, "the command was checked");
    state.last_command[robot.index()] = ONE_BY_ONE;
}
