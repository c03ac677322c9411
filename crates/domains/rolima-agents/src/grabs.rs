//! Grabs: springs between a hand and a body that it pulls.
//!
//! A hand asks the held point for a velocity towards itself, in proportion to the distance and at
//! most [`MOST_SPEED`], and gives at most [`MOST_ACCELERATION`] times the body's mass for it. Near
//! the hand that is a critically damped spring. It acts before every step, through
//! [`World::push`], so tyres, friction and contacts have their say.

use crate::agent::{Agent, Commands, View};
use rolima_core::{BodyId, Model, World};
use rolima_math::Vec2;
use serde::{Deserialize, Serialize};

/// How fast the spring swings (it is damped so that it just does not), rad/s: a body that slides
/// with a friction of 0.5 lags by 8 mm.
const RATE: f64 = 25.0;

/// With long steps the spring gets softer, so that it takes at least so many to follow.
const MOST_RATE_A_STEP: f64 = 0.25;

/// A far hand pulls no faster than this, m/s; a body that fast can still be stopped in time.
const MOST_SPEED: f64 = 3.0;

/// Most force, by the body's mass, m/s2: above what tyres and ground hold, far from what breaks.
const MOST_ACCELERATION: f64 = 40.0;

/// Grabs farther away than this are a mistake, m.
const FARTHEST_HAND: f64 = 1e6;

/// A hand on a body.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct Hold {
    body: BodyId,
    /// Where the body is held, in its own frame, m.
    own: Vec2,
    /// Where the hand is, in the world, m.
    hand: Vec2,
}

/// The hands on a world's bodies, at most one a body, in the order of their numbers.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Grabs {
    holds: Vec<Hold>,
}

impl Grabs {
    /// Whether no body is held.
    pub(crate) fn is_empty(&self) -> bool {
        self.holds.is_empty()
    }

    /// Takes hold of a body, or moves the hand that holds it. Refused (false) where there is no
    /// such body, the point is not on it, or a number makes no sense.
    pub(crate) fn grab(&mut self, world: &World, body: BodyId, own: Vec2, hand: Vec2) -> bool {
        let Some(known) = world.model().body(body) else { return false };
        // Comparisons that a number which is none does not pass.
        let on_body = own.length() <= 1.01 * known.radius + 1e-3;
        let within_reach = hand.length() <= FARTHEST_HAND;
        if !on_body || !within_reach {
            return false;
        }
        let hold = Hold { body, own, hand };
        match self.holds.binary_search_by_key(&body, |h| h.body) {
            Ok(i) => self.holds[i] = hold,
            Err(i) => self.holds.insert(i, hold),
        }
        true
    }

    /// Lets a body go; false if nobody held it.
    pub(crate) fn let_go(&mut self, body: BodyId) -> bool {
        let held = self.holds.binary_search_by_key(&body, |h| h.body);
        held.map(|i| self.holds.remove(i)).is_ok()
    }

    /// Whether all that is held is a model's.
    pub(crate) fn fits(&self, model: &Model) -> bool {
        self.holds.is_sorted_by(|a, b| a.body < b.body)
            && self.holds.iter().all(|hold| model.body(hold.body).is_some())
    }

    /// Lets everything go.
    pub(crate) fn clear(&mut self) {
        self.holds.clear();
    }
}

impl Agent for Grabs {
    type Report = BodyId;

    fn due(&self) -> u64 {
        // Before every step.
        if self.is_empty() { u64::MAX } else { 0 }
    }

    fn act(&mut self, see: &View<'_>, commands: &mut Commands) {
        for hold in &self.holds {
            if let Some((point, impulse)) = hold.pull(see.world) {
                commands.push(hold.body, point, impulse);
            }
        }
    }

    /// The bodies that are held.
    fn report(&self, reports: &mut Vec<BodyId>) {
        reports.clear();
        reports.extend(self.holds.iter().map(|hold| hold.body));
    }
}

impl Hold {
    /// Where and how hard (N s) it pulls for one step.
    fn pull(&self, world: &World) -> Option<(Vec2, Vec2)> {
        let body = world.model().body(self.body)?;
        let h = world.model().step_s;
        let (pose, twist) = (world.pose(self.body)?, world.twist(self.body)?);
        let arm = pose.rotation.rotate(self.own);
        let point = pose.position + arm;
        let at_point = twist.velocity + arm.perp() * twist.omega;

        // x'' = rate^2 (hand - x) - 2 rate x', as an approach to a wanted velocity.
        let rate = RATE.min(MOST_RATE_A_STEP / h);
        let wanted = shortened((self.hand - point) * (0.5 * rate), MOST_SPEED);
        let change = (wanted - at_point) * (2.0 * rate * h);
        // What a body weighs at a point away from its centre, in the direction that is easiest.
        let mass = 1.0 / (body.inverse[0] + arm.length_squared() * body.inverse[1]);
        Some((point, shortened(change * mass, MOST_ACCELERATION * body.mass * h)))
    }
}

/// A vector cut to a length.
fn shortened(v: Vec2, longest: f64) -> Vec2 {
    let length = v.length();
    if length > longest { v * (longest / length) } else { v }
}
