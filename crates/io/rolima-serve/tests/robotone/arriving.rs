//! Data that are still on their way share one budget: many who send halves cannot make a server
//! hold more, and keep nobody else from working.

use super::{TestServer, eventually};
use rolima_robotone::Dialect;
use rolima_serve::robotone::kinematic::{KinematicPace, KinematicSetup};
use rolima_serve::robotone::{RobotOneLimits, RobotOneOptions, Robots};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

/// What each program has in any case, bytes.
const ALWAYS: u64 = 64 << 10;

/// A request that loads a map of so many bytes, most of them a remark.
fn load(dialect: Dialect, bytes: usize) -> Vec<u8> {
    let mut request = match dialect {
        Dialect::Release => b"\x01\x0f\x00\x00\x00World.Maze.Load".to_vec(),
        Dialect::Thesis => b"\x02\x0f\x00\x00\x00World.Maze.Load".to_vec(),
    };
    match dialect {
        Dialect::Release => request.extend((bytes as f32).to_le_bytes()),
        Dialect::Thesis => request.extend((bytes as i32).to_le_bytes()),
    }
    let end = request.len() + bytes;
    request.extend(b"R 1 2\n#");
    request.resize(end, b'.');
    request
}

/// A program that does not read yet.
fn stream(host: &TestServer, dialect: Dialect) -> TcpStream {
    let stream = TcpStream::connect(host.address(dialect)).unwrap();
    stream.set_read_timeout(Some(super::DEADLINE)).unwrap();
    stream
}

/// The value of the next reply: the size of a map that was loaded, 0 if it was refused.
fn value(stream: &mut TcpStream) -> f32 {
    let mut answer = [0; 6];
    stream.read_exact(&mut answer).unwrap();
    let value = f32::from_le_bytes([answer[2], answer[3], answer[4], answer[5]]);
    if answer[0] == 3 {
        assert_eq!(answer[1] == 1, value > 0.0, "the thesis's status tells the same");
    }
    value
}

fn arriving(host: &TestServer) -> u64 {
    host.server.stats().arriving_bytes
}

fn host(limits: RobotOneLimits) -> TestServer {
    let options = RobotOneOptions { limits, ..RobotOneOptions::any_ports() };
    let setup = KinematicSetup { pace: KinematicPace::Free(1.0), ..Default::default() };
    TestServer::with(setup, options)
}

#[test]
fn what_would_pass_the_budget_is_refused_and_all_others_go_on() {
    const MIB: usize = 1 << 20;
    let most = 8 * MIB as u64;
    let host = host(RobotOneLimits { arriving_bytes: 8 * MIB, ..Default::default() });
    let held_at_most = |count: u64| {
        let held = arriving(&host);
        assert!(held <= most + count * ALWAYS, "{held} bytes");
    };
    // 40 programs of both dialects promise 2 MiB each and send the half of it: 40 MiB in all.
    let mut halves: Vec<(TcpStream, Vec<u8>)> = (0..40)
        .map(|index| {
            let dialect = Dialect::ALL[index % 2];
            let mut stream = stream(&host, dialect);
            let request = load(dialect, 2 * MIB);
            stream.write_all(&request[..request.len() - MIB]).unwrap();
            held_at_most(40);
            (stream, request)
        })
        .collect();
    eventually("it is full", || arriving(&host) > most - MIB as u64);
    // Meanwhile time goes on, and another program is served; a map of the usual size, too.
    let before = host.robots.world().time_s;
    eventually("time goes on", || host.robots.world().time_s > before + 0.05);
    let mut other = host.connect(Dialect::Thesis);
    other.set_velocity([0.5, 0.0]).unwrap();
    other.wait().unwrap();
    assert_eq!(other.velocity().unwrap(), [0.5, 0.0]);
    other.load_maze(b"R 3 4\nW 0 0 1 0\n").unwrap();
    assert_eq!(other.pose().unwrap()[..2], [3.0, 4.0]);
    let large = &load(Dialect::Thesis, MIB)[24..];
    assert!(other.load_maze(large).is_err(), "a large one is told to come later");
    assert_eq!(other.pose().unwrap()[..2], [3.0, 4.0], "and has no effect");
    drop(other);

    // The rest comes: some were in time, the others are refused, with the reason in the log.
    let mut done = 0;
    for (stream, request) in &mut halves {
        stream.write_all(&request[request.len() - MIB..]).unwrap();
        done += usize::from(value(stream) > 0.0);
        held_at_most(40);
    }
    assert!((1..40).contains(&done), "{done}");
    assert!(host.has_told("World.Maze.Load: expected at most 8388608 bytes of data from all"));
    assert!(host.has_told("got more with these 2097152: send them again later"));
    assert_eq!(host.server.stats().refused, 41 - done as u64);
    eventually("everything is given back", || arriving(&host) == 0);
    // One after the other, all of them have room; the same connections are good for it.
    for (stream, request) in &mut halves {
        stream.write_all(request).unwrap();
        assert_eq!(value(stream), 2.0 * MIB as f32);
    }
    assert_eq!(arriving(&host), 0);
}

#[test]
fn programs_that_vanish_give_their_share_back() {
    let host = host(RobotOneLimits::default());
    let most = RobotOneLimits::default().arriving_bytes as u64;
    let largest = load(Dialect::Thesis, 16 << 20);
    for round in 0..2 {
        // All but the last byte.
        let halves: Vec<TcpStream> = (0..12)
            .map(|_| {
                let mut stream = stream(&host, Dialect::Thesis);
                stream.write_all(&largest[..largest.len() - 1]).unwrap();
                stream
            })
            .collect();
        let held = || arriving(&host);
        eventually("it is full", || held() > most - (16 << 20));
        assert!(held() <= most + 12 * ALWAYS, "{} bytes", held());
        for stream in halves {
            if round == 0 {
                // By a reset rather than an orderly end.
                socket2::SockRef::from(&stream).set_linger(Some(Duration::ZERO)).unwrap();
            }
        }
        eventually("everything is given back", || held() == 0);
        eventually("they are gone", || host.server.stats().clients == 0);
        let mut honest = host.connect(Dialect::Thesis);
        honest.load_maze(&largest[24..]).unwrap();
        assert_eq!(honest.pose().unwrap()[..2], [1.0, 2.0]);
        assert_eq!(held(), 0);
    }
}
