//! Robots whose tyres have let go: state (vx, vy, omega, omega_d, omega_e).
//!
//! Each wheel carries half the weight and has one friction circle for drive and side force: a wheel
//! that slides gives mu_k N against its slip, one that sticks gives up to mu_s N. With slip
//! s = (vx - l omega - r w, vy) of a wheel l to the left, and F its force (along, across):
//!
//! ```text
//! m (vx' - omega vy) = sum F_x - beta_lin vx      J omega' = -sum l F_x - beta_ang omega
//! m (vy' + omega vx) = sum F_y - beta_lin vy      J_w w'   = rho K e - (rho K^2 + beta) w - r F_x
//! ```
//!
//! A step is divided into parts of at most `LONGEST_PART_S`. Light wheels answer to a small slip so fast
//! that only an implicit method is stable. With y' = f(y), a part of h is two implicit stages,
//!
//! ```text
//! y1 = y0 + g h f(y1)      y2 = y0 + (1 - g) h f(y1) + g h f(y2)      g = 1 - 1/sqrt(2)
//! ```
//!
//! and y2 is its end: of second order, and what is stiff is gone at once (Alexander's method). A stage is
//! one set of linear equations with the tyres' law at its end (`tyre::friction_of_pair`).
//!
//! That needs each tyre to do the same throughout: to slide on, or to hold. A part in which one stops,
//! lets go or turns round is halved, up to `MOST_HALVINGS` times, and what is left is done in one
//! implicit stage. A tyre that has stopped holds if its kinetic friction suffices for that; else it slides
//! on the other way. When no wheel slides any more, equation 8 takes over.

use super::tyre::{self, Answers};
use crate::planar::{Block, VoltBlock};
use core::f64::consts::FRAC_1_SQRT_2;
use rolima_math::{Pose2, Vec2};
use rolima_model::DriveModel;

/// Longest part of a step of a slipping robot, s.
const LONGEST_PART_S: f64 = 1e-3;

/// Most parts of a step.
const MOST_PARTS: f64 = 64.0;

/// How often a part is halved at most, to find when a tyre begins to do something else. Each halves the
/// error that this leaves, and costs up to seven stages more in the few steps in which it happens.
const MOST_HALVINGS: u32 = 3;

/// A wheel slower than this over the ground sticks, m/s: more than what rounding and the even sharing of
/// side forces leave of a slip that stopped.
const STICKS: f64 = 1e-7;

/// Share of a part that the first stage takes, and the second one's implicit share.
const SHARE: f64 = 1.0 - FRAC_1_SQRT_2;

/// The second stage starts this many times the first one's change beyond its end.
const BEYOND: f64 = 1.0 / SHARE - 2.0;

/// Least cosine between slip at first, and what a tyre gives against it in both stages: below, it turns
/// round.
const LEAST_COSINE: f64 = 0.5;

/// Pose of a robot, velocity and turning in its own frame, and its wheel speeds (right, left).
#[derive(Clone, Copy)]
struct Motion {
    pose: Pose2,
    velocity: Vec2,
    omega: f64,
    wheel_speeds: [f64; 2],
    /// What its tyres have given in this step (along, across), N s.
    given: [Vec2; 2],
}

/// Moves one slipping robot. Returns whether it still slips, and the impulses of its tyres (right,
/// left; along, across), N s.
pub(crate) fn run(
    drive: &DriveModel,
    h: f64,
    lane: usize,
    (before, after): (&Block, &mut Block),
    volts: &VoltBlock,
    wheel_speeds: &mut [f64; 2],
) -> (bool, [Vec2; 2]) {
    let parts = (h / LONGEST_PART_S - 1e-9).ceil().clamp(1.0, MOST_PARTS);
    let volts = [volts.right[lane], volts.left[lane]];
    let mut motion = Motion {
        pose: before.pose(lane),
        velocity: before.velocity(lane),
        omega: before.omega[lane],
        wheel_speeds: *wheel_speeds,
        given: [Vec2::ZERO; 2],
    };
    let mut slides = false;
    for _ in 0..parts as u32 {
        slides = part(drive, h / parts, &mut motion, volts, MOST_HALVINGS);
    }
    if !slides {
        motion.velocity.y = 0.0;
    }
    *wheel_speeds = motion.wheel_speeds;
    after.set_pose(lane, motion.pose);
    after.set_velocity(lane, motion.velocity, motion.omega);
    (slides, motion.given)
}

/// Moves a robot by a part of a step. Returns whether it slips at its end.
fn part(drive: &DriveModel, h: f64, motion: &mut Motion, volts: [f64; 2], halvings: u32) -> bool {
    let stage = Stage::new(drive, SHARE * h);
    let mut held = motion.slips(drive).map(is_next_to_nothing);
    loop {
        match two_stages(&stage, h, motion, held, volts) {
            StepMotion::Steady(end) => {
                *motion = end;
                return held != [true; 2];
            }
            // Twice at most, as there are two tyres.
            StepMotion::LetsGo(which) => held = [0, 1].map(|i| held[i] && !which[i]),
            StepMotion::Changes => break,
        }
    }
    if let Some((end, slides)) = one_stage(&stage, h, motion, held, volts, halvings == 0) {
        *motion = end;
        return slides;
    }
    part(drive, 0.5 * h, motion, volts, halvings - 1);
    part(drive, 0.5 * h, motion, volts, halvings - 1)
}

/// What tyres do in a part.
enum StepMotion {
    /// The same throughout, which leads here.
    Steady(Motion),
    /// Of these, more is asked at once than they hold.
    LetsGo([bool; 2]),
    /// One does something else from some instant on.
    Changes,
}

/// A part of `h` in two stages of which `stage` is one; tyres hold or slide, as `held` says.
fn two_stages(
    stage: &Stage<'_>,
    h: f64,
    start: &Motion,
    held: [bool; 2],
    volts: [f64; 2],
) -> StepMotion {
    let drive = stage.drive;
    let turned = start.turned(stage.time * start.omega);
    let (first, p, slides) = stage.end(&turned, held, volts);
    let lets_go = [0, 1].map(|i| held[i] && slides[i]);
    if lets_go != [false; 2] {
        return StepMotion::LetsGo(lets_go);
    }
    let sliding = held.map(|held| !held);
    if slides != sliding {
        return StepMotion::Changes;
    }
    // The mean turning by the rate of the first stage.
    let turn = h * (start.omega + (first.omega - start.omega) * (0.5 / SHARE));
    let beyond = turned.beyond(&first).turned(turn - stage.time * start.omega);
    let (mut end, q, slides) = stage.end(&beyond, held, volts);
    let (limit, slips) = (stage.time * drive.grip_kinetic, start.slips(drive));
    let is_steady = (0..2).all(|i| {
        held[i]
            || (p[i].dot(q[i]) >= LEAST_COSINE * limit * limit && is_against(p[i], limit, slips[i]))
    });
    if slides != sliding || !is_steady {
        return StepMotion::Changes;
    }
    end.given = [0, 1].map(|i| start.given[i] + p[i] * (1.0 + BEYOND) + q[i]);
    end.move_from(start, h);
    StepMotion::Steady(end)
}

/// A part of `h` in one stage, in which tyres may stop; returns whether any slides at its end. None if
/// one did something that asks for shorter parts, unless it has to do.
fn one_stage(
    short: &Stage<'_>,
    h: f64,
    start: &Motion,
    mut held: [bool; 2],
    volts: [f64; 2],
    has_to_do: bool,
) -> Option<(Motion, bool)> {
    let drive = short.drive;
    let (stage, slips) = (Stage::new(drive, h), start.slips(drive));
    let turned = start.turned(h * start.omega);
    let held_before = held;
    let (mut end, impulses, mut slides) = loop {
        let (end, impulses, slides) = stage.end(&turned, held, volts);
        let keeps = [0, 1].map(|i| held[i] && !slides[i]);
        if keeps == held {
            break (end, impulses, slides);
        }
        held = keeps;
    };
    end.given = [0, 1].map(|i| start.given[i] + impulses[i]);
    end.move_from(start, h);
    let limit = h * drive.grip_kinetic;
    let went_on =
        (0..2).all(|i| !slides[i] || (!held_before[i] && is_against(impulses[i], limit, slips[i])));
    let stopped = [0, 1].map(|i| !held[i] && !slides[i]);
    let slides_on = stopped != [false; 2] && slide_on(short, &mut end, stopped, &mut slides, volts);
    let is_good = has_to_do || (went_on && !slides_on);
    is_good.then_some((end, slides != [false; 2]))
}

/// Lets tyres slide on that have stopped, but that kinetic friction does not hold: with the least slip
/// that counts, in the direction in which they would soon slide. Returns whether there was one.
fn slide_on(
    soon: &Stage<'_>,
    motion: &mut Motion,
    stopped: [bool; 2],
    slides: &mut [bool; 2],
    volts: [f64; 2],
) -> bool {
    let held = [0, 1].map(|i| !slides[i] && !stopped[i]);
    let (then, _, slides_then) = soon.end(&motion.turned(soon.time * motion.omega), held, volts);
    let slips = then.slips(soon.drive);
    let mut any = false;
    for i in (0..2).filter(|i| stopped[*i] && slides_then[*i]) {
        let add = slips[i] * (2.0 * STICKS / slips[i].length()) - motion.slips(soon.drive)[i];
        motion.velocity.y += add.y;
        motion.wheel_speeds[i] -= add.x * soon.drive.wheels[i].inverse_radius;
        (slides[i], any) = (true, true);
    }
    any
}

/// Whether a tyre with this slip sticks. One that gives all it can may yet stick, as the other one takes
/// the rest of what acts across.
fn is_next_to_nothing(slip: Vec2) -> bool {
    slip.length_squared() < STICKS * STICKS
}

/// Whether a sliding tyre's impulse, of the size `limit`, is more or less against this slip; anything is
/// against none.
fn is_against(impulse: Vec2, limit: f64, slip: Vec2) -> bool {
    let along = -impulse.dot(slip);
    let least = LEAST_COSINE * limit;
    is_next_to_nothing(slip)
        || (along >= 0.0 && along * along >= least * least * slip.length_squared())
}

/// An implicit stage of some time: motors, viscous friction and tyres act as they do at its end.
struct Stage<'a> {
    drive: &'a DriveModel,
    /// s.
    time: f64,
    /// What an impulse changes, 1/kg, 1/(kg m2).
    per_mass: f64,
    per_inertia: f64,
    per_wheel: [f64; 2],
    answers: Answers,
}

impl<'a> Stage<'a> {
    fn new(drive: &'a DriveModel, time: f64) -> Self {
        let spec = &drive.spec;
        let per_mass = 1.0 / (spec.mass + time * spec.friction_linear);
        let per_inertia = 1.0 / (spec.inertia + time * spec.friction_angular);
        let per_wheel = drive.wheels.map(|w| 1.0 / (w.inertia + time * w.drag));
        let answers = Answers::with(drive, per_mass, per_inertia, per_wheel);
        Self { drive, time, per_mass, per_inertia, per_wheel, answers }
    }

    /// Its end, the impulses of both tyres, N s, and which of them slide. Those that are `held` give up
    /// to their static friction.
    fn end(
        &self,
        start: &Motion,
        held: [bool; 2],
        volts: [f64; 2],
    ) -> (Motion, [Vec2; 2], [bool; 2]) {
        let (drive, spec) = (self.drive, &self.drive.spec);
        let mut end = *start;
        end.velocity = start.velocity * (spec.mass * self.per_mass);
        end.omega = start.omega * (spec.inertia * self.per_inertia);
        end.wheel_speeds = [0, 1].map(|i| {
            let w = &drive.wheels[i];
            let push = self.time * w.torque_per_volt * volts[i];
            (w.inertia * start.wheel_speeds[i] + push) * self.per_wheel[i]
        });
        let limits =
            held.map(|held| self.time * if held { drive.grip_static } else { drive.grip_kinetic });
        let friction = tyre::friction_of_pair(end.slips(drive), &self.answers, limits);
        for (i, p) in friction.impulses.into_iter().enumerate() {
            let w = &drive.wheels[i];
            end.velocity += p * self.per_mass;
            end.omega -= w.left * p.x * self.per_inertia;
            end.wheel_speeds[i] -= w.radius * p.x * self.per_wheel[i];
        }
        let slips = end.slips(drive);
        let slides = [0, 1].map(|i| friction.slides[i] && !is_next_to_nothing(slips[i]));
        (end, friction.impulses, slides)
    }
}

impl Motion {
    /// Velocities of the tyres' contact patches over the ground.
    fn slips(&self, drive: &DriveModel) -> [Vec2; 2] {
        [0, 1].map(|i| {
            let w = &drive.wheels[i];
            let along = self.velocity.x - w.left * self.omega - w.radius * self.wheel_speeds[i];
            Vec2::new(along, self.velocity.y)
        })
    }

    /// Turned by an angle under its velocity, which shows as side slip.
    fn turned(&self, angle: f64) -> Self {
        let mut new = *self;
        new.pose.rotation = self.pose.rotation.turned(angle);
        new.velocity = new.pose.rotation.unrotate(self.pose.rotation.rotate(self.velocity));
        new
    }

    /// As far beyond another motion as the second stage starts beyond the first one's end.
    fn beyond(&self, other: &Self) -> Self {
        let on = |from: f64, to: f64| to + (to - from) * BEYOND;
        Self {
            velocity: other.velocity + (other.velocity - self.velocity) * BEYOND,
            omega: on(self.omega, other.omega),
            wheel_speeds: [0, 1].map(|i| on(self.wheel_speeds[i], other.wheel_speeds[i])),
            ..*self
        }
    }

    /// Puts it where the mean velocity since another one leads.
    fn move_from(&mut self, start: &Self, h: f64) {
        let [from, to] = [start, self].map(|m| m.pose.rotation.rotate(m.velocity));
        self.pose.position = start.pose.position + (from + to) * (0.5 * h);
    }
}
