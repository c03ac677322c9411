//! The tree of a TOML text in which every value knows where it stands.

use crate::error::SceneError;
use crate::ledger::Origin;
use std::collections::BTreeMap;
use std::sync::Arc;
use toml::de::{DeTable, DeValue};

/// Keys and values of a table, sorted by key.
pub(crate) type Table = BTreeMap<String, Node>;

/// A value and where it stands.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) value: Value,
    pub(crate) origin: Origin,
}

/// A TOML value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Text(String),
    Integer(i128),
    Float(f64),
    Bool(bool),
    Date(String),
    Array(Vec<Node>),
    Table(Table),
}

/// Longest text of a value in an error message, in characters.
const LONGEST_GOT: usize = 60;

impl Value {
    /// The number, whole or not.
    pub(crate) fn number(&self) -> Option<f64> {
        match *self {
            Self::Integer(i) => Some(i as f64),
            Self::Float(x) => Some(x),
            _ => None,
        }
    }

    /// The whole number, be it written `1000` or `1e3`.
    pub(crate) fn whole(&self) -> Option<u64> {
        // Floats hold every whole number up to here; above, the one that was written may be lost.
        const MOST: f64 = (1_u64 << f64::MANTISSA_DIGITS) as f64;
        match *self {
            Self::Integer(i) => u64::try_from(i).ok(),
            Self::Float(x) if x.fract() == 0.0 && (0.0..=MOST).contains(&x) => Some(x as u64),
            _ => None,
        }
    }

    /// All of an array's elements as finite numbers, if there are `N`.
    pub(crate) fn numbers<const N: usize>(&self) -> Option<[f64; N]> {
        self.all_numbers()?.try_into().ok()
    }

    /// All of an array's elements as finite numbers.
    pub(crate) fn all_numbers(&self) -> Option<Vec<f64>> {
        let Self::Array(items) = self else { return None };
        items.iter().map(|item| item.value.number().filter(|x| x.is_finite())).collect()
    }

    /// Written as in a TOML file.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Text(text) => format!("{text:?}"),
            Self::Integer(i) => i.to_string(),
            Self::Float(x) => number_text(*x),
            Self::Bool(b) => b.to_string(),
            Self::Date(date) => date.clone(),
            Self::Array(items) => {
                let items: Vec<String> = items.iter().map(|item| item.value.shown()).collect();
                format!("[{}]", items.join(", "))
            }
            Self::Table(_) => "a table".to_owned(),
        }
    }

    /// As [`Self::shown`], cut short for an error message.
    pub(crate) fn got(&self) -> String {
        let text = self.shown();
        match text.char_indices().nth(LONGEST_GOT) {
            Some((end, _)) => format!("{}...", &text[..end]),
            None => text,
        }
    }
}

/// A number written as TOML does: `inf` and `nan` in small letters, large ones with an exponent.
pub(crate) fn number_text(x: f64) -> String {
    if x.is_nan() { "nan".to_owned() } else { format!("{x:?}") }
}

impl Node {
    /// The text, if it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The table, if it is one.
    pub(crate) fn table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// How many values there are in this one, itself included.
    pub(crate) fn size(&self) -> usize {
        1 + match &self.value {
            Value::Array(items) => items.iter().map(Self::size).sum(),
            Value::Table(table) => table.values().map(Self::size).sum(),
            _ => 0,
        }
    }
}

/// Line and column of byte offsets of a text.
struct Lines<'a> {
    file: &'a Arc<str>,
    text: &'a str,
    starts: Vec<usize>,
    /// Characters before every [`BLOCK_BYTES`]-th byte: a line may be as long as the file, and
    /// counting from its begin for every value on it would take hours.
    counts: Vec<usize>,
}

/// Bytes between two places whose characters are counted beforehand.
const BLOCK_BYTES: usize = 256;

/// Characters that begin in some bytes of a UTF-8 text.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}

impl<'a> Lines<'a> {
    fn new(file: &'a Arc<str>, text: &'a str) -> Self {
        let after_breaks =
            text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i + 1);
        let starts = std::iter::once(0).chain(after_breaks).collect();
        let sums = text.as_bytes().chunks(BLOCK_BYTES).scan(0, |sum, block| {
            *sum += characters(block);
            Some(*sum)
        });
        let counts = std::iter::once(0).chain(sums).collect();
        Self { file, text, starts, counts }
    }

    /// Characters before a byte.
    fn characters_before(&self, offset: usize) -> usize {
        let offset = offset.min(self.text.len());
        let block = offset / BLOCK_BYTES;
        self.counts[block] + characters(&self.text.as_bytes()[block * BLOCK_BYTES..offset])
    }

    fn line_and_column(&self, offset: usize) -> (u32, u32) {
        let line = self.starts.partition_point(|start| *start <= offset).max(1);
        let column = self.characters_before(offset) - self.characters_before(self.starts[line - 1]);
        (line as u32, column as u32 + 1)
    }

    fn origin(&self, offset: usize) -> Origin {
        let (line, column) = self.line_and_column(offset);
        Origin::File { file: self.file.clone(), line, column }
    }
}

/// The tree of a whole file.
pub(crate) fn parse(file: &Arc<str>, text: &str) -> Result<Node, SceneError> {
    let lines = Lines::new(file, text);
    match DeTable::parse(text) {
        Ok(document) => {
            let value = convert(DeValue::Table(document.into_inner()), &|at| lines.origin(at));
            Ok(Node { value, origin: lines.origin(0) })
        }
        Err(error) => {
            let (line, column) = lines.line_and_column(error.span().map_or(0, |span| span.start));
            let message = error.message().to_owned();
            Err(SceneError::Syntax { file: file.to_string(), line, column, message })
        }
    }
}

/// The tree of a single value, such as that of a `--set`; none if it is not TOML.
pub(crate) fn parse_value(text: &str, origin: &Origin) -> Option<Node> {
    let value = DeValue::parse(text).ok()?;
    Some(Node { value: convert(value.into_inner(), &|_| origin.clone()), origin: origin.clone() })
}

fn convert(value: DeValue<'_>, origin_at: &dyn Fn(usize) -> Origin) -> Value {
    let node = |spanned: toml::Spanned<DeValue<'_>>| {
        let origin = origin_at(spanned.span().start);
        Node { value: convert(spanned.into_inner(), origin_at), origin }
    };
    match value {
        DeValue::String(text) => Value::Text(text.into_owned()),
        DeValue::Integer(i) => match i128::from_str_radix(i.as_str(), i.radix()) {
            Ok(i) => Value::Integer(i),
            // Too long for any whole number that is asked for: as a float it is refused where
            // whole numbers are wanted, and good enough elsewhere.
            Err(_) => Value::Float(i.as_str().parse().unwrap_or(f64::NAN)),
        },
        DeValue::Float(x) => Value::Float(x.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(b) => Value::Bool(b),
        DeValue::Datetime(date) => Value::Date(date.to_string()),
        DeValue::Array(items) => Value::Array(items.into_iter().map(node).collect()),
        DeValue::Table(table) => Value::Table(
            table
                .into_iter()
                .map(|(key, item)| (key.into_inner().into_owned(), node(item)))
                .collect(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_counted_in_characters_wherever_they_stand() {
        let file: Arc<str> = "x".into();
        let long = "ä€x".repeat(300);
        for text in ["", "a\nbc", "é\n\nü", &long, &format!("a = 1\n{long}\n{long}")] {
            let lines = Lines::new(&file, text);
            for offset in (0..=text.len()).filter(|offset| text.is_char_boundary(*offset)) {
                let before = &text[..offset];
                let (head, line) = match before.rsplit_once('\n') {
                    Some((head, line)) => (head.matches('\n').count() + 2, line),
                    None => (1, before),
                };
                let expected = (head as u32, line.chars().count() as u32 + 1);
                assert_eq!(lines.line_and_column(offset), expected, "byte {offset}");
            }
        }
    }

    #[test]
    fn looking_for_a_column_never_reads_more_than_a_block_twice() {
        // A line of as many points as a scene may have, each with a place of its own.
        let text = format!("p = [{}]", "[1,0],".repeat(300_000));
        let file: Arc<str> = "x".into();
        let tree = parse(&file, &text).expect("good TOML");
        assert_eq!(tree.size(), 2 + 3 * 300_000);
    }
}
