//! The container: which chunks a file has, found by its summary or, without one, by going over its records.
//!
//! All lengths that a file says are held against the bytes that it has before anything is allocated for them.

use crate::error::{RecordError, short};
use crate::input::Input;
use mcap::records::{ChunkHeader, Record, op};
use std::collections::BTreeMap;
use std::io;

/// Bytes before each record: what it is, and its length.
const HEAD: u64 = 9;
/// Bytes of the footer and of the magic after it.
const TAIL: u64 = HEAD + 20 + 8;
/// Most bytes of a chunk, before it is compressed and after: a writer's are some megabytes.
const MOST_CHUNK_BYTES: u64 = 512 << 20;
/// Most bytes of a summary.
const MOST_SUMMARY_BYTES: u64 = 256 << 20;
/// Most bytes of any other record that is read.
const MOST_RECORD_BYTES: u64 = 64 << 20;

/// A file of records.
pub(crate) struct Container {
    pub(crate) file: String,
    pub(crate) input: Input,
    pub(crate) profile: String,
    pub(crate) library: String,
    /// In the order of the file.
    pub(crate) chunks: Vec<ChunkAt>,
    /// Topics by the numbers of MCAP's channels.
    pub(crate) topics: BTreeMap<u16, String>,
    /// Texts by the names of their records; of two of one name the last.
    pub(crate) metadata: BTreeMap<String, BTreeMap<String, String>>,
    /// Where and why it breaks off, if it has no end.
    pub(crate) damage: Option<RecordError>,
}

/// Where a chunk is, and what is in it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct ChunkAt {
    /// Of its record.
    pub(crate) offset: u64,
    pub(crate) length: u64,
    pub(crate) begin_ns: u64,
    pub(crate) end_ns: u64,
    /// MCAP's channels that have messages in it, sorted.
    pub(crate) channels: Vec<u16>,
}

/// A message.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MessageAt<'a> {
    pub(crate) channel: u16,
    pub(crate) sequence: u32,
    pub(crate) time_ns: u64,
    pub(crate) data: &'a [u8],
    /// Its place in its chunk.
    pub(crate) place: usize,
}

impl Container {
    pub(crate) fn open(file: String, input: Input) -> Result<Self, RecordError> {
        let mut found = Self {
            file,
            input,
            profile: String::new(),
            library: String::new(),
            chunks: vec![],
            topics: BTreeMap::new(),
            metadata: BTreeMap::new(),
            damage: None,
        };
        let first = found.begin()?;
        let is_indexed = found.summary().unwrap_or(false);
        if !is_indexed {
            found.chunks.clear();
            found.topics.clear();
            found.metadata.clear();
            found.scan(first)?;
        }
        Ok(found)
    }

    /// Reads the file's first record. Returns where the next one is.
    fn begin(&mut self) -> Result<u64, RecordError> {
        let mut head = vec![];
        let count = self.input.len().min(mcap::MAGIC.len() as u64);
        self.input.read(0, count, &mut head).map_err(|why| self.failed(why))?;
        if head != mcap::MAGIC {
            let got = match head.is_empty() {
                true => "an empty file".to_owned(),
                false => format!("\"{}\"", head.escape_ascii()),
            };
            return Err(self.at(0, "a recording (an MCAP file)", got));
        }
        let (code, body) = self.record(count)?;
        match mcap::parse_record(code, &body) {
            Ok(Record::Header(header)) => {
                (self.profile, self.library) = (header.profile, header.library);
                Ok(count + HEAD + body.len() as u64)
            }
            _ => Err(self.at(count, "the header of an MCAP file", "something else".to_owned())),
        }
    }

    /// Reads the summary at the file's end. False where there is none, or it is damaged.
    fn summary(&mut self) -> Result<bool, RecordError> {
        let length = self.input.len();
        let mut bytes = vec![];
        let Some(tail) = length.checked_sub(TAIL) else { return Ok(false) };
        self.input.read(tail, TAIL, &mut bytes).map_err(|why| self.failed(why))?;
        let (footer, magic) = bytes.split_at((TAIL - 8) as usize);
        let word =
            |at: usize| u64::from_le_bytes(footer[at..at + 8].try_into().unwrap_or_default());
        if magic != mcap::MAGIC || footer[0] != op::FOOTER || word(1) != 20 {
            return Ok(false);
        }
        let start = word(HEAD as usize);
        let crc = u32::from_le_bytes(footer[25..29].try_into().unwrap_or_default());
        // Up to the checksum itself.
        let count = (tail + 25).checked_sub(start).filter(|&count| count <= MOST_SUMMARY_BYTES);
        let Some(count) = count.filter(|_| start > 0) else { return Ok(false) };
        self.input.read(start, count, &mut bytes).map_err(|why| self.failed(why))?;
        if crc != 0 && crc32fast::hash(&bytes) != crc {
            return Ok(false);
        }
        let records = &bytes[..(tail - start) as usize];
        let mut metadata = vec![];
        for record in Records::new(records) {
            let Some((code, body, _)) = record else { return Ok(false) };
            match code {
                op::CHUNK_INDEX => match mcap::parse_record(code, body) {
                    Ok(Record::ChunkIndex(index)) => self.chunks.push(ChunkAt {
                        offset: index.chunk_start_offset,
                        length: index.chunk_length,
                        begin_ns: index.message_start_time,
                        end_ns: index.message_end_time,
                        channels: index.message_index_offsets.into_keys().collect(),
                    }),
                    _ => return Ok(false),
                },
                op::METADATA_INDEX => match mcap::parse_record(code, body) {
                    Ok(Record::MetadataIndex(index)) => metadata.push(index.offset),
                    _ => return Ok(false),
                },
                op::CHANNEL if self.channel(body).is_none() => return Ok(false),
                _ => {}
            }
        }
        for offset in metadata {
            let (code, body) = self.record(offset)?;
            self.text(code, &body);
        }
        self.chunks.sort_by_key(|chunk| chunk.offset);
        Ok(true)
    }

    /// Goes over all records up to the file's end, or to what is no record. Chunks are read whole, as only
    /// they say which topics there are.
    fn scan(&mut self, first: u64) -> Result<(), RecordError> {
        let mut offset = first;
        let end = self.input.len();
        loop {
            let (code, length) = match self.head(offset) {
                Ok(head) => head,
                Err(damage) => {
                    self.damage = Some(damage);
                    return Ok(());
                }
            };
            let next = offset + HEAD + length;
            if next > end {
                let got = format!("{} of them", end - offset - HEAD);
                self.damage = Some(self.at(offset, &format!("{length} bytes of a record"), got));
                return Ok(());
            }
            match code {
                op::CHUNK => {
                    let chunk = ChunkAt {
                        offset,
                        length: HEAD + length,
                        begin_ns: 0,
                        end_ns: 0,
                        channels: vec![],
                    };
                    match self.whole(chunk) {
                        Ok(chunk) => self.chunks.push(chunk),
                        Err(damage) => {
                            self.damage = Some(damage);
                            return Ok(());
                        }
                    }
                }
                op::METADATA if length <= MOST_RECORD_BYTES => {
                    let (code, body) = self.record(offset)?;
                    self.text(code, &body);
                }
                op::DATA_END | op::FOOTER => {
                    let expected = "the end of an MCAP file after its summary";
                    let got = "a damaged summary, or none".to_owned();
                    self.damage = Some(self.at(offset, expected, got));
                    return Ok(());
                }
                // What a writer of another version may have.
                _ => {}
            }
            offset = next;
        }
    }

    /// A chunk with what is in it.
    fn whole(&mut self, chunk: ChunkAt) -> Result<ChunkAt, RecordError> {
        let mut content = Chunk::default();
        content.read(self, &chunk)?;
        let mut channels: Vec<u16> = content.messages.iter().map(|at| at.0).collect();
        channels.sort_unstable();
        channels.dedup();
        for body in content.channels() {
            if self.channel(&body).is_none() {
                let got = "something else".to_owned();
                return Err(self.at(chunk.offset, "a channel's record in this chunk", got));
            }
        }
        let (begin_ns, end_ns) = (content.header.0, content.header.1);
        Ok(ChunkAt { begin_ns, end_ns, channels, ..chunk })
    }

    /// Notes a channel's topic.
    fn channel(&mut self, body: &[u8]) -> Option<()> {
        match mcap::parse_record(op::CHANNEL, body) {
            Ok(Record::Channel(channel)) => {
                self.topics.insert(channel.id, channel.topic);
                Some(())
            }
            _ => None,
        }
    }

    /// Notes what a metadata record says.
    fn text(&mut self, code: u8, body: &[u8]) {
        if let Ok(Record::Metadata(metadata)) = mcap::parse_record(code, body) {
            self.metadata.insert(metadata.name, metadata.metadata);
        }
    }

    /// What the record there is, and its length.
    fn head(&self, offset: u64) -> Result<(u8, u64), RecordError> {
        let mut head = vec![];
        self.input.read(offset, HEAD, &mut head).map_err(|why| match why.kind() {
            io::ErrorKind::UnexpectedEof => {
                let got = format!("the end of the file after {} bytes", self.input.len());
                self.at(offset, "a record", got)
            }
            _ => self.failed(why),
        })?;
        let length = u64::from_le_bytes(head[1..].try_into().unwrap_or_default());
        // Codes of the format are small, and those above 0x7f are anybody's.
        let is_one = head[0] != 0 && (head[0] <= op::DATA_END || head[0] >= 0x80);
        if !is_one || length > u64::MAX - offset - HEAD {
            return Err(self.at(offset, "a record", format!("code {:#04x}", head[0])));
        }
        Ok((head[0], length))
    }

    /// A record but a chunk.
    fn record(&self, offset: u64) -> Result<(u8, Vec<u8>), RecordError> {
        let (code, length) = self.head(offset)?;
        let mut body = vec![];
        if length > MOST_RECORD_BYTES {
            let expected = format!("a record of at most {MOST_RECORD_BYTES} bytes");
            return Err(self.at(offset, &expected, length.to_string()));
        }
        self.input.read(offset + HEAD, length, &mut body).map_err(|why| match why.kind() {
            io::ErrorKind::UnexpectedEof => {
                let got = "the end of the file".to_owned();
                self.at(offset, &format!("{length} bytes of a record"), got)
            }
            _ => self.failed(why),
        })?;
        Ok((code, body))
    }

    /// An error at a place in the file.
    pub(crate) fn at(&self, offset: u64, expected: &str, got: String) -> RecordError {
        RecordError::At { file: self.file.clone(), offset, expected: expected.to_owned(), got }
    }

    pub(crate) fn failed(&self, source: io::Error) -> RecordError {
        RecordError::File { file: self.file.clone(), source }
    }
}

/// A chunk's content, in memory that is used again.
#[derive(Default)]
pub(crate) struct Chunk {
    stored: Vec<u8>,
    bytes: Vec<u8>,
    /// First and last time, ns.
    header: (u64, u64),
    /// Channel, sequence, time and bytes of each message.
    messages: Vec<(u16, u32, u64, std::ops::Range<usize>)>,
    /// Bytes of each record of a schema or channel, with their codes.
    known: Vec<(u8, std::ops::Range<usize>)>,
}

impl Chunk {
    /// Reads a chunk and checks its checksum.
    pub(crate) fn read(&mut self, from: &Container, chunk: &ChunkAt) -> Result<(), RecordError> {
        self.messages.clear();
        self.known.clear();
        let at = |expected: &str, got: String| from.at(chunk.offset, expected, got);
        if chunk.length > MOST_CHUNK_BYTES {
            let most = MOST_CHUNK_BYTES >> 20;
            return Err(at(&format!("a chunk of at most {most} MiB"), chunk.length.to_string()));
        }
        from.input.read(chunk.offset, chunk.length, &mut self.stored).map_err(|why| {
            match why.kind() {
                io::ErrorKind::UnexpectedEof => {
                    at("a whole chunk", "the end of the file".to_owned())
                }
                _ => from.failed(why),
            }
        })?;
        let other = || at("a chunk", "something else".to_owned());
        let (&code, body) = self.stored.split_first().ok_or_else(other)?;
        let body = body.get(8..).filter(|_| code == op::CHUNK).ok_or_else(other)?;
        let Ok(Record::Chunk { header, data }) = mcap::parse_record(code, body) else {
            return Err(other());
        };
        unpack(&header, &data, &mut self.bytes).map_err(|(expected, got)| at(&expected, got))?;
        let crc = crc32fast::hash(&self.bytes);
        if header.uncompressed_crc != 0 && header.uncompressed_crc != crc {
            let expected = format!("a chunk with checksum {:08x}", header.uncompressed_crc);
            return Err(at(&expected, format!("one with {crc:08x}")));
        }
        self.header = (header.message_start_time, header.message_end_time);
        self.index().ok_or_else(|| at("whole records in a chunk", "a part of one".to_owned()))
    }

    /// Finds the records of the chunk.
    fn index(&mut self) -> Option<()> {
        for record in Records::new(&self.bytes) {
            let (code, body, begin) = record?;
            match code {
                op::MESSAGE => {
                    let channel = u16::from_le_bytes(body.get(..2)?.try_into().ok()?);
                    let sequence = u32::from_le_bytes(body.get(2..6)?.try_into().ok()?);
                    let time_ns = u64::from_le_bytes(body.get(6..14)?.try_into().ok()?);
                    let data = begin + 22..begin + body.len();
                    body.get(22..)?;
                    self.messages.push((channel, sequence, time_ns, data));
                }
                op::CHANNEL | op::SCHEMA => self.known.push((code, begin..begin + body.len())),
                _ => {}
            }
        }
        Some(())
    }

    /// The records of channels in it.
    fn channels(&self) -> Vec<Vec<u8>> {
        let of = |(code, place): &(u8, std::ops::Range<usize>)| {
            (*code == op::CHANNEL).then(|| self.bytes[place.clone()].to_vec())
        };
        self.known.iter().filter_map(of).collect()
    }

    /// The records of schemas and channels in it, in its order.
    pub(crate) fn known(&self) -> impl Iterator<Item = (u8, &[u8])> {
        self.known.iter().map(|(code, place)| (*code, &self.bytes[place.clone()]))
    }

    /// How many messages it has.
    pub(crate) fn len(&self) -> usize {
        self.messages.len()
    }

    /// A message by its place.
    pub(crate) fn message(&self, place: usize) -> Option<MessageAt<'_>> {
        let (channel, sequence, time_ns, data) = self.messages.get(place)?.clone();
        Some(MessageAt { channel, sequence, time_ns, data: &self.bytes[data], place })
    }

    /// The messages in the order of the file.
    pub(crate) fn messages(&self) -> impl Iterator<Item = MessageAt<'_>> {
        (0..self.len()).filter_map(|place| self.message(place))
    }
}

/// Decompresses a chunk's records, no more of them than it says.
fn unpack(header: &ChunkHeader, data: &[u8], out: &mut Vec<u8>) -> Result<(), (String, String)> {
    let size = header.uncompressed_size;
    if size > MOST_CHUNK_BYTES {
        let most = MOST_CHUNK_BYTES >> 20;
        return Err((format!("a chunk of at most {most} MiB"), format!("{size} bytes")));
    }
    out.clear();
    match header.compression.as_str() {
        "" => out.extend_from_slice(data),
        "zstd" => unzstd(data, size, out).map_err(|why| ("a chunk in zstd".to_owned(), why))?,
        other => {
            let expected = "a chunk in zstd, or not compressed".to_owned();
            return Err((expected, format!("one in \"{}\"", short(other))));
        }
    }
    if out.len() as u64 != size {
        return Err((format!("{size} bytes in a chunk"), out.len().to_string()));
    }
    Ok(())
}

/// Decompresses at most one byte more than it should be.
#[cfg(not(target_family = "wasm"))]
fn unzstd(data: &[u8], size: u64, out: &mut Vec<u8>) -> Result<(), String> {
    use std::io::Read as _;
    let failed = |why: io::Error| why.to_string();
    let decoder = zstd::stream::read::Decoder::with_buffer(data).map_err(failed)?;
    // Grows as it comes: a size that is wrong allocates nothing.
    decoder.take(size + 1).read_to_end(out).map_err(failed).map(drop)
}

/// A module for WebAssembly writes recordings; those that it reads must not be compressed.
#[cfg(target_family = "wasm")]
fn unzstd(_: &[u8], _: u64, _: &mut Vec<u8>) -> Result<(), String> {
    Err("one in zstd, which this program cannot read".to_owned())
}

/// Records one after the other: code, body, and where the body begins. `None` where they break off.
struct Records<'a> {
    bytes: &'a [u8],
    at: usize,
    broken: bool,
}

impl<'a> Records<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, broken: false }
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Option<(u8, &'a [u8], usize)>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.broken || self.at == self.bytes.len() {
            return None;
        }
        let whole = || {
            let rest = &self.bytes[self.at..];
            let length = u64::from_le_bytes(rest.get(1..HEAD as usize)?.try_into().ok()?);
            let body = rest[HEAD as usize..].get(..usize::try_from(length).ok()?)?;
            Some((rest[0], body, self.at + HEAD as usize))
        };
        let found = whole();
        match found {
            Some((_, body, begin)) => self.at = begin + body.len(),
            None => self.broken = true,
        }
        Some(found)
    }
}
