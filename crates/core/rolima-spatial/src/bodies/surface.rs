//! Contacts of free bodies with the ground: the same bilinear surface that wheels feel, not
//! triangles, and solid all the way down, so that nothing falls through it.

use super::skin::Skin;
use super::solid::{ours, theirs};
use crate::terrain::Terrain;
use parry3d_f64::math::Pose;
use rolima_math::Vec3;
use std::sync::Arc;

/// Cosine between normals of contacts that are solved as one plane: 2.5 degrees.
const ONE_PLANE: f64 = 0.999;

/// Most planes of one piece of a body.
const MOST_PLANES: usize = 8;

/// A cylinder whose axis is nearer to the ground's plane than this (sine of the angle) rolls.
const ROLLS: f64 = 0.3;

/// The ground, for free bodies.
#[derive(Clone)]
pub(crate) struct Surface {
    pub(crate) terrain: Arc<Terrain>,
}

/// A point of a body near something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub(crate) point: Vec3,
    pub(crate) normal: Vec3,
    /// Distance, m; negative inside.
    pub(crate) gap: f64,
}

impl Surface {
    /// Points of a piece that touch the ground, or are nearer than `ahead`: at most four of a plane.
    pub(crate) fn contacts(&self, skin: &Skin, pose: &Pose, ahead: f64) -> Vec<Near> {
        let mut left = vec![];
        self.near(skin, pose, ahead, &mut left);
        let (mut plane, mut all) = (vec![], vec![]);
        for _ in 0..MOST_PLANES {
            // The deepest point's plane first.
            let deepest = left.iter().min_by(|a: &&Near, b| a.gap.total_cmp(&b.gap));
            let Some(normal) = deepest.map(|n| n.normal) else { break };
            plane.clear();
            left.retain(|n: &Near| {
                let same = n.normal.dot(normal) > ONE_PLANE;
                if same {
                    plane.push(*n);
                }
                !same
            });
            all.extend(thin_out(&plane, normal).into_iter().map(|n| Near { normal, ..n }));
        }
        all
    }

    /// Normal of the ground under a point, and the point's distance from it.
    fn under(&self, p: Vec3) -> (Vec3, f64) {
        let patch = self.terrain.patch(p.x, p.y);
        let length = (1.0 + patch.gx * patch.gx + patch.gy * patch.gy).sqrt();
        let normal = Vec3::new(-patch.gx, -patch.gy, 1.0) * (1.0 / length);
        (normal, (p.z - patch.z) / length)
    }

    /// All points of a piece that are nearer than `ahead`.
    fn near(&self, skin: &Skin, pose: &Pose, ahead: f64, out: &mut Vec<Near>) {
        match skin {
            Skin::Ball(radius) => self.near_ball(*radius, pose, ahead, out),
            Skin::Points(points) => self.near_points(points, pose, ahead, out),
            Skin::Cylinder(half, radius, points) => {
                let axis = ours(pose.rotation * theirs(Vec3::new(0.0, 1.0, 0.0)));
                let (normal, _) = self.under(ours(pose.translation));
                // Its ends' own points would be felt as corners while it rolls.
                if axis.dot(normal).abs() > ROLLS {
                    self.near_points(points, pose, ahead, out);
                }
                for end in [-half, 0.0, *half] {
                    // The lowest point of the rim, against the ground's normal.
                    let middle = ours(pose.translation) + axis * end;
                    let (normal, _) = self.under(middle);
                    let across = axis * normal.dot(axis) - normal;
                    let length = across.length();
                    if length > 1e-3 {
                        self.put(middle + across * (radius / length), ahead, out);
                    }
                }
            }
        }
    }

    fn near_points(&self, points: &[Vec3], pose: &Pose, ahead: f64, out: &mut Vec<Near>) {
        for p in points {
            self.put(ours(*pose * theirs(*p)), ahead, out);
        }
    }

    fn put(&self, point: Vec3, ahead: f64, out: &mut Vec<Near>) {
        let (normal, gap) = self.under(point);
        if gap < ahead {
            out.push(Near { point, normal, gap });
        }
    }

    /// The foot of a ball's centre, sought from several places: in a groove it has two.
    fn near_ball(&self, radius: f64, pose: &Pose, ahead: f64, out: &mut Vec<Near>) {
        let centre = ours(pose.translation);
        let aside = 0.7 * radius;
        for (x, y) in [(0.0, 0.0), (aside, 0.0), (-aside, 0.0), (0.0, aside), (0.0, -aside)] {
            let mut foot = centre + Vec3::new(x, y, 0.0);
            let (mut normal, mut distance) = (Vec3::new(0.0, 0.0, 1.0), f64::MAX);
            for _ in 0..4 {
                let patch = self.terrain.patch(foot.x, foot.y);
                foot.z = patch.z;
                let length = (1.0 + patch.gx * patch.gx + patch.gy * patch.gy).sqrt();
                normal = Vec3::new(-patch.gx, -patch.gy, 1.0) * (1.0 / length);
                // Of the plane there.
                distance = (centre - foot).dot(normal);
                foot = centre - normal * distance;
            }
            let known = out.iter().any(|n| n.normal.dot(normal) > 0.9999);
            if distance - radius < ahead && !known {
                out.push(Near { point: centre - normal * radius, normal, gap: distance - radius });
            }
        }
    }
}

/// At most four of a plane's points that hold a body as all of them do: the deepest, and those
/// that span most.
pub(crate) fn thin_out(points: &[Near], normal: Vec3) -> Vec<Near> {
    let mut kept = vec![];
    let Some(first) = points.iter().copied().min_by(|a, b| a.gap.total_cmp(&b.gap)) else {
        return kept;
    };
    kept.push(first);
    let most = |of: &dyn Fn(&Near) -> f64| {
        points.iter().copied().max_by(|a, b| of(a).total_cmp(&of(b))).filter(|n| of(n) > 1e-9)
    };
    let square = |v: Vec3| v.dot(v);
    let Some(second) = most(&|n| square(n.point - first.point)) else { return kept };
    kept.push(second);
    let line = (second.point - first.point).cross(normal);
    for sign in [1.0, -1.0] {
        if let Some(next) = most(&|n| sign * (n.point - first.point).dot(line)) {
            kept.push(next);
        }
    }
    kept
}
