//! Errors of the executed motion: what robots do is not quite what their wheels say.
//!
//! They are part of the motion, not of the odometry that is deceived by it: drawn in every step in
//! which a robot moves, whoever reads its wheels and however often, and done before contacts are
//! looked for. A robot that stands stays where it is, to the bit.
//!
//! An error moves a pose and no velocity, so that nothing is hit by it: it is done only where nothing
//! is within reach of the robot in this step, by shapes and poses alone (`clear`). So it carries
//! nobody into a wall, gains no energy, and bodies that the next stage touches have none.

use crate::planar::contacts::narrow;
use crate::sensors::SenseState;
use rolima_math::{Pose2, Stream};
use rolima_model::{BodyModel, Model, Part, RobotId};
use rolima_sensors::sensors::MotionErrorState;

/// Slower robots stand: they have no errors, m/s. Vehicles that come to rest on their springs are
/// below it after some seconds; a robot that is driven never is for long.
pub(crate) const LEAST_SPEED: f64 = 1e-4;

/// The same for turning, rad/s.
pub(crate) const LEAST_TURNING: f64 = 1e-4;

/// How much of its radius the errors may move a robot in one step.
const MOST_OF_RADIUS: f64 = 0.25;

/// Largest turn that the errors may make in one step, rad.
const MOST_TURN: f64 = 0.5;

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
pub(crate) struct Erred {
    pub(crate) robot: u32,
    pub(crate) slot: u32,
    /// Along the heading, m.
    pub(crate) distance: f64,
    /// rad.
    pub(crate) turn: f64,
    /// Where the robot would have got without it.
    pub(crate) free: Pose2,
    /// Whether something is within reach, so that it is not done.
    pub(crate) near: bool,
}

/// Errors of this step; memory that can be thrown away.
#[derive(Default)]
pub(crate) struct ErrorScratch {
    /// In the order of robots.
    pub(crate) erred: Vec<Erred>,
    /// Number in `erred` and 1 more, by slot; 0 for none. Empty where no robot may err.
    by_slot: Vec<u32>,
}

impl ErrorScratch {
    pub(crate) fn new(model: &Model, drifts: &[Drift]) -> Self {
        let slots = if drifts.is_empty() { 0 } else { model.layout.bodies.len() };
        Self { erred: Vec::with_capacity(drifts.len()), by_slot: vec![0; slots] }
    }

    /// Where a robot has got as its wheels say, if that is not where it is.
    pub(crate) fn free_pose(&self, slot: u32) -> Option<Pose2> {
        self.of(slot).map(|erred| erred.free)
    }

    fn of(&self, slot: u32) -> Option<&Erred> {
        let number = self.by_slot.get(slot as usize)?.checked_sub(1)?;
        self.erred.get(number as usize)
    }

    pub(crate) fn forget(&mut self) {
        for erred in self.erred.drain(..) {
            self.by_slot[erred.slot as usize] = 0;
        }
    }

    /// How far the error takes any point of a body of this radius at most, m: its origin, and what
    /// turning adds.
    fn reach(&self, slot: u32, radius: f64) -> (f64, f64) {
        self.of(slot).map_or((0.0, 0.0), |e| (e.distance.abs(), e.turn.abs() * radius))
    }

    pub(crate) fn mark_near(&mut self, slot: u32) {
        if let Some(number) = self.by_slot.get(slot as usize).and_then(|n| n.checked_sub(1)) {
            self.erred[number as usize].near = true;
        }
    }

    pub(crate) fn is_open(&self, slot: u32) -> bool {
        self.of(slot).is_some_and(|erred| !erred.near)
    }
}

/// Draws the errors of all robots that move. `moving` gives the pose of such a robot, by number and slot;
/// none of one that stands.
pub(crate) fn draw(
    model: &Model,
    (drifts, senses): (&mut [Drift], &SenseState),
    errors: &mut ErrorScratch,
    moving: impl Fn(u32, u32) -> Option<Pose2>,
) {
    for drift in drifts {
        let Drift { robot, device, stream } = *drift;
        let Some([sigma_linear, sigma_angular]) = senses.motion_sigma(device as usize) else {
            continue;
        };
        let slot = model.layout.robot_slot(RobotId(robot));
        let Some(free) = moving(robot, slot) else { continue };
        if sigma_linear == 0.0 && sigma_angular == 0.0 {
            continue;
        }
        let mut source = MotionErrorState { sigma_linear, sigma_angular, stream };
        let (distance, turn) = source.draw(model.step_s, true);
        drift.stream = source.stream;
        let most = MOST_OF_RADIUS * model.layout.body(slot).map_or(0.0, |body| body.radius);
        errors.erred.push(Erred {
            robot,
            slot,
            distance: distance.clamp(-most, most),
            turn: turn.clamp(-MOST_TURN, MOST_TURN),
            free,
            near: false,
        });
        errors.by_slot[slot as usize] = errors.erred.len() as u32;
    }
}

/// Takes errors back that have something within reach.
pub(crate) fn drop_near(errors: &mut ErrorScratch) {
    let ErrorScratch { erred, by_slot } = errors;
    erred.iter().for_each(|e| by_slot[e.slot as usize] = 0);
    erred.retain(|e| !e.near);
    for (number, e) in (1..).zip(erred.iter()) {
        by_slot[e.slot as usize] = number;
    }
}

/// How a body moves in this step.
#[derive(Clone, Copy)]
pub(crate) struct StepMotion {
    /// Where it begins.
    pub(crate) from: Pose2,
    /// How far its origin gets, m.
    pub(crate) distance: f64,
    /// How fast it turns at most, rad/s.
    pub(crate) turning: f64,
}

/// The bodies of this step: how they move, and how far they have to stay apart.
pub(crate) struct Moved<'a, F: Fn(&BodyModel) -> StepMotion> {
    pub(crate) model: &'a Model,
    pub(crate) course: F,
    /// m.
    pub(crate) margin: f64,
}

impl<F: Fn(&BodyModel) -> StepMotion> Moved<'_, F> {
    /// Where a body begins, how far its origin gets, and what its rim gets further by turning, m.
    fn of(&self, errors: &ErrorScratch, body: &BodyModel) -> (Pose2, f64, f64) {
        let StepMotion { from, distance, turning } = (self.course)(body);
        let (further, turned) = errors.reach(body.slot, body.radius);
        (from, distance + further, turning * self.model.step_s * body.radius + turned)
    }
}

/// Whether a body and another, or a wall, stay apart in this step whatever they do.
///
/// Looks at poses and shapes alone, not at what was remembered of earlier steps: a restored world
/// decides alike.
pub(crate) fn clear(
    moved: &Moved<'_, impl Fn(&BodyModel) -> StepMotion>,
    errors: &ErrorScratch,
    body: &BodyModel,
    other: Option<&BodyModel>,
    wall: Option<&Part>,
) -> bool {
    let (pose, distance, rim) = moved.of(errors, body);
    let (other_pose, other_distance, other_rim) =
        other.map_or((Pose2::IDENTITY, 0.0, 0.0), |other| moved.of(errors, other));
    let near = moved.margin + distance + other_distance;
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
