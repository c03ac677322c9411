//! Sensors of vehicles on rough ground.

use crate::common;

use common::spatial::{flat, on, slope, vehicle, world};
use core::f64::consts::{FRAC_PI_2, TAU};
use rolima_core::model::spatial::{TerrainSpec, presets};
use rolima_core::model::{
    CameraSpec, EncodersSpec, GpsSpec, ImuSpec, LidarSpec, OdometrySpec, Rate, SceneSpec,
    SensorKind, SensorSpec, SonarSpec, WallSpec,
};
use rolima_core::{Command, RobotId, Volts, World};
use rolima_math::{Pose2, Vec2, Vec3};

/// Four beams: ahead, to the left, behind, to the right.
fn cross() -> SensorKind {
    SensorKind::Lidar(LidarSpec {
        beams: 4,
        first_bearing: 0.0,
        step_bearing: FRAC_PI_2,
        range: 20.0,
        height: 0.4,
        rate: Rate::per_second(1000.0),
        ..LidarSpec::default()
    })
}

fn with_sensors(mut scene: SceneSpec, pose: Pose2, kinds: Vec<SensorKind>) -> SceneSpec {
    let mut robot = vehicle("a", presets::skid_steer(), pose);
    robot.servo = Some(Default::default());
    let named = |(i, kind)| SensorSpec { name: format!("sensor {i}"), kind };
    robot.sensors = kinds.into_iter().enumerate().map(named).collect();
    scene.robots = vec![robot];
    scene
}

fn close(a: f64, b: f64, most: f64) {
    assert!((a - b).abs() <= most, "{a} against {b}, by more than {most}");
}

/// Level up to x = 5 m, then a ramp.
fn ramp(degrees: f64) -> SceneSpec {
    let (sin, cos) = rolima_math::sin_cos(degrees.to_radians());
    let (min, max) = (Vec2::new(-20.0, -20.0), Vec2::new(20.0, 20.0));
    let height = |x: f64, _| (x - 5.0).max(0.0) * sin / cos;
    on("ramp", TerrainSpec::from_function(min, max, 81, 81, height))
}

#[test]
fn a_lidar_sees_a_hill_ahead_at_the_distance_of_the_closed_form() {
    for heading in [0.0, 0.5, -0.7] {
        let scene = with_sensors(ramp(30.0), Pose2::new(-1.0, 0.5, heading), vec![cross()]);
        let mut world = world(&scene);
        world.steps(2000);
        let frame = world.frame();
        let pose = frame.spatial[0];
        let from = pose.transform(Vec3::new(0.0, 0.0, 0.4));
        let along = pose.rotation.rotate(Vec3::new(1.0, 0.0, 0.0));
        // z + t dz = tan(30) (x + t dx - 5).
        let rise = rolima_math::sin_cos(30f64.to_radians());
        let rise = rise.0 / rise.1;
        let expected = (from.z - rise * (from.x - 5.0)) / (rise * along.x - along.z);
        let reading = world.reading(0);
        close(reading[0], expected, 1e-9);
        assert!(reading[0] > 6.0 && reading[2] == 20.0, "{reading:?}: nothing behind");
    }
}

#[test]
fn beams_are_as_tilted_as_the_vehicle() {
    // Nose down on a slope that ends in level ground: beams ahead end on it.
    let (min, max) = (Vec2::new(-20.0, -20.0), Vec2::new(20.0, 20.0));
    let terrain = TerrainSpec::from_function(min, max, 81, 81, |x, _| (2.0 - x).max(0.0) * 0.25);
    let scene = with_sensors(on("foot", terrain), Pose2::new(-1.0, 0.0, 0.0), vec![cross()]);
    let mut world = world(&scene);
    world.steps(1500);
    let pose = world.frame().spatial[0];
    let from = pose.transform(Vec3::new(0.0, 0.0, 0.4));
    let along = pose.rotation.rotate(Vec3::new(1.0, 0.0, 0.0));
    assert!(along.z < -0.2, "{along:?}");
    close(world.reading(0)[0], from.z / -along.z, 1e-9);
}

#[test]
fn lidars_see_walls_and_other_vehicles_but_not_their_own() {
    let mut scene = with_sensors(flat(), Pose2::new(0.0, 0.0, 0.0), vec![cross()]);
    let segment =
        |from: Vec2, to: Vec2| WallSpec::Segment { from, to, thickness: 0.1, height: 1.0 };
    scene.walls = vec![segment(Vec2::new(4.05, -1.0), Vec2::new(4.05, 1.0))];
    let mut low = vehicle("b", presets::skid_steer(), Pose2::new(0.0, 3.0, 0.0));
    low.sensors = vec![];
    scene.robots.push(low);
    if let SensorKind::Lidar(lidar) = &mut scene.robots[0].sensors[0].kind {
        // In the middle of the other one's chassis.
        lidar.height = 0.25;
    }
    let mut world = world(&scene);
    world.steps(1500);
    let reading = world.reading(0).to_vec();
    let at = world.frame().spatial[0].position;
    close(reading[0], 4.0 - at.x, 1e-2);
    let other = world.frame().spatial[1].position;
    close(reading[1], other.y - 0.22 - at.y, 1e-2);
    assert_eq!(reading[2..], [20.0, 20.0]);
}

#[test]
fn a_sonar_hears_a_wall_and_the_steep_side_of_a_hill() {
    let sonar = SonarSpec {
        ring: vec![Pose2::IDENTITY],
        range: 15.0,
        rate: Rate::per_second(1000.0),
        ..SonarSpec::default()
    };
    let read = |scene: SceneSpec| {
        let sensors = vec![SensorKind::Sonar(sonar.clone())];
        let mut world = world(&with_sensors(scene, Pose2::new(0.0, 0.0, 0.0), sensors));
        world.steps(1500);
        world.reading(0)[0]
    };
    let mut walled = flat();
    let (from, to) = (Vec2::new(3.0, -2.0), Vec2::new(3.0, 2.0));
    walled.walls = vec![WallSpec::Segment { from, to, thickness: 0.0, height: 1.0 }];
    close(read(walled), 3.0, 0.02);
    assert_eq!(read(flat()), 15.0, "level ground does not echo");
    let (steep, gentle) = (read(ramp(70.0)), read(ramp(20.0)));
    assert!((5.0..5.2).contains(&steep), "{steep}");
    assert_eq!(gentle, 15.0, "a gentle slope throws the sound away");
}

fn quiet_imu() -> ImuSpec {
    ImuSpec {
        accelerometer_density: 0.0,
        accelerometer_walk: 0.0,
        gyro_density: 0.0,
        gyro_walk: 0.0,
        ..ImuSpec::default()
    }
}

#[test]
fn an_inertial_unit_feels_gravity_along_its_tilted_axes() {
    for heading in [0.0, 1.0, FRAC_PI_2, 3.0] {
        let sensors = vec![SensorKind::Imu(quiet_imu())];
        let scene = with_sensors(slope(15.0), Pose2::new(0.0, 0.0, heading), sensors);
        let mut world = world(&scene);
        world.steps(4000);
        let [forward, left, _] = world.frame().spatial[0].rotation.axes();
        let g = world.model().spec.sim.gravity;
        let reading = world.reading(0);
        close(reading[0], g * forward.z, 2e-3);
        close(reading[1], g * left.z, 2e-3);
        close(reading[2], 0.0, 1e-4);
        let steep = (forward.z * forward.z + left.z * left.z).sqrt();
        close(steep, rolima_math::sin(15f64.to_radians()), 0.02);
    }
}

#[test]
fn an_inertial_unit_feels_speeding_up_and_turning() {
    let scene = with_sensors(
        flat(),
        Pose2::new(0.0, 0.0, 0.3),
        vec![SensorKind::Imu(quiet_imu()), SensorKind::Gps(GpsSpec::default())],
    );
    let mut world = world(&scene);
    world.steps(500);
    world.command(RobotId(0), Command::Velocity { v: 1.0, omega: 0.0 }).unwrap();
    let (mut speed, mut peak) = (0.0, 0.0f64);
    for _ in 0..200 {
        world.steps(10);
        speed += world.reading(0)[0] * 0.01;
        peak = peak.max(world.reading(0)[0]);
    }
    let forward = world.frame().bodies[0].velocity.length();
    // The chassis noses up while it speeds up, which gravity adds to the integral.
    close(speed, forward, 0.15);
    assert!(peak > 1.0 && forward > 0.95, "{peak} {forward}");
    world.command(RobotId(0), Command::Velocity { v: 0.0, omega: 1.0 }).unwrap();
    world.steps(3000);
    let (before, mut turned) = (world.frame().bodies[0].pose.theta(), 0.0);
    for _ in 0..100 {
        world.steps(10);
        turned += world.reading(0)[2] * 0.01;
    }
    let after = world.frame().bodies[0].pose.theta();
    close(turned, (after - before).rem_euclid(TAU), 0.01);
    assert!(turned > 0.2, "{turned}");
}

#[test]
fn gps_follows_the_shadow_and_cameras_keep_where_everything_was_in_space() {
    let gps = GpsSpec { sigma: [0.0; 3], rate: Rate::per_second(1000.0), ..GpsSpec::default() };
    let camera = CameraSpec { rate: Rate::per_second(50.0), ..CameraSpec::default() };
    let sensors = vec![SensorKind::Gps(gps), SensorKind::Camera(camera)];
    let scene = with_sensors(slope(12.0), Pose2::new(1.0, 2.0, 0.8), sensors);
    let mut world = world(&scene);
    world.command(RobotId(0), Volts { right: 10.0, left: 14.0 }).unwrap();
    world.steps(2000);
    let frame = world.frame();
    let pose = frame.bodies[0].pose;
    assert_eq!(world.reading(0), [pose.position.x, pose.position.y, pose.theta()]);
    assert!((pose.position - Vec2::new(1.0, 2.0)).length() > 0.5);
    let exposure = world.exposure(1).expect("a camera");
    assert_eq!(exposure.step, 2000);
    assert_eq!(exposure.spatial[0], frame.spatial[0]);
    world.steps(7);
    assert_eq!(world.exposure(1).expect("a camera").spatial[0], frame.spatial[0]);
}

/// True and believed motion: way along the first heading, and turn.
fn driven(world: &mut World, command: Command, steps: u64) -> ([f64; 2], [f64; 2]) {
    let true_pose = |world: &World| world.frame().bodies[0].pose;
    let believed = |world: &World| {
        let r = world.reading(0);
        Pose2::new(r[0], r[1], r[2])
    };
    let (a, b) = (true_pose(world), believed(world));
    world.command(RobotId(0), command).expect("a good command");
    let mut turns = [0.0; 2];
    for _ in 0..steps / 50 {
        let (from, known) = (true_pose(world).theta(), believed(world).theta());
        world.steps(50);
        turns[0] += rolima_math::wrap_angle(true_pose(world).theta() - from);
        turns[1] += rolima_math::wrap_angle(believed(world).theta() - known);
    }
    let way = |from: Pose2, to: Pose2| (to.position - from.position).dot(from.rotation.x_axis());
    ([way(a, true_pose(world)), turns[0]], [way(b, believed(world)), turns[1]])
}

#[test]
fn odometry_is_right_straight_on_and_drifts_in_skid_turns() {
    let rate = Rate::per_second(1000.0);
    let odometry = OdometrySpec { rate, ..OdometrySpec::default() };
    let encoders = EncodersSpec { rate, ..EncodersSpec::default() };
    let sensors = vec![SensorKind::Odometry(odometry), SensorKind::Encoders(encoders)];
    let mut world = world(&with_sensors(flat(), Pose2::new(0.0, 0.0, 0.4), sensors));
    world.steps(500);
    let straight = Command::Velocity { v: 0.8, omega: 0.0 };
    let (truth, believed) = driven(&mut world, straight, 4000);
    assert!(truth[0] > 2.0, "{truth:?}");
    close(believed[0] / truth[0], 1.0, 0.03);
    close(believed[1], truth[1], 0.02);
    world.command(RobotId(0), Command::Velocity { v: 0.0, omega: 0.0 }).unwrap();
    world.steps(2000);
    let (truth, believed) = driven(&mut world, Command::Velocity { v: 0.0, omega: 1.0 }, 6000);
    assert!(truth[1] > 1.0 && believed[1] > 1.2 * truth[1], "{truth:?} {believed:?}");
}
