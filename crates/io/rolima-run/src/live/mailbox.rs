//! The way into a live run: a bounded queue that many may put requests into.

use super::contract::{Request, TimedRequest};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::Instant;

/// Requests that may wait unless somebody chooses otherwise: some milliseconds' worth for the loop.
pub const QUEUE_LENGTH: usize = 1024;

/// Why a request did not get into the queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Undelivered {
    /// Too many wait already.
    #[error("too many requests wait for the simulation: try again later")]
    Full,
    /// The run is over.
    #[error("the simulation has ended")]
    Ended,
}

/// Puts requests into a live run's queue, from any thread; clones share the queue. Never blocks.
#[derive(Clone)]
pub struct Mailbox {
    sender: SyncSender<TimedRequest>,
    refused: Arc<AtomicU64>,
}

impl Mailbox {
    /// A queue of this length, at least 1, and its other end.
    pub(super) fn new(length: usize) -> (Self, Receiver<TimedRequest>) {
        let (sender, receiver) = sync_channel(length.max(1));
        (Self { sender, refused: Arc::default() }, receiver)
    }

    /// Asks for something that arrives now.
    pub fn send(&self, request: Request) -> Result<(), Undelivered> {
        self.send_at(Instant::now(), request)
    }

    /// Asks for something that arrived at an instant: when its bytes came out of a socket, say.
    ///
    /// It takes effect at that instant if the world has not got further; it cannot be in the
    /// future.
    pub fn send_at(&self, at: Instant, request: Request) -> Result<(), Undelivered> {
        match self.sender.try_send(TimedRequest { at, request }) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => {
                self.refused.fetch_add(1, Ordering::Relaxed);
                Err(Undelivered::Full)
            }
            Err(TrySendError::Disconnected(_)) => Err(Undelivered::Ended),
        }
    }

    /// How many requests were refused because too many waited.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_refuses_and_counts_and_an_ended_run_says_so() {
        let (mailbox, inbox) = Mailbox::new(2);
        let other = mailbox.clone();
        assert_eq!(mailbox.send(Request::Pause), Ok(()));
        assert_eq!(other.send(Request::Play), Ok(()));
        assert_eq!(other.send(Request::Play), Err(Undelivered::Full));
        assert_eq!(mailbox.refused(), 1);
        assert!(matches!(inbox.recv().map(|a| a.request), Ok(Request::Pause)));
        assert_eq!(mailbox.send(Request::Play), Ok(()), "there is room again");
        drop(inbox);
        assert_eq!(mailbox.send(Request::Play), Err(Undelivered::Ended));
    }
}
