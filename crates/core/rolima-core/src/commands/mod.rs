//! Stage 1, commands: queue and drivers => commanded voltages, speeds and values of actuators.
//!
//! Clients put commands into the queue at any time ([`crate::World::command`]); bad ones are
//! refused there, with an event. The queue is latched here, at the start of a step. Robots that no
//! client commands are driven by their built-in driver.

use crate::engine;
use crate::events::{Event, Happened};
use crate::scratch::Scratch;
use crate::state::State;
use rolima_model::{Model, RobotId};

mod drivers;

/// Voltages for the two motors, V.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Volts {
    /// Right motor.
    pub right: f64,
    /// Left motor.
    pub left: f64,
}

/// What a robot is told to do. It holds until the next command.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// Voltages for the motors.
    Volts(Volts),
    /// High level: speeds of the body, for robots with a speed controller.
    Velocity {
        /// Along the heading, m/s.
        v: f64,
        /// Turning, rad/s.
        omega: f64,
    },
    /// Low level: speeds of the wheels, for robots with a speed controller.
    Wheels {
        /// Right wheel, rad/s.
        right: f64,
        /// Left wheel, rad/s.
        left: f64,
    },
    /// Stands: slowed down by its speed controller, if it has one; then with its brakes on, or its
    /// motors short-circuited where there are no brakes.
    Stop,
    /// The value of one of its actuators, in the unit of that. The others keep what they were told in
    /// this way; those that were not told anything since another kind of command are at 0.
    Direct {
        /// Number of the actuator among the robot's own ([`rolima_model::Model::actuators_of`]).
        actuator: u32,
        /// Its value; what is beyond its limit is cut.
        value: f64,
    },
}

/// Which of its quantities a robot with a speed controller is commanded by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Control {
    /// Voltages (right, left).
    Volts,
    /// Speed and turning of the body.
    #[default]
    Velocity,
    /// Speeds of the wheels (right, left).
    Wheels,
    /// Nothing: it stands.
    Stop,
    /// Values of its actuators, which the vehicle has.
    Direct,
}

impl Control {
    /// All of them, in the order of their codes.
    pub(crate) const ALL: [Self; 5] =
        [Self::Volts, Self::Velocity, Self::Wheels, Self::Stop, Self::Direct];
}

impl From<Volts> for Command {
    fn from(volts: Volts) -> Self {
        Self::Volts(volts)
    }
}

impl Command {
    /// What is commanded, and its two numbers: right before left, speed before turning, the actuator
    /// before its value.
    pub fn parts(self) -> (Control, [f64; 2]) {
        match self {
            Self::Volts(Volts { right, left }) => (Control::Volts, [right, left]),
            Self::Velocity { v, omega } => (Control::Velocity, [v, omega]),
            Self::Wheels { right, left } => (Control::Wheels, [right, left]),
            Self::Stop => (Control::Stop, [0.0; 2]),
            Self::Direct { actuator, value } => (Control::Direct, [f64::from(actuator), value]),
        }
    }

    /// The command of these parts.
    pub fn from_parts(control: Control, [a, b]: [f64; 2]) -> Self {
        match control {
            Control::Volts => Self::Volts(Volts { right: a, left: b }),
            Control::Velocity => Self::Velocity { v: a, omega: b },
            Control::Wheels => Self::Wheels { right: a, left: b },
            Control::Stop => Self::Stop,
            Control::Direct => Self::Direct { actuator: a as u32, value: b },
        }
    }
}

/// Why a command was refused.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CommandRefusal {
    /// There is no robot of this number.
    NoSuchRobot(RobotId),
    /// A number is not finite.
    NotFinite,
    /// The robot has no speed controller: it obeys voltages only.
    NoServo(RobotId),
    /// The robot's motors are not commanded by voltages, but by what their actuators say.
    NoVolts(RobotId),
    /// The robot has no actuator of this number.
    NoSuchActuator(u32),
    /// A voltage is beyond [`ABSURD_FACTOR`] times the supply: a unit was mistaken.
    Absurd(f64),
}

impl core::fmt::Display for CommandRefusal {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::NoSuchRobot(n) => write!(f, "there is no robot {n}"),
            Self::NotFinite => write!(f, "a number of the command is not finite"),
            Self::NoServo(n) => write!(f, "robot {n} has no speed controller, only voltages"),
            Self::NoVolts(n) => write!(f, "the motors of robot {n} are not commanded by voltages"),
            Self::NoSuchActuator(n) => write!(f, "the robot has no actuator {n}"),
            Self::Absurd(v) => write!(f, "{v} V is far beyond the supply (millivolts?)"),
        }
    }
}

impl core::error::Error for CommandRefusal {}

/// Voltages up to this many times the supply saturate; beyond, the command is refused.
pub const ABSURD_FACTOR: f64 = 100.0;

/// Whether a command may enter the queue.
pub(crate) fn check(model: &Model, robot: RobotId, command: Command) -> Result<(), CommandRefusal> {
    let Some(r) = model.robots.get(robot.index()) else {
        return Err(CommandRefusal::NoSuchRobot(robot));
    };
    let (_, numbers) = command.parts();
    if numbers.iter().any(|x| !x.is_finite()) {
        return Err(CommandRefusal::NotFinite);
    }
    match command {
        Command::Stop => return Ok(()),
        Command::Direct { actuator, .. } => {
            let known = (actuator as usize) < model.actuators_of(robot.0).len();
            return if known { Ok(()) } else { Err(CommandRefusal::NoSuchActuator(actuator)) };
        }
        Command::Velocity { .. } | Command::Wheels { .. } => {
            // Speeds beyond the servo's are cut, whatever they are.
            let obeys = engine::drives_at(model, robot, numbers);
            return if obeys { Ok(()) } else { Err(CommandRefusal::NoServo(robot)) };
        }
        Command::Volts(_) if !engine::takes_voltages(model, robot) => {
            return Err(CommandRefusal::NoVolts(robot));
        }
        Command::Volts(_) => {}
    }
    let limit = ABSURD_FACTOR * model.drives[r.drive as usize].spec.supply;
    match numbers.iter().find(|volts| volts.abs() > limit) {
        Some(&volts) => Err(CommandRefusal::Absurd(volts)),
        None => Ok(()),
    }
}

/// Notes a refusal as an event.
pub(crate) fn note_refusal(
    state: &mut State,
    scratch: &mut Scratch,
    robot: RobotId,
    why: CommandRefusal,
) {
    let event = Event { step: state.step, what: Happened::Refused { robot, why } };
    scratch.log.push(&mut state.event_counts, event);
}

/// Stage 1: latches the queue, lets the drivers act that are due.
pub(crate) fn run(model: &Model, state: &mut State, scratch: &mut Scratch) {
    scratch.commanded_now.clear();
    for robot in scratch.queued.drain(..) {
        if let Some(command) = state.waiting[robot as usize].take() {
            state.drivers[robot as usize].overridden = true;
            latch(state, &mut scratch.commanded_now, robot, command);
        }
    }
    if state.step >= state.drivers_due {
        drivers::run(model, state, scratch);
    }
}

/// Makes a command the one that the robot obeys.
fn latch(state: &mut State, commanded_now: &mut Vec<u32>, robot: u32, command: Command) {
    let (control, numbers) = command.parts();
    state.commanded[robot as usize] = numbers;
    if let Some(known) = &mut state.control[robot as usize] {
        *known = control;
    }
    commanded_now.push(robot);
}
