//! The walls of a world as barriers of navigation, looked for by place.
//!
//! Every question counts what it looked at: walls, and boxes around walls. That is its effort, the
//! same on every machine.

use crate::nearest::Nearest;
use rolima_core::model::Part;
use rolima_core::{WallIndex, World};
use rolima_math::{Vec2, larger, smaller};
use rolima_nav::{Barrier, Field};
use serde::{Deserialize, Serialize};

/// A wall that is thin against a robot, as a share of the robot's radius, is one barrier.
const THIN: f64 = 0.25;

/// Walls on a way are looked for again after so many frames, in which it gets shorter, and others are
/// the nearest.
const LOOK_EVERY: u64 = 10;

/// Or once the robot is off the way by this share of the distance in which walls are known.
const OFF: f64 = 0.25;

/// The walls of a world for a robot of some radius.
#[derive(Clone, Copy, Debug)]
pub struct Walls<'a> {
    parts: &'a [Part],
    index: &'a WallIndex,
    radius: f64,
}

impl<'a> Walls<'a> {
    /// The walls of a world for a robot of this radius, m.
    pub fn of(world: &'a World, radius: f64) -> Self {
        Self::new(&world.model().walls, world.walls(), radius)
    }

    /// The same for walls and their index.
    pub fn new(parts: &'a [Part], index: &'a WallIndex, radius: f64) -> Self {
        Self { parts, index, radius }
    }

    /// Lower left and upper right corner of the rectangle around all of them, m.
    pub fn bounds(&self) -> Option<(Vec2, Vec2)> {
        self.index.bounds()
    }

    /// Whether a point lies in a wall. Of a thick block the barriers are only its edges, so that the
    /// middle of one has as much room as an empty hall.
    pub fn hold(&self, p: Vec2) -> bool {
        let mut inside = false;
        self.index.visit([p, p], 0.0, |wall| {
            inside |= holds(&self.parts[wall as usize], p);
            if inside { -1.0 } else { 0.0 }
        });
        inside
    }

    /// Distance of the nearest wall from a point, m, at most `most`; less than zero in one.
    pub fn clearance_at(&self, p: Vec2, most: f64, looked: &mut usize) -> f64 {
        let mut least = most;
        *looked += self.visit([p, p], most, |_, barrier| {
            least = smaller(least, barrier.distance(p));
            larger(least, 0.0)
        });
        least
    }

    /// Whether a straight way keeps this distance from all walls, m, or at least as much as both its
    /// ends have. None crosses a wall.
    pub fn are_clear(&self, segment: [Vec2; 2], distance: f64, looked: &mut usize) -> bool {
        let clearance = segment.map(|end| self.clearance_at(end, distance, looked));
        let ends = smaller(clearance[0], clearance[1]);
        let needed = smaller(distance, ends) - 1e-9;
        ends > 0.0 && self.keep_off(segment, needed, looked)
    }

    /// Whether a straight way keeps this distance from all walls, m.
    pub(crate) fn keep_off(&self, segment: [Vec2; 2], distance: f64, looked: &mut usize) -> bool {
        let mut is_clear = true;
        *looked += self.visit(segment, larger(distance, 0.0), |_, barrier| {
            is_clear &=
                barrier.is_beyond(segment, distance) || barrier.distance_to(segment) >= distance;
            if is_clear { f64::INFINITY } else { -1.0 }
        });
        is_clear
    }

    /// Offers the walls that are nearer than `within` to a straight way, m, or those of them that may
    /// be among the nearest. Returns how far from the way all of them are known, m.
    pub(crate) fn offer(
        &self,
        segment: [Vec2; 2],
        within: f64,
        nearest: &mut Nearest<Barrier>,
        looked: &mut usize,
    ) -> f64 {
        *looked += self.visit(segment, within, |number, barrier| {
            let most = smaller(within, nearest.farthest());
            if !barrier.is_beyond(segment, most) {
                let distance = barrier.distance_to(segment);
                if distance < within {
                    nearest.offer(distance, number, *barrier);
                }
            }
            larger(nearest.farthest(), 0.0)
        });
        smaller(within, nearest.farthest())
    }

    /// A convex field around a place without any wall in it: as large as its nearest walls leave it.
    pub(crate) fn field_around(&self, p: Vec2, within: f64) -> Field {
        let mut nearest = Nearest::default();
        self.offer([p, p], within, &mut nearest, &mut 0);
        let mut barriers = vec![];
        nearest.take(&mut barriers);
        barriers.sort_by(|a: &Barrier, b| a.distance(p).total_cmp(&b.distance(p)));
        let mut sides: Vec<(Vec2, f64)> = vec![];
        for Barrier { ends: [a, b], radius } in barriers {
            let is_out = |&(outward, far): &(Vec2, f64)| {
                smaller(outward.dot(a), outward.dot(b)) - radius >= far - 1e-9
            };
            if sides.iter().any(is_out) {
                continue;
            }
            let along = b - a;
            let square = along.length_squared();
            let share = if square > 0.0 { (p - a).dot(along) / square } else { 0.0 };
            let nearest = a + along * share.clamp(0.0, 1.0);
            let outward = (nearest - p).unit_or(Vec2::new(1.0, 0.0));
            sides.push((outward, outward.dot(nearest) - radius));
        }
        let cut = |field: Field, (outward, far): (Vec2, f64)| field.cut(outward, far);
        sides.into_iter().fold(Field::EVERYWHERE, cut)
    }

    /// Calls with every barrier within a distance of a line, m, and its number, as
    /// [`WallIndex::visit`] does with walls.
    fn visit(
        &self,
        line: [Vec2; 2],
        reach: f64,
        mut each: impl FnMut(u32, &Barrier) -> f64,
    ) -> usize {
        // A thin wall's barrier is round at both ends, and so much longer than the wall.
        let longer = THIN * self.radius;
        self.index.visit(line, reach + longer, |wall| {
            let mut reach = f64::INFINITY;
            each_barrier(&self.parts[wall as usize], self.radius, |side, barrier| {
                if reach >= 0.0 {
                    reach = each((wall << 3) | side, barrier);
                }
            });
            if reach < 0.0 { reach } else { reach + longer }
        })
    }
}

/// A way along which a robot has looked for walls.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Looked {
    pub(crate) segment: [Vec2; 2],
    /// So far from it all of them are known, m.
    pub(crate) known: f64,
    /// The robot's frame in which it was.
    pub(crate) frame: u64,
}

impl Looked {
    /// Whether it need not look again for a way in a frame, for a robot of this radius, m: it goes to
    /// the same place, and comes from a place that is near the old way against what is known of it.
    /// Walls do not move.
    pub(crate) fn serves(&self, segment: [Vec2; 2], frame: u64, radius: f64) -> bool {
        let off = Barrier { ends: self.segment, radius: 0.0 }.distance(segment[0]);
        let most = larger(OFF * self.known, OFF * radius);
        segment[1] == self.segment[1] && off <= most && frame < self.frame + LOOK_EVERY
    }
}

/// The barriers of a wall for a robot of this radius, m, numbered: one if it is thin against the
/// robot, its edges if it is a thick block.
fn each_barrier(part: &Part, radius: f64, mut each: impl FnMut(u32, &Barrier)) {
    match *part {
        Part::Circle { center, radius } => each(0, &Barrier { ends: [center; 2], radius }),
        Part::Box { pose, half } if smaller(half.x, half.y) <= THIN * radius => {
            let (long, thin) = if half.x >= half.y { (true, half.y) } else { (false, half.x) };
            let end = if long { Vec2::new(half.x, 0.0) } else { Vec2::new(0.0, half.y) };
            let ends = [pose.transform(end), pose.transform(-end)];
            each(0, &Barrier { ends, radius: thin });
        }
        Part::Box { pose, half } => {
            let corners = [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)];
            let corners = corners.map(|(x, y)| pose.transform(Vec2::new(x * half.x, y * half.y)));
            each_edge(&corners, each);
        }
        Part::Polygon(polygon) => each_edge(&polygon.vertices[..polygon.count], each),
    }
}

fn each_edge(corners: &[Vec2], mut each: impl FnMut(u32, &Barrier)) {
    for (i, &corner) in corners.iter().enumerate() {
        let ends = [corner, corners[(i + 1) % corners.len()]];
        each(i as u32, &Barrier { ends, radius: 0.0 });
    }
}

fn holds(part: &Part, p: Vec2) -> bool {
    match part {
        Part::Circle { center, radius } => (p - *center).length_squared() <= radius * radius,
        Part::Box { pose, half } => {
            let own = pose.inverse_transform(p);
            own.x.abs() <= half.x && own.y.abs() <= half.y
        }
        Part::Polygon(polygon) => {
            let corners = polygon.vertices.iter().zip(&polygon.normals).take(polygon.count);
            corners.into_iter().all(|(corner, outward)| outward.dot(p - *corner) <= 0.0)
        }
    }
}

/// Walls for tests: as they are given, and by place.
#[cfg(test)]
pub(crate) mod given {
    use super::*;
    use rolima_math::{Pose2, Rot2};

    /// A wall from point to point, of some thickness, m.
    pub(crate) fn wall(a: Vec2, b: Vec2, thickness: f64) -> Part {
        let along = (b - a).unit_or(Vec2::new(1.0, 0.0));
        let rotation = Rot2 { c: along.x, s: along.y };
        let pose = Pose2 { position: (a + b) * 0.5, rotation };
        Part::Box { pose, half: Vec2::new(0.5 * (b - a).length(), 0.5 * thickness) }
    }

    /// All barriers, one by one.
    pub(crate) fn barriers(parts: &[Part], radius: f64) -> Vec<Barrier> {
        let mut all = vec![];
        parts.iter().for_each(|part| each_barrier(part, radius, |_, barrier| all.push(*barrier)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::given::{barriers, wall};
    use super::*;
    use crate::nearest::MOST_HEEDED;
    use rolima_core::model::Polygon;
    use rolima_math::Stream;

    fn some_walls(random: &mut Stream, count: usize, extent: f64, longest: f64) -> Vec<Part> {
        let mut walls = vec![];
        for _ in 0..count {
            let mut place = |by: f64| Vec2::new(random.between(-by, by), random.between(-by, by));
            let (a, by) = (place(extent), place(longest));
            let thickness = random.between(0.0, 1.0);
            walls.push(match random.next_u64() % 8 {
                0 => Part::Circle { center: a, radius: thickness },
                1 => {
                    let corners = [a, a + by, a + by + by.perp() * 0.7];
                    Part::Polygon(Polygon::from_vertices(&corners))
                }
                2 => wall(a, a + by, thickness),
                _ => wall(a, a + by, 0.1 * thickness),
            });
        }
        walls
    }

    /// Distances of the nearest barriers from a way, in their order.
    fn heeded(all: &[Barrier], segment: [Vec2; 2], within: f64) -> Vec<u64> {
        let mut distances: Vec<f64> =
            all.iter().map(|barrier| barrier.distance_to(segment)).collect();
        distances.retain(|distance| *distance < within);
        distances.sort_by(f64::total_cmp);
        distances.truncate(MOST_HEEDED);
        distances.into_iter().map(f64::to_bits).collect()
    }

    #[test]
    fn looking_by_place_finds_what_looking_at_all_walls_finds() {
        let mut random = Stream::new(21, 0, "walls");
        let radius = 0.3;
        for (count, extent, longest) in
            [(0, 5.0, 1.0), (12, 5.0, 2.0), (300, 15.0, 1.5), (2000, 40.0, 1.5), (200, 30.0, 1e4)]
        {
            let parts = some_walls(&mut random, count, extent, longest);
            let index = WallIndex::of(&parts, 4.0 * radius);
            let walls = Walls::new(&parts, &index, radius);
            let all = barriers(&parts, radius);
            let (mut clear, mut inside) = (0, 0);
            for i in 0..400 {
                let mut place =
                    || Vec2::new(random.between(-extent, extent), random.between(-extent, extent));
                let a = place();
                let segment = [a, a + (place() - a) * [0.02, 0.2, 1.0][i % 3]];
                let brute = all.iter().fold(1.5, |least, b| smaller(least, b.distance(a)));
                let clearance = walls.clearance_at(a, 1.5, &mut 0);
                assert_eq!(clearance.to_bits(), brute.to_bits(), "{a:?}");
                let is_in = parts.iter().any(|part| holds(part, a));
                assert_eq!(walls.hold(a), is_in, "{a:?}");
                let clearance_of = |p: Vec2| {
                    all.iter().fold(f64::INFINITY, |least, b| smaller(least, b.distance(p)))
                };
                let ends = smaller(clearance_of(segment[0]), clearance_of(segment[1]));
                let needed = smaller(0.35, ends) - 1e-9;
                let is_clear = ends > 0.0 && all.iter().all(|b| b.distance_to(segment) >= needed);
                assert_eq!(walls.are_clear(segment, 0.35, &mut 0), is_clear, "{segment:?}");
                clear += u32::from(is_clear);
                inside += u32::from(is_in);
                let within = 0.6 * (segment[1] - segment[0]).length() + 6.0 * radius;
                let (mut nearest, mut found) = (Nearest::default(), vec![]);
                walls.offer(segment, within, &mut nearest, &mut 0);
                nearest.take(&mut found);
                assert_eq!(
                    heeded(&found, segment, within),
                    heeded(&all, segment, within),
                    "{segment:?}"
                );
            }
            assert!(count == 0 || count == 200 || (clear > 20 && inside > 4), "{clear} {inside}");
        }
    }

    #[test]
    fn a_question_among_many_walls_is_no_more_effort_than_among_few() {
        let mut random = Stream::new(22, 0, "walls");
        let mut effort = vec![];
        for side in [10.0, 100.0] {
            // As many walls a square metre.
            let parts = some_walls(&mut random, (side * side) as usize, 0.5 * side, 0.5);
            let index = WallIndex::of(&parts, 1.2);
            let walls = Walls::new(&parts, &index, 0.3);
            let mut looked = 0;
            for _ in 0..200 {
                let p = Vec2::new(random.between(-4.0, 4.0), random.between(-4.0, 4.0));
                walls.are_clear([p, p + Vec2::new(2.0, 1.0)], 0.35, &mut looked);
                walls.offer([p, p], 3.0, &mut Nearest::default(), &mut looked);
            }
            effort.push(looked as f64 / 200.0);
        }
        println!("{effort:?} looks a question");
        assert!(effort[1] < 3.0 * effort[0], "{effort:?}");
    }
}
