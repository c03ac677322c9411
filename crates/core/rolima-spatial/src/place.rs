//! Putting a vehicle down.

use crate::model::{SpatialModel, VehicleModel};
use rolima_math::{Quat, Vec3};

/// How far to raise a vehicle from its position so that its relaxed wheels just clear the ground:
/// by the deepest point of any rim.
pub(crate) fn resting_height(
    model: &SpatialModel,
    vehicle: &VehicleModel,
    position: Vec3,
    orientation: Quat,
) -> f64 {
    let [n, t, b] = orientation.axes();
    let mut most = f64::NEG_INFINITY;
    for wheel in &vehicle.spec.wheels {
        let at = wheel.position;
        let hub = position + n * at.x + t * at.y + b * at.z;
        for side in [-0.5, 0.5] {
            for (s, c) in model.rim.sin.iter().zip(&model.rim.cos) {
                let p = hub + n * (wheel.radius * s) - b * (wheel.radius * c)
                    + t * (side * wheel.width);
                most = most.max(model.terrain.height(p.x, p.y) - p.z);
            }
        }
    }
    most
}
