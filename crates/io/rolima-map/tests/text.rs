//! Text maps: what they say, what is wrong with them, and back to text.

use proptest::prelude::*;
use rolima_map::{
    Element, MAX_ELEMENTS, MAX_ERRORS, MAX_TEXT_BYTES, Map, MapError, Size, Vec2, fuzz_entry,
    parse, read, svg,
};

fn v(x: f64, y: f64) -> Vec2 {
    Vec2::new(x, y)
}

/// All messages of a bad map, a line each.
fn errors(text: &str) -> String {
    parse("m", text).expect_err("a bad map").to_string()
}

#[test]
fn every_element_has_its_form_and_defaults() {
    let text = "# a map\nR 1 2\nR,1.5,-2,0.5\n\n W 0 0 1,0 # wall\nW 3 4\nL 0 0 .5 1e1\n\
                B 1 2\nB 1 2 0.3\nC 1 2\nC 1 2 3\tC-is-no-comment\n";
    assert_eq!(
        errors(text),
        "m:11:9: expected a positive number, at most 1000000, got \"C-is-no-comment\""
    );
    let text = text.replace("C-is-no-comment", "0.5")
        + "O 1 2 a.obj\nO 1 2 b.obj 3 2\r\nO 0 0 c.obj 1 2 3 4";
    let mesh = |file: &str, position, rotation, scale| Element::Mesh {
        position,
        file: file.to_owned(),
        rotation,
        scale,
    };
    let expected = vec![
        Element::Robot { position: v(1.0, 2.0), heading: 0.0 },
        Element::Robot { position: v(1.5, -2.0), heading: 0.5 },
        Element::Wall { from: v(0.0, 0.0), to: v(1.0, 0.0) },
        Element::Cell { center: v(3.0, 4.0) },
        Element::Line { from: v(0.0, 0.0), to: v(0.5, 10.0) },
        Element::Ball { position: v(1.0, 2.0), diameter: 1.0 },
        Element::Ball { position: v(1.0, 2.0), diameter: 0.3 },
        Element::Cube { position: v(1.0, 2.0), size: 1.0, height: 1.0 },
        Element::Cube { position: v(1.0, 2.0), size: 3.0, height: 0.5 },
        mesh("a.obj", v(1.0, 2.0), 0.0, [1.0; 3]),
        mesh("b.obj", v(1.0, 2.0), 3.0, [2.0; 3]),
        mesh("c.obj", v(0.0, 0.0), 1.0, [2.0, 3.0, 4.0]),
    ];
    let map = parse("m", &text).unwrap();
    assert_eq!(map.elements, expected);
    assert_eq!(
        map.to_string(),
        "R 1 2\nR 1.5 -2 0.5\nW 0 0 1 0\nW 3 4\nL 0 0 0.5 10\nB 1 2\nB 1 2 0.3\nC 1 2\nC 1 2 3 0.5\n\
         O 1 2 a.obj\nO 1 2 b.obj 3 2\nO 0 0 c.obj 1 2 3 4\n"
    );
}

#[test]
fn all_errors_are_told_with_line_and_column() {
    let text = "X 1 2\nW 1 2 3\nR 1 é\n  B 1 2 0 9\nL 1 1 1 1\nC 1 2 -1 nan\nW 1\nO 1 2 a.obj 0 1 2\nB inf 2e6";
    assert_eq!(
        errors(text),
        "m:1:1: expected an element: R, W, L, B, C or O, got \"X\"\n\
         m:2:8: expected 4 fields or more: W x1 y1 x2 y2, or W x y, got 3 of them\n\
         m:3:5: expected a number of metres, at most 1000000 from 0, got \"é\"\n\
         m:4:11: expected the end of the line: B x y [size], got \"9\"\n\
         m:5:7: expected two different points, got \"1 1 twice\"\n\
         m:6:7: expected a positive number, at most 1000000, got \"-1\"\n\
         m:6:10: expected a positive number, at most 1000000, got \"nan\"\n\
         m:7:4: expected 2 fields or more: W x1 y1 x2 y2, or W x y, got 1 of them\n\
         m:8:18: expected no scale, one or three: O x y file.obj [rotation [scale, or three scales]], got two\n\
         m:9:3: expected a number of metres, at most 1000000 from 0, got \"inf\"\n\
         m:9:7: expected a number of metres, at most 1000000 from 0, got \"2e6\""
    );
}

#[test]
fn errors_elements_and_sizes_are_bounded() {
    let MapError::Text { errors: kept, count } = parse("m", &"W 1 ?\n".repeat(5000)).unwrap_err()
    else {
        panic!("a text error")
    };
    assert_eq!((kept.len(), count), (MAX_ERRORS, 5000));
    let text = errors(&"W 1 ?\n".repeat(5000));
    assert_eq!(text.lines().count(), 21);
    assert!(text.ends_with("... and 4980 more errors"));
    let many = "W 1 2\n".repeat(MAX_ELEMENTS);
    assert_eq!(parse("m", &many).unwrap().elements.len(), MAX_ELEMENTS);
    assert!(errors(&(many + "R 0 0")).contains("expected at most 100000 elements"));
    assert!(errors(&"#".repeat(MAX_TEXT_BYTES + 1)).contains("at most 4 MiB"));
}

#[test]
fn another_kind_of_file_is_told_in_one_sentence() {
    let got = |bytes: &[u8]| {
        let error = read("m", bytes, None).unwrap_err().to_string();
        let expected =
            "m: expected a text map in UTF-8 or a PNG, JPEG, GIF, WebP or BMP picture, got ";
        error.strip_prefix(expected).unwrap_or_else(|| panic!("{error}")).to_owned()
    };
    let scene = "title = \"Maze\"\n\n[[robot]]\npreset = \"minirobot\"\npose = [0, 0, 0]\n";
    assert_eq!(got(scene.as_bytes()), "a scene, which `rolima run FILE` runs");
    assert_eq!(got(b"%PDF-1.4\n1 0 obj\n<< >>\nendobj\n"), "a PDF file");
    assert_eq!(got(b"\0\0\0\x18ftypheic\xff\xfe"), "a HEIC picture or a film");
    assert_eq!(got(b"II*\0\x08\0\0\0\xff"), "a TIFF picture");
    assert!(got(b"<?xml version='1.0'?>\n<svg xmlns=''>\n</svg>\n").starts_with("an SVG drawing"));
    assert_eq!(got(b"<html>\n<body>\n</body>\n"), "a page in HTML or XML");
    assert_eq!(got(b"{\n\"walls\": []\n}\n"), "a file in JSON");
    assert!(got(b"#include <stdio.h>\nint main() {\n  return 0;\n}\n").starts_with("another text"));
    assert_eq!(got(b"\xff\x00"), "other bytes");
    // A map with a slip or two is one.
    assert!(errors("W 0 0 1 1\nwall 1 1 2 2\nR 0 0").starts_with("m:2:1: expected an element"));
}

#[test]
fn text_is_told_from_pictures_and_has_no_size() {
    assert!(read("m", b"BM 1 2 3 4 5", None).unwrap_err().to_string().contains("m:1:1"));
    let error = read("m", b"R 0 0", Size::new(1.0, 1.0)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "m: expected no size, as a text map says its own coordinates, got one"
    );
    assert!(matches!(read("m", b"\xff\x00", None), Err(MapError::Unknown { .. })));
    assert_eq!(read("m", b"", None).unwrap().map, Map::default());
    assert_eq!(read("m", "\u{feff}R 0 0".as_bytes(), None).unwrap().map.elements.len(), 1);
}

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        (-1000i32..1000).prop_map(f64::from),
        (-1e6..1e6),
        (-20i32..20).prop_map(|i| f64::from(i) * 0.1),
        Just(1e-300),
    ]
}

fn element() -> impl Strategy<Value = Element> {
    let point = || (number(), number()).prop_map(|(x, y)| v(x, y));
    let size = || prop_oneof![Just(1.0), 1e-12..1e6, (1i32..90).prop_map(|i| f64::from(i) * 0.1)];
    let pair = || (point(), point()).prop_filter("different", |(a, b)| a != b);
    let scale = prop_oneof![
        size().prop_map(|s| [s; 3]),
        (size(), size(), size()).prop_map(|(x, y, z)| [x, y, z])
    ];
    prop_oneof![
        (point(), number()).prop_map(|(position, heading)| Element::Robot { position, heading }),
        pair().prop_map(|(from, to)| Element::Wall { from, to }),
        point().prop_map(|center| Element::Cell { center }),
        pair().prop_map(|(from, to)| Element::Line { from, to }),
        (point(), size()).prop_map(|(position, diameter)| Element::Ball { position, diameter }),
        (point(), size(), size()).prop_map(|(position, size, height)| Element::Cube {
            position,
            size,
            height
        }),
        (point(), "[a-zA-Z0-9_./é&<>-]{1,12}", number(), scale).prop_map(
            |(position, file, rotation, scale)| Element::Mesh { position, file, rotation, scale }
        ),
    ]
}

proptest! {
    #[test]
    fn what_is_written_reads_back_the_same(elements in prop::collection::vec(element(), 0..20)) {
        let map = Map { elements };
        let text = map.to_string();
        prop_assert_eq!(&parse("m", &text).unwrap(), &map, "{}", text);
        let drawn = svg(&map, None);
        prop_assert!(drawn.ends_with("</svg>\n") && !drawn.contains("NaN") && !drawn.contains("inf"));
    }

    #[test]
    fn no_text_makes_it_panic(text in "([RWLBCO] ?[-0-9., e]{0,20}|\\PC{0,20}|[#\\r\\n\u{feff}])*") {
        fuzz_entry(text.as_bytes());
    }

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        fuzz_entry(&bytes);
    }
}
