//! Scenes on ground, driven: what vehicles get over and what they do not.

use crate::common;

use common::builtin;
use rolima_core::{Command, RobotId, World};
use rolima_math::Vec3;
use std::sync::Arc;

fn world(scene: &str, sets: &[&str]) -> World {
    let compiled = builtin(scene, sets).compile();
    World::new(Arc::new(compiled.unwrap_or_else(|error| panic!("{error}"))))
}

/// How upright robot `i` is: 1 upright, 0 on its side.
fn uprightness(world: &World, i: usize) -> f64 {
    world.frame().spatial[i].rotation.rotate(Vec3::new(0.0, 0.0, 1.0)).z
}

/// Drives along a lane of the proving ground for some seconds, at 1 m/s or as fast as it can: the
/// place that it gets to.
fn along_lane(preset: &str, lane: f64, seconds: u32) -> Vec3 {
    let sets = [format!("robot={preset}"), format!("lane={lane:?}")];
    let mut world = world("proving-ground", &[&sets[0], &sets[1]]);
    world.steps(500);
    for _ in 0..20 * seconds {
        let pose = world.frame().bodies[0].pose;
        let astray = pose.position.y - lane + 0.5 * pose.theta();
        let omega = (-0.5 * astray).clamp(-0.5, 0.5);
        world.command(RobotId(0), Command::Velocity { v: 1.0, omega }).expect("it has a servo");
        world.steps(50);
        let at = world.frame().spatial[0].position;
        assert!((at.x + at.y + at.z).is_finite(), "{preset} in lane {lane}: {at:?}");
    }
    world.frame().spatial[0].position
}

#[test]
fn vehicles_get_over_what_is_meant_for_them_and_not_over_the_rest() {
    // Lane, preset, seconds, and the x that is reached or not.
    let over = [
        (10.0, "vivi", 30, 23.5), // the side slope
        (10.0, "crawler", 36, 23.5),
        (10.0, "robot-one", 30, 23.5),
        (5.0, "skid-steer", 15, 10.0), // 35 degrees
        (5.0, "rover", 22, 10.0),
        (5.0, "vivi", 20, 10.0),
        (5.0, "crawler", 30, 10.0),
        (0.0, "robot-one", 30, 23.0), // 15 and 25 degrees
        (0.0, "skid-steer", 30, 23.0),
        (0.0, "rover", 42, 23.0),
        (0.0, "crawler", 36, 23.0),
        (-5.0, "vivi", 7, 5.5),         // 5 cm
        (-5.0, "skid-steer", 20, 16.0), // 15 cm
        (-5.0, "crawler", 28, 16.0),
        (-5.0, "rover", 36, 16.0),
        (-10.0, "vivi", 25, 19.0), // washboard and ditch
        (-10.0, "rover", 36, 19.0),
        (-10.0, "skid-steer", 30, 19.0),
        (-10.0, "crawler", 40, 19.0),
    ];
    for (lane, preset, seconds, reached) in over {
        let at = along_lane(preset, lane, seconds);
        assert!(at.x > reached && (at.y - lane).abs() < 1.2, "{preset} in lane {lane}: {at:?}");
    }
    let stopped = [
        (5.0, "skid-steer", 25, 15.0), // 60 degrees
        (5.0, "vivi", 25, 15.0),
        (-5.0, "vivi", 20, 8.0),         // 10 cm, as high as its hubs
        (-5.0, "skid-steer", 30, 18.0),  // 40 cm
        (-15.0, "skid-steer", 30, 13.0), // ice
        (-15.0, "vivi", 30, 13.0),
    ];
    for (lane, preset, seconds, never) in stopped {
        let at = along_lane(preset, lane, seconds);
        assert!(at.x < never, "{preset} in lane {lane}: {at:?}");
    }
}

#[test]
fn vivi_follows_the_pipe_over_seams_and_mud_and_is_led_back_to_its_middle() {
    let mut world = world("pipe", &["robot.0.pose=[0, 0.25, 0]"]);
    world.steps(500);
    world.command(RobotId(0), Command::Velocity { v: 1.0, omega: 0.0 }).expect("it has a servo");
    for _ in 0..30 {
        world.steps(1000);
        assert!(uprightness(&world, 0) > 0.8, "{:?}", world.frame().spatial[0]);
    }
    let at = world.frame().spatial[0].position;
    assert!(at.x > 27.0 && at.y.abs() < 0.5 && at.z < 0.2, "{at:?}");
}

#[test]
fn vehicles_wander_on_every_ground_and_stay_sane() {
    for (scene, seconds) in [("flat", 20), ("hills", 40), ("realistic", 30)] {
        let mut world = world(scene, &["driver=wander"]);
        let robots = world.model().robots.len();
        let from: Vec<Vec3> = (0..robots).map(|i| world.frame().spatial[i].position).collect();
        let mut farthest = vec![0.0f64; robots];
        for _ in 0..seconds {
            world.steps(1000);
            for i in 0..robots {
                let at = world.frame().spatial[i].position;
                assert!((at.x + at.y + at.z).is_finite(), "{scene}, robot {i}: {at:?}");
                farthest[i] = farthest[i].max((at - from[i]).length());
            }
        }
        assert!(farthest.iter().all(|way| *way > 1.0), "{scene}: {farthest:?}");
    }
}

#[test]
fn a_step_ten_times_finer_tells_the_same_story() {
    let drive = |fine: &str| {
        let mut world = world("hills", &[&format!("ground.fine_step_s={fine}")]);
        world.steps(500);
        for robot in [0, 1] {
            let command = Command::Velocity { v: 0.5, omega: 0.1 };
            world.command(RobotId(robot), command).expect("it has a servo");
        }
        world.steps(15_000);
        [0, 1].map(|i| world.frame().spatial[i].position)
    };
    let (coarse, fine) = (drive("1e-3"), drive("1e-4"));
    for (a, b) in coarse.into_iter().zip(fine) {
        assert!((a - b).length() < 0.1, "{a:?} against {b:?}");
    }
}
