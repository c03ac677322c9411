//! Clients in other languages against a running server: the C library, Python, Octave, and the
//! examples in them, with robots in memory and in the simulator.

mod c;
mod mounts;
mod octave;
mod python;
mod simulator;

use rolima_serve::robotone::kinematic::{Kinematic, KinematicSetup, road};
use rolima_serve::robotone::{RobotOneOptions, RobotOneServer, RobotOneServerHandle};
use rolima_testing::Folder;
use rolima_wire::robotone::Dialect;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

/// The map of the thesis.
const THESIS_MAP: &str = include_str!("../../../../../scenes/maps/thesis.txt");

/// A server of robots in memory, whose time goes on as fast as the programs ask.
struct TestServer {
    robots: Arc<Kinematic>,
    server: RobotOneServerHandle,
}

impl TestServer {
    fn new(setup: KinematicSetup) -> Self {
        let robots = Arc::new(Kinematic::new(setup));
        let server = RobotOneServer::start(RobotOneOptions::any_ports(), robots.clone());
        Self { robots, server: server.expect("a server") }
    }

    /// A robot at the origin, and a wall 3 m ahead.
    fn with_wall() -> Self {
        Self::new(KinematicSetup { walls: vec![[3.0, -2.0, 3.0, 2.0]], ..Default::default() })
    }

    /// The road of 290 m.
    fn with_road() -> Self {
        Self::new(KinematicSetup { ground: road(80.0, 20.7, 3.0), ..Default::default() })
    }

    fn in_map(map: &str) -> Self {
        let host = Self::new(KinematicSetup::default());
        let change = rolima_serve::robotone::robots::WorldChange::Load(map.as_bytes().to_vec());
        use rolima_serve::robotone::Robots;
        host.robots.change_world(change).expect("a map");
        host
    }

    fn address(&self, dialect: Dialect) -> String {
        self.server.address(dialect).expect("it is spoken").to_string()
    }

    /// Lets a program find this server where it would look for one.
    fn reach(&self, command: &mut Command) {
        reach(&self.server, command);
    }

    /// Where a robot is in the end: x and y.
    fn place(&self) -> [f64; 2] {
        use rolima_serve::robotone::Robots;
        let [x, y, _] = self.robots.robot(0).expect("a robot").pose;
        [x, y]
    }
}

/// Lets a program find a server where it would look for one.
fn reach(server: &RobotOneServerHandle, command: &mut Command) {
    let port = |dialect| server.address(dialect).expect("it is spoken").port().to_string();
    command.env("ROBOTONE_PORT", port(Dialect::Thesis));
    command.env("ROBOTONE_RELEASE_PORT", port(Dialect::Release));
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// The folder of this test, where the library lies too.
fn built() -> PathBuf {
    let test = std::env::current_exe().expect("this test");
    test.parent().expect("a folder").to_owned()
}

/// What a program printed; fails if the program did.
#[track_caller]
fn printed(output: Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{text}\n{errors}", output.status);
    text
}

/// Runs a program to its end.
#[track_caller]
fn run(command: &mut Command, install: &str) -> String {
    let output = command.output();
    printed(output.unwrap_or_else(|error| {
        panic!("{command:?}: {error}: `cargo xtask test` installs {install}")
    }))
}

/// How far the robot is from a place, m.
fn off(host: &TestServer, [x, y]: [f64; 2]) -> f64 {
    let [at_x, at_y] = host.place();
    ((at_x - x) * (at_x - x) + (at_y - y) * (at_y - y)).sqrt()
}
