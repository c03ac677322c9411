//! The engine that runs: one of two siblings, [`planar`] and [`spatial`].
//!
//! A stage calls a function here, which asks once which engine runs and hands over that one's part of
//! state and scratch. Nobody else asks; a test of the repository says so.
//!
//! | module | what |
//! |---|---|
//! | here | what changes: words, poses, motion, energy |
//! | `stages` | what the stages of a step call |
//! | `views` | what those who look at a world ask: frames, tyres, contact points, acceleration, end |
//! | `inputs` | what comes from outside: commands, bodies put elsewhere, blows |
//! | `channels` | quantities by name |

pub(crate) mod channels;
mod inputs;
mod stages;
mod views;

pub(crate) use inputs::{drives_at, obeys_speeds, place, push, takes_voltages, translate};
pub(crate) use stages::{
    actuate, advance, collide, err, find_touches, forget_motion, imu, memory, note_slips,
    ray_targets, turned,
};
pub use views::WorldEnd;
pub(crate) use views::{contact_points, end, motors, wheels};

use crate::events::{EVENT_KINDS, PLANAR_EVENT_KINDS};
use crate::motion::Twist;
use crate::sensors::SenseScratch;
use crate::snapshot::SnapshotError;
use crate::state::Visitor;
use crate::{planar, spatial};
use rolima_math::{Pose2, Pose3};
use rolima_model::{BodyModel, Model, Rays};
use rolima_sensors::SpaceTruth;

/// What changes about bodies, by the engine that runs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Engine {
    /// Bodies in the plane.
    Planar(planar::State),
    /// Vehicles and bodies on terrain.
    Spatial(Box<spatial::State>),
}

impl Engine {
    /// The first state of a model, before bodies are [sent home](Engine::send_home).
    pub(crate) fn new(model: &Model) -> Self {
        match model.spatial() {
            None => Self::Planar(planar::State::new(model)),
            Some(_) => Self::Spatial(Box::new(spatial::State::new(model))),
        }
    }

    /// The state in the plane, if that engine runs.
    pub(crate) fn planar(&self) -> Option<&planar::State> {
        if let Self::Planar(state) = self { Some(state) } else { None }
    }

    /// The state in space, if that engine runs.
    pub(crate) fn spatial(&self) -> Option<&spatial::State> {
        if let Self::Spatial(state) = self { Some(state) } else { None }
    }

    /// Puts every body where the scene starts it.
    pub(crate) fn send_home(&mut self, model: &Model) {
        match self {
            Self::Planar(state) => state.send_home(model),
            Self::Spatial(state) => state.send_home(model),
        }
    }

    /// Keeps the bodies where another model with the same bodies does.
    pub(crate) fn move_over(&mut self, from: &Model, to: &Model) {
        match self {
            Self::Planar(state) if to.spatial().is_none() => *state = state.moved_over(from, to),
            // Vehicles and bodies on terrain are kept in the order of the scene.
            Self::Planar(_) | Self::Spatial(_) => {}
        }
    }

    /// Where a body is, seen from above.
    #[inline]
    pub(crate) fn pose(&self, model: &Model, body: &BodyModel) -> Pose2 {
        match self {
            Self::Planar(state) => state.pose(body.slot),
            Self::Spatial(state) => state.pose(model, body),
        }
    }

    /// How a body moves, seen from above.
    #[inline]
    pub(crate) fn twist(&self, model: &Model, body: &BodyModel) -> Twist {
        match self {
            Self::Planar(state) => state.twist(body),
            Self::Spatial(state) => state.twist(model, body),
        }
    }

    /// Where all bodies are in space, by their numbers; nothing of bodies in the plane. `out` is
    /// overwritten.
    pub(crate) fn poses_in_space(&self, model: &Model, out: &mut Vec<Pose3>) {
        out.clear();
        if let Self::Spatial(state) = self {
            out.extend(model.bodies().map(|body| state.pose_in_space(model, body)));
        }
    }

    /// What a robot does in space; none of a robot in the plane.
    pub(crate) fn truth_in_space(&self, model: &Model, robot: u32) -> Option<SpaceTruth> {
        match self {
            Self::Planar(_) => None,
            Self::Spatial(state) => spatial::ray_targets::truth(model, state, robot),
        }
    }

    /// Puts what rays meet where it is now: the plane of a sensor, or all of space.
    pub(crate) fn place_for_rays(&self, model: &Model, looks: &mut SenseScratch, rays: Rays) {
        match (self, rays) {
            (Self::Planar(state), Rays::Plane(plane)) => {
                looks.planes.place(model, state, plane as usize);
            }
            (Self::Planar(state), Rays::Space) => {
                looks
                    .ray_targets
                    .place(model, |body| planar::ray_targets::pose_in_space(state, body));
            }
            (Self::Spatial(state), _) => {
                looks.ray_targets.place(model, |body| state.pose_in_space(model, body));
            }
        }
    }

    /// Whether a body was taken out because its motion went wild.
    pub(crate) fn is_quarantined(&self, body: &BodyModel) -> bool {
        match self {
            Self::Planar(state) => state.is_quarantined(body.slot),
            Self::Spatial(state) => state.is_quarantined(body),
        }
    }

    /// Kinetic energy of all bodies, wheels and rolling included, J.
    pub(crate) fn kinetic_energy(&self, model: &Model) -> f64 {
        match self {
            Self::Planar(state) => planar::dynamics::energy::kinetic(model, state),
            Self::Spatial(state) => state.kinetic_energy(model),
        }
    }

    /// How many contacts are remembered from the last step: the one number of words that changes.
    pub(crate) fn remembered(&self) -> usize {
        match self {
            Self::Planar(state) => state.impulses.len(),
            Self::Spatial(state) => state.touching.len(),
        }
    }

    /// Makes room for so many remembered contacts, which are visited next.
    pub(crate) fn remember(&mut self, count: usize) {
        match self {
            Self::Planar(state) => state.impulses.resize(count, planar::CachedImpulse::default()),
            Self::Spatial(state) => state.touching.resize(count, 0),
        }
    }

    /// Words of the motion; in space, all words.
    pub(crate) fn visit_motion(&mut self, visitor: &mut impl Visitor) {
        match self {
            Self::Planar(state) => state.visit_motion(visitor),
            Self::Spatial(state) => state.visit(visitor),
        }
    }

    /// Words of the contacts in the plane, which stand apart.
    pub(crate) fn visit_contacts(&mut self, visitor: &mut impl Visitor) {
        if let Self::Planar(state) = self {
            state.visit_contacts(visitor);
        }
    }

    /// Words of the energies in the plane, which stand apart.
    pub(crate) fn visit_energy(&mut self, visitor: &mut impl Visitor) {
        if let Self::Planar(state) = self {
            state.visit_energy(visitor);
        }
    }

    /// Whether steps can be made from it, after so many, where it comes from outside.
    pub(crate) fn check(&mut self, model: &Model, steps: u64) -> Result<(), SnapshotError> {
        match self {
            Self::Planar(state) => state.check(model),
            Self::Spatial(state) => state.check(model, steps),
        }
    }

    /// How many kinds of events, the first ones, can happen.
    pub(crate) fn event_kinds(&self) -> usize {
        match self {
            Self::Planar(_) => PLANAR_EVENT_KINDS,
            Self::Spatial(_) => EVENT_KINDS,
        }
    }
}
