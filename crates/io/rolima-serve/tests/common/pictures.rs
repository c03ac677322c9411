//! Pictures of cameras.

use rolima_core::World;
use rolima_render::{CameraRenderer, CameraShot, Pictures, camera_of};

/// The pixels of a PNG file.
pub fn decoded(png: &[u8]) -> Vec<u8> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().expect("a picture");
    let mut rgb = vec![0; reader.output_buffer_size().expect("a picture")];
    let info = reader.next_frame(&mut rgb).expect("a picture");
    assert_eq!(info.color_type, png::ColorType::Rgb);
    rgb
}

/// What a camera without noise took last.
pub fn taken(world: &World, device: usize) -> Vec<u8> {
    let exposure = world.exposure(device).expect("a camera");
    let (_, spec) = camera_of(world.model(), device).expect("a camera");
    let mut rgb = vec![0; 3 * (spec.pixels[0] * spec.pixels[1]) as usize];
    let mut camera_renderer = CameraRenderer::new(world.model()).expect("a stage");
    camera_renderer.place(&exposure.poses, &[]);
    let pictures = Pictures { rgb: Some(&mut rgb), depth: None, objects: None };
    let shot = CameraShot { poses: &exposure.poses, ..CameraShot::default() };
    camera_renderer.draw(world.model(), device, &shot, pictures).expect("a picture");
    rgb
}
