//! Resting contacts, stacks, pushing: stable, without jitter, sinking or creeping.

use crate::common;
use common::*;
use rolima_core::World;
use rolima_core::model::*;
use rolima_math::{Pose2, Vec2};

fn positions(w: &World) -> Vec<Vec2> {
    w.frame().bodies.iter().map(|b| b.pose.position).collect()
}

#[test]
fn a_robot_driven_into_a_corner_stands_still() {
    for heading in [0.785, 0.3, 1.2, 0.0] {
        let mut spec = SceneSpec { walls: square_hall(0.3), ..Default::default() };
        let mut r = robot("r", DriveSpec::default(), Pose2::new(0.15, 0.15, heading));
        r.driver = constant(9.0, 9.0);
        spec.robots.push(r);
        let mut w = world(&spec);
        w.steps(4000);
        let at = positions(&w)[0];
        let mut farthest = 0.0f64;
        for _ in 0..4000 {
            w.step();
            farthest = farthest.max((positions(&w)[0] - at).length());
        }
        assert!(farthest < 2e-5, "heading {heading}: moved by {farthest} m while standing");
        let b = w.frame().bodies[0];
        assert!(b.velocity.length() < 1e-3 && b.omega.abs() < 1e-2, "heading {heading}: {b:?}");
        // No deeper in the wall than the slop.
        let reach = 0.3 - at.x.max(at.y);
        assert!(reach > 0.0375 - 3e-5, "heading {heading}: reaches {reach} m");
    }
}

#[test]
fn six_robots_pushing_one_another_against_a_wall_stay_put_without_sinking() {
    let mut spec = SceneSpec::default();
    spec.walls.push(segment((0.0, -1.0), (0.0, 1.0), 0.05));
    for i in 0..6 {
        let x = -0.025 - 0.0375 - 0.0755 * f64::from(i);
        let mut r = robot(&format!("r{i}"), DriveSpec::default(), Pose2::new(x, 0.0, 0.0));
        r.driver = constant(9.0, 9.0);
        spec.robots.push(r);
    }
    let mut w = world(&spec);
    w.steps(3000);
    let at = positions(&w);
    w.steps(10_000);
    for (i, (p, q)) in at.iter().zip(positions(&w)).enumerate() {
        assert!((*p - q).length() < 5e-5, "robot {i} crept by {:?}", q - *p);
        let ideal = -0.025 - 0.0375 - 0.075 * i as f64;
        assert!((q.x - ideal).abs() < 1e-4, "robot {i} stands at {} instead of {ideal}", q.x);
    }
    assert!(w.kinetic_energy() < 1e-6, "{}", w.kinetic_energy());
}

#[test]
fn a_robot_pushed_from_the_side_slides_only_when_its_tyres_let_go() {
    // A pusher gives up to 0.84 N (stall); the victim's tyres hold mu m g = 3.45 mu N.
    let moved = |mu: f64| {
        let mut spec = SceneSpec::default();
        spec.contact.friction = PairTable::uniform(0.0);
        // Equal wheels and motors, so that the pusher drives straight on.
        let even = DriveSpec {
            wheel_radius_left: 0.0251,
            motor_constant_left: 2.04e-2,
            conductance_left: 0.0577,
            wheel_inertia_left: 3.003e-6,
            ..DriveSpec::default()
        };
        let traction = Some(TractionSpec { mu_static: mu, mu_kinetic: mu });
        let drive = DriveSpec { traction, ..even.clone() };
        spec.robots.push(robot(
            "victim",
            drive,
            Pose2::new(0.0, 0.0, core::f64::consts::FRAC_PI_2),
        ));
        let mut pusher = robot("pusher", even, Pose2::new(-0.0752, 0.0, 0.0));
        pusher.driver = constant(9.0, 9.0);
        spec.robots.push(pusher);
        let mut w = world(&spec);
        w.steps(2000);
        positions(&w)[0].x
    };
    let (held, slid) = (moved(0.8), moved(0.1));
    assert!(held.abs() < 1e-4, "the tyres hold, yet it moved by {held} m");
    assert!(slid > 0.2, "the tyres must let go: {slid}");
}

#[test]
fn pushing_force_against_sliding_tyres_gives_newtons_acceleration() {
    // A frictionless loose block of 1 kg pushed by a robot: both accelerate by F/(m1 + m2).
    let mut spec = SceneSpec::default();
    let mut pusher = robot("pusher", DriveSpec::default(), Pose2::new(0.0, 0.0, 0.0));
    pusher.driver = constant(4.0, 4.0);
    spec.robots.push(pusher);
    let block = free_box("block", Pose2::new(0.075, 0.0, 0.0), Vec2::ZERO, 0.0);
    spec.objects.push(ObjectSpec { mass: 1.0, ..block });
    spec.contact.friction = PairTable::uniform(0.0);
    let mut w = world(&spec);
    w.steps(300);
    let v = w.frame().bodies[1].velocity.x;
    let drive = &w.model().drives[0];
    // (M11 + 1 kg) v' = force - damping v, with M11 and damping of equation 7.
    let m = drive.mass_matrix[0][0];
    let force = m * (drive.b[0][0] + drive.b[0][1]) * 4.0;
    let damping = -m * drive.a[0][0];
    let total = m + 1.0;
    let expected = force / damping * (1.0 - rolima_math::exp(-damping / total * 0.3));
    assert!((v / expected - 1.0).abs() < 2e-3, "{v} against {expected}");
}

#[test]
fn bodies_that_start_inside_one_another_part_slowly() {
    let mut spec = SceneSpec::default();
    for i in 0..3 {
        let pose = Pose2::new(0.02 * f64::from(i), 0.01, 0.3 * f64::from(i));
        spec.robots.push(robot(&format!("r{i}"), DriveSpec::default(), pose));
    }
    let mut w = world(&spec);
    let mut fastest = 0.0f64;
    for _ in 0..2000 {
        w.step();
        for b in w.frame().bodies {
            fastest = fastest.max(b.velocity.length());
        }
    }
    assert!(fastest < 1e-6, "parting must not give speed: {fastest} m/s");
    let p = positions(&w);
    for i in 0..3 {
        for j in 0..i {
            assert!((p[i] - p[j]).length() > 0.0749, "{i} and {j} still overlap");
        }
    }
}

/// A robot pushes a box that stands on the ground with friction mu; how far it got in 5 s.
fn pushed_box(mu: f64) -> f64 {
    let mut spec = SceneSpec::default();
    let mut pusher = robot("pusher", DriveSpec::default(), Pose2::IDENTITY);
    pusher.driver = constant(6.0, 6.0);
    spec.robots.push(pusher);
    let block = free_box("block", Pose2::new(0.0755, 0.0, 0.0), Vec2::ZERO, 0.0);
    spec.objects.push(ObjectSpec { mass: 0.2, ground_friction: mu, ..block });
    let mut w = world(&spec);
    w.steps(1000);
    let settled = positions(&w)[1];
    w.steps(4000);
    (positions(&w)[1] - settled).length()
}

#[test]
fn a_box_stays_until_it_is_pushed_harder_than_its_friction_holds() {
    // 6 V give 0.56 N at stall; 0.2 kg at mu 0.4 hold 0.78 N, at mu 0.2 0.39 N.
    let (held, slid) = (pushed_box(0.4), pushed_box(0.2));
    assert!(held < 5e-4, "it crept by {held} m");
    assert!(slid > 0.1, "it must slide: {slid} m");
}
