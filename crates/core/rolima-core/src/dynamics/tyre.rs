//! The friction of one tyre on the ground: an impulse within a circle, against the slip.
//!
//! Coulomb's law for a tyre that slides: the force has the size of the limit and the direction
//! opposite to the slip velocity. Over a step the slip changes, by the very impulse that is looked
//! for, so the law is solved for the slip at the end of the step: of all impulses p within the
//! circle, the one that takes most energy,
//!
//! ```text
//! minimise p . K p / 2 + p . u  over  |p| <= limit
//! ```
//!
//! with u the slip without p and K how the slip answers to p. Where the circle is reached, the slip
//! that is left is u + K p = -alpha p with alpha > 0: opposite to the impulse, however different the
//! answers along and across the wheel are. (Cutting the impulse that would stop all slip down to
//! the circle is not the same: a light wheel answers to the drive direction some 80 times as much as
//! the body does to the side, and the cut impulse would hardly act against spinning at all.)

use rolima_math::Vec2;

/// Most Newton steps for alpha; it converges from below, quadratically, in two to five.
const ROUNDS: usize = 12;

/// The impulse (along, across) of a tyre within `limit` N s, for the slip velocity `slip` (m/s) that
/// there would be without it; `answer` is the change of slip by impulse along and across, 1/kg.
///
/// Returns also whether the tyre slides.
#[inline]
pub(crate) fn friction(slip: Vec2, answer: Vec2, limit: f64) -> (Vec2, bool) {
    let stop = -Vec2::new(slip.x / answer.x, slip.y / answer.y);
    if stop.length_squared() <= limit * limit {
        return (stop, false);
    }
    // |u / (K + alpha)| = limit, by Newton's method on 1/|p|, which is nearly straight in alpha.
    let mut alpha = (slip.length() / limit - answer.x.max(answer.y)).max(0.0);
    let mut p = stop;
    for _ in 0..ROUNDS {
        let divisor = Vec2::new(answer.x + alpha, answer.y + alpha);
        p = -Vec2::new(slip.x / divisor.x, slip.y / divisor.y);
        let size = p.length();
        let excess = size / limit - 1.0;
        if excess <= 1e-12 {
            break;
        }
        let slope = p.x * p.x / divisor.x + p.y * p.y / divisor.y;
        alpha += size * size / slope * excess;
    }
    let size = p.length();
    // Where nothing is left of the limit, nothing is given.
    (if size > limit { p * (limit / size) } else { p }, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Over answers that differ by up to 1,000 and slips of any size and direction.
    #[test]
    fn a_sliding_tyre_pushes_against_what_is_left_of_its_slip() {
        let mut rng = rolima_math::Stream::new(3, 0, "test");
        let mut slid = 0;
        for _ in 0..100_000 {
            let scale = |r: &mut rolima_math::Stream| rolima_math::exp(r.between(-7.0, 7.0));
            let slip = Vec2::new(rng.between(-1.0, 1.0), rng.between(-1.0, 1.0)) * scale(&mut rng);
            let answer = Vec2::new(scale(&mut rng), scale(&mut rng));
            let limit = 1e-2 * scale(&mut rng);
            let (p, slides) = friction(slip, answer, limit);
            let left = slip + Vec2::new(answer.x * p.x, answer.y * p.y);
            if !slides {
                assert!(left.length() <= 1e-12 * slip.length(), "{slip:?} leaves {left:?}");
                continue;
            }
            slid += 1;
            assert!((p.length() / limit - 1.0).abs() < 1e-9, "{p:?} of {limit}");
            let across = left.cross(p).abs();
            let size = left.length() * p.length();
            assert!(across <= 1e-7 * slip.length() * p.length(), "{left:?} beside {p:?}");
            assert!(left.dot(p) <= 1e-9 * size, "{left:?} along {p:?}");
        }
        assert!(slid > 10_000, "{slid}");
    }
}
