//! Maps that cost much, to read or as a world.

use std::fmt::Write;

/// Many walls of nearly 2,000 km side by side, the longest that are accepted.
pub(super) fn long_walls(count: u32) -> String {
    let mut text = "R -3 -3\n".to_owned();
    for i in 0..count {
        writeln!(text, "W -9.9e5 {} 9.9e5 {}", 2 * i, 2 * i).expect("a string takes text");
    }
    text
}

/// Many walls of 1 m, in rows.
pub(super) fn short_walls(count: u32) -> String {
    let mut text = "R -5 -5\n".to_owned();
    for i in 0..count {
        let (x, y) = (3 * (i % 300), 3 * (i / 300));
        writeln!(text, "W {x} {y} {} {y}", x + 1).expect("a string takes text");
    }
    text
}

/// A maze of square cells, each open at one of two sides.
pub(super) fn maze(cells: u32) -> String {
    let mut text = "R 1 1\n".to_owned();
    let mut state = 1u32;
    for x in 0..cells {
        for y in 0..cells {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let (a, b) = (2 * x, 2 * y);
            match state >> 31 {
                0 => writeln!(text, "W {a} {b} {} {b}", a + 2),
                _ => writeln!(text, "W {a} {b} {a} {}", b + 2),
            }
            .expect("a string takes text");
        }
    }
    text
}

/// Many walls of 1 km side by side.
pub(super) fn side_by_side(count: u32) -> String {
    let mut text = "R -3 -3\n".to_owned();
    for i in 0..count {
        writeln!(text, "W 0 {i} 1000 {i}").expect("a string takes text");
    }
    text
}

/// 61 x 61 blocks with robots between them.
pub(super) fn blocks_and_robots(robots: u32) -> String {
    let mut text = String::new();
    for i in 0..61 * 61 {
        writeln!(text, "W {} {}", 4 * (i % 61), 4 * (i / 61)).expect("a string takes text");
    }
    for i in 0..robots {
        writeln!(text, "R {} {}", 2 + 4 * i, 2 + 4 * (i % 7)).expect("a string takes text");
    }
    text
}

/// A picture of 4096 x 4096 pixels full of edges, in a file of some kilobytes.
pub(super) fn picture_of_edges() -> Vec<u8> {
    const SIDE: u32 = 4096;
    let mut file = vec![];
    let mut encoder = png::Encoder::new(&mut file, SIDE, SIDE);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let mut writer = encoder.write_header().expect("a header");
    // Strokes of three pixels and gaps of five; in every eighth row of pixels they are shifted.
    let rows = (0..SIDE).flat_map(|y| {
        let byte = if y / 3 % 2 == 0 { 0b1110_0011 } else { 0b1111_1111 };
        std::iter::repeat_n(byte, SIDE as usize / 8)
    });
    writer.write_image_data(&rows.collect::<Vec<u8>>()).expect("pixels");
    writer.finish().expect("an end");
    file
}
