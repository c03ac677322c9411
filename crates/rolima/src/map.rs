//! `rolima map`: a drawn maze to a text map.

use anyhow::{Context, Result};
use clap::Args;
use rolima_console::failure::{Usage, say, tell};
use rolima_map::{Recognised, Size, svg};
use rolima_serve::worlds::{read_map_file, tell_map_notes};
use std::fs;
use std::path::PathBuf;

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

/// Reads a map, writes it as text, and says what was found.
pub(crate) fn map(arguments: &MapArguments) -> Result<()> {
    let (found, _) = read_map_file(&arguments.file, arguments.size)?;
    let file = arguments.file.to_string_lossy();
    tell_map_notes(&file, &found, tell);
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
