//! What `rolima run --json` tells of a world: the one list of its quantities.
//!
//! A table has a row for each key, in the order in which they are printed; docs/command-line.md says
//! what each means, with its unit; a test asks for a row of every key. Numbers are printed in full: reading
//! them back gives the same bits.
//!
//! | module | what |
//! |---|---|
//! | this one | the world: events, score, energy |
//! | `robots` | robots |
//! | `wheels` | their wheels, on flat and on rough ground |
//! | `loose` | balls and objects |
//! | `contacts` | where bodies hit or pressed |

mod contacts;
mod loose;
pub(crate) mod robots;
mod wheels;

use rolima_console::score;
use rolima_console::text::hex;
use rolima_core::model::{BodyKind, ContactResponse};
use rolima_core::{BodyFrame, EventKind, Frame, World};
use rolima_math::{Quat, Vec2, Vec3};
use serde_json::{Map, Value, json};

/// Something that a table is about.
trait Subject: Sized + 'static {
    /// It at one instant.
    type At<'a>;
    /// What is told of it.
    const TABLE: &'static [Row<Self>];
}

/// A key, and its value of a subject; none where this one has no such thing.
type Row<S> = (&'static str, for<'a> fn(&<S as Subject>::At<'a>) -> Option<Value>);

/// The world.
struct Whole;

impl Subject for Whole {
    type At<'a> = Instant<'a>;
    const TABLE: &'static [Row<Self>] = WORLD;
}

/// The world at one instant.
struct Instant<'a> {
    world: &'a World,
    frame: Frame,
}

const WORLD: &[Row<Whole>] = &[
    ("state_hash", |i| Some(hex(i.world.state_hash()).into())),
    ("events", |i| Some(events(i.world))),
    ("robots", |i| Some(robots::all(i.world, &i.frame))),
    ("seed", |i| Some(i.world.state().seed.into())),
    ("balls", |i| Some(loose::balls(i.world, &i.frame))),
    ("scores", |i| Some(scores(i.world))),
    ("end", |i| end(i.world)),
    ("sphere_energy_j", |i| Some(json!(sphere_energy(i.world)?))),
    ("objects", |i| Some(loose::objects(i.world, &i.frame))),
    ("contacts", |i| Some(contacts::all(i.world))),
    ("kinetic_energy_j", |i| Some(i.world.kinetic_energy().into())),
];

/// Everything that is told of a world.
pub(crate) fn of_world(world: &World) -> Map<String, Value> {
    filled::<Whole>(&Instant { world, frame: world.frame() })
}

/// What its table tells of something.
fn filled<S: Subject>(of: &S::At<'_>) -> Map<String, Value> {
    let rows = S::TABLE.iter().filter_map(|(key, value)| Some(((*key).to_owned(), value(of)?)));
    rows.collect()
}

/// The bodies of a kind, each with its number among them.
fn bodies(frame: &Frame, kind: BodyKind) -> impl Iterator<Item = (usize, &BodyFrame)> {
    // Where they are in space has the order of all bodies.
    frame.bodies.iter().enumerate().filter(move |(_, body)| body.kind == kind)
}

fn events(world: &World) -> Value {
    let count =
        |&kind: &EventKind| (kind.name().to_owned(), Value::from(world.state().event_count(kind)));
    Value::Object(EventKind::ALL.iter().map(count).collect())
}

fn scores(world: &World) -> Value {
    let by_team = score::by_team(world.model(), &world.state().scores);
    Value::Object(by_team.into_iter().map(|(team, n)| (team.to_owned(), n.into())).collect())
}

fn end(world: &World) -> Option<Value> {
    let robot = &world.model().robots[world.end()?.robot.index()].name;
    Some(json!({ "kind": "left_terrain", "robot": robot, "time_s": world.time_s() }))
}

/// Energy that the published spheres made from nothing, and lost, J, if the scene uses them.
pub(crate) fn sphere_energy(world: &World) -> Option<[f64; 2]> {
    let has_spheres = world.model().contact.response == ContactResponse::EquivalentSphere;
    has_spheres.then_some(world.state().sphere_energy)
}

fn plane(v: Vec2) -> [f64; 2] {
    [v.x, v.y]
}

fn space(v: Vec3) -> [f64; 3] {
    [v.x, v.y, v.z]
}

fn turned(q: Quat) -> [f64; 4] {
    [q.w, q.x, q.y, q.z]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_explained() {
        let docs = include_str!("../../../../docs/command-line.md");
        let all = [
            names::<Whole>(),
            names::<robots::Robots>(),
            names::<wheels::FlatWheels>(),
            names::<wheels::RoughWheels>(),
            names::<loose::Balls>(),
            names::<loose::Objects>(),
            names::<contacts::Contacts>(),
        ]
        .concat();
        for key in all {
            let told = docs.lines().filter(|line| line.starts_with('|')).any(|line| {
                line.split('|').nth(1).is_some_and(|of| of.contains(&format!("`{key}`")))
            });
            assert!(told, "docs/command-line.md has no row for `{key}`");
        }
    }

    fn names<S: Subject>() -> Vec<&'static str> {
        S::TABLE.iter().map(|(key, _)| *key).collect()
    }
}
