//! Robots of all kinds are sent to poses: they get there, around others and walls.

use rolima_agents::go_to_pose::{GoToPose, GoalRefusal, Progress};
use rolima_agents::pilot::{steps_of_frame, truth_of};
use rolima_core::{Model, RobotId, World};
use rolima_math::{Pose2, Stream, Vec2, wrap_angle};
use rolima_scene::{Source, load};
use std::sync::Arc;

fn model(scene: &str, sets: &[&str]) -> Arc<Model> {
    let sets: Vec<String> = sets.iter().map(ToString::to_string).collect();
    let source = Source::resolve(scene).expect("a built-in scene");
    Arc::new(load(&source, &sets).expect("a good scene").compile().expect("a good model"))
}

/// How a drive went.
#[derive(Debug)]
struct Drive {
    /// When it had arrived, s.
    arrived_s: Option<f64>,
    /// Steps in which anything touched anything.
    touches: u32,
    /// How far from the goal it is at the end, m and rad.
    off: (f64, f64),
    progress: Progress,
}

fn drive(world: &mut World, robot: u32, goal: Pose2, within_s: f64) -> Drive {
    let mut go_to_pose =
        GoToPose::new(world, RobotId(robot), goal).expect("a goal that can be gone for");
    let frames = (within_s / 0.03) as u64;
    let (mut arrived_s, mut touches) = (None, 0);
    for frame in 0..frames {
        go_to_pose.frame(world);
        for _ in 0..steps_of_frame(world) {
            world.step();
            touches += u32::from(world.contact_count() > 0);
        }
        if go_to_pose.goal_progress().state == Progress::Arrived {
            arrived_s = Some(0.03 * frame as f64);
            break;
        }
    }
    let truth = truth_of(world, go_to_pose.robot()).expect("a robot").pose;
    let off = (truth.position - goal.position).length();
    let turned = wrap_angle(truth.theta() - goal.theta()).abs();
    Drive { arrived_s, touches, off: (off, turned), progress: go_to_pose.goal_progress().state }
}

#[test]
fn small_robots_arrive_whatever_their_drive() {
    for robot in ["minirobot", "minirobot-2001", "disc"] {
        let model = model("navigation", &[&format!("robot={robot}")]);
        for (x, y, degrees) in [
            (0.5, 0.5, 50.0),
            (0.5, 0.5, -50.0),
            (-0.6, 0.2, 180.0),
            (-0.05, 0.0, 90.0),
            (0.0, 0.0, 120.0),
        ] {
            let mut world = World::new(model.clone());
            let goal = Pose2::new(x, y, f64::to_radians(degrees));
            let went = drive(&mut world, 0, goal, 6.0);
            let what = format!("{robot} to {x}, {y}, {degrees}: {went:?}");
            assert!(went.arrived_s.is_some_and(|s| s < 5.0), "{what}");
            assert!(went.off.0 < 0.006 && went.off.1 < 0.03, "{what}");
        }
    }
}

#[test]
fn large_robots_arrive_at_their_own_speeds() {
    for (robot, most_s) in [("robot-one", 12.0), ("pioneer-p3dx", 30.0)] {
        let model = model("maze", &[&format!("robot={robot}")]);
        for (x, y, degrees) in [(6.0, 4.0, 90.0), (-5.0, -5.0, 0.0), (0.3, 1.0, 180.0)] {
            let mut world = World::new(model.clone());
            let goal = Pose2::new(x, y, f64::to_radians(degrees));
            let went = drive(&mut world, 0, goal, most_s);
            let what = format!("{robot} to {x}, {y}, {degrees}: {went:?}");
            assert!(went.arrived_s.is_some(), "{what}");
            assert!(went.off.0 < 0.04 && went.off.1 < 0.03, "{what}");
            assert_eq!(went.touches, 0, "{what}");
        }
    }
}

/// A field whose robots stand along the edge but for the first, which has a free way ahead.
fn cleared() -> World {
    let model = model("soccer", &["driver=none"]);
    let mut world = World::new(model.clone());
    for robot in model.robot_ids() {
        let aside = Pose2::new(-0.6 + 0.2 * f64::from(robot.0), -0.55, 0.0);
        assert!(world.place_body(robot, aside));
    }
    let ball = model.balls().next().expect("a ball");
    assert!(world.place_body(ball, Pose2::new(0.6, -0.4, 0.0)));
    assert!(world.place_body(RobotId(0), Pose2::new(-0.4, 0.1, 0.0)));
    world
}

#[test]
fn another_robot_in_the_way_is_passed_without_touching() {
    let mut world = cleared();
    assert!(world.place_body(RobotId(1), Pose2::new(0.0, 0.1, 0.0)));
    let went = drive(&mut world, 0, Pose2::new(0.4, 0.1, 0.0), 8.0);
    assert!(went.arrived_s.is_some() && went.touches == 0, "{went:?}");
}

#[test]
fn a_goal_where_somebody_stands_is_waited_for_and_taken_when_it_is_free() {
    let mut world = cleared();
    let taken = Pose2::new(0.4, 0.1, 0.5);
    assert!(world.place_body(RobotId(1), taken));
    let went = drive(&mut world, 0, taken, 4.0);
    assert_eq!((went.progress, went.touches), (Progress::Blocked, 0), "{went:?}");
    assert!(world.place_body(RobotId(1), Pose2::new(0.4, -0.3, 0.0)));
    let went = drive(&mut world, 0, taken, 5.0);
    assert!(went.arrived_s.is_some() && went.touches == 0, "{went:?}");
    // Side by side there is room for two cubes, but not for the circles around them.
    assert!(world.place_body(RobotId(1), Pose2::new(0.4, 0.19, 0.5)));
    let went = drive(&mut world, 0, Pose2::new(0.4, 0.1, 0.0), 5.0);
    assert!(went.arrived_s.is_some(), "{went:?}");
}

#[test]
fn one_that_stands_among_others_finds_the_way_around_them() {
    // The others stand as they do before a match; straight on and beside them, all is blocked.
    let mut world = World::new(model("soccer", &["driver=none"]));
    let robot = RobotId(0);
    assert!(world.place_body(robot, Pose2::new(-0.306, 0.364, 2.788)));
    let went = drive(&mut world, 0, Pose2::new(0.5, -0.5, 0.0), 8.0);
    assert!(went.arrived_s.is_some_and(|s| s < 6.0), "{went:?}");
}

/// A field whose robots stand anywhere, clear of each other, and a goal that is clear of them.
fn random_field(model: &Arc<Model>, random: &mut Stream) -> (World, Pose2) {
    let mut world = World::new(model.clone());
    // The ball lies in a corner: a goal that it is pushed into would put all robots elsewhere.
    let corner = Vec2::new(0.72, 0.62);
    let ball = model.balls().next().expect("a ball");
    assert!(world.place_body(ball, Pose2::new(corner.x, corner.y, 0.0)));
    let mut taken = vec![corner];
    let mut free = |random: &mut Stream| loop {
        let p = Vec2::new(random.between(-0.65, 0.65), random.between(-0.55, 0.55));
        // The circles around two robots, and room for one that goes beside them.
        if taken.iter().all(|other| (p - *other).length() > 0.14) {
            taken.push(p);
            return Pose2::new(p.x, p.y, random.between(-3.1, 3.1));
        }
    };
    for robot in model.robot_ids() {
        assert!(world.place_body(robot, free(random)));
    }
    let goal = free(random);
    (world, goal)
}

#[test]
fn nearly_every_goal_among_robots_that_stand_anywhere_is_reached() {
    const FIELDS: u32 = 400;
    let model = model("soccer", &["driver=none"]);
    let mut random = Stream::new(7, 0, "fields");
    let mut failed = vec![];
    for field in 0..FIELDS {
        let (mut world, goal) = random_field(&model, &mut random);
        let went = drive(&mut world, 0, goal, 12.0);
        if went.arrived_s.is_none() {
            failed.push((field, went));
        }
    }
    println!("{} of {FIELDS} not reached", failed.len());
    assert!(failed.len() <= 2, "{failed:#?}");
}

/// A robot in a pocket that opens behind it.
fn pocket() -> Arc<Model> {
    let wall = |from: &str, to: &str| {
        format!("[[wall]]\nkind = \"segment\"\nfrom = {from}\nto = {to}\nthickness = 0.01\n")
    };
    let text = [
        "title = \"pocket\"\n[[robot]]\nname = \"robot\"\npreset = \"minirobot\"\n".to_owned(),
        wall("[-0.3, 0.25]", "[0.3, 0.25]"),
        wall("[0.3, 0.25]", "[0.3, -0.25]"),
        wall("[0.3, -0.25]", "[-0.3, -0.25]"),
    ];
    let source = Source::Text { name: "pocket".to_owned(), text: text.concat() };
    Arc::new(load(&source, &[]).expect("a good scene").compile().expect("a good model"))
}

#[test]
fn walls_are_gone_around_and_a_goal_in_a_wall_is_refused() {
    let model = pocket();
    let mut world = World::new(model.clone());
    let went = drive(&mut world, 0, Pose2::new(0.7, 0.0, 0.0), 15.0);
    assert!(went.arrived_s.is_some() && went.touches == 0, "{went:?}");
    let world = World::new(model);
    let in_wall = GoToPose::new(&world, RobotId(0), Pose2::new(0.3, 0.1, 0.0)).err();
    assert_eq!(in_wall, Some(GoalRefusal::InWall));
}

#[test]
fn a_goal_anywhere_in_a_solid_block_is_refused_and_beside_it_is_not() {
    // A block, a turned block and a wedge, all of them many times larger than the robot.
    let text = "title = \"blocks\"\n[[robot]]\nname = \"robot\"\npreset = \"minirobot\"\n\
        [[wall]]\nkind = \"segment\"\nfrom = [2.0, 0.0]\nto = [4.0, 0.0]\nthickness = 2.0\n\
        [[wall]]\nkind = \"segment\"\nfrom = [-3.7, -0.7]\nto = [-2.3, 0.7]\nthickness = 2.0\n\
        [[wall]]\nkind = \"polygon\"\nvertices = [[-1.0, 2.0], [1.0, 2.0], [0.0, 4.0]]\n";
    let source = Source::Text { name: "blocks".to_owned(), text: text.to_owned() };
    let model = load(&source, &[]).expect("a good scene").compile().expect("a good model");
    let mut world = World::new(Arc::new(model));
    let sent = |x: f64, y: f64| GoToPose::new(&world, RobotId(0), Pose2::new(x, y, 0.0)).err();
    let inside = [
        (3.0, 0.0),
        (2.3, 0.7),
        (3.9, -0.9),
        (-3.0, 0.0),
        (-3.0, 1.3),
        (-4.3, 0.0),
        (0.0, 2.7),
        (-0.7, 2.2),
        (0.3, 3.1),
    ];
    for (x, y) in inside {
        assert_eq!(sent(x, y), Some(GoalRefusal::InWall), "{x}, {y}");
    }
    // The turned block's and the wedge's corners leave room beside them.
    for (x, y) in [(1.8, 0.0), (-3.9, 0.9), (-2.1, -0.9), (0.7, 3.2), (-0.7, 3.2)] {
        assert_eq!(sent(x, y), None, "{x}, {y}");
    }
    let mut go_to_pose =
        GoToPose::new(&world, RobotId(0), Pose2::new(1.0, 0.0, 0.0)).expect("a free goal");
    let old = go_to_pose.goal();
    assert_eq!(go_to_pose.send_to(&world, Pose2::new(3.0, 0.0, 0.0)), Err(GoalRefusal::InWall));
    assert_eq!(go_to_pose.goal(), old);
    let went = drive(&mut world, 0, Pose2::new(4.5, 0.0, 0.0), 20.0);
    assert!(went.arrived_s.is_some() && went.touches == 0, "around the block: {went:?}");
}

#[test]
fn what_makes_no_sense_is_refused_by_name_and_a_closed_room_is_blocked() {
    let maze = model("maze", &[]);
    let mut world = World::new(maze);
    let refused = |robot, goal| GoToPose::new(&world, RobotId(robot), goal).err();
    assert!(matches!(refused(7, Pose2::IDENTITY), Some(GoalRefusal::Robot(_))));
    let nan = Pose2 { position: Vec2::new(f64::NAN, 0.0), ..Pose2::IDENTITY };
    assert_eq!(refused(0, nan), Some(GoalRefusal::NotFinite));
    assert_eq!(refused(0, Pose2::new(1e9, 0.0, 0.0)), Some(GoalRefusal::NotFinite));
    // The room in the corner has no door.
    let went = drive(&mut world, 0, Pose2::new(-16.0, -16.0, 0.0), 3.0);
    assert_eq!((went.arrived_s, went.progress), (None, Progress::Blocked), "{went:?}");
    assert_eq!(went.touches, 0);
}

/// Sends a robot off, takes its goal away after some frames, and lets it brake. Returns its speed
/// then, m/s, how far it went on, m, and the steps in which anything touched anything.
fn called_back(world: &mut World, go_to_pose: &mut GoToPose, after: u32) -> (f64, f64, u32) {
    let mut touches = 0;
    let mut steps = |world: &mut World| {
        for _ in 0..steps_of_frame(world) {
            world.step();
            touches += u32::from(world.contact_count() > 0);
        }
    };
    for _ in 0..after {
        go_to_pose.frame(world);
        steps(world);
    }
    go_to_pose.brake();
    let then = truth_of(world, go_to_pose.robot()).expect("a robot");
    let (mut here, mut way, mut frames) = (then.pose.position, 0.0, 0);
    while !go_to_pose.braking_frame(world) {
        steps(world);
        let now = truth_of(world, go_to_pose.robot()).expect("a robot").pose.position;
        way += (now - here).length();
        here = now;
        frames += 1;
        assert!(frames < 400, "it brakes for ever");
    }
    let now = truth_of(world, go_to_pose.robot()).expect("a robot");
    let limits = go_to_pose.settings().limits;
    assert!(now.velocity.length() < 0.02 * limits.speed, "{now:?}");
    assert!(now.omega.abs() < 0.02 * limits.turning, "{now:?}");
    (then.velocity.length(), way, touches)
}

#[test]
fn one_whose_goal_is_taken_away_stands_within_its_braking_distance() {
    for (scene, robot, goal, frames) in [
        ("navigation", "minirobot", (0.6, 0.3), 25),
        ("navigation", "minirobot-2001", (0.6, 0.3), 25),
        ("maze", "robot-one", (6.0, 4.0), 60),
        ("maze", "pioneer-p3dx", (6.0, 4.0), 150),
    ] {
        let mut world = World::new(model(scene, &[&format!("robot={robot}")]));
        let goal = Pose2::new(goal.0, goal.1, 0.0);
        let mut go_to_pose = GoToPose::new(&world, RobotId(0), goal).expect("a goal");
        let (v, way, touches) = called_back(&mut world, &mut go_to_pose, frames);
        let limits = go_to_pose.settings().limits;
        let least = v * v / (2.0 * limits.acceleration);
        let what = format!("{robot}: {way} m from {v} m/s, {least} m at its limit");
        println!("{what}");
        assert!(v > 0.6 * limits.speed, "{what}");
        // A frame passes before it brakes as hard as it may.
        assert!(way < 1.1 * least + v * 0.03, "{what}");
        assert!(way > 0.8 * least, "harder than allowed: {what}");
        assert_eq!(touches, 0, "{what}");
    }
}

#[test]
fn it_brakes_along_its_way_wherever_that_is_and_can_be_sent_again() {
    // Out of the pocket and around it: turns on the spot, curves and corners that are passed.
    let model = pocket();
    let mut fast = 0.0;
    for after in (0..200).step_by(8) {
        let mut world = World::new(model.clone());
        let goal = Pose2::new(0.7, 0.0, 0.0);
        let mut go_to_pose = GoToPose::new(&world, RobotId(0), goal).expect("a goal");
        let (v, way, touches) = called_back(&mut world, &mut go_to_pose, after);
        let limits = go_to_pose.settings().limits;
        let most = 1.2 * v * v / (2.0 * limits.acceleration) + v * 0.03 + 0.01;
        assert!(way < most && touches == 0, "after {after}: {way} m from {v} m/s, {touches}");
        fast = v.max(fast);
    }
    assert!(fast > 0.8, "{fast}");
    let mut world = World::new(model);
    let mut go_to_pose =
        GoToPose::new(&world, RobotId(0), Pose2::new(0.7, 0.0, 0.0)).expect("a goal");
    (0..40).for_each(|_| {
        go_to_pose.frame(&mut world);
        (0..steps_of_frame(&world)).for_each(|_| world.step());
    });
    go_to_pose.brake();
    assert!(!go_to_pose.braking_frame(&mut world));
    go_to_pose.send_to(&world, Pose2::new(-0.7, 0.0, 0.0)).expect("a goal");
    for _ in 0..200 {
        go_to_pose.frame(&mut world);
        (0..steps_of_frame(&world)).for_each(|_| world.step());
    }
    assert_eq!(go_to_pose.goal_progress().state, Progress::Arrived);
}

#[test]
fn a_robot_that_is_put_elsewhere_goes_on_from_there() {
    let model = model("navigation", &[]);
    let mut world = World::new(model.clone());
    let goal = Pose2::new(0.5, 0.3, 0.0);
    let mut go_to_pose = GoToPose::new(&world, RobotId(0), goal).expect("a goal");
    let mut arrived = false;
    for frame in 0..250 {
        if frame == 20 {
            assert!(world.place_body(RobotId(0), Pose2::new(-0.6, -0.4, 2.0)));
        }
        go_to_pose.frame(&mut world);
        (0..steps_of_frame(&world)).for_each(|_| world.step());
        arrived = go_to_pose.goal_progress().state == Progress::Arrived;
    }
    assert!(arrived);
    let shown = go_to_pose.goal_progress();
    assert!(shown.left_m < 0.01 && shown.references.len() <= 64, "{shown:?}");
    let end = *shown.references.last().expect("a plan is shown");
    assert!((end - goal.position).length() < 1e-6);
}

#[test]
fn settings_come_from_the_drive_and_the_minirobot_gets_about_the_defaults() {
    let of = |scene: &str, set: &str| {
        let world = World::new(model(scene, &[set]));
        *GoToPose::new(&world, RobotId(0), Pose2::new(0.2, 0.3, 0.0)).expect("a goal").settings()
    };
    let (own, base) = (of("navigation", "robot=minirobot"), rolima_nav::Settings::default());
    let about = |a: f64, b: f64| (a / b - 1.0).abs() < 0.25;
    let shown = format!("{:?} {:?}", own.limits, own.gains);
    assert!(about(own.limits.speed, base.limits.speed), "{shown}");
    assert!(about(own.limits.acceleration, base.limits.acceleration), "{shown}");
    assert!(about(own.gains.side, base.gains.side), "{shown}");
    assert!(about(own.margin, base.margin) && about(own.arrived.0, base.arrived.0));
    // Never beyond what the speed controller would go for.
    let (one, pioneer) = (of("maze", "robot=robot-one"), of("maze", "robot=pioneer-p3dx"));
    assert!((2.0..4.0).contains(&one.limits.speed) && one.limits.acceleration <= 3.0);
    assert!(pioneer.limits.speed <= 1.2 && pioneer.limits.acceleration <= 0.3);
    assert!(one.arrived.0 > 4.0 * own.arrived.0 && one.gains.side < own.gains.side);
    println!("minirobot {shown}\nRobot One {:?} {:?}", one.limits, one.arrived);
}
