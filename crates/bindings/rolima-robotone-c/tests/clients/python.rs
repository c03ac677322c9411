//! The Python package and the examples in Python.

use super::simulator::Simulator;
use super::{Folder, THESIS_MAP, TestServer, off, repository, run};
use rolima_serve::robotone::kinematic::KinematicSetup;
use std::process::Command;

/// A Python that has the package.
fn python(host: &TestServer) -> Command {
    let mut command = plain();
    host.reach(&mut command);
    command
}

pub(super) fn plain() -> Command {
    // Where `cargo xtask test` has put it, else the user's own.
    let place = repository().join("target/python/bin/python");
    let own = std::env::var_os("ROLIMA_PYTHON").map(Into::into);
    let program = own.unwrap_or(if place.exists() { place } else { "python3".into() });
    let mut command = Command::new(program);
    command.env("PYTHONPATH", repository().join("clients/python"));
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command.current_dir(repository().join("examples/python"));
    command
}

fn example(host: &TestServer, arguments: &[&str]) -> String {
    run(python(host).args(arguments), "Python with numpy")
}

#[test]
fn every_function_of_the_package_works_once_pip_has_installed_it() {
    let host = TestServer::with_wall();
    let folder = Folder::new("package");
    // From a copy, as building leaves things beside the sources.
    let sources = repository().join("clients/python");
    let copy = folder.file("sources");
    std::fs::create_dir_all(copy.join("robotone")).expect("a folder");
    for file in [
        "pyproject.toml",
        "README.md",
        "robotone/__init__.py",
        "robotone/connection.py",
        "robotone/py.typed",
    ] {
        std::fs::copy(sources.join(file), copy.join(file)).expect(file);
    }
    let installed = folder.file("installed");
    let mut pip = python(&host);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip.args(["--no-deps", "--no-build-isolation", "--target"]).arg(&installed).arg(&copy);
    run(&mut pip, "Python with setuptools");
    let mut tests = python(&host);
    tests.env("PYTHONPATH", &installed).arg(sources.join("tests/functions.py"));
    let text = run(&mut tests, "Python with numpy");
    assert_eq!(text.trim(), "done");
}

#[test]
fn the_pid_square_in_python() {
    let host = TestServer::new(KinematicSetup::default());
    let folder = Folder::new("pid-python");
    let plot = folder.file("path.svg");
    let text = example(&host, &["pid_square.py", plot.to_str().expect("a path")]);
    assert!(text.contains("corner 3 after"), "{text}");
    let time: f64 = text.trim().rsplit(' ').nth(1).and_then(|t| t.parse().ok()).expect("a time");
    assert!(time < 60.0, "{time} s");
    assert!(off(&host, [0.0, 10.0]) <= 0.05, "{:?}", host.place());
    let plot = std::fs::read_to_string(plot).expect("a plot");
    assert!(plot.contains("<polyline") && plot.matches("<circle").count() == 4);
}

#[test]
fn the_road_follower_in_python_drives_a_whole_lap() {
    let host = TestServer::with_road();
    let text = example(&host, &["road_follower.py", "200"]);
    assert!(text.starts_with("a lap in 14"), "{text}");
    let way = host.robots.distances()[0];
    assert!((250.0..350.0).contains(&way), "{way} m");
}

#[test]
fn the_wall_follower_stays_by_the_wall() {
    let host = TestServer::in_map(THESIS_MAP);
    let text = example(&host, &["wall_following.py", "150"]);
    let middle = text.split_once("; ").and_then(|(_, rest)| rest.split(' ').next());
    let middle: f64 = middle.and_then(|m| m.parse().ok()).expect("a distance");
    assert!((0.7..1.4).contains(&middle), "{text}");
    assert!(host.robots.distances()[0] > 60.0, "{text}");
}

/// Three nested pens with openings on different sides.
const MAZE: &str = "\
W -2 -2 -2 2\nW -2 2 2 2\nW -2 -2 2 -2\nW 2 -2 2 2\n\
W -6 -6 -6 6\nW -6 6 6 6\nW 6 6 6 -6\nW -6 -6 6 -6\n";

#[test]
fn the_bug_leaves_a_maze() {
    // The inner pen opens at the back, the outer one to the left.
    let maze = MAZE
        .replace("W -2 -2 -2 2\n", "W -2 -2 -2 -1.2\nW -2 1.2 -2 2\n")
        .replace("W -6 6 6 6\n", "W -6 6 -4 6\nW -1 6 6 6\n");
    let host = TestServer::in_map(&(maze + "R 0 0 0\n"));
    let folder = Folder::new("bug");
    let plot = folder.file("path.svg");
    let text = example(&host, &["bug.py", "10", "0", plot.to_str().expect("a path")]);
    assert!(text.contains("at the goal after"), "{text}");
    assert!(off(&host, [10.0, 0.0]) < 0.35, "{:?}", host.place());
}

#[test]
fn the_particle_filter_finds_the_robot() {
    let host = TestServer::in_map(&THESIS_MAP.replace("R 0 0", "R -5 -10 1.0"));
    let map = repository().join("scenes/maps/thesis.txt");
    let text = example(&host, &["particle_filter.py", map.to_str().expect("a path"), "120"]);
    let off: f64 = text.split(' ').next().and_then(|m| m.parse().ok()).expect("a distance");
    assert!(off < 0.6, "{text}");
}

/// What an example says after it has driven the robot of the thesis's map in the simulator.
fn in_simulator(arguments: &[&str]) -> String {
    let simulator = Simulator::start("maze");
    let mut command = plain();
    simulator.reach(&mut command);
    run(command.args(arguments), "Python with numpy")
}

#[test]
fn the_pid_square_in_python_in_the_simulator() {
    let simulator = Simulator::start("maze");
    let folder = Folder::new("pid-python-simulator");
    let plot = folder.file("path.svg");
    let mut command = plain();
    simulator.reach(&mut command);
    run(command.arg("pid_square.py").arg(&plot), "Python with numpy");
    simulator.has_driven_the_square();
    let plot = std::fs::read_to_string(plot).expect("a plot");
    assert!(plot.contains("<polyline") && plot.matches("<circle").count() == 4);
}

#[test]
fn the_wall_follower_stays_by_the_wall_in_the_simulator() {
    let text = in_simulator(&["wall_following.py", "150"]);
    let middle = text.split_once("; ").and_then(|(_, rest)| rest.split(' ').next());
    let middle: f64 = middle.and_then(|m| m.parse().ok()).expect("a distance");
    let way: f64 = text.split(' ').next().and_then(|m| m.parse().ok()).expect("a way");
    assert!((0.7..1.4).contains(&middle) && way > 60.0, "{text}");
}

#[test]
fn the_particle_filter_finds_the_robot_in_the_simulator() {
    let map = repository().join("scenes/maps/thesis.txt");
    let text = in_simulator(&["particle_filter.py", map.to_str().expect("a path"), "120"]);
    let off: f64 = text.split(' ').next().and_then(|m| m.parse().ok()).expect("a distance");
    assert!(off < 0.6, "{text}");
}
