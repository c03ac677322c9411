//! Bad input is refused, nothing panics, a warm step does not touch the heap.

use crate::common;
use rolima_testing::heap;

use common::*;
use proptest::prelude::*;
use rolima_math::{Quat, Vec3};
use rolima_spatial::golden;
use rolima_spatial::{
    DriveVolts, Hills, SpatialModel, SpatialSpec, Terrain, TerrainSpec, VehicleEvent, presets,
};
use std::sync::Arc;

#[test]
fn a_step_does_not_allocate() {
    for (name, ..) in golden::MOMENTS {
        let mut world = golden::world(name).unwrap();
        world.steps(5);
        let before = heap::count();
        world.steps(1500);
        assert_eq!(heap::count() - before, 0, "{name}");
    }
}

#[test]
fn bad_commands_are_refused() {
    let mut world = world(TerrainSpec::flat(9.0), cart(), 1e-3);
    let bad = |left_volts: f64, brake: f64| DriveVolts { left_volts, right_volts: 0.0, brake };
    assert!(!world.command(1, bad(0.0, 0.0)), "there is one vehicle");
    assert!(!world.command(0, bad(f64::NAN, 0.0)));
    assert!(!world.command(0, bad(0.0, 1.5)));
    assert!(!world.place(0, Vec3::new(f64::NAN, 0.0, 0.0), Quat::IDENTITY));
    assert!(!world.place(3, Vec3::ZERO, Quat::IDENTITY));
    assert!(world.place(0, Vec3::new(1.0, 0.0, 0.3), Quat::IDENTITY));
    run(&mut world, 1.0);
    near("x", position(&world).x, 1.0, 1e-3);
}

#[test]
fn commands_are_taken_over_at_the_control_period() {
    let spec = SpatialSpec::new(Arc::new(Terrain::new(TerrainSpec::flat(9.0)).unwrap()));
    let vehicles = vec![cart()];
    let mut world = world_of(SpatialSpec { control_period_s: 0.05, vehicles, ..spec });
    world.steps(10);
    drive(&mut world, 5.0, 5.0, 0.0);
    let torque =
        |w: &rolima_spatial::SpatialWorld| w.vehicle(0).unwrap().reading(0, |r| r.motor_torque);
    world.steps(40);
    assert!(torque(&world).abs() < 1e-3, "{}", torque(&world));
    world.step();
    assert!(torque(&world) > 1.0);
}

#[test]
fn specifications_that_cannot_be_are_refused_by_their_key() {
    let compile = |change: fn(&mut SpatialSpec)| {
        let terrain = Arc::new(Terrain::new(TerrainSpec::flat(9.0)).unwrap());
        let mut spec = SpatialSpec { vehicles: vec![cart()], ..SpatialSpec::new(terrain) };
        change(&mut spec);
        SpatialModel::compile(spec).expect_err("a bad specification").to_string()
    };
    for (message, start) in [
        (compile(|s| s.step_s = 2e-3), "sim.step_s"),
        (compile(|s| s.slices = 36), "sim.slices: expected an odd number"),
        (compile(|s| s.control_period_s = 1.5e-3), "sim.control_period_s: expected a multiple"),
        (compile(|s| s.contact_every = 0), "sim.contact_every"),
        (compile(|s| s.vehicles[0].wheels.truncate(1)), "vehicle.0.wheels: expected 2 to 12"),
        (compile(|s| s.vehicles[0].chassis.mass = -1.0), "vehicle.0.chassis.mass"),
        (
            compile(|s| s.vehicles[0].chassis.inertia = [1.0, 0.001, 1.0]),
            "vehicle.0.chassis.inertia",
        ),
        (compile(|s| s.vehicles[0].wheels[2].radius = 0.0), "vehicle.0.wheels.2.radius"),
        (
            compile(|s| s.vehicles[0].wheels[1].suspension.stop_stiffness = 1e8),
            "vehicle.0.wheels.1.suspension.stop_stiffness: expected at most",
        ),
        (
            compile(|s| s.vehicles[0].wheels[0].suspension.stop_travel = 0.0),
            "vehicle.0.wheels.0.suspension.stop_travel",
        ),
        (
            compile(|s| s.vehicles[0].wheels[3].motor.as_mut().unwrap().resistance = 0.0),
            "vehicle.0.wheels.3.motor.resistance",
        ),
        (
            compile(|s| s.vehicles[0].chassis.contact_stiffness = 1e8),
            "vehicle.0.chassis.contact_stiffness: expected at most",
        ),
        (
            compile(|s| s.vehicles[0].chassis.inertia = [1.5, 0.06, 3.5]),
            "vehicle.0.chassis.inertia: expected yy (pitch) of at least",
        ),
        (
            compile(|s| s.vehicles[0].wheels.iter_mut().for_each(|w| w.position.y *= 20.0)),
            "vehicle.0.chassis.inertia: expected xx (roll) of at least",
        ),
        (
            compile(|s| s.vehicles[0].chassis.mass = 5e3),
            "vehicle.0.wheels: expected wheels that carry the weight of 49050 N, got",
        ),
        (
            // Nearly all of the weight on the rear axle, which has weak springs.
            compile(|s| {
                s.vehicles[0].chassis.mass = 300.0;
                for w in &mut s.vehicles[0].wheels {
                    w.position.x += 0.24;
                    if w.position.x < 0.1 {
                        (w.suspension.stiffness, w.suspension.stop_stiffness) = (5e3, 20e3);
                    }
                }
            }),
            "vehicle.0.wheels.2.suspension.stop_stiffness: expected a spring that carries",
        ),
        (
            compile(|s| s.vehicles[0].wheels[0].axle.breakaway = -1.0),
            "vehicle.0.wheels.0.axle.breakaway",
        ),
    ] {
        assert!(message.starts_with(start), "{message}");
    }
}

#[test]
fn what_the_bounds_just_allow_stays_calm() {
    // Dropped onto its stops and driven over hills, with as little inertia and as stiff corners as
    // is allowed.
    let hills = Hills { amplitude: 0.3, wavelength: 2.0, nodes: 100, ..Hills::default() };
    let terrain = Arc::new(Terrain::new(hills.terrain().unwrap()).unwrap());
    let compiled = |inertia: f64, stiffness: f64| {
        let mut vehicle = cart();
        vehicle.chassis.inertia = [inertia, inertia, 1.2 * inertia];
        vehicle.chassis.contact_stiffness = stiffness;
        vehicle.start.position.z = 0.5;
        let spec = SpatialSpec { vehicles: vec![vehicle], ..SpatialSpec::new(terrain.clone()) };
        SpatialModel::compile(spec)
    };
    let limit = |mut good: f64, mut bad: f64, allows: &dyn Fn(f64) -> bool| {
        assert!(allows(good) && !allows(bad));
        for _ in 0..40 {
            let middle = 0.5 * (good + bad);
            if allows(middle) { good = middle } else { bad = middle }
        }
        good
    };
    let least = limit(2.0, 1e-3, &|inertia| compiled(inertia, 0.0).is_ok());
    let most = limit(0.0, 1e8, &|stiffness| compiled(least, stiffness).is_ok());
    assert!(least > 0.01 && most > 1e3, "{least} {most}");
    let mut world = rolima_spatial::SpatialWorld::new(Arc::new(compiled(least, most).unwrap()));
    drive(&mut world, 10.0, 10.0, 0.0);
    let energy = |w: &rolima_spatial::SpatialWorld| {
        let v = w.vehicle(0).unwrap();
        v.kinetic_energy(w.model(), 0) + 40.0 * G * v.state.position.z
    };
    let (begin, mut highest) = (energy(&world), f64::MIN);
    for _ in 0..8000 {
        world.step();
        highest = highest.max(energy(&world));
    }
    // It may climb a hill of 0.3 m and drive at 3 m/s, no more.
    assert!(highest < begin + 40.0 * G * 0.6 + 180.0, "{begin} {highest}");
    assert!(!world.vehicle(0).unwrap().state.quarantined);
}

#[test]
fn a_drawn_chassis_of_the_same_size_bears_no_stiffer_corners_than_a_box() {
    let most = |drawn: bool| {
        let mut vehicle = cart();
        let c = &mut vehicle.chassis;
        c.contact_stiffness = 1e8;
        if drawn {
            let (xs, ys, zs) = (
                [-c.length[1], c.length[0]],
                [-c.width[1], c.width[0]],
                [-c.height[1], c.height[0]],
            );
            let [x, y, z] = [0.5 * (xs[0] + xs[1]), 0.5 * (ys[0] + ys[1]), zs[0]];
            let mut hull = vec![Vec3::new(x, y, z)];
            hull.extend(xs.map(|x| Vec3::new(x, y, z)));
            hull.extend(ys.map(|y| Vec3::new(x, y, z)));
            for z in zs {
                hull.extend(xs.into_iter().flat_map(|x| ys.map(|y| Vec3::new(x, y, z))));
            }
            // As files have them that were turned: no two points are equally low.
            for (i, p) in hull.iter_mut().enumerate() {
                p.z += 1e-9 * i as f64;
            }
            vehicle.shapes.hull = hull.into();
        }
        let terrain = Arc::new(Terrain::new(TerrainSpec::flat(9.0)).unwrap());
        let spec = SpatialSpec { vehicles: vec![vehicle], ..SpatialSpec::new(terrain) };
        let message = SpatialModel::compile(spec).expect_err("too stiff").to_string();
        let number = message.split_once("at most ").unwrap().1.split_once(" N/m").unwrap().0;
        number.parse::<f64>().unwrap()
    };
    near("largest stiffness", most(true), most(false), 1e-3 * most(false));
}

#[test]
fn every_preset_compiles_settles_and_drives() {
    for name in presets::NAMES {
        let vehicle = presets::named(name).unwrap();
        let mut world = world(TerrainSpec::flat(100.0), vehicle, 1e-3);
        run(&mut world, 1.0);
        assert!(velocity(&world).length() < 1e-3, "{name} settles: {:?}", velocity(&world));
        drive(&mut world, 12.0, 12.0, 0.0);
        run(&mut world, 3.0);
        let way = position(&world);
        assert!(way.x > 0.5 && way.y.abs() < 1e-6, "{name}: {way:?}");
        drive(&mut world, -8.0, 8.0, 0.0);
        run(&mut world, 3.0);
        assert!(world.angular_velocity(0).z > 0.1, "{name} turns left");
        drive(&mut world, 0.0, 0.0, 1.0);
        run(&mut world, 3.0);
        // Wound-up tyres swing out slowly.
        assert!(velocity(&world).length() < 2e-3, "{name} stops: {:?}", velocity(&world));
        assert!(world.take_events().is_empty());
    }
    assert!(presets::named("bicycle").is_none());
}

#[test]
fn a_state_that_is_not_finite_is_quarantined_at_its_last_good_pose() {
    let mut world = world(TerrainSpec::flat(9.0), cart(), 1e-3);
    run(&mut world, 0.5);
    let good = position(&world);
    world.vehicles_mut()[0].state.velocity.x = f64::NAN;
    run(&mut world, 0.5);
    let kinds: Vec<_> = world.take_events().iter().map(|e| e.kind).collect();
    assert_eq!(kinds, [VehicleEvent::Quarantined]);
    assert!((position(&world) - good).length() < 1e-3);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if cfg!(debug_assertions) { 3 } else { 80 }))]

    #[test]
    fn whatever_happens_to_a_vehicle_stays_finite(
        seed in 0u64..1000,
        preset in 0usize..4,
        amplitude in 0.0f64..4.0,
        drop in 0.0f64..3.0,
        turn in proptest::array::uniform3(-3.2f64..3.2),
        volts in proptest::array::uniform2(-30.0f64..30.0),
        step in 0usize..3,
    ) {
        let hills = Hills { seed, amplitude, nodes: 100, wavelength: 3.0, octaves: 6, roughness: 0.6, size: 20.0, ..Hills::default() };
        let mut vehicle = presets::named(presets::NAMES[preset]).expect("a preset");
        vehicle.start.position.z = drop;
        vehicle.start.orientation = Quat::from_roll_pitch_yaw(turn[0], turn[1], turn[2]);
        let mut w = world(hills.terrain().expect("hills"), vehicle, [1e-3, 2e-4, 5e-5][step]);
        drive(&mut w, volts[0], volts[1], 0.0);
        for _ in 0..30 {
            w.steps(100);
            let v = &w.vehicle(0).expect("one").state;
            prop_assert!(!v.quarantined);
            prop_assert!(v.velocity.length() < 60.0, "{:?}", v.velocity);
            let p = v.position;
            prop_assert!(p.z > w.model().terrain.height(p.x, p.y) - 1.0, "fell through: {p:?}");
        }
    }
}
