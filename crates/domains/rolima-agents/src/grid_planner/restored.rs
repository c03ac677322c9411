//! Whether a search that was read back can go on: it may have been forged.

use super::{GridPlanner, Search, Stage};
use crate::nearest::MOST_HEEDED;

/// What no way over so few cells costs.
const MOST_COST: f32 = 1e6;

/// More looks than make up a cell's effort, many times.
const MOST_LOOKED: usize = 1 << 30;

impl GridPlanner {
    /// Whether it is for a robot of a radius that keeps this much more distance, m, and all numbers of
    /// cells in it are of cells that there are.
    pub(crate) fn fits(&self, radius: f64, margin: f64) -> bool {
        let fresh = Self::new(radius, margin);
        let own = |one: &Self| (one.radius, one.keep);
        own(self) == own(&fresh)
            && self.others.len() <= MOST_HEEDED + 1
            && self.looked < MOST_LOOKED
            && match (self.search, self.stage) {
                (Search::Idle | Search::Nowhere, _) | (Search::Working, Stage::Lay) => true,
                (Search::Working, Stage::Spread) => self.spreads(),
                (Search::Working, Stage::Straighten(at)) => (1..self.cells.len()).contains(&at),
                (Search::Found, _) => self.path.len() > 1,
            }
    }

    /// Whether it can go from cell to cell: each comes after one that costs less, so that the way back ends
    /// at the start.
    fn spreads(&self) -> bool {
        let cells = self.layout.cells();
        let is_cell = |cell: u32| (cell as usize) < cells;
        let lengths = [self.cost.len(), self.before.len(), self.is_done.len()];
        if !self.layout.fits() || lengths != [cells; 3] {
            return false;
        }
        let costs =
            self.cost.iter().all(|&cost| (0.0..MOST_COST).contains(&cost) || cost == f32::INFINITY);
        let back = self.before.iter().zip(&self.cost).all(|(&before, cost)| {
            before == u32::MAX || is_cell(before) && self.cost[before as usize] < *cost
        });
        let ends = self.ends.iter().all(|&end| end < cells);
        costs && back && ends && self.open.iter().all(|open| is_cell(open.0.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid_planner::ClearanceMap;
    use crate::walls::Walls;
    use crate::walls::given::wall;
    use rolima_core::WallIndex;
    use rolima_math::Vec2;

    const RADIUS: f64 = 0.15;
    const MARGIN: f64 = 0.02;

    /// A search around a wall after so many portions of so much effort.
    fn searching(portions: usize, effort: usize) -> GridPlanner {
        let walls = [wall(Vec2::new(1.0, -1.0), Vec2::new(1.0, 1.0), 0.04)];
        let index = WallIndex::of(&walls, 0.6);
        let walls = Walls::new(&walls, &index, RADIUS);
        let (mut planner, mut clearances) =
            (GridPlanner::new(RADIUS, MARGIN), ClearanceMap::default());
        planner.seek(Vec2::ZERO, Vec2::new(2.0, 0.0), &[]);
        for _ in 0..portions {
            planner.work(&walls, &mut clearances, effort);
        }
        planner
    }

    /// Whether it fits after something about it was forged.
    fn fits(planner: &GridPlanner, forge: impl FnOnce(&mut GridPlanner)) -> bool {
        let mut forged = planner.clone();
        forge(&mut forged);
        forged.fits(RADIUS, MARGIN)
    }

    #[test]
    fn a_search_goes_on_from_every_stage() {
        let mut stages = [0; 4];
        for portions in 0..2000 {
            let planner = searching(portions, 1);
            assert!(planner.fits(RADIUS, MARGIN), "after {portions} portions: {:?}", planner.stage);
            stages[match (planner.search, planner.stage) {
                (Search::Found, _) => 3,
                (_, Stage::Lay) => 0,
                (_, Stage::Spread) => 1,
                (_, Stage::Straighten(_)) => 2,
            }] += 1;
            if planner.search == Search::Found {
                break;
            }
        }
        assert!(stages.iter().all(|&count| count > 0), "{stages:?}");
    }

    #[test]
    fn a_search_is_refused_whose_cells_are_none_or_whose_way_back_has_no_end() {
        let planner = searching(40, 1);
        assert!(planner.stage == Stage::Spread && planner.fits(RADIUS, MARGIN));
        let cells = planner.layout.cells();
        let reached = planner.before.iter().position(|&before| before != u32::MAX).expect("a cell");
        let from = planner.before[reached] as usize;
        // Round in circles, for ever.
        assert!(!fits(&planner, |planner| planner.before[from] = reached as u32));
        assert!(!fits(&planner, |planner| planner.before[reached] = cells as u32));
        assert!(!fits(&planner, |planner| planner.ends[1] = cells));
        assert!(!fits(&planner, |planner| planner.cost[reached] = -1.0));
        assert!(!fits(&planner, |planner| planner.cost[reached] = f32::NAN));
        assert!(!fits(&planner, |planner| planner.is_done.truncate(cells - 1)));
        assert!(!fits(&planner, |planner| planner.layout.size = [1 << 40, 1]));
        assert!(!fits(&planner, |planner| planner.open.push(std::cmp::Reverse((0, cells as u32)))));
        assert!(!fits(&planner, |planner| planner.stage = Stage::Straighten(0)));
        assert!(!fits(&planner, |planner| planner.radius = 0.1));
        let found = searching(100, 100);
        assert!(found.search == Search::Found);
        assert!(!fits(&found, |planner| planner.path.clear()));
    }
}
