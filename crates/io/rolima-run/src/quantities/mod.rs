//! What a run tells programs of its world as JSON: channels of the schema, grouped.
//!
//! A row says what key has which channels of a subject; docs/command-line.md says what each means, with its
//! unit; a test asks for a row of every key there. Numbers are printed in full: reading them back gives the
//! same bits. Contacts are no channels, as their number changes: `contacts` tells them.

mod contacts;

use crate::live::Session;
use crate::score::by_team;
use Shape::{Degrees, Flag, Given, Number, Numbers};
use rolima_core::model::check::Word;
use rolima_core::model::{ContactResponse, Model, Mount, WheelName};
use rolima_core::schema::sensor_channel;
use rolima_core::{EventKind, RobotId, Schema, World};
use serde_json::{Map, Value, json};
use std::collections::HashMap;

/// How a key's value is made of channels, by their names without the subject's; a key whose channels a
/// subject has not, or has no number in, is left out.
enum Shape {
    Number(&'static str),
    Numbers(&'static [&'static str]),
    Flag(&'static str),
    /// In degrees.
    Degrees(&'static str),
    /// No channel: names and lists.
    Given,
}

/// A key and its value.
type Row = (&'static str, Shape);

const WORLD: &[Row] = &[
    ("state_hash", Given),
    ("events", Given),
    ("robots", Given),
    ("seed", Given),
    ("balls", Given),
    ("scores", Given),
    ("sensors", Given),
    ("end", Given),
    ("sphere_energy_j", Numbers(&["sphere_energy.gained", "sphere_energy.lost"])),
    ("objects", Given),
    ("contacts", Given),
    ("kinetic_energy_j", Number("kinetic_energy")),
];

const ORIENTATION: Shape =
    Numbers(&["orientation.w", "orientation.x", "orientation.y", "orientation.z"]);

const ROBOT: &[Row] = &[
    ("name", Given),
    ("pose", Numbers(&["x", "y", "heading"])),
    ("twist", Numbers(&["speed.forward", "omega"])),
    ("height", Number("z")),
    ("roll", Number("roll")),
    ("pitch", Number("pitch")),
    ("tilt", Number("tilt")),
    ("climbing", Number("velocity.z")),
    ("rolled_over", Flag("rolled_over")),
    ("sensors", Given),
    ("kind", Given),
    ("heading_deg", Degrees("heading")),
    ("velocity", Numbers(&["velocity.x", "velocity.y"])),
    ("speed_forward", Number("speed.forward")),
    ("speed_left", Number("speed.left")),
    ("omega", Number("omega")),
    ("volts", Numbers(&["actuator.right.voltage", "actuator.left.voltage"])),
    ("amps", Numbers(&["actuator.right.current", "actuator.left.current"])),
    ("wheel_speeds", Numbers(&["actuator.right.spin", "actuator.left.spin"])),
    ("acceleration", Numbers(&["acceleration.x", "acceleration.y"])),
    ("slips", Flag("slips")),
    ("wheels", Given),
    ("position", Numbers(&["x", "y", "z"])),
    ("orientation", ORIENTATION),
    (
        "velocity_in_space",
        Numbers(&["centre.velocity.x", "centre.velocity.y", "centre.velocity.z"]),
    ),
    ("omega_in_space", Numbers(&["omega.x", "omega.y", "omega.z"])),
    ("acceleration_up", Number("acceleration.z")),
    ("left_terrain", Flag("left_terrain")),
    ("overridden", Flag("overridden")),
    ("quarantined", Flag("quarantined")),
];

const WHEEL: &[Row] = &[
    ("side", Given),
    ("spin", Number("spin")),
    ("slips", Flag("slips")),
    ("slip_velocity", Numbers(&["slip.forward", "slip.left"])),
    ("speed", Numbers(&["speed.forward", "speed.left"])),
    ("contact", Numbers(&["contact.x", "contact.y"])),
    ("in_air", Flag("in_air")),
    ("contact_height", Number("contact.z")),
    ("contact_angle", Number("contact_angle")),
    ("normal", Numbers(&["normal.x", "normal.y", "normal.z"])),
    ("angle", Number("angle")),
    ("steer", Number("steer")),
    ("load", Number("load")),
    ("force_forward", Number("force.forward")),
    ("force_left", Number("force.left")),
    ("grip_used", Number("grip_used")),
    ("slip_ratio", Number("slip.ratio")),
    ("slip_angle", Number("slip.angle")),
    ("compression", Number("compression")),
    ("compression_rate", Number("compression_rate")),
    ("suspension_force", Number("suspension_force")),
    ("spring_force", Number("spring_force")),
    ("motor_torque", Number("motor_torque")),
    ("friction_torque", Number("friction_torque")),
    ("voltage", Number("voltage")),
    ("current", Number("current")),
];

const BALL: &[Row] = &[("position", Numbers(&["x", "y"]))];

const OBJECT: &[Row] =
    &[("pose", Numbers(&["x", "y", "heading"])), ("heading_deg", Degrees("heading"))];

/// Balls and objects.
const NAMED: &[Row] = &[("name", Given), ("kind", Given)];
const LOOSE: &[Row] = &[
    ("velocity", Numbers(&["velocity.x", "velocity.y"])),
    ("omega", Number("omega")),
    ("roll", Numbers(&["roll.x", "roll.y"])),
    ("height", Number("z")),
    ("orientation", ORIENTATION),
    ("velocity_in_space", Numbers(&["velocity.x", "velocity.y", "velocity.z"])),
    ("omega_in_space", Numbers(&["omega.x", "omega.y", "omega.z"])),
    ("asleep", Flag("asleep")),
    ("left_terrain", Flag("left_terrain")),
    ("quarantined", Flag("quarantined")),
];

/// The channels of a run's world, with their values at one instant.
pub struct Quantities {
    schema: Schema,
    places: HashMap<String, usize>,
    values: Vec<f64>,
}

impl Quantities {
    /// Those of a world now.
    pub fn of(session: &Session) -> Self {
        let schema = Schema::new(session.world().model());
        let names = schema.channels().iter().map(|channel| channel.name.clone());
        let places = names.zip(0..).collect();
        let mut quantities = Self { schema, places, values: vec![] };
        quantities.read(session);
        quantities
    }

    /// Takes the values of the same world at another instant.
    pub fn read(&mut self, session: &Session) {
        session.read_channels(&self.schema, &mut self.values);
    }

    /// A number of a subject, if there is one.
    pub fn number(&self, subject: &str, channel: &str) -> Option<f64> {
        let place = match subject {
            "" => self.places.get(channel),
            _ => self.places.get(&format!("{subject}.{channel}")),
        };
        place.map(|&i| self.values[i]).filter(|value| !value.is_nan())
    }

    /// Everything that is told of the world, and the channels that are asked for by name.
    pub fn as_json(&self, world: &World, channels: Option<&str>) -> Map<String, Value> {
        let mut values = self.group("", &[WORLD], |key| self.of_world(world, key));
        if let Some(patterns) = channels {
            let chosen = self.schema.find(patterns).into_iter();
            let one = |i: usize| (self.schema.channels()[i].name.clone(), self.values[i].into());
            values.insert("channels".to_owned(), Value::Object(chosen.map(one).collect()));
        }
        values
    }

    /// What tables tell of a subject.
    fn group(
        &self,
        subject: &str,
        tables: &[&[Row]],
        given: impl Fn(&str) -> Option<Value>,
    ) -> Map<String, Value> {
        let number = |channel: &str| self.number(subject, channel);
        let value = |key: &str, shape: &Shape| match shape {
            Number(channel) => number(channel).map(Value::from),
            Numbers(channels) => {
                let all: Option<Vec<f64>> =
                    channels.iter().map(|channel| number(channel)).collect();
                all.map(Value::from)
            }
            Flag(channel) => number(channel).map(|value| Value::from(value != 0.0)),
            Degrees(channel) => number(channel).map(|value| Value::from(value.to_degrees())),
            Given => given(key),
        };
        let rows = tables.iter().flat_map(|table| table.iter());
        rows.filter_map(|(key, shape)| Some(((*key).to_owned(), value(key, shape)?))).collect()
    }

    fn of_world(&self, world: &World, key: &str) -> Option<Value> {
        let model = world.model();
        let robots =
            |model: &Model| (0..model.robots.len()).map(|i| self.robot(model, i)).collect();
        let balls = model.spec.balls.iter().map(|ball| ball.name.as_str());
        let objects = model.spec.objects.iter().map(|object| object.name.as_str());
        Some(match key {
            "state_hash" => format!("{:016x}", world.state_hash()).into(),
            "events" => self.events(),
            "robots" => robots(model),
            "seed" => world.state().seed.into(),
            "balls" => balls.map(|name| self.loose("ball", BALL, name)).collect(),
            "objects" => objects.map(|name| self.loose("object", OBJECT, name)).collect(),
            "scores" => scores(world),
            "sensors" => self.sensors(model, Mount::World)?,
            "contacts" => contacts::all(world),
            "end" => end(world)?,
            _ => return None,
        })
    }

    fn events(&self) -> Value {
        let count = |kind: &EventKind| {
            let count = self.number("event", kind.name()).unwrap_or_default();
            (kind.name().to_owned(), Value::from(count as u64))
        };
        Value::Object(EventKind::ALL.iter().map(count).collect())
    }

    fn robot(&self, model: &Model, index: usize) -> Value {
        let name = &model.robots[index].name;
        let subject = format!("robot.{name}");
        let values = self.group(&subject, &[ROBOT], |key| match key {
            "name" => Some(name.as_str().into()),
            "kind" => Some("robot".into()),
            "sensors" => self.sensors(model, RobotId(index as u32).into()),
            "wheels" => Some(self.wheels(model, index, &subject)),
            _ => None,
        });
        Value::Object(values)
    }

    /// What each sensor of a robot or of the world read last, by name.
    fn sensors(&self, model: &Model, mount: Mount) -> Option<Value> {
        let devices = model.devices_of(mount);
        let reading = |device: usize| {
            let known = &model.devices[device];
            let first = self.places.get(&sensor_channel(model, device, 0)).copied();
            let first = first.unwrap_or(self.values.len());
            let end = (first + known.count as usize).min(self.values.len());
            (known.name.clone(), json!(self.values[first..end]))
        };
        (!devices.is_empty()).then(|| Value::Object(devices.map(reading).collect()))
    }

    /// All wheels of a robot: right and left, or as the vehicle has them.
    fn wheels(&self, model: &Model, index: usize, robot: &str) -> Value {
        let one = |WheelName { name, side }| {
            let given = |key: &str| (key == "side").then(|| side.word().into());
            Value::Object(self.group(&format!("{robot}.wheel.{name}"), &[WHEEL], given))
        };
        model.wheels(index as u32).into_iter().map(one).collect()
    }

    fn loose(&self, kind: &'static str, own: &[Row], name: &str) -> Value {
        let values = self.group(&format!("{kind}.{name}"), &[NAMED, own, LOOSE], |key| match key {
            "name" => Some(name.into()),
            "kind" => Some(kind.into()),
            _ => None,
        });
        Value::Object(values)
    }
}

fn scores(world: &World) -> Value {
    let teams = by_team(world.model(), &world.state().scores);
    Value::Object(teams.into_iter().map(|(team, n)| (team.to_owned(), n.into())).collect())
}

fn end(world: &World) -> Option<Value> {
    let robot = &world.model().robots[world.end()?.robot.index()].name;
    Some(json!({ "kind": "left_terrain", "robot": robot, "time_s": world.time_s() }))
}

/// Energy that the published spheres made from nothing, and lost, J, if the scene uses them.
pub fn sphere_energy(world: &World) -> Option<[f64; 2]> {
    let has_spheres = world.model().contact.response == ContactResponse::EquivalentSphere;
    has_spheres.then(|| world.sphere_energy())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_explained() {
        let docs = include_str!("../../../../../docs/command-line.md");
        let tables = [WORLD, ROBOT, WHEEL, NAMED, BALL, OBJECT, LOOSE];
        let keys = tables.into_iter().flatten().map(|(key, _)| *key).chain(contacts::KEYS);
        for key in keys {
            let told = docs.lines().filter(|line| line.starts_with('|')).any(|line| {
                line.split('|').nth(1).is_some_and(|of| of.contains(&format!("`{key}`")))
            });
            assert!(told, "docs/command-line.md has no row for `{key}`");
        }
    }

    /// What a table has of a subject's channel.
    fn tells(table: &[Row], channel: &str) -> bool {
        table.iter().any(|(_, shape)| match shape {
            Number(of) | Flag(of) | Degrees(of) => *of == channel,
            Numbers(all) => all.contains(&channel),
            Given => false,
        })
    }

    /// Positions and headings of balls and objects are given under names that differ.
    const PLACES: [&str; 3] = ["x", "y", "heading"];

    #[test]
    fn every_channel_of_wheels_robots_balls_and_objects_is_told() {
        let mut told = [0; 3];
        for scene in ["soccer", "hills", "flat", "things", "car"] {
            let schema = Schema::new(&rolima_scene::builtin_model(scene, &[]).expect("built in"));
            for channel in schema.channels() {
                let mut parts = channel.name.splitn(3, '.');
                let (subject, rest) = (parts.next().unwrap(), parts.nth(1).unwrap_or_default());
                let of_wheel = rest.strip_prefix("wheel.").and_then(|rest| rest.split_once('.'));
                let of_parts = ["actuator.", "sensor.", "goal."];
                let (which, table, own) = match (subject, of_wheel) {
                    ("robot", Some((_, own))) => (0, WHEEL, own),
                    ("robot", None) if of_parts.iter().any(|of| rest.starts_with(of)) => continue,
                    ("robot", None) => (1, ROBOT, rest),
                    ("ball" | "object", _) if !PLACES.contains(&rest) => (2, LOOSE, rest),
                    _ => continue,
                };
                told[which] += 1;
                assert!(tells(table, own), "{scene}: nothing tells {}", channel.name);
            }
        }
        assert!(told.iter().all(|&count| count > 50), "{told:?}");
    }

    #[test]
    fn every_key_is_made_of_channels_that_some_scene_has() {
        let models = ["soccer", "hills", "flat", "things"]
            .map(|scene| Schema::new(&rolima_scene::builtin_model(scene, &[]).expect("built in")));
        let has = |channel: &str| {
            let all = models.iter().flat_map(|schema| schema.channels());
            all.into_iter().any(|known| known.name.ends_with(&format!(".{channel}")))
        };
        for (key, shape) in [ROBOT, WHEEL, BALL, OBJECT, LOOSE].into_iter().flatten() {
            let channels = match shape {
                Number(channel) | Flag(channel) | Degrees(channel) => vec![*channel],
                Numbers(channels) => channels.to_vec(),
                Given => vec![],
            };
            assert!(channels.iter().all(|channel| has(channel)), "{key}");
        }
    }
}
