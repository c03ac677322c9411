//! `rolima compare` on the command line.

use crate::common::{code_and_stderr, good};
use crate::export::{fine, recorded};
use rolima_testing::Folder;
use serde_json::Value;
use std::fmt::Write;

fn written(folder: &Folder, name: &str, text: &str) -> String {
    let path = folder.file(name);
    std::fs::write(&path, text).expect("a file");
    path.to_string_lossy().into_owned()
}

fn compared(arguments: &[&str]) -> Value {
    let text = good(&[&["compare", "--json"], arguments].concat());
    serde_json::from_str(text.trim()).expect("a result")
}

fn number(value: &Value, path: &str) -> f64 {
    value.pointer(path).and_then(Value::as_f64).unwrap_or_else(|| panic!("{path} in {value}"))
}

#[test]
fn a_run_is_as_it_was_recorded_and_as_its_table_says() {
    let folder = Folder::new("compare-runs");
    let recording = recorded(&folder, "run.mcap", &fine());
    let table = folder.file("run.csv").to_string_lossy().into_owned();
    good(&["run", "soccer", "--for", "1", "--every", "10", "--csv", &table]);
    let result = compared(&[&recording, &table, "--body", "yellow-2"]);
    assert_eq!(result["reference"], recording.as_str());
    for path in ["path_by_time", "path_by_length", "signals/heading", "signals/speed.forward"] {
        let most = number(&result, &format!("/compared/0/{path}/maximum"));
        assert!(most < 1e-9, "{path}: {most}");
    }
    assert!(number(&result, "/compared/0/path_by_time/to") > 0.98);
    // Another seed drives elsewhere.
    let other = folder.file("other.csv").to_string_lossy().into_owned();
    good(&[
        "run",
        "soccer",
        "--for",
        "1",
        "--seed",
        "5",
        "--set",
        "driver=random",
        "--csv",
        &other,
    ]);
    let result = compared(&[&recording, &table, &other]);
    assert!(number(&result, "/compared/1/path_by_time/maximum") > 1e-3);
}

#[test]
fn measured_paths_differ_by_what_they_were_moved() {
    let folder = Folder::new("compare-paths");
    let (mut timed, mut bare, mut moved) = (String::new(), "# x y z\n".to_owned(), String::new());
    for i in 0..=100 {
        let (t, angle) = (0.1 * f64::from(i), 0.03 * f64::from(i));
        let (sin, cos) = rolima_math::sin_cos(angle);
        let (x, y) = (2.0 * cos, 2.0 * sin);
        let _ = writeln!(timed, "{t} {x} {y} 0.5");
        let _ = writeln!(moved, "{t};{};{y};0.9", x + 0.3);
        let _ = writeln!(bare, "{x}\t{y}\t0.5");
    }
    let [timed, moved, bare] = [("t.txt", timed), ("m.txt", moved), ("b.txt", bare)]
        .map(|(name, text)| written(&folder, name, &text));
    let out = folder.file("page").to_string_lossy().into_owned();
    let result = compared(&[&timed, &moved, &bare, "--out", &out]);
    for key in ["maximum", "rms", "end"] {
        let by_time = number(&result, &format!("/compared/0/path_by_time/{key}"));
        assert!((by_time - 0.5).abs() < 1e-9, "{key}: {by_time}");
        assert!(number(&result, &format!("/compared/1/path_by_length/{key}")) < 1e-9);
    }
    assert_eq!(result["compared"][1]["path_by_time"], Value::Null, "it has no times");
    let page = std::fs::read_to_string(folder.file("page/index.html")).expect("a page");
    assert!(
        page.contains("Paths over the ground") && page.contains("m.txt") && page.contains("0.5000")
    );
    for name in ["paths", "distance-by-time", "distance-by-length"] {
        let svg =
            std::fs::read_to_string(folder.file(&format!("page/{name}.svg"))).expect("a plot");
        assert!(svg.starts_with("<svg") && svg.contains("<polyline"), "{name}");
    }
    let told = good(&["compare", &timed, &moved]);
    assert!(told.contains("path by time") && told.contains("0.5000"), "{told}");
}

#[test]
fn bad_input_is_one_clear_sentence() {
    let folder = Folder::new("compare-bad");
    let good_path = written(&folder, "good.txt", "0 0 0 0\n1 1 0 0\n");
    let csv = written(&folder, "run.csv", "time [s],robot.a.x [m],robot.a.y [m]\n0,0,0\n1,1,0\n");
    for (name, text, expected) in [
        ("five.txt", "1 2 3 4 5\n", "five.txt:1: expected 3 numbers, x y z, or 4, t x y z"),
        ("mixed.txt", "0 1 2 3\n1 2 3\n", "mixed.txt:2: expected 4 numbers, t x y z"),
        ("word.txt", "0 1 2\n1 two 3\n", "word.txt:2: expected 3 numbers, x y z"),
        ("nan.txt", "0 1 2\n1 nan 3\n", "nan.txt:2: expected 3 numbers, x y z"),
        ("back.txt", "1 0 0 0\n0 1 1 1\n", "back.txt:2: expected a time that is not before"),
        ("empty.txt", "# nothing\n\n", "empty.txt: expected a recording"),
        ("head.csv", "a,b\n1,2\n", "head.csv:1: expected a head with a column `time`"),
        (
            "none.csv",
            "time,b\n1,2\n",
            "none.csv: expected --body to be one that it has places of (none)",
        ),
        ("row.csv", "time,robot.a.x,robot.a.y\n1,2\n", "row.csv:2: expected 3 cells"),
    ] {
        let bad = written(&folder, name, text);
        let (code, said) = code_and_stderr(&["compare", &good_path, &bad]);
        assert!(code == Some(2) && said.contains(expected), "{name}: {said}");
    }
    let (code, said) = code_and_stderr(&["compare", &good_path]);
    assert!(code == Some(2) && said.contains("RUN"), "{said}");
    let (code, said) = code_and_stderr(&["compare", &csv, &good_path, "--body", "b"]);
    assert!(code == Some(2) && said.contains("(robot.a), got b"), "{said}");
    let (code, said) = code_and_stderr(&["compare", &csv, &csv, "--channels", "x.**"]);
    assert!(code == Some(2) && said.contains("--channels: expected"), "{said}");
    let (code, said) = code_and_stderr(&["compare", &good_path, "nowhere.txt"]);
    assert!(code == Some(2) && said.contains("nowhere.txt: "), "{said}");
}
