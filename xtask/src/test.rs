//! `cargo xtask test`: everything that has to hold before a change goes in, in one command.

use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow};

use crate::command::{Output, cargo};
use crate::tools::{self, NO_WASM, Tools};
use crate::{golden, page};

/// The profile of all that is built here: see `Cargo.toml`.
pub(crate) const PROFILE: &str = "ci";
/// The profile of debug builds here: see `Cargo.toml`.
const DEBUG_PROFILE: &str = "ci-debug";
/// The profile of what is built for wasm32 here: see `Cargo.toml`.
pub(crate) const WASM_PROFILE: &str = "ci-wasm";

/// Runs all stages, stops where one fails, and tells how long each took.
pub(crate) fn test() -> Result<()> {
    let start = Instant::now();
    let mut times = Times::default();
    let outcome = stages(&mut times);
    let verdict = if outcome.is_ok() { "all green" } else { "FAILED" };
    println!("\n{verdict}: {times}, in all {:.1} s", start.elapsed().as_secs_f64());
    outcome
}

/// The stages in order, quick ones first. Once all is compiled, two rows of stages run side by side: the
/// tests, many of which wait for a clock or a socket, and the rest. Three rows, with the tests of the page
/// apart, keep two cores so busy that what runs in real time falls behind.
fn stages(times: &mut Times) -> Result<()> {
    let terminal = &Output::Terminal;
    let tools = times.stage("tools", terminal, |_| tools::prepare())?;
    if let Some(reason) = &tools.no_wasm {
        println!("note: wasm32 is not tested: {reason}");
    }
    let tools = &tools;
    times.stage("formatting", terminal, |out| formatting(tools, out))?;
    // Before the first build of the program, which has the page inside.
    times.stage("page", terminal, |_| page::build())?;
    times.stage("lints", terminal, |out| {
        let scope = ["clippy", "--workspace", "--all-targets", "--profile", PROFILE];
        run(tools, out, with(cargo(&scope), &["--", "-D", "warnings"]))
    })?;
    times.stage("compiling", terminal, |out| {
        run(tools, out, with(workspace_tests(tools), &["--no-run"]))
    })?;
    side_by_side(tools, times)
}

/// The two rows of stages. What the one beside the tests prints is kept, and printed at the end.
fn side_by_side(tools: &Tools, times: &mut Times) -> Result<()> {
    let kept = &Output::kept("test-beside")?;
    println!("\n== beside the tests: doc tests, goldens, docs, the page; printed at the end");
    let (tested, (took, beside)) = thread::scope(|scope| {
        let beside = scope.spawn(|| {
            let mut times = Times::default();
            let outcome = beside_tests(tools, &mut times, kept);
            (times, outcome)
        });
        let tested =
            times.stage("tests", &Output::Terminal, |out| run(tools, out, workspace_tests(tools)));
        let panicked = |_| (Times::default(), Err(anyhow!("the stages beside the tests panicked")));
        (tested, beside.join().unwrap_or_else(panicked))
    });
    println!("\n== printed beside the tests\n{}", kept.text()?);
    times.0.extend(took.0);
    match (tested, beside) {
        (Err(one), Err(other)) => Err(one.context(format!("{other:#}; and"))),
        (tested, beside) => tested.and(beside),
    }
}

/// Formatting of all workspaces.
fn formatting(tools: &Tools, out: &Output) -> Result<()> {
    run(tools, out, cargo(&["fmt", "--all", "--check"]))?;
    // Workspaces of their own: formatted alike, but too slow to build in every test.
    for manifest in ["bench/peers/Cargo.toml", "fuzz/Cargo.toml"] {
        run(tools, out, cargo(&["fmt", "--check", "--manifest-path", manifest]))?;
    }
    Ok(())
}

/// What mostly compiles, then the tests of the page, against the program that was compiled with the tests:
/// built for itself it would have other features, and so be compiled again.
fn beside_tests(tools: &Tools, times: &mut Times, out: &Output) -> Result<()> {
    times.stage("doc tests", out, |out| {
        run(tools, out, cargo(&["test", "--doc", "--workspace", "--profile", PROFILE]))
    })?;
    times.stage("docs", out, |out| {
        let mut docs = cargo(&["doc", "--workspace", "--no-deps", "--profile", PROFILE]);
        docs.env("RUSTDOCFLAGS", "-D warnings");
        run(tools, out, docs)
    })?;
    // Debug builds must compute the same bits as release builds.
    times.stage("goldens in debug", out, |out| {
        let debug = with(tests_of(tools, DEBUG_PROFILE), &golden::debug_programs());
        run(tools, out, debug)
    })?;
    times.stage("goldens on wasm32", out, |out| golden::wasm_golden(tools, out))?;
    times.stage("page tests", out, page::test)
}

/// Runs a stage's command, telling it what this machine lacks.
pub(crate) fn run(tools: &Tools, out: &Output, mut command: Command) -> Result<()> {
    if let Some(reason) = &tools.no_wasm {
        command.env(NO_WASM, reason);
    }
    out.succeed(&mut command)
}

/// The command for all tests of the workspace. `--tests` keeps plain `cargo test` from running the doc
/// tests, which are a stage of their own.
pub(crate) fn workspace_tests(tools: &Tools) -> Command {
    with(tests_of(tools, PROFILE), &["--workspace", "--tests"])
}

/// The test command in this profile.
fn tests_of(tools: &Tools, profile: &str) -> Command {
    let runner: &[&str] = match tools.has_nextest {
        true => &["nextest", "run", "--cargo-profile"],
        false => &["test", "--profile"],
    };
    with(cargo(runner), &[profile])
}

fn with(mut command: Command, arguments: &[&str]) -> Command {
    command.args(arguments);
    command
}

/// The stages done so far and how long each took.
#[derive(Default)]
struct Times(Vec<(&'static str, Duration)>);

impl Times {
    /// Runs one stage between its heading and its time.
    fn stage<T>(
        &mut self,
        name: &'static str,
        out: &Output,
        work: impl FnOnce(&Output) -> Result<T>,
    ) -> Result<T> {
        out.say(&format!("\n== {name}"))?;
        let start = Instant::now();
        let outcome = work(out);
        let took = start.elapsed();
        self.0.push((name, took));
        let verdict = if outcome.is_ok() { "" } else { ", FAILED" };
        out.say(&format!("== {name}: {:.1} s{verdict}", took.as_secs_f64()))?;
        outcome.with_context(|| format!("stage `{name}` failed"))
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let told: Vec<String> = self
            .0
            .iter()
            .map(|(name, took)| format!("{name} {:.1} s", took.as_secs_f64()))
            .collect();
        out.write_str(&told.join(", "))
    }
}
