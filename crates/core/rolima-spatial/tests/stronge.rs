//! Vehicles that hit walls and one another by Stronge's model, integrated here by itself, with the
//! feature `bodies`.
#![cfg(feature = "bodies")]

use crate::common;

use common::*;
use rolima_math::{Quat, Vec3};
use rolima_spatial::{
    BodyRef, BodyShape, PairContacts, PairTable, SpatialSpec, SpatialWorld, TerrainSpec,
    VehicleSpec, presets,
};

/// A vehicle in the plane of x and z: mass, moment of inertia about y, (vx, vz, turning), and where
/// it is hit, from its centre of mass.
#[derive(Clone, Copy, Debug)]
struct Flat {
    per_mass: f64,
    per_inertia: f64,
    v: [f64; 3],
    /// (x, z).
    arm: [f64; 2],
}

impl Flat {
    const WALL: Self = Self { per_mass: 0.0, per_inertia: 0.0, v: [0.0; 3], arm: [0.0; 2] };

    fn of(w: &SpatialWorld, index: u32, point: Vec3) -> Self {
        let vehicle = w.vehicle(index).expect("a vehicle");
        let (spec, state) = (&w.model().vehicles[index as usize].spec, &vehicle.state);
        let omega = state.orientation.rotate(vehicle.angular_velocity(w.model(), index));
        let arm = point - state.position;
        // A blow does not turn what spins.
        let spun = |w: &rolima_spatial::WheelSpec| {
            let (gear, rotor) = w.motor.as_ref().map_or((0.0, 0.0), |m| (m.gear, m.rotor_inertia));
            let held = w.inertia + gear * rotor;
            if w.ball { 0.0 } else { held * held / (w.inertia + gear * gear * rotor) }
        };
        let inertia = spec.chassis.inertia[1] - spec.wheels.iter().map(spun).sum::<f64>();
        Self {
            per_mass: 1.0 / spec.chassis.mass,
            per_inertia: 1.0 / inertia,
            v: [state.velocity.x, state.velocity.z, omega.y],
            arm: [arm.x, arm.z],
        }
    }

    /// Velocity of the point that is hit.
    fn point(&self) -> [f64; 2] {
        let [vx, vz, omega] = self.v;
        [vx + omega * self.arm[1], vz - omega * self.arm[0]]
    }

    fn push(&mut self, p: [f64; 2]) {
        self.v[0] += p[0] * self.per_mass;
        self.v[1] += p[1] * self.per_mass;
        self.v[2] += (self.arm[1] * p[0] - self.arm[0] * p[1]) * self.per_inertia;
    }
}

/// Stronge's model in small impulses: `a` hits `b`, towards which the normal (x, z) points.
fn strike(a: &mut Flat, b: &mut Flat, n: [f64; 2], e: f64, mu: f64) {
    let t = [-n[1], n[0]];
    let slip = |a: &Flat, b: &Flat, d: [f64; 2]| {
        let (p, q) = (a.point(), b.point());
        (p[0] - q[0]) * d[0] + (p[1] - q[1]) * d[1]
    };
    let answer = |f: &Flat, d: [f64; 2]| {
        let lever = f.arm[1] * d[0] - f.arm[0] * d[1];
        f.per_mass + lever * lever * f.per_inertia
    };
    let push = |a: &mut Flat, b: &mut Flat, d: [f64; 2], p: f64| {
        a.push(d.map(|d| -d * p));
        b.push(d.map(|d| d * p));
    };
    let [normal, across] = [n, t].map(|d| answer(a, d) + answer(b, d));
    let dp = 1e-5 * slip(a, b, n) / normal;
    let (mut taken, mut given) = (0.0, 0.0);
    loop {
        let before = slip(a, b, n);
        push(a, b, n, dp);
        let friction = (slip(a, b, t) / across).clamp(-mu * dp, mu * dp);
        push(a, b, t, friction);
        let work = 0.5 * (before + slip(a, b, n)) * dp;
        if work > 0.0 {
            taken += work;
        } else {
            given -= work;
            if given >= e * e * taken {
                return;
            }
        }
    }
}

/// Friction as scenes have it unless they say otherwise.
const RUBS: f64 = 0.3;

fn contact(restitution: f64) -> PairContacts {
    PairContacts {
        friction: PairTable::uniform(RUBS),
        restitution: PairTable::uniform(restitution),
        ..PairContacts::default()
    }
}

fn front_of(vehicle: &VehicleSpec) -> f64 {
    let reach = vehicle.wheels.iter().map(|w| w.position.x + w.radius);
    reach.fold(vehicle.chassis.length[0], f64::max)
}

/// What a hit does to the points that hit: how far they are from Stronge's model, as a share of the
/// approach; the approach, m/s, what came of it along the normal, and what slid, both as shares of it.
struct Outcome {
    off: f64,
    approach: f64,
    back: f64,
    slid: f64,
}

/// Runs until a vehicle hits something; none if it stops before.
fn outcome(mut w: SpatialWorld, e: f64) -> Option<Outcome> {
    for _ in 0..1000 {
        w.drive(1);
        let own = w.clone();
        w.resolve_contacts();
        let Some(touch) = w.touches().first() else { continue };
        let body_ref = |w: &SpatialWorld, body_ref: BodyRef| match body_ref {
            BodyRef::Vehicle(i) => Flat::of(w, i, touch.point),
            BodyRef::Body(_) => Flat::WALL,
        };
        let [mut a, mut b] = [touch.a, touch.b].map(|p| body_ref(&own, p));
        let n = [touch.normal.x, touch.normal.z];
        assert!(touch.normal.y.abs() < 0.01, "it goes straight: {touch:?}");
        let along = |a: &Flat, b: &Flat, d: [f64; 2]| {
            let (p, q) = (a.point(), b.point());
            (p[0] - q[0]) * d[0] + (p[1] - q[1]) * d[1]
        };
        let t = [-n[1], n[0]];
        let (approach, slid) = (along(&a, &b, n), along(&a, &b, t).abs());
        strike(&mut a, &mut b, n, e, RUBS);
        let [c, d] = [touch.a, touch.b].map(|p| body_ref(&w, p));
        let off = [(a, c), (b, d)].iter().fold(0.0f64, |most, (want, got)| {
            let (p, q) = (want.point(), got.point());
            most.max((p[0] - q[0]).abs()).max((p[1] - q[1]).abs())
        });
        let back = -along(&c, &d, n);
        return Some(Outcome {
            off: off / approach,
            approach,
            back: back / approach,
            slid: slid / approach,
        });
    }
    None
}

const SPEEDS: [f64; 5] = [0.5, 1.0, 2.0, 3.0, 5.0];
const RESTITUTIONS: [f64; 5] = [0.0, 0.2, 0.6, 0.9, 1.0];

/// They sink into their springs and rock as they come, so that what touches slides along the wall.
#[test]
fn vehicles_that_hit_walls_do_as_stronges_model_says() {
    let (mut worst, mut straight) = (0.0f64, 0);
    for mut vehicle in
        [cart(), presets::vivi(), presets::skid_steer(), presets::rover(), presets::robot_one()]
    {
        for v in SPEEDS {
            for e in RESTITUTIONS {
                vehicle.start.velocity.x = v;
                let wall = BodyShape::Box([0.5, 3.0, 1.0]);
                let at = Vec3::new(front_of(&vehicle) + 0.52, 0.0, 0.8);
                let wall = body("wall", wall, None, at);
                let spec = spec_of(TerrainSpec::flat(40.0), vec![vehicle.clone()], vec![wall]);
                let w = world_of(SpatialSpec { contact: contact(e), ..spec });
                let hit = outcome(w, e).expect("a hit");
                worst = worst.max(hit.off);
                let what = format!("{}, {v} m/s, e {e}", vehicle.name);
                assert!(hit.off < 0.02, "{what}: {} of {} m/s", hit.off, hit.approach);
                // Where nothing slides, restitution is what comes back.
                if hit.slid < 0.02 {
                    straight += 1;
                    near(&what, hit.back, e, 0.02);
                }
            }
        }
    }
    println!("worst {worst:.2e} of the approach; {straight} straight ones");
    assert!(straight >= 20, "{straight}");
}

/// High above the ground, where nothing else touches.
const UP: f64 = 60.0;

/// A cart of this mass without motors whose chassis is ahead of its wheels.
fn blunt(mass: f64, x: f64, speed: f64, yaw: f64) -> VehicleSpec {
    let mut vehicle = cart();
    for w in &mut vehicle.wheels {
        w.motor = None;
        w.position.x *= 0.8;
    }
    let more = mass / vehicle.chassis.mass;
    vehicle.chassis.mass = mass;
    vehicle.chassis.inertia = vehicle.chassis.inertia.map(|i| i * more);
    vehicle.start.on_ground = false;
    vehicle.start.position = Vec3::new(x, 0.0, UP);
    vehicle.start.orientation = Quat::about(Vec3::new(0.0, 0.0, 1.0), yaw);
    vehicle.start.velocity.x = speed;
    vehicle
}

#[test]
fn vehicles_that_meet_head_on_part_with_restitution_times_the_speed_of_approach() {
    for v in SPEEDS {
        for e in RESTITUTIONS {
            for (masses, other, outer) in
                [([40.0, 40.0], 0.0, 1), ([40.0, 80.0], -0.7, 1), ([60.0, 30.0], 0.4, 4)]
            {
                let gap = 2.0 * cart().chassis.length[0] + 0.02;
                let one = blunt(masses[0], 0.0, v, 0.0);
                let other = blunt(masses[1], gap, other * v, core::f64::consts::PI);
                let approach = v - other.start.velocity.x;
                let momentum = masses[0] * v + masses[1] * other.start.velocity.x;
                let mut spec = spec_of(TerrainSpec::flat(40.0), vec![one, other], vec![]);
                (spec.contact, spec.outer_steps) = (contact(e), outer);
                let mut w = world_of(spec);
                while w.touches().is_empty() {
                    w.step();
                    assert!(position(&w).z > UP - 10.0, "no hit");
                }
                w.steps(30);
                let [a, b] = [0, 1].map(|i| w.vehicle(i).expect("two").state.velocity.x);
                let what = format!("{v} m/s, e {e}, {masses:?} kg, {outer} steps");
                near(&what, (b - a) / approach, e, 0.02);
                let now = masses[0] * a + masses[1] * b;
                near(&what, now, momentum, 1e-9 * masses[0] * v);
            }
        }
    }
}

/// They drive at one another from so near that slow ones do not stop before, m.
const NEAR: f64 = 4e-3;

#[test]
fn vehicles_that_hit_vehicles_on_the_ground_do_as_stronges_model_says() {
    let all =
        [cart(), presets::vivi(), presets::skid_steer(), presets::rover(), presets::robot_one()];
    let (mut worst, mut hits) = (0.0f64, 0);
    for (i, other) in all.iter().enumerate() {
        for one in &all[..=i] {
            for (v, against) in [(0.5, 0.0), (1.0, 0.3), (2.0, 0.0), (5.0, 1.0)] {
                for e in [0.0, 0.6, 1.0] {
                    let (mut one, mut other) = (one.clone(), other.clone());
                    one.start.velocity.x = v;
                    other.start.velocity.x = -against;
                    other.start.position.x = front_of(&one) + front_of(&other) + NEAR;
                    let upright = Vec3::new(0.0, 0.0, 1.0);
                    other.start.orientation = Quat::about(upright, core::f64::consts::PI);
                    let what = format!("{} on {}, {v} m/s, e {e}", one.name, other.name);
                    let spec = spec_of(TerrainSpec::flat(40.0), vec![one, other], vec![]);
                    let w = world_of(SpatialSpec { contact: contact(e), ..spec });
                    let Some(hit) = outcome(w, e) else { continue };
                    hits += 1;
                    worst = worst.max(hit.off);
                    assert!(hit.off < 0.01, "{what}: {} of {} m/s", hit.off, hit.approach);
                }
            }
        }
    }
    println!("worst {worst:.2e} of the approach in {hits} hits");
    // Brakes stop a few slow ones before they meet.
    assert!(hits >= 165, "{hits}");
}
