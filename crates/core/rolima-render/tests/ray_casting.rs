//! Object pictures against a ray caster that shares no code with them.

use crate::common;

use common::{Seen, camera, see};
use rolima_math::Stream;
use rolima_render::{Paint, Point3, Solid, Stage, StageBuilder, StagePose, StageShape};
use std::sync::Arc;

const PAINT: Paint = Paint::plain([200; 3]);
const BOXES: u64 = 120;
const BALLS: u64 = 30;
const FIRST_BOX: u32 = 100;
const FIRST_BALL: u32 = 1000;

struct World {
    boxes: Vec<(StagePose, Point3)>,
    balls: Vec<(Point3, f64)>,
}

fn world(seed: u64) -> (World, Stage) {
    let mut random = Stream::new(seed, 0, "world");
    let mut world = World { boxes: Vec::new(), balls: Vec::new() };
    let mut builder = StageBuilder::new();
    builder.ground(PAINT, 1);
    for i in 0..BOXES {
        let mut r = |low: f64, high: f64| random.between(low, high);
        let size = [r(0.1, 3.0), r(0.1, 3.0), r(0.1, 2.0)];
        let position = [r(-15.0, 15.0), r(-15.0, 15.0), r(0.0, 2.0)];
        let pose = if i % 2 == 0 {
            StagePose::upright(position[0], position[1], size[2] / 2.0, r(-3.0, 3.0))
        } else {
            StagePose::from_angles(position, r(-3.0, 3.0), r(-1.5, 1.5), r(-3.0, 3.0))
        };
        let solid = Solid::cuboid(size, PAINT);
        if i % 3 == 0 {
            builder.body(StageShape::Solid(Arc::new(solid)), pose, FIRST_BOX + i as u32);
        } else {
            builder.fixed(solid, &pose, FIRST_BOX + i as u32);
        }
        world.boxes.push((pose, size.map(|s| s / 2.0)));
    }
    for i in 0..BALLS {
        let mut r = |low: f64, high: f64| random.between(low, high);
        let (centre, radius) = ([r(-15.0, 15.0), r(-15.0, 15.0), r(0.0, 2.0)], r(0.1, 1.0));
        let pose = StagePose { position: centre, ..StagePose::IDENTITY };
        builder.body(StageShape::Ball { radius, paint: PAINT }, pose, FIRST_BALL + i as u32);
        world.balls.push((centre, radius));
    }
    (world, builder.build())
}

impl World {
    /// Nearest object along a ray, from the outside in.
    fn hit(&self, from: Point3, d: Point3) -> u32 {
        let mut nearest = (f64::INFINITY, 0);
        let mut offer = |t: f64, object: u32| {
            // What is nearer than the near plane is not seen.
            if t > 0.02 && t < nearest.0 {
                nearest = (t, object);
            }
        };
        if d[2] < 0.0 && from[2] > 0.0 {
            offer(-from[2] / d[2], 1);
        }
        for (i, (pose, half)) in self.boxes.iter().enumerate() {
            let o = pose.unrotate(std::array::from_fn(|k| from[k] - pose.position[k]));
            let v = pose.unrotate(d);
            let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
            for k in 0..3 {
                let (a, b) = ((-half[k] - o[k]) / v[k], (half[k] - o[k]) / v[k]);
                (enter, leave) = (enter.max(a.min(b)), leave.min(a.max(b)));
            }
            if enter < leave {
                offer(enter, FIRST_BOX + i as u32);
            }
        }
        for (i, (centre, radius)) in self.balls.iter().enumerate() {
            let o: Point3 = std::array::from_fn(|k| from[k] - centre[k]);
            let dot = |a: Point3, b: Point3| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            let under = dot(o, d) * dot(o, d) - dot(d, d) * (dot(o, o) - radius * radius);
            if under > 0.0 {
                offer((-dot(o, d) - under.sqrt()) / dot(d, d), FIRST_BALL + i as u32);
            }
        }
        nearest.1
    }

    /// True if the ray through a place of the picture, or one a hundredth of a pixel beside it,
    /// meets the object.
    fn agrees(&self, seen: &Seen, x: f64, y: f64, object: u32) -> (bool, bool) {
        let from = seen.camera.pose.position;
        let exact = self.hit(from, seen.ray(x, y)) == object;
        let near = [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)]
            .iter()
            .any(|(dx, dy)| self.hit(from, seen.ray(x + 0.01 * dx, y + 0.01 * dy)) == object);
        (exact, exact || near)
    }
}

#[test]
fn ten_thousand_random_rays_meet_the_object_that_the_picture_shows() {
    let (mut rays, mut at_edges, mut objects) = (0, 0, std::collections::BTreeSet::new());
    for seed in 0..20 {
        let (world, stage) = world(seed);
        let mut random = Stream::new(seed, 0, "rays");
        let mut r = |low: f64, high: f64| random.between(low, high);
        let position = [r(-12.0, 12.0), r(-12.0, 12.0), r(0.2, 4.0)];
        let pose = StagePose::from_angles(position, r(-3.0, 3.0), r(-0.3, 0.6), r(-0.5, 0.5));
        let seen = see(&stage, camera(pose));
        for _ in 0..500 {
            let (column, row) = (r(0.0, 320.0) as usize, r(0.0, 240.0) as usize);
            let object = seen.object(column, row);
            let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
            let (exact, near) = world.agrees(&seen, x, y, object);
            assert!(near, "seed {seed}, pixel {column} {row} shows {object}, {pose:?}");
            rays += 1;
            at_edges += i32::from(!exact);
            objects.insert(object);
        }
    }
    assert_eq!(rays, 10_000);
    assert!(at_edges < 20, "{at_edges} rays at edges differ");
    assert!(objects.len() > 100, "{} objects were seen", objects.len());
}

/// Culling and the order of drawing leave out only what is hidden.
#[test]
fn every_pixel_of_a_picture_agrees() {
    let (world, stage) = world(99);
    let seen = see(&stage, camera(StagePose::from_angles([0.0, 0.0, 1.0], 0.4, 0.1, 0.0)));
    for row in 0..240 {
        for column in 0..320 {
            let (x, y) = (f64::from(column) + 0.5, f64::from(row) + 0.5);
            let object = seen.object(column as usize, row as usize);
            assert!(world.agrees(&seen, x, y, object).1, "pixel {column} {row} shows {object}");
        }
    }
}
