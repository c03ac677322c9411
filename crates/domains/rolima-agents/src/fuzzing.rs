//! Saved simulations to forge; for fuzzing and tests.

use crate::action::Action;
use crate::route::{Route, Target};
use crate::saved::seal;
use crate::simulation::Simulation;
use rolima_core::{BodyId, RobotId, Volts};
use rolima_math::{Pose2, Vec2};
use std::sync::Arc;

/// Lets as much go on in a simulation as its scene permits, steps it so often, and saves it.
pub fn saved_in_action(mut simulation: Simulation, steps: u64) -> Vec<u8> {
    let model = simulation.world().model();
    let (robots, ball) = (model.robots.len() as u32, model.balls().next());
    let body = BodyId(model.body_count() as u32 - 1);
    for robot in (0..robots).map(RobotId) {
        let at = |x: f64| Pose2::new(x + 0.2 * f64::from(robot.0), -x, 0.5);
        let mut goals = vec![Target::Pose(at(0.3)), Target::Pose(at(-0.4))];
        if let Some(ball) = ball {
            goals.insert(0, Target::Ball { ball, aim: Vec2::new(0.6, 0.0) });
        }
        let route = Arc::new(Route { goals, repeat: true, wait_s: 0.1 });
        simulation.act(&Action::Route { robot, route, append: false });
    }
    simulation.act(&Action::Grab { body, own: Vec2::ZERO, hand: Vec2::new(0.1, 0.1) });
    simulation.steps(steps);
    // One brakes, one has a command that waits.
    simulation.act(&Action::NoGoal { robot: RobotId(0) });
    let volts = Volts { right: 3.0, left: -2.0 };
    simulation.act(&Action::Command { robot: RobotId(robots - 1), command: volts.into() });
    simulation.save()
}

/// Bytes as one that forges a saved simulation would have them: with the version of the format and the
/// checksum that belongs to them.
pub fn sealed(bytes: Vec<u8>) -> Vec<u8> {
    seal(bytes)
}
