//! What stands in the fenced blocks of a document.

use std::path::Path;

/// A command that a document shows, and what it says that it prints.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// Document and line.
    pub(crate) place: String,
    pub(crate) command: String,
    pub(crate) printed: Vec<String>,
}

/// A file that a document shows.
pub(crate) struct ShownFile {
    pub(crate) name: String,
    pub(crate) text: String,
}

struct Block {
    language: String,
    /// The line of the document before the first of these, counted from 1.
    line: usize,
    lines: Vec<String>,
    /// The paragraph before it.
    before: String,
}

/// All fenced blocks, without their indentation.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = vec![];
    let (mut open, mut before, mut is_after_gap) = (None, String::new(), true);
    for (line, number) in text.lines().zip(1..) {
        let indent = line.len() - line.trim_start().len();
        let fence = line.trim_start().strip_prefix("```");
        match (&mut open, fence) {
            (None, Some(language)) => {
                let language = language.trim().to_owned();
                let before = std::mem::take(&mut before);
                open = Some((indent, Block { language, line: number, lines: vec![], before }));
            }
            (Some(_), Some(_)) => blocks.extend(open.take().map(|(_, block)| block)),
            (Some((indent, block)), None) => {
                block.lines.push(line.get(*indent..).unwrap_or_default().to_owned());
            }
            (None, None) if line.trim().is_empty() => is_after_gap = true,
            (None, None) => {
                if std::mem::take(&mut is_after_gap) {
                    before.clear();
                }
                before.push_str(line);
                before.push('\n');
            }
        }
    }
    blocks
}

/// The commands of a document: all of its `console` blocks, and those of `rolima` in `sh` blocks.
pub(crate) fn commands(document: &str, text: &str) -> Vec<Shown> {
    let mut shown: Vec<Shown> = vec![];
    for block in blocks(text) {
        for (line, number) in block.lines.iter().zip(block.line + 1..) {
            let place = format!("{document}:{number}");
            let command = match block.language.as_str() {
                "console" => line.strip_prefix("$ "),
                "sh" => {
                    let bare = line.strip_prefix("target/release/").unwrap_or(line);
                    Some(bare).filter(|bare| bare.starts_with("rolima "))
                }
                _ => None,
            };
            if let Some(command) = command {
                let command = command.split("   #").next().unwrap_or_default().trim().to_owned();
                shown.push(Shown { place, command, printed: vec![] });
            } else if let Some(last) = shown.last_mut().filter(|_| block.language == "console") {
                last.printed.push(line.trim_end().to_owned());
            }
        }
    }
    shown
}

/// The files of a document: blocks after a paragraph that ends with a name of that kind.
pub(crate) fn files(text: &str) -> Vec<ShownFile> {
    let named = |block: Block| {
        let ending = match block.language.as_str() {
            "toml" => "toml",
            "python" => "py",
            "text" => "txt",
            _ => return None,
        };
        let name = block.before.rsplit('`').nth(1)?.to_owned();
        let is_name = Path::new(&name).extension().is_some_and(|found| found == ending)
            && !name.contains(['/', ' ']);
        let text = block.lines.join("\n") + "\n";
        is_name.then_some(ShownFile { name, text })
    };
    blocks(text).into_iter().filter_map(named).collect()
}
