//! A horizontal cut through the world, and the rays in it.

use super::bodies::{Bodies, Placed};
use super::fan::Fan;
use super::outline::Outline;
use super::surface::{Nearest, RayHit, Thing};
use super::sweep::ScanScratch;
#[cfg(target_arch = "x86_64")]
use super::walk::avx2;
use super::walk::portable;
use super::walls::PlaneWalls;
use rolima_math::{Pose2, Vec2, smaller};
use rolima_model::{BodyId, Part};

/// A ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts, m.
    pub origin: Vec2,
    /// Where it goes; a unit vector.
    pub direction: Vec2,
    /// How far it goes, m.
    pub range: f64,
    /// A body that it passes through: the robot's own.
    pub skip: Option<BodyId>,
}

/// A fan of rays.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'a> {
    /// The sensor in the world.
    pub pose: Pose2,
    /// Its beams.
    pub fan: &'a Fan,
    /// How far they go, m.
    pub range: f64,
    /// A body that they pass through: the robot's own.
    pub skip: Option<BodyId>,
}

impl Scan<'_> {
    /// One of its beams as a ray: [`Plane::cast`] finds the same distance, to the bit.
    pub fn ray(&self, beam: usize) -> Ray {
        Ray {
            origin: self.pose.position,
            direction: self.fan.direction(beam, self.pose.rotation),
            range: self.range,
            skip: self.skip,
        }
    }
}

/// A horizontal cut through the world. See the [module](super) for what is seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    height: f64,
    walls: PlaneWalls,
    bodies: Bodies,
}

/// So few beams are faster one by one than swept; twice as many with short cuts.
const FEW_BEAMS: usize = 48;

/// Distance along a ray by one of the two ways of testing edges.
macro_rules! distance {
    ($plane:expr, $ray:expr, $method:ident) => {{
        let (plane, ray) = ($plane, $ray);
        let (walls, o, d) = (&plane.walls, ray.origin, ray.direction);
        // No closures here: they would not become part of a function with wider vectors.
        let (mut inverse, mut complete) = (0.0, 0.0);
        if let Some(list) = walls.lookout(o, d) {
            (inverse, complete) = ($method::nearest(&walls.edges, list, o, d), list.complete);
        }
        let found = inverse * complete >= 1.0;
        if !found {
            inverse = $method::walk(walls, o, d, ray.range);
        }
        plane.nearer_of_bodies(ray, inverse)
    }};
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn distances_avx2(plane: &Plane, rays: &[Ray], out: &mut [f64]) {
    for (ray, out) in rays.iter().zip(out) {
        *out = distance!(plane, ray, avx2);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn scan_avx2(plane: &Plane, scan: &Scan<'_>, scratch: &mut ScanScratch, out: &mut [f64]) {
    scan_kernel(plane, scan, scratch, out);
}

#[inline(always)]
fn scan_kernel(plane: &Plane, scan: &Scan<'_>, scratch: &mut ScanScratch, out: &mut [f64]) {
    let world = (&plane.walls, &plane.bodies);
    scratch.sweep::<false>(world, (scan.pose, scan.fan), scan.range, scan.skip);
    scratch.distances(scan.fan, scan.range, out);
}

impl Plane {
    /// The plane at `height` m above the ground, of walls with the height of their tops, m, and
    /// the outlines that bodies may have. Things that end at or below the plane are not in it.
    pub fn new<'a>(
        height: f64,
        walls: impl IntoIterator<Item = (&'a Part, f64)>,
        outlines: &[Outline],
    ) -> Self {
        Self {
            height,
            walls: PlaneWalls::new(height, walls.into_iter()),
            bodies: Bodies::new(height, outlines),
        }
    }

    /// Works out, for every cell of the walls' grid, what may be seen from it: single rays become
    /// about three times as fast, for some tens of microseconds and a kilobyte a cell. Distances
    /// stay the same to the bit.
    pub fn look_out(&mut self) {
        self.walls.look_out();
    }

    /// Height above the ground, m.
    pub fn height(&self) -> f64 {
        self.height
    }

    /// Puts the bodies where they are now, in place of those of the instant before. Bodies that
    /// the plane does not cut, without a known outline, or without a finite pose are left out.
    /// Allocates only while their number grows.
    pub fn place(&mut self, bodies: impl IntoIterator<Item = Placed>) {
        self.bodies.place(bodies.into_iter());
    }

    /// Distance to the nearest thing along a ray, m; its range where there is none.
    #[inline]
    pub fn cast(&self, ray: &Ray) -> f64 {
        let mut out = [0.0];
        self.cast_many(core::slice::from_ref(ray), &mut out);
        out[0]
    }

    /// The same for many rays; those without room in `out` are left out.
    pub fn cast_many(&self, rays: &[Ray], out: &mut [f64]) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code)]
            // SAFETY: the processor has AVX2, as the line above asked.
            return unsafe { distances_avx2(self, rays, out) };
        }
        for (ray, out) in rays.iter().zip(out) {
            *out = distance!(self, ray, portable);
        }
    }

    /// The length of a ray on which the walls leave the inverse distance `inverse`.
    #[inline(always)]
    fn nearer_of_bodies(&self, ray: &Ray, mut inverse: f64) -> f64 {
        if !self.bodies.placed.is_empty() {
            let mut nearest = Nearest { inverse, ..Nearest::NONE };
            self.bodies.cast((ray.origin, ray.direction), ray.range, ray.skip, &mut nearest);
            inverse = nearest.inverse;
        }
        smaller(1.0 / inverse, ray.range)
    }

    /// The nearest thing along a ray.
    pub fn cast_thing(&self, ray: &Ray) -> Option<RayHit> {
        let mut nearest = Nearest::NONE;
        let line = (ray.origin, ray.direction);
        self.walls.cast_thing(line, ray.range, &mut nearest);
        self.bodies.cast(line, ray.range, ray.skip, &mut nearest);
        let distance = 1.0 / nearest.inverse;
        let thing = Thing::from_code(nearest.code).filter(|_| distance < ray.range)?;
        Some(RayHit { distance, thing, normal: nearest.normal.unit_or(-ray.direction) })
    }

    /// Distances along all beams of a scan, m, in the order of the fan; the range where there is
    /// nothing. Beams without room in `out` are left out.
    pub fn scan(&self, scan: &Scan<'_>, scratch: &mut ScanScratch, out: &mut [f64]) {
        let beams = scan.fan.beams();
        let few = if self.walls.lookouts.is_empty() { FEW_BEAMS } else { 2 * FEW_BEAMS };
        if beams > few && out.len() >= beams && scan.pose.is_finite() {
            let out = &mut out[..beams];
            #[cfg(target_arch = "x86_64")]
            if std::arch::is_x86_feature_detected!("avx2") {
                #[allow(unsafe_code)]
                // SAFETY: the processor has AVX2, as the line above asked.
                return unsafe { scan_avx2(self, scan, scratch, out) };
            }
            scan_kernel(self, scan, scratch, out);
        } else {
            self.beam_by_beam(scan, out);
        }
    }

    /// As [`Plane::scan`], with the code of what each beam hits ([`Thing::from_code`]).
    pub fn scan_things(
        &self,
        scan: &Scan<'_>,
        scratch: &mut ScanScratch,
        out: &mut [f64],
        codes: &mut [u32],
    ) {
        let beams = scan.fan.beams();
        if out.len() < beams || codes.len() < beams || !scan.pose.is_finite() {
            self.beam_by_beam(scan, out);
            for (beam, code) in codes.iter_mut().enumerate().take(beams) {
                let hit = self.cast_thing(&scan.ray(beam));
                *code = hit.map_or(super::NOTHING, |hit| hit.thing.code());
            }
            return;
        }
        let world = (&self.walls, &self.bodies);
        scratch.sweep::<true>(world, (scan.pose, scan.fan), scan.range, scan.skip);
        scratch.distances(scan.fan, scan.range, &mut out[..beams]);
        scratch.codes(scan.fan, scan.range, &mut codes[..beams]);
    }

    fn beam_by_beam(&self, scan: &Scan<'_>, out: &mut [f64]) {
        for (beam, distance) in out.iter_mut().enumerate().take(scan.fan.beams()) {
            *distance = self.cast(&scan.ray(beam));
        }
    }

    /// What a point lies in, or on the border of; of several, the one of the lowest code. A ray
    /// that starts there does not see it.
    pub fn inside(&self, point: Vec2, skip: Option<BodyId>) -> Option<Thing> {
        let body = self.bodies.inside(point, skip).map(Thing::Body);
        body.or_else(|| Thing::from_code(self.walls.inside(point)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mazes::Maze;
    use rolima_math::{Rot2, Stream};

    #[test]
    fn short_cuts_and_vectors_change_no_bit() {
        let maze = Maze::perfect(7, 9, 0.7, 0.05);
        let mut walls = maze.walls.clone();
        walls.push(Part::Circle { center: Vec2::new(3.0, 2.2), radius: 0.2 });
        let plain = Plane::new(0.0, walls.iter().map(|w| (w, 1.0)), &[]);
        let mut quick = plain.clone();
        quick.look_out();
        assert!(!quick.walls.lookouts.is_empty() && plain.walls.lookouts.is_empty());
        let mut random = Stream::new(1, 0, "rays");
        for _ in 0..if cfg!(debug_assertions) { 2_000 } else { 50_000 } {
            let origin = Vec2::new(random.between(-1.0, 7.5), random.between(-1.0, 7.5));
            let direction = Rot2::from_angle(random.between(-4.0, 4.0)).x_axis();
            let ray = Ray { origin, direction, range: 5.0, skip: None };
            let expected = plain.cast(&ray).to_bits();
            assert_eq!(quick.cast(&ray).to_bits(), expected, "{ray:?}: short cut");
            assert_eq!(distance!(&plain, &ray, portable).to_bits(), expected, "{ray:?}: portable");
            assert_eq!(distance!(&quick, &ray, portable).to_bits(), expected, "{ray:?}: both");
        }
    }

    #[test]
    fn buried_ends_of_walls_are_taken_out_and_corners_stay_closed() {
        let maze = Maze::micromouse(1);
        let plane = Plane::new(0.0, maze.walls.iter().map(|w| (w, 1.0)), &[]);
        let edges = plane.walls.edges.len();
        assert!(edges < 1000 && edges > 2 * 289, "{edges} of 1156 edges are left");
        // From the middle of each cell to its four corners, and a hair beside them.
        for cell in 0..256 {
            let middle = Vec2::new(f64::from(cell % 16) + 0.5, f64::from(cell / 16) + 0.5);
            for corner in 0..4 {
                for hair in [0.0, 1e-17, -1e-17, 1e-16, -1e-16, 1e-13, -1e-13] {
                    let angle = core::f64::consts::FRAC_PI_4 * f64::from(2 * corner + 1) + hair;
                    let direction = Rot2::from_angle(angle).x_axis();
                    let origin = middle * maze.pitch;
                    let ray = Ray { origin, direction, range: 9.0, skip: None };
                    let distance = plane.cast(&ray);
                    // A post stands where walls meet; every post of a perfect maze has one.
                    assert!(distance < 0.71 * maze.pitch, "cell {cell}: {distance}");
                }
            }
        }
    }
}
