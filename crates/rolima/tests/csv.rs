//! `rolima run --csv` and `rolima channels`.

use crate::common::{code_and_stderr, good, output, stderr, stdout};
use rolima_testing::Folder;
use serde_json::Value;

/// A table: the names of its columns without units, and its rows.
fn table(text: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let mut lines = text.lines();
    let name = |head: &str| head.split(" [").next().unwrap_or_default().to_owned();
    let names: Vec<String> = lines.next().expect("heads").split(',').map(name).collect();
    let rows = lines.map(|line| line.split(',').map(|cell| cell.parse().expect(cell)).collect());
    (names, rows.collect())
}

/// The number that `--json` has for a channel of a robot, by its path.
fn told(robot: &Value, channel: &str) -> Option<f64> {
    let number = |key: &str, place: usize| robot[key][place].as_f64();
    match channel {
        "x" => number("pose", 0),
        "y" => number("pose", 1),
        "heading" => number("pose", 2),
        "velocity.x" => number("velocity", 0),
        "speed.left" => robot["speed_left"].as_f64(),
        "omega" => robot["omega"].as_f64(),
        "actuator.right.voltage" => number("volts", 0),
        "actuator.left.current" => number("amps", 1),
        "wheel.left.spin" => robot["wheels"][1]["spin"].as_f64(),
        "wheel.right.slip.forward" => robot["wheels"][0]["slip_velocity"][0].as_f64(),
        "wheel.3.load" => robot["wheels"][3]["load"].as_f64(),
        "wheel.2.force.left" => robot["wheels"][2]["force_left"].as_f64(),
        "wheel.1.slip.angle" => robot["wheels"][1]["slip_angle"].as_f64(),
        "z" => robot["height"].as_f64(),
        "pitch" => robot["pitch"].as_f64(),
        _ => None,
    }
}

#[test]
fn a_table_has_the_bits_of_the_run_that_json_tells() {
    for (scene, robot, least) in [("soccer", "blue-1", 9), ("hills", "rover", 10)] {
        let run = ["run", scene, "--for", "0.5"];
        let text = good(&[&run[..], &["--csv", "-", "--every", "100"]].concat());
        let (names, rows) = table(&text);
        assert_eq!(rows.len(), 6, "{scene}: at first, and five times");
        let json: Value =
            serde_json::from_str(good(&[&run[..], &["--json"]].concat()).trim()).expect("a result");
        let robots = json["robots"].as_array().expect("robots");
        let index = robots.iter().position(|r| r["name"] == robot).unwrap_or_default();
        let prefix = format!("robot.{}.", robots[index]["name"].as_str().expect("a name"));
        let mut compared = 0;
        for (name, value) in names.iter().zip(&rows[5]) {
            let Some(channel) = name.strip_prefix(&prefix) else { continue };
            if let Some(expected) = told(&robots[index], channel) {
                assert_eq!(value.to_bits(), expected.to_bits(), "{scene}: {name}");
                compared += 1;
            }
        }
        assert!(compared >= least, "{scene}: {compared} compared");
        let energy = names.iter().position(|name| name == "kinetic_energy").expect("energy");
        assert_eq!(Some(rows[5][energy]), json["kinetic_energy_j"].as_f64());
    }
}

#[test]
fn every_step_is_a_row_and_names_are_chosen_by_patterns() {
    let run = ["run", "soccer", "--for", "0.05", "--csv", "-", "--channels"];
    let text = good(&[&run[..], &["time,robot.blue-*.x, ball.*.velocity.*"]].concat());
    let (names, rows) = table(&text);
    assert_eq!(rows.len(), 51);
    assert_eq!(names[0], "time");
    let expected = ["time", "robot.blue-1.x", "robot.blue-2.x", "robot.blue-3.x"];
    assert_eq!(names[..4], expected);
    assert_eq!(names[4..], ["ball.ball.velocity.x", "ball.ball.velocity.y"]);
    for (i, row) in rows.iter().enumerate() {
        assert!((row[0] - 1e-3 * i as f64).abs() < 1e-12, "no step is left out");
    }
    let (code, said) = code_and_stderr(&[&run[..], &["robot.green-1.x"]].concat());
    assert_eq!(code, Some(2));
    assert!(said.contains("got `robot.green-1.x`") && said.contains("rolima channels"), "{said}");
}

#[test]
fn a_table_is_not_written_over_without_force() {
    let folder = Folder::new("csv");
    let file = folder.file("run.csv");
    let path = file.to_str().expect("a path");
    let run = ["run", "soccer", "--for", "0.01", "--csv", path];
    good(&run);
    let first = std::fs::read(&file).expect("a file");
    let refused = output(&run);
    assert_eq!(refused.status.code(), Some(2), "{}", stderr(&refused));
    assert!(stderr(&refused).contains("--force"), "{}", stderr(&refused));
    assert_eq!(std::fs::read(&file).expect("a file"), first);
    let again = output(&[&run[..], &["--force"]].concat());
    assert!(again.status.success(), "{}", stderr(&again));
    assert_eq!(std::fs::read(&file).expect("a file"), first, "the same bits");
}

#[test]
fn channels_are_listed_once_each_with_units_on_any_ground() {
    for scene in ["soccer", "hills", "things", "maze", "realistic"] {
        let listed = good(&["channels", scene, "--json"]);
        let listed: Value = serde_json::from_str(listed.trim()).expect("a list");
        let channels = listed["channels"].as_array().expect("channels");
        let mut names: Vec<&str> =
            channels.iter().map(|channel| channel["name"].as_str().expect("a name")).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count, "{scene}: a name stands twice");
        let x = channels
            .iter()
            .find(|channel| channel["name"].as_str().is_some_and(|name| name.ends_with(".x")));
        assert_eq!(x.expect("a position")["unit"], "m");
    }
    let told = stdout(&output(&["channels", "maze", "--channels", "robot.*.sensor.gps.*"]));
    assert_eq!(told.lines().count(), 4, "{told}");
    assert!(told.contains("heading of the compass"), "{told}");
}

/// Source files of the repository that have some text.
fn files_with(text: &str) -> Vec<String> {
    let root = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).canonicalize();
    let root = root.expect("the repository");
    let mut found = vec![];
    let mut folders: Vec<_> =
        ["crates", "viewer/src", "viewer/tests", "clients", "xtask"].map(|f| root.join(f)).into();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("it")) {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read_to_string(&path).is_ok_and(|all| all.contains(text)) {
                let own = path.strip_prefix(&root).expect("within");
                found.push(own.display().to_string());
            }
        }
    }
    found.sort();
    found
}

/// One row in one file makes a quantity, and it comes out everywhere: the example of CONTRIBUTING.md.
#[test]
fn the_example_of_a_quantity_is_one_row_that_comes_out_by_its_name() {
    let document = include_str!("../../../CONTRIBUTING.md");
    let section = document.split("**A quantity.**").nth(1).expect("how to add one");
    let row = section.split("```rust\n").nth(1).expect("an example").split("```").next();
    let without_spaces =
        |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    let row = without_spaces(row.expect("its end"));
    let file = "crates/core/rolima-core/src/schema/robots.rs";
    assert!(section.split("**A scene.**").next().is_some_and(|how| how.contains(file)));
    let source = include_str!("../../core/rolima-core/src/schema/robots.rs");
    assert!(without_spaces(source).contains(&row), "{row}");
    // No other file knows it: not even this one, which has the name from the document.
    let name = row.split('"').nth(1).expect("a name").to_owned();
    assert_eq!(files_with(&name), [file]);

    let pattern = format!("robot.blue-1.actuator.*.{name}");
    let listed = good(&["channels", "soccer", "--channels", &pattern]);
    assert_eq!(listed.lines().count(), 3, "{listed}");
    assert!(listed.lines().skip(1).all(|line| line.contains(" W ")), "{listed}");

    let run = ["run", "soccer", "--for", "0.3", "--channels", &pattern];
    let text = good(&[&run[..], &["--csv", "-", "--every", "300"]].concat());
    let (names, rows) = table(&text);
    let ends: Vec<String> =
        ["right", "left"].map(|side| format!("robot.blue-1.actuator.{side}.{name}")).into();
    assert_eq!((names, rows.len()), (ends, 2));
    assert!(text.lines().next().is_some_and(|heads| heads.matches(" [W]").count() == 2));
    let json: Value =
        serde_json::from_str(good(&[&run[..], &["--json"]].concat()).trim()).expect("a result");
    let robot = &json["robots"][0];
    for (i, side) in ["right", "left"].into_iter().enumerate() {
        let number = |key: &str| robot[key][i].as_f64().expect("a number");
        let expected = number("volts") * number("amps");
        assert!(expected != 0.0);
        let told = &json["channels"][format!("robot.blue-1.actuator.{side}.{name}")];
        assert_eq!((told.as_f64(), rows[1][i]), (Some(expected), expected));
    }
}

#[test]
fn sensors_of_the_world_are_described_and_told_as_json_and_as_columns() {
    let run = ["run", "watched", "--for", "0.25"];
    let text = good(&[&run[..], &["--json"]].concat());
    let json: Value = serde_json::from_str(text.trim()).expect("a result");
    let wall = json["sensors"]["wall"].as_array().expect("a list");
    assert_eq!((wall.len(), json["sensors"]["overhead"].as_array().map(Vec::len)), (61, Some(1)));
    let more = ["--csv", "-", "--channels", "sensor.wall.*.*", "--every", "250"];
    let (names, rows) = table(&good(&[&run[..], &more].concat()));
    let own: Vec<usize> = (0..names.len()).filter(|&i| names[i].starts_with("sensor.")).collect();
    assert_eq!((own.len(), names[own[60]].as_str()), (61, "sensor.wall.distance.60"));
    let last = rows.last().expect("a row");
    for (told, column) in wall.iter().zip(own) {
        assert_eq!(told.as_f64().map(f64::to_bits), Some(last[column].to_bits()));
    }
    let described = good(&["describe", "watched"]);
    assert!(described.contains("sensor.0.opening_deg") && described.contains("sensor.1.beams"));
}
