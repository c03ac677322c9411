//! Memory as 64-bit words that one writer and many readers share, without a data race.
//!
//! The one place of this crate with unsafe code: it turns a mapped file into a slice of atomics.

use memmap2::{MmapOptions, MmapRaw};
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

enum Memory {
    Mapped(MmapRaw),
    Own(Box<[AtomicU64]>),
}

/// Words of 64 bits, shared with other threads or processes.
pub(crate) struct Words {
    memory: Memory,
    count: usize,
}

impl Words {
    /// Memory of this process only, zero.
    pub(crate) fn anonymous(count: usize) -> Self {
        let own = (0..count).map(|_| AtomicU64::new(0)).collect();
        Self { memory: Memory::Own(own), count }
    }

    /// A file's first words, to be written. The file must be that long.
    pub(crate) fn map_to_write(file: &File, count: usize) -> io::Result<Self> {
        let map = MmapOptions::new().len(count * 8).map_raw(file)?;
        Ok(Self { memory: Memory::Mapped(map), count })
    }

    /// All whole words of a file, to be read. The caller never stores.
    pub(crate) fn map_to_read(file: &File) -> io::Result<Self> {
        let bytes = usize::try_from(file.metadata()?.len()).map_err(io::Error::other)?;
        let count = bytes / 8;
        if count == 0 {
            return Err(io::Error::new(io::ErrorKind::InvalidData, "the file is empty"));
        }
        let map = MmapOptions::new().len(count * 8).map_raw_read_only(file)?;
        Ok(Self { memory: Memory::Mapped(map), count })
    }

    /// How many words there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    #[allow(unsafe_code, reason = "a mapped file is only a pointer")]
    pub(crate) fn all(&self) -> &[AtomicU64] {
        match &self.memory {
            Memory::Own(words) => words,
            // SAFETY: the mapping begins at a page, so it is aligned; it is `count * 8` bytes long
            // and lives as long as `self`. Everybody, here and in other processes, reads and
            // writes these words by atomic operations only. Mappings made to be read are only
            // loaded from, relaxed, which is allowed on memory without write permission.
            Memory::Mapped(map) => unsafe {
                std::slice::from_raw_parts(map.as_ptr().cast::<AtomicU64>(), self.count)
            },
        }
    }

    /// A word, relaxed. Zero beyond the end.
    pub(crate) fn load(&self, index: usize) -> u64 {
        self.all().get(index).map_or(0, |word| word.load(Ordering::Relaxed))
    }

    /// Stores a word, relaxed. Nothing beyond the end.
    pub(crate) fn store(&self, index: usize, value: u64) {
        if let Some(word) = self.all().get(index) {
            word.store(value, Ordering::Relaxed);
        }
    }
}
