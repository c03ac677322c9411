//! Stage 1, commands: queue and drivers => commanded voltages.
//!
//! Clients put commands into the queue at any time ([`crate::World::command`]); bad ones are
//! refused there, with an event. The queue is latched here, at the start of a step. Robots that no
//! client commands are driven by their built-in driver.

use crate::events::{Event, EventKind};
use crate::scratch::Scratch;
use crate::state::{State, place};
use rolima_math::Vec2;
use rolima_model::{DriverSpec, Model};

/// Voltages for the two motors, V.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Volts {
    /// Right motor.
    pub right: f64,
    /// Left motor.
    pub left: f64,
}

/// Why a command was refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Refusal {
    /// There is no robot of this number.
    NoSuchRobot(u32),
    /// A voltage is not finite.
    NotFinite,
    /// A voltage is beyond [`ABSURD_FACTOR`] times the supply: a unit was mistaken.
    Absurd(f64),
}

impl core::fmt::Display for Refusal {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NoSuchRobot(n) => write!(f, "there is no robot {n}"),
            Self::NotFinite => write!(f, "a voltage is not a finite number"),
            Self::Absurd(v) => write!(f, "{v} V is far beyond the supply (millivolts?)"),
        }
    }
}

impl core::error::Error for Refusal {}

/// Voltages up to this many times the supply saturate; beyond, the command is refused.
pub const ABSURD_FACTOR: f64 = 100.0;

/// A built-in driver of a moving robot looks at the world this often, s: a camera frame.
const CHASER_PERIOD_S: f64 = 0.030;

/// Whether a command may enter the queue.
pub(crate) fn check(model: &Model, robot: u32, volts: Volts) -> Result<(), Refusal> {
    let Some(r) = model.robots.get(robot as usize) else {
        return Err(Refusal::NoSuchRobot(robot));
    };
    let limit = ABSURD_FACTOR * model.drives[r.drive as usize].spec.supply;
    for v in [volts.right, volts.left] {
        if !v.is_finite() {
            return Err(Refusal::NotFinite);
        }
        if v.abs() > limit {
            return Err(Refusal::Absurd(v));
        }
    }
    Ok(())
}

/// Notes a refusal as an event.
pub(crate) fn note_refusal(state: &mut State, scratch: &mut Scratch, robot: u32, why: Refusal) {
    let value = if let Refusal::Absurd(v) = why { v } else { f64::NAN };
    let event =
        Event { step: state.step, kind: EventKind::Refused, subject: robot, other: None, value };
    scratch.log.push(&mut state.event_counts, event);
}

/// Stage 1: latches the queue, lets the drivers act that are due.
pub(crate) fn run(model: &Model, state: &mut State, scratch: &mut Scratch) {
    scratch.commanded_now.clear();
    for robot in scratch.queued.drain(..) {
        if let Some(volts) = state.waiting[robot as usize].take() {
            state.drivers[robot as usize].overridden = true;
            state.commanded[robot as usize] = volts;
            scratch.commanded_now.push(robot);
        }
    }
    if state.step >= state.drivers_due {
        run_drivers(model, state, scratch);
    }
}

fn run_drivers(model: &Model, state: &mut State, scratch: &mut Scratch) {
    let mut next_due = u64::MAX;
    for i in 0..model.robots.len() {
        if state.drivers[i].overridden {
            continue;
        }
        if state.step >= state.drivers[i].due {
            let (volts, period) = drive(model, state, i);
            state.drivers[i].due = state.step.saturating_add(period);
            state.commanded[i] = volts;
            scratch.commanded_now.push(i as u32);
        }
        next_due = next_due.min(state.drivers[i].due);
    }
    state.drivers_due = next_due;
}

/// New voltages (right, left) of a driver, and after how many steps it acts again.
fn drive(model: &Model, state: &mut State, i: usize) -> ([f64; 2], u64) {
    let steps = |period_s: f64| ((period_s / model.step_s).round() as u64).max(1);
    match model.robots[i].driver {
        DriverSpec::None => ([0.0, 0.0], u64::MAX),
        DriverSpec::Constant { left, right } => ([right, left], u64::MAX),
        DriverSpec::Random { max_volts, period_s } => {
            let stream = &mut state.drivers[i].stream;
            let right = stream.between(-max_volts, max_volts);
            let left = stream.between(-max_volts, max_volts);
            ([right, left], steps(period_s))
        }
        DriverSpec::Chaser { max_volts, patience_s } => {
            let period = steps(CHASER_PERIOD_S);
            let patience = (patience_s / (period as f64 * model.step_s)).ceil() as i64;
            (chase(model, state, i, (max_volts, patience)), period)
        }
    }
}

/// Turns to the nearest ball and drives at it, forwards or backwards, whichever is nearer. Where it
/// has been stuck for `patience` looks it backs off in a curve, for a time that is its own random draw: a scrum
/// comes apart and the ball gets free.
fn chase(
    model: &Model,
    state: &mut State,
    i: usize,
    (max_volts, patience): (f64, i64),
) -> [f64; 2] {
    let (block, lane) = place(model.robots[i].slot);
    let motion = state.motion[block];
    let pose = motion.pose(lane);
    let mut nearest: Option<Vec2> = None;
    for &slot in &model.ball_slots {
        let to = pose.inverse_transform(state.pose(slot).position);
        if nearest.is_none_or(|n| to.length_squared() < n.length_squared()) {
            nearest = Some(to);
        }
    }
    let Some(to) = nearest else { return [0.0, 0.0] };
    let direction = to.unit_or(Vec2::new(1.0, 0.0));
    // The robot has no front: backwards is as good. Turning is damped by the rate itself.
    let forward = if direction.x < 0.0 { -1.0 } else { 1.0 };
    let limit = |x: f64| (x * max_volts).clamp(-max_volts, max_volts);
    let driver = &mut state.drivers[i];
    if driver.patience < 0 {
        driver.patience += 1;
        let bend = if driver.stream.key & 1 == 0 { 0.25 } else { -0.25 };
        return [limit(-forward * (0.6 + bend)), limit(-forward * (0.6 - bend))];
    }
    let stuck = motion.vx[lane].abs() < 0.02 && motion.omega[lane].abs() < 0.3;
    driver.patience = if stuck { driver.patience.saturating_add(1) } else { 0 };
    if driver.patience > patience {
        driver.patience = -10 - (driver.stream.next_u64() % 20) as i64;
    }
    let turn = direction.y * forward - 0.03 * motion.omega[lane];
    let drive = forward * direction.x.abs();
    [limit(0.8 * drive + 0.6 * turn), limit(0.8 * drive - 0.6 * turn)]
}
