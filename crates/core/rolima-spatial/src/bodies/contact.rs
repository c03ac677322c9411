//! One point at which two touch, or may touch within a round.
//!
//! u is the velocity of b's point less that of a's; n points from a to b, so that u n < 0 closes.
//! The normal impulse is what keeps u n from falling below `target`, and never pulls. Friction, in
//! two directions across, takes what slides, up to its share of the normal impulse.

use super::mover::{BodyVelocity, Mover};
use rolima_math::{Vec3, larger, smaller};

/// A direction in which an impulse acts on two bodies.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    along: Vec3,
    /// Levers times the direction, and what turning answers to them.
    turn: [Vec3; 2],
    answer: [Vec3; 2],
}

impl Row {
    fn new(along: Vec3, arms: [Vec3; 2], a: &Mover, b: &Mover) -> Self {
        let turn = arms.map(|arm| arm.cross(along));
        Self { along, turn, answer: [a.answer.times(turn[0]), b.answer.times(turn[1])] }
    }

    /// How a unit impulse along this changes the relative velocity along another, 1/kg.
    fn coupling(&self, other: &Self, per_mass: f64) -> f64 {
        self.along.dot(other.along) * per_mass
            + self.answer[0].dot(other.turn[0])
            + self.answer[1].dot(other.turn[1])
    }

    #[inline(always)]
    fn speed(&self, a: &BodyVelocity, b: &BodyVelocity) -> f64 {
        self.along.dot(b.velocity - a.velocity)
            + (self.turn[1].dot(b.omega) - self.turn[0].dot(a.omega))
    }

    #[inline(always)]
    fn apply(&self, impulse: f64, a: &mut Mover, b: &mut Mover) {
        a.speed.velocity -= self.along * (impulse * a.per_mass);
        a.speed.omega -= self.answer[0] * impulse;
        b.speed.velocity += self.along * (impulse * b.per_mass);
        b.speed.omega += self.answer[1] * impulse;
    }
}

/// What was found: who, where, how far apart, and of what.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// Numbers of the two movers; 0 never moves. The references tell walls apart.
    pub(crate) movers: [usize; 2],
    pub(crate) body_refs: [Option<super::BodyRef>; 2],
    pub(crate) point: Vec3,
    /// From the centres of both to the point, when they touch.
    pub(crate) arms: [Vec3; 2],
    /// From the first to the second.
    pub(crate) normal: Vec3,
    /// Distance at the start of the round along the normal, m; negative where they overlap.
    pub(crate) gap: f64,
    pub(crate) friction: f64,
    pub(crate) restitution: f64,
}

/// A point of contact.
#[derive(Clone, Debug)]
pub(crate) struct Contact {
    pub(crate) found: Found,
    normal: Row,
    across: [Row; 2],
    /// Impulse per change of velocity, kg: along the normal, and across it (a safe one).
    mass: f64,
    mass_across: f64,
    /// Speed at which it closes when it touches, m/s, and when that is, s.
    pub(crate) closing: f64,
    pub(crate) time: f64,
    /// Least velocity along the normal, m/s.
    target: f64,
    /// Impulses along the normal and across it in this phase, N s.
    pub(crate) impulse: f64,
    rub: [f64; 2],
    /// Impulses on the second of all phases that are over, along the normal and across it, N s.
    pub(crate) pressed: f64,
    pub(crate) rubbed: Vec3,
    /// Whether it pressed, or closes within the round. Of a face's corners three may press, or two,
    /// and all of them touch.
    pub(crate) touches: bool,
    /// What is left of the gap at the end of the round, m.
    pub(crate) left: f64,
    part: Part,
}

/// A part of a hit.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    /// Whether it is hit; else it only presses.
    hit: bool,
    /// Speed along the normal when the hit begins, and when this part does, m/s.
    first: f64,
    before: f64,
    /// Impulse when this part begins, and what it and friction were in the last, N s.
    from: f64,
    last: f64,
    last_rub: [f64; 2],
    /// Work that compression has taken, J.
    taken: f64,
}

impl Contact {
    pub(crate) fn new(found: Found, movers: &[Mover], h: f64) -> Self {
        let [a, b] = found.movers.map(|m| &movers[m]);
        let (arms, n) = (found.arms, found.normal);
        let normal = Row::new(n, arms, a, b);
        let per_mass = a.per_mass + b.per_mass;
        // Across: any two directions will do.
        let aside =
            if n.x.abs() < 0.6 { Vec3::new(1.0, 0.0, 0.0) } else { Vec3::new(0.0, 1.0, 0.0) };
        let first = n.cross(aside).unit_or(aside);
        let across = [first, n.cross(first)].map(|t| Row::new(t, arms, a, b));
        let k = [
            across[0].coupling(&across[0], per_mass),
            across[1].coupling(&across[1], per_mass),
            across[0].coupling(&across[1], per_mass),
        ];
        // The larger eigenvalue: with it, friction comes to point against what slides.
        let (mean, half) = (0.5 * (k[0] + k[1]), 0.5 * (k[0] - k[1]));
        let most = mean + (half * half + k[2] * k[2]).sqrt();
        let at_start = |m: &Mover, arm: Vec3| m.start.velocity + m.start.omega.cross(arm);
        let closing = (at_start(a, arms[0]) - at_start(b, arms[1])).dot(n);
        // Gravity makes it faster until it touches, and slower if they part.
        let faster = (a.pull - b.pull).dot(n);
        let gap = larger(found.gap, 0.0);
        let square = closing * closing.abs() + 2.0 * faster * gap;
        let touching = larger(square, 0.0).sqrt();
        let twice_mean = closing + touching;
        Self {
            found,
            normal,
            across,
            mass: 1.0 / normal.coupling(&normal, per_mass),
            mass_across: 1.0 / most,
            closing: touching,
            time: if 2.0 * gap < twice_mean * h { 2.0 * gap / twice_mean } else { h },
            target: -gap / h,
            impulse: 0.0,
            rub: [0.0; 2],
            pressed: 0.0,
            rubbed: Vec3::ZERO,
            touches: false,
            left: 0.0,
            part: Part::default(),
        }
    }

    /// What is left of the gap after a round at these mean speeds, m.
    pub(crate) fn left_after(
        &self,
        movers: &[Mover],
        of: fn(&Mover) -> &BodyVelocity,
        h: f64,
    ) -> f64 {
        let [a, b] = self.found.movers.map(|m| of(&movers[m]));
        self.found.gap + h * self.normal.speed(a, b)
    }

    /// Ends stopping: does it touch?
    pub(crate) fn stop(&mut self, movers: &[Mover], h: f64) {
        self.touches = self.impulse > 0.0 || self.left_after(movers, |m| &m.speed, h) <= CLOSED;
    }

    /// Whether it is hit.
    pub(crate) fn is_hit(&self, threshold: f64) -> bool {
        self.touches && self.closing >= threshold
    }

    /// From stopping to rebounding: what touches must end with this speed at least.
    pub(crate) fn rebound(&mut self, threshold: f64) {
        self.target = match (self.touches, self.closing >= threshold) {
            (true, true) => self.found.restitution * self.closing,
            (true, false) => 0.0,
            (false, _) => f64::MIN,
        };
    }

    /// Speed at which it slides and is rubbed, m/s.
    pub(crate) fn slides(&self, movers: &[Mover]) -> f64 {
        if self.found.friction == 0.0 {
            return 0.0;
        }
        let [a, b] = self.found.movers.map(|m| &movers[m].pulled);
        let [x, y] = [0, 1].map(|i: usize| self.across[i].speed(a, b));
        (x * x + y * y).sqrt()
    }

    fn speed(&self, movers: &[Mover]) -> f64 {
        let [a, b] = self.found.movers.map(|m| &movers[m].speed);
        self.normal.speed(a, b)
    }

    /// Begins a hit from nothing, in parts.
    pub(crate) fn begin_strike(&mut self, movers: &[Mover], threshold: f64) {
        (self.impulse, self.rub) = (0.0, [0.0; 2]);
        let (hit, first) = (self.is_hit(threshold), self.speed(movers));
        self.part = Part { hit, first, ..Part::default() };
    }

    /// What it may close with after a share of compression, m/s.
    pub(crate) fn compressing(&self, share: f64) -> f64 {
        if self.touches { smaller(self.part.first, 0.0) * (1.0 - share) } else { f64::MIN }
    }

    /// What it parts with after a share of restitution, m/s.
    pub(crate) fn restoring(&self, share: f64) -> f64 {
        match (self.touches, self.part.hit) {
            (true, true) => self.found.restitution * self.closing * share,
            (true, false) => 0.0,
            (false, _) => f64::MIN,
        }
    }

    pub(crate) fn begin_part(&mut self, movers: &[Mover], target: f64) {
        self.target = target;
        (self.part.before, self.part.from) = (self.speed(movers), self.impulse);
    }

    /// Does in this part what it did in the last, for a first guess.
    pub(crate) fn go_on(&mut self, movers: &mut [Mover]) {
        let Some([a, b]) = two(movers, self.found.movers) else { return };
        self.impulse += self.part.last;
        self.normal.apply(self.part.last, a, b);
        self.rub = self.part.last_rub;
        for i in 0..2 {
            self.across[i].apply(self.rub[i], a, b);
        }
    }

    /// Work of the normal impulse of a share s of this part, a s + b s², J.
    pub(crate) fn work(&self, movers: &[Mover]) -> (f64, f64) {
        let Part { hit, before, from, .. } = self.part;
        let impulse = if hit { self.impulse - from } else { 0.0 };
        (impulse * before, 0.5 * impulse * (self.speed(movers) - before))
    }

    pub(crate) fn end_part(&mut self, movers: &[Mover], share: f64) {
        let (a, b) = self.work(movers);
        self.part.taken -= a + b;
        self.part.last = (self.impulse - self.part.from) * share;
        self.part.last_rub = self.rub.map(|x| x * share);
        self.impulse = self.part.from + self.part.last;
        let [one, other] = &self.across;
        let [x, y] = self.part.last_rub;
        self.rubbed += one.along * x + other.along * y;
        self.rub = [0.0; 2];
    }

    /// Work that restitution gives back, after compression, J.
    pub(crate) fn due(&self) -> f64 {
        let e = self.found.restitution;
        e * e * larger(self.part.taken, 0.0)
    }

    /// After rebounding: what touched does not close again.
    pub(crate) fn hold(&mut self) {
        self.end_phase();
        self.target = if self.touches { 0.0 } else { f64::MIN };
    }

    /// Ends a phase that is not continued by the next.
    pub(crate) fn end_phase(&mut self) {
        self.pressed += self.impulse;
        let [one, other] = &self.across;
        self.rubbed += one.along * self.rub[0] + other.along * self.rub[1];
        (self.impulse, self.rub) = (0.0, [0.0; 2]);
        self.part.from = 0.0;
    }

    /// Solves it while all others hold still. Returns the largest change of its velocities, m/s.
    #[inline]
    pub(crate) fn solve(&mut self, movers: &mut [Mover]) -> f64 {
        let Some([a, b]) = two(movers, self.found.movers) else { return 0.0 };
        let lacks = (self.target - self.normal.speed(&a.speed, &b.speed)) * self.mass;
        let new = larger(self.impulse + lacks, 0.0);
        let change = new - self.impulse;
        if new == 0.0 && change == 0.0 {
            return 0.0;
        }
        self.impulse = new;
        self.normal.apply(change, a, b);
        let mut most = (change / self.mass).abs();
        if self.found.friction > 0.0 {
            let slide = [0, 1].map(|i: usize| self.across[i].speed(&a.speed, &b.speed));
            let mut wanted = [0, 1].map(|i: usize| self.rub[i] - slide[i] * self.mass_across);
            let size = (wanted[0] * wanted[0] + wanted[1] * wanted[1]).sqrt();
            let limit = self.found.friction * larger(new - self.part.from, 0.0);
            if size > limit {
                wanted = wanted.map(|x| x * (limit / size));
            }
            for i in 0..2 {
                let change = wanted[i] - self.rub[i];
                self.across[i].apply(change, a, b);
                most = larger(most, (change / self.mass_across).abs());
            }
            self.rub = wanted;
        }
        most
    }

    /// Begins to keep poses from closing by more than the gap.
    pub(crate) fn keep_apart(&mut self, h: f64) {
        self.target = -larger(self.found.gap, 0.0) / h;
        self.begin_poses();
    }

    /// Begins to push poses apart: a share of what overlaps, or no nearer than touching.
    pub(crate) fn push_apart(&mut self, h: f64) {
        let over = -self.left - SLOP;
        self.target = if over > 0.0 {
            smaller(SHARE * over / h, FASTEST_APART)
        } else {
            -larger(self.left, 0.0) / h
        };
        self.begin_poses();
    }

    /// Poses are moved without friction.
    fn begin_poses(&mut self) {
        (self.impulse, self.rub) = (0.0, [0.0; 2]);
        self.found.friction = 0.0;
    }
}

/// What counts as closed at the end of a round, m: more than solving leaves undone.
pub(crate) const CLOSED: f64 = 1e-6;

/// Overlap that is left alone, m: pushing it out would lift what rests for ever.
pub(crate) const SLOP: f64 = 2e-5;

/// Share of the rest that is pushed out in a round, and the fastest that anything is, m/s.
const SHARE: f64 = 0.2;
const FASTEST_APART: f64 = 1.0;

/// Two movers at once; the first may be the one that never moves.
#[inline(always)]
fn two(movers: &mut [Mover], at: [usize; 2]) -> Option<[&mut Mover; 2]> {
    movers.get_disjoint_mut(at).ok()
}
