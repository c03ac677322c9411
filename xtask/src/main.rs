//! The repository's own commands, started as `cargo xtask NAME`.
//!
//! Written in Rust rather than shell so that they work wherever Rolimã builds.

mod bench_against;
mod bench_lines;
mod bench_peers;
mod command;
mod golden;
mod install;
mod long;
mod page;
mod test;
mod tools;

use std::env;
use std::process::ExitCode;

use anyhow::{Result, bail};

use crate::command::{cargo, repository};

const HELP: &str = "\
The commands of this repository.

Usage: cargo xtask COMMAND

Commands:
  run [ARGS...]   build the page and `rolima` in release and start it: `rolima run soccer`, or `rolima ARGS...`
  install         build the page and `rolima` and put it where cargo keeps programs (--root FOLDER:
                  into FOLDER/bin), so that `rolima` alone starts it
  page            build the page of viewer/, if it is stale
  test            install what tests need, then formatting, lints, all tests, determinism, docs
  figures         make the figures of the papers again: out/reproduce/index.html
  bench-peers     the benchmarks beside other engines, with ratios (--rounds N, 3 by default;
                  --only NAME for one of them)
  bench-against REV [NAMES...]
                  how much faster or slower than revision REV this working tree is, uncommitted changes
                  included: both are built and take turns (--rounds N, 5 by default; --core N keeps
                  them on one core); without names those of the planar engine and `fleet`, with `all` all
                  that both have; --only-build makes both programs for another time
  long            what takes too long for every change: all of the following, or one of them
  long fuzz [TARGETS...]
                  every fuzz target, or those named, for 75 s each (--seconds N), with a table
  long check      whether the fuzz targets compile
  long goldens    whether all targets compile for Windows, and the golden hashes on aarch64 (qemu-user)
                  and Windows (wine); installs what is missing
  long soak       a live match for 15 minutes (--minutes N) with viewers that come and go and attacks:
                  memory, descriptors and deadlines beside a bare loop, a row a minute
  long tests      all tests of the workspace with all of their samples
  help            this text

Environment:
  ROLIMA_PEER_PYTHON   the Python whose MuJoCo and PyBullet `bench-peers` measures
  ROLIMA_NO_WASM       a reason for `test` to leave out the wasm32 determinism test
";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let outcome = match arguments.split_first() {
        None => {
            print!("{HELP}");
            Ok(())
        }
        Some((name, rest)) => dispatch(name, rest),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(name: &str, arguments: &[String]) -> Result<()> {
    match name {
        "run" => run(arguments),
        "test" => nothing_more(name, arguments).and_then(|()| test::test()),
        "page" => nothing_more(name, arguments).and_then(|()| page::build()),
        "install" => install::install(arguments),
        "figures" => nothing_more(name, arguments).and_then(|()| figures()),
        "bench-against" => bench_against::bench_against(arguments),
        "bench-peers" => bench_peers::bench_peers(arguments),
        "long" => long::long(arguments),
        "help" | "-h" | "--help" => {
            print!("{HELP}");
            Ok(())
        }
        _ => bail!("no command `{name}`\n\n{HELP}"),
    }
}

fn nothing_more(name: &str, arguments: &[String]) -> Result<()> {
    match arguments.first() {
        None => Ok(()),
        Some(unknown) => bail!("`{name}` takes no arguments, got `{unknown}`"),
    }
}

/// Builds and starts `rolima` in the directory of the caller, so that relative scene files work.
fn run(arguments: &[String]) -> Result<()> {
    page::build()?;
    let mut start = cargo(&["run", "--release", "--package", "rolima", "--manifest-path"]);
    start.current_dir(env::current_dir()?);
    start.arg(repository().join("Cargo.toml")).args(tools::features()).arg("--");
    if arguments.is_empty() {
        start.args(["run", "soccer"]);
    } else {
        start.args(arguments);
    }
    command::become_child(start)
}

fn figures() -> Result<()> {
    let draw =
        ["run", "--release", "--package", "rolima", "--", "reproduce", "--out", "out/reproduce"];
    command::succeed(&mut cargo(&draw))
}
