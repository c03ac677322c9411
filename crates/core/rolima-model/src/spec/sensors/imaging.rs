//! What a real camera makes of what it sees: lens, light, shutter, and frames that do not arrive.

use crate::ModelError;
use core::f64::consts::PI;
use rolima_check::Range::Within;
use rolima_check::{Given, check_numbers, keys, named, shown};
use rolima_math::random::mix;
use rolima_math::{Hash64, Physics, Stream, sin_cos, tan};

/// Most that a distorted lens may see beyond an ideal one of the same opening, times its width.
const MOST_WIDENING: f64 = 2.0;
/// Points along each side of a picture at which a lens is tried.
const TRIED: u32 = 33;
/// Rounds of the inversion of a distortion, and what it may be off then, times the focal length.
const ROUNDS: usize = 40;
const LEFT_OVER: f64 = 1e-7;
/// Keeps what becomes of frames apart from the noise of pixels.
const FATE_KEY: u64 = 0x6C61_7465_2D6C_6F73;
/// Where the numbers come from that nobody gives.
const BY_PRESET: &str = "as `imaging` says";

/// How much a camera errs, where nothing else is said.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImagingPreset {
    /// Not at all.
    #[default]
    Ideal,
    /// A good camera with a good lens in even light.
    Good,
    /// A wide lens, mains light and a rolling shutter, as in halls where matches are played.
    Competition,
}

named!(ImagingPreset { "ideal" = Ideal, "good" = Good, "competition" = Competition });

keys! {
    /// What a camera makes of what it sees.
    ///
    /// Light comes through the lens (`k1` to `p2`, `blur`), falls unevenly (`falloff`, `slope_x`, `slope_y`,
    /// `flicker`), and is read row by row (`readout_s`). Gains are of light; a picture shows its square root.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct ImagingSpec {
        /// radial distortion of the lens, Brown's first: negative bends lines outwards
        k1: f64 = 0.0, "1", Within(-1.0, 1.0), BY_PRESET;
        /// radial distortion, Brown's second
        k2: f64 = 0.0, "1", Within(-1.0, 1.0), BY_PRESET;
        /// tangential distortion, Brown's first
        p1: f64 = 0.0, "1", Within(-0.1, 0.1), BY_PRESET;
        /// tangential distortion, Brown's second
        p2: f64 = 0.0, "1", Within(-0.1, 0.1), BY_PRESET;
        /// standard deviation of the lens's blur, pixels
        blur: f64 = 0.0, "1", Within(0.0, 8.0), BY_PRESET;
        /// gains of red, green and blue light, 0.1 to 4 each
        white_balance: [f64; 3] = [1.0; 3], list("1", 3), BY_PRESET;
        /// share of the light that is missing in the corners
        falloff: f64 = 0.0, "1", Within(0.0, 0.95), BY_PRESET;
        /// how much more light there is at the right side than at the left, as a share of the mean
        slope_x: f64 = 0.0, "1", Within(-1.0, 1.0), BY_PRESET;
        /// how much more light there is at the bottom than at the top, as a share of the mean
        slope_y: f64 = 0.0, "1", Within(-1.0, 1.0), BY_PRESET;
        /// how far mains light goes up and down, as a share of its mean
        flicker: f64 = 0.0, "1", Within(0.0, 0.9), BY_PRESET;
        /// frequency of the mains; light flickers twice as fast
        mains_hz: f64 = 60.0, "1/s", Within(10.0, 1000.0), BY_PRESET;
        /// for how long a row gathers light: evens flicker out
        exposure_s: f64 = 0.002, "s", Within(1e-6, 1.0), BY_PRESET;
        /// rolling shutter: from the first row to the last, which is read as the picture is taken; 0: all at once
        readout_s: f64 = 0.0, "s", Within(0.0, 0.2), BY_PRESET;
        /// share of the frames that never arrive (camera link)
        lost: f64 = 0.0, "1", Within(0.0, 1.0), BY_PRESET;
        /// share of the frames that arrive late (camera link)
        late: f64 = 0.0, "1", Within(0.0, 1.0), BY_PRESET;
        /// how late these are, simulated time (camera link)
        late_s: f64 = 0.0, "s", Within(0.0, 1.0), BY_PRESET;
    }
}

/// Nothing of an ideal camera, so that scenes without the keys have the fingerprint that they had before there were
/// any; else every number: a rolling shutter needs words of the state.
impl Physics for ImagingSpec {
    fn physics(&self, hash: &mut Hash64) {
        if *self == Self::default() {
            return;
        }
        let mut spec = *self;
        for number in Self::KEYS {
            match (number.slot)(&mut spec).given() {
                Given::Number(x) => hash.number(x),
                Given::Numbers(list) => list.into_iter().for_each(|x| hash.number(x)),
                Given::Whole(_) | Given::Flag(_) | Given::Word(_) => {}
            }
        }
    }
}

/// What becomes of a frame on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FrameFate {
    /// It arrives as it was taken.
    OnTime,
    /// It arrives so much later, s of simulated time.
    Late(f64),
    /// It never arrives.
    Lost,
}

impl ImagingPreset {
    /// Its numbers, and the standard deviation of a pixel's brightness, of 255.
    pub fn spec(self) -> (ImagingSpec, f64) {
        match self {
            Self::Ideal => (ImagingSpec::default(), 0.0),
            Self::Good => {
                let spec = ImagingSpec {
                    k1: -0.03,
                    blur: 0.4,
                    falloff: 0.08,
                    slope_x: 0.03,
                    ..ImagingSpec::default()
                };
                (spec, 0.0)
            }
            Self::Competition => {
                let spec = ImagingSpec {
                    k1: -0.22,
                    k2: 0.04,
                    p1: 0.0008,
                    p2: -0.0005,
                    blur: 0.7,
                    white_balance: [1.08, 1.0, 0.86],
                    falloff: 0.35,
                    slope_x: 0.15,
                    slope_y: -0.1,
                    flicker: 0.12,
                    readout_s: 0.012,
                    lost: 0.002,
                    late: 0.01,
                    late_s: 0.02,
                    ..ImagingSpec::default()
                };
                (spec, 2.5)
            }
        }
    }
}

impl ImagingSpec {
    /// Checks the numbers for a camera of an opening, rad. `key` is the path for errors.
    pub fn check(&self, key: &str, opening: [f64; 2]) -> Result<(), ModelError> {
        check_numbers(key, self, Self::KEYS)?;
        let gains = self.white_balance;
        if !gains.iter().all(|gain| (0.1..=4.0).contains(gain)) {
            let got = format!("{gains:?}");
            let expected = "three gains from 0.1 to 4";
            return Err(ModelError::new(format!("{key}.white_balance"), expected, got));
        }
        let [x, y] = opening.map(|angle| tan(angle / 2.0));
        let side = |half: f64| {
            (0..TRIED).map(move |i| half * (2.0 * f64::from(i) / f64::from(TRIED - 1) - 1.0))
        };
        let sees = |x: f64, y: f64| {
            self.undistorted([x, y]).is_some_and(|[a, b]| self.is_near([a, b], opening))
        };
        if !side(x).all(|x| side(y).all(|y| sees(x, y))) {
            let expected =
                "a distortion that folds nothing and sees at most twice as far as the opening says";
            let got = [self.k1, self.k2, self.p1, self.p2].map(shown).join(", ");
            return Err(ModelError::new(
                format!("{key}.k1"),
                expected,
                format!("k1, k2, p1, p2 of {got}"),
            ));
        }
        Ok(())
    }

    /// Whether lines that are straight are seen bent.
    pub fn distorts(&self) -> bool {
        [self.k1, self.k2, self.p1, self.p2] != [0.0; 4]
    }

    /// Whether what is seen at one pixel is not what came there alone, or is brighter or darker.
    pub fn changes_light(&self) -> bool {
        self.white_balance != [1.0; 3] || [self.falloff, self.slope_x, self.slope_y] != [0.0; 3]
    }

    /// Where a lens with this distortion shows what an ideal one shows at (x, y): Brown's model, both over the
    /// focal length, x to the right and y down.
    pub fn distorted(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let square = x * x + y * y;
        let radial = 1.0 + square * (self.k1 + self.k2 * square);
        let [dx, dy] = self.tangential([x, y]);
        [x * radial + dx, y * radial + dy]
    }

    fn tangential(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let square = x * x + y * y;
        let product = 2.0 * x * y;
        [
            self.p1 * product + self.p2 * (square + 2.0 * x * x),
            self.p1 * (square + 2.0 * y * y) + self.p2 * product,
        ]
    }

    /// Where an ideal lens shows what this one shows at (x, y); none where it folds the picture.
    pub fn undistorted(&self, [x, y]: [f64; 2]) -> Option<[f64; 2]> {
        let mut at = [x, y];
        for _ in 0..ROUNDS {
            let square = at[0] * at[0] + at[1] * at[1];
            let radial = 1.0 + square * (self.k1 + self.k2 * square);
            // Of r (1 + k1 r^2 + k2 r^4): where it falls again, two points are seen as one.
            let slope = 1.0 + square * (3.0 * self.k1 + 5.0 * self.k2 * square);
            if radial <= 0.05 || slope <= 0.05 {
                return None;
            }
            let [dx, dy] = self.tangential(at);
            at = [(x - dx) / radial, (y - dy) / radial];
        }
        let back = self.distorted(at);
        let off = (back[0] - x).abs() + (back[1] - y).abs();
        (off < LEFT_OVER).then_some(at)
    }

    /// Whether a point over the focal length is within what the picture may be drawn from.
    fn is_near(&self, [x, y]: [f64; 2], opening: [f64; 2]) -> bool {
        let [tx, ty] = opening.map(|angle| MOST_WIDENING * tan(angle / 2.0));
        x.abs() <= tx && y.abs() <= ty
    }

    /// How bright the mains' light is for a row that was read at a time, s, over its mean.
    pub fn flicker_at(&self, read_s: f64) -> f64 {
        if self.flicker == 0.0 {
            return 1.0;
        }
        // The mean of a cosine over the exposure: that of its middle, times sin(a)/a of half of it.
        let turns = 2.0 * self.mains_hz;
        let half = PI * turns * self.exposure_s;
        let evened = sin_cos(half).0 / half;
        let middle = turns * (read_s - 0.5 * self.exposure_s);
        1.0 + self.flicker * evened * sin_cos(2.0 * PI * (middle - middle.floor())).1
    }

    /// How bright the light at (u, v) is over its mean in the middle: u and v from -0.5 to 0.5 over the picture,
    /// right and down.
    pub fn light_at(&self, [u, v]: [f64; 2]) -> f64 {
        (1.0 - self.falloff * 2.0 * (u * u + v * v)) * (1.0 + self.slope_x * u + self.slope_y * v)
    }

    /// What becomes of a camera's frame, by its number and the camera's random stream.
    pub fn fate(&self, stream: Stream, number: u64) -> FrameFate {
        let mut own = Stream { key: mix(stream.key ^ FATE_KEY), drawn: number.wrapping_mul(2) };
        let (lost, late) = (own.uniform() < self.lost, own.uniform() < self.late);
        match (lost, late) {
            (true, _) => FrameFate::Lost,
            (false, true) => FrameFate::Late(self.late_s),
            (false, false) => FrameFate::OnTime,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lens_shows_where_brown_says_and_its_inverse_leads_back() {
        let lens = ImagingPreset::Competition.spec().0;
        let [x, y] = lens.distorted([0.5, -0.25]);
        // r^2 = 0.3125, radial = 1 - 0.22 * 0.3125 + 0.04 * 0.09765625.
        let radial = 1.0 - 0.068_75 + 0.003_906_25;
        let dx = 0.0008 * 2.0 * -0.125 + -0.0005 * (0.3125 + 0.5);
        let dy = 0.0008 * (0.3125 + 0.125) + -0.0005 * 2.0 * -0.125;
        assert!(
            (x - (0.5 * radial + dx)).abs() < 1e-15 && (y - (-0.25 * radial + dy)).abs() < 1e-15
        );
        let [a, b] = lens.undistorted([x, y]).expect("it folds nothing");
        assert!((a - 0.5).abs() < 1e-7 && (b + 0.25).abs() < 1e-7, "{a} {b}");
    }

    #[test]
    fn a_lens_that_folds_the_picture_is_refused_and_the_presets_are_not() {
        let opening = [52f64.to_radians(), 40f64.to_radians()];
        for preset in [ImagingPreset::Ideal, ImagingPreset::Good, ImagingPreset::Competition] {
            preset.spec().0.check("sensor.0", opening).expect("a preset");
        }
        let folds = ImagingSpec { k1: -0.9, ..ImagingSpec::default() };
        let error = folds.check("sensor.0", [120f64.to_radians(); 2]).unwrap_err().to_string();
        assert!(
            error.starts_with("sensor.0.k1: expected a distortion that folds nothing"),
            "{error}"
        );
    }

    #[test]
    fn frames_are_lost_and_late_as_often_as_is_said_and_always_the_same_ones() {
        let spec = ImagingSpec { lost: 0.1, late: 0.3, late_s: 0.02, ..ImagingSpec::default() };
        let stream = Stream::new(1, u64::MAX, "overhead");
        let fates: Vec<_> = (0..20_000).map(|number| spec.fate(stream, number)).collect();
        let share = |fate| fates.iter().filter(|f| **f == fate).count() as f64 / 20_000.0;
        assert!((share(FrameFate::Lost) - 0.1).abs() < 0.01, "{}", share(FrameFate::Lost));
        assert!(
            (share(FrameFate::Late(0.02)) - 0.27).abs() < 0.01,
            "{}",
            share(FrameFate::Late(0.02))
        );
        assert_eq!(fates[77], spec.fate(stream, 77));
        // Frame k does not see what k + 1 sees next.
        assert!(fates.windows(2).any(|two| two[0] != two[1]));
    }

    #[test]
    fn an_exposure_of_a_whole_period_of_the_light_sees_no_flicker() {
        let spec = ImagingSpec { flicker: 0.5, mains_hz: 50.0, ..ImagingSpec::default() };
        let short = ImagingSpec { exposure_s: 1e-6, ..spec };
        assert!((short.flicker_at(0.03) - 1.5).abs() < 1e-4, "{}", short.flicker_at(0.03));
        assert!((short.flicker_at(0.005) - 0.5).abs() < 1e-3, "half a period of 100 Hz later");
        let whole = ImagingSpec { exposure_s: 0.01, ..spec };
        assert!((whole.flicker_at(0.0123) - 1.0).abs() < 1e-9);
    }
}
