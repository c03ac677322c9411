//! Layers: shapes that are laid over a terrain, node by node, so that a proving ground can be
//! written by hand.

use crate::expression::Expression;
use crate::{Area, TerrainError};
use core::f64::consts::TAU;
use rolima_math::{Vec2, cos};
use rolima_spatial::{Grid, Hills, Terrain, TerrainSpec};

/// How a layer joins what lies below it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Join {
    /// Heights add up.
    #[default]
    Add,
    /// The higher one counts.
    Max,
    /// The lower one counts.
    Min,
    /// The layer counts.
    Set,
}

/// A straight strip: its middle line, and its full width, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strip {
    /// Where it begins, m.
    pub from: Vec2,
    /// Where it ends, m.
    pub to: Vec2,
    /// Full width, m.
    pub width: f64,
}

impl Strip {
    /// Way along the strip (m) at a point, if it lies on it, and the strip's length.
    fn along(&self, p: Vec2) -> Option<(f64, f64)> {
        let whole = self.to - self.from;
        let length = whole.length();
        let axis = whole.unit_or(Vec2::new(1.0, 0.0));
        let (s, off) = ((p - self.from).dot(axis), (p - self.from).cross(axis));
        // Nodes on the border belong to it, whatever rounding says.
        let slack = 1e-9 * (1.0 + length);
        let on = s >= -slack && s <= length + slack && off.abs() <= 0.5 * self.width + slack;
        on.then_some((s.clamp(0.0, length), length))
    }
}

/// What a layer is.
#[derive(Clone, Debug)]
pub enum Relief {
    /// Rises evenly from one height to another.
    Ramp {
        /// Where.
        strip: Strip,
        /// Heights at its beginning and end, m.
        heights: [f64; 2],
    },
    /// Waves across the way: crests of `height` every `wavelength`; both ends are level.
    Waves {
        /// Where.
        strip: Strip,
        /// From trough to crest, m.
        height: f64,
        /// From crest to crest, m.
        wavelength: f64,
    },
    /// A rectangle that is raised (or, with a negative height, dug), with sides that slope.
    Block {
        /// Where its top is.
        area: Area,
        /// Height, m.
        height: f64,
        /// How far its sides reach beyond it, m.
        side: f64,
    },
    /// A function of x and y.
    Expression {
        /// The function.
        expression: Expression,
        /// Where it holds; none: everywhere.
        area: Option<Area>,
    },
    /// Procedural hills.
    Hills {
        /// The hills; their size and nodes are not read.
        hills: Hills,
        /// Where they are; none: everywhere.
        area: Option<Area>,
    },
    /// Another terrain, in its own area.
    Terrain(Box<Terrain>),
}

/// A shape and how it joins.
#[derive(Clone, Debug)]
pub struct Layer {
    /// What it is.
    pub relief: Relief,
    /// How it joins what lies below.
    pub join: Join,
}

impl Area {
    /// Whether a point lies in it; its border does.
    pub fn contains(&self, p: Vec2) -> bool {
        p.x >= self.min.x && p.x <= self.max.x && p.y >= self.min.y && p.y <= self.max.y
    }

    /// Whether it has more than a border in common with another.
    pub fn overlaps(&self, other: &Self) -> bool {
        let along = |[a, b]: [f64; 2], [c, d]: [f64; 2]| a < d && c < b;
        along([self.min.x, self.max.x], [other.min.x, other.max.x])
            && along([self.min.y, self.max.y], [other.min.y, other.max.y])
    }
}

impl Relief {
    /// Height at a point, m, where the layer is.
    fn height(&self, p: Vec2, stack: &mut Vec<f64>) -> Option<f64> {
        let within = |area: &Option<Area>| area.is_none_or(|area| area.contains(p));
        match self {
            Self::Ramp { strip, heights: [low, high] } => {
                let (s, length) = strip.along(p)?;
                Some(low + (high - low) * s / length.max(1e-12))
            }
            Self::Waves { strip, height, wavelength } => {
                let (s, _) = strip.along(p)?;
                Some(0.5 * height * (1.0 - cos(TAU * s / wavelength)))
            }
            Self::Block { area, height, side } => {
                let beyond = |x: f64, low: f64, high: f64| (low - x).max(x - high).max(0.0);
                let x = beyond(p.x, area.min.x, area.max.x);
                let y = beyond(p.y, area.min.y, area.max.y);
                let off = x.max(y);
                let share = if off <= 1e-9 { 1.0 } else { 1.0 - off / side };
                (share > 0.0).then_some(height * share)
            }
            Self::Expression { expression, area } => {
                within(area).then(|| expression.evaluate(p.x, p.y, stack))
            }
            Self::Hills { hills, area } => within(area).then(|| hills.at(p.x, p.y)),
            Self::Terrain(terrain) => terrain.contains(p.x, p.y).then(|| terrain.height(p.x, p.y)),
        }
    }
}

/// Where a node of a grid over an area lies.
fn node(area: Area, (nx, ny): (usize, usize), (i, j): (usize, usize)) -> Vec2 {
    let at = |low: f64, high: f64, i: usize, n: usize| {
        low + (high - low) * i as f64 / (n.max(2) - 1) as f64
    };
    Vec2::new(at(area.min.x, area.max.x, i, nx), at(area.min.y, area.max.y, j, ny))
}

/// Lays a layer over a terrain. `name` is for errors: a height that is not finite is one, and a
/// layer that changes nothing, as it covers no node.
pub fn lay(spec: &mut TerrainSpec, layer: &Layer, name: &str) -> Result<(), TerrainError> {
    let area = Area { min: spec.min, max: spec.max };
    let Grid { nx, ny, ref mut values } = spec.heights;
    let mut stack = vec![];
    let mut covers = 0;
    for j in 0..ny {
        for i in 0..nx {
            let p = node(area, (nx, ny), (i, j));
            let Some(z) = layer.relief.height(p, &mut stack) else { continue };
            covers += 1;
            if !z.is_finite() {
                let got = format!("{z} at x = {}, y = {}", p.x, p.y);
                return Err(TerrainError::file(name, "finite heights", got));
            }
            let below = &mut values[j * nx + i];
            *below = match layer.join {
                Join::Add => *below + z,
                Join::Max => below.max(z),
                Join::Min => below.min(z),
                Join::Set => z,
            };
        }
    }
    if covers == 0 {
        let expected = "a layer over at least one node of the ground";
        let got = "none below it: it lies beside the ground or between its nodes";
        return Err(TerrainError::file(name, expected, got));
    }
    Ok(())
}

/// A rectangle whose friction differs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patch {
    /// Where.
    pub area: Area,
    /// Factor on the tyres' friction.
    pub friction: f64,
}

/// Finest patch of friction that is told apart, m, and most of them along a side.
const PATCH: f64 = 0.1;
const MOST_PATCHES: f64 = 1024.0;

/// Friction of a terrain: a factor everywhere, a map or none, and rectangles that count instead
/// where they lie; later ones over earlier ones. Their borders are kept to 0.1 m, or to a 1024th
/// of the terrain where that is coarser.
pub fn friction(area: Area, factor: f64, map: Option<Grid>, patches: &[Patch]) -> Option<Grid> {
    let mut map = map;
    map.iter_mut().flat_map(|map| &mut map.values).for_each(|f| *f *= factor);
    if patches.is_empty() {
        let everywhere = || Grid { nx: 1, ny: 1, values: vec![factor] };
        return map.or_else(|| (factor != 1.0).then(everywhere));
    }
    let size = area.max - area.min;
    let fine = |size: f64| ((size / PATCH).ceil().clamp(1.0, MOST_PATCHES)) as usize;
    let coarse = map.as_ref().map_or((1, 1), |map| (map.nx, map.ny));
    let (nx, ny) = (fine(size.x).max(coarse.0), fine(size.y).max(coarse.1));
    let mut values = Vec::with_capacity(nx * ny);
    for j in 0..ny {
        for i in 0..nx {
            let share = |i: usize, n: usize| (i as f64 + 0.5) / n as f64;
            let (u, v) = (share(i, nx), share(j, ny));
            let p = area.min + Vec2::new(u * size.x, v * size.y);
            let patch = patches.iter().rev().find(|patch| patch.area.contains(p));
            let below = map.as_ref().map_or(factor, |map| {
                let at = |u: f64, n: usize| ((u * n as f64) as usize).min(n - 1);
                map.values[at(v, map.ny) * map.nx + at(u, map.nx)]
            });
            values.push(patch.map_or(below, |patch| patch.friction));
        }
    }
    Some(Grid { nx, ny, values })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flat() -> TerrainSpec {
        let area = Area::centred(10.0, 10.0);
        TerrainSpec::from_function(area.min, area.max, 101, 101, |_, _| 0.0)
    }

    fn laid(layers: &[(Relief, Join)]) -> Terrain {
        let mut spec = flat();
        for (relief, join) in layers {
            lay(&mut spec, &Layer { relief: relief.clone(), join: *join }, "layer").unwrap();
        }
        Terrain::new(spec).unwrap()
    }

    #[test]
    fn a_ramp_rises_evenly_along_its_way_and_ends_at_its_sides() {
        let strip = Strip { from: Vec2::new(-2.0, 1.0), to: Vec2::new(2.0, 1.0), width: 2.0 };
        let t = laid(&[(Relief::Ramp { strip, heights: [0.0, 2.0] }, Join::Max)]);
        for (x, y, z) in
            [(-2.0, 1.0, 0.0), (0.0, 1.0, 1.0), (1.0, 0.0, 1.5), (2.0, 2.0, 2.0), (0.0, 2.2, 0.0)]
        {
            assert!((t.height(x, y) - z).abs() < 1e-9, "({x}, {y}): {}", t.height(x, y));
        }
    }

    #[test]
    fn a_block_has_a_level_top_and_even_sides_and_a_negative_one_is_a_ditch() {
        let area = Area { min: Vec2::new(0.0, 0.0), max: Vec2::new(2.0, 1.0) };
        let t = laid(&[(Relief::Block { area, height: -0.5, side: 1.0 }, Join::Add)]);
        for (x, z) in [(0.0, -0.5), (2.0, -0.5), (2.5, -0.25), (3.0, 0.0), (-1.5, 0.0)] {
            assert!((t.height(x, 0.5) - z).abs() < 1e-9, "{x}: {}", t.height(x, 0.5));
        }
    }

    #[test]
    fn layers_join_as_they_say() {
        let area = Area { min: Vec2::new(-1.0, -1.0), max: Vec2::new(1.0, 1.0) };
        let block = |height| Relief::Block { area, height, side: 0.0 };
        for (join, z) in [(Join::Add, 0.4), (Join::Max, 0.5), (Join::Min, -0.1), (Join::Set, -0.1)]
        {
            let t = laid(&[(block(0.5), Join::Add), (block(-0.1), join)]);
            assert_eq!(t.height(0.0, 0.0), z, "{join:?}");
            assert_eq!(t.height(2.0, 0.0), 0.0);
        }
    }

    #[test]
    fn waves_have_crests_half_a_wavelength_from_their_beginning() {
        let strip = Strip { from: Vec2::new(0.0, 0.0), to: Vec2::new(4.0, 0.0), width: 1.0 };
        let waves = Relief::Waves { strip, height: 0.2, wavelength: 1.0 };
        let t = laid(&[(waves, Join::Add)]);
        assert!((t.height(0.5, 0.0) - 0.2).abs() < 1e-12 && t.height(1.0, 0.0).abs() < 1e-12);
    }

    #[test]
    fn patches_count_where_they_lie_and_the_map_elsewhere() {
        let area = Area::centred(10.0, 10.0);
        let map = Grid { nx: 2, ny: 1, values: vec![0.2, 0.8] };
        let ice = Patch {
            area: Area { min: Vec2::new(-1.0, -1.0), max: Vec2::new(1.0, 1.0) },
            friction: 0.05,
        };
        let mut spec = flat();
        spec.friction = friction(area, 0.5, Some(map), &[ice]);
        let t = Terrain::new(spec).unwrap();
        for (x, y, f) in [(-4.0, 0.0, 0.1), (4.0, 0.0, 0.4), (0.9, 0.9, 0.05), (-0.95, 0.0, 0.05)] {
            assert_eq!(t.friction(x, y), f, "({x}, {y})");
        }
        assert_eq!(friction(area, 1.0, None, &[]), None);
    }

    #[test]
    fn heights_that_are_not_finite_are_told() {
        let expression = Expression::parse("z", "1 / x").unwrap();
        let layer =
            Layer { relief: Relief::Expression { expression, area: None }, join: Join::Add };
        let message = lay(&mut flat(), &layer, "ground.layer.0").unwrap_err().to_string();
        assert_eq!(message, "ground.layer.0: expected finite heights, got inf at x = 0, y = -5");
    }
}
