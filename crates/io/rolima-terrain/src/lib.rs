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
pub use picture::{friction_map, heightmap};
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
