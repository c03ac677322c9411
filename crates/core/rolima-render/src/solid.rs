//! Solids: what boxes, prisms, cylinders and meshes become. Convex flat faces, seen from outside.

use crate::StageError;
use crate::paint::Paint;
use crate::pose::{Point3, StagePose, add, cross, dot, is_sane, length, scale, sub, unit_or};

/// Faces with more corners are split into a fan.
pub(crate) const MOST_CORNERS: usize = 32;
/// Vertices and faces of one solid at most: bounds what a file can make the program allocate.
pub(crate) const MOST_PARTS: usize = 4_000_000;

/// One convex, flat face.
#[derive(Clone, Debug)]
pub(crate) struct Face {
    /// Its corners in [`Solid::corners`], counter-clockwise from outside.
    pub(crate) first: u32,
    pub(crate) count: u32,
    /// Outward unit normal; points P of the face have normal . P = offset.
    pub(crate) normal: Point3,
    pub(crate) offset: f64,
    /// Which of [`Solid::paints`].
    pub(crate) paint: u16,
    /// Texture coordinates in copies of the texture: gradient and value at the origin, u then v.
    pub(crate) texture: [(Point3, f64); 2],
    pub(crate) smooth: Option<Box<Smooth>>,
}

/// What a face needs to look round: the normals at its first three corners, and the vectors that
/// turn differences between those corners into a gradient.
#[derive(Clone, Debug)]
pub(crate) struct Smooth {
    pub(crate) normals: [Point3; 3],
    pub(crate) duals: [Point3; 2],
}

/// A shape ready to be drawn, in its own frame, m. Build one with the functions below, and give it to
/// as many bodies of a stage as you like.
#[derive(Clone, Debug, Default)]
pub struct Solid {
    pub(crate) vertices: Vec<Point3>,
    pub(crate) corners: Vec<u32>,
    pub(crate) faces: Vec<Face>,
    pub(crate) paints: Vec<Paint>,
    pub(crate) centre: Point3,
    pub(crate) radius: f64,
}

impl Solid {
    /// A box of the given length (x), width (y) and height (z), centred on its origin.
    pub fn cuboid(size: Point3, paint: Paint) -> Self {
        let [x, y, z] = size.map(|s| s.abs() / 2.0);
        Self::prism(&[[-x, -y], [x, -y], [x, y], [-x, y]], -z, z, paint)
            .unwrap_or_else(|_| Self::default())
    }

    /// A wall from (x1, y1) to (x2, y2), standing on the ground, `thickness` wide, m.
    pub fn wall(from: [f64; 2], to: [f64; 2], thickness: f64, height: f64, paint: Paint) -> Self {
        let along = [to[0] - from[0], to[1] - from[1], 0.0];
        let [ax, ay, _] = unit_or(along, [1.0, 0.0, 0.0]);
        let h = thickness.abs() / 2.0;
        // Ends reach half a thickness further, so that walls that meet leave no notch.
        let corner = |[x, y]: [f64; 2], a: f64, s: f64| {
            [x + (ax * a - ay * s) * h, y + (ay * a + ax * s) * h]
        };
        let outline = [
            corner(from, -1.0, -1.0),
            corner(to, 1.0, -1.0),
            corner(to, 1.0, 1.0),
            corner(from, -1.0, 1.0),
        ];
        Self::prism(&outline, 0.0, height, paint).unwrap_or_else(|_| Self::default())
    }

    /// A convex outline (counter-clockwise or clockwise) extruded from `bottom` to `top`, m.
    pub fn prism(
        outline: &[[f64; 2]],
        bottom: f64,
        top: f64,
        paint: Paint,
    ) -> Result<Self, StageError> {
        let n = outline.len();
        if !(3..=MOST_PARTS / 4).contains(&n) {
            return Err(StageError::Outline { corners: n });
        }
        let area: f64 = (0..n)
            .map(|i| (outline[i], outline[(i + 1) % n]))
            .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
            .sum();
        let at = |i: usize| outline[if area < 0.0 { n - 1 - i % n } else { i % n }];
        let (bottom, top) = if bottom > top { (top, bottom) } else { (bottom, top) };
        let mut solid = Self { paints: vec![paint], ..Self::default() };
        for z in [bottom, top] {
            solid.vertices.extend((0..n).map(|i| [at(i)[0], at(i)[1], z]));
        }
        let count = n as u32;
        for i in 0..count {
            let j = (i + 1) % count;
            solid.add_face(&[i, j, count + j, count + i], 0, None, None);
        }
        solid.add_face(&(count..2 * count).collect::<Vec<_>>(), 0, None, None);
        solid.add_face(&(0..count).rev().collect::<Vec<_>>(), 0, None, None);
        solid.finish()
    }

    /// This solid with another paint on the faces that look straight up.
    pub fn topped(mut self, paint: Paint) -> Self {
        let top = self.paints.len() as u16;
        self.paints.push(paint);
        for i in 0..self.faces.len() {
            let face = &self.faces[i];
            if face.normal[2] > 0.999 {
                let start = self.vertices[self.corners[face.first as usize] as usize];
                let texture = self.wrapped(face.normal, start, top);
                (self.faces[i].paint, self.faces[i].texture) = (top, texture);
            }
        }
        self
    }

    /// An upright cylinder centred on its origin, round to the eye.
    pub fn cylinder(radius: f64, height: f64, paint: Paint) -> Self {
        Self::round(radius, radius, height, 24, [paint; 2])
    }

    /// A cone or its stump, standing upright, centred on its origin.
    pub fn cone(bottom_radius: f64, top_radius: f64, height: f64, paint: Paint) -> Self {
        Self::round(bottom_radius, top_radius, height, 24, [paint; 2])
    }

    /// A wheel that rolls along x: a cylinder about the y axis, with hubs that stand out a little.
    pub fn wheel(radius: f64, width: f64, tyre: Paint, hub: Paint) -> Self {
        let inner = Self::round(0.62 * radius, 0.62 * radius, 1.06 * width, 20, [hub; 2]);
        let mut solid =
            Self::round(radius, radius, width, 20, [tyre; 2]).with(&inner, &StagePose::IDENTITY);
        let turn = StagePose {
            axes: [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]],
            ..StagePose::IDENTITY
        };
        solid.place(&turn);
        solid
    }

    /// Mantle and caps about the z axis.
    fn round(bottom: f64, top: f64, height: f64, sides: u32, [mantle, cap]: [Paint; 2]) -> Self {
        let (bottom, top, half) = (bottom.abs(), top.abs(), height.abs() / 2.0);
        let mut solid = Self { paints: vec![mantle, cap], ..Self::default() };
        let step = 2.0 * std::f64::consts::PI / f64::from(sides);
        let ring: Vec<(f64, f64)> =
            (0..sides).map(|i| rolima_math::sin_cos(step * f64::from(i))).collect();
        for (radius, z) in [(bottom, -half), (top, half)] {
            solid.vertices.extend(ring.iter().map(|&(s, c)| [c * radius, s * radius, z]));
        }
        let slope = (bottom - top) / (2.0 * half).max(1e-9);
        let normal = |i: u32| {
            let (s, c) = ring[i as usize];
            unit_or([c, s, slope], [c, s, 0.0])
        };
        for i in 0..sides {
            let j = (i + 1) % sides;
            let normals = [normal(i), normal(j), normal(j)];
            if top > 0.0 {
                solid.add_face(&[i, j, sides + j, sides + i], 0, None, Some(normals));
            } else {
                solid.add_face(
                    &[i, j, sides + i],
                    0,
                    None,
                    Some([normals[0], normals[1], normals[0]]),
                );
            }
        }
        solid.add_face(&(sides..2 * sides).collect::<Vec<_>>(), 1, None, None);
        solid.add_face(&(0..sides).rev().collect::<Vec<_>>(), 1, None, None);
        solid.finish().unwrap_or_else(|_| Self::default())
    }

    /// Any triangles: `vertices` in m, corners counter-clockwise from outside. Terrain comes as one
    /// such solid a chunk; neighbours that share vertices leave no gaps between them.
    pub fn triangles(
        vertices: Vec<Point3>,
        triangles: &[[u32; 3]],
        paint: Paint,
    ) -> Result<Self, StageError> {
        let mut solid = Self { vertices, paints: vec![paint], ..Self::default() };
        for triangle in triangles {
            if let Some(&index) = triangle.iter().find(|&&i| i as usize >= solid.vertices.len()) {
                return Err(StageError::Corner { index, vertices: solid.vertices.len() });
            }
            solid.add_face(triangle, 0, None, None);
        }
        solid.finish()
    }

    /// Adds a face of corners that exist. It is split into triangles if it is not flat, convex and
    /// of few corners, and left out if it has no area. `uv` are texture coordinates and `normals`
    /// those of the first three corners.
    pub(crate) fn add_face(
        &mut self,
        corners: &[u32],
        paint: u16,
        uv: Option<&[[f64; 2]]>,
        normals: Option<[Point3; 3]>,
    ) {
        if corners.len() < 3 {
            return;
        }
        if corners.len() > 3 && !self.is_flat_and_convex(corners) {
            for i in 1..corners.len() - 1 {
                let uv = uv.map(|uv| [uv[0], uv[i], uv[i + 1]]);
                let fan = [corners[0], corners[i], corners[i + 1]];
                self.add_face(&fan, paint, uv.as_ref().map(|uv| &uv[..]), None);
            }
            return;
        }
        let at = |i: usize| self.vertices[corners[i] as usize];
        let (e1, e2) = (sub(at(1), at(0)), sub(at(2), at(0)));
        let area = cross(e1, e2);
        let square = dot(area, area);
        if !(square > 1e-24 && square.is_finite()) {
            return;
        }
        let normal = scale(area, 1.0 / square.sqrt());
        let duals = [scale(cross(e2, area), 1.0 / square), scale(cross(area, e1), 1.0 / square)];
        let texture = match uv {
            Some(uv) => [0, 1].map(|axis| {
                let gradient = add(
                    scale(duals[0], uv[1][axis] - uv[0][axis]),
                    scale(duals[1], uv[2][axis] - uv[0][axis]),
                );
                (gradient, uv[0][axis] - dot(gradient, at(0)))
            }),
            // Triangles of terrain go on where their neighbours end; other faces begin at a corner.
            None if corners.len() == 3 => self.wrapped(normal, [0.0; 3], paint),
            None => self.wrapped(normal, at(0), paint),
        };
        let smooth = normals.map(|normals| Box::new(Smooth { normals, duals }));
        let (first, count) = (self.corners.len() as u32, corners.len() as u32);
        let offset = dot(normal, at(0));
        self.corners.extend_from_slice(corners);
        self.faces.push(Face { first, count, normal, offset, paint, texture, smooth });
    }

    /// Texture coordinates of a face without its own: metres along the face, rows downwards.
    fn wrapped(&self, normal: Point3, start: Point3, paint: u16) -> [(Point3, f64); 2] {
        let known = self.paints.get(usize::from(paint)).and_then(|p| p.texture);
        let size = known.map_or([1.0; 2], |(_, size)| size);
        let upright = normal[2].abs() < 0.7;
        let across = if upright { cross([0.0, 0.0, 1.0], normal) } else { [1.0, 0.0, 0.0] };
        let across = unit_or(across, [1.0, 0.0, 0.0]);
        let down = if upright { cross(across, normal) } else { [0.0, -1.0, 0.0] };
        [(across, size[0]), (down, size[1])].map(|(axis, size)| {
            let gradient = scale(axis, 1.0 / size.abs().max(1e-6));
            (gradient, -dot(gradient, start))
        })
    }

    fn is_flat_and_convex(&self, corners: &[u32]) -> bool {
        let n = corners.len();
        if n > MOST_CORNERS {
            return false;
        }
        let at = |i: usize| self.vertices[corners[i % n] as usize];
        let mut area = [0.0; 3];
        for i in 1..n - 1 {
            area = add(area, cross(sub(at(i), at(0)), sub(at(i + 1), at(0))));
        }
        let normal = unit_or(area, [0.0; 3]);
        let size = length(area).sqrt();
        let flat = (0..n).all(|i| dot(normal, sub(at(i), at(0))).abs() <= 1e-6 * size);
        // Every corner turns left, and around once altogether: seen from corner 0 all go one way.
        let turns = (0..n)
            .all(|i| dot(normal, cross(sub(at(i + 1), at(i)), sub(at(i + 2), at(i + 1)))) > 0.0);
        let around =
            (1..n - 1).all(|i| dot(normal, cross(sub(at(i), at(0)), sub(at(i + 1), at(0)))) > 0.0);
        flat && turns && around
    }

    /// Checks the size and finds the sphere around it.
    pub(crate) fn finish(mut self) -> Result<Self, StageError> {
        if self.vertices.len() > MOST_PARTS || self.faces.len() > MOST_PARTS {
            return Err(StageError::TooLarge { parts: self.vertices.len().max(self.faces.len()) });
        }
        if let Some(bad) = self.vertices.iter().position(|&v| !is_sane(v)) {
            return Err(StageError::Vertex { index: bad });
        }
        self.enclose();
        Ok(self)
    }

    fn enclose(&mut self) {
        let Some(&start) = self.vertices.first() else { return };
        let (mut low, mut high) = (start, start);
        for v in &self.vertices {
            for axis in 0..3 {
                low[axis] = rolima_math::functions::smaller(low[axis], v[axis]);
                high[axis] = rolima_math::functions::larger(high[axis], v[axis]);
            }
        }
        self.centre = scale(add(low, high), 0.5);
        let farthest =
            |r: f64, v: &Point3| rolima_math::functions::larger(r, length(sub(*v, self.centre)));
        // A little more, so that rounding never cuts a corner off.
        self.radius = self.vertices.iter().fold(0.0, farthest) * (1.0 + 1e-9) + 1e-9;
    }

    /// This solid together with another one, placed by `pose`: a body of several parts.
    pub fn with(mut self, other: &Solid, pose: &StagePose) -> Self {
        let mut part = other.clone();
        part.place(pose);
        let (vertices, corners) = (self.vertices.len() as u32, self.corners.len() as u32);
        let paints = self.paints.len() as u16;
        self.vertices.extend(part.vertices);
        self.corners.extend(part.corners.iter().map(|c| c + vertices));
        self.paints.extend(part.paints);
        self.faces.extend(part.faces.into_iter().map(|mut face| {
            face.first += corners;
            face.paint = face.paint.saturating_add(paints);
            face
        }));
        self.enclose();
        self
    }

    /// Bakes a pose into the vertices.
    pub(crate) fn place(&mut self, pose: &StagePose) {
        for v in &mut self.vertices {
            *v = pose.transform(*v);
        }
        for face in &mut self.faces {
            face.normal = pose.rotate(face.normal);
            face.offset += dot(face.normal, pose.position);
            for (gradient, start) in &mut face.texture {
                *gradient = pose.rotate(*gradient);
                *start -= dot(*gradient, pose.position);
            }
            if let Some(smooth) = &mut face.smooth {
                smooth.normals = smooth.normals.map(|n| pose.rotate(n));
                smooth.duals = smooth.duals.map(|d| pose.rotate(d));
            }
        }
        self.enclose();
    }

    /// Number of faces; faces that are not flat or not convex count as their triangles.
    pub fn face_count(&self) -> usize {
        self.faces.len()
    }
    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertices.len()
    }
    /// Centre and radius, m, of a sphere around the solid, in its own frame.
    pub fn enclosing_sphere(&self) -> (Point3, f64) {
        (self.centre, self.radius)
    }
}
