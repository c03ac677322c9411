//! Pictures to files.
//!
//! | module | what |
//! |---|---|
//! | `gif` | GIF: 255 colours a picture, chosen by `palette` |
//! | `apng` | animated PNG: lossless |
//! | `mp4` | H.264 in MP4 (feature `mp4`) |
//! | `ffmpeg` | whatever ffmpeg makes of it |
//! | `changed` | where a picture differs from the one before |

mod apng;
mod changed;
mod ffmpeg;
mod gif;
#[cfg(feature = "mp4")]
mod mp4;
mod palette;

use crate::FilmError;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// What a film is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reel {
    /// Width and height of its pictures, pixels.
    pub size: [u32; 2],
    /// Pictures a second.
    pub fps: u32,
    /// How many pictures there are to be; fewer if it ends before.
    pub pictures: u64,
}

/// What a film is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// GIF, for ever round.
    Gif,
    /// Animated PNG, for ever round.
    Apng,
    /// H.264 in MP4.
    Mp4,
}

/// A film that is written, picture by picture.
pub trait Encode: Send {
    /// Takes the next picture: three bytes a pixel, top row first.
    fn write(&mut self, rgb: &[u8]) -> Result<(), FilmError>;

    /// Writes what is left, once all pictures are in.
    fn finish(self: Box<Self>) -> Result<(), FilmError>;

    /// Removes what there is of the file.
    fn call_off(self: Box<Self>);
}

impl Format {
    /// The format that a file's name says.
    pub fn of(path: &Path) -> Option<Self> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        Some(match ending.as_str() {
            "gif" => Self::Gif,
            "apng" | "png" => Self::Apng,
            "mp4" => Self::Mp4,
            _ => return None,
        })
    }
}

impl Reel {
    /// Bytes of a picture.
    pub fn bytes(&self) -> usize {
        3 * self.size[0] as usize * self.size[1] as usize
    }

    /// Begins a film in the format that the file's name says. An old file is lost by `force` only.
    pub fn open(&self, path: &Path, force: bool) -> Result<Box<dyn Encode>, FilmError> {
        let file = || path.display().to_string();
        match Format::of(path).ok_or_else(|| FilmError::Format { file: file() })? {
            Format::Gif => Ok(Box::new(gif::Gif::create(self, path, force)?)),
            Format::Apng => Ok(Box::new(apng::Apng::create(self, path, force)?)),
            #[cfg(feature = "mp4")]
            Format::Mp4 => Ok(Box::new(mp4::Mp4::create(self, path, force)?)),
            #[cfg(not(feature = "mp4"))]
            Format::Mp4 => Err(FilmError::NoMp4 { file: file() }),
        }
    }

    /// Begins a film in any format that ffmpeg knows by the file's name.
    pub fn open_ffmpeg(&self, path: &Path, force: bool) -> Result<Box<dyn Encode>, FilmError> {
        Ok(Box::new(ffmpeg::Ffmpeg::create(self, path, force, "ffmpeg")?))
    }
}

/// A file in the making.
struct Output {
    path: PathBuf,
}

impl Output {
    /// Makes the file, for reading and writing; an old one is lost by `force` only.
    fn create(path: &Path, force: bool) -> Result<(Self, File), FilmError> {
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        match force {
            true => options.create(true).truncate(true),
            false => options.create_new(true),
        };
        let own = Self { path: path.to_owned() };
        let opened = options.open(path).map_err(|why| match why.kind() {
            ErrorKind::AlreadyExists => io::Error::other("it exists; --force writes over it"),
            _ => why,
        });
        let file = opened.map_err(|why| own.broken(why))?;
        Ok((own, file))
    }

    /// An error of the system on this file.
    fn broken(&self, why: io::Error) -> FilmError {
        FilmError::File { file: self.path.display().to_string(), why }
    }

    /// An error of an encoder.
    fn refused(&self, why: impl ToString) -> FilmError {
        FilmError::Encoder { file: self.path.display().to_string(), why: why.to_string() }
    }

    /// Removes the file.
    fn remove(&self) {
        // Where that fails nothing can be done about it.
        let _ = std::fs::remove_file(&self.path);
    }
}
