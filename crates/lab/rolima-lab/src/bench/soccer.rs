//! One match-sized world.

use super::Outcome;
use super::measure::{Found, Work};
use anyhow::Result;
use rolima_console::text::hex;
use rolima_core::Model;
use rolima_scene::builtin_model;
use serde_json::{Map, json};
use std::sync::Arc;

const RUNS: usize = 5;
/// Steps of an update: one frame of a camera with 30 frames a second.
const UPDATE_STEPS: u64 = 33;

/// The match with random voltages on all six robots.
pub(super) fn match_model() -> Result<Arc<Model>> {
    Ok(builtin_model("soccer", &["driver=random".to_owned()])?)
}

/// Steps of a run of the match: more than a second of CPU time at 10 million steps a second.
pub(super) const MATCH_STEPS: u64 = 12_000_000;

pub(super) fn three_against_three() -> Result<Outcome> {
    steps_per_second(match_model()?, MATCH_STEPS)
}

/// Six robots that never give up soon stand pressed around the ball; those that back off when they
/// are stuck keep running into one another, which costs more and is told beside it.
pub(super) fn scrum() -> Result<Outcome> {
    let mut outcome = steps_per_second(builtin_model("scrum", &[])?, 1_500_000)?;
    let lively =
        steps_per_second(builtin_model("scrum", &["patience=0.6".to_owned()])?, 1_000_000)?;
    let contacts = lively.details.get("contacts_per_step").cloned();
    outcome.details.insert("steps_per_s_backing_off".to_owned(), json!(lively.value.median));
    outcome.details.insert("contacts_per_step_backing_off".to_owned(), json!(contacts));
    Ok(outcome)
}

pub(super) fn pile() -> Result<Outcome> {
    steps_per_second(builtin_model("pile", &[])?, 1_000_000)
}

fn steps_per_second(model: Arc<Model>, steps: u64) -> Result<Outcome> {
    let work = Work { model, worlds: 1, lead_in: 0, steps, runs: RUNS };
    let found = work.measure()?;
    let value = found.cpu_s.map(|cpu_s| steps as f64 / cpu_s);
    Ok(Outcome { value, unit: "steps/s", details: details(&found, steps) })
}

pub(super) fn update() -> Result<Outcome> {
    let updates = 100_000;
    let steps = updates * UPDATE_STEPS;
    let found =
        Work { model: match_model()?, worlds: 1, lead_in: 0, steps, runs: RUNS }.measure()?;
    let value = found.cpu_s.map(|cpu_s| 1e6 * cpu_s / updates as f64);
    Ok(Outcome { value, unit: "us", details: details(&found, steps) })
}

fn details(found: &Found, steps: u64) -> Map<String, serde_json::Value> {
    Map::from_iter([
        ("contacts_per_step".to_owned(), json!(found.contacts_per_step)),
        ("state_hash".to_owned(), json!(hex(found.state_hash))),
        ("steps_per_run".to_owned(), json!(steps)),
        ("cpu_s_per_run".to_owned(), json!(found.cpu_s.median)),
    ])
}
