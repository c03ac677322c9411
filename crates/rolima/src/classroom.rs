//! `rolima classroom`: a world for every student, and one page about them all.

use crate::access::{Encryption, Networks, kept_tokens};
use crate::cli::{Cli, Command, RunArguments, SceneArguments};
use crate::run::stop_on_signals;
use crate::scene::{self, Opened};
use crate::servers::{self, RunServers};
use anyhow::{Context, Result, anyhow};
use clap::{Args, Parser};
use rolima_console::failure::{Usage, tell};
use rolima_console::numbers::{port, whole};
use rolima_run::Speed;
use rolima_run::live::{Live, Setup};
use rolima_serve::addresses::address;
use rolima_serve::robotone::{Dialect, ViewHints};
use rolima_serve::shm::PublicationCopy;
use rolima_serve::web::{FloorPlan, Overview, OverviewPicture, OverviewState, Role};
use rolima_serve::{Listen, ServerOptions};
use serde_json::{Value, json};
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct ClassroomArguments {
    #[command(flatten)]
    pub(crate) scene: SceneArguments,

    /// How many worlds
    #[arg(long, value_name = "N", value_parser = whole(1..=200_u16))]
    pub(crate) students: u16,

    /// Address of this machine that students reach, such as 0.0.0.0 for all networks; pages then
    /// need the token of the printed addresses, programs need none but --robotone-allow
    #[arg(long, value_name = "ADDRESS", value_parser = address, default_value = "127.0.0.1")]
    pub(crate) address: IpAddr,

    /// Port of the page about all; the students' pages have the next ones; 0 takes any
    #[arg(long, value_name = "PORT", value_parser = port, default_value_t = 8700)]
    pub(crate) port: u16,

    /// First port for programs; each student has two (release, thesis); 0 takes any
    #[arg(long, value_name = "PORT", value_parser = port, default_value_t = 5100)]
    pub(crate) programs_port: u16,

    /// Keep the tokens of the addresses in this folder, a file for each page, so that the next lesson
    /// has the same ones; made with random ones if they are not there. They are needed on this machine, too
    #[arg(long, value_name = "FOLDER")]
    pub(crate) tokens: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) encryption: Encryption,

    #[command(flatten)]
    pub(crate) networks: Networks,
}

/// How often to look whether it is over.
const LOOK: Duration = Duration::from_millis(100);

/// A student's world.
struct StudentWorld {
    servers: RunServers,
    running: JoinHandle<()>,
}

/// Starts the worlds and the page, until somebody stops this.
pub(crate) fn classroom(arguments: &ClassroomArguments) -> Result<()> {
    let opened = scene::open(&arguments.scene)?;
    let stop = stop_on_signals()?;
    let mut worlds: Vec<StudentWorld> = vec![];
    for student in 1..=arguments.students {
        // Many worlds of a large scene take a while.
        if stop.load(Ordering::Relaxed) {
            return end(worlds);
        }
        let student_world = seat(arguments, student, &opened, &stop)
            .with_context(|| format!("the world of student {student}"))?;
        worlds.push(student_world);
    }
    let lines: Vec<Student> = worlds.iter_mut().zip(1..).map(|(d, n)| Student::of(d, n)).collect();
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
        tokens: kept_tokens(tokens_file(arguments, "all")?.as_deref())?,
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
    end(worlds)
}

/// Waits for the worlds, which have been told to stop, and ends their servers.
fn end(worlds: Vec<StudentWorld>) -> Result<()> {
    for student_world in worlds {
        let StudentWorld { servers, running } = student_world;
        running.join().map_err(|_| anyhow!("a simulation broke off"))?;
        drop(servers);
    }
    Ok(())
}

/// Starts the world of one student.
fn seat(
    arguments: &ClassroomArguments,
    student: u16,
    opened: &Opened,
    stop: &Arc<AtomicBool>,
) -> Result<StudentWorld> {
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
    let servers = servers::start_servers(&as_run, model, &mut live, false, ViewHints::default())?;
    let running = std::thread::Builder::new().name(format!("student-{student}"));
    let running = running.spawn(move || drop(live.run()))?;
    Ok(StudentWorld { servers, running })
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
    handle: Option<servers::RunHandle>,
    publication: PublicationCopy,
    plan: Option<FloorPlan>,
}

impl Student {
    fn of(student_world: &mut StudentWorld, number: u16) -> Self {
        // A student's world is the student's own.
        let all = Role::Control;
        let page =
            student_world.servers.page().map(|page| page.url_for_others(all).unwrap_or(page.url()));
        let at = |dialect| {
            let address = student_world.servers.robotone()?.address(dialect)?;
            Some(format!("{address} ({dialect})"))
        };
        let programs: Vec<String> = Dialect::ALL.into_iter().rev().filter_map(at).collect();
        Self {
            number,
            page: page.unwrap_or_default(),
            programs: programs.join(", "),
            handle: student_world.servers.take_handle(),
            publication: PublicationCopy::default(),
            plan: None,
        }
    }

    /// How it is now, as JSON.
    fn now(&mut self) -> Value {
        let Self { number, page, programs, handle, publication, plan } = self;
        let seen = handle
            .as_mut()
            .is_some_and(|handle| matches!(handle.reader.read(publication), Ok(true)));
        let world = publication.now.generation;
        if seen && plan.as_ref().is_none_or(|plan| plan.world != world) {
            let copy = handle.as_mut().and_then(|handle| handle.reader.scene().ok().flatten());
            *plan = copy.and_then(|copy| FloorPlan::of(&copy));
        }
        let driven = handle.as_ref().is_some_and(|handle| handle.has_program());
        let robot = publication.now.bodies.first().filter(|_| seen && publication.now.robots > 0);
        json!({
            "student": number,
            "page": page,
            "programs": programs,
            "driven": driven,
            // The first is what the classroom was started with.
            "world": seen.then_some(world),
            "bounds": plan.as_ref().map(|plan| plan.bounds),
            "ended": seen && publication.status.ended,
            "time_s": seen.then_some(publication.now.time_s),
            "x": robot.map(|robot| robot.x),
            "y": robot.map(|robot| robot.y),
            "heading_deg": robot.map(|robot| robot.heading.to_degrees()),
        })
    }
}
