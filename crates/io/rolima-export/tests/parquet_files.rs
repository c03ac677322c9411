//! Parquet files, read back.

use crate::recordings::{export, recording};
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use rolima_export::{Column, Parquet, TableSink};
use rolima_record::Options;

fn written(columns: &[Column], rows: u32) -> Vec<u8> {
    let mut bytes = vec![];
    let mut table = Parquet::new(&mut bytes, columns).expect("a table");
    for i in 0..rows {
        let value = 0.1 * f64::from(i);
        table.row(&[value, if i % 3 == 0 { f64::NAN } else { -value }]).expect("a row");
    }
    table.end().expect("an end");
    drop(table);
    bytes
}

#[test]
fn numbers_and_heads_read_back_over_all_groups_of_rows() {
    let columns = [Column::double("run_time", "s"), Column::single("robot.a.x", "m")];
    // More than a group.
    let bytes = written(&columns, 70_000);
    assert!(bytes == written(&columns, 70_000), "equal tables have equal bytes");
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("a file");
    let about = reader.metadata().file_metadata();
    assert_eq!((about.num_rows(), about.created_by()), (70_000, Some("rolima")));
    assert!(reader.num_row_groups() > 1);
    let names: Vec<&str> = about.schema().get_fields().iter().map(|field| field.name()).collect();
    assert_eq!(names, ["run_time [s]", "robot.a.x [m]"]);
    let mut count = 0;
    for (i, row) in reader.get_row_iter(None).expect("rows").enumerate() {
        let row = row.expect("a row");
        let fields: Vec<&Field> = row.get_column_iter().map(|(_, field)| field).collect();
        let expected = 0.1 * i as f64;
        assert_eq!(*fields[0], Field::Double(expected));
        match fields[1] {
            Field::Float(value) if i % 3 == 0 => assert!(value.is_nan()),
            Field::Float(value) => assert_eq!(*value, -expected as f32),
            other => panic!("{other:?}"),
        }
        count += 1;
    }
    assert_eq!(count, 70_000);
}

#[test]
fn a_recording_has_the_rows_of_its_samples() {
    let recording = recording(1.0, &Options::default());
    let export = export(&recording, "**");
    let mut bytes = vec![];
    let mut table = Parquet::new(&mut bytes, &export.columns(&recording)).expect("a table");
    let rows = export.write(&recording, &mut table, |_| true).expect("rows");
    drop(table);
    let reader = SerializedFileReader::new(bytes::Bytes::from(bytes)).expect("a file");
    let about = reader.metadata().file_metadata();
    assert_eq!(about.num_rows() as u64, rows);
    assert_eq!(about.schema().get_fields().len(), export.channels.len() + 1);
}
