//! What each name does, in both dialects.

use super::{TestServer, eventually};
use rolima_robotone::{Dialect, RobotOneError};
use rolima_serve::robotone::Robots;
use rolima_serve::robotone::kinematic::KinematicSetup;
use rolima_serve::robotone::robots::ViewMode;
use rolima_serve::robotone::{Priming, RobotOneOptions};
use rolima_wire::robotone::{GetValue, NAMES, SetValue};
use std::io::{Read, Write};
use std::net::TcpStream;

#[test]
fn every_name_gives_what_the_table_says() {
    for dialect in Dialect::ALL {
        let host = TestServer::new();
        let mut robot = host.connect(dialect);
        for row in NAMES.iter().filter(|row| row.is_known(dialect)) {
            // Names of the world's sensors, of which there are none here; `robotone_world` reads them.
            if row.name.contains('*') {
                continue;
            }
            match row.given {
                GetValue::Nothing => {}
                GetValue::Number => assert!(robot.get(row.name).is_ok(), "{}", row.name),
                GetValue::Floats => assert!(!robot.get_floats(row.name).unwrap().is_empty()),
                GetValue::Bytes => assert_eq!(robot.get_data(row.name).unwrap().len(), 230_400),
                GetValue::Text => {
                    let expected: &[u8] =
                        if row.name == "Actuator.Names" { b"left\nright" } else { b"" };
                    assert_eq!(robot.get_data(row.name).unwrap(), expected, "{}", row.name);
                }
            }
            if row.taken(dialect) == SetValue::Number {
                // 0 and 1 mean something everywhere; there is only robot 0.
                let value = if row.name == "World.Robot" { 0.0 } else { 1.0 };
                assert_eq!(robot.set(row.name, value).unwrap(), value, "{}", row.name);
            }
        }
        assert_eq!(host.server.stats().refused, 0, "{:?}", host.lines.lock().unwrap());
    }
}

#[test]
fn what_is_set_is_what_is_got() {
    for dialect in Dialect::ALL {
        // Also where acts take until the next publication to be seen.
        for host in [TestServer::new(), TestServer::free(1)] {
            let mut robot = host.connect(dialect);
            robot.set_pose([1.0, 2.0, 0.5]).unwrap();
            assert_eq!(robot.pose().unwrap(), [1.0, 2.0, 0.5]);
            assert_eq!(robot.odometry().unwrap(), [1.0, 2.0, 0.5], "teleported with it");
            assert_eq!(robot.get("Pose.Y").unwrap(), 2.0);
            robot.set_gps_std([0.5, 0.25, 0.125]).unwrap();
            assert_eq!(robot.gps_std().unwrap(), [0.5, 0.25, 0.125]);
            robot.set_odometry_std([0.5, 0.25]).unwrap();
            assert_eq!(robot.odometry_std().unwrap(), [0.5, 0.25]);
            robot.set("Lidar.Std", 0.5).unwrap();
            assert_eq!(robot.get("Lidar.Std").unwrap(), 0.5);
            robot.set_trace(true).unwrap();
            assert!(robot.trace().unwrap());
            robot.set_velocity([0.5, -0.25]).unwrap();
            assert_eq!(robot.velocity().unwrap(), [0.5, -0.25]);
            robot.reset().unwrap();
            assert_eq!(robot.velocity().unwrap(), [0.0, 0.0]);
            assert_eq!(robot.pose().unwrap(), [0.0, 0.0, 0.0]);
        }
    }
}

#[test]
fn wheels_are_obeyed_only_under_low_level_control() {
    let host = TestServer::new();
    let mut robot = host.connect(Dialect::Release);
    robot.set_wheels([5.0, 5.0]).unwrap();
    robot.wait().unwrap();
    assert_eq!(robot.pose().unwrap(), [0.0; 3]);
    assert_eq!(robot.wheels().unwrap(), [0.0; 2], "as they turn");
    robot.set_low_level_control(true).unwrap();
    assert_eq!(robot.wheels().unwrap(), [5.0; 2]);
    robot.wait().unwrap();
    // 5 rad/s on wheels of 0.2 m.
    assert!((robot.pose().unwrap()[0] - 1.0 / 60.0).abs() < 1e-6);
    assert_eq!(robot.velocity().unwrap(), [1.0, 0.0], "as it moves");
    robot.set_velocity([3.0, 0.0]).unwrap();
    assert_eq!(robot.velocity().unwrap(), [1.0, 0.0], "not obeyed");
    robot.set_low_level_control(false).unwrap();
    assert_eq!(robot.velocity().unwrap(), [3.0, 0.0]);
    assert!((robot.wheels().unwrap()[0] - 15.0).abs() < 1e-5);
}

#[test]
fn speeds_beyond_the_limits_are_told_once_and_keep_their_curve() {
    let host = TestServer::new();
    let mut robot = host.connect(Dialect::Thesis);
    assert_eq!(robot.velocity_limits().unwrap(), [4.0, std::f32::consts::TAU]);
    robot.set_velocity([4.0, -1.0]).unwrap();
    assert!(host.lines.lock().unwrap().is_empty());
    for _ in 0..3 {
        robot.set_velocity([20.0, 2.0]).unwrap();
    }
    let told = "asks for 20 m/s, above the robot's limit of 4 m/s";
    assert!(host.has_told(told) && host.lines.lock().unwrap().len() == 1);
    assert_eq!(robot.velocity().unwrap(), [20.0, 2.0], "as it was commanded");
    for _ in 0..60 {
        robot.wait().unwrap();
    }
    // A second at 4 m/s around a circle of 10 m.
    let [x, y, theta] = robot.pose().unwrap().map(f64::from);
    let (sin, cos) = rolima_math::sin_cos(0.4);
    assert!((theta - 0.4).abs() < 1e-4, "{theta}");
    assert!((x - 10.0 * sin).abs() < 1e-3 && (y - 10.0 * (1.0 - cos)).abs() < 1e-3, "{x}, {y}");
}

#[test]
fn odometry_can_be_set_in_the_thesis_only() {
    let host = TestServer::new();
    let mut robot = host.connect(Dialect::Thesis);
    robot.set_odometry([1.0, 2.0, 3.0]).unwrap();
    assert_eq!(robot.odometry().unwrap(), [1.0, 2.0, 3.0]);
    assert_eq!(robot.pose().unwrap(), [0.0; 3]);
    drop(robot);
    let mut robot = host.connect(Dialect::Release);
    assert_eq!(robot.set("Odometry.X", 7.0).unwrap(), 0.0);
    assert_eq!(robot.odometry().unwrap(), [1.0, 2.0, 3.0]);
    assert!(host.has_told("Odometry.X cannot be set"));
}

#[test]
fn each_dialect_has_its_own_numbers_of_views() {
    let host = TestServer::new();
    let mut thesis = host.connect(Dialect::Thesis);
    let mut release = host.connect(Dialect::Release);
    for (mode, in_thesis, in_release) in [
        (ViewMode::ThirdPerson, 0.0, 1.0),
        (ViewMode::Top, 1.0, 2.0),
        (ViewMode::FirstPerson, 2.0, 0.0),
    ] {
        thesis.set("World.Camera.Mode", in_thesis).unwrap();
        assert_eq!(host.robots.view().mode, mode);
        assert_eq!(release.get("World.Camera.Mode").unwrap(), in_release);
        release.set("World.Camera.Mode", in_release).unwrap();
        assert_eq!(thesis.get("World.Camera.Mode").unwrap(), in_thesis);
    }
    assert!(thesis.set("World.Camera.Mode", 3.0).is_err());
    thesis.set("World.Camera.Zoom", 7.0).unwrap();
    assert_eq!(thesis.get("World.Camera.Zoom").unwrap(), 1.0, "clamped");
}

#[test]
fn mazes_are_loaded_and_cleared_in_maze_mode_only() {
    let host = TestServer::new();
    let mut robot = host.connect(Dialect::Thesis);
    assert_eq!(robot.get("World.Mode").unwrap(), 1.0);
    robot.load_maze(b"W 3 -5 3 5 # ahead\nR 1 0\n").unwrap();
    assert_eq!(robot.pose().unwrap(), [1.0, 0.0, 0.0]);
    assert!((robot.lidar().unwrap().readings[17] - 2.0).abs() < 1e-6);
    let bad = robot.load_maze(b"W 1 2 3\n");
    assert!(matches!(bad, Err(RobotOneError::NotDone { .. })));
    assert!(host.has_told("World.Maze.Load: line 1: expected W x1 y1 x2 y2"));
    assert!((robot.lidar().unwrap().readings[17] - 2.0).abs() < 1e-6, "the old one is there");
    robot.set("World.Maze.Clear", 1.0).unwrap();
    assert_eq!(robot.lidar().unwrap().readings, [8.0; 36]);
    robot.set("World.Mode", 0.0).unwrap();
    assert!(robot.load_maze(b"W 3 -5 3 5").is_err());
    assert!(robot.set("World.Maze.Clear", 1.0).is_err());
    assert!(host.has_told("set World.Mode to 1 first"));

    // The release tells the size as a number.
    let host = TestServer::new();
    let mut robot = host.connect(Dialect::Release);
    let map = b"W 2 -5 2 5\n";
    assert_eq!(robot.set_data("World.Maze.Load", map).unwrap(), map.len() as f32);
    assert!((robot.lidar().unwrap().readings[17] - 2.0).abs() < 1e-6);
}

#[test]
fn what_is_refused_has_no_effect_and_says_why() {
    let host = TestServer::new();
    let mut thesis = host.connect(Dialect::Thesis);
    let cases = [
        ("Pose", 1.0, "cannot be set"),
        ("Pose.Z", 1.0, "there is no `Pose.Z`"),
        ("Pose.X", f32::INFINITY, "finite"),
        ("Pose.X", 1e30, "within"),
        ("GPS.Std.X", -1.0, "from 0 up"),
        ("World.Robot", 1.0, "there is no robot 1"),
        ("World.Robot", 0.5, "whole number"),
        ("World.Robot", -1.0, "whole number"),
        ("World.Mode", 2.0, "whole number"),
    ];
    for (name, value, why) in cases {
        let refused = thesis.set(name, value).expect_err(name);
        assert!(matches!(refused, RobotOneError::NotDone { .. }), "{name}");
        assert!(refused.to_string().contains(why), "the program is told: {refused}");
        assert!(host.has_told(why), "{name}: {why}: {:?}", host.lines.lock().unwrap());
    }
    // Who asks is told of its own refusals, and in the other dialect, too, if it asks.
    let mut other = host.connect(Dialect::Release);
    assert_eq!(other.get_data("World.LastError").unwrap(), b"");
    assert_eq!(other.set("World.Robot", 5.0).unwrap(), 0.0);
    let told = b"World.Robot: there is no robot 5: there are 1, from 0";
    assert_eq!(other.get_data("World.LastError").unwrap(), told);
    assert_eq!(other.get_data("World.LastError").unwrap(), told, "until the next");
    let map = thesis.load_maze("W 1\n".repeat(10_000).as_bytes()).expect_err("no map");
    assert!(map.to_string().len() < 5_000, "what is too long is cut");
    assert_eq!(thesis.pose().unwrap(), [0.0; 3]);
    assert_eq!(thesis.gps_std().unwrap(), [0.0; 3]);
    assert!(thesis.get("Nothing").is_err() && thesis.get("World.Reset").is_err());
    drop(thesis);
    let mut release = host.connect(Dialect::Release);
    for (name, value, _) in cases {
        // As mode is not a name there, it is another reason, but nothing is done either.
        assert_eq!(release.set(name, value).unwrap(), 0.0, "{name}");
    }
    assert_eq!(release.get("Nothing").unwrap(), 0.0);
    assert_eq!(release.pose().unwrap(), [0.0; 3]);
}

#[test]
fn vector_sets_of_any_name_leave_the_stream_in_order() {
    for dialect in Dialect::ALL {
        let host = TestServer::new();
        let mut robot = host.connect(dialect);
        robot.set_pose([1.0, 2.0, 0.5]).unwrap();
        let (bytes, floats) = ([7; 30], [1.5; 30]);
        for name in ["Mine", "Pose", "Velocity.Wheels", "Camera.Capture"] {
            for answer in [robot.set_data(name, &bytes), robot.set_floats(name, &floats)] {
                match (dialect, answer) {
                    (Dialect::Release, answer) => assert_eq!(answer.unwrap(), 0.0),
                    (Dialect::Thesis, Err(RobotOneError::NotDone { .. })) => {}
                    (Dialect::Thesis, other) => panic!("{other:?}"),
                }
                assert_eq!(robot.pose().unwrap(), [1.0, 2.0, 0.5], "{dialect}: {name}");
            }
        }
        assert_eq!(robot.set("Pose.X", 3.0).unwrap(), 3.0);
        assert_eq!(robot.pose().unwrap(), [3.0, 2.0, 0.5], "{dialect}");
        assert!(host.has_told("there is no `Mine`"), "{dialect}");
        assert_eq!(host.has_told("30 bytes that came with it"), dialect == Dialect::Release);
        assert_eq!(host.has_told("120 bytes that came with it"), dialect == Dialect::Release);
        assert!(host.has_told("Pose cannot be set"), "{dialect}");
    }
}

#[test]
fn the_released_library_gets_every_reply_in_one_piece() {
    let host = TestServer::new();
    let mut stream = TcpStream::connect(host.address(Dialect::Release)).unwrap();
    let get = |name: &str| [&[0, name.len() as u8, 0, 0, 0], name.as_bytes(), &[9; 4]].concat();
    let mut buffer = vec![0; 1 << 20];
    for name in ["Pose.X", "Pose", "Lidar.Read"] {
        stream.write_all(&get(name)).unwrap();
        let count = stream.read(&mut buffer).unwrap();
        let expected = match name {
            "Pose.X" => 6,
            "Pose" => 10 + 12,
            _ => 10 + 144,
        };
        assert_eq!(count, expected, "{name}");
    }
    stream.write_all(&get("Camera.Capture")).unwrap();
    let mut left = 10 + 230_400;
    while left > 0 {
        left -= stream.read(&mut buffer).unwrap();
    }
    assert_eq!(host.server.stats().split, 0, "and left in one");
}

#[test]
fn zeros_before_the_first_picture_are_for_those_who_want_them() {
    let priming = Priming::Always;
    let options = || RobotOneOptions { priming, ..RobotOneOptions::any_ports() };
    let host = TestServer::with(KinematicSetup::default(), options());
    let mut stream = TcpStream::connect(host.address(Dialect::Release)).unwrap();
    let request = b"\x00\x0e\x00\x00\x00Camera.Capture\0\0\0\0";
    let mut picture = vec![0; 10 + 230_400];
    stream.write_all(request).unwrap();
    let mut zeros = vec![1; 4 << 20];
    stream.read_exact(&mut zeros).unwrap();
    assert!(zeros.iter().all(|byte| *byte == 0));
    stream.read_exact(&mut picture).unwrap();
    assert_eq!(picture[0], 3);
    stream.write_all(request).unwrap();
    stream.read_exact(&mut picture).unwrap();
    assert_eq!(picture[0], 3, "only before the first");
    drop(stream);
    // Our own client passes them over.
    assert_eq!(host.connect(Dialect::Release).capture().unwrap().rgb, &picture[10..]);

    // Not in the thesis's dialect, and not by default.
    for (host, dialect) in [
        (TestServer::with(KinematicSetup::default(), options()), Dialect::Thesis),
        (TestServer::new(), Dialect::Release),
    ] {
        let mut stream = TcpStream::connect(host.address(dialect)).unwrap();
        let length = if dialect == Dialect::Thesis { 19 } else { 23 };
        stream.write_all(&request[..length]).unwrap();
        stream.read_exact(&mut picture).unwrap();
        assert!(picture[0] != 0);
        eventually("one request", || host.server.stats().requests == 1);
    }
}
