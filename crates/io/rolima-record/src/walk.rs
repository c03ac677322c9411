//! Going over the messages of some topics in a span of time, chunk by chunk.

use crate::container::{Chunk, MessageAt};
use crate::error::RecordError;
use crate::recording::Inner;
use std::sync::Arc;

/// Goes over messages, in the order of the file.
pub(crate) struct Walk {
    pub(crate) inner: Arc<Inner>,
    /// Numbers of MCAP's channels.
    channels: Vec<u16>,
    span_ns: [u64; 2],
    /// The chunk that is read, or is read next.
    number: usize,
    /// The message after the one that was given last.
    place: usize,
    chunk: Chunk,
    is_read: bool,
}

impl Walk {
    pub(crate) fn new(inner: Arc<Inner>, channels: Vec<u16>, span_ns: [u64; 2]) -> Self {
        let chunk = Chunk::default();
        Self { inner, channels, span_ns, number: 0, place: 0, chunk, is_read: false }
    }

    /// Goes on after this message.
    pub(crate) fn after(mut self, (number, place): (usize, usize)) -> Self {
        (self.number, self.place, self.is_read) = (number, place + 1, false);
        self
    }

    /// The next message.
    pub(crate) fn next(&mut self) -> Result<Option<MessageAt<'_>>, RecordError> {
        let place = self.seek()?;
        if place.is_some() {
            self.place += 1;
        }
        Ok(place.and_then(|place| self.chunk.message(place)))
    }

    /// The next message, which is not taken; and the number of its chunk.
    pub(crate) fn peek(&mut self) -> Result<Option<(usize, MessageAt<'_>)>, RecordError> {
        let place = self.seek()?;
        let number = self.number;
        Ok(place.and_then(|place| Some((number, self.chunk.message(place)?))))
    }

    /// Lets the next message be the one after this.
    pub(crate) fn skip(&mut self) {
        self.place += 1;
    }

    /// Goes to the next message that is wanted. Returns its place.
    fn seek(&mut self) -> Result<Option<usize>, RecordError> {
        let inner = Arc::clone(&self.inner);
        let [begin, end] = self.span_ns;
        while let Some(chunk) = inner.container.chunks.get(self.number) {
            let has = self.channels.iter().any(|c| chunk.channels.binary_search(c).is_ok());
            if has && chunk.begin_ns <= end && chunk.end_ns >= begin {
                if !self.is_read {
                    self.chunk.read(&inner.container, chunk)?;
                    self.is_read = true;
                }
                while let Some(message) = self.chunk.message(self.place) {
                    let is_then = (begin..=end).contains(&message.time_ns);
                    if is_then && self.channels.contains(&message.channel) {
                        return Ok(Some(self.place));
                    }
                    self.place += 1;
                }
            }
            (self.number, self.place, self.is_read) = (self.number + 1, 0, false);
        }
        Ok(None)
    }

    /// An error at the chunk that is read.
    pub(crate) fn wrong(&self, expected: &str, got: String) -> RecordError {
        let container = &self.inner.container;
        let offset = container.chunks.get(self.number).map_or(0, |chunk| chunk.offset);
        container.at(offset, expected, got)
    }

    /// The topic of one of MCAP's channels.
    pub(crate) fn topic(&self, channel: u16) -> &str {
        self.inner.container.topics.get(&channel).map(String::as_str).unwrap_or_default()
    }
}
