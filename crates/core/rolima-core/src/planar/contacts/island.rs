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
use super::hits::{Hits, Strike, TOUCH};
use super::queue::HitQueue;
use super::solver::SolverBody;
use super::tyres::Sliding;
use rolima_math::{Vec2, larger};

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
    /// Those of its contacts that hit.
    pub queue: &'a mut HitQueue,
    /// The hits of this step.
    pub strikes: &'a mut Vec<Strike>,
    /// Most of them that are told of.
    pub most_strikes: usize,
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
    #[inline(always)]
    pub(crate) fn prepare(&mut self, h: f64) {
        for &m in self.members {
            let body = &mut self.bodies[m as usize];
            (body.velocity, body.omega) = (body.free_velocity, body.free_omega);
        }
        for &i in self.order {
            let c = &mut self.contacts[i as usize];
            let (a, b) = (&self.bodies[c.a as usize], &self.bodies[c.b as usize]);
            c.couple(a, b);
            c.tangent = c.tangent_kept;
            for p in &mut c.points[..c.count] {
                p.allowance = p.gap.max(0.0) / h;
                p.normal = p.kept;
            }
        }
        for &i in self.order {
            let c = &self.contacts[i as usize];
            if c.presses() {
                c.apply(self.bodies, c.impulses());
            }
        }
    }

    /// Sweeps over the contacts until nothing changes any more, at most `limit` times.
    ///
    /// Starts with all of them, or else with those of the bodies that are marked as changed.
    #[inline(always)]
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

    /// Lets the tyres act that let go in a hit, before anything presses.
    #[inline(always)]
    pub(crate) fn rub_all(&mut self) {
        for tyres in self.sliding.iter_mut() {
            tyres.rub(&mut self.bodies[tyres.body as usize]);
        }
    }

    /// Lets the ground act on bodies that this sweep has changed. Returns whether that mattered.
    #[inline(always)]
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

    /// Ends the sweeps: brings friction into its cones, and adds up the impulses that each body got from
    /// its contacts. A contact's normals have fallen by no more than the tolerance since its friction
    /// was solved, unless the sweeps ran out; so has what friction gives up.
    #[inline(always)]
    pub(crate) fn sum_impulses(&mut self) {
        for &m in self.members {
            let body = &mut self.bodies[m as usize];
            (body.impulse, body.angular_impulse) = (Vec2::ZERO, 0.0);
        }
        for &i in self.order {
            let c = &mut self.contacts[i as usize];
            c.keep_cone(self.bodies);
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
    /// Contacts and bodies that are solved, island by island, each in ascending order.
    order: Vec<u32>,
    members: Vec<u32>,
    islands: Vec<Extent>,
    /// By the number of an island's first body.
    of_leader: Vec<Extent>,
}

/// Where an island's contacts and bodies stand in the lists.
#[derive(Clone, Copy, Default)]
struct Extent {
    contacts: [u32; 2],
    bodies: [u32; 2],
    /// Whether anything in it closes or presses.
    active: bool,
    /// Whether a contact of it hits.
    hits: bool,
}

impl Groups {
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            parent: Vec::with_capacity(slots + 1),
            order: Vec::with_capacity(4 * slots + 64),
            members: Vec::with_capacity(slots + 1),
            islands: Vec::with_capacity(slots + 1),
            of_leader: Vec::with_capacity(slots + 1),
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.islands.len()
    }

    /// Contacts and bodies of an island, and whether something hits in it.
    pub(crate) fn get(&self, i: usize) -> (&[u32], &[u32], bool) {
        let Extent { contacts: [c, c_end], bodies: [b, b_end], hits, .. } = self.islands[i];
        let order = &self.order[c as usize..c_end as usize];
        (order, &self.members[b as usize..b_end as usize], hits)
    }

    /// Notes which contacts hit, and splits those that matter into islands.
    pub(crate) fn split(
        &mut self,
        hits: &Hits<'_>,
        contacts: &mut [Contact],
        bodies: &[SolverBody],
    ) {
        let h = hits.h;
        self.join(contacts, bodies);
        for c in contacts.iter_mut() {
            let (a, b) = (&bodies[c.a as usize], &bodies[c.b as usize]);
            let presses_below = hits.presses_below(a, b);
            let mut matters = false;
            for p in &mut c.points[..c.count] {
                // What pressed in the last step only hits where it closes faster than by itself.
                let pressed = if p.kept > 0.0 { larger(p.approach, 0.0) } else { 0.0 };
                p.presses_below = presses_below + pressed;
                let closes = p.gap <= p.approach * h;
                matters |= p.kept > 0.0 || closes;
                // What slows down in the step was faster at its beginning.
                let near = p.gap <= (p.approach + a.gained + b.gained) * h;
                if near && p.approach > p.presses_below {
                    matters = true;
                    c.hit_at = c.hit_at.min(((p.gap - TOUCH) / p.approach).clamp(0.0, h));
                }
            }
            let island = &mut self.of_leader[self.parent[c.a as usize] as usize];
            island.active |= matters;
            island.hits |= c.hit_at <= h;
            island.contacts[1] += 1;
        }
        self.lay_out();
        for (i, c) in contacts.iter().enumerate() {
            let island = &mut self.of_leader[self.parent[c.a as usize] as usize];
            if island.active {
                self.order[island.contacts[1] as usize] = i as u32;
                island.contacts[1] += 1;
            }
        }
        for i in 1..bodies.len() {
            let island = &mut self.of_leader[self.parent[i] as usize];
            if island.active {
                self.members[island.bodies[1] as usize] = i as u32;
                island.bodies[1] += 1;
            }
        }
        self.islands.clear();
        self.islands.extend(self.of_leader.iter().filter(|island| island.active));
    }

    /// Makes every body's parent the first body of its island, and counts the islands' bodies. One whose
    /// tyres let go in an earlier substep slides on, also when it touches nothing any more.
    fn join(&mut self, contacts: &[Contact], bodies: &[SolverBody]) {
        self.parent.clear();
        self.parent.extend(0..bodies.len() as u32);
        for c in contacts.iter().filter(|c| c.b != 0) {
            let (a, b) = (find(&mut self.parent, c.a), find(&mut self.parent, c.b));
            // The lower number leads: islands come in the order of their first body.
            self.parent[a.max(b) as usize] = a.min(b);
        }
        self.of_leader.clear();
        self.of_leader.resize(bodies.len(), Extent::default());
        for (i, body) in bodies.iter().enumerate().skip(1) {
            // Parents have lower numbers, so this one's already points at its leader.
            let leader = self.parent[self.parent[i] as usize];
            self.parent[i] = leader;
            let island = &mut self.of_leader[leader as usize];
            island.bodies[1] += 1;
            island.active |= body.has_let_go;
        }
    }

    /// Gives every active island its room, from the counts, still empty.
    fn lay_out(&mut self) {
        let (mut contacts, mut bodies) = (0, 0);
        for island in self.of_leader.iter_mut().filter(|island| island.active) {
            let (own_contacts, own_bodies) = (island.contacts[1], island.bodies[1]);
            island.contacts = [contacts; 2];
            island.bodies = [bodies; 2];
            contacts += own_contacts;
            bodies += own_bodies;
        }
        self.order.resize(contacts as usize, 0);
        self.members.resize(bodies as usize, 0);
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
