//! Bodies: what they do, pushing and placing them, and meeting.

use crate::bodies::{BodyRef, BodyState, ContactPair, SpatialContact};
use crate::model::SpatialModel;
use crate::vehicle::VehicleEvent;
use crate::world::{MOST_EVENTS, SpatialEvent, SpatialState};
use rolima_math::{Pose3, Vec3};

impl SpatialState {
    /// What the bodies do, in the order of the specification.
    pub fn bodies(&self) -> &[BodyState] {
        &self.contact_state.bodies
    }

    /// Who pressed on whom at the last contact resolution; not part of the state.
    pub fn touches(&self) -> &[ContactPair] {
        &self.contact_state.touches
    }

    /// The points at which bodies, vehicles and obstacles pressed on one another, and free bodies on the
    /// ground, at the last contact resolution; not part of the state. Wheels have readings of their
    /// own. Where a meeting is done in rounds, those of all rounds.
    pub fn presses(&self) -> &[SpatialContact] {
        &self.contact_state.presses
    }

    /// Free bodies, obstacles and vehicles meet: everything that happened between them since the
    /// last contact resolution. Vehicles that are alone pay for a comparison of bounds and no more.
    pub fn resolve_contacts(&mut self, model: &SpatialModel) {
        self.contact_state.forget_touches();
        let now = self.step_count();
        let steps = now.saturating_sub(self.contact_state.step);
        if steps == 0 {
            return;
        }
        #[cfg(feature = "bodies")]
        if let Some(contact_state) = &model.contact_state {
            crate::bodies::resolve_contacts(
                model,
                contact_state,
                &mut self.vehicles,
                &mut self.contact_state,
                steps,
            );
        }
        for body in self.contact_state.left.drain(..) {
            if self.events.len() < MOST_EVENTS {
                let (who, kind) = (BodyRef::Body(body), VehicleEvent::LeftTerrain);
                self.events.push(SpatialEvent { step: now, who, kind });
            }
        }
        self.contact_state.step = now;
        for (at, vehicle) in self.contact_state.vehicles.iter_mut().zip(&self.vehicles) {
            *at = (vehicle.state.position, vehicle.state.orientation);
        }
    }

    /// Puts a free body elsewhere, with these velocities (m/s; rad/s in the world), and wakes all
    /// bodies. Refused (false) where a number is not finite or absurd, or there is no such body, or
    /// it is fixed.
    pub fn place_body(
        &mut self,
        model: &SpatialModel,
        body: u32,
        pose: Pose3,
        [velocity, omega]: [Vec3; 2],
    ) -> bool {
        let Pose3 { position, rotation: orientation } = pose;
        let spec = model.spec.bodies.get(body as usize);
        let good = position.is_finite()
            && position.length() < 1e6
            && orientation.is_finite()
            && velocity.is_finite()
            && velocity.length() < 1e3
            && omega.is_finite()
            && omega.length() < 1e5;
        if !good || spec.is_none_or(|s| s.mass.is_none()) {
            return false;
        }
        let state = &mut self.contact_state.bodies[body as usize];
        *state = BodyState::new(position, orientation, velocity, omega);
        // What leant on it must notice.
        self.contact_state.bodies.iter_mut().for_each(BodyState::wake);
        true
    }

    /// An impulse (N s, in the world) on a vehicle at a point (m, in the world), such as a kick.
    /// Refused (false) where a number is not finite, or there is no such vehicle.
    pub fn push_vehicle(
        &mut self,
        model: &SpatialModel,
        vehicle: u32,
        point: Vec3,
        impulse: Vec3,
    ) -> bool {
        let index = vehicle as usize;
        let (Some(v), true) = (self.vehicles.get_mut(index), is_push(point, impulse)) else {
            return false;
        };
        if !v.state.is_stopped() {
            v.state.velocity += impulse * model.vehicles[index].per_mass;
            v.state.momentum += (point - v.state.position).cross(impulse);
        }
        true
    }

    /// An impulse (N s, in the world) on a free body at a point (m, in the world). Refused (false)
    /// where a number is not finite, or there is no such body, or it is fixed.
    pub fn push_body(
        &mut self,
        model: &SpatialModel,
        body: u32,
        point: Vec3,
        impulse: Vec3,
    ) -> bool {
        let index = body as usize;
        let free = model.spec.bodies.get(index).is_some_and(|b| b.mass.is_some());
        if !free || !is_push(point, impulse) {
            return false;
        }
        #[cfg(feature = "bodies")]
        if let Some(contact_state) = &model.contact_state {
            let (solid, state) =
                (&contact_state.solids[index], &mut self.contact_state.bodies[index]);
            if !state.left_terrain {
                let arm = point - (state.position + state.orientation.rotate(solid.middle));
                let turn = state.orientation.unrotate(arm.cross(impulse));
                state.velocity += impulse * solid.per_mass;
                state.omega += state.orientation.rotate(solid.inverse_inertia.times(turn));
                state.wake();
            }
        }
        true
    }
}

fn is_push(point: Vec3, impulse: Vec3) -> bool {
    point.is_finite() && impulse.is_finite() && impulse.length() < 1e9
}
