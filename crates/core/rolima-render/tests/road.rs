//! The road follower of the thesis finds the road in the picture.

use crate::common;

use common::{Seen, camera, see};
use rolima_render::StagePose;
use rolima_render::scenes::{RoadWorld, hills, hills_terrain, road, road_line};

/// The thesis's mask: hue 0 to 255, saturation 0 to 90, value 0 to 180, on a scale of 0 to 255.
fn is_grey([r, g, b]: [u8; 3]) -> bool {
    let (low, high) = (f64::from(r.min(g).min(b)), f64::from(r.max(g).max(b)));
    let saturation = if high > 0.0 { (high - low) / high * 255.0 } else { 0.0 };
    saturation <= 90.0 && high <= 180.0
}

/// How much mask and road share; what has a number from `end` on is left out.
fn overlap(seen: &Seen, end: u32) -> f64 {
    let (mut both, mut either) = (0.0, 0.0);
    let pixels = seen.rgb.chunks_exact(3).zip(&seen.objects);
    for (pixel, &object) in pixels.filter(|(_, object)| **object < end) {
        let (mask, truth) = (is_grey([pixel[0], pixel[1], pixel[2]]), object == RoadWorld::ROAD);
        both += f64::from(mask && truth);
        either += f64::from(mask || truth);
    }
    both / either
}

#[test]
fn the_mask_of_the_thesis_agrees_with_the_road_all_the_way_round() {
    let stage = road(1).unwrap();
    let line = road_line();
    let mut worst = 1.0;
    for i in (0..line.len()).step_by(5) {
        let (a, b) = (line[i], line[(i + 1) % line.len()]);
        let heading = rolima_math::atan2(b[1] - a[1], b[0] - a[0]);
        for (shadows, supersample) in [(false, false), (true, false), (true, true)] {
            let mut camera = camera(StagePose::upright(a[0], a[1], 0.55, heading));
            (camera.quality.shadows, camera.quality.supersample) = (shadows, supersample);
            let iou = overlap(&see(&stage, camera), u32::MAX);
            assert!(iou >= 0.95, "point {i}, {:?}: {iou}", camera.quality);
            worst = if iou < worst { iou } else { worst };
        }
    }
    println!("worst overlap {worst:.4}");
}

/// Over hills the road bends up and down, and its paint lies on the ground.
#[test]
fn the_mask_agrees_with_the_road_over_hills_as_well() {
    let (stage, terrain, line) = (hills(1).unwrap(), hills_terrain(1), road_line());
    let mut worst = 1.0;
    for i in (0..line.len()).step_by(5) {
        let (a, b) = (line[i], line[(i + 1) % line.len()]);
        let heading = rolima_math::atan2(b[1] - a[1], b[0] - a[0]);
        let height = terrain.height(a[0], a[1]) + 0.55;
        for (shadows, supersample) in [(false, false), (true, false), (true, true)] {
            let mut camera = camera(StagePose::upright(a[0], a[1], height, heading));
            (camera.quality.shadows, camera.quality.supersample) = (shadows, supersample);
            let seen = see(&stage, camera);
            let near = seen.objects[200 * 320..].iter().filter(|&&o| o == RoadWorld::ROAD).count();
            // There are 12,800 pixels in these rows; a robot stands before some of the road.
            assert!(near > 2_000, "point {i}: the road lies before the camera: {near}");
            // Robots are partly as grey as the road that they stand on.
            let iou = overlap(&seen, RoadWorld::FIRST_THING + 160);
            assert!(iou >= 0.95, "point {i}, {:?}: {iou}", camera.quality);
            worst = if iou < worst { iou } else { worst };
        }
    }
    println!("worst overlap {worst:.4}");
}

/// The follower itself: the mean column of the mask in rows 150 to 160 leads along the road.
#[test]
fn a_robot_that_steers_by_the_mask_stays_on_the_road() {
    let stage = road(1).unwrap();
    let line = road_line();
    let (mut x, mut y, mut heading, mut farthest) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    let mut laps = 0.0;
    let step_s = 1.0 / 30.0;
    for _ in 0..5_400 {
        let seen = see(&stage, camera(StagePose::upright(x, y, 0.55, heading)));
        let (mut sum, mut count) = (0.0, 0.0);
        for row in 150..=160 {
            for column in 0..320 {
                if is_grey(seen.colour(column, row)) {
                    sum += column as f64 + 1.0;
                    count += 1.0;
                }
            }
        }
        assert!(count > 0.0, "no road at {x} {y}");
        let omega = 0.6 * rolima_math::atan2(160.0 - sum / count, 80.0);
        heading += omega * step_s;
        let (s, c) = rolima_math::sin_cos(heading);
        (x, y) = (x + 2.0 * c * step_s, y + 2.0 * s * step_s);
        laps += omega * step_s / (2.0 * std::f64::consts::PI);
        let off = line.iter().map(|p| (p[0] - x) * (p[0] - x) + (p[1] - y) * (p[1] - y));
        farthest = farthest.max(off.fold(f64::INFINITY, f64::min).sqrt());
    }
    assert!(laps > 1.0, "{laps} laps");
    assert!(farthest < 2.5, "{farthest} m off the middle");
}
