//! The others (robots, loose objects) as a camera and estimation tell them: obstacles that are noisy, late, and missed
//! at times.
//!
//! Nobody knows what voltages others get, so each is followed by least squares without inputs
//! ([`PoseFit`], chapter 4 of the thesis): they fill the frames that vision misses, and say where the
//! other is by the time that its picture arrives. Beyond the thesis: its velocity is how far the fit
//! goes on in a few frames.

use crate::pilot::{FRAME_S, truth_of};
use crate::vision::{Blur, Vision};
use rolima_core::{BodyId, Model, RobotId, World};
use rolima_math::{Stream, Vec2};
use rolima_nav::estimate::{EstimateStatus, Fit, MOST_TURN, PoseFit};
use rolima_nav::{NavError, Obstacle};
use serde::{Deserialize, Serialize};

/// Past values of a fit: a circle whose middle is not the origin takes three, which the two of the
/// thesis cannot hold. Seen as the tasks are, one of 20 cm at 1 m/s is then known to 5 mm, not 13.
const ORDER: usize = 3;

/// Frames over which a fit's course makes a velocity: long against the noise of one step.
const LOOK_AHEAD: u32 = 3;

/// One that is watched.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Other {
    body: BodyId,
    radius: f64,
    robot_vision: Vision,
    fit: PoseFit,
    /// Where it was last known to be, and how it went.
    known: Option<(Vec2, Vec2)>,
}

/// Bodies that are seen and followed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Others {
    all: Vec<Other>,
    /// Frames of the camera for one of the fits, and until the next.
    every: u32,
    until: u32,
    period: f64,
    delay: f64,
    obstacles: Vec<Obstacle>,
}

impl Others {
    /// All robots but `own`, each seen through `blur` with noise of its own, a frame every `period` s.
    pub fn new(
        world: &World,
        own: RobotId,
        period: f64,
        blur: Blur,
        seed: u64,
    ) -> Result<Self, NavError> {
        let robots = world.model().robot_ids().filter(|&robot| robot != own);
        Self::of(world, robots.map(RobotId::body), period, blur, seed)
    }

    /// These bodies, likewise.
    pub fn of(
        world: &World,
        bodies: impl Iterator<Item = BodyId>,
        period: f64,
        blur: Blur,
        seed: u64,
    ) -> Result<Self, NavError> {
        Self::in_model(world.model(), bodies, period, blur, seed)
    }

    /// Bodies of a model.
    pub(crate) fn in_model(
        model: &Model,
        bodies: impl Iterator<Item = BodyId>,
        period: f64,
        blur: Blur,
        seed: u64,
    ) -> Result<Self, NavError> {
        // A fit's past are a few frames: at 1 kHz they would be noise, so it looks every 30 ms.
        let every = (FRAME_S / period).round().clamp(1.0, 1e6) as u32;
        let fit = fit();
        let watched = |body: BodyId| -> Result<Other, NavError> {
            Ok(Other {
                body,
                radius: model.body(body).map_or(0.0, |body| body.radius),
                robot_vision: Vision::new(blur, Stream::new(seed, body.0.into(), "others")),
                fit: PoseFit::new(fit, MOST_TURN)?,
                known: None,
            })
        };
        let all = bodies.map(watched).collect::<Result<Vec<_>, _>>()?;
        let obstacles = Vec::with_capacity(all.len());
        let delay = blur.delay as f64 * period;
        Ok(Self { all, every, until: 0, period: f64::from(every) * period, delay, obstacles })
    }

    /// Whether what was read back watches what this one does, through the same blur, and can go on.
    pub(crate) fn is_like(&self, fresh: &Self, blur: &Blur) -> bool {
        let own = |one: &Self| (one.all.len(), one.every, one.period, one.delay);
        let same = |(one, other): (&Other, &Other)| {
            (one.body, one.radius) == (other.body, other.radius)
                && one.robot_vision.fits(blur)
                && one.fit.fits_to(fit(), MOST_TURN)
        };
        own(self) == own(fresh)
            && self.until <= self.every
            && self.all.iter().zip(&fresh.all).all(same)
    }

    /// One frame of the camera: where everybody is now, as far as one can tell.
    pub fn frame(&mut self, world: &World) -> &[Obstacle] {
        let due = self.until == 0;
        self.until = if due { self.every } else { self.until } - 1;
        for other in &mut self.all {
            let seen =
                truth_of(world, other.body).and_then(|truth| other.robot_vision.frame(truth.pose));
            if due {
                other.fit.frame(seen, [0.0; 2]);
                other.learn(self.period);
            }
        }
        let mut obstacles = std::mem::take(&mut self.obstacles);
        obstacles.clear();
        obstacles.extend(self.known().map(|(_, other)| other));
        self.obstacles = obstacles;
        &self.obstacles
    }

    /// Where everybody is at the last frame, as far as one can tell.
    pub fn known(&self) -> impl Iterator<Item = (BodyId, Obstacle)> {
        let late =
            self.delay + self.period * (1.0 - f64::from(self.until + 1) / f64::from(self.every));
        self.all.iter().filter_map(move |other| {
            let (place, velocity) = other.known?;
            let position = place + velocity * late;
            Some((other.body, Obstacle { position, velocity, radius: other.radius }))
        })
    }
}

/// How each is followed.
fn fit() -> Fit {
    Fit { order: ORDER, inputs: false, ..Fit::default() }
}

impl Other {
    /// Place and velocity at the picture, from the fit. One that is lost stands where it was.
    fn learn(&mut self, period: f64) {
        if self.fit.estimate_status() == EstimateStatus::Lost {
            self.known = self.known.map(|(place, _)| (place, Vec2::ZERO));
            return;
        }
        let here = self.fit.ahead(0).position;
        let there = self.fit.ahead(LOOK_AHEAD).position;
        let velocity = (there - here) * (1.0 / (f64::from(LOOK_AHEAD) * period));
        self.known = Some((here, velocity));
    }
}
