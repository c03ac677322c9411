//! Keys of vehicles: chassis, wheels, suspension, motors, axles, tyres.

use crate::drawn::DRAWN;
use crate::reader::{Key, Number, OURS, Range, key};
use rolima_spatial::{
    ActuatorKind, ChassisSpec, Curve, LuGreForm, LuGreSpec, Magic, MotorSpec, Side, SuspensionSpec,
    Weakening, WheelSpec,
};

/// Source of what the vehicle's own source prints.
pub(crate) const SOURCE: &str = "VirtualBotz 3D";
/// Source of the tyre's coefficients.
const PACEJKA: &str = "Bakker, Nyborg and Pacejka 1987";
/// Source of the motor's figures.
const MAGMOTOR: &str = "Magmotor S28-150";
/// Source of an axle's figures that are left out.
pub(crate) const AXLE_SOURCE: &str = "ours: in proportion to coulomb";

/// Keys of robots that make them vehicles.
pub(crate) const VEHICLE: &[Key] = &[
    key("chassis", "-", "of a vehicle: mass and box of the chassis"),
    key("wheels", "-", "of a vehicle: what its wheels have in common"),
    key("wheel", "-", "of a vehicle: its wheels, 2 to 12"),
];

use Range::{NotNegative, Positive};

const fn number<S>(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    range: Range,
    slot: fn(&mut S) -> &mut f64,
) -> Number<S> {
    Number { key: key(name, unit, meaning), range, source: OURS, slot }
}

const fn from_source<S>(source: &'static str, number: Number<S>) -> Number<S> {
    Number { source, ..number }
}

/// Keys of the chassis that are no plain numbers.
pub(crate) const CHASSIS_LISTS: &[Key] = &[
    key("length", "m", "from the centre of mass to front and rear"),
    key("width", "m", "from the centre of mass to the left and right side"),
    key("height", "m", "from the centre of mass to top and bottom"),
    key("inertia", "kg m2", "moments of inertia xx, yy, zz of the whole vehicle, whatever its box"),
    key("inertia_factors", "1", "factors on the moments of inertia of the chassis' box"),
    key("products", "kg m2", "products of inertia xy, xz, yz"),
    DRAWN,
];

pub(crate) const CHASSIS: &[Number<ChassisSpec>] = &[
    number("mass", "kg", "mass of the whole vehicle", Positive, |c| &mut c.mass),
    number("friction", "1", "friction of the bare chassis on the ground", NotNegative, |c| {
        &mut c.friction
    }),
    number("contact_stiffness", "N/m", "stiffness of a touching corner", NotNegative, |c| {
        &mut c.contact_stiffness
    }),
    number("contact_damping", "N s/m", "damping of a touching corner", NotNegative, |c| {
        &mut c.contact_damping
    }),
];

/// Keys of a wheel that are no plain numbers.
pub(crate) const WHEEL_PARTS: &[Key] = &[
    key("side", "-", "which command drives it: left, right or free"),
    key("ball", "-", "whether it is a ball in a socket that slides every way"),
    key("suspension", "-", "spring and damper"),
    key("motor", "-", "its motor, or \"none\""),
    key("axle", "-", "friction of the axle (LuGre), or \"none\""),
    key("tyre", "-", "law of friction: the name of its kind, or a table"),
    key("actuator", "-", "how its motor is commanded: the name of its kind, or a table"),
    key("joint", "-", "a joint that steers it, or \"none\""),
    DRAWN,
];

/// By what a motor may be commanded.
pub(crate) const ACTUATORS: &[(&str, ActuatorKind, &[Key])] = &[
    ("voltage", ActuatorKind::Voltage, &[key("limit", "V", "largest voltage")]),
    ("torque", ActuatorKind::Torque, &[key("limit", "N m", "largest torque at the axle")]),
    ("speed", ActuatorKind::Speed, &[key("limit", "rad/s", "largest speed of the wheel")]),
];

/// Joints of wheels.
pub(crate) const JOINTS: &[(&str, (), &[Key])] = &[(
    "steer",
    (),
    &[
        key("limit_deg", "deg", "largest angle to either side"),
        key("rate_deg_s", "deg/s", "largest rate"),
        key("response_s", "s", "time constant of its response"),
    ],
)];

/// What each wheel has for itself alone.
pub(crate) const WHEEL_PLACE: &[Key] = &[
    key("position", "m", "hub with the suspension relaxed, from the centre of mass: [x, y, z]"),
    key("name", "-", "its name, and that of its actuator"),
];

pub(crate) const SIDES: &[(&str, Side)] =
    &[("left", Side::Left), ("right", Side::Right), ("free", Side::Free)];

pub(crate) const WHEEL: &[Number<WheelSpec>] = &[
    number("radius", "m", "radius", Positive, |w| &mut w.radius),
    number("width", "m", "width between the rims", Positive, |w| &mut w.width),
    number("crown", "m", "drop of the tread from its middle to the rims", NotNegative, |w| {
        &mut w.crown
    }),
    number("inertia", "kg m2", "inertia about the axle, without the rotor", Positive, |w| {
        &mut w.inertia
    }),
    number("brake_torque", "N m", "largest torque of the brake", NotNegative, |w| {
        &mut w.brake_torque
    }),
    number("rolling_resistance", "1", "rolling resistance per load", NotNegative, |w| {
        &mut w.rolling_resistance
    }),
    number("relaxation", "m", "way over which slip builds up lengthwise", Positive, |w| {
        &mut w.relaxation
    }),
    number("side_relaxation", "m", "way over which slip builds up sideways", Positive, |w| {
        &mut w.side_relaxation
    }),
    number("bristle_damping_s", "s", "damping time of the tyre's bristles", NotNegative, |w| {
        &mut w.bristle_damping_s
    }),
];

pub(crate) const SUSPENSION: &[Number<SuspensionSpec>] = &[
    number("stiffness", "N/m", "rate of the spring", Positive, |s| &mut s.stiffness),
    number("damping", "N s/m", "damping", NotNegative, |s| &mut s.damping),
    number(
        "linear_travel",
        "m",
        "travel in which the spring is linear (h_sat)",
        NotNegative,
        |s| &mut s.linear_travel,
    ),
    number("stop_travel", "m", "travel at which the bump stop is engaged", Positive, |s| {
        &mut s.stop_travel
    }),
    number("stop_stiffness", "N/m", "rate of the bump stop", Positive, |s| &mut s.stop_stiffness),
];

/// The motor's key that may be left out.
pub(crate) const MOTOR_LIMIT: &[Key] =
    &[key("current_limit", "A", "largest current that the driver lets through")];

pub(crate) const MOTOR: &[Number<MotorSpec>] = &[
    from_source(
        MAGMOTOR,
        number("nominal_volts", "V", "nominal voltage: commands are cut to it", NotNegative, |m| {
            &mut m.nominal_volts
        }),
    ),
    from_source(
        MAGMOTOR,
        number("torque_constant", "N m/A", "torque constant K_t", NotNegative, |m| {
            &mut m.torque_constant
        }),
    ),
    from_source(
        MAGMOTOR,
        number("speed_constant_rpm_v", "rpm/V", "speed constant K_v", Positive, |m| {
            &mut m.speed_constant_rpm_v
        }),
    ),
    from_source(
        MAGMOTOR,
        number("resistance", "ohm", "resistance of winding and brushes", Positive, |m| {
            &mut m.resistance
        }),
    ),
    from_source(
        MAGMOTOR,
        number("no_load_current", "A", "no-load current", NotNegative, |m| &mut m.no_load_current),
    ),
    number("gear", "1", "turns of the motor for one of the wheel", Positive, |m| &mut m.gear),
    number("efficiency", "1", "what the gear leaves of the power, either way", Positive, |m| {
        &mut m.efficiency
    }),
    number("rotor_inertia", "kg m2", "inertia of the rotor", NotNegative, |m| &mut m.rotor_inertia),
];

pub(crate) const FORMS: &[(&str, LuGreForm)] =
    &[("standard", LuGreForm::Standard), ("continuous", LuGreForm::Continuous)];

/// Keys of an axle that are no plain numbers.
pub(crate) const AXLE_FORM: &[Key] =
    &[key("form", "-", "standard sticks; continuous is the source's, which creeps")];

/// Coulomb first: the defaults of the others follow from it.
pub(crate) const AXLE: &[Number<LuGreSpec>] = &[
    number("coulomb", "N m", "Coulomb friction F_c", NotNegative, |a| &mut a.coulomb),
    number("breakaway", "N m", "static friction F_s", NotNegative, |a| &mut a.breakaway),
    number("stiffness", "N m/rad", "stiffness of the bristles s0", Positive, |a| &mut a.stiffness),
    number("damping", "N m s/rad", "damping of the bristles s1", NotNegative, |a| &mut a.damping),
    number("viscous", "N m s/rad", "viscous friction s2", NotNegative, |a| &mut a.viscous),
    number("stribeck_speed", "rad/s", "Stribeck speed v_s", Positive, |a| &mut a.stribeck_speed),
    number("steepness", "s/rad", "k_v of the continuous form", Positive, |a| &mut a.steepness),
];

/// Numbers of the plain law.
#[derive(Clone, Copy)]
pub(crate) struct Coulomb {
    pub(crate) static_friction: f64,
    pub(crate) sliding_friction: f64,
    pub(crate) peak_slip: f64,
}

impl Default for Coulomb {
    /// Rubber on dry ground.
    fn default() -> Self {
        Self { static_friction: 0.9, sliding_friction: 0.7, peak_slip: 0.1 }
    }
}

pub(crate) const COULOMB: &[Number<Coulomb>] = &[
    number("static_friction", "1", "friction of a tyre that grips, mu", NotNegative, |c| {
        &mut c.static_friction
    }),
    number("sliding_friction", "1", "friction of a tyre that slides, mu*", NotNegative, |c| {
        &mut c.sliding_friction
    }),
    number("peak_slip", "1", "slip at which friction is largest", Positive, |c| &mut c.peak_slip),
];

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum TyreKind {
    Magic,
    Direct,
    Coulomb,
}

const FRICTION_SCALE: Key = key("friction_scale", "1", "factor on the peaks of both forces");
const WEAKEN_LENGTHWISE: Key =
    key("weaken_lengthwise", "-", "how a slip angle weakens the force lengthwise (G_xa)");
const WEAKEN_SIDEWAYS: Key =
    key("weaken_sideways", "-", "how slip weakens the force sideways (G_yk)");

pub(crate) const TYRES: &[(&str, TyreKind, &[Key])] = &[
    (
        "magic",
        TyreKind::Magic,
        &[
            FRICTION_SCALE,
            key("lengthwise", "-", "coefficients of F_x over the slip in percent"),
            key("sideways", "-", "coefficients of F_y over the slip angle in degrees"),
            WEAKEN_LENGTHWISE,
            WEAKEN_SIDEWAYS,
        ],
    ),
    (
        "direct",
        TyreKind::Direct,
        &[
            FRICTION_SCALE,
            key("lengthwise", "1", "[B, C, D, E] of F_x: B per percent, D as force per load"),
            key("sideways", "1", "[B, C, D, E] of F_y: B per degree, D as force per load"),
            WEAKEN_LENGTHWISE,
            WEAKEN_SIDEWAYS,
        ],
    ),
    ("coulomb", TyreKind::Coulomb, &{ [COULOMB[0].key, COULOMB[1].key, COULOMB[2].key] }),
];

pub(crate) const MAGIC: &[Number<Magic>] =
    &[number("friction_scale", "1", "", NotNegative, |m| &mut m.friction_scale)];

/// The coefficients of a curve.
pub(crate) const CURVE_LIST: &[Key] = &[key("a", "-", "a1 to a8 of table 5, load in kN")];

pub(crate) const CURVE: &[Number<Curve>] = &[
    from_source(SOURCE, number("c", "1", "shape factor C", Positive, |c| &mut c.c)),
    number("slope_per_kn", "N/kN", "slope B C D that grows with the load", NotNegative, |c| {
        &mut c.slope_per_kn
    }),
];

pub(crate) const COEFFICIENTS: &str = PACEJKA;

const fn weak(
    name: &'static str,
    meaning: &'static str,
    slot: fn(&mut Weakening) -> &mut f64,
) -> Number<Weakening> {
    from_source(SOURCE, number(name, "1", meaning, Range::Any, slot))
}

pub(crate) const WEAKENING: &[Number<Weakening>] = &[
    weak("b1", "r_B1: stiffness", |w| &mut w.b1),
    weak("b2", "r_B2: how it falls with the other slip", |w| &mut w.b2),
    weak("b3", "r_B3: the other slip at which it is largest", |w| &mut w.b3),
    weak("c", "C: shape", |w| &mut w.c),
    weak("shift", "r_H1: shift of the slip", |w| &mut w.shift),
];
