//! Who looks how a graded robot does.

use super::GradedTask;
use rolima_core::Frame;
use rolima_run::live::{
    Mailbox, Publication, PublishedScene, PublishedTurn, Request, Sink, TurnRefusal, TurnSink,
};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The judge as a controller in lock step.
pub(super) const JUDGE: u32 = 1;
/// Steps of the judge's looks, s of simulated time.
pub(super) const JUDGE_S: f64 = 0.01;

/// How the robot has done so far.
#[derive(Clone, Copy, Debug)]
pub struct GradedCourse {
    /// Time that has passed, s, over other worlds and new starts.
    pub time_s: f64,
    /// Time of the world at the last look, s.
    world_s: f64,
    /// Where the robot is, m from the goal; infinite where nobody has looked.
    pub away_m: f64,
    /// Where it was nearest, m.
    pub nearest_m: f64,
    /// When it was nearest, s.
    pub nearest_s: f64,
    /// When it was first at the goal, s.
    pub reached_s: Option<f64>,
}

impl Default for GradedCourse {
    fn default() -> Self {
        let (time_s, world_s, nearest_s, reached_s) = (0.0, 0.0, 0.0, None);
        let (away_m, nearest_m) = (f64::INFINITY, f64::INFINITY);
        Self { time_s, world_s, away_m, nearest_m, nearest_s, reached_s }
    }
}

/// Looks at the robot and notes how it does.
#[derive(Clone)]
pub(super) struct Judge {
    course: Arc<Mutex<GradedCourse>>,
    robot: usize,
    goal: [f64; 2],
    tolerance_m: f64,
    within_s: f64,
}

impl Judge {
    pub(super) fn new(task: &GradedTask) -> Self {
        let GradedTask { goal, tolerance_m, within_s, .. } = *task;
        Self { course: Arc::default(), robot: task.robot as usize, goal, tolerance_m, within_s }
    }

    pub(super) fn course(&self) -> MutexGuard<'_, GradedCourse> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self, frame: &Frame) {
        let Some(body) = frame.bodies.get(self.robot) else { return };
        let mut course = self.course();
        // What is after the end does not count.
        if course.time_s >= self.within_s || course.reached_s.is_some() {
            return;
        }
        let (dx, dy) = (body.pose.position.x - self.goal[0], body.pose.position.y - self.goal[1]);
        // A world that starts over does not give its time back.
        let passed = frame.time_s - course.world_s;
        course.time_s += if passed >= 0.0 { passed } else { frame.time_s };
        course.world_s = frame.time_s;
        course.away_m = (dx * dx + dy * dy).sqrt();
        if course.away_m < course.nearest_m {
            (course.nearest_m, course.nearest_s) = (course.away_m, course.time_s);
        }
        if course.away_m <= self.tolerance_m {
            course.reached_s = Some(course.time_s);
        }
    }
}

/// In real time, at every moment.
impl Sink for Judge {
    fn scene(&mut self, _scene: &PublishedScene<'_>) {}

    fn publication(&mut self, publication: &Publication<'_>) {
        self.look(publication.frame);
    }
}

/// In lock step, at turns that the judge answers at once.
pub(super) struct JudgeInStep {
    pub(super) judge: Judge,
    pub(super) mailbox: Mailbox,
}

impl TurnSink for JudgeInStep {
    fn turn(&mut self, turn: &PublishedTurn<'_>) {
        self.judge.look(turn.frame);
        let step = turn.frame.step;
        let answer = Request::Answer { controller: JUDGE, step, commands: vec![] };
        // A world that gets no answer stands still, which the patience below notices.
        let _ = self.mailbox.send(answer);
    }

    fn refused(&mut self, _why: TurnRefusal) {}
}
