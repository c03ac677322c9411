//! What a pilot knows of the other robots: only what vision and least squares tell it, and without
//! touching the heap.

use rolima_agents::others::Others;
use rolima_agents::pilot::{FRAME_S, Pilot, send, truth_of};
use rolima_agents::tasks::{field_settings, out_of_the_way};
use rolima_agents::vision::{Blur, TASK_BLUR};
use rolima_core::{Model, RobotId, World};
use rolima_math::{Pose2, Stream, Vec2};
use rolima_nav::{Goal, MotorVolts, Settings};
use rolima_scene::{Source, load};
use rolima_testing::heap;
use std::sync::Arc;

fn model() -> Arc<Model> {
    let sets = ["driver=none".to_owned()];
    let scene = load(&Source::BuiltIn("soccer.toml".to_owned()), &sets).expect("a built-in scene");
    Arc::new(scene.compile().expect("a good scene"))
}

/// Robot 1 stands for a second, then drives a circle of 20 cm at 1.06 m/s; all others stand.
fn circling(world: &mut World, time_s: f64) {
    let volts = if time_s < 1.0 { MotorVolts::ZERO } else { MotorVolts { right: 2.6, left: 2.0 } };
    send(world, RobotId(1), volts);
}

/// Root mean square errors of position, m, and velocity, m/s, of the one that stands (2) and the one
/// that circles (1), as robot 0 knows them; each frame is `period` s.
fn errors(period: f64, blur: Blur) -> [[f64; 2]; 2] {
    let model = model();
    let mut world = World::new(model.clone());
    out_of_the_way(&mut world);
    world.place_body(RobotId(1), Pose2::new(0.0, -0.2, 0.0));
    let mut others = Others::new(&world, RobotId(0), period, blur, 5).expect("others");
    let mut sums = [[0.0; 2]; 2];
    let mut count = 0.0;
    let steps = (period / model.step_s).round() as u64;
    for frame in 0..(8.0 / period) as u64 {
        let time_s = frame as f64 * period;
        circling(&mut world, time_s);
        let known = others.frame(&world);
        if time_s > 3.0 {
            count += 1.0;
            for (i, sum) in sums.iter_mut().enumerate() {
                let truth = truth_of(&world, RobotId(i as u32 + 1)).expect("a robot");
                sum[0] += (known[i].position - truth.pose.position).length_squared();
                sum[1] += (known[i].velocity - truth.velocity).length_squared();
            }
        }
        world.steps(steps);
    }
    let [circles, stands] = sums.map(|sum| sum.map(|sum: f64| (sum / count).sqrt()));
    println!("circles {circles:?}, stands {stands:?}");
    [circles, stands]
}

#[test]
fn others_are_known_to_a_centimetre_where_what_was_seen_is_older() {
    for (period, blur) in [(FRAME_S, TASK_BLUR), (0.001, Blur { delay: 30, ..TASK_BLUR })] {
        let [circles, stands] = errors(period, blur);
        // What was seen is 32 mm behind by then, and 3 mm off.
        assert!(circles[0] < 0.010 && circles[1] < 0.2, "{circles:?}");
        assert!(stands[0] < 0.004 && stands[1] < 0.03, "{stands:?}");
    }
    // True poses in time are the truth.
    let [circles, stands] = errors(FRAME_S, Blur::default());
    assert!(circles[0] < 1e-9 && stands[0] < 1e-9, "{circles:?} {stands:?}");
}

#[test]
fn through_gaps_they_go_on_and_those_who_are_lost_stand_where_they_were() {
    let model = model();
    let mut world = World::new(model.clone());
    out_of_the_way(&mut world);
    world.place_body(RobotId(1), Pose2::new(0.0, -0.2, 0.0));
    let blur = Blur { gaps: 0.03, gap_length: 5, ..TASK_BLUR };
    let mut others = Others::new(&world, RobotId(0), FRAME_S, blur, 6).expect("others");
    assert!(others.frame(&world).is_empty(), "nothing was seen yet");
    let mut worst = 0.0f64;
    for frame in 1..300u32 {
        circling(&mut world, f64::from(frame) * FRAME_S);
        let known = others.frame(&world);
        if frame > 100 {
            assert_eq!(known.len(), model.robots.len() - 1);
            let truth = truth_of(&world, RobotId(1)).expect("a robot");
            worst = worst.max((known[0].position - truth.pose.position).length());
        }
        world.steps(30);
    }
    println!("at worst {worst} m off");
    // Six frames at 1.06 m/s are 19 cm.
    assert!(worst < 0.15, "{worst}");
}

#[test]
fn those_who_are_lost_stand_where_they_were_last_known() {
    let model = model();
    let mut world = World::new(model.clone());
    out_of_the_way(&mut world);
    world.place_body(RobotId(1), Pose2::new(0.0, -0.2, 0.0));
    // Sooner or later the first gap comes, and never ends.
    let blur = Blur { gaps: 0.005, gap_length: u32::MAX, ..TASK_BLUR };
    let mut others = Others::new(&world, RobotId(0), FRAME_S, blur, 6).expect("others");
    let (mut moved, mut stood) = (0, 0);
    let mut last = None;
    for frame in 1..1500u32 {
        circling(&mut world, f64::from(frame) * FRAME_S);
        let known = others.frame(&world).first().map(|other| (other.position, other.velocity));
        // The first estimates know no velocity yet.
        if let (Some((position, velocity)), true) = (known, frame > 30) {
            if velocity == Vec2::ZERO {
                assert!(stood == 0 || last == Some(position), "frame {frame}: {position:?}");
                (last, stood) = (Some(position), stood + 1);
            } else {
                assert_eq!(stood, 0, "frame {frame}: nothing is seen any more");
                moved += 1;
            }
        }
        world.steps(30);
    }
    assert!(moved > 10 && stood > 100, "{moved} frames on the move, {stood} at rest");
}

#[test]
fn a_pilot_does_not_allocate_in_a_frame() {
    let model = model();
    for (period, delay) in [(FRAME_S, 1), (0.001, 30)] {
        let mut world = World::new(model.clone());
        let settings = Settings { period, ..field_settings() };
        let blur = Blur { delay, gaps: 0.01, gap_length: 3, ..TASK_BLUR };
        let random = Stream::new(1, 0, "vision");
        let mut pilot = Pilot::new(&world, RobotId(0), settings, blur, random).expect("a pilot");
        let goal = Goal::stop_at(Pose2::new(0.6, 0.3, 1.0));
        let mut count = 0;
        for _ in 0..300 {
            let before = heap::count();
            pilot.frame(&mut world, Some(goal));
            count += heap::count() - before;
            world.steps(pilot.steps());
        }
        assert_eq!(count, 0, "frames of {period} s");
    }
}
