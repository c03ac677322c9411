//! Nothing passes through anything at 1 ms steps.

use crate::common;
use common::*;
use rolima_core::World;
use rolima_core::model::*;
use rolima_math::{Pose2, Rot2, Stream, Vec2};

/// A closed square of walls without thickness.
fn thin_hall(half: f64) -> Vec<WallSpec> {
    let h = half;
    vec![
        segment((-h, -h), (h, -h), 0.0),
        segment((h, -h), (h, h), 0.0),
        segment((h, h), (-h, h), 0.0),
        segment((-h, h), (-h, -h), 0.0),
    ]
}

fn stays_inside(w: &mut World, half: f64, steps: u64, what: &str) {
    for step in 0..steps {
        w.step();
        for b in w.frame().bodies {
            let p = b.pose.position;
            assert!(
                p.x.abs() <= half && p.y.abs() <= half,
                "{what}: {:?} {} left at step {step}: {p:?}",
                b.kind,
                b.index
            );
        }
    }
}

#[test]
fn balls_and_boxes_at_50_m_s_stay_between_walls_without_thickness() {
    let mut rng = Stream::new(3, 0, "tunnel");
    for case in 0..300 {
        let mut spec = SceneSpec { walls: thin_hall(0.4), ..Default::default() };
        spec.contact.restitution = PairTable::uniform(1.0);
        spec.contact.friction = PairTable::uniform(rng.between(0.0, 0.5));
        let fast = |r: &mut Stream| Rot2::from_angle(r.between(-3.2, 3.2)).x_axis() * 50.0;
        let v = fast(&mut rng);
        spec.balls.push(free_ball("b", Vec2::new(-0.1, 0.0), v));
        let v = fast(&mut rng);
        let pose = Pose2::new(0.1, 0.0, rng.between(-3.0, 3.0));
        spec.objects.push(free_box("o", pose, v, rng.between(-190.0, 190.0)));
        stays_inside(&mut world(&spec), 0.4, 200, &format!("case {case}"));
    }
}

#[test]
fn robots_at_10_m_s_with_spinning_corners_stay_between_thin_walls() {
    let mut rng = Stream::new(4, 0, "tunnel");
    for case in 0..300 {
        let mut spec = SceneSpec { walls: thin_hall(0.4), ..Default::default() };
        spec.contact.restitution = PairTable::uniform(rng.uniform());
        for i in 0..4 {
            let pose = Pose2::new(
                0.3 * f64::from(i % 2) - 0.15,
                0.3 * f64::from(i / 2) - 0.15,
                rng.between(-3.0, 3.0),
            );
            let traction = (i % 2 == 0).then(TractionSpec::default);
            let mut r =
                robot(&format!("r{i}"), DriveSpec { traction, ..DriveSpec::default() }, pose);
            r.velocity = rng.between(-10.0, 10.0);
            // Corners at 10 m/s: 190 rad/s at 53 mm.
            r.omega = rng.between(-190.0, 190.0);
            spec.robots.push(r);
        }
        stays_inside(&mut world(&spec), 0.4, 300, &format!("case {case}"));
    }
}

/// Shoots a body through a target at rest; it must not come out behind it untouched.
#[test]
fn nothing_passes_through_a_body_at_10_m_s() {
    let mut rng = Stream::new(5, 0, "tunnel");
    for case in 0..2000 {
        let mut spec = SceneSpec::default();
        spec.contact.restitution = PairTable::uniform(rng.uniform());
        // Aimed at the middle, so it must hit.
        let aim = rng.between(-0.01, 0.01);
        let shot_x = -0.2 - rng.between(0.0, 0.01);
        match case % 3 {
            0 => spec.balls.push(free_ball("shot", Vec2::new(shot_x, aim), Vec2::new(10.0, 0.0))),
            1 => {
                let mut r = robot("shot", DriveSpec::default(), Pose2::new(shot_x, aim, 0.0));
                r.velocity = 10.0;
                spec.robots.push(r);
            }
            _ => spec.objects.push(free_box(
                "shot",
                Pose2::new(shot_x, aim, rng.between(-3.0, 3.0)),
                Vec2::new(10.0, 0.0),
                rng.between(-100.0, 100.0),
            )),
        }
        let at = Pose2::new(0.0, 0.0, rng.between(-3.0, 3.0));
        match case / 3 % 3 {
            0 => spec.balls.push(free_ball("target", Vec2::ZERO, Vec2::ZERO)),
            1 => spec.robots.push(robot("target", DriveSpec::default(), at)),
            _ => spec.objects.push(free_box("target", at, Vec2::ZERO, 0.0)),
        }
        let mut w = world(&spec);
        let mut deepest = 0.0f64;
        for _ in 0..60 {
            w.step();
            deepest = deepest.max(deepest_overlap(&w));
        }
        assert!(deepest < 1e-3, "case {case}: overlap of {deepest} m");
        // What was hit has moved on.
        let f = w.frame();
        let target = f.bodies.iter().find(|b| w.model().body_name(b.id) == "target").unwrap();
        assert!(target.pose.position.x > 1e-3, "case {case}: {target:?}");
    }
}

#[test]
fn a_robot_pushed_hard_between_robot_and_thin_wall_stays_in_front_of_it() {
    let mut rng = Stream::new(6, 0, "tunnel");
    for case in 0..500 {
        let mut spec = SceneSpec::default();
        spec.contact.restitution = PairTable::uniform(rng.uniform());
        spec.walls.push(segment((0.0, -1.0), (0.0, 1.0), 0.0));
        let gap = rng.between(0.0, 0.004);
        spec.robots.push(robot(
            "victim",
            DriveSpec::default(),
            Pose2::new(-0.0375 - gap, 0.0, 0.0),
        ));
        let mut r =
            robot("ram", DriveSpec::default(), Pose2::new(-0.2, rng.between(-0.03, 0.03), 0.0));
        r.velocity = 10.0;
        spec.robots.push(r);
        let mut w = world(&spec);
        for _ in 0..100 {
            w.step();
            let x = w.frame().bodies[0].pose.position.x;
            assert!(x < -0.030, "case {case}: the victim's centre is at {x}");
        }
    }
}

#[test]
fn a_fork_shaped_robot_keeps_the_ball_out_of_its_prongs() {
    // A concave front of three convex parts, driving a ball along.
    let mut spec = SceneSpec::default();
    let mut r = robot("fork", DriveSpec::default(), Pose2::IDENTITY);
    let bar = |x: f64, y: f64, sx: f64, sy: f64| PartSpec::Box {
        pose: Pose2::new(x, y, 0.0),
        size: [sx, sy],
    };
    r.shape = vec![
        bar(0.0, 0.0, 0.06, 0.075),
        bar(0.035, 0.034, 0.02, 0.007),
        bar(0.035, -0.034, 0.02, 0.007),
    ];
    r.velocity = 2.0;
    r.driver = constant(9.0, 9.0);
    spec.robots.push(r);
    spec.balls.push(BallSpec {
        position: Vec2::new(0.06, 0.005),
        velocity: Vec2::new(1.9, 0.0),
        ..BallSpec::default()
    });
    let mut w = world(&spec);
    let mut carried = 0;
    for _ in 0..1000 {
        w.step();
        assert!(deepest_overlap(&w) < 1e-3, "the ball is in the robot");
        let f = w.frame();
        let ball = f.bodies[0].pose.inverse_transform(f.bodies[1].pose.position);
        carried += u32::from(ball.y.abs() < 0.03 && ball.x < 0.06);
    }
    assert!(carried > 200, "the fork holds the ball for {carried} ms");
}

#[test]
fn a_ball_that_a_spinning_bar_throws_at_a_wall_stays_out_of_it() {
    // The tip is many times faster than anything's origin, and the ball stands still before. It
    // leaves at 10 and at more than 20 m/s.
    for (turning, most) in [(20.0, 1e-3), (45.0, 2e-3)] {
        for gap in [0.5e-3, 3.2e-3, 9e-3, 15e-3] {
            for start in 0..8 {
                let mut spec = SceneSpec::default();
                spec.contact.restitution = PairTable::uniform(1.0);
                spec.contact.friction = PairTable::uniform(0.0);
                let radius = 0.02135;
                let pose = Pose2::new(0.0, 0.0, -0.3 - 0.01 * f64::from(start));
                spec.objects.push(ObjectSpec {
                    shape: vec![rolima_model::shape::centred_box(0.5, 0.02)],
                    mass: 2.0,
                    inertia: None,
                    ..free_box("bar", pose, Vec2::ZERO, turning)
                });
                spec.balls.push(free_ball("ball", Vec2::new(0.23, 0.035), Vec2::ZERO));
                let wall = 0.035 + radius + gap;
                spec.walls.push(segment((-2.0, wall), (2.0, wall), 0.0));
                let mut w = world(&spec);
                let mut deepest = 0.0f64;
                for _ in 0..60 {
                    w.step();
                    let ball = w.frame().bodies[0];
                    deepest = deepest.max(ball.pose.position.y + radius - wall);
                }
                assert!(w.state().event_count(rolima_core::EventKind::Impact) > 1);
                assert!(
                    deepest < most,
                    "{turning} rad/s, gap {gap}, {start}: {deepest} m in the wall"
                );
            }
        }
    }
}

#[test]
fn a_hit_in_an_early_part_of_a_step_is_told() {
    // 2.5 m/s and 5 ms make several substeps; the robot hits in some of them, and parts again.
    for start in 0..10 {
        let mut spec = SceneSpec::default();
        spec.sim.step_s = 5e-3;
        let mut r = robot("r", DriveSpec::default(), Pose2::new(1e-3 * f64::from(start), 0.0, 0.2));
        r.velocity = 2.5;
        spec.robots.push(r);
        spec.walls.push(segment((0.3, -2.0), (0.3, 2.0), 0.02));
        let mut w = world(&spec);
        let mut hits = 0;
        for _ in 0..60 {
            let before = w.state().event_count(rolima_core::EventKind::Impact);
            w.step();
            if w.state().event_count(rolima_core::EventKind::Impact) > before {
                hits += 1;
                assert!(
                    w.contact_points().any(|p| p.impulse > 0.0),
                    "start {start}: nothing is told"
                );
            }
        }
        assert!(hits > 0);
    }
}
