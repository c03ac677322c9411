//! Going back in a live run: every instant is what it was, the live run does not notice, and one that is taken
//! over goes on to the same bits.

use crate::common;

use common::model;
use common::played::{Past, PlayedClock};
use proptest::prelude::*;
use rolima_core::{BodyId, Frame, Model, RobotId, Volts};
use rolima_math::{Pose2, Vec2};
use rolima_run::live::history::kept_bytes;
use rolima_run::live::log::{LogReader, LogWriter, replay};
use rolima_run::live::{
    Action, Keep, Live, Loaded, Request, RunOutcome, Session, Setup, ShownMode, ShownTimeline,
    Travel, TravelRefusal,
};
use std::sync::{Arc, Mutex};

const LOOK_S: f64 = 1e-6;
const STEP_S: f64 = 1e-3;

fn soccer() -> Arc<Model> {
    model("soccer", &["driver=random"])
}

fn setup(model: &Arc<Model>) -> Setup {
    Setup { keep: Keep::MINUTE, ..Setup::new("soccer", model.clone()) }
}

/// Runs with a script that waits for the past where it asks for it.
fn run(setup: Setup, script: Vec<(f64, Request)>) -> (RunOutcome, Vec<(ShownTimeline, Frame)>) {
    let past = Past::default();
    let clock = PlayedClock::new(LOOK_S, script).patient(&past);
    let mut live = Live::with_clock(setup, clock);
    live.add_sink(Box::new(past.clone()));
    let outcome = live.run();
    let shown = std::mem::take(&mut *past.shown.lock().expect("nobody panicked"));
    (outcome, shown)
}

fn travel(travel: Travel) -> Request {
    Request::Travel(travel)
}

type Answer = Arc<Mutex<Option<Result<(), TravelRefusal>>>>;

fn take_over(seed: Option<u64>, loaded: Option<Arc<Loaded>>) -> (Request, Answer) {
    let answer = Answer::default();
    let told = answer.clone();
    let tell = Box::new(move |result| *told.lock().expect("nobody panicked") = Some(result));
    (travel(Travel::TakeOver { seed, loaded, tell }), answer)
}

/// What the run is after each step, all done that was done then.
struct Known {
    frames: Vec<Frame>,
    hashes: Vec<u64>,
}

/// A plain session that does the same.
fn known(model: &Arc<Model>, actions: &[(u64, Action)], steps: u64) -> Known {
    let mut session = Session::new(model.clone(), model.spec.sim.seed);
    let mut known = Known { frames: vec![], hashes: vec![] };
    for step in 0..=steps {
        for (_, action) in actions.iter().filter(|(at, _)| *at == step) {
            session.act(action);
        }
        known.frames.push(session.world().frame());
        known.hashes.push(session.state_hash());
        session.steps(1);
    }
    known
}

/// Within the step that comes then.
fn at_s(step: u64) -> f64 {
    (step as f64 + 0.5) * STEP_S
}

fn scripted(actions: &[(u64, Action)]) -> Vec<(f64, Request)> {
    actions.iter().map(|(step, action)| (at_s(*step), Request::Action(action.clone()))).collect()
}

fn some_actions(model: &Model) -> Vec<(u64, Action)> {
    let ball = model.balls().next().expect("a ball");
    let command = |robot, right, left| Action::Command {
        robot: RobotId(robot),
        command: Volts { right, left }.into(),
    };
    vec![
        (12, command(0, 6.0, 5.5)),
        (400, Action::Push { body: ball, point: Vec2::ZERO, impulse: Vec2::new(0.03, 0.01) }),
        (1000, command(1, -3.0, 5.5)),
        (1400, Action::Grab { body: ball, own: Vec2::ZERO, hand: Vec2::new(0.2, 0.1) }),
        (1700, Action::Place { body: BodyId(2), pose: Pose2::new(-0.2, 0.3, 1.0) }),
        (1800, Action::LetGo { body: ball }),
    ]
}

/// Everything that was shown at rest in the past is what was.
fn assert_known(shown: &[(ShownTimeline, Frame)], known: &Known) -> usize {
    let past = shown.iter().filter(|(timeline, _)| timeline.mode == ShownMode::Past);
    let mut count = 0;
    for (timeline, frame) in past {
        let step = timeline.at.step as usize;
        assert_eq!(*frame, known.frames[step], "at step {step}");
        count += 1;
    }
    count
}

#[test]
fn any_step_of_a_live_run_can_be_gone_to_and_the_run_does_not_notice() {
    let model = soccer();
    let actions = some_actions(&model);
    let known = known(&model, &actions, 3000);
    let mut script = scripted(&actions);
    let seeks = [0.0, 2.4, 1.0, 0.9995, 1.4, 1.0, 0.013, 2.2];
    script.extend(seeks.map(|at_s| (2.4505, travel(Travel::Seek(at_s)))));
    for steps in [-1, -1, -1, 2, -700, 1, 1_000_000, -1, -1_000_000] {
        script.push((2.4505, travel(Travel::Step(steps))));
    }
    script.push((2.4505, travel(Travel::ToLive)));
    script.push((5.0, Request::Stop));
    let (outcome, shown) = run(setup(&model), script);
    let done = outcome.session.steps_done();
    assert!(done > 2450, "it goes on: {done}");
    assert_eq!(outcome.report.refused_requests, 0);
    assert!(assert_known(&shown, &known) > 12);
    let rests = shown
        .iter()
        .filter(|(timeline, _)| timeline.mode == ShownMode::Past && timeline.seeking_s.is_none());
    let mut rests: Vec<u64> = rests.map(|(timeline, _)| timeline.at.step).collect();
    rests.dedup();
    let expected = [
        2450, 0, 2400, 1000, 1400, 1000, 13, 2200, 2199, 2198, 2197, 2199, 1499, 1500, 2450, 2449,
        0,
    ];
    // What is gone to first may be there at once.
    let begin = usize::from(rests[0] != 2450);
    assert_eq!(rests, expected[begin..]);
    // Where it stood it went on.
    let plain = known_from(&model, &actions, done);
    assert_eq!(outcome.session.state_hash(), plain);
}

/// The hash of a plain session that does the same, at the end.
fn known_from(model: &Arc<Model>, actions: &[(u64, Action)], steps: u64) -> u64 {
    let mut session = Session::new(model.clone(), model.spec.sim.seed);
    for (at, action) in actions.iter().filter(|(at, _)| *at < steps) {
        session.steps(at - session.steps_done());
        session.act(action);
    }
    session.steps(steps - session.steps_done());
    session.state_hash()
}

#[test]
fn it_is_played_backwards_picture_by_picture_and_forwards_again() {
    let model = soccer();
    let actions = some_actions(&model);
    let known = known(&model, &actions, 2500);
    let mut script = scripted(&actions);
    script.push((2.4505, travel(Travel::Play(-1.0))));
    script.push((2.4505, travel(Travel::Play(2.0))));
    script.push((30.0, Request::Stop));
    let (_, shown) = run(setup(&model), script);
    assert_known(&shown, &known);
    let back = shown.iter().filter(|(timeline, _)| {
        timeline.mode == ShownMode::Past && timeline.playing && timeline.speed < 0.0
    });
    let back: Vec<u64> = back.map(|(timeline, _)| timeline.at.step).collect();
    assert!(back.is_sorted_by(|a, b| a >= b), "backwards");
    let gaps = back.windows(2).map(|pair| pair[0] - pair[1]);
    assert!(gaps.max().expect("some") <= 40, "at least every other picture of a screen: {back:?}");
    assert!(back.len() > 100, "{}", back.len());
    let ends = shown.iter().map(|(timeline, _)| timeline.at.step);
    assert!(ends.clone().filter(|step| *step == 0).count() >= 2, "to the first instant");
    let (last, _) = shown.last().expect("something");
    assert_eq!((last.at.step, last.playing, last.speed), (2450, false, 2.0), "to the newest");
}

#[test]
fn what_is_taken_over_goes_on_to_the_same_bits_and_its_log_replays() {
    let model = soccer();
    let actions = some_actions(&model);
    let known = known(&model, &actions, 3000);
    let memory = common::Memory::default();
    let header = common::header("soccer", &["driver=random"], &model);
    let log = LogWriter::new("log", memory.clone(), &header).expect("it is written");
    let (over, answer) = take_over(None, None);
    let mut script = scripted(&actions);
    script.push((2.4505, travel(Travel::Seek(1.85))));
    script.push((2.4505, over));
    script.push((2.4505, Request::Mark { done: Arc::default(), number: 1 }));
    script.push((100.0, Request::Stop));
    // 500 steps after the newest one: as far as 1.85 s and half a second.
    let setup = Setup { log: Some(log), steps: Some(2950), ..setup(&model) };
    let (outcome, shown) = run(setup, script);
    assert_eq!(*answer.lock().expect("told"), Some(Ok(())));
    let (last, _) = shown.last().expect("something");
    let origin = last.origin.clone().expect("it was taken over");
    assert_eq!((origin.from.step, &*origin.file), (1850, ""));
    assert_eq!(origin.state_hash, known.hashes[1850]);
    assert_eq!(outcome.session.steps_done(), 2950);
    assert_eq!(outcome.session.state_hash(), known.hashes[2350], "no other action came");
    // Both futures are there.
    let [future] = &last.futures[..] else { panic!("{} futures", last.futures.len()) };
    assert!((future.shift_s - 0.6).abs() < 1e-9, "{}", future.shift_s);
    let then = Arc::clone(&future.history).rerun(2300).map(|mut rerun| {
        let step = rerun.session().steps_done();
        rerun.advance(2300 - step).expect("it goes on");
        rerun.session().state_hash()
    });
    assert_eq!(then.expect("it is there"), known.hashes[2300]);
    let reader = LogReader::new("log", memory.text().into_bytes().leak() as &[u8]).expect("a log");
    let (session, replayed) = replay(reader).expect("it replays");
    assert_eq!(replayed.is_same(), Some(true));
    assert_eq!(session.state_hash(), outcome.session.state_hash());
}

#[test]
fn another_seed_changes_what_is_random_from_there_on_and_the_log_has_it() {
    let model = soccer();
    let known = known(&model, &[], 1800);
    let memory = common::Memory::default();
    let header = common::header("soccer", &["driver=random"], &model);
    let log = LogWriter::new("log", memory.clone(), &header).expect("it is written");
    let (over, answer) = take_over(Some(77), None);
    let script = vec![(1.2505, travel(Travel::Seek(1.0))), (1.2505, over)];
    let setup = Setup { log: Some(log), steps: Some(1750), ..setup(&model) };
    let (outcome, _) = run(setup, script);
    assert_eq!(*answer.lock().expect("told"), Some(Ok(())));
    assert_eq!(outcome.session.world().state().seed, 77);
    assert_ne!(outcome.session.state_hash(), known.hashes[1500]);
    let reader = LogReader::new("log", memory.text().into_bytes().leak() as &[u8]).expect("a log");
    let (session, replayed) = replay(reader).expect("it replays");
    assert_eq!(replayed.is_same(), Some(true));
    assert_eq!(session.world().state().seed, 77);
}

#[test]
fn other_settings_take_the_state_with_them_where_they_fit_and_are_refused_where_not() {
    let model = soccer();
    let loaded = |sets: &[&str]| {
        let sets: Vec<&str> = [&["driver=random"], sets].concat();
        let model = common::model("soccer", &sets);
        let mut loaded = Loaded::new("soccer", model, None);
        loaded.source = Some(common::bundle("soccer", &sets));
        Arc::new(loaded)
    };
    let known = known(&model, &[], 1300);
    let (over, answer) = take_over(None, Some(loaded(&["ball.ball.mass=0.08"])));
    let (other, refused) = take_over(None, Some(loaded(&["robot.yellow-3.name=other"])));
    let script = vec![
        (1.2505, travel(Travel::Seek(1.0))),
        (1.2505, other),
        (1.2505, over),
        (1.2506, Request::Pause),
        (1.3, Request::Stop),
    ];
    let (outcome, shown) = run(setup(&model), script);
    let told = refused.lock().expect("told").take();
    assert!(matches!(told, Some(Err(TravelRefusal::Settings(_)))), "{told:?}");
    assert_eq!(*answer.lock().expect("told"), Some(Ok(())));
    let (_, frame) = shown.last().expect("something");
    assert_eq!(frame.bodies, known.frames[1000].bodies);
    assert_ne!(outcome.session.world().model().fingerprint, model.fingerprint);
}

#[test]
fn what_cannot_be_gone_back_to_is_refused_and_old_things_are_forgotten() {
    let model = model("open-loop", &[]);
    let nothing = Setup { steps: Some(100), ..Setup::new("open-loop", model.clone()) };
    let (outcome, shown) = run(nothing, vec![(0.0505, travel(Travel::Stop))]);
    assert_eq!(outcome.report.refused_requests, 0, "it stands nowhere else");
    assert!(shown.iter().all(|(timeline, _)| timeline.mode == ShownMode::Live));
    let nothing = Setup { steps: Some(100), ..Setup::new("open-loop", model.clone()) };
    let live = Live::with_clock(
        nothing,
        PlayedClock::new(LOOK_S, vec![(0.0505, travel(Travel::Seek(0.0)))]),
    );
    assert_eq!(live.run().report.refused_requests, 1, "nothing is kept");
    let keep = Keep { seconds: 3.0, ..Keep::MINUTE };
    let short = Setup { keep, steps: Some(20_000), ..Setup::new("open-loop", model.clone()) };
    let (_, shown) = run(short, vec![]);
    let (last, _) = shown.last().expect("something");
    let kept_s = last.span[1].time_s - last.span[0].time_s;
    assert!((3.0..=4.1).contains(&kept_s), "{kept_s} s");
}

#[test]
fn what_is_kept_takes_no_more_memory_than_is_told() {
    for (name, sets) in
        [("soccer", &["driver=random"][..]), ("hall", &[]), ("hills", &[]), ("crowd", &[])]
    {
        let model = model(name, sets);
        let mut session = Session::new(model, 1);
        session.steps(300);
        let told = kept_bytes(session.simulation());
        let before = rolima_testing::heap::held();
        let kept = session.simulation().keep();
        let held = rolima_testing::heap::held() - before;
        assert!(held > 0 && held as usize <= told, "{name}: {held} bytes, told {told}");
        drop(kept);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rolima_testing::samples(6, 200)))]
    #[test]
    fn whatever_is_done_scrubbed_and_taken_over_is_what_a_plain_run_does(
        pushes in prop::collection::vec((0u64..1500, 0usize..7, -0.03..0.03f64, -0.03..0.03f64), 0..12),
        scrubs in prop::collection::vec(0u64..1500, 1..6),
        over in 0u64..1500,
    ) {
        let model = soccer();
        let mut actions: Vec<(u64, Action)> = pushes
            .iter()
            .map(|&(step, body, x, y)| {
                let (body, impulse) = (BodyId(body as u32), Vec2::new(x, y));
                (step, Action::Push { body, point: Vec2::new(y, x), impulse })
            })
            .collect();
        actions.sort_by_key(|(step, _)| *step);
        let known = known(&model, &actions, 1500);
        let mut script = scripted(&actions);
        let seek = |step: u64| (1.5005, travel(Travel::Seek(step as f64 * STEP_S)));
        script.extend(scrubs.iter().map(|step| seek(*step)));
        let (request, answer) = take_over(None, None);
        script.extend([seek(over), (1.5005, request)]);
        let setup = Setup { steps: Some(1800), ..setup(&model) };
        let (outcome, shown) = run(setup, script);
        prop_assert_eq!(answer.lock().expect("told").clone(), Some(Ok(())));
        assert_known(&shown, &known);
        // From there on nobody did anything.
        let before: Vec<_> = actions.into_iter().filter(|(step, _)| *step <= over).collect();
        let expected = known_all(&model, &before, over + 300);
        prop_assert_eq!(outcome.session.state_hash(), expected);
    }
}

/// The same where actions at the last step count, too.
fn known_all(model: &Arc<Model>, actions: &[(u64, Action)], steps: u64) -> u64 {
    let mut session = Session::new(model.clone(), model.spec.sim.seed);
    for (at, action) in actions {
        session.steps(at - session.steps_done());
        session.act(action);
    }
    session.steps(steps - session.steps_done());
    session.state_hash()
}
