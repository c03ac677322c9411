//! Balls and objects.

use super::{Instant, Quantity, ROUND, Subject, Walker, bounded, flag, quantity, truth};
use crate::engine::channels as engine;
use crate::frame::BodyFrame;
use crate::world::World;
use rolima_model::{BodyKind, Model};

/// A ball or an object at one instant.
#[derive(Clone, Copy)]
pub(crate) struct Loose<'a> {
    pub(crate) world: &'a World,
    pub(crate) body: &'a BodyFrame,
}

/// Balls and objects.
struct Any;

impl Subject for Any {
    type At<'a> = Loose<'a>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        quantity("x", "m", "position", |l| l.body.pose.position.x),
        quantity("y", "m", "position", |l| l.body.pose.position.y),
        bounded(ROUND, "heading", "rad", "heading", |l| l.body.pose.theta()),
        quantity("velocity.x", "m/s", "velocity", |l| l.body.velocity.x),
        quantity("velocity.y", "m/s", "velocity", |l| l.body.velocity.y),
        quantity("omega", "rad/s", "turning about the vertical", |l| l.body.omega),
        truth("quarantined", "whether it is taken aside", |l| flag(l.body.quarantined)),
    ];
}

/// All balls, then all objects, in the scene's order.
pub(super) fn walk(model: &Model, now: Option<Instant<'_>>, walker: &mut impl Walker) {
    let balls = model.spec.balls.iter().map(|ball| (BodyKind::Ball, "ball", &ball.name));
    let objects = model.spec.objects.iter();
    let objects = objects.map(|object| (BodyKind::Object, "object", &object.name));
    for (place, (kind, what, own)) in balls.chain(objects).enumerate() {
        if walker.is_full() {
            return;
        }
        let name = || format!("{what}.{own}");
        // Behind the robots in a frame, in this order.
        let body = now.and_then(|now| now.frame.bodies.get(model.robots.len() + place));
        let loose = now.zip(body).map(|(now, body)| Loose { world: now.world, body });
        walker.subject::<Any>(name, loose.as_ref());
        engine::walk_loose(model, kind, name, loose, walker);
    }
}
