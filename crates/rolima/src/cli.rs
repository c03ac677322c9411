//! What may be written on the command line.

pub(crate) use crate::access::{RobotOneArguments, ServeArguments};
use crate::camera_link::{CameraArguments, CameraLinkArguments};
use crate::classroom::ClassroomArguments;
use crate::export::ExportArguments;
use crate::film::FilmArguments;
use crate::keep::KeepArguments;
use crate::map::{MapArguments, size};
use crate::picture::PictureArguments;
use crate::record::{RecordArguments, RecordCommand};
use crate::replay::ReplayArguments;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};
use rolima_console::numbers::{count, duration, metres, point, seconds, steps, take_minus, whole};
use rolima_lab::bench::{BenchArguments, ClientArguments};
use rolima_lab::compare::CompareArguments;
use rolima_lab::curve::CurveArguments;
use rolima_lab::plan::PlanArguments;
use rolima_lab::reproduce::ReproduceArguments;
use rolima_map::Size;
use rolima_run::Speed;
use rolima_run::live::MOST_CONTROLLERS;
use rolima_run::pool::MAX_THREADS;
use std::path::PathBuf;
use std::time::Duration;

/// A simulator for wheeled robots, fast and deterministic to the bit.
#[derive(Debug, Parser)]
#[command(name = "rolima", version, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// All that the command line takes.
fn whole_command_line() -> clap::Command {
    // The one command that needs no word more: it plays the match. The argument is made anew, as
    // nothing takes back that it is required.
    let optional = |scene: clap::Arg| {
        let help = scene.get_help().cloned().unwrap_or_default();
        let scene = clap::Arg::new("scene").value_name("SCENE").index(1).help(help);
        scene.default_value("soccer").conflicts_with("maze")
    };
    let run = |run: clap::Command| run.mut_arg("scene", optional);
    take_minus(Cli::command().mut_subcommand("run", run))
}

/// Reads the command line; ends the program with a reason if it cannot be.
pub(crate) fn parse() -> Cli {
    let matches = whole_command_line().get_matches();
    Cli::from_arg_matches(&matches).unwrap_or_else(|error| error.exit())
}

const EXIT_CODES: &str = "Exit codes: 0 done, 2 bad usage or bad file, 3 the scene ended the run (a \
                          vehicle left its terrain), 1 anything else.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a scene, on a page in the browser, in the terminal or without a view
    Run(Box<RunArguments>),
    /// Do again what a log or a recording says, to the bit: on a page in the browser or without a view
    Replay(ReplayArguments),
    /// Say what is in a recording, or make a whole file of one that was cut off
    Record(RecordCommand),
    /// Show the page of a run in another process or on another machine
    View(ViewArguments),
    /// Say what is in a scene, or what is wrong with it
    Check(CheckArguments),
    /// List all parameters of a scene or robot with units and where each comes from
    Describe(DescribeArguments),
    /// List the quantities of a scene by name, with units: the columns of `run --csv`
    Channels(ChannelsArguments),
    /// List the keys that scenes may have, with units, values, defaults and meanings
    Keys(KeysArguments),
    /// List the built-in scenes and robots
    Scenes(ScenesArguments),
    /// Turn a drawn maze into a text map, and show what was recognised
    Map(MapArguments),
    /// Start a world for every student, and one page about them all
    Classroom(ClassroomArguments),
    /// Run a program without a view and say whether the robot reached a goal in time
    Grade(GradeArguments),
    /// Take a picture with a robot's camera, with depth and what stands at each pixel
    Picture(PictureArguments),
    /// Take frames of an overhead camera from a run's camera link
    Camera(CameraArguments),
    /// Make a film of a scene, or of what a log or a recording says: MP4, GIF, APNG, or by ffmpeg
    Film(FilmArguments),
    /// Write the quantities and events of a recording as tables: CSV or Parquet
    Export(ExportArguments),
    /// Compare recordings, tables of runs and measured paths: paths, signals, and by how much they differ
    Compare(CompareArguments),
    /// Plan a path between two poses, and print its numbers
    Plan(PlanArguments),
    /// Make the figures of the papers again, with what they claim and what is measured
    Reproduce(ReproduceArguments),
    /// Print or draw the curves of a vehicle's tyres or motors
    Curve(CurveArguments),
    /// Tell where the time of a step goes, stage by stage
    Profile(ProfileArguments),
    /// Measure how fast it is
    Bench(BenchArguments),
    /// Viewers for benchmarks: they connect, and read or do not
    #[command(hide = true)]
    BenchClient(ClientArguments),
}

#[derive(Clone, Debug, Args)]
pub(crate) struct SceneArguments {
    /// A scene file, or a built-in scene or robot (see `rolima scenes`)
    #[arg(value_name = "SCENE", required_unless_present = "maze", conflicts_with = "maze")]
    pub(crate) scene: Option<String>,

    /// Instead of a scene, a maze drawn in a paint program (PNG, JPEG, GIF, WebP, BMP) or a text map
    #[arg(long, value_name = "FILE")]
    pub(crate) maze: Option<PathBuf>,

    /// Real size of a drawn maze in metres: width (across) x height (down), such as 40x30
    /// [default: as the name says, "maze 40x30 m.png"; else 40 m for the longer side]
    #[arg(long, value_name = "WxH", value_parser = size, requires = "maze")]
    pub(crate) size: Option<Size>,

    /// Change a variable or any key of the scene: `robots=100`, `sim.step_s=0.0005`,
    /// `robot.blue-1.drive.mass=0.4`, `robot.*.driver.kind=none`; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    pub(crate) sets: Vec<String>,
}

impl SceneArguments {
    /// What to call it.
    pub(crate) fn name(&self) -> String {
        // A maze first, as a scene may stand there by default.
        let maze = self.maze.as_ref().map(|file| file.to_string_lossy().into_owned());
        maze.or_else(|| self.scene.clone()).unwrap_or_default()
    }
}

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,

    /// Go on from a run that was saved (--save) or recorded (--record): with its scene and all that was going on in
    /// it; --seed and --set give it another seed and other settings from there on
    #[arg(long, value_name = "FILE", conflicts_with_all = ["scene", "maze"])]
    pub(crate) from: Option<PathBuf>,

    /// Go on from this time of a recording (--from FILE.mcap), s; else from its end
    #[arg(long, value_name = "SECONDS", value_parser = seconds, requires = "from")]
    pub(crate) at: Option<f64>,

    /// Send a robot to a pose (m, m, degrees) from the first instant on; more goals after slashes, `BALL@X,Y` to
    /// meet a ball and send it there, `/repeat` for ever; may be repeated for other robots
    #[arg(long, value_name = "ROBOT=X,Y,HEADING")]
    pub(crate) send: Vec<String>,

    /// Run without a view; without --for until Ctrl-C
    #[arg(long, conflicts_with = "tui")]
    pub(crate) headless: bool,

    /// Show the run in this terminal instead of a browser
    #[arg(long, conflicts_with = "json")]
    pub(crate) tui: bool,

    /// End after this much simulated time, rounded to whole steps
    #[arg(long = "for", value_name = "SECONDS", value_parser = seconds)]
    pub(crate) duration_s: Option<f64>,

    /// 1 is real time, N that many times faster, max as fast as possible
    /// [default: max without a view and with --for, else 1]
    #[arg(long, value_name = "1|N|max")]
    pub(crate) speed: Option<Speed>,

    /// Key of all random numbers [default: that of the scene]
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub(crate) seed: Option<u64>,

    /// Threads for large worlds; changes no bit of the result [default: all cores]
    #[arg(long, value_name = "N", value_parser = whole(1..=MAX_THREADS as u32))]
    pub(crate) threads: Option<u32>,

    /// Run without a view and print the result as one JSON object, in the last line
    #[arg(long, group = "told")]
    pub(crate) json: bool,

    /// Run without a view, as fast as it goes, and write quantities by their names to a CSV file (`-`:
    /// standard output), a row at the first instant and after every step or --every, none skipped
    #[arg(long, value_name = "FILE", groups = ["told", "written", "kept"],
        conflicts_with_all = ["tui", "listen", "lock_step", "log", "pin", "realtime", "robotone_listen", "robotone_step", "speed"])]
    pub(crate) csv: Option<PathBuf>,

    /// Only the channels whose names match, such as `robot.blue-1.**,ball.*.x`: with --csv as columns, with
    /// --json as `channels` beside the rest; `*` stands for any letters between two dots, `**` for any
    /// (`rolima channels SCENE` lists all)
    #[arg(long, value_name = "PATTERNS", requires = "told")]
    pub(crate) channels: Option<String>,

    /// With --json: print the world as a line at the first instant and after every so many steps, too;
    /// nobody can take part in such a run. With --csv: rows so many steps apart
    #[arg(long, value_name = "STEPS", value_parser = steps, requires = "told",
        conflicts_with_all = ["listen", "lock_step", "log", "pin", "realtime", "robotone_listen", "robotone_step", "speed"])]
    pub(crate) every: Option<u64>,

    #[command(flatten)]
    pub(crate) live: LiveArguments,

    #[command(flatten)]
    pub(crate) record: RecordArguments,

    #[command(flatten)]
    pub(crate) serve: ServeArguments,

    /// Robots that the address to drive may drive [default: all]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    pub(crate) drive_robots: Vec<String>,

    #[command(flatten)]
    pub(crate) robotone: RobotOneArguments,

    #[command(flatten)]
    pub(crate) camera_link: CameraLinkArguments,
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
    #[arg(long, value_name = "X,Y", value_parser = point)]
    pub(crate) goal: [f64; 2],

    /// In how much simulated time, s
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) within: f64,

    /// How near is near enough, m
    #[arg(long, value_name = "METRES", value_parser = metres, default_value = "0.5")]
    pub(crate) tolerance: f64,

    /// Which robot, from 0
    #[arg(long, value_name = "N", value_parser = count::<u32>, default_value_t = 0)]
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
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub(crate) seed: Option<u64>,

    /// Print the verdict as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ViewArguments {
    /// The run: its process, the file of its state block, or HOST:PORT of its page, with the token
    /// as printed [default: the only one on this machine]
    #[arg(value_name = "RUN")]
    pub(crate) run: Option<String>,

    /// Trust these certificates (PEM) of a run on another machine that is at https: its own, or that of
    /// who has signed it
    #[arg(long, value_name = "FILE")]
    pub(crate) tls_ca: Option<PathBuf>,

    /// Give a run on another machine up that has not answered for so long, s
    #[arg(long, value_name = "SECONDS", value_parser = duration, default_value = "30")]
    pub(crate) patience: Duration,

    #[command(flatten)]
    pub(crate) serve: ServeArguments,
}

/// How a run goes on while people and programs act on it.
#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("kept").multiple(true))]
pub(crate) struct LiveArguments {
    /// Give the simulation real-time priority (SCHED_FIFO), where the system permits it
    #[arg(long)]
    pub(crate) realtime: bool,

    /// Keep the simulation on this core
    #[arg(long, value_name = "CORE", value_parser = count::<usize>)]
    pub(crate) pin: Option<usize>,

    /// Advance only when every controller has answered, and begin with so many of them
    #[arg(long, value_name = "CONTROLLERS", value_parser = whole(1..=MOST_CONTROLLERS as u32))]
    pub(crate) lock_step: Option<u32>,

    /// Log what is done to the world, for `rolima replay`
    #[arg(long, value_name = "FILE", groups = ["written", "kept"])]
    pub(crate) log: Option<PathBuf>,

    /// Save the run as it ends, for `rolima run --from FILE`: its scene, its world, goals, grabs and
    /// half-done actions
    #[arg(long, value_name = "FILE", group = "kept")]
    pub(crate) save: Option<PathBuf>,

    /// Write over an old log, recording, table or saved run
    #[arg(long, requires = "kept")]
    pub(crate) force: bool,

    /// Do not put the state into shared memory, where `rolima view` and other programs find it
    #[arg(long)]
    pub(crate) no_share: bool,

    #[command(flatten)]
    pub(crate) keep: KeepArguments,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ChannelsArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,

    /// Only those whose names match, such as `robot.*.wheel.**`
    #[arg(long, value_name = "PATTERNS")]
    pub(crate) channels: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ProfileArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,

    /// How much simulated time, rounded to whole steps
    #[arg(long = "for", value_name = "SECONDS", value_parser = seconds, default_value = "10")]
    pub(crate) duration_s: f64,

    /// Key of all random numbers [default: that of the scene]
    #[arg(long, value_name = "N", value_parser = count::<u64>)]
    pub(crate) seed: Option<u64>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ScenesArguments {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct KeysArguments {
    /// Only keys with this in their name, such as `robot.drive` or `mass`
    pub(crate) pattern: Option<String>,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DescribeArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,

    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        whole_command_line().debug_assert();
    }

    /// Every option with the commands that lead to it.
    fn options(command: &clap::Command, path: &[String]) -> Vec<(Vec<String>, clap::Arg)> {
        let mut path = path.to_vec();
        path.push(command.get_name().to_owned());
        let takes = |argument: &&clap::Arg| {
            !argument.is_positional() && argument.get_action().takes_values()
        };
        let own = command.get_arguments().filter(takes);
        let mut found: Vec<_> = own.map(|argument| (path.clone(), argument.clone())).collect();
        let below = command.get_subcommands().flat_map(|command| options(command, &path));
        found.extend(below);
        found
    }

    #[test]
    fn what_begins_with_a_minus_is_refused_by_the_option_it_was_given_to() {
        let all = options(&whole_command_line(), &[]);
        assert!(all.len() > 50, "{}", all.len());
        let mut refused = 0;
        for (path, argument) in all {
            let long = format!("--{}", argument.get_long().expect("a long name"));
            let words = path.iter().cloned().chain([long.clone(), "-5".to_owned()]);
            let Err(error) = whole_command_line().try_get_matches_from(words) else {
                continue;
            };
            let said = error.to_string();
            let line = said.lines().next().unwrap_or_default();
            assert!(!said.contains("unexpected argument '-5'"), "{path:?} {long}: {said}");
            if error.kind() == clap::error::ErrorKind::MissingRequiredArgument {
                // It was taken: as a text, or as a number below zero that may be.
                continue;
            }
            refused += 1;
            let takes = argument.get_possible_values();
            let tells = if takes.is_empty() { "expected" } else { "possible values" };
            assert!(line.contains("'-5'") && line.contains(&long), "{path:?}: {said}");
            assert!(said.contains(tells), "{path:?} {long}: {said}");
        }
        assert!(refused > 20, "{refused}");
    }
}
