//! The terrain into the buffers: as fine as the picture needs it, nearest first.

use super::mesh::{FINEST_M, LatticePoint, Mesh, Triangle, middle};
use crate::polygon::{Corners, Flat};
use crate::pose::{Point3, add, cross, dot, length, scale, sub};
use crate::raster::{Fill, fill_surface};
use crate::visible::PictureDraft;
use rolima_math::{larger, smaller};

/// How far the drawn surface may be off the true one, in pixels of the picture's middle.
pub(crate) const TOLERANCE_PIXELS: f64 = 0.25;
/// What goes on for ever ends here, m.
const FAR_M: f64 = 1e6;
/// Whether anything of a triangle is seen is asked every so many levels.
const HIDDEN_EVERY: u32 = 4;

/// A vertex of the mesh, and where the camera sees it.
#[derive(Clone, Copy)]
struct Corner {
    place: LatticePoint,
    seen: Point3,
}

/// What all triangles of a picture share.
struct DrawContext<'a> {
    mesh: &'a Mesh,
    number: u32,
    /// The camera above the lattice, within its rim, in places and in m.
    eye: [f64; 2],
    eye_m: [f64; 2],
    /// Height of the camera above all ground, or depth below it, m, squared.
    over: f64,
    /// Errors times this are the distance, m, from which they are small enough.
    sight: f64,
    /// Triangles that are seen from below are drawn as well.
    both_sides: bool,
    /// What lies beyond the terrain's border is cut off: smallest and largest coordinates, m.
    border: Option<[[f64; 2]; 2]>,
}

impl PictureDraft<'_> {
    /// Draws the terrain; its pixels get `number`.
    pub(crate) fn land(&mut self, mesh: &Mesh, number: u32, roots: &mut Vec<(f64, Triangle)>) {
        let view = self.view;
        let [min, max] = mesh.extent();
        let position = view.position;
        let eye_m = [0, 1].map(|a| smaller(larger(position[a], min[a]), max[a]));
        let spec = mesh.terrain().spec();
        let inside = mesh.is_endless() || mesh.terrain().contains(position[0], position[1]);
        let above = position[2] >= mesh.terrain().height(position[0], position[1]);
        let over =
            larger(larger(position[2] - mesh.heights[1], mesh.heights[0] - position[2]), 0.0);
        let sight = DrawContext {
            mesh,
            number,
            eye: mesh.place_of(eye_m),
            eye_m,
            over: over * over,
            sight: larger(view.fx, view.fy) / TOLERANCE_PIXELS,
            both_sides: !(inside && above),
            border: (!mesh.is_endless())
                .then_some([[spec.min.x, spec.min.y], [spec.max.x, spec.max.y]]),
        };
        roots.clear();
        roots.extend(mesh.root_triangles().into_iter().map(|triangle| {
            let middle = |a: usize| 0.5 * f64::from(triangle[1][a] + triangle[2][a]) - sight.eye[a];
            (middle(0) * middle(0) + middle(1) * middle(1), triangle)
        }));
        roots.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, [apex, left, right]) in roots.iter() {
            let [apex, left, right] = [apex, left, right].map(|place| self.corner(mesh, *place));
            self.descend(&sight, apex, left, right, 0);
        }
        if mesh.is_endless() {
            for (from, to, outwards) in mesh.rim() {
                let (from, to) = (self.corner(mesh, from), self.corner(mesh, to));
                self.rim(&sight, from, to, outwards, 1);
            }
            self.beyond_corners(&sight);
        }
    }

    #[inline]
    fn corner(&self, mesh: &Mesh, place: LatticePoint) -> Corner {
        Corner { place, seen: self.view.see(mesh.point(place)) }
    }

    /// Draws a triangle, or its parts.
    fn descend(
        &mut self,
        sight: &DrawContext<'_>,
        apex: Corner,
        left: Corner,
        right: Corner,
        level: u32,
    ) {
        let place = middle(left.place, right.place);
        let Some(error) = sight.mesh.error(level, place) else {
            return self.leaf(sight, &[apex.seen, left.seen, right.seen]);
        };
        // The whole triangle and all of its parts lie within this sphere.
        let centre = scale(add(left.seen, right.seen), 0.5);
        let radius =
            larger(length(sub(left.seen, centre)), length(sub(apex.seen, centre))) + error + 1e-9;
        if !self.view.may_see_sphere(centre, radius) {
            return;
        }
        let nearest = centre[2] - radius;
        if level.is_multiple_of(HIDDEN_EVERY) && nearest > self.view.near {
            let bounds = self.view.bounds_of_sphere(centre, radius);
            let [l, t, r, b] = bounds;
            if l >= r || t >= b || !self.buffers.may_show(bounds, (1.0 / nearest) as f32) {
                return;
            }
        }
        if !sight.is_wanted(level, place, error) {
            return self.leaf(sight, &[apex.seen, left.seen, right.seen]);
        }
        let mid = self.corner(sight.mesh, place);
        // The half on the camera's side is nearer.
        let [ax, ay] = apex.place.map(f64::from);
        let across = [f64::from(place[0]) - ax, f64::from(place[1]) - ay];
        let side = across[0] * (sight.eye[1] - ay) - across[1] * (sight.eye[0] - ax);
        // Left lies to the right of the line from the apex to the middle: all run counter-clockwise.
        if side < 0.0 {
            self.descend(sight, mid, apex, left, level + 1);
            self.descend(sight, mid, right, apex, level + 1);
        } else {
            self.descend(sight, mid, right, apex, level + 1);
            self.descend(sight, mid, apex, left, level + 1);
        }
    }

    /// Draws the surface outside of a piece of the rim, which goes on level outwards.
    fn rim(
        &mut self,
        sight: &DrawContext<'_>,
        from: Corner,
        to: Corner,
        outwards: LatticePoint,
        level: u32,
    ) {
        let place = middle(from.place, to.place);
        let error = sight.mesh.error(level, place);
        if error.is_some_and(|error| sight.is_wanted(level, place, error)) {
            let mid = self.corner(sight.mesh, place);
            self.rim(sight, from, mid, outwards, level + 2);
            self.rim(sight, mid, to, outwards, level + 2);
            return;
        }
        let far = self.view.turn([f64::from(outwards[0]), f64::from(outwards[1]), 0.0]);
        let far = scale(far, FAR_M);
        self.leaf(sight, &[to.seen, from.seen, add(from.seen, far), add(to.seen, far)]);
    }

    /// Draws what lies beyond the corners of the rim: level.
    fn beyond_corners(&mut self, sight: &DrawContext<'_>) {
        let [min, max] = sight.mesh.extent();
        let corner = |x: f64, y: f64| {
            let [i, j] = sight.mesh.place_of([x, y]).map(|at| at.round() as i32);
            sight.mesh.point([i, j])
        };
        // Counter-clockwise, beginning with x.
        for (x, y, a, b) in [
            (max[0], max[1], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]),
            (min[0], max[1], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]),
            (min[0], min[1], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]),
            (max[0], min[1], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]),
        ] {
            let seen = self.view.see(corner(x, y));
            let [a, b] = [a, b].map(|direction| scale(self.view.turn(direction), FAR_M));
            self.leaf(sight, &[seen, add(seen, a), add(add(seen, a), b), add(seen, b)]);
        }
    }

    /// Fills a flat piece of the surface.
    fn leaf(&mut self, sight: &DrawContext<'_>, corners: &[Point3]) {
        let normal = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]));
        let offset = dot(normal, corners[0]);
        if offset >= 0.0 && !sight.both_sides {
            return;
        }
        let mut polygon = Corners::EMPTY;
        // To the eye all polygons run counter-clockwise.
        if offset < 0.0 {
            corners.iter().for_each(|&p| polygon.push(p));
        } else {
            corners.iter().rev().for_each(|&p| polygon.push(p));
        }
        if let Some([min, max]) = sight.border {
            let view = self.view;
            for axis in 0..2 {
                // A world coordinate of a point of the camera frame.
                let direction = [view.rows[0][axis], view.rows[1][axis], view.rows[2][axis]];
                let here = view.position[axis];
                if polygon.any(|p| here + dot(direction, p) > max[axis]) {
                    polygon.cut(|p| max[axis] - here - dot(direction, *p));
                }
                if polygon.any(|p| here + dot(direction, p) < min[axis]) {
                    polygon.cut(|p| here + dot(direction, *p) - min[axis]);
                }
            }
        }
        let mut flat = Flat::EMPTY;
        let Some(bounds) = self.project(&mut polygon, &mut flat) else { return };
        let (mut near, mut far) = (f64::INFINITY, 0.0);
        for p in &polygon.at[..polygon.count] {
            near = if p[2] < near { p[2] } else { near };
            far = if p[2] > far { p[2] } else { far };
        }
        let plane = self.view.over_pixels(scale(normal, 1.0 / offset));
        if !plane.iter().all(|x| x.abs() < 1e30) {
            return;
        }
        let (least, most) = ((1.0 / far) as f32, (1.0 / near) as f32);
        let fill = Fill { plane, least, most, number: sight.number };
        self.fill(&flat, |buffers, rows, columns| fill_surface(buffers, rows, columns, &fill));
        self.buffers.touch(bounds);
    }
}

impl DrawContext<'_> {
    /// Whether a vertex has to be there: for its own sake or for that of a descendant.
    #[inline]
    fn is_wanted(&self, level: u32, place: LatticePoint, error: f64) -> bool {
        if error <= FINEST_M {
            return false;
        }
        let at = self.mesh.plan(place);
        let (x, y) = (at[0] - self.eye_m[0], at[1] - self.eye_m[1]);
        let away = larger((x * x + y * y).sqrt() - self.mesh.reach(level), 0.0);
        let enough = error * self.sight;
        away * away + self.over < enough * enough
    }
}
