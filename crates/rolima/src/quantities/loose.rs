//! Balls and objects.

use super::{Row, Subject, bodies, filled, plane, space, turned};
use rolima_core::model::BodyKind;
use rolima_core::model::spatial::BodyState;
use rolima_core::{BodyFrame, Frame, World};
use serde_json::{Value, json};

/// Balls.
pub(super) struct Balls;

impl Subject for Balls {
    type At<'a> = Loose<'a>;
    const TABLE: &'static [Row<Self>] = BALL;
}

/// Objects.
pub(super) struct Objects;

impl Subject for Objects {
    type At<'a> = Loose<'a>;
    const TABLE: &'static [Row<Self>] = OBJECT;
}

/// A ball or an object at one instant.
pub(super) struct Loose<'a> {
    world: &'a World,
    name: &'a str,
    body: &'a BodyFrame,
    /// On rough ground.
    space: Option<&'a BodyState>,
}

const BALL: &[Row<Balls>] = &[
    ("name", |l| Some(l.name.into())),
    ("position", |l| Some(json!(plane(l.body.pose.position)))),
    ("velocity", |l| Some(json!(plane(l.body.velocity)))),
    ("kind", |_| Some("ball".into())),
    ("omega", |l| Some(l.body.omega.into())),
    ("roll", |l| match l.space {
        Some(_) => None,
        None => Some(json!(plane(l.world.state().ball_rolls[l.body.index as usize]))),
    }),
    ("height", |l| Some(l.space?.position.z.into())),
    ("orientation", |l| Some(json!(turned(l.space?.orientation)))),
    ("velocity_in_space", |l| Some(json!(space(l.space?.velocity)))),
    ("omega_in_space", |l| Some(json!(space(l.space?.omega)))),
    ("asleep", |l| Some(l.space?.asleep.into())),
    ("left_terrain", |l| Some(l.space?.left_terrain.into())),
    ("quarantined", |l| Some(l.body.quarantined.into())),
];

const OBJECT: &[Row<Objects>] = &[
    ("name", |l| Some(l.name.into())),
    ("kind", |_| Some("object".into())),
    ("pose", |l| {
        let pose = l.body.pose;
        Some(json!([pose.position.x, pose.position.y, pose.theta()]))
    }),
    ("heading_deg", |l| Some(l.body.pose.theta().to_degrees().into())),
    ("velocity", |l| Some(json!(plane(l.body.velocity)))),
    ("omega", |l| Some(l.body.omega.into())),
    ("height", |l| Some(l.space?.position.z.into())),
    ("orientation", |l| Some(json!(turned(l.space?.orientation)))),
    ("velocity_in_space", |l| Some(json!(space(l.space?.velocity)))),
    ("omega_in_space", |l| Some(json!(space(l.space?.omega)))),
    ("asleep", |l| Some(l.space?.asleep.into())),
    ("left_terrain", |l| Some(l.space?.left_terrain.into())),
    ("quarantined", |l| Some(l.body.quarantined.into())),
];

/// All balls, in the scene's order.
pub(super) fn balls(world: &World, frame: &Frame) -> Value {
    let names = world.model().spec.balls.iter().map(|ball| ball.name.as_str());
    all::<Balls>(world, frame, BodyKind::Ball, names)
}

/// All objects, in the scene's order.
pub(super) fn objects(world: &World, frame: &Frame) -> Value {
    let names = world.model().spec.objects.iter().map(|object| object.name.as_str());
    all::<Objects>(world, frame, BodyKind::Object, names)
}

fn all<'a, S: for<'b> Subject<At<'b> = Loose<'b>>>(
    world: &'a World,
    frame: &'a Frame,
    kind: BodyKind,
    names: impl Iterator<Item = &'a str>,
) -> Value {
    let rough = world.state().rough.as_deref();
    let told = bodies(frame, kind).zip(names).map(|((_, body), name)| {
        let model = world.model().body(body.id);
        let space = model.and_then(|known| rough?.body(world.model(), known));
        Value::Object(filled::<S>(&Loose { world, name, body, space }))
    });
    told.collect()
}
