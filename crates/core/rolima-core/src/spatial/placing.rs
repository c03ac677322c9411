//! Bodies that are put elsewhere, and blows from outside, between two steps.

use super::{State, known, loose_index};
use rolima_math::{Pose2, Vec2, Vec3};
use rolima_model::loose;
use rolima_model::{BodyKind, BodyModel, MOST_SPEED, Model};

/// Puts a body down on the ground, tilted as the ground is. False where that is refused.
pub(crate) fn put_down(
    model: &Model,
    state: &mut State,
    body: &BodyModel,
    pose: Pose2,
    (velocity, omega): (Vec2, f64),
) -> bool {
    let spatial = known(model);
    let index = body.index;
    if let Some(loose) = loose_index(model, body) {
        let terrain = &spatial.terrain;
        let at = loose::resting(model, terrain, body, pose);
        let moving = loose::moving(terrain, body, pose, (velocity, omega));
        return state.world.place_body(spatial, loose, at, moving);
    }
    let Some((position, turn)) = spatial.standing(index, pose) else { return false };
    let placed = state.world.place(spatial, index, position, turn);
    if velocity != Vec2::ZERO || omega != 0.0 {
        let known = &spatial.vehicles[index as usize];
        let vehicle = &mut state.world.vehicles_mut()[index as usize];
        let own = Vec3::new(velocity.x, velocity.y, 0.0);
        vehicle.set_moving(known, own, Vec3::new(0.0, 0.0, omega));
    }
    placed
}

/// Hits a body with a level impulse at the height of its centre; see [`crate::World::push`].
pub(crate) fn push(
    model: &Model,
    state: &mut State,
    body: &BodyModel,
    (point, impulse): (Vec2, Vec2),
) -> bool {
    let spatial = known(model);
    let lever = (point - state.pose(model, body).position).length();
    let level = Vec3::new(impulse.x, impulse.y, 0.0);
    let gained = impulse.length() * (body.inverse[0] + lever * body.inverse[1]);
    // Written so that a number that is none is refused, too.
    let sane = gained < MOST_SPEED;
    sane && match (loose_index(model, body), state.body(model, body)) {
        (Some(loose), Some(now)) if !now.left_terrain => {
            // An object's origin is at its foot.
            let up = if body.kind == BodyKind::Object { 0.5 * body.height } else { 0.0 };
            let at = now.position + now.orientation.rotate(Vec3::new(0.0, 0.0, up));
            state.world.push_body(spatial, loose, Vec3::new(point.x, point.y, at.z), level)
        }
        (None, _) => match state.vehicle(body.index) {
            Some(vehicle) if !vehicle.state.is_stopped() => {
                let at = Vec3::new(point.x, point.y, vehicle.state.position.z);
                state.world.push_vehicle(spatial, body.index, at, level)
            }
            _ => false,
        },
        _ => false,
    }
}
