//! `rolima`: runs, checks, describes and measures scenes from the command line.
//!
//! | module | what |
//! |---|---|
//! | `cli` | what may be written on the command line |
//! | `scene` | from an argument to a compiled scene |
//! | `begin`, `run`, `samples` | `rolima run`; what it begins with; runs that nobody takes part in |
//! | `replay` | `rolima replay` |
//! | `record` | `rolima run --record`, `rolima record` |
//! | `csv` | quantities by name, as a list and as a table |
//! | `servers` | the page, and what other processes see of a run |
//! | `access` | who may connect, and in which role |
//! | `watch` | `rolima view` |
//! | `check`, `describe`, `keys`, `scenes` | what is in a scene, what may be, and which scenes there are |
//! | `export` | tables of recordings |
//! | `film` | films of scenes, logs and recordings |
//! | `map` | drawn mazes to text maps |
//! | `robotone`, `classroom`, `grade` | programs that drive robots, and those who write them |
//! | `picture` | what a robot's camera sees, as files |

mod access;
mod begin;
mod camera_link;
mod check;
mod classroom;
mod cli;
mod csv;
mod describe;
mod export;
mod film;
mod grade;
mod keep;
mod keys;
mod map;
mod picture;
mod record;
mod replay;
mod robotone;
mod run;
mod samples;
mod scene;
mod scenes;
mod servers;
mod watch;

use anyhow::Result;
use cli::{Command, ProfileArguments};
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match cli::parse().command {
        Command::Run(mut arguments) => run::run(&mut arguments),
        Command::Replay(arguments) => replay::replay(&arguments),
        Command::Record(command) => record::command(&command),
        Command::View(arguments) => watch::view(&arguments),
        Command::Check(arguments) => check::check(&arguments.scene),
        Command::Describe(arguments) => describe::describe(&arguments),
        Command::Channels(arguments) => csv::channels(&arguments),
        Command::Keys(arguments) => keys::keys(&arguments),
        Command::Scenes(arguments) => scenes::scenes(&arguments),
        Command::Map(arguments) => map::map(&arguments),
        Command::Classroom(arguments) => classroom::classroom(&arguments),
        Command::Grade(arguments) => grade::grade(&arguments),
        Command::Picture(arguments) => picture::picture(&arguments),
        Command::Camera(arguments) => camera_link::run(&arguments),
        Command::Film(arguments) => film::film(&arguments),
        Command::Export(arguments) => export::export(&arguments),
        Command::Compare(arguments) => rolima_lab::compare::compare(&arguments),
        Command::Plan(arguments) => rolima_lab::plan::plan(&arguments),
        Command::Reproduce(arguments) => rolima_lab::reproduce::reproduce(&arguments),
        Command::Curve(arguments) => rolima_lab::curve::curve(&arguments),
        Command::Profile(arguments) => profile(&arguments),
        Command::Bench(arguments) => rolima_lab::bench::bench(&arguments),
        Command::BenchClient(arguments) => rolima_lab::bench::bench_client(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => rolima_console::failure::report(&error),
    }
}

/// `rolima profile`: opens the scene for the lab.
fn profile(arguments: &ProfileArguments) -> Result<()> {
    let model = scene::open(&arguments.scene)?.model;
    let steps = rolima_run::steps_for(arguments.duration_s, model.step_s);
    let profiled = rolima_lab::profile::Profiled { model, seed: arguments.seed, steps };
    rolima_lab::profile::profile(&profiled, arguments.json)
}
