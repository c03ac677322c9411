//! Programs of Robot One in a live run.

use crate::cli::{RobotOneArguments, RunArguments, SceneArguments};
use crate::map;
use crate::scene;
use anyhow::Result;
use rolima_console::failure::tell;
use rolima_core::Model;
use rolima_run::live::{Live, SharedSeats};
use rolima_scene::SceneError;
use rolima_serve::robotone::live::{NewWorld, WorldGlance, WorldMaker};
use rolima_serve::robotone::robots::WorldChange;
use rolima_serve::robotone::{
    Dialect, ForPrograms, LiveRobots, LiveRobotsSetup, Priming, RELEASE_PORT, RobotOneOptions,
    RobotOneServerError, ViewHints,
};
use rolima_serve::web::SceneLoaded;
use rolima_serve::{RobotOneServer, RobotOneServerHandle, Senses};
use std::io::ErrorKind;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;

/// The last port that is tried for programs of the release: fifty runs side by side.
const LAST_PORT: u16 = RELEASE_PORT + 98;
/// The built-in scene that `World.Mode` 0 means.
const REALISTIC: &str = "realistic";
/// The built-in scene that `World.Mode` 1 means, unless the run was started with a maze.
const MAZE: &str = "maze";
/// Ground and robot.
const EMPTY_MAZE: &str = "R 0 0";
/// What a maze that a program has sent is called.
const SENT: &str = "sent by a program";

/// Whether programs may come in: where the page is served, or where they are asked for.
pub(crate) fn wanted(arguments: &RobotOneArguments, serves: bool) -> bool {
    !arguments.no_robotone
        && (serves || arguments.robotone_listen.is_some() || arguments.robotone_step)
}

/// Starts the servers for programs.
pub(crate) fn start(
    arguments: &RunArguments,
    model: &Arc<Model>,
    live: &mut Live,
    senses: Senses,
    (seats, view_hints, for_programs): (SharedSeats, ViewHints, ForPrograms),
) -> Result<RobotOneServerHandle> {
    let setup = LiveRobotsSetup {
        mailbox: live.mailbox(),
        senses: Some(senses),
        glance: glance(),
        make: maker(&arguments.scene),
        may_place: true,
        lock_step: arguments.robotone.robotone_step.then_some(model.step_s),
        seats,
        view_hints,
    };
    let (robots, sink) = LiveRobots::new(setup);
    let server = listen(&arguments.robotone, &for_programs, &Arc::new(robots))?;
    live.add_sink(Box::new(sink));
    Ok(server)
}

/// Opens two ports: those that are asked for, or the first two in a row of the default ones and
/// those after them that nobody has.
fn listen(
    arguments: &RobotOneArguments,
    for_programs: &ForPrograms,
    robots: &Arc<LiveRobots>,
) -> Result<RobotOneServerHandle> {
    let allow = arguments.networks.at(arguments.robotone_listen)?;
    let options = |release: SocketAddr| RobotOneOptions {
        release: Some(release),
        // Neither any port nor the last one has a next one: then any that is free.
        thesis: Some(match release.port() {
            0 => release,
            port => SocketAddr::new(release.ip(), port.wrapping_add(1)),
        }),
        allow: allow.clone(),
        for_programs: for_programs.clone(),
        priming: match arguments.prime_receive_window {
            true => Priming::Always,
            false => Priming::Recognised,
        },
        log: Arc::new(tell),
        ..RobotOneOptions::default()
    };
    let start = |release| RobotOneServer::start(options(release), robots.clone());
    let is_taken = |error: &RobotOneServerError| match error {
        RobotOneServerError::Listen { source, .. } => source.kind() == ErrorKind::AddrInUse,
        RobotOneServerError::System(_) => false,
    };
    if let Some(release) = arguments.robotone_listen {
        let taken = "another program has that port; --robotone-listen 127.0.0.1:0 takes free ones";
        return start(release).map_err(|error| match is_taken(&error) {
            true => anyhow::Error::from(error).context(taken),
            false => error.into(),
        });
    }
    let first = SocketAddr::from((Ipv4Addr::LOCALHOST, RELEASE_PORT));
    let mut release = first;
    loop {
        match start(release) {
            Ok(server) => {
                if release != first {
                    tell(&taken_note(&server));
                }
                return Ok(server);
            }
            Err(error) if is_taken(&error) && release.port() < LAST_PORT => {
                release.set_port(release.port() + 2);
            }
            Err(error) => return Err(error.into()),
        }
    }
}

/// Says how programs find a run that has not got the usual ports.
fn taken_note(server: &RobotOneServerHandle) -> String {
    let port = |dialect| server.address(dialect).map_or(0, |address| address.port());
    let (release, thesis) = (port(Dialect::Release), port(Dialect::Thesis));
    format!(
        "note: port {RELEASE_PORT} or {} is taken; programs find this run with \
         ROBOTONE_RELEASE_PORT={release} ROBOTONE_PORT={thesis}",
        RELEASE_PORT + 1
    )
}

/// Says where programs connect to.
pub(crate) fn announce(server: &RobotOneServerHandle, arguments: &RobotOneArguments) {
    let at = |dialect| server.address(dialect).map(|address| format!("{address} ({dialect})"));
    let listeners: Vec<String> = Dialect::ALL.into_iter().rev().filter_map(at).collect();
    tell(&format!("programs: {}", listeners.join(", ")));
    if !arguments.networks.allow.is_empty() {
        let networks = arguments.networks.allow.iter().map(ToString::to_string);
        let networks = networks.collect::<Vec<_>>().join(", ");
        tell(&format!("note: Robot One has no password: programs from {networks} are let in"));
    }
    let others_reach = arguments.robotone_listen.is_some_and(|at| !at.ip().is_loopback());
    if others_reach && arguments.robotone_robots.is_empty() {
        tell("note: no robot is released to programs yet: the page does it, or --robotone-robots");
    }
}

/// Refuses maps that are too large to be read.
pub(crate) fn glance() -> WorldGlance {
    Arc::new(|change| match change {
        WorldChange::Load(bytes) => {
            rolima_map::glance(SENT, bytes).map_err(|error| error.to_string())
        }
        _ => Ok(()),
    })
}

/// Makes the worlds that programs ask for.
pub(crate) fn maker(started: &SceneArguments) -> WorldMaker {
    let started = started.clone();
    Arc::new(move |change| {
        make(&started, change).map_err(|error| {
            // In one line, as it goes into the log.
            format!("{error:#}").replace('\n', "; ")
        })
    })
}

fn make(started: &SceneArguments, change: WorldChange) -> Result<NewWorld> {
    let of_map = |bytes: &[u8]| -> Result<NewWorld> {
        // The size that the run was started with is that of pictures; a text says its own.
        let size = started.size.filter(|_| rolima_map::is_picture(bytes));
        let mut found = rolima_map::read(SENT, bytes, size).map_err(SceneError::from)?;
        let mut bytes = bytes.to_vec();
        map::ensure_robot(&mut found, &mut bytes);
        map::tell_notes(SENT, &found);
        let map = Arc::new(map::source(&found, &bytes));
        let (model, source) = scene::open_map(started, SENT, &found.map, &map)?;
        let notes = map::notes_of(&found);
        let scene = SceneLoaded { model, map: Some(map), notes, source: Some(source) };
        Ok(NewWorld { name: SENT.to_owned(), scene })
    };
    let of_scene = |name: &str| -> Result<NewWorld> {
        let scene = scene::open_again(started, name)?.loaded();
        Ok(NewWorld { name: name.to_owned(), scene })
    };
    match change {
        WorldChange::Realistic => of_scene(REALISTIC),
        WorldChange::Maze if started.maze.is_some() => of_scene(&started.name()),
        WorldChange::Maze => of_scene(MAZE),
        WorldChange::Clear => of_map(EMPTY_MAZE.as_bytes()),
        WorldChange::Load(bytes) => of_map(&bytes),
    }
}
