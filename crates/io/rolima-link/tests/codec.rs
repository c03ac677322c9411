//! Messages, pictures and datagrams: what goes out reads back, and what makes no sense is refused.

use rolima_link::messages::{EVERYWHERE, MOST_PATCHES};
use rolima_link::{
    Assembler, CameraInfo, ClientMessage, FrameError, FrameHead, FramePatch, PictureDecoder,
    PictureEncoder, ServerMessage, Turn, split,
};
use rolima_math::Stream;

const SIZE: [u32; 2] = [97, 61];

fn random_bytes(random: &mut Stream, count: usize) -> Vec<u8> {
    (0..count).map(|_| random.next_u64() as u8).collect()
}

/// A background, and a frame that differs from it within patches, which may overlap.
fn picture(random: &mut Stream, noisy: bool) -> (Vec<u8>, Vec<u8>, Vec<FramePatch>) {
    let [width, height] = SIZE;
    let background: Vec<u8> = (0..3 * width * height).map(|i| (i / 11) as u8).collect();
    let mut rgb = background.clone();
    let whole = FramePatch { left: 0, top: 0, width: width as u16, height: height as u16 };
    let mut patches = if noisy { vec![whole] } else { vec![] };
    let count = if noisy { 0 } else { random.next_u64() % 6 };
    for _ in 0..count {
        let [left, top] = [width, height].map(|size| (random.next_u64() % u64::from(size)) as u16);
        let room =
            |from: u16, size: u32| 1 + (random.next_u64() % u64::from(size as u16 - from)) as u16;
        let mut room = room;
        patches.push(FramePatch { left, top, width: room(left, width), height: room(top, height) });
    }
    // Overlaps count twice: as many pixels as the picture has are allowed.
    while patches.iter().map(FramePatch::pixels).sum::<usize>() > (width * height) as usize {
        patches.pop();
    }
    for patch in &patches {
        for row in 0..u32::from(patch.height) {
            let first = (u32::from(patch.top) + row) * width + u32::from(patch.left);
            for byte in 3 * first..3 * (first + u32::from(patch.width)) {
                rgb[byte as usize] =
                    if noisy { random.next_u64() as u8 } else { (byte / 40) as u8 };
            }
        }
    }
    (background, rgb, patches)
}

fn take(decoder: &mut PictureDecoder, message: &[u8]) -> Result<(), FrameError> {
    match ServerMessage::read(message)? {
        ServerMessage::Key { key, width, height, crc, data } => {
            decoder.key(key, [width, height], crc, data)
        }
        ServerMessage::Frame { head, crc, patches, data } => {
            decoder.frame(&head, crc, &patches, data)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn frames_come_back_bit_for_bit_in_any_order_and_without_those_that_are_missing() {
    let mut random = Stream::new(1, 0, "frames");
    for case in 0..rolima_testing::samples(30, 2_000) {
        let mut decoder = PictureDecoder::default();
        let (background, ..) = picture(&mut random, false);
        let mut encoder = PictureEncoder::new(7, SIZE, &background).expect("a size");
        let mut frames = vec![];
        for number in 0..4 {
            let (_, rgb, patches) = picture(&mut random, number == case % 5);
            let flags = if number == case % 5 { EVERYWHERE } else { 0 };
            let mut message = vec![];
            let head = FrameHead { number, flags, ..FrameHead::default() };
            encoder.frame(head, &rgb, &patches, &mut message);
            frames.push((message, rgb));
        }
        let early = take(&mut decoder, &frames[0].0);
        assert_eq!(early, Err(FrameError::NoKey { expected: 7, got: None }));
        take(&mut decoder, encoder.key_message()).expect("a background");
        assert_eq!(decoder.rgb(), background);
        for i in [2, 0, 3, 3] {
            take(&mut decoder, &frames[i].0).expect("a frame");
            assert!(decoder.rgb() == frames[i].1, "case {case}, frame {i}");
        }
    }
}

#[test]
fn messages_read_back_as_they_were_said() {
    let info = CameraInfo {
        width: 640,
        height: 480,
        period_s: 0.03,
        lock_step: true,
        name: "camera-blue".to_owned(),
    };
    let head = FrameHead { key: 3, number: 1 << 40, step: 77, time_s: 0.077, flags: EVERYWHERE };
    let patches = vec![FramePatch { left: 1, top: 2, width: 3, height: 4 }; 5];
    let told = [
        ServerMessage::Camera(info),
        ServerMessage::Key { key: 9, width: 4, height: 2, crc: 5, data: b"abc" },
        ServerMessage::Frame { head, crc: 6, patches, data: b"xyz" },
        ServerMessage::Turn(Turn { step: 30, time_s: 0.03 }),
        ServerMessage::Refused("wrong token".to_owned()),
        ServerMessage::End,
        ServerMessage::Cookie(u64::MAX - 1),
    ];
    for message in told {
        assert_eq!(ServerMessage::read(&message.bytes()), Ok(message.clone()));
        let bytes = message.bytes();
        // A message that is cut anywhere, but within compressed bytes, is refused.
        let data = if let ServerMessage::Key { .. } | ServerMessage::Frame { .. } = message {
            3
        } else {
            0
        };
        (0..bytes.len() - data).for_each(|end| {
            assert!(ServerMessage::read(&bytes[..end]).is_err(), "{message:?} {end}")
        });
    }
    let hello = ClientMessage::Hello { token: "t".repeat(32), lock_step: true, cookie: 12 };
    for message in
        [hello, ClientMessage::KeyWanted, ClientMessage::Done { step: 30 }, ClientMessage::Bye]
    {
        let mut bytes = vec![];
        message.write(&mut bytes);
        assert_eq!(ClientMessage::read(&bytes), Ok(message));
        (0..bytes.len()).for_each(|end| assert!(ClientMessage::read(&bytes[..end]).is_err()));
        bytes.push(0);
        assert!(ClientMessage::read(&bytes).is_err(), "too long");
    }
}

#[test]
fn frames_that_were_tampered_with_are_refused_and_the_next_good_one_is_taken() {
    let mut random = Stream::new(2, 0, "tampered");
    let (background, ..) = picture(&mut random, false);
    let mut encoder = PictureEncoder::new(1, SIZE, &background).expect("a size");
    let (_, rgb, patches) = loop {
        let made = picture(&mut random, false);
        if made.2.len() > 2 {
            break made;
        }
    };
    let mut good = vec![];
    encoder.frame(FrameHead::default(), &rgb, &patches, &mut good);
    let mut decoder = PictureDecoder::default();
    take(&mut decoder, encoder.key_message()).expect("a background");
    let mut refused = 0;
    let count = rolima_testing::samples(2_000, 100_000);
    for _ in 0..count {
        let mut bytes = good.clone();
        let at = (random.next_u64() % bytes.len() as u64) as usize;
        bytes[at] ^= 1 << (random.next_u64() % 8);
        if at == 0 {
            continue;
        }
        // Number, step and time may be any.
        let is_free = (8..32).contains(&at) || at == 1;
        match take(&mut decoder, &bytes) {
            Err(_) => refused += 1,
            Ok(()) => assert!(is_free || decoder.rgb() == rgb, "byte {at}"),
        }
        if refused % 50 == 1 {
            take(&mut decoder, &good).expect("a frame");
            assert!(decoder.rgb() == rgb);
        }
    }
    assert!(refused > count / 3, "{refused}");
    let head = ServerMessage::Frame {
        head: FrameHead { key: 1, ..FrameHead::default() },
        crc: 0,
        patches: vec![FramePatch { left: 90, top: 0, width: 8, height: 1 }],
        data: &[],
    };
    let error = take(&mut decoder, &head.bytes()).unwrap_err().to_string();
    assert_eq!(error, "frame: expected patches within 97 x 61 pixels, got 90 0 8 1");
    let many = vec![FramePatch::default(); MOST_PATCHES + 1];
    let head =
        ServerMessage::Frame { head: FrameHead::default(), crc: 0, patches: many, data: &[] };
    assert!(ServerMessage::read(&head.bytes()).is_err());
}

#[test]
fn a_few_bytes_that_say_they_are_a_huge_picture_take_no_memory() {
    let mut decoder = PictureDecoder::default();
    let bomb = ServerMessage::Key { key: 1, width: 65_535, height: 65_535, crc: 0, data: &[3, 0] };
    assert!(ServerMessage::read(&bomb.bytes()).is_err(), "more pixels than any camera has");
    let short = ServerMessage::Key { key: 1, width: 640, height: 480, crc: 0, data: &[3, 0] };
    assert!(take(&mut decoder, &short.bytes()).is_err());
    assert_eq!(decoder.has_key(), None);
}

#[test]
fn pieces_come_together_in_any_order_and_a_background_over_several_times() {
    let mut random = Stream::new(3, 0, "pieces");
    let mut scratch = vec![];
    let mut pieces = |body: &[u8], number: u32| {
        let mut out: Vec<Vec<u8>> = vec![];
        split(body, number, &mut scratch, |datagram| out.push(datagram.to_vec()));
        out
    };
    let mut assembler = Assembler::default();
    let body = |kind: u8, random: &mut Stream, count: usize| {
        let mut body = random_bytes(random, count);
        body[0] = kind;
        body
    };
    for (number, count) in [(1, 1), (2, 1_200), (3, 1_201), (4, 9_999)] {
        let body = body(3, &mut random, count);
        let mut sent = pieces(&body, number);
        for i in (1..sent.len()).rev() {
            sent.swap(i, (random.next_u64() % (i as u64 + 1)) as usize);
        }
        // Every piece twice: a network may do so.
        let last = sent.len() - 1;
        for (i, piece) in sent.iter().enumerate() {
            assert_eq!(
                assembler.take(piece).map(<[u8]>::to_vec),
                (i == last).then(|| body.clone())
            );
            assert!(i == last || assembler.take(piece).is_none());
        }
    }
    // A background of which two thirds are lost every time.
    let key = body(2, &mut random, 30_000);
    let sent = pieces(&key, 1);
    let mut rounds = 0;
    let whole = 'all: loop {
        rounds += 1;
        for piece in &sent {
            if random.uniform() < 0.33
                && let Some(whole) = assembler.take(piece)
            {
                break 'all whole.to_vec();
            }
        }
        // Frames between do not disturb it.
        let frame = body(3, &mut random, 2_000);
        pieces(&frame, 100 + rounds)
            .iter()
            .skip(1)
            .for_each(|piece| assert!(assembler.take(piece).is_none()));
    };
    assert!(whole == key && rounds > 2, "{rounds}");
}

#[test]
fn datagrams_that_make_no_sense_are_counted_and_take_no_memory() {
    let mut random = Stream::new(4, 0, "hostile");
    let mut assembler = Assembler::default();
    let mut good = vec![];
    split(&vec![3; 5_000], 1, &mut vec![], |datagram| good.push(datagram.to_vec()));
    for _ in 0..rolima_testing::samples(5_000, 200_000) {
        let mut datagram = good[(random.next_u64() % 5) as usize].clone();
        for _ in 0..1 + random.next_u64() % 3 {
            let at = (random.next_u64() % 16) as usize;
            datagram[at] = random.next_u64() as u8;
        }
        datagram.truncate((random.next_u64() % 1_300) as usize);
        let _ = assembler.take(&datagram);
    }
    assert!(assembler.refused() > 1_000);
    // Whole ones are still taken.
    let mut whole = None;
    for datagram in &good {
        whole = assembler.take(datagram).map(<[u8]>::to_vec).or(whole);
    }
    assert_eq!(whole, Some(vec![3; 5_000]));
}
