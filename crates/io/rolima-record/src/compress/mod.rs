//! Compressing chunks into frames of zstd (RFC 8878), for what recordings are made of: messages of a few
//! topics again and again, of which most bytes are those of the message before, or are noise.
//!
//! So each message is held against the one before it of its topic, all of it at once, and only what has none
//! is searched for what it repeats. Literals stay as they are: of noise an entropy coder saves next to nothing.
//! The bytes follow from the content alone, on any machine; all readers of zstd read them.
//!
//! | module | what |
//! |---|---|
//! | `equal` | where two messages are equal |
//! | `search` | repetitions in what has no message before it |
//! | `block`, `codes`, `fse`, `bits` | blocks of literals and sequences, and how those are written |

mod bits;
mod block;
mod codes;
mod equal;
mod fse;
mod search;

use block::{Block, MOST_BLOCK};
use equal::EqualRuns;
use search::{Search, word_at};
use std::ops::Range;

/// What frames begin with.
const MAGIC: u32 = 0xfd2f_b528;
/// How far back matches go, as a power of two: about as much as stays in a processor's cache.
const WINDOW_LOG: u32 = 20;
/// Bytes that are worked on at once.
const MOST_PIECE: usize = 4 << 10;
/// Shortest repetition within a message that is worth a sequence: where the offset is not the last one, that
/// takes about three bytes.
const LEAST_REPEAT: usize = 4;
/// What a message repeats of itself is looked for anew after so many messages of its topic.
const LOOK_AGAIN: u32 = 64;

/// Compresses chunks, each by itself.
pub(crate) struct Compressor {
    block: Block,
    search: Search,
    runs: EqualRuns,
    /// By their numbers.
    topics: Vec<Topic>,
}

/// A message of a chunk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MessagePlace {
    pub(crate) channel: u16,
    /// Where its record is.
    pub(crate) place: Range<usize>,
}

/// The messages of a topic so far.
#[derive(Default)]
struct Topic {
    /// The last one.
    last: Option<Range<usize>>,
    count: u32,
    /// Where in a message four bytes stand that stood in it before, and how far before: not the same
    /// as in the message before.
    repeats: Vec<(u32, u32)>,
    /// Of how long a message that was found, and when it is looked for again.
    repeats_of: usize,
    look_at: u32,
}

/// A chunk's content, and how much of it is in the frame.
struct Progress<'a> {
    bytes: &'a [u8],
    /// Where the block begins, and how far its sequences go.
    block: usize,
    written: usize,
    /// The match that came last, which may go on, and how far before it the same bytes are; 0: there is none.
    last: Range<usize>,
    far: usize,
    out: &'a mut Vec<u8>,
}

impl Compressor {
    pub(crate) fn new() -> Self {
        Self {
            block: Block::new(),
            search: Search::new(),
            runs: EqualRuns::default(),
            topics: vec![],
        }
    }

    /// Compresses the records of a chunk, in which these messages are, into one frame. `out` is overwritten.
    pub(crate) fn compress(&mut self, bytes: &[u8], messages: &[MessagePlace], out: &mut Vec<u8>) {
        out.clear();
        out.extend_from_slice(&MAGIC.to_le_bytes());
        // The content's size in 8 bytes, no checksum: MCAP has one.
        out.extend_from_slice(&[3 << 6, ((WINDOW_LOG - 10) << 3) as u8]);
        out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
        self.block.restart();
        self.search.clear();
        self.topics.clear();
        let mut progress = Progress { bytes, block: 0, written: 0, last: 0..0, far: 0, out };
        let mut at = 0;
        for message in messages {
            self.search_in(at..message.place.start, &mut progress);
            self.message(message, &mut progress);
            at = message.place.end;
        }
        self.search_in(at..bytes.len(), &mut progress);
        self.end_block(bytes.len(), true, &mut progress);
    }

    fn end_block(&mut self, at: usize, is_last: bool, progress: &mut Progress<'_>) {
        self.end_match(progress);
        let Progress { bytes, block, written, out, .. } = progress;
        self.block.end(&bytes[*block..at], &bytes[*written..at], is_last, out);
        (*block, *written) = (at, at);
    }

    /// Sees that a piece fits into the block.
    fn make_room(&mut self, piece: &Range<usize>, progress: &mut Progress<'_>) {
        if piece.end - progress.block > MOST_BLOCK {
            self.end_block(piece.start, false, progress);
        }
    }

    /// Looks for repetitions.
    fn search_in(&mut self, place: Range<usize>, progress: &mut Progress<'_>) {
        for begin in place.clone().step_by(MOST_PIECE) {
            let piece = begin..place.end.min(begin + MOST_PIECE);
            self.make_room(&piece, progress);
            let mut at = piece.start;
            while let Some((found, offset)) = self.search.next(progress.bytes, at..piece.end) {
                at = found.end;
                self.take(found, offset, progress);
            }
        }
    }

    /// A match: what is between it and the one before are literals.
    #[inline]
    fn take(&mut self, found: Range<usize>, offset: usize, progress: &mut Progress<'_>) {
        if progress.last.end == found.start && progress.far == offset {
            progress.last.end = found.end;
            return;
        }
        self.end_match(progress);
        (progress.last, progress.far) = (found, offset);
    }

    /// Makes a sequence of the match that came last.
    fn end_match(&mut self, progress: &mut Progress<'_>) {
        let offset = std::mem::take(&mut progress.far);
        if offset > 0 {
            let last = &progress.last;
            let literals = &progress.bytes[progress.written..last.start];
            self.block.sequence(literals, last.len() as u32, offset as u32);
            progress.written = last.end;
        }
    }

    fn message(&mut self, message: &MessagePlace, progress: &mut Progress<'_>) {
        let MessagePlace { channel, place } = message;
        let number = usize::from(*channel);
        if number >= self.topics.len() {
            self.topics.resize_with(number + 1, Topic::default);
        }
        let mut topic = std::mem::take(&mut self.topics[number]);
        let near =
            |last: &Range<usize>| !last.is_empty() && place.end - last.start <= 1 << WINDOW_LOG;
        match topic.last.replace(place.clone()).filter(near) {
            None => self.search_in(place.clone(), progress),
            Some(last) if last.len() == place.len() => {
                if topic.repeats_of != place.len() || topic.count >= topic.look_at {
                    topic.look(progress.bytes, place, &last, &mut self.runs);
                }
                self.against(&topic.repeats, place, place.start - last.start, progress);
            }
            Some(last) => {
                // Something was put in or left out: before that it fits from the beginning, behind it from
                // the end.
                let split =
                    self.runs.split(&progress.bytes[last.clone()], &progress.bytes[place.clone()]);
                let middle = place.start + split;
                self.against(&[], &(place.start..middle), place.start - last.start, progress);
                self.against(&[], &(middle..place.end), place.end - last.end, progress);
            }
        }
        topic.count += 1;
        self.topics[number] = topic;
    }

    /// Holds a place against what is so far before it.
    fn against(
        &mut self,
        repeats: &[(u32, u32)],
        place: &Range<usize>,
        offset: usize,
        progress: &mut Progress<'_>,
    ) {
        let bytes = progress.bytes;
        let mut repeats = repeats.iter();
        for begin in place.clone().step_by(MOST_PIECE) {
            let piece = begin..place.end.min(begin + MOST_PIECE);
            self.make_room(&piece, progress);
            let (now, before) = (&bytes[piece.clone()], &bytes[begin - offset..piece.end - offset]);
            self.runs.compare(before, now);
            let (mut at, mut free) = (0, begin);
            loop {
                let run = self.runs.next(at);
                let gap_end = begin + run.as_ref().map_or(now.len(), |run| run.start);
                // Where the bytes differ there may be some that stood in this message already.
                while let Some(&(found, far)) = repeats.as_slice().first() {
                    let found = place.start + found as usize;
                    if found + LEAST_REPEAT > gap_end {
                        break;
                    }
                    repeats.next();
                    let far = far as usize;
                    if found >= free && word_at(bytes, found) == word_at(bytes, found - far) {
                        free = found + LEAST_REPEAT;
                        self.take(found..free, far, progress);
                    }
                }
                let Some(run) = run else { break };
                (at, free) = (run.end, begin + run.end);
                self.take(begin + run.start..free, offset, progress);
            }
        }
    }
}

impl Topic {
    /// Looks for what a message repeats of itself where it is not as the one before.
    fn look(
        &mut self,
        bytes: &[u8],
        place: &Range<usize>,
        last: &Range<usize>,
        runs: &mut EqualRuns,
    ) {
        self.repeats.clear();
        (self.repeats_of, self.look_at) = (place.len(), self.count + LOOK_AGAIN);
        let (now, before) = (&bytes[place.clone()], &bytes[last.clone()]);
        if now.len() > MOST_PIECE {
            return;
        }
        runs.compare(before, now);
        let mut known = [u16::MAX; 1 << 8];
        let (mut at, mut free) = (0, 0);
        while at < now.len() {
            let run = runs.next(at).unwrap_or(now.len()..now.len());
            for found in at..(run.start + 1).saturating_sub(LEAST_REPEAT).max(at) {
                let word = word_at(now, found);
                let slot = &mut known[(word.wrapping_mul(search::SPREAD) >> 24) as usize];
                let earlier = usize::from(std::mem::replace(slot, found as u16));
                if earlier < found && word_at(now, earlier) == word && found >= free {
                    self.repeats.push((found as u32, (found - earlier) as u32));
                    free = found + LEAST_REPEAT;
                }
            }
            at = run.end;
        }
    }
}

#[cfg(test)]
mod tests;
