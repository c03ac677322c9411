//! Inertial unit: two accelerometers in the plane and a gyroscope about the vertical.
//!
//! It reads what it met since the reading before: the mean specific force is the change of its
//! velocity over the time between, seen in its frame in the middle of that time (on flat ground
//! gravity has no part in it), and the mean turning is the turn over that time.
//!
//! ```text
//! reading = truth + bias + (density / sqrt(dt)) randn,   bias += (walk sqrt(dt)) randn
//! ```
//!
//! On rough ground the unit sits in the chassis at the height of the centre of mass; its
//! accelerometers feel gravity along their tilted axes, and the gyroscope turning about its own up
//! axis.
//!
//! It saturates. Biases walk first, then readings are taken.

use crate::noise::gaussian;
use crate::truth::{SpaceTruth, Truth};
use crate::words::{Words, flag, number, numbers, stream};
use core::f64::consts::TAU;
use rolima_math::{Quat, Rot2, Stream, Vec2, Vec3, atan2, wrap_angle};
use rolima_model::{ImuSpec, ModelError, check_sigma};

/// What changes of an inertial unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ImuState {
    /// Bias of the accelerometers now, m/s2.
    pub accelerometer_bias: [f64; 2],
    /// Bias of the gyroscope now, rad/s.
    pub gyro_bias: f64,
    /// White noise of the accelerometers now, m/s2/sqrt(Hz).
    pub accelerometer_density: f64,
    /// White noise of the gyroscope now, rad/s/sqrt(Hz).
    pub gyro_density: f64,
    /// Random walk of the accelerometers' biases now, m/s2/sqrt(s).
    pub accelerometer_walk: f64,
    /// Random walk of the gyroscope's bias now, rad/s/sqrt(s).
    pub gyro_walk: f64,
    /// Whether there was a reading before.
    pub running: bool,
    /// Time of the reading before, s.
    pub time_s: f64,
    /// Velocity of the unit in the world then, m/s.
    pub velocity: [f64; 2],
    /// Heading of the unit then, rad.
    pub heading: f64,
    /// Its own random stream.
    pub stream: Stream,
    /// On rough ground: velocity (m/s) and orientation of the unit in the world then.
    pub space: Option<(Vec3, Quat)>,
}

impl Words for ImuState {
    fn words(&mut self, each: &mut dyn FnMut(&mut u64)) {
        numbers(&mut self.accelerometer_bias, each);
        number(&mut self.gyro_bias, each);
        number(&mut self.accelerometer_density, each);
        number(&mut self.gyro_density, each);
        number(&mut self.accelerometer_walk, each);
        number(&mut self.gyro_walk, each);
        flag(&mut self.running, each);
        number(&mut self.time_s, each);
        numbers(&mut self.velocity, each);
        number(&mut self.heading, each);
        stream(&mut self.stream, each);
        if let Some((v, q)) = &mut self.space {
            for x in [&mut v.x, &mut v.y, &mut v.z, &mut q.w, &mut q.x, &mut q.y, &mut q.z] {
                number(x, each);
            }
        }
    }
}

/// What an inertial unit reads.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ImuReading {
    /// Specific force in the unit's frame, m/s2.
    pub acceleration: Vec2,
    /// Turning, rad/s.
    pub omega: f64,
}

/// An inertial unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Imu {
    /// What the scene says.
    pub spec: ImuSpec,
    /// What changes.
    pub state: ImuState,
}

impl Imu {
    /// A unit of `robot`, by the name of `device`.
    pub fn new(spec: ImuSpec, seed: u64, robot: u64, device: &str) -> Self {
        let state = ImuState {
            accelerometer_bias: [spec.accelerometer_bias.x, spec.accelerometer_bias.y],
            gyro_bias: spec.gyro_bias,
            accelerometer_density: spec.accelerometer_density,
            gyro_density: spec.gyro_density,
            accelerometer_walk: spec.accelerometer_walk,
            gyro_walk: spec.gyro_walk,
            running: false,
            time_s: 0.0,
            velocity: [0.0; 2],
            heading: 0.0,
            stream: Stream::new(seed, robot, device),
            space: None,
        };
        Self { spec, state }
    }

    /// The unit for rough ground.
    pub fn in_space(mut self) -> Self {
        self.state.space = Some((Vec3::ZERO, Quat::IDENTITY));
        self
    }

    /// Sets the white noise of accelerometers, m/s2/sqrt(Hz), and gyroscope, rad/s/sqrt(Hz).
    pub fn set_density(&mut self, accelerometer: f64, gyro: f64) -> Result<(), ModelError> {
        let accelerometer = check_sigma("accelerometer_density", accelerometer)?;
        self.state.gyro_density = check_sigma("gyro_density", gyro)?;
        self.state.accelerometer_density = accelerometer;
        Ok(())
    }

    /// Sets the random walk of the biases of accelerometers, m/s2/sqrt(s), and gyroscope,
    /// rad/s/sqrt(s).
    pub fn set_walk(&mut self, accelerometer: f64, gyro: f64) -> Result<(), ModelError> {
        let accelerometer = check_sigma("accelerometer_walk", accelerometer)?;
        self.state.gyro_walk = check_sigma("gyro_walk", gyro)?;
        self.state.accelerometer_walk = accelerometer;
        Ok(())
    }

    /// Forgets the reading before, as after a teleport.
    pub fn restart(&mut self) {
        self.state.running = false;
    }

    /// A reading. The first one, which has no time behind it, takes the momentary turning and no
    /// acceleration, for one period. Takes six draws.
    pub fn measure(&mut self, truth: &Truth) -> ImuReading {
        let (dt, force, omega) = match &truth.space {
            Some(space) => self.felt_in_space(truth.time_s, space),
            None => self.felt(truth),
        };
        self.err(dt, force, omega)
    }

    /// On rough ground: time since the reading before, s, mean specific force, m/s2, and mean
    /// turning, rad/s, without errors.
    fn felt_in_space(&mut self, time_s: f64, truth: &SpaceTruth) -> (f64, Vec2, f64) {
        let Vec2 { x, y } = self.spec.mount.position;
        let turn = Quat::about(Vec3::new(0.0, 0.0, 1.0), self.spec.mount.rotation.angle());
        let now = truth.pose.rotation * turn;
        let arm = truth.omega.cross(Vec3::new(x, y, 0.0));
        let velocity = truth.velocity + truth.pose.rotation.rotate(arm);
        let up = Vec3::new(0.0, 0.0, truth.gravity);
        let s = &mut self.state;
        let passed = time_s - s.time_s;
        let before = s.space.filter(|_| s.running && passed > 0.0);
        (s.running, s.time_s, s.space) = (true, time_s, Some((velocity, now)));
        let Some((old_velocity, old)) = before else {
            let force = now.unrotate(up);
            return (self.spec.rate.period_s, Vec2::new(force.x, force.y), truth.omega.z);
        };
        let back = Quat { w: old.w, x: -old.x, y: -old.y, z: -old.z };
        let mut turned = back * now;
        if turned.w < 0.0 {
            turned = Quat { w: -turned.w, x: -turned.x, y: -turned.y, z: -turned.z };
        }
        let sine = Vec3::new(turned.x, turned.y, turned.z).length();
        let angle = 2.0 * atan2(sine, turned.w);
        let about_up = if sine > 1e-9 { angle * turned.z / sine } else { 2.0 * turned.z };
        // Whole turns between readings do not show in the orientations: the turning tells them.
        let whole = ((truth.omega.z * passed - about_up) / TAU).round();
        // Half of the turn after the old orientation.
        let half = Quat { w: 1.0 + turned.w, x: turned.x, y: turned.y, z: turned.z }.unit();
        let change = (velocity - old_velocity) * (1.0 / passed);
        let force = (old * half).unrotate(change + up);
        (passed, Vec2::new(force.x, force.y), (about_up + TAU * whole) / passed)
    }

    /// On flat ground: the same.
    fn felt(&mut self, truth: &Truth) -> (f64, Vec2, f64) {
        let spec = &self.spec;
        let arm = truth.world_from_robot.rotation.rotate(spec.mount.position);
        let velocity = truth.velocity + arm.perp() * truth.omega;
        let heading = truth.world_from_robot.rotation.after(spec.mount.rotation).angle();
        let s = &mut self.state;
        let passed = truth.time_s - s.time_s;
        let felt = if s.running && passed > 0.0 {
            let turn = wrap_angle(heading - s.heading);
            let middle = Rot2::from_angle(s.heading + 0.5 * turn);
            let change = velocity - Vec2::new(s.velocity[0], s.velocity[1]);
            // Whole turns between readings do not show in the headings: the turning tells them.
            let turned = turn + TAU * ((truth.omega * passed - turn) / TAU).round();
            (passed, middle.unrotate(change * (1.0 / passed)), turned / passed)
        } else {
            (spec.rate.period_s, Vec2::ZERO, truth.omega)
        };
        (s.running, s.time_s, s.heading) = (true, truth.time_s, heading);
        s.velocity = [velocity.x, velocity.y];
        felt
    }

    /// What it reads of that, after a time `dt`.
    fn err(&mut self, dt: f64, force: Vec2, omega: f64) -> ImuReading {
        let (spec, s) = (&self.spec, &mut self.state);
        let root = dt.sqrt();
        for bias in &mut s.accelerometer_bias {
            *bias += gaussian(&mut s.stream, s.accelerometer_walk * root);
        }
        s.gyro_bias += gaussian(&mut s.stream, s.gyro_walk * root);
        let most = spec.accelerometer_range;
        let mut axis = |i: usize, true_value: f64| {
            let error = gaussian(&mut s.stream, s.accelerometer_density / root);
            (true_value + s.accelerometer_bias[i] + error).clamp(-most, most)
        };
        let acceleration = Vec2::new(axis(0, force.x), axis(1, force.y));
        let error = gaussian(&mut s.stream, s.gyro_density / root);
        let omega = (omega + s.gyro_bias + error).clamp(-spec.gyro_range, spec.gyro_range);
        ImuReading { acceleration, omega }
    }
}
