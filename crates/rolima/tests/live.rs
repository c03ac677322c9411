//! Live runs of the real program: watched, driven, logged, in lock step, over real sockets.
#![cfg(unix)]

use crate::common;

use common::live::Viewer;
use common::running::{HERE, Running, address_of};
use common::{result, rolima, stderr};
use prost::Message as _;
use rolima_wire::pb::{self, client_message, control, server_message};
use serde_json::Value;
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tungstenite::Message;

/// Where a test logs to.
fn log_named(name: &str) -> String {
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    log.to_str().expect("a path of text").to_owned()
}

#[test]
fn watching_from_another_process_and_being_killed_changes_no_bit() {
    let run = ["run", "soccer", "--seed", "5", "--speed", "1", "--for", "4", "--json"];
    let watched = rolima(&run).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let watched = watched.expect("the program starts");
    let process = watched.id().to_string();
    // The state block is there a moment later; until then there is nothing to attach to.
    let view = loop {
        let attached = rolima(&["view", &process, "--listen", HERE, "--no-browser"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = attached.expect("the program starts");
        if let Ok(url) = address_of(&mut child) {
            break Running::of(child, &url);
        }
        child.wait().expect("it ends");
    };
    let mut viewer = view.connect();
    let server_message::Kind::Welcome(welcome) = viewer.next() else { panic!("a welcome first") };
    assert!(!welcome.may_control, "a viewer of shared memory only watches");
    let first = viewer.frame(|_| true).step;
    viewer.frame(|frame| frame.step > first + 100);
    view.signal(rustix::process::Signal::KILL);
    let output = watched.wait_with_output().expect("it ends");
    let text = common::stdout(&output);
    assert!(output.status.success(), "{}", stderr(&output));
    let watched: Value = serde_json::from_str(text.trim()).expect("a result");
    let alone = result(&["run", "soccer", "--seed", "5", "--for", "4"]);
    assert_eq!(watched["state_hash"], alone["state_hash"]);
}

#[test]
fn what_viewers_do_is_logged_and_replayed_to_the_same_hash() {
    let log = &log_named("driven.jsonl");
    let run =
        Running::start(&["run", "soccer", "--json", "--listen", HERE, "--force", "--log", log]);
    // Through a relay, as from another machine.
    let relay = Running::start(&["view", &run.address, "--listen", HERE, "--no-browser"]);
    let mut viewer = relay.connect();
    viewer.say(client_message::Kind::Claim(pb::Claim { body: 0, release: false }));
    viewer.say(client_message::Kind::Drive(pb::Drive {
        body: 0,
        left: 5.0,
        right: -5.0,
        ..pb::Drive::default()
    }));
    let push = pb::Push { body: 6, x: 0.0, y: 0.0, impulse_x: 0.03, impulse_y: -0.02 };
    viewer.say(client_message::Kind::Push(push));
    viewer.say(client_message::Kind::Grab(pb::Grab { body: 4, x: 0.5, ..pb::Grab::default() }));
    let begin = viewer.frame(|_| true).step;
    viewer.frame(|frame| frame.step > begin + 300);
    viewer.say(client_message::Kind::LetGo(pb::LetGo { body: 4 }));
    viewer.control(control::Kind::Seed(77));
    viewer.frame(|frame| frame.step > 100 && frame.step < begin + 300);
    viewer.control(control::Kind::Load("scrum".to_owned()));
    viewer.until(|kind| {
        matches!(kind, server_message::Kind::Scene(scene) if scene.name == "scrum").then_some(())
    });
    // What is done here shows in the last state.
    viewer.frame(|frame| frame.generation == 2);
    viewer.say(client_message::Kind::Claim(pb::Claim { body: 2, release: false }));
    viewer.say(client_message::Kind::Drive(pb::Drive {
        body: 2,
        left: -4.0,
        right: 6.0,
        ..pb::Drive::default()
    }));
    viewer.frame(|frame| frame.generation == 2 && frame.step > 100);
    drop(viewer);
    run.signal(rustix::process::Signal::INT);
    let live = run.result();
    let again = result(&["replay", log]);
    assert_eq!(again["state_hash"], live["state_hash"]);
    assert_eq!(again["steps"], live["steps"]);
    let text = std::fs::read_to_string(log).expect("a log");
    for act in ["command", "push", "grab", "let_go", "seed", "load", "end"] {
        assert!(text.contains(&format!("\"do\":\"{act}\"")), "no {act} in {text}");
    }
}

/// A white picture (BMP, 24 bits a pixel) with a black stroke across and a red square.
fn drawn_maze(width: usize, height: usize) -> Vec<u8> {
    rolima_testing::bmp(width, height, |x, y| match (x, y) {
        (_, 18..22) if (20..width - 20).contains(&x) => [0, 0, 0],
        (95..105, 60..70) => [0, 0, 255],
        _ => [255; 3],
    })
}

#[test]
fn a_map_from_a_viewer_becomes_the_world_and_its_log_replays() {
    let log = &log_named("mapped.jsonl");
    let run =
        Running::start(&["run", "soccer", "--json", "--listen", HERE, "--force", "--log", log]);
    let relay = Running::start(&["view", &run.address, "--listen", HERE, "--no-browser"]);
    let mut viewer = relay.connect();
    // The answer, and the scene that comes before it or after it.
    let load = |viewer: &mut Viewer, name: &str, data: Vec<u8>, [width, height]: [f64; 2]| {
        let (name, data) = (name.to_owned(), data.into());
        let map = pb::LoadMap { name, data, width, height, ..pb::LoadMap::default() };
        viewer.say(client_message::Kind::LoadMap(map));
        let (mut answer, mut scene) = (None, None);
        viewer.until(|kind| {
            match kind {
                server_message::Kind::MapAnswer(came) => answer = Some(came),
                server_message::Kind::Scene(came) => scene = Some(came),
                _ => {}
            }
            let is_whole = answer.as_ref().is_some_and(|answer| scene.is_some() || !answer.loaded);
            is_whole.then(|| (answer.take().expect("it came"), scene.take()))
        })
    };
    viewer.frame(|frame| frame.step > 10);
    let (answer, _) = load(&mut viewer, "bad.txt", b"W 1 2 3\n".to_vec(), [0.0; 2]);
    assert!(answer.error.starts_with("bad.txt:1:8: expected 4 fields"), "{}", answer.error);
    assert_eq!(viewer.frame(|_| true).generation, 1, "the world goes on");

    let (answer, shown) = load(&mut viewer, "drawn.bmp", drawn_maze(200, 100), [20.0, 10.0]);
    assert_eq!((answer.error.as_str(), answer.loaded), ("", true));
    let shown = shown.expect("its scene");
    let map = shown.map.expect("it comes from a map");
    assert_eq!((shown.title.as_str(), map.width, map.height), ("drawn.bmp", 20.0, 10.0));
    assert_eq!(map.text, answer.text);
    assert!(map.text.contains("R -1.5 0\n") && map.text.contains("W 3 "), "{}", map.text);
    viewer.frame(|frame| frame.generation == 2 && frame.step > 50);

    let text = "# Ana's \"maze\"\nW -3 -1 3 -1 # south\r\nR 0 0 1.5\nB 1 2\n";
    let (_, shown) = load(&mut viewer, "a.txt", text.into(), [0.0; 2]);
    let map = shown.and_then(|scene| scene.map).expect("a map");
    assert_eq!(map.text, text, "comments and all");
    viewer.frame(|frame| frame.generation == 3 && frame.step > 20);
    viewer.say(client_message::Kind::Claim(pb::Claim { body: 0, release: false }));
    viewer.say(client_message::Kind::Drive(pb::Drive {
        left: -4.0,
        right: 6.0,
        ..pb::Drive::default()
    }));
    viewer.frame(|frame| frame.step > 200);
    // Back to the beginning of the same map, where it stands until somebody has seen it.
    viewer.control(control::Kind::Pause(true));
    viewer.control(control::Kind::Reset(true));
    viewer.frame(|frame| frame.generation == 3 && frame.step == 0);
    viewer.control(control::Kind::Play(true));
    viewer.say(client_message::Kind::Drive(pb::Drive {
        left: 5.0,
        right: 3.0,
        ..pb::Drive::default()
    }));
    viewer.frame(|frame| frame.step > 150);
    drop(viewer);
    run.signal(rustix::process::Signal::INT);
    let live = run.result();
    let again = result(&["replay", log]);
    assert_eq!((&again["state_hash"], &again["steps"]), (&live["state_hash"], &live["steps"]));

    // Another wall is another world, which the log's fingerprint tells.
    let logged = std::fs::read_to_string(log).expect("a log");
    assert_eq!(logged.matches("\"map\":{").count(), 2);
    std::fs::write(log, logged.replace("W -3 -1 3 -1", "W -3 -1 3 -2")).expect("a log");
    let (code, said) = common::code_and_stderr(&["replay", log, "--headless"]);
    assert!(code == Some(2) && said.contains("expected the scene `a.txt` of the log"), "{said}");
}

#[test]
fn a_run_of_a_map_shows_its_text() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("own.txt");
    let text = "# mine\nW 0 0, 0 4\nR 1 1\n";
    std::fs::write(&file, text).expect("a map");
    let file = file.to_str().expect("a path of text");
    for (arguments, expected) in [(&["--maze", file][..], text), (&["maze"][..], "R 0 0\n")] {
        let run = Running::start(&[&["run", "--json", "--listen", HERE], arguments].concat());
        let map = run.connect().until(|kind| match kind {
            server_message::Kind::Scene(scene) => Some(scene.map.expect("it comes from a map")),
            _ => None,
        });
        assert!(map.text.ends_with(expected), "{}", map.text);
    }
}

/// Answers the turns of one robot until the server is gone.
fn controller(mut viewer: Viewer, body: u32, dawdle: impl Fn(u64)) {
    viewer.say(client_message::Kind::Join(pb::Join { period: 30 }));
    loop {
        let Ok(message) = viewer.socket.read() else { return };
        let Message::Binary(bytes) = message else { continue };
        let message = pb::ServerMessage::decode(&bytes[..]).expect("a server message");
        let Some(server_message::Kind::Turn(turn)) = message.kind else { continue };
        dawdle(turn.step);
        let frame = turn.frame.expect("a frame");
        let y = frame.y[body as usize];
        let drive =
            pb::Drive { body, left: 4.0 + 3.0 * y, right: 4.0 - 3.0 * y, ..pb::Drive::default() };
        let answer = pb::Answer { step: turn.step, drives: vec![drive] };
        let bytes = pb::ClientMessage { kind: Some(client_message::Kind::Answer(answer)) };
        if viewer.socket.send(Message::Binary(bytes.encode_to_vec().into())).is_err() {
            return;
        }
    }
}

#[test]
fn in_lock_step_slow_controllers_get_the_same_bits_as_quick_ones() {
    let hash = |dawdles: [u64; 2]| {
        let run = Running::start(&[
            "run",
            "soccer",
            "--json",
            "--listen",
            HERE,
            "--lock-step",
            "2",
            "--for",
            "30",
        ]);
        for (body, every) in [(1, dawdles[0]), (4, dawdles[1])] {
            let viewer = run.connect();
            std::thread::spawn(move || {
                controller(viewer, body, |step| {
                    // Somebody looks at it in a debugger, now and then.
                    if every > 0 && (step / 30).is_multiple_of(every) {
                        std::thread::sleep(Duration::from_millis(2));
                    }
                });
            });
        }
        let result = run.result();
        assert_eq!(result["steps"].as_u64(), Some(30_000));
        result["state_hash"].as_str().expect("a hash").to_owned()
    };
    let quick = hash([0, 0]);
    let alone = result(&["run", "soccer", "--for", "30"]);
    assert_ne!(alone["state_hash"], quick.as_str(), "the answers drive the robots");
    assert_eq!(hash([3, 0]), quick);
    assert_eq!(hash([0, 2]), quick);
}

#[test]
fn views_of_nothing_are_refused_with_a_reason() {
    let (code, said) = common::code_and_stderr(&["view", "999999999"]);
    assert!(code == Some(2) && said.contains("999999999"), "{said}");
    let (code, said) = common::code_and_stderr(&["run", "soccer", "--open"]);
    assert!(code == Some(2) && said.contains("--listen"), "{said}");
}

#[test]
fn what_is_set_of_a_sensor_of_the_world_is_logged_and_replayed_to_the_same_hash() {
    let log = &log_named("watched.jsonl");
    let run =
        Running::start(&["run", "watched", "--json", "--listen", HERE, "--force", "--log", log]);
    let mut viewer = run.connect();
    // What is asked of a scene before it is there is refused.
    viewer.until(|kind| matches!(kind, server_message::Kind::Scene(_)).then_some(()));
    let watch = pb::Watch { bodies: vec![], pictures: false, world: true };
    viewer.say(client_message::Kind::Watch(watch));
    let sigma = pb::Sigma { body: 0, sensor: 1, axis: 0, sigma: 0.25, world: true };
    viewer.say(client_message::Kind::Sigma(sigma));
    viewer.until(|kind| match kind {
        server_message::Kind::Readings(r) => {
            r.sigmas.get(1).filter(|s| s.values == [0.25]).map(drop)
        }
        _ => None,
    });
    drop(viewer);
    run.signal(rustix::process::Signal::INT);
    let live = run.result();
    let again = result(&["replay", log]);
    assert_eq!(again["state_hash"], live["state_hash"]);
    assert_eq!(again["steps"], live["steps"]);
}
