//! Crowned treads against contacts at a point.

use crate::common;

use common::*;
use rolima_math::{Stream, Vec2, Vec3};
use rolima_spatial::{Hills, SpatialWorld, TerrainSpec};
use rolima_testing::{is_long, samples};

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

/// Loads of wheels with crowns of 10 cm against those of wheels that touch at a point, on hills: what
/// docs/vehicles.md tells. Of a mass and a spring's rate, for widths of 10, 6 and 2 cm: mean and most
/// of the differences, in percent of the mean load.
const ON_HILLS: [(f64, f64, [[f64; 2]; 3]); 3] = [
    (40.0, 10e3, [[0.09, 0.53], [0.05, 0.36], [0.01, 0.13]]),
    (4.0, 10e3, [[0.25, 1.69], [0.17, 1.85], [0.04, 0.54]]),
    (4.0, 1e3, [[0.09, 0.53], [0.05, 0.36], [0.01, 0.13]]),
];

/// Loads of the wheels of a cart of this mass that rests here on hills of 40 cm.
fn loads_on_hills(place: Vec2, (mass, stiffness): (f64, f64), width: f64) -> [f64; 4] {
    let hills = Hills { amplitude: 0.4, ..Hills::default() };
    let mut vehicle = cart();
    let share = mass / vehicle.chassis.mass;
    vehicle.chassis.mass = mass;
    vehicle.chassis.inertia = vehicle.chassis.inertia.map(|j| j * share);
    vehicle.chassis.contact_stiffness *= share;
    vehicle.chassis.contact_damping *= share;
    vehicle.start.position = Vec3::new(place.x, place.y, 0.0);
    for w in &mut vehicle.wheels {
        (w.radius, w.width, w.crown, w.motor) = (0.25, width, 0.1, None);
        w.suspension.stiffness = stiffness;
        // As damped for its mass and spring as the cart is.
        w.suspension.damping *= (share * stiffness / 10e3).sqrt();
    }
    let mut w = world(hills.terrain().expect("good hills"), vehicle, 1e-4);
    drive(&mut w, 0.0, 0.0, 1.0);
    // Light ones that stand on two or three wheels rock for more than a second.
    run(&mut w, 3.0);
    let vehicle = w.vehicle(0).expect("a vehicle");
    [0, 1, 2, 3].map(|i| vehicle.reading(i, |r| r.load))
}

#[test]
fn on_hills_loads_differ_from_those_of_points_as_the_documents_say() {
    let mut rng = Stream::new(5, 0, "crowns");
    let places: Vec<Vec2> = (0..samples(2, 20))
        .map(|_| Vec2::new(rng.between(-15.0, 15.0), rng.between(-15.0, 15.0)))
        .collect();
    for (mass, stiffness, told) in ON_HILLS {
        let kind = (mass, stiffness);
        let points: Vec<_> = places.iter().map(|p| loads_on_hills(*p, kind, 1e-3)).collect();
        for (width, told) in [0.1, 0.06, 0.02].into_iter().zip(told) {
            let (mut sum, mut most) = (0.0, 0.0f64);
            for (place, points) in places.iter().zip(&points) {
                let loads = loads_on_hills(*place, kind, width);
                for (load, point) in loads.into_iter().zip(points) {
                    let off = 100.0 * (load - point).abs() / (0.25 * mass * G);
                    (sum, most) = (sum + off, most.max(off));
                }
            }
            let mean = sum / (4.0 * places.len() as f64);
            println!("{mass} kg, {stiffness} N/m, {width} m: {mean:.2} %, {most:.2} % at most");
            let what = format!("{mass} kg, {stiffness} N/m, {width} m");
            assert!(most < told[1] + 0.0051, "{what}: {most} % at most");
            if is_long() {
                near(&what, mean, told[0], 0.0051);
                near(&what, most, told[1], 0.0051);
            }
        }
    }
}
