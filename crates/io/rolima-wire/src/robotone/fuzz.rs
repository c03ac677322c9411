//! The entry of a fuzz target.

use super::{Asked, Decoder, Dialect, FramingLost, RobotOneRefusal, reply};

/// Decodes whatever the bytes are, in pieces and as a whole. The first byte says how long the pieces
/// are.
pub fn fuzz_entry(bytes: &[u8]) {
    let Some((piece, bytes)) = bytes.split_first() else { return };
    for dialect in Dialect::ALL {
        let whole = all_of(dialect, bytes, usize::MAX);
        let pieces = all_of(dialect, bytes, usize::from(*piece) + 1);
        // As text, as a value that is refused, or the size for which framing is lost, may be no
        // number, and that equals nothing.
        let told = |outcome: &(Vec<Result<Asked, RobotOneRefusal>>, Option<FramingLost>)| {
            format!("{outcome:?}")
        };
        assert_eq!(told(&whole), told(&pieces), "the same whatever the pieces, lost or not");
        for asked in whole.0.iter().flatten() {
            if let Asked::Set(_, value) | Asked::SetOf(_, _, value) = asked {
                assert!(value.is_finite());
            }
        }
    }
    reply::fuzz_entry(bytes);
}

/// All that the bytes ask for, and how it ended.
fn all_of(
    dialect: Dialect,
    bytes: &[u8],
    piece: usize,
) -> (Vec<Result<Asked, RobotOneRefusal>>, Option<FramingLost>) {
    let mut decoder = Decoder::new(dialect);
    let mut asked = vec![];
    for mut piece in bytes.chunks(piece.min(bytes.len().max(1))) {
        loop {
            match decoder.feed(&mut piece) {
                Ok(Some(request)) => asked.push(request),
                Ok(None) => break,
                Err(lost) => return (asked, Some(lost)),
            }
        }
        assert!(piece.is_empty(), "everything is used up");
    }
    (asked, None)
}
