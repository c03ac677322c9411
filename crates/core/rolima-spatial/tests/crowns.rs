//! Crowned treads against contacts at a point.

use crate::common;

use common::*;
use rolima_math::Vec2;
use rolima_spatial::{SpatialWorld, TerrainSpec};

/// A cart at rest with its brakes on, on wheels of 25 cm radius.
fn rests(terrain: TerrainSpec, width: f64, crown: f64) -> SpatialWorld {
    let mut vehicle = cart();
    for w in &mut vehicle.wheels {
        (w.radius, w.width, w.crown, w.motor) = (0.25, width, crown, None);
    }
    let mut w = world(terrain, vehicle, 1e-3);
    drive(&mut w, 0.0, 0.0, 1.0);
    run(&mut w, 2.0);
    w
}

#[test]
fn on_a_plane_a_wheel_with_a_large_crown_carries_what_a_point_would() {
    for tangent in [-0.3, 0.0, 0.2] {
        let plane = |along: bool| {
            let corner = Vec2::new(20.0, 20.0);
            let height = move |x: f64, y: f64| tangent * if along { x } else { y };
            TerrainSpec::from_function(-corner, corner, 41, 41, height)
        };
        for along in [true, false] {
            let load = |width: f64, wheel: usize| {
                let w = rests(plane(along), width, 0.1);
                w.vehicle(0).expect("a vehicle").reading(wheel, |r| r.load)
            };
            for wheel in 0..4 {
                let point = load(1e-3, wheel);
                near(&format!("{tangent} {along} {wheel}"), load(0.1, wheel), point, 0.01 * point);
            }
        }
    }
}

#[test]
fn ground_that_bends_under_a_wheel_is_taken_for_straight_from_rim_to_rim() {
    let valley = |bend: f64| {
        let corner = Vec2::new(1.0, 1.0);
        TerrainSpec::from_function(-corner, corner, 401, 401, move |_, y| 0.5 * bend * y * y)
    };
    for bend in [0.5, 1.0] {
        for width in [0.04, 0.1] {
            let height = |width: f64| position(&rests(valley(bend), width, 0.1)).z;
            // The rims' mean is higher than the middle by bend times (w/2)^2/2; and where the ground
            // leans by s, 25 cm beside the middle, the tread touches beside its own, which is
            // s^2 (w/2)^2 / (4 crown) higher.
            let (half, leans) = (0.5 * width, 0.25 * bend);
            let expected = 0.5 * bend * half * half + leans * leans * half * half / 0.4;
            let higher = height(width) - height(1e-3);
            near(&format!("{bend} 1/m, {width} m"), higher, expected, 0.05 * expected);
        }
    }
}
