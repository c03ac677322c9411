//! Blows from outside, and what the outside sees of motors and contacts.

use crate::common;
use common::*;
use rolima_core::model::*;
use rolima_core::{BodyId, EventKind, RobotId, Volts, World};
use rolima_math::{Pose2, Vec2};

fn one_robot(drive: DriveSpec, pose: Pose2) -> World {
    let mut spec = SceneSpec::default();
    spec.robots.push(robot("r", drive, pose));
    world(&spec)
}

fn one_ball(friction: BallFriction) -> World {
    let mut spec = SceneSpec::default();
    spec.balls.push(BallSpec { friction, ..free_ball("b", Vec2::ZERO, Vec2::ZERO) });
    world(&spec)
}

fn close(got: f64, want: f64) -> bool {
    (got - want).abs() <= 1e-12 * want.abs().max(1e-3)
}

#[test]
fn a_loose_body_gets_j_over_m_and_r_cross_j_over_i() {
    let mut spec = SceneSpec::default();
    let velocity = Vec2::new(0.1, -0.2);
    spec.objects.push(free_box("o", Pose2::new(1.0, 2.0, 0.3), velocity, 0.4));
    let mut w = world(&spec);
    let (arm, impulse) = (Vec2::new(0.02, -0.03), Vec2::new(0.05, 0.01));
    assert!(w.push(BodyId(0), Vec2::new(1.0, 2.0) + arm, impulse));
    let body = w.frame().bodies[0];
    assert!(close(body.velocity.x, 0.1 + 0.05 / 0.352), "{body:?}");
    assert!(close(body.velocity.y, -0.2 + 0.01 / 0.352), "{body:?}");
    assert!(close(body.omega, 0.4 + arm.cross(impulse) / 3.30e-4), "{body:?}");
}

#[test]
fn a_robot_whose_tyres_never_slip_answers_along_its_heading_with_its_wheels() {
    let drive = DriveSpec::minirobot_2001();
    let mut w = one_robot(drive, Pose2::new(0.0, 0.0, 0.7));
    let heading = Pose2::new(0.0, 0.0, 0.7).rotation;
    // Hit in front of the centre, ahead and to the left, far beyond what tyres would hold.
    let (point, impulse) = (Vec2::new(0.03, 0.0), Vec2::new(0.2, 0.5));
    assert!(w.push(BodyId(0), heading.rotate(point), heading.rotate(impulse)));
    let m = w.model().drives[0].mass_matrix;
    let [v, omega, ..] = robot_state(&w);
    // M (v, omega) is the impulse along the heading and the turning: nothing is lost but the side.
    assert!(close(m[0][0] * v + m[0][1] * omega, 0.2), "{v} {omega}");
    assert!(close(m[1][0] * v + m[1][1] * omega, 0.03 * 0.5), "{v} {omega}");
    let body = w.frame().bodies[0];
    assert!(body.velocity.dot(heading.y_axis()).abs() < 1e-12 && !body.slips);
}

#[test]
fn tyres_hold_a_weak_blow_from_the_side_and_let_go_at_a_hard_one() {
    let drive = DriveSpec::default();
    let traction = drive.traction.expect("the default robot slips");
    let mut w = one_robot(drive.clone(), Pose2::IDENTITY);
    let holds = traction.mu_static * drive.mass * 9.80665 * w.model().step_s;
    assert!(w.push(BodyId(0), Vec2::ZERO, Vec2::new(0.0, 0.99 * holds)));
    assert_eq!(w.frame().bodies[0].velocity, Vec2::ZERO);
    assert!(!w.frame().bodies[0].slips);

    assert!(w.push(BodyId(0), Vec2::ZERO, Vec2::new(0.0, 20.0 * holds)));
    let body = w.frame().bodies[0];
    assert!(body.slips && close(body.velocity.y, 20.0 * holds / drive.mass), "{body:?}");
    assert_eq!(w.state().event_count(EventKind::Slip), 1);
    w.step();
    assert_eq!(w.state().event_count(EventKind::Slip), 1, "a slip is one event");
    assert!(w.frame().bodies[0].velocity.y < body.velocity.y, "kinetic friction brakes it");
    w.steps(2000);
    assert!(!w.frame().bodies[0].slips && w.frame().bodies[0].velocity.length() < 1e-3);
}

#[test]
fn a_ball_that_is_hit_slides_and_then_rolls_with_five_sevenths() {
    let mut w = one_ball(BallFriction::Rolling { mu_slide: 0.3, deceleration: 0.0 });
    let mass = w.model().body(BodyId(0)).expect("the ball").mass;
    assert!(w.push(BodyId(0), Vec2::ZERO, Vec2::new(0.7 * mass, 0.0)));
    assert_eq!(w.ball_roll(0), Some(Vec2::ZERO), "it does not roll yet");
    w.steps(1000);
    assert!((w.frame().bodies[0].velocity.x - 0.5).abs() < 1e-9);

    let mut w = one_ball(BallFriction::Viscous { beta: 0.01 });
    assert!(w.push(BodyId(0), Vec2::ZERO, Vec2::new(0.7 * mass, 0.0)));
    assert_eq!(w.ball_roll(0), Some(w.frame().bodies[0].velocity));
}

#[test]
fn a_blow_that_is_no_number_or_absurd_changes_nothing() {
    let mut w = one_robot(DriveSpec::default(), Pose2::IDENTITY);
    let before = w.state_hash();
    let (zero, one) = (Vec2::ZERO, Vec2::new(1.0, 0.0));
    for bad in [f64::NAN, f64::INFINITY, -1e300, 1e9] {
        assert!(!w.push(BodyId(0), zero, Vec2::new(bad, 0.0)), "impulse {bad}");
        assert!(!w.push(BodyId(0), zero, Vec2::new(0.0, bad)), "impulse {bad}");
        assert!(!w.push(BodyId(0), Vec2::new(0.0, bad), one), "point {bad}");
    }
    assert!(!w.push(BodyId(1), zero, one) && !w.push(BodyId(u32::MAX), zero, one));
    assert_eq!(w.state_hash(), before);
}

#[test]
fn a_snapshot_between_blow_and_step_goes_on_bit_for_bit() {
    let mut spec = SceneSpec { walls: square_hall(0.3), ..SceneSpec::default() };
    for i in 0..4 {
        let pose = Pose2::new(0.15 * f64::from(i % 2), 0.15 * f64::from(i / 2), 0.4);
        spec.robots.push(robot(&format!("r{i}"), DriveSpec::default(), pose));
    }
    let mut w = world(&spec);
    for i in 0..200u32 {
        let from = w.frame().bodies[i as usize % 4].pose.position;
        let impulse = Vec2::new(0.02, 0.4 - 0.004 * f64::from(i));
        assert!(w.push(BodyId(i % 4), from + Vec2::new(0.01, 0.02), impulse));
        let mut other = World::new(std::sync::Arc::new(w.model().clone()));
        other.restore(&w.snapshot()).expect("its own snapshot");
        w.steps(3);
        other.steps(3);
        assert_eq!(w.state_hash(), other.state_hash(), "after blow {i}");
    }
}

#[test]
fn a_ball_presses_a_wall_where_it_hits_with_one_plus_e_times_its_momentum() {
    let mut spec = SceneSpec { walls: square_hall(0.5), ..SceneSpec::default() };
    spec.balls.push(free_ball("b", Vec2::new(0.4, 0.1), Vec2::new(1.0, 0.0)));
    let mut w = world(&spec);
    let body = w.model().body(BodyId(0)).expect("the ball").clone();
    let e = w.model().contact.restitution[BodyKind::Ball as usize][BodyKind::Wall as usize];
    let contact = (0..200).find_map(|_| {
        w.step();
        w.contact_points().next()
    });
    let contact = contact.expect("it hits the wall");
    assert!((contact.point - Vec2::new(0.5, 0.1)).length() < 1e-3, "{contact:?}");
    assert!((contact.impulse / ((1.0 + e) * body.mass) - 1.0).abs() < 1e-6, "{contact:?}");
    w.steps(20);
    assert_eq!(w.contact_points().count(), 0, "it is off the wall again");
}

#[test]
fn two_boxes_that_meet_press_between_them_with_the_momentum_that_goes_over() {
    let mut spec = SceneSpec::default();
    spec.objects.push(free_box("a", Pose2::new(0.0, 0.0, 0.0), Vec2::new(0.5, 0.0), 0.0));
    spec.objects.push(free_box("b", Pose2::new(0.08, 0.0, 0.0), Vec2::ZERO, 0.0));
    let mut w = world(&spec);
    let hit = (0..50).find_map(|_| {
        w.step();
        let points: Vec<_> = w.contact_points().collect();
        (!points.is_empty()).then_some(points)
    });
    let hit = hit.expect("they meet");
    for p in &hit {
        assert!((p.point.x - 0.0425).abs() < 1.5e-3 && p.point.y.abs() < 0.04, "{p:?}");
    }
    // Momentum that went over is what b has now.
    let sum: f64 = hit.iter().map(|p| p.impulse).sum();
    assert!((sum - 0.352 * w.frame().bodies[1].velocity.x).abs() < 1e-9, "{hit:?}");
}

#[test]
fn currents_and_wheel_speeds_follow_the_motor_equation() {
    let drive = DriveSpec::minirobot_2001();
    let mut w = one_robot(drive.clone(), Pose2::IDENTITY);
    assert!(!w.frame().bodies[0].overridden);
    w.command(RobotId(0), Volts { right: 7.2, left: 6.0 }).expect("good volts");
    assert!(w.frame().bodies[0].overridden);
    w.steps(200);
    let body = w.frame().bodies[0];
    let v = body.velocity.dot(body.pose.rotation.x_axis());
    let b = drive.wheel_distance;
    let right = (v + 0.5 * b * body.omega) / drive.wheel_radius_right;
    let left = (v - 0.5 * b * body.omega) / drive.wheel_radius_left;
    assert!(
        (body.wheel_speeds[0] - right).abs() < 1e-9 && (body.wheel_speeds[1] - left).abs() < 1e-9
    );
    assert!(close(body.amps[0], 0.0577 * (7.2 - 2.04e-2 * body.wheel_speeds[0])), "{body:?}");
    assert!(close(body.amps[1], 0.0578 * (6.0 - 2.01e-2 * body.wheel_speeds[1])), "{body:?}");
    w.release(RobotId(0));
    assert!(!w.frame().bodies[0].overridden);
}
