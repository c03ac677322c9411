//! Recordings: what they cost a run, how large they are, and how soon any place in one is there.

use super::Outcome;
use super::measure::Spread;
use super::timer::{process_cpu_s, thread_cpu_s};
use anyhow::{Context, Result, ensure};
use rolima_core::model::Model;
use rolima_record::{FileRecorder, Options, RecordedHistory, Recording, record_into};
use rolima_run::Speed;
use rolima_run::live::history::History;
use rolima_run::live::log::Header;
use rolima_run::live::{
    Live, Publication, PublishedScene, RecordSummary, Request, Setup, Sink, Travel,
};
use rolima_scene::{Scene, Source, load};
use serde_json::{Map, json};
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::time::Instant;

/// How often each figure is measured.
const RUNS: usize = 7;
/// Simulated time of a run whose step rate is measured, s, and of one that records every step.
const COST_S: f64 = 200.0;
const RATE_S: f64 = 60.0;
/// Simulated time of a recording whose size is measured, s.
const SIZE_S: f64 = 120.0;
/// Simulated time of the recording in which places are sought, s, and how many are.
const SEEK_S: f64 = 3600.0;
const SEEKS: usize = 200;

fn soccer() -> Result<Scene> {
    Ok(load(&Source::resolve("soccer")?, &["driver=random".to_owned()])?)
}

/// A match as fast as it went.
struct Played {
    /// Steps/s of wall time.
    rate: f64,
    /// CPU time of a step on the run's thread and on the one that writes, s.
    run_s: f64,
    write_s: f64,
    summary: Option<RecordSummary>,
}

impl Played {
    /// Steps/s where each thread has a core of its own: those of the slower one.
    fn undisturbed(&self) -> f64 {
        1.0 / self.run_s.max(self.write_s)
    }
}

/// Plays a match as fast as it goes.
fn played(
    scene: &Scene,
    model: &Arc<Model>,
    seconds: f64,
    options: Option<Options>,
) -> Result<Played> {
    let recorder = match options {
        None => None,
        Some(options) => {
            let source = Arc::new(scene.bundle.clone());
            let header = Header::new("soccer", source, model, model.spec.sim.seed);
            let alarm = Arc::new(|_| {});
            let recorder = FileRecorder::new("bench", std::io::sink(), &header, options, alarm)?;
            Some(Box::new(recorder) as Box<dyn rolima_run::live::Recorder>)
        }
    };
    let steps = rolima_run::steps_for(seconds, model.step_s);
    let setup = Setup::new("soccer", Arc::clone(model));
    let live = Live::new(Setup { speed: Speed::Max, steps: Some(steps), recorder, ..setup });
    let (begin, begin_run_s, begin_all_s) = (Instant::now(), thread_cpu_s(), process_cpu_s());
    let outcome = live.run();
    let rate = steps as f64 / begin.elapsed().as_secs_f64();
    let (run_s, all_s) = (thread_cpu_s() - begin_run_s, process_cpu_s() - begin_all_s);
    let summary = outcome.record.transpose()?;
    if let Some(summary) = &summary {
        ensure!(summary.lost == 0 && summary.actions_lost == 0, "something was not recorded");
    }
    let steps = steps as f64;
    Ok(Played { rate, run_s: run_s / steps, write_s: (all_s - run_s) / steps, summary })
}

/// Which share of the step rate is left while a match is recorded, turn and turn about with runs that
/// are not.
pub(super) fn cost() -> Result<Outcome> {
    let scene = soccer()?;
    let model = Arc::new(scene.compile()?);
    let (mut shares, mut plain, mut recorded) = (vec![], vec![], vec![]);
    let (mut undisturbed, mut run_us, mut write_us) = (vec![], vec![], vec![]);
    for run in 0..=RUNS {
        let without = played(&scene, &model, COST_S, None)?;
        let with = played(&scene, &model, COST_S, Some(Options::default()))?;
        // The first one warms up.
        if run > 0 {
            shares.push(with.rate / without.rate);
            plain.push(without.rate);
            recorded.push(with.rate);
            undisturbed.push(with.undisturbed() * without.run_s);
            let states = with.summary.map_or(1, |summary| summary.samples) as f64;
            let per_state = 1e6 * COST_S / model.step_s / states;
            run_us.push((with.run_s - without.run_s) * per_state);
            write_us.push(with.write_s * per_state);
        }
    }
    let details = Map::from_iter([
        ("steps_per_s_without".to_owned(), json!(Spread::of(plain).median)),
        ("steps_per_s_with".to_owned(), json!(Spread::of(recorded).median)),
        ("share_by_cpu_time".to_owned(), json!(Spread::of(undisturbed).median)),
        ("run_us_per_state".to_owned(), json!(Spread::of(run_us).median)),
        ("write_us_per_state".to_owned(), json!(Spread::of(write_us).median)),
    ]);
    Ok(Outcome { value: Spread::of(shares), unit: "of the step rate", details })
}

/// Steps/s of a match of which the state after every step is recorded; beside it without compression.
pub(super) fn rate() -> Result<Outcome> {
    let scene = soccer()?;
    let model = Arc::new(scene.compile()?);
    let every = Options { rate_hz: 1.0 / model.step_s, ..Options::default() };
    let plain = Options { compressed: false, ..every.clone() };
    let (mut rates, mut uncompressed, mut undisturbed, mut bytes) = (vec![], vec![], vec![], 0);
    for run in 0..=RUNS {
        let with = played(&scene, &model, RATE_S, Some(every.clone()))?;
        let without = played(&scene, &model, RATE_S, Some(plain.clone()))?;
        if run > 0 {
            rates.push(with.rate);
            uncompressed.push(without.rate);
            undisturbed.push(with.undisturbed());
            bytes = with.summary.map_or(0, |summary| summary.bytes);
        }
    }
    let details = Map::from_iter([
        ("uncompressed_steps_per_s".to_owned(), json!(Spread::of(uncompressed).median)),
        ("steps_per_s_by_cpu_time".to_owned(), json!(Spread::of(undisturbed).median)),
        ("bytes_per_step".to_owned(), json!(bytes as f64 / (RATE_S / model.step_s))),
    ]);
    Ok(Outcome { value: Spread::of(rates), unit: "steps/s", details })
}

/// Bytes a simulated second of a match, all channels at 60 Hz.
pub(super) fn size() -> Result<Outcome> {
    let scene = soccer()?;
    let size = |seconds: f64, options: &Options| {
        record_into("soccer", &scene, seconds, options, std::io::sink())
    };
    let options = Options::default();
    let whole = size(SIZE_S, &options)?;
    let figure = whole.bytes as f64 / SIZE_S;
    let double = size(SIZE_S, &Options { double: true, ..options.clone() })?;
    let details = Map::from_iter([
        ("f64_bytes_per_s".to_owned(), json!(double.bytes as f64 / SIZE_S)),
        ("states".to_owned(), json!(whole.samples)),
    ]);
    Ok(Outcome { value: Spread::of(vec![figure]), unit: "bytes a simulated second", details })
}

/// A file that is removed at its end.
struct Gone(PathBuf);

impl Drop for Gone {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Sees when the instant that was asked for is shown.
struct Arrival {
    wanted: Arc<AtomicU64>,
    shown: Sender<()>,
}

/// No step at all.
const NOWHERE: u64 = u64::MAX;

impl Sink for Arrival {
    fn scene(&mut self, _: &PublishedScene<'_>) {}

    fn publication(&mut self, publication: &Publication<'_>) {
        let timeline = publication.timeline;
        let is_there =
            timeline.seeking_s.is_none() && timeline.at.step == self.wanted.load(Ordering::Relaxed);
        if is_there {
            self.wanted.store(NOWHERE, Ordering::Relaxed);
            // Whoever does not wait any more need not know.
            let _ = self.shown.send(());
        }
    }
}

/// The time of a seek in a recording of an hour, as the page asks for it: from the request to the publication
/// that shows it; of 95 in 100 no longer.
pub(super) fn seek() -> Result<Outcome> {
    let scene = soccer()?;
    let file = Gone(std::env::temp_dir().join(format!("rolima-seek-{}.mcap", std::process::id())));
    let output = File::create(&file.0).with_context(|| file.0.display().to_string())?;
    let summary = record_into("soccer", &scene, SEEK_S, &Options::default(), output)?;
    let begin = Instant::now();
    let recording = Recording::open(&file.0)?;
    let open_s = begin.elapsed().as_secs_f64();
    let history: Arc<dyn History> = RecordedHistory::new(recording);
    let known = history.first_scene()?;
    let setup = Setup::new(&known.name, Arc::clone(&known.model));
    let shown = Some((Arc::clone(&history), 0.0));
    let mut live = Live::new(Setup { history: shown, paused: true, ..setup });
    let (wanted, (shown, arrived)) = (Arc::new(AtomicU64::new(0)), channel());
    live.add_sink(Box::new(Arrival { wanted: Arc::clone(&wanted), shown }));
    let mailbox = live.mailbox();
    let running = std::thread::spawn(|| live.run());
    arrived.recv()?;
    let mut times = vec![];
    for i in 0..SEEKS {
        // All over the hour, in no order, at any phase between two saved simulations.
        let at_s = SEEK_S * (i as f64 * 0.618_033_988_749_895).fract();
        let begin = Instant::now();
        wanted.store(history.nearest(at_s).step, Ordering::Relaxed);
        mailbox.send(Request::Travel(Travel::Seek(at_s)))?;
        arrived.recv()?;
        times.push(begin.elapsed().as_secs_f64() * 1e3);
    }
    mailbox.send(Request::Stop)?;
    ensure!(running.join().is_ok(), "the loop that was asked has failed");
    times.sort_by(f64::total_cmp);
    let p95 = times[SEEKS * 95 / 100];
    let details = Map::from_iter([
        ("open_ms".to_owned(), json!(open_s * 1e3)),
        ("p50_ms".to_owned(), json!(times[SEEKS / 2])),
        ("max_ms".to_owned(), json!(times[SEEKS - 1])),
        ("bytes".to_owned(), json!(summary.bytes)),
    ]);
    let value = Spread { median: p95, min: times[0], max: times[SEEKS - 1], runs: SEEKS };
    Ok(Outcome { value, unit: "ms", details })
}
