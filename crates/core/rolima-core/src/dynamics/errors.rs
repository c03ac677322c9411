//! Errors of the executed motion: what robots do is not quite what their wheels say.
//!
//! They are part of the motion, not of the odometry that is deceived by it: drawn in every step in
//! which a robot moves, whoever reads its wheels and however often, and done before contacts are
//! looked for. A robot that stands stays where it is, to the bit.
//!
//! An error moves a pose and no velocity, so that nothing is hit by it: it is done only where nothing
//! is within reach of the robot in this step, by shapes and poses alone (`clear`). So it carries
//! nobody into a wall, gains no energy, and bodies that the next stage touches have none.

use crate::contacts::broad::WALL_BASE;
use crate::contacts::{SKIN, narrow};
use crate::dynamics::Reach;
use crate::scratch::Scratch;
use crate::state::{Block, State, place};
use rolima_math::{Pose2, Stream};
use rolima_model::{BodyModel, Model, Part, RobotId};
use rolima_sensors::sensors::MotionErrorState;

/// Slower robots stand: they have no errors, m/s. Vehicles that come to rest on their springs are
/// below it after some seconds; a robot that is driven never is for long.
const LEAST_SPEED: f64 = 1e-4;

/// The same for turning, rad/s.
const LEAST_TURNING: f64 = 1e-4;

/// How much of its radius the errors may move a robot in one step.
const MOST_OF_RADIUS: f64 = 0.25;

/// Largest turn that the errors may make in one step, rad.
const MOST_TURN: f64 = 0.5;

/// On rough ground outlines tilt: errors keep so far from what is seen from above, m.
const TILT_ALLOWANCE: f64 = 0.02;

/// What the errors of a robot are drawn from. Their standard deviations are those of its first
/// odometry, where scenes have them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    robot: u32,
    /// Its first odometry.
    device: u32,
    /// Its own random stream.
    pub(crate) stream: Stream,
}

/// The robots that may err: those with odometry.
pub(crate) fn drifts(model: &Model, seed: u64) -> Vec<Drift> {
    let robots = (0..model.robots.len() as u32).filter_map(|robot| {
        let device = model.erring_odometry(RobotId(robot))?;
        let stream = Stream::new(seed, u64::from(robot), "executed motion");
        Some(Drift { robot, device: device as u32, stream })
    });
    if model.devices.is_empty() { vec![] } else { robots.collect() }
}

/// An error in this step.
#[derive(Clone, Copy)]
struct Erred {
    robot: u32,
    slot: u32,
    /// Along the heading, m.
    way: f64,
    /// rad.
    turn: f64,
    /// Where the robot would have got without it.
    free: Pose2,
    /// Whether something is within reach, so that it is not done.
    near: bool,
}

/// Errors of this step; memory that can be thrown away.
#[derive(Default)]
pub(crate) struct ErrorScratch {
    /// In the order of robots.
    erred: Vec<Erred>,
    /// Number in `erred` and 1 more, by slot; 0 for none. Empty where no robot may err.
    by_slot: Vec<u32>,
}

impl ErrorScratch {
    pub(crate) fn new(model: &Model, state: &State) -> Self {
        let slots = if state.drifts.is_empty() { 0 } else { model.layout.bodies.len() };
        Self { erred: Vec::with_capacity(state.drifts.len()), by_slot: vec![0; slots] }
    }

    /// Where a robot has got as its wheels say, if that is not where it is.
    pub(crate) fn free_pose(&self, slot: u32) -> Option<Pose2> {
        self.of(slot).map(|erred| erred.free)
    }

    fn of(&self, slot: u32) -> Option<&Erred> {
        let number = self.by_slot.get(slot as usize)?.checked_sub(1)?;
        self.erred.get(number as usize)
    }

    fn forget(&mut self) {
        for erred in self.erred.drain(..) {
            self.by_slot[erred.slot as usize] = 0;
        }
    }

    /// How far the error takes any point of a body of this radius at most, m: its origin, and what
    /// turning adds.
    fn reach(&self, slot: u32, radius: f64) -> (f64, f64) {
        self.of(slot).map_or((0.0, 0.0), |e| (e.way.abs(), e.turn.abs() * radius))
    }

    fn mark_near(&mut self, slot: u32) {
        if let Some(number) = self.by_slot.get(slot as usize).and_then(|n| n.checked_sub(1)) {
            self.erred[number as usize].near = true;
        }
    }

    fn is_open(&self, slot: u32) -> bool {
        self.of(slot).is_some_and(|erred| !erred.near)
    }
}

/// Draws the errors of all robots that move. `moves` says so of a robot, by number and slot.
fn draw(
    model: &Model,
    state: &mut State,
    errors: &mut ErrorScratch,
    moves: impl Fn(&State, u32, u32) -> bool,
) {
    for i in 0..state.drifts.len() {
        let Drift { robot, device, stream } = state.drifts[i];
        let Some([sigma_linear, sigma_angular]) = state.senses.motion_sigma(device as usize) else {
            continue;
        };
        let slot = model.layout.robot_slot(RobotId(robot));
        let stands = !moves(state, robot, slot) || state.is_quarantined(slot);
        if stands || (sigma_linear == 0.0 && sigma_angular == 0.0) {
            continue;
        }
        let mut source = MotionErrorState { sigma_linear, sigma_angular, stream };
        let (way, turn) = source.draw(model.step_s, true);
        state.drifts[i].stream = source.stream;
        let most = MOST_OF_RADIUS * model.layout.body(slot).map_or(0.0, |body| body.radius);
        errors.erred.push(Erred {
            robot,
            slot,
            way: way.clamp(-most, most),
            turn: turn.clamp(-MOST_TURN, MOST_TURN),
            free: state.pose(slot),
            near: false,
        });
        errors.by_slot[slot as usize] = errors.erred.len() as u32;
    }
}

/// Takes errors back that have something within reach.
fn drop_near(errors: &mut ErrorScratch) {
    let ErrorScratch { erred, by_slot } = errors;
    erred.iter().for_each(|e| by_slot[e.slot as usize] = 0);
    erred.retain(|e| !e.near);
    for (number, e) in (1..).zip(erred.iter()) {
        by_slot[e.slot as usize] = number;
    }
}

/// Lets robots on flat ground err, after all bodies have moved as if nothing touched.
pub(super) fn run(model: &Model, state: &mut State, scratch: &mut Scratch) {
    if state.drifts.is_empty() {
        return;
    }
    // What was done in the step before is behind the bodies only now: there it was not within reach
    // of anything, and the contacts measured from where that step began.
    for e in &scratch.errors.erred {
        let radius = model.layout.block_radius[place(e.slot).0];
        scratch.sweeps[e.slot as usize] += e.way.abs() + e.turn.abs() * radius;
    }
    scratch.errors.forget();
    draw(model, state, &mut scratch.errors, |state, _, slot| {
        let (block, lane) = place(slot);
        let motion = &state.motion[block];
        motion.vx[lane].abs() > LEAST_SPEED || motion.omega[lane].abs() > LEAST_TURNING
    });
    if scratch.errors.erred.is_empty() {
        return;
    }
    mark_near_pairs(model, state, scratch);
    drop_near(&mut scratch.errors);
    let Scratch { errors, before, reach, .. } = scratch;
    for e in &errors.erred {
        let (block, lane) = place(e.slot);
        let (before, after) = (&before[block], &mut state.motion[block]);
        let position = e.free.position + e.free.rotation.x_axis() * e.way;
        let rotation = e.free.rotation.turned(e.turn);
        after.set_pose(lane, Pose2 { position, rotation });
        let turn = e.turn.abs() + turning(before, after, lane) * model.step_s;
        reach.merge(Reach::of_lane(before, after, lane, turn));
    }
}

/// Marks the errors of robots that have something within reach, from the list of near pairs.
fn mark_near_pairs(model: &Model, state: &State, scratch: &mut Scratch) {
    let Scratch { errors, broad, before, reach, .. } = scratch;
    let most = errors.erred.iter().map(|e| e.way.abs()).fold(0.0, f64::max);
    let way = reach.way_squared.sqrt() + most;
    // With this way the list holds all pairs whose circles get as near as `clear` asks.
    broad.update(model, before, Reach { way_squared: way * way, ..*reach });
    // A third body may push by twice what anything moves.
    let motions = [&before[..], &state.motion];
    let moved = Moved { model, motions, ahead_s: 0.0, margin: SKIN + 2.0 * way };
    for pair in &broad.pairs {
        if !errors.is_open(pair.a) && !errors.is_open(pair.b) {
            continue;
        }
        let wall = pair.b.checked_sub(WALL_BASE).map(|wall| &model.walls[wall as usize]);
        let other = if wall.is_none() { model.layout.body(pair.b) } else { None };
        let Some(body) = model.layout.body(pair.a) else { continue };
        if !clear(&moved, errors, body, other, wall) {
            errors.mark_near(pair.a);
            errors.mark_near(pair.b);
        }
    }
}

/// Lets vehicles on rough ground err, after their fine steps.
pub(super) fn run_on_rough_ground(model: &Model, state: &mut State, scratch: &mut Scratch) {
    if state.drifts.is_empty() {
        return;
    }
    let Scratch { errors, turned_before, .. } = scratch;
    errors.forget();
    // A vehicle that rocks on its springs stands while its wheels do.
    draw(model, state, errors, |state, robot, _| {
        let (Some(spatial), Some(rough)) = (&model.spatial, &state.rough) else { return false };
        let Some(vehicle) = rough.vehicle(robot).filter(|v| !v.state.is_stopped()) else {
            return false;
        };
        let (now, before) = (vehicle.sides(spatial, robot).angle, turned_before[robot as usize]);
        let drive = &model.drives[model.robots[robot as usize].drive as usize];
        let rolled = |i: usize| (now[i] - before[i]).abs() * drive.wheels[i].radius;
        rolled(0).max(rolled(1)) > LEAST_SPEED * model.step_s
    });
    if errors.erred.is_empty() {
        return;
    }
    crate::rough::cast_shadows(model, state);
    // Bodies are still to be moved by the stage that lets them meet.
    let motions = [&state.motion[..]; 2];
    let moved = Moved { model, motions, ahead_s: model.step_s, margin: SKIN + TILT_ALLOWANCE };
    for i in 0..errors.erred.len() {
        let slot = errors.erred[i].slot;
        let Some(body) = model.layout.body(slot) else { continue };
        let others = model.bodies().filter(|other| other.slot != slot);
        let free = others.clone().all(|other| clear(&moved, errors, body, Some(other), None))
            && model.walls.iter().all(|wall| clear(&moved, errors, body, None, Some(wall)));
        errors.erred[i].near = !free;
    }
    drop_near(errors);
    let Some(rough) = &mut state.rough else { return };
    for e in &errors.erred {
        if let Some(vehicle) = rough.world.vehicles_mut().get_mut(e.robot as usize) {
            vehicle.shift(e.way, e.turn);
        }
    }
}

/// The bodies of this step: from where to where they move, and how far they have to stay apart.
struct Moved<'a> {
    model: &'a Model,
    motions: [&'a [Block]; 2],
    /// For how long they go on afterwards, s.
    ahead_s: f64,
    margin: f64,
}

impl Moved<'_> {
    /// Where a body begins, how far its origin gets, and what its rim gets further by turning, m.
    fn of(&self, errors: &ErrorScratch, body: &BodyModel) -> (Pose2, f64, f64) {
        let (block, lane) = place(body.slot);
        let [before, after] = self.motions.map(|motion| &motion[block]);
        let h = self.model.step_s;
        let from = before.pose(lane);
        let way = after.pose(lane).position - from.position;
        let ahead = after.velocity(lane).length() * self.ahead_s;
        let (further, turned) = errors.reach(body.slot, body.radius);
        let rim = turning(before, after, lane) * h * body.radius;
        (from, way.length() + ahead + further, rim + turned)
    }
}

fn turning(before: &Block, after: &Block, lane: usize) -> f64 {
    before.omega[lane].abs().max(after.omega[lane].abs())
}

/// Whether a body and another, or a wall, stay apart in this step whatever they do.
///
/// Looks at poses and shapes alone, not at what was remembered of earlier steps: a restored world
/// decides alike.
fn clear(
    moved: &Moved<'_>,
    errors: &ErrorScratch,
    body: &BodyModel,
    other: Option<&BodyModel>,
    wall: Option<&Part>,
) -> bool {
    let (pose, way, rim) = moved.of(errors, body);
    let (other_pose, other_way, other_rim) =
        other.map_or((Pose2::IDENTITY, 0.0, 0.0), |other| moved.of(errors, other));
    let near = moved.margin + way + other_way;
    let circles = match (other, wall) {
        (Some(other), _) => {
            (pose.position - other_pose.position).length() - body.radius - other.radius
        }
        (None, Some(wall)) => wall.least_distance(pose.position) - body.radius,
        (None, None) => return true,
    };
    if circles > near {
        return true;
    }
    let shapes = &moved.model.shapes;
    let theirs = match (other, wall) {
        (Some(other), _) => &shapes[other.shape as usize].parts[..],
        (None, wall) => wall.map_or(&[][..], core::slice::from_ref),
    };
    let margin = near + rim + other_rim;
    let touches = |part: &Part| {
        theirs
            .iter()
            .any(|their| narrow::collide_at((part, pose), (their, other_pose), margin).is_ok())
    };
    !shapes[body.shape as usize].parts.iter().any(touches)
}
