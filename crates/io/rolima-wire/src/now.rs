//! The world at one instant, and its frames: whole ones and differences.

use crate::pb;
use prost::Message;
use prost::encoding::{WireType, encode_key, encode_varint};
use rolima_core::model::BodyKind;
use rolima_core::{BodyFrame, Frame, WheelFrame};
use rolima_math::Pose3;

/// Bit of [`BodyNow::flags`]: its wheels slip.
pub const SLIPS: u32 = 1;
/// Bit of [`BodyNow::flags`]: it is quarantined.
pub const QUARANTINED: u32 = 2;
/// Bit of [`BodyNow::flags`]: a client drives it, not its built-in driver.
pub const DRIVEN_FROM_OUTSIDE: u32 = 4;

/// A body at one instant, SI units.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)] // the names say it; pairs are (right, left)
pub struct BodyNow {
    pub x: f64,
    pub y: f64,
    pub heading: f64,
    pub vx: f64,
    pub vy: f64,
    pub omega: f64,
    pub volts: [f64; 2],
    pub currents: [f64; 2],
    pub wheel_speeds: [f64; 2],
    pub flags: u32,
}

impl From<&BodyFrame> for BodyNow {
    fn from(body: &BodyFrame) -> Self {
        let flag = |set: bool, bit: u32| if set { bit } else { 0 };
        Self {
            x: body.pose.position.x,
            y: body.pose.position.y,
            heading: body.pose.theta(),
            vx: body.velocity.x,
            vy: body.velocity.y,
            omega: body.omega,
            volts: body.volts,
            currents: body.amps,
            wheel_speeds: body.wheel_speeds,
            flags: flag(body.slips, SLIPS)
                | flag(body.quarantined, QUARANTINED)
                | flag(body.overridden, DRIVEN_FROM_OUTSIDE),
        }
    }
}

/// A body on rough ground: what [`BodyNow`] does not tell of its place in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PoseNow {
    /// Height of its origin, m.
    pub z: f64,
    /// Its orientation as a quaternion, world from body: w, x, y, z.
    pub rotation: [f64; 4],
}

impl Default for PoseNow {
    fn default() -> Self {
        Self { z: 0.0, rotation: [1.0, 0.0, 0.0, 0.0] }
    }
}

impl From<&Pose3> for PoseNow {
    fn from(pose: &Pose3) -> Self {
        let q = pose.rotation;
        Self { z: pose.position.z, rotation: [q.w, q.x, q.y, q.z] }
    }
}

/// A suspended wheel at one instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WheelNow {
    /// Angle turned against the chassis, rad, from 0 to 2 pi.
    pub angle: f64,
    /// Spin against the chassis, rad/s.
    pub spin: f64,
    /// How far the suspension has raised it, m.
    pub raised: f64,
    /// Force of the ground along its normal, N; 0 in the air.
    pub load: f64,
    /// Angle by which it is steered to the left, rad.
    pub steer: f64,
}

impl From<&WheelFrame> for WheelNow {
    fn from(wheel: &WheelFrame) -> Self {
        let WheelFrame { angle, spin, compression, load, steer } = *wheel;
        Self { angle, spin, raised: compression, load, steer }
    }
}

/// A point where bodies press.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)] // m, and N s
pub struct ContactNow {
    pub x: f64,
    pub y: f64,
    pub impulse: f64,
}

/// The world at one instant.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Now {
    /// Which scene.
    pub generation: u32,
    /// Steps done.
    pub step: u64,
    /// Simulated time, s.
    pub time_s: f64,
    /// Simulated time since the run began, s, over resets and other scenes.
    pub run_time_s: f64,
    /// How many of the bodies are robots; they come first.
    pub robots: usize,
    /// Bodies in the order of the scene.
    pub bodies: Vec<BodyNow>,
    /// Points where bodies pressed in the last step.
    pub contacts: Vec<ContactNow>,
    /// Goals by zone.
    pub scores: Vec<u64>,
    /// What all sensors read last: those of the first robot first, each in the scene's order; those
    /// of the world last.
    pub readings: Vec<f64>,
    /// Places in space, in the order of the bodies; empty on flat ground.
    pub spatial: Vec<PoseNow>,
    /// The wheels of all vehicles: those of the first robot first, each in the scene's order.
    pub wheels: Vec<WheelNow>,
}

impl Now {
    /// A frame of the core.
    pub fn of(generation: u32, frame: &Frame) -> Self {
        Self {
            generation,
            step: frame.step,
            time_s: frame.time_s,
            run_time_s: frame.time_s,
            robots: frame.bodies.iter().filter(|body| body.kind == BodyKind::Robot).count(),
            bodies: frame.bodies.iter().map(BodyNow::from).collect(),
            contacts: vec![],
            scores: frame.scores.clone(),
            readings: frame.readings.clone(),
            spatial: frame.spatial.iter().map(PoseNow::from).collect(),
            wheels: frame.wheels.iter().map(WheelNow::from).collect(),
        }
    }

    /// The whole frame.
    pub fn key_frame(&self) -> pb::Frame {
        let mut frame = self.frame_without_bodies();
        frame.key = true;
        let count = self.bodies.len();
        for column in body_columns(&mut frame) {
            column.reserve_exact(count);
        }
        for number in 0..count {
            self.push(&mut frame, number);
        }
        push_wheels(&mut frame, &self.wheels);
        frame
    }

    /// The bodies that differ from the frame before, which must be of the same scene (otherwise a
    /// whole frame is made). A viewer that has the frame before gets exactly this one.
    /// `wheel_counts`: how many suspended wheels each robot has; may be short or empty where the
    /// rest has none.
    pub fn difference(&self, before: &Self, wheel_counts: &[u32]) -> pb::Frame {
        let sizes = |now: &Self| (now.bodies.len(), now.spatial.len(), now.wheels.len());
        if before.generation != self.generation || sizes(before) != sizes(self) {
            return self.key_frame();
        }
        let mut frame = self.frame_without_bodies();
        let mut wheels_before = 0;
        for (number, (old, new)) in before.bodies.iter().zip(&self.bodies).enumerate() {
            let count = wheel_counts.get(number).map_or(0, |count| *count as usize);
            let end = (wheels_before + count).min(self.wheels.len());
            let own = wheels_before..end;
            wheels_before = end;
            let moved = bits_of(old) != bits_of(new)
                || before.spatial.get(number).map(tilt_shown)
                    != self.spatial.get(number).map(tilt_shown)
                || before.wheels[own.clone()]
                    .iter()
                    .zip(&self.wheels[own.clone()])
                    .any(|(old, new)| wheel_shown(old) != wheel_shown(new));
            if moved {
                frame.body.push(number as u32);
                self.push(&mut frame, number);
                push_wheels(&mut frame, &self.wheels[own]);
            }
        }
        frame
    }

    fn frame_without_bodies(&self) -> pb::Frame {
        let column = |of: fn(&ContactNow) -> f64| {
            self.contacts.iter().map(|contact| of(contact) as f32).collect()
        };
        pb::Frame {
            generation: self.generation,
            step: self.step,
            time_s: self.time_s,
            run_time_s: self.run_time_s,
            contact_x: column(|c| c.x),
            contact_y: column(|c| c.y),
            contact_impulse: column(|c| c.impulse),
            scores: self.scores.iter().map(|n| u32::try_from(*n).unwrap_or(u32::MAX)).collect(),
            ..pb::Frame::default()
        }
    }

    fn push(&self, frame: &mut pb::Frame, number: usize) {
        let body = &self.bodies[number];
        frame.x.push(body.x as f32);
        frame.y.push(body.y as f32);
        frame.heading.push(body.heading as f32);
        frame.vx.push(body.vx as f32);
        frame.vy.push(body.vy as f32);
        frame.omega.push(body.omega as f32);
        frame.flags.push(body.flags);
        if number < self.robots {
            frame.volts_right.push(body.volts[0] as f32);
            frame.volts_left.push(body.volts[1] as f32);
            frame.current_right.push(body.currents[0] as f32);
            frame.current_left.push(body.currents[1] as f32);
            frame.wheel_right.push(body.wheel_speeds[0] as f32);
            frame.wheel_left.push(body.wheel_speeds[1] as f32);
        }
        if let Some(PoseNow { z, rotation: [qw, qx, qy, qz] }) = self.spatial.get(number) {
            frame.z.push(*z as f32);
            frame.qw.push(*qw as f32);
            frame.qx.push(*qx as f32);
            frame.qy.push(*qy as f32);
            frame.qz.push(*qz as f32);
        }
    }
}

fn push_wheels(frame: &mut pb::Frame, wheels: &[WheelNow]) {
    for wheel in wheels {
        frame.wheel_angle.push(wheel.angle as f32);
        frame.wheel_raised.push(wheel.raised as f32);
        frame.wheel_load.push(wheel.load as f32);
        frame.wheel_spin.push(wheel.spin as f32);
        frame.wheel_steer.push(wheel.steer as f32);
    }
}

fn body_columns(frame: &mut pb::Frame) -> [&mut Vec<f32>; 6] {
    let pb::Frame { x, y, heading, vx, vy, omega, .. } = frame;
    [x, y, heading, vx, vy, omega]
}

/// The bits that a frame carries of a body.
fn bits_of(body: &BodyNow) -> [u32; 13] {
    let bits = |x: f64| (x as f32).to_bits();
    [
        bits(body.x),
        bits(body.y),
        bits(body.heading),
        bits(body.vx),
        bits(body.vy),
        bits(body.omega),
        bits(body.volts[0]),
        bits(body.volts[1]),
        bits(body.currents[0]),
        bits(body.currents[1]),
        bits(body.wheel_speeds[0]),
        bits(body.wheel_speeds[1]),
        body.flags,
    ]
}

/// The bits that a frame carries of a body's place in space.
fn tilt_shown(pose: &PoseNow) -> [u32; 5] {
    let [w, x, y, z] = pose.rotation;
    [pose.z, w, x, y, z].map(|x| (x as f32).to_bits())
}

/// The bits that a frame carries of a wheel.
fn wheel_shown(wheel: &WheelNow) -> [u32; 5] {
    let WheelNow { angle, spin, raised, load, steer } = *wheel;
    [angle, spin, raised, load, steer].map(|x| (x as f32).to_bits())
}

/// Number of `frame` in `ServerMessage`.
const FRAME_FIELD: u32 = 4;

/// A `ServerMessage` with a frame in two encoded pieces, which Protobuf merges: what is the same
/// for all viewers, and what is this one's own (events, status).
pub fn frame_message(shared: &[u8], own: &pb::Frame) -> Vec<u8> {
    let length = shared.len() + own.encoded_len();
    let mut bytes = Vec::with_capacity(length + 16);
    encode_key(FRAME_FIELD, WireType::LengthDelimited, &mut bytes);
    encode_varint(length as u64, &mut bytes);
    bytes.extend_from_slice(shared);
    own.encode_raw(&mut bytes);
    bytes
}

/// A `ServerMessage` of one kind, encoded.
pub fn server_message(kind: pb::server_message::Kind) -> Vec<u8> {
    pb::ServerMessage { kind: Some(kind) }.encode_to_vec()
}
