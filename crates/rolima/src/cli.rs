//! What may be written on the command line.

use crate::curve::CurveArguments;
use crate::map::{MapArguments, size};
use crate::picture::PictureArguments;
use crate::plan::PlanArguments;
use crate::reproduce::ReproduceArguments;
use clap::{Args, Parser, Subcommand};
use rolima_map::Size;
use rolima_run::Speed;
use rolima_run::live::MOST_CONTROLLERS;
use rolima_run::pool::MAX_THREADS;
use rolima_serve::robotone::RELEASE_PORT;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::time::Duration;

/// A simulator for wheeled robots, fast and deterministic to the bit.
#[derive(Debug, Parser)]
#[command(name = "rolima", version, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "Exit codes: 0 done, 2 bad usage or bad file, 3 the scene ended the run (a \
                          vehicle left its terrain), 1 anything else.";

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
    /// Start a world for every student, and one page about them all
    Classroom(ClassroomArguments),
    /// Run a program without a view and say whether the robot reached a goal in time
    Grade(GradeArguments),
    /// Take a picture with a robot's camera, with depth and what stands at each pixel
    Picture(PictureArguments),
    /// Plan a path between two poses, and print its numbers
    Plan(PlanArguments),
    /// Make the figures of the papers again, with what they claim and what is measured
    Reproduce(ReproduceArguments),
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

    /// With --json: print the world as a line at the first instant and after every so much simulated
    /// time, too, rounded to whole steps; nobody can take part in such a run
    #[arg(long = "every", value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true, requires = "json",
        conflicts_with_all = ["commands", "listen", "lock_step", "log", "pin", "realtime", "robotone_listen", "robotone_step", "speed"])]
    pub(crate) every_s: Option<f64>,

    #[command(flatten)]
    pub(crate) live: LiveArguments,

    #[command(flatten)]
    pub(crate) serve: ServeArguments,

    #[command(flatten)]
    pub(crate) robotone: RobotOneArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ClassroomArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,

    /// How many worlds
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=200))]
    pub(crate) students: u16,

    /// Address of this machine that students reach, such as 0.0.0.0 for all networks; pages then
    /// need the token of the printed addresses, programs need none
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    pub(crate) address: IpAddr,

    /// Port of the page about all; the students' pages have the next ones; 0 takes any
    #[arg(long, value_name = "PORT", default_value_t = 8700)]
    pub(crate) port: u16,

    /// First port for programs; each student has two (release, thesis); 0 takes any
    #[arg(long, value_name = "PORT", default_value_t = 5100)]
    pub(crate) programs_port: u16,
}

#[derive(Debug, Args)]
pub(crate) struct GradeArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,

    /// The program, as one would type it; it finds the simulator by ROBOTONE_PORT and
    /// ROBOTONE_RELEASE_PORT in its environment, which our clients look at
    #[arg(long, value_name = "COMMAND")]
    pub(crate) program: String,

    /// Where the robot must get, m
    #[arg(long, value_name = "X,Y", value_parser = point, allow_hyphen_values = true)]
    pub(crate) goal: [f64; 2],

    /// In how much simulated time, s
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_hyphen_values = true)]
    pub(crate) within: f64,

    /// How near is near enough, m
    #[arg(long, value_name = "METRES", value_parser = seconds, default_value = "0.5", allow_hyphen_values = true)]
    pub(crate) tolerance: f64,

    /// Which robot, from 0
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) robot: u32,

    /// Run with the clock, for programs that do not wait for the simulation
    #[arg(long)]
    pub(crate) real_time: bool,

    /// Let the program put the robot elsewhere and load other worlds; else that is refused, and
    /// the robot has to drive
    #[arg(long)]
    pub(crate) anything_goes: bool,

    /// Give a program up that lets the simulation stand still for so long, s of wall time
    #[arg(long, value_name = "SECONDS", value_parser = duration, default_value = "30")]
    pub(crate) patience: Duration,

    /// Key of all random numbers [default: that of the scene]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Print the verdict as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Programs that drive robots.
#[derive(Clone, Debug, Args)]
pub(crate) struct RobotOneArguments {
    /// Let programs of Robot One in here, even without a view; it has no password, so an address
    /// that others reach lets everybody drive. Without a port 5046 (release) and 5047 (thesis),
    /// else that one and the next [default: this machine only]
    #[arg(long, value_name = "ADDRESS[:PORT]", value_parser = robotone_listen)]
    pub(crate) robotone_listen: Option<SocketAddr>,

    /// Let no programs of Robot One in
    #[arg(long, conflicts_with = "robotone_listen")]
    pub(crate) no_robotone: bool,

    /// Advance only when every program of Robot One waits for the next cycle
    #[arg(long, conflicts_with_all = ["lock_step", "no_robotone"])]
    pub(crate) robotone_step: bool,

    /// Send zeros before a program's first picture, for the released library on Linux
    #[arg(long)]
    pub(crate) prime_receive_window: bool,
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

    /// Memory for maps that are being sent, of all viewers together, MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u64).range(1..=65536))]
    pub(crate) map_memory: u64,

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

    /// Instead of viewers, a program of Robot One with this robot, which asks as fast as it can
    #[arg(long, value_name = "N")]
    pub(crate) robot: Option<u32>,
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

/// An address, or an address and the first of two ports.
fn robotone_listen(text: &str) -> Result<SocketAddr, String> {
    let alone = text.parse().ok().map(|ip: IpAddr| SocketAddr::from((ip, RELEASE_PORT)));
    let found = alone.map_or_else(|| listen(text), Ok);
    found.map_err(|_| {
        "expected an address, such as 0.0.0.0 for all networks, or one and the first of two ports, \
         such as 127.0.0.1:6000"
            .to_owned()
    })
}

/// Two numbers with a comma between them.
fn point(text: &str) -> Result<[f64; 2], String> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let found = text.split_once(',').and_then(|(x, y)| Some([number(x)?, number(y)?]));
    found.ok_or_else(|| "expected x and y in metres, such as 10,-2.5".to_owned())
}

fn duration(text: &str) -> Result<Duration, String> {
    Duration::try_from_secs_f64(seconds(text)?).map_err(|error| error.to_string())
}

pub(crate) fn seconds(text: &str) -> Result<f64, String> {
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
