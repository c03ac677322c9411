//! The hash behind golden tests and fingerprints: order-dependent, over exact bits.

use crate::random::mix;
use crate::{Pose2, Quat, Rot2, Vec2, Vec3};
use std::sync::Arc;

/// A 64-bit running hash of words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hash64(u64);

impl Default for Hash64 {
    fn default() -> Self {
        Self(0x526F_6C69_6D61_0001)
    }
}

impl Hash64 {
    /// Takes in one word.
    #[inline]
    pub fn word(&mut self, word: u64) {
        self.0 = mix(self.0.rotate_left(5) ^ word).wrapping_add(word);
    }
    /// Takes in the exact bits of a number.
    #[inline]
    pub fn number(&mut self, x: f64) {
        self.word(x.to_bits());
    }
    /// Takes in a text.
    pub fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        for byte in text.bytes() {
            self.word(u64::from(byte));
        }
    }
    /// The hash so far.
    pub fn finish(self) -> u64 {
        self.0
    }
}

/// What of a specification shapes the course of a world: numbers by their bits, enums by codes, lists with
/// their lengths. Titles, colours and all that is only seen are no part of it.
pub trait Physics {
    /// Takes all of it in.
    fn physics(&self, hash: &mut Hash64);
}

/// Implements [`Physics`] for specifications, field by field: those after a `;` do not shape anything. Every field has
/// to be named, so that a new one makes the compiler ask to which it belongs. Enums have a code for each variant.
///
/// ```
/// use rolima_math::{Hash64, Physics, physics};
/// struct Ball {
///     radius: f64,
///     colour: u32,
/// }
/// enum Ground {
///     Flat,
///     Slope { angle: f64 },
/// }
/// physics! {
///     Ball { radius; colour }
///     enum Ground { Flat = 0, Slope { angle } = 1 }
/// }
/// let hash = |what: &dyn Physics| {
///     let mut hash = Hash64::default();
///     what.physics(&mut hash);
///     hash.finish()
/// };
/// assert_eq!(hash(&Ball { radius: 1.0, colour: 1 }), hash(&Ball { radius: 1.0, colour: 2 }));
/// assert_ne!(hash(&Ball { radius: 1.0, colour: 1 }), hash(&Ball { radius: 2.0, colour: 1 }));
/// assert_ne!(hash(&Ground::Flat), hash(&Ground::Slope { angle: 0.0 }));
/// ```
#[macro_export]
macro_rules! physics {
    (enum $type:ident { $(
        $variant:ident $({ $($field:ident),* $(; $($left:ident),+)? })? $(($($inner:ident),+))? = $code:literal
    ),+ $(,)? } $($rest:tt)*) => {
        impl $crate::Physics for $type {
            fn physics(&self, hash: &mut $crate::Hash64) {
                match self {$(
                    Self::$variant $({ $($field,)* $($($left: _,)+)? })? $(($($inner),+))? => {
                        hash.word($code);
                        $($($crate::Physics::physics($field, hash);)*)?
                        $($($crate::Physics::physics($inner, hash);)+)?
                    }
                )+}
            }
        }
        $crate::physics! { $($rest)* }
    };
    ($type:ident { $($field:ident),* $(; $($left:ident),+)? } $($rest:tt)*) => {
        impl $crate::Physics for $type {
            fn physics(&self, hash: &mut $crate::Hash64) {
                let Self { $($field,)* $($($left: _,)+)? } = self;
                $($crate::Physics::physics($field, hash);)*
            }
        }
        $crate::physics! { $($rest)* }
    };
    () => {};
}

/// Numbers and flags, each a word.
macro_rules! words {
    ($($type:ty, $x:ident => $word:expr;)+) => {$(
        impl Physics for $type {
            fn physics(&self, hash: &mut Hash64) {
                let $x = *self;
                hash.word($word);
            }
        }
    )+};
}

words! {
    f64, x => x.to_bits();
    u32, n => n.into();
    u64, n => n;
    usize, n => n as u64;
    bool, flag => flag.into();
}

impl Physics for String {
    fn physics(&self, hash: &mut Hash64) {
        hash.text(self);
    }
}

impl<T: Physics> Physics for [T] {
    fn physics(&self, hash: &mut Hash64) {
        hash.word(self.len() as u64);
        self.iter().for_each(|one| one.physics(hash));
    }
}

impl<T: Physics, const N: usize> Physics for [T; N] {
    fn physics(&self, hash: &mut Hash64) {
        self.as_slice().physics(hash);
    }
}

impl<T: Physics> Physics for Vec<T> {
    fn physics(&self, hash: &mut Hash64) {
        self.as_slice().physics(hash);
    }
}

impl<T: Physics> Physics for Option<T> {
    fn physics(&self, hash: &mut Hash64) {
        self.as_slice().physics(hash);
    }
}

impl<T: Physics + ?Sized> Physics for Box<T> {
    fn physics(&self, hash: &mut Hash64) {
        (**self).physics(hash);
    }
}

impl<T: Physics + ?Sized> Physics for Arc<T> {
    fn physics(&self, hash: &mut Hash64) {
        (**self).physics(hash);
    }
}

physics! {
    Vec2 { x, y }
    Vec3 { x, y, z }
    Rot2 { c, s }
    Quat { w, x, y, z }
    Pose2 { position, rotation }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_and_sign_of_zero_matter() {
        let hash = |xs: &[f64]| {
            let mut h = Hash64::default();
            xs.iter().for_each(|&x| h.number(x));
            h.finish()
        };
        assert_ne!(hash(&[1.0, 2.0]), hash(&[2.0, 1.0]));
        assert_ne!(hash(&[0.0]), hash(&[-0.0]));
        assert_eq!(hash(&[1.0, 2.0]), hash(&[1.0, 2.0]));
    }
}
