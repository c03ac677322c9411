//! Hits: the impacts of a substep, one after the other, each at its own time.
//!
//! Of all contacts of an island that would close with a hit, the one that does so first is taken. Its
//! two bodies are advanced to that instant, which is found from their outlines there, not from those
//! at the start; the impact changes their velocities ([`super::impact`]); and their other contacts are
//! looked at again. A hit passes on through bodies that touch as a row of further hits. What is left
//! when there is none any more is for the sweeps ([`super::island`]): contacts that press, and those
//! that close slowly.
//!
//! Motors, tyres and the ground change velocities within a step, so that ways bend. Until it is hit, a body
//! is taken straight to where it would be at the end, which is off by an eighth of a h^2 at most; it hits
//! with its velocity at the end.
//!
//! Bodies keep no clocks of their own. One that was hit at the time t gets the pose at the start of
//! the substep from which its new velocity leads through the place where it was at t, so that the rest
//! of the substep has one beginning and one end for all.
//!
//! Tyres cannot act in an impact, which takes no time: they give at most mu N times its duration. A
//! robot that is hit is therefore a free body of mass m and inertia J (its wheels keep turning), and
//! its tyres act again for the rest of the substep and after. A robot whose tyres hold whatever comes
//! (no traction limit) answers along its heading and by turning, with M of equation 7.
//!
//! The work is bounded: each island has [`MOST_HITS`] hits a contact, and what still closes after
//! that stops without a bounce.

use super::broad::Pair;
use super::contact::{Contact, Rows};
use super::gather::manifold_of;
use super::island::Island;
use super::narrow::Manifold;
use super::solver::SolverBody;
use super::{impact, queue, tyres};
use rolima_math::{Pose2, Vec2};
use rolima_model::Model;

/// Most hits of an island in a substep, by its contacts; a box that falls on its face needs a few.
const MOST_HITS: usize = 8;

/// Outlines touch when they are this near, m: not nearer, because of two that touch corner by corner
/// nobody could say any more which faces meet ...
pub(crate) const TOUCH: f64 = 2e-6;

/// ... give or take this, m.
const TOLERANCE: f64 = 5e-7;

/// The points of a face that are this near touch at once, m.
const SAME_TIME: f64 = 1e-6;

/// Most looks at the outlines for the time of one hit; two are enough for nearly all.
const LOOKS: u32 = 8;

/// The slowest hit, m/s, where a scene says that everything bounces.
const SLOWEST: f64 = 1e-6;

/// What all hits of a substep have in common.
#[derive(Clone, Copy)]
pub(crate) struct Hits<'a> {
    pub model: &'a Model,
    /// Length of the substep, s.
    pub h: f64,
    /// Gaps up to this are looked at, m.
    pub margin: f64,
    /// Number of the step.
    pub step: u64,
}

/// What the outlines of a contact are like about the time of its hit.
struct Look {
    /// Time since the start of the substep, s.
    time: f64,
    manifold: Manifold,
    /// Of the point that hits, m.
    gap: f64,
    /// Whether it touches then; else it does not hit within the substep.
    touches: bool,
}

/// A hit that happened.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strike {
    /// Numbers of the bodies in the solver; 0 is the ground.
    pub a: u32,
    pub b: u32,
    /// Where, in the world, m.
    pub point: Vec2,
    /// From b to a.
    pub normal: Vec2,
    /// Normal impulse, N s.
    pub impulse: f64,
    /// Impulse of friction on a, N s.
    pub friction: Vec2,
    /// Which two bodies, or which body and part of a wall.
    pub pair: Pair,
}

impl SolverBody {
    /// Its mean velocity and turning on its way.
    fn on_its_way(&self) -> Self {
        Self { velocity: self.velocity + self.bend, omega: self.omega + self.bend_turn, ..*self }
    }

    /// Where it is after `time` s of the substep.
    fn pose_at(&self, time: f64) -> Pose2 {
        Pose2 {
            position: self.pose.position + (self.velocity + self.bend) * time,
            rotation: self.pose.rotation.turned((self.omega + self.bend_turn) * time),
        }
    }

    /// Puts it where it is after `time` s; from there on it is as fast as at the end.
    fn go_to(&mut self, time: f64) {
        let forward = self.forward_speed();
        self.pose = self.pose_at(time);
        (self.bend, self.bend_turn) = (Vec2::ZERO, 0.0);
        self.head_on(forward);
    }

    /// Puts it where it comes from if it is here after `time` s.
    fn come_from(&mut self, time: f64) {
        let forward = self.forward_speed();
        self.pose.rotation = self.pose.rotation.turned(-self.omega * time);
        self.head_on(forward);
        self.pose.position -= self.velocity * time;
    }

    /// The velocity of a robot whose tyres hold turns with its heading.
    fn head_on(&mut self, forward: f64) {
        if self.grips {
            self.velocity = self.pose.rotation.x_axis() * forward;
            self.hold();
        }
    }
}

impl Contact {
    /// When it will hit at the present velocities, s since the start of the substep, but not before
    /// `now`; infinite if it will not within `h`.
    fn time_of_hit(&self, u: Rows, (now, h): (f64, f64)) -> f64 {
        let mut first = f64::INFINITY;
        for (p, u) in self.points[..self.count].iter().zip(u) {
            if -u > p.presses_below && p.gap < -u * h {
                first = first.min(((p.gap - TOUCH) / -u).max(now));
            }
        }
        first
    }

    /// Speed up to which a point only presses.
    fn presses_below(&self, feature: u32, otherwise: f64) -> f64 {
        let known = self.points[..self.count].iter().find(|p| p.feature == feature);
        known.map_or(otherwise, |p| p.presses_below)
    }
}

impl Hits<'_> {
    /// Speed up to which contacts of two bodies only press where they close, m/s: the threshold of
    /// bouncing, and what the forces of one step give by themselves.
    pub(crate) fn presses_below(&self, a: &SolverBody, b: &SolverBody) -> f64 {
        self.model.contact.restitution_threshold.max(SLOWEST) + a.gained + b.gained
    }

    /// Lets everything in an island hit that does, in order of time.
    pub(crate) fn run(&self, island: &mut Island<'_>) {
        link(island);
        let mut now = 0.0;
        for _ in 0..MOST_HITS * island.order.len() {
            let Some((number, guess)) = island.queue.first(island.contacts) else { break };
            let look = self.look(&island.contacts[number], island.bodies, (guess, now));
            if !look.touches {
                self.renew(island, number, &look);
                island.hits_at(number, f64::INFINITY);
                continue;
            }
            island.hits_at(number, look.time);
            // Another one may come first after all.
            let first = island.queue.first(island.contacts);
            if look.time > guess && first.is_none_or(|(first, _)| first != number) {
                continue;
            }
            now = look.time;
            self.happen(island, number, &look);
        }
    }

    /// Finds when two bodies touch that would do so at about this time, but not before `now`.
    fn look(&self, c: &Contact, bodies: &[SolverBody], (guess, now): (f64, f64)) -> Look {
        let (a, b) = (&bodies[c.a as usize], &bodies[c.b as usize]);
        let otherwise = self.presses_below(a, b);
        let mut look =
            Look { time: guess, manifold: Manifold::default(), gap: 0.0, touches: false };
        for _ in 0..LOOKS {
            let poses = [a.pose_at(look.time), b.pose_at(look.time)];
            let manifold = manifold_of(self.model, c, poses, self.margin);
            look.manifold = manifold.unwrap_or_default();
            let mut until = f64::INFINITY;
            for p in &look.manifold.points[..look.manifold.count] {
                let arms = poses.map(|pose| (p.position - pose.position).perp());
                let normal = look.manifold.normal;
                let approach =
                    normal.dot((b.velocity + arms[1] * b.omega) - (a.velocity + arms[0] * a.omega));
                let bends =
                    normal.dot((b.bend + arms[1] * b.bend_turn) - (a.bend + arms[0] * a.bend_turn));
                let hits = approach > c.presses_below(p.feature, otherwise);
                let time = (p.gap - TOUCH) / (approach + bends);
                if hits && approach + bends > 0.0 && time < until {
                    (until, look.gap) = (time, p.gap);
                }
            }
            if until == f64::INFINITY {
                return look;
            }
            // An overlap that has been there before cannot be undone by going back.
            let is_there = (look.gap - TOUCH).abs() <= TOLERANCE;
            look.touches = is_there || (look.gap < TOUCH && look.time <= now);
            if look.touches || (until > 0.0 && look.time >= self.h) {
                return look;
            }
            look.time = (look.time + until).clamp(now, self.h);
        }
        // Two faces that take turns: it closes, and is as near as can be told.
        look.touches = true;
        look
    }

    /// Lets two bodies hit.
    fn happen(&self, island: &mut Island<'_>, number: usize, look: &Look) {
        let c = island.contacts[number];
        let old = [c.a, c.b].map(|i| island.bodies[i as usize].on_its_way());
        let moving = [c.a, c.b].into_iter().filter(|i| *i != 0);
        for i in moving.clone() {
            island.bodies[i as usize].go_to(look.time);
            tyres::let_go_in_hit(island, i, self.model, self.h - look.time);
        }
        let [a, b] = [c.a, c.b].map(|i| &island.bodies[i as usize]);
        let touching = look.touching();
        let mut impact = c.at(&touching, (a.pose.position, b.pose.position));
        impact.couple(a, b);
        let u = impact.relative_velocities(a, b);
        let impulses = impact::strike(&mut impact, island.bodies);
        for i in moving {
            let body = &mut island.bodies[i as usize];
            body.touched = true;
            body.come_from(look.time);
        }
        if island.strikes.len() < island.most_strikes {
            let normal = impact.normal_direction;
            island.strikes.push(Strike {
                a: c.a,
                b: c.b,
                point: touching.middle(impulses),
                normal,
                impulse: impulses[0] + impulses[1],
                friction: normal.perp() * impulses[2],
                pair: c.pair,
            });
        }
        let c = &mut island.contacts[number];
        c.hit_speed = u[..impact.count].iter().fold(c.hit_speed, |most, u| most.max(-u));
        self.renew(island, number, look);
        island.queue.renew(island.contacts, number);
        self.bend_others(island, number, old, look.time);
    }

    /// Brings a contact up to date by its outlines at a time, if they are near.
    fn renew(&self, island: &mut Island<'_>, number: usize, look: &Look) {
        if look.manifold.count == 0 {
            return;
        }
        let c = &mut island.contacts[number];
        let (a, b) = (&island.bodies[c.a as usize], &island.bodies[c.b as usize]);
        let [at_a, at_b] = [a, b].map(|body| body.pose_at(look.time).position);
        let otherwise = self.presses_below(a, b);
        let mut fresh = c.at(&look.manifold, (at_a, at_b));
        let u = fresh.relative_velocities(a, b);
        for (i, p) in fresh.points[..fresh.count].iter_mut().enumerate() {
            p.approach = -u[i];
            p.gap -= u[i] * look.time;
            let known = c.points[..c.count].iter().find(|known| known.feature == p.feature);
            p.presses_below = known.map_or(otherwise, |known| known.presses_below);
            p.kept = known.map_or(0.0, |known| known.kept);
        }
        fresh.tangent_kept = c.tangent_kept;
        // It is among those that hit already.
        fresh.hit_at = fresh.time_of_hit(u, (look.time, self.h));
        *c = fresh;
    }

    /// Brings the other contacts of two bodies up to date that were `old` before they hit at `time`:
    /// their gaps become those from which the new velocities lead to where the points are then.
    fn bend_others(&self, island: &mut Island<'_>, number: usize, old: [SolverBody; 2], time: f64) {
        let hit = [island.contacts[number].a, island.contacts[number].b];
        for (which, &body) in hit.iter().enumerate().filter(|(_, body)| **body != 0) {
            let mut next = island.bodies[body as usize].first_contact;
            while next != NONE {
                let i = next as usize;
                let c = &mut island.contacts[i];
                next = c.next[usize::from(c.b == body)];
                // The other contacts of these two are seen from the first of them.
                let of_both = hit.contains(&c.a) && hit.contains(&c.b);
                if i == number || (of_both && which == 1) {
                    continue;
                }
                let was = |body: u32| match hit.iter().position(|h| *h == body && body != 0) {
                    Some(which) => old[which],
                    None => island.bodies[body as usize],
                };
                let before = c.relative_velocities(&was(c.a), &was(c.b));
                let [a, b] = [c.a, c.b].map(|i| &island.bodies[i as usize]);
                let after = c.relative_velocities(a, b);
                for (k, p) in c.points[..c.count].iter_mut().enumerate() {
                    p.gap -= (after[k] - before[k]) * time;
                    p.approach = -after[k];
                }
                let time = c.time_of_hit(after, (time, self.h));
                island.hits_at(i, time);
                if time < self.h && island.contacts[i].queued == queue::ABSENT {
                    island.queue.insert(island.contacts, i);
                }
            }
        }
    }
}

impl Contact {
    /// The same contact with other outlines, of bodies whose origins are here.
    fn at(&self, manifold: &Manifold, origins: (Vec2, Vec2)) -> Self {
        Self {
            a: self.a,
            b: self.b,
            friction: self.friction,
            restitution: self.restitution,
            known: self.known,
            next: self.next,
            queued: self.queued,
            hit_speed: self.hit_speed,
            ..Self::new((self.key, self.pair), manifold, [0.0; 2], origins)
        }
    }
}

impl Look {
    /// Only the points that touch.
    fn touching(&self) -> Manifold {
        let mut only = Manifold { count: 0, ..self.manifold };
        for p in &self.manifold.points[..self.manifold.count] {
            if p.gap <= self.gap + SAME_TIME {
                only.points[only.count] = *p;
                only.count += 1;
            }
        }
        only
    }
}

impl Manifold {
    /// Where one impulse would do as much as these at the points.
    fn middle(&self, impulses: Rows) -> Vec2 {
        let [first, second] = self.points;
        let sum = impulses[0] + impulses[1];
        let share = if self.count == 2 && sum > 0.0 { impulses[1] / sum } else { 0.0 };
        first.position + (second.position - first.position) * share
    }
}

/// No contact.
const NONE: u32 = u32::MAX;

/// Links the contacts of each body in an island, and lists those that hit.
fn link(island: &mut Island<'_>) {
    for &m in island.members {
        island.bodies[m as usize].first_contact = NONE;
    }
    island.queue.clear();
    for &i in island.order.iter().rev() {
        let c = &mut island.contacts[i as usize];
        for (side, number) in [c.a, c.b].into_iter().enumerate().filter(|(_, n)| *n != 0) {
            let body = &mut island.bodies[number as usize];
            c.next[side] = core::mem::replace(&mut body.first_contact, i);
        }
        if c.hit_at < f64::INFINITY {
            island.queue.insert(island.contacts, i as usize);
        }
    }
}

impl Island<'_> {
    /// Notes when a contact hits.
    fn hits_at(&mut self, number: usize, time: f64) {
        self.contacts[number].hit_at = time;
        self.queue.renew(self.contacts, number);
    }
}
