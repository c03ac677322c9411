//! A ball behind walls: who is to meet it goes around them, as for any goal.

use rolima_agents::go_to_pose::{GoToPose, Progress};
use rolima_agents::pilot::{steps_of_frame, truth_of};
use rolima_agents::route::Target;
use rolima_agents::vision::Blur;
use rolima_core::{BodyId, RobotId, World};
use rolima_math::{Pose2, Vec2};
use rolima_scene::{Source, load};
use std::sync::Arc;

const AIM: Vec2 = Vec2::new(2.0, 0.0);

/// A robot at the origin, which looks along x, a ball, and walls from corner to corner.
fn world(ball: [f64; 2], walls: &[&[[f64; 2]]]) -> World {
    let mut text = format!(
        "title = \"walls\"\n[[robot]]\nname = \"robot\"\npreset = \"minirobot\"\npose = [0.0, 0.0, 0.0]\n\
         [[ball]]\nname = \"ball\"\nposition = {ball:?}\n"
    );
    for pair in walls.iter().flat_map(|corners| corners.windows(2)) {
        text += &format!(
            "[[wall]]\nkind = \"segment\"\nfrom = {:?}\nto = {:?}\nthickness = 0.01\n",
            pair[0], pair[1]
        );
    }
    let source = Source::Text { name: "walls".to_owned(), text };
    let model = load(&source, &[]).expect("a scene").compile().expect("a model");
    World::new(Arc::new(model))
}

fn ball_of(world: &World) -> BodyId {
    world.model().balls().next().expect("a ball")
}

fn sent_to_ball(world: &World) -> GoToPose {
    let target = Target::Ball { ball: ball_of(world), aim: AIM };
    GoToPose::seeing(world, RobotId(0), target, (Blur::default(), 0)).expect("a ball to meet")
}

/// When the ball was met, s.
fn meet(world: &mut World, robot: &mut GoToPose, within_s: f64) -> Option<f64> {
    for frame in 0..(within_s / 0.03) as u64 {
        robot.frame(world);
        (0..steps_of_frame(world)).for_each(|_| world.step());
        if robot.is_done() {
            return Some(0.03 * frame as f64);
        }
    }
    None
}

/// Walls on three sides of the robot: the way to what is ahead of it begins backwards.
const BAY: [[f64; 2]; 4] = [[-0.3, -0.4], [0.25, -0.4], [0.25, 0.4], [-0.3, 0.4]];

#[test]
fn a_ball_behind_walls_is_gone_around_to_and_sent_to_its_aim() {
    for (velocity, ball) in [
        (Vec2::ZERO, [0.7, 0.0]),
        (Vec2::ZERO, [0.45, 0.3]),
        (Vec2::new(0.0, 0.1), [0.7, -0.3]),
        (Vec2::new(0.15, -0.1), [0.5, 0.3]),
    ] {
        let mut world = world(ball, &[&BAY]);
        let number = ball_of(&world);
        assert!(world.set_motion(number, Pose2::new(ball[0], ball[1], 0.0), velocity, 0.0));
        let mut robot = sent_to_ball(&world);
        let met_s = meet(&mut world, &mut robot, 15.0);
        let rolls = world.twist(number).expect("a ball").velocity;
        let place = world.pose(number).expect("a ball").position;
        let aside = rolls.cross((AIM - place).unit_or(Vec2::ZERO)).abs();
        let progress = robot.goal_progress().state;
        let what = format!("{ball:?} {velocity:?}: {met_s:?} {progress:?} at {place:?}, {rolls:?}");
        assert!(met_s.is_some(), "{what}");
        assert!(rolls.x > 0.1 && aside < 0.3 * rolls.length(), "{what}");
    }
}

#[test]
fn a_ball_that_no_way_leads_to_is_waited_for_and_met_once_it_is_put_outside() {
    let closed = [[0.5, -0.3], [1.1, -0.3], [1.1, 0.3], [0.5, 0.3], [0.5, -0.3]];
    let mut world = world([0.8, 0.0], &[&closed]);
    let mut robot = sent_to_ball(&world);
    assert_eq!(meet(&mut world, &mut robot, 6.0), None);
    assert_eq!(robot.goal_progress().state, Progress::Blocked);
    let truth = truth_of(&world, RobotId(0)).expect("a robot");
    assert!(truth.pose.position.length() < 0.45, "it stays outside: {:?}", truth.pose);
    assert!(world.place_body(ball_of(&world), Pose2::new(0.3, 0.6, 0.0)));
    assert!(meet(&mut world, &mut robot, 10.0).is_some());
}
