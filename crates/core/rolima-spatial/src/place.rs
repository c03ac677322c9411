//! Putting a vehicle down.

use crate::model::{SpatialModel, VehicleModel};
use rolima_math::{Quat, Vec3};

/// How far to raise a vehicle from its position so that its relaxed wheels and its chassis just
/// clear the ground: by the deepest point of any rim or of the hull.
pub(crate) fn resting_height(
    model: &SpatialModel,
    vehicle: &VehicleModel,
    position: Vec3,
    orientation: Quat,
) -> f64 {
    let [n, t, b] = orientation.axes();
    let mut most = f64::NEG_INFINITY;
    for at in &vehicle.hull {
        let p = position + n * at.x + t * at.y + b * at.z;
        most = most.max(model.terrain.height(p.x, p.y) - p.z);
    }
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

#[cfg(test)]
mod tests {
    use crate::terrain::{Grid, Terrain, TerrainSpec};
    use crate::{SpatialModel, SpatialSpec, SpatialWorld, presets};
    use rolima_math::{Pose2, Vec2};
    use std::sync::Arc;

    /// A rib along y, higher than vehicles are above the ground, between front and rear wheels.
    fn rib(height: f64) -> Arc<Terrain> {
        let (nx, ny) = (401, 3);
        let values = (0..nx * ny).map(|i| if i % nx == 200 { height } else { 0.0 }).collect();
        let (min, max) = (Vec2::new(-4.0, -4.0), Vec2::new(4.0, 4.0));
        let spec =
            TerrainSpec { min, max, heights: Grid { nx, ny, values }, ..TerrainSpec::flat(8.0) };
        Arc::new(Terrain::new(spec).expect("a good terrain"))
    }

    #[test]
    fn a_chassis_is_not_put_down_into_a_rib_between_its_wheels() {
        let clear = presets::vivi().ride_height() - presets::vivi().chassis.height[1];
        for (height, raised) in [(0.5 * clear, 0.0), (clear + 0.05, 0.05), (0.6, 0.6 - clear)] {
            let spec =
                SpatialSpec { vehicles: vec![presets::vivi()], ..SpatialSpec::new(rib(height)) };
            let model = Arc::new(SpatialModel::compile(spec).expect("a good world"));
            let (at, turn) = model.standing(0, Pose2::new(0.0, 0.0, 0.0)).expect("a vehicle");
            let ride = model.vehicles[0].spec.ride_height();
            assert!((at.z - ride - raised).abs() < 1e-9, "{height}: {at:?}");
            let lowest = model.vehicles[0].hull.iter().map(|p| {
                let q = at + turn.rotate(*p);
                q.z - model.terrain.height(q.x, q.y)
            });
            assert!(lowest.fold(f64::MAX, f64::min) > -1e-9);
            // Nothing throws it up: it comes to rest on the rib, or on its wheels.
            let mut world = SpatialWorld::new(model.clone());
            assert!(world.place(0, at, turn));
            let mut highest: f64 = 0.0;
            for _ in 0..500 {
                world.step();
                let state = &world.vehicle(0).expect("a vehicle").state;
                highest = highest.max(state.position.z);
                // No faster than what falls off a rib of this height.
                assert!(state.velocity.length() < 4.0 && state.position.is_finite());
            }
            assert!(highest <= at.z + 1e-3, "{height}: {highest} of {}", at.z);
        }
    }
}
