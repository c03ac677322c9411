//! Where things are in the picture, and how far away.

use crate::common;

use common::{camera, see};
use rolima_render::{Paint, Solid, Stage, StageBuilder, StagePose, StageShape};
use std::sync::Arc;

const WHITE: Paint = Paint::plain([255; 3]);

fn one(solid: Solid, pose: StagePose) -> Stage {
    let mut builder = StageBuilder::new();
    builder.ground(Paint::plain([90, 140, 60]), 1);
    builder.fixed(solid, &pose, 7);
    builder.build()
}

/// A square of side s at distance d covers s / d / (2 tan(fov / 2)) of the picture.
#[test]
fn a_square_covers_the_pixels_that_it_should_to_half_a_pixel() {
    for (side, distance, y, z) in
        [(1.0, 3.0, 0.0, 5.0), (0.37, 2.1, 0.4, 5.3), (2.0, 9.0, -1.5, 6.0), (0.05, 0.4, 0.02, 5.0)]
    {
        let stage = one(
            Solid::cuboid([0.2, side, side], WHITE),
            StagePose::upright(distance + 0.1, y, z, 0.0),
        );
        let seen = see(&stage, camera(StagePose::upright(0.0, 0.0, 5.0, 0.0)));
        let lens = seen.camera.lens;
        let fx = f64::from(lens.width) / 2.0 / rolima_math::tan(lens.horizontal_fov / 2.0);
        let fy = f64::from(lens.height) / 2.0 / rolima_math::tan(lens.vertical_fov / 2.0);
        let column = |y: f64| 160.0 - y / distance * fx;
        let row = |z: f64| 120.0 - (z - 5.0) / distance * fy;
        let expected = [
            column(y + side / 2.0),
            column(y - side / 2.0),
            row(z + side / 2.0),
            row(z - side / 2.0),
        ];
        let inside = |x: usize, y: usize| {
            let depth = seen.depth(x, y);
            seen.object(x, y) == 7 && (depth - distance).abs() < 1e-3
        };
        let columns: Vec<usize> = (0..320).filter(|&x| (0..240).any(|y| inside(x, y))).collect();
        let rows: Vec<usize> = (0..240).filter(|&y| (0..320).any(|x| inside(x, y))).collect();
        let got = [columns[0], columns[columns.len() - 1] + 1, rows[0], rows[rows.len() - 1] + 1];
        for i in 0..4 {
            let error = got[i] as f64 - expected[i];
            assert!(
                error.abs() <= 0.51,
                "{side} m at {distance} m: {got:?}, expected {expected:?}"
            );
        }
    }
}

#[test]
fn the_depth_of_a_slanted_wall_and_of_the_ground_is_the_closed_form() {
    let stage = one(Solid::wall([4.0, -30.0], [12.0, 30.0], 0.2, 3.0, WHITE), StagePose::IDENTITY);
    for pose in [
        StagePose::upright(0.0, 0.0, 0.8, 0.3),
        StagePose::from_angles([-1.0, 2.0, 1.1], -0.2, 0.25, 0.4),
    ] {
        let seen = see(&stage, camera(pose));
        let normal = [-60.0, 8.0, 0.0].map(|x: f64| x / (60.0_f64 * 60.0 + 64.0).sqrt());
        // The face that looks here is half a thickness before the middle line.
        let offset = normal[0] * 4.0 + normal[1] * -30.0 + 0.1;
        let [px, py, pz] = pose.position;
        let mut checked = [0; 2];
        for row in 0..240 {
            for column in 0..320 {
                let [x, y, z] = seen.ray(column as f64 + 0.5, row as f64 + 0.5);
                let expected = match seen.object(column, row) {
                    1 => -pz / z,
                    7 => {
                        (offset - normal[0] * px - normal[1] * py) / (normal[0] * x + normal[1] * y)
                    }
                    _ => continue,
                };
                let got = seen.depth(column, row);
                let wall_top = seen.object(column, row) == 7 && pz + z * got > 2.99;
                if !wall_top {
                    let error = (got - expected).abs() / expected;
                    assert!(error < 2e-5, "{column} {row}: {got} m, expected {expected} m");
                    checked[usize::from(seen.object(column, row) == 7)] += 1;
                }
            }
        }
        assert!(checked[0] > 5_000 && checked[1] > 5_000, "{checked:?}");
    }
}

#[test]
fn the_depth_of_a_ball_is_the_closed_form() {
    let mut builder = StageBuilder::new();
    let centre = [4.0, 0.7, 0.9];
    let pose = StagePose { position: centre, ..StagePose::IDENTITY };
    builder.body(StageShape::Ball { radius: 0.6, paint: WHITE }, pose, 5);
    let eye = StagePose::from_angles([0.1, 0.0, 1.0], 0.1, 0.05, 0.2);
    let seen = see(&builder.build(), camera(eye));
    let mut checked = 0;
    for row in 0..240 {
        for column in 0..320 {
            let d = seen.ray(column as f64 + 0.5, row as f64 + 0.5);
            let o: [f64; 3] = std::array::from_fn(|i| eye.position[i] - centre[i]);
            let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            let under = dot(o, d) * dot(o, d) - dot(d, d) * (dot(o, o) - 0.36);
            assert_eq!(seen.object(column, row) == 5, under >= 0.0, "{column} {row} {under}");
            if under > 0.0 {
                let expected = (-dot(o, d) - under.sqrt()) / dot(d, d);
                assert!((seen.depth(column, row) - expected).abs() < 1e-3 * expected);
                checked += 1;
            }
        }
    }
    assert!(checked > 3_000);
}

#[test]
fn the_sky_is_infinitely_far_and_has_no_object() {
    let seen = see(&StageBuilder::new().build(), camera(StagePose::IDENTITY));
    assert!(seen.depth.iter().all(|&d| d == f32::INFINITY));
    assert!(seen.objects.iter().all(|&o| o == 0));
}

/// A closed box around the camera: whatever is cut off at the near plane, no pixel shows the sky.
#[test]
fn geometry_that_the_near_plane_cuts_has_no_holes() {
    let mut builder = StageBuilder::new();
    let mut random = rolima_math::Stream::new(3, 0, "near");
    // Six slabs, each reaching through the neighbours, split into many triangles.
    let n = 9;
    for axis in 0..3 {
        for sign in [-1.0, 1.0] {
            let mut vertices = Vec::new();
            for i in 0..=n {
                for j in 0..=n {
                    let inner = i > 0 && i < n && j > 0 && j < n;
                    let shift = |random: &mut rolima_math::Stream| {
                        if inner { random.between(-0.3, 0.3) / f64::from(n) } else { 0.0 }
                    };
                    let u = f64::from(i) / f64::from(n) * 2.0 - 1.0 + shift(&mut random);
                    let v = f64::from(j) / f64::from(n) * 2.0 - 1.0 + shift(&mut random);
                    let mut p = [0.0; 3];
                    (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (sign, u, v);
                    vertices.push(p);
                }
            }
            let at = |i: i32, j: i32| (i * (n + 1) + j) as u32;
            let mut triangles = Vec::new();
            for i in 0..n {
                for j in 0..n {
                    let (a, b, c, d) = (at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1));
                    // Seen from inside.
                    triangles.extend(
                        [[a, d, c], [a, c, b]].map(
                            |[p, q, r]| {
                                if sign > 0.0 { [p, q, r] } else { [p, r, q] }
                            },
                        ),
                    );
                }
            }
            let slab = Solid::triangles(vertices, &triangles, WHITE).unwrap();
            builder.fixed(slab, &StagePose::IDENTITY, 4);
        }
    }
    let stage = builder.build();
    let mut renderer = rolima_render::Renderer::new();
    let mut objects = vec![0; 320 * 240];
    for case in 0..300 {
        let mut at = || random.between(-0.985, 0.985);
        let position = [at(), at(), at()];
        let pose = StagePose::from_angles(position, 3.0 * at(), 1.5 * at(), 3.0 * at());
        let pictures =
            rolima_render::Pictures { objects: Some(&mut objects), ..Default::default() };
        // Nearer than the walls at the sides can come, so that nothing may be missing.
        let mut camera = camera(pose);
        camera.lens.near = 0.004;
        renderer.draw(&stage, &camera, pictures).unwrap();
        let holes = objects.iter().filter(|&&o| o != 4).count();
        assert_eq!(holes, 0, "case {case}: {pose:?}");
    }
}

/// Two halves of a tilted square with a common edge: together they show what the whole shows.
#[test]
fn halves_show_together_what_the_whole_shows() {
    let corners = vec![[2.0, -1.0, -0.7], [3.5, 1.2, -0.9], [3.9, 1.0, 1.1]];
    let fourth: [f64; 3] = std::array::from_fn(|i| corners[0][i] + corners[2][i] - corners[1][i]);
    let all = [corners, vec![fourth]].concat();
    let stage = |triangles: &[[u32; 3]]| {
        let mut builder = StageBuilder::new();
        let both: Vec<[u32; 3]> =
            triangles.iter().flat_map(|&[a, b, c]| [[a, b, c], [a, c, b]]).collect();
        let solid = Solid::triangles(all.clone(), &both, WHITE).unwrap();
        builder.body(StageShape::Solid(Arc::new(solid)), StagePose::IDENTITY, 3);
        builder.build()
    };
    let count = |stage: &Stage| see(stage, camera(StagePose::IDENTITY)).objects;
    let (one, other) = (count(&stage(&[[0, 1, 2]])), count(&stage(&[[0, 2, 3]])));
    let whole = count(&stage(&[[0, 1, 2], [0, 2, 3]]));
    for i in 0..whole.len() {
        assert!(one[i] == 0 || other[i] == 0, "pixel {i} belongs to both");
        assert_eq!(whole[i], one[i] + other[i], "pixel {i}");
    }
    assert!(whole.iter().filter(|&&o| o == 3).count() > 5_000);
}
