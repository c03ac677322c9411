//! The actions of a recording as the text of a log.

use crate::error::RecordError;
use crate::recording::Recording;
use crate::walk::Walk;
use rolima_run::live::log::{Entry, Header, LogError, LogInput, LogLine, LogLines, LogReader};
use std::io::{self, BufRead, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// Where in the file the line stands that was given last: its chunk, and its place there.
pub(crate) type LineAt = Arc<Mutex<Option<(usize, usize)>>>;

/// The lines of a recording's log, one after the other, after some that stand for what was before.
struct Lines {
    walk: Walk,
    line: Vec<u8>,
    at: usize,
    place: LineAt,
}

impl Lines {
    /// Goes to the next line, if this one is done with.
    fn fill(&mut self) -> io::Result<()> {
        if self.at < self.line.len() {
            return Ok(());
        }
        self.at = 0;
        self.line.clear();
        let found = match self.walk.peek().map_err(io::Error::other)? {
            Some((number, message)) => {
                self.line.extend_from_slice(message.data);
                self.line.push(b'\n');
                Some((number, message.place))
            }
            None => None,
        };
        self.walk.skip();
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = found;
        Ok(())
    }
}

impl Read for Lines {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(out)?;
        self.consume(count);
        Ok(count)
    }
}

impl BufRead for Lines {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.fill()?;
        Ok(&self.line[self.at..])
    }

    fn consume(&mut self, count: usize) {
        self.at += count;
    }
}

impl Recording {
    /// All that was done, as a log: it replays as one.
    pub fn log(&self) -> Result<LogReader<LogInput>, RecordError> {
        Ok(self.log_from(vec![], None)?.0)
    }

    /// The log from after a message on, behind some lines that stand for what was before it; and where
    /// the line stands that was read last.
    pub(crate) fn log_from(
        &self,
        before: Vec<u8>,
        after: Option<(usize, usize)>,
    ) -> Result<(LogReader<LogInput>, LineAt), RecordError> {
        let place = LineAt::default();
        let walk = match after {
            Some(after) => self.lines().after(after),
            None => self.lines(),
        };
        let lines = Lines { walk, line: before, at: 0, place: Arc::clone(&place) };
        let input: LogInput = Box::new(lines);
        Ok((LogReader::new(&self.about().file, input)?, place))
    }

    /// What a log would say of a scene that it begins with.
    pub(crate) fn header(&self, scene: usize) -> Result<Header, RecordError> {
        Ok(self.header_at(scene)?.0)
    }

    /// The same, and where the line stands by which it was loaded; none of the first.
    pub(crate) fn header_at(
        &self,
        scene: usize,
    ) -> Result<(Header, Option<(usize, usize)>), RecordError> {
        let (mut log, line_at) = self.log_from(vec![], None)?;
        let mut header = log.header().clone();
        let mut number = 0;
        let mut loaded_at = None;
        while number < scene {
            match log.read()? {
                Some(LogLine::Entry(_, Entry::Load { scene, model, source: Some(source) })) => {
                    let known = &self.scenes()[number + 1];
                    header = Header {
                        scene,
                        model,
                        source,
                        seed: known.seed,
                        step_s: known.step_s,
                        ..header
                    };
                    number += 1;
                    loaded_at = *line_at.lock().unwrap_or_else(PoisonError::into_inner);
                }
                Some(_) => {}
                None => {
                    let file = self.about().file.clone();
                    let expected = format!("the files of scene {scene}");
                    let got = "none: the recording breaks off".to_owned();
                    return Err(RecordError::Not { file, expected, got });
                }
            }
        }
        Ok((header, loaded_at))
    }

    /// The first lines of a log that begins with a scene.
    pub(crate) fn header_lines(&self, header: &Header) -> Result<Vec<u8>, RecordError> {
        let failed = |source| LogError::File { file: self.about().file.clone(), source };
        Ok(LogLines::default().header(header).map_err(failed)?.to_vec())
    }
}
