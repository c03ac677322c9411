//! What people meet first: views of nothing, two runs at a time, several scenes in a run, numbers
//! below zero.
#![cfg(unix)]

use crate::common;

use common::running::{HERE, Running};
use common::{code_and_stderr, good, rolima, stderr, stdout};
use rolima_wire::pb::{control, server_message};
use rustix::process::Signal;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Output, Stdio};

fn file(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("first-use");
    std::fs::create_dir_all(&folder).expect("a folder");
    folder.join(name)
}

#[test]
fn a_number_below_zero_is_refused_with_option_expected_and_got() {
    for (arguments, option) in [
        (&["run", "soccer", "--seed", "-5"][..], "--seed"),
        (&["run", "soccer", "--for", "-inf"], "--for"),
        (&["run", "soccer", "--threads", "-1"], "--threads"),
        (&["picture", "maze", "--out", "x.png", "--after", "-2"], "--after"),
        (&["curve", "tyre", "vivi", "--load", "-5"], "--load"),
        (&["classroom", "maze", "--students", "-3"], "--students"),
    ] {
        let (code, said) = code_and_stderr(arguments);
        assert_eq!(code, Some(2), "{said}");
        assert!(said.contains(option) && !said.contains("-- -"), "{said}");
        assert!(said.contains("expected a") || said.contains("expected newtons"), "{said}");
        let got = arguments.last().expect("a number");
        assert!(said.contains(&format!("'{got}'")), "{said}");
    }
}

#[test]
fn what_is_no_run_cannot_be_viewed() {
    let text = file("no-block.txt");
    std::fs::write(&text, "no state block, but long enough to be looked at\n").expect("a file");
    let pipe = file("pipe");
    let _ = std::fs::remove_file(&pipe);
    common::pipe(&pipe);
    // A web server that is none of ours, and an address where nobody is any more.
    let other = TcpListener::bind(HERE).expect("a port");
    let other_address = other.local_addr().expect("an address").to_string();
    std::thread::spawn(move || {
        for stream in other.incoming().flatten() {
            let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
            while lines.next().is_some_and(|line| !line.is_empty()) {}
            let head = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n";
            let _ = write!(&stream, "{head}Connection: close\r\n\r\n");
        }
    });
    let dead = TcpListener::bind(HERE).and_then(|door| door.local_addr()).expect("an address");
    let (text, pipe) = (text.to_string_lossy(), pipe.to_string_lossy());
    for (run, why) in [
        (&*text, "no-block.txt"),
        (&*pipe, "expected a regular file"),
        ("http://example.com/", "expected HOST:PORT"),
        ("https://example.com", "expected HOST:PORT"),
        (&dead.to_string(), "no run answers"),
        (&other_address, "no run of rolima (404 Not Found)"),
    ] {
        let (code, said) = code_and_stderr(&["view", run, "--listen", HERE]);
        assert!(code == Some(2) && said.contains(why), "{run}: {code:?} {said}");
        assert!(!said.contains("Ctrl-C ends it"), "nothing is served: {said}");
    }
}

#[test]
fn a_view_of_a_run_elsewhere_that_is_gone_says_so_and_ends() {
    let run = Running::start(&["run", "soccer", "--headless", "--listen", HERE]);
    let mut view = rolima(&["view", &run.address, "--listen", HERE, "--patience", "1"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut said = BufReader::new(view.stderr.take().expect("a pipe"));
    let mut first = String::new();
    said.read_line(&mut first).expect("text");
    assert!(first.contains("the run at ") && first.contains("http://"), "{first}");
    drop(run);
    let mut rest = String::new();
    said.read_to_string(&mut rest).expect("text");
    assert!(rest.contains("it is asked again for 1 s") && rest.contains("given up"), "{rest}");
    assert_eq!(view.wait().expect("its end").code(), Some(1));
}

#[test]
fn an_empty_map_is_an_error() {
    for (name, text, why) in [
        ("empty.txt", "", "got an empty file"),
        ("blank.txt", " \n\n", "got an empty file"),
        ("only-comments.txt", "# nothing yet\n", "got none"),
    ] {
        let path = file(name);
        std::fs::write(&path, text).expect("a file");
        let (code, said) = code_and_stderr(&["map", path.to_str().expect("a path")]);
        assert!(code == Some(2) && said.contains(name) && said.contains(why), "{said}");
    }
}

#[test]
fn scenes_come_as_json_too() {
    let list: Value = serde_json::from_str(&good(&["scenes", "--json"])).expect("one object");
    let names = |what: &str, line: &str| -> Vec<String> {
        let all = list[what].as_array().expect("a list");
        assert!(all.iter().all(|one| one[line].as_str().is_some_and(|text| !text.is_empty())));
        all.iter().map(|one| one["name"].as_str().expect("a name").to_owned()).collect()
    };
    let (scenes, robots) = (names("scenes", "title"), names("robots", "summary"));
    assert!(scenes.iter().any(|name| name == "soccer"), "{scenes:?}");
    assert!(robots.iter().any(|name| name == "minirobot"), "{robots:?}");
    // The same as people get.
    let text = good(&["scenes"]);
    let listed = text.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    assert!(listed.eq(scenes.iter().chain(&robots).map(String::as_str)));
}

/// Where a run says that programs connect to, after the notes before it.
fn programs(run: &mut std::process::Child) -> (String, String) {
    let mut said = BufReader::new(run.stderr.take().expect("a pipe"));
    let mut notes = String::new();
    loop {
        let mut line = String::new();
        assert!(said.read_line(&mut line).expect("text") > 0, "it ended: {notes}");
        if line.starts_with("programs: ") {
            std::thread::spawn(move || said.lines().for_each(drop));
            return (notes, line);
        }
        notes.push_str(&line);
    }
}

#[test]
fn a_second_run_takes_other_ports_for_programs_and_says_which() {
    let start = || {
        let run = rolima(&["run", "maze", "--robotone-step", "--headless"])
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn();
        run.expect("the program starts")
    };
    let (mut first, mut second) = (start(), start());
    let [(one_notes, one), (two_notes, two)] = [programs(&mut first), programs(&mut second)];
    // Whichever was quicker has the usual ones, unless another run on this machine has them; so at
    // least one of the two has others.
    assert_ne!(one, two);
    let port = |line: &str| {
        let text = line.split(" (release)").next().unwrap_or_default();
        text.rsplit(':').next().and_then(|port| port.parse::<u16>().ok()).expect("a port")
    };
    assert_ne!(port(&one), port(&two));
    for (line, notes) in [(&one, &one_notes), (&two, &two_notes)] {
        let port = port(line);
        let expected = format!("ROBOTONE_RELEASE_PORT={port} ROBOTONE_PORT={}", port + 1);
        let is_told = notes.contains("is taken") && notes.contains(&expected);
        assert_eq!(is_told, port != 5046, "{line}: {notes}");
    }
    // Ports that are asked for are these or none.
    let taken = format!("127.0.0.1:{}", port(&one));
    let (code, said) =
        code_and_stderr(&["run", "maze", "--headless", "--for", "1", "--robotone-listen", &taken]);
    assert!(code == Some(1) && said.contains(&taken) && said.contains("another program"), "{said}");
    for run in [&mut first, &mut second] {
        run.kill().expect("it runs");
        run.wait().expect("its end");
    }
}

/// Loads scenes and starts over, then ends the run as Ctrl-C does: what it printed.
fn ended_after_three_scenes(arguments: &[&str]) -> Output {
    let mut run = Running::start(&[&["run", "soccer", "--listen", HERE], arguments].concat());
    let mut viewer = run.connect();
    let scene = |viewer: &mut common::live::Viewer, name: &str| {
        viewer.control(control::Kind::Load(name.to_owned()));
        viewer.until(|kind| {
            matches!(kind, server_message::Kind::Scene(scene) if scene.name == name).then_some(())
        });
    };
    viewer.frame(|frame| frame.generation == 1 && frame.step > 50);
    scene(&mut viewer, "scrum");
    viewer.frame(|frame| frame.generation == 2 && frame.step > 200);
    // It is held until it is seen to stand at its begin.
    viewer.control(control::Kind::Pause(true));
    viewer.control(control::Kind::Reset(true));
    viewer.frame(|frame| frame.generation == 2 && frame.step == 0);
    viewer.control(control::Kind::Play(true));
    viewer.frame(|frame| frame.generation == 2 && frame.step > 20);
    scene(&mut viewer, "open-loop");
    viewer.frame(|frame| frame.generation == 3 && frame.step > 30);
    run.signal(Signal::INT);
    let mut text = vec![];
    let mut out = run.child.stdout.take().expect("a pipe");
    out.read_to_end(&mut text).expect("its result");
    let status = run.child.wait().expect("its end");
    Output { status, stdout: text, stderr: vec![] }
}

#[test]
fn every_scene_of_a_run_has_a_summary_of_its_own() {
    let output = ended_after_three_scenes(&["--headless"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    let parts: Vec<&str> = text.split("\n\n").collect();
    let [soccer, scrum, open_loop, all] = parts[..] else { panic!("{text}") };
    assert!(soccer.starts_with("scene 1: Soccer: "), "{soccer}");
    assert!(soccer.contains("score blue") && soccer.contains("state hash"), "{soccer}");
    assert!(scrum.starts_with("scene 2: Scrum: "), "{scrum}");
    assert!(scrum.contains("started over 1 time; since then 0."), "{scrum}");
    assert!(open_loop.starts_with("scene 3: Open loop: "), "{open_loop}");
    assert!(open_loop.contains("robot       x m"), "{open_loop}");
    assert!(all.starts_with("in all: simulated ") && all.contains("real time"), "{all}");
}

#[test]
fn the_summaries_of_scenes_add_up() {
    let text = stdout(&ended_after_three_scenes(&["--json"]));
    let result: Value = serde_json::from_str(text.trim()).expect("one object");
    let scenes = result["scenes"].as_array().expect("a list");
    let steps: Vec<u64> = scenes.iter().map(|s| s["steps"].as_u64().expect("a count")).collect();
    assert_eq!(steps.len(), 3, "{result}");
    assert!(steps[0] > 50 && steps[1] > 220 && steps[2] > 30, "{steps:?}");
    assert_eq!(result["steps"].as_u64(), Some(steps.iter().sum()));
    assert_eq!((&scenes[1]["starts"], &result["scenes_before"]), (&2.into(), &0.into()));
    assert!(scenes[1]["since_start_s"].as_f64() < scenes[1]["simulated_s"].as_f64());
    assert_eq!(scenes[2]["state_hash"], result["state_hash"]);
    assert_eq!(scenes[2]["scores"], serde_json::json!({}), "nobody can score in the last one");
}

#[test]
fn pipes_and_devices_are_never_waited_for() {
    let pipe = file("scene-pipe");
    let _ = std::fs::remove_file(&pipe);
    common::pipe(&pipe);
    let pipe = pipe.to_str().expect("a path");
    let beside = file("includes-pipe.toml");
    std::fs::write(&beside, "[[part]]\ninclude = \"scene-pipe\"\n").expect("a file");
    let beside = beside.to_str().expect("a path");
    let here = "127.0.0.1:0";
    for arguments in [
        &["check", pipe][..],
        &["run", pipe, "--headless", "--for", "1"],
        &["check", "--maze", pipe],
        &["map", pipe],
        &["check", "/dev/zero"],
        &["replay", pipe],
        &["run", "soccer", "--listen", here, "--tokens", pipe],
        &["run", "soccer", "--listen", here, "--tls-cert", pipe, "--tls-key", pipe],
    ] {
        let (code, said) = code_and_stderr(arguments);
        assert!(code == Some(2) && said.contains("got a folder, pipe or device"), "{said}");
    }
    let (code, said) = code_and_stderr(&["check", beside]);
    assert!(code == Some(2) && said.contains("part.0.include"), "{said}");
}
