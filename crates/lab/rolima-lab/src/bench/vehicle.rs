//! Vehicles on rough terrain.
//!
//! `vivi` on hills of 256 x 256 heights, 37 points a rim, tyre, motor and friction complete.

use super::Outcome;
use super::measure::Spread;
use super::timer::thread_cpu_s;
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use rolima_console::text::hex;
use rolima_math::Vec3;
use rolima_run::pool::cores;
use rolima_run::thread_pool;
use rolima_spatial::bench::{Fineness, VehicleWork};
use serde_json::{Map, Value, json};
use std::time::Instant;

const PRESET: &str = "vivi";
const RUNS: usize = 5;

fn work(vehicles: u32, fineness: Fineness) -> Result<VehicleWork> {
    VehicleWork::new(PRESET, vehicles, fineness).context("the benchmark's vehicle")
}

fn position(work: &VehicleWork) -> Vec3 {
    work.world.vehicle(0).map_or(Vec3::ZERO, |v| v.state.position)
}

/// CPU time of a step, s, over `orders` orders of a quarter of a second, after one to warm up; and
/// what is worth knowing.
fn timed(fineness: Fineness, orders: u64) -> Result<(Spread, Map<String, Value>)> {
    let mut start = work(1, fineness)?;
    start.run(1);
    let mut times = vec![];
    let mut hash = None;
    for _ in 0..RUNS {
        let mut work = start.clone();
        let begin_s = thread_cpu_s();
        let steps = work.run(orders);
        times.push((thread_cpu_s() - begin_s) / steps as f64);
        let now = work.world.state_hash();
        ensure!(*hash.get_or_insert(now) == now, "two runs of the same ended differently");
    }
    let details = Map::from_iter([
        ("preset".to_owned(), json!(PRESET)),
        ("step_s".to_owned(), json!(fineness.step_s)),
        ("contact_every_steps".to_owned(), json!(fineness.contact_every)),
        ("tyre_every_steps".to_owned(), json!(fineness.tyre_every)),
        ("state_hash".to_owned(), json!(hex(hash.unwrap_or_default()))),
    ]);
    Ok((Spread::of(times), details))
}

/// How far a run of `orders` orders ends from one with everything evaluated in every step, m.
fn off(fineness: Fineness, orders: u64) -> Result<f64> {
    let mut ends = vec![];
    for full in [false, true] {
        let fineness =
            if full { Fineness { contact_every: 1, tyre_every: 1, ..fineness } } else { fineness };
        let mut work = work(1, fineness)?;
        work.run(orders);
        ends.push(position(&work));
    }
    Ok((ends[0] - ends[1]).length())
}

fn against_real_time(fineness: Fineness, orders: u64, compared: u64) -> Result<Outcome> {
    let (times, mut details) = timed(fineness, orders)?;
    details.insert("ns_per_step".to_owned(), json!(times.median * 1e9));
    details.insert("error_against_full_evaluation_m".to_owned(), json!(off(fineness, compared)?));
    details.insert("compared_over_s".to_owned(), json!(0.25 * compared as f64));
    Ok(Outcome { value: times.map(|s| fineness.step_s / s), unit: "x real time", details })
}

/// Steps of 1 us: the contact searched every 20 us and followed between, tyre and friction in every
/// step. As details: also those every 5 us, and everything in every step.
pub(super) fn one_microsecond() -> Result<Outcome> {
    let fineness = |contact_every, tyre_every| Fineness { step_s: 1e-6, contact_every, tyre_every };
    let mut outcome = against_real_time(fineness(20, 1), 2, 8)?;
    for (name, other) in [
        ("contact_every_20_tyre_every_5", fineness(20, 5)),
        ("everything_in_every_step", fineness(1, 1)),
    ] {
        let (times, _) = timed(other, 1)?;
        let details = &mut outcome.details;
        details.insert(format!("{name}_x_real_time"), json!(other.step_s / times.median));
        details.insert(format!("{name}_error_m"), json!(off(other, 8)?));
    }
    Ok(outcome)
}

/// Steps of 100 ns: the contact searched every 20 us, tyre and friction every 5 us.
pub(super) fn hundred_nanoseconds() -> Result<Outcome> {
    against_real_time(Fineness { step_s: 1e-7, contact_every: 200, tyre_every: 50 }, 1, 4)
}

/// Steps of 1 ms, everything in every step.
pub(super) fn one_millisecond() -> Result<Outcome> {
    let fineness = Fineness { step_s: 1e-3, contact_every: 1, tyre_every: 1 };
    let (times, mut details) = timed(fineness, 400)?;
    details.insert("us_per_step".to_owned(), json!(times.median * 1e6));
    Ok(Outcome { value: times.map(|s| 1.0 / s), unit: "steps/s", details })
}

/// 100 vehicles, 1 ms, all cores, in wall time.
pub(super) fn fleet() -> Result<Outcome> {
    const VEHICLES: u32 = 100;
    const ORDERS: u64 = 8;
    let pool = thread_pool(cores())?;
    let mut fleet = work(VEHICLES, Fineness { step_s: 1e-3, contact_every: 1, tyre_every: 1 })?;
    let model = fleet.world.model().clone();
    let mut rates = vec![];
    for round in 0..=RUNS {
        let begin = Instant::now();
        for _ in 0..ORDERS {
            fleet.order();
            let steps = fleet.steps_per_order();
            pool.install(|| {
                let vehicles = fleet.world.vehicles_mut().par_iter_mut().enumerate();
                vehicles.for_each(|(index, v)| v.advance(&model, index as u32, steps));
            });
            fleet.world.collect_events();
        }
        // The first round warms up.
        if round > 0 {
            rates.push(ORDERS as f64 * 0.25 / begin.elapsed().as_secs_f64());
        }
    }
    let details = Map::from_iter([
        ("vehicles".to_owned(), json!(VEHICLES)),
        ("cores".to_owned(), json!(cores())),
        ("state_hash".to_owned(), json!(hex(fleet.world.state_hash()))),
    ]);
    Ok(Outcome { value: Spread::of(rates), unit: "x real time", details })
}
