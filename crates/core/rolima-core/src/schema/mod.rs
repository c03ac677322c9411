//! The quantities of a world by name: channels with units, made once from the model.
//!
//! A quantity is declared once, as a row of its subject's table: name, unit, meaning, and how it is read.
//! Whoever passes quantities on (files, pages, shared memory, recordings) goes over the channels and knows
//! none of them by itself.
//!
//! | module | channels | of |
//! |---|---|---|
//! | this one | `time`, `zone.NAME.goals`, `event.KIND` ... | the world |
//! | `robots` | `robot.NAME.x` ..., `robot.NAME.actuator.SIDE.voltage` ... | robots and their motors |
//! | `goals` | `robot.NAME.goal.state` ... | where robots are sent |
//! | `loose` | `ball.NAME.x` ..., `object.NAME.x` ... | balls and objects |
//! | `readings` | `robot.NAME.sensor.NAME.FIELD`, `sensor.NAME.FIELD` | what sensors of robots and of the world read last |
//! | `channels` of [`crate::planar`] | `robot.NAME.wheel.SIDE.spin` ..., `ball.NAME.roll.x` ... | what only bodies in the plane have |
//! | `channels` of [`crate::spatial`] | `robot.NAME.z` ..., `robot.NAME.actuator.NAME.commanded`, `robot.NAME.wheel.NUMBER.load` ..., `ball.NAME.z` ... | what only bodies in space have |
//!
//! Flags are numbers, 0 or 1. All quantities are in SI units and radians. What is not there at an instant
//! is NaN.

mod glob;
mod goals;
pub(crate) mod loose;
mod readings;
pub(crate) mod robots;

use crate::engine::channels as engine;
use crate::events::EventKind;
use crate::frame::Frame;
use crate::world::World;
use core::f64::consts::PI;
pub use goals::GoalReport;
pub use readings::sensor_channel;
use rolima_model::{Model, Mount};

/// One number of a world that is told by its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Its name, unique in its schema, such as `robot.blue-1.wheel.left.spin`.
    pub name: String,
    /// Its unit; empty where it has none.
    pub unit: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Least and largest value that it can have, as far as that follows from what it is.
    pub range: [f64; 2],
}

/// What is read: a world at one instant.
#[derive(Clone, Copy)]
pub struct Instant<'a> {
    /// The world.
    pub world: &'a World,
    /// Its frame of this instant.
    pub frame: &'a Frame,
    /// What is told of robots that were sent to poses, in the order of robots.
    pub goals: &'a [GoalReport],
}

/// The channels of all worlds of a model, in a fixed order.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    channels: Vec<Channel>,
}

impl Schema {
    /// The channels of a model.
    pub fn new(model: &Model) -> Self {
        Self::first(model, usize::MAX)
    }

    /// The first channels of a model, so many at most.
    pub fn first(model: &Model, most: usize) -> Self {
        let mut names = Names { channels: vec![], most };
        walk(model, None, &mut names);
        names.channels.truncate(most);
        Self { channels: names.channels }
    }

    /// The channels in their order, which is that of [`Schema::read`].
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Numbers of the channels whose names match, in their order: see [`matches_any`].
    pub fn find(&self, patterns: &str) -> Vec<usize> {
        let wanted = |&i: &usize| matches_any(patterns, &self.channels[i].name);
        (0..self.channels.len()).filter(wanted).collect()
    }

    /// The values of all channels at this instant, in their order. `out` is overwritten.
    pub fn read(&self, instant: Instant<'_>, out: &mut Vec<f64>) {
        read_first(instant, self.channels.len(), out);
        debug_assert_eq!(out.len(), self.channels.len(), "a world of this model");
    }
}

/// The values of the first channels of a world, so many at most, in their order. `out` is overwritten; it
/// allocates nothing once it has been so long.
pub fn read_first(instant: Instant<'_>, most: usize, out: &mut Vec<f64>) {
    out.clear();
    walk(instant.world.model(), Some(instant), &mut Values { values: out, most });
    out.truncate(most);
}

/// How many channels a model has.
pub fn count(model: &Model) -> usize {
    let mut count = Count(0);
    walk(model, None, &mut count);
    count.0
}

/// Whether a name matches one of some patterns with commas between them: `*` stands for any letters between
/// two dots, `**` for any at all.
pub fn matches_any(patterns: &str, name: &str) -> bool {
    patterns.split(',').any(|pattern| glob::matches(pattern.trim(), name))
}

/// A row of a table: a quantity of a subject.
pub(crate) struct Quantity<S: Subject> {
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    range: [f64; 2],
    read: for<'a> fn(&S::At<'a>) -> f64,
}

/// Something that has quantities.
pub(crate) trait Subject: Sized + 'static {
    /// It at one instant.
    type At<'a>;
    /// Its quantities.
    const QUANTITIES: &'static [Quantity<Self>];
}

/// A row, on one line.
pub(crate) const fn quantity<S: Subject>(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    read: for<'a> fn(&S::At<'a>) -> f64,
) -> Quantity<S> {
    Quantity { name, unit, meaning, range: ANY, read }
}

/// A row of something that can have values of a range only.
pub(crate) const fn bounded<S: Subject>(
    range: [f64; 2],
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    read: for<'a> fn(&S::At<'a>) -> f64,
) -> Quantity<S> {
    Quantity { name, unit, meaning, range, read }
}

/// A row of something that is so, or is not.
pub(crate) const fn truth<S: Subject>(
    name: &'static str,
    meaning: &'static str,
    read: for<'a> fn(&S::At<'a>) -> f64,
) -> Quantity<S> {
    Quantity { name, unit: "", meaning, range: [0.0, 1.0], read }
}

/// The row of a tyre, whatever engine its wheel is of; NaN where it has no share.
pub(crate) const fn grip_used<S: Subject>(read: for<'a> fn(&S::At<'a>) -> f64) -> Quantity<S> {
    let meaning = "share of what the tyre could give; NaN: without limit, or in the air";
    bounded(POSITIVE, "grip_used", "", meaning, read)
}

/// Any number.
pub(crate) const ANY: [f64; 2] = [f64::NEG_INFINITY, f64::INFINITY];
/// Nothing below zero.
pub(crate) const POSITIVE: [f64; 2] = [0.0, f64::INFINITY];
/// A direction, rad.
pub(crate) const ROUND: [f64; 2] = [-PI, PI];
/// A part of something.
pub(crate) const SHARE: [f64; 2] = [-1.0, 1.0];

/// Who goes over the subjects: names are made without an instant, values at one, in the same order as it
/// is the same walk.
pub(crate) trait Walker {
    /// The quantities of a subject.
    fn subject<S: Subject>(&mut self, name: impl FnOnce() -> String, at: Option<&S::At<'_>>);
    /// A single number.
    fn single(&mut self, channel: impl FnOnce() -> Channel, value: Option<f64>);
    /// Whether no more is wanted.
    fn is_full(&self) -> bool;
}

/// Makes names.
struct Names {
    channels: Vec<Channel>,
    most: usize,
}

impl Walker for Names {
    fn subject<S: Subject>(&mut self, name: impl FnOnce() -> String, _: Option<&S::At<'_>>) {
        let prefix = name();
        let dot = if prefix.is_empty() { "" } else { "." };
        let channel = |q: &Quantity<S>| Channel {
            name: format!("{prefix}{dot}{}", q.name),
            unit: q.unit,
            meaning: q.meaning,
            range: q.range,
        };
        self.channels.extend(S::QUANTITIES.iter().map(channel));
    }

    fn single(&mut self, channel: impl FnOnce() -> Channel, _: Option<f64>) {
        self.channels.push(channel());
    }

    fn is_full(&self) -> bool {
        self.channels.len() >= self.most
    }
}

/// Reads values.
struct Values<'a> {
    values: &'a mut Vec<f64>,
    most: usize,
}

impl Walker for Values<'_> {
    fn subject<S: Subject>(&mut self, _: impl FnOnce() -> String, at: Option<&S::At<'_>>) {
        let value = |quantity: &Quantity<S>| at.map_or(f64::NAN, |at| (quantity.read)(at));
        self.values.extend(S::QUANTITIES.iter().map(value));
    }

    fn single(&mut self, _: impl FnOnce() -> Channel, value: Option<f64>) {
        self.values.push(value.unwrap_or(f64::NAN));
    }

    fn is_full(&self) -> bool {
        self.values.len() >= self.most
    }
}

/// Counts channels.
struct Count(usize);

impl Walker for Count {
    fn subject<S: Subject>(&mut self, _: impl FnOnce() -> String, _: Option<&S::At<'_>>) {
        self.0 += S::QUANTITIES.len();
    }

    fn single(&mut self, _: impl FnOnce() -> Channel, _: Option<f64>) {
        self.0 += 1;
    }

    fn is_full(&self) -> bool {
        false
    }
}

/// The world itself.
struct Whole;

impl Subject for Whole {
    type At<'a> = Instant<'a>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        bounded(POSITIVE, "time", "s", "simulated time", |now| now.frame.time_s),
        bounded(POSITIVE, "step", "", "steps done", |now| now.frame.step as f64),
        bounded(
            POSITIVE,
            "kinetic_energy",
            "J",
            "kinetic energy of all bodies, wheels included",
            |now| now.world.kinetic_energy(),
        ),
        bounded(POSITIVE, "contact_points", "", "points that pressed in the last step", |now| {
            now.world.contact_count() as f64
        }),
    ];
}

/// Goes over everything that a world has, in the order of the schema.
fn walk(model: &Model, now: Option<Instant<'_>>, walker: &mut impl Walker) {
    walker.subject::<Whole>(String::new, now.as_ref());
    engine::walk_world(model, now, walker);
    for (i, zone) in model.spec.zones.iter().enumerate() {
        let name = || format!("zone.{}.goals", zone.name);
        let value = now.and_then(|now| now.frame.scores.get(i).map(|goals| *goals as f64));
        walker.single(|| counted(name(), "balls that have entered it"), value);
    }
    for kind in EventKind::ALL {
        let name = || format!("event.{}", kind.name());
        let value = now.map(|now| now.world.state().event_count(kind) as f64);
        walker.single(|| counted(name(), "how often it happened"), value);
    }
    robots::walk(model, now, walker);
    loose::walk(model, now, walker);
    readings::walk(model, Mount::World, now, walker);
}

/// The channel of a count.
fn counted(name: String, meaning: &'static str) -> Channel {
    Channel { name, unit: "", meaning, range: POSITIVE }
}

/// A flag as a number.
pub(crate) fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}
