//! Every rule is tried on a violation, so that a rule that checks nothing does not pass for kept.

use crate::repository::Crate;
use crate::rules::*;

fn krate(folder: &str, manifest: &str) -> Crate {
    Crate { folder: folder.to_owned(), manifest: manifest.to_owned() }
}

/// Fails unless there is one problem for each list of words, with those words in it.
#[track_caller]
fn assert_problems(problems: &[String], expected: &[&[&str]]) {
    assert_eq!(problems.len(), expected.len(), "{problems:#?}");
    for (problem, words) in problems.iter().zip(expected) {
        for word in *words {
            assert!(problem.contains(word), "`{word}` is not in `{problem}`");
        }
    }
}

const ARCHITECTURE: &str = "\
# Architecture
| `rolima-ghost` | a table before the map does not count |
## Code map
### Base
| crate | what for |
|---|---|
| `rolima-math` | mathematics |
| [`crates/rolima`](crates/rolima) | command line |
| `scenes/` | worlds |
## Invariants
| `rolima-spook` | nor does one after it |
";

#[test]
fn code_map_finds_missing_and_stale_rows() {
    let math = || krate("crates/base/rolima-math", "");
    let binary = || krate("crates/rolima", "");
    assert_problems(&code_map(ARCHITECTURE, &[math(), binary()]), &[]);
    let with_core = [math(), binary(), krate("crates/core/rolima-core", "")];
    assert_problems(&code_map(ARCHITECTURE, &with_core), &[&["lacks `rolima-core`"]]);
    assert_problems(&code_map(ARCHITECTURE, &[math()]), &[&["`rolima`", "take the row out"]]);
    assert_eq!(code_map("# No map", &[math(), binary()]).len(), 2);
}

#[test]
fn members_finds_a_crate_left_out() {
    let crates = [krate("crates/base/rolima-math", ""), krate("crates/rolima", "")];
    let manifest = "members = [\n    \"crates/base/rolima-math\",\n]";
    assert_problems(&members(manifest, &crates), &[&["add \"crates/rolima\""]]);
}

#[test]
fn tiers_finds_a_dependency_that_points_down() {
    let math = |manifest| krate("crates/base/rolima-math", manifest);
    let model = |manifest| krate("crates/core/rolima-model", manifest);
    let core = |manifest| krate("crates/core/rolima-core", manifest);
    let on_math = "[dependencies]\nrolima-math.workspace = true\nlibm.workspace = true";
    let on_model = "[dependencies]\nrolima-model = { workspace = true }";
    let on_core = "[target.'cfg(unix)'.dependencies]\nrolima-core.workspace = true";

    assert_problems(&tiers(&[math(""), model(on_math), core(on_model)]), &[]);
    let binary = krate("crates/rolima", "[dependencies]\nrolima-math.workspace = true");
    assert_problems(&tiers(&[math(""), binary]), &[]);

    let upside_down = tiers(&[math(on_core), core("")]);
    assert_problems(&upside_down, &[&["rolima-math/Cargo.toml", "`rolima-core`", "tiers above"]]);
    let within = tiers(&[model(on_core), core("")]);
    assert_problems(&within, &[&["`rolima-model` may not depend on `rolima-core`"]]);
    assert_problems(&tiers(&[model(on_math)]), &[&["`rolima-math` is not under crates/"]]);

    let in_tests = "[dependencies]\n[dev-dependencies]\nrolima-core.workspace = true";
    assert_problems(&tiers(&[math(in_tests), core("")]), &[]);
}

#[test]
fn dependency_reasons_finds_a_bare_line() {
    let manifest = "\
[workspace.package]
edition = \"2024\"
[workspace.dependencies]
rolima-math = { path = \"crates/base/rolima-math\" }
# Command line.
clap = \"4\"
rayon = \"1\"
[workspace.lints.rust]
unsafe_code = \"deny\"
";
    let problems = dependency_reasons("Cargo.toml", manifest);
    assert_problems(&problems, &[&["Cargo.toml:7", "rayon"]]);
}

#[test]
fn machine_names_finds_paths_and_mirrors() {
    let check = |text: &str| machine_names("docs/a.md", text);
    assert_problems(&check(concat!("see docs/wo", "rk/a and https://a.org/ho", "me/b")), &[]);
    let path = format!("first line\nopen {}me/somebody", "/ho");
    assert_problems(&check(&path), &[&["docs/a.md:2", "relative path"]]);
    assert_problems(&check(&format!("(\"{}rk/main\")", "/wo")), &[&["relative path"]]);
    let mirror = format!("https://Arti{}.example/npm", "factory");
    assert_problems(&check(&mirror), &[&["mirror"]]);
}

#[test]
fn machine_names_finds_lock_files_that_fetch_elsewhere() {
    let public = "source = \"registry+https://github.com/rust-lang/crates.io-index\"";
    assert_problems(&machine_names("Cargo.lock", public), &[]);
    let private = "source = \"registry+https://mirror.example/index\"";
    assert_problems(&machine_names("Cargo.lock", private), &[&["Cargo.lock:1", "lock again"]]);
    let npm = "  \"resolved\": \"https://mirror.example/a.tgz\",";
    assert_problems(&machine_names("viewer/package-lock.json", npm), &[&["public registry"]]);
    assert_problems(&machine_names("docs/a.md", private), &[]);
}

#[test]
fn file_length_finds_long_sources_only() {
    let long = "x\n".repeat(701);
    assert!(file_length("a.rs", &long).is_some_and(|problem| problem.contains("701 lines")));
    assert!(file_length("a.py", &long).is_some());
    assert_eq!(file_length("a.toml", &long), None);
    assert_eq!(file_length("a.rs", &"x\n".repeat(700)), None);
}

#[test]
fn program_is_thin_counts_its_own_lines_only() {
    let of = |path: &'static str, lines| (path, "x\n".repeat(lines));
    let others = [of("crates/rolima/tests/a.rs", 600), of("crates/io/rolima-a/src/b.rs", 600)];
    let own = |lines| [of("crates/rolima/src/a.rs", 2_000), of("crates/rolima/src/b.rs", lines)];
    let problems = |lines| program_is_thin(others.clone().into_iter().chain(own(lines)));
    assert_problems(&problems(2_000), &[]);
    assert_problems(&problems(2_001), &[&["crates/rolima/src", "4001 lines"]]);
}

#[test]
fn readme_commands_finds_the_one_left_out() {
    let problems = readme_commands("Start it with `cargo xtask run`.");
    assert_problems(&problems, &[&["cargo xtask test"]]);
}

#[test]
fn tests_named_finds_files_that_would_never_run() {
    let manifest = "[[test]]\nname = \"golden\"\n".to_owned();
    let krate = Crate { folder: "crates/core/a".to_owned(), manifest };
    let files = ["b.rs", "golden.rs", "main.rs", "lost.rs", "kit/mod.rs", "kit/deep.rs"]
        .map(|name| format!("crates/core/a/tests/{name}"));
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let problems = tests_named(&krate, Some("mod b;\n"), &files);
    assert_problems(&problems, &[&["`mod lost;`"], &["`mod kit;`"]]);
    assert_problems(&tests_named(&krate, None, &files), &[]);
}

#[test]
fn tests_there_finds_names_that_no_function_has() {
    let document = "| `a_test_that_is_there`, `one_that_is_gone` | `Cargo.toml`, `set_a_b` |\n";
    let sources = ["#[test]\nfn a_test_that_is_there() {}\n".to_owned()];
    assert_problems(&tests_there("docs/a.md", document, &sources), &[&["`one_that_is_gone`"]]);
}

#[test]
fn engine_asked_tells_of_files_outside_the_engines_once_there_are_too_many() {
    let asks = "if model.spatial().is_some() {";
    let files = |count: usize| {
        let inside = ["crates/core/rolima-core/src/spatial/mod.rs", "crates/a/tests/b.rs"];
        let outside = ["a", "b", "c", "d", "e"].map(|name| format!("crates/io/{name}/src/lib.rs"));
        let paths = inside.map(str::to_owned).into_iter().chain(outside).take(2 + count);
        paths.collect::<Vec<_>>()
    };
    let problems = |count| {
        let files = files(count);
        engine_asked(files.iter().map(|path| (path.as_str(), asks.to_owned())))
    };
    assert_problems(&problems(4), &[]);
    let found = problems(5);
    assert_eq!(found.len(), 5, "{found:#?}");
    assert!(found[0].contains("crates/io/a/src/lib.rs: `.spatial()`"), "{}", found[0]);
    let plain = [("crates/io/a/src/lib.rs", "frame.spatial.len()".to_owned())];
    assert_problems(&engine_asked(plain.into_iter().cycle().take(9)), &[]);
}

#[test]
fn one_name_one_thing_finds_a_name_of_two_crates() {
    let text = |path: &'static str, text: &str| (path, text.to_owned());
    let nav = || text("crates/domains/rolima-nav/src/path.rs", "/// A leg.\npub struct Leg {\n");
    let legs = [
        nav(),
        text("crates/io/rolima-map/src/leg.rs", "    pub enum Leg<'a> {"),
        text("crates/io/rolima-map/src/other.rs", "pub struct Leg;"),
    ];
    let problems = one_name_one_thing(legs.into_iter());
    assert_problems(
        &problems,
        &[&["rolima-nav/src/path.rs:2", "rolima-map/src/leg.rs:1", "`Leg`"]],
    );
    let allowed = [
        nav(),
        text("crates/domains/rolima-nav/src/other.rs", "pub type Leg = f64;"),
        text(
            "crates/io/rolima-map/src/leg.rs",
            "pub(crate) struct Leg;\nstruct Leg;\npub fn leg()",
        ),
        text("crates/io/rolima-map/tests/leg.rs", "pub struct Leg;"),
        text("xtask/src/leg.rs", "pub struct Leg;"),
    ];
    assert_problems(&one_name_one_thing(allowed.into_iter()), &[]);
    let states =
        ["crates/a/src/state.rs", "crates/b/src/state.rs"].map(|p| text(p, "pub struct State;"));
    assert_problems(&one_name_one_thing(states.into_iter()), &[]);
}
