//! Programs of Robot One in a live run.

use crate::cli::{RobotOneArguments, RunArguments};
use anyhow::Result;
use rolima_console::failure::tell;
use rolima_core::Model;
use rolima_run::live::{Live, SharedSeats};
use rolima_serve::robotone::{
    Dialect, ForPrograms, LiveRobots, LiveRobotsSetup, Priming, RELEASE_PORT, RobotOneOptions,
    Robots, ViewHints,
};
use rolima_serve::worlds::glance;
use rolima_serve::{RobotOneServer, RobotOneServerHandle, Senses};
use std::sync::Arc;

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
        make: arguments.scene.world().maker(),
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
    let options = RobotOneOptions {
        allow,
        for_programs: for_programs.clone(),
        priming: match arguments.prime_receive_window {
            true => Priming::Always,
            false => Priming::Recognised,
        },
        log: Arc::new(tell),
        ..RobotOneOptions::default()
    };
    let robots: Arc<dyn Robots> = robots.clone();
    if let Some(release) = arguments.robotone_listen {
        let taken = "another program has that port; --robotone-listen 127.0.0.1:0 takes free ones";
        return RobotOneServer::start(options.at(release), robots).map_err(|error| {
            let is_taken = error.is_taken();
            let error = anyhow::Error::from(error);
            if is_taken { error.context(taken) } else { error }
        });
    }
    let server = RobotOneServer::start_beside(&options, &robots)?;
    if server.address(Dialect::Release).is_none_or(|at| at.port() != RELEASE_PORT) {
        tell(&taken_note(&server));
    }
    Ok(server)
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
