//! Blows from outside: an impulse at a point of a body, between two steps.

use crate::contacts::tyres::tyre_impulses;
use crate::events::{Event, Happened};
use crate::state::place;
use crate::world::World;
use rolima_math::Vec2;
use rolima_model::{BallFriction, BodyId, BodyKind, BodyModel, DriveModel, MOST_SPEED, RobotId};

/// A blow as the body that it hits feels it, in the frame that its kind's velocity uses.
#[derive(Clone, Copy)]
struct Blow {
    /// N s.
    impulse: Vec2,
    /// About the body's origin, N m s.
    turning: f64,
}

impl World {
    /// Hits a body at a point of the world (m) with an impulse (N s).
    ///
    /// A loose body answers with its mass and inertia; a ball then slides until it rolls again, as
    /// after a contact. A robot whose tyres stick answers along its heading and by turning, with
    /// the inertia of body and wheels together. Its tyres let go where one of them would have to
    /// give more over a step than static friction holds, drive and curve included; then it answers
    /// like a loose body. Each blow is judged by itself. On rough ground the blow is level and
    /// hits at the height of the centre of mass.
    ///
    /// Refused (false) where a number is not finite, the body would get absurdly fast, it is
    /// quarantined, or there is no such body.
    pub fn push(&mut self, body: impl Into<BodyId>, point: Vec2, impulse: Vec2) -> bool {
        let Some(body) = self.model.body(body).cloned() else { return false };
        let slot = body.slot;
        if !point.is_finite() || !impulse.is_finite() || self.state.is_quarantined(slot) {
            return false;
        }
        if self.model.spatial.is_some() {
            return self.push_on_rough_ground(&body, point, impulse);
        }
        let (block, lane) = place(slot);
        let motion = &self.state.motion[block];
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
        if robot && !self.state.is_slipping(slot) {
            return self.push_gripping(&body, blow, loose);
        }
        if !self.set_pushed(slot, loose) {
            return false;
        }
        if body.kind == BodyKind::Ball {
            let friction = self.model.spec.balls[body.index as usize].friction;
            // Equation 9 knows no sliding: its ball always rolls.
            if matches!(friction, BallFriction::Viscous { .. }) {
                self.state.ball_rolls[body.index as usize] = loose.0;
            }
        }
        true
    }

    /// Hits a robot whose tyres stick; `loose` is its motion if they let go.
    fn push_gripping(&mut self, body: &BodyModel, blow: Blow, loose: (Vec2, f64)) -> bool {
        let model = self.model.clone();
        let drive = &model.drives[model.robots[body.index as usize].drive as usize];
        let (block, lane) = place(body.slot);
        let motion = &self.state.motion[block];
        let old = (motion.vx[lane], motion.omega[lane]);
        let m = &drive.mass_matrix_inverse;
        let held = (
            old.0 + m[0][0] * blow.impulse.x + m[0][1] * blow.turning,
            old.1 + m[1][0] * blow.impulse.x + m[1][1] * blow.turning,
        );
        let volts = self.state.volts[block];
        let volts = [volts.right[lane], volts.left[lane]];
        if holds(drive, model.step_s, (old, held), volts, blow.impulse.y) {
            return self.set_pushed(body.slot, (Vec2::new(held.0, 0.0), held.1));
        }
        if !self.set_pushed(body.slot, loose) {
            return false;
        }
        self.state.set_slipping(body.slot, true);
        self.state.wheel_speeds[body.slot as usize] = drive.rolling_wheel_speeds(old.0, old.1);
        // Noted here and now, so that a snapshot taken before the next step goes on alike.
        self.scratch.slipped[block] |= 1 << lane;
        let what = Happened::Slip { robot: RobotId(body.index) };
        self.scratch.log.push(&mut self.state.event_counts, Event { step: self.state.step, what });
        true
    }

    /// Gives a body its motion after a blow, unless that is absurd (false).
    fn set_pushed(&mut self, slot: u32, (velocity, omega): (Vec2, f64)) -> bool {
        // Written so that a number that is none is refused, too.
        let sane = velocity.length() < MOST_SPEED && omega.abs() < MOST_SPEED;
        if sane {
            let (block, lane) = place(slot);
            self.state.motion[block].set_velocity(lane, velocity, omega);
        }
        sane
    }
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
