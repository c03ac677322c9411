//! Whatever the bytes are, reading them ends in a terrain or in an error.

use proptest::prelude::*;
use rolima_spatial::Terrain;
use rolima_terrain::{Area, Expression, esri, friction_map, heightmap, matrix, mesh};

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

fn read_all(bytes: &[u8]) {
    let area = Area::centred(2.0, 3.0);
    let specs = [
        matrix("f", bytes, area),
        mesh("f", bytes),
        esri("f", bytes, None),
        esri("f", bytes, Some(0.0)),
        heightmap("f", bytes, area, (0.0, 1.0)),
    ];
    for spec in specs.into_iter().flatten() {
        // What is out of all bounds is for the terrain to refuse.
        let _ = Terrain::new(spec);
    }
    let _ = friction_map("f", bytes, 1.0);
    if let Ok(text) = core::str::from_utf8(bytes)
        && let Ok(expression) = Expression::parse("f", text)
    {
        let _ = expression.at(0.3, -7.0);
        let _ = expression.terrain(area, 3, 4);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn random_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        read_all(&bytes);
    }

    #[test]
    fn texts_of_likely_pieces(pieces in proptest::collection::vec(0..PIECES.len(), 0..60)) {
        let text: String = pieces.iter().flat_map(|&i| [PIECES[i], " "]).collect();
        read_all(text.as_bytes());
        let tight: String = pieces.iter().map(|&i| PIECES[i]).collect();
        read_all(tight.as_bytes());
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
        read_all(&bytes);
    }
}
