//! One picture of a camera, with depth and what stands at each pixel, as PNG files.

use crate::FilmError;
use png::{BitDepth, ColorType};
use rolima_core::World;
use rolima_render::{CameraRenderer, CameraShot, Grain, Pictures, camera_of};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// What a camera of a robot or of the world has seen at once.
pub struct Still {
    /// Width and height, pixels.
    pub size: [u32; 2],
    /// When it was taken: steps of the world.
    pub step: u64,
    rgb: Vec<u8>,
    depth: Vec<f32>,
    objects: Vec<u32>,
}

impl Still {
    /// Draws the newest picture of a camera, by its number among all sensors; none if that is no camera.
    pub fn take(world: &World, device: usize) -> Result<Option<Self>, FilmError> {
        let model = world.model();
        let (Some((_, spec)), Some(exposure)) = (camera_of(model, device), world.exposure(device))
        else {
            return Ok(None);
        };
        let size = spec.pixels;
        let count = size[0] as usize * size[1] as usize;
        let (mut rgb, mut depth, mut objects) =
            (vec![0; 3 * count], vec![0.0; count], vec![0; count]);
        let mut renderer = CameraRenderer::new(model)?;
        renderer.place(&exposure.poses, &exposure.spatial);
        let pictures =
            Pictures { rgb: Some(&mut rgb), depth: Some(&mut depth), objects: Some(&mut objects) };
        let noise = world.state().senses.camera_noise(device);
        let grain = noise.map(|n| Grain { sigma: n.sigma, stream: n.stream, number: n.taken });
        let shot = CameraShot {
            poses: &exposure.poses,
            spatial: &exposure.spatial,
            motions: &exposure.motions,
            time_s: exposure.step as f64 * model.step_s,
            grain,
        };
        renderer.draw(model, device, &shot, pictures)?;
        Ok(Some(Self { size, step: exposure.step, rgb, depth, objects }))
    }

    /// Writes what the camera sees.
    pub fn write_rgb(&self, path: &Path) -> Result<(), FilmError> {
        self.write(path, (ColorType::Rgb, BitDepth::Eight), &self.rgb)
    }

    /// Writes depth: 16 bits a pixel, mm along the optical axis, 65535 from there on.
    pub fn write_depth(&self, path: &Path) -> Result<(), FilmError> {
        // The cast saturates: nothing is farther than what fits.
        let millimetres = self.depth.iter().map(|metres| (metres * 1000.0).round() as u16);
        self.write_grey(path, millimetres)
    }

    /// Writes what stands at each pixel: 16 bits a pixel, by number.
    pub fn write_objects(&self, path: &Path) -> Result<(), FilmError> {
        let numbers = self.objects.iter().map(|&object| u16::try_from(object).unwrap_or(u16::MAX));
        self.write_grey(path, numbers)
    }

    fn write_grey(&self, path: &Path, values: impl Iterator<Item = u16>) -> Result<(), FilmError> {
        let bytes: Vec<u8> = values.flat_map(u16::to_be_bytes).collect();
        self.write(path, (ColorType::Grayscale, BitDepth::Sixteen), &bytes)
    }

    fn write(
        &self,
        path: &Path,
        (colour, bits): (ColorType, BitDepth),
        bytes: &[u8],
    ) -> Result<(), FilmError> {
        let broken = |why| FilmError::File { file: path.display().to_string(), why };
        let file = BufWriter::new(File::create(path).map_err(broken)?);
        let mut encoder = png::Encoder::new(file, self.size[0], self.size[1]);
        encoder.set_color(colour);
        encoder.set_depth(bits);
        let written = encoder.write_header().and_then(|mut writer| {
            writer.write_image_data(bytes)?;
            writer.finish()
        });
        written.map_err(|why| broken(why.into()))
    }
}
