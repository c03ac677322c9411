//! Rough ground: the surface that wheels feel and rays hit, as cameras see it.
//!
//! | module | what |
//! |---|---|
//! | `mesh` | the terrain as a tree of triangles |
//! | `draw` | into the buffers, as fine as the picture needs it |
//! | `look` | colours and light of the nodes |
//! | `drape`, `draped` | paint that lies on the surface |
//! | `casts` | shadows |
//! | `shade` | colours of pixels |

mod casts;
mod drape;
mod draped;
mod draw;
mod look;
mod mesh;
mod shade;

pub(crate) use casts::Casts;
pub(crate) use drape::{COARSE, Drape, FINE};
pub(crate) use look::LandLook;
pub use look::LandPaint;
pub(crate) use mesh::{Mesh, Triangle};
pub(crate) use shade::{LandView, Piece, run_land};

use crate::paint::Daylight;
use rolima_spatial::Terrain;
use std::sync::Arc;

/// Rough ground on a stage.
#[derive(Clone, Debug)]
pub(crate) struct Land {
    pub(crate) mesh: Mesh,
    pub(crate) look: LandLook,
    pub(crate) paint: LandPaint,
    /// Number in object pictures.
    pub(crate) object: u32,
}

impl Land {
    pub(crate) fn new(
        terrain: Arc<Terrain>,
        paint: LandPaint,
        object: u32,
        daylight: &Daylight,
    ) -> Self {
        let look = LandLook::new(&terrain, &paint, daylight);
        Self { mesh: Mesh::new(terrain), look, paint, object }
    }
}
