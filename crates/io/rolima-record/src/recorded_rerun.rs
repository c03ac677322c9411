//! A recorded run that is shown without being simulated again: bodies stand where they were recorded.

use crate::error::RecordError;
use crate::history::RecordedHistory;
use crate::samples::Samples;
use crate::schema::RecordedScene;
use rolima_agents::Action;
use rolima_core::BodyId;
use rolima_core::model::Model;
use rolima_math::Pose2;
use rolima_run::live::Session;
use rolima_run::live::history::{
    Fidelity, History, HistoryError, HistoryScene, KeptStep, Rerun, body_channel,
};
use std::sync::Arc;

/// Steps are put together to stretches of so long, s, which are played backwards one by one.
const STRETCH_S: f64 = 1.0;
/// How long before an instant its sample is looked for, s: samples are recorded more often.
const LOOK_BACK_S: f64 = 0.5;

/// A recorded run at one of its instants, as far as it was recorded.
pub(crate) struct RecordedRerun {
    history: Arc<RecordedHistory>,
    reason: Arc<str>,
    scene: Arc<HistoryScene>,
    number: usize,
    session: Session,
    /// Those after the one that is shown.
    samples: Option<Samples>,
    poses: Vec<PoseAt>,
    /// The sample that comes next, and the poses that it has.
    next: Option<(u64, Vec<f64>)>,
    stretch: [u64; 2],
}

impl RecordedRerun {
    /// The run at this step.
    pub(crate) fn new(
        history: Arc<RecordedHistory>,
        step: u64,
        reason: Arc<str>,
    ) -> Result<Self, RecordError> {
        let (scene, number) = history.scene_at(step)?;
        let session = Session::of(scene.any_simulation());
        let (samples, poses, next, stretch) = (None, vec![], None, [0; 2]);
        let mut rerun =
            Self { history, reason, scene, number, session, samples, poses, next, stretch };
        // Where stretches begin does not depend on where it is gone to.
        let begin = rerun.stretch_of(step)[0];
        rerun.show(begin)?;
        Ok(rerun)
    }

    /// The stretch that a step lies in.
    fn stretch_of(&self, step: u64) -> [u64; 2] {
        let known = &self.history.recording().scenes()[self.number];
        let length = ((STRETCH_S / known.step_s) as u64).max(1);
        let since = step.saturating_sub(known.begin_step);
        let begin = known.begin_step + since / length * length;
        let scenes = self.history.recording().scenes();
        let next = scenes.get(self.number + 1).map_or(u64::MAX, |next| next.begin_step);
        [begin, (begin + length).min(next).min(self.history.span()[1].step.max(begin))]
    }

    /// Shows a step, whatever was shown before.
    fn show(&mut self, step: u64) -> Result<(), RecordError> {
        let (scene, number) = self.history.scene_at(step)?;
        if number != self.number {
            self.session = Session::of(scene.any_simulation());
            (self.scene, self.number) = (scene, number);
        }
        let time_s = self.history.time_of(step);
        let known = &self.history.recording().scenes()[number];
        let (poses, channels) = pose_channels(&self.scene.model, known);
        let begin_s = (time_s - LOOK_BACK_S).max(known.begin_s);
        let span_s = [begin_s, f64::INFINITY];
        self.samples = Some(self.history.recording().samples(number, &channels, span_s)?);
        (self.next, self.poses) = (None, poses);
        self.follow(step)
    }

    /// Places the bodies as the last sample at this step or before it has them.
    fn follow(&mut self, step: u64) -> Result<(), RecordError> {
        let mut newest = None;
        loop {
            if self.next.as_ref().is_some_and(|(at, _)| *at > step) {
                break;
            }
            if let Some((_, values)) = self.next.take() {
                newest = Some(values);
            }
            let Some(samples) = &mut self.samples else { break };
            let sample = samples.next()?;
            let Some(sample) = sample else { break };
            self.next = Some((sample.step, sample.values.to_vec()));
        }
        if let Some(values) = newest {
            for PoseAt { body, x, y, heading } in &self.poses {
                let heading = heading.map_or(0.0, |at| values[at]);
                let pose = Pose2::new(values[*x], values[*y], heading);
                self.session.act(&Action::Place { body: *body, pose });
            }
        }
        self.session.count_from(step, self.history.time_of(step));
        self.stretch = self.stretch_of(step);
        Ok(())
    }
}

/// Where a body's pose stands among the channels that are read.
struct PoseAt {
    body: BodyId,
    x: usize,
    y: usize,
    /// None of what has no heading, or where it was not recorded.
    heading: Option<usize>,
}

/// The bodies whose places were recorded, and the numbers of the channels that tell them.
fn pose_channels(model: &Model, known: &RecordedScene) -> (Vec<PoseAt>, Vec<usize>) {
    let (mut poses, mut channels) = (vec![], vec![]);
    for body in (0..model.body_count() as u32).map(BodyId) {
        let name = body_channel(model, body);
        let number = |what: &str| known.channel(&format!("{name}.{what}"));
        let (Some(x), Some(y)) = (number("x"), number("y")) else { continue };
        let heading = number("heading");
        let at = channels.len();
        poses.push(PoseAt { body, x: at, y: at + 1, heading: heading.map(|_| at + 2) });
        channels.extend([x, y].into_iter().chain(heading));
    }
    (poses, channels)
}

impl Rerun for RecordedRerun {
    fn session(&self) -> &Session {
        &self.session
    }

    fn clear_events(&mut self) {
        self.session.clear_events();
    }

    fn scene(&self) -> &Arc<HistoryScene> {
        &self.scene
    }

    fn advance(&mut self, steps: u64) -> Result<u64, HistoryError> {
        let now = self.session.steps_done();
        let end = self.history.span()[1].step;
        let step = now.saturating_add(steps).min(end);
        let scenes = self.history.recording().scenes();
        let is_other = scenes.get(self.number + 1).is_some_and(|next| next.begin_step <= step);
        let shown = match is_other || self.samples.is_none() {
            true => self.show(step),
            false => self.follow(step),
        };
        shown.map_err(|why| HistoryError(why.to_string()))?;
        Ok(step - now)
    }

    fn go_to(&mut self, kept: &KeptStep) -> Result<bool, HistoryError> {
        let step = kept.at.step;
        if !(self.stretch[0]..=self.stretch[1]).contains(&step) {
            return Ok(false);
        }
        (self.samples, self.next) = (None, None);
        if !self.session.go_back(&kept.kept) {
            return Ok(false);
        }
        self.session.count_from(step, kept.at.time_s);
        Ok(true)
    }

    fn stretch_begin(&self) -> u64 {
        self.stretch[0]
    }

    fn stretch_end(&self) -> u64 {
        self.stretch[1]
    }

    fn fork(&self) -> Box<dyn Rerun> {
        Box::new(Self {
            history: Arc::clone(&self.history),
            reason: Arc::clone(&self.reason),
            scene: Arc::clone(&self.scene),
            number: self.number,
            session: self.session.fork(),
            samples: None,
            poses: vec![],
            next: None,
            stretch: self.stretch,
        })
    }

    fn fidelity(&self) -> Fidelity {
        Fidelity::Recorded(Arc::clone(&self.reason))
    }

    fn into_session(self: Box<Self>) -> Session {
        self.session
    }
}
