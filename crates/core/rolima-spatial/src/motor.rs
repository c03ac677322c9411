//! Motors and axle friction.
//!
//! DC motor, its coil's inductance left out: I = (V - K_e gear omega) / R. The no-load current is dry
//! friction in the motor, so K_t (I - I_0) comes out of its shaft. A gear of efficiency eta passes on
//! eta of that while the motor drives; when the wheel drives the motor, 1/eta of it is needed at the
//! axle: a gear takes its part whichever way the power flows (`behind_gear`). The rotor's inertia
//! acts at the axle as a whole.
//!
//! LuGre friction (3.39 to 3.44) in two forms. Standard: zdot = v - |v|/g z. Continuous, as in the
//! source: zdot = S1 v - S2/g z with S0 = (2/pi) atan(k_v v), S1 = S0^2, S2 = v S0; it has no
//! stiction but creeps. Both: g = (F_c + (F_s - F_c) exp(-(v/v_s)^2)) / s0 and
//! F = s0 z + s1 zdot + s2 v. Updated implicitly: exact in its rest, stable at any step.

use core::f64::consts::{FRAC_2_PI, PI};
use rolima_check::Range::{Positive, Within};
use rolima_check::{self as check, Held, ModelError, Number, OURS, named, number, number_of};
use rolima_math::smaller;
use rolima_math::straight::short;

/// A DC motor with its gear.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotorSpec {
    /// Nominal voltage, V: commands are cut to it.
    pub nominal_volts: f64,
    /// Torque constant K_t, N m/A.
    pub torque_constant: f64,
    /// Speed constant K_v, rpm/V.
    pub speed_constant_rpm_v: f64,
    /// Resistance of winding and brushes, ohm.
    pub resistance: f64,
    /// No-load current, A.
    pub no_load_current: f64,
    /// Turns of the motor for one of the wheel.
    pub gear: f64,
    /// What a gear leaves of the power that goes through it, either way, 0.01 to 1.
    pub efficiency: f64,
    /// Inertia of the rotor about its axis, kg m2.
    pub rotor_inertia: f64,
    /// Largest current that the driver lets through, A; infinite for none.
    pub current_limit: f64,
}

impl Default for MotorSpec {
    fn default() -> Self {
        Self::MAGMOTOR_S28_150
    }
}

/// A number of a motor.
macro_rules! motor {
    ($field:ident, $unit:literal, $range:expr, $source:expr, $meaning:literal) => {
        number_of!(MotorSpec: $field, number(stringify!($field), $unit, $range, $meaning), $source)
    };
}

/// Source of the default motor's figures.
const MAGMOTOR: &str = "Magmotor S28-150";

impl MotorSpec {
    /// Its numbers with their keys.
    #[rustfmt::skip]
    pub const KEYS: &'static [Number<Self>] = &[
        motor!(nominal_volts, "V", Within(0.0, 1e4), MAGMOTOR, "nominal voltage: commands are cut to it"),
        motor!(torque_constant, "N m/A", Within(0.0, 1e3), MAGMOTOR, "torque constant K_t"),
        motor!(speed_constant_rpm_v, "rpm/V", Positive, MAGMOTOR, "speed constant K_v"),
        motor!(resistance, "ohm", Within(1e-6, 1e6), MAGMOTOR, "resistance of winding and brushes"),
        motor!(no_load_current, "A", Within(0.0, 1e4), MAGMOTOR, "no-load current"),
        motor!(gear, "1", Within(1e-3, 1e4), OURS, "turns of the motor for one of the wheel"),
        motor!(efficiency, "1", Within(0.01, 1.0), OURS, "what the gear leaves of the power, either way"),
        motor!(rotor_inertia, "kg m2", Within(0.0, 1e3), OURS, "inertia of the rotor"),
    ];

    /// Magmotor S28-150 (table 6), without gear; the table gives no rotor inertia.
    pub const MAGMOTOR_S28_150: Self = Self {
        nominal_volts: 24.0,
        torque_constant: 0.03757,
        speed_constant_rpm_v: 254.0,
        resistance: 0.064,
        no_load_current: 3.4,
        gear: 1.0,
        efficiency: 1.0,
        rotor_inertia: 0.0,
        current_limit: f64::INFINITY,
    };

    /// Speed that gives 1 V of counter-voltage, as V s/rad.
    pub fn voltage_constant(&self) -> f64 {
        60.0 / (2.0 * PI * self.speed_constant_rpm_v)
    }
    /// Current at standstill and a voltage, before any limit, A.
    pub fn stall_current(&self, volts: f64) -> f64 {
        volts / self.resistance
    }
    /// Speed of the motor without load at a voltage, rad/s: with the no-load current flowing.
    pub fn no_load_speed(&self, volts: f64) -> f64 {
        let driving = (volts.abs() - self.resistance * self.no_load_current).max(0.0);
        driving.copysign(volts) / self.voltage_constant()
    }
    /// Current at a voltage and a speed of the motor (rad/s), A, within the driver's limit.
    pub fn current(&self, volts: f64, speed: f64) -> f64 {
        let free = (volts - self.voltage_constant() * speed) / self.resistance;
        free.clamp(-self.current_limit, self.current_limit)
    }
    /// Torque at the motor's shaft at a voltage and speed, N m, the no-load current taken off; at
    /// standstill what is left of it to start with.
    pub fn shaft_torque(&self, volts: f64, speed: f64) -> f64 {
        let current = self.current(volts, speed);
        if speed == 0.0 {
            let left = (current.abs() - self.no_load_current).max(0.0);
            return self.torque_constant * left.copysign(current);
        }
        self.torque_constant * (current - self.no_load_current.copysign(speed))
    }
    /// Torque at the axle at a voltage and a speed of the motor (rad/s), N m, motor friction and
    /// gear taken off: what vehicles get, and what `rolima curve motor` shows.
    pub fn axle_torque(&self, volts: f64, speed: f64) -> f64 {
        let shaft = self.shaft_torque(volts, speed);
        let direction = if speed == 0.0 { shaft } else { speed };
        let along = self.gear * shaft * 1f64.copysign(direction);
        let k = behind_gear(along, 0.0, self.efficiency, 1.0 / self.efficiency);
        k * self.gear * shaft
    }

    pub(crate) fn check(&self, key: &str) -> Result<(), ModelError> {
        check::check_numbers(key, self, Self::KEYS)?;
        if self.current_limit.is_nan() || self.current_limit <= 0.0 {
            let key = format!("{key}.current_limit");
            return Err(ModelError::new(key, "a positive number", self.current_limit));
        }
        Ok(())
    }
}

/// Factor of a gear on a torque that goes through it.
///
/// `along` is the motor's torque in the direction of motion and `lost` its own friction, both at
/// the axle before the gear, N m. If the motor overcomes its friction it drives, and the gear leaves
/// the part `efficiency`; else the wheel turns motor and gear, and has to give one over that.
#[inline(always)]
pub(crate) fn behind_gear(along: f64, lost: f64, efficiency: f64, per_efficiency: f64) -> f64 {
    if along > lost { efficiency } else { per_efficiency }
}

/// Which form of LuGre friction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LuGreForm {
    /// zdot = v - |v|/g z: sticks.
    #[default]
    Standard,
    /// The source's continuous approximation: creeps.
    Continuous,
}

named!(LuGreForm { "standard" = Standard, "continuous" = Continuous });

/// LuGre friction at an axle (or of a sliding mass: then forces and m/s).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LuGreSpec {
    /// Which form.
    pub form: LuGreForm,
    /// Stiffness of the bristles s0, N m/rad.
    pub stiffness: f64,
    /// Their damping s1, N m s/rad.
    pub damping: f64,
    /// Viscous friction s2, N m s/rad.
    pub viscous: f64,
    /// Coulomb friction F_c, N m.
    pub coulomb: f64,
    /// Static friction F_s, N m.
    pub breakaway: f64,
    /// Stribeck speed v_s, rad/s.
    pub stribeck_speed: f64,
    /// k_v of the continuous form, s/rad.
    pub steepness: f64,
}

/// A number of an axle that is in proportion to its Coulomb friction where it is left out.
macro_rules! axle {
    ($field:ident, $unit:literal, $low:literal, $otherwise:literal, $meaning:literal) => {
        Number {
            key: number(stringify!($field), $unit, Within($low, 1e9), $meaning)
                .computed($otherwise),
            slot: |axle| axle.$field.slot(),
        }
    };
}

impl LuGreSpec {
    /// Coulomb friction with its key.
    pub const COULOMB: Number<Self> = Number {
        key: number("coulomb", "N m", Within(0.0, 1e9), "Coulomb friction F_c"),
        slot: |axle| axle.coulomb.slot(),
    };

    /// Its numbers with their keys: Coulomb friction first, as others follow from it.
    #[rustfmt::skip]
    pub const KEYS: &'static [Number<Self>] = &[
        Self::COULOMB,
        axle!(breakaway, "N m", 0.0, "ours: 1.4 times coulomb", "static friction F_s; not below coulomb"),
        axle!(stiffness, "N m/rad", 1e-6, "ours: 500/rad times coulomb", "stiffness of the bristles s0"),
        axle!(damping, "N m s/rad", 0.0, "ours: 0.5 s/rad times coulomb", "damping of the bristles s1"),
        axle!(viscous, "N m s/rad", 0.0, "ours: 0.01 s/rad times coulomb", "viscous friction s2"),
        axle!(stribeck_speed, "rad/s", 1e-9, "ours: 0.1", "Stribeck speed v_s"),
        axle!(steepness, "s/rad", 1e-3, "ours: 1000", "k_v of the continuous form"),
    ];

    /// No friction at all.
    pub const NONE: Self = Self {
        form: LuGreForm::Standard,
        stiffness: 1.0,
        damping: 0.0,
        viscous: 0.0,
        coulomb: 0.0,
        breakaway: 0.0,
        stribeck_speed: 1.0,
        steepness: 1.0,
    };

    /// Friction of a geared axle in proportion to its Coulomb friction, N m: assumed, some 2 to 3
    /// percent of what the presets' wheels can transmit.
    pub fn geared(coulomb: f64) -> Self {
        if coulomb <= 0.0 {
            return Self::NONE;
        }
        Self {
            form: LuGreForm::Standard,
            stiffness: 500.0 * coulomb,
            damping: 0.5 * coulomb,
            viscous: 0.01 * coulomb,
            coulomb,
            breakaway: 1.4 * coulomb,
            stribeck_speed: 0.1,
            steepness: 1e3,
        }
    }

    pub(crate) fn check(&self, key: &str) -> Result<(), ModelError> {
        check::check_numbers(key, self, Self::KEYS)?;
        check::within(&format!("{key}.breakaway"), self.breakaway, self.coulomb, 1e9)?;
        Ok(())
    }
}

/// Compiled LuGre friction: plain numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LuGre {
    pub(crate) s0: f64,
    pub(crate) s1: f64,
    pub(crate) s2: f64,
    coulomb: f64,
    extra: f64,
    per_stribeck: f64,
    steepness: f64,
    /// 1 for the continuous form.
    continuous: f64,
}

/// What a state of LuGre friction changes with: zdot = gain v - decay z.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Rates {
    pub(crate) gain: f64,
    pub(crate) decay: f64,
}

impl LuGre {
    pub(crate) fn new(spec: &LuGreSpec) -> Self {
        Self {
            s0: spec.stiffness,
            s1: spec.damping,
            s2: spec.viscous,
            // Without friction g must not vanish; the bristles are then kept without stiffness.
            coulomb: spec.coulomb.max(1e-12 * spec.stiffness),
            extra: spec.breakaway - spec.coulomb,
            per_stribeck: 1.0 / spec.stribeck_speed,
            steepness: spec.steepness,
            continuous: if spec.form == LuGreForm::Continuous { 1.0 } else { 0.0 },
        }
    }

    /// All numbers in a row, so that wheels can lie side by side.
    pub(crate) fn numbers(&self) -> [f64; 8] {
        let Self { s0, s1, s2, coulomb, extra, per_stribeck, steepness, continuous } = *self;
        [s0, s1, s2, coulomb, extra, per_stribeck, steepness, continuous]
    }

    /// Back from [`LuGre::numbers`].
    #[inline(always)]
    pub(crate) fn from_numbers(n: impl Fn(usize) -> f64) -> Self {
        Self {
            s0: n(0),
            s1: n(1),
            s2: n(2),
            coulomb: n(3),
            extra: n(4),
            per_stribeck: n(5),
            steepness: n(6),
            continuous: n(7),
        }
    }

    /// Gain and decay at a speed; `any_soft`: whether the form may be the continuous one, which
    /// costs some more.
    #[inline(always)]
    pub(crate) fn rates(&self, speed: f64, any_soft: bool) -> Rates {
        let x = speed * self.per_stribeck;
        let g = self.coulomb + self.extra * short::exp(-smaller(x * x, 600.0));
        let soft = if any_soft { FRAC_2_PI * short::atan(self.steepness * speed) } else { 0.0 };
        let is_soft = self.continuous > 0.5;
        let gain = if is_soft { soft * soft } else { 1.0 };
        let swept = if is_soft { speed * soft } else { speed.abs() };
        Rates { gain, decay: swept * self.s0 / g }
    }

    /// State and force after a step `dt` at a speed, with given rates.
    #[inline(always)]
    pub(crate) fn after(&self, z: f64, speed: f64, rates: Rates, dt: f64) -> (f64, f64) {
        let next = (z + dt * rates.gain * speed) / (1.0 + dt * rates.decay);
        (next, self.s0 * next + self.s1 * (next - z) / dt + self.s2 * speed)
    }
}

impl LuGreSpec {
    /// One step `dt` (s) of the friction state `z` at a speed: the new state, and the force or
    /// torque that opposes the motion. For tests and experiments beside vehicles.
    pub fn step(&self, z: f64, speed: f64, dt: f64) -> (f64, f64) {
        let friction = LuGre::new(self);
        friction.after(z, speed, friction.rates(speed, true), dt)
    }
}
