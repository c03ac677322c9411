//! Blocks: literals as they are, and sequences of literals and matches in finite state entropy
//! (RFC 8878, 3.1.1.2 and 3.1.1.3).

use super::bits::BitWriter;
use super::codes::{self, Codes};
use super::fse::{MOST_CODES, Table};

/// Most bytes of a block, before and after.
pub(super) const MOST_BLOCK: usize = 128 << 10;
/// Largest tables that readers have, as powers of two.
const LITERAL_LOG: u32 = 9;
const OFFSET_LOG: u32 = 8;
const MATCH_LOG: u32 = 9;
/// How a block's bytes stand in it.
const RAW: u32 = 0;
const COMPRESSED: u32 = 2;
/// How the codes of a section are written.
const ONE: u8 = 1;
const TABLE: u8 = 2;

/// A block that is put together.
pub(super) struct Block {
    literals: Vec<u8>,
    sequences: Vec<Sequence>,
    literal_codes: Codes,
    match_codes: Codes,
    tables: [Table; 3],
    /// The offsets that came last; and as they were when the block began.
    last: [u32; 3],
    last_before: [u32; 3],
}

/// Literals and a match.
#[derive(Clone, Copy)]
struct Sequence {
    /// Of literals, match and offset.
    codes: [u8; 3],
    /// How many bits those leave open.
    count: u8,
    bits: u64,
}

impl Block {
    /// The first of a frame.
    pub(super) fn new() -> Self {
        Self {
            literals: vec![],
            sequences: vec![],
            literal_codes: Codes::literals(),
            match_codes: Codes::matches(),
            tables: std::array::from_fn(|_| Table::new()),
            last: [1, 4, 8],
            last_before: [1, 4, 8],
        }
    }

    /// The first block of another frame.
    pub(super) fn restart(&mut self) {
        (self.last, self.last_before) = ([1, 4, 8], [1, 4, 8]);
    }

    /// Literals, and behind them bytes that are there already, so far back.
    pub(super) fn sequence(&mut self, literals: &[u8], length: u32, offset: u32) {
        self.literals.extend_from_slice(literals);
        let value = self.value_of(offset, literals.is_empty());
        let all = [
            self.literal_codes.of(literals.len() as u32),
            self.match_codes.of(length),
            codes::offset(value),
        ];
        let (mut bits, mut count) = (0, 0);
        for coded in &all {
            bits |= u64::from(coded.bits) << count;
            count += coded.count;
        }
        self.sequences.push(Sequence { codes: all.map(|coded| coded.code), count, bits });
    }

    /// The value that stands for an offset: the last three have short ones, other ones without literals.
    fn value_of(&mut self, offset: u32, is_bare: bool) -> u32 {
        if offset == self.last[0] && !is_bare {
            return 1;
        }
        let [first, second, third] = self.last;
        let known =
            if is_bare { [second, third, first.wrapping_sub(1)] } else { [first, second, third] };
        let place = known.iter().position(|&known| known == offset);
        self.last = match (place, is_bare) {
            (Some(1), false) | (Some(0), true) => [offset, first, third],
            _ => [offset, first, second],
        };
        place.map_or(offset + 3, |place| place as u32 + 1)
    }

    /// Writes the block with this content, which ends with literals, and begins another.
    pub(super) fn end(&mut self, content: &[u8], rest: &[u8], is_last: bool, out: &mut Vec<u8>) {
        self.literals.extend_from_slice(rest);
        let begin = out.len();
        out.extend_from_slice(&[0; 3]);
        self.put(out);
        let mut kind = COMPRESSED;
        if out.len() - begin - 3 >= content.len() {
            out.truncate(begin + 3);
            out.extend_from_slice(content);
            // Readers see no sequences.
            (kind, self.last) = (RAW, self.last_before);
        }
        let size = (out.len() - begin - 3) as u32;
        let head = u32::from(is_last) | kind << 1 | size << 3;
        out[begin..begin + 3].copy_from_slice(&head.to_le_bytes()[..3]);
        self.literals.clear();
        self.sequences.clear();
        self.last_before = self.last;
    }

    /// Both sections.
    fn put(&mut self, out: &mut Vec<u8>) {
        // Raw, with 20 bits for their number.
        let head = 3 << 2 | (self.literals.len() as u32) << 4;
        out.extend_from_slice(&head.to_le_bytes()[..3]);
        out.extend_from_slice(&self.literals);
        let count = self.sequences.len();
        match count {
            0..128 => out.push(count as u8),
            128..0x7f00 => out.extend_from_slice(&[(count >> 8) as u8 | 128, count as u8]),
            _ => {
                out.push(255);
                out.extend_from_slice(&((count - 0x7f00) as u16).to_le_bytes());
            }
        }
        if count > 0 {
            let ones = self.put_tables(out);
            self.put_sequences(ones, out);
        }
    }

    /// Describes the tables. Returns which sections have one code only, and so no table.
    fn put_tables(&mut self, out: &mut Vec<u8>) -> [bool; 3] {
        let mut counts = [[0; MOST_CODES]; 3];
        for sequence in &self.sequences {
            for (counts, code) in counts.iter_mut().zip(sequence.codes) {
                counts[usize::from(code) % MOST_CODES] += 1;
            }
        }
        let modes_at = out.len();
        out.push(0);
        let mut ones = [false; 3];
        // In the file offsets come before matches.
        for (section, log, shift) in [(0, LITERAL_LOG, 6), (2, OFFSET_LOG, 4), (1, MATCH_LOG, 2)] {
            let counts = &counts[section];
            ones[section] = counts.iter().filter(|&&count| count > 0).count() == 1;
            if ones[section] {
                out[modes_at] |= ONE << shift;
                out.push(self.sequences[0].codes[section]);
            } else {
                out[modes_at] |= TABLE << shift;
                self.tables[section].make(counts, log, out);
            }
        }
        ones
    }

    /// Writes the sequences from the last to the first, as they are read from the end.
    fn put_sequences(&self, ones: [bool; 3], out: &mut Vec<u8>) {
        let Some((end, before)) = self.sequences.split_last() else { return };
        let mut bits = BitWriter::new(out);
        let begin = |section: usize| {
            (!ones[section]).then(|| self.tables[section].begin(end.codes[section]))
        };
        let mut states = [begin(0), begin(1), begin(2)];
        bits.put_long(end.bits, end.count.into());
        for sequence in before.iter().rev() {
            for section in [2, 1, 0] {
                if let Some(state) = &mut states[section] {
                    self.tables[section].put(state, sequence.codes[section], &mut bits);
                }
            }
            bits.carry();
            if sequence.count > 0 {
                bits.put_long(sequence.bits, sequence.count.into());
            }
        }
        for section in [1, 2, 0] {
            if let Some(state) = states[section] {
                self.tables[section].end(state, &mut bits);
                bits.carry();
            }
        }
        // Where it ends, for who begins there.
        bits.put(1, 1);
        bits.end();
    }
}
