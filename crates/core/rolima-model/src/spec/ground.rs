//! What a scene says about rough ground.

use rolima_spatial::Terrain;
use std::sync::Arc;

/// Rough ground, and how finely what drives on it is computed.
///
/// A scene with ground runs in the spatial engine: its robots are vehicles, its balls and objects
/// free bodies, its walls obstacles that stand on the ground.
#[derive(Clone)]
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
    /// Points on the lower half of each rim, odd. Default 37 (the source).
    pub slices: u32,
    /// The contact of wheels is searched every so many fine steps. Default 1.
    pub contact_every: u32,
    /// Tyre and axle friction are evaluated every so many fine steps. Default 1.
    pub tyre_every: u32,
}

impl GroundSpec {
    /// Ground with the default fineness.
    pub fn new(name: impl Into<String>, terrain: Arc<Terrain>) -> Self {
        Self {
            terrain,
            name: name.into(),
            fine_step_s: 1e-3,
            control_period_s: 1e-2,
            slices: 37,
            contact_every: 1,
            tyre_every: 1,
        }
    }
}

impl PartialEq for GroundSpec {
    fn eq(&self, other: &Self) -> bool {
        format!("{self:?}") == format!("{other:?}")
    }
}

impl core::fmt::Debug for GroundSpec {
    // The model's fingerprint hashes this: the terrain as its hash, not whole.
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("GroundSpec")
            .field("terrain", &self.terrain.fingerprint())
            .field("name", &self.name)
            .field("fine_step_s", &self.fine_step_s)
            .field("control_period_s", &self.control_period_s)
            .field("slices", &self.slices)
            .field("contact_every", &self.contact_every)
            .field("tyre_every", &self.tyre_every)
            .finish()
    }
}
