//! A picture of a camera.

use axum::body::Bytes;
use rolima_core::model::Mount;
use std::sync::OnceLock;

/// A picture of a camera.
#[derive(Debug)]
pub struct CameraImage {
    /// Which scene.
    pub generation: u32,
    /// What carries the camera.
    pub mount: Mount,
    /// Which of the sensors of that robot, or of the world.
    pub sensor: u32,
    /// Steps done when it was taken.
    pub step: u64,
    /// Counts the camera's pictures, from 1.
    pub number: u64,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Red, green and blue of each pixel, top row first.
    pub rgb: Vec<u8>,
    pub(super) png: OnceLock<Bytes>,
}

impl CameraImage {
    /// The picture as a PNG file, made when the first one asks.
    pub fn png(&self) -> Bytes {
        self.png.get_or_init(|| encode(self.width, self.height, &self.rgb).into()).clone()
    }
}

impl AsRef<[u8]> for CameraImage {
    /// Red, green and blue of each pixel.
    fn as_ref(&self) -> &[u8] {
        &self.rgb
    }
}

/// A PNG file; empty where there is nothing to write.
fn encode(width: u32, height: u32, rgb: &[u8]) -> Vec<u8> {
    let mut file = vec![];
    let mut encoder = png::Encoder::new(&mut file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(rgb));
    if written.is_err() {
        file.clear();
    }
    file
}
