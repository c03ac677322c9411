//! What the loop does for a log that it replays: what was done comes from there, and from nobody else.

use super::clock::LiveClock;
use super::contract::Request;
use super::log::{Difference, Due, Entry, LogError, Replay};
use super::run::LoopState;
use super::session::Session;

/// A log that a run replays.
pub struct Replaying {
    /// The log.
    pub replay: Replay,
    /// Told once where the replay first differs, once where a line cannot be replayed, and at the log's
    /// end. Called on the loop's thread: must not block.
    pub tell: Box<dyn FnMut(ReplayNews<'_>) + Send>,
}

/// What is worth telling of a replay.
#[derive(Clone, Copy, Debug)]
pub enum ReplayNews<'a> {
    /// It is not as logged.
    Differs(Difference),
    /// A line cannot be replayed: the world stands still there.
    Failed(&'a LogError),
    /// All is done: the world stands still.
    Over,
}

/// A replay under way.
pub(super) struct Replayer {
    pub(super) replaying: Replaying,
    pub(super) error: Option<LogError>,
    told_difference: bool,
    told_end: bool,
}

impl Replayer {
    pub(super) fn new(replaying: Replaying) -> Self {
        Self { replaying, error: None, told_difference: false, told_end: false }
    }

    /// Whether the world has come to the end of what can be replayed.
    pub(super) fn is_over(&self) -> bool {
        self.error.is_some() || self.replaying.replay.is_over()
    }

    /// Steps until something is to be done.
    fn room(&self, session: &Session) -> u64 {
        let next = self.replaying.replay.next_step().filter(|_| self.error.is_none());
        next.map_or(0, |step| step.saturating_sub(session.steps_done()))
    }

    /// What is to be done now; tells what is worth telling.
    fn take_due(&mut self, session: &Session) -> Option<Due> {
        if self.error.is_some() {
            return None;
        }
        let Replaying { replay, tell } = &mut self.replaying;
        let taken = replay.take_due(session);
        if let Some(difference) = replay.difference().filter(|_| !self.told_difference) {
            self.told_difference = true;
            tell(ReplayNews::Differs(difference));
        }
        match taken {
            Ok(due) => {
                if due.is_none() && replay.is_over() && !self.told_end {
                    self.told_end = true;
                    tell(ReplayNews::Over);
                }
                due
            }
            Err(error) => {
                tell(ReplayNews::Failed(&error));
                self.error = Some(error);
                None
            }
        }
    }
}

impl Request {
    /// Whether it changes the course of the world, which a replay does not let anybody do.
    pub(super) fn changes_world(&self) -> bool {
        match self {
            Self::Action(_)
            | Self::Commands(_)
            | Self::Reset
            | Self::Seed(_)
            | Self::Load(_)
            | Self::Answer { .. }
            | Self::Leave { .. } => true,
            // Refused by itself, where there is no lock step.
            Self::Join { .. }
            | Self::Play
            | Self::Pause
            | Self::Step(_)
            | Self::Speed(_)
            | Self::Travel(_)
            | Self::Record(..)
            | Self::StopRecord(_)
            | Self::Mark { .. }
            | Self::Stop => false,
        }
    }
}

impl<C: LiveClock> LoopState<C> {
    /// Does what the log that is replayed says for this step.
    pub(super) fn replay_due(&mut self) {
        while let Some(replayer) = &mut self.live.replayer
            && let Some(due) = replayer.take_due(&self.live.session)
        {
            match due {
                // What was refused in the run is refused again.
                Due::Action(action) => {
                    self.act(action);
                }
                Due::Reset => {
                    self.start_over(Entry::Reset, Session::reset);
                    self.record_now();
                }
                Due::Seed(seed) => {
                    self.start_over(Entry::Seed(seed), |session| session.reset_with_seed(seed));
                    self.record_now();
                }
                Due::Restore(simulation, saved) => {
                    let go_on = |session: &mut Session| session.go_on(*simulation);
                    drop(self.start_over(Entry::Restore(saved), go_on));
                    self.record_now();
                }
                Due::Load(loaded) => {
                    let now_s = self.live.clock.now_s();
                    self.load(loaded, now_s);
                }
            }
        }
    }

    /// How many steps may be done before something comes in between: what a replayed log says, or what
    /// is kept of the run.
    pub(super) fn steps_to_pause(&self) -> u64 {
        let replayer = self.live.replayer.as_ref();
        self.steps_to_keep()
            .min(replayer.map_or(u64::MAX, |replayer| replayer.room(&self.live.session)))
    }
}
