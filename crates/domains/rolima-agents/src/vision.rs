//! Simulated vision: what a camera over the field would tell of a body, frame by frame.

use rolima_math::{Pose2, Stream, normal_quantile};
use serde::{Deserialize, Serialize};

/// How bad the vision is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Blur {
    /// Standard error of positions, m.
    pub position: f64,
    /// Standard error of headings, rad.
    pub heading: f64,
    /// How many frames late, at most [`MOST_DELAY`].
    pub delay: usize,
    /// Probability that a gap begins in a frame.
    pub gaps: f64,
    /// Frames of a gap.
    pub gap_length: u32,
}

/// Most frames of delay, as of a navigator.
pub const MOST_DELAY: usize = rolima_nav::navigator::MOST_DELAY;

/// The vision: 2 mm, 1 degree, one frame.
pub const TASK_BLUR: Blur = Blur {
    position: 0.002,
    heading: core::f64::consts::PI / 180.0,
    delay: 1,
    gaps: 0.0,
    gap_length: 0,
};

/// Vision of one body.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Vision {
    blur: Blur,
    random: Stream,
    /// What was seen, in a ring, and where the newest is.
    #[serde(with = "rolima_nav::arrays")]
    row: [Option<Pose2>; MOST_DELAY + 1],
    newest: usize,
    blind: u32,
}

impl Vision {
    /// With a random stream of its own.
    pub fn new(blur: Blur, random: Stream) -> Self {
        let delay = blur.delay.min(MOST_DELAY);
        let blur = Blur { delay, ..blur };
        Self { blur, random, row: [None; MOST_DELAY + 1], newest: 0, blind: 0 }
    }

    /// Whether what was read back sees through this blur, and can go on.
    pub(crate) fn fits(&self, blur: &Blur) -> bool {
        let blur = Blur { delay: blur.delay.min(MOST_DELAY), ..*blur };
        self.blur == blur && self.newest < self.row.len()
    }

    /// Whether it sees as another does.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.fits(&other.blur)
    }

    /// One frame: the true pose in, what is told in this frame out.
    pub fn frame(&mut self, truth: Pose2) -> Option<Pose2> {
        let b = self.blur;
        // Four numbers a frame, whatever comes of them, so that settings do not shift one another.
        let mut uniform = || self.random.uniform().max(1e-15);
        let draws = [uniform(), uniform(), uniform(), uniform()];
        let [x, y, theta] = [draws[0], draws[1], draws[2]].map(normal_quantile);
        if self.blind > 0 {
            self.blind -= 1;
        } else if draws[3] < b.gaps {
            self.blind = b.gap_length;
        }
        let blurred = Pose2::new(
            truth.position.x + b.position * x,
            truth.position.y + b.position * y,
            truth.theta() + b.heading * theta,
        );
        let all = self.row.len();
        self.newest = (self.newest + 1) % all;
        self.row[self.newest] = (self.blind == 0).then_some(blurred);
        self.row[(self.newest + all - b.delay) % all]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_delay_and_gaps_are_as_asked() {
        let blur = Blur { position: 0.01, heading: 0.05, delay: 2, gaps: 0.05, gap_length: 4 };
        let mut vision = Vision::new(blur, Stream::new(1, 0, "vision"));
        let (mut square, mut count, mut missing) = (0.0, 0.0, 0);
        let frames = 20_000;
        for k in 0..frames {
            match vision.frame(Pose2::new(f64::from(k), 0.0, 0.0)) {
                Some(pose) => {
                    let off = pose.position.x - f64::from(k - 2);
                    assert!(off.abs() < 0.1, "told late by two frames");
                    square += off * off;
                    count += 1.0;
                }
                None => missing += 1,
            }
        }
        let sigma: f64 = (square / count).sqrt();
        assert!((sigma / 0.01 - 1.0).abs() < 0.03, "{sigma}");
        // A gap of 4 begins in one of 20 frames that see.
        let share = f64::from(missing) / f64::from(frames);
        assert!((share - 4.0 * 0.05 / (1.0 + 4.0 * 0.05)).abs() < 0.02, "{share}");
    }
}
