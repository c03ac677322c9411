//! What is seen: faces, balls and paint into the buffers, and what they need to be coloured.

use crate::camera::CameraView;
use crate::paint::{Daylight, Paint};
use crate::polygon::{Corners, Flat};
use crate::pose::{Point3, StagePose, add, cross, dot, length, scale, sub, unit_or};
use crate::raster::{
    BallFill, Buffers, Fill, GROUND_BIT, NUMBER, fill_ball, fill_ground, fill_shadow, fill_surface,
};
use crate::shade::{Ball, Kind, Linear, Palette, Round, Shine, Surface};
use crate::solid::{Face, Solid};
use crate::texture::TEXTURE_SIDE;

/// A picture being drawn.
pub(crate) struct PictureDraft<'a> {
    pub(crate) view: CameraView,
    pub(crate) daylight: &'a Daylight,
    /// Unit vector of the world.
    pub(crate) sun: Point3,
    pub(crate) buffers: &'a mut Buffers,
    pub(crate) palette: &'a mut Palette,
    /// Vertices of the solid at hand.
    pub(crate) points: &'a mut Vec<Point3>,
}

/// How a flat surface with a normal in the camera frame mirrors the sun, if it does.
fn shine(paint: &Paint, normal: Point3) -> Option<Shine> {
    let gloss = if paint.gloss < 1.0 { paint.gloss } else { 1.0 };
    (gloss > 0.0).then(|| Shine { normal: normal.map(|x| x as f32), gloss: gloss as f32 })
}

/// A solid's frame as the camera sees it.
struct Local {
    /// The solid's axes in the camera frame.
    axes: [Point3; 3],
    /// Camera, sun and up in the solid's frame.
    eye: Point3,
    sun: Point3,
    up: Point3,
}

impl Local {
    #[inline(always)]
    fn to_camera(&self, d: Point3) -> Point3 {
        let [x, y, z] = self.axes;
        [
            x[0] * d[0] + y[0] * d[1] + z[0] * d[2],
            x[1] * d[0] + y[1] * d[1] + z[1] * d[2],
            x[2] * d[0] + y[2] * d[1] + z[2] * d[2],
        ]
    }
}

impl PictureDraft<'_> {
    /// Draws the faces of a solid that look at the camera.
    pub(crate) fn solid(&mut self, solid: &Solid, pose: &StagePose, object: u32) {
        let view = self.view;
        let local = Local {
            axes: pose.axes.map(|axis| view.turn(axis)),
            eye: pose.unrotate(sub(view.position, pose.position)),
            sun: pose.unrotate(self.sun),
            up: pose.unrotate([0.0, 0.0, 1.0]),
        };
        let origin = view.see(pose.position);
        self.points.clear();
        self.points.extend(solid.vertices.iter().map(|&v| add(origin, local.to_camera(v))));
        for face in &solid.faces {
            let above = dot(face.normal, local.eye) - face.offset;
            if above > 1e-9 {
                self.face(solid, face, &local, above, object);
            }
        }
    }

    fn face(&mut self, solid: &Solid, face: &Face, local: &Local, above: f64, object: u32) {
        let corners = &solid.corners[face.first as usize..(face.first + face.count) as usize];
        let mut polygon = Corners::EMPTY;
        corners.iter().for_each(|&i| polygon.push(self.points[i as usize]));
        let mut flat = Flat::EMPTY;
        let Some(bounds) = self.project(&mut polygon, &mut flat) else { return };
        let (mut near, mut far) = (f64::INFINITY, 0.0);
        for p in &polygon.at[..polygon.count] {
            near = if p[2] < near { p[2] } else { near };
            far = if p[2] > far { p[2] } else { far };
        }
        let (least, most) = ((1.0 / far) as f32, (1.0 / near) as f32);
        if !self.buffers.may_show(bounds, most) {
            return;
        }
        // normal . P = -above for the face's points P in the camera frame.
        let normal = scale(local.to_camera(face.normal), -1.0 / above);
        let plane = self.view.over_pixels(normal);
        let number = self.palette.surfaces.len() as u32;
        if number >= NUMBER || !plane.iter().all(|x| x.abs() < 1e30) {
            return;
        }
        let paint = solid.paints.get(usize::from(face.paint)).copied();
        let paint = paint.unwrap_or(Paint::plain([128; 3]));
        let surface = self.surface(solid, face, local, &paint, plane, object);
        self.palette.surfaces.push(surface);
        let fill = Fill { plane, least, most, number };
        self.fill(&flat, |buffers, rows, columns| fill_surface(buffers, rows, columns, &fill));
        self.buffers.touch(bounds);
    }

    fn surface(
        &mut self,
        solid: &Solid,
        face: &Face,
        local: &Local,
        paint: &Paint,
        plane: [f64; 3],
        object: u32,
    ) -> Surface {
        let up = dot(face.normal, local.up);
        let (colour, kind) = match &face.smooth {
            None => {
                let light = self.daylight.light(dot(face.normal, local.sun), up);
                (Daylight::shown(paint.colour, paint.lit(light)), Kind::Flat)
            }
            Some(smooth) => {
                let shares = smooth.normals.map(|n| Daylight::sun_share(dot(n, local.sun)));
                let [first, second] = smooth.duals;
                let gradient =
                    add(scale(first, shares[1] - shares[0]), scale(second, shares[2] - shares[0]));
                let corner = solid.vertices[solid.corners[face.first as usize] as usize];
                let start = shares[0] + dot(gradient, sub(local.eye, corner));
                // What is its own light takes the place of as much of the sun's and the sky's.
                let sunlit = 1.0 - paint.lit([0.0; 3])[0];
                let share =
                    self.linear(local.to_camera(scale(gradient, sunlit)), start * sunlit, 1.0);
                let extreme = |x: f64| (x * sunlit) as f32;
                let least = extreme(shares.iter().fold(1.0, |a, &b| if b < a { b } else { a }));
                let most = extreme(shares.iter().fold(0.0, |a, &b| if b > a { b } else { a }));
                let ambient = self.daylight.ambient.map(|a| a * (0.75 + 0.25 * up));
                let ambient = paint.lit(ambient).map(|x| x as f32);
                self.palette.rounds.push(Round { ambient, share, least, most });
                (paint.colour.map(f32::from), Kind::Smooth(self.palette.rounds.len() as u32 - 1))
            }
        };
        let texture = paint.texture.map(|(id, _)| {
            let axes = face.texture.map(|(gradient, start)| {
                let here = start + dot(gradient, local.eye);
                // Whole copies do not matter; without them the numbers stay small and exact.
                let start = here - here.floor();
                self.linear(local.to_camera(gradient), start, TEXTURE_SIDE as f64)
            });
            (id.0, axes)
        });
        let spread = self.spread(face.texture.map(|(gradient, _)| gradient), plane);
        let shine = shine(paint, local.to_camera(face.normal));
        Surface { object, kind, colour, shadow: colour, texture, spread, shine, glow: 0.0 }
    }

    /// A function with `gradient` in the camera frame and value `start` at the camera, times `unit`.
    pub(crate) fn linear(&self, gradient: Point3, start: f64, unit: f64) -> Linear {
        let [a, b, c] = self.view.over_pixels(scale(gradient, unit)).map(|x| x as f32);
        Linear { a, b, c, start: (start * unit) as f32 }
    }

    /// How many texels a pixel spreads over, from the gradients of texture coordinates along the
    /// surface and its reciprocal depth over pixels. Across the line of sight a pixel is z / f wide;
    /// along the surface's slope its depth changes by z^2 times that of the reciprocal.
    fn spread(&self, gradients: [Point3; 2], plane: [f64; 3]) -> [f32; 2] {
        let [u, v] = gradients.map(|gradient| dot(gradient, gradient));
        let texels = 0.5 * (u + v) * (TEXTURE_SIDE * TEXTURE_SIDE) as f64;
        let square = |x: f64| x * x;
        let across = square(1.0 / self.view.fx) + square(1.0 / self.view.fy);
        let along = square(plane[0]) + square(plane[1]);
        [texels * across, texels * along].map(|x| if x < 1e20 { x as f32 } else { 1e20 })
    }

    /// The ground, or paint on it, ready to be coloured.
    pub(crate) fn ground_surface(&self, paint: &Paint, object: u32, plane: [f64; 3]) -> Surface {
        let up = [0.0, 0.0, 1.0];
        let size = paint.texture.map_or([1.0; 2], |(_, size)| size);
        let (axes, spread) = self.over_ground(size, plane);
        Surface {
            object,
            kind: Kind::Flat,
            colour: self.daylight.shown_flat(paint, up),
            shadow: Daylight::shown(paint.colour, paint.lit(self.daylight.ambient)),
            texture: paint.texture.map(|(id, _)| (id.0, axes)),
            spread,
            shine: shine(paint, self.view.turn(up)),
            glow: paint.lit([0.0; 3])[0] as f32,
        }
    }

    /// Coordinates of a texture that covers the ground in copies of a size along x and y, m, and
    /// how many texels a pixel spreads over.
    pub(crate) fn over_ground(&self, size: [f64; 2], plane: [f64; 3]) -> ([Linear; 2], [f32; 2]) {
        let [x, y] = size.map(|size| 1.0 / size.abs().max(1e-6));
        let gradients = [[x, 0.0, 0.0], [0.0, -y, 0.0]];
        let axes = gradients.map(|gradient| {
            let here = dot(gradient, self.view.position);
            self.linear(self.view.turn(gradient), here - here.floor(), TEXTURE_SIDE as f64)
        });
        (axes, self.spread(gradients, plane))
    }

    /// Cuts and projects a polygon that runs counter-clockwise to the eye. Nothing if no pixel of
    /// the picture is near it.
    pub(crate) fn project(&mut self, polygon: &mut Corners, flat: &mut Flat) -> Option<[i32; 4]> {
        polygon.clip(&self.view);
        polygon.project(&self.view, flat);
        let bounds = flat.bounds(self.view.width, self.view.height)?;
        (self.buffers.is_drawn(bounds) && flat.area() < 0).then_some(bounds)
    }

    /// Calls `write` with the rows of the polygon, or of its triangles if it is bent by rounding, and with the
    /// columns in which it is drawn.
    pub(crate) fn fill(
        &mut self,
        flat: &Flat,
        write: impl Fn(&mut Buffers, std::ops::Range<usize>, [i32; 2]),
    ) {
        let write = |buffers: &mut Buffers, rows: std::ops::Range<usize>| {
            for clip in 0..buffers.clips.len() {
                let [left, top, right, bottom] = buffers.clips[clip];
                let rows = rows.start.max(top as usize)..rows.end.min(bottom as usize);
                if !rows.is_empty() {
                    write(buffers, rows, [left, right]);
                }
            }
        };
        if flat.is_monotonous() {
            let rows = flat.scan(&mut self.buffers.spans);
            write(self.buffers, rows);
            return;
        }
        for i in 1..flat.count - 1 {
            let triangle = flat.fan(i);
            if triangle.area() < 0 {
                let rows = triangle.scan(&mut self.buffers.spans);
                write(self.buffers, rows);
            }
        }
    }

    /// Draws paint on the ground: wherever the ground is seen already.
    pub(crate) fn decal(&mut self, corners: &[[f64; 2]], surface: Surface) {
        let mut polygon = Corners::EMPTY;
        corners.iter().for_each(|&[x, y]| polygon.push(self.view.see([x, y, 0.0])));
        let mut flat = Flat::EMPTY;
        if self.project(&mut polygon, &mut flat).is_none() {
            return;
        }
        let number = self.palette.surfaces.len() as u32;
        if number < NUMBER {
            self.palette.surfaces.push(surface);
            let number = number | GROUND_BIT;
            self.fill(&flat, |buffers, rows, columns| fill_ground(buffers, rows, columns, number));
        }
    }

    /// Draws a ball around the origin of `pose`.
    pub(crate) fn ball(&mut self, radius: f64, paint: &Paint, pose: &StagePose, object: u32) {
        let centre = self.view.see(pose.position);
        let power = dot(centre, centre) - radius * radius;
        let number = self.palette.surfaces.len() as u32;
        if power <= 1e-9 || number >= NUMBER {
            return;
        }
        let bounds = self.view.bounds_of_sphere(centre, radius);
        let [left, top, right, bottom] = bounds;
        if left >= right || top >= bottom || !self.buffers.is_drawn(bounds) {
            return;
        }
        let air = &self.palette.air;
        let fill = BallFill {
            centre: centre.map(|x| x as f32),
            radius: radius as f32,
            inverse_power: (1.0 / power) as f32,
            most: (1.0 / self.view.near) as f32,
            number,
            dx: air.dx,
            dy: air.dy,
        };
        let colour = paint.colour.map(f32::from);
        let turn = |axis| self.view.turn(axis).map(|x| x as f32);
        self.palette.balls.push(Ball {
            centre: fill.centre,
            inverse_radius: (1.0 / radius) as f32,
            axes: pose.axes.map(turn),
            second: paint.second.map_or(colour, |second| second.map(f32::from)),
            gloss: paint.gloss.clamp(0.0, 1.0) as f32,
            glow: paint.lit([0.0; 3])[0] as f32,
        });
        let kind = Kind::Ball(self.palette.balls.len() as u32 - 1);
        let surface = Surface {
            object,
            kind,
            colour,
            shadow: colour,
            texture: None,
            spread: [0.0; 2],
            shine: None,
            glow: 0.0,
        };
        self.palette.surfaces.push(surface);
        for clip in 0..self.buffers.clips.len() {
            if let Some(bounds) = self.buffers.clipped(clip, bounds) {
                fill_ball(self.buffers, bounds, &fill);
            }
        }
        self.buffers.touch(bounds);
    }

    /// Where the sun's ray through a point meets the ground.
    fn on_ground(&self, p: Point3) -> Point3 {
        sub(p, scale(self.sun, p[2] / self.sun[2]))
    }

    /// False if the shadow of a sphere of the world cannot be in the picture.
    fn may_see_shadow(&self, centre: Point3, radius: f64) -> bool {
        let middle = self.view.see(self.on_ground(centre));
        self.view.may_see_sphere(middle, radius / self.sun[2])
    }

    /// Draws the shadow of a solid on the ground: of its faces that look at the sun.
    pub(crate) fn solid_shadow(&mut self, solid: &Solid, pose: &StagePose) {
        if !self.may_see_shadow(pose.transform(solid.centre), solid.radius) {
            return;
        }
        let sun = pose.unrotate(self.sun);
        self.points.clear();
        for &v in &solid.vertices {
            let on_ground = self.view.see(self.on_ground(pose.transform(v)));
            self.points.push(on_ground);
        }
        for face in &solid.faces {
            if dot(face.normal, sun) <= 1e-6 {
                continue;
            }
            let corners = &solid.corners[face.first as usize..(face.first + face.count) as usize];
            let mut polygon = Corners::EMPTY;
            corners.iter().for_each(|&i| polygon.push(self.points[i as usize]));
            self.shadow(polygon);
        }
    }

    /// Draws the shadow of a ball on the ground; `circle` are points around the unit circle.
    pub(crate) fn ball_shadow(&mut self, radius: f64, centre: Point3, circle: &[[f64; 2]]) {
        if !self.may_see_shadow(centre, radius) {
            return;
        }
        let across = unit_or(cross(self.sun, [0.0, 0.0, 1.0]), [1.0, 0.0, 0.0]);
        let along = cross(self.sun, across);
        debug_assert!(length(along) < 1.01);
        let mut polygon = Corners::EMPTY;
        for &[c, s] in circle {
            let offset = add(scale(across, c * radius), scale(along, s * radius));
            polygon.push(self.view.see(self.on_ground(add(centre, offset))));
        }
        self.shadow(polygon);
    }

    fn shadow(&mut self, mut polygon: Corners) {
        let mut flat = Flat::EMPTY;
        if self.project(&mut polygon, &mut flat).is_some() {
            self.fill(&flat, fill_shadow);
        }
    }
}
