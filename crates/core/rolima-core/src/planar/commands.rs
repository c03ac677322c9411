//! Commands of robots on two wheels.

use crate::commands::{Command, Volts};
use rolima_model::{Model, RobotId};

/// A command as this engine knows it: it has voltages, and speeds where there is a controller.
pub(crate) fn translated(
    model: &Model,
    robot: RobotId,
    command: Command,
    last: impl FnOnce() -> Command,
) -> Command {
    let i = robot.index();
    match command {
        Command::Stop if model.robots[i].servo.is_some() => {
            Command::Velocity { v: 0.0, omega: 0.0 }
        }
        Command::Stop => Command::Volts(Volts::default()),
        Command::Direct { actuator, value } => {
            let mut volts =
                if let Command::Volts(volts) = last() { volts } else { Volts::default() };
            // As `Model::actuators` lists them: left, right.
            *(if actuator == 0 { &mut volts.left } else { &mut volts.right }) = value;
            Command::Volts(volts)
        }
        other => other,
    }
}
