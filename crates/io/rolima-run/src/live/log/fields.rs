//! Typed reading of a line's fields.

use super::line::Mismatch;
use rolima_math::{Pose2, Rot2, Vec2};
use serde_json::{Map, Value};

/// The fields of a line.
pub(super) struct Fields(Map<String, Value>);

impl Fields {
    pub(super) fn read(text: &[u8], what: &str) -> Result<Self, Mismatch> {
        match serde_json::from_slice(text) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            _ => Err((format!("{what}, a JSON object"), short(&String::from_utf8_lossy(text)))),
        }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    pub(super) fn get<T>(
        &self,
        key: &str,
        what: &str,
        read: impl FnOnce(&Value) -> Option<T>,
    ) -> Result<T, Mismatch> {
        let value = self.0.get(key);
        value.and_then(read).ok_or_else(|| {
            let got = value.map_or("nothing".to_owned(), Value::to_string);
            (format!("`{key}` to be {what}"), short(&got))
        })
    }

    pub(super) fn whole(&self, key: &str) -> Result<u64, Mismatch> {
        self.get(key, "a whole number", Value::as_u64)
    }

    pub(super) fn small(&self, key: &str) -> Result<u32, Mismatch> {
        self.get(key, "a number from 0 to 4294967295", |v| v.as_u64()?.try_into().ok())
    }

    pub(super) fn number(&self, key: &str) -> Result<f64, Mismatch> {
        self.get(key, "a number, \"nan\", \"inf\" or \"-inf\"", |v| match v {
            Value::Number(x) => x.as_f64(),
            Value::String(s) if s == "nan" => Some(f64::NAN),
            Value::String(s) if s == "inf" => Some(f64::INFINITY),
            Value::String(s) if s == "-inf" => Some(f64::NEG_INFINITY),
            _ => None,
        })
    }

    pub(super) fn vector(&self, x: &str, y: &str) -> Result<Vec2, Mismatch> {
        Ok(Vec2::new(self.number(x)?, self.number(y)?))
    }

    pub(super) fn pose(&self) -> Result<Pose2, Mismatch> {
        let rotation = Rot2 { c: self.number("cos")?, s: self.number("sin")? };
        Ok(Pose2 { position: self.vector("x", "y")?, rotation })
    }

    pub(super) fn text(&self, key: &str) -> Result<String, Mismatch> {
        self.get(key, "a text", |v| v.as_str().map(str::to_owned))
    }

    pub(super) fn texts(&self, key: &str) -> Result<Vec<String>, Mismatch> {
        self.get(key, "a list of texts", |v| {
            v.as_array()?.iter().map(|v| v.as_str().map(str::to_owned)).collect()
        })
    }

    pub(super) fn hex(&self, key: &str) -> Result<u64, Mismatch> {
        self.get(key, "16 hexadecimal digits", |v| {
            let digits = v.as_str().filter(|s| s.len() == 16 && !s.starts_with('+'))?;
            u64::from_str_radix(digits, 16).ok()
        })
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
