//! A map that a client sends: the one message that may be long.

use crate::ask::{Ask, MOST_MESSAGE_BYTES, MOST_NUMBER, WireError, clean_text};
use crate::pb;
use prost::Message;
use prost::bytes::Bytes;
use prost::encoding::{WireType, decode_key, decode_varint};

/// Largest map, bytes.
pub const MOST_MAP_BYTES: usize = 16 << 20;
/// Longest message with a map, bytes: the map and what is around it.
pub const MOST_MAP_MESSAGE_BYTES: usize = MOST_MAP_BYTES + MOST_MESSAGE_BYTES;
/// Longest name of a map, characters.
pub const MOST_MAP_NAME_CHARS: usize = 100;

/// Number of `load_map` in `ClientMessage`.
const LOAD_MAP_FIELD: u32 = 40;

/// A map that a client sends. Its bytes are not read yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MapAsked {
    /// The sender's own number for it.
    pub request: u32,
    /// What it is called: without control characters, at most [`MOST_MAP_NAME_CHARS`] long, never
    /// empty.
    pub name: String,
    /// The file, at most [`MOST_MAP_BYTES`] long.
    pub data: Bytes,
    /// Real size of a picture, m: across and down, both positive.
    pub size: Option<[f64; 2]>,
    /// Whether it is only to be read, and the world goes on.
    pub only_read: bool,
}

/// Checks a map.
pub(crate) fn map_asked(message: pb::LoadMap) -> Result<Ask, WireError> {
    let value = |field: &'static str, expected: String, got: String| WireError::Value {
        field: field.into(),
        expected,
        got,
    };
    let pb::LoadMap { request, name, data, width, height, only_read } = message;
    if data.len() > MOST_MAP_BYTES {
        let expected = format!("at most {} MiB", MOST_MAP_BYTES >> 20);
        return Err(value("load_map.data", expected, format!("{} bytes", data.len())));
    }
    let is_size = |x: f64| x > 0.0 && x <= MOST_NUMBER;
    let size = match (width, height) {
        (0.0, 0.0) => None,
        (width, height) if is_size(width) && is_size(height) => Some([width, height]),
        (width, height) => {
            let expected = format!("two positive numbers up to {MOST_NUMBER}, or 0 twice");
            let got = format!("{width} and {height}");
            return Err(value("load_map.width and .height", expected, got));
        }
    };
    let name = match clean_text(&name, MOST_MAP_NAME_CHARS) {
        name if name.is_empty() => "map".to_owned(),
        name => name,
    };
    Ok(Ask::LoadMap(Box::new(MapAsked { request, name, data, size, only_read })))
}

/// Decodes a message that is longer than others may be: a map and nothing else. Nothing is taken
/// apart before that is sure, so that memory is bounded by what came.
pub(crate) fn decode_long(bytes: &[u8]) -> Result<Ask, WireError> {
    let too_long = || WireError::TooLong(bytes.len());
    if bytes.len() > MOST_MAP_MESSAGE_BYTES {
        return Err(too_long());
    }
    let mut rest = bytes;
    let key = decode_key(&mut rest).map_err(|_| too_long())?;
    let length = decode_varint(&mut rest).map_err(|_| too_long())?;
    let is_map = key == (LOAD_MAP_FIELD, WireType::LengthDelimited);
    if !is_map || length != rest.len() as u64 {
        return Err(too_long());
    }
    let message =
        pb::LoadMap::decode(rest).map_err(|error| WireError::NotProtobuf(error.to_string()))?;
    map_asked(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode;

    fn bytes_of(map: pb::LoadMap) -> Vec<u8> {
        let kind = Some(pb::client_message::Kind::LoadMap(map));
        pb::ClientMessage { kind }.encode_to_vec()
    }

    #[test]
    fn a_map_of_any_size_up_to_the_limit_is_taken() {
        for length in [0, 10, MOST_MESSAGE_BYTES, MOST_MAP_BYTES] {
            let data = vec![b'#'; length].into();
            let map =
                pb::LoadMap { request: 7, name: "a\n.txt".into(), data, ..Default::default() };
            let Ok(Ask::LoadMap(map)) = decode(&bytes_of(map)) else { panic!("{length} bytes") };
            assert_eq!((map.request, map.name.as_str(), map.data.len()), (7, "a.txt", length));
            assert_eq!((map.size, map.only_read), (None, false));
        }
    }

    #[test]
    fn what_is_too_long_or_no_map_is_refused() {
        let refused = |map| decode(&bytes_of(map)).expect_err("refused").to_string();
        let data = vec![0; MOST_MAP_BYTES + 1].into();
        let error = refused(pb::LoadMap { data, ..Default::default() });
        assert_eq!(error, "load_map.data: expected at most 16 MiB, got 16777217 bytes");
        let (width, height) = (f64::NAN, 3.0);
        let error = refused(pb::LoadMap { width, height, ..Default::default() });
        assert!(error.contains("load_map.width") && error.contains("NaN and 3"), "{error}");
        assert!(refused(pb::LoadMap { width: 3.0, ..Default::default() }).contains("3 and 0"));

        let length = 2 * MOST_MESSAGE_BYTES;
        let long = bytes_of(pb::LoadMap { data: vec![0; length].into(), ..Default::default() });
        // Something after the map, and something else than a map.
        let after = [&long[..], &[0x5a, 0]].concat();
        assert_eq!(decode(&after), Err(WireError::TooLong(after.len())));
        let name = pb::NewName { name: "x".repeat(length) };
        let name = pb::ClientMessage { kind: Some(pb::client_message::Kind::NewName(name)) };
        assert!(matches!(decode(&name.encode_to_vec()), Err(WireError::TooLong(_))));
        assert!(matches!(decode(&vec![0xff; length]), Err(WireError::TooLong(_))));
        let beyond = vec![0; MOST_MAP_MESSAGE_BYTES + 1];
        assert_eq!(decode(&beyond), Err(WireError::TooLong(beyond.len())));
    }

    #[test]
    fn a_map_without_a_name_is_called_map() {
        let Ok(Ask::LoadMap(map)) = decode(&bytes_of(pb::LoadMap::default())) else { panic!() };
        assert_eq!(map.name, "map");
    }
}
