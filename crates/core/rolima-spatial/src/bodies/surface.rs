//! Contacts of free bodies with the ground: the same bilinear surface that wheels feel, not
//! triangles, and solid all the way down, so that nothing falls through it.

use super::skin::Skin;
use crate::terrain::Terrain;
use rapier3d_f64::parry::math::{Pose, Real};
use rapier3d_f64::parry::query::details::{NormalConstraints, ShapeCastOptions};
use rapier3d_f64::parry::query::{
    ClosestPoints, Contact, ContactManifold, ContactManifoldsWorkspace, DefaultQueryDispatcher,
    NonlinearRigidMotion, PersistentQueryDispatcher, QueryDispatcher, ShapeCastHit, ShapeDistance,
    ShapeIntersection, TrackedContact, Unsupported,
};
use rapier3d_f64::parry::shape::{PackedFeatureId, Shape};
use rapier3d_f64::prelude::{ContactData, ContactManifoldData, SharedShape, Vector};
use rolima_math::Vec3;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Cosine between normals of contacts that are solved as one plane: 2.5 degrees.
const ONE_PLANE: f64 = 0.999;

/// Most planes of one piece of a body.
const MOST_PLANES: usize = 8;

/// The ground, for rapier: stands behind a half-space, which is only a sign for it.
#[derive(Clone)]
pub(crate) struct Surface {
    pub(crate) terrain: Arc<Terrain>,
    /// Skins by the address of their shapes, which the model keeps.
    pub(crate) skins: Arc<BTreeMap<usize, Skin>>,
}

/// What a shape is found by.
pub(crate) fn address(shape: &SharedShape) -> usize {
    of_shape(&*shape.0)
}

fn of_shape(shape: &dyn Shape) -> usize {
    core::ptr::from_ref(shape).cast::<()>() as usize
}

/// A point of a body near the ground.
#[derive(Clone, Copy)]
struct Near {
    /// In the shape's frame and in the world.
    own: Vector,
    world: Vector,
    normal: Vector,
    distance: f64,
}

impl Surface {
    /// Normal of the ground under a point, and the point's distance from it.
    fn under(&self, p: Vector) -> (Vector, f64) {
        let patch = self.terrain.patch(p.x, p.y);
        let length = (1.0 + patch.gx * patch.gx + patch.gy * patch.gy).sqrt();
        let normal = Vector::new(-patch.gx, -patch.gy, 1.0) * (1.0 / length);
        (normal, (p.z - patch.z) / length)
    }

    /// All points of a piece that are nearer than `ahead`.
    fn near(&self, skin: &Skin, pose: &Pose, ahead: f64, out: &mut Vec<Near>) {
        match skin {
            Skin::Ball(radius) => self.near_ball(*radius, pose, ahead, out),
            Skin::Points(points) => self.near_points(points, pose, ahead, out),
            Skin::Cylinder(half, radius, points) => {
                self.near_points(points, pose, ahead, out);
                let axis = pose.rotation * Vector::Y;
                for end in [-half, 0.0, *half] {
                    // The lowest point of the rim, against the ground's normal.
                    let middle = pose.translation + axis * end;
                    let (normal, _) = self.under(middle);
                    let across = axis * normal.dot(axis) - normal;
                    let length = across.length();
                    if length > 1e-3 {
                        let world = middle + across * (radius / length);
                        self.put(world, pose, ahead, out);
                    }
                }
            }
        }
    }

    fn near_points(&self, points: &[Vec3], pose: &Pose, ahead: f64, out: &mut Vec<Near>) {
        for p in points {
            let own = Vector::new(p.x, p.y, p.z);
            let world = *pose * own;
            let (normal, distance) = self.under(world);
            if distance < ahead {
                out.push(Near { own, world, normal, distance });
            }
        }
    }

    fn put(&self, world: Vector, pose: &Pose, ahead: f64, out: &mut Vec<Near>) {
        let (normal, distance) = self.under(world);
        if distance < ahead {
            out.push(Near { own: pose.inverse() * world, world, normal, distance });
        }
    }

    /// The foot of a ball's centre, sought from several places: in a groove it has two.
    fn near_ball(&self, radius: f64, pose: &Pose, ahead: f64, out: &mut Vec<Near>) {
        let centre = pose.translation;
        let aside = 0.7 * radius;
        for (x, y) in [(0.0, 0.0), (aside, 0.0), (-aside, 0.0), (0.0, aside), (0.0, -aside)] {
            let mut foot = centre + Vector::new(x, y, 0.0);
            let (mut normal, mut distance) = (Vector::Z, f64::MAX);
            for _ in 0..4 {
                let patch = self.terrain.patch(foot.x, foot.y);
                foot.z = patch.z;
                let length = (1.0 + patch.gx * patch.gx + patch.gy * patch.gy).sqrt();
                normal = Vector::new(-patch.gx, -patch.gy, 1.0) * (1.0 / length);
                // Of the plane there.
                distance = (centre - foot).dot(normal);
                foot = centre - normal * distance;
            }
            let world = centre - normal * radius;
            let known = out.iter().any(|n| n.normal.dot(normal) > 0.9999);
            if distance - radius < ahead && !known {
                let own = pose.inverse() * world;
                out.push(Near { own, world, normal, distance: distance - radius });
            }
        }
    }
}

/// At most four of a plane's points that hold a body as all of them do: the deepest, and those
/// that span most.
fn thin_out(points: &[Near], kept: &mut Vec<Near>) {
    kept.clear();
    let Some(first) = points.iter().copied().min_by(|a, b| a.distance.total_cmp(&b.distance))
    else {
        return;
    };
    kept.push(first);
    let most = |of: &dyn Fn(&Near) -> f64| {
        points.iter().copied().max_by(|a, b| of(a).total_cmp(&of(b))).filter(|n| of(n) > 1e-9)
    };
    let Some(second) = most(&|n| (n.world - first.world).length_squared()) else { return };
    kept.push(second);
    let line = (second.world - first.world).cross(first.normal);
    for sign in [1.0, -1.0] {
        if let Some(next) = most(&|n| sign * (n.world - first.world).dot(line)) {
            kept.push(next);
        }
    }
}

impl PersistentQueryDispatcher<ContactManifoldData, ContactData> for Surface {
    fn contact_manifolds(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        prediction: Real,
        manifolds: &mut Vec<ContactManifold<ContactManifoldData, ContactData>>,
        workspace: &mut Option<ContactManifoldsWorkspace>,
    ) -> Result<(), Unsupported> {
        let flipped = g2.as_halfspace().is_some();
        if !flipped && g1.as_halfspace().is_none() {
            return DefaultQueryDispatcher
                .contact_manifolds(pos12, g1, g2, prediction, manifolds, workspace);
        }
        let (shape, pose) = if flipped { (g1, pos12.inverse()) } else { (g2, *pos12) };
        let skin = self.skins.get(&of_shape(shape)).ok_or(Unsupported)?;
        let mut left = vec![];
        self.near(skin, &pose, prediction, &mut left);
        let (mut plane, mut kept) = (vec![], vec![]);
        let mut used = 0;
        while used < MOST_PLANES {
            // The deepest point's plane first.
            let deepest = left.iter().min_by(|a, b| a.distance.total_cmp(&b.distance));
            let Some(normal) = deepest.map(|n| n.normal) else { break };
            plane.clear();
            left.retain(|n: &Near| {
                let same = n.normal.dot(normal) > ONE_PLANE;
                if same {
                    plane.push(*n);
                }
                !same
            });
            thin_out(&plane, &mut kept);
            if manifolds.len() == used {
                manifolds.push(ContactManifold::with_data(0, 0, ContactManifoldData::default()));
            }
            let manifold = &mut manifolds[used];
            used += 1;
            let own_normal = pose.rotation.inverse() * -normal;
            (manifold.local_n1, manifold.local_n2) =
                if flipped { (own_normal, normal) } else { (normal, own_normal) };
            manifold.points.clear();
            for n in &kept {
                let ground = n.world - normal * n.distance;
                let ids = (PackedFeatureId::face(0), PackedFeatureId::face(1));
                let contact =
                    TrackedContact::flipped(ground, n.own, ids.0, ids.1, n.distance, flipped);
                manifold.points.push(contact);
            }
        }
        manifolds.truncate(used);
        Ok(())
    }

    fn contact_manifold_convex_convex(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        constraints1: Option<&dyn NormalConstraints>,
        constraints2: Option<&dyn NormalConstraints>,
        prediction: Real,
        manifold: &mut ContactManifold<ContactManifoldData, ContactData>,
    ) -> Result<(), Unsupported> {
        DefaultQueryDispatcher.contact_manifold_convex_convex(
            pos12,
            g1,
            g2,
            constraints1,
            constraints2,
            prediction,
            manifold,
        )
    }
}

/// Whether one of two is the ground, of which only contacts are asked.
fn is_ground(g1: &dyn Shape, g2: &dyn Shape) -> bool {
    g1.as_halfspace().is_some() || g2.as_halfspace().is_some()
}

impl QueryDispatcher for Surface {
    fn intersection_test(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
    ) -> Result<ShapeIntersection, Unsupported> {
        DefaultQueryDispatcher.intersection_test(pos12, g1, g2)
    }

    fn distance(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
    ) -> Result<ShapeDistance, Unsupported> {
        DefaultQueryDispatcher.distance(pos12, g1, g2)
    }

    fn contact(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        prediction: Real,
    ) -> Result<Option<Contact>, Unsupported> {
        DefaultQueryDispatcher.contact(pos12, g1, g2, prediction)
    }

    fn closest_points(
        &self,
        pos12: &Pose,
        g1: &dyn Shape,
        g2: &dyn Shape,
        max_dist: Real,
    ) -> Result<ClosestPoints, Unsupported> {
        DefaultQueryDispatcher.closest_points(pos12, g1, g2, max_dist)
    }

    fn cast_shapes(
        &self,
        pos12: &Pose,
        local_vel12: Vector,
        g1: &dyn Shape,
        g2: &dyn Shape,
        options: ShapeCastOptions,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        if is_ground(g1, g2) {
            return Ok(None);
        }
        DefaultQueryDispatcher.cast_shapes(pos12, local_vel12, g1, g2, options)
    }

    fn cast_shapes_nonlinear(
        &self,
        motion1: &NonlinearRigidMotion,
        g1: &dyn Shape,
        motion2: &NonlinearRigidMotion,
        g2: &dyn Shape,
        start_time: Real,
        end_time: Real,
        stop_at_penetration: bool,
    ) -> Result<Option<ShapeCastHit>, Unsupported> {
        if is_ground(g1, g2) {
            return Ok(None);
        }
        DefaultQueryDispatcher.cast_shapes_nonlinear(
            motion1,
            g1,
            motion2,
            g2,
            start_time,
            end_time,
            stop_at_penetration,
        )
    }
}
