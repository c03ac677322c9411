//! What touches, or may touch within a round, by [`super::approach`]: pieces of bodies and vehicles,
//! free bodies and the ground ([`super::surface`]).

use super::approach::{Against, Approach, ApproachPoint, pose};
use super::contact::Found;
use super::mover::Mover;
use super::near::Bounds;
use super::skin::Skin;
use super::solid::{CollisionModel, ours};
use super::surface::Near;
use super::{BodyKind, BodyRef};
use crate::model::SpatialModel;
use parry3d_f64::math::Pose;
use parry3d_f64::shape::SharedShape;
use rolima_math::{Vec2, Vec3};

/// How far beyond what may close in a round things are looked at, m.
pub(crate) const AHEAD: f64 = 1e-3;

/// A convex piece of something.
pub(crate) struct Piece<'a> {
    /// Number of its mover; 0 never moves.
    pub(crate) mover: usize,
    pub(crate) body_ref: BodyRef,
    pub(crate) shape: &'a SharedShape,
    /// Its place in the frame of its body; in the world for what never moves.
    pub(crate) place: Pose,
    /// What the ground feels of it.
    pub(crate) skin: Option<&'a Skin>,
}

/// A piece where it is now.
struct Placed {
    bounds: Bounds,
    /// How far it may get in a round, m.
    travel: f64,
}

/// Friction and restitution of two that touch; none is the ground.
fn material(model: &SpatialModel, [a, b]: [Option<BodyRef>; 2], at: Vec3) -> (f64, f64) {
    let spec = &model.spec;
    match (a, b) {
        (None, Some(BodyRef::Body(i))) | (Some(BodyRef::Body(i)), None) => {
            let body = &spec.bodies[i as usize];
            (body.friction * model.terrain.friction(at.x, at.y), body.restitution)
        }
        (a, b) => {
            let kind = |p: Option<BodyRef>| match p {
                Some(BodyRef::Body(i)) => spec.bodies[i as usize].kind,
                _ => BodyKind::Robot,
            };
            let (a, b) = (kind(a), kind(b));
            (spec.contact.friction.of(a, b), spec.contact.restitution.of(a, b))
        }
    }
}

/// All contacts of a round of `h` s, as far as movers reach in it, in the order of the pieces.
pub(crate) fn find(
    (model, contact_state): (&SpatialModel, &CollisionModel),
    pieces: &[Piece<'_>],
    movers: &[Mover],
    h: f64,
    out: &mut Vec<Found>,
) {
    out.clear();
    let threshold = model.spec.contact.restitution_threshold;
    let placed: Vec<Placed> = pieces.iter().map(|p| place(p, &movers[p.mover])).collect();
    let mut manifolds = vec![];
    for (i, (one, here)) in pieces.iter().zip(&placed).enumerate() {
        if one.skin.is_some() && may_touch_ground(model, one, here) {
            let both = [0, one.mover];
            let approach = Approach {
                first: Against::Ground(&contact_state.surface),
                second: one,
                movers: both.map(|m| &movers[m]),
                travel: here.travel,
            };
            for ApproachPoint { near, arms } in
                approach.approach_points(h, threshold, &mut manifolds)
            {
                out.push(found(model, both, [None, Some(one.body_ref)], &near, arms));
            }
        }
        for (other, there) in pieces.iter().zip(&placed).skip(i + 1) {
            let apart = one.body_ref == other.body_ref || (one.mover == 0 && other.mover == 0);
            if apart || !here.bounds.overlaps(&there.bounds) {
                continue;
            }
            let both = [one.mover, other.mover];
            let approach = Approach {
                first: Against::Piece(one),
                second: other,
                movers: both.map(|m| &movers[m]),
                travel: here.travel + there.travel,
            };
            let body_refs = [Some(one.body_ref), Some(other.body_ref)];
            for ApproachPoint { near, arms } in
                approach.approach_points(h, threshold, &mut manifolds)
            {
                out.push(found(model, both, body_refs, &near, arms));
            }
        }
    }
}

/// A contact of two movers.
fn found(
    model: &SpatialModel,
    movers: [usize; 2],
    body_refs: [Option<BodyRef>; 2],
    near: &Near,
    arms: [Vec3; 2],
) -> Found {
    let Near { point, normal, gap } = *near;
    let (friction, restitution) = material(model, body_refs, point);
    Found { movers, body_refs, point, arms, normal, gap, friction, restitution }
}

/// Whether a piece moves and is not above all ground under it.
fn may_touch_ground(model: &SpatialModel, piece: &Piece<'_>, here: &Placed) -> bool {
    let Bounds { low, high } = here.bounds;
    piece.mover > 0 && {
        let under = model.terrain.slopes(Vec2::new(low.x, low.y), Vec2::new(high.x, high.y));
        low.z <= under.top
    }
}

fn place(piece: &Piece<'_>, mover: &Mover) -> Placed {
    let pose = pose(piece, mover, 0.0);
    let travel = if piece.mover == 0 { 0.0 } else { mover.reach };
    let around = piece.shape.compute_aabb(&pose);
    let grown = Vec3::new(travel + AHEAD, travel + AHEAD, travel + AHEAD);
    let bounds = Bounds { low: ours(around.mins) - grown, high: ours(around.maxs) + grown };
    Placed { bounds, travel }
}
