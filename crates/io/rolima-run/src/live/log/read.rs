//! Reading a log, with errors that name file and line.

use super::line::{End, Entry, Header, Mismatch, Read, read_header, read_line};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

/// Longest line of a log, bytes: a reader never holds more than one. The text of the largest map
/// (4 MiB) fits, each of its characters as six in JSON at worst.
pub const MOST_LINE_BYTES: usize = 32 << 20;

/// Why a log cannot be read, written or replayed.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The file cannot be read or written.
    #[error("{file}: {source}")]
    File {
        /// Which file.
        file: String,
        /// Why not.
        #[source]
        source: io::Error,
    },
    /// A line does not fit.
    #[error("{file}, line {line}: expected {expected}, got {got}")]
    Line {
        /// Which file.
        file: String,
        /// Which line, from 1.
        line: u64,
        /// What should stand there.
        expected: String,
        /// What stands there.
        got: String,
    },
}

/// What a line of a log says.
#[derive(Clone, Debug, PartialEq)]
pub enum Line {
    /// What was done after so many steps.
    Entry(u64, Entry),
    /// The run ended.
    End(End),
}

/// Reads a log line by line.
pub struct LogReader<R> {
    file: String,
    input: R,
    buffer: Vec<u8>,
    line: u64,
    header: Header,
    last_step: u64,
    ended: bool,
    cut_off: bool,
}

impl LogReader<BufReader<File>> {
    /// Opens a log file and reads its header.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let file = path.display().to_string();
        match File::open(path) {
            Ok(input) => Self::new(&file, BufReader::new(input)),
            Err(source) => Err(LogError::File { file, source }),
        }
    }
}

impl<R: BufRead> LogReader<R> {
    /// Reads the header of a log; `file` is its name in errors.
    pub fn new(file: &str, input: R) -> Result<Self, LogError> {
        let header = Header {
            rolima: String::new(),
            scene: String::new(),
            sets: vec![],
            seed: 0,
            step_s: 0.0,
            model: 0,
        };
        let mut reader = Self {
            file: file.to_owned(),
            input,
            buffer: vec![],
            line: 0,
            header,
            last_step: 0,
            ended: false,
            cut_off: false,
        };
        if !reader.next_line()? {
            let got = if reader.buffer.is_empty() { "an empty file" } else { "a part of it" };
            return Err(reader.error(("the header of a command log".to_owned(), got.to_owned())));
        }
        reader.header = read_header(&reader.buffer).map_err(|why| reader.error(why))?;
        Ok(reader)
    }

    /// What the log is about.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Whether the log stops without an end, or within a line: the machine or the program was
    /// stopped. Known once there are no more lines.
    pub fn is_cut_off(&self) -> bool {
        self.cut_off
    }

    /// The next line; none after the end, or where the log is cut off.
    pub fn read(&mut self) -> Result<Option<Line>, LogError> {
        if self.ended || self.cut_off {
            return Ok(None);
        }
        if !self.next_line()? {
            self.cut_off = true;
            return Ok(None);
        }
        let line = match read_line(&self.buffer).map_err(|why| self.error(why))? {
            Read::Entry(step, entry) => Line::Entry(self.in_order(step)?, entry),
            Read::End(end) => {
                self.in_order(end.steps)?;
                self.ended = true;
                Line::End(end)
            }
        };
        Ok(Some(line))
    }

    /// Steps of a log never go back.
    fn in_order(&mut self, step: u64) -> Result<u64, LogError> {
        if step < self.last_step {
            let expected = format!("a step not before {}", self.last_step);
            return Err(self.error((expected, format!("step {step}"))));
        }
        self.last_step = step;
        Ok(step)
    }

    /// Reads a line into the buffer, without its end; false if there is no whole line left.
    fn next_line(&mut self) -> Result<bool, LogError> {
        self.buffer.clear();
        self.line += 1;
        let mut bounded = self.input.by_ref().take(MOST_LINE_BYTES as u64 + 1);
        if let Err(source) = bounded.read_until(b'\n', &mut self.buffer) {
            return Err(LogError::File { file: self.file.clone(), source });
        }
        if self.buffer.last() == Some(&b'\n') {
            self.buffer.pop();
            return Ok(true);
        }
        if self.buffer.len() > MOST_LINE_BYTES {
            let expected = format!("a line of at most {MOST_LINE_BYTES} bytes");
            return Err(self.error((expected, "a longer one".to_owned())));
        }
        Ok(false)
    }

    /// An error at the line that was read last.
    pub(super) fn error(&self, (expected, got): Mismatch) -> LogError {
        LogError::Line { file: self.file.clone(), line: self.line, expected, got }
    }
}
