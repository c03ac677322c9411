//! Pictures other than mazes: shapes, lines, solid areas, sizes, and garbage.

use crate::common;

use common::{Pen, Sheet, distance, v, worst};
use image::{ImageFormat, Rgb, RgbImage};
use rolima_map::{Element, MapError, Size, Vec2, fuzz_entry, parse, read, recognise};
use rolima_math::Stream;
use std::io::Cursor;

const BLACK: [u8; 3] = [0; 3];
const RED: [u8; 3] = [237, 28, 36];
const BLUE: [u8; 3] = [63, 72, 204];
const GREEN: [u8; 3] = [34, 177, 76];
const YELLOW: [u8; 3] = [255, 242, 0];

/// The elements at 1 m a pixel.
fn found(bytes: &[u8]) -> Vec<Element> {
    let picture = image::load_from_memory(bytes).expect("a picture");
    let size = Size::new(f64::from(picture.width()), f64::from(picture.height()));
    recognise("picture", bytes, size).expect("a map").map.elements
}

fn count(elements: &[Element], kind: &str) -> usize {
    elements.iter().filter(|element| element.kind() == kind).count()
}

#[test]
fn the_centre_is_the_origin_up_is_x_left_is_y_and_width_goes_along_y() {
    let mut sheet = Sheet::new(400, 200, true);
    sheet.stroke((v(20.0, 10.0), v(20.0, 150.0)), 4.0, Pen::Round, BLACK);
    sheet.disc(v(300.0, 150.0), 10.0, BLUE);
    let size = Size::parse("40x10").unwrap();
    let map = recognise("m", &sheet.png(), Some(size)).unwrap().map;
    // 0.1 m a pixel across, 0.05 m a pixel down.
    let [Element::Wall { from, to }, Element::Ball { position, diameter }] = map.elements[..]
    else {
        panic!("{map}")
    };
    let near = |p: Vec2, x: f64, y: f64| (p - v(x, y)).length() < 0.03;
    assert!(near(from, 4.5, 18.0) && near(to, -2.5, 18.0) || near(to, 4.5, 18.0), "{map}");
    assert!(near(position, -2.5, -10.0), "{map}");
    assert!((diameter - 20.0 * 0.005_f64.sqrt()).abs() < 0.03, "{map}");
    assert_eq!(parse("m", &map.to_string()).unwrap(), map);
    let Element::Ball { position, .. } = found(&sheet.png())[1] else { panic!("a ball") };
    assert!((position - v(-50.0, -100.0)).length() < 0.3);
    // Without a size the longer side is proposed to be 40 m, and that it is so is told.
    let proposed = recognise("m", &sheet.png(), None).unwrap();
    assert_eq!((proposed.size, proposed.is_proposed), (Size::new(40.0, 20.0), true));
}

#[test]
fn shapes_are_found_in_number_place_and_size_in_every_format() {
    for seed in 0..30 {
        let mut random = Stream::new(seed, 0, "shapes");
        let side = [250.0, 400.0, 700.0][(seed % 3) as usize];
        let mut sheet = Sheet::new(side as u32, side as u32, seed % 4 != 0);
        let pen = random.between(2.0, 8.0);
        let wall = (v(0.05 * side, 0.5 * side), v(0.95 * side, 0.5 * side));
        let line = (v(0.5 * side, 0.06 * side), v(0.8 * side, 0.44 * side));
        sheet.stroke(wall, pen, Pen::Round, BLACK);
        sheet.stroke(line, pen, Pen::Round, YELLOW);
        let mut placed: Vec<(Vec2, f64, [u8; 3])> = vec![];
        for _ in 0..300 {
            let radius = random.between(4.0, 15.0);
            let at = v(random.between(20.0, side - 20.0), random.between(20.0, side - 20.0));
            let is_free =
                placed.iter().all(|(p, r, _)| (*p - at).length() > 1.5 * (r + radius) + 5.0)
                    && distance(at, wall).min(distance(at, line)) > 1.5 * radius + pen + 5.0;
            if is_free && placed.len() < 12 {
                placed.push((at, radius, [RED, BLUE, GREEN][placed.len() % 3]));
            }
        }
        for (at, radius, colour) in &placed {
            match *colour {
                GREEN => sheet.square(*at, 2.0 * radius, GREEN),
                colour => sheet.disc(*at, *radius, colour),
            }
        }
        let formats = [
            ("png", sheet.png()),
            ("jpeg", sheet.jpeg(75)),
            ("bmp", sheet.saved(ImageFormat::Bmp)),
            ("webp", sheet.saved(ImageFormat::WebP)),
        ];
        for (format, bytes) in formats {
            let elements = found(&bytes);
            let label = format!("{seed} {format} pen {pen}: {elements:?}");
            let pixel = |p: Vec2| v(0.5 * side - p.y, 0.5 * side - p.x);
            let mut left = placed.clone();
            for element in &elements {
                let (at, colour, radius) = match *element {
                    Element::Robot { position, heading } => {
                        assert_eq!(heading, 0.0, "{label}");
                        (position, RED, None)
                    }
                    Element::Ball { position, diameter } => (position, BLUE, Some(0.5 * diameter)),
                    Element::Cube { position, size, height } => {
                        assert_eq!(size, height, "{label}");
                        (position, GREEN, Some(0.5 * size))
                    }
                    Element::Wall { from, to } => {
                        assert!(worst(&[(pixel(from), pixel(to))], &[wall]).0 < 1.0, "{label}");
                        continue;
                    }
                    Element::Line { from, to } => {
                        // JPEG keeps colours at half the resolution, and yellow is colour only.
                        let most = if format == "jpeg" { 2.0 } else { 1.0 };
                        assert!(worst(&[(pixel(from), pixel(to))], &[line]).0 < most, "{label}");
                        assert!(worst(&[line], &[(pixel(from), pixel(to))]).0 < most, "{label}");
                        continue;
                    }
                    _ => panic!("{label}"),
                };
                let slack = if format == "jpeg" { 1.0 } else { 0.6 };
                let matches = |(p, r, c): &(Vec2, f64, [u8; 3])| {
                    *c == colour
                        && (pixel(at) - *p).length() < 0.7
                        && radius.is_none_or(|found| (found - r).abs() < slack)
                };
                let index = left.iter().position(matches);
                left.remove(index.unwrap_or_else(|| panic!("{element:?} was not drawn: {label}")));
            }
            assert!(left.is_empty(), "not found: {left:?} in {label}");
            assert_eq!((count(&elements, "wall"), count(&elements, "line")), (1, 1), "{label}");
        }
    }
}

/// A JPEG file with a camera's word on how it was held: 1 to 8 of EXIF.
fn held(jpeg: &[u8], orientation: u8) -> Vec<u8> {
    let tiff = [
        b"II*\0\x08\0\0\0\x01\0".as_slice(),
        &[0x12, 0x01, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0],
    ]
    .concat();
    let mut bytes = vec![0xff, 0xd8, 0xff, 0xe1, 0, (tiff.len() + 8) as u8];
    bytes.extend(b"Exif\0\0");
    bytes.extend(tiff);
    bytes.extend(&jpeg[2..]);
    bytes
}

#[test]
fn a_photograph_is_turned_as_its_camera_says() {
    let mut upright = Sheet::new(200, 400, true);
    upright.stroke((v(30.0, 40.0), v(150.0, 300.0)), 5.0, Pen::Round, BLACK);
    let size = Size::new(20.0, 40.0);
    let straight = recognise("m", &upright.jpeg(90), size).unwrap().map;
    use image::imageops::{flip_horizontal, flip_vertical, rotate90, rotate180, rotate270};
    // As cameras store it that are held in any way, and mirrored.
    let stored = |turn: fn(&RgbImage) -> RgbImage| {
        let mut sheet = Sheet::new(1, 1, true);
        sheet.picture = turn(&upright.picture);
        sheet.jpeg(90)
    };
    let turns: [(u8, Vec<u8>); 8] = [
        (1, stored(RgbImage::clone)),
        (2, stored(flip_horizontal)),
        (3, stored(rotate180)),
        (4, stored(flip_vertical)),
        (5, stored(|picture| rotate270(&flip_horizontal(picture)))),
        (6, stored(rotate270)),
        (7, stored(|picture| rotate90(&flip_horizontal(picture)))),
        (8, stored(rotate90)),
    ];
    let ends = |map: &rolima_map::Map| match map.elements[..] {
        [Element::Wall { from, to }] => (from, to),
        _ => panic!("{map}"),
    };
    for (orientation, jpeg) in turns {
        let read = recognise("m", &held(&jpeg, orientation), size).unwrap();
        let (found, meant) = (ends(&read.map), ends(&straight));
        let apart = worst(&[found], &[meant]).0.max(worst(&[meant], &[found]).0);
        assert!(apart < 0.1, "{orientation}: {} {straight}", read.map);
    }
}

#[test]
fn a_gif_and_a_picture_of_grey_paper_are_read_like_others() {
    let mut sheet = Sheet::new(300, 200, true);
    sheet.stroke((v(20.0, 20.0), v(280.0, 170.0)), 4.0, Pen::Round, BLACK);
    assert_eq!(count(&found(&sheet.saved(ImageFormat::Gif)), "wall"), 1);
    // Yellowish light: paper that is far from white.
    let tint = |c: u8, by: u32| (u32::from(c) * by / 255) as u8;
    for pixel in sheet.picture.pixels_mut() {
        let [r, g, b] = pixel.0;
        *pixel = Rgb([tint(r, 230), tint(g, 190), tint(b, 120)]);
    }
    let elements = found(&sheet.png());
    assert_eq!((count(&elements, "wall"), elements.len()), (1, 1), "{elements:?}");
}

#[test]
fn a_robot_drawn_as_an_arrow_head_points_where_it_points() {
    for k in 0..12 {
        let heading = -3.0 + 0.5 * f64::from(k);
        let mut sheet = Sheet::new(120, 120, true);
        let (s, c) = rolima_math::sin_cos(heading);
        // x is up and y to the left.
        let to_pixel = |x: f64, y: f64| v(60.0 - (s * x + c * y), 60.0 - (c * x - s * y));
        let corners = [to_pixel(20.0, 0.0), to_pixel(-10.0, 10.0), to_pixel(-10.0, -10.0)];
        sheet.fill(v(0.0, 0.0), v(120.0, 120.0), RED, |p| {
            let side = |i: usize| (corners[(i + 1) % 3] - corners[i]).cross(p - corners[i]);
            let signs = [side(0), side(1), side(2)];
            signs.iter().all(|s| *s <= 0.0) || signs.iter().all(|s| *s >= 0.0)
        });
        let elements = found(&sheet.jpeg(75));
        let [Element::Robot { heading: seen, position }] = elements[..] else {
            panic!("{elements:?}")
        };
        assert!(rolima_math::wrap_angle(seen - heading).abs() < 0.06, "{seen} for {heading}");
        assert!(position.length() < 1.0);
    }
}

#[test]
fn a_solid_area_becomes_its_outline_with_the_faces_where_they_were_drawn() {
    let mut sheet = Sheet::new(400, 400, true);
    let (low, high) = (v(100.0, 120.0), v(220.0, 200.0));
    sheet.fill(low, high, BLACK, |p| p.x > low.x && p.x < high.x && p.y > low.y && p.y < high.y);
    sheet.stroke((v(20.0, 300.0), v(380.0, 300.0)), 4.0, Pen::Round, BLACK);
    sheet.stroke((v(220.0, 160.0), v(350.0, 160.0)), 4.0, Pen::Round, BLACK);
    let map = recognise("m", &sheet.png(), Size::new(400.0, 400.0)).unwrap().map;
    let half = 0.5 * rolima_map::WALL_THICKNESS;
    let corner = |x: f64, y: f64| v(200.0 - y, 200.0 - x);
    let (a, b) = (low + v(half, half), high - v(half, half));
    let truth = [
        (corner(a.x, a.y), corner(b.x, a.y)),
        (corner(b.x, a.y), corner(b.x, b.y)),
        (corner(b.x, b.y), corner(a.x, b.y)),
        (corner(a.x, b.y), corner(a.x, a.y)),
        (corner(20.0, 300.0), corner(380.0, 300.0)),
        (corner(220.0, 160.0), corner(350.0, 160.0)),
    ];
    let walls: Vec<_> = map
        .elements
        .iter()
        .map(|element| match element {
            Element::Wall { from, to } => (*from, *to),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(walls.len(), 6, "{map}");
    assert!(worst(&truth, &walls).0 < 1.0, "{:?} {map}", worst(&truth, &walls));
    // The stroke out of the block may begin anywhere from its edge to a pen's width inside.
    assert!(worst(&walls, &truth).0 < 5.0, "{:?} {map}", worst(&walls, &truth));
}

#[test]
fn garbage_is_refused_or_has_a_bounded_number_of_elements() {
    let mut random = Stream::new(7, 0, "garbage");
    let mut byte = move || random.next_u64() as u8;
    let mut picture = |width: u32, height: u32, f: &mut dyn FnMut(u32, u32, u8) -> [u8; 3]| {
        let picture = RgbImage::from_fn(width, height, |x, y| Rgb(f(x, y, byte())));
        let mut bytes = Cursor::new(vec![]);
        picture.write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner()
    };
    let ramp = |x: u32| (x / 4) as u8;
    let pictures = [
        picture(1024, 1024, &mut |x, y, b| [b, b.wrapping_mul(31), b ^ (x * y) as u8]),
        picture(1024, 1024, &mut |_, _, b| if b < 30 { [0; 3] } else { [255; 3] }),
        picture(1024, 1024, &mut |_, _, b| if b < 120 { [0; 3] } else { [255; 3] }),
        picture(1024, 1024, &mut |_, _, b| if b < 60 { [255, 255, 0] } else { [255; 3] }),
        picture(1024, 1024, &mut |x, y, _| [ramp(x), ramp(y), ramp(x + y)]),
        picture(1024, 1024, &mut |x, y, _| [255 - ramp(x) / 2, 255 - ramp(y) / 2, 200]),
        picture(1024, 1024, &mut |x, y, _| [if x % 4 == 0 || y % 4 == 0 { 0 } else { 255 }; 3]),
        picture(1024, 1024, &mut |x, y, _| [if (x / 2 + y / 2) % 2 == 0 { 0 } else { 255 }; 3]),
        picture(2048, 2048, &mut |x, y, _| {
            [if x.abs_diff(1024).pow(2) + y.abs_diff(1024).pow(2) < 800_000 { 0 } else { 255 }; 3]
        }),
        picture(1024, 1024, &mut |_, _, _| [0; 3]),
        picture(1, 1, &mut |_, _, _| [255; 3]),
        picture(4096, 1, &mut |x, _, _| [if x % 9 == 0 { 255 } else { 0 }; 3]),
    ];
    // The work is bounded by what is counted on the way (bounds.rs): what would take more is refused.
    let count = |bytes: &Vec<u8>| match recognise("garbage", bytes, None) {
        Ok(found) => Some(found.map.elements.len()),
        Err(MapError::Picture { .. }) => None,
        Err(other) => panic!("{other}"),
    };
    let counts: Vec<Option<usize>> = pictures.iter().map(count).collect();
    // How many elements those may have that pass for drawings; the others are refused.
    // What is pale everywhere is an empty sheet, as a white one is.
    let (ramps, pale, disc, white) = (Some(500), Some(0), Some(100), Some(0));
    let most = [None, None, None, None, ramps, pale, None, None, disc, None, white, None];
    for (index, (count, most)) in counts.iter().zip(&most).enumerate() {
        assert_eq!(count.is_some(), most.is_some(), "{index} of {counts:?}");
        assert!(count <= most, "{index} of {counts:?}");
    }
    assert!(recognise("noise", &pictures[0], None).is_err());
    assert_eq!(
        recognise("black.png", &pictures[9], None).unwrap_err().to_string(),
        "black.png: expected a drawing in black, yellow, red, blue and green on white, got 0 % white"
    );
    assert!(recognise("white", &pictures[10], None).unwrap().map.elements.is_empty());
}

#[test]
fn broken_files_are_errors_and_too_large_ones_are_not_opened() {
    let mut sheet = Sheet::new(120, 90, true);
    sheet.stroke((v(10.0, 10.0), v(100.0, 80.0)), 3.0, Pen::Round, BLACK);
    let others = [ImageFormat::Bmp, ImageFormat::Gif, ImageFormat::WebP];
    let others = others.map(|format| sheet.saved(format));
    for whole in [sheet.png(), sheet.jpeg(75)].iter().chain(&others) {
        for k in 0..40 {
            fuzz_entry(&whole[..whole.len() * k / 40]);
            let mut bent = whole.clone();
            let at = whole.len() * k / 40;
            bent[at] = bent[at].wrapping_add(101);
            fuzz_entry(&bent);
        }
    }
    let png = sheet.png();
    let error = read("cut.png", &png[..png.len() / 2], None).unwrap_err().to_string();
    assert!(error.starts_with("cut.png: expected a whole PNG picture, got an error: "), "{error}");
    // A header that promises 60,000 x 60,000 pixels.
    let mut huge = png.clone();
    huge[16..24].copy_from_slice(&[0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]);
    assert!(read("huge.png", &huge, None).is_err());
    let mut wide = Cursor::new(vec![]);
    RgbImage::new(4097, 2).write_to(&mut wide, ImageFormat::Png).unwrap();
    assert_eq!(
        read("wide.png", wide.get_ref(), None).unwrap_err().to_string(),
        "wide.png: expected a picture of at most 4096 x 4096 pixels, got one of 4097 x 2"
    );
    assert!(recognise("text", b"W 0 0 1 1", None).is_err());
}

#[test]
fn sizes_are_written_as_width_x_height() {
    let size = Size::parse("40 x 30.5").unwrap();
    assert_eq!((size.width(), size.height()), (40.0, 30.5));
    for bad in ["40", "40x", "x40", "0x1", "-1x1", "nanx1", "1xinf", "4x3x2", ""] {
        assert_eq!(Size::parse(bad), None, "{bad}");
    }
}
