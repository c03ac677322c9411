//! From metres to cells of the terminal.

use ratatui::layout::{Position, Rect};
use rolima_core::{Frame, Model};
use rolima_math::Vec2;

/// A cell is about twice as high as wide.
const CELL_ASPECT: f64 = 2.0;
/// Dots of a braille cell: across and down.
const DOTS: [f64; 2] = [2.0, 4.0];
/// Room around what is shown, as a share of it.
const MARGIN: f64 = 0.02;
/// Half the side of what is shown around a robot on an unbounded floor, m.
const UNBOUNDED_HALF_M: f64 = 1.0;
/// The same on rough ground, in radii of the robot.
const ROUGH_HALF_RADII: f64 = 12.0;

/// What is worth seeing: lower left and upper right corner, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    pub(super) min: Vec2,
    pub(super) max: Vec2,
}

impl Extent {
    /// Of a scene: all of it where walls bound it, else (and on rough ground, where they stand
    /// about) the surroundings of the chosen robot.
    pub(super) fn of(model: &Model, frame: &Frame, selected: usize) -> Self {
        if is_open(model) {
            let body = frame.bodies.get(selected).or(frame.bodies.first());
            let around = body.map_or(Vec2::ZERO, |body| body.pose.position);
            let radius = body.and_then(|body| model.body(body.id)).map_or(0.0, |b| b.radius);
            let side = match model.spec.ground {
                Some(_) => UNBOUNDED_HALF_M.max(ROUGH_HALF_RADII * radius),
                None => UNBOUNDED_HALF_M,
            };
            let half = Vec2::new(side, side);
            return Self { min: around - half, max: around + half };
        }
        let mut min = Vec2::new(f64::INFINITY, f64::INFINITY);
        let mut max = -min;
        let mut include = |low: Vec2, high: Vec2| {
            min = Vec2::new(min.x.min(low.x), min.y.min(low.y));
            max = Vec2::new(max.x.max(high.x), max.y.max(high.y));
        };
        for wall in &model.walls {
            let (low, high) = wall.bounding_box();
            include(low, high);
        }
        for body in model.bodies() {
            let reach = Vec2::new(body.radius, body.radius);
            include(body.home.position - reach, body.home.position + reach);
        }
        Self { min, max }
    }
}

/// How a stretch of the plane fills an area of the terminal, with equal scales across and up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Projection {
    area: Rect,
    min: Vec2,
    max: Vec2,
    metres_per_column: f64,
}

impl Projection {
    /// Shows all of `extent`, as large as it fits.
    pub(super) fn new(area: Rect, extent: Extent) -> Self {
        let columns = f64::from(area.width.max(1));
        let rows = f64::from(area.height.max(1));
        let size = (extent.max - extent.min) * (1.0 + 2.0 * MARGIN);
        let scale = (size.x / columns).max(size.y / (rows * CELL_ASPECT)).max(1e-9);
        let center = (extent.min + extent.max) * 0.5;
        let half = Vec2::new(columns * scale, rows * CELL_ASPECT * scale) * 0.5;
        Self { area, min: center - half, max: center + half, metres_per_column: scale }
    }

    /// What the area shows across and up, m.
    pub(super) fn bounds(&self) -> ([f64; 2], [f64; 2]) {
        ([self.min.x, self.max.x], [self.min.y, self.max.y])
    }

    /// The point in the middle of a cell, m; the cell is within the area.
    pub(super) fn middle_of(&self, column: u16, row: u16) -> Vec2 {
        let share = |cell: u16, first: u16, cells: u16| {
            (f64::from(cell.saturating_sub(first)) + 0.5) / f64::from(cells.max(1))
        };
        let size = self.max - self.min;
        Vec2::new(
            self.min.x + size.x * share(column, self.area.x, self.area.width),
            self.max.y - size.y * share(row, self.area.y, self.area.height),
        )
    }

    /// Width of a column, m.
    pub(super) fn metres_per_column(&self) -> f64 {
        self.metres_per_column
    }

    /// The cell in which the canvas puts the dot of a point; none outside the area.
    pub(super) fn cell(&self, point: Vec2) -> Option<Position> {
        let size = self.max - self.min;
        let dot = |share: f64, cells: u16, dots: f64| {
            if !(0.0..=1.0).contains(&share) || cells == 0 {
                return None;
            }
            let dot = (share * (f64::from(cells) * dots - 1.0)).round();
            Some((dot / dots) as u16)
        };
        let column = dot((point.x - self.min.x) / size.x, self.area.width, DOTS[0])?;
        let row = dot((self.max.y - point.y) / size.y, self.area.height, DOTS[1])?;
        Some(Position::new(self.area.x + column, self.area.y + row))
    }
}

/// Whether no walls bound the scene: there are none, or they stand about on rough ground.
pub(super) fn is_open(model: &Model) -> bool {
    model.walls.is_empty() || model.terrain().is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(width: f64, height: f64) -> Extent {
        let corner = Vec2::new(0.5 * width, 0.5 * height);
        Extent { min: -corner, max: corner }
    }

    #[test]
    fn scales_across_and_up_are_equal_and_all_is_seen() {
        for (area, shown) in [
            (Rect::new(0, 0, 80, 20), extent(2.0, 1.0)),
            (Rect::new(3, 5, 20, 40), extent(1.0, 7.0)),
            (Rect::new(0, 0, 1, 1), extent(5.0, 5.0)),
        ] {
            let projection = Projection::new(area, shown);
            let ([left, right], [bottom, top]) = projection.bounds();
            let across = (right - left) / f64::from(area.width);
            let up = (top - bottom) / (2.0 * f64::from(area.height));
            assert!((across - up).abs() < 1e-12);
            assert!(left <= shown.min.x && right >= shown.max.x);
            assert!(bottom <= shown.min.y && top >= shown.max.y);
        }
    }

    #[test]
    fn points_are_in_their_cells() {
        let area = Rect::new(10, 5, 81, 21);
        let projection = Projection::new(area, extent(2.0, 1.0));
        assert_eq!(projection.cell(Vec2::ZERO), Some(Position::new(50, 15)));
        let ([left, right], [bottom, top]) = projection.bounds();
        assert_eq!(projection.cell(Vec2::new(left, top)), Some(Position::new(10, 5)));
        assert_eq!(projection.cell(Vec2::new(right, bottom)), Some(Position::new(90, 25)));
        assert_eq!(projection.cell(Vec2::new(right + 0.1, 0.0)), None);
        assert_eq!(projection.cell(Vec2::new(f64::NAN, 0.0)), None);
    }
}
