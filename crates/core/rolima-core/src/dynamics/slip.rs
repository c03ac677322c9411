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
//! A step is divided into parts of at most [`LONGEST_PART_S`]. Each is semi-implicit: motors and
//! viscous friction first, then the impulses of both tyres ([`tyre::friction`]) for the slip at its
//! end; the way is that of the mean velocity. When no wheel slides any more, equation 8 takes over.

use super::tyre;
use crate::state::{Block, VoltBlock};
use rolima_math::{Pose2, Vec2};
use rolima_model::DriveModel;

/// Longest part of a step of a slipping robot, s. Directions of slip are taken at the end of a part,
/// so errors grow with it.
const LONGEST_PART_S: f64 = 2.5e-4;

/// Most parts of a step.
const MOST_PARTS: f64 = 64.0;

/// Most sweeps over the two wheels; each wheel sees the other's impulse through the body.
const SWEEPS: usize = 12;

/// A wheel slower than this over the ground sticks, m/s: what sweeps leave of a slip that stopped.
const STICKS: f64 = 1e-6;

/// Velocity and turning of a robot in its own frame, and its wheel speeds (right, left).
#[derive(Clone, Copy)]
struct Motion {
    velocity: Vec2,
    omega: f64,
    wheel_speeds: [f64; 2],
}

/// Moves one slipping robot. Returns whether it still slips.
pub(crate) fn run(
    drive: &DriveModel,
    h: f64,
    lane: usize,
    (before, after): (&Block, &mut Block),
    volts: &VoltBlock,
    wheel_speeds: &mut [f64; 2],
) -> bool {
    let parts = (h / LONGEST_PART_S - 1e-9).ceil().clamp(1.0, MOST_PARTS);
    let volts = [volts.right[lane], volts.left[lane]];
    let mut pose = before.pose(lane);
    let mut motion = Motion {
        velocity: before.velocity(lane),
        omega: before.omega[lane],
        wheel_speeds: *wheel_speeds,
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
    slides
}

/// Moves a robot by a part of a step. Returns whether it slips at its end.
fn part(
    drive: &DriveModel,
    h: f64,
    pose: &mut Pose2,
    motion: &mut Motion,
    volts: [f64; 2],
) -> bool {
    let spec = &drive.spec;
    let from = pose.rotation.rotate(motion.velocity);
    let turning = motion.omega;
    let held = [0, 1].map(|i| motion.slip(drive, i).length_squared() < STICKS * STICKS);
    // Motors, axles and the body's viscous friction, implicitly: never overshoots.
    for (i, w) in drive.wheels.iter().enumerate() {
        let k = h / w.inertia;
        let speed = &mut motion.wheel_speeds[i];
        *speed = (*speed + k * w.torque_per_volt * volts[i]) / (1.0 + k * w.drag);
    }
    motion.velocity = motion.velocity * (1.0 / (1.0 + h * spec.friction_linear / spec.mass));
    motion.omega /= 1.0 + h * spec.friction_angular / spec.inertia;
    // The robot turns under its velocity, which shows as side slip; then the tyres act.
    let rotation = pose.rotation.turned(0.5 * h * (turning + motion.omega));
    motion.velocity = rotation.unrotate(pose.rotation.rotate(motion.velocity));
    let slides = rub(drive, h, motion, held);
    pose.position += (from + rotation.rotate(motion.velocity)) * (0.5 * h);
    pose.rotation = rotation;
    slides
}

impl Motion {
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
    }
}

/// Lets both tyres act over `h`; those that were `held` by static friction stay held if that
/// suffices. Returns whether one slides.
fn rub(drive: &DriveModel, h: f64, motion: &mut Motion, held: [bool; 2]) -> bool {
    let mut limits = held.map(|held| h * if held { drive.grip_static } else { drive.grip_kinetic });
    let start = *motion;
    for _ in 0..=held.len() {
        *motion = start;
        let slides = stop_slip(drive, limits, motion);
        let mut lets_go = false;
        for i in 0..2 {
            if slides[i] && limits[i] > h * drive.grip_kinetic {
                limits[i] = h * drive.grip_kinetic;
                lets_go = true;
            }
        }
        if !lets_go {
            return slides[0] || slides[1];
        }
    }
    true
}

/// Applies the impulses of both tyres, each at most its limit, N s. Returns which of them slide.
fn stop_slip(drive: &DriveModel, limits: [f64; 2], motion: &mut Motion) -> [bool; 2] {
    let inverse_mass = 1.0 / drive.spec.mass;
    let answers = drive.wheels.map(|w| {
        let turning = w.left * w.left / drive.spec.inertia;
        Vec2::new(inverse_mass + turning + w.radius * w.radius / w.inertia, inverse_mass)
    });
    // Both wheels stop the same side slip: at first, each takes half of it.
    let start = *motion;
    let mut impulses = [Vec2::ZERO; 2];
    let mut slides = [false; 2];
    for i in 0..2 {
        let halved = Vec2::new(answers[i].x, 2.0 * answers[i].y);
        (impulses[i], slides[i]) = tyre::friction(start.slip(drive, i), halved, limits[i]);
        motion.push(drive, i, impulses[i]);
    }
    for _ in 0..SWEEPS {
        let mut change = 0.0f64;
        for i in 0..2 {
            let (p, k) = (impulses[i], answers[i]);
            let without = motion.slip(drive, i) - Vec2::new(k.x * p.x, k.y * p.y);
            let (wanted, slide) = tyre::friction(without, k, limits[i]);
            let add = wanted - p;
            motion.push(drive, i, add);
            (impulses[i], slides[i]) = (wanted, slide);
            change = change.max((add.x * k.x).abs()).max((add.y * k.y).abs());
        }
        if change <= 0.1 * STICKS {
            break;
        }
    }
    slides
}
