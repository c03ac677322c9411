//! Replies: encoders for servers, a decoder for clients.

use super::request::split;
use super::{Dialect, MOST_DATA_BYTES};

/// Bytes of a reply with a number, and of the head of one with data.
const NUMBER_BYTES: usize = 6;
const DATA_HEAD_BYTES: usize = 10;
/// So much is reserved at once if a server promises it: four pictures.
const TRUSTED_BYTES: usize = 1 << 20;

fn number_type(dialect: Dialect) -> u8 {
    match dialect {
        Dialect::Release => 2,
        Dialect::Thesis => 3,
    }
}

fn data_type(dialect: Dialect) -> u8 {
    number_type(dialect) + 1
}

/// What the status says; programs of the released kind do not look, and were always told 1.
fn status(dialect: Dialect, done: bool) -> u8 {
    u8::from(done || dialect == Dialect::Release)
}

/// Appends a reply with a number. What was not done has the number 0.
pub fn encode_number(dialect: Dialect, done: bool, value: f32, out: &mut Vec<u8>) {
    out.extend([number_type(dialect), status(dialect, done)]);
    out.extend(value.to_le_bytes());
}

/// Appends a reply with data; `value` is how many elements they have.
pub fn encode_data(dialect: Dialect, done: bool, value: f32, data: &[u8], out: &mut Vec<u8>) {
    out.reserve(DATA_HEAD_BYTES + data.len());
    encode_data_head(dialect, done, value, data.len(), out);
    out.extend(data);
}

/// Appends what comes before so many bytes of data.
pub fn encode_data_head(dialect: Dialect, done: bool, value: f32, size: usize, out: &mut Vec<u8>) {
    out.extend([data_type(dialect), status(dialect, done)]);
    out.extend(value.to_le_bytes());
    out.extend(i32::try_from(size).unwrap_or(i32::MAX).to_le_bytes());
}

/// What a server answers.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// Whether it did what was asked; always so in the release's dialect.
    pub done: bool,
    /// The number, or how many elements the data have.
    pub value: f32,
    /// The data; none for a number.
    pub data: Option<Vec<u8>>,
}

/// What a server sent makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadReply {
    /// Neither a number nor data.
    #[error("expected a reply of type {expected} or {}, got {got}: is it the right port?", expected + 1)]
    Type {
        /// The type of a number.
        expected: u8,
        /// What came.
        got: u8,
    },
    /// Data of an impossible size.
    #[error("expected at most {MOST_DATA_BYTES} bytes of data, got {0}")]
    Size(i32),
}

/// Makes replies of bytes as they come, in pieces of any size.
#[derive(Debug)]
pub struct ReplyDecoder {
    dialect: Dialect,
    head: [u8; DATA_HEAD_BYTES],
    head_len: usize,
    data: Vec<u8>,
}

impl ReplyDecoder {
    /// For a new connection.
    pub fn new(dialect: Dialect) -> Self {
        Self { dialect, head: [0; DATA_HEAD_BYTES], head_len: 0, data: vec![] }
    }

    /// Takes bytes until a reply is whole, leaving the rest, or until they are used up.
    pub fn feed(&mut self, bytes: &mut &[u8]) -> Result<Option<Reply>, BadReply> {
        if self.head_len == 0 && self.dialect == Dialect::Release {
            // What a server may send ahead of the first picture, see the server's priming.
            while let [0, rest @ ..] = *bytes {
                *bytes = rest;
            }
        }
        if !self.take_head(1, bytes) {
            return Ok(None);
        }
        let (expected, got) = (number_type(self.dialect), self.head[0]);
        let has_data = got == data_type(self.dialect);
        if got != expected && !has_data {
            self.head_len = 0;
            return Err(BadReply::Type { expected, got });
        }
        if !self.take_head(if has_data { DATA_HEAD_BYTES } else { NUMBER_BYTES }, bytes) {
            return Ok(None);
        }
        let [_, status, a, b, c, d, e, f, g, h] = self.head;
        let (done, value) = (status != 0, f32::from_le_bytes([a, b, c, d]));
        if !has_data {
            self.head_len = 0;
            return Ok(Some(Reply { done, value, data: None }));
        }
        let size = i32::from_le_bytes([e, f, g, h]);
        let wanted = usize::try_from(size).ok().filter(|size| *size <= MOST_DATA_BYTES);
        let wanted = wanted.ok_or(BadReply::Size(size))?;
        let piece = split(bytes, wanted - self.data.len());
        if self.data.is_empty() && (wanted <= TRUSTED_BYTES || piece.len() > wanted / 4) {
            // Little, or a good part of it is there, so that the rest is not made up.
            self.data.reserve_exact(wanted);
        }
        self.data.extend_from_slice(piece);
        if self.data.len() < wanted {
            return Ok(None);
        }
        self.head_len = 0;
        Ok(Some(Reply { done, value, data: Some(std::mem::take(&mut self.data)) }))
    }

    /// Whether so many bytes of the head are there now.
    fn take_head(&mut self, wanted: usize, bytes: &mut &[u8]) -> bool {
        let piece = split(bytes, wanted.saturating_sub(self.head_len));
        self.head[self.head_len..self.head_len + piece.len()].copy_from_slice(piece);
        self.head_len += piece.len();
        self.head_len >= wanted
    }
}

/// Decodes whatever the bytes are.
pub(super) fn fuzz_entry(bytes: &[u8]) {
    for dialect in Dialect::ALL {
        let mut decoder = ReplyDecoder::new(dialect);
        let mut left = bytes;
        while let Ok(Some(reply)) = decoder.feed(&mut left) {
            drop(reply);
        }
    }
}
