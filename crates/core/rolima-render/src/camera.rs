//! Cameras, and the numbers that a picture is drawn with.

use crate::DrawError;
use crate::pose::{Point3, StagePose, dot, length, sub};
use rolima_math::tan;

/// The widest picture and the highest, pixels: bounds what a scene can make the program allocate.
pub const MOST_PIXELS: u32 = 8192;

/// Size and opening of a picture. Lenses are ideal: straight lines stay straight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lens {
    /// Width, pixels.
    pub width: u32,
    /// Height, pixels.
    pub height: u32,
    /// Full horizontal opening, rad.
    pub horizontal_fov: f64,
    /// Full vertical opening, rad: pixels need not be square.
    pub vertical_fov: f64,
    /// What is nearer than this along the optical axis, m, is not seen.
    pub near: f64,
}

impl Lens {
    /// The camera of the thesis's robot: 320 x 240 pixels, 60 x 47 degrees.
    pub const ROBOT_ONE: Self = Self {
        width: 320,
        height: 240,
        horizontal_fov: 60.0 * std::f64::consts::PI / 180.0,
        vertical_fov: 47.0 * std::f64::consts::PI / 180.0,
        near: 0.02,
    };

    /// This lens with square pixels: the vertical opening follows from the horizontal one.
    pub fn with_square_pixels(self) -> Self {
        let half = tan(self.horizontal_fov / 2.0) * f64::from(self.height) / f64::from(self.width);
        Self { vertical_fov: 2.0 * rolima_math::atan(half), ..self }
    }

    /// Pixels of a picture.
    pub fn pixels(&self) -> usize {
        self.width as usize * self.height as usize
    }

    /// Says what is wrong with a lens that cannot be drawn with.
    pub fn check(&self) -> Result<(), DrawError> {
        for (name, pixels) in [("width", self.width), ("height", self.height)] {
            if !(1..=MOST_PIXELS).contains(&pixels) {
                return Err(DrawError::Size { name, pixels });
            }
        }
        let degrees = [("horizontal", self.horizontal_fov), ("vertical", self.vertical_fov)];
        for (name, fov) in degrees.map(|(name, fov)| (name, fov.to_degrees())) {
            if !(0.01..=175.0).contains(&fov) {
                return Err(DrawError::Opening { name, degrees: fov });
            }
        }
        if !(1e-4..=1e3).contains(&self.near) {
            return Err(DrawError::Near { near: self.near });
        }
        Ok(())
    }
}

/// What a picture may cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Quality {
    /// Four samples a pixel in place of one: smooth edges, at nearly four times the cost. Depth and
    /// object pictures take the upper left sample.
    pub supersample: bool,
    /// Shadows of solids and balls on the flat ground.
    pub shadows: bool,
}

/// Where a picture is taken from, and how.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Size and opening.
    pub lens: Lens,
    /// World pose of the lens; it looks along its x axis, with z up in the picture.
    pub pose: StagePose,
    /// What the picture may cost.
    pub quality: Quality,
}

/// A camera's numbers, worked out for a picture. The camera frame has x right, y down, z forward;
/// pixel (i, j) looks along ((i + 0.5 - cx) / fx, (j + 0.5 - cy) / fy, 1).
#[derive(Clone, Copy, Debug)]
pub(crate) struct CameraView {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) position: Point3,
    /// Rows of the rotation from world to camera.
    pub(crate) rows: [Point3; 3],
    pub(crate) fx: f64,
    pub(crate) fy: f64,
    pub(crate) cx: f64,
    pub(crate) cy: f64,
    pub(crate) near: f64,
    /// Tangents of half the openings, and what makes the planes through the picture's sides unit.
    side: [(f64, f64); 2],
}

impl CameraView {
    /// Of a camera with a good lens; each pixel split into `samples` in both directions.
    pub(crate) fn new(camera: &Camera, samples: u32) -> Self {
        let lens = &camera.lens;
        let [forward, left, up] = camera.pose.axes;
        let (width, height) = (f64::from(lens.width * samples), f64::from(lens.height * samples));
        let (tx, ty) = (tan(lens.horizontal_fov / 2.0), tan(lens.vertical_fov / 2.0));
        Self {
            width: (lens.width * samples) as usize,
            height: (lens.height * samples) as usize,
            position: camera.pose.position,
            rows: [left.map(|x| -x), up.map(|x| -x), forward],
            fx: width / 2.0 / tx,
            fy: height / 2.0 / ty,
            cx: width / 2.0,
            cy: height / 2.0,
            near: lens.near,
            side: [tx, ty].map(|t| (t, (1.0 + t * t).sqrt())),
        }
    }

    #[inline(always)]
    pub(crate) fn turn(&self, d: Point3) -> Point3 {
        [dot(self.rows[0], d), dot(self.rows[1], d), dot(self.rows[2], d)]
    }

    #[inline(always)]
    pub(crate) fn see(&self, p: Point3) -> Point3 {
        self.turn(sub(p, self.position))
    }

    /// False if no point of a sphere, given in the camera frame, can be in the picture.
    #[inline]
    pub(crate) fn may_see_sphere(&self, c: Point3, radius: f64) -> bool {
        let [(tx, lx), (ty, ly)] = self.side;
        let inside = |t: f64, l: f64, across: f64| c[2] * t - across.abs() > -radius * l;
        c[2] + radius > self.near && inside(tx, lx, c[0]) && inside(ty, ly, c[1])
    }

    /// Coefficients (a, b, c) with a i + b j + c = n . d at pixel (i, j), for a camera-frame n.
    #[inline(always)]
    pub(crate) fn over_pixels(&self, n: Point3) -> [f64; 3] {
        let (a, b) = (n[0] / self.fx, n[1] / self.fy);
        [a, b, n[2] + a * (0.5 - self.cx) + b * (0.5 - self.cy)]
    }

    /// Pixel bounds (left, top, right, bottom, the last two exclusive) that hold a sphere of the
    /// camera frame; the whole picture if it reaches behind the near plane.
    pub(crate) fn bounds_of_sphere(&self, c: Point3, radius: f64) -> [i32; 4] {
        let (w, h) = (self.width as i32, self.height as i32);
        if c[2] - radius <= self.near {
            return [0, 0, w, h];
        }
        let range = |across: f64, f: f64, centre: f64, most: i32| {
            // Tangents from the eye to a circle in the plane of `across` and depth.
            let k = c[2] * c[2] - radius * radius;
            let root = radius * (across * across + k).sqrt();
            let low = (across * c[2] - root) / k * f + centre;
            let high = (across * c[2] + root) / k * f + centre;
            // Saturating: `as` cannot overflow.
            ((low - 1.0) as i32).clamp(0, most)..((high + 2.0) as i32).clamp(0, most)
        };
        let (x, y) = (range(c[0], self.fx, self.cx, w), range(c[1], self.fy, self.cy, h));
        [x.start, y.start, x.end, y.end]
    }

    /// Radius of a sphere in pixels, about.
    pub(crate) fn pixels_of_sphere(&self, c: Point3, radius: f64) -> f64 {
        radius * self.fx / length(c)
    }
}
