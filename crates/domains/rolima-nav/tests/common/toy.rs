//! A robot that its navigator drives.
#![allow(dead_code, missing_docs, unreachable_pub)]

use rolima_math::{Pose2, Stream, Vec2, normal_quantile};
use rolima_nav::Obstacle;
use rolima_nav::drive::{Parameters, Step};
use rolima_nav::estimate::KalmanState;
use rolima_nav::field::Field;
use rolima_nav::navigator::{Goal, NavStatus, Navigator, Output, Settings};
use std::collections::VecDeque;

/// A robot in the world of its own model, one frame late, with so many times the noise of vision.
pub struct Toy {
    pub navigator: Navigator,
    pub step: Step,
    pub state: KalmanState,
    /// What it did, the latest first.
    before: VecDeque<Pose2>,
    noise: f64,
    random: Stream,
}

impl Toy {
    pub fn new(noise: f64, field: Field) -> Self {
        Self::with_period(0.03, noise, field)
    }

    /// Vision is some 30 ms late, whatever the period.
    pub fn with_period(period: f64, noise: f64, field: Field) -> Self {
        let delay = (0.03 / period + 0.5) as usize;
        let drive = Parameters { inertia: 3.3e-4, ..Parameters::THESIS }.drive().expect("a drive");
        let settings = Settings { delay, period, field, ..Settings::default() };
        let navigator = Navigator::new(&drive, settings).expect("settings");
        let step = drive.over(settings.period).expect("a period");
        let (state, random) = (KalmanState::default(), Stream::new(3, 0, "vision"));
        let before = VecDeque::from(vec![state.pose(); delay]);
        Self { navigator, step, state, before, noise, random }
    }

    /// Stands there from now on.
    pub fn put(&mut self, pose: Pose2) {
        self.state =
            KalmanState { position: pose.position, theta: pose.theta(), ..KalmanState::default() };
        self.before.iter_mut().for_each(|before| *before = pose);
    }

    pub fn period(&self) -> f64 {
        self.step.period
    }

    pub fn state(&self) -> KalmanState {
        self.state
    }

    /// A frame on the way to a goal.
    pub fn frame(&mut self, goal: Pose2) -> Output {
        self.frame_seen(goal, true)
    }

    /// The same, where it may be that vision sees nothing.
    pub fn frame_seen(&mut self, goal: Pose2, is_seen: bool) -> Output {
        self.frame_among(Goal::stop_at(goal), is_seen, &[])
    }

    /// The same among others.
    pub fn frame_among(&mut self, goal: Goal, is_seen: bool, obstacles: &[Obstacle]) -> Output {
        let mut normal =
            |sigma: f64| self.noise * sigma * normal_quantile(self.random.between(1e-12, 1.0));
        // Without a delay, the pose of now.
        self.before.push_front(self.state.pose());
        let late = self.before.pop_back().expect("a pose of a while ago");
        let Vec2 { x, y } = late.position;
        let theta = late.theta() + normal(0.0175);
        let seen = Pose2::new(x + normal(0.002), y + normal(0.002), theta);
        let seen = is_seen.then_some(seen);
        let output = self.navigator.frame(seen, Some(goal), obstacles);
        self.state = self.state.after(&self.step, output.volts);
        output
    }

    /// Drives to a goal until it is that fast, m/s.
    pub fn speed_up(&mut self, goal: Pose2, speed: f64) {
        for _ in 0..(3.0 / self.period()) as u32 {
            if self.state.v.abs() >= speed {
                return;
            }
            self.frame(goal);
        }
        panic!("{:?} never got that fast", self.state);
    }

    /// Drives on unseen until the next frame finds it lost.
    pub fn lose(&mut self, goal: Pose2) {
        let horizon = Settings::default().noise.horizon;
        for _ in 0..(horizon / self.period() + 0.5) as u32 {
            assert_eq!(self.frame_seen(goal, false).status, NavStatus::Driving);
        }
    }
}
