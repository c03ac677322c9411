//! Rough ground behind the field: slopes in light and shade, as maps have them.

use super::projection::Projection;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::Color;
use rolima_math::Vec2;
use rolima_spatial::{Edge, Terrain};

/// Where the light comes from by old custom: the upper left.
const LIGHT: [f64; 3] = [-0.5, 0.5, std::f64::consts::FRAC_1_SQRT_2];
/// Greys of a terminal with 256 colours: the darkest, and that of level ground. Text stays
/// readable on all of them.
const DARKEST: u8 = 232;
const LEVEL: f64 = 4.0;
const BRIGHTEST: f64 = 12.0;

/// Puts the ground's light and shade behind what is drawn; nothing where a terrain has ended.
pub(super) fn shade(terrain: &Terrain, projection: &Projection, area: Rect, buffer: &mut Buffer) {
    for row in area.top()..area.bottom() {
        for column in area.left()..area.right() {
            let Some(cell) = buffer.cell_mut(Position::new(column, row)) else { continue };
            if let Some(grey) = grey(terrain, projection.middle_of(column, row)) {
                cell.set_bg(Color::Indexed(grey));
            }
        }
    }
}

/// The grey of the ground at a point.
fn grey(terrain: &Terrain, Vec2 { x, y }: Vec2) -> Option<u8> {
    let ends = terrain.spec().edge == Edge::Ends;
    if ends && !terrain.contains(x, y) {
        return None;
    }
    let normal = terrain.normal(x, y);
    let lit = normal.x * LIGHT[0] + normal.y * LIGHT[1] + normal.z * LIGHT[2];
    // Level ground is lit by the light's height alone.
    let level = LIGHT[2];
    let shade = if lit < level {
        LEVEL * (1.0 - 2.0 * (level - lit) / level)
    } else {
        LEVEL + (BRIGHTEST - LEVEL) * 1.6 * (lit - level) / (1.0 - level)
    };
    Some(DARKEST + shade.clamp(0.0, BRIGHTEST) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_spatial::TerrainSpec;

    #[test]
    fn slopes_towards_the_light_are_brighter_and_nothing_is_beyond_the_end() {
        let corner = Vec2::new(10.0, 10.0);
        let mut spec = TerrainSpec::from_function(-corner, corner, 41, 41, |x, y| {
            (4.0 - 0.2 * (x * x + y * y)).max(0.0)
        });
        spec.edge = Edge::Ends;
        let terrain = Terrain::new(spec).unwrap();
        let at = |x: f64, y: f64| grey(&terrain, Vec2::new(x, y));
        assert!(at(-2.0, 2.0) > at(8.0, 8.0) && at(8.0, 8.0) > at(2.0, -2.0));
        assert_eq!(at(8.0, 8.0), Some(DARKEST + LEVEL as u8));
        assert_eq!(at(11.0, 0.0), None);
    }
}
