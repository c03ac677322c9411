//! What a value may be: small checks with a readable error each, and the keys by which people say
//! values.

mod error;
mod key;

pub use error::ModelError;
pub use key::{
    Absent, Given, Held, Key, KeyKind, Number, OURS, Range, Slot, Whole, Word, check_numbers,
    colour, count, degrees, flag, key, keys_of, number, point, pose, table, tables, text, word,
    words,
};

/// What numbers of a scene stay below, so that products of a few of them stay finite.
const BELOW: f64 = 1e12;

/// A number for people: with an exponent where it would be a row of zeros.
pub fn shown(x: f64) -> String {
    let plain = x == 0.0 || (1e-6..=1e15).contains(&x.abs());
    if plain { x.to_string() } else { format!("{x:e}") }
}

/// Finite.
pub fn finite(key: &str, x: f64) -> Result<f64, ModelError> {
    if x.is_finite() { Ok(x) } else { Err(ModelError::new(key, "a finite number", shown(x))) }
}

/// Above zero, and not too large.
pub fn positive(key: &str, x: f64) -> Result<f64, ModelError> {
    if x > 0.0 && x < BELOW {
        return Ok(x);
    }
    let too_large = format!("a number above 0 and below {BELOW:e}");
    let expected = if x > 0.0 { too_large } else { "a positive number".to_owned() };
    Err(ModelError::new(key, expected, shown(x)))
}

/// Not below zero, and not too large.
pub fn not_negative(key: &str, x: f64) -> Result<f64, ModelError> {
    if (0.0..BELOW).contains(&x) {
        return Ok(x);
    }
    let too_large = format!("a number from 0 to below {BELOW:e}");
    let expected = if x > 0.0 { too_large } else { "zero or a positive number".to_owned() };
    Err(ModelError::new(key, expected, shown(x)))
}

/// Within `low..=high`.
pub fn within(key: &str, x: f64, low: f64, high: f64) -> Result<f64, ModelError> {
    if x >= low && x <= high {
        Ok(x)
    } else {
        let expected = format!("a number from {} to {}", shown(low), shown(high));
        Err(ModelError::new(key, expected, shown(x)))
    }
}

/// Of a size of at most `most`: `what` and its unit say of what.
pub fn at_most(
    key: &str,
    (what, unit): (&str, &str),
    x: f64,
    most: f64,
) -> Result<f64, ModelError> {
    if x.abs() <= most {
        Ok(x)
    } else {
        let expected = format!("{what} of at most {} {unit}", shown(most));
        Err(ModelError::new(key, expected, format!("{} {unit}", shown(x))))
    }
}
