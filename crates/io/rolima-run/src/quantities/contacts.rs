//! Where bodies hit or pressed on one another, on walls and on rough ground.

use rolima_core::model::{BodyKind, Model};
use rolima_core::{ContactPoint, Presser, World};
use rolima_math::Vec3;
use serde_json::{Value, json};

/// What is told of a point; `height` on rough ground only.
#[cfg(test)]
pub(super) const KEYS: [&str; 6] = ["point", "impulse", "between", "height", "normal", "friction"];

/// All points of the last step, hits first.
pub(super) fn all(world: &World) -> Value {
    world.contact_points().map(|contact| as_json(world.model(), &contact)).collect()
}

fn as_json(model: &Model, contact: &ContactPoint) -> Value {
    // In the plane on flat ground, in space on rough ground.
    let vector = |v: Vec3| match contact.height {
        Some(_) => json!([v.x, v.y, v.z]),
        None => json!([v.x, v.y]),
    };
    let mut point = json!({
        "point": [contact.point.x, contact.point.y],
        "impulse": contact.impulse,
        "between": contact.between.map(|who| named(model, who)),
        "normal": vector(contact.normal),
        "friction": vector(contact.friction),
    });
    if let Some(height) = contact.height {
        point["height"] = height.into();
    }
    point
}

/// A body by its name, a wall by its number in the scene.
fn named(model: &Model, who: Presser) -> Value {
    let body = match who {
        Presser::Body(body) => body,
        Presser::Wall(number) => return json!({ "kind": "wall", "number": number }),
        Presser::Ground => return json!({ "kind": "ground" }),
    };
    let name = model.body_name(body);
    match model.body(body).map(|body| body.kind) {
        Some(BodyKind::Robot) => json!({ "kind": "robot", "name": name }),
        Some(BodyKind::Ball) => json!({ "kind": "ball", "name": name }),
        Some(BodyKind::Object | BodyKind::Wall) => json!({ "kind": "object", "name": name }),
        None => Value::Null,
    }
}
