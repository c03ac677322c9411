//! `rolima scenes`: what is built in.

use crate::failure::say;
use crate::text::columns;
use anyhow::Result;
use rolima_core::model::{PartSpec, RobotSpec};
use rolima_scene::{SceneError, Source, builtin_presets, builtin_scenes, load};

/// Lists the built-in scenes and robots.
pub(crate) fn scenes() -> Result<()> {
    let scene = |name: String| -> Result<Vec<String>, SceneError> {
        let title = load(&Source::resolve(&format!("built-in:{name}"))?, &[])?.spec.title;
        Ok(vec![format!("  {name}"), title])
    };
    let preset = |name: String| -> Result<Vec<String>, SceneError> {
        let spec = load(&Source::preset(&name), &[])?.spec;
        let shown = spec.robots.first().map(in_short).unwrap_or_default();
        Ok(vec![format!("  {name}"), shown])
    };
    let mut rows = builtin_scenes().into_iter().map(scene).collect::<Result<Vec<_>, _>>()?;
    let robots_from = rows.len();
    rows.extend(builtin_presets().into_iter().map(preset).collect::<Result<Vec<_>, _>>()?);
    // The headings are no cells of the table: they would widen its first column.
    let mut lines = columns(&rows);
    lines.insert(robots_from, "robots, for `preset = \"...\"` in a scene:".to_owned());
    lines.insert(0, "scenes, for `rolima run` and the other commands:".to_owned());
    Ok(say(&lines.join("\n"))?)
}

/// A robot in a few words.
fn in_short(robot: &RobotSpec) -> String {
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
