//! The compiled model: constant while a world runs.

use crate::check::{
    at_most, check_crowding, check_driver, check_names, check_numbers, check_routes, check_servo,
    check_zones, shown,
};
use crate::contact::{ContactModel, compile_contact};
use crate::device::DeviceModel;
use crate::drive::DriveModel;
use crate::ids::{BodyId, RobotId};
use crate::keys;
use crate::layout::{BlockKind, Layout};
use crate::shape::{Part, Shape};
use crate::spec::{
    BallFriction, BallSpec, DriverSpec, Integrator, ObjectSpec, PartSpec, Rate, RobotSpec,
    SceneSpec, ServoSpec,
};
use crate::undercarriage::height_of_cube;
use crate::walls::{compile_wall, stand};
use rolima_check::ModelError;
use rolima_math::{Hash64, Physics, Pose2, Vec2};
pub use rolima_spatial::BodyKind;
use rolima_spatial::{Actuator, SpatialModel};
use std::sync::Arc;

/// Bodies are stored in blocks of this many lanes, so that a stage works on a whole vector.
pub const LANES: usize = 8;

/// Most bodies of a world; indices of walls start above.
pub const MAX_BODIES: usize = 1 << 24;

/// Fastest that a body may start, m/s or rad/s.
pub const MOST_SPEED: f64 = 1e4;

/// A moving body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyModel {
    /// What it is.
    pub kind: BodyKind,
    /// Its number among its kind, in the scene's order.
    pub index: u32,
    /// Its number among all bodies.
    pub id: BodyId,
    /// Its place in the planar engine's memory ([`Layout`]).
    pub slot: u32,
    /// Its outline, in [`Model::shapes`].
    pub shape: u32,
    /// Radius of its outline about its origin, m.
    pub radius: f64,
    /// Height above the ground, m, for views, cameras and rays.
    pub height: f64,
    /// Mass, kg.
    pub mass: f64,
    /// Moment of inertia about the vertical, kg m2 (a robot's without its wheels).
    pub inertia: f64,
    /// 1/mass and 1/inertia.
    pub inverse: [f64; 2],
    /// Where it starts.
    pub home: Pose2,
    /// First velocity: (v, 0) of a robot in its frame, (vx, vy) of others in the world, m/s.
    pub home_velocity: Vec2,
    /// First turning, rad/s.
    pub home_omega: f64,
}

/// A robot.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotModel {
    /// Unique name.
    pub name: String,
    /// Team, or empty.
    pub team: String,
    /// Its drive, in [`Model::drives`].
    pub drive: u32,
    /// Its speed controller, if it has one.
    pub servo: Option<ServoSpec>,
    /// Who commands it when no client does.
    pub driver: DriverSpec,
}

/// A scene, checked and compiled.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The scene as given.
    pub spec: SceneSpec,
    /// Length of a step, s.
    pub step_s: f64,
    /// Robots, in the scene's order.
    pub robots: Vec<RobotModel>,
    /// Distinct drives.
    pub drives: Vec<DriveModel>,
    /// Distinct outlines.
    pub shapes: Vec<Shape>,
    /// The moving bodies, as the planar engine has them in memory.
    pub layout: Layout,
    /// Convex parts of the walls, in the world.
    pub walls: Vec<Part>,
    /// Height of each of these parts, m.
    pub wall_heights: Vec<f64>,
    /// Foot and top of each of these parts in the world, m: 0 and its height on flat ground. On
    /// rough ground walls are cut into pieces, so that their level tops follow the ground; a piece
    /// reaches down to the lowest ground under it, and its height over the highest.
    pub wall_spans: Vec<[f64; 2]>,
    /// Which wall of the scene each of them is a part of.
    pub wall_numbers: Vec<u32>,
    /// Sensors of all robots, in the order of robots, then those of the world.
    pub devices: Vec<DeviceModel>,
    /// Heights of the level planes that sensors cast rays in, m above flat ground.
    pub ray_heights: Vec<f64>,
    /// Distinct rates of cameras.
    pub camera_rates: Vec<Rate>,
    /// Which of these have a camera that reads row by row, and needs to know how everything moves.
    pub camera_motions: Vec<bool>,
    /// How bodies collide.
    pub contact: ContactModel,
    /// See [`Model::spatial`].
    pub(crate) spatial: Option<Arc<SpatialModel>>,
    /// Where the wheels of each vehicle begin, and the last one's end; empty on flat ground.
    pub(crate) first_wheels: Vec<u32>,
    /// What can be commanded, in the order of robots ([`Model::actuators_of`]).
    pub actuators: Vec<Actuator>,
    /// Where those of each robot begin, and the last one's end.
    pub(crate) first_actuators: Vec<u32>,
    /// Largest radius of any moving body, m.
    pub largest_radius: f64,
    /// Hash of everything that shapes the course of the world, but the seed.
    pub fingerprint: u64,
}

impl Model {
    /// Checks a scene and compiles it.
    pub fn compile(spec: &SceneSpec) -> Result<Self, ModelError> {
        let sim = &spec.sim;
        check_numbers("sim", sim, crate::SimSpec::KEYS)?;
        let contact = compile_contact(spec)?;
        check_names(spec)?;
        check_routes(spec)?;
        check_zones(spec)?;
        crate::material::check(spec)?;
        let vehicles = crate::engine::check(spec)?;
        let mut model = Self {
            spec: spec.clone(),
            step_s: sim.step_s,
            robots: Vec::with_capacity(spec.robots.len()),
            drives: vec![],
            shapes: vec![],
            layout: Layout::default(),
            walls: vec![],
            wall_heights: vec![],
            wall_spans: vec![],
            wall_numbers: vec![],
            devices: vec![],
            ray_heights: vec![],
            camera_rates: vec![],
            camera_motions: vec![],
            contact,
            first_wheels: vec![],
            actuators: vec![],
            first_actuators: vec![],
            spatial: None,
            largest_radius: 0.0,
            fingerprint: 0,
        };
        for (i, wall) in spec.walls.iter().enumerate() {
            let key = format!("wall.{i}");
            compile_wall(&key, wall, &mut model.walls)?;
            let (from, height) = (model.wall_heights.len(), wall.height());
            if let Some(ground) = &spec.ground {
                let terrain = &ground.terrain;
                stand(&key, terrain, height, (from, &mut model.walls), &mut model.wall_spans)?;
            }
            model.wall_heights.resize(model.walls.len(), height);
            model.wall_spans.resize(model.walls.len(), [0.0, height]);
            model.wall_numbers.resize(model.walls.len(), i as u32);
        }
        for (i, robot) in spec.robots.iter().enumerate() {
            model.add_robot(i, robot, sim.integrator, sim.gravity)?;
        }
        for (i, ball) in spec.balls.iter().enumerate() {
            model.add_ball(i, ball)?;
        }
        for (i, object) in spec.objects.iter().enumerate() {
            model.add_object(i, object)?;
        }
        model.layout.fill_block();
        model.layout.measure();
        let bodies: Vec<(Vec2, f64)> =
            model.bodies().map(|b| (b.home.position, b.radius)).collect();
        check_crowding(&bodies)?;
        model.largest_radius = model.bodies().map(|b| b.radius).fold(0.0, f64::max);
        if let Some(vehicles) = vehicles {
            crate::engine::compile(&mut model, vehicles)?;
        }
        crate::actuators::list(&mut model);
        model.add_world_devices()?;
        let mut hash = Hash64::default();
        spec.physics(&mut hash);
        model.fingerprint = hash.finish();
        Ok(model)
    }

    /// The moving bodies, in the order of their numbers.
    pub fn bodies(&self) -> impl Iterator<Item = &BodyModel> + Clone {
        self.layout.bodies()
    }

    /// How many moving bodies there are.
    pub fn body_count(&self) -> usize {
        self.layout.slots.len()
    }

    /// A body by its number.
    pub fn body(&self, body: impl Into<BodyId>) -> Option<&BodyModel> {
        self.layout.body(self.layout.slot(body.into())?)
    }

    /// Numbers of the robots.
    pub fn robot_ids(&self) -> impl Iterator<Item = RobotId> + Clone + use<> {
        (0..self.robots.len() as u32).map(RobotId)
    }

    /// Numbers of the balls among all bodies, in the scene's order.
    pub fn balls(&self) -> impl Iterator<Item = BodyId> + Clone + use<> {
        let first = self.robots.len() as u32;
        (first..first + self.spec.balls.len() as u32).map(BodyId)
    }

    /// Numbers of the loose objects among all bodies, in the scene's order.
    pub fn objects(&self) -> impl Iterator<Item = BodyId> + Clone + use<> {
        let first = (self.robots.len() + self.spec.balls.len()) as u32;
        (first..first + self.spec.objects.len() as u32).map(BodyId)
    }

    /// What people call a body.
    pub fn body_name(&self, body: impl Into<BodyId>) -> &str {
        match self.body(body) {
            Some(b) => match b.kind {
                BodyKind::Robot => &self.robots[b.index as usize].name,
                BodyKind::Ball => &self.spec.balls[b.index as usize].name,
                BodyKind::Object => &self.spec.objects[b.index as usize].name,
                BodyKind::Wall => "wall",
            },
            None => "nothing",
        }
    }

    fn add_robot(
        &mut self,
        i: usize,
        robot: &RobotSpec,
        integrator: Integrator,
        gravity: f64,
    ) -> Result<(), ModelError> {
        let key = |name: &str| format!("robot.{i}.{name}");
        let drive = match self.drives.iter().position(|d| d.spec == robot.drive) {
            Some(known) => known,
            None => {
                let compiled = DriveModel::compile(
                    &key("drive"),
                    &robot.drive,
                    integrator,
                    self.step_s,
                    gravity,
                )?;
                self.drives.push(compiled);
                self.drives.len() - 1
            }
        } as u32;
        check_driver(&key("driver"), &robot.driver)?;
        check_servo(&key("servo"), robot)?;
        let radius = 0.5 * (robot.drive.wheel_radius_left + robot.drive.wheel_radius_right);
        let slot = self.add_body(
            &format!("robot.{i}"),
            BlockKind::Robots(drive),
            (BodyKind::Robot, i),
            (&robot.shape, None),
            (robot.drive.mass, Some(robot.drive.inertia)),
            (robot.pose, Vec2::new(robot.velocity, 0.0), robot.omega),
        )?;
        let cube = |body: f64| height_of_cube(body, radius);
        let height = robot.height.or_else(|| {
            let vehicle = robot.vehicle.as_deref()?;
            Some(vehicle.ride_height() + vehicle.chassis.height[0])
        });
        self.set_height(slot, height, cube)?;
        self.robots.push(RobotModel {
            name: robot.name.clone(),
            team: robot.team.clone(),
            drive,
            servo: robot.servo,
            driver: robot.driver.clone(),
        });
        self.add_devices(i)
    }

    /// Sets how high a body is: as the scene says, or by its radius.
    fn set_height(
        &mut self,
        slot: u32,
        given: Option<f64>,
        by_radius: impl Fn(f64) -> f64,
    ) -> Result<(), ModelError> {
        if let Some(body) = &mut self.layout.bodies[slot as usize] {
            let named = if body.kind == BodyKind::Robot { "robot" } else { "object" };
            body.height = match given {
                Some(height) => {
                    keys::HEIGHT.check(&format!("{named}.{}", body.index), height)?;
                    height
                }
                None => by_radius(body.radius),
            };
        }
        Ok(())
    }

    fn add_ball(&mut self, i: usize, ball: &BallSpec) -> Result<(), ModelError> {
        let key = format!("ball.{i}");
        check_numbers(&key, ball, BallSpec::KEYS)?;
        let friction = format!("{key}.friction");
        match ball.friction {
            BallFriction::Viscous { beta } => keys::BETA.check(&friction, beta)?,
            BallFriction::Rolling { mu_slide, deceleration } => {
                keys::MU_SLIDE.check(&friction, mu_slide)?;
                keys::DECELERATION.check(&friction, deceleration)?;
            }
        }
        let disc = [PartSpec::Circle { center: Vec2::ZERO, radius: ball.radius }];
        let pose = Pose2 { position: ball.position, ..Pose2::IDENTITY };
        // A solid sphere about its vertical axis.
        let inertia = 0.4 * ball.mass * ball.radius * ball.radius;
        let slot = self.add_body(
            &key,
            BlockKind::Balls,
            (BodyKind::Ball, i),
            (&disc, Some("radius")),
            (ball.mass, Some(inertia)),
            (pose, ball.velocity, 0.0),
        )?;
        self.set_height(slot, None, |radius| 2.0 * radius)?;
        self.layout.ball_slots.push(slot);
        Ok(())
    }

    fn add_object(&mut self, i: usize, object: &ObjectSpec) -> Result<(), ModelError> {
        let key = format!("object.{i}");
        keys::OBJECT_MASS.check(&key, object.mass)?;
        keys::GROUND_FRICTION.check(&key, object.ground_friction)?;
        if let Some(inertia) = object.inertia {
            keys::OBJECT_INERTIA.check(&key, inertia)?;
        }
        let slot = self.add_body(
            &key,
            BlockKind::Objects,
            (BodyKind::Object, i),
            (&object.shape, None),
            (object.mass, object.inertia),
            (object.pose, object.velocity, object.omega),
        )?;
        // Half as high as wide.
        self.set_height(slot, object.height, |radius| radius.clamp(0.005, 0.5))?;
        Ok(())
    }

    /// Puts a body into the next free lane of a block of its kind and returns the slot.
    fn add_body(
        &mut self,
        key: &str,
        block: BlockKind,
        (kind, index): (BodyKind, usize),
        (parts, shape_key): (&[PartSpec], Option<&str>),
        (mass, inertia): (f64, Option<f64>),
        (home, home_velocity, home_omega): (Pose2, Vec2, f64),
    ) -> Result<u32, ModelError> {
        if !home.is_finite() || home.position.length() > 1e6 {
            let got = format!("[{}, {}]", shown(home.position.x), shown(home.position.y));
            let name = if kind == BodyKind::Ball { "position" } else { "pose" };
            let expected = format!("a {name} within 1000 km");
            return Err(ModelError::new(format!("{key}.{name}"), expected, got));
        }
        let speed = home_velocity.length();
        at_most(&format!("{key}.velocity"), ("a speed", "m/s"), speed, MOST_SPEED)?;
        keys::OMEGA.check(key, home_omega)?;
        let shape_key = format!("{key}.{}", shape_key.unwrap_or("shape"));
        let shape = self.intern(Shape::compile(&shape_key, parts)?);
        let radius = self.shapes[shape as usize].radius;
        let inertia = match inertia {
            Some(given) => given,
            None => self.shapes[shape as usize].uniform_inertia(mass),
        };
        let layout = &mut self.layout;
        if layout.blocks.last() != Some(&block) || layout.bodies.len().is_multiple_of(LANES) {
            layout.fill_block();
            layout.blocks.push(block);
        }
        let slot = layout.bodies.len();
        if slot >= MAX_BODIES {
            return Err(ModelError::new(key, format!("at most {MAX_BODIES} bodies"), "more"));
        }
        let id = BodyId(layout.slots.len() as u32);
        layout.slots.push(slot as u32);
        layout.bodies.push(Some(BodyModel {
            kind,
            index: index as u32,
            id,
            slot: slot as u32,
            shape,
            radius,
            height: 0.0,
            mass,
            inertia,
            inverse: [1.0 / mass, 1.0 / inertia],
            home,
            home_velocity,
            home_omega,
        }));
        Ok(slot as u32)
    }

    fn intern(&mut self, shape: Shape) -> u32 {
        // Newest first: a crowd's robots all share the last one.
        match self.shapes.iter().rposition(|s| *s == shape) {
            Some(known) => known as u32,
            None => {
                self.shapes.push(shape);
                (self.shapes.len() - 1) as u32
            }
        }
    }
}
