//! Balls: equation 9 with its sign mended, or sliding that turns into rolling.

use super::Reach;
use crate::planar::Block;
use rolima_math::{Vec2, exp};
use rolima_model::{BallFriction, LANES, Model};

/// Moves the balls of a block and tells how far each gets.
pub(crate) fn run(
    model: &Model,
    block: usize,
    before: &Block,
    after: &mut Block,
    rolls: &mut [Vec2],
    mut tell: impl FnMut(usize, Reach),
) {
    let h = model.step_s;
    for lane in 0..LANES {
        let Some(body) = &model.layout.bodies[block * LANES + lane] else { continue };
        let ball = &model.spec.balls[body.index as usize];
        let roll = &mut rolls[body.index as usize];
        let pose = before.pose(lane);
        if before.velocity(lane) == Vec2::ZERO && *roll == Vec2::ZERO && before.omega[lane] == 0.0 {
            // At rest, as a ball is for most of a match.
            after.copy_lane(lane, before);
            if pose.is_finite() {
                continue;
            }
        }
        let (velocity, displacement, omega) = match ball.friction {
            BallFriction::Viscous { beta } => {
                let (v, displacement) = viscous(before.velocity(lane), beta / ball.mass, h);
                *roll = v;
                (v, displacement, before.omega[lane])
            }
            BallFriction::Rolling { mu_slide, deceleration } => {
                let slide = mu_slide * model.spec.sim.gravity;
                let (v, displacement) =
                    slide_and_roll(before.velocity(lane), roll, slide, deceleration, h);
                // The same resistance slows the spin about the vertical, at the rim.
                let omega = before.omega[lane];
                let loss = 2.5 * deceleration / ball.radius * h;
                (v, displacement, omega - omega.clamp(-loss, loss))
            }
        };
        let mut new_pose = pose;
        new_pose.position += displacement;
        if omega != 0.0 {
            new_pose.rotation = pose.rotation.turned(omega * h);
        }
        after.set_pose(lane, new_pose);
        after.set_velocity(lane, velocity, omega);
        tell(lane, Reach::of_lane(before, after, lane, before.omega[lane] * h));
    }
}

/// Equation 9, v' = -(beta/m) v, exactly: (new velocity, way).
///
/// The paper prints v' = beta v, which grows for ever.
fn viscous(v: Vec2, rate: f64, h: f64) -> (Vec2, Vec2) {
    let decay = exp(-rate * h);
    // (1 - decay) / rate, whose limit for a small rate is h.
    let mean_time = if rate * h < 1e-8 { h } else { (1.0 - decay) / rate };
    (v * decay, v * mean_time)
}

/// A sliding ball loses speed at `slide` m/s2 and gains roll at 5/2 of it until both agree (5/7 of
/// a speed without roll is left); a rolling ball slows at `deceleration`. Exact, also where the
/// change falls inside the step: (new velocity, way).
fn slide_and_roll(v: Vec2, roll: &mut Vec2, slide: f64, deceleration: f64, h: f64) -> (Vec2, Vec2) {
    let slip = v - *roll;
    let slip_speed = slip.length();
    let mut velocity = v;
    let mut displacement = Vec2::ZERO;
    let mut left = h;
    if slip_speed > 0.0 && slide > 0.0 {
        let direction = slip * (1.0 / slip_speed);
        let time = (slip_speed / (3.5 * slide)).min(left);
        displacement = velocity * time - direction * (0.5 * slide * time * time);
        velocity -= direction * (slide * time);
        left -= time;
        if left > 0.0 {
            *roll = velocity;
        } else {
            *roll += direction * (2.5 * slide * time);
            return (velocity, displacement);
        }
    } else if slip_speed > 0.0 {
        // No friction at all: it slides on for ever.
        return (velocity, velocity * h);
    }
    let speed = velocity.length();
    if speed > 0.0 {
        let direction = velocity * (1.0 / speed);
        let time = if deceleration * left < speed { left } else { speed / deceleration };
        displacement += direction * (speed * time - 0.5 * deceleration * time * time);
        velocity =
            if time < left { Vec2::ZERO } else { velocity - direction * (deceleration * time) };
    }
    *roll = velocity;
    (velocity, displacement)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sliding_ball_rolls_with_five_sevenths_of_its_speed() {
        let (mut v, mut roll) = (Vec2::new(1.0, 0.0), Vec2::ZERO);
        for _ in 0..1000 {
            v = slide_and_roll(v, &mut roll, 2.0, 0.0, 1e-3).0;
        }
        assert!((v.x - 5.0 / 7.0).abs() < 1e-12, "{v:?}");
        assert_eq!(v, roll);
    }

    #[test]
    fn a_rolling_ball_stops_after_v_squared_over_two_a() {
        let (mut v, mut displacement) = (Vec2::new(0.6, 0.8), Vec2::ZERO);
        let mut roll = v;
        for _ in 0..12_000 {
            let (nv, w) = slide_and_roll(v, &mut roll, 2.0, 0.1, 1e-3);
            v = nv;
            displacement += w;
        }
        assert_eq!(v, Vec2::ZERO);
        assert!((displacement.length() - 5.0).abs() < 1e-9, "{}", displacement.length());
    }

    #[test]
    fn equation_9_decays_as_the_exponential_and_stops_at_m_v_over_beta() {
        let (mut v, mut displacement) = (Vec2::new(2.0, 0.0), Vec2::ZERO);
        let rate = 0.02 / 0.046;
        for _ in 0..1000 {
            let (nv, w) = viscous(v, rate, 1e-3);
            v = nv;
            displacement += w;
        }
        assert!((v.x - 2.0 * exp(-rate)).abs() < 1e-12);
        assert!((displacement.x - 2.0 * (1.0 - exp(-rate)) / rate).abs() < 1e-12);
    }
}
