//! What a recording is read from: any part of it at any time, by several readers at once.

use rolima_scene::open_regular;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::Arc;

/// The bytes of a recording.
pub(crate) enum Input {
    File(File, u64),
    Memory(Arc<[u8]>),
}

impl Input {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let file = open_regular(path)?;
        let bytes = file.metadata()?.len();
        Ok(Self::File(file, bytes))
    }

    /// How many there were when it was opened: a recording may be growing.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Self::File(_, bytes) => *bytes,
            Self::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// Reads so many bytes from there; an error where there are fewer. `out` is overwritten.
    pub(crate) fn read(&self, offset: u64, count: u64, out: &mut Vec<u8>) -> io::Result<()> {
        let end = offset.checked_add(count).filter(|&end| end <= self.len());
        let (Some(end), Ok(count)) = (end, usize::try_from(count)) else {
            return Err(io::ErrorKind::UnexpectedEof.into());
        };
        out.clear();
        match self {
            Self::File(file, _) => {
                out.resize(count, 0);
                read_exact_at(file, out, offset)
            }
            Self::Memory(bytes) => {
                out.extend_from_slice(&bytes[offset as usize..end as usize]);
                Ok(())
            }
        }
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, out: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, out, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut out: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !out.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, out, offset)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                out = &mut out[read..];
                offset += read as u64;
            }
        }
    }
    Ok(())
}

/// Where a file has but one place at a time, there are no threads either.
#[cfg(not(any(unix, windows)))]
fn read_exact_at(mut file: &File, out: &mut [u8], offset: u64) -> io::Result<()> {
    use std::io::{Read as _, Seek as _, SeekFrom};
    file.seek(SeekFrom::Start(offset))?;
    file.read_exact(out)
}
