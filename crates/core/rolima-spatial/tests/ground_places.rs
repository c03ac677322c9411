//! Where hits on the ground take place: the paths before and after meet where the two touch, on planes,
//! slopes, at the foot of a ramp and on ground that bends, with the feature `bodies`.
#![cfg(feature = "bodies")]

use crate::common;

use common::*;
use rolima_math::{Quat, Stream, Vec2, Vec3, cos, sin};
use rolima_spatial::{BodyShape, BodySpec, SpatialSpec, SpatialWorld, TerrainSpec};
use rolima_testing::samples;

/// The step, s.
const H: f64 = 1e-3;

/// How far from the touching point paths may meet, as a share of the way between two contact
/// resolutions.
const SHARE: f64 = 0.05;

const SPEEDS: [f64; 6] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0];

/// Half sizes of the box.
const HALF: [f64; 3] = [0.2, 0.3, 0.1];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Ground {
    Plane,
    Slope,
    /// Level for x < 0, rising behind.
    Foot,
    Hill,
    Valley,
}

use Ground::{Foot, Hill, Plane, Slope, Valley};

impl Ground {
    fn height(self, x: f64, y: f64) -> f64 {
        match self {
            Plane => 0.0,
            Slope => 0.4 * x - 0.2 * y,
            Foot => 0.5 * x.max(0.0),
            Hill => -0.15 * (x * x + y * y),
            Valley => 0.15 * (x * x + y * y),
        }
    }

    fn terrain(self) -> TerrainSpec {
        let corner = Vec2::new(4.0, 4.0);
        TerrainSpec::from_function(-corner, corner, 81, 81, move |x, y| self.height(x, y))
    }
}

/// One body alone without gravity.
fn world_with(ground: Ground, flier: BodySpec, outer: u32) -> SpatialWorld {
    let mut spec = spec_of(ground.terrain(), vec![], vec![flier]);
    (spec.gravity, spec.outer_steps) = (0.0, outer);
    world_of(SpatialSpec { ..spec })
}

/// How far from the hit in time and place the paths of a body meet that began here, as a share of the
/// time between contact resolutions and of the way in it; the hit is `time` s after the start.
fn off(mut w: SpatialWorld, time: f64, what: &str) -> f64 {
    let outer = w.model().spec.outer_steps;
    let round = f64::from(outer) * H;
    let start = w.bodies()[0];
    let rounds = (time / round).floor();
    w.steps(rounds as u64 * u64::from(outer));
    assert_eq!(w.bodies()[0].velocity, start.velocity, "{what}: hit too early");
    w.steps(u64::from(outer));
    let after = w.bodies()[0];
    let change = start.velocity - after.velocity;
    let speed = start.velocity.length();
    assert!(change.length() > 0.1 * speed, "{what}: no hit, {after:?}");
    let back = after.position - after.velocity * (round * (rounds + 1.0)) - start.position;
    let met = back.dot(change) / change.dot(change);
    let apart = (back - change * met).length() / (speed * round);
    ((met - time).abs() / round).max(apart)
}

/// A ball that will touch the ground at x, y.
fn ball(ground: Ground, rng: &mut Stream, v: f64, w: &SpatialWorld) -> (BodySpec, f64, f64) {
    let radius = [0.02, 0.05, 0.1, 0.2][(rng.next_u64() % 4) as usize];
    // Within a cell; at the foot of the ramp behind it, coming along the level.
    let (x, y) = if ground == Foot {
        (0.3 + 0.02 * rng.uniform(), 0.02)
    } else {
        (0.3 + rng.between(0.02, 0.08), -0.2 + rng.between(0.02, 0.08))
    };
    let height = |x: f64, y: f64| w.model().terrain.height(x, y);
    let near = 1e-4;
    let slope = |dx: f64, dy: f64| (height(x + dx, y + dy) - height(x - dx, y - dy)) / (2.0 * near);
    let normal = Vec3::new(-slope(near, 0.0), -slope(0.0, near), 1.0);
    let normal = normal * (1.0 / normal.length());
    let aside = normal.cross(Vec3::new(0.3, rng.between(-1.0, 1.0), 0.1));
    let angle = rng.between(0.0, 1.2);
    let mut velocity = aside * (sin(angle) / aside.length()) - normal * cos(angle);
    if ground == Foot {
        velocity = Vec3::new(1.0, 0.0, 0.0);
    }
    let velocity = velocity * v;
    let time = (4.0 + rng.between(0.02, 0.98)) * H;
    let centre = Vec3::new(x, y, height(x, y)) + normal * radius;
    let mut ball = body("flier", BodyShape::Ball(radius), Some(0.5), centre - velocity * time);
    ball.velocity = velocity;
    (ball, time, radius)
}

#[test]
fn balls_turn_where_the_ground_is() {
    for ground in [Plane, Slope, Foot, Hill, Valley] {
        let empty = world_with(ground, body("b", BodyShape::Ball(0.1), Some(1.0), UP), 1);
        let mut rng = Stream::new(6, 0, "ground");
        let mut worst = 0.0f64;
        for case in 0..samples(120, 1200) {
            let v = SPEEDS[case % 6];
            let (mut flier, time, radius) = ball(ground, &mut rng, v, &empty);
            (flier.restitution, flier.friction) = (rng.uniform(), [0.0, 0.5][case % 2]);
            let outer = [1, 1, 4][case % 3];
            let what = format!("{ground:?} {case}: {radius} m at {v} m/s, {outer} steps");
            let off = off(world_with(ground, flier, outer), time, &what);
            worst = worst.max(off);
            assert!(off < SHARE, "{what}: {off} of a step's way");
        }
        println!("{ground:?}: worst {worst:.2e} of v h");
    }
}

/// High above all ground.
const UP: Vec3 = Vec3::new(0.0, 0.0, 50.0);

/// The corners of a box.
fn corners(at: Vec3, turned: Quat) -> impl Iterator<Item = Vec3> {
    (0..8).map(move |i| {
        let [x, y, z] = [0, 1, 2].map(|k| if i >> k & 1 == 0 { HALF[k] } else { -HALF[k] });
        at + turned.rotate(Vec3::new(x, y, z))
    })
}

#[test]
fn boxes_turn_where_the_ground_is() {
    for ground in [Plane, Slope, Hill, Valley] {
        let empty = world_with(ground, body("b", BodyShape::Ball(0.1), Some(1.0), UP), 1);
        let mut rng = Stream::new(7, 0, "ground");
        let mut worst = 0.0f64;
        for case in 0..samples(120, 1200) {
            let v = SPEEDS[case % 6];
            // Flat on the plane, or so askew that one corner hits; turning or not.
            let flat = ground == Plane && case % 4 == 0;
            let lean = if flat { 0.0 } else { rng.between(0.4, 0.7) };
            let turned = Quat::from_roll_pitch_yaw(lean, lean, rng.between(-3.0, 3.0));
            let omega = if flat || case % 2 == 0 {
                Vec3::ZERO
            } else {
                Vec3::new(0.0, 0.0, rng.between(-1.0, 1.0) * v)
            };
            let velocity = Vec3::new(rng.between(-0.5, 0.5), rng.between(-0.5, 0.5), -1.0) * v;
            let time = (4.0 + rng.between(0.02, 0.98)) * H;
            // Where its lowest corner touches then.
            let then = Quat::about(Vec3::new(0.0, 0.0, 1.0), omega.z * time) * turned;
            let (mut low, mut high) = (-2.0, 3.0);
            for _ in 0..60 {
                let z = 0.5 * (low + high);
                let gap = |p: Vec3| p.z - empty.model().terrain.height(p.x, p.y);
                let least = corners(Vec3::new(0.3, 0.2, z), then).map(gap).fold(f64::MAX, f64::min);
                *if least < 0.0 { &mut low } else { &mut high } = z;
            }
            let at = Vec3::new(0.3, 0.2, high) - velocity * time;
            let mut flier = body("flier", BodyShape::Box(HALF), Some(5.0), at);
            (flier.velocity, flier.omega, flier.orientation) = (velocity, omega, turned);
            (flier.restitution, flier.friction) = (rng.uniform(), [0.0, 0.5][case % 2]);
            // Faster ones hit with another corner before the next contact resolution.
            let outer = if v > 2.0 { 1 } else { [1, 1, 4][case % 3] };
            let what = format!("{ground:?} {case}: lean {lean}, {omega:?}, {v} m/s, {outer} steps");
            let off = off(world_with(ground, flier, outer), time, &what);
            worst = worst.max(off);
            assert!(off < SHARE, "{what}: {off} of a step's way");
        }
        println!("{ground:?}: worst {worst:.2e} of v h");
    }
}
