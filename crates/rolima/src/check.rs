//! `rolima check`: what is in a scene.

use crate::cli::SceneArguments;
use crate::scene;
use anyhow::Result;
use rolima_console::failure::say;
use rolima_console::text::counted;
use rolima_core::Model;
use rolima_core::model::{ContactResponse, GroundSpec};

/// Reads and compiles a scene, and says what is in it.
pub(crate) fn check(arguments: &SceneArguments) -> Result<()> {
    let opened = scene::open(arguments)?;
    Ok(say(&format!("{}: good\n{}", arguments.name(), contents(&opened.model)))?)
}

/// What is in a scene, in a few lines.
fn contents(model: &Model) -> String {
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
