//! Programs in C with the library.

use super::simulator::Simulator;
use super::{Folder, TestServer, built, off, printed, repository, run};
use rolima_serve::robotone::kinematic::KinematicSetup;
use rolima_wire::robotone::Dialect;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Compiles a program against the header and the library.
pub(super) fn compile(folder: &Folder, source: &Path) -> PathBuf {
    let program = folder.file("program");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let mut command = Command::new(compiler);
    command.args(["-std=c11", "-D_DEFAULT_SOURCE", "-Wall", "-Wextra", "-Werror", "-O1"]);
    command.arg("-I").arg(include).arg(source).arg("-o").arg(&program);
    command.arg("-L").arg(built()).args(["-lrobotOne", "-lm", "-lpthread"]);
    command.arg(format!("-Wl,-rpath,{}", built().display()));
    run(&mut command, "gcc");
    program
}

pub(super) fn own(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(name)
}

#[test]
fn every_function_of_the_released_library_works() {
    let folder = Folder::new("released");
    let program = compile(&folder, &own("released.c"));
    let host = TestServer::with_wall();
    let text = run(Command::new(program).arg(host.address(Dialect::Release)), "gcc");
    assert_eq!(text, "done\n");
}

#[test]
fn handles_serve_several_threads_and_outlive_the_server() {
    let folder = Folder::new("handles");
    let program = compile(&folder, &own("handles.c"));
    let setup = KinematicSetup { robots: vec![[0.0; 3]; 2], ..Default::default() };
    let host = TestServer::new(setup);
    let mut child = Command::new(program)
        .arg(host.address(Dialect::Thesis))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a program");
    let mut lines = BufReader::new(child.stdout.take().expect("its output")).lines();
    let ready = lines.next();
    if ready.is_none() {
        panic!("{}", printed(child.wait_with_output().expect("its end")));
    }
    assert_eq!(ready.expect("a line").expect("text"), "ready");
    drop(host);
    // Dead of SIGPIPE, it would print nothing more.
    let last = lines.next().map(|line| line.expect("text"));
    printed(child.wait_with_output().expect("its end"));
    assert_eq!(last.as_deref(), Some("done"));
}

#[test]
fn a_six_wheeled_rover_is_driven_wheel_by_wheel() {
    let folder = Folder::new("rover");
    let program = compile(&folder, &own("rover.c"));
    let simulator = Simulator::start("rover");
    let mut command = Command::new(program);
    simulator.reach(&mut command);
    assert_eq!(run(&mut command, "gcc"), "done\n");
}

#[test]
fn the_library_has_the_released_symbols() {
    let library = std::fs::read(built().join("librobotOne.so")).expect("a library");
    let header = include_str!("../../include/robotOne.h");
    let released = [
        "connectRobotOne",
        "disconnectRobotOne",
        "versionRobotOne",
        "waitRobotOne",
        "get",
        "set",
        "getData",
        "getDataFloat",
        "setData",
        "setDataFloat",
        "initLidar",
        "readLidar",
        "initCamera",
        "captureCamera",
        "getPose",
        "setPose",
        "getOdometry",
        "setOdometry",
        "getOdometryStd",
        "setOdometryStd",
        "getGPS",
        "getGPSStd",
        "setGPSStd",
        "getVelocity",
        "setVelocity",
        "getLowLevelControl",
        "setLowLevelControl",
        "getTrace",
        "setTrace",
        "getWheels",
        "setWheels",
        "getManualController",
        "setManualController",
    ];
    for name in released {
        let symbol = [&[0], name.as_bytes(), &[0]].concat();
        assert!(library.windows(symbol.len()).any(|bytes| bytes == symbol), "{name}");
        assert!(header.contains(&format!("{name}(")), "{name}");
    }
}

#[test]
fn the_pid_square_in_c() {
    let folder = Folder::new("pid-c");
    let program = compile(&folder, &repository().join("examples/c/pid_square.c"));
    let host = TestServer::new(KinematicSetup::default());
    let mut command = Command::new(program);
    host.reach(&mut command);
    let text = run(&mut command, "gcc");
    assert!(text.contains("goal 3 reached"), "{text}");
    assert!(off(&host, [0.0, 10.0]) <= 0.05, "{:?}", host.place());
}

#[test]
fn the_pid_square_in_c_in_the_simulator() {
    let folder = Folder::new("pid-c-simulator");
    let program = compile(&folder, &repository().join("examples/c/pid_square.c"));
    let simulator = Simulator::start("maze");
    let mut command = Command::new(program);
    simulator.reach(&mut command);
    let text = run(&mut command, "gcc");
    assert!(text.contains("goal 3 reached"), "{text}");
    simulator.has_driven_the_square();
}

/// There is no MATLAB here, but what it documents: a call that only Octave has is an error.
#[test]
fn the_mex_file_uses_only_what_matlab_has_too() {
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let mut command = Command::new(compiler);
    command.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]);
    command.arg("-I").arg(own("matlab")).arg("-I").arg(include);
    command.arg(repository().join("clients/octave/robotone_mex.c"));
    run(&mut command, "gcc");
}
