//! Values of channels over a stretch of a run.

use super::{History, HistoryError};
use rolima_core::model::BodyKind;
use rolima_core::{BodyId, Model, Schema};
use std::sync::Arc;

/// What is wanted of channels.
#[derive(Clone, Debug, PartialEq)]
pub struct SeriesWanted {
    /// Names of channels.
    pub channels: Vec<String>,
    /// From when to when, s of the run.
    pub span_s: [f64; 2],
    /// Most points.
    pub points: u32,
}

/// A channel of a series.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SeriesChannel {
    /// Its unit.
    pub unit: String,
    /// Whether there is a channel of this name.
    pub is_known: bool,
}

/// Values at one time, or least and largest from there to the next point.
pub struct SeriesPoint<'a> {
    /// When, s of the run.
    pub time_s: f64,
    /// Least and largest of each channel; not a number where there is none.
    pub ranges: &'a [[f64; 2]],
}

/// Takes points; false: no more.
pub type PointTaker<'a> = dyn FnMut(SeriesPoint<'_>) -> bool + 'a;

/// How often a run that is simulated again is looked at, 1/s.
const LOOKS_HZ: f64 = 60.0;

/// Puts values together to points.
pub struct Points<'a, 'b> {
    ranges: Vec<[f64; 2]>,
    /// When the point began that is put together.
    time_s: Option<f64>,
    begin_s: f64,
    width_s: f64,
    take: &'a mut PointTaker<'b>,
}

impl<'a, 'b> Points<'a, 'b> {
    /// For the points that are wanted.
    pub fn new(wanted: &SeriesWanted, take: &'a mut PointTaker<'b>) -> Self {
        let [begin_s, end_s] = wanted.span_s;
        let width_s = ((end_s - begin_s) / f64::from(wanted.points.max(2) - 1)).max(0.0);
        let ranges = vec![[f64::NAN; 2]; wanted.channels.len()];
        Self { ranges, time_s: None, begin_s, width_s, take }
    }

    /// Values at a time. False: no more are wanted.
    pub fn add(&mut self, time_s: f64, values: impl Iterator<Item = f64>) -> bool {
        let bin = |t: f64| {
            if self.width_s > 0.0 { ((t - self.begin_s) / self.width_s).floor() } else { 0.0 }
        };
        let is_new = self.time_s.is_none_or(|before| bin(before) != bin(time_s));
        if is_new && !self.finish() {
            return false;
        }
        if is_new {
            self.time_s = Some(time_s);
            self.ranges.fill([f64::NAN; 2]);
        }
        for (range, value) in self.ranges.iter_mut().zip(values) {
            // The least and largest of a number and none are the number.
            *range = [range[0].min(value), range[1].max(value)];
        }
        true
    }

    /// Hands on what was put together last.
    pub fn finish(&mut self) -> bool {
        match self.time_s.take() {
            Some(time_s) => (self.take)(SeriesPoint { time_s, ranges: &self.ranges }),
            None => true,
        }
    }
}

/// What the channels of a body begin with: `robot.blue-1`, `ball.ball`.
pub fn body_channel(model: &Model, body: BodyId) -> String {
    let kind = match model.body(body).map(|body| body.kind) {
        Some(BodyKind::Robot) => "robot",
        Some(BodyKind::Ball) => "ball",
        _ => "object",
    };
    format!("{kind}.{}", model.body_name(body))
}

/// The channels that tell where the bodies of a scene are, in their order.
pub fn pose_channels(model: &Model) -> Vec<String> {
    let schema = Schema::new(model);
    let known = |name: &String| schema.channels().iter().any(|channel| channel.name == *name);
    let parts = ["x", "y", "heading", "z", "roll", "pitch"];
    let turn = ["w", "x", "y", "z"].map(|part| format!("orientation.{part}"));
    let parts: Vec<String> = parts.map(str::to_owned).into_iter().chain(turn).collect();
    let bodies = (0..model.body_count() as u32).map(|body| body_channel(model, BodyId(body)));
    let names = bodies.flat_map(|body| {
        parts.iter().map(move |part| format!("{body}.{part}")).collect::<Vec<_>>()
    });
    names.filter(known).collect()
}

/// Values of channels of a run that is simulated again for them.
pub fn simulated_series(
    history: Arc<dyn History>,
    wanted: &SeriesWanted,
    take: &mut PointTaker<'_>,
) -> Result<Vec<SeriesChannel>, HistoryError> {
    let [begin, end] = wanted.span_s.map(|time_s| history.nearest(time_s).step);
    let mut rerun = history.rerun(begin)?;
    let mut points = Points::new(wanted, take);
    let mut told = vec![SeriesChannel::default(); wanted.channels.len()];
    let (mut schema, mut numbers, mut values) = (None, vec![], vec![]);
    loop {
        let step = rerun.session().steps_done();
        let step_s = rerun.session().world().model().step_s;
        if step >= begin {
            let model = rerun.scene().model.fingerprint;
            if schema.as_ref().is_none_or(|(of, _)| *of != model) {
                let new = Schema::new(rerun.session().world().model());
                numbers = numbers_of(&new, &wanted.channels, &mut told);
                schema = Some((model, new));
            }
            if let Some((_, schema)) = &schema {
                rerun.session().read_channels(schema, &mut values);
            }
            let chosen = numbers.iter().map(|number: &Option<usize>| {
                number.and_then(|n| values.get(n).copied()).unwrap_or(f64::NAN)
            });
            if !points.add(rerun.session().simulated_s(), chosen) {
                return Ok(told);
            }
        }
        let look = ((1.0 / LOOKS_HZ / step_s) as u64).max(1);
        let to_begin = if step < begin { begin - step } else { look };
        let count = to_begin.min(end.saturating_sub(step));
        if count == 0 || rerun.advance(count)? < count {
            break;
        }
        rerun.clear_events();
    }
    points.finish();
    Ok(told)
}

/// The number of each channel by its name.
fn numbers_of(schema: &Schema, names: &[String], told: &mut [SeriesChannel]) -> Vec<Option<usize>> {
    let number = |(name, told): (&String, &mut SeriesChannel)| {
        let number = schema.channels().iter().position(|channel| channel.name == *name)?;
        let unit = schema.channels()[number].unit.to_string();
        *told = SeriesChannel { unit, is_known: true };
        Some(number)
    };
    names.iter().zip(told).map(number).collect()
}
