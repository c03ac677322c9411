//! Data of requests, and what all connections of a server may hold of them together.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What all connections of a server may hold together of data that are not dealt with yet, bytes.
///
/// Data take their room as they come, not when they are promised: promises are free. A connection
/// gets a little in any case ([`always`](Budget::new)), so that those who fill the rest cannot keep
/// small data of others out. All handles of a budget, as `clone` makes them, are about the same one.
///
/// ```
/// use rolima_wire::robotone::{Budget, Decoder, Dialect, RobotOneRefusal, encode_set_data};
/// let budget = Budget::new(100, 0);
/// let mut bytes = vec![];
/// encode_set_data(Dialect::Thesis, "World.Maze.Load", &[7; 80], &mut bytes);
/// let decode = |decoder: &mut Decoder| decoder.feed(&mut &bytes[..]);
/// let mut decoders = [0, 1].map(|_| Decoder::within(Dialect::Thesis, &budget));
/// let first = decode(&mut decoders[0])?.expect("a whole request");
/// assert!(first.is_ok() && budget.held() == 80);
/// let second = decode(&mut decoders[1])?.expect("a whole request");
/// assert!(matches!(second, Err(RobotOneRefusal::NoRoom { .. })));
/// drop(first);
/// assert_eq!(budget.held(), 0);
/// # Ok::<(), rolima_wire::robotone::FramingLost>(())
/// ```
#[derive(Clone, Debug)]
pub struct Budget(Arc<Purse>);

#[derive(Debug)]
struct Purse {
    most: usize,
    always: usize,
    held: AtomicUsize,
}

impl Budget {
    /// At most `most` bytes for all; as many as `always` of one request find room in any case, and
    /// may bring the sum beyond `most`.
    pub fn new(most: usize, always: usize) -> Self {
        Self(Arc::new(Purse { most, always, held: AtomicUsize::new(0) }))
    }

    /// What is held now, bytes.
    pub fn held(&self) -> usize {
        self.0.held.load(Relaxed)
    }

    /// What may be held, bytes.
    pub fn most(&self) -> usize {
        self.0.most
    }
}

/// A part of a [`Budget`]: given back when it is dropped, whatever the reason.
#[derive(Debug, Default)]
pub struct Share {
    /// None where nobody counts.
    budget: Option<Budget>,
    bytes: usize,
}

impl Share {
    /// Takes so many bytes more; false, and nothing is taken, if there is no room for them.
    fn grow(&mut self, by: usize) -> bool {
        let Some(Budget(purse)) = &self.budget else { return true };
        let own = self.bytes.saturating_add(by);
        let with = |held: usize| {
            let held = held.checked_add(by)?;
            (held <= purse.most || own <= purse.always).then_some(held)
        };
        let has_room = purse.held.fetch_update(Relaxed, Relaxed, with).is_ok();
        if has_room {
            self.bytes = own;
        }
        has_room
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        if let Some(Budget(purse)) = &self.budget {
            purse.held.fetch_sub(self.bytes, Relaxed);
        }
    }
}

/// Data of a request, with their share of the server's [`Budget`].
#[derive(Debug, Default)]
pub struct Data {
    bytes: Vec<u8>,
    share: Share,
}

impl Data {
    /// Nothing yet.
    pub(super) fn within(budget: Option<&Budget>) -> Self {
        Self { bytes: vec![], share: Share { budget: budget.cloned(), bytes: 0 } }
    }

    /// Takes more bytes; false, and nothing is taken, if the budget has no room for them.
    pub(super) fn push(&mut self, piece: &[u8]) -> bool {
        let has_room = self.share.grow(piece.len());
        if has_room {
            self.bytes.reserve_exact(piece.len());
            self.bytes.extend_from_slice(piece);
        }
        has_room
    }

    /// The bytes, and their share, which is to be kept for as long as they are.
    pub fn into_parts(self) -> (Vec<u8>, Share) {
        (self.bytes, self.share)
    }
}

impl AsRef<[u8]> for Data {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// Data that nobody counts.
impl From<Vec<u8>> for Data {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, share: Share::default() }
    }
}

/// The same bytes, whoever counts them.
impl PartialEq for Data {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_given_back_whatever_happens() {
        let budget = Budget::new(100, 10);
        let mut one = Data::within(Some(&budget));
        assert!(one.push(&[0; 60]) && one.push(&[0; 40]));
        assert!(!one.push(&[0; 1]), "nothing is left");
        assert_eq!((one.as_ref().len(), budget.held()), (100, 100));
        let mut little = Data::within(Some(&budget));
        assert!(little.push(&[0; 10]), "that much in any case");
        assert!(!little.push(&[0; 1]), "and no more");
        assert_eq!(budget.held(), 110);
        let (bytes, share) = one.into_parts();
        drop(bytes);
        assert_eq!(budget.held(), 110, "the share decides");
        let panicked = std::thread::spawn(move || {
            let _held = share;
            panic!("of the test");
        });
        assert!(panicked.join().is_err());
        assert_eq!(budget.held(), 10);
        assert!(little.push(&[0; 80]), "there is room again");
        drop(little);
        assert_eq!(budget.held(), 0);
        assert!(Data::default().push(&[0; 1000]), "nobody counts");
    }

    #[test]
    fn threads_never_hold_more_than_there_is() {
        let budget = Budget::new(1000, 0);
        std::thread::scope(|scope| {
            for size in 1..=4 {
                let budget = &budget;
                scope.spawn(move || {
                    for _ in 0..2000 {
                        let mut data = Data::within(Some(budget));
                        while data.push(&vec![0; size * 37]) {}
                        assert!(budget.held() <= 1000);
                    }
                });
            }
        });
        assert_eq!(budget.held(), 0);
    }
}
