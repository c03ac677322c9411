//! What `run` makes of a map, and how its time goes with programs.

use super::{Folder, address_of, connect, start};
use crate::common::{output, stderr};
use rolima_robotone::{Dialect, RobotOne};

/// A run in step with its programs, and one of them.
fn in_step(arguments: &[&str]) -> (super::Running, RobotOne) {
    let usual = ["--headless", "--robotone-step", "--robotone-listen", "127.0.0.1:0"];
    let (running, said) = start(&[&["run"], arguments, &usual[..]].concat(), "programs: ");
    let address = address_of(said.last().expect("a line"), "thesis");
    (running, connect(&address, Dialect::Thesis))
}

/// Simulated time after so many waits, s, and the sum of what they gave.
fn time_after(robot: &mut RobotOne, waits: usize) -> [f32; 2] {
    let sum: f64 = (0..waits).map(|_| f64::from(robot.wait().expect("a cycle"))).sum();
    [robot.get("Time").expect("a time"), sum as f32]
}

#[test]
fn sixty_waits_are_a_second_whatever_the_step() {
    for step_s in ["0.001", "0.0007", "0.005", "0.02"] {
        let (_running, mut robot) = in_step(&["maze", "--set", &format!("sim.step_s={step_s}")]);
        // A step longer than a cycle has one cycle a step.
        let step: f32 = step_s.parse().expect("a number");
        let cycle = step.max(1.0 / 60.0);
        for time_s in time_after(&mut robot, 600) {
            assert!((time_s - 600.0 * cycle).abs() < step, "{time_s} s in steps of {step_s} s");
        }
    }
    // To the millisecond where a second is a whole number of steps, also in another world.
    let (_running, mut robot) = in_step(&["maze"]);
    assert_eq!(time_after(&mut robot, 600)[0], 10.0);
    robot.set("World.Mode", 0.0).expect("the realistic world");
    let before = robot.get("Time").expect("a time");
    let after = time_after(&mut robot, 60)[0];
    assert!((after - before - 1.0).abs() < 1e-3, "{before} s to {after} s");
}

#[test]
fn a_map_without_a_robot_has_one_at_the_origin() {
    let folder = Folder::new("no-robot");
    let file = folder.file("walls.txt");
    std::fs::write(&file, "W 4 -5 4 5").expect("a map");
    let file = file.to_str().expect("a path");
    let (running, mut robot) = in_step(&["--maze", file, "--json", "--log", &log(&folder)]);
    assert_eq!(robot.pose().expect("a pose"), [0.0; 3]);
    robot.set_velocity([1.0, 0.0]).expect("it drives");
    time_after(&mut robot, 60);
    assert!(robot.pose().expect("a pose")[0] > 0.5);
    // One that a program sends, too; and a log of it all is done again.
    robot.load_maze(b"W 3 -5 3 5").expect("a map");
    robot.set_velocity([1.0, 0.0]).expect("it drives");
    time_after(&mut robot, 30);
    drop(robot);
    let (status, _) = running.stop();
    assert!(status.success(), "{status}");
    let told = output(&["check", "--maze", file]);
    assert!(stderr(&told).contains("one is put at the origin"), "{}", stderr(&told));
    // The log has the maps in it.
    std::fs::remove_file(file).expect("the map");
    let again = output(&["replay", &log(&folder), "--headless"]);
    assert!(again.status.success(), "{}", stderr(&again));
}

fn log(folder: &Folder) -> String {
    folder.file("log.jsonl").to_string_lossy().into_owned()
}

#[test]
fn what_is_set_changes_the_robots_of_a_maze() {
    let folder = Folder::new("set-maze");
    let file = folder.file("hall.txt");
    std::fs::write(&file, "W 90 -5 90 5\nR 1 0\n").expect("a map");
    let file = file.to_str().expect("a path");
    let (_running, mut robot) = in_step(&["--maze", file, "--set", "robot.0.servo.max_speed=0.5"]);
    robot.set_velocity([3.0, 0.0]).expect("it drives");
    time_after(&mut robot, 120);
    let x = robot.pose().expect("a pose")[0];
    assert!(x > 1.8 && x < 2.0, "{x} m after 2 s at 0.5 m/s");
    let (_running, mut pioneer) = in_step(&["--maze", file, "--set", "robot=pioneer-p3dx"]);
    pioneer.set_velocity([5.0, 0.0]).expect("it drives");
    time_after(&mut pioneer, 300);
    let x = pioneer.pose().expect("a pose")[0];
    assert!(x > 4.0 && x < 7.1, "{x} m after 5 s at 1.2 m/s");
}
