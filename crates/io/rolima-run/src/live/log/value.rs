//! Numbers as they stand in a log.

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A number that reads back to the same bits; JSON has none that is not finite.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoggedNumber(pub(super) f64);

impl Serialize for LoggedNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(x) = *self;
        if x.is_finite() {
            serializer.serialize_f64(x)
        } else if x.is_nan() {
            serializer.serialize_str("nan")
        } else {
            serializer.serialize_str(if x > 0.0 { "inf" } else { "-inf" })
        }
    }
}

impl<'de> Deserialize<'de> for LoggedNumber {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NumberVisitor)
    }
}

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = LoggedNumber;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a number, \"nan\", \"inf\" or \"-inf\"")
    }

    fn visit_f64<E: Error>(self, x: f64) -> Result<LoggedNumber, E> {
        Ok(LoggedNumber(x))
    }

    fn visit_u64<E: Error>(self, x: u64) -> Result<LoggedNumber, E> {
        Ok(LoggedNumber(x as f64))
    }

    fn visit_i64<E: Error>(self, x: i64) -> Result<LoggedNumber, E> {
        Ok(LoggedNumber(x as f64))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<LoggedNumber, E> {
        match text {
            "nan" => Ok(LoggedNumber(f64::NAN)),
            "inf" => Ok(LoggedNumber(f64::INFINITY)),
            "-inf" => Ok(LoggedNumber(f64::NEG_INFINITY)),
            other => Err(E::invalid_value(Unexpected::Str(other), &self)),
        }
    }
}

/// A hash, as 16 hexadecimal digits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hex(pub(super) u64);

impl Serialize for Hex {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("{:016x}", self.0))
    }
}

impl<'de> Deserialize<'de> for Hex {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = Some(&text).filter(|text| text.len() == 16 && !text.starts_with('+'));
        let word = digits.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        let expected = &"16 hexadecimal digits";
        word.map(Self).ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&text), expected))
    }
}

/// A text cut to what fits into an error message.
pub(super) fn short(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
