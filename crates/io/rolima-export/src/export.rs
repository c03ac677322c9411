//! The tables of a recording: quantities over time, and events.

use crate::column::{Column, TableError, TableSink};
use crate::csv::quoted;
use rolima_record::{Recording, RunEvent, Samples};
use std::io::Write;

/// What is exported of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// Which scene, by its number in the recording.
    pub scene: usize,
    /// Numbers of its channels, in the order of the columns.
    pub channels: Vec<usize>,
    /// Rows a second at most; none: all that were recorded.
    pub rate_hz: Option<f64>,
    /// First and last run time, s.
    pub span_s: [f64; 2],
}

/// The rows of a recording, one after the other.
pub struct Rows {
    samples: Samples,
    /// The next row is that at this time or the first after it, s.
    next_s: f64,
    every_s: f64,
    row: Vec<f64>,
}

impl Export {
    /// The columns: the time of the run, then the channels.
    pub fn columns(&self, recording: &Recording) -> Vec<Column> {
        let mut columns = vec![Column::double("run_time", "s")];
        if let Some(scene) = recording.scenes().get(self.scene) {
            let known = self.channels.iter().filter_map(|&number| scene.channels.get(number));
            columns.extend(known.map(|channel| Column {
                name: channel.name.clone(),
                unit: channel.unit.clone(),
                is_double: scene.double,
            }));
        }
        columns
    }

    /// The rows, from the first on.
    pub fn rows(&self, recording: &Recording) -> Result<Rows, TableError> {
        let samples = recording.samples(self.scene, &self.channels, self.span_s)?;
        let every_s = self.rate_hz.map_or(0.0, |rate| 1.0 / rate);
        Ok(Rows { samples, next_s: f64::NEG_INFINITY, every_s, row: vec![] })
    }

    /// Writes all rows, and tells of the time of each, s, as long as that is answered with true. Returns how
    /// many there were.
    pub fn write(
        &self,
        recording: &Recording,
        table: &mut impl TableSink,
        mut at: impl FnMut(f64) -> bool,
    ) -> Result<u64, TableError> {
        let mut rows = self.rows(recording)?;
        let mut count = 0;
        while let Some(row) = rows.next()? {
            table.row(row)?;
            count += 1;
            if !at(row[0]) {
                return Err(TableError::Stopped);
            }
        }
        table.end()?;
        Ok(count)
    }
}

impl Rows {
    /// The next row, or none after the last.
    #[expect(clippy::should_implement_trait, reason = "a row is lent: its memory is used again")]
    pub fn next(&mut self) -> Result<Option<&[f64]>, TableError> {
        // Times are sums of steps: a little less than a whole one is meant to be it.
        const ROUNDING_S: f64 = 1e-9;
        while let Some(sample) = self.samples.next()? {
            let time_s = sample.time_s;
            if time_s + ROUNDING_S < self.next_s {
                continue;
            }
            if self.every_s > 0.0 {
                // On the grid that begins with the first row, so that times do not drift.
                let begin = if self.next_s.is_finite() { self.next_s } else { time_s };
                let passed = ((time_s + ROUNDING_S - begin) / self.every_s).floor();
                self.next_s = begin + (passed + 1.0) * self.every_s;
            }
            self.row.clear();
            self.row.push(time_s);
            self.row.extend_from_slice(sample.values);
            return Ok(Some(&self.row));
        }
        Ok(None)
    }
}

/// The columns of the table of events.
pub type Events = [&'static str; 9];

const EVENTS: Events =
    ["run_time [s]", "step", "kind", "text", "robot", "body", "other", "zone", "value"];

/// Writes what happened in a span of run time, s, as a table of text. Returns how many rows there were.
pub fn write_events(
    recording: &Recording,
    span_s: [f64; 2],
    mut out: impl Write,
) -> Result<u64, TableError> {
    writeln!(out, "{}", EVENTS.join(","))?;
    let mut count = 0;
    for event in recording.events(span_s) {
        writeln!(out, "{}", event_row(&event?))?;
        count += 1;
    }
    out.flush()?;
    Ok(count)
}

fn event_row(event: &RunEvent) -> String {
    let number = |number: Option<u32>| number.map_or_else(String::new, |n| n.to_string());
    let RunEvent { time_s, step, kind, text, robot, body, other, zone, value, .. } = event;
    let ids = [robot, body, other, zone].map(|id| number(*id)).join(",");
    format!("{time_s},{step},{},{},{ids},{value}", quoted(kind), quoted(text))
}
