//! Sliding tyres against Coulomb's law, integrated by itself with steps of 0.4 microseconds.

use crate::common;
use common::coulomb::Coulomb;
use common::*;
use rolima_core::model::*;
use rolima_core::{BodyId, RobotId, Volts, World};
use rolima_math::{Pose2, Vec2};

/// A way to lose grip: (vx, vy, omega) at first, voltages (right, left), friction (static, kinetic).
struct Case {
    name: &'static str,
    v: [f64; 3],
    volts: [f64; 2],
    mu: (f64, f64),
}

const fn case(name: &'static str, v: [f64; 3], volts: [f64; 2], mu: (f64, f64)) -> Case {
    Case { name, v, volts, mu }
}

const CASES: [Case; 12] = [
    case("coasting sideways", [0.0, 1.0, 0.0], [0.0, 0.0], (0.8, 0.7)),
    case("coasting sideways, turning", [0.5, 1.0, 8.0], [0.0, 0.0], (0.8, 0.7)),
    case("spinning sideways", [0.0, 1.0, 0.0], [9.0, 9.0], (0.8, 0.7)),
    case("spinning on ice", [0.0, 0.0, 0.0], [9.0, 9.0], (0.05, 0.04)),
    case("spinning one wheel on ice", [0.0, 0.0, 0.0], [9.0, 1.0], (0.06, 0.04)),
    case("spinning round on ice", [0.3, 0.1, 0.0], [9.0, -9.0], (0.1, 0.05)),
    case("braking", [1.5, 0.0, 0.0], [-9.0, -9.0], (0.15, 0.1)),
    case("braking in a slide", [1.5, 0.4, 5.0], [-9.0, -9.0], (0.3, 0.25)),
    case("cornering", [2.0, 0.0, 10.0], [0.0, 0.0], (0.8, 0.7)),
    case("cornering under power", [2.0, 0.0, 10.0], [9.0, 6.0], (0.8, 0.7)),
    case("cornering, equal frictions", [2.5, 0.0, 6.0], [9.0, 9.0], (0.7, 0.7)),
    case("cornering backwards", [-1.8, 0.2, 12.0], [-4.0, 7.0], (0.8, 0.6)),
];

impl Case {
    fn drive(&self) -> DriveSpec {
        let (mu_static, mu_kinetic) = self.mu;
        DriveSpec { traction: Some(TractionSpec { mu_static, mu_kinetic }), ..DriveSpec::default() }
    }

    /// Where the reference is after each tenth of a second.
    fn reference(&self) -> [Coulomb; 3] {
        let mut robot = Coulomb::new(&self.drive(), self.v);
        core::array::from_fn(|_| {
            for _ in 0..250_000 {
                robot.step(self.volts, 4e-7);
            }
            robot.clone()
        })
    }

    fn world(&self, step_s: f64) -> World {
        let mut spec = SceneSpec::default();
        spec.sim.step_s = step_s;
        spec.robots.push(robot("r", self.drive(), Pose2::IDENTITY));
        let mut w = world(&spec);
        w.command(RobotId(0), Volts { right: self.volts[0], left: self.volts[1] })
            .expect("good volts");
        w.set_motion(BodyId(0), Pose2::IDENTITY, Vec2::new(self.v[0], self.v[1]), self.v[2]);
        w
    }

    /// How far the simulated robot is from the reference after `seconds`, m.
    fn error(&self, step_s: f64, seconds: f64, reference: &Coulomb) -> f64 {
        let mut w = self.world(step_s);
        w.steps((seconds / step_s).round() as u64);
        let [_, _, x, y, _] = robot_state(&w);
        let (dx, dy) = (x - reference.pose[0], y - reference.pose[1]);
        (dx * dx + dy * dy).sqrt()
    }
}

#[test]
fn sliding_robots_are_where_coulombs_law_says_within_a_millimetre_over_three_tenths_of_a_second() {
    for case in &CASES {
        for (i, reference) in case.reference().iter().enumerate() {
            let seconds = 0.1 * (i as f64 + 1.0);
            let error = case.error(1e-3, seconds, reference);
            println!("{} at {seconds:.1} s: {:.4} mm", case.name, 1e3 * error);
            assert!(error < 1e-3, "{} at {seconds} s: {error} m off", case.name);
        }
    }
}

#[test]
fn the_error_of_sliding_robots_falls_at_least_with_the_step() {
    for case in &CASES {
        let [_, _, reference] = case.reference();
        let errors = [1e-3, 5e-4, 2.5e-4].map(|h| case.error(h, 0.3, &reference));
        println!("{}: {errors:?}", case.name);
        // Below some micrometres the reference is no better.
        assert!(errors[1] < 0.6 * errors[0] + 4e-6, "{}: {errors:?}", case.name);
        assert!(errors[2] < 0.6 * errors[1] + 4e-6, "{}: {errors:?}", case.name);
        // A long step is divided, and no worse.
        let long = case.error(4e-3, 0.3, &reference);
        assert!(long < 1.5 * errors[0] + 1e-5, "{}: {long} at 4 ms, {errors:?}", case.name);
    }
}

#[test]
fn wheels_that_spin_sideways_are_slowed_by_the_ground() {
    // 1 m/s sideways with 9 V on both: after 0.1 s some 0.22 m/s forward, wheels at 13 rad/s.
    let case = &CASES[2];
    let [reference, ..] = case.reference();
    assert!((reference.v[0] - 0.216).abs() < 4e-3, "{:?}", reference.v);
    assert!((reference.w[1] - 13.0).abs() < 0.5, "{:?}", reference.w);
    let mut w = case.world(1e-3);
    w.steps(100);
    let forward = w.twist(RobotId(0)).expect("a robot").own.x;
    let robot = w.frame().bodies[0];
    assert!(robot.slips);
    let wheels = robot.wheel_speeds;
    assert!((forward - reference.v[0]).abs() < 2e-3, "{forward} against {:?}", reference.v);
    for i in 0..2 {
        assert!((wheels[i] - reference.w[i]).abs() < 0.2, "{wheels:?} against {:?}", reference.w);
    }
}
