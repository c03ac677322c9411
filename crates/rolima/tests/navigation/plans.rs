//! What a plan says, in words, numbers and a picture.

use super::pictures::{drawn, is_within_frame};
use crate::common::{good, result};
use rolima_testing::Folder;
use serde_json::Value;

#[test]
fn a_plan_has_coefficients_length_curvature_criterion_and_poses() {
    let folder = Folder::new("plan");
    let svg = folder.file("path.svg").to_string_lossy().into_owned();
    let found = result(&["plan", "--from", "0,0,0", "--to", "0.5,0.5,50", "--svg", &svg]);
    assert_eq!(found["method"], "cubic");
    assert_eq!(found["criterion"]["feasible"], true);
    assert_eq!(found["criterion"]["met"], true);
    let leg = &found["legs"][0];
    // x and y at l = 1 are the goal.
    for (key, goal) in [("a", 0.5), ("b", 0.5)] {
        let sum: f64 = leg[key].as_array().unwrap().iter().filter_map(Value::as_f64).sum();
        assert!((sum - goal).abs() < 1e-12);
    }
    let length = found["length_m"].as_f64().unwrap();
    assert!(length > 0.7 && length < 0.8, "{length}");
    // It bends to the left, and back at the end: bounds on both sides, which the samples keep.
    let most = found["curvature_most_per_m"].as_f64().unwrap();
    let [low, high] = [0, 1].map(|i| found["curvature_bounds_per_m"][i].as_f64().unwrap());
    assert!((low + 2.2638).abs() < 1e-3 && (high - 3.4352).abs() < 1e-3 && high == most);
    let bends = found["samples"].as_array().unwrap().iter();
    let mut bends = bends.map(|sample| sample["curvature_per_m"].as_f64().unwrap());
    assert!(bends.all(|bend| bend >= low && bend <= high));
    let samples = found["samples"].as_array().unwrap();
    assert_eq!(samples.len(), 33);
    assert!((samples[32]["heading_deg"].as_f64().unwrap() - 50.0).abs() < 1e-9);
    assert!((samples[32]["way_m"].as_f64().unwrap() - length).abs() < 1e-9);
    let picture = std::fs::read_to_string(&svg).unwrap();
    assert!(picture.starts_with("<svg") && picture.contains("polyline"));
}

#[test]
fn every_method_plans_and_says_what_became_of_the_criterion() {
    let methods =
        ["cubic", "gentle", "printed", "quadratic", "turn", "bounded", "dubins", "reeds-shepp"];
    for method in methods {
        let arguments =
            ["plan", "--from", "-0.3,0.1,20", "--to", "0.4,-0.2,-100", "--method", method];
        let found = result(&[&arguments[..], &["--samples", "1001"]].concat());
        assert_eq!(found["method"], method);
        let last = found["samples"].as_array().and_then(|all| all.last()).unwrap().clone();
        assert!((last["x"].as_f64().unwrap() - 0.4).abs() < 1e-9, "{method}");
        assert!(found["criterion"]["x"]["feasible"].is_boolean());
        is_met_as_sampled(&found, method);
        assert!(good(&arguments).contains("no extremum in y"));
    }
    let behind = result(&["plan", "--from", "0,0,180", "--to", "1,0,180"]);
    assert_eq!(behind["note"], "divided by an intermediate pose");
    assert_eq!(behind["criterion"]["x"]["relaxed"], "infeasible");
}

/// What is said of the criterion is what the sampled poses show.
fn is_met_as_sampled(found: &Value, what: &str) {
    let samples = found["samples"].as_array().expect("samples");
    for axis in ["x", "y"] {
        let places: Vec<f64> =
            samples.iter().map(|at| at[axis].as_f64().expect("a number")).collect();
        let steps = || places.windows(2).map(|pair| pair[1] - pair[0]);
        let turns_back = steps().any(|way| way > 1e-6) && steps().any(|way| way < -1e-6);
        assert_eq!(found["criterion"][axis]["met"], !turns_back, "{what} {axis}");
    }
}

#[test]
fn arcs_that_turn_back_do_not_meet_the_criterion() {
    for method in ["dubins", "bounded", "reeds-shepp", "turn", "cubic"] {
        for to in ["0.5,0.5,0", "0.3,-0.4,135", "-0.2,0.6,-60", "0.7,0.05,-170"] {
            let samples = ["--samples", "1001"];
            let arguments = ["plan", "--from", "0,0,180", "--to", to, "--method", method];
            let found = result(&[&arguments[..], &samples].concat());
            is_met_as_sampled(&found, &format!("{method} to {to}"));
        }
    }
}

#[test]
fn the_printed_curve_is_planned_as_printed_and_says_what_it_loses() {
    for (to, off) in [("0.5,0.5,50", "31.65"), ("0.5,0.5,0", "71.57"), ("0.5,0.5,-50", "79.48")] {
        let arguments = ["plan", "--from", "0,0,0", "--to", to, "--method", "printed"];
        let found = result(&arguments);
        let legs = found["legs"].as_array().expect("legs");
        assert_eq!((&legs[0]["kind"], &legs[1]["kind"]), (&"turn".into(), &"cubic".into()));
        // (a1, a2) = (0, dx), as the thesis has it.
        assert_eq!((&legs[1]["a"][1], &legs[1]["a"][2]), (&0.0.into(), &0.5.into()));
        let note = found["note"].as_str().expect("a note");
        let told = format!("leaves {off} degrees to the left of the first heading");
        assert!(note.contains(&told) && good(&arguments).contains(&told), "{note}");
    }
    let parabola = ["plan", "--from", "0,0,0", "--to", "0.5,0.5,-50", "--method", "quadratic"];
    let note = result(&parabola)["note"].clone();
    assert!(note.as_str().is_some_and(|n| n.contains("arrives against the last")), "{note}");
    let none = ["plan", "--from", "0,0,0", "--to", "0,0.5,10", "--method", "printed"];
    let note = result(&none)["note"].clone();
    assert!(note.as_str().is_some_and(|n| n.starts_with("cubic instead:")), "{note}");
}

#[test]
fn people_read_of_radii_sides_and_the_criterion_in_words_that_make_sense() {
    let of =
        |to: &str, method: &str| good(&["plan", "--from", "0,0,0", "--to", to, "--method", method]);
    let arcs = of("0.3,0.1,180", "reeds-shepp");
    assert!(arcs.contains("to the right, radius 0.1000 m") && !arcs.contains("-0.1"), "{arcs}");
    let turn = of("0.5,0.5,-50", "turn");
    assert!(turn.contains("no single curve can meet it, but this path does"), "{turn}");
    assert!(turn.contains("largest curvature  none"), "{turn}");
    assert!(of("0.5,0.5,50", "cubic").contains("can be met, and is\n"));
}

#[test]
fn a_drawn_plan_has_room_for_both_robots() {
    let folder = Folder::new("robots");
    for (i, to) in ["0.05,0.05,225", "0.3,0,0", "0.001,0.2,90", "2,1,30"].into_iter().enumerate() {
        let svg = folder.join(format!("{i}.svg")).to_string_lossy().into_owned();
        good(&["plan", "--from", "0,0,45", "--to", to, "--svg", &svg]);
        let picture = std::fs::read_to_string(&svg).unwrap();
        // The rectangle between both poses, and both robots.
        let outlines = drawn(&picture, "polygon");
        assert_eq!(outlines.len(), 3);
        assert!(outlines.iter().all(|points| is_within_frame(&picture, points)), "{to}");
    }
}
