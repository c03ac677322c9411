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
//! and it saturates. Biases walk first, then readings are taken.

use crate::noise::gaussian;
use crate::truth::Truth;
use crate::words::{Words, flag, number, numbers, stream};
use core::f64::consts::TAU;
use rolima_math::{Rot2, Stream, Vec2, wrap_angle};
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
        };
        Self { spec, state }
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
        let spec = &self.spec;
        let arm = truth.world_from_robot.rotation.rotate(spec.mount.position);
        let velocity = truth.velocity + arm.perp() * truth.omega;
        let heading = truth.world_from_robot.rotation.after(spec.mount.rotation).angle();
        let s = &mut self.state;
        let passed = truth.time_s - s.time_s;
        let (dt, force, omega) = if s.running && passed > 0.0 {
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
