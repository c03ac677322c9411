//! One line of a log as text and back.

use super::bundled::{ContentFields, Known, SourceFields};
use super::value::{Hex, LoggedNumber, short};
use data_encoding::BASE64;
use rolima_agents::{Action, Route, Target};
use rolima_core::{BodyId, Command, Model, RobotId, Volts};
use rolima_math::{Pose2, Rot2, Vec2};
use rolima_scene::Bundle;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::sync::Arc;

/// Version of the format.
pub const FORMAT: u64 = 3;

/// The hash of the state is logged every so many steps of the run: often enough to find the first
/// difference soon, seldom enough to cost nothing that can be measured.
pub const HASH_EVERY: u64 = 1000;

/// What a log is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Header {
    /// Version of the program that wrote it.
    pub rolima: String,
    /// What the scene is called.
    pub scene: String,
    /// Key of all random numbers.
    pub seed: u64,
    /// Length of a step, s.
    pub step_s: f64,
    /// Fingerprint of the compiled scene.
    pub model: u64,
    /// All that the scene was read from.
    pub source: Arc<Bundle>,
}

impl Header {
    /// The header of a log of this scene.
    pub fn new(scene: &str, source: Arc<Bundle>, model: &Model, seed: u64) -> Self {
        Self {
            rolima: env!("CARGO_PKG_VERSION").to_owned(),
            scene: scene.to_owned(),
            seed,
            step_s: model.step_s,
            model: model.fingerprint,
            source,
        }
    }
}

/// What was done to a run.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// Something was done to the world.
    Action(Action),
    /// Back to the first instant, same seed.
    Reset,
    /// Back to the first instant with this seed.
    Seed(u64),
    /// Another scene.
    Load {
        /// What the scene is called.
        scene: String,
        /// Fingerprint of the compiled scene.
        model: u64,
        /// All that it was read from; a log breaks off at a scene that has none.
        source: Option<Arc<Bundle>>,
    },
    /// The simulation goes on from what was saved of one of the same scene.
    Restore(Arc<[u8]>),
    /// The hash of the state at this step.
    Hash(u64),
}

/// How a logged run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoggedEnd {
    /// Steps of the whole run.
    pub steps: u64,
    /// Hash of the last state.
    pub state_hash: u64,
    /// Entries that could not be written in time: the log is good only up to the first of them.
    pub lost: u64,
}

/// What was wrong with a line: what was expected, and what stood there.
pub(super) type Mismatch = (String, String);

#[derive(Serialize, Deserialize)]
struct FormatField {
    rolima_log: u64,
    #[serde(default)]
    rolima: String,
}

#[derive(Serialize, Deserialize)]
pub(super) struct HeaderLine {
    #[serde(flatten)]
    format: FormatField,
    scene: String,
    seed: u64,
    step_s: LoggedNumber,
    model: Hex,
    #[serde(flatten)]
    pub(super) source: SourceFields,
}

#[derive(Serialize, Deserialize)]
struct StepLine {
    step: u64,
    #[serde(flatten)]
    done: Done,
}

/// Position (x, y), cosine and sine of the heading.
type PoseField = [LoggedNumber; 4];
type VectorField = [LoggedNumber; 2];

/// What a line says, by its `do`.
#[derive(Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
enum Done {
    Command { robot: u32, right: LoggedNumber, left: LoggedNumber },
    Velocity { robot: u32, v: LoggedNumber, omega: LoggedNumber },
    Wheels { robot: u32, right: LoggedNumber, left: LoggedNumber },
    Actuate { robot: u32, actuator: u32, value: LoggedNumber },
    Stop { robot: u32 },
    Release { robot: u32 },
    Goal { robot: u32, pose: PoseField },
    Route { robot: u32, goals: Vec<GoalField>, repeat: bool, wait_s: LoggedNumber, append: bool },
    NoGoal { robot: u32 },
    Believe { robot: u32, pose: PoseField },
    Sigma { device: u32, axis: u32, sigma: LoggedNumber },
    Place { body: u32, pose: PoseField },
    Push { body: u32, point: VectorField, impulse: VectorField },
    Grab { body: u32, own: VectorField, hand: VectorField },
    LetGo { body: u32 },
    Reset,
    Seed { seed: u64 },
    File(Box<FileFields>),
    Load(Box<LoadFields>),
    Restore { base64: String },
    Hash { state_hash: Hex },
    End { state_hash: Hex, lost: u64 },
}

/// A goal of a route.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum GoalField {
    Pose(PoseField),
    Meet { ball: u32, aim: VectorField },
}

#[derive(Serialize, Deserialize)]
struct FileFields {
    name: String,
    #[serde(flatten)]
    content: ContentFields,
}

#[derive(Serialize, Deserialize)]
struct LoadFields {
    scene: String,
    model: Hex,
    #[serde(flatten)]
    source: SourceFields,
}

impl From<Action> for Done {
    fn from(action: Action) -> Self {
        let vector = |v: Vec2| [LoggedNumber(v.x), LoggedNumber(v.y)];
        let pose_field =
            |p: Pose2| [p.position.x, p.position.y, p.rotation.c, p.rotation.s].map(LoggedNumber);
        match action {
            Action::Command {
                robot: RobotId(robot),
                command: Command::Volts(Volts { right, left }),
            } => Self::Command { robot, right: LoggedNumber(right), left: LoggedNumber(left) },
            Action::Command { robot: RobotId(robot), command: Command::Velocity { v, omega } } => {
                Self::Velocity { robot, v: LoggedNumber(v), omega: LoggedNumber(omega) }
            }
            Action::Command { robot: RobotId(robot), command: Command::Wheels { right, left } } => {
                Self::Wheels { robot, right: LoggedNumber(right), left: LoggedNumber(left) }
            }
            Action::Command {
                robot: RobotId(robot),
                command: Command::Direct { actuator, value },
            } => Self::Actuate { robot, actuator, value: LoggedNumber(value) },
            Action::Command { robot: RobotId(robot), command: Command::Stop }
            | Action::Stop { robot: RobotId(robot) } => Self::Stop { robot },
            Action::Release { robot: RobotId(robot) } => Self::Release { robot },
            Action::Goal { robot: RobotId(robot), pose } => {
                Self::Goal { robot, pose: pose_field(pose) }
            }
            Action::Route { robot: RobotId(robot), route, append } => {
                let goal = |goal: &Target| match *goal {
                    Target::Pose(pose) => GoalField::Pose(pose_field(pose)),
                    Target::Ball { ball: BodyId(ball), aim } => {
                        GoalField::Meet { ball, aim: vector(aim) }
                    }
                };
                let goals = route.goals.iter().map(goal).collect();
                Self::Route {
                    robot,
                    goals,
                    repeat: route.repeat,
                    wait_s: LoggedNumber(route.wait_s),
                    append,
                }
            }
            Action::NoGoal { robot: RobotId(robot) } => Self::NoGoal { robot },
            Action::Believe { robot: RobotId(robot), pose } => {
                Self::Believe { robot, pose: pose_field(pose) }
            }
            Action::Sigma { device, axis, sigma } => {
                Self::Sigma { device, axis, sigma: LoggedNumber(sigma) }
            }
            Action::Place { body: BodyId(body), pose } => {
                Self::Place { body, pose: pose_field(pose) }
            }
            Action::Push { body: BodyId(body), point, impulse } => {
                Self::Push { body, point: vector(point), impulse: vector(impulse) }
            }
            Action::Grab { body: BodyId(body), own, hand } => {
                Self::Grab { body, own: vector(own), hand: vector(hand) }
            }
            Action::LetGo { body: BodyId(body) } => Self::LetGo { body },
        }
    }
}

impl Done {
    /// What was done to the world; else what the line says besides.
    fn into_action(self) -> Result<Action, Self> {
        let vector = |[x, y]: VectorField| Vec2::new(x.0, y.0);
        let pose_of = |[x, y, c, s]: PoseField| Pose2 {
            position: Vec2::new(x.0, y.0),
            rotation: Rot2 { c: c.0, s: s.0 },
        };
        Ok(match self {
            Self::Command { robot, right, left } => Action::Command {
                robot: RobotId(robot),
                command: Volts { right: right.0, left: left.0 }.into(),
            },
            Self::Velocity { robot, v, omega } => Action::Command {
                robot: RobotId(robot),
                command: Command::Velocity { v: v.0, omega: omega.0 },
            },
            Self::Wheels { robot, right, left } => Action::Command {
                robot: RobotId(robot),
                command: Command::Wheels { right: right.0, left: left.0 },
            },
            Self::Actuate { robot, actuator, value } => Action::Command {
                robot: RobotId(robot),
                command: Command::Direct { actuator, value: value.0 },
            },
            Self::Stop { robot } => Action::Stop { robot: RobotId(robot) },
            Self::Release { robot } => Action::Release { robot: RobotId(robot) },
            Self::Goal { robot, pose } => {
                Action::Goal { robot: RobotId(robot), pose: pose_of(pose) }
            }
            Self::Route { robot, goals, repeat, wait_s, append } => {
                let target = |goal| match goal {
                    GoalField::Pose(pose) => Target::Pose(pose_of(pose)),
                    GoalField::Meet { ball, aim } => {
                        Target::Ball { ball: BodyId(ball), aim: vector(aim) }
                    }
                };
                let goals = goals.into_iter().map(target).collect();
                let route = Arc::new(Route { goals, repeat, wait_s: wait_s.0 });
                Action::Route { robot: RobotId(robot), route, append }
            }
            Self::NoGoal { robot } => Action::NoGoal { robot: RobotId(robot) },
            Self::Believe { robot, pose } => {
                Action::Believe { robot: RobotId(robot), pose: pose_of(pose) }
            }
            Self::Sigma { device, axis, sigma } => Action::Sigma { device, axis, sigma: sigma.0 },
            Self::Place { body, pose } => Action::Place { body: BodyId(body), pose: pose_of(pose) },
            Self::Push { body, point, impulse } => {
                Action::Push { body: BodyId(body), point: vector(point), impulse: vector(impulse) }
            }
            Self::Grab { body, own, hand } => {
                Action::Grab { body: BodyId(body), own: vector(own), hand: vector(hand) }
            }
            Self::LetGo { body } => Action::LetGo { body: BodyId(body) },
            other => return Err(other),
        })
    }
}

/// Writes a line.
fn put(output: &mut impl Write, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *output, line)?;
    output.write_all(b"\n")
}

/// Writes the header and the files of its scene.
pub(super) fn put_header(output: &mut impl Write, header: &Header) -> io::Result<()> {
    let line = HeaderLine {
        format: FormatField { rolima_log: FORMAT, rolima: header.rolima.clone() },
        scene: header.scene.clone(),
        seed: header.seed,
        step_s: LoggedNumber(header.step_s),
        model: Hex(header.model),
        source: SourceFields::of(&header.source),
    };
    put(output, &line)?;
    put_files(output, 0, &header.source, &Known::default())
}

/// Writes those files of a scene that are not in the log.
fn put_files(output: &mut impl Write, step: u64, source: &Bundle, known: &Known) -> io::Result<()> {
    if source.size_bytes() > super::MOST_BUNDLE_BYTES {
        let (most, got) = (super::MOST_BUNDLE_BYTES >> 20, source.size_bytes() >> 20);
        let why = format!("a log holds at most {most} MiB of a scene's files, got {got} MiB");
        return Err(io::Error::other(why));
    }
    for (name, bytes) in known.missing(source) {
        let content = ContentFields::of(&bytes);
        let done = Done::File(Box::new(FileFields { name: name.to_string(), content }));
        put(output, &StepLine { step, done })?;
    }
    Ok(())
}

/// Writes what was done after so many steps.
pub(super) fn put_entry(
    output: &mut impl Write,
    step: u64,
    entry: &Entry,
    known: &mut Known,
) -> io::Result<()> {
    let done = match entry {
        Entry::Action(action) => Done::from(action.clone()),
        Entry::Reset => Done::Reset,
        Entry::Seed(seed) => Done::Seed { seed: *seed },
        Entry::Hash(state_hash) => Done::Hash { state_hash: Hex(*state_hash) },
        Entry::Restore(saved) => Done::Restore { base64: BASE64.encode(saved) },
        Entry::Load { scene, source: None, .. } => {
            let why = format!("the scene `{}` was loaded without its files", short(scene));
            return Err(io::Error::other(why));
        }
        Entry::Load { scene, model, source: Some(source) } => {
            put_files(output, step, source, known)?;
            known.begin(source);
            let (scene, source) = (scene.clone(), SourceFields::of(source));
            Done::Load(Box::new(LoadFields { scene, model: Hex(*model), source }))
        }
    };
    put(output, &StepLine { step, done })
}

/// Writes how the run ended.
pub(super) fn put_end(output: &mut impl Write, end: &LoggedEnd) -> io::Result<()> {
    let done = Done::End { state_hash: Hex(end.state_hash), lost: end.lost };
    put(output, &StepLine { step: end.steps, done })
}

/// What a line after the header says.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Read {
    Entry(u64, Entry),
    /// A file of the next scene, which is known now.
    File(u64),
    End(LoggedEnd),
}

fn read_json<T: DeserializeOwned>(text: &[u8], what: &str) -> Result<T, Mismatch> {
    serde_json::from_slice(text).map_err(|error| {
        let why = error.to_string();
        // The line of the log is told; that of its text is always the first.
        let why = why.split(" at line ").next().unwrap_or_default();
        (format!("{what}, a JSON object"), format!("{} ({why})", short(&lossy(text))))
    })
}

/// The beginning of some bytes as text.
fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(&text[..text.len().min(1024)]).into_owned()
}

/// Reads a header, still without the files of its scene.
pub(super) fn read_header(text: &[u8]) -> Result<HeaderLine, Mismatch> {
    const WHAT: &str = "the header of a command log";
    let FormatField { rolima_log, rolima } = read_json(text, WHAT)?;
    if rolima_log != FORMAT {
        let older = match rolima_log {
            1 => {
                "; logs of format 1 do not hold their scenes: the program that wrote it replays it"
            }
            2 => {
                "; logs of format 2 have other fingerprints of their scenes: the program that wrote it \
                 replays it"
            }
            _ => "",
        };
        let got = format!("format {rolima_log}, written by rolima {}{older}", short(&rolima));
        return Err((format!("a log of format {FORMAT}"), got));
    }
    read_json(text, WHAT)
}

impl HeaderLine {
    /// The header with the files that were read after it.
    pub(super) fn finish(self, known: &mut Known) -> Result<Header, Mismatch> {
        Ok(Header {
            rolima: self.format.rolima,
            scene: self.scene,
            seed: self.seed,
            step_s: self.step_s.0,
            model: self.model.0,
            source: Arc::new(known.take(self.source)?),
        })
    }
}

/// Reads a line after the header.
pub(super) fn read_line(text: &[u8], known: &mut Known) -> Result<Read, Mismatch> {
    let StepLine { step, done } = read_json(text, "an entry of a command log")?;
    let entry = match done.into_action() {
        Ok(action) => Entry::Action(action),
        Err(Done::Seed { seed }) => Entry::Seed(seed),
        Err(Done::Restore { base64 }) => match BASE64.decode(base64.as_bytes()) {
            Ok(saved) => Entry::Restore(saved.into()),
            Err(why) => return Err(("`base64` of a simulation".to_owned(), why.to_string())),
        },
        Err(Done::Hash { state_hash }) => Entry::Hash(state_hash.0),
        Err(Done::File(file)) => {
            let FileFields { name, content } = *file;
            known.add(&name, content.bytes()?)?;
            return Ok(Read::File(step));
        }
        Err(Done::Load(load)) => {
            let LoadFields { scene, model, source } = *load;
            let source = Some(Arc::new(known.take(source)?));
            Entry::Load { scene, model: model.0, source }
        }
        Err(Done::End { state_hash, lost }) => {
            return Ok(Read::End(LoggedEnd { steps: step, state_hash: state_hash.0, lost }));
        }
        // All that is done to the world was taken above.
        Err(_) => Entry::Reset,
    };
    Ok(Read::Entry(step, entry))
}
