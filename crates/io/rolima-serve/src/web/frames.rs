//! Frames of a WebSocket as they arrive, before they are messages: how much of a message is there
//! already, since when, and how many frames came that are none.
//!
//! The library puts fragments together by itself and tells of whole messages only. What is half
//! sent costs memory all the same, and frames without content cost time.

/// What a WebSocket's bytes have been so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct FrameParser {
    /// The head of a frame, as far as it has come.
    head: [u8; MOST_HEAD],
    known: usize,
    /// Bytes of the present frame that are still to come after its head.
    left: u64,
    is_control: bool,
    is_final: bool,
    /// Whether a message has begun and has not ended.
    is_open: bool,
    /// Bytes that have come of it.
    unfinished: u64,
    /// Messages that have ended.
    ended: u64,
}

/// Longest head of a frame: two bytes, a length of eight, a mask of four.
const MOST_HEAD: usize = 14;
/// Bits of a head's first two bytes, and the opcodes from which on frames are no data.
const FINAL: u8 = 0x80;
const OPCODE: u8 = 0x0f;
const MASKED: u8 = 0x80;
const LENGTH: u8 = 0x7f;
const FIRST_CONTROL: u8 = 8;

impl FrameParser {
    /// Bytes of a message that has not ended; none where there is no such message.
    pub(crate) fn unfinished(&self) -> Option<u64> {
        self.is_open.then_some(self.unfinished)
    }

    /// Messages that have ended.
    pub(crate) fn ended(&self) -> u64 {
        self.ended
    }

    /// Takes bytes in; gives how many frames began in them that are no whole message: questions,
    /// answers, and fragments.
    pub(crate) fn take(&mut self, mut bytes: &[u8]) -> usize {
        let mut parts = 0;
        while !bytes.is_empty() {
            if self.left > 0 {
                let now = bytes.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
                self.left -= now as u64;
                if !self.is_control {
                    self.unfinished += now as u64;
                }
                bytes = &bytes[now..];
            } else {
                self.head[self.known] = bytes[0];
                self.known += 1;
                bytes = &bytes[1..];
                if self.known < self.head_length() {
                    continue;
                }
                parts += usize::from(self.begin());
            }
            if self.left == 0 && self.known == 0 {
                self.end();
            }
        }
        parts
    }

    /// How long the head is, as far as can be told.
    fn head_length(&self) -> usize {
        if self.known < 2 {
            return 2;
        }
        let length = match self.head[1] & LENGTH {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        2 + length + if self.head[1] & MASKED != 0 { 4 } else { 0 }
    }

    /// The head is there: whether the frame is less than a message.
    fn begin(&mut self) -> bool {
        let opcode = self.head[0] & OPCODE;
        self.is_control = opcode >= FIRST_CONTROL;
        self.is_final = self.head[0] & FINAL != 0;
        self.left = match self.head[1] & LENGTH {
            126 => u64::from(u16::from_be_bytes([self.head[2], self.head[3]])),
            127 => {
                let mut length = [0; 8];
                length.copy_from_slice(&self.head[2..10]);
                u64::from_be_bytes(length)
            }
            short => u64::from(short),
        };
        self.known = 0;
        let is_whole = !self.is_control && self.is_final && !self.is_open;
        if !self.is_control && !self.is_open {
            (self.is_open, self.unfinished) = (true, 0);
        }
        !is_whole
    }

    /// All of a frame is there.
    fn end(&mut self) {
        if !self.is_control && self.is_final {
            (self.is_open, self.unfinished) = (false, 0);
            self.ended += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A frame as clients send it.
    fn frame(opcode: u8, is_final: bool, length: usize) -> Vec<u8> {
        let mut bytes = vec![opcode | if is_final { FINAL } else { 0 }];
        match length {
            0..126 => bytes.push(MASKED | length as u8),
            126..0x1_0000 => {
                bytes.push(MASKED | 126);
                bytes.extend((length as u16).to_be_bytes());
            }
            _ => {
                bytes.push(MASKED | 127);
                bytes.extend((length as u64).to_be_bytes());
            }
        }
        bytes.extend([1, 2, 3, 4]);
        bytes.extend(std::iter::repeat_n(7, length));
        bytes
    }

    /// Frames of one stream, and what has to be known after all of them.
    fn stream() -> (Vec<u8>, usize, Option<u64>) {
        let frames = [
            frame(2, true, 0),
            frame(2, true, 125),
            frame(2, true, 126),
            frame(9, true, 0),
            frame(2, false, 70_000),
            frame(10, true, 125),
            frame(0, false, 0),
            frame(0, true, 300),
            frame(1, true, 65_536),
            frame(2, false, 1000),
            frame(10, true, 3),
            frame(0, false, 200),
        ];
        // Ping, first fragment, pong, empty one, last one; then first fragment, pong, another.
        (frames.concat(), 8, Some(1200))
    }

    #[test]
    fn frames_are_known_however_they_are_cut() {
        let (bytes, parts, unfinished) = stream();
        for piece in [1, 2, 3, 7, 100, 8192, bytes.len()] {
            let mut parser = FrameParser::default();
            let found: usize = bytes.chunks(piece).map(|piece| parser.take(piece)).sum();
            assert_eq!((found, parser.unfinished()), (parts, unfinished), "pieces of {piece}");
            assert_eq!(parser.ended(), 5);
        }
    }

    #[test]
    fn a_message_counts_from_its_first_byte_to_its_last() {
        let mut parser = FrameParser::default();
        let bytes = frame(2, true, 1000);
        let (head, content) = bytes.split_at(8);
        parser.take(head);
        assert_eq!(parser.unfinished(), Some(0));
        parser.take(&content[..999]);
        assert_eq!(parser.unfinished(), Some(999));
        parser.take(&content[999..]);
        assert_eq!(parser.unfinished(), None);
    }
}
