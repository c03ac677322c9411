//! Balls and objects.

use super::{Instant, Quantity, ROUND, SHARE, Subject, Walker, bounded, flag, quantity, truth};
use crate::frame::BodyFrame;
use crate::world::World;
use rolima_model::spatial::BodyState;
use rolima_model::{BodyKind, Model};

/// A ball or an object at one instant.
struct Loose<'a> {
    world: &'a World,
    body: &'a BodyFrame,
}

/// One on rough ground.
type InSpace<'a> = &'a BodyState;

impl<'a> Loose<'a> {
    fn in_space(&self) -> Option<InSpace<'a>> {
        let model = self.world.model();
        self.world.state().rough.as_deref()?.body(model, model.body(self.body.id)?)
    }
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

/// Balls on flat ground.
struct Ball;

impl Subject for Ball {
    type At<'a> = Loose<'a>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        quantity("roll.x", "m/s", "velocity of its lower side against its centre", |l| {
            l.world.state().ball_rolls[l.body.index as usize].x
        }),
        quantity("roll.y", "m/s", "velocity of its lower side against its centre", |l| {
            l.world.state().ball_rolls[l.body.index as usize].y
        }),
    ];
}

/// What a body's quaternion is.
pub(super) const TURN: &str = "quaternion that turns its frame into the world";

/// Both on rough ground.
struct Spatial;

impl Subject for Spatial {
    type At<'a> = InSpace<'a>;
    const QUANTITIES: &'static [Quantity<Self>] = &[
        quantity("z", "m", "height", |b| b.position.z),
        quantity("velocity.z", "m/s", "climbing", |b| b.velocity.z),
        quantity("omega.x", "rad/s", "turning about the world's x axis", |b| b.omega.x),
        quantity("omega.y", "rad/s", "turning about the world's y axis", |b| b.omega.y),
        quantity("omega.z", "rad/s", "turning about the vertical", |b| b.omega.z),
        bounded(SHARE, "orientation.w", "", TURN, |b| b.orientation.w),
        bounded(SHARE, "orientation.x", "", TURN, |b| b.orientation.x),
        bounded(SHARE, "orientation.y", "", TURN, |b| b.orientation.y),
        bounded(SHARE, "orientation.z", "", TURN, |b| b.orientation.z),
        truth("asleep", "whether it lies still and is not computed", |b| flag(b.asleep)),
        truth("left_terrain", "whether it left the terrain", |b| flag(b.left_terrain)),
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
        if model.spatial.is_some() {
            let in_space = loose.as_ref().and_then(Loose::in_space);
            walker.subject::<Spatial>(name, in_space.as_ref());
        } else if kind == BodyKind::Ball {
            walker.subject::<Ball>(name, loose.as_ref());
        }
    }
}
