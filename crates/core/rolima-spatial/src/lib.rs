//! Vehicles with suspended wheels on rough terrain: the spatial engine.
//!
//! [`SpatialSpec`] says what there is, [`SpatialModel::compile`] checks it once and derives what
//! does not change, and a [`SpatialState`] is what steps change; a [`SpatialWorld`] is both. A step
//! cannot fail, allocates nothing, and gives the same bits on every machine.
//!
//! | module | what |
//! |---|---|
//! | [`terrain`] | the ground: a bilinear surface, its bounds, rays on it, procedural hills |
//! | [`spec`], [`shape`] | what a scene says about vehicles; how they look, and which points touch |
//! | [`tyre`], `grip`, [`motor`] | the Magic Formula and a plain law; DC motors, LuGre friction |
//! | `model`, `stability` | checked constants, wheels in blocks of four; what a step can bear |
//! | `physics` | what of a specification goes into fingerprints |
//! | `state` | everything that changes, as words |
//! | `search`, `batch` | where wheels touch: rims, slices, crown; slices side by side |
//! | `actuator` | motors by voltage, torque or speed; steered joints |
//! | `rolling` | speed and turning of a vehicle as values of its actuators |
//! | `wheels` | suspension, tyre, spin: forces of four wheels at a time |
//! | `hull` | the bare chassis on the ground |
//! | `vehicle` | the fine step |
//! | [`hitch`] | carts behind vehicles |
//! | `stand` | how things lie on the ground, vehicles set in motion; means of their sides |
//! | [`bodies`] | free bodies and obstacles, and how they meet vehicles |
//! | [`presets`], [`bench`](mod@bench), [`golden`] | known vehicles; what benchmarks and golden tests run |
//! | [`world`], `encounters` | what all vehicles and bodies do: commands, steps, meeting, events, words |
//! | `alone` | a world by itself, of a model and its state |

mod actuator;
mod alone;
mod batch;
pub mod bench;
pub mod bodies;
mod encounters;
pub mod golden;
mod grip;
pub mod hitch;
mod hull;
mod model;
pub mod motor;
mod physics;
mod place;
pub mod presets;
mod rim;
mod rolling;
mod search;
#[cfg(test)]
mod search_tests;
pub mod shape;
pub mod spec;
mod stability;
mod stand;
mod state;
pub mod terrain;
pub mod tyre;
mod vehicle;
#[cfg(test)]
mod vehicle_tests;
mod wheels;
pub mod world;

pub use actuator::{Actuator, ActuatorKind, ActuatorSpec, SteerSpec};
pub use alone::SpatialWorld;
pub use bodies::{
    BodyKind, BodyPart, BodyRef, BodyShape, BodySpec, BodyState, ContactPair, PairContacts,
    PairTable, SpatialContact,
};
pub use hitch::{Hitch, HitchSpec};
pub use model::{LANES, Lanes, STEEPEST, SpatialModel, VehicleModel};
pub use motor::{LuGreForm, LuGreSpec, MotorSpec};
pub use shape::{MeshShape, Shapes};
pub use spec::{
    CONTACT_EVERY, ChassisSpec, MOST_ACTUATORS, MOST_WHEELS, SLICES, Side, SpatialSpec, Start,
    SuspensionSpec, TYRE_EVERY, VehicleSpec, WheelSpec,
};
pub use stand::{Sides, lift, lying};
pub use state::{DriveVolts, VehicleState};
pub use terrain::{Edge, Grid, Hills, Terrain, TerrainHit, TerrainSpec};
pub use tyre::{Curve, Magic, TyreLaw, Weakening};
pub use vehicle::VehicleEvent;
pub use wheels::WheelReadings;
pub use world::{SpatialEvent, SpatialState, Vehicle, WheelPose};
