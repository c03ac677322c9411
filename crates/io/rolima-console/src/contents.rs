//! What is in a scene, and what a robot is, in a few lines for people.

use crate::text::counted;
use rolima_core::Model;
use rolima_core::model::{ContactResponse, GroundSpec, PartSpec, RobotSpec};

/// What is in a scene, in a few lines.
pub fn contents(model: &Model) -> String {
    let spec = &model.spec;
    let mut lines = vec![];
    if !spec.title.is_empty() {
        lines.push(format!("  {}", spec.title));
    }
    let mut things = vec![robots(model)];
    for (count, thing) in [
        (spec.balls.len(), "ball"),
        (spec.objects.len(), "object"),
        (spec.walls.len(), "wall"),
        (spec.zones.len(), "zone"),
        (spec.markings.len(), "marking"),
        (spec.meshes.len(), "mesh shape"),
        (model.devices.len(), "sensor"),
    ] {
        if count > 0 {
            things.push(counted(count, thing));
        }
    }
    lines.push(format!("  {}", things.join(", ")));
    lines.extend(spec.ground.as_ref().map(ground));
    let integrator = model.integrator();
    let response = match spec.contact.response {
        ContactResponse::Rigid => "rigid",
        ContactResponse::EquivalentSphere => "equivalent-sphere",
    };
    lines.push(format!(
        "  steps of {} ms, integrator {integrator}, contacts {response}, seed {}",
        spec.sim.step_s * 1e3,
        spec.sim.seed
    ));
    lines.join("\n")
}

/// `ground hills: 120 x 120 m, heights -2.9 to 3.1 m, fine steps of 1 ms`.
fn ground(ground: &GroundSpec) -> String {
    let spec = ground.terrain.spec();
    let size = spec.max - spec.min;
    let heights = &spec.heights.values;
    let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    format!(
        "  ground {}: {} x {} m, {} x {} nodes, heights {low:.2} to {high:.2} m, fine steps of {} ms",
        ground.name,
        size.x,
        size.y,
        spec.heights.nx,
        spec.heights.ny,
        ground.fine_step_s * 1e3
    )
}

/// `6 robots (3 blue, 3 yellow)`.
fn robots(model: &Model) -> String {
    let mut teams: Vec<(&str, usize)> = vec![];
    for robot in model.robots.iter().filter(|robot| !robot.team.is_empty()) {
        match teams.iter_mut().find(|(team, _)| *team == robot.team) {
            Some((_, count)) => *count += 1,
            None => teams.push((&robot.team, 1)),
        }
    }
    let count = counted(model.robots.len(), "robot");
    if teams.is_empty() {
        return count;
    }
    let teams: Vec<String> = teams.iter().map(|(team, count)| format!("{count} {team}")).collect();
    format!("{count} ({})", teams.join(", "))
}

/// A robot in a few words.
pub fn robot_in_short(robot: &RobotSpec) -> String {
    let outline = match robot.shape.as_slice() {
        [PartSpec::Circle { radius, .. }] => format!("disc of {} cm", cm(2.0 * radius)),
        [PartSpec::Box { size: [x, y], .. }] => format!("box of {} x {} cm", cm(*x), cm(*y)),
        parts => format!("outline of {} pieces", parts.len()),
    };
    let drive = &robot.drive;
    let grip = match &robot.vehicle {
        Some(vehicle) => format!("{} suspended wheels", vehicle.wheels.len()),
        None if drive.traction.is_some() => "tyres can slip".to_owned(),
        None => "wheels never slip".to_owned(),
    };
    let kinds: Vec<&str> = robot.sensors.iter().map(|sensor| sensor.kind.name()).collect();
    let senses = if kinds.is_empty() { String::new() } else { format!("; {}", kinds.join(", ")) };
    let inertia = match drive.inertia {
        small if small < 1e-3 => format!("{small:e}"),
        inertia => ((inertia * 1e3).round() / 1e3).to_string(),
    };
    format!("{outline}, {} kg, J = {inertia} kg m2, {grip}{senses}", drive.mass)
}

fn cm(metres: f64) -> f64 {
    (metres * 1e4).round() / 100.0
}
