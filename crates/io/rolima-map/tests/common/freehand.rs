//! Rooms drawn by hand, photographed and scanned: closed, with walls at odd angles.

use super::{Ends, Pen, Sheet, distance, free_walls, v};
use image::Rgb;
use rolima_map::{Element, Recognised, Size, Vec2, recognise};
use rolima_math::{Rot2, Stream};

/// How a drawing is made, and what light and camera do to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) seed: u64,
    pub(crate) side: u32,
    pub(crate) pen: f64,
    /// How far the hand wavers to a side, pixels.
    pub(crate) wobble: f64,
    /// Turn of the whole, degrees.
    pub(crate) turn: f64,
    /// Standard deviation of brightness, of 255.
    pub(crate) noise: f64,
    /// How much darker a corner is, 0 to 1.
    pub(crate) shade: f64,
    /// None saves as PNG.
    pub(crate) jpeg: Option<u8>,
}

/// Brightness of the ink, and of a pixel that it covers half of.
const INK: u8 = 20;
const HALF_INK: u8 = 137;

impl Manner {
    /// Any pen, wobble, turn, noise, shade and quality.
    pub(crate) fn any(random: &mut Stream) -> Self {
        let seed = random.next_u64() % 1_000_000;
        let pen = random.between(1.0, 15.0);
        // A fine pen in noise as strong as itself is not seen by people either.
        let noise = random.between(0.0, if pen < 2.0 { 4.0 } else { 8.0 });
        let quality = 15 + (random.next_u64() % 85) as u8;
        Self {
            seed,
            side: if pen > 6.0 { 600 } else { 400 },
            pen,
            wobble: random.between(0.0, 3.0),
            turn: random.between(-10.0, 10.0),
            noise,
            shade: random.between(0.0, 0.55),
            jpeg: (!seed.is_multiple_of(3)).then_some(quality),
        }
    }

    pub(crate) const PLAIN: Self = Self {
        seed: 0,
        side: 400,
        pen: 4.0,
        wobble: 0.0,
        turn: 0.0,
        noise: 0.0,
        shade: 0.0,
        jpeg: None,
    };
}

/// A drawing: the straight walls that were meant, and the strokes that the hand made of them.
pub(crate) struct Drawn {
    pub(crate) walls: Vec<Ends>,
    pub(crate) strokes: Vec<Vec<Vec2>>,
    /// Centres of the pixels that ink covers half of at least, before light and camera.
    pub(crate) inked: Vec<Vec2>,
    pub(crate) bytes: Vec<u8>,
}

/// A closed room with walls across it, which meet its sides as T and one another as X.
pub(crate) fn rooms(random: &mut Stream, side: f64, pen: f64) -> Vec<Ends> {
    let margin = 0.12 * side + pen;
    let mut wavers = || random.between(0.0, 0.08 * side);
    let corners = [
        v(margin + wavers(), margin + wavers()),
        v(side - margin - wavers(), margin + wavers()),
        v(side - margin - wavers(), side - margin - wavers()),
        v(margin + wavers(), side - margin - wavers()),
    ];
    let mut walls: Vec<Ends> = (0..4).map(|k| (corners[k], corners[(k + 1) % 4])).collect();
    let on = |wall: Ends, share: f64| wall.0 + (wall.1 - wall.0) * share;
    // From side to side, one each way: four T and an X.
    for k in 0..2 {
        let (from, to) = (random.between(0.25, 0.75), random.between(0.25, 0.75));
        walls.push((on(walls[k], from), on(walls[k + 2], to)));
    }
    // A free end inside, from a side.
    let free = on(walls[0], random.between(0.1, 0.15));
    walls.push((free, free + v(random.between(-0.02, 0.02), 0.08) * side));
    walls
}

/// A room as [`rooms`] makes it.
pub(crate) fn draw(manner: Manner) -> Drawn {
    let mut random = Stream::new(manner.seed, 0, "drawings");
    let walls = rooms(&mut random, f64::from(manner.side), manner.pen);
    draw_walls(manner, walls, &mut random)
}

/// Strokes in any direction, each clear of the others, across them, or up to one of them.
pub(crate) fn scribble(manner: Manner) -> Drawn {
    let mut random = Stream::new(manner.seed, 1, "drawings");
    // Room for the hand to waver, and for the turn of the whole.
    let (side, room) = (f64::from(manner.side), manner.pen + manner.wobble);
    let inner = 0.75 * side;
    let shift = v(0.5, 0.5) * (side - inner);
    let walls = free_walls(&mut random, inner, room, 12);
    let walls = walls.into_iter().map(|(from, to)| (from + shift, to + shift)).collect();
    draw_walls(manner, walls, &mut random)
}

fn draw_walls(manner: Manner, walls: Vec<Ends>, random: &mut Stream) -> Drawn {
    let Manner { side, pen, wobble, turn, .. } = manner;
    let half = 0.5 * f64::from(side);
    let rotation = Rot2::from_angle(turn.to_radians());
    let turned = |p: Vec2| v(half, half) + rotation.rotate(p - v(half, half));
    let walls: Vec<Ends> = walls.into_iter().map(|(from, to)| (turned(from), turned(to))).collect();
    let strokes: Vec<Vec<Vec2>> = walls.iter().map(|wall| by_hand(random, *wall, wobble)).collect();
    let mut sheet = Sheet::new(side, side, !manner.seed.is_multiple_of(3));
    for stroke in &strokes {
        for pair in stroke.windows(2) {
            sheet.stroke((pair[0], pair[1]), pen, Pen::Round, [INK; 3]);
        }
    }
    let pixels = sheet.picture.enumerate_pixels();
    let inked = pixels.filter(|(_, _, colour)| colour.0[0] <= HALF_INK);
    let inked = inked.map(|(x, y, _)| v(f64::from(x) + 0.5, f64::from(y) + 0.5)).collect();
    darken(&mut sheet, manner, random);
    let bytes = manner.jpeg.map_or_else(|| sheet.png(), |quality| sheet.jpeg(quality));
    Drawn { walls, strokes, inked, bytes }
}

/// A wall as a hand draws it: up to `wobble` to a side, but for its ends.
fn by_hand(random: &mut Stream, (from, to): Ends, wobble: f64) -> Vec<Vec2> {
    if wobble == 0.0 {
        return vec![from, to];
    }
    let length = (to - from).length();
    let normal = (to - from).perp() * (1.0 / length);
    let waves = [random.between(60.0, 90.0), random.between(110.0, 200.0)];
    let phases = [random.between(0.0, 6.0), random.between(0.0, 6.0)];
    let steps = (length / 4.0).ceil() as usize;
    (0..=steps)
        .map(|k| {
            let share = k as f64 / steps as f64;
            let wave = |i: usize| {
                rolima_math::sin_cos(share * length * core::f64::consts::TAU / waves[i] + phases[i])
                    .0
            };
            let inside = (8.0 * share.min(1.0 - share)).min(1.0);
            from + (to - from) * share + normal * (0.5 * wobble * inside * (wave(0) + wave(1)))
        })
        .collect()
}

/// What light and camera do.
fn darken(sheet: &mut Sheet, manner: Manner, random: &mut Stream) {
    let side = f64::from(manner.side);
    for (x, y, pixel) in sheet.picture.enumerate_pixels_mut() {
        // Full light up to the middle, then falling to the lower right corner.
        let way = ((f64::from(x) + f64::from(y)) / side - 1.0).max(0.0);
        let light = 1.0 - manner.shade * way;
        let noise = if manner.noise > 0.0 { manner.noise * random.normal() } else { 0.0 };
        let value = |c: u8| (f64::from(c) * light + noise).round().clamp(0.0, 255.0) as u8;
        let [r, g, b] = pixel.0;
        *pixel = Rgb([value(r), value(g), value(b)]);
    }
}

/// What a drawing is found to be, at 1 m a pixel.
pub(crate) fn found(bytes: &[u8], side: u32) -> Recognised {
    let size = Size::new(f64::from(side), f64::from(side));
    recognise("drawing", bytes, size).expect("a drawing")
}

/// The walls of it in pixels.
pub(crate) fn walls_of(found: &Recognised, side: u32) -> Vec<Ends> {
    let half = 0.5 * f64::from(side);
    let pixel = |p: &Vec2| v(half - p.y, half - p.x);
    let walls = found.map.elements.iter().filter_map(|element| match element {
        Element::Wall { from, to } => Some((pixel(from), pixel(to))),
        _ => None,
    });
    walls.collect()
}

/// Cells that lines without thickness divide a square into: for each place of a fine raster its
/// cell, 0 on a line. Two places are of one cell if a way by their sides leads from one to the other.
pub(crate) struct Cells {
    count: usize,
    cells: Vec<u32>,
}

/// Places of the raster a pixel.
const FINE: f64 = 3.0;

impl Cells {
    pub(crate) fn of(walls: &[Ends], side: u32) -> Self {
        let count = (f64::from(side) * FINE) as usize;
        let mut cells = vec![u32::MAX; count * count];
        for (from, to) in walls {
            let steps = ((*to - *from).length() * FINE * 4.0).ceil().max(1.0) as usize;
            let mut before = None;
            for k in 0..=steps {
                let at = (*from + (*to - *from) * (k as f64 / steps as f64)) * FINE;
                let here = (at.x.floor() as isize, at.y.floor() as isize);
                let beside: (isize, isize) = before.map_or(here, |b: (isize, isize)| (b.0, here.1));
                for (x, y) in [here, beside] {
                    if (0..count as isize).contains(&x) && (0..count as isize).contains(&y) {
                        cells[y as usize * count + x as usize] = 0;
                    }
                }
                before = Some(here);
            }
        }
        let mut next = 0;
        for start in 0..cells.len() {
            if cells[start] != u32::MAX {
                continue;
            }
            next += 1;
            cells[start] = next;
            let mut open = vec![start];
            while let Some(i) = open.pop() {
                let (x, y) = (i % count, i / count);
                let sides = [
                    (x > 0).then(|| i - 1),
                    (x + 1 < count).then(|| i + 1),
                    (y > 0).then(|| i - count),
                    (y + 1 < count).then(|| i + count),
                ];
                for n in sides.into_iter().flatten() {
                    if cells[n] == u32::MAX {
                        cells[n] = next;
                        open.push(n);
                    }
                }
            }
        }
        Self { count, cells }
    }

    pub(crate) fn at(&self, point: Vec2) -> u32 {
        let (x, y) = ((point.x * FINE) as usize, (point.y * FINE) as usize);
        self.cells[y.min(self.count - 1) * self.count + x.min(self.count - 1)]
    }
}

/// A place well inside of each cell that is wide enough, by distance from all walls.
pub(crate) fn inner_places(walls: &[Ends], side: u32, clear: f64) -> Vec<Vec2> {
    let cells = Cells::of(walls, side);
    let mut best: std::collections::BTreeMap<u32, (f64, Vec2)> = Default::default();
    for y in (2..side).step_by(5) {
        for x in (2..side).step_by(5) {
            let at = v(f64::from(x), f64::from(y));
            let away = walls.iter().map(|wall| distance(at, *wall)).fold(1e9, f64::min);
            let cell = cells.at(at);
            let before = best.get(&cell).map_or(clear, |(away, _)| *away);
            if cell != 0 && away > before {
                best.insert(cell, (away, at));
            }
        }
    }
    best.into_values().map(|(_, at)| at).collect()
}
