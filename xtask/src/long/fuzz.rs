//! Every fuzz target for a stated time, with a table of what came of it.
//!
//! The targets are built here with the compiler's own instrumentation, so that neither a nightly
//! toolchain nor cargo-fuzz is needed; without sanitizers, which safe code does not miss.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use crate::command::{cargo, output_of, program, repository, succeed, works};
use crate::tools::system_package;

/// What cargo-fuzz passes, too: counters at every branch, and what is compared with what.
const FLAGS: [&str; 7] = [
    "--cfg=fuzzing",
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Cllvm-args=-simplifycfg-branch-fold-threshold=0",
];
/// Longest input, bytes.
const LONGEST_INPUT: u32 = 4096;
/// An input that takes longer than this, s, or more memory, MB, has failed.
const LONGEST_RUN_S: u32 = 60;
const MOST_MEMORY_MB: u32 = 2048;
/// Lines of a fuzzer that failed which are shown.
const LAST_LINES: usize = 30;

/// Builds all targets and runs those that are named, or all.
pub(super) fn fuzz(seconds: u32, names: &[String]) -> Result<()> {
    let known = targets()?;
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        bail!("no fuzz target `{unknown}`: there are {}", known.join(", "));
    }
    let wanted = if names.is_empty() { &known } else { names };
    let programs = build()?;
    let mut table = vec![];
    for name in wanted {
        println!("fuzzing {name} for {seconds} s");
        table.push((name, run(&programs, name, seconds)?));
    }
    println!("\n{HEADING}");
    table.iter().for_each(|(name, figures)| println!("{}", figures.row(name)));
    let failed: Vec<&str> = table.iter().filter(|row| !row.1.good).map(|row| &**row.0).collect();
    if failed.is_empty() {
        return Ok(());
    }
    bail!("{} failed; the inputs are in fuzz/artifacts", failed.join(", "))
}

/// Names of all targets.
fn targets() -> Result<Vec<String>> {
    let folder = repository().join("fuzz/fuzz_targets");
    let entries = fs::read_dir(&folder).context("fuzz/fuzz_targets cannot be read")?.flatten();
    let stem = |path: PathBuf| Some(path.file_stem()?.to_str()?.to_owned());
    let mut names: Vec<String> = entries.filter_map(|entry| stem(entry.path())).collect();
    names.sort();
    Ok(names)
}

/// The fuzzer itself is C++.
fn compiler() -> Result<()> {
    if works(&mut program("c++", &["--version"])) { Ok(()) } else { system_package("g++") }
}

/// Whether all targets compile, which are a workspace of their own that no other command builds.
pub(super) fn check() -> Result<()> {
    compiler()?;
    let mut check = cargo(&["check", "--all-targets", "--manifest-path", "fuzz/Cargo.toml"]);
    succeed(check.args(["--target-dir", "fuzz/target"]))
}

/// Builds all targets; the folder where they are.
fn build() -> Result<PathBuf> {
    compiler()?;
    let host = output_of(&mut program("rustc", &["--print", "host-tuple"]))?;
    // With a target named, build scripts and macros are built without the flags.
    let host = host.trim();
    let mut build = cargo(&["build", "--release", "--manifest-path", "fuzz/Cargo.toml"]);
    build.args(["--target-dir", "fuzz/target", "--target", host]);
    succeed(build.env("RUSTFLAGS", FLAGS.join(" ")))?;
    Ok(repository().join("fuzz/target").join(host).join("release"))
}

/// Lets one target run; what it finds goes into fuzz/corpus, which git passes over.
fn run(programs: &Path, name: &str, seconds: u32) -> Result<Figures> {
    let folder = |kind: &str| repository().join("fuzz").join(kind).join(name);
    let (found, seeds, failures) = (folder("corpus"), folder("seeds"), folder("artifacts"));
    for folder in [&found, &seeds, &failures] {
        fs::create_dir_all(folder).with_context(|| format!("{}", folder.display()))?;
    }
    let mut fuzzer = program(programs.join(name), &[]);
    fuzzer.args([&found, &seeds]).args([
        format!("-max_total_time={seconds}"),
        format!("-max_len={LONGEST_INPUT}"),
        format!("-timeout={LONGEST_RUN_S}"),
        format!("-rss_limit_mb={MOST_MEMORY_MB}"),
        format!("-artifact_prefix={}/", failures.display()),
        "-print_final_stats=1".to_owned(),
    ]);
    let mut child = fuzzer
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .with_context(|| format!("the fuzz target {name} cannot be started"))?;
    let mut figures = Figures::default();
    let mut last = vec![];
    let said = child.stderr.take().map(BufReader::new).into_iter().flat_map(BufRead::lines);
    for line in said.map_while(Result::ok) {
        figures.read(&line);
        if last.len() == LAST_LINES {
            last.remove(0);
        }
        last.push(line);
    }
    figures.good = child.wait().context("the fuzzer cannot be waited for")?.success();
    if !figures.good {
        println!("{}", last.join("\n"));
    }
    Ok(figures)
}

const HEADING: &str = "target               runs   runs/s  coverage seeds -> end  inputs  slowest s  \
                       memory MB  outcome";

/// What a fuzzer has told of itself.
#[derive(Debug, Default, PartialEq)]
struct Figures {
    runs: u64,
    runs_per_s: u64,
    /// Branches that the first inputs reached, and all.
    coverage: [u64; 2],
    /// Inputs that are kept because each reaches something of its own.
    inputs: u64,
    slowest_s: u64,
    memory_mb: u64,
    good: bool,
}

impl Figures {
    /// Takes what is in a line, such as `#81 NEW cov: 905 ft: 2071 corp: 31/4186b lim: ...`.
    fn read(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        let after = |key: &str| {
            let at = words.iter().position(|word| *word == key)?;
            words.get(at + 1)?.split('/').next()?.parse::<u64>().ok()
        };
        if let Some(coverage) = after("cov:") {
            let is_first = words.get(1) == Some(&"INITED");
            self.coverage = [if is_first { coverage } else { self.coverage[0] }, coverage];
        }
        for (key, figure) in [
            ("corp:", &mut self.inputs),
            ("stat::number_of_executed_units:", &mut self.runs),
            ("stat::average_exec_per_sec:", &mut self.runs_per_s),
            ("stat::slowest_unit_time_sec:", &mut self.slowest_s),
            ("stat::peak_rss_mb:", &mut self.memory_mb),
        ] {
            if let Some(value) = after(key) {
                *figure = value;
            }
        }
    }

    fn row(&self, name: &str) -> String {
        let Self { runs, runs_per_s, coverage: [first, end], inputs, slowest_s, memory_mb, good } =
            self;
        let outcome = if *good { "good" } else { "FAILED" };
        format!(
            "{name:<14} {runs:>10} {runs_per_s:>8} {first:>13} -> {end:<6} {inputs:>6} \
             {slowest_s:>10} {memory_mb:>10}  {outcome}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_what_the_fuzzer_says() {
        let mut figures = Figures::default();
        for line in [
            "INFO: Running with entropic power schedule (0xFF, 100).",
            "#8\tINITED cov: 412 ft: 900 corp: 6/2Kb exec/s: 0 rss: 41Mb",
            "#81\tNEW    cov: 905 ft: 2071 corp: 31/4186b lim: 4096 exec/s: 0 rss: 44Mb",
            "#99\tDONE   cov: 907 ft: 2080 corp: 33/4190b lim: 4096 exec/s: 9 rss: 44Mb",
            "stat::number_of_executed_units: 99",
            "stat::average_exec_per_sec:     9",
            "stat::slowest_unit_time_sec:    2",
            "stat::peak_rss_mb:              44",
        ] {
            figures.read(line);
        }
        let expected = Figures {
            runs: 99,
            runs_per_s: 9,
            coverage: [412, 907],
            inputs: 33,
            slowest_s: 2,
            memory_mb: 44,
            good: false,
        };
        assert_eq!(figures, expected);
        assert!(figures.row("map").contains("412 -> 907"));
    }

    #[test]
    fn every_target_has_seeds_and_a_row_in_the_readme() {
        let names = targets().unwrap();
        assert!(names.iter().any(|name| name == "world"), "{names:?}");
        let readme = fs::read_to_string(repository().join("fuzz/README.md")).unwrap();
        let manifest = fs::read_to_string(repository().join("fuzz/Cargo.toml")).unwrap();
        for name in names {
            let seeds = repository().join("fuzz/seeds").join(&name);
            assert!(fs::read_dir(&seeds).is_ok_and(|mut seeds| seeds.next().is_some()), "{name}");
            assert!(readme.contains(&format!("| `{name}` |")), "{name}");
            assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
        }
    }
}
