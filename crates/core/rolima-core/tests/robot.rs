//! The robot alone: equation 8 and its integrators against closed forms and the spec's numbers.

use crate::common;
use common::*;
use rolima_core::model::*;
use rolima_core::{BodyId, RobotId, Volts, World};
use rolima_math::Pose2;

fn open_loop(integrator: Integrator, step_s: f64) -> World {
    let mut spec = SceneSpec::default();
    spec.sim.integrator = integrator;
    spec.sim.step_s = step_s;
    let mut r = robot("r", DriveSpec::minirobot_2001(), Pose2::IDENTITY);
    r.driver = constant(7.2, 7.2);
    spec.robots.push(r);
    world(&spec)
}

/// The spec's state after 1 s from rest at 7.2 V on both motors.
const ORACLE: [f64; 5] = [1.42337941, 0.988335151, 0.582285737, 0.467846096, 1.0562476];

#[test]
fn after_one_second_the_listed_robot_is_where_the_oracle_says() {
    let mut w = open_loop(Integrator::Exact, 1e-3);
    w.steps(1000);
    for (got, want) in robot_state(&w).into_iter().zip(ORACLE) {
        // The oracle is printed to nine digits.
        assert!((got - want).abs() <= 1e-8, "{got} against {want}");
    }
}

#[test]
fn steady_speed_turn_and_radius_equal_the_oracle() {
    let mut w = open_loop(Integrator::Exact, 1e-3);
    w.steps(80_000);
    let [v, omega, ..] = robot_state(&w);
    assert!((v / 3.394587475924718 - 1.0).abs() < 1e-12, "{v}");
    assert!((omega / 0.168797671112 - 1.0).abs() < 1e-10, "{omega}");
    assert!((v / omega - 20.1104).abs() < 1e-4);
}

/// Errors of v, omega, position and heading after 0.32 s of a curve, against a tight reference.
fn error(integrator: Integrator, step_s: f64) -> [f64; 4] {
    let run = |integrator, step_s: f64| {
        let mut w = open_loop(integrator, step_s);
        w.command(RobotId(0), Volts { right: 6.0, left: 4.5 }).expect("good volts");
        w.steps((0.32 / step_s).round() as u64);
        robot_state(&w)
    };
    let (exact, got) = (run(Integrator::Exact, 1e-5), run(integrator, step_s));
    let d: [f64; 5] = core::array::from_fn(|i| got[i] - exact[i]);
    [
        d[0].abs(),
        d[1].abs(),
        (d[2] * d[2] + d[3] * d[3]).sqrt(),
        rolima_math::wrap_angle(d[4]).abs(),
    ]
}

/// Observed order of convergence of each error when the step is halved.
fn orders(integrator: Integrator, coarse: f64) -> [f64; 4] {
    let (big, small) = (error(integrator, coarse), error(integrator, coarse / 2.0));
    core::array::from_fn(|i| (big[i] / small[i]).log2())
}

#[test]
fn euler_converges_with_order_one() {
    for p in orders(Integrator::Euler, 1e-3) {
        assert!((0.95..1.05).contains(&p), "order {p}");
    }
}

#[test]
fn rk4_converges_with_order_four() {
    // The error of v is already at the rounding here; the other three show the order.
    for p in &orders(Integrator::Rk4, 8e-3)[1..] {
        assert!((3.8..4.3).contains(p), "order {p}");
    }
}

#[test]
fn exact_has_no_velocity_error_at_any_step_and_its_way_converges_with_order_four() {
    for step in [0.02, 8e-3, 1e-3] {
        let e = error(Integrator::Exact, step);
        assert!(e[0] < 1e-11 && e[1] < 1e-10 && e[3] < 1e-10, "step {step}: {e:?}");
    }
    let p = orders(Integrator::Exact, 8e-3)[2];
    assert!((3.8..4.2).contains(&p), "order {p}");
}

#[test]
fn voltages_beyond_the_supply_saturate() {
    let run = |volts: f64| {
        let mut w = open_loop(Integrator::Exact, 1e-3);
        w.command(RobotId(0), Volts { right: volts, left: volts }).unwrap();
        w.steps(500);
        robot_state(&w)
    };
    assert_eq!(run(9.0), run(500.0));
    assert_ne!(run(9.0), run(8.9));
}

fn gripping(mu: f64) -> World {
    let mut spec = SceneSpec::default();
    let traction = Some(TractionSpec { mu_static: mu, mu_kinetic: mu });
    let drive = DriveSpec { traction, ..DriveSpec::default() };
    spec.robots.push(robot("r", drive, Pose2::IDENTITY));
    world(&spec)
}

#[test]
fn a_robot_with_grip_moves_as_one_that_cannot_slip_while_its_tyres_hold() {
    let drive = DriveSpec { traction: None, ..DriveSpec::default() };
    let mut spec = SceneSpec::default();
    spec.robots.push(robot("r", drive, Pose2::IDENTITY));
    let (mut ideal, mut real) = (world(&spec), gripping(0.8));
    for w in [&mut ideal, &mut real] {
        w.command(RobotId(0), Volts { right: 3.0, left: 2.9 }).unwrap();
        w.steps(2000);
    }
    assert_eq!(robot_state(&ideal), robot_state(&real));
}

#[test]
fn a_fast_robot_in_a_tight_turn_slides_outwards() {
    // 3 m/s and 6 rad/s take 18 m/s2 sideways; the tyres have 0.8 g = 7.8.
    let mut w = gripping(0.8);
    w.set_motion(BodyId(0), Pose2::IDENTITY, rolima_math::Vec2::new(3.0, 0.0), 6.0);
    w.step();
    assert!(w.frame().bodies[0].slips);
    let mut path = 0.0;
    let mut last = robot_state(&w);
    for _ in 0..100 {
        w.step();
        let s = robot_state(&w);
        path += ((s[2] - last[2]) * (s[2] - last[2]) + (s[3] - last[3]) * (s[3] - last[3])).sqrt();
        last = s;
    }
    // Its way bends with at most mu g / v^2.
    assert!(path > 0.2);
    let b = w.frame().bodies[0];
    let course = rolima_math::atan2(b.velocity.y, b.velocity.x);
    assert!(course < 0.8 * 9.80665 / 2.0 * 0.101, "course {course}");
    assert!(b.pose.theta() > course + 0.05, "heading {} course {course}", b.pose.theta());
}

#[test]
fn a_sideways_sliding_robot_stops_after_v_squared_over_two_mu_g() {
    let mut w = gripping(0.5);
    w.set_motion(BodyId(0), Pose2::IDENTITY, rolima_math::Vec2::new(0.0, 1.0), 0.0);
    w.steps(1000);
    let [_, _, x, y, _] = robot_state(&w);
    // v' = -mu g - (beta/m) v, integrated: v0/b - c/b^2 ln(1 + b v0/c).
    let (c, b) = (0.5 * 9.80665, 0.1002 / 0.352);
    let expected = 1.0 / b - c / (b * b) * rolima_math::ln(1.0 + b / c);
    assert!(!w.frame().bodies[0].slips);
    assert!((y - expected).abs() < 0.006 * expected, "{y} against {expected}");
    assert!(x.abs() < 1e-9);
}

#[test]
fn spinning_wheels_push_with_mu_m_g() {
    // A strong motor on ice: both wheels spin, the force is the kinetic grip.
    let mut spec = SceneSpec::default();
    let traction = Some(TractionSpec { mu_static: 0.05, mu_kinetic: 0.04 });
    spec.robots.push(robot("r", DriveSpec { traction, ..DriveSpec::default() }, Pose2::IDENTITY));
    let mut w = world(&spec);
    w.command(RobotId(0), Volts { right: 9.0, left: 9.0 }).unwrap();
    w.steps(200);
    assert!(w.frame().bodies[0].slips);
    let [v, ..] = robot_state(&w);
    let expected = 0.04 * 9.80665 * 0.2;
    assert!((v / expected - 1.0).abs() < 0.03, "{v} against {expected}");
}
