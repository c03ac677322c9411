//! Tyres: the Magic Formula with combined slip, and a plain friction law beside it.
//!
//! Magic Formula (3.28 to 3.36): F = D sin(C atan(B x - E (B x - atan B x))) with the slip x in
//! percent (lengthwise) or degrees (sideways), and D, B C D and E functions of the load in kN:
//! D = a1 Fz^2 + a2 Fz, E = a6 Fz^2 + a7 Fz + a8, lengthwise B C D = (a3 Fz^2 + a4 Fz) exp(-a5 Fz),
//! sideways B C D = a3 sin(a4 atan(a5 Fz)). Combined slip (3.37, 3.38) weakens each by a cosine;
//! there the slip angle is in rad and the slip a ratio.
//!
//! Here is what a scene says; `grip` has what a step computes of it.

use crate::grip::{Tyre, TyreLanes};
use rolima_check::Range::Within;
use rolima_check::{self as check, Absent, Held, Key, ModelError, Number, OURS, number, number_of};

/// Source of the plain law's numbers.
const DRY: &str = "ours: rubber on dry ground";

/// Coefficients a1 to a8 of one direction (table 5).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// a1 to a8.
    pub a: [f64; 8],
    /// Shape factor C.
    pub c: f64,
    /// Slope B C D that grows with the load, N per kN and per percent or degree; added to what a3
    /// to a5 give. Zero in the published sets.
    pub slope_per_kn: f64,
}

/// How one slip weakens the force of the other: r_B1, r_B2, r_B3, C and the shift r_H1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weakening {
    /// r_B1: stiffness.
    pub b1: f64,
    /// r_B2: how it falls with the other slip.
    pub b2: f64,
    /// r_B3: the other slip at which it is largest; zero lengthwise in the published set.
    pub b3: f64,
    /// C: shape.
    pub c: f64,
    /// r_H1: shift of the slip; makes a tyre lopsided, so zero by default.
    pub shift: f64,
}

/// The Magic Formula's numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Magic {
    /// Lengthwise: F_x over the slip.
    pub lengthwise: Curve,
    /// Sideways: F_y over the slip angle.
    pub sideways: Curve,
    /// G_xa: how a slip angle weakens F_x.
    pub weaken_lengthwise: Weakening,
    /// G_yk: how slip weakens F_y.
    pub weaken_sideways: Weakening,
    /// Factor on the peaks D; stiffness stays.
    pub friction_scale: f64,
}

impl Default for Magic {
    /// Bakker, Nyborg and Pacejka 1987, with the source's shape factors 1.69 and 1.19 (the
    /// published pairing is 1.65 and 1.30).
    fn default() -> Self {
        Self {
            lengthwise: Curve {
                a: [-21.3, 1144.0, 49.6, 226.0, 0.069, -0.006, 0.056, 0.486],
                c: 1.69,
                slope_per_kn: 0.0,
            },
            sideways: Curve {
                a: [-22.1, 1011.0, 1078.0, 1.82, 0.208, 0.0, -0.354, 0.707],
                c: 1.19,
                slope_per_kn: 0.0,
            },
            weaken_lengthwise: Weakening { b1: 12.35, b2: -10.77, b3: 0.0, c: 1.092, shift: 0.0 },
            weaken_sideways: Weakening { b1: 6.461, b2: 4.196, b3: -0.015, c: 1.081, shift: 0.0 },
            friction_scale: 1.0,
        }
    }
}

impl Curve {
    /// Its numbers with their keys.
    pub const KEYS: &'static [Number<Self>] = &[
        Number {
            key: number("c", "1", Within(0.1, 1.99), "shape factor C")
                .computed("1.69 lengthwise, 1.19 sideways"),
            slot: |curve| curve.c.slot(),
        },
        Number {
            key: number(
                "slope_per_kn",
                "N/kN",
                Within(0.0, 1e6),
                "slope B C D that grows with the load",
            )
            .or(Absent::Value(0.0), OURS),
            slot: |curve| curve.slope_per_kn.slot(),
        },
    ];
}

/// A number of [`Weakening`].
macro_rules! weakening {
    ($field:ident, $low:literal, $high:literal, $meaning:literal) => {
        Number {
            key: number(stringify!($field), "1", Within($low, $high), $meaning)
                .computed("the source's"),
            slot: |weakening| weakening.$field.slot(),
        }
    };
}

impl Weakening {
    /// Its numbers with their keys.
    pub const KEYS: &'static [Number<Self>] = &[
        weakening!(b1, -1e3, 1e3, "r_B1: stiffness"),
        weakening!(b2, -1e3, 1e3, "r_B2: how it falls with the other slip"),
        weakening!(b3, -1e3, 1e3, "r_B3: the other slip at which it is largest"),
        weakening!(c, 0.0, 1.99, "C: shape"),
        weakening!(shift, -1e3, 1e3, "r_H1: shift of the slip"),
    ];
}

impl Magic {
    /// Its numbers with their keys.
    pub const KEYS: &'static [Number<Self>] = &[number_of!(
        Magic: friction_scale,
        number("friction_scale", "1", Within(0.0, 10.0), "factor on the peaks of both forces"),
        OURS
    )];

    /// From B, C, D, E of each direction: B per percent or degree, D as force per load.
    pub fn direct(lengthwise: [f64; 4], sideways: [f64; 4]) -> Self {
        let curve = |[b, c, d, e]: [f64; 4]| Curve {
            a: [0.0, 1e3 * d, 0.0, 0.0, 0.0, 0.0, 0.0, e],
            c,
            slope_per_kn: 1e3 * b * c * d,
        };
        Self { lengthwise: curve(lengthwise), sideways: curve(sideways), ..Self::default() }
    }
}

/// A law of friction between wheel and ground.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::large_enum_variant, reason = "a wheel has one, read once; a box would not be Copy")]
pub enum TyreLaw {
    /// The Magic Formula with combined slip.
    Magic(Magic),
    /// Coulomb's law with a friction circle (3.14 to 3.24), regularised: friction grows along a
    /// parabola to `static_friction` at the slip `peak_slip` and falls smoothly, without a jump,
    /// to `sliding_friction` at some times that slip.
    Coulomb {
        /// mu.
        static_friction: f64,
        /// mu*.
        sliding_friction: f64,
        /// Slip (ratio) at which friction is largest.
        peak_slip: f64,
    },
}

impl Default for TyreLaw {
    fn default() -> Self {
        Self::Magic(Magic::default())
    }
}

/// Keys of Coulomb's law.
impl TyreLaw {
    /// Friction of a tyre that grips.
    pub const STATIC_FRICTION: Key =
        number("static_friction", "1", Within(0.0, 10.0), "friction of a tyre that grips, mu")
            .or(Absent::Value(0.9), DRY);
    /// Friction of a tyre that slides.
    pub const SLIDING_FRICTION: Key = number(
        "sliding_friction",
        "1",
        Within(0.0, 10.0),
        "friction of a tyre that slides, mu*; at most static_friction",
    )
    .or(Absent::Value(0.7), DRY);
    /// The slip of the largest friction.
    pub const PEAK_SLIP: Key =
        number("peak_slip", "1", Within(1e-3, 1.0), "slip at which friction is largest")
            .or(Absent::Value(0.1), DRY);
}

impl TyreLaw {
    /// Forces lengthwise and sideways, N, at a slip (ratio), a slip angle (rad, below a right
    /// angle) and a load, N: what a scene uses, for curves and tests. Positive slip drives
    /// forward; a positive angle gives a positive force here.
    pub fn forces(&self, slip: f64, slip_angle: f64, load: f64) -> Result<[f64; 2], ModelError> {
        self.forces_on(slip, slip_angle, load, 1.0)
    }

    /// The same on ground with a friction factor.
    pub fn forces_on(
        &self,
        slip: f64,
        slip_angle: f64,
        load: f64,
        ground: f64,
    ) -> Result<[f64; 2], ModelError> {
        let tyre = Tyre::new("tyre", self)?;
        check::within("slip", slip, -10.0, 10.0)?;
        check::within("slip_angle", slip_angle, -1.57, 1.57)?;
        check::within("load", load, 0.0, 1e6)?;
        check::within("ground", ground, 0.0, 10.0)?;
        let side = rolima_math::tan(slip_angle);
        let [lengthwise, sideways] = TyreLanes::of(&tyre).secants(slip, side, load, ground);
        Ok([lengthwise * slip * load, sideways * side * load])
    }

    /// How much a slip angle weakens F_x, and slip F_y: G_xa and G_yk; 1 for the plain law.
    pub fn weakening(&self, slip: f64, slip_angle: f64) -> Result<[f64; 2], ModelError> {
        let tyre = Tyre::new("tyre", self)?;
        Ok(if tyre.is_magic() {
            TyreLanes::of(&tyre).weakening_of(slip, slip_angle)
        } else {
            [1.0; 2]
        })
    }

    /// D, B C D and E of the Magic Formula at a load in N: lengthwise, then sideways.
    pub fn coefficients(&self, load: f64) -> Option<[[f64; 3]; 2]> {
        let tyre = Tyre::new("tyre", self).ok().filter(Tyre::is_magic)?;
        Some(tyre.coefficients(load))
    }
}
