//! Gathering the bodies and contacts of a step, or of a later substep, into the solver.

use super::broad::{Pair, WALL_BASE};
use super::contact::Contact;
use super::narrow::Manifold;
use super::solver::{Solver, SolverBody};
use super::{SKIN, key_of, narrow, overlap, parts_of};
use crate::planar::{Block, CachedImpulse, State, place};
use rolima_math::Pose2;
use rolima_model::{BodyKind, Model, Part};

/// How near contact points must come to be kept.
#[derive(Clone, Copy)]
pub(crate) struct Reachable {
    /// Gaps up to this are looked at, m.
    pub margin: f64,
    /// Of those, points are kept that would be nearer than this after `h` without contacts, m: an
    /// allowance for pushes by third bodies.
    pub push: f64,
    /// Length of the step or substep, s.
    pub h: f64,
}

impl Solver {
    /// Adds the contacts of a pair at these poses, or tells how far apart it is. Returns the
    /// smallest gap.
    pub(crate) fn collide(
        &mut self,
        model: &Model,
        at: (&State, &[Block]),
        pair: Pair,
        poses: [Pose2; 2],
        reachable: Reachable,
    ) -> Result<f64, f64> {
        let mut numbers = None;
        each_manifold(model, pair, poses, reachable.margin, |manifold, parts| {
            let numbers = *numbers.get_or_insert_with(|| {
                self.near.push(pair);
                let a = self.number(model, at, pair.a);
                [a, if pair.b < WALL_BASE { self.number(model, at, pair.b) } else { 0 }]
            });
            self.keep_if_closing(model, pair, numbers, (manifold, parts), reachable);
        })
    }

    /// Adds the contacts of a pair only if it overlaps. Returns whether it does.
    pub(crate) fn collide_if_overlapping(
        &mut self,
        model: &Model,
        at: (&State, &[Block]),
        pair: Pair,
        poses: [Pose2; 2],
    ) -> bool {
        // A little more than what is left alone, which bodies come to only after long.
        let reachable = Reachable { margin: -1.5 * overlap::SLOP, push: 0.0, h: model.step_s };
        self.collide(model, at, pair, poses, reachable).is_ok()
    }

    /// Looks again at all near pairs, from where the bodies are now.
    pub(crate) fn collide_again(&mut self, model: &Model, reachable: Reachable) {
        // What has pressed in this step is no new hit.
        self.last.clear();
        for c in &self.contacts {
            for p in c.points[..c.count].iter().filter(|p| p.normal > 0.0) {
                // Enough to be known again; the push of one substep is no good guess for the next.
                let normal = f64::MIN_POSITIVE;
                let known = CachedImpulse { key: c.key, feature: p.feature, normal, tangent: 0.0 };
                self.last.push(known);
            }
        }
        // Contacts that a hit was passed on to stand behind the others.
        if !self.last.is_sorted_by_key(|l| l.key) {
            self.last.sort_unstable_by_key(|l| (l.key, l.feature));
        }
        self.contacts.clear();
        // Pairs that a hit was passed on to stand behind the others, some of them more than once.
        if !self.near.is_sorted() {
            self.near.sort_unstable();
        }
        self.near.dedup();
        for i in 0..self.near.len() {
            let pair = self.near[i];
            let a = self.number_of[pair.a as usize];
            let b = if pair.b < WALL_BASE { self.number_of[pair.b as usize] } else { 0 };
            let poses = [a, b].map(|number| self.bodies[number as usize].pose);
            let _ = each_manifold(model, pair, poses, reachable.margin, |manifold, parts| {
                self.keep_if_closing(model, pair, [a, b], (manifold, parts), reachable);
            });
        }
    }

    /// Makes a contact of a manifold that could close.
    #[inline]
    fn keep_if_closing(
        &mut self,
        model: &Model,
        pair: Pair,
        numbers: [u32; 2],
        (manifold, [i, j]): (&Manifold, [usize; 2]),
        Reachable { push, h, .. }: Reachable,
    ) {
        let [a, b] = numbers.map(|n| &self.bodies[n as usize]);
        let mut approaches = [0.0; 2];
        let threshold = model.contact.restitution_threshold;
        let (mut closes, mut hit) = (false, 0.0f64);
        for (p, approach) in manifold.points[..manifold.count].iter().zip(&mut approaches) {
            let at = |body: &SolverBody| {
                body.velocity + (p.position - body.pose.position).perp() * body.omega
            };
            *approach = manifold.normal.dot(at(b) - at(a));
            closes |= p.gap - *approach * h <= SKIN + push;
            if p.gap <= (*approach + a.gained + b.gained) * h && *approach > threshold {
                hit = hit.max(*approach);
            }
        }
        if closes {
            let origins = (a.pose.position, b.pose.position);
            let kinds = (a.kind as usize, b.kind as usize);
            self.contacts.push(Contact {
                a: numbers[0],
                b: numbers[1],
                friction: model.contact.friction[kinds.0][kinds.1],
                restitution: model.contact.restitution[kinds.0][kinds.1],
                ..Contact::new((key_of(pair, i, j), pair), manifold, approaches, origins)
            });
        }
        if hit > 0.0 {
            // An elastic hit turns the approach round, and a light body takes all of it.
            self.note_hit(pair, 2.0 * hit * h);
        }
    }

    /// Number of a body in the solver; takes it in if it is new.
    fn number(&mut self, model: &Model, (state, before): (&State, &[Block]), slot: u32) -> u32 {
        let known = self.number_of[slot as usize];
        if known != 0 {
            return known;
        }
        let Some(body) = model.layout.body(slot) else { return 0 };
        let (block, lane) = place(slot);
        let pose = before[block].pose(lane);
        let after = &state.motion[block];
        let turning = (after.omega[lane] - before[block].omega[lane]).abs();
        let mut b = SolverBody {
            slot,
            gained: (after.velocity(lane) - before[block].velocity(lane)).length()
                + turning * body.radius,
            kind: body.kind,
            pose,
            velocity: after.velocity(lane),
            omega: after.omega[lane],
            inverse_mass: body.inverse[0],
            inverse_inertia: body.inverse[1],
            ..SolverBody::GROUND
        };
        b.let_loose();
        if body.kind == BodyKind::Robot {
            if state.is_slipping(slot) {
                b.velocity = after.pose(lane).rotation.rotate(b.velocity);
                b.wheel_speeds = state.wheel_speeds[slot as usize];
            } else {
                b.velocity = pose.rotation.x_axis() * b.velocity.x;
                b.drive = model.robots[body.index as usize].drive;
                let m = &model.drives[b.drive as usize].mass_matrix_inverse;
                b.inverse_inertia_of_drive = [m[0][0], m[0][1], m[1][1]];
                b.hold();
            }
        }
        let way = after.pose(lane).position - pose.position;
        b.bend = way * (1.0 / model.step_s) - b.velocity;
        b.bend_turn = 0.5 * (before[block].omega[lane] - b.omega);
        let number = self.bodies.len() as u32;
        self.bodies.push(b);
        self.number_of[slot as usize] = number;
        number
    }
}

/// Shows `each` the manifolds of a pair, with the numbers of their parts. Returns the smallest gap,
/// or if there is no manifold within the margin, a lower bound of it.
#[inline]
fn each_manifold(
    model: &Model,
    pair: Pair,
    [pose_a, pose_b]: [Pose2; 2],
    margin: f64,
    mut each: impl FnMut(&Manifold, [usize; 2]),
) -> Result<f64, f64> {
    let [parts_a, parts_b] = parts(model, pair);
    let mut nearest = f64::INFINITY;
    let mut any = false;
    for (i, part_a) in parts_a.iter().enumerate() {
        for (j, part_b) in parts_b.iter().enumerate() {
            match narrow::collide_at((part_a, pose_a), (part_b, pose_b), margin) {
                Ok(manifold) => {
                    for point in &manifold.points[..manifold.count] {
                        nearest = nearest.min(point.gap);
                    }
                    any = true;
                    each(&manifold, [i, j]);
                }
                Err(gap) => nearest = nearest.min(gap),
            }
        }
    }
    if any { Ok(nearest) } else { Err(nearest) }
}

/// The parts of both bodies of a pair; the second may be a wall.
fn parts(model: &Model, pair: Pair) -> [&[Part]; 2] {
    let of_body = |slot: u32| -> &[Part] {
        model.layout.body(slot).map_or(&[], |body| &model.shapes[body.shape as usize].parts)
    };
    let second = match pair.b.checked_sub(WALL_BASE) {
        Some(wall) => core::slice::from_ref(&model.walls[wall as usize]),
        None => of_body(pair.b),
    };
    [of_body(pair.a), second]
}

/// Where the two parts of a contact touch, or nearly, with their bodies at these poses.
pub(crate) fn manifold_of(
    model: &Model,
    c: &Contact,
    [pose_a, pose_b]: [Pose2; 2],
    margin: f64,
) -> Option<Manifold> {
    let [parts_a, parts_b] = parts(model, c.pair);
    let [i, j] = parts_of(c.key);
    let (a, b) = (parts_a.get(i)?, parts_b.get(j)?);
    narrow::collide_at((a, pose_a), (b, pose_b), margin).ok()
}
