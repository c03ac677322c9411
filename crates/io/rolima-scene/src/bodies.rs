//! Balls and loose objects.

use crate::material::MADE_OF;
use crate::outline::{OUTLINE, specs};
use crate::reader::{Absent, Fields, Key, Kinds, OURS, colour, keys_of, point, pose, table, text};
use crate::scene::{Assembler, Site};
use crate::tree::Node;
use rolima_model::{BallFriction, BallSpec, ObjectSpec, keys};

pub(crate) const BALL: &[&[Key]] = &[
    &[text("name", "what the ball is called").computed("\"ball\", \"ball-2\", ...")],
    keys_of!(BallSpec::KEYS),
    &[
        table("friction", FRICTIONS.absent_word(), "how it loses speed"),
        colour("colour", "that of its material, or orange", "colour"),
        MADE_OF,
    ],
];

#[derive(Clone, Copy)]
pub(crate) enum FrictionKind {
    Rolling,
    Viscous,
}

pub(crate) const FRICTIONS: Kinds<FrictionKind> = Kinds {
    absent: Some(("rolling", OURS)),
    common: &[],
    list: &[
        ("rolling", FrictionKind::Rolling, &[&[keys::MU_SLIDE, keys::DECELERATION]]),
        ("viscous", FrictionKind::Viscous, &[&[keys::BETA]]),
    ],
};

/// Of a robot or an object: its first pose.
pub(crate) const START: Key = pose("where it starts");

pub(crate) const OBJECT: &[Key] = &[
    text("name", "what the object is called").computed("\"object\", \"object-2\", ..."),
    START,
    point("velocity", "m/s", "its first velocity, in the world").or(Absent::List(&[0.0; 2]), OURS),
    keys::OMEGA,
    keys::OBJECT_MASS,
    keys::OBJECT_INERTIA,
    keys::GROUND_FRICTION,
    keys::HEIGHT.computed("half as high as wide"),
    colour("colour", "that of its material, or wood", "colour"),
    MADE_OF,
];

impl Assembler {
    pub(crate) fn ball(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let Some(fields) = Fields::open(&mut self.log, node, path, BALL) else { return };
        let count = self.spec.balls.len();
        let name = self.name(&fields, site, "ball", count);
        let log = &mut self.log;
        let at = site.placement;
        let mut ball = BallSpec { name, ..BallSpec::default() };
        fields.numbers(log, &mut ball, BallSpec::KEYS);
        ball.position = at.point(ball.position);
        ball.velocity = at.direction(ball.velocity);
        ball.colour = fields.colour(log, "colour");
        ball.material = self.made_of(&fields, MADE_OF.name, site);
        ball.friction = self.ball_friction(&fields, ball.friction);
        self.place(format!("ball.{count}"), &fields.path, fields.origin);
        self.spec.balls.push(ball);
    }

    fn ball_friction(&mut self, ball: &Fields<'_>, default: BallFriction) -> BallFriction {
        let log = &mut self.log;
        let node = ball.child("friction");
        let path = ball.key_path("friction");
        let opened = Fields::open_kind(log, &node, path, &FRICTIONS);
        let Some((fields, kind)) = opened else { return default };
        match kind {
            FrictionKind::Rolling => BallFriction::Rolling {
                mu_slide: fields.number(log, "mu_slide"),
                deceleration: fields.number(log, "deceleration"),
            },
            FrictionKind::Viscous => BallFriction::Viscous { beta: fields.number(log, "beta") },
        }
    }

    pub(crate) fn object(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let known = &[OBJECT, OUTLINE];
        let Some(fields) = Fields::open(&mut self.log, node, path, known) else { return };
        let count = self.spec.objects.len();
        let name = self.name(&fields, site, "object", count);
        let pieces = self.outline(&fields, &site.chain);
        let spec_key = format!("object.{count}");
        self.place(spec_key.clone(), &fields.path, fields.origin);
        self.place_pieces(&spec_key, &pieces);
        let material = self.made_of(&fields, MADE_OF.name, site);
        let log = &mut self.log;
        let object = ObjectSpec {
            name,
            pose: site.placement.compose(fields.pose(log)).pose(),
            velocity: site.placement.direction(fields.point(log, "velocity")),
            omega: fields.number(log, keys::OMEGA.name),
            shape: specs(pieces),
            mass: fields.number(log, "mass"),
            inertia: fields.optional(log, "inertia"),
            ground_friction: fields.number(log, "ground_friction"),
            colour: fields.colour(log, "colour"),
            height: fields.optional(log, "height"),
            material,
        };
        self.spec.objects.push(object);
    }
}
