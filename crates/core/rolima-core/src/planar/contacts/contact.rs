//! One contact between two parts: its rows, how they answer to one another, and their solution.
//!
//! A contact has one or two points on a common tangent, so all friction acts along one line: the
//! rows are (n1, n2, t), a normal a point and one tangent. Solving a contact keeps all relative
//! velocities at hand and moves the bodies once.

use super::broad::Pair;
use super::narrow::Manifold;
use super::queue;
use super::solver::SolverBody;
use core::hint::select_unpredictable;
use rolima_math::{Vec2, larger, smaller};

/// A point of a contact.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(crate) struct SolverPoint {
    /// Levers of the normal about the origins of a and b.
    pub lever_a: f64,
    pub lever_b: f64,
    /// Speed at which the bodies may approach: gap / h.
    pub allowance: f64,
    /// Normal impulse, N s.
    pub normal: f64,
    /// Speed up to which it only presses when it closes, m/s: faster, it hits.
    pub presses_below: f64,
    /// Which corners and edges touch.
    pub feature: u32,
    /// Distance at the start of the substep, m.
    pub gap: f64,
    /// Approach speed before the contacts, m/s.
    pub approach: f64,
    /// Normal impulse to start from.
    pub kept: f64,
}

/// A number for each of the rows (n1, n2, t).
pub(crate) type Rows = [f64; 3];

/// A contact between two parts.
///
/// What the sweeps touch comes first.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub(crate) struct Contact {
    /// Numbers of the bodies in the solver; 0 is the ground.
    pub a: u32,
    pub b: u32,
    pub count: usize,
    /// From b to a.
    pub normal_direction: Vec2,
    pub points: [SolverPoint; 2],
    /// Levers of the tangent about the origins of a and b.
    pub lever_ta: f64,
    pub lever_tb: f64,
    /// Friction impulse along the tangent, N s.
    pub tangent: f64,
    pub friction: f64,
    /// Answers of the rows to one another: n1 n1, n1 n2, n2 n2, n1 t, n2 t, t t.
    pub coupling: [f64; 6],
    /// Inverses of the diagonal (n1, n2, t), or zero where nothing can move.
    pub inverse: Rows,
    /// Inverse of the normal rows' coupling (n1 n1, n1 n2, n2 n2); zero where there is none.
    pub inverse_normals: [f64; 3],
    pub restitution: f64,
    /// Whether it pressed in the last step.
    pub known: bool,
    /// When it hits, s since the start of the substep; infinite if it does not.
    pub hit_at: f64,
    /// The next contacts of its two bodies, where something hits.
    pub next: [u32; 2],
    /// Its place in the queue of hits.
    pub queued: u32,
    /// Approach speed of the fastest of its hits in this substep, m/s.
    pub hit_speed: f64,
    /// Friction impulse to start from.
    pub tangent_kept: f64,
    /// Its name, for the warm start.
    pub key: u64,
    pub pair: Pair,
}

impl Contact {
    /// The contact that a manifold describes, whose points approach at these speeds, between bodies
    /// with these origins.
    #[inline]
    pub(crate) fn new(
        (key, pair): (u64, Pair),
        manifold: &Manifold,
        approaches: [f64; 2],
        (origin_a, origin_b): (Vec2, Vec2),
    ) -> Self {
        let n = manifold.normal;
        let t = n.perp();
        let mut points = [SolverPoint::default(); 2];
        let (mut lever_ta, mut lever_tb) = (0.0, 0.0);
        for (i, point) in manifold.points[..manifold.count].iter().enumerate() {
            let p = &mut points[i];
            p.approach = approaches[i];
            let (arm_a, arm_b) = (point.position - origin_a, point.position - origin_b);
            p.feature = point.feature;
            p.gap = point.gap;
            p.lever_a = arm_a.cross(n);
            p.lever_b = arm_b.cross(n);
            lever_ta += arm_a.cross(t);
            lever_tb += arm_b.cross(t);
        }
        let share = if manifold.count == 2 { 0.5 } else { 1.0 };
        Self {
            key,
            pair,
            a: 0,
            b: 0,
            count: manifold.count,
            normal_direction: n,
            points,
            lever_ta: lever_ta * share,
            lever_tb: lever_tb * share,
            tangent: 0.0,
            tangent_kept: 0.0,
            friction: 0.0,
            restitution: 0.0,
            coupling: [0.0; 6],
            inverse: [0.0; 3],
            inverse_normals: [0.0; 3],
            known: false,
            hit_at: f64::INFINITY,
            next: [u32::MAX; 2],
            queued: queue::ABSENT,
            hit_speed: 0.0,
        }
    }

    /// From the origins of a and b to a point: arm x n = -arm . t, and arm x t = arm . n.
    pub(crate) fn arms(&self, point: usize) -> [Vec2; 2] {
        let n = self.normal_direction;
        let (t, p) = (n.perp(), &self.points[point]);
        [n * self.lever_ta - t * p.lever_a, n * self.lever_tb - t * p.lever_b]
    }

    /// Answers of the rows to one another:
    /// 1/m1 + 1/m2 + (r1 x n)^2/J1 + (r2 x n)^2/J2 on the diagonal for free bodies.
    #[inline(always)]
    pub(crate) fn couple(&mut self, a: &SolverBody, b: &SolverBody) {
        let n = self.normal_direction;
        let t = n.perp();
        let [p, q] = &self.points;
        // A row is a direction and a lever, so its answers are made of six numbers a body:
        // direction by direction, direction by turning, turning by turning.
        let of = |body: &SolverBody, [l1, l2, lt]: Rows| -> [f64; 6] {
            let [xx, xy, yy, xl, yl, ll] = body.mobility;
            let along = Vec2::new(xx * n.x + xy * n.y, xy * n.x + yy * n.y);
            let nn = n.dot(along);
            let (nt, tt) = (t.dot(along), xx + yy - nn);
            let (turn_n, turn_t) = (xl * n.x + yl * n.y, xl * t.x + yl * t.y);
            let normals = |i: f64, j: f64| nn + (i + j) * turn_n + i * j * ll;
            let mixed = |i: f64| nt + i * turn_t + lt * turn_n + i * lt * ll;
            [
                normals(l1, l1),
                normals(l1, l2),
                normals(l2, l2),
                mixed(l1),
                mixed(l2),
                tt + 2.0 * lt * turn_t + lt * lt * ll,
            ]
        };
        let for_a = of(a, [p.lever_a, q.lever_a, self.lever_ta]);
        let for_b = of(b, [p.lever_b, q.lever_b, self.lever_tb]);
        for i in 0..6 {
            self.coupling[i] = for_a[i] + for_b[i];
        }
        let [k11, k12, k22, _, _, ktt] = self.coupling;
        // A robot pushed straight from the side while its tyres hold cannot answer at all.
        let inverse = |k: f64| if k > 1e-9 { 1.0 / k } else { 0.0 };
        self.inverse = [inverse(k11), inverse(k22), inverse(ktt)];
        if self.count == 2 {
            let determinant = k11 * k22 - k12 * k12;
            let good = determinant > 1e-6 * k11 * k22;
            let k = if good { 1.0 / determinant } else { 0.0 };
            self.inverse_normals = [k22 * k, -k12 * k, k11 * k];
        }
    }

    /// Velocity of a against b in every row; normal rows: positive is apart.
    #[inline(always)]
    pub(crate) fn relative_velocities(&self, a: &SolverBody, b: &SolverBody) -> Rows {
        let n = self.normal_direction;
        let between = a.velocity - b.velocity;
        let along = n.dot(between);
        let [p, q] = &self.points;
        [
            along + (p.lever_a * a.omega - p.lever_b * b.omega),
            along + (q.lever_a * a.omega - q.lever_b * b.omega),
            n.cross(between) + (self.lever_ta * a.omega - self.lever_tb * b.omega),
        ]
    }

    /// The impulses as rows.
    pub(crate) fn impulses(&self) -> Rows {
        [self.points[0].normal, self.points[1].normal, self.tangent]
    }

    /// Whether it presses.
    pub(crate) fn presses(&self) -> bool {
        self.points[0].normal > 0.0 || self.points[1].normal > 0.0
    }

    /// Work that row impulses `d` do, from relative velocities `u`, J.
    pub(crate) fn work(&self, u: Rows, d: Rows) -> f64 {
        let [_, _, _, k1t, k2t, ktt] = self.coupling;
        self.normal_work(u, d) + d[2] * (u[2] + 0.5 * (k1t * d[0] + k2t * d[1] + ktt * d[2]))
    }

    /// Work that row impulses `d` do on the normal rows, from relative velocities `u`, J.
    pub(crate) fn normal_work(&self, u: Rows, d: Rows) -> f64 {
        let [k11, k12, k22, k1t, k2t, _] = self.coupling;
        d[0] * (u[0] + 0.5 * (k11 * d[0] + k12 * d[1] + k1t * d[2]))
            + d[1] * (u[1] + 0.5 * (k12 * d[0] + k22 * d[1] + k2t * d[2]))
    }

    /// What row impulses are for the bodies: the impulse on a, and its turning about a and b.
    #[inline(always)]
    pub(crate) fn on_bodies(&self, d: Rows) -> (Vec2, f64, f64) {
        let n = self.normal_direction;
        let [p, q] = &self.points;
        (
            n * (d[0] + d[1]) + n.perp() * d[2],
            p.lever_a * d[0] + q.lever_a * d[1] + self.lever_ta * d[2],
            p.lever_b * d[0] + q.lever_b * d[1] + self.lever_tb * d[2],
        )
    }

    /// Moves the bodies by row impulses.
    #[inline(always)]
    pub(crate) fn apply(&self, bodies: &mut [SolverBody], d: Rows) {
        let (impulse, turn_a, turn_b) = self.on_bodies(d);
        bodies[self.a as usize].push(impulse, turn_a);
        bodies[self.b as usize].push(-impulse, -turn_b);
    }

    /// Solves the contact while the others hold still. Returns the largest change of a relative
    /// velocity.
    #[inline(always)]
    pub(crate) fn solve(&mut self, bodies: &mut [SolverBody]) -> f64 {
        let mut u = self.relative_velocities(&bodies[self.a as usize], &bodies[self.b as usize]);
        let [p, q] = &self.points;
        let idle = p.normal == 0.0 && q.normal == 0.0 && self.tangent == 0.0;
        if idle && u[0] + p.allowance >= 0.0 && (self.count == 1 || u[1] + q.allowance >= 0.0) {
            return 0.0;
        }
        let [k11, _, k22, k1t, k2t, ktt] = self.coupling;
        // Friction first: what must not be violated at the end are the normals.
        let cone = self.friction * (self.points[0].normal + self.points[1].normal);
        let wanted = smaller(larger(self.tangent - u[2] * self.inverse[2], -cone), cone);
        let mut d = [0.0, 0.0, wanted - self.tangent];
        self.tangent = wanted;
        u[0] += k1t * d[2];
        if self.count == 1 {
            self.solve_normal(0, &mut u, &mut d);
        } else {
            u[1] += k2t * d[2];
            self.solve_normals(&mut u, &mut d);
        }
        self.apply(bodies, d);
        let normals = larger((d[0] * k11).abs(), (d[1] * k22).abs());
        larger(normals, (d[2] * ktt).abs())
    }

    /// Cuts friction down to the cone of the normals: they are solved after it, so that they may have
    /// fallen since.
    #[inline(always)]
    pub(crate) fn keep_cone(&mut self, bodies: &mut [SolverBody]) {
        let cone = self.friction * (self.points[0].normal + self.points[1].normal);
        if self.tangent.abs() > cone {
            let within = smaller(larger(self.tangent, -cone), cone);
            self.apply(bodies, [0.0, 0.0, within - self.tangent]);
            self.tangent = within;
        }
    }

    /// Brings one normal row to its target, without pulling.
    #[inline(always)]
    fn solve_normal(&mut self, i: usize, u: &mut Rows, d: &mut Rows) {
        let own = self.coupling[2 * i];
        let p = &mut self.points[i];
        let wanted = larger(p.normal - (u[i] + p.allowance) * self.inverse[i], 0.0);
        let add = wanted - p.normal;
        d[i] += add;
        p.normal = wanted;
        u[i] += own * add;
        u[1 - i] += self.coupling[1] * add;
    }

    /// Brings both normal rows to their targets at once: both press, one of them, or none.
    #[inline(always)]
    fn solve_normals(&mut self, u: &mut Rows, d: &mut Rows) {
        let [p, q] = &self.points;
        let [k11, k12, k22, ..] = self.coupling;
        let (miss_p, miss_q) = (u[0] + p.allowance, u[1] + q.allowance);
        // What each row may let go at most.
        let (free_p, free_q) = (-p.normal, -q.normal);
        let [i, j, k] = self.inverse_normals;
        let both = (-(i * miss_p + j * miss_q), -(j * miss_p + k * miss_q));
        let p_alone = -(miss_p + k12 * free_q) * self.inverse[0];
        let q_alone = -(miss_q + k12 * free_p) * self.inverse[1];
        let is_both = (i > 0.0) & (both.0 >= free_p) & (both.1 >= free_q);
        let is_p = (p_alone >= free_p) & (miss_q + k12 * p_alone + k22 * free_q >= 0.0);
        let is_q = (q_alone >= free_q) & (miss_p + k11 * free_p + k12 * q_alone >= 0.0);
        let is_none = (miss_p + k11 * free_p + k12 * free_q >= 0.0)
            & (miss_q + k12 * free_p + k22 * free_q >= 0.0);
        if !(is_both | is_p | is_q | is_none) {
            // Rows that cannot be told apart: one after the other.
            for _ in 0..2 {
                self.solve_normal(0, u, d);
                self.solve_normal(1, u, d);
            }
            return;
        }
        // Which of them presses is as good as random: chosen without branches.
        let choose = select_unpredictable::<f64>;
        let add_p = choose(is_p, p_alone, free_p);
        let add_q = choose(!is_p & is_q, q_alone, free_q);
        let add_p = choose(is_both, both.0, add_p);
        let add_q = choose(is_both, both.1, add_q);
        self.points[0].normal += add_p;
        self.points[1].normal += add_q;
        d[0] += add_p;
        d[1] += add_q;
    }
}
