//! The world waits for a camera's program at every frame.
//!
//! Each camera is one controller of the run, as long as one of its programs takes part: the world waits for it at
//! every step at which the camera takes a picture, until the program says that it is done. What a program commands in
//! its turn goes through [`LockStepSeat::answer`].

use super::{Shared, lock};
use crate::messages::Turn;
use rolima_core::{Command, RobotId};
use rolima_run::live::{PublishedTurn, Request, TurnSink};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::AcqRel, Ordering::Release};

/// Number of the first camera among all controllers: beyond those of viewers, who are counted from 1.
const FIRST_CONTROLLER: u32 = 0xCA00_0000;

/// Where a camera's program takes part. Leaves when it is dropped.
pub(crate) struct LockStepSeat {
    shared: Arc<Shared>,
    taken: Arc<AtomicBool>,
}

/// Whether somebody takes part for a camera.
#[derive(Clone, Default)]
pub(crate) struct Seat(Arc<AtomicBool>);

impl Seat {
    /// Takes part, with a camera that the scene has; none where the run is not in lock step, or somebody does already.
    pub(crate) fn take(&self, shared: &Arc<Shared>) -> Option<LockStepSeat> {
        let mailbox = shared.mailbox.as_ref()?;
        if self.0.swap(true, AcqRel) {
            return None;
        }
        // What was asked of somebody before is nothing to this one.
        shared.outbox.forget_turn();
        let seat = LockStepSeat { shared: Arc::clone(shared), taken: Arc::clone(&self.0) };
        let turns = Box::new(Turns { shared: Arc::clone(shared) });
        let controller = FIRST_CONTROLLER + shared.index;
        let joined = mailbox.send(Request::Join { controller, period: 1, turns });
        joined.is_ok().then_some(seat)
    }
}

impl LockStepSeat {
    /// The program is done with a step. False where the run is over.
    pub(crate) fn answer(&self, step: u64, commands: Vec<(RobotId, Command)>) -> bool {
        let controller = FIRST_CONTROLLER + self.shared.index;
        let answer = Request::Answer { controller, step, commands };
        self.shared.mailbox.as_ref().is_some_and(|mailbox| mailbox.send(answer).is_ok())
    }
}

impl Drop for LockStepSeat {
    fn drop(&mut self) {
        let controller = FIRST_CONTROLLER + self.shared.index;
        if let Some(mailbox) = &self.shared.mailbox {
            // A run that is over waits for nobody.
            let _ = mailbox.send(Request::Leave { controller, robots: vec![] });
        }
        self.taken.store(false, Release);
    }
}

/// Where the loop says that it waits.
struct Turns {
    shared: Arc<Shared>,
}

/// Steps between two turns of a camera that the scene does not have.
const WITHOUT_CAMERA: u64 = 1_000;

impl TurnSink for Turns {
    fn turn(&mut self, turn: &PublishedTurn<'_>) {
        let scene = *lock(&self.shared.scene);
        let (step, senses) = (turn.frame.step, turn.senses);
        let shot = scene.and_then(|scene| {
            let exposure = senses.exposures.get(scene.exposure)?;
            let noise = senses.camera_noise(scene.device)?;
            (exposure.step == step && noise.taken > 0).then_some((exposure, noise))
        });
        let step_s = scene.map_or(0.0, |scene| scene.step_s);
        self.shared.inbox.turn(shot, Turn { step, time_s: step as f64 * step_s });
    }

    fn steps_to_turn(&self, _period: u64, step: u64) -> u64 {
        let scene = *lock(&self.shared.scene);
        scene.map_or(WITHOUT_CAMERA, |scene| scene.rate.next_due(step, scene.step_s) - step)
    }
}
