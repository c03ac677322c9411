//! What the navigation benchmarks do, without a clock: the caller times [`PlanWork::plans`] and
//! [`LoopWork::frames`], which return a hash of what they found. Beyond the thesis. Only making the works
//! allocates: poses and noise are drawn beforehand.

use crate::drive::{Drive, MotorVolts, Parameters};
use crate::error::NavError;
use crate::estimate::KalmanState;
use crate::field::Field;
use crate::navigator::{Goal, Navigator, Settings};
use crate::path::{Method, plan};
use core::f64::consts::{FRAC_PI_4, PI};
use rolima_math::{Hash64, Pose2, Stream, Vec2, normal_quantile};

/// Pairs of poses that are planned over and over.
const PAIRS: usize = 4096;

/// Third-degree plans between random poses, all special cases mixed in: a third of the headings are
/// multiples of 45 degrees, a tenth of the pairs share x, a tenth y.
pub struct PlanWork {
    pairs: Vec<(Pose2, Pose2)>,
}

impl PlanWork {
    /// Pairs on the soccer field.
    pub fn new(seed: u64) -> Self {
        let mut random = Stream::new(seed, 0, "plans");
        let mut pair = || {
            let mut heading = || {
                let special = random.uniform() < 0.33;
                let eighth = FRAC_PI_4 * (random.next_u64() % 8) as f64;
                if special { eighth } else { random.between(-PI, PI) }
            };
            let (first, last) = (heading(), heading());
            let mut place = || (random.between(-0.75, 0.75), random.between(-0.65, 0.65));
            let ((x0, y0), (mut x1, mut y1)) = (place(), place());
            match random.next_u64() % 10 {
                0 => x1 = x0,
                1 => y1 = y0,
                _ => {}
            }
            (Pose2::new(x0, y0, first), Pose2::new(x1, y1, last))
        };
        Self { pairs: (0..PAIRS).map(|_| pair()).collect() }
    }

    /// Plans all pairs, `rounds` times over: how many plans, and a hash of the last round.
    pub fn plans(&self, rounds: u32) -> (u64, u64) {
        let mut hash = Hash64::default();
        for round in 0..rounds {
            for &(from, to) in &self.pairs {
                let found = plan(from, to, Method::Cubic);
                if round + 1 == rounds
                    && let Ok(found) = found
                {
                    hash.number(found.path.pose(0.3).position.x);
                } else {
                    core::hint::black_box(&found);
                }
            }
        }
        (u64::from(rounds) * PAIRS as u64, hash.finish())
    }

    /// Share of the pairs whose criterion can be met.
    pub fn feasible_share(&self) -> f64 {
        let can = |&(from, to): &(Pose2, Pose2)| {
            crate::path::hermite::feasible(from, to).is_ok_and(|axes| axes == [true; 2])
        };
        self.pairs.iter().filter(|pair| can(pair)).count() as f64 / PAIRS as f64
    }
}

/// The whole chain of one robot that drives from goal to goal.
pub struct LoopWork {
    navigator: Navigator,
    drive: Drive,
    settings: Settings,
    state: KalmanState,
    /// Noise of vision, drawn beforehand: it is the camera's work, not the chain's.
    noise: Vec<[f64; 3]>,
    goals: Vec<Pose2>,
    /// Whether the goal moves by half a centimetre with every frame, so that nearly each makes a plan.
    moving: bool,
    frame: usize,
}

/// Frames for a goal.
const PER_GOAL: usize = 80;

impl LoopWork {
    /// Goals on the soccer field, vision of 2 mm and 1 degree, one frame late.
    pub fn new(seed: u64, moving: bool) -> Result<Self, NavError> {
        let drive = Parameters { grip: f64::INFINITY, ..Parameters::MINIROBOT }.drive()?;
        let field = Field::mirosot();
        let settings = Settings { delay: 1, field, ..Settings::default() };
        let mut random = Stream::new(seed, 0, "loop");
        let goals = (0..64).map(|_| {
            let (x, y) = (random.between(-0.6, 0.6), random.between(-0.5, 0.5));
            Pose2::new(x, y, random.between(-PI, PI))
        });
        let goals = goals.collect();
        let mut normal = |sigma: f64| sigma * normal_quantile(random.between(1e-12, 1.0));
        let noise = (0..4096).map(|_| [normal(0.002), normal(0.002), normal(0.0175)]).collect();
        let navigator = Navigator::new(&drive, settings)?;
        let state = KalmanState::default();
        Ok(Self { navigator, drive, settings, state, noise, goals, moving, frame: 0 })
    }

    /// So many frames: a hash of the voltages, and how many plans were taken.
    pub fn frames(&mut self, count: usize) -> Result<(u64, u64), NavError> {
        self.navigator = Navigator::new(&self.drive, self.settings)?;
        let step = self.drive.over(self.settings.period)?;
        (self.state, self.frame) = (KalmanState::default(), 0);
        let mut hash = Hash64::default();
        let mut before = self.state;
        for _ in 0..count {
            let mut goal = self.goals[self.frame / PER_GOAL % self.goals.len()];
            if self.moving {
                let along = 0.005 * (self.frame % PER_GOAL) as f64;
                goal.position -= goal.position.unit_or(Vec2::new(1.0, 0.0)) * along;
            }
            let [x, y, theta] = self.noise[self.frame % self.noise.len()];
            let place = before.position + Vec2::new(x, y);
            let seen = Pose2::new(place.x, place.y, before.theta + theta);
            before = self.state;
            let output = self.navigator.frame(Some(seen), Some(Goal::stop_at(goal)), &[]);
            let MotorVolts { right, left } = output.volts;
            hash.number(right);
            hash.number(left);
            self.state = self.state.after(&step, output.volts);
            self.frame += 1;
        }
        Ok((hash.finish(), self.navigator.taken()))
    }
}
