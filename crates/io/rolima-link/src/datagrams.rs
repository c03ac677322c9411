//! Messages in pieces that fit into datagrams, and back.
//!
//! A background is sent again and again under the same number, so that what a lossy link left of it adds up.

use crate::messages::{MOST_BODY_BYTES, MessageError, bad, kind};
use std::collections::BTreeMap;

/// What a datagram of the server begins with, before the kind of its message.
pub const FRAGMENT_MAGIC: &[u8; 3] = b"RLF";
/// Bytes before a piece: magic and kind, number of the message, number of the piece, pieces, length of the message.
pub const FRAGMENT_HEAD: usize = 16;
/// Longest piece, bytes: with all headers a datagram fits into what any network passes on in one.
pub const MOST_PIECE: usize = 1200;
/// Frames that are put together at the same time.
const MOST_OPEN: usize = 4;
/// Longest message that the assembler takes, bytes.
const MOST_MESSAGE: usize = MOST_BODY_BYTES;

/// Calls `send` with every datagram of a message that is called `number`.
pub fn split(body: &[u8], number: u32, scratch: &mut Vec<u8>, mut send: impl FnMut(&[u8])) {
    let count = body.len().div_ceil(MOST_PIECE);
    let Ok(count) = u16::try_from(count) else { return };
    for (index, piece) in body.chunks(MOST_PIECE).enumerate() {
        scratch.clear();
        scratch.extend_from_slice(FRAGMENT_MAGIC);
        scratch.push(body[0]);
        scratch.extend(number.to_le_bytes());
        scratch.extend((index as u16).to_le_bytes());
        scratch.extend(count.to_le_bytes());
        scratch.extend((body.len() as u32).to_le_bytes());
        scratch.extend_from_slice(piece);
        send(scratch);
    }
}

/// A message that is not yet whole. It takes as much memory as has come of it, whatever it says of its length.
#[derive(Default)]
struct Open {
    kind: u8,
    number: u32,
    length: usize,
    count: usize,
    pieces: BTreeMap<usize, Vec<u8>>,
}

impl Open {
    fn is_whole(&self) -> bool {
        self.pieces.len() == self.count
    }

    fn into_body(self) -> Vec<u8> {
        self.pieces.into_values().flatten().collect()
    }
}

/// Puts messages together.
#[derive(Default)]
pub struct Assembler {
    /// The oldest first.
    open: Vec<Open>,
    /// Backgrounds are large and come again: apart.
    key: Option<Open>,
    whole: Vec<u8>,
    /// Messages that were given up, and datagrams that made no sense.
    lost: u64,
    bad: u64,
}

impl Assembler {
    /// Messages that were given up because newer ones came.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// Datagrams that made no sense.
    pub fn refused(&self) -> u64 {
        self.bad
    }

    /// Takes a datagram. Returns the message that it completes.
    pub fn take(&mut self, datagram: &[u8]) -> Option<&[u8]> {
        match self.add(datagram) {
            Ok(done) => done.then_some(&self.whole[..]),
            Err(_) => {
                self.bad += 1;
                None
            }
        }
    }

    fn add(&mut self, datagram: &[u8]) -> Result<bool, MessageError> {
        let wrong = || bad("datagram", "a piece of a message", format!("{} bytes", datagram.len()));
        let (head, piece) = datagram.split_at_checked(FRAGMENT_HEAD).ok_or_else(wrong)?;
        let u32_at =
            |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let u16_at = |at: usize| usize::from(u16::from_le_bytes([head[at], head[at + 1]]));
        let (kind, number, length) = (head[3], u32_at(4), u32_at(12) as usize);
        let (index, count) = (u16_at(8), u16_at(10));
        let first = index * MOST_PIECE;
        let fits = &head[..3] == FRAGMENT_MAGIC
            && (1..=MOST_MESSAGE).contains(&length)
            && count == length.div_ceil(MOST_PIECE)
            && index < count
            && piece.len() == (length - first).min(MOST_PIECE);
        if !fits {
            return Err(wrong());
        }
        if count == 1 {
            self.whole.clear();
            self.whole.extend_from_slice(piece);
            return Ok(true);
        }
        let open = self.open((kind, number), length, count);
        open.pieces.entry(index).or_insert_with(|| piece.to_vec());
        Ok(self.close((kind, number)))
    }

    /// Where a message is put together.
    fn open(&mut self, (kind, number): (u8, u32), length: usize, count: usize) -> &mut Open {
        let new = || Open { kind, number, length, count, pieces: BTreeMap::new() };
        let is_it =
            |open: &Open| open.number == number && open.kind == kind && open.length == length;
        if kind == kind::KEY {
            if !self.key.as_ref().is_some_and(is_it) {
                self.key = Some(new());
            }
            return self.key.get_or_insert_with(new);
        }
        let at = self.open.iter().position(is_it).unwrap_or_else(|| {
            if self.open.len() >= MOST_OPEN {
                self.open.remove(0);
                self.lost += 1;
            }
            self.open.push(new());
            self.open.len() - 1
        });
        &mut self.open[at]
    }

    /// Takes a message out if it is whole, with all that are older.
    fn close(&mut self, (kind, number): (u8, u32)) -> bool {
        if kind == kind::KEY {
            let Some(key) = self.key.take_if(|key| key.is_whole()) else { return false };
            self.whole = key.into_body();
            return true;
        }
        let is_done = |open: &Open| open.kind == kind && open.number == number && open.is_whole();
        let Some(at) = self.open.iter().position(is_done) else { return false };
        self.lost += at as u64;
        let done = self.open.drain(..=at).next_back();
        self.whole = done.map(Open::into_body).unwrap_or_default();
        true
    }
}
