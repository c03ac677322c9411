//! What the largest pictures cost: memory is bounded, and so is the work, by what is counted.
//!
//! `cargo test --profile ci --package rolima-map bounds:: -- --nocapture --test-threads 1` prints
//! what each takes; docs/maps.md has the slowest.

use crate::common;

use common::{Ends, Pen, Sheet, grid_maze, v};
use image::{ImageFormat, Rgb, RgbImage};
use rolima_map::{MAX_PICTURE_SIDE, MapError, Size, recognise};
use rolima_math::{Stream, sin_cos};
use std::io::Cursor;

/// Most memory while a picture is read, MB.
const MOST_MB: f64 = 200.0;

const WHITE: [u8; 3] = [255; 3];
const BLACK: [u8; 3] = [0; 3];
const RED: [u8; 3] = [255, 0, 0];

fn coloured(colour: impl Fn(u32, u32) -> [u8; 3]) -> Vec<u8> {
    let side = MAX_PICTURE_SIDE;
    saved(&RgbImage::from_fn(side, side, |x, y| Rgb(colour(x, y))))
}

fn saved(picture: &RgbImage) -> Vec<u8> {
    let mut bytes = Cursor::new(vec![]);
    picture.write_to(&mut bytes, ImageFormat::Png).expect("a picture");
    bytes.into_inner()
}

fn png(is_ink: impl Fn(u32, u32) -> bool) -> Vec<u8> {
    coloured(|x, y| if is_ink(x, y) { BLACK } else { WHITE })
}

/// Strokes on the largest sheet, with hard edges.
fn strokes(pen: f64, all: impl IntoIterator<Item = Ends>) -> Vec<u8> {
    let mut sheet = Sheet::new(MAX_PICTURE_SIDE, MAX_PICTURE_SIDE, false);
    for (from, to) in all {
        // In short pieces, as each takes as long as the rectangle around it is large.
        let pieces = ((to - from).length() / 32.0).ceil().max(1.0);
        let at = |k: f64| from + (to - from) * (k / pieces);
        for k in 0..pieces as u32 {
            let (k, next) = (f64::from(k), f64::from(k + 1));
            sheet.stroke((at(k), at(next)), pen, Pen::Round, BLACK);
        }
    }
    saved(&sheet.picture)
}

fn hash(x: u32, y: u32) -> u32 {
    let sum = x.wrapping_mul(0x9e37_79b9).wrapping_add(y.wrapping_mul(0x85eb_ca6b));
    (sum ^ sum >> 15).wrapping_mul(0xc2b2_ae35) >> 16
}

fn from_center(x: u32, y: u32) -> u32 {
    let center = MAX_PICTURE_SIDE / 2;
    x.abs_diff(center).pow(2) + y.abs_diff(center).pow(2)
}

/// Resident memory in MB by its name in `/proc/self/status`; none where there is no such file.
fn resident(name: &str) -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(name))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1e3)
}

/// Time that this process has been computing, s, to a hundredth; 0 where that cannot be told.
fn busy_s() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name, which is in parentheses: user and system time are the 12th and 13th.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11);
    fields.take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// Reads a picture, and checks how much memory that takes at most, where it can be told. Returns
/// how many elements there are.
fn cost(name: &str, bytes: &[u8]) -> Result<usize, MapError> {
    // The largest so far begins anew.
    let is_measured = std::fs::write("/proc/self/clear_refs", "5").is_ok();
    let before = resident("VmRSS").unwrap_or_default();
    let start_s = busy_s();
    let found = recognise(name, bytes, Size::new(400.0, 400.0)).map(|r| r.map.elements.len());
    let elapsed_s = busy_s() - start_s;
    let most = resident("VmHWM").filter(|_| is_measured).unwrap_or(before) - before;
    let outcome = found.as_ref().map_or("refused".to_owned(), |count| format!("{count} elements"));
    println!("| {name} | {most:.0} | {elapsed_s:.2} | {outcome} |");
    assert!(most < MOST_MB, "{name}: {most} MB");
    found
}

fn is_refused(name: &str, bytes: &[u8]) {
    let found = cost(name, bytes);
    assert!(matches!(found, Err(MapError::Picture { .. })), "{name}: {found:?}");
}

#[test]
fn patterns_take_bounded_memory_and_are_refused_where_they_take_too_much_work() {
    println!("| picture of 4096 x 4096 | MB | s | |");
    for side in [4, 12, 16, 22] {
        let grid = png(|x, y| x % side < 2 || y % side < 2);
        is_refused(&format!("squares of {side} px"), &grid);
    }
    for side in [1, 2, 8] {
        is_refused(&format!("checks of {side} px"), &png(|x, y| (x / side + y / side) % 2 == 0));
    }
    is_refused("rows of 1 px", &png(|_, y| y % 2 == 0));
    is_refused("slanted rows", &png(|x, y| (x + 7 * y) % 23 < 8));
    is_refused("noise, 40 % ink", &png(|x, y| hash(x, y) < 26_214));
    is_refused("red noise", &coloured(|x, y| if hash(x, y) < 20_000 { RED } else { WHITE }));
    // Whatever becomes of these.
    let _ = cost("red rows", &coloured(|_, y| if y % 2 == 0 { RED } else { WHITE }));
    let _ = cost("noise, 3 % ink", &png(|x, y| hash(x, y) < 2_000));
    let _ = cost("noise, 0.1 % ink", &png(|x, y| hash(x, y) < 66));
    let _ = cost("checks of 64 px", &png(|x, y| (x / 64 + y / 64) % 2 == 0));
    let _ = cost("squares of 60 px", &png(|x, y| x % 60 < 3 || y % 60 < 3));
    let _ = cost("squares of 120 px", &png(|x, y| x % 120 < 3 || y % 120 < 3));
    let _ = cost("rows every 26 px", &png(|_, y| y % 26 < 3));
    let _ = cost("slanted bars of 20 px", &png(|x, y| (x + 3 * y) % 70 < 50));
    let _ = cost("rings every 30 px", &png(|x, y| from_center(x, y).isqrt() % 30 < 3));
}

#[test]
fn large_areas_and_many_strokes_take_bounded_memory() {
    let side = f64::from(MAX_PICTURE_SIDE);
    println!("| picture of 4096 x 4096 | MB | s | |");
    cost("white paper", &png(|_, _| false)).expect("nothing in it");
    let radius = 2_000_u32.pow(2);
    cost("a black disc", &png(|x, y| from_center(x, y) < radius)).expect("a block");
    let red = coloured(|x, y| if from_center(x, y) < radius { RED } else { WHITE });
    cost("a red disc", &red).expect("a robot");
    let mut random = Stream::new(1, 0, "bounds");
    let dashes = (0..4_900_u32).map(|k| {
        let at = v(30.0 + 58.0 * f64::from(k % 70), 30.0 + 58.0 * f64::from(k / 70));
        (at, at + v(random.between(-20.0, 20.0), random.between(15.0, 24.0)))
    });
    let found = cost("4,900 strokes", &strokes(4.0, dashes)).expect("strokes");
    assert!((4_850..4_950).contains(&found), "{found}");
    let _ = cost(
        "3,000 long strokes",
        &strokes(
            3.0,
            (0..3_000).map(|_| {
                let mut place = || random.between(50.0, side - 50.0);
                (v(place(), place()), v(place(), place()))
            }),
        ),
    );
    let _ = cost(
        "100 long strokes",
        &strokes(
            3.0,
            (0..100).map(|_| {
                let mut place = || random.between(50.0, side - 50.0);
                (v(place(), place()), v(place(), place()))
            }),
        ),
    );
    for (pitch, amplitude) in [(16.0, 3.0), (40.0, 3.0), (40.0, 12.0)] {
        let waves = (0..(side / pitch) as u32 - 2).flat_map(|row| {
            let at = move |k: u32| {
                let x = 20.0 + 8.0 * f64::from(k);
                v(x, pitch * (1.0 + f64::from(row)) + amplitude * sin_cos(0.05 * x).0)
            };
            (0..505).map(move |k| (at(k), at(k + 1)))
        });
        let _ = cost(&format!("waves of {amplitude} px every {pitch} px"), &strokes(3.0, waves));
    }
    for pitch in [8.0, 24.0] {
        let turns = (side / pitch / 2.0) as u32 - 2;
        let spiral = (0..4 * turns).map(|k| {
            let at = |k: u32| {
                let reach = side / 2.0 - 10.0 - 0.25 * pitch * f64::from(k);
                let (x, y) = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)][k as usize % 4];
                v(side / 2.0 + x * reach, side / 2.0 + y * reach)
            };
            (at(k), at(k + 1))
        });
        let _ = cost(&format!("a spiral every {pitch} px"), &strokes(3.0, spiral));
    }
    let rings = |x: u32, y: u32| {
        let away = (x % 60).abs_diff(30).pow(2) + (y % 60).abs_diff(30).pow(2);
        (400..576).contains(&away)
    };
    let _ = cost("4,624 rings", &png(rings));
    // A maze as large as a picture can be.
    let maze = grid_maze(&mut Stream::new(1, 0, "maze"), 40, 40, v(100.0, 100.0), v(40.0, 40.0));
    let found = cost("a maze of 40 x 40", &strokes(8.0, maze.iter().copied())).expect("a maze");
    assert!(found <= maze.len() && found * 10 > maze.len() * 9, "{found} of {}", maze.len());
}
