//! Recordings as tables.

use rolima_export::{Csv, Export, write_events};
use rolima_record::{Options, Recording, record};
use rolima_scene::{Source, load};

/// A match of so many seconds.
pub(crate) fn recording(seconds: f64, options: &Options) -> Recording {
    let scene = Source::resolve("built-in:soccer").and_then(|source| load(&source, &[]));
    let scene = scene.expect("a scene");
    let mut bytes = vec![];
    record("soccer", &scene, seconds, options, &mut bytes).expect("a recording");
    Recording::from_bytes("soccer.mcap", bytes.into()).expect("a recording")
}

/// All channels of a name's pattern, over all of the time.
pub(crate) fn export(recording: &Recording, patterns: &str) -> Export {
    let channels = recording.scenes()[0].find(patterns);
    Export { scene: 0, channels, rate_hz: None, span_s: recording.span_s() }
}

fn table(recording: &Recording, export: &Export) -> (String, Vec<Vec<f64>>) {
    let mut bytes = vec![];
    let mut csv = Csv::new(&mut bytes, &export.columns(recording)).expect("a table");
    let count = export.write(recording, &mut csv, |_| true).expect("rows");
    drop(csv);
    let text = String::from_utf8(bytes).expect("text");
    let mut lines = text.lines();
    let head = lines.next().expect("a head").to_owned();
    let rows: Vec<Vec<f64>> =
        lines.map(|line| line.split(',').map(|cell| cell.parse().expect(cell)).collect()).collect();
    assert_eq!(rows.len() as u64, count);
    (head, rows)
}

#[test]
fn every_sample_is_a_row_with_its_time_and_the_numbers_that_were_recorded() {
    for double in [false, true] {
        let recording = recording(2.0, &Options { double, ..Options::default() });
        let export = export(&recording, "robot.blue-*.x,ball.ball.y");
        let (head, rows) = table(&recording, &export);
        assert_eq!(
            head,
            "run_time [s],robot.blue-1.x [m],robot.blue-2.x [m],robot.blue-3.x [m],ball.ball.y [m]"
        );
        let span_s = recording.span_s();
        let mut samples = recording.samples(0, &export.channels, span_s).expect("samples");
        let mut compared = 0;
        for row in &rows {
            let sample = samples.next().expect("a sample").expect("as many as rows");
            assert_eq!(row[0], sample.time_s);
            for (read, recorded) in row[1..].iter().zip(sample.values) {
                // The fewest digits of 32 bits read back to those 32 bits.
                let read = if double { *read } else { f64::from(*read as f32) };
                assert_eq!(read.to_bits(), recorded.to_bits());
                compared += 1;
            }
        }
        assert!(samples.next().expect("an end").is_none());
        assert!(rows.len() >= 120 && compared == 4 * rows.len(), "{}", rows.len());
    }
}

/// A second of a recording is in memory at a time, however long it is.
#[test]
fn the_length_of_a_recording_takes_no_memory() {
    let options = Options { channels: Some("time,robot.*.x".to_owned()), ..Options::default() };
    let held = |seconds: f64| {
        let recording = recording(seconds, &options);
        let export = export(&recording, "**");
        let mut rows = 0;
        let told = rolima_testing::heap::allocations(|| {
            let mut csv = Csv::new(std::io::sink(), &export.columns(&recording)).expect("a table");
            rows = export.write(&recording, &mut csv, |_| true).expect("rows");
        });
        (rows, told.most_held)
    };
    let ((few, of_few), (many, of_many)) = (held(15.0), held(150.0));
    assert!(many > 9 * few, "{few} and {many} rows");
    assert!(of_many < of_few + of_few / 4, "{of_few} bytes for {few} rows, {of_many} for {many}");
}

#[test]
fn rows_are_thinned_out_on_a_grid_that_does_not_drift() {
    let recording = recording(3.0, &Options::default());
    let all = export(&recording, "time");
    let (_, every) = table(&recording, &all);
    let long_s = every[every.len() - 1][0] - every[0][0];
    for rate in [1.0, 7.0, 20.0] {
        let (_, rows) = table(&recording, &Export { rate_hz: Some(rate), ..all.clone() });
        let expected = 1 + ((long_s + 1e-9) * rate).floor() as usize;
        assert!(rows.len().abs_diff(expected) <= 1, "{rate}: {} rows, not {expected}", rows.len());
        for (i, row) in rows.iter().enumerate() {
            let off = row[0] - rows[0][0] - i as f64 / rate;
            assert!((-1e-6..1.0 / 60.0 + 1e-3).contains(&off), "{rate}: row {i} is {off} s late");
        }
    }
    let late = Export { span_s: [1.0, 1.5], ..all };
    let (_, rows) = table(&recording, &late);
    let is_within = |row: &Vec<f64>| (1.0..=1.5).contains(&row[0]);
    assert!(rows.len() >= 29 && rows.iter().all(is_within), "{}", rows.len());
}

#[test]
fn events_are_a_table_of_their_own() {
    let recording = recording(3.0, &Options::default());
    let mut bytes = vec![];
    let count = write_events(&recording, recording.span_s(), &mut bytes).expect("events");
    let text = String::from_utf8(bytes).expect("text");
    assert!(text.starts_with("run_time [s],step,kind,text,robot,body,other,zone,value\n"));
    assert_eq!(text.lines().count() as u64, count + 1);
    assert_eq!(recording.events(recording.span_s()).count() as u64, count);
    assert!(count > 0, "robots that chase a ball run into it");
}
