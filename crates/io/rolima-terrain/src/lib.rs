//! Terrain files: bytes in, terrain out.
//!
//! | function | what it reads | where values lie |
//! |---|---|---|
//! | [`matrix`] | numbers, a line a row | as drawn: the first line at y_max, columns along x |
//! | [`mesh`] | the regular mesh `.msh`: `nx ny x_min x_max y_min y_max`, then nx lines of ny heights | line i at x_i, column j at y_j, as M_ij in equations 3.1 and 3.2 |
//! | [`esri`] | ESRI ASCII grid | as the format says: north first, values at the cells' centres |
//! | [`heightmap`] | an 8- or 16-bit picture | as drawn: the top row at y_max |
//! | [`friction_map`] | a picture | as drawn; black is no friction, white the factor that is given |
//! | [`Expression`] | a function of x and y | |
//!
//! [`lay`] lays ramps, blocks, waves and more over a terrain; [`friction`] makes its friction of a
//! factor, a map and patches.
//!
//! Values may be separated by blanks, tabs, commas or semicolons; the decimal sign is a point; `#`
//! and `%` begin comments. Errors name file, line and column, what was expected and what was there.
//! Nothing here panics or allocates more than the largest terrain, whatever the bytes are.

mod error;
mod esri;
mod expression;
mod layers;
mod picture;
mod text;

pub use error::TerrainError;
pub use esri::esri;
pub use expression::Expression;
pub use layers::{Join, Layer, Patch, Relief, Strip, friction, lay};
pub use picture::{Coloured, coloured, friction_map, heightmap};
pub use text::{matrix, mesh};

use rolima_math::Vec2;

/// Where a terrain lies: corners with the smallest and largest coordinates, m.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Area {
    /// Smallest x and y.
    pub min: Vec2,
    /// Largest x and y.
    pub max: Vec2,
}

impl Area {
    /// An area of `width` x `depth` metres, centred at the origin.
    pub fn centred(width: f64, depth: f64) -> Self {
        let half = Vec2::new(0.5 * width, 0.5 * depth);
        Self { min: -half, max: half }
    }
}

/// Reads whatever the bytes are as every format, and lays and compiles what comes out: the entry of
/// a fuzz target.
pub fn fuzz_entry(bytes: &[u8]) {
    let area = Area::centred(2.0, 3.0);
    let specs = [
        matrix("f", bytes, area),
        mesh("f", bytes),
        esri("f", bytes, None),
        esri("f", bytes, Some(0.0)),
        heightmap("f", bytes, area, (0.0, 1.0)),
    ];
    for spec in specs.into_iter().flatten() {
        // What is out of all bounds is for the terrain to refuse.
        let _ = rolima_spatial::Terrain::new(spec);
    }
    let map = friction_map("f", bytes, 1.0).ok();
    let _ = friction(area, 0.5, map, &[Patch { area, friction: 0.1 }]);
    if let Ok(text) = core::str::from_utf8(bytes)
        && let Ok(expression) = Expression::parse("f", text)
    {
        let _ = expression.at(0.3, -7.0);
        if let Ok(mut spec) = expression.terrain(area, 3, 4) {
            let relief = Relief::Expression { expression, area: Some(area) };
            let _ = lay(&mut spec, &Layer { relief, join: Join::Add }, "f");
        }
    }
}
