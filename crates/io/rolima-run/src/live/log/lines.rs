//! The lines of a log in memory, for whoever keeps them elsewhere than in a file of their own.

use super::bundled::Known;
use super::line::{Entry, Header, LoggedEnd, put_end, put_entry, put_header};
use std::io;

/// Makes the lines of one log, in their order.
#[derive(Default)]
pub struct LogLines {
    known: Known,
    text: Vec<u8>,
}

impl LogLines {
    /// The header, and the files of its scene.
    pub fn header(&mut self, header: &Header) -> io::Result<&[u8]> {
        self.text.clear();
        put_header(&mut self.text, header)?;
        self.known.begin(&header.source);
        Ok(&self.text)
    }

    /// What was done after so many steps; before it the files of a scene that it loads.
    pub fn entry(&mut self, step: u64, entry: &Entry) -> io::Result<&[u8]> {
        self.text.clear();
        put_entry(&mut self.text, step, entry, &mut self.known)?;
        Ok(&self.text)
    }

    /// How the run ended.
    pub fn end(&mut self, end: &LoggedEnd) -> io::Result<&[u8]> {
        self.text.clear();
        put_end(&mut self.text, end)?;
        Ok(&self.text)
    }
}
