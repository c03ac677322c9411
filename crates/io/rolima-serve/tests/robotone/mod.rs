//! Robot One on real sockets: names, seats, waiting, pictures, and programs that misbehave.
#![allow(clippy::unwrap_used)] // in helpers too

mod allowed;
mod arriving;
mod faulty;
mod hostile;
mod names;
mod programs;
mod released;
mod seats;
mod waiting;

use rolima_robotone::{Dialect, Options, RobotOne};
use rolima_serve::robotone::kinematic::{Kinematic, KinematicPace, KinematicSetup};
use rolima_serve::robotone::{RobotOneOptions, RobotOneServer, RobotOneServerHandle};
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Longest that anything may take.
const DEADLINE: Duration = Duration::from_secs(60);

/// A server of robots in memory.
struct TestServer {
    robots: Arc<Kinematic>,
    server: RobotOneServerHandle,
    lines: Arc<Mutex<Vec<String>>>,
}

impl TestServer {
    /// Robots at the origin, whose time goes on with the programs.
    fn new() -> Self {
        Self::with(KinematicSetup::default(), RobotOneOptions::any_ports())
    }

    /// So many robots in a row, in real time.
    fn free(robots: usize) -> Self {
        let start = |index| [0.0, index as f64, 0.0];
        let robots = (0..robots).map(start).collect();
        let setup = KinematicSetup { robots, pace: KinematicPace::Free(1.0), ..Default::default() };
        Self::with(setup, RobotOneOptions::any_ports())
    }

    fn with(setup: KinematicSetup, mut options: RobotOneOptions) -> Self {
        let lines = Arc::new(Mutex::new(vec![]));
        let kept = Arc::clone(&lines);
        options.log = Arc::new(move |line| kept.lock().unwrap().push(line.to_owned()));
        let robots = Arc::new(Kinematic::new(setup));
        let server = RobotOneServer::start(options, robots.clone()).expect("a server");
        Self { robots, server, lines }
    }

    fn address(&self, dialect: Dialect) -> SocketAddr {
        self.server.address(dialect).expect("it is spoken")
    }

    fn connect(&self, dialect: Dialect) -> RobotOne {
        let read_timeout = Some(DEADLINE);
        let options = Options { dialect, read_timeout, ..Options::default() };
        let address = self.address(dialect).to_string();
        RobotOne::connect_with(&address, options).expect("a connection")
    }

    fn has_told(&self, what: &str) -> bool {
        self.lines.lock().unwrap().iter().any(|line| line.contains(what))
    }
}

/// Waits until something holds.
#[track_caller]
fn eventually(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < DEADLINE, "not within {DEADLINE:?}: {what}");
        std::thread::sleep(Duration::from_millis(1));
    }
}
