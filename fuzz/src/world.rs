//! Bytes to a world and 100 steps of it, through the readers that people's files go through.
//!
//! The first byte says what the rest is, by its remainder; the letters in brackets are what the
//! seeds begin with.
//!
//! | remainder by 4 | the rest is |
//! |---|---|
//! | 0 (`p`) | a picture file |
//! | 1 (`m`) | a text map |
//! | 2 (`b`) | the pixels of a drawing, two a byte, after a byte with its width |
//! | 3 (`s`) | a scene file |

use crate::drive::check;
use rolima_core::World;
use rolima_core::model::Model;
use rolima_scene::rolima_map::{self, Size};
use rolima_scene::{Source, load, load_map};
use std::sync::Arc;

/// Steps of a run.
pub const STEPS: u32 = 100;

/// Bodies times fine steps of a world that is stepped: a larger one takes as much longer as it asks
/// for, and shows nothing new.
const MOST_WORK: u64 = 4_000;

/// Pixels of a picture for one of the input, so that strokes have a pen's width.
const PEN: usize = 4;

/// Reads the bytes and steps what they are; panics where something is wrong with the result.
///
/// Returns whether they were a world.
pub fn run(bytes: &[u8]) -> bool {
    let Some((kind, rest)) = bytes.split_first() else { return false };
    let Some(model) = model(*kind, rest) else { return false };
    let bodies = model.body_count() as u64;
    if bodies * model.fine_steps() > MOST_WORK {
        return true;
    }
    let mut world = World::new(Arc::new(model));
    for step in 1..=STEPS {
        world.step();
        if step.is_multiple_of(10) {
            check(&world);
        }
    }
    let (bytes, hash) = (world.snapshot(), world.state_hash());
    world.restore(&bytes).expect("its own snapshot");
    assert_eq!(world.state_hash(), hash, "restoring loses nothing");
    true
}

/// What the bytes are as such a file, if they are accepted.
fn model(kind: u8, bytes: &[u8]) -> Option<Model> {
    match kind % 4 {
        0 => of_map(bytes, None),
        1 => of_map(std::str::from_utf8(bytes).ok()?.as_bytes(), None),
        2 => of_map(&drawing(bytes), Size::new(8.0, 6.0)),
        _ => {
            let text = std::str::from_utf8(bytes).ok()?.to_owned();
            let source = Source::Text { name: "fuzz".to_owned(), text };
            load(&source, &[]).ok()?.compile().ok()
        }
    }
}

/// A map with robots that somebody drives.
fn of_map(bytes: &[u8], size: Option<Size>) -> Option<Model> {
    let read = rolima_map::read("fuzz", bytes, size).ok()?;
    let sets = ["robot=\"minirobot\"".to_owned(), "driver=random".to_owned()];
    load_map(&read.map, &sets).ok()?.compile().ok()
}

/// A picture (BMP, 24 bits a pixel) whose pixels the bytes name.
fn drawing(bytes: &[u8]) -> Vec<u8> {
    /// Blue, green and red: mostly paper, as a picture without it is refused.
    const COLOURS: [[u8; 3]; 16] = {
        let mut colours = [[255; 3]; 16];
        colours[1] = [0, 0, 0];
        colours[2] = [0, 0, 255];
        colours[3] = [0, 255, 255];
        colours[4] = [255, 0, 0];
        colours[5] = [0, 160, 0];
        colours[6] = [110, 110, 110];
        colours[7] = [0, 0, 0];
        colours
    };
    let (across, bytes) = bytes.split_first().unwrap_or((&0, &[]));
    let across = 2 * (usize::from(*across) % 64 + 4);
    let down = (2 * bytes.len()).div_ceil(across).clamp(8, 128);
    let (width, height) = (PEN * across, PEN * down);
    // Rows are multiples of four bytes, as the width is one of four pixels.
    let content = 3 * width * height;
    let mut picture = b"BM".to_vec();
    let head = [54 + content, 0, 54, 40, width, height, 24 << 16 | 1, 0, content];
    head.iter().for_each(|word| picture.extend((*word as u32).to_le_bytes()));
    picture.resize(54, 0);
    for y in 0..height {
        for x in 0..width {
            let pixel = y / PEN * across + x / PEN;
            let byte = bytes.get(pixel / 2).copied().unwrap_or(0);
            let colour = if pixel.is_multiple_of(2) { byte & 15 } else { byte >> 4 };
            picture.extend(COLOURS[usize::from(colour)]);
        }
    }
    picture
}
