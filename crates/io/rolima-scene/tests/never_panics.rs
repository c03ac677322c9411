//! Whatever a file holds, reading it ends with a scene or an error.

use proptest::prelude::*;
use rolima_scene::{builtin_files, fuzz_entry};

fn scene_texts() -> Vec<String> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenes/");
    // The crowd's mutants can be large scenes, which are slow and show nothing new.
    let files = builtin_files().into_iter().filter(|file| file != "crowd.toml");
    let mut texts: Vec<String> = files
        .map(|file| std::fs::read_to_string(format!("{root}{file}")).expect("a scene"))
        .map(|text| coarse(&text))
        .collect();
    texts.push("[[swarm]]\ncount = 9\npreset = \"fork\"\nlayout = \"clump\"\n".to_owned());
    texts
}

/// The same scene with few nodes of ground: many are slow and show nothing new.
fn coarse(text: &str) -> String {
    let line = |line: &str| match line.starts_with("nodes = ") {
        true => "nodes = [12, 9]".to_owned(),
        false => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

/// Pieces that steer mutants to places of interest.
const PIECES: [&str; 34] = [
    "inf",
    "nan",
    "-0.0",
    "1e308",
    "-1",
    "9223372036854775808",
    "\"$x\"",
    "\"none\"",
    "[]",
    "[[]]",
    "{}",
    "true",
    "1979-05-27",
    "[[part]]\ninclude = \"fields/mirosot.toml\"\n",
    "[variables]\n",
    "preset = \"fork\"\n",
    "kind = \"arc\"\n",
    "pose = [0, 0, 1e300]\n",
    "[[robot.shape]]\n",
    "[drive.traction]\n",
    "\u{feff}",
    "\n\n[[",
    "é",
    "= =",
    "[ground]\nkind = \"expression\"\nz = \"sin(x)\"\nnodes = [5, 5]\n",
    "[[ground.layer]]\nkind = \"ramp\"\n",
    "file = \"maps/thesis.txt\"\nformat = \"matrix\"\n",
    "kind = \"file\"\nfile = \"soccer.toml\"\n",
    "[[ground.patch]]\n",
    "preset = \"vivi\"\n",
    "[[robot.wheel]]\nposition = [0, 1e300, -1]\n",
    "[robot.wheels.tyre]\nkind = \"coulomb\"\n",
    "motor = \"none\"\n",
    "x^x^(y",
];

const KEYS: [&str; 16] = [
    "sim.step_s",
    "robot.0.pose",
    "robot.*.driver.kind",
    "ball",
    "driver",
    "robot.0.shape.0.kind",
    "a.b.c",
    "wall.1",
    "part.0.include",
    "",
    "ground.kind",
    "ground.fine_step_s",
    "ground.size",
    "robot.0.chassis.mass",
    "robot.0.wheels.suspension.stop_stiffness",
    "robot.0.wheels.motor",
];

fn set_arguments() -> impl Strategy<Value = String> {
    let key = proptest::sample::select(&KEYS[..]);
    (key, proptest::sample::select(&PIECES[..])).prop_map(|(key, value)| format!("{key}={value}"))
}

/// A scene with some stretches cut out, doubled, or overwritten.
fn mutants() -> impl Strategy<Value = String> {
    let edit =
        (any::<prop::sample::Index>(), 0usize..40, proptest::sample::select(&PIECES[..]), 0u8..4);
    let edits = proptest::collection::vec(edit, 1..6);
    (proptest::sample::select(scene_texts()), edits).prop_map(|(text, edits)| {
        let mut letters: Vec<char> = text.chars().collect();
        for (at, length, piece, what) in edits {
            let start = at.index(letters.len() + 1);
            let end = (start + length).min(letters.len());
            let new: Vec<char> = match what {
                0 => vec![],
                1 => letters[start..end].iter().chain(&letters[start..end]).copied().collect(),
                2 => piece.chars().collect(),
                _ => piece.chars().chain(letters[start..end].iter().copied()).collect(),
            };
            letters.splice(start..end, new);
        }
        letters.into_iter().collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: rolima_testing::samples(1000, 3000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        fuzz_entry(&bytes);
    }

    #[test]
    fn on_mutated_scenes(argument in set_arguments(), scene in mutants()) {
        fuzz_entry(format!("{argument}\n{scene}").as_bytes());
    }
}
