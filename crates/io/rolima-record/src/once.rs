//! A recording without a live loop: for tests, benchmarks and programs of one's own.

use crate::error::RecordError;
use crate::options::Options;
use crate::recorder::FileRecorder;
use rolima_run::Speed;
use rolima_run::live::log::Header;
use rolima_run::live::{Live, RecordSummary, Setup};
use rolima_scene::Scene;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Records a scene for so much simulated time, s, as fast as it goes, into memory.
pub fn record(
    name: &str,
    scene: &Scene,
    seconds: f64,
    options: &Options,
    output: &mut Vec<u8>,
) -> Result<RecordSummary, RecordError> {
    let memory = Memory::default();
    let summary = record_into(name, scene, seconds, options, memory.clone())?;
    output.append(&mut memory.0.lock().unwrap_or_else(PoisonError::into_inner));
    Ok(summary)
}

/// The same into some output.
pub fn record_into(
    name: &str,
    scene: &Scene,
    seconds: f64,
    options: &Options,
    output: impl Write + Send + 'static,
) -> Result<RecordSummary, RecordError> {
    let failed =
        |why: String| RecordError::File { file: name.to_owned(), source: io::Error::other(why) };
    let model = Arc::new(scene.compile().map_err(|why| failed(why.to_string()))?);
    let source = Arc::new(scene.bundle.clone());
    let header = Header::new(name, source, &model, model.spec.sim.seed);
    let alarm = Arc::new(|_| {});
    let recorder = FileRecorder::new(name, output, &header, options.clone(), alarm)?;
    let setup = Setup::new(name, Arc::clone(&model));
    let outcome = Live::new(Setup {
        speed: Speed::Max,
        steps: Some(rolima_run::steps_for(seconds, model.step_s)),
        ends_with_world: true,
        recorder: Some(Box::new(recorder)),
        ..setup
    })
    .run();
    let result = outcome.record.unwrap_or_else(|| Ok(RecordSummary::default()));
    result.map_err(|why| failed(why.to_string()))
}

/// Bytes that another thread writes.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
