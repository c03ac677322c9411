//! A whole recording of what can be read of one that was cut off or damaged.

use crate::container::Chunk;
use crate::error::RecordError;
use crate::names::{METADATA_END, PROFILE};
use crate::output::LEVEL;
use crate::recording::Recording;
use mcap::records::{MessageHeader, Metadata, Record};
use mcap::write::NoSeek;
use mcap::{McapError, WriteOptions};
use std::io::{self, BufWriter, Write};

/// What was repaired.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Repaired {
    /// Chunks that were taken over.
    pub chunks: u64,
    /// Messages that were taken over.
    pub messages: u64,
    /// Why chunks were left out, each with its place in the file: from the first of them on the run cannot
    /// be verified.
    pub left_out: Vec<String>,
    /// Up to when it goes, s of the run.
    pub end_s: f64,
}

/// Writes a whole recording of what can be read of this one.
pub fn repair(recording: &Recording, output: impl Write) -> Result<Repaired, RecordError> {
    let container = &recording.inner.container;
    let mut repaired = Repaired { end_s: recording.span_s()[1], ..Repaired::default() };
    let failed = |why: McapError| match why {
        McapError::Io(source) => container.failed(source),
        other => container.failed(io::Error::other(other.to_string())),
    };
    let options = WriteOptions::new()
        .profile(PROFILE)
        .library(PROFILE)
        .chunk_size(None)
        .disable_seeking(true)
        .compression(Some(mcap::Compression::Zstd))
        .compression_level(LEVEL)
        .compression_threads(0);
    let output = NoSeek::new(BufWriter::new(output));
    let mut writer = options.create(output).map_err(failed)?;
    // The end says how the whole run came out, and is true only of a whole file.
    let is_kept = |name: &str| name != METADATA_END || recording.about().is_whole;
    for (name, metadata) in container.metadata.iter().filter(|(name, _)| is_kept(name)) {
        let record = Metadata { name: name.clone(), metadata: metadata.clone() };
        writer.write_metadata(&record).map_err(failed)?;
    }
    let mut chunk = Chunk::default();
    for known in &container.chunks {
        match chunk.read(container, known) {
            Ok(()) => repaired.messages += copy(&chunk, &mut writer).map_err(failed)?,
            Err(why) => {
                repaired.left_out.push(why.to_string());
                continue;
            }
        }
        repaired.chunks += 1;
        writer.flush().map_err(failed)?;
    }
    if !recording.about().is_whole {
        let metadata = [("repaired".to_owned(), "true".to_owned())].into();
        let end = Metadata { name: METADATA_END.to_owned(), metadata };
        writer.write_metadata(&end).map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    let mut buffered = writer.into_inner().into_inner();
    buffered.flush().map_err(|why| container.failed(why))?;
    Ok(repaired)
}

/// Copies what is in a chunk. Returns how many messages there were.
fn copy<W: Write>(chunk: &Chunk, writer: &mut mcap::Writer<NoSeek<W>>) -> Result<u64, McapError> {
    for (code, body) in chunk.known() {
        match mcap::parse_record(code, body)? {
            Record::Schema { header, data } => {
                let (name, encoding) = (&header.name, &header.encoding);
                writer.add_schema_with_id(header.id, name, encoding, &data)?;
            }
            Record::Channel(known) => {
                let (encoding, metadata) = (&known.message_encoding, &known.metadata);
                let (id, schema) = (known.id, known.schema_id);
                writer.add_channel_with_id(id, schema, &known.topic, encoding, metadata)?;
            }
            _ => {}
        }
    }
    for message in chunk.messages() {
        let header = MessageHeader {
            channel_id: message.channel,
            sequence: message.sequence,
            log_time: message.time_ns,
            publish_time: message.time_ns,
        };
        writer.write_to_known_channel(&header, message.data)?;
    }
    Ok(chunk.len() as u64)
}
