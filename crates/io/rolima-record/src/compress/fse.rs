//! Finite state entropy: codes that occur often take few bits, parts of bits included (RFC 8878, 4.1).

use super::bits::BitWriter;

/// Codes that there may be.
pub(super) const MOST_CODES: usize = 64;
/// The smallest table that is written, as a power of two.
const LEAST_LOG: u32 = 5;

/// How codes are written.
pub(super) struct Table {
    log: u32,
    /// Of each code, what gives the bits that go out and the state that comes next.
    codes: [Step; MOST_CODES],
    states: Vec<u16>,
    /// What of the table each code has.
    shares: [u16; MOST_CODES],
    symbols: Vec<u8>,
}

#[derive(Clone, Copy, Default)]
struct Step {
    bits: u32,
    find: i32,
}

/// Where the writing of codes stands.
#[derive(Clone, Copy)]
pub(super) struct State(u32);

impl Table {
    pub(super) fn new() -> Self {
        Self {
            log: 0,
            codes: [Step::default(); MOST_CODES],
            states: vec![],
            shares: [0; MOST_CODES],
            symbols: vec![],
        }
    }

    /// Makes the table for codes that occur so often, two kinds at least, and describes it.
    pub(super) fn make(&mut self, counts: &[u32; MOST_CODES], most_log: u32, out: &mut Vec<u8>) {
        let total: u32 = counts.iter().sum();
        let kinds = counts.iter().filter(|&&count| count > 0).count() as u32;
        // Room for each kind; and no finer than so many codes are worth.
        let least = (kinds.max(2) - 1).ilog2() + 1;
        self.log = (total.ilog2().saturating_sub(2)).clamp(LEAST_LOG.max(least), most_log);
        self.share(counts, total);
        self.describe(out);
        self.spread();
    }

    /// Shares the table out: what is left over, or too much, is that of the most frequent code.
    fn share(&mut self, counts: &[u32; MOST_CODES], total: u32) {
        let size = 1 << self.log;
        let share = |count: u32| (u64::from(count) * size / u64::from(total)) as u16;
        self.shares = counts.map(|count| if count > 0 { share(count).max(1) } else { 0 });
        let given = |shares: &[u16]| shares.iter().map(|&share| u64::from(share)).sum::<u64>();
        let largest =
            |shares: &[u16]| (0..MOST_CODES).max_by_key(|&code| shares[code]).unwrap_or(0);
        while given(&self.shares) > size {
            self.shares[largest(&self.shares)] -= 1;
        }
        self.shares[largest(&self.shares)] += (size - given(&self.shares)) as u16;
    }

    /// Writes the shares.
    fn describe(&self, out: &mut Vec<u8>) {
        let mut bits = BitWriter::new(out);
        bits.put(self.log - LEAST_LOG, 4);
        let mut left = (1_u32 << self.log) + 1;
        let mut code = 0;
        while left > 1 {
            let share = u32::from(self.shares[code]);
            let value = share + 1;
            // Numbers up to `left` in as few bits as they need: the lower ones in one bit less.
            let width = left.ilog2() + 1;
            let short = (1 << width) - 1 - left;
            let half = 1 << (width - 1);
            if value < short {
                bits.put(value, width - 1);
            } else {
                bits.put(if value >= half { value + short } else { value }, width);
            }
            bits.carry();
            left -= share;
            code += 1;
            if share == 0 {
                // How many more there are without a share, in threes.
                let mut none = self.shares[code..].iter().take_while(|&&share| share == 0).count();
                code += none;
                while none >= 3 {
                    bits.put(3, 2);
                    bits.carry();
                    none -= 3;
                }
                bits.put(none as u32, 2);
                bits.carry();
            }
        }
        bits.end();
    }

    /// Gives the states to the codes.
    fn spread(&mut self) {
        let size = 1_usize << self.log;
        let step = (size >> 1) + (size >> 3) + 3;
        self.symbols.clear();
        self.symbols.resize(size, 0);
        let mut at = 0;
        for (code, &share) in self.shares.iter().enumerate() {
            for _ in 0..share {
                self.symbols[at] = code as u8;
                at = (at + step) & (size - 1);
            }
        }
        let mut first = [0_u16; MOST_CODES];
        let mut total = 0;
        for (code, &share) in self.shares.iter().enumerate() {
            first[code] = total;
            let log = self.log;
            self.codes[code] = match share {
                0 => Step::default(),
                1 => Step { bits: (log << 16) - (1 << log), find: i32::from(total) - 1 },
                _ => {
                    let most = log - u32::from(share - 1).ilog2();
                    let bits = (most << 16) - (u32::from(share) << most);
                    Step { bits, find: i32::from(total) - i32::from(share) }
                }
            };
            total += share;
        }
        self.states.clear();
        self.states.resize(size, 0);
        for (at, &code) in self.symbols.iter().enumerate() {
            let next = &mut first[usize::from(code)];
            self.states[usize::from(*next)] = (size + at) as u16;
            *next += 1;
        }
    }

    /// Begins with the code that is read last.
    pub(super) fn begin(&self, code: u8) -> State {
        let Step { bits, find } = self.codes[usize::from(code)];
        let count = (bits + (1 << 15)) >> 16;
        let value = (count << 16) - bits;
        State(self.next(value >> count, find))
    }

    /// Writes the code that is read before the one that was written last.
    #[inline]
    pub(super) fn put(&self, state: &mut State, code: u8, bits: &mut BitWriter<'_>) {
        let step = self.codes[usize::from(code) % MOST_CODES];
        let count = (state.0 + step.bits) >> 16;
        bits.put(state.0, count);
        state.0 = self.next(state.0 >> count, step.find);
    }

    fn next(&self, share: u32, find: i32) -> u32 {
        u32::from(self.states[(share as i32 + find) as usize])
    }

    /// Writes where it stands, which is what is read first.
    pub(super) fn end(&self, state: State, bits: &mut BitWriter<'_>) {
        bits.put(state.0, self.log);
    }
}
