//! Shadows on rough ground: which points have something between themselves and the sun.
//!
//! Faces that look at the sun are drawn along its rays onto the plane z = 0, and so is the point in
//! question: it lies in the shadow of a face that covers it there and that is nearer to the sun.

use super::Drape;
use crate::pose::{Point3, StagePose, add, cross, dot, scale, unit_or};
use crate::solid::{MOST_CORNERS, Solid};
use crate::stage::{Body, StageShape};

/// What casts shadows.
#[derive(Clone, Debug, Default)]
pub(crate) struct Casts {
    drape: Drape,
    /// By polygon: n and c with c - n . P the way, m, from P along the sun's ray to the face.
    faces: Vec<(Point3, f64)>,
}

/// Where the sun's ray through a point meets z = 0.
#[inline]
fn along(sun: Point3, p: Point3) -> [f64; 2] {
    let s = p[2] / sun[2];
    [p[0] - sun[0] * s, p[1] - sun[1] * s]
}

impl Casts {
    /// Of bodies; `circle` are points around the unit circle.
    pub(crate) fn set<'a>(
        &mut self,
        bodies: impl Iterator<Item = &'a Body>,
        sun: Point3,
        circle: &[[f64; 2]],
        fineness: [f64; 2],
    ) {
        self.drape.clear();
        self.faces.clear();
        for body in bodies {
            match &body.shape {
                StageShape::Solid(solid) => self.solid(solid, &body.pose, sun),
                StageShape::Ball { radius, .. } => {
                    self.ball(*radius, body.pose.position, sun, circle)
                }
            }
        }
        self.drape.sort(fineness);
    }

    fn solid(&mut self, solid: &Solid, pose: &StagePose, sun: Point3) {
        for face in &solid.faces {
            let normal = pose.rotate(face.normal);
            let facing = dot(normal, sun);
            if facing <= 1e-6 {
                continue;
            }
            let corners = &solid.corners[face.first as usize..(face.first + face.count) as usize];
            let mut polygon = [[0.0; 2]; MOST_CORNERS];
            for (place, &i) in polygon.iter_mut().zip(corners) {
                *place = along(sun, pose.transform(solid.vertices[i as usize]));
            }
            self.drape.push(&polygon[..corners.len().min(MOST_CORNERS)]);
            let offset = face.offset + dot(normal, pose.position);
            self.faces.push((scale(normal, 1.0 / facing), offset / facing));
        }
    }

    /// A ball darkens what a disc across the sun's rays does.
    fn ball(&mut self, radius: f64, centre: Point3, sun: Point3, circle: &[[f64; 2]]) {
        let across = unit_or(cross([0.0, 0.0, 1.0], sun), [1.0, 0.0, 0.0]);
        let up = cross(sun, across);
        let mut polygon = [[0.0; 2]; MOST_CORNERS];
        for (place, [c, s]) in polygon.iter_mut().zip(circle) {
            let offset = add(scale(across, c * radius), scale(up, s * radius));
            *place = along(sun, add(centre, offset));
        }
        self.drape.push(&polygon[..circle.len().min(MOST_CORNERS)]);
        self.faces.push((sun, dot(sun, centre)));
    }

    /// Whether something stands between a point and the sun.
    #[inline]
    pub(crate) fn darken(&self, p: Point3, sun: Point3) -> bool {
        let before = |polygon: usize| {
            let (normal, offset) = self.faces[polygon];
            offset - dot(normal, p) > 0.0
        };
        self.drape.find(along(sun, p), before).is_some()
    }
}
