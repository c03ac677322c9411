//! Writing the container: records are put together in memory, a chunk at a time, which is compressed once
//! and written whole.
//!
//! The bytes follow from what is written alone: no clock, no threads, no version of a library.

use crate::compress::{Compressor, MessagePlace};
use crate::names::PROFILE;
use mcap::records::op;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;

/// Bytes of a message's record before its data: what it is, its length, channel, sequence and two times.
const MESSAGE_HEAD: usize = 9 + 22;
/// Bytes of a message in the index of its chunk: its time, and where it is.
const INDEXED: usize = 16;

/// A file that is being written.
pub(crate) struct ContainerWriter<W: Write> {
    output: W,
    /// Bytes that were written.
    offset: u64,
    /// Checksum of them.
    crc: crc32fast::Hasher,
    compressor: Option<Compressor>,
    chunk: OpenChunk,
    /// Records that are put together to be written.
    record: Vec<u8>,
    stored: Vec<u8>,
    schemas: BTreeMap<u16, Schema>,
    channels: BTreeMap<u16, Channel>,
    /// Messages of each of the channels, by its number.
    counts: Vec<u64>,
    span_ns: Option<[u64; 2]>,
    /// Records of the summary, and how many.
    chunk_indexes: (Vec<u8>, u32),
    metadata_indexes: (Vec<u8>, u32),
}

/// A message without its data.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageHead {
    pub(crate) channel: u16,
    pub(crate) sequence: u32,
    pub(crate) time_ns: u64,
}

#[derive(PartialEq)]
struct Schema {
    name: String,
    encoding: String,
    data: Vec<u8>,
}

#[derive(PartialEq)]
struct Channel {
    schema: u16,
    topic: String,
    encoding: String,
}

/// The chunk that is being put together.
#[derive(Default)]
struct OpenChunk {
    records: Vec<u8>,
    messages: Vec<MessagePlace>,
    /// Of each channel the index of its messages, by its number.
    indexes: Vec<Vec<u8>>,
    /// Channels that have messages in it.
    used: Vec<u16>,
    span_ns: [u64; 2],
}

impl<W: Write> ContainerWriter<W> {
    /// Begins a file.
    pub(crate) fn new(output: W, compressed: bool) -> io::Result<Self> {
        let mut writer = Self {
            output,
            offset: 0,
            crc: crc32fast::Hasher::new(),
            compressor: compressed.then(Compressor::new),
            chunk: OpenChunk::default(),
            record: vec![],
            stored: vec![],
            schemas: BTreeMap::new(),
            channels: BTreeMap::new(),
            counts: vec![],
            span_ns: None,
            chunk_indexes: (vec![], 0),
            metadata_indexes: (vec![], 0),
        };
        writer.record.extend_from_slice(mcap::MAGIC);
        put_record(&mut writer.record, op::HEADER, |out| {
            put_text(out, PROFILE);
            put_text(out, PROFILE);
        });
        writer.write_record()?;
        Ok(writer)
    }

    /// Adds a schema, unless there is the same already. Returns its number.
    pub(crate) fn add_schema(&mut self, name: &str, encoding: &str, data: &[u8]) -> u16 {
        let schema =
            Schema { name: name.to_owned(), encoding: encoding.to_owned(), data: data.to_vec() };
        if let Some((&id, _)) = self.schemas.iter().find(|(_, known)| **known == schema) {
            return id;
        }
        // Number 0 is that of no schema.
        let id = self.schemas.last_key_value().map_or(1, |(&last, _)| last.saturating_add(1));
        self.add_schema_as(id, name, encoding, data);
        id
    }

    /// Adds a schema with this number, unless there is one.
    pub(crate) fn add_schema_as(&mut self, id: u16, name: &str, encoding: &str, data: &[u8]) {
        let schema =
            Schema { name: name.to_owned(), encoding: encoding.to_owned(), data: data.to_vec() };
        if let std::collections::btree_map::Entry::Vacant(free) = self.schemas.entry(id) {
            schema.put(id, &mut self.chunk.records);
            free.insert(schema);
        }
    }

    /// Adds a topic, unless there is the same already. Returns its number.
    pub(crate) fn add_channel(&mut self, schema: u16, topic: &str, encoding: &str) -> u16 {
        let (topic, encoding) = (topic.to_owned(), encoding.to_owned());
        let channel = Channel { schema, topic, encoding };
        if let Some((&id, _)) = self.channels.iter().find(|(_, known)| **known == channel) {
            return id;
        }
        let id = self.channels.last_key_value().map_or(0, |(&last, _)| last.saturating_add(1));
        self.insert_channel(id, channel);
        id
    }

    /// Adds a topic with this number, unless there is one.
    pub(crate) fn add_channel_as(&mut self, id: u16, schema: u16, topic: &str, encoding: &str) {
        let (topic, encoding) = (topic.to_owned(), encoding.to_owned());
        self.insert_channel(id, Channel { schema, topic, encoding });
    }

    fn insert_channel(&mut self, id: u16, channel: Channel) {
        if let std::collections::btree_map::Entry::Vacant(free) = self.channels.entry(id) {
            channel.put(id, &mut self.chunk.records);
            free.insert(channel);
            let count = self.counts.len().max(usize::from(id) + 1);
            self.counts.resize(count, 0);
            self.chunk.indexes.resize_with(count, Vec::new);
        }
    }

    /// Writes a message. False where there is no such topic.
    pub(crate) fn message(&mut self, head: MessageHead, data: &[u8]) -> bool {
        self.message_with(head, |out| out.extend_from_slice(data))
    }

    /// The same with data that `fill` puts behind what is there.
    pub(crate) fn message_with(
        &mut self,
        head: MessageHead,
        fill: impl FnOnce(&mut Vec<u8>),
    ) -> bool {
        let MessageHead { channel, sequence, time_ns } = head;
        if !self.channels.contains_key(&channel) {
            return false;
        }
        let chunk = &mut self.chunk;
        self.counts[usize::from(channel)] += 1;
        let begin = chunk.records.len();
        let mut bytes = [0; MESSAGE_HEAD];
        bytes[0] = op::MESSAGE;
        bytes[9..11].copy_from_slice(&channel.to_le_bytes());
        bytes[11..15].copy_from_slice(&sequence.to_le_bytes());
        bytes[15..23].copy_from_slice(&time_ns.to_le_bytes());
        bytes[23..31].copy_from_slice(&time_ns.to_le_bytes());
        chunk.records.extend_from_slice(&bytes);
        fill(&mut chunk.records);
        let length = (chunk.records.len() - begin - 9) as u64;
        chunk.records[begin + 1..begin + 9].copy_from_slice(&length.to_le_bytes());
        chunk.note(channel, time_ns, begin);
        true
    }

    /// Bytes of the chunk that is being put together.
    pub(crate) fn chunk_bytes(&self) -> usize {
        self.chunk.records.len()
    }

    /// When the first message of that chunk was, ns; none: it has none.
    pub(crate) fn chunk_begin_ns(&self) -> Option<u64> {
        (!self.chunk.used.is_empty()).then_some(self.chunk.span_ns[0])
    }

    /// Writes a metadata record, after the chunk that is being put together.
    pub(crate) fn metadata(
        &mut self,
        name: &str,
        texts: &BTreeMap<String, String>,
    ) -> io::Result<()> {
        self.end_chunk()?;
        put_record(&mut self.record, op::METADATA, |out| {
            put_text(out, name);
            put_sized(out, |out| {
                texts.iter().for_each(|(key, text)| {
                    put_text(out, key);
                    put_text(out, text);
                })
            });
        });
        let (offset, length) = (self.offset, self.record.len() as u64);
        let (indexes, count) = &mut self.metadata_indexes;
        put_record(indexes, op::METADATA_INDEX, |out| {
            put_u64s(out, &[offset, length]);
            put_text(out, name);
        });
        *count += 1;
        self.write_record()
    }

    /// Ends the chunk that is being put together, and writes it.
    pub(crate) fn end_chunk(&mut self) -> io::Result<()> {
        if self.chunk.records.is_empty() {
            return Ok(());
        }
        let (chunk, offset) = (&mut self.chunk, self.offset);
        let size = chunk.records.len() as u64;
        let (name, content): (&str, &[u8]) = match &mut self.compressor {
            None => ("", &chunk.records),
            Some(compressor) => {
                compressor.compress(&chunk.records, &chunk.messages, &mut self.stored);
                ("zstd", &self.stored)
            }
        };
        let [begin_ns, end_ns] = chunk.span_ns;
        let head = &mut self.record;
        // What it is, times, size, checksum, name of the compression, size again.
        let length = 8 + 8 + 8 + 4 + 4 + name.len() + 8 + content.len();
        head.push(op::CHUNK);
        put_u64s(head, &[length as u64, begin_ns, end_ns, size]);
        head.extend_from_slice(&crc32fast::hash(&chunk.records).to_le_bytes());
        put_text(head, name);
        put_u64s(head, &[content.len() as u64]);
        let length = (9 + length) as u64;
        for bytes in [&head[..], content] {
            self.crc.update(bytes);
            self.output.write_all(bytes)?;
        }
        let stored = content.len() as u64;
        head.clear();
        chunk.used.sort_unstable();
        let mut places = Vec::with_capacity(chunk.used.len());
        for &channel in &chunk.used {
            places.push((channel, offset + length + head.len() as u64));
            let index = &mut chunk.indexes[usize::from(channel)];
            put_record(head, op::MESSAGE_INDEX, |out| {
                out.extend_from_slice(&channel.to_le_bytes());
                put_sized(out, |out| out.extend_from_slice(index));
            });
            index.clear();
        }
        let (indexes, count) = &mut self.chunk_indexes;
        put_record(indexes, op::CHUNK_INDEX, |out| {
            put_u64s(out, &[begin_ns, end_ns, offset, length]);
            put_sized(out, |out| {
                places.iter().for_each(|(channel, place)| {
                    out.extend_from_slice(&channel.to_le_bytes());
                    put_u64s(out, &[*place]);
                })
            });
            put_u64s(out, &[head.len() as u64]);
            put_text(out, name);
            put_u64s(out, &[stored, size]);
        });
        *count += 1;
        if !chunk.used.is_empty() {
            let [begin, end] = self.span_ns.unwrap_or([u64::MAX, 0]);
            self.span_ns = Some([begin.min(begin_ns), end.max(end_ns)]);
        }
        chunk.clear();
        self.offset += length;
        self.write_record()
    }

    /// Writes what ends a file: the summary.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.end_chunk()?;
        let crc = self.crc.clone().finalize();
        put_record(&mut self.record, op::DATA_END, |out| out.extend_from_slice(&crc.to_le_bytes()));
        self.write_record()?;
        let begin = self.offset;
        let mut summary = vec![];
        let mut groups: Vec<(u8, Range<usize>)> = vec![];
        let mut group = |code: u8, put: &dyn Fn(&mut Vec<u8>)| {
            let at = summary.len();
            put(&mut summary);
            groups.push((code, at..summary.len()));
        };
        group(op::SCHEMA, &|out| self.schemas.iter().for_each(|(&id, schema)| schema.put(id, out)));
        group(op::CHANNEL, &|out| {
            self.channels.iter().for_each(|(&id, channel)| channel.put(id, out));
        });
        group(op::STATISTICS, &|out| self.put_statistics(out));
        group(op::CHUNK_INDEX, &|out| out.extend_from_slice(&self.chunk_indexes.0));
        group(op::METADATA_INDEX, &|out| out.extend_from_slice(&self.metadata_indexes.0));
        let offsets = begin + summary.len() as u64;
        for (code, place) in groups.into_iter().filter(|(_, place)| !place.is_empty()) {
            put_record(&mut summary, op::SUMMARY_OFFSET, |out| {
                out.push(code);
                put_u64s(out, &[begin + place.start as u64, place.len() as u64]);
            });
        }
        // The checksum is that of all before it, the footer's own beginning included.
        summary.push(op::FOOTER);
        put_u64s(&mut summary, &[20, begin, offsets]);
        let crc = crc32fast::hash(&summary);
        summary.extend_from_slice(&crc.to_le_bytes());
        summary.extend_from_slice(mcap::MAGIC);
        self.record = summary;
        self.write_record()
    }

    /// Hands the file back, for its last bytes to be written.
    pub(crate) fn into_inner(self) -> W {
        self.output
    }

    fn put_statistics(&self, out: &mut Vec<u8>) {
        let of = |(&id, _): (&u16, &Channel)| (id, self.counts[usize::from(id)]);
        let counts: Vec<(u16, u64)> =
            self.channels.iter().map(of).filter(|(_, count)| *count > 0).collect();
        put_record(out, op::STATISTICS, |out| {
            put_u64s(out, &[counts.iter().map(|(_, count)| count).sum()]);
            out.extend_from_slice(&(self.schemas.len() as u16).to_le_bytes());
            let attachments = 0;
            let (metadata, chunks) = (self.metadata_indexes.1, self.chunk_indexes.1);
            for count in [self.channels.len() as u32, attachments, metadata, chunks] {
                out.extend_from_slice(&count.to_le_bytes());
            }
            put_u64s(out, &self.span_ns.unwrap_or_default());
            put_sized(out, |out| {
                counts.iter().for_each(|(id, count)| {
                    out.extend_from_slice(&id.to_le_bytes());
                    put_u64s(out, &[*count]);
                })
            });
        });
    }

    /// Writes the records that were put together.
    fn write_record(&mut self) -> io::Result<()> {
        self.crc.update(&self.record);
        self.offset += self.record.len() as u64;
        let written = self.output.write_all(&self.record);
        self.record.clear();
        written
    }
}

impl OpenChunk {
    /// Notes where a message is.
    fn note(&mut self, channel: u16, time_ns: u64, begin: usize) {
        let place = begin..self.records.len();
        self.messages.push(MessagePlace { channel, place });
        let index = &mut self.indexes[usize::from(channel)];
        if index.is_empty() {
            self.used.push(channel);
        }
        let mut entry = [0; INDEXED];
        entry[..8].copy_from_slice(&time_ns.to_le_bytes());
        entry[8..].copy_from_slice(&(begin as u64).to_le_bytes());
        index.extend_from_slice(&entry);
        let is_first = self.used.len() == 1 && index.len() == INDEXED;
        let [first, last] = self.span_ns;
        self.span_ns = match is_first {
            true => [time_ns; 2],
            false => [first.min(time_ns), last.max(time_ns)],
        };
    }

    /// Empties it; the indexes are empty already.
    fn clear(&mut self) {
        self.records.clear();
        self.messages.clear();
        self.used.clear();
        self.span_ns = [0; 2];
    }
}

impl Schema {
    fn put(&self, id: u16, out: &mut Vec<u8>) {
        put_record(out, op::SCHEMA, |out| {
            out.extend_from_slice(&id.to_le_bytes());
            put_text(out, &self.name);
            put_text(out, &self.encoding);
            put_sized(out, |out| out.extend_from_slice(&self.data));
        });
    }
}

impl Channel {
    fn put(&self, id: u16, out: &mut Vec<u8>) {
        put_record(out, op::CHANNEL, |out| {
            out.extend_from_slice(&id.to_le_bytes());
            out.extend_from_slice(&self.schema.to_le_bytes());
            put_text(out, &self.topic);
            put_text(out, &self.encoding);
            put_sized(out, |_| ());
        });
    }
}

/// A record: what it is, and its length before it.
fn put_record(out: &mut Vec<u8>, code: u8, fill: impl FnOnce(&mut Vec<u8>)) {
    out.push(code);
    let begin = out.len();
    put_u64s(out, &[0]);
    fill(out);
    let length = (out.len() - begin - 8) as u64;
    out[begin..begin + 8].copy_from_slice(&length.to_le_bytes());
}

/// Something with its length in bytes before it.
fn put_sized(out: &mut Vec<u8>, fill: impl FnOnce(&mut Vec<u8>)) {
    let begin = out.len();
    out.extend_from_slice(&[0; 4]);
    fill(out);
    let length = (out.len() - begin - 4) as u32;
    out[begin..begin + 4].copy_from_slice(&length.to_le_bytes());
}

fn put_text(out: &mut Vec<u8>, text: &str) {
    put_sized(out, |out| out.extend_from_slice(text.as_bytes()));
}

fn put_u64s(out: &mut Vec<u8>, numbers: &[u64]) {
    numbers.iter().for_each(|number| out.extend_from_slice(&number.to_le_bytes()));
}
