//! Robot One: what is encoded reads back in both dialects, whatever the pieces; whatever bytes come,
//! decoding ends with requests, refusals or lost framing, and never reserves more than was sent.

use proptest::prelude::*;
use rolima_testing::heap;
use rolima_wire::robotone::{
    Asked, Budget, Decoder, Dialect, FramingLost, GetValue, MOST_DATA_BYTES, MOST_NAME_BYTES,
    NAMES, Reply, ReplyDecoder, RobotOneQuantity, RobotOneRefusal, SetValue, encode_data,
    encode_get, encode_number, encode_set, encode_set_data, find, fuzz_entry,
};

type Requests = Vec<Result<Asked, RobotOneRefusal>>;

/// What the bytes ask for, given in pieces.
fn decode(dialect: Dialect, bytes: &[u8], piece: usize) -> Result<Requests, FramingLost> {
    let mut decoder = Decoder::new(dialect);
    let mut requests = vec![];
    for mut piece in bytes.chunks(piece) {
        while let Some(request) = decoder.feed(&mut piece)? {
            requests.push(request);
        }
    }
    assert!(!decoder.is_within_request(), "nothing is left over");
    Ok(requests)
}

fn one(dialect: Dialect, bytes: &[u8]) -> Result<Asked, RobotOneRefusal> {
    let mut requests = decode(dialect, bytes, 7).expect("framing holds");
    assert_eq!(requests.len(), 1, "{requests:?}");
    requests.remove(0)
}

#[test]
fn the_bytes_are_those_of_the_released_programs() {
    // `get` of the released library: op 0, length, name, and four bytes that mean nothing.
    let bytes = b"\x00\x06\x00\x00\x00Pose.X\xde\xad\xbe\xef";
    assert_eq!(one(Dialect::Release, bytes), Ok(Asked::Get(row(Dialect::Release, "Pose.X"))));
    let bytes = b"\x01\x06\x00\x00\x00Pose.X\x00\x00\x20\x41";
    assert_eq!(one(Dialect::Release, bytes), Ok(Asked::Set(row(Dialect::Release, "Pose.X"), 10.0)));
    // `setData`: the number of bytes as a number, then the bytes.
    let bytes = b"\x01\x0f\x00\x00\x00World.Maze.Load\x00\x00\xa0\x40R 0 0";
    let load =
        || Asked::SetData(row(Dialect::Release, "World.Maze.Load"), b"R 0 0".to_vec().into());
    assert_eq!(one(Dialect::Release, bytes), Ok(load()));
    // The thesis: a get without value, and an op for data.
    let bytes = b"\x00\x06\x00\x00\x00Pose.X";
    assert_eq!(one(Dialect::Thesis, bytes), Ok(Asked::Get(row(Dialect::Thesis, "Pose.X"))));
    let bytes = b"\x02\x0f\x00\x00\x00World.Maze.Load\x05\x00\x00\x00R 0 0";
    assert_eq!(one(Dialect::Thesis, bytes), Ok(load()));

    let mut out = vec![];
    encode_number(Dialect::Release, true, 10.0, &mut out);
    assert_eq!(out, b"\x02\x01\x00\x00\x20\x41");
    out.clear();
    encode_data(Dialect::Release, true, 2.0, &[1, 2], &mut out);
    assert_eq!(out, b"\x03\x01\x00\x00\x00\x40\x02\x00\x00\x00\x01\x02");
    out.clear();
    encode_number(Dialect::Thesis, true, 10.0, &mut out);
    encode_data(Dialect::Thesis, true, 2.0, &[1, 2], &mut out);
    assert_eq!(out, b"\x03\x01\x00\x00\x20\x41\x04\x01\x00\x00\x00\x40\x02\x00\x00\x00\x01\x02");
    out.clear();
    encode_number(Dialect::Release, false, 0.0, &mut out);
    encode_number(Dialect::Thesis, false, 0.0, &mut out);
    assert_eq!(out, b"\x02\x01\0\0\0\0\x03\x00\0\0\0\0", "only the thesis tells of failures");
}

fn row(dialect: Dialect, name: &str) -> &'static rolima_wire::robotone::NameRow {
    find(dialect, name.as_bytes()).expect("a name of the protocol").0
}

#[test]
fn names_are_unique_and_every_part_belongs_to_a_whole() {
    for (index, row) in NAMES.iter().enumerate() {
        assert!(NAMES[..index].iter().all(|other| other.name != row.name), "{}", row.name);
        if row.part.is_some() {
            let whole = NAMES.iter().find(|w| w.quantity == row.quantity && w.part.is_none());
            assert!(whole.is_some_and(|whole| whole.given == GetValue::Floats), "{}", row.name);
        }
    }
    let takes = |name: &str, dialect| row(dialect, name).taken(dialect);
    assert_eq!(takes("Odometry.X", Dialect::Release), SetValue::Nothing);
    assert_eq!(takes("Odometry.X", Dialect::Thesis), SetValue::Number);
    assert_eq!(find(Dialect::Release, b"World.Mode"), None);
    assert_eq!(row(Dialect::Thesis, "World.Mode").quantity, RobotOneQuantity::WorldMode);
    assert_eq!(find(Dialect::Thesis, b"pose.x"), None, "case counts");
}

#[test]
fn refusals_leave_what_follows_intact() {
    let long = "n".repeat(MOST_NAME_BYTES + 1);
    for dialect in Dialect::ALL {
        let mut bytes = vec![];
        encode_get(dialect, "Nothing", &mut bytes);
        // No size of data.
        encode_set(dialect, "Pose", 1.5, &mut bytes);
        encode_get(dialect, "World.Reset", &mut bytes);
        encode_set(dialect, "Pose.X", f32::NAN, &mut bytes);
        encode_get(dialect, &long, &mut bytes);
        encode_set(dialect, &long, -3.0, &mut bytes);
        // An even number of bytes, as an odd one beyond 16 MiB is no f32.
        let too_much = vec![7; MOST_DATA_BYTES + 2];
        encode_set_data(dialect, "World.Maze.Load", &too_much, &mut bytes);
        encode_get(dialect, "Pose.X", &mut bytes);
        let got = decode(dialect, &bytes, 1000).expect("framing holds");
        let expected = [
            Err(RobotOneRefusal::UnknownName("Nothing".to_owned())),
            Err(RobotOneRefusal::NotTaken("Pose")),
            Err(RobotOneRefusal::NotGiven("World.Reset")),
            Err(RobotOneRefusal::NotFinite { name: "Pose.X", got: f32::NAN }),
            Err(RobotOneRefusal::NameTooLong(MOST_NAME_BYTES + 1)),
            Err(RobotOneRefusal::NameTooLong(MOST_NAME_BYTES + 1)),
            Err(RobotOneRefusal::DataTooLong { name: "World.Maze.Load", got: MOST_DATA_BYTES + 2 }),
            Ok(Asked::Get(row(dialect, "Pose.X"))),
        ];
        // By their text, as NaN is not itself.
        let text = |requests: &[Result<Asked, RobotOneRefusal>]| format!("{requests:?}");
        assert_eq!(text(&got), text(&expected));
    }
}

#[test]
fn data_where_a_number_belongs_are_passed_over() {
    let mut bytes = vec![];
    encode_set_data(Dialect::Thesis, "Pose.X", &[0; 100], &mut bytes);
    encode_set_data(Dialect::Thesis, "Nothing", &[0; 100], &mut bytes);
    encode_set(Dialect::Thesis, "World.Maze.Load", 3.0, &mut bytes);
    encode_get(Dialect::Thesis, "Pose.Y", &mut bytes);
    let got = decode(Dialect::Thesis, &bytes, 9).expect("framing holds");
    let wrong = |name, expected, got| Err(RobotOneRefusal::WrongOp { name, expected, got });
    let expected = [
        wrong("Pose.X", "a number", "data"),
        Err(RobotOneRefusal::UnknownName("Nothing".to_owned())),
        wrong("World.Maze.Load", "data", "a number"),
        Ok(Asked::Get(row(Dialect::Thesis, "Pose.Y"))),
    ];
    assert_eq!(got, expected);
    assert_eq!(one(Dialect::Release, b"\x07\0\0\0\0\0\0\0\0"), Err(RobotOneRefusal::UnknownOp(7)));
}

#[test]
fn framing_is_lost_only_where_nobody_can_tell_how_long_something_is() {
    let lost = |dialect, bytes: &[u8]| decode(dialect, bytes, 3).expect_err("lost");
    let negative = b"\x00\xff\xff\xff\xff";
    assert_eq!(lost(Dialect::Thesis, negative), FramingLost::NameLength(-1));
    assert_eq!(lost(Dialect::Release, negative), FramingLost::NameLength(-1));
    assert_eq!(lost(Dialect::Thesis, b"\x03\0\0\0\0"), FramingLost::UnknownOp(3));
    let size = b"\x02\x01\0\0\0a\xfe\xff\xff\xff";
    assert_eq!(lost(Dialect::Thesis, size), FramingLost::DataSize(-2.0));
    for size in [f32::NAN, f32::INFINITY, -1.0, 0.5, 1e20] {
        let mut bytes = vec![];
        encode_set(Dialect::Release, "World.Maze.Load", size, &mut bytes);
        assert!(matches!(lost(Dialect::Release, &bytes), FramingLost::DataSize(_)), "{size}");
    }
    let mut decoder = Decoder::new(Dialect::Thesis);
    assert!(decoder.feed(&mut &b"\x09\0\0\0\0"[..]).is_err());
    assert!(decoder.feed(&mut &b"\x00\x06\0\0\0Pose.X"[..]).is_err(), "and stays so");
}

#[test]
fn a_decoder_holds_no_more_than_was_sent() {
    // A client that promises 16 MiB and sends 100 bytes, and one that sends all of it.
    for sent in [100, 1 << 20, MOST_DATA_BYTES] {
        let mut bytes = vec![];
        encode_set_data(Dialect::Thesis, "World.Maze.Load", &vec![1; MOST_DATA_BYTES], &mut bytes);
        bytes.truncate(24 + sent);
        let mut decoder = Decoder::new(Dialect::Thesis);
        let mut requests = 0;
        let told = heap::allocations(|| {
            for mut piece in bytes.chunks(4096) {
                while decoder.feed(&mut piece).expect("framing holds").is_some() {
                    requests += 1;
                }
            }
        });
        let most = told.most_held;
        assert_eq!(requests, usize::from(sent == MOST_DATA_BYTES));
        assert!(most <= bytes.len(), "{most} bytes held for {} sent", bytes.len());
    }
    // A name and data that are too long are not kept at all.
    let mut bytes = vec![];
    encode_set_data(Dialect::Thesis, &"n".repeat(1 << 20), &vec![1; 1 << 20], &mut bytes);
    let told = heap::allocations(|| {
        assert_eq!(one(Dialect::Thesis, &bytes), Err(RobotOneRefusal::NameTooLong(1 << 20)));
    });
    assert!(told.most_held < 4096, "{} bytes", told.most_held);
}

#[test]
fn data_of_all_connections_share_a_budget() {
    let name = "World.Maze.Load";
    for dialect in Dialect::ALL {
        let budget = Budget::new(1 << 20, 1000);
        let mut bytes = vec![];
        encode_set_data(dialect, name, &vec![1; 700_000], &mut bytes);
        let head = bytes.len() - 700_000;
        let mut decoders: Vec<Decoder> =
            (0..3).map(|_| Decoder::within(dialect, &budget)).collect();
        // Promises are free; of what comes, no more is held than there is for all.
        for decoder in &mut decoders {
            assert_eq!(decoder.feed(&mut &bytes[..head]), Ok(None));
        }
        assert_eq!(budget.held(), 0);
        assert_eq!(decoders[0].feed(&mut &bytes[head..head + 600_000]), Ok(None));
        assert_eq!(budget.held(), 600_000);
        let told = heap::allocations(|| {
            for mut piece in bytes[head..head + 600_000].chunks(10_000) {
                assert_eq!(decoders[1].feed(&mut piece), Ok(None));
            }
        });
        assert_eq!(budget.held(), 600_000, "what was refused is given back");
        assert!(told.most_held < 500_000, "{} bytes", told.most_held);
        // What is small has its room, and what follows a refusal is understood.
        encode_get(dialect, "Pose.X", &mut bytes);
        let mut rest = &bytes[head + 600_000..];
        let refused = RobotOneRefusal::NoRoom { name, most: 1 << 20, got: 700_000 };
        assert_eq!(decoders[1].feed(&mut rest), Ok(Some(Err(refused.clone()))));
        assert_eq!(decoders[1].feed(&mut rest), Ok(Some(Ok(Asked::Get(row(dialect, "Pose.X"))))));
        let told = refused.to_string();
        assert!(told.contains("at most 1048576 bytes") && told.contains("these 700000"), "{told}");
        assert_eq!(decoders[2].feed(&mut &bytes[head..head + 1000]), Ok(None));
        assert_eq!(budget.held(), 601_000);
        // Whole data keep their share until they are gone; others go with their decoder.
        let whole = decoders[0].feed(&mut &bytes[head + 600_000..head + 700_000]);
        let Ok(Some(Ok(Asked::SetData(_, data)))) = whole else { panic!("{:?}", whole.is_ok()) };
        drop(decoders);
        assert_eq!((data.as_ref().len(), budget.held()), (700_000, 700_000));
        drop(data);
        assert_eq!(budget.held(), 0);
    }
}

fn asked() -> impl Strategy<Value = (usize, f32, Vec<u8>)> {
    (0..NAMES.len(), -1e6..1e6f32, proptest::collection::vec(any::<u8>(), 0..200))
}

/// Encodes what the name allows: a set if it can be set, else a get.
fn encode(dialect: Dialect, ask: &(usize, f32, Vec<u8>), get: bool, out: &mut Vec<u8>) -> Asked {
    let row = &NAMES[ask.0];
    match row.taken(dialect) {
        SetValue::Number if !get || row.given == GetValue::Nothing => {
            encode_set(dialect, row.name, ask.1, out);
            match row.name.contains('*') {
                true => Asked::SetOf(row, "*".to_owned(), ask.1),
                false => Asked::Set(row, ask.1),
            }
        }
        SetValue::Bytes => {
            encode_set_data(dialect, row.name, &ask.2, out);
            Asked::SetData(row, ask.2.clone().into())
        }
        _ => {
            encode_get(dialect, row.name, out);
            match row.name.contains('*') {
                true => Asked::GetOf(row, "*".to_owned()),
                false => Asked::Get(row),
            }
        }
    }
}

fn reply() -> impl Strategy<Value = Reply> {
    let data = proptest::option::of(proptest::collection::vec(any::<u8>(), 0..300));
    (any::<bool>(), -1e6..1e6f32, data).prop_map(|(done, value, data)| Reply { done, value, data })
}

proptest! {
    #[test]
    fn what_is_asked_reads_back(
        asks in proptest::collection::vec((asked(), any::<bool>()), 1..20),
        piece in 1..50usize,
    ) {
        for dialect in Dialect::ALL {
            let known = asks.iter().filter(|(ask, _)| NAMES[ask.0].is_known(dialect));
            let mut bytes = vec![];
            let sent: Vec<Result<Asked, RobotOneRefusal>> =
                known.map(|(ask, get)| Ok(encode(dialect, ask, *get, &mut bytes))).collect();
            prop_assert_eq!(decode(dialect, &bytes, piece).expect("framing holds"), sent);
        }
    }

    #[test]
    fn what_is_answered_reads_back(
        replies in proptest::collection::vec(reply(), 1..10),
        piece in 1..50usize,
        zeros in 0..100usize,
    ) {
        for dialect in Dialect::ALL {
            let mut bytes = vec![0; if dialect == Dialect::Release { zeros } else { 0 }];
            for reply in &replies {
                match &reply.data {
                    Some(data) => encode_data(dialect, reply.done, reply.value, data, &mut bytes),
                    None => encode_number(dialect, reply.done, reply.value, &mut bytes),
                }
            }
            let mut decoder = ReplyDecoder::new(dialect);
            let mut got = vec![];
            for mut piece in bytes.chunks(piece) {
                while let Some(reply) = decoder.feed(&mut piece).expect("good replies") {
                    got.push(reply);
                }
            }
            let expected: Vec<Reply> = replies.iter().cloned().map(|mut reply| {
                reply.done |= dialect == Dialect::Release;
                reply
            }).collect();
            prop_assert_eq!(got, expected);
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        fuzz_entry(&bytes);
    }

    #[test]
    fn damaged_requests_never_panic(
        asks in proptest::collection::vec((asked(), any::<bool>()), 1..10),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..5),
        piece in any::<u8>(),
    ) {
        for dialect in Dialect::ALL {
            let mut bytes = vec![piece];
            for (ask, get) in &asks {
                encode(dialect, ask, *get, &mut bytes);
            }
            for (at, byte) in &damage {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            fuzz_entry(&bytes);
        }
    }
}

#[test]
fn a_value_that_is_no_number_is_refused_alike_in_pieces() {
    // Found by fuzzing: a set of World.Mode to NaN, and what cannot be a request.
    let bytes =
        b"\x00\x01\x0a\x00\x00\x00World.Mode\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00";
    for piece in 0..20 {
        let mut bytes = bytes.to_vec();
        bytes[0] = piece;
        fuzz_entry(&bytes);
    }
}

#[test]
fn a_size_that_is_no_number_ends_alike_in_pieces() {
    for bits in [f32::NAN.to_bits(), 0xffff_ffff, 0x7f80_0001, f32::INFINITY.to_bits()] {
        for piece in 0..30 {
            let mut bytes = vec![piece];
            let size = f32::from_bits(bits);
            encode_set(Dialect::Release, "World.Maze.Load", size, &mut bytes);
            bytes.extend([1, 2, 3, 4, 5]);
            fuzz_entry(&bytes);
        }
    }
}
