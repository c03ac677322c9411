//! Compressing chunks.

use std::io;
use zstd::zstd_safe::{CParameter, Strategy};

/// Compresses chunks, each by itself and as a whole.
pub(crate) struct Compressor(zstd::bulk::Compressor<'static>);

impl Compressor {
    pub(crate) fn new() -> io::Result<Self> {
        let mut compressor = zstd::bulk::Compressor::new(1)?;
        compressor.set_parameter(CParameter::Strategy(Strategy::ZSTD_fast))?;
        compressor.set_parameter(CParameter::MinMatch(4))?;
        compressor.set_parameter(CParameter::HashLog(13))?;
        Ok(Self(compressor))
    }

    /// Compresses bytes into one frame. `out` is overwritten.
    pub(crate) fn compress(&mut self, bytes: &[u8], out: &mut Vec<u8>) -> io::Result<()> {
        out.clear();
        out.reserve(zstd::zstd_safe::compress_bound(bytes.len()));
        self.0.compress_to_buffer(bytes, out).map(drop)
    }
}
