//! What the loop does for programs: a copy, while there are any.

use super::super::robots::{SAME_CYCLE, cycle_at};
use super::super::view_hints::{Seen, ViewHints};
use super::layout::{Errors, RobotLayout, WorldSensor};
use super::triple_buffer::TripleBuffer;
use rolima_core::Frame;
use rolima_run::live::{Publication, PublishedScene, PublishedTurn, Sink, TurnRefusal, TurnSink};
use rolima_wire::robotone::CYCLE_S;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the loop knows of the scene besides frames. Only its own thread ever locks it.
#[derive(Default)]
pub(super) struct Known {
    layout: Arc<RobotLayout>,
    errors: Vec<Errors>,
    /// First standard deviations of the sensors of the world.
    world_std: Vec<f64>,
}

pub(super) type Current = Arc<Mutex<Known>>;

fn known(current: &Current) -> MutexGuard<'_, Known> {
    current.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The sink of a live run that programs read.
pub struct LiveSink {
    pub(super) buffer: Arc<TripleBuffer>,
    pub(super) current: Current,
    pub(super) view_hints: ViewHints,
    /// In lock step, the step that the world waits at for programs, plus one; 0 if it does not.
    pub(super) asked: Option<Arc<AtomicU64>>,
}

impl LiveSink {
    /// Whether programs may see the world at this step. In lock step they see it only where it
    /// waits for them: else, when they act would depend on the clock.
    fn may_show(&self, step: u64) -> bool {
        self.asked.as_ref().is_none_or(|asked| asked.load(Ordering::Acquire) == step + 1)
    }
}

/// Writes down where robots are that leave traces.
fn trace(view_hints: &ViewHints, layout: &RobotLayout, frame: &Frame, done: u64) {
    view_hints.record(layout.generation, frame.time_s, done, |number| {
        let robot = layout.robots.get(number as usize)?;
        let body = frame.bodies.get(number as usize)?;
        let range = robot.odometry.as_ref().map(|odometry| odometry.range.clone());
        let believed = range.and_then(|range| frame.readings.get(range)?.first_chunk().copied());
        let at = [body.pose.position.x, body.pose.position.y];
        Some(Seen { at, believed, speed: body.velocity.length() })
    });
}

impl Sink for LiveSink {
    fn scene(&mut self, scene: &PublishedScene<'_>) {
        let layout = Arc::new(RobotLayout::new(scene));
        *known(&self.current) = Known { layout, ..Known::default() };
    }

    fn publication(&mut self, publication: &Publication<'_>) {
        let ended = publication.status.ended;
        let done = self.buffer.marks.load(Ordering::Acquire);
        trace(&self.view_hints, &known(&self.current).layout, publication.frame, done);
        let wanted =
            self.buffer.wanted.load(Ordering::Relaxed) && self.may_show(publication.frame.step);
        if !wanted && !ended {
            return;
        }
        let Known { layout, errors, world_std } = &mut *known(&self.current);
        errors.clear();
        errors.extend(layout.robots.iter().map(|robot| robot.errors(publication.senses)));
        let std =
            |known: &WorldSensor| publication.senses.sigma(known.sensor.device, 0).unwrap_or(0.0);
        world_std.clear();
        world_std.extend(layout.world.iter().map(std));
        self.buffer.publish(|published| {
            published.show(layout, publication.frame);
            published.err(errors, world_std);
            published.done = done;
            published.ended = ended;
            published.exposures.clear();
            published.exposures.extend(publication.senses.exposures.iter().map(|e| e.step));
        });
    }
}

/// Where programs in lock step are told that the world waits for them.
pub(super) struct Turn {
    pub(super) buffer: Arc<TripleBuffer>,
    pub(super) current: Current,
    /// The step that the world waits at, plus one; 0 if it does not.
    pub(super) asked: Arc<AtomicU64>,
}

impl TurnSink for Turn {
    fn turn(&mut self, turn: &PublishedTurn<'_>) {
        let frame = turn.frame;
        let Known { layout, errors, world_std } = &*known(&self.current);
        let done = self.buffer.marks.load(Ordering::Acquire);
        // What is asked is known before anybody can see the frame that it is asked at.
        self.asked.store(frame.step + 1, Ordering::Release);
        self.buffer.publish(|published| {
            published.show(layout, frame);
            published.err(errors, world_std);
            published.done = done;
            published.exposures.clear();
        });
    }

    /// At the first step of each cycle. A cycle is no whole number of steps; what is missing or too
    /// much carries over.
    fn steps_to_turn(&self, period: u64, step: u64) -> u64 {
        let step_s = known(&self.current).layout.step_s;
        if step_s <= 0.0 {
            // No scene is shown yet.
            return period;
        }
        let next_cycle = cycle_at(step as f64 * step_s) + 1.0;
        let next = ((next_cycle - SAME_CYCLE) * CYCLE_S / step_s).ceil() as u64;
        next.saturating_sub(step).max(1)
    }

    fn refused(&mut self, _why: TurnRefusal) {
        // The next turn comes all the same.
    }
}
