//! `rolima plan` and `rolima reproduce` on the command line.

mod common;

use common::{code_and_stderr, good, result};
use serde_json::Value;
use std::path::PathBuf;

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("rolima-nav-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder to write to");
    folder
}

#[test]
fn a_plan_has_coefficients_length_curvature_criterion_and_poses() {
    let svg = folder("plan").join("path.svg").to_string_lossy().into_owned();
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
fn bad_poses_are_told_by_name() {
    let told = |from: &str, to: &str| code_and_stderr(&["plan", "--from", from, "--to", to]);
    let (code, text) = told("0.1,0.2,30", "0.1,0.2,30");
    assert!(code == Some(2) && text.contains("coincident-poses"), "{text}");
    let (code, text) = told("nan,0,0", "1,0,0");
    assert!(code == Some(2) && text.contains("not-finite"), "{text}");
    let (code, text) = told("1,2", "1,0,0");
    assert!(code == Some(2) && text.contains("0.5,-0.2,90"), "{text}");
    let radius =
        ["plan", "--from", "0,0,0", "--to", "1,0,0", "--method", "dubins", "--radius", "0"];
    let (code, text) = code_and_stderr(&radius);
    assert!(code == Some(2) && text.contains("bad-limit"), "{text}");
}

#[test]
fn the_report_has_every_figure_with_claims_and_pictures() {
    let folder = folder("reproduce");
    let said = good(&["reproduce", "--json", "--out", &folder.to_string_lossy()]);
    let claims: Vec<Value> =
        said.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect();
    let page = std::fs::read_to_string(folder.join("index.html")).expect("a report");
    for figure in [
        "figure-4.2",
        "figure-4.3",
        "figure-4.4",
        "figure-4.5",
        "figure-4.6",
        "figure-5.4",
        "figure-5.5",
        "figure-5.8",
        "figure-5.9",
        "figure-6.5",
        "figure-6.6",
        "figure-6.7",
        "figure-13",
        "robot-one-10",
        "robot-one-13",
        "beyond-avoidance",
    ] {
        let own: Vec<&Value> = claims.iter().filter(|claim| claim["figure"] == figure).collect();
        assert!(!own.is_empty(), "{figure} has no claim");
        assert!(page.contains(&format!("id=\"{figure}\"")), "{figure} is not in the report");
        let pictures = std::fs::read_dir(&folder).unwrap().flatten();
        let has = pictures.into_iter().any(|p| p.file_name().to_string_lossy().starts_with(figure));
        assert!(has, "{figure} has no picture");
    }
    assert!(!page.contains("NaN"), "a number is none");
    // What nobody claimed anything of is not said to pass.
    let of = |figure: &str, verdict: &str| {
        let all = claims.iter().filter(|claim| claim["figure"] == figure);
        all.filter(|claim| claim["verdict"] == verdict).count()
    };
    assert_eq!((of("beyond-control", "pass"), of("beyond-control", "measured")), (2, 4));
    assert_eq!((of("beyond-estimation", "pass"), of("beyond-estimation", "measured")), (3, 15));
    assert_eq!(of("figure-5.8", "both shown") + of("figure-5.8", "pass"), 4);
    assert!(page.contains("class=\"measured\""));
    // One claim of the thesis does not hold on our data: that order 2 is best.
    let failed: Vec<&Value> = claims.iter().filter(|claim| claim["verdict"] == "fail").collect();
    assert!(failed.iter().all(|claim| claim["figure"] == "figure-4.4"), "{failed:?}");
    let alone = good(&["reproduce", "contacts", "--json", "--out", &folder.to_string_lossy()]);
    assert!(alone.lines().all(|line| line.contains("figure-13")));
}
