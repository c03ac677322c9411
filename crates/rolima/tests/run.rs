//! `rolima run` as users and programs see it.

use crate::common;

use common::{code_and_stderr, good, hash, result, rolima, stderr};
use serde_json::Value;
use std::io::Read;
use std::process::Stdio;

#[test]
fn json_has_every_key_with_its_type() {
    let run = result(&["run", "soccer", "--for", "2"]);
    let keys: Vec<&String> = run.as_object().unwrap().keys().collect();
    let expected = [
        "simulated_s",
        "steps",
        "wall_s",
        "real_time_factor",
        "state_hash",
        "events",
        "robots",
        "seed",
        "balls",
        "scores",
        "objects",
        "contacts",
        "kinetic_energy_j",
        "deadlines",
    ];
    assert_eq!(keys, expected);
    let deadlines = &run["deadlines"];
    assert!(deadlines["missed_1ms"].is_u64() && deadlines["missed_30ms"].is_u64(), "{deadlines}");
    for lateness in ["lateness_1ms", "lateness_30ms"] {
        let quantiles = deadlines[lateness].as_object().unwrap();
        assert!(quantiles.len() == 4 && quantiles.values().all(Value::is_f64), "{deadlines}");
    }
    assert_eq!((run["simulated_s"].as_f64(), run["steps"].as_u64()), (Some(2.0), Some(2000)));
    assert!(run["wall_s"].as_f64().unwrap() > 0.0);
    assert!(run["real_time_factor"].as_f64().unwrap() > 0.0);
    let hash = run["state_hash"].as_str().unwrap();
    assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok(), "{hash}");
    let events = run["events"].as_object().unwrap();
    assert!(events.values().all(Value::is_u64) && events["impact"].as_u64() > Some(0));
    let robots = run["robots"].as_array().unwrap();
    assert_eq!(robots.len(), 6);
    assert_eq!(robots[0]["name"], "blue-1");
    for robot in robots {
        for (key, length) in [("pose", 3), ("twist", 2)] {
            let numbers = robot[key].as_array().unwrap();
            assert!(numbers.len() == length && numbers.iter().all(Value::is_f64), "{robot}");
        }
    }
}

#[test]
fn a_run_that_its_scene_ends_says_why_and_where_the_vehicle_is() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let file = folder.join("table.toml");
    let scene = "[ground]\nkind = \"expression\"\nz = \"0.2 * x\"\nsize = [4, 4]\nedge = \"ends\"\n\
        [[robot]]\nname = \"one\"\npreset = \"skid-steer\"\n\
        driver = { kind = \"constant\", left = 20, right = 20 }\n";
    std::fs::write(&file, scene).unwrap();
    let path = file.to_str().unwrap();
    // Before its end, on a slope of 0.2.
    let early = result(&["run", path, "--for", "1"]);
    let robot = &early["robots"][0];
    assert!((robot["pitch"].as_f64().unwrap() - 0.197).abs() < 0.05, "{robot}");
    let over = robot["height"].as_f64().unwrap() - 0.2 * robot["pose"][0].as_f64().unwrap();
    assert!(over.abs() < 0.1 && robot["roll"].as_f64().unwrap().abs() < 0.01, "{robot}");
    assert!(robot["tilt"].as_f64() >= robot["pitch"].as_f64() && robot["rolled_over"] == false);
    assert!(early.get("end").is_none());
    let output = common::output(&["run", path, "--for", "60", "--json"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    assert!(stderr(&output).contains("the run has ended: one left the terrain at "));
    let json: Value = serde_json::from_str(&common::stdout(&output)).unwrap();
    assert_eq!(
        (&json["end"]["kind"], &json["end"]["robot"]),
        (&"left_terrain".into(), &"one".into())
    );
    assert_eq!(json["end"]["time_s"], json["simulated_s"]);
    assert!(json["simulated_s"].as_f64().unwrap() < 20.0 && json["events"]["left_terrain"] == 1);
    // For people, and as it was logged, replayed to the bit.
    let log = folder.join("table.jsonl");
    let log = log.to_str().unwrap();
    let output =
        common::output(&["run", path, "--headless", "--for", "60", "--force", "--log", log]);
    assert_eq!(output.status.code(), Some(3));
    let said = common::stdout(&output);
    assert!(
        said.contains("ended: one left the terrain at") && said.contains("pitch deg"),
        "{said}"
    );
    let again = result(&["replay", log]);
    assert_eq!((&again["state_hash"], &again["end"]), (&json["state_hash"], &json["end"]));
}

#[test]
fn json_has_seed_balls_and_scores() {
    let run = result(&["run", "soccer", "--for", "2", "--seed", "77"]);
    assert_eq!(run["seed"], 77);
    let [ball] = &run["balls"].as_array().unwrap()[..] else { panic!("{}", run["balls"]) };
    assert_eq!(ball["name"], "ball");
    for key in ["position", "velocity"] {
        let numbers = ball[key].as_array().unwrap();
        assert!(numbers.len() == 2 && numbers.iter().all(Value::is_f64), "{ball}");
    }
    let scores = run["scores"].as_object().unwrap();
    assert_eq!(scores.keys().collect::<Vec<_>>(), ["blue", "yellow"]);
    let goals: u64 = scores.values().map(|goals| goals.as_u64().unwrap()).sum();
    assert_eq!(Some(goals), run["events"]["goal"].as_u64());

    // A ball rolls off as the scene says.
    let run = result(&["run", "soccer", "--for", "0", "--set", "ball.0.velocity=[0.5, -0.25]"]);
    assert_eq!(run["balls"][0]["velocity"], serde_json::json!([0.5, -0.25]));
    assert_eq!(run["balls"][0]["position"], serde_json::json!([0.0, 0.0]));
    // A field without a ball has no score.
    let run = result(&["run", "figure-13", "--for", "0.1"]);
    assert_eq!((&run["balls"], &run["scores"]), (&Value::Array(vec![]), &serde_json::json!({})));
}

#[test]
fn equivalent_spheres_tell_their_energy_error() {
    let spheres = ["run", "figure-13", "--for", "2", "--set", "response=equivalent-sphere"];
    let run = result(&spheres);
    let energy = run["sphere_energy_j"].as_array().unwrap();
    let [gained, lost] = [0, 1].map(|i| energy[i].as_f64().unwrap());
    assert!(energy.len() == 2 && gained >= 0.0 && lost >= 0.0 && gained + lost > 0.0, "{run}");
    let text = good(&[&spheres[..], &["--headless"]].concat());
    let line = format!("energy error: gained {gained:.6} J, lost {lost:.6} J");
    assert!(text.contains(&line) && !text.contains("score"), "{line}: {text}");

    let rigid = ["run", "figure-13", "--for", "1"];
    assert_eq!(result(&rigid).get("sphere_energy_j"), None);
    assert!(!good(&[&rigid[..], &["--headless"]].concat()).contains("energy error"));
}

#[test]
fn open_loop_ends_where_the_closed_form_says() {
    let run =
        result(&["run", "open-loop", "--for", "1", "--set", "left=7.2", "--set", "right=7.2"]);
    let robot = &run["robots"][0];
    let of = |key: &str, i: usize| robot[key][i].as_f64().unwrap();
    for (what, is, expected) in [
        ("v", of("twist", 0), 1.42337941),
        ("omega", of("twist", 1), 0.988335151),
        ("x", of("pose", 0), 0.582285737),
        ("y", of("pose", 1), 0.467846096),
        ("theta", of("pose", 2), 1.0562476),
    ] {
        assert!((is - expected).abs() < 1e-7, "{what} is {is}, expected {expected}");
    }
    let other = result(&["run", "open-loop", "--for", "1", "--set", "left=3"]);
    assert_ne!(other["robots"][0]["pose"], robot["pose"]);
}

#[test]
fn the_same_run_has_the_same_hash_and_another_seed_another() {
    let first = hash(&[]);
    assert_eq!(hash(&[]), first);
    assert_eq!(hash(&["--threads", "1"]), first);
    assert_eq!(hash(&["--threads", "2"]), first);
    assert_eq!(hash(&["--speed", "50"]), first);
    assert_ne!(hash(&["--seed", "77"]), first);
    assert_eq!(hash(&["--seed", "77"]), hash(&["--seed", "77"]));
}

#[test]
fn a_crowd_has_the_same_hash_for_any_number_of_threads() {
    let hash = |threads: &str| {
        let crowd = ["run", "crowd", "--set", "robots=2000", "--for", "0.1"];
        result(&[&crowd[..], &["--threads", threads]].concat())["state_hash"].clone()
    };
    assert_eq!(hash("1"), hash("2"));
}

#[test]
fn seconds_become_the_nearest_number_of_steps() {
    let steps = |seconds: &str| result(&["run", "open-loop", "--for", seconds])["steps"].clone();
    assert_eq!(steps("0.3"), 300);
    assert_eq!(steps("0.0004"), 0);
    assert_eq!(steps("0.0006"), 1);
}

#[test]
fn people_get_a_summary() {
    let text = good(&["run", "soccer", "--headless", "--for", "1"]);
    for expected in
        ["Soccer", "simulated 1.000 s in 1,000 steps", "score blue 0 : 0 yellow", "yellow-3"]
    {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    let crowd = good(&["run", "crowd", "--headless", "--for", "0.01"]);
    assert!(crowd.contains("and 988 more") && crowd.lines().count() < 25, "{crowd}");
}

#[test]
fn a_view_in_the_terminal_needs_a_terminal() {
    let (code, said) = code_and_stderr(&["run", "soccer", "--tui", "--for", "0.1"]);
    assert!(code == Some(2) && said.contains("--tui needs a terminal"), "{said}");
}

#[test]
fn bad_usage_ends_with_2() {
    for arguments in [
        &["check"][..],
        &["run", "soccer", "--speed", "0"],
        &["run", "soccer", "--speed", "fast"],
        &["run", "soccer", "--for", "-1"],
        &["run", "soccer", "--for", "nan"],
        &["run", "soccer", "--threads", "0"],
        &["run", "soccer", "--seed", "x"],
        &["run", "soccer", "--what"],
        &["run", "soccer", "--set", "nonsense"],
        &["run", "soccer", "--set", "no.such.key=1"],
        &["run", "no-such-scene"],
        &["fly"],
        &[],
    ] {
        let (code, text) = code_and_stderr(arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {text}");
        assert!(!text.is_empty() && !text.contains("panicked"), "{arguments:?}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_run_with_its_result() {
    use std::io::{BufRead, BufReader};
    use std::process::Command;
    for arguments in
        [&["run", "soccer", "--json"][..], &["run", "soccer", "--json", "--speed", "max"]]
    {
        let mut child =
            rolima(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The handler is there before the line that says so.
        let mut notes = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        notes.read_line(&mut line).unwrap();
        assert!(line.starts_with("running"), "{line}");
        let mut kill = Command::new("kill");
        assert!(kill.args(["-INT", &child.id().to_string()]).status().unwrap().success());
        let mut text = String::new();
        child.stdout.take().unwrap().read_to_string(&mut text).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0));
        let run: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        assert_eq!(run["robots"].as_array().unwrap().len(), 6);
    }
}

#[test]
fn a_reader_that_has_read_enough_is_no_error() {
    for arguments in [
        &["run", "crowd", "--headless", "--for", "0.01", "--json"][..],
        &["describe", "soccer"],
        &["scenes"],
    ] {
        let mut child =
            rolima(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut pipe = child.stdout.take().unwrap();
        let mut one = [0];
        pipe.read_exact(&mut one).unwrap();
        drop(pipe);
        let output = child.wait_with_output().unwrap();
        assert_eq!(stderr(&output).matches("panicked").count(), 0, "{}", stderr(&output));
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_ends_with_1() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = rolima(&["scenes"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("error:"), "{}", stderr(&output));
}

#[test]
fn without_a_scene_the_match_is_played() {
    let played = |run: &[&str]| result(&[run, &["--for", "0.1"]].concat())["state_hash"].clone();
    assert_eq!(played(&["run"]), played(&["run", "soccer"]));
}
