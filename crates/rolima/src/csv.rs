//! `rolima run SCENE --csv FILE`: quantities by name, a row every so often, none skipped; and
//! `rolima channels SCENE`, which lists them.
//!
//! Nobody takes part and nobody looks: the run waits for the file, and is that of `rolima run SCENE
//! --headless`, to the bit.

use crate::begin::Beginning;
use crate::cli::{ChannelsArguments, RunArguments};
use crate::{samples, scene};
use anyhow::Result;
use rolima_console::channels::choose;
use rolima_console::failure::{say, tell};
use rolima_console::files::create;
use rolima_console::summary::{Ended, for_people};
use rolima_console::text::columns;
use rolima_core::{Channel, Schema};
use rolima_export::{Column, Csv, TableError, TableSink};
use rolima_run::live::Session;
use serde_json::json;
use std::io::{BufWriter, Write, stdout};
use std::path::Path;

/// Lists the channels of a scene.
pub(crate) fn channels(arguments: &ChannelsArguments) -> Result<()> {
    let model = scene::open(&arguments.scene)?.model;
    let schema = Schema::new(&model);
    let chosen = choose("--channels", &schema, arguments.channels.as_deref())?;
    let told = chosen.iter().map(|&i| &schema.channels()[i]);
    if arguments.json {
        // JSON has no infinity: an open end is null.
        let end = |end: f64| end.is_finite().then_some(end);
        let one = |channel: &Channel| {
            let Channel { name, unit, meaning, range } = channel;
            json!({ "name": name, "unit": unit, "meaning": meaning, "range": range.map(end) })
        };
        return Ok(say(&json!({ "channels": told.map(one).collect::<Vec<_>>() }).to_string())?);
    }
    let row = |channel: &Channel| {
        vec![channel.name.clone(), channel.unit.to_owned(), channel.meaning.to_owned()]
    };
    let head = vec!["channel".to_owned(), "unit".to_owned(), "meaning".to_owned()];
    let rows: Vec<_> = [head].into_iter().chain(told.map(row)).collect();
    columns(&rows).iter().try_for_each(|line| Ok(say(line)?))
}

/// Runs a scene and writes a row at its first instant and every so often.
pub(crate) fn run(arguments: &RunArguments, file: &Path, beginning: Beginning) -> Result<()> {
    let model = &beginning.model;
    let schema = Schema::new(model);
    let chosen = choose("--channels", &schema, arguments.channels.as_deref())?;
    let mut table = Table::create(file, arguments.live.force, schema, chosen)?;
    let every = arguments.every.unwrap_or(1);
    let (session, report) =
        samples::steps_by(arguments, every, &beginning, |session| table.row(session))?;
    let rows = table.finish()?;
    // On standard output stands the table, if there.
    let ended = Ended { session: &session, report: &report, live: false };
    for_people(&ended).lines().for_each(tell);
    tell(&format!("{rows} rows in {}", file.display()));
    samples::end(arguments, &beginning, &session)
}

/// A file that is written row by row.
struct Table {
    out: Csv<BufWriter<Box<dyn Write>>>,
    name: String,
    schema: Schema,
    chosen: Vec<usize>,
    values: Vec<f64>,
    row: Vec<f64>,
    rows: u64,
}

impl Table {
    /// Writes the heads of the columns: `-` is standard output. An old file is lost by `force` only.
    fn create(file: &Path, force: bool, schema: Schema, chosen: Vec<usize>) -> Result<Self> {
        let name = file.display().to_string();
        let out: Box<dyn Write> =
            if name == "-" { Box::new(stdout()) } else { Box::new(create(file, force)?) };
        let column = |&i: &usize| {
            let Channel { name, unit, .. } = &schema.channels()[i];
            Column::double(name, unit)
        };
        let columns: Vec<Column> = chosen.iter().map(column).collect();
        let out = Csv::new(BufWriter::new(out), &columns).map_err(|error| broken(error, &name))?;
        Ok(Self { out, name, schema, chosen, values: vec![], row: vec![], rows: 0 })
    }

    fn row(&mut self, session: &Session) -> Result<()> {
        session.read_channels(&self.schema, &mut self.values);
        self.row.clear();
        self.row.extend(self.chosen.iter().map(|&i| self.values[i]));
        self.rows += 1;
        self.out.row(&self.row).map_err(|error| broken(error, &self.name))
    }

    /// How many rows there are.
    fn finish(mut self) -> Result<u64> {
        self.out.end().map_err(|error| broken(error, &self.name))?;
        Ok(self.rows)
    }
}

/// Why the table is not written: a reader that has read enough is known by its error of the system.
fn broken(error: TableError, name: &str) -> anyhow::Error {
    let error: anyhow::Error = match error {
        TableError::File(error) => error.into(),
        other => anyhow::Error::from(other),
    };
    error.context(format!("{name} cannot be written"))
}
