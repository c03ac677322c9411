//! Normally distributed numbers: the inverse of the normal distribution function.
//!
//! One uniform number makes one normal number, so a stream stays a key and a counter: what the
//! n-th draw is does not depend on what the others were used for, and a draw can be passed over
//! without being computed. The rational approximations are those of M. J. Wichura, "Algorithm AS
//! 241: the percentage points of the normal distribution", Applied Statistics 37 (1988), good to
//! some 1e-16; beyond plain arithmetic they need a square root and, in the tails, a logarithm.

use crate::functions::ln;
use crate::random::Stream;

/// Half the width of the middle range, in which no logarithm is needed.
const MIDDLE: f64 = 0.425;

const MIDDLE_OVER: [f64; 8] = [
    3.387_132_872_796_366_608,
    1.331_416_678_917_843_774_5e2,
    1.971_590_950_306_551_442_7e3,
    1.373_169_376_550_946_112_5e4,
    4.592_195_393_154_987_145_7e4,
    6.726_577_092_700_870_085_3e4,
    3.343_057_558_358_812_810_5e4,
    2.509_080_928_730_122_672_7e3,
];
const MIDDLE_UNDER: [f64; 8] = [
    1.0,
    4.231_333_070_160_091_125_2e1,
    6.871_870_074_920_579_083e2,
    5.394_196_021_424_751_107_7e3,
    2.121_379_430_158_659_586_7e4,
    3.930_789_580_009_271_061e4,
    2.872_908_573_572_194_267_4e4,
    5.226_495_278_852_854_561e3,
];
const NEAR_TAIL_OVER: [f64; 8] = [
    1.423_437_110_749_683_577_34,
    4.630_337_846_156_545_295_9,
    5.769_497_221_460_691_405_5,
    3.647_848_324_763_204_605_04,
    1.270_458_252_452_368_382_58,
    2.417_807_251_774_506_117_7e-1,
    2.272_384_498_926_918_458_33e-2,
    7.745_450_142_783_414_076_4e-4,
];
const NEAR_TAIL_UNDER: [f64; 8] = [
    1.0,
    2.053_191_626_637_758_821_87,
    1.676_384_830_183_803_849_4,
    6.897_673_349_851_000_045_5e-1,
    1.481_039_764_274_800_745_9e-1,
    1.519_866_656_361_645_719_66e-2,
    5.475_938_084_995_344_946e-4,
    1.050_750_071_644_416_843_24e-9,
];
const FAR_TAIL_OVER: [f64; 8] = [
    6.657_904_643_501_103_777_2,
    5.463_784_911_164_114_369_9,
    1.784_826_539_917_291_335_8,
    2.965_605_718_285_048_912_3e-1,
    2.653_218_952_657_612_309_3e-2,
    1.242_660_947_388_078_438_6e-3,
    2.711_555_568_743_487_578_15e-5,
    2.010_334_399_292_288_132_65e-7,
];
const FAR_TAIL_UNDER: [f64; 8] = [
    1.0,
    5.998_322_065_558_879_376_9e-1,
    1.369_298_809_227_358_053_1e-1,
    1.487_536_129_085_061_485_25e-2,
    7.868_691_311_456_132_591e-4,
    1.846_318_317_510_054_681_8e-5,
    1.421_511_758_316_445_888_7e-7,
    2.044_263_103_389_939_785_64e-15,
];

/// The polynomial with these coefficients, the constant first.
#[inline(always)]
fn polynomial(coefficients: &[f64; 8], x: f64) -> f64 {
    let mut sum = coefficients[7];
    for i in (0..7).rev() {
        sum = sum * x + coefficients[i];
    }
    sum
}

/// The number below which a standard normal variable falls with `probability`, 0 to 1 (excluded).
#[inline]
pub fn normal_quantile(probability: f64) -> f64 {
    let q = probability - 0.5;
    if q.abs() <= MIDDLE {
        let r = MIDDLE * MIDDLE - q * q;
        return q * polynomial(&MIDDLE_OVER, r) / polynomial(&MIDDLE_UNDER, r);
    }
    let tail = if q < 0.0 { probability } else { 1.0 - probability };
    let r = (-ln(tail)).sqrt();
    let size = if r <= 5.0 {
        polynomial(&NEAR_TAIL_OVER, r - 1.6) / polynomial(&NEAR_TAIL_UNDER, r - 1.6)
    } else {
        polynomial(&FAR_TAIL_OVER, r - 5.0) / polynomial(&FAR_TAIL_UNDER, r - 5.0)
    };
    if q < 0.0 { -size } else { size }
}

impl Stream {
    /// The next standard normal number: mean 0, standard deviation 1, at most 8.3 in size. Takes
    /// one draw.
    #[inline]
    pub fn normal(&mut self) -> f64 {
        // The middles of 2^52 equal slices: never 0 or 1, and symmetric.
        let slice = (self.next_u64() >> 12) as f64;
        normal_quantile((slice + 0.5) * (1.0 / 4_503_599_627_370_496.0))
    }
    /// Passes over `draws` draws without computing them.
    #[inline]
    pub fn skip(&mut self, draws: u64) {
        self.drawn = self.drawn.wrapping_add(draws);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Probability that a standard normal variable falls below `x`.
    fn distribution(x: f64) -> f64 {
        0.5 * libm::erfc(-x * core::f64::consts::FRAC_1_SQRT_2)
    }

    #[test]
    fn the_quantile_inverts_the_distribution_function() {
        let mut tail = 0.4;
        while tail > 1e-300 {
            let back = distribution(normal_quantile(tail));
            assert!((back / tail - 1.0).abs() < 1e-12, "{tail:e}: {back:e}");
            tail *= 0.37;
        }
        for i in 1..2000 {
            let p = f64::from(i) / 2000.0;
            assert!((distribution(normal_quantile(p)) - p).abs() < 4e-16, "{p}");
        }
        assert_eq!(normal_quantile(0.5), 0.0);
    }

    #[test]
    fn moments_are_those_of_the_normal_distribution() {
        let mut stream = Stream::new(7, 3, "gps");
        let n = 400_000;
        let mut sums = [0.0; 4];
        for _ in 0..n {
            let x = stream.normal();
            for (k, power) in [x, x * x, x * x * x, x * x * x * x].into_iter().enumerate() {
                sums[k] += power / f64::from(n);
            }
        }
        // Standard deviations of the mean powers: sqrt of 1, 2, 15, 96 over n; bounds of four.
        for (k, (expected, variance)) in
            [(0.0, 1.0), (1.0, 2.0), (0.0, 15.0), (3.0, 96.0)].into_iter().enumerate()
        {
            let bound = 4.0 * (variance / f64::from(n)).sqrt();
            assert!((sums[k] - expected).abs() < bound, "moment {}: {}", k + 1, sums[k]);
        }
    }

    #[test]
    fn a_draw_passed_over_is_a_draw() {
        let mut one = Stream::new(1, 0, "lidar");
        let mut other = one;
        (0..5).for_each(|_| {
            one.normal();
        });
        other.skip(5);
        assert_eq!(one.normal().to_bits(), other.normal().to_bits());
        // Golden bits: the same on every target.
        assert_eq!(Stream::new(1, 0, "lidar").normal().to_bits(), GOLDEN_FIRST);
    }

    const GOLDEN_FIRST: u64 = 13_829_338_222_409_446_511;
}
