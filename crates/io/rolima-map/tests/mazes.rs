//! Random mazes are drawn, saved as PNG and JPEG, and found again to the pixel.

use crate::common;

use common::{Ends, Pen, Sheet, free_walls, grid_maze, v, worst};
use rolima_map::{Element, Size, recognise};
use rolima_math::Stream;

/// Walls in pixels, from metres at 1 m a pixel.
fn walls_found(bytes: &[u8], width: f64, height: f64) -> Vec<Ends> {
    let found = recognise("maze", bytes, Size::new(width, height)).expect("a maze");
    let pixel = |p: rolima_map::Vec2| v(0.5 * width - p.y, 0.5 * height - p.x);
    let walls = found.map.elements.iter().filter_map(|element| match element {
        Element::Wall { from, to } => Some((pixel(*from), pixel(*to))),
        _ => None,
    });
    walls.collect()
}

#[derive(Debug)]
struct Drawing {
    side: f64,
    pen: f64,
    kind: Pen,
    is_smooth: bool,
    walls: Vec<Ends>,
}

fn drawing(seed: u64) -> Drawing {
    let mut random = Stream::new(seed, 0, "mazes");
    let side = [200.0, 333.0, 500.0, 800.0][(random.uniform() * 4.0) as usize];
    let is_smooth = random.uniform() < 0.75;
    let pen = [2.0, 3.0, 4.5, 6.0, 9.0][(random.uniform() * 5.0) as usize];
    let kind = if random.uniform() < 0.5 { Pen::Round } else { Pen::Square };
    let walls = if seed.is_multiple_of(2) {
        let cell = random.between(4.0 * pen + 6.0, 6.0 * pen + 30.0);
        let count = ((side - 2.0 * pen - 8.0) / cell).floor() as usize;
        let origin = v(random.between(pen + 2.0, pen + 5.0), random.between(pen + 2.0, pen + 5.0));
        grid_maze(&mut random, count, count, v(cell, cell), origin)
    } else {
        let count = 4 + (random.uniform() * side / 25.0) as usize;
        free_walls(&mut random, side, pen, count)
    };
    Drawing { side, pen, kind, is_smooth, walls }
}

/// What one maze and one format gave.
struct Outcome {
    label: String,
    missed: f64,
    invented: f64,
    ratio: f64,
}

fn outcomes(seed: u64) -> Vec<Outcome> {
    let Drawing { side, pen, kind, is_smooth, ref walls, .. } = drawing(seed);
    let mut sheet = Sheet::new(side as u32, side as u32, is_smooth);
    for wall in walls {
        sheet.stroke(*wall, pen, kind, [0; 3]);
    }
    let formats = [("png", sheet.png()), ("jpeg", sheet.jpeg(75))];
    formats
        .into_iter()
        .map(|(format, bytes)| {
            let found = walls_found(&bytes, side, side);
            let (missed, at_missed) = worst(walls, &found);
            let (invented, at_invented) = worst(&found, walls);
            let ratio = found.len() as f64 / walls.len() as f64;
            let label = format!(
                "maze {seed} {format}: side {side}, pen {pen} {kind:?}, smooth {is_smooth}, {} walls, \
                 {} found, missed {missed:.2} at {at_missed:?}, invented {invented:.2} at {at_invented:?}",
                walls.len(),
                found.len()
            );
            Outcome { label, missed, invented, ratio }
        })
        .collect()
}

#[test]
fn walls_of_200_random_mazes_are_found_within_a_pixel_and_with_few_segments() {
    let all: Vec<Outcome> = std::thread::scope(|scope| {
        let half = |odd: u64| {
            scope.spawn(move || (0..100).flat_map(|k| outcomes(2 * k + odd)).collect::<Vec<_>>())
        };
        [half(0), half(1)].into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    let bad: Vec<&str> = all
        .iter()
        .filter(|o| o.missed > 1.0 || o.invented > 1.0 || o.ratio > 1.2)
        .map(|o| o.label.as_str())
        .collect();
    let most = |f: &dyn Fn(&Outcome) -> f64| all.iter().map(f).fold(0.0, f64::max);
    println!(
        "worst: missed {:.3} px, invented {:.3} px, {:.3} segments a wall; mean ratio {:.3}",
        most(&|o| o.missed),
        most(&|o| o.invented),
        most(&|o| o.ratio),
        all.iter().map(|o| o.ratio).sum::<f64>() / all.len() as f64
    );
    assert_eq!(all.len(), 400);
    assert!(bad.is_empty(), "{} of 400:\n{}", bad.len(), bad.join("\n"));
}
