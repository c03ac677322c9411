//! What a WebSocket may send before it is a message: a share of a memory for all of them, a time
//! for the whole message, and few frames that are none.

use super::frames::FrameParser;
use super::options::ServerLimits;
use super::rate::{Bucket, time_for};
use super::stats::Stats;
use rolima_wire::ask::MOST_MESSAGE_BYTES;
use std::io;
use std::pin::Pin;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;

/// What every viewer may have half sent without asking: as long as a message that is no map.
const OWN_BYTES: u64 = MOST_MESSAGE_BYTES as u64;
/// A message from this length on is a long one.
const LONG_BYTES: u64 = 1 << 20;
/// Fragments and control frames a second, and at once, for each message a second that is allowed.
const PARTS: (f64, f64) = (10.0, 20.0);
/// Blocks of 4 KiB that are thrown away before others have their turn.
const DRAINED_AT_ONCE: usize = 16;

/// Memory for messages that are half sent, shared by all viewers.
pub(crate) struct IntakeBudget {
    most: u64,
    /// Its count of half-sent bytes is what is taken.
    stats: Arc<Stats>,
}

impl IntakeBudget {
    pub(crate) fn new(bytes: u64, stats: Arc<Stats>) -> Self {
        Self { most: bytes, stats }
    }

    /// Takes so many bytes, if there are as many.
    fn take(&self, bytes: u64) -> bool {
        let more = |taken: u64| taken.checked_add(bytes).filter(|sum| *sum <= self.most);
        self.stats.half_sent_bytes.fetch_update(Relaxed, Relaxed, more).is_ok()
    }

    fn give_back(&self, bytes: u64) {
        self.stats.half_sent_bytes.fetch_sub(bytes, Relaxed);
    }
}

/// Why nothing more is taken from a viewer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// There is no memory for what it sends.
    NoRoom,
    /// Far too many fragments, questions or answers.
    TooMany,
    /// A message that does not end.
    TooSlow,
}

struct Progress {
    parser: FrameParser,
    parts: Bucket,
    /// When the message began that has not ended.
    begun: Option<Instant>,
    /// What it has of the budget, and had at most.
    taken: u64,
    most_taken: u64,
    trouble: Option<Trouble>,
    /// Whether what still comes after the trouble is thrown away.
    is_drained: bool,
}

/// How one viewer gets on with what it sends.
pub(crate) struct Intake {
    budget: Arc<IntakeBudget>,
    longest: Duration,
    progress: Mutex<Progress>,
    changed: Notify,
}

impl Intake {
    pub(crate) fn new(budget: Arc<IntakeBudget>, limits: &ServerLimits, now: Instant) -> Arc<Self> {
        let rate = f64::from(limits.messages_per_second.max(1));
        let parts = Bucket::new(PARTS.0 * rate, PARTS.1 * rate, now);
        let parser = FrameParser::default();
        let progress = Progress {
            parser,
            parts,
            begun: None,
            taken: 0,
            most_taken: 0,
            trouble: None,
            is_drained: false,
        };
        Arc::new(Self {
            budget,
            longest: limits.message_timeout,
            progress: Mutex::new(progress),
            changed: Notify::new(),
        })
    }

    fn progress(&self) -> std::sync::MutexGuard<'_, Progress> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes note of bytes that have come.
    fn take(&self, bytes: &[u8], now: Instant) {
        let mut progress = self.progress();
        let before = progress.parser.ended();
        let parts = progress.parser.take(bytes);
        if progress.parser.ended() > before {
            progress.begun = None;
        }
        let bears = (0..parts).all(|_| progress.parts.take(now));
        let unfinished = progress.parser.unfinished();
        let wanted = unfinished.unwrap_or(0).saturating_sub(OWN_BYTES);
        if wanted < progress.taken {
            self.budget.give_back(progress.taken - wanted);
            progress.taken = wanted;
        }
        let has_room = wanted == progress.taken || self.budget.take(wanted - progress.taken);
        if has_room {
            progress.taken = wanted;
            progress.most_taken = progress.most_taken.max(wanted);
        }
        let begins = unfinished.is_some() && progress.begun.is_none();
        progress.begun = unfinished.and(progress.begun.or(Some(now)));
        progress.trouble = match (bears, has_room) {
            (false, _) => Some(Trouble::TooMany),
            (true, false) => Some(Trouble::NoRoom),
            (true, true) => progress.trouble,
        };
        if begins || progress.trouble.is_some() {
            self.changed.notify_one();
        }
    }

    /// Whether it ever had so much of the budget that it is worth to give memory back.
    pub(crate) fn was_long(&self) -> bool {
        self.progress().most_taken >= LONG_BYTES
    }

    /// From now on what comes is thrown away.
    pub(crate) fn drain(&self) {
        self.progress().is_drained = true;
    }

    /// When the message that is under way has to be there.
    fn deadline(&self, progress: &Progress) -> Option<Instant> {
        let more = time_for(progress.parser.unfinished()?);
        progress.begun.map(|begun| begun + self.longest + more)
    }

    /// Waits until nothing more can be taken.
    pub(crate) async fn trouble(&self) -> Trouble {
        loop {
            let (trouble, deadline) = {
                let progress = self.progress();
                (progress.trouble, self.deadline(&progress))
            };
            if let Some(trouble) = trouble {
                return trouble;
            }
            let Some(deadline) = deadline else {
                self.changed.notified().await;
                continue;
            };
            if deadline <= Instant::now() {
                return Trouble::TooSlow;
            }
            tokio::select! {
                () = self.changed.notified() => {}
                () = tokio::time::sleep_until(deadline.into()) => {}
            }
        }
    }
}

impl Drop for Intake {
    fn drop(&mut self) {
        let taken = self.progress().taken;
        self.budget.give_back(taken);
    }
}

/// A connection whose incoming bytes are frames of a WebSocket, and are watched.
pub(crate) struct Metered<S> {
    inner: S,
    intake: Arc<Intake>,
}

impl<S> Metered<S> {
    pub(crate) fn new(inner: S, intake: Arc<Intake>) -> Self {
        Self { inner, intake }
    }
}

impl<S: AsyncRead + Unpin> Metered<S> {
    /// Throws away what comes, up to its end.
    fn poll_drain(&mut self, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let mut bytes = [0; 4096];
        for _ in 0..DRAINED_AT_ONCE {
            let mut buffer = ReadBuf::new(&mut bytes);
            std::task::ready!(Pin::new(&mut self.inner).poll_read(context, &mut buffer))?;
            if buffer.filled().is_empty() {
                return Poll::Ready(Ok(()));
            }
        }
        // Others have their turn.
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Metered<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let (is_drained, is_in_trouble) = {
            let progress = self.intake.progress();
            (progress.is_drained, progress.trouble.is_some())
        };
        if is_drained {
            return self.poll_drain(context);
        }
        // Nothing more is read; whoever waits for the trouble ends the connection.
        if is_in_trouble {
            return Poll::Pending;
        }
        let before = buffer.filled().len();
        let read = Pin::new(&mut self.inner).poll_read(context, buffer);
        if matches!(read, Poll::Ready(Ok(()))) {
            self.intake.take(&buffer.filled()[before..], Instant::now());
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Metered<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.inner).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.inner).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The beginning of a message of 15 MiB, and so many bytes of it.
    fn half_sent(bytes: usize) -> Vec<u8> {
        let mut all = vec![0x82, 0xff, 0, 0, 0, 0, 0, 0xf0, 0, 0, 1, 2, 3, 4];
        all.resize(all.len() + bytes, 9);
        all
    }

    /// A budget, and what is taken of it.
    fn budget(bytes: u64) -> (Arc<IntakeBudget>, impl Fn() -> u64) {
        let stats = Arc::new(Stats::default());
        let budget = Arc::new(IntakeBudget::new(bytes, Arc::clone(&stats)));
        (budget, move || stats.half_sent_bytes.load(Relaxed))
    }

    fn is_in_trouble(intake: &Intake) -> bool {
        intake.progress().trouble.is_some()
    }

    #[test]
    fn all_viewers_share_one_memory_and_give_it_back() {
        let now = Instant::now();
        let (budget, taken) = budget(1_000_000);
        let intake = || Intake::new(Arc::clone(&budget), &ServerLimits::default(), now);
        let (one, two, three) = (intake(), intake(), intake());
        one.take(&half_sent(600_000), now);
        two.take(&half_sent(400_000), now);
        assert_eq!(taken(), 1_000_000 - 2 * OWN_BYTES);
        assert!(!is_in_trouble(&one) && !is_in_trouble(&two));
        three.take(&half_sent(OWN_BYTES as usize), now);
        assert!(!is_in_trouble(&three), "what every viewer may have needs no budget");
        three.take(&[0; 200_000], now);
        assert_eq!(three.progress().trouble, Some(Trouble::NoRoom));
        drop(one);
        two.take(&vec![0; 5_000_000], now);
        assert_eq!(two.progress().trouble, Some(Trouble::NoRoom), "no viewer gets more than all");
        drop((two, three));
        assert_eq!(taken(), 0);
    }

    #[test]
    fn a_message_that_has_ended_needs_no_memory() {
        let now = Instant::now();
        let (budget, taken) = budget(200_000);
        let intake = Intake::new(Arc::clone(&budget), &ServerLimits::default(), now);
        let mut whole = vec![0x82, 0xff, 0, 0, 0, 0, 0, 2, 0, 0, 1, 2, 3, 4];
        whole.resize(14 + 0x2_0000, 9);
        for _ in 0..5 {
            intake.take(&whole[..100_000], now);
            assert!(taken() > 0);
            intake.take(&whole[100_000..], now);
            assert_eq!(taken(), 0);
        }
        assert!(!is_in_trouble(&intake));
    }

    #[test]
    fn pongs_and_empty_fragments_are_counted_and_whole_messages_are_not() {
        let now = Instant::now();
        let (budget, _) = budget(0);
        let limits = ServerLimits { messages_per_second: 10, ..ServerLimits::default() };
        let pong = [0x8a, 0x80, 1, 2, 3, 4];
        let empty = [0x00, 0x80, 1, 2, 3, 4];
        for part in [pong, empty] {
            let intake = Intake::new(Arc::clone(&budget), &limits, now);
            intake.take(&[0x02, 0x80, 1, 2, 3, 4], now);
            (0..199).for_each(|_| intake.take(&part, now));
            assert!(!is_in_trouble(&intake));
            intake.take(&part, now);
            assert_eq!(intake.progress().trouble, Some(Trouble::TooMany));
        }
        let intake = Intake::new(budget, &limits, now);
        (0..10_000).for_each(|_| intake.take(&[0x82, 0x80, 1, 2, 3, 4], now));
        assert!(!is_in_trouble(&intake), "messages have a measure of their own");
    }

    #[test]
    fn pongs_between_fragments_do_not_put_the_end_off() {
        let start = Instant::now();
        let intake = Intake::new(budget(1 << 20).0, &ServerLimits::default(), start);
        let deadline = || intake.deadline(&intake.progress());
        assert_eq!(deadline(), None);
        intake.take(&[0x02, 0x81, 1, 2, 3, 4, 9], start);
        let first = deadline().expect("a message is under way");
        for second in 1..20 {
            intake.take(&[0x8a, 0x80, 1, 2, 3, 4], start + Duration::from_secs(second));
        }
        assert_eq!(deadline(), Some(first));
        assert!(first < start + Duration::from_secs(31));
        intake.take(&[0x80, 0x80, 1, 2, 3, 4], start + Duration::from_secs(25));
        assert_eq!(deadline(), None);
        // One after another without a pause, cut within each: every one has its own time.
        let many = [0x82, 0x84, 1, 2, 3, 4, 9, 9, 9, 9].repeat(100);
        intake.take(&many[..8], start);
        for (second, piece) in (1..).zip(many[8..].chunks_exact(10)) {
            let now = start + Duration::from_secs(second);
            intake.take(piece, now);
            assert!(deadline().is_some_and(|deadline| deadline > now));
        }
    }
}
