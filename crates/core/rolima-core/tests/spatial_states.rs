//! States on rough ground: the same bits by every path through time.

use crate::common;

use common::spatial::{hills, on, slope, vehicle, world};
use rolima_core::model::spatial::{Edge, Grid, TerrainSpec, presets};
use rolima_core::model::{
    BallSpec, CameraSpec, ContactResponse, DriverSpec, EncodersSpec, GpsSpec, ImuSpec, LidarSpec,
    Model, MotionErrorSpec, OdometrySpec, SceneSpec, SensorKind, SensorSpec, SonarSpec,
};
use rolima_core::{BodyId, EventKind, Frame, Happened, Observer, RobotId, Volts, World, WorldEnd};
use rolima_math::{Pose2, Vec2};

/// Vehicles of every preset with all sensors and drivers on hills.
fn lively() -> SceneSpec {
    let mut scene = hills();
    for (i, name) in presets::NAMES.into_iter().enumerate() {
        let at = Pose2::new(5.0 * i as f64 - 8.0, 1.5 * i as f64, 1.0 + i as f64);
        let mut robot = vehicle(name, presets::named(name).expect("a preset"), at);
        robot.servo = Some(Default::default());
        robot.driver = match i {
            0 => DriverSpec::Random { max_volts: 12.0, period_s: 0.2 },
            1 => DriverSpec::Constant { left: 8.0, right: 9.0 },
            _ => DriverSpec::Wander { speed: 0.4, turning: 0.6, period_s: 0.3 },
        };
        let motion = MotionErrorSpec { sigma_linear: 1e-4, sigma_angular: 1e-4 };
        let kinds = vec![
            SensorKind::Gps(GpsSpec { sigma: [0.01; 3], ..GpsSpec::default() }),
            SensorKind::Odometry(OdometrySpec { motion, ..OdometrySpec::default() }),
            SensorKind::Encoders(EncodersSpec::default()),
            SensorKind::Imu(ImuSpec::default()),
            SensorKind::Lidar(LidarSpec { sigma: 0.01, ..LidarSpec::default() }),
            SensorKind::Sonar(SonarSpec { sigma: 0.01, ..SonarSpec::default() }),
            SensorKind::Camera(CameraSpec::default()),
        ];
        let named = |(k, kind)| SensorSpec { name: format!("sensor {k}"), kind };
        robot.sensors = kinds.into_iter().enumerate().map(named).collect();
        scene.robots.push(robot);
    }
    scene
}

struct Watcher;

impl Observer for Watcher {
    fn every_steps(&self) -> u64 {
        3
    }
    fn on_frame(&mut self, frame: &Frame) {
        assert!(frame.spatial.len() == frame.bodies.len() && !frame.wheels.is_empty());
    }
}

fn disturb(world: &mut World) {
    for robot in 0..world.model().robots.len() as u32 {
        world.command(RobotId(robot), Volts { right: 3.0, left: -9.0 }).expect("a good command");
    }
    world.steps(150);
    assert!(world.place_body(RobotId(1), Pose2::new(3.0, 2.0, 1.0)));
    assert!(world.push(RobotId(1), Vec2::new(3.0, 2.2), Vec2::new(20.0, 5.0)));
    world.release(RobotId(0));
    world.steps(50);
}

#[test]
fn observers_snapshots_and_resets_change_no_bit() {
    let steps = if cfg!(debug_assertions) { 400 } else { 4000 };
    let scene = lively();
    let mut plain = world(&scene);
    let first = plain.state_hash();
    plain.steps(steps);
    let hash = plain.state_hash();

    let mut watched = world(&scene);
    watched.observe(Box::new(Watcher));
    watched.steps(steps);
    assert_eq!(watched.state_hash(), hash, "observers");

    let mut saved = world(&scene);
    saved.steps(steps / 3);
    let (bytes, frame) = (saved.snapshot(), saved.frame());
    disturb(&mut saved);
    assert_ne!(saved.state_hash(), hash);
    saved.restore(&bytes).expect("its own snapshot");
    assert_eq!(saved.frame(), frame, "a restored world shows the same frame");
    saved.steps(steps - steps / 3);
    assert_eq!(saved.state_hash(), hash, "restored");

    let mut fresh = world(&scene);
    fresh.restore(&bytes).expect("a snapshot of the same scene");
    fresh.steps(steps - steps / 3);
    assert_eq!(fresh.state_hash(), hash, "restored in another world");

    disturb(&mut saved);
    saved.reset();
    assert_eq!(saved.state_hash(), first);
    saved.steps(steps);
    assert_eq!(saved.state_hash(), hash, "reset");

    let mut other = World::with_seed(std::sync::Arc::new(saved.model().clone()), 99);
    other.steps(steps);
    assert_ne!(other.state_hash(), hash, "another seed");
}

#[test]
fn every_command_and_brake_is_in_the_snapshot() {
    let mut scene = slope(10.0);
    scene.robots = vec![vehicle("a", presets::rover(), Pose2::new(0.0, 0.0, 0.5))];
    scene.robots[0].servo = Some(Default::default());
    let mut world = world(&scene);
    let mut copy = World::new(std::sync::Arc::new(world.model().clone()));
    for (i, volts) in [Some(9.0), None, Some(-4.0), None].into_iter().enumerate() {
        match volts {
            Some(volts) => world.command(RobotId(0), Volts { right: volts, left: volts }),
            None => world.stop(RobotId(0)),
        }
        .expect("a good command");
        // Between a command and the control period in which it is obeyed, too.
        for _ in 0..7 {
            copy.restore(&world.snapshot()).expect("a snapshot of the same scene");
            world.steps(1 + i as u64);
            copy.steps(1 + i as u64);
            assert_eq!(copy.state_hash(), world.state_hash());
        }
        world.steps(500);
    }
}

#[test]
fn a_run_ends_with_an_event_when_a_vehicle_leaves_a_terrain_that_ends() {
    let mut terrain = TerrainSpec::flat(4.0);
    terrain.edge = Edge::Ends;
    let mut scene = on("table", terrain);
    scene.robots = vec![vehicle("a", presets::skid_steer(), Pose2::new(0.5, 0.0, 0.0))];
    scene.robots[0].driver = DriverSpec::Constant { left: 20.0, right: 20.0 };
    let mut world = world(&scene);
    let done = world.steps(6000);
    assert!(done < 6000 && done == world.state().step, "{done}");
    assert_eq!(world.state().event_count(EventKind::LeftTerrain), 1);
    let told = world.take_events();
    assert!(
        told.iter().any(|e| e.kind() == EventKind::LeftTerrain && e.step + 1 == done),
        "{told:?}"
    );
    // The world stays as it is, whoever steps it, and says why.
    let hash = world.state_hash();
    world.step();
    assert_eq!((world.steps(100), world.state_hash()), (0, hash));
    assert_eq!(
        (world.end(), world.frame().end),
        (Some(WorldEnd { robot: RobotId(0) }), Some(WorldEnd { robot: RobotId(0) }))
    );
    let mut copy = self::world(&scene);
    assert_eq!(copy.end(), None);
    copy.restore(&world.snapshot()).expect("a snapshot of the same scene");
    assert_eq!((copy.end(), copy.steps(10)), (world.end(), 0));
    copy.reset();
    assert_eq!((copy.end(), copy.steps(10)), (None, 10));
    let at = world.frame().bodies[0];
    assert!((2.0..2.1).contains(&at.pose.position.x), "{at:?}");
    assert!(
        at.velocity == Vec2::ZERO && !world.push(BodyId(0), at.pose.position, Vec2::new(9.0, 0.0))
    );
    // Put back, it drives again, and leaves again.
    assert!(world.place_body(BodyId(0), Pose2::new(-1.0, 0.0, 0.0)));
    assert_eq!((world.end(), world.steps(1000)), (None, 1000));
    assert!(world.frame().bodies[0].velocity.x > 0.5);
    world.steps(5000);
    assert_eq!(world.state().event_count(EventKind::LeftTerrain), 2);
}

#[test]
fn a_ball_that_leaves_a_terrain_that_ends_is_told_of() {
    let terrain = TerrainSpec { edge: Edge::Ends, ..TerrainSpec::flat(4.0) };
    let mut scene = on("table", terrain);
    let velocity = Vec2::new(3.0, 0.0);
    let ball = BallSpec { position: Vec2::new(1.0, 0.0), velocity, ..BallSpec::default() };
    scene.balls = vec![ball];
    let mut world = world(&scene);
    world.steps(2000);
    assert_eq!(world.state().event_count(EventKind::LeftTerrain), 1);
    let events = world.take_events();
    let told = events.iter().find(|event| event.kind() == EventKind::LeftTerrain);
    assert_eq!(told.map(|event| event.what), Some(Happened::LeftTerrain { body: BodyId(0) }));
}

#[test]
fn a_vehicle_s_tyres_slide_on_ice_and_not_at_rest() {
    let mut terrain = TerrainSpec::flat(40.0);
    terrain.friction = Some(Grid { nx: 1, ny: 1, values: vec![0.05] });
    let mut scene = on("ice", terrain);
    scene.robots = vec![vehicle("a", presets::skid_steer(), Pose2::new(0.0, 0.0, 0.0))];
    let mut world = world(&scene);
    world.steps(500);
    assert!(!world.frame().bodies[0].slips);
    world.command(RobotId(0), Volts { right: 20.0, left: 20.0 }).expect("a good command");
    world.steps(500);
    assert!(world.frame().bodies[0].slips);
}

#[test]
fn pushes_that_are_no_number_or_absurd_change_nothing() {
    let mut scene = slope(5.0);
    scene.robots = vec![vehicle("a", presets::vivi(), Pose2::new(0.5, 0.0, 0.0))];
    let mut world = world(&scene);
    world.steps(100);
    let hash = world.state_hash();
    let at = Vec2::new(0.5, 0.1);
    for bad in [Vec2::new(f64::NAN, 0.0), Vec2::new(1e9, 0.0), Vec2::new(0.0, f64::INFINITY)] {
        assert!(!world.push(BodyId(0), at, bad));
    }
    assert!(!world.push(BodyId(7), at, Vec2::ZERO));
    assert!(!world.place_body(BodyId(0), Pose2::new(f64::NAN, 0.0, 0.0)));
    assert_eq!(world.state_hash(), hash);
    let before = world.kinetic_energy();
    assert!(world.push(BodyId(0), at, Vec2::new(0.0, 60.0)));
    let body = world.frame().bodies[0];
    assert!((body.velocity.y - 1.0).abs() < 1e-2, "60 N s on 60 kg: {:?}", body.velocity);
    assert!((world.kinetic_energy() - before - 30.0).abs() < 3.0, "{}", world.kinetic_energy());
}

/// The error of a scene with a change.
fn error(change: impl FnOnce(&mut SceneSpec)) -> String {
    let mut scene = slope(5.0);
    scene.robots = vec![
        vehicle("a", presets::vivi(), Pose2::new(0.5, 0.0, 0.0)),
        vehicle("b", presets::rover(), Pose2::new(4.5, 0.0, 0.0)),
    ];
    change(&mut scene);
    Model::compile(&scene).expect_err("a bad scene").to_string()
}

#[test]
fn what_cannot_be_is_told_by_the_keys_of_the_scene() {
    fn ground(scene: &mut SceneSpec) -> &mut rolima_core::model::GroundSpec {
        scene.ground.as_mut().expect("ground")
    }
    fn wheel(scene: &mut SceneSpec) -> &mut rolima_core::model::spatial::WheelSpec {
        &mut scene.robots[1].vehicle.as_mut().expect("a vehicle").wheels[2]
    }
    let told = [
        (error(|s| s.robots[1].vehicle = None), "robot.1.vehicle: expected a vehicle, as the"),
        (error(|s| s.ground = None), "robot.0.vehicle: expected ground in the scene"),
        (error(|s| wheel(s).radius = -1.0), "robot.1.vehicle.wheel.2.radius: expected"),
        (error(|s| wheel(s).suspension.stiffness = 0.0), "robot.1.vehicle.wheel.2.suspension.s"),
        (error(|s| ground(s).fine_step_s = 3e-4), "ground.fine_step_s: expected a whole part of"),
        (error(|s| ground(s).fine_step_s = 2e-3), "ground.fine_step_s: expected a number from"),
        (error(|s| ground(s).control_period_s = 1.5e-3), "ground.control_period_s: expected a mu"),
        (error(|s| ground(s).slices = 4), "ground.slices: expected an odd number"),
        (error(|s| ground(s).tyre_every = 0), "ground.tyre_every: expected"),
        (error(|s| s.sim.gravity = 200.0), "sim.gravity: expected"),
        (error(|s| s.robots[0].pose.position.x = f64::NAN), "robot.0.pose: expected a pose"),
        (
            error(|s| s.contact.response = ContactResponse::EquivalentSphere),
            "contact.response: expected rigid",
        ),
        (
            error(|s| {
                let wheels = &mut s.robots[0].vehicle.as_mut().expect("a vehicle").wheels;
                wheels.iter_mut().filter(|w| w.position.y > 0.0).for_each(|w| w.motor = None);
            }),
            "robot.0.vehicle.wheel: expected a wheel with a motor on the left side",
        ),
    ];
    for (got, expected) in told {
        assert!(got.starts_with(expected), "{got:?} does not start with {expected:?}");
    }
}

#[test]
fn the_fingerprint_knows_ground_and_vehicles() {
    let mut scene = slope(5.0);
    scene.robots = vec![vehicle("a", presets::vivi(), Pose2::new(0.5, 0.0, 0.0))];
    let print = |scene: &SceneSpec| Model::compile(scene).expect("a good scene").fingerprint;
    let first = print(&scene);
    let mut other = scene.clone();
    other.robots[0].vehicle.as_mut().expect("a vehicle").wheels[3].crown *= 1.01;
    assert_ne!(print(&other), first);
    let mut steeper = slope(5.01);
    steeper.robots = scene.robots.clone();
    assert_ne!(print(&steeper), first);
    let mut finer = scene.clone();
    finer.ground.as_mut().expect("ground").fine_step_s = 5e-4;
    assert_ne!(print(&finer), first);
}
