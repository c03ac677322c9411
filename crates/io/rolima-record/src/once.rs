//! A recording without a live loop: for tests, benchmarks and programs of one's own.

use crate::error::RecordError;
use crate::options::Options;
use crate::recorder::FileRecorder;
use rolima_core::Model;
use rolima_run::live::log::Header;
use rolima_run::live::{Live, LiveClock, RecordBroken, RecordSummary, Setup, TimedRequest};
use rolima_run::{Clock, Speed};
use rolima_scene::Scene;
use std::cell::Cell;
use std::io::{self, Write};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

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
    run(name, &model, seconds, recorder).map_err(|why| failed(why.to_string()))
}

/// Runs a scene for so much simulated time, s, as fast as it goes.
pub(crate) fn run(
    name: &str,
    model: &Arc<Model>,
    seconds: f64,
    recorder: FileRecorder,
) -> Result<RecordSummary, RecordBroken> {
    let setup = Setup {
        speed: Speed::Max,
        steps: Some(rolima_run::steps_for(seconds, model.step_s)),
        ends_with_world: true,
        recorder: Some(Box::new(recorder)),
        ..Setup::new(name, Arc::clone(model))
    };
    let outcome = Live::with_clock(setup, CountedClock::default()).run();
    outcome.record.unwrap_or_else(|| Ok(RecordSummary::default()))
}

/// A clock for runs that nobody watches and that do not keep to it, which every machine has: each look takes
/// a microsecond.
#[derive(Default)]
struct CountedClock(Cell<f64>);

impl Clock for CountedClock {
    fn now_s(&self) -> f64 {
        self.0.replace(self.0.get() + 1e-6)
    }
}

impl LiveClock for CountedClock {
    fn at_s(&self, _: Instant) -> f64 {
        self.0.get()
    }

    fn receive(&self, inbox: &Receiver<TimedRequest>, until_s: f64) -> Option<TimedRequest> {
        self.0.set(until_s.max(self.0.get()));
        inbox.try_recv().ok()
    }
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
