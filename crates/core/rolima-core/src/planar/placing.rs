//! Bodies that are put elsewhere, and blows from outside, between two steps.

use super::contacts::tyres::tyre_impulses;
use super::{Scratch, State, place};
use crate::events::{Happened, Notes};
use rolima_math::{Pose2, Vec2};
use rolima_model::{BallFriction, BodyKind, BodyModel, DriveModel, MOST_SPEED, Model, RobotId};

/// Sets pose and velocity of a body: a robot's along its heading and to its left, others' in the world.
pub(crate) fn set_motion(
    model: &Model,
    state: &mut State,
    body: &BodyModel,
    pose: Pose2,
    (velocity, omega): (Vec2, f64),
) {
    let slot = body.slot;
    let (block, lane) = place(slot);
    state.motion[block].set_pose(lane, pose);
    state.motion[block].set_velocity(lane, velocity, omega);
    state.quarantined[block] &= !(1 << lane);
    match body.kind {
        BodyKind::Robot => {
            let drive = &model.drives[model.robots[body.index as usize].drive as usize];
            // A side velocity means sliding tyres; without a grip limit there is none.
            let slides = velocity.y != 0.0 && drive.has_traction_limit();
            if !slides {
                state.motion[block].vy[lane] = 0.0;
            }
            state.set_slipping(slot, slides);
            if slides {
                state.wheel_speeds[slot as usize] = drive.rolling_wheel_speeds(velocity.x, omega);
            }
        }
        BodyKind::Ball => state.ball_rolls[body.index as usize] = velocity,
        BodyKind::Object | BodyKind::Wall => {}
    }
}

/// A blow as the body that it hits feels it, in the frame that its kind's velocity uses.
#[derive(Clone, Copy)]
struct Blow {
    /// N s.
    impulse: Vec2,
    /// About the body's origin, N m s.
    turning: f64,
}

/// Hits a body at a point with an impulse; see [`crate::World::push`].
pub(crate) fn push(
    model: &Model,
    (state, scratch): (&mut State, &mut Scratch),
    body: &BodyModel,
    (point, impulse): (Vec2, Vec2),
    notes: &mut Notes<'_>,
) -> bool {
    let slot = body.slot;
    let (block, lane) = place(slot);
    let motion = &state.motion[block];
    let pose = motion.pose(lane);
    let arm = point - pose.position;
    let robot = body.kind == BodyKind::Robot;
    let blow = Blow {
        impulse: if robot { pose.rotation.unrotate(impulse) } else { impulse },
        turning: arm.cross(impulse),
    };
    let loose = (
        motion.velocity(lane) + blow.impulse * body.inverse[0],
        motion.omega[lane] + blow.turning * body.inverse[1],
    );
    if robot && !state.is_slipping(slot) {
        return push_gripping(model, (state, scratch), body, (blow, loose), notes);
    }
    if !set_pushed(state, slot, loose) {
        return false;
    }
    if body.kind == BodyKind::Ball {
        let friction = model.spec.balls[body.index as usize].friction;
        // Equation 9 knows no sliding: its ball always rolls.
        if matches!(friction, BallFriction::Viscous { .. }) {
            state.ball_rolls[body.index as usize] = loose.0;
        }
    }
    true
}

/// Hits a robot whose tyres stick; `loose` is its motion if they let go.
fn push_gripping(
    model: &Model,
    (state, scratch): (&mut State, &mut Scratch),
    body: &BodyModel,
    (blow, loose): (Blow, (Vec2, f64)),
    notes: &mut Notes<'_>,
) -> bool {
    let drive = &model.drives[model.robots[body.index as usize].drive as usize];
    let (block, lane) = place(body.slot);
    let motion = &state.motion[block];
    let old = (motion.vx[lane], motion.omega[lane]);
    let m = &drive.mass_matrix_inverse;
    let held = (
        old.0 + m[0][0] * blow.impulse.x + m[0][1] * blow.turning,
        old.1 + m[1][0] * blow.impulse.x + m[1][1] * blow.turning,
    );
    let volts = &state.volts[block];
    let volts = [volts.right[lane], volts.left[lane]];
    if holds(drive, model.step_s, (old, held), volts, blow.impulse.y) {
        return set_pushed(state, body.slot, (Vec2::new(held.0, 0.0), held.1));
    }
    if !set_pushed(state, body.slot, loose) {
        return false;
    }
    state.set_slipping(body.slot, true);
    state.wheel_speeds[body.slot as usize] = drive.rolling_wheel_speeds(old.0, old.1);
    // Noted here and now, so that a snapshot taken before the next step goes on alike.
    scratch.slipped[block] |= 1 << lane;
    notes.note(Happened::Slip { robot: RobotId(body.index) });
    true
}

/// Gives a body its motion after a blow, unless that is absurd (false).
fn set_pushed(state: &mut State, slot: u32, (velocity, omega): (Vec2, f64)) -> bool {
    // Written so that a number that is none is refused, too.
    let sane = velocity.length() < MOST_SPEED && omega.abs() < MOST_SPEED;
    if sane {
        let (block, lane) = place(slot);
        state.motion[block].set_velocity(lane, velocity, omega);
    }
    sane
}

/// Whether a robot's tyres can give over a step of `h` what a blow takes that changes (v, omega)
/// from `old` to `new` and has the part `side` to the left, N s.
fn holds(
    drive: &DriveModel,
    h: f64,
    (old, new): ((f64, f64), (f64, f64)),
    volts: [f64; 2],
    side: f64,
) -> bool {
    if !drive.has_traction_limit() {
        return true;
    }
    let limit = drive.grip_static * h;
    let tyres = tyre_impulses(drive, h, old, new, volts, side);
    tyres.iter().all(|p| p.length_squared() <= limit * limit)
}
