//! The live loop with a clock that the test plays: what happens, and when, to the step.

use crate::common;

use common::model;
use common::played::{Camera, PlayedClock};
use rolima_core::{BodyId, Model, RobotId, Volts};
use rolima_math::{Pose2, Vec2};
use rolima_run::Speed;
use rolima_run::live::{Action, Live, Loaded, Request, RunOutcome, Session, Setup, Undelivered};
use std::sync::Arc;

const LOOK_S: f64 = 1e-7;

fn soccer() -> Arc<Model> {
    model("soccer", &["driver=random"])
}

fn setup(model: &Arc<Model>, steps: u64) -> Setup {
    Setup { steps: Some(steps), ..Setup::new("soccer", model.clone()) }
}

/// Runs with a script of requests at wall times, s.
fn run(setup: Setup, look_s: f64, script: Vec<(f64, Request)>) -> (RunOutcome, Camera) {
    let camera = Camera::default();
    let mut live = Live::with_clock(setup, PlayedClock::new(look_s, script));
    live.add_sink(Box::new(camera.clone()));
    (live.run(), camera)
}

fn command(robot: u32, right: f64, left: f64) -> Action {
    Action::Command { robot: RobotId(robot), command: Volts { right, left }.into() }
}

/// All kinds of acts, each with the step that it comes at.
fn actions(model: &Model) -> Vec<(u64, Action)> {
    let ball = model.balls().next().expect("a ball");
    let at = Vec2::new(0.1, 0.05);
    vec![
        (12, command(0, 6.0, 5.5)),
        (12, command(1, -3.0, 5.5)),
        (40, Action::Push { body: ball, point: at, impulse: Vec2::new(0.03, 0.01) }),
        (100, Action::Place { body: BodyId(2), pose: Pose2::new(-0.2, 0.3, 1.0) }),
        (150, Action::Grab { body: BodyId(1), own: Vec2::new(0.02, 0.0), hand: Vec2::ZERO }),
        (151, Action::Grab { body: ball, own: Vec2::ZERO, hand: at }),
        (
            200,
            Action::Grab { body: BodyId(1), own: Vec2::new(0.02, 0.0), hand: Vec2::new(0.3, 0.1) },
        ),
        (350, Action::LetGo { body: BodyId(1) }),
        (351, command(0, f64::NAN, 0.0)),
        (400, Action::Release { robot: RobotId(0) }),
    ]
}

/// What a plain world comes to with these acts at these steps.
fn plain(model: &Arc<Model>, actions: &[(u64, Action)], steps: u64) -> u64 {
    let mut session = Session::new(model.clone(), model.spec.sim.seed);
    for (at, action) in actions {
        session.steps(at - session.steps_done());
        session.act(action);
    }
    session.steps(steps - session.steps_done());
    session.state_hash()
}

#[test]
fn acts_take_effect_at_the_step_of_their_arrival_at_any_speed() {
    let model = soccer();
    let actions = actions(&model);
    let expected = plain(&model, &actions, 600);
    assert_ne!(expected, plain(&model, &[], 600));
    for factor in [0.1, 1.0, 7.3, 100.0] {
        // Somewhere within the step that follows.
        let within = [0.02, 0.5, 0.97];
        let at_s = |i: usize, step: u64| (step as f64 + within[i % 3]) * 1e-3 / factor;
        let mut script: Vec<_> = (actions.iter().enumerate())
            .map(|(i, (step, action))| (at_s(i, *step), Request::Action(action.clone())))
            .collect();
        script.sort_by(|a, b| a.0.total_cmp(&b.0));
        let speed = Speed::Factor(factor);
        let (outcome, _) = run(Setup { speed, ..setup(&model, 600) }, LOOK_S, script);
        assert_eq!(outcome.session.state_hash(), expected, "at {factor}x");
        assert_eq!(outcome.report.refused_requests, 1, "the command that is no number");
        assert_eq!(outcome.report.missed, 0);
    }
}

#[test]
fn a_minute_takes_a_minute_and_every_tick_is_shown() {
    let model = model("open-loop", &[]);
    let (outcome, camera) = run(setup(&model, 60_000), LOOK_S, vec![]);
    let report = outcome.report;
    assert!((report.wall_s - 60.0).abs() < 2e-3, "{report:?}");
    assert!((report.real_time_factor - 1.0).abs() < 1e-4, "{report:?}");
    assert_eq!((report.missed_ticks, report.missed_frames, report.missed), (0, 0, 0));
    assert!(report.tick_lateness.max < 1e-5 && report.tick_lateness.p50 > 0.0, "{report:?}");
    let album = camera.0.lock().expect("nobody panicked");
    // One at the beginning, one a tick, one at the end.
    assert!((60_000..60_003).contains(&album.publications.len()), "{}", album.publications.len());
    for (tick, seen) in album.publications.iter().enumerate().take(60_000) {
        assert_eq!(seen.step, tick as u64, "the world is where the clock is");
    }
    let status = &album.publications[59_000].status;
    assert!((status.real_time_factor - 1.0).abs() < 1e-3, "{status:?}");
    assert!(album.publications.last().unwrap().status.ended);
}

#[test]
fn a_machine_that_is_too_slow_falls_behind_by_a_bounded_and_reported_time() {
    let model = soccer();
    // Each look takes 2 ms, so a turn takes some 10 ms of wall time for its few steps.
    let script = vec![(0.5, Request::Action(command(0, 1.0, 1.0))), (1.0, Request::Pause)];
    let script = script.into_iter().chain([(9.0, Request::Play), (10.0, Request::Stop)]);
    let all = Setup { steps: None, speed: Speed::Factor(100.0), ..setup(&model, 0) };
    let (outcome, camera) = run(all, 2e-3, script.collect());
    let report = outcome.report;
    assert!(report.missed > 5 && report.missed_s < 2.5, "{report:?}");
    assert!(report.missed_ticks > 0 && report.tick_lateness.max < 0.1, "{report:?}");
    assert!((report.wall_s - 10.0).abs() < 0.3, "stops within the bounded lag: {report:?}");
    let album = camera.0.lock().expect("nobody panicked");
    let most = album.publications.windows(2).map(|w| w[1].step - w[0].step).max().unwrap();
    assert!(most <= 10_000, "{most} steps between two moments");
    let last = album.publications.last().unwrap();
    assert_eq!(last.status.behind_s, report.missed_s);
    assert!(album.publications.iter().any(|seen| seen.status.paused));
}

#[test]
fn pause_steps_and_play_go_by_the_clock_and_lose_no_step() {
    let model = soccer();
    let script = vec![
        (0.0105, Request::Pause),
        (0.5, Request::Step(3)),
        (0.7, Request::Action(command(0, 5.0, 5.0))),
        (1.0004, Request::Play),
        (1.0104, Request::Step(5)),
        (2.0, Request::Stop),
    ];
    let (outcome, camera) = run(Setup { steps: None, ..setup(&model, 0) }, LOOK_S, script);
    // 10 steps, 3 single ones, 10 from going on, 5 more.
    assert_eq!(outcome.session.steps_done(), 28);
    assert_eq!(outcome.session.state_hash(), plain(&model, &[(13, command(0, 5.0, 5.0))], 28));
    assert_eq!(outcome.report.missed, 0, "a pause is no lag");
    let album = camera.0.lock().expect("nobody panicked");
    let at = |wall_s: f64| &album.publications[(wall_s * 1e3) as usize];
    assert!(at(0.2).status.paused && at(0.2).step == 10);
    assert!(at(0.6).status.paused && at(0.6).step == 13);
    assert!(!at(1.005).status.paused);
    assert!(at(1.5).status.paused && at(1.5).step == 28);
}

#[test]
fn reset_seed_and_another_scene_start_over() {
    let model = soccer();
    let other = common::model("open-loop", &["sim.step_s=0.002"]);
    let seed = model.spec.sim.seed;
    for (request, generation) in [
        (Request::Reset, 1),
        (Request::Seed(77), 1),
        (Request::Load(Arc::new(Loaded::new("other", other.clone(), None))), 2),
    ] {
        let expected = match &request {
            Request::Seed(seed) => Session::new(model.clone(), *seed),
            Request::Load(_) => Session::new(other.clone(), other.spec.sim.seed),
            _ => Session::new(model.clone(), seed),
        };
        let script = vec![
            (
                0.05,
                Request::Action(Action::Grab {
                    body: BodyId(0),
                    own: Vec2::ZERO,
                    hand: Vec2::ZERO,
                }),
            ),
            (0.1005, request),
            (0.3007, Request::Stop),
        ];
        let (outcome, camera) = run(Setup { steps: None, ..setup(&model, 0) }, LOOK_S, script);
        let mut expected = expected;
        expected.steps(if generation == 2 { 100 } else { 200 });
        assert_eq!(outcome.session.state_hash(), expected.state_hash());
        assert_eq!(outcome.session.steps_done(), 100 + expected.steps_done());
        assert!((outcome.report.simulated_s - 0.3).abs() < 1e-9, "{:?}", outcome.report);
        let album = camera.0.lock().expect("nobody panicked");
        assert_eq!(album.scenes.len() as u32, generation);
        assert_eq!(album.scenes.last().unwrap().0, generation);
        let last = album.publications.last().unwrap();
        assert_eq!(last.generation, generation);
        assert_eq!(last.status.seed, outcome.session.world().state().seed);
    }
}

#[test]
fn changing_the_speed_changes_when_steps_are_due_and_no_bit() {
    let model = soccer();
    let script = vec![
        (0.1005, Request::Speed(Speed::Factor(10.0))),
        (0.2005, Request::Speed(Speed::Factor(0.1))),
        (0.3005, Request::Speed(Speed::Max)),
    ];
    let (outcome, camera) = run(setup(&model, 20_000), 1e-6, script);
    assert_eq!(outcome.session.state_hash(), plain(&model, &[], 20_000));
    let album = camera.0.lock().expect("nobody panicked");
    // A step a tick; then ten, from the middle of a tick on; then one in ten ticks.
    assert_eq!(
        [100, 101, 200, 300].map(|tick| album.publications[tick].step),
        [100, 105, 1095, 1109]
    );
    assert_eq!(album.publications.last().unwrap().status.speed, 0.0);
    assert!(outcome.report.wall_s < 1.0);
}

#[test]
fn every_event_is_delivered_once_and_also_those_before_a_reset() {
    let model = soccer();
    let script = vec![(10.0005, Request::Reset), (20.0005, Request::Stop)];
    let (_, camera) = run(Setup { steps: None, ..setup(&model, 0) }, LOOK_S, script);
    let mut session = Session::new(model.clone(), model.spec.sim.seed);
    session.steps(10_000);
    let expected = session.world().log().events().to_vec();
    assert!(expected.len() > 10 && session.world().log().dropped() == 0);
    let album = camera.0.lock().expect("nobody panicked");
    let events: Vec<_> = album.publications.iter().flat_map(|seen| seen.events.clone()).collect();
    assert_eq!(events, [expected.clone(), expected].concat());
    assert!(album.publications.iter().all(|seen| seen.events_dropped == 0));
    assert!(album.publications.iter().any(|seen| seen.contacts > 0), "contacts are shown");
}

#[test]
fn a_flood_of_requests_neither_stops_the_world_nor_grows() {
    let model = soccer();
    let mut small = setup(&model, 5_000);
    (small.queue_length, small.speed) = (16, Speed::Max);
    let live = Live::new(small);
    let mailbox = live.mailbox();
    let floods: Vec<_> = (0..2)
        .map(|_| {
            let mailbox = mailbox.clone();
            std::thread::spawn(move || {
                let mut sent = 0u64;
                // Ends with the run: the queue is gone then.
                while mailbox.send(Request::Action(command(99, 0.0, 0.0)))
                    != Err(Undelivered::Ended)
                {
                    sent += 1;
                }
                sent
            })
        })
        .collect();
    let outcome = live.run();
    let tried: u64 = floods.into_iter().map(|flood| flood.join().unwrap()).sum();
    assert_eq!(outcome.session.steps_done(), 5_000);
    let report = outcome.report;
    assert!(
        report.refused_requests + report.refused_timed_requests <= tried,
        "{report:?} of {tried}"
    );
}

#[test]
fn a_flag_ends_the_run_also_in_a_pause() {
    let model = model("open-loop", &[]);
    let setup = Setup { paused: true, ..Setup::new("open-loop", model) };
    let stop = setup.stop.clone();
    let live = Live::new(setup);
    let running = std::thread::spawn(|| live.run());
    stop.store(true, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(running.join().unwrap().report.steps, 0);
}
