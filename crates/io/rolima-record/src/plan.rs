//! How the values of channels are written as a message: worked out once, as a list of parts.
//!
//! Tags are bytes already, and room for the longest message is made at once, so that a number takes a few
//! instructions. As in proto3, what is zero is not written.

use crate::layout::{Field, Kind};

/// Bytes that are written at once where a number is, at most: its tag and itself. What is too much is
/// written over by what comes next.
const AT_ONCE: usize = 12;
/// Most bytes of a length.
const MOST_LENGTH: usize = 5;

/// How a message is written.
#[derive(Default)]
pub(crate) struct Plan {
    parts: Vec<Part>,
    numbers: Vec<Number>,
    /// Channels of lists.
    lists: Vec<u32>,
    /// No message is longer.
    most: usize,
    /// Where the groups begin that are being written.
    open: Vec<usize>,
}

/// Some of a message.
enum Part {
    /// So many of the plan's numbers.
    Numbers(usize),
    /// A list of so many channels.
    List(Tag, usize),
    Begin(Tag),
    End,
}

/// A channel with its field's tag.
struct Number {
    channel: u32,
    tag: Tag,
}

/// A field's number and kind as a message has it, from the lowest byte on.
#[derive(Clone, Copy)]
struct Tag {
    bytes: u32,
    count: u32,
}

/// A message that is being written, over bytes that are there.
struct Cursor<'a> {
    bytes: &'a mut [u8],
    at: usize,
}

impl Plan {
    /// How these fields are written; numbers are f64 or f32.
    pub(crate) fn new(fields: &[Field], double: bool) -> Self {
        let mut plan = Self::default();
        plan.add(fields, double);
        plan
    }

    fn add(&mut self, fields: &[Field], double: bool) {
        let width = if double { 8 } else { 4 };
        for (at, field) in fields.iter().enumerate() {
            let tag = |wire: u32| Tag::new((at as u32 + 1) << 3 | wire);
            self.most += tag(0).count as usize;
            match &field.kind {
                Kind::Leaf(channel) => {
                    let tag = tag(if double { 1 } else { 5 });
                    self.most += width;
                    self.numbers.push(Number { channel: *channel as u32, tag });
                    match self.parts.last_mut() {
                        Some(Part::Numbers(count)) => *count += 1,
                        _ => self.parts.push(Part::Numbers(1)),
                    }
                }
                Kind::List(channels) => {
                    self.most += MOST_LENGTH + width * channels.len();
                    self.parts.push(Part::List(tag(2), channels.len()));
                    self.lists.extend(channels.iter().map(|&channel| channel as u32));
                }
                Kind::Group(inner) => {
                    self.most += MOST_LENGTH;
                    self.parts.push(Part::Begin(tag(2)));
                    self.add(inner, double);
                    self.parts.push(Part::End);
                }
            }
        }
    }

    /// Puts the message with these values of all channels behind what is there.
    pub(crate) fn put(&mut self, values: &[f64], double: bool, out: &mut Vec<u8>) {
        let begin = out.len();
        out.resize(begin + self.most + AT_ONCE, 0);
        let to = Cursor { bytes: &mut out[begin..], at: 0 };
        let length = match double {
            true => self.write::<true>(values, to),
            false => self.write::<false>(values, to),
        };
        out.truncate(begin + length);
    }

    /// Returns how many bytes the message has.
    fn write<const DOUBLE: bool>(&mut self, values: &[f64], mut to: Cursor<'_>) -> usize {
        let (mut numbers, mut lists) = (&self.numbers[..], &self.lists[..]);
        self.open.clear();
        for part in &self.parts {
            match part {
                Part::Numbers(count) => {
                    let (these, rest) = numbers.split_at(*count);
                    numbers = rest;
                    for number in these {
                        to.number::<DOUBLE>(number.tag, values[number.channel as usize]);
                    }
                }
                Part::List(tag, count) => {
                    let (these, rest) = lists.split_at(*count);
                    lists = rest;
                    to.tag(*tag);
                    to.length(count * if DOUBLE { 8 } else { 4 });
                    for &channel in these {
                        to.element::<DOUBLE>(values[channel as usize]);
                    }
                }
                Part::Begin(tag) => {
                    to.tag(*tag);
                    self.open.push(to.at);
                    // Nearly all are short; the length of others needs more room, which is made then.
                    to.at += 1;
                }
                Part::End => {
                    let begin = self.open.pop().unwrap_or_default();
                    to.close(begin);
                }
            }
        }
        to.at
    }
}

impl Tag {
    fn new(tag: u32) -> Self {
        let (mut rest, mut bytes, mut count) = (tag, 0, 0);
        while rest >= 128 {
            bytes |= (rest & 127 | 128) << (8 * count);
            rest >>= 7;
            count += 1;
        }
        Self { bytes: bytes | rest << (8 * count), count: count + 1 }
    }
}

impl Cursor<'_> {
    fn put<const COUNT: usize>(&mut self, bytes: [u8; COUNT]) {
        self.bytes[self.at..self.at + COUNT].copy_from_slice(&bytes);
    }

    fn tag(&mut self, tag: Tag) {
        self.put(tag.bytes.to_le_bytes());
        self.at += tag.count as usize;
    }

    fn length(&mut self, length: usize) {
        let mut rest = length;
        while rest >= 128 {
            self.put([rest as u8 | 128]);
            self.at += 1;
            rest >>= 7;
        }
        self.put([rest as u8]);
        self.at += 1;
    }

    /// A field; nothing where it is zero, without a branch.
    #[inline]
    fn number<const DOUBLE: bool>(&mut self, tag: Tag, value: f64) {
        let is_written = if DOUBLE {
            let bits = u128::from(bits_f64(value));
            let both = bits << (8 * tag.count) | u128::from(tag.bytes);
            let bytes: [u8; 16] = both.to_le_bytes();
            self.bytes[self.at..self.at + AT_ONCE].copy_from_slice(&bytes[..AT_ONCE]);
            bits != 0
        } else {
            let bits = u64::from(bits_f32(value));
            self.put((bits << (8 * tag.count) | u64::from(tag.bytes)).to_le_bytes());
            bits != 0
        };
        let width = if DOUBLE { 8 } else { 4 };
        self.at += if is_written { tag.count as usize + width } else { 0 };
    }

    /// An element of a list.
    fn element<const DOUBLE: bool>(&mut self, value: f64) {
        if DOUBLE {
            self.put(bits_f64(value).to_le_bytes());
            self.at += 8;
        } else {
            self.put(bits_f32(value).to_le_bytes());
            self.at += 4;
        }
    }

    /// Ends a group whose length has one byte of room.
    fn close(&mut self, begin: usize) {
        let length = self.at - begin - 1;
        if length < 128 {
            self.bytes[begin] = length as u8;
            return;
        }
        let more = (1..).take_while(|more| length >> (7 * more) > 0).count();
        self.bytes.copy_within(begin + 1..self.at, begin + 1 + more);
        self.at = begin;
        self.length(length);
        self.at += length;
    }
}

/// The bits of a number; those of what is none do not depend on the machine.
fn bits_f64(value: f64) -> u64 {
    if value.is_nan() { f64::NAN.to_bits() & (u64::MAX >> 1) } else { value.to_bits() }
}

fn bits_f32(value: f64) -> u32 {
    if value.is_nan() { f32::NAN.to_bits() & (u32::MAX >> 1) } else { (value as f32).to_bits() }
}
