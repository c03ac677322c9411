//! Typed scene specification, and the validated, constant model made of it.
//!
//! A scene reader (or a program) fills a [`SceneSpec`]; [`Model::compile`] checks it once and
//! derives everything that does not change while the world runs: matrices, discretisations,
//! outlines, the layout of bodies in memory. No files, no clock.
//!
//! | module | what |
//! |---|---|
//! | `actuators` | what can be commanded of robots |
//! | [`spec`] | what a scene says, with defaults and their sources |
//! | [`drive`] | equations 1-8: the robot's matrices and their discretisation |
//! | `contact` | how bodies collide, by their kinds |
//! | `engine` | which engine runs a scene, and what a model answers whichever does |
//! | [`device`] | sensors of all robots, and where their readings stand |
//! | [`ids`] | numbers by which the outside names bodies and robots |
//! | [`layout`] | where bodies lie in the memory of the planar engine |
//! | [`loose`] | balls, objects and walls on rough ground |
//! | [`planar_equivalent`] | what planar code knows of vehicles |
//! | [`shape`] | convex parts, compounds, bounding circles |
//! | [`undercarriage`] | robots with a planar drive as vehicles on rough ground |
//! | [`walls`] | walls of a scene as convex parts in the world |
//! | `material` | checks of what things look like; robots' tags |
//! | [`model`] | the compiled model |
//! | `physics` | what of a scene goes into its fingerprint |
//! | [`keys`] | keys of kinds, and of what may be left out; others stand with their specification |
//! | [`check`] | what a value may be |
//! | [`colour`] | what things look like where the scene does not say |

mod actuators;
pub mod check;
pub mod colour;
mod contact;
pub mod device;
pub mod drive;
mod engine;
pub mod ids;
pub mod keys;
pub mod layout;
pub mod loose;
mod material;
pub mod model;
mod physics;
pub mod planar_equivalent;
pub mod shape;
mod span;
pub mod spec;
pub mod undercarriage;
pub mod walls;

pub use contact::ContactModel;
pub use device::{DeviceModel, MOST_READINGS, Mount, Rays};
pub use drive::{DriveModel, LinearRow, StickMap, Wheel};
pub use engine::{WheelName, undriven_side};
pub use ids::{BodyId, RobotId};
pub use layout::{BlockKind, Layout};
pub use material::{MOST_MATERIALS, MOST_PATCHES, TagPatch};
pub use model::{BodyKind, BodyModel, LANES, MAX_BODIES, MOST_SPEED, Model, RobotModel};
pub use planar_equivalent::{planar_drive, planar_outline};
pub use rolima_check::ModelError;
pub use rolima_spatial::{self as spatial, SpatialModel, Terrain, VehicleSpec};
pub use shape::{Part, Polygon, Shape};
pub use span::{Coverage, span_between};
pub use spec::*;
pub use undercarriage::{Undercarriage, vehicle_of_drive};
