//! A run as it is, in a file: a log that says of nothing but where it goes on.

use super::bundled::Known;
use super::line::{Entry, Header, LoggedEnd, put_end, put_entry, put_header};
use super::read::{LogError, LogLine, LogReader};
use super::replay::{ReplayStart, compiled};
use crate::live::session::Session;
use rolima_agents::Simulation;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

/// What a run goes on from.
pub struct SavedRun {
    /// Its scene, from the files that were saved with it.
    pub start: ReplayStart,
    /// What the scene was read from.
    pub header: Header,
    /// The simulation, and the same as it was saved.
    pub from: (Simulation, Arc<[u8]>),
}

impl SavedRun {
    /// The same with another seed of random numbers from there on, and other settings of its scene (`--set`),
    /// which may not change what bodies and sensors there are. An error is a sentence.
    pub fn changed(mut self, seed: Option<u64>, sets: &[String]) -> Result<Self, String> {
        if seed.is_none() && sets.is_empty() {
            return Ok(self);
        }
        let mut simulation = self.from.0;
        if !sets.is_empty() {
            let mut source = (*self.header.source).clone();
            source.sets.extend_from_slice(sets);
            let scene = source.load().map_err(|why| why.to_string())?;
            let model = Arc::new(scene.compile().map_err(|why| why.to_string())?);
            simulation =
                simulation.carry_over(Arc::clone(&model)).map_err(|why| why.to_string())?;
            self.header.source = Arc::new(scene.bundle);
            (self.header.model, self.header.step_s) = (model.fingerprint, model.step_s);
            self.start.model = model;
        }
        if let Some(seed) = seed {
            simulation.reseed(seed);
            (self.header.seed, self.start.seed) = (seed, seed);
        }
        let saved = simulation.save().into();
        Ok(Self { from: (simulation, saved), ..self })
    }
}

/// Writes a simulation with all files of its scene, which `header` has.
pub fn save_run(
    output: &mut impl Write,
    header: &Header,
    session: &Session,
) -> std::io::Result<()> {
    let saved: Arc<[u8]> = session.simulation().save().into();
    put_header(output, header)?;
    put_entry(output, 0, &Entry::Restore(saved), &mut Known::default())?;
    put_end(output, &LoggedEnd { steps: 0, state_hash: session.state_hash(), lost: 0 })?;
    output.flush()
}

/// Reads what [`save_run`] wrote.
pub fn open_saved(path: &Path) -> Result<SavedRun, LogError> {
    let mut reader = LogReader::open(path)?;
    let header = reader.header().clone();
    let (model, map) = compiled(&reader, &header.scene, &header.source, header.model)?;
    let saved = match reader.read()? {
        Some(LogLine::Entry(0, Entry::Restore(saved))) => saved,
        _ => {
            let expected = "a saved simulation (`rolima run --save FILE`)".to_owned();
            let got = "something else, such as a log of what was done: `rolima replay` takes it";
            return Err(reader.error((expected, got.to_owned())));
        }
    };
    let mut simulation = Simulation::new(model.clone());
    let not = |why: rolima_agents::RestoreError| {
        reader.error(("a saved simulation of the scene".to_owned(), why.to_string()))
    };
    simulation.restore(&saved).map_err(not)?;
    let whole = matches!(reader.read()?, Some(LogLine::End(end)) if end.state_hash == simulation.state_hash());
    if !whole {
        let got = "a part of it, or the hash of another state";
        return Err(reader.error(("the end of a saved simulation".to_owned(), got.to_owned())));
    }
    let seed = simulation.world().state().seed;
    let start = ReplayStart { name: header.scene.clone(), model, map, seed };
    Ok(SavedRun { start, header, from: (simulation, saved) })
}
