//! Frames are read by zstd itself: to the same bytes, whatever they are.

use super::{Compressor, MessagePlace};
use proptest::prelude::*;

/// Compresses messages of topics, bytes that are in none between them, and reads the frame.
fn returns(compressor: &mut Compressor, parts: &[(Option<u16>, Vec<u8>)]) -> usize {
    let (mut bytes, mut messages) = (vec![], vec![]);
    for (channel, part) in parts {
        let begin = bytes.len();
        bytes.extend_from_slice(part);
        let place = begin..bytes.len();
        messages.extend(channel.map(|channel| MessagePlace { channel, place }));
    }
    let mut out = vec![1, 2, 3];
    compressor.compress(&bytes, &messages, &mut out);
    let read = zstd::decode_all(&out[..]).expect("a frame of zstd");
    assert!(read == bytes, "{} bytes", bytes.len());
    out.len()
}

/// Bytes of a stream that repeats nothing.
fn noise(seed: u64) -> impl Iterator<Item = u8> {
    let mut state = seed;
    std::iter::repeat_with(move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 56) as u8
    })
}

#[test]
fn what_repeats_takes_little_and_what_does_not_no_more_than_it_is() {
    let mut compressor = Compressor::new();
    let mut check = |parts: &[(Option<u16>, Vec<u8>)]| returns(&mut compressor, parts);
    assert!(check(&[]) < 30);
    assert!(check(&[(None, vec![7])]) < 30);
    let zeros = vec![0; 1 << 20];
    assert!(check(&[(None, zeros.clone())]) < 400);
    assert!(check(&[(Some(0), zeros)]) < 400);
    for count in [1_000, 131_072, 131_073, 500_000] {
        let size = check(&[(Some(3), noise(1).take(count).collect())]);
        assert!(size <= count + 40, "{size} for {count}");
    }
    // A message again and again, of which a tenth is noise.
    let message = |i: u64| -> Vec<u8> {
        let mut message: Vec<u8> = noise(9).take(1000).collect();
        message[450..550].copy_from_slice(&noise(i).take(100).collect::<Vec<_>>());
        message
    };
    let parts: Vec<_> = (0..500).map(|i| (Some(i as u16 % 2), message(i))).collect();
    let size = check(&parts);
    assert!(size < 500 * 110, "{size}");
    // Longer and shorter ones: before the change and behind it they are equal.
    let cut = |i: usize| {
        let mut message = message(1);
        message.remove(500 + i % 3);
        message.truncate(999 - i % 2);
        (Some(0), message)
    };
    let size = check(&(0..500).map(cut).collect::<Vec<_>>());
    assert!(size < 10_000, "{size}");
    // Of more than the window what is too far back is not found, and is no mistake.
    let far: Vec<_> =
        (0..30).map(|i| (Some(i % 15), noise(u64::from(i % 15)).take(100_000).collect())).collect();
    let size = check(&far);
    assert!(size > 2_000_000, "{size}");
}

#[test]
fn what_a_message_repeats_of_itself_is_found() {
    let message = |i: u64| -> Vec<u8> {
        let new: Vec<u8> = noise(i).take(40).collect();
        let (head, tail) = (new[..20].to_vec(), new[20..].to_vec());
        [vec![5; 30], new, vec![6; 30], head, vec![7], tail, vec![8; 30]].concat()
    };
    let parts: Vec<_> = (0..400).map(|i| (Some(0), message(i))).collect();
    let size = returns(&mut Compressor::new(), &parts);
    assert!(size < 400 * (40 + 22), "{size}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rolima_testing::samples(300, 30_000)))]

    #[test]
    fn all_bytes_return(
        // Few values, which repeat, or many, which do not; from few bytes to several blocks.
        parts in proptest::collection::vec(
            (proptest::option::of(0..3_u16), any::<u64>(), 1..200_u8, 0..400_usize, 0..40_u32),
            0..40,
        ),
    ) {
        let parts: Vec<_> = parts
            .into_iter()
            .map(|(channel, seed, values, count, times)| {
                // Some are a hundred times as long.
                let count = if times == 0 { 100 * count } else { count };
                (channel, noise(seed % 4).map(|byte| byte % values).take(count).collect())
            })
            .collect();
        let mut compressor = Compressor::new();
        // Twice: nothing is left of the frame before.
        prop_assert_eq!(returns(&mut compressor, &parts), returns(&mut compressor, &parts));
    }
}
