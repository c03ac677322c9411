//! Hits with friction at points that slide: the path of an impact.
//!
//! Friction opposes what slides at every instant of an impact. It may stop sliding before compression
//! ends, stick, or turn it round, so that what it does depends on the way there and not only on the
//! end. Compression is therefore done in parts of equal changes of speed, each solved by sweeps with
//! friction of its own. The normal impulses' work is summed; in restitution as much is given back as e²
//! of it (Stronge), and the last part is cut where that is reached. So energy is never gained. Without
//! friction this is e times the speed that came, point by point, which takes one sweep of the whole
//! ([`super::island`]); so it is where nothing slides when it hits, as sliding then keeps its direction.

use super::contact::Contact;
use super::island::Island;
use rolima_math::larger;

/// Parts of compression, and of restitution up to e times the speed that came. The error falls with
/// the square of their number: with sixteen it is some thousandths of the approach.
const PARTS: u32 = 16;

/// Parts of restitution at most: friction may have taken more work than it seems from the end.
const MOST_PARTS: u32 = 32;

/// Slower sliding than this share of the approach changes nothing.
const SLIDES: f64 = 1e-3;

/// Of what sweeps of a whole phase may take, a part may take this.
const SHARE_OF_SWEEPS: u32 = 4;

impl Island<'_> {
    /// Whether a point that is hit slides, and is rubbed.
    pub(crate) fn slides_in_hit(&self, threshold: f64) -> bool {
        self.each().any(|c| c.is_hit(threshold) && c.slides(self.movers) > SLIDES * c.closing)
    }

    /// Compression and restitution, from the speeds at which movers are hit.
    pub(crate) fn strike(&mut self, h: f64, threshold: f64, (most, tolerance): (u32, f64)) {
        for &(_, m) in self.members {
            let mover = &mut self.movers[m as usize];
            mover.speed = mover.pulled;
            mover.speed.velocity -= mover.pull_after_hit(h);
        }
        for &(_, i) in self.order {
            self.contacts[i as usize].begin_strike(self.movers, threshold);
        }
        let limit = (most.div_ceil(SHARE_OF_SWEEPS), tolerance / f64::from(PARTS));
        for k in 1..=PARTS {
            self.part(limit, |c| c.compressing(f64::from(k) / f64::from(PARTS)));
            self.end_part(1.0);
        }
        let mut due: f64 = self.each().map(Contact::due).sum();
        for k in 1..=MOST_PARTS {
            if due <= 0.0 {
                break;
            }
            self.part(limit, |c| c.restoring(f64::from(k) / f64::from(PARTS)));
            // The work of a share s of this part is a s + b s².
            let (mut a, mut b) = (0.0, 0.0);
            for c in self.each() {
                let (begins, bends) = c.work(self.movers);
                (a, b) = (a + begins, b + bends);
            }
            let share = if a + b > due { share_of_work(a, b, due) } else { 1.0 };
            due -= if a + b > due { due } else { a + b };
            self.end_part(share);
        }
    }

    /// Solves for these targets, from where the last part ended.
    fn part(&mut self, (most, tolerance): (u32, f64), target: impl Fn(&Contact) -> f64) {
        for &(_, m) in self.members {
            let mover = &mut self.movers[m as usize];
            mover.mark = mover.speed;
        }
        for &(_, i) in self.order {
            let c = &mut self.contacts[i as usize];
            let target = target(c);
            c.begin_part(self.movers, target);
        }
        for &(_, i) in self.order {
            self.contacts[i as usize].go_on(self.movers);
        }
        self.sweep(most, tolerance);
    }

    /// Ends a part of which only a share is done.
    fn end_part(&mut self, share: f64) {
        for &(_, i) in self.order {
            self.contacts[i as usize].end_part(self.movers, share);
        }
        for &(_, m) in self.members {
            let mover = &mut self.movers[m as usize];
            mover.speed = mover.mark.towards(mover.speed, share);
        }
    }
}

/// The s from 0 to 1 at which a s + b s² is this much less than a + b.
fn share_of_work(a: f64, b: f64, work: f64) -> f64 {
    let root = larger(a * a + 4.0 * b * work, 0.0).sqrt();
    // Of both forms of the root the one that no difference spoils.
    let share = 2.0 * work / (a + root);
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 1.0 }
}
