//! What of a scene shapes the course of its world: the fingerprint. Names do: streams of random numbers, goals, hitches and scores
//! go by them.

use crate::spec::{
    BallFriction, BallSpec, BumperSpec, CameraSpec, ContactResponse, ContactSpec, DriveSpec,
    DriverSpec, EncodersSpec, GoalSpec, GpsSpec, GroundSpec, ImuSpec, Integrator, LidarSpec,
    MotionErrorSpec, ObjectSpec, OdometrySpec, PartSpec, Rate, RobotSpec, RouteSpec, SceneSpec,
    SensorKind, SensorSpec, ServoSpec, SimSpec, SonarSpec, TractionSpec, WallSpec, WorldSensorSpec,
    ZoneSpec,
};
use rolima_math::physics;

physics! {
    // What is only seen touches nothing, and vision is what agents around the world see by.
    SceneSpec {
        sim, contact, ground, walls, robots, balls, objects, zones, sensors;
        title, markings, meshes, look, vision, materials, floors, wall_materials
    }
    // A world has one fingerprint for all seeds.
    SimSpec { step_s, integrator, gravity; seed }
    enum Integrator { Euler = 0, Rk4 = 1, Exact = 2 }
    ContactSpec { response, restitution, friction, restitution_threshold, iterations }
    enum ContactResponse { Rigid = 0, EquivalentSphere = 1 }
    GroundSpec {
        terrain, fine_step_s, control_period_s, slices, contact_every, tyre_every; name, texture
    }

    enum PartSpec {
        Circle { center, radius } = 0,
        Box { pose, size } = 1,
        Polygon { vertices } = 2,
    }
    enum WallSpec {
        Segment { from, to, thickness, height } = 0,
        Arc { center, radius, from_angle, to_angle, thickness, height } = 1,
        Polygon { vertices, height } = 2,
    }
    BallSpec { name, position, velocity, radius, mass, friction; colour, material }
    enum BallFriction { Viscous { beta } = 0, Rolling { mu_slide, deceleration } = 1 }
    ObjectSpec {
        name, pose, velocity, omega, shape, mass, inertia, ground_friction, height; colour, material
    }
    ZoneSpec { name, min, max, scores_for, kick_off }

    RobotSpec {
        name, team, pose, velocity, omega, shape, drive, vehicle, servo, driver, height, sensors; look
    }
    DriveSpec {
        wheel_distance, wheel_radius_right, wheel_radius_left, mass, inertia, friction_linear, friction_angular,
        wheel_inertia_right, wheel_inertia_left, axle_friction_right, axle_friction_left, motor_constant_right,
        motor_constant_left, conductance_right, conductance_left, supply, traction
    }
    TractionSpec { mu_static, mu_kinetic }
    ServoSpec { max_speed, max_turning, acceleration, turning_acceleration }
    enum DriverSpec {
        None = 0,
        Constant { left, right } = 1,
        Random { max_volts, period_s } = 2,
        Wander { speed, turning, period_s } = 3,
        Chaser { max_volts, patience_s } = 4,
        GoTo { route; vision } = 5,
    }
    RouteSpec { goals, repeat, wait_s }
    enum GoalSpec { Pose(pose) = 0, Ball { ball, aim } = 1 }

    SensorSpec { name, kind }
    WorldSensorSpec { name, kind, position, heading, tilt, roll; background }
    enum SensorKind {
        Gps(spec) = 0,
        Odometry(spec) = 1,
        Encoders(spec) = 2,
        Imu(spec) = 3,
        Lidar(spec) = 4,
        Sonar(spec) = 5,
        Bumper(spec) = 6,
        Camera(spec) = 7,
    }
    Rate { period_s, phase_s }
    GpsSpec { sigma, mount, rate }
    OdometrySpec { radius_factor, distance_factor, slip, motion, rate }
    MotionErrorSpec { sigma_linear, sigma_angular }
    EncodersSpec { ticks_per_turn, rate }
    ImuSpec {
        accelerometer_bias, accelerometer_density, accelerometer_walk, accelerometer_range, gyro_bias, gyro_density,
        gyro_walk, gyro_range, mount, rate
    }
    LidarSpec { beams, first_bearing, step_bearing, range, sigma, mount, height, rate }
    SonarSpec { ring, cone, rays, most_incidence, range, least, sigma, height, rate }
    BumperSpec { sectors, first_bearing, span, least_force, rate }
    CameraSpec {
        pixels, opening, mount, heading, tilt, near, sigma, smooth, shadows, rate, imaging;
        preset
    }
}
