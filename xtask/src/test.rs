//! `cargo xtask test`: everything that has to hold before a change goes in, in one command.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::command::{cargo, command_line, succeed};
use crate::tools::{self, NO_WASM, Tools};
use crate::{golden, page};

/// The profile of all that is built here: see `Cargo.toml`.
pub(crate) const PROFILE: &str = "ci";

/// Runs all stages, stops at the first that fails, and tells how long each took.
pub(crate) fn test() -> Result<()> {
    let mut times = Times::default();
    let outcome = stages(&mut times);
    let verdict = if outcome.is_ok() { "all green" } else { "FAILED at the last of these" };
    println!("\n{verdict}: {times}");
    outcome
}

/// The stages in order, quick ones first.
fn stages(times: &mut Times) -> Result<()> {
    let tools = times.stage("tools", tools::prepare)?;
    if let Some(reason) = &tools.no_wasm {
        println!("note: wasm32 is not tested: {reason}");
    }

    times.stage("formatting", || {
        run(&tools, cargo(&["fmt", "--all", "--check"]))?;
        // Workspaces of their own: formatted alike, but too slow to build in every test.
        for manifest in ["bench/peers/Cargo.toml", "fuzz/Cargo.toml"] {
            run(&tools, cargo(&["fmt", "--check", "--manifest-path", manifest]))?;
        }
        Ok(())
    })?;
    // Before the first build of the program, which has the page inside.
    times.stage("page", page::build)?;
    times.stage("lints", || {
        let scope = ["clippy", "--workspace", "--all-targets", "--profile", PROFILE];
        run(&tools, with(cargo(&scope), &["--", "-D", "warnings"]))
    })?;
    times.stage("tests", || {
        // `--tests` keeps plain `cargo test` from running the doc tests, which come next.
        let profile = if tools.has_nextest { "--cargo-profile" } else { "--profile" };
        run(&tools, tests(&tools, &["--workspace", profile, PROFILE, "--tests"]))
    })?;
    times.stage("page tests", || {
        // The whole workspace is named, as a package alone would be built again with other features.
        run(&tools, cargo(&["build", "--profile", PROFILE, "--workspace", "--bin", "rolima"]))?;
        page::test()
    })?;
    times.stage("doc tests", || {
        run(&tools, cargo(&["test", "--doc", "--workspace", "--profile", PROFILE]))
    })?;
    // Debug builds must compute the same bits as release builds.
    times.stage("golden in debug", || {
        run(&tools, tests(&tools, &["--package", "rolima-core", "--test", "golden"]))?;
        let spatial = ["--package", "rolima-spatial", "--features", "bodies", "--test", "golden"];
        run(&tools, tests(&tools, &spatial))
    })?;
    times.stage("golden on wasm32", || golden::wasm_golden(&tools))?;
    times.stage("docs", || {
        let mut docs = cargo(&["doc", "--workspace", "--no-deps", "--profile", PROFILE]);
        docs.env("RUSTDOCFLAGS", "-D warnings");
        run(&tools, docs)
    })
}

/// Runs a stage's command, telling it what this machine lacks.
pub(crate) fn run(tools: &Tools, mut command: Command) -> Result<()> {
    if let Some(reason) = &tools.no_wasm {
        command.env(NO_WASM, reason);
    }
    println!("$ {}", command_line(&command));
    succeed(&mut command)
}

/// The test command for this scope.
fn tests(tools: &Tools, scope: &[&str]) -> Command {
    let runner: &[&str] = if tools.has_nextest { &["nextest", "run"] } else { &["test"] };
    with(cargo(runner), scope)
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
    fn stage<T>(&mut self, name: &'static str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("\n== {name}");
        let start = Instant::now();
        let outcome = work();
        let took = start.elapsed();
        self.0.push((name, took));
        println!("== {name}: {:.1} s", took.as_secs_f64());
        outcome.with_context(|| format!("stage `{name}` failed"))
    }
}

impl std::fmt::Display for Times {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (name, took) in &self.0 {
            write!(out, "{name} {:.1} s, ", took.as_secs_f64())?;
        }
        let total: Duration = self.0.iter().map(|(_, took)| took).sum();
        write!(out, "in all {:.1} s", total.as_secs_f64())
    }
}
