//! What goes from the run's thread to the one that writes.

use crate::pb::rolima;
use rolima_core::{Channel, Exposure, Model};
use rolima_math::{Pose2, Pose3};
use rolima_render::Grain;
use std::sync::Arc;

/// What goes from the run's thread to the one that writes.
pub(crate) enum Item {
    /// A line of the log.
    Log { time_ns: u64, text: Vec<u8> },
    /// A scene begins.
    Scene(Box<SceneItem>),
    /// The state.
    Sample(SampleItem),
    /// Something happened.
    Event { time_ns: u64, event: rolima::Event },
    /// The whole simulation.
    Saved { time_ns: u64, saved: rolima::Saved },
    /// A camera has taken a picture.
    Shot(Box<Shot>),
}

/// A scene that begins.
pub(crate) struct SceneItem {
    pub(crate) time_ns: u64,
    pub(crate) number: u32,
    pub(crate) name: String,
    pub(crate) model: Arc<Model>,
    pub(crate) seed: u64,
    pub(crate) rate_hz: f64,
    pub(crate) begin_step: u64,
    pub(crate) begin_s: f64,
    pub(crate) first_sample: u32,
    /// Those that are recorded.
    pub(crate) channels: Vec<Channel>,
}

/// The state at one instant.
#[derive(Default)]
pub(crate) struct SampleItem {
    /// Number of its scene.
    pub(crate) scene: u32,
    pub(crate) time_ns: u64,
    pub(crate) number: u32,
    /// Of the channels that are recorded.
    pub(crate) values: Vec<f64>,
    /// Where the bodies are, where that is told.
    pub(crate) poses: Option<Poses>,
    /// What the sensors read last, where any of them has messages of its own.
    pub(crate) readings: Vec<f64>,
}

/// Where bodies are.
pub(crate) enum Poses {
    Plane(Vec<Pose2>),
    Space(Vec<Pose3>),
}

/// A picture that a camera has taken, still to be drawn.
pub(crate) struct Shot {
    /// Number of its scene.
    pub(crate) scene: u32,
    pub(crate) time_ns: u64,
    pub(crate) device: usize,
    pub(crate) exposure: Exposure,
    pub(crate) grain: Option<Grain>,
}

impl Item {
    /// About how many bytes of memory it takes.
    pub(crate) fn size(&self) -> usize {
        const ITSELF: usize = size_of::<Item>();
        let more = match self {
            Self::Log { text, .. } => text.len(),
            Self::Scene(scene) => size_of::<SceneItem>() + 256 * scene.channels.len(),
            Self::Sample(sample) => {
                let poses = match &sample.poses {
                    None => 0,
                    Some(Poses::Plane(poses)) => size_of_val(poses.as_slice()),
                    Some(Poses::Space(poses)) => size_of_val(poses.as_slice()),
                };
                8 * (sample.values.len() + sample.readings.len()) + poses
            }
            Self::Event { event, .. } => event.kind.len() + event.text.len(),
            Self::Saved { saved, .. } => saved.simulation.len(),
            Self::Shot(shot) => {
                let Exposure { step: _, poses, spatial, motions } = &shot.exposure;
                let motions = size_of_val(motions.as_slice());
                let places = size_of_val(poses.as_slice()) + size_of_val(spatial.as_slice());
                size_of::<Shot>() + places + motions
            }
        };
        ITSELF + more
    }

    /// Whether all that comes after it makes no sense without it.
    pub(crate) fn is_needed(&self) -> bool {
        matches!(self, Self::Log { .. } | Self::Scene(_))
    }
}
