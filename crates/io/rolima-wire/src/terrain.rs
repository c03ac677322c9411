//! Rough ground and what drives on it, for viewers.

use crate::pb;
use rolima_math::Vec2;
use rolima_spatial::{Edge, Terrain, VehicleSpec, WheelSpec};

/// Most heights, and most patches of friction, that are sent: 257 x 257. More than a screen shows;
/// a quarter of a megabyte.
pub const MOST_NODES: usize = 257 * 257;

/// The ground as viewers get it: thinned where it is finer than they need. `colour`: 0xRRGGBB,
/// where the scene says one.
pub fn message(terrain: &Terrain, colour: Option<u32>) -> pb::Terrain {
    let spec = terrain.spec();
    let (min, max) = (spec.min, spec.max);
    let (nx, ny) = thinned(spec.heights.nx, spec.heights.ny, 2);
    let heights = if (nx, ny) == (spec.heights.nx, spec.heights.ny) {
        spec.heights.values.iter().map(|z| *z as f32).collect()
    } else {
        let at = |low: f64, high: f64, i: usize, n: usize| {
            low + (high - low) * i as f64 / (n - 1) as f64
        };
        sampled(nx, ny, |i, j| terrain.height(at(min.x, max.x, i, nx), at(min.y, max.y, j, ny)))
    };
    let (friction_nx, friction_ny, friction) = match &spec.friction {
        None => (0, 0, vec![]),
        Some(map) => {
            let (nx, ny) = thinned(map.nx, map.ny, 1);
            let middle = |low: f64, high: f64, i: usize, n: usize| {
                low + (high - low) * (i as f64 + 0.5) / n as f64
            };
            let at = |i: usize, j: usize| {
                Vec2::new(middle(min.x, max.x, i, nx), middle(min.y, max.y, j, ny))
            };
            let values = sampled(nx, ny, |i, j| terrain.friction(at(i, j).x, at(i, j).y));
            (nx, ny, values)
        }
    };
    pb::Terrain {
        min_x: min.x,
        min_y: min.y,
        max_x: max.x,
        max_y: max.y,
        nx: nx as u32,
        ny: ny as u32,
        heights,
        extended: spec.edge == Edge::Extended,
        friction_nx: friction_nx as u32,
        friction_ny: friction_ny as u32,
        friction,
        colour,
    }
}

/// How many nodes are sent of a grid: no more than [`MOST_NODES`] in all, about equally spaced
/// compared with the original, and at least `fewest` a side.
fn thinned(nx: usize, ny: usize, fewest: usize) -> (usize, usize) {
    if nx * ny <= MOST_NODES {
        return (nx, ny);
    }
    let share = (MOST_NODES as f64 / (nx as f64 * ny as f64)).sqrt();
    let side = |n: usize| ((n as f64 * share) as usize).clamp(fewest, n);
    let (x, y) = (side(nx), side(ny));
    // A long strip: its short side could not shrink as asked, so the long one does.
    if x < y { (x, y.min(MOST_NODES / x)) } else { (x.min(MOST_NODES / y), y) }
}

fn sampled(nx: usize, ny: usize, value: impl Fn(usize, usize) -> f64) -> Vec<f32> {
    (0..ny).flat_map(|j| (0..nx).map(move |i| (i, j))).map(|(i, j)| value(i, j) as f32).collect()
}

/// The suspended wheels of a vehicle, in its own frame.
pub(crate) fn wheels(vehicle: &VehicleSpec) -> Vec<pb::Wheel> {
    let ride_height = vehicle.ride_height();
    let wheel = |wheel: &WheelSpec| pb::Wheel {
        x: wheel.position.x as f32,
        y: wheel.position.y as f32,
        z: (wheel.position.z + ride_height) as f32,
        radius: wheel.radius as f32,
        width: wheel.width as f32,
        ball: wheel.ball,
    };
    vehicle.wheels.iter().map(wheel).collect()
}

/// The box of a vehicle's chassis, in the vehicle's frame.
pub(crate) fn chassis(vehicle: &VehicleSpec) -> Vec<f32> {
    let ride_height = vehicle.ride_height();
    let box_of = &vehicle.chassis;
    [
        -box_of.length[1],
        -box_of.width[1],
        ride_height - box_of.height[1],
        box_of.length[0],
        box_of.width[0],
        ride_height + box_of.height[0],
    ]
    .map(|x| x as f32)
    .to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_grid_is_too_large_to_send() {
        for (nx, ny) in [(2, 2), (257, 257), (258, 257), (2048, 2048), (1 << 21, 2), (2, 1 << 21)] {
            let (x, y) = thinned(nx, ny, 2);
            assert!(x * y <= MOST_NODES && x >= 2 && y >= 2, "{nx} x {ny}: {x} x {y}");
            assert!(nx * ny > MOST_NODES || (x, y) == (nx, ny));
            assert!(x * y > MOST_NODES / 2 || (x, y) == (nx, ny), "{nx} x {ny}: {x} x {y}");
        }
        assert_eq!(thinned(1, 1 << 20, 1), (1, MOST_NODES));
    }
}
