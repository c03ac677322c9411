//! What the largest pictures cost: memory is bounded, and so is the work, by what is counted.

use crate::common;

use common::{Sheet, grid_maze, v};
use image::{GrayImage, ImageFormat, Luma};
use rolima_map::{MAX_PICTURE_SIDE, MapError, Size, recognise};
use rolima_math::Stream;
use std::io::Cursor;
use std::time::Instant;

fn png(is_ink: impl Fn(u32, u32) -> bool) -> Vec<u8> {
    let ink = |x, y| Luma([if is_ink(x, y) { 0 } else { 255 }]);
    let picture = GrayImage::from_fn(MAX_PICTURE_SIDE, MAX_PICTURE_SIDE, ink);
    let mut bytes = Cursor::new(vec![]);
    picture.write_to(&mut bytes, ImageFormat::Png).expect("a picture");
    bytes.into_inner()
}

/// Resident memory in MB by its name in `/proc/self/status`; none where there is no such file.
fn resident(name: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1e3)
}

/// Reads a picture; with how much memory it took at most, MB, where that can be told.
fn cost(name: &str, bytes: &[u8]) -> (Result<usize, MapError>, f64) {
    // The largest so far begins anew.
    let is_measured = std::fs::write("/proc/self/clear_refs", "5").is_ok();
    let before = resident("VmRSS").unwrap_or_default();
    let start = Instant::now();
    let found = recognise(name, bytes, Size::new(400.0, 400.0)).map(|r| r.map.elements.len());
    let most = resident("VmHWM").filter(|_| is_measured).unwrap_or(before) - before;
    let elapsed = start.elapsed().as_secs_f64();
    println!("| {name} | {most:.0} MB | {elapsed:.1} s | {found:?} |");
    (found, most)
}

#[test]
fn no_picture_takes_more_than_250_mb_and_what_takes_too_much_work_is_refused() {
    let hash = |x: u32, y: u32| {
        x.wrapping_mul(0x9e37_79b9)
            .wrapping_add(y.wrapping_mul(0x85eb_ca6b))
            .wrapping_mul(0xc2b2_ae35)
            >> 24
    };
    let center = MAX_PICTURE_SIDE / 2;
    let too_much: [(&str, Vec<u8>); 8] = [
        ("squares of 4 px", png(|x, y| x % 4 == 0 || y % 4 == 0)),
        ("squares of 12 px", png(|x, y| x % 12 < 2 || y % 12 < 2)),
        ("squares of 16 px", png(|x, y| x % 16 < 2 || y % 16 < 2)),
        ("squares of 22 px", png(|x, y| x % 22 < 2 || y % 22 < 2)),
        ("checks of 2 px", png(|x, y| (x / 2 + y / 2) % 2 == 0)),
        ("rows of 1 px", png(|_, y| y % 2 == 0)),
        ("slanted rows", png(|x, y| (x + 7 * y) % 23 < 8)),
        ("noise", png(|x, y| hash(x, y) < 100)),
    ];
    for (name, bytes) in &too_much {
        let (found, most) = cost(name, bytes);
        assert!(matches!(found, Err(MapError::Picture { .. })), "{name}: {found:?}");
        assert!(most < 250.0, "{name}: {most} MB");
    }
    let disc = png(|x, y| x.abs_diff(center).pow(2) + y.abs_diff(center).pow(2) < 3_000_000);
    let (found, most) = cost("a disc", &disc);
    assert!(found.is_ok() && most < 250.0, "{most} MB");
    // A maze as large as a picture can be.
    let mut sheet = Sheet::new(MAX_PICTURE_SIDE, MAX_PICTURE_SIDE, false);
    let maze = grid_maze(&mut Stream::new(1, 0, "maze"), 40, 40, v(100.0, 100.0), v(40.0, 40.0));
    for (from, to) in &maze {
        let (low, high) = (*from - v(4.0, 4.0), *to + v(4.0, 4.0));
        for y in low.y as u32..high.y as u32 {
            for x in low.x as u32..high.x as u32 {
                sheet.picture.put_pixel(x, y, image::Rgb([0; 3]));
            }
        }
    }
    let (found, most) = cost("a maze of 40 x 40", &sheet.png());
    let found = found.expect("a maze");
    assert!(
        most < 250.0 && found <= maze.len() && found * 10 > maze.len() * 9,
        "{most} MB, {found}"
    );
}
