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

    /// It, hit at a point.
    pub fn struck(&self, point: Vec2) -> Struck {
        let v = [self.v.x, self.v.y, self.omega];
        Struck::free(v, self.mass, self.inertia, point - self.at)
    }
}

/// Change of (x, y, turning) by an impulse (x, y, moment).
pub type Mobility = [[f64; 3]; 3];

/// One of two in an impact.
#[derive(Clone, Copy, Debug)]
pub struct Struck {
    /// (vx, vy, turning) in the world.
    pub v: [f64; 3],
    pub answer: Mobility,
    /// From its origin to the point that hits.
    pub arm: Vec2,
}

/// What friction does in an impact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Course {
    /// The slip stops, and nothing slips at the end.
    Sticks,
    /// It slides on in its first direction.
    Slides,
    /// At the end it slides the other way.
    Reverses,
}

impl Struck {
    /// A body that an impulse moves freely.
    pub fn free(v: [f64; 3], mass: f64, inertia: f64, arm: Vec2) -> Self {
        let (m, j) = (1.0 / mass, 1.0 / inertia);
        Self { v, answer: [[m, 0.0, 0.0], [0.0, m, 0.0], [0.0, 0.0, j]], arm }
    }

    fn row(&self, d: Vec2) -> [f64; 3] {
        [d.x, d.y, self.arm.cross(d)]
    }

    /// What an impulse along `d` changes in its velocities, and in that of its point along `d`.
    fn lever(&self, d: Vec2) -> ([f64; 3], f64) {
        let row = self.row(d);
        let by = self.answer.map(|a| dot(a, row));
        (by, dot(row, by))
    }
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Stronge's model in small impulses: compression, then restitution until e^2 of the work is back;
/// Coulomb friction against the slip of every instant. `n` is from b to a.
pub fn strike(a: &mut Struck, b: &mut Struck, n: Vec2, e: f64, mu: f64) -> Course {
    let t = n.perp();
    let speed = |a: &Struck, b: &Struck, d| dot(a.row(d), a.v) - dot(b.row(d), b.v);
    let approach = -speed(a, b, n);
    let first = speed(a, b, t);
    let [(an, ka), (bn, kb)] = [a.lever(n), b.lever(n)];
    let [(at, ja), (bt, jb)] = [a.lever(t), b.lever(t)];
    let k_t = ja + jb;
    let dp = 2e-5 * approach / (ka + kb);
    let push = |a: &mut Struck, b: &mut Struck, by: (&[f64; 3], &[f64; 3]), p: f64| {
        for i in 0..3 {
            a.v[i] += by.0[i] * p;
            b.v[i] -= by.1[i] * p;
        }
    };
    let (mut taken, mut given) = (0.0, 0.0);
    for _ in 0..10_000_000 {
        let before = speed(a, b, n);
        push(a, b, (&an, &bn), dp);
        // Within the cone, what stops the slip.
        let wanted = if k_t > 1e-9 { -speed(a, b, t) / k_t } else { 0.0 };
        let friction = wanted.clamp(-mu * dp, mu * dp);
        push(a, b, (&at, &bt), friction);
        let work = 0.5 * (before + speed(a, b, n)) * dp;
        if work < 0.0 {
            taken -= work;
        } else {
            given += work;
            if given >= e * e * taken {
                let last = speed(a, b, t);
                return if last.abs() < 1e-3 * approach {
                    Course::Sticks
                } else if last * first > 0.0 {
                    Course::Slides
                } else {
                    Course::Reverses
                };
            }
        }
    }
    panic!("an impact without end");
}

/// The impact of two free bodies.
pub fn integrate(a: &mut Body, b: &mut Body, point: Vec2, n: Vec2, e: f64, mu: f64) -> Course {
    let [mut one, mut other] = [&*a, &*b].map(|x| x.struck(point));
    let course = strike(&mut one, &mut other, n, e, mu);
    for (body, struck) in [(a, one), (b, other)] {
        (body.v, body.omega) = (Vec2::new(struck.v[0], struck.v[1]), struck.v[2]);
    }
    course
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
