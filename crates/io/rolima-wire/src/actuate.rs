//! What clients ask of single actuators.

use crate::ask::{WireError, hold, number};
use crate::pb;
use std::time::Duration;

/// Most settings of an Actuate: more than any robot has actuators.
const MOST_SETTINGS: usize = 64;

/// Values for actuators of a robot.
#[derive(Clone, Debug, PartialEq)]
pub struct ActuateAsked {
    /// Number of the body.
    pub body: u32,
    /// Which actuators, and their values in their own units.
    pub settings: Vec<(Which, f64)>,
    /// How long they hold at least, if nothing follows.
    pub hold: Duration,
}

/// An actuator as a client names it.
#[derive(Clone, Debug, PartialEq)]
pub enum Which {
    /// By its name.
    Name(String),
    /// By its number among the robot's own.
    Number(u32),
}

impl core::fmt::Display for Which {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Name(name) => write!(f, "{name:?}"),
            Self::Number(number) => write!(f, "{number}"),
        }
    }
}

/// The fields of its errors are those of the message itself.
pub(crate) fn asked(actuate: pb::Actuate) -> Result<ActuateAsked, WireError> {
    let pb::Actuate { body, settings, hold_ms } = actuate;
    if settings.len() > MOST_SETTINGS {
        return Err(crate::ask::value(
            "settings",
            format!("at most {MOST_SETTINGS}"),
            settings.len(),
        ));
    }
    let setting = |setting: pb::Setting| {
        let pb::Setting { name, actuator, value } = setting;
        let which = match name.is_empty() {
            true => Which::Number(actuator),
            false => Which::Name(name),
        };
        Ok((which, number("settings.value", value)?))
    };
    let settings = settings.into_iter().map(setting).collect::<Result<_, WireError>>()?;
    Ok(ActuateAsked { body, settings, hold: hold(hold_ms)? })
}
