//! How the values of channels are written as a message: worked out once, as a list of parts.
//!
//! Tags are bytes already, and room for the longest message is made at once, so that a number takes a few
//! instructions. As in proto3, what is zero is not written.

use crate::layout::{Field, Kind};
use crate::schema::MOST_DEPTH;
use std::ops::Range;

/// Bytes that are written at once where a number is, at most: its tag and itself. What is too much is
/// written over by what comes next.
const AT_ONCE: usize = 12;
/// Most bytes of a length.
const MOST_LENGTH: usize = 5;

/// How a message is written.
#[derive(Default)]
pub(crate) struct Plan {
    parts: Vec<Part>,
    /// Of all numbers, in their order.
    tags: Vec<u32>,
    /// Channels of lists.
    lists: Vec<u32>,
    /// No message is longer.
    most: usize,
}

/// Some of a message.
enum Part {
    /// Channels one after the other, whose tags have so many bytes.
    Numbers {
        channels: Range<usize>,
        tag_bytes: u32,
    },
    /// A list of so many channels.
    List(Tag, usize),
    Begin(Tag),
    End,
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
                    self.tags.push(tag.bytes);
                    let next = *channel + 1;
                    match self.parts.last_mut() {
                        Some(Part::Numbers { channels, tag_bytes })
                            if channels.end == *channel && *tag_bytes == tag.count =>
                        {
                            channels.end = next;
                        }
                        _ => {
                            let (channels, tag_bytes) = (*channel..next, tag.count);
                            self.parts.push(Part::Numbers { channels, tag_bytes });
                        }
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
    pub(crate) fn put(&self, values: &[f64], double: bool, out: &mut Vec<u8>) {
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
    fn write<const DOUBLE: bool>(&self, values: &[f64], mut to: Cursor<'_>) -> usize {
        let (mut tags, mut lists) = (&self.tags[..], &self.lists[..]);
        let (mut open, mut depth) = ([0; MOST_DEPTH], 0);
        for part in &self.parts {
            match part {
                Part::Numbers { channels, tag_bytes } => {
                    let (these, rest) = tags.split_at(channels.len());
                    tags = rest;
                    let values = &values[channels.clone()];
                    // So that nearly all are written without asking how long their tags are.
                    match tag_bytes {
                        1 => to.numbers::<DOUBLE>(these, values, 1),
                        2 => to.numbers::<DOUBLE>(these, values, 2),
                        &more => to.numbers::<DOUBLE>(these, values, more),
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
                    open[depth % MOST_DEPTH] = to.at;
                    depth += 1;
                    // Nearly all are short; the length of others needs more room, which is made then.
                    to.at += 1;
                }
                Part::End => {
                    depth -= 1;
                    to.close(open[depth % MOST_DEPTH]);
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

    /// Fields; those that are zero without a branch: what comes next is written over them.
    #[inline(always)]
    fn numbers<const DOUBLE: bool>(&mut self, tags: &[u32], values: &[f64], tag_bytes: u32) {
        let (mut at, bytes) = (self.at, &mut *self.bytes);
        let width = if DOUBLE { 8 } else { 4 } + tag_bytes as usize;
        for (&tag, &value) in tags.iter().zip(values) {
            let is_written = if DOUBLE {
                let bits = bits_f64(value);
                bytes[at..at + 4].copy_from_slice(&tag.to_le_bytes());
                bytes[at + tag_bytes as usize..][..8].copy_from_slice(&bits.to_le_bytes());
                bits != 0
            } else {
                let bits = u64::from(bits_f32(value));
                let both = bits << (8 * tag_bytes) | u64::from(tag);
                bytes[at..at + 8].copy_from_slice(&both.to_le_bytes());
                bits != 0
            };
            at += if is_written { width } else { 0 };
        }
        self.at = at;
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
    #[inline]
    fn close(&mut self, begin: usize) {
        let length = self.at - begin - 1;
        match length {
            0..128 => self.bytes[begin] = length as u8,
            _ => self.close_long(begin, length),
        }
    }

    #[cold]
    fn close_long(&mut self, begin: usize, length: usize) {
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

#[cfg(test)]
mod tests {
    use crate::decode::Wanted;
    use crate::layout::Layout;
    use rolima_core::Channel;

    #[test]
    fn messages_of_any_shape_read_back() {
        let mut names: Vec<String> = (0..40).map(|i| format!("robot.a.n{i}")).collect();
        names.extend((0..30).map(|i| format!("robot.a.group.inner.m{i}")));
        names.extend((0..50).map(|i| format!("robot.a.group.list.{i}")));
        names.extend((0..3000).map(|i| format!("many{i}")));
        // Neighbours that are not in one message.
        names.extend((0..20).map(|i| format!("{}.x{i}", ["robot.a", "ball.b"][i % 2])));
        let (unit, meaning, range) = ("", "", [0.0, 1.0]);
        let channel = |name: &String| Channel { name: name.clone(), unit, meaning, range };
        let channels: Vec<Channel> = names.iter().map(channel).collect();
        let value = |i: usize| match i % 7 {
            0 => 0.0,
            1 => -0.0,
            2 => f64::NAN,
            _ => 0.1 * i as f64,
        };
        let values: Vec<f64> = (0..names.len()).map(value).collect();
        for double in [false, true] {
            let layout = Layout::new(&channels, double);
            let mut wanted = vec![Wanted::default(); layout.topics.len()];
            for (slot, place) in layout.places.iter().enumerate() {
                wanted[place.topic].add(place, slot);
            }
            let mut read = vec![f64::INFINITY; values.len()];
            for (topic, wanted) in layout.topics.iter().zip(&wanted) {
                let mut out = b"before".to_vec();
                topic.plan.put(&values, double, &mut out);
                wanted.clear(&mut read);
                wanted.read(&out[6..], double, &mut read).expect("a message");
            }
            for (i, (read, value)) in read.iter().zip(&values).enumerate() {
                let kept = if double { *value } else { f64::from(*value as f32) };
                let is_same = read.to_bits() == kept.to_bits() || read.is_nan() && kept.is_nan();
                assert!(is_same, "{}: {read}, not {kept}", names[i]);
            }
        }
    }
}
