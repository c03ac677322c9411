//! Rough ground in pictures against rays on the very surface that wheels feel.

use crate::common;

use common::{Seen, see};
use rolima_math::{Stream, Vec2, Vec3};
use rolima_render::{
    Camera, LandPaint, Lens, Paint, Quality, SKY, Solid, Stage, StageBuilder, StagePose, StageShape,
};
use rolima_spatial::{Edge, Hills, Terrain, TerrainSpec};
use std::sync::Arc;

const GROUND: u32 = 1;
const MARK: u32 = 2;
const PLAIN: LandPaint = LandPaint { colour: Some([120, 140, 70]), texture: None };

/// What the documentation promises: a quarter of a pixel of the picture's middle, or 0.2 mm; and
/// what single precision adds.
fn tolerance(lens: &Lens, distance: f64) -> f64 {
    let pixels = |size: u32, fov: f64| f64::from(size) / 2.0 / rolima_math::tan(fov / 2.0);
    let f = pixels(lens.width, lens.horizontal_fov).max(pixels(lens.height, lens.vertical_fov));
    0.25 * distance / f + 2e-4 + 3e-6 * distance
}

fn hills(nodes: usize) -> Terrain {
    let hills = Hills { nodes, amplitude: 1.5, ..Hills::default() };
    hills.terrain().and_then(Terrain::new).expect("good hills")
}

/// Few large cells, far from square, every one bent.
fn saddles(edge: Edge) -> Terrain {
    let (min, max) = (Vec2::new(-20.0, -9.0), Vec2::new(22.0, 12.0));
    let mut spec = TerrainSpec::from_function(min, max, 12, 9, |_, _| 0.0);
    let mut random = Stream::new(3, 0, "saddles");
    spec.heights.values.iter_mut().for_each(|z| *z = random.between(-0.8, 0.8));
    spec.edge = edge;
    Terrain::new(spec).expect("a good terrain")
}

fn stage(terrain: &Arc<Terrain>) -> Stage {
    let mut builder = StageBuilder::new();
    builder.terrain(Arc::clone(terrain), PLAIN, GROUND);
    builder.build()
}

/// A camera somewhere above the ground, also beyond the border, looking anywhere but far up.
fn somewhere(terrain: &Terrain, random: &mut Stream) -> Camera {
    let mut r = |low: f64, high: f64| random.between(low, high);
    let (x, y) = (r(-26.0, 26.0), r(-26.0, 26.0));
    let height = r(0.0, 1.0);
    let z = terrain.height(x, y) + 0.1 + 5.0 * height * height;
    let pose = StagePose::from_angles([x, y, z], r(-3.1, 3.1), r(-0.1, 0.9), r(-0.4, 0.4));
    let lens = Lens { width: 161, height: 120, ..Lens::ROBOT_ONE };
    Camera { lens, pose, quality: Quality::default() }
}

fn cast(seen: &Seen, terrain: &Terrain, x: f64, y: f64) -> Option<f64> {
    let (from, way) = (seen.camera.pose.position, seen.ray(x, y));
    // The ray has depth 1, so its length is the depth; the near plane cuts what is nearer.
    terrain.cast(from.into(), way.into(), 1e5).map(|hit| hit.distance)
}

#[test]
fn every_pixel_shows_the_surface_that_wheels_feel_within_the_tolerance() {
    let (mut pixels, mut skies, mut edges, mut worst) = (0, 0, 0, 0.0_f64);
    let terrains = [
        hills(60),
        hills(256),
        saddles(Edge::Extended),
        saddles(Edge::Ends),
        Terrain::new(TerrainSpec::flat(30.0)).unwrap(),
    ];
    for (number, terrain) in terrains.into_iter().enumerate() {
        let terrain = Arc::new(terrain);
        let stage = stage(&terrain);
        let mut random = Stream::new(11, number as u64, "looks");
        for look in 0..12 {
            let seen = see(&stage, somewhere(&terrain, &mut random));
            let from = Vec3::from(seen.camera.pose.position);
            for row in 0..120 {
                for column in 0..161 {
                    let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
                    let name = format!("terrain {number}, look {look}, pixel {column} {row}");
                    let truth = cast(&seen, &terrain, x, y);
                    let depth = seen.depth(column, row);
                    pixels += 1;
                    if seen.object(column, row) == SKY {
                        assert!(depth.is_infinite());
                        skies += 1;
                        // No gaps: a ray within a pixel of this one misses the ground as well.
                        let near = [(0.0, 0.0), (0.6, 0.0), (-0.6, 0.0), (0.0, 0.6), (0.0, -0.6)];
                        let miss = |(dx, dy): &(f64, f64)| {
                            cast(&seen, &terrain, x + dx, y + dy).is_none_or(|d| d > 1e4)
                        };
                        assert!(near.iter().any(miss), "{name}: a gap, the ground is at {truth:?}");
                        continue;
                    }
                    assert_eq!(seen.object(column, row), GROUND, "{name}");
                    let at = from + Vec3::from(seen.ray(x, y)) * depth;
                    let distance = (at - from).length();
                    if distance > 1e4 {
                        continue;
                    }
                    let off = (at.z - terrain.height(at.x, at.y)).abs();
                    let allowed = tolerance(&seen.camera.lens, distance);
                    // Where the terrain ends, its last pixel may lie just outside.
                    assert!(off <= allowed, "{name}: {off} m off at {distance} m");
                    worst = worst.max(off / allowed);
                    // The ray meets the ground at that depth; but one that grazes a crest may pass
                    // it, or not, by less than the tolerance.
                    let slope = terrain.normal(at.x, at.y);
                    let way = Vec3::from(seen.ray(x, y));
                    let grazing = (slope.dot(way) / way.length()).abs();
                    let close = |truth: f64| (truth - depth).abs() <= 3.0 * allowed / grazing;
                    if !truth.is_some_and(close) {
                        edges += 1;
                        let beside = [(0.5, 0.0), (-0.5, 0.0), (0.0, 0.5), (0.0, -0.5)];
                        let found = beside.iter().any(|(dx, dy)| {
                            let beside = cast(&seen, &terrain, x + dx, y + dy);
                            beside.is_some_and(|d| {
                                (d - depth).abs() <= 6.0 * allowed / grazing + 0.02 * depth
                            })
                        });
                        assert!(
                            found || grazing < 0.05,
                            "{name}: {depth} m, the ray {truth:?}, {grazing}"
                        );
                    }
                }
            }
        }
    }
    assert!(skies > pixels / 50 && skies < pixels / 2, "{skies} of {pixels} pixels are sky");
    assert!(edges < pixels / 100, "{edges} of {pixels} pixels at crests differ");
    println!("{pixels} pixels, {skies} sky, {edges} at crests, worst {worst:.3} of the tolerance");
}

#[test]
fn paint_lies_where_its_polygon_lies_in_plan() {
    let terrain = Arc::new(hills(128));
    let mut builder = StageBuilder::new();
    builder.terrain(Arc::clone(&terrain), PLAIN, GROUND);
    let line = [[-18.0, -6.0], [-4.0, 3.0], [9.0, 1.0], [18.0, 10.0]];
    builder.paint_strip(&line, 1.5, false, Paint::plain([40, 40, 44]), MARK);
    builder.paint_disc([2.0, -5.0], 2.0, Paint::plain([200, 60, 40]), MARK + 1);
    let stage = builder.build();
    let mut random = Stream::new(12, 0, "looks");
    let (mut on_line, mut on_disc) = (0, 0);
    for _ in 0..150 {
        let seen = see(&stage, somewhere(&terrain, &mut random));
        let from = Vec3::from(seen.camera.pose.position);
        for row in 0..120 {
            for column in 0..161 {
                let object = seen.object(column, row);
                if object == SKY {
                    continue;
                }
                let way = Vec3::from(seen.ray(column as f64 + 0.5, row as f64 + 0.5));
                let at = from + way * seen.depth(column, row);
                let centre = ((at.x - 2.0) * (at.x - 2.0) + (at.y + 5.0) * (at.y + 5.0)).sqrt();
                let along = (0..3).map(|i| {
                    let (a, b) = (line[i], line[i + 1]);
                    let (dx, dy) = (b[0] - a[0], b[1] - a[1]);
                    let t = ((at.x - a[0]) * dx + (at.y - a[1]) * dy) / (dx * dx + dy * dy);
                    let t = t.clamp(0.0, 1.0);
                    let (x, y) = (at.x - a[0] - t * dx, at.y - a[1] - t * dy);
                    (x * x + y * y).sqrt()
                });
                let line_off = along.fold(f64::INFINITY, f64::min);
                match object {
                    MARK => {
                        on_line += 1;
                        assert!(line_off < 0.9, "{line_off} m off the line");
                    }
                    3 => {
                        on_disc += 1;
                        assert!(centre < 2.001, "{centre} m from the disc's middle");
                    }
                    // Ends and mitres are square: not quite this distance.
                    _ => assert!(line_off > 0.74 || at.x.abs() > 17.0, "{line_off} m, unpainted"),
                }
            }
        }
    }
    assert!(on_line > 2_000 && on_disc > 500, "{on_line} {on_disc}");
}

/// Standing on a slope of 30 degrees before a post, with the sun behind the post.
#[test]
fn shadows_lie_on_the_slope_below_the_sun_and_not_above_it() {
    let (min, max) = (Vec2::new(-20.0, -20.0), Vec2::new(20.0, 20.0));
    let slope = TerrainSpec::from_function(min, max, 41, 41, |x, _| 0.577 * x);
    let terrain = Arc::new(Terrain::new(slope).unwrap());
    let mut builder = StageBuilder::new();
    builder.terrain(Arc::clone(&terrain), PLAIN, GROUND);
    builder.daylight(rolima_render::Daylight {
        towards_sun: [1.0, 0.0, 2.0],
        ..rolima_render::Daylight::default()
    });
    let post = Solid::cylinder(0.3, 2.0, Paint::plain([90, 60, 40]));
    builder.fixed(post, &StagePose::upright(0.0, 4.0, 1.0, 0.0), 5);
    let ball = StageShape::Ball { radius: 0.5, paint: Paint::plain([200, 0, 0]) };
    builder.body(ball, StagePose::upright(0.0, -4.0, 3.0, 0.0), 6);
    let stage = builder.build();
    // From high above, straight down: column to the right is -y, row down is -x.
    let lens = Lens { width: 600, height: 600, ..Lens::ROBOT_ONE }.with_square_pixels();
    let pose = StagePose::from_angles([0.0, 0.0, 40.0], 0.0, std::f64::consts::FRAC_PI_2, 0.0);
    let quality = |shadows| Quality { shadows, supersample: false };
    let [dark, light] =
        [true, false].map(|shadows| see(&stage, Camera { lens, pose, quality: quality(shadows) }));
    let mut shadows = vec![];
    for row in 0..600 {
        for column in 0..600 {
            assert_eq!(dark.object(column, row), light.object(column, row));
            if dark.colour(column, row) != light.colour(column, row) {
                let way = dark.ray(column as f64 + 0.5, row as f64 + 0.5);
                let depth = dark.depth(column, row);
                shadows.push([way[0] * depth, way[1] * depth]);
            }
        }
    }
    let (left, right): (Vec<[f64; 2]>, Vec<[f64; 2]>) = shadows.iter().partition(|p| p[1] > 0.0);
    assert!(left.len() > 100 && right.len() > 100, "{} {}", left.len(), right.len());
    // The ray down from the top of the post, (0, 2), falls by 2 and the slope by 0.577 a metre:
    // it ends 2 / (2 - 0.577) m below.
    let farthest = left.iter().map(|p| p[0]).fold(0.0, f64::min);
    assert!((farthest + 2.0 / 1.423).abs() < 0.45, "{farthest}");
    assert!(left.iter().all(|p| p[0] < 0.4 && (p[1] - 4.0).abs() < 0.5), "{left:?}");
    // The ball's middle is 3 m up.
    let mean = right.iter().map(|p| p[0]).sum::<f64>() / right.len() as f64;
    assert!((mean + 3.0 / 1.423).abs() < 0.3, "{mean}");
}

#[test]
fn from_below_the_ground_is_seen_as_well_and_an_island_from_the_side() {
    let terrain = Arc::new(saddles(Edge::Ends));
    let stage = stage(&terrain);
    let below = StagePose::from_angles([1.0, 1.0, -6.0], 0.3, -0.8, 0.0);
    for (pose, least) in [(below, 5_000), (StagePose::upright(-40.0, 0.0, 1.0, 0.0), 300)] {
        let seen = see(&stage, common::camera(pose));
        let ground = seen.objects.iter().filter(|&&o| o == GROUND).count();
        assert!(ground > least, "{ground}");
        let mut compared = [0; 2];
        for row in (0..240).step_by(7) {
            for column in (0..320).step_by(7) {
                let (x, y) = (column as f64 + 0.5, row as f64 + 0.5);
                let hits: Vec<bool> = [(0.0, 0.0), (0.6, 0.6), (-0.6, -0.6), (0.6, -0.6)]
                    .iter()
                    .map(|(dx, dy)| cast(&seen, &terrain, x + dx, y + dy).is_some())
                    .collect();
                if hits.iter().all(|&hit| hit == hits[0]) {
                    assert_eq!(seen.object(column, row) == GROUND, hits[0], "{column} {row}");
                    compared[usize::from(hits[0])] += 1;
                }
            }
        }
        assert!(compared[1] > least / 100, "{compared:?} pixels without and with ground");
    }
}
