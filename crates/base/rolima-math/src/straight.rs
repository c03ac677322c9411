//! Arc tangent, sine and exponential as straight-line code.
//!
//! No branches, no tables, no calls: a loop over them vectorises, and the lanes have the same bits
//! at any vector width. The polynomials are near-minimax fits (Chebyshev interpolation in 40
//! digits); each function is good to some 3e-16 of its largest value in the range.

use core::f64::consts::{FRAC_PI_2, FRAC_PI_4, LOG2_E};

/// tan(pi/8): below it the polynomial of the arc tangent holds.
const TAN_22_5: f64 = 0.414_213_562_373_095_03;

/// The polynomial with these coefficients, the constant first.
#[inline(always)]
fn polynomial<const N: usize>(coefficients: &[f64; N], x: f64) -> f64 {
    let mut sum = coefficients[N - 1];
    let mut i = N - 1;
    while i > 0 {
        i -= 1;
        sum = sum * x + coefficients[i];
    }
    sum
}

/// Arc tangent, rad, for any number.
#[inline(always)]
pub fn atan(x: f64) -> f64 {
    const C: [f64; 11] = [
        1.0,
        -0.333_333_333_333_284_4,
        0.199_999_999_988_551_1,
        -0.142_857_141_809_763_9,
        0.111_111_061_804_528_65,
        -0.090_907_730_747_368_61,
        0.076_899_534_952_989_42,
        -0.066_402_339_216_734_51,
        0.056_883_491_809_884_17,
        -0.043_480_520_833_406_28,
        0.021_135_371_536_498_415,
    ];
    let a = x.abs();
    let small = a < TAN_22_5;
    let large = a > 1.0 / TAN_22_5;
    // atan a = base + atan t, with |t| at most tan(pi/8).
    let over = if small { a } else { a - 1.0 };
    let under = if small { 1.0 } else { a + 1.0 };
    let (over, under) = if large { (-1.0, a) } else { (over, under) };
    let base = if small { 0.0 } else { FRAC_PI_4 };
    let base = if large { FRAC_PI_2 } else { base };
    let t = over / under;
    (base + t * polynomial(&C, t * t)).copysign(x)
}

/// Sine of an angle of at most pi in size, rad.
#[inline(always)]
pub fn sin(x: f64) -> f64 {
    const C: [f64; 9] = [
        1.0,
        -0.166_666_666_666_666_65,
        0.008_333_333_333_333_186,
        -0.000_198_412_698_412_086_75,
        2.755_731_921_122_954_3e-6,
        -2.505_210_689_056_357_7e-8,
        1.605_894_087_818_005e-10,
        -7.643_026_549_781_953e-13,
        2.721_574_853_796_351e-15,
    ];
    let a = x.abs();
    // sin a = sin(pi - a); the second part of pi is beyond the first one's last bit.
    let mirrored = (core::f64::consts::PI - a) + 1.224_646_799_147_353_2e-16;
    let a = if a > FRAC_PI_2 { mirrored } else { a };
    (a * polynomial(&C, a * a)).copysign(x)
}

/// Cosine of an angle of at most pi in size, rad.
#[inline(always)]
pub fn cos(x: f64) -> f64 {
    // At most half a turn off zero: the sine's range again.
    sin((FRAC_PI_2 - x.abs()) + 6.123_233_995_736_766e-17)
}

/// e to the power `x` for -700 < x < 700.
#[inline(always)]
pub fn exp(x: f64) -> f64 {
    const C: [f64; 12] = [
        1.0,
        1.0,
        0.500_000_000_000_001_8,
        0.166_666_666_666_666_8,
        0.041_666_666_666_487_95,
        0.008_333_333_333_319_59,
        0.001_388_888_895_235_286_3,
        0.000_198_412_698_900_764_03,
        0.000_024_801_485_441_561_313,
        2.755_724_088_722_987e-6,
        2.763_265_472_252_779e-7,
        2.511_004_920_481_866e-8,
    ];
    /// Adding it leaves the nearest whole number in the low bits.
    const ROUND: f64 = 6_755_399_441_055_744.0;
    const LN_2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN_2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    let shifted = x * LOG2_E + ROUND;
    let k = shifted - ROUND;
    let rest = (x - k * LN_2_HIGH) - k * LN_2_LOW;
    // The low bits of `shifted` are k in two's complement; moved to the exponent they double.
    let power = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1.0f64.to_bits()));
    power * polynomial(&C, rest)
}

/// The same with shorter polynomials, good to some 1e-12: for models whose own numbers have four
/// digits, evaluated a million times a second.
pub mod short {
    use super::{FRAC_PI_2, FRAC_PI_4, LOG2_E, TAN_22_5};

    /// The polynomial with eight coefficients, the constant first, by Estrin's
    /// scheme: a tree of short sums in place of Horner's chain, in which each step waits for the
    /// last.
    #[inline(always)]
    fn eight(c: &[f64; 8], x: f64) -> f64 {
        let x2 = x * x;
        let low = (c[0] + c[1] * x) + (c[2] + c[3] * x) * x2;
        let high = (c[4] + c[5] * x) + (c[6] + c[7] * x) * x2;
        low + high * (x2 * x2)
    }

    /// Arc tangent of `p`/`q`, rad, for `q` above zero.
    #[inline(always)]
    pub fn atan_ratio(p: f64, q: f64) -> f64 {
        const C: [f64; 8] = [
            0.999_999_999_999_244_8,
            -0.333_333_332_769_224_56,
            0.199_999_930_535_520_2,
            -0.142_853_865_536_055_98,
            0.111_034_569_062_753_22,
            -0.089_925_528_813_258_08,
            0.069_741_975_729_582_83,
            -0.037_655_103_980_525_99,
        ];
        let a = p.abs();
        let small = a < TAN_22_5 * q;
        let large = a * TAN_22_5 > q;
        let over = if small { a } else { a - q };
        let under = if small { q } else { a + q };
        let (over, under) = if large { (-q, a) } else { (over, under) };
        let base = if small { 0.0 } else { FRAC_PI_4 };
        let base = if large { FRAC_PI_2 } else { base };
        let t = over / under;
        (base + t * eight(&C, t * t)).copysign(p)
    }

    /// Arc tangent, rad, for any number.
    #[inline(always)]
    pub fn atan(x: f64) -> f64 {
        atan_ratio(x, 1.0)
    }

    /// Sine of an angle of at most pi in size, rad.
    #[inline(always)]
    pub fn sin(x: f64) -> f64 {
        const C: [f64; 8] = [
            0.999_999_999_999_949_6,
            -0.166_666_666_664_666_7,
            0.008_333_333_320_358_284,
            -0.000_198_412_666_831_181_36,
            2.755_695_291_176_958e-6,
            -2.503_026_814_569_985_7e-8,
            1.541_121_911_125_107_6e-10,
            0.0,
        ];
        let a = x.abs();
        let a = if a > FRAC_PI_2 { core::f64::consts::PI - a } else { a };
        (a * eight(&C, a * a)).copysign(x)
    }

    /// Cosine of an angle of at most pi in size, rad.
    #[inline(always)]
    pub fn cos(x: f64) -> f64 {
        sin(FRAC_PI_2 - x.abs())
    }

    /// e to the power `x` for -700 < x < 700.
    #[inline(always)]
    pub fn exp(x: f64) -> f64 {
        const C: [f64; 8] = [
            1.0,
            0.999_999_999_979_769,
            0.499_999_999_997_977_7,
            0.166_666_668_911_805_44,
            0.041_666_666_891_091_7,
            0.008_333_266_071_022_454,
            0.001_388_882_165_071_769,
            0.000_199_158_818_713_960_36,
        ];
        const LAST: f64 = 0.000_024_876_178_959_085_51;
        const ROUND: f64 = 6_755_399_441_055_744.0;
        let shifted = x * LOG2_E + ROUND;
        let k = shifted - ROUND;
        let rest = x - k * core::f64::consts::LN_2;
        let power = f64::from_bits((shifted.to_bits() << 52).wrapping_add(1.0f64.to_bits()));
        let squared = rest * rest;
        let fourth = squared * squared;
        power * (eight(&C, rest) + LAST * (fourth * fourth))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::f64::consts::PI;

    #[test]
    fn they_agree_with_libm() {
        let mut worst = [0.0f64; 4];
        for i in -200_000..=200_000 {
            let unit = f64::from(i) / 200_000.0;
            let angle = PI * unit;
            worst[0] = worst[0].max((sin(angle) - libm::sin(angle)).abs());
            worst[1] = worst[1].max((cos(angle) - libm::cos(angle)).abs());
            for x in [3.0 * unit, 1e3 * unit, 1.0 / (unit + 1e-9)] {
                worst[2] = worst[2].max((atan(x) - libm::atan(x)).abs());
            }
            for x in [unit, 20.0 * unit, 690.0 * unit] {
                worst[3] = worst[3].max((exp(x) / libm::exp(x) - 1.0).abs());
            }
        }
        assert!(worst[0] < 4e-16 && worst[1] < 4e-16, "{worst:?}");
        assert!(worst[2] < 6e-16 && worst[3] < 6e-16, "{worst:?}");
    }

    #[test]
    fn the_short_ones_agree_to_1e_12() {
        for i in -20_000..=20_000 {
            let unit = f64::from(i) / 20_000.0;
            let angle = PI * unit;
            assert!((short::sin(angle) - libm::sin(angle)).abs() < 2e-13, "{angle}");
            assert!((short::cos(angle) - libm::cos(angle)).abs() < 2e-13, "{angle}");
            for (p, q) in [(3.0 * unit, 1.0), (unit, 0.01), (unit, 7.0), (1e3 * unit, 1e-3)] {
                assert!((short::atan_ratio(p, q) - libm::atan(p / q)).abs() < 1e-12, "{p}/{q}");
            }
            let x = 20.0 * unit;
            assert!((short::exp(x) / libm::exp(x) - 1.0).abs() < 3e-12, "{x}");
        }
        assert_eq!((short::atan(0.0), short::sin(0.0), short::exp(0.0)), (0.0, 0.0, 1.0));
    }

    #[test]
    fn ends_and_zeros_are_exact_enough() {
        assert_eq!((atan(0.0), sin(0.0), cos(0.0), exp(0.0)), (0.0, 0.0, 1.0, 1.0));
        assert!((atan(1e300) - FRAC_PI_2).abs() < 1e-15 && atan(-1e300) < -1.57);
        assert_eq!(atan(-0.3), -atan(0.3));
        assert_eq!(sin(-2.0), -sin(2.0));
    }
}
