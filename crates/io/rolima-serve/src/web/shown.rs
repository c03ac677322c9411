//! What programs want this viewer to see, told when it changes.

use crate::robotone::Shown;
use crate::robotone::shown::ShownChanges;
use axum::body::Bytes;
use std::time::{Duration, Instant};

/// Traces can be long: so often they are told at most, whatever programs do.
const TRACES_EVERY: Duration = Duration::from_millis(100);

/// What one viewer was told.
pub(super) struct ShownTo {
    shown: Shown,
    told: ShownChanges,
    traces_told: Option<Instant>,
}

impl ShownTo {
    pub(super) fn new(shown: Shown) -> Self {
        Self { shown, told: ShownChanges::default(), traces_told: None }
    }

    /// Another scene begins for this viewer: it is told everything again, but for warnings and notices.
    pub(super) fn begin_scene(&mut self) {
        // What people were told once they know.
        let ShownChanges { warns, tells, .. } = self.told;
        *self = Self::new(self.shown.clone());
        (self.told.warns, self.told.tells) = (warns, tells);
    }

    /// What this viewer has not been told yet.
    pub(super) fn messages(&mut self) -> Vec<Bytes> {
        // Asked for first: what changes while it is copied is told again.
        let now = self.shown.changes();
        let mut messages: Vec<Bytes> = vec![];
        if self.told.warns != now.warns {
            self.told.warns = now.warns;
            messages.extend(self.shown.warning_message().map(Bytes::from));
        }
        if self.told.views != now.views {
            self.told.views = now.views;
            messages.extend(self.shown.look_message().map(Bytes::from));
        }
        if self.told.tells != now.tells {
            self.told.tells = now.tells;
            messages.extend(self.shown.notice_message().map(Bytes::from));
        }
        let may = self.traces_told.is_none_or(|told| told.elapsed() >= TRACES_EVERY);
        if self.told.traces != now.traces && may {
            self.told.traces = now.traces;
            self.traces_told = Some(Instant::now());
            messages.push(self.shown.traces_message().into());
        }
        messages
    }
}
