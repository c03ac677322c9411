//! Trajectories: when to be where on a path (section 5.6 and the thesis's outlook).
//!
//! | here | thesis |
//! |---|---|
//! | `speed`, `period` of [`references`] | v_r and dt of 5.6 |
//! | their product | alpha = v_r dt |
//! | [`Trajectory`], [`TrajectoryPoint`], [`TrajectoryLimits`], [`SpeedProfile`] | beyond the thesis: its outlook wants speed profiles |
//!
//! [`references`] are the thesis's: equally spaced, for a constant speed. A [`Trajectory`] has a
//! profile of speeds that the robot can follow: its own top speed, its accelerations, its tyres'
//! grip, and above all the voltages that the motors would need ([`profile`]).

mod leg;
pub mod profile;
mod table;
mod turning;

pub use profile::{SpeedProfile, TrajectoryLimits};
pub use table::{Trajectory, TrajectoryPoint};

use crate::COINCIDENT;
use crate::error::NavError;
use crate::path::{Path, Sample};

/// Samples of a path at equal distances of arc length: `speed * period` apart, the end last.
///
/// Figure 5.9 has 0.5 m/s and 33 ms: every 16.5 mm.
pub fn references(path: &Path, speed: f64, period: f64) -> Result<References<'_>, NavError> {
    if !(speed.is_finite() && period.is_finite()) {
        return Err(NavError::NotFinite);
    }
    if speed <= 0.0 {
        return Err(NavError::ZeroSpeed);
    }
    // References a nanometre apart would never end.
    if period <= 0.0 || speed * period < COINCIDENT {
        return Err(NavError::BadLimit);
    }
    Ok(References { path, spacing: speed * period, next: 0, length: path.length(), done: false })
}

/// See [`references`].
#[derive(Clone, Debug)]
pub struct References<'a> {
    path: &'a Path,
    spacing: f64,
    next: u64,
    length: f64,
    done: bool,
}

impl Iterator for References<'_> {
    type Item = Sample;

    fn next(&mut self) -> Option<Sample> {
        if self.done {
            return None;
        }
        let arc_length = self.next as f64 * self.spacing;
        self.next += 1;
        self.done = arc_length >= self.length;
        self.path.at(if self.done { self.path.end() } else { self.path.parameter_at(arc_length) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::{Method, plan};
    use rolima_math::Pose2;

    #[test]
    fn references_of_figure_5_9_are_16_5_mm_apart_along_the_path() {
        for degrees in [50.0f64, 0.0, -50.0] {
            let goal = Pose2::new(0.5, 0.5, degrees.to_radians());
            let path = plan(Pose2::IDENTITY, goal, Method::Cubic).unwrap().path;
            let all: Vec<Sample> = references(&path, 0.5, 0.033).unwrap().collect();
            let expected = (path.length() / 0.0165).ceil() as usize + 1;
            assert_eq!(all.len(), expected);
            for pair in all[..all.len() - 1].windows(2) {
                assert!((pair[1].arc_length - pair[0].arc_length - 0.0165).abs() < 1e-9);
            }
            let last = all.last().unwrap();
            assert!((last.point - goal.position).length() < 1e-12);
        }
    }

    #[test]
    fn bad_speeds_are_refused_by_name() {
        let path = plan(Pose2::IDENTITY, Pose2::new(1.0, 0.0, 0.0), Method::Cubic).unwrap().path;
        let refused = |speed, period| references(&path, speed, period).err();
        assert_eq!(refused(0.0, 0.03), Some(NavError::ZeroSpeed));
        assert_eq!(refused(-1.0, 0.03), Some(NavError::ZeroSpeed));
        assert_eq!(refused(f64::NAN, 0.03), Some(NavError::NotFinite));
        assert_eq!(refused(1.0, 0.0), Some(NavError::BadLimit));
        assert_eq!(refused(1e-300, 1e-300), Some(NavError::BadLimit));
    }
}
