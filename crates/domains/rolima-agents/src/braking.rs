//! A robot whose goal is taken away brakes along the way that it was on, until it stands.
//!
//! Where the plan leads is known to be free, where else the robot could go is not. So the plan's time
//! is slowed down: at the share p of its pace the reference goes p v, which changes by p' v + p^2 v'.
//! That is the largest deceleration allowed, as long as it is more than the plan's own.

use rolima_math::{larger, smaller};
use rolima_nav::control::Tracker;
use rolima_nav::estimate::KalmanState;
use rolima_nav::trajectory::{Trajectory, TrajectoryPoint};
use rolima_nav::{Drive, MotorVolts, Navigator, Settings};
use serde::{Deserialize, Serialize};

/// It stands once it is slower than this share of its top speed and of its fastest turning.
const AT_REST: f64 = 0.003;
/// A reference that stands so many frames ends it: somebody pushes the robot about.
const PATIENCE: u32 = 33;

/// Brakes a robot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Braking {
    /// None where there is no plan, or the robot has left it: it stops where it is.
    along: Option<Box<(Trajectory, Tracker)>>,
    /// Time on the plan, s, and at which share of its pace that goes.
    clock: f64,
    pace: f64,
    /// Frames since the reference stands.
    stood: u32,
}

impl Braking {
    /// From the plan that a navigator follows now.
    pub(crate) fn new(navigator: &Navigator, drive: &Drive) -> Self {
        let gains = navigator.settings().gains;
        let tracker = Tracker::new(*navigator.filter().step(), drive.supply, gains).ok();
        let plan = navigator.trajectory();
        let clock = plan.map_or(0.0, |(_, clock)| clock);
        let along = plan.zip(tracker).map(|((plan, _), own)| Box::new((plan.clone(), own)));
        Self { along, clock, pace: 1.0, stood: 0 }
    }

    /// Whether what was read back brakes a robot with such a navigator.
    pub(crate) fn fits(&self, navigator: &Navigator, drive: &Drive) -> bool {
        let gains = navigator.settings().gains;
        let tracker = Tracker::new(*navigator.filter().step(), drive.supply, gains).ok();
        let along = |(plan, own): &(Trajectory, Tracker)| plan.fits() && Some(*own) == tracker;
        self.along.as_deref().is_none_or(along) && self.stood <= PATIENCE + 1
    }

    /// Voltages for a frame; none where it can only stop where it is.
    pub(crate) fn frame(&mut self, state: &KalmanState, settings: &Settings) -> Option<MotorVolts> {
        let (plan, tracker) = &**self.along.as_ref()?;
        let now = at(plan, self.clock)?;
        let [ahead, left, turned] = Tracker::errors(state, &now);
        let (off, most_turned) = settings.lost_track;
        if (ahead * ahead + left * left).sqrt() > off || turned.abs() > most_turned {
            self.along = None;
            return None;
        }
        let pace = self.slower(&now, settings);
        let clock = self.clock + 0.5 * (self.pace + pace) * settings.period;
        let next = slowed(at(plan, clock)?, pace);
        let volts = tracker.control(state, &slowed(now, self.pace), &next);
        (self.clock, self.pace) = (clock, pace);
        Some(volts)
    }

    /// Whether the robot stands, after a frame; or it never will.
    pub(crate) fn is_over(&mut self, state: &KalmanState, settings: &Settings) -> bool {
        if self.along.is_some() && self.pace > 0.0 {
            return false;
        }
        self.stood += 1;
        let limits = &settings.limits;
        let rests =
            state.v.abs() < AT_REST * limits.speed && state.omega.abs() < AT_REST * limits.turning;
        rests || self.stood > PATIENCE
    }

    /// The pace at the end of a frame.
    fn slower(&self, now: &TrajectoryPoint, settings: &Settings) -> f64 {
        let limits = &settings.limits;
        // Wheels go by the turning where it is more than the speed.
        let turns = now.v.abs() < settings.radius * now.omega.abs();
        let (speed, change, most) = if turns {
            (now.omega, now.domega, limits.turning_change)
        } else {
            (now.v, now.dv, limits.acceleration)
        };
        let grows = self.pace * self.pace * if speed < 0.0 { -change } else { change };
        let rate = larger(most + grows, 0.0) / larger(speed.abs(), 1e-9);
        larger(self.pace - smaller(rate * settings.period, 1.0), 0.0)
    }
}

/// A plan at a time; beyond its end straight on, as fast as it ended.
fn at(plan: &Trajectory, clock: f64) -> Option<TrajectoryPoint> {
    let mut point = plan.at(clock)?;
    let beyond = clock - plan.duration();
    if beyond > 0.0 {
        let heading = point.pose.rotation.x_axis();
        point.pose.position += heading * (point.v * beyond);
        point.omega = 0.0;
    }
    Some(point)
}

/// A moment of a plan that goes at a share of its pace.
fn slowed(point: TrajectoryPoint, pace: f64) -> TrajectoryPoint {
    TrajectoryPoint { v: pace * point.v, omega: pace * point.omega, ..point }
}
