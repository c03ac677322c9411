//! Balls, objects and walls of a scene on rough ground, as the spatial engine has them.
//!
//! Its bodies are the balls, then the objects, then the pieces of walls, each in their order.

use crate::model::{BodyKind, BodyModel, Model};
use crate::shape::{Part, Polygon};
use crate::spec::BallFriction;
use rolima_math::{Pose2, Pose3, Quat, Vec2, Vec3};
use rolima_spatial::{self as spatial, BodyShape, BodySpec, PairContacts, Terrain};

/// Walls are at least this thick, m: what is thinner has no volume to touch.
const THINNEST: f64 = 0.01;

/// How deep walls reach into the ground, m.
const ROOTED: f64 = 0.1;

/// Walls that are not higher than this are none, m.
const LOWEST: f64 = 1e-3;

/// Corners of a disc's support.
const SUPPORTS_OF_A_DISC: usize = 8;

/// The bodies of a scene, and what they are called in errors.
pub(crate) fn bodies(model: &Model, terrain: &Terrain) -> (Vec<BodySpec>, Vec<String>) {
    let mut bodies = vec![];
    let mut keys = vec![];
    for body in model.bodies() {
        let (made, kind) = match body.kind {
            BodyKind::Ball => (ball(model, terrain, body), "ball"),
            BodyKind::Object => (object(model, terrain, body), "object"),
            BodyKind::Robot | BodyKind::Wall => continue,
        };
        bodies.push(made);
        keys.push(format!("{kind}.{}", body.index));
    }
    let spans = model.wall_spans.iter().zip(&model.wall_heights);
    let parts = model.walls.iter().zip(spans).zip(&model.wall_numbers);
    for ((part, (&[support, top], &height)), number) in parts {
        if height > LOWEST {
            bodies.push(wall(part, [support - ROOTED, top]));
            keys.push(format!("wall.{number}"));
        }
    }
    (bodies, keys)
}

impl Model {
    /// Number in the scene of the wall that a body of the spatial engine is a piece of; none for balls
    /// and objects.
    pub fn wall_of_body(&self, body: u32) -> Option<u32> {
        let piece = (body as usize).checked_sub(self.body_count() - self.robots.len())?;
        let all = self.wall_heights.iter().zip(&self.wall_numbers);
        let mut pieces = all.filter(|(height, _)| **height > LOWEST);
        pieces.nth(piece).map(|(_, number)| *number)
    }
}

fn ball(model: &Model, terrain: &Terrain, body: &BodyModel) -> BodySpec {
    let ball = &model.spec.balls[body.index as usize];
    let pose = resting(model, terrain, body, body.home);
    let [velocity, omega] = moving(terrain, body, body.home, (body.home_velocity, 0.0));
    let (friction, rolling_resistance, drag) = match ball.friction {
        // Equation 9 knows no sliding; a ball that always rolls needs grip for it.
        BallFriction::Viscous { beta } => (1.0, 0.0, beta / ball.mass),
        BallFriction::Rolling { mu_slide, deceleration } => {
            (mu_slide, deceleration / model.spec.sim.gravity.max(1e-6), 0.0)
        }
    };
    BodySpec {
        mass: Some(ball.mass),
        friction,
        rolling_resistance: rolling_resistance.min(10.0),
        drag,
        restitution: model.spec.contact.restitution.ball_wall,
        velocity,
        omega,
        ..BodySpec::new(&ball.name, BodyKind::Ball, BodyShape::Ball(ball.radius), pose.position)
    }
}

fn object(model: &Model, terrain: &Terrain, body: &BodyModel) -> BodySpec {
    let object = &model.spec.objects[body.index as usize];
    let parts = &model.shapes[body.shape as usize].parts;
    let parts = parts.iter().map(|part| upright(part, Vec2::ZERO, [0.0, body.height]));
    let Pose3 { position, rotation } = resting(model, terrain, body, body.home);
    let motion = (body.home_velocity, body.home_omega);
    let [velocity, omega] = moving(terrain, body, body.home, motion);
    BodySpec {
        mass: Some(object.mass),
        turn_inertia: object.inertia,
        friction: object.ground_friction,
        restitution: model.spec.contact.restitution.object_wall,
        orientation: rotation,
        velocity,
        omega,
        ..BodySpec::new(&object.name, BodyKind::Object, BodyShape::Parts(parts.collect()), position)
    }
}

fn wall(part: &Part, z: [f64; 2]) -> BodySpec {
    let (middle, _) = part.bounding_circle();
    let thick = match *part {
        Part::Box { pose, half } => {
            let least = 0.5 * THINNEST;
            Part::Box { pose, half: Vec2::new(half.x.max(least), half.y.max(least)) }
        }
        other => other,
    };
    let own = upright(&thick, middle, [0.0, z[1] - z[0]]);
    let at = Vec3::new(middle.x, middle.y, z[0]);
    BodySpec::new("wall", BodyKind::Wall, BodyShape::Parts(vec![own]), at)
}

/// A part of an outline from one height to another, seen from `origin`.
fn upright(part: &Part, origin: Vec2, z: [f64; 2]) -> spatial::BodyPart {
    let prism = |polygon: &Polygon| {
        let corners = polygon.vertices[..polygon.count].iter();
        spatial::BodyPart::Prism { outline: corners.map(|v| *v - origin).collect(), z }
    };
    match *part {
        Part::Circle { center, radius } => {
            spatial::BodyPart::Cylinder { centre: center - origin, radius, z }
        }
        Part::Box { pose, half } => prism(&Polygon::rectangle(pose, half)),
        Part::Polygon(polygon) => prism(&polygon),
    }
}

/// Where a ball or an object is that was just put down at a place and heading, as frames have it.
pub fn resting(model: &Model, terrain: &Terrain, body: &BodyModel, at: Pose2) -> Pose3 {
    let Vec2 { x, y } = at.position;
    if body.kind == BodyKind::Ball {
        let z = terrain.height(x, y) + body.radius / terrain.normal(x, y).z;
        return Pose3 { position: Vec3::new(x, y, z), rotation: Quat::IDENTITY };
    }
    let supports = supports(&model.shapes[body.shape as usize].parts);
    let rotation = spatial::lying(terrain, at, &supports);
    let z = spatial::lift(terrain, at, rotation, &supports);
    Pose3 { position: Vec3::new(x, y, z), rotation }
}

/// The points on which an outline stands.
fn supports(parts: &[Part]) -> Vec<Vec3> {
    let mut supports = vec![];
    let mut corners = |polygon: &Polygon| {
        supports.extend(polygon.vertices[..polygon.count].iter().map(|v| Vec3::new(v.x, v.y, 0.0)));
    };
    for part in parts {
        match *part {
            Part::Circle { center, radius } => {
                let turn = core::f64::consts::TAU / SUPPORTS_OF_A_DISC as f64;
                let at = |i: usize| {
                    let (s, c) = rolima_math::sin_cos(turn * i as f64);
                    center + Vec2::new(c, s) * radius
                };
                let round: [Vec2; SUPPORTS_OF_A_DISC] = core::array::from_fn(at);
                corners(&Polygon::from_vertices(&round));
            }
            Part::Box { pose, half } => corners(&Polygon::rectangle(pose, half)),
            Part::Polygon(polygon) => corners(&polygon),
        }
    }
    supports
}

/// Velocity, m/s, and angular velocity, rad/s, in the world, of a ball or an object that moves so
/// over the ground: balls roll.
pub fn moving(
    terrain: &Terrain,
    body: &BodyModel,
    at: Pose2,
    (velocity, omega): (Vec2, f64),
) -> [Vec3; 2] {
    let slope = terrain.gradient(at.position.x, at.position.y);
    let along = Vec3::new(velocity.x, velocity.y, slope.dot(velocity));
    let up = terrain.normal(at.position.x, at.position.y);
    let turning = up * omega;
    match body.kind {
        BodyKind::Ball => [along, up.cross(along) * (1.0 / body.radius) + turning],
        _ => [along, turning],
    }
}

/// The scene's tables of pairs.
pub(crate) fn contacts(model: &Model) -> PairContacts {
    let contact = &model.spec.contact;
    PairContacts {
        friction: contact.friction,
        restitution: contact.restitution,
        restitution_threshold: contact.restitution_threshold,
    }
}
