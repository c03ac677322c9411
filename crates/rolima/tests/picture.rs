//! `rolima picture` on the command line.

use crate::common;

use common::{code_and_stderr, good};

fn pixels(path: &std::path::Path) -> (png::OutputInfo, Vec<u8>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).expect("a file"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut bytes).expect("a picture");
    (info, bytes)
}

#[test]
fn a_robot_takes_a_picture_with_depth_and_objects() {
    let folder = rolima_testing::Folder::new("picture");
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (rgb, depth, objects) = (path("a.png"), path("d.png"), path("o.png"));
    let said = good(&["picture", "maze", "--out", &rgb, "--depth", &depth, "--objects", &objects]);
    assert!(said.contains("320 x 240 pixels, taken at 0.000 s"), "{said}");
    let (info, _) = pixels(rgb.as_ref());
    assert_eq!((info.width, info.height, info.color_type), (320, 240, png::ColorType::Rgb));
    let (info, objects) = pixels(objects.as_ref());
    assert_eq!(
        (info.bit_depth, info.color_type),
        (png::BitDepth::Sixteen, png::ColorType::Grayscale)
    );
    let word = |bytes: &[u8], i: usize| u16::from_be_bytes([bytes[2 * i], bytes[2 * i + 1]]);
    // Straight ahead stands the wall x = 20, whose face is 19.7 m before the lens.
    let middle = 119 * 320 + 160;
    assert_eq!(word(&objects, middle), 4);
    assert_eq!(word(&pixels(depth.as_ref()).1, middle), 19_700);

    let (code, said) = code_and_stderr(&["picture", "soccer", "--out", &rgb]);
    assert!(code == Some(2) && said.contains("the cameras of this scene: none"), "{said}");
    let wrong = ["picture", "maze", "--camera", "eye", "--out", &rgb];
    let (code, said) = code_and_stderr(&wrong);
    assert!(code == Some(2) && said.contains("camera of robot"), "{said}");
}

#[test]
fn a_camera_of_the_world_takes_a_picture_by_its_name() {
    let folder = rolima_testing::Folder::new("world-picture");
    let out = folder.file("a.png").to_string_lossy().into_owned();
    let said =
        good(&["picture", "watched", "--camera", "overhead", "--after", "0.5", "--out", &out]);
    assert!(said.starts_with("world, ") && said.contains("640 x 480 pixels"), "{said}");
    let (info, _) = pixels(out.as_ref());
    assert_eq!((info.width, info.height), (640, 480));
    let (code, said) = code_and_stderr(&["picture", "watched", "--robot", "blue-1", "--out", &out]);
    assert!(code == Some(2) && said.contains("overhead of the world"), "{said}");
}
