//! Where balls hit off their middles: on walls, boxes, other balls and vehicles the paths before and
//! after meet where the two touch, wherever in a step that is, with the feature `bodies`.
#![cfg(feature = "bodies")]

use crate::common;

use common::*;
use rolima_math::{Quat, Stream, Vec3, cos, sin};
use rolima_spatial::{
    BodyShape, BodySpec, PairContacts, PairTable, SpatialSpec, SpatialWorld, TerrainSpec,
    VehicleSpec,
};
use rolima_testing::samples;

/// High above the ground, where nothing else touches.
const UP: f64 = 60.0;

/// The step, s; bodies meet in each.
const H: f64 = 1e-3;

/// How far from the touching point paths may meet, as a share of the step's way.
const SHARE: f64 = 0.05;

/// Radii of the balls, m, and their speeds, m/s.
const RADII: [f64; 5] = [0.01, 0.02, 0.05, 0.1, 0.2];
const SPEEDS: [f64; 6] = [0.5, 1.0, 2.0, 5.0, 10.0, 20.0];

/// Where in a step the hit falls.
const PHASES: [f64; 5] = [0.02, 0.27, 0.52, 0.77, 0.97];

/// How far off the middle a ball hits, as shares of the radii.
const ASIDE: [f64; 4] = [0.0, 0.2, 0.45, 0.7];

/// A ball that will hit something.
#[derive(Clone, Copy)]
struct Flight {
    radius: f64,
    velocity: Vec3,
    /// Its centre when it touches, m.
    touches_at: Vec3,
    phase: f64,
}

impl Flight {
    /// When it touches, s: in the fourth step.
    fn time(&self) -> f64 {
        (3.0 + self.phase) * H
    }

    fn start(&self) -> Vec3 {
        self.touches_at - self.velocity * self.time()
    }

    fn ball(&self) -> BodySpec {
        let mut ball = body("ball", BodyShape::Ball(self.radius), Some(0.5), self.start());
        ball.velocity = self.velocity;
        ball
    }

    /// Something else that is here when the ball touches it.
    fn meets(&self, mut other: BodySpec, velocity: Vec3) -> BodySpec {
        other.position -= velocity * self.time();
        other.velocity = velocity;
        other
    }

    /// The ball among others, without gravity.
    fn world(&self, vehicles: Vec<VehicleSpec>, others: Vec<BodySpec>) -> SpatialWorld {
        let bodies = [vec![self.ball()], others].concat();
        let spec = spec_of(TerrainSpec::flat(40.0), vehicles, bodies);
        // Any restitution and friction will do.
        let contact = PairContacts {
            friction: PairTable::uniform(0.3 * self.phase),
            restitution: PairTable::uniform(1.0 - self.phase),
            ..PairContacts::default()
        };
        world_of(SpatialSpec { contact, gravity: 0.0, ..spec })
    }

    /// How far from the hit in time and space the ball's paths meet, as a share of the step and of
    /// its way.
    fn off(&self, mut w: SpatialWorld) -> f64 {
        w.steps(3);
        assert_eq!(w.bodies()[0].velocity, self.velocity, "hit too early");
        w.steps(1);
        let after = w.bodies()[0];
        let change = self.velocity - after.velocity;
        let speed = self.velocity.length();
        assert!(change.length() > 0.1 * speed, "no hit: {after:?}");
        let back = after.position - after.velocity * (4.0 * H) - self.start();
        let time = back.dot(change) / change.dot(change);
        let apart = (back - change * time).length() / (speed * H);
        ((time - self.time()).abs() / H).max(apart)
    }
}

/// The worst of all radii, speeds and phases, by radius and speed.
fn worst_of(what: &str, mut off: impl FnMut(f64, f64, f64) -> f64) {
    let mut all = 0.0f64;
    for radius in RADII {
        for v in SPEEDS {
            let worst = PHASES.iter().map(|&phase| off(radius, v, phase)).fold(0.0, f64::max);
            assert!(worst < SHARE, "{what}, radius {radius} m, {v} m/s: {worst} of a step's way");
            all = all.max(worst);
        }
    }
    println!("{what}: worst {all:.2e} of v h");
}

fn along_x(v: f64) -> Vec3 {
    Vec3::new(v, 0.0, 0.0)
}

#[test]
fn balls_turn_at_walls_however_they_slant() {
    for angle in [0.0, 0.3, 0.8, 1.3] {
        worst_of(&format!("wall, {angle} rad from straight on"), |radius, v, phase| {
            let velocity = Vec3::new(cos(angle), 0.6 * sin(angle), 0.8 * sin(angle)) * v;
            let touches_at = Vec3::new(-radius, 0.0, UP);
            let flight = Flight { radius, velocity, touches_at, phase };
            let wall = BodyShape::Box([0.5, 5.0, 5.0]);
            let wall = body("wall", wall, None, Vec3::new(0.5, 0.0, UP));
            flight.off(flight.world(vec![], vec![wall]))
        });
    }
}

#[test]
fn balls_part_from_balls_where_they_touch_however_far_off_their_middles() {
    for (aside, ratio) in ASIDE.into_iter().flat_map(|a| [0.5, 1.0, 4.0].map(|r| (a, r))) {
        worst_of(&format!("ball {ratio} times as large, {aside} aside"), |radius, v, phase| {
            let other = ratio * radius;
            let sum = radius + other;
            let x = -sum * (1.0 - aside * aside).sqrt();
            // The other one flies, too; the first one's speed is that at which they meet.
            let moves = Vec3::new(-0.4, 0.3, 0.0) * (v * phase);
            let across = Vec3::new(0.0, 0.6, -0.8) * (aside * sum);
            let touches_at = Vec3::new(x, 0.0, UP) + across;
            let flight = Flight { radius, velocity: along_x(v), touches_at, phase };
            let ball = BodyShape::Ball(other);
            let ball = body("other", ball, Some(0.5 * ratio), Vec3::new(0.0, 0.0, UP));
            flight.off(flight.world(vec![], vec![flight.meets(ball, moves)]))
        });
    }
}

/// A box with its middle behind an edge, or a corner, that points against x and is at the origin.
fn pointed(corner: bool, mass: Option<f64>) -> BodySpec {
    let half = 0.3;
    let mut pointed = body("box", BodyShape::Box([half; 3]), mass, Vec3::ZERO);
    let (axis, angle, way) = if corner {
        let down = 0.5f64.sqrt();
        (Vec3::new(0.0, down, -down), rolima_math::atan2(2.0f64.sqrt(), 1.0), 3.0f64.sqrt())
    } else {
        (Vec3::new(0.0, 0.0, 1.0), core::f64::consts::FRAC_PI_4, 2.0f64.sqrt())
    };
    pointed.orientation = Quat::about(axis, angle);
    pointed.position = Vec3::new(half * way, 0.0, UP);
    pointed
}

#[test]
fn balls_part_from_edges_and_corners_where_they_touch() {
    for (corner, aside) in
        [false, true].into_iter().flat_map(|c| [0.0, 0.3, 0.55f64].map(|a| (c, a)))
    {
        for mass in [None, Some(2.0)] {
            let what = if corner { "corner" } else { "edge" };
            worst_of(&format!("{what}, {aside} aside, {mass:?} kg"), |radius, v, phase| {
                let x = -radius * (1.0 - aside * aside).sqrt();
                let touches_at = Vec3::new(x, aside * radius, UP);
                let flight = Flight { radius, velocity: along_x(v), touches_at, phase };
                flight.off(flight.world(vec![], vec![pointed(corner, mass)]))
            });
        }
    }
}

/// A vehicle in the air whose middle is at this place when the ball touches it.
fn flying(mut vehicle: VehicleSpec, flight: &Flight, velocity: Vec3) -> VehicleSpec {
    vehicle.start.on_ground = false;
    vehicle.start.position = Vec3::new(0.0, 0.0, UP) - velocity * flight.time();
    vehicle.start.velocity = velocity;
    vehicle
}

#[test]
fn balls_part_from_wheels_where_they_touch() {
    for (aside, moves) in ASIDE.into_iter().flat_map(|a| [0.0, 3.0].map(|v| (a, v))) {
        worst_of(&format!("wheel, {aside} aside, at {moves} m/s"), |radius, v, phase| {
            let mut cart = cart();
            // The wheels are ahead of it.
            cart.chassis.length = [0.1, 0.1];
            let wheel = &cart.wheels[0];
            let sum = radius + wheel.radius;
            let along = (1.0 - aside * aside).sqrt();
            let to_ball = Vec3::new(along, 0.0, aside) * sum;
            let touches_at = Vec3::new(0.0, 0.0, UP) + wheel.position + to_ball;
            let flight = Flight { radius, velocity: along_x(-v), touches_at, phase };
            let cart = flying(cart, &flight, along_x(moves));
            flight.off(flight.world(vec![cart], vec![]))
        });
    }
}

#[test]
fn balls_part_from_a_chassis_and_its_edges_where_they_touch() {
    for aside in [-0.5, 0.0, 0.3, 0.6, 0.8] {
        worst_of(&format!("chassis, {aside} above its edge"), |radius, v, phase| {
            let mut cart = cart();
            cart.wheels.iter_mut().for_each(|w| w.position.x *= 0.4);
            let edge = Vec3::new(cart.chassis.length[0], 0.0, cart.chassis.height[0]);
            let above: f64 = if aside > 0.0 { aside } else { 0.0 };
            let ahead = Vec3::new((1.0 - above * above).sqrt(), 0.0, aside) * radius;
            let touches_at = Vec3::new(0.0, 0.0, UP) + edge + ahead;
            let flight = Flight { radius, velocity: along_x(-v), touches_at, phase };
            let cart = flying(cart, &flight, along_x(0.5 * v * phase));
            flight.off(flight.world(vec![cart], vec![]))
        });
    }
}

/// By a hundredth of their radii.
#[test]
fn balls_that_just_pass_one_another_go_on_as_they_came() {
    for radius in RADII {
        for v in SPEEDS {
            for phase in PHASES {
                let touches_at = Vec3::new(0.0, 2.02 * radius, UP);
                let flight = Flight { radius, velocity: along_x(v), touches_at, phase };
                let at = Vec3::new(0.0, 0.0, UP);
                let other = body("other", BodyShape::Ball(radius), Some(0.5), at);
                let mut w = flight.world(vec![], vec![other]);
                for step in 0..8 {
                    w.step();
                    let velocity = w.bodies()[0].velocity;
                    assert_eq!(velocity, along_x(v), "radius {radius}, {v} m/s, step {step}");
                }
            }
        }
    }
}

/// A ball that touches the walls of a corner, at x = 0, y = 0 and z = `UP`, at these times, s.
fn into_corner(velocity: Vec3, times: [f64; 3], e: f64) -> SpatialWorld {
    let (radius, half) = (0.1, 3.0);
    let walls = [
        body("x", BodyShape::Box([0.5, half, half]), None, Vec3::new(0.5, 0.0, UP)),
        body("y", BodyShape::Box([half, 0.5, half]), None, Vec3::new(0.0, 0.5, UP)),
        body("z", BodyShape::Box([half, half, 0.5]), None, Vec3::new(0.0, 0.0, UP + 0.5)),
    ];
    let way = |v: f64, time: f64| -radius - v * time;
    let [x, y, z] = [0, 1, 2].map(|i| way(velocity.array()[i], times[i]));
    let mut ball = body("ball", BodyShape::Ball(radius), Some(0.5), Vec3::new(x, y, UP + z));
    ball.velocity = velocity;
    let mut spec = spec_of(TerrainSpec::flat(40.0), vec![], [vec![ball], walls.to_vec()].concat());
    spec.gravity = 0.0;
    let (friction, restitution) = (PairTable::uniform(0.0), PairTable::uniform(e));
    world_of(SpatialSpec {
        contact: PairContacts { friction, restitution, ..PairContacts::default() },
        ..spec
    })
}

#[test]
fn balls_that_hit_two_or_three_walls_in_a_step_turn_at_each_of_them() {
    let mut rng = Stream::new(9, 0, "corner");
    let mut worst = 0.0f64;
    for case in 0..samples(90, 900) {
        let (v, e) = (SPEEDS[case % 6], rng.uniform());
        // Against each wall faster than 0.1 m/s, which is 0.1 mm in a step.
        let (angle, slant) = (rng.between(0.5, 1.07), rng.between(0.35, 0.9));
        // Every third one does not get to the third wall.
        let up = if case % 3 == 0 { -sin(slant) } else { sin(slant) };
        let velocity = Vec3::new(cos(angle) * cos(slant), sin(angle) * cos(slant), up) * v;
        let mut times = [0, 1, 2].map(|_| (4.0 + rng.between(0.05, 0.95)) * H);
        if up < 0.0 {
            // It has been there, and is on its way back.
            times[2] = -0.05;
        }
        let mut w = into_corner(velocity, times, e);
        w.steps(5);
        let now = w.bodies()[0];
        let what = format!("{case}: {velocity:?}, e {e}, {times:?} s");
        // Each wall by itself.
        for i in 0..3 {
            let (v, time, hits) = (velocity.array()[i], times[i], times[i] > 0.0);
            let bounced = if hits { -e * v } else { v };
            near(&what, now.velocity.array()[i], bounced, 1e-3 * v.abs());
            let then = if i == 2 { UP - 0.1 } else { -0.1 };
            let off = (now.position.array()[i] - then - bounced * (5.0 * H - time)).abs();
            let share = off / (velocity.length() * H);
            worst = worst.max(share);
            assert!(share < SHARE, "{what}: {share} of v h off along axis {i}");
        }
    }
    println!("two or three walls in a step: worst {worst:.2e} of v h");
}
