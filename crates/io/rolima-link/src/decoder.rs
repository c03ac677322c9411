//! Bytes to whole frames.

use crate::messages::{DIFFERENCES, FrameHead, FramePatch, MessageError, bad};
use crate::pixels::{checksum, put_together, restore, rows};
use flate2::{Decompress, FlushDecompress, Status};

/// Why there is no frame.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FrameError {
    /// Its background is not here: it has to be asked for.
    #[error("the frame needs background {expected}, here is {}", shown(*.got))]
    NoKey {
        /// Number of the background.
        expected: u32,
        /// That which is here.
        got: Option<u32>,
    },
    /// It makes no sense.
    #[error(transparent)]
    Message(#[from] MessageError),
}

fn shown(key: Option<u32>) -> String {
    key.map_or("none".to_owned(), |key| key.to_string())
}

/// Makes whole pictures of a camera's messages.
///
/// ```
/// use rolima_link::{FrameHead, FramePatch, PictureDecoder, PictureEncoder, ServerMessage};
/// let background = vec![40; 3 * 8 * 4];
/// let mut rgb = background.clone();
/// rgb[3 * 9..3 * 9 + 3].copy_from_slice(&[250, 120, 0]);
/// let mut encoder = PictureEncoder::new(1, [8, 4], &background).expect("a size");
/// let patch = FramePatch { left: 0, top: 1, width: 3, height: 1 };
/// let mut message = vec![];
/// encoder.frame(FrameHead { number: 1, ..FrameHead::default() }, &rgb, &[patch], &mut message);
///
/// let mut decoder = PictureDecoder::default();
/// for message in [encoder.key_message(), &message] {
///     match ServerMessage::read(message)? {
///         ServerMessage::Key { key, width, height, crc, data } => {
///             decoder.key(key, [width, height], crc, data)?;
///         }
///         ServerMessage::Frame { head, crc, patches, data } => {
///             decoder.frame(&head, crc, &patches, data)?;
///         }
///         _ => {}
///     }
/// }
/// assert_eq!(decoder.rgb(), rgb);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PictureDecoder {
    key: Option<u32>,
    size: [u32; 2],
    background: Vec<u8>,
    rgb: Vec<u8>,
    /// What lies over the background now.
    over: Vec<FramePatch>,
    inflate: Decompress,
    differences: Vec<u8>,
}

impl Default for PictureDecoder {
    fn default() -> Self {
        Self {
            key: None,
            size: [0; 2],
            background: vec![],
            rgb: vec![],
            over: vec![],
            inflate: Decompress::new(false),
            differences: vec![],
        }
    }
}

impl PictureDecoder {
    /// The background that is here, by its number.
    pub fn has_key(&self) -> Option<u32> {
        self.key
    }

    /// Width and height, pixels; 0 before the first background.
    pub fn size(&self) -> [u32; 2] {
        self.size
    }

    /// The last frame, or the background: red, green, blue of each pixel, top row first.
    pub fn rgb(&self) -> &[u8] {
        &self.rgb
    }

    /// The picture of the empty field.
    pub fn background(&self) -> &[u8] {
        &self.background
    }

    /// Takes a background.
    pub fn key(
        &mut self,
        key: u32,
        [width, height]: [u32; 2],
        crc: u32,
        data: &[u8],
    ) -> Result<(), FrameError> {
        if self.key == Some(key) && self.size == [width, height] {
            return Ok(());
        }
        let mut pixels = vec![];
        inflate(&mut self.inflate, data, 3 * width as usize * height as usize, &mut pixels)?;
        restore(&mut pixels, width);
        check_crc(crc, crc32fast::hash(&pixels))?;
        (self.key, self.size) = (Some(key), [width, height]);
        self.rgb.clone_from(&pixels);
        self.background = pixels;
        self.over.clear();
        Ok(())
    }

    /// Takes a frame: the picture is then that which the camera made. After an error it is the background.
    pub fn frame(
        &mut self,
        head: &FrameHead,
        crc: u32,
        patches: &[FramePatch],
        data: &[u8],
    ) -> Result<(), FrameError> {
        if self.key != Some(head.key) {
            return Err(FrameError::NoKey { expected: head.key, got: self.key });
        }
        let count = self.check(patches)?;
        inflate(&mut self.inflate, data, 3 * count, &mut self.differences)?;
        self.clear();
        let (mut first, noisy) = (0, head.flags & DIFFERENCES != 0);
        for patch in patches {
            let (all, own) = (&self.differences, patch.pixels());
            if noisy {
                let pixel = |i: usize| [all[i], all[count + i], all[2 * count + i]];
                let own = (first..first + own).map(pixel);
                put_together(patch, (self.size[0], noisy), own, &self.background, &mut self.rgb);
            } else {
                let own = all[3 * first..3 * (first + own)].chunks_exact(3);
                let own = own.map(|pixel| [pixel[0], pixel[1], pixel[2]]);
                put_together(patch, (self.size[0], noisy), own, &self.background, &mut self.rgb);
            }
            first += own;
        }
        self.over.extend_from_slice(patches);
        let found = checksum(patches, self.size[0], &self.rgb);
        check_crc(crc, found).inspect_err(|_| self.clear())?;
        Ok(())
    }

    /// Lays the background bare again.
    fn clear(&mut self) {
        for patch in self.over.drain(..) {
            for row in rows(&patch, self.size[0]) {
                self.rgb[row.clone()].copy_from_slice(&self.background[row]);
            }
        }
    }

    /// Patches must lie in the picture and have no more pixels than it. Returns how many they have.
    fn check(&self, patches: &[FramePatch]) -> Result<usize, MessageError> {
        let [width, height] = self.size;
        let mut count = 0;
        for patch in patches {
            let FramePatch { left, top, width: across, height: down } = *patch;
            let right = u32::from(left) + u32::from(across);
            let bottom = u32::from(top) + u32::from(down);
            count += patch.pixels();
            if right > width || bottom > height || count > (width * height) as usize {
                let expected = format!("patches within {width} x {height} pixels");
                return Err(bad("frame", expected, format!("{left} {top} {across} {down}")));
            }
        }
        Ok(count)
    }
}

fn check_crc(expected: u32, got: u32) -> Result<(), MessageError> {
    if expected == got { Ok(()) } else { Err(bad("checksum of pixels", expected, got)) }
}

/// Decompresses exactly so many bytes.
fn inflate(
    inflate: &mut Decompress,
    data: &[u8],
    count: usize,
    out: &mut Vec<u8>,
) -> Result<(), MessageError> {
    inflate.reset(false);
    out.clear();
    // One more than there may be, so that too many are noticed.
    out.reserve(count + 1);
    let wrong = |got: String| bad("compressed pixels", format!("{count} bytes"), got);
    loop {
        let (read, written) = (inflate.total_in(), out.len());
        let rest = &data[read as usize..];
        let status = inflate.decompress_vec(rest, out, FlushDecompress::Finish);
        let status = status.map_err(|error| wrong(error.to_string()))?;
        if out.len() > count {
            return Err(wrong("more".to_owned()));
        }
        match status {
            Status::StreamEnd
                if out.len() == count && inflate.total_in() as usize == data.len() =>
            {
                return Ok(());
            }
            Status::Ok | Status::BufError if inflate.total_in() > read || out.len() > written => {}
            _ => return Err(wrong(out.len().to_string())),
        }
    }
}
