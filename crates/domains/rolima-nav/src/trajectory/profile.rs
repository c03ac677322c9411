//! How fast a robot may go along a leg. Beyond the thesis, which goes at a constant v_r (section 5.6)
//! and wants profiles in its outlook; its own here are s of 5.6, z = (v, omega), A, B and e of 6.12.
//!
//! With s the way, v = ds/dt, a = dv/dt and k the change of heading per metre of way (k' its change
//! per metre), the motion is z = (+-v, k v), z' = (+-a, k a + k' v^2), minus where it is driven
//! backwards. The model then asks for the voltages
//!
//! ```text
//! e = B^-1 (z' - A z) = p v + q v^2 + r a,   p = -B^-1 A (+-1, k),  q = B^-1 (0, k'),  r = B^-1 (+-1, k)
//! ```
//!
//! so at a given speed each motor bounds the acceleration from both sides, and speeds at which
//! nothing is left are too fast. A pass backwards from the end and one forwards from the start give
//! the fastest profile within all limits, as seen at the nodes of a leg, of which each answers for the
//! sharpest bend on both its sides. Between the nodes too, speed, acceleration and side force are kept,
//! and turning to a fiftieth. Where no bend of the path is sharper than 200 1/m (a radius of 5 mm), the
//! voltages are at most a twentieth above their share of the supply, of which the rest is for
//! corrections. Sharper bends are nearly turns on the spot, far narrower than the way between two nodes:
//! their turning is kept on average, and turning into them may ask for more than there is, as some
//! acceleration along the way is always left ([`TrajectoryLimits::acceleration`]).

use crate::drive::{Drive, times};
use crate::error::NavError;
use rolima_math::{larger, smaller};
use serde::{Deserialize, Serialize};

/// What a trajectory must respect besides the drive itself.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrajectoryLimits {
    /// Top speed, m/s.
    pub speed: f64,
    /// Largest acceleration and deceleration along the way, m/s2.
    pub acceleration: f64,
    /// Largest acceleration across the way (curvature times speed squared), m/s2.
    pub lateral: f64,
    /// Fastest turning, rad/s, on the spot and in curves.
    pub turning: f64,
    /// Largest change of turning, rad/s2, on the spot.
    pub turning_change: f64,
    /// Share of the supply that the feed-forward may use, at most 1; the rest is for corrections.
    pub voltage_share: f64,
    /// Share of the tyres' grip that may be used, at most 1.
    pub grip_share: f64,
}

impl Default for TrajectoryLimits {
    /// For the minirobot: some two thirds of what it can do.
    fn default() -> Self {
        Self {
            speed: 1.2,
            acceleration: 1.6,
            lateral: 3.0,
            turning: 8.0,
            turning_change: 60.0,
            voltage_share: 0.8,
            grip_share: 0.6,
        }
    }
}

impl TrajectoryLimits {
    /// Refuses what is zero, negative or not finite, and shares above the whole.
    pub fn check(&self) -> Result<(), NavError> {
        let all = [
            self.speed,
            self.acceleration,
            self.lateral,
            self.turning,
            self.turning_change,
            self.voltage_share,
            self.grip_share,
        ];
        if !all.iter().all(|x| x.is_finite()) {
            return Err(NavError::NotFinite);
        }
        if self.speed <= 0.0 {
            return Err(NavError::ZeroSpeed);
        }
        let shares = [self.voltage_share, self.grip_share];
        let good = all.iter().all(|&x| x > 0.0) && shares.iter().all(|&x| x <= 1.0);
        if good { Ok(()) } else { Err(NavError::BadLimit) }
    }
}

/// Limits and drive made ready for many points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpeedProfile {
    limits: TrajectoryLimits,
    drive: Drive,
    volts: f64,
    grip: f64,
    /// What the tyres hold across the way beside the whole acceleration along it, m/s2.
    held: f64,
    /// B^-1 A.
    hold: [[f64; 2]; 2],
    /// B^-1 (0, 1): q for a change of curvature of 1/m2.
    twist: [f64; 2],
}

/// What bounds speed and acceleration at points of a leg: the voltages' coefficients over r.
///
/// Each motor's |p v + q v^2 + r a| <= U says that a is at most U/|r| - (p/r v + q/r v^2), and -a at
/// most U/|r| + (p/r v + q/r v^2): nothing is divided, and nothing compared with zero, per speed. One
/// array a coefficient, so that loops over points vectorise.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Points<const N: usize> {
    /// U/|r| of both motors, m/s2.
    full: [[f64; N]; 2],
    /// p/r, 1/s.
    slow: [[f64; N]; 2],
    /// q/r for a change of curvature of 1/m2, m.
    twist: [[f64; N]; 2],
    /// Squares of the largest speeds at which the points can be passed.
    pub(crate) fastest: [f64; N],
    /// Squares of the speeds up to which the tyres hold the whole acceleration too.
    held: [f64; N],
    /// Sharpest bends nearby, 1/m.
    bend: [f64; N],
}

impl<const N: usize> Points<N> {
    pub(crate) const NONE: Self = Self {
        full: [[0.0; N]; 2],
        slow: [[0.0; N]; 2],
        twist: [[0.0; N]; 2],
        fastest: [0.0; N],
        held: [0.0; N],
        bend: [0.0; N],
    };
}

impl<const N: usize> Points<N> {
    /// All numbers, an array after the other.
    fn rows(&mut self) -> [&mut [f64; N]; 9] {
        let Self { full: [a, b], slow: [c, d], twist: [e, f], fastest, held, bend } = self;
        [a, b, c, d, e, f, fastest, held, bend]
    }
}

impl<const N: usize> Serialize for Points<N> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut copy = *self;
        serializer.collect_seq(copy.rows().into_iter().flatten())
    }
}

impl<'de, const N: usize> Deserialize<'de> for Points<N> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let numbers = Vec::<f64>::deserialize(deserializer)?;
        if numbers.len() != 9 * N {
            return Err(serde::de::Error::invalid_length(numbers.len(), &"nine arrays"));
        }
        let mut points = Self::NONE;
        points.rows().into_iter().flatten().zip(numbers).for_each(|(x, read)| *x = read);
        Ok(points)
    }
}

impl SpeedProfile {
    /// Checks the limits.
    pub fn new(drive: &Drive, limits: TrajectoryLimits) -> Result<Self, NavError> {
        limits.check()?;
        let bi = &drive.b_inverse;
        let hold = rolima_math::matrix::product(bi, &drive.a);
        let grip = smaller(limits.grip_share * drive.grip, 1e9);
        let along = limits.acceleration;
        Ok(Self {
            limits,
            drive: *drive,
            volts: limits.voltage_share * drive.supply,
            grip,
            held: larger(grip * grip - along * along, 0.0).sqrt(),
            hold,
            twist: times(bi, [0.0, 1.0]),
        })
    }

    /// The limits.
    pub fn limits(&self) -> &TrajectoryLimits {
        &self.limits
    }

    /// The drive.
    pub fn drive(&self) -> &Drive {
        &self.drive
    }

    /// What holds at points with these curvatures (heading per way), largest changes of it per metre
    /// and sharpest bends nearby.
    pub(crate) fn lay<const N: usize>(
        &self,
        points: &mut Points<N>,
        curvature: &[f64; N],
        change: &[f64; N],
        bend: &[f64; N],
        backwards: bool,
    ) {
        let sign = if backwards { -1.0 } else { 1.0 };
        let l = &self.limits;
        let (speed, lateral) = (l.speed * l.speed, smaller(l.lateral, self.grip));
        let volts = 0.9 * self.volts;
        let mut p = [[0.0; N]; 2];
        let mut excess = [0.0; N];
        for j in 0..N {
            let r = times(&self.drive.b_inverse, [sign, curvature[j]]);
            let held = times(&self.hold, [sign, curvature[j]]);
            let straight = 1.0 / larger(bend[j], 1e-9);
            let turning = l.turning * straight;
            let fastest = smaller(smaller(speed, turning * turning), lateral * straight);
            points.fastest[j] = fastest;
            points.held[j] = self.held * straight;
            points.bend[j] = bend[j];
            let r = r.map(|r| larger(r.abs(), 1e-12).copysign(r));
            let both = 1.0 / (r[0] * r[1]);
            let over = [r[1] * both, r[0] * both];
            for i in 0..2 {
                p[i][j] = -held[i];
                points.full[i][j] = self.volts * over[i].abs();
                points.slow[i][j] = p[i][j] * over[i];
                points.twist[i][j] = self.twist[i] * over[i];
                // Above zero where |q| v^2 + |p| v > 0.9 U at the fastest; compared without a root, as
                // few need one.
                let left = volts - (self.twist[i] * change[j]).abs() * fastest;
                excess[j] = larger(excess[j], p[i][j] * p[i][j] * fastest - left * left.abs());
            }
        }
        for j in 0..N {
            if excess[j] > 0.0 {
                points.fastest[j] =
                    self.within_volts(points.fastest[j], [p[0][j], p[1][j]], change[j]);
            }
        }
    }

    /// The square of a speed, cut so that |p v + q v^2| with no acceleration is within nine tenths of
    /// the voltage for both motors, both signs at worst: v is the positive root of
    /// |q| v^2 + |p| v - 0.9 U.
    fn within_volts(&self, square: f64, p: [f64; 2], change: f64) -> f64 {
        let mut v = square.sqrt();
        for i in 0..2 {
            let (p, q, u) = (p[i].abs(), (self.twist[i] * change).abs(), 0.9 * self.volts);
            if (q * v + p) * v > u {
                v = 2.0 * u / (p + (p * p + 4.0 * q * u).sqrt());
            }
        }
        v * v
    }

    /// Largest acceleration (`sign` 1) or deceleration (-1) at a point, a speed and its square, where
    /// the curvature changes by so much per metre, m/s2, not below a small positive floor: a point
    /// that has none is passed at its own largest speed.
    #[inline]
    pub(crate) fn acceleration<const N: usize>(
        &self,
        (points, j): (&Points<N>, usize),
        change: f64,
        (v, square): (f64, f64),
        sign: f64,
    ) -> f64 {
        let mut most = self.limits.acceleration;
        if square > points.held[j] {
            // Along and across share the tyres' circle.
            let across = points.bend[j] * square;
            let spare = self.grip * self.grip - across * across;
            most = smaller(most, larger(spare, 0.0).sqrt());
        }
        let twisted = change * square;
        for i in 0..2 {
            let taken = points.slow[i][j] * v + points.twist[i][j] * twisted;
            most = smaller(most, points.full[i][j] - sign * taken);
        }
        larger(most, 0.02 * self.limits.acceleration)
    }

    /// Acceleration (rad/s2) and top rate (rad/s) of a turn on the spot.
    pub(crate) fn turn(&self) -> (f64, f64) {
        let r = times(&self.drive.b_inverse, [0.0, 1.0]);
        let p = times(&self.hold, [0.0, 1.0]);
        let l = &self.limits;
        let (mut rate, mut change) = (l.turning, l.turning_change);
        for i in 0..2 {
            rate = smaller(rate, 0.9 * self.volts / larger(p[i].abs(), 1e-12));
        }
        for i in 0..2 {
            let clearance = self.volts - p[i].abs() * rate;
            change = smaller(change, clearance / larger(r[i].abs(), 1e-12));
        }
        (change, rate)
    }
}
