//! Animated PNG: lossless. Each picture is what changed since the one before.

use super::changed::Changes;
use super::{Encode, Output, Reel};
use crate::FilmError;
use png::{BitDepth, BlendOp, ColorType, Compression, DisposeOp, Encoder, EncodingError, Writer};
use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Where a file says how many pictures it has: after its signature and its head.
const COUNT_AT: u64 = 33;

pub(super) struct Apng {
    output: Output,
    writer: Writer<BufWriter<File>>,
    /// The same file, to say in its head how many pictures there are in the end.
    file: File,
    changes: Changes,
    planned: u32,
    taken: u32,
}

impl Apng {
    pub(super) fn create(reel: &Reel, path: &Path, force: bool) -> Result<Self, FilmError> {
        let refused = |expected, got: String| FilmError::Reel { format: "APNG", expected, got };
        let fps = u16::try_from(reel.fps)
            .map_err(|_| refused("at most 65535 pictures a second", reel.fps.to_string()))?;
        let planned = u32::try_from(reel.pictures)
            .ok()
            .filter(|&pictures| pictures < u32::MAX / 2)
            .ok_or_else(|| refused("fewer than 2^31 pictures", reel.pictures.to_string()))?
            .max(1);
        let (output, file) = Output::create(path, force)?;
        let again = file.try_clone().map_err(|why| output.broken(why))?;
        let begin = || -> Result<_, EncodingError> {
            let [width, height] = reel.size;
            let mut encoder = Encoder::new(BufWriter::new(file), width, height);
            encoder.set_color(ColorType::Rgb);
            encoder.set_depth(BitDepth::Eight);
            encoder.set_compression(Compression::Fast);
            encoder.set_animated(planned, 0)?;
            encoder.set_frame_delay(1, fps)?;
            encoder.set_blend_op(BlendOp::Source)?;
            encoder.set_dispose_op(DisposeOp::None)?;
            encoder.write_header()
        };
        let writer = begin().map_err(|error| broken(&output, error))?;
        let changes = Changes::new(reel.size);
        Ok(Self { output, writer, file: again, changes, planned, taken: 0 })
    }
}

impl Encode for Apng {
    fn write(&mut self, rgb: &[u8]) -> Result<(), FilmError> {
        let part = self.changes.part(rgb);
        let pixels: Vec<u8> =
            self.changes.places(part).flat_map(|at| [rgb[at], rgb[at + 1], rgb[at + 2]]).collect();
        let writer = &mut self.writer;
        let mut write = || -> Result<(), EncodingError> {
            writer.reset_frame_position()?;
            writer.set_frame_dimension(part.width, part.height)?;
            writer.set_frame_position(part.left, part.top)?;
            writer.write_image_data(&pixels)
        };
        write().map_err(|error| broken(&self.output, error))?;
        self.changes.keep(rgb);
        self.taken += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), FilmError> {
        let Self { output, writer, mut file, planned, taken, .. } = *self;
        writer.finish().map_err(|error| broken(&output, error))?;
        if taken != planned {
            set_count(&mut file, taken).map_err(|why| output.broken(why))?;
        }
        Ok(())
    }

    fn call_off(self: Box<Self>) {
        let Self { output, writer, .. } = *self;
        drop(writer);
        output.remove();
    }
}

/// Says in the head of a finished file how many pictures it has.
fn set_count(file: &mut File, count: u32) -> io::Result<()> {
    // Its type, the two numbers that it holds, and their check.
    let mut chunk = [0_u8; 16];
    file.seek(SeekFrom::Start(COUNT_AT + 4))?;
    file.read_exact(&mut chunk)?;
    if chunk[..4] != *b"acTL" {
        return Err(io::Error::other("the count of pictures is not where it was written"));
    }
    chunk[4..8].copy_from_slice(&count.to_be_bytes());
    let check = crc(&chunk[..12]);
    chunk[12..].copy_from_slice(&check.to_be_bytes());
    file.seek(SeekFrom::Start(COUNT_AT + 4))?;
    file.write_all(&chunk)
}

/// The check of PNG's chunks: CRC-32.
fn crc(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            sum = if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
        }
    }
    !sum
}

fn broken(output: &Output, error: EncodingError) -> FilmError {
    match error {
        EncodingError::IoError(why) => output.broken(why),
        other => output.refused(other),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_check_is_that_of_the_last_chunk_of_every_file() {
        assert_eq!(super::crc(b"IEND"), 0xae42_6082);
    }
}
