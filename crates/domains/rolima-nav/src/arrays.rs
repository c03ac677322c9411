//! Arrays of any length in files: serde itself knows them up to 32.

use serde::de::{Error, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use std::marker::PhantomData;

/// Writes an array; for `#[serde(with)]`.
pub fn serialize<S: Serializer, T: Serialize, const N: usize>(
    array: &[T; N],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut tuple = serializer.serialize_tuple(N)?;
    array.iter().try_for_each(|one| tuple.serialize_element(one))?;
    tuple.end()
}

/// Reads an array; for `#[serde(with)]`.
pub fn deserialize<'de, D: Deserializer<'de>, T: Deserialize<'de>, const N: usize>(
    deserializer: D,
) -> Result<[T; N], D::Error> {
    deserializer.deserialize_tuple(N, Elements(PhantomData))
}

struct Elements<T, const N: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const N: usize> Visitor<'de> for Elements<T, N> {
    type Value = [T; N];

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{N} elements")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut elements: A) -> Result<Self::Value, A::Error> {
        let mut all = Vec::with_capacity(N);
        while all.len() < N {
            let one = elements.next_element()?;
            all.push(one.ok_or_else(|| A::Error::invalid_length(all.len(), &self))?);
        }
        all.try_into().map_err(|all: Vec<T>| A::Error::invalid_length(all.len(), &self))
    }
}
