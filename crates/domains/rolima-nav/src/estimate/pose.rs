//! A robot's pose by least squares: one fit a coordinate (section 4.3).

use super::rls::{Fit, LeastSquares, is_sane};
use super::{EstimateStatus, Unwrap, is_pose};
use crate::error::NavError;
use rolima_math::{Pose2, wrap_angle};
use serde::{Deserialize, Serialize};

/// Predicted standard error of a heading, rad, above which a robot is usually given up: 20 degrees, with
/// which it would be a decimetre aside after three.
pub const MOST_TURN: f64 = 0.35;

/// A robot's pose by three fits, the heading unwrapped (section 4.3.1).
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PoseFit {
    x: LeastSquares,
    y: LeastSquares,
    theta: LeastSquares,
    unwrap: Unwrap,
}

impl PoseFit {
    /// Three fits of the same kind, but that the heading has an error of its own, rad, above which
    /// it is lost ([`MOST_TURN`] where nothing else is known); that of `fit` is for x and y, m.
    pub fn new(fit: Fit, most_turn: f64) -> Result<Self, NavError> {
        let one = LeastSquares::new(fit)?;
        let theta = LeastSquares::new(Fit { most_error: most_turn, ..fit })?;
        Ok(Self { x: one.clone(), y: one, theta, unwrap: Unwrap::default() })
    }

    /// Whether what was read back are such fits, and can go on.
    pub fn fits_to(&self, fit: Fit, most_turn: f64) -> bool {
        let theta = Fit { most_error: most_turn, ..fit };
        self.x.fits(&fit) && self.y.fits(&fit) && self.theta.fits(&theta)
    }

    /// The three fits: x, y, theta.
    pub fn fits(&self) -> [&LeastSquares; 3] {
        [&self.x, &self.y, &self.theta]
    }

    /// The same, to be changed.
    pub fn fits_mut(&mut self) -> [&mut LeastSquares; 3] {
        [&mut self.x, &mut self.y, &mut self.theta]
    }

    /// One frame: the pose seen, if any, and the inputs that hold from now on; the pose to use.
    pub fn frame(&mut self, seen: Option<Pose2>, inputs: [f64; 2]) -> Pose2 {
        let seen = seen.filter(|&pose| is_pose(pose));
        let x = self.x.frame(seen.map(|p| p.position.x), inputs);
        let y = self.y.frame(seen.map(|p| p.position.y), inputs);
        let mut heading = seen.map(|pose| self.unwrap.next(pose.theta()));
        if let Some(turned) = heading.filter(|&turned| !is_sane(turned)) {
            // It has spun for days: the turns are counted from here on.
            self.unwrap = Unwrap::default();
            self.theta.begin_again();
            heading = Some(self.unwrap.next(wrap_angle(turned)));
        }
        let theta = self.theta.frame(heading, inputs);
        if heading.is_none() {
            self.unwrap.expect(theta);
        }
        Pose2::new(x, y, theta)
    }

    /// The pose so many frames ahead of the last one.
    pub fn ahead(&self, frames: u32) -> Pose2 {
        self.ahead_with(&[], frames)
    }

    /// The same with the inputs of the frames after the next one, see
    /// [`LeastSquares::ahead_with`].
    pub fn ahead_with(&self, inputs: &[[f64; 2]], frames: u32) -> Pose2 {
        let [x, y, theta] = self.fits().map(|fit| fit.ahead_with(inputs, frames));
        Pose2::new(x, y, theta)
    }

    /// The worst of the three.
    pub fn estimate_status(&self) -> EstimateStatus {
        let mut worst = EstimateStatus::Seen;
        for estimate_status in self.fits().map(LeastSquares::estimate_status) {
            worst = match (worst, estimate_status) {
                (EstimateStatus::Lost, _) | (_, EstimateStatus::Lost) => EstimateStatus::Lost,
                (EstimateStatus::Filled(a), EstimateStatus::Filled(b)) => {
                    EstimateStatus::Filled(a.max(b))
                }
                (EstimateStatus::Filled(a), EstimateStatus::Seen)
                | (EstimateStatus::Seen, EstimateStatus::Filled(a)) => EstimateStatus::Filled(a),
                (EstimateStatus::Seen, EstimateStatus::Seen) => EstimateStatus::Seen,
            };
        }
        worst
    }
}
