//! The golden hashes of all crates: in debug builds, and computed by the simulation compiled to wasm32
//! under Node.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::command::{Output, cargo, output_of, program, repository};
use crate::test::{WASM_PROFILE, run};
use crate::tools::{Tools, WASM_TARGET};

/// A crate of the workspace with a test program `golden`.
pub(crate) struct Goldens {
    pub(crate) package: &'static str,
    /// Whether debug builds are compared in every test, too: state hashes are.
    in_debug: bool,
    /// The files with its hashes that the wasm32 module computes, and what the module's names for
    /// them begin with.
    in_wasm: &'static [(&'static str, &'static str)],
}

/// All of them: for `test` and for `long goldens`.
pub(crate) const GOLDENS: [Goldens; 5] = [
    Goldens {
        package: "rolima-core",
        in_debug: true,
        in_wasm: &[("crates/core/rolima-core/tests/golden.txt", "")],
    },
    Goldens {
        package: "rolima-spatial",
        in_debug: true,
        in_wasm: &[
            ("crates/core/rolima-spatial/tests/golden.txt", ""),
            ("crates/core/rolima-spatial/tests/golden_bodies.txt", ""),
        ],
    },
    Goldens { package: "rolima-sensors", in_debug: false, in_wasm: &[] },
    Goldens {
        package: "rolima-render",
        in_debug: false,
        in_wasm: &[("crates/core/rolima-render/tests/golden.txt", "picture-")],
    },
    Goldens {
        package: "rolima-record",
        in_debug: false,
        in_wasm: &[("crates/io/rolima-record/tests/golden.txt", "recording-")],
    },
];
/// What the golden programs need besides the default features.
const FEATURES: &str = "rolima-spatial/bodies";

/// The package that computes the hash of a golden by its name.
const PACKAGE: &str = "rolima-golden-wasm";
const RUNNER: &str = "xtask/src/golden.mjs";

/// The golden test programs of crates, as arguments of cargo.
pub(crate) fn programs<'a>(of: impl Iterator<Item = &'a Goldens>) -> Vec<&'a str> {
    let mut arguments: Vec<&str> = of.flat_map(|one| ["--package", one.package]).collect();
    arguments.extend(["--features", FEATURES, "--test", "golden"]);
    arguments
}

/// Those whose debug builds are compared in every test.
pub(crate) fn debug_programs() -> Vec<&'static str> {
    programs(GOLDENS.iter().filter(|one| one.in_debug))
}

/// Builds the goldens for wasm32 and compares what they compute under Node.
pub(crate) fn wasm_golden(tools: &Tools, out: &Output) -> Result<()> {
    if let Some(reason) = &tools.no_wasm {
        return out.say(&format!("skipped: {reason}"));
    }
    let metadata = metadata()?;
    let mut goldens = vec![];
    for (file, prefix) in GOLDENS.iter().flat_map(|one| one.in_wasm) {
        let text = fs::read_to_string(repository().join(file))
            .with_context(|| format!("{file} cannot be read"))?;
        let own = parse_goldens(file, &text)?;
        goldens.extend(own.iter().map(|golden| format!("{prefix}{golden}")));
    }

    let build = ["build", "--profile", WASM_PROFILE, "--target", WASM_TARGET, "--package", PACKAGE];
    run(tools, out, cargo(&build))?;
    let mut node = program("node", &[RUNNER]);
    node.arg(wasm_file(&metadata)?).args(goldens);
    run(tools, out, node)
}

/// What cargo knows of this workspace.
fn metadata() -> Result<Value> {
    let query = ["metadata", "--no-deps", "--format-version", "1"];
    let text = output_of(&mut cargo(&query))?;
    serde_json::from_str(&text).context("cargo metadata printed no JSON")
}

/// Where cargo puts the module, wherever the target directory is.
fn wasm_file(metadata: &Value) -> Result<PathBuf> {
    let target = metadata["target_directory"].as_str().context("cargo names no target")?;
    let file = format!("{}.wasm", PACKAGE.replace('-', "_"));
    Ok([target, WASM_TARGET, WASM_PROFILE, &file].iter().collect())
}

/// Turns lines `name count hash` (milliseconds or pictures) into the runner's `name:count:hash`.
/// Empty lines and those that begin with `#` do not count.
fn parse_goldens(file: &str, text: &str) -> Result<Vec<String>> {
    let mut goldens = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            [] => {}
            [first, ..] if first.starts_with('#') => {}
            [name, count, hash]
                if count.parse::<u32>().is_ok()
                    && u64::from_str_radix(hash.trim_start_matches("0x"), 16).is_ok() =>
            {
                let hash = hash.trim_start_matches("0x");
                goldens.push(format!("{name}:{count}:{hash}"));
            }
            _ => bail!("{file}:{}: expected `name count hash-in-hex`, got `{line}`", index + 1),
        }
    }
    if goldens.is_empty() {
        bail!("{file} lists no golden");
    }
    Ok(goldens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goldens_are_handed_on_without_comments_and_prefix() {
        let text = "# name ms hash\n\nsoccer 60000 00ff00ff00ff00ff\ncrowd 200 0xabc\n";
        let goldens = parse_goldens("golden.txt", text).unwrap();
        assert_eq!(goldens, ["soccer:60000:00ff00ff00ff00ff", "crowd:200:abc"]);
    }

    #[test]
    fn a_garbled_golden_is_refused_by_its_line() {
        for line in ["soccer 60000", "soccer soon 00ff", "soccer 60000 xyz", "soccer 1 2 3"] {
            let error =
                parse_goldens("golden.txt", &format!("ball 1 2\n{line}")).unwrap_err().to_string();
            assert!(error.contains("golden.txt:2: expected") && error.contains(line), "{error}");
        }
        assert!(parse_goldens("golden.txt", "# nothing\n").is_err());
    }
}
