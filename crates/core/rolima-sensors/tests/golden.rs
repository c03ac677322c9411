//! Golden hashes: the same distances to the bit on every machine and build, in vectors of any
//! width. `golden.txt` holds lines `name hash`. After a change that is meant, mint them anew:
//!
//! ```text
//! ROLIMA_MINT=1 cargo test --release --package rolima-sensors --test golden
//! ```

use rolima_math::{Hash64, Pose2, Stream, Vec2};
use rolima_model::{BodyId, Part, Shape};
use rolima_sensors::bench::LidarWork;
use rolima_sensors::mazes::Maze;
use rolima_sensors::rays::{Outline, Placed, Plane, ScanScratch, VerticalProfile};
use rolima_sensors::sensors::{Lidar, LidarSpec, RangeView, Sonar, SonarSpec};
use std::fmt::Write;

const GOLDEN: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");

/// Noisy scans and sonar readings of robots among robots and balls in a maze.
fn crowd(scratch: &mut ScanScratch) -> u64 {
    let maze = Maze::perfect(2, 12, 1.2, 0.1);
    let body = Part::Box { pose: Pose2::IDENTITY, half: Vec2::new(0.2, 0.15) };
    let ball = Part::Circle { center: Vec2::ZERO, radius: 0.25 };
    let outlines = [
        Outline::new(&Shape::from_parts(vec![body]), VerticalProfile::up_to(0.4)),
        Outline::new(&Shape::from_parts(vec![ball]), VerticalProfile::Balls),
    ];
    let mut plane = Plane::new(0.3, maze.walls.iter().map(|w| (w, 2.0)), &outlines);
    let mut random = Stream::new(3, 0, "crowd");
    let mut hash = Hash64::default();
    let spec = LidarSpec { sigma: 0.02, ..LidarSpec::evenly(181, 4.0) };
    let mut lidar = Lidar::new(spec, 1, 0, "lidar").expect("a good spec");
    let mut sonar = Sonar::new(SonarSpec::default(), 1, 0, "sonar").expect("a good spec");
    for _ in 0..20 {
        let placed: Vec<Placed> = (0..80)
            .map(|number| {
                let at = maze.free_place(&mut random);
                let pose = Pose2::new(at.x, at.y, random.between(-3.0, 3.0));
                Placed { body: BodyId(number), outline: number % 2, pose }
            })
            .collect();
        plane.place(placed.iter().copied());
        for body in placed.iter().step_by(8) {
            let view =
                RangeView { plane: &plane, world_from_robot: body.pose, own: Some(body.body) };
            let mut out = [0.0; 181];
            lidar.measure(view, scratch, &mut out);
            out.iter().for_each(|&d| hash.number(d));
            sonar.measure(view, &mut out[..16]);
            out[..16].iter().for_each(|&d| hash.number(d));
        }
    }
    hash.finish()
}

#[test]
fn scans_have_the_golden_hashes() {
    let mut work = LidarWork::new(1);
    let mut new = String::from("# name hash; tests/golden.rs says how to mint them\n");
    writeln!(new, "single {:016x}", work.single(1).hash).unwrap();
    for beams in [36, 180, 1080] {
        writeln!(new, "scan-{beams} {:016x}", work.scans(beams, 1).hash).unwrap();
    }
    writeln!(new, "crowd {:016x}", crowd(&mut ScanScratch::default())).unwrap();
    if std::env::var_os("ROLIMA_MINT").is_some() {
        std::fs::write(GOLDEN, &new).unwrap();
        return;
    }
    let old = std::fs::read_to_string(GOLDEN).unwrap_or_default();
    assert_eq!(new, old, "if the change is meant, mint the hashes anew");
}
