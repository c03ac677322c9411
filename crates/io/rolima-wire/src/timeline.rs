//! What clients ask of other instants of a run, of recordings and of ghosts.

use crate::ask::{Ask, WireError, value};
use crate::pb::{self, change_ghosts, record, time_travel};

/// Most steps that the instant shown goes at a time, either way.
pub const MOST_STEPS_SHOWN: u32 = 100_000;
/// Fastest that the past is played, either way, simulated seconds a second.
pub const MOST_PLAY_SPEED: f64 = 100.0;
/// Most settings that a run is taken over with.
pub const MOST_SETTINGS: usize = 64;
/// Most channels of one series.
pub const MOST_SERIES_CHANNELS: usize = 256;
/// Most points of one series.
pub const MOST_SERIES_POINTS: u32 = 16_384;
/// Most values of one series: channels by points.
pub const MOST_SERIES_VALUES: usize = 65_536;
/// Longest name of a recording, bytes.
pub const MOST_FILE_NAME_BYTES: usize = 200;
/// Longest run time that can be asked for, s: a thousand years.
const MOST_TIME_S: f64 = 4e10;

/// How to go to another instant.
#[derive(Clone, Debug, PartialEq)]
pub enum TimeTravelAsked {
    /// To this run time, s.
    Seek(f64),
    /// By so many steps, at most [`MOST_STEPS_SHOWN`] either way; not none.
    Step(i32),
    /// Goes on from there at this speed, not 0; below 0: backwards.
    Play(f64),
    /// Stands still.
    Stop,
    /// Back to the live run.
    ToLive,
    /// The instant shown becomes the live one.
    TakeOver {
        /// Key of random numbers from there on.
        seed: Option<u64>,
        /// Settings of the scene, `KEY=VALUE`.
        settings: Vec<String>,
    },
}

/// A stretch of values of channels.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesAsked {
    /// Number for the answer.
    pub request: u32,
    /// Names, at most [`MOST_SERIES_CHANNELS`], at least one.
    pub channels: Vec<String>,
    /// From when to when, s of the run.
    pub span_s: [f64; 2],
    /// Most points, 2 to [`MOST_SERIES_POINTS`].
    pub points: u32,
    /// Of what: 0 what is shown, else a ghost.
    pub source: u32,
}

/// What is to be done about ghosts.
#[derive(Clone, Debug, PartialEq)]
pub enum GhostsAsked {
    /// Another one.
    Add {
        /// A file's name, without a folder.
        file: String,
        /// So much later than by its own time, s.
        shift_s: f64,
    },
    /// One less.
    Remove(u32),
}

pub(crate) fn time_travel_asked(m: pb::TimeTravel) -> Result<Ask, WireError> {
    use time_travel::Kind;
    Ok(Ask::TimeTravel(match m.kind.ok_or(WireError::Empty)? {
        Kind::SeekS(at_s) => TimeTravelAsked::Seek(time("time_travel.seek_s", at_s)?),
        Kind::Step(steps) if (1..=MOST_STEPS_SHOWN).contains(&steps.unsigned_abs()) => {
            TimeTravelAsked::Step(steps)
        }
        Kind::Step(steps) => {
            let expected = format!("1 to {MOST_STEPS_SHOWN}, or as many back");
            return Err(value("time_travel.step", expected, steps));
        }
        Kind::Play(speed) if speed.abs() <= MOST_PLAY_SPEED && speed != 0.0 => {
            TimeTravelAsked::Play(speed)
        }
        Kind::Play(speed) => {
            let expected = format!("-{MOST_PLAY_SPEED} to {MOST_PLAY_SPEED}, but not 0");
            return Err(value("time_travel.play", expected, speed));
        }
        Kind::Stop(flag) => is_true("time_travel.stop", flag, TimeTravelAsked::Stop)?,
        Kind::ToLive(flag) => is_true("time_travel.to_live", flag, TimeTravelAsked::ToLive)?,
        Kind::TakeOver(pb::TakeOver { seed, set: settings }) => {
            if settings.len() > MOST_SETTINGS {
                let expected = format!("at most {MOST_SETTINGS}");
                return Err(value("time_travel.take_over.set", expected, settings.len()));
            }
            TimeTravelAsked::TakeOver { seed, settings }
        }
    }))
}

pub(crate) fn series_asked(m: pb::AskSeries) -> Result<Ask, WireError> {
    let pb::AskSeries { request, channels, begin_s, end_s, points, source } = m;
    if channels.is_empty() || channels.len() > MOST_SERIES_CHANNELS {
        let expected = format!("1 to {MOST_SERIES_CHANNELS}");
        return Err(value("ask_series.channels", expected, channels.len()));
    }
    if !(2..=MOST_SERIES_POINTS).contains(&points) {
        return Err(value("ask_series.points", format!("2 to {MOST_SERIES_POINTS}"), points));
    }
    let values = channels.len() * points as usize;
    if values > MOST_SERIES_VALUES {
        let expected = format!("channels x points at most {MOST_SERIES_VALUES}");
        return Err(value("ask_series.points", expected, values));
    }
    let span_s = [time("ask_series.begin_s", begin_s)?, time("ask_series.end_s", end_s)?];
    Ok(Ask::Series(SeriesAsked { request, channels, span_s, points, source }))
}

pub(crate) fn record_asked(m: pb::Record) -> Result<Ask, WireError> {
    match m.kind.ok_or(WireError::Empty)? {
        record::Kind::Start(flag) => is_true("record.start", flag, Ask::Record(true)),
        record::Kind::Stop(flag) => is_true("record.stop", flag, Ask::Record(false)),
    }
}

pub(crate) fn ghosts_asked(m: pb::ChangeGhosts) -> Result<Ask, WireError> {
    let shift_s = time("change_ghosts.shift_s", m.shift_s)?;
    Ok(Ask::Ghosts(match m.kind.ok_or(WireError::Empty)? {
        change_ghosts::Kind::Add(file) if file.len() <= MOST_FILE_NAME_BYTES => {
            GhostsAsked::Add { file, shift_s }
        }
        change_ghosts::Kind::Add(file) => {
            let expected = format!("a name of at most {MOST_FILE_NAME_BYTES} bytes");
            return Err(value("change_ghosts.add", expected, file.len()));
        }
        change_ghosts::Kind::Remove(number) => GhostsAsked::Remove(number),
    }))
}

fn is_true<T>(field: &'static str, flag: bool, asked: T) -> Result<T, WireError> {
    if flag { Ok(asked) } else { Err(value(field, "true", flag)) }
}

fn time(field: &'static str, seconds: f64) -> Result<f64, WireError> {
    // Not a number compares false.
    if seconds.abs() <= MOST_TIME_S {
        return Ok(seconds);
    }
    Err(value(field, format!("a time within {MOST_TIME_S} s"), seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn travel(kind: time_travel::Kind) -> Result<Ask, WireError> {
        time_travel_asked(pb::TimeTravel { kind: Some(kind) })
    }

    #[test]
    fn what_makes_no_sense_is_refused_by_its_field() {
        let seek = travel(time_travel::Kind::SeekS(f64::NAN)).expect_err("no time");
        assert!(seek.to_string().starts_with("time_travel.seek_s: expected a time"), "{seek}");
        let play = travel(time_travel::Kind::Play(0.0)).expect_err("no speed").to_string();
        assert_eq!(play, "time_travel.play: expected -100 to 100, but not 0, got 0");
        let step = travel(time_travel::Kind::Step(i32::MIN)).expect_err("too far").to_string();
        assert!(step.starts_with("time_travel.step: expected 1 to 100000"), "{step}");
        let set = vec![String::new(); MOST_SETTINGS + 1];
        let over = time_travel::Kind::TakeOver(pb::TakeOver { seed: None, set });
        assert!(travel(over).expect_err("too many").to_string().contains("got 65"));
        let asked = pb::AskSeries {
            channels: vec!["a".to_owned(); 200],
            points: 1000,
            ..pb::AskSeries::default()
        };
        let long = series_asked(asked.clone()).expect_err("too long").to_string();
        assert!(long.contains("at most 65536, got 200000"), "{long}");
        let few = series_asked(pb::AskSeries { points: 1, ..asked }).expect_err("too few");
        assert!(few.to_string().starts_with("ask_series.points: expected 2 to 16384"), "{few}");
        let off = pb::Record { kind: Some(record::Kind::Start(false)) };
        assert!(record_asked(off).expect_err("no flag").to_string().starts_with("record.start"));
    }

    #[test]
    fn going_backwards_is_as_good_as_forwards() {
        let asked = |kind| match travel(kind) {
            Ok(Ask::TimeTravel(asked)) => asked,
            other => panic!("{other:?}"),
        };
        assert_eq!(asked(time_travel::Kind::Play(-3.0)), TimeTravelAsked::Play(-3.0));
        assert_eq!(asked(time_travel::Kind::Step(-1)), TimeTravelAsked::Step(-1));
        assert_eq!(asked(time_travel::Kind::ToLive(true)), TimeTravelAsked::ToLive);
    }
}
