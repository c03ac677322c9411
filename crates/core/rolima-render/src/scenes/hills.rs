//! The road of the thesis's realistic world, over hills.

use super::road::{WIDTH, distance_to, house, road_line, tree};
use super::{RoadWorld, robot_one};
use crate::{
    Daylight, LandPaint, Paint, Pattern, Point3, Stage, StageBuilder, StageError, StagePose,
    StageShape,
};
use rolima_math::{Stream, Vec2};
use rolima_spatial::{Hills, Terrain};
use std::sync::Arc;

/// Robots that stand on the hills.
const ROBOTS: usize = 6;

/// Hills of 220 x 220 m, 256 x 256 nodes, around the road of [`road_line`].
pub fn hills_terrain(seed: u64) -> Arc<Terrain> {
    let hills = Hills {
        seed,
        size: 220.0,
        nodes: 256,
        amplitude: 4.5,
        wavelength: 44.0,
        octaves: 5,
        roughness: 0.36,
        clearing: 0.0,
    };
    let middle = Vec2::new(0.0, 34.0);
    let made = hills.terrain().and_then(|mut spec| {
        (spec.min, spec.max) = (spec.min + middle, spec.max + middle);
        Terrain::new(spec)
    });
    // Constant but for the seed, and tested.
    Arc::new(made.expect("good hills"))
}

/// A road over hills, with trees, houses and robots, made from a seed; object numbers as in
/// [`RoadWorld`].
pub fn hills(seed: u64) -> Result<Stage, StageError> {
    let terrain = hills_terrain(seed);
    let mut builder = StageBuilder::new();
    builder.daylight(Daylight { half_fade_m: 900.0, ..Daylight::default() });
    let turf = builder.pattern(Pattern::Turf)?;
    let asphalt = builder.pattern(Pattern::Asphalt)?;
    let brick = builder.pattern(Pattern::Brick)?;
    let paint = LandPaint { colour: None, texture: Some((turf, [4.0; 2])) };
    builder.terrain(Arc::clone(&terrain), paint, RoadWorld::MEADOW);
    let line = road_line();
    builder.paint_strip(&line, WIDTH, true, Paint::textured(asphalt, 3.0), RoadWorld::ROAD);
    let white = Paint::plain([244, 244, 236]);
    for dash in line.chunks(4) {
        builder.paint_strip(&dash[..2.min(dash.len())], 0.14, false, white, RoadWorld::LINES);
    }
    let mut random = Stream::new(seed, 0, "hills");
    let mut object = RoadWorld::FIRST_THING;
    while object < RoadWorld::FIRST_THING + 160 {
        let p = [random.between(-95.0, 95.0), random.between(-60.0, 125.0)];
        let (pick, size) = (random.uniform(), random.between(0.8, 1.5));
        let heading = random.between(-3.0, 3.0);
        let off = distance_to(&line, p);
        if off < WIDTH / 2.0 + 3.0 || (pick > 0.95 && off < 12.0) {
            continue;
        }
        let thing = if pick > 0.95 { house(brick, size)? } else { tree(size, pick) };
        // A little into the ground, so that no foot floats on a slope.
        let z = terrain.height(p[0], p[1]) - 0.25;
        builder.fixed(thing, &StagePose::upright(p[0], p[1], z, heading), object);
        object += 1;
    }
    let robot = Arc::new(robot_one(Paint::plain([196, 32, 38])));
    for i in 0..ROBOTS {
        let (a, b) = (line[8 + 37 * i], line[9 + 37 * i]);
        let heading = rolima_math::atan2(b[1] - a[1], b[0] - a[0]) + 0.2;
        let pose = on_ground(&terrain, [a[0], a[1] + 0.8], heading);
        builder.body(StageShape::Solid(Arc::clone(&robot)), pose, object);
        object += 1;
    }
    Ok(builder.build())
}

/// The pose of something that stands on a slope, with a heading.
fn on_ground(terrain: &Terrain, [x, y]: [f64; 2], heading: f64) -> StagePose {
    let up: Point3 = terrain.normal(x, y).array();
    let (s, c) = rolima_math::sin_cos(heading);
    let across = crate::pose::unit_or(crate::pose::cross(up, [c, s, 0.0]), [0.0, 1.0, 0.0]);
    let position = [x, y, terrain.height(x, y)];
    StagePose { position, axes: [crate::pose::cross(across, up), across, up] }
}
