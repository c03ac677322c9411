//! Transcendental functions with target-independent bits.

/// Sine of `x` radians.
#[inline]
pub fn sin(x: f64) -> f64 {
    libm::sin(x)
}

/// Cosine of `x` radians.
#[inline]
pub fn cos(x: f64) -> f64 {
    libm::cos(x)
}

/// Sine and cosine of `x` radians.
#[inline]
pub fn sin_cos(x: f64) -> (f64, f64) {
    libm::sincos(x)
}

/// Tangent of `x` radians.
#[inline]
pub fn tan(x: f64) -> f64 {
    libm::tan(x)
}

/// Arc sine, rad.
#[inline]
pub fn asin(x: f64) -> f64 {
    libm::asin(x)
}

/// Arc cosine, rad.
#[inline]
pub fn acos(x: f64) -> f64 {
    libm::acos(x)
}

/// Arc tangent, rad.
#[inline]
pub fn atan(x: f64) -> f64 {
    libm::atan(x)
}

/// Angle of the vector (`x`, `y`), rad in (-pi, pi].
#[inline]
pub fn atan2(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

/// e to the power `x`.
#[inline]
pub fn exp(x: f64) -> f64 {
    libm::exp(x)
}

/// Natural logarithm.
#[inline]
pub fn ln(x: f64) -> f64 {
    libm::log(x)
}

/// `x` to the power `y`.
#[inline]
pub fn powf(x: f64, y: f64) -> f64 {
    libm::pow(x, y)
}

/// The angle wrapped to (-pi, pi].
#[inline]
pub fn wrap_angle(x: f64) -> f64 {
    use core::f64::consts::{PI, TAU};
    let wrapped = x - TAU * libm::floor((x + PI) / TAU);
    if wrapped <= -PI { wrapped + TAU } else { wrapped }
}

/// The larger of two numbers that are not NaN: one instruction, where `f64::max` takes four.
#[inline(always)]
pub fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The smaller of two numbers that are not NaN.
#[inline(always)]
pub fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// Largest angle, rad, for which [`sin_cos_small`] is accurate to the last bit or so.
///
/// One step of 1 ms turns a robot by this much at 125 rad/s, above its fastest spin.
pub const SMALL_ANGLE: f64 = 0.125;

/// Sine and cosine for |x| <= [`SMALL_ANGLE`], by their Taylor polynomials.
///
/// Straight-line code: a loop over it vectorises, and the lanes have the same bits at any vector
/// width. The truncated terms are below 1e-16 relative at the limit.
#[inline(always)]
pub fn sin_cos_small(x: f64) -> (f64, f64) {
    let x2 = x * x;
    let sin = x + x
        * x2
        * (-1.0 / 6.0
            + x2 * (1.0 / 120.0
                + x2 * (-1.0 / 5040.0 + x2 * (1.0 / 362_880.0 + x2 * (-1.0 / 39_916_800.0)))));
    let cos = 1.0
        + x2 * (-0.5
            + x2 * (1.0 / 24.0
                + x2 * (-1.0 / 720.0 + x2 * (1.0 / 40_320.0 + x2 * (-1.0 / 3_628_800.0)))));
    (sin, cos)
}

/// Sine and cosine as [`sin_cos_small`], to some 1e-13: enough for a direction in which a few
/// millimetres are covered, where it is off by less than the position's rounding.
#[inline(always)]
pub fn sin_cos_short(x: f64) -> (f64, f64) {
    let x2 = x * x;
    let sin = x + x * x2 * (-1.0 / 6.0 + x2 * (1.0 / 120.0 + x2 * (-1.0 / 5040.0)));
    let cos = 1.0 + x2 * (-0.5 + x2 * (1.0 / 24.0 + x2 * (-1.0 / 720.0 + x2 * (1.0 / 40_320.0))));
    (sin, cos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::PI;

    #[test]
    fn small_angle_pair_agrees_with_libm() {
        let mut worst = 0.0f64;
        for i in -1000..=1000 {
            let x = SMALL_ANGLE * f64::from(i) / 1000.0;
            let (s, c) = sin_cos_small(x);
            worst = worst.max((s - sin(x)).abs()).max((c - cos(x)).abs());
        }
        assert!(worst <= 1.2e-16, "worst error {worst:e}");
    }

    #[test]
    fn short_pair_is_good_to_1e_13_for_half_the_small_angle() {
        for i in -1000..=1000 {
            let x = 0.5 * SMALL_ANGLE * f64::from(i) / 1000.0;
            let (s, c) = sin_cos_short(x);
            assert!((s - sin(x)).abs() < 1e-13 && (c - cos(x)).abs() < 1e-13, "{x}");
        }
    }

    #[test]
    fn wrapping_keeps_the_direction_and_the_range() {
        for i in -200..200 {
            let x = 0.1 * f64::from(i);
            let w = wrap_angle(x);
            assert!(w > -PI && w <= PI, "{x} wrapped to {w}");
            assert!((sin(x) - sin(w)).abs() < 1e-12 && (cos(x) - cos(w)).abs() < 1e-12);
        }
        assert_eq!(wrap_angle(PI), PI);
        assert_eq!(wrap_angle(-PI), PI);
    }
}
