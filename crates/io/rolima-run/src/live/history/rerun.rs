//! A run simulated again, step by step.

use super::HistoryError;
use super::dense::KeptStep;
use super::stretch::{HistoryScene, Stretch, StretchStart};
use crate::live::log::Entry;
use crate::live::session::Session;
use std::sync::Arc;

/// How far what is shown is what was.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Fidelity {
    /// Simulated again, and nothing differs from what is known.
    #[default]
    Exact,
    /// Simulated again, and it differs; why that is said.
    Differs(Arc<str>),
    /// Bodies where they were recorded; why it is not simulated.
    Recorded(Arc<str>),
}

/// A run that was, shown again at one of its instants, which moves.
pub trait Rerun: Send {
    /// The run there.
    fn session(&self) -> &Session;
    /// Forgets the events of its world, once somebody has looked at them.
    fn clear_events(&mut self);
    /// The scene that runs there.
    fn scene(&self) -> &Arc<HistoryScene>;
    /// Goes on by so many steps, with all that was done then. Returns how many there were: less at the end.
    fn advance(&mut self, steps: u64) -> Result<u64, HistoryError>;
    /// Goes to an instant of the same stretch that was kept. False where it is none of the same.
    fn go_to(&mut self, kept: &KeptStep) -> Result<bool, HistoryError>;
    /// The step at which the stretch begins that it is in.
    fn stretch_begin(&self) -> u64;
    /// The step at which that stretch ends.
    fn stretch_end(&self) -> u64;
    /// A second one at the same instant.
    fn fork(&self) -> Box<dyn Rerun>;
    /// How far it is what was.
    fn fidelity(&self) -> Fidelity;
    /// The run there, to go on from.
    fn into_session(self: Box<Self>) -> Session;
}

/// Where the stretches of a run come from.
pub trait Stretches: Send + Sync {
    /// The last stretch that begins at this step or before it.
    fn stretch_at(&self, step: u64) -> Result<Arc<Stretch>, HistoryError>;
}

/// A run that is simulated again from its stretches.
pub struct StretchRerun {
    stretches: Arc<dyn Stretches>,
    stretch: Arc<Stretch>,
    /// The entry that comes next.
    next: usize,
    session: Session,
    /// Where its hashes first differ from those known, if they do.
    differs: Option<Arc<str>>,
}

impl StretchRerun {
    /// The run at the beginning of the stretch that this step lies in, all done that was done there.
    pub fn new(stretches: Arc<dyn Stretches>, step: u64) -> Result<Self, HistoryError> {
        let stretch = stretches.stretch_at(step)?;
        let session = stretch.session()?;
        let mut rerun = Self { stretches, stretch, next: 0, session, differs: None };
        rerun.do_due()?;
        Ok(rerun)
    }

    /// Does all that was done at this step.
    fn do_due(&mut self) -> Result<(), HistoryError> {
        let now = self.session.steps_done();
        while let Some((_, entry)) = self.stretch.entries.get(self.next).filter(|e| e.0 <= now) {
            play(&mut self.session, entry, &mut self.differs)?;
            self.next += 1;
        }
        Ok(())
    }

    /// Goes over into the next stretch, if this one ends here. False where there is none.
    fn cross(&mut self) -> Result<bool, HistoryError> {
        if self.session.steps_done() < self.stretch.end_step {
            return Ok(true);
        }
        if self.stretch.is_last {
            return Ok(false);
        }
        let following = self.stretches.stretch_at(self.stretch.end_step)?;
        if following.begin.step != self.stretch.end_step {
            let (step, expected) = (following.begin.step, self.stretch.end_step);
            let why = format!("expected what was saved at step {expected}, got step {step}");
            return Err(HistoryError(why));
        }
        // Where only the simulation was saved meanwhile it goes on as it is.
        let is_other = !Arc::ptr_eq(&following.scene, &self.stretch.scene);
        if is_other || matches!(following.start, StretchStart::First(_)) {
            self.session = following.session()?;
        }
        (self.stretch, self.next) = (following, 0);
        self.do_due()?;
        Ok(true)
    }
}

/// Does again what was done; hashes are compared.
fn play(
    session: &mut Session,
    entry: &Entry,
    differs: &mut Option<Arc<str>>,
) -> Result<(), HistoryError> {
    match entry {
        // What was refused in the run is refused again.
        Entry::Action(action) => {
            session.act(action);
        }
        Entry::Reset => session.reset(),
        Entry::Seed(seed) => session.reset_with_seed(*seed),
        Entry::Restore(saved) => {
            session.restore(saved).map_err(|why| HistoryError(why.to_string()))?;
        }
        Entry::Hash(known) => {
            let got = session.state_hash_in_place();
            if got != *known && differs.is_none() {
                let step = session.steps_done();
                *differs = Some(format!("it differs from step {step} on at the latest").into());
            }
        }
        // A stretch has one scene.
        Entry::Load { .. } => {}
    }
    Ok(())
}

impl Rerun for StretchRerun {
    fn session(&self) -> &Session {
        &self.session
    }

    fn clear_events(&mut self) {
        self.session.clear_events();
    }

    fn scene(&self) -> &Arc<HistoryScene> {
        &self.stretch.scene
    }

    fn advance(&mut self, steps: u64) -> Result<u64, HistoryError> {
        let mut left = steps;
        loop {
            self.do_due()?;
            if !self.cross()? || left == 0 {
                return Ok(steps - left);
            }
            let now = self.session.steps_done();
            let next = self.stretch.entries.get(self.next).map_or(u64::MAX, |entry| entry.0);
            let count = left.min(next.min(self.stretch.end_step).saturating_sub(now));
            let done = self.session.steps(count);
            left -= done;
            if done < count {
                // The world is at its end.
                return Ok(steps - left);
            }
        }
    }

    fn go_to(&mut self, kept: &KeptStep) -> Result<bool, HistoryError> {
        let step = kept.at.step;
        if !(self.stretch.begin.step..=self.stretch.end_step).contains(&step) {
            return Ok(false);
        }
        if !self.session.go_back(&kept.kept) {
            return Ok(false);
        }
        self.session.count_from(step, kept.at.time_s);
        self.next = self.stretch.entries.partition_point(|entry| entry.0 <= step);
        Ok(true)
    }

    fn stretch_begin(&self) -> u64 {
        self.stretch.begin.step
    }

    fn stretch_end(&self) -> u64 {
        self.stretch.end_step
    }

    fn fork(&self) -> Box<dyn Rerun> {
        Box::new(Self {
            stretches: Arc::clone(&self.stretches),
            stretch: Arc::clone(&self.stretch),
            next: self.next,
            session: self.session.fork(),
            differs: self.differs.clone(),
        })
    }

    fn fidelity(&self) -> Fidelity {
        self.differs.clone().map_or(Fidelity::Exact, Fidelity::Differs)
    }

    fn into_session(self: Box<Self>) -> Session {
        self.session
    }
}
