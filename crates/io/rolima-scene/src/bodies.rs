//! Balls and loose objects.

use crate::outline::{OUTLINE, specs};
use crate::reader::{Fields, Key, OURS, Range, key};
use crate::scene::{Assembler, Site};
use crate::tree::Node;
use rolima_math::Vec2;
use rolima_model::{BallFriction, BallSpec, ObjectSpec};

const GOLF_BALL: &str = "golf ball";

const BALL: &[Key] = &[
    key("name", "-", "what the ball is called"),
    key("position", "m", "where it starts"),
    key("velocity", "m/s", "its first velocity, rolling"),
    key("radius", "m", "radius"),
    key("mass", "kg", "mass"),
    key("friction", "-", "how it loses speed"),
    key("colour", "-", "colour, \"#rrggbb\""),
];

#[derive(Clone, Copy)]
enum FrictionKind {
    Rolling,
    Viscous,
}

const FRICTIONS: &[(&str, FrictionKind, &[Key])] = &[
    (
        "rolling",
        FrictionKind::Rolling,
        &[
            key("mu_slide", "1", "friction of the sliding ball on the ground"),
            key("deceleration", "m/s2", "deceleration while rolling"),
        ],
    ),
    (
        "viscous",
        FrictionKind::Viscous,
        &[key("beta", "N s/m", "friction that grows with the speed (equation 9)")],
    ),
];

const OBJECT: &[Key] = &[
    key("name", "-", "what the object is called"),
    key("pose", "m, m, deg", "where it starts: [x, y, heading]"),
    key("velocity", "m/s", "its first velocity"),
    key("omega_deg_s", "deg/s", "its first turning"),
    key("mass", "kg", "mass"),
    key("inertia", "kg m2", "moment of inertia about the vertical"),
    key("ground_friction", "1", "friction on the ground; 0 slides for ever"),
    key("height", "m", "height, for views, cameras and rays"),
    key("colour", "-", "colour, \"#rrggbb\""),
];

/// Default friction of objects on the ground: wood on wood.
const GROUND_FRICTION: f64 = 0.4;

impl Assembler {
    pub(crate) fn ball(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let Some(fields) = Fields::open(&mut self.log, node, path, BALL) else { return };
        let count = self.spec.balls.len();
        let name = self.name(&fields, site, "ball", count);
        let log = &mut self.log;
        let default = BallSpec::default();
        let at = site.placement;
        let ball = BallSpec {
            name,
            position: at.point(fields.point(log, "position", Some((default.position, OURS)))),
            velocity: at.direction(fields.point(log, "velocity", Some((default.velocity, OURS)))),
            radius: fields.number(
                log,
                "radius",
                Range::Positive,
                Some((default.radius, GOLF_BALL)),
            ),
            mass: fields.number(log, "mass", Range::Positive, Some((default.mass, GOLF_BALL))),
            colour: fields.colour(log, "colour"),
            friction: self.ball_friction(&fields, default.friction),
        };
        self.place(format!("ball.{count}"), &fields.path, fields.origin);
        self.spec.balls.push(ball);
    }

    fn ball_friction(&mut self, ball: &Fields<'_>, default: BallFriction) -> BallFriction {
        let log = &mut self.log;
        let node = ball.child("friction");
        let path = ball.key_path("friction");
        let opened = Fields::open_kind(log, &node, path, FRICTIONS, Some(("rolling", OURS)));
        let Some((fields, kind)) = opened else { return default };
        let (slide, rolling) = match default {
            BallFriction::Rolling { mu_slide, deceleration } => {
                (Some((mu_slide, OURS)), Some((deceleration, OURS)))
            }
            BallFriction::Viscous { .. } => (None, None),
        };
        match kind {
            FrictionKind::Rolling => BallFriction::Rolling {
                mu_slide: fields.number(log, "mu_slide", Range::NotNegative, slide),
                deceleration: fields.number(log, "deceleration", Range::NotNegative, rolling),
            },
            FrictionKind::Viscous => {
                BallFriction::Viscous { beta: fields.number(log, "beta", Range::NotNegative, None) }
            }
        }
    }

    pub(crate) fn object(&mut self, node: &Node, path: String, site: &Site<'_>) {
        let known = OBJECT.iter().chain(OUTLINE);
        let Some(fields) = Fields::open(&mut self.log, node, path, known) else { return };
        let count = self.spec.objects.len();
        let name = self.name(&fields, site, "object", count);
        let pieces = self.outline(&fields, &site.chain);
        let spec_key = format!("object.{count}");
        self.place(spec_key.clone(), &fields.path, fields.origin);
        self.place_pieces(&spec_key, &pieces);
        let log = &mut self.log;
        let still = Some((Vec2::ZERO, OURS));
        let friction = Some((GROUND_FRICTION, "ours: wood on wood"));
        let object = ObjectSpec {
            name,
            pose: site.placement.compose(fields.pose(log)).pose(),
            velocity: site.placement.direction(fields.point(log, "velocity", still)),
            omega: fields.turning(log),
            shape: specs(pieces),
            mass: fields.number(log, "mass", Range::Positive, None),
            inertia: fields.optional(log, "inertia", Range::Positive, "outline at uniform density"),
            ground_friction: fields.number(log, "ground_friction", Range::NotNegative, friction),
            colour: fields.colour(log, "colour"),
            height: fields.optional(log, "height", Range::Positive, "half as high as wide"),
        };
        self.spec.objects.push(object);
    }
}
