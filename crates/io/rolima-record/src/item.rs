//! What goes from the run's thread to the one that writes.

use crate::foxglove::upright;
use crate::pb::rolima;
use rolima_core::{Channel, Exposure, Frame, Model};
use rolima_math::{Pose2, Pose3, Quat, Rot2, Vec2, Vec3};
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
    /// In memory that is used again: the values of the channels that are recorded; what the sensors read
    /// last, where any of them has messages of its own; where the bodies are, where that is told.
    pub(crate) numbers: Vec<f64>,
    /// How many of them are of channels, and how many more are readings.
    pub(crate) channels: usize,
    pub(crate) readings: usize,
    /// What the rest of them says.
    pub(crate) poses: Poses,
}

/// Where bodies are, and with how many numbers each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Poses {
    #[default]
    Untold,
    /// Position, cosine and sine.
    Plane,
    /// Position, quaternion with its real part first.
    Space,
}

impl SampleItem {
    /// The values of channels.
    pub(crate) fn values(&self) -> &[f64] {
        &self.numbers[..self.channels]
    }

    /// What the sensors read last.
    pub(crate) fn readings(&self) -> &[f64] {
        &self.numbers[self.channels..][..self.readings]
    }

    /// Where the bodies are, if that is told.
    pub(crate) fn poses(&self) -> impl Iterator<Item = Pose3> {
        let numbers = &self.numbers[self.channels + self.readings..];
        let width = if self.poses == Poses::Space { 7 } else { 4 };
        numbers.chunks_exact(width).map(|pose| match *pose {
            [x, y, z, w, qx, qy, qz] => {
                Pose3 { position: Vec3 { x, y, z }, rotation: Quat { w, x: qx, y: qy, z: qz } }
            }
            [x, y, c, s] => {
                upright(Pose2 { position: Vec2 { x, y }, rotation: Rot2 { c, s } }, 0.0)
            }
            _ => Pose3::default(),
        })
    }

    /// Tells where the bodies are.
    pub(crate) fn put_poses(&mut self, frame: &Frame) {
        if frame.spatial.is_empty() {
            self.poses = Poses::Plane;
            self.numbers.extend(frame.bodies.iter().flat_map(|body| {
                let Pose2 { position, rotation } = body.pose;
                [position.x, position.y, rotation.c, rotation.s]
            }));
        } else {
            self.poses = Poses::Space;
            self.numbers.extend(frame.spatial.iter().flat_map(|pose| {
                let (p, q) = (pose.position, pose.rotation);
                [p.x, p.y, p.z, q.w, q.x, q.y, q.z]
            }));
        }
    }
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
            Self::Sample(sample) => 8 * sample.numbers.len(),
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
