//! What was sent, and what was left out.

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
    /// Datagrams that were thrown away because too many came at once.
    flooded,
}

/// Counts.
pub(crate) fn count(counter: &AtomicU64, amount: u64) {
    counter.fetch_add(amount, Relaxed);
}
