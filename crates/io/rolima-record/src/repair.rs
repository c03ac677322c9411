//! A whole recording of what can be read of one that was cut off or damaged.

use crate::container::{Chunk, MessageAt};
use crate::container_writer::{ContainerWriter, MessageHead};
use crate::error::RecordError;
use crate::names::METADATA_END;
use crate::recording::Recording;
use mcap::records::Record;
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
    let failed = |source: io::Error| container.failed(source);
    let mut writer = ContainerWriter::new(BufWriter::new(output), true).map_err(failed)?;
    // The end says how the whole run came out, and is true only of a whole file.
    let is_kept = |name: &str| name != METADATA_END || recording.about().is_whole;
    for (name, metadata) in container.metadata.iter().filter(|(name, _)| is_kept(name)) {
        writer.metadata(name, metadata).map_err(failed)?;
    }
    let mut chunk = Chunk::default();
    for known in &container.chunks {
        match chunk.read(container, known) {
            Ok(()) => repaired.messages += copy(&chunk, &mut writer),
            Err(why) => {
                repaired.left_out.push(why.to_string());
                continue;
            }
        }
        repaired.chunks += 1;
        writer.end_chunk().map_err(failed)?;
    }
    if !recording.about().is_whole {
        let metadata = [("repaired".to_owned(), "true".to_owned())].into();
        writer.metadata(METADATA_END, &metadata).map_err(failed)?;
    }
    writer.finish().map_err(failed)?;
    writer.into_inner().flush().map_err(failed)?;
    Ok(repaired)
}

/// Copies what is in a chunk. Returns how many messages there were.
fn copy<W: Write>(chunk: &Chunk, writer: &mut ContainerWriter<W>) -> u64 {
    for (code, body) in chunk.known() {
        match mcap::parse_record(code, body) {
            Ok(Record::Schema { header, data }) => {
                writer.add_schema_as(header.id, &header.name, &header.encoding, &data);
            }
            Ok(Record::Channel(known)) => {
                let encoding = &known.message_encoding;
                writer.add_channel_as(known.id, known.schema_id, &known.topic, encoding);
            }
            _ => {}
        }
    }
    let mut count = 0;
    for MessageAt { channel, sequence, time_ns, data, .. } in chunk.messages() {
        // Without its topic, which was in a chunk that is left out, it means nothing.
        count += u64::from(writer.message(MessageHead { channel, sequence, time_ns }, data));
    }
    count
}
