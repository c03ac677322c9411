//! Runs whose scene ends them: a vehicle leaves a terrain that ends.

use crate::common;

use common::Memory;
use common::played::{Camera, PlayedClock};
use rolima_core::{BodyId, EventKind, Model, RobotId, WorldEnd};
use rolima_math::Pose2;
use rolima_run::live::log::{Header, LogReader, LogWriter, replay};
use rolima_run::live::{Action, Live, Request, RunOutcome, Session, Setup};
use rolima_run::{Batch, Speed};
use rolima_scene::{Scene, Source, load};
use std::sync::Arc;

/// A table of 4 m, and a vehicle that drives off it after some seconds.
fn table_scene() -> Scene {
    let text = "[ground]\nkind = \"flat\"\nsize = [4, 4]\nedge = \"ends\"\n[[robot]]\nname = \"one\"\n\
        preset = \"skid-steer\"\ndriver = { kind = \"constant\", left = 20, right = 20 }\n";
    let source = Source::Text { name: "table".to_owned(), text: text.to_owned() };
    load(&source, &[]).expect("a good scene")
}

fn table() -> Arc<Model> {
    Arc::new(table_scene().compile().expect("a good model"))
}

/// A log in memory of a run on the table.
fn table_log(memory: &Memory, model: &Model) -> LogWriter {
    let source = Arc::new(table_scene().bundle);
    let header = Header::new("table", source, model, model.spec.sim.seed);
    LogWriter::new("memory", memory.clone(), &header).expect("memory can be written")
}

/// Step and state hash at the end of the world.
fn expected(model: &Arc<Model>) -> (u64, u64) {
    let mut session = Session::new(model.clone(), model.spec.sim.seed);
    let done = session.steps(20_000);
    assert!((1000..10_000).contains(&done), "{done}");
    assert_eq!((session.steps(5), session.steps_done()), (0, done));
    assert_eq!(session.world().end(), Some(WorldEnd { robot: RobotId(0) }));
    (done, session.state_hash())
}

fn run(setup: Setup, look_s: f64, script: Vec<(f64, Request)>) -> (RunOutcome, Camera) {
    let camera = Camera::default();
    let mut live = Live::with_clock(setup, PlayedClock::new(look_s, script));
    live.add_sink(Box::new(camera.clone()));
    (live.run(), camera)
}

#[test]
fn a_run_without_a_view_is_over_at_the_step_at_which_the_vehicle_left_at_any_speed() {
    let model = table();
    let (steps, hash) = expected(&model);
    for (speed, look_s) in
        [(Speed::Max, 1e-7), (Speed::REAL_TIME, 1e-7), (Speed::Factor(50.0), 1e-5)]
    {
        let setup = Setup { speed, ends_with_world: true, ..Setup::new("table", model.clone()) };
        let (outcome, camera) = run(setup, look_s, vec![]);
        assert_eq!((outcome.report.steps, outcome.session.state_hash()), (steps, hash));
        let album = camera.0.lock().expect("nobody panicked");
        let last = album.publications.last().expect("moments");
        assert!(last.status.ended && last.step == steps);
        let left = |e: &rolima_core::Event| e.kind() == EventKind::LeftTerrain;
        let told = album.publications.iter().flat_map(|m| &m.events).filter(|e| left(e)).count();
        assert_eq!(told, 1);
    }
}

#[test]
fn a_run_with_a_view_stands_still_until_it_is_reset_or_the_vehicle_is_put_back() {
    let model = table();
    let (steps, _) = expected(&model);
    let end_s = steps as f64 * 1e-3;
    let body = BodyId(0);
    let script = vec![
        // There is nothing to go on with; and whoever asks for single steps wants no more.
        (end_s + 1.0, Request::Play),
        (end_s + 1.5, Request::Step(7)),
        (end_s + 2.0, Request::Reset),
        (end_s + 3.0, Request::Play),
        // It ran, so it goes on.
        (
            2.0 * end_s + 4.0,
            Request::Action(Action::Place { body, pose: Pose2::new(0.0, 0.0, 0.0) }),
        ),
        (2.0 * end_s + 5.0, Request::Stop),
    ];
    let memory = Memory::default();
    let setup =
        Setup { log: Some(table_log(&memory, &model)), ..Setup::new("table", model.clone()) };
    let (outcome, camera) = run(setup, 1e-6, script);
    // Twice to the end, and a second more.
    assert!(outcome.report.steps.abs_diff(2 * steps + 1000) <= 2, "{:?}", outcome.report);
    assert_eq!(outcome.session.world().end(), None);
    let album = camera.0.lock().expect("nobody panicked");
    let at = |s: f64| &album.publications[(s * 1e3) as usize];
    for seen in [at(end_s + 0.5), at(end_s + 1.2), at(end_s + 1.8)] {
        assert!(seen.status.paused && !seen.status.ended && seen.step == steps, "{}", seen.step);
    }
    assert!(at(end_s + 2.5).status.paused && !at(end_s + 3.5).status.paused);
    assert!(at(2.0 * end_s + 3.5).status.paused && !at(2.0 * end_s + 4.5).status.paused);
    // Standing still at the end is no falling behind.
    assert_eq!(outcome.report.missed, 0);
    drop(album);
    // A replay ends where the run did.
    let text = memory.text();
    let reader = LogReader::new("memory", text.as_bytes()).expect("a log");
    let (_, replayed) = replay(reader).expect("a replay");
    assert_eq!(replayed.is_same(), Some(true));
}

#[test]
fn a_log_that_goes_on_after_the_end_is_refused() {
    let model = table();
    let (steps, _) = expected(&model);
    let memory = Memory::default();
    table_log(&memory, &model).finish(steps + 10, 7).expect("memory can be written");
    let text = memory.text();
    let reader = LogReader::new("memory", text.as_bytes()).expect("a log");
    let error = replay(reader).err().expect("too long");
    let expected = format!("expected nothing after step {steps}, where the run ended");
    assert!(error.to_string().contains(&expected), "{error}");
}

#[test]
fn a_batch_says_which_worlds_have_ended() {
    let model = table();
    let (steps, _) = expected(&model);
    let mut batch = Batch::new(&model, [1, 2, 3]);
    batch.steps(steps - 1);
    assert_eq!(batch.ends().count(), 0);
    let place = Action::Place { body: RobotId(0).body(), pose: Pose2::new(-1.0, 0.0, 0.0) };
    assert!(batch.simulations_mut()[1].act(&place));
    batch.steps(100);
    let ends: Vec<_> = batch.ends().collect();
    assert_eq!(ends, [(0, WorldEnd { robot: RobotId(0) }), (2, WorldEnd { robot: RobotId(0) })]);
    let times: Vec<u64> = batch.simulations().iter().map(|one| one.world().state().step).collect();
    assert_eq!(times, [steps, steps + 99, steps]);
}
