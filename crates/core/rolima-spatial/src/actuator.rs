//! What can be commanded of a vehicle: motors of wheels by voltage, torque or speed, and steered
//! joints by angle.
//!
//! A motor that is commanded by its voltage is part of the wheel's own step ([`crate::wheels`]). One
//! that is commanded by torque or speed has a driver stage which chooses the motor's torque at every
//! fine step, within what voltage and current let it give at that speed. The torque of an actuator is
//! that at the axle: its driver stage makes up for what motor and gear lose. A speed controller takes
//! an error away at the rate [`RATE`] and learns what it needs to hold a speed.
//!
//! A steered wheel turns about the chassis' up axis through its hub. Its joint is a servo that is
//! stronger than anything the tyre does: it follows the commanded angle with a first-order response,
//! no faster than its rate and no farther than its limit. What the contact point moves by the turning
//! of the joint alone is left out.

use crate::model::{LANES, Lanes, VehicleModel};
use crate::spec::{VehicleSpec, WheelSpec};
use crate::state::{VehicleState, WheelState};
use rolima_check::Range::Within;
use rolima_check::{self as check, Key, ModelError, OURS, keys, number};
use rolima_math::{Sym3, Vec3, larger, sin_cos, smaller};

/// How fast a speed controller takes errors of a wheel that carries its part of the vehicle away, 1/s.
const RATE: f64 = 30.0;

/// Wheels in the air are light: at most so much of their error a fine step.
const MOST_IN_THE_AIR: f64 = 0.5;

/// Learning is so many times slower.
const LEARNING: f64 = 0.25;

/// What the value of an actuator is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ActuatorKind {
    /// Voltage of a motor, V.
    #[default]
    Voltage,
    /// Torque at an axle, N m.
    Torque,
    /// Speed of a wheel against the chassis, rad/s.
    Speed,
    /// Angle of a joint, rad.
    Position,
}

impl ActuatorKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Voltage, Self::Torque, Self::Speed, Self::Position];

    /// Its name, as scenes have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Voltage => "voltage",
            Self::Torque => "torque",
            Self::Speed => "speed",
            Self::Position => "position",
        }
    }

    /// Unit of its values.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Voltage => "V",
            Self::Torque => "N m",
            Self::Speed => "rad/s",
            Self::Position => "rad",
        }
    }
}

/// How the motor of a wheel is commanded.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ActuatorSpec {
    /// By what.
    pub kind: ActuatorKind,
    /// Largest value, in the kind's unit; none: what the motor can do.
    pub limit: Option<f64>,
}

keys! {
    /// A joint that steers a wheel.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct SteerSpec {
        /// largest angle to either side
        limit: f64 = 0.6, "deg" as "limit_deg", Within(0.1, 85.0), OURS;
        /// largest rate
        rate: f64 = 3.0, "deg/s" as "rate_deg_s", Within(0.1, 5e4), OURS;
        /// time constant of its response; 0: only the rate limits it
        response_s: f64 = 0.05, "s", Within(0.0, 10.0), OURS;
    }
}

impl ActuatorSpec {
    /// The key of the largest value, in the unit of the kind.
    pub const fn limit_key(unit: &'static str) -> Key {
        number("limit", unit, Within(0.0, 1e6), "largest value to either side")
            .computed("what its motor can do")
    }
}

/// An actuator of a compiled vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct Actuator {
    /// Its name: that of its wheel; of a joint, with `-steer`.
    pub name: String,
    /// What its value is.
    pub kind: ActuatorKind,
    /// Number of its wheel.
    pub wheel: u32,
    /// Largest value to either side, in the kind's unit.
    pub limit: f64,
}

impl VehicleSpec {
    /// Name of a wheel: its own, or by its number.
    pub fn wheel_name(&self, wheel: usize) -> String {
        match self.wheel_names.get(wheel) {
            Some(name) if !name.is_empty() => name.clone(),
            _ => format!("wheel-{wheel}"),
        }
    }

    /// The actuators: motors in the order of the wheels, then joints.
    pub fn actuators(&self) -> Vec<Actuator> {
        let wheels = || self.wheels.iter().enumerate().filter(|(_, w)| !w.ball);
        let motors = wheels().filter_map(|(i, w)| {
            let (name, wheel) = (self.wheel_name(i), i as u32);
            Some(Actuator { name, kind: w.actuator.kind, wheel, limit: w.actuator_limit()? })
        });
        let joints = wheels().filter_map(|(i, w)| {
            let (name, kind) = (format!("{}-steer", self.wheel_name(i)), ActuatorKind::Position);
            Some(Actuator { name, kind, wheel: i as u32, limit: w.steer?.limit })
        });
        motors.chain(joints).collect()
    }
}

impl WheelSpec {
    /// Largest value of its motor's actuator; none without a motor.
    fn actuator_limit(&self) -> Option<f64> {
        let motor = self.motor?;
        let own = match self.actuator.kind {
            ActuatorKind::Voltage | ActuatorKind::Position => motor.nominal_volts,
            ActuatorKind::Torque => {
                let stall = motor.stall_current(motor.nominal_volts).min(motor.current_limit);
                let shaft = motor.torque_constant * (stall - motor.no_load_current).max(0.0);
                motor.gear * motor.efficiency * shaft
            }
            ActuatorKind::Speed => motor.no_load_speed(motor.nominal_volts) / motor.gear,
        };
        Some(self.actuator.limit.map_or(own, |limit| limit.min(own)))
    }
}

/// Whether actuators and joints can be, with names that differ.
pub(crate) fn check_actuators(key: &str, spec: &VehicleSpec) -> Result<(), ModelError> {
    for (i, w) in spec.wheels.iter().enumerate() {
        let key = format!("{key}.wheels.{i}");
        let ActuatorSpec { kind, limit } = w.actuator;
        if kind == ActuatorKind::Position {
            let expected = "voltage, torque or speed";
            return Err(ModelError::new(format!("{key}.actuator.kind"), expected, kind.name()));
        }
        if w.motor.is_none() && w.actuator != ActuatorSpec::default() {
            let expected = "a motor, as the wheel has an actuator";
            return Err(ModelError::new(format!("{key}.motor"), expected, "none"));
        }
        if let Some(limit) = limit {
            ActuatorSpec::limit_key("").check(&format!("{key}.actuator"), limit)?;
        }
        let Some(steer) = w.steer else { continue };
        if w.ball {
            let expected = "no joint, as a ball rolls every way";
            return Err(ModelError::new(format!("{key}.joint"), expected, "one that steers"));
        }
        check::check_numbers(&format!("{key}.joint"), &steer, SteerSpec::KEYS)?;
    }
    let actuators = spec.actuators();
    for (i, one) in actuators.iter().enumerate() {
        if actuators[..i].iter().any(|other| other.name == one.name) {
            let key = format!("{key}.wheels.{}.name", one.wheel);
            return Err(ModelError::new(key, "a name of its own", &one.name));
        }
    }
    Ok(())
}

/// Driver stages of up to four wheels: constants.
#[derive(Clone, Debug)]
pub(crate) struct Drivers {
    kind: [ActuatorKind; LANES],
    /// Torque by voltage and by speed of the motor, before losses.
    torque_per_volt: Lanes,
    torque_per_speed: Lanes,
    most_volts: Lanes,
    /// Of a speed controller: torque by error, N m s/rad.
    gain: Lanes,
}

/// What driver stages of up to four wheels remember.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct DriverStages {
    /// Torque, N m, or speed, rad/s, that is asked for.
    pub(crate) aim: Lanes,
    /// What a speed controller has learnt that it needs, N m.
    pub(crate) learnt: Lanes,
}

/// Steered joints of up to four wheels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct SteerState {
    /// Angle, rad, left positive, and the one that is asked for.
    pub(crate) angle: Lanes,
    pub(crate) aim: Lanes,
}

/// Sines and cosines of the joints' angles, wheels side by side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JointRotation {
    pub(crate) sin: Lanes,
    pub(crate) cos: Lanes,
}

impl JointRotation {
    pub(crate) const NONE: Self = Self { sin: [0.0; LANES], cos: [1.0; LANES] };

    pub(crate) fn of(steer: &SteerState) -> Self {
        let mut turn = Self::NONE;
        for l in 0..LANES {
            (turn.sin[l], turn.cos[l]) = sin_cos(steer.angle[l]);
        }
        turn
    }

    /// A vector of the chassis' frame in that of the turned wheel.
    #[inline(always)]
    pub(crate) fn in_wheel_frame(&self, l: usize, v: Vec3) -> Vec3 {
        let (s, c) = (self.sin[l], self.cos[l]);
        Vec3::new(v.x * c + v.y * s, v.y * c - v.x * s, v.z)
    }

    /// What lies in the plane of the axles, back from there.
    #[inline(always)]
    pub(crate) fn in_chassis_frame(&self, l: usize, [x, y]: [f64; 2]) -> [f64; 2] {
        let (s, c) = (self.sin[l], self.cos[l]);
        [x * c - y * s, x * s + y * c]
    }

    /// The axes of the turned wheel, from those of the chassis.
    #[inline(always)]
    pub(crate) fn axes(&self, l: usize, [n, t, b]: [Vec3; 3]) -> [Vec3; 3] {
        let (s, c) = (self.sin[l], self.cos[l]);
        [n * c + t * s, t * c - n * s, b]
    }
}

impl Drivers {
    /// Of a block, if any of its motors has a driver stage.
    pub(crate) fn new(wheels: &[WheelSpec], (mass, count, step): (f64, f64, f64)) -> Option<Self> {
        let zero = [0.0; LANES];
        let mut all = Self {
            kind: [ActuatorKind::Voltage; LANES],
            torque_per_volt: zero,
            torque_per_speed: zero,
            most_volts: zero,
            gain: zero,
        };
        for (l, w) in wheels.iter().enumerate() {
            let Some(m) = w.motor else { continue };
            let at_axle = m.gear * m.torque_constant;
            all.kind[l] = w.actuator.kind;
            all.torque_per_volt[l] = at_axle / m.resistance;
            all.torque_per_speed[l] = at_axle * m.gear * m.voltage_constant() / m.resistance;
            all.most_volts[l] = m.nominal_volts;
            let inertia = w.inertia + m.gear * m.gear * m.rotor_inertia;
            let carried = inertia + mass / count * w.radius * w.radius;
            all.gain[l] = (RATE * carried).min(MOST_IN_THE_AIR * inertia / step);
        }
        all.kind.iter().any(|k| *k != ActuatorKind::Voltage).then_some(all)
    }

    /// Chooses the torques of the motors at the speeds that their wheels have, into the place of
    /// their voltages.
    pub(crate) fn choose(
        &self,
        state: &mut DriverStages,
        spins: &Lanes,
        w: &mut WheelState,
        dt: f64,
    ) {
        for l in 0..LANES {
            if self.kind[l] == ActuatorKind::Voltage {
                continue;
            }
            let error = state.aim[l] - spins[l];
            let is_speed = self.kind[l] == ActuatorKind::Speed;
            let asked =
                if is_speed { self.gain[l] * error + state.learnt[l] } else { state.aim[l] };
            let most = self.torque_per_volt[l] * self.most_volts[l];
            let back = self.torque_per_speed[l] * spins[l];
            let given = smaller(larger(asked, -most - back), most - back);
            // What the supply cuts off teaches nothing.
            if is_speed && (asked == given || (asked > given) != (error > 0.0)) {
                let learnt = state.learnt[l] + LEARNING * RATE * dt * self.gain[l] * error;
                state.learnt[l] = smaller(larger(learnt, -most), most);
            }
            w.volts[l] = given;
        }
    }

    /// The voltage of a motor whose torque was chosen, V.
    pub(crate) fn volts(&self, l: usize, torque: f64, spin: f64) -> f64 {
        let per_volt = self.torque_per_volt[l];
        if self.kind[l] == ActuatorKind::Voltage || per_volt == 0.0 {
            return torque;
        }
        (torque + self.torque_per_speed[l] * spin) / per_volt
    }
}

impl SteerState {
    /// Turns the joints on by a step.
    pub(crate) fn advance(&mut self, wheels: &[WheelSpec], dt: f64) {
        for (l, w) in wheels.iter().enumerate() {
            let Some(steer) = w.steer else { continue };
            let wanted = (self.aim[l] - self.angle[l]) / larger(steer.response_s, dt);
            self.angle[l] += dt * smaller(larger(wanted, -steer.rate), steer.rate);
        }
    }
}

impl VehicleModel {
    /// How a block's wheels are turned.
    #[inline(always)]
    pub(crate) fn turn(&self, state: &VehicleState, block: usize) -> JointRotation {
        state.steering.get(block).map_or(JointRotation::NONE, JointRotation::of)
    }

    /// Inertia with the wheels fixed, less what spins, as they are turned now.
    pub(crate) fn inertia(&self, state: &VehicleState) -> Sym3 {
        let mut inertia = self.straight_inertia;
        for (c, steer) in self.blocks.iter().zip(&state.steering) {
            let turn = JointRotation::of(steer);
            for l in (0..c.wheels).filter(|&l| turn.sin[l] != 0.0) {
                // The axle has left the y axis for (-sin, cos).
                let spun = c.coupling[l] * c.coupling[l] * c.per_inertia[l];
                let (s, co) = (turn.sin[l], turn.cos[l]);
                inertia.diagonal[0] -= spun * s * s;
                inertia.diagonal[1] += spun * s * s;
                inertia.beside[0] += spun * s * co;
            }
        }
        inertia
    }

    /// Its inverse.
    #[inline(always)]
    pub(crate) fn inverse_inertia(&self, state: &VehicleState) -> Sym3 {
        if state.steering.is_empty() {
            return self.straight_inverse;
        }
        // Positive definite at every angle, as was checked.
        self.inertia(state).inverse().unwrap_or(self.straight_inverse)
    }

    /// Sum of the wheels' spins times what the chassis feels of them, in its frame, N m s.
    #[inline(always)]
    pub(crate) fn spins(&self, state: &VehicleState) -> Vec3 {
        let mut sum = Vec3::ZERO;
        for (i, (c, w)) in self.blocks.iter().zip(&state.wheels).enumerate() {
            let part = |l: usize| w.spin[l] * c.coupling[l] * c.per_inertia[l];
            let lanes = [part(0), part(1), part(2), part(3)];
            if let Some(steer) = state.steering.get(i) {
                sum += along_axles(&JointRotation::of(steer), &lanes);
            } else {
                sum.y += (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
            }
        }
        sum
    }
}

/// The sum of numbers along the axles of turned wheels.
#[inline(always)]
pub(crate) fn along_axles(turn: &JointRotation, lanes: &Lanes) -> Vec3 {
    let x = |l: usize| -turn.sin[l] * lanes[l];
    let y = |l: usize| turn.cos[l] * lanes[l];
    Vec3::new((x(0) + x(1)) + (x(2) + x(3)), (y(0) + y(1)) + (y(2) + y(3)), 0.0)
}
