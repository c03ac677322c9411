//! Every command that README.md, bench/README.md and docs/ print is run, and what it prints compared with what they
//! say; those that cannot be are listed with the reason.
#![cfg(unix)]

mod blocks;
use crate::common;
mod compare;

use blocks::{Shown, commands, files};
use compare::is_same;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What is done with a command of a document.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// It runs to its end and prints what the document says.
    Exact,
    /// It runs to its end; what it prints is not compared, for this reason.
    Runs,
    /// It goes on until it is ended, after what the document says, with any numbers.
    Serves,
    /// It is not run, for this reason.
    Left,
}

/// Commands that are not simply run to their end, by document (how it begins) and command, and why.
/// `...` stands for the rest of the command, or of the first line that it prints.
const EXCEPTIONS: &[(&str, &str, Way, &str)] = &[
    (
        "docs/first-steps.md",
        "rolima run soccer --tui",
        Way::Left,
        "needs a terminal; view/ has tests",
    ),
    ("docs/first-steps.md", "rolima run playground", Way::Serves, "the page"),
    (
        "docs/first-steps.md",
        "rolima run soccer --headless &",
        Way::Serves,
        "runs until it is ended",
    ),
    ("docs/first-steps.md", "rolima run soccer --set...", Way::Serves, "the page"),
    ("docs/first-steps.md", "rolima view", Way::Left, "of another process; live.rs tests it"),
    ("docs/first-steps.md", "rolima bench soccer-3v3", Way::Left, "measures for some seconds"),
    ("docs/command-line.md", "rolima run soccer", Way::Serves, "the page"),
    (
        "docs/command-line.md",
        "rolima view\nprocess ...",
        Way::Left,
        "of another process; live.rs tests it",
    ),
    ("docs/command-line.md", "rolima bench update-33ms", Way::Left, "measures this machine"),
    ("docs/command-line.md", "rolima profile...", Way::Runs, "times of this machine"),
    ("docs/live.md", "rolima run soccer --json --for 5...", Way::Runs, "lateness of this machine"),
    ("docs/live.md", "rolima run crowd...", Way::Runs, "a faster machine does not fall behind"),
    (
        "docs/live.md",
        "rolima run soccer --realtime...",
        Way::Runs,
        "rights and cores of this machine",
    ),
    ("docs/live.md", "rolima run soccer --headless &", Way::Serves, "runs until it is ended"),
    ("docs/live.md", "rolima view", Way::Left, "of another process; live.rs tests it"),
    ("docs/live.md", "rolima run soccer --headless --listen...", Way::Left, "opens a network door"),
    ("docs/live.md", "rolima run soccer --listen...", Way::Left, "needs a certificate; doors.rs"),
    ("docs/live.md", "rolima view 'https...", Way::Left, "of another machine; doors.rs tests it"),
    ("docs/maps.md", "rolima map maze.png...", Way::Left, "its picture is not in the repository"),
    ("docs/robot-one", "rolima run maze", Way::Serves, "the page"),
    ("docs/robot-one", "rolima grade...", Way::Left, "needs numpy; robotone/ has tests of grading"),
    (
        "docs/soccer-client.md",
        "rolima run soccer --lock-step...",
        Way::Left,
        "waits for its controller; soccer_client.rs tests it",
    ),
    (
        "docs/soccer-client.md",
        "python examples/python/soccer_striker.py...",
        Way::Left,
        "needs numpy; soccer_client.rs tests it",
    ),
    ("docs/senses.md", "rolima run watched", Way::Serves, "the page"),
    ("docs/camera-link.md", "rolima run match...", Way::Serves, "runs until it is ended"),
    ("docs/camera-link.md", "rolima camera...", Way::Left, "of another process; camera_link.rs"),
    ("docs/vehicles.md", "rolima run ...", Way::Serves, "the page"),
];

/// Files that documents name but do not show.
const FILES: &[(&str, &str)] = &[("bad.txt", "W 1 2 3\nB 1 two\n")];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// README.md, bench/README.md and docs/*.md, with their texts.
fn documents() -> Vec<(String, String)> {
    let docs = fs::read_dir(repository().join("docs")).expect("a folder").flatten();
    let mut names: Vec<String> = docs
        .map(|entry| format!("docs/{}", entry.file_name().to_string_lossy()))
        .filter(|name| name.ends_with(".md"))
        .collect();
    names.extend(["README.md", "bench/README.md"].map(str::to_owned));
    names.sort();
    let read = |name: String| {
        let text = fs::read_to_string(repository().join(&name)).expect("a document");
        (name, text)
    };
    names.into_iter().map(read).collect()
}

/// The exception that a command falls under.
fn exception(shown: &Shown) -> Option<usize> {
    let first = shown.printed.first().map(String::as_str).unwrap_or_default();
    let with_first = format!("{}\n{first}", shown.command);
    EXCEPTIONS.iter().position(|(document, command, ..)| {
        let is_it = match command.strip_suffix("...") {
            Some(begin) => with_first.starts_with(begin),
            None => shown.command == *command,
        };
        is_it && shown.place.starts_with(document)
    })
}

/// A shell that finds the program, its own runs only, and the files of the documents.
fn shell(folder: &Path, command: &str) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_rolima")).parent().expect("a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let mut shell = Command::new("sh");
    let command = command.trim_end_matches('&').trim_end();
    // Both streams in one, as a terminal shows them.
    shell.args(["-c", &format!("exec 2>&1; {command}")]).current_dir(folder);
    shell.env("PATH", format!("{}:{path}", program.display())).env("XDG_RUNTIME_DIR", folder);
    shell.stdin(Stdio::null()).stdout(Stdio::piped());
    shell
}

/// Runs a command to its end: what it printed, and whether it was well.
fn ended(folder: &Path, command: &str) -> (Vec<String>, bool) {
    let output = shell(folder, command).output().expect("a shell");
    let text = String::from_utf8(output.stdout).expect("text");
    (text.lines().map(str::to_owned).collect(), output.status.success())
}

/// Starts a command, takes as many lines as the document has, and ends it as Ctrl-C does. A port
/// that somebody else has got is nothing that a document can know.
fn served(folder: &Path, shown: &Shown) -> (Vec<String>, bool) {
    // In place of the shell, which would not pass an interrupt on.
    let mut command = shell(folder, &format!("exec {}", shown.command));
    let mut child = command.process_group(0).spawn().expect("a shell");
    let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut lines: Vec<String> = vec![];
    while lines.len() < shown.printed.len().max(1) {
        let mut line = String::new();
        if out.read_line(&mut line).expect("text") == 0 {
            break;
        }
        if !line.starts_with("note: port ") {
            lines.push(line.trim_end().to_owned());
        }
    }
    let group = rustix::process::Pid::from_child(&child);
    let _ = rustix::process::kill_process_group(group, rustix::process::Signal::INT);
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    let is_well = child.wait().expect("its end").success() && rest.contains("state hash ");
    lines.truncate(shown.printed.len());
    (lines, is_well)
}

/// What is wrong with a command of a document.
fn fault(folder: &Path, shown: &Shown) -> Option<String> {
    let way = exception(shown).map_or(Way::Exact, |number| EXCEPTIONS[number].2);
    let (printed, is_well) = match way {
        Way::Left => return None,
        Way::Serves => served(folder, shown),
        _ => ended(folder, &shown.command),
    };
    let any_number = way == Way::Serves;
    let is_told = shown.printed.is_empty() && way != Way::Serves || way == Way::Runs;
    let is_right = match is_told {
        // Where nothing is said of what it prints, it has to go well.
        true => is_well,
        false => is_same(&shown.printed, &printed, any_number) && (is_well || way != Way::Serves),
    };
    let Shown { place, command, .. } = shown;
    (!is_right).then(|| format!("{place}: `{command}` printed\n{}\n", printed.join("\n")))
}

#[test]
fn the_commands_of_the_documents_print_what_they_say() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("documents");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    for (name, text) in FILES {
        fs::write(folder.join(name), text).expect("a file");
    }
    let documents = documents();
    let all: Vec<Shown> = documents.iter().flat_map(|(name, text)| commands(name, text)).collect();
    assert!(all.len() > 40, "{} commands", all.len());
    let shown_files = documents.iter().flat_map(|(_, text)| files(text));
    let written = shown_files.map(|file| {
        fs::write(folder.join(&file.name), &file.text).expect("a file");
        file.name
    });
    let written: Vec<String> = written.collect();
    for wanted in ["mine.toml", "pusher.toml", "bad.toml", "start.toml", "start.py"] {
        assert!(written.iter().any(|name| name == wanted), "no {wanted} in {written:?}");
    }
    let faults: Vec<String> = all.iter().filter_map(|shown| fault(&folder, shown)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_exception_has_a_command() {
    let all: Vec<Shown> =
        documents().iter().flat_map(|(name, text)| commands(name, text)).collect();
    for (number, exception_of) in EXCEPTIONS.iter().enumerate() {
        let is_used = all.iter().any(|shown| exception(shown) == Some(number));
        assert!(is_used, "no document has {exception_of:?}");
        assert!(!exception_of.3.is_empty(), "{exception_of:?} needs a reason");
    }
}

#[test]
fn the_documents_list_all_benchmarks() {
    let listed = common::good(&["bench", "--list"]);
    for (name, text) in documents() {
        for shown in commands(&name, &text).iter().filter(|s| s.command == "rolima bench --list") {
            if !shown.printed.is_empty() {
                assert_eq!(shown.printed.join("\n"), listed.trim_end(), "{}", shown.place);
            }
        }
    }
    let table = fs::read_to_string(repository().join("bench/README.md")).expect("a document");
    let has_row = |text: &str, name: &str| text.contains(&format!("\n| `{name}` |"));
    let names = || listed.lines().filter_map(|line| line.split(' ').next());
    for name in names() {
        assert!(has_row(&table, name), "bench/README.md has no row for {name}");
    }
    let readme = fs::read_to_string(repository().join("README.md")).expect("a document");
    let rows = names().filter(|name| has_row(&readme, name)).count();
    assert_eq!(rows, 5, "README.md shows five benchmarks, bench/README.md all");
}

#[test]
fn commands_that_the_readme_names_exist() {
    let readme = fs::read_to_string(repository().join("README.md")).expect("a document");
    let named = |before: &str| -> Vec<&str> {
        let after = readme.match_indices(before).map(|(at, _)| &readme[at + before.len()..]);
        let is_other = |c: char| !c.is_ascii_lowercase() && c != '-';
        let names = after.filter_map(|after| after.split(is_other).next());
        names.filter(|name| !name.is_empty()).collect()
    };
    let lists = |help: &str, name: &str| {
        let begins = |line: &str| line.starts_with("  ") && line.trim_start().starts_with(name);
        help.lines().any(|line| begins(line) && line.split_whitespace().next() == Some(name))
    };
    let help = common::good(&["--help"]);
    let own = [named("`rolima "), named("cargo xtask run ")].concat();
    let xtask = repository().join("xtask/src/main.rs");
    let xtask = fs::read_to_string(xtask).expect("its help");
    let repositorys = named("cargo xtask ");
    assert!(own.len() >= 2 && repositorys.len() >= 4, "{own:?} {repositorys:?}");
    own.iter().for_each(|name| assert!(lists(&help, name), "rolima {name}"));
    repositorys.iter().for_each(|name| assert!(lists(&xtask, name), "cargo xtask {name}"));
    // Whoever reads `rolima` alone has to know where it comes from.
    let bare = readme.find("`rolima ").expect("a command");
    let install = readme.find("cargo xtask install").expect("how it gets onto the path");
    assert!(install < bare, "`rolima` is named before `cargo xtask install`");
}
