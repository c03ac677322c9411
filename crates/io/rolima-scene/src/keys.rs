//! All keys that scenes may have, table by table, for lists and documentation.

use crate::bodies::{BALL, FRICTIONS, OBJECT};
use crate::drawn::MESH;
use crate::go_to::{BALL_TO_MEET, VISION};
use crate::ground::{GROUNDS, PATCH};
use crate::hitch::HITCH;
use crate::map::MAP;
use crate::material::{FLOORS, MATERIAL, ROBOT_LOOK, TAGS};
use crate::outline::SHAPES;
use crate::physics::{CONTACT, FRICTION, LOOK, RESTITUTION, SIM};
use crate::reader::{Absent, KIND, Key, Kinds, quoted};
use crate::relief::LAYERS;
use crate::robot::{BODY, DRIVE, DRIVERS, ROBOT, TRACTION};
use crate::scene::{PART, PART_NAME, SCENE};
use crate::sensor_keys::{SENSORS, WORLD_SENSORS};
use crate::sensors::{BACKGROUND, CARRIED};
use crate::servo::SERVO;
use crate::swarm::SWARM;
use crate::undercarriage::{chassis_keys, support_keys, wheels_keys};
use crate::vehicle_keys::{
    ACTUATORS, AXLE, CHASSIS, CURVE, JOINTS, MOTOR, SUSPENSION, TYRES, VEHICLE, WEAKENING, WHEEL,
    WHEEL_PLACE,
};
use crate::walls::{MARKINGS, WALLS, ZONE};
use crate::woods::TREE;
use std::fmt::Write;

/// A key as lists of keys show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeclaredKey {
    /// Its name.
    pub name: &'static str,
    /// The kinds of the table that have it; empty: all of them.
    pub kinds: Vec<&'static str>,
    /// Unit; empty for what has none.
    pub unit: &'static str,
    /// Which values it may have; empty where every number will do.
    pub range: String,
    /// What stands for it where it is left out, as scenes write it or in words.
    pub default: String,
    /// Whether scenes can write the default as it stands.
    pub is_value: bool,
    /// What it is, in one line.
    pub meaning: &'static str,
}

/// The keys of a table of scenes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeyTable {
    /// Its path without numbers, such as `robot.drive`; empty for the scene itself.
    pub path: &'static str,
    /// The key beside which it has these keys; empty where that does not matter.
    pub beside: &'static str,
    /// Its keys.
    pub keys: Vec<DeclaredKey>,
}

fn declared(key: &Key, kinds: Vec<&'static str>) -> DeclaredKey {
    let unit = if matches!(key.unit, "1" | "-") { "" } else { key.unit };
    let is_value = !matches!(key.absent, Absent::Required | Absent::Computed);
    let (range, default) = (key.range_text(), key.absent_text());
    DeclaredKey { name: key.name, kinds, unit, range, default, is_value, meaning: key.meaning }
}

fn plain(path: &'static str, keys: &[&[Key]]) -> KeyTable {
    let keys = keys.concat().iter().map(|key| declared(key, vec![])).collect();
    KeyTable { path, beside: "", keys }
}

/// What a table of robots has where they have a drive.
fn beside_drive(path: &'static str, keys: &[Key]) -> KeyTable {
    KeyTable { beside: "drive", ..plain(path, &[keys]) }
}

fn kinds<T>(path: &'static str, kinds: &Kinds<T>) -> KeyTable {
    let words = kinds.list.iter().map(|(word, ..)| *word);
    let absent = kinds.absent.map_or(Absent::Required, |(word, _)| Absent::Text(word));
    let kind = Key { absent, ..KIND };
    let mut keys = vec![DeclaredKey { range: quoted(words), ..declared(&kind, vec![]) }];
    for (word, _, own) in kinds.list {
        for key in own.concat() {
            let one = declared(&key, vec![]);
            // The same key of several kinds is told once.
            let same = |other: &&mut DeclaredKey| {
                DeclaredKey { kinds: vec![], ..(**other).clone() } == one && !other.kinds.is_empty()
            };
            match keys.iter_mut().find(same) {
                Some(known) => known.kinds.push(word),
                None => keys.push(DeclaredKey { kinds: vec![word], ..one }),
            }
        }
    }
    for key in &mut keys {
        if key.kinds.len() == kinds.list.len() {
            key.kinds.clear();
        }
    }
    keys.extend(kinds.common.concat().iter().map(|key| declared(key, vec![])));
    KeyTable { path, beside: "", keys }
}

/// The keys of all tables that scenes may have. Those of `wheels` stand for `wheel` as well, those
/// of `robot.shape` for the shapes of objects, those of `robot` for swarms and maps, and those of
/// `lengthwise` for `sideways`.
pub fn key_tables() -> Vec<KeyTable> {
    vec![
        plain("", &[SCENE]),
        plain("sim", SIM),
        plain("contact", CONTACT),
        plain("contact.restitution", &[RESTITUTION]),
        plain("contact.friction", &[FRICTION]),
        plain("vision", &[VISION]),
        plain("look", &[LOOK]),
        kinds("ground", &GROUNDS),
        kinds("ground.layer", &LAYERS),
        plain("ground.patch", &[PATCH]),
        plain("material", MATERIAL),
        kinds("floor", &FLOORS),
        plain("tree", TREE),
        kinds("wall", &WALLS),
        plain("zone", &[ZONE]),
        kinds("marking", &MARKINGS),
        plain("ball", BALL),
        kinds("ball.friction", &FRICTIONS),
        plain("object", &[OBJECT, crate::outline::OUTLINE]),
        kinds("robot.shape", &SHAPES),
        plain("robot.part", &[PART]),
        plain("robot", &[ROBOT, BODY, ROBOT_LOOK, crate::outline::OUTLINE, CARRIED, VEHICLE]),
        kinds("robot.tag", &TAGS),
        plain("robot.drive", DRIVE),
        plain("robot.drive.traction", &[TRACTION]),
        plain("robot.hitch", HITCH),
        kinds("robot.driver", &DRIVERS),
        plain("robot.driver.goals", &[BALL_TO_MEET]),
        plain("robot.driver.vision", &[VISION]),
        plain("robot.servo", &[SERVO]),
        kinds("robot.sensor", &SENSORS),
        plain("robot.chassis", CHASSIS),
        plain("robot.chassis.mesh", &[MESH]),
        plain("robot.wheel", &[WHEEL_PLACE]),
        plain("robot.wheels", WHEEL),
        plain("robot.wheels.suspension", &[SUSPENSION]),
        plain("robot.wheels.motor", MOTOR),
        kinds("robot.wheels.actuator", &ACTUATORS),
        kinds("robot.wheels.joint", &JOINTS),
        plain("robot.wheels.axle", AXLE),
        kinds("robot.wheels.tyre", &TYRES),
        plain("robot.wheels.tyre.lengthwise", CURVE),
        plain("robot.wheels.tyre.weaken_lengthwise", &[WEAKENING]),
        beside_drive("robot.chassis", &chassis_keys()),
        beside_drive("robot.wheels", &wheels_keys()),
        beside_drive("robot.wheel", &support_keys()),
        plain("swarm", &[SWARM]),
        plain("map", MAP),
        kinds("sensor", &WORLD_SENSORS),
        plain("sensor.background", &[BACKGROUND]),
        plain("part", &[PART, PART_NAME]),
    ]
}

impl KeyTable {
    /// What it is called in lists: its path, and beside what it stands there.
    pub fn title(&self) -> String {
        match self.beside {
            "" => self.path.to_owned(),
            key => format!("{} beside {key}", self.path),
        }
    }

    /// The path of a key of this table.
    pub fn path_of(&self, key: &DeclaredKey) -> String {
        crate::reader::join(self.path, key.name)
    }

    /// The table in Markdown.
    pub fn markdown(&self) -> String {
        let has_kinds = self.keys.iter().any(|key| !key.kinds.is_empty());
        let first = if has_kinds { "| `kind` " } else { "" };
        let rule = if has_kinds { "|---" } else { "" };
        let mut text = format!(
            "{first}| key | unit | values | default | what |\n{rule}|---|---|---|---|---|\n"
        );
        let mut before = None;
        for key in &self.keys {
            if has_kinds {
                // As in a book, what is as in the row above is not said again.
                let kinds =
                    if before == Some(&key.kinds) { String::new() } else { kinds_text(key) };
                let _ = write!(text, "| {kinds} ");
                before = Some(&key.kinds);
            }
            let DeclaredKey { name, unit, range, default, meaning, .. } = key;
            let unit = unit.replace('2', "²");
            let _ = writeln!(text, "| `{name}` | {unit} | {range} | {default} | {meaning} |");
        }
        text
    }
}

fn kinds_text(key: &DeclaredKey) -> String {
    if key.kinds.is_empty() { "all".to_owned() } else { quoted(key.kinds.iter().copied()) }
}
