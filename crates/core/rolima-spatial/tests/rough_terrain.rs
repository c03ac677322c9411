//! Vehicles on rough ground and in the air.

use crate::common;

use common::*;
use rolima_math::{Quat, Vec2, Vec3, sin};
use rolima_spatial::{
    Edge, Hills, SpatialSpec, SpatialWorld, Terrain, TerrainSpec, VehicleEvent, VehicleSpec,
    presets,
};
use std::sync::Arc;

fn hills(seed: u64) -> TerrainSpec {
    let hills = Hills { seed, amplitude: 0.5, wavelength: 6.0, octaves: 4, ..Hills::default() };
    hills.terrain().expect("good hills")
}

#[test]
fn in_the_air_the_centre_of_mass_flies_a_parabola_and_angular_momentum_stays() {
    let mut vehicle = cart();
    vehicle.start.on_ground = false;
    vehicle.start.position = Vec3::new(0.0, 0.0, 5.0);
    vehicle.start.velocity = Vec3::new(3.0, 0.5, 2.0);
    let mut world = world(TerrainSpec::flat(50.0), vehicle, 1e-4);
    // Motors spin the wheels up: the chassis must turn the other way.
    drive(&mut world, 12.0, 12.0, 0.0);
    let dt = 1e-4;
    for k in 1..=80 {
        run(&mut world, 0.01);
        let t = f64::from(k) * 0.01;
        let p = position(&world);
        near("x", p.x, 3.0 * t, 1e-9);
        near("y", p.y, 0.5 * t, 1e-9);
        // Semi-implicit Euler's parabola, which is the true one shifted by half a step.
        near("z", p.z, 5.0 + 2.0 * t - 0.5 * G * t * (t + dt), 1e-9);
        let momentum = world.vehicle(0).unwrap().state.momentum;
        assert!(momentum.length() < 1e-12, "{momentum:?}");
    }
    let wheel = world.vehicle(0).unwrap().reading(0, |r| r.spin);
    let pitch = world.angular_velocity(0).y;
    // 4 I (spin + pitch rate) + (I_yy - 4 I) pitch rate = 0.
    near("pitch rate", pitch, -4.0 * 0.002 * wheel / 2.5, 1e-6);
    assert!(pitch < -0.01, "{pitch}");
}

#[test]
fn a_tumbling_vehicle_keeps_its_momentum_and_nearly_its_energy() {
    let mut vehicle = cart();
    vehicle.chassis.products = [0.1, -0.2, 0.15];
    vehicle.start.on_ground = false;
    vehicle.start.position = Vec3::new(0.0, 0.0, 50.0);
    let mut w = world(TerrainSpec::flat(50.0), vehicle, 1e-4);
    w.vehicles_mut()[0].state.momentum = Vec3::new(2.0, 7.0, 1.0);
    let energy = |w: &SpatialWorld| {
        let v = w.vehicle(0).unwrap();
        v.kinetic_energy(w.model(), 0) + 40.0 * G * v.state.position.z
    };
    let before = energy(&w);
    run(&mut w, 2.0);
    assert_eq!(w.vehicle(0).unwrap().state.momentum, Vec3::new(2.0, 7.0, 1.0));
    near("energy", energy(&w), before, 2e-3 * 15.0 + 40.0 * G * G * 1e-4 * 2.0);
    assert!(w.vehicle(0).unwrap().state.orientation.rotate(Vec3::new(0.0, 0.0, 1.0)).z < 0.99);
}

#[test]
fn over_a_jump_all_wheels_leave_the_ground_and_it_lands_on_them() {
    let ramp = |x: f64, _: f64| if (0.0..3.0).contains(&x) { 0.1 * x } else { 0.0 };
    let (min, max) = (Vec2::new(-10.0, -5.0), Vec2::new(30.0, 5.0));
    let terrain = TerrainSpec::from_function(min, max, 801, 51, ramp);
    let mut vehicle = cart();
    vehicle.start.position.x = -3.0;
    vehicle.start.velocity.x = 6.0;
    vehicle.wheels.iter_mut().for_each(|w| w.motor = None);
    let mut world = world(terrain, vehicle, 2e-4);
    let (mut airborne, mut last) = (0, velocity(&world));
    for _ in 0..10_000 {
        world.step();
        let v = world.vehicle(0).unwrap();
        let flies = (0..4).all(|w| v.reading(w, |r| r.load) == 0.0);
        if flies && !v.state.chassis_touches() {
            let now = velocity(&world);
            let change = (now - last) * (1.0 / 2e-4);
            // Nothing but gravity.
            assert!((change - Vec3::new(0.0, 0.0, -G)).length() < 1e-8, "{change:?}");
            airborne += 1;
        }
        last = velocity(&world);
    }
    assert!(airborne > 300, "{airborne} steps in the air");
    assert!(world.take_events().is_empty(), "it lands on its wheels");
}

#[test]
fn a_washboard_shakes_the_chassis_less_than_its_wheels() {
    let (depth, length) = (0.005, 0.4);
    let (min, max) = (Vec2::new(-5.0, -2.0), Vec2::new(40.0, 2.0));
    let board = move |x: f64, _: f64| {
        if x < 0.0 { 0.0 } else { depth * sin(core::f64::consts::TAU * x / length) }
    };
    let terrain = TerrainSpec::from_function(min, max, 1801, 5, board);
    let mut vehicle = cart();
    vehicle.start.position.x = -3.0;
    vehicle.start.velocity.x = 4.0;
    for w in &mut vehicle.wheels {
        w.motor = None;
        w.suspension.damping = 150.0;
        w.suspension.stiffness = 4e3;
    }
    let mut world = world(terrain, vehicle, 2e-4);
    run(&mut world, 2.0);
    let (mut low, mut high, mut in_air) = (f64::MAX, f64::MIN, 0);
    for _ in 0..5_000 {
        world.step();
        let v = world.vehicle(0).unwrap();
        low = low.min(v.state.position.z);
        high = high.max(v.state.position.z);
        in_air += (0..4).filter(|&w| v.reading(w, |r| r.load) == 0.0).count();
    }
    // 10 Hz into 3.2 Hz: well above resonance.
    assert!(high - low < 0.6 * 2.0 * depth && high - low > 1e-4, "{}", high - low);
    assert!(in_air < 4_000, "{in_air}");
}

#[test]
fn on_a_washboard_as_long_as_the_wheelbase_the_chassis_heaves_as_a_shaken_mass_does() {
    let (depth, length, speed) = (0.002, 0.5, 2.0);
    let (min, max) = (Vec2::new(-5.0, -2.0), Vec2::new(25.0, 2.0));
    let board = move |x: f64, _: f64| depth * sin(core::f64::consts::TAU * x / length);
    let terrain = TerrainSpec::from_function(min, max, 3001, 5, board);
    let mut vehicle = cart();
    vehicle.start.velocity.x = speed;
    let (stiffness, damping) = (4e3, 150.0);
    for w in &mut vehicle.wheels {
        w.motor = None;
        (w.suspension.stiffness, w.suspension.damping) = (stiffness, damping);
    }
    let mut world = world(terrain, vehicle, 1e-4);
    run(&mut world, 4.0);
    let (mut low, mut high) = (f64::MAX, f64::MIN);
    let v = velocity(&world).x;
    for _ in 0..10_000 {
        world.step();
        low = low.min(position(&world).z);
        high = high.max(position(&world).z);
    }
    // All wheels go up and down together: m z'' = 4 k (y - z) + 4 c (y' - z').
    let w = core::f64::consts::TAU * v / length;
    let (k, c) = (4.0 * stiffness, 4.0 * damping);
    let spring = (k * k + c * c * w * w).sqrt();
    let mass = ((k - 40.0 * w * w) * (k - 40.0 * w * w) + c * c * w * w).sqrt();
    let expected = 2.0 * depth * spring / mass;
    near("heave", high - low, expected, 0.05 * expected);
}

#[test]
fn a_symmetric_vehicle_on_symmetric_ground_stays_symmetric() {
    let valley = |x: f64, y: f64| {
        let bump = sin(1.3 * x) * 0.1 + sin(5.1 * x) * 0.02;
        bump + 0.05 * y * y + 0.01 * y.abs() * sin(2.0 * x)
    };
    let (min, max) = (Vec2::new(-2.0, -3.0), Vec2::new(20.0, 3.0));
    // An even number of cells across: the middle line is a line of nodes.
    let terrain = TerrainSpec::from_function(min, max, 221, 61, valley);
    let mut w = world(terrain, cart(), 1e-3);
    drive(&mut w, 10.0, 10.0, 0.0);
    run(&mut w, 6.0);
    let v = w.vehicle(0).unwrap();
    assert!(v.state.position.x > 3.0, "{:?}", v.state.position);
    near("y", v.state.position.y, 0.0, 1e-9);
    let left = v.state.orientation.rotate(Vec3::new(0.0, 1.0, 0.0));
    near("heading", left.x, 0.0, 1e-9);
    near("roll", left.z, 0.0, 1e-9);
    for (a, b) in [(0, 1), (2, 3)] {
        near("loads", v.reading(a, |r| r.load), v.reading(b, |r| r.load), 1e-6);
        near("spins", v.reading(a, |r| r.spin), v.reading(b, |r| r.spin), 1e-6);
    }
}

#[test]
fn the_energy_balance_closes_to_one_percent() {
    for (vehicle, step) in [(presets::vivi(), 1e-5), (presets::skid_steer(), 1e-5)] {
        let name = vehicle.name.clone();
        let mut w = world(hills(3), vehicle, step);
        let mass = w.model().vehicles[0].spec.chassis.mass;
        run(&mut w, 1.0);
        let energy = |w: &SpatialWorld| {
            let v = w.vehicle(0).unwrap();
            v.kinetic_energy(w.model(), 0)
                + mass * G * v.state.position.z
                + v.spring_energy(w.model(), 0)
        };
        drive(&mut w, 10.0, 12.0, 0.0);
        let before = energy(&w);
        let (mut work, mut lost, mut tyres) = (0.0, 0.0, 0.0);
        for _ in 0..(3.0 / step) as u64 {
            w.step();
            let model = w.model().clone();
            let v = w.vehicle(0).unwrap();
            for i in 0..4 {
                let get = |of: fn(&rolima_spatial::WheelReadings) -> [f64; 4]| v.reading(i, of);
                let spin = get(|r| r.spin);
                work += step * get(|r| r.motor_torque) * spin;
                lost += step * get(|r| r.friction_torque) * spin;
                let damper = get(|r| r.suspension) - get(|r| r.spring);
                // While the force is held at zero the wheel hangs free and takes nothing.
                if get(|r| r.suspension) > 0.0 {
                    lost += step * damper * get(|r| r.compression_rate);
                }
                let radius = model.vehicles[0].spec.wheels[i].radius;
                let slip = spin * radius - get(|r| r.speed[0]);
                tyres += step
                    * (get(|r| r.lengthwise) * slip - get(|r| r.sideways) * get(|r| r.speed[1]));
            }
        }
        let gained = energy(&w) - before;
        let off = work - lost - tyres - gained;
        assert!(work > 30.0 && tyres > 1.0, "{name}: {work} {tyres}");
        assert!(
            off.abs() < 0.01 * work,
            "{name}: work {work}, friction {lost}, tyres {tyres}, gained {gained}, off {off}"
        );
    }
}

/// Where a run without contact switches ends: the cart drives a curve on gentle ground.
fn end(step_s: f64, contact_every: u32, tyre_every: u32, seconds: f64) -> Vec3 {
    end_of(cart(), step_s, [contact_every, tyre_every], seconds)
}

fn end_of(mut vehicle: VehicleSpec, step_s: f64, every: [u32; 2], seconds: f64) -> Vec3 {
    let [contact_every, tyre_every] = every;
    let gentle = |x: f64, y: f64| 0.1 * sin(0.5 * x) * sin(0.4 * y + 1.0);
    let corner = Vec2::new(10.0, 10.0);
    let terrain = TerrainSpec::from_function(-corner, corner, 11, 11, gentle);
    let terrain = Arc::new(Terrain::new(terrain).expect("a good terrain"));
    // All of it in one cell: no edges of cells.
    // In its springs already, so that it does not drop.
    let sag = 40.0 * G / 4.0 / vehicle.wheels[0].suspension.stiffness;
    vehicle.start.position = Vec3::new(0.7, 0.9, -sag);
    let spec = SpatialSpec {
        step_s,
        contact_every,
        tyre_every,
        control_period_s: 0.1,
        vehicles: vec![vehicle],
        ..SpatialSpec::new(terrain)
    };
    let mut world = world_of(spec);
    drive(&mut world, 3.0, 6.0, 0.0);
    run(&mut world, seconds);
    position(&world)
}

#[test]
fn halving_the_step_halves_the_error() {
    let exact = end(1e-6, 1, 1, 0.4);
    let errors: Vec<f64> =
        [8e-4, 4e-4, 2e-4, 1e-4].map(|step| (end(step, 1, 1, 0.4) - exact).length()).to_vec();
    for pair in errors.windows(2) {
        let ratio = pair[0] / pair[1];
        assert!((1.7..2.5).contains(&ratio), "errors {errors:?}");
    }
}

#[test]
fn following_the_contact_costs_little_exactness() {
    // On hills, at 10 us: search and tyre in every step, against every 100 us and every 50 us.
    let run_with = |contact_every: u32, tyre_every: u32| {
        let spec = SpatialSpec::new(Arc::new(Terrain::new(hills(1)).unwrap()));
        let mut w = world_of(SpatialSpec {
            step_s: 1e-5,
            contact_every,
            tyre_every,
            vehicles: vec![presets::vivi()],
            ..spec
        });
        drive(&mut w, 9.0, 11.0, 0.0);
        run(&mut w, 2.0);
        position(&w)
    };
    let full = run_with(1, 1);
    assert!(full.length() > 1.0);
    let followed = (run_with(10, 1) - full).length();
    let both = (run_with(10, 5) - full).length();
    assert!(followed < 1e-3 && both < 1e-3, "{followed} {both}");
}

#[test]
fn a_stiff_run_at_100_ns_equals_one_at_1_us() {
    // Springs of 5 kHz with the wheels, tyres that build up within a millimetre.
    let mut stiff = cart();
    for w in &mut stiff.wheels {
        w.suspension.stiffness = 1e6;
        w.suspension.stop_stiffness = 2e6;
        w.suspension.damping = 2e3;
        (w.relaxation, w.side_relaxation) = (1e-3, 1e-3);
        w.inertia = 1e-4;
    }
    for (vehicle, within) in [(cart(), 2e-6), (stiff, 2e-6)] {
        let run = |step, every| end_of(vehicle.clone(), step, every, 0.1);
        let (fine, coarse) = (run(1e-7, [10, 1]), run(1e-6, [1, 1]));
        assert!((fine - coarse).length() < within, "{}", (fine - coarse).length());
        // First order: a tenth of the step, a tenth of the error.
        let coarser = run(1e-5, [1, 1]);
        let (far, near) = ((coarser - fine).length(), (coarse - fine).length());
        assert!(far > 4.0 * near, "{far} {near}");
    }
}

#[test]
fn a_vehicle_that_rolls_over_is_reported_and_comes_to_rest_on_its_chassis() {
    let corner = Vec2::new(20.0, 20.0);
    let bank = |_: f64, y: f64| if y > 1.0 { 1.4 * (y - 1.0) } else { 0.0 };
    let terrain = TerrainSpec::from_function(-corner, corner, 201, 201, bank);
    let mut vehicle = cart();
    // Dropped on its side upon the bank.
    vehicle.start.on_ground = false;
    vehicle.start.position = Vec3::new(0.0, 3.0, 3.8);
    vehicle.start.orientation = Quat::from_roll_pitch_yaw(1.5, 0.0, 0.0);
    let mut world = world(terrain, vehicle, 1e-3);
    run(&mut world, 8.0);
    let events = world.take_events();
    assert!(events.iter().any(|e| e.kind == VehicleEvent::RolledOver), "{events:?}");
    let v = world.vehicle(0).unwrap();
    assert!(v.state.velocity.length() < 0.02, "{:?}", v.state.velocity);
    let p = v.state.position;
    assert!(p.z > world.model().terrain.height(p.x, p.y) - 0.01, "{p:?}");
}

#[test]
fn a_vehicle_on_its_roof_stays_there() {
    let mut vehicle = cart();
    vehicle.start.on_ground = false;
    vehicle.start.position = Vec3::new(0.0, 0.0, 0.15);
    vehicle.start.orientation = Quat::from_roll_pitch_yaw(core::f64::consts::PI, 0.0, 0.0);
    let mut world = world(slope(0.2), vehicle, 1e-3);
    run(&mut world, 3.0);
    let before = position(&world);
    run(&mut world, 10.0);
    assert!((position(&world) - before).length() < 1e-3);
    assert!(world.vehicle(0).unwrap().state.rolled_over);
}

#[test]
fn an_edge_that_ends_stops_the_vehicle_with_an_event() {
    let mut terrain = TerrainSpec::flat(4.0);
    terrain.edge = Edge::Ends;
    let mut world = world(terrain, cart(), 1e-3);
    drive(&mut world, 10.0, 10.0, 0.0);
    run(&mut world, 6.0);
    let events = world.take_events();
    assert_eq!(events.iter().map(|e| e.kind).collect::<Vec<_>>(), [VehicleEvent::LeftTerrain]);
    let at = position(&world);
    near("it stands at the edge", at.x, 2.0, 0.01);
    run(&mut world, 1.0);
    assert_eq!(position(&world), at);
}

#[test]
fn a_friction_map_makes_one_side_slip() {
    let mut terrain = TerrainSpec::flat(20.0);
    // Ice on the left half of the ground.
    terrain.friction = Some(rolima_spatial::Grid { nx: 1, ny: 2, values: vec![1.0, 0.05] });
    let mut world = world(terrain, cart(), 1e-3);
    run(&mut world, 0.5);
    drive(&mut world, 20.0, 20.0, 0.0);
    run(&mut world, 0.3);
    let v = world.vehicle(0).unwrap();
    // Wheels 0 and 2 are on the left.
    assert!(v.reading(0, |r| r.slip) > 0.3 && v.reading(1, |r| r.slip) < 0.3);
    assert!(world.angular_velocity(0).z > 0.05, "{}", world.angular_velocity(0).z);
}

#[test]
fn a_chassis_slides_farther_where_the_ground_is_slippery() {
    let slid = |factor: f64| {
        let mut terrain = TerrainSpec::flat(40.0);
        terrain.friction = Some(rolima_spatial::Grid { nx: 1, ny: 1, values: vec![factor] });
        let mut vehicle = cart();
        vehicle.start.on_ground = false;
        vehicle.start.position = Vec3::new(0.0, 0.0, 0.11);
        vehicle.start.orientation = Quat::from_roll_pitch_yaw(core::f64::consts::PI, 0.0, 0.0);
        vehicle.start.velocity.x = 2.0;
        let mut world = world(terrain, vehicle, 1e-4);
        run(&mut world, 6.0);
        near("it stops", velocity(&world).length(), 0.0, 1e-2);
        position(&world).x
    };
    // v^2 / (2 mu g) on its roof, with the chassis' friction of 0.5 times the ground's factor.
    for factor in [1.0, 0.3] {
        let expected = 4.0 / (2.0 * 0.5 * factor * G);
        near("way", slid(factor), expected, 0.05 * expected);
    }
}
