//! What a value may be: small checks with a readable error each.

use crate::error::ModelError;

/// Finite.
pub fn finite(key: &str, x: f64) -> Result<f64, ModelError> {
    if x.is_finite() { Ok(x) } else { Err(ModelError::new(key, "a finite number", x)) }
}

/// Finite and above zero, and small enough that products of a few of them stay finite.
pub fn positive(key: &str, x: f64) -> Result<f64, ModelError> {
    if x > 0.0 && x < 1e12 { Ok(x) } else { Err(ModelError::new(key, "a positive number", x)) }
}

/// Finite and not below zero.
pub fn not_negative(key: &str, x: f64) -> Result<f64, ModelError> {
    if (0.0..1e12).contains(&x) {
        Ok(x)
    } else {
        Err(ModelError::new(key, "zero or a positive number", x))
    }
}

/// Within `low..=high`.
pub fn within(key: &str, x: f64, low: f64, high: f64) -> Result<f64, ModelError> {
    if x >= low && x <= high {
        Ok(x)
    } else {
        Err(ModelError::new(key, format!("a number from {low} to {high}"), x))
    }
}
