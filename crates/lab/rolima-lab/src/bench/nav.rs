//! Navigation: plans, the whole loop, and goals that are reached.

use super::Outcome;
use super::measure::Spread;
use super::timer::thread_cpu_s;
use anyhow::{Result, ensure};
use rolima_agents::soccer::{chase, random_chases};
use rolima_agents::tables::{CONTROLLERS, ESTIMATORS, controller_row, estimator_row};
use rolima_agents::tasks::{RULE, Task, field_settings, random_tasks, run, summary};
use rolima_agents::vision::{Blur, TASK_BLUR};
use rolima_console::text::hex;
use rolima_core::Model;
use rolima_math::Hash64;
use rolima_nav::bench::{LoopWork, PlanWork};
use rolima_scene::builtin_model;
use serde_json::{Map, Value, json};
use std::sync::Arc;

const RUNS: usize = 7;
const SEED: u64 = 1;

/// Plans a second of CPU time.
pub(super) fn plan_cubic() -> Result<Outcome> {
    const ROUNDS: u32 = 120;
    let work = PlanWork::new(SEED);
    let (_, expected) = work.plans(1);
    let mut rates = vec![];
    for _ in 0..RUNS {
        let begin_s = thread_cpu_s();
        let (plans, hash) = work.plans(ROUNDS);
        rates.push(plans as f64 / (thread_cpu_s() - begin_s));
        ensure!(hash == expected, "a run found {hash:016x}, another {expected:016x}");
    }
    let details = Map::from_iter([
        ("criterion_feasible_share".to_owned(), json!(work.feasible_share())),
        ("state_hash".to_owned(), json!(hex(expected))),
    ]);
    Ok(Outcome { value: Spread::of(rates), unit: "plans/s", details })
}

/// Frames a second of CPU time: the value for a goal that moves with every frame, so that each makes
/// a new plan and takes it, but for the one in a hundred in which the robot is as good as there.
pub(super) fn nav_loop() -> Result<Outcome> {
    const FRAMES: usize = 80_000;
    let measure = |moving: bool| -> Result<(Spread, u64, u64)> {
        let mut work = LoopWork::new(SEED, moving)?;
        let (expected, plans) = work.frames(FRAMES)?;
        let mut rates = vec![];
        for _ in 0..RUNS {
            let begin_s = thread_cpu_s();
            let (hash, _) = work.frames(FRAMES)?;
            rates.push(FRAMES as f64 / (thread_cpu_s() - begin_s));
            ensure!(hash == expected, "a run ended at {hash:016x}, another at {expected:016x}");
        }
        Ok((Spread::of(rates), expected, plans))
    };
    let (value, hash, plans) = measure(true)?;
    let (standing, ..) = measure(false)?;
    let details = Map::from_iter([
        ("plans_taken_per_call".to_owned(), json!(plans as f64 / FRAMES as f64)),
        ("standing_goals_calls_per_s".to_owned(), json!(standing.median)),
        ("state_hash".to_owned(), json!(hex(hash))),
    ]);
    Ok(Outcome { value, unit: "calls/s", details })
}

/// Share of 1,000 random goals that are held, and the tables of controllers and estimators.
pub(super) fn nav_tasks() -> Result<Outcome> {
    let model = builtin_model("navigation", &[])?;
    let tasks = random_tasks(1000, SEED);
    let go = |task: &Task| run(&model, task, field_settings(), TASK_BLUR, RULE);
    let outcomes = tasks.iter().map(go).collect::<Result<Vec<_>, _>>()?;
    let (share, median_s) = summary(&outcomes);
    let mut times: Vec<f64> = outcomes.iter().filter_map(|o| o.reached_s).collect();
    times.sort_by(f64::total_cmp);
    let late = times.get(times.len() * 99 / 100).copied().unwrap_or(f64::NAN);
    let mut hash = Hash64::default();
    outcomes.iter().for_each(|o| hash.number(o.distance));
    let mut controllers = Map::new();
    for (condition, blur) in [("ideal", Blur::default()), ("delay_and_noise", TASK_BLUR)] {
        for controller in CONTROLLERS {
            let row = controller_row(&model, &tasks, controller, blur, RULE)?;
            controllers.insert(
                format!("{}, {condition}", controller.name()),
                json!({
                    "reached": row.reached, "time_s": finite(row.time_s),
                    "distance_mm": 1e3 * row.distance, "angle_deg": row.angle.to_degrees(),
                    "overshoot_mm": 1e3 * row.overshoot, "overshoot_90_mm": 1e3 * row.overshoot_90,
                }),
            );
        }
    }
    let mut estimators = Map::new();
    for delay in 1..=3 {
        let blur = Blur { delay, gaps: 0.02, gap_length: 6, ..TASK_BLUR };
        for estimator in ESTIMATORS {
            let row = estimator_row(&model, estimator, blur, SEED)?;
            estimators.insert(
                format!("{}, delay {delay}", estimator.name()),
                json!({
                    "position_mm": 1e3 * row.position, "heading_deg": row.heading.to_degrees(),
                    "gaps_position_mm": 1e3 * row.position_in_gaps,
                    "gaps_heading_deg": row.heading_in_gaps.to_degrees(), "lost": row.lost,
                }),
            );
        }
    }
    let details = Map::from_iter([
        ("median_s".to_owned(), json!(median_s)),
        ("latest_of_100_s".to_owned(), json!(late)),
        ("goals".to_owned(), json!(tasks.len())),
        ("state_hash".to_owned(), json!(hex(hash.finish()))),
        ("balls".to_owned(), balls(&model)?),
        ("controllers".to_owned(), Value::Object(controllers)),
        ("estimators".to_owned(), Value::Object(estimators)),
    ]);
    Ok(Outcome { value: Spread::of(vec![share]), unit: "share", details })
}

/// How rolling balls are met: by anything, and by the front so that they roll towards the aim.
fn balls(model: &Arc<Model>) -> Result<Value> {
    const COUNT: u64 = 400;
    let (mut sent, mut times) = (0, vec![]);
    for task in random_chases(COUNT, SEED) {
        if let Some(touch) = chase(model, &task, field_settings(), TASK_BLUR)? {
            sent += u64::from(touch.is_in_front() && touch.is_towards_aim());
            times.push(touch.time_s);
        }
    }
    times.sort_by(f64::total_cmp);
    let median_s = times.get(times.len() / 2).copied().unwrap_or(f64::INFINITY);
    let share = |part: u64| part as f64 / COUNT as f64;
    let (met, sent) = (share(times.len() as u64), share(sent));
    Ok(json!({ "count": COUNT, "met": met, "sent": sent, "median_s": finite(median_s) }))
}

fn finite(x: f64) -> Value {
    if x.is_finite() { json!(x) } else { Value::Null }
}
