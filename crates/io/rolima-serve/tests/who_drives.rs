//! Who drives, pair by pair, over real sockets: page, terminal, programs, lock step and goals agree.
#![allow(clippy::unwrap_used)] // in helpers too

use crate::common;
use crate::robotone_live::Running;

use common::live::{Viewer, connect, wait_until};
use rolima_core::{Command, Volts};
use rolima_run::live::{Action, HeldSeat, Holder, Purpose, Request};
use rolima_wire::pb::driver::Kind as Who;
use rolima_wire::pb::refusal::Code;
use rolima_wire::pb::{self, client_message, server_message::Kind};
use std::time::Instant;

fn page(run: &Running) -> Viewer {
    let mut viewer = connect(run.web.as_ref().unwrap().address());
    viewer.frame();
    viewer
}

/// Waits until somebody of this kind, and nobody else, drives robot 0.
#[track_caller]
fn driven_by(viewer: &mut Viewer, who: Who) {
    viewer.drivers(|all| all.len() == 1 && all[0].body == 0 && all[0].kind() == who);
}

/// Why something was refused: the code, who has the robot, and in words.
#[track_caller]
fn refused(viewer: &mut Viewer) -> (Code, Option<Who>, bool, String) {
    let notice = viewer.until(|kind| match kind {
        Kind::Notice(notice) => Some(notice),
        _ => None,
    });
    let why = notice.refusal.expect("a code");
    let (who, goal) = (why.holder.as_ref().map(pb::Driver::kind), why.holder.as_ref());
    (why.code(), who, goal.is_some_and(|holder| holder.goal), notice.text)
}

fn send(viewer: &mut Viewer, body: u32) {
    let (x, y, heading, cancel) = (1.0, 0.0, 0.0, false);
    viewer.say(client_message::Kind::SetGoal(pb::SetGoal {
        body,
        x,
        y,
        heading,
        cancel,
        ..Default::default()
    }));
}

/// Presses a key at the terminal, which asks the same seats and the same loop.
fn press_key(run: &Running, robot: u32) -> Result<(), HeldSeat> {
    let mut seats = run.seats.lock();
    seats.take(robot, Holder::Terminal, Purpose::Commands, Instant::now())?;
    let command = Command::Volts(Volts { right: 1.0, left: 1.0 });
    run.mailbox
        .send(Request::Action(Action::Command { robot: rolima_core::RobotId(robot), command }))
        .unwrap();
    Ok(())
}

#[test]
fn page_and_terminal() {
    let run = Running::start("maze", false);
    let mut ana = page(&run);
    ana.claim(0);
    driven_by(&mut ana, Who::Viewer);
    let held = press_key(&run, 0).unwrap_err();
    assert_eq!((held.holder.client(), held.name.as_str()), (Some(1), "guest 1"));
    assert_eq!(held.in_words("red"), "guest 1 drives red.");
    ana.say(client_message::Kind::Claim(pb::Claim { body: 0, release: true }));
    ana.drivers(<[_]>::is_empty);
    press_key(&run, 0).unwrap();
    driven_by(&mut ana, Who::Terminal);
    ana.claim(0);
    let (code, who, goal, text) = refused(&mut ana);
    assert_eq!((code, who, goal), (Code::Held, Some(Who::Terminal), false));
    assert!(text.starts_with("Somebody at the terminal drives "), "{text}");
    ana.drive(0, 1.0, 1.0);
    assert_eq!(refused(&mut ana).0, Code::Held);
    run.seats.lock().give_back(0, Holder::Terminal);
    ana.drive(0, 1.0, 1.0);
    assert_eq!(refused(&mut ana).0, Code::NotClaimed);
    ana.claim(0);
    driven_by(&mut ana, Who::Viewer);
}

#[test]
fn page_and_page() {
    let run = Running::start("maze", false);
    let (mut ana, mut rui) = (page(&run), page(&run));
    ana.claim(0);
    driven_by(&mut rui, Who::Viewer);
    rui.claim(0);
    let (code, who, goal, text) = refused(&mut rui);
    assert_eq!((code, who, goal), (Code::Held, Some(Who::Viewer), false));
    assert!(text.starts_with("guest 1 drives "), "{text}");
    drop(ana);
    rui.drivers(<[_]>::is_empty);
    rui.claim(0);
    driven_by(&mut rui, Who::Viewer);
}

#[test]
fn page_and_program_and_what_only_looks() {
    let run = Running::start("road", false);
    let mut ana = page(&run);
    ana.claim(0);
    driven_by(&mut ana, Who::Viewer);
    // Reading and taking pictures neither takes the robot nor stops it.
    let by = pb::drive::By::Velocity.into();
    let hold_ms = 3000;
    let drive = pb::Drive { body: 0, by, speed: 0.5, hold_ms, ..pb::Drive::default() };
    ana.say(client_message::Kind::Drive(drive));
    let mut program = run.program();
    wait_until(|| program.velocity().unwrap()[0] > 0.2);
    program.capture().unwrap();
    program.pose().unwrap();
    program.get("World.Robot").unwrap();
    assert!(program.velocity().unwrap()[0] > 0.2, "it drives on");
    assert_eq!(run.seats.lock().get(0).unwrap().holder, Holder::Viewer(1));
    // Its first command takes the robot; people are told so, and why they cannot have it.
    program.set_velocity([0.5, 0.0]).unwrap();
    driven_by(&mut ana, Who::Program);
    ana.drive(0, 1.0, 1.0);
    let (code, who, _, text) = refused(&mut ana);
    assert_eq!((code, who), (Code::Held, Some(Who::Program)));
    assert!(text.starts_with("A program drives "), "{text}");
    assert!(matches!(press_key(&run, 0).unwrap_err().holder, Holder::Program(_)));
    // It lets people drive; when it goes then, they drive on.
    program.set_manual(true).unwrap();
    ana.drivers(<[_]>::is_empty);
    press_key(&run, 0).unwrap();
    driven_by(&mut ana, Who::Terminal);
    drop(program);
    ana.claim(0);
    assert_eq!(refused(&mut ana).1, Some(Who::Terminal));
}

#[test]
fn a_program_takes_a_robot_from_the_terminal() {
    let run = Running::start("maze", false);
    let mut ana = page(&run);
    press_key(&run, 0).unwrap();
    driven_by(&mut ana, Who::Terminal);
    let mut program = run.program();
    program.set_velocity([0.5, 0.0]).unwrap();
    driven_by(&mut ana, Who::Program);
    assert!(!run.seats.lock().give_back(0, Holder::Terminal), "it is not the terminal's any more");
    drop(program);
    ana.drivers(<[_]>::is_empty);
}

fn turn(viewer: &mut Viewer) -> u64 {
    viewer.until(|kind| match kind {
        Kind::Turn(turn) => Some(turn.step),
        _ => None,
    })
}

fn answer(viewer: &mut Viewer, step: u64, robots: &[u32]) {
    let by = pb::drive::By::Velocity.into();
    let drive = |body: &u32| pb::Drive { body: *body, by, speed: 0.5, ..pb::Drive::default() };
    let drives = robots.iter().map(drive).collect();
    viewer.say(client_message::Kind::Answer(pb::Answer { step, drives }));
}

#[test]
fn program_and_lock_step_and_the_others() {
    let run = Running::with_controllers("maze", 1);
    let (mut ana, mut controller) = (page(&run), page(&run));
    controller.say(client_message::Kind::Join(pb::Join { period: 10 }));
    let step = turn(&mut controller);
    // By its answer the robot is the controller's.
    answer(&mut controller, step, &[0]);
    driven_by(&mut ana, Who::Controller);
    let step = turn(&mut controller);
    let mut program = run.program();
    let error = program.set_velocity([0.5, 0.0]).unwrap_err().to_string();
    assert!(error.contains("in lock step"), "{error}");
    ana.claim(0);
    let (code, who, _, text) = refused(&mut ana);
    assert_eq!((code, who), (Code::Held, Some(Who::Controller)));
    assert!(text.starts_with("guest 2 drives ") && text.ends_with(" in lock step."), "{text}");
    send(&mut ana, 0);
    assert_eq!(refused(&mut ana).1, Some(Who::Controller));
    assert_eq!(press_key(&run, 0).unwrap_err().holder, Holder::Controller(2));
    // It goes: the program has the robot, and the next controller cannot have it.
    answer(&mut controller, step, &[0]);
    drop(controller);
    ana.drivers(<[_]>::is_empty);
    program.set_velocity([0.5, 0.0]).unwrap();
    driven_by(&mut ana, Who::Program);
    let mut next = page(&run);
    next.say(client_message::Kind::Join(pb::Join { period: 10 }));
    let step = turn(&mut next);
    answer(&mut next, step, &[0]);
    assert_eq!(refused(&mut next).1, Some(Who::Program));
    drop(program);
    ana.drivers(<[_]>::is_empty);
    let step = turn(&mut next);
    answer(&mut next, step, &[0]);
    driven_by(&mut ana, Who::Controller);
}

#[test]
fn a_goal_holds_its_robot_against_all_but_programs() {
    let run = Running::start("soccer", false);
    let (mut ana, mut rui) = (page(&run), page(&run));
    send(&mut ana, 0);
    rui.drivers(|all| all.len() == 1 && all[0].kind() == Who::Viewer && all[0].goal);
    for ask in [true, false] {
        if ask {
            rui.claim(0);
        } else {
            send(&mut rui, 0);
        }
        let (code, who, goal, text) = refused(&mut rui);
        assert_eq!((code, who, goal), (Code::Held, Some(Who::Viewer), true));
        assert_eq!(text, "guest 1 has sent blue-1 to a goal.");
    }
    assert_eq!(press_key(&run, 0).unwrap_err().purpose, Purpose::Goal);
    let controller = Holder::Controller(9);
    let taken = run.seats.lock().take(0, controller, Purpose::Commands, Instant::now());
    assert_eq!(taken.unwrap_err().purpose, Purpose::Goal);
    // A program wins; the goal is over.
    let mut program = run.program();
    program.set_trace(true).unwrap();
    rui.drivers(|all| all.len() == 1 && all[0].kind() == Who::Program && !all[0].goal);
    rui.say(client_message::Kind::WatchGoals(pb::WatchGoals { on: true }));
    rui.until(|kind| matches!(kind, Kind::Goals(goals) if goals.goals.is_empty()).then_some(()));
    send(&mut ana, 0);
    assert_eq!(refused(&mut ana).1, Some(Who::Program));
}
