//! A file that keeps the tokens of a run's cameras.

use super::cameras;
use super::options::{CameraLinkError, random_token};
use rolima_core::Model;
use rolima_run::live::log::open_regular;
use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

/// Longest file, bytes.
const MOST_BYTES: u64 = 64 * 1024;
const HEAD: &str = "# Tokens of the cameras of a run of rolima. Whoever has one gets its frames.\n";

/// The tokens in a file, by camera; a file that is not there is made, with random ones for a scene's cameras, for its
/// user alone.
pub fn keep_tokens(
    file: &Path,
    model: &Model,
) -> Result<BTreeMap<String, String>, CameraLinkError> {
    let refuse = |why: String| CameraLinkError::Token(format!("{}: {why}", file.display()));
    let text = match read(file) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let mut text = HEAD.to_owned();
            for camera in cameras(model) {
                text += &format!("{camera} {}\n", random_token()?);
            }
            make(file, &text).map_err(|error| refuse(error.to_string()))?;
            text
        }
        Err(error) => return Err(refuse(error.to_string())),
    };
    let tokens = parse(&text).map_err(refuse)?;
    match cameras(model).into_iter().find(|camera| !tokens.contains_key(camera)) {
        Some(camera) => Err(refuse(format!("expected a line `{camera} TOKEN`, got none"))),
        None => Ok(tokens),
    }
}

fn read(file: &Path) -> std::io::Result<String> {
    let mut text = String::new();
    open_regular(file)?.take(MOST_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

fn make(file: &Path, text: &str) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(file)?.write_all(text.as_bytes());
    if written.is_err() {
        // Half a file would be refused the next time.
        let _ = fs::remove_file(file);
    }
    written
}

fn parse(text: &str) -> Result<BTreeMap<String, String>, String> {
    let mut tokens = BTreeMap::new();
    let lines = (1..).zip(text.lines().map(str::trim));
    for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
        // Names of cameras may have spaces in them, tokens have none.
        let (name, token) = line
            .rsplit_once(char::is_whitespace)
            .ok_or_else(|| format!("line {number}: expected a camera and a token, got `{line}`"))?;
        if tokens.insert(name.trim().to_owned(), token.to_owned()).is_some() {
            return Err(format!("line {number}: expected {name} once, got it twice"));
        }
    }
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cameras_and_tokens_and_what_is_wrong_with_them_is_said() {
        let tokens = parse("# of a run\ncamera blue  abc\n\nyellow def\n").expect("tokens");
        assert_eq!(tokens["camera blue"], "abc");
        assert_eq!(tokens["yellow"], "def");
        assert_eq!(parse("blue").unwrap_err(), "line 1: expected a camera and a token, got `blue`");
        assert_eq!(parse("a b\na c").unwrap_err(), "line 2: expected a once, got it twice");
    }
}
