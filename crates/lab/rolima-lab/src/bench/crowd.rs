//! Many robots in one world, on one thread.

use super::Outcome;
use super::measure::{Spread, Work};
use anyhow::Result;
use rolima_console::text::hex;
use rolima_scene::builtin_model;
use serde_json::{Map, json};

/// The size whose figure is the benchmark's value.
const VALUE_AT: u64 = 1000;
const RUNS: usize = 3;
/// Sizes below this do not count for the spread: their cost per step is that of the step itself.
const SPREAD_FROM: u64 = 100;

/// What a crowd benchmark runs.
struct Crowd {
    sizes: &'static [u64],
    sets: &'static [&'static str],
    /// Simulated steps. All sizes run the same stretch, so that they have alike contacts; small
    /// ones run it in several worlds.
    steps: u64,
    /// Steps before those, in which neighbours meet.
    lead_in: u64,
}

pub(super) fn spread_out() -> Result<Outcome> {
    measure(&Crowd { sizes: &[10, 100, 1000, 10_000], sets: &[], steps: 2000, lead_in: 2000 })
}

/// The hall is hardly larger than the clump, so that the robots cannot spread out. They keep their
/// voltages for longer than a frame, so that they push.
pub(super) fn clumped() -> Result<Outcome> {
    let sets = &["layout=clump", "pitch=0.078", "fill=0.92", "swarm.0.driver.period_s=0.15"];
    measure(&Crowd { sizes: &[1000, 10_000], sets, steps: 400, lead_in: 600 })
}

fn measure(crowd: &Crowd) -> Result<Outcome> {
    let largest = crowd.sizes.iter().copied().max().unwrap_or(VALUE_AT);
    let mut value = None;
    let mut counted: Vec<f64> = vec![];
    let (mut by_robots, mut contacts, mut hashes) = (Map::new(), Map::new(), Map::new());
    for &robots in crowd.sizes {
        let mut sets = vec![format!("robots={robots}")];
        sets.extend(crowd.sets.iter().map(ToString::to_string));
        let model = builtin_model("crowd", &sets)?;
        let Crowd { steps, lead_in, .. } = *crowd;
        let work = Work { model, worlds: largest / robots, lead_in, steps, runs: RUNS };
        let found = work.measure()?;
        let robot_steps = work.total_steps() * robots as f64;
        let rate: Spread = found.cpu_s.map(|cpu_s| robot_steps / cpu_s);
        if robots == VALUE_AT {
            value = Some(rate);
        }
        if robots >= SPREAD_FROM {
            counted.push(rate.median);
        }
        by_robots.insert(robots.to_string(), json!(rate.median));
        contacts.insert(robots.to_string(), json!(found.contacts_per_step / robots as f64));
        hashes.insert(robots.to_string(), json!(hex(found.state_hash)));
    }
    let spread = Spread::of(counted);
    let first_counted = crowd.sizes.iter().copied().find(|&robots| robots >= SPREAD_FROM);
    let details = Map::from_iter([
        ("by_robots".to_owned(), json!(by_robots)),
        (
            format!("ratio_{}_to_{largest}", first_counted.unwrap_or(largest)),
            json!(spread.max / spread.min),
        ),
        ("contacts_per_robot".to_owned(), json!(contacts)),
        ("state_hash".to_owned(), json!(hashes)),
        ("steps_per_world".to_owned(), json!(crowd.steps)),
        ("lead_in_steps".to_owned(), json!(crowd.lead_in)),
    ]);
    let value = value.unwrap_or(spread);
    Ok(Outcome { value, unit: "robot-steps/s", details })
}
