//! Loose objects: Coulomb friction on the ground stops sliding and turning.
//!
//! Sliding and turning share one friction budget, as a plate on the ground has: the faster the
//! rim turns against the slide, the less is left for either. The rim's speed stands for the turn,
//! at the radius of gyration.

use super::Reach;
use crate::planar::Block;
use rolima_math::Vec2;
use rolima_model::{LANES, Model};

/// Moves the objects of a block and tells how far each gets.
pub(crate) fn run(
    model: &Model,
    block: usize,
    before: &Block,
    after: &mut Block,
    mut tell: impl FnMut(usize, Reach),
) {
    let h = model.step_s;
    for lane in 0..LANES {
        let Some(body) = &model.layout.bodies[block * LANES + lane] else { continue };
        let object = &model.spec.objects[body.index as usize];
        let gyration = (body.inertia / body.mass).sqrt();
        let (v, omega) = (before.velocity(lane), before.omega[lane]);
        let rim = omega * gyration;
        let speed = (v.length_squared() + rim * rim).sqrt();
        let loss = object.ground_friction * model.spec.sim.gravity * h;
        let left = if speed > loss { 1.0 - loss / speed } else { 0.0 };
        // The way at the mean speed of the step.
        let mean = if speed > loss {
            0.5 * (1.0 + left)
        } else if loss > 0.0 {
            0.5 * speed / loss
        } else {
            0.0
        };
        let pose = before.pose(lane);
        let mut new_pose = pose;
        let displacement: Vec2 = v * (mean * h);
        let turn = omega * mean * h;
        new_pose.position += displacement;
        new_pose.rotation = pose.rotation.turned(turn);
        after.set_pose(lane, new_pose);
        after.set_velocity(lane, v * left, omega * left);
        tell(lane, Reach::of_lane(before, after, lane, omega * h));
    }
}
