//! Free bodies and obstacles beside vehicles, through rapier, with momentum exchange.
//!
//! Vehicles run their fine steps alone for an outer step. Then rapier gets them at their old poses
//! with the mean velocity of that time, without gravity and without the ground, which they have
//! felt already, and moves everything by the outer step. A vehicle that touched nothing keeps what
//! its own steps gave; one that did takes pose and change of velocity from rapier.
//!
//! Rapier has no memory of its own here: its world is made anew from the state in every outer step,
//! so that a snapshot is a list of words and going on from it gives the same bits. That rules out
//! warm starting and sleeping, and is meant for tens of bodies, not thousands.
//!
//! The ground is a mesh of triangles for free bodies; cells are divided until it is within
//! [`GROUND_TOLERANCE`] of the saddles that wheels feel, as far as the number of triangles allows.

use crate::model::VehicleModel;
use crate::terrain::Terrain;
use crate::world::{SpatialWorld, Vehicle};
use rapier3d_f64::parry::utils::Array2;
use rapier3d_f64::prelude::{
    ColliderBuilder, ColliderHandle, Group, InteractionGroups, InteractionTestMode, MassProperties,
    PhysicsWorld, Pose, RigidBodyBuilder, RigidBodyHandle, Rotation, SharedShape, Vector,
};
use rolima_check::{self as check, ModelError};
use rolima_math::words::number;
use rolima_math::{Hash64, Quat, Vec3, Words};

/// How far the triangles may be from the saddle of a cell, m.
pub const GROUND_TOLERANCE: f64 = 1e-3;

/// Most nodes of the mesh of triangles.
const MOST_MESH_NODES: usize = 1 << 20;

/// A shape of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyShape {
    /// A box with these half sizes along its x, y, z, m.
    Box([f64; 3]),
    /// A ball of this radius, m.
    Ball(f64),
    /// An upright cylinder, such as a trunk: radius and half height, m.
    Cylinder(f64, f64),
}

/// A free body or an obstacle.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySpec {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub shape: BodyShape,
    /// Mass, kg; none for an obstacle that never moves.
    pub mass: Option<f64>,
    /// Friction.
    pub friction: f64,
    /// How much of the speed of an impact comes back, 0 to 1.
    pub restitution: f64,
    /// Centre, m.
    pub position: Vec3,
    /// Orientation.
    pub orientation: Quat,
    /// Velocity, m/s.
    pub velocity: Vec3,
}

/// State of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Centre, m.
    pub position: Vec3,
    /// Orientation.
    pub orientation: Quat,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// Angular velocity in the world, rad/s.
    pub omega: Vec3,
}

impl Words for BodyState {
    fn words(&mut self, each: &mut dyn FnMut(&mut u64)) {
        let (p, q, v, o) =
            (&mut self.position, &mut self.orientation, &mut self.velocity, &mut self.omega);
        for x in [&mut p.x, &mut p.y, &mut p.z, &mut q.w, &mut q.x, &mut q.y, &mut q.z] {
            number(x, each);
        }
        for x in [&mut v.x, &mut v.y, &mut v.z, &mut o.x, &mut o.y, &mut o.z] {
            number(x, each);
        }
    }
}

/// Who collides with whom: vehicles not with the ground, which their wheels and hulls feel.
const GROUND: Group = Group::GROUP_1;
const BODIES: Group = Group::GROUP_2;
const VEHICLES: Group = Group::GROUP_3;

fn groups(own: Group, others: Group) -> InteractionGroups {
    InteractionGroups::new(own, others, InteractionTestMode::And)
}

/// A world of vehicles with free bodies and obstacles in it.
pub struct BodiesWorld {
    /// The vehicles.
    pub vehicles: SpatialWorld,
    specs: Vec<BodySpec>,
    states: Vec<BodyState>,
    ground: (SharedShape, Pose),
    outer_steps: u64,
}

impl BodiesWorld {
    /// Adds bodies to a world; they meet the vehicles every `outer_steps` steps.
    pub fn new(
        vehicles: SpatialWorld,
        specs: Vec<BodySpec>,
        outer_steps: u64,
    ) -> Result<Self, ModelError> {
        let outer_s = outer_steps as f64 * vehicles.model().step_s;
        check::within("sim.outer_step_s", outer_s, 1e-7, 0.02)?;
        for (i, body) in specs.iter().enumerate() {
            check_body(&format!("body.{i}"), body)?;
        }
        let states = specs
            .iter()
            .map(|b| BodyState {
                position: b.position,
                orientation: b.orientation.unit(),
                velocity: b.velocity,
                omega: Vec3::ZERO,
            })
            .collect();
        let ground = ground(&vehicles.model().terrain);
        Ok(Self { vehicles, specs, states, ground, outer_steps })
    }

    /// What the bodies are.
    pub fn specs(&self) -> &[BodySpec] {
        &self.specs
    }

    /// What the bodies do.
    pub fn states(&self) -> &[BodyState] {
        &self.states
    }

    /// One outer step: vehicles, then all together.
    pub fn step(&mut self) {
        let model = self.vehicles.model().clone();
        let before: Vec<(Vec3, Quat)> = self
            .vehicles
            .vehicles_mut()
            .iter()
            .map(|v| (v.state.position, v.state.orientation))
            .collect();
        self.vehicles.steps(self.outer_steps);
        let dt = self.outer_steps as f64 * model.step_s;
        let mut world = PhysicsWorld::new();
        world.gravity = Vector::new(0.0, 0.0, -model.spec.gravity);
        world.integration_parameters.dt = dt;
        let ground = ColliderBuilder::new(self.ground.0.clone())
            .position(self.ground.1)
            .friction(0.8)
            .collision_groups(groups(GROUND, BODIES));
        world.colliders.insert(ground);
        let handles: Vec<RigidBodyHandle> = self
            .specs
            .iter()
            .zip(&self.states)
            .map(|(s, b)| insert_body(&mut world, s, b))
            .collect();
        let vehicles = self.vehicles.vehicles_mut();
        let guests: Vec<Guest> = model
            .vehicles
            .iter()
            .zip(vehicles.iter())
            .zip(&before)
            .map(|((m, v), &from)| Guest::insert(&mut world, m, v, from, dt))
            .collect();
        world.step();
        for (state, &handle) in self.states.iter_mut().zip(&handles) {
            let body = &world.bodies[handle];
            let now = BodyState {
                position: ours(body.translation()),
                orientation: our_rotation(body.rotation()),
                velocity: ours(body.linvel()),
                omega: ours(body.angvel()),
            };
            // A body that is not finite any more stays where it was.
            if now.position.is_finite() && now.velocity.is_finite() && now.omega.is_finite() {
                *state = now;
            }
        }
        for ((guest, vehicle), m) in guests.iter().zip(vehicles).zip(&model.vehicles) {
            guest.take_back(&world, m, vehicle);
        }
    }

    /// The whole state as words: the vehicles', then the bodies'.
    pub fn save(&self) -> Vec<u64> {
        let mut words = self.vehicles.save();
        self.states.iter().for_each(|b| words.extend(b.save()));
        words
    }

    /// Goes on from [`BodiesWorld::save`] of the same world. False, and nothing changed, where the
    /// number of words or the model is another.
    pub fn restore(&mut self, words: &[u64]) -> bool {
        let own = self.states.len() * 13;
        let Some(split) = words.len().checked_sub(own) else { return false };
        let (vehicles, bodies) = words.split_at(split);
        if !self.vehicles.restore(vehicles) {
            return false;
        }
        for (state, words) in self.states.iter_mut().zip(bodies.chunks(13)) {
            state.restore(words);
        }
        true
    }

    /// Hash of every bit of the state.
    pub fn state_hash(&self) -> u64 {
        let mut hash = Hash64::default();
        hash.word(self.vehicles.state_hash());
        self.states.iter().for_each(|b| hash.word(b.hash()));
        hash.finish()
    }
}

fn check_body(key: &str, body: &BodySpec) -> Result<(), ModelError> {
    let sizes = match body.shape {
        BodyShape::Box(half) => half.to_vec(),
        BodyShape::Ball(radius) => vec![radius],
        BodyShape::Cylinder(radius, half) => vec![radius, half],
    };
    for size in sizes {
        check::within(&format!("{key}.size"), size, 1e-3, 1e4)?;
    }
    if let Some(mass) = body.mass {
        check::within(&format!("{key}.mass"), mass, 1e-4, 1e6)?;
    }
    check::within(&format!("{key}.friction"), body.friction, 0.0, 10.0)?;
    check::within(&format!("{key}.restitution"), body.restitution, 0.0, 1.0)?;
    for x in body.position.array() {
        check::at_most(&format!("{key}.position"), ("a coordinate", "m"), x, 1e6)?;
    }
    for x in body.velocity.array() {
        check::at_most(&format!("{key}.velocity"), ("a speed", "m/s"), x, 1e3)?;
    }
    if !body.orientation.is_finite() {
        return Err(ModelError::new(format!("{key}.orientation"), "finite numbers", "others"));
    }
    Ok(())
}

fn theirs(v: Vec3) -> Vector {
    Vector::new(v.x, v.y, v.z)
}

fn ours(v: Vector) -> Vec3 {
    Vec3::new(v.x, v.y, v.z)
}

fn their_rotation(q: Quat) -> Rotation {
    Rotation::from_xyzw(q.x, q.y, q.z, q.w)
}

fn our_rotation(q: &Rotation) -> Quat {
    Quat { w: q.w, x: q.x, y: q.y, z: q.z }.unit()
}

fn insert_body(world: &mut PhysicsWorld, spec: &BodySpec, state: &BodyState) -> RigidBodyHandle {
    let builder =
        if spec.mass.is_some() { RigidBodyBuilder::dynamic() } else { RigidBodyBuilder::fixed() };
    let body = builder
        .pose(Pose::from_parts(theirs(state.position), their_rotation(state.orientation)))
        .linvel(theirs(state.velocity))
        .angvel(theirs(state.omega))
        .ccd_enabled(spec.mass.is_some())
        .can_sleep(false);
    // Cylinders of rapier stand along y.
    let upright = Rotation::from_xyzw(HALF_SQRT_2, 0.0, 0.0, HALF_SQRT_2);
    let collider = match spec.shape {
        BodyShape::Box([x, y, z]) => ColliderBuilder::cuboid(x, y, z),
        BodyShape::Ball(radius) => ColliderBuilder::ball(radius),
        BodyShape::Cylinder(radius, half) => ColliderBuilder::cylinder(half, radius)
            .position(Pose::from_parts(Vector::new(0.0, 0.0, 0.0), upright)),
    };
    let collider = collider
        .mass(spec.mass.unwrap_or(0.0))
        .friction(spec.friction)
        .restitution(spec.restitution)
        .collision_groups(groups(BODIES, GROUND | BODIES | VEHICLES));
    world.insert(body, collider).0
}

const HALF_SQRT_2: f64 = core::f64::consts::FRAC_1_SQRT_2;

/// A vehicle for the time of one outer step in rapier's world.
struct Guest {
    body: RigidBodyHandle,
    colliders: Vec<ColliderHandle>,
    velocity: Vec3,
    omega: Vec3,
}

impl Guest {
    fn insert(
        world: &mut PhysicsWorld,
        model: &VehicleModel,
        vehicle: &Vehicle,
        (position, orientation): (Vec3, Quat),
        dt: f64,
    ) -> Self {
        let state = &vehicle.state;
        let velocity = (state.position - position) * (1.0 / dt);
        let omega = mean_omega(orientation, state.orientation, dt);
        let c = &model.spec.chassis;
        let [x, y, z] = c.inertia;
        let properties =
            MassProperties::new(Vector::new(0.0, 0.0, 0.0), c.mass, Vector::new(x, y, z));
        let body = RigidBodyBuilder::dynamic()
            .pose(Pose::from_parts(theirs(position), their_rotation(orientation)))
            .linvel(theirs(velocity))
            .angvel(theirs(omega))
            .gravity_scale(0.0)
            .additional_mass_properties(properties)
            .can_sleep(false);
        let body = world.insert_body(body);
        let middle = |[a, b]: [f64; 2]| 0.5 * (a - b);
        let half = |[a, b]: [f64; 2]| 0.5 * (a + b);
        let chassis = ColliderBuilder::cuboid(half(c.length), half(c.width), half(c.height))
            .translation(Vector::new(middle(c.length), middle(c.width), middle(c.height)));
        let mut shapes = vec![chassis];
        for (i, wheel) in model.spec.wheels.iter().enumerate() {
            let lift = vehicle.reading(i, |r| r.compression).clamp(0.0, wheel.radius);
            let at = wheel.position + Vec3::new(0.0, 0.0, lift);
            let shape = if wheel.ball {
                ColliderBuilder::ball(wheel.radius)
            } else {
                ColliderBuilder::cylinder(0.5 * wheel.width, wheel.radius)
            };
            shapes.push(shape.translation(theirs(at)));
        }
        let colliders = shapes
            .into_iter()
            .map(|shape| {
                let shape = shape
                    .density(0.0)
                    .friction(c.friction)
                    .collision_groups(groups(VEHICLES, BODIES | VEHICLES));
                world.colliders.insert_with_parent(shape, body, &mut world.bodies)
            })
            .collect();
        Self { body, colliders, velocity, omega }
    }

    /// If it touched something, pose and change of velocity go back to the vehicle.
    fn take_back(&self, world: &PhysicsWorld, model: &VehicleModel, vehicle: &mut Vehicle) {
        let pressed = self.colliders.iter().any(|&c| {
            world.narrow_phase.contact_pairs_with(c).any(|p| p.total_impulse_magnitude() > 0.0)
        });
        let body = &world.bodies[self.body];
        let change = ours(body.linvel()) - self.velocity;
        let turn = ours(body.angvel()) - self.omega;
        let state = &mut vehicle.state;
        if !pressed || state.is_stopped() || !change.is_finite() || !turn.is_finite() {
            return;
        }
        state.velocity += change;
        // The same inertia as in rapier's world, wheels fixed.
        let [x, y, z] = model.spec.chassis.inertia;
        let local = state.orientation.unrotate(turn);
        let momentum = Vec3::new(x * local.x, y * local.y, z * local.z);
        state.momentum += state.orientation.rotate(momentum);
        state.position = ours(body.translation());
        state.orientation = our_rotation(body.rotation());
    }
}

/// Mean angular velocity, in the world, from one orientation to another, rad/s. The turn of a step
/// is small: the sine of half of it is near enough to its half for rapier to arrive there.
fn mean_omega(from: Quat, to: Quat, dt: f64) -> Vec3 {
    let back = Quat { w: from.w, x: -from.x, y: -from.y, z: -from.z };
    let turn = to * back;
    let sign = if turn.w < 0.0 { -2.0 } else { 2.0 };
    Vec3::new(turn.x, turn.y, turn.z) * (sign / dt)
}

/// The terrain as triangles.
fn ground(terrain: &Terrain) -> (SharedShape, Pose) {
    let spec = terrain.spec();
    let grid = &spec.heights;
    let at = |i: usize, j: usize| grid.values[j * grid.nx + i];
    let mut twist = 0.0f64;
    for j in 0..grid.ny - 1 {
        for i in 0..grid.nx - 1 {
            twist = twist.max((at(i, j) - at(i + 1, j) - at(i, j + 1) + at(i + 1, j + 1)).abs());
        }
    }
    // Two triangles are off by a quarter of the twist; k x k times finer by k squared less.
    let wanted = (0.25 * twist / GROUND_TOLERANCE).sqrt().clamp(1.0, 16.0) as usize + 1;
    let room = (MOST_MESH_NODES as f64 / (grid.nx * grid.ny) as f64).sqrt().max(1.0) as usize;
    let finer = if twist <= 4.0 * GROUND_TOLERANCE { 1 } else { wanted.min(room).max(1) };
    let (nx, ny) = ((grid.nx - 1) * finer + 1, (grid.ny - 1) * finer + 1);
    let size = spec.max - spec.min;
    // Rapier's field has its heights along y, columns along x, and rows along z, which lies
    // along -y of our world once the field is laid down.
    let mut heights = Array2::repeat(ny, nx, 0.0);
    for row in 0..ny {
        for column in 0..nx {
            let x = spec.min.x + size.x * column as f64 / (nx - 1) as f64;
            let y = spec.max.y - size.y * row as f64 / (ny - 1) as f64;
            heights[(row, column)] = terrain.height(x, y);
        }
    }
    let shape = SharedShape::heightfield(heights, Vector::new(size.x, 1.0, size.y));
    let middle = (spec.min + spec.max) * 0.5;
    let laid = Rotation::from_xyzw(HALF_SQRT_2, 0.0, 0.0, HALF_SQRT_2);
    (shape, Pose::from_parts(Vector::new(middle.x, middle.y, 0.0), laid))
}
