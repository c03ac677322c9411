//! Rough ground in a picture from above: contour lines.

use rolima_core::model::spatial::Terrain;
use std::fmt::Write;

/// Cells along the longer side of the picture that heights are looked at in.
const CELLS: f64 = 72.0;
/// How many lines there are between the lowest and the highest place.
const LEVELS: u32 = 9;
/// Ground that rises by less than this is flat, m.
const FLAT: f64 = 1e-3;

/// The contour lines of a terrain over a rectangle (least x, y, most x, y), as the path of an SVG;
/// none of flat ground.
pub(super) fn contours(terrain: &Terrain, [x0, y0, x1, y1]: [f64; 4]) -> Option<String> {
    let cell = (x1 - x0).max(y1 - y0) / CELLS;
    let count = |length: f64| ((length / cell).ceil() as usize).clamp(1, CELLS as usize + 1);
    if cell.is_nan() || cell <= 0.0 {
        return None;
    }
    let (nx, ny) = (count(x1 - x0), count(y1 - y0));
    let place = |i: usize, j: usize| (x0 + i as f64 * cell, y0 + j as f64 * cell);
    let mut heights = Vec::with_capacity((nx + 1) * (ny + 1));
    for j in 0..=ny {
        for i in 0..=nx {
            let (x, y) = place(i, j);
            heights.push(terrain.height(x.min(x1), y.min(y1)));
        }
    }
    let low = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let high = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if high - low < FLAT {
        return None;
    }
    let mut path = String::new();
    for level in 1..=LEVELS {
        let z = low + (high - low) * f64::from(level) / f64::from(LEVELS + 1);
        for j in 0..ny {
            for i in 0..nx {
                let at = |di: usize, dj: usize| {
                    let (x, y) = place(i + di, j + dj);
                    (x, y, heights[(j + dj) * (nx + 1) + i + di] - z)
                };
                let corners = [at(0, 0), at(1, 0), at(1, 1), at(0, 1)];
                cross(&mut path, corners);
            }
        }
    }
    Some(path)
}

/// Lines through a cell where heights above the level change their sign.
fn cross(path: &mut String, corners: [(f64, f64, f64); 4]) {
    let mut found = [(0.0, 0.0); 4];
    let mut count = 0;
    for side in 0..4 {
        let (a, b) = (corners[side], corners[(side + 1) % 4]);
        if (a.2 >= 0.0) != (b.2 >= 0.0) {
            let share = a.2 / (a.2 - b.2);
            found[count] = (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share);
            count += 1;
        }
    }
    for pair in found[..count].chunks_exact(2) {
        let [(ax, ay), (bx, by)] = [pair[0], pair[1]];
        let _ = write!(path, "M{ax:.2} {ay:.2}L{bx:.2} {by:.2}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_core::model::spatial::TerrainSpec;

    fn cone(height: f64) -> Terrain {
        let mut spec = TerrainSpec::flat(20.0);
        let corner = spec.max;
        let z = |x: f64, y: f64| height * (10.0 - (x * x + y * y).sqrt()).max(0.0) / 10.0;
        spec = TerrainSpec::from_function(-corner, corner, 201, 201, z);
        Terrain::new(spec).expect("a cone is a good terrain")
    }

    #[test]
    fn contours_of_a_cone_are_circles() {
        let path = contours(&cone(5.0), [-10.0, -10.0, 10.0, 10.0]).expect("lines");
        let mut points = 0;
        for place in path.split(['M', 'L']).filter(|text| !text.is_empty()) {
            let (x, y) = place.split_once(' ').expect("two numbers");
            let (x, y): (f64, f64) = (x.parse().expect("x"), y.parse().expect("y"));
            let radius = (x * x + y * y).sqrt();
            assert!((radius - radius.round()).abs() < 0.05, "{radius}");
            points += 1;
        }
        assert!(points > 1000, "{points}");
        assert!(path.len() < 60_000, "{}", path.len());
    }

    #[test]
    fn flat_ground_has_none() {
        assert_eq!(contours(&cone(0.0), [-10.0, -10.0, 10.0, 10.0]), None);
        assert_eq!(contours(&cone(5.0), [0.0, 0.0, 0.0, 0.0]), None);
    }
}
