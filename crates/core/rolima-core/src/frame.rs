//! What the outside sees of a step: an immutable copy of the state's surface.

use crate::state::{State, place};
use rolima_math::{Pose2, Vec2};
use rolima_model::{BodyKind, Model};

/// A body as the outside sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyFrame {
    /// Its slot.
    pub slot: u32,
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
    pub currents: [f64; 2],
    /// Turning of the wheels (right, left), rad/s; zero where there are none.
    pub wheel_speeds: [f64; 2],
    /// Whether its wheels slip.
    pub slips: bool,
    /// Whether it is quarantined.
    pub quarantined: bool,
    /// Whether a client commands it, in place of its built-in driver.
    pub driven_from_outside: bool,
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
}

impl Frame {
    /// Fills the frame from a state, reusing its memory.
    pub fn fill(&mut self, model: &Model, state: &State) {
        self.step = state.step;
        self.time_s = state.step as f64 * model.step_s;
        self.scores.clone_from(&state.scores);
        self.bodies.clear();
        for body in model.bodies.iter().flatten() {
            let (block, lane) = place(body.slot);
            let motion = &state.motion[block];
            let pose = motion.pose(lane);
            let own = motion.velocity(lane);
            let robot = body.kind == BodyKind::Robot;
            let volts = state.volts[block];
            let volts = if robot { [volts.right[lane], volts.left[lane]] } else { [0.0; 2] };
            let slips = state.is_slipping(body.slot);
            let (mut wheel_speeds, mut currents) = ([0.0; 2], [0.0; 2]);
            if robot {
                let drive = &model.drives[model.robots[body.index as usize].drive as usize];
                wheel_speeds = if slips {
                    state.wheel_speeds[body.slot as usize]
                } else {
                    drive.rolling_wheel_speeds(own.x, motion.omega[lane])
                };
                let spec = &drive.spec;
                let back = [spec.motor_constant_right, spec.motor_constant_left];
                let conductance = [spec.conductance_right, spec.conductance_left];
                for i in 0..2 {
                    currents[i] = conductance[i] * (volts[i] - back[i] * wheel_speeds[i]);
                }
            }
            self.bodies.push(BodyFrame {
                slot: body.slot,
                kind: body.kind,
                index: body.index,
                pose,
                velocity: if robot { pose.rotation.rotate(own) } else { own },
                omega: motion.omega[lane],
                volts,
                currents,
                wheel_speeds,
                slips,
                quarantined: state.is_quarantined(body.slot),
                driven_from_outside: robot && state.drivers[body.index as usize].overridden,
            });
        }
    }
}

/// Somebody who looks at frames. Observers get a shared reference: they cannot change the course
/// of the world.
pub trait Observer: Send {
    /// How many steps pass between frames; 1 for every step.
    fn every_steps(&self) -> u64;
    /// A frame is there. Must not block.
    fn on_frame(&mut self, frame: &Frame);
}
