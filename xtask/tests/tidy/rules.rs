//! The rules: plain text in, problems out.

use std::collections::{BTreeMap, BTreeSet};

use crate::repository::Crate;

/// Longest source file, in lines. A file has one subject, which may need some room; functions are what has
/// to be short.
const MOST_LINES: usize = 700;

/// From the top down; a crate may depend on crates of earlier tiers.
const TIERS: [&str; 6] = [
    "crates/base/",
    "crates/core/",
    "crates/domains/",
    "crates/io/",
    "crates/bindings/",
    "crates/lab/",
];

/// Within a tier, the first may depend on the second.
const WITHIN_TIER: [(&str, &str); 26] = [
    ("rolima-check", "rolima-math"),
    ("rolima-core", "rolima-model"),
    ("rolima-core", "rolima-sensors"),
    ("rolima-render", "rolima-model"),
    ("rolima-sensors", "rolima-model"),
    ("rolima-agents", "rolima-nav"),
    ("rolima-core", "rolima-spatial"),
    ("rolima-model", "rolima-spatial"),
    ("rolima-render", "rolima-spatial"),
    ("rolima-link", "rolima-run"),
    ("rolima-record", "rolima-run"),
    ("rolima-record", "rolima-scene"),
    ("rolima-record", "rolima-wire"),
    ("rolima-run", "rolima-scene"),
    ("rolima-scene", "rolima-map"),
    ("rolima-scene", "rolima-terrain"),
    ("rolima-serve", "rolima-run"),
    ("rolima-serve", "rolima-scene"),
    ("rolima-serve", "rolima-wire"),
    ("rolima-console", "rolima-run"),
    ("rolima-export", "rolima-record"),
    ("rolima-console", "rolima-scene"),
    ("rolima-tui", "rolima-console"),
    ("rolima-tui", "rolima-run"),
    ("rolima-tui", "rolima-serve"),
    ("rolima-robotone-c", "rolima-robotone"),
];

/// ARCHITECTURE.md's code map, a table whose rows begin with a crate's name in backticks, names
/// every crate and no other.
pub(crate) fn code_map(architecture: &str, crates: &[Crate]) -> Vec<String> {
    let named = crates_in_code_map(architecture);
    let existing: BTreeSet<&str> = crates.iter().map(|krate| name_of(&krate.folder)).collect();
    let missing = existing.iter().filter(|name| !named.contains(*name)).map(|name| {
        format!("ARCHITECTURE.md: the code map lacks `{name}`: add a row | `{name}` | what for |")
    });
    let stale = named.iter().filter(|name| !existing.contains(*name)).map(|name| {
        format!("ARCHITECTURE.md: the code map names `{name}`, which is no crate: take the row out")
    });
    missing.chain(stale).collect()
}

/// First cells of the tables under the heading "Code map" that name one of our crates, by name or
/// by path.
fn crates_in_code_map(architecture: &str) -> BTreeSet<&str> {
    let is_code_map =
        |line: &str| line.starts_with('#') && line.to_lowercase().contains("code map");
    let level_of = |line: &str| line.chars().take_while(|&c| c == '#').count();
    let mut lines = architecture.lines().skip_while(|line| !is_code_map(line));
    let level = lines.next().map_or(0, level_of);
    // Deeper headings may divide the map by tiers.
    let section = lines.take_while(|line| !line.starts_with('#') || level_of(line) > level);
    let first_cells = section.filter_map(|line| line.trim().strip_prefix('|')?.split('|').next());
    let names = first_cells.filter_map(|cell| cell.split('`').nth(1)).map(name_of);
    names.filter(|name| *name == "rolima" || name.starts_with("rolima-")).collect()
}

/// Every crate's folder stands in the workspace's members, so that no command passes it over.
pub(crate) fn members(root_manifest: &str, crates: &[Crate]) -> Vec<String> {
    let is_member = |folder: &str| root_manifest.contains(&format!("\"{folder}\""));
    let left_out = crates.iter().filter(|krate| !is_member(&krate.folder));
    left_out
        .map(|krate| format!("Cargo.toml: add \"{}\" to the workspace's members", krate.folder))
        .collect()
}

/// Dependencies between our crates point from later tiers to earlier ones. Dependencies of tests
/// do not count: a test of the core may load a scene file.
pub(crate) fn tiers(crates: &[Crate]) -> Vec<String> {
    let mut problems = Vec::new();
    for krate in crates {
        let name = name_of(&krate.folder);
        for dependency in own_dependencies(&krate.manifest) {
            let Some(target) = crates.iter().find(|other| name_of(&other.folder) == dependency)
            else {
                problems.push(format!("{}: `{dependency}` is not under crates/", krate.folder));
                continue;
            };
            let points_up = tier_of(&target.folder) < tier_of(&krate.folder);
            if !points_up && !WITHIN_TIER.contains(&(name, dependency)) {
                problems.push(format!(
                    "{}/Cargo.toml: `{name}` may not depend on `{dependency}` ({}): a crate \
                     depends only on tiers above its own; move the shared code up, or, within a \
                     tier, add the pair to WITHIN_TIER in xtask/tests/tidy/rules.rs",
                    krate.folder, target.folder
                ));
            }
        }
    }
    problems
}

/// Names of our crates in the tables of normal and build dependencies.
fn own_dependencies(manifest: &str) -> Vec<&str> {
    let mut counts = false;
    let mut names = Vec::new();
    for line in manifest.lines().map(str::trim) {
        if let Some(table) = line.strip_prefix('[') {
            // `[dependencies]`, `[target.'cfg(unix)'.dependencies]`, `[build-dependencies]`.
            let table = table.trim_end_matches(']');
            counts = table.ends_with("dependencies") && !table.ends_with("dev-dependencies");
        } else if counts && line.starts_with("rolima") {
            names.extend(line.split(['.', '=', ' ']).next());
        }
    }
    names
}

/// Position in the order of tiers; the binary comes last.
fn tier_of(folder: &str) -> usize {
    TIERS.iter().position(|tier| folder.starts_with(tier)).unwrap_or(TIERS.len())
}

fn name_of(folder: &str) -> &str {
    folder.trim_end_matches('/').rsplit('/').next().unwrap_or(folder)
}

/// Every dependency from outside has a comment above it that says what it is for.
pub(crate) fn dependency_reasons(path: &str, manifest: &str) -> Vec<String> {
    let mut problems = Vec::new();
    let mut in_dependencies = false;
    let mut previous = "";
    for (index, line) in manifest.lines().map(str::trim).enumerate() {
        if line.starts_with('[') {
            in_dependencies = line == "[workspace.dependencies]";
        } else if in_dependencies
            && line.starts_with(|first: char| first.is_ascii_alphabetic())
            && !line.contains("path =")
            && !previous.starts_with('#')
        {
            problems.push(format!(
                "{path}:{}: put a comment above `{line}` that says why it is needed",
                index + 1
            ));
        }
        previous = line;
    }
    problems
}

/// Folders and hosts that exist on one machine only. Spelt in halves, or this file would break the
/// rule itself.
const MACHINE_FOLDERS: [&str; 4] =
    [concat!("/wo", "rk/"), concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/Us", "ers/")];
const MIRROR_WORDS: [&str; 2] = [concat!("arti", "factory"), concat!("jf", "rog")];

/// Where lock files may fetch from: what every machine reaches.
const PUBLIC_SOURCES: [&str; 2] =
    ["registry+https://github.com/rust-lang/crates.io-index", "https://registry.npmjs.org/"];

/// No path or package mirror of somebody's machine, which would be wrong on every other.
pub(crate) fn machine_names(path: &str, text: &str) -> Vec<String> {
    let is_lock = path.ends_with("Cargo.lock") || path.ends_with("package-lock.json");
    let mut problems = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let place = format!("{path}:{}", index + 1);
        if let Some(folder) = MACHINE_FOLDERS.iter().find(|folder| has_path(line, folder)) {
            problems
                .push(format!("{place}: `{folder}` is on one machine only: use a relative path"));
        }
        let lower = line.to_lowercase();
        if let Some(word) = MIRROR_WORDS.iter().find(|word| lower.contains(*word)) {
            problems.push(format!("{place}: `{word}` is a mirror of one machine: take it out"));
        }
        if is_lock && has_private_source(line) {
            problems.push(format!(
                "{place}: not from the public registry: lock again without the mirror, got `{}`",
                line.trim()
            ));
        }
    }
    problems
}

/// Whether the absolute path stands there: `a/home/b` and `https://x.org/home/` do not count.
fn has_path(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "._-~}*".contains(c))
    })
}

/// Whether a lock file's line says that a package comes from elsewhere than a public registry.
fn has_private_source(line: &str) -> bool {
    let line = line.trim();
    let source = line.strip_prefix("source = ").or_else(|| line.strip_prefix("\"resolved\": "));
    source.is_some_and(|source| {
        let source = source.trim_start_matches('"');
        !PUBLIC_SOURCES.iter().any(|public| source.starts_with(public))
    })
}

/// Source files that one can read in one go.
pub(crate) fn file_length(path: &str, text: &str) -> Option<String> {
    let is_source = [".rs", ".ts", ".py"].iter().any(|ending| path.ends_with(ending));
    let lines = text.lines().count();
    (is_source && lines > MOST_LINES).then(|| {
        format!("{path}: {lines} lines, at most {MOST_LINES}: split it by what its parts are about")
    })
}

/// Most lines of the command line's own sources: what is not about arguments belongs into the crates below.
const MOST_PROGRAM_LINES: usize = 4_000;

/// The command line stays thin.
pub(crate) fn program_is_thin<'a>(texts: impl Iterator<Item = (&'a str, String)>) -> Vec<String> {
    let own = texts.filter(|(path, _)| path.starts_with("crates/rolima/src/"));
    let lines: usize = own.map(|(_, text)| text.lines().count()).sum();
    let problem = format!(
        "crates/rolima/src: {lines} lines, at most {MOST_PROGRAM_LINES}: move what is not about arguments to \
         the crate that has its types, see the code map in ARCHITECTURE.md"
    );
    Some(problem).filter(|_| lines > MOST_PROGRAM_LINES).into_iter().collect()
}

/// The README tells the two commands that do everything.
pub(crate) fn readme_commands(readme: &str) -> Vec<String> {
    let lacking = ["cargo xtask run", "cargo xtask test"].into_iter();
    lacking
        .filter(|command| !readme.contains(command))
        .map(|command| format!("README.md: name `{command}` and say what it does"))
        .collect()
}

/// A crate with `autotests = false` compiles only what its manifest and `tests/main.rs` name: a file
/// that neither does would never run.
pub(crate) fn tests_named(krate: &Crate, main: Option<&str>, files: &[&str]) -> Vec<String> {
    let Some(main) = main else { return vec![] };
    let folder = format!("{}/tests/", krate.folder);
    let is_named = |name: &str| {
        let is_module = main.lines().any(|line| line == format!("mod {name};"));
        is_module || krate.manifest.lines().any(|line| line == format!("name = \"{name}\""))
    };
    let names = files.iter().filter_map(|path| {
        let inside = path.strip_prefix(&folder)?;
        inside.strip_suffix("/mod.rs").or_else(|| inside.strip_suffix(".rs"))
    });
    let forgotten = names.filter(|name| !name.contains('/') && *name != "main" && !is_named(name));
    let say = |name| format!("{folder}main.rs: `mod {name};` is missing: its tests never run");
    forgotten.map(say).collect()
}

/// Names of tests in a document, which are words in backticks with three underscores or more, are
/// those of functions.
pub(crate) fn tests_there(path: &str, document: &str, sources: &[String]) -> Vec<String> {
    let words = document.split('`').skip(1).step_by(2);
    let is_test = |word: &&str| {
        let is_name = word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        is_name && word.matches('_').count() >= 3
    };
    let is_there = |name: &str| {
        let function = format!("fn {name}(");
        sources.iter().any(|text| text.contains(&function))
    };
    words
        .filter(is_test)
        .filter(|name| !is_there(name))
        .map(|name| format!("{path}: there is no test `{name}`: name the one that shows it"))
        .collect()
}

/// The engines, and what is made for them: whoever is in here may ask which one runs.
const ENGINES: [&str; 5] = [
    "crates/core/rolima-core/src/engine/",
    "crates/core/rolima-core/src/planar/",
    "crates/core/rolima-core/src/spatial/",
    "crates/core/rolima-model/src/engine.rs",
    "crates/core/rolima-spatial/",
];

/// How one asks: by the engine's part of state or model, or by whether a scene has ground at all.
const ASKING: [&str; 10] = [
    ".spatial()",
    ".planar()",
    "model.spatial.",
    "&model.spatial",
    "Engine::Planar",
    "Engine::Spatial",
    "ground.is_some()",
    "ground.is_none()",
    "terrain().is_some()",
    "terrain().is_none()",
];

/// So many other source files may ask.
const MOST_ASKING: usize = 4;

/// Hardly anybody outside the engines asks which one runs.
pub(crate) fn engine_asked<'a>(texts: impl Iterator<Item = (&'a str, String)>) -> Vec<String> {
    let is_source =
        |path: &str| path.starts_with("crates/") && path.contains("/src/") && path.ends_with(".rs");
    let mut asking = Vec::new();
    for (path, text) in texts {
        let outside = is_source(path) && !ENGINES.iter().any(|engine| path.starts_with(engine));
        let how = ASKING.into_iter().find(|how| text.contains(how));
        if let (true, Some(how)) = (outside, how) {
            asking.push(format!(
                "{path}: `{how}` asks which engine runs, as more than {MOST_ASKING} files do: ask \
                 for what you need by a function of Model, World or `engine` that both answer"
            ));
        }
    }
    if asking.len() > MOST_ASKING { asking } else { vec![] }
}

/// Public types that several crates may have, as the module before the name tells them apart.
const SHARED_NAMES: [&str; 3] = ["Error", "Options", "State"];

/// One name, one thing: a public type's name is defined in one crate only.
pub(crate) fn one_name_one_thing<'a>(
    texts: impl Iterator<Item = (&'a str, String)>,
) -> Vec<String> {
    let mut crates_by_name: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    for (path, text) in texts.filter(|(path, _)| path.ends_with(".rs")) {
        let Some((krate, _)) = path.split_once("/src/") else { continue };
        if !krate.starts_with("crates/") {
            continue;
        }
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(name) = public_type(line) {
                let crates = crates_by_name.entry(name.to_owned()).or_default();
                crates.entry(krate.to_owned()).or_insert_with(|| format!("{path}:{number}"));
            }
        }
    }
    let doubled = crates_by_name
        .into_iter()
        .filter(|(name, crates)| crates.len() > 1 && !SHARED_NAMES.contains(&name.as_str()));
    let told = doubled.map(|(name, crates)| {
        let places: Vec<String> = crates.into_values().collect();
        format!(
            "{}: `{name}` is a public type of another crate, too: name one of them for what it is \
             (CONTRIBUTING.md, Names)",
            places.join(", ")
        )
    });
    told.collect()
}

/// The name of the public type that is defined in a line.
fn public_type(line: &str) -> Option<&str> {
    const KEYWORDS: [&str; 5] = ["struct", "enum", "trait", "type", "union"];
    let rest = line.trim_start().strip_prefix("pub ")?;
    let rest = rest.strip_prefix("unsafe ").unwrap_or(rest);
    let (keyword, rest) = rest.split_once(' ')?;
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    KEYWORDS.contains(&keyword).then_some(&rest[..end])
}
