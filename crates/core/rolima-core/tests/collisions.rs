//! Collisions: closed forms, conservation, no tunnelling, resting contacts.

use crate::common;
use common::*;
use rolima_core::World;
use rolima_core::model::*;
use rolima_math::{Pose2, Vec2};

fn frictionless(spec: &mut SceneSpec, e: f64) {
    spec.contact.restitution = PairTable::uniform(e);
    spec.contact.friction = PairTable::uniform(0.0);
    spec.contact.restitution_threshold = 0.0;
}

fn body(w: &World, i: usize) -> rolima_core::BodyFrame {
    w.frame().bodies[i]
}

#[test]
fn a_corner_hitting_a_wall_turns_the_square_as_the_oracle_says() {
    // The corner (b/2, b/2) of the 0.352 kg square with J = 3.3e-4 meets a wall at 1 m/s, e = 1:
    // impulse 0.2816 N s, v' = +0.2 m/s, omega' = 32 rad/s, energy 0.176 J before and after. The
    // square moves along -y; a peg narrower than the square meets just its corner.
    let mut spec = SceneSpec::default();
    frictionless(&mut spec, 1.0);
    spec.objects.push(free_box("box", Pose2::new(0.0, 0.05, 0.0), Vec2::new(0.0, -1.0), 0.0));
    // The wall ends just at the square's corner x = -b/2: it is pushed up at its left, and turns
    // clockwise.
    spec.walls.push(segment((-0.3, -0.1), (-0.0375 + 1e-9, -0.1), 0.2));
    let mut w = world(&spec);
    let before = w.kinetic_energy();
    w.steps(20);
    let b = body(&w, 0);
    assert!((before - 0.176).abs() < 1e-12);
    assert!((w.kinetic_energy() - 0.176).abs() < 1e-9, "{}", w.kinetic_energy());
    // The oracle counts the approach as positive: 1 - 0.2816/0.352 = 0.2 m/s go on downwards.
    assert!((b.velocity.y + 0.2).abs() < 1e-4, "{b:?}");
    assert!((b.omega + 32.0).abs() < 0.05, "{b:?}");
    let impulse = 0.352 * (b.velocity.y + 1.0);
    assert!((impulse - 0.2816).abs() < 1e-4, "{impulse}");
}

#[test]
fn a_central_hit_of_free_bodies_follows_newton() {
    for e in [0.0, 0.3, 0.7, 1.0] {
        let mut spec = SceneSpec::default();
        frictionless(&mut spec, e);
        spec.objects.push(free_box("a", Pose2::new(-0.2, 0.0, 0.0), Vec2::new(1.0, 0.0), 0.0));
        spec.balls.push(free_ball("b", Vec2::ZERO, Vec2::ZERO));
        let mut w = world(&spec);
        w.steps(300);
        // Bodies: balls come before objects in a frame.
        let (ball, square) = (body(&w, 0), body(&w, 1));
        let (m1, m2) = (0.352, 0.046);
        let common = m1 / (m1 + m2);
        let v1 = common - e * m2 / (m1 + m2);
        let v2 = common + e * m1 / (m1 + m2);
        assert!((square.velocity.x - v1).abs() < 1e-9, "e {e}: {} against {v1}", square.velocity.x);
        assert!((ball.velocity.x - v2).abs() < 1e-9, "e {e}: {} against {v2}", ball.velocity.x);
    }
}

#[test]
fn a_flat_hit_on_a_wall_bounces_without_turning() {
    let mut spec = SceneSpec::default();
    frictionless(&mut spec, 0.5);
    spec.objects.push(free_box("a", Pose2::new(0.0, 0.0, 0.0), Vec2::new(2.0, 0.0), 0.0));
    spec.walls.push(segment((0.3, -1.0), (0.3, 1.0), 0.02));
    let mut w = world(&spec);
    w.steps(400);
    let b = body(&w, 0);
    assert!((b.velocity.x + 1.0).abs() < 1e-9 && b.omega.abs() < 1e-9, "{b:?}");
}

#[test]
fn a_ball_on_a_wall_returns_with_e_and_keeps_its_roll_for_a_while() {
    let mut spec = SceneSpec::default();
    spec.balls.push(BallSpec { velocity: Vec2::new(1.0, 0.0), ..BallSpec::default() });
    spec.walls.push(segment((0.1, -1.0), (0.1, 1.0), 0.0));
    let mut w = world(&spec);
    let mut before = 1.0;
    for _ in 0..200 {
        w.step();
        let v = body(&w, 0).velocity.x;
        if v < 0.0 {
            // Sliding friction has acted for part of a step at most.
            assert!((v + 0.6 * before).abs() < 5e-3, "{v} after {before}");
            break;
        }
        before = v;
    }
    // It still rolls towards the wall, so it loses speed until roll and way agree again:
    // v'' = (5 v' + 2 roll)/7.
    let expected = (5.0 * -0.6 + 2.0) / 7.0 * before;
    w.steps(250);
    let v = body(&w, 0).velocity.x;
    assert!((v - expected).abs() < 0.1, "{v} against {expected}");
}

/// Steps a pair until it has hit and parted; checks momentum at every step.
#[test]
fn momentum_and_spin_are_kept_when_free_bodies_collide() {
    let mut rng = rolima_math::Stream::new(7, 0, "test");
    for case in 0..2000 {
        let mut spec = SceneSpec::default();
        spec.contact.restitution = PairTable::uniform(rng.uniform());
        spec.contact.friction = PairTable::uniform(rng.between(0.0, 1.0));
        let speed =
            |r: &mut rolima_math::Stream| Vec2::new(r.between(-3.0, 3.0), r.between(-3.0, 3.0));
        let v = speed(&mut rng);
        let a = Pose2::new(-0.08, rng.between(-0.05, 0.05), rng.between(-3.0, 3.0));
        spec.objects.push(free_box("a", a, v + Vec2::new(3.0, 0.0), rng.between(-30.0, 30.0)));
        let b = Pose2::new(0.08, rng.between(-0.05, 0.05), rng.between(-3.0, 3.0));
        spec.objects.push(free_box("b", b, v, rng.between(-30.0, 30.0)));
        let mut w = world(&spec);
        let sums = |w: &World| {
            let (mut p, mut l) = (Vec2::ZERO, 0.0);
            for b in w.frame().bodies {
                p += b.velocity * 0.352;
                l += b.pose.position.cross(b.velocity) * 0.352 + 3.30e-4 * b.omega;
            }
            (p, l)
        };
        let (p0, l0) = sums(&w);
        let e0 = w.kinetic_energy();
        w.steps(60);
        let (p, l) = sums(&w);
        assert!((p - p0).length() < 1e-12 * (1.0 + p0.length()), "case {case}: {p0:?} {p:?}");
        // Both bodies get their impulse at the same point; only the repair of an overlap moves them.
        assert!((l - l0).abs() < 3e-4, "case {case}: spin {l0} {l}");
        assert!(w.kinetic_energy() <= e0 * (1.0 + 1e-12), "case {case}");
    }
}

/// A random heap of robots, boxes and balls between walls, motors off: energy only falls.
fn random_heap(rng: &mut rolima_math::Stream, e: f64, mu: f64) -> SceneSpec {
    let mut spec = SceneSpec::default();
    spec.contact.restitution = PairTable::uniform(e);
    spec.contact.friction = PairTable::uniform(mu);
    spec.walls = square_hall(0.25);
    let place = |r: &mut rolima_math::Stream, i: usize| {
        let (x, y) = (f64::from(i as u32 % 3) * 0.14 - 0.14, f64::from(i as u32 / 3) * 0.14 - 0.14);
        Pose2::new(x + r.between(-0.015, 0.015), y + r.between(-0.015, 0.015), r.between(-3.0, 3.0))
    };
    let speed = |r: &mut rolima_math::Stream| Vec2::new(r.between(-4.0, 4.0), r.between(-4.0, 4.0));
    for i in 0..9 {
        let pose = place(rng, i);
        match i % 3 {
            0 => {
                let traction = (rng.uniform() < 0.7).then(TractionSpec::default);
                let mut r =
                    robot(&format!("r{i}"), DriveSpec { traction, ..DriveSpec::default() }, pose);
                r.velocity = rng.between(-4.0, 4.0);
                r.omega = rng.between(-40.0, 40.0);
                spec.robots.push(r);
            }
            1 => spec.objects.push(ObjectSpec {
                ground_friction: if rng.uniform() < 0.5 { 0.0 } else { rng.between(0.05, 0.8) },
                ..free_box(&format!("o{i}"), pose, speed(rng), rng.between(-40.0, 40.0))
            }),
            _ => {
                let ball = free_ball(&format!("b{i}"), pose.position, speed(rng));
                let rolling = BallFriction::Rolling { mu_slide: 0.2, deceleration: 0.1 };
                let friction = if rng.uniform() < 0.5 { ball.friction } else { rolling };
                spec.balls.push(BallSpec { friction, ..ball });
            }
        }
    }
    spec
}

#[test]
fn rigid_contacts_never_gain_energy() {
    let mut rng = rolima_math::Stream::new(11, 0, "test");
    let (mut caps, mut hits) = (0, 0);
    for case in 0..4000 {
        let (e, mu) =
            (rng.uniform().max(if case % 4 == 0 { 1.0 } else { 0.0 }), rng.between(0.0, 1.0));
        let mut w = world(&random_heap(&mut rng, e, mu));
        let mut energy = w.kinetic_energy();
        for step in 0..150 {
            w.step();
            let now = w.kinetic_energy();
            assert!(
                now <= energy * (1.0 + 1e-9) + 1e-12,
                "case {case} (e {e}, mu {mu}), step {step}: {energy} J became {now} J"
            );
            energy = now;
        }
        caps += w.state().event_count(rolima_core::EventKind::EnergyCap);
        hits += w.state().event_count(rolima_core::EventKind::Impact);
    }
    // The last check is a net under the contacts, not what keeps them honest.
    assert!(caps * 20 < hits, "{caps} caps in {hits} hits");
}

#[test]
fn friction_never_exceeds_its_share_of_the_normal_impulse() {
    let mut rng = rolima_math::Stream::new(17, 0, "test");
    let (mut points, mut slides) = (0, 0);
    for case in 0..400 {
        let (e, mu) = (rng.uniform(), rng.between(0.0, 1.0));
        let mut spec = random_heap(&mut rng, e, mu);
        for robot in &mut spec.robots {
            robot.driver = constant(rng.between(-9.0, 9.0), rng.between(-9.0, 9.0));
        }
        let mut w = world(&spec);
        for step in 0..400 {
            w.step();
            for p in w.contact_points() {
                let (rubs, most) = (p.friction.length(), mu * p.impulse);
                // Squares of impulses far below any that counts lose their digits.
                assert!(
                    rubs <= most * (1.0 + 1e-9) + 1e-100,
                    "case {case}, step {step}: {} of the normal impulse at mu {mu}: {p:?}",
                    rubs / p.impulse
                );
                points += 1;
                slides += u32::from(rubs > 0.999 * most);
            }
        }
    }
    assert!(points > 100_000 && slides > 10_000, "{slides} of {points} slide");
}

#[test]
fn the_equivalent_sphere_response_reports_its_energy_error() {
    let mut rng = rolima_math::Stream::new(13, 0, "test");
    let (mut gained, mut lost) = (0.0, 0.0);
    for _ in 0..40 {
        let mut spec = random_heap(&mut rng, 1.0, 0.0);
        spec.contact.response = ContactResponse::EquivalentSphere;
        let mut w = world(&spec);
        w.steps(150);
        gained += w.sphere_energy()[0];
        lost += w.sphere_energy()[1];
        assert!(w.kinetic_energy().is_finite());
    }
    assert!(gained > 0.1 && lost > 0.1, "gained {gained} J, lost {lost} J");
}

/// A row of balls that touch, numbered in any order: what a number is must not matter.
#[test]
fn a_hit_passes_through_a_row_in_whatever_order_its_bodies_are_listed() {
    let mut rng = rolima_math::Stream::new(31, 0, "row");
    for case in 0..60 {
        let speed = [0.3, 1.0, 1.9, 4.0][case % 4];
        let mut places: Vec<usize> = (0..12).collect();
        match case % 3 {
            0 => places.reverse(),
            1 => (1..12).rev().for_each(|i| places.swap(i, rng.between(0.0, i as f64) as usize)),
            _ => {}
        }
        let mut spec = SceneSpec::default();
        frictionless(&mut spec, 1.0);
        for &place in &places {
            let first = place == 0;
            // The first comes from somewhere in a step before the row.
            let gap = if first { 2e-3 + 1e-3 * rng.uniform() * speed } else { 0.0 };
            let position = Vec2::new(0.0427 * place as f64 - gap, 0.0);
            let velocity = Vec2::new(if first { speed } else { 0.0 }, 0.0);
            spec.balls.push(free_ball(&format!("ball-{place}"), position, velocity));
        }
        let mut w = world(&spec);
        let momentum = w.frame().bodies[0].velocity.x.max(speed);
        for _ in 0..40 {
            w.step();
            let depth = deepest_overlap(&w);
            assert!(depth < 2e-5, "case {case}, {speed} m/s: {depth} m inside one another");
        }
        let last = places.iter().position(|place| *place == 11).expect("twelve balls");
        let fastest = body(&w, last).velocity.x;
        assert!((fastest - momentum).abs() < 1e-3 * speed, "case {case}: {fastest} of {speed}");
    }
}
