//! Vehicles on planes, against closed forms.

use crate::common;

use common::*;
use rolima_math::{Quat, Vec3, atan, sin, tan};
use rolima_spatial::{
    Magic, SpatialWorld, SteerSpec, SuspensionSpec, TerrainSpec, TyreLaw, VehicleSpec,
};

#[test]
fn the_static_sag_is_the_load_over_the_stiffness() {
    let mut world = world(TerrainSpec::flat(20.0), cart(), 1e-3);
    let start = position(&world).z;
    run(&mut world, 3.0);
    let load = 40.0 * G / 4.0;
    let v = world.vehicle(0).unwrap();
    for wheel in 0..4 {
        near("sag", v.reading(wheel, |r| r.compression), load / 10e3, 1e-7);
        near("load", v.reading(wheel, |r| r.load), load, 1e-3);
    }
    near("height", position(&world).z, start - load / 10e3, 1e-6);
}

#[test]
fn an_overloaded_suspension_rests_where_its_stiffening_spring_balances() {
    let mut heavy = cart();
    heavy.chassis.mass = 220.0;
    heavy.chassis.inertia = [8.0, 12.0, 18.0];
    let mut world = world(TerrainSpec::flat(20.0), heavy.clone(), 1e-3);
    run(&mut world, 4.0);
    let suspension: SuspensionSpec = heavy.wheels[0].suspension;
    let h = world.vehicle(0).unwrap().reading(0, |r| r.compression);
    assert!(h > suspension.linear_travel, "{h}");
    near("force", suspension.spring(h), 220.0 * G / 4.0, 0.1);
}

#[test]
fn a_spring_s_energy_is_the_integral_of_its_force() {
    let s = SuspensionSpec::default();
    let mut sum = 0.0;
    for i in 0..100_000 {
        sum += s.spring((f64::from(i) + 0.5) * 1e-6) * 1e-6;
    }
    near("energy at 10 cm", s.energy(0.1), sum, 1e-6 * sum);
}

/// Four wheels and a mass in one dimension, with the same tyre, by plain small Euler steps.
fn reference(law: &TyreLaw, volts: f64, seconds: f64) -> (f64, f64) {
    let (dt, load, r, inertia, sigma) = (2e-6, 40.0 * G / 4.0, 0.1, 0.002, 0.05);
    let m = motor();
    let (mut v, mut x, mut omega, mut u) = (0.0f64, 0.0, 0.0f64, 0.0f64);
    let [peak, stiffness, _] = law.coefficients(load).expect("a magic tyre")[0];
    let sharpness = 100.0 * stiffness / peak;
    for _ in 0..(seconds / dt) as u64 {
        let torque = m.gear * m.torque_constant * m.current(volts, m.gear * omega);
        let haste = (1.0 + (u * sharpness) * (u * sharpness)).sqrt().min(20.0);
        let rate = ((omega * r - v) - (omega * r).abs().max(v.abs()) * u) * haste / sigma;
        let slip = u + 5e-3 * rate;
        let force = law.forces(slip, 0.0, load).expect("good numbers")[0];
        u += dt * rate;
        omega += dt * (torque - r * force) / inertia;
        v += dt * 4.0 * force / 40.0;
        x += dt * v;
    }
    (x, v)
}

/// The cart with its weight so low that it does not pitch.
fn low_cart() -> VehicleSpec {
    let mut cart = cart();
    for w in &mut cart.wheels {
        w.position.z = 0.09;
    }
    // The chassis begins above its centre of mass, clear of the ground.
    cart.chassis.height = [0.2, -0.05];
    cart
}

#[test]
fn straight_line_acceleration_is_that_of_the_one_dimensional_reference() {
    let law = TyreLaw::default();
    let mut cart = low_cart();
    // The load stays the same on all wheels while nothing pitches.
    cart.chassis.inertia[1] = 1e6;
    let mut world = world(TerrainSpec::flat(100.0), cart, 1e-5);
    run(&mut world, 1.0);
    let (x0, v0) = (position(&world).x, velocity(&world).x);
    near("still before", v0, 0.0, 1e-9);
    drive(&mut world, 12.0, 12.0, 0.0);
    run(&mut world, 1.5);
    let (x, v) = reference(&law, 12.0, 1.5);
    assert!(v > 1.0, "it gets going: {v}");
    near("speed", velocity(&world).x, v, 2e-3 * v);
    near("way", position(&world).x - x0, x, 2e-3 * x);
}

#[test]
fn without_slip_losses_a_motor_reaches_its_no_load_speed() {
    let mut world = world(TerrainSpec::flat(100.0), cart(), 1e-3);
    drive(&mut world, 12.0, 12.0, 0.0);
    run(&mut world, 15.0);
    let m = motor();
    near("speed", velocity(&world).x, 0.1 * 12.0 / m.voltage_constant() / m.gear, 2e-3);
}

#[test]
fn a_coasting_cart_slows_down_by_its_motors_and_rolling_resistance() {
    // Without motors, rolling resistance alone: a = c g, up to what the wheels' spin carries.
    let mut rolling = low_cart();
    for w in &mut rolling.wheels {
        w.motor = None;
        w.rolling_resistance = 0.02;
    }
    rolling.start.velocity = Vec3::new(2.0, 0.0, 0.0);
    let mut world = world(TerrainSpec::flat(100.0), rolling, 1e-4);
    run(&mut world, 1.0);
    let v1 = velocity(&world).x;
    run(&mut world, 3.0);
    let v2 = velocity(&world).x;
    let spun = 4.0 * 0.002 / (0.1 * 0.1);
    let expected = 0.02 * 40.0 * G / (40.0 + spun);
    near("deceleration", (v1 - v2) / 3.0, expected, 3e-3 * expected);
    run(&mut world, 30.0);
    near("it stops", velocity(&world).length(), 0.0, 1e-6);
}

#[test]
fn shorted_motors_damp_exponentially() {
    let mut cart = low_cart();
    cart.start.velocity = Vec3::new(1.0, 0.0, 0.0);
    let mut world = world(TerrainSpec::flat(100.0), cart, 1e-4);
    run(&mut world, 1.0);
    let v1 = velocity(&world).x;
    run(&mut world, 1.0);
    let v2 = velocity(&world).x;
    let m = motor();
    let damping =
        4.0 * m.gear * m.gear * m.torque_constant * m.voltage_constant() / m.resistance / 0.01;
    let inertia = 40.0 + 4.0 * 0.2;
    // v2 = v1 exp(-d/m t), so that ln is not needed.
    let expected = v1 * rolima_math::exp(-damping / inertia);
    near("speed after a second", v2, expected, 0.02 * v1);
}

#[test]
fn the_steepest_slope_that_is_climbed_has_the_tangent_mu() {
    for mu in [0.3, 0.5] {
        let climbs = |tangent: f64| {
            let mut vehicle = with_friction(low_cart(), mu);
            let pitch = -atan(tangent);
            vehicle.start.orientation = Quat::from_roll_pitch_yaw(0.0, pitch, 0.0);
            for w in &mut vehicle.wheels {
                let m = w.motor.as_mut().unwrap();
                m.gear = 60.0;
            }
            let mut world = world(slope(tangent), vehicle, 1e-3);
            // Settled on the brake, then gently: a spinning tyre has less than its peak.
            drive(&mut world, 0.0, 0.0, 1.0);
            run(&mut world, 1.0);
            let start = position(&world).x;
            for i in 0..800 {
                let volts = (0.02 * f64::from(i)).min(4.0);
                drive(&mut world, volts, volts, 0.0);
                run(&mut world, 0.01);
            }
            position(&world).x - start
        };
        assert!(climbs(0.95 * mu) > 0.3, "mu {mu}: {}", climbs(0.95 * mu));
        assert!(climbs(1.05 * mu) < 0.0, "mu {mu}: {}", climbs(1.05 * mu));
    }
}

#[test]
fn parked_on_20_degrees_with_the_brake_on_it_moves_less_than_a_millimetre_in_60_s() {
    let tangent = tan(20f64.to_radians());
    for (vehicle, step) in [(cart(), 1e-3), (rolima_spatial::presets::vivi(), 1e-3), (cart(), 1e-4)]
    {
        for heading in [0.0, 1.0, core::f64::consts::FRAC_PI_2] {
            let mut vehicle = vehicle.clone();
            let down = Quat::about(Vec3::new(0.0, 1.0, 0.0), -20f64.to_radians());
            vehicle.start.orientation = down * Quat::about(Vec3::new(0.0, 0.0, 1.0), heading);
            let mut world = world(slope(tangent), vehicle, step);
            drive(&mut world, 0.0, 0.0, 1.0);
            run(&mut world, 2.0);
            let parked = position(&world);
            run(&mut world, if step < 1e-3 { 6.0 } else { 60.0 });
            let moved = (position(&world) - parked).length();
            assert!(moved < 1e-3, "heading {heading}: {moved} m");
            // And it does lean on its tyres: they hold the weight's part along the slope.
            let v = world.vehicle(0).unwrap();
            let held: f64 = (0..4)
                .map(|w| {
                    v.reading(w, |r| r.lengthwise).powi_2() + v.reading(w, |r| r.sideways).powi_2()
                })
                .map(f64::sqrt)
                .sum();
            let weight = world.model().vehicles[0].spec.chassis.mass * G;
            near("held", held, weight * sin(20f64.to_radians()), 0.02 * weight);
        }
    }
}

trait Square {
    fn powi_2(self) -> f64;
}
impl Square for f64 {
    fn powi_2(self) -> f64 {
        self * self
    }
}

#[test]
fn without_the_brake_it_rolls_down() {
    let tangent = tan(20f64.to_radians());
    let mut vehicle = cart();
    for w in &mut vehicle.wheels {
        w.motor = None;
    }
    vehicle.start.orientation = Quat::from_roll_pitch_yaw(0.0, -20f64.to_radians(), 0.0);
    let mut world = world(slope(tangent), vehicle, 1e-3);
    run(&mut world, 2.0);
    let spun = 4.0 * 0.002 / (0.1 * 0.1);
    let expected = 2.0 * G * sin(20f64.to_radians()) * 40.0 / (40.0 + spun);
    near("speed", velocity(&world).length(), expected, 0.02 * expected);
}

/// The cart turning on the spot: rate of turn and moment of its tyres' side forces.
fn turning_on_the_spot(volts: f64) -> (f64, f64, Vec3) {
    let mut world = world(TerrainSpec::flat(20.0), low_cart(), 1e-4);
    run(&mut world, 1.0);
    let start = position(&world);
    drive(&mut world, -volts, volts, 0.0);
    run(&mut world, 4.0);
    let v = world.vehicle(0).expect("one");
    let moment: f64 = (0..4)
        .map(|w| {
            let x = world.model().vehicles[0].spec.wheels[w].position.x;
            x * v.reading(w, |r| r.sideways)
        })
        .sum();
    (world.angular_velocity(0).z, moment, position(&world) - start)
}

#[test]
fn a_skid_steered_cart_turns_against_the_moment_of_its_tyres_and_stays_in_place() {
    let (rate, moment, drift) = turning_on_the_spot(12.0);
    assert!(rate > 0.3, "{rate}");
    // Slip angles of 45 degrees: tyres are near the peak of their side force, weakened by slip.
    let law = TyreLaw::Magic(Magic::default());
    let most = law.coefficients(98.1).unwrap()[1][0] * 4.0 * 0.25;
    assert!(moment < -0.3 * most && moment > -most, "{moment} of {most}");
    assert!(drift.x.abs() < 0.01 && drift.y.abs() < 0.01, "{drift:?}");
    // Slower than wheels that roll without slip would turn it.
    let m = motor();
    let rolling = 0.1 * 12.0 / m.voltage_constant() / m.gear / 0.25;
    assert!(rate < 0.95 * rolling, "{rate} of {rolling}");
}

#[test]
fn with_its_weight_forward_a_skid_steered_cart_drifts_while_it_turns() {
    let mut vehicle = low_cart();
    for w in &mut vehicle.wheels {
        w.position.x -= 0.1;
    }
    let mut world = world(TerrainSpec::flat(20.0), vehicle, 1e-4);
    run(&mut world, 1.0);
    drive(&mut world, -12.0, 12.0, 0.0);
    run(&mut world, 4.0);
    // It turns about a point between its axles, not about its centre of mass.
    let rate = world.angular_velocity(0).z;
    let speed = velocity(&world).length();
    assert!(rate > 0.3 && speed > 0.02 * rate, "{rate} {speed}");
}

/// Sums over the wheels in a steady turn on the spot with Coulomb tyres: moment of the drive, of
/// the side forces, and the largest distance of a force from its friction circle, per load (mu 0.5).
fn steady_turn(shift: f64) -> (SpatialWorld, f64, f64, f64) {
    let mut vehicle = low_cart();
    for w in &mut vehicle.wheels {
        w.position.x -= shift;
        w.tyre = TyreLaw::Coulomb { static_friction: 0.5, sliding_friction: 0.5, peak_slip: 0.02 };
    }
    let mut world = world(TerrainSpec::flat(20.0), vehicle, 1e-4);
    run(&mut world, 1.0);
    drive(&mut world, -14.0, 14.0, 0.0);
    run(&mut world, 4.0);
    let (mut driven, mut resisted, mut off) = (0.0, 0.0, 0.0f64);
    let v = world.vehicle(0).expect("one");
    for (i, w) in world.model().vehicles[0].spec.wheels.iter().enumerate() {
        let get = |of: fn(&rolima_spatial::WheelReadings) -> [f64; 4]| v.reading(i, of);
        let (along, aside, load) = (get(|r| r.lengthwise), get(|r| r.sideways), get(|r| r.load));
        driven -= w.position.y * along;
        resisted -= w.position.x * aside;
        let force = (along * along + aside * aside).sqrt();
        off = off.max((force / load - 0.5).abs());
    }
    (world, driven, resisted, off)
}

#[test]
fn in_a_steady_turn_tyres_are_on_their_friction_circle_and_the_drive_balances_the_resistance() {
    let (world, driven, resisted, off) = steady_turn(0.0);
    assert!(world.angular_velocity(0).z > 0.3);
    assert!(resisted > 5.0, "{resisted} N m");
    near("moments", driven, resisted, 0.01 * resisted);
    assert!(off < 0.02, "off the friction circle by {off} of the load");
}

#[test]
fn a_skid_steered_cart_drifts_about_a_point_on_the_heavier_side_of_its_middle() {
    let (world, driven, resisted, _) = steady_turn(0.1);
    near("moments", driven, resisted, 0.02 * resisted);
    let state = &world.vehicle(0).expect("one").state;
    let own = state.orientation.unrotate(state.velocity);
    let rate = world.angular_velocity(0).z;
    // The point that stands still lies at x = -v_y / rate from the centre of mass; the middle of
    // the axles at -0.1, the front axle, which carries 70%, at 0.15.
    let x = -own.y / rate;
    assert!(x > -0.1 + 0.02 && x < 0.15, "{x}");
}

#[test]
fn steered_wheels_touch_a_slope_where_they_say() {
    let mut vehicle = cart();
    for wheel in &mut vehicle.wheels {
        // Narrow ones have no crown that moves the contact sideways.
        wheel.width = 1e-3;
        wheel.steer = (wheel.position.x > 0.0).then(SteerSpec::default);
    }
    let mut world = world(slope(0.3), vehicle, 1e-3);
    // Four motors, then two joints.
    assert!(world.order(0, &[0.0, 0.0, 0.0, 0.0, 0.55, 0.4], 1.0));
    run(&mut world, 2.0);
    let (v, known) = (world.vehicle(0).unwrap(), &world.model().vehicles[0]);
    assert!(v.steer(0) > 0.5 && v.steer(2) == 0.0, "{} {}", v.steer(0), v.steer(2));
    for wheel in 0..4 {
        let at = v.contact_point(known, wheel).expect("on the ground");
        near("height of the contact", at.z, 0.3 * at.x, 1e-4);
    }
}
