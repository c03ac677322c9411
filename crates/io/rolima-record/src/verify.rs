//! Whether a run, simulated again from its scene, its seed and its actions, goes as recorded; and what
//! differs first.

use crate::error::RecordError;
use crate::playback::Playback;
use crate::recording::Recording;
use crate::samples::{RecordedSample, Samples};
use crate::text::LineAt;
use rolima_core::Schema;
use rolima_run::live::log::Difference;
use std::sync::PoisonError;

/// How the verification of a recording came out.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// Steps that were simulated again.
    pub steps: u64,
    /// Recorded states that were compared.
    pub samples: u64,
    /// Numbers that were compared.
    pub numbers: u64,
    /// Hashes of states that were compared.
    pub hashes: u64,
    /// Whether the recording has its end; else it was compared as far as it goes.
    pub is_whole: bool,
    /// Recorded channels that this program does not have, and so cannot compare.
    pub unknown: Vec<String>,
    /// The first channel that differs, if one does.
    pub differs: Option<Differs>,
    /// Where hashes of states first differ, if they do.
    pub hash_differs: Option<Difference>,
}

/// The first difference between a run and its recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Differs {
    /// After how many steps of the run.
    pub step: u64,
    /// When, s of the run.
    pub time_s: f64,
    /// Up to which step all that was recorded was the same.
    pub same_until: u64,
    /// Which channel.
    pub channel: String,
    /// Its unit.
    pub unit: String,
    /// What was recorded.
    pub recorded: f64,
    /// What it is now.
    pub got: f64,
}

impl Differs {
    /// By how much.
    pub fn by(&self) -> f64 {
        (self.got - self.recorded).abs()
    }
}

/// Simulates a recorded run again and compares it with what was recorded, up to the first difference.
pub fn verify(recording: &Recording) -> Result<Verified, RecordError> {
    let (beginning, line_at) = recording.begin(None)?;
    let mut run = recording.playback(beginning);
    let mut result = Verified {
        steps: 0,
        samples: 0,
        numbers: 0,
        hashes: 0,
        is_whole: false,
        unknown: vec![],
        differs: None,
        hash_differs: None,
    };
    for scene in 0..recording.scenes().len() {
        let mut compared = Compared::new(recording, scene, &run, &mut result.unknown)?;
        let is_last = scene + 1 == recording.scenes().len();
        let same = compared.scene((&mut run, &line_at), &mut result, is_last)?;
        if !same {
            break;
        }
    }
    let replayed = run.replayed();
    result.steps = replayed.steps;
    result.hashes = replayed.compared;
    result.is_whole = replayed.logged.is_some();
    result.hash_differs = replayed.difference;
    Ok(result)
}

/// A scene that is compared.
struct Compared {
    samples: Samples,
    schema: Schema,
    /// Of each channel that both have, its number here; its name and unit.
    channels: Vec<(usize, String, String)>,
    double: bool,
    begin_step: u64,
    scenes_loaded: usize,
    same_until: u64,
    values: Vec<f64>,
}

impl Compared {
    fn new(
        recording: &Recording,
        scene: usize,
        run: &Playback,
        unknown: &mut Vec<String>,
    ) -> Result<Self, RecordError> {
        let known = &recording.scenes()[scene];
        let schema = Schema::new(run.session().world().model());
        let (mut recorded, mut channels) = (vec![], vec![]);
        for (number, channel) in known.channels.iter().enumerate() {
            // Nearly always it has the same number.
            let same =
                |i: &usize| schema.channels().get(*i).is_some_and(|c| c.name == channel.name);
            let own = [number].into_iter().chain(0..schema.channels().len()).find(same);
            match own {
                Some(own) => {
                    recorded.push(number);
                    channels.push((own, channel.name.clone(), channel.unit.clone()));
                }
                None => unknown.push(channel.name.clone()),
            }
        }
        Ok(Self {
            samples: recording.samples(scene, &recorded, [0.0, f64::INFINITY])?,
            schema,
            channels,
            double: known.double,
            begin_step: known.begin_step,
            scenes_loaded: scene,
            same_until: known.begin_step,
            values: vec![],
        })
    }

    /// Compares a scene to its end. False where something differs.
    fn scene(
        &mut self,
        (run, line_at): (&mut Playback, &LineAt),
        result: &mut Verified,
        is_last: bool,
    ) -> Result<bool, RecordError> {
        while let Some(sample) = self.samples.next()? {
            // All that was done before it.
            while !run.is_over() {
                let place = *line_at.lock().unwrap_or_else(PoisonError::into_inner);
                if place.is_none_or(|place| place > sample.at) || !run.play_next()? {
                    break;
                }
            }
            run.steps(sample.step.saturating_sub(run.session().steps_done()));
            run.session().read_channels(&self.schema, &mut self.values);
            result.samples += 1;
            result.numbers += self.channels.len() as u64;
            let found = differs(&sample, (&self.channels, &self.values), self.double);
            if let Some((channel, got)) = found {
                let (_, name, unit) = &self.channels[channel];
                result.differs = Some(Differs {
                    step: sample.step,
                    time_s: sample.time_s,
                    same_until: self.same_until,
                    channel: name.clone(),
                    unit: unit.clone(),
                    recorded: sample.values[channel],
                    got,
                });
                return Ok(false);
            }
            self.same_until = sample.step;
        }
        // What is left of this scene: in the last one all, else up to the next one's beginning.
        if is_last {
            while run.play_next()? {}
            return Ok(true);
        }
        while run.session().scenes_left().kept().count() <= self.scenes_loaded {
            if !run.play_next()? {
                break;
            }
        }
        Ok(run.session().steps_done() >= self.begin_step)
    }
}

/// The first channel whose value is not as recorded, and its value now.
fn differs(
    sample: &RecordedSample<'_>,
    (channels, values): (&[(usize, String, String)], &[f64]),
    double: bool,
) -> Option<(usize, f64)> {
    let kept = |x: f64| if double { x } else { f64::from(x as f32) };
    let is_same = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    channels.iter().enumerate().find_map(|(i, (own, _, _))| {
        let got = kept(*values.get(*own)?);
        (!is_same(got, sample.values[i])).then_some((i, got))
    })
}
