//! Lengths and offsets as codes and bits beyond them (RFC 8878, 3.1.1.3.2.1).

/// Bits beyond the code, by code of a length of literals.
const LITERAL_BITS: [u8; 36] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11,
    12, 13, 14, 15, 16,
];
/// The same of a match.
const MATCH_BITS: [u8; 53] = [
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    1, 1, 1, 1, 2, 2, 3, 3, 4, 4, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
];
/// Shortest match that there is a code for.
pub(super) const LEAST_MATCH: u32 = 3;

/// A number as a code and bits beyond it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Coded {
    pub(super) code: u8,
    pub(super) count: u8,
    pub(super) bits: u32,
}

/// How lengths are coded.
pub(super) struct Codes {
    /// Least length of each code, and its bits beyond.
    rows: Vec<(u32, u8)>,
    /// Short lengths.
    short: [Coded; 256],
}

impl Codes {
    /// Of literals.
    pub(super) fn literals() -> Self {
        Self::new(0, &LITERAL_BITS)
    }

    /// Of matches.
    pub(super) fn matches() -> Self {
        Self::new(LEAST_MATCH, &MATCH_BITS)
    }

    fn new(least: u32, bits: &[u8]) -> Self {
        let mut rows = vec![];
        let mut next = least;
        for &bits in bits {
            rows.push((next, bits));
            next += 1 << bits;
        }
        let short = std::array::from_fn(|length| coded(&rows, length as u32));
        Self { short, rows }
    }

    /// A length that there is a code for.
    #[inline]
    pub(super) fn of(&self, length: u32) -> Coded {
        match self.short.get(length as usize) {
            Some(&known) => known,
            None => coded(&self.rows, length),
        }
    }
}

fn coded(rows: &[(u32, u8)], length: u32) -> Coded {
    let code = rows.partition_point(|(least, _)| *least <= length).saturating_sub(1);
    let (least, count) = rows[code];
    Coded { code: code as u8, count, bits: length.saturating_sub(least) }
}

/// An offset's value, which is not 0.
pub(super) fn offset(value: u32) -> Coded {
    let code = value.ilog2();
    Coded { code: code as u8, count: code as u8, bits: value - (1 << code) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_the_codes_of_the_standard() {
        let literals = Codes::literals();
        let code = |length| (literals.of(length).code, literals.of(length).bits);
        assert_eq!(
            [0, 15, 16, 17, 18, 63, 64].map(code).map(|(code, _)| code),
            [0, 15, 16, 16, 17, 24, 25]
        );
        assert_eq!((code(48), code(128), code(65_536)), ((24, 0), (26, 0), (35, 0)));
        let matches = Codes::matches();
        let code = |length| (matches.of(length).code, matches.of(length).bits);
        assert_eq!((code(3), code(34), code(35), code(36)), ((0, 0), (31, 0), (32, 0), (32, 1)));
        assert_eq!(
            (code(83), code(99), code(131), code(259)),
            ((41, 0), (42, 0), (43, 0), (44, 0))
        );
        assert_eq!((code(65_539), code(100_000)), ((52, 0), (52, 34_461)));
        assert_eq!(
            (offset(1), offset(5)),
            (Coded::default(), Coded { code: 2, count: 2, bits: 1 })
        );
    }
}
