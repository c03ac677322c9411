//! `rolima`: runs, checks, describes and measures scenes from the command line.
//!
//! | module | what |
//! |---|---|
//! | `cli`, `numbers`, `addresses` | what may be written on the command line |
//! | `failure` | errors, and the exit code of each |
//! | `scene` | from an argument to a compiled scene |
//! | `run`, `replay`, `samples`, `summary`, `score` | `rolima run`, and what it prints |
//! | `quantities` | the list of all that it tells programs |
//! | `guests` | the page, and what other processes see of a run |
//! | `doors`, `tokens` | who may come in from outside, and as what |
//! | `view` | `rolima run --tui` |
//! | `watch` | `rolima view` |
//! | `check`, `describe`, `scenes` | what is in a scene, and which scenes there are |
//! | `map` | drawn mazes to text maps |
//! | `robotone`, `classroom`, `grade` | programs that drive robots, and those who write them |
//! | `picture` | what a robot's camera sees, as files |
//! | `plan` | paths between poses |
//! | `reproduce`, `plot` | the papers' figures, and how they are drawn |
//! | `curve` | curves of tyres and motors |
//! | `bench` | how fast it is |
//! | `text` | numbers and columns for people |

mod addresses;
mod bench;
mod check;
mod classroom;
mod cli;
mod curve;
mod describe;
mod doors;
mod failure;
mod grade;
mod guests;
mod map;
mod numbers;
mod picture;
mod plan;
mod plot;
mod quantities;
mod replay;
mod reproduce;
mod robotone;
mod run;
mod samples;
mod scene;
mod scenes;
mod score;
mod summary;
mod text;
mod tokens;
mod view;
mod watch;

use cli::Command;
use std::process::ExitCode;

fn main() -> ExitCode {
    let outcome = match cli::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::View(arguments) => watch::view(&arguments),
        Command::Check(arguments) => check::check(&arguments.scene),
        Command::Describe(arguments) => describe::describe(&arguments),
        Command::Scenes(arguments) => scenes::scenes(&arguments),
        Command::Map(arguments) => map::map(&arguments),
        Command::Classroom(arguments) => classroom::classroom(&arguments),
        Command::Grade(arguments) => grade::grade(&arguments),
        Command::Picture(arguments) => picture::picture(&arguments),
        Command::Plan(arguments) => plan::plan(&arguments),
        Command::Reproduce(arguments) => reproduce::reproduce(&arguments),
        Command::Curve(arguments) => curve::curve(&arguments),
        Command::Bench(arguments) => bench::bench(&arguments),
        Command::Guest(arguments) => bench::guest(&arguments),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}
