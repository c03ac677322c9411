//! Whatever happens to bodies, they stay finite and above the ground, and nothing panics.
#![cfg(feature = "bodies")]

use crate::common;

use common::*;
use proptest::prelude::*;
use rolima_math::{Quat, Vec2, Vec3};
use rolima_spatial::{BodyPart, BodyShape, BodySpec, Hills, presets};

fn shape(kind: usize, size: f64) -> BodyShape {
    match kind {
        0 => BodyShape::Box([size, 0.6 * size, 0.3 * size]),
        1 => BodyShape::Ball(size),
        2 => BodyShape::Cylinder(0.4 * size, size),
        _ => {
            let triangle = [(-1.0, -0.5), (1.0, -0.5), (0.0, 1.0)];
            let outline = triangle.map(|(x, y)| Vec2::new(x * size, y * size)).to_vec();
            let foot = BodyPart::Prism { outline, z: [0.0, 0.2 * size] };
            let centre = Vec2::new(0.2 * size, 0.0);
            let post = BodyPart::Cylinder { centre, radius: 0.2 * size, z: [0.2 * size, size] };
            BodyShape::Parts(vec![foot, post])
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 2 } else { 16 }))]

    #[test]
    fn whatever_happens_bodies_stay_finite_and_on_the_ground(
        seed in 0u64..1000,
        amplitude in 0.0f64..3.0,
        kinds in proptest::collection::vec((0usize..4, 0.03f64..0.6, 0.05f64..30.0), 1..8),
        turn in proptest::array::uniform3(-3.2f64..3.2),
        speed in proptest::array::uniform3(-20.0f64..20.0),
        volts in -20.0f64..20.0,
        outer in 1u32..8,
    ) {
        let hills = Hills { seed, amplitude, nodes: 80, wavelength: 3.0, octaves: 5, size: 20.0, ..Hills::default() };
        let bodies: Vec<BodySpec> = kinds
            .iter()
            .enumerate()
            .map(|(i, &(kind, size, mass))| {
                let at = Vec3::new(0.5 * i as f64, 0.1, 3.5 + 0.3 * i as f64);
                let mut one = body(&format!("body-{i}"), shape(kind, size), Some(mass), at);
                one.orientation = Quat::from_roll_pitch_yaw(turn[0], turn[1], turn[2]);
                one.velocity = Vec3::new(speed[0], speed[1], speed[2]);
                one.omega = Vec3::new(speed[1], speed[2], speed[0]);
                one.restitution = 0.1 * i as f64;
                one.rolling_resistance = 0.02;
                one
            })
            .collect();
        let mut spec = spec_of(hills.terrain().expect("hills"), vec![presets::vivi()], bodies);
        spec.outer_steps = outer;
        let mut w = world_of(spec);
        drive(&mut w, volts, volts, 0.0);
        for _ in 0..20 {
            w.steps(100);
            let v = &w.vehicle(0).expect("one").state;
            prop_assert!(!v.quarantined && v.velocity.length() < 100.0, "{:?}", v.velocity);
            for (b, spec) in w.bodies().iter().zip(&w.model().spec.bodies) {
                let p = b.position;
                prop_assert!(p.is_finite() && b.velocity.is_finite() && b.omega.is_finite());
                prop_assert!(b.velocity.length() < 120.0, "{}: {:?}", spec.name, b.velocity);
                let ground = w.model().terrain.height(p.x, p.y);
                prop_assert!(p.z > ground - 0.8, "{} fell to {p:?} under {ground}", spec.name);
            }
        }
    }
}
