//! Where bodies hit or pressed on one another, on walls and on rough ground.

use super::{Row, Subject, filled, plane, space};
use rolima_core::model::{BodyKind, Model};
use rolima_core::{Presser, Pressing, World};
use rolima_math::Vec3;
use serde_json::{Value, json};

/// Points that hit or pressed.
pub(super) struct Contacts;

impl Subject for Contacts {
    type At<'a> = Point<'a>;
    const TABLE: &'static [Row<Self>] = CONTACT;
}

/// A point of a world.
pub(super) struct Point<'a> {
    model: &'a Model,
    pressing: Pressing,
}

const CONTACT: &[Row<Contacts>] = &[
    ("point", |p| Some(json!(plane(p.pressing.point)))),
    ("impulse", |p| Some(p.pressing.impulse.into())),
    ("between", |p| Some(json!(p.pressing.between.map(|who| named(p.model, who))))),
    ("height", |p| Some(p.pressing.height?.into())),
    ("normal", |p| Some(p.vector(p.pressing.normal))),
    ("friction", |p| Some(p.vector(p.pressing.friction))),
];

/// All points of the last step, hits first.
pub(super) fn all(world: &World) -> Value {
    let model = world.model();
    let told = world.pressing().map(|pressing| filled::<Contacts>(&Point { model, pressing }));
    told.map(Value::Object).collect()
}

impl Point<'_> {
    /// In the plane on flat ground, in space on rough ground.
    fn vector(&self, v: Vec3) -> Value {
        match self.pressing.height {
            Some(_) => json!(space(v)),
            None => json!([v.x, v.y]),
        }
    }
}

/// A body by its name, a wall by its number in the scene.
fn named(model: &Model, who: Presser) -> Value {
    let body = match who {
        Presser::Body(body) => body,
        Presser::Wall(number) => return json!({ "kind": "wall", "number": number }),
        Presser::Ground => return json!({ "kind": "ground" }),
    };
    let Some(body) = model.body(body) else { return Value::Null };
    let (index, spec) = (body.index as usize, &model.spec);
    match body.kind {
        BodyKind::Robot => json!({ "kind": "robot", "name": model.robots[index].name }),
        BodyKind::Ball => json!({ "kind": "ball", "name": spec.balls[index].name }),
        BodyKind::Object | BodyKind::Wall => {
            json!({ "kind": "object", "name": spec.objects[index].name })
        }
    }
}
