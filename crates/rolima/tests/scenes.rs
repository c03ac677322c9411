//! `rolima check`, `describe`, `scenes` and `bench --list`.

use crate::common;

use common::{code_and_stderr, good, output, stderr};
use serde_json::Value;
use std::path::PathBuf;

/// A scene file in the folder for the tests' own files.
fn file(name: &str, text: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the folder for tests can be written");
    path
}

#[test]
fn a_good_scene_is_told_in_short() {
    let text = good(&["check", "soccer"]);
    for expected in ["soccer: good", "6 robots (3 blue, 3 yellow)", "1 ball", "steps of 1 ms"] {
        assert!(text.contains(expected), "{expected}: {text}");
    }
    for robots in ["robots=2500", "robots=2.5e3"] {
        assert!(good(&["check", "crowd", "--set", robots]).contains("2,500 robots"));
    }
}

#[test]
fn every_built_in_scene_is_good() {
    let scenes = good(&["scenes"]);
    let names = scenes.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<&str> = names.collect();
    assert!(names.contains(&"soccer") && names.contains(&"minirobot-2001"), "{names:?}");
    for name in names {
        good(&["check", name]);
        good(&["run", name, "--for", "0.1", "--json"]);
    }
}

#[test]
fn an_error_names_file_line_key_expected_and_got() {
    let path = file(
        "bad.toml",
        "title = \"bad\"\n\n[[robot]]\npreset = \"minirobot\"\npose = [0, \"x\", 0]\n",
    );
    let path = path.to_str().unwrap();
    for command in ["check", "run", "describe"] {
        let (code, text) = code_and_stderr(&[command, path]);
        assert_eq!(code, Some(2), "{text}");
        let line = text
            .lines()
            .find(|line| line.contains("bad.toml:5: "))
            .unwrap_or_else(|| panic!("{text}"));
        for expected in ["robot.0.pose", "expected ", "got "] {
            assert!(line.contains(expected), "{expected}: {line}");
        }
    }
    // What only the model can find has its line too.
    let path = file("heavy.toml", "[[robot]]\npreset = \"minirobot\"\n[robot.drive]\nmass = -1\n");
    let (code, text) = code_and_stderr(&["check", path.to_str().unwrap()]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("heavy.toml:4: ") && text.contains("drive.mass"), "{text}");
}

#[test]
fn a_missing_file_or_a_folder_is_a_bad_file() {
    for scene in ["no/such/file.toml", env!("CARGO_TARGET_TMPDIR")] {
        let (code, text) = code_and_stderr(&["check", scene]);
        assert_eq!(code, Some(2), "{text}");
        assert!(text.contains(scene), "{text}");
        assert_eq!(text.contains("is a directory"), !scene.ends_with(".toml"), "{text}");
    }
}

#[test]
fn describe_lists_every_parameter_of_a_robot_with_unit_and_origin() {
    let text = good(&["describe", "minirobot-2001"]);
    for (key, value, unit) in [
        ("wheel_distance", "0.075", "m"),
        ("wheel_radius_right", "0.0251", "m"),
        ("wheel_radius_left", "0.0254", "m"),
        ("mass", "0.352", "kg"),
        ("inertia", "1.302e-5", "kg m2"),
        ("friction_linear", "0.1002", "N s/m"),
        ("friction_angular", "7.004e-5", "N m s"),
        ("wheel_inertia_right", "3.003e-6", "kg m2"),
        ("wheel_inertia_left", "3.005e-6", "kg m2"),
        ("axle_friction_right", "7.002e-6", "N m s"),
        ("axle_friction_left", "7.002e-6", "N m s"),
        ("motor_constant_right", "0.0204", "V s"),
        ("motor_constant_left", "0.0201", "V s"),
        ("conductance_right", "0.0577", "S"),
        ("conductance_left", "0.0578", "S"),
        ("supply", "9.0", "V"),
        ("traction", "\"none\"", "-"),
    ] {
        let key = format!("robot.0.drive.{key} ");
        let line = text.lines().find(|line| line.starts_with(&key));
        let cells: Vec<&str> =
            line.unwrap_or_else(|| panic!("{key}: {text}")).split("  ").collect();
        let cells: Vec<&str> =
            cells.iter().map(|cell| cell.trim()).filter(|cell| !cell.is_empty()).collect();
        assert_eq!(cells[1..3], [value, unit], "{key}");
        assert!(cells[3].starts_with("built-in:robots/minirobot-2001.toml:"), "{cells:?}");
    }
    assert!(!text.contains("sim.step_s"), "a robot alone has no time step");
}

#[test]
fn describe_tells_what_was_set_and_groups_what_is_equal() {
    let text = good(&["describe", "soccer", "--set", "robot.1.drive.mass=0.4"]);
    let line = |key: &str| {
        let found = text.lines().find(|line| line.starts_with(&format!("{key} ")));
        found.unwrap_or_else(|| panic!("{key}: {text}"))
    };
    assert!(line("robot.1.drive.mass").contains("--set robot.1.drive.mass=0.4"));
    assert!(line("robot.0,2-5.drive.mass").contains("0.352"));
    assert!(line("robot.*.drive.supply").contains("9.0"));
    let crowd = good(&["describe", "crowd", "--set", "robots=10000"]);
    assert!(crowd.lines().count() < 200, "{} lines", crowd.lines().count());
}

#[test]
fn describe_as_json_has_a_row_for_every_parameter() {
    let text = good(&["describe", "open-loop", "--json"]);
    let described: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(described["scene"], "open-loop");
    let parameters = described["parameters"].as_array().unwrap();
    let mass = parameters.iter().find(|row| row["key"] == "robot.0.drive.mass").unwrap();
    assert_eq!((&mass["value"], &mass["unit"]), (&"0.352".into(), &"kg".into()));
    for row in parameters {
        for key in ["key", "value", "unit", "origin", "meaning"] {
            assert!(row[key].as_str().is_some_and(|text| !text.is_empty()), "{row}");
        }
    }
}

#[test]
fn benchmarks_are_listed_and_unknown_ones_refused() {
    let list = good(&["bench", "--list"]);
    for name in [
        "soccer-3v3",
        "soccer-scrum",
        "soccer-pile",
        "crowd",
        "crowd-clumped",
        "worlds",
        "update-33ms",
    ] {
        assert!(list.lines().any(|line| line.starts_with(&format!("{name} "))), "{name}: {list}");
    }
    let unknown = output(&["bench", "soccer-4v4"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(stderr(&unknown).contains("soccer-3v3"));
}
