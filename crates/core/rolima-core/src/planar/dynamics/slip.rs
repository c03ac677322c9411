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
//! A step is divided into parts of at most `LONGEST_PART_S`. In each, motors and tyres act for one
//! half, the robot coasts and turns, and motors and tyres act for the other half; so errors of
//! direction cancel. Motors are implicit, and so are tyres (`tyre::friction_of_pair`), for the slip
//! at the end of their half. The way is that of the mean velocity. When no wheel slides any more,
//! equation 8 takes over.

use super::tyre::{self, Answers};
use crate::planar::{Block, VoltBlock};
use rolima_math::{Pose2, Vec2};
use rolima_model::DriveModel;

/// Longest part of a step of a slipping robot, s. Directions of slip are taken at the end of a part,
/// so errors grow with it.
const LONGEST_PART_S: f64 = 1e-3;

/// Most parts of a step.
const MOST_PARTS: f64 = 64.0;

/// A wheel slower than this over the ground sticks, m/s: what rounding leaves of a slip that stopped.
const STICKS: f64 = 1e-6;

/// Velocity and turning of a robot in its own frame, and its wheel speeds (right, left).
#[derive(Clone, Copy)]
struct Motion {
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
    let mut pose = before.pose(lane);
    let mut motion = Motion {
        velocity: before.velocity(lane),
        omega: before.omega[lane],
        wheel_speeds: *wheel_speeds,
        given: [Vec2::ZERO; 2],
    };
    let mut slides = false;
    for _ in 0..parts as u32 {
        slides = part(drive, h / parts, &mut pose, &mut motion, volts);
    }
    if !slides {
        motion.velocity.y = 0.0;
    }
    *wheel_speeds = motion.wheel_speeds;
    after.set_pose(lane, pose);
    after.set_velocity(lane, motion.velocity, motion.omega);
    (slides, motion.given)
}

/// Moves a robot by a part of a step. Returns whether it slips at its end.
fn part(
    drive: &DriveModel,
    h: f64,
    pose: &mut Pose2,
    motion: &mut Motion,
    volts: [f64; 2],
) -> bool {
    let from = pose.rotation.rotate(motion.velocity);
    let held = [0, 1].map(|i| motion.slip(drive, i).length_squared() < STICKS * STICKS);
    let kinetic = h * drive.grip_kinetic;
    let slides = if held == [false; 2] {
        motion.run_motors(drive, 0.5 * h, volts);
        let first = rub(drive, motion, ([0.5 * kinetic; 2], 0.5 * kinetic));
        motion.coast(drive, h, pose);
        motion.run_motors(drive, 0.5 * h, volts);
        // Tyres that hold again have more left for what turning asks of them.
        let left = first.impulses.map(|p| kinetic - p.length());
        rub(drive, motion, (left, kinetic)).slides
    } else {
        motion.run_motors(drive, h, volts);
        motion.coast(drive, h, pose);
        let limits = held.map(|held| if held { h * drive.grip_static } else { kinetic });
        rub(drive, motion, (limits, kinetic)).slides
    };
    let slides = slides[0] || slides[1];
    pose.position += (from + pose.rotation.rotate(motion.velocity)) * (0.5 * h);
    slides
}

impl Motion {
    /// Motors and axles over `h`, implicitly, so that they never overshoot.
    fn run_motors(&mut self, drive: &DriveModel, h: f64, volts: [f64; 2]) {
        for (i, w) in drive.wheels.iter().enumerate() {
            let speed = &mut self.wheel_speeds[i];
            let torque = w.torque_per_volt * volts[i];
            *speed = (*speed * w.inertia + h * torque) / (w.inertia + h * w.drag);
        }
    }

    /// The body's viscous friction over `h`, implicitly; the robot turns under its velocity, which
    /// shows as side slip.
    fn coast(&mut self, drive: &DriveModel, h: f64, pose: &mut Pose2) {
        let spec = &drive.spec;
        let v = self.velocity * (spec.mass / (spec.mass + h * spec.friction_linear));
        let turning = self.omega;
        self.omega *= spec.inertia / (spec.inertia + h * spec.friction_angular);
        let rotation = pose.rotation.turned(0.5 * h * (turning + self.omega));
        self.velocity = rotation.unrotate(pose.rotation.rotate(v));
        pose.rotation = rotation;
    }

    /// Velocity of a tyre's contact patch over the ground.
    fn slip(&self, drive: &DriveModel, wheel: usize) -> Vec2 {
        let w = &drive.wheels[wheel];
        let along = self.velocity.x - w.left * self.omega - w.radius * self.wheel_speeds[wheel];
        Vec2::new(along, self.velocity.y)
    }

    /// Lets a tyre give an impulse (along, across).
    fn push(&mut self, drive: &DriveModel, wheel: usize, p: Vec2) {
        let w = &drive.wheels[wheel];
        self.velocity += p * (1.0 / drive.spec.mass);
        self.omega -= w.left * p.x / drive.spec.inertia;
        self.wheel_speeds[wheel] -= w.radius * p.x / w.inertia;
        self.given[wheel] += p;
    }
}

/// Lets both tyres act within these limits, N s; one that slides beyond the `kinetic` one does so
/// within that.
fn rub(
    drive: &DriveModel,
    motion: &mut Motion,
    (mut limits, kinetic): ([f64; 2], f64),
) -> tyre::Friction {
    let slips = [motion.slip(drive, 0), motion.slip(drive, 1)];
    let answers = Answers::of(drive);
    let mut friction = tyre::friction_of_pair(slips, &answers, limits);
    for _ in 0..limits.len() {
        let lets_go = [0, 1].map(|i| friction.slides[i] && limits[i] > kinetic);
        if lets_go == [false; 2] {
            break;
        }
        limits = [0, 1].map(|i| if lets_go[i] { kinetic } else { limits[i] });
        friction = tyre::friction_of_pair(slips, &answers, limits);
    }
    motion.push(drive, 0, friction.impulses[0]);
    motion.push(drive, 1, friction.impulses[1]);
    friction
}
