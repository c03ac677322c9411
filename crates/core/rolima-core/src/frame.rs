//! What the outside sees of a step: an immutable copy of the state's surface.

use crate::over::{self, End};
use crate::rough;
use crate::state::{State, place};
use rolima_math::{Pose2, Pose3, Vec2, wrap_angle};
use rolima_model::spatial::Sides;
use rolima_model::{BodyId, BodyKind, BodyModel, Model};

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
    /// Whether its wheels slip; of a vehicle on rough ground, whether one of them slides.
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
    /// Where the bodies are in space, in the order of `bodies`; empty on flat ground. A vehicle's
    /// origin is on the ground below its centre of mass while its wheels are relaxed on a plane
    /// ([`rolima_model::VehicleSpec::ride_height`]); an object's is in the middle of its foot; a
    /// ball's is its centre.
    pub spatial: Vec<Pose3>,
    /// The wheels of all vehicles, in the order of robots and of their wheels.
    pub wheels: Vec<WheelFrame>,
    /// Why the world does not go on after this frame, if it does not.
    pub end: Option<End>,
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
            let twist = state.twist(body);
            let robot = body.kind == BodyKind::Robot;
            let motors = if robot { Motors::of(model, state, body) } else { Motors::default() };
            self.bodies.push(BodyFrame {
                id: body.id,
                kind: body.kind,
                index: body.index,
                pose: state.pose(body.slot),
                velocity: twist.velocity,
                omega: twist.omega,
                volts: motors.volts,
                amps: motors.amps,
                wheel_speeds: motors.wheel_speeds,
                overridden: motors.overridden,
                slips: if robot { motors.slips } else { state.is_slipping(body.slot) },
                quarantined: state.is_quarantined(body.slot),
            });
        }
        self.end = over::end(model, state.rough.as_deref());
        self.spatial.clear();
        self.wheels.clear();
        if let (Some(spatial), Some(rough)) = (&model.spatial, &state.rough) {
            let poses = model.bodies().map(|body| rough::spatial_pose(model, rough, body));
            self.spatial.extend(poses);
            for (robot, known) in spatial.vehicles.iter().enumerate() {
                let Some(vehicle) = rough.vehicle(robot as u32) else { continue };
                let omega = vehicle.angular_velocity(spatial, robot as u32);
                self.wheels.extend((0..known.spec.wheels.len()).map(|i| WheelFrame {
                    angle: whole_turn(vehicle.wheel_angle(i)),
                    spin: vehicle.spin(known, omega, i),
                    compression: vehicle.reading(i, |r| r.compression).max(0.0),
                    load: vehicle.reading(i, |r| r.load),
                    steer: vehicle.steer(i),
                }));
            }
        }
    }
}

/// An angle brought to 0 to 2 pi, rad.
fn whole_turn(angle: f64) -> f64 {
    let wrapped = wrap_angle(angle);
    if wrapped < 0.0 { wrapped + core::f64::consts::TAU } else { wrapped }
}

/// The motors of a robot, right before left.
#[derive(Default)]
struct Motors {
    volts: [f64; 2],
    amps: [f64; 2],
    wheel_speeds: [f64; 2],
    overridden: bool,
    slips: bool,
}

impl Motors {
    fn of(model: &Model, state: &State, body: &BodyModel) -> Self {
        let (block, lane) = place(body.slot);
        let index = body.index as usize;
        let overridden = state.drivers[index].overridden || state.waiting[index].is_some();
        if let (Some(spatial), Some(rough)) = (&model.spatial, &state.rough) {
            let vehicle = rough.vehicle(body.index);
            let sides = vehicle.map(|v| v.sides(spatial, body.index));
            let Sides { volts, amps, spin, .. } = sides.unwrap_or_default();
            let slips = vehicle
                .zip(spatial.vehicles.get(index))
                .is_some_and(|(vehicle, known)| vehicle.slides(known));
            return Self { volts, amps, wheel_speeds: spin, overridden, slips };
        }
        let drive = &model.drives[model.robots[index].drive as usize];
        let volts = [state.volts[block].right[lane], state.volts[block].left[lane]];
        let slips = state.is_slipping(body.slot);
        let wheel_speeds = if slips {
            state.wheel_speeds[body.slot as usize]
        } else {
            let motion = &state.motion[block];
            drive.rolling_wheel_speeds(motion.vx[lane], motion.omega[lane])
        };
        Self { volts, amps: drive.currents(volts, wheel_speeds), wheel_speeds, overridden, slips }
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
