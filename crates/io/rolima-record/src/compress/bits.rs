//! Bits, one after the other, from the lowest of each byte on.

/// Puts bits behind what is there.
pub(super) struct BitWriter<'a> {
    out: &'a mut Vec<u8>,
    bits: u64,
    count: u32,
}

impl<'a> BitWriter<'a> {
    pub(super) fn new(out: &'a mut Vec<u8>) -> Self {
        Self { out, bits: 0, count: 0 }
    }

    /// The lowest bits of a number, 32 at most between two calls of [`BitWriter::carry`].
    #[inline]
    pub(super) fn put(&mut self, number: u32, count: u32) {
        self.bits |= (u64::from(number) & ((1 << count) - 1)) << self.count;
        self.count += count;
    }

    /// Makes room for 32 bits.
    #[inline]
    pub(super) fn carry(&mut self) {
        if self.count >= 32 {
            self.out.extend_from_slice(&(self.bits as u32).to_le_bytes());
            self.bits >>= 32;
            self.count -= 32;
        }
    }

    /// The lowest bits of a number, 64 at most, with room made behind them.
    #[inline]
    pub(super) fn put_long(&mut self, number: u64, count: u32) {
        self.put(number as u32, count.min(32));
        self.carry();
        if count > 32 {
            self.put((number >> 32) as u32, count - 32);
            self.carry();
        }
    }

    /// Fills the last byte with zeros.
    pub(super) fn end(self) {
        let bytes = self.count.div_ceil(8) as usize;
        self.out.extend_from_slice(&self.bits.to_le_bytes()[..bytes]);
    }
}
