//! Robots that viewers send to poses: who may, what is told of it, and that they get there.

use crate::common;

use common::live::{Viewer, connect, options};
use common::model;
use rolima_math::{Vec2, wrap_angle};
use rolima_run::Speed;
use rolima_run::live::{
    Action, Holder, Live, Mailbox, Purpose, Request, Setup, SharedSeats, TimedRequest,
};
use rolima_serve::{Backend, BlockPlace, Server, ServerHandle, SharedGoals, StateWriter};
use rolima_wire::pb::goal::{Phase, State};
use rolima_wire::pb::{self, client_message, server_message::Kind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// A live run with a server.
struct Running {
    seats: SharedSeats,
    mailbox: Mailbox,
    server: Option<ServerHandle>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Running {
    fn start(scene: &str) -> Self {
        let model = model(scene);
        let stop = Arc::new(AtomicBool::new(false));
        let speed = Speed::factor(5.0);
        let setup = Setup { stop: stop.clone(), speed, ..Setup::new(scene, model.clone()) };
        let mut live = Live::new(setup);
        let writer = StateWriter::create(BlockPlace::Anonymous, scene, &model).expect("started");
        let reader = writer.reader();
        live.add_sink(Box::new(writer));
        let (goals, sink) = SharedGoals::new();
        live.add_sink(Box::new(sink));
        let mailbox = live.mailbox();
        let seats = SharedSeats::default();
        let own = live.mailbox();
        let backend = Backend {
            send: Some(Arc::new(move |timed_request: TimedRequest| {
                mailbox.send_at(timed_request.at, timed_request.request)
            })),
            goals: Some(goals),
            seats: seats.clone(),
            ..Backend::watch_only()
        };
        let server = Some(Server::start(options(), reader, backend).expect("started"));
        let thread = Some(std::thread::spawn(move || drop(live.run())));
        Self { seats, mailbox: own, server, stop, thread }
    }

    fn viewer(&self) -> Viewer {
        let server = self.server.as_ref().expect("it serves");
        let mut viewer = connect(server.address());
        viewer.frame();
        viewer.say(client_message::Kind::WatchGoals(pb::WatchGoals { on: true }));
        viewer
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        drop(self.server.take());
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn send(viewer: &mut Viewer, body: u32, (x, y, heading): (f64, f64, f64)) {
    let goal = pb::SetGoal { body, x, y, heading, ..Default::default() };
    viewer.say(client_message::Kind::SetGoal(goal));
}

fn cancel(viewer: &mut Viewer, body: u32) {
    let goal = pb::SetGoal { body, cancel: true, ..pb::SetGoal::default() };
    viewer.say(client_message::Kind::SetGoal(goal));
}

/// Waits until the goals are as wanted.
#[track_caller]
fn goals(viewer: &mut Viewer, wanted: impl Fn(&[pb::Goal]) -> bool) -> Vec<pb::Goal> {
    viewer.until(|kind| match kind {
        Kind::Goals(goals) if wanted(&goals.goals) => Some(goals.goals),
        _ => None,
    })
}

#[test]
fn a_robot_that_is_sent_gets_there_and_everybody_sees_the_way() {
    let run = Running::start("navigation");
    let mut viewer = run.viewer();
    send(&mut viewer, 0, (0.4, 0.3, 1.0));
    viewer.drivers(|drivers| drivers.len() == 1);
    let mut paths = vec![];
    let mut plans = std::collections::BTreeSet::new();
    viewer.until(|kind| {
        let Kind::Goals(told) = kind else { return None };
        let goal = told.goals.into_iter().next()?;
        assert_eq!((goal.body, goal.x, goal.y), (0, 0.4, 0.3));
        assert!((goal.heading - 1.0).abs() < 1e-9);
        plans.insert(goal.plan);
        let is_there = goal.state() == State::Arrived;
        paths.extend(goal.path);
        is_there.then_some(())
    });
    // Every plan is told once, with all that is to be drawn.
    assert_eq!(paths.len(), plans.len());
    assert!(paths.iter().any(|path| path.references > 4));
    for path in &paths {
        assert!(path.x.len() == path.y.len() && path.x.len() <= 128);
        assert!(path.references as usize <= path.x.len() && path.references <= 64);
    }
    // Silence does not stop it, and whoever comes later is told the whole of it.
    let mut late = run.viewer();
    let told = goals(&mut late, |goals| goals.len() == 1);
    assert!(told[0].path.is_some() && told[0].left_m < 0.05, "{told:?}");
    let frame = late.until(|kind| match kind {
        Kind::Frame(frame) if frame.key => Some(frame),
        Kind::Frame(frame) if frame.body.first() == Some(&0) => Some(frame),
        _ => None,
    });
    let off = Vec2::new(f64::from(frame.x[0]) - 0.4, f64::from(frame.y[0]) - 0.3).length();
    assert!(off < 0.01 && wrap_angle(f64::from(frame.heading[0]) - 1.0).abs() < 0.05);
    // Whoever sent it drives it: a command ends the task.
    viewer.drive(0, 1.0, 1.0);
    goals(&mut late, <[_]>::is_empty);
}

#[test]
fn others_are_refused_and_what_a_viewer_sent_ends_when_it_goes() {
    let run = Running::start("soccer");
    let (mut ana, mut rui) = (run.viewer(), run.viewer());
    send(&mut ana, 2, (0.0, 0.3, 0.0));
    goals(&mut rui, |goals| goals.len() == 1);
    send(&mut rui, 2, (0.0, -0.3, 0.0));
    assert_eq!(rui.notice(), "guest 1 has sent blue-3 to a goal.");
    cancel(&mut rui, 2);
    assert_eq!(rui.notice(), "guest 1 has sent blue-3 to a goal.");
    send(&mut rui, 6, (0.0, -0.3, 0.0));
    assert_eq!(rui.notice(), "Body 6 is no robot.");
    send(&mut rui, 3, (f64::NAN, 0.0, 0.0));
    assert!(rui.notice().starts_with("set_goal.x: expected a number"));
    // In a wall: the goal is shown with the reason, and the robot stands.
    send(&mut rui, 3, (0.75, 0.5, 0.0));
    let told = goals(&mut rui, |goals| goals.len() == 2);
    assert_eq!(told[1].state(), State::Refused);
    assert!(told[1].reason.contains("in a wall"), "{}", told[1].reason);
    cancel(&mut rui, 3);
    goals(&mut rui, |goals| goals.len() == 1);
    // Who goes gives back what he sent: its own driver goes on.
    drop(ana);
    goals(&mut rui, <[_]>::is_empty);
    send(&mut rui, 2, (0.0, -0.3, 0.0));
    goals(&mut rui, |goals| goals.len() == 1);
    rui.control(pb::control::Kind::Reset(true));
    goals(&mut rui, <[_]>::is_empty);
}

#[test]
fn a_program_wins_and_who_does_not_ask_is_told_nothing() {
    let run = Running::start("soccer");
    let mut viewer = run.viewer();
    let mut other = connect(run.server.as_ref().expect("it serves").address());
    other.frame();
    send(&mut viewer, 1, (0.0, 0.3, 0.0));
    goals(&mut viewer, |goals| goals.len() == 1);
    {
        // As a program does that takes the robot: see robotone_live for a real one.
        let mut seats = run.seats.lock();
        run.mailbox
            .send(Request::Action(Action::Stop { robot: rolima_core::RobotId(1) }))
            .expect("it runs");
        let program = Holder::Program(1);
        seats.take(1, program, Purpose::Commands, std::time::Instant::now()).expect("it wins");
    }
    goals(&mut viewer, <[_]>::is_empty);
    send(&mut viewer, 1, (0.0, 0.3, 0.0));
    assert_eq!(viewer.notice(), "A program drives blue-2 (Robot One).");
    for _ in 0..100 {
        assert!(!matches!(other.next(), Kind::Goals(_)), "it was not asked for");
    }
    viewer.say(client_message::Kind::WatchGoals(pb::WatchGoals { on: false }));
}

#[test]
fn a_route_grows_a_ball_is_met_and_what_is_no_ball_is_refused() {
    let run = Running::start("navigation");
    let mut viewer = run.viewer();
    send(&mut viewer, 0, (0.3, 0.3, 0.0));
    // After the one robot comes the ball.
    let ball = 1;
    let meet = pb::SetGoal { body: 0, x: 0.8, y: 0.0, ball, append: true, ..Default::default() };
    viewer.say(client_message::Kind::SetGoal(meet));
    goals(&mut viewer, |goals| goals.iter().any(|goal| (goal.number, goal.count) == (1, 2)));
    let phase = |goal: &pb::Goal| goal.phase();
    goals(&mut viewer, |goals| goals.iter().any(|goal| phase(goal) == Phase::Approaching));
    goals(&mut viewer, |goals| goals.iter().any(|goal| phase(goal) == Phase::Striking));
    let none = pb::SetGoal { body: 0, ball: ball + 7, ..Default::default() };
    viewer.say(client_message::Kind::SetGoal(none));
    let told = goals(&mut viewer, |goals| goals.iter().any(|g| g.state() == State::Refused));
    let code = told[0].refusal.as_ref().map(pb::Refusal::code);
    assert_eq!(code, Some(pb::refusal::Code::GoalNoBall));
}
