//! Controllers in lock step, on real sockets, of a real live run.

use crate::common;

use common::live::{Viewer, connect};
use common::pictures::{decoded, taken};
use common::running::Running;
use rolima_core::{EventKind, RobotId, Volts, World};
use rolima_wire::EventNow;
use rolima_wire::pb::{self, client_message, server_message::Kind};

fn join(viewer: &mut Viewer, period: u32) {
    viewer.say(client_message::Kind::Join(pb::Join { period }));
}

fn turn(viewer: &mut Viewer) -> pb::Turn {
    viewer.until(|kind| match kind {
        Kind::Turn(turn) => Some(turn),
        _ => None,
    })
}

fn answer(viewer: &mut Viewer, step: u64, drives: &[pb::Drive]) {
    let drives = drives.to_vec();
    viewer.say(client_message::Kind::Answer(pb::Answer { step, drives }));
}

fn full(body: u32) -> pb::Drive {
    pb::Drive { body, left: 9.0, right: 9.0, ..pb::Drive::default() }
}

#[test]
fn turns_tell_all_events_in_words_and_contacts() {
    // A match with a goal.
    const SEED: u64 = 1;
    let run = Running::in_lock_step_with_seed("soccer", 1, SEED);
    let mut controller = connect(run.address());
    join(&mut controller, 30);
    let mut world = World::with_seed(run.model.clone(), SEED);
    let (mut expected, mut told, mut dropped, mut presses) = (vec![], vec![], 0, 0);
    loop {
        let turn = turn(&mut controller);
        let frame = turn.frame.expect("a frame");
        assert!(frame.key);
        while world.state().step < turn.step {
            world.step();
            expected.extend(world.take_events());
        }
        // The very contacts of the step that the world waits at.
        let contact_points: Vec<_> = world.contact_points().map(|p| p.point.x as f32).collect();
        assert_eq!(frame.contact_x, contact_points);
        presses += contact_points.len();
        told.extend(frame.events);
        dropped += frame.events_dropped;
        if turn.step >= 30_000 {
            break;
        }
        answer(&mut controller, turn.step, &[]);
    }
    let kinds = |kind: EventKind| expected.iter().filter(|event| event.kind() == kind).count();
    assert!(kinds(EventKind::Goal) >= 1 && kinds(EventKind::Impact) >= 20 && presses > 0);
    assert_eq!((told.len(), dropped), (expected.len(), 0));
    for (told, expected) in told.iter().zip(&expected) {
        assert_eq!((told.step, told.kind.as_str()), (expected.step, expected.kind().name()));
        assert_eq!(told.value, EventNow::of(0, expected).value);
    }
    let goal = told.iter().find(|event| event.kind == "goal").expect("a goal");
    assert!(["Goal for blue", "Goal for yellow"].contains(&goal.text.as_str()), "{}", goal.text);
}

#[test]
fn a_controller_sees_what_it_watches_at_every_turn() {
    let run = Running::in_lock_step("maze", 1);
    let mut controller = connect(run.address());
    controller.say(client_message::Kind::Watch(pb::Watch {
        bodies: vec![0],
        pictures: false,
        world: false,
    }));
    join(&mut controller, 7);
    let by = pb::drive::By::Velocity.into();
    let mut world = World::new(run.model.clone());
    for number in 0..100u16 {
        let turn = turn(&mut controller);
        world.steps(turn.step - world.state().step);
        let expected: Vec<f32> = world.state().senses.readings.iter().map(|x| *x as f32).collect();
        let [readings] = turn.readings.as_slice() else { panic!("{:?}", turn.readings) };
        assert_eq!((readings.step, readings.body), (turn.step, 0));
        assert_eq!(readings.values, expected, "step {}", turn.step);
        assert_eq!(readings.sigmas.len(), 4);
        assert_eq!(readings.sigmas[0].values[0], if number > 50 { 0.25 } else { 0.0 });
        if number == 50 {
            let sigma = pb::Sigma { body: 0, sensor: 0, axis: 0, sigma: 0.25, world: false };
            controller.say(client_message::Kind::Sigma(sigma));
            world.set_sigma(0, 0, 0.25).expect("a sensor");
        }
        let (speed, turning) = (0.5, f32::from(number) / 100.0);
        let drive = pb::Drive { by, speed, turning, ..pb::Drive::default() };
        answer(&mut controller, turn.step, &[drive]);
        let (v, omega) = (speed.into(), turning.into());
        world.command(RobotId(0), rolima_core::Command::Velocity { v, omega }).expect("a command");
    }
    // Nobody wants to see anything more.
    controller.say(client_message::Kind::Watch(pb::Watch::default()));
    let last = turn(&mut controller);
    answer(&mut controller, last.step, &[]);
    assert_eq!(turn(&mut controller).readings, []);
}

#[test]
fn pictures_come_with_the_turn_after_they_were_taken_also_after_a_reset() {
    let run = Running::in_lock_step("maze", 1);
    let mut controller = connect(run.address());
    controller.say(client_message::Kind::Watch(pb::Watch {
        bodies: vec![0],
        pictures: true,
        world: false,
    }));
    join(&mut controller, 50);
    let mut world = World::new(run.model.clone());
    // One turn, then three, then one again with other commands: the same numbers, other pictures.
    for (turns, turning) in [(1, 0.5), (3, -0.5), (1, 0.25), (2, 0.75)] {
        let mut last = 0;
        for _ in 0..=turns {
            let turn = turn(&mut controller);
            world.steps(turn.step - world.state().step);
            let numbers = world.state().senses.camera_noise(3).expect("a camera").taken;
            let new: &[u64] = if numbers > last { &[numbers] } else { &[] };
            let told: Vec<u64> = turn.pictures.iter().map(|picture| picture.number).collect();
            assert_eq!(told, new, "step {}", turn.step);
            last = numbers;
            for picture in turn.pictures {
                assert_eq!((picture.body, picture.sensor), (0, 3));
                assert_eq!(picture.step, world.exposure(3).expect("a camera").step);
                assert!(decoded(&picture.png) == taken(&world, 3), "step {}", turn.step);
            }
            let by = pb::drive::By::Velocity.into();
            let drive = pb::Drive { by, speed: 1.0, turning, ..pb::Drive::default() };
            answer(&mut controller, turn.step, &[drive]);
            let command = rolima_core::Command::Velocity { v: 1.0, omega: turning.into() };
            world.command(RobotId(0), command).expect("a command");
        }
        assert!(last > 0, "a picture was taken");
        // The turn that the reset makes void comes first.
        turn(&mut controller);
        controller.control(pb::control::Kind::Reset(true));
        world.reset();
    }
}

#[test]
fn another_scene_is_told_before_its_first_turn() {
    let run = Running::in_lock_step("soccer", 1);
    let mut controller = connect(run.address());
    // Joined before anything was read.
    join(&mut controller, 10);
    for (generation, scene) in [(1, "soccer"), (2, "maze"), (3, "soccer")] {
        let told = controller.until(|kind| match kind {
            Kind::Scene(scene) => Some(scene),
            Kind::Turn(turn) => {
                let of = turn.frame.map(|frame| frame.generation);
                assert!(of < Some(generation), "its scene comes first");
                None
            }
            _ => None,
        });
        assert_eq!((told.generation, told.name.as_str()), (generation, scene));
        let first = turn(&mut controller);
        let frame = first.frame.expect("a frame");
        assert_eq!(
            (first.step, frame.generation, frame.x.len()),
            (0, generation, told.bodies.len())
        );
        answer(&mut controller, 0, &[]);
        let next = if scene == "soccer" { "maze" } else { "soccer" };
        controller.control(pb::control::Kind::Load(next.to_owned()));
    }
}

/// Which of the first robots are driven from outside.
fn driven(turn: &pb::Turn) -> [bool; 4] {
    let flags = &turn.frame.as_ref().expect("a frame").flags;
    [0, 1, 2, 3].map(|robot| flags[robot] & 4 != 0)
}

#[test]
fn a_controllers_robots_are_its_own_while_it_thinks_and_nobodys_when_it_is_gone() {
    let run = Running::in_lock_step("soccer", 2);
    let (mut ana, mut rui) = (connect(run.address()), connect(run.address()));
    // Claimed before the world begins, but not before there is a scene; only the first one is commanded.
    ana.drivers(|drivers| drivers.is_empty());
    ana.claim(0);
    ana.claim(1);
    ana.drivers(|drivers| drivers.len() == 2);
    join(&mut ana, 10);
    join(&mut rui, 10);
    assert_eq!((turn(&mut ana).step, turn(&mut rui).step), (0, 0));
    answer(&mut ana, 0, &[full(0), full(2)]);
    answer(&mut rui, 0, &[full(0), full(3), full(9)]);
    assert_eq!(rui.notice(), "guest 1 drives blue-1. So it is with 1 more.");
    let second = turn(&mut rui);
    assert_eq!(driven(&second), [true; 4]);
    // However long it takes to answer, nothing is stopped: the world waits.
    assert_eq!(turn(&mut ana).step, 10);
    let mut watcher = connect(run.address());
    watcher.until(|kind| matches!(kind, Kind::Frame(frame) if frame.step == 10).then_some(()));
    (0..20).for_each(|_| assert_eq!(watcher.frame().step, 10));
    drop(ana);
    answer(&mut rui, 10, &[]);
    let third = turn(&mut rui);
    assert_eq!((third.step, driven(&third)), (20, [false, false, false, true]));
    let frame = third.frame.expect("a frame");
    assert_eq!((frame.volts_left[3], frame.volts_right[3]), (9.0, 9.0));
    let full = Volts { right: 9.0, left: 9.0 };
    // The same without sockets.
    let mut world = World::new(run.model.clone());
    world.stop(RobotId(1)).expect("a robot");
    for robot in [0, 2, 3] {
        world.command(RobotId(robot), full).expect("a robot");
    }
    world.steps(10);
    (0..3).for_each(|robot| world.release(RobotId(robot)));
    world.steps(10);
    let expected: Vec<f32> =
        world.frame().bodies.iter().map(|b| b.pose.position.x as f32).collect();
    assert_eq!(frame.x, expected);
}

#[test]
fn a_run_that_is_not_in_lock_step_refuses_and_shows_frames_on() {
    let run = Running::start("soccer");
    let mut viewer = connect(run.address());
    join(&mut viewer, 10);
    assert_eq!(viewer.notice(), "Refused: this run is not in lock step.");
    let step = viewer.frame().step;
    viewer.until(|kind| matches!(kind, Kind::Frame(frame) if frame.step > step).then_some(()));
    viewer.claim(0);
    viewer.drivers(|drivers| drivers.len() == 1);
    drop(viewer);
    let mut next = connect(run.address());
    next.drivers(<[_]>::is_empty);
    next.claim(0);
    next.drivers(|drivers| drivers.len() == 1);
}
