//! A file that keeps the tokens of a server's addresses.

use super::tokens::Tokens;
use rolima_run::live::log::open_regular;
use rolima_wire::Role;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

/// Longest file, bytes.
const MOST_BYTES: u64 = 4096;
const HEAD: &str = "# Tokens of the addresses of a run of rolima. Whoever has one has its role.\n";

impl Tokens {
    /// The tokens in a file; a file that is not there is made, with random ones, for its user alone. An
    /// error says what is wrong with it.
    pub fn kept_in(file: &Path) -> Result<Self, String> {
        match read(file) {
            Ok(text) => parse(&text),
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let tokens = Self::random().map_err(|error| error.to_string())?;
                let line = |role: Role| format!("{} {}\n", role.name(), tokens.of(role));
                let lines = Role::ALL.map(line).concat();
                make(file, &format!("{HEAD}{lines}")).map_err(|error| error.to_string())?;
                Ok(tokens)
            }
            Err(error) => Err(error.to_string()),
        }
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

fn parse(text: &str) -> Result<Tokens, String> {
    let mut found: [Option<String>; 3] = [None, None, None];
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (name, token) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let at = Role::ALL.iter().position(|role| role.name() == name);
        let at = at.ok_or_else(|| {
            format!("line {number}: expected watch, drive or control and a token, got `{name}`")
        })?;
        if found[at].replace(token.trim().to_owned()).is_some() {
            return Err(format!("line {number}: expected {name} once, got it twice"));
        }
    }
    let missing = Role::ALL.iter().zip(&found).find(|(_, token)| token.is_none());
    if let Some((role, _)) = missing {
        return Err(format!("expected a line `{} TOKEN`, got none", role.name()));
    }
    Tokens::new(found.map(Option::unwrap_or_default))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_tokens_is_made_once_and_kept() {
        let folder = rolima_testing::Folder::new("tokens");
        let file = folder.join("class.tokens");
        let first = Tokens::kept_in(&file).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        }
        assert_eq!(Tokens::kept_in(&file).unwrap(), first);
    }

    #[test]
    fn what_is_wrong_with_a_file_is_said() {
        let [watch, drive, control] = ["w", "d", "c"].map(|letter| letter.repeat(16));
        let good = format!("# class\nwatch {watch}\n\ndrive  {drive}\ncontrol {control}\n");
        assert_eq!(parse(&good).unwrap().of(Role::Drive), drive);
        let refused = |text: &str| parse(text).unwrap_err();
        assert_eq!(refused(""), "expected a line `watch TOKEN`, got none");
        assert_eq!(
            refused("watch a\nteach b"),
            "line 2: expected watch, drive or control and a token, got `teach`"
        );
        assert_eq!(refused("watch a\nwatch b"), "line 2: expected watch once, got it twice");
        let short = good.replace(&drive, "short");
        assert!(refused(&short).starts_with("drive: expected 16 to 128 letters"));
    }
}
