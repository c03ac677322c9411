//! Draws pictures worth looking at into a folder: `cargo run --release --package rolima-render
//! --example shots -- FOLDER`.

use rolima_render::scenes::{bench_scene, road, road_line};
use rolima_render::{Camera, Lens, Pictures, Pose3, Quality, Renderer, Stage};
use std::error::Error;
use std::fs::File;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("expected a folder")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let nice = Quality { supersample: true, shadows: true };
    let lens = Lens::ROBOT_ONE;

    let (stage, cameras) = bench_scene(1)?;
    for (i, camera) in cameras.iter().take(6).enumerate() {
        shot(folder, &format!("maze-{i}"), &stage, camera)?;
        let camera = Camera { quality: nice, ..*camera };
        shot(folder, &format!("maze-{i}-nice"), &stage, &camera)?;
    }
    let large = Lens { width: 960, height: 720, ..lens }.with_square_pixels();
    let pose = Pose3::from_angles([-6.0, 20.0, 14.0], 0.0, 0.62, 0.0);
    shot(folder, "maze-above", &stage, &Camera { lens: large, pose, quality: nice })?;

    let stage = road(1)?;
    let line = road_line();
    for i in [0, 40, 75, 130, 200] {
        let (a, b) = (line[i], line[i + 1]);
        let heading = rolima_math::atan2(b[1] - a[1], b[0] - a[0]);
        let pose = Pose3::upright(a[0], a[1], 0.55, heading);
        let camera = Camera { lens, pose, quality: Quality { supersample: false, shadows: true } };
        shot(folder, &format!("road-{i}"), &stage, &camera)?;
    }
    let pose = Pose3::from_angles([-60.0, -40.0, 26.0], 0.8, 0.22, 0.0);
    shot(folder, "road-above", &stage, &Camera { lens: large, pose, quality: nice })?;
    Ok(())
}

/// Colours as `NAME.png`, depth and objects as grey and coloured pictures beside it.
fn shot(folder: &Path, name: &str, stage: &Stage, camera: &Camera) -> Result<(), Box<dyn Error>> {
    let pixels = camera.lens.pixels();
    let (mut rgb, mut depth, mut objects) =
        (vec![0; 3 * pixels], vec![0.0; pixels], vec![0; pixels]);
    let pictures =
        Pictures { rgb: Some(&mut rgb), depth: Some(&mut depth), objects: Some(&mut objects) };
    Renderer::new().draw(stage, camera, pictures)?;
    write(folder, name, camera, &rgb)?;
    let grey: Vec<u8> = depth.iter().flat_map(|d| [(255.0 / (1.0 + 0.15 * d)) as u8; 3]).collect();
    write(folder, &format!("{name}-depth"), camera, &grey)?;
    let coloured = |object: &u32| {
        let mixed = rolima_math::random::mix(u64::from(*object)).to_le_bytes();
        [mixed[0], mixed[1], mixed[2]]
    };
    let colours: Vec<u8> = objects.iter().flat_map(coloured).collect();
    write(folder, &format!("{name}-objects"), camera, &colours)
}

fn write(folder: &Path, name: &str, camera: &Camera, rgb: &[u8]) -> Result<(), Box<dyn Error>> {
    let file = File::create(folder.join(format!("{name}.png")))?;
    let mut encoder = png::Encoder::new(file, camera.lens.width, camera.lens.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(rgb)?;
    Ok(())
}
