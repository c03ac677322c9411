//! Textures of rough ground: where their pixels lie, and how large they are.

use crate::common;

use common::see;
use rolima_render::{Camera, LandPaint, Lens, Quality, StageBuilder, StagePose, Texture};
use rolima_spatial::{Terrain, TerrainSpec};
use std::sync::Arc;

/// Quarters of a picture: upper left red, upper right green, lower left blue, lower right white.
fn quarters() -> Texture {
    let colour = |x: usize, y: usize| match (x < 128, y < 128) {
        (true, true) => [255.0, 0.0, 0.0],
        (false, true) => [0.0, 255.0, 0.0],
        (true, false) => [0.0, 0.0, 255.0],
        (false, false) => [255.0; 3],
    };
    Texture::from_function(colour)
}

#[test]
fn columns_run_along_x_and_rows_along_minus_y_in_metres() {
    let mut builder = StageBuilder::new();
    let id = builder.texture(quarters()).expect("a texture");
    // A copy is 4 m along x and 2 m along y.
    let paint = LandPaint { colour: Some([255; 3]), texture: Some((id, [4.0, 2.0])) };
    let terrain = Terrain::new(TerrainSpec::flat(40.0)).expect("a plane");
    builder.terrain(Arc::new(terrain), paint, 1);
    let stage = builder.build();
    // From above: the picture's up is x, its left is y.
    let pose = StagePose::from_angles([0.0, 0.0, 6.0], 0.0, std::f64::consts::FRAC_PI_2, 0.0);
    let lens = Lens { width: 160, height: 160, ..Lens::ROBOT_ONE };
    let seen = see(&stage, Camera { lens, pose, quality: Quality::default() });
    let mut looked = [0; 4];
    for row in 0..160 {
        for column in 0..160 {
            let way = seen.ray(column as f64 + 0.5, row as f64 + 0.5);
            let depth = seen.depth(column, row);
            let (x, y) = (way[0] * depth, way[1] * depth);
            let (u, v) = ((x / 4.0).rem_euclid(1.0), (-y / 2.0).rem_euclid(1.0));
            // Away from the edges, where a pixel shows one quarter only.
            let away = |t: f64| (0.04..0.46).contains(&(t % 0.5));
            if !away(u) || !away(v) {
                continue;
            }
            let quarter = usize::from(u >= 0.5) + 2 * usize::from(v >= 0.5);
            let [r, g, b] = seen.colour(column, row).map(|c| c > 100);
            let expected =
                [[true, false, false], [false, true, false], [false, false, true], [true; 3]];
            assert_eq!([r, g, b], expected[quarter], "at {x:.2} {y:.2}");
            looked[quarter] += 1;
        }
    }
    assert!(looked.iter().all(|&count| count > 1000), "{looked:?}");
}
