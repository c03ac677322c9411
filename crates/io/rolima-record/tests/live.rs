//! Disks that are too slow: a run on the clock goes on and says what is missing, one as fast as possible waits.

use crate::scene;
use rolima_record::fuzzing::read_all;
use rolima_record::{FileRecorder, Options, Recording, verify};
use rolima_run::live::log::Header;
use rolima_run::live::{
    Live, LiveClock, RecordNews, RecordSummary, RunOutcome, Setup, TimedRequest,
};
use rolima_run::{Clock, Speed};
use std::cell::Cell;
use std::io::{self, Write};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// A disk that takes nothing until it is released.
#[derive(Clone, Default)]
struct Disk(Arc<(Mutex<DiskState>, Condvar)>);

#[derive(Default)]
struct DiskState {
    is_released: bool,
    file: Vec<u8>,
}

impl Disk {
    /// Waits until something is so, long enough for any machine.
    fn wait(&self, mut is_so: impl FnMut(&DiskState) -> bool) -> bool {
        let (state, changed) = &*self.0;
        let most = Duration::from_secs(60);
        let state = state.lock().expect("nobody panicked");
        let waited = changed.wait_timeout_while(state, most, |state| !is_so(state));
        let (state, waited) = waited.expect("nobody panicked");
        drop(state);
        !waited.timed_out()
    }

    fn release(&self) {
        self.0.0.lock().expect("nobody panicked").is_released = true;
        self.0.1.notify_all();
    }

    fn file(&self) -> Vec<u8> {
        self.0.0.lock().expect("nobody panicked").file.clone()
    }
}

impl Write for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.wait(|state| state.is_released) {
            return Err(io::Error::other("the run waits for its disk"));
        }
        self.0.0.lock().expect("nobody panicked").file.extend_from_slice(bytes);
        self.0.1.notify_all();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A clock that only moves by waiting. At some time it releases the disk.
struct PlayedClock {
    now_s: Cell<f64>,
    disk: Disk,
    release_s: f64,
    /// Whether more waits for the disk then than there is room for.
    is_full: bool,
}

impl Clock for PlayedClock {
    fn now_s(&self) -> f64 {
        self.now_s.get()
    }
}

impl LiveClock for PlayedClock {
    fn at_s(&self, _: Instant) -> f64 {
        self.now_s.get()
    }

    fn receive(&self, _: &Receiver<TimedRequest>, until_s: f64) -> Option<TimedRequest> {
        // A run as fast as possible waits for nothing else: a millisecond a turn.
        let now_s = if until_s.is_finite() { until_s } else { self.now_s.get() + 1e-3 };
        if self.now_s.replace(now_s.max(self.now_s.get())) < self.release_s
            && now_s >= self.release_s
        {
            self.disk.release();
            // A run on the clock goes on when there is room again; the other one makes it by going on.
            let has_room = |state: &DiskState| state.file.len() > 1 << 20;
            assert!(!self.is_full || self.disk.wait(has_room));
        }
        None
    }
}

/// Records every step of a match onto a disk that is released at some time of the clock. Returns how the run
/// came out, the file, and what was told meanwhile.
fn recorded(speed: Speed, steps: u64, release_s: f64) -> (RunOutcome, Vec<u8>, Vec<RecordNews>) {
    let disk = Disk::default();
    let scene = scene("soccer", &["driver=random"]);
    let model = Arc::new(scene.compile().expect("a good scene"));
    let header = Header::new("soccer", Arc::new(scene.bundle.clone()), &model, model.spec.sim.seed);
    let told = Arc::new(Mutex::new(vec![]));
    let teller = Arc::clone(&told);
    let alarm = Arc::new(move |news| teller.lock().expect("nobody panicked").push(news));
    let options = Options { rate_hz: 1.0 / model.step_s, ..Options::default() };
    let recorder =
        FileRecorder::new("slow.mcap", disk.clone(), &header, options, alarm).expect("begun");
    let setup = Setup {
        speed,
        steps: Some(steps),
        recorder: Some(Box::new(recorder)),
        ..Setup::new("soccer", model)
    };
    let is_full = speed != Speed::Max;
    let clock = PlayedClock { now_s: Cell::new(0.0), disk: disk.clone(), release_s, is_full };
    let outcome = Live::with_clock(setup, clock).run();
    let told = told.lock().expect("nobody panicked").clone();
    (outcome, disk.file(), told)
}

#[test]
fn a_run_on_the_clock_never_waits_for_a_slow_disk_and_says_what_is_missing() {
    const STEPS: u64 = 22_000;
    let (outcome, file, told) = recorded(Speed::REAL_TIME, STEPS, 21.5);
    assert_eq!(outcome.session.steps_done(), STEPS);
    let RecordSummary { samples, lost, actions_lost, bytes } =
        outcome.record.expect("one").expect("it came out");
    assert!(lost > 1000 && actions_lost == 0, "{lost} lost");
    assert!(samples <= STEPS && samples + lost > STEPS, "{samples} kept, {lost} lost");
    assert_eq!(told, [RecordNews::Lost { file: "slow.mcap".to_owned() }], "once");
    assert_eq!(bytes, file.len() as u64);
    let recording = Recording::from_bytes("slow.mcap", file.into()).expect("a recording");
    assert!(recording.about().is_whole);
    assert_eq!((recording.about().lost, recording.about().actions_lost), (lost, 0));
    assert_eq!(read_all(&recording).expect("it reads"), samples);
    // Behind the gap it goes on, and what is there is as it was.
    let time = recording.scenes()[0].channel("time").expect("one");
    let mut at_end = recording.samples(0, &[time], [21.9, 22.0]).expect("a scene");
    assert!(at_end.next().expect("it reads").is_some());
    let verified = verify(&recording).expect("it replays");
    assert!(verified.differs.is_none() && verified.hash_differs.is_none());
    assert_eq!((verified.steps, verified.samples), (STEPS, samples));
}

#[test]
fn a_run_as_fast_as_possible_waits_for_a_slow_disk_and_loses_nothing() {
    const STEPS: u64 = 20_000;
    let (outcome, file, told) = recorded(Speed::Max, STEPS, 2.0);
    let summary = outcome.record.expect("one").expect("it came out");
    assert_eq!((summary.samples, summary.lost, summary.actions_lost), (STEPS + 1, 0, 0));
    assert_eq!(told, []);
    let recording = Recording::from_bytes("slow.mcap", file.into()).expect("a recording");
    assert_eq!(read_all(&recording).expect("it reads"), STEPS + 1);
}
