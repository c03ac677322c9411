//! What does not move, sorted by place: whole cells outside of the picture cost one test.

use crate::camera::CameraView;
use crate::pose::{Point3, add, length, scale, sub};

/// How many things a cell holds on average, about. Fewer cost more tests of cells, more let things
/// through that are not seen.
const PER_CELL: f64 = 6.0;

#[derive(Clone, Debug)]
struct Cell {
    centre: Point3,
    radius: f64,
    /// Range in [`Grid::items`].
    first: u32,
    end: u32,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Grid {
    cells: Vec<Cell>,
    items: Vec<(Point3, f64, u32)>,
}

impl Grid {
    /// Of spheres (centre, radius), m, numbered in their order.
    pub(crate) fn new(spheres: impl Iterator<Item = (Point3, f64)>) -> Self {
        let mut items: Vec<(Point3, f64, u32)> =
            spheres.enumerate().map(|(i, (centre, radius))| (centre, radius, i as u32)).collect();
        let Some(&(start, ..)) = items.first() else { return Self::default() };
        let (mut low, mut high) = (start, start);
        for (centre, ..) in &items {
            for axis in 0..2 {
                low[axis] = rolima_math::functions::smaller(low[axis], centre[axis]);
                high[axis] = rolima_math::functions::larger(high[axis], centre[axis]);
            }
        }
        let per_side = (items.len() as f64 / PER_CELL).sqrt().ceil().clamp(1.0, 512.0);
        let size = [0, 1].map(|axis| ((high[axis] - low[axis]) / per_side).max(1e-6));
        let cell_of = |c: Point3| {
            let along = |axis: usize| ((c[axis] - low[axis]) / size[axis]) as u64;
            along(1) * 1024 + along(0)
        };
        items.sort_by_key(|&(centre, _, i)| (cell_of(centre), i));
        let mut cells: Vec<Cell> = Vec::new();
        let mut at = 0;
        while at < items.len() {
            let key = cell_of(items[at].0);
            let end = at + items[at..].iter().take_while(|item| cell_of(item.0) == key).count();
            cells.push(around(&items[at..end], at as u32, end as u32));
            at = end;
        }
        Self { cells, items }
    }

    /// Calls `found` with the number and the camera-frame centre of everything that may be seen.
    pub(crate) fn visit(&self, view: &CameraView, mut found: impl FnMut(u32, Point3, f64)) {
        for cell in &self.cells {
            if !view.may_see_sphere(view.see(cell.centre), cell.radius) {
                continue;
            }
            for &(centre, radius, index) in &self.items[cell.first as usize..cell.end as usize] {
                let centre = view.see(centre);
                if view.may_see_sphere(centre, radius) {
                    found(index, centre, radius);
                }
            }
        }
    }
}

fn around(items: &[(Point3, f64, u32)], first: u32, end: u32) -> Cell {
    let sum = items.iter().fold([0.0; 3], |sum, item| add(sum, item.0));
    let centre = scale(sum, 1.0 / items.len() as f64);
    let radius = items
        .iter()
        .map(|&(c, r, _)| length(sub(c, centre)) + r)
        .fold(0.0, rolima_math::functions::larger);
    Cell { centre, radius: radius * (1.0 + 1e-9), first, end }
}
