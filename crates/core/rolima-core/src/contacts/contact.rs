//! One contact between two parts: its rows, how they answer to one another, and their solution.
//!
//! Rows are (n1, t1, n2, t2): normal and tangent of both points. Solving a contact keeps all four
//! relative velocities at hand and moves the bodies once.

use super::broad::Pair;
use super::narrow::Manifold;
use super::solver::SolverBody;
use rolima_math::{Vec2, larger, smaller};

/// A point of a contact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ContactPoint {
    /// Levers of the normal and of the tangent about both origins.
    pub lever_na: f64,
    pub lever_nb: f64,
    pub lever_ta: f64,
    pub lever_tb: f64,
    /// Speed at which the bodies may approach: gap / h.
    pub allowance: f64,
    /// Impulses, N s.
    pub normal: f64,
    pub tangent: f64,
    /// Below this the normal impulse does not sink again.
    pub floor: f64,
    /// Which corners and edges touch.
    pub feature: u32,
    /// Distance at the start of the substep, m.
    pub gap: f64,
    /// Approach speed before the contacts, m/s.
    pub approach: f64,
    /// Impulses before bouncing, for the next step's warm start.
    pub kept: [f64; 2],
}

/// A contact between two parts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Contact {
    pub key: u64,
    pub pair: Pair,
    /// Numbers of the bodies in the solver; 0 is the ground.
    pub a: u32,
    pub b: u32,
    /// From b to a.
    pub normal_direction: Vec2,
    pub count: usize,
    pub points: [ContactPoint; 2],
    pub friction: f64,
    pub restitution: f64,
    /// Answers of the rows (n1, t1, n2, t2) to one another, symmetric.
    pub coupling: [[f64; 4]; 4],
    /// Inverses of the diagonal, or zero where nothing can move.
    pub inverse: [f64; 4],
    /// Inverse of the normal rows' coupling (n1 n1, n1 n2, n2 n2); zero where there is none.
    pub inverse_normals: [f64; 3],
    /// Energy that the normal rows have taken, J.
    pub absorbed: f64,
    /// Whether it was there in the last step.
    pub known: bool,
    /// Whether it bounces.
    pub bounces: bool,
}

impl ContactPoint {
    /// From the origins of a and b to the point. The levers hold the arm: arm x n = -arm . t, and
    /// arm x t = arm . n.
    pub(crate) fn arms(&self, n: Vec2) -> [Vec2; 2] {
        let t = n.perp();
        [n * self.lever_ta - t * self.lever_na, n * self.lever_tb - t * self.lever_nb]
    }
}

/// A number for each of the rows (n1, t1, n2, t2).
pub(crate) type Rows = [f64; 4];

impl Contact {
    /// The contact that a manifold describes, between bodies with these origins.
    #[inline]
    pub(crate) fn new(
        (key, pair): (u64, Pair),
        manifold: &Manifold,
        (origin_a, origin_b): (Vec2, Vec2),
    ) -> Self {
        let n = manifold.normal;
        let t = n.perp();
        let mut points = [ContactPoint::default(); 2];
        for (p, point) in points.iter_mut().zip(&manifold.points[..manifold.count]) {
            let (arm_a, arm_b) = (point.position - origin_a, point.position - origin_b);
            p.feature = point.feature;
            p.gap = point.gap;
            p.lever_na = arm_a.cross(n);
            p.lever_nb = arm_b.cross(n);
            p.lever_ta = arm_a.cross(t);
            p.lever_tb = arm_b.cross(t);
        }
        Self {
            key,
            pair,
            a: 0,
            b: 0,
            normal_direction: n,
            count: manifold.count,
            points,
            friction: 0.0,
            restitution: 0.0,
            coupling: [[0.0; 4]; 4],
            inverse: [0.0; 4],
            inverse_normals: [0.0; 3],
            absorbed: 0.0,
            known: false,
            bounces: false,
        }
    }

    /// Answers of the rows to one another:
    /// 1/m1 + 1/m2 + (r1 x n)^2/J1 + (r2 x n)^2/J2 on the diagonal for free bodies.
    pub(crate) fn couple(&mut self, a: &SolverBody, b: &SolverBody) {
        if self.count == 1 { self.couple_points::<1>(a, b) } else { self.couple_points::<2>(a, b) }
    }

    #[inline(always)]
    fn couple_points<const N: usize>(&mut self, a: &SolverBody, b: &SolverBody) {
        let directions = [self.normal_direction, self.normal_direction.perp()];
        // A row is a direction and a lever, so its answers are made of six numbers a body:
        // direction by direction, direction by turning, turning by turning.
        let parts = |body: &SolverBody| {
            let [xx, xy, yy, xl, yl, ll] = body.mobility;
            let [n, t] = directions;
            let along = Vec2::new(xx * n.x + xy * n.y, xy * n.x + yy * n.y);
            let nn = n.dot(along);
            let nt = t.dot(along);
            let tt = xx + yy - nn;
            ([[nn, nt], [nt, tt]], [xl * n.x + yl * n.y, xl * t.x + yl * t.y], ll)
        };
        let (lin_a, turn_a, ll_a) = parts(a);
        let (lin_b, turn_b, ll_b) = parts(b);
        let [p, q] = &self.points;
        let levers_a = [p.lever_na, p.lever_ta, q.lever_na, q.lever_ta];
        let levers_b = [p.lever_nb, p.lever_tb, q.lever_nb, q.lever_tb];
        for j in 0..2 * N {
            for i in 0..2 * N {
                let (d, e) = (i % 2, j % 2);
                let (la_i, la_j) = (levers_a[i], levers_a[j]);
                let (lb_i, lb_j) = (levers_b[i], levers_b[j]);
                self.coupling[i][j] = (lin_a[d][e] + lin_b[d][e])
                    + (la_i * turn_a[e] + la_j * turn_a[d] + la_i * la_j * ll_a)
                    + (lb_i * turn_b[e] + lb_j * turn_b[d] + lb_i * lb_j * ll_b);
            }
            // A robot pushed straight from the side while its tyres hold cannot answer at all.
            let k = self.coupling[j][j];
            self.inverse[j] = if k > 1e-9 { 1.0 / k } else { 0.0 };
        }
        if N == 2 {
            let (p, q, r) = (self.coupling[0][0], self.coupling[0][2], self.coupling[2][2]);
            let determinant = p * r - q * q;
            let good = determinant > 1e-6 * p * r;
            let k = if good { 1.0 / determinant } else { 0.0 };
            self.inverse_normals = [r * k, -q * k, p * k];
        }
    }

    /// Velocity of a against b in every row; normal rows: positive is apart.
    #[inline(always)]
    pub(crate) fn relative_velocities(&self, a: &SolverBody, b: &SolverBody) -> Rows {
        let n = self.normal_direction;
        let between = a.velocity - b.velocity;
        let (along_n, along_t) = (n.dot(between), n.cross(between));
        let mut u = [0.0; 4];
        for i in 0..2 {
            let p = &self.points[i];
            u[2 * i] = along_n + (p.lever_na * a.omega - p.lever_nb * b.omega);
            u[2 * i + 1] = along_t + (p.lever_ta * a.omega - p.lever_tb * b.omega);
        }
        u
    }

    /// The impulses as rows.
    pub(crate) fn impulses(&self) -> Rows {
        let [p, q] = &self.points;
        [p.normal, p.tangent, q.normal, q.tangent]
    }

    /// Work that row impulses `d` do on the normal rows, from relative velocities `u`, J.
    pub(crate) fn normal_work(&self, u: Rows, d: Rows) -> f64 {
        let mut work = 0.0;
        for i in [0, 2] {
            let answer: f64 = (0..4).map(|j| self.coupling[i][j] * d[j]).sum();
            work += d[i] * (u[i] + 0.5 * answer);
        }
        work
    }

    /// Moves the bodies by row impulses.
    #[inline(always)]
    pub(crate) fn apply(&self, bodies: &mut [SolverBody], d: Rows) {
        let n = self.normal_direction;
        let [p, q] = &self.points;
        let impulse = n * (d[0] + d[2]) + n.perp() * (d[1] + d[3]);
        let turn_a =
            (p.lever_na * d[0] + p.lever_ta * d[1]) + (q.lever_na * d[2] + q.lever_ta * d[3]);
        let turn_b =
            (p.lever_nb * d[0] + p.lever_tb * d[1]) + (q.lever_nb * d[2] + q.lever_tb * d[3]);
        bodies[self.a as usize].push(impulse, turn_a);
        bodies[self.b as usize].push(-impulse, -turn_b);
    }

    /// Solves the contact while the others hold still. Returns the largest change of a relative
    /// velocity.
    #[inline(always)]
    pub(crate) fn solve(&mut self, bodies: &mut [SolverBody]) -> f64 {
        if self.count == 1 { self.solve_points::<1>(bodies) } else { self.solve_points::<2>(bodies) }
    }

    #[inline(always)]
    fn solve_points<const N: usize>(&mut self, bodies: &mut [SolverBody]) -> f64 {
        let mut u = self.relative_velocities(&bodies[self.a as usize], &bodies[self.b as usize]);
        let mut d = [0.0; 4];
        // Friction first: what must not be violated at the end are the normals.
        for i in 0..N {
            let r = 2 * i + 1;
            let p = &mut self.points[i];
            let cone = self.friction * p.normal;
            let wanted = smaller(larger(p.tangent - u[r] * self.inverse[r], -cone), cone);
            d[r] = wanted - p.tangent;
            p.tangent = wanted;
            for k in 0..2 * N {
                u[k] += self.coupling[r][k] * d[r];
            }
        }
        if N == 2 {
            self.solve_normals(&mut u, &mut d);
        } else {
            self.solve_normal(0, &mut u, &mut d);
        }
        self.apply(bodies, d);
        let mut change = 0.0f64;
        for r in 0..2 * N {
            change = larger(change, (d[r] * self.coupling[r][r]).abs());
        }
        change
    }

    /// Brings one normal row to its target, without pulling.
    #[inline(always)]
    fn solve_normal(&mut self, i: usize, u: &mut Rows, d: &mut Rows) {
        let r = 2 * i;
        let p = &mut self.points[i];
        let wanted = larger(p.normal - (u[r] + p.allowance) * self.inverse[r], p.floor);
        let add = wanted - p.normal;
        self.absorbed -= add * (u[r] + 0.5 * self.coupling[r][r] * add);
        d[r] += add;
        p.normal = wanted;
        u[0] += self.coupling[r][0] * add;
        u[2] += self.coupling[r][2] * add;
    }

    /// Brings both normal rows to their targets: at once where both press, else one by one.
    #[inline(always)]
    fn solve_normals(&mut self, u: &mut Rows, d: &mut Rows) {
        let [p, q] = &mut self.points;
        let [i, j, k] = self.inverse_normals;
        let (miss_p, miss_q) = (u[0] + p.allowance, u[2] + q.allowance);
        let add_p = -(i * miss_p + j * miss_q);
        let add_q = -(j * miss_p + k * miss_q);
        if i > 0.0 && p.normal + add_p >= p.floor && q.normal + add_q >= q.floor {
            // Both come to their targets, so the mean velocity on the way is half of what it was
            // and half of what is allowed.
            self.absorbed -= 0.5 * (add_p * (u[0] - p.allowance) + add_q * (u[2] - q.allowance));
            p.normal += add_p;
            q.normal += add_q;
            d[0] += add_p;
            d[2] += add_q;
        } else {
            for _ in 0..2 {
                self.solve_normal(0, u, d);
                self.solve_normal(1, u, d);
            }
        }
    }
}
