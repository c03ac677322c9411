//! Robots that are sent to poses: they get there, they stay, and whoever takes the wheel has it.

use crate::common;

use common::model;
use common::played::PlayedClock;
use rolima_core::{BodyId, Command, RobotId, Volts};
use rolima_math::{Pose2, Vec2, wrap_angle};
use rolima_run::live::{
    Action, GoalStatus, Live, MOST_GOALS, Progress, Publication, PublishedGoal, PublishedScene,
    Request, Session, Setup, Sink,
};
use std::sync::{Arc, Mutex};

const ROBOT: RobotId = RobotId(0);

fn session(scene: &str) -> Session {
    let model = model(scene, &[]);
    let seed = model.spec.sim.seed;
    Session::new(model, seed)
}

fn goals(session: &Session) -> Vec<PublishedGoal> {
    let mut shown = vec![];
    session.publish_goals(&mut shown);
    shown
}

fn pose_of(session: &Session, robot: RobotId) -> Pose2 {
    let world = session.world();
    world.pose(robot).expect("a robot")
}

fn go(x: f64, y: f64, theta: f64) -> Action {
    Action::Goal { robot: ROBOT, pose: Pose2::new(x, y, theta) }
}

#[test]
fn a_robot_gets_to_its_goal_stays_there_and_comes_back_when_pushed() {
    let mut session = session("navigation");
    assert!(session.act(&go(0.4, 0.3, 1.0)));
    assert_eq!(goals(&session)[0].status, GoalStatus::Going(Progress::Driving));
    session.steps(300);
    let shown = goals(&session);
    assert_eq!(
        (shown.len(), shown[0].robot, shown[0].status),
        (1, ROBOT, GoalStatus::Going(Progress::Driving))
    );
    assert!(shown[0].shown.references.len() > 5 && shown[0].shown.left_m > 0.1, "{shown:?}");
    session.steps(5000);
    let at_goal = |session: &Session| {
        let pose = pose_of(session, ROBOT);
        let off = (pose.position - Vec2::new(0.4, 0.3)).length();
        off < 0.006 && wrap_angle(pose.theta() - 1.0).abs() < 0.03
    };
    assert!(at_goal(&session));
    assert_eq!(goals(&session)[0].status, GoalStatus::Going(Progress::Arrived));
    let body = BodyId(0);
    assert!(session.act(&Action::Place { body, pose: Pose2::new(-0.3, 0.0, 0.0) }));
    session.steps(6000);
    assert!(at_goal(&session));
}

#[test]
fn however_the_steps_are_cut_the_bits_are_the_same() {
    let run = |cuts: &[u64]| {
        let mut session = session("soccer");
        assert!(session.act(&go(0.4, 0.3, 1.0)));
        let mut cut = cuts.iter().cycle();
        while session.steps_done() < 2000 {
            let left = 1000 - session.steps_done() % 1000;
            session.steps(cut.next().map_or(1, |n| *n).min(left));
            if session.steps_done() == 1000 {
                assert!(
                    session
                        .act(&Action::Goal { robot: RobotId(4), pose: Pose2::new(-0.2, 0.1, 2.0) })
                );
                assert!(session.act(&Action::NoGoal { robot: ROBOT }));
            }
        }
        session.state_hash()
    };
    let whole = run(&[1000]);
    assert_eq!(run(&[1]), whole);
    assert_eq!(run(&[7, 31, 30, 2]), whole);
}

#[test]
fn whoever_takes_the_wheel_has_it() {
    let volts = Command::Volts(Volts { right: 1.0, left: 1.0 });
    let enders = [
        Action::Command { robot: ROBOT, command: volts },
        Action::Stop { robot: ROBOT },
        Action::Release { robot: ROBOT },
        Action::NoGoal { robot: ROBOT },
    ];
    for action in enders {
        let mut session = session("navigation");
        assert!(session.act(&go(0.5, 0.5, 0.0)));
        session.steps(400);
        assert!(session.act(&action), "{action:?}");
        assert!(goals(&session).is_empty(), "{action:?}");
        session.steps(2000);
        assert!(
            (pose_of(&session, ROBOT).position - Vec2::new(0.5, 0.5)).length() > 0.1,
            "{action:?}"
        );
    }
    // What the world refuses ends nothing, and so does what is for another robot.
    let mut session = session("soccer");
    assert!(session.act(&go(0.5, 0.3, 0.0)));
    let nan = Command::Volts(Volts { right: f64::NAN, left: 0.0 });
    assert!(!session.act(&Action::Command { robot: ROBOT, command: nan }));
    assert!(
        !session.act(&Action::Command {
            robot: ROBOT,
            command: Command::Velocity { v: 1.0, omega: 0.0 }
        })
    );
    assert!(session.act(&Action::Stop { robot: RobotId(1) }));
    assert_eq!(goals(&session).len(), 1);
}

#[test]
fn one_whose_goal_is_taken_away_brakes_and_stands() {
    let speed = |session: &Session| {
        rolima_agents::pilot::truth_of(session.world(), RobotId(0))
            .expect("a robot")
            .velocity
            .length()
    };
    // By the page, by silence, or because the next goal is in a wall; the goal is gone at once.
    let ends = [Action::NoGoal { robot: ROBOT }, Action::Stop { robot: ROBOT }, go(0.7, 0.66, 0.0)];
    for action in ends {
        let mut session = session("navigation");
        assert!(session.act(&go(0.6, 0.3, 0.5)));
        while speed(&session) < 0.9 {
            assert!(session.steps(1) == 1 && session.steps_done() < 2000, "never so fast");
        }
        let (from, v) = (pose_of(&session, ROBOT).position, speed(&session));
        session.act(&action);
        let is_going = |goal: &PublishedGoal| !matches!(goal.status, GoalStatus::Refused(_));
        assert!(!goals(&session).iter().any(is_going), "{action:?}");
        session.steps(200);
        // Silence comes while it brakes, and does not cut that short.
        assert!(session.act(&Action::Stop { robot: ROBOT }));
        session.steps(2300);
        let way = (pose_of(&session, ROBOT).position - from).length();
        // The limit of the minirobot is 1.6 m/s2 or a little less; a frame passes before it brakes.
        assert!(way < v * v / (2.0 * 1.5) + 0.05, "{action:?}: {way} m from {v} m/s");
        assert!(speed(&session) < 1e-3, "{action:?}: {} m/s", speed(&session));
        // And can be sent on.
        assert!(session.act(&go(-0.3, 0.0, 0.0)));
        session.steps(5000);
        assert_eq!(goals(&session)[0].status, GoalStatus::Going(Progress::Arrived), "{action:?}");
    }
}

#[test]
fn a_refusal_is_shown_until_somebody_does_something_else() {
    let volts = Command::Volts(Volts::default());
    for action in [
        Action::Command { robot: ROBOT, command: volts },
        Action::Release { robot: ROBOT },
        Action::NoGoal { robot: ROBOT },
        go(0.1, 0.1, 0.0),
    ] {
        let mut session = session("navigation");
        assert!(session.act(&go(0.5, 0.0, 0.0)));
        session.steps(300);
        for _ in 0..2 {
            assert!(!session.act(&go(0.7, 0.66, 0.0)));
            // Silence of whoever sent it stops the robot, and no more.
            assert!(session.act(&Action::Stop { robot: ROBOT }));
            session.steps(2000);
            let shown = goals(&session);
            assert!(matches!(shown[..], [PublishedGoal { status: GoalStatus::Refused(_), .. }]));
        }
        assert!(session.act(&action));
        let is_refused = |goal: &PublishedGoal| matches!(goal.status, GoalStatus::Refused(_));
        assert!(!goals(&session).iter().any(is_refused), "{action:?}");
    }
}

#[test]
fn reset_and_another_scene_forget_goals() {
    let mut session = session("navigation");
    assert!(session.act(&go(0.5, 0.5, 0.0)));
    session.steps(100);
    session.reset();
    assert!(goals(&session).is_empty());
    let fresh = self::session("navigation").state_hash();
    assert_eq!(session.state_hash(), fresh);
    assert!(session.act(&go(0.5, 0.5, 0.0)));
    session.load(model("soccer", &[]));
    assert!(goals(&session).is_empty());
    session.steps(100);
}

#[test]
fn what_cannot_be_is_refused_and_said() {
    let mut session = session("maze");
    assert!(!session.act(&Action::Goal { robot: RobotId(9), pose: Pose2::IDENTITY }));
    assert!(!session.act(&Action::NoGoal { robot: RobotId(9) }));
    assert!(goals(&session).is_empty());
    assert!(session.act(&go(3.0, 3.0, 0.0)));
    session.steps(500);
    // In a wall: it stands, and the reason is shown.
    assert!(!session.act(&go(20.0, 3.0, 0.0)));
    let shown = goals(&session);
    let GoalStatus::Refused(why) = shown[0].status else { panic!("{shown:?}") };
    assert!(why.to_string().contains("in a wall"), "{why}");
    session.steps(3000);
    let here = pose_of(&session, ROBOT).position;
    session.steps(1000);
    assert!((pose_of(&session, ROBOT).position - here).length() < 1e-6);
    // Another goal is as good as ever; taking it away, too.
    assert!(session.act(&go(1.0, 0.0, 0.0)));
    assert_eq!(goals(&session)[0].status, GoalStatus::Going(Progress::Driving));
    assert!(
        session.act(&Action::NoGoal { robot: ROBOT })
            && session.act(&Action::NoGoal { robot: ROBOT })
    );
    assert!(!session.act(&Action::Goal {
        robot: ROBOT,
        pose: Pose2 { position: Vec2::new(f64::NAN, 0.0), ..Pose2::IDENTITY }
    }));
}

/// 32 robots between 961 short walls, and a goal for each at the other end.
fn among_walls() -> (Session, Vec<Action>) {
    let (text, ends) = rolima_testing::among_walls(31, MOST_GOALS as u32, 3);
    let go = |(robot, [x, y]): (u32, [f64; 2])| Action::Goal {
        robot: RobotId(robot),
        pose: Pose2::new(x, y, 0.0),
    };
    let actions = (0..).zip(ends).map(go).collect();
    let source = rolima_scene::Source::Text { name: "walls".to_owned(), text };
    let scene = rolima_scene::load(&source, &[]).expect("a good scene");
    let model = Arc::new(scene.compile().expect("a good model"));
    (Session::new(model, 1), actions)
}

/// Sends all of them and lets them go for some steps, cut so; how many search after every second.
fn gone_among_walls(steps: u64, cut: u64) -> (Session, Vec<usize>) {
    let (mut session, actions) = among_walls();
    for action in &actions {
        assert!(session.act(action), "{action:?}");
    }
    let mut searching = vec![];
    while session.steps_done() < steps {
        session.steps(cut.min(1000 - session.steps_done() % 1000));
        if session.steps_done() % 1000 == 0 {
            searching.push(count_of(&session, GoalStatus::Going(Progress::Searching)));
        }
    }
    (session, searching)
}

fn count_of(session: &Session, status: GoalStatus) -> usize {
    goals(session).iter().filter(|goal| goal.status == status).count()
}

#[test]
fn many_robots_among_many_walls_search_in_turns_and_most_of_them_arrive() {
    // Some 12 m each, at up to 1 m/s, all through one another in the middle.
    let (session, searching) = gone_among_walls(40_000, 1000);
    // Most wait for their turns at first, and before long each has had its own.
    assert!(searching[0] > MOST_GOALS / 2 && searching[4] < MOST_GOALS / 4, "{searching:?}");
    let arrived = count_of(&session, GoalStatus::Going(Progress::Arrived));
    assert!(arrived * 4 > MOST_GOALS * 3, "{arrived} of {MOST_GOALS} arrived, {searching:?}");
}

#[test]
fn many_robots_among_many_walls_have_the_same_bits_however_steps_are_cut() {
    let whole = gone_among_walls(6000, 1000).0.state_hash();
    assert_eq!(gone_among_walls(6000, 7).0.state_hash(), whole);
    assert_eq!(gone_among_walls(6000, 1).0.state_hash(), whole);
}

#[test]
fn who_was_sent_before_a_reset_makes_no_difference_after_it() {
    let (mut session, actions) = among_walls();
    let go = |session: &mut Session| {
        actions.iter().for_each(|action| assert!(session.act(action), "{action:?}"));
        session.steps(2500);
        session.state_hash()
    };
    let first = go(&mut session);
    session.reset();
    assert_eq!(go(&mut session), first);
}

#[test]
fn only_so_many_robots_have_goals_at_a_time() {
    let mut session = session("crowd");
    assert!(session.world().model().robots.len() > MOST_GOALS);
    let sent = (0..=MOST_GOALS as u32).filter(|&robot| {
        let pose = pose_of(&session, RobotId(robot));
        session.act(&Action::Goal { robot: RobotId(robot), pose })
    });
    assert_eq!(sent.count(), MOST_GOALS);
    session.steps(100);
}

/// Keeps the goals of every publication.
#[derive(Clone, Default)]
struct Watcher(Arc<Mutex<Vec<Vec<PublishedGoal>>>>);

impl Sink for Watcher {
    fn scene(&mut self, _: &PublishedScene<'_>) {}
    fn publication(&mut self, publication: &Publication<'_>) {
        self.0.lock().expect("nobody panicked").push(publication.goals.to_vec());
    }
}

#[test]
fn moments_show_goals_and_a_plan_has_a_number_of_its_own() {
    let model = model("navigation", &[]);
    let script = [
        (0.1, Request::Action(go(0.5, 0.5, 0.0))),
        (1.0, Request::Action(go(-0.5, 0.2, 0.0))),
        (2.0, Request::Action(Action::Stop { robot: ROBOT })),
        (2.2, Request::Action(go(0.0, 0.0, 0.0))),
        (2.35, Request::Action(go(0.3, -0.3, 1.0))),
    ];
    let setup = Setup { steps: Some(2500), ..Setup::new("navigation", model) };
    let mut live = Live::with_clock(setup, PlayedClock::new(1e-7, script));
    let watcher = Watcher::default();
    live.add_sink(Box::new(watcher.clone()));
    live.run();
    let seen = watcher.0.lock().unwrap();
    let all: Vec<&PublishedGoal> = seen.iter().flatten().collect();
    assert!(all.len() > 2000 && seen[50].is_empty() && seen[2100].is_empty());
    for pair in all.windows(2) {
        let same = pair[0].shown.references == pair[1].shown.references;
        assert!(
            pair[0].shown.plan != pair[1].shown.plan || same,
            "a plan's number tells it from others"
        );
    }
    let plans: std::collections::BTreeSet<u32> = all.iter().map(|goal| goal.shown.plan).collect();
    // One for each goal at least, and not one a frame.
    assert!((4..60).contains(&plans.len()), "{plans:?}");
}
