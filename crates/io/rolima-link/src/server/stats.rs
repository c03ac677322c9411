//! What was sent, and what was left out.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

macro_rules! counters {
    ($($(#[doc = $doc:literal])+ $name:ident,)+) => {
        /// What a camera's link has done so far.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub struct LinkStats {
            $($(#[doc = $doc])+ pub $name: u64,)+
        }

        #[derive(Default)]
        pub(crate) struct Counters {
            $(pub(crate) $name: AtomicU64,)+
        }

        impl Counters {
            pub(crate) fn read(&self) -> LinkStats {
                LinkStats { $($name: self.$name.load(Relaxed),)+ }
            }
        }
    };
}

counters! {
    /// Frames that were made.
    frames,
    /// Bytes of their messages.
    frame_bytes,
    /// Frames that the camera itself lost, as the scene says.
    lost,
    /// Frames that the camera sent late, as the scene says.
    late,
    /// Shots that came while the camera's thread was busy, and were left out.
    skipped,
    /// Frames that clients by TCP did not get because they read too slowly, of all of them.
    missed,
    /// Datagrams that the system did not take.
    unsent,
    /// Clients that were let in.
    clients,
    /// Clients and connections that were refused or given up.
    refused,
    /// Datagrams and messages of clients that made no sense, or were not theirs to say.
    bad,
    /// How often more datagrams came at once than are looked at; those beyond stay with the system.
    flooded,
}

impl fmt::Display for LinkStats {
    /// In a line, what went wrong only where something did.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let megabytes = self.frame_bytes as f64 / 1e6;
        write!(f, "{} frames, {megabytes:.2} MB, {} clients", self.frames, self.clients)?;
        let told = [
            (self.lost, "lost by the camera"),
            (self.late, "late by the camera"),
            (self.skipped, "shots left out"),
            (self.missed, "missed by slow clients"),
            (self.unsent, "datagrams unsent"),
            (self.refused, "refused or given up"),
            (self.bad, "messages without sense"),
            (self.flooded, "floods cut off"),
        ];
        told.iter()
            .filter(|(count, _)| *count > 0)
            .try_for_each(|(count, what)| write!(f, ", {count} {what}"))
    }
}

/// Counts.
pub(crate) fn count(counter: &AtomicU64, amount: u64) {
    counter.fetch_add(amount, Relaxed);
}
