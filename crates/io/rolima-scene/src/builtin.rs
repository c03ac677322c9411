//! The scenes that come with the program, inside it.

use rust_embed::RustEmbed;
use std::borrow::Cow;

#[derive(RustEmbed)]
#[folder = "../../../scenes"]
struct Embedded;

/// Folder of the robots that `preset = "name"` finds.
pub(crate) const PRESETS: &str = "robots/";

/// The bytes of a built-in file, such as `maps/thesis.txt`.
pub(crate) fn bytes(path: &str) -> Option<Cow<'static, [u8]>> {
    Some(Embedded::get(path)?.data)
}

/// The text of a built-in file, such as `fields/mirosot.toml`.
pub(crate) fn text(path: &str) -> Option<String> {
    String::from_utf8(bytes(path)?.into_owned()).ok()
}

/// Paths of all built-in files, sorted.
pub fn builtin_files() -> Vec<String> {
    let mut paths: Vec<String> =
        Embedded::iter().map(String::from).filter(|path| path.ends_with(".toml")).collect();
    paths.sort();
    paths
}

/// Names of the built-in scenes, such as `soccer`, sorted.
pub fn builtin_scenes() -> Vec<String> {
    names(|path| (!path.contains('/')).then_some(path))
}

/// Names of the built-in robots, such as `minirobot-2001`, sorted.
pub fn builtin_presets() -> Vec<String> {
    names(|path| path.strip_prefix(PRESETS))
}

fn names(pick: impl Fn(&str) -> Option<&str>) -> Vec<String> {
    let files = builtin_files();
    let stems = files.iter().filter_map(|path| pick(path)?.strip_suffix(".toml"));
    stems.map(str::to_owned).collect()
}
