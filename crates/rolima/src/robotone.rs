//! Programs of Robot One in a live run.

use crate::cli::{RobotOneArguments, RunArguments, SceneArguments};
use crate::failure::tell;
use crate::map;
use crate::scene::{self, Opened};
use anyhow::Result;
use rolima_core::Model;
use rolima_run::live::Live;
use rolima_scene::SceneError;
use rolima_serve::robotone::live::{NewWorld, WorldGlance, WorldMaker};
use rolima_serve::robotone::robots::WorldChange;
use rolima_serve::robotone::{
    Dialect, LiveRobots, LiveRobotsSetup, Priming, Programs, RobotOneError, RobotOneOptions, Shown,
};
use rolima_serve::{RobotOneHandle, RobotOneServer, Senses};
use std::io::ErrorKind;
use std::net::SocketAddr;
use std::sync::Arc;

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

/// Opens the doors for programs; none if they are taken and nobody has asked for these.
pub(crate) fn start(
    arguments: &RunArguments,
    model: &Arc<Model>,
    live: &mut Live,
    senses: Senses,
    (programs, shown): (Programs, Shown),
) -> Result<Option<RobotOneHandle>> {
    let setup = LiveRobotsSetup {
        mailbox: live.mailbox(),
        senses: Some(senses),
        glance: glance(),
        make: maker(&arguments.scene),
        may_place: true,
        lock_step: arguments.robotone.robotone_step.then_some(model.step_s),
        programs,
        shown,
    };
    let (robots, outlet) = LiveRobots::new(setup);
    match RobotOneServer::start(options(&arguments.robotone), Arc::new(robots)) {
        Ok(server) => {
            live.add_outlet(Box::new(outlet));
            Ok(Some(server))
        }
        Err(RobotOneError::Listen { address, source })
            if source.kind() == ErrorKind::AddrInUse
                && arguments.robotone.robotone_listen.is_none() =>
        {
            let port = address.port();
            tell(&format!(
                "note: port {port} is taken, so programs of Robot One cannot reach this run; \
                 --robotone-listen 127.0.0.1:PORT chooses another"
            ));
            Ok(None)
        }
        Err(error) => Err(error.into()),
    }
}

fn options(arguments: &RobotOneArguments) -> RobotOneOptions {
    let mut options = RobotOneOptions {
        priming: match arguments.prime_receive_window {
            true => Priming::Always,
            false => Priming::Recognised,
        },
        log: Arc::new(tell),
        ..RobotOneOptions::default()
    };
    if let Some(release) = arguments.robotone_listen {
        // Any port has no next one.
        let next = if release.port() == 0 { 0 } else { release.port().wrapping_add(1) };
        options.release = Some(release);
        options.thesis = Some(SocketAddr::new(release.ip(), next));
    }
    options
}

/// Says where programs connect to.
pub(crate) fn announce(server: &RobotOneHandle, arguments: &RobotOneArguments) {
    let at = |dialect| server.address(dialect).map(|address| format!("{address} ({dialect})"));
    let doors: Vec<String> = Dialect::ALL.into_iter().rev().filter_map(at).collect();
    tell(&format!("programs: {}", doors.join(", ")));
    if arguments.robotone_listen.is_some_and(|address| !address.ip().is_loopback()) {
        tell("note: Robot One has no password: everybody who reaches this address can drive");
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
        let model = scene::open_map(started, SENT, &found.map)?;
        let map = Some(Arc::new(map::source(&found, &bytes)));
        Ok(NewWorld { name: SENT.to_owned(), model, map })
    };
    let of_scene = |name: &str| -> Result<NewWorld> {
        let Opened { model, map, .. } = scene::open_again(started, name)?;
        Ok(NewWorld { name: name.to_owned(), model, map })
    };
    match change {
        WorldChange::Realistic => of_scene(REALISTIC),
        WorldChange::Maze if started.maze.is_some() => of_scene(&started.name()),
        WorldChange::Maze => of_scene(MAZE),
        WorldChange::Clear => of_map(EMPTY_MAZE.as_bytes()),
        WorldChange::Load(bytes) => of_map(&bytes),
    }
}
