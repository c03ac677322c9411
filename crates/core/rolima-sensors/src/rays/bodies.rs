//! Moving bodies, laid into a grid at each instant.

use super::grid::{Grid, Lists};
use super::outline::{Outline, Section};
use super::surface::{Nearest, Thing};
use super::walk::Walk;
use rolima_math::{Pose2, Vec2};
use rolima_model::BodyId;

/// A body at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// Its number, by which it is told apart and may be left out.
    pub body: BodyId,
    /// Its outline, by number among those that the plane was made of.
    pub outline: u32,
    /// Where it is.
    pub pose: Pose2,
}

/// The bodies of an instant, as seen in one plane.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Bodies {
    pub(crate) sections: Vec<Section>,
    pub(crate) placed: Vec<Placed>,
    pub(crate) grid: Grid,
    pub(crate) lists: Lists,
    /// Largest reach of a section, m.
    pub(crate) most_reach: f64,
    pairs: Vec<(u32, u32)>,
}

impl Bodies {
    pub(crate) fn new(height: f64, outlines: &[Outline]) -> Self {
        let sections = outlines.iter().map(|outline| outline.section(height)).collect();
        Self { sections, ..Self::default() }
    }

    /// Puts bodies where they are now. Those that the plane does not cut, that have no outline
    /// here, or whose pose is not finite are left out. Allocates only while it grows.
    pub(crate) fn place(&mut self, bodies: impl Iterator<Item = Placed>) {
        self.placed.clear();
        let mut min = Vec2::new(f64::INFINITY, f64::INFINITY);
        let mut max = -min;
        let mut most = 0.0f64;
        for body in bodies {
            let reach = self.sections.get(body.outline as usize).map_or(0.0, |s| s.reach);
            if reach <= 0.0 || !body.pose.is_finite() {
                continue;
            }
            let p = body.pose.position;
            min = Vec2::new(min.x.min(p.x - reach), min.y.min(p.y - reach));
            max = Vec2::new(max.x.max(p.x + reach), max.y.max(p.y + reach));
            most = most.max(reach);
            self.placed.push(body);
        }
        self.pairs.clear();
        if self.placed.is_empty() {
            return;
        }
        self.most_reach = most;
        let count = self.placed.len();
        let area = (max.x - min.x) * (max.y - min.y);
        let cell = (area / count as f64).sqrt().max(2.0 * most);
        let most_cells = 4 * count + 64;
        self.grid = Grid::over(min, max, cell, most_cells);
        // As many as there may ever be of so many bodies, wherever they go: cells are no smaller
        // than the bodies, so that each lies in four of them, or nine with the margins.
        self.pairs.reserve(9 * count);
        self.lists.reserve(2 * most_cells, 9 * count);
        let (grid, sections, pairs) = (&self.grid, &self.sections, &mut self.pairs);
        for (i, body) in self.placed.iter().enumerate() {
            let reach = sections[body.outline as usize].reach;
            let (p, reach) = (body.pose.position, Vec2::new(reach, reach));
            grid.covered(p - reach, p + reach, |cell, _, _| pairs.push((cell as u32, i as u32)));
        }
        self.lists.fill(self.grid.cells(), &self.pairs);
    }

    /// The nearest body along a ray, if it is nearer than what was found so far.
    #[inline(always)]
    pub(crate) fn cast(
        &self,
        ray: (Vec2, Vec2),
        range: f64,
        skip: Option<BodyId>,
        nearest: &mut Nearest,
    ) {
        if self.placed.is_empty() {
            return;
        }
        let (origin, direction) = ray;
        let Some(mut walk) = Walk::enter(&self.grid, origin, direction, range) else { return };
        loop {
            for &index in self.lists.of(walk.cell as usize) {
                let body = &self.placed[index as usize];
                let section = &self.sections[body.outline as usize];
                let off = (body.pose.position - origin).cross(direction);
                let reach = section.reach * (1.0 + 1e-9) + 1e-9;
                if off.abs() <= reach && Some(body.body) != skip {
                    let code = Thing::Body(body.body).code();
                    section.cast((body.pose, code), ray, nearest);
                }
            }
            if nearest.inverse * walk.leaves() > 1.0 + 1e-9 || !walk.step() {
                return;
            }
        }
    }

    /// The body of lowest number that holds a point.
    pub(crate) fn inside(&self, point: Vec2, skip: Option<BodyId>) -> Option<BodyId> {
        if self.placed.is_empty() {
            return None;
        }
        let bodies = self.lists.of(self.grid.cell_at(point)?).iter();
        let bodies = bodies.map(|&i| &self.placed[i as usize]);
        bodies
            .filter(|body| Some(body.body) != skip)
            .filter(|body| {
                let section = &self.sections[body.outline as usize];
                section.holds(body.pose.inverse_transform(point))
            })
            .map(|body| body.body)
            .min()
    }
}
