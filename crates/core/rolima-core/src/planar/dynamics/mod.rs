//! Stage 3 in the plane: motion and motor voltages => motion without contacts.
//!
//! | module | what |
//! |---|---|
//! | [`stick`] | robots whose wheels stick: equation 8, a whole block at a time |
//! | [`slip`] | robots whose tyres have let go, one by one |
//! | `tyre` | the friction of a robot's two tyres while they slide |
//! | [`ball`] | balls: equation 9, or sliding and rolling |
//! | [`object`] | loose objects sliding on the ground |
//! | [`energy`] | kinetic energy, for tests and statistics |

pub mod ball;
pub mod energy;
pub mod object;
pub mod slip;
pub mod stick;
pub(crate) mod tyre;

use crate::events::{Happened, Notes};
use crate::planar::Scratch;
use crate::planar::tyre_forces::Slid;
use crate::planar::{Block, State, VoltBlock};
use crate::probe::{Probe, StepPart};
use rolima_math::{Pose2, Vec2};
use rolima_model::{BlockKind, BodyKind, LANES, Model};

/// How far bodies get in a step without contacts, at most.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reach {
    /// Largest squared way of a body's origin, m2.
    pub distance_squared: f64,
    /// Largest turn, rad.
    pub turn: f64,
    /// Whether some number is not finite.
    pub broken: bool,
}

impl Reach {
    /// The larger of both, quantity by quantity: independent of order.
    #[inline(always)]
    pub fn merge(&mut self, other: Self) {
        self.distance_squared = self.distance_squared.max(other.distance_squared);
        self.turn = self.turn.max(other.turn);
        self.broken |= other.broken;
    }

    /// How far any point of a body of this radius gets, at most, m.
    fn sweep(&self, radius: f64) -> f64 {
        self.distance_squared.sqrt() + self.turn * radius
    }

    /// The reach of one body that moved from `before` to `after`.
    pub(crate) fn of_lane(before: &Block, after: &Block, lane: usize, turn: f64) -> Self {
        let distance = after.pose(lane).position - before.pose(lane).position;
        let distance_squared = distance.length_squared();
        Self {
            distance_squared,
            turn: turn.abs(),
            broken: !is_sane(after.pose(lane), after.velocity(lane), after.omega[lane]),
        }
    }
}

/// How far any point of a body gets in a step at most: from its fastest speed and turning, the
/// step's length, and the same times its radius. A little more than that: speeds hardly bend
/// within a step.
#[inline(always)]
pub(crate) fn sweep_bound(speed: f64, turning: f64, scale: [f64; 2]) -> f64 {
    1.01 * speed * scale[0] + turning * scale[1] + 1e-12
}

/// Blocks that one task of a parallel world works on: some microseconds of work.
#[cfg(feature = "parallel")]
const BLOCKS_A_TASK: usize = 32;

/// Moves every body as if nothing touched.
///
/// The motion at the start of the step is kept in `scratch.before`.
pub(crate) fn run(
    model: &Model,
    state: &mut State,
    scratch: &mut Scratch,
    notes: &mut Notes<'_>,
    probe: &mut impl Probe,
) {
    probe.begin(StepPart::Robots);
    core::mem::swap(&mut state.motion, &mut scratch.before);
    let before = &scratch.before;
    let robots = RobotBlocks {
        model,
        before,
        sweeps: &mut scratch.sweeps,
        after: &mut state.motion,
        volts: &state.volts,
        slipping: &mut state.slipping,
        wheel_speeds: &mut state.wheel_speeds,
        slid: &mut scratch.slid,
        step: notes.step,
    };
    let mut reach = robots.run();
    probe.begin(StepPart::Loose);
    for (i, kind) in model.layout.blocks.iter().enumerate() {
        let before = &scratch.before[i];
        let after = &mut state.motion[i];
        let mut one = |lane: usize, own: Reach| {
            scratch.sweeps[i * LANES + lane] += own.sweep(model.layout.block_radius[i]);
            reach.merge(own);
        };
        match kind {
            BlockKind::Robots(_) => {}
            BlockKind::Balls => {
                ball::run(model, i, before, after, &mut state.ball_rolls, &mut one);
            }
            BlockKind::Objects => object::run(model, i, before, after, &mut one),
        }
    }
    scratch.reach = reach;
    if reach.broken || state.quarantined.iter().any(|&q| q != 0) {
        quarantine(model, state, scratch, notes);
    }
}

/// The robots' part of the state, borrowed apart so that blocks can be worked on in parallel.
struct RobotBlocks<'a> {
    model: &'a Model,
    before: &'a [Block],
    sweeps: &'a mut [f64],
    after: &'a mut [Block],
    volts: &'a [VoltBlock],
    slipping: &'a mut [u8],
    wheel_speeds: &'a mut [[f64; 2]],
    slid: &'a mut [Slid],
    step: u64,
}

impl RobotBlocks<'_> {
    /// Moves all blocks of robots; returns how far they get.
    fn run(self) -> Reach {
        #[cfg(feature = "parallel")]
        if self.before.len() >= 4 * BLOCKS_A_TASK && rayon::current_num_threads() > 1 {
            return self.run_parallel();
        }
        let Self { model, before, sweeps, after, volts, slipping, wheel_speeds, slid, step } = self;
        let mut reach = Reach::default();
        let speeds = wheel_speeds.as_chunks_mut::<LANES>().0;
        let slid = slid.as_chunks_mut::<LANES>().0;
        let sweeps = sweeps.as_chunks_mut::<LANES>().0;
        for i in 0..before.len() {
            let blocks = (&before[i], &mut after[i], &mut sweeps[i]);
            let wheels = (&mut speeds[i], &mut slid[i]);
            reach.merge(run_block((model, step), i, blocks, &volts[i], &mut slipping[i], wheels));
        }
        reach
    }

    #[cfg(feature = "parallel")]
    fn run_parallel(self) -> Reach {
        use rayon::prelude::*;
        let Self { model, before, sweeps, after, volts, slipping, wheel_speeds, slid, step } = self;
        let speeds = wheel_speeds.as_chunks_mut::<LANES>().0;
        let slid = slid.as_chunks_mut::<LANES>().0;
        let sweeps = sweeps.as_chunks_mut::<LANES>().0;
        before
            .par_iter()
            .zip(after)
            .zip(volts)
            .zip(slipping)
            .zip(speeds.par_iter_mut().zip(slid))
            .zip(sweeps)
            .enumerate()
            .with_min_len(BLOCKS_A_TASK)
            .map(|(i, (((((b, a), v), s), w), d))| run_block((model, step), i, (b, a, d), v, s, w))
            .reduce(Reach::default, |mut x, y| {
                x.merge(y);
                x
            })
    }
}

/// Moves a block, if it holds robots.
fn run_block(
    (model, step): (&Model, u64),
    block: usize,
    (before, after, sweeps): (&Block, &mut Block, &mut [f64; LANES]),
    volts: &VoltBlock,
    slipping: &mut u8,
    (wheel_speeds, slid): (&mut [[f64; 2]; LANES], &mut [Slid; LANES]),
) -> Reach {
    let BlockKind::Robots(drive) = model.layout.blocks[block] else {
        return Reach::default();
    };
    let drive = &model.drives[drive as usize];
    let scale = [model.step_s, model.step_s * model.layout.block_radius[block]];
    let (reach, overload) = stick::run(drive, before, (after, sweeps), (volts, scale), *slipping);
    if overload | *slipping == 0 {
        return reach;
    }
    let mut reach = reach;
    let mut slips = *slipping;
    for lane in 0..LANES {
        let bit = 1u8 << lane;
        if (overload | *slipping) & bit == 0 {
            continue;
        }
        if *slipping & bit == 0 {
            let v = (before.vx[lane], before.omega[lane]);
            wheel_speeds[lane] = drive.rolling_wheel_speeds(v.0, v.1);
        }
        let (stays, given) =
            slip::run(drive, model.step_s, lane, (before, after), volts, &mut wheel_speeds[lane]);
        slid[lane] = Slid::new(step, given, model.step_s);
        let turn = before.omega[lane].abs().max(after.omega[lane].abs()) * model.step_s;
        let own = Reach::of_lane(before, after, lane, turn);
        sweeps[lane] += own.sweep(model.layout.block_radius[block]);
        reach.merge(own);
        if stays {
            slips |= bit;
        } else {
            slips &= !bit;
            wheel_speeds[lane] = [0.0; 2];
        }
    }
    *slipping = slips;
    reach
}

/// Takes bodies out whose motion is not finite, and keeps those that are out where they are.
fn quarantine(model: &Model, state: &mut State, scratch: &mut Scratch, notes: &mut Notes<'_>) {
    for body in model.bodies() {
        let (block, lane) = crate::planar::place(body.slot);
        let after = &state.motion[block];
        let good = is_sane(after.pose(lane), after.velocity(lane), after.omega[lane]);
        if good && !state.is_quarantined(body.slot) {
            continue;
        }
        if !state.is_quarantined(body.slot) {
            put_in_quarantine(model, state, notes, body.slot);
        }
        let before = scratch.before[block];
        state.motion[block].copy_lane(lane, &before);
        state.motion[block].set_velocity(lane, Vec2::ZERO, 0.0);
    }
    scratch.reach.broken = false;
    if !(scratch.reach.distance_squared + scratch.reach.turn).is_finite() {
        scratch.reach.distance_squared = 0.0;
        scratch.reach.turn = 0.0;
    }
}

/// Whether a motion is finite, and not so fast that it soon would not be.
pub(crate) fn is_sane(pose: Pose2, velocity: Vec2, omega: f64) -> bool {
    pose.is_finite()
        && pose.position.length_squared() < MOST_POSITION * MOST_POSITION
        && velocity.length_squared() < MOST_SPEED * MOST_SPEED
        && omega.abs() < MOST_SPEED
}

/// Bodies farther out than this count as broken, m.
const MOST_POSITION: f64 = 1e9;

/// Bodies faster than this, m/s or rad/s, count as broken.
const MOST_SPEED: f64 = 1e6;

/// Marks a body as quarantined, with an event.
pub(crate) fn put_in_quarantine(
    model: &Model,
    state: &mut State,
    notes: &mut Notes<'_>,
    slot: u32,
) {
    let (block, lane) = crate::planar::place(slot);
    if let Some(ball) = model.layout.body(slot).filter(|b| b.kind == BodyKind::Ball) {
        state.ball_rolls[ball.index as usize] = Vec2::ZERO;
    }
    state.quarantined[block] |= 1 << lane;
    state.slipping[block] &= !(1 << lane);
    state.wheel_speeds[slot as usize] = [0.0; 2];
    if let Some(body) = model.layout.id(slot) {
        notes.note(Happened::Quarantine { body });
    }
}
