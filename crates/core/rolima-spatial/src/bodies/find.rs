//! What touches, or may touch within a round: pieces of bodies and vehicles by parry's contact
//! manifolds, free bodies and the ground by [`super::surface`].

use super::contact::Found;
use super::mover::Mover;
use super::near::Bounds;
use super::skin::Skin;
use super::solid::{MeetModel, ours, their_rotation, theirs};
use super::surface::thin_out;
use super::{BodyKind, Party};
use crate::model::SpatialModel;
use parry3d_f64::math::Pose;
use parry3d_f64::query::{ContactManifold, DefaultQueryDispatcher, PersistentQueryDispatcher};
use parry3d_f64::shape::SharedShape;
use rolima_math::{Vec2, Vec3};

/// How far beyond what may close in a round things are looked at, m.
pub(crate) const AHEAD: f64 = 1e-3;

/// A convex piece of something.
pub(crate) struct Piece<'a> {
    /// Number of its mover; 0 never moves.
    pub(crate) mover: usize,
    pub(crate) party: Party,
    pub(crate) shape: &'a SharedShape,
    /// Its place in the frame of its body; in the world for what never moves.
    pub(crate) place: Pose,
    /// What the ground feels of it.
    pub(crate) skin: Option<&'a Skin>,
}

/// A piece where it is now.
struct Placed {
    pose: Pose,
    bounds: Bounds,
    /// How far it may get in a round, m.
    way: f64,
}

/// Friction and restitution of two that touch; none is the ground.
fn material(model: &SpatialModel, [a, b]: [Option<Party>; 2], at: Vec3) -> (f64, f64) {
    let spec = &model.spec;
    match (a, b) {
        (None, Some(Party::Body(i))) | (Some(Party::Body(i)), None) => {
            let body = &spec.bodies[i as usize];
            (body.friction * model.terrain.friction(at.x, at.y), body.restitution)
        }
        (a, b) => {
            let kind = |p: Option<Party>| -> Option<BodyKind> {
                match p {
                    Some(Party::Body(i)) => Some(spec.bodies[i as usize].kind),
                    _ => None,
                }
            };
            let (a, b) = (kind(a), kind(b));
            (spec.contact.friction.of(a, b), spec.contact.restitution.of(a, b))
        }
    }
}

/// All contacts of a round, as far as movers reach in it, in the order of the pieces.
pub(crate) fn find(
    (model, meeting): (&SpatialModel, &MeetModel),
    pieces: &[Piece<'_>],
    movers: &[Mover],
    out: &mut Vec<Found>,
) {
    out.clear();
    let placed: Vec<Placed> = pieces.iter().map(|p| place(p, &movers[p.mover])).collect();
    let mut manifolds: Vec<ContactManifold<(), ()>> = vec![];
    for (i, (one, here)) in pieces.iter().zip(&placed).enumerate() {
        if let (Some(skin), true) = (one.skin, may_touch_ground(model, one, here)) {
            let parties = [None, Some(one.party)];
            let ahead = AHEAD + here.way;
            for n in meeting.surface.contacts(skin, &here.pose, ahead) {
                let (friction, restitution) = material(model, parties, n.point);
                let (movers, point, normal, gap) = ([0, one.mover], n.point, n.normal, n.gap);
                out.push(Found { movers, parties, point, normal, gap, friction, restitution });
            }
        }
        for (other, there) in pieces.iter().zip(&placed).skip(i + 1) {
            let apart = one.party == other.party || (one.mover == 0 && other.mover == 0);
            if apart || !here.bounds.overlaps(&there.bounds) {
                continue;
            }
            let ahead = AHEAD + here.way + there.way;
            manifolds.clear();
            let pose = here.pose.inv_mul(&there.pose);
            let (a, b) = (&*one.shape.0, &*other.shape.0);
            // Convex shapes are all supported.
            let _ = DefaultQueryDispatcher.contact_manifolds(
                &pose,
                a,
                b,
                ahead,
                &mut manifolds,
                &mut None,
            );
            let parties = [Some(one.party), Some(other.party)];
            for manifold in &manifolds {
                let normal = ours(here.pose.rotation * manifold.local_n1);
                let points = manifold.points.iter().filter(|p| p.dist < ahead).map(|p| {
                    let middle = (here.pose * p.local_p1 + there.pose * p.local_p2) * 0.5;
                    super::surface::Near { point: ours(middle), normal, gap: p.dist }
                });
                let points: Vec<_> = points.collect();
                for n in thin_out(&points, normal) {
                    let (friction, restitution) = material(model, parties, n.point);
                    let movers = [one.mover, other.mover];
                    let (point, gap) = (n.point, n.gap);
                    out.push(Found { movers, parties, point, normal, gap, friction, restitution });
                }
            }
        }
    }
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
    let pose = if piece.mover == 0 {
        piece.place
    } else {
        Pose::from_parts(theirs(mover.position()), their_rotation(mover.orientation)) * piece.place
    };
    let way = if piece.mover == 0 { 0.0 } else { mover.reach };
    let around = piece.shape.compute_aabb(&pose);
    let grown = Vec3::new(way + AHEAD, way + AHEAD, way + AHEAD);
    let bounds = Bounds { low: ours(around.mins) - grown, high: ours(around.maxs) + grown };
    Placed { pose, bounds, way }
}
