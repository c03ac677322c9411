//! A map as SVG: what was recognised, over a faint grid with the axes and a scale bar.

use crate::element::{CELL_SIDE, Element, Map, WALL_THICKNESS, shortest};
use crate::size::Size;
use rolima_math::{Vec2, sin_cos};
use std::fmt::Write;

/// Longer side of the drawing, in the units of the SVG.
const SIDE: f64 = 800.0;
/// Space around the map for the scale bar and what sticks out.
const MARGIN: f64 = 40.0;
/// About how many lines of the grid there are along the longer side.
const GRID_LINES: f64 = 20.0;

/// The map as SVG text, x up and y to the left as in the picture. `size` is the size of the
/// paper; none takes what the map needs.
pub fn svg(map: &Map, size: Option<Size>) -> String {
    let sheet = Sheet::of(map, size);
    let mut out = String::new();
    let [width, height] = sheet.extent();
    let _ = writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {w} {h}" width="{w}" height="{h}" font-family="sans-serif" font-size="12">"#,
        w = short(width),
        h = short(height),
    );
    let _ = writeln!(out, r##"<rect width="100%" height="100%" fill="#fff"/>"##);
    sheet.grid(&mut out);
    // What lies on the ground is drawn first, and robots last.
    for rank in 0..4 {
        for element in map.elements.iter().filter(|element| rank_of(element) == rank) {
            sheet.element(&mut out, element);
        }
    }
    out.push_str("</svg>\n");
    out
}

fn rank_of(element: &Element) -> u32 {
    match element {
        Element::Line { .. } => 0,
        Element::Wall { .. } | Element::Cell { .. } => 1,
        Element::Ball { .. } | Element::Cube { .. } | Element::Mesh { .. } => 2,
        Element::Robot { .. } => 3,
    }
}

/// Where metres go on the drawing.
struct Sheet {
    /// Largest and smallest x and y, m.
    high: Vec2,
    low: Vec2,
    /// Units of the SVG a metre.
    scale: f64,
    /// Metres between lines of the grid.
    step: f64,
}

impl Sheet {
    fn of(map: &Map, size: Option<Size>) -> Self {
        let (low, high) = match size {
            Some(size) => {
                let corner = Vec2::new(0.5 * size.height(), 0.5 * size.width());
                (corner * -1.0, corner)
            }
            None => map.bounds().unwrap_or((Vec2::new(-1.0, -1.0), Vec2::new(1.0, 1.0))),
        };
        let longer = (high.x - low.x).max(high.y - low.y).max(1e-9);
        Self { high, low, scale: SIDE / longer, step: round_step(longer / GRID_LINES) }
    }

    /// Width and height of the drawing.
    fn extent(&self) -> [f64; 2] {
        let [width, height] = [self.high.y - self.low.y, self.high.x - self.low.x];
        [width * self.scale + 2.0 * MARGIN, height * self.scale + 2.0 * MARGIN]
    }

    /// Where a point goes: across and down.
    fn place(&self, p: Vec2) -> [String; 2] {
        let across = MARGIN + (self.high.y - p.y) * self.scale;
        let down = MARGIN + (self.high.x - p.x) * self.scale;
        [short(across), short(down)]
    }

    fn line(&self, out: &mut String, from: Vec2, to: Vec2, look: &str) {
        let ([x1, y1], [x2, y2]) = (self.place(from), self.place(to));
        let _ = writeln!(out, r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {look}/>"#);
    }

    fn polygon(&self, out: &mut String, corners: &[Vec2], look: &str) {
        let points: Vec<String> = corners.iter().map(|p| self.place(*p).join(",")).collect();
        let _ = writeln!(out, r#"<polygon points="{}" {look}/>"#, points.join(" "));
    }

    fn grid(&self, out: &mut String) {
        let (low, high) = (self.low, self.high);
        let ticks = |low: f64, high: f64| {
            let (first, last) = ((low / self.step).ceil(), (high / self.step).floor());
            (0..=(last - first).clamp(0.0, 1000.0) as u32).map(move |k| first + f64::from(k))
        };
        let look = |tick: f64| match tick {
            0.0 => r##"stroke="#7a9" stroke-width="1.5""##,
            _ => r##"stroke="#e4e4e4" stroke-width="1""##,
        };
        for tick in ticks(low.x, high.x) {
            let x = tick * self.step;
            self.line(out, Vec2::new(x, low.y), Vec2::new(x, high.y), look(tick));
        }
        for tick in ticks(low.y, high.y) {
            let y = tick * self.step;
            self.line(out, Vec2::new(low.x, y), Vec2::new(high.x, y), look(tick));
        }
        let label = |out: &mut String, at: Vec2, offset: [f64; 2], text: &str| {
            let [x, y] = self.place(at);
            let [dx, dy] = offset.map(short);
            let _ = writeln!(
                out,
                r##"<text x="{x}" y="{y}" dx="{dx}" dy="{dy}" fill="#465">{text}</text>"##
            );
        };
        // The axes are named where they leave the paper.
        label(out, Vec2::new(high.x, 0.0_f64.clamp(low.y, high.y)), [4.0, -6.0], "x");
        label(out, Vec2::new(0.0_f64.clamp(low.x, high.x), high.y), [-16.0, 4.0], "y");
        // The scale bar is four steps of the grid long.
        let [_, height] = self.extent();
        let (bar, y) = (4.0 * self.step * self.scale, height - 0.4 * MARGIN);
        let _ = writeln!(
            out,
            r##"<path d="M{x} {top}v6h{bar}v-6" fill="none" stroke="#465"/><text x="{text}" y="{base}" fill="#465">{length} m</text>"##,
            x = short(MARGIN),
            top = short(y - 6.0),
            bar = short(bar),
            text = short(MARGIN + bar + 6.0),
            base = short(y + 4.0),
            length = short(4.0 * self.step),
        );
    }

    fn element(&self, out: &mut String, element: &Element) {
        let square = |center: Vec2, side: f64| {
            [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)]
                .map(|(x, y)| center + Vec2::new(x, y) * (0.5 * side))
        };
        match element {
            Element::Wall { from, to } => {
                let width = short((WALL_THICKNESS * self.scale).max(1.5));
                let look =
                    format!(r##"stroke="#000" stroke-width="{width}" stroke-linecap="round""##);
                self.line(out, *from, *to, &look);
            }
            Element::Cell { center } => {
                self.polygon(out, &square(*center, CELL_SIDE), r##"fill="#333""##)
            }
            Element::Line { from, to } => {
                self.line(out, *from, *to, r##"stroke="#d6b400" stroke-width="3""##);
            }
            Element::Ball { position, diameter } => {
                let [x, y] = self.place(*position);
                let radius = short(0.5 * diameter * self.scale);
                let _ = writeln!(out, r##"<circle cx="{x}" cy="{y}" r="{radius}" fill="#24c"/>"##);
            }
            Element::Cube { position, size, .. } => {
                self.polygon(out, &square(*position, *size), r##"fill="#282""##);
            }
            Element::Mesh { position, file, .. } => {
                self.polygon(out, &square(*position, 1.0), r##"fill="none" stroke="#828""##);
                let [x, y] = self.place(*position);
                let _ = writeln!(
                    out,
                    r##"<text x="{x}" y="{y}" fill="#828">{}</text>"##,
                    escaped(file)
                );
            }
            Element::Robot { position, heading } => {
                // An arrow head, never too small to be seen.
                let length = (12.0 / self.scale).max(0.5);
                let (s, c) = sin_cos(*heading);
                let at =
                    |x: f64, y: f64| *position + Vec2::new(c * x - s * y, s * x + c * y) * length;
                self.polygon(
                    out,
                    &[at(1.0, 0.0), at(-0.6, 0.6), at(-0.6, -0.6)],
                    r##"fill="#d22""##,
                );
            }
        }
    }
}

/// The step of 1, 2 or 5 times a power of ten that is nearest above.
fn round_step(least: f64) -> f64 {
    let mut unit = 1e-9;
    while unit < 1e9 {
        for factor in [1.0, 2.0, 5.0] {
            if unit * factor >= least {
                return unit * factor;
            }
        }
        unit *= 10.0;
    }
    unit
}

/// A number for the SVG: a hundredth of a unit is not seen.
fn short(x: f64) -> String {
    shortest((x * 100.0).round() / 100.0)
}

fn escaped(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            '&' => "&amp;".to_owned(),
            '<' => "&lt;".to_owned(),
            '>' => "&gt;".to_owned(),
            c if c.is_control() => " ".to_owned(),
            c => c.to_string(),
        })
        .collect()
}
