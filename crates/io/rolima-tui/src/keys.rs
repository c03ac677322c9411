//! What the keys do.

use super::link::ViewRequest;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use rolima_core::model::{Model, RobotModel};
use rolima_core::{Command, Volts};

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum KeyAction {
    Quit,
    ToggleHelp,
    NextRobot,
    PreviousRobot,
    /// Field, the robot's quantities, all quantities, and so on.
    TurnList,
    /// The list of quantities a page on, or back.
    Page {
        down: bool,
    },
    Order(ViewRequest),
    Drive(Direction),
}

/// Where the chosen robot shall go.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Direction {
    Forward,
    Backward,
    Left,
    Right,
}

/// Keys and what they do, for the help.
pub(super) const HELP: &[(&str, &str)] = &[
    ("q  Esc  Ctrl-C", "quit"),
    ("space", "pause and go on"),
    ("n", "one step, then pause"),
    ("+  -", "faster, slower"),
    ("m", "max speed, real time"),
    ("r", "back to the start"),
    ("Tab", "choose the next robot"),
    ("arrows  WASD", "drive that robot"),
    ("c  PgUp  PgDn", "quantities by name"),
    ("h  ?", "this help"),
];

/// What a key does.
pub(super) fn action(key: KeyEvent) -> Option<KeyAction> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    if key.modifiers.contains(KeyModifiers::CONTROL) {
        return (key.code == KeyCode::Char('c')).then_some(KeyAction::Quit);
    }
    let code = match key.code {
        KeyCode::Char(letter) => KeyCode::Char(letter.to_ascii_lowercase()),
        other => other,
    };
    Some(match code {
        KeyCode::Char('q') | KeyCode::Esc => KeyAction::Quit,
        KeyCode::Char('h' | '?') => KeyAction::ToggleHelp,
        KeyCode::Tab => KeyAction::NextRobot,
        KeyCode::BackTab => KeyAction::PreviousRobot,
        KeyCode::Char('c') => KeyAction::TurnList,
        KeyCode::PageDown => KeyAction::Page { down: true },
        KeyCode::PageUp => KeyAction::Page { down: false },
        KeyCode::Char(' ') => KeyAction::Order(ViewRequest::TogglePause),
        KeyCode::Char('n') => KeyAction::Order(ViewRequest::SingleStep),
        KeyCode::Char('+' | '=') => KeyAction::Order(ViewRequest::Faster),
        KeyCode::Char('-' | '_') => KeyAction::Order(ViewRequest::Slower),
        KeyCode::Char('m') => KeyAction::Order(ViewRequest::ToggleMax),
        KeyCode::Char('r') => KeyAction::Order(ViewRequest::Reset),
        KeyCode::Up | KeyCode::Char('w') => KeyAction::Drive(Direction::Forward),
        KeyCode::Down | KeyCode::Char('s') => KeyAction::Drive(Direction::Backward),
        KeyCode::Left | KeyCode::Char('a') => KeyAction::Drive(Direction::Left),
        KeyCode::Right | KeyCode::Char('d') => KeyAction::Drive(Direction::Right),
        _ => return None,
    })
}

/// What a robot is driven with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Means {
    /// Voltages up to the supply, V.
    Volts { supply: f64 },
    /// Speeds up to these, m/s and rad/s, by its speed controller.
    Speeds { speed: f64, turning: f64 },
}

/// Fastest that keys drive, m/s, and turn, rad/s: what a person can steer.
const MOST_BY_HAND: [f64; 2] = [2.0, 3.0];

impl Means {
    /// What a robot is driven with.
    pub(super) fn of(model: &Model, robot: &RobotModel) -> Self {
        let supply = model.drives[robot.drive as usize].spec.supply;
        robot.servo.map_or(Self::Volts { supply }, |servo| Self::Speeds {
            speed: servo.max_speed.min(MOST_BY_HAND[0]),
            turning: servo.max_turning.min(MOST_BY_HAND[1]),
        })
    }

    fn command(self, drive: f64, turn: f64) -> Command {
        match self {
            Self::Volts { supply } => Command::Volts(Volts {
                right: supply * (drive + turn),
                left: supply * (drive - turn),
            }),
            Self::Speeds { speed, turning } => {
                Command::Velocity { v: speed * drive, omega: turning * turn }
            }
        }
    }
}

/// How long a key drives, s. Terminals tell when a key goes down and that it repeats, but not when
/// it goes up.
const HOLD_S: f64 = 0.3;
/// Share of the supply that drives straight on, and that turns.
const DRIVE_SHARE: f64 = 0.7;
const TURN_SHARE: f64 = 0.25;

/// Drives a robot while keys are held.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Steering {
    /// Forward (1) or backward (-1), and until when.
    drive: (f64, f64),
    /// Left (1) or right (-1), and until when.
    turn: (f64, f64),
    /// The robot that is being driven, and with what.
    driven: Option<(u32, Command)>,
}

impl Steering {
    /// A key for a direction came.
    pub(super) fn press(&mut self, direction: Direction, now_s: f64) {
        let until_s = now_s + HOLD_S;
        match direction {
            Direction::Forward => self.drive = (1.0, until_s),
            Direction::Backward => self.drive = (-1.0, until_s),
            Direction::Left => self.turn = (1.0, until_s),
            Direction::Right => self.turn = (-1.0, until_s),
        }
    }

    /// The orders that are due, for a chosen robot of these means.
    pub(super) fn orders(&mut self, robot: u32, means: Means, now_s: f64) -> Vec<ViewRequest> {
        let held = |(sign, until_s): (f64, f64)| if now_s < until_s { sign } else { 0.0 };
        let (drive, turn) = (DRIVE_SHARE * held(self.drive), TURN_SHARE * held(self.turn));
        let wanted = (drive != 0.0 || turn != 0.0).then_some((robot, means.command(drive, turn)));
        let before = std::mem::replace(&mut self.driven, wanted);
        if before == wanted {
            return vec![];
        }
        let mut orders = vec![];
        if let Some((other, _)) = before
            && wanted.is_none_or(|(robot, _)| robot != other)
        {
            orders.push(ViewRequest::Release(other));
        }
        orders.extend(wanted.map(|(robot, command)| ViewRequest::Drive(robot, command)));
        orders
    }

    /// The robot that is being driven.
    pub(super) fn driven(&self) -> Option<u32> {
        self.driven.map(|(robot, _)| robot)
    }

    /// No key is held any more; what is driven is released with the next orders.
    pub(super) fn let_go(&mut self) {
        (self.drive, self.turn) = ((0.0, 0.0), (0.0, 0.0));
    }

    /// Forgets all keys, without a release: the world was reset.
    pub(super) fn forget(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const VOLTS: Means = Means::Volts { supply: 9.0 };

    fn key(code: KeyCode) -> Option<KeyAction> {
        action(KeyEvent::new(code, KeyModifiers::NONE))
    }

    #[test]
    fn keys_do_what_the_help_says() {
        assert_eq!(key(KeyCode::Char('q')), Some(KeyAction::Quit));
        assert_eq!(key(KeyCode::Esc), Some(KeyAction::Quit));
        let ctrl_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(action(ctrl_c), Some(KeyAction::Quit));
        assert_eq!(key(KeyCode::Char(' ')), Some(KeyAction::Order(ViewRequest::TogglePause)));
        assert_eq!(key(KeyCode::Char('W')), Some(KeyAction::Drive(Direction::Forward)));
        assert_eq!(key(KeyCode::Left), Some(KeyAction::Drive(Direction::Left)));
        assert_eq!(key(KeyCode::Char('x')), None);
        let up = KeyEvent::new_with_kind(KeyCode::Up, KeyModifiers::NONE, KeyEventKind::Release);
        assert_eq!(action(up), None);
    }

    #[test]
    fn a_held_key_drives_once_and_releases_when_it_is_let_go() {
        let mut steering = Steering::default();
        assert_eq!(steering.orders(2, VOLTS, 0.0), []);
        steering.press(Direction::Forward, 0.0);
        let [ViewRequest::Drive(2, Command::Volts(volts))] = steering.orders(2, VOLTS, 0.1)[..]
        else {
            panic!()
        };
        assert!((volts.right - 6.3).abs() < 1e-9 && (volts.left - 6.3).abs() < 1e-9);
        steering.press(Direction::Forward, 0.2);
        assert_eq!(steering.orders(2, VOLTS, 0.4), [], "goes on without a new command");
        assert_eq!(steering.orders(2, VOLTS, 0.51), [ViewRequest::Release(2)]);
        assert_eq!(steering.orders(2, VOLTS, 0.6), []);
    }

    #[test]
    fn a_speed_controller_gets_speeds() {
        let mut steering = Steering::default();
        steering.press(Direction::Left, 0.0);
        let means = Means::Speeds { speed: 2.0, turning: 3.0 };
        let [ViewRequest::Drive(0, Command::Velocity { v, omega })] =
            steering.orders(0, means, 0.0)[..]
        else {
            panic!()
        };
        assert!(v == 0.0 && omega > 0.0 && omega <= 3.0);
    }

    #[test]
    fn another_robot_takes_over() {
        let mut steering = Steering::default();
        steering.press(Direction::Left, 0.0);
        assert!(matches!(
            steering.orders(0, VOLTS, 0.0)[..],
            [ViewRequest::Drive(0, Command::Volts(v))] if v.right > v.left
        ));
        assert!(matches!(
            steering.orders(1, VOLTS, 0.1)[..],
            [ViewRequest::Release(0), ViewRequest::Drive(1, _)]
        ));
    }
}
