//! Lock step: the bits depend on what controllers answer, never on when.

mod common;

use common::model;
use common::played::{Camera, PlayedClock};
use rolima_core::{Command, Frame, Model, Volts};
use rolima_math::{Stream, Vec2};
use rolima_run::Speed;
use rolima_run::live::log::{Header, LogReader, LogWriter, replay};
use rolima_run::live::{
    Act, Live, Mailbox, Outcome, Player, Request, Setup, TurnSink, Undelivered,
};
use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

const STEPS: u64 = 2_000;

fn soccer() -> Arc<Model> {
    model("soccer", &["driver=none"])
}

/// Hands frames to a controller's thread.
struct Turns(Sender<Frame>);

impl TurnSink for Turns {
    fn turn(&mut self, frame: &Frame) {
        // A controller that is gone is told to nobody.
        let _ = self.0.send(frame.clone());
    }
}

/// What a controller commands, from what it sees: chases the ball with its robots.
fn answer(controller: u32, frame: &Frame) -> Vec<(u32, Command)> {
    let robots = if controller == 1 { [0, 1] } else { [1, 2] };
    let ball = frame.bodies.iter().find(|b| b.kind == rolima_core::model::BodyKind::Ball);
    let ball = ball.map_or(Vec2::ZERO, |b| b.pose.position);
    let volts = |robot: u32| {
        let to = frame.bodies[robot as usize].pose.inverse_transform(ball);
        let direction = to.unit_or(Vec2::new(1.0, 0.0));
        let (drive, turn) = (5.0 * direction.x, 2.0 * direction.y * f64::from(controller));
        Command::Volts(Volts { right: drive + turn, left: drive - turn })
    };
    robots.map(|robot| (robot, volts(robot))).to_vec()
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
    let mut player = Player::new(model.clone(), model.spec.sim.seed);
    for step in 0..STEPS {
        let frame = player.world().frame();
        for (number, period) in (1..).zip(periods) {
            if step % period == 0 {
                for (robot, command) in answer(number, &frame) {
                    player.act(&Act::Command { robot, command });
                }
            }
        }
        player.steps(1);
    }
    player.state_hash()
}

#[test]
fn controllers_that_answer_whenever_they_like_give_the_same_bits() {
    let model = soccer();
    let periods = [1, 3];
    let expected = direct(&model, periods);
    for dawdle in 0..6u64 {
        let path = std::env::temp_dir()
            .join(format!("rolima-lock-step-{}-{dawdle}.log", std::process::id()));
        let header = Header::new("soccer", &[], &model, model.spec.sim.seed);
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
        assert_eq!(outcome.player.state_hash(), expected, "dawdling {dawdle}");
        let answered: u64 = threads.into_iter().map(|t| t.join().unwrap()).sum();
        assert!(answered >= STEPS + STEPS.div_ceil(3), "{answered}");
        // What they answered is in the log.
        let mut player = Player::new(model.clone(), model.spec.sim.seed);
        let reader = LogReader::open(&path).unwrap();
        let replayed = replay(reader, &mut player, &mut |_, _| Err("none".to_owned())).unwrap();
        assert_eq!((replayed.state_hash, replayed.is_same()), (expected, Some(true)));
        std::fs::remove_file(&path).unwrap();
    }
}

/// A controller that never says anything.
struct Silent;

impl TurnSink for Silent {
    fn turn(&mut self, _: &Frame) {}
}

fn played(setup: Setup, script: Vec<(f64, Request)>) -> (Outcome, Camera) {
    let camera = Camera::default();
    let mut live = Live::with_clock(setup, PlayedClock::new(1e-7, script));
    live.add_outlet(Box::new(camera.clone()));
    (live.run(), camera)
}

fn join(controller: u32, period: u64) -> Request {
    Request::Join { controller, period, turns: Box::new(Silent) }
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
        (0.8, Request::Leave { controller: 5 }),
        (0.9, say(6, 15)),
        (1.0, Request::Leave { controller: 6 }),
        (2.0, Request::Stop),
    ];
    let (outcome, camera) = played(setup, script);
    assert_eq!(outcome.report.refused_requests, 2);
    let album = camera.0.lock().expect("nobody panicked");
    let at = |wall_s: f64| {
        let seen = &album.moments[(wall_s * 1e3) as usize];
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
    assert!(album.moments.iter().all(|seen| seen.status.lock_step));
    assert_eq!(outcome.report.missed, 0, "waiting for a controller is no lag");
}

#[test]
fn what_others_do_while_the_world_waits_takes_effect_at_that_step() {
    let model = soccer();
    let push =
        |slot| Act::Push { slot, point: Vec2::new(0.01, 0.0), impulse: Vec2::new(0.02, 0.01) };
    let setup = Setup { lock_step: Some(1), steps: Some(20), ..Setup::new("s", model.clone()) };
    let script = vec![
        (0.1, join(1, 10)),
        (0.2, say(1, 0)),
        (5.0, Request::Act(push(0))),
        (5.1, Request::Act(push(1))),
        (9.0, say(1, 10)),
    ];
    let (outcome, _) = played(setup, script);
    let mut player = Player::new(model.clone(), model.spec.sim.seed);
    player.steps(10);
    assert!(player.act(&push(0)) && player.act(&push(1)));
    player.steps(10);
    assert_eq!(outcome.player.state_hash(), player.state_hash());
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
    assert_eq!(outcome.player.world().state().step, 20);
}

#[test]
fn without_lock_step_nobody_can_join() {
    let setup = Setup { steps: Some(100), ..Setup::new("s", soccer()) };
    let (outcome, _) = played(setup, vec![(0.01, join(1, 1)), (0.02, say(1, 0))]);
    assert_eq!((outcome.report.steps, outcome.report.refused_requests), (100, 2));
}
