//! Where a wheel touches: equations 3.6 to 3.13, corrected.
//!
//! Both rims of a wheel have points on their lower half, `slices` of them from -90 to 90 degrees.
//! Each point, moved by h along the chassis' up axis b, meets the ground where
//! z + h b_z = f(x + h b_x, y + h b_y); the largest h of a rim counts. Then:
//!
//! - A sinusoid through the best point and its neighbours gives angle and compression between the
//!   points. On a plane a rim's compression over the angle *is* a sinusoid, so this is exact there.
//! - The two rims are joined by the crown of the tread: h is a smooth maximum, and the contact
//!   moves from rim to rim as the wheel leans.
//! - Along the wheel, the angle gamma of the contact point decides the direction of the normal
//!   (right on edges, where the ground has no normal of its own); across it, the ground's slope.
//!
//! Most slices are never looked at: with the slopes of all cells under the wheel bounded, a slice
//! cannot beat another one if the rim rises faster between them than the ground can. The ground's
//! slopes fill a box, so the directions in which that is so form a cone, and looking outwards from
//! the best slice ends at the first that is in it.

use crate::actuator::JointRotation;
use crate::batch::{Known, batch};
use crate::model::{LANES, Rim, STEEPEST, WheelBlock};
use crate::state::WheelState;
use crate::terrain::{Slopes, Terrain};
use rolima_math::{Vec2, Vec3, larger, smaller};

/// Least cosine of the tilt for wheels to be searched at all: beyond 78 degrees the chassis lies
/// on its side, and the suspension's axis meets the ground nowhere near.
pub(crate) const LEAST_UP: f64 = 0.2;

/// Least rise of a rim's point over the ground per metre of compression. Below, the ground is
/// about as steep as the suspension's axis, and there may be several contacts along it.
const LEAST_RISE: f64 = 0.1;

/// How far from its guess, in radii, a search's bounds hold.
const TRUSTED: f64 = 0.3;

/// Steepest rise of the ground across a wheel, against the chassis: 56 degrees.
const STEEPEST_ACROSS: f64 = 1.5;

/// Compression that Newton's method is content with, m.
const CONTENT: f64 = 1e-12;

/// Pose of the chassis: position and axes n (forward), t (left), b (up) in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ChassisFrame {
    pub(crate) position: Vec3,
    pub(crate) axes: [Vec3; 3],
}

/// What was found on one rim.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct RimContact {
    /// Compression, m; negative is the gap.
    pub(crate) h: f64,
    /// Tangent of the angle on the wheel, forward positive.
    pub(crate) along: f64,
    /// Rise of the ground to the left, against the chassis.
    pub(crate) across: f64,
    /// The slice.
    pub(crate) slice: usize,
}

/// Compression of a wheel that was never searched: any will do.
pub(crate) const UNKNOWN: f64 = -1e5;

/// Looks for the contact of one wheel and stores the plane that it is.
///
/// The compression grows at most by `growth` over that of the last search: more than any contact
/// up to [`STEEPEST`] can at the vehicle's speed. A wheel that came into a wall from the side would
/// else be thrown out with energy from nowhere.
#[inline(always)]
pub(crate) fn wheel(
    terrain: &Terrain,
    rim: &Rim,
    block: &WheelBlock,
    lane: usize,
    (frame, growth): (&ChassisFrame, f64),
    state: &mut WheelState,
) {
    let [n, t, b] = frame.axes;
    let at = Vec3::new(block.x[lane], block.y[lane], block.z[lane]);
    let hub = frame.position + n * at.x + t * at.y + b * at.z;
    let (r, half) = (block.radius[lane], block.half_width[lane]);
    let mut guess = smaller(larger(state.found[lane], 0.0), 4.0 * r);
    // The bounds hold while the compression is within `TRUSTED` radii of the guess; should a
    // search end beyond, it starts again from there.
    let (mut left, mut right);
    let mut rounds = 0;
    loop {
        let centre = hub + b * guess;
        let reach = |nx: f64, bx: f64, tx: f64| {
            r * (nx * nx + bx * bx).sqrt() + half * tx.abs() + TRUSTED * r * bx.abs() + 1e-6
        };
        let extent = Vec2::new(reach(n.x, b.x, t.x), reach(n.y, b.y, t.y));
        let middle = Vec2::new(centre.x, centre.y);
        let slopes = terrain.slopes(middle - extent, middle + extent);
        if b.z < LEAST_UP {
            return lift(frame, lane, state, 0.0);
        }
        let lowest = hub.z - r * (n.z * n.z + b.z * b.z).sqrt() - half * t.z.abs();
        if guess == 0.0 && lowest > slopes.top {
            return lift(frame, lane, state, slopes.top);
        }
        let steep = b.z - slopes.rise([b.x, b.y]) < LEAST_RISE;
        let look = |side: f64| {
            let centre = centre + t * (half * side);
            RimSearch { terrain, rim, centre, n, b, radius: r, slopes: &slopes }
        };
        let rims = [look(1.0), look(-1.0)];
        let [l, r] = if steep {
            [rims[0].everywhere(guess), rims[1].everywhere(guess)]
        } else {
            let starts =
                [state.slices[0][lane] as u32 as usize, state.slices[1][lane] as u32 as usize];
            let [known_l, known_r] = batch(&rims, starts);
            [rims[0].from(starts[0], known_l), rims[1].from(starts[1], known_r)]
        };
        left = rims[0].refine(l, t, guess);
        right = rims[1].refine(r, t, guess);
        let off = larger((left.h - guess).abs(), (right.h - guess).abs());
        rounds += 1;
        if off <= TRUSTED * block.radius[lane]
            || steep
            || rounds == 4
            || larger(left.h, right.h) < 0.0
        {
            break;
        }
        guess = larger(larger(left.h, right.h), 0.0);
    }
    state.slices[0][lane] = left.slice as f64;
    state.slices[1][lane] = right.slice as f64;

    // The crown joins the rims.
    let apart = left.h - right.h;
    let lean = smaller(larger(apart * block.per_lean[lane], -1.0), 1.0);
    let (wl, wr) = (0.5 * (1.0 + lean), 0.5 * (1.0 - lean));
    let along = wl * left.along + wr * right.along;
    let across = wl * left.across + wr * right.across;
    let mean = 0.5 * (left.h + right.h);
    let crown = lean * (0.5 * apart - 0.25 * block.lean[lane] * lean);
    // Bounded: by the suspension's travel, and against a wheel that finds itself in a wall.
    let known = state.found[lane] > UNKNOWN;
    let grown = larger(state.found[lane], 0.0) + growth;
    let travel = block.linear_travel[lane] + block.stop_length[lane] + 0.25 * block.radius[lane];
    let most = if known { smaller(grown, travel) } else { travel };
    let mean = smaller(mean + crown, most) - crown;
    state.found[lane] = mean + crown;
    state.lean[lane] = apart - 2.0 * half * across;

    // The plane through the contact, such that a wheel on it is compressed as found.
    let q = (1.0 + along * along).sqrt();
    let up = 1.0 / (1.0 + along * along + across * across).sqrt();
    let normal = (b - n * along - t * across) * up;
    let offset_from_hub = (mean - r * q) * up;
    state.offset[lane] = offset_from_hub + normal.dot(hub);
    [state.normal[0][lane], state.normal[1][lane], state.normal[2][lane]] = normal.array();
    let contact = hub + b * (state.found[lane] - r / q) + n * (r * along / q) + t * (half * lean);
    state.ground[lane] = terrain.friction(contact.x, contact.y);
}

/// No contact: a level plane at `height`, below the wheel.
fn lift(frame: &ChassisFrame, lane: usize, state: &mut WheelState, height: f64) {
    let tilted = frame.axes[2].z < LEAST_UP;
    let normal = if tilted { frame.axes[2] } else { Vec3::new(0.0, 0.0, 1.0) };
    [state.normal[0][lane], state.normal[1][lane], state.normal[2][lane]] = normal.array();
    state.offset[lane] = if tilted { normal.dot(frame.position) - 1e3 } else { height };
    state.lean[lane] = 0.0;
    state.found[lane] = 0.0;
}

/// One rim over the ground.
pub(crate) struct RimSearch<'a> {
    pub(crate) terrain: &'a Terrain,
    pub(crate) rim: &'a Rim,
    /// Centre of the rim at the compression that the search starts from.
    pub(crate) centre: Vec3,
    pub(crate) n: Vec3,
    pub(crate) b: Vec3,
    pub(crate) radius: f64,
    pub(crate) slopes: &'a Slopes,
}

/// Best slice, and compressions of it and its neighbours, from the start of the search.
pub(crate) struct Best {
    slice: usize,
    h: [f64; 3],
}

#[cfg(test)]
impl Best {
    pub(crate) fn most(&self) -> f64 {
        self.h[1]
    }
}

impl RimSearch<'_> {
    /// The point of a slice.
    #[inline(always)]
    fn point(&self, slice: usize) -> Vec3 {
        let (s, c) = (self.radius * self.rim.sin[slice], self.radius * self.rim.cos[slice]);
        self.centre + self.n * s - self.b * c
    }

    /// Compression at which a point meets the ground, from where it is: Newton's method, exact
    /// within a cell, where the height over the ground is a quadratic of the compression.
    #[inline(never)]
    fn solve(&self, mut q: Vec3) -> f64 {
        let b = self.b;
        let [kx, ky] = self.terrain.inverse_cell();
        let mut h = 0.0;
        for _ in 0..24 {
            let p = self.terrain.patch(q.x, q.y);
            let over = q.z - p.z;
            let rise = b.z - (p.gx * b.x + p.gy * b.y);
            if rise < 0.5 * LEAST_RISE {
                // Steeper than the bounds said, beyond where they hold.
                return h + self.bisected(q, 0.0);
            }
            let bend = p.twist * b.x * b.y;
            let root = larger(rise * rise + 4.0 * bend * over, 0.0).sqrt();
            let step = -2.0 * over / (rise + root);
            h += step;
            let (u, v) = (p.u + step * b.x * kx, p.v + step * b.y * ky);
            let unit = 0.0..=1.0;
            if (unit.contains(&u) && unit.contains(&v)) || step.abs() < CONTENT {
                return h;
            }
            q += b * step;
        }
        h + self.bisected(q, 0.0)
    }

    /// The same by bisection, for ground that throws Newton's method about: the first contact
    /// above, if the point is in the ground, else below; at most two radii away.
    #[cold]
    fn bisected(&self, q: Vec3, least: f64) -> f64 {
        let over = |h: f64| {
            let p = q + self.b * h;
            p.z - self.terrain.height(p.x, p.y)
        };
        let step = self.radius / 16.0;
        let in_ground = over(0.0) < 0.0;
        let mut near = 0.0;
        for k in 1..=32 {
            let far = if in_ground { step * f64::from(k) } else { -step * f64::from(k) };
            if (over(far) < 0.0) != in_ground {
                let (mut a, mut b) = (near, far);
                for _ in 0..60 {
                    let m = 0.5 * (a + b);
                    if (over(m) < 0.0) == in_ground { a = m } else { b = m }
                }
                return 0.5 * (a + b);
            }
            near = far;
        }
        larger(near, least - 2.0 * self.radius)
    }

    /// Whether slice `k` cannot be pressed in more than slice `c`, whatever lies between.
    #[inline(always)]
    fn cannot_beat(&self, c: usize, k: usize) -> bool {
        let [cos, sin] = self.rim.half[c + k];
        let sign = if k > c { 1.0 } else { -1.0 };
        let d = (self.n * cos + self.b * sin) * sign;
        d.z >= self.slopes.rise([d.x, d.y])
    }

    /// The best slice, from a guess on, around which it is known already.
    #[inline(always)]
    pub(crate) fn from(&self, guess: usize, known: Known) -> Best {
        let last = self.rim.slices - 1;
        let start = guess.clamp(1, last - 1);
        let get = |k: usize| known.get(k, || self.solve(self.point(k)));
        let around = [get(start - 1), get(start), get(start + 1)];
        let mut c = start;
        let mut most = around[1];
        if around[0] > most {
            (c, most) = (start - 1, around[0]);
        }
        if around[2] > most {
            (c, most) = (start + 1, around[2]);
        }
        let mut k = start + 2;
        while k <= last && !self.cannot_beat(c, k) {
            let h = get(k);
            if h > most {
                (c, most) = (k, h);
            }
            k += 1;
        }
        let mut k = start.wrapping_sub(2);
        while k <= last && !self.cannot_beat(c, k) {
            let h = get(k);
            if h > most {
                (c, most) = (k, h);
            }
            k = k.wrapping_sub(1);
        }
        let h =
            [if c > 0 { get(c - 1) } else { most }, most, if c < last { get(c + 1) } else { most }];
        Best { slice: c, h }
    }

    /// The best slice by looking at all of them, bisecting: slow, for ground as steep as walls.
    #[cold]
    pub(crate) fn everywhere(&self, guess: f64) -> Best {
        let last = self.rim.slices - 1;
        let mut h = [f64::MIN; 64];
        for (k, h) in h.iter_mut().enumerate().take(last + 1) {
            *h = self.bisected(self.point(k), -guess);
        }
        let c = (0..=last).fold(last / 2, |c, k| if h[k] > h[c] { k } else { c });
        Best { slice: c, h: [h[c.saturating_sub(1)], h[c], h[(c + 1).min(last)]] }
    }

    /// Between the slices, and with the ground's slope across.
    #[inline(always)]
    pub(crate) fn refine(&self, best: Best, t: Vec3, guess: f64) -> RimContact {
        let Best { slice, h: [before, at, after] } = best;
        let [per_sin, per_cos, step] = self.rim.refine;
        let sine = (after - before) * per_sin;
        let cosine = ((at - before) + (at - after)) * per_cos;
        let inner = slice > 0 && slice < self.rim.slices - 1;
        let round = inner && cosine > 1e-3 * self.radius;
        let shift = if round { smaller(larger(sine / cosine, -step), step) } else { 0.0 };
        let more = if round { (cosine * cosine + sine * sine).sqrt() - cosine } else { 0.0 };
        let tan = self.rim.tan[slice];
        let below = 1.0 - tan * shift;
        let along = if !inner || below < 0.1 {
            STEEPEST.copysign(self.rim.sin[slice])
        } else {
            smaller(larger((tan + shift) / below, -STEEPEST), STEEPEST)
        };
        let contact = self.point(slice) + self.b * at;
        let p = self.terrain.patch(contact.x, contact.y);
        let against = |axis: Vec3| axis.z - p.gx * axis.x - p.gy * axis.y;
        let across = -against(t) / larger(against(self.b), LEAST_RISE);
        RimContact {
            h: guess + at + smaller(more, 0.25 * self.radius),
            along,
            across: smaller(larger(across, -STEEPEST_ACROSS), STEEPEST_ACROSS),
            slice,
        }
    }
}

/// Searches for all wheels of a block.
#[inline(always)]
pub(crate) fn block(
    terrain: &Terrain,
    rim: &Rim,
    block: &WheelBlock,
    (frame, growth): (&ChassisFrame, f64),
    turn: Option<&JointRotation>,
    state: &mut WheelState,
) {
    for lane in 0..block.wheels.min(LANES) {
        let turned = turn.map(|turn| frame.turned(turn, block, lane));
        wheel(terrain, rim, block, lane, (turned.as_ref().unwrap_or(frame), growth), state);
    }
}

impl ChassisFrame {
    /// The frame with its axes turned as a steered wheel is, in which that wheel's hub is where it was.
    fn turned(&self, turn: &JointRotation, block: &WheelBlock, lane: usize) -> Self {
        let axes = turn.axes(lane, self.axes);
        let (x, y) = (block.x[lane], block.y[lane]);
        let off = |[n, t, _]: [Vec3; 3]| n * x + t * y;
        Self { position: self.position + (off(self.axes) - off(axes)), axes }
    }
}
