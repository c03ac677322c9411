//! What may be written on the command line.

use crate::map::MapArguments;
use clap::{Args, Parser, Subcommand};
use rolima_run::Speed;
use rolima_run::pool::MAX_THREADS;

/// A simulator for wheeled robots, fast and deterministic to the bit.
#[derive(Debug, Parser)]
#[command(name = "rolima", version, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done, 2 bad usage or bad file, 1 anything else.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a scene, in a view of the terminal or without one
    Run(RunArguments),
    /// Say what is in a scene, or what is wrong with it
    Check(CheckArguments),
    /// List all parameters of a scene or robot with units and where each comes from
    Describe(DescribeArguments),
    /// List the built-in scenes and robots
    Scenes,
    /// Turn a drawn maze into a text map, and show what was recognised
    Map(MapArguments),
    /// Measure how fast it is
    Bench(BenchArguments),
}

#[derive(Debug, Args)]
pub(crate) struct SceneArguments {
    /// A scene file, or a built-in scene or robot (see `rolima scenes`)
    #[arg(value_name = "SCENE")]
    pub(crate) scene: String,

    /// Change a variable or any key of the scene: `robots=100`, `sim.step_s=0.0005`,
    /// `robot.blue-1.drive.mass=0.4`, `robot.*.driver.kind=none`; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) sets: Vec<String>,
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,

    /// Run without a view; without --for until Ctrl-C
    #[arg(long)]
    pub(crate) headless: bool,

    /// End after this much simulated time, rounded to whole steps
    #[arg(long = "for", value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) duration_s: Option<f64>,

    /// 1 is real time, N that many times faster, max as fast as possible
    /// [default: max without a view and with --for, else 1]
    #[arg(long, value_name = "1|N|max")]
    pub(crate) speed: Option<Speed>,

    /// Key of all random numbers [default: that of the scene]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Threads for large worlds; changes no bit of the result [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_THREADS as i64))]
    pub(crate) threads: Option<u32>,

    /// Run without a view and print the result as one JSON object, in the last line
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,
}

#[derive(Debug, Args)]
pub(crate) struct DescribeArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// Which ones; all if none is named
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,

    /// Only list the benchmarks
    #[arg(long)]
    pub(crate) list: bool,

    /// Print one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds >= 0.0 && seconds.is_finite() => Ok(seconds),
        _ => Err("expected a number of seconds from 0 up".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
