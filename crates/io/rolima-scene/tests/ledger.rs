//! The ledger: every parameter of every scene has a unit, a meaning and an origin.

use crate::common;

use common::{builtin, check, text};
use rolima_scene::{Origin, builtin_files};
use std::collections::BTreeSet;

#[test]
fn every_row_has_a_unit_a_meaning_and_an_origin_and_no_key_comes_twice() {
    for file in builtin_files().iter().filter(|file| !file.starts_with("parts/")) {
        let scene = builtin(file, &[]);
        let mut keys = BTreeSet::new();
        for row in scene.ledger.rows() {
            assert!(!row.unit.is_empty() && !row.meaning.is_empty(), "{file}: {row:?}");
            assert!(!row.value.is_empty(), "{file}: {row:?}");
            assert!(keys.insert(&row.key), "{file}: {} comes twice", row.key);
            match &row.origin {
                Origin::File { file, line, column } => {
                    assert!(file.ends_with(".toml") || file.starts_with("preset:"), "{file}");
                    assert!(*line >= 1 && *column >= 1);
                }
                Origin::Default(source) => assert!(!source.is_empty()),
                Origin::Set(argument) => panic!("nothing was set, but {argument}"),
            }
        }
    }
}

#[test]
fn lines_in_the_ledger_hold_their_values() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenes/");
    let scene = builtin("playground", &[]);
    let mut checked = 0;
    for row in scene.ledger.rows() {
        let Origin::File { file, line, column } = &row.origin else { continue };
        let path = format!("{root}{}", file.strip_prefix("built-in:").unwrap());
        let text = std::fs::read_to_string(path).unwrap();
        let line = text.lines().nth(*line as usize - 1).unwrap();
        let there: String = line.chars().skip(*column as usize - 1).collect();
        if row.value.starts_with('"') {
            assert!(there.starts_with(&row.value), "{row:?} against {there}");
            checked += 1;
        }
    }
    assert!(checked >= 40, "only {checked} rows were compared");
}

#[test]
fn defaults_are_recorded_with_their_source() {
    let scene = text(
        "[[robot]]\nshape = [{ kind = \"circle\", radius = 0.1 }]\n[[ball]]\n[[object]]\nmass = 1\nshape = [{ kind = \"circle\", radius = 0.1 }]",
    );
    let ledger = check(&scene, &[]).unwrap().ledger;
    for (key, value, unit, origin) in [
        ("sim.step_s", "0.001", "s", "default (ours)"),
        ("sim.gravity", "9.80665", "m/s2", "default (standard gravity)"),
        ("contact.restitution.ball_wall", "0.6", "1", "default (ours)"),
        ("robot.0.drive.mass", "0.352", "kg", "default (2001 paper)"),
        (
            "robot.0.drive.inertia",
            "0.00033",
            "kg m2",
            "default (ours: m b^2/6 of a cube; the 2001 paper's J is 25 times too small)",
        ),
        (
            "robot.0.drive.traction.mu_static",
            "0.8",
            "1",
            "default (ours: rubber on a painted board)",
        ),
        ("robot.0.shape.0.radius", "0.1", "m", "x.toml:2"),
        ("ball.0.radius", "0.02135", "m", "default (golf ball)"),
        ("ball.0.friction.deceleration", "0.1", "m/s2", "default (ours)"),
        ("object.0.inertia", "computed", "kg m2", "default (outline at uniform density)"),
        ("object.0.mass", "1", "kg", "x.toml:5"),
    ] {
        let row = ledger.find(key).unwrap_or_else(|| panic!("no row {key}"));
        assert_eq!(
            (row.value.as_str(), row.unit, row.origin.to_string().as_str()),
            (value, unit, origin),
            "{key}"
        );
    }
}

#[test]
fn a_swarm_is_recorded_once_whatever_its_size() {
    let rows = |sets: &[&str]| builtin("crowd", sets).ledger.rows().len();
    assert_eq!(rows(&["robots=10"]), rows(&["robots=500"]));
}
