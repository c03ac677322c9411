//! Tyres: the Magic Formula with combined slip, and a plain friction law beside it.
//!
//! Magic Formula (3.28 to 3.36): F = D sin(C atan(B x - E (B x - atan B x))) with the slip x in
//! percent (lengthwise) or degrees (sideways), and D, B C D and E functions of the load in kN:
//! D = a1 Fz^2 + a2 Fz, E = a6 Fz^2 + a7 Fz + a8, lengthwise B C D = (a3 Fz^2 + a4 Fz) exp(-a5 Fz),
//! sideways B C D = a3 sin(a4 atan(a5 Fz)). Combined slip (3.37, 3.38) weakens each by a cosine;
//! there the slip angle is in rad and the slip a ratio.
//!
//! A law is asked for *secants*: force per load and slip. They are positive and finite also
//! without slip, which is what the implicit step of the wheel's spin needs.

use core::f64::consts::PI;
use rolima_check::{self as check, ModelError};
use rolima_math::straight::short;
use rolima_math::{larger, smaller};

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
    /// r_B3: where it is largest (sideways only).
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

impl Magic {
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

/// Secants of a law at some slip and load.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Grip {
    /// Force lengthwise per load and slip ratio.
    pub lengthwise: f64,
    /// Force sideways per load and tangent of the slip angle.
    pub sideways: f64,
    /// Largest force lengthwise per load.
    pub most: f64,
    /// Slope without slip over the peak, lengthwise and sideways: one over the slip at which a
    /// linear tyre would reach its peak.
    pub sharpness: [f64; 2],
}

/// One direction of the Magic Formula, compiled.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CurveNumbers {
    a1: f64,
    a2: f64,
    a3: f64,
    a4: f64,
    a5: f64,
    a6: f64,
    a7: f64,
    a8: f64,
    c: f64,
    slope: f64,
}

/// A compiled law: all numbers plain, so that a loop over wheels becomes vectors.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tyre {
    x: CurveNumbers,
    y: CurveNumbers,
    gx: [f64; 3],
    gy: [f64; 4],
    shift: [f64; 2],
    scale: f64,
    most_kn: f64,
    /// 1 for the Magic Formula, 0 for Coulomb.
    magic: f64,
    coulomb: [f64; 3],
}

impl CurveNumbers {
    fn new(curve: &Curve) -> Self {
        let [a1, a2, a3, a4, a5, a6, a7, a8] = curve.a;
        Self { a1, a2, a3, a4, a5, a6, a7, a8, c: curve.c, slope: curve.slope_per_kn }
    }

    /// B C D lengthwise, N per percent.
    #[inline(always)]
    fn stiffness_lengthwise(&self, kn: f64) -> f64 {
        (self.a3 * kn + self.a4) * kn * short::exp(-self.a5 * kn) + self.slope * kn
    }

    /// B C D sideways, N per degree.
    #[inline(always)]
    fn stiffness_sideways(&self, kn: f64) -> f64 {
        self.a3 * short::sin(self.a4 * short::atan(self.a5 * kn)) + self.slope * kn
    }

    /// D and E at a load; E above 1 would turn the curve back, so it is cut there.
    #[inline(always)]
    fn peak_and_bend(&self, kn: f64) -> (f64, f64) {
        ((self.a1 * kn + self.a2) * kn, smaller((self.a6 * kn + self.a7) * kn + self.a8, 1.0))
    }

    /// Force at a slip.
    #[inline(always)]
    fn force(&self, slip: f64, d: f64, bcd: f64, e: f64) -> f64 {
        let bx = bcd * slip / (self.c * larger(d, 1e-9));
        d * short::sin(self.c * short::atan(bx - e * (bx - short::atan(bx))))
    }
}

/// Force over slip; `slope` where there is none.
#[inline(always)]
fn secant(force: f64, slip: f64, slope: f64) -> f64 {
    let still = slip.abs() < STILL;
    let ratio = force / if still { 1.0 } else { slip };
    if still { slope } else { ratio }
}

/// Slip below which the curve is a straight line.
const STILL: f64 = 1e-9;

/// Degrees in a radian.
const DEGREES: f64 = 180.0 / PI;

impl Tyre {
    /// How many numbers a law has.
    pub(crate) const COUNT: usize = 35;

    pub(crate) fn new(key: &str, law: &TyreLaw) -> Result<Self, ModelError> {
        match *law {
            TyreLaw::Coulomb { static_friction, sliding_friction, peak_slip } => {
                check::within(&format!("{key}.static_friction"), static_friction, 0.0, 10.0)?;
                let most = static_friction;
                check::within(&format!("{key}.sliding_friction"), sliding_friction, 0.0, most)?;
                check::within(&format!("{key}.peak_slip"), peak_slip, 1e-3, 1.0)?;
                let coulomb = [static_friction, sliding_friction, 1.0 / peak_slip];
                // A harmless curve, as its lanes are computed all the same.
                Ok(Self { coulomb, ..Self::new(key, &TyreLaw::default())?.with_magic(0.0) })
            }
            TyreLaw::Magic(m) => {
                let mut most_kn = 20.0;
                for (name, curve) in [("lengthwise", &m.lengthwise), ("sideways", &m.sideways)] {
                    for (i, &a) in curve.a.iter().enumerate() {
                        check::at_most(
                            &format!("{key}.{name}.a{}", i + 1),
                            ("a coefficient", ""),
                            a,
                            1e6,
                        )?;
                    }
                    check::within(&format!("{key}.{name}.c"), curve.c, 0.1, 1.99)?;
                    check::within(&format!("{key}.{name}.slope"), curve.slope_per_kn, 0.0, 1e6)?;
                    check::positive(&format!("{key}.{name}.a2"), curve.a[1])?;
                    if curve.a[0] < 0.0 {
                        // Beyond its vertex the parabola of D falls: outside of any fit.
                        most_kn = smaller(most_kn, -0.5 * curve.a[1] / curve.a[0]);
                    }
                }
                check::within(&format!("{key}.friction_scale"), m.friction_scale, 0.0, 10.0)?;
                for (name, w) in [
                    ("weaken_lengthwise", &m.weaken_lengthwise),
                    ("weaken_sideways", &m.weaken_sideways),
                ] {
                    check::within(&format!("{key}.{name}.c"), w.c, 0.0, 1.99)?;
                    for x in [w.b1, w.b2, w.b3, w.shift] {
                        check::at_most(&format!("{key}.{name}"), ("a coefficient", ""), x, 1e3)?;
                    }
                }
                let (x, y) = (m.weaken_lengthwise, m.weaken_sideways);
                Ok(Self {
                    x: CurveNumbers::new(&m.lengthwise),
                    y: CurveNumbers::new(&m.sideways),
                    gx: [x.b1, x.b2, x.c],
                    gy: [y.b1, y.b2, y.b3, y.c],
                    shift: [x.shift, y.shift],
                    scale: m.friction_scale,
                    most_kn,
                    magic: 1.0,
                    coulomb: [0.0, 0.0, 1.0],
                })
            }
        }
    }

    /// All numbers in a row, so that wheels can lie side by side.
    pub(crate) fn numbers(&self) -> [f64; Self::COUNT] {
        let (x, y) = (&self.x, &self.y);
        let curve =
            |c: &CurveNumbers| [c.a1, c.a2, c.a3, c.a4, c.a5, c.a6, c.a7, c.a8, c.c, c.slope];
        let mut out = [0.0; Self::COUNT];
        out[..10].copy_from_slice(&curve(x));
        out[10..20].copy_from_slice(&curve(y));
        out[20..23].copy_from_slice(&self.gx);
        out[23..27].copy_from_slice(&self.gy);
        out[27..29].copy_from_slice(&self.shift);
        (out[29], out[30], out[31]) = (self.scale, self.most_kn, self.magic);
        out[32..35].copy_from_slice(&self.coulomb);
        out
    }

    /// Back from [`Tyre::numbers`].
    #[inline(always)]
    pub(crate) fn from_numbers(n: impl Fn(usize) -> f64) -> Self {
        let curve = |o: usize| CurveNumbers {
            a1: n(o),
            a2: n(o + 1),
            a3: n(o + 2),
            a4: n(o + 3),
            a5: n(o + 4),
            a6: n(o + 5),
            a7: n(o + 6),
            a8: n(o + 7),
            c: n(o + 8),
            slope: n(o + 9),
        };
        Self {
            x: curve(0),
            y: curve(10),
            gx: [n(20), n(21), n(22)],
            gy: [n(23), n(24), n(25), n(26)],
            shift: [n(27), n(28)],
            scale: n(29),
            most_kn: n(30),
            magic: n(31),
            coulomb: [n(32), n(33), n(34)],
        }
    }

    fn with_magic(self, magic: f64) -> Self {
        Self { magic, ..self }
    }

    /// Whether it is the Magic Formula.
    pub(crate) fn is_magic(&self) -> bool {
        self.magic > 0.5
    }

    /// Whether slips are shifted, which costs some more.
    pub(crate) fn is_shifted(&self) -> bool {
        self.shift != [0.0; 2]
    }

    /// Secants at the slips `sx` (ratio) and `sy` (tangent of the slip angle), a load in N, and a
    /// friction factor of the ground. `side` is -1 for the mirrored tyres of the left side.
    #[inline(always)]
    pub(crate) fn magic_grip(
        &self,
        shifted: bool,
        sx: f64,
        sy: f64,
        load: f64,
        mu: f64,
        side: f64,
    ) -> Grip {
        let newton = larger(load, 1e-3);
        let kn = smaller(1e-3 * newton, self.most_kn);
        // Beyond the fit's largest load forces grow no more.
        let per_load = 1.0 / newton;
        let alpha = short::atan(sy) * side;
        let mu = mu * self.scale;
        let (dx, ex) = self.x.peak_and_bend(kn);
        let bcd_x = self.x.stiffness_lengthwise(kn);
        let along = self.x.force(100.0 * sx, dx * mu, bcd_x, ex);
        let (dy, ey) = self.y.peak_and_bend(kn);
        let bcd_y = self.y.stiffness_sideways(kn);
        let across = self.y.force(DEGREES * alpha, dy * mu, bcd_y, ey) * side;
        let [gx, gy] = self.weakening(shifted, sx, alpha);
        let slopes = [100.0 * bcd_x, DEGREES * bcd_y];
        let lengthwise = secant(along, sx, slopes[0]) * gx;
        let sideways = secant(across, sy, slopes[1]) * gy;
        Grip {
            lengthwise: lengthwise * per_load,
            sideways: sideways * per_load,
            most: dx * mu * gx * per_load,
            sharpness: [slopes[0] / larger(dx * mu, 1e-9), slopes[1] / larger(dy * mu, 1e-9)],
        }
    }

    /// G_xa and G_yk.
    #[inline(always)]
    fn weakening(&self, shifted: bool, kappa: f64, alpha: f64) -> [f64; 2] {
        // B = b1 cos(atan(b2 slip)) = b1 / sqrt(1 + (b2 slip)^2), as numerator and denominator.
        let slant = self.gx[1] * kappa;
        let qx = (1.0 + slant * slant).sqrt();
        let slant = self.gy[1] * (alpha - self.gy[2]);
        let qy = (1.0 + slant * slant).sqrt();
        let bell =
            |b: f64, q: f64, c: f64, slip: f64| short::cos(c * short::atan_ratio(b * slip, q));
        let [bx, by, cx, cy] = [self.gx[0], self.gy[0], self.gx[2], self.gy[3]];
        let mut x = bell(bx, qx, cx, alpha + self.shift[0]);
        let mut y = bell(by, qy, cy, kappa + self.shift[1]);
        if shifted {
            x /= bell(bx, qx, cx, self.shift[0]);
            y /= bell(by, qy, cy, self.shift[1]);
        }
        [larger(x, 0.0), larger(y, 0.0)]
    }

    /// Secants of the plain law.
    #[inline(always)]
    pub(crate) fn coulomb_grip(&self, sx: f64, sy: f64, mu: f64) -> Grip {
        let [most, sliding, per_peak] = self.coulomb;
        let slip = (sx * sx + sy * sy).sqrt();
        let x = slip * per_peak;
        let over = x - 1.0;
        let rising = most * (2.0 - x) * per_peak;
        let falling = (sliding + (most - sliding) / (1.0 + over * over)) / larger(slip, 1e-9);
        let secant = if x < 1.0 { rising } else { falling } * mu;
        let sharpness = [2.0 * per_peak; 2];
        Grip { lengthwise: secant, sideways: secant, most: most * mu, sharpness }
    }

    /// Secants of whichever law it is.
    pub(crate) fn grip(&self, sx: f64, sy: f64, load: f64, mu: f64, side: f64) -> Grip {
        if self.is_magic() {
            self.magic_grip(self.is_shifted(), sx, sy, load, mu, side)
        } else {
            self.coulomb_grip(sx, sy, mu)
        }
    }
}

impl TyreLaw {
    /// Forces lengthwise and sideways, N, at a slip (ratio), a slip angle (rad, below a right
    /// angle) and a load, N: what a scene uses, for curves and tests. Positive slip drives
    /// forward; a positive angle gives a positive force here.
    pub fn forces(&self, slip: f64, slip_angle: f64, load: f64) -> Result<[f64; 2], ModelError> {
        let tyre = Tyre::new("tyre", self)?;
        check::within("slip", slip, -10.0, 10.0)?;
        check::within("slip_angle", slip_angle, -1.57, 1.57)?;
        check::within("load", load, 0.0, 1e6)?;
        let side = rolima_math::tan(slip_angle);
        let grip = tyre.grip(slip, side, load, 1.0, 1.0);
        Ok([grip.lengthwise * slip * load, grip.sideways * side * load])
    }

    /// How much a slip angle weakens F_x, and slip F_y: G_xa and G_yk; 1 for the plain law.
    pub fn weakening(&self, slip: f64, slip_angle: f64) -> Result<[f64; 2], ModelError> {
        let tyre = Tyre::new("tyre", self)?;
        Ok(if tyre.is_magic() { tyre.weakening(true, slip, slip_angle) } else { [1.0; 2] })
    }

    /// D, B C D and E of the Magic Formula at a load in N: lengthwise, then sideways.
    pub fn coefficients(&self, load: f64) -> Option<[[f64; 3]; 2]> {
        let tyre = Tyre::new("tyre", self).ok().filter(Tyre::is_magic)?;
        let kn = smaller(1e-3 * load, tyre.most_kn);
        let (x, y) = (tyre.x, tyre.y);
        let (dx, ex) = x.peak_and_bend(kn);
        let (dy, ey) = y.peak_and_bend(kn);
        let (bcd_x, bcd_y) = (x.stiffness_lengthwise(kn), y.stiffness_sideways(kn));
        Some([[dx * tyre.scale, bcd_x, ex], [dy * tyre.scale, bcd_y, ey]])
    }
}
