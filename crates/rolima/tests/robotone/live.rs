//! Live runs and classrooms.

use super::{address_of, connect, repository, start};
use rolima_robotone::{Dialect, RobotOne};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;

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
    // A map without a robot has one at the origin.
    robot.load_maze(b"W 4 -5 4 5\n").expect("a maze");
    assert_eq!(robot.pose().expect("a pose"), [0.0; 3]);
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
fn a_run_that_was_started_with_a_picture_takes_texts_and_pictures() {
    let maze = repository().join("docs/maze.png");
    let file = maze.to_str().expect("a path");
    let run = ["run", "--maze", file, "--size", "24x24", "--headless"];
    let (_running, said) =
        start(&[&run[..], &["--robotone-listen", "127.0.0.1:0"]].concat(), "programs: ");
    let line = said.last().expect("a line");
    let mut robot = connect(&address_of(line, "thesis"), Dialect::Thesis);
    // Does something, and says how near the nearest wall is.
    let mut after = |change: &dyn Fn(&mut RobotOne)| {
        change(&mut robot);
        robot.wait().expect("a cycle");
        robot.lidar().expect("a scan").readings.into_iter().fold(f32::INFINITY, f32::min)
    };
    let in_the_maze = after(&|_| {});
    assert!(in_the_maze < 2.0, "{in_the_maze} m");
    let cleared = after(&|robot| {
        robot.set("World.Maze.Clear", 1.0).expect("nothing is left");
    });
    assert_eq!(cleared, 8.0);
    let text = after(&|robot| robot.load_maze(b"W 4 -5 4 5\nR 1 0\n").expect("a text"));
    // The wall is 0.2 m thick, the lidar 0.2 m ahead of the middle.
    assert!((text - 2.7).abs() < 0.01, "{text} m");
    let picture = std::fs::read(&maze).expect("a picture");
    let again = after(&|robot| robot.load_maze(&picture).expect("a picture"));
    assert!((again - in_the_maze).abs() < 1e-3, "of the same size: {again} m");
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
    assert!(get("/").contains(">Classroom</h1>"));
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
