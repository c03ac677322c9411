//! How fast a world shall run.

use std::fmt;
use std::str::FromStr;

/// How fast simulated time passes against wall time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// This many simulated seconds a second; 1 is real time.
    Factor(f64),
    /// As fast as the machine can.
    Max,
}

/// Factors that make sense: a thousandth (each millisecond takes a second) to a million.
const FACTORS: std::ops::RangeInclusive<f64> = 1e-3..=1e6;

impl Speed {
    /// Real time.
    pub const REAL_TIME: Self = Self::Factor(1.0);

    /// A speed with this factor, kept within what makes sense; real time if it is not a number.
    pub fn factor(factor: f64) -> Self {
        if factor.is_nan() {
            return Self::REAL_TIME;
        }
        Self::Factor(factor.clamp(*FACTORS.start(), *FACTORS.end()))
    }
}

/// A text that is no speed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "expected `max` or a factor from {} to {} (1 is real time), got `{got}`",
    FACTORS.start(),
    FACTORS.end()
)]
pub struct SpeedError {
    got: String,
}

impl FromStr for Speed {
    type Err = SpeedError;

    fn from_str(text: &str) -> Result<Self, SpeedError> {
        if text == "max" {
            return Ok(Self::Max);
        }
        match text.parse() {
            Ok(factor) if FACTORS.contains(&factor) => Ok(Self::Factor(factor)),
            _ => Err(SpeedError { got: text.to_owned() }),
        }
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Factor(factor) => write!(f, "{factor}x"),
            Self::Max => write!(f, "max"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_and_max_are_speeds_and_nothing_else_is() {
        assert_eq!("1".parse(), Ok(Speed::REAL_TIME));
        assert_eq!("0.25".parse(), Ok(Speed::Factor(0.25)));
        assert_eq!("max".parse(), Ok(Speed::Max));
        for bad in ["", "0", "-1", "nan", "inf", "1e300", "fast", "Max"] {
            let error = bad.parse::<Speed>().unwrap_err().to_string();
            assert!(error.contains("0.001 to 1000000") && error.contains(bad), "{error}");
        }
    }

    #[test]
    fn any_number_makes_a_usable_factor() {
        assert_eq!(Speed::factor(0.0), Speed::Factor(1e-3));
        assert_eq!(Speed::factor(f64::INFINITY), Speed::Factor(1e6));
        assert_eq!(Speed::factor(f64::NAN), Speed::REAL_TIME);
    }
}
