//! Goals that tremble, as a ball does that vision sees, and goals to be passed at a speed, with something
//! in the way.
use crate::toy;

use rolima_math::{Pose2, Stream, Vec2, normal_quantile, wrap_angle};
use rolima_nav::Obstacle;
use rolima_nav::estimate::KalmanState;
use rolima_nav::field::Field;
use rolima_nav::navigator::Goal;
use std::f64::consts::PI;
use toy::Toy;

/// A way with something round at it.
struct Task {
    from: Pose2,
    to: Pose2,
    obstacle: Obstacle,
}

/// How a task is done.
#[derive(Clone, Copy, Debug)]
struct Terms {
    /// Between frames, s.
    period: f64,
    field: Field,
    /// How many times the noise of vision.
    noise: f64,
    /// Standard error of the goal's x and y, m; that of its heading is 3 rad/m times as much.
    tremble: f64,
    /// How fast the goal is to be passed, m/s.
    speed: f64,
    /// How fast it creeps on to its place, m/s.
    creeps: f64,
}

const STEADY: Terms = Terms {
    period: 0.03,
    field: Field::EVERYWHERE,
    noise: 1.0,
    tremble: 0.0,
    speed: 0.0,
    creeps: 0.0,
};

/// What the tasks are measured for, s.
const LONGEST: f64 = 10.0;

fn place(random: &mut Stream) -> Pose2 {
    let (x, y) = (random.between(-0.6, 0.6), random.between(-0.5, 0.5));
    Pose2::new(x, y, random.between(-PI, PI))
}

impl Task {
    /// About half way stands another robot.
    fn past_a_robot(random: &mut Stream) -> Self {
        loop {
            let (from, to) = (place(random), place(random));
            let way = to.position - from.position;
            let beside = way.unit_or(Vec2::ZERO).perp() * random.between(-0.03, 0.03);
            let position = from.position + way * random.between(0.35, 0.65) + beside;
            if way.length() > 0.5 {
                let obstacle = Obstacle { position, velocity: Vec2::ZERO, radius: 0.053 };
                return Self { from, to, obstacle };
            }
        }
    }

    /// The goal is behind a ball, and looks at it.
    fn behind_a_ball(random: &mut Stream) -> Self {
        loop {
            let (from, to) = (place(random), place(random));
            let position = to.position + to.rotation.x_axis() * 0.124;
            if (from.position - position).length() > 0.15 {
                let obstacle = Obstacle { position, velocity: Vec2::ZERO, radius: 0.021 };
                return Self { from, to, obstacle };
            }
        }
    }

    /// After how long it is done, s: the goal was held for 0.3 s, or passed.
    fn takes(&self, terms: Terms, seed: u64) -> f64 {
        let Terms { period, speed, tremble, .. } = terms;
        let mut random = Stream::new(seed, 0, "goal");
        let mut toy = Toy::with_period(period, terms.noise, terms.field);
        toy.put(self.from);
        let aside = (self.to.position - self.from.position).unit_or(Vec2::ZERO).perp();
        let mut held = 0.0;
        for frame in 0..(LONGEST / period) as u32 {
            let time = period * f64::from(frame);
            let mut normal = |sigma: f64| sigma * normal_quantile(random.between(1e-12, 1.0));
            let off = Vec2::new(normal(tremble), normal(tremble));
            let off = off - aside * (terms.creeps * (2.0 - time).max(0.0));
            let position = self.to.position + off;
            let theta = self.to.theta() + normal(3.0 * tremble);
            let pose = Pose2::new(position.x, position.y, theta);
            toy.frame_among(Goal { pose, speed }, true, &[self.obstacle]);
            held = if self.is_met(&toy.state(), speed) { held + period } else { 0.0 };
            if held > 0.0 && (speed > 0.0 || held > 0.3) {
                return time;
            }
        }
        f64::INFINITY
    }

    fn is_met(&self, own: &KalmanState, speed: f64) -> bool {
        let turned = wrap_angle(own.theta - self.to.theta()).abs();
        (own.position - self.to.position).length() < 0.02
            && turned < if speed > 0.0 { 0.2 } else { 0.1 }
            && (speed == 0.0 || (own.v - speed).abs() < 0.3 * speed)
    }
}

/// Share of so many tasks of both kinds that are done within a time, s.
fn share_done(terms: Terms, tasks: u64, within: f64) -> f64 {
    let mut random = Stream::new(2, 0, "tasks");
    let mut done = 0;
    for seed in 0..tasks {
        let all = [Task::past_a_robot(&mut random), Task::behind_a_ball(&mut random)];
        done += all.iter().filter(|task| task.takes(terms, seed) <= within).count();
    }
    done as f64 / (2 * tasks) as f64
}

/// The same on the field and without walls, with frames of vision and of 1 kHz.
fn assert_done(terms: Terms, within: f64) {
    for field in [Field::mirosot(), Field::EVERYWHERE] {
        for (period, tasks) in [(0.03, 150), (0.001, 8)] {
            let terms = Terms { field, period, ..terms };
            let share = share_done(terms, tasks, within);
            assert!(share >= 0.99, "{share} of {terms:?}");
        }
    }
}

#[test]
fn goals_that_tremble_are_reached_around_what_is_in_the_way() {
    for tremble in [0.0, 0.001, 0.002, 0.003] {
        assert_done(Terms { tremble, ..STEADY }, 5.0);
    }
}

#[test]
fn goals_that_creep_on_while_they_tremble_are_reached_as_well() {
    for creeps in [0.03, 0.1] {
        assert_done(Terms { tremble: 0.003, creeps, ..STEADY }, 6.0);
    }
}

#[test]
fn goals_to_be_passed_are_passed_ahead_at_their_speed() {
    for tremble in [0.0, 0.001, 0.003] {
        for speed in [0.15, 0.3, 0.5] {
            assert_done(Terms { tremble, speed, ..STEADY }, 6.0);
        }
    }
}
