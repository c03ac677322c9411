//! Files that are cut off or damaged: a sentence or what can be read, never a panic.

use crate::{opened, recorded};
use proptest::prelude::*;
use rolima_record::{Options, RecordError, Recording, repair, verify};
use std::sync::LazyLock;

static FILE: LazyLock<Vec<u8>> =
    LazyLock::new(|| recorded("soccer", &[], 3.2, &Options::default()));

/// Reads all of a recording.
fn read_all(recording: &Recording) -> Result<u64, RecordError> {
    let mut count = 0;
    for scene in recording.scenes() {
        let channels: Vec<usize> = (0..scene.channels.len()).collect();
        let mut samples = recording.samples(scene.number, &channels, [0.0, f64::INFINITY])?;
        while samples.next()?.is_some() {
            count += 1;
        }
    }
    for event in recording.events([0.0, f64::INFINITY]) {
        event?;
    }
    for picture in recording.pictures([0.0, f64::INFINITY]) {
        picture?;
    }
    recording.saved_before(f64::INFINITY)?;
    let mut log = recording.log()?;
    while log.read()?.is_some() {}
    Ok(count)
}

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
    assert!(why.starts_with("test.mcap, byte ") && why.contains(" bytes of a record, got "), "{why}");
    let read = read_all(&half).unwrap();
    assert!(read >= 60 && read < all, "{read} of {all}");
    let verified = verify(&half).unwrap();
    assert_eq!((verified.samples, verified.is_whole), (read, false));
    assert!(verified.differs.is_none() && verified.hash_differs.is_none());
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
    let middle = file.len() / 2;
    file[middle] ^= 16;
    let recording = opened(&file);
    let why = read_all(&recording).unwrap_err().to_string();
    assert!(why.starts_with("test.mcap, byte "), "{why}");
    let mut mended = vec![];
    let repaired = repair(&recording, &mut mended).unwrap();
    assert_eq!(repaired.left_out.len(), 1, "{:?}", repaired.left_out);
    assert!(read_all(&opened(&mended)).unwrap() > 60);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(rolima_testing::cases(200)))]

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
        if let Ok(recording) = Recording::from_bytes("f.mcap", file.into()) {
            let _ = read_all(&recording);
            let mut mended = vec![];
            if repair(&recording, &mut mended).is_ok() {
                let _ = Recording::from_bytes("m.mcap", mended.into());
            }
        }
    }
}
