//! The motion of bodies in this step, as finding contacts needs it.

use super::broad::WALL_BASE;
use crate::planar::dynamics::sweep_bound;
use crate::planar::{Block, State, place};
use rolima_math::{Pose2, Vec2};
use rolima_model::Model;

/// Motion of a body in this step.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Mover {
    /// Where it is at the start of the step.
    pub pose: Pose2,
    /// Way of its origin, m.
    pub displacement: Vec2,
    /// How far turning moves its rim, m.
    pub turn: f64,
    /// What this step has added to its sweep at most, m.
    pub most_swept: f64,
    /// Radius of the circle around it, m.
    pub radius: f64,
    /// Whether it is quarantined.
    pub is_out: bool,
    /// The step for which this holds.
    made_in: u64,
}

impl Mover {
    /// Walls are here, and do not move.
    const WALL: Self = Self {
        pose: Pose2::IDENTITY,
        displacement: Vec2::ZERO,
        turn: 0.0,
        most_swept: 0.0,
        radius: 0.0,
        is_out: false,
        made_in: 0,
    };
}

/// The movers of a step. A body that is near several others is looked at once.
pub(crate) struct Movers {
    /// By slot; the last stands for walls.
    all: Vec<Mover>,
    now: u64,
}

impl Movers {
    pub(crate) fn new(slots: usize) -> Self {
        Self { all: vec![Mover::WALL; slots + 1], now: 0 }
    }

    /// Forgets the movers of the last step.
    pub(super) fn begin(&mut self) {
        self.now += 1;
    }

    /// Where the mover of a body or wall stands, made if it is not there yet.
    #[inline]
    fn stand(&mut self, model: &Model, (state, before): (&State, &[Block]), slot: u32) -> usize {
        let last = self.all.len() - 1;
        if slot >= WALL_BASE {
            return last;
        }
        let mover = &mut self.all[slot as usize];
        if mover.made_in != self.now {
            *mover = make(model, (state, before), slot);
            mover.made_in = self.now;
        }
        slot as usize
    }

    /// The movers of two bodies, or of a body and a wall.
    #[inline]
    pub(super) fn pair(
        &mut self,
        model: &Model,
        at: (&State, &[Block]),
        [a, b]: [u32; 2],
    ) -> [&Mover; 2] {
        let (a, b) = (self.stand(model, at, a), self.stand(model, at, b));
        [&self.all[a], &self.all[b]]
    }
}

fn make(model: &Model, (state, before): (&State, &[Block]), slot: u32) -> Mover {
    let (block, lane) = place(slot);
    let (from, to) = (&before[block], &state.motion[block]);
    let turning = from.omega[lane].abs().max(to.omega[lane].abs());
    let speed = |b: &Block| b.velocity(lane).length();
    let scale = [model.step_s, model.step_s * model.layout.block_radius[block]];
    Mover {
        pose: from.pose(lane),
        displacement: Vec2::new(to.x[lane] - from.x[lane], to.y[lane] - from.y[lane]),
        turn: turning * model.step_s * model.layout.block_radius[block],
        // A robot whose tyres let go in this step has been counted twice: as sticking and as
        // sliding.
        most_swept: 2.0 * sweep_bound(speed(from).max(speed(to)), turning, scale),
        radius: model.layout.bodies[slot as usize].as_ref().map_or(0.0, |b| b.radius),
        is_out: state.is_quarantined(slot),
        made_in: 0,
    }
}
