//! What terrain files say, and what is wrong with bad ones.

use image::{DynamicImage, ImageFormat, Luma};
use rolima_math::{Vec2, sin};
use rolima_spatial::{Terrain, TerrainSpec};
use rolima_terrain::{Area, Expression, esri, friction_map, heightmap, matrix, mesh};
use std::io::Cursor;

/// An asymmetric map: x from 0 to 2, y from 10 to 11; (0, 10) is 1, (2, 10) is 3, (0, 11) is 10.
fn is_the_map(spec: TerrainSpec) {
    let terrain = Terrain::new(spec).expect("a good terrain");
    for (x, y, z) in [
        (0.0, 10.0, 1.0),
        (1.0, 10.0, 2.0),
        (2.0, 10.0, 3.0),
        (0.0, 11.0, 10.0),
        (1.0, 11.0, 20.0),
        (2.0, 11.0, 30.0),
    ] {
        assert!((terrain.height(x, y) - z).abs() < 1e-9, "({x}, {y}): {}", terrain.height(x, y));
    }
}

fn area() -> Area {
    Area { min: Vec2::new(0.0, 10.0), max: Vec2::new(2.0, 11.0) }
}

#[test]
fn a_matrix_is_read_as_drawn() {
    let text = "# north first\n10, 20; 30\n\n1\t2.0 3e0 % south\r\n";
    is_the_map(matrix("m.txt", text.as_bytes(), area()).unwrap());
}

#[test]
fn a_mesh_has_a_line_for_every_x() {
    let text = "3 2 0 2 10 11\n1 10\n2 20\n3 30\n";
    is_the_map(mesh("m.msh", text.as_bytes()).unwrap());
}

#[test]
fn an_esri_grid_has_its_heights_at_the_centres_of_its_cells() {
    let corner = "NCOLS 3\nnrows 2\nxllcorner -0.5\nyllcorner 9.5\ncellsize 1\nNODATA_value -1\n10 20 30\n1 2 3\n";
    is_the_map(esri("m.asc", corner.as_bytes(), None).unwrap());
    let centre = "ncols 3\nnrows 2\nxllcenter 0\nyllcenter 10\ncellsize 1\n10 20 30\n1 2 -9999\n";
    is_the_map(esri("m.asc", centre.as_bytes(), Some(3.0)).unwrap());
    let message = esri("m.asc", centre.as_bytes(), None).unwrap_err().to_string();
    assert_eq!(
        message,
        "m.asc:7:3: expected a height (say what to fill in where there is none), got no data"
    );
}

fn png(picture: DynamicImage) -> Vec<u8> {
    let mut bytes = Cursor::new(vec![]);
    picture.write_to(&mut bytes, ImageFormat::Png).expect("memory takes a picture");
    bytes.into_inner()
}

#[test]
fn a_16_bit_heightmap_has_16_bits() {
    let values = [[10.0, 20.0, 30.0], [1.0, 2.0, 3.0]];
    let mut picture = image::ImageBuffer::<Luma<u16>, _>::new(3, 2);
    for (x, y, pixel) in picture.enumerate_pixels_mut() {
        *pixel = Luma([(values[y as usize][x as usize] / 50.0 * 65535.0f64).round() as u16]);
    }
    let spec = heightmap("m.png", &png(picture.into()), area(), (0.0, 50.0)).unwrap();
    for (got, expected) in spec.heights.values.iter().zip([1.0, 2.0, 3.0, 10.0, 20.0, 30.0]) {
        assert!((got - expected).abs() < 50.0 / 65535.0, "{got}");
    }
    assert!((spec.heights.values[0] - 1.0).abs() > 0.0, "it was rounded to 16 bits, not to 8");
}

#[test]
fn an_8_bit_heightmap_and_a_friction_map_are_read_as_drawn() {
    let mut picture = image::ImageBuffer::<Luma<u8>, _>::new(3, 2);
    picture.put_pixel(0, 0, Luma([255]));
    picture.put_pixel(2, 1, Luma([51]));
    let bytes = png(picture.into());
    let spec = heightmap("m.png", &bytes, area(), (-1.0, 4.0)).unwrap();
    assert_eq!(spec.heights.values, [-1.0, -1.0, 0.0, 4.0, -1.0, -1.0]);
    let friction = friction_map("f.png", &bytes, 0.5).unwrap();
    assert_eq!(friction.values, [0.0, 0.0, 0.1, 0.5, 0.0, 0.0]);
}

#[test]
fn expressions_are_what_they_say() {
    let value = |text: &str| Expression::parse("z", text).unwrap().at(2.0, -3.0);
    for (text, expected) in [
        ("1 + 2 * x", 5.0),
        ("-x^2", -4.0),
        ("2^3^2", 512.0),
        ("2^-1", 0.5),
        ("(x - y) / 2", 2.5),
        ("8 / 2 / 2", 2.0),
        ("1 - 2 - 3", -4.0),
        ("min(x, y) + max(x, y)", -1.0),
        ("if(x > 1, 10, 20) + (y <= -3)", 11.0),
        ("hypot(3, 4) + abs(y) + sign(y)", 7.0),
        ("mod(y, 2) + floor(2.7)", 3.0),
        ("clamp(x, 0, 1) + smooth(0.5, 0, 1)", 1.5),
        ("1e2 + 1.5e-1", 100.15),
        ("sqrt(16) * pi", 4.0 * core::f64::consts::PI),
        ("+ - + x", -2.0),
    ] {
        assert!((value(text) - expected).abs() < 1e-12, "{text}: {}", value(text));
    }
    assert_eq!(value("sin(x) * cos(y)"), sin(2.0) * rolima_math::cos(-3.0));
}

#[test]
fn an_expression_makes_a_terrain() {
    let e = Expression::parse("scene.toml", "if(x < 1, x, 2) + 10 * (y - 10)").unwrap();
    let spec = e.terrain(area(), 3, 2).unwrap();
    assert_eq!(spec.heights.values, [0.0, 2.0, 2.0, 10.0, 12.0, 12.0]);
    let message = Expression::parse("z", "1 / (x - 1)").unwrap().terrain(area(), 3, 2).unwrap_err();
    assert_eq!(message.to_string(), "z: expected finite heights, got inf at x = 1, y = 10");
}

#[test]
fn errors_name_line_and_column() {
    let of = |text: &str| matrix("m.txt", text.as_bytes(), area()).unwrap_err().to_string();
    assert_eq!(of("1 2\n3 four\n"), "m.txt:2:3: expected a height in m, got four");
    assert_eq!(of("1 2\n3 4 5\n"), "m.txt:2:5: expected 2 heights in this line, got 3");
    assert_eq!(of("1 inf\n"), "m.txt:1:3: expected a height in m, got inf");
    assert!(of("1 2 3\n").starts_with("m.txt: expected at least 2 x 2"));
    assert!(of("").contains("got 0 x 0"));
    let of = |text: &str| mesh("m.msh", text.as_bytes()).unwrap_err().to_string();
    assert_eq!(
        of("2 2.5 0 1 0 1\n"),
        "m.msh:1:3: expected a whole number from 2 to 2097152, got 2.5"
    );
    for bad in ["1", "-2", "1e9", "4194304", "1e300"] {
        let told = of(&format!("{bad} 2 0 1 0 1\n"));
        let expected = format!("m.msh:1:1: expected a whole number from 2 to 2097152, got {bad}");
        assert_eq!(told, expected);
        for key in ["ncols", "nrows"] {
            let other = if key == "ncols" { "nrows" } else { "ncols" };
            let text =
                format!("{key} {bad}\n{other} 2\nxllcorner 0\nyllcorner 0\ncellsize 1\n1 2\n3 4\n");
            let told = esri("e.asc", text.as_bytes(), None).unwrap_err().to_string();
            let expected = format!("e.asc: expected `{key}`, a whole number from 2 to 2097152");
            assert!(told.starts_with(&expected) && !told.contains("at least"), "{told}");
        }
    }
    assert_eq!(
        of("2 2 0 1 0\n"),
        "m.msh:1:1: expected nx ny x_min x_max y_min y_max, got 5 numbers"
    );
    assert_eq!(of("2 2 0 1 0 1\n1 2\n"), "m.msh: expected 2 lines of heights, got 1");
    let of = |text: &str| Expression::parse("hills", text).unwrap_err().to_string();
    assert_eq!(of("sin(x"), "hills:1:6: expected a closing parenthesis, got the end");
    assert_eq!(
        of("1 +\n * 2"),
        "hills:2:2: expected a number, x, y, a function or a parenthesis, got *"
    );
    assert!(of("z + 1").starts_with("hills:1:1: expected x, y, pi or one of sin, cos"));
    assert_eq!(of("min(1)"), "hills:1:6: expected a comma: min takes 2 numbers, got )");
    assert_eq!(of("1 2"), "hills:1:3: expected an operator or the end, got 2");
    assert!(of(&"(".repeat(5000)).contains("less nesting"));
    assert!(of(&"2^".repeat(4000)).contains("less nesting"));
}

#[test]
fn pictures_that_are_none_are_refused() {
    let message = heightmap("m.png", b"\x89PNG\r\n\x1a\nrubbish", area(), (0.0, 1.0)).unwrap_err();
    assert!(
        message.to_string().starts_with("m.png: expected a PNG, JPEG or BMP picture"),
        "{message}"
    );
    assert!(heightmap("m.png", b"", area(), (0.0, 1.0)).is_err());
    assert!(heightmap("m.png", b"", area(), (0.0, f64::NAN)).is_err());
}
