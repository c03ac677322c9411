//! Many independent matches on all cores.

use super::Outcome;
use super::measure::{Spread, Work};
use super::soccer::{MATCH_STEPS, match_model};
use super::timer::process_cpu_s;
use anyhow::Result;
use rolima_console::text::hex;
use rolima_run::pool::cores;
use rolima_run::{Batch, thread_pool};
use serde_json::{Map, json};
use std::time::Instant;

const WORLDS: u64 = 1024;
const ROUNDS: usize = 5;
/// Steps of each world in a round, and before the first round: some 10 simulated seconds, after
/// which the robots have left their first places.
const STEPS: u64 = 10_000;

pub(super) fn worlds() -> Result<Outcome> {
    let model = match_model()?;
    let pool = thread_pool(cores())?;
    let mut batch = Batch::new(&model, 1..=WORLDS);
    pool.install(|| batch.steps(STEPS));

    // One match alone is measured in between: on machines that waver only neighbours compare.
    let alone = Work { model, worlds: 1, lead_in: 0, steps: MATCH_STEPS / 5, runs: 1 };
    let (mut rates, mut alone_rates, mut cpu_rates) = (vec![], vec![], vec![]);
    for _ in 0..ROUNDS {
        alone_rates.push(alone.total_steps() / alone.measure()?.cpu_s.median);
        let (begin, begin_cpu_s) = (Instant::now(), process_cpu_s());
        pool.install(|| batch.steps(STEPS));
        let wall_s = begin.elapsed().as_secs_f64();
        rates.push((WORLDS * STEPS) as f64 / wall_s);
        cpu_rates.push((WORLDS * STEPS) as f64 * cores() as f64 / (process_cpu_s() - begin_cpu_s));
    }
    let value = Spread::of(rates);
    let alone = Spread::of(alone_rates).median;
    let details = Map::from_iter([
        ("cores".to_owned(), json!(cores())),
        ("ratio_to_soccer_3v3".to_owned(), json!(value.median / alone)),
        ("soccer_3v3_steps_per_s".to_owned(), json!(alone)),
        // What it would be had nobody else used the machine: by CPU time in place of wall time.
        ("ratio_by_cpu_time".to_owned(), json!(Spread::of(cpu_rates).median / alone)),
        ("state_hash".to_owned(), json!(hex(batch.state_hash()))),
        ("worlds".to_owned(), json!(WORLDS)),
        ("steps_per_world_and_run".to_owned(), json!(STEPS)),
    ]);
    Ok(Outcome { value, unit: "steps/s", details })
}
