//! Kinetic energy, for tests and statistics.

use crate::planar::{State, place};
use rolima_model::{BallFriction, BodyKind, Model};

/// Kinetic energy of all bodies, J: robots with their wheels, balls with their rolling.
pub fn kinetic(model: &Model, state: &State) -> f64 {
    let mut sum = 0.0;
    for body in model.bodies() {
        let (block, lane) = place(body.slot);
        let motion = &state.motion[block];
        let omega = motion.omega[lane];
        sum += 0.5 * body.mass * motion.velocity(lane).length_squared()
            + 0.5 * body.inertia * omega * omega;
        match body.kind {
            BodyKind::Robot => {
                let drive = &model.drives[model.robots[body.index as usize].drive as usize];
                let speeds = if state.is_slipping(body.slot) {
                    state.wheel_speeds[body.slot as usize]
                } else {
                    drive.rolling_wheel_speeds(motion.vx[lane], omega)
                };
                for (w, speed) in drive.wheels.iter().zip(speeds) {
                    sum += 0.5 * w.inertia * speed * speed;
                }
            }
            // Equation 9 knows no rolling: its ball is a point that slows down.
            BodyKind::Ball
                if matches!(
                    model.spec.balls[body.index as usize].friction,
                    BallFriction::Rolling { .. }
                ) =>
            {
                // A solid sphere: J = 2/5 m r^2, and the roll is r times its turning rate.
                sum += 0.2 * body.mass * state.ball_rolls[body.index as usize].length_squared();
            }
            BodyKind::Ball | BodyKind::Wall | BodyKind::Object => {}
        }
    }
    sum
}
