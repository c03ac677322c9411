//! The whole loop in the planar engine, replanning every 30 ms.

use rolima_agents::pilot::{Pilot, steps_of_frame, truth_of};
use rolima_agents::soccer::{Chase, among_others, chase, random_chases};
use rolima_agents::tasks::{self, RULE, Task, field_settings, random_tasks, summary};
use rolima_agents::vision::{Blur, TASK_BLUR};
use rolima_core::{Model, RobotId, World};
use rolima_math::{Pose2, Stream, Vec2, wrap_angle};
use rolima_nav::{Goal, NavStatus, Settings};
use rolima_scene::{Source, load};
use std::sync::Arc;

fn model(scene: &str, sets: &[&str]) -> Arc<Model> {
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    let scene = load(&Source::BuiltIn(scene.to_owned()), &sets).expect("a built-in scene");
    Arc::new(scene.compile().expect("a good scene"))
}

#[test]
fn the_thesis_goals_are_reached_on_both_presets_within_five_seconds() {
    for preset in ["minirobot", "minirobot-2001"] {
        let model = model("navigation.toml", &[&format!("robot={preset}")]);
        for blur in [Blur::default(), TASK_BLUR] {
            for degrees in [50.0f64, 0.0, -50.0] {
                let goal = Pose2::new(0.5, 0.5, degrees.to_radians());
                let mut world = World::new(model.clone());
                let robot = RobotId(0);
                let random = Stream::new(1, 0, "vision");
                let mut pilot =
                    Pilot::new(&world, RobotId(0), field_settings(), blur, random).unwrap();
                let steps = steps_of_frame(&world);
                while world.time_s() < 5.0 {
                    pilot.frame(&mut world, Some(Goal::stop_at(goal)));
                    world.steps(steps);
                }
                let truth = truth_of(&world, robot).unwrap();
                let off = (truth.pose.position - goal.position).length();
                let turned = wrap_angle(truth.pose.theta() - goal.theta()).abs().to_degrees();
                let speed = truth.velocity.length();
                println!(
                    "{preset} {degrees}: {:.2} mm, {turned:.2} deg, {:.1} mm/s",
                    off * 1e3,
                    speed * 1e3
                );
                assert!(off < 0.01, "{preset}, {degrees}: {off} m");
                assert!(turned < 3.0, "{preset}, {degrees}: {turned} degrees");
                assert!(speed < 0.02, "{preset}, {degrees}: {speed} m/s");
            }
        }
    }
}

#[test]
fn of_a_thousand_random_goals_with_noise_and_delay_99_of_100_are_held() {
    for (preset, delay, least) in
        [("minirobot", 1, 0.99), ("minirobot", 3, 0.95), ("minirobot-2001", 1, 0.97)]
    {
        let model = model("navigation.toml", &[&format!("robot={preset}")]);
        let blur = Blur { delay, ..TASK_BLUR };
        let run = |task: &Task| tasks::run(&model, task, field_settings(), blur, RULE).unwrap();
        let outcomes: Vec<_> = random_tasks(1000, 7).iter().map(run).collect();
        let (share, median) = summary(&outcomes);
        println!("{preset}, delay {delay}: {share}, median {median} s");
        assert!(share >= least, "{preset}, delay {delay}: {share}, median {median} s");
        assert!(median < 3.0, "{median}");
    }
}

#[test]
fn gaps_in_vision_are_driven_through() {
    let model = model("navigation.toml", &[]);
    let blur = Blur { gaps: 0.03, gap_length: 5, ..TASK_BLUR };
    let run = |task: &Task| tasks::run(&model, task, field_settings(), blur, RULE).unwrap();
    let outcomes: Vec<_> = random_tasks(200, 8).iter().map(run).collect();
    let (share, _) = summary(&outcomes);
    assert!(share > 0.95, "{share}");
}

#[test]
fn the_same_task_ends_in_the_same_bits() {
    let model = model("navigation.toml", &[]);
    let task = random_tasks(1, 9)[0];
    let run = || tasks::run(&model, &task, field_settings(), TASK_BLUR, RULE).unwrap();
    let (a, b) = (run(), run());
    assert_eq!(a.distance.to_bits(), b.distance.to_bits());
    assert_eq!(a, b);
}

/// Places for five others and a task among them: nobody within 15 cm of anybody.
fn crowd(seed: u64) -> (Task, Vec<Pose2>) {
    let mut random = Stream::new(seed, 0, "crowd");
    let mut taken: Vec<Pose2> = vec![];
    while taken.len() < 7 {
        let pose = Pose2::new(
            random.between(-0.65, 0.65),
            random.between(-0.55, 0.55),
            random.between(-3.1, 3.1),
        );
        let apart = if taken.len() < 2 { 0.5 } else { 0.16 };
        if taken.iter().all(|other| (other.position - pose.position).length() > apart) {
            taken.push(pose);
        }
    }
    (Task { start: taken[0], goal: taken[1], seed }, taken[2..].to_vec())
}

#[test]
fn robots_in_the_way_are_passed_without_touching_them_and_without_standing() {
    let model = model("soccer.toml", &["driver=none"]);
    let (mut reached, mut touched, mut stood) = (0, 0, 0);
    let count = 200;
    for seed in 0..count {
        let (task, others) = crowd(seed);
        let rule = tasks::Rule { within_s: 10.0, ..RULE };
        let passage =
            among_others(&model, &task, &others, field_settings(), TASK_BLUR, rule).unwrap();
        reached += u64::from(passage.outcome.reached_s.is_some());
        touched += u64::from(passage.touches > 0);
        stood += u64::from(passage.stood_s > 0.3);
    }
    println!("{reached} reached, {touched} touched, {stood} stood, of {count}");
    assert!(reached >= count * 97 / 100, "{reached} of {count} reached");
    assert!(touched <= count * 3 / 100, "{touched} of {count} touched");
    assert!(stood <= count * 5 / 100, "{stood} of {count} stood");
}

/// How balls were met.
#[derive(Debug, Default)]
struct Met {
    touched: u64,
    /// By the front of the robot.
    in_front: u64,
    /// And rolled towards the aim afterwards.
    sent: u64,
    times: Vec<f64>,
}

fn meet_all(chases: impl Iterator<Item = Chase>) -> Met {
    let model = model("navigation.toml", &[]);
    let mut met = Met::default();
    for task in chases {
        let Some(touch) = chase(&model, &task, field_settings(), TASK_BLUR).expect("good settings")
        else {
            continue;
        };
        met.touched += 1;
        met.in_front += u64::from(touch.is_in_front());
        met.sent += u64::from(touch.is_in_front() && touch.is_towards_aim());
        met.times.push(touch.time_s);
    }
    met.times.sort_by(f64::total_cmp);
    met
}

#[test]
fn a_rolling_ball_is_met_by_the_front_and_rolls_towards_the_aim() {
    const COUNT: u64 = 400;
    let met = meet_all(random_chases(COUNT, 3).into_iter());
    let median = met.times[met.times.len() / 2];
    let (touched, front, sent) = (met.touched, met.in_front, met.sent);
    println!("of {COUNT}: {touched} met, {front} in front, {sent} sent; median {median} s");
    assert!(touched >= COUNT * 97 / 100, "{touched} of {COUNT}");
    assert!(front >= COUNT * 92 / 100, "{front} of {COUNT} in front");
    assert!(sent >= COUNT * 92 / 100, "{sent} of {COUNT} sent towards the aim");
    assert!(median < 2.5, "{median}");
}

#[test]
fn a_ball_is_gone_around_where_the_robot_is_on_the_side_of_the_aim() {
    const COUNT: u64 = 400;
    let mut random = Stream::new(4, 0, "chase");
    // Robot and ball anywhere, to either goal.
    let met = meet_all((0..COUNT).map(|seed| {
        let mut place = |x: f64, y: f64| Vec2::new(random.between(-x, x), random.between(-y, y));
        let (robot, mut ball) = (place(0.6, 0.5), place(0.4, 0.4));
        while (ball - robot).length() < 0.15 {
            ball = place(0.4, 0.4);
        }
        let (velocity, aim) = (place(0.2, 0.2), if seed % 2 == 0 { 0.8 } else { -0.8 });
        let robot = Pose2::new(robot.x, robot.y, random.between(-3.1, 3.1));
        Chase { robot, ball, velocity, aim: Vec2::new(aim, 0.0), seed }
    }));
    let median = met.times[met.times.len() / 2];
    let (touched, front, sent) = (met.touched, met.in_front, met.sent);
    println!("of {COUNT}: {touched} met, {front} in front, {sent} sent; median {median} s");
    assert!(touched >= COUNT * 97 / 100, "{touched} of {COUNT}");
    assert!(sent >= COUNT * 92 / 100, "{sent} of {COUNT} sent towards the aim");
    assert!(median < 3.0, "{median}");
}

#[test]
fn settings_that_make_no_sense_are_refused() {
    let model = model("navigation.toml", &[]);
    let world = World::new(model);
    let settings = Settings { period: 0.0, ..field_settings() };
    let pilot = Pilot::new(&world, RobotId(0), settings, Blur::default(), Stream::default());
    assert_eq!(pilot.err(), Some(rolima_nav::NavError::BadLimit));
    let nobody =
        Pilot::new(&world, RobotId(5), field_settings(), Blur::default(), Stream::default());
    assert!(nobody.is_err());
}

#[test]
fn every_frame_on_the_way_makes_a_plan() {
    let model = model("navigation.toml", &[]);
    let (mut frames, mut taken) = (0, 0);
    for task in random_tasks(50, 10) {
        let mut world = World::with_seed(model.clone(), task.seed);
        world.place_body(RobotId(0), task.start);
        tasks::out_of_the_way(&mut world);
        let random = Stream::new(task.seed, 0, "vision");
        let mut pilot =
            Pilot::new(&world, RobotId(0), field_settings(), TASK_BLUR, random).unwrap();
        for _ in 0..150 {
            let before = pilot.navigator().made();
            let output = pilot.frame(&mut world, Some(Goal::stop_at(task.goal)));
            // In the last frame it would be one to where it will be by then.
            if output.status == NavStatus::Driving && output.left > 0.04 {
                frames += 1;
                assert!(pilot.navigator().made() > before, "{output:?}");
            }
            world.steps(pilot.steps());
        }
        taken += pilot.navigator().taken();
    }
    println!("{frames} frames, {taken} plans taken");
    assert!(frames > 50 * 20 && taken < frames / 2, "{frames} frames, {taken} plans taken");
}

#[test]
fn a_goal_straight_to_the_side_is_not_crept_to() {
    // The criterion keeps the path in a rectangle of a millimetre: its ends are nearly cusps.
    let model = model("navigation.toml", &[]);
    let start = Pose2::new(-0.6076621212949809, 0.2938124686184399, 3.0315);
    let goal = Pose2::new(-0.6066992657831816, -0.3087372910626789, 2.5319);
    for blur in [Blur::default(), TASK_BLUR] {
        let task = Task { start, goal, seed: 789 };
        let outcome = tasks::run(&model, &task, field_settings(), blur, RULE).unwrap();
        assert!(outcome.reached_s.is_some_and(|s| s < 3.0), "{outcome:?}");
    }
}
