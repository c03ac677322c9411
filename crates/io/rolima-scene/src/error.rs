//! What is wrong with a scene, with file, line and key.

use crate::ledger::Origin;
use rolima_map::MapError;
use thiserror::Error;

/// Why a scene could not be read.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum SceneError {
    /// No file and no built-in scene has this name.
    #[error("{argument}: no such file, and no built-in scene; built-in scenes: {known}")]
    NotFound {
        /// What was asked for.
        argument: String,
        /// Names of the built-in scenes and robots.
        known: String,
    },
    /// A file that cannot be read.
    #[error("{file}: {message}")]
    Io {
        /// Name of the file.
        file: String,
        /// What the system said.
        message: String,
    },
    /// Text that is not TOML.
    #[error("{file}:{line}:{column}: {message}")]
    Syntax {
        /// Name of the file.
        file: String,
        /// Line, from 1.
        line: u32,
        /// Column in characters, from 1.
        column: u32,
        /// What the parser said.
        message: String,
    },
    /// A value, key or include that cannot be.
    #[error("{origin}: {}expected {expected}, got {got}", lead(.key))]
    Value {
        /// Where it stands: file and line, or a `--set` argument.
        origin: Origin,
        /// Dotted path of the key; empty if the error is not about one.
        key: String,
        /// What would be right.
        expected: String,
        /// What was there.
        got: String,
    },
    /// Several things are wrong.
    #[error("{}", lines(.0))]
    Several(Vec<SceneError>),
}

/// What stands before what was there, in messages; and in its place where it is not shown.
const GOT: &str = ", got ";
const WITHHELD: &str = "something else";

/// Most errors that are told at once: more would scroll the first ones away.
const MOST_TOLD: usize = 20;

impl SceneError {
    /// One error for all of `errors`.
    pub(crate) fn from_list(mut errors: Vec<Self>) -> Option<Self> {
        match errors.len() {
            0 | 1 => errors.pop(),
            _ => Some(Self::Several(errors)),
        }
    }

    /// The same without what was there: for whoever may not see the file, or where the file need not be
    /// what its scene takes it for, and nothing of it is to be shown.
    #[must_use]
    pub fn withheld(self) -> Self {
        let cut = |message: String| match message.split_once(GOT) {
            Some((expected, _)) => format!("{expected}{GOT}{WITHHELD}"),
            None => message,
        };
        match self {
            Self::NotFound { .. } => self,
            Self::Io { file, message } => Self::Io { file, message: cut(message) },
            Self::Syntax { file, line, column, message } => {
                Self::Syntax { file, line, column, message: cut(message) }
            }
            Self::Value { origin, key, expected, .. } => {
                Self::Value { origin, key, expected, got: WITHHELD.to_owned() }
            }
            Self::Several(errors) => {
                Self::Several(errors.into_iter().map(Self::withheld).collect())
            }
        }
    }

    /// The single errors in this one.
    pub fn each(&self) -> &[Self] {
        match self {
            Self::Several(errors) => errors,
            single => std::slice::from_ref(single),
        }
    }
}

/// What is wrong with a map, each mistake with its file, line and column.
impl From<MapError> for SceneError {
    fn from(error: MapError) -> Self {
        let (file, message) = match error {
            MapError::Text { errors, .. } => {
                let each = errors.into_iter().map(|error| Self::Syntax {
                    message: format!("expected {}, got {}", error.expected, error.got),
                    file: error.file,
                    line: error.line,
                    column: error.column,
                });
                let mut each: Vec<Self> = each.collect();
                return match each.len() {
                    1 => each.swap_remove(0),
                    _ => Self::Several(each),
                };
            }
            MapError::Picture { ref file, .. }
            | MapError::Unknown { ref file, .. }
            | MapError::SizeOfText { ref file } => (file.clone(), error.to_string()),
        };
        let message = message.strip_prefix(&format!("{file}: ")).unwrap_or(&message).to_owned();
        Self::Io { file, message }
    }
}

fn lead(key: &str) -> String {
    if key.is_empty() { String::new() } else { format!("{key}: ") }
}

fn lines(errors: &[SceneError]) -> String {
    let mut told: Vec<String> = errors.iter().take(MOST_TOLD).map(ToString::to_string).collect();
    if errors.len() > MOST_TOLD {
        told.push(format!("... and {} more errors", errors.len() - MOST_TOLD));
    }
    told.join("\n")
}

/// ` (did you mean "mass"?)` where one of `known` is near `word`, else nothing.
pub(crate) fn suggestion<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let distance = |k: &str| {
        // Half a word, such as `step` for `step_s`, is nearer than any slip.
        if word.len() > 2 && k.starts_with(word) { 0 } else { edit_distance(word, k) }
    };
    let nearest = known.into_iter().map(|k| (distance(k), k)).min();
    match nearest {
        // One letter, and one more in every four, is a slip; more is another word.
        Some((distance, near)) if distance <= 1 + word.len() / 4 && distance < near.len() => {
            format!(" (did you mean \"{near}\"?)")
        }
        _ => String::new(),
    }
}

/// How many letters must be added, dropped, replaced or swapped with a neighbour.
fn edit_distance(a: &str, b: &str) -> usize {
    // Words of scene files are short; a long one is no slip of the keyboard.
    const LONGEST: usize = 40;
    let a: Vec<char> = a.chars().take(LONGEST).collect();
    let b: Vec<char> = b.chars().take(LONGEST).collect();
    let mut table = vec![vec![0usize; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = replaced.min(table[i - 1][j] + 1).min(table[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(table[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    table[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_recognised_and_other_words_are_not() {
        let known = ["mass", "inertia", "supply"];
        assert_eq!(suggestion("mas", known), " (did you mean \"mass\"?)");
        assert_eq!(suggestion("intertia", known), " (did you mean \"inertia\"?)");
        assert_eq!(suggestion("suplpy", known), " (did you mean \"supply\"?)");
        assert_eq!(suggestion("sup", known), " (did you mean \"supply\"?)");
        assert_eq!(suggestion("wheels", known), "");
        assert_eq!(suggestion("", known), "");
    }
}
