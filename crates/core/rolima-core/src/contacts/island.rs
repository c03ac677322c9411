//! Contacts that hang together, and the sweeps of the `rigid` response over them.
//!
//! Sequential impulses with a warm start: every contact (one or two points, each with a normal and
//! a friction row) is solved as a small block while the others hold still, again and again. A row
//! update moves its relative velocity towards its target and so takes energy away; normal
//! impulses never pull, friction stays within Coulomb's cone.
//!
//! A robot whose tyres stick answers to an impulse only along its heading and by turning, with the
//! inertia M of body and wheels together (eq 7): the tyres take the side part. Whether they can is
//! checked afterwards ([`super::tyres`]).
//!
//! Walls tie nothing together: what happens in one island does not touch another, so each is
//! solved only as long as it needs. Islands in which nothing closes or presses are left out.

use super::contact::Contact;
use super::ground::Resting;
use super::solver::SolverBody;
use super::tyres::Sliding;
use rolima_math::{Vec2, larger};
use rolima_model::Model;

/// A sweep that changes no relative velocity by more than this ends the solving, m/s.
const TOLERANCE: f64 = 1e-5;

/// The same as a share of the fastest approach in the island.
const RELATIVE_TOLERANCE: f64 = 1e-3;

/// An island: its contacts and bodies among those of the step.
pub(crate) struct Island<'a> {
    pub bodies: &'a mut [SolverBody],
    pub contacts: &'a mut [Contact],
    /// Numbers of its contacts, ascending.
    pub order: &'a [u32],
    /// Numbers of its bodies, ascending.
    pub members: &'a [u32],
    /// Robots whose tyres let go in this substep.
    pub sliding: &'a mut Vec<Sliding>,
    /// Loose objects with friction under them.
    pub resting: &'a mut Vec<Resting>,
}

impl Island<'_> {
    /// Forgets the impulses of the last step, and what the ground has given.
    pub(crate) fn cool_down(&mut self) {
        for &i in self.order {
            let c = &mut self.contacts[i as usize];
            c.tangent_kept = 0.0;
            for p in &mut c.points {
                p.kept = 0.0;
            }
        }
        self.sliding.iter_mut().for_each(Sliding::restart);
        self.resting.iter_mut().for_each(Resting::restart);
    }

    /// Levers, couplings and first impulses of all contacts.
    pub(crate) fn prepare(&mut self, h: f64) {
        for &m in self.members {
            let body = &mut self.bodies[m as usize];
            (body.velocity, body.omega) = (body.free_velocity, body.free_omega);
        }
        for &i in self.order {
            let c = &mut self.contacts[i as usize];
            let (a, b) = (&self.bodies[c.a as usize], &self.bodies[c.b as usize]);
            c.couple(a, b);
            c.absorbed = 0.0;
            c.tangent = c.tangent_kept;
            for p in &mut c.points[..c.count] {
                p.allowance = p.gap.max(0.0) / h;
                p.normal = p.kept;
                p.floor = 0.0;
            }
        }
        for &i in self.order {
            let c = &mut self.contacts[i as usize];
            if c.presses() {
                let (a, b) = (&self.bodies[c.a as usize], &self.bodies[c.b as usize]);
                let (u, d) = (c.relative_velocities(a, b), c.impulses());
                c.absorbed -= c.normal_work(u, d);
                c.apply(self.bodies, d);
            }
        }
    }

    /// Sweeps over the contacts until nothing changes any more, at most `limit` times.
    ///
    /// Starts with all of them, or else with those of the bodies that are marked as changed.
    pub(crate) fn sweep(&mut self, limit: u32, all: bool) {
        if all {
            self.mark_changed(1);
        }
        let tolerance = TOLERANCE + RELATIVE_TOLERANCE * self.fastest_approach();
        for sweep in 1..=limit {
            let mut any = false;
            for &i in self.order {
                let c = &mut self.contacts[i as usize];
                let (a, b) = (c.a as usize, c.b as usize);
                // Nothing has moved since this contact was content.
                if self.bodies[a].changed < sweep && self.bodies[b].changed < sweep {
                    continue;
                }
                if c.solve(self.bodies) > tolerance {
                    self.bodies[a].changed = sweep + 1;
                    self.bodies[b].changed = sweep + 1;
                    self.bodies[0].changed = 0;
                    any = true;
                }
            }
            any |= self.rub(sweep, tolerance);
            if !any {
                break;
            }
        }
    }

    /// Lets the ground act on bodies that this sweep has changed. Returns whether that mattered.
    fn rub(&mut self, sweep: u32, tolerance: f64) -> bool {
        let mut any = false;
        let mut act = |body: &mut SolverBody, rub: &mut dyn FnMut(&mut SolverBody) -> f64| {
            any |= body.changed > sweep && rub(body) > tolerance;
        };
        for tyres in self.sliding.iter_mut() {
            act(&mut self.bodies[tyres.body as usize], &mut |body| tyres.rub(body));
        }
        for object in self.resting.iter_mut() {
            act(&mut self.bodies[object.body as usize], &mut |body| object.rub(body));
        }
        any
    }

    fn fastest_approach(&self) -> f64 {
        let of = |i: &u32| {
            let [p, q] = &self.contacts[*i as usize].points;
            larger(p.approach, q.approach)
        };
        self.order.iter().map(of).fold(0.0, larger)
    }

    /// Marks all bodies as changed before a sweep; 0 for not at all.
    pub(crate) fn mark_changed(&mut self, sweep: u32) {
        for &m in self.members {
            self.bodies[m as usize].changed = sweep;
        }
    }

    /// Adds up the impulses that each body got from its contacts.
    pub(crate) fn sum_impulses(&mut self) {
        for &m in self.members {
            let body = &mut self.bodies[m as usize];
            (body.impulse, body.angular_impulse) = (Vec2::ZERO, 0.0);
        }
        for &i in self.order {
            let c = &self.contacts[i as usize];
            let (impulse, turn_a, turn_b) = c.on_bodies(c.impulses());
            let a = &mut self.bodies[c.a as usize];
            a.impulse += impulse;
            a.angular_impulse += turn_a;
            let b = &mut self.bodies[c.b as usize];
            b.impulse -= impulse;
            b.angular_impulse -= turn_b;
        }
    }

    /// Marks the bodies that got an impulse.
    pub(crate) fn mark_touched(&mut self) {
        for &i in self.order {
            let c = &self.contacts[i as usize];
            if c.impulses() != [0.0; 3] {
                self.bodies[c.a as usize].touched = true;
                self.bodies[c.b as usize].touched = true;
            }
        }
        self.bodies[0] = SolverBody::GROUND;
    }
}

/// The islands of a step, as lists of numbers of contacts and bodies.
pub(crate) struct Groups {
    parent: Vec<u32>,
    /// (island, number) of contacts and bodies that are solved, sorted.
    contacts: Vec<(u32, u32)>,
    bodies: Vec<(u32, u32)>,
    order: Vec<u32>,
    members: Vec<u32>,
    /// First contact and first body of each island, and the ends.
    starts: Vec<(u32, u32)>,
    active: Vec<bool>,
}

impl Groups {
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            parent: Vec::with_capacity(slots + 1),
            contacts: Vec::with_capacity(4 * slots + 64),
            bodies: Vec::with_capacity(slots + 1),
            order: Vec::with_capacity(4 * slots + 64),
            members: Vec::with_capacity(slots + 1),
            starts: Vec::with_capacity(slots + 2),
            active: Vec::with_capacity(slots + 1),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Contacts and bodies of an island.
    pub(crate) fn get(&self, i: usize) -> (&[u32], &[u32]) {
        let ((c, b), (c_end, b_end)) = (self.starts[i], self.starts[i + 1]);
        (&self.order[c as usize..c_end as usize], &self.members[b as usize..b_end as usize])
    }

    /// Notes which contacts bounce, and splits those that matter into islands.
    pub(crate) fn split(
        &mut self,
        model: &Model,
        contacts: &mut [Contact],
        bodies: &[SolverBody],
        h: f64,
    ) {
        let threshold = model.contact.restitution_threshold;
        self.parent.clear();
        self.parent.extend(0..bodies.len() as u32);
        self.active.clear();
        self.active.resize(bodies.len(), false);
        for c in contacts.iter() {
            if c.b != 0 {
                let (a, b) = (find(&mut self.parent, c.a), find(&mut self.parent, c.b));
                // The lower number leads: islands come in the order of their first body.
                let (low, high) = (a.min(b), a.max(b));
                self.parent[high as usize] = low;
            }
        }
        for c in contacts.iter_mut() {
            let mut matters = false;
            for p in &c.points[..c.count] {
                // What pressed in the last step is no new hit, however fast it still closes.
                c.bounces |= p.approach > threshold && c.restitution > 0.0 && !c.known;
                matters |= p.kept > 0.0 || p.gap <= p.approach * h;
            }
            if matters {
                let leader = find(&mut self.parent, c.a);
                self.active[leader as usize] = true;
            }
        }
        self.contacts.clear();
        self.bodies.clear();
        for (i, c) in contacts.iter().enumerate() {
            let leader = find(&mut self.parent, c.a);
            if self.active[leader as usize] {
                self.contacts.push((leader, i as u32));
            }
        }
        for i in 1..bodies.len() as u32 {
            let leader = find(&mut self.parent, i);
            if self.active[leader as usize] {
                self.bodies.push((leader, i));
            }
        }
        self.contacts.sort_unstable();
        self.bodies.sort_unstable();
        self.list();
    }

    /// Writes the sorted pairs as lists with starts.
    fn list(&mut self) {
        self.order.clear();
        self.order.extend(self.contacts.iter().map(|c| c.1));
        self.members.clear();
        self.members.extend(self.bodies.iter().map(|b| b.1));
        self.starts.clear();
        let mut c = 0;
        let mut leader = u32::MAX;
        for (i, b) in self.bodies.iter().enumerate() {
            if b.0 != leader {
                leader = b.0;
                while c < self.contacts.len() && self.contacts[c].0 < leader {
                    c += 1;
                }
                self.starts.push((c as u32, i as u32));
            }
        }
        self.starts.push((self.contacts.len() as u32, self.bodies.len() as u32));
    }
}

/// The leader of a body's island.
fn find(parent: &mut [u32], mut i: u32) -> u32 {
    while parent[i as usize] != i {
        let above = parent[parent[i as usize] as usize];
        parent[i as usize] = above;
        i = above;
    }
    i
}
