//! By its habits, whether a program uses the released library.
//!
//! That library leaves what was in memory where a get has no value, and asks for poses and the like
//! number by number; other clients send zeros there, or ask for all numbers at once. It reads a reply
//! with one `recv`, which cannot be seen from here, but is what this is for: see
//! [`Priming`](super::Priming).

use rolima_wire::robotone::{Asked, GetValue, RobotOneQuantity, RobotOneRefusal};

/// What is told of a program at its first picture at the release's port.
pub(super) const RECOGNISED: &str = "has the habits of the released library, which reads a reply with one `recv`: \
                          zeros go ahead of its first picture, which that library throws away. While the \
                          machine is busy it may get later ones cut off: it wants a core to itself";
pub(super) const NOT_RECOGNISED: &str = "takes its first picture; if it uses the released library and this picture is \
                              cut off, start the run with --prime-receive-window";

/// What a connection has done so far.
#[derive(Debug, Default)]
pub(super) struct Habits {
    has_garbage: bool,
    /// It has asked for something that the released library never asks for.
    is_another: bool,
}

impl Habits {
    /// A request came; `has_garbage`: with other than zeros where a get has no value.
    pub(super) fn see(&mut self, request: &Result<Asked, RobotOneRefusal>, has_garbage: bool) {
        self.has_garbage |= has_garbage;
        self.is_another |= matches!(request, Ok(Asked::GetOf(..) | Asked::SetOf(..)));
        if let Ok(Asked::Get(row)) = request {
            let is_ours = matches!(
                row.quantity,
                RobotOneQuantity::Time
                    | RobotOneQuantity::Robots
                    | RobotOneQuantity::Limits
                    | RobotOneQuantity::Scan
                    | RobotOneQuantity::LastError
                    | RobotOneQuantity::ActuatorNames
                    | RobotOneQuantity::ActuatorNumber
                    | RobotOneQuantity::SensorNames
            );
            let is_lidar = row.quantity == RobotOneQuantity::Lidar;
            self.is_another |= is_ours || (row.given == GetValue::Floats && !is_lidar);
        }
    }

    /// Whether it is the released library, by all that it has done.
    pub(super) fn is_released(&self) -> bool {
        self.has_garbage && !self.is_another
    }

    /// Whether it may be the released library, for all that one knows.
    pub(super) fn may_be_released(&self) -> bool {
        !self.is_another
    }
}
