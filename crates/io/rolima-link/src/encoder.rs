//! Frames to bytes.

use crate::messages::{
    DIFFERENCES, EVERYWHERE, FrameHead, FramePatch, ServerMessage, write_frame_head,
};
use crate::pixels::{by_planes, checksum, predict, take_apart};
use flate2::{Compress, Compression, FlushCompress, Status};

/// How hard patches are compressed: each frame anew, while somebody waits.
const FRAME_LEVEL: u32 = 3;
/// How hard noise is compressed, which looking for repeats does not make smaller.
const NOISE_LEVEL: u32 = 1;
/// How hard a background is compressed: once a scene.
const KEY_LEVEL: u32 = 6;

/// Makes messages of the pictures of one camera.
pub struct PictureEncoder {
    key: u32,
    size: [u32; 2],
    background: Vec<u8>,
    key_message: Vec<u8>,
    deflate: Compress,
    deflate_noise: Compress,
    /// Differences, and the same sorted by colour.
    differences: Vec<u8>,
    planes: Vec<u8>,
}

impl PictureEncoder {
    /// Of a camera with this background: red, green, blue of each pixel, top row first. `key` numbers it. None where
    /// the size is not that of the pixels.
    pub fn new(key: u32, [width, height]: [u32; 2], background: &[u8]) -> Option<Self> {
        let fits = width <= u16::MAX.into() && height <= u16::MAX.into();
        if !fits
            || background.is_empty()
            || background.len() != 3 * width as usize * height as usize
        {
            return None;
        }
        let mut differences = Vec::with_capacity(background.len());
        predict(background, width, &mut differences);
        let mut data = vec![];
        deflate(&mut Compress::new(Compression::new(KEY_LEVEL), false), &differences, &mut data);
        let crc = crc32fast::hash(background);
        let key_message = ServerMessage::Key { key, width, height, crc, data: &data }.bytes();
        Some(Self {
            key,
            size: [width, height],
            background: background.to_vec(),
            key_message,
            deflate: Compress::new(Compression::new(FRAME_LEVEL), false),
            deflate_noise: Compress::new(Compression::new(NOISE_LEVEL), false),
            differences,
            planes: vec![],
        })
    }

    /// The message with the background.
    pub fn key_message(&self) -> &[u8] {
        &self.key_message
    }

    /// Its number.
    pub fn key(&self) -> u32 {
        self.key
    }

    /// Adds the message of a frame to bytes: what lies in the patches, which must hold all that differs from the
    /// background and be within the picture. `head.key` and the flag of differences are set here.
    pub fn frame(
        &mut self,
        head: FrameHead,
        rgb: &[u8],
        patches: &[FramePatch],
        out: &mut Vec<u8>,
    ) {
        self.differences.clear();
        let noisy = head.flags & EVERYWHERE != 0;
        for patch in patches {
            take_apart(patch, (self.size[0], noisy), rgb, &self.background, &mut self.differences);
        }
        let flags = if noisy { EVERYWHERE | DIFFERENCES } else { 0 };
        write_frame_head(
            &FrameHead { key: self.key, flags, ..head },
            checksum(patches, self.size[0], rgb),
            patches,
            out,
        );
        if noisy {
            by_planes(&self.differences, &mut self.planes);
            deflate(&mut self.deflate_noise, &self.planes, out);
        } else {
            deflate(&mut self.deflate, &self.differences, out);
        }
    }
}

/// Adds bytes, compressed, to others.
fn deflate(compress: &mut Compress, bytes: &[u8], out: &mut Vec<u8>) {
    compress.reset();
    let mut done = 0;
    loop {
        // Room for what cannot be compressed.
        out.reserve((bytes.len() - done) / 8 + 4096);
        let before = compress.total_in();
        let status = compress.compress_vec(&bytes[done..], out, FlushCompress::Finish);
        done += (compress.total_in() - before) as usize;
        if !matches!(status, Ok(Status::Ok | Status::BufError)) {
            return;
        }
    }
}
