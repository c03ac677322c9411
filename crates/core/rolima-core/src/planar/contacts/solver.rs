//! Bodies and contacts of a step, from collision to the state's next warm start.

use super::broad::Pair;
use super::contact::Contact;
use super::ground::Resting;
use super::hits::{Hits, Strike};
use super::island::{Groups, Island};
use super::queue::HitQueue;
use super::tyres::Sliding;
use super::{energy, overlap, tyres};
use crate::planar::tyre_forces::Slid;
use crate::planar::{Block, CachedImpulse, State, place};
use rolima_math::{Pose2, Vec2};
use rolima_model::{BodyKind, Model};

/// A body as the solver sees it: velocities in the world.
///
/// What the sweeps touch comes first and lies in two lines of the cache.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct SolverBody {
    pub velocity: Vec2,
    pub omega: f64,
    /// Answer to an impulse (x, y, turning): xx, xy, yy, x-turn, y-turn, turn-turn.
    pub mobility: [f64; 6],
    /// The last sweep that changed its velocity.
    pub changed: u32,
    pub slot: u32,
    pub kind: BodyKind,
    /// Pose, advanced by substeps.
    pub pose: Pose2,
    /// Velocity before the contacts of this substep.
    pub free_velocity: Vec2,
    pub free_omega: f64,
    pub inverse_mass: f64,
    pub inverse_inertia: f64,
    /// Number of a robot's drive in the model.
    pub drive: u32,
    /// M^-1 of a robot's drive: (v, v), (v, omega), (omega, omega).
    pub inverse_inertia_of_drive: [f64; 3],
    /// A robot whose tyres stick.
    pub grips: bool,
    /// Whether it got an impulse or was pushed out of an overlap.
    pub touched: bool,
    /// Wheel speeds (right, left), once its tyres have let go, rad/s.
    pub wheel_speeds: [f64; 2],
    /// Whether its tyres let go in this substep, or in this step and slide since.
    pub released: bool,
    /// Whether its tyres let go in this step.
    pub has_let_go: bool,
    /// How far a hit in this step may throw it, m; zero if it is not hit.
    pub hit_distance: f64,
    /// The first of its contacts, where something hits.
    pub first_contact: u32,
    /// By how much its mean velocity and turning in this step differ from those at its end, m/s, rad/s;
    /// nothing once it is hit, or where a step is divided.
    pub bend: Vec2,
    pub bend_turn: f64,
    /// Speed that its own forces gave it in this step at most, at any of its points, m/s.
    pub gained: f64,
    /// Sum of the contacts' impulses on it, N s.
    pub impulse: Vec2,
    pub angular_impulse: f64,
}

impl SolverBody {
    pub(crate) const GROUND: Self = Self {
        slot: u32::MAX,
        kind: BodyKind::Wall,
        pose: Pose2::IDENTITY,
        velocity: Vec2::ZERO,
        omega: 0.0,
        free_velocity: Vec2::ZERO,
        free_omega: 0.0,
        mobility: [0.0; 6],
        inverse_mass: 0.0,
        inverse_inertia: 0.0,
        drive: 0,
        inverse_inertia_of_drive: [0.0; 3],
        grips: false,
        touched: false,
        changed: 0,
        wheel_speeds: [0.0; 2],
        released: false,
        has_let_go: false,
        hit_distance: 0.0,
        first_contact: u32::MAX,
        bend: Vec2::ZERO,
        bend_turn: 0.0,
        gained: 0.0,
        impulse: Vec2::ZERO,
        angular_impulse: 0.0,
    };

    /// Speed along the heading.
    pub(crate) fn forward_speed(&self) -> f64 {
        self.velocity.dot(self.pose.rotation.x_axis())
    }

    /// Moves freely, as bodies without gripping tyres do.
    pub(crate) fn let_loose(&mut self) {
        let (m, j) = (self.inverse_mass, self.inverse_inertia);
        self.mobility = [m, 0.0, m, 0.0, 0.0, j];
        self.grips = false;
    }

    /// Moves along its heading and turns, with the inertia of body and wheels.
    pub(crate) fn hold(&mut self) {
        let h = self.pose.rotation.x_axis();
        let [a, b, c] = self.inverse_inertia_of_drive;
        self.mobility = [a * h.x * h.x, a * h.x * h.y, a * h.y * h.y, b * h.x, b * h.y, c];
        self.grips = true;
    }

    /// What an impulse (`p`, turning `l`) changes.
    #[inline(always)]
    pub(crate) fn answer(&self, p: Vec2, l: f64) -> (Vec2, f64) {
        let [xx, xy, yy, xl, yl, ll] = self.mobility;
        (
            Vec2::new(xx * p.x + xy * p.y + xl * l, xy * p.x + yy * p.y + yl * l),
            xl * p.x + yl * p.y + ll * l,
        )
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, p: Vec2, l: f64) {
        let (v, w) = self.answer(p, l);
        self.velocity += v;
        self.omega += w;
    }
}

/// A hit.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Impact {
    pub pair: Pair,
    pub speed: f64,
}

/// Most hits of a step that are told of in a world of so many slots: what bumpers feel, so it must
/// not depend on how much memory there happens to be.
fn most_strikes(slots: usize) -> usize {
    4 * slots + 64
}

/// Contacts and bodies of a step.
pub struct Solver {
    pub(crate) bodies: Vec<SolverBody>,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) impacts: Vec<Impact>,
    /// The hits of this step, up to [`most_strikes`].
    pub(crate) strikes: Vec<Strike>,
    pub(crate) energy_caps: u32,
    /// Number of the body in each slot; 0 for none.
    pub(crate) number_of: Vec<u32>,
    /// Pairs that may touch in this step.
    pub(super) near: Vec<Pair>,
    /// How far a hit in this step may throw a body at most, m.
    pub(super) most_hit: f64,
    /// How hard a hit each of the pairs that are awake was looked at for already, m; without bound
    /// once it has been taken in.
    pub(super) looked_at: Vec<f64>,
    /// Impulses to start from.
    pub(super) last: Vec<CachedImpulse>,
    groups: Groups,
    /// Contacts of an island that hit.
    queue: HitQueue,
    sliding: Vec<Sliding>,
    resting: Vec<Resting>,
}

impl Solver {
    pub(crate) fn new(model: &Model) -> Self {
        let slots = model.layout.bodies.len();
        let mut bodies = Vec::with_capacity(slots + 1);
        bodies.push(SolverBody::GROUND);
        Self {
            bodies,
            contacts: Vec::with_capacity(4 * slots + 64),
            impacts: Vec::with_capacity(256),
            strikes: Vec::with_capacity(most_strikes(slots)),
            energy_caps: 0,
            number_of: vec![0; slots],
            groups: Groups::new(slots),
            queue: HitQueue::with_capacity(4 * slots + 64),
            looked_at: Vec::with_capacity(8 * slots + 64),
            sliding: Vec::with_capacity(slots),
            resting: Vec::with_capacity(slots),
            near: Vec::with_capacity(4 * slots + 64),
            most_hit: 0.0,
            last: Vec::with_capacity(4 * slots + 64),
        }
    }

    pub(crate) fn clear(&mut self) {
        for body in &self.bodies[1..] {
            self.number_of[body.slot as usize] = 0;
        }
        self.bodies.truncate(1);
        self.contacts.clear();
        self.near.clear();
        self.most_hit = 0.0;
        self.impacts.clear();
        self.strikes.clear();
        self.energy_caps = 0;
    }

    /// How far a hit in this step may throw the body in a slot, m; nothing throws a wall.
    pub(super) fn hit_distance(&self, slot: u32) -> f64 {
        let number = self.number_of.get(slot as usize).map_or(0, |number| *number);
        self.bodies[number as usize].hit_distance
    }

    /// Whether there is a contact of a pair among the first ones, which are in order.
    pub(super) fn has(&self, pair: Pair, sorted: usize) -> bool {
        let first = &self.contacts[..sorted];
        let at = first.partition_point(|c| c.pair < pair);
        first.get(at).is_some_and(|c| c.pair == pair)
    }

    /// Notes that both bodies of a pair may be hit, and thrown so far.
    pub(super) fn note_hit(&mut self, pair: Pair, distance: f64) {
        self.most_hit = self.most_hit.max(distance);
        for slot in [pair.a, pair.b] {
            let number = self.number_of.get(slot as usize).map_or(0, |number| *number);
            if number != 0 {
                let body = &mut self.bodies[number as usize];
                body.hit_distance = body.hit_distance.max(distance);
            }
        }
    }

    /// Takes the ways of all bodies for straight.
    pub(crate) fn straighten(&mut self) {
        for body in &mut self.bodies {
            (body.bend, body.bend_turn) = (Vec2::ZERO, 0.0);
        }
    }

    /// Keeps last step's impulses for the warm start.
    pub(crate) fn remember(&mut self, impulses: &[CachedImpulse]) {
        self.last.clear();
        self.last.extend_from_slice(impulses);
    }

    /// Solves the contacts of a substep, island by island: first what hits, then what presses.
    pub(crate) fn solve_rigid(
        &mut self,
        hits: &Hits<'_>,
        (state, before): (&State, &[Block]),
        slid: &mut [Slid],
    ) {
        let (model, h) = (hits.model, hits.h);
        self.warm_start(h);
        self.groups.split(hits, &mut self.contacts, &self.bodies);
        for i in 0..self.groups.len() {
            let (order, members, any_hits) = self.groups.get(i);
            self.sliding.clear();
            self.resting.clear();
            for &number in members {
                let body = &mut self.bodies[number as usize];
                // Tyres that let go in an earlier substep slide on.
                body.released = body.has_let_go;
                if body.has_let_go {
                    self.sliding.push(Sliding::on(number, body, model, h));
                }
                if let (BodyKind::Object, Some(known)) = (body.kind, model.layout.body(body.slot)) {
                    let block = place(body.slot).0;
                    let motion = (&before[block], &state.motion[block]);
                    self.resting.extend(Resting::new(number, model, known, motion, h));
                }
            }
            let mut island = Island {
                bodies: &mut self.bodies,
                contacts: &mut self.contacts,
                order,
                members,
                queue: &mut self.queue,
                strikes: &mut self.strikes,
                most_strikes: most_strikes(self.number_of.len()),
                sliding: &mut self.sliding,
                resting: &mut self.resting,
            };
            if any_hits {
                hits.run(&mut island);
            }
            for &number in members {
                let body = &mut island.bodies[number as usize];
                (body.free_velocity, body.free_omega) = (body.velocity, body.omega);
            }
            let mut share = solve_island(&mut island, model, state, h);
            if share < 1.0 {
                island.cool_down();
                share = solve_island(&mut island, model, state, h);
            }
            if share < 1.0 {
                energy::scale_back(&mut island, share);
                // Unfinished sweeps and rounding are no event.
                self.energy_caps += u32::from(share < 0.999);
            }
            tyres::hand_over(&mut island, slid, (hits.step, h));
            island.mark_touched();
        }
    }

    /// Takes over the impulses of the last step.
    fn warm_start(&mut self, h: f64) {
        let (mut from, mut before) = (0, 0);
        for c in &mut self.contacts {
            // Nearly all come in the order of their names.
            if c.key < before {
                from = self.last.partition_point(|l| l.key < c.key);
            }
            before = c.key;
            while from < self.last.len() && self.last[from].key < c.key {
                from += 1;
            }
            let same_key = self.last[from..].iter().take_while(|l| l.key == c.key);
            for l in same_key {
                c.known = true;
                for p in &mut c.points[..c.count] {
                    if l.is(c.key, p.feature) {
                        p.kept = l.normal * h;
                        c.tangent_kept += l.tangent * h;
                    }
                }
            }
        }
    }

    /// Moves all bodies, or only those that were touched or overlap, by their new velocities.
    pub(crate) fn advance(&mut self, h: f64, all: bool) {
        for c in &self.contacts {
            // They will be pushed apart, from where they are then.
            if c.points[..c.count].iter().any(|p| p.gap < -overlap::SLOP) {
                self.bodies[c.a as usize].touched = true;
                self.bodies[c.b as usize].touched = true;
            }
        }
        for body in &mut self.bodies[1..] {
            if !body.touched && !all {
                continue;
            }
            body.pose.position += body.velocity * h;
            let forward = body.forward_speed();
            body.pose.rotation = body.pose.rotation.turned(body.omega * h);
            if body.grips {
                // A gripping robot's velocity turns with its heading, and so does its mobility.
                body.velocity = body.pose.rotation.x_axis() * forward;
                if all {
                    body.hold();
                }
            }
        }
    }

    /// Keeps the impulses for the next step.
    pub(crate) fn store(&self, impulses: &mut Vec<CachedImpulse>, h: f64) {
        impulses.clear();
        for c in &self.contacts {
            // Each point keeps a share of the friction, in case only one of them stays.
            let tangent = c.tangent / c.count as f64;
            for p in c.points[..c.count].iter().filter(|p| p.normal > 0.0) {
                impulses.push(CachedImpulse {
                    key: c.key,
                    feature: p.feature,
                    normal: p.normal / h,
                    tangent: tangent / h,
                });
            }
        }
        if !impulses.is_sorted_by_key(|i| i.key) {
            impulses.sort_unstable_by_key(|i| (i.key, i.feature));
        }
    }
}

/// Solves what presses in an island, and the tyres that let go. Returns the share of the impulses
/// that gains no energy.
///
/// One row waits for the other, so that there is nothing to do side by side; but instructions of AVX name
/// their result apart, which spares a tenth of them.
fn solve_island(island: &mut Island<'_>, model: &Model, state: &State, h: f64) -> f64 {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn avx2(island: &mut Island<'_>, model: &Model, state: &State, h: f64) -> f64 {
            solve_in_any(island, model, state, h)
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code)]
            // SAFETY: the processor has AVX2, as the line above asked.
            return unsafe { avx2(island, model, state, h) };
        }
    }
    solve_in_any(island, model, state, h)
}

#[inline(always)]
fn solve_in_any(island: &mut Island<'_>, model: &Model, state: &State, h: f64) -> f64 {
    island.prepare(h);
    island.rub_all();
    let mut held = false;
    for pass in 0..=tyres::PASSES {
        island.sweep(model.contact.iterations, pass == 0);
        held = pass < tyres::PASSES && !tyres::let_go(island, model, state, h);
        if held {
            break;
        }
    }
    if !held {
        island.sum_impulses();
    }
    energy::harmless_share(island)
}
