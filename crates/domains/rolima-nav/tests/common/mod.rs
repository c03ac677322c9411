//! Random poses, the awkward ones included.
#![allow(dead_code, missing_docs, unreachable_pub)]

use core::f64::consts::{FRAC_PI_2, PI, TAU};
use rolima_math::{Pose2, Stream};

/// Headings of which one in three is a multiple of 45 degrees, where special cases live.
pub fn heading(random: &mut Stream) -> f64 {
    if random.uniform() < 0.33 {
        FRAC_PI_2 * 0.5 * (random.next_u64() % 8) as f64
    } else {
        random.between(-PI, TAU)
    }
}

/// Pairs on a field of 1.5 x 1.3 m; one in ten shares x, one in ten y.
pub fn pair(random: &mut Stream) -> (Pose2, Pose2) {
    let mut place = || (random.between(-0.75, 0.75), random.between(-0.65, 0.65));
    let ((x0, y0), (mut x1, mut y1)) = (place(), place());
    match random.next_u64() % 10 {
        0 => x1 = x0,
        1 => y1 = y0,
        _ => {}
    }
    (Pose2::new(x0, y0, heading(random)), Pose2::new(x1, y1, heading(random)))
}
