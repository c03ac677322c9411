//! Things are told apart by their colours, whatever the light.

use crate::common;

use common::{Seen, camera, see};
use rolima_render::{
    Colour, Daylight, Paint, Pattern, Quality, Solid, Stage, StageBuilder, StagePose, StageShape,
};
use std::sync::Arc;

const PAINTS: [(u32, Colour); 5] = [
    (2, [210, 40, 40]),
    (3, [40, 80, 210]),
    (4, [40, 160, 60]),
    (5, [240, 200, 40]),
    (6, [130, 60, 170]),
];

fn yard(towards_sun: [f64; 3]) -> Stage {
    let mut builder = StageBuilder::new();
    builder.daylight(Daylight { towards_sun, ..Daylight::default() });
    let asphalt = builder.pattern(Pattern::Asphalt).expect("room for a texture");
    builder.ground(Paint::textured(asphalt, 3.0), 1);
    let paint = |i: usize| Paint::plain(PAINTS[i].1);
    let at = StagePose::upright;
    let ball = |i: usize| StageShape::Ball { radius: 0.5, paint: paint(i).glossy(0.3) };
    builder.body(ball(0), at(4.0, 1.0, 0.5, 0.0), PAINTS[0].0);
    builder.body(ball(1), at(5.0, -0.6, 0.5, 0.0), PAINTS[1].0);
    let cube = Solid::cuboid([0.8; 3], paint(2));
    builder.body(StageShape::Solid(Arc::new(cube)), at(4.0, -1.8, 0.4, 0.7), PAINTS[2].0);
    builder.paint_line([2.0, -2.0], [3.0, 2.0], 0.2, paint(3), PAINTS[3].0);
    let post = Solid::cylinder(0.4, 1.5, paint(4));
    builder.fixed(post, &at(6.0, 2.0, 0.75, 0.0), PAINTS[4].0);
    builder.build()
}

/// Hue, degrees, and saturation, 0 to 1.
fn hue([r, g, b]: Colour) -> (f64, f64) {
    let [r, g, b] = [r, g, b].map(f64::from);
    let (high, low) = (r.max(g).max(b), r.min(g).min(b));
    let span = high - low;
    let hue = match high {
        _ if span == 0.0 => 0.0,
        h if h == r => (g - b) / span,
        h if h == g => (b - r) / span + 2.0,
        _ => (r - g) / span + 4.0,
    };
    ((hue * 60.0).rem_euclid(360.0), if high > 0.0 { span / high } else { 0.0 })
}

fn share_of_own_hue(seen: &Seen, object: u32, colour: Colour) -> f64 {
    let (mut own, mut all) = (0.0, 0.0);
    for (pixel, _) in seen.rgb.chunks_exact(3).zip(&seen.objects).filter(|(_, o)| **o == object) {
        let (got, saturation) = hue([pixel[0], pixel[1], pixel[2]]);
        let off = (got - hue(colour).0).rem_euclid(360.0);
        own += f64::from(off.min(360.0 - off) < 20.0 && saturation > 0.3);
        all += 1.0;
    }
    assert!(all > 100.0, "object {object} is seen");
    own / all
}

#[test]
fn things_keep_their_hue_wherever_the_sun_stands() {
    for sun in [[-0.4, 0.5, 0.7], [0.9, 0.1, 0.3], [0.0, -1.0, 0.2], [0.0, 0.0, 1.0]] {
        for quality in [Quality::default(), Quality { shadows: true, supersample: false }] {
            let mut eye = camera(StagePose::upright(0.0, 0.0, 0.6, 0.0));
            eye.quality = quality;
            let seen = see(&yard(sun), eye);
            for (object, colour) in PAINTS {
                let share = share_of_own_hue(&seen, object, colour);
                assert!(share > 0.93, "sun {sun:?}, object {object}: {share}");
            }
        }
    }
}

#[test]
fn faces_towards_the_sun_are_brighter_and_no_two_faces_are_alike() {
    let mut builder = StageBuilder::new();
    let cube = Solid::cuboid([1.0; 3], Paint::plain([200; 3]));
    let turned = StagePose::upright(3.0, 0.0, 0.5, std::f64::consts::FRAC_PI_4);
    builder.fixed(cube, &turned, 1);
    let seen =
        see(&builder.build(), camera(StagePose::from_angles([0.0, 0.0, 2.0], 0.0, 0.45, 0.0)));
    let mut shades: Vec<[u8; 3]> = seen
        .rgb
        .chunks_exact(3)
        .zip(&seen.objects)
        .filter(|(_, o)| **o == 1)
        .map(|(p, _)| [p[0], p[1], p[2]])
        .collect();
    shades.sort_unstable();
    // Haze changes a face by a step or two; faces differ by far more.
    shades.dedup_by(|a, b| a[1].abs_diff(b[1]) < 6);
    assert_eq!(shades.len(), 3, "{shades:?}");
}

#[test]
fn shadows_darken_the_ground_beside_a_wall_and_nothing_else() {
    let mut builder = StageBuilder::new();
    builder.ground(Paint::plain([150; 3]), 1);
    builder.daylight(Daylight { towards_sun: [0.0, 1.0, 1.0], ..Daylight::default() });
    builder.wall([2.0, 1.0], [8.0, 1.0], 0.2, 1.0, Paint::plain([200, 90, 60]), 2);
    let stage = builder.build();
    let mut eye = camera(StagePose::upright(0.0, 0.0, 0.6, 0.0));
    let bright = see(&stage, eye);
    eye.quality.shadows = true;
    let dark = see(&stage, eye);
    assert_eq!((&bright.depth, &bright.objects), (&dark.depth, &dark.objects));
    let mut darker = 0;
    for row in 0..240 {
        for column in 0..320 {
            let d = bright.ray(column as f64 + 0.5, row as f64 + 0.5);
            let z = bright.depth(column, row);
            let (x, y) = (d[0] * z, d[1] * z);
            // The sun stands at 45 degrees to the left: the shadow reaches 1 m from the wall.
            let middle = bright.object(column, row) == 1
                && (2.0..7.8).contains(&x)
                && (-0.05..0.85).contains(&y);
            let outside = bright.object(column, row) != 1 || !(-0.15..1.2).contains(&y);
            let (a, b) = (bright.colour(column, row), dark.colour(column, row));
            if middle {
                assert!(f64::from(b[1]) < 0.75 * f64::from(a[1]), "{x} {y}: {a:?} {b:?}");
                darker += 1;
            } else if outside {
                assert_eq!(a, b, "{x} {y}");
            }
        }
    }
    assert!(darker > 1_000, "{darker}");
}

#[test]
fn later_paint_covers_earlier_paint_and_solids_cover_both() {
    let mut builder = StageBuilder::new();
    builder.ground(Paint::plain([150; 3]), 1);
    builder.paint_polygon(
        &[[1.0, -2.0], [9.0, -2.0], [9.0, 2.0], [1.0, 2.0]],
        Paint::plain([9; 3]),
        2,
    );
    builder.paint_line([1.0, 0.0], [9.0, 0.0], 0.3, Paint::plain([255; 3]), 3);
    builder.wall([5.0, -1.0], [5.0, 1.0], 0.2, 0.5, Paint::plain([200, 0, 0]), 4);
    let seen =
        see(&builder.build(), camera(StagePose::from_angles([0.0, 0.0, 1.0], 0.0, 0.3, 0.0)));
    assert_eq!(seen.object(160, 200), 3);
    assert_eq!(seen.object(160, 92), 4, "the wall");
    assert_eq!(seen.object(70, 200), 2);
    assert_eq!(seen.object(2, 100), 1);
    assert_eq!(seen.object(160, 2), 0, "the sky");
}

/// A checkered floor far away is shown as its mean, not as noise.
#[test]
fn textures_do_not_sparkle_in_the_distance() {
    let mut builder = StageBuilder::new();
    let noise = rolima_render::Texture::from_function(|x, y| {
        [if (x + y) % 2 == 0 { 0.0 } else { 255.0 }; 3]
    });
    let noise = builder.texture(noise).unwrap();
    builder.ground(Paint::textured(noise, 2.0), 1);
    let seen = see(&builder.build(), camera(StagePose::upright(0.3, 0.1, 0.5, 0.2)));
    // From 6 m on, where pixels are twice as large as texels and larger still along the view.
    let mut compared = 0;
    for row in 0..240 {
        for column in 1..320 {
            if seen.object(column, row) == 1 && seen.depth(column, row) > 6.0 {
                let (a, b) = (seen.colour(column, row)[1], seen.colour(column - 1, row)[1]);
                assert!(a.abs_diff(b) <= 4, "{column} {row}: {a} {b}");
                compared += 1;
            }
        }
    }
    assert!(compared > 1_000, "{compared} pixels of the floor are far away");
}

/// One colour in the middle of what a camera sees that looks straight down on a square of a paint.
fn from_above(paint: Paint, sun: [f64; 3], shadows: bool) -> Colour {
    let mut builder = StageBuilder::new();
    builder.daylight(Daylight { towards_sun: sun, ..Daylight::default() });
    builder.ground(Paint::plain([100; 3]), 1);
    builder.paint_polygon(&[[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]], paint, 2);
    // A roof beside the camera's line of sight, whose shadow falls on the square.
    let roof = Solid::cuboid([4.0, 4.0, 0.1], Paint::plain([90; 3]));
    builder.fixed(roof, &StagePose::upright(4.0, 0.0, 2.0, 0.0), 3);
    let pose = StagePose::from_angles([0.0, 0.0, 3.0], 0.0, std::f64::consts::FRAC_PI_2, 0.0);
    let quality = Quality { supersample: false, shadows };
    see(&builder.build(), rolima_render::Camera { quality, ..camera(pose) }).colour(160, 120)
}

#[test]
fn a_glossy_floor_mirrors_the_sun_where_it_stands_behind_the_camera_and_a_matt_one_nowhere() {
    let (above, aside) = ([0.0, 0.0, 1.0], [0.0, 1.0, 0.3]);
    let matt = Paint::plain([60, 60, 120]);
    let glossy = matt.glossy(0.5);
    assert_eq!(from_above(matt, aside, false), from_above(glossy, aside, false));
    let (dull, bright) = (from_above(matt, above, false), from_above(glossy, above, false));
    // Half of what is missing to white.
    for (dull, bright) in dull.into_iter().zip(bright) {
        let halfway = f64::from(dull) + 0.5 * (255.0 - f64::from(dull));
        assert!((f64::from(bright) - halfway).abs() < 2.0, "{dull} {bright}");
    }
    // In the shade of the roof nothing is mirrored: the sun comes from where it stands.
    let slanted = [1.0, 0.0, 0.7];
    assert_eq!(from_above(matt, slanted, true), from_above(glossy, slanted, true));
}

#[test]
fn what_shines_by_itself_has_its_colour_in_light_and_shadow() {
    let paint = Paint { glow: 1.0, ..Paint::plain([40, 200, 90]) };
    for sun in [[0.0, 0.0, 1.0], [0.0, 1.0, 0.1], [1.0, 0.0, 0.7]] {
        assert_eq!(from_above(paint, sun, true), [40, 200, 90]);
    }
    // Half of its own light: between that and what the sun alone gives.
    let half = Paint { glow: 0.5, ..paint };
    let dim = from_above(Paint { glow: 0.0, ..paint }, [1.0, 0.0, 0.7], true);
    let seen = from_above(half, [1.0, 0.0, 0.7], true);
    assert!(dim[1] < seen[1] && seen[1] < 200, "{dim:?} {seen:?}");
}

#[test]
fn what_is_round_and_balls_shine_by_themselves_too() {
    let glow = |own: f64| {
        let mut builder = StageBuilder::new();
        let paint = Paint { glow: own, ..Paint::plain([200, 40, 40]) };
        let ball = StageShape::Ball { radius: 0.5, paint };
        builder.body(ball, StagePose::upright(4.0, 0.6, 0.5, 0.0), 2);
        builder.fixed(
            Solid::cylinder(0.4, 1.0, paint),
            &StagePose::upright(4.0, -0.6, 0.5, 0.0),
            3,
        );
        let seen = see(&builder.build(), camera(StagePose::upright(0.0, 0.0, 0.5, 0.0)));
        [2, 3].map(|object| {
            let reds = seen.rgb.chunks_exact(3).zip(&seen.objects).filter(|(_, o)| **o == object);
            let reds: Vec<u8> = reds.map(|(pixel, _)| pixel[0]).collect();
            assert!(reds.len() > 500, "object {object} is seen");
            [*reds.iter().min().expect("some"), *reds.iter().max().expect("some")]
        })
    };
    assert_eq!(glow(1.0), [[200; 2]; 2]);
    for [least, most] in glow(0.0) {
        assert!(least < 150 && most > least, "{least} {most}");
    }
}

#[test]
fn a_wall_may_have_another_paint_on_top() {
    let mut builder = StageBuilder::new();
    let wall = Solid::wall([2.0, -1.0], [2.0, 1.0], 0.2, 0.5, Paint::plain([230; 3]));
    builder.fixed(wall.topped(Paint::plain([10; 3])), &StagePose::IDENTITY, 2);
    let pose = StagePose::from_angles([0.0, 0.0, 2.5], 0.0, 0.8, 0.0);
    let seen = see(&builder.build(), camera(pose));
    let greys = seen.rgb.chunks_exact(3).zip(&seen.objects).filter(|(_, o)| **o == 2);
    let greys: Vec<u8> = greys.map(|(pixel, _)| pixel[0]).collect();
    let (dark, bright) =
        (greys.iter().filter(|g| **g < 20).count(), greys.iter().filter(|g| **g > 100).count());
    assert!(dark > 500 && bright > 500 && dark + bright == greys.len(), "{dark} {bright}");
}
