//! Robots that are sent to poses: they get there, they stay, and whoever takes the wheel has it.

use crate::common;

use common::model;
use common::played::PlayedClock;
use rolima_core::{BodyId, Command, RobotId, Volts};
use rolima_math::{Pose2, Vec2, wrap_angle};
use rolima_run::live::{
    Act, GoalShown, GoalStatus, Live, MOST_GOALS, Moment, Outlet, Player, Request, SceneShown,
    Setup,
};
use std::sync::{Arc, Mutex};

const ROBOT: RobotId = RobotId(0);

fn player(scene: &str) -> Player {
    let model = model(scene, &[]);
    let seed = model.spec.sim.seed;
    Player::new(model, seed)
}

fn goals(player: &Player) -> Vec<GoalShown> {
    let mut shown = vec![];
    player.show_goals(&mut shown);
    shown
}

fn pose_of(player: &Player, robot: RobotId) -> Pose2 {
    let world = player.world();
    world.pose(robot).expect("a robot")
}

fn go(x: f64, y: f64, theta: f64) -> Act {
    Act::Goal { robot: ROBOT, pose: Pose2::new(x, y, theta) }
}

#[test]
fn a_robot_gets_to_its_goal_stays_there_and_comes_back_when_pushed() {
    let mut player = player("navigation");
    assert!(player.act(&go(0.4, 0.3, 1.0)));
    assert_eq!(goals(&player)[0].status, GoalStatus::Driving);
    player.steps(300);
    let shown = goals(&player);
    assert_eq!((shown.len(), shown[0].robot, shown[0].status), (1, ROBOT, GoalStatus::Driving));
    assert!(shown[0].references.len() > 5 && shown[0].left_m > 0.1, "{shown:?}");
    player.steps(5000);
    let at_goal = |player: &Player| {
        let pose = pose_of(player, ROBOT);
        let off = (pose.position - Vec2::new(0.4, 0.3)).length();
        off < 0.006 && wrap_angle(pose.theta() - 1.0).abs() < 0.03
    };
    assert!(at_goal(&player));
    assert_eq!(goals(&player)[0].status, GoalStatus::Arrived);
    let body = BodyId(0);
    assert!(player.act(&Act::Place { body, pose: Pose2::new(-0.3, 0.0, 0.0) }));
    player.steps(6000);
    assert!(at_goal(&player));
}

#[test]
fn however_the_steps_are_cut_the_bits_are_the_same() {
    let run = |cuts: &[u64]| {
        let mut player = player("soccer");
        assert!(player.act(&go(0.4, 0.3, 1.0)));
        let mut cut = cuts.iter().cycle();
        while player.steps_done() < 2000 {
            let left = 1000 - player.steps_done() % 1000;
            player.steps(cut.next().map_or(1, |n| *n).min(left));
            if player.steps_done() == 1000 {
                assert!(
                    player.act(&Act::Goal { robot: RobotId(4), pose: Pose2::new(-0.2, 0.1, 2.0) })
                );
                assert!(player.act(&Act::NoGoal { robot: ROBOT }));
            }
        }
        player.state_hash()
    };
    let whole = run(&[1000]);
    assert_eq!(run(&[1]), whole);
    assert_eq!(run(&[7, 31, 30, 2]), whole);
}

#[test]
fn whoever_takes_the_wheel_has_it() {
    let volts = Command::Volts(Volts { right: 1.0, left: 1.0 });
    let enders = [
        Act::Command { robot: ROBOT, command: volts },
        Act::Stop { robot: ROBOT },
        Act::Release { robot: ROBOT },
        Act::NoGoal { robot: ROBOT },
    ];
    for act in enders {
        let mut player = player("navigation");
        assert!(player.act(&go(0.5, 0.5, 0.0)));
        player.steps(400);
        assert!(player.act(&act), "{act:?}");
        assert!(goals(&player).is_empty(), "{act:?}");
        player.steps(2000);
        assert!((pose_of(&player, ROBOT).position - Vec2::new(0.5, 0.5)).length() > 0.1, "{act:?}");
    }
    // What the world refuses ends nothing, and so does what is for another robot.
    let mut player = player("soccer");
    assert!(player.act(&go(0.5, 0.3, 0.0)));
    let nan = Command::Volts(Volts { right: f64::NAN, left: 0.0 });
    assert!(!player.act(&Act::Command { robot: ROBOT, command: nan }));
    assert!(
        !player
            .act(&Act::Command { robot: ROBOT, command: Command::Velocity { v: 1.0, omega: 0.0 } })
    );
    assert!(player.act(&Act::Stop { robot: RobotId(1) }));
    assert_eq!(goals(&player).len(), 1);
}

#[test]
fn one_whose_goal_is_taken_away_brakes_and_stands() {
    let speed = |player: &Player| {
        rolima_pilot::pilot::truth_of(player.world(), RobotId(0))
            .expect("a robot")
            .velocity
            .length()
    };
    // By the page, by silence, or because the next goal is in a wall; the goal is gone at once.
    let ends = [Act::NoGoal { robot: ROBOT }, Act::Stop { robot: ROBOT }, go(0.7, 0.66, 0.0)];
    for act in ends {
        let mut player = player("navigation");
        assert!(player.act(&go(0.6, 0.3, 0.5)));
        while speed(&player) < 0.9 {
            assert!(player.steps(1) == 1 && player.steps_done() < 2000, "never so fast");
        }
        let (from, v) = (pose_of(&player, ROBOT).position, speed(&player));
        player.act(&act);
        let is_going = |goal: &GoalShown| !matches!(goal.status, GoalStatus::Refused(_));
        assert!(!goals(&player).iter().any(is_going), "{act:?}");
        player.steps(200);
        // Silence comes while it brakes, and does not cut that short.
        assert!(player.act(&Act::Stop { robot: ROBOT }));
        player.steps(2300);
        let way = (pose_of(&player, ROBOT).position - from).length();
        // The limit of the minirobot is 1.6 m/s2 or a little less; a frame passes before it brakes.
        assert!(way < v * v / (2.0 * 1.5) + 0.05, "{act:?}: {way} m from {v} m/s");
        assert!(speed(&player) < 1e-3, "{act:?}: {} m/s", speed(&player));
        // And can be sent on.
        assert!(player.act(&go(-0.3, 0.0, 0.0)));
        player.steps(5000);
        assert_eq!(goals(&player)[0].status, GoalStatus::Arrived, "{act:?}");
    }
}

#[test]
fn a_refusal_is_shown_until_somebody_does_something_else() {
    let volts = Command::Volts(Volts::default());
    for act in [
        Act::Command { robot: ROBOT, command: volts },
        Act::Release { robot: ROBOT },
        Act::NoGoal { robot: ROBOT },
        go(0.1, 0.1, 0.0),
    ] {
        let mut player = player("navigation");
        assert!(player.act(&go(0.5, 0.0, 0.0)));
        player.steps(300);
        for _ in 0..2 {
            assert!(!player.act(&go(0.7, 0.66, 0.0)));
            // Silence of whoever sent it stops the robot, and no more.
            assert!(player.act(&Act::Stop { robot: ROBOT }));
            player.steps(2000);
            let shown = goals(&player);
            assert!(matches!(shown[..], [GoalShown { status: GoalStatus::Refused(_), .. }]));
        }
        assert!(player.act(&act));
        let is_refused = |goal: &GoalShown| matches!(goal.status, GoalStatus::Refused(_));
        assert!(!goals(&player).iter().any(is_refused), "{act:?}");
    }
}

#[test]
fn reset_and_another_scene_forget_goals() {
    let mut player = player("navigation");
    assert!(player.act(&go(0.5, 0.5, 0.0)));
    player.steps(100);
    player.reset();
    assert!(goals(&player).is_empty());
    let fresh = self::player("navigation").state_hash();
    assert_eq!(player.state_hash(), fresh);
    assert!(player.act(&go(0.5, 0.5, 0.0)));
    player.load(model("soccer", &[]));
    assert!(goals(&player).is_empty());
    player.steps(100);
}

#[test]
fn what_cannot_be_is_refused_and_said() {
    let mut player = player("maze");
    assert!(!player.act(&Act::Goal { robot: RobotId(9), pose: Pose2::IDENTITY }));
    assert!(!player.act(&Act::NoGoal { robot: RobotId(9) }));
    assert!(goals(&player).is_empty());
    assert!(player.act(&go(3.0, 3.0, 0.0)));
    player.steps(500);
    // In a wall: it stands, and the reason is shown.
    assert!(!player.act(&go(20.0, 3.0, 0.0)));
    let shown = goals(&player);
    let GoalStatus::Refused(why) = shown[0].status else { panic!("{shown:?}") };
    assert!(why.to_string().contains("in a wall"), "{why}");
    player.steps(3000);
    let here = pose_of(&player, ROBOT).position;
    player.steps(1000);
    assert!((pose_of(&player, ROBOT).position - here).length() < 1e-6);
    // Another goal is as good as ever; taking it away, too.
    assert!(player.act(&go(1.0, 0.0, 0.0)));
    assert_eq!(goals(&player)[0].status, GoalStatus::Driving);
    assert!(player.act(&Act::NoGoal { robot: ROBOT }) && player.act(&Act::NoGoal { robot: ROBOT }));
    assert!(!player.act(&Act::Goal {
        robot: ROBOT,
        pose: Pose2 { position: Vec2::new(f64::NAN, 0.0), ..Pose2::IDENTITY }
    }));
}

/// 32 robots between 961 short walls, and a goal for each at the other end.
fn among_walls() -> (Player, Vec<Act>) {
    const SIDE: i32 = 31;
    let mut text = "title = \"walls\"\n".to_owned();
    for i in 0..SIDE * SIDE {
        let (x, y) = (f64::from(i % SIDE) * 0.4, f64::from(i / SIDE) * 0.4);
        let to = if i % 3 == 0 { [x + 0.2, y] } else { [x, y + 0.2] };
        text += &format!(
            "[[wall]]\nkind = \"segment\"\nfrom = [{x}, {y}]\nto = {to:?}\nthickness = 0.01\n"
        );
    }
    let mut acts = vec![];
    for robot in 0..MOST_GOALS as u32 {
        let place = |i: u32| f64::from(i) * 0.4 - 0.2;
        let (x, y) = (place(1 + robot % 8 * 3), place(1 + robot / 8 * 3));
        text += &format!(
            "[[robot]]\nname = \"r{robot}\"\npreset = \"minirobot\"\npose = [{x}, {y}, 0]\n"
        );
        let (x, y) = (place(30 - robot % 8 * 3), place(30 - robot / 8 * 3));
        acts.push(Act::Goal { robot: RobotId(robot), pose: Pose2::new(x, y, 0.0) });
    }
    let source = rolima_scene::Source::Text { name: "walls".to_owned(), text };
    let scene = rolima_scene::load(&source, &[]).expect("a good scene");
    let model = Arc::new(scene.compile().expect("a good model"));
    (Player::new(model, 1), acts)
}

/// Sends all of them and lets them go for some steps, cut so; how many search after every second.
fn gone_among_walls(steps: u64, cut: u64) -> (Player, Vec<usize>) {
    let (mut player, acts) = among_walls();
    for act in &acts {
        assert!(player.act(act), "{act:?}");
    }
    let mut searching = vec![];
    while player.steps_done() < steps {
        player.steps(cut.min(1000 - player.steps_done() % 1000));
        if player.steps_done() % 1000 == 0 {
            searching.push(count_of(&player, GoalStatus::Searching));
        }
    }
    (player, searching)
}

fn count_of(player: &Player, status: GoalStatus) -> usize {
    goals(player).iter().filter(|goal| goal.status == status).count()
}

#[test]
fn many_robots_among_many_walls_search_in_turns_and_most_of_them_arrive() {
    // Some 12 m each, at up to 1 m/s, all through one another in the middle.
    let (player, searching) = gone_among_walls(40_000, 1000);
    // Most wait for their turns at first, and before long each has had its own.
    assert!(searching[0] > MOST_GOALS / 2 && searching[4] < MOST_GOALS / 4, "{searching:?}");
    let arrived = count_of(&player, GoalStatus::Arrived);
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
    let (mut player, acts) = among_walls();
    let go = |player: &mut Player| {
        acts.iter().for_each(|act| assert!(player.act(act), "{act:?}"));
        player.steps(2500);
        player.state_hash()
    };
    let first = go(&mut player);
    player.reset();
    assert_eq!(go(&mut player), first);
}

#[test]
fn only_so_many_robots_have_goals_at_a_time() {
    let mut player = player("crowd");
    assert!(player.world().model().robots.len() > MOST_GOALS);
    let sent = (0..=MOST_GOALS as u32).filter(|&robot| {
        let pose = pose_of(&player, RobotId(robot));
        player.act(&Act::Goal { robot: RobotId(robot), pose })
    });
    assert_eq!(sent.count(), MOST_GOALS);
    player.steps(100);
}

/// Keeps the goals of every moment.
#[derive(Clone, Default)]
struct Watcher(Arc<Mutex<Vec<Vec<GoalShown>>>>);

impl Outlet for Watcher {
    fn scene(&mut self, _: &SceneShown<'_>) {}
    fn moment(&mut self, moment: &Moment<'_>) {
        self.0.lock().expect("nobody panicked").push(moment.goals.to_vec());
    }
}

#[test]
fn moments_show_goals_and_a_plan_has_a_number_of_its_own() {
    let model = model("navigation", &[]);
    let script = [
        (0.1, Request::Act(go(0.5, 0.5, 0.0))),
        (1.0, Request::Act(go(-0.5, 0.2, 0.0))),
        (2.0, Request::Act(Act::Stop { robot: ROBOT })),
        (2.2, Request::Act(go(0.0, 0.0, 0.0))),
        (2.35, Request::Act(go(0.3, -0.3, 1.0))),
    ];
    let setup = Setup { steps: Some(2500), ..Setup::new("navigation", model) };
    let mut live = Live::with_clock(setup, PlayedClock::new(1e-7, script));
    let watcher = Watcher::default();
    live.add_outlet(Box::new(watcher.clone()));
    live.run();
    let seen = watcher.0.lock().unwrap();
    let all: Vec<&GoalShown> = seen.iter().flatten().collect();
    assert!(all.len() > 2000 && seen[50].is_empty() && seen[2100].is_empty());
    for pair in all.windows(2) {
        let same = pair[0].references == pair[1].references;
        assert!(pair[0].plan != pair[1].plan || same, "a plan's number tells it from others");
    }
    let plans: std::collections::BTreeSet<u32> = all.iter().map(|goal| goal.plan).collect();
    // One for each goal at least, and not one a frame.
    assert!((4..60).contains(&plans.len()), "{plans:?}");
}
