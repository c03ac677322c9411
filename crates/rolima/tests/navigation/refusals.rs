//! Plans that cannot be, and command lines that are odd.

use crate::common::{code_and_stderr, output, result, stderr, stdout};
use rolima_testing::Folder;

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
    let radius =
        ["plan", "--from", "0,0,0", "--to", "1,0,0", "--method", "dubins", "--radius", "1e12"];
    let (code, text) = code_and_stderr(&radius);
    assert!(code == Some(2) && text.contains("radius-out-of-scale"), "{text}");
    // A turn on the spot is a path, if there is anything to turn.
    let turn = ["plan", "--from", "0,0,0", "--to", "0,0,90", "--method", "turn"];
    assert_eq!(result(&turn)["legs"].as_array().map(Vec::len), Some(1));
}

#[test]
fn what_is_refused_is_told_with_option_expected_and_got() {
    let told = |more: &[&str]| {
        let poses = ["plan", "--from", "0,0,0", "--to", "1,0,0"];
        code_and_stderr(&[&poses, more].concat())
    };
    for (more, words) in [
        (
            &["--method", "dubins", "--radius", "-1"][..],
            "invalid value '-1' for '--radius <METRES>'",
        ),
        (&["--method", "dubins", "--radius=-1"], "expected metres above zero"),
        (&["--method", "bounded", "--radius", "nan"], "'nan' for '--radius <METRES>': expected"),
        (&["--method", "bounded", "--radius", "1e12"], "--radius: expected a radius less than"),
        (
            &["--method", "reeds-shepp", "--radius", "1e-12"],
            "got 1e-12 from 0,0,0 to 1,0,0 (radius",
        ),
        (&["--radius", "0.5"], "expected --method bounded, dubins or reeds-shepp with it, got 0.5"),
        (&["--method", "turn", "--radius", "0.1"], "got 0.1 with --method turn"),
        (&["--samples", "-1"], "'-1' for '--samples <N>'"),
        (&["--svg", "/nowhere/at/all.svg"], "--svg: expected a file that can be written, got `/no"),
    ] {
        let (code, text) = told(more);
        // A file is not the command line's fault.
        let is_file = more[0] == "--svg";
        assert_eq!(code, Some(if is_file { 1 } else { 2 }), "{more:?}: {text}");
        assert!(text.contains(words), "{more:?}: {text}");
    }
    let to = |to: &str| code_and_stderr(&["plan", "--from", "0.1,0.2,30", "--to", to]).1;
    let same = to("0.1,0.2,90");
    let words = "--to: expected another position than that of 0.1,0.2,30, got 0.1,0.2,90";
    assert!(same.contains(words), "{same}");
    let far = to("1e300,0,0");
    assert!(far.contains("'1e300,0,0' for '--to <X,Y,DEG>': expected finite"), "{far}");
    let heading = to("1,0,1e300");
    assert!(heading.contains("within 1e12 m and 1e6 degrees"), "{heading}");
    // Numbers below zero are numbers, with a sign of equality or without.
    for from in [&["--from=-1,-2,-90"][..], &["--from", "-1,-2,-90"]] {
        let found = result(&[&["plan", "--to", "-0.5,0,0"], from].concat());
        assert_eq!(found["from"]["x"], -1.0);
        assert!((found["from"]["heading_deg"].as_f64().unwrap() + 90.0).abs() < 1e-9);
    }
    // The radius is heeded where there is one, and 0.1 m where none is given.
    for (more, radius) in [(&["--radius", "0.25"][..], 0.25), (&[], 0.1)] {
        let arcs = ["plan", "--from", "0,0,0", "--to", "0,1,180", "--method", "dubins"];
        let found = result(&[&arcs, more].concat());
        let bend = found["curvature_most_per_m"].as_f64().unwrap();
        assert!((bend * radius - 1.0).abs() < 1e-9, "{bend}");
    }
}

/// Whether a text has a number that is none: as words, as `infeasible` is a good one.
fn has_no_number(text: &str) -> bool {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .map(str::to_ascii_lowercase)
        .any(|word| matches!(word.as_str(), "nan" | "inf" | "infinity"))
}

#[test]
fn odd_command_lines_are_answered_or_refused_and_nothing_is_nan() {
    let numbers = [
        "0",
        "-0",
        "1",
        "-1",
        "+2",
        "1e-10",
        "-1e-9",
        "3e-9",
        "1e-300",
        "5e-324",
        "1e8",
        "-9e11",
        "1e12",
        "1e300",
        "1e400",
        "nan",
        "-nan",
        "inf",
        "-inf",
        "90",
        "-180",
        "359.9999999",
        "1e6",
        "1e7",
        "",
        " ",
        "x",
        "0x10",
        "1_0",
        "--json",
        "½",
    ];
    let methods =
        ["cubic", "gentle", "printed", "quadratic", "turn", "bounded", "dubins", "reeds-shepp"];
    let folder = Folder::new("odd");
    let svg = folder.file("odd.svg");
    let mut codes = [0; 3];
    let mut look = |arguments: &[&str], odd: &str| {
        let _ = std::fs::remove_file(&svg);
        let path = svg.to_string_lossy();
        let output = output(&[arguments, &["--svg", &path]].concat());
        let (said, told) = (stdout(&output), stderr(&output));
        assert!(!told.contains("panicked"), "{arguments:?}: {told}");
        match output.status.code() {
            Some(0) => {
                let drawn = std::fs::read_to_string(&svg).expect("a picture");
                assert!(!said.is_empty() && !has_no_number(&said), "{arguments:?}: {said}");
                assert!(!has_no_number(&drawn), "{arguments:?}: {drawn}");
                codes[0] += 1;
            }
            Some(2) => {
                let is_told = told.contains("--") && told.contains("expected");
                assert!(is_told && told.contains(odd.trim()), "{arguments:?}: {told}");
                assert!(said.is_empty(), "{arguments:?}: {said}");
                codes[2] += 1;
            }
            code => panic!("{arguments:?}: {code:?} {told}"),
        }
    };
    for (i, odd) in numbers.iter().enumerate() {
        for (j, method) in methods.iter().enumerate() {
            let json: &[&str] = if (i + j) % 2 == 0 { &["--json"] } else { &[] };
            for to in [format!("{odd},0.5,30"), format!("0.5,{odd},-120"), format!("0.5,0.2,{odd}")]
            {
                let arguments = ["plan", "--from", "0,0,0", "--to", &to, "--method", method];
                look(&[&arguments, json].concat(), odd);
            }
        }
        for method in &methods[5..] {
            let to = ["plan", "--from=0,0,0", "--to=0.3,0.1,180", "--method", method];
            look(&[&to[..], &["--radius", odd]].concat(), odd);
        }
        let both = format!("{odd},{odd},{odd}");
        look(&["plan", "--from", &both, "--to", &both, "--json"], odd);
    }
    let [good, _, refused] = codes;
    assert!(good > 100 && refused > 100, "{good} answered, {refused} refused");
}
