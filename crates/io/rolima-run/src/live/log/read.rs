//! Reading a log, with errors that name file and line.

use super::bundled::Known;
use super::line::{Entry, Header, LoggedEnd, Mismatch, Read, read_header, read_line};
use rolima_scene::open_regular;
use std::io::{self, BufRead, BufReader, Read as _};
use std::path::Path;

/// Longest line of a log, bytes: a reader never holds more than one. The text of the largest file of a
/// scene (64 MiB) fits, each of its characters as two in JSON at worst.
pub const MOST_LINE_BYTES: usize = 130 << 20;

/// What a log is read from.
pub type LogInput = Box<dyn BufRead + Send>;

/// How a log begins.
const HEAD: &[u8] = b"{\"rolima_log\"";

/// Whether a file begins as logs and saved runs do.
pub fn is_log(path: &Path) -> bool {
    let mut head = [0; HEAD.len()];
    open_regular(path).and_then(|mut file| file.read_exact(&mut head)).is_ok() && head == HEAD
}

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
pub enum LogLine {
    /// What was done after so many steps.
    Entry(u64, Entry),
    /// The run ended.
    End(LoggedEnd),
}

/// Reads a log line by line.
pub struct LogReader<R> {
    lines: Lines<R>,
    header: Header,
    known: Known,
    last_step: u64,
    ended: bool,
    cut_off: bool,
}

/// The lines of a file, and which one was read last.
struct Lines<R> {
    file: String,
    input: R,
    buffer: Vec<u8>,
    number: u64,
}

impl LogReader<LogInput> {
    /// Opens a log file and reads its header.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let file = path.display().to_string();
        match open_regular(path) {
            Ok(input) => Self::new(&file, Box::new(BufReader::new(input))),
            Err(source) => Err(LogError::File { file, source }),
        }
    }
}

impl<R: BufRead> LogReader<R> {
    /// Reads the header of a log and the files of its scene; `file` is the log's name in errors.
    pub fn new(file: &str, input: R) -> Result<Self, LogError> {
        let mut lines = Lines { file: file.to_owned(), input, buffer: vec![], number: 0 };
        if !lines.next()? {
            let got = if lines.buffer.is_empty() { "an empty file" } else { "a part of it" };
            return Err(lines.error(("the header of a command log".to_owned(), got.to_owned())));
        }
        let header = read_header(&lines.buffer).map_err(|why| lines.error(why))?;
        let mut known = Known::default();
        while known.count() < Known::wanted(&header.source) {
            let is_file = lines.next()?
                && matches!(
                    read_line(&lines.buffer, &mut known).map_err(|why| lines.error(why))?,
                    Read::File(_)
                );
            if !is_file {
                let expected = "a file of the log's scene".to_owned();
                return Err(lines.error((expected, "something else, or the log's end".to_owned())));
            }
        }
        let header = header.finish(&mut known).map_err(|why| lines.error(why))?;
        Ok(Self { lines, header, known, last_step: 0, ended: false, cut_off: false })
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
    pub fn read(&mut self) -> Result<Option<LogLine>, LogError> {
        loop {
            if self.ended || self.cut_off {
                return Ok(None);
            }
            if !self.lines.next()? {
                self.cut_off = true;
                return Ok(None);
            }
            let read = read_line(&self.lines.buffer, &mut self.known);
            match read.map_err(|why| self.error(why))? {
                Read::Entry(step, entry) => {
                    return Ok(Some(LogLine::Entry(self.in_order(step)?, entry)));
                }
                Read::File(step) => {
                    self.in_order(step)?;
                }
                Read::End(end) => {
                    self.in_order(end.steps)?;
                    self.ended = true;
                    return Ok(Some(LogLine::End(end)));
                }
            }
        }
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

    /// The line that was read last, from 1.
    pub(super) fn line(&self) -> u64 {
        self.lines.number
    }

    /// An error at the line that was read last.
    pub(super) fn error(&self, why: Mismatch) -> LogError {
        self.lines.error(why)
    }
}

impl<R: BufRead> Lines<R> {
    /// Reads a line into the buffer, without its end; false if there is no whole line left.
    fn next(&mut self) -> Result<bool, LogError> {
        self.buffer.clear();
        self.number += 1;
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

    fn error(&self, (expected, got): Mismatch) -> LogError {
        // What a terminal would obey, or cannot show, is not repeated.
        let is_shown = |c: char| !c.is_control() && c != char::REPLACEMENT_CHARACTER;
        let is_text = got.chars().all(is_shown);
        let got = if is_text { got } else { "bytes that are no text".to_owned() };
        LogError::Line { file: self.file.clone(), line: self.number, expected, got }
    }
}
