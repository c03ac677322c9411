//! Programs that misbehave: the world goes on, and so do the others.

use super::{TestServer, eventually};
use rolima_robotone::Dialect;
use rolima_serve::robotone::Robots;
use rolima_serve::robotone::kinematic::{KinematicPace, KinematicSetup};
use rolima_serve::robotone::robots::Driver;
use rolima_serve::robotone::{RobotOneLimits, RobotOneOptions};
use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

/// Random bytes that are the same every time.
fn noise(seed: u64, count: usize) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    };
    (0..count).map(|_| next()).collect()
}

/// Fails unless time goes on and a program is served.
#[track_caller]
fn all_is_well(host: &TestServer) {
    let before = host.robots.world().time_s;
    eventually("time goes on", || host.robots.world().time_s > before + 0.05);
    let mut robot = host.connect(Dialect::Thesis);
    robot.set_velocity([0.5, 0.0]).unwrap();
    robot.wait().unwrap();
    assert_eq!(robot.velocity().unwrap(), [0.5, 0.0]);
}

#[test]
fn random_bytes_and_half_requests() {
    let host = TestServer::free(1);
    for seed in 0..200 {
        let dialect = Dialect::ALL[seed as usize % 2];
        let mut stream = TcpStream::connect(host.address(dialect)).unwrap();
        let mut bytes = noise(seed, 3 + (seed as usize * 37) % 900);
        if seed % 3 == 0 {
            // A plausible beginning.
            bytes.splice(0..0, *b"\x01\x0f\x00\x00\x00World.Maze.Load");
        }
        // It may be cut off in the middle of it.
        let _ = stream.write_all(&bytes);
        let _ = stream.shutdown(Shutdown::Write);
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        let mut answers = vec![];
        let read = stream.read_to_end(&mut answers);
        assert!(
            !matches!(&read, Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)),
            "the connection ends: {read:?}"
        );
    }
    all_is_well(&host);
}

#[test]
fn framing_that_is_lost_is_answered_and_closed() {
    let host = TestServer::free(1);
    for (dialect, bytes, answer) in [
        (Dialect::Thesis, &b"\x09\x00\x00\x00\x00"[..], [3, 0, 0, 0, 0, 0]),
        (Dialect::Release, &b"\x00\xff\xff\xff\xff"[..], [2, 1, 0, 0, 0, 0]),
    ] {
        let mut stream = TcpStream::connect(host.address(dialect)).unwrap();
        stream.write_all(bytes).unwrap();
        let mut answers = vec![];
        stream.read_to_end(&mut answers).unwrap();
        assert_eq!(answers, answer);
    }
    eventually("both are told", || {
        host.has_told("got 9; the connection is closed")
            && host.has_told("got -1; the connection is closed")
    });
}

#[test]
fn requests_byte_by_byte_are_answered() {
    let host = TestServer::free(1);
    let mut stream = TcpStream::connect(host.address(Dialect::Thesis)).unwrap();
    stream.set_nodelay(true).unwrap();
    for byte in b"\x01\x06\x00\x00\x00Pose.X\x00\x00\x20\x41\x00\x06\x00\x00\x00Pose.X" {
        stream.write_all(&[*byte]).unwrap();
    }
    let mut answers = [0; 12];
    stream.read_exact(&mut answers).unwrap();
    assert_eq!(answers, *b"\x03\x01\x00\x00\x20\x41\x03\x01\x00\x00\x20\x41");
}

#[test]
fn a_program_at_the_port_of_the_other_dialect_is_told_of() {
    let host = TestServer::free(1);
    let mut stream = TcpStream::connect(host.address(Dialect::Release)).unwrap();
    // Here a value follows, which the thesis's dialect does not have.
    stream.write_all(b"\x00\x06\x00\x00\x00Pose.X").unwrap();
    eventually("it is told", || host.has_told("is it a program of the other dialect"));
    stream.write_all(b"late").unwrap();
    let mut answer = [0; 6];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(answer, [2, 1, 0, 0, 0, 0]);
    assert_eq!(host.lines.lock().unwrap().len(), 1, "once");
}

#[test]
fn a_flood_without_reading_stops_itself_and_is_cut_off() {
    let limits = RobotOneLimits { write_timeout: Duration::from_millis(300), ..Default::default() };
    let options = RobotOneOptions { limits, ..RobotOneOptions::any_ports() };
    let setup = KinematicSetup {
        robots: vec![[0.0; 3]; 2],
        pace: KinematicPace::Free(1.0),
        ..Default::default()
    };
    let host = TestServer::with(setup, options);
    let mut flood = TcpStream::connect(host.address(Dialect::Thesis)).unwrap();
    let requests = b"\x00\x0e\x00\x00\x00Camera.Capture\x00\x06\x00\x00\x00Pose.X".repeat(100);
    let flooding = std::thread::spawn(move || {
        let mut sent = 0;
        while let Ok(count) = flood.write(&requests) {
            sent += count;
        }
        sent
    });
    // Meanwhile another robot's program is served.
    let mut other = host.connect(Dialect::Release);
    other.select(1).unwrap();
    for _ in 0..30 {
        other.wait().unwrap();
        other.pose().unwrap();
    }
    let sent = flooding.join().unwrap();
    eventually("it is told", || host.has_told("takes no replies"));
    // What a system keeps for both directions, and no more.
    assert!(sent < 64 << 20, "{sent}");
    drop(other);
    eventually("its robot is free", || host.robots.driver(0) == Driver::People);
    all_is_well(&host);
}

#[test]
fn a_flood_of_acts_is_slowed_down_to_a_few_a_moment() {
    let host = TestServer::free(1);
    let mut stream = TcpStream::connect(host.address(Dialect::Thesis)).unwrap();
    let set = b"\x01\x0f\x00\x00\x00Velocity.Linear\x00\x00\x80\x3f";
    stream.write_all(&set.repeat(2000)).unwrap();
    let mut answers = vec![0; 6 * 2000];
    let before = host.robots.world().time_s;
    stream.read_exact(&mut answers).unwrap();
    let passed = host.robots.world().time_s - before;
    assert!(answers.chunks(6).all(|answer| answer == b"\x03\x01\x00\x00\x80\x3f"));
    // 2,000 actions, 4 on their way at a time, one publication a millisecond: 500 publications at
    // least. The world in memory gives up time when it is late, so that this bound is a loose one.
    assert!(passed > 0.1, "{passed} s");
    all_is_well_after(&host, stream);
}

fn all_is_well_after(host: &TestServer, stream: TcpStream) {
    drop(stream);
    all_is_well(host);
}

#[test]
fn promises_of_data_and_refusals_cost_nothing() {
    let limits = RobotOneLimits { lines: 5, ..Default::default() };
    let options = RobotOneOptions { limits, ..RobotOneOptions::any_ports() };
    let setup = KinematicSetup { pace: KinematicPace::Free(1.0), ..Default::default() };
    let host = TestServer::with(setup, options);
    let promises: Vec<TcpStream> = (0..20)
        .map(|_| {
            let mut stream = TcpStream::connect(host.address(Dialect::Thesis)).unwrap();
            stream.write_all(b"\x02\x0f\x00\x00\x00World.Maze.Load\x00\x00\x00\x01few").unwrap();
            stream
        })
        .collect();
    let mut wrong = host.connect(Dialect::Release);
    for _ in 0..500 {
        assert_eq!(wrong.get("Nothing").unwrap(), 0.0);
    }
    drop(wrong);
    eventually("a count of the rest", || host.has_told("495 lines more"));
    let lines = host.lines.lock().unwrap().len();
    assert!(lines < 20, "{lines} lines");
    drop(promises);
    all_is_well(&host);
}

#[test]
fn where_every_program_has_a_robot_more_are_turned_away() {
    let limits = RobotOneLimits { clients: 3, ..Default::default() };
    let options = RobotOneOptions { limits, ..RobotOneOptions::any_ports() };
    let robots = (0..3).map(|index| [0.0, f64::from(index), 0.0]).collect();
    let setup = KinematicSetup { robots, pace: KinematicPace::Free(1.0), ..Default::default() };
    let host = TestServer::with(setup, options);
    let mut first: Vec<_> = (0..3).map(|_| host.connect(Dialect::Thesis)).collect();
    for (program, robot) in first.iter_mut().zip([0.0, 1.0, 2.0]) {
        program.set("World.Robot", robot).unwrap();
        program.set_velocity([0.0, 0.0]).unwrap();
    }
    assert!(host.connect(Dialect::Thesis).get("Time").is_err());
    assert_eq!(host.server.stats().turned_away, 1);
    assert!(host.has_told("at most 3 programs"));
    assert!(first.iter_mut().all(|program| program.get("Time").is_ok()));
    drop(first);
    eventually("there is room again", || host.connect(Dialect::Thesis).get("Time").is_ok());
}

#[test]
fn connections_that_say_nothing_keep_no_program_out_and_take_no_robot_from_one() {
    let host = TestServer::free(2);
    let mut drives = host.connect(Dialect::Thesis);
    drives.set_velocity([0.5, 0.0]).unwrap();
    let mut watches = host.connect(Dialect::Thesis);
    let mut idle = vec![];
    for _ in 0..200 {
        idle.push(TcpStream::connect(host.address(Dialect::Thesis)).unwrap());
        // Asking now and then is enough to stay.
        if idle.len() % 20 == 0 {
            watches.get("Time").unwrap();
        }
    }
    let mut late = host.connect(Dialect::Release);
    late.set("World.Robot", 1.0).unwrap();
    late.set_velocity([1.0, 0.0]).unwrap();
    assert!(drives.get("Time").is_ok() && watches.get("Time").is_ok());
    assert!(matches!(host.robots.driver(0), Driver::Program(1)));
    assert!(matches!(host.robots.driver(1), Driver::Program(_)));
    assert_eq!(host.server.stats().turned_away, 0);
    assert!(host.has_told("makes way for another program"));
    eventually("those that were too many are gone", || host.server.stats().clients <= 64);
}

#[test]
fn programs_that_vanish_give_their_robot_back() {
    let host = TestServer::free(1);
    for round in 0..20 {
        let mut stream = TcpStream::connect(host.address(Dialect::Thesis)).unwrap();
        stream.write_all(b"\x01\x0f\x00\x00\x00Velocity.Linear\x00\x00\x80\x3f").unwrap();
        if round % 2 == 0 {
            // In the middle of a wait.
            stream.write_all(b"\x00\x09\x00\x00\x00Time.Wait").unwrap();
        }
        eventually("it drives", || host.robots.driver(0) != Driver::People);
        if round % 3 == 0 {
            // By a reset rather than an orderly end.
            socket2::SockRef::from(&stream).set_linger(Some(Duration::ZERO)).unwrap();
        }
        drop(stream);
        eventually("people drive again", || host.robots.driver(0) == Driver::People);
        assert_eq!(host.robots.robot(0).unwrap().velocity, [0.0; 2]);
    }
}
