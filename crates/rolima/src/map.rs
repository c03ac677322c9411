//! `rolima map`: a drawn maze to a text map.

use anyhow::{Context, Result};
use clap::Args;
use rolima_console::failure::{Usage, say, tell};
use rolima_map::{Element, MAX_PICTURE_BYTES, Recognised, Size, Vec2, read, svg};
use rolima_run::live::MapSource;
use rolima_scene::{SceneError, open_regular};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub(crate) struct MapArguments {
    /// A picture (PNG, JPEG, GIF, WebP or BMP), or a text map
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Real size of a picture in metres: width (across) x height (down), such as 40x30
    /// [default: as the name says, "maze 40x30 m.png"; else 40 m for the longer side]
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Option<Size>,

    /// Write the text map here instead of to standard output
    #[arg(long, value_name = "FILE.txt")]
    out: Option<PathBuf>,

    /// Draw what was recognised here
    #[arg(long, value_name = "FILE.svg")]
    preview: Option<PathBuf>,
}

pub(crate) fn size(text: &str) -> Result<Size, String> {
    Size::parse(text).ok_or_else(|| "expected width x height in metres, such as 40x30".to_owned())
}

/// Reads a map from a file.
fn read_file(path: &Path, size: Option<Size>) -> Result<(Recognised, Vec<u8>)> {
    let file = path.to_string_lossy();
    // One byte more than a map may have, so that the reader can say that there are too many.
    let mut bytes = vec![];
    open_regular(path)
        .and_then(|open| open.take(MAX_PICTURE_BYTES as u64 + 1).read_to_end(&mut bytes))
        .map_err(|error| Usage(format!("{file}: {error}")))?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        let expected = "expected a picture or a text map, got an empty file";
        return Err(Usage(format!("{file}: {expected}")).into());
    }
    let found = read(&file, &bytes, size).map_err(SceneError::from)?;
    Ok((found, bytes))
}

/// Tells what is worth knowing about a map.
pub(crate) fn tell_notes(name: &str, found: &Recognised) {
    let proposal = found.proposal().map(|proposal| format!("{proposal}; --size WxH gives another"));
    proposal.iter().chain(&found.notes).for_each(|note| tell(&format!("{name}: {note}")));
}

/// What is worth knowing about a map, for those who see its world, a line each.
pub(crate) fn notes_of(found: &Recognised) -> Vec<String> {
    found.proposal().into_iter().chain(found.notes.iter().cloned()).collect()
}

/// Reads the map of a world from a file, and tells what is worth knowing about it.
pub(crate) fn open_world(path: &Path, size: Option<Size>) -> Result<(Recognised, MapSource)> {
    let (mut found, mut bytes) = read_file(path, size)?;
    ensure_robot(&mut found, &mut bytes);
    tell_notes(&path.to_string_lossy(), &found);
    let source = source(&found, &bytes);
    Ok((found, source))
}

/// Puts a robot at the origin of a map that has none, and of a text into its bytes: in the release
/// there is always one, which stands there unless the map says otherwise.
pub(crate) fn ensure_robot(found: &mut Recognised, bytes: &mut Vec<u8>) {
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
pub(crate) fn source(found: &Recognised, bytes: &[u8]) -> MapSource {
    let recognised = || found.map.to_string();
    let text = match found.size {
        Some(_) => recognised(),
        None => str::from_utf8(bytes).map_or_else(|_| recognised(), str::to_owned),
    };
    let size = found.size.map(|size| [size.width(), size.height()]);
    MapSource { text, size }
}

/// Reads a map, writes it as text, and says what was found.
pub(crate) fn map(arguments: &MapArguments) -> Result<()> {
    let (found, _) = read_file(&arguments.file, arguments.size)?;
    let file = arguments.file.to_string_lossy();
    tell_notes(&file, &found);
    if found.map.elements.is_empty() {
        let expected = match found.size {
            Some(_) => "expected strokes or shapes in black, yellow, red, blue or green; got none",
            None => "expected elements such as `W 0 0 0 4`, a wall; got none",
        };
        return Err(Usage(format!("{file}: {expected}")).into());
    }
    if let Some(path) = &arguments.preview {
        fs::write(path, svg(&found.map, found.size))
            .with_context(|| path.to_string_lossy().into_owned())?;
    }
    match &arguments.out {
        Some(path) => {
            fs::write(path, found.map.to_string())
                .with_context(|| path.to_string_lossy().into_owned())?;
            say(&summary(&found))?;
        }
        None => {
            say(found.map.to_string().trim_end())?;
            tell(&summary(&found));
        }
    }
    Ok(())
}

/// `1 robot, 9 walls in 40 x 40 m`.
fn summary(found: &Recognised) -> String {
    let counts = found.map.counts();
    let named = |(count, kind): &(usize, &str)| match (*count, *kind) {
        (1, kind) => format!("1 {kind}"),
        (count, "mesh") => format!("{count} meshes"),
        (count, kind) => format!("{count} {kind}s"),
    };
    let mut text: String = counts.iter().map(named).collect::<Vec<_>>().join(", ");
    if counts.is_empty() {
        text = "nothing".to_owned();
    }
    match found.size {
        Some(size) => format!("{text} in {} x {} m", size.width(), size.height()),
        None => text,
    }
}
