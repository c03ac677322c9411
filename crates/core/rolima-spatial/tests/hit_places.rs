//! Where hits take place: the paths before and after meet where two touch, wherever in a step that
//! is, with the feature `bodies`.
#![cfg(feature = "bodies")]

use crate::common;

use common::*;
use rolima_math::{Quat, Stream, Vec3, cos, sin};
use rolima_spatial::{
    BodyShape, BodySpec, PairContacts, PairTable, SpatialSpec, SpatialWorld, TerrainSpec,
    VehicleSpec, presets,
};

/// High above the ground, where nothing else touches.
const UP: f64 = 60.0;

/// The step, s; bodies meet in each.
const H: f64 = 1e-3;

/// How far from the touching point paths may meet, as a share of the step's way.
const SHARE: f64 = 0.05;

/// Half sizes of the box.
const HALF: [f64; 3] = [0.2, 0.3, 0.25];

fn contact(restitution: f64, friction: f64) -> PairContacts {
    PairContacts {
        friction: PairTable::uniform(friction),
        restitution: PairTable::uniform(restitution),
        ..PairContacts::default()
    }
}

fn air(bodies: Vec<BodySpec>, e: f64, friction: f64) -> SpatialWorld {
    let spec = spec_of(TerrainSpec::flat(40.0), vec![], bodies);
    world_of(SpatialSpec { contact: contact(e, friction), ..spec })
}

/// A wall whose face is at x = 0.
fn wall() -> BodySpec {
    let size = BodyShape::Box([0.5, 5.0, 20.0]);
    body("wall", size, None, Vec3::new(0.5, 0.0, UP))
}

/// Time at which two straight paths along x meet: before and after, each by place, velocity and the
/// time of both.
fn meeting((x, v): (f64, f64), (y, u): (f64, f64), later: f64) -> f64 {
    (y - u * later - x) / (v - u)
}

/// Something that flies: how far ahead its foremost point is at a time, and how fast that gets ahead
/// of the middle.
enum Flier {
    Ball,
    /// Leaning about z, and turning about it.
    Box(f64, f64),
}

impl Flier {
    fn front(&self, t: f64) -> f64 {
        match *self {
            Self::Ball => 0.2,
            Self::Box(lean, omega) => {
                let angle = lean + omega * t;
                HALF[0] * cos(angle).abs() + HALF[1] * sin(angle).abs()
            }
        }
    }

    /// When it touches the wall, from so far before it at this speed, s.
    fn touches_at(&self, x: f64, v: f64) -> f64 {
        let ahead = |t: f64| x + v * t + self.front(t);
        let (mut early, mut late) = (0.0, 0.0);
        while ahead(late) < 0.0 {
            (early, late) = (late, late + 1e-5);
        }
        for _ in 0..60 {
            let middle = 0.5 * (early + late);
            if ahead(middle) < 0.0 { early = middle } else { late = middle }
        }
        late
    }

    fn body(&self, x: f64, v: f64) -> BodySpec {
        let at = Vec3::new(x, 0.0, UP);
        let mut flier = match *self {
            Self::Ball => body("flier", BodyShape::Ball(0.2), Some(5.0), at),
            Self::Box(lean, omega) => {
                let mut flier = body("flier", BodyShape::Box(HALF), Some(5.0), at);
                flier.orientation = Quat::about(Vec3::new(0.0, 0.0, 1.0), lean);
                flier.omega.z = omega;
                flier
            }
        };
        flier.velocity.x = v;
        flier
    }
}

#[test]
fn balls_and_boxes_turn_where_the_wall_is() {
    let mut rng = Stream::new(3, 0, "places");
    let mut worst = 0.0f64;
    for case in 0..2000 {
        let v = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0][case % 6];
        let (e, friction) = (rng.uniform(), [0.0, 0.3][case % 2]);
        let flier = match case % 4 {
            0 => Flier::Ball,
            1 => Flier::Box(0.0, 0.0),
            2 => Flier::Box(rng.between(0.1, 1.4), 0.0),
            _ => Flier::Box(rng.between(0.2, 1.3), rng.between(-1.0, 1.0) * v),
        };
        let x = -0.5 - rng.uniform() * v * H;
        let time = flier.touches_at(x, v);
        let mut w = air(vec![flier.body(x, v), wall()], e, friction);
        let steps = (time / H).floor() as u64 + 1;
        w.steps(steps);
        let after = w.bodies()[0];
        let t = steps as f64 * H;
        let s = meeting((x, v), (after.position.x, after.velocity.x), t);
        worst = worst.max((s - time).abs() / H);
        assert!(
            (s - time).abs() < SHARE * H,
            "case {case}: {v} m/s, e {e}: turned {} of a step's way from the wall, {after:?}",
            (s - time) / H
        );
    }
    println!("worst {worst:.2e} of v h");
}

#[test]
fn bodies_that_hit_one_another_part_where_they_touch() {
    let mut rng = Stream::new(4, 0, "places");
    let mut worst = 0.0f64;
    for case in 0..1000 {
        let v = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0][case % 6];
        let (e, other_v) = (rng.uniform(), [0.0, -0.7, 0.4][case % 3] * v);
        let shape = || if case % 2 == 0 { BodyShape::Ball(0.2) } else { BodyShape::Box(HALF) };
        let masses = [5.0, [0.5, 5.0, 50.0][(case / 3) % 3]];
        let (start, other_x) = (-0.3 - rng.uniform() * v * H, 0.2);
        let mut one = body("one", shape(), Some(masses[0]), Vec3::new(start, 0.0, UP));
        let mut other = body("other", shape(), Some(masses[1]), Vec3::new(other_x, 0.0, UP));
        (one.velocity.x, other.velocity.x) = (v, other_v);
        let mut w = air(vec![one, other], e, 0.3);
        let time = (other_x - start - 0.4) / (v - other_v);
        let steps = (time / H).floor() as u64 + 1;
        w.steps(steps);
        let t = steps as f64 * H;
        for (i, before) in [(start, v), (other_x, other_v)].into_iter().enumerate() {
            let after = w.bodies()[i];
            if (after.velocity.x - before.1).abs() < 0.02 * v {
                // Nearly as fast as before: its paths hardly cross.
                continue;
            }
            let s = meeting(before, (after.position.x, after.velocity.x), t);
            worst = worst.max((s - time).abs() / H);
            assert!(
                (s - time).abs() < SHARE * H,
                "case {case}, body {i}: {v} m/s, e {e}: {} of a step from the hit",
                (s - time) / H
            );
        }
    }
    println!("worst {worst:.2e} of v h");
}

/// How far the foremost point of a vehicle is before the wall, m, with wheels pushed in as they are
/// now, at a place of it.
fn gap(w: &SpatialWorld, vehicle: &VehicleSpec, (at, turned): (Vec3, Quat)) -> f64 {
    let v = w.vehicle(0).expect("a vehicle");
    let c = &vehicle.chassis;
    let corners = [c.height[0], -c.height[1]].map(|z| Vec3::new(c.length[0], 0.0, z));
    let corners = corners.map(|p| (at + turned.rotate(p)).x);
    let wheels = vehicle.wheels.iter().enumerate().map(|(i, wheel)| {
        let lift = v.reading(i, |r| r.compression).clamp(0.0, wheel.radius);
        (at + turned.rotate(wheel.position + Vec3::new(0.0, 0.0, lift))).x + wheel.radius
    });
    -wheels.chain(corners).fold(f64::MIN, f64::max)
}

fn place(w: &SpatialWorld) -> (Vec3, Quat) {
    let state = &w.vehicle(0).expect("a vehicle").state;
    (state.position, state.orientation)
}

#[test]
fn vehicles_turn_where_the_wall_is() {
    let mut rng = Stream::new(5, 0, "places");
    let mut worst = 0.0f64;
    for (name, mut vehicle) in [
        ("blunt", blunt()),
        ("vivi", presets::vivi()),
        ("skid-steer", presets::skid_steer()),
        ("rover", presets::rover()),
    ] {
        for v in [0.5, 1.0, 2.0, 5.0, 10.0, 20.0] {
            for e in [0.0, 0.2, 0.6, 1.0] {
                let reach = vehicle.wheels.iter().map(|w| w.position.x + w.radius);
                let front = reach.fold(vehicle.chassis.length[0], f64::max);
                vehicle.start.velocity.x = v;
                vehicle.start.position.x = -front - 0.02 - 3.0 * rng.uniform() * v * H;
                let mut wall = wall();
                wall.position.z = 0.8;
                let spec = spec_of(TerrainSpec::flat(40.0), vec![vehicle.clone()], vec![wall]);
                let mut w = world_of(SpatialSpec { contact: contact(e, 0.3), ..spec });
                for step in 0.. {
                    assert!(step < 500, "{name} does not get there at {v} m/s");
                    let old = place(&w);
                    w.drive(1);
                    // What its own step makes of it: it may pitch on its springs, too.
                    let new = place(&w);
                    let (before, own) = (old.0.x, (new.0.x - old.0.x) / H);
                    let [room, left] = [old, new].map(|at| gap(&w, &vehicle, at));
                    w.resolve_contacts();
                    if !w.touches().is_empty() {
                        let time = H * room / (room - left);
                        let after = (position(&w).x, velocity(&w).x);
                        let s = meeting((before, own), after, H);
                        let off = (s - time) / H;
                        worst = worst.max(off.abs());
                        assert!(off.abs() < SHARE, "{name}, {v} m/s, e {e}: {off}, {time}");
                        break;
                    }
                }
            }
        }
    }
    println!("worst {worst:.2e} of v h");
}

/// A light ball at rest before a wall, struck by a heavy box.
#[test]
fn what_is_struck_does_not_get_into_what_is_behind_it() {
    for v in [1.0, 5.0, 20.0] {
        for e in [0.0, 0.6, 1.0] {
            for room in [1e-4, 1e-3, 3e-3, 0.01, 0.03] {
                let ball = body("ball", BodyShape::Ball(0.03), Some(0.05), {
                    Vec3::new(-0.03 - room, 0.0, UP)
                });
                let x = -0.06 - room - HALF[0] - 0.3 * v * H;
                let mut heavy =
                    body("heavy", BodyShape::Box(HALF), Some(20.0), Vec3::new(x, 0.0, UP));
                heavy.velocity.x = v;
                let mut w = air(vec![heavy, ball, wall()], e, 0.3);
                for step in 0..60 {
                    w.step();
                    let deep = w.bodies()[1].position.x + 0.03;
                    assert!(deep < 1e-3, "{v} m/s, e {e}, {room} m, step {step}: {deep} m in it");
                }
            }
        }
    }
}
