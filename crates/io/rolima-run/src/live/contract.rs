//! What goes into a live run and what comes out of it.

use super::loaded::{Loaded, Prepared};
use super::recorder::{RecordAnswer, RecordEnd, Recorder};
use super::timeline::{ShownMode, ShownTimeline, Travel};
use super::turn::TurnSink;
use crate::speed::Speed;
use crate::stopwatch::Profile;
use rolima_agents::{Action, PublishedGoal};
use rolima_core::{Command, Event, Frame, Model, RobotId, SenseState};
use rolima_math::Vec2;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Instant;

/// Something that somebody asks of a live run.
pub struct TimedRequest {
    /// When it arrived: it takes effect at this instant, to the step.
    pub at: Instant,
    /// What is asked.
    pub request: Request,
}

/// What can be asked of a live run.
pub enum Request {
    /// Acts on the world.
    Action(Action),
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
    /// To another instant of the run.
    Travel(Travel),
    /// Somebody keeps the run whole from now on.
    Record(Box<dyn Recorder>, RecordAnswer),
    /// Nobody keeps the run any more; told how it came out, or that nobody did.
    StopRecord(RecordEnd),
    /// Says that all that was asked before it, by the same thread, was done.
    Mark {
        /// Where it is said; publications from then on show what was done.
        done: Arc<AtomicU64>,
        /// What is said there.
        number: u64,
    },
    /// Ends the run.
    Stop,
}

/// Somebody who sees what a live run publishes. Called on the loop's thread: must not block, and
/// must not allocate without bound.
pub trait Sink: Send {
    /// Another scene begins: before the first publication, and after every load.
    fn scene(&mut self, scene: &PublishedScene<'_>);
    /// The world now: at every deadline, whether it moves or stands still, before it starts over,
    /// and at the end.
    fn publication(&mut self, publication: &Publication<'_>);
    /// Whether it wants to know where the time of steps goes. While nobody does, nothing is measured.
    fn wants_profile(&self) -> bool {
        false
    }
}

/// A scene that begins.
#[derive(Clone, Copy)]
pub struct PublishedScene<'a> {
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
    /// What whoever loaded it has made ready for a sink ([`Loaded::prepared`]).
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
pub struct Publication<'a> {
    /// Which scene.
    pub generation: u32,
    /// The bodies, and what sensors read.
    pub frame: &'a Frame,
    /// The sensors: what they read, their standard deviations, where everything was when cameras
    /// took their last pictures.
    pub senses: &'a SenseState,
    /// Points where bodies pressed in the last step.
    pub contacts: &'a [PublishedContact],
    /// What happened since the publication before.
    pub events: &'a [Event],
    /// How many events were too many to keep, since the run began.
    pub events_dropped: u64,
    /// Robots that were sent to poses, in the order of robots.
    pub goals: &'a [PublishedGoal],
    /// The values of the world's first channels, [`MOST_CHANNELS`] at most, in the order of
    /// [`rolima_core::Schema`].
    pub channels: &'a [f64],
    /// Where the time of steps goes, while a sink wants to know.
    pub profile: Option<&'a Profile>,
    /// How the run goes.
    pub status: &'a RunStatus,
    /// Which instant this is.
    pub timeline: &'a ShownTimeline,
}

/// A point where bodies press.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PublishedContact {
    /// Where, in the world, m.
    pub point: Vec2,
    /// The normal impulse of the last step, N s.
    pub impulse: f64,
}

/// How a live run goes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RunStatus {
    /// Simulated time since the run began, s, over resets and other scenes.
    pub run_time_s: f64,
    /// Which instant is shown.
    pub shown: ShownMode,
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
