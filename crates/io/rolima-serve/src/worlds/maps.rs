//! Drawn mazes and text maps, from files and from those who send them.

use rolima_run::live::MapSource;
use rolima_scene::rolima_map::{Element, MAX_PICTURE_BYTES, Recognised, Size, Vec2, read};
use rolima_scene::{SceneError, open_regular};
use std::io::Read;
use std::path::Path;

/// Reads a map from a file, and gives its bytes.
pub fn read_map_file(path: &Path, size: Option<Size>) -> Result<(Recognised, Vec<u8>), SceneError> {
    let file = path.to_string_lossy();
    let failed = |message: String| SceneError::Io { file: file.to_string(), message };
    // One byte more than a map may have, so that the reader can say that there are too many.
    let mut bytes = vec![];
    open_regular(path)
        .and_then(|open| open.take(MAX_PICTURE_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| failed(error.to_string()))?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(failed("expected a picture or a text map, got an empty file".to_owned()));
    }
    let found = read(&file, &bytes, size)?;
    Ok((found, bytes))
}

/// What is worth knowing about a map, for those who see its world, a line each.
pub fn map_notes(found: &Recognised) -> Vec<String> {
    found.proposal().into_iter().chain(found.notes.iter().cloned()).collect()
}

/// Tells the same, to those who can choose another size.
pub fn tell_map_notes(name: &str, found: &Recognised, tell: fn(&str)) {
    let proposal = found.proposal().map(|proposal| format!("{proposal}; --size WxH gives another"));
    proposal.iter().chain(&found.notes).for_each(|note| tell(&format!("{name}: {note}")));
}

/// Reads the map of a world from a file, and tells what is worth knowing about it.
pub(super) fn read_world_map(
    path: &Path,
    size: Option<Size>,
    tell: fn(&str),
) -> Result<(Recognised, MapSource), SceneError> {
    let (mut found, mut bytes) = read_map_file(path, size)?;
    ensure_robot(&mut found, &mut bytes);
    tell_map_notes(&path.to_string_lossy(), &found, tell);
    let source = source_of(&found, &bytes);
    Ok((found, source))
}

/// Puts a robot at the origin of a map that has none, and of a text into its bytes: in the release
/// there is always one, which stands there unless the map says otherwise.
pub(super) fn ensure_robot(found: &mut Recognised, bytes: &mut Vec<u8>) {
    let elements = &mut found.map.elements;
    if elements.iter().any(|element| matches!(element, Element::Robot { .. })) {
        return;
    }
    elements.push(Element::Robot { position: Vec2::ZERO, heading: 0.0 });
    found.notes.push("there is no robot in the map: one is put at the origin".to_owned());
    if found.size.is_none() {
        bytes.extend(b"\nR 0 0\n");
    }
}

/// A map that was read from these bytes, as its text: of a text the text itself, comments
/// included.
pub(super) fn source_of(found: &Recognised, bytes: &[u8]) -> MapSource {
    let recognised = || found.map.to_string();
    let text = match found.size {
        Some(_) => recognised(),
        None => str::from_utf8(bytes).map_or_else(|_| recognised(), str::to_owned),
    };
    let size = found.size.map(|size| [size.width(), size.height()]);
    MapSource { text, size }
}
