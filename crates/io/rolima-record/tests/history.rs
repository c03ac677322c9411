//! A recording that is gone over: any step is what it was, in any order; a recording that begins in the middle
//! of a run is one, too; one that cannot be simulated again is shown as it was recorded.

use crate::{opened, recorded, scene};
use rolima_core::{Model, RobotId, Volts};
use rolima_math::Vec2;
use rolima_record::{FileRecorder, Options, RecordedHistory, Recording, verify};
use rolima_run::live::history::{Fidelity, History, Rerun, SeriesPoint, SeriesWanted};
use rolima_run::live::log::Header;
use rolima_run::live::{Action, Recorder, Session};
use std::io::Write;
use std::sync::{Arc, Mutex};

/// The run at a step, however it gets there.
fn at(history: &Arc<RecordedHistory>, step: u64) -> Box<dyn Rerun> {
    let mut rerun = Arc::clone(history).rerun(step).expect("it is there");
    let left = step - rerun.session().steps_done();
    assert_eq!(rerun.advance(left).expect("it goes on"), left);
    rerun
}

#[test]
fn every_step_is_what_it_was_and_goes_on_over_what_was_saved() {
    let options = Options { save_s: 0.3, ..Options::default() };
    let history =
        RecordedHistory::new(opened(&recorded("soccer", &["driver=random"], 2.0, &options)));
    let model = Arc::new(scene("soccer", &["driver=random"]).compile().expect("a model"));
    let mut session = Session::new(model.clone(), model.spec.sim.seed);
    let mut hashes = vec![];
    for _ in 0..=2000 {
        hashes.push(session.state_hash());
        session.steps(1);
    }
    assert_eq!(history.span().map(|at| at.step), [0, 2000]);
    for step in [1234, 0, 2000, 300, 299, 301, 900, 1999, 17] {
        let rerun = at(&history, step);
        assert_eq!(rerun.session().steps_done(), step);
        assert_eq!(rerun.session().state_hash(), hashes[step as usize], "at step {step}");
        assert!((rerun.session().simulated_s() - step as f64 * 1e-3).abs() < 1e-9);
        assert_eq!(rerun.fidelity(), Fidelity::Exact);
    }
    // From one saved simulation over the next ones to the end.
    let mut rerun = at(&history, 100);
    assert_eq!(rerun.advance(u64::MAX).expect("it goes on"), 1900);
    assert_eq!(rerun.session().state_hash(), hashes[2000]);
    assert_eq!(rerun.fidelity(), Fidelity::Exact);
    assert_eq!(history.nearest(0.7504).step, 750);
    assert_eq!(history.nearest(99.0).step, 2000);
}

#[test]
fn values_over_time_are_those_that_were_recorded_and_few_points_have_their_extremes() {
    let file = opened(&recorded("soccer", &["driver=random"], 2.0, &Options::default()));
    let history = RecordedHistory::new(file.clone());
    let x = file.scenes()[0].channel("ball.ball.x").expect("a ball");
    let (mut samples, mut all) = (file.samples(0, &[x], [0.0, 9.0]).expect("some"), vec![]);
    while let Some(sample) = samples.next().expect("it reads") {
        all.push((sample.time_s, sample.values[0]));
    }
    let series = |points: u32| {
        let channels = ["ball.ball.x", "nothing.x"].map(str::to_owned).to_vec();
        let wanted = SeriesWanted { channels, span_s: [0.0, 2.0], points };
        let mut got = vec![];
        let mut take = |point: SeriesPoint<'_>| {
            assert!(point.ranges[1][0].is_nan());
            got.push((point.time_s, point.ranges[0]));
            true
        };
        let told = Arc::clone(&history).series(&wanted, &mut take).expect("it reads");
        assert_eq!((told[0].unit.as_str(), told[0].is_known, told[1].is_known), ("m", true, false));
        got
    };
    let many: Vec<_> = series(4000)
        .iter()
        .map(|(time_s, [low, high])| {
            assert_eq!(low, high);
            (*time_s, *low)
        })
        .collect();
    assert_eq!(many, all);
    let few = series(6);
    assert!(few.len() <= 6 && few.len() >= 5, "{}", few.len());
    let least = few.iter().map(|(_, range)| range[0]).fold(f64::INFINITY, f64::min);
    let expected = all.iter().map(|(_, value)| *value).fold(f64::INFINITY, f64::min);
    assert_eq!(least, expected);
}

#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Write for Memory {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("nobody panicked").extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A recording that begins after so many steps of a run that was pushed about before and after.
fn begun_later(model: &Arc<Model>, header: &Header, step: u64) -> (Recording, u64) {
    use rolima_run::live::log::Entry;
    let memory = Memory::default();
    let alarm = Arc::new(|_| {});
    let mut recorder: Box<dyn Recorder> = Box::new(
        FileRecorder::new("later.mcap", memory.clone(), header, Options::default(), alarm)
            .expect("it begins"),
    );
    let mut session = Session::new(model.clone(), model.spec.sim.seed);
    let command =
        Action::Command { robot: RobotId(0), command: Volts { right: 5.0, left: 4.0 }.into() };
    session.act(&command);
    session.steps(step);
    // As the loop begins one.
    let mut session = session.fork();
    recorder.note(&session, &Entry::Restore(session.simulation().save().into()), true);
    recorder.scene(&session, model);
    recorder.see(&session, true);
    let ball = model.balls().next().expect("a ball");
    let push = Action::Push { body: ball, point: Vec2::ZERO, impulse: Vec2::new(0.02, 0.01) };
    recorder.note(&session, &Entry::Action(push.clone()), true);
    session.act(&push);
    while session.steps_done() < step + 1500 {
        let to = recorder.due().min(step + 1500);
        session.steps(to - session.steps_done());
        recorder.events(&session, true);
        session.clear_events();
        recorder.see(&session, true);
    }
    let hash = session.state_hash();
    recorder.finish(&session).expect("it is written");
    let bytes = std::mem::take(&mut *memory.0.lock().expect("nobody panicked"));
    (opened(&bytes), hash)
}

#[test]
fn a_recording_that_begins_in_the_middle_of_a_run_is_verified_and_gone_over() {
    let known = scene("soccer", &["driver=random"]);
    let model = Arc::new(known.compile().expect("a model"));
    let source = Arc::new(known.bundle.clone());
    let header = Header::new("soccer", source, &model, model.spec.sim.seed);
    let (recording, hash) = begun_later(&model, &header, 2345);
    let [begin_s, end_s] = recording.span_s();
    assert!((begin_s - 2.345).abs() < 1e-9 && (end_s - 3.845).abs() < 1e-9, "{begin_s} {end_s}");
    let verified = verify(&recording).expect("it reads");
    assert_eq!((verified.differs, verified.hash_differs), (None, None));
    assert!(verified.samples > 80 && verified.is_whole, "{}", verified.samples);
    let history = RecordedHistory::new(recording);
    assert_eq!(history.span().map(|at| at.step), [2345, 3845]);
    assert_eq!(at(&history, 3845).session().state_hash(), hash);
    assert_eq!(at(&history, 2345).session().steps_done(), 2345);
    let marks = history.marks().expect("it reads");
    assert!(marks.marks.iter().all(|mark| mark.time_s >= 2.345 - 1e-9), "{marks:?}");
}

/// Chunks say that they have no checksum.
fn without_checksums(bytes: &mut [u8]) {
    const CHUNK: u8 = 6;
    let mut at = 8;
    while at + 9 < bytes.len() {
        let length = u64::from_le_bytes(bytes[at + 1..at + 9].try_into().expect("eight bytes"));
        if bytes[at] == CHUNK {
            // After two times and the size.
            bytes[at + 9 + 24..at + 9 + 28].fill(0);
        }
        at += 9 + length as usize;
    }
}

#[test]
fn what_cannot_be_simulated_again_stands_where_it_was_recorded() {
    let mut bytes = recorded(
        "soccer",
        &["driver=random"],
        1.5,
        &Options { compressed: false, ..Options::default() },
    );
    // As another version would have saved it.
    let magic = b"rolimsim";
    let places: Vec<usize> =
        (0..bytes.len() - 8).filter(|at| &bytes[*at..*at + 8] == magic).collect();
    assert!(!places.is_empty());
    places.iter().for_each(|at| bytes[at + 8] ^= 0x40);
    without_checksums(&mut bytes);
    let Ok(recording) = Recording::from_bytes("old.mcap", bytes.into()) else {
        panic!("its index still reads")
    };
    let history = RecordedHistory::new(recording.clone());
    let Ok(rerun) = Arc::clone(&history).rerun(1200) else { panic!("it is shown") };
    let Fidelity::Recorded(why) = rerun.fidelity() else { panic!("it is not simulated") };
    assert!(why.contains("format"), "{why}");
    let rerun = at(&history, 1200);
    let known = &recording.scenes()[0];
    let x = known.channel("robot.blue-1.x").expect("a robot");
    let (mut samples, mut last) = (recording.samples(0, &[x], [0.0, 1.2]).expect("some"), 0.0);
    while let Some(sample) = samples.next().expect("it reads") {
        last = sample.values[0];
    }
    let shown = rerun.session().world().frame().bodies[0].pose.position.x;
    assert!((shown - last).abs() < 1e-6, "{shown} {last}");
    assert!(rerun.session().steps_done() == 1200);
}
