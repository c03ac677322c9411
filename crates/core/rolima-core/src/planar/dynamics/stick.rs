//! Robots whose wheels stick: equation 8 over one step, a whole block of robots at a time.
//!
//! All three integrators are the same sum over stages with other numbers ([`rolima_model::StickMap`]). The
//! kernel is straight-line code over lanes: the compiler makes vectors of it, as wide as the
//! processor has them (chosen at run time), and every width gives the same bits because no lane
//! looks at another and nothing is fused.

use super::{Reach, sweep_bound};
use crate::planar::{Block, VoltBlock};
use rolima_math::functions::{SMALL_ANGLE, sin_cos_short, sin_cos_small};
use rolima_math::{Rot2, Vec2};
use rolima_model::{DriveModel, Integrator, LANES, LinearRow};

/// Moves the robots of a block that stick; lanes in `slipping` get a result that is not used.
///
/// Adds to `sweeps` how far any point of each robot gets at most; `scale` is the step's length and
/// the same times the robots' radius. Returns how far they get, and which robots needed more grip
/// than their tyres have.
pub(crate) fn run(
    drive: &DriveModel,
    before: &Block,
    (after, sweeps): (&mut Block, &mut [f64; LANES]),
    (volts, scale): (&VoltBlock, [f64; 2]),
    slipping: u8,
) -> (Reach, u8) {
    let sums = widest(drive, before, (after, sweeps), (volts, scale));
    if sums.turn > SMALL_ANGLE {
        mend_large_turns(drive, before, after, volts);
    }
    let grip = drive.grip_static * drive.grip_static;
    let mut overload = 0;
    if sums.load > grip && drive.has_traction_limit() {
        for lane in 0..LANES {
            let l = load(drive, lane_input(before, volts, lane));
            overload |= u8::from(l > grip && slipping >> lane & 1 == 0) << lane;
        }
    }
    let reach = Reach {
        distance_squared: sums.distance_squared,
        turn: sums.turn,
        broken: sums.total.is_nan() || sums.total >= 1e6,
    };
    (reach, overload)
}

/// The motion after the step, and the sweeps.
type Out<'a> = (&'a mut Block, &'a mut [f64; LANES]);

/// Voltages, and the scales of speed and turning for the sweeps.
type Input<'a> = (&'a VoltBlock, [f64; 2]);

/// Largest values over the lanes, and a sum that is small only if everything is.
#[derive(Clone, Copy)]
struct Sums {
    distance_squared: f64,
    turn: f64,
    load: f64,
    total: f64,
}

/// The kernel in the widest vectors of this processor: all lanes of a block side by side, or half of
/// them, or what every processor of this kind has.
#[inline]
fn widest(drive: &DriveModel, before: &Block, out: Out<'_>, input: Input<'_>) -> Sums {
    #[cfg(target_arch = "x86_64")]
    {
        if wide::has_avx512() {
            #[allow(unsafe_code)]
            // SAFETY: the processor has what is asked for, as the line above asked.
            return unsafe { wide::avx512(drive, before, out, input) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code)]
            // SAFETY: the processor has AVX2, as the line above asked.
            return unsafe { wide::avx2(drive, before, out, input) };
        }
    }
    kernel(drive, before, out, input)
}

/// The kernel once more for each kind of vectors.
#[cfg(target_arch = "x86_64")]
mod wide {
    use super::{Block, DriveModel, Input, Out, Sums, kernel};

    /// Whether this processor can run [`avx512`].
    pub(super) fn has_avx512() -> bool {
        std::arch::is_x86_feature_detected!("avx512f")
            && std::arch::is_x86_feature_detected!("avx512dq")
    }

    #[target_feature(enable = "avx512f,avx512dq")]
    pub(super) fn avx512(d: &DriveModel, before: &Block, out: Out<'_>, input: Input<'_>) -> Sums {
        kernel(d, before, out, input)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn avx2(d: &DriveModel, before: &Block, out: Out<'_>, input: Input<'_>) -> Sums {
        kernel(d, before, out, input)
    }
}

#[inline(always)]
fn kernel(drive: &DriveModel, before: &Block, out: Out<'_>, input: Input<'_>) -> Sums {
    match (drive.stick.integrator, drive.has_traction_limit()) {
        (Integrator::Euler, _) => lanes::<0, false, true>(drive, before, out, input),
        (Integrator::Rk4, _) => lanes::<3, false, true>(drive, before, out, input),
        (Integrator::Exact, true) => lanes::<1, true, true>(drive, before, out, input),
        (Integrator::Exact, false) => lanes::<1, true, false>(drive, before, out, input),
    }
}

/// A linear function of (v, omega, e_d, e_e).
#[inline(always)]
pub(crate) fn at(row: &LinearRow, z: [f64; 4]) -> f64 {
    (row[0] * z[0] + row[1] * z[1]) + (row[2] * z[2] + row[3] * z[3])
}

/// Squared demand on the tyre that is loaded most, N2: drive force and half the centripetal force.
#[inline(always)]
fn load(drive: &DriveModel, z: [f64; 4]) -> f64 {
    let right = at(&drive.stick.force_right, z);
    let left = at(&drive.stick.force_left, z);
    let side = 0.5 * drive.spec.mass * z[0] * z[1];
    (right * right).max(left * left) + side * side
}

#[inline(always)]
fn lane_input(before: &Block, volts: &VoltBlock, lane: usize) -> [f64; 4] {
    [before.vx[lane], before.omega[lane], volts.right[lane], volts.left[lane]]
}

/// One step of all lanes. `MIDDLE` stages lie between the first and the end; with `SIMPSON` the
/// last stage has the new speed and the whole turn, so that its sine and cosine come for free.
#[inline(always)]
fn lanes<const MIDDLE: usize, const SIMPSON: bool, const GRIP: bool>(
    drive: &DriveModel,
    before: &Block,
    (after, sweeps): Out<'_>,
    (volts, scale): Input<'_>,
) -> Sums {
    let map = &drive.stick;
    let mut middle = [(0.0, [0.0; 4], [0.0; 4]); MIDDLE];
    middle.copy_from_slice(&map.stages[..MIDDLE]);
    let last_weight = if SIMPSON { map.stages[MIDDLE].0 } else { 0.0 };
    let mut distance_squared = [0.0; LANES];
    let mut turns = [0.0; LANES];
    let mut motions = [0.0; LANES];
    let mut loads = [0.0; LANES];
    for l in 0..LANES {
        let z = lane_input(before, volts, l);
        let (v, omega, turn) = (at(&map.v, z), at(&map.omega, z), at(&map.turn, z));
        let (sin, cos) = sin_cos_small(turn);
        // The way in the robot's frame at the start of the step.
        let mut forward = map.first_weight * z[0];
        let mut left = 0.0;
        for (weight, speed, offset) in &middle {
            // Half a step turns by half of what the polynomials hold for.
            let (s, c) =
                if SIMPSON { sin_cos_short(at(offset, z)) } else { sin_cos_small(at(offset, z)) };
            let part = weight * at(speed, z);
            forward += part * c;
            left += part * s;
        }
        if SIMPSON {
            let part = last_weight * v;
            forward += part * cos;
            left += part * sin;
        }
        let (c, s) = (before.c[l], before.s[l]);
        let dx = c * forward - s * left;
        let dy = s * forward + c * left;
        after.x[l] = before.x[l] + dx;
        after.y[l] = before.y[l] + dy;
        let (nc, ns) = (cos * c - sin * s, sin * c + cos * s);
        let k = 1.5 - 0.5 * (nc * nc + ns * ns);
        after.c[l] = nc * k;
        after.s[l] = ns * k;
        after.vx[l] = v;
        after.vy[l] = 0.0;
        after.omega[l] = omega;
        sweeps[l] += sweep_bound(z[0].abs().max(v.abs()), z[1].abs().max(omega.abs()), scale);
        // Written so that a place that is not finite shows as well.
        let (wx, wy) = (after.x[l] - before.x[l], after.y[l] - before.y[l]);
        distance_squared[l] = wx * wx + wy * wy;
        turns[l] = turn.abs();
        motions[l] = distance_squared[l] + turns[l];
        loads[l] = if GRIP { load(drive, z) } else { 0.0 };
    }
    let max = |a: &[f64; LANES]| {
        let m = |i: usize, j: usize| if a[i] > a[j] { a[i] } else { a[j] };
        let (p, q, r, s) = (m(0, 4), m(1, 5), m(2, 6), m(3, 7));
        let (p, q) = (if p > r { p } else { r }, if q > s { q } else { s });
        if p > q { p } else { q }
    };
    let sum = |a: &[f64; LANES]| ((a[0] + a[4]) + (a[2] + a[6])) + ((a[1] + a[5]) + (a[3] + a[7]));
    Sums {
        distance_squared: max(&distance_squared),
        turn: max(&turns),
        load: max(&loads),
        total: sum(&motions),
    }
}

/// Does lanes again whose turn is too large for the polynomials, with the full sine and cosine.
#[cold]
fn mend_large_turns(drive: &DriveModel, before: &Block, after: &mut Block, volts: &VoltBlock) {
    let map = &drive.stick;
    for lane in 0..LANES {
        let z = lane_input(before, volts, lane);
        let turn = at(&map.turn, z);
        if turn.abs() <= SMALL_ANGLE {
            continue;
        }
        let mut displacement = Vec2::new(map.first_weight * z[0], 0.0);
        for (weight, speed, offset) in &map.stages {
            displacement += Rot2::from_angle(at(offset, z)).x_axis() * (weight * at(speed, z));
        }
        let mut pose = before.pose(lane);
        pose.position = pose.transform(displacement);
        pose.rotation = Rot2::from_angle(turn).after(pose.rotation).renormalised();
        after.set_pose(lane, pose);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_math::Stream;
    use rolima_model::DriveSpec;

    type Kernel = fn(&DriveModel, &Block, Out<'_>, Input<'_>) -> Sums;

    /// The kernels with wider vectors that this processor can run.
    fn wider() -> Vec<Kernel> {
        let mut all: Vec<Kernel> = vec![widest];
        #[cfg(target_arch = "x86_64")]
        #[allow(unsafe_code)]
        {
            if std::arch::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has AVX2.
                all.push(|d, before, out, input| unsafe { wide::avx2(d, before, out, input) });
            }
            if wide::has_avx512() {
                // SAFETY: the processor has what is asked for.
                all.push(|d, before, out, input| unsafe { wide::avx512(d, before, out, input) });
            }
        }
        all
    }

    /// What processors without wide vectors compute is what those with them do, to the bit.
    #[test]
    fn narrow_and_wide_vectors_give_the_same_bits() {
        let mut stream = Stream { key: 7, ..Stream::default() };
        let mut lanes = |most: f64| core::array::from_fn(|_| stream.between(-most, most));
        for integrator in [Integrator::Euler, Integrator::Rk4, Integrator::Exact] {
            let drive = DriveModel::compile("d", &DriveSpec::default(), integrator, 1e-3, 9.81);
            let drive = drive.expect("the default drive compiles");
            for _ in 0..2000 {
                let mut before = Block { x: lanes(2.0), y: lanes(2.0), ..Block::default() };
                (before.vx, before.omega) = (lanes(3.0), lanes(40.0));
                for (lane, angle) in lanes(3.1).into_iter().enumerate() {
                    let Rot2 { c, s } = Rot2::from_angle(angle);
                    (before.c[lane], before.s[lane]) = (c, s);
                }
                let volts = VoltBlock { right: lanes(9.0), left: lanes(9.0) };
                let volts = &volts;
                let run = |kernel: Kernel| {
                    let (mut after, mut sweeps) = (Block::default(), [0.0; LANES]);
                    let out = (&mut after, &mut sweeps);
                    let s = kernel(&drive, &before, out, (volts, [1e-3, 5e-5]));
                    let sums = [s.distance_squared, s.turn, s.load, s.total].map(f64::to_bits);
                    (after, sweeps, sums)
                };
                let narrow = run(kernel);
                for wide in wider() {
                    assert_eq!(run(wide), narrow);
                }
            }
        }
    }
}
