//! Ctrl-C while something large is loaded.
#![cfg(unix)]

use crate::common;
use crate::common::running::{HERE, Running};
use rolima_wire::pb::{self, client_message};
use rustix::process::{Pid, Signal, kill_process};
use std::fmt::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Far longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(120);

/// A map whose world takes seconds to build: 90,000 long walls across one another.
fn long_walls() -> String {
    let mut text = "R -1000 -1000\n".to_owned();
    let mut number: u64 = 1;
    for _ in 0..90_000 {
        let [x, y, dx, dy] = [0; 4].map(|_| {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            f64::from((number >> 40) as u32) / f64::from(1 << 24) * 600.0 - 300.0
        });
        let _ = writeln!(text, "W {:.1} {:.1} {:.1} {:.1}", x - dx, y - dy, x + dx, y + dy + 0.3);
    }
    text
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

#[test]
fn before_there_is_a_world_it_ends_the_program_at_once() {
    let (map, log) = (file("long.txt"), file("long.jsonl"));
    std::fs::write(&map, long_walls()).expect("a map");
    let _ = std::fs::remove_file(&log);
    let [map, log] = [&map, &log].map(|path| path.to_str().expect("a path of text"));
    let mut child = common::rolima(&["run", "--maze", map, "--json", "--for", "1", "--log", log])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    // The log is begun once the map is read, and before its world is built.
    let begin = Instant::now();
    while !Path::new(log).exists() {
        assert!(begin.elapsed() < PATIENCE, "no log");
        assert!(child.try_wait().expect("it runs").is_none(), "it ended");
        std::thread::sleep(Duration::from_millis(1));
    }
    kill_process(Pid::from_child(&child), Signal::INT).expect("it runs");
    let output = child.wait_with_output().expect("it ends");
    // Who waits for the world first has something to tell of it.
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert_eq!(output.status.signal(), Some(Signal::INT.as_raw()));
}

#[test]
fn while_a_map_is_on_its_way_the_run_ends_with_its_result_and_does_not_wait_for_it() {
    let run = Running::start(&["run", "soccer", "--json", "--listen", HERE, "--no-share"]);
    let mut viewer = run.connect();
    let (name, data) = ("long.txt".to_owned(), long_walls().into_bytes().into());
    let map = pb::LoadMap { name, data, ..pb::LoadMap::default() };
    viewer.say(client_message::Kind::LoadMap(map));
    let step = viewer.frame(|_| true).step;
    // It goes on meanwhile.
    viewer.frame(|frame| frame.generation == 1 && frame.step > step + 100);
    run.signal(Signal::INT);
    let result = run.result();
    assert!(result.get("scenes").is_none(), "the map came in: {result}");
    assert!(result["steps"].as_u64() > Some(100));
}
