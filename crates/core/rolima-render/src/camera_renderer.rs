//! What the cameras of a world see: the stage of a model, and pictures of it.

use crate::dress::{body_shape, dress};
use crate::imaging::{Grain, Optics, add_grain, flicker_rows, read_before};
use crate::rects::PictureRect;
use crate::vehicle::{WheelOn, wheels};
use crate::{
    Camera, Daylight, DrawError, Lens, Pictures, Quality, Renderer, Stage, StageBody, StageError,
    StagePose,
};
use rolima_math::{PlaneMotion, Pose2, Pose3 as SpacePose, Vec2, Vec3};
use rolima_model::{
    BodyId, BodyKind, CameraSpec, DeviceModel, Model, Mount, RobotId, SensorKind, Terrain,
};
use std::collections::BTreeMap;
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

/// Rows of a rolling shutter are drawn in so many bands at most, each as everything stood when its middle row was read.
const MOST_BANDS: u32 = 16;

/// Where everything was when a camera took a picture, and what the picture's errors are drawn from.
#[derive(Clone, Copy, Debug, Default)]
pub struct CameraShot<'a> {
    /// Poses by the bodies' numbers.
    pub poses: &'a [Pose2],
    /// Poses in space by the bodies' numbers; on rough ground only.
    pub spatial: &'a [SpacePose],
    /// How the bodies moved, by their numbers: for cameras that read row by row.
    pub motions: &'a [PlaneMotion],
    /// When it was taken, s: for light that flickers.
    pub time_s: f64,
    /// Noise of the pixels.
    pub grain: Option<Grain>,
}

/// Rows that are read together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Band {
    pub(crate) rows: PictureRect,
    /// How long before the picture was taken, s.
    pub(crate) before_s: f64,
}

/// The bands of a camera: one, if it reads all rows at once.
pub(crate) fn bands(spec: &CameraSpec) -> impl Iterator<Item = Band> + use<> {
    let (imaging, lens) = (spec.imaging, lens_of(spec));
    let count = if imaging.readout_s > 0.0 { MOST_BANDS.min(lens.height) } else { 1 };
    (0..count).map(move |i| {
        let [top, bottom] = [i, i + 1].map(|i| i * lens.height / count);
        let middle = 0.5 * f64::from(top + bottom - 1);
        let rows = PictureRect { left: 0, top, right: lens.width, bottom };
        Band { rows, before_s: read_before(&imaging, middle, &lens) }
    })
}

/// The cameras of a world, and the stage before them.
///
/// A picture follows from the model, the poses of the bodies and the camera's grain alone, so that
/// it can be drawn at any time, by anybody, with the same bits.
pub struct CameraRenderer {
    stage: Stage,
    /// The bodies of the stage, by their numbers in the scene.
    bodies: Vec<StageBody>,
    /// How high above the ground each body's origin is, m: balls lie, others stand.
    lifts: Vec<f64>,
    /// Wheels that move against their vehicles, and what they stand on.
    wheels: Vec<(WheelOn, StageBody)>,
    terrain: Option<Arc<Terrain>>,
    renderer: Renderer,
    /// Lenses and light of the cameras that have been drawn from, by their numbers; none of ideal ones.
    optics: BTreeMap<usize, Option<Box<Optics>>>,
    /// What an ideal camera sees, under a lens that is none.
    source: Vec<u8>,
    /// Where everything was while rows were read.
    moved: (Vec<Pose2>, Vec<SpacePose>),
}

impl CameraRenderer {
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
        let (optics, source, moved) = (BTreeMap::new(), vec![], (vec![], vec![]));
        Ok(Self { stage, bodies, lifts, wheels, terrain, renderer, optics, source, moved })
    }

    /// Puts the bodies where they were at an instant: poses by the bodies' numbers, on rough
    /// ground also those in space. What has none stays.
    pub fn place(&mut self, poses: &[Pose2], spatial: &[SpacePose]) {
        for (i, (body, pose)) in self.bodies.iter().zip(poses).enumerate() {
            let standing = || standing(self.terrain.as_deref(), *pose, self.lifts[i]);
            let pose = spatial.get(i).map_or_else(standing, StagePose::from);
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

    /// Draws what a camera of a robot or of the world sees: `device` is its number in [`Model::devices`]; the bodies
    /// stand where [`CameraRenderer::place`] has put them before, with the shot's poses. Flicker and noise go into
    /// `rgb` alone. Nothing is drawn where the device is no camera.
    pub fn draw(
        &mut self,
        model: &Model,
        device: usize,
        shot: &CameraShot<'_>,
        pictures: Pictures<'_>,
    ) -> Result<(), DrawError> {
        let Some((_, spec)) = camera_of(model, device) else { return Ok(()) };
        let Some((camera, hidden)) = self.camera_of(model, device, shot.poses, shot.spatial) else {
            return Ok(());
        };
        let Pictures { mut rgb, depth, objects } = pictures;
        if spec.imaging.readout_s == 0.0 && self.optics(device, spec).is_none() {
            let drawn = Pictures { rgb: rgb.as_deref_mut(), depth, objects };
            self.draw_from(&camera, hidden, drawn)?;
        } else {
            if let Some(rgb) = rgb.as_deref_mut() {
                let whole = PictureRect::whole(camera.lens.width, camera.lens.height);
                self.draw_clean((model, device), shot, &[whole], rgb)?;
            }
            self.draw_seen(device, (&camera, hidden), depth, objects)?;
        }
        if let Some(rgb) = rgb {
            finish(spec, shot, rgb);
        }
        Ok(())
    }

    /// Lens and light of a camera; none of an ideal one.
    pub(crate) fn optics(&mut self, device: usize, spec: &CameraSpec) -> Option<&mut Box<Optics>> {
        let entry = self.optics.entry(device);
        let made = || Optics::new(spec, &lens_of(spec)).map(Box::new);
        entry.or_insert_with(made).as_mut()
    }

    /// Draws some rectangles of the colour picture of a camera, all but what differs from picture to picture.
    pub(crate) fn draw_clean(
        &mut self,
        (model, device): (&Model, usize),
        shot: &CameraShot<'_>,
        rects: &[PictureRect],
        rgb: &mut [u8],
    ) -> Result<(), DrawError> {
        let Some((_, spec)) = camera_of(model, device) else { return Ok(()) };
        let lens = lens_of(spec);
        lens.check()?;
        if rgb.len() != 3 * lens.pixels() {
            let (name, expected, got) = ("rgb", 3 * lens.pixels(), rgb.len());
            return Err(DrawError::Buffer { name, expected, got });
        }
        for band in bands(spec) {
            let within = rects.iter().map(|rect| rect.intersection(&band.rows));
            let within: Vec<PictureRect> = within.filter(|rect| !rect.is_empty()).collect();
            if within.is_empty() {
                continue;
            }
            let (poses, spatial) = self.place_before(shot, band.before_s);
            let camera = self.camera_of(model, device, &poses, &spatial);
            self.give_back((poses, spatial));
            if let Some((camera, hidden)) = camera {
                self.draw_band((device, spec), (&camera, hidden), &within, rgb)?;
            }
        }
        self.place(shot.poses, shot.spatial);
        Ok(())
    }

    /// Puts the bodies where they were some time before a shot, s, and says where that is. The lists are to be
    /// given back into `moved`.
    pub(crate) fn place_before(
        &mut self,
        shot: &CameraShot<'_>,
        before_s: f64,
    ) -> (Vec<Pose2>, Vec<SpacePose>) {
        let (mut poses, mut spatial) = std::mem::take(&mut self.moved);
        let motion = |i: usize| shot.motions.get(i).copied().unwrap_or_default();
        poses.clear();
        poses.extend(
            shot.poses.iter().enumerate().map(|(i, pose)| motion(i).before(*pose, before_s)),
        );
        spatial.clear();
        spatial.extend(shot.spatial.iter().enumerate().map(|(i, pose)| {
            let PlaneMotion { velocity, omega } = motion(i);
            let back = Vec3::new(velocity.x, velocity.y, 0.0) * before_s;
            let turn = Vec3::new(0.0, 0.0, -omega);
            SpacePose {
                position: pose.position - back,
                rotation: pose.rotation.turned(turn, before_s),
            }
        }));
        self.place(&poses, &spatial);
        (poses, spatial)
    }

    /// Draws rectangles of a picture, as everything stands.
    fn draw_band(
        &mut self,
        (device, spec): (usize, &CameraSpec),
        (camera, hidden): (&Camera, Option<BodyId>),
        rects: &[PictureRect],
        rgb: &mut [u8],
    ) -> Result<(), DrawError> {
        self.optics(device, spec);
        let Some(mut optics) = self.optics.get_mut(&device).and_then(Option::take) else {
            return self
                .hiding(hidden, |own| own.renderer.draw_rects(&own.stage, camera, rects, rgb));
        };
        let needed: Vec<PictureRect> = rects.iter().map(|rect| optics.needed(rect)).collect();
        let seen = Camera { lens: optics.source, ..*camera };
        let mut source = std::mem::take(&mut self.source);
        source.resize(3 * seen.lens.pixels(), 0);
        let result = self
            .hiding(hidden, |own| own.renderer.draw_rects(&own.stage, &seen, &needed, &mut source));
        if result.is_ok() {
            rects.iter().for_each(|rect| optics.put(rect, &source, rgb));
        }
        self.source = source;
        self.optics.insert(device, Some(optics));
        result
    }

    /// Draws depth and objects as a camera's lens shows them.
    fn draw_seen(
        &mut self,
        device: usize,
        (camera, hidden): (&Camera, Option<BodyId>),
        depth: Option<&mut [f32]>,
        objects: Option<&mut [u32]>,
    ) -> Result<(), DrawError> {
        let optics = self.optics.get_mut(&device).and_then(Option::take);
        let Some(optics) = optics else {
            return self.draw_from(camera, hidden, Pictures { rgb: None, depth, objects });
        };
        let seen = Camera { lens: optics.source, ..*camera };
        let count = seen.lens.pixels();
        let mut all_depth = depth.as_ref().map(|_| vec![0.0; count]);
        let mut all_objects = objects.as_ref().map(|_| vec![0; count]);
        let pictures = Pictures {
            rgb: None,
            depth: all_depth.as_deref_mut(),
            objects: all_objects.as_deref_mut(),
        };
        let result = self.draw_from(&seen, hidden, pictures);
        if let (Some(all), Some(depth)) = (all_depth, depth) {
            optics.pick(&all, depth);
        }
        if let (Some(all), Some(objects)) = (all_objects, objects) {
            optics.pick(&all, objects);
        }
        self.optics.insert(device, Some(optics));
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
        self.hiding(hidden, |own| own.renderer.draw(&own.stage, camera, pictures))
    }

    /// Does something while a body is hidden.
    fn hiding<T>(&mut self, hidden: Option<BodyId>, draw: impl FnOnce(&mut Self) -> T) -> T {
        if let Some(hidden) = hidden {
            self.show(hidden, false);
        }
        let result = draw(self);
        if let Some(hidden) = hidden {
            self.show(hidden, true);
        }
        result
    }

    /// Where a body was put last: of a ball its centre, of what stands the middle of its foot.
    pub fn pose(&self, body: BodyId) -> Option<StagePose> {
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
            return Some(camera_in_space(spec, &StagePose::from(&known.pose)));
        };
        let pose = *poses.get(robot.index())?;
        Some(match (spatial.get(robot.index()), &self.terrain) {
            (Some(pose), _) => camera_in_space(spec, &StagePose::from(pose)),
            (None, Some(_)) => camera_in_space(spec, &standing(self.terrain.as_deref(), pose, 0.0)),
            (None, None) => camera(spec, pose),
        })
    }

    /// Takes back the lists of [`CameraRenderer::place_before`].
    pub(crate) fn give_back(&mut self, moved: (Vec<Pose2>, Vec<SpacePose>)) {
        self.moved = moved;
    }

    /// Does something while all bodies are hidden.
    pub(crate) fn without_bodies<T>(&mut self, draw: impl FnOnce(&mut Self) -> T) -> T {
        let count = self.stage.body_count();
        (0..count).for_each(|body| self.stage.set_shown(StageBody(body), false));
        let result = draw(self);
        (0..count).for_each(|body| self.stage.set_shown(StageBody(body), true));
        result
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
    with_lens(spec, StagePose::from_angles(position, heading + spec.heading, spec.tilt, 0.0))
}

/// A camera on a robot that is somewhere in space, or in another frame.
pub fn camera_in_space(spec: &CameraSpec, world_from_robot: &StagePose) -> Camera {
    let own = StagePose::from_angles(spec.mount, spec.heading, spec.tilt, 0.0);
    with_lens(spec, world_from_robot.compose(&own))
}

fn with_lens(spec: &CameraSpec, pose: StagePose) -> Camera {
    let quality = Quality { supersample: spec.smooth, shadows: spec.shadows };
    Camera { lens: lens_of(spec), pose, quality }
}

/// The lens of a camera, as if it were ideal.
pub(crate) fn lens_of(spec: &CameraSpec) -> Lens {
    Lens {
        width: spec.pixels[0],
        height: spec.pixels[1],
        horizontal_fov: spec.opening[0],
        vertical_fov: spec.opening[1],
        near: spec.near,
    }
}

/// Puts over a colour picture what differs from picture to picture: flicker and noise.
pub(crate) fn finish(spec: &CameraSpec, shot: &CameraShot<'_>, rgb: &mut [u8]) {
    flicker_rows(&spec.imaging, shot.time_s, &lens_of(spec), rgb);
    if let Some(grain) = shot.grain {
        add_grain(rgb, grain);
    }
}

/// Upright on the ground, `lift` above it, m.
fn standing(terrain: Option<&Terrain>, pose: Pose2, lift: f64) -> StagePose {
    let Vec2 { x, y } = pose.position;
    upright(pose, terrain.map_or(0.0, |terrain| terrain.height(x, y)) + lift)
}

fn upright(pose: Pose2, z: f64) -> StagePose {
    let (c, s) = (pose.rotation.c, pose.rotation.s);
    let position = [pose.position.x, pose.position.y, z];
    StagePose { position, axes: [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]] }
}
