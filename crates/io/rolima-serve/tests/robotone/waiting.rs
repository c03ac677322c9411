//! Waiting for cycles and pictures.

use super::{TestServer, eventually};
use rolima_robotone::{Dialect, RobotOne};
use rolima_serve::robotone::kinematic::{KinematicPace, KinematicSetup};
use rolima_serve::robotone::{RobotOneOptions, Robots};

#[test]
fn a_wait_lasts_until_the_next_cycle_and_tells_the_time_that_has_passed() {
    let host = TestServer::new();
    let mut robot = host.connect(Dialect::Release);
    robot.set_velocity([1.0, 0.0]).unwrap();
    for cycle in 1..=120 {
        let passed = robot.wait().unwrap();
        assert!((passed - 1.0 / 60.0).abs() < 1e-6, "{passed}");
        assert!((robot.get("Time").unwrap() - cycle as f32 / 60.0).abs() < 1e-5);
    }
    assert!((robot.pose().unwrap()[0] - 2.0).abs() < 1e-5);
}

#[test]
fn what_passes_between_two_waits_counts() {
    // Ten times as fast as the clock: some cycles pass between two waits.
    let setup = KinematicSetup { pace: KinematicPace::Free(10.0), ..Default::default() };
    let host = TestServer::with(setup, RobotOneOptions::any_ports());
    let start = host.robots.world().time_s;
    let mut robot = host.connect(Dialect::Thesis);
    let mut sum = robot.wait().unwrap();
    for _ in 0..20 {
        let passed = robot.wait().unwrap();
        assert!(passed > 0.0, "{passed}");
        sum += passed;
    }
    let end = host.robots.world().time_s;
    // At least 20 cycles, and no more than has passed since before the connection was there.
    assert!(f64::from(sum) > 20.0 / 60.0 - 0.02 && f64::from(sum) <= end - start + 1e-3, "{sum}");
}

#[test]
fn time_goes_on_when_all_programs_wait() {
    let setup = KinematicSetup { robots: vec![[0.0; 3]; 2], ..Default::default() };
    let host = TestServer::with(setup, RobotOneOptions::any_ports());
    let mut programs = [host.connect(Dialect::Thesis), host.connect(Dialect::Release)];
    programs[1].select(1).unwrap();
    for program in &mut programs {
        program.set_velocity([1.0, 0.0]).unwrap();
    }
    let run = |mut program: RobotOne, cycles: usize| {
        std::thread::spawn(move || {
            for _ in 0..cycles {
                program.wait().unwrap();
            }
            program.pose().unwrap()[0]
        })
    };
    let [first, second] = programs;
    let (first, second) = (run(first, 30), run(second, 90));
    let half = first.join().unwrap();
    // The first has stopped asking after 30 cycles: the other goes on alone as soon as it is gone.
    assert!((half - 0.5).abs() < 1e-5, "{half}");
    assert!((second.join().unwrap() - 1.5).abs() < 1e-5);
}

#[test]
fn the_same_picture_is_not_given_twice() {
    let host = TestServer::new();
    let mut robot = host.connect(Dialect::Thesis);
    let first = robot.capture().unwrap();
    assert_eq!((first.width, first.height, first.rgb.len()), (320, 240, 230_400));
    let time = |robot: &mut RobotOne| (robot.get("Time").unwrap() * 60.0).round();
    assert_eq!(time(&mut robot), 0.0, "the first was there");
    robot.capture().unwrap();
    assert_eq!(time(&mut robot), 2.0, "the next came with the next frame");
    for _ in 0..4 {
        robot.wait().unwrap();
    }
    robot.capture().unwrap();
    assert_eq!(time(&mut robot), 6.0, "it was there already");
}

#[test]
fn the_camera_sees_road_and_sky() {
    let ground = rolima_serve::robotone::kinematic::road(50.0, 20.0, 3.0);
    let host = TestServer::with(
        KinematicSetup { ground, ..Default::default() },
        RobotOneOptions::any_ports(),
    );
    let mut robot = host.connect(Dialect::Thesis);
    let picture = robot.capture().unwrap();
    let pixel = |row: usize, column: usize| {
        let at = (row * picture.width + column) * 3;
        [picture.rgb[at], picture.rgb[at + 1], picture.rgb[at + 2]]
    };
    let [red, green, blue] = pixel(155, 160);
    assert!(red.abs_diff(green) < 5 && green.abs_diff(blue) < 5, "grey ahead");
    let [red, green, blue] = pixel(155, 5);
    assert!(green > red && green > blue, "green beside");
    let [red, _, blue] = pixel(0, 160);
    assert!(blue > red, "blue above");
}

#[test]
fn programs_that_wait_are_told_when_the_simulation_ends() {
    let setup = KinematicSetup { pace: KinematicPace::Free(0.0), ..Default::default() };
    let host = TestServer::with(setup, RobotOneOptions::any_ports());
    let mut robot = host.connect(Dialect::Thesis);
    let mut other = host.connect(Dialect::Release);
    robot.capture().unwrap();
    let waiting = std::thread::spawn(move || robot.capture().is_err());
    let other = std::thread::spawn(move || other.wait().unwrap());
    eventually("both wait", || host.server.stats().requests == 3);
    host.robots.end();
    assert!(waiting.join().unwrap());
    assert_eq!(other.join().unwrap(), 0.0);
}
