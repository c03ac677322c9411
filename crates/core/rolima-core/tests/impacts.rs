//! Impacts against Stronge's model, integrated here by itself, and against geometry: at any phase of
//! a step, at any angle, of discs, boxes and free robot shapes against walls and one another.

use crate::common;
use common::stronge::{Body, Course, Kind, Outline, distance, first_contact, integrate};
use common::*;
use rolima_core::model::*;
use rolima_core::{BodyFrame, World};
use rolima_math::{Pose2, Stream, Vec2};
use rolima_testing::samples;

fn kind(rng: &mut Stream) -> Kind {
    use Kind::{Ball, Box, Disc, Fork, Hexagon};
    [Ball, Disc, Box, Hexagon, Fork][(rng.next_u64() % 5) as usize]
}

fn body(rng: &mut Stream, kind: Kind) -> Body {
    let mass = rng.between(0.04, 0.6);
    // Balls are solid spheres.
    let inertia = match kind {
        Kind::Ball => 0.4 * mass * 0.02135 * 0.02135,
        _ => mass * rng.between(4e-4, 1.5e-3),
    };
    Body {
        at: Vec2::ZERO,
        angle: rng.between(-3.0, 3.0),
        v: Vec2::ZERO,
        omega: if kind == Kind::Ball { 0.0 } else { rng.between(-20.0, 20.0) },
        mass,
        inertia,
    }
}

/// A single contact: two that will meet, or one and a wall.
struct Shot {
    spec: SceneSpec,
    a: (Kind, Body),
    /// None is the wall, above y = -0.1.
    b: Option<(Kind, Body)>,
    e: f64,
    mu: f64,
}

fn shot(rng: &mut Stream) -> Shot {
    let mut spec = SceneSpec::default();
    let (e, mu) = (rng.uniform(), rng.between(0.0, 1.2));
    spec.contact.restitution = PairTable::uniform(e);
    spec.contact.friction = PairTable::uniform(mu);
    let k = kind(rng);
    let mut a = (k, body(rng, k));
    let direction = rng.between(-1.3, 1.3);
    let speed = rng.between(0.3, 5.0);
    let (sin, cos) = rolima_math::sin_cos(direction);
    a.1.v = Vec2::new(sin, -cos) * speed;
    let b = (rng.uniform() < 0.5).then(|| {
        let k = kind(rng);
        let mut b = (k, body(rng, k));
        b.1.v = Vec2::new(rng.between(-1.0, 1.0), rng.between(-1.0, 1.0));
        b
    });
    let mut shot = Shot { spec, a, b, e, mu };
    match &mut shot.b {
        None => {
            shot.a.1.at = Vec2::new(0.0, -0.1 + rng.between(0.06, 0.08));
            shot.spec.walls.push(segment((-3.0, -0.15), (3.0, -0.15), 0.1));
        }
        Some(b) => {
            let aside = rng.between(-0.03, 0.03);
            let direction = (shot.a.1.v - b.1.v) * (1.0 / (shot.a.1.v - b.1.v).length());
            shot.a.1.at = direction * -rng.between(0.11, 0.13) + direction.perp() * aside;
        }
    }
    shot
}

/// The first contact of a shot.
struct Expected {
    /// Both after it.
    after: [Body; 2],
    time: f64,
    /// Speed of approach, m/s.
    approach: f64,
    /// For how long after it nothing else touches, s.
    quiet: f64,
    course: Course,
}

impl Shot {
    /// What the integrated model says of the first contact.
    fn expected(&self) -> Option<Expected> {
        let wall = vec![Outline::Corners(vec![
            Vec2::new(-3.0, -0.2),
            Vec2::new(3.0, -0.2),
            Vec2::new(3.0, -0.1),
            Vec2::new(-3.0, -0.1),
        ])];
        let outline_a = self.a.0.outlines();
        let (outline_b, body_b) = match &self.b {
            Some((kind, body)) => (kind.outlines(), *body),
            None => (wall, Body::WALL),
        };
        let (t, point, n) = first_contact((&outline_a, &self.a.1), (&outline_b, &body_b), 0.2)?;
        let (mut a, mut b) = (self.a.1.later(t), body_b.later(t));
        let approach = -n.dot(a.speed_at(point) - b.speed_at(point));
        if approach < 0.05 {
            return None;
        }
        let course = integrate(&mut a, &mut b, point, n, self.e, self.mu);
        // Just apart, to look for what comes next.
        let (later_a, later_b) = (a.later(1e-5), b.later(1e-5));
        let (later_a, later_b) = ((&outline_a[..], &later_a), (&outline_b[..], &later_b));
        distance(later_a, later_b)?;
        let next = first_contact(later_a, later_b, 0.05);
        let quiet = next.map_or(0.05, |(t, ..)| t);
        Some(Expected { after: [a, b], time: t, approach, quiet, course })
    }

    /// One of its bodies in its world.
    fn find(&self, w: &World, name: &str) -> BodyFrame {
        let spec = &w.model().spec;
        let ball = spec.balls.iter().position(|b| b.name == name);
        let i = ball.unwrap_or_else(|| {
            let objects = spec.objects.iter().position(|o| o.name == name).expect("there");
            spec.balls.len() + objects
        });
        w.frame().bodies[i]
    }

    /// The velocities in a world of this shot.
    fn now(&self, w: &World) -> Vec<(Vec2, f64)> {
        let of = |name: &str| {
            let body = self.find(w, name);
            (body.velocity, body.omega)
        };
        if self.b.is_some() { vec![of("a"), of("b")] } else { vec![of("a")] }
    }

    /// Its world, begun `ahead` s after the start.
    fn world(&self, step_s: f64, ahead: f64) -> World {
        let mut spec = self.spec.clone();
        spec.sim.step_s = step_s;
        self.a.0.add(&mut spec, "a", &self.a.1.later(ahead));
        if let Some((kind, b)) = &self.b {
            kind.add(&mut spec, "b", &b.later(ahead));
        }
        world(&spec)
    }
}

#[test]
fn a_thousand_random_contacts_end_as_stronges_model_says_at_any_phase_of_the_step() {
    let mut rng = Stream::new(17, 0, "impacts");
    let (mut done, mut worst, mut worst_phase) = (0, 0.0f64, 0.0f64);
    let (mut off, mut courses) = (vec![], [0u32; 3]);
    while done < samples(300, 1000) {
        let shot = shot(&mut rng);
        let Some(expected) = shot.expected() else { continue };
        let Expected { after, time, approach, quiet, course } = expected;
        if quiet < 0.004 {
            continue;
        }
        done += 1;
        courses[course as usize] += 1;
        let mut outcomes: Vec<Vec<(Vec2, f64)>> = vec![];
        for phase in 0..4 {
            let ahead = 2.5e-4 * f64::from(phase);
            let mut w = shot.world(1e-3, ahead);
            // A hit in the last instant of a step may be found in the next.
            let steps = ((time - ahead) / 1e-3).floor() as u64 + 2;
            w.steps(steps);
            outcomes.push(shot.now(&w));
        }
        for outcome in &outcomes {
            for (i, (v, omega)) in outcome.iter().enumerate() {
                let error = (*v - after[i].v).length().max(0.04 * (omega - after[i].omega).abs());
                worst = worst.max(error / approach);
                if error > 0.01 * approach {
                    off.push((done, i, error / approach));
                }
                for (other, turning) in outcomes.iter().map(|o| o[i]) {
                    let apart = (*v - other).length().max(0.04 * (omega - turning).abs());
                    worst_phase = worst_phase.max(apart / approach);
                }
            }
        }
    }
    println!("worst error {worst:.2e}, between phases {worst_phase:.2e} of the approach speed");
    println!("{courses:?} of {done} stick, slide, reverse");
    let [sticks, slides, reverses] = courses.map(|count| f64::from(count) / f64::from(done));
    assert!(sticks > 0.1 && slides > 0.1 && reverses > 0.02, "{courses:?}");
    assert!(off.is_empty(), "{} off by more than 1 %: {off:?}", off.len());
    assert!(worst_phase < 1e-3, "phases differ by {worst_phase} of the approach speed");
}

/// How far the paths before and after a hit are from one another when it happens, m: of the centre,
/// and of what is 4 cm from it, by turning. `after` is the body `later` s after the start of `before`.
fn paths_apart((kind, before): &(Kind, Body), after: &BodyFrame, (time, later): (f64, f64)) -> f64 {
    let then = before.later(time);
    let since = later - time;
    let back = after.pose.position - after.velocity * since;
    // Of a ball nobody says how it lies.
    let turns = f64::from(u8::from(*kind != Kind::Ball));
    let turned = rolima_math::wrap_angle(after.pose.theta() - after.omega * since - then.angle);
    (back - then.at).length().max(0.04 * turns * turned.abs())
}

/// The straight paths of both before and after their hit meet when they touch.
#[test]
fn bodies_turn_where_they_touch_a_wall_or_one_another() {
    let mut rng = Stream::new(23, 0, "place");
    let (mut worst, mut walls, mut pairs) = (0.0f64, 0, 0);
    while walls + pairs < samples(200, 1000) {
        let mut shot = shot(&mut rng);
        // Up to 20 m/s at 1 ms.
        shot.a.1.v = shot.a.1.v * rng.between(1.0, 4.0);
        let Some(Expected { time, approach, quiet, .. }) = shot.expected() else { continue };
        if quiet < 0.004 || approach * 1e-3 < 1e-4 {
            continue;
        }
        *if shot.b.is_some() { &mut pairs } else { &mut walls } += 1;
        let mut w = shot.world(1e-3, 0.0);
        w.steps(time.div_euclid(1e-3) as u64 + 1);
        let t = 1e-3 * w.state().step as f64;
        let mut moving = vec![(&shot.a, "a")];
        moving.extend(shot.b.iter().map(|b| (b, "b")));
        for (before, name) in moving {
            let off = paths_apart(before, &shot.find(&w, name), (time, t));
            worst = worst.max(off / (approach * 1e-3));
            assert!(off < 0.05 * approach * 1e-3, "{name}: {off} m off at {approach} m/s");
        }
    }
    println!("worst {worst:.2e} of v h, {walls} with walls, {pairs} with one another");
    assert!(walls > 50 && pairs > 50, "{walls} {pairs}");
}

/// Flat on a wall, or face to face, beside the middle and turned as a pair.
#[test]
fn flat_faces_turn_where_they_touch() {
    let mut rng = Stream::new(24, 0, "flat places");
    let mut worst = 0.0f64;
    for case in 0..samples(200, 2000) {
        let mut spec = SceneSpec::default();
        let (e, mu) = (rng.uniform(), rng.between(0.0, 1.0));
        spec.contact.restitution = PairTable::uniform(e);
        spec.contact.friction = PairTable::uniform(mu);
        let approach = rng.between(0.1, 20.0);
        let gap = rng.between(0.0, 5.0) * approach * 1e-3;
        let angle = if case % 2 == 0 { 0.0 } else { rng.between(-3.0, 3.0) };
        let frame = Pose2::new(0.0, 0.0, angle);
        let drift = Vec2::new(0.0, rng.between(-1.0, 1.0));
        let a = Body {
            at: frame.transform(Vec2::new(-gap, 0.0)),
            angle,
            v: frame.rotation.rotate(Vec2::new(approach, 0.0) + drift),
            omega: 0.0,
            mass: rng.between(0.04, 0.6),
            inertia: rng.between(1e-4, 5e-4),
        };
        Kind::Box.add(&mut spec, "a", &a);
        let mut moving = vec![a];
        if case % 4 < 2 {
            let aside = rng.between(-0.06, 0.06);
            let mut b = Body { mass: rng.between(0.04, 0.6), ..a };
            b.at = frame.transform(Vec2::new(0.075, aside));
            b.v = Vec2::new(rng.between(-1.0, 1.0), rng.between(-1.0, 1.0));
            moving[0].v += b.v;
            spec.objects.clear();
            Kind::Box.add(&mut spec, "a", &moving[0]);
            Kind::Box.add(&mut spec, "b", &b);
            moving.push(b);
        } else {
            let [from, to] = [-2.0, 2.0].map(|y| frame.transform(Vec2::new(0.0475, y)));
            spec.walls.push(segment((from.x, from.y), (to.x, to.y), 0.02));
        }
        let time = gap / approach;
        let mut w = world(&spec);
        w.steps(time.div_euclid(1e-3) as u64 + 1);
        let t = 1e-3 * w.state().step as f64;
        for (i, before) in moving.iter().enumerate() {
            let after = w.frame().bodies[i];
            assert!((after.velocity - before.v).length() > 1e-3 * approach, "case {case}: no hit");
            let off = paths_apart(&(Kind::Box, *before), &after, (time, t)) / (approach * 1e-3);
            worst = worst.max(off);
            assert!(off < 0.05, "case {case}, body {i}: {off} of v h at {approach} m/s");
        }
    }
    println!("worst {worst:.2e} of v h");
}

#[test]
fn a_frictionless_elastic_heap_keeps_its_energy() {
    for seed in 0..4 {
        let mut rng = Stream::new(seed, 0, "heap");
        let mut spec = SceneSpec::default();
        spec.contact.restitution = PairTable::uniform(1.0);
        spec.contact.friction = PairTable::uniform(0.0);
        spec.walls = square_hall(0.4);
        for i in 0..12 {
            let at = Vec2::new(f64::from(i % 4) * 0.18 - 0.27, f64::from(i / 4) * 0.18 - 0.18);
            let pose = Pose2::new(at.x, at.y, rng.between(-3.0, 3.0));
            let v = Vec2::new(rng.between(-1.5, 1.5), rng.between(-1.5, 1.5));
            spec.objects.push(free_box(&format!("o{i}"), pose, v, rng.between(-10.0, 10.0)));
        }
        let mut w = world(&spec);
        let before = w.kinetic_energy();
        let mut last = before;
        for _ in 0..30_000 {
            w.step();
            let now = w.kinetic_energy();
            assert!(now <= last * (1.0 + 1e-9), "{last} J became {now} J");
            last = now;
        }
        println!("heap {seed} keeps {:.2} %", 100.0 * last / before);
        assert!(last > 0.95 * before, "it keeps {} of its energy", last / before);
    }
}

#[test]
fn nearly_flat_elastic_hits_lose_nothing() {
    let mut rng = Stream::new(29, 0, "flat");
    let mut worst = 0.0f64;
    for case in 0..2000 {
        let mut spec = SceneSpec::default();
        spec.contact.restitution = PairTable::uniform(1.0);
        spec.contact.friction = PairTable::uniform(0.0);
        // From a rad down to nothing.
        let tilt = if case % 10 == 0 { 0.0 } else { rolima_math::exp(rng.between(-20.0, 0.0)) };
        let pose = Pose2::new(rng.between(-2e-3, 0.0), 0.0, tilt);
        let v = Vec2::new(rng.between(0.2, 6.0), rng.between(-2.0, 2.0));
        spec.objects.push(free_box("a", pose, v, 0.0));
        spec.walls.push(segment((0.08, -1.0), (0.08, 1.0), 0.02));
        let mut w = world(&spec);
        let before = w.kinetic_energy();
        w.steps((0.1 / v.x / 1e-3) as u64 + 20);
        let b = w.frame().bodies[0];
        assert!(b.velocity.x < 0.0, "case {case}: {b:?}");
        let left = w.kinetic_energy() / before;
        worst = worst.max((left - 1.0).abs());
        assert!((left - 1.0).abs() < 1e-3, "case {case}, tilt {tilt}: {left} of the energy");
        if tilt == 0.0 {
            assert!((b.velocity.x + v.x).abs() < 1e-9 && b.omega.abs() < 1e-6, "{b:?}");
        }
    }
    println!("energy changes by {worst:.2e} at most");
}

/// Both corners of a face are near when one of them hits; the place and the speed that are told are
/// of the one that does.
#[test]
fn a_hit_is_told_where_and_how_fast_the_corner_that_hits_meets_the_wall() {
    let mut rng = Stream::new(31, 0, "told");
    let mut alone = 0;
    for case in 0..400 {
        let mut spec = SceneSpec::default();
        spec.contact.restitution = PairTable::uniform(1.0);
        spec.contact.friction = PairTable::uniform(0.0);
        let tilt = rng.between(0.002, 0.02) * if case % 2 == 0 { 1.0 } else { -1.0 };
        let (v, omega) = (rng.between(0.5, 4.0), rng.between(-8.0, 8.0));
        let pose = Pose2::new(rng.between(-2e-3, 0.0), 0.0, tilt);
        spec.objects.push(free_box("a", pose, Vec2::new(v, 0.0), omega));
        spec.walls.push(segment((0.08, -1.0), (0.08, 1.0), 0.02));
        let mut w = world(&spec);
        let mut before = w.frame().bodies[0];
        let hit = loop {
            w.step();
            if let Some(hit) = w.contact_points().next() {
                break hit;
            }
            before = w.frame().bodies[0];
            assert!(before.pose.position.x < 0.1, "case {case} hits nothing");
        };
        // Corners between the start and the end of the step: one of them was at the wall.
        let face = 0.07;
        let corners = [1.0, -1.0].map(|side| {
            let own = Vec2::new(0.0375, 0.0375 * side);
            let at = before.pose.transform(own);
            let speed = before.velocity + (at - before.pose.position).perp() * before.omega;
            (at, speed.x, (face - at.x) / speed.x)
        });
        let (at, speed, _) = corners.into_iter().min_by(|a, b| a.2.total_cmp(&b.2)).expect("two");
        let off = (hit.point - Vec2::new(face, at.y)).length();
        assert!(off < 1e-3, "case {case}: told {off} m away, {:?} for {at:?}", hit.point);
        // Where the other corner followed in the same step, the faster one is told.
        if w.contact_points().count() > 1 {
            continue;
        }
        alone += 1;
        let told = w.take_events().into_iter().filter_map(impact_speed).fold(0.0, f64::max);
        assert!((told - speed).abs() < 0.02 * speed, "case {case}: {told} for {speed} m/s");
    }
    assert!(alone > 100, "{alone} hits of one corner alone");
}

fn impact_speed(event: rolima_core::Event) -> Option<f64> {
    match event.what {
        rolima_core::Happened::Impact { speed, .. } => Some(speed),
        _ => None,
    }
}
