//! Vehicles that meet bodies, obstacles and one another, with the feature `bodies`.
#![cfg(feature = "bodies")]

use crate::common;

use common::*;
use rolima_math::{Quat, Vec2, Vec3};
use rolima_spatial::{
    BodyPart, BodyRef, BodyShape, BodySpec, Hills, PairContacts, PairTable, SpatialWorld,
    TerrainSpec, VehicleSpec, presets,
};

/// Nothing bounces, and nothing rubs but the ground.
fn smooth() -> PairContacts {
    PairContacts {
        friction: PairTable::uniform(0.0),
        restitution: PairTable::uniform(0.0),
        ..PairContacts::default()
    }
}

#[test]
fn a_vehicle_that_touches_nothing_goes_as_if_alone() {
    let mut alone = world(TerrainSpec::flat(40.0), cart(), 1e-3);
    let far = body("far", BodyShape::Ball(0.2), Some(1.0), Vec3::new(0.0, 9.0, 0.3));
    let mut together = with_bodies(TerrainSpec::flat(40.0), vec![far]);
    drive(&mut alone, 8.0, 10.0, 0.0);
    drive(&mut together, 8.0, 10.0, 0.0);
    run(&mut alone, 2.0);
    run(&mut together, 2.0);
    assert_eq!(alone.vehicle(0).unwrap().state, together.vehicle(0).unwrap().state);
}

#[test]
fn pushing_a_box_moves_it_and_slows_the_vehicle() {
    let mut free = world(TerrainSpec::flat(40.0), cart(), 1e-3);
    let crate_ =
        body("crate", BodyShape::Box([0.3, 0.3, 0.2]), Some(15.0), Vec3::new(1.2, 0.0, 0.2));
    let mut w = with_bodies(TerrainSpec::flat(40.0), vec![crate_]);
    drive(&mut free, 10.0, 10.0, 0.0);
    drive(&mut w, 10.0, 10.0, 0.0);
    run(&mut free, 4.0);
    run(&mut w, 4.0);
    let pushed = w.bodies()[0].position.x;
    assert!(pushed > 1.5, "{pushed}");
    assert!(position(&w).x < position(&free).x - 0.05);
    assert!(pushed - position(&w).x > 0.5, "it is before the vehicle");
    // A steady push: the box's friction is what the vehicle presses with, in every step.
    let touch = w.touches()[0];
    assert_eq!((touch.a, touch.b), (BodyRef::Vehicle(0), BodyRef::Body(0)));
    near("normal", touch.normal.x, 1.0, 0.05);
    near("height of the contact", touch.point.z, 0.2, 0.2);
    assert!(touch.impulse > 0.0);
}

#[test]
fn what_a_box_is_pushed_with_is_its_friction_on_the_ground() {
    let block =
        body("crate", BodyShape::Box([0.3, 0.3, 0.2]), Some(15.0), Vec3::new(0.8, 0.0, 0.2));
    let mut w = with_bodies(TerrainSpec::flat(40.0), vec![block]);
    drive(&mut w, 10.0, 10.0, 0.0);
    run(&mut w, 5.0);
    let mut impulse = 0.0;
    for _ in 0..2000 {
        w.step();
        impulse += w.touches().iter().map(|t| t.impulse * t.normal.x).sum::<f64>();
    }
    // At a steady speed, over two seconds: mu m g t.
    let expected = 0.5 * 15.0 * G * 2.0;
    near("impulse of the push", impulse, expected, 0.1 * expected);
}

#[test]
fn a_tree_stops_a_vehicle() {
    let tree = body("tree", BodyShape::Cylinder(0.15, 1.0), None, Vec3::new(2.0, 0.0, 1.0));
    let mut w = with_bodies(TerrainSpec::flat(40.0), vec![tree]);
    drive(&mut w, 8.0, 8.0, 0.0);
    run(&mut w, 6.0);
    let x = position(&w).x;
    assert!((1.2..1.75).contains(&x), "{x}");
    assert_eq!(w.bodies()[0].position, Vec3::new(2.0, 0.0, 1.0));
    assert!(w.touches().iter().any(|t| t.b == BodyRef::Body(0)), "it leans on the tree");
}

/// Two in the air: nothing but gravity acts besides.
fn flying(velocity: Vec3, position: Vec3) -> VehicleSpec {
    let mut vehicle = cart();
    vehicle.start.on_ground = false;
    (vehicle.start.position, vehicle.start.velocity) = (position, velocity);
    vehicle
}

#[test]
fn a_vehicle_hits_a_ball_and_momentum_is_kept() {
    for (restitution, steps) in [(0.0, 1), (0.5, 1), (0.0, 4)] {
        let vehicle = flying(Vec3::new(3.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 30.0));
        let ball = body("ball", BodyShape::Ball(0.15), Some(10.0), Vec3::new(0.9, 0.0, 30.01));
        let mut spec = spec_of(TerrainSpec::flat(40.0), vec![vehicle], vec![ball]);
        spec.contact = smooth();
        spec.contact.restitution = PairTable::uniform(restitution);
        spec.outer_steps = steps;
        let mut w = world_of(spec);
        run(&mut w, 0.5);
        let (v, b) = (velocity(&w), w.bodies()[0].velocity);
        near("momentum along x", 40.0 * v.x + 10.0 * b.x, 120.0, 1e-3);
        near("momentum along y", 40.0 * v.y + 10.0 * b.y, 0.0, 1e-3);
        near("momentum upwards", 40.0 * v.z + 10.0 * b.z, -50.0 * G * 0.5, 0.1);
        // Newton's law of impact: they part by e times the speed of approach. The ball is hit a
        // little above the centre of mass, which turns the vehicle and takes some of it.
        near("speed of parting", b.x - v.x, 3.0 * restitution, 0.15);
        assert!(b.x > 2.0, "it was hit: {b:?}");
    }
}

#[test]
fn two_vehicles_collide_and_momentum_is_kept() {
    let one = flying(Vec3::new(2.0, 0.0, 0.0), Vec3::new(0.0, 0.0, 20.0));
    let mut other = flying(Vec3::new(-1.0, 0.0, 0.0), Vec3::new(1.2, 0.15, 20.0));
    other.chassis.mass = 25.0;
    let mut spec = spec_of(TerrainSpec::flat(40.0), vec![one, other], vec![]);
    spec.contact.restitution = PairTable::uniform(0.3);
    let mut w = world_of(spec);
    let momentum = |w: &SpatialWorld| {
        let state = |i: u32| w.vehicle(i).unwrap().state.clone();
        let (a, b) = (state(0), state(1));
        let linear = a.velocity * 40.0 + b.velocity * 25.0;
        let about = |s: &rolima_spatial::VehicleState, m: f64| {
            s.momentum + s.position.cross(s.velocity * m)
        };
        (linear, about(&a, 40.0) + about(&b, 25.0))
    };
    let (linear, angular) = momentum(&w);
    let mut touched = false;
    for _ in 0..400 {
        w.step();
        touched |= !w.touches().is_empty();
    }
    assert!(touched);
    let (after, turned) = momentum(&w);
    assert!(w.vehicle(1).unwrap().state.velocity.x > 0.0, "it was pushed back");
    near("momentum along x", after.x, linear.x, 1e-3);
    near("momentum along y", after.y, linear.y, 1e-3);
    // About the vertical axis gravity has no moment. Poses move by what overlaps, a little.
    near("angular momentum", turned.z, angular.z, 0.05 * 40.0 * 2.0 * 0.15);
}

#[test]
fn vehicles_on_the_ground_do_not_go_through_one_another() {
    let (mut one, mut other) = (presets::vivi(), presets::vivi());
    (one.start.position.x, other.start.position.x) = (-1.0, 1.0);
    other.start.orientation = Quat::about(Vec3::new(0.0, 0.0, 1.0), core::f64::consts::PI);
    let mut w = world_of(spec_of(TerrainSpec::flat(40.0), vec![one, other], vec![]));
    for i in 0..2 {
        let drive = rolima_spatial::DriveVolts { left_volts: 9.0, right_volts: 9.0, brake: 0.0 };
        assert!(w.command(i, drive));
    }
    run(&mut w, 5.0);
    let x = |i: u32| w.vehicle(i).unwrap().state.position.x;
    assert!(x(1) - x(0) > 0.6, "{} {}", x(0), x(1));
}

#[test]
fn a_wall_of_prisms_holds_a_vehicle_and_a_turn_inertia_is_heard() {
    let wall = |x: f64| BodyPart::Prism {
        outline: vec![
            Vec2::new(x, -3.0),
            Vec2::new(x + 0.1, -3.0),
            Vec2::new(x + 0.1, 3.0),
            Vec2::new(x, 3.0),
        ],
        z: [-0.5, 0.5],
    };
    let walls = body("walls", BodyShape::Parts(vec![wall(1.0), wall(-1.1)]), None, Vec3::ZERO);
    let mut w = with_bodies(TerrainSpec::flat(40.0), vec![walls]);
    drive(&mut w, -8.0, -8.0, 0.0);
    run(&mut w, 4.0);
    let x = position(&w).x;
    assert!((-0.75..-0.5).contains(&x), "{x}");

    let turn = |inertia: Option<f64>| {
        let mut disc =
            body("disc", BodyShape::Cylinder(0.3, 0.1), Some(2.0), Vec3::new(0.0, 0.0, 9.0));
        disc.turn_inertia = inertia;
        let mut w = world_of(spec_of(TerrainSpec::flat(40.0), vec![], vec![disc]));
        assert!(w.push_body(0, Vec3::new(0.3, 0.0, 9.0), Vec3::new(0.0, 1.0, 0.0)));
        run(&mut w, 0.1);
        w.bodies()[0].omega.z
    };
    near("of a disc", turn(None), 0.3 / (0.5 * 2.0 * 0.09), 1e-6);
    near("given", turn(Some(0.2)), 1.5, 1e-6);
}

#[test]
fn pushes_change_momentum_by_the_impulse() {
    let far = body("far", BodyShape::Ball(0.2), Some(2.0), Vec3::new(0.0, 9.0, 5.0));
    let fixed = body("tree", BodyShape::Ball(0.2), None, Vec3::new(0.0, -9.0, 5.0));
    let vehicle = flying(Vec3::ZERO, Vec3::new(0.0, 0.0, 9.0));
    let mut w = world_of(spec_of(TerrainSpec::flat(40.0), vec![vehicle], vec![far, fixed]));
    assert!(w.push_vehicle(0, Vec3::new(0.0, 0.2, 9.0), Vec3::new(4.0, 0.0, 0.0)));
    assert!(w.push_body(0, Vec3::new(0.0, 9.0, 5.2), Vec3::new(1.0, 0.0, 0.0)));
    near("speed", velocity(&w).x, 0.1, 1e-12);
    near("momentum", w.vehicle(0).unwrap().state.momentum.z, -0.8, 1e-12);
    near("ball", w.bodies()[0].velocity.x, 0.5, 1e-12);
    near("ball's spin", w.bodies()[0].omega.y, 0.2 / (0.4 * 2.0 * 0.04), 1e-9);
    let nan = Vec3::new(f64::NAN, 0.0, 0.0);
    assert!(!w.push_vehicle(1, Vec3::ZERO, Vec3::ZERO) && !w.push_vehicle(0, Vec3::ZERO, nan));
    assert!(!w.push_body(1, Vec3::ZERO, Vec3::ZERO) && !w.push_body(0, nan, Vec3::ZERO));
    assert!(!w.place_body(1, Vec3::ZERO, Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO));
    assert!(w.place_body(0, Vec3::new(1.0, 1.0, 3.0), Quat::IDENTITY, Vec3::ZERO, Vec3::ZERO));
    assert_eq!(w.bodies()[0].position, Vec3::new(1.0, 1.0, 3.0));
}

/// Crates in a heap with balls, a wall and a vehicle that drives into it.
fn heap() -> SpatialWorld {
    let terrain = Hills { nodes: 64, amplitude: 0.3, ..Hills::default() }.terrain().expect("hills");
    let mut bodies: Vec<BodySpec> = (0..8)
        .map(|i| {
            let (x, z) = (1.2 + 0.3 * f64::from(i % 3), 1.0 + 0.45 * f64::from(i / 3));
            body(&format!("crate-{i}"), BodyShape::Box([0.2; 3]), Some(5.0), Vec3::new(x, 0.1, z))
        })
        .collect();
    bodies.push(body("ball", BodyShape::Ball(0.15), Some(1.0), Vec3::new(1.3, 0.2, 3.0)));
    bodies.push(body("post", BodyShape::Cylinder(0.1, 1.0), None, Vec3::new(3.0, 0.0, 0.5)));
    let mut vehicle = presets::vivi();
    vehicle.start.position.x = -0.5;
    let mut spec = spec_of(terrain, vec![vehicle], bodies);
    spec.outer_steps = 2;
    let mut w = world_of(spec);
    drive(&mut w, 10.0, 10.0, 0.0);
    w
}

#[test]
fn a_snapshot_in_the_middle_of_a_pile_goes_on_bit_for_bit() {
    let mut straight = heap();
    run(&mut straight, 2.0);
    let mut broken = heap();
    for part in [0.501, 0.5, 0.333, 0.666] {
        // Also between two contact resolutions, which are 2 ms apart.
        run(&mut broken, part);
        let (words, hash) = (broken.save(), broken.state_hash());
        broken = heap();
        assert!(broken.restore(&words));
        assert_eq!(broken.state_hash(), hash);
    }
    assert_eq!(broken.state_hash(), straight.state_hash());
    assert!(!broken.restore(&[1, 2, 3]));
    let speed: f64 = straight.bodies().iter().map(|b| b.velocity.length()).sum();
    assert!(speed > 0.1, "it is about a moving pile: {speed}");
    broken.reset();
    assert_eq!(broken.bodies(), heap().bodies());
}

#[test]
fn driving_and_meeting_by_hand_is_what_a_step_does() {
    let (mut one, mut other) = (heap(), heap());
    one.steps(300);
    for _ in 0..150 {
        other.drive(2);
        other.resolve_contacts();
    }
    assert_eq!(one.state_hash(), other.state_hash());
}
