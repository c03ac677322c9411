//! One program a robot, and people when there is none.

use super::{TestServer, eventually};
use rolima_robotone::Dialect;
use rolima_serve::robotone::Robots;
use rolima_serve::robotone::robots::Driver;
use rolima_wire::robotone::{GetValue, NAMES};

#[test]
fn people_drive_until_a_program_comes_and_after_it_has_gone() {
    let host = TestServer::free(1);
    let mut robot = host.connect(Dialect::Release);
    // Names of the world take no robot.
    assert_eq!(robot.get("World.Robot").unwrap(), 0.0);
    robot.get("World.Camera.Zoom").unwrap();
    assert_eq!(host.robots.driver(0), Driver::People);
    robot.set_velocity([1.0, 0.0]).unwrap();
    assert_eq!(host.robots.driver(0), Driver::Program(1));
    assert!(!robot.manual().unwrap());
    robot.set_manual(true).unwrap();
    assert_eq!(host.robots.driver(0), Driver::PeopleBesides(1));
    assert!(robot.manual().unwrap());
    robot.set_manual(false).unwrap();
    eventually("it drives again as commanded", || {
        host.robots.robot(0).is_some_and(|now| now.velocity == [1.0, 0.0])
    });
    drop(robot);
    eventually("people drive", || host.robots.driver(0) == Driver::People);
    assert_eq!(host.robots.robot(0).unwrap().velocity, [0.0; 2], "it was stopped");
}

#[test]
fn a_second_program_waits_for_the_first_and_programs_that_give_up_do_not_count() {
    for dialect in Dialect::ALL {
        let host = TestServer::free(1);
        let mut first = host.connect(dialect);
        first.set_trace(false).unwrap();
        // Waits, and gives up.
        let impatient = host.connect(dialect);
        let ask = std::thread::spawn(move || {
            let mut impatient = impatient;
            impatient.set("Trace", 0.0).map(drop)
        });
        eventually("one waits", || host.has_told("waits for robot 0"));
        let mut second = host.connect(dialect);
        let waiting = std::thread::spawn(move || {
            second.set_velocity([2.0, 0.0]).unwrap();
            second
        });
        eventually("two wait", || host.server.stats().requests >= 3);
        first.wait().unwrap();
        assert_eq!(host.robots.driver(0), Driver::Program(1), "never two writers");
        assert_eq!(host.robots.robot(0).unwrap().velocity, [0.0; 2]);
        drop(first);
        ask.join().unwrap().expect("the one before had its turn and left");
        let mut second = waiting.join().unwrap();
        assert_eq!(host.robots.driver(0), Driver::Program(3));
        assert_eq!(second.velocity().unwrap(), [2.0, 0.0]);
    }
}

#[test]
fn reading_takes_no_seat_and_waits_for_nobody() {
    for dialect in Dialect::ALL {
        let host = TestServer::free(1);
        // Nobody has the robot, and reading does not change that.
        let mut reader = host.connect(dialect);
        let read_all = |reader: &mut rolima_robotone::RobotOne| {
            for row in NAMES.iter().filter(|row| row.is_known(dialect)) {
                // A world of one robot has no sensors by name; `robotone_world` reads those.
                if !matches!(row.given, GetValue::Nothing) && !row.name.contains('*') {
                    reader.get_any(row.name).unwrap_or_else(|e| panic!("{}: {e}", row.name));
                }
            }
        };
        read_all(&mut reader);
        assert_eq!(host.robots.driver(0), Driver::People);
        let mut driver = host.connect(dialect);
        driver.set_velocity([1.0, 0.5]).unwrap();
        assert_eq!(host.robots.driver(0), Driver::Program(2));
        // Another program's robot is read as it moves, and can be looked out of.
        read_all(&mut reader);
        eventually("it moves", || reader.velocity().unwrap() == [1.0, 0.5]);
        reader.lidar().unwrap();
        reader.capture().unwrap();
        assert_eq!(host.robots.driver(0), Driver::Program(2));
        assert!(!host.has_told("waits for robot"), "{:?}", host.lines.lock().unwrap());
    }
}

#[test]
fn a_program_that_vanishes_while_it_waits_leaves_the_line() {
    use std::io::Write;
    let host = TestServer::free(1);
    let mut first = host.connect(Dialect::Thesis);
    first.set_trace(false).unwrap();
    let mut vanishing = std::net::TcpStream::connect(host.address(Dialect::Thesis)).unwrap();
    vanishing.write_all(b"\x01\x06\x00\x00\x00Pose.X\x00\x00\x00\x00").unwrap();
    eventually("it waits", || host.has_told("waits for robot 0"));
    drop(vanishing);
    eventually("it is gone", || host.server.stats().clients == 1);
    assert_eq!(host.robots.driver(0), Driver::Program(1));
}

#[test]
fn each_connection_commands_the_robot_it_has_chosen() {
    let host = TestServer::free(3);
    let mut programs: Vec<_> = (0..3).map(|_| host.connect(Dialect::Release)).collect();
    for (index, program) in programs.iter_mut().enumerate() {
        program.select(index as u32).unwrap();
        assert_eq!(program.get("World.Robot").unwrap(), index as f32);
        assert_eq!(host.robots.driver(index as u32), Driver::People, "not until it commands");
        program.set_velocity([index as f32, 0.0]).unwrap();
    }
    for (index, program) in programs.iter_mut().enumerate() {
        assert_eq!(program.pose().unwrap()[1], index as f32);
        assert_eq!(host.robots.driver(index as u32), Driver::Program(index as u32 + 1));
    }
    // Another choice gives the robot back.
    programs.truncate(1);
    eventually("the others are gone", || host.robots.driver(1) == Driver::People);
    programs[0].select(1).unwrap();
    assert_eq!(host.robots.driver(0), Driver::People);
    assert_eq!(programs[0].pose().unwrap()[1], 1.0);
    assert_eq!(programs[0].velocity().unwrap(), [0.0, 0.0], "nothing is taken along");
    assert_eq!(programs[0].get("World.Robots").unwrap(), 3.0);
}

#[test]
fn a_server_that_ends_gives_the_robots_back() {
    let TestServer { robots, server, .. } = TestServer::free(2);
    let address = server.address(Dialect::Thesis).unwrap().to_string();
    let mut program = rolima_robotone::RobotOne::connect(&address).unwrap();
    program.set_velocity([1.0, 0.0]).unwrap();
    assert_eq!(robots.driver(0), Driver::Program(1));
    server.shutdown();
    assert_eq!(robots.driver(0), Driver::People);
    assert!(program.pose().is_err(), "and the program notices");
}
