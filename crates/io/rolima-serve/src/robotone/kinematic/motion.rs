//! How robots in memory move and what they sense.

use super::super::robots::{LidarPlace, RobotAction, RobotNow};
use super::ground::{GroundColour, draw};
use rolima_core::model::ServoSpec;
use rolima_math::{Stream, sin_cos, wrap_angle};
use std::f64::consts::PI;
use std::sync::Arc;

/// Steps of a cycle of 1/60 s.
pub(super) const STEPS_A_CYCLE: u64 = 16;
/// Time of a step, s.
pub(super) const STEP_S: f64 = rolima_wire::robotone::CYCLE_S / STEPS_A_CYCLE as f64;

/// Radius of a wheel and half the distance between the wheels, m.
const WHEEL_RADIUS: f64 = 0.2;
const HALF_TRACK: f64 = 0.35;
/// Largest speed and turning, m/s and rad/s, as those of the preset `robot-one`.
const MAX_SPEED: f64 = 4.0;
const MAX_TURNING: f64 = 2.0 * PI;
/// How near its centre gets to a wall, m.
const BODY_RADIUS: f64 = 0.4;
/// Beams of the lidar, and how far they reach, m.
const BEAMS: usize = 36;
const REACH: f64 = 8.0;

/// What surrounds the robots.
pub(super) struct KinematicScene {
    pub(super) walls: Vec<[f64; 4]>,
    pub(super) ground: GroundColour,
    pub(super) seed: u64,
}

/// A robot in memory.
pub(super) struct KinematicRobot {
    start: [f64; 3],
    pub(super) pose: [f64; 3],
    pub(super) travelled: f64,
    pub(super) frame_pose: [f64; 3],
    velocity: [f64; 2],
    odometry: [f64; 3],
    odometry_std: [f64; 2],
    gps: [f64; 3],
    gps_std: [f64; 3],
    lidar_std: f64,
    trace: bool,
    random: Stream,
    picture: Option<(u64, Arc<Vec<u8>>)>,
}

impl KinematicRobot {
    pub(super) fn new(start: [f64; 3], seed: u64, owner: u64) -> Self {
        Self {
            start,
            pose: start,
            travelled: 0.0,
            frame_pose: start,
            velocity: [0.0; 2],
            odometry: start,
            odometry_std: [0.0; 2],
            gps: start,
            gps_std: [0.0; 3],
            lidar_std: 0.0,
            trace: false,
            random: Stream::new(seed, owner, "kinematic"),
            picture: None,
        }
    }

    pub(super) fn now(&self) -> RobotNow {
        let [linear, angular] = self.velocity;
        RobotNow {
            pose: self.pose,
            velocity: self.velocity,
            wheels: [
                (linear - angular * HALF_TRACK) / WHEEL_RADIUS,
                (linear + angular * HALF_TRACK) / WHEEL_RADIUS,
            ],
            limits: Some([MAX_SPEED, MAX_TURNING]),
            odometry: Some(self.odometry),
            odometry_std: self.odometry_std,
            gps: Some(self.gps),
            gps_std: self.gps_std,
            lidar_std: self.lidar_std,
            trace: self.trace,
        }
    }

    pub(super) fn act(&mut self, action: RobotAction) {
        match action {
            RobotAction::Velocity { linear, angular } => {
                self.velocity = limits().within_limits([linear, angular]);
            }
            RobotAction::Wheels { left, right } => {
                let linear = (left + right) * WHEEL_RADIUS / 2.0;
                let angular = (right - left) * WHEEL_RADIUS / (2.0 * HALF_TRACK);
                self.velocity = limits().within_limits([linear, angular]);
            }
            RobotAction::Actuate { actuator, value } => {
                let [left, right] = self.now().wheels;
                let (left, right) = if actuator == 0 { (value, right) } else { (left, value) };
                self.act(RobotAction::Wheels { left, right });
            }
            RobotAction::Place(pose) => {
                self.pose = pose;
                self.odometry = pose;
                self.gps = self.measured();
            }
            RobotAction::Believe(pose) => self.odometry = pose,
            RobotAction::Reset => {
                self.velocity = [0.0; 2];
                self.act(RobotAction::Place(self.start));
            }
            RobotAction::OdometryStd(std) => self.odometry_std = std,
            RobotAction::GpsStd(std) => {
                self.gps_std = std;
                self.gps = self.measured();
            }
            RobotAction::LidarStd(std) => self.lidar_std = std,
            RobotAction::Trace(trace) => self.trace = trace,
        }
    }

    pub(super) fn step(&mut self, scene: &KinematicScene, is_cycle: bool) {
        let [linear, angular] = self.velocity;
        let (mut forward, mut turn) = (linear * STEP_S, angular * STEP_S);
        self.odometry = moved(self.odometry, forward, turn);
        if is_cycle && (linear != 0.0 || angular != 0.0) {
            forward += self.odometry_std[0] * self.random.normal();
            turn += self.odometry_std[1] * self.random.normal();
        }
        let to = moved(self.pose, forward, turn);
        let is_free = scene.walls.iter().all(|wall| distance(wall, to) >= BODY_RADIUS);
        if is_free || distance_to(scene, to) > distance_to(scene, self.pose) {
            self.travelled += forward.abs();
            self.pose = to;
        } else {
            self.pose[2] = to[2];
        }
        if is_cycle {
            self.gps = self.measured();
        }
    }

    fn measured(&mut self) -> [f64; 3] {
        let mut pose = self.pose;
        for (value, std) in pose.iter_mut().zip(self.gps_std) {
            *value += std * self.random.normal();
        }
        pose
    }

    /// Distances from the left to the right: beam i looks 85 - 5 i degrees to the left.
    pub(super) fn scan(&mut self, scene: &KinematicScene, out: &mut Vec<f32>) -> LidarPlace {
        let [first_bearing, step_bearing] = [85.0, -5.0].map(f64::to_radians);
        for beam in 0..BEAMS {
            let bearing = first_bearing + step_bearing * beam as f64;
            let (sin, cos) = sin_cos(self.pose[2] + bearing);
            let hits = scene.walls.iter().filter_map(|wall| hit(wall, self.pose, [cos, sin]));
            let nearest = hits.fold(REACH, f64::min);
            let noise = if nearest < REACH { self.lidar_std * self.random.normal() } else { 0.0 };
            out.push((nearest + noise).clamp(0.0, REACH) as f32);
        }
        LidarPlace { position: [0.0; 2], first_bearing, step_bearing }
    }

    pub(super) fn picture(&mut self, ground: &GroundColour, number: u64) -> Arc<Vec<u8>> {
        match &self.picture {
            Some((of, rgb)) if *of == number => Arc::clone(rgb),
            _ => {
                let rgb = Arc::new(draw(ground, self.frame_pose));
                self.picture = Some((number, Arc::clone(&rgb)));
                rgb
            }
        }
    }
}

fn limits() -> ServoSpec {
    ServoSpec { max_speed: MAX_SPEED, max_turning: MAX_TURNING, ..ServoSpec::default() }
}

/// Along an arc, by the heading in its middle.
fn moved([x, y, theta]: [f64; 3], forward: f64, turn: f64) -> [f64; 3] {
    let (sin, cos) = sin_cos(theta + turn / 2.0);
    [x + forward * cos, y + forward * sin, wrap_angle(theta + turn)]
}

fn distance_to(scene: &KinematicScene, pose: [f64; 3]) -> f64 {
    scene.walls.iter().map(|wall| distance(wall, pose)).fold(f64::INFINITY, f64::min)
}

fn distance(&[ax, ay, bx, by]: &[f64; 4], [x, y, _]: [f64; 3]) -> f64 {
    let (dx, dy) = (bx - ax, by - ay);
    let length_squared = (dx * dx + dy * dy).max(1e-12);
    let along = (((x - ax) * dx + (y - ay) * dy) / length_squared).clamp(0.0, 1.0);
    let (ex, ey) = (ax + along * dx - x, ay + along * dy - y);
    (ex * ex + ey * ey).sqrt()
}

/// How far a ray goes until it hits a wall.
fn hit(&[ax, ay, bx, by]: &[f64; 4], [x, y, _]: [f64; 3], [cos, sin]: [f64; 2]) -> Option<f64> {
    let (dx, dy) = (bx - ax, by - ay);
    let across = cos * dy - sin * dx;
    let (ox, oy) = (ax - x, ay - y);
    let far = (ox * dy - oy * dx) / across;
    let along = (ox * sin - oy * cos) / across;
    (across != 0.0 && far >= 0.0 && (0.0..=1.0).contains(&along)).then_some(far)
}

type Map = (Vec<[f64; 4]>, Vec<[f64; 3]>);

/// Walls (`W x1 y1 x2 y2`) and robots (`R x y [theta]`) of a text map.
pub(super) fn read_map(bytes: &[u8]) -> Result<Map, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "expected a text map".to_owned())?;
    let (mut walls, mut robots) = (vec![], vec![]);
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split([' ', ',']).filter(|word| !word.is_empty());
        let Some(kind) = words.next() else { continue };
        let numbers: Result<Vec<f64>, _> = words.map(str::parse).collect();
        let wrong = || format!("line {}: expected W x1 y1 x2 y2 or R x y [theta]", index + 1);
        match (kind, numbers.map_err(|_| wrong())?.as_slice()) {
            ("W", &[ax, ay, bx, by]) => walls.push([ax, ay, bx, by]),
            ("R", &[x, y]) => robots.push([x, y, 0.0]),
            ("R", &[x, y, theta]) => robots.push([x, y, theta]),
            _ => return Err(wrong()),
        }
    }
    if robots.is_empty() {
        robots.push([0.0; 3]);
    }
    Ok((walls, robots))
}
