//! Vehicles as guests in rapier's world.

use super::Party;
use super::meet::{VEHICLES, collider};
use super::press::Press;
use super::solid::{MeetModel, our_rotation, ours, their_rotation, theirs};
use crate::model::{SpatialModel, VehicleModel};
use crate::world::Vehicle;
use rapier3d_f64::prelude::{PhysicsWorld, Pose, RigidBodyBuilder, RigidBodyHandle, SharedShape};
use rolima_math::{Quat, Sym3, Vec3};

/// A vehicle for the time of one meeting in rapier's world.
pub(crate) struct Guest {
    pub(crate) index: usize,
    body: RigidBodyHandle,
    pub(crate) velocity: Vec3,
    pub(crate) omega: Vec3,
}

impl Guest {
    pub(crate) fn insert(
        world: &mut PhysicsWorld,
        (model, meeting): (&SpatialModel, &MeetModel),
        index: usize,
        vehicle: &Vehicle,
        (position, orientation): (Vec3, Quat),
        dt: f64,
    ) -> Self {
        let (state, spec) = (&vehicle.state, &model.vehicles[index].spec);
        let stopped = state.is_stopped();
        let velocity = (state.position - position) * (1.0 / dt);
        let omega = mean_omega(orientation, state.orientation, dt);
        let body = if stopped {
            RigidBodyBuilder::fixed()
        } else {
            RigidBodyBuilder::dynamic()
                .linvel(theirs(velocity))
                .angvel(theirs(omega))
                .gravity_scale(0.0)
                .additional_mass_properties(meeting.vehicles[index])
        };
        let pose = Pose::from_parts(theirs(position), their_rotation(orientation));
        let body = world.insert_body(body.pose(pose).can_sleep(false));
        let at = |v: Vec3| Pose::from_parts(theirs(v), their_rotation(Quat::IDENTITY));
        let mut shapes = vec![meeting.chassis[index].clone()];
        for (i, wheel) in spec.wheels.iter().enumerate() {
            // A stopped vehicle's readings are not part of the state.
            let lift = if stopped { 0.0 } else { vehicle.reading(i, |r| r.compression) };
            let hub = wheel.position + Vec3::new(0.0, 0.0, lift.clamp(0.0, wheel.radius));
            let shape = if wheel.ball {
                SharedShape::ball(wheel.radius)
            } else {
                SharedShape::cylinder(0.5 * wheel.width, wheel.radius)
            };
            shapes.push((shape, at(hub)));
        }
        for (shape, place) in shapes {
            let part = collider(shape, place, Some(Party::Vehicle(index as u32)), VEHICLES);
            world.colliders.insert_with_parent(part, body, &mut world.bodies);
        }
        Self { index, body, velocity, omega }
    }

    /// If it pressed on something, pose and change of velocity go back to the vehicle.
    pub(crate) fn take_back(
        &self,
        world: &PhysicsWorld,
        presses: &[Press],
        model: &VehicleModel,
        vehicle: &mut Vehicle,
    ) {
        let own = Some(Party::Vehicle(self.index as u32));
        let pressed = presses.iter().any(|p| p.a == own || p.b == own);
        let body = &world.bodies[self.body];
        let change = ours(body.linvel()) - self.velocity;
        let turn = ours(body.angvel()) - self.omega;
        let state = &mut vehicle.state;
        if !pressed || state.is_stopped() || !change.is_finite() || !turn.is_finite() {
            return;
        }
        state.velocity += change;
        // The same inertia as in rapier's world, wheels fixed.
        let c = &model.spec.chassis;
        let inertia = Sym3 { diagonal: c.inertia, beside: c.products };
        let momentum = inertia.times(state.orientation.unrotate(turn));
        state.momentum += state.orientation.rotate(momentum);
        state.position = ours(body.translation());
        state.orientation = our_rotation(body.rotation());
    }
}

/// Mean angular velocity, in the world, from one orientation to another, rad/s. The turn of a step
/// is small: the sine of half of it is near enough to its half for rapier to arrive there.
fn mean_omega(from: Quat, to: Quat, dt: f64) -> Vec3 {
    let back = Quat { w: from.w, x: -from.x, y: -from.y, z: -from.z };
    let turn = to * back;
    let sign = if turn.w < 0.0 { -2.0 } else { 2.0 };
    Vec3::new(turn.x, turn.y, turn.z) * (sign / dt)
}
