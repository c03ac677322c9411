//! H.264 in MP4, without any other program.
//!
//! Pictures go in as luma and halved chroma by BT.709, which the file says. The quality is constant and no
//! picture is left out, so that a film is as long as its reel.

use super::{Encode, Output, Reel};
use crate::FilmError;
use muxide::api::{Muxer, MuxerBuilder, MuxerError, VideoCodec};
use openh264::OpenH264API;
use openh264::encoder::{
    Encoder, EncoderConfig, FrameRate, FrameType, IntraFramePeriod, RateControlMode, VuiConfig,
};
use openh264::formats::YUVSource;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// The longer and the shorter side that the encoder takes, pixels.
const MOST: [u32; 2] = [3840, 2160];
/// Players jump to whole pictures, which come this often, s.
const WHOLE_EVERY_S: u32 = 2;

pub(super) struct Mp4 {
    output: Output,
    encoder: Encoder,
    /// Gathers the film, compressed, until it is finished: the index stands before the pictures.
    muxer: Muxer<BufWriter<File>>,
    planes: Planes,
    stream: Vec<u8>,
    fps: f64,
    taken: u64,
}

impl Mp4 {
    pub(super) fn create(reel: &Reel, path: &Path, force: bool) -> Result<Self, FilmError> {
        let [width, height] = reel.size;
        let [long, short] = [width.max(height), width.min(height)];
        let is_even = width % 2 == 0 && height % 2 == 0;
        if !is_even || short < 16 || long > MOST[0] || short > MOST[1] {
            let expected = "an even width and height, from 16 x 16 to 3840 x 2160 pixels";
            let got = format!("{width} x {height}");
            return Err(FilmError::Reel { format: "MP4", expected, got });
        }
        if reel.fps > 240 {
            let (expected, got) = ("at most 240 pictures a second", reel.fps.to_string());
            return Err(FilmError::Reel { format: "MP4", expected, got });
        }
        let (output, file) = Output::create(path, force)?;
        let config = EncoderConfig::new()
            .rate_control_mode(RateControlMode::Off)
            .skip_frames(false)
            .max_frame_rate(FrameRate::from_hz(reel.fps as f32))
            .intra_frame_period(IntraFramePeriod::from_num_frames(WHOLE_EVERY_S * reel.fps))
            // The other core draws.
            .num_threads(1)
            .vui(VuiConfig::bt709());
        let encoder = Encoder::with_api_config(OpenH264API::from_source(), config)
            .map_err(|error| output.refused(error))?;
        let fps = f64::from(reel.fps);
        let muxer = MuxerBuilder::new(BufWriter::new(file))
            .video(VideoCodec::H264, width, height, fps)
            .with_fast_start(true)
            .build()
            .map_err(|error| output.refused(error))?;
        let planes = Planes::new(width as usize, height as usize);
        Ok(Self { output, encoder, muxer, planes, stream: vec![], fps, taken: 0 })
    }
}

impl Encode for Mp4 {
    fn write(&mut self, rgb: &[u8]) -> Result<(), FilmError> {
        self.planes.fill(rgb);
        let encoded = self.encoder.encode(&self.planes);
        let picture = encoded.map_err(|error| self.output.refused(error))?;
        let is_whole = matches!(picture.frame_type(), FrameType::IDR | FrameType::I);
        self.stream.clear();
        picture.write_vec(&mut self.stream);
        let at_s = self.taken as f64 / self.fps;
        let muxed = self.muxer.write_video(at_s, &self.stream, is_whole);
        muxed.map_err(|error| broken(&self.output, error))?;
        self.taken += 1;
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), FilmError> {
        let Self { output, mut muxer, .. } = *self;
        muxer.finish_in_place().map_err(|error| broken(&output, error))?;
        let file = muxer.into_writer().into_inner();
        file.map(drop).map_err(|error| output.broken(error.into_error()))
    }

    fn call_off(self: Box<Self>) {
        let Self { output, muxer, .. } = *self;
        drop(muxer);
        output.remove();
    }
}

fn broken(output: &Output, error: MuxerError) -> FilmError {
    match error {
        MuxerError::Io(why) => output.broken(why),
        other => output.refused(other),
    }
}

/// A picture as the encoder takes it.
struct Planes {
    width: usize,
    height: usize,
    luma: Vec<u8>,
    blue: Vec<u8>,
    red: Vec<u8>,
}

/// Bits after the point of the numbers below.
const POINT: i32 = 16;

/// Weights of red, green and blue, of 219 shades of luma and 224 of chroma, by BT.709.
const LUMA: [i32; 3] = [11966, 40254, 4064];
const BLUE: [i32; 3] = [-6596, -22189, 28784];
const RED: [i32; 3] = [28784, -26145, -2639];

impl Planes {
    fn new(width: usize, height: usize) -> Self {
        let quarter = width / 2 * (height / 2);
        let (luma, blue, red) = (vec![0; width * height], vec![0; quarter], vec![0; quarter]);
        Self { width, height, luma, blue, red }
    }

    /// Two rows at a time: luma of every pixel, chroma of the mean of four.
    fn fill(&mut self, rgb: &[u8]) {
        let Self { width, luma, blue, red, .. } = self;
        let (width, half) = (*width, *width / 2);
        let rows = rgb.chunks_exact(6 * width).zip(luma.chunks_exact_mut(2 * width));
        let chroma = blue.chunks_exact_mut(half).zip(red.chunks_exact_mut(half));
        for ((rgb, luma), (blue, red)) in rows.zip(chroma) {
            for (luma, pixel) in luma.iter_mut().zip(rgb.chunks_exact(3)) {
                let sum = weigh(LUMA, [0, 1, 2].map(|i| i32::from(pixel[i])));
                *luma = ((sum + (1 << (POINT - 1))) >> POINT) as u8 + 16;
            }
            let (upper, lower) = rgb.split_at(3 * width);
            let fours = upper.chunks_exact(6).zip(lower.chunks_exact(6));
            for ((u, l), (blue, red)) in fours.zip(blue.iter_mut().zip(red.iter_mut())) {
                let four = [0, 1, 2].map(|i| {
                    let [a, b, c, d] = [u[i], u[i + 3], l[i], l[i + 3]].map(i32::from);
                    a + b + c + d
                });
                // Of four pixels: two bits more.
                let shade = |weights| (weigh(weights, four) + (1 << (POINT + 1))) >> (POINT + 2);
                *blue = (shade(BLUE) + 128) as u8;
                *red = (shade(RED) + 128) as u8;
            }
        }
    }
}

fn weigh(weights: [i32; 3], rgb: [i32; 3]) -> i32 {
    weights[0] * rgb[0] + weights[1] * rgb[1] + weights[2] * rgb[2]
}

impl YUVSource for Planes {
    fn dimensions(&self) -> (usize, usize) {
        (self.width, self.height)
    }

    fn strides(&self) -> (usize, usize, usize) {
        (self.width, self.width / 2, self.width / 2)
    }

    fn y(&self) -> &[u8] {
        &self.luma
    }

    fn u(&self) -> &[u8] {
        &self.blue
    }

    fn v(&self) -> &[u8] {
        &self.red
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn black_white_and_the_primaries_have_the_shades_of_the_standard() {
        let shades = |rgb: [u8; 3]| {
            let mut planes = Planes::new(2, 2);
            planes.fill(&rgb.repeat(4));
            [planes.luma[3], planes.blue[0], planes.red[0]]
        };
        assert_eq!(shades([0, 0, 0]), [16, 128, 128]);
        assert_eq!(shades([255, 255, 255]), [235, 128, 128]);
        assert_eq!(shades([255, 0, 0]), [63, 102, 240]);
        assert_eq!(shades([0, 255, 0]), [173, 42, 26]);
        assert_eq!(shades([0, 0, 255]), [32, 240, 118]);
    }
}
