//! What may be written on the command line.

use crate::curve::CurveArguments;
use crate::map::{MapArguments, size};
use clap::{Args, Parser, Subcommand};
use rolima_map::Size;
use rolima_run::Speed;
use rolima_run::live::MOST_CONTROLLERS;
use rolima_run::pool::MAX_THREADS;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;

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
    /// Run a scene, on a page in the browser, in the terminal or without a view
    Run(RunArguments),
    /// Show the page of a run in another process or on another machine
    View(ViewArguments),
    /// Say what is in a scene, or what is wrong with it
    Check(CheckArguments),
    /// List all parameters of a scene or robot with units and where each comes from
    Describe(DescribeArguments),
    /// List the built-in scenes and robots
    Scenes,
    /// Turn a drawn maze into a text map, and show what was recognised
    Map(MapArguments),
    /// Print or draw the curves of a vehicle's tyres or motors
    Curve(CurveArguments),
    /// Measure how fast it is
    Bench(BenchArguments),
    /// Viewers for benchmarks: they connect, and read or do not
    #[command(hide = true)]
    Guest(GuestArguments),
}

#[derive(Clone, Debug, Args)]
pub(crate) struct SceneArguments {
    /// A scene file, or a built-in scene or robot (see `rolima scenes`)
    #[arg(value_name = "SCENE", required_unless_present = "maze", conflicts_with = "maze")]
    pub(crate) scene: Option<String>,

    /// Instead of a scene, a maze drawn in a paint program (PNG, JPEG, BMP) or a text map
    #[arg(long, value_name = "FILE")]
    pub(crate) maze: Option<PathBuf>,

    /// Real size of a drawn maze in metres: width (across) x height (down), such as 40x30
    /// [default: 1 m a pixel]
    #[arg(long, value_name = "WxH", value_parser = size, requires = "maze")]
    pub(crate) size: Option<Size>,

    /// Change a variable or any key of the scene: `robots=100`, `sim.step_s=0.0005`,
    /// `robot.blue-1.drive.mass=0.4`, `robot.*.driver.kind=none`; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) sets: Vec<String>,
}

impl SceneArguments {
    /// A scene by its name or file, as it is.
    pub(crate) fn named(scene: &str) -> Self {
        Self { scene: Some(scene.to_owned()), maze: None, size: None, sets: vec![] }
    }

    /// What to call it.
    pub(crate) fn name(&self) -> String {
        let maze = || self.maze.as_ref().map(|file| file.to_string_lossy().into_owned());
        self.scene.clone().or_else(maze).unwrap_or_default()
    }
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,

    /// Run without a view; without --for until Ctrl-C
    #[arg(long, conflicts_with = "tui")]
    pub(crate) headless: bool,

    /// Show the run in this terminal instead of a browser
    #[arg(long, conflicts_with = "json")]
    pub(crate) tui: bool,

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

    #[command(flatten)]
    pub(crate) live: LiveArguments,

    #[command(flatten)]
    pub(crate) serve: ServeArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ViewArguments {
    /// The run: its process, the file of its state block, or HOST:PORT of its page, with the token
    /// as printed [default: the only one on this machine]
    #[arg(value_name = "RUN")]
    pub(crate) run: Option<String>,

    #[command(flatten)]
    pub(crate) serve: ServeArguments,
}

/// How a run goes on while people and programs act on it.
#[derive(Debug, Args)]
pub(crate) struct LiveArguments {
    /// Give the simulation real-time priority (SCHED_FIFO), where the system permits it
    #[arg(long)]
    pub(crate) realtime: bool,

    /// Keep the simulation on this core
    #[arg(long, value_name = "CORE")]
    pub(crate) pin: Option<usize>,

    /// Advance only when every controller has answered, and begin with so many of them
    #[arg(long, value_name = "CONTROLLERS", value_parser = clap::value_parser!(u32).range(1..=MOST_CONTROLLERS as i64))]
    pub(crate) lock_step: Option<u32>,

    /// Log what is done to the world, for --commands
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,

    /// Do again what a log says, without a view, and compare the end with the logged one
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tui", "log", "lock_step", "seed", "duration_s"])]
    pub(crate) commands: Option<PathBuf>,

    /// Do not put the state into shared memory, where `rolima view` and other programs find it
    #[arg(long)]
    pub(crate) no_share: bool,
}

/// Where the page is served.
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Serve the page here, even without a view; other machines need the token of the printed
    /// address [default: this machine only, port 8642 or the next free one]
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = listen)]
    pub(crate) listen: Option<SocketAddr>,

    /// Let everybody in who reaches the address of --listen, without a token
    #[arg(long, requires = "listen")]
    pub(crate) open: bool,

    /// A name of this machine by which people open the page, besides its addresses; may be repeated
    #[arg(long = "host", value_name = "NAME", requires = "listen")]
    pub(crate) hosts: Vec<String>,

    /// Do not open a browser
    #[arg(long)]
    pub(crate) no_browser: bool,
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

#[derive(Debug, Args)]
pub(crate) struct GuestArguments {
    /// HOST:PORT of a run
    pub(crate) address: String,

    /// How many viewers
    #[arg(long, default_value_t = 1)]
    pub(crate) viewers: usize,

    /// How many of them never read
    #[arg(long, default_value_t = 0)]
    pub(crate) stalled: usize,
}

/// `ADDRESS:PORT`, or a port of this machine.
fn listen(text: &str) -> Result<SocketAddr, String> {
    let here = |port: &str| port.parse().map(|port| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let found = match text.strip_prefix("localhost:") {
        Some(port) => here(port).ok(),
        None => text.parse().ok().or_else(|| here(text).ok()),
    };
    found.ok_or_else(|| {
        "expected an address and a port, such as 127.0.0.1:8642 for this machine only or \
         0.0.0.0:8642 for all networks"
            .to_owned()
    })
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
    fn an_address_to_listen_at_has_several_forms() {
        for (text, address) in [
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("0.0.0.0:0", "0.0.0.0:0"),
            ("[::1]:5", "[::1]:5"),
            ("localhost:9000", "127.0.0.1:9000"),
            ("9000", "127.0.0.1:9000"),
        ] {
            assert_eq!(listen(text), Ok(address.parse().unwrap()), "{text}");
        }
        for text in ["", "here", "70000", "1.2.3.4", "host:80"] {
            assert!(listen(text).unwrap_err().contains("0.0.0.0:8642"), "{text}");
        }
    }

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }
}
