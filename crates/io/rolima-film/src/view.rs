//! Where the cameras of films are.

use crate::FilmError;
use rolima_core::model::{Course, Model, Mount, SensorKind};
use rolima_core::{BodyId, RobotId, World};
use rolima_math::{Vec2, atan, atan2, tan};
use rolima_render::{Camera, CameraRenderer, Lens, Quality, StagePose, camera_of};

/// Half the opening of the camera from above along the shorter side of the picture, rad: narrow, so that
/// walls hide little.
const ABOVE_HALF: f64 = 15.0 * std::f64::consts::PI / 180.0;
/// Horizontal opening of cameras that follow or ride on a robot, rad.
const RIDING: f64 = 70.0 * std::f64::consts::PI / 180.0;
/// In what time the camera behind a robot has turned most of the way after it, s.
const FOLLOWING_S: f64 = 0.5;
/// Room around what is seen from above, of its size.
const ROOM: f64 = 0.04;

/// Through which camera a film is seen.
#[derive(Clone, Debug, PartialEq)]
pub enum FilmView {
    /// From above: the whole field, and whatever leaves it.
    Top,
    /// From behind and above a robot.
    Chase(RobotId),
    /// From the front of a robot that has no camera.
    Aboard(RobotId),
    /// Through a camera of a robot or of the world, by its number among the devices.
    Camera(usize),
}

impl FilmView {
    /// The view of a name: `top`, `chase`, `chase:ROBOT`, `robot:ROBOT`, or a camera of the scene by its name or
    /// as its channels have it (`sensor.overhead`, `robot.one.sensor.camera`).
    pub fn find(name: &str, model: &Model) -> Result<Self, FilmError> {
        let robot = |wanted: &str| {
            let found = model.robots.iter().position(|robot| robot.name == wanted);
            found.map(|number| RobotId(number as u32))
        };
        let found = match name.split_once(':') {
            None if name == "top" => Some(Self::Top),
            None if name == "chase" => {
                (!model.robots.is_empty()).then_some(Self::Chase(RobotId(0)))
            }
            Some(("chase", wanted)) => robot(wanted).map(Self::Chase),
            Some(("robot", wanted)) => robot(wanted).map(|robot| Self::of_robot(robot, model)),
            _ => cameras(model)
                .find(|(_, long, short)| name == long || name == *short)
                .map(|(device, ..)| Self::Camera(device)),
        };
        found.ok_or_else(|| FilmError::Camera { expected: expected(model), got: name.to_owned() })
    }

    /// What a robot sees: through its first camera, if it has one.
    fn of_robot(robot: RobotId, model: &Model) -> Self {
        let own = model.device(robot, |kind| matches!(kind, SensorKind::Camera(_)));
        own.map_or(Self::Aboard(robot), Self::Camera)
    }

    /// Whether it is what a robot or a sensor sees, rather than a spectator.
    pub fn is_sensor(&self) -> bool {
        matches!(self, Self::Aboard(_) | Self::Camera(_))
    }

    /// Width and height of its own pictures, pixels, if it has some.
    pub fn own_size(&self, model: &Model) -> Option<[u32; 2]> {
        match self {
            Self::Camera(device) => camera_of(model, *device).map(|(_, spec)| spec.pixels),
            _ => None,
        }
    }
}

/// The cameras of a scene: number, name as in channels, short name.
fn cameras(model: &Model) -> impl Iterator<Item = (usize, String, &str)> {
    let numbered = model.devices.iter().enumerate();
    numbered.filter(|(_, device)| matches!(device.kind, SensorKind::Camera(_))).map(
        |(number, device)| {
            let long = match device.mount {
                Mount::Robot(_) => {
                    let robot = model.mount_name(device.mount);
                    format!("robot.{robot}.sensor.{}", device.name)
                }
                Mount::World => format!("sensor.{}", device.name),
            };
            (number, long, device.name.as_str())
        },
    )
}

/// What could have been asked for.
fn expected(model: &Model) -> String {
    let mut all = vec!["top".to_owned()];
    if let Some(robot) = model.robots.first() {
        let name = &robot.name;
        all.extend(["chase".to_owned(), format!("chase:{name}"), format!("robot:{name}")]);
    }
    let most = 8;
    all.extend(cameras(model).take(most).map(|(_, long, _)| long));
    let last = all.pop().unwrap_or_default();
    let of_others = if model.robots.len() > 1 { " (or another robot)" } else { "" };
    if all.is_empty() { last } else { format!("{} or {last}{of_others}", all.join(", ")) }
}

/// A camera that finds its place for every picture.
pub(crate) struct Operator {
    view: FilmView,
    size: [u32; 2],
    quality: Quality,
    /// What is seen from above, m: grows with what leaves it.
    extent: Option<[Vec2; 2]>,
    is_first: bool,
    /// Which way the camera behind a robot looks over the ground, and when that was, s.
    heading: Option<(Vec2, f64)>,
}

impl Operator {
    pub(crate) fn new(view: FilmView, size: [u32; 2], smooth: bool) -> Self {
        let quality = Quality { supersample: smooth, shadows: true };
        Self { view, size, quality, extent: None, is_first: true, heading: None }
    }

    /// The camera for a world at an instant, and the body that it does not see. None where its robot has no
    /// pose.
    pub(crate) fn camera(
        &mut self,
        renderer: &CameraRenderer,
        world: &World,
        time_s: f64,
    ) -> Option<(Camera, Option<BodyId>)> {
        match self.view {
            FilmView::Top => Some((self.above(renderer, world), None)),
            FilmView::Chase(robot) => {
                self.behind(renderer, world.model(), robot, time_s).map(|c| (c, None))
            }
            FilmView::Aboard(robot) => {
                let camera = self.aboard(renderer, world.model(), robot)?;
                Some((camera, Some(robot.body())))
            }
            FilmView::Camera(device) => self.of_device(renderer, world, device),
        }
    }

    fn lens(&self, horizontal_fov: f64, near: f64) -> Lens {
        let [width, height] = self.size;
        Lens { width, height, horizontal_fov, vertical_fov: 1.0, near }.with_square_pixels()
    }

    /// Looks straight down, so far up that all is seen.
    fn above(&mut self, renderer: &CameraRenderer, world: &World) -> Camera {
        if std::mem::take(&mut self.is_first) {
            self.extent = field(world);
        }
        for body in world.model().bodies() {
            let Some(pose) = renderer.pose(body.id) else { continue };
            let ([x, y, _], r) = (pose.position, 2.0 * body.radius);
            if x.is_finite() && y.is_finite() {
                let (low, high) = (Vec2::new(x - r, y - r), Vec2::new(x + r, y + r));
                self.extent = Some(around(self.extent, low, high));
            }
        }
        let [low, high] = self.extent.unwrap_or([Vec2::new(-1.0, -1.0), Vec2::new(1.0, 1.0)]);
        let (middle, half) = ((low + high) * 0.5, (high - low) * (0.5 + ROOM));
        let [width, height] = self.size.map(f64::from);
        let t = tan(ABOVE_HALF);
        let [tx, ty] =
            if width > height { [t * width / height, t] } else { [t, t * height / width] };
        let up = (half.x / tx).max(half.y / ty).max(0.01);
        // The ground below need not be at height 0.
        let z = renderer.ground(middle.x, middle.y) + up;
        let pose = StagePose {
            position: [middle.x, middle.y, z],
            axes: [[0.0, 0.0, -1.0], [-1.0, 0.0, 0.0], [0.0, 1.0, 0.0]],
        };
        let near = (0.02 * up).clamp(1e-3, 100.0);
        Camera { lens: self.lens(2.0 * atan(tx), near), pose, quality: self.quality }
    }

    /// Follows a robot, turning after it without haste.
    fn behind(
        &mut self,
        renderer: &CameraRenderer,
        model: &Model,
        robot: RobotId,
        time_s: f64,
    ) -> Option<Camera> {
        let (body, pose) = (model.body(robot)?, renderer.pose(robot.body())?);
        let [cx, cy, _] = pose.axes[0];
        let wanted = Vec2::new(cx, cy).unit_or(Vec2::new(1.0, 0.0));
        let heading = match self.heading {
            Some((old, then_s)) => {
                let passed_s = (time_s - then_s).max(0.0);
                let share = passed_s / (FOLLOWING_S + passed_s);
                (old + (wanted - old) * share).unit_or(wanted)
            }
            None => wanted,
        };
        self.heading = Some((heading, time_s));
        let (r, [x, y, z]) = (body.radius, pose.position);
        let (back, up) = (6.0 * r, 2.8 * r + body.height);
        let at = Vec2::new(x, y) - heading * back;
        // Never in the hill behind.
        let height = (z + up).max(renderer.ground(at.x, at.y) + 0.5 * up);
        let down = atan2(height - z - body.height, back + r);
        let yaw = atan2(heading.y, heading.x);
        let pose = StagePose::from_angles([at.x, at.y, height], yaw, down, 0.0);
        let near = (0.2 * r).clamp(1e-3, 10.0);
        Some(Camera { lens: self.lens(RIDING, near), pose, quality: self.quality })
    }

    /// Looks ahead from the front of a robot, just above it, a little down.
    fn aboard(&self, renderer: &CameraRenderer, model: &Model, robot: RobotId) -> Option<Camera> {
        let (body, pose) = (model.body(robot)?, renderer.pose(robot.body())?);
        let own =
            StagePose::from_angles([0.5 * body.radius, 0.0, 1.1 * body.height], 0.0, 0.15, 0.0);
        let near = (0.02 * body.radius).clamp(1e-3, 10.0);
        let (pose, quality) = (pose.compose(&own), self.quality);
        Some(Camera { lens: self.lens(RIDING, near), pose, quality })
    }

    /// Through a camera of the scene; a picture of another shape has square pixels.
    fn of_device(
        &self,
        renderer: &CameraRenderer,
        world: &World,
        device: usize,
    ) -> Option<(Camera, Option<BodyId>)> {
        let frame = world.frame();
        let poses: Vec<_> = frame.bodies.iter().map(|body| body.pose).collect();
        let (mut camera, hidden) =
            renderer.camera_of(world.model(), device, &poses, &frame.spatial)?;
        let [width, height] = self.size;
        let own = camera.lens;
        camera.lens = Lens { width, height, ..own };
        let is_alike =
            u64::from(width) * u64::from(own.height) == u64::from(height) * u64::from(own.width);
        if !is_alike {
            camera.lens = camera.lens.with_square_pixels();
        }
        camera.quality.supersample |= self.quality.supersample;
        Some((camera, hidden))
    }
}

/// The rectangle around another one and two corners, m.
fn around(extent: Option<[Vec2; 2]>, low: Vec2, high: Vec2) -> [Vec2; 2] {
    let [a, b] = extent.unwrap_or([low, high]);
    [Vec2::new(a.x.min(low.x), a.y.min(low.y)), Vec2::new(b.x.max(high.x), b.y.max(high.y))]
}

/// What never moves: the terrain, or walls and painted lines, m. None where there is nothing of that.
fn field(world: &World) -> Option<[Vec2; 2]> {
    let model = world.model();
    if let Some(ground) = &model.spec.ground {
        let spec = ground.terrain.spec();
        return Some([spec.min, spec.max]);
    }
    let walls = world.walls().bounds().map(|(low, high)| [low, high]);
    let lines = model.spec.markings.iter().map(|marking| match marking.course {
        Course::Line { from: a, to: b } => {
            (Vec2::new(a.x.min(b.x), a.y.min(b.y)), Vec2::new(a.x.max(b.x), a.y.max(b.y)))
        }
        Course::Arc { center, radius, .. } => {
            let r = Vec2::new(radius, radius);
            (center - r, center + r)
        }
    });
    lines.fold(walls, |extent, (low, high)| Some(around(extent, low, high)))
}
