//! One contact between two parts: its rows, how they answer to one another, and their solution.
//!
//! Rows are (n1, t1, n2, t2): normal and tangent of both points. Solving a contact keeps all four
//! relative velocities at hand and moves the bodies once.

use super::broad::Pair;
use super::narrow::Manifold;
use super::solver::SolverBody;
use rolima_math::Vec2;

/// A point of a contact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ContactPoint {
    pub feature: u32,
    pub gap: f64,
    /// From the bodies' origins to the point.
    pub arm_a: Vec2,
    pub arm_b: Vec2,
    /// Levers of the normal and of the tangent about both origins.
    pub lever_na: f64,
    pub lever_nb: f64,
    pub lever_ta: f64,
    pub lever_tb: f64,
    /// Speed at which the bodies may approach: gap / h.
    pub allowance: f64,
    /// Approach speed before the contacts, m/s.
    pub approach: f64,
    /// Impulses, N s.
    pub normal: f64,
    pub tangent: f64,
    /// Below this the normal impulse does not sink again.
    pub floor: f64,
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
    /// Energy that the normal rows have taken, J.
    pub absorbed: f64,
    /// Whether it was there in the last step.
    pub known: bool,
    /// Whether it bounces.
    pub bounces: bool,
}

/// A number for each of the rows (n1, t1, n2, t2).
pub(crate) type Rows = [f64; 4];

impl Contact {
    pub(crate) fn new(pair: Pair, manifold: &Manifold) -> Self {
        Self {
            key: 0,
            pair,
            a: 0,
            b: 0,
            normal_direction: manifold.normal,
            count: manifold.count,
            points: Default::default(),
            friction: 0.0,
            restitution: 0.0,
            coupling: [[0.0; 4]; 4],
            inverse: [0.0; 4],
            absorbed: 0.0,
            known: false,
            bounces: false,
        }
    }

    /// Answers of the rows to one another:
    /// 1/m1 + 1/m2 + (r1 x n)^2/J1 + (r2 x n)^2/J2 on the diagonal for free bodies.
    pub(crate) fn couple(&mut self, a: &SolverBody, b: &SolverBody) {
        let n = self.normal_direction;
        let t = n.perp();
        let rows = 2 * self.count;
        let row = |i: usize| {
            let p = &self.points[i / 2];
            if i.is_multiple_of(2) { (n, p.lever_na, p.lever_nb) } else { (t, p.lever_ta, p.lever_tb) }
        };
        for j in 0..rows {
            let (direction, lever_a, lever_b) = row(j);
            let (va, wa) = a.answer(direction, lever_a);
            let (vb, wb) = b.answer(direction, lever_b);
            for i in 0..=j {
                let (d, la, lb) = row(i);
                let k = d.dot(va) + la * wa + d.dot(vb) + lb * wb;
                self.coupling[i][j] = k;
                self.coupling[j][i] = k;
            }
            // A robot pushed straight from the side while its tyres hold cannot answer at all.
            let k = self.coupling[j][j];
            self.inverse[j] = if k > 1e-9 { 1.0 / k } else { 0.0 };
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
        let mut u = self.relative_velocities(&bodies[self.a as usize], &bodies[self.b as usize]);
        let mut d = [0.0; 4];
        // Friction first: what must not be violated at the end are the normals.
        for i in 0..self.count {
            let r = 2 * i + 1;
            let p = &mut self.points[i];
            let cone = self.friction * p.normal;
            let wanted = (p.tangent - u[r] * self.inverse[r]).clamp(-cone, cone);
            d[r] = wanted - p.tangent;
            p.tangent = wanted;
            for (u, k) in u.iter_mut().zip(&self.coupling[r]) {
                *u += k * d[r];
            }
        }
        // Two points on one face are strongly coupled: twice over them.
        for _ in 0..self.count {
            for i in 0..self.count {
                let r = 2 * i;
                let p = &mut self.points[i];
                let wanted = (p.normal - (u[r] + p.allowance) * self.inverse[r]).max(p.floor);
                let add = wanted - p.normal;
                self.absorbed -= add * (u[r] + 0.5 * self.coupling[r][r] * add);
                d[r] += add;
                p.normal = wanted;
                for (u, k) in u.iter_mut().zip(&self.coupling[r]) {
                    *u += k * add;
                }
            }
        }
        self.apply(bodies, d);
        let mut change = 0.0f64;
        for r in 0..4 {
            change = change.max((d[r] * self.coupling[r][r]).abs());
        }
        change
    }
}
