//! A recording as what was simulated of a run and can be gone back to.

use crate::error::RecordError;
use crate::playback::BranchOrigin;
use crate::recorded_rerun::RecordedRerun;
use crate::recording::{At, Recording};
use rolima_agents::Simulation;
use rolima_run::live::history::{
    History, HistoryError, HistoryMark, HistoryMarks, HistoryScene, PointTaker, Points, Rerun,
    SeriesChannel, SeriesWanted, Stretch, StretchRerun, StretchStart, Stretches,
};
use rolima_run::live::log::{Entry, Header, LogLine, LogReader, Replay};
use rolima_run::live::{MapSource, RunInstant};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What was done, each with the steps before it; and at which step another scene was loaded, if one was.
type Done = (Vec<(u64, Entry)>, Option<u64>);

/// A recording that is gone over: any of its instants is simulated again from the nearest saved one. What
/// cannot be simulated again is shown as it was recorded.
pub struct RecordedHistory {
    recording: Recording,
    name: String,
    span: [RunInstant; 2],
    /// What is known of its scenes by now.
    scenes: Mutex<BTreeMap<usize, Arc<SceneOfFile>>>,
}

/// A scene of a recording, read and compiled.
struct SceneOfFile {
    scene: Arc<HistoryScene>,
    /// The lines that a log of it would begin with.
    head: Vec<u8>,
    seed: u64,
    /// The line by which it was loaded; none of the first.
    loaded_at: Option<At>,
    /// Why it is not the scene that was recorded, if this program makes another one of its files.
    differs: Option<String>,
}

impl RecordedHistory {
    /// A recording to be gone over.
    pub fn new(recording: Recording) -> Arc<Self> {
        let name = file_name(&recording.about().file);
        let [begin, end] = [recording.scenes().first(), recording.scenes().last()];
        let at = |scene: &crate::schema::RecordedScene, time_s: f64| {
            let steps = ((time_s - scene.begin_s) / scene.step_s).round().max(0.0) as u64;
            RunInstant { step: scene.begin_step.saturating_add(steps), time_s }
        };
        let begin = begin.map(|scene| at(scene, scene.begin_s)).unwrap_or_default();
        let end = end.map(|scene| at(scene, recording.span_s()[1])).unwrap_or_default();
        Arc::new(Self { recording, name, span: [begin, end], scenes: Mutex::default() })
    }

    /// The recording.
    pub fn recording(&self) -> &Recording {
        &self.recording
    }

    /// Where a run comes from that goes on from an instant of it.
    pub fn origin(&self, at: RunInstant, state_hash: u64) -> BranchOrigin {
        let file = self.recording.about().file.clone();
        BranchOrigin { file, time_s: at.time_s, step: at.step, state_hash }
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<usize, Arc<SceneOfFile>>> {
        self.scenes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of the scene that runs at a step.
    fn number_at(&self, step: u64) -> usize {
        let begun = self.recording.scenes().partition_point(|scene| scene.begin_step <= step);
        begun.saturating_sub(1)
    }

    /// When a step is, s of the run.
    pub(crate) fn time_of(&self, step: u64) -> f64 {
        let scene = &self.recording.scenes()[self.number_at(step)];
        scene.begin_s + step.saturating_sub(scene.begin_step) as f64 * scene.step_s
    }

    /// A scene of the file.
    fn scene(&self, number: usize) -> Result<Arc<SceneOfFile>, RecordError> {
        if let Some(known) = self.known().get(&number) {
            return Ok(Arc::clone(known));
        }
        let (header, loaded_at) = self.recording.header_at(number)?;
        let made = Arc::new(scene_of(&self.recording, header, loaded_at)?);
        self.known().insert(number, Arc::clone(&made));
        Ok(made)
    }

    /// The scene that runs at a step, for whoever shows it as it was recorded; and its number.
    pub(crate) fn scene_at(&self, step: u64) -> Result<(Arc<HistoryScene>, usize), RecordError> {
        let number = self.number_at(step);
        Ok((Arc::clone(&self.scene(number)?.scene), number))
    }

    fn stretch(&self, step: u64) -> Result<Stretch, RecordError> {
        let number = self.number_at(step);
        let known = &self.recording.scenes()[number];
        let of_file = self.scene(number)?;
        // Half a step later is still before the next one.
        let saved = self.recording.saved_before(self.time_of(step) + 0.5 * known.step_s)?;
        let saved = saved.filter(|saved| saved.scene == number && saved.step <= step);
        let (begin, start, after) = match saved {
            Some(saved) => {
                let begin = RunInstant { step: saved.step, time_s: saved.time_s };
                (begin, StretchStart::Saved(saved.bytes.into()), Some(saved.at))
            }
            None => {
                let begin = RunInstant { step: known.begin_step, time_s: known.begin_s };
                (begin, StretchStart::First(of_file.seed), of_file.loaded_at)
            }
        };
        let next = self.recording.saved_after(after, number)?;
        let (entries, loads) = self.entries(&of_file, after, next.map(|(_, at)| at))?;
        let end = loads.or(next.map(|(step, _)| step));
        let (end_step, is_last) = (end.unwrap_or(self.span[1].step), end.is_none());
        let scene = Arc::clone(&of_file.scene);
        Ok(Stretch { scene, begin, start, entries, end_step, is_last })
    }

    /// What was done between two places of the file; and at which step another scene was loaded, which
    /// ends it.
    fn entries(
        &self,
        of: &SceneOfFile,
        after: Option<At>,
        before: Option<At>,
    ) -> Result<Done, RecordError> {
        let head = if after.is_some() { of.head.clone() } else { vec![] };
        let (mut log, line_at) = self.recording.log_from(head, after)?;
        let mut entries = vec![];
        while let Some(line) = log.read()? {
            let place = *line_at.lock().unwrap_or_else(PoisonError::into_inner);
            if place.zip(before).is_some_and(|(place, before)| place > before) {
                break;
            }
            match line {
                LogLine::Entry(step, Entry::Load { .. }) => return Ok((entries, Some(step))),
                LogLine::Entry(step, entry) => entries.push((step, entry)),
                LogLine::End(_) => break,
            }
        }
        Ok((entries, None))
    }
}

/// Reads and compiles a scene; one that this program makes otherwise is one to look at.
fn scene_of(
    recording: &Recording,
    header: Header,
    loaded_at: Option<At>,
) -> Result<SceneOfFile, RecordError> {
    let head = recording.header_lines(&header)?;
    let (model, map, differs) =
        match LogReader::new(&recording.about().file, &head[..]).and_then(Replay::new) {
            Ok((_, start)) => (start.model, start.map, None),
            Err(why) => {
                let failed = |_| RecordError::Log(why_again(&recording.about().file, &why));
                let scene = header.source.load().map_err(failed)?;
                let failed = |_| RecordError::Log(why_again(&recording.about().file, &why));
                let model = Arc::new(scene.compile().map_err(failed)?);
                let map = scene.map.as_ref().map(ToString::to_string);
                let map = map.map(|text| Arc::new(MapSource { text, ..MapSource::default() }));
                (model, map, Some(why.to_string()))
            }
        };
    let mut scene = HistoryScene::new(header.scene, model);
    (scene.map, scene.source) = (map, Some(header.source));
    let (scene, seed) = (Arc::new(scene), header.seed);
    Ok(SceneOfFile { scene, head, seed, loaded_at, differs })
}

/// The same error once more.
fn why_again(file: &str, why: &rolima_run::live::log::LogError) -> rolima_run::live::log::LogError {
    let source = std::io::Error::other(why.to_string());
    rolima_run::live::log::LogError::File { file: file.to_owned(), source }
}

/// A file's name without its folder.
fn file_name(file: &str) -> String {
    let name =
        std::path::Path::new(file).file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| file.to_owned())
}

fn failed(why: RecordError) -> HistoryError {
    HistoryError(why.to_string())
}

impl Stretches for RecordedHistory {
    fn stretch_at(&self, step: u64) -> Result<Arc<Stretch>, HistoryError> {
        self.stretch(step).map(Arc::new).map_err(failed)
    }
}

impl RecordedHistory {
    /// Why the run cannot be simulated again from this step on, if it cannot.
    fn inexact(&self, step: u64) -> Result<Option<String>, RecordError> {
        let number = self.number_at(step);
        if let Some(why) = &self.scene(number)?.differs {
            return Ok(Some(why.clone()));
        }
        let known = &self.recording.scenes()[number];
        let saved = self.recording.saved_before(self.time_of(step) + 0.5 * known.step_s)?;
        let Some(saved) = saved.filter(|saved| saved.scene == number) else { return Ok(None) };
        let mut simulation: Simulation = self.scene(number)?.scene.any_simulation();
        if let Err(why) = simulation.restore(&saved.bytes) {
            let by = &self.recording.about().rolima;
            return Ok(Some(format!("{why} (written by rolima {by})")));
        }
        let is_same = simulation.state_hash() == saved.state_hash;
        Ok((!is_same).then(|| "what was saved has another state than it says".to_owned()))
    }
}

impl History for RecordedHistory {
    fn file(&self) -> &str {
        &self.name
    }

    fn span(&self) -> [RunInstant; 2] {
        self.span
    }

    fn nearest(&self, time_s: f64) -> RunInstant {
        let scenes = self.recording.scenes();
        let begun = scenes.partition_point(|scene| scene.begin_s <= time_s);
        let scene = &scenes[begun.saturating_sub(1)];
        let steps = ((time_s - scene.begin_s) / scene.step_s).round().max(0.0) as u64;
        let [begin, end] = self.span;
        let step = scene.begin_step.saturating_add(steps).clamp(begin.step, end.step);
        RunInstant { step, time_s: self.time_of(step) }
    }

    fn rerun(self: Arc<Self>, step: u64) -> Result<Box<dyn Rerun>, HistoryError> {
        if let Some(why) = self.inexact(step).map_err(failed)? {
            let rerun = RecordedRerun::new(self, step, why.into()).map_err(failed)?;
            return Ok(Box::new(rerun));
        }
        Ok(Box::new(StretchRerun::new(self, step)?))
    }

    fn marks(&self) -> Result<HistoryMarks, HistoryError> {
        let mut marks = self.marks_of_log().map_err(failed)?;
        for event in self.recording.events(self.recording.span_s()) {
            let event = event.map_err(failed)?;
            let bodies = event.robot.into_iter().chain(event.body).chain(event.other);
            marks.add(HistoryMark {
                time_s: event.time_s,
                kind: event.kind,
                text: event.text,
                bodies: bodies.collect(),
                value: event.value,
                zone: event.zone,
            });
        }
        marks.thin();
        Ok(marks)
    }

    fn series(
        self: Arc<Self>,
        wanted: &SeriesWanted,
        take: &mut PointTaker<'_>,
    ) -> Result<Vec<SeriesChannel>, HistoryError> {
        self.recorded_series(wanted, take).map_err(failed)
    }

    fn first_scene(&self) -> Result<Arc<HistoryScene>, HistoryError> {
        Ok(Arc::clone(&self.scene(0).map_err(failed)?.scene))
    }
}

impl RecordedHistory {
    /// What was done to the run as a whole.
    fn marks_of_log(&self) -> Result<HistoryMarks, RecordError> {
        let mut marks = HistoryMarks::default();
        let mut log = self.recording.log()?;
        while let Some(line) = log.read()? {
            let LogLine::Entry(step, entry) = line else { break };
            let (kind, text) = match entry {
                Entry::Reset => ("reset", "started over".to_owned()),
                Entry::Seed(seed) => ("reset", format!("started over with seed {seed}")),
                Entry::Load { scene, .. } => ("scene", format!("another scene: {scene}")),
                Entry::Restore(_) if step > self.span[0].step => {
                    ("taken_over", "gone on from an earlier instant".to_owned())
                }
                Entry::Restore(_) | Entry::Action(_) | Entry::Hash(_) => continue,
            };
            let (time_s, kind) = (self.time_of(step), kind.to_owned());
            marks.add(HistoryMark { time_s, kind, text, bodies: vec![], value: 0.0, zone: None });
        }
        Ok(marks)
    }

    /// The values of channels as they were recorded.
    fn recorded_series(
        &self,
        wanted: &SeriesWanted,
        take: &mut PointTaker<'_>,
    ) -> Result<Vec<SeriesChannel>, RecordError> {
        let [begin_s, end_s] = wanted.span_s;
        let mut told = vec![SeriesChannel::default(); wanted.channels.len()];
        let mut points = Points::new(wanted, take);
        for scene in self.recording.scenes() {
            if scene.begin_s > end_s || scene.end_s < begin_s {
                continue;
            }
            let numbers: Vec<Option<usize>> =
                wanted.channels.iter().map(|name| scene.channel(name)).collect();
            for (number, told) in numbers.iter().zip(&mut told) {
                if let Some(channel) = number.and_then(|number| scene.channels.get(number)) {
                    *told = SeriesChannel { unit: channel.unit.clone(), is_known: true };
                }
            }
            let known: Vec<usize> = numbers.iter().flatten().copied().collect();
            let span_s = [begin_s.max(scene.begin_s), end_s.min(scene.end_s)];
            let mut samples = self.recording.samples(scene.number, &known, span_s)?;
            while let Some(sample) = samples.next()? {
                let mut values = sample.values.iter().copied();
                let all = numbers.iter().map(|number| match number {
                    Some(_) => values.next().unwrap_or(f64::NAN),
                    None => f64::NAN,
                });
                if !points.add(sample.time_s, all) {
                    return Ok(told);
                }
            }
        }
        points.finish();
        Ok(told)
    }
}
