//! The released library, by a stand-in with its habits: one `recv` a reply, what was in memory in the
//! value of a get, three round trips for a pose.

use super::TestServer;
use rolima_robotone::Dialect;
use rolima_serve::robotone::kinematic::KinematicSetup;
use rolima_serve::robotone::{Priming, RobotOneOptions};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Bytes of a picture's reply.
const PICTURE: usize = 10 + 230_400;

/// A program of the release's dialect. What it sends in the value of a get is told; how it reads is
/// its own.
struct Program {
    stream: TcpStream,
    value: [u8; 4],
    /// Chunks and bytes that began with 0 or 1 where a reply belongs: the released library throws such
    /// chunks away, other clients are lost.
    thrown_away: usize,
}

impl Program {
    fn new(host: &TestServer, value: f32) -> Self {
        Self::of(TcpStream::connect(host.address(Dialect::Release)).unwrap(), value)
    }

    fn of(stream: TcpStream, value: f32) -> Self {
        stream.set_read_timeout(Some(super::DEADLINE)).unwrap();
        Self { stream, value: value.to_le_bytes(), thrown_away: 0 }
    }

    fn send(&mut self, name: &str) {
        let length = (name.len() as u32).to_le_bytes();
        let request = [&[0], &length[..], name.as_bytes(), &self.value].concat();
        self.stream.write_all(&request).unwrap();
    }

    /// As the released library reads: one `recv`, again while it begins with 0 or 1.
    fn get(&mut self, name: &str) -> Vec<u8> {
        self.send(name);
        let mut buffer = vec![0; 2 << 20];
        loop {
            let count = self.stream.read(&mut buffer).unwrap();
            assert!(count > 0, "the connection ended");
            if buffer[0] > 1 {
                return buffer[..count].to_vec();
            }
            self.thrown_away += count;
        }
    }

    fn number(&mut self, name: &str) -> f32 {
        let reply = self.get(name);
        assert_eq!((reply.len(), reply[0]), (6, 2), "{name}");
        f32::from_le_bytes(*reply[2..].first_chunk().unwrap())
    }

    fn pose(&mut self) -> [f32; 3] {
        ["Pose.X", "Pose.Y", "Pose.Theta"].map(|name| self.number(name))
    }

    /// As a careful client reads: all that a picture has; how many bytes were not a picture's.
    fn picture_in_full(&mut self) -> usize {
        self.send("Camera.Capture");
        let mut byte = [0];
        let mut before = 0;
        self.stream.read_exact(&mut byte).unwrap();
        while byte[0] == 0 {
            before += 1;
            self.stream.read_exact(&mut byte).unwrap();
        }
        assert_eq!(byte[0], 3);
        let mut rest = vec![0; PICTURE - 1];
        self.stream.read_exact(&mut rest).unwrap();
        before
    }
}

fn host(priming: Priming) -> TestServer {
    let options = RobotOneOptions { priming, ..RobotOneOptions::any_ports() };
    TestServer::with(KinematicSetup::default(), options)
}

#[test]
fn the_released_library_is_recognised_before_its_first_picture() {
    // By its poses, or at the request for the picture itself.
    for asks_before in [true, false] {
        let host = host(Priming::Recognised);
        let mut program = Program::new(&host, 1.5e-38);
        if asks_before {
            assert_eq!(program.pose(), [0.0; 3]);
            assert!(program.number("Time.Wait") > 0.0);
        }
        assert_eq!(program.picture_in_full(), 4 << 20, "zeros, which it throws away");
        assert_eq!(program.picture_in_full(), 0, "once");
        assert_eq!(program.pose(), [0.0; 3]);
        assert_eq!(program.thrown_away, 0);
        assert!(host.has_told("has the habits of the released library"));
        assert!(host.has_told("wants a core to itself"));
    }
    // Its own way of reading finds its way through them.
    let host = host(Priming::Recognised);
    let mut program = Program::new(&host, -7.0);
    let reply = program.get("Camera.Capture");
    assert_eq!((reply[0], reply[1]), (3, 1), "a picture begins");
    assert_eq!(program.thrown_away, 4 << 20);
}

/// The first packet of a picture is held back until the last is copied, so that all leave together, and is
/// shorter than those that follow. So are all bytes that have come before one that there is no room for.
#[cfg(target_os = "linux")]
#[test]
fn pictures_of_the_released_library_leave_behind_a_packet_that_is_held_back() {
    const HELD: usize = 60_000;
    // With and without time stamps in its head.
    let is_full =
        |bytes: usize| [65_483, 65_495].into_iter().any(|full| bytes.is_multiple_of(full));
    let host = host(Priming::Recognised);
    let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    socket.set_recv_buffer_size(128 << 10).unwrap();
    socket.connect(&host.address(Dialect::Release).into()).unwrap();
    let mut program = Program::of(socket.into(), 1.5e-38);
    assert_eq!(program.picture_in_full(), 4 << 20);
    let shows_packets = (0..100).any(|_| {
        program.send("Camera.Capture");
        let come = program.stream.peek(&mut vec![0; 1 << 20]).unwrap();
        program.stream.read_exact(&mut vec![0; PICTURE]).unwrap();
        assert!(!is_full(come), "{come} bytes are full packets, none held back");
        // After 200 ms what there is room for comes of the next one, too.
        come == HELD || come > HELD && is_full(come - HELD)
    });
    assert!(shows_packets, "the machine is too busy");
}

#[test]
fn no_other_program_ever_sees_a_primed_byte() {
    let host = host(Priming::Recognised);
    // Zeros in the value of a get.
    let mut zeros = Program::new(&host, 0.0);
    assert_eq!(zeros.pose(), [0.0; 3]);
    assert_eq!(zeros.picture_in_full(), 0);
    assert!(host.has_told("start the run with --prime-receive-window"));
    drop(zeros);
    // Anything there, but numbers asked for all at once, or names that the library has never heard of.
    for name in ["Pose", "Velocity.Wheels", "Lidar.Scan", "World.Robots", "Time"] {
        let mut other = Program::new(&host, 3.25);
        other.get(name);
        assert_eq!(other.picture_in_full(), 0, "{name}");
    }
    let told = host.lines.lock().unwrap().len();
    assert_eq!(told, 1, "only where it may be the released library");
    // Our own clients, at either port, which would take them for a lost connection.
    for dialect in Dialect::ALL {
        let mut own = host.connect(dialect);
        own.pose().unwrap();
        own.capture().unwrap();
        own.lidar().unwrap();
        own.capture().unwrap();
    }
    assert!(!host.has_told("has the habits"), "{:?}", host.lines.lock().unwrap());
    // Nor anybody where that is switched off.
    let host = self::host(Priming::Never);
    let mut program = Program::new(&host, 1.5e-38);
    program.pose();
    assert_eq!(program.picture_in_full(), 0);
}

#[test]
fn sets_of_data_by_the_released_library_leave_it_in_order() {
    let host = host(Priming::Recognised);
    let mut program = Program::new(&host, 9.0);
    // `setData` and `setDataFloat` of a name that nobody knows: 40 bytes, or 40 numbers.
    for data in [&[7; 40][..], &[3; 160]] {
        let head = &b"\x01\x05\x00\x00\x00Mine!\x00\x00\x20\x42"[..];
        program.stream.write_all(&[head, data].concat()).unwrap();
        let mut reply = [9; 6];
        program.stream.read_exact(&mut reply).unwrap();
        assert_eq!(reply, [2, 1, 0, 0, 0, 0]);
        assert_eq!(program.pose(), [0.0; 3]);
    }
    assert!(host.has_told("there is no `Mine!`: 160 bytes"));
}

/// Head of a set of a name that nobody knows, with a value that may be a size.
fn doubtful(value: f32) -> Vec<u8> {
    [&b"\x01\x05\x00\x00\x00Mine!"[..], &value.to_le_bytes()].concat()
}

/// Half the time that data may take from their head on is left over for a slow machine.
const PAUSE: Duration = Duration::from_millis(20);
const SURE: Duration = Duration::from_millis(40);

/// Does something until it took so little time that it says something.
fn in_time(mut attempt: impl FnMut(Instant) -> bool) {
    let is_sure = (0..100).any(|_| attempt(Instant::now()));
    assert!(is_sure, "the machine is too busy for pauses of {PAUSE:?}");
}

#[test]
fn data_may_come_a_moment_after_their_head() {
    let host = host(Priming::Recognised);
    let refused = [2, 1, 0, 0, 0, 0];
    in_time(|start| {
        let mut program = Program::new(&host, 9.0);
        program.stream.write_all(&doubtful(40.0)).unwrap();
        std::thread::sleep(PAUSE);
        // Bytes that would be a request of their own.
        program.stream.write_all(&[1; 160]).unwrap();
        let is_sure = start.elapsed() < SURE;
        let mut reply = [9; 6];
        program.stream.read_exact(&mut reply).unwrap();
        assert!(!is_sure || (reply == refused && program.pose() == [0.0; 3]));
        is_sure
    });
    assert!(host.has_told("there is no `Mine!`: 160 bytes"));
    // The second of two has its own time, though its head comes with the data of the first.
    in_time(|start| {
        let mut program = Program::new(&host, 9.0);
        program.stream.write_all(&doubtful(1.0)).unwrap();
        std::thread::sleep(PAUSE);
        program.stream.write_all(&[&[1; 4][..], &doubtful(10.0)].concat()).unwrap();
        let (is_first_sure, second) = (start.elapsed() < SURE, Instant::now());
        std::thread::sleep(PAUSE + PAUSE / 2);
        program.stream.write_all(&[1; 40]).unwrap();
        let is_sure = is_first_sure && second.elapsed() < SURE;
        let mut replies = [9; 12];
        program.stream.read_exact(&mut replies).unwrap();
        assert!(!is_sure || (replies[..6] == refused && replies[6..] == refused));
        assert!(!is_sure || program.pose() == [0.0; 3]);
        is_sure
    });
}

#[test]
fn a_head_alone_is_answered_after_others_that_came_later() {
    let host = host(Priming::Recognised);
    in_time(|start| {
        let mut program = Program::new(&host, 9.0);
        let mut other = Program::new(&host, 9.0);
        other.pose();
        program.stream.write_all(&doubtful(40.0)).unwrap();
        other.pose();
        program.stream.set_nonblocking(true).unwrap();
        let mut reply = [9; 6];
        let is_there = program.stream.peek(&mut reply).is_ok();
        let is_sure = start.elapsed() < SURE;
        assert!(!is_sure || !is_there, "data are waited for");
        program.stream.set_nonblocking(false).unwrap();
        program.stream.read_exact(&mut reply).unwrap();
        assert_eq!(reply, [2, 1, 0, 0, 0, 0], "but not for ever");
        assert_eq!(program.pose(), [0.0; 3]);
        is_sure
    });
}
