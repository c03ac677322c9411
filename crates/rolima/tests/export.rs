//! `rolima export` on the command line.

use crate::common::{code_and_stderr, good};
use rolima_record::{Options, record};
use rolima_scene::{Source, load};
use rolima_testing::Folder;

/// A recording of a second of a match.
pub(crate) fn recorded(folder: &Folder, name: &str, options: &Options) -> String {
    let scene = Source::resolve("built-in:soccer").and_then(|source| load(&source, &[]));
    let scene = scene.expect("a scene");
    let mut bytes = vec![];
    record("soccer", &scene, 1.0, options, &mut bytes).expect("a recording");
    let path = folder.file(name);
    std::fs::write(&path, bytes).expect("a file");
    path.to_string_lossy().into_owned()
}

/// The state 100 times a second, to the bit.
pub(crate) fn fine() -> Options {
    Options { double: true, rate_hz: 100.0, ..Options::default() }
}

#[test]
fn a_recording_has_the_numbers_of_the_table_of_its_run() {
    let folder = Folder::new("export");
    let recording = recorded(&folder, "run.mcap", &fine());
    let tables = folder.file("tables").to_string_lossy().into_owned();
    let patterns = "robot.blue-1.x,robot.blue-1.heading,ball.ball.y";
    let said = good(&["export", &recording, "--csv", &tables, "--channels", patterns]);
    assert!(said.contains("channels.csv: 101 rows of 4 columns"), "{said}");
    assert!(said.contains("events.csv: "), "{said}");
    let exported = std::fs::read_to_string(folder.file("tables/channels.csv")).expect("a table");
    let run = ["run", "soccer", "--for", "1", "--every", "10", "--csv", "-"];
    let direct = good(&[&run[..], &["--channels", &format!("time,{patterns}")]].concat());
    let rest = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (exported, direct) = (rest(&exported), rest(&direct));
    assert_eq!(exported[0], direct[0].replacen("time [s]", "run_time [s]", 1));
    assert_eq!(exported.len(), direct.len());
    for (one, other) in exported[1..].iter().zip(&direct[1..]) {
        let ((at, numbers), (own_at, own)) =
            (one.split_once(',').expect("cells"), other.split_once(',').expect("cells"));
        assert_eq!(numbers, own, "equal digits");
        let seconds = |text: &str| text.parse::<f64>().expect("a time");
        assert!((seconds(at) - seconds(own_at)).abs() < 1e-9);
    }
    let (code, said) = code_and_stderr(&["export", &recording, "--csv", &tables]);
    assert!(code == Some(2) && said.contains("--force"), "{said}");
}

#[cfg(feature = "parquet")]
#[test]
fn a_parquet_file_is_one_and_is_equal_for_equal_recordings() {
    let folder = Folder::new("export-parquet");
    let files = ["a", "b"].map(|name| {
        let recording = recorded(&folder, &format!("{name}.mcap"), &Options::default());
        let out = folder.file(&format!("{name}.parquet")).to_string_lossy().into_owned();
        let said = good(&["export", &recording, "--parquet", &out, "--rate", "30"]);
        assert!(said.contains("31 rows of"), "{said}");
        std::fs::read(out).expect("a file")
    });
    assert!(files[0] == files[1]);
    assert!(files[0].starts_with(b"PAR1") && files[0].ends_with(b"PAR1"));
}

#[test]
fn bad_input_is_one_clear_sentence() {
    let folder = Folder::new("export-bad");
    let recording = recorded(&folder, "run.mcap", &Options::default());
    let tables = folder.file("tables").to_string_lossy().into_owned();
    let export = ["export", &recording, "--csv", &tables];
    for (more, expected) in [
        (
            &["--channels", "robot.green.**"][..],
            "got `robot.green.**`, which no name in the recording",
        ),
        (&["--rate", "1000"], "--rate 1000: there are 60 rows a second"),
        (&["--rate", "0"], "expected a number of rows a second above 0"),
        (&["--scene", "2"], "--scene 2: the recording has 1 scene"),
        (&["--start", "5"], "--start 5: "),
        (&["--parquet", "a.parquet"], "cannot be used with"),
    ] {
        let (code, said) = code_and_stderr(&[&export[..], more].concat());
        assert!(code == Some(2) && said.contains(expected), "{more:?}: {said}");
    }
    let (code, said) = code_and_stderr(&["export", &recording]);
    assert!(code == Some(2) && said.contains("--csv"), "{said}");
    let foreign = folder.file("foreign.mcap");
    std::fs::write(&foreign, "not a recording").expect("a file");
    let foreign = foreign.to_string_lossy().into_owned();
    let (code, said) = code_and_stderr(&["export", &foreign, "--csv", &tables]);
    assert!(code == Some(2) && said.contains("foreign.mcap"), "{said}");
}
