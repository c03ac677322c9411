//! Stages for benchmarks, golden tests and pictures in documents.

mod bench;
mod golden;
mod hills;
mod maze;
mod road;

pub use bench::{CameraBench, bench_scene, hills_bench_scene};
pub use golden::{GOLDENS, golden};
pub use hills::{hills, hills_terrain};
pub use maze::{maze, maze_walls};
pub use road::{RoadWorld, road, road_line};

use crate::{Paint, Solid, StagePose};

/// A robot like the thesis's: 1.0 x 0.7 x 0.4 m, wheels of 0.2 m, a lidar on top; its origin is on
/// the ground between the wheels.
pub fn robot_one(body: Paint) -> Solid {
    let (black, grey) = (Paint::plain([32, 32, 36]), Paint::plain([150, 152, 158]));
    let outline = [
        [0.50, -0.12],
        [0.50, 0.12],
        [0.36, 0.26],
        [-0.36, 0.26],
        [-0.50, 0.14],
        [-0.50, -0.14],
        [-0.36, -0.26],
        [0.36, -0.26],
    ];
    let at = |x: f64, y: f64, z: f64| StagePose::upright(x, y, z, 0.0);
    let wheel = Solid::wheel(0.20, 0.08, black, grey);
    let caster = Solid::wheel(0.08, 0.05, black, grey);
    Solid::prism(&outline, 0.10, 0.34, body)
        .unwrap_or_default()
        .with(&Solid::prism(&outline, 0.34, 0.36, black).unwrap_or_default(), &StagePose::IDENTITY)
        .with(&wheel, &at(0.0, 0.31, 0.20))
        .with(&wheel, &at(0.0, -0.31, 0.20))
        .with(&caster, &at(-0.38, 0.0, 0.08))
        .with(&Solid::cylinder(0.10, 0.08, Paint::plain([40, 70, 130])), &at(0.25, 0.0, 0.40))
        .with(&Solid::cylinder(0.06, 0.05, black), &at(0.25, 0.0, 0.465))
}
