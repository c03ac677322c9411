//! What is done to the program, and what must come of it.

use super::line::{PATIENCE, back_to_soccer, connect, say, send_map, until};
use super::target::Target;
use super::{maps, strangers};
use crate::common::running::{HERE, Running};
use crate::common::{output, pipe, stderr};
use rolima_wire::pb::{self, client_message, server_message::Kind};
use std::fs::OpenOptions;
use std::path::Path;
use std::time::{Duration, Instant};

pub(super) struct Attack {
    pub(super) name: &'static str,
    /// Whether it takes seconds.
    pub(super) heavy: bool,
    pub(super) run: fn(&Target) -> Result<(), String>,
}

const fn light(name: &'static str, run: fn(&Target) -> Result<(), String>) -> Attack {
    Attack { name, heavy: false, run }
}

const fn heavy(name: &'static str, run: fn(&Target) -> Result<(), String>) -> Attack {
    Attack { name, heavy: true, run }
}

pub(super) const ATTACKS: &[Attack] = &[
    heavy("5,000 walls of 2,000 km", |target| load(target, &maps::long_walls(5_000))),
    light("half-sent messages", strangers::half_sent_messages),
    heavy("99,000 short walls", |target| load(target, &maps::short_walls(99_000))),
    light("pongs and empty fragments", strangers::floods),
    heavy("a maze of 300 x 300", |target| load(target, &maps::maze(300))),
    light("420 half heads and idle connections", strangers::half_heads),
    heavy("90,000 long walls", |target| load(target, &maps::side_by_side(90_000))),
    light("half requests of programs", strangers::half_requests),
    heavy("a picture full of edges", picture_of_edges),
    light("files by absolute paths", foreign_files),
    heavy("32 goals among 3,721 walls", goals_among_walls),
    light("maps beyond the rate", maps_beyond_the_rate),
    light("a shortened state file", shortened_state_file),
    light("old logs and full disks", logs),
    light("a pipe as scene", pipe_as_scene),
    light("a controller that vanishes", vanished_controller),
];

/// Makes a text map the world, whether it is refused or not, and the match again.
fn load(target: &Target, map: &str) -> Result<(), String> {
    let mut viewer = connect(target.address())?;
    send_map(&mut viewer, "attack.txt", map.as_bytes())?;
    back_to_soccer(&mut viewer)
}

fn picture_of_edges(target: &Target) -> Result<(), String> {
    let mut viewer = connect(target.address())?;
    let answer = send_map(&mut viewer, "edges.png", &maps::picture_of_edges())?;
    match answer.error.is_empty() {
        true => Err("a picture of nothing but edges is taken for a maze".to_owned()),
        false => Ok(()),
    }
}

/// A map that names files of this machine: nothing of them comes back.
fn foreign_files(target: &Target) -> Result<(), String> {
    let mut viewer = connect(target.address())?;
    let map = "R 0 0\nO 1 1 /etc/passwd\nO 2 2 ../../../../etc/passwd\n";
    let answer = send_map(&mut viewer, "files.txt", map.as_bytes())?;
    if format!("{answer:?}").contains(":0:0:") {
        return Err("the answer has a file of this machine in it".to_owned());
    }
    if answer.loaded { back_to_soccer(&mut viewer) } else { Ok(()) }
}

fn goals_among_walls(target: &Target) -> Result<(), String> {
    let mut viewer = connect(target.address())?;
    let map = maps::blocks_and_robots(32);
    let answer = send_map(&mut viewer, "goals.txt", map.as_bytes())?;
    if !answer.loaded {
        return Err(format!("the blocks are refused: {}", answer.error));
    }
    for body in 0..32 {
        let goal = pb::SetGoal { body, x: 202.0, y: 202.0, ..pb::SetGoal::default() };
        say(&mut viewer, client_message::Kind::SetGoal(goal))?;
    }
    let end = Instant::now() + Duration::from_secs(3);
    until(&mut viewer, "frame", |kind| {
        (matches!(kind, Kind::Frame(_)) && Instant::now() > end).then_some(())
    })?;
    back_to_soccer(&mut viewer)
}

/// More maps than the rate allows: every one gets an answer. In batches, as whoever leaves more than
/// 64 messages unread is cut off.
fn maps_beyond_the_rate(target: &Target) -> Result<(), String> {
    let mut viewer = connect(target.address())?;
    for _ in 0..15 {
        for request in 1..=40 {
            let (name, data) = ("a.txt".to_owned(), b"W 0 0 1 1\n".to_vec().into());
            let only_read = true;
            let map = pb::LoadMap { request, name, data, only_read, ..pb::LoadMap::default() };
            say(&mut viewer, client_message::Kind::LoadMap(map))?;
        }
        let mut left = 40;
        until(&mut viewer, "last of many answers", |kind| {
            left -= u32::from(matches!(kind, Kind::MapAnswer(_)));
            (left == 0).then_some(())
        })?;
    }
    Ok(())
}

/// Somebody of this user shortens what other processes read.
fn shortened_state_file(target: &Target) -> Result<(), String> {
    let open = || OpenOptions::new().write(true).open(target.state_file()?).ok();
    // While a world is being changed there may be none for a moment.
    let end = Instant::now() + PATIENCE;
    let file = loop {
        match open() {
            Some(file) => break file,
            None if Instant::now() > end => return Err("no state file can be opened".to_owned()),
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    };
    match file.set_len(0) {
        Ok(()) => Err("the state file could be shortened".to_owned()),
        Err(_) => Ok(()),
    }
}

/// A log onto a file that is there, and one onto a disk that is full.
fn logs(target: &Target) -> Result<(), String> {
    let old = target.folder.join("old.log");
    std::fs::write(&old, "kept").map_err(|error| error.to_string())?;
    ends_with(&["run", "soccer", "--headless", "--for", "0.1", "--log", text(&old)], 2)?;
    if std::fs::read(&old).is_ok_and(|content| content != b"kept") {
        return Err("an old log was written over".to_owned());
    }
    ends_with(&["run", "soccer", "--headless", "--for", "0.1", "--log", "/dev/full"], 1)
}

fn pipe_as_scene(target: &Target) -> Result<(), String> {
    let path = target.folder.join("pipe.toml");
    if !path.exists() {
        pipe(&path);
    }
    ends_with(&["check", text(&path)], 2)
}

/// A run in lock step goes on when one of its two controllers goes without an answer.
fn vanished_controller(_: &Target) -> Result<(), String> {
    let run = ["run", "soccer", "--json", "--lock-step", "2", "--for", "0.3", "--listen", HERE];
    let running = Running::start(&[&run[..], &["--no-robotone", "--no-share"]].concat());
    let [mut stays, mut goes] = [connect(&running.address)?, connect(&running.address)?];
    for controller in [&mut stays, &mut goes] {
        say(controller, client_message::Kind::Join(pb::Join { period: 30 }))?;
    }
    // Whoever is asked alone may be asked before the other has come, and the world begins with both.
    let turn = |kind| match kind {
        Kind::Turn(turn) => Some(turn.step),
        _ => None,
    };
    let mut step = until(&mut stays, "turn", turn)?;
    until(&mut goes, "turn", turn)?;
    drop(goes);
    loop {
        let answer = pb::Answer { step, drives: vec![] };
        say(&mut stays, client_message::Kind::Answer(answer))?;
        // The last turn of 300 steps.
        if step >= 270 {
            break;
        }
        step = until(&mut stays, "turn", turn)?;
    }
    match running.result()["steps"].as_u64() {
        Some(300) => Ok(()),
        other => Err(format!("expected 300 steps, got {other:?}")),
    }
}

/// Runs the program to its end, which must have this code.
fn ends_with(arguments: &[&str], code: i32) -> Result<(), String> {
    let output = output(arguments);
    match output.status.code() {
        Some(got) if got == code => Ok(()),
        got => {
            Err(format!("{arguments:?}: expected code {code}, got {got:?}: {}", stderr(&output)))
        }
    }
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of text")
}
