//! What goes out of scenes with rough ground: terrain, vehicles, frames in space.

use rolima_core::model::{
    DriverSpec, GroundSpec, ObjectSpec, RobotLook, RobotSpec, SceneSpec, planar_drive,
    planar_outline, shape::centred_box,
};
use rolima_core::{Frame, Model, WheelFrame, World};
use rolima_math::{Pose2, Pose3, Quat, Stream, Vec2, Vec3};
use rolima_spatial::{Grid, Terrain, TerrainSpec, presets};
use rolima_wire::prost::Message;
use rolima_wire::{Now, heights, pb, scene};
use std::sync::Arc;

fn vehicle(name: &str, preset: &str, x: f64) -> RobotSpec {
    let vehicle = presets::named(preset).expect("a preset");
    RobotSpec {
        name: name.into(),
        team: String::new(),
        pose: Pose2::new(x, 0.5, 0.25),
        velocity: 0.0,
        omega: 0.0,
        shape: vec![planar_outline(&vehicle)],
        drive: planar_drive(&vehicle),
        driver: DriverSpec::None,
        vehicle: Some(Box::new(vehicle)),
        servo: None,
        height: Some(0.3),
        sensors: vec![],
        look: RobotLook::default(),
    }
}

fn ground(nx: usize, ny: usize) -> TerrainSpec {
    let (min, max) = (Vec2::new(-8.0, -4.0), Vec2::new(8.0, 4.0));
    TerrainSpec::from_function(min, max, nx, ny, |x, y| 0.02 * x * x - 0.1 * y)
}

fn model(terrain: TerrainSpec, vehicles: &[&str]) -> Model {
    let terrain = Arc::new(Terrain::new(terrain).expect("a terrain"));
    let robots = vehicles.iter().enumerate();
    let object = ObjectSpec {
        name: "crate".into(),
        pose: Pose2::new(-4.0, 0.0, 0.0),
        velocity: Vec2::ZERO,
        omega: 0.0,
        shape: vec![centred_box(0.2, 0.2)],
        mass: 2.0,
        inertia: None,
        ground_friction: 0.5,
        height: Some(0.2),
        colour: None,
        material: None,
    };
    let spec = SceneSpec {
        title: "Rough".into(),
        ground: Some(GroundSpec::new("a function", terrain)),
        robots: robots
            .map(|(i, preset)| vehicle(&format!("v{i}"), preset, 2.0 * i as f64))
            .collect(),
        objects: vec![object],
        ..SceneSpec::default()
    };
    Model::compile(&spec).expect("a model")
}

#[test]
fn the_terrain_of_a_scene_is_told_with_friction_and_edge() {
    let mut terrain = ground(5, 3);
    terrain.friction = Some(Grid { nx: 2, ny: 1, values: vec![1.0, 0.25] });
    terrain.edge = rolima_spatial::Edge::Ends;
    let model = model(terrain.clone(), &["vivi"]);
    let message = scene::message(&model, 1, "rough");
    let told = message.terrain.as_ref().expect("terrain");
    assert_eq!((told.min_x, told.min_y, told.max_x, told.max_y), (-8.0, -4.0, 8.0, 4.0));
    assert_eq!((told.nx, told.ny, told.extended), (5, 3, false));
    assert_eq!((told.friction_nx, told.friction_ny), (2, 1));
    assert_eq!(told.friction, [1.0, 0.25]);
    let heights = heights::read(told).expect("heights");
    assert!(heights.iter().zip(&terrain.heights.values).all(|(a, b)| (a - b).abs() < 1e-4));
    assert!(message.bounds[0] <= -8.0 && message.bounds[3] >= 4.0, "{:?}", message.bounds);
    let again = pb::Scene::decode(message.encode_to_vec().as_slice()).expect("decodes");
    assert_eq!(again, message);
}

/// The terrain that a viewer has after it was told, and the message's length.
fn retold(model: &Model) -> (Terrain, usize) {
    let message = scene::message(model, 1, "rough");
    let length = message.encoded_len();
    let again = pb::Scene::decode(message.encode_to_vec().as_slice()).expect("decodes");
    let told = again.terrain.expect("terrain");
    let values = heights::read(&told).expect("heights");
    let spec = TerrainSpec {
        min: Vec2::new(told.min_x, told.min_y),
        max: Vec2::new(told.max_x, told.max_y),
        heights: Grid { nx: told.nx as usize, ny: told.ny as usize, values },
        friction: None,
        edge: rolima_spatial::Edge::Extended,
    };
    (Terrain::new(spec).expect("a terrain"), length)
}

/// How far two terrains are apart at most, m, at points all over them, mostly between nodes.
fn apart(a: &Terrain, b: &Terrain) -> f64 {
    let (min, max) = (a.spec().min, a.spec().max);
    let mut random = Stream::new(5, 0, "points");
    let point = |random: &mut Stream| {
        let (x, y) = (random.between(min.x, max.x), random.between(min.y, max.y));
        (a.height(x, y) - b.height(x, y)).abs()
    };
    (0..200_000).map(|_| point(&mut random)).fold(0.0, f64::max)
}

#[test]
fn viewers_get_the_surface_that_wheels_feel() {
    for name in ["proving-ground", "hills", "pipe", "realistic"] {
        let source = rolima_scene::Source::resolve(name).expect("a scene");
        let model = rolima_scene::load(&source, &[]).expect("a scene").compile().expect("a model");
        let (told, length) = retold(&model);
        let ground = &model.spec.ground.as_ref().expect("ground").terrain;
        let nodes = ground.spec().heights.values.len();
        let off = apart(ground, &told);
        assert!(off <= 0.5 * heights::QUANTUM + 1e-9, "{name}: {off} m");
        assert!(length < 2 * nodes + 300_000, "{name}: {length} bytes of {nodes} nodes");
    }
}

#[test]
fn the_largest_and_roughest_terrain_is_told_in_bounded_length() {
    // All nodes that a terrain may have, lopsided, and as rough as can be.
    let (nx, ny) = (4096, 1024);
    let mut random = Stream::new(3, 0, "rough");
    let values = (0..nx * ny).map(|_| random.between(-20.0, 44.0 - 1e-3)).collect();
    let mut terrain = ground(2, 2);
    terrain.heights = Grid { nx, ny, values };
    let model = model(terrain, &["vivi"]);
    let (told, length) = retold(&model);
    assert!(length < heights::MOST_BYTES_A_NODE * nx * ny + 10_000, "{length}");
    let off = apart(&model.spec.ground.as_ref().expect("ground").terrain, &told);
    assert!(off > 0.0 && off <= 0.5 * heights::QUANTUM + 1e-9, "{off} m");
}

#[test]
fn vehicles_are_told_with_wheels_and_chassis_on_flat_scenes_there_is_nothing() {
    let model = model(ground(9, 9), &["vivi", "rover"]);
    let message = scene::message(&model, 1, "rough");
    for (body, robot) in message.bodies.iter().zip(&model.spec.robots) {
        let vehicle = robot.vehicle.as_ref().expect("a vehicle");
        assert_eq!(body.wheels.len(), vehicle.wheels.len());
        // The vehicle's origin is on the ground: relaxed wheels stand on it, or hang above.
        let lowest = body.wheels.iter().map(|w| w.z - w.radius).fold(f32::INFINITY, f32::min);
        assert!(lowest.abs() < 1e-6, "{lowest}");
        let [min_x, min_y, min_z, max_x, max_y, max_z] = body.chassis[..] else { panic!("a box") };
        assert!(min_x < 0.0 && min_y < 0.0 && max_x > 0.0 && max_y > 0.0);
        let ride = vehicle.ride_height() as f32;
        assert!(min_z < ride && max_z > ride);
    }
    assert!(message.bodies[2].wheels.is_empty() && message.bodies[2].chassis.is_empty());
    let source = rolima_scene::Source::resolve("soccer").expect("a scene");
    let flat = rolima_scene::load(&source, &[]).expect("a scene").compile().expect("a model");
    let message = scene::message(&flat, 1, "soccer");
    assert!(message.terrain.is_none() && message.bodies.iter().all(|b| b.wheels.is_empty()));
    let frame = Now::of(1, &World::new(Arc::new(flat)).frame()).key_frame();
    assert!(frame.z.is_empty() && frame.qw.is_empty() && frame.wheel_load.is_empty());
}

/// A frame of made-up places: every number differs from every other.
fn made_up(world: &World, counts: &[u32], seed: f64) -> Frame {
    let mut frame = world.frame();
    frame.spatial = (0..frame.bodies.len())
        .map(|i| Pose3 {
            position: Vec3::new(0.0, 0.0, seed + i as f64),
            rotation: Quat { w: 0.5, x: 0.5, y: -0.5, z: 0.5 + seed + 0.01 * i as f64 },
        })
        .collect();
    let wheels: u32 = counts.iter().sum();
    let wheel = |i: u32| WheelFrame {
        steer: f64::from(i) + 0.4,
        angle: f64::from(i),
        spin: f64::from(i) + 0.1,
        compression: f64::from(i) + 0.2,
        load: f64::from(i) + 0.3,
    };
    frame.wheels = (0..wheels).map(wheel).collect();
    frame
}

#[test]
fn differences_carry_the_wheels_of_the_bodies_that_changed() {
    let model = Arc::new(model(ground(9, 9), &["vivi", "rover", "vivi"]));
    let scene = scene::message(&model, 1, "rough");
    let counts: Vec<u32> = scene.bodies.iter().map(|body| body.wheels.len() as u32).collect();
    let [first, second, third, 0] = counts[..] else { panic!("{counts:?}") };
    assert!(first != second && third > 0);
    let world = World::new(model);
    let mut frame = made_up(&world, &counts, 0.0);
    let before = Now::of(1, &frame);
    let whole = before.key_frame();
    assert_eq!((whole.z.len(), whole.qz.len()), (4, 4));
    assert_eq!(whole.wheel_angle.len() as u32, first + second + third);

    let nothing = before.difference(&before, &counts);
    assert!(nothing.body.is_empty() && nothing.z.is_empty() && nothing.wheel_angle.is_empty());

    // A wheel of the second one turns; the crate is lifted.
    frame.wheels[first as usize + 1].angle = 77.0;
    frame.spatial[3].position.z = 99.0;
    let now = Now::of(1, &frame);
    let difference = now.difference(&before, &counts);
    assert_eq!(difference.body, [1, 3]);
    assert_eq!(difference.z, [1.0, 99.0]);
    assert_eq!(difference.wheel_angle.len() as u32, second);
    assert_eq!(difference.wheel_angle[1], 77.0);
    assert_eq!(difference.wheel_angle[0], first as f32);
    assert_eq!(difference.wheel_spin[0], first as f32 + 0.1);
    assert_eq!(difference.wheel_steer[2], (f64::from(first + 2) + 0.4) as f32);
    assert_eq!(difference.wheel_raised[2], (f64::from(first + 2) + 0.2) as f32);
    assert_eq!(difference.wheel_load.len(), difference.wheel_angle.len());

    // Only tilted: the shadow on the plane is the same.
    frame.spatial[0].rotation.x = 0.25;
    let tilted = Now::of(1, &frame).difference(&now, &counts);
    assert_eq!((tilted.body.as_slice(), tilted.qx.as_slice()), ([0].as_slice(), [0.25].as_slice()));

    // Numbers of wheels that contradict the frame lose wheels, and panic never.
    let short = now.difference(&before, &[1000]);
    assert!(short.wheel_angle.len() <= before.wheels.len());
    let other = Now::of(1, &made_up(&world, &[1], 0.0));
    assert!(other.difference(&before, &counts).key, "of another kind: whole");
}
