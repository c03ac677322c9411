//! What a scene says, typed and in SI units, before it is checked and compiled.
//!
//! Defaults stand in the structs. Where a number comes from is said beside it: "2001" is the
//! minirobot paper's list of parameters, "rules" the MiroSot rules, "ours" a choice of this
//! project where the sources are silent.

use crate::keys;
use Range::{NotNegative, Positive, Within};
use rolima_check::{Number, OURS, Range, keys, named, number, number_of};
use rolima_math::{Pose2, Vec2};
use rolima_spatial::PairContacts;

mod go_to;
mod ground;
mod material;
mod robot;
mod sensors;

pub use go_to::{GoalSpec, MOST_GOALS_OF_A_ROUTE, MOST_GOING, RouteSpec, VisionSpec};
pub use ground::{GroundPicture, GroundSpec, GroundTexture};
pub use material::{
    BUILT_IN_MATERIALS, FloorSpec, MaterialId, MaterialSpec, RobotLook, TagColour, TagPatchSpec,
    WallMaterials,
};
pub use robot::{DriveSpec, DriverSpec, RobotSpec, ServoSpec, TractionSpec};
pub use rolima_spatial::PairTable;
pub use sensors::*;

/// Source of what balls are like.
const GOLF_BALL: &str = "golf ball";

/// A whole scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneSpec {
    /// One line for people.
    pub title: String,
    /// Time step, integrator, seed.
    pub sim: SimSpec,
    /// How bodies collide.
    pub contact: ContactSpec,
    /// Rough ground; none: a plane, on which the planar engine runs.
    pub ground: Option<GroundSpec>,
    /// What does not move.
    pub walls: Vec<WallSpec>,
    /// Differential-drive robots.
    pub robots: Vec<RobotSpec>,
    /// Rolling balls.
    pub balls: Vec<BallSpec>,
    /// Free boxes, discs and other loose things.
    pub objects: Vec<ObjectSpec>,
    /// Regions that notice a ball, such as goals.
    pub zones: Vec<ZoneSpec>,
    /// Lines painted on the ground; only for views and cameras.
    pub markings: Vec<MarkingSpec>,
    /// Shapes that only cameras and views see.
    pub meshes: Vec<MeshSpec>,
    /// Sensors that no robot carries.
    pub sensors: Vec<WorldSensorSpec>,
    /// What cameras see of ground, walls and sky.
    pub look: LookSpec,
    /// What surfaces look like.
    pub materials: Vec<MaterialSpec>,
    /// Pieces of the ground that are made of something else.
    pub floors: Vec<FloorSpec>,
    /// Of what the walls are made, in their order; of walls beyond it nothing is said.
    pub wall_materials: Vec<WallMaterials>,
    /// By what robots see that go to goals by themselves or are sent to them.
    pub vision: VisionSpec,
}

/// What cameras see of ground, walls and sky.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LookSpec {
    /// Colour of the ground as 0xRRGGBB; none: tiles.
    pub ground: Option<u32>,
    /// Colour of the walls as 0xRRGGBB; none: as cameras like it best.
    pub walls: Option<u32>,
    /// Distance at which half of a thing's colour has gone into the air's, m; none: clear air.
    pub fade: Option<f64>,
}

/// A shape from a file that nothing touches: cameras and views show it.
#[derive(Clone, Debug, PartialEq)]
pub struct MeshSpec {
    /// Where its origin stands, and its heading.
    pub pose: Pose2,
    /// Factors along its own axes.
    pub scale: [f64; 3],
    /// What it is called in messages.
    pub name: String,
    /// The text of its OBJ file.
    pub obj: std::sync::Arc<str>,
}

keys! {
    /// Time step, integrator, seed.
    #[derive(Clone, Debug, PartialEq)]
    pub struct SimSpec {
        /// length of a step
        step_s: f64 = 1e-3, "s", Within(1e-7, 0.1), OURS;
        /// how robots are integrated over a step
        integrator: Integrator = Integrator::default(), word(), OURS;
        /// key of every random stream
        seed: u64 = 1, count(0, u64::MAX), OURS;
        /// presses wheels and objects on the ground
        gravity: f64 = 9.80665, "m/s2", Within(0.0, 1e3), "standard gravity";
    }
}

/// How equation 8 is integrated over a step while both wheels stick.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integrator {
    /// Explicit Euler, first order: the paper's example.
    Euler,
    /// Classical Runge-Kutta, fourth order.
    Rk4,
    /// Velocities by the matrix exponential, position by Simpson's rule on the exact course.
    #[default]
    Exact,
}

named!(Integrator { "euler" = Euler, "rk4" = Rk4, "exact" = Exact });

/// Which response a collision gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ContactResponse {
    /// Impulses at the contact points, rotation included, Coulomb friction, no energy gained.
    #[default]
    Rigid,
    /// The paper's section 3.2: spheres of the bodies' masses along the contact normal.
    EquivalentSphere,
}

named!(ContactResponse { "rigid" = Rigid, "equivalent-sphere" = EquivalentSphere });

keys! {
    /// How bodies collide.
    #[derive(Clone, Debug, PartialEq)]
    pub struct ContactSpec {
        /// model of a collision
        response: ContactResponse = ContactResponse::default(), word(), OURS;
        /// Coefficients of restitution, 0 to 1.
        restitution: PairTable = PairContacts::default().restitution;
        /// Coefficients of friction between bodies.
        friction: PairTable = PairContacts::default().friction;
        /// approach speed below which nothing bounces
        ///
        /// A motor pressing a robot to a wall builds up 2 mm/s a step, which must not chatter.
        restitution_threshold: f64 = 0.02, "m/s", NotNegative, OURS;
        /// most sweeps of the contact solver a step
        iterations: u32 = 8, count(1, 10_000), OURS;
    }
}

/// The keys of one of the tables of pairs of [`ContactSpec`].
macro_rules! pairs {
    ($table:ident, $range:expr, $($pair:ident $meaning:literal)+) => {
        &[$(
            number_of!(
                ContactSpec: $table.$pair,
                number(stringify!($pair), "1", $range, $meaning),
                OURS
            ),
        )+]
    };
    ($table:ident, $range:expr) => {
        pairs!(
            $table, $range,
            ball_wall "between ball and wall"
            ball_robot "between ball and robot"
            ball_ball "between two balls"
            ball_object "between ball and object"
            robot_wall "between robot and wall"
            robot_robot "between two robots"
            robot_object "between robot and object"
            object_wall "between object and wall"
            object_object "between two objects"
        )
    };
}

impl ContactSpec {
    /// Coefficients of restitution with their keys.
    pub const RESTITUTION: &'static [Number<Self>] = pairs!(restitution, Within(0.0, 1.0));
    /// Coefficients of friction with their keys.
    pub const FRICTION: &'static [Number<Self>] = pairs!(friction, Within(0.0, 100.0));
}

/// A convex piece of a shape, in the frame of its body (or of the world, for walls).
#[derive(Clone, Debug, PartialEq)]
pub enum PartSpec {
    /// A disc.
    Circle {
        /// Centre, m.
        center: Vec2,
        /// Radius, m.
        radius: f64,
    },
    /// A rectangle centred on a pose.
    Box {
        /// Centre and orientation.
        pose: Pose2,
        /// Full lengths along the pose's axes, m.
        size: [f64; 2],
    },
    /// A convex polygon, counter-clockwise.
    Polygon {
        /// Corners, m: 3 to 8 of them.
        vertices: Vec<Vec2>,
    },
}

/// Something that does not move.
#[derive(Clone, Debug, PartialEq)]
pub enum WallSpec {
    /// A straight wall from one point to another; the ends are flat.
    Segment {
        /// One end, m.
        from: Vec2,
        /// The other end, m.
        to: Vec2,
        /// Full thickness, m; zero is allowed.
        thickness: f64,
        /// Height, m; only for views and cameras.
        height: f64,
    },
    /// A circular arc, made of straight pieces that leave it by at most 0.1 mm.
    Arc {
        /// Centre, m.
        center: Vec2,
        /// Radius of the middle line, m.
        radius: f64,
        /// First angle, rad.
        from_angle: f64,
        /// Last angle, rad; counter-clockwise from the first.
        to_angle: f64,
        /// Full thickness, m.
        thickness: f64,
        /// Height, m.
        height: f64,
    },
    /// A solid convex polygon, counter-clockwise (corner triangles).
    Polygon {
        /// Corners, m: 3 to 8 of them.
        vertices: Vec<Vec2>,
        /// Height, m.
        height: f64,
    },
}

impl WallSpec {
    /// Height, m.
    pub fn height(&self) -> f64 {
        match *self {
            Self::Segment { height, .. }
            | Self::Arc { height, .. }
            | Self::Polygon { height, .. } => height,
        }
    }
}

/// How a ball loses speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BallFriction {
    /// Equation 9 with its sign mended: v' = -(beta/m) v.
    Viscous {
        /// beta, N s/m.
        beta: f64,
    },
    /// Slides until it rolls (losing 2/7 of its speed), then slows evenly.
    Rolling {
        /// Friction of the sliding ball on the ground.
        mu_slide: f64,
        /// Deceleration while rolling, m/s2.
        deceleration: f64,
    },
}

keys! {
    /// A rolling ball.
    #[derive(Clone, Debug, PartialEq)]
    pub struct BallSpec {
        /// Unique name.
        name: String = "ball".to_owned();
        /// where it starts
        position: Vec2 = Vec2::ZERO, point("m"), OURS;
        /// its first velocity, rolling
        velocity: Vec2 = Vec2::ZERO, point("m/s"), OURS;
        /// radius
        radius: f64 = 0.02135, "m", Positive, GOLF_BALL;
        /// mass
        mass: f64 = 0.046, "kg", Positive, GOLF_BALL;
        /// Colour as 0xRRGGBB; none: that of its material, or orange, as the rules have it.
        colour: Option<u32> = None;
        /// Of what it is made.
        material: Option<MaterialId> = None;
        /// How it loses speed.
        friction: BallFriction = BallFriction::Rolling {
            mu_slide: keys::MU_SLIDE.value(),
            deceleration: keys::DECELERATION.value(),
        };
    }
}

/// A loose thing that slides on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct ObjectSpec {
    /// Unique name.
    pub name: String,
    /// Where it starts.
    pub pose: Pose2,
    /// Its first velocity (vx, vy) in the world, m/s.
    pub velocity: Vec2,
    /// Its first turning, rad/s.
    pub omega: f64,
    /// Convex pieces of its outline.
    pub shape: Vec<PartSpec>,
    /// Mass, kg.
    pub mass: f64,
    /// Moment of inertia, kg m2; none: that of the outline at uniform density.
    pub inertia: Option<f64>,
    /// Coulomb friction on the ground; 0 slides for ever.
    pub ground_friction: f64,
    /// Height, m, for views, cameras and rays; none: half as high as wide.
    pub height: Option<f64>,
    /// Colour as 0xRRGGBB; none: that of its material, or wood.
    pub colour: Option<u32>,
    /// Of what it is made.
    pub material: Option<MaterialId>,
}

/// A rectangle that notices a ball's centre entering it.
#[derive(Clone, Debug, PartialEq)]
pub struct ZoneSpec {
    /// Unique name.
    pub name: String,
    /// Lower left corner, m.
    pub min: Vec2,
    /// Upper right corner, m.
    pub max: Vec2,
    /// The team that scores when a ball enters.
    pub scores_for: String,
    /// Whether everything goes back to its first place after the score.
    pub kick_off: bool,
}

/// A line painted on the ground; only for views and cameras.
#[derive(Clone, Debug, PartialEq)]
pub struct MarkingSpec {
    /// Where it runs.
    pub course: Course,
    /// Full width, m; none: the rules' 3 mm.
    pub width: Option<f64>,
    /// Colour as 0xRRGGBB; none: that of its material, or white.
    pub colour: Option<u32>,
    /// Of what it is made.
    pub material: Option<MaterialId>,
}

/// Where a painted line runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Course {
    /// A straight line.
    Line {
        /// One end, m.
        from: Vec2,
        /// The other end, m.
        to: Vec2,
    },
    /// A circular arc.
    Arc {
        /// Centre, m.
        center: Vec2,
        /// Radius, m.
        radius: f64,
        /// First angle, rad.
        from_angle: f64,
        /// Last angle, rad.
        to_angle: f64,
    },
}
