//! What goes into a live run and what comes out of it.

use super::loaded::{Loaded, Prepared};
use super::turn::TurnSink;
use crate::speed::Speed;
use crate::stopwatch::Profile;
use rolima_core::{BodyId, Command, Event, Frame, GoalReport, Model, RobotId, SenseState};
use rolima_math::{Pose2, Vec2};
use rolima_pilot::{NavError, Refusal};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

/// Something that somebody asks of a live run.
pub struct Arrival {
    /// When it arrived: it takes effect at this instant, to the step.
    pub at: Instant,
    /// What is asked.
    pub request: Request,
}

/// What can be asked of a live run.
pub enum Request {
    /// Acts on the world.
    Act(Act),
    /// Commands several robots, by their numbers, before the same step.
    Commands(Vec<(RobotId, Command)>),
    /// Goes on after a pause.
    Play,
    /// Stands still.
    Pause,
    /// Stands still after this many steps more.
    Step(u64),
    /// Another speed.
    Speed(Speed),
    /// Back to the first instant, same seed.
    Reset,
    /// Back to the first instant with this seed.
    Seed(u64),
    /// Another scene, ready to run: the loop reads no files and builds no world.
    Load(Arc<Loaded>),
    /// Lock step: a controller takes part from now on.
    Join {
        /// Its number, unique in this run.
        controller: u32,
        /// It is asked every so many steps, at least 1.
        period: u64,
        /// Where it is told that the world waits for it.
        turns: Box<dyn TurnSink>,
    },
    /// Lock step: what a controller commands for the steps from `step` on.
    Answer {
        /// Its number.
        controller: u32,
        /// The step of the turn it answers.
        step: u64,
        /// Commands by robot number.
        commands: Vec<(RobotId, Command)>,
    },
    /// Lock step: a controller is gone; nobody waits for it any more. At the step of the turn that it
    /// has not answered, or of its next one, its robots go back to their built-in drivers, or stand.
    Leave {
        /// Its number.
        controller: u32,
        /// Robots that are its own whether it commanded them or not.
        robots: Vec<RobotId>,
    },
    /// Says that all that was asked before it, by the same thread, was done.
    Mark {
        /// Where it is said; moments from then on show what was done.
        done: Arc<AtomicU64>,
        /// What is said there.
        number: u64,
    },
    /// Ends the run.
    Stop,
}

/// What somebody does to a world; logged with its step, so that a run can be replayed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Act {
    /// A command for a robot, by its number: voltages or speeds.
    Command {
        /// The robot.
        robot: RobotId,
        /// What it is to do.
        command: Command,
    },
    /// Takes a robot from its built-in driver and lets it stand.
    Stop {
        /// The robot.
        robot: RobotId,
    },
    /// Gives a robot back to its built-in driver.
    Release {
        /// The robot.
        robot: RobotId,
    },
    /// Puts a body elsewhere, at rest.
    Place {
        /// The body.
        body: BodyId,
        /// Where to.
        pose: Pose2,
    },
    /// A blow on a body.
    Push {
        /// The body.
        body: BodyId,
        /// Where it hits, in the world, m.
        point: Vec2,
        /// How hard, N s.
        impulse: Vec2,
    },
    /// Pulls a body by a spring until it is let go; a new grab of the same body moves the hand.
    Grab {
        /// The body.
        body: BodyId,
        /// Where the spring holds it, in its own frame, m.
        own: Vec2,
        /// Where the hand is, in the world, m.
        hand: Vec2,
    },
    /// Lets a body go.
    LetGo {
        /// The body.
        body: BodyId,
    },
    /// Sets a standard deviation of a sensor, as [`rolima_core::World::sigma`] counts them.
    Sigma {
        /// Number of the sensor.
        device: u32,
        /// Which of its standard deviations.
        axis: u32,
        /// The new one.
        sigma: f64,
    },
    /// Makes a robot believe in a pose.
    Believe {
        /// The robot.
        robot: RobotId,
        /// Where it believes to be.
        pose: Pose2,
    },
    /// Sends a robot to a pose: it drives there by itself and stays, until it is commanded, stopped,
    /// released or sent elsewhere.
    Goal {
        /// The robot.
        robot: RobotId,
        /// Where to.
        pose: Pose2,
    },
    /// Takes a robot's goal away; it brakes within its limits, along the way that it was on, and stands.
    NoGoal {
        /// The robot.
        robot: RobotId,
    },
}

impl Act {
    /// The robot whose driver this act changes, if it does.
    pub(super) fn takes_wheel_of(&self) -> Option<RobotId> {
        match *self {
            Self::Command { robot, .. }
            | Self::Stop { robot }
            | Self::Release { robot }
            | Self::Goal { robot, .. }
            | Self::NoGoal { robot } => Some(robot),
            Self::Place { .. }
            | Self::Push { .. }
            | Self::Grab { .. }
            | Self::LetGo { .. }
            | Self::Sigma { .. }
            | Self::Believe { .. } => None,
        }
    }
}

/// Somebody who sees what a live run publishes. Called on the loop's thread: must not block, and
/// must not allocate without bound.
pub trait Outlet: Send {
    /// Another scene begins: before the first moment, and after every load.
    fn scene(&mut self, scene: &SceneShown<'_>);
    /// The world now: at every deadline, whether it moves or stands still, before it starts over,
    /// and at the end.
    fn moment(&mut self, moment: &Moment<'_>);
    /// Whether it wants to know where the time of steps goes. While nobody does, nothing is measured.
    fn wants_profile(&self) -> bool {
        false
    }
}

/// A scene that begins.
#[derive(Clone, Copy)]
pub struct SceneShown<'a> {
    /// Counts the scenes of this run, from 1.
    pub generation: u32,
    /// What the scene is called.
    pub name: &'a str,
    /// The scene.
    pub model: &'a Arc<Model>,
    /// The map that all of it comes from, if it does.
    pub map: Option<&'a MapSource>,
    /// What people may want to know of the pictures that it was read from, a line each.
    pub notes: &'a [String],
    /// What whoever loaded it has made ready for an outlet ([`Loaded::prepared`]).
    pub prepared: Option<&'a Prepared>,
}

/// The map that a scene was made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapSource {
    /// The text map.
    pub text: String,
    /// Real size of the picture that it was read from, m: across and down.
    pub size: Option<[f64; 2]>,
}

/// The world at one instant, as a live run publishes it.
#[derive(Clone, Copy)]
pub struct Moment<'a> {
    /// Which scene.
    pub generation: u32,
    /// The bodies, and what sensors read.
    pub frame: &'a Frame,
    /// The sensors: what they read, their standard deviations, where everything was when cameras
    /// took their last pictures.
    pub senses: &'a SenseState,
    /// Points where bodies pressed in the last step.
    pub contacts: &'a [ContactShown],
    /// What happened since the moment before.
    pub events: &'a [Event],
    /// How many events were too many to keep, since the run began.
    pub events_dropped: u64,
    /// Robots that were sent to poses, in the order of robots.
    pub goals: &'a [GoalShown],
    /// The values of the world's first channels, [`MOST_CHANNELS`] at most, in the order of
    /// [`rolima_core::Schema`].
    pub channels: &'a [f64],
    /// Where the time of steps goes, while an outlet wants to know.
    pub profile: Option<&'a Profile>,
    /// How the run goes.
    pub status: &'a Status,
}

/// A robot that was sent to a pose.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GoalShown {
    /// The robot.
    pub robot: RobotId,
    /// Where it is to go.
    pub goal: Pose2,
    /// How it goes.
    pub status: GoalStatus,
    /// Where it should be now.
    pub reference: Pose2,
    /// Way that is left, m.
    pub left_m: f64,
    /// Time that the plan in progress still takes, s.
    pub left_s: f64,
    /// Number of the plan, another one for every plan of a robot since the run began.
    pub plan: u32,
    /// Time since the plan began, s.
    pub clock_s: f64,
    /// Where the plan wants it, from its begin, `every_s` apart; its end last. At most 64.
    pub references: Vec<Vec2>,
    /// Time between these, s.
    pub every_s: f64,
    /// Corners of the way after the plan's end, the goal last. At most 64.
    pub beyond: Vec<Vec2>,
}

impl GoalShown {
    /// What channels tell of it.
    pub fn report(&self) -> GoalReport {
        let state = match self.status {
            GoalStatus::Driving => 1,
            GoalStatus::Searching => 2,
            GoalStatus::Arrived => 3,
            GoalStatus::Blocked => 4,
            GoalStatus::Lost => 5,
            GoalStatus::Unplanned(_) => 6,
            GoalStatus::Refused(_) => 7,
        };
        let Self { robot, goal, reference, left_m, left_s, .. } = *self;
        GoalReport { robot, state, goal, reference, left_m, left_s }
    }
}

/// How a robot that was sent to a pose gets on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GoalStatus {
    /// It is on its way.
    #[default]
    Driving,
    /// It stands while a way among walls is looked for.
    Searching,
    /// It is there, and stays.
    Arrived,
    /// Every way is blocked: it stands and tries again.
    Blocked,
    /// It is not seen any more (in quarantine).
    Lost,
    /// There is no plan from where it is, and why: it stands and tries again.
    Unplanned(NavError),
    /// It cannot go there.
    Refused(Refusal),
}

/// A point where bodies press.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ContactShown {
    /// Where, in the world, m.
    pub point: Vec2,
    /// The normal impulse of the last step, N s.
    pub impulse: f64,
}

/// How a live run goes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Status {
    /// Whether the world stands still.
    pub paused: bool,
    /// Whether the run is over.
    pub ended: bool,
    /// What is asked: simulated seconds a second; 0 means as fast as possible.
    pub speed: f64,
    /// What is reached, over the last second or so.
    pub real_time_factor: f64,
    /// Key of all random numbers.
    pub seed: u64,
    /// Deadlines every [`super::TICK_S`] that were published after the next one.
    pub missed_ticks: u64,
    /// Deadlines every [`super::FRAME_S`] that were published after the next one.
    pub missed_frames: u64,
    /// Wall time given up because the machine could not keep up, s.
    pub behind_s: f64,
    /// Lateness of the ticks.
    pub tick_lateness: Lateness,
    /// Lateness of the frames.
    pub frame_lateness: Lateness,
    /// Whether the world advances only with its controllers.
    pub lock_step: bool,
    /// Controllers that take part in lock step.
    pub controllers: u32,
    /// Controllers that the world waits for.
    pub awaited: u32,
}

/// How late deadlines were, s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[allow(missing_docs)] // quantiles by name
pub struct Lateness {
    pub p50: f64,
    pub p99: f64,
    pub p999: f64,
    pub max: f64,
}

/// Most channels that are published: what a scene has more is not, so that showing a large world stays cheap.
pub const MOST_CHANNELS: usize = 4096;

/// Time between two ticks, s of wall time.
pub const TICK_S: f64 = 1e-3;

/// Time between two frames, s of wall time: a camera's pictures.
pub const FRAME_S: f64 = 0.030;
