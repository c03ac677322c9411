//! Vehicles with any number of wheels: 2 and a ball, 6, 12.

use crate::common;

use common::*;
use rolima_math::{Vec2, Vec3, sin};
use rolima_spatial::{Side, SpatialWorld, TerrainSpec, TyreLaw, VehicleSpec, WheelSpec};

/// The cart with this many axles of two wheels, evenly over 1.2 m.
fn with_axles(axles: u32) -> VehicleSpec {
    let mut vehicle = cart();
    let wheel = vehicle.wheels[0];
    vehicle.wheels = (0..axles)
        .flat_map(|i| {
            let x = 0.6 - 1.2 * f64::from(i) / f64::from(axles - 1);
            [(0.25, Side::Left), (-0.25, Side::Right)].map(|(y, side)| WheelSpec {
                position: Vec3::new(x, y, -0.05),
                side,
                ..wheel
            })
        })
        .collect();
    vehicle.chassis.length = [0.65, 0.65];
    vehicle.chassis.mass = 60.0;
    vehicle.chassis.inertia = [3.0, 9.0, 11.0];
    vehicle
}

fn load(world: &SpatialWorld, wheel: usize) -> f64 {
    world.vehicle(0).expect("one").reading(wheel, |r| r.load)
}

#[test]
fn six_and_twelve_wheels_share_the_load_and_sag_by_it_over_all_springs() {
    for axles in [3, 6] {
        let count = 2 * axles as usize;
        let mut w = world(TerrainSpec::flat(40.0), with_axles(axles), 1e-3);
        let start = position(&w).z;
        run(&mut w, 3.0);
        let each = 60.0 * G / count as f64;
        for wheel in 0..count {
            near("load", load(&w, wheel), each, 1e-3);
        }
        near("sag", start - position(&w).z, each / 10e3, 1e-6);
        assert_eq!(w.wheel_poses(0).len(), count);
        assert!(w.wheel_poses(0).iter().all(|p| p.touches));
    }
}

#[test]
fn twelve_wheels_drive_straight_with_loads_alike_left_and_right_and_turn() {
    let (min, max) = (Vec2::new(-5.0, -5.0), Vec2::new(30.0, 5.0));
    let waves = |x: f64, _: f64| 0.05 * sin(1.5 * x);
    let terrain = TerrainSpec::from_function(min, max, 351, 51, waves);
    let mut w = world(terrain, with_axles(6), 1e-3);
    drive(&mut w, 12.0, 12.0, 0.0);
    run(&mut w, 4.0);
    let at = position(&w);
    assert!(at.x > 2.0 && at.y.abs() < 1e-9, "{at:?}");
    let mut all = 0.0;
    for axle in 0..6 {
        near("left and right", load(&w, 2 * axle), load(&w, 2 * axle + 1), 1e-6);
        all += load(&w, 2 * axle) + load(&w, 2 * axle + 1);
    }
    assert!(all > 100.0 && all < 2000.0, "{all}");
    drive(&mut w, -20.0, 20.0, 0.0);
    run(&mut w, 2.0);
    assert!(w.angular_velocity(0).z > 0.05, "{}", w.angular_velocity(0).z);
    drive(&mut w, 0.0, 0.0, 1.0);
    run(&mut w, 3.0);
    assert!(velocity(&w).length() < 5e-3, "{:?}", velocity(&w));
}

/// Two driven wheels before the centre of mass and a ball behind it.
fn tricycle() -> VehicleSpec {
    let mut vehicle = cart();
    let wheel = vehicle.wheels[0];
    let slippery =
        TyreLaw::Coulomb { static_friction: 0.05, sliding_friction: 0.04, peak_slip: 0.05 };
    let at =
        |x: f64, y: f64, side: Side| WheelSpec { position: Vec3::new(x, y, -0.05), side, ..wheel };
    let ball = WheelSpec {
        ball: true,
        motor: None,
        tyre: slippery,
        brake_torque: 0.0,
        ..at(-0.3, 0.0, Side::Free)
    };
    vehicle.wheels = vec![at(0.1, 0.25, Side::Left), at(0.1, -0.25, Side::Right), ball];
    vehicle
}

#[test]
fn two_wheels_and_a_ball_carry_by_the_law_of_levers_drive_and_turn_about_their_axle() {
    let mut w = world(TerrainSpec::flat(60.0), tricycle(), 1e-3);
    run(&mut w, 3.0);
    // Moments about the centre of mass: 2 N 0.1 = B 0.3 with 2 N + B = m g.
    near("ball", load(&w, 2), 40.0 * G * 0.25, 0.5);
    near("wheel", load(&w, 0), 40.0 * G * 0.375, 0.5);
    near("wheels alike", load(&w, 0), load(&w, 1), 1e-6);
    drive(&mut w, 10.0, 10.0, 0.0);
    run(&mut w, 2.0);
    let at = position(&w);
    assert!(at.x > 1.0 && at.y.abs() < 1e-6, "{at:?}");
    drive(&mut w, 0.0, 0.0, 1.0);
    run(&mut w, 2.0);
    drive(&mut w, -2.0, 2.0, 0.0);
    run(&mut w, 3.0);
    let rate = w.angular_velocity(0).z;
    // Slowly, so hardly any slip: the wheels roll about the middle of their axle, against the
    // friction of the ball, 0.4 m behind it.
    let m = motor();
    let torque = 0.1 * (0.04 * 40.0 * G * 0.25 * 0.4) / 0.5;
    let volts = 2.0 - m.resistance * torque / (m.gear * m.torque_constant);
    let rolling = 0.1 * volts / m.voltage_constant() / m.gear / 0.25;
    near("rate of turn", rate, rolling, 0.02 * rolling);
    // The centre of mass goes round a circle of 0.1 m about it.
    near("speed of the centre", velocity(&w).length(), 0.1 * rate, 0.1 * 0.1 * rate);
}
