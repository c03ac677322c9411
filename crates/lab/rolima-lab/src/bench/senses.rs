//! Rays and pictures, on one thread.

use super::Outcome;
use super::measure::{Spread, Work};
use super::timer::thread_cpu_s;
use anyhow::Result;
use rolima_console::text::hex;
use rolima_render::scenes::CameraBench;
use rolima_scene::builtin_model;
use rolima_sensors::bench::{Done, LidarWork};
use serde_json::{Map, json};

const RUNS: usize = 5;
const SEED: u64 = 1;

/// Rays a second of CPU time.
fn rays(rounds: u32, mut work: impl FnMut(u32) -> Done) -> Outcome {
    work(1);
    let mut rates = vec![];
    let mut last = work(1);
    for _ in 0..RUNS {
        let begin_s = thread_cpu_s();
        last = work(rounds);
        rates.push(last.rays as f64 / (thread_cpu_s() - begin_s));
    }
    let details = Map::from_iter([
        ("walls".to_owned(), json!(289)),
        ("mean_distance_m".to_owned(), json!(last.mean_distance)),
        ("state_hash".to_owned(), json!(hex(last.hash))),
    ]);
    Outcome { value: Spread::of(rates), unit: "rays/s", details }
}

/// Robots that wander through a hall by their lidars: 180 beams, steps of 100 ms.
pub(super) fn hall() -> Result<Outcome> {
    wandering(&["beams=180", "step_s=0.1", "sigma=0"], 50, 300)
}

/// The same with 36 beams and steps of 1 ms.
pub(super) fn crowd() -> Result<Outcome> {
    wandering(&["sigma=0"], 1000, 2000)
}

/// Simulated time over CPU time of 1,000 robots.
fn wandering(sets: &[&str], lead_in: u64, steps: u64) -> Result<Outcome> {
    let mut sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    sets.push("robots=1000".to_owned());
    let model = builtin_model("hall", &sets)?;
    let simulated_s = steps as f64 * model.step_s;
    let found = Work { model, worlds: 1, lead_in, steps, runs: RUNS }.measure()?;
    let details = Map::from_iter([
        ("contacts_per_robot".to_owned(), json!(found.contacts_per_step / 1000.0)),
        ("state_hash".to_owned(), json!(hex(found.state_hash))),
    ]);
    let value = found.cpu_s.map(|cpu_s| simulated_s / cpu_s);
    Ok(Outcome { value, unit: "s/s", details })
}

/// Single rays in a maze of 289 walls.
pub(super) fn single_rays() -> Result<Outcome> {
    let mut work = LidarWork::new(SEED);
    Ok(rays(400, |rounds| work.single(rounds)))
}

/// Whole scans of 1,080 beams in the same maze.
pub(super) fn scans() -> Result<Outcome> {
    let mut work = LidarWork::new(SEED);
    Ok(rays(200, |rounds| work.scans(1080, rounds)))
}

/// Pictures of 320 x 240 pixels in a maze of 289 walls with 20 things in it.
pub(super) fn camera() -> Result<Outcome> {
    let known = [("walls", 289), ("things", 20)];
    pictures(CameraBench::new(SEED)?, 1000, &known)
}

/// Pictures of 320 x 240 pixels of a road over hills.
pub(super) fn camera_on_terrain() -> Result<Outcome> {
    let known = [("nodes", 256 * 256), ("things", 166)];
    pictures(CameraBench::hills(SEED)?, 256, &known)
}

/// Pictures a second of CPU time.
fn pictures(mut work: CameraBench, count: u64, known: &[(&str, u32)]) -> Result<Outcome> {
    let mut rates = vec![];
    work.pictures(64)?;
    for _ in 0..RUNS {
        let begin_s = thread_cpu_s();
        work.pictures(count)?;
        rates.push(count as f64 / (thread_cpu_s() - begin_s));
    }
    let mut details: Map<_, _> =
        known.iter().map(|(name, number)| ((*name).to_owned(), json!(number))).collect();
    details.insert("state_hash".to_owned(), json!(hex(work.hash())));
    Ok(Outcome { value: Spread::of(rates), unit: "pictures/s", details })
}
