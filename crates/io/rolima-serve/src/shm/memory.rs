//! Memory as 64-bit words that one writer and many readers share, without a data race.
//!
//! The one place of this crate with unsafe code: it turns a mapped file into a slice of atomics.

use memmap2::{MmapOptions, MmapRaw};
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

/// Words of a page of memory: of the smallest that there are.
const PAGE_WORDS: usize = 512;

enum Memory {
    Mapped(MmapRaw),
    Own(Box<[AtomicU64]>),
}

/// Words of 64 bits, shared with other threads or processes.
pub(crate) struct SharedWords {
    memory: Memory,
    count: usize,
}

impl SharedWords {
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

    /// Stores bytes from byte `first` after word `index` on; those before it in the same word stay.
    pub(crate) fn store_bytes(&self, index: usize, first: usize, bytes: &[u8]) {
        let (index, skipped) = (index + first / 8, first % 8);
        let head = bytes.len().min(8 - skipped);
        let mut word = self.load(index).to_le_bytes();
        word[skipped..skipped + head].copy_from_slice(&bytes[..head]);
        self.store(index, u64::from_le_bytes(word));
        for (i, chunk) in bytes[head..].chunks(8).enumerate() {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.store(index + 1 + i, u64::from_le_bytes(word));
        }
    }

    /// So many bytes from word `index` on.
    pub(crate) fn bytes(&self, index: usize, count: usize) -> Vec<u8> {
        let words = index..index + count.div_ceil(8);
        let mut bytes: Vec<u8> = words.flat_map(|i| self.load(i).to_le_bytes()).collect();
        bytes.truncate(count);
        bytes
    }

    /// Stores a zero into every page of new memory, so that the system has given it.
    pub(crate) fn touch(&self) {
        (0..self.count).step_by(PAGE_WORDS).for_each(|index| self.store(index, 0));
    }

    /// Stores a word, relaxed. Nothing beyond the end.
    pub(crate) fn store(&self, index: usize, value: u64) {
        if let Some(word) = self.all().get(index) {
            word.store(value, Ordering::Relaxed);
        }
    }
}
