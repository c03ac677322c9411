//! GIF. Each picture has the colours of what changed since the one before; the rest shows through.

use super::changed::Changes;
use super::palette::Palette;
use super::{Encode, Output, Reel};
use crate::FilmError;
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Players show pictures that are to last less than 2/100 s for 1/10 s.
const MOST_FPS: u32 = 50;
/// Colours of a picture beside the one that lets the picture before show through.
const COLOURS: usize = 255;

pub(super) struct Gif {
    output: Output,
    encoder: Encoder<BufWriter<File>>,
    changes: Changes,
    palette: Palette,
    fps: u64,
    taken: u64,
}

impl Gif {
    pub(super) fn create(reel: &Reel, path: &Path, force: bool) -> Result<Self, FilmError> {
        let refused = |expected, got| Err(FilmError::Reel { format: "GIF", expected, got });
        if reel.fps > MOST_FPS {
            return refused("at most 50 pictures a second", reel.fps.to_string());
        }
        let [Ok(width), Ok(height)] = reel.size.map(u16::try_from) else {
            let [width, height] = reel.size;
            return refused("at most 65535 x 65535 pixels", format!("{width} x {height}"));
        };
        let (output, file) = Output::create(path, force)?;
        let begin = || -> Result<_, EncodingError> {
            let mut encoder = Encoder::new(BufWriter::new(file), width, height, &[])?;
            encoder.set_repeat(Repeat::Infinite)?;
            Ok(encoder)
        };
        let encoder = begin().map_err(|error| broken(&output, error))?;
        let (changes, palette) = (Changes::new(reel.size), Palette::new());
        Ok(Self { output, encoder, changes, palette, fps: u64::from(reel.fps), taken: 0 })
    }

    /// How long the next picture lasts, 1/100 s: rates that are no whole hundredths take turns, so that the
    /// whole keeps time.
    fn delay(&self) -> u16 {
        let begin = |picture: u64| (100 * picture + self.fps / 2) / self.fps;
        (begin(self.taken + 1) - begin(self.taken)) as u16
    }
}

impl Encode for Gif {
    fn write(&mut self, rgb: &[u8]) -> Result<(), FilmError> {
        let part = self.changes.part(rgb);
        let before = self.changes.before();
        let pixel = |of: &[u8], at: usize| [of[at], of[at + 1], of[at + 2]];
        let is_new = |at: usize| before.is_none_or(|old| old[at..at + 3] != rgb[at..at + 3]);
        for at in self.changes.places(part).filter(|&at| is_new(at)) {
            self.palette.count(pixel(rgb, at));
        }
        let mut colours = self.palette.choose(COLOURS);
        let through = (colours.len() / 3) as u8;
        colours.extend([0; 3]);
        let palette = &self.palette;
        let index = |at| if is_new(at) { palette.index(pixel(rgb, at)) } else { through };
        let indices: Vec<u8> = self.changes.places(part).map(index).collect();
        let frame = Frame {
            delay: self.delay(),
            dispose: DisposalMethod::Keep,
            transparent: Some(through),
            left: part.left as u16,
            top: part.top as u16,
            width: part.width as u16,
            height: part.height as u16,
            palette: Some(colours),
            buffer: indices.into(),
            ..Frame::default()
        };
        self.encoder.write_frame(&frame).map_err(|error| broken(&self.output, error))?;
        self.changes.keep(rgb);
        self.taken += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), FilmError> {
        let Self { output, encoder, .. } = *self;
        let written = encoder.into_inner().and_then(|mut file| Ok(file.flush()?));
        written.map_err(|error| broken(&output, error))
    }

    fn call_off(self: Box<Self>) {
        let Self { output, encoder, .. } = *self;
        drop(encoder);
        output.remove();
    }
}

fn broken(output: &Output, error: EncodingError) -> FilmError {
    match error {
        EncodingError::Io(why) => output.broken(why),
        other => output.refused(other),
    }
}
