//! Programs of Robot One against the real program: graded runs, mazes from a paint program, the
//! thesis's case studies with real cameras, and a classroom.
#![cfg(unix)]

mod common;

use common::{output, rolima, stderr, stdout};
use rolima_robotone::{Dialect, Options, RobotOne};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// An example in Python as a command: with the Python of the tests, and our package.
fn example(arguments: &str) -> String {
    let place = repository().join("target/python/bin/python");
    let own = std::env::var_os("ROLIMA_PYTHON").map(PathBuf::from);
    let python = own.unwrap_or(if place.exists() { place } else { "python3".into() });
    let root = repository();
    let (root, python) = (root.display(), python.display());
    format!(
        "cd {root}/examples/python && PYTHONDONTWRITEBYTECODE=1 \
         PYTHONPATH={root}/clients/python {python} {arguments}"
    )
}

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
    let verdict = grade(&[
        "maze",
        "--program",
        &program,
        "--goal",
        "0,10",
        "--within",
        "60",
        "--tolerance",
        "0.05",
    ]);
    assert_eq!(verdict["passed"], true, "{verdict}");
    // The same program, the same bits.
    let again = grade(&[
        "maze",
        "--program",
        &program,
        "--goal",
        "0,10",
        "--within",
        "60",
        "--tolerance",
        "0.05",
    ]);
    assert_eq!(verdict, again);
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
fn the_road_follower_drives_a_lap_over_the_hills_of_the_realistic_world() {
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
    assert!(reason("exit 3", &[]).contains("broke off (exit status: 3)"));
    assert!(reason("true", &[]).contains("the program ended after 0.0 s"));
    assert!(reason("sleep 600", &["--patience", "0.5"]).contains("waitRobotOne"));
    let wrong = output(&["grade", "maze", "--program", "true", "--goal", "1", "--within", "5"]);
    assert_eq!(wrong.status.code(), Some(2));
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

/// A folder of a test's own, removed at its end.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
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
    let bytes = SIZE * SIZE * 3;
    let mut bmp = b"BM".to_vec();
    bmp.extend((54 + bytes as u32).to_le_bytes());
    bmp.extend([0, 0, 0, 0, 54, 0, 0, 0, 40, 0, 0, 0]);
    bmp.extend((SIZE as i32).to_le_bytes());
    bmp.extend((SIZE as i32).to_le_bytes());
    bmp.extend([1, 0, 24, 0, 0, 0, 0, 0]);
    bmp.extend((bytes as u32).to_le_bytes());
    bmp.extend([0; 16]);
    // The last row first.
    bmp.extend(pixels.chunks(SIZE).rev().flatten().flatten());
    std::fs::write(file, bmp).expect("a picture");
}

#[test]
fn a_robot_finds_its_way_out_of_a_maze_drawn_in_a_paint_program() {
    let folder = Folder(std::env::temp_dir().join(format!("rolima-{}-maze", std::process::id())));
    std::fs::create_dir_all(&folder.0).expect("a folder");
    let maze = folder.0.join("maze.bmp");
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

/// A program that runs until this is dropped.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let id = rustix::process::Pid::from_child(&self.0);
        let _ = rustix::process::kill_process(id, rustix::process::Signal::INT);
        let _ = self.0.wait();
    }
}

/// Starts a program and waits for a line that it says on standard error.
fn start(arguments: &[&str], last: &str) -> (Running, Vec<String>) {
    let child = rolima(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut running = Running(child);
    let mut lines = BufReader::new(running.0.stderr.take().expect("a pipe")).lines();
    let mut said = vec![];
    loop {
        let line = lines.next().unwrap_or_else(|| panic!("it ended: {said:?}")).expect("text");
        said.push(line);
        if said.last().is_some_and(|line| line.contains(last)) {
            break;
        }
    }
    // What it says later is read, so that it is not held up.
    std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
    (running, said)
}

fn connect(address: &str, dialect: Dialect) -> RobotOne {
    let options = Options { dialect, ..Options::default() };
    RobotOne::connect_with(address, options).expect("a connection")
}

/// The address before a word in brackets.
fn address_of(line: &str, dialect: &str) -> String {
    let before = line.split(&format!(" ({dialect})")).next().unwrap_or_default();
    before.rsplit([' ', ',']).next().unwrap_or_default().to_owned()
}

#[test]
fn a_live_run_lets_programs_in_and_loads_their_mazes() {
    let run = ["run", "maze", "--headless", "--robotone-listen", "127.0.0.1:0"];
    let (_running, said) = start(&run, "programs: ");
    let line = said.last().expect("a line");
    let mut robot = connect(&address_of(line, "thesis"), Dialect::Thesis);
    robot.load_maze(b"W 4 -5 4 5\nR 1 0\n").expect("a maze");
    assert_eq!(robot.pose().expect("a pose")[0], 1.0);
    robot.set_velocity([1.0, 0.0]).expect("it drives");
    while robot.lidar().expect("a scan").readings[17] > 1.0 {
        robot.wait().expect("a cycle");
    }
    assert!(robot.load_maze(b"X").is_err());
    robot.set("World.Mode", 0.0).expect("the road");
    assert_eq!(robot.capture().expect("a picture").rgb.len(), 230_400);
    assert_eq!(robot.get("World.Mode").expect("a mode"), 0.0);
    // The realistic world has rough ground, on which it drives as well.
    robot.set_velocity([1.0, 0.0]).expect("it drives");
    while robot.pose().expect("a pose")[0] < 0.5 {
        robot.wait().expect("a cycle");
    }
    drop(robot);
    let mut released = connect(&address_of(line, "release"), Dialect::Release);
    assert!(released.pose().is_ok());
}

#[test]
fn a_classroom_has_a_world_for_every_student_and_a_page_about_all() {
    let classroom = ["classroom", "maze", "--students", "3", "--port", "0", "--programs-port", "0"];
    let (_running, said) = start(&classroom, "all of them: ");
    let students: Vec<&String> = said.iter().filter(|line| line.starts_with("student ")).collect();
    assert_eq!(students.len(), 3, "{said:?}");
    let mut robots: Vec<RobotOne> =
        students.iter().map(|line| connect(&address_of(line, "thesis"), Dialect::Thesis)).collect();
    for (index, robot) in robots.iter_mut().enumerate() {
        robot.set_pose([index as f32, 1.0, 0.0]).expect("it goes there");
    }
    for (index, robot) in robots.iter_mut().enumerate() {
        assert_eq!(robot.get("Pose.X").expect("a pose"), index as f32, "worlds of their own");
    }
    robots.pop();
    let url = said.last().and_then(|line| line.split(' ').find(|word| word.starts_with("http")));
    let address = url.expect("an address").trim_start_matches("http://").trim_end_matches('/');
    let get = |path: &str| {
        let mut stream = TcpStream::connect(address).expect("it listens");
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).expect("asked");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("answered");
        answer
    };
    assert!(get("/").contains("<h1>Classroom</h1>"));
    assert!(get("/overview.js").contains("text/javascript"));
    let mut driven = vec![];
    // The third has just left.
    for _ in 0..1000 {
        let answer = get("/access");
        let json = answer.lines().last().unwrap_or_default();
        let worlds: Value = serde_json::from_str(json).unwrap_or_else(|e| panic!("{e}: {answer}"));
        let worlds = worlds.as_array().expect("a list").clone();
        assert_eq!(worlds.len(), 3);
        driven = worlds.iter().map(|world| world["driven"] == true).collect();
        if driven == [true, true, false] && worlds[1]["x"] == 1.0 {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    panic!("two are driven: {driven:?}");
}
