//! Free bodies and obstacles, with the feature `bodies`.
#![cfg(feature = "bodies")]

mod common;

use common::*;
use rolima_math::{Quat, Vec2, Vec3};
use rolima_spatial::bodies::{BodiesWorld, BodyShape, BodySpec};
use rolima_spatial::{Hills, TerrainSpec, presets};

fn body(name: &str, shape: BodyShape, mass: Option<f64>, position: Vec3) -> BodySpec {
    BodySpec {
        name: name.to_owned(),
        shape,
        mass,
        friction: 0.5,
        restitution: 0.0,
        position,
        orientation: Quat::IDENTITY,
        velocity: Vec3::ZERO,
    }
}

fn with_bodies(terrain: TerrainSpec, bodies: Vec<BodySpec>) -> BodiesWorld {
    BodiesWorld::new(world(terrain, cart(), 1e-3), bodies, 2).expect("good bodies")
}

fn run_all(world: &mut BodiesWorld, seconds: f64) {
    for _ in 0..(seconds / 2e-3).round() as u64 {
        world.step();
    }
}

#[test]
fn a_vehicle_that_touches_nothing_goes_as_if_alone() {
    let mut alone = world(TerrainSpec::flat(40.0), cart(), 1e-3);
    let far = body("far", BodyShape::Ball(0.2), Some(1.0), Vec3::new(0.0, 9.0, 0.3));
    let mut together = with_bodies(TerrainSpec::flat(40.0), vec![far]);
    drive(&mut alone, 8.0, 10.0, 0.0);
    drive(&mut together.vehicles, 8.0, 10.0, 0.0);
    run(&mut alone, 2.0);
    run_all(&mut together, 2.0);
    assert_eq!(alone.state_hash(), together.vehicles.state_hash());
}

#[test]
fn bodies_rest_on_the_ground_that_wheels_feel() {
    let terrain =
        TerrainSpec::from_function(Vec2::new(-5.0, -5.0), Vec2::new(5.0, 5.0), 11, 11, |x, y| {
            0.02 * x * y
        });
    let ball = body("ball", BodyShape::Ball(0.2), Some(2.0), Vec3::new(3.0, 3.0, 1.0));
    let mut w = with_bodies(terrain, vec![ball]);
    run_all(&mut w, 1.0);
    let p = w.states()[0].position;
    let ground = w.vehicles.model().terrain.height(p.x, p.y);
    // It rolls, but on the surface.
    assert!((p.z - 0.2 - ground).abs() < 0.02, "{p:?} over {ground}");
}

#[test]
fn pushing_a_box_moves_it_and_slows_the_vehicle() {
    let mut free = world(TerrainSpec::flat(40.0), cart(), 1e-3);
    let crate_ =
        body("crate", BodyShape::Box([0.3, 0.3, 0.2]), Some(15.0), Vec3::new(1.2, 0.0, 0.2));
    let mut w = with_bodies(TerrainSpec::flat(40.0), vec![crate_]);
    drive(&mut free, 10.0, 10.0, 0.0);
    drive(&mut w.vehicles, 10.0, 10.0, 0.0);
    run(&mut free, 4.0);
    run_all(&mut w, 4.0);
    let pushed = w.states()[0].position.x;
    assert!(pushed > 1.5, "{pushed}");
    assert!(position(&w.vehicles).x < position(&free).x - 0.05);
    assert!(pushed - position(&w.vehicles).x > 0.5, "it is before the vehicle");
}

#[test]
fn a_tree_stops_a_vehicle() {
    let tree = body("tree", BodyShape::Cylinder(0.15, 1.0), None, Vec3::new(2.0, 0.0, 1.0));
    let mut w = with_bodies(TerrainSpec::flat(40.0), vec![tree]);
    drive(&mut w.vehicles, 8.0, 8.0, 0.0);
    run_all(&mut w, 6.0);
    let x = position(&w.vehicles).x;
    assert!((1.2..1.75).contains(&x), "{x}");
    assert_eq!(w.states()[0].position, Vec3::new(2.0, 0.0, 1.0));
}

#[test]
fn momentum_is_exchanged_in_the_air() {
    // High above the ground nothing else acts but gravity.
    let mut vehicle = cart();
    vehicle.start.on_ground = false;
    vehicle.start.position = Vec3::new(0.0, 0.0, 30.0);
    vehicle.start.velocity = Vec3::new(3.0, 0.0, 0.0);
    let vehicles = world(TerrainSpec::flat(40.0), vehicle, 1e-3);
    let mut ball = body("ball", BodyShape::Ball(0.15), Some(10.0), Vec3::new(0.9, 0.05, 30.0));
    ball.friction = 0.0;
    let mut w = BodiesWorld::new(vehicles, vec![ball], 2).expect("good bodies");
    run_all(&mut w, 0.5);
    let (v, b) = (velocity(&w.vehicles), w.states()[0].velocity);
    assert!(b.x > 1.0, "it was hit: {b:?}");
    near("momentum along x", 40.0 * v.x + 10.0 * b.x, 120.0, 0.5);
    near("momentum along y", 40.0 * v.y + 10.0 * b.y, 0.0, 0.5);
}

#[test]
fn a_snapshot_goes_on_bit_for_bit() {
    let terrain =
        || Hills { nodes: 64, amplitude: 0.3, ..Hills::default() }.terrain().expect("hills");
    let make = || {
        let crates = (0..4)
            .map(|i| {
                body(
                    &format!("crate-{i}"),
                    BodyShape::Box([0.2; 3]),
                    Some(5.0),
                    Vec3::new(1.0 + f64::from(i), 0.1, 1.0),
                )
            })
            .collect();
        let mut vehicle = presets::vivi();
        vehicle.start.position.x = -0.5;
        let mut w =
            BodiesWorld::new(world(terrain(), vehicle, 1e-3), crates, 2).expect("good bodies");
        drive(&mut w.vehicles, 10.0, 10.0, 0.0);
        w
    };
    let mut straight = make();
    run_all(&mut straight, 2.0);
    let mut broken = make();
    for _ in 0..4 {
        run_all(&mut broken, 0.5);
        let words = broken.save();
        broken = make();
        assert!(broken.restore(&words));
    }
    assert_eq!(broken.state_hash(), straight.state_hash());
    assert!(!broken.restore(&[1, 2, 3]));
}

#[test]
fn bad_bodies_are_refused() {
    let bad = |change: fn(&mut BodySpec)| {
        let mut one = body("b", BodyShape::Ball(0.1), Some(1.0), Vec3::ZERO);
        change(&mut one);
        let vehicles = world(TerrainSpec::flat(4.0), cart(), 1e-3);
        BodiesWorld::new(vehicles, vec![one], 2).err().expect("a bad body").to_string()
    };
    assert!(bad(|b| b.mass = Some(0.0)).starts_with("body.0.mass"));
    assert!(bad(|b| b.shape = BodyShape::Ball(-1.0)).starts_with("body.0.size"));
    assert!(bad(|b| b.restitution = 2.0).starts_with("body.0.restitution"));
}
