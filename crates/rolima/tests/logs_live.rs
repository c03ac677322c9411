//! Logs of live runs that break off: killed processes, and disks that fail.
#![cfg(unix)]

use crate::common;

use common::live::Viewer;
use common::running::{HERE, Running};
use common::{code_and_stderr, result, rolima};
use rolima_wire::pb::refusal::Code;
use rolima_wire::pb::{self, client_message, control, server_message};
use rustix::process::Signal;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("logs-live");
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join(name);
    let _ = std::fs::remove_file(&path);
    path
}

fn drive(viewer: &mut Viewer, volts: f32) {
    let drive = pb::Drive { body: 0, left: volts, right: -volts, ..pb::Drive::default() };
    viewer.say(client_message::Kind::Drive(drive));
}

/// Waits until the world has obeyed. Who is silent for too long is stopped, and says it again.
fn driven(viewer: &mut Viewer, volts: f32) {
    loop {
        let frame = viewer.frame(|frame| frame.key || frame.body.first() == Some(&0));
        match frame.volts_left.first() {
            Some(now) if *now == volts => return,
            Some(0.0) => drive(viewer, volts),
            _ => {}
        }
    }
}

#[test]
fn a_killed_run_has_logged_all_but_its_last_commands() {
    for round in 0..8 {
        let log = file(&format!("killed-{round}.jsonl"));
        let path = log.to_str().expect("a path");
        let mut run = Running::start(&["run", "soccer", "--json", "--listen", HERE, "--log", path]);
        let mut viewer = run.connect();
        // Until there is a scene, there is nothing to claim.
        viewer.frame(|_| true);
        viewer.say(client_message::Kind::Claim(pb::Claim { body: 0, release: false }));
        // Each takes effect before the next, as several that arrive between two steps may be one act; the
        // last comes at a later step than all that are looked for.
        let volts = |number: i32| number as f32 / 32.0;
        for number in 1..=21 {
            drive(&mut viewer, volts(number));
            driven(&mut viewer, volts(number));
        }
        run.signal(Signal::KILL);
        run.child.wait().expect("its end");
        let text = std::fs::read_to_string(&log).expect("a log");
        for number in 1..=20 {
            let entry = format!("\"left\":{:?}", f64::from(volts(number)));
            let acts: Vec<&str> = text.lines().filter(|line| !line.contains("\"text\"")).collect();
            assert!(text.contains(&entry), "round {round}: no {entry} in {acts:#?}");
        }
        let (code, said) = code_and_stderr(&["replay", path, "--headless"]);
        assert!(code == Some(0) && said.contains("has no end"), "{said}");
    }
}

fn notice(viewer: &mut Viewer) -> pb::Notice {
    viewer.until(|kind| match kind {
        server_message::Kind::Notice(notice) => Some(notice),
        _ => None,
    })
}

#[test]
fn viewers_of_a_replay_have_its_time_in_their_hands_and_are_told_why_nothing_else() {
    let log = file("shown.jsonl");
    let path = log.to_str().expect("a path");
    let logged = result(&["run", "soccer", "--for", "60", "--seed", "4", "--log", path]);
    let run = Running::start(&["replay", path, "--json", "--listen", HERE]);
    let mut viewer = run.connect();
    viewer.frame(|frame| frame.step > 10);
    viewer.control(control::Kind::Pause(true));
    viewer.control(control::Kind::Reset(true));
    let pb::Notice { text: refused, refusal, .. } = notice(&mut viewer);
    assert!(refused.starts_with("This is a replay of ") && refused.contains(path), "{refused}");
    let refusal = refusal.expect("a code");
    assert_eq!((refusal.code(), refusal.name.as_str()), (Code::Replay, path));
    viewer.say(client_message::Kind::Claim(pb::Claim { body: 0, release: false }));
    assert_eq!(notice(&mut viewer).text, refused);
    viewer.control(control::Kind::Play(true));
    // As fast as possible.
    viewer.control(control::Kind::Speed(0.0));
    assert_eq!(run.result()["state_hash"], logged["state_hash"]);
}

#[test]
fn whoever_watches_a_replay_here_or_from_another_process_is_told_where_it_differs_and_of_its_end() {
    let log = file("differs.jsonl");
    let path = log.to_str().expect("a path");
    result(&["run", "soccer", "--for", "4", "--seed", "4", "--log", path]);
    let mut text = std::fs::read_to_string(&log).expect("a log");
    let at = text.find("{\"step\":3000").expect("a hash");
    let command = r#"{"step":2345,"do":"command","robot":0,"right":6,"left":-6}"#;
    text.insert_str(at, &format!("{command}\n"));
    std::fs::write(&log, text).expect("a file");
    let run = Running::start(&["replay", path, "--speed", "max", "--listen", HERE, "--no-browser"]);
    let process = run.child.id().to_string();
    let view = Running::start(&["view", &process, "--listen", HERE, "--no-browser"]);
    for mut viewer in [run.connect(), view.connect()] {
        let differs = notice(&mut viewer).refusal.expect("a code");
        assert_eq!((differs.code(), differs.name.as_str()), (Code::ReplayDiffers, path));
        assert_eq!((differs.most, differs.got), (2000, 3000));
        let over = notice(&mut viewer);
        assert_eq!(over.text, format!("The replay of {path} is over."));
        assert_eq!(over.refusal.expect("a code").code(), Code::ReplayOver);
    }
}

#[test]
fn a_disk_that_fails_is_told_at_once_to_people_here_and_on_the_page() {
    // A pipe whose reader goes is a disk that fails at a moment of the test's choice.
    let pipe = file("pipe");
    common::pipe(&pipe);
    let path = pipe.to_str().expect("a path");
    let mut child = rolima(&["run", "soccer", "--headless", "--listen", HERE, "--log", path])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut disk = BufReader::new(std::fs::File::open(&pipe).expect("a pipe"));
    let mut header = String::new();
    disk.read_line(&mut header).expect("text");
    assert!(header.contains("rolima_log"), "{header}");
    let mut said = BufReader::new(child.stderr.take().expect("a pipe")).lines();
    let mut line = |what: &str| {
        let found = said.by_ref().map_while(Result::ok).find(|line| line.contains(what));
        found.unwrap_or_else(|| panic!("it never said {what}"))
    };
    let address = line("http://");
    let run = Running::of(child, address.split("http://").nth(1).expect("an address"));
    let mut viewer = run.connect();
    viewer.frame(|_| true);
    drop(disk);
    viewer.say(client_message::Kind::Claim(pb::Claim { body: 0, release: false }));
    drive(&mut viewer, 2.0);
    let told = line("is not logged");
    assert!(told.starts_with("error: ") && told.contains(path), "{told}");
    let on_the_page = notice(&mut viewer);
    assert_eq!(on_the_page.level, i32::from(pb::notice::Level::Error));
    assert!(on_the_page.text.contains("is not logged"), "{}", on_the_page.text);
    // Also to those who come later; the run goes on.
    let mut late = run.connect();
    assert_eq!(notice(&mut late), on_the_page);
    late.frame(|_| true);
}

#[cfg(target_os = "linux")]
#[test]
fn a_log_that_cannot_begin_is_told_before_anything_runs() {
    let (code, said) =
        code_and_stderr(&["run", "soccer", "--for", "1", "--json", "--log", "/dev/full"]);
    assert!(code == Some(1) && said.contains("/dev/full"), "{said}");
    let (code, said) = code_and_stderr(&["run", "soccer", "--for", "1", "--json", "--force"]);
    assert!(code == Some(2) && said.contains("--log"), "{said}");
}
