//! Free bodies and obstacles beside vehicles, and how all of them meet.
//!
//! | module | what |
//! |---|---|
//! | here | what a scene says about bodies |
//! | `check` | whether that can be |
//! | `state` | what changes: bodies, and where vehicles were when they last met |
//! | `near` | who can touch whom: all else is left alone |
//! | `solid` | shapes and masses, made once |
//! | `skin`, `surface` | contacts of bodies with the ground |
//! | `find`, `approach` | all contacts of a round; between bodies by parry, where they are when they hit |
//! | `mover`, `contact`, `island` | what moves; one point of contact; how those that hang together are solved |
//! | `resolve`, `vehicle_proxy`, `pairs` | one outer step; vehicles in it; who pressed on whom |
//!
//! All but the first three need the feature `bodies`. Without it a world has no bodies, and vehicles that
//! do not meet one another ([`crate::SpatialSpec::outer_steps`] 0, or only one vehicle).

#[cfg(feature = "bodies")]
mod approach;
mod check;
#[cfg(feature = "bodies")]
mod contact;
#[cfg(feature = "bodies")]
mod find;
#[cfg(feature = "bodies")]
mod island;
#[cfg(feature = "bodies")]
mod mover;
#[cfg(feature = "bodies")]
mod near;
#[cfg(feature = "bodies")]
mod pairs;
#[cfg(feature = "bodies")]
mod resolve;
#[cfg(feature = "bodies")]
mod skin;
#[cfg(feature = "bodies")]
mod solid;
mod state;
#[cfg(feature = "bodies")]
mod strike;
#[cfg(feature = "bodies")]
mod surface;
#[cfg(feature = "bodies")]
mod vehicle_proxy;

pub(crate) use check::check_contacts;
#[cfg(feature = "bodies")]
pub(crate) use resolve::resolve_contacts;
#[cfg(feature = "bodies")]
pub(crate) use solid::CollisionModel;
pub use state::BodyState;
pub(crate) use state::ContactState;

use rolima_math::{Quat, Vec2, Vec3};

/// Most corners of a prism.
pub const MOST_CORNERS: usize = 8;

/// A body none of whose points gets farther than this, m ...
pub const REST_TRAVEL: f64 = 1.5e-3;

/// ... in so long, s, sleeps, until something that moves presses on it: one that is slower than
/// 3 mm/s. What only trembles sleeps, too.
pub const REST_S: f64 = 0.5;

/// A convex piece of a body, upright in the body's frame.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyPart {
    /// A convex outline with 3 to 8 corners, counter-clockwise, from one height to another.
    Prism {
        /// Corners, m.
        outline: Vec<Vec2>,
        /// Lower and upper end, m.
        z: [f64; 2],
    },
    /// A disc from one height to another.
    Cylinder {
        /// Middle of the disc, m.
        centre: Vec2,
        /// Radius, m.
        radius: f64,
        /// Lower and upper end, m.
        z: [f64; 2],
    },
}

/// A shape of a body.
#[derive(Clone, Debug, PartialEq)]
pub enum BodyShape {
    /// A box with these half sizes along its x, y, z, m.
    Box([f64; 3]),
    /// A ball of this radius, m.
    Ball(f64),
    /// An upright cylinder, such as a trunk: radius and half height, m.
    Cylinder(f64, f64),
    /// Upright pieces; where they overlap, their mass counts twice.
    Parts(Vec<BodyPart>),
}

/// The kinds of things that touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BodyKind {
    /// A wall, a tree, a building.
    Wall,
    /// A robot: here, a vehicle.
    Robot,
    /// A ball.
    Ball,
    /// A loose object.
    Object,
}

impl BodyKind {
    /// All of them, in their order.
    pub const ALL: [Self; 4] = [Self::Wall, Self::Robot, Self::Ball, Self::Object];
}

/// A free body or an obstacle.
#[derive(Clone, Debug, PartialEq)]
pub struct BodySpec {
    /// Its name.
    pub name: String,
    /// What it is, no robot: decides by [`PairTable`] how it slides and bounces on others.
    pub kind: BodyKind,
    /// Its shape.
    pub shape: BodyShape,
    /// Mass, kg; none for an obstacle that never moves.
    pub mass: Option<f64>,
    /// Moment of inertia about the upright axis through the centre of mass, kg m2; none: that of
    /// the shape at uniform density, as the others are always.
    pub turn_inertia: Option<f64>,
    /// Friction on the ground, times the ground's own factor.
    pub friction: f64,
    /// How much of the speed of an impact on the ground comes back, 0 to 1.
    pub restitution: f64,
    /// Of a ball: rolling resistance, force per load. It slows a rolling ball evenly, by this
    /// times gravity on level ground.
    pub rolling_resistance: f64,
    /// Drag, 1/s: velocity and turning decay by this rate.
    pub drag: f64,
    /// Origin of its frame, m. Boxes, balls and cylinders have it in their centre.
    pub position: Vec3,
    /// Orientation.
    pub orientation: Quat,
    /// Velocity of the centre of mass, m/s.
    pub velocity: Vec3,
    /// Angular velocity in the world, rad/s.
    pub omega: Vec3,
}

impl BodySpec {
    /// A body at rest, with friction 0.5, that does not bounce.
    pub fn new(name: impl Into<String>, kind: BodyKind, shape: BodyShape, position: Vec3) -> Self {
        Self {
            name: name.into(),
            kind,
            shape,
            mass: None,
            turn_inertia: None,
            friction: 0.5,
            restitution: 0.0,
            rolling_resistance: 0.0,
            drag: 0.0,
            position,
            orientation: Quat::IDENTITY,
            velocity: Vec3::ZERO,
            omega: Vec3::ZERO,
        }
    }
}

/// A number for every pair of kinds that can touch.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(missing_docs, reason = "the names say which two kinds touch")]
pub struct PairTable {
    pub ball_wall: f64,
    pub ball_robot: f64,
    pub ball_ball: f64,
    pub ball_object: f64,
    pub robot_wall: f64,
    pub robot_robot: f64,
    pub robot_object: f64,
    pub object_wall: f64,
    pub object_object: f64,
}

impl PairTable {
    /// The same number for every pair.
    pub const fn uniform(x: f64) -> Self {
        Self {
            ball_wall: x,
            ball_robot: x,
            ball_ball: x,
            ball_object: x,
            robot_wall: x,
            robot_robot: x,
            robot_object: x,
            object_wall: x,
            object_object: x,
        }
    }

    /// The number of two kinds. Walls do not move: of two of them the last one is loose, an object.
    pub const fn of(&self, a: BodyKind, b: BodyKind) -> f64 {
        use BodyKind::{Ball, Object, Robot, Wall};
        match (a, b) {
            (Robot, Robot) => self.robot_robot,
            (Robot, Ball) | (Ball, Robot) => self.ball_robot,
            (Robot, Object) | (Object, Robot) => self.robot_object,
            (Robot, Wall) | (Wall, Robot) => self.robot_wall,
            (Ball, Ball) => self.ball_ball,
            (Ball, Object) | (Object, Ball) => self.ball_object,
            (Ball, Wall) | (Wall, Ball) => self.ball_wall,
            (Object, Object) => self.object_object,
            (Object | Wall, Wall) | (Wall, Object) => self.object_wall,
        }
    }
}

/// How vehicles and bodies slide and bounce on one another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairContacts {
    /// Friction. Default 0.3.
    pub friction: PairTable,
    /// Restitution, 0 to 1. Default 0.2; 0.5 or 0.6 with balls.
    pub restitution: PairTable,
    /// Approach speed below which nothing bounces, also from the ground, m/s. Default 0.02.
    pub restitution_threshold: f64,
}

impl Default for PairContacts {
    fn default() -> Self {
        Self {
            friction: PairTable::uniform(0.3),
            restitution: PairTable {
                ball_wall: 0.6,
                ball_robot: 0.5,
                ball_ball: 0.6,
                ball_object: 0.5,
                ..PairTable::uniform(0.2)
            },
            restitution_threshold: 0.02,
        }
    }
}

/// One of two that touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum BodyRef {
    /// The vehicle with this index.
    Vehicle(u32),
    /// The body with this index.
    Body(u32),
}

/// Two that pressed on one another when they last met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactPair {
    /// The first: vehicles before bodies, then by index.
    pub a: BodyRef,
    /// The second.
    pub b: BodyRef,
    /// Where, in the world, m: the middle of the points that pressed, by how much.
    pub point: Vec3,
    /// Direction from the first to the second, of length one.
    pub normal: Vec3,
    /// Impulse along it, N s.
    pub impulse: f64,
}

/// A point at which two pressed on one another when they last met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpatialContact {
    /// Which two; none is the ground.
    pub between: [Option<BodyRef>; 2],
    /// Where, in the world, m.
    pub point: Vec3,
    /// Direction from the first to the second, of length one.
    pub normal: Vec3,
    /// Impulse along it, N s.
    pub impulse: f64,
    /// Impulse of friction on the second, N s.
    pub friction: Vec3,
}
