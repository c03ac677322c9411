//! The same loop at 1 kHz: nothing in it counts frames where it means time.

use rolima_agents::pilot::{Pilot, truth_of};
use rolima_agents::soccer::{Chase, chase};
use rolima_agents::tasks::{self, RULE, Task, field_settings, random_tasks, summary};
use rolima_agents::vision::{Blur, TASK_BLUR};
use rolima_core::{Model, RobotId, World};
use rolima_math::{Pose2, Stream, Vec2, wrap_angle};
use rolima_nav::{Goal, Settings};
use rolima_scene::{Source, load};
use std::sync::Arc;

const PERIOD: f64 = 0.001;

/// Vision of 2 mm and 1 degree a thousand times a second, 30 ms late.
const BLUR: Blur = Blur { delay: 30, ..TASK_BLUR };

fn model(scene: &str, sets: &[&str]) -> Arc<Model> {
    let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
    let scene = load(&Source::BuiltIn(scene.to_owned()), &sets).expect("a built-in scene");
    Arc::new(scene.compile().expect("a good scene"))
}

fn settings() -> Settings {
    Settings { period: PERIOD, ..field_settings() }
}

#[test]
fn the_thesis_goals_are_reached_on_both_presets_within_five_seconds() {
    for preset in ["minirobot", "minirobot-2001"] {
        let model = model("navigation.toml", &[&format!("robot={preset}")]);
        for degrees in [50.0f64, 0.0, -50.0] {
            let goal = Pose2::new(0.5, 0.5, degrees.to_radians());
            let mut world = World::new(model.clone());
            let robot = RobotId(0);
            let random = Stream::new(1, 0, "vision");
            let mut pilot = Pilot::new(&world, RobotId(0), settings(), BLUR, random).unwrap();
            assert_eq!(pilot.steps(), 1);
            while world.time_s() < 5.0 {
                pilot.frame(&mut world, Some(Goal::stop_at(goal)));
                world.steps(pilot.steps());
            }
            let truth = truth_of(&world, robot).unwrap();
            let off = (truth.pose.position - goal.position).length();
            let turned = wrap_angle(truth.pose.theta() - goal.theta()).abs().to_degrees();
            let speed = truth.velocity.length();
            println!("{preset} {degrees}: {off:.4} m, {turned:.2} deg, {speed:.4} m/s");
            assert!(off < 0.01 && turned < 3.0 && speed < 0.02, "{preset}, {degrees}");
        }
    }
}

#[test]
fn random_goals_are_held_as_with_frames_of_30_ms() {
    let model = model("navigation.toml", &[]);
    let all = random_tasks(100, 7);
    let at = |settings: Settings, blur: Blur| {
        let run = |task: &Task| tasks::run(&model, task, settings, blur, RULE).unwrap();
        let outcomes: Vec<_> = all.iter().map(run).collect();
        summary(&outcomes)
    };
    let (slow, fast) = (at(field_settings(), TASK_BLUR), at(settings(), BLUR));
    println!("30 ms: {slow:?}, 1 ms: {fast:?}");
    assert!(fast.0 >= 0.99 && fast.0 >= slow.0, "{fast:?} against {slow:?}");
    assert!(fast.1 < 1.05 * slow.1, "{fast:?} against {slow:?}");
}

#[test]
fn gaps_of_as_many_milliseconds_are_driven_through() {
    let model = model("navigation.toml", &[]);
    // As often and as long as 3 of 100 frames of 30 ms, five of them.
    let blur = Blur { gaps: 0.001, gap_length: 150, ..BLUR };
    let run = |task: &Task| tasks::run(&model, task, settings(), blur, RULE).unwrap();
    let outcomes: Vec<_> = random_tasks(60, 8).iter().map(run).collect();
    let (share, _) = summary(&outcomes);
    assert!(share > 0.95, "{share}");
}

#[test]
fn a_rolling_ball_is_met_by_the_front_and_rolls_towards_the_aim() {
    let model = model("navigation.toml", &[]);
    let mut random = Stream::new(3, 0, "chase");
    let (mut met, mut sent, count) = (0, 0, 40);
    for seed in 0..count {
        let robot = Pose2::new(random.between(-0.6, 0.0), random.between(-0.5, 0.5), 0.0);
        let ball = Vec2::new(random.between(0.1, 0.4), random.between(-0.3, 0.3));
        let velocity = Vec2::new(random.between(-0.25, 0.15), random.between(-0.2, 0.2));
        let task = Chase { robot, ball, velocity, aim: Vec2::new(0.8, 0.0), seed };
        let touch = chase(&model, &task, settings(), BLUR).unwrap();
        met += u32::from(touch.is_some());
        sent += u32::from(touch.is_some_and(|t| t.is_in_front() && t.is_towards_aim()));
    }
    println!("{met} met, {sent} sent, of {count}");
    assert!(met >= 38, "{met} of {count}");
    assert!(sent >= 36, "{sent} of {count}");
}
