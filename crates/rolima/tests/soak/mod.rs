//! A live match in real time, with viewers and programs that come and go and attacks at a low rate:
//! memory and descriptors stay within bounds, and everybody else goes on.
//!
//! `cargo xtask long soak` runs it for 15 minutes and prints a row a minute; the short form is a test
//! like any other. Deadlines are told beside those of a loop that only sleeps, and not judged: they
//! are the machine's as much as the program's.
//!
//! | module | what |
//! |---|---|
//! | this one | the tests, the time, the bounds |
//! | `target` | the program that is under attack, and what the system tells of it |
//! | `line` | connections to it |
//! | `crowd` | viewers and programs that come and go |
//! | `attacks` | what is done to it, and what must come of it |
//! | `strangers` | attacks by those who never say anything whole |
//! | `maps` | maps that cost much |
//! | `table` | figures in rows |
#![cfg(target_os = "linux")]

mod attacks;
mod crowd;
mod line;
mod maps;
mod strangers;
mod table;
mod target;

use attacks::{ATTACKS, Attack};
use rolima_run::live::bare_loop;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};
use table::{HEADING, Row};
use target::{Figures, Target};

/// Most memory at any time, MB: what is half sent (64), pictures that are read (200 each), the largest
/// map as the old world and the new one, and what the allocator keeps.
const MOST_MEMORY_MB: f64 = 1000.0;
/// How much more the least memory of the last row may be than that of the second, MB: rows begin
/// anywhere in a round of attacks, so that even the least of one is not the memory of a world alone.
const MOST_GROWTH_MB: f64 = 100.0;
/// How much more memory than at the begin may be left when all have gone, MB.
const MOST_LEFT_MB: f64 = 60.0;
/// How many more descriptors than at the begin may be left when all have gone.
const MOST_LEFT_DESCRIPTORS: u64 = 4;
/// Until all that have gone are forgotten.
const PATIENCE: Duration = Duration::from_secs(120);

/// How a soak goes.
struct Plan {
    rows: u32,
    row: Duration,
    /// Between two attacks.
    pause: Duration,
    /// Whether maps and pictures that take seconds are sent, too.
    heavy: bool,
}

/// What has been done so far, by all threads.
#[derive(Default)]
struct Done {
    viewers: AtomicU64,
    programs: AtomicU64,
    attacks: AtomicU64,
    stop: AtomicBool,
    /// What each attack cost at most.
    costs: Mutex<Vec<(&'static str, Cost)>>,
    /// What went wrong.
    problems: Mutex<Vec<String>>,
}

impl Done {
    fn goes_on(&self) -> bool {
        !self.stop.load(Relaxed)
    }

    fn has_failed(&self) -> bool {
        !self.problems.lock().expect("nobody panicked").is_empty()
    }

    fn took(&self, name: &'static str, cost: Cost) {
        let mut costs = self.costs.lock().expect("nobody panicked");
        match costs.iter_mut().find(|known| known.0 == name) {
            Some(known) => known.1 = known.1.most(cost),
            None => costs.push((name, cost)),
        }
    }

    fn note(&self, what: &str, outcome: Result<(), String>) {
        if let Err(problem) = outcome {
            println!("{what}: {problem}");
            self.problems.lock().expect("nobody panicked").push(format!("{what}: {problem}"));
            self.stop.store(true, Relaxed);
        }
    }
}

/// What an attack cost.
#[derive(Clone, Copy)]
struct Cost {
    /// Until it was done and everybody else was answered.
    time: Duration,
    /// Deadlines of 1 ms that the run missed meanwhile.
    missed: u64,
    /// Deadlines of 30 ms.
    missed_frames: u64,
}

impl Cost {
    fn most(self, other: Self) -> Self {
        Self {
            time: self.time.max(other.time),
            missed: self.missed.max(other.missed),
            missed_frames: self.missed_frames.max(other.missed_frames),
        }
    }
}

/// Ends all threads, however the thread ends that has it.
struct StopOnDrop<'a>(&'a Done);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.0.stop.store(true, Relaxed);
    }
}

#[test]
fn a_short_soak_leaves_nothing_behind() {
    let row = Duration::from_secs(5);
    soak(&Plan { rows: 2, row, pause: Duration::ZERO, heavy: false });
}

#[test]
#[ignore = "takes ROLIMA_SOAK_MINUTES, 15 by default: cargo xtask long soak"]
fn the_long_soak() {
    let minutes = std::env::var("ROLIMA_SOAK_MINUTES").ok();
    let rows = minutes.map_or(15, |minutes| minutes.parse().expect("a number of minutes"));
    let (row, pause) = (Duration::from_secs(60), Duration::from_secs(2));
    soak(&Plan { rows, row, pause, heavy: true });
}

fn soak(plan: &Plan) {
    let target = Target::start(if plan.heavy { "long" } else { "short" });
    let alone = target.figures();
    let done = Done::default();
    println!(
        "{} MB and {} descriptors at the begin\n{HEADING}",
        alone.memory_mb, alone.descriptors
    );
    let rows = std::thread::scope(|scope| {
        let (target, done) = (&target, &done);
        let _stop = StopOnDrop(done);
        scope.spawn(|| target.watch(done));
        (0..4).for_each(|number| drop(scope.spawn(move || crowd::viewers(target, done, number))));
        scope.spawn(|| crowd::programs(target, done));
        scope.spawn(|| attack(plan, target, done));
        (1..=plan.rows).map(|number| take_row(number, plan, target, done)).collect::<Vec<Row>>()
    });
    let most = Figures {
        memory_mb: alone.memory_mb + MOST_LEFT_MB,
        descriptors: alone.descriptors + MOST_LEFT_DESCRIPTORS,
        ..alone
    };
    let left = target.settled(most, PATIENCE);
    let Figures { memory_mb, descriptors, own_mb, shared_mb } = left;
    println!(
        "{memory_mb} MB ({own_mb} its own, {shared_mb} shared) and {descriptors} descriptors when all had gone"
    );
    println!(
        "{}\nat most, s and missed deadlines of 1 and 30 ms until the next attack:",
        target.end()
    );
    for (name, cost) in done.costs.lock().expect("nobody panicked").iter() {
        let Cost { time, missed, missed_frames } = cost;
        println!("{:>7.2} {missed:>7} {missed_frames:>6}  {name}", time.as_secs_f64());
    }
    let mut problems = done.problems.lock().expect("nobody panicked").clone();
    problems.extend(judge(&rows));
    problems.extend(judge_left(alone, left));
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(done.attacks.load(Relaxed) >= 1 && done.viewers.load(Relaxed) >= 4);
}

/// Attacks one after the other, again and again; each of them once at least.
fn attack(plan: &Plan, target: &Target, done: &Done) {
    let chosen: Vec<&Attack> = ATTACKS.iter().filter(|a| plan.heavy || !a.heavy).collect();
    for (number, attack) in chosen.iter().cycle().enumerate() {
        if done.has_failed() || number >= chosen.len() && !done.goes_on() {
            return;
        }
        let (begin, before) = (Instant::now(), target.status());
        done.note(attack.name, (attack.run)(target).and_then(|()| target.answers()));
        let time = begin.elapsed();
        done.attacks.fetch_add(1, Relaxed);
        std::thread::sleep(plan.pause);
        let after = target.status();
        let missed = after.missed_ticks.saturating_sub(before.missed_ticks);
        let missed_frames = after.missed_frames.saturating_sub(before.missed_frames);
        done.took(attack.name, Cost { time, missed, missed_frames });
    }
}

/// Takes figures for as long as a row lasts, beside a loop that only sleeps.
fn take_row(number: u32, plan: &Plan, target: &Target, done: &Done) -> Row {
    let seconds = plan.row.as_secs_f64();
    let bare = std::thread::spawn(move || bare_loop(seconds));
    let mut row = Row::new(number);
    let end = Instant::now() + plan.row;
    while Instant::now() < end && !done.has_failed() {
        row.add(target.figures());
        std::thread::sleep(Duration::from_millis(200));
    }
    row.bare = Some(bare.join().expect("the bare loop ends"));
    row.live = target.status();
    row.viewers = done.viewers.load(Relaxed);
    row.programs = done.programs.load(Relaxed);
    row.attacks = done.attacks.load(Relaxed);
    println!("{row}");
    row
}

/// What was out of bounds meanwhile.
fn judge(rows: &[Row]) -> Vec<String> {
    let mut problems = vec![];
    let most = rows.iter().map(|row| row.memory_mb[1]).fold(0.0, f64::max);
    if most > MOST_MEMORY_MB {
        problems.push(format!("memory: expected at most {MOST_MEMORY_MB} MB, got {most} MB"));
    }
    // The short soak has two rows, the first of them with all that is built once.
    if let [_, second, .., last] = rows {
        let growth = last.memory_mb[0] - second.memory_mb[0];
        if growth > MOST_GROWTH_MB {
            let expected = format!("at most {MOST_GROWTH_MB} MB more in the last row");
            problems.push(format!("memory: expected {expected} than in the second, got {growth}"));
        }
    }
    problems
}

/// What is too much when all have gone.
fn judge_left(alone: Figures, left: Figures) -> Vec<String> {
    let mut problems = vec![];
    let memory_mb = left.memory_mb - alone.memory_mb;
    if memory_mb > MOST_LEFT_MB {
        let expected = format!("at most {MOST_LEFT_MB} MB more than at the begin");
        let Figures { own_mb, shared_mb, .. } = left;
        let got = format!("{memory_mb} MB more: {own_mb} MB its own, {shared_mb} MB shared");
        problems.push(format!("memory: expected {expected}, got {got}"));
    }
    let descriptors = left.descriptors.saturating_sub(alone.descriptors);
    if descriptors > MOST_LEFT_DESCRIPTORS {
        let expected =
            format!("at most {MOST_LEFT_DESCRIPTORS} descriptors more than at the begin");
        problems.push(format!("expected {expected}, got {descriptors}"));
    }
    problems
}

#[test]
fn what_is_out_of_bounds_is_told() {
    let row = |memory_mb: [f64; 2]| Row { memory_mb, ..Row::new(1) };
    let good = [row([60.0, 300.0]), row([70.0, 320.0]), row([90.0, 310.0])];
    assert!(judge(&good).is_empty());
    let grown = [row([60.0, 300.0]), row([70.0, 320.0]), row([190.0, 1310.0])];
    assert_eq!(judge(&grown).len(), 2, "{:?}", judge(&grown));
    let figures = |memory_mb: f64, descriptors: u64| Figures {
        memory_mb,
        descriptors,
        own_mb: memory_mb,
        shared_mb: 0.0,
    };
    let alone = figures(21.0, 15);
    assert!(judge_left(alone, figures(60.0, 17)).is_empty());
    let told = judge_left(alone, figures(99.0, 24));
    assert_eq!(told.len(), 2, "{told:?}");
}
