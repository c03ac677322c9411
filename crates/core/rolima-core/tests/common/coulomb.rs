//! A robot on sliding tyres by Coulomb's law, in steps so small that no method is needed.

use rolima_model::DriveSpec;

/// A robot by the equations of docs/physics.md: a friction circle a wheel, static and kinetic.
#[derive(Clone, Debug)]
pub struct Coulomb {
    pub spec: DriveSpec,
    /// (x, y, theta), (vx, vy, omega) in the robot's frame, wheel speeds (right, left).
    pub pose: [f64; 3],
    pub v: [f64; 3],
    pub w: [f64; 2],
    /// Whether each wheel slides.
    pub slides: [bool; 2],
    /// A slip below this is next to nothing, m/s: what a tyre takes from a wheel in a step.
    nothing: f64,
}

/// A tyre that gives all it can holds, give or take this share.
const ROUNDING: f64 = 1e-12;

/// What a wheel is made of: place to the left, radius, inertia, torque per volt, drag.
type WheelOf = (f64, f64, f64, f64, f64);

impl Coulomb {
    pub fn new(spec: &DriveSpec, v: [f64; 3]) -> Self {
        let mut robot = Self {
            spec: spec.clone(),
            pose: [0.0; 3],
            v,
            w: [0.0; 2],
            slides: [v[1] != 0.0; 2],
            nothing: 0.0,
        };
        robot.w = [0, 1].map(|i| {
            let (left, radius, ..) = robot.wheel(i);
            (v[0] - left * v[2]) / radius
        });
        robot
    }

    fn wheel(&self, i: usize) -> WheelOf {
        let s = &self.spec;
        let half = 0.5 * s.wheel_distance;
        let (r, j, k, rho, beta) = if i == 0 {
            (
                s.wheel_radius_right,
                s.wheel_inertia_right,
                s.motor_constant_right,
                s.conductance_right,
                s.axle_friction_right,
            )
        } else {
            (
                s.wheel_radius_left,
                s.wheel_inertia_left,
                s.motor_constant_left,
                s.conductance_left,
                s.axle_friction_left,
            )
        };
        (if i == 0 { -half } else { half }, r, j, rho * k, rho * k * k + beta)
    }

    fn slip(&self, i: usize) -> [f64; 2] {
        let (left, r, ..) = self.wheel(i);
        [self.v[0] - left * self.v[2] - r * self.w[i], self.v[1]]
    }

    /// Rates of (vx, vy, omega) and of the wheels under these tyre forces.
    fn rates(&self, force: [[f64; 2]; 2], volts: [f64; 2]) -> ([f64; 3], [f64; 2]) {
        let s = &self.spec;
        let [vx, vy, omega] = self.v;
        let (mut fx, mut fy, mut torque) = (0.0, 0.0, 0.0);
        let mut w = [0.0; 2];
        for i in 0..2 {
            let (left, r, j, per_volt, drag) = self.wheel(i);
            fx += force[i][0];
            fy += force[i][1];
            torque -= left * force[i][0];
            w[i] = (per_volt * volts[i] - drag * self.w[i] - r * force[i][0]) / j;
        }
        let rates = [
            (fx - s.friction_linear * vx) / s.mass + omega * vy,
            (fy - s.friction_linear * vy) / s.mass - omega * vx,
            (torque - s.friction_angular * omega) / s.inertia,
        ];
        (rates, w)
    }

    /// Forces that keep the wheels rolling which do not slide; those that do give `force` already. Both
    /// take half of what acts across; where that is more than one can give, at most `mu` of its load, the
    /// other takes the rest, if it can.
    fn holding(&self, mut force: [[f64; 2]; 2], volts: [f64; 2], mu: f64) -> [[f64; 2]; 2] {
        let held: Vec<usize> = (0..2).filter(|i| !self.slides[*i]).collect();
        // Along: the slip's rate is linear in the held forces; two unit forces tell how.
        let slip_rate = |force: [[f64; 2]; 2], i: usize| {
            let (v, w) = self.rates(force, volts);
            let (left, r, ..) = self.wheel(i);
            v[0] - left * v[2] - r * w[i]
        };
        let mut answer = [[0.0; 2]; 2];
        let mut miss = [0.0; 2];
        for &i in &held {
            miss[i] = slip_rate(force, i);
            for &j in &held {
                let mut unit = force;
                unit[j][0] += 1.0;
                answer[i][j] = slip_rate(unit, i) - miss[i];
            }
        }
        match held[..] {
            [0, 1] => {
                let [[a, b], [c, d]] = answer;
                let det = a * d - b * c;
                force[0][0] += (b * miss[1] - d * miss[0]) / det;
                force[1][0] += (c * miss[0] - a * miss[1]) / det;
            }
            [i] => force[i][0] -= miss[i] / answer[i][i],
            _ => {}
        }
        // Across: what keeps vy at zero.
        let lack = -self.spec.mass * self.rates(force, volts).0[1];
        for &i in &held {
            force[i][1] += lack / held.len() as f64;
        }
        if held.len() == 2 {
            let most = mu * self.normal();
            let room = force.map(|[along, _]| (most * most - along * along).max(0.0).sqrt());
            for i in held {
                let across = force[i][1];
                let rest = across.abs() - room[i];
                if rest > 0.0 && force[1 - i][1].abs() + rest <= room[1 - i] {
                    force[i][1] = room[i].copysign(across);
                    force[1 - i][1] += rest.copysign(across);
                    break;
                }
            }
        }
        force
    }

    /// Force of each wheel that slides; straight in the slip where that is next to nothing, as the
    /// light wheels could not be integrated otherwise.
    fn sliding(&self) -> [[f64; 2]; 2] {
        let t = self.spec.traction.expect("grip");
        [0, 1].map(|i| {
            let s = self.slip(i);
            let k = -t.mu_kinetic * self.normal() / size(s).max(self.nothing);
            if self.slides[i] { [k * s[0], k * s[1]] } else { [0.0; 2] }
        })
    }

    fn normal(&self) -> f64 {
        0.5 * self.spec.mass * 9.80665
    }

    /// Which wheels slide from now on, by what it would take to hold them.
    fn judge(&mut self, volts: [f64; 2]) {
        let t = self.spec.traction.expect("grip");
        for i in 0..2 {
            let slip = self.slip(i);
            if self.slides[i] && size(slip) < self.nothing {
                // The wheels share an axle, and so the slip across; the other may slide along.
                let mut held = self.clone();
                held.slides = [0, 1].map(|j| self.slides[j] && size(self.slip(j)) >= self.nothing);
                let force = held.holding(held.sliding(), volts, t.mu_kinetic);
                if size(force[i]) <= t.mu_kinetic * self.normal() * (1.0 + ROUNDING) {
                    self.slides[i] = false;
                    let (left, r, ..) = self.wheel(i);
                    self.w[i] = (self.v[0] - left * self.v[2]) / r;
                }
            } else if !self.slides[i] {
                let force = self.holding(self.sliding(), volts, t.mu_static);
                self.slides[i] = size(force[i]) > t.mu_static * self.normal() * (1.0 + ROUNDING);
            }
        }
        if !(self.slides[0] && self.slides[1]) {
            self.v[1] = 0.0;
        }
    }

    /// Where steps of nothing would lead, if these are half as long as those of another run.
    pub fn beyond(&self, coarse: &Self) -> Self {
        let mut far = self.clone();
        let both = far.pose.iter_mut().chain(&mut far.v).chain(&mut far.w);
        let other = coarse.pose.iter().chain(&coarse.v).chain(&coarse.w);
        both.zip(other).for_each(|(x, coarse)| *x += *x - coarse);
        far
    }

    /// The fastest change of a slip by tyres that give all they can, m/s2.
    fn fastest(&self) -> f64 {
        let s = &self.spec;
        let answer = |i: usize| {
            let (left, r, j, ..) = self.wheel(i);
            r * r / j + 1.0 / s.mass + left * left / s.inertia
        };
        let t = s.traction.expect("grip");
        t.mu_static * self.normal() * answer(0).max(answer(1))
    }

    pub fn step(&mut self, volts: [f64; 2], dt: f64) {
        self.nothing = self.fastest() * dt;
        self.judge(volts);
        let mu_static = self.spec.traction.expect("grip").mu_static;
        let force = self.holding(self.sliding(), volts, mu_static);
        let (v, w) = self.rates(force, volts);
        let old = self.v;
        for i in 0..3 {
            self.v[i] += dt * v[i];
        }
        for i in 0..2 {
            self.w[i] += dt * w[i];
        }
        let middle = self.pose[2] + 0.5 * dt * old[2];
        let (vx, vy) = (0.5 * (old[0] + self.v[0]), 0.5 * (old[1] + self.v[1]));
        let (sin, cos) = rolima_math::sin_cos(middle);
        self.pose[0] += dt * (vx * cos - vy * sin);
        self.pose[1] += dt * (vx * sin + vy * cos);
        self.pose[2] += dt * 0.5 * (old[2] + self.v[2]);
    }
}

fn size(v: [f64; 2]) -> f64 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}
