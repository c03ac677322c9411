//! Worlds whose state hashes are the same everywhere: shared by the golden test and by the module
//! that computes them on wasm32.

use crate::{
    BodyKind, BodyPart, BodyShape, BodySpec, DriveVolts, Hills, SpatialModel, SpatialSpec,
    SpatialWorld, Terrain, presets,
};
use rolima_check::ModelError;
use rolima_math::{Quat, Vec2, Vec3};
use std::sync::Arc;

/// Names, with an early and a late moment, ms.
pub const MOMENTS: [(&str, u32, u32); 3] =
    [("vehicle_hills", 200, 20_000), ("vehicle_fine", 20, 2_000), ("vehicle_tumble", 200, 6_000)];

/// The golden with bodies, which needs the feature `bodies`; it is in `tests/golden_bodies.txt`.
pub const BODIES: (&str, u32, u32) = ("vehicle_bodies", 400, 6_000);

/// The world of a golden.
///
/// | name | what |
/// |---|---|
/// | `vehicle_hills` | all presets on rough hills, 1 ms, everything in every step |
/// | `vehicle_fine` | two of them, 10 us, contacts and tyres less often |
/// | `vehicle_tumble` | vehicles dropped in all attitudes on steep ground |
/// | `vehicle_bodies` | two vehicles among boxes, balls, tables, a trunk and a wall on hills |
pub fn world(name: &str) -> Result<SpatialWorld, ModelError> {
    if name == BODIES.0 {
        return with_bodies();
    }
    let steep = name == "vehicle_tumble";
    let hills = Hills {
        seed: 7,
        nodes: 128,
        amplitude: if steep { 2.5 } else { 0.7 },
        wavelength: 5.0,
        octaves: 5,
        ..Hills::default()
    };
    let terrain = Arc::new(Terrain::new(hills.terrain()?)?);
    // Vehicles that meet would need parry; these runs hold without the feature `bodies` too.
    let mut spec = SpatialSpec { outer_steps: 0, ..SpatialSpec::new(terrain) };
    let all = [presets::vivi(), presets::skid_steer(), presets::rover(), presets::robot_one()];
    if name == "vehicle_fine" {
        (spec.step_s, spec.contact_every, spec.tyre_every) = (1e-5, 10, 5);
        spec.vehicles = all[..2].to_vec();
    } else {
        spec.vehicles = all.to_vec();
    }
    for (i, vehicle) in spec.vehicles.iter_mut().enumerate() {
        let k = i as f64;
        vehicle.start.position = Vec3::new(3.0 * k - 4.0, 2.0 - k, if steep { 1.0 } else { 0.0 });
        let roll = if steep { 0.9 * k } else { 0.0 };
        vehicle.start.orientation = Quat::from_roll_pitch_yaw(roll, 0.0, 0.7 * k);
    }
    Ok(SpatialWorld::new(Arc::new(SpatialModel::compile(spec)?)))
}

fn with_bodies() -> Result<SpatialWorld, ModelError> {
    let hills = Hills { seed: 5, nodes: 96, amplitude: 0.25, wavelength: 5.0, ..Hills::default() };
    let terrain = Arc::new(Terrain::new(hills.terrain()?)?);
    let mut spec = SpatialSpec { outer_steps: 2, ..SpatialSpec::new(terrain) };
    spec.vehicles = vec![presets::vivi(), presets::skid_steer()];
    for (i, vehicle) in spec.vehicles.iter_mut().enumerate() {
        vehicle.start.position = Vec3::new(-1.5, 1.6 * i as f64, 0.0);
    }
    let square = |x: f64, half: f64| {
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(a, b)| Vec2::new(x + a * half, b * half))
            .to_vec()
    };
    let mut put = |kind: BodyKind, shape: BodyShape, mass: Option<f64>, at: [f64; 3]| {
        let [x, y, z] = at;
        let name = format!("body-{}", spec.bodies.len());
        let body = BodySpec::new(name, kind, shape, Vec3::new(x, y, z));
        spec.bodies.push(BodySpec { mass, restitution: 0.3, rolling_resistance: 0.01, ..body });
    };
    for i in 0..6 {
        let (x, z) = (0.2 + 0.25 * f64::from(i % 2), 0.6 + 0.45 * f64::from(i / 2));
        put(BodyKind::Object, BodyShape::Box([0.2, 0.15, 0.18]), Some(4.0), [x, 0.2, z]);
    }
    for i in 0..3 {
        put(BodyKind::Ball, BodyShape::Ball(0.12), Some(0.5), [1.2, 0.5 * f64::from(i), 1.5]);
    }
    let legs = [-0.3, 0.3].map(|x| BodyPart::Prism { outline: square(x, 0.08), z: [0.0, 0.4] });
    let top = BodyPart::Cylinder { centre: Vec2::ZERO, radius: 0.45, z: [0.4, 0.45] };
    let table = BodyShape::Parts(legs.into_iter().chain([top]).collect());
    put(BodyKind::Object, table, Some(6.0), [2.0, 1.0, 0.6]);
    put(BodyKind::Object, BodyShape::Cylinder(0.1, 0.4), Some(5.0), [1.5, -0.6, 1.0]);
    put(BodyKind::Wall, BodyShape::Box([0.1, 3.0, 1.0]), None, [3.2, 0.5, 0.0]);
    Ok(SpatialWorld::new(Arc::new(SpatialModel::compile(spec)?)))
}

/// Runs a golden's world up to a moment, with orders that depend on the time alone.
pub fn run_to(world: &mut SpatialWorld, ms: u64) {
    let per_ms = (1e-3 / world.model().step_s + 0.5) as u64;
    while world.step_count() < ms * per_ms {
        let now = world.step_count() / per_ms;
        if now.is_multiple_of(100) {
            let turn = [3.0, -2.0, 5.0, -6.0, 0.0][((now / 100) % 5) as usize];
            let brake = if now % 1500 >= 1300 { 1.0 } else { 0.0 };
            for vehicle in 0..world.model().vehicles.len() as u32 {
                let forward = if vehicle.is_multiple_of(2) { 9.0 } else { 12.0 };
                let (left_volts, right_volts) = (forward - turn, forward + turn);
                // Finite numbers and a vehicle that is there: never refused.
                let _ = world.command(vehicle, DriveVolts { left_volts, right_volts, brake });
            }
        }
        let next = (now / 100 + 1) * 100;
        world.steps((next.min(ms) - now) * per_ms);
    }
}

/// The hash of a golden at a moment; 0 where there is no such world.
pub fn hash(name: &str, ms: u32) -> u64 {
    if !MOMENTS.iter().chain([&BODIES]).any(|golden| golden.0 == name) {
        return 0;
    }
    let Ok(mut world) = world(name) else { return 0 };
    run_to(&mut world, u64::from(ms));
    world.state_hash()
}
