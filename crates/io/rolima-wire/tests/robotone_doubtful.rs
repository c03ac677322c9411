//! Robot One: sets of data by names that take none, of which the release's dialect does not say whether
//! there are any, leave the stream in order.

use proptest::prelude::*;
use rolima_wire::robotone::{
    Asked, Decoder, Dialect, NameRow, RobotOneRefusal, encode_get, encode_set, encode_set_data,
    encode_set_floats, find,
};

fn row(dialect: Dialect, name: &str) -> &'static NameRow {
    find(dialect, name.as_bytes()).expect("a name of the protocol").0
}

/// Feeds bytes in pieces, as if nothing more came after them for a while.
fn feed_and_close(
    decoder: &mut Decoder,
    bytes: &[u8],
    piece: usize,
) -> Vec<Result<Asked, RobotOneRefusal>> {
    let mut requests = vec![];
    for mut piece in bytes.chunks(piece) {
        while let Some(request) = decoder.feed(&mut piece).expect("framing holds") {
            requests.push(request);
        }
    }
    requests.extend(decoder.close());
    assert!(!decoder.is_within_request(), "nothing is left over");
    requests
}

#[test]
fn sets_of_names_that_take_no_data_may_have_some_in_the_release() {
    let release = Dialect::Release;
    let decode = |name: &str, size: f32, data: &[u8]| {
        let mut decoder = Decoder::new(release);
        let mut bytes = vec![];
        encode_set(release, name, size, &mut bytes);
        bytes.extend(data);
        let first = feed_and_close(&mut decoder, &bytes, 3);
        bytes.clear();
        encode_get(release, "Pose.X", &mut bytes);
        let next = feed_and_close(&mut decoder, &bytes, 3);
        assert_eq!(next, [Ok(Asked::Get(row(release, "Pose.X")))], "{name}, {size}");
        first
    };
    let unknown =
        |bytes| vec![Err(RobotOneRefusal::UnknownData { name: "Mine".to_owned(), bytes })];
    // Four bytes or four numbers of four bytes; a number that is no size has none.
    assert_eq!(decode("Mine", 4.0, b"\x01\x02\x03\x04"), unknown(4));
    assert_eq!(decode("Mine", 4.0, &[1; 16]), unknown(16));
    for number in [4.0, 0.0, -1.0, 0.5, 1e20, f32::NAN] {
        let nothing = [Err(RobotOneRefusal::UnknownName("Mine".to_owned()))];
        assert_eq!(decode("Mine", number, b""), nothing, "{number}");
    }
    // So have names that give data and take none.
    assert_eq!(decode("Pose", 3.0, &[1; 12]), [Err(RobotOneRefusal::NotTaken("Pose"))]);
    assert_eq!(decode("Pose", 3.0, b""), [Err(RobotOneRefusal::NotTaken("Pose"))]);
    assert_eq!(
        decode("Camera.Capture", 5.0, &[1; 5]),
        [Err(RobotOneRefusal::NotTaken("Camera.Capture"))]
    );
    // Names of one number take it, whoever asks.
    assert_eq!(decode("Pose.Y", 3.0, b""), [Ok(Asked::Set(row(release, "Pose.Y"), 3.0))]);
    assert_eq!(decode("GPS.X", 3.0, b""), [Err(RobotOneRefusal::NotTaken("GPS.X"))]);
    let told = unknown(16)[0].as_ref().expect_err("a refusal").to_string();
    assert!(told.contains("`Mine`") && told.contains("16 bytes"), "{told}");
}

proptest! {
    #[test]
    fn data_of_unknown_names_are_passed_over(
        name in "[A-Z][a-z]{0,20}",
        data in proptest::collection::vec(any::<u8>(), 1..300),
        as_floats in any::<bool>(),
        piece in 1..50usize,
    ) {
        for dialect in Dialect::ALL {
            prop_assume!(find(dialect, name.as_bytes()).is_none());
            let mut bytes = vec![];
            if as_floats {
                let floats: Vec<f32> = data.iter().map(|byte| f32::from(*byte) / 7.0).collect();
                encode_set_floats(dialect, &name, &floats, &mut bytes);
            } else {
                encode_set_data(dialect, &name, &data, &mut bytes);
            }
            let mut decoder = Decoder::new(dialect);
            let refused = feed_and_close(&mut decoder, &bytes, piece);
            prop_assert_eq!(refused.len(), 1);
            let is_unknown = matches!(
                &refused[0],
                Err(RobotOneRefusal::UnknownName(told) | RobotOneRefusal::UnknownData { name: told, .. }) if *told == name
            );
            prop_assert!(is_unknown, "{:?}", refused);
            bytes.clear();
            encode_set(dialect, "Pose.X", 2.0, &mut bytes);
            let next = feed_and_close(&mut decoder, &bytes, piece);
            prop_assert_eq!(next, vec![Ok(Asked::Set(row(dialect, "Pose.X"), 2.0))]);
        }
    }
}
