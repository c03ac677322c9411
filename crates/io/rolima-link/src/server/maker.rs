//! Pictures to messages.

use crate::PictureEncoder;
use crate::messages::{CameraInfo, EVERYWHERE, FrameHead, FramePatch, MOST_PATCHES, ServerMessage};
use rolima_core::model::{FrameFate, Mount};
use rolima_core::{CameraNoise, Exposure, Model};
use rolima_render::{
    CameraRenderer, CameraShot, DrawError, Grain, KeptPicture, PictureRect, StageError, camera_of,
};
use std::sync::Arc;

/// Why a camera makes no frames.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum MakerError {
    /// What stands before it cannot be drawn.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// It cannot be drawn with.
    #[error(transparent)]
    Draw(#[from] DrawError),
    /// It is no camera of the world.
    #[error("expected a camera of the world with at most 65,535 x 65,535 pixels, got sensor {0}")]
    NoCamera(usize),
}

/// Makes the messages of one camera of a world.
pub struct FrameMaker {
    model: Arc<Model>,
    device: usize,
    renderer: CameraRenderer,
    kept: KeptPicture,
    encoder: PictureEncoder,
    patches: Vec<FramePatch>,
}

impl FrameMaker {
    /// Of a camera, by its number among all sensors. `key` numbers its background.
    pub fn new(model: &Arc<Model>, device: usize, key: u32) -> Result<Self, MakerError> {
        let mut renderer = CameraRenderer::new(model)?;
        let kept = KeptPicture::new(&mut renderer, model, device)?;
        let kept = kept.ok_or(MakerError::NoCamera(device))?;
        let encoder = PictureEncoder::new(key, kept.size(), kept.background());
        let encoder = encoder.ok_or(MakerError::NoCamera(device))?;
        Ok(Self { model: Arc::clone(model), device, renderer, kept, encoder, patches: vec![] })
    }

    /// The camera of a name, by its number among all sensors.
    pub fn device(model: &Model, name: &str) -> Option<usize> {
        let all = model.devices_of(Mount::World);
        let mut cameras = all.filter(|device| camera_of(model, *device).is_some());
        cameras.find(|device| model.devices[*device].name == name)
    }

    /// What its clients are told first.
    pub fn info(&self, lock_step: bool) -> CameraInfo {
        let [width, height] = self.kept.size();
        let known = &self.model.devices[self.device];
        let period_s = known.rate.period_s;
        CameraInfo { width, height, period_s, lock_step, name: known.name.clone() }
    }

    /// The message with its background.
    pub fn key_message(&self) -> &[u8] {
        self.encoder.key_message()
    }

    /// What becomes of a frame on its way.
    pub fn fate(&self, noise: &CameraNoise) -> FrameFate {
        let known = camera_of(&self.model, self.device);
        known.map_or(FrameFate::OnTime, |(_, spec)| spec.imaging.fate(noise.stream, noise.taken))
    }

    /// Takes a picture, and adds its message to bytes.
    pub fn make(
        &mut self,
        exposure: &Exposure,
        noise: &CameraNoise,
        out: &mut Vec<u8>,
    ) -> Result<(), DrawError> {
        let Exposure { step, poses, spatial, motions } = exposure;
        let time_s = *step as f64 * self.model.step_s;
        let CameraNoise { sigma, taken, stream } = *noise;
        let grain = Some(Grain { sigma, stream, number: taken });
        let shot = CameraShot { poses, spatial, motions, time_s, grain };
        self.kept.take(&mut self.renderer, &self.model, &shot)?;
        let [width, height] = self.kept.size();
        self.patches.clear();
        let mut flags = 0;
        if self.kept.differs_everywhere() || self.kept.rects().len() > MOST_PATCHES {
            self.patches.push(patch(&PictureRect::whole(width, height)));
            flags = EVERYWHERE;
        } else {
            self.patches.extend(self.kept.rects().iter().map(patch));
        }
        let head = FrameHead { key: 0, number: taken, step: *step, time_s, flags };
        self.encoder.frame(head, self.kept.rgb(), &self.patches, out);
        Ok(())
    }

    /// The picture that was taken last: red, green, blue of each pixel, top row first.
    pub fn rgb(&self) -> &[u8] {
        self.kept.rgb()
    }

    /// Width and height, pixels.
    pub fn size(&self) -> [u32; 2] {
        self.kept.size()
    }

    /// Simulated time of a step, s.
    pub(crate) fn step_s(&self) -> f64 {
        self.model.step_s
    }

    /// The camera as clients in lock step, and others, are told of it.
    pub(crate) fn info_messages(&self) -> [Vec<u8>; 2] {
        [false, true].map(|lock_step| ServerMessage::Camera(self.info(lock_step)).bytes())
    }
}

fn patch(rect: &PictureRect) -> FramePatch {
    let [left, top, width, height] =
        [rect.left, rect.top, rect.width(), rect.height()].map(|x| x as u16);
    FramePatch { left, top, width, height }
}
