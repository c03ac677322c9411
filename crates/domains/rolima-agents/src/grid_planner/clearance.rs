//! What searches among the same walls have in common: how much room there is in each cell, and from
//! which to which of its neighbours a robot can go.

use super::MOST_SIDE;
use crate::walls::Walls;
use rolima_math::{Vec2, larger, smaller};
use serde::{Deserialize, Serialize};

/// Cells, and the robots for whom they are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct CellLayout {
    pub(super) origin: Vec2,
    /// Width of a cell, m.
    pub(super) cell: f64,
    /// Cells each way.
    pub(super) size: [usize; 2],
    /// Of the robot, m, and the distance that it keeps from walls.
    pub(super) radius: f64,
    pub(super) keep: f64,
    /// How far from a cell walls are looked for, m.
    pub(super) most: f64,
}

impl CellLayout {
    /// Whether what was read back has cells, and no more than there may be.
    pub(super) fn fits(&self) -> bool {
        self.size.iter().all(|side| (1..=MOST_SIDE + 1).contains(side))
    }

    /// How many cells there are.
    pub(super) fn cells(&self) -> usize {
        self.size[0] * self.size[1]
    }

    /// The middle of a cell.
    pub(super) fn middle(&self, index: usize) -> Vec2 {
        let (column, row) = (index % self.size[0], index / self.size[0]);
        self.origin + Vec2::new(column as f64 + 0.5, row as f64 + 0.5) * self.cell
    }

    /// The cell of a point, or the one next to it.
    pub(super) fn index_of(&self, p: Vec2) -> usize {
        let own = (p - self.origin) * (1.0 / self.cell);
        let clamp = |x: f64, count: usize| (x.max(0.0) as usize).min(count - 1);
        clamp(own.y, self.size[1]) * self.size[0] + clamp(own.x, self.size[0])
    }
}

/// What is known of a world's cells, for one search after another: walls do not move, so what one has
/// looked at the next need not. Only of use for one world.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct ClearanceMap {
    layout: CellLayout,
    /// Distance of the nearest wall from each cell's middle, m; not a number where nobody has looked.
    clearance: Vec<f32>,
    /// For each neighbour a bit whether somebody has looked, and one whether it can be gone to.
    steps: Vec<u16>,
}

impl ClearanceMap {
    /// Forgets all, as for another world; keeps its memory.
    pub fn clear(&mut self) {
        self.layout = CellLayout::default();
    }

    /// Whether what was read back knows as many cells as it has.
    pub(crate) fn fit(&self) -> bool {
        let lengths = [self.clearance.len(), self.steps.len()];
        // Forgotten: the next search begins anew.
        self.layout == CellLayout::default()
            || self.layout.fits() && lengths == [self.layout.cells(); 2]
    }

    /// Has these cells from now on.
    pub(super) fn lay(&mut self, layout: &CellLayout) {
        if self.layout == *layout {
            return;
        }
        let cells = layout.cells();
        self.layout = *layout;
        self.clearance.clear();
        self.clearance.resize(cells, f32::NAN);
        self.steps.clear();
        self.steps.resize(cells, 0);
    }

    /// Distance of the nearest wall from a cell's middle, m, at most that of the layout.
    pub(super) fn clearance_of(
        &mut self,
        walls: &Walls<'_>,
        index: usize,
        looked: &mut usize,
    ) -> f64 {
        if self.clearance[index].is_nan() {
            let layout = &self.layout;
            self.clearance[index] =
                walls.clearance_at(layout.middle(index), layout.most, looked) as f32;
        }
        f64::from(self.clearance[index])
    }

    /// Whether no wall stands between the middles of a cell and of a neighbour, which is its `number`th.
    pub(super) fn is_open(
        &mut self,
        walls: &Walls<'_>,
        cells: [usize; 2],
        number: usize,
        looked: &mut usize,
    ) -> bool {
        let (known, open) = (1u16 << number, 256u16 << number);
        if self.steps[cells[0]] & known == 0 {
            let is_open = self.look(walls, cells, looked);
            self.steps[cells[0]] |= if is_open { known | open } else { known };
        }
        self.steps[cells[0]] & open != 0
    }

    fn look(&mut self, walls: &Walls<'_>, cells: [usize; 2], looked: &mut usize) -> bool {
        let clearance = cells.map(|cell| self.clearance_of(walls, cell, looked));
        let path = cells.map(|cell| self.layout.middle(cell));
        // Two circles without walls that cover the step.
        if clearance[0] + clearance[1] > (path[1] - path[0]).length() + 1e-6 {
            return true;
        }
        let ends = larger(smaller(clearance[0], clearance[1]) - 1e-6, 0.0);
        walls.keep_off(path, smaller(self.layout.keep, ends), looked)
    }
}
