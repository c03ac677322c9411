//! A world: model, state and scratch memory.

use crate::commands::{self, Command, CommandRefusal};
use crate::engine;
use crate::events::{Event, EventLog};
use crate::frame::{Frame, Observer};
use crate::motion::Twist;
use crate::scratch::Scratch;
use crate::sensors;
use crate::snapshot::{self, SnapshotError};
use crate::state::State;
use crate::walls::WallIndex;
use rolima_math::{Pose2, Rot2, Vec2};
use rolima_model::{BodyId, MOST_SPEED, Model, RobotId};
use std::sync::Arc;

/// A world that can be stepped.
pub struct World {
    pub(crate) model: Arc<Model>,
    pub(crate) state: State,
    pub(crate) scratch: Scratch,
    pub(crate) observers: Vec<Box<dyn Observer>>,
}

/// A world's state, kept to go back to.
pub struct KeptWorld {
    fingerprint: u64,
    state: State,
}

impl World {
    /// A world at its first instant, with the seed of its scene.
    pub fn new(model: Arc<Model>) -> Self {
        let seed = model.spec.sim.seed;
        Self::with_seed(model, seed)
    }

    /// A world at its first instant, with a seed of its own.
    pub fn with_seed(model: Arc<Model>, seed: u64) -> Self {
        let mut state = State::new(&model, seed);
        let mut scratch = Scratch::new(&model, &state);
        sensors::look_first(&model, &mut state, &mut scratch);
        Self { model, state, scratch, observers: vec![] }
    }

    /// What does not change.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What changes.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Its walls by place: made with the world, and kept when it starts over.
    pub fn walls(&self) -> &WallIndex {
        self.scratch.walls()
    }

    /// Simulated time, s.
    pub fn time_s(&self) -> f64 {
        self.state.step as f64 * self.model.step_s
    }

    /// Puts a command for a robot into the queue: voltages, or speeds where it has a speed
    /// controller. It holds from the next step on, until the next command or [`World::release`]. The robot's own driver pauses.
    pub fn command(
        &mut self,
        robot: RobotId,
        command: impl Into<Command>,
    ) -> Result<(), CommandRefusal> {
        let command = command.into();
        if let Err(why) = commands::check(&self.model, robot, command) {
            commands::note_refusal(&mut self.state, &mut self.scratch, robot, why);
            return Err(why);
        }
        let command = engine::translate(&self.model, &mut self.state, robot, command);
        let waiting = &mut self.state.waiting[robot.index()];
        if waiting.replace(command).is_none() {
            self.scratch.queued.push(robot.0);
        }
        Ok(())
    }

    /// Takes a robot from its own driver and lets it stand: by its speed controller, or with its
    /// motors short-circuited where it has none. A vehicle has its brakes on once
    /// it stands, or at once where it has no controller.
    pub fn stop(&mut self, robot: RobotId) -> Result<(), CommandRefusal> {
        self.command(robot, Command::Stop)
    }

    /// Tells an actuator of a robot its value, in its unit: [`Command::Direct`] by name.
    pub fn actuate(
        &mut self,
        robot: RobotId,
        name: &str,
        value: f64,
    ) -> Result<(), CommandRefusal> {
        let actuator = self.model.actuator(robot.0, name).unwrap_or(u32::MAX);
        self.command(robot, Command::Direct { actuator, value })
    }

    /// Gives a robot back to its own driver.
    pub fn release(&mut self, robot: RobotId) {
        if let Some(driver) = self.state.drivers.get_mut(robot.index()) {
            self.state.waiting[robot.index()] = None;
            driver.overridden = false;
            driver.due = self.state.step;
            self.state.drivers_due = self.state.step;
        }
    }

    /// Puts a body elsewhere, at rest. Refused (false) for non-finite poses and unknown bodies.
    pub fn place_body(&mut self, body: impl Into<BodyId>, pose: Pose2) -> bool {
        self.set_motion(body, pose, Vec2::ZERO, 0.0)
    }

    /// Sets pose and velocity of a body (a robot's along its heading and to its left, others' in
    /// the world). On terrain it is put down there, tilted as the ground is. Refused (false) where a number is not finite or absurd, or there is no such body.
    pub fn set_motion(
        &mut self,
        body: impl Into<BodyId>,
        pose: Pose2,
        velocity: Vec2,
        omega: f64,
    ) -> bool {
        let Rot2 { c, s } = pose.rotation;
        let sane = pose.is_finite()
            && (c * c + s * s - 1.0).abs() < 1e-3
            && pose.position.length() < 1e6
            && velocity.length() < MOST_SPEED
            && omega.abs() < MOST_SPEED;
        let Some(body) = self.model.body(body) else { return false };
        let motion = (velocity, omega);
        if !sane || !engine::place(&self.model, &mut self.state, body, pose, motion) {
            return false;
        }
        self.scratch.moved_by_hand(&self.state);
        true
    }

    /// Hits a body at a point of the world (m) with an impulse (N s).
    ///
    /// A loose body answers with its mass and inertia; a ball then slides until it rolls again, as
    /// after a contact. A robot whose tyres stick answers along its heading and by turning, with
    /// the inertia of body and wheels together. Its tyres let go where one of them would have to
    /// give more over a step than static friction holds, drive and curve included; then it answers
    /// like a loose body. Each blow is judged by itself. On terrain the blow is level and
    /// hits at the height of the centre of mass.
    ///
    /// Refused (false) where a number is not finite, the body would get absurdly fast, it is
    /// quarantined, or there is no such body.
    pub fn push(&mut self, body: impl Into<BodyId>, point: Vec2, impulse: Vec2) -> bool {
        let Some(body) = self.model.body(body) else { return false };
        let finite = point.is_finite() && impulse.is_finite();
        if !finite || self.state.engine.is_quarantined(body) {
            return false;
        }
        let own = (&mut self.state, &mut self.scratch);
        engine::push(&self.model, own, body, (point, impulse))
    }

    /// Back to the first instant, bit for bit as a fresh world of the same seed. Observers stay.
    pub fn reset(&mut self) {
        self.reset_with_seed(self.state.seed);
    }

    /// Back to the first instant with another seed.
    pub fn reset_with_seed(&mut self, seed: u64) {
        self.state = State::new(&self.model, seed);
        self.scratch.renew(&self.model, &self.state);
        sensors::look_first(&self.model, &mut self.state, &mut self.scratch);
    }

    /// The state as bytes.
    pub fn snapshot(&self) -> Vec<u8> {
        snapshot::save(&self.model, &self.state)
    }

    /// Goes on from a snapshot of a world of the same scene, bit for bit.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), SnapshotError> {
        snapshot::load(&self.model, bytes, &mut self.state)?;
        self.scratch.renew(&self.model, &self.state);
        Ok(())
    }

    /// A second world in the same state, which goes on bit-equal and shares nothing with this one.
    /// Observers, and events that nobody has taken, stay here.
    pub fn fork(&self) -> Self {
        Self {
            model: Arc::clone(&self.model),
            state: self.state.clone(),
            scratch: self.scratch.beside(&self.model, &self.state),
            observers: vec![],
        }
    }

    /// The state as it is, to go back to: quicker than bytes, and about as large.
    pub fn keep(&self) -> KeptWorld {
        KeptWorld { fingerprint: self.model.fingerprint, state: self.state.clone() }
    }

    /// Goes back to a state of a world of the same scene, bit for bit. Refused (false) where it is of
    /// another one.
    pub fn go_back(&mut self, kept: &KeptWorld) -> bool {
        if kept.fingerprint != self.model.fingerprint {
            return false;
        }
        self.state.clone_from(&kept.state);
        self.scratch.renew(&self.model, &self.state);
        true
    }

    /// A world of another scene in the state of this one: of a scene with the same bodies, sensors and the
    /// like, in the same order, but other numbers. What is part of the state stays, such as standard
    /// deviations of sensors. Refused where the state of such a world has another shape.
    pub fn carry_over(&self, model: Arc<Model>) -> Result<Self, SnapshotError> {
        let bytes = snapshot::carry_over(&self.model, &model, &self.state)?;
        let mut world = Self::new(model);
        world.restore(&bytes).map_err(|error| match error {
            SnapshotError::Length { expected, got } => SnapshotError::Shape { expected, got },
            other => other,
        })?;
        Ok(world)
    }

    /// Draws all random numbers from now on by another seed; all else stays as it is.
    pub fn reseed(&mut self, seed: u64) {
        self.state.reseed(&self.model, seed);
    }

    /// Hash of every bit of the state.
    pub fn state_hash(&self) -> u64 {
        self.state.hash(&self.model)
    }

    /// The same for loops that must not allocate: without a copy of the state.
    pub fn state_hash_in_place(&mut self) -> u64 {
        self.state.hash_in_place(&self.model)
    }

    /// The world as the outside sees it now.
    pub fn frame(&self) -> Frame {
        let mut frame = Frame::default();
        frame.fill(&self.model, &self.state);
        frame
    }

    /// Lets somebody look at frames.
    pub fn observe(&mut self, observer: Box<dyn Observer>) {
        self.observers.push(observer);
    }

    /// The events since they were last cleared.
    pub fn log(&self) -> &EventLog {
        &self.scratch.log
    }

    /// Takes the events.
    pub fn take_events(&mut self) -> Vec<Event> {
        let events = self.scratch.log.events().to_vec();
        self.scratch.log.clear();
        events
    }

    /// Forgets the events, once somebody has looked at them in [`World::log`].
    pub fn clear_events(&mut self) {
        self.scratch.log.clear();
    }

    /// How many contact points pressed in the last step.
    pub fn contact_count(&self) -> usize {
        self.state.engine.remembered()
    }

    /// Kinetic energy of all bodies, wheels and rolling included, J.
    pub fn kinetic_energy(&self) -> f64 {
        self.state.engine.kinetic_energy(&self.model)
    }

    /// Where a body is, seen from above; none where there is no such body.
    pub fn pose(&self, body: impl Into<BodyId>) -> Option<Pose2> {
        Some(self.state.engine.pose(&self.model, self.model.body(body)?))
    }

    /// How a body moves, seen from above; none where there is no such body.
    pub fn twist(&self, body: impl Into<BodyId>) -> Option<Twist> {
        Some(self.state.engine.twist(&self.model, self.model.body(body)?))
    }

    /// Whether a body was taken out because its motion went wild.
    pub fn is_quarantined(&self, body: impl Into<BodyId>) -> bool {
        self.model.body(body).is_some_and(|body| self.state.engine.is_quarantined(body))
    }
}
