//! Lock step: the bits depend on what controllers answer, never on when.

use crate::common;

use common::model;
use common::played::{Camera, PlayedClock};
use rolima_core::{BodyId, Command, Event, EventKind, Frame, Model, RobotId, Volts, World};
use rolima_math::{Stream, Vec2};
use rolima_run::Speed;
use rolima_run::live::log::{LogReader, LogWriter, replay};
use rolima_run::live::{
    Action, Live, Mailbox, PublishedTurn, Request, RunOutcome, Session, Setup, TurnSink,
    Undelivered,
};
use rolima_run::live::{MOST_EVENTS_TOLD, thin_events};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

const STEPS: u64 = 2_000;
const SETS: [&str; 1] = ["driver=none"];

fn soccer() -> Arc<Model> {
    model("soccer", &SETS)
}

/// Hands frames to a controller's thread.
struct Turns(Sender<Frame>);

impl TurnSink for Turns {
    fn turn(&mut self, turn: &PublishedTurn<'_>) {
        // A controller that is gone is told to nobody.
        let _ = self.0.send(turn.frame.clone());
    }
}

/// What a controller commands, from what it sees: chases the ball with its robots.
fn answer(controller: u32, frame: &Frame) -> Vec<(RobotId, Command)> {
    let robots = if controller == 1 { [0, 1] } else { [1, 2] };
    let ball = frame.bodies.iter().find(|b| b.kind == rolima_core::model::BodyKind::Ball);
    let ball = ball.map_or(Vec2::ZERO, |b| b.pose.position);
    let volts = |robot: u32| {
        let to = frame.bodies[robot as usize].pose.inverse_transform(ball);
        let direction = to.unit_or(Vec2::new(1.0, 0.0));
        let (drive, turn) = (5.0 * direction.x, 2.0 * direction.y * f64::from(controller));
        Command::Volts(Volts { right: drive + turn, left: drive - turn })
    };
    robots.map(|robot| (RobotId(robot), volts(robot))).to_vec()
}

/// A controller on a thread of its own that dawdles at random.
fn controller(mailbox: Mailbox, number: u32, period: u64, dawdle: u64) -> JoinHandle<u64> {
    let (sender, turns) = channel();
    let turns_sink = Box::new(Turns(sender));
    mailbox.send(Request::Join { controller: number, period, turns: turns_sink }).expect("room");
    std::thread::spawn(move || {
        let mut rng = Stream::new(dawdle, u64::from(number), "dawdle");
        let mut answered = 0;
        while let Ok(frame) = turns.recv() {
            for _ in 0..rng.next_u64() % 50 {
                std::thread::yield_now();
            }
            let commands = answer(number, &frame);
            let request = Request::Answer { controller: number, step: frame.step, commands };
            if mailbox.send(request) == Err(Undelivered::Ended) {
                break;
            }
            answered += 1;
        }
        answered
    })
}

/// The same without threads.
fn direct(model: &Arc<Model>, periods: [u64; 2]) -> u64 {
    let mut session = Session::new(model.clone(), model.spec.sim.seed);
    for step in 0..STEPS {
        let frame = session.world().frame();
        for (number, period) in (1..).zip(periods) {
            if step % period == 0 {
                for (robot, command) in answer(number, &frame) {
                    session.act(&Action::Command { robot, command });
                }
            }
        }
        session.steps(1);
    }
    session.state_hash()
}

#[test]
fn controllers_that_answer_whenever_they_like_give_the_same_bits() {
    let model = soccer();
    let periods = [1, 3];
    let expected = direct(&model, periods);
    let header = common::header("soccer", &SETS, &model);
    for dawdle in 0..6u64 {
        let path = std::env::temp_dir()
            .join(format!("rolima-lock-step-{}-{dawdle}.log", std::process::id()));
        let speed = if dawdle == 0 { Speed::Factor(3.0) } else { Speed::Max };
        let live = Live::new(Setup {
            steps: Some(STEPS),
            speed,
            lock_step: Some(2),
            log: Some(LogWriter::create(&path, &header, true, Box::new(|_| {})).unwrap()),
            ..Setup::new("soccer", model.clone())
        });
        // They join in either order.
        let mut numbers = [1, 2];
        numbers.rotate_left(dawdle as usize % 2);
        let mailbox = live.mailbox();
        let threads = numbers.map(|number| {
            controller(mailbox.clone(), number, periods[number as usize - 1], dawdle)
        });
        let outcome = live.run();
        assert_eq!(outcome.session.state_hash(), expected, "dawdling {dawdle}");
        let answered: u64 = threads.into_iter().map(|t| t.join().unwrap()).sum();
        assert!(answered >= STEPS + STEPS.div_ceil(3), "{answered}");
        // What they answered is in the log.
        let (_, replayed) = replay(LogReader::open(&path).unwrap()).unwrap();
        assert_eq!((replayed.state_hash, replayed.is_same()), (expected, Some(true)));
        std::fs::remove_file(&path).unwrap();
    }
}

/// A controller that never says anything.
struct Silent;

impl TurnSink for Silent {
    fn turn(&mut self, _: &PublishedTurn<'_>) {}
}

fn played(setup: Setup, script: Vec<(f64, Request)>) -> (RunOutcome, Camera) {
    let camera = Camera::default();
    let mut live = Live::with_clock(setup, PlayedClock::new(1e-7, script));
    live.add_sink(Box::new(camera.clone()));
    (live.run(), camera)
}

fn join(controller: u32, period: u64) -> Request {
    Request::Join { controller, period, turns: Box::new(Silent) }
}

fn leave(controller: u32) -> Request {
    Request::Leave { controller, robots: vec![] }
}

fn say(controller: u32, step: u64) -> Request {
    Request::Answer { controller, step, commands: vec![] }
}

#[test]
fn the_world_waits_for_those_who_take_part_and_not_for_those_who_left() {
    let setup = Setup { lock_step: Some(1), ..Setup::new("soccer", soccer()) };
    let script = vec![
        (0.1, join(5, 10)),
        (0.2, say(5, 0)),
        (0.3, say(5, 0)),  // again
        (0.4, say(5, 20)), // not yet
        (0.5, join(6, 5)),
        (0.6, say(5, 10)),
        (0.7, say(6, 10)),
        (0.8, leave(5)),
        (0.9, say(6, 15)),
        (1.0, leave(6)),
        (2.0, Request::Stop),
    ];
    let (outcome, camera) = played(setup, script);
    assert_eq!(outcome.report.refused_requests, 2);
    let album = camera.0.lock().expect("nobody panicked");
    let at = |wall_s: f64| {
        let seen = &album.publications[(wall_s * 1e3) as usize];
        (seen.step, seen.status.controllers, seen.status.awaited)
    };
    assert_eq!(at(0.05), (0, 0, 0), "nobody takes part");
    assert_eq!(at(0.15), (0, 1, 1));
    assert_eq!(at(0.25), (10, 1, 1));
    assert_eq!(at(0.45), (10, 1, 1), "answers that do not fit change nothing");
    assert_eq!(at(0.55), (10, 2, 2));
    assert_eq!(at(0.65), (10, 2, 1));
    assert_eq!(at(0.75), (15, 2, 1));
    assert_eq!(at(0.85), (15, 1, 1));
    assert_eq!(at(0.95), (20, 1, 1));
    assert_eq!(at(1.5), (20, 0, 0));
    assert!(album.publications.iter().all(|seen| seen.status.lock_step));
    assert_eq!(outcome.report.missed, 0, "waiting for a controller is no lag");
}

#[test]
fn what_others_do_while_the_world_waits_takes_effect_at_that_step() {
    let model = soccer();
    let push = |body| Action::Push {
        body: BodyId(body),
        point: Vec2::new(0.01, 0.0),
        impulse: Vec2::new(0.02, 0.01),
    };
    let setup = Setup { lock_step: Some(1), steps: Some(20), ..Setup::new("s", model.clone()) };
    let script = vec![
        (0.1, join(1, 10)),
        (0.2, say(1, 0)),
        (5.0, Request::Action(push(0))),
        (5.1, Request::Action(push(1))),
        (9.0, say(1, 10)),
    ];
    let (outcome, _) = played(setup, script);
    let mut session = Session::new(model.clone(), model.spec.sim.seed);
    session.steps(10);
    assert!(session.act(&push(0)) && session.act(&push(1)));
    session.steps(10);
    assert_eq!(outcome.session.state_hash(), session.state_hash());
}

/// A controller on the loop's thread: answers every turn with the same command for its robots, keeps
/// what it was told, and leaves after so many turns.
struct Scripted {
    number: u32,
    mailbox: Mailbox,
    robots: Vec<u32>,
    turns_left: u64,
    told: Told,
}

/// Events by turn, and how many were left out.
type Told = Arc<Mutex<Vec<(u64, Vec<Event>, u64)>>>;

impl TurnSink for Scripted {
    fn turn(&mut self, turn: &PublishedTurn<'_>) {
        let step = turn.frame.step;
        let told = (step, turn.events.to_vec(), turn.events_left_out);
        self.told.lock().expect("nobody panicked").push(told);
        let full = Command::Volts(Volts { right: 9.0, left: 9.0 });
        let commands = self.robots.iter().map(|&robot| (RobotId(robot), full)).collect();
        let controller = self.number;
        let answered = self.mailbox.send(Request::Answer { controller, step, commands });
        self.turns_left -= 1;
        if self.turns_left == 0 {
            let _ = answered.and_then(|()| self.mailbox.send(leave(controller)));
        }
    }
}

/// Runs soccer with controllers: robots, period and turns of each.
fn scripted(
    setup: Setup,
    controllers: &[(&[u32], u64, u64)],
    sink: Option<Camera>,
) -> (RunOutcome, Vec<Told>) {
    let mut live = Live::new(setup);
    sink.into_iter().for_each(|camera| live.add_sink(Box::new(camera)));
    let mailbox = live.mailbox();
    let mut all_told = vec![];
    for (number, (robots, period, turns_left)) in (1..).zip(controllers.iter().copied()) {
        let told = Told::default();
        all_told.push(Arc::clone(&told));
        let (mailbox, robots) = (mailbox.clone(), robots.to_vec());
        let turns = Box::new(Scripted { number, mailbox, robots, turns_left, told });
        live.mailbox().send(Request::Join { controller: number, period, turns }).expect("room");
    }
    (live.run(), all_told)
}

#[test]
fn turns_tell_every_event_once_whoever_looks_and_however_fast() {
    let model = model("soccer", &[]);
    let steps = 20_000;
    let mut world = World::new(model.clone());
    let mut expected = vec![];
    for _ in 0..steps {
        world.step();
        expected.extend(world.take_events());
    }
    let impacts = expected.iter().filter(|event| event.kind() == EventKind::Impact).count();
    assert!(impacts > 20, "{impacts}");
    for (camera, speed) in
        [(None, Speed::Max), (Some(Camera::default()), Speed::Max), (None, Speed::Factor(50.0))]
    {
        let setup = Setup { steps: Some(steps), speed, ..Setup::new("soccer", model.clone()) };
        let setup = Setup { lock_step: Some(2), ..setup };
        let others: &[(&[u32], u64, u64)] = &[(&[], 30, u64::MAX), (&[], 100, u64::MAX)];
        let (_, told) = scripted(setup, others, camera.clone());
        for (told, period) in told.iter().zip([30, 100]) {
            let told = told.lock().expect("nobody panicked");
            for (before, now) in told.iter().zip(&told[1..]) {
                assert_eq!(now.0, before.0 + period);
                // An event has the number of the step during which it was.
                let is_between = |event: &Event| (before.0..now.0).contains(&event.step);
                assert!(now.1.iter().all(is_between), "{now:?}");
            }
            let last = told.last().expect("turns").0;
            let all: Vec<Event> = told.iter().flat_map(|turn| turn.1.clone()).collect();
            let up_to_last = expected.iter().filter(|event| event.step < last).copied();
            assert_eq!(all, up_to_last.collect::<Vec<_>>());
            assert!(told.iter().all(|turn| turn.2 == 0));
        }
        // Others are told them as well.
        let Some(camera) = camera else { continue };
        let album = camera.0.lock().expect("nobody panicked");
        let seen =
            album.publications.iter().flat_map(|publication| publication.events.iter().copied());
        assert_eq!(seen.collect::<Vec<_>>(), expected);
    }
}

#[test]
fn of_a_long_wait_the_most_important_events_are_told_and_the_rest_is_counted() {
    let model = model("crowd", &[]);
    let steps = 1_500;
    let mut world = World::new(model.clone());
    let mut happened = vec![];
    for _ in 0..steps {
        world.step();
        assert_eq!(world.log().dropped(), 0);
        happened.extend(world.take_events());
    }
    assert!(happened.len() > 2 * MOST_EVENTS_TOLD, "{}", happened.len());
    let setup = Setup { steps: Some(steps + 1), speed: Speed::Max, ..Setup::new("crowd", model) };
    let setup = Setup { lock_step: Some(1), ..setup };
    let (_, told) = scripted(setup, &[(&[], steps, u64::MAX)], None);
    let told = told[0].lock().expect("nobody panicked");
    let left_out = thin_events(&mut happened, MOST_EVENTS_TOLD, Event::kind);
    assert_eq!(told[1], (steps, happened, left_out as u64));
}

#[test]
fn robots_of_a_controller_that_left_are_driven_by_their_own_drivers_again_in_a_replay_too() {
    // The first two have drivers; the third has none.
    let sets = ["robot.blue-3.driver.kind=none"];
    let model = model("soccer", &sets);
    let path = std::env::temp_dir().join(format!("rolima-left-{}.log", std::process::id()));
    let header = common::header("soccer", &sets, &model);
    let mut hashes = vec![];
    for speed in [Speed::Max, Speed::Factor(20.0), Speed::Max] {
        let setup = Setup { steps: Some(4_000), speed, ..Setup::new("soccer", model.clone()) };
        let log = Some(LogWriter::create(&path, &header, true, Box::new(|_| {})).unwrap());
        let setup = Setup { lock_step: Some(2), log, ..setup };
        let others: &[(&[u32], u64, u64)] = &[(&[0, 1, 2], 30, 10), (&[1], 50, u64::MAX)];
        let (outcome, _) = scripted(setup, others, None);
        let frame = outcome.session.world().frame();
        let is_driven = |robot: usize| frame.bodies[robot].overridden;
        assert_eq!([0, 1, 2].map(is_driven), [false, true, false], "the second one has robot 1");
        assert_eq!(frame.bodies[2].volts, [0.0; 2], "without a driver it gets no volts");
        assert_ne!(frame.bodies[0].volts, [9.0; 2]);
        // Same scene and answers, same bits: the one who left did so at its next turn.
        let (_, replayed) = replay(LogReader::open(&path).unwrap()).unwrap();
        assert_eq!(replayed.is_same(), Some(true));
        hashes.push(outcome.session.state_hash());
        let log = std::fs::read_to_string(&path).unwrap();
        let lines =
            log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let released = lines.filter(|line| line["do"] == "release");
        let released: Vec<(Option<u64>, Option<u64>)> =
            released.map(|line| (line["step"].as_u64(), line["robot"].as_u64())).collect();
        // Robot 1 obeyed it since step 270, the other since 250 before that; it takes it again at once.
        assert_eq!(released, [0, 1, 2].map(|robot| (Some(300), Some(robot))));
    }
    std::fs::remove_file(&path).unwrap();
    assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:x?}");
}

#[test]
fn several_commands_take_effect_before_the_same_step() {
    let model = soccer();
    let volts = |v: f64| Command::Volts(Volts { right: v, left: v });
    let commands: Vec<_> = (0..6).map(|robot| (RobotId(robot), volts(f64::from(robot)))).collect();
    let setup = Setup { steps: Some(200), paused: true, ..Setup::new("s", model.clone()) };
    let script = vec![
        (0.1, Request::Step(100)),
        (0.5, Request::Commands(commands.clone())),
        (0.6, Request::Step(100)),
    ];
    let (outcome, _) = played(setup, script);
    let mut session = Session::new(model.clone(), model.spec.sim.seed);
    session.steps(100);
    for (robot, command) in commands {
        session.act(&Action::Command { robot, command });
    }
    session.steps(100);
    assert_eq!(outcome.session.state_hash(), session.state_hash());
}

#[test]
fn a_reset_asks_everybody_anew() {
    let model = soccer();
    let setup = Setup { lock_step: Some(1), steps: Some(30), ..Setup::new("s", model.clone()) };
    let script = vec![
        (0.1, join(1, 10)),
        (0.2, say(1, 0)),
        (0.3, Request::Reset),
        (0.4, say(1, 10)), // the turn that the reset made void
        (0.5, say(1, 0)),
        (0.6, say(1, 10)),
    ];
    let (outcome, _) = played(setup, script);
    assert_eq!(outcome.report.refused_requests, 1);
    assert_eq!(outcome.session.world().state().step, 20);
}

#[test]
fn without_lock_step_nobody_can_join() {
    let setup = Setup { steps: Some(100), ..Setup::new("s", soccer()) };
    let (outcome, _) = played(setup, vec![(0.01, join(1, 1)), (0.02, say(1, 0))]);
    assert_eq!((outcome.report.steps, outcome.report.refused_requests), (100, 2));
}
