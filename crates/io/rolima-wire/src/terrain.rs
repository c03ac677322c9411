//! Rough ground and what drives on it, for viewers.

use crate::{heights, pb};
use rolima_core::model::{GroundSpec, GroundTexture};
use rolima_math::Vec2;
use rolima_spatial::{Edge, Grid, Terrain, VehicleSpec, WheelSpec};

/// Most patches of friction that are sent: 512 x 512, a megabyte. Finer ones are sampled.
pub const MOST_PATCHES: usize = 512 * 512;

/// The ground as viewers get it: the very surface that wheels feel, but for half a step of
/// [`heights::QUANTUM`]. `colour`: 0xRRGGBB, where the scene says one.
pub fn message(ground: &GroundSpec, colour: Option<u32>) -> pb::Terrain {
    let terrain = &*ground.terrain;
    let spec = terrain.spec();
    let (min, max) = (spec.min, spec.max);
    let (friction_nx, friction_ny, friction) = match &spec.friction {
        None => (0, 0, vec![]),
        Some(map) => frictions(terrain, map),
    };
    let mut message = pb::Terrain {
        min_x: min.x,
        min_y: min.y,
        max_x: max.x,
        max_y: max.y,
        extended: spec.edge == Edge::Extended,
        friction_nx: friction_nx as u32,
        friction_ny: friction_ny as u32,
        friction,
        colour,
        texture: ground.texture.as_ref().map(texture),
        ..pb::Terrain::default()
    };
    heights::write(&spec.heights, &mut message);
    message
}

fn texture(texture: &GroundTexture) -> pb::Texture {
    let [size_x, size_y] = texture.size;
    pb::Texture {
        width: texture.picture.width as u32,
        height: texture.picture.height as u32,
        rgb: texture.picture.rgb.clone().into(),
        size_x,
        size_y,
    }
}

/// Patches of friction, sampled at their middles where there are more than may be sent.
fn frictions(terrain: &Terrain, map: &Grid) -> (usize, usize, Vec<f32>) {
    let (nx, ny) = thinned(map.nx, map.ny);
    let (min, max) = (terrain.spec().min, terrain.spec().max);
    let middle =
        |low: f64, high: f64, i: usize, n: usize| low + (high - low) * (i as f64 + 0.5) / n as f64;
    let at =
        |i: usize, j: usize| Vec2::new(middle(min.x, max.x, i, nx), middle(min.y, max.y, j, ny));
    let patches = (0..nx * ny).map(|n| at(n % nx, n / nx));
    (nx, ny, patches.map(|p| terrain.friction(p.x, p.y) as f32).collect())
}

/// How many patches are sent of a map: no more than [`MOST_PATCHES`] in all, about equally spaced
/// compared with the original.
fn thinned(nx: usize, ny: usize) -> (usize, usize) {
    if nx * ny <= MOST_PATCHES {
        return (nx, ny);
    }
    let share = (MOST_PATCHES as f64 / (nx as f64 * ny as f64)).sqrt();
    let side = |n: usize| ((n as f64 * share) as usize).clamp(1, n);
    let (x, y) = (side(nx), side(ny));
    // A long strip: its short side could not shrink as asked, so the long one does.
    if x < y { (x, y.min(MOST_PATCHES / x)) } else { (x.min(MOST_PATCHES / y), y) }
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
    fn no_map_of_friction_is_too_large_to_send() {
        for (nx, ny) in [(1, 1), (512, 512), (513, 512), (2048, 2048), (1 << 21, 2), (1, 1 << 21)] {
            let (x, y) = thinned(nx, ny);
            assert!(x * y <= MOST_PATCHES && x >= 1 && y >= 1, "{nx} x {ny}: {x} x {y}");
            assert!(nx * ny > MOST_PATCHES || (x, y) == (nx, ny));
            assert!(x * y > MOST_PATCHES / 2 || (x, y) == (nx, ny), "{nx} x {ny}: {x} x {y}");
        }
    }
}
