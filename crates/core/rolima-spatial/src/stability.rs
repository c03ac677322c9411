//! What a step can bear: springs that are too stiff for mass, inertia and step, and loads that no
//! spring carries, are refused with the number that would do.
//!
//! Springs are stepped semi-implicitly and dampers nearly explicitly: with y = k dt^2 a and
//! x = c dt a, where a is how much the vehicle answers to a force (one over a mass), a mode is stable
//! while y + 2 x < 4. Both are held at 1 or below.

use crate::spec::{VehicleSpec, WheelSpec};
use rolima_check::{ModelError, shown};
use rolima_math::{Sym3, Vec3};

/// Squared force of a contact per force along the suspension: a slope of 45 degrees.
const SLANTED: f64 = 2.0;

/// Points of a hull touch together that are this near to the outermost one of a side, as a share of
/// the hull's size that way.
const TOGETHER: f64 = 0.05;

/// Rounds of Newton's method for a vehicle at rest.
const ROUNDS: usize = 60;

/// Refuses a chassis that turns too easily for its springs, dampers and levers: about one of its
/// axes the wheels would throw it about.
pub(crate) fn inertia(
    key: &str,
    spec: &VehicleSpec,
    inverse: &Sym3,
    step: f64,
) -> Result<(), ModelError> {
    let squares = |w: &WheelSpec| {
        let p = w.position;
        let down = p.z.abs() + w.radius;
        [p.y * p.y + down * down, p.x * p.x + down * down]
    };
    for (axis, name) in ["xx (roll)", "yy (pitch)"].into_iter().enumerate() {
        let (mut springs, mut dampers) = (0.0, 0.0);
        for w in &spec.wheels {
            let lever = squares(w)[axis];
            springs += step * step * w.suspension.stop_stiffness * SLANTED * lever;
            dampers += step * w.suspension.damping * lever;
        }
        let least = springs.max(dampers);
        let got = 1.0 / inverse.diagonal[axis];
        if got < least {
            let expected = format!(
                "{name} of at least {} kg m2 without what the wheels spin, for these springs, \
                 dampers and levers at this step",
                shown(least)
            );
            return Err(ModelError::new(format!("{key}.chassis.inertia"), expected, shown(got)));
        }
    }
    Ok(())
}

/// How much the points of the hull answer to forces at those of one side together, at most, 1/kg;
/// refuses a stiffness that would make them ring.
pub(crate) fn hull(
    key: &str,
    spec: &VehicleSpec,
    inverse: &Sym3,
    points: &[Vec3],
    step: f64,
) -> Result<f64, ModelError> {
    let mut answer = 0.0f64;
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let out = |p: &Vec3| sign * p.array()[axis];
            let (mut least, mut most) = (f64::MAX, f64::MIN);
            for p in points {
                (least, most) = (least.min(out(p)), most.max(out(p)));
            }
            let near = most - TOGETHER * (most - least);
            let side = points.iter().filter(|&p| out(p) >= near);
            answer = answer.max(answer_of(side, spec.chassis.mass, inverse));
        }
    }
    let most = 1.0 / (step * step * answer);
    let got = spec.chassis.contact_stiffness;
    if got > most {
        let expected = format!("at most {} N/m at this mass, inertia and step", shown(most));
        return Err(ModelError::new(format!("{key}.chassis.contact_stiffness"), expected, got));
    }
    Ok(answer)
}

/// How much some points answer to forces at all of them, 1/kg.
fn answer_of<'a>(points: impl Iterator<Item = &'a Vec3>, mass: f64, inverse: &Sym3) -> f64 {
    let mut count = 0.0;
    // Sum of |p|^2 - p p^T, in absolute values: an upper bound of how forces turn it.
    let mut sums = [[0.0; 3]; 3];
    for p in points {
        count += 1.0;
        let a = p.array();
        for i in 0..3 {
            for j in 0..3 {
                let own = if i == j { p.dot(*p) } else { 0.0 };
                sums[i][j] += own - a[i] * a[j];
            }
        }
    }
    let ([xx, yy, zz], [xy, xz, yz]) = (inverse.diagonal, inverse.beside);
    let rows = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    let mut turning = 0.0f64;
    for row in rows {
        let mut sum = 0.0;
        for j in 0..3 {
            let product: f64 = (0..3).map(|i| row[i] * sums[i][j]).sum();
            sum += product.abs();
        }
        turning = turning.max(sum);
    }
    count / mass + turning
}

/// Refuses a vehicle whose weight, at rest on level ground, presses a wheel in beyond what the
/// contact search allows.
pub(crate) fn load(key: &str, spec: &VehicleSpec, gravity: f64) -> Result<(), ModelError> {
    let weight = spec.chassis.mass * gravity;
    let carried: f64 = spec.wheels.iter().map(|w| w.suspension.spring(w.most_compression())).sum();
    if carried < weight {
        let expected = format!("wheels that carry the weight of {} N", shown(weight));
        let got = format!("{} N, all of them fully compressed", shown(carried));
        return Err(ModelError::new(format!("{key}.wheels"), expected, got));
    }
    let Some(compressions) = at_rest(spec, weight) else { return Ok(()) };
    for (i, (wheel, h)) in spec.wheels.iter().zip(compressions).enumerate() {
        let most = wheel.most_compression();
        if h > most {
            let expected = format!(
                "a spring that carries {} N within {} m, its stop and a quarter of the radius",
                shown(wheel.suspension.spring(h)),
                shown(most)
            );
            let key = format!("{key}.wheels.{i}.suspension.stop_stiffness");
            return Err(ModelError::new(key, expected, wheel.suspension.stop_stiffness));
        }
    }
    Ok(())
}

/// Compressions of the wheels of a vehicle that rests on level ground, hardly tilted; none if it
/// cannot rest there on its wheels.
fn at_rest(spec: &VehicleSpec, weight: f64) -> Option<Vec<f64>> {
    // Compression over the plane of three numbers: sinking, and tilts along and across.
    let mut plane = [0.0; 3];
    let base = spec.ride_height();
    let at = |w: &WheelSpec, plane: &[f64; 3]| {
        let relaxed = w.radius - w.position.z - base;
        plane[0] + plane[1] * w.position.x + plane[2] * w.position.y + relaxed
    };
    for _ in 0..ROUNDS {
        let (mut residual, mut slope) = ([weight, 0.0, 0.0], [[0.0; 3]; 3]);
        for w in &spec.wheels {
            let h = at(w, &plane);
            let arms = [1.0, w.position.x, w.position.y];
            let (force, rate) = if h > 0.0 {
                (w.suspension.spring(h), w.suspension.rate(h))
            } else {
                // A little, so that the wheels in the air are drawn to the ground.
                (0.0, 1e-3 * w.suspension.stiffness)
            };
            for i in 0..3 {
                residual[i] -= force * arms[i];
                for j in 0..3 {
                    slope[i][j] += rate * arms[i] * arms[j];
                }
            }
        }
        if residual.iter().all(|r| r.abs() < 1e-6 * weight.max(1e-9)) {
            return Some(spec.wheels.iter().map(|w| at(w, &plane)).collect());
        }
        // Wheels in a row leave one tilt open.
        let hold = 1e-9 * (slope[0][0] + slope[1][1] + slope[2][2]);
        let matrix = Sym3 {
            diagonal: [slope[0][0] + hold, slope[1][1] + hold, slope[2][2] + hold],
            beside: [slope[0][1], slope[0][2], slope[1][2]],
        };
        let step = matrix.inverse()?.times(Vec3::from(residual)).array();
        for (p, d) in plane.iter_mut().zip(step) {
            *p += d;
        }
    }
    None
}
