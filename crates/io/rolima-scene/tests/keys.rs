//! Keys are declared once: what is declared is read, what is read is declared, defaults are what is
//! said of them, and docs/scenes.md has the tables.

use crate::common;

use common::{builtin, text};
use rolima_scene::{DeclaredKey, KeyTable, SceneError, builtin_files, key_tables, load};
use std::collections::BTreeSet;
use std::fs;

const CART: &str = "[[robot]]\n[robot.chassis]\nmass = 30\n[[robot.wheel]]\nposition = [0, 0.3, 0]\n\
                    motor = {}\n[[robot.wheel]]\nposition = [0, -0.3, 0]\nmotor = {}\n";

/// A scene whose last table is one of a path and kind, with what it must have.
fn scene_with(path: &str, kind: &str) -> String {
    let header = format!("[{path}]\n");
    let listed = format!("[[{path}]]\n");
    let mini = "[[robot]]\npreset = \"minirobot\"\n";
    let says = if kind.is_empty() { String::new() } else { format!("kind = \"{kind}\"\n") };
    let own = |lines: &str| format!("{says}{lines}");
    let picture =
        "file = \"maps/thesis.txt\"\nformat = \"picture\"\nsize = [9, 9]\nheights = [0, 1]\n";
    let picture = if kind == "file" { picture } else { "" };
    match path {
        "" => String::new(),
        "ground" => header + &own(if kind == "expression" { "z = \"x\"\n" } else { picture }),
        "ground.layer" => {
            let place = match kind {
                "ramp" => "from = [0, 0]\nto = [9, 0]\nwidth = 3\nheights = [0, 1]\n",
                "waves" => "from = [0, 0]\nto = [9, 0]\nwidth = 3\nheight = 0.1\nwavelength = 1\n",
                "block" => "min = [0, 0]\nmax = [9, 9]\nheight = 1\n",
                "expression" => "z = \"x\"\n",
                _ => picture,
            };
            format!("[ground]\n{listed}{}", own(place))
        }
        "ground.patch" => {
            format!("[ground]\n{listed}min = [0, 0]\nmax = [1, 1]\nfriction = 0.5\n")
        }
        "tree" => listed + "at = [[0, 0]]\n",
        "wall" | "marking" => {
            let place = match kind {
                "segment" | "line" => "from = [0, 0]\nto = [1, 0]\n",
                "arc" => "center = [0, 0]\nradius = 1\nfrom_deg = 0\nto_deg = 90\n",
                "polygon" => "vertices = [[0, 0], [1, 0], [0, 1]]\n",
                _ => "min = [0, 0]\nmax = [1, 1]\n",
            };
            listed + &own(place)
        }
        "zone" => listed + "min = [0, 0]\nmax = [1, 1]\n",
        "ball" => listed,
        "ball.friction" => {
            format!("[[ball]]\n{header}{}", own(if kind == "viscous" { "beta = 1\n" } else { "" }))
        }
        "object" => {
            format!("{listed}mass = 1\nshape = [{{ kind = \"circle\", radius = 1 }}]\n")
        }
        "robot.shape" => {
            let shape = match kind {
                "box" => "size = [1, 1]\n",
                "circle" => "radius = 1\n",
                _ => "vertices = [[0, 0], [1, 0], [0, 1]]\n",
            };
            format!("[[robot]]\n{listed}{}", own(shape))
        }
        "robot.part" => format!("[[robot]]\n{listed}include = \"parts/bar.toml\"\n"),
        "robot" => mini.to_owned(),
        "robot.driver" => {
            let volts = if kind == "constant" { "left = 1\nright = 1\n" } else { "" };
            format!("{mini}servo = {{}}\n{header}{}", own(volts))
        }
        "robot.drive" | "robot.drive.traction" | "robot.servo" => mini.to_owned() + &header,
        "robot.sensor" => mini.to_owned() + &listed + &says,
        "robot.chassis" => CART.replacen("[robot.chassis]\nmass = 30\n", "", 1) + &header,
        "robot.chassis.mesh" => CART.to_owned() + &header + "file = \"none.obj\"\n",
        "robot.wheel" => CART.to_owned(),
        "robot.wheels.axle" => CART.to_owned() + &header + "coulomb = 0.3\n",
        "robot.wheels.tyre" => {
            let curves = "lengthwise = [0.1, 1.5, 1, 0.5]\nsideways = [0.1, 1.5, 1, 0.5]\n";
            CART.to_owned() + &header + &own(if kind == "direct" { curves } else { "" })
        }
        "swarm" => listed + "preset = \"minirobot\"\ncount = 3\n",
        "map" => listed + "file = \"maps/thesis.txt\"\n",
        "part" => listed + "include = \"fields/mirosot.toml\"\n",
        path if path.starts_with("robot.wheel") => CART.to_owned() + &header + &says,
        _ => header + &says,
    }
}

/// The scene with a key of its last table set to a value.
fn with(scene: &str, key: &str, value: &str) -> String {
    let start = scene.rfind("\n[").map_or(0, |at| at + 1);
    let (before, last) = scene.split_at(start);
    let line = format!("{key} = ");
    let kept: String = last.split_inclusive('\n').filter(|l| !l.starts_with(&line)).collect();
    format!("{before}{kept}{line}{value}\n")
}

/// Every table with each of its kinds, and the keys of that kind.
fn cases() -> Vec<(KeyTable, &'static str, Vec<DeclaredKey>)> {
    let mut cases = vec![];
    for table in key_tables() {
        let kinds: BTreeSet<&str> = table.keys.iter().flat_map(|key| key.kinds.clone()).collect();
        let all = table.keys.iter().find(|key| key.name == "kind").map(|key| key.range.clone());
        let words: Vec<&'static str> = match &all {
            Some(words) => {
                words.split(", ").map(|word| &*word.trim_matches('"').to_owned().leak()).collect()
            }
            None => vec![""],
        };
        assert!(kinds.iter().all(|kind| words.contains(kind)), "{}", table.path);
        for kind in words {
            let own = |key: &&DeclaredKey| key.kinds.is_empty() || key.kinds.contains(&kind);
            let keys = table.keys.iter().filter(own).cloned().collect();
            cases.push((table.clone(), kind, keys));
        }
    }
    cases
}

/// A path without the numbers of lists.
fn plain(path: &str) -> String {
    let steps: Vec<&str> = path.split('.').filter(|step| step.parse::<u32>().is_err()).collect();
    steps.join(".")
}

#[test]
fn every_declared_key_is_read() {
    let mut count = 0;
    for (table, kind, keys) in cases() {
        for key in keys {
            let path = table.path_of(&key);
            // No key is a date: whoever reads it says so.
            let scene = with(&scene_with(table.path, kind), key.name, "1979-05-27");
            let Err(error) = load(&text(&scene), &[]) else {
                panic!("{path} of {kind:?} is not read:\n{scene}")
            };
            let is_told = |error: &SceneError| matches!(error, SceneError::Value { key, .. } if plain(key) == path);
            assert!(error.each().iter().any(is_told), "{path} of {kind:?}: {error}\n{scene}");
            count += 1;
        }
    }
    assert!(count > 400, "only {count} keys");
}

#[test]
fn a_default_that_is_written_changes_nothing() {
    let (mut count, mut left) = (0, vec![]);
    for (table, kind, keys) in cases() {
        let without = scene_with(table.path, kind);
        let Ok(default) = load(&text(&without), &[]) else {
            left.push(format!("{} {kind}", table.path).trim().to_owned());
            continue;
        };
        // The white of a map means nothing without one.
        let is_told = |key: &&DeclaredKey| key.is_value && key.name != "friction_white";
        for key in keys.iter().filter(is_told).filter(|key| key.name != "kind") {
            let scene = with(&without, key.name, &key.default);
            let path = table.path_of(key);
            let written =
                load(&text(&scene), &[]).unwrap_or_else(|e| panic!("{path}: {e}\n{scene}"));
            assert_eq!(written.spec, default.spec, "{path} of {kind:?}:\n{scene}");
            count += 1;
        }
    }
    // Only what needs files that are not built in.
    assert_eq!(left, ["ground file", "ground.layer file", "robot.chassis.mesh"]);
    assert!(count > 200, "only {count} defaults");
}

#[test]
fn every_key_that_is_read_is_declared_with_its_unit_and_meaning() {
    let mut declared = BTreeSet::new();
    for table in key_tables() {
        for key in &table.keys {
            declared.insert((table.path_of(key), key.unit, key.meaning));
        }
    }
    let mut seen = BTreeSet::new();
    for file in builtin_files().iter().filter(|file| !file.starts_with("parts/")) {
        for row in builtin(file, &[]).ledger.rows() {
            let unit = if matches!(row.unit, "1" | "-") { "" } else { row.unit };
            let mut path = plain(&row.key);
            if path.contains("variables.") {
                continue;
            }
            while let Some(inner) = path.strip_prefix("part.").filter(|rest| rest.contains('.')) {
                path = inner.to_owned();
            }
            while path.contains("part.part.") {
                path = path.replace("part.part.", "part.");
            }
            // Tables whose keys are declared with others.
            let path = path.replace("map.robot.", "robot.").replace("object.shape", "robot.shape");
            let path = path.replace("robot.part.shape", "robot.shape");
            let path = path.replace("object.part.shape", "robot.shape");
            let path =
                path.replace("object.part.", "robot.part.").replace("sideways.", "lengthwise.");
            let common = path.replace("robot.wheel.", "robot.wheels.");
            let robot = common.replacen("swarm.", "robot.", 1);
            let known = [&path, &common, &robot];
            let known =
                known.iter().any(|p| declared.contains(&((**p).clone(), unit, row.meaning)));
            assert!(known, "{file}: {} ({unit}): {}", row.key, row.meaning);
            seen.insert(path);
        }
    }
    assert!(seen.len() > 150, "only {} different keys", seen.len());
}

/// What begins and ends a table of keys in the document.
const BEGIN: &str = "<!-- keys of ";
const END: &str = "<!-- end of keys -->\n";

#[test]
fn the_tables_of_the_document_are_those_of_the_keys() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/scenes.md");
    let old = fs::read_to_string(file).unwrap();
    let (mut new, mut rest, mut seen) = (String::new(), old.as_str(), BTreeSet::new());
    while let Some((before, after)) = rest.split_once(BEGIN) {
        let (path, after) = after.split_once(" -->\n").expect("the end of a marker");
        let (_, after) = after.split_once(END).expect("the end of a table");
        let wanted = if path == "a scene" { "" } else { path };
        let tables = key_tables();
        let table = tables.iter().find(|table| table.path == wanted);
        let table = table.unwrap_or_else(|| panic!("no table {path}"));
        assert!(seen.insert(wanted.to_owned()), "{path} comes twice");
        new += &format!("{before}{BEGIN}{path} -->\n{}{END}", table.markdown());
        rest = after;
    }
    new += rest;
    for table in key_tables() {
        assert!(seen.contains(table.path), "docs/scenes.md has no table of {:?}", table.path);
    }
    if std::env::var_os("ROLIMA_MINT").is_some() {
        return fs::write(file, new).unwrap();
    }
    assert!(
        old == new,
        "docs/scenes.md is not what the keys say; `ROLIMA_MINT=1 cargo test --package rolima-scene keys` writes it"
    );
}
