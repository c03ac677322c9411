//! The functions for Octave and the examples in Octave.

use super::simulator::Simulator;
use super::{Folder, TestServer, built, off, repository, run};
use rolima_serve::robotone::kinematic::KinematicSetup;
use std::path::Path;
use std::process::Command;

/// An Octave that has the functions.
pub(super) struct Octave {
    mex: Folder,
}

impl Octave {
    /// Builds the MEX file as a user would.
    pub(super) fn new(name: &str) -> Self {
        let mex = Folder::new(name);
        let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
        let (include, library) = (include.display(), built());
        let (library, output) = (library.display(), mex.path().display());
        let build = format!("buildRobotOne('{include}', '{library}', '{output}')");
        run(plain().arg("--eval").arg(build), "Octave");
        Self { mex }
    }

    fn at(&self, host: &TestServer) -> Command {
        let mut command = self.command();
        host.reach(&mut command);
        command
    }

    pub(super) fn in_simulator(&self, simulator: &Simulator) -> Command {
        let mut command = self.command();
        simulator.reach(&mut command);
        command
    }

    fn command(&self) -> Command {
        let mut command = plain();
        command.arg("--path").arg(self.mex.path());
        command
    }
}

fn plain() -> Command {
    let mut command = Command::new("octave-cli");
    command.args(["--no-init-file", "--no-history", "--quiet"]);
    command.arg("--path").arg(repository().join("clients/octave"));
    command
}

#[test]
fn every_function_for_octave_works() {
    let octave = Octave::new("mex-every_function_for_octave_works");
    let host = TestServer::with_wall();
    let tests = repository().join("clients/octave/tests/functions.m");
    assert_eq!(run(octave.at(&host).arg(tests), "Octave"), "done\n");
}

#[test]
fn the_pid_square_in_octave() {
    let octave = Octave::new("mex-the_pid_square_in_octave");
    let host = TestServer::new(KinematicSetup::default());
    let folder = Folder::new("pid-octave");
    let plot = folder.file("path.svg");
    let example = repository().join("examples/octave/pid_square.m");
    let text = run(octave.at(&host).arg(example).arg(&plot), "Octave");
    let time: f64 = text.trim().rsplit(' ').nth(1).and_then(|t| t.parse().ok()).expect("a time");
    assert!(time < 60.0, "{text}");
    assert!(off(&host, [0.0, 10.0]) <= 0.05, "{:?}", host.place());
    let plot = std::fs::read_to_string(plot).expect("a plot");
    assert!(plot.contains("<polyline") && plot.matches("<circle").count() == 4);
}

#[test]
fn the_road_follower_in_octave_drives_a_whole_lap() {
    let octave = Octave::new("mex-the_road_follower_in_octave_drives_a_whole_lap");
    let host = TestServer::with_road();
    let example = repository().join("examples/octave/road_follower.m");
    let text = run(octave.at(&host).arg(example).arg("200"), "Octave");
    let way = host.robots.distances()[0];
    assert!(text.starts_with("a lap in 14"), "{text}, {way} m");
    assert!((250.0..350.0).contains(&way), "{way} m");
}

#[test]
fn the_pid_square_in_octave_in_the_simulator() {
    let octave = Octave::new("mex-the_pid_square_in_octave_in_the_simulator");
    let simulator = Simulator::start("maze");
    let folder = Folder::new("pid-octave-simulator");
    let plot = folder.file("path.svg");
    let example = repository().join("examples/octave/pid_square.m");
    run(octave.in_simulator(&simulator).arg(example).arg(&plot), "Octave");
    simulator.has_driven_the_square();
    let plot = std::fs::read_to_string(plot).expect("a plot");
    assert!(plot.contains("<polyline") && plot.matches("<circle").count() == 4);
}

#[test]
fn the_road_follower_in_octave_drives_a_lap_by_what_the_camera_sees() {
    let octave = Octave::new("mex-the_road_follower_in_octave_by_camera");
    let simulator = Simulator::start("road");
    let ([x, y], before_s) = simulator.rest();
    let example = repository().join("examples/octave/road_follower.m");
    let text = run(octave.in_simulator(&simulator).arg(example).arg("200"), "Octave");
    assert!(text.starts_with("a lap in 14"), "{text}");
    let (end, after_s) = simulator.rest();
    // Back where it started, after some 290 m at 2 m/s.
    let off = ((end[0] - x) * (end[0] - x) + (end[1] - y) * (end[1] - y)).sqrt();
    assert!(off < 4.0 && after_s - before_s > 125.0, "{off} m, {after_s} s");
}
