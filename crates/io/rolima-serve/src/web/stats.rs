//! What viewers cost.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

/// Counters of a server.
#[derive(Debug, Default)]
pub(crate) struct Stats {
    pub(crate) viewers: AtomicU64,
    pub(crate) viewers_ever: AtomicU64,
    pub(crate) cut_off: AtomicU64,
    pub(crate) half_sent_bytes: AtomicU64,
    pub(crate) frames_sent: AtomicU64,
    pub(crate) frames_dropped: AtomicU64,
    pub(crate) bytes_sent: AtomicU64,
    pub(crate) ticks: AtomicU64,
    pub(crate) encodings: AtomicU64,
    pub(crate) encoding_ns: AtomicU64,
    pub(crate) copying_ns: AtomicU64,
}

/// What viewers have cost so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ViewerStats {
    /// Viewers now.
    pub viewers: u64,
    /// Viewers that there ever were.
    pub viewers_ever: u64,
    /// Viewers that were cut off, because they did not read, said too much or gave no sign.
    pub cut_off: u64,
    /// Memory that half-sent messages hold now, of that which is for all of them, bytes.
    pub half_sent_bytes: u64,
    /// Frames sent, over all viewers.
    pub frames_sent: u64,
    /// Frames that slow viewers skipped, over all viewers.
    pub frames_dropped: u64,
    /// Bytes of messages sent, over all viewers.
    pub bytes_sent: u64,
    /// Frames made for all of them.
    pub ticks: u64,
    /// Encodings of them: at most two a frame, however many viewers there are.
    pub encodings: u64,
    /// Time spent encoding.
    pub encoding: Duration,
    /// Time spent copying publications out of the state block.
    pub copying: Duration,
}

impl Stats {
    pub(crate) fn add(counter: &AtomicU64, amount: u64) {
        counter.fetch_add(amount, Relaxed);
    }

    pub(crate) fn now(&self) -> ViewerStats {
        ViewerStats {
            viewers: self.viewers.load(Relaxed),
            viewers_ever: self.viewers_ever.load(Relaxed),
            cut_off: self.cut_off.load(Relaxed),
            half_sent_bytes: self.half_sent_bytes.load(Relaxed),
            frames_sent: self.frames_sent.load(Relaxed),
            frames_dropped: self.frames_dropped.load(Relaxed),
            bytes_sent: self.bytes_sent.load(Relaxed),
            ticks: self.ticks.load(Relaxed),
            encodings: self.encodings.load(Relaxed),
            encoding: Duration::from_nanos(self.encoding_ns.load(Relaxed)),
            copying: Duration::from_nanos(self.copying_ns.load(Relaxed)),
        }
    }
}
