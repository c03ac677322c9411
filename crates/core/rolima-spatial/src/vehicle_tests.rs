//! Vehicles that turn freely, and the same bits from narrow and wide vectors.

use crate::golden;
use crate::model::LANES;
use crate::vehicle;
use crate::wheels::WheelReadings;
use crate::{
    ChassisSpec, Shapes, SpatialModel, SpatialSpec, SpatialWorld, Start, SteerSpec, Terrain,
    TerrainSpec, VehicleSpec, WheelSpec,
};
use rolima_math::{Quat, Vec3, Words};
use std::sync::Arc;

/// A vehicle high in the air, on four free wheels; the front ones spin with this momentum, N m s.
fn thrown(inertia: [f64; 3], omega: Vec3, spin: f64, step_s: f64) -> SpatialWorld {
    let wheels = [(0.25, 0.25), (0.25, -0.25), (-0.25, 0.25), (-0.25, -0.25)]
        .map(|(x, y)| WheelSpec { position: Vec3::new(x, y, -0.05), ..WheelSpec::default() });
    let vehicle = VehicleSpec {
        name: "thrown".to_owned(),
        chassis: ChassisSpec { inertia, ..ChassisSpec::default() },
        wheels: wheels.to_vec(),
        start: Start { position: Vec3::new(0.0, 0.0, 1e5), ..Start::default() },
        shapes: Shapes::default(),
        hitch: None,
        wheel_names: vec![],
    };
    let spec = SpatialSpec::new(Arc::new(Terrain::new(TerrainSpec::flat(40.0)).unwrap()));
    let spec = SpatialSpec { step_s, gravity: 0.0, vehicles: vec![vehicle], ..spec };
    let mut world = SpatialWorld::new(Arc::new(SpatialModel::compile(spec).unwrap()));
    let model = world.model().clone();
    let v = &mut world.vehicles_mut()[0].state;
    v.wheels[0].spin = [spin, spin, 0.0, 0.0];
    let vehicle = &model.vehicles[0];
    v.momentum = vehicle.inertia(v).times(omega) + vehicle.spins(v);
    world
}

#[test]
fn a_vehicle_that_turns_freely_with_spinning_wheels_keeps_its_energy() {
    // About no main axis, and nearly about each; the second is the unstable one.
    for (x, y, z) in [(1.0, 2.0, 3.0), (1.0, 0.01, 0.0), (0.01, 1.0, 0.01), (0.0, 0.01, 1.0)] {
        for (fast, spin) in [(0.5, 0.0), (1.0, 0.3), (8.0, -0.5), (20.0, 1.0), (60.0, 0.0)] {
            let omega = Vec3::new(x, y, z) * fast;
            let mut world = thrown([1.5, 2.5, 3.5], omega, spin, 1e-3);
            let model = world.model().clone();
            let energy = |w: &SpatialWorld| w.vehicle(0).unwrap().kinetic_energy(&model, 0);
            let (start, momentum) = (energy(&world), world.vehicles_mut()[0].state.momentum);
            let (mut old, mut gain) = (start, 0.0f64);
            for _ in 0..10_000 {
                world.step();
                let now = energy(&world);
                (gain, old) = (gain.max(now - old), now);
            }
            let (gain, off) = (gain / start, old / start - 1.0);
            let what = format!("({x}, {y}, {z}) x {fast}, spin {spin}: {gain:e}, {off:e}");
            println!("{what}");
            assert!(gain < 1e-9 && off.abs() < 1e-7, "{what}");
            assert_eq!(world.vehicles_mut()[0].state.momentum, momentum);
        }
    }
}

#[test]
fn steering_a_spinning_wheel_in_the_air_turns_the_vehicle_and_keeps_its_momentum() {
    let mut world = thrown([1.5, 2.5, 3.5], Vec3::new(0.5, 0.3, 1.0), 1.0, 1e-3);
    let mut spec = world.model().spec.clone();
    for w in &mut spec.vehicles[0].wheels[..2] {
        *w = WheelSpec { steer: Some(SteerSpec::default()), inertia: 0.3, ..*w };
    }
    let start = world.vehicles_mut()[0].state.clone();
    let model = Arc::new(SpatialModel::compile(spec).unwrap());
    let mut world = SpatialWorld::new(model.clone());
    let v = &mut world.vehicles_mut()[0].state;
    (v.wheels, v.momentum) = (start.wheels, start.momentum);
    assert!(world.order(0, &[0.5, 0.4], 0.0));
    world.steps(1000);
    let v = &world.vehicle(0).unwrap().state;
    assert_eq!(v.momentum, start.momentum);
    // The definition, from the momentum of all parts: chassis, and wheels about their axles.
    let (omega, own) = (v.omega(&model.vehicles[0]), v.orientation.unrotate(v.momentum));
    let mut sum = Vec3::new(1.5 * omega.x, 2.5 * omega.y, 3.5 * omega.z);
    for (l, inertia) in [0.3, 0.3, 0.002, 0.002].into_iter().enumerate() {
        let (s, c) = rolima_math::sin_cos(world.vehicle(0).unwrap().steer(l));
        let axle = Vec3::new(-s, c, 0.0);
        let spin = world.vehicle(0).unwrap().spin(&model.vehicles[0], omega, l);
        // The chassis' inertia has the wheels as if they were fixed.
        sum += axle * (inertia * spin);
    }
    assert!((sum - own).length() < 1e-12, "{sum:?} {own:?}");
    // Held so, the energy stays, too.
    let energy = |w: &SpatialWorld| w.vehicle(0).unwrap().kinetic_energy(&model, 0);
    let before = energy(&world);
    world.steps(5000);
    assert!((energy(&world) / before - 1.0).abs() < 1e-7);
}

/// A body that is symmetric about its wheels' axis carries that axis evenly around its angular
/// momentum L, by L/I, I its inertia across.
#[test]
fn a_symmetric_vehicle_precesses_as_the_closed_form_says_to_second_order() {
    let error = |step_s: f64| {
        let spun = LANES as f64 * WheelSpec::default().inertia;
        let omega = Vec3::new(3.0, 4.0, 5.0);
        let mut world = thrown([2.0, 1.0 + spun, 2.0], omega, 0.8, step_s);
        let momentum = world.vehicles_mut()[0].state.momentum;
        world.steps((2.0 / step_s).round() as u64);
        let turn = Quat::about(momentum.unit_or(Vec3::ZERO), momentum.length() / 2.0 * 2.0);
        let y = Vec3::new(0.0, 1.0, 0.0);
        (world.vehicle(0).unwrap().state.orientation.rotate(y) - turn.rotate(y)).length()
    };
    let [coarse, fine] = [1e-3, 5e-4].map(error);
    println!("off by {coarse:e} rad after 2 s at 1 ms, {fine:e} at half of it");
    assert!(coarse < 1e-4, "{coarse}");
    assert!((coarse / fine - 4.0).abs() < 0.1, "{}", coarse / fine);
}

/// What processors without wide vectors compute is what those with them do, to the bit.
#[test]
fn narrow_and_wide_vectors_give_the_same_bits() {
    for (name, ..) in golden::MOMENTS {
        let mut world = golden::world(name).unwrap();
        let model = world.model().clone();
        for (index, vehicle) in model.vehicles.iter().enumerate() {
            let start = world.vehicles_mut()[index].state.clone();
            let mut readings = vec![WheelReadings::default(); vehicle.blocks.len()];
            let (mut narrow, mut wide) = (start.clone(), start);
            vehicle::run(&model, vehicle, &mut narrow, &mut readings, 800, &mut |_, _| {});
            vehicle::advance(&model, vehicle, &mut wide, &mut readings, 800, &mut |_, _| {});
            assert_eq!(narrow.hash(), wide.hash(), "{name}, vehicle {index}");
        }
    }
}
