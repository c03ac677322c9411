//! `rolima scenes`: what is built in.

use crate::cli::ScenesArguments;
use anyhow::Result;
use rolima_console::contents::robot_in_short;
use rolima_console::failure::say;
use rolima_console::text::columns;
use rolima_scene::{SceneError, Source, builtin_presets, builtin_scenes, load};
use serde_json::{Value, json};

/// Something built in: its name, and a line about it.
struct Listed {
    name: String,
    shown: String,
}

/// Lists the built-in scenes and robots.
pub(crate) fn scenes(arguments: &ScenesArguments) -> Result<()> {
    let scene = |name: String| -> Result<Listed, SceneError> {
        let shown = load(&Source::resolve(&format!("built-in:{name}"))?, &[])?.spec.title;
        Ok(Listed { name, shown })
    };
    let preset = |name: String| -> Result<Listed, SceneError> {
        let spec = load(&Source::preset(&name), &[])?.spec;
        let shown = spec.robots.first().map(robot_in_short).unwrap_or_default();
        Ok(Listed { name, shown })
    };
    let scenes = builtin_scenes().into_iter().map(scene).collect::<Result<Vec<_>, _>>()?;
    let robots = builtin_presets().into_iter().map(preset).collect::<Result<Vec<_>, _>>()?;
    let text = match arguments.json {
        true => as_json(&scenes, &robots).to_string(),
        false => for_people(&scenes, &robots),
    };
    Ok(say(&text)?)
}

fn for_people(scenes: &[Listed], robots: &[Listed]) -> String {
    let row = |one: &Listed| vec![format!("  {}", one.name), one.shown.clone()];
    let rows: Vec<_> = scenes.iter().chain(robots).map(row).collect();
    // The headings are no cells of the table: they would widen its first column.
    let mut lines = columns(&rows);
    lines.insert(scenes.len(), "robots, for `preset = \"...\"` in a scene:".to_owned());
    lines.insert(0, "scenes, for `rolima run` and the other commands:".to_owned());
    lines.join("\n")
}

fn as_json(scenes: &[Listed], robots: &[Listed]) -> Value {
    let list = |all: &[Listed], line: &str| -> Value {
        all.iter().map(|one| json!({ "name": one.name, line: one.shown })).collect()
    };
    json!({ "scenes": list(scenes, "title"), "robots": list(robots, "summary") })
}
