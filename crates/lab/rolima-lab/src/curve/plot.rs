//! Curves as a drawing: one frame a table, every column scaled to the frame if their sizes differ.

use super::Table;
use crate::plot::escaped;
use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 360.0;
const MARGIN: f64 = 60.0;
const COLOURS: [&str; 6] = ["#0b5fa5", "#c2410c", "#15803d", "#7e22ce", "#a16207", "#be123c"];

/// All tables, one below the other.
pub(super) fn svg(tables: &[Table]) -> String {
    let (width, height) = (WIDTH + 2.0 * MARGIN, tables.len() as f64 * (HEIGHT + 2.0 * MARGIN));
    let mut out = format!(
        r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>"##
    );
    for (i, table) in tables.iter().enumerate() {
        let top = i as f64 * (HEIGHT + 2.0 * MARGIN) + MARGIN;
        frame(&mut out, table, top);
    }
    out.push_str("</svg>\n");
    out
}

fn bounds(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values.fold((0.0f64, 0.0f64), |(l, h), x| (l.min(x), h.max(x)));
    if high > low { (low, high) } else { (low, low + 1.0) }
}

fn frame(out: &mut String, table: &Table, top: f64) {
    let (x0, x1) = bounds(table.rows.iter().map(|row| row[0]));
    let count = table.columns.len();
    let column = |c: usize| table.rows.iter().map(move |row| row[c + 1]);
    let all = bounds((0..count).flat_map(column));
    // One scale for quantities of one kind, else each its own.
    let alike = table.columns.iter().all(|name| name[..3] == table.columns[0][..3]);
    let place_x = |x: f64| MARGIN + (x - x0) / (x1 - x0) * WIDTH;
    let _ = write!(
        out,
        r##"<text x="{MARGIN}" y="{}" font-size="14">{}</text><rect x="{MARGIN}" y="{top}" width="{WIDTH}" height="{HEIGHT}" fill="none" stroke="#888"/>"##,
        top - 12.0,
        escaped(&table.title)
    );
    for k in 0..=8 {
        let x = x0 + (x1 - x0) * f64::from(k) / 8.0;
        let _ = write!(
            out,
            r##"<line x1="{p:.1}" x2="{p:.1}" y1="{top}" y2="{b}" stroke="#ddd"/><text x="{p:.1}" y="{t}" text-anchor="middle">{x:.4}</text>"##,
            p = place_x(x),
            b = top + HEIGHT,
            t = top + HEIGHT + 16.0,
        );
    }
    let _ = write!(
        out,
        r##"<text x="{}" y="{}" text-anchor="end">{}</text>"##,
        MARGIN + WIDTH,
        top + HEIGHT + 34.0,
        table.over
    );
    for (c, name) in table.columns.iter().enumerate() {
        let (low, high) = if alike { all } else { bounds(column(c)) };
        let place_y = |y: f64| top + HEIGHT - (y - low) / (high - low) * HEIGHT;
        let colour = COLOURS[c % COLOURS.len()];
        let mut points = String::new();
        for row in &table.rows {
            let _ = write!(points, "{:.2},{:.2} ", place_x(row[0]), place_y(row[c + 1]));
        }
        let label = if alike { name.clone() } else { format!("{name} (to {high:.4})") };
        let _ = write!(
            out,
            r##"<polyline fill="none" stroke="{colour}" stroke-width="1.5" points="{}"/><text x="{}" y="{}" fill="{colour}">{label}</text>"##,
            points.trim_end(),
            MARGIN + 8.0,
            top + 16.0 + 15.0 * c as f64,
        );
    }
    if alike {
        for k in 0..=4 {
            let y = all.0 + (all.1 - all.0) * f64::from(k) / 4.0;
            let at = top + HEIGHT * (1.0 - f64::from(k) / 4.0);
            let _ = write!(
                out,
                r##"<text x="{}" y="{:.1}" text-anchor="end">{y:.1}</text>"##,
                MARGIN - 6.0,
                at + 4.0
            );
        }
    }
}
