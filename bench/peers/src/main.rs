//! The soccer and crowd benchmarks of Rolimã, done by rapier2d in single and double precision.
//!
//! Prints one JSON object a line: `name`, `engine`, `value` (the median of several runs), `unit`,
//! and the spread and contacts behind it. `bench/README.md` says what is and is not alike.

mod clock;
mod double;
mod random;
mod single;

use std::process::ExitCode;

/// Runs of each case; the median is the value.
const RUNS: u64 = 5;
/// CPU time of each run.
const RUN_CPU_S: f64 = 0.5;
/// Steps before the clock starts, in which the heap forms and buffers grow.
const WARM_UP_STEPS: u32 = 3000;
/// Steps between two looks at the clock.
const BATCH_STEPS: u32 = 100;
const CROWD_ROBOTS: usize = 1000;

/// What one run of a case came to.
struct Run {
    steps_per_s: f64,
    contacts_per_step: f64,
}

/// Runs a case for each seed. A macro, because the two precisions are unrelated types.
macro_rules! measure {
    ($make:expr) => {
        (1..=RUNS).map(|seed| run_once!($make(seed))).collect::<Result<Vec<Run>, String>>()
    };
}

macro_rules! run_once {
    ($case:expr) => {{
        let mut case = $case;
        (0..WARM_UP_STEPS).for_each(|_| case.step());
        let (mut batches, mut contacts) = (0_u32, 0);
        let start_s = clock::cpu_s();
        let mut spent_s = 0.0;
        while spent_s < RUN_CPU_S {
            (0..BATCH_STEPS).for_each(|_| case.step());
            batches += 1;
            contacts += case.contacts();
            spent_s = clock::cpu_s() - start_s;
        }
        if case.is_whole() {
            Ok(Run {
                steps_per_s: f64::from(batches * BATCH_STEPS) / spent_s,
                contacts_per_step: contacts as f64 / f64::from(batches),
            })
        } else {
            Err("a body left the field".to_owned())
        }
    }};
}

macro_rules! measure_engine {
    ($engine:expr, $cases:ident) => {{
        use $cases::cases::Case;
        report("soccer-3v3", $engine, "steps/s", 1.0, measure!(Case::soccer))?;
        report("soccer-scrum", $engine, "steps/s", 1.0, measure!(Case::scrum))?;
        let crowd = measure!(|seed| Case::crowd(CROWD_ROBOTS, seed));
        report("crowd", $engine, "robot-steps/s", CROWD_ROBOTS as f64, crowd)
    }};
}

fn main() -> ExitCode {
    match measure_all() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("rolima-bench-peers: {message}");
            ExitCode::FAILURE
        }
    }
}

fn measure_all() -> Result<(), String> {
    measure_engine!("rapier2d", single)?;
    measure_engine!("rapier2d-f64", double)
}

/// Prints the line of one case; `per_step` is how much a step counts for.
fn report(
    name: &str,
    engine: &str,
    unit: &str,
    per_step: f64,
    runs: Result<Vec<Run>, String>,
) -> Result<(), String> {
    let mut runs = runs.map_err(|problem| format!("{name} by {engine}: {problem}"))?;
    runs.sort_by(|a, b| a.steps_per_s.total_cmp(&b.steps_per_s));
    let [slowest, .., fastest] = &runs[..] else {
        return Err(format!("{name} by {engine}: the median needs at least two runs"));
    };
    let median = &runs[runs.len() / 2];
    println!(
        r#"{{"name":"{name}","engine":"{engine}","value":{:.0},"unit":"{unit}","lowest":{:.0},"highest":{:.0},"runs":{},"contacts_per_step":{:.2}}}"#,
        median.steps_per_s * per_step,
        slowest.steps_per_s * per_step,
        fastest.steps_per_s * per_step,
        runs.len(),
        median.contacts_per_step,
    );
    Ok(())
}
