//! What those who look at a world ask.

use super::Engine;
use crate::contact_points::ContactPoint;
use crate::frame::{Motors, WheelFrame};
use crate::planar::tyre_forces::{TyreForce, Tyres};
use crate::scratch::Scratch;
use crate::state::State;
use crate::world::World;
use crate::{planar, spatial};
use rolima_math::{Vec2, Vec3};
use rolima_model::spatial::{BodyState, Vehicle};
use rolima_model::{BodyId, BodyModel, Model, RobotId};

/// Why a world does not go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WorldEnd {
    /// The first robot, by its number, that has left a terrain that ends.
    pub robot: RobotId,
}

/// Whether a world is at its end.
#[inline]
pub(crate) fn end(model: &Model, state: &State) -> Option<WorldEnd> {
    match &state.engine {
        Engine::Planar(_) => None,
        Engine::Spatial(own) => spatial::views::end(model, own),
    }
}

/// The motors of a robot.
pub(crate) fn motors(model: &Model, state: &State, body: &BodyModel) -> Motors {
    match &state.engine {
        Engine::Planar(own) => planar::motors::of(model, own, body),
        Engine::Spatial(own) => spatial::views::motors(model, own, body.index),
    }
}

/// Adds all suspended wheels, in the order of robots and of their wheels.
pub(crate) fn wheels(model: &Model, state: &State, out: &mut Vec<WheelFrame>) {
    if let Engine::Spatial(own) = &state.engine {
        spatial::views::wheels(model, own, out);
    }
}

/// The points that hit or pressed in the last step.
pub(crate) fn contact_points<'a>(
    model: &'a Model,
    state: &'a State,
    scratch: &'a Scratch,
) -> impl Iterator<Item = ContactPoint> + 'a {
    // The memory of an engine that does not run is empty.
    let in_space = state.engine.spatial().into_iter();
    planar::contact_points::points(model, &scratch.planar)
        .chain(in_space.flat_map(move |own| spatial::views::points(model, own)))
}

impl World {
    /// Whether the world is at its end, and why: the scene says that its terrain ends (`edge =
    /// "ends"`), and a vehicle has left it. Such a world stays as it is, whoever steps it, until
    /// it is reset, or the vehicle is put back ([`World::place_body`]).
    pub fn end(&self) -> Option<WorldEnd> {
        end(&self.model, &self.state)
    }

    /// What a robot with suspended wheels does; none of one without, and of unknown ones.
    pub fn vehicle(&self, robot: RobotId) -> Option<&Vehicle> {
        self.state.engine.spatial()?.vehicle(robot.0)
    }

    /// What a ball or an object does in space; none in the plane, and of other bodies.
    pub fn body_in_space(&self, body: BodyId) -> Option<&BodyState> {
        self.state.engine.spatial()?.body(&self.model, self.model.body(body)?)
    }

    /// Velocity of a ball's lower surface against its centre, m/s: equals the ball's velocity while it
    /// rolls. Balls are counted by themselves; none where they turn in space, and of unknown ones.
    pub fn ball_roll(&self, ball: u32) -> Option<Vec2> {
        self.state.engine.planar()?.ball_rolls.get(ball as usize).copied()
    }

    /// Energy that the `equivalent-sphere` response made from nothing, and lost, J.
    pub fn sphere_energy(&self) -> [f64; 2] {
        self.state.engine.planar().map_or([0.0; 2], |own| own.sphere_energy)
    }

    /// What the right and left tyre of a robot gave in the last step; none of suspended wheels, which
    /// have readings of their own, and of unknown robots. Nothing is known of a step before a reset or
    /// a restored snapshot.
    ///
    /// Worked out from what the step left in memory, so it costs next to nothing while nobody asks.
    pub fn tyres(&self, robot: RobotId) -> Option<[TyreForce; 2]> {
        let state = self.state.engine.planar()?;
        let (model, scratch) = (&*self.model, &self.scratch.planar);
        Tyres { model, state, scratch, last: self.last_step() }.of(robot)
    }

    /// Mean acceleration of a robot over the last step, in the world, m/s2; of a vehicle that of its
    /// centre of mass. None for unknown robots, and where no step is known: before the first, after a
    /// reset or a restored snapshot, and after something was put elsewhere.
    pub fn acceleration(&self, robot: RobotId) -> Option<Vec3> {
        let body = self.model.robots.get(robot.index()).and_then(|_| self.model.body(robot))?;
        self.last_step()?;
        let per_step = 1.0 / self.model.step_s;
        match &self.state.engine {
            Engine::Planar(own) => {
                let (block, lane) = planar::place(body.slot);
                let in_world = |b: &planar::Block| b.pose(lane).rotation.rotate(b.velocity(lane));
                let before = in_world(&self.scratch.planar.before[block]);
                let change = in_world(&own.motion[block]) - before;
                Some(Vec3::new(change.x * per_step, change.y * per_step, 0.0))
            }
            Engine::Spatial(own) => {
                let before = *self.scratch.spatial.velocities_before.get(robot.index())?;
                Some((own.vehicle(robot.0)?.state.velocity - before) * per_step)
            }
        }
    }

    /// Number of the step before, if its beginning is known.
    fn last_step(&self) -> Option<u64> {
        let stepped_at = self.scratch.stepped_at;
        let known = stepped_at != u64::MAX && stepped_at.wrapping_add(1) == self.state.step;
        known.then_some(stepped_at)
    }
}
