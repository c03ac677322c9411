//! A closed road through meadows, as in the thesis's realistic world.

use crate::{
    Colour, Daylight, Paint, Pattern, Solid, Stage, StageBuilder, StageError, StagePose, TextureId,
};
use rolima_math::{Stream, sin_cos};

/// Width of the road, m.
pub(super) const WIDTH: f64 = 5.0;
const POINTS: usize = 240;

/// The road's middle line: closed, counter-clockwise, some 300 m long, from (0, 0) along +x.
pub fn road_line() -> Vec<[f64; 2]> {
    (0..POINTS)
        .map(|i| {
            let angle = 2.0 * std::f64::consts::PI * i as f64 / POINTS as f64;
            let (s, c) = sin_cos(angle);
            let (s3, _) = sin_cos(3.0 * angle);
            let (s2, c2) = sin_cos(2.0 * angle);
            [56.0 * s + 4.0 * s2 + 3.0 * s3, 34.0 - 34.0 * c + 5.0 * (1.0 - c2)]
        })
        .collect()
}

/// Object numbers of the road world.
#[derive(Clone, Copy, Debug)]
pub struct RoadWorld;

impl RoadWorld {
    /// The meadow.
    pub const MEADOW: u32 = 1;
    /// The road's surface.
    pub const ROAD: u32 = 2;
    /// Lines painted on the road.
    pub const LINES: u32 = 3;
    /// Trees and houses have this number and those above.
    pub const FIRST_THING: u32 = 10;
}

/// Meadow, road, trees and houses, made from a seed.
pub fn road(seed: u64) -> Result<Stage, StageError> {
    let mut builder = StageBuilder::new();
    // Clear air: green things that fade are grey for a while, as the road is.
    builder.daylight(Daylight { half_fade_m: 900.0, ..Daylight::default() });
    let grass = builder.pattern(Pattern::Grass)?;
    let asphalt = builder.pattern(Pattern::Asphalt)?;
    let brick = builder.pattern(Pattern::Brick)?;
    builder.ground(Paint::textured(grass, 5.0), RoadWorld::MEADOW);
    let line = road_line();
    let surface = Paint::textured(asphalt, 3.0);
    builder.paint_strip(&line, WIDTH, true, surface, RoadWorld::ROAD);
    let white = Paint::plain([244, 244, 236]);
    for dash in line.chunks(4) {
        builder.paint_strip(&dash[..2.min(dash.len())], 0.14, false, white, RoadWorld::LINES);
    }
    let mut random = Stream::new(seed, 0, "road");
    let mut object = RoadWorld::FIRST_THING;
    let mut placed = 0;
    while placed < 150 {
        let p = [random.between(-90.0, 90.0), random.between(-30.0, 110.0)];
        let pick = random.uniform();
        let size = random.between(0.8, 1.5);
        let off = distance_to(&line, p);
        if off < WIDTH / 2.0 + 3.0 || (pick > 0.9 && off < 12.0) {
            continue;
        }
        let thing = if pick > 0.9 { house(brick, size)? } else { tree(size, pick) };
        let heading = random.between(-3.0, 3.0);
        builder.fixed(thing, &StagePose::upright(p[0], p[1], 0.0, heading), object);
        object += 1;
        placed += 1;
    }
    // Hills around the horizon.
    for i in 0..28 {
        let (s, c) = sin_cos(0.2244 * f64::from(i) + random.between(-0.08, 0.08));
        let (far, high) = (random.between(190.0, 300.0), random.between(14.0, 42.0));
        let hill = Solid::cone(random.between(50.0, 90.0), 6.0, high, Paint::plain([84, 140, 48]));
        let pose = StagePose::upright(far * c, 40.0 + far * s, high / 2.0 - 1.0, 0.0);
        builder.fixed(hill, &pose, object);
        object += 1;
    }
    Ok(builder.build())
}

pub(super) fn distance_to(line: &[[f64; 2]], p: [f64; 2]) -> f64 {
    let square = |q: &[f64; 2]| (q[0] - p[0]) * (q[0] - p[0]) + (q[1] - p[1]) * (q[1] - p[1]);
    line.iter().map(square).fold(f64::INFINITY, rolima_math::functions::smaller).sqrt()
}

/// A trunk and three cones, 4 to 8 m high.
pub(super) fn tree(size: f64, kind: f64) -> Solid {
    const GREENS: [Colour; 3] = [[44, 104, 44], [62, 122, 40], [30, 88, 58]];
    let green = Paint::plain(GREENS[(kind * 29.0) as usize % 3]);
    let at = |z: f64| StagePose::upright(0.0, 0.0, z * size, 0.0);
    let cone = |radius: f64, height: f64| Solid::cone(radius * size, 0.0, height * size, green);
    Solid::cylinder(0.18 * size, 1.4 * size, Paint::plain([112, 66, 34]))
        .with(&cone(1.5, 2.2), &at(2.1))
        .with(&cone(1.2, 1.9), &at(3.2))
        .with(&cone(0.85, 1.6), &at(4.2))
}

pub(super) fn house(brick: TextureId, size: f64) -> Result<Solid, StageError> {
    let (l, w, h) = (5.0 * size, 3.6 * size, 2.6);
    let body = Solid::cuboid([2.0 * l, 2.0 * w, h], Paint::textured(brick, 2.0));
    let (x, y, ridge, eaves) = (l + 0.4, w + 0.4, h + 1.8 * size, h);
    let corners = vec![
        [-x, -y, eaves],
        [x, -y, eaves],
        [x, y, eaves],
        [-x, y, eaves],
        [-x, 0.0, ridge],
        [x, 0.0, ridge],
    ];
    let faces = [[0, 1, 5], [0, 5, 4], [2, 3, 4], [2, 4, 5], [1, 2, 5], [3, 0, 4]];
    let roof = Solid::triangles(corners, &faces, Paint::plain([178, 74, 50]))?;
    let window = Solid::cuboid([0.06, 1.2, 1.0], Paint::plain([70, 110, 170]));
    let door = Solid::cuboid([0.06, 1.0, 2.0], Paint::plain([110, 62, 30]));
    let at = |x: f64, y: f64, z: f64| StagePose::upright(x, y, z, 0.0);
    Ok(Solid::default()
        .with(&body, &at(0.0, 0.0, h / 2.0))
        .with(&roof, &StagePose::IDENTITY)
        .with(&door, &at(l, 0.0, 1.0))
        .with(&window, &at(l, w * 0.6, 1.5))
        .with(&window, &at(l, -w * 0.6, 1.5))
        .with(&window, &at(-l, w * 0.5, 1.5))
        .with(&window, &at(-l, -w * 0.5, 1.5)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_road_is_as_long_as_the_thesis_case_needs() {
        let line = road_line();
        let n = line.len();
        let length: f64 = (0..n)
            .map(|i| (line[i], line[(i + 1) % n]))
            .map(|(a, b)| ((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1])).sqrt())
            .sum();
        assert!((250.0..350.0).contains(&length), "{length} m");
    }
}
