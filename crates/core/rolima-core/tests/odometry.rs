//! Odometry in a world: what wheels say, what the robot does, and how both drift apart.

use crate::sense_kit;

use rolima_core::model::{Rate, SensorKind};
use rolima_core::{Command, RobotId};
use rolima_math::{Pose2, wrap_angle};
use sense_kit::{close, pose, preset, reading, world};

#[test]
fn ideal_odometry_is_the_true_pose_at_any_step() {
    for step_s in [1e-4, 1e-3, 0.02] {
        let mut spec = preset("robot-one", "pose = [1, 2, 30]");
        spec.sim.step_s = step_s;
        let SensorKind::Odometry(odometry) = &mut spec.robots[0].sensors[1].kind else { panic!() };
        odometry.rate = Rate { period_s: step_s, phase_s: 0.0 };
        let mut world = world(&spec);
        for (i, (v, omega)) in [(1.0, 0.6), (-0.5, -2.0), (0.0, 3.0), (2.0, 0.1)].iter().enumerate()
        {
            world.command(RobotId(0), Command::Velocity { v: *v, omega: *omega }).unwrap();
            world.steps((1.7 / step_s) as u64 + i as u64);
        }
        world.stop(RobotId(0)).unwrap();
        world.steps((2.0 / step_s) as u64);
        let (truth, believed) = (pose(&world), reading(&world, "odometry"));
        // Arcs of a step are as good as exact for the step at hand.
        let most = 1e-9 + 40.0 * step_s * step_s;
        close(believed[0], truth.position.x, most);
        close(believed[1], truth.position.y, most);
        close(wrap_angle(believed[2] - truth.theta()), 0.0, 1e-9);
    }
}

/// The pose that a robot believes in after driving 10 m straight on and turning twice around.
fn believed(errors: &str) -> (Vec<f64>, Pose2) {
    let sensor = format!("[[robot.sensor]]\nkind = \"odometry\"\n{errors}");
    let mut world = world(&preset("robot-one", &sensor));
    world.command(RobotId(0), Command::Velocity { v: 1.0, omega: 0.0 }).expect("taken");
    world.steps(10_000);
    world.stop(RobotId(0)).expect("taken");
    world.steps(2000);
    world.command(RobotId(0), Command::Velocity { v: 0.0, omega: 1.0 }).expect("taken");
    world.steps(12_000);
    world.stop(RobotId(0)).expect("taken");
    world.steps(1000);
    (reading(&world, "odometry"), pose(&world))
}

#[test]
fn odometry_drifts_by_its_systematic_errors() {
    let (exact, truth) = believed("");
    close(exact[0], truth.position.x, 1e-6);
    let way = truth.position.x;
    let (large, truth) = believed("radius_factor_right = 1.02\nradius_factor_left = 1.02");
    close(large[0], 1.02 * way, 1e-3);
    // Larger wheels on the same axle believe in larger turns, too.
    let turned = |theta: f64| wrap_angle(theta);
    close(turned(large[2] - 1.02 * 12.0), turned(truth.theta() - 12.0), 0.02);
    let (wide, truth) = believed("distance_factor = 1.1");
    close(wide[0], way, 1e-3);
    close(turned(wide[2] - 12.0 / 1.1), turned(truth.theta() - 12.0), 0.02);
    // Wheels that lose a fifth of their turning on the ground count more way than there was.
    let (slips, _) = believed("slip = 0.2");
    close(slips[0], way / 0.8, 1e-3);
    let (uneven, _) = believed("radius_factor_right = 1.001\nradius_factor_left = 0.999");
    // A bend of 0.002 r/(r 0.7) a metre: after 10 m half of it aside.
    close(uneven[1], 0.5 * way * way * 0.002 / 0.7, 2e-3);
}

#[test]
fn a_robot_believes_what_it_is_told() {
    let mut world = world(&preset("pioneer-p3dx", ""));
    world.command(RobotId(0), Command::Velocity { v: 0.3, omega: 0.2 }).unwrap();
    world.steps(3000);
    assert!(world.set_odometry(RobotId(0), Pose2::new(7.0, -2.0, 1.0)));
    assert_eq!(reading(&world, "odometry")[..2], [7.0, -2.0]);
    let truth = pose(&world);
    world.steps(1000);
    let (now, believed) = (pose(&world), reading(&world, "odometry"));
    let turned = believed[2] - 1.0;
    close(turned, wrap_angle(now.theta() - truth.theta()), 2e-3);
    assert!(!world.set_odometry(RobotId(0), Pose2::new(f64::NAN, 0.0, 0.0)));
    assert!(!world.set_odometry(RobotId(9), Pose2::IDENTITY));
}

#[test]
fn wheels_that_slip_turn_further_and_encoders_show_it() {
    let way = |slip: f64| {
        let more = format!("[[robot.sensor]]\nkind = \"odometry\"\nslip = {slip}");
        let mut world = world(&preset("pioneer-p3dx", &more));
        world.command(RobotId(0), Command::Velocity { v: 0.3, omega: 0.0 }).unwrap();
        world.steps(5000);
        let ticks = reading(&world, "encoders")[0] * std::f64::consts::TAU / 76_600.0 * 0.0975;
        (ticks, reading(&world, "odometry")[0], pose(&world).position.x)
    };
    let (ticks, believed, truth) = way(0.2);
    close(ticks, truth / 0.8, 5e-3);
    close(believed, ticks, 5e-3);
}
