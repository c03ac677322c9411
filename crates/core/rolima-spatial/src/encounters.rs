//! Bodies: what they do, pushing and placing them, and meeting.

use crate::bodies::{BodyState, Party, Press, Touch};
use crate::model::SpatialModel;
use crate::vehicle::VehicleEvent;
use crate::world::{Event, MOST_EVENTS, SpatialState};
use rolima_math::{Pose3, Vec3};

impl SpatialState {
    /// What the bodies do, in the order of the specification.
    pub fn bodies(&self) -> &[BodyState] {
        &self.meeting.bodies
    }

    /// Who pressed on whom at the last meeting; not part of the state.
    pub fn touches(&self) -> &[Touch] {
        &self.meeting.touches
    }

    /// The points at which bodies, vehicles and obstacles pressed on one another, and free bodies on the
    /// ground, at the last meeting; not part of the state. Wheels have readings of their own. Where a
    /// meeting is done in rounds, those of all rounds.
    pub fn presses(&self) -> &[Press] {
        &self.meeting.presses
    }

    /// Free bodies, obstacles and vehicles meet: everything that happened between them since the
    /// last meeting. Vehicles that are alone pay for a comparison of bounds and no more.
    pub fn meet(&mut self, model: &SpatialModel) {
        self.meeting.forget_touches();
        let now = self.step_count();
        let steps = now.saturating_sub(self.meeting.step);
        if steps == 0 {
            return;
        }
        #[cfg(feature = "bodies")]
        if let Some(meeting) = &model.meeting {
            crate::bodies::meet(model, meeting, &mut self.vehicles, &mut self.meeting, steps);
        }
        for body in self.meeting.left.drain(..) {
            if self.events.len() < MOST_EVENTS {
                let (who, kind) = (Party::Body(body), VehicleEvent::LeftTerrain);
                self.events.push(Event { step: now, who, kind });
            }
        }
        self.meeting.step = now;
        for (at, vehicle) in self.meeting.vehicles.iter_mut().zip(&self.vehicles) {
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
        let state = &mut self.meeting.bodies[body as usize];
        *state = BodyState::new(position, orientation, velocity, omega);
        // What leant on it must notice.
        self.meeting.bodies.iter_mut().for_each(BodyState::wake);
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
        if let Some(meeting) = &model.meeting {
            let (solid, state) = (&meeting.solids[index], &mut self.meeting.bodies[index]);
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
