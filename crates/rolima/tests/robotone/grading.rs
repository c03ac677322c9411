//! Graded programs.

use super::{Folder, example};
use crate::common::{output, stderr, stdout};
use rolima_testing::is_long;
use serde_json::Value;
use std::path::Path;

/// The verdict on a program, and whether the exit code agrees.
fn grade(arguments: &[&str]) -> Value {
    let output = output(&[&["grade"], arguments, &["--json"]].concat());
    let text = stdout(&output);
    let verdict: Value = serde_json::from_str(text.lines().last().unwrap_or_default())
        .unwrap_or_else(|error| panic!("{error}: {text} {}", stderr(&output)));
    assert_eq!(output.status.success(), verdict["passed"] == true, "{verdict}");
    verdict
}

#[test]
fn the_pid_square_ends_within_5_cm_of_its_last_corner_in_under_60_seconds() {
    let program = example("pid_square.py");
    let asked = ["maze", "--program", &program, "--goal", "0,10", "--within", "60"];
    let asked = [&asked[..], &["--tolerance", "0.05"]].concat();
    let verdict = grade(&asked);
    assert_eq!(verdict["passed"], true, "{verdict}");
    // The same program, the same bits.
    assert_eq!(verdict, grade(&asked));
}

#[test]
fn the_road_follower_drives_a_lap_by_what_the_camera_sees() {
    // Back to where it came from, after the other side of the road.
    let program = example("road_follower.py 200 > /dev/stderr; echo $?");
    let output =
        output(&["grade", "road", "--program", &program, "--goal", "500,0", "--within", "250"]);
    let said = stderr(&output);
    assert!(said.contains("a lap in 14"), "{said} {}", stdout(&output));
}

#[test]
fn the_road_follower_drives_over_the_hills_of_the_realistic_world() {
    // Along the first straight and around half of the first bend, some 77 m.
    let program = example("road_follower.py 60");
    let asked = ["realistic", "--program", &program, "--goal", "75.6,6.4", "--within", "60"];
    let verdict = grade(&[&asked[..], &["--tolerance", "1.5"]].concat());
    assert_eq!(verdict["passed"], true, "{verdict}");
    if is_long() {
        the_road_follower_drives_a_lap_of_the_realistic_world();
    }
}

fn the_road_follower_drives_a_lap_of_the_realistic_world() {
    let program = example("road_follower.py 250 > /dev/stderr; echo $?");
    let arguments =
        ["grade", "realistic", "--program", &program, "--goal", "500,0", "--within", "300"];
    let output = output(&arguments);
    let said = stderr(&output);
    assert!(said.contains("a lap in 1"), "{said} {}", stdout(&output));
}

#[test]
fn failures_are_told_with_their_reasons() {
    let reason = |program: &str, more: &[&str]| {
        let usual = ["maze", "--program", program, "--goal", "0,10", "--within", "5"];
        let verdict = grade(&[&usual, more].concat());
        assert_eq!(verdict["passed"], false, "{verdict}");
        verdict["reason"].as_str().expect("a reason").to_owned()
    };
    let square = example("pid_square.py");
    assert!(reason(&square, &[]).starts_with("the robot was not at (0, 10) within 5 s"));
    let broken = reason("exit 3", &[]);
    assert!(broken.contains("broke off (exit status: 3)") && broken.contains("never connected"));
    assert!(reason("true", &[]).contains("the program ended after 0.0 s, and never connected"));
    assert!(reason("no-such-program", &[]).contains("(exit status: 127)"));
    let hangs = reason("sleep 600", &["--patience", "0.5"]);
    assert!(hangs.starts_with("the program ran for 0.5 s and never connected"), "{hangs}");
    // It connects, and waits for itself alone.
    let idle = "bash -c 'exec 3<>/dev/tcp/127.0.0.1/$ROBOTONE_PORT; sleep 600'";
    assert!(reason(idle, &["--patience", "5"]).contains("waitRobotOne"));
    assert!(reason("kill -SEGV $$", &[]).contains("broke off (signal: 11"));
    let wrong = output(&["grade", "maze", "--program", "true", "--goal", "1", "--within", "5"]);
    assert_eq!(wrong.status.code(), Some(2));
    let started = ["grade", "maze", "--program", "true", "--goal", "0,0.2", "--within", "5"];
    let wrong = output(&started);
    assert_eq!(wrong.status.code(), Some(2), "{}", stdout(&wrong));
    assert!(stderr(&wrong).contains("--goal: expected a place farther"), "{}", stderr(&wrong));
    let goal = ["--goal", "1,2", "--within", "5", "--robot", "1"];
    let wrong = output(&[&["grade", "maze", "--program", "true"], &goal[..]].concat());
    assert_eq!(
        (wrong.status.code(), stderr(&wrong).contains("there are 1 robots")),
        (Some(2), true)
    );
}

#[test]
fn graded_robots_have_to_drive() {
    let grade_with = |script: &str, more: &[&str]| {
        let program = example(&format!("-c 'from robotone import *; {script}'"));
        let usual = ["maze", "--program", &program, "--goal", "0,10", "--within", "5"];
        grade(&[&usual[..], more].concat())
    };
    let begin = r#"h = connectRobotOne("127.0.0.1");"#;
    // Errors of motion move robots too: small ones may be set, large ones not.
    let erring = r#"import sys
odometryStd(h, [0.001, 0])
try: odometryStd(h, [0.5, 0])
except RobotOneError: pass
waitRobotOne(h)
sys.exit({0.0: 5, 0.001: 6, 0.5: 7}.get(round(odometryStd(h)[0], 6), 8))"#;
    for (more, code) in [(&[][..], 6), (&["--anything-goes"][..], 7)] {
        let verdict = grade_with(&format!("{begin}{erring}"), more);
        let reason = verdict["reason"].as_str().expect("a reason");
        assert!(reason.contains(&format!("exit status: {code})")), "{verdict}");
    }
    for cheat in ["pose(h, [0, 10, 0])", r#"loadMaze(h, b"R 0 10\n")"#] {
        let script = format!("{begin} {cheat}; [waitRobotOne(h) for _ in range(20)]");
        let verdict = grade_with(&script, &[]);
        assert_eq!(verdict["passed"], false, "{cheat}: {verdict}");
    }
    // Unless the teacher lets them.
    let script = format!("{begin} pose(h, [0, 10, 0]); [waitRobotOne(h) for _ in range(20)]");
    assert_eq!(grade_with(&script, &["--anything-goes"])["passed"], true);
    // A world that starts over does not give its time back.
    let again =
        r#"[(loadMaze(h, b"R 0 0\n"), [waitRobotOne(h) for _ in range(60)]) for _ in range(99)]"#;
    let script = format!("{begin} {again}");
    let verdict = grade_with(&script, &["--anything-goes"]);
    let reason = verdict["reason"].as_str().expect("a reason");
    assert!(reason.starts_with("the robot was not at (0, 10) within 5 s"), "{verdict}");
}

/// A maze as a paint program saves it: black strokes and a red robot on white, 24 bits a pixel.
fn painted_maze(file: &Path) {
    const SIZE: usize = 240;
    let mut pixels = vec![[255u8; 3]; SIZE * SIZE];
    let mut paint = |from: [usize; 2], to: [usize; 2], colour: [u8; 3]| {
        for row in from[1]..to[1] {
            (from[0]..to[0]).for_each(|column| pixels[row * SIZE + column] = colour);
        }
    };
    let black = [0, 0, 0];
    // A pen of 120 pixels around the middle, open to the left below, and a wall within.
    paint([60, 60], [180, 64], black);
    paint([60, 60], [64, 180], black);
    paint([176, 60], [180, 180], black);
    paint([60, 176], [110, 180], black);
    paint([150, 176], [180, 180], black);
    paint([90, 90], [150, 94], black);
    // Blue, green, red.
    paint([114, 114], [126, 126], [0, 0, 255]);
    let bmp = rolima_testing::bmp(SIZE, SIZE, |x, y| pixels[y * SIZE + x]);
    std::fs::write(file, bmp).expect("a picture");
}

#[test]
fn a_robot_finds_its_way_out_of_a_maze_drawn_in_a_paint_program() {
    let folder = Folder::new("maze");
    let maze = folder.file("maze.bmp");
    painted_maze(&maze);
    let maze = maze.to_str().expect("a path");
    // Up in the picture is +x: the goal is above the pen.
    let verdict = grade(&[
        "--maze",
        maze,
        "--size",
        "24x24",
        "--program",
        &example("bug.py 9 0"),
        "--goal",
        "9,0",
        "--within",
        "300",
    ]);
    assert_eq!(verdict["passed"], true, "{verdict}");
}
