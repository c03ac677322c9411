//! What the outside sees of a step: an immutable copy of the state's surface.

use crate::engine::{self, WorldEnd};
use crate::state::State;
use rolima_math::{Pose2, Pose3, Vec2};
use rolima_model::{BodyId, BodyKind, Model};

/// A body as the outside sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyFrame {
    /// Its number among all bodies, which is its place in [`Frame::bodies`].
    pub id: BodyId,
    /// What it is.
    pub kind: BodyKind,
    /// Its number among its kind.
    pub index: u32,
    /// Where it is.
    pub pose: Pose2,
    /// Its velocity in the world, m/s.
    pub velocity: Vec2,
    /// Its turning, rad/s.
    pub omega: f64,
    /// Motor voltages (right, left), V; zero where there are no motors.
    pub volts: [f64; 2],
    /// Motor currents (right, left), A; zero where there are no motors.
    pub amps: [f64; 2],
    /// Wheel speeds (right, left), rad/s; zero where there are no wheels.
    pub wheel_speeds: [f64; 2],
    /// Whether it is driven from outside, not by its built-in driver.
    pub overridden: bool,
    /// Whether its wheels slip; of a vehicle, whether one of them slides.
    pub slips: bool,
    /// Whether it is quarantined.
    pub quarantined: bool,
}

/// The world at one instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Steps done.
    pub step: u64,
    /// Simulated time, s.
    pub time_s: f64,
    /// Bodies: robots, balls, objects, each in the scene's order.
    pub bodies: Vec<BodyFrame>,
    /// Goals by zone.
    pub scores: Vec<u64>,
    /// What the sensors read last, by [`rolima_model::DeviceModel::range`].
    pub readings: Vec<f64>,
    /// Where the bodies are in space, in the order of `bodies`; empty where they move in the plane. A vehicle's
    /// origin is on the ground below its centre of mass while its wheels are relaxed on a plane
    /// ([`rolima_model::VehicleSpec::ride_height`]); an object's is in the middle of its foot; a
    /// ball's is its centre.
    pub spatial: Vec<Pose3>,
    /// The wheels of all vehicles, in the order of robots and of their wheels.
    pub wheels: Vec<WheelFrame>,
    /// Why the world does not go on after this frame, if it does not.
    pub end: Option<WorldEnd>,
}

/// A suspended wheel as the outside sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelFrame {
    /// Angle turned against the chassis, rad, from 0 to 2 pi.
    pub angle: f64,
    /// Spin against the chassis, rad/s.
    pub spin: f64,
    /// How far the suspension has raised it from its relaxed place, along the chassis' up axis, m.
    pub compression: f64,
    /// Force of the ground along its normal, N; 0 in the air.
    pub load: f64,
    /// Angle by which it is steered to the left, rad; 0 where it is not steered.
    pub steer: f64,
}

impl Frame {
    /// Fills the frame from a state, reusing its memory.
    pub fn fill(&mut self, model: &Model, state: &State) {
        self.step = state.step;
        self.time_s = state.step as f64 * model.step_s;
        self.scores.clone_from(&state.scores);
        self.readings.clone_from(&state.senses.readings);
        self.bodies.clear();
        for body in model.bodies() {
            let engine = &state.engine;
            let twist = engine.twist(model, body);
            let robot = body.kind == BodyKind::Robot;
            let motors = if robot { engine::motors(model, state, body) } else { Motors::default() };
            self.bodies.push(BodyFrame {
                id: body.id,
                kind: body.kind,
                index: body.index,
                pose: engine.pose(model, body),
                velocity: twist.velocity,
                omega: twist.omega,
                volts: motors.volts,
                amps: motors.amps,
                wheel_speeds: motors.wheel_speeds,
                overridden: robot && is_overridden(state, body.index as usize),
                slips: motors.slips,
                quarantined: engine.is_quarantined(body),
            });
        }
        self.end = engine::end(model, state);
        state.engine.poses_in_space(model, &mut self.spatial);
        self.wheels.clear();
        engine::wheels(model, state, &mut self.wheels);
    }
}

/// Whether somebody commands a robot, or is about to.
fn is_overridden(state: &State, robot: usize) -> bool {
    state.drivers[robot].overridden || state.waiting[robot].is_some()
}

/// The motors of a robot, right before left.
#[derive(Default)]
pub(crate) struct Motors {
    pub(crate) volts: [f64; 2],
    pub(crate) amps: [f64; 2],
    pub(crate) wheel_speeds: [f64; 2],
    /// Whether a wheel slips.
    pub(crate) slips: bool,
}

/// Somebody who looks at frames. Observers get a shared reference: they cannot change the course
/// of the world.
pub trait Observer: Send {
    /// How many steps pass between frames; 1 for every step.
    fn every_steps(&self) -> u64;
    /// A frame is there. Must not block.
    fn on_frame(&mut self, frame: &Frame);
}
