//! Whatever the bytes are, reading them ends in a terrain or in an error.

use proptest::prelude::*;
use rolima_terrain::fuzz_entry;

/// Pieces that make texts which are nearly right.
const PIECES: &[&str] = &[
    "1",
    "2",
    "-3.5",
    "1e300",
    "-9999",
    "nan",
    " ",
    "\n",
    ",",
    ";",
    "#",
    "%",
    "ncols",
    "nrows",
    "cellsize",
    "xllcorner",
    "yllcorner",
    "xllcenter",
    "NODATA_value",
    "x",
    "y",
    "pi",
    "(",
    ")",
    "+",
    "-",
    "*",
    "/",
    "^",
    "<",
    ">=",
    "sin(",
    "if(",
    "min(",
    ",",
    "é",
    "\u{feff}",
    "\t",
    "99999999",
    "0",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        fuzz_entry(&bytes);
    }

    #[test]
    fn texts_of_likely_pieces(pieces in proptest::collection::vec(0..PIECES.len(), 0..60)) {
        let text: String = pieces.iter().flat_map(|&i| [PIECES[i], " "]).collect();
        fuzz_entry(text.as_bytes());
        let tight: String = pieces.iter().map(|&i| PIECES[i]).collect();
        fuzz_entry(tight.as_bytes());
    }

    #[test]
    fn damaged_pictures(at in 0usize..200, with in any::<u8>(), cut in 0usize..200) {
        let picture = image::DynamicImage::new_luma16(4, 3);
        let mut bytes = std::io::Cursor::new(vec![]);
        picture.write_to(&mut bytes, image::ImageFormat::Png).expect("memory takes a picture");
        let mut bytes = bytes.into_inner();
        let length = bytes.len();
        bytes[at % length] = with;
        bytes.truncate(length - cut % length);
        fuzz_entry(&bytes);
    }
}
