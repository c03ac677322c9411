//! What programs want this viewer to see, told when it changes.

use crate::robotone::ViewHints;
use crate::robotone::view_hints::ViewHintChanges;
use axum::body::Bytes;
use std::time::{Duration, Instant};

/// Traces can be long: so often they are told at most, whatever programs do.
const TRACES_EVERY: Duration = Duration::from_millis(100);

/// What one viewer was told.
pub(super) struct SentViewHints {
    view_hints: ViewHints,
    last_sent: ViewHintChanges,
    traces_sent: Option<Instant>,
}

impl SentViewHints {
    pub(super) fn new(view_hints: ViewHints) -> Self {
        Self { view_hints, last_sent: ViewHintChanges::default(), traces_sent: None }
    }

    /// Another scene begins for this viewer: it is told everything again, but for warnings and notices.
    pub(super) fn begin_scene(&mut self) {
        // What people were told once they know.
        let ViewHintChanges { warns, tells, .. } = self.last_sent;
        *self = Self::new(self.view_hints.clone());
        (self.last_sent.warns, self.last_sent.tells) = (warns, tells);
    }

    /// What this viewer has not been told yet.
    pub(super) fn messages(&mut self) -> Vec<Bytes> {
        // Asked for first: what changes while it is copied is told again.
        let now = self.view_hints.changes();
        let mut messages: Vec<Bytes> = vec![];
        if self.last_sent.warns != now.warns {
            self.last_sent.warns = now.warns;
            messages.extend(self.view_hints.warning_message().map(Bytes::from));
        }
        if self.last_sent.views != now.views {
            self.last_sent.views = now.views;
            messages.extend(self.view_hints.look_message().map(Bytes::from));
        }
        if self.last_sent.tells != now.tells {
            self.last_sent.tells = now.tells;
            messages.extend(self.view_hints.notice_message().map(Bytes::from));
        }
        let may = self.traces_sent.is_none_or(|last_sent| last_sent.elapsed() >= TRACES_EVERY);
        if self.last_sent.traces != now.traces && may {
            self.last_sent.traces = now.traces;
            self.traces_sent = Some(Instant::now());
            messages.push(self.view_hints.traces_message().into());
        }
        messages
    }
}
