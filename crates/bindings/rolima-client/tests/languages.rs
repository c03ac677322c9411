//! Clients in C and Python get the frames that the camera made; the examples run.
#![cfg(unix)]

use crate::common::{Expected, Running, model, options};
use rolima_testing::Folder;
use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
}

/// Where the library is: beside the tests.
fn built() -> PathBuf {
    let test = std::env::current_exe().expect("this test");
    test.parent().expect("a folder").to_owned()
}

/// What a program printed; fails if the program did.
#[track_caller]
fn printed(command: &mut Command) -> String {
    let output = command.output().expect("a program: `cargo xtask test` installs it");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}\n{text}\n{errors}", output.status);
    text
}

/// Compiles a program against the header and the library.
fn compile(folder: &Folder, source: &Path) -> PathBuf {
    let program = folder.file("program");
    let compiler = std::env::var("CC").unwrap_or_else(|_| "cc".to_owned());
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("include");
    let mut command = Command::new(compiler);
    command.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-O1", "-I"]);
    command.arg(include).arg(source).arg("-o").arg(&program);
    command.arg("-L").arg(built()).arg("-lrolima_client");
    command.arg(format!("-Wl,-rpath,{}", built().display()));
    printed(&mut command);
    program
}

/// A Python with numpy that has the package.
fn python() -> Command {
    // Where `cargo xtask test` has put it, else the user's own.
    let place = repository().join("target/python/bin/python");
    let own = std::env::var_os("ROLIMA_PYTHON").map(Into::into);
    let program: PathBuf = own.unwrap_or(if place.exists() { place } else { "python3".into() });
    let mut command = Command::new(program);
    command.env("PYTHONPATH", repository().join("clients/camera"));
    command.env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

const WAYS: [(&str, Option<u32>); 3] = [("tcp", None), ("udp", None), ("lockstep", Some(1))];

/// Checks lines with number, step and checksum of frames.
fn check(lines: &str, expected: &mut Expected, count: usize) {
    let mut seen = 0;
    for line in lines.lines() {
        let numbers: Vec<u64> =
            line.split(' ').map(|word| word.parse().expect("a number")).collect();
        let picture = expected.at(numbers[1]);
        assert_eq!(numbers[2], u64::from(crc32fast::hash(&picture)), "frame {}", numbers[0]);
        seen += 1;
    }
    assert_eq!(seen, count);
}

#[test]
fn a_program_in_c_gets_every_frame_bit_for_bit() {
    let folder = Folder::new("camera-c");
    let program = compile(&folder, &Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/frames.c"));
    for (way, lock_step) in WAYS {
        let model = model("shadows = true\n");
        let run = Running::start(&model, &options(), lock_step);
        let mut command = Command::new(&program);
        let lines = printed(command.arg(run.address(0).to_string()).args([way, "5"]));
        check(&lines, &mut Expected::new(&model, "overhead"), 5);
    }
}

#[test]
fn a_program_in_python_gets_every_frame_bit_for_bit_also_noisy_ones() {
    let folder = Folder::new("camera-python");
    for (way, lock_step) in WAYS {
        let keys =
            if way == "tcp" { "imaging = \"competition\"\nlost = 0\nlate = 0\n" } else { "" };
        let model = model(keys);
        let run = Running::start(&model, &options(), lock_step);
        let file = folder.file(way);
        let test = repository().join("clients/camera/tests/frames.py");
        let mut command = python();
        command.arg(test).arg(run.address(0).to_string()).args([way, "5"]).arg(&file);
        assert_eq!(printed(&mut command).trim(), "done");
        let lines = std::fs::read_to_string(file).expect("lines");
        check(&lines, &mut Expected::new(&model, "overhead"), 5);
    }
}

#[test]
fn the_examples_find_the_ball() {
    let model = model("");
    let run = Running::start(&model, &options(), None);
    let folder = Folder::new("camera-example");
    let program = compile(&folder, &repository().join("examples/c/camera.c"));
    let text = printed(Command::new(program).arg(run.address(0).to_string()).arg("3"));
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(text.contains("ball at "), "{text}");
    let example = repository().join("examples/python/camera_blobs.py");
    let text = printed(python().arg(example).arg(run.address(0).to_string()).arg("3"));
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(text.contains("blue at ") && text.contains("yellow at "), "{text}");
}
