//! Robots whose tyres have let go: state (vx, vy, omega, omega_d, omega_e).
//!
//! Each wheel carries half the weight and has one friction circle for drive and side force. The
//! step is semi-implicit: motors and viscous friction first, then the tyre impulses that would
//! stop all slip, each cut to its circle. When no circle is reached the wheels stick again, and
//! equation 8 takes over.

use crate::state::{Block, VoltBlock};
use rolima_math::{Pose2, Vec2};
use rolima_model::DriveModel;

/// Sweeps over the two wheels; each wheel sees the other's impulse through the body.
const SWEEPS: usize = 8;

/// Moves one slipping robot. Returns whether it still slips.
pub(crate) fn run(
    drive: &DriveModel,
    h: f64,
    lane: usize,
    (before, after): (&Block, &mut Block),
    volts: &VoltBlock,
    wheel_speeds: &mut [f64; 2],
) -> bool {
    let spec = &drive.spec;
    // Motors, axles and the body's viscous friction, implicitly: never overshoots.
    let volts = [volts.right[lane], volts.left[lane]];
    for (i, w) in drive.wheels.iter().enumerate() {
        let k = h / w.inertia;
        wheel_speeds[i] = (wheel_speeds[i] + k * w.torque_per_volt * volts[i]) / (1.0 + k * w.drag);
    }
    let damping = 1.0 / (1.0 + h * spec.friction_linear / spec.mass);
    let mut v = before.velocity(lane) * damping;
    let mut omega = before.omega[lane] / (1.0 + h * spec.friction_angular / spec.inertia);

    // The robot turns under its velocity, which shows as side slip; then the tyres act.
    let pose = before.pose(lane);
    let rotation = pose.rotation.turned(omega * h);
    v = rotation.unrotate(pose.rotation.rotate(v));
    let limit = drive.grip_kinetic * h;
    let slides = stop_slip(drive, limit, &mut v, &mut omega, wheel_speeds);
    if !slides {
        v.y = 0.0;
    }
    let position = pose.position + rotation.rotate(v) * h;
    after.set_pose(lane, Pose2 { position, rotation });
    after.set_velocity(lane, v, omega);
    slides
}

/// Applies the tyre impulses that stop the slip of both wheels, each at most `limit` N s.
///
/// Returns whether a wheel still slides.
fn stop_slip(
    drive: &DriveModel,
    limit: f64,
    v: &mut Vec2,
    omega: &mut f64,
    wheel_speeds: &mut [f64; 2],
) -> bool {
    let spec = &drive.spec;
    let mut impulses = [Vec2::ZERO; 2];
    let mut slides = false;
    for _ in 0..SWEEPS {
        slides = false;
        let mut change = 0.0f64;
        for (i, w) in drive.wheels.iter().enumerate() {
            // Velocity of the tyre's contact patch over the ground, in the robot's frame.
            let slip = Vec2::new(v.x - w.left * *omega - w.radius * wheel_speeds[i], v.y);
            let inverse_mass_x =
                1.0 / spec.mass + w.left * w.left / spec.inertia + w.radius * w.radius / w.inertia;
            let mut wanted = impulses[i] - Vec2::new(slip.x / inverse_mass_x, slip.y * spec.mass);
            let size = wanted.length();
            if size > limit {
                wanted = wanted * (limit / size);
                slides = true;
            }
            let add = wanted - impulses[i];
            impulses[i] = wanted;
            v.x += add.x / spec.mass;
            v.y += add.y / spec.mass;
            *omega -= w.left * add.x / spec.inertia;
            wheel_speeds[i] -= w.radius * add.x / w.inertia;
            change = change.max(add.x.abs()).max(add.y.abs());
        }
        if change <= 1e-9 * limit {
            break;
        }
    }
    slides
}
