//! What viewers can do.

use crate::common;

use common::live::{PATIENCE, Run, Seen, Viewer, connect, options, wait_until};
use rolima_core::{BodyId, RobotId, Volts};
use rolima_run::Speed;
use rolima_run::live::{Action, Undelivered};
use rolima_serve::{Backend, BlockPlace, Server, ServerLimits, ServerOptions};
use rolima_wire::pb::{self, client_message, server_message::Kind};
use rolima_wire::prost::Message as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;

#[test]
fn one_drives_a_robot_and_it_is_given_back_when_they_go() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    // No robot is stopped before its voltages were seen.
    let limits = ServerLimits { drive_silence: PATIENCE, ..ServerLimits::default() };
    let server = run.serve(ServerOptions { limits, ..options() });
    let (mut ana, mut rui) = (connect(server.address()), connect(server.address()));
    ana.frame();
    rui.frame();
    ana.say(client_message::Kind::NewName(pb::NewName { name: "Ana\n".to_owned() }));
    ana.claim(2);
    let drivers = rui.drivers(|drivers| drivers.len() == 1);
    assert_eq!((drivers[0].body, drivers[0].name.as_str()), (2, "Ana"));
    run.wait_for(|seen| *seen == Seen::Action(Action::Stop { robot: RobotId(2) }));

    rui.claim(2);
    assert_eq!(rui.notice(), "Ana drives blue-3.");
    rui.drive(2, 1.0, 1.0);
    assert_eq!(rui.notice(), "Ana drives blue-3.");
    rui.drive(1, 1.0, 1.0);
    assert_eq!(rui.notice(), "Claim blue-2 before you drive it.");
    rui.claim(6);
    assert_eq!(rui.notice(), "Body 6 is no robot.");

    ana.drive(2, 5.0, -3.0);
    let volts = Volts { right: -3.0, left: 5.0 };
    run.wait_for(|seen| *seen == Seen::Commands(vec![(RobotId(2), volts.into())]));
    rui.until(|kind| match kind {
        // Of the robots in the frame the one with number 2.
        Kind::Frame(frame) => {
            let at = if frame.key { 2 } else { frame.body.iter().position(|body| *body == 2)? };
            let driven = frame.flags[at] & 4 != 0;
            (driven && frame.volts_left[at] == 5.0 && frame.volts_right[at] == -3.0).then_some(())
        }
        _ => None,
    });
    // Gone without a word.
    drop(ana);
    rui.drivers(<[_]>::is_empty);
    run.wait_for(|seen| *seen == Seen::Action(Action::Release { robot: RobotId(2) }));
    rui.claim(2);
    rui.drivers(|drivers| drivers.len() == 1 && drivers[0].name == "guest 2");
}

fn drive_team(drives: &[pb::Drive]) -> client_message::Kind {
    client_message::Kind::DriveTeam(pb::DriveTeam { drives: drives.to_vec() })
}

fn by_volts(body: u32, left: f32, right: f32) -> pb::Drive {
    pb::Drive { body, left, right, ..pb::Drive::default() }
}

/// What the loop gets of drives by volts.
fn commanded(drives: &[pb::Drive]) -> Seen {
    let volts = |d: &pb::Drive| Volts { right: d.right.into(), left: d.left.into() };
    Seen::Commands(drives.iter().map(|drive| (RobotId(drive.body), volts(drive).into())).collect())
}

#[test]
fn a_team_is_driven_as_a_whole_or_refused_with_the_one_that_is_wrong() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let limits = ServerLimits { drive_silence: PATIENCE, ..ServerLimits::default() };
    let server = run.serve(ServerOptions { limits, ..options() });
    let (mut ana, mut rui) = (connect(server.address()), connect(server.address()));
    ana.frame();
    rui.claim(4);
    rui.drivers(|drivers| drivers.len() == 1);
    (0..3).for_each(|body| ana.claim(body));
    ana.drivers(|drivers| drivers.len() == 4);
    let by_speed =
        pb::Drive { body: 1, by: pb::drive::By::Velocity.into(), ..pb::Drive::default() };
    let nan = "drive_team.drives[2].left: expected a number within 1000000, got NaN";
    for (wrong, why) in [
        (by_volts(4, 1.0, 1.0), "guest 2 drives yellow-2."),
        (by_volts(3, 1.0, 1.0), "Claim yellow-1 before you drive it."),
        (by_volts(6, 1.0, 1.0), "Body 6 is no robot."),
        (by_volts(1, f32::NAN, 1.0), nan),
        (by_speed, "blue-2 has no speed controller: expected VOLTS."),
    ] {
        // What is good in it is refused, too.
        ana.say(drive_team(&[by_volts(0, 9.0, 9.0), by_volts(2, 9.0, 9.0), wrong]));
        assert_eq!(ana.notice(), why);
    }
    let good = [0, 1, 2].map(|body| by_volts(body, 1.0 + body as f32, -2.0));
    ana.say(drive_team(&good));
    run.wait_for(|seen| *seen == commanded(&good));
    let seen = run.seen.lock().expect("not poisoned");
    assert_eq!(seen.iter().filter(|seen| matches!(seen, Seen::Commands(_))).count(), 1);
}

#[test]
fn a_team_counts_as_one_message() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    // Six at once are taken.
    let limits =
        ServerLimits { drive_silence: PATIENCE, messages_per_second: 3, ..ServerLimits::default() };
    let server = run.serve(ServerOptions { limits, ..options() });
    let mut viewer = connect(server.address());
    viewer.frame();
    (0..3).for_each(|body| viewer.claim(body));
    viewer.drivers(|drivers| drivers.len() == 3);
    // Three more: with a message a robot there would be nine.
    let teams = [1.0, 2.0, 3.0].map(|v| [0, 1, 2].map(|body| by_volts(body, v, v)));
    teams.iter().for_each(|team| viewer.say(drive_team(team)));
    teams.iter().for_each(|team| run.wait_for(|seen| *seen == commanded(team)));
}

#[test]
fn a_silent_driver_stops_the_robot_and_a_reset_does_not_free_it() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let drive_silence = Duration::from_millis(100);
    let limits = ServerLimits { drive_silence, ..ServerLimits::default() };
    let server = run.serve(ServerOptions { limits, ..options() });
    let mut viewer = connect(server.address());
    viewer.frame();
    viewer.claim(0);
    viewer.drive(0, 4.0, 4.0);
    // By order, not by number: a busy machine is silent before it drives, too.
    let is_stopped_after = |what: &dyn Fn(&Seen) -> bool| {
        let seen = run.seen.lock().unwrap();
        let after = seen.iter().rposition(what).map(|at| &seen[at..]);
        after.is_some_and(|after| after.contains(&Seen::Action(Action::Stop { robot: RobotId(0) })))
    };
    wait_until(|| is_stopped_after(&|seen| matches!(seen, Seen::Commands(_))));
    viewer.control(pb::control::Kind::Reset(true));
    wait_until(|| is_stopped_after(&|seen| *seen == Seen::Reset));
    viewer.say(client_message::Kind::Claim(pb::Claim { body: 0, release: true }));
    run.wait_for(|seen| *seen == Seen::Action(Action::Release { robot: RobotId(0) }));
}

#[test]
fn a_command_that_holds_outlasts_the_silence_and_no_longer() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let drive_silence = Duration::from_millis(50);
    let limits = ServerLimits { drive_silence, ..ServerLimits::default() };
    let server = run.serve(ServerOptions { limits, ..options() });
    let mut viewer = connect(server.address());
    viewer.frame();
    viewer.claim(0);
    viewer.claim(1);
    let held = pb::Drive { left: 4.0, right: 4.0, hold_ms: 3000, ..pb::Drive::default() };
    viewer.say(client_message::Kind::Drive(held));
    viewer.drive(1, 4.0, 4.0);
    let stops = |wanted: u32| {
        let seen = run.seen.lock().unwrap();
        let is_command = |seen: &Seen| matches!(seen, Seen::Commands(all) if all.iter().any(|(robot, _)| robot.0 == wanted));
        let driven = seen.iter().position(is_command)?;
        let stop = Seen::Action(Action::Stop { robot: RobotId(wanted) });
        seen[driven..].iter().position(|seen| *seen == stop).map(|after| driven + after)
    };
    wait_until(|| stops(0).is_some());
    assert!(stops(1) < stops(0), "the one that was driven later, without a hold, is stopped first");
    // Too long a hold is refused, and nothing is driven by it.
    let endless = pb::Drive { hold_ms: 3001, ..held };
    viewer.say(client_message::Kind::Drive(endless));
    assert_eq!(viewer.notice(), "drive.hold_ms: expected at most 3000, got 3001");
}

#[test]
fn bodies_are_placed_pushed_and_held_by_their_numbers() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let mut viewer = connect(server.address());
    viewer.frame();
    const BALL: BodyId = BodyId(6);
    let place = pb::Place { body: 6, x: 0.3, y: -0.2, heading: 0.0 };
    viewer.say(client_message::Kind::Place(place));
    run.wait_for(
        |seen| matches!(seen, Seen::Action(Action::Place { body: BALL, pose }) if pose.position.x == 0.3),
    );
    let push = pb::Push { body: 6, x: 0.3, y: -0.2, impulse_x: 0.01, impulse_y: 0.0 };
    viewer.say(client_message::Kind::Push(push));
    run.wait_for(
        |seen| matches!(seen, Seen::Action(Action::Push { body: BALL, impulse, .. }) if impulse.x == 0.01),
    );
    let grab = pb::Grab { body: 6, own_x: 0.0, own_y: 0.0, x: 0.5, y: 0.5 };
    viewer.say(client_message::Kind::Grab(grab));
    run.wait_for(
        |seen| matches!(seen, Seen::Action(Action::Grab { body: BALL, hand, .. }) if hand.y == 0.5),
    );
    viewer.say(client_message::Kind::LetGo(pb::LetGo { body: 77 }));
    assert_eq!(viewer.notice(), "There is no body 77.");
    assert!(!run.has_seen(&Seen::Action(Action::LetGo { body: BALL })));
    drop(viewer);
    run.wait_for(|seen| *seen == Seen::Action(Action::LetGo { body: BALL }));
}

#[test]
fn speeds_and_seeds_arrive_and_nonsense_is_told() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let mut viewer = connect(server.address());
    viewer.frame();
    viewer.control(pb::control::Kind::Speed(2.5));
    run.wait_for(|seen| *seen == Seen::Speed(Speed::Factor(2.5)));
    viewer.control(pb::control::Kind::Speed(0.0));
    run.wait_for(|seen| *seen == Seen::Speed(Speed::Max));
    viewer.control(pb::control::Kind::Speed(f64::NAN));
    assert!(viewer.notice().starts_with("control.speed"));
    viewer.socket.send(Message::binary(vec![0xff; 100])).expect("sent");
    assert!(viewer.notice().starts_with("not a ClientMessage"));
    viewer.socket.send(Message::text("hello")).expect("sent");
    assert!(viewer.notice().contains("binary"));
    viewer.control(pb::control::Kind::Seed(9));
    run.wait_for(|seen| *seen == Seen::Seed(9));
}

#[test]
fn in_lock_step_the_world_waits_for_its_controller() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let server = run.serve(options());
    let mut controller = connect(server.address());
    controller.frame();
    controller.say(client_message::Kind::Join(pb::Join { period: 10 }));
    let turn = |viewer: &mut common::live::Viewer| {
        viewer.until(|kind| match kind {
            Kind::Turn(turn) => Some(turn),
            _ => None,
        })
    };
    let mut step = None;
    for _ in 0..5 {
        let asked = turn(&mut controller);
        let frame = asked.frame.expect("a frame");
        assert!(frame.key && frame.x.len() == 7 && frame.step == asked.step);
        assert!(step.is_none_or(|before| asked.step == before + 10), "{step:?} {}", asked.step);
        step = Some(asked.step);
        let drives = vec![pb::Drive { left: 1.0, right: 2.0, ..pb::Drive::default() }];
        controller.say(client_message::Kind::Answer(pb::Answer { step: asked.step, drives }));
        let volts = Volts { right: 2.0, left: 1.0 };
        run.wait_for(|seen| *seen == Seen::Answer(1, asked.step, vec![(RobotId(0), volts.into())]));
    }
    let last = turn(&mut controller).step;
    let mut watcher = connect(server.address());
    watcher.until(|kind| matches!(kind, Kind::Frame(frame) if frame.step == last).then_some(()));
    for _ in 0..20 {
        assert_eq!(watcher.frame().step, last, "it waits");
    }
    drop(controller);
    watcher.until(|kind| matches!(kind, Kind::Frame(frame) if frame.step > last).then_some(()));
    assert!(run.has_seen(&Seen::Leave(1, vec![])));
    watcher.say(client_message::Kind::Answer(pb::Answer { step: 1, drives: vec![] }));
    assert!(watcher.notice().contains("Join"));
}

#[test]
fn a_controller_may_take_longer_than_any_viewer_and_answer_faster_than_any() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let limits = ServerLimits {
        silence: Duration::from_millis(150),
        write_timeout: Duration::from_millis(150),
        messages_per_second: 20,
        ..ServerLimits::default()
    };
    let server = run.serve(ServerOptions { limits, ..options() });
    let turn = |viewer: &mut Viewer| loop {
        if let Kind::Turn(turn) = viewer.try_next()? {
            break Some(turn.step);
        }
    };
    // Until it has joined it is a viewer, and may be silent for too long on a busy machine.
    let mut joined = None;
    wait_until(|| {
        let mut viewer = connect(server.address());
        let join = client_message::Kind::Join(pb::Join { period: 1 });
        let step = viewer.try_say(join).and_then(|()| turn(&mut viewer));
        joined = step.map(|step| (viewer, step));
        joined.is_some()
    });
    let (mut controller, mut step) = joined.expect("it has joined");
    let cut_off = server.stats().cut_off;
    // Held in a debugger, it gives no sign, not even at a ping, for longer than a viewer may.
    let _silent = connect(server.address());
    wait_until(|| server.stats().cut_off > cut_off && server.stats().viewers == 1);
    // Far beyond the rate of a viewer, over several pings.
    for _ in 0..2000 {
        controller.say(client_message::Kind::Answer(pb::Answer { step, drives: vec![] }));
        let next = turn(&mut controller).expect("it is not cut off");
        assert_eq!(next, step + 1);
        step = next;
    }
    assert_eq!(server.stats().cut_off, cut_off + 1);
}

#[test]
fn too_many_messages_are_dropped_and_a_flood_is_cut_off() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let limits = ServerLimits { messages_per_second: 20, ..ServerLimits::default() };
    let server = run.serve(ServerOptions { limits, ..options() });
    let mut viewer = connect(server.address());
    viewer.frame();
    // In one piece, or they were not too many on a machine that stalls between them.
    for i in 0..100 {
        let kind = Some(pb::control::Kind::Seed(1000 + i));
        let kind = Some(client_message::Kind::Control(pb::Control { kind }));
        let message = Message::binary(pb::ClientMessage { kind }.encode_to_vec());
        viewer.socket.write(message).expect("kept");
    }
    viewer.socket.flush().expect("sent");
    assert!(viewer.notice().contains("Too many"));
    let count = run.seen.lock().unwrap().len();
    assert!(count < 100, "{count}");
    assert_eq!(server.stats().cut_off, 0);
    // On and on: it ends.
    let bytes = Message::binary(vec![]);
    while viewer.socket.send(bytes.clone()).is_ok() && server.stats().cut_off == 0 {}
    wait_until(|| server.stats().cut_off == 1 && server.stats().viewers == 0);
}

#[test]
fn a_full_queue_is_told_and_what_must_arrive_arrives_later() {
    let run = Run::start("soccer", BlockPlace::Anonymous);
    let is_full = Arc::new(AtomicBool::new(false));
    let inner = run.backend();
    let (full, send) = (Arc::clone(&is_full), inner.send.clone().expect("a sender"));
    let backend = Backend {
        send: Some(Arc::new(move |timed_request| {
            if full.load(Relaxed) { Err(Undelivered::Full) } else { send(timed_request) }
        })),
        ..inner
    };
    let server = Server::start(options(), run.reader(), backend).expect("a server");
    let mut viewer = connect(server.address());
    viewer.frame();
    viewer.claim(1);
    viewer.drivers(|drivers| drivers.len() == 1);
    is_full.store(true, Relaxed);
    viewer.control(pb::control::Kind::Pause(true));
    assert_eq!(viewer.notice(), Undelivered::Full.to_string());
    drop(viewer);
    wait_until(|| server.stats().viewers == 0);
    assert!(!run.has_seen(&Seen::Action(Action::Release { robot: RobotId(1) })));
    is_full.store(false, Relaxed);
    run.wait_for(|seen| *seen == Seen::Action(Action::Release { robot: RobotId(1) }));
}
