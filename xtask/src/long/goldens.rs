//! The golden hashes on machines that are not this one, as far as it can pretend to be them: the
//! golden test programs, built for the other machine and run by an emulator.

use std::path::PathBuf;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use crate::command::{cargo, command_line, program, repository, succeed, target_folder, works};
use crate::golden::{GOLDENS, programs};
use crate::test::PROFILE;
use crate::tools::{system_package, target};

/// A machine that the goldens are computed for.
struct Machine {
    /// What it is called in the table.
    name: &'static str,
    target: &'static str,
    /// Programs that are needed, each with the system's package that has it.
    needs: [(&'static str, &'static str); 2],
    /// The linker, where the compiler does not find it by itself.
    linker: Option<&'static str>,
    /// What runs its programs.
    runner: &'static str,
    /// Makes the emulator ready.
    set_up: fn() -> Result<()>,
    /// Part of the names of the tests that are run: where numbers are computed some 50 times slower, only
    /// those that compare with the golden files, and not those of snapshots and the like, too.
    tests: &'static str,
}

const WINDOWS: &str = "x86_64-pc-windows-gnu";

const MACHINES: [Machine; 2] = [
    Machine {
        name: "aarch64 Linux (emulated: qemu-user)",
        target: "aarch64-unknown-linux-gnu",
        needs: [
            ("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu libc6-dev-arm64-cross"),
            ("qemu-aarch64", "qemu-user"),
        ],
        linker: Some("aarch64-linux-gnu-gcc"),
        runner: "qemu-aarch64 -L /usr/aarch64-linux-gnu",
        set_up: || Ok(()),
        tests: "hashes",
    },
    Machine {
        name: "x86-64 Windows (emulated: wine)",
        target: WINDOWS,
        needs: [("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64"), ("wine", "wine wine64")],
        linker: None,
        runner: "wine",
        set_up: set_up_wine,
        tests: "",
    },
];

/// Computes the goldens on every machine that can be had; an error where a hash differs, or where no
/// machine could be had.
pub(super) fn goldens() -> Result<()> {
    let (mut rows, mut differs, mut done) = (vec![], false, 0);
    let compiles = check_for_windows();
    for machine in &MACHINES {
        println!("\n== goldens on {}", machine.name);
        let begin = Instant::now();
        let said = match prepare(machine) {
            Err(obstacle) => format!("NOT TRIED: {obstacle:#}"),
            Ok(()) => match run(machine) {
                Ok(()) => {
                    done += 1;
                    format!("the same bits, {:.0} s", begin.elapsed().as_secs_f64())
                }
                Err(error) => {
                    differs = true;
                    format!("FAILED: {error:#}")
                }
            },
        };
        rows.push(format!("{:<36} {said}", machine.name));
    }
    println!("\n{}", rows.join("\n"));
    compiles.context("not all targets compile for Windows")?;
    if differs {
        bail!("not all goldens were reached");
    }
    if done == 0 {
        bail!("no machine could be had to compare with");
    }
    Ok(())
}

/// Whether all targets compile for Windows, examples and tests among them; nothing is linked.
fn check_for_windows() -> Result<()> {
    target(WINDOWS)?;
    // Some dependencies have a part in C; the encoder of MP4 films is in C++.
    let compiler = "x86_64-w64-mingw32-g++";
    if !works(&mut program(compiler, &["--version"])) {
        system_package("g++-mingw-w64-x86-64")?;
    }
    let mut check = cargo(&["check", "--workspace", "--all-targets", "--target", WINDOWS]);
    println!("$ {}", command_line(&check));
    succeed(&mut check)
}

/// Gets compiler target, linker and emulator, installing what is missing.
fn prepare(machine: &Machine) -> Result<()> {
    target(machine.target).with_context(|| format!("the compiler has no {}", machine.target))?;
    for (name, packages) in machine.needs {
        if !works(&mut program(name, &["--version"])) {
            packages.split(' ').try_for_each(system_package)?;
        }
        if !works(&mut program(name, &["--version"])) {
            bail!("`{name}` does not start");
        }
    }
    (machine.set_up)()
}

/// Where wine keeps its Windows: out of the user's own folder.
fn wine_folder() -> PathBuf {
    repository().join(target_folder()).join("wine")
}

/// Wine is told where its Windows is, and that nothing shall be shown or fetched.
fn for_wine(command: &mut Command) -> &mut Command {
    command
        .env("WINEPREFIX", wine_folder())
        .env("WINEDEBUG", "-all")
        .env("WINEDLLOVERRIDES", "mscoree,mshtml=")
}

/// Programs in Rust want a library that an older wine lacks: it is given one.
fn set_up_wine() -> Result<()> {
    succeed(for_wine(&mut program("wine", &["cmd", "/c", "ver"])))?;
    let library = wine_folder().join("drive_c/windows/system32/bcryptprimitives.dll");
    if library.exists() {
        return Ok(());
    }
    println!("note: this wine has no bcryptprimitives.dll; a stand-in is built");
    let source = "xtask/src/long/bcryptprimitives.c";
    let mut compile = program("x86_64-w64-mingw32-gcc", &["-shared", "-O1", source, "-ladvapi32"]);
    succeed(compile.arg("-o").arg(library))
}

/// Builds and runs the golden tests.
fn run(machine: &Machine) -> Result<()> {
    let mut test = cargo(&["test", "--profile", PROFILE, "--target", machine.target]);
    test.args(programs(GOLDENS.iter())).arg(machine.tests);
    let key = machine.target.replace('-', "_").to_uppercase();
    test.env(format!("CARGO_TARGET_{key}_RUNNER"), machine.runner);
    if let Some(linker) = machine.linker {
        test.env(format!("CARGO_TARGET_{key}_LINKER"), linker);
    }
    for_wine(&mut test);
    println!("$ {}", command_line(&test));
    succeed(&mut test)
}
