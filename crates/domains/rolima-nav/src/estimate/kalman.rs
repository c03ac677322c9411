//! An extended Kalman filter on the true model (beyond the thesis, as its outlook suggests).
//!
//! State (x, y, theta, v, omega). Over a frame with held voltages v and omega follow equation 6.12
//! exactly ([`Step`]), and so do way and turn; the pose follows equation 6.3 along the arc's chord.
//! Measured are x, y and theta (C of section 6.1.1), one after the other, as their errors are
//! independent. The thesis has the state ([`KalmanState`]: its **x** of section 6.1.1) and no
//! filter; gain, covariance, noise and gate are those of the textbooks.

use super::{EstimateStatus, is_pose};
use crate::drive::{Drive, MotorVolts, Step};
use crate::error::NavError;
use rolima_math::{Pose2, Vec2, larger, sin_cos, wrap_angle};
use serde::{Deserialize, Serialize};

/// Pose and motion.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct KalmanState {
    /// Position, m.
    pub position: Vec2,
    /// Heading, rad, not wrapped.
    pub theta: f64,
    /// Speed along the heading, m/s.
    pub v: f64,
    /// Turning, rad/s.
    pub omega: f64,
}

impl KalmanState {
    /// The pose alone.
    pub fn pose(&self) -> Pose2 {
        Pose2::new(self.position.x, self.position.y, self.theta)
    }

    /// The state after a frame with held voltages.
    #[inline]
    pub fn after(&self, step: &Step, volts: MotorVolts) -> Self {
        let [v, omega] = step.after([self.v, self.omega], volts);
        let [distance, turned] = step.moved([self.v, self.omega], volts);
        let (s, c) = sin_cos(self.theta + 0.5 * turned);
        let chord = distance * (1.0 - turned * turned * (1.0 / 24.0));
        let position = self.position + Vec2::new(chord * c, chord * s);
        Self { position, theta: self.theta + turned, v, omega }
    }
}

/// How good vision and model are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Noise {
    /// Standard error of measured positions, m.
    pub position: f64,
    /// Standard error of measured headings, rad.
    pub heading: f64,
    /// How far the speed strays from the model in a second, m/s. All strays are random walks: over
    /// another time they are as its root, so the same numbers do for frames of any period.
    pub speed: f64,
    /// How far the turning strays in a second, rad/s.
    pub turning: f64,
    /// How far the position strays in a second beyond what speed explains (slip), m.
    pub slip: f64,
    /// How far the heading strays in a second beyond what turning explains, rad.
    pub twist: f64,
    /// For how long gaps are filled before the robot is lost, s.
    pub horizon: f64,
    /// Innovations beyond so many standard errors mean a blow: the motion is no longer believed.
    pub gate: f64,
}

impl Default for Noise {
    /// For vision of 2 mm and 1 degree and a good model.
    fn default() -> Self {
        Self {
            position: 0.002,
            heading: 0.0175,
            speed: 0.046,
            turning: 0.35,
            slip: 5.8e-4,
            twist: 5.8e-3,
            horizon: 0.45,
            gate: 5.0,
        }
    }
}

type Covariance = [[f64; 5]; 5];

/// The filter.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Kalman {
    step: Step,
    noise: Noise,
    /// Variances that a frame adds: x, y, theta, v, omega.
    strays: [f64; 5],
    /// Frames that are filled before the robot is lost.
    horizon: u32,
    /// Half a circle a frame, rad/s.
    fastest: f64,
    state: KalmanState,
    p: Covariance,
    missed: u32,
    seen: bool,
}

impl Kalman {
    /// For a drive and a frame period, s.
    pub fn new(drive: &Drive, period: f64, noise: Noise) -> Result<Self, NavError> {
        let n = &noise;
        let all = [n.position, n.heading, n.speed, n.turning, n.slip, n.twist, n.gate, n.horizon];
        if !all.iter().all(|x| x.is_finite()) {
            return Err(NavError::NotFinite);
        }
        if !all.iter().all(|&x| x > 0.0) {
            return Err(NavError::BadLimit);
        }
        let step = drive.over(period)?;
        let strays = [n.slip, n.slip, n.twist, n.speed, n.turning].map(|s| s * s * period);
        Ok(Self {
            step,
            noise,
            strays,
            horizon: super::frames_of(noise.horizon, period),
            fastest: core::f64::consts::PI / period,
            state: KalmanState::default(),
            p: [[0.0; 5]; 5],
            missed: 0,
            seen: false,
        })
    }

    /// Whether it is for the same robot and vision as another.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        let own = |filter: &Self| (filter.step, filter.noise, filter.strays, filter.horizon);
        own(self) == own(other) && self.fastest == other.fastest
    }

    /// The estimate at the time of the last measurement (or where it should have come).
    pub fn state(&self) -> &KalmanState {
        &self.state
    }

    /// The model over a frame.
    pub fn step(&self) -> &Step {
        &self.step
    }

    /// Standard errors of x, y (m), theta (rad), v (m/s), omega (rad/s).
    pub fn errors(&self) -> [f64; 5] {
        core::array::from_fn(|i| larger(self.p[i][i], 0.0).sqrt())
    }

    /// Whether there is something to go by.
    pub fn estimate_status(&self) -> EstimateStatus {
        match (self.seen, self.missed) {
            (false, _) => EstimateStatus::Lost,
            (true, 0) => EstimateStatus::Seen,
            (true, n) if n <= self.horizon => EstimateStatus::Filled(n),
            _ => EstimateStatus::Lost,
        }
    }

    /// One frame: the voltages held since the last one, and the pose seen at its end, if any. A pose
    /// that is no number, or beyond [`FURTHEST`](super::FURTHEST), counts as not seen.
    pub fn frame(&mut self, held: MotorVolts, seen: Option<Pose2>) {
        let seen = seen.filter(|&pose| is_pose(pose));
        let found_again = self.estimate_status() == EstimateStatus::Lost;
        match seen {
            Some(pose) if found_again => {
                if self.seen {
                    self.predict(held);
                }
                self.start(pose);
            }
            Some(pose) => {
                self.predict(held);
                self.update(pose);
                self.missed = 0;
            }
            None => {
                if self.seen {
                    self.predict(held);
                }
                self.missed = self.missed.saturating_add(1);
            }
        }
        if !self.is_sane() {
            (self.seen, self.state) = (false, KalmanState::default());
        }
    }

    /// Whether there are numbers, and a turning that vision can tell: half a circle a frame looks the
    /// same both ways, and with a full one a robot seems to stand.
    fn is_sane(&self) -> bool {
        let s = &self.state;
        let can_be_told = s.omega.abs() < self.fastest;
        can_be_told
            && (s.position.x + s.position.y + s.theta + s.v + s.omega + self.p[0][0] + self.p[4][4])
                .is_finite()
    }

    /// Begins at a pose. A robot that was lost and is found about where it should be moves as it
    /// should, too: it may not even have come to rest.
    fn start(&mut self, pose: Pose2) {
        let expected = self.seen && !self.is_blow(self.misses(pose));
        let KalmanState { v, omega, .. } =
            if expected { self.state } else { KalmanState::default() };
        // Otherwise it may move already: a metre and some turns a second.
        let [.., speed, turning] = if expected { self.errors() } else { [0.0, 0.0, 0.0, 1.0, 6.0] };
        let n = &self.noise;
        self.state = KalmanState { position: pose.position, theta: pose.theta(), v, omega };
        self.p = [[0.0; 5]; 5];
        let first = [n.position, n.position, n.heading, speed, turning];
        for (i, error) in first.into_iter().enumerate() {
            self.p[i][i] = error * error;
        }
        (self.seen, self.missed) = (true, 0);
    }

    /// How far a pose is from the predicted one: x, y (m), heading (rad).
    fn misses(&self, pose: Pose2) -> [f64; 3] {
        let s = &self.state;
        [
            pose.position.x - s.position.x,
            pose.position.y - s.position.y,
            wrap_angle(pose.theta() - s.theta),
        ]
    }

    /// Variances of what vision tells: x, y, heading.
    fn blurs(&self) -> [f64; 3] {
        let n = &self.noise;
        [n.position, n.position, n.heading].map(|error| error * error)
    }

    /// A blow or a hand: what the motion was says nothing about what it is.
    fn is_blow(&self, misses: [f64; 3]) -> bool {
        let (gate, blurs) = (self.noise.gate, self.blurs());
        (0..3).any(|i| misses[i] * misses[i] > gate * gate * (self.p[i][i] + blurs[i]))
    }

    fn predict(&mut self, held: MotorVolts) {
        let (before, after) = (self.state, self.state.after(&self.step, held));
        let a = &self.step.a;
        // The chord's direction and length, and how they depend on v, omega and theta.
        let [distance, turned] = self.step.moved([before.v, before.omega], held);
        let (s, c) = sin_cos(before.theta + 0.5 * turned);
        let [[distance_v, distance_w], [turn_v, turn_w]] = self.step.sum_a;
        let f: Covariance = [
            [
                1.0,
                0.0,
                -distance * s,
                distance_v * c - 0.5 * distance * s * turn_v,
                distance_w * c - 0.5 * distance * s * turn_w,
            ],
            [
                0.0,
                1.0,
                distance * c,
                distance_v * s + 0.5 * distance * c * turn_v,
                distance_w * s + 0.5 * distance * c * turn_w,
            ],
            [0.0, 0.0, 1.0, turn_v, turn_w],
            [0.0, 0.0, 0.0, a[0][0], a[0][1]],
            [0.0, 0.0, 0.0, a[1][0], a[1][1]],
        ];
        // F P, then (F P) F', the upper half.
        let mut fp = [[0.0; 5]; 5];
        for i in 0..5 {
            for k in 0..5 {
                for j in 0..5 {
                    fp[i][j] += f[i][k] * self.p[k][j];
                }
            }
        }
        for i in 0..5 {
            for j in i..5 {
                let mut sum = 0.0;
                for k in 0..5 {
                    sum += fp[i][k] * f[j][k];
                }
                if i == j {
                    sum += self.strays[i];
                }
                self.p[i][j] = sum;
                self.p[j][i] = sum;
            }
        }
        self.state = after;
    }

    fn update(&mut self, pose: Pose2) {
        let (misses, blurs) = (self.misses(pose), self.blurs());
        if self.is_blow(misses) {
            for (i, error) in [0.05, 0.05, 0.5, 0.5, 5.0].into_iter().enumerate() {
                self.p[i][i] += error * error;
            }
        }
        let s = &self.state;
        let mut x = [s.position.x, s.position.y, s.theta, s.v, s.omega];
        let before = x;
        for i in 0..3 {
            let spread = self.p[i][i] + blurs[i];
            // What the coordinates before this one have already moved.
            let miss = misses[i] - (x[i] - before[i]);
            let column: [f64; 5] = core::array::from_fn(|k| self.p[k][i]);
            for k in 0..5 {
                x[k] += column[k] / spread * miss;
                for l in k..5 {
                    let entry = self.p[k][l] - column[k] * column[l] / spread;
                    self.p[k][l] = entry;
                    self.p[l][k] = entry;
                }
            }
        }
        self.state =
            KalmanState { position: Vec2::new(x[0], x[1]), theta: x[2], v: x[3], omega: x[4] };
    }

    /// The state after the frames whose voltages are given, oldest first: what the loop's delay
    /// has hidden.
    pub fn ahead(&self, held: &[MotorVolts]) -> KalmanState {
        held.iter().fold(self.state, |state, &volts| state.after(&self.step, volts))
    }
}
