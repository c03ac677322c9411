//! What tests need besides a Rust toolchain: installed where missing, done without where that is
//! possible and said.

use std::env;

use anyhow::{Context, Result};

use crate::command::{cargo, output_of, program, repository, succeed, works};

pub(crate) const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// Tells tests that wasm32 cannot be tested here, with the reason as its value.
pub(crate) const NO_WASM: &str = "ROLIMA_NO_WASM";

/// What was found or could be installed.
pub(crate) struct Tools {
    /// Whether tests run under cargo-nextest; under plain `cargo test` otherwise.
    pub(crate) has_nextest: bool,
    /// Why the wasm32 test has to be left out, if so.
    pub(crate) no_wasm: Option<String>,
}

/// Finds every tool, installing what is missing.
pub(crate) fn prepare() -> Result<Tools> {
    component("rustfmt", "fmt")?;
    component("clippy", "clippy")?;
    // A C program reads the state block in a test.
    if !works(&mut program("cc", &["--version"])) {
        system_package("gcc")?;
    }
    // Clients of Robot One are tested in C, Octave and Python.
    let has_octave =
        ["octave-cli", "mkoctfile"].iter().all(|name| works(&mut program(name, &["--version"])));
    if !has_octave {
        system_package("octave-dev")?;
    }
    // The encoder of MP4 films is in C++.
    if !works(&mut program("c++", &["--version"])) {
        system_package("g++")?;
    }
    // Films are played back.
    let plays = ["ffmpeg", "ffprobe"].iter().all(|name| works(&mut program(name, &["-version"])));
    if !plays {
        system_package("ffmpeg")?;
    }
    python()?;
    Ok(Tools { has_nextest: nextest(), no_wasm: wasm_obstacle() })
}

/// Formatting and lints cannot be done without.
fn component(component: &str, subcommand: &str) -> Result<()> {
    if works(&mut cargo(&[subcommand, "--version"])) {
        return Ok(());
    }
    println!("installing {component}");
    succeed(&mut program("rustup", &["component", "add", component]))
        .with_context(|| format!("{component} is missing and could not be installed"))
}

/// What cargo is told about a build of the program: without MP4 films where nothing compiles their encoder.
pub(crate) fn features() -> &'static [&'static str] {
    // As the encoder's build finds its compiler.
    let chosen = env::var("CXX").unwrap_or_else(|_| "c++".to_owned());
    if cfg!(windows) || works(&mut program(chosen, &["--version"])) {
        return &[];
    }
    println!(
        "note: there is no C++ compiler, so `rolima film` will not write MP4 (on Debian and Ubuntu: apt install g++)"
    );
    &["--no-default-features", "--features", "parquet"]
}

/// Installs a package of the system, where it has apt and this user may.
pub(crate) fn system_package(name: &str) -> Result<()> {
    println!("installing {name} from the system's packages");
    let install = || {
        let mut install =
            program("apt-get", &["install", "--yes", "--no-install-recommends", name]);
        install.env("DEBIAN_FRONTEND", "noninteractive").stdout(std::process::Stdio::null());
        succeed(&mut install)
    };
    // A fresh machine may not know its packages yet.
    install()
        .or_else(|_| {
            succeed(program("apt-get", &["update"]).stdout(std::process::Stdio::null()))?;
            install()
        })
        .with_context(|| format!("{name} is missing and could not be installed: install it"))
}

/// Where tests find a Python of their own.
const PYTHON: &str = "target/python";

/// A Python with numpy, with OpenCV for an example, with setuptools and wheel to install our package with, and with
/// readers of recordings that are not ours.
fn python() -> Result<()> {
    let own = repository().join(PYTHON).join("bin/python");
    if works(&mut program(
        &own,
        &["-c", "import numpy, cv2, setuptools, wheel, mcap, mcap_protobuf"],
    )) {
        return Ok(());
    }
    println!("installing numpy, OpenCV, setuptools, wheel and mcap into {PYTHON}");
    if !works(&mut program("python3", &["-c", "import ensurepip, venv"])) {
        system_package("python3-venv")?;
    }
    succeed(&mut program("python3", &["-m", "venv", PYTHON]))?;
    let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    succeed(program(&own, &pip).args([
        "numpy",
        "opencv-python-headless",
        "setuptools",
        "wheel",
        "mcap",
        "mcap-protobuf-support",
    ]))
    .context("numpy, OpenCV or mcap is missing and could not be installed")
}

fn nextest() -> bool {
    let is_there = || works(&mut cargo(&["nextest", "--version"]));
    if is_there() {
        return true;
    }
    println!("installing cargo-nextest (compiles for some minutes, once)");
    let installed = succeed(&mut cargo(&["install", "--locked", "cargo-nextest"]));
    if let Err(error) = installed {
        println!("note: {error:#}; tests run under `cargo test` instead, which is slower");
        return false;
    }
    is_there()
}

/// Makes sure of the wasm32 target and of Node; what stands in the way, if anything.
fn wasm_obstacle() -> Option<String> {
    if let Ok(reason) = env::var(NO_WASM) {
        return Some(reason);
    }
    if !works(&mut program("node", &["--version"])) {
        return Some("node is not installed".to_owned());
    }
    target(WASM_TARGET).err().map(|error| format!("{error:#}"))
}

/// Makes sure that the compiler has a target.
pub(crate) fn target(name: &str) -> Result<()> {
    if has_target(name) {
        return Ok(());
    }
    println!("installing the {name} target");
    succeed(&mut program("rustup", &["target", "add", name]))
}

/// Whether the compiler has the target's standard library; works without rustup too.
fn has_target(name: &str) -> bool {
    let arguments = ["--print", "target-libdir", "--target", name];
    let directory = output_of(&mut program("rustc", &arguments)).unwrap_or_default();
    std::path::Path::new(directory.trim()).is_dir()
}
