//! Vehicles among bodies: a proxy of each while contacts are resolved.

use super::BodyRef;
use super::find::Piece;
use super::mover::{BodyVelocity, Mover};
use super::solid::{CollisionModel, their_rotation, theirs};
use crate::model::{SpatialModel, VehicleModel};
use crate::state::VehicleState;
use crate::world::Vehicle;
use parry3d_f64::math::Pose;
use rolima_math::{Quat, Vec3, larger};

/// A vehicle for the time of one contact resolution.
pub(crate) struct VehicleProxy {
    pub(crate) index: usize,
    /// Its mover; 0 if it is stopped, and never moves.
    mover: usize,
    /// Its velocity after its own steps, and its mean turning in them.
    pub(crate) own: BodyVelocity,
}

impl VehicleProxy {
    /// Puts a vehicle among the movers at its old place, with the velocity that its own steps gave it:
    /// with their mean, what a hit takes from it and what it has would differ where these are several.
    pub(crate) fn insert<'a>(
        (movers, pieces): (&mut Vec<Mover>, &mut Vec<Piece<'a>>),
        (model, contact_state): (&SpatialModel, &'a CollisionModel),
        index: usize,
        vehicle: &Vehicle,
        (position, orientation): (Vec3, Quat),
        dt: f64,
    ) -> Self {
        let (state, spec) = (&vehicle.state, &model.vehicles[index].spec);
        let stopped = state.is_stopped();
        let body_ref = BodyRef::Vehicle(index as u32);
        let own = BodyVelocity {
            velocity: state.velocity,
            omega: mean_omega(orientation, state.orientation, dt),
        };
        let mut place = Pose::IDENTITY;
        let mut mover = 0;
        if stopped {
            place = Pose::from_parts(theirs(position), their_rotation(orientation));
        } else {
            // Without what spins: a blow does not turn the wheels.
            let inertia = model.vehicles[index].inertia(state);
            let mut proxy = Mover::new(Vec3::ZERO, (position, orientation), own)
                .weighing(spec.chassis.mass, inertia);
            proxy.radius = contact_state.reach[index];
            proxy.is_proxy = true;
            // In the air gravity has pulled it; on the ground its wheels hold it.
            let loaded = (0..spec.wheels.len()).any(|i| vehicle.reading(i, |r| r.load) > 0.0);
            if !loaded && !state.hull_near {
                proxy.pull = Vec3::new(0.0, 0.0, -model.spec.gravity);
            }
            mover = movers.len();
            movers.push(proxy);
        }
        let (shape, at) = &contact_state.chassis[index];
        pieces.push(Piece { mover, body_ref, shape, place: place * *at, skin: None });
        for (i, (wheel, shape)) in spec.wheels.iter().zip(&contact_state.wheels[index]).enumerate()
        {
            // A stopped vehicle's readings are not part of the state.
            let lift = if stopped { 0.0 } else { vehicle.reading(i, |r| r.compression) };
            let hub = wheel.position + Vec3::new(0.0, 0.0, lift.clamp(0.0, wheel.radius));
            let at = Pose::from_parts(theirs(hub), their_rotation(about_up(vehicle.steer(i))));
            pieces.push(Piece { mover, body_ref, shape, place: place * at, skin: None });
        }
        Self { index, mover, own }
    }

    /// If something pressed on it, pose and change of velocity go back to the vehicle.
    pub(crate) fn take_back(&self, movers: &[Mover], model: &VehicleModel, vehicle: &mut Vehicle) {
        let mover = &movers[self.mover];
        let change = mover.speed.velocity - self.own.velocity;
        let turn = mover.speed.omega - self.own.omega;
        let state = &mut vehicle.state;
        if !mover.pressed || state.is_stopped() || !change.is_finite() || !turn.is_finite() {
            return;
        }
        let inertia = model.inertia(state);
        let turning = |state: &VehicleState| {
            let omega = state.omega(model);
            (0.5 * omega.dot(inertia.times(omega)), omega)
        };
        let due = larger(turning(state).0 + mover.turning_gained, 0.0);
        state.velocity += change;
        let momentum = inertia.times(state.orientation.unrotate(turn));
        state.momentum += state.orientation.rotate(momentum);
        state.position = mover.position();
        state.orientation = mover.orientation;
        // The impulses were found for the mean turning of its own steps, and it is turned less or more
        // than they did: its energy would change by up to the turn of a step, up or down.
        let (got, omega) = turning(state);
        if got > due || (mover.was_hit && got > 0.0) {
            let more = omega * ((due / got).sqrt() - 1.0);
            state.momentum += state.orientation.rotate(inertia.times(more));
        }
    }
}

/// How a wheel that is steered by an angle (rad) lies in its chassis.
fn about_up(angle: f64) -> Quat {
    if angle == 0.0 { Quat::IDENTITY } else { Quat::about(Vec3::new(0.0, 0.0, 1.0), angle) }
}

/// Mean angular velocity, in the world, from one orientation to another, rad/s. The turn of a step
/// is small: the sine of half of it is near enough to its half to arrive there.
fn mean_omega(from: Quat, to: Quat, dt: f64) -> Vec3 {
    let back = Quat { w: from.w, x: -from.x, y: -from.y, z: -from.z };
    let turn = to * back;
    let sign = if turn.w < 0.0 { -2.0 } else { 2.0 };
    Vec3::new(turn.x, turn.y, turn.z) * (sign / dt)
}
