//! What the cameras of a world see: the stage of a model, and pictures of it.

use crate::dress::{body_shape, dress};
use crate::vehicle::{WheelOn, wheels};
use crate::{
    Camera, Daylight, DrawError, Lens, Pictures, Pose3, Quality, Renderer, Stage, StageBody,
    StageError,
};
use rolima_math::{Pose2, Pose3 as SpacePose, Stream, Vec2};
use rolima_model::{
    BodyId, BodyKind, CameraSpec, DeviceModel, Model, Mount, RobotId, SensorKind, Terrain,
};
use std::sync::Arc;

/// Object number of the ground.
pub const GROUND: u32 = 1;
/// Object number of lines painted on the ground.
pub const MARKING: u32 = 2;
/// Object number of meshes, which nothing touches.
pub const MESH: u32 = 3;
/// Object number of walls.
pub const WALL: u32 = 4;
/// Object number of the body in slot 0 of [`rolima_model::Layout`]; the others follow by their slots,
/// as the golden pictures have it.
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
    /// The bodies of the stage, by their numbers in the scene.
    bodies: Vec<StageBody>,
    /// How high above the ground each body's origin is, m: balls lie, others stand.
    lifts: Vec<f64>,
    /// Wheels that move against their vehicles, and what they stand on.
    wheels: Vec<(WheelOn, StageBody)>,
    terrain: Option<Arc<Terrain>>,
    renderer: Renderer,
}

impl Eyes {
    /// Builds the stage of a model; its bodies stand where the scene starts them.
    pub fn new(model: &Model) -> Result<Self, StageError> {
        let mut builder = crate::StageBuilder::new();
        let paints = dress(model, &mut builder)?;
        let mut bodies = Vec::with_capacity(model.body_count());
        let mut lifts = Vec::with_capacity(model.body_count());
        let terrain = model.spec.ground.as_ref().map(|ground| Arc::clone(&ground.terrain));
        let mut all_wheels = vec![];
        for body in model.bodies() {
            let lift = if body.kind == BodyKind::Ball { body.radius } else { 0.0 };
            lifts.push(lift);
            let shape = body_shape(model, body, &paints);
            let pose = standing(terrain.as_deref(), body.home, lift);
            bodies.push(builder.body(shape, pose, FIRST_BODY + body.slot));
            for (wheel, shape) in wheels(model, body, paints.of_body(model, body)) {
                let pose = wheel.pose(&pose, terrain.as_deref());
                all_wheels.push((wheel, builder.body(shape, pose, FIRST_BODY + body.slot)));
            }
        }
        let (stage, wheels, renderer) = (builder.build(), all_wheels, Renderer::new());
        Ok(Self { stage, bodies, lifts, wheels, terrain, renderer })
    }

    /// Puts the bodies where they were at an instant: poses by the bodies' numbers, on rough
    /// ground also those in space. What has none stays.
    pub fn place(&mut self, poses: &[Pose2], spatial: &[SpacePose]) {
        for (i, (body, pose)) in self.bodies.iter().zip(poses).enumerate() {
            let standing = || standing(self.terrain.as_deref(), *pose, self.lifts[i]);
            let pose = spatial.get(i).map_or_else(standing, Pose3::from);
            self.stage.set_pose(*body, pose);
        }
        for (wheel, body) in &self.wheels {
            let vehicle = self.bodies.get(wheel.vehicle.index());
            if let Some(pose) = vehicle.and_then(|vehicle| self.stage.pose(*vehicle)) {
                self.stage.set_pose(*body, wheel.pose(&pose, self.terrain.as_deref()));
            }
        }
    }

    /// The stage, for cameras of one's own.
    pub fn stage(&self) -> &Stage {
        &self.stage
    }

    /// Draws what a camera of a robot or of the world sees: `device` is its number in [`Model::devices`], `poses`
    /// and `spatial` those of all bodies, which [`Eyes::place`] got before. The grain goes
    /// into `rgb` alone. Nothing is drawn where the device is no camera.
    pub fn draw(
        &mut self,
        model: &Model,
        device: usize,
        poses: &[Pose2],
        spatial: &[SpacePose],
        grain: Option<Grain>,
        pictures: Pictures<'_>,
    ) -> Result<(), DrawError> {
        let Some((camera, hidden)) = self.camera_of(model, device, poses, spatial) else {
            return Ok(());
        };
        let Pictures { rgb, depth, objects } = pictures;
        let mut rgb = rgb;
        let drawn = Pictures { rgb: rgb.as_deref_mut(), depth, objects };
        let result = self.draw_from(&camera, hidden, drawn);
        if let (Some(rgb), Some(grain)) = (rgb, grain) {
            add_grain(rgb, grain);
        }
        result
    }

    /// Where a camera of a robot or of the world is and what its lens is like, and the body that it does
    /// not see: a lens within its own robot would see nothing else. None where the device is no camera,
    /// or its robot has no pose.
    pub fn camera_of(
        &self,
        model: &Model,
        device: usize,
        poses: &[Pose2],
        spatial: &[SpacePose],
    ) -> Option<(Camera, Option<BodyId>)> {
        let (known, spec) = camera_of(model, device)?;
        let camera = self.camera_at(known, spec, poses, spatial)?;
        let is_within =
            |body: &BodyId| model.body(*body).is_some_and(|body| spec.mount[2] < body.height);
        Some((camera, known.mount.robot().map(RobotId::body).filter(is_within)))
    }

    /// Draws what a camera of one's own sees, without a body if one is named.
    pub fn draw_from(
        &mut self,
        camera: &Camera,
        hidden: Option<BodyId>,
        pictures: Pictures<'_>,
    ) -> Result<(), DrawError> {
        if let Some(hidden) = hidden {
            self.show(hidden, false);
        }
        let result = self.renderer.draw(&self.stage, camera, pictures);
        if let Some(hidden) = hidden {
            self.show(hidden, true);
        }
        result
    }

    /// Where a body was put last: of a ball its centre, of what stands the middle of its foot.
    pub fn pose(&self, body: BodyId) -> Option<Pose3> {
        self.stage.pose(*self.bodies.get(body.index())?)
    }

    /// Height of the ground at a place, m.
    pub fn ground(&self, x: f64, y: f64) -> f64 {
        self.terrain.as_ref().map_or(0.0, |terrain| terrain.height(x, y))
    }

    /// Takes the haze away, for cameras that look from far above.
    pub fn clear_air(&mut self) {
        self.stage.set_daylight(Daylight { half_fade_m: f64::INFINITY, ..Daylight::default() });
    }

    /// Where a camera is and what its lens is like; none where its robot has no pose.
    fn camera_at(
        &self,
        known: &DeviceModel,
        spec: &CameraSpec,
        poses: &[Pose2],
        spatial: &[SpacePose],
    ) -> Option<Camera> {
        let Mount::Robot(robot) = known.mount else {
            return Some(camera_in_space(spec, &Pose3::from(&known.pose)));
        };
        let pose = *poses.get(robot.index())?;
        Some(match (spatial.get(robot.index()), &self.terrain) {
            (Some(pose), _) => camera_in_space(spec, &Pose3::from(pose)),
            (None, Some(_)) => camera_in_space(spec, &standing(self.terrain.as_deref(), pose, 0.0)),
            (None, None) => camera(spec, pose),
        })
    }

    /// Shows or hides a body and its wheels.
    fn show(&mut self, body: BodyId, shown: bool) {
        let wheels = self.wheels.iter().filter(|(wheel, _)| wheel.vehicle == body);
        for body in self.bodies.get(body.index()).into_iter().chain(wheels.map(|(_, body)| body)) {
            self.stage.set_shown(*body, shown);
        }
    }
}

/// A sensor that is a camera, and what the scene says of it.
pub fn camera_of(model: &Model, device: usize) -> Option<(&DeviceModel, &CameraSpec)> {
    let device = model.devices.get(device)?;
    match &device.kind {
        SensorKind::Camera(spec) => Some((device, spec)),
        _ => None,
    }
}

/// A camera on a robot that stands at a pose.
pub fn camera(spec: &CameraSpec, world_from_robot: Pose2) -> Camera {
    let [x, y, z] = spec.mount;
    let heading = world_from_robot.theta();
    let robot = upright(world_from_robot, 0.0);
    let position = robot.transform([x, y, z]);
    with_lens(spec, Pose3::from_angles(position, heading + spec.heading, spec.tilt, 0.0))
}

/// A camera on a robot that is somewhere in space, or in another frame.
pub fn camera_in_space(spec: &CameraSpec, world_from_robot: &Pose3) -> Camera {
    let own = Pose3::from_angles(spec.mount, spec.heading, spec.tilt, 0.0);
    with_lens(spec, world_from_robot.compose(&own))
}

fn with_lens(spec: &CameraSpec, pose: Pose3) -> Camera {
    Camera {
        lens: Lens {
            width: spec.pixels[0],
            height: spec.pixels[1],
            horizontal_fov: spec.opening[0],
            vertical_fov: spec.opening[1],
            near: spec.near,
        },
        pose,
        quality: Quality { supersample: spec.smooth, shadows: spec.shadows },
    }
}

/// Upright on the ground, `lift` above it, m.
fn standing(terrain: Option<&Terrain>, pose: Pose2, lift: f64) -> Pose3 {
    let Vec2 { x, y } = pose.position;
    upright(pose, terrain.map_or(0.0, |terrain| terrain.height(x, y)) + lift)
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
