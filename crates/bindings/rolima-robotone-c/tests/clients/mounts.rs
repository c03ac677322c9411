//! Scans of a lidar that is neither in its robot's middle nor looks ahead, in all languages: their
//! points are in the robot's frame, so that with its pose they lie on the walls.

use super::octave::Octave;
use super::simulator::Simulator;
use super::{Folder, c, python, run};
use std::process::Command;

/// A hall whose corners are told apart, and in it two robots, neither at the origin nor along an axis:
/// one with its lidar ahead, to the right and turned to the left, the other as it is built.
const HALL: &str = r#"
title = "A hall, and lidars on the sides of robots"

[[wall]]
kind = "rectangle"
min = [-2.5, -2.0]
max = [3.5, 4.0]
height = 2.0

[[robot]]
name = "turned"
preset = "robot-one"
pose = [0.5, 0.25, 25]
driver = { kind = "none" }

[[robot]]
name = "as-built"
preset = "robot-one"
pose = [1.0, 2.75, -160]
driver = { kind = "none" }
"#;

/// Where the first robot has its lidar: m, m and degrees.
const MOUNT: &str = "robot.0.sensor.2.pose=[0.3,-0.25,40]";

fn hall(folder: &Folder) -> Simulator {
    let file = folder.file("hall.toml");
    std::fs::write(&file, HALL).expect("a scene");
    Simulator::start_with(file.to_str().expect("a path"), &[MOUNT.to_owned()])
}

/// The program prints where the beams of both robots ended in the world, a line for each: robot, x, y.
#[track_caller]
fn lie_on_walls(simulator: &Simulator, mut program: Command, install: &str) {
    simulator.reach(&mut program);
    let text = run(&mut program, install);
    let mut counts = [[0; 4]; 2];
    for line in text.lines() {
        let numbers: Vec<f64> = line.split(' ').map(|word| word.parse().expect(line)).collect();
        let [robot, x, y] = numbers[..] else { panic!("expected robot, x, y, got `{line}`") };
        let away = [x + 2.5, 3.5 - x, y + 2.0, 4.0 - y];
        let nearest = (0..4).min_by(|a, b| away[*a].abs().total_cmp(&away[*b].abs()));
        let wall = nearest.expect("one of four");
        // The other robot stands in the way of some beams.
        let is_on = away[wall].abs() < 1e-3;
        let is_inside = away.iter().all(|away| *away > -1e-3);
        assert!(is_inside, "{line} is outside of the hall");
        counts[robot as usize][wall] += usize::from(is_on);
    }
    for (robot, counts) in counts.iter().enumerate() {
        let walls = counts.iter().filter(|count| **count > 0).count();
        assert!(
            counts.iter().sum::<usize>() >= 26 && walls >= 3,
            "robot {robot}: {counts:?}\n{text}"
        );
    }
}

#[test]
fn points_of_a_lidar_on_the_robots_side_lie_on_the_walls_in_python() {
    let folder = Folder::new("mounts-python");
    let mut program = python::plain();
    program.arg(c::own("mounts.py"));
    lie_on_walls(&hall(&folder), program, "Python with numpy");
}

#[test]
fn points_of_a_lidar_on_the_robots_side_lie_on_the_walls_in_octave() {
    let folder = Folder::new("mounts-octave");
    let octave = Octave::new("mex-points_of_a_lidar_on_the_robots_side");
    let simulator = hall(&folder);
    let mut program = octave.in_simulator(&simulator);
    program.arg(c::own("mounts.m"));
    lie_on_walls(&simulator, program, "Octave");
}

#[test]
fn points_of_a_lidar_on_the_robots_side_lie_on_the_walls_in_c() {
    let folder = Folder::new("mounts-c");
    let program = Command::new(c::compile(&folder, &c::own("mounts.c")));
    lie_on_walls(&hall(&folder), program, "gcc");
}
