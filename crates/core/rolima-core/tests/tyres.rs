//! Sliding tyres against Coulomb's law, integrated here by itself with steps of a microsecond.

mod common;
use common::*;
use rolima_core::model::*;
use rolima_core::{Volts, World};
use rolima_math::{Pose2, Vec2};

/// A robot by the equations of docs/physics.md: a friction circle a wheel, static and kinetic.
#[derive(Clone, Debug)]
struct Coulomb {
    spec: DriveSpec,
    /// (x, y, theta), (vx, vy, omega) in the robot's frame, wheel speeds (right, left).
    pose: [f64; 3],
    v: [f64; 3],
    w: [f64; 2],
    /// Whether each wheel slides.
    slides: [bool; 2],
}

/// What a wheel is made of: place to the left, radius, inertia, torque per volt, drag.
type WheelOf = (f64, f64, f64, f64, f64);

impl Coulomb {
    fn new(spec: &DriveSpec, v: [f64; 3]) -> Self {
        let mut robot =
            Self { spec: spec.clone(), pose: [0.0; 3], v, w: [0.0; 2], slides: [v[1] != 0.0; 2] };
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

    /// Forces that keep the wheels rolling which do not slide; those that do give `force` already.
    fn holding(&self, mut force: [[f64; 2]; 2], volts: [f64; 2]) -> [[f64; 2]; 2] {
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
        // Across: what keeps vy at zero, shared by the held wheels.
        let lack = -self.spec.mass * self.rates(force, volts).0[1];
        for &i in &held {
            force[i][1] += lack / held.len() as f64;
        }
        force
    }

    /// Force of each wheel that slides; straight in the slip where that is next to nothing, as the
    /// light wheels could not be integrated otherwise.
    fn sliding(&self) -> [[f64; 2]; 2] {
        let t = self.spec.traction.expect("grip");
        [0, 1].map(|i| {
            let s = self.slip(i);
            let k = -t.mu_kinetic * self.normal() / size(s).max(NOTHING);
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
            if self.slides[i] && size(slip) < NOTHING {
                let mut held = self.clone();
                held.slides[i] = false;
                if slip[1] != 0.0 {
                    // The wheels share an axle, and so the slip across.
                    held.slides = [false; 2];
                }
                let force = held.holding(held.sliding(), volts);
                if size(force[i]) <= t.mu_kinetic * self.normal() {
                    self.slides[i] = false;
                    let (left, r, ..) = self.wheel(i);
                    self.w[i] = (self.v[0] - left * self.v[2]) / r;
                }
            } else if !self.slides[i] {
                let force = self.holding(self.sliding(), volts);
                self.slides[i] = size(force[i]) > t.mu_static * self.normal();
            }
        }
        if !(self.slides[0] && self.slides[1]) {
            self.v[1] = 0.0;
        }
    }

    fn step(&mut self, volts: [f64; 2], dt: f64) {
        self.judge(volts);
        let force = self.holding(self.sliding(), volts);
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

/// A slip below this is next to nothing, m/s.
const NOTHING: f64 = 2e-4;

fn size(v: [f64; 2]) -> f64 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}

/// A way to lose grip: (vx, vy, omega) at first, voltages (right, left) or those of each tenth of a
/// second, friction (static, kinetic).
struct Case {
    name: &'static str,
    v: [f64; 3],
    volts: [f64; 2],
    mu: (f64, f64),
}

const fn case(name: &'static str, v: [f64; 3], volts: [f64; 2], mu: (f64, f64)) -> Case {
    Case { name, v, volts, mu }
}

const CASES: [Case; 12] = [
    case("coasting sideways", [0.0, 1.0, 0.0], [0.0, 0.0], (0.8, 0.7)),
    case("coasting sideways, turning", [0.5, 1.0, 8.0], [0.0, 0.0], (0.8, 0.7)),
    case("spinning sideways", [0.0, 1.0, 0.0], [9.0, 9.0], (0.8, 0.7)),
    case("spinning on ice", [0.0, 0.0, 0.0], [9.0, 9.0], (0.05, 0.04)),
    case("spinning one wheel on ice", [0.0, 0.0, 0.0], [9.0, 1.0], (0.06, 0.04)),
    case("spinning round on ice", [0.3, 0.1, 0.0], [9.0, -9.0], (0.1, 0.05)),
    case("braking", [1.5, 0.0, 0.0], [-9.0, -9.0], (0.15, 0.1)),
    case("braking in a slide", [1.5, 0.4, 5.0], [-9.0, -9.0], (0.3, 0.25)),
    case("cornering", [2.0, 0.0, 10.0], [0.0, 0.0], (0.8, 0.7)),
    case("cornering under power", [2.0, 0.0, 10.0], [9.0, 6.0], (0.8, 0.7)),
    case("cornering, equal frictions", [2.5, 0.0, 6.0], [9.0, 9.0], (0.7, 0.7)),
    case("cornering backwards", [-1.8, 0.2, 12.0], [-4.0, 7.0], (0.8, 0.6)),
];

impl Case {
    fn drive(&self) -> DriveSpec {
        let (mu_static, mu_kinetic) = self.mu;
        DriveSpec { traction: Some(TractionSpec { mu_static, mu_kinetic }), ..DriveSpec::default() }
    }

    /// Where the reference is after each tenth of a second.
    fn reference(&self) -> [Coulomb; 3] {
        let mut robot = Coulomb::new(&self.drive(), self.v);
        core::array::from_fn(|_| {
            for _ in 0..250_000 {
                robot.step(self.volts, 4e-7);
            }
            robot.clone()
        })
    }

    fn world(&self, step_s: f64) -> World {
        let mut spec = SceneSpec::default();
        spec.sim.step_s = step_s;
        spec.robots.push(robot("r", self.drive(), Pose2::IDENTITY));
        let mut w = world(&spec);
        w.command(0, Volts { right: self.volts[0], left: self.volts[1] }).expect("good volts");
        w.set_motion(0, Pose2::IDENTITY, Vec2::new(self.v[0], self.v[1]), self.v[2]);
        w
    }

    /// How far the simulated robot is from the reference after `seconds`, m.
    fn error(&self, step_s: f64, seconds: f64, reference: &Coulomb) -> f64 {
        let mut w = self.world(step_s);
        w.steps((seconds / step_s).round() as u64);
        let [_, _, x, y, _] = robot_state(&w);
        let (dx, dy) = (x - reference.pose[0], y - reference.pose[1]);
        (dx * dx + dy * dy).sqrt()
    }
}

#[test]
fn sliding_robots_are_where_coulombs_law_says_within_a_millimetre_over_three_tenths_of_a_second() {
    for case in &CASES {
        for (i, reference) in case.reference().iter().enumerate() {
            let seconds = 0.1 * (i as f64 + 1.0);
            let error = case.error(1e-3, seconds, reference);
            println!("{} at {seconds:.1} s: {:.4} mm", case.name, 1e3 * error);
            assert!(error < 1e-3, "{} at {seconds} s: {error} m off", case.name);
        }
    }
}

#[test]
fn the_error_of_sliding_robots_falls_at_least_with_the_step() {
    for case in &CASES {
        let [_, _, reference] = case.reference();
        let errors = [1e-3, 5e-4, 2.5e-4].map(|h| case.error(h, 0.3, &reference));
        println!("{}: {errors:?}", case.name);
        // Below some micrometres the reference is no better.
        assert!(errors[1] < 0.6 * errors[0] + 4e-6, "{}: {errors:?}", case.name);
        assert!(errors[2] < 0.6 * errors[1] + 4e-6, "{}: {errors:?}", case.name);
        // A long step is divided, and no worse.
        let long = case.error(4e-3, 0.3, &reference);
        assert!(long < 1.5 * errors[0] + 1e-5, "{}: {long} at 4 ms, {errors:?}", case.name);
    }
}

#[test]
fn wheels_that_spin_sideways_are_slowed_by_the_ground() {
    // 1 m/s sideways with 9 V on both: after 0.1 s some 0.22 m/s forward, wheels at 13 rad/s.
    let case = &CASES[2];
    let [reference, ..] = case.reference();
    assert!((reference.v[0] - 0.216).abs() < 4e-3, "{:?}", reference.v);
    assert!((reference.w[1] - 13.0).abs() < 0.5, "{:?}", reference.w);
    let mut w = case.world(1e-3);
    w.steps(100);
    let forward = w.state().motion[0].vx[0];
    let wheels = w.state().wheel_speeds[0];
    assert!((forward - reference.v[0]).abs() < 2e-3, "{forward} against {:?}", reference.v);
    for i in 0..2 {
        assert!((wheels[i] - reference.w[i]).abs() < 0.2, "{wheels:?} against {:?}", reference.w);
    }
}
