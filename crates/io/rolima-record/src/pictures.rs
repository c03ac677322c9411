//! Cameras' pictures, drawn on the thread that writes.

use crate::item::Shot;
use crate::options::PictureFormat;
use image::codecs::jpeg::JpegEncoder;
use image::codecs::png::{CompressionType, FilterType, PngEncoder};
use image::{ExtendedColorType, ImageEncoder};
use rolima_core::{Exposure, Model};
use rolima_render::{CameraRenderer, CameraShot, Pictures, camera_of};
use std::collections::BTreeMap;

/// How good JPEG pictures are, of 100.
const QUALITY: u8 = 85;

/// Draws the pictures of a scene's cameras.
pub(crate) struct PictureRenderer {
    /// Where the pictures of each camera go.
    channels: BTreeMap<usize, u16>,
    eyes: Option<CameraRenderer>,
    rgb: Vec<u8>,
}

impl PictureRenderer {
    pub(crate) fn new(channels: BTreeMap<usize, u16>) -> Self {
        Self { channels, eyes: None, rgb: vec![] }
    }

    /// Draws a picture. Returns where it goes and the bytes of its file.
    pub(crate) fn draw(
        &mut self,
        model: &Model,
        shot: &Shot,
        format: PictureFormat,
    ) -> Result<(u16, Vec<u8>), String> {
        let none = || format!("sensor {} is no camera", shot.device);
        let channel = *self.channels.get(&shot.device).ok_or_else(none)?;
        let (_, spec) = camera_of(model, shot.device).ok_or_else(none)?;
        let [width, height] = spec.pixels;
        if self.eyes.is_none() {
            self.eyes = Some(CameraRenderer::new(model).map_err(|why| why.to_string())?);
        }
        let Some(eyes) = &mut self.eyes else { return Err(none()) };
        let Exposure { step, poses, spatial, motions } = &shot.exposure;
        eyes.place(poses, spatial);
        let (time_s, grain) = (*step as f64 * model.step_s, shot.grain);
        let seen = CameraShot { poses, spatial, motions, time_s, grain };
        self.rgb.resize(3 * width as usize * height as usize, 0);
        let pictures = Pictures { rgb: Some(&mut self.rgb), depth: None, objects: None };
        eyes.draw(model, shot.device, &seen, pictures).map_err(|why| why.to_string())?;
        let mut file = vec![];
        let (rgb, kind) = (&self.rgb, ExtendedColorType::Rgb8);
        let encoded = match format {
            PictureFormat::Png => {
                let (fast, filter) = (CompressionType::Fast, FilterType::Adaptive);
                PngEncoder::new_with_quality(&mut file, fast, filter)
                    .write_image(rgb, width, height, kind)
            }
            PictureFormat::Jpeg => JpegEncoder::new_with_quality(&mut file, QUALITY)
                .write_image(rgb, width, height, kind),
        };
        encoded.map_err(|why| why.to_string())?;
        Ok((channel, file))
    }
}
