//! Nothing that is given to the renderer makes it panic, and it does not allocate once it is warm.

use crate::common;
use rolima_testing::heap;

use common::{camera, see};
use proptest::prelude::*;
use rolima_render::scenes::{bench_scene, maze};
use rolima_render::{
    Camera, Daylight, DrawError, Lens, Paint, Pictures, Quality, Renderer, Solid, StageBuilder,
    StagePose, StageShape,
};
use std::sync::Arc;

#[test]
fn a_warm_renderer_does_not_allocate() {
    let (stage, mut cameras) = bench_scene(1).unwrap();
    let mut renderer = Renderer::new();
    let pixels = Lens::ROBOT_ONE.pixels();
    let (mut rgb, mut depth, mut objects) =
        (vec![0; 3 * pixels], vec![0.0; pixels], vec![0; pixels]);
    for quality in [Quality::default(), Quality { shadows: true, supersample: true }] {
        cameras.iter_mut().for_each(|camera| camera.quality = quality);
        for round in 0..2 {
            let before = heap::count();
            for camera in &cameras {
                let pictures = Pictures {
                    rgb: Some(&mut rgb),
                    depth: Some(&mut depth),
                    objects: Some(&mut objects),
                };
                renderer.draw(&stage, camera, pictures).unwrap();
            }
            let is_warm = round == 1;
            assert!(!is_warm || heap::count() == before);
        }
    }
}

#[test]
fn wrong_lenses_and_rooms_are_refused_with_a_reason() {
    let stage = StageBuilder::new().build();
    let good = camera(StagePose::IDENTITY);
    let draw = |lens: Lens, bytes: usize| {
        let mut rgb = vec![0; bytes];
        let pictures = Pictures { rgb: Some(&mut rgb), ..Pictures::default() };
        Renderer::new().draw(&stage, &Camera { lens, ..good }, pictures).map_err(|e| e.to_string())
    };
    let lens = Lens::ROBOT_ONE;
    assert_eq!(draw(lens, 230_400), Ok(()));
    let wide = Lens { horizontal_fov: 3.2, ..lens };
    for (lens, reason) in [
        (Lens { width: 0, ..lens }, "width: expected 1 to 8192 pixels, got 0"),
        (Lens { height: 9000, ..lens }, "height: expected 1 to 8192 pixels, got 9000"),
        (wide, "horizontal field of view: expected 0.01 to 175 degrees, got 183"),
        (Lens { vertical_fov: f64::NAN, ..lens }, "vertical field of view: expected 0.01"),
        (Lens { near: 0.0, ..lens }, "near: expected 0.0001 to 1000 m, got 0"),
    ] {
        let error = draw(lens, 230_400).unwrap_err();
        assert!(error.starts_with(reason), "{error}");
    }
    assert_eq!(draw(lens, 7).unwrap_err(), "rgb: expected room for 230400 values, got 7");
    let mut objects = [0; 3];
    let pictures = Pictures { objects: Some(&mut objects), ..Pictures::default() };
    let error = Renderer::new().draw(&stage, &good, pictures);
    assert_eq!(error, Err(DrawError::Buffer { name: "objects", expected: 76_800, got: 3 }));
}

#[test]
fn a_camera_that_is_nowhere_sees_haze() {
    let stage = maze(1, 4, 5).unwrap();
    for bad in [f64::NAN, f64::INFINITY, 1e300] {
        let seen = see(&stage, camera(StagePose::upright(bad, 0.0, 1.0, 0.0)));
        assert!(seen.objects.iter().all(|&o| o == 0));
        assert!(seen.depth.iter().all(|&d| d == f32::INFINITY));
        assert_eq!(seen.colour(5, 5), Daylight::default().horizon);
    }
}

#[test]
fn a_body_that_is_nowhere_hides_nothing() {
    let mut builder = StageBuilder::new();
    builder.ground(Paint::plain([90, 140, 60]), 1);
    let paint = Paint::plain([200, 0, 0]);
    let ball = builder.body(StageShape::Ball { radius: 1.0, paint }, StagePose::IDENTITY, 2);
    let cube = builder.body(
        StageShape::Solid(Arc::new(Solid::cuboid([1.0; 3], paint))),
        StagePose::upright(6.0, 0.0, 0.5, 0.0),
        3,
    );
    let mut stage = builder.build();
    stage.set_pose(ball, StagePose::upright(f64::NAN, 0.0, 1.0, 0.0));
    let eye = camera(StagePose::upright(0.0, 0.0, 0.5, 0.0));
    let seen = see(&stage, eye);
    assert_eq!(seen.object(160, 120), 3);
    assert!(!seen.objects.contains(&2));
    stage.set_shown(cube, false);
    assert!(!see(&stage, eye).objects.contains(&3));
}

/// Numbers of all sizes, and those that are none.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -5.0..5.0_f64,
        1 => prop::sample::select(vec![
            0.0, -0.0, 1e-300, 1e-9, 1e9, -1e9, 1e300, f64::NAN, f64::INFINITY, f64::MIN, 0.02, 0.5,
        ]),
        1 => any::<f64>(),
    ]
}

fn pose() -> impl Strategy<Value = StagePose> {
    let angles = prop::array::uniform3(number()).prop_map(|a| a);
    let quaternion = prop::array::uniform4(number());
    (prop::array::uniform3(number()), angles, quaternion, any::<bool>()).prop_map(
        |(position, [yaw, pitch, roll], quaternion, angles)| {
            if angles {
                StagePose::from_angles(position, yaw, pitch, roll)
            } else {
                StagePose::from_quaternion(position, quaternion)
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn absurd_stages_never_panic(
        (eye, others) in (pose(), prop::collection::vec(pose(), 5)),
        sizes in prop::array::uniform8(number()),
        daylight in prop::array::uniform8(number()),
        (width, height) in (1..70_u32, 1..50_u32),
        (fov, near) in (0.01..3.0_f64, 1e-4..10.0_f64),
        (shadows, supersample) in any::<(bool, bool)>(),
    ) {
        let mut builder = StageBuilder::new();
        let brick = builder.pattern(rolima_render::Pattern::Checker).unwrap();
        let paint = Paint::textured(brick, sizes[0]).glossy(sizes[1]);
        builder.ground(paint, 1);
        builder.daylight(Daylight {
            towards_sun: [daylight[0], daylight[1], daylight[2]],
            sun: [daylight[3]; 3],
            ambient: [daylight[4]; 3],
            half_fade_m: daylight[5],
            ..Daylight::default()
        });
        builder.wall([sizes[0], sizes[1]], [sizes[2], sizes[3]], sizes[4], sizes[5], paint, 2);
        builder.fixed(Solid::cylinder(sizes[0], sizes[6], paint), &others[0], 3);
        builder.paint_line([sizes[3], sizes[4]], [sizes[5], sizes[6]], sizes[7], paint, 4);
        builder.paint_disc([sizes[1], sizes[2]], sizes[3], paint, 4);
        let cuboid = Arc::new(Solid::cuboid([sizes[0], sizes[1], sizes[2]], paint));
        builder.body(StageShape::Solid(cuboid), others[1], 5);
        builder.body(StageShape::Ball { radius: sizes[7], paint }, others[2], 6);
        builder.body(StageShape::Ball { radius: 0.5, paint }, others[3], 7);
        builder.body(
            StageShape::Solid(Arc::new(Solid::wheel(sizes[3], sizes[4], paint, paint))),
            others[4],
            8,
        );
        let lens = Lens { width, height, horizontal_fov: fov, vertical_fov: fov, near };
        let quality = Quality { shadows, supersample };
        let seen = see(&builder.build(), Camera { lens, pose: eye, quality });
        prop_assert!(seen.depth.iter().all(|&d| d > 0.0), "depths are numbers");
    }
}
