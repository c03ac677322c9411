//! What a step asks of a tyre: *secants*, force per load and slip. They are positive and finite also
//! without slip, which is what the implicit step of the wheel's spin needs.
//!
//! Four wheels at a time. Where lengthwise and sideways are the same formula with other numbers, both
//! directions of the four lie side by side, eight lanes in all: one chain of dependent operations in
//! place of two.

use crate::model::{LANES, Lanes};
use crate::tyre::{Curve, Magic, TyreLaw, Weakening};
use core::f64::consts::PI;
use rolima_check::{self as check, ModelError, check_numbers};
use rolima_math::straight::short;
use rolima_math::{larger, smaller};

/// Four wheels lengthwise, then the same four sideways.
type Both = [f64; 2 * LANES];

/// Secants of a law at some slip and load.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Grip {
    /// Force lengthwise per load and slip ratio.
    pub(crate) lengthwise: f64,
    /// Force sideways per load and tangent of the slip angle.
    pub(crate) sideways: f64,
    /// Largest force lengthwise per load.
    pub(crate) most: f64,
    /// Slope without slip over the peak, lengthwise and sideways: one over the slip at which a
    /// linear tyre would reach its peak.
    pub(crate) sharpness: [f64; 2],
}

/// One direction of a law, compiled.
#[derive(Clone, Copy, Debug, Default)]
struct Direction {
    /// a1 to a8, C and the slope that grows with the load.
    curve: [f64; 10],
    /// r_B1, r_B2, r_B3, C and r_H1.
    weaken: [f64; 5],
}

/// A compiled law: all numbers plain.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tyre {
    directions: [Direction; 2],
    scale: f64,
    most_kn: f64,
    magic: bool,
    coulomb: [f64; 3],
}

/// Laws of four wheels, side by side.
#[derive(Clone, Debug)]
pub(crate) struct TyreLanes {
    curve: [Both; 10],
    weaken: [Both; 5],
    scale: Lanes,
    most_kn: Lanes,
    /// 1 for the Magic Formula, 0 for Coulomb.
    magic: Lanes,
    coulomb: [Lanes; 3],
    any_magic: bool,
    any_coulomb: bool,
    any_shift: bool,
}

/// Slip below which the curve is a straight line.
const STILL: f64 = 1e-9;

/// Degrees in a radian.
const DEGREES: f64 = 180.0 / PI;

/// Slips as the curves want them, per ratio and per radian.
const UNITS: [f64; 2] = [100.0, DEGREES];

/// Force over slip; `slope` where there is none.
#[inline(always)]
fn secant(force: f64, slip: f64, slope: f64) -> f64 {
    let still = slip.abs() < STILL;
    let per_slip = 1.0 / if still { 1.0 } else { slip };
    if still { slope } else { force * per_slip }
}

/// B C D lengthwise, N per percent.
#[inline(always)]
fn stiffness_lengthwise(a: [f64; 3], slope: f64, kn: f64) -> f64 {
    (a[0] * kn + a[1]) * kn * short::exp(-a[2] * kn) + slope * kn
}

/// B C D sideways, N per degree.
#[inline(always)]
fn stiffness_sideways(a: [f64; 3], slope: f64, kn: f64) -> f64 {
    a[0] * short::sin(a[1] * short::atan(a[2] * kn)) + slope * kn
}

/// D at a load.
#[inline(always)]
fn peak(a: [f64; 2], kn: f64) -> f64 {
    (a[0] * kn + a[1]) * kn
}

/// E at a load; above 1 it would turn the curve back, so it is cut there.
#[inline(always)]
fn bend(a: [f64; 3], kn: f64) -> f64 {
    smaller((a[0] * kn + a[1]) * kn + a[2], 1.0)
}

/// B = b1 cos(atan(b2 (slip - b3))) = b1 / q; this is q.
#[inline(always)]
fn slant(b2: f64, b3: f64, slip: f64) -> f64 {
    let slant = b2 * (slip - b3);
    (1.0 + slant * slant).sqrt()
}

/// cos(C atan(b1/q slip)).
#[inline(always)]
fn bell(b1: f64, q: f64, c: f64, slip: f64) -> f64 {
    short::cos(c * short::atan_ratio(b1 * slip, q))
}

impl Tyre {
    pub(crate) fn new(key: &str, law: &TyreLaw) -> Result<Self, ModelError> {
        match *law {
            TyreLaw::Coulomb { static_friction, sliding_friction, peak_slip } => {
                TyreLaw::STATIC_FRICTION.check(key, static_friction)?;
                let most = static_friction;
                check::within(&format!("{key}.sliding_friction"), sliding_friction, 0.0, most)?;
                TyreLaw::PEAK_SLIP.check(key, peak_slip)?;
                let coulomb = [static_friction, sliding_friction, 1.0 / peak_slip];
                // A harmless curve, as its lanes are computed all the same.
                Ok(Self { coulomb, magic: false, ..Self::new(key, &TyreLaw::default())? })
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
                    check_numbers(&format!("{key}.{name}"), curve, Curve::KEYS)?;
                    check::positive(&format!("{key}.{name}.a2"), curve.a[1])?;
                    if curve.a[0] < 0.0 {
                        // Beyond its vertex the parabola of D falls: outside of any fit.
                        most_kn = smaller(most_kn, -0.5 * curve.a[1] / curve.a[0]);
                    }
                }
                check_numbers(key, &m, Magic::KEYS)?;
                let mut weakenings = [[0.0; 5]; 2];
                for (i, (name, w)) in [
                    ("weaken_lengthwise", &m.weaken_lengthwise),
                    ("weaken_sideways", &m.weaken_sideways),
                ]
                .into_iter()
                .enumerate()
                {
                    check_numbers(&format!("{key}.{name}"), w, Weakening::KEYS)?;
                    weakenings[i] = [w.b1, w.b2, w.b3, w.c, w.shift];
                }
                let numbers = |curve: &Curve| {
                    let [a1, a2, a3, a4, a5, a6, a7, a8] = curve.a;
                    [a1, a2, a3, a4, a5, a6, a7, a8, curve.c, curve.slope_per_kn]
                };
                let direction =
                    |curve, i: usize| Direction { curve: numbers(curve), weaken: weakenings[i] };
                Ok(Self {
                    directions: [direction(&m.lengthwise, 0), direction(&m.sideways, 1)],
                    scale: m.friction_scale,
                    most_kn,
                    magic: true,
                    coulomb: [0.0, 0.0, 1.0],
                })
            }
        }
    }

    /// Whether it is the Magic Formula.
    pub(crate) fn is_magic(&self) -> bool {
        self.magic
    }

    /// D, B C D and E of the Magic Formula at a load in N: lengthwise, then sideways.
    pub(crate) fn coefficients(&self, load: f64) -> [[f64; 3]; 2] {
        let kn = smaller(1e-3 * load, self.most_kn);
        let [x, y] = self.directions.map(|d| d.curve);
        let stiffness = [
            stiffness_lengthwise([x[2], x[3], x[4]], x[9], kn),
            stiffness_sideways([y[2], y[3], y[4]], y[9], kn),
        ];
        let of = |a: [f64; 10], stiffness: f64| {
            [peak([a[0], a[1]], kn) * self.scale, stiffness, bend([a[5], a[6], a[7]], kn)]
        };
        [of(x, stiffness[0]), of(y, stiffness[1])]
    }
}

impl TyreLanes {
    /// The same law four times.
    pub(crate) fn of(tyre: &Tyre) -> Self {
        let zero = [0.0; LANES];
        let mut lanes = Self {
            curve: [[0.0; 2 * LANES]; 10],
            weaken: [[0.0; 2 * LANES]; 5],
            scale: zero,
            most_kn: zero,
            magic: zero,
            coulomb: [zero; 3],
            any_magic: false,
            any_coulomb: false,
            any_shift: false,
        };
        (0..LANES).for_each(|l| lanes.set(l, tyre));
        (lanes.any_magic, lanes.any_coulomb) = (tyre.magic, !tyre.magic);
        lanes
    }

    /// Another law for one wheel.
    pub(crate) fn put(&mut self, lane: usize, tyre: &Tyre) {
        self.set(lane, tyre);
        self.any_magic |= tyre.magic;
        self.any_coulomb |= !tyre.magic;
    }

    fn set(&mut self, lane: usize, tyre: &Tyre) {
        for (d, direction) in tyre.directions.iter().enumerate() {
            let at = d * LANES + lane;
            for (lanes, x) in self.curve.iter_mut().zip(direction.curve) {
                lanes[at] = x;
            }
            for (lanes, x) in self.weaken.iter_mut().zip(direction.weaken) {
                lanes[at] = x;
            }
            self.any_shift |= tyre.magic && direction.weaken[4] != 0.0;
        }
        self.scale[lane] = tyre.scale;
        self.most_kn[lane] = tyre.most_kn;
        self.magic[lane] = if tyre.magic { 1.0 } else { 0.0 };
        for (lanes, x) in self.coulomb.iter_mut().zip(tyre.coulomb) {
            lanes[lane] = x;
        }
    }

    /// Secants at the slips `sx` (ratio) and `sy` (tangent of the slip angle), loads in N, and
    /// friction factors of the ground, into `grip`: lengthwise, sideways, most, and both
    /// sharpnesses. `side` is -1 for the mirrored tyres of the left side.
    #[inline(always)]
    pub(crate) fn grips(&self, [sx, sy, load, mu, side]: [&Lanes; 5], grip: &mut [Lanes; 5]) {
        if self.any_magic {
            if self.any_shift {
                self.magic::<true>([sx, sy, load, mu, side], grip);
            } else {
                self.magic::<false>([sx, sy, load, mu, side], grip);
            }
        }
        if self.any_coulomb {
            for l in 0..LANES {
                let numbers = [self.coulomb[0][l], self.coulomb[1][l], self.coulomb[2][l]];
                let own = coulomb(numbers, sx[l], sy[l], mu[l]);
                let is_magic = self.magic[l] > 0.5;
                grip[0][l] = if is_magic { grip[0][l] } else { own.lengthwise };
                grip[1][l] = if is_magic { grip[1][l] } else { own.sideways };
                grip[2][l] = if is_magic { grip[2][l] } else { own.most };
                grip[3][l] = if is_magic { grip[3][l] } else { own.sharpness[0] };
                grip[4][l] = if is_magic { grip[4][l] } else { own.sharpness[1] };
            }
        }
    }

    #[inline(always)]
    fn magic<const SHIFTED: bool>(
        &self,
        [sx, sy, load, mu, side]: [&Lanes; 5],
        grip: &mut [Lanes; 5],
    ) {
        let a = &self.curve;
        let zero = [0.0; 2 * LANES];
        let (mut slip, mut kn, mut mus) = (zero, zero, zero);
        let (mut other, mut bcd, mut per_load) = (zero, zero, [0.0; LANES]);
        for l in 0..LANES {
            let y = l + LANES;
            let alpha = short::atan(sy[l]) * side[l];
            (slip[l], slip[y]) = (sx[l], alpha);
            (other[l], other[y]) = (alpha, sx[l]);
        }
        for l in 0..LANES {
            let y = l + LANES;
            let newton = larger(load[l], 1e-3);
            // Beyond the fit's largest load forces grow no more.
            let thousands = smaller(1e-3 * newton, self.most_kn[l]);
            per_load[l] = 1.0 / newton;
            (kn[l], kn[y]) = (thousands, thousands);
            let friction = mu[l] * self.scale[l];
            (mus[l], mus[y]) = (friction, friction);
            bcd[l] = stiffness_lengthwise([a[2][l], a[3][l], a[4][l]], a[9][l], thousands);
            bcd[y] = stiffness_sideways([a[2][y], a[3][y], a[4][y]], a[9][y], thousands);
        }
        // Force, its weakening by the other slip, slope and peak.
        let (mut force, mut weak, mut slope, mut most) = (zero, zero, zero, zero);
        let mut sharp = zero;
        for i in 0..2 * LANES {
            let unit = if i < LANES { UNITS[0] } else { UNITS[1] };
            let d = peak([a[0][i], a[1][i]], kn[i]) * mus[i];
            let e = bend([a[5][i], a[6][i], a[7][i]], kn[i]);
            let c = a[8][i];
            slope[i] = unit * bcd[i];
            // 1/(c d) and slope/d by one division; d may vanish on ice.
            let some = larger(d, 1e-9);
            let per = 1.0 / (c * some);
            sharp[i] = slope[i] * c * per;
            let bx = slope[i] * per * slip[i];
            force[i] = d * short::sin(c * short::atan(bx - e * (bx - short::atan(bx))));
            most[i] = d;
        }
        for i in 0..2 * LANES {
            let [b1, b2, b3, c, shift] =
                [0, 1, 2, 3, 4].map(|number: usize| self.weaken[number][i]);
            let q = slant(b2, b3, slip[i]);
            let mut x = bell(b1, q, c, other[i] + shift);
            if SHIFTED {
                x /= bell(b1, q, c, shift);
            }
            weak[i] = larger(x, 0.0);
        }
        for l in 0..LANES {
            let y = l + LANES;
            let across = force[y] * side[l];
            grip[0][l] = secant(force[l], sx[l], slope[l]) * weak[l] * per_load[l];
            grip[1][l] = secant(across, sy[l], slope[y]) * weak[y] * per_load[l];
            grip[2][l] = most[l] * weak[l] * per_load[l];
            (grip[3][l], grip[4][l]) = (sharp[l], sharp[y]);
        }
    }

    /// The largest forces of a wheel's tyre along and across its rolling direction, N, at a load, N, on
    /// ground with a friction factor.
    pub(crate) fn peaks(&self, lane: usize, load: f64, ground: f64) -> [f64; 2] {
        if self.magic[lane] < 0.5 {
            return [self.coulomb[0][lane] * ground * load; 2];
        }
        let kn = smaller(1e-3 * load, self.most_kn[lane]);
        [lane, lane + LANES]
            .map(|i| peak([self.curve[0][i], self.curve[1][i]], kn) * self.scale[lane] * ground)
    }

    /// Secants of the first wheel's law, for curves.
    pub(crate) fn secants(&self, sx: f64, sy: f64, load: f64, mu: f64) -> [f64; 2] {
        let mut grip = [[0.0; LANES]; 5];
        let [sx, sy, load, mu] = [sx, sy, load, mu].map(|x| [x; LANES]);
        self.grips([&sx, &sy, &load, &mu, &[1.0; LANES]], &mut grip);
        [grip[0][0], grip[1][0]]
    }

    /// G_xa and G_yk of the first wheel's law.
    pub(crate) fn weakening_of(&self, slip: f64, angle: f64) -> [f64; 2] {
        let of = |lane: usize, own: f64, other: f64| {
            let [b1, b2, b3, c, shift] = [0, 1, 2, 3, 4].map(|i: usize| self.weaken[i][lane]);
            let q = slant(b2, b3, own);
            larger(bell(b1, q, c, other + shift) / bell(b1, q, c, shift), 0.0)
        };
        [of(0, slip, angle), of(LANES, angle, slip)]
    }
}

/// Secants of the plain law.
#[inline(always)]
fn coulomb([most, sliding, per_peak]: [f64; 3], sx: f64, sy: f64, mu: f64) -> Grip {
    let slip = (sx * sx + sy * sy).sqrt();
    let x = slip * per_peak;
    let over = x - 1.0;
    let rising = most * (2.0 - x) * per_peak;
    let falling = (sliding + (most - sliding) / (1.0 + over * over)) / larger(slip, 1e-9);
    let secant = if x < 1.0 { rising } else { falling } * mu;
    let sharpness = [2.0 * per_peak; 2];
    Grip { lengthwise: secant, sideways: secant, most: most * mu, sharpness }
}
