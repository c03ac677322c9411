//! Impacts by Stronge's model in small impulses, and the geometry of when and where two outlines touch,
//! all independent of the simulator's own.

use super::{free_ball, free_box};
use rolima_math::{Pose2, Vec2};
use rolima_model::*;

/// A body at an instant: position, angle, velocity, turning, mass, inertia.
#[derive(Clone, Copy, Debug)]
pub struct Body {
    pub at: Vec2,
    pub angle: f64,
    pub v: Vec2,
    pub omega: f64,
    pub mass: f64,
    pub inertia: f64,
}

impl Body {
    pub const WALL: Self = Self {
        at: Vec2::ZERO,
        angle: 0.0,
        v: Vec2::ZERO,
        omega: 0.0,
        mass: f64::INFINITY,
        inertia: f64::INFINITY,
    };

    pub fn later(&self, t: f64) -> Self {
        Self { at: self.at + self.v * t, angle: self.angle + self.omega * t, ..*self }
    }

    pub fn speed_at(&self, point: Vec2) -> Vec2 {
        self.v + (point - self.at).perp() * self.omega
    }

    pub fn push(&mut self, p: Vec2, point: Vec2) {
        self.v += p * (1.0 / self.mass);
        self.omega += (point - self.at).cross(p) / self.inertia;
    }
}

/// Stronge's model in small impulses: compression, then restitution until e^2 of the work is back;
/// Coulomb friction against the slip of every instant. `n` is from b to a.
pub fn integrate(a: &mut Body, b: &mut Body, point: Vec2, n: Vec2, e: f64, mu: f64) {
    let t = n.perp();
    let slip = |a: &Body, b: &Body| a.speed_at(point) - b.speed_at(point);
    let approach = -n.dot(slip(a, b));
    let lever = |x: &Body, d: Vec2| {
        let l = (point - x.at).cross(d);
        1.0 / x.mass + l * l / x.inertia
    };
    let (k_n, k_t) = (lever(a, n) + lever(b, n), lever(a, t) + lever(b, t));
    let dp = 1e-5 * approach / k_n;
    let (mut taken, mut given) = (0.0, 0.0);
    for _ in 0..10_000_000 {
        let before = slip(a, b);
        a.push(n * dp, point);
        b.push(n * -dp, point);
        // Within the cone, what stops the slip.
        let wanted = -t.dot(slip(a, b)) / k_t;
        let friction = wanted.clamp(-mu * dp, mu * dp);
        a.push(t * friction, point);
        b.push(t * -friction, point);
        let work = 0.5 * n.dot(before + slip(a, b)) * dp;
        if work < 0.0 {
            taken -= work;
        } else {
            given += work;
            if given >= e * e * taken {
                return;
            }
        }
    }
    panic!("an impact without end");
}

/// A convex outline: corners around the origin, or a disc.
#[derive(Clone, Debug)]
pub enum Outline {
    Disc(f64),
    Corners(Vec<Vec2>),
}

impl Outline {
    /// Its corners in the world.
    pub fn corners(&self, body: &Body) -> Vec<Vec2> {
        let (s, c) = rolima_math::sin_cos(body.angle);
        let Self::Corners(corners) = self else { return vec![] };
        corners.iter().map(|p| body.at + Vec2::new(c * p.x - s * p.y, s * p.x + c * p.y)).collect()
    }
}

/// Distance of two shapes, the point between them, and the normal from b to a; None where they
/// overlap.
pub fn distance(a: (&[Outline], &Body), b: (&[Outline], &Body)) -> Option<(f64, Vec2, Vec2)> {
    let mut best = (f64::INFINITY, Vec2::ZERO, Vec2::ZERO);
    for p in a.0 {
        for q in b.0 {
            let found = distance_of_convex((p, a.1), (q, b.1))?;
            if found.0 < best.0 {
                best = found;
            }
        }
    }
    Some(best)
}

pub fn distance_of_convex(a: (&Outline, &Body), b: (&Outline, &Body)) -> Option<(f64, Vec2, Vec2)> {
    use Outline::{Corners, Disc};
    let nearest = |p: Vec2, corners: &[Vec2]| {
        (0..corners.len())
            .map(|i| {
                let (from, to) = (corners[i], corners[(i + 1) % corners.len()]);
                let along = to - from;
                let s = ((p - from).dot(along) / along.length_squared()).clamp(0.0, 1.0);
                from + along * s
            })
            .min_by(|x, y| (*x - p).length().total_cmp(&(*y - p).length()))
            .expect("corners")
    };
    let inside = |p: Vec2, corners: &[Vec2]| {
        (0..corners.len()).all(|i| {
            let (from, to) = (corners[i], corners[(i + 1) % corners.len()]);
            (to - from).cross(p - from) > 0.0
        })
    };
    match (a.0, b.0) {
        (Disc(r), Disc(q)) => {
            let between = a.1.at - b.1.at;
            let gap = between.length() - r - q;
            let n = between * (1.0 / between.length());
            (gap > 0.0).then_some((gap, b.1.at + n * (q + 0.5 * gap), n))
        }
        (Disc(r), Corners(_)) => {
            let corners = b.0.corners(b.1);
            let foot = nearest(a.1.at, &corners);
            let between = a.1.at - foot;
            let gap = between.length() - r;
            let n = between * (1.0 / between.length());
            (gap > 0.0 && !inside(a.1.at, &corners)).then_some((gap, foot + n * (0.5 * gap), n))
        }
        (Corners(_), Disc(_)) => distance_of_convex(b, a).map(|(gap, point, n)| (gap, point, -n)),
        (Corners(_), Corners(_)) => {
            let (pa, pb) = (a.0.corners(a.1), b.0.corners(b.1));
            if pa.iter().any(|p| inside(*p, &pb)) || pb.iter().any(|p| inside(*p, &pa)) {
                return None;
            }
            let mut best = (f64::INFINITY, Vec2::ZERO, Vec2::ZERO);
            for &p in &pa {
                let q = nearest(p, &pb);
                let gap = (p - q).length();
                if gap < best.0 {
                    best = (gap, (p + q) * 0.5, (p - q) * (1.0 / gap));
                }
            }
            for &q in &pb {
                let p = nearest(q, &pa);
                let gap = (p - q).length();
                if gap < best.0 {
                    best = (gap, (p + q) * 0.5, (p - q) * (1.0 / gap));
                }
            }
            Some(best)
        }
    }
}

/// The first contact of two that move freely: time, point, normal.
pub fn first_contact(
    a: (&[Outline], &Body),
    b: (&[Outline], &Body),
    most: f64,
) -> Option<(f64, Vec2, Vec2)> {
    let mut t = 0.0;
    let mut last = None;
    let fastest = (a.1.v - b.1.v).length() + 0.08 * (a.1.omega.abs() + b.1.omega.abs());
    while t < most {
        let Some((gap, point, n)) = distance((a.0, &a.1.later(t)), (b.0, &b.1.later(t))) else {
            return last;
        };
        last = Some((t, point, n));
        if gap < 1e-8 {
            return last;
        }
        t += (gap / fastest).max(1e-10);
    }
    None
}

/// A kind of body that can be thrown.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Kind {
    Ball,
    Disc,
    Box,
    Hexagon,
    /// A robot with a hollow front.
    Fork,
}

impl Kind {
    pub fn parts(self) -> Vec<PartSpec> {
        match self {
            Self::Ball => vec![PartSpec::Circle { center: Vec2::ZERO, radius: 0.02135 }],
            Self::Disc => vec![PartSpec::Circle { center: Vec2::ZERO, radius: 0.03 }],
            Self::Box => vec![rolima_model::shape::centred_box(0.075, 0.075)],
            Self::Hexagon => {
                let corner = |i: i32| {
                    let angle = f64::from(i) * core::f64::consts::FRAC_PI_3;
                    let (sin, cos) = rolima_math::sin_cos(angle);
                    Vec2::new(0.045 * cos, 0.045 * sin)
                };
                vec![PartSpec::Polygon { vertices: (0..6).map(corner).collect() }]
            }
            Self::Fork => {
                let piece = |x: f64, y: f64, size: [f64; 2]| PartSpec::Box {
                    pose: Pose2::new(x, y, 0.0),
                    size,
                };
                vec![
                    piece(-0.01, 0.0, [0.055, 0.075]),
                    piece(0.0275, 0.03, [0.02, 0.015]),
                    piece(0.0275, -0.03, [0.02, 0.015]),
                ]
            }
        }
    }

    pub fn outlines(self) -> Vec<Outline> {
        let outline = |part: PartSpec| match part {
            PartSpec::Circle { radius, .. } => Outline::Disc(radius),
            PartSpec::Polygon { vertices } => Outline::Corners(vertices),
            PartSpec::Box { pose, size: [x, y] } => Outline::Corners(
                [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
                    .map(|(i, j)| pose.position + Vec2::new(i * x, j * y))
                    .to_vec(),
            ),
        };
        self.parts().into_iter().map(outline).collect()
    }

    /// Adds one to a scene.
    pub fn add(self, spec: &mut SceneSpec, name: &str, body: &Body) {
        let pose = Pose2::new(body.at.x, body.at.y, body.angle);
        if self == Self::Ball {
            let ball = free_ball(name, body.at, body.v);
            return spec.balls.push(BallSpec { mass: body.mass, ..ball });
        }
        spec.objects.push(ObjectSpec {
            shape: self.parts(),
            mass: body.mass,
            inertia: Some(body.inertia),
            ..free_box(name, pose, body.v, body.omega)
        });
    }
}
