//! What a scene says about rough ground.

use rolima_spatial::{CONTACT_EVERY, SLICES, TYRE_EVERY, Terrain};
use std::sync::Arc;

/// Rough ground, and how finely what drives on it is computed.
///
/// A scene with ground runs in the spatial engine: its robots are vehicles, its balls and objects
/// free bodies, its walls obstacles that stand on the ground.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundSpec {
    /// Heights, friction, edges.
    pub terrain: Arc<Terrain>,
    /// What the terrain is called in messages: its file, or what it was made by.
    pub name: String,
    /// Step of the vehicles, s: 1e-7 to the scene's step, which is a multiple of it. Default 1 ms.
    pub fine_step_s: f64,
    /// Vehicles take over commands every so often, s: a multiple of their step. Default 10 ms
    /// (ours).
    pub control_period_s: f64,
    /// Points on the lower half of each rim, odd.
    pub slices: u32,
    /// The contact of wheels is searched every so many fine steps.
    pub contact_every: u32,
    /// Tyre and axle friction are evaluated every so many fine steps.
    pub tyre_every: u32,
    /// What covers it as cameras and viewers see it. Default none.
    pub texture: Option<GroundTexture>,
}

/// A picture that covers ground or another surface, copy beside copy.
///
/// On the ground its columns run along x and its rows along -y, as seen from above; a copy has its upper
/// left corner at the origin. On walls and bodies rows run downwards.
#[derive(Clone, Debug, PartialEq)]
pub struct GroundTexture {
    /// What it is called in messages: its file, or the pattern.
    pub name: String,
    /// The picture.
    pub picture: Arc<GroundPicture>,
    /// Real size of one copy along x and y, m.
    pub size: [f64; 2],
}

/// A picture in colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroundPicture {
    /// Pixels across.
    pub width: usize,
    /// Pixels down.
    pub height: usize,
    /// Red, green and blue of each pixel, rows from the top.
    pub rgb: Vec<u8>,
}

impl GroundSpec {
    /// Ground with the default fineness.
    pub fn new(name: impl Into<String>, terrain: Arc<Terrain>) -> Self {
        Self {
            terrain,
            name: name.into(),
            fine_step_s: 1e-3,
            control_period_s: 1e-2,
            slices: SLICES.whole(),
            contact_every: CONTACT_EVERY.whole(),
            tyre_every: TYRE_EVERY.whole(),
            texture: None,
        }
    }
}
