//! The contacts of a step: bodies, points, preparation and the sweeps of the `rigid` response.
//!
//! Sequential impulses with a warm start: every contact (one or two points, each with a normal and
//! a friction row) is solved as a small block while the others hold still, again and again. A row
//! update moves its relative velocity towards its target and so takes energy away; normal
//! impulses never pull, friction stays within Coulomb's cone.
//!
//! A robot whose tyres stick answers to an impulse only along its heading and by turning, with the
//! inertia M of body and wheels together (eq 7): the tyres take the side part. Whether they can is
//! checked afterwards ([`super::tyres`]).

use super::broad::{Pair, WALL_BASE};
use super::contact::Contact;
use super::narrow::{self, Manifold};
use super::{key_of, restitution, tyres};
use crate::state::{Block, CachedImpulse, State, place};
use rolima_math::{Pose2, Vec2};
use rolima_model::{BodyKind, Model, Part};

/// A sweep that changes no relative velocity by more than this ends the solving, m/s.
const TOLERANCE: f64 = 1e-7;

/// A body as the solver sees it: velocities in the world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SolverBody {
    pub slot: u32,
    pub kind: BodyKind,
    /// Pose, advanced by substeps.
    pub pose: Pose2,
    pub velocity: Vec2,
    pub omega: f64,
    /// Velocity before the contacts of this substep.
    pub free_velocity: Vec2,
    pub free_omega: f64,
    /// Answer to an impulse (x, y, turning): xx, xy, yy, x-turn, y-turn, turn-turn.
    pub mobility: [f64; 6],
    pub inverse_mass: f64,
    pub inverse_inertia: f64,
    /// M^-1 of a robot's drive: (v, v), (v, omega), (omega, omega).
    pub inverse_inertia_of_drive: [f64; 3],
    /// A robot whose tyres stick.
    pub grips: bool,
    /// Whether it got an impulse or was pushed out of an overlap.
    pub touched: bool,
    /// The last sweep that changed its velocity.
    pub changed: u32,
    /// Wheel speeds (right, left), once its tyres have let go, rad/s.
    pub wheel_speeds: [f64; 2],
    /// Sum of the contacts' impulses on it, N s.
    pub impulse: Vec2,
    pub angular_impulse: f64,
}

impl SolverBody {
    const GROUND: Self = Self {
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
        inverse_inertia_of_drive: [0.0; 3],
        grips: false,
        touched: false,
        changed: 0,
        wheel_speeds: [0.0; 2],
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
    fn hold(&mut self) {
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

/// Contacts and bodies of a step.
pub struct Solver {
    pub(crate) bodies: Vec<SolverBody>,
    pub(crate) contacts: Vec<Contact>,
    pub(crate) impacts: Vec<Impact>,
    pub(crate) energy_caps: u32,
    number_of: Vec<u32>,
    near: Vec<Pair>,
    last: Vec<CachedImpulse>,
}

impl Solver {
    pub(crate) fn new(model: &Model) -> Self {
        let slots = model.bodies.len();
        let mut bodies = Vec::with_capacity(slots + 1);
        bodies.push(SolverBody::GROUND);
        Self {
            bodies,
            contacts: Vec::with_capacity(4 * slots + 64),
            impacts: Vec::with_capacity(256),
            energy_caps: 0,
            number_of: vec![0; slots],
            near: Vec::with_capacity(4 * slots + 64),
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
        self.impacts.clear();
        self.energy_caps = 0;
    }

    /// Keeps last step's impulses for the warm start.
    pub(crate) fn remember(&mut self, impulses: &[CachedImpulse]) {
        self.last.clear();
        self.last.extend_from_slice(impulses);
    }

    /// Adds the contacts of a pair, or tells how far apart it is.
    pub(crate) fn collide(
        &mut self,
        model: &Model,
        (state, before): (&State, &[Block]),
        pair: Pair,
        margin: f64,
    ) -> Result<(), f64> {
        let pose = |slot: u32| {
            let (block, lane) = place(slot);
            before[block].pose(lane)
        };
        let pose_b = if pair.b < WALL_BASE { pose(pair.b) } else { Pose2::IDENTITY };
        let from = self.contacts.len();
        let result = self.collide_parts(model, pair, (pose(pair.a), pose_b), margin);
        if result.is_ok() {
            let a = self.number(model, (state, before), pair.a);
            let b =
                if pair.b < WALL_BASE { self.number(model, (state, before), pair.b) } else { 0 };
            for c in &mut self.contacts[from..] {
                (c.a, c.b) = (a, b);
            }
            self.near.push(pair);
        }
        result
    }

    /// Looks again at all near pairs, from where the bodies are now.
    pub(crate) fn collide_again(&mut self, model: &Model, margin: f64) {
        // What was known or has pressed in this step is no new impact.
        self.last.clear();
        for c in &self.contacts {
            for p in &c.points[..c.count] {
                self.last.push(CachedImpulse {
                    key: c.key,
                    feature: p.feature,
                    normal: 0.0,
                    tangent: 0.0,
                });
            }
        }
        self.contacts.clear();
        for i in 0..self.near.len() {
            let pair = self.near[i];
            let a = self.number_of[pair.a as usize];
            let b = if pair.b < WALL_BASE { self.number_of[pair.b as usize] } else { 0 };
            let poses = (self.bodies[a as usize].pose, self.bodies[b as usize].pose);
            let from = self.contacts.len();
            if self.collide_parts(model, pair, poses, margin).is_ok() {
                for c in &mut self.contacts[from..] {
                    (c.a, c.b) = (a, b);
                }
            }
        }
    }

    fn collide_parts(
        &mut self,
        model: &Model,
        pair: Pair,
        (pose_a, pose_b): (Pose2, Pose2),
        margin: f64,
    ) -> Result<(), f64> {
        let (Some(body_a), wall) = (model.body(pair.a), pair.b >= WALL_BASE) else {
            return Err(f64::INFINITY);
        };
        let shape_a = &model.shapes[body_a.shape as usize];
        let kind_b = model.body(pair.b).map_or(BodyKind::Wall, |b| b.kind);
        let parts_b: &[Part] = match model.body(pair.b) {
            Some(b) if !wall => &model.shapes[b.shape as usize].parts,
            _ => core::slice::from_ref(&model.walls[(pair.b - WALL_BASE) as usize]),
        };
        let mut nearest = f64::INFINITY;
        for (i, part_a) in shape_a.parts.iter().enumerate() {
            let world_a = part_a.transformed(pose_a);
            for (j, part_b) in parts_b.iter().enumerate() {
                let moved;
                let world_b = if wall {
                    part_b
                } else {
                    moved = part_b.transformed(pose_b);
                    &moved
                };
                match narrow::collide(&world_a, world_b, margin) {
                    Ok(manifold) => {
                        nearest = f64::NEG_INFINITY;
                        let kinds = (body_a.kind as usize, kind_b as usize);
                        let contact = Contact {
                            key: key_of(pair, i, j),
                            friction: model.contact.friction[kinds.0][kinds.1],
                            restitution: model.contact.restitution[kinds.0][kinds.1],
                            ..Contact::new(pair, &manifold)
                        };
                        self.contacts.push(contact);
                        let c = self.contacts.len() - 1;
                        self.set_arms(c, &manifold, pose_a.position, pose_b.position);
                    }
                    Err(gap) => nearest = nearest.min(gap),
                }
            }
        }
        if nearest == f64::NEG_INFINITY { Ok(()) } else { Err(nearest) }
    }

    fn set_arms(&mut self, c: usize, manifold: &Manifold, origin_a: Vec2, origin_b: Vec2) {
        let n = manifold.normal;
        let t = n.perp();
        for (i, point) in manifold.points[..manifold.count].iter().enumerate() {
            let p = &mut self.contacts[c].points[i];
            p.feature = point.feature;
            p.gap = point.gap;
            p.arm_a = point.position - origin_a;
            p.arm_b = point.position - origin_b;
            p.lever_na = p.arm_a.cross(n);
            p.lever_nb = p.arm_b.cross(n);
            p.lever_ta = p.arm_a.cross(t);
            p.lever_tb = p.arm_b.cross(t);
        }
    }

    /// Number of a body in the solver; takes it in if it is new.
    fn number(&mut self, model: &Model, (state, before): (&State, &[Block]), slot: u32) -> u32 {
        let known = self.number_of[slot as usize];
        if known != 0 {
            return known;
        }
        let Some(body) = model.body(slot) else { return 0 };
        let (block, lane) = place(slot);
        let pose = before[block].pose(lane);
        let after = &state.motion[block];
        let mut b = SolverBody {
            slot,
            kind: body.kind,
            pose,
            velocity: after.velocity(lane),
            omega: after.omega[lane],
            inverse_mass: 1.0 / body.mass,
            inverse_inertia: 1.0 / body.inertia,
            ..SolverBody::GROUND
        };
        b.let_loose();
        if body.kind == BodyKind::Robot {
            if state.is_slipping(slot) {
                b.velocity = after.pose(lane).rotation.rotate(b.velocity);
                b.wheel_speeds = state.wheel_speeds[slot as usize];
            } else {
                b.velocity = pose.rotation.x_axis() * b.velocity.x;
                let drive = model.robots[body.index as usize].drive;
                let m = &model.drives[drive as usize].mass_matrix_inverse;
                b.inverse_inertia_of_drive = [m[0][0], m[0][1], m[1][1]];
                b.hold();
            }
        }
        let number = self.bodies.len() as u32;
        self.bodies.push(b);
        self.number_of[slot as usize] = number;
        number
    }

    /// Solves the contacts of a substep; robots whose tyres cannot hold are let loose on the way.
    pub(crate) fn solve_rigid(&mut self, model: &Model, state: &State, h: f64) {
        for body in &mut self.bodies {
            (body.free_velocity, body.free_omega) = (body.velocity, body.omega);
        }
        self.warm_start(h);
        for _ in 0..tyres::PASSES {
            self.prepare(model, h);
            self.sweep(model.contact.iterations);
            restitution::bounce(self, model.contact.iterations);
            if !tyres::let_go(self, model, state, h) {
                break;
            }
        }
        for i in 0..self.contacts.len() {
            let c = &self.contacts[i];
            if c.impulses() != [0.0; 4] {
                let (a, b) = (c.a as usize, c.b as usize);
                self.bodies[a].touched = true;
                self.bodies[b].touched = true;
            }
        }
        self.bodies[0] = SolverBody::GROUND;
    }

    /// Takes over the impulses of the last step.
    fn warm_start(&mut self, h: f64) {
        let mut from = 0;
        for c in &mut self.contacts {
            while from < self.last.len() && self.last[from].key < c.key {
                from += 1;
            }
            let same_key = self.last[from..].iter().take_while(|l| l.key == c.key);
            for l in same_key {
                c.known = true;
                for p in &mut c.points[..c.count] {
                    if l.is(c.key, p.feature) {
                        p.kept = [l.normal * h, l.tangent * h];
                    }
                }
            }
        }
    }

    /// Levers, couplings and first impulses of all contacts.
    fn prepare(&mut self, model: &Model, h: f64) {
        for body in &mut self.bodies {
            (body.velocity, body.omega) = (body.free_velocity, body.free_omega);
            body.changed = 0;
        }
        let threshold = model.contact.restitution_threshold;
        for c in &mut self.contacts {
            let (a, b) = (&self.bodies[c.a as usize], &self.bodies[c.b as usize]);
            c.couple(a, b);
            c.absorbed = 0.0;
            c.bounces = false;
            let u = c.relative_velocities(a, b);
            for i in 0..c.count {
                let p = &mut c.points[i];
                p.allowance = p.gap.max(0.0) / h;
                p.approach = -u[2 * i];
                p.normal = p.kept[0];
                p.tangent = p.kept[1];
                p.floor = 0.0;
                c.bounces |= p.approach > threshold && c.restitution > 0.0;
            }
        }
        for c in &mut self.contacts {
            if c.points[0].normal != 0.0 || c.points[1].normal != 0.0 {
                let u = c.relative_velocities(&self.bodies[c.a as usize], &self.bodies[c.b as usize]);
                let d = c.impulses();
                c.absorbed -= c.normal_work(u, d);
                c.apply(&mut self.bodies, d);
            }
        }
    }

    /// Sweeps over the contacts until nothing changes any more, at most `limit` times.
    pub(crate) fn sweep(&mut self, limit: u32) {
        for body in &mut self.bodies {
            body.changed = 1;
        }
        for sweep in 1..=limit {
            let mut any = false;
            for c in &mut self.contacts {
                // Nothing has moved since this contact was content.
                let (a, b) = (c.a as usize, c.b as usize);
                if self.bodies[a].changed < sweep && self.bodies[b].changed < sweep {
                    continue;
                }
                if c.solve(&mut self.bodies) > TOLERANCE {
                    self.bodies[a].changed = sweep + 1;
                    self.bodies[b].changed = sweep + 1;
                    self.bodies[0].changed = 0;
                    any = true;
                }
            }
            if !any {
                break;
            }
        }
    }

    /// Moves all bodies by their new velocities.
    pub(crate) fn advance(&mut self, h: f64) {
        for body in &mut self.bodies[1..] {
            body.pose.position += body.velocity * h;
            let forward = body.forward_speed();
            body.pose.rotation = body.pose.rotation.turned(body.omega * h);
            if body.grips {
                // A gripping robot's velocity turns with its heading, and so does its mobility.
                body.velocity = body.pose.rotation.x_axis() * forward;
                body.hold();
            }
        }
    }

    /// Keeps the impulses for the next step.
    pub(crate) fn store(&self, impulses: &mut Vec<CachedImpulse>, h: f64) {
        impulses.clear();
        for c in &self.contacts {
            for p in &c.points[..c.count] {
                if p.kept[0] > 0.0 {
                    impulses.push(CachedImpulse {
                        key: c.key,
                        feature: p.feature,
                        normal: p.kept[0] / h,
                        tangent: p.kept[1] / h,
                    });
                }
            }
        }
    }
}
