//! Where a convex piece and another, or the ground, touch that come near: now, or when they will.
//!
//! While round pieces close, their nearest points move along them and the normal turns, so that
//! points and normals of the start of a round are not those of the hit where the way of the round is
//! as long as the pieces. Points that hit within a round are therefore looked for where the pieces
//! are then: the time at which their distance would be gone at its present rate is taken for better
//! and better, as Newton's method does. The distance of convex pieces that do not turn is a convex
//! function of time, so these times are never late, and pieces that pass one another are seen to. Ground
//! may bend the other way: a time that was late is taken back.

use super::find::{AHEAD, Piece};
use super::mover::{BodyVelocity, Mover};
use super::solid::{ours, their_rotation, theirs};
use super::surface::{Near, Surface, thin_out};
use parry3d_f64::math::{Pose, Vector};
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d_f64::shape::SharedShape;
use rolima_math::{Vec3, larger, smaller};

/// Most looks at two pieces in a round. Each squares the error; two are usual, and what passes at a
/// distance of next to nothing halves it.
const LOOKS: u32 = 8;

/// What closes within so much of the round more is looked at as it is, in a straight line.
const NEAR_ENOUGH: f64 = 1e-3;

/// Shortest way of a round in which hits are looked for, m: on a shorter one nothing bends.
const SHORTEST_TRAVEL: f64 = 1e-4;

/// What is left at the end of the round between pieces that pass one another, m: more than counts as
/// closed.
const PASSED: f64 = 1e-5;

/// Points of two faces that meet, at most.
const CORNERS: usize = 4;

/// Parry leaves out corners where borders of two faces lie on one another to the last bits, as of
/// vehicles of one width that meet head-on. Moved by so much, m, in no direction of theirs, they do not.
const ASIDE: Vector = Vector::new(1e-9, 0.6e-9, 0.4e-9);

/// Parry's manifolds, to reuse their memory.
pub(crate) type Manifolds = Vec<ContactManifold<(), ()>>;

/// A point where two touch or may touch, as of the start of the round.
pub(crate) struct ApproachPoint {
    pub(crate) near: Near,
    /// From the centres of both movers to the point, when they touch.
    pub(crate) arms: [Vec3; 2],
}

/// What a piece comes near to.
pub(crate) enum Against<'a> {
    Piece(&'a Piece<'a>),
    Ground(&'a Surface),
}

/// Two that are near, with their movers; the second is a piece that moves, or both are pieces.
pub(crate) struct Approach<'a> {
    pub(crate) first: Against<'a>,
    pub(crate) second: &'a Piece<'a>,
    pub(crate) movers: [&'a Mover; 2],
    /// How far both may get in the round, m.
    pub(crate) travel: f64,
}

impl Approach<'_> {
    /// The points where they touch or may touch in a round of `h` s; `threshold` is the slowest speed
    /// that hits, m/s.
    pub(crate) fn approach_points(
        &self,
        h: f64,
        threshold: f64,
        manifolds: &mut Manifolds,
    ) -> Vec<ApproachPoint> {
        let start = self.points(0.0, manifolds);
        let hits = self.travel > SHORTEST_TRAVEL
            && start.iter().all(|n| n.gap > 0.0)
            && start.iter().any(|n| {
                let closing = self.closing(n, 0.0);
                closing > threshold && n.gap < closing * h
            });
        if !hits {
            return start.iter().map(|n| self.seen_from_start(n, 0.0)).collect();
        }
        let (mut time, mut points) = (0.0, start.clone());
        for _ in 0..LOOKS {
            let until = self.until_touch(&points, time);
            if until == f64::INFINITY {
                // By turning they may have been in touch in between.
                let passes = points.iter().all(|n| n.gap > 0.0);
                let seen =
                    |n| if passes { self.passed(n, h) } else { self.seen_from_start(n, 0.0) };
                return start.iter().map(seen).collect();
            }
            if time + until >= h || until.abs() <= NEAR_ENOUGH * h {
                break;
            }
            let next = larger(time + until, 0.0);
            let then = self.points(next, manifolds);
            if then.is_empty() {
                break;
            }
            (time, points) = (next, then);
        }
        points.iter().map(|n| self.seen_from_start(n, time)).collect()
    }

    /// Points of both that are near after `time` s of the round.
    fn points(&self, time: f64, manifolds: &mut Manifolds) -> Vec<Near> {
        let there = pose(self.second, self.movers[1], time);
        match self.first {
            Against::Piece(first) => self.points_of_pieces((first, there), time, manifolds),
            Against::Ground(surface) => {
                let skin = self.second.skin.iter();
                skin.flat_map(|skin| surface.contacts(skin, &there, AHEAD + self.travel)).collect()
            }
        }
    }

    fn points_of_pieces(
        &self,
        (first, there): (&Piece<'_>, Pose),
        time: f64,
        manifolds: &mut Manifolds,
    ) -> Vec<Near> {
        let here = pose(first, self.movers[0], time);
        let points = self.look((first, here), there, Vector::ZERO, manifolds);
        let flat = has_faces(first.shape) && has_faces(self.second.shape);
        if points.is_empty() || points.len() >= CORNERS || !flat {
            return points;
        }
        let again = self.look((first, here), there, ASIDE, manifolds);
        if again.len() > points.len() { again } else { points }
    }

    /// Points of both with the second moved by so much in the frame of the first, which gaps leave out.
    fn look(
        &self,
        (first, here): (&Piece<'_>, Pose),
        there: Pose,
        moved: Vector,
        manifolds: &mut Manifolds,
    ) -> Vec<Near> {
        let ahead = AHEAD + self.travel;
        let mut between = here.inv_mul(&there);
        between.translation += moved;
        manifolds.clear();
        // Convex shapes are all supported.
        let _ = DefaultQueryDispatcher.contact_manifolds(
            &between,
            &*first.shape.0,
            &*self.second.shape.0,
            ahead,
            manifolds,
            &mut None,
        );
        let mut all = vec![];
        for manifold in manifolds {
            let normal = ours(here.rotation * manifold.local_n1);
            let nearer = moved.dot(manifold.local_n1);
            let points = manifold.points.iter().filter(|p| p.dist < ahead).map(|p| {
                let middle = (here * p.local_p1 + there * p.local_p2) * 0.5;
                Near { point: ours(middle), normal, gap: p.dist - nearer }
            });
            let points: Vec<_> = points.collect();
            all.extend(thin_out(&points, normal));
        }
        all
    }

    /// From the centres of both, after `time` s, to a point there.
    fn arms(&self, point: Vec3, time: f64) -> [Vec3; 2] {
        self.movers.map(|mover| point - mover.centre_after(time))
    }

    /// How fast a point closes that is near after `time` s, m/s.
    fn closing(&self, n: &Near, time: f64) -> f64 {
        let arms = self.arms(n.point, time);
        self.closing_at(self.movers.map(|mover| mover.speed_after(time)), arms, n.normal)
    }

    fn closing_at(&self, speeds: [BodyVelocity; 2], arms: [Vec3; 2], normal: Vec3) -> f64 {
        let [a, b] = [0, 1].map(|i: usize| speeds[i].velocity + speeds[i].omega.cross(arms[i]));
        (a - b).dot(normal)
    }

    /// Time until the first of these points touches, at the rate at which they close after `time` s;
    /// infinite if none closes.
    fn until_touch(&self, points: &[Near], time: f64) -> f64 {
        let until = |n: &Near| {
            let closing = self.closing(n, time);
            if closing > 0.0 { n.gap / closing } else { f64::INFINITY }
        };
        points.iter().map(until).fold(f64::INFINITY, smaller)
    }

    /// A point that is near after `time` s, with the gap at the start of the round from which they
    /// would come there if nothing turned.
    fn seen_from_start(&self, n: &Near, time: f64) -> ApproachPoint {
        let arms = self.arms(n.point, time);
        let travel = self.travel_along(n.normal, arms, time);
        ApproachPoint { near: Near { gap: n.gap + travel, ..*n }, arms }
    }

    /// A point near at the start of the round, of pieces that will pass one another.
    fn passed(&self, n: &Near, h: f64) -> ApproachPoint {
        let arms = self.arms(n.point, 0.0);
        let gap = larger(n.gap, self.travel_along(n.normal, arms, h) + PASSED);
        ApproachPoint { near: Near { gap, ..*n }, arms }
    }

    /// How far points with these arms close along a normal in the first `time` s of the round, m.
    fn travel_along(&self, normal: Vec3, arms: [Vec3; 2], time: f64) -> f64 {
        let closing = self.closing_at(self.movers.map(|mover| mover.start), arms, normal);
        let faster = (self.movers[0].pull - self.movers[1].pull).dot(normal);
        (closing + 0.5 * faster * time) * time
    }
}

/// Whether a shape is bounded by planes.
fn has_faces(shape: &SharedShape) -> bool {
    shape.as_cuboid().is_some() || shape.as_convex_polyhedron().is_some()
}

/// Where a piece is after `time` s of the round, if nothing touches it.
pub(crate) fn pose(piece: &Piece<'_>, mover: &Mover, time: f64) -> Pose {
    if piece.mover == 0 {
        return piece.place;
    }
    let (position, orientation) = mover.place_after(time);
    Pose::from_parts(theirs(position), their_rotation(orientation)) * piece.place
}
