//! Braking to rest: what the tyres give back.

use crate::common;

use common::*;
use rolima_math::Vec3;
use rolima_spatial::{LuGreSpec, SpatialWorld, TerrainSpec, VehicleSpec, presets};

/// Where the vehicle's upright axis meets level ground: without what the chassis rocks on its springs.
fn foot(w: &SpatialWorld) -> f64 {
    let state = &w.vehicle(0).expect("a vehicle").state;
    let down = state.orientation.rotate(Vec3::new(0.0, 0.0, -1.0));
    (state.position - down * (state.position.z / down.z)).x
}

/// Brakes from a speed with all wheels locked. From where it turns round: how far it is back at the
/// end, and how much farther back it was in between, m.
fn springs_back(vehicle: &VehicleSpec, speed: f64, relaxation: f64, step: f64) -> [f64; 2] {
    let mut vehicle = vehicle.clone();
    vehicle.start.velocity.x = speed;
    for w in &mut vehicle.wheels {
        (w.motor, w.axle) = (None, LuGreSpec::NONE);
        (w.relaxation, w.side_relaxation) = (relaxation, relaxation);
    }
    let mut w = world(TerrainSpec::flat(40.0), vehicle, step);
    run(&mut w, 0.3);
    drive(&mut w, 0.0, 0.0, 1.0);
    let (mut farthest, mut back) = (f64::MIN, 0.0);
    for _ in 0..(1.5 / step) as u64 {
        w.step();
        let x = foot(&w);
        if x > farthest {
            (farthest, back) = (x, x);
        }
        back = back.min(x);
    }
    assert!(velocity(&w).x.abs() < 1e-3, "at rest");
    [farthest - foot(&w), foot(&w) - back]
}

fn all() -> [VehicleSpec; 5] {
    [cart(), presets::vivi(), presets::skid_steer(), presets::rover(), presets::robot_one()]
}

#[test]
fn a_vehicle_that_brakes_to_rest_springs_back_by_its_tread_s_deflection_and_does_not_ring() {
    for vehicle in all() {
        for (speed, step) in [(1.0, 1e-3), (2.0, 1e-3), (3.0, 1e-3), (2.0, 2.5e-4)] {
            let [back, more] = springs_back(&vehicle, speed, 0.05, step);
            let what = format!("{}, {speed} m/s, {step} s", vehicle.name);
            // The relaxation length over the sharpness, 20, to the peak: 0.05/20 times asinh(1).
            near(&what, back, 2.1e-3, 0.2e-3);
            assert!(more < 0.35e-3, "{what}: {more}");
        }
    }
}

#[test]
fn a_stiffer_tread_springs_back_less_in_proportion() {
    for relaxation in [0.1, 0.05, 0.02, 0.01] {
        let [back, _] = springs_back(&cart(), 2.0, relaxation, 2.5e-4);
        near(&format!("{relaxation} m"), back, 0.043 * relaxation, 0.004 * relaxation);
    }
}

#[test]
fn a_braking_tyre_tells_the_share_of_its_peak_that_it_gives() {
    let mut vehicle = cart();
    vehicle.start.velocity.x = 3.0;
    let law = vehicle.wheels[0].tyre;
    let mut w = world(TerrainSpec::flat(40.0), vehicle, 1e-3);
    run(&mut w, 0.3);
    drive(&mut w, 0.0, 0.0, 1.0);
    let mut most = 0.0f64;
    for _ in 0..300 {
        w.step();
        let known = &w.model().vehicles[0];
        for wheel in 0..4 {
            let now = w.vehicle(0).expect("a vehicle");
            let used = now.grip_used(known, wheel).expect("it carries something");
            let [x, y] = law.coefficients(now.reading(wheel, |r| r.load)).expect("magic");
            let along = now.reading(wheel, |r| r.lengthwise) / x[0];
            let across = now.reading(wheel, |r| r.sideways) / y[0];
            near("share", used, (along * along + across * across).sqrt(), 1e-9);
            most = most.max(used);
        }
    }
    // On the way to locked wheels it is at its peak for an instant.
    assert!(most > 0.99 && most < 1.01, "{most}");
}
