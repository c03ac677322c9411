//! The recorded state over time: the values of channels, sample by sample.

use crate::decode::Wanted;
use crate::error::RecordError;
use crate::recording::{Recording, nanoseconds, seconds};
use crate::walk::Walk;
use std::collections::BTreeMap;

/// The state at one instant after the other; see [`Recording::samples`].
pub struct Samples {
    walk: Walk,
    /// What is wanted of the messages of each of MCAP's channels.
    wanted: BTreeMap<u16, Wanted>,
    values: Vec<f64>,
    numbers: std::ops::Range<u32>,
    double: bool,
    /// When the scene began, s and steps of the run, and how long a step is.
    begin: (f64, u64, f64),
}

/// The state at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'a> {
    /// When, s of the run.
    pub time_s: f64,
    /// Steps of the run that were done.
    pub step: u64,
    /// The values of the channels, in the order in which they were asked for; NaN where there is none.
    pub values: &'a [f64],
    /// Its chunk, and the place of its first message there.
    pub(crate) at: (usize, usize),
}

impl Recording {
    /// The state in a span of time, its ends included: the values of these channels of a scene, by their
    /// numbers in [`crate::Scene::channels`], in any order. Without any, only the times.
    pub fn samples(
        &self,
        scene: usize,
        channels: &[usize],
        span_s: [f64; 2],
    ) -> Result<Samples, RecordError> {
        let scenes = self.scenes();
        let not = |expected: String, got: usize| RecordError::Not {
            file: self.about().file.clone(),
            expected,
            got: got.to_string(),
        };
        let known = scenes
            .get(scene)
            .ok_or_else(|| not(format!("one of its {} scenes", scenes.len()), scene))?;
        let mut topics: Vec<(usize, Wanted)> = vec![];
        for (slot, &channel) in channels.iter().enumerate() {
            let place = known.places.get(channel).ok_or_else(|| {
                not(format!("one of the {} channels of scene {scene}", known.places.len()), channel)
            })?;
            let found = topics.iter().position(|(topic, _)| *topic == place.topic);
            let at = found.unwrap_or_else(|| {
                topics.push((place.topic, Wanted::default()));
                topics.len() - 1
            });
            topics[at].1.add(place, slot);
        }
        if topics.is_empty() && !known.topics.is_empty() {
            topics.push((0, Wanted::default()));
        }
        let mut wanted = BTreeMap::new();
        for (topic, fields) in topics {
            let ids = self.inner.container.channels_of(&known.topics[topic]);
            // Another scene may have the topic with another schema; its samples have other numbers.
            for id in ids {
                wanted.insert(id, fields.clone());
            }
        }
        let ids = wanted.keys().copied().collect();
        let next = scenes.get(scene + 1).map_or(u32::MAX, |next| next.first_sample);
        Ok(Samples {
            walk: Walk::new(self.inner.clone(), ids, span_s.map(nanoseconds)),
            wanted,
            values: vec![f64::NAN; channels.len()],
            numbers: known.first_sample..next,
            double: known.double,
            begin: (known.begin_s, known.begin_step, known.step_s),
        })
    }
}

impl Samples {
    /// The next one.
    #[allow(clippy::should_implement_trait)] // it lends its memory
    pub fn next(&mut self) -> Result<Option<Sample<'_>>, RecordError> {
        let mut current: Option<(u32, u64, (usize, usize))> = None;
        self.values.fill(f64::NAN);
        while let Some((number, message)) = self.walk.peek()? {
            if !self.numbers.contains(&message.sequence) {
                self.walk.skip();
                continue;
            }
            // A sample is in one chunk.
            if current
                .is_some_and(|(sequence, _, at)| sequence != message.sequence || at.0 != number)
            {
                break;
            }
            if current.is_none() {
                current = Some((message.sequence, message.time_ns, (number, message.place)));
            }
            if let Some(wanted) = self.wanted.get(&message.channel).filter(|w| !w.is_empty()) {
                wanted.clear(&mut self.values);
                if wanted.read(message.data, self.double, &mut self.values).is_none() {
                    let got = "something else".to_owned();
                    return Err(self.walk.wrong("the values of a scene's channels", got));
                }
            }
            self.walk.skip();
        }
        Ok(current.map(|(_, time_ns, at)| {
            let (begin_s, begin_step, step_s) = self.begin;
            let time_s = seconds(time_ns);
            let steps = ((time_s - begin_s) / step_s).round() as u64;
            Sample { time_s, step: begin_step.saturating_add(steps), values: &self.values, at }
        }))
    }
}
