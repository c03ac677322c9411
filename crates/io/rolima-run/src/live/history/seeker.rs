//! Going to a step of a run beside the loop: from the nearest saved simulation, by simulating again.

use super::dense::DenseSteps;
use super::rerun::Rerun;
use super::{History, HistoryError};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Steps between two looks at what is wanted now: a heavy world takes some milliseconds for as many.
const STEPS_AT_ONCE: u64 = 16;

/// A step that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Wish {
    /// Which.
    pub(crate) step: u64,
    /// Whether it is to be shown; else only what is kept on the way is wanted.
    pub(crate) shown: bool,
}

/// What came of a wish.
pub(crate) struct Found {
    /// What was wished.
    pub(crate) wish: Wish,
    /// The run there; or at the beginning of its stretch, where that is `first` shown.
    pub(crate) rerun: Result<Box<dyn Rerun>, HistoryError>,
    /// What was kept on the way; none where the run is not there yet.
    pub(crate) dense: Option<Arc<DenseSteps>>,
}

/// What the thread is told.
#[derive(Default)]
struct Wishes {
    /// The newest of those that are to be shown.
    shown: Option<Wish>,
    /// What is wanted once that is done.
    ahead: Option<Wish>,
    ended: bool,
}

#[derive(Default)]
struct Told {
    wishes: Mutex<Wishes>,
    changed: Condvar,
    /// Counts the wishes to be shown.
    number: AtomicU64,
}

/// A thread that goes to steps of a run. It ends when this is dropped.
pub(crate) struct Seeker {
    told: Arc<Told>,
    found: Receiver<Found>,
}

impl Seeker {
    /// A thread for this run.
    pub(crate) fn start(history: Arc<dyn History>) -> Result<Self, HistoryError> {
        let told = Arc::<Told>::default();
        let (sender, found) = channel();
        let own = Arc::clone(&told);
        let thread = std::thread::Builder::new().name("rolima-seeker".to_owned());
        thread
            .spawn(move || Work { history, told: own, sender, last: vec![] }.run())
            .map_err(|why| HistoryError(format!("the system gives no thread: {why}")))?;
        Ok(Self { told, found })
    }

    /// Wishes for a step; what is to be shown replaces what was to be shown before.
    pub(crate) fn wish(&self, wish: Wish) {
        let mut wishes = self.told.wishes();
        if wish.shown {
            wishes.shown = Some(wish);
            // What was wanted ahead was wanted elsewhere.
            wishes.ahead = None;
            self.told.number.fetch_add(1, Ordering::Release);
        } else {
            wishes.ahead = Some(wish);
        }
        drop(wishes);
        self.told.changed.notify_one();
    }

    /// What was found since, if anything was; an error where the thread is gone.
    pub(crate) fn take(&self) -> Result<Option<Found>, HistoryError> {
        match self.found.try_recv() {
            Ok(found) => Ok(Some(found)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => {
                Err(HistoryError("the thread that simulates the past has ended".to_owned()))
            }
        }
    }
}

impl Drop for Seeker {
    fn drop(&mut self) {
        self.told.wishes().ended = true;
        self.told.number.fetch_add(1, Ordering::Release);
        self.told.changed.notify_one();
    }
}

impl Told {
    fn wishes(&self) -> MutexGuard<'_, Wishes> {
        self.wishes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next wish and the number of those to be shown; none at the end.
    fn next(&self) -> Option<(Wish, u64)> {
        let mut wishes = self.wishes();
        loop {
            if wishes.ended {
                return None;
            }
            let number = self.number.load(Ordering::Acquire);
            if let Some(wish) = wishes.shown.take().or_else(|| wishes.ahead.take()) {
                return Some((wish, number));
            }
            wishes = self.changed.wait(wishes).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn is_newest(&self, number: u64) -> bool {
        self.number.load(Ordering::Acquire) == number
    }
}

/// The run at a step, and what was kept on the way.
type There = (Box<dyn Rerun>, Arc<DenseSteps>);

/// What the thread does.
struct Work {
    history: Arc<dyn History>,
    told: Arc<Told>,
    sender: Sender<Found>,
    /// Stretches that were simulated last, the newest first.
    last: Vec<Arc<DenseSteps>>,
}

/// Stretches that are remembered.
const MOST_REMEMBERED: usize = 3;

impl Work {
    fn run(mut self) {
        while let Some((wish, number)) = self.told.next() {
            let found = match self.find(wish, number) {
                Ok(Some((rerun, dense))) => Found { wish, rerun: Ok(rerun), dense: Some(dense) },
                // Somebody wants something else by now.
                Ok(None) => continue,
                Err(why) => Found { wish, rerun: Err(why), dense: None },
            };
            if self.sender.send(found).is_err() {
                return;
            }
        }
    }

    /// The run at the step, and what was kept on the way; none where something else is wanted by now.
    fn find(&mut self, wish: Wish, number: u64) -> Result<Option<There>, HistoryError> {
        if let Some(known) = self.last.iter().find(|known| known.covers(wish.step)).cloned()
            && let Some(kept) = known.before(wish.step)
        {
            let mut rerun = known.rerun_at(kept)?;
            return Ok(self.go_on(&mut *rerun, wish, number)?.then_some((rerun, known)));
        }
        let mut rerun = Arc::clone(&self.history).rerun(wish.step)?;
        let mut dense = DenseSteps::begin(&*rerun);
        if wish.shown && rerun.session().steps_done() < wish.step {
            // While somebody looks for a place, the next one that is quick to show will do.
            let found = Found { wish, rerun: Ok(rerun.fork()), dense: None };
            let _ = self.sender.send(found);
        }
        let spacing = dense.spacing;
        while rerun.session().steps_done() < wish.step {
            let left = wish.step - rerun.session().steps_done();
            let count = left.min(spacing);
            let mut done = 0;
            while done < count {
                let steps = rerun.advance((count - done).min(STEPS_AT_ONCE))?;
                rerun.clear_events();
                if steps == 0 {
                    break;
                }
                done += steps;
                if !self.told.is_newest(number) {
                    return Ok(None);
                }
            }
            if done < count {
                break;
            }
            // What is kept is all of one stretch.
            let is_same = [rerun.stretch_begin(), rerun.stretch_end()] == dense.stretch;
            if count == spacing && is_same && rerun.session().steps_done() < dense.stretch[1] {
                dense.add(&*rerun);
            }
        }
        dense.end_step = rerun
            .session()
            .steps_done()
            .min(dense.stretch[1].saturating_sub(1))
            .max(dense.begin_step());
        let dense = Arc::new(dense);
        self.last.insert(0, Arc::clone(&dense));
        self.last.truncate(MOST_REMEMBERED);
        Ok(Some((rerun, dense)))
    }

    /// Goes on to the step. False where something else is wanted by now.
    fn go_on(&self, rerun: &mut dyn Rerun, wish: Wish, number: u64) -> Result<bool, HistoryError> {
        while rerun.session().steps_done() < wish.step {
            let left = wish.step - rerun.session().steps_done();
            if rerun.advance(left.min(STEPS_AT_ONCE))? == 0 {
                break;
            }
            rerun.clear_events();
            if !self.told.is_newest(number) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
