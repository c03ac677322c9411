//! The scenes of a recording and their channels, as the file says.

use crate::layout::{Layout, Place};
use rolima_core::schema::matches_any;
use serde::{Deserialize, Serialize};

/// A scene of a recording: most have one, another one begins where another was loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedScene {
    /// Its number in the recording, from 0.
    pub number: usize,
    /// What it is called.
    pub name: String,
    /// Its title; may be empty.
    pub title: String,
    /// Key of all random numbers as it began.
    pub seed: u64,
    /// Length of a step, s.
    pub step_s: f64,
    /// Fingerprint of the compiled scene.
    pub model: u64,
    /// How often its state was recorded, 1/s.
    pub rate_hz: f64,
    /// Whether numbers are f64; else f32.
    pub double: bool,
    /// Steps of the run before it.
    pub begin_step: u64,
    /// When it began, s of the run.
    pub begin_s: f64,
    /// When it ended, or the last time in the file, s of the run.
    pub end_s: f64,
    /// Its channels, in the order of [`rolima_core::Schema`], as far as they were recorded.
    pub channels: Vec<RecordedChannel>,
    /// Number of its first sample.
    pub(crate) first_sample: u32,
    pub(crate) topics: Vec<String>,
    pub(crate) places: Vec<Place>,
}

/// One number of a world that is told by its name.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedChannel {
    /// Its name, such as `robot.blue-1.wheel.left.spin`.
    pub name: String,
    /// Its unit; empty where it has none.
    pub unit: String,
    /// What it means.
    pub meaning: String,
    /// Least and largest value that it can have.
    pub range: [f64; 2],
}

impl RecordedScene {
    /// Numbers of the channels whose names match, in their order: `*` stands for any letters between two
    /// dots, `**` for any at all; commas between patterns.
    pub fn find(&self, patterns: &str) -> Vec<usize> {
        let wanted = |&i: &usize| matches_any(patterns, &self.channels[i].name);
        (0..self.channels.len()).filter(wanted).collect()
    }

    /// The number of the channel of this name.
    pub fn channel(&self, name: &str) -> Option<usize> {
        self.channels.iter().position(|channel| channel.name == name)
    }
}

/// A scene as it stands in a file.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SceneLine {
    pub(crate) scene: usize,
    pub(crate) name: String,
    pub(crate) title: String,
    pub(crate) seed: u64,
    pub(crate) step_s: f64,
    /// Hexadecimal, as JSON's numbers may be read as f64.
    pub(crate) model: String,
    pub(crate) rate_hz: f64,
    pub(crate) double: bool,
    pub(crate) begin_step: u64,
    pub(crate) begin_s: f64,
    pub(crate) first_sample: u32,
    pub(crate) topics: Vec<String>,
    pub(crate) channels: Vec<ChannelLine>,
}

#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ChannelLine {
    name: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    unit: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    meaning: String,
    /// Open ends are null.
    range: [Option<f64>; 2],
    topic: usize,
    path: Vec<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
}

impl ChannelLine {
    /// The channels of a scene, and where they stand.
    pub(crate) fn of(channels: &[rolima_core::Channel], layout: &Layout) -> Vec<Self> {
        let one = |(channel, place): (&rolima_core::Channel, &Place)| Self {
            name: channel.name.clone(),
            unit: channel.unit.to_owned(),
            meaning: channel.meaning.to_owned(),
            range: channel.range.map(|end| end.is_finite().then_some(end)),
            topic: place.topic,
            path: place.path.clone(),
            index: place.index,
        };
        channels.iter().zip(&layout.places).map(one).collect()
    }
}

impl SceneLine {
    /// The scene; what was expected and what stands there if it makes no sense.
    pub(crate) fn scene(self) -> Result<RecordedScene, (String, String)> {
        let model = u64::from_str_radix(&self.model, 16)
            .map_err(|_| ("a fingerprint of a scene".to_owned(), self.model.clone()))?;
        let is_time = |s: f64| s.is_finite() && s >= 0.0;
        if !(self.step_s.is_finite() && self.step_s > 0.0 && is_time(self.begin_s)) {
            let got = format!("step_s {}, begin_s {}", self.step_s, self.begin_s);
            return Err(("times of a scene".to_owned(), got));
        }
        let mut channels = Vec::with_capacity(self.channels.len());
        let mut places = Vec::with_capacity(self.channels.len());
        for line in self.channels {
            let ChannelLine { name, unit, meaning, range: [low, high], topic, path, index } = line;
            if topic >= self.topics.len() || path.is_empty() || path.len() > MOST_DEPTH {
                return Err(("the place of a channel".to_owned(), format!("that of {name:?}")));
            }
            let range = [low.unwrap_or(f64::NEG_INFINITY), high.unwrap_or(f64::INFINITY)];
            channels.push(RecordedChannel { name, unit, meaning, range });
            places.push(Place { topic, path, index });
        }
        Ok(RecordedScene {
            number: self.scene,
            name: self.name,
            title: self.title,
            seed: self.seed,
            step_s: self.step_s,
            model,
            rate_hz: self.rate_hz,
            double: self.double,
            begin_step: self.begin_step,
            begin_s: self.begin_s,
            end_s: f64::INFINITY,
            channels,
            first_sample: self.first_sample,
            topics: self.topics,
            places,
        })
    }
}

/// Deepest nesting of messages that is read.
pub(crate) const MOST_DEPTH: usize = 64;
