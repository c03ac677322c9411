//! Heaps never gain energy, whatever bounces and rubs in them, with the feature `bodies`.
#![cfg(feature = "bodies")]

use crate::common;

use common::*;
use rolima_math::{Quat, Stream, Vec2, Vec3, cos, sin};
use rolima_spatial::{
    BodyShape, BodySpec, PairContacts, PairTable, SpatialSpec, SpatialWorld, Terrain, TerrainSpec,
    VehicleSpec,
};
use std::sync::Arc;

/// Moments of inertia of a homogeneous body, kg m2.
fn inertia(shape: &BodyShape, m: f64) -> [f64; 3] {
    match *shape {
        BodyShape::Ball(r) => [0.4 * m * r * r; 3],
        BodyShape::Box([x, y, z]) => {
            [y * y + z * z, x * x + z * z, x * x + y * y].map(|i| m / 3.0 * i)
        }
        BodyShape::Cylinder(r, half) => {
            let across = m * (0.25 * r * r + half * half / 3.0);
            [across, across, 0.5 * m * r * r]
        }
        BodyShape::Parts(_) => panic!("not in these tests"),
    }
}

/// Kinetic and potential energy of all bodies and vehicles, J; vehicles with their springs.
fn energy(w: &SpatialWorld) -> f64 {
    let spec = &w.model().spec;
    let mut sum = 0.0;
    for (body, b) in spec.bodies.iter().zip(w.bodies()) {
        let Some(m) = body.mass else { continue };
        let (own, inertia) = (b.orientation.unrotate(b.omega).array(), inertia(&body.shape, m));
        sum += 0.5 * (0..3).map(|i| inertia[i] * own[i] * own[i]).sum::<f64>();
        sum += m * (0.5 * b.velocity.dot(b.velocity) + G * b.position.z);
    }
    for (i, vehicle) in spec.vehicles.iter().enumerate() {
        let v = w.vehicle(i as u32).expect("a vehicle");
        sum += v.kinetic_energy(w.model(), i as u32) + v.spring_energy(w.model(), i as u32);
        sum += vehicle.chassis.mass * G * v.state.position.z;
    }
    sum
}

/// Boxes, balls and logs thrown together from `up` on, beside a wall.
fn thrown(count: u32, up: f64, e: f64, friction: f64, seed: u64) -> SpatialSpec {
    let mut stream = Stream::new(seed, 0, "heap");
    let mut any = move || 2.0 * stream.uniform() - 1.0;
    let mut bodies: Vec<BodySpec> = vec![];
    for i in 0..count {
        let z = up + 0.45 * f64::from(i / 2) + 0.05 * any();
        let side = if i.is_multiple_of(2) { -0.3 } else { 0.3 };
        let at = Vec3::new(side, 0.2 * any(), z);
        let shape = match i % 4 {
            0 | 1 => BodyShape::Box([0.15, 0.1, 0.12]),
            2 => BodyShape::Ball(0.12),
            _ => BodyShape::Cylinder(0.1, 0.15),
        };
        let mut b = body(&format!("body-{i}"), shape, Some(3.0 + any()), at);
        b.orientation = Quat::from_roll_pitch_yaw(3.0 * any(), 3.0 * any(), 3.0 * any());
        b.velocity = Vec3::new(-4.0 * at.x, -2.0 * at.y, any());
        b.omega = Vec3::new(5.0 * any(), 5.0 * any(), 5.0 * any());
        (b.restitution, b.friction) = (e, friction);
        bodies.push(b);
    }
    let size = BodyShape::Box([0.1, 2.0, 2.0]);
    bodies.push(body("wall", size, None, Vec3::new(0.9, 0.0, up + 0.5)));
    let mut spec = spec_of(TerrainSpec::flat(40.0), vec![], bodies);
    spec.contact = PairContacts {
        friction: PairTable::uniform(friction),
        restitution: PairTable::uniform(e),
        ..PairContacts::default()
    };
    spec
}

/// The largest gain of a step, and what is lost in all, as shares of the energy at the start.
fn gains(mut w: SpatialWorld, steps: u32) -> [f64; 2] {
    let start = energy(&w);
    let (mut old, mut most) = (start, 0.0f64);
    for _ in 0..steps {
        w.step();
        let new = energy(&w);
        most = most.max(new - old);
        old = new;
    }
    [most / start, (start - old) / start]
}

/// Lets heaps fall: they lose energy, but hardly any without friction and with full restitution.
fn assert_no_gain(
    frictions: &[f64],
    restitutions: &[f64],
    heap: impl Fn(f64, f64, u64) -> SpatialSpec,
) {
    for &friction in frictions {
        for &e in restitutions {
            for (seed, outer_steps) in [(1, 1), (2, 1), (3, 4)] {
                let spec = SpatialSpec { outer_steps, ..heap(e, friction, seed) };
                let [most, lost] = gains(world_of(spec), 1500);
                let what = format!("friction {friction}, e {e}, seed {seed}: {most:e}, {lost}");
                // Rounding.
                assert!(most < 1e-10, "{what}");
                let keeps = friction == 0.0 && e == 1.0;
                assert!(if keeps { lost < 0.02 } else { lost > 0.1 }, "{what}");
            }
        }
    }
}

#[test]
fn a_heap_of_bodies_never_gains_energy() {
    let heap = |e, friction, seed| thrown(20, 0.4, e, friction, seed);
    assert_no_gain(&[0.0, 0.3, 1.0], &[0.0, 0.3, 0.6, 0.9, 1.0], heap);
}

/// A heap above hills of 60 cm from top to bottom.
fn on_hills(e: f64, friction: f64, seed: u64) -> SpatialSpec {
    let corner = Vec2::new(8.0, 8.0);
    let height = |x: f64, y: f64| 0.3 * sin(2.0 * x) * cos(1.7 * y);
    let terrain = TerrainSpec::from_function(-corner, corner, 161, 161, height);
    let spec = thrown(20, 0.9, e, friction, seed);
    SpatialSpec { terrain: Arc::new(Terrain::new(terrain).expect("a good terrain")), ..spec }
}

#[test]
fn a_heap_on_hills_never_gains_energy() {
    assert_no_gain(&[0.0, 0.5], &[0.0, 0.6, 1.0], on_hills);
}

#[test]
fn a_frictionless_elastic_heap_in_a_pen_keeps_its_energy_for_half_a_minute() {
    for seed in [1, 2] {
        let mut spec = thrown(12, 0.4, 1.0, 0.0, seed);
        spec.bodies.pop();
        for (x, y) in [(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)] {
            let half = if x == 0.0 { [1.2, 0.2, 20.0] } else { [0.2, 1.2, 20.0] };
            let at = Vec3::new(1.2 * x, 1.2 * y, 20.0);
            spec.bodies.push(body("wall", BodyShape::Box(half), None, at));
        }
        let [most, lost] = gains(world_of(spec), 30_000);
        println!("heap {seed} loses {:.2} %", 100.0 * lost);
        assert!(most < 1e-11 && lost < 0.05, "seed {seed}: gains {most:e}, loses {lost}");
    }
}

#[test]
fn a_body_that_turns_freely_keeps_angular_momentum_and_energy() {
    let half = [0.15, 0.1, 0.02];
    let i = inertia(&BodyShape::Box(half), 5.0);
    // About no main axis, and nearly about each; the second is the unstable one.
    for (x, y, z) in [(1.0, 2.0, 3.0), (1.0, 0.01, 0.0), (0.01, 1.0, 0.01), (0.0, 0.01, 1.0)] {
        for fast in [1.0, 5.0, 20.0] {
            let mut one = body("one", BodyShape::Box(half), Some(5.0), Vec3::new(0.0, 0.0, 1e4));
            one.omega = Vec3::new(x, y, z) * fast;
            let mut w = world_of(spec_of(TerrainSpec::flat(40.0), vec![], vec![one]));
            let momentum = |w: &SpatialWorld| {
                let b = w.bodies()[0];
                let o = b.orientation.unrotate(b.omega);
                b.orientation.rotate(Vec3::new(i[0] * o.x, i[1] * o.y, i[2] * o.z))
            };
            let turning = |w: &SpatialWorld| 0.5 * momentum(w).dot(w.bodies()[0].omega);
            let (l, e) = (momentum(&w), turning(&w));
            w.steps(30_000);
            let (off, lost) = ((momentum(&w) - l).length() / l.length(), 1.0 - turning(&w) / e);
            println!("({x}, {y}, {z}) rad/s x {fast}: momentum {off:.1e}, energy {lost:.1e}");
            assert!(off < 1e-9 && lost.abs() < 1e-9, "({x}, {y}, {z}) x {fast}: {off} {lost}");
        }
    }
}

/// A vehicle that nothing drives, thrown along y.
fn coasting(y: f64, z: f64, speed: f64) -> VehicleSpec {
    let mut vehicle = cart();
    for w in &mut vehicle.wheels {
        w.motor = None;
    }
    vehicle.start.on_ground = false;
    vehicle.start.position = Vec3::new(0.0, y, z);
    vehicle.start.velocity.y = speed;
    vehicle
}

#[test]
fn a_heap_of_bodies_and_vehicles_in_the_air_never_gains_energy() {
    for friction in [0.0, 0.3] {
        for e in [0.0, 0.3, 0.6, 1.0] {
            // Elastic ones without friction move on the longest.
            let seeds = if e == 1.0 && friction == 0.0 { 24 } else { 2 };
            for seed in 1..=seeds {
                // Where vehicles run several steps by themselves they turn on between two contact
                // resolutions.
                let outer: &[(u32, f64)] =
                    if seed > 4 { &[(1, 1e-6)] } else { &[(1, 1e-6), (4, 5e-6), (10, 5e-6)] };
                for &(outer, bound) in outer {
                    let mut spec = thrown(16, 30.0, e, friction, seed);
                    spec.outer_steps = outer;
                    spec.vehicles = vec![coasting(-2.0, 31.0, 3.0), coasting(2.0, 31.2, -3.0)];
                    let [most, lost] = gains(world_of(spec), 1500);
                    let what = format!("friction {friction}, e {e}, seed {seed}, {outer} steps");
                    println!("{what}: {most:e}, {lost}");
                    assert!(most < bound, "{what}: {most:e}");
                    assert!(e == 1.0 || lost > 1e-3, "{what}: {lost}");
                }
            }
        }
    }
}

/// A heap that falls on two vehicles which drive at one another on the ground.
fn on_vehicles(e: f64, seed: u64) -> SpatialSpec {
    let mut spec = thrown(12, 0.8, e, 0.3, seed);
    let (mut one, mut other) = (coasting(-1.5, 0.0, 0.0), coasting(1.5, 0.0, 0.0));
    (one.start.on_ground, other.start.on_ground) = (true, true);
    let quarter = core::f64::consts::FRAC_PI_2;
    let upright = Vec3::new(0.0, 0.0, 1.0);
    one.start.orientation = Quat::about(upright, quarter);
    one.start.velocity.y = 2.0;
    other.start.orientation = Quat::about(upright, -quarter);
    other.start.velocity.y = -2.0;
    spec.vehicles = vec![one, other];
    spec
}

#[test]
fn a_heap_that_falls_on_vehicles_on_the_ground_ends_with_less_than_it_had() {
    // Tyres' bristles and the chassis' corners hold some of it for a while.
    for (outer, bound) in [(1, 5e-5), (4, 1e-3)] {
        for e in [0.0, 0.3, 0.6, 1.0] {
            for seed in [1, 2] {
                let mut spec = on_vehicles(e, seed);
                spec.outer_steps = outer;
                let mut w = world_of(spec);
                let start = energy(&w);
                let (mut least, mut worst) = (start, 0.0f64);
                for _ in 0..3000 {
                    w.step();
                    let now = energy(&w);
                    least = least.min(now);
                    worst = worst.max((now - least) / start);
                }
                let what = format!("e {e}, seed {seed}, {outer} steps");
                println!("{what}: {worst:e}");
                assert!(worst < bound, "{what}: {worst:e}");
                assert!(energy(&w) < 0.9 * start, "{what}");
            }
        }
    }
}
