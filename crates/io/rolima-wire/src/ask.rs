//! What a client asks, bounded and checked.

use crate::actuate;
use crate::goal::{self, GoalAsked};
use crate::map::{MapAsked, decode_long, map_asked};
use crate::pb::{self, client_message::Kind, control};
use crate::sensing;
use crate::timeline::{self, GhostsAsked, SeriesAsked, TimeTravelAsked};
use prost::Message;
use rolima_core::model::Mount;
use rolima_core::{Command, Volts};
use rolima_math::{Pose2, Vec2};
use std::borrow::Cow;
use std::time::Duration;

/// Longest message from a client, bytes; one with a map may be longer, see [`crate::map`].
pub const MOST_MESSAGE_BYTES: usize = 64 * 1024;
/// Most commands in one message.
pub const MOST_DRIVES: usize = 2048;
/// Most robots whose sensors one viewer watches.
pub const MOST_WATCHED: usize = 8;
/// Longest name of a viewer, characters.
pub const MOST_NAME_CHARS: usize = 40;
/// Longest name of a scene, bytes.
pub const MOST_SCENE_NAME_BYTES: usize = 200;
/// Farthest point, m; largest voltage, V; largest impulse, N s. Beyond, a unit was mistaken.
pub const MOST_NUMBER: f64 = 1e6;
/// Most steps at a time, and most steps between two turns of a controller.
pub const MOST_STEPS: u32 = 1_000_000;
/// Longest that a command to a robot holds by itself, ms.
pub const MOST_HOLD_MS: u32 = 3000;
/// Slowest and fastest speed that can be asked, simulated seconds a second.
pub const SPEEDS: std::ops::RangeInclusive<f64> = 0.1..=100.0;

/// Why a message was refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum WireError {
    /// Longer than [`MOST_MESSAGE_BYTES`], and no map; or longer than any map.
    #[error("a message of {0} bytes; at most {MOST_MESSAGE_BYTES} are taken")]
    TooLong(usize),
    /// Not a Protobuf message of the schema.
    #[error("not a ClientMessage: {0}")]
    NotProtobuf(String),
    /// A message without content, or with one of a later protocol.
    #[error("a ClientMessage without a kind that this simulator knows")]
    Empty,
    /// A value outside of what makes sense.
    #[error("{field}: expected {expected}, got {got}")]
    Value {
        /// Which field.
        field: Cow<'static, str>,
        /// What would have been right.
        expected: String,
        /// What was there.
        got: String,
    },
}

/// A command for a robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriveAsked {
    /// Number of the body.
    pub body: u32,
    /// What it is to do.
    pub command: Command,
    /// How long that holds where nothing follows; at most [`MOST_HOLD_MS`].
    pub hold: Duration,
}

/// What a client asks. All numbers are finite and within bounds; body numbers are not checked
/// against a scene.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // the schema says what the fields are
pub enum Ask {
    Play,
    Pause,
    /// This many steps, 1 to [`MOST_STEPS`].
    Step(u32),
    /// A factor within [`SPEEDS`]; none: as fast as possible.
    Speed(Option<f64>),
    Reset,
    Seed(u64),
    Load(String),
    LoadMap(Box<MapAsked>),
    Claim {
        body: u32,
    },
    GiveUp {
        body: u32,
    },
    Drive(DriveAsked),
    /// At most [`MOST_DRIVES`], each for another robot.
    DriveTeam(Vec<DriveAsked>),
    /// Values for actuators of a robot.
    Actuate(actuate::ActuateAsked),
    Place {
        body: u32,
        pose: Pose2,
    },
    Push {
        body: u32,
        point: Vec2,
        impulse: Vec2,
    },
    Grab {
        body: u32,
        own: Vec2,
        hand: Vec2,
    },
    LetGo {
        body: u32,
    },
    /// Without control characters, at most [`MOST_NAME_CHARS`] long; may be empty.
    NewName(String),
    Join {
        period: u32,
    },
    Answer {
        step: u64,
        drives: Vec<DriveAsked>,
    },
    Pong,
    /// At most [`MOST_WATCHED`] robots, and the world.
    Watch {
        mounts: Vec<Mount>,
        pictures: bool,
    },
    Sigma {
        mount: Mount,
        sensor: u32,
        axis: u32,
        sigma: f64,
    },
    /// A goal to drive to; none takes it away.
    Goal {
        body: u32,
        goal: Option<GoalAsked>,
    },
    WatchGoals(bool),
    ForPrograms {
        body: u32,
        on: bool,
    },
    /// Patterns of at most [`MOST_PATTERN_BYTES`], and [`MOST_CHANNELS_WATCHED`] numbers at most.
    WatchChannels(ChannelsAsked),
    WatchProfile(bool),
    TimeTravel(TimeTravelAsked),
    Series(SeriesAsked),
    /// Whether the run is to be recorded.
    Record(bool),
    Ghosts(GhostsAsked),
    WatchTimeline(bool),
}

/// The channels that a client wants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ChannelsAsked {
    /// Whether it wants the list of all.
    pub list: bool,
    /// Patterns of names with commas between them; empty: none.
    pub patterns: String,
    /// Numbers besides.
    pub numbers: Vec<u32>,
}

/// Most channels that one client gets.
pub const MOST_CHANNELS_WATCHED: usize = 256;
/// Longest patterns of names that one client may ask for: comparing with all names takes time.
pub const MOST_PATTERN_BYTES: usize = 1024;

/// Decodes and checks a message of a client.
pub fn decode(bytes: &[u8]) -> Result<Ask, WireError> {
    if bytes.len() > MOST_MESSAGE_BYTES {
        return decode_long(bytes);
    }
    let message = pb::ClientMessage::decode(bytes)
        .map_err(|error| WireError::NotProtobuf(error.to_string()))?;
    let ask = match message.kind.ok_or(WireError::Empty)? {
        Kind::Control(control) => return control_asked(control),
        Kind::Claim(pb::Claim { body, release: false }) => Ask::Claim { body },
        Kind::Claim(pb::Claim { body, release: true }) => Ask::GiveUp { body },
        Kind::Drive(drive) => {
            Ask::Drive(drive_asked(drive).map_err(|wrong| wrong.within("drive"))?)
        }
        Kind::DriveTeam(m) => Ask::DriveTeam(team_asked(m)?),
        Kind::Actuate(m) => {
            Ask::Actuate(actuate::asked(m).map_err(|wrong| wrong.within("actuate"))?)
        }
        Kind::Place(m) => {
            let position = point(["place.x", "place.y"], m.x, m.y)?;
            // A heading is reduced to one turn, where large ones have no digits left.
            let heading = number("place.heading", m.heading)?;
            Ask::Place { body: m.body, pose: Pose2::new(position.x, position.y, heading) }
        }
        Kind::SetGoal(m) => Ask::Goal { body: m.body, goal: goal::asked(m)? },
        Kind::WatchGoals(m) => Ask::WatchGoals(m.on),
        Kind::WatchChannels(m) => Ask::WatchChannels(channels_asked(m)?),
        Kind::WatchProfile(m) => Ask::WatchProfile(m.on),
        Kind::ForPrograms(m) => Ask::ForPrograms { body: m.body, on: m.on },
        Kind::Push(m) => Ask::Push {
            body: m.body,
            point: point(["push.x", "push.y"], m.x, m.y)?,
            impulse: point(["push.impulse_x", "push.impulse_y"], m.impulse_x, m.impulse_y)?,
        },
        Kind::Grab(m) => Ask::Grab {
            body: m.body,
            own: point(["grab.own_x", "grab.own_y"], m.own_x, m.own_y)?,
            hand: point(["grab.x", "grab.y"], m.x, m.y)?,
        },
        Kind::LetGo(m) => Ask::LetGo { body: m.body },
        Kind::NewName(m) => Ask::NewName(clean_name(&m.name)),
        Kind::Join(m) => Ask::Join { period: steps("join.period", m.period)? },
        Kind::Answer(m) => {
            Ask::Answer { step: m.step, drives: drives_asked("answer.drives", m.drives)? }
        }
        Kind::LoadMap(m) => return map_asked(m),
        Kind::Pong(_) => Ask::Pong,
        Kind::Watch(m) => sensing::watch_asked(m)?,
        Kind::Sigma(m) => sensing::sigma_asked(&m)?,
        Kind::TimeTravel(m) => return timeline::time_travel_asked(m),
        Kind::AskSeries(m) => return timeline::series_asked(m),
        Kind::Record(m) => return timeline::record_asked(m),
        Kind::ChangeGhosts(m) => return timeline::ghosts_asked(m),
        Kind::WatchTimeline(m) => Ask::WatchTimeline(m.on),
    };
    Ok(ask)
}

fn channels_asked(m: pb::WatchChannels) -> Result<ChannelsAsked, WireError> {
    let pb::WatchChannels { list, patterns, channels: numbers } = m;
    if patterns.len() > MOST_PATTERN_BYTES {
        let expected = format!("at most {MOST_PATTERN_BYTES} bytes");
        return Err(value("watch_channels.patterns", expected, patterns.len()));
    }
    if numbers.len() > MOST_CHANNELS_WATCHED {
        let expected = format!("at most {MOST_CHANNELS_WATCHED}");
        return Err(value("watch_channels.channels", expected, numbers.len()));
    }
    Ok(ChannelsAsked { list, patterns, numbers })
}

fn control_asked(control: pb::Control) -> Result<Ask, WireError> {
    let is_true = |field, flag: bool| match flag {
        true => Ok(()),
        false => Err(value(field, "true", flag)),
    };
    Ok(match control.kind.ok_or(WireError::Empty)? {
        control::Kind::Play(flag) => is_true("control.play", flag).map(|()| Ask::Play)?,
        control::Kind::Pause(flag) => is_true("control.pause", flag).map(|()| Ask::Pause)?,
        control::Kind::Reset(flag) => is_true("control.reset", flag).map(|()| Ask::Reset)?,
        control::Kind::Step(count) => Ask::Step(steps("control.step", count)?),
        control::Kind::Speed(0.0) => Ask::Speed(None),
        control::Kind::Speed(factor) if SPEEDS.contains(&factor) => Ask::Speed(Some(factor)),
        control::Kind::Speed(factor) => {
            let expected = format!("0 (as fast as possible) or {:?}", SPEEDS);
            return Err(value("control.speed", expected, factor));
        }
        control::Kind::Seed(seed) => Ask::Seed(seed),
        control::Kind::Load(name) if name.len() <= MOST_SCENE_NAME_BYTES => Ask::Load(name),
        control::Kind::Load(name) => {
            let expected = format!("a name of at most {MOST_SCENE_NAME_BYTES} bytes");
            return Err(value("control.load", expected, name.len()));
        }
    })
}

/// Commands for different robots.
fn team_asked(team: pb::DriveTeam) -> Result<Vec<DriveAsked>, WireError> {
    let drives = drives_asked("drive_team.drives", team.drives)?;
    let mut bodies: Vec<u32> = drives.iter().map(|drive| drive.body).collect();
    bodies.sort_unstable();
    match bodies.array_windows().find(|[one, next]| one == next) {
        Some([twice, _]) => {
            let got = format!("two for body {twice}");
            Err(value("drive_team.drives", "one command a robot", got))
        }
        None => Ok(drives),
    }
}

fn drives_asked(field: &'static str, drives: Vec<pb::Drive>) -> Result<Vec<DriveAsked>, WireError> {
    if drives.len() > MOST_DRIVES {
        return Err(value(field, format!("at most {MOST_DRIVES}"), drives.len()));
    }
    let numbered = drives.into_iter().enumerate();
    let asked = |(at, drive)| {
        drive_asked(drive).map_err(|wrong: WireError| wrong.within(&format!("{field}[{at}]")))
    };
    numbered.map(asked).collect()
}

/// The fields of its errors are those of the message itself.
fn drive_asked(drive: pb::Drive) -> Result<DriveAsked, WireError> {
    let left = number("left", drive.left.into())?;
    let right = number("right", drive.right.into())?;
    let v = number("speed", drive.speed.into())?;
    let omega = number("turning", drive.turning.into())?;
    let command = match pb::drive::By::try_from(drive.by) {
        Ok(pb::drive::By::Volts) => Command::Volts(Volts { right, left }),
        Ok(pb::drive::By::Velocity) => Command::Velocity { v, omega },
        Ok(pb::drive::By::Wheels) => Command::Wheels { right, left },
        Ok(pb::drive::By::Stop) => Command::Stop,
        Err(_) => return Err(value("by", "VOLTS, VELOCITY, WHEELS or STOP", drive.by)),
    };
    Ok(DriveAsked { body: drive.body, command, hold: hold(drive.hold_ms)? })
}

pub(crate) fn hold(ms: u32) -> Result<Duration, WireError> {
    if ms > MOST_HOLD_MS {
        return Err(value("hold_ms", format!("at most {MOST_HOLD_MS}"), ms));
    }
    Ok(Duration::from_millis(ms.into()))
}

impl WireError {
    /// The error of a message that is a field of another.
    fn within(self, outer: &str) -> Self {
        match self {
            Self::Value { field, expected, got } => {
                Self::Value { field: format!("{outer}.{field}").into(), expected, got }
            }
            other => other,
        }
    }
}

pub(crate) fn point(fields: [&'static str; 2], x: f64, y: f64) -> Result<Vec2, WireError> {
    Ok(Vec2::new(number(fields[0], x)?, number(fields[1], y)?))
}

pub(crate) fn number(field: &'static str, x: f64) -> Result<f64, WireError> {
    // Not a number compares false.
    if x.abs() <= MOST_NUMBER {
        return Ok(x);
    }
    Err(value(field, format!("a number within {MOST_NUMBER}"), x))
}

fn steps(field: &'static str, count: u32) -> Result<u32, WireError> {
    if (1..=MOST_STEPS).contains(&count) {
        return Ok(count);
    }
    Err(value(field, format!("1 to {MOST_STEPS}"), count))
}

pub(crate) fn value(field: &'static str, expected: impl ToString, got: impl ToString) -> WireError {
    WireError::Value { field: field.into(), expected: expected.to_string(), got: got.to_string() }
}

/// A name without control characters (nor those that turn the direction of writing) and without
/// blanks around it, cut to [`MOST_NAME_CHARS`].
pub fn clean_name(name: &str) -> String {
    clean_text(name, MOST_NAME_CHARS)
}

/// The same, cut to so many characters.
pub(crate) fn clean_text(name: &str, most_chars: usize) -> String {
    let is_shown = |c: &char| {
        let turns = matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}');
        !c.is_control() && !turns
    };
    let shown: String = name.chars().filter(is_shown).collect();
    let cut: String = shown.trim().chars().take(most_chars).collect();
    cut.trim_end().to_owned()
}

/// Decodes whatever the bytes are: the entry of a fuzz target.
pub fn fuzz_entry(bytes: &[u8]) {
    match decode(bytes) {
        Ok(Ask::NewName(name)) => assert!(name.chars().count() <= MOST_NAME_CHARS),
        Ok(Ask::Drive(d)) => assert!(d.command.parts().1.iter().all(|x| x.is_finite())),
        Ok(Ask::DriveTeam(drives) | Ask::Answer { drives, .. }) => {
            assert!(drives.len() <= MOST_DRIVES);
            let numbers = drives.iter().flat_map(|d| d.command.parts().1);
            assert!({ numbers }.all(f64::is_finite));
        }
        Ok(Ask::Place { pose, .. } | Ask::Goal { goal: Some(GoalAsked { pose, .. }), .. }) => {
            assert!(pose.is_finite());
        }
        Ok(_) => {}
        Err(error) => drop(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(kind: Kind) -> String {
        let bytes = pb::ClientMessage { kind: Some(kind) }.encode_to_vec();
        decode(&bytes).expect_err("refused").to_string()
    }

    #[test]
    fn refusals_name_the_field() {
        let drive = pb::Drive { left: f32::NAN, ..Default::default() };
        assert_eq!(
            refused(Kind::Drive(drive)),
            "drive.left: expected a number within 1000000, got NaN"
        );
        let push = pb::Push { impulse_y: f64::INFINITY, ..Default::default() };
        assert!(refused(Kind::Push(push)).starts_with("push.impulse_y"));
        let goal = pb::SetGoal { heading: f64::NAN, ..Default::default() };
        assert!(refused(Kind::SetGoal(goal)).starts_with("set_goal.heading"));
        let speed = pb::Control { kind: Some(control::Kind::Speed(1e3)) };
        let expected = "control.speed: expected 0 (as fast as possible) or 0.1..=100.0, got 1000";
        assert_eq!(refused(Kind::Control(speed)), expected);
        assert!(refused(Kind::Join(pb::Join { period: 0 })).starts_with("join.period"));
        let channels = pb::WatchChannels { channels: vec![0; 257], ..Default::default() };
        assert_eq!(
            refused(Kind::WatchChannels(channels)),
            "watch_channels.channels: expected at most 256, got 257"
        );
        let channels = pb::WatchChannels { patterns: "x".repeat(1025), ..Default::default() };
        assert!(refused(Kind::WatchChannels(channels)).contains("got 1025"));
        let drives = vec![pb::Drive::default(); MOST_DRIVES + 1];
        assert!(refused(Kind::Answer(pb::Answer { step: 1, drives })).contains("2049"));
        let mut drives = vec![pb::Drive::default(); 3];
        drives[2].turning = f32::INFINITY;
        let answer = pb::Answer { step: 1, drives: drives.clone() };
        assert!(refused(Kind::Answer(answer)).starts_with("answer.drives[2].turning: "));
        assert!(
            refused(Kind::DriveTeam(pb::DriveTeam { drives }))
                .starts_with("drive_team.drives[2].turning: ")
        );
        let drives = [7, 3, 9, 3].map(|body| pb::Drive { body, ..Default::default() }).to_vec();
        assert_eq!(
            refused(Kind::DriveTeam(pb::DriveTeam { drives })),
            "drive_team.drives: expected one command a robot, got two for body 3"
        );
        assert_eq!(decode(&[]), Err(WireError::Empty));
        assert_eq!(decode(&vec![0; 70_000]), Err(WireError::TooLong(70_000)));
    }

    #[test]
    fn names_are_cleaned_and_cut() {
        assert_eq!(clean_name(" Ana\u{0}\n\u{202e} Luísa\t "), "Ana Luísa");
        assert_eq!(clean_name(&"é".repeat(100)), "é".repeat(MOST_NAME_CHARS));
        assert_eq!(clean_name("\u{1b}"), "");
    }
}
