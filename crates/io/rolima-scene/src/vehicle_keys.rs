//! Keys of vehicles: chassis, wheels, suspension, motors, axles, tyres.

use crate::drawn::DRAWN;
use crate::reader::{
    Absent, Given, Key, KeyKind, Kinds, OURS, Range, Word, key, keys_of, number, table, tables,
    text, word,
};
use rolima_spatial::{
    ActuatorKind, ActuatorSpec, ChassisSpec, Curve, LuGreForm, LuGreSpec, Magic, MotorSpec, Side,
    SteerSpec, SuspensionSpec, TyreLaw, Weakening, WheelSpec,
};

/// Source of the tyre's coefficients.
const PACEJKA: &str = "Bakker, Nyborg and Pacejka 1987";
/// What follows from the box of the chassis.
const BOX: &str = "its box, times the factors";

/// Keys of robots that make them vehicles.
pub(crate) const VEHICLE: &[Key] = &[
    table(
        "chassis",
        "not a vehicle",
        "of a vehicle: mass and box of the chassis; beside a drive: its heights, for ground",
    ),
    table(
        "wheels",
        "defaults",
        "of a vehicle: what its wheels have in common; beside a drive: what the driven ones have for ground",
    ),
    tables("wheel", "of a vehicle: its wheels, 2 to 12; beside a drive: castors, for ground"),
];

pub(crate) const CHASSIS: &[&[Key]] = &[
    keys_of!(ChassisSpec::KEYS),
    &[
        key("length", "m", KeyKind::Numbers(2), "from the centre of mass to front and rear")
            .computed("[0.35, 0.35], or as drawn"),
        key(
            "width",
            "m",
            KeyKind::Numbers(2),
            "from the centre of mass to the left and right side",
        )
        .computed("[0.2, 0.2], or as drawn"),
        key("height", "m", KeyKind::Numbers(2), "from the centre of mass to top and bottom")
            .computed("[0.1, 0.08], or as drawn"),
        key(
            "inertia",
            "kg m2",
            KeyKind::Numbers(3),
            "moments of inertia xx, yy, zz of the whole vehicle",
        )
        .computed(BOX),
        key(
            "inertia_factors",
            "1",
            KeyKind::Numbers(3),
            "factors on the moments of inertia of its box, where inertia is not given",
        )
        .or(Absent::List(&[1.0; 3]), OURS),
        DRAWN,
    ],
];

/// Keys of a wheel.
pub(crate) const WHEEL: &[&[Key]] = &[
    keys_of!(WheelSpec::KEYS),
    &[
        word("side", Side::words, "which command drives it; free without a motor")
            .computed("by its y"),
        table("suspension", "defaults", "spring and damper"),
        table("motor", "\"none\"", "its motor, or \"none\""),
        table("axle", "\"none\"", "friction of the axle (LuGre), or \"none\""),
        table("tyre", TYRES.absent_word(), "law of friction: the name of its kind, or a table"),
        table(
            "actuator",
            ACTUATORS.absent_word(),
            "how its motor is commanded: the name of its kind, or a table",
        ),
        table(
            "joint",
            "\"none\"",
            "a joint that steers it: the name of its kind, a table, or \"none\"",
        ),
        key(
            "ball",
            "-",
            KeyKind::Flag,
            "a ball in a socket, which slides every way and does not turn: it has no motor",
        )
        .or(Absent::Own(|| Given::Flag(WheelSpec::default().ball)), OURS),
        DRAWN,
    ],
];

/// What each wheel has for itself alone.
pub(crate) const WHEEL_PLACE: &[Key] = &[
    key(
        "position",
        "m",
        KeyKind::Numbers(3),
        "hub with the suspension relaxed, from the centre of mass: forward, left, up",
    ),
    text("name", "its name, and that of its actuator").computed("wheel-0 and so on"),
];

/// By what a motor may be commanded.
pub(crate) const ACTUATORS: Kinds<ActuatorKind> = Kinds {
    absent: Some((ActuatorKind::Voltage.name(), OURS)),
    common: &[],
    list: &[
        (ActuatorKind::Voltage.name(), ActuatorKind::Voltage, &[&[ActuatorSpec::limit_key("V")]]),
        (ActuatorKind::Torque.name(), ActuatorKind::Torque, &[&[ActuatorSpec::limit_key("N m")]]),
        (ActuatorKind::Speed.name(), ActuatorKind::Speed, &[&[ActuatorSpec::limit_key("rad/s")]]),
    ],
};

/// Joints of wheels.
pub(crate) const JOINTS: Kinds<()> = Kinds {
    absent: Some(("steer", OURS)),
    common: &[],
    list: &[("steer", (), &[keys_of!(SteerSpec::KEYS)])],
};

pub(crate) const SUSPENSION: &[Key] = keys_of!(SuspensionSpec::KEYS);

pub(crate) const MOTOR: &[&[Key]] = &[
    keys_of!(MotorSpec::KEYS),
    &[number(
        "current_limit",
        "A",
        Range::Positive,
        "largest current that the driver lets through",
    )
    .computed("none")],
];

pub(crate) const AXLE: &[&[Key]] = &[
    keys_of!(LuGreSpec::KEYS),
    &[word("form", LuGreForm::words, "standard sticks; continuous is the source's, which creeps")
        .or(Absent::Own(|| Given::Word(LuGreForm::default().word())), OURS)],
];

#[derive(Clone, Copy, PartialEq)]
pub(crate) enum TyreKind {
    Magic,
    Direct,
    Coulomb,
}

/// What both forms of the Magic Formula have.
const COMBINED: &[&[Key]] = &[
    keys_of!(Magic::KEYS),
    &[
        table(
            "weaken_lengthwise",
            "the source's",
            "how a slip angle weakens the force lengthwise (G_xa)",
        ),
        table("weaken_sideways", "the source's", "how slip weakens the force sideways (G_yk)"),
    ],
];

pub(crate) const TYRES: Kinds<TyreKind> = Kinds {
    absent: Some(("magic", OURS)),
    common: &[],
    list: &[
        (
            "magic",
            TyreKind::Magic,
            &[
                COMBINED[0],
                COMBINED[1],
                &[
                    table("lengthwise", PACEJKA, "coefficients of F_x over the slip in percent"),
                    table(
                        "sideways",
                        PACEJKA,
                        "coefficients of F_y over the slip angle in degrees",
                    ),
                ],
            ],
        ),
        (
            "direct",
            TyreKind::Direct,
            &[
                COMBINED[0],
                COMBINED[1],
                &[
                    key(
                        "lengthwise",
                        "1",
                        KeyKind::Numbers(4),
                        "[B, C, D, E] of F_x: B per percent, D as force per load",
                    ),
                    key(
                        "sideways",
                        "1",
                        KeyKind::Numbers(4),
                        "[B, C, D, E] of F_y: B per degree, D as force per load",
                    ),
                ],
            ],
        ),
        (
            "coulomb",
            TyreKind::Coulomb,
            &[&[TyreLaw::STATIC_FRICTION, TyreLaw::SLIDING_FRICTION, TyreLaw::PEAK_SLIP]],
        ),
    ],
};

/// Keys of a curve.
pub(crate) const CURVE: &[&[Key]] = &[
    &[key("a", "-", KeyKind::Numbers(8), "a1 to a8 of table 5, load in kN").computed(PACEJKA)],
    keys_of!(Curve::KEYS),
];

pub(crate) const WEAKENING: &[Key] = keys_of!(Weakening::KEYS);
