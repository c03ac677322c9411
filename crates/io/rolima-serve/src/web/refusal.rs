//! Why something that a viewer asks is not done.

use super::drivers;
use pb::refusal::{Code, Nav};
use rolima_core::model::Mount;
use rolima_run::live::{
    self, HeldSeat, MOST_CONTROLLERS, MOST_GOALS, NavError, NotHeld, TravelRefusal, TurnRefusal,
    Undelivered,
};
use rolima_wire::pb;

/// Most bodies that one viewer grabs at a time.
pub(super) const MOST_GRABBED: usize = 16;

/// Why something that a viewer asks is not done. In words, for people who have no page.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum RequestRefusal {
    #[error("This viewer can only watch.")]
    WatchOnly,
    #[error(
        "This is a replay of {log}: it can be watched, paused and run at another speed, not changed."
    )]
    Replay { log: String },
    #[error("An earlier instant is shown, and the run stands: go back to the newest one first.")]
    InPast,
    #[error("{}.", capital(.0))]
    Travel(#[from] TravelRefusal),
    #[error("There is no folder for recordings (`--recordings`).")]
    NoRecordings,
    #[error("The run is being recorded already, into {0}.")]
    RecordedAlready(String),
    #[error("The run is not being recorded.")]
    NotRecorded,
    #[error("{name} cannot be recorded: {why}.")]
    RecordFailed { name: String, why: String },
    #[error("At most {0} recordings can be shown over a run.")]
    TooManyGhosts(usize),
    #[error("{why}")]
    BadGhost { name: String, why: String },
    #[error("There is no ghost {0}.")]
    NoGhost(u32),
    #[error("There is nothing to take values from: no ghost {0}, or nothing that is kept.")]
    NoSeriesSource(u32),
    #[error("There is no channel {0} then.")]
    NoSeriesChannel(String),
    #[error("Other values are still being made.")]
    SeriesBusy,
    #[error("{0}")]
    Series(String),
    #[error("There is no scene yet.")]
    NoScene,
    #[error("There is no scene called {0:?}.")]
    UnknownScene(String),
    #[error("Another scene is being loaded.")]
    Loading,
    #[error("A name needs a letter at least.")]
    NameEmpty,
    #[error("There is no body {0}.")]
    NoBody(u32),
    #[error("Body {0} is no robot.")]
    NotRobot(u32),
    #[error("{} has no sensor {sensor}.", carrier(*mount))]
    NoSensor { mount: Mount, sensor: u32 },
    #[error("{robot} has no speed controller: expected VOLTS.")]
    NoSpeedController { robot: String },
    #[error("{robot} has no actuator {asked}: expected one of {known}.")]
    NoActuator { robot: String, asked: String, known: String },
    #[error("{}", held.in_words(robot))]
    Held { robot: String, held: HeldSeat },
    #[error("Claim {robot} before you drive it.")]
    NotClaimed { robot: String },
    #[error("At most {MOST_GRABBED} bodies can be held at a time.")]
    TooManyGrabbed,
    #[error("At most {MOST_GOALS} robots can have goals at a time.")]
    TooManyGoals,
    #[error("No programs are let in: this run has no Robot One.")]
    NoRobotOne,
    #[error("Where the time goes is known only to the simulator's own page.")]
    NoProfile,
    #[error("Join before you answer.")]
    NotJoined,
    #[error("Refused: {0}.")]
    Turn(TurnRefusal),
    #[error("{0}")]
    Undelivered(#[from] Undelivered),
    #[error("Too many messages: some were dropped.")]
    TooManyMessages,
    #[error("Too many maps are being sent at once: try again in a while.")]
    NoRoom,
    #[error("Expected a binary message.")]
    NotBinary,
    /// Of several robots; the first one says why.
    #[error("{first} So it is with {others} more.")]
    Several { first: Box<RequestRefusal>, others: usize },
}

/// A sentence of what is told in its middle.
fn capital(told: &impl ToString) -> String {
    let told = told.to_string();
    let mut letters = told.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// Who has sensors, at the beginning of a sentence.
fn carrier(mount: Mount) -> String {
    mount.robot().map_or_else(|| "The world".to_owned(), |robot| format!("Robot {robot}"))
}

impl RequestRefusal {
    /// Somebody else holds the robot of this name.
    pub(super) fn held(held: HeldSeat, robot: &str) -> Self {
        Self::Held { robot: robot.to_owned(), held }
    }

    /// The robot of this name is not the viewer's.
    pub(super) fn not_held(why: NotHeld, robot: &str) -> Self {
        match why {
            NotHeld::Held(held) => Self::held(held, robot),
            NotHeld::Free => Self::NotClaimed { robot: robot.to_owned() },
        }
    }
}

/// What a refusal is as a code.
impl RequestRefusal {
    /// The message, for pages that word it in their own language.
    pub(super) fn message(&self) -> pb::Refusal {
        let plain = |code: Code| pb::Refusal { code: code.into(), ..pb::Refusal::default() };
        let of_body = |code, body| pb::Refusal { body, ..plain(code) };
        let named = |code, name: &str| pb::Refusal { name: name.to_owned(), ..plain(code) };
        let at_most = |code, most: usize| pb::Refusal { most: most as u64, ..plain(code) };
        match self {
            Self::WatchOnly => plain(Code::WatchOnly),
            Self::Replay { log } => named(Code::Replay, log),
            Self::InPast => plain(Code::InPast),
            Self::Travel(why) => of_travel(why),
            Self::NoRecordings => plain(Code::NoRecordings),
            Self::RecordedAlready(name) => named(Code::RecordedAlready, name),
            Self::NotRecorded => plain(Code::NotRecorded),
            Self::RecordFailed { name, why } => {
                pb::Refusal { detail: why.clone(), ..named(Code::RecordFailed, name) }
            }
            Self::TooManyGhosts(most) => at_most(Code::TooManyGhosts, *most),
            Self::BadGhost { name, why } => {
                pb::Refusal { detail: why.clone(), ..named(Code::BadGhost, name) }
            }
            Self::NoGhost(number) => pb::Refusal { got: (*number).into(), ..plain(Code::NoGhost) },
            Self::NoSeriesSource(number) => {
                pb::Refusal { got: (*number).into(), ..plain(Code::NoSeriesSource) }
            }
            Self::NoSeriesChannel(name) => named(Code::NoSeriesChannel, name),
            Self::SeriesBusy => plain(Code::SeriesBusy),
            Self::Series(why) => pb::Refusal { detail: why.clone(), ..plain(Code::Other) },
            Self::NoScene => plain(Code::NoScene),
            Self::UnknownScene(name) => named(Code::UnknownScene, name),
            Self::Loading => plain(Code::Loading),
            Self::NameEmpty => plain(Code::NameEmpty),
            Self::NoBody(body) => of_body(Code::NoBody, *body),
            Self::NotRobot(body) => of_body(Code::NotRobot, *body),
            Self::NoSensor { mount, sensor } => {
                let refusal = match mount {
                    Mount::Robot(robot) => of_body(Code::NoSensor, robot.0),
                    Mount::World => plain(Code::NoWorldSensor),
                };
                pb::Refusal { got: (*sensor).into(), ..refusal }
            }
            Self::NoSpeedController { robot } => named(Code::NoSpeedController, robot),
            Self::NoActuator { robot, known, .. } => {
                pb::Refusal { detail: known.clone(), ..named(Code::NoActuator, robot) }
            }
            Self::Held { robot, held } => pb::Refusal {
                body: held.robot,
                holder: Some(drivers::driver(held)),
                ..named(Code::Held, robot)
            },
            Self::NotClaimed { robot } => named(Code::NotClaimed, robot),
            Self::TooManyGrabbed => at_most(Code::TooManyGrabbed, MOST_GRABBED),
            Self::TooManyGoals => at_most(Code::TooManyGoals, MOST_GOALS),
            Self::NoRobotOne => plain(Code::NoRobotOne),
            Self::NoProfile => plain(Code::NoProfile),
            Self::NotJoined => plain(Code::NotJoined),
            Self::Turn(why) => of_turn(*why),
            Self::Undelivered(Undelivered::Full) => plain(Code::QueueFull),
            Self::Undelivered(Undelivered::Ended) => plain(Code::Ended),
            Self::TooManyMessages => plain(Code::TooManyMessages),
            Self::NoRoom => plain(Code::NoRoom),
            Self::NotBinary => plain(Code::NotBinary),
            Self::Several { first, others } => {
                pb::Refusal { others: *others as u32, ..first.message() }
            }
        }
    }
}

fn of_travel(why: &TravelRefusal) -> pb::Refusal {
    let (code, detail) = match why {
        TravelRefusal::NothingKept => (Code::NoPast, String::new()),
        TravelRefusal::LockStep => (Code::PastLockStep, String::new()),
        TravelRefusal::IsLive | TravelRefusal::NotThere => (Code::TakeOverLive, String::new()),
        TravelRefusal::Inexact => (Code::TakeOverInexact, String::new()),
        TravelRefusal::Settings(why) => (Code::TakeOverFailed, why.clone()),
    };
    pb::Refusal { code: code.into(), detail, ..pb::Refusal::default() }
}

fn of_turn(why: TurnRefusal) -> pb::Refusal {
    let of = |code: Code, most: u64, got: u64| pb::Refusal {
        code: code.into(),
        most,
        got,
        ..pb::Refusal::default()
    };
    match why {
        TurnRefusal::NotLockStep => of(Code::NotLockStep, 0, 0),
        TurnRefusal::NumberTaken(_) => of(Code::Joined, 0, 0),
        TurnRefusal::Period => of(Code::Period, 0, 0),
        TurnRefusal::TooMany => of(Code::TooManyControllers, MOST_CONTROLLERS as u64, 0),
        TurnRefusal::NotJoined(_) => of(Code::NotJoined, 0, 0),
        TurnRefusal::WrongStep { expected, got } => of(Code::WrongStep, expected, got),
        TurnRefusal::NotAsked { got } => of(Code::NotAsked, 0, got),
        TurnRefusal::Commands { most, got } => of(Code::TooManyCommands, most as u64, got as u64),
    }
}

/// Why a goal cannot be gone for.
pub(super) fn of_goal(why: live::GoalRefusal) -> pb::Refusal {
    let of = |code: Code, nav: Nav| pb::Refusal {
        code: code.into(),
        nav: nav.into(),
        ..pb::Refusal::default()
    };
    match why {
        live::GoalRefusal::InWall => of(Code::GoalInWall, Nav::Unknown),
        live::GoalRefusal::NotFinite => of(Code::GoalOutside, Nav::Unknown),
        live::GoalRefusal::Robot(why) => of(Code::GoalNotDrivable, nav_of(why)),
        live::GoalRefusal::NoSuchBall => of(Code::GoalNoBall, Nav::Unknown),
        live::GoalRefusal::BadRoute => of(Code::GoalBadRoute, Nav::Unknown),
    }
}

/// Why there is no plan.
pub(super) fn of_plan(why: NavError) -> pb::Refusal {
    let (code, nav) = (Code::GoalUnplanned.into(), nav_of(why).into());
    pb::Refusal { code, nav, ..pb::Refusal::default() }
}

fn nav_of(why: NavError) -> Nav {
    match why {
        NavError::NotFinite => Nav::NotFinite,
        NavError::ZeroSpeed => Nav::ZeroSpeed,
        NavError::NegativeSpeed => Nav::NegativeSpeed,
        NavError::BadLimit => Nav::BadLimit,
        NavError::SingularDrive => Nav::SingularDrive,
        NavError::TooManyLegs => Nav::TooManyLegs,
        // Of the printed forms of paths, which no live run plans by.
        NavError::CoincidentPoses
        | NavError::RadiusOutOfScale
        | NavError::ParallelHeadings
        | NavError::VerticalHeading
        | NavError::NoDisplacement
        | NavError::NoEllipse
        | NavError::Blocked => Nav::Unknown,
    }
}
