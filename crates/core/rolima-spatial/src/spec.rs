//! What a scene says about vehicles, with defaults and units.

use crate::actuator::{ActuatorSpec, SteerSpec};
use crate::bodies::{BodySpec, PairContacts};
use crate::hitch::HitchSpec;
use crate::motor::{LuGreSpec, MotorSpec};
use crate::shape::Shapes;
use crate::terrain::Terrain;
use crate::tyre::TyreLaw;
use rolima_check::Absent::Whole;
use rolima_check::Range::Within;
use rolima_check::{Key, OURS, count, keys, named};
use rolima_math::{Quat, Vec3};
use std::sync::Arc;

/// Most wheels of a vehicle.
pub const MOST_WHEELS: usize = 12;

/// Most actuators of a vehicle: a motor and a joint for each wheel.
pub const MOST_ACTUATORS: usize = 2 * MOST_WHEELS;

/// Which of the two commands of a two-sided drive reaches a wheel: tank steering.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Side {
    /// The left command.
    Left,
    /// The right command.
    Right,
    /// None: the wheel turns freely.
    #[default]
    Free,
}

named!(Side { "left" = Left, "right" = Right, "free" = Free });

keys! {
    /// Spring and damper of a wheel, along the chassis' up axis.
    ///
    /// Force k h + c dh/dt while compressed by h; from `linear_travel` on the spring's rate grows
    /// evenly, until at `stop_travel` it is that of the bump stop and stays so. Never in tension.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct SuspensionSpec {
        /// rate of the spring k
        stiffness: f64 = 10e3, "N/m", Within(1e-3, 1e9), OURS;
        /// damping c
        damping: f64 = 400.0, "N s/m", Within(0.0, 1e9), OURS;
        /// travel in which the spring is linear, h_sat
        linear_travel: f64 = 0.04, "m", Within(0.0, 10.0), OURS;
        /// travel at which the bump stop is engaged; above linear_travel
        stop_travel: f64 = 0.06, "m", Within(1e-6, 20.0), OURS;
        /// rate of the bump stop; not below stiffness
        stop_stiffness: f64 = 100e3, "N/m", Within(1e-3, 1e9), OURS;
    }
}

impl SuspensionSpec {
    /// Force of the spring at a compression `h` (m), N.
    pub fn spring(&self, h: f64) -> f64 {
        let length = self.stop_travel - self.linear_travel;
        let beyond = (h - self.linear_travel).max(0.0);
        let bend = beyond.min(length);
        let extra = self.stop_stiffness - self.stiffness;
        self.stiffness * h + extra * (bend * bend / (2.0 * length) + (beyond - bend))
    }

    /// Rate of the spring at a compression `h` (m), N/m.
    pub fn rate(&self, h: f64) -> f64 {
        let length = self.stop_travel - self.linear_travel;
        let bend = (h - self.linear_travel).clamp(0.0, length);
        self.stiffness + (self.stop_stiffness - self.stiffness) * bend / length
    }

    /// Energy in the spring at a compression `h` (m), J.
    pub fn energy(&self, h: f64) -> f64 {
        let length = self.stop_travel - self.linear_travel;
        let beyond = (h - self.linear_travel).max(0.0);
        let bend = beyond.min(length);
        let (rest, extra) = (beyond - bend, self.stop_stiffness - self.stiffness);
        let stop = bend * bend * bend / (6.0 * length) + 0.5 * length * rest + 0.5 * rest * rest;
        0.5 * self.stiffness * h * h + extra * stop
    }
}

keys! {
    /// A wheel.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct WheelSpec {
        /// Hub with the suspension relaxed, from the centre of mass: forward, left, up, m.
        position: Vec3 = Vec3::ZERO;
        /// radius
        radius: f64 = 0.1, "m", Within(1e-3, 10.0), OURS;
        /// width between the rims
        width: f64 = 0.06, "m", Within(1e-4, 10.0), OURS;
        /// drop of the tread from its middle to the rims; at most half the radius
        ///
        /// The contact moves smoothly from one rim to the other while the wheel leans.
        crown: f64 = 2.5e-4, "m", Within(0.0, 5.0), OURS;
        /// inertia about the axle, without the motor's rotor
        inertia: f64 = 0.002, "kg m2", Within(1e-9, 1e6), OURS;
        /// Which command drives it.
        side: Side = Side::Free;
        /// Its motor.
        motor: Option<MotorSpec> = None;
        /// How the motor is commanded.
        actuator: ActuatorSpec = ActuatorSpec::default();
        /// The joint that steers it, if it is steered.
        steer: Option<SteerSpec> = None;
        /// Friction of the axle.
        axle: LuGreSpec = LuGreSpec::NONE;
        /// largest torque of the brake
        brake_torque: f64 = 50.0, "N m", Within(0.0, 1e9), OURS;
        /// rolling resistance: force per load
        rolling_resistance: f64 = 0.0, "1", Within(0.0, 1.0), OURS;
        /// Spring and damper.
        suspension: SuspensionSpec = SuspensionSpec::default();
        /// Law of friction.
        tyre: TyreLaw = TyreLaw::default();
        /// way over which slip builds up lengthwise
        ///
        /// It makes the tyre a spring at standstill: parked vehicles stay.
        relaxation: f64 = 0.05, "m", Within(1e-3, 100.0), OURS;
        /// way over which slip builds up sideways
        side_relaxation: f64 = 0.05, "m", Within(1e-3, 100.0), OURS;
        /// damping time of the tyre's bristles; 2 sqrt(L/(C g)) is critical, C force per load and slip
        bristle_damping_s: f64 = 0.03, "s", Within(0.0, 1.0), OURS;
        /// A ball in a socket instead of a wheel: it slides with its tyre's friction every way and
        /// does not spin.
        ball: bool = false;
    }
}

impl WheelSpec {
    /// Largest compression that the search for contacts finds, m: the bump stop's, and a quarter of
    /// the radius beyond. A wheel that is deeper in the ground is pushed out as from there.
    pub fn most_compression(&self) -> f64 {
        self.suspension.stop_travel + 0.25 * self.radius
    }

    /// Whether its tyre is mirrored: one of the left side.
    pub fn is_mirrored(&self) -> bool {
        self.side == Side::Left || (self.side == Side::Free && self.position.y > 0.0)
    }
}

keys! {
    /// A rigid chassis: a box around the centre of mass.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct ChassisSpec {
        /// mass of the whole vehicle; wheels have none of their own
        mass: f64 = 40.0, "kg", Within(1e-3, 1e6), OURS;
        /// Moments of inertia of the whole vehicle about the centre of mass: xx, yy, zz, kg m2. The
        /// spin of the wheels is part of yy.
        inertia: [f64; 3] = [1.5, 2.5, 3.5];
        /// products of inertia xy, xz, yz
        products: [f64; 3] = [0.0; 3], list("kg m2", 3), OURS;
        /// Distances from the centre of mass to front (l1) and rear (l2), m.
        length: [f64; 2] = [0.35, 0.35];
        /// To the left (w1) and right side (w2), m.
        width: [f64; 2] = [0.2, 0.2];
        /// To the top (h_top) and bottom (h_base), m.
        height: [f64; 2] = [0.1, 0.08];
        /// friction of the bare chassis on the ground
        friction: f64 = 0.5, "1", Within(0.0, 10.0), OURS;
        /// stiffness of a touching corner
        contact_stiffness: f64 = 50e3, "N/m", Within(0.0, 1e9), OURS;
        /// damping of a touching corner
        contact_damping: f64 = 1e3, "N s/m", Within(0.0, 1e9), OURS;
        /// Viscous friction of the body along its forward axis, N s/m, and of its turning about its up
        /// axis, N m s: what a planar drive has as `friction_linear` and `friction_angular`.
        drag: [f64; 2] = [0.0; 2];
    }
}

impl ChassisSpec {
    /// Moments of inertia of a homogeneous box of this chassis' size and mass, about the centre
    /// of mass wherever it is; the products are left out.
    pub fn box_inertia(&self) -> [f64; 3] {
        let square = |[a, b]: [f64; 2]| (a * a - a * b + b * b) / 3.0;
        let (l, w, h) = (square(self.length), square(self.width), square(self.height));
        [self.mass * (w + h), self.mass * (l + h), self.mass * (l + w)]
    }
}

/// Where a vehicle starts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Start {
    /// Centre of mass, m. With `on_ground`, z is the height of the relaxed wheels over the ground.
    pub position: Vec3,
    /// Orientation.
    pub orientation: Quat,
    /// Velocity in the world, m/s.
    pub velocity: Vec3,
    /// Put down so that the lowest wheel just touches the ground.
    pub on_ground: bool,
}

/// A vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct VehicleSpec {
    /// Its name.
    pub name: String,
    /// Chassis.
    pub chassis: ChassisSpec,
    /// Wheels, 2 to 12.
    pub wheels: Vec<WheelSpec>,
    /// Their names, in their order; those that are left out or empty have numbers for names.
    pub wheel_names: Vec<String>,
    /// Where it starts.
    pub start: Start,
    /// What it looks like, and what of the chassis touches, where that is not a box.
    pub shapes: Shapes,
    /// How it hangs on another vehicle, if it does.
    pub hitch: Option<HitchSpec>,
}

impl VehicleSpec {
    /// Whether it has no motors: a cart.
    pub fn is_passive(&self) -> bool {
        self.wheels.iter().all(|wheel| wheel.motor.is_none())
    }

    /// Height of the centre of mass over flat ground that the relaxed wheels just touch, m. The
    /// vehicle's frame for sensors and views is the chassis' with its origin so far below the
    /// centre of mass: on the ground, as other robots have it.
    pub fn ride_height(&self) -> f64 {
        self.wheels.iter().map(|w| w.radius - w.position.z).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// Points on rims.
pub const SLICES: Key =
    count("slices", (5, 63), "points on the lower half of each rim, odd").or(Whole(37), OURS);
/// How often contacts of wheels are searched.
pub const CONTACT_EVERY: Key = count(
    "contact_every",
    (1, 1_000_000),
    "the contact of wheels is searched every so many steps of theirs",
)
.or(Whole(1), OURS);
/// How often friction of wheels is evaluated.
pub const TYRE_EVERY: Key =
    count("tyre_every", (1, 1_000_000), "tyre and axle friction are evaluated every so many steps")
        .or(Whole(1), OURS);

/// Everything a spatial world is made of.
#[derive(Clone, Debug)]
pub struct SpatialSpec {
    /// Step, s: 1e-7 to 1e-3.
    pub step_s: f64,
    /// Commands are taken over every so often, s: a multiple of the step.
    pub control_period_s: f64,
    /// Gravity, m/s2, downwards.
    pub gravity: f64,
    /// Points on the lower half of each rim: odd, so that one lies straight below the hub.
    pub slices: u32,
    /// The contact is searched every so many steps; in between, the plane that was found is
    /// followed.
    pub contact_every: u32,
    /// Tyre and axle friction are evaluated every so many steps; in between, their secants hold.
    pub tyre_every: u32,
    /// Vehicles and bodies meet every so many steps, at most 20 ms apart; in between vehicles run
    /// alone. 0: nothing meets, vehicles go through one another. Bodies, and vehicles that feel one
    /// another, need the feature `bodies`.
    pub outer_steps: u32,
    /// How vehicles and bodies slide and bounce on one another.
    pub contact: PairContacts,
    /// The ground.
    pub terrain: Arc<Terrain>,
    /// Vehicles.
    pub vehicles: Vec<VehicleSpec>,
    /// Free bodies and obstacles.
    pub bodies: Vec<BodySpec>,
}

impl SpatialSpec {
    /// A world with steps of 1 ms, everything evaluated in every step.
    pub fn new(terrain: Arc<Terrain>) -> Self {
        Self {
            step_s: 1e-3,
            control_period_s: 1e-2,
            gravity: 9.81,
            slices: SLICES.whole(),
            contact_every: CONTACT_EVERY.whole(),
            tyre_every: TYRE_EVERY.whole(),
            outer_steps: 1,
            contact: PairContacts::default(),
            terrain,
            vehicles: vec![],
            bodies: vec![],
        }
    }
}
