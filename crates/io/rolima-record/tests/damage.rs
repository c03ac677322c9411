//! Files that are cut off or damaged: a sentence or what can be read, never a panic.

use crate::{opened, recorded};
use proptest::prelude::*;
use rolima_record::fuzzing::{read_all, read_any};
use rolima_record::{Options, Recording, repair, verify};
use std::sync::LazyLock;

static FILE: LazyLock<Vec<u8>> =
    LazyLock::new(|| recorded("soccer", &[], 3.2, &Options::default()));

/// What is in the first chunk of a recording of few channels: schemas, the log's first lines, a scene.
static CHUNK: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let channels = Some("time,ball.*.x".to_owned());
    let options = Options { compressed: false, channels, ..Options::default() };
    let file = recorded("soccer", &[], 0.1, &options);
    let chunk =
        mcap::read::LinearReader::new(&file).expect("MCAP").find_map(|record| match record {
            Ok(mcap::records::Record::Chunk { data, .. }) => Some(data.into_owned()),
            _ => None,
        });
    chunk.expect("a chunk")
});

#[test]
fn a_file_that_is_cut_off_reads_up_to_its_last_whole_chunk() {
    let whole = opened(&FILE);
    assert!(whole.about().is_whole && whole.damage().is_none());
    let all = read_all(&whole).unwrap();
    // Without its summary: all chunks are there.
    let cut = opened(&FILE[..FILE.len() - 1]);
    assert!(!cut.about().is_whole);
    let why = cut.damage().unwrap().to_string();
    assert!(why.contains("expected the end of an MCAP file after its summary"), "{why}");
    assert_eq!(read_all(&cut).unwrap(), all);
    // In the middle: what is there is that of whole seconds.
    let half = opened(&FILE[..FILE.len() / 2]);
    let why = half.damage().unwrap().to_string();
    assert!(
        why.starts_with("test.mcap, byte ") && why.contains(" bytes of a record, got "),
        "{why}"
    );
    let read = read_all(&half).unwrap();
    assert!(read >= 60 && read < all, "{read} of {all}");
    let verified = verify(&half).unwrap();
    assert_eq!((verified.samples, verified.is_whole), (read, false));
    assert!(verified.differs.is_none() && verified.hash_differs.is_none());
}

#[test]
fn wherever_a_file_is_cut_off_what_is_whole_reads_and_is_mended() {
    // Few channels and a saved simulation every tenth of a second: several chunks in few bytes.
    let channels = Some("time,ball.*.x".to_owned());
    let options = Options { channels, save_s: 0.1, ..Options::default() };
    let file = recorded("soccer", &[], 0.5, &options);
    let whole = read_all(&opened(&file)).unwrap();
    // In each chunk there are the messages up to its end; before it is whole, those of the ones before it.
    let summary = mcap::Summary::read(&file).unwrap().unwrap();
    let index = |i: usize| &summary.chunk_indexes[i];
    let ends = |i: usize| (index(i).chunk_start_offset + index(i).chunk_length) as usize;
    let chunks = summary.chunk_indexes.len();
    assert!(chunks >= 5, "{chunks}");
    let (mut before, mut counts) = (0, vec![None; chunks + 1]);
    for cut in (0..file.len()).step_by(rolima_testing::samples(5, 1)) {
        let there = (0..chunks).take_while(|&i| ends(i) <= cut).count();
        let part = Recording::from_bytes("cut.mcap", file[..cut].into());
        let Ok(part) = part else {
            let why = part.map(|_| ()).unwrap_err().to_string();
            assert!(there == 0 && why.contains("expected "), "byte {cut}: {why}");
            continue;
        };
        let read = read_all(&part).unwrap();
        assert!(read >= before && read <= whole, "byte {cut}: {read} after {before}");
        let known = *counts[there].get_or_insert(read);
        assert_eq!(known, read, "byte {cut}: of {there} chunks");
        assert!(!part.about().is_whole && part.damage().is_some(), "byte {cut}");
        // Now and then: it takes longer.
        if cut % 97 == 0 {
            let mut mended = vec![];
            let repaired = repair(&part, &mut mended).unwrap();
            assert_eq!(repaired.chunks, there as u64, "byte {cut}");
            let mended = opened(&mended);
            assert!(mended.about().is_whole && read_all(&mended).unwrap() == read, "byte {cut}");
        }
        before = read;
    }
    assert!(counts[1..].iter().all(Option::is_some), "{counts:?}");
    assert_eq!(counts[chunks], Some(whole), "the summary alone is missing");
}

#[test]
fn what_reads_of_a_file_that_is_cut_off_is_made_whole() {
    let half = opened(&FILE[..FILE.len() / 2]);
    let mut mended = vec![];
    let repaired = repair(&half, &mut mended).unwrap();
    assert!(repaired.chunks > 0 && repaired.left_out.is_empty());
    let mended = opened(&mended);
    assert!(mended.about().is_whole && mended.damage().is_none());
    assert_eq!(read_all(&mended).unwrap(), read_all(&half).unwrap());
    assert_eq!(mended.span_s(), half.span_s());
    assert!(verify(&mended).unwrap().differs.is_none());
    // A whole one is the same again.
    let mut again = vec![];
    repair(&opened(&FILE), &mut again).unwrap();
    assert_eq!(read_all(&opened(&again)).unwrap(), read_all(&opened(&FILE)).unwrap());
}

#[test]
fn a_chunk_with_a_wrong_bit_is_named_and_the_others_are_kept() {
    let mut file = FILE.clone();
    let summary = mcap::Summary::read(&file).unwrap().unwrap();
    let offset = summary.chunk_indexes[1].compressed_data_offset().unwrap() + 1000;
    file[offset as usize] ^= 16;
    let recording = opened(&file);
    let why = read_all(&recording).unwrap_err().to_string();
    assert!(why.starts_with("test.mcap, byte "), "{why}");
    let mut mended = vec![];
    let repaired = repair(&recording, &mut mended).unwrap();
    assert_eq!(repaired.left_out.len(), 1, "{:?}", repaired.left_out);
    assert!(read_all(&opened(&mended)).unwrap() > 60);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rolima_testing::samples(200, 20_000)))]

    #[test]
    fn no_file_makes_the_reader_panic(
        cut in 0.0..1.0_f64,
        flips in proptest::collection::vec((0.0..1.0_f64, 0..8_u32), 0..4),
    ) {
        let mut file = FILE[..(FILE.len() as f64 * cut.sqrt()) as usize].to_vec();
        for (place, bit) in flips {
            let at = (file.len() as f64 * place) as usize;
            if let Some(byte) = file.get_mut(at) {
                *byte ^= 1 << bit;
            }
        }
        read_any(&file);
    }

    #[test]
    fn no_content_of_a_chunk_makes_the_reader_panic(
        cut in 0..4000_usize,
        flips in proptest::collection::vec((0..4000_usize, any::<u8>()), 1..6),
    ) {
        let mut content = CHUNK[..cut.min(CHUNK.len())].to_vec();
        for (place, byte) in flips {
            if let Some(found) = content.get_mut(place) {
                *found = byte;
            }
        }
        read_any(&content);
    }
}
