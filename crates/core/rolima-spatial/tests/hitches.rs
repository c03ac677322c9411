//! Carts behind vehicles.

use crate::common;

use common::{cart, near, slope, spec_of, world_of};
use rolima_math::{Pose2, Quat, Vec3};
use rolima_spatial::{
    ChassisSpec, DriveVolts, HitchSpec, SpatialSpec, SpatialWorld, Start, SuspensionSpec,
    TerrainSpec, VehicleSpec, WheelSpec, presets,
};

/// From the hitch to the axle of the trailer, m.
const DRAWBAR: f64 = 0.7;

/// A trailer of 20 kg on one axle, which hangs on the first vehicle by a point of the same height.
fn trailer(to: &str, at: Vec3) -> VehicleSpec {
    let wheel = WheelSpec {
        radius: 0.1,
        suspension: SuspensionSpec { stiffness: 8e3, damping: 300.0, ..SuspensionSpec::default() },
        brake_torque: 0.0,
        ..WheelSpec::default()
    };
    // The centre of mass a little before the axle, so that it lies on the hitch.
    let axle = -0.05;
    let own = Vec3::new(DRAWBAR + axle, 0.0, at.z);
    VehicleSpec {
        name: "trailer".to_owned(),
        chassis: ChassisSpec { mass: 20.0, length: [0.3, 0.3], ..ChassisSpec::default() },
        wheels: [0.25, -0.25]
            .map(|y| WheelSpec { position: Vec3::new(axle, y, -0.05), ..wheel })
            .to_vec(),
        start: Start {
            position: Vec3::new(at.x - own.x, 0.0, 0.0),
            on_ground: true,
            ..Start::default()
        },
        hitch: Some(HitchSpec::new(to, at, own)),
        ..cart()
    }
}

const AT: Vec3 = Vec3 { x: -0.5, y: 0.0, z: 0.15 };

/// A tug on two driven wheels and a ball, and its trailer.
fn train(terrain: TerrainSpec) -> SpatialWorld {
    let tug = presets::robot_one();
    let trailer = trailer(&tug.name, AT);
    world_of(spec_of(terrain, vec![tug, trailer], vec![]))
}

/// Heading axes and place of the hitch and of the trailer's axle, from above.
fn places(world: &SpatialWorld) -> [Pose2; 2] {
    let model = world.model();
    let frame = |i: usize| {
        let vehicle = world.vehicle(i as u32).expect("a vehicle");
        vehicle.frame(&model.vehicles[i]).planar()
    };
    let hitch = frame(0).compose(Pose2::new(AT.x, 0.0, 0.0));
    [hitch, frame(1).compose(Pose2::new(-0.05, 0.0, 0.0))]
}

/// Centre and radius of the circle through three points.
fn circle([a, b, c]: [rolima_math::Vec2; 3]) -> (rolima_math::Vec2, f64) {
    let (u, v) = (b - a, c - a);
    let twice = 2.0 * (u.x * v.y - u.y * v.x);
    let (uu, vv) = (u.dot(u), v.dot(v));
    let centre = rolima_math::Vec2::new(v.y * uu - u.y * vv, u.x * vv - v.x * uu) * (1.0 / twice);
    (a + centre, centre.length())
}

#[test]
fn a_trailer_follows_on_a_circle_of_the_radius_that_its_drawbar_says() {
    for (left, right) in [(3.0, 4.5), (4.5, 3.0), (2.0, 4.5)] {
        let mut world = train(TerrainSpec::flat(100.0));
        assert!(world.command(0, DriveVolts { left_volts: left, right_volts: right, brake: 0.0 }));
        common::run(&mut world, 40.0);
        let mut hitch = vec![];
        let mut axle = vec![];
        for _ in 0..3 {
            common::run(&mut world, 3.0);
            let [a, b] = places(&world);
            hitch.push(a.position);
            axle.push(b.position);
        }
        let (centre, radius) = circle([hitch[0], hitch[1], hitch[2]]);
        // The axle's way is at a right angle to the drawbar: the radii are legs of a triangle.
        let expected = (radius * radius - DRAWBAR * DRAWBAR).sqrt();
        for at in axle {
            let own = (at - centre).length();
            near("radius of the axle's circle", own, expected, 0.02 * expected);
        }
        assert!(world.stretch(&world.model().hitches[0]) < 2e-3);
    }
}

/// Two vehicles in the air, hitched, with these speeds.
fn flying(omega: [Vec3; 2], velocity: [Vec3; 2]) -> SpatialWorld {
    let start = |x: f64| Start { position: Vec3::new(x, 0.0, 1e3), ..Start::default() };
    let front = VehicleSpec { start: start(0.0), ..cart() };
    let at = Vec3::new(-0.6, 0.1, 0.2);
    let mut back = trailer("cart", at);
    back.hitch = Some(HitchSpec::new("cart", at, Vec3::new(0.6, 0.1, 0.3)));
    // Points that meet, in all three directions.
    let ride = front.ride_height() - back.ride_height();
    back.start = start(-1.2);
    back.start.position.z += -0.1 + (0.0 - ride);
    let spec =
        SpatialSpec { gravity: 0.0, ..spec_of(TerrainSpec::flat(10.0), vec![front, back], vec![]) };
    let mut world = world_of(spec);
    let model = world.model().clone();
    for i in 0..2 {
        world.vehicles_mut()[i].set_moving(&model.vehicles[i], velocity[i], omega[i]);
    }
    world
}

/// Momentum, angular momentum about the origin of the first vehicle's start, and energy with that of
/// the hitch's spring.
fn totals(world: &SpatialWorld) -> (Vec3, Vec3, f64) {
    let model = world.model();
    let (mut momentum, mut angular, mut energy) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    let origin = Vec3::new(0.0, 0.0, 1e3);
    for (i, known) in model.vehicles.iter().enumerate() {
        let vehicle = world.vehicle(i as u32).expect("a vehicle");
        let p = vehicle.state.velocity * known.spec.chassis.mass;
        momentum += p;
        angular += (vehicle.state.position - origin).cross(p) + vehicle.state.momentum;
        energy += vehicle.kinetic_energy(model, i as u32);
    }
    let stretch = world.stretch(&model.hitches[0]);
    let hitch = model.spec.vehicles[1].hitch.as_ref().expect("a hitch");
    (momentum, angular, energy + 0.5 * hitch.stiffness * stretch * stretch)
}

#[test]
fn a_hitch_keeps_momentum_and_gains_no_energy() {
    let at = Vec3::new;
    for (omega, velocity) in [
        ([at(0.0, 0.0, 1.0), Vec3::ZERO], [Vec3::ZERO, Vec3::ZERO]),
        ([at(0.4, -0.3, 0.8), at(-0.5, 0.2, -1.0)], [at(1.0, 0.2, 0.0), at(0.5, -0.3, 0.2)]),
        ([Vec3::ZERO, at(0.0, 0.0, -2.0)], [at(2.0, 0.0, 0.0), Vec3::ZERO]),
    ] {
        let mut world = flying(omega, velocity);
        let (p, l, first) = totals(&world);
        let mut most = 0.0f64;
        for _ in 0..4000 {
            world.drive(1);
            let (momentum, angular, energy) = totals(&world);
            assert!((momentum - p).length() < 1e-9 * (1.0 + p.length()), "{momentum:?} of {p:?}");
            assert!((angular - l).length() < 1e-8 * (1.0 + l.length()), "{angular:?} of {l:?}");
            most = most.max(energy / first);
        }
        let (_, _, last) = totals(&world);
        let stretch = world.stretch(&world.model().hitches[0]);
        assert!(most < 1.0 + 1e-6 && last <= first, "{first} {last} {most}");
        assert!(stretch < 5e-3, "{stretch}");
    }
}

#[test]
fn both_ends_of_a_train_weigh_on_a_slope_and_its_brakes_hold_it() {
    let mut world = train(slope(0.1));
    assert!(world.command(0, DriveVolts { left_volts: 0.0, right_volts: 0.0, brake: 1.0 }));
    common::run(&mut world, 3.0);
    let from = places(&world)[1].position;
    common::run(&mut world, 5.0);
    let [_, trailer] = places(&world);
    assert!((trailer.position - from).length() < 1e-2, "{trailer:?} from {from:?}");
    // The pin bears what pulls the trailer down: m g sin, against its stiffness.
    let stretch = world.stretch(&world.model().hitches[0]);
    let pull = 20.0 * 9.81 * 0.1 / 1.01f64.sqrt();
    assert!(stretch > 0.5 * pull / 2e5 && stretch < 5.0 * pull / 2e5, "{stretch}");
}

#[test]
fn a_train_is_stable_at_a_coarse_and_a_fine_step_and_goes_on_bit_for_bit() {
    for step_s in [1e-3, 1e-4] {
        let tug = presets::robot_one();
        let behind = trailer(&tug.name, AT);
        let spec = spec_of(TerrainSpec::flat(100.0), vec![tug, behind], vec![]);
        let mut world = world_of(SpatialSpec { step_s, ..spec });
        assert!(world.command(0, DriveVolts { left_volts: 4.0, right_volts: 4.0, brake: 0.0 }));
        common::run(&mut world, 4.0);
        let [hitch, axle] = places(&world);
        let apart = (hitch.position - axle.position).length();
        near("drawbar", apart, DRAWBAR, 5e-3);
        near("trailer's place across", axle.position.y, 0.0, 1e-2);
        let saved = world.save();
        let mut other = world_of(world.model().spec.clone());
        assert!(other.restore(&saved));
        common::run(&mut world, 0.5);
        common::run(&mut other, 0.5);
        assert_eq!(world.state_hash(), other.state_hash());
    }
}

#[test]
fn vehicles_put_down_apart_come_together_slowly() {
    let mut world = train(TerrainSpec::flat(100.0));
    common::run(&mut world, 0.5);
    let (at, turn) = world.model().standing(1, Pose2::new(-3.0, 2.0, 0.3)).expect("a trailer");
    assert!(world.place(1, at, turn));
    let mut fastest = 0.0f64;
    for _ in 0..4000 {
        world.step();
        for i in 0..2 {
            let state = &world.vehicle(i).expect("a vehicle").state;
            fastest = fastest.max(state.velocity.length());
            assert!(!state.quarantined && state.orientation != Quat::default());
        }
    }
    let stretch = world.stretch(&world.model().hitches[0]);
    assert!(fastest < 5.0 && stretch < 0.01, "{fastest} m/s, {stretch} m apart");
}
