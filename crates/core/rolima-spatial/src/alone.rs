//! A spatial world by itself: a model and its state, for programs that use this crate alone.

use crate::model::SpatialModel;
use crate::state::DriveVolts;
use crate::world::{SpatialState, WheelPose};
use core::ops::{Deref, DerefMut};
use rolima_math::{Pose3, Quat, Vec3, Words};
use std::sync::Arc;

/// A world of vehicles on a terrain. What needs no model is to be had of its [`SpatialState`].
#[derive(Clone, Debug)]
pub struct SpatialWorld {
    model: Arc<SpatialModel>,
    state: SpatialState,
}

impl Deref for SpatialWorld {
    type Target = SpatialState;

    fn deref(&self) -> &SpatialState {
        &self.state
    }
}

impl DerefMut for SpatialWorld {
    fn deref_mut(&mut self) -> &mut SpatialState {
        &mut self.state
    }
}

impl SpatialWorld {
    /// A world at its first instant.
    pub fn new(model: Arc<SpatialModel>) -> Self {
        let state = SpatialState::new(&model);
        Self { model, state }
    }

    /// What does not change.
    pub fn model(&self) -> &Arc<SpatialModel> {
        &self.model
    }

    /// Simulated time, s.
    pub fn time_s(&self) -> f64 {
        self.step_count() as f64 * self.model.step_s
    }

    /// See [`SpatialState::command`].
    pub fn command(&mut self, vehicle: u32, drive: DriveVolts) -> bool {
        self.state.command(&self.model, vehicle, drive)
    }

    /// See [`SpatialState::order`].
    pub fn order(&mut self, vehicle: u32, values: &[f64], brake: f64) -> bool {
        self.state.order(&self.model, vehicle, values, brake)
    }

    /// See [`SpatialState::actuate`].
    pub fn actuate(&mut self, vehicle: u32, actuator: u32, value: f64) -> bool {
        self.state.actuate(&self.model, vehicle, actuator, value)
    }

    /// See [`SpatialState::stand`].
    pub fn stand(&mut self, vehicle: u32) -> bool {
        self.state.stand(&self.model, vehicle)
    }

    /// See [`SpatialState::place`].
    pub fn place(&mut self, vehicle: u32, position: Vec3, orientation: Quat) -> bool {
        self.state.place(&self.model, vehicle, position, orientation)
    }

    /// See [`SpatialState::place_body`].
    pub fn place_body(
        &mut self,
        body: u32,
        position: Vec3,
        rotation: Quat,
        velocity: Vec3,
        omega: Vec3,
    ) -> bool {
        let pose = Pose3 { position, rotation };
        self.state.place_body(&self.model, body, pose, [velocity, omega])
    }

    /// See [`SpatialState::push_vehicle`].
    pub fn push_vehicle(&mut self, vehicle: u32, point: Vec3, impulse: Vec3) -> bool {
        self.state.push_vehicle(&self.model, vehicle, point, impulse)
    }

    /// See [`SpatialState::push_body`].
    pub fn push_body(&mut self, body: u32, point: Vec3, impulse: Vec3) -> bool {
        self.state.push_body(&self.model, body, point, impulse)
    }

    /// One step of everything.
    pub fn step(&mut self) {
        self.steps(1);
    }

    /// See [`SpatialState::steps`].
    pub fn steps(&mut self, steps: u64) {
        self.state.steps(&self.model, steps);
    }

    /// See [`SpatialState::drive`].
    pub fn drive(&mut self, steps: u64) {
        self.state.drive(&self.model, steps);
    }

    /// See [`SpatialState::resolve_contacts`].
    pub fn resolve_contacts(&mut self) {
        self.state.resolve_contacts(&self.model);
    }

    /// See [`SpatialState::send_home`].
    pub fn send_home(&mut self) {
        self.state.send_home(&self.model);
    }

    /// Back to the first instant, bit for bit.
    pub fn reset(&mut self) {
        self.state = SpatialState::new(&self.model);
    }

    /// The whole state as words: fingerprint of the model, then those of the [`SpatialState`].
    pub fn save(&self) -> Vec<u64> {
        let mut words = vec![self.model.fingerprint];
        words.extend(self.state.save());
        words
    }

    /// Goes on from [`SpatialWorld::save`] of a world of the same model, bit for bit. False, and
    /// nothing changed, where the words are none of this model.
    pub fn restore(&mut self, words: &[u64]) -> bool {
        let Some((&fingerprint, rest)) = words.split_first() else { return false };
        let restored = fingerprint == self.model.fingerprint && self.state.restore(rest);
        if restored {
            self.state.forget();
        }
        restored
    }

    /// Hash of every bit of the state.
    pub fn state_hash(&self) -> u64 {
        self.state.state_hash(&self.model)
    }

    /// Kinetic energy of the bodies, J.
    pub fn bodies_energy(&self) -> f64 {
        self.state.bodies_energy(&self.model)
    }

    /// Poses of a vehicle's wheels.
    pub fn wheel_poses(&self, vehicle: u32) -> Vec<WheelPose> {
        self.state.wheel_poses(&self.model, vehicle)
    }

    /// Angular velocity of a vehicle in its own frame, rad/s.
    pub fn angular_velocity(&self, vehicle: u32) -> Vec3 {
        self.vehicle(vehicle).map_or(Vec3::ZERO, |v| v.angular_velocity(&self.model, vehicle))
    }
}
