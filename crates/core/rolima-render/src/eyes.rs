//! What the cameras of a world see: the stage of a model, and pictures of it.

use crate::dress::{body_shape, dress};
use crate::{
    BodyId, Camera, DrawError, Lens, Pictures, Pose3, Quality, Renderer, Stage, StageError,
};
use rolima_math::{Pose2, Stream};
use rolima_model::{BodyKind, CameraSpec, Model, SensorKind};

/// Object number of the ground.
pub const GROUND: u32 = 1;
/// Object number of lines painted on the ground.
pub const MARKING: u32 = 2;
/// Object number of meshes, which nothing touches.
pub const MESH: u32 = 3;
/// Object number of walls.
pub const WALL: u32 = 4;
/// Object number of the body in slot 0; the others follow.
pub const FIRST_BODY: u32 = 16;

/// What a camera gets wrong in one picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grain {
    /// Standard deviation of a pixel's brightness, of 255.
    pub sigma: f64,
    /// The camera's own random stream, at its start.
    pub stream: Stream,
    /// Number of the picture: every picture has its own place in the stream.
    pub number: u64,
}

/// The cameras of a world, and the stage before them.
///
/// A picture follows from the model, the poses of the bodies and the camera's grain alone, so that
/// it can be drawn at any time, by anybody, with the same bits.
pub struct Eyes {
    stage: Stage,
    /// The bodies of the stage, by slot.
    bodies: Vec<Option<BodyId>>,
    /// How high above the ground each body's origin is, m: balls lie, others stand.
    lifts: Vec<f64>,
    renderer: Renderer,
}

impl Eyes {
    /// Builds the stage of a model; its bodies stand where the scene starts them.
    pub fn new(model: &Model) -> Result<Self, StageError> {
        let mut builder = crate::StageBuilder::new();
        let paints = dress(model, &mut builder)?;
        let mut bodies = vec![None; model.bodies.len()];
        let mut lifts = vec![0.0; model.bodies.len()];
        for body in model.bodies.iter().flatten() {
            let slot = body.slot as usize;
            lifts[slot] = if body.kind == BodyKind::Ball { body.radius } else { 0.0 };
            let shape = body_shape(model, body, &paints);
            let pose = upright(body.home, lifts[slot]);
            bodies[slot] = Some(builder.body(shape, pose, FIRST_BODY + body.slot));
        }
        Ok(Self { stage: builder.build(), bodies, lifts, renderer: Renderer::new() })
    }

    /// Puts the bodies where they were at an instant: poses by slot. What has none stays.
    pub fn place(&mut self, poses: &[Pose2]) {
        for ((body, lift), pose) in self.bodies.iter().zip(&self.lifts).zip(poses) {
            if let Some(body) = body {
                self.stage.set_pose(*body, upright(*pose, *lift));
            }
        }
    }

    /// The stage, for cameras that no robot carries.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// Draws what a camera of a robot sees: `device` is its number in [`Model::devices`], `poses`
    /// those of all bodies by slot, which [`Eyes::place`] got before. The grain goes into `rgb`
    /// alone. Nothing is drawn where the device is no camera.
    pub fn draw(
        &mut self,
        model: &Model,
        device: usize,
        poses: &[Pose2],
        grain: Option<Grain>,
        pictures: Pictures<'_>,
    ) -> Result<(), DrawError> {
        let Some((robot, spec)) = camera_of(model, device) else { return Ok(()) };
        let slot = model.robots[robot as usize].slot as usize;
        let Some(pose) = poses.get(slot) else { return Ok(()) };
        let camera = camera(spec, *pose);
        // A lens within its own robot would see nothing else.
        let within = model.bodies[slot].as_ref().is_some_and(|own| spec.mount[2] < own.height);
        if let (Some(own), true) = (self.bodies[slot], within) {
            self.stage.set_shown(own, false);
        }
        let Pictures { rgb, depth, objects } = pictures;
        let mut rgb = rgb;
        let drawn = Pictures { rgb: rgb.as_deref_mut(), depth, objects };
        let result = self.renderer.draw(&self.stage, &camera, drawn);
        if let Some(own) = self.bodies[slot] {
            self.stage.set_shown(own, true);
        }
        if let (Some(rgb), Some(grain)) = (rgb, grain) {
            add_grain(rgb, grain);
        }
        result
    }
}

/// The robot that carries a camera, and the camera.
pub fn camera_of(model: &Model, device: usize) -> Option<(u32, &CameraSpec)> {
    let device = model.devices.get(device)?;
    match &device.kind {
        SensorKind::Camera(spec) => Some((device.robot, spec)),
        _ => None,
    }
}

/// A camera on a robot that stands at a pose.
pub fn camera(spec: &CameraSpec, world_from_robot: Pose2) -> Camera {
    let [x, y, z] = spec.mount;
    let heading = world_from_robot.theta();
    let robot = upright(world_from_robot, 0.0);
    let position = robot.transform([x, y, z]);
    Camera {
        lens: Lens {
            width: spec.pixels[0],
            height: spec.pixels[1],
            horizontal_fov: spec.opening[0],
            vertical_fov: spec.opening[1],
            near: spec.near,
        },
        pose: Pose3::from_angles(position, heading + spec.heading, spec.tilt, 0.0),
        quality: Quality { supersample: spec.smooth, shadows: spec.shadows },
    }
}

fn upright(pose: Pose2, z: f64) -> Pose3 {
    let (c, s) = (pose.rotation.c, pose.rotation.s);
    let position = [pose.position.x, pose.position.y, z];
    Pose3 { position, axes: [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]] }
}

/// Makes every pixel brighter or darker by chance.
fn add_grain(rgb: &mut [u8], grain: Grain) {
    if grain.sigma <= 0.0 {
        return;
    }
    let mut stream = grain.stream;
    let pixels = (rgb.len() / 3) as u64;
    stream.drawn = stream.drawn.wrapping_add(grain.number.wrapping_mul(pixels));
    for pixel in rgb.chunks_exact_mut(3) {
        let error = grain.sigma * stream.normal();
        for channel in pixel {
            // The cast saturates.
            *channel = (f64::from(*channel) + error).round() as u8;
        }
    }
}
