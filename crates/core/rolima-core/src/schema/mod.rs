//! The quantities of a world by name: channels with units, made once from the model.
//!
//! A quantity is declared once, as a row of its subject's table: name, unit, meaning, and how it is read.
//! Whoever passes quantities on (files, plots, recordings) goes over the channels and knows none of them
//! by itself.
//!
//! | module | channels | of |
//! |---|---|---|
//! | this one | `time`, `zone.NAME.goals`, `event.KIND` ... | the world |
//! | `robots` | `robot.NAME.x` ..., `robot.NAME.actuator.SIDE.voltage` ... | robots and their actuators |
//! | `wheels` | `robot.NAME.wheel.SIDE.spin` ..., `robot.NAME.wheel.NUMBER.load` ... | wheels |
//! | `loose` | `ball.NAME.x` ..., `object.NAME.x` ... | balls and objects |
//! | `readings` | `robot.NAME.sensor.NAME.FIELD` | what sensors read last |
//!
//! Flags are numbers, 0 or 1. All quantities are in SI units and radians.

mod glob;
mod loose;
mod readings;
mod robots;
mod wheels;

use crate::events::EventKind;
use crate::frame::Frame;
use crate::world::World;
use rolima_model::Model;

/// One number of a world that is told by its name.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Its name, unique in its schema, such as `robot.blue-1.wheel.left.spin`.
    pub name: String,
    /// Its unit; empty where it has none.
    pub unit: &'static str,
    /// What it means.
    pub meaning: &'static str,
}

/// The channels of all worlds of a model, in a fixed order.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    channels: Vec<Channel>,
}

impl Schema {
    /// The channels of a model.
    pub fn new(model: &Model) -> Self {
        let mut names = Names(vec![]);
        walk(model, None, &mut names);
        Self { channels: names.0 }
    }

    /// The channels in their order, which is that of [`Schema::read`].
    pub fn channels(&self) -> &[Channel] {
        &self.channels
    }

    /// Numbers of the channels whose names match a pattern, in their order: `*` stands for any letters
    /// between two dots, `**` for any at all; several patterns have commas between them.
    pub fn find(&self, patterns: &str) -> Vec<usize> {
        let wanted = |channel: &Channel| {
            patterns.split(',').any(|pattern| glob::matches(pattern.trim(), &channel.name))
        };
        (0..self.channels.len()).filter(|&i| wanted(&self.channels[i])).collect()
    }

    /// The values of all channels at this instant, in their order. `out` is overwritten.
    pub fn read(&self, world: &World, out: &mut Vec<f64>) {
        out.clear();
        let frame = world.frame();
        walk(world.model(), Some(Now { world, frame: &frame }), &mut Values(out));
        debug_assert_eq!(out.len(), self.channels.len(), "a world of this model");
    }
}

/// A row of a table: a quantity of a subject.
struct Quantity<S: Subject> {
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    read: for<'a> fn(&S::At<'a>) -> f64,
}

/// Something that has quantities.
trait Subject: Sized + 'static {
    /// It at one instant.
    type At<'a>;
    /// Its quantities.
    const QUANTITIES: &'static [Quantity<Self>];
}

/// A row, on one line.
const fn quantity<S: Subject>(
    name: &'static str,
    unit: &'static str,
    meaning: &'static str,
    read: for<'a> fn(&S::At<'a>) -> f64,
) -> Quantity<S> {
    Quantity { name, unit, meaning, read }
}

/// A world at the instant that is read.
#[derive(Clone, Copy)]
struct Now<'a> {
    world: &'a World,
    frame: &'a Frame,
}

/// Who goes over the subjects: names are made without an instant, values at one, in the same order as it
/// is the same walk.
trait Walker {
    /// The quantities of a subject.
    fn subject<S: Subject>(&mut self, name: impl FnOnce() -> String, at: Option<&S::At<'_>>);
    /// A single number.
    fn single(&mut self, channel: impl FnOnce() -> Channel, value: Option<f64>);
}

struct Names(Vec<Channel>);

impl Walker for Names {
    fn subject<S: Subject>(&mut self, name: impl FnOnce() -> String, _: Option<&S::At<'_>>) {
        let prefix = name();
        let dot = if prefix.is_empty() { "" } else { "." };
        self.0.extend(S::QUANTITIES.iter().map(|&Quantity { name, unit, meaning, .. }| Channel {
            name: format!("{prefix}{dot}{name}"),
            unit,
            meaning,
        }));
    }

    fn single(&mut self, channel: impl FnOnce() -> Channel, _: Option<f64>) {
        self.0.push(channel());
    }
}

struct Values<'a>(&'a mut Vec<f64>);

impl Walker for Values<'_> {
    fn subject<S: Subject>(&mut self, _: impl FnOnce() -> String, at: Option<&S::At<'_>>) {
        let value = |quantity: &Quantity<S>| at.map_or(f64::NAN, |at| (quantity.read)(at));
        self.0.extend(S::QUANTITIES.iter().map(value));
    }

    fn single(&mut self, _: impl FnOnce() -> Channel, value: Option<f64>) {
        self.0.push(value.unwrap_or(f64::NAN));
    }
}

/// The world itself.
struct Whole;

impl Subject for Whole {
    type At<'a> = Now<'a>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        quantity("time", "s", "simulated time", |now| now.frame.time_s),
        quantity("step", "", "steps done", |now| now.frame.step as f64),
        quantity("kinetic_energy", "J", "kinetic energy of all bodies, wheels included", |now| {
            now.world.kinetic_energy()
        }),
        quantity("contact_points", "", "points that pressed in the last step", |now| {
            now.world.contact_points() as f64
        }),
    ];
}

/// Goes over everything that a world has, in the order of the schema.
fn walk(model: &Model, now: Option<Now<'_>>, walker: &mut impl Walker) {
    walker.subject::<Whole>(String::new, now.as_ref());
    for (i, zone) in model.spec.zones.iter().enumerate() {
        let channel = || Channel {
            name: format!("zone.{}.goals", zone.name),
            unit: "",
            meaning: "balls that have entered it",
        };
        walker.single(channel, now.map(|now| now.frame.scores[i] as f64));
    }
    robots::walk(model, now, walker);
    loose::walk(model, now, walker);
    for kind in EventKind::ALL {
        let channel = || Channel {
            name: format!("event.{}", kind.name()),
            unit: "",
            meaning: "how often it happened",
        };
        walker.single(channel, now.map(|now| now.world.state().event_count(kind) as f64));
    }
}

/// A flag as a number.
fn flag(is: bool) -> f64 {
    f64::from(u8::from(is))
}
