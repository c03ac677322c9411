//! Keys are declared once: what is declared is read, what is read is declared, defaults are what is
//! said of them, and docs/scenes.md has the tables.

use crate::common;

use common::{builtin, text};
use rolima_scene::{DeclaredKey, KeyTable, SceneError, builtin_files, key_tables, load};
use std::collections::BTreeSet;
use std::fs;

const CART: &str = "[[robot]]\n[robot.chassis]\nmass = 30\n[[robot.wheel]]\nposition = [0, 0.3, 0]\n\
                    motor = {}\n[[robot.wheel]]\nposition = [0, -0.3, 0]\nmotor = {}\n";

/// A robot with a drive for ground, in pieces: what terrain needs of it.
const BESIDE_DRIVE: [(&str, &str); 3] = [
    ("robot.chassis", "[robot.chassis]\ncenter_height = 0.07\nclearance = 0.03\n"),
    (
        "robot.wheels",
        "[robot.wheels]\nwidth = 0.02\nsuspension = { stiffness = 8e3, damping = 300, \
         linear_travel = 0.02, stop_travel = 0.04, stop_stiffness = 4e4 }\n",
    ),
    ("robot.wheel", "[[robot.wheel]]\nposition = [0.1, 0, -0.05]\nradius = 0.02\ninertia = 1e-4\n"),
];

/// A scene with a robot with a drive on ground, whose last table is one of these.
fn scene_beside_drive(path: &str) -> String {
    let robot = "[ground]\n[[robot]]\nshape = [{ kind = \"box\", size = [0.3, 0.3] }]\n[robot.drive]\n\
                 mass = 10\ninertia = 0.1\nwheel_distance = 0.3\nwheel_radius_right = 0.05\n\
                 wheel_radius_left = 0.05\nwheel_inertia_right = 1e-3\nwheel_inertia_left = 1e-3\n";
    let (last, mut all): (Vec<_>, Vec<_>) = BESIDE_DRIVE.iter().partition(|(own, _)| *own == path);
    assert_eq!(last.len(), 1, "{path} beside a drive");
    all.extend(last);
    all.iter().fold(robot.to_owned(), |scene, (_, text)| scene + text)
}

/// A scene whose last table is this one, with what it must have.
fn scene_of(table: &KeyTable, kind: &str) -> String {
    match table.beside {
        "drive" => scene_beside_drive(table.path),
        _ => scene_with(table.path, kind),
    }
}

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
        "material" => listed + "name = \"paint\"\n",
        "floor" => {
            let place = match kind {
                "polygon" => "vertices = [[0, 0], [1, 0], [0, 1]]\n",
                _ => "min = [0, 0]\nmax = [1, 1]\n",
            };
            listed + &own(place) + "material = \"grey\"\n"
        }
        "robot.tag" => {
            let shape = match kind {
                "box" => "size = [0.01, 0.01]\n",
                "circle" => "radius = 0.01\n",
                _ => "vertices = [[0, 0], [0.01, 0], [0, 0.01]]\n",
            };
            mini.to_owned() + &listed + &own(shape) + "colour = \"team\"\n"
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
        "robot.hitch" => {
            let ahead = "[robot.hitch]\nto = \"tug\"\nat = [-0.5, 0, 0.1]\nown = [0.5, 0, 0.1]\n";
            let tug = CART.replacen("[[robot]]\n", "[[robot]]\nname = \"tug\"\n", 1);
            tug + &CART.replacen("[[robot]]\n", "[[robot]]\npose = [-1, 0, 0]\n", 1) + ahead
        }
        "robot.driver" => {
            let needed = match kind {
                "constant" => "left = 1\nright = 1\n",
                "go-to" => "goals = [[0, 0, 0]]\n",
                _ => "",
            };
            format!("{mini}servo = {{}}\n{header}{}", own(needed))
        }
        "robot.driver.goals" => {
            let ball = "ball = \"ball\"\naim = [1, 0]\n";
            format!("[[ball]]\n{mini}[robot.driver]\nkind = \"go-to\"\n{listed}{ball}")
        }
        "robot.driver.vision" => {
            format!(
                "{mini}servo = {{}}\n[robot.driver]\nkind = \"go-to\"\ngoals = [[0, 0, 0]]\n{header}"
            )
        }
        "robot.drive" | "robot.drive.traction" | "robot.servo" => mini.to_owned() + &header,
        "sensor" => listed + &own("position = [0, 0, 1]\n"),
        "sensor.background" => {
            let camera = "[[sensor]]\nkind = \"camera\"\nposition = [0, 0, 1]\n";
            let corners = "[[0, 0], [9, 0], [9, 9], [0, 9]]\n";
            let own = format!("picture = \"none.png\"\ncorners = {corners}at = {corners}");
            camera.to_owned() + &header + &own
        }
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
        "map" => listed + "file = \"maps/things.txt\"\n",
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
            let scene = with(&scene_of(&table, kind), key.name, "1979-05-27");
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
        let without = scene_of(&table, kind);
        let default = match load(&text(&without), &[]) {
            Ok(default) => default,
            Err(error) => {
                left.push((format!("{} {kind}", table.title()).trim().to_owned(), error));
                continue;
            }
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
    let names: Vec<&str> = left.iter().map(|(name, _)| name.as_str()).collect();
    let expected = ["ground file", "ground.layer file", "robot.chassis.mesh", "sensor.background"];
    assert_eq!(names, expected, "{left:?}");
    assert!(count > 200, "only {count} defaults");
}

/// Pairs of values that a key of numbers, a flag, a text or a colour might have: first those that differ by a
/// bit, then those that differ by much.
fn tries(key: &DeclaredKey) -> [Vec<[String; 2]>; 2] {
    let range = key.range.as_str();
    let of = |a: &str, b: &str| [vec![[a.to_owned(), b.to_owned()]], vec![]];
    let count = match range {
        "true, false" => return of("true", "false"),
        "text" => return of("\"a\"", "\"b\""),
        "\"#rrggbb\"" => return of("\"#123456\"", "\"#123457\""),
        words if words.starts_with('"') => {
            let words: Vec<&str> = words.split(", ").collect();
            let pairs = words.windows(2).map(|two| [two[0].to_owned(), two[1].to_owned()]);
            return [pairs.collect(), vec![]];
        }
        _ if range.starts_with("table") || range.contains("...") => return [vec![], vec![]],
        _ if range.starts_with("[x, y, ") => 3,
        _ if range.starts_with("[x, y]") => 2,
        _ => range.strip_suffix(" numbers").map_or(0, |count| count.parse().expect("how many")),
    };
    let tried = [0.5, 1.0, 2.0, 3.0, 0.05, 0.02, 1e-3, 5.0, 10.0, 45.0, 200.0, 1000.0];
    let own = key.default.parse().ok().filter(|x: &f64| *x != 0.0 && x.is_finite());
    let values: Vec<f64> = own.into_iter().chain(tried).collect();
    let pairs = |other: fn(f64) -> f64, more: f64| {
        let pair = |&x: &f64| match count {
            0 if range.starts_with("whole") => [x, x.round() + more].map(|x| format!("{x:.0}")),
            0 => [x, other(x)].map(|x| format!("{x:?}")),
            _ => [x, other(x)].map(|x| format!("{:?}", vec![x; count])),
        };
        values.iter().map(pair).collect()
    };
    [pairs(|x| x * (1.0 + 1e-12), 1.0), pairs(|x| 0.5 * x, 2.0)]
}

/// Steps, and ends, of paths of keys that change nothing of the course of a world.
const ONLY_SEEN: [&str; 16] = [
    "title",
    "colour",
    "look",
    "marking",
    "material",
    "floor",
    "top",
    "lid",
    "player",
    "tag",
    "vision",
    "line_width",
    "texture_size",
    "crown_radius",
    "tree.height",
    "sim.seed",
];

/// Keys of which a small change may do nothing: terrain is as fine as its nodes, angles are rounded, and
/// what must divide or be odd is not a bit more.
const COARSE: [&str; 9] = [
    "ground.layer.max",
    "ground.layer.min",
    "ground.layer.width",
    "ground.patch.max",
    "ground.patch.min",
    "field_of_view_deg",
    "ground.fine_step_s",
    "ground.nodes",
    "ground.slices",
];

/// Keys of which no two values do without others that go with them, or without files that are not built in.
const NOT_TRIED: [&str; 42] = [
    "ball.friction.kind",
    "ground.file",
    "ground.fill",
    "ground.format",
    "ground.friction_map",
    "ground.friction_white",
    "ground.heights",
    "ground.kind",
    "ground.layer.center",
    "ground.layer.file",
    "ground.layer.fill",
    "ground.layer.format",
    "ground.layer.kind",
    "ground.layer.size",
    "ground.layer.z",
    "ground.texture",
    "ground.z",
    "map.file",
    "map.size",
    "part.include",
    "part.pose",
    "robot.chassis.mesh",
    "robot.chassis.mesh.file",
    "robot.chassis.mesh.offset",
    "robot.chassis.mesh.rotation",
    "robot.chassis.mesh.scale",
    "robot.driver.goals",
    "robot.driver.goals.ball",
    "robot.hitch.at",
    "robot.hitch.own",
    "robot.hitch.to",
    "robot.include",
    "robot.part.include",
    "robot.preset",
    "robot.shape.kind",
    "robot.wheel.ball",
    "robot.wheels.ball",
    "robot.wheels.mesh",
    "robot.wheels.side",
    "robot.wheels.tyre.kind",
    "sensor.background.picture",
    "wall.kind",
];

/// A scene whose last table has a key that does something there.
fn scene_for(table: &KeyTable, kind: &str, key: &DeclaredKey) -> String {
    let scene = scene_of(table, kind);
    match key.name {
        "pitch" => scene + "layout = \"clump\"\n",
        "join" => scene.replacen("[ground]\n", "[ground]\nkind = \"hills\"\n", 1),
        _ => scene,
    }
}

#[test]
fn whatever_changes_the_course_of_a_world_changes_its_fingerprint_and_nothing_else() {
    let print = |scene: &str| Some(load(&text(scene), &[]).ok()?.compile().ok()?.fingerprint);
    let is_of = |list: &[&str], path: &str| {
        list.iter().any(|end| path.split('.').any(|step| step == *end) || path.ends_with(end))
    };
    let (mut seen, mut told, mut left) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    for (table, kind, keys) in cases() {
        for key in keys {
            let [near, far] = tries(&key);
            let (path, scene) = (table.path_of(&key), scene_for(&table, kind, &key));
            let changes = |pairs: &[[String; 2]]| {
                let prints = |values: &[String; 2]| {
                    let [a, b] = values.each_ref().map(|x| print(&with(&scene, key.name, x)));
                    Some(a? != b?)
                };
                pairs.iter().find_map(prints)
            };
            let mut changed = changes(&near);
            if is_of(&ONLY_SEEN, &path) {
                assert_ne!(changed, Some(true), "{path} of {kind:?} is only seen");
                assert_ne!(changes(&far), Some(true), "{path} of {kind:?} is only seen");
                seen.insert(path);
                continue;
            }
            if is_of(&COARSE, &path) && changed != Some(true) {
                changed = changes(&far);
            }
            assert_ne!(
                changed,
                Some(false),
                "{path} of {kind:?} is not in the fingerprint\n{scene}"
            );
            if changed.is_some() {
                told.insert(path);
            } else if !near.is_empty() {
                left.insert(path);
            }
        }
    }
    let left: Vec<&String> = left.difference(&told).collect();
    assert_eq!(left, NOT_TRIED);
    assert!(told.len() > 280 && seen.len() > 20, "{} and {} keys", told.len(), seen.len());
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
            let robot = path.replacen("swarm.", "robot.", 1);
            let common = robot.replace("robot.wheel.", "robot.wheels.");
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
        let table = tables.iter().find(|table| table.title() == wanted);
        let table = table.unwrap_or_else(|| panic!("no table {path}"));
        assert!(seen.insert(wanted.to_owned()), "{path} comes twice");
        new += &format!("{before}{BEGIN}{path} -->\n{}{END}", table.markdown());
        rest = after;
    }
    new += rest;
    for table in key_tables() {
        let title = table.title();
        assert!(seen.contains(&title), "docs/scenes.md has no table of {title:?}");
    }
    if std::env::var_os("ROLIMA_MINT").is_some() {
        return fs::write(file, new).unwrap();
    }
    assert!(
        old == new,
        "docs/scenes.md is not what the keys say; `ROLIMA_MINT=1 cargo test --package rolima-scene keys` writes it"
    );
}
