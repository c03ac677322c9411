//! The Python client for soccer and its example, against the real program over real sockets.
#![cfg(unix)]

use crate::common;

use common::files::certificate_in;
use common::running::{HERE, Running};
use common::stderr;
use rolima_testing::Folder;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn client() -> PathBuf {
    repository().join("clients/soccer")
}

/// A Python with numpy that finds the package there.
fn python(package: &Path) -> Command {
    // Where `cargo xtask test` has put it, else the user's own.
    let place = repository().join("target/python/bin/python");
    let own = std::env::var_os("ROLIMA_PYTHON").map(Into::into);
    let program: PathBuf = own.unwrap_or(if place.exists() { place } else { "python3".into() });
    let mut command = Command::new(program);
    command.env("PYTHONPATH", package).env("PYTHONDONTWRITEBYTECODE", "1");
    command
}

/// What a program printed; fails if the program did.
#[track_caller]
fn printed(command: &mut Command) -> String {
    let output = command.output().expect("Python with numpy: `cargo xtask test` installs it");
    let text = common::stdout(&output);
    assert!(output.status.success(), "{}\n{text}\n{}", output.status, stderr(&output));
    text.trim().to_owned()
}

fn test_of_package(arguments: &[&str]) -> String {
    printed(python(&client()).arg(client().join("tests").join(arguments[0])).args(&arguments[1..]))
}

fn striker(address: &str, arguments: &[&str]) -> String {
    let example = repository().join("examples/python/soccer_striker.py");
    printed(python(&client()).arg(example).arg(address).args(arguments))
}

const LOCK_STEP: [&str; 6] = ["run", "soccer", "--headless", "--json", "--lock-step", "1"];

#[test]
fn the_codec_speaks_the_schema_of_the_simulator() {
    let schema = repository().join("crates/io/rolima-wire/proto/live.proto");
    assert_eq!(test_of_package(&["codec.py", schema.to_str().expect("a path")]), "done");
}

#[test]
fn a_match_in_lock_step_and_its_end() {
    let run = Running::start(&[&LOCK_STEP[..], &["--listen", HERE, "--for", "12"]].concat());
    assert_eq!(test_of_package(&["plays.py", "lockstep", &run.address]), "done");
    run.result();
}

#[test]
fn a_match_in_real_time() {
    let run = Running::start(&["run", "soccer", "--headless", "--json", "--listen", HERE]);
    assert_eq!(test_of_package(&["plays.py", "realtime", &run.address]), "done");
}

#[test]
fn what_is_refused_is_said() {
    let run = Running::start(&["run", "soccer", "--headless", "--listen", "0.0.0.0:0"]);
    let address = format!("http://127.0.0.1:{}/{}", run.port(), run.query);
    assert_eq!(test_of_package(&["plays.py", "refused", &address]), "done");
}

#[test]
fn a_match_over_an_encrypted_connection() {
    let folder = Folder::new("soccer-tls");
    let [certificate, key] = certificate_in(&folder);
    let run = ["run", "soccer", "--headless", "--no-robotone", "--listen", HERE];
    let run =
        Running::start(&[&run[..], &["--tls-cert", &certificate, "--tls-key", &key]].concat());
    let address = format!("https://{}/", run.address);
    assert_eq!(test_of_package(&["plays.py", "encrypted", &address, &certificate]), "done");
}

/// The striker against robots that drive at random; what it printed, and the run's result.
fn match_of_striker(seed: &str) -> (String, Value) {
    let here = ["--listen", HERE, "--seed", seed, "--for", "30", "--set", "driver=random"];
    let run = Running::start(&[&LOCK_STEP[..], &here].concat());
    let text = striker(&run.address, &["--goals", "99"]);
    (text, run.result())
}

#[test]
fn the_striker_scores_in_lock_step_and_the_same_match_comes_out_again() {
    let (text, result) = match_of_striker("3");
    let goals = text.lines().filter(|line| line.ends_with("Goal for blue")).count();
    let score = text.lines().last().and_then(|line| line.split(' ').next());
    assert!(goals >= 1 && score == Some(goals.to_string().as_str()), "{text}");
    let again = match_of_striker("3");
    assert_eq!((again.0, &again.1["state_hash"]), (text, &result["state_hash"]));
    let other = match_of_striker("4").1;
    assert_ne!(other["state_hash"], result["state_hash"], "another seed, another match");
}

#[test]
fn the_striker_scores_in_real_time() {
    // At half the speed a busy machine still sees most of the match.
    let standing = ["--set", "driver=none", "--speed", "0.5", "--listen", HERE];
    let run = Running::start(&[&["run", "soccer", "--headless"][..], &standing].concat());
    let text = striker(&run.address, &["--real-time", "--for", "60"]);
    assert!(text.lines().any(|line| line.ends_with("Goal for blue")), "{text}");
}

#[test]
fn pip_installs_the_package() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rolima-soccer-package");
    let _ = std::fs::remove_dir_all(&folder);
    // From a copy, as building leaves things beside the sources.
    let copy = folder.join("sources");
    std::fs::create_dir_all(copy.join("rolima_soccer")).expect("a folder");
    for file in ["pyproject.toml", "README.md"] {
        std::fs::copy(client().join(file), copy.join(file)).expect(file);
    }
    for file in std::fs::read_dir(client().join("rolima_soccer")).expect("a folder").flatten() {
        if file.path().is_file() {
            let name = Path::new("rolima_soccer").join(file.file_name());
            std::fs::copy(file.path(), copy.join(name)).expect("a copy");
        }
    }
    let installed = folder.join("installed");
    let mut pip = python(Path::new(""));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip.args(["--no-deps", "--no-build-isolation", "--target"]).arg(&installed).arg(&copy);
    printed(&mut pip);
    let show = "import rolima_soccer; print(rolima_soccer.__file__, rolima_soccer.Match.__name__)";
    let text = printed(python(&installed).args(["-c", show]));
    assert!(text.contains("installed") && text.ends_with(" Match"), "{text}");
    assert!(installed.join("rolima_soccer/py.typed").exists());
}
