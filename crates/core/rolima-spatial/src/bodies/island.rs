//! Contacts that hang together, solved together: stopping, rebounding, pushing apart.
//!
//! | phase | what |
//! |---|---|
//! | stop | No contact closes by more than its gap within the round; nothing bounces. Poses follow these velocities, where nothing is hit. |
//! | rebound | What was hit faster than the threshold gets back e times the speed at which it closed, at all points at once; what else touched does not close any more. Poses follow the old velocities until the hit and the new ones after it. |
//! | strike | The same for points that slide when they are hit, friction against what slides at every instant ([`super::strike`]): it gives back e² of the work that it took. |
//! | keep apart | Should that close another contact by more than its gap, poses are kept from it. |
//! | push apart | Overlaps, from turning and from ground that bends, are taken out of poses, not velocities. |
//! | limit | Should there be more energy at the end than there was, what is lifted and the rebound, with its way, are cut. |
//!
//! Each is done by sweeps: every point is solved while all others hold still, until nothing changes
//! any more. Solving a point for a target that does not part takes energy, so stopping never gains
//! any, however few sweeps are made. A rebound needs as many: one sweep leaves a face of four points
//! turning, and faster than it came.

use super::contact::{CLOSED, Contact, SLOP};
use super::mover::{BodyVelocity, Mover};
use rolima_math::{larger, smaller};

/// A sweep that changes no velocity by more than this ends the solving, m/s.
const TOLERANCE: f64 = 1e-6;

/// The same as a share of the fastest approach.
const RELATIVE_TOLERANCE: f64 = 1e-5;

/// Most sweeps of a phase. A heap that has not settled by then sags by thousandths of a millimetre,
/// and gains nothing.
const MOST_SWEEPS: u32 = 20;

/// Where something is hit, so many points are solved at least: a body alone needs ten sweeps, a long
/// thin one a hundred.
const SOLVED_IN_HITS: u32 = 2000;

/// Times that a hit is passed on among what presses on one another, at most.
const MOST_PASSES: u32 = 4;

/// Points that are solved at most for what gravity does after a hit, and sweeps at least: it is little,
/// and nothing of what rests, which a large heap is made of.
const SOLVED_AFTER_HITS: u32 = 1000;
const LEAST_AFTER_HITS: u32 = 4;

/// Most sweeps that push poses apart.
const MOST_PUSHES: u32 = 10;

/// Overlap from which poses are pushed apart whatever it takes, m: what was put into something, not
/// what came there.
const DEEP: f64 = 2e-3;

/// Numbers of an island and of something in it.
type Entry = (u32, u32);

/// Contacts and movers of each island, in their order.
#[derive(Debug, Default)]
pub(crate) struct Islands {
    parents: Vec<u32>,
    /// Number of the island of each contact, by its leader; contacts sorted by it.
    order: Vec<Entry>,
    members: Vec<Entry>,
}

impl Islands {
    fn leader(&mut self, mut mover: usize) -> usize {
        while self.parents[mover] as usize != mover {
            let up = self.parents[mover] as usize;
            self.parents[mover] = self.parents[up];
            mover = up;
        }
        mover
    }

    /// Groups contacts by what they tie together; mover 0, which never moves, ties nothing.
    pub(crate) fn group(&mut self, contacts: &[Contact], movers: usize) {
        self.parents.clear();
        self.parents.extend(0..movers as u32);
        for c in contacts {
            let [a, b] = c.found.movers;
            if a > 0 && b > 0 {
                let (a, b) = (self.leader(a), self.leader(b));
                self.parents[a.max(b)] = a.min(b) as u32;
            }
        }
        self.order.clear();
        for (i, c) in contacts.iter().enumerate() {
            let leader = self.leader(c.found.movers[0].max(c.found.movers[1]));
            self.order.push((leader as u32, i as u32));
        }
        self.order.sort_unstable();
        self.members.clear();
        for m in 1..movers {
            let leader = self.leader(m);
            self.members.push((leader as u32, m as u32));
        }
        self.members.sort_unstable();
    }

    /// Each island's contacts and movers.
    pub(crate) fn all(&self) -> impl Iterator<Item = [&[Entry]; 2]> {
        let members = |leader: u32| {
            let from = self.members.partition_point(|m| m.0 < leader);
            let to = self.members.partition_point(|m| m.0 <= leader);
            &self.members[from..to]
        };
        self.order.chunk_by(|a, b| a.0 == b.0).map(move |c| [c, members(c[0].0)])
    }
}

/// An island among all contacts and movers.
pub(crate) struct Island<'a> {
    pub(crate) contacts: &'a mut [Contact],
    pub(crate) movers: &'a mut [Mover],
    /// Numbers of its contacts and movers; the first of each pair is the island's.
    pub(crate) order: &'a [Entry],
    pub(crate) members: &'a [Entry],
}

impl Island<'_> {
    /// All phases of a round of `h` seconds.
    pub(crate) fn solve(&mut self, h: f64, threshold: f64) {
        let fastest = self.each().map(|c| c.closing).fold(0.0, larger);
        let tolerance = TOLERANCE + RELATIVE_TOLERANCE * fastest;
        let patience = if fastest < threshold { 0 } else { SOLVED_IN_HITS };
        let most = MOST_SWEEPS.max(patience / self.order.len().max(1) as u32);
        self.sweep(most, tolerance);
        let hit = self.stop(h, threshold);
        // What closes more slowly is stopped for good in the next round, when its gap is gone.
        if hit {
            self.time_hits(threshold);
            self.rebound(h, threshold, (most, tolerance));
            self.keep_apart(h, (most, tolerance));
        }
        self.order.iter().for_each(|&(_, i)| self.contacts[i as usize].end_phase());
        let deepest = self.measure(h);
        if deepest > SLOP {
            self.order.iter().for_each(|&(_, i)| self.contacts[i as usize].push_apart(h));
            self.solve_poses(|m| &mut m.aside, (MOST_PUSHES, TOLERANCE));
        }
        if hit || deepest > SLOP {
            self.limit(h, deepest > DEEP);
        }
    }

    /// Ends stopping. Returns whether anything was hit.
    fn stop(&mut self, h: f64, threshold: f64) -> bool {
        let mut hit = false;
        for &(_, i) in self.order {
            let c = &mut self.contacts[i as usize];
            c.stop(self.movers, h);
            if c.impulse > 0.0 {
                hit |= c.closing >= threshold;
                c.found.movers.iter().for_each(|&m| self.movers[m].touched = true);
            }
        }
        self.members.iter().for_each(|&(_, m)| self.movers[m as usize].stop());
        hit
    }

    /// Finds when each mover is hit: itself, or what it presses on.
    fn time_hits(&mut self, threshold: f64) {
        for pass in 0..=MOST_PASSES {
            let mut changed = false;
            for &(_, i) in self.order {
                let c = &self.contacts[i as usize];
                let [a, b] = c.found.movers;
                let time = match (pass, c.is_hit(threshold)) {
                    (0, true) => c.time,
                    (1.., false) if c.touches => {
                        smaller(self.movers[a].hit_at, self.movers[b].hit_at)
                    }
                    _ => continue,
                };
                // What never moves passes nothing on.
                for m in [a, b].into_iter().filter(|&m| m > 0) {
                    let mover = &mut self.movers[m];
                    changed |= time < mover.hit_at;
                    mover.hit_at = smaller(mover.hit_at, time);
                    mover.rests |= pass > 0;
                }
            }
            if pass > 0 && !changed {
                break;
            }
        }
    }

    /// What was hit rebounds. Its pose follows its way to the hit, and from there on the rebound,
    /// under gravity; what rests on something has felt that already.
    fn rebound(&mut self, h: f64, threshold: f64, (most, tolerance): (u32, f64)) {
        if self.slides_in_hit(threshold) {
            self.strike(h, threshold, (most, tolerance));
        } else {
            for &(_, m) in self.members {
                let mover = &mut self.movers[m as usize];
                mover.speed.velocity -= mover.pull_after_hit(h);
            }
            self.order.iter().for_each(|&(_, i)| self.contacts[i as usize].rebound(threshold));
            self.sweep(most, tolerance);
        }
        for &(_, m) in self.members {
            let mover = &mut self.movers[m as usize];
            mover.travel = mover.travel_to_hit(h).plus(mover.travel_after_hit(h));
            mover.speed.velocity += mover.pull_after_hit(h);
        }
        self.order.iter().for_each(|&(_, i)| self.contacts[i as usize].hold());
        let after = LEAST_AFTER_HITS.max(SOLVED_AFTER_HITS / self.order.len().max(1) as u32);
        self.sweep(after, tolerance);
        for &(_, m) in self.members {
            let mover = &mut self.movers[m as usize];
            mover.travel = mover.travel.plus(mover.travel_after_hit(h));
        }
        for &(_, i) in self.order {
            let c = &self.contacts[i as usize];
            if c.pressed + c.impulse > 0.0 {
                c.found.movers.iter().for_each(|&m| self.movers[m].touched = true);
            }
        }
    }

    /// Keeps the poses of what rebounds from closing by more than the gaps.
    fn keep_apart(&mut self, h: f64, limit: (u32, f64)) {
        self.measure(h);
        if self.each().all(|c| c.left >= smaller(c.found.gap, 0.0) - CLOSED) {
            return;
        }
        for &(_, i) in self.order {
            let c = &mut self.contacts[i as usize];
            c.end_phase();
            c.keep_apart(h);
        }
        self.solve_poses(|m| &mut m.travel, limit);
        // These were no impulses.
        self.order.iter().for_each(|&(_, i)| self.contacts[i as usize].impulse = 0.0);
    }

    /// Measures what is left of all gaps. Returns the deepest overlap, m.
    fn measure(&mut self, h: f64) -> f64 {
        let mut deepest = 0.0;
        for &(_, i) in self.order {
            let c = &mut self.contacts[i as usize];
            c.left = c.left_after(self.movers, |m| &m.travel, h);
            deepest = larger(deepest, -c.left);
        }
        deepest
    }

    /// Solves contacts for what changes poses, in the place of speeds, which stay.
    fn solve_poses(&mut self, of: fn(&mut Mover) -> &mut BodyVelocity, limit: (u32, f64)) {
        self.exchange(of);
        self.sweep(limit.0, limit.1);
        self.exchange(of);
        for &(_, m) in self.members {
            let mover = &mut self.movers[m as usize];
            mover.touched |= mover.aside != BodyVelocity::default();
        }
    }

    fn exchange(&mut self, of: fn(&mut Mover) -> &mut BodyVelocity) {
        for &(_, m) in self.members {
            let mover = &mut self.movers[m as usize];
            let speed = mover.speed;
            mover.speed = core::mem::replace(of(mover), speed);
        }
    }

    pub(crate) fn each(&self) -> impl Iterator<Item = &Contact> {
        self.order.iter().map(|&(_, i)| &self.contacts[i as usize])
    }

    /// Sweeps forth and back until nothing changes any more.
    pub(crate) fn sweep(&mut self, limit: u32, tolerance: f64) {
        for round in 0..limit {
            let mut most = 0.0;
            let mut one = |&(_, i): &Entry| {
                let change = self.contacts[i as usize].solve(self.movers);
                most = larger(most, change);
            };
            if round.is_multiple_of(2) {
                self.order.iter().for_each(&mut one);
            } else {
                self.order.iter().rev().for_each(&mut one);
            }
            if most <= tolerance {
                break;
            }
        }
    }

    /// Cuts what is pushed up, unless it was deep inside, and then the rebound, so that there is no
    /// more energy than at the start.
    fn limit(&mut self, h: f64, deep: bool) {
        let mut sums = Energies::default();
        for &(_, m) in self.members {
            sums.add(&self.movers[m as usize], h);
        }
        let room = sums.before - sums.stopped;
        let lifts = if deep || sums.lifted <= larger(room, 0.0) {
            1.0
        } else {
            larger(room, 0.0) / sums.lifted
        };
        let room = room - sums.lifted * lifts;
        let share = sums.share(room);
        let mut kinetic = 0.0;
        for &(_, m) in self.members {
            let mover = &mut self.movers[m as usize];
            mover.aside = BodyVelocity::default().towards(mover.aside, lifts);
            mover.speed = mover.stopped.towards(mover.speed, share);
            mover.travel = mover.stopped_travel.towards(mover.travel, share);
            kinetic += mover.kinetic(mover.speed);
        }
        if deep && room < 0.0 && kinetic > 0.0 {
            // What moves pays for what is lifted; what is at rest is lifted all the same.
            let left = larger(1.0 + room / kinetic, 0.0).sqrt();
            for &(_, m) in self.members {
                let mover = &mut self.movers[m as usize];
                mover.speed = BodyVelocity::default().towards(mover.speed, left);
            }
        }
    }
}

/// Energies of an island, J: at the start; stopped; how much more half of the rebound and the whole
/// of it have; and by how much pushing apart lifts.
#[derive(Default)]
struct Energies {
    before: f64,
    stopped: f64,
    half: f64,
    whole: f64,
    lifted: f64,
}

impl Energies {
    fn add(&mut self, mover: &Mover, h: f64) {
        let Mover { start, stopped, stopped_travel, speed, travel, .. } = *mover;
        let weight = mover.pull * (mover.mass * h);
        let rest = mover.kinetic(stopped);
        self.before += mover.kinetic(start);
        self.stopped += rest - weight.dot(stopped_travel.velocity);
        let rise = weight.dot(stopped_travel.velocity - travel.velocity);
        self.half += mover.kinetic(stopped.towards(speed, 0.5)) - rest + 0.5 * rise;
        self.whole += mover.kinetic(speed) - rest + rise;
        self.lifted -= weight.dot(mover.aside.velocity);
    }

    /// The share of the rebound that takes no more than this: its energy is a parabola of the share.
    fn share(&self, room: f64) -> f64 {
        if self.whole <= larger(room, 0.0) {
            return 1.0;
        }
        let bend = 2.0 * (self.whole - 2.0 * self.half);
        let slope = self.whole - bend;
        let root = slope * slope + 4.0 * bend * larger(room, 0.0);
        if bend <= 0.0 || root <= 0.0 {
            return 0.0;
        }
        let root = root.sqrt();
        // Of both forms of the root the one that no difference spoils.
        let share = if slope > 0.0 {
            2.0 * larger(room, 0.0) / (root + slope)
        } else {
            (root - slope) / (2.0 * bend)
        };
        smaller(larger(share, 0.0), 1.0)
    }
}
