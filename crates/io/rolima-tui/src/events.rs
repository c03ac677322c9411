//! Events in words.

use rolima_core::{Event, Happened};
pub(super) use rolima_run::live::event_in_words as in_words;

/// Impacts slower than this are not worth a line, m/s.
const SLOWEST_TOLD_M_S: f64 = 0.1;

/// Whether people want to read of it. Tyres let go many times a second; that is only counted.
pub(super) fn is_told(event: &Event) -> bool {
    match event.what {
        Happened::Impact { speed, .. } => speed >= SLOWEST_TOLD_M_S,
        Happened::Slip { .. } | Happened::EnergyCap { .. } => false,
        _ => true,
    }
}
