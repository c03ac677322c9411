//! The pixels near a stroke.

use super::plane::PixelPlane;
use super::stroke::Stroke;
use rolima_math::Vec2;

/// Marks the pixels whose centres lie within `radius` of a stroke's middle line, row by row.
pub(crate) fn cover(covered: &mut PixelPlane<bool>, stroke: &Stroke, radius: f64) {
    let [from, to] = stroke.ends.map(|end| end.point);
    let (width, height) = (covered.width as f64, covered.height as f64);
    let top = (from.y.min(to.y) - radius - 0.5).ceil().max(0.0);
    let bottom = (from.y.max(to.y) + radius - 0.5).floor().min(height - 1.0);
    let mut y = top;
    while y <= bottom {
        if let Some((low, high)) = across(stroke, radius, y + 0.5) {
            let first = (low - 0.5).ceil().max(0.0);
            let last = (high - 0.5).floor().min(width - 1.0);
            if first <= last {
                let row = y as usize * covered.width;
                covered.data[row + first as usize..=row + last as usize].fill(true);
            }
        }
        y += 1.0;
    }
}

/// The stretch of the horizontal line at `y` within `radius` of a stroke: what is within it of the
/// ends, and of the line between them, which is one stretch in all.
fn across(stroke: &Stroke, radius: f64, y: f64) -> Option<(f64, f64)> {
    let [from, to] = stroke.ends.map(|end| end.point);
    let disc = |center: Vec2| {
        let square = radius * radius - (y - center.y) * (y - center.y);
        (square >= 0.0).then(|| (center.x - square.sqrt(), center.x + square.sqrt()))
    };
    let along = stroke.direction();
    // Beside the line: across |x along.y - ...| within the radius; along, between the ends.
    let beside = between(-along.y, along.x * (y - from.y), -radius, radius);
    let ahead = between(along.x, along.y * (y - from.y), 0.0, stroke.length());
    let band = match (beside, ahead) {
        (Some(a), Some(b)) => Some((a.0.max(b.0) + from.x, a.1.min(b.1) + from.x)),
        _ => None,
    };
    let band = band.filter(|(low, high)| low <= high);
    let parts = [disc(from), disc(to), band].into_iter().flatten();
    parts.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
}

/// The stretch of x for which `slope * x + offset` is from `low` to `high`.
fn between(slope: f64, offset: f64, low: f64, high: f64) -> Option<(f64, f64)> {
    if slope == 0.0 {
        let is_in = offset >= low && offset <= high;
        return is_in.then_some((f64::NEG_INFINITY, f64::INFINITY));
    }
    let (a, b) = ((low - offset) / slope, (high - offset) / slope);
    Some((a.min(b), a.max(b)))
}

#[cfg(test)]
mod tests {
    use super::super::stroke::{End, Ending};
    use super::*;

    #[test]
    fn covered_is_what_lies_within_the_radius() {
        let places =
            [(10.0, 10.0), (30.2, 10.0), (30.0, 25.3), (10.5, 31.0), (-3.0, 20.0), (10.0, 38.0)];
        for (x, y) in places {
            for radius in [0.4, 2.0, 5.5] {
                let end = |x, y| End { point: Vec2::new(x, y), ending: Ending::Free };
                let ends = [end(10.0, 10.0), end(x, y)];
                let stroke = Stroke { ends, half: 1.0, group: 0 };
                let mut plane: PixelPlane<bool> = PixelPlane::new(36, 40);
                cover(&mut plane, &stroke, radius);
                for i in 0..plane.data.len() {
                    let away = stroke.distance(plane.center(i));
                    let is_sure = (away - radius).abs() > 1e-9;
                    assert!(!is_sure || plane.data[i] == (away < radius), "{x} {y} {radius} {i}");
                }
            }
        }
    }
}
