//! Pictures whose every bit is tested, here and on wasm32.

use super::maze::{look, maze, place};
use super::road::road;
use crate::{BodyId, Camera, Lens, Pictures, Pose3, Quality, Renderer, Stage, StageError};
use rolima_math::{Hash64, Stream};

/// The goldens' names.
pub const GOLDENS: [&str; 4] = ["maze", "road", "nice", "tilted"];

/// Hash of `count` pictures of a golden: colours, depth and objects. 0 for names that do not exist,
/// and for stages that cannot be built.
pub fn golden(name: &str, count: u32) -> u64 {
    hash_of(name, count).unwrap_or(0)
}

fn hash_of(name: &str, count: u32) -> Result<u64, StageError> {
    let mut stage = if name == "road" { road(1)? } else { maze(1, 16, 20)? };
    let mut random = Stream::new(2, 0, name);
    let mut renderer = Renderer::new();
    let mut hash = Hash64::default();
    for i in 0..count {
        let Some(camera) = camera(name, i, &mut random) else { return Ok(0) };
        if name != "road" {
            let pose = |body| place(1, 16, body, f64::from(i));
            (0..20).for_each(|body| stage.set_pose(BodyId(body), pose(body)));
        }
        take_in(&mut renderer, &stage, &camera, &mut hash);
    }
    Ok(hash.finish())
}

fn camera(name: &str, i: u32, random: &mut Stream) -> Option<Camera> {
    let pose = look(random, 16);
    let lens = Lens::ROBOT_ONE;
    let quality = Quality::default();
    Some(match name {
        "maze" => Camera { lens, pose, quality },
        "road" => {
            let pose = Pose3::upright(0.0, 0.0, 0.5, 0.3 * f64::from(i));
            Camera { lens, pose, quality }
        }
        "nice" => Camera { lens, pose, quality: Quality { supersample: true, shadows: true } },
        "tilted" => {
            // Widths that are no multiple of the lanes, from above, rolled.
            let lens = Lens { width: 203, height: 151, ..lens };
            let turn = |low: f64, high: f64, random: &mut Stream| random.between(low, high);
            let angles =
                [turn(-3.0, 3.0, random), turn(-0.5, 1.5, random), turn(-3.0, 3.0, random)];
            let position = [pose.position[0], pose.position[1], turn(0.1, 6.0, random)];
            let pose = Pose3::from_angles(position, angles[0], angles[1], angles[2]);
            Camera { lens, pose, quality: Quality { supersample: false, shadows: true } }
        }
        _ => return None,
    })
}

fn take_in(renderer: &mut Renderer, stage: &Stage, camera: &Camera, hash: &mut Hash64) {
    let pixels = camera.lens.pixels();
    let (mut rgb, mut depth, mut objects) =
        (vec![0; 3 * pixels], vec![0.0; pixels], vec![0; pixels]);
    let pictures =
        Pictures { rgb: Some(&mut rgb), depth: Some(&mut depth), objects: Some(&mut objects) };
    if renderer.draw(stage, camera, pictures).is_err() {
        hash.word(0);
    }
    rgb.iter().for_each(|&byte| hash.word(u64::from(byte)));
    depth.iter().for_each(|metres| hash.word(u64::from(metres.to_bits())));
    objects.iter().for_each(|&object| hash.word(u64::from(object)));
}
