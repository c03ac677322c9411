//! The spatial engine: vehicles with suspended wheels, and free bodies, on terrain.
//!
//! The physics is that of `rolima_spatial`; here it is fitted into the stages of a step.
//!
//! | module | what |
//! |---|---|
//! | `state`, `scratch` | what changes, projected onto the plane where that is asked; memory that can be thrown away |
//! | `commands` | commands of vehicles, values of their actuators |
//! | `actuators` | stage 2: speed controllers, brakes |
//! | `dynamics` | stage 3: the fine steps of vehicles |
//! | `errors` | stage 3: errors of the executed motion |
//! | `contacts` | stage 4: vehicles, bodies and walls meet |
//! | `ray_targets` | stage 5: what sensors meet |
//! | `placing` | putting bodies elsewhere, blows from outside |
//! | `views` | motors, wheels and contact points, for those who look; the end of a world |
//! | `channels` | quantities that only this engine has |

pub(crate) mod actuators;
pub(crate) mod channels;
pub(crate) mod commands;
pub(crate) mod contacts;
pub(crate) mod dynamics;
pub(crate) mod errors;
pub(crate) mod placing;
pub(crate) mod ray_targets;
mod scratch;
mod state;
pub(crate) mod views;

pub(crate) use scratch::Scratch;
pub use state::{ServoState, State};

use rolima_model::{BodyKind, BodyModel, Model, SpatialModel};

/// What the engine has of a model: a state of this engine is made of a model that has it.
pub(crate) fn known(model: &Model) -> &SpatialModel {
    model.spatial().expect("a state in space is made of a model that was compiled for it")
}

/// Number of a ball or an object among the bodies of the engine.
fn loose_index(model: &Model, body: &BodyModel) -> Option<u32> {
    match body.kind {
        BodyKind::Ball => Some(body.index),
        BodyKind::Object => Some(model.layout.ball_slots.len() as u32 + body.index),
        BodyKind::Robot | BodyKind::Wall => None,
    }
}
