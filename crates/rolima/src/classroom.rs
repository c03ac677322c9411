//! `rolima classroom`: a world for every student, and one page about them all.

use crate::cli::{ClassroomArguments, Cli, Command, RunArguments};
use crate::guests::{self, Guests};
use crate::run::stop_on_signals;
use crate::scene::{self, Opened};
use crate::tokens;
use anyhow::{Context, Result, anyhow};
use clap::Parser;
use rolima_console::failure::{Usage, tell};
use rolima_run::Speed;
use rolima_run::live::{Live, Setup};
use rolima_serve::robotone::{Dialect, Shown};
use rolima_serve::shm::MomentCopy;
use rolima_serve::web::{Overview, OverviewPicture, OverviewState, Plan, Role};
use rolima_serve::{Listen, ServerOptions};
use serde_json::{Value, json};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// How often to look whether it is over.
const LOOK: Duration = Duration::from_millis(100);

/// A student's world.
struct Desk {
    guests: Guests,
    running: JoinHandle<()>,
}

/// Starts the worlds and the page, until somebody stops this.
pub(crate) fn classroom(arguments: &ClassroomArguments) -> Result<()> {
    let opened = scene::open(&arguments.scene)?;
    let stop = stop_on_signals()?;
    let mut desks: Vec<Desk> = vec![];
    for student in 1..=arguments.students {
        // Many worlds of a large scene take a while.
        if stop.load(Ordering::Relaxed) {
            return end(desks);
        }
        let desk = seat(arguments, student, &opened, &stop)
            .with_context(|| format!("the world of student {student}"))?;
        desks.push(desk);
    }
    let lines: Vec<Student> = desks.iter_mut().zip(1..).map(|(d, n)| Student::of(d, n)).collect();
    for line in &lines {
        tell(&format!("student {}: {}, programs: {}", line.number, line.page, line.programs));
    }
    let students = Arc::new(Mutex::new(lines));
    let pictured = Arc::clone(&students);
    let state: OverviewState = Arc::new(move || {
        let mut students = students.lock().unwrap_or_else(PoisonError::into_inner);
        Value::from(students.iter_mut().map(Student::now).collect::<Vec<_>>()).to_string()
    });
    let picture: OverviewPicture = Arc::new(move |number| {
        let students = pictured.lock().unwrap_or_else(PoisonError::into_inner);
        let student = students.iter().find(|student| u32::from(student.number) == number)?;
        Some(student.plan.as_ref()?.svg.clone())
    });
    let at = SocketAddr::new(arguments.address, arguments.port);
    let options = ServerOptions {
        listen: Listen::At(at),
        tokens: tokens_file(arguments, "all")?.as_deref().map(tokens::keep).transpose()?,
        tls: arguments.encryption.identity()?,
        ..ServerOptions::default()
    };
    let overview = Overview::start(options, state, picture)?;
    tell(&format!("all of them: {} (Ctrl-C ends it)", overview.url()));
    if let Some(url) = overview.url_for_others(Role::Control).filter(|url| *url != overview.url()) {
        tell(&format!("from other machines: {url}"));
    }
    if !arguments.address.is_loopback() {
        tell("note: Robot One has no password: --robotone-allow says who can drive");
    }
    while !stop.load(Ordering::Relaxed) {
        std::thread::park_timeout(LOOK);
    }
    drop(overview);
    end(desks)
}

/// Waits for the worlds, which have been told to stop, and closes their doors.
fn end(desks: Vec<Desk>) -> Result<()> {
    for desk in desks {
        let Desk { guests, running } = desk;
        running.join().map_err(|_| anyhow!("a simulation broke off"))?;
        drop(guests);
    }
    Ok(())
}

/// Starts the world of one student.
fn seat(
    arguments: &ClassroomArguments,
    student: u16,
    opened: &Opened,
    stop: &Arc<AtomicBool>,
) -> Result<Desk> {
    let too_many = || Usage(format!("there are no ports for {} students", arguments.students));
    // Any port, for all of them.
    let port = |first: u16, step: u16| match first {
        0 => Some(0),
        first => first.checked_add(student.checked_mul(step)?),
    };
    let page = port(arguments.port, 1).ok_or_else(too_many)?;
    let first = arguments.programs_port;
    let programs = port(first, 2).map(|port| port.saturating_sub(if first == 0 { 0 } else { 2 }));
    let programs = programs.ok_or_else(too_many)?;
    let mut as_run = run_arguments(arguments, page, programs)?;
    as_run.serve.tokens = tokens_file(arguments, &format!("student-{student}"))?;
    let name = arguments.scene.name();
    let (speed, stop) = (Speed::REAL_TIME, Arc::clone(stop));
    let (model, map) = (&opened.model, opened.map.clone());
    let mut live = Live::new(Setup { speed, stop, map, ..Setup::new(&name, Arc::clone(model)) });
    let guests = guests::open_doors(&as_run, model, &mut live, false, Shown::default())?;
    let running = std::thread::Builder::new().name(format!("student-{student}"));
    let running = running.spawn(move || drop(live.run()))?;
    Ok(Desk { guests, running })
}

/// The file that keeps the tokens of one page, if they are kept. Its folder is made.
fn tokens_file(arguments: &ClassroomArguments, page: &str) -> Result<Option<PathBuf>, Usage> {
    let Some(folder) = &arguments.tokens else { return Ok(None) };
    let refuse = |error| Usage(format!("--tokens {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(refuse)?;
    Ok(Some(folder.join(format!("{page}.tokens"))))
}

/// What a run of its own would be told.
fn run_arguments(arguments: &ClassroomArguments, page: u16, programs: u16) -> Result<RunArguments> {
    let at = |port| SocketAddr::new(arguments.address, port).to_string();
    let (page, programs) = (at(page), at(programs));
    let run = ["rolima", "run", "maze", "--headless", "--no-share", "--listen", &page];
    let run = run.into_iter().chain(["--robotone-listen", &programs]);
    let Command::Run(mut run) = Cli::try_parse_from(run)?.command else {
        return Err(anyhow!("`run` is no run"));
    };
    run.scene = arguments.scene.clone();
    run.serve.encryption = arguments.encryption.clone();
    run.robotone.networks = arguments.networks.clone();
    run.robotone.robotone_robots = vec!["all".to_owned()];
    Ok(*run)
}

/// What the page tells of a student.
struct Student {
    number: u16,
    page: String,
    programs: String,
    sight: Option<guests::Sight>,
    moment: MomentCopy,
    plan: Option<Plan>,
}

impl Student {
    fn of(desk: &mut Desk, number: u16) -> Self {
        // A student's world is the student's own.
        let all = Role::Control;
        let page = desk.guests.page().map(|page| page.url_for_others(all).unwrap_or(page.url()));
        let at = |dialect| {
            let address = desk.guests.robotone()?.address(dialect)?;
            Some(format!("{address} ({dialect})"))
        };
        let programs: Vec<String> = Dialect::ALL.into_iter().rev().filter_map(at).collect();
        Self {
            number,
            page: page.unwrap_or_default(),
            programs: programs.join(", "),
            sight: desk.guests.take_sight(),
            moment: MomentCopy::default(),
            plan: None,
        }
    }

    /// How it is now, as JSON.
    fn now(&mut self) -> Value {
        let Self { number, page, programs, sight, moment, plan } = self;
        let seen =
            sight.as_mut().is_some_and(|sight| matches!(sight.reader.read(moment), Ok(true)));
        let world = moment.now.generation;
        if seen && plan.as_ref().is_none_or(|plan| plan.world != world) {
            let copy = sight.as_mut().and_then(|sight| sight.reader.scene().ok().flatten());
            *plan = copy.and_then(|copy| Plan::of(&copy));
        }
        let driven = sight.as_ref().is_some_and(|sight| sight.has_program());
        let robot = moment.now.bodies.first().filter(|_| seen && moment.now.robots > 0);
        json!({
            "student": number,
            "page": page,
            "programs": programs,
            "driven": driven,
            // The first is what the classroom was started with.
            "world": seen.then_some(world),
            "bounds": plan.as_ref().map(|plan| plan.bounds),
            "ended": seen && moment.status.ended,
            "time_s": seen.then_some(moment.now.time_s),
            "x": robot.map(|robot| robot.x),
            "y": robot.map(|robot| robot.y),
            "heading_deg": robot.map(|robot| robot.heading.to_degrees()),
        })
    }
}
