//! The differential drive: equations 1-8 of the minirobot paper, and their discretisation.
//!
//! State z = (v, omega): speed along the heading and turning rate. Input e = (e_d, e_e): armature
//! voltages of the right (d, *direita*) and left (e, *esquerda*) motors. While both wheels stick,
//!
//! ```text
//! T   = [[1/r_d, b/(2 r_d)], [1/r_e, -b/(2 r_e)]]                 (eq 1: wheel speeds = T z)
//! M   = diag(m, J) + T' diag(J_d, J_e) T                          (eq 6, 7)
//! B_v = diag(beta_lin, beta_ang) + T' diag(rho K^2 + beta) T      (eq 5, 7)
//! K_v = T' diag(rho K)                                            (eq 5, 7)
//! z'  = -M^-1 B_v z + M^-1 K_v e = A z + B e                      (eq 8)
//! ```
//!
//! Equation 7 is printed with `- B v`, a slip of sign that would make every robot explode;
//! equation 8 has it right.

use crate::check::check_numbers;
use crate::spec::{DriveSpec, Integrator, TractionSpec};
use rolima_check::ModelError;
use rolima_math::matrix::{Matrix, exponential, inverse2, product};

/// A linear function of (v, omega, e_d, e_e).
pub type LinearRow = [f64; 4];

/// Everything about a drive that does not change while the world runs.
#[derive(Clone, Debug, PartialEq)]
pub struct DriveModel {
    /// The parameters as given.
    pub spec: DriveSpec,
    /// M of equation 7: inertia of body and wheels together, for (v, omega).
    pub mass_matrix: Matrix<2>,
    /// M^-1.
    pub mass_matrix_inverse: Matrix<2>,
    /// A of equation 8, 1/s.
    pub a: Matrix<2>,
    /// B of equation 8; columns: right, left voltage.
    pub b: Matrix<2>,
    /// The map over one step while both wheels stick.
    pub stick: StickMap,
    /// Voltages by the change of (v, omega) over one step; zero for motors without torque.
    pub volts_by_change: Matrix<2>,
    /// Right wheel, then left wheel.
    pub wheels: [Wheel; 2],
    /// Largest static tyre force of one wheel, N; infinite where wheels never slip.
    pub grip_static: f64,
    /// Tyre force of one sliding wheel, N.
    pub grip_kinetic: f64,
}

/// One wheel with its motor, for the equations of a slipping robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wheel {
    /// Radius, m.
    pub radius: f64,
    /// 1/radius.
    pub inverse_radius: f64,
    /// Where it stands left of the centre, m: +b/2 for the left wheel, -b/2 for the right.
    ///
    /// The speed of the ground under it is v - `left` omega.
    pub left: f64,
    /// Inertia of wheel and rotor, kg m2.
    pub inertia: f64,
    /// rho K: torque per volt, N m/V.
    pub torque_per_volt: f64,
    /// rho K^2 + beta: torque lost per wheel speed, N m s.
    pub drag: f64,
}

/// One step of a sticking robot as linear maps of (v, omega, e_d, e_e), for any integrator.
///
/// The new velocities and the turn are linear; the way is a sum over stages
/// `weight * speed * (cos, sin)(heading offset)`, whose speeds and offsets are linear too. The
/// first stage has the old speed and no offset.
#[derive(Clone, Debug, PartialEq)]
pub struct StickMap {
    /// Which integrator it stands for.
    pub integrator: Integrator,
    /// New speed, m/s.
    pub v: LinearRow,
    /// New turning rate, rad/s.
    pub omega: LinearRow,
    /// Turn over the step, rad.
    pub turn: LinearRow,
    /// Weight of the first stage, s.
    pub first_weight: f64,
    /// The further stages: (weight s, speed, heading offset). For `exact` the last one has the new
    /// speed and the whole turn.
    pub stages: Vec<(f64, LinearRow, LinearRow)>,
    /// Mean drive force of the right tyre over the step, N.
    pub force_right: LinearRow,
    /// Mean drive force of the left tyre over the step, N.
    pub force_left: LinearRow,
}

impl DriveModel {
    /// Checks the parameters and derives the matrices. `key` is the path for errors.
    pub fn compile(
        key: &str,
        spec: &DriveSpec,
        integrator: Integrator,
        step_s: f64,
        gravity: f64,
    ) -> Result<Self, ModelError> {
        check(key, spec)?;
        let s = spec;
        let b = s.wheel_distance;
        let t = [
            [1.0 / s.wheel_radius_right, b / (2.0 * s.wheel_radius_right)],
            [1.0 / s.wheel_radius_left, -b / (2.0 * s.wheel_radius_left)],
        ];
        let drag = [
            s.conductance_right * s.motor_constant_right * s.motor_constant_right
                + s.axle_friction_right,
            s.conductance_left * s.motor_constant_left * s.motor_constant_left
                + s.axle_friction_left,
        ];
        let torque_per_volt = [
            s.conductance_right * s.motor_constant_right,
            s.conductance_left * s.motor_constant_left,
        ];
        let inertia = [s.wheel_inertia_right, s.wheel_inertia_left];
        // T' diag(w) T + diag(body).
        let congruence = |body: [f64; 2], w: [f64; 2]| -> Matrix<2> {
            let mut m = [[0.0; 2]; 2];
            for i in 0..2 {
                for j in 0..2 {
                    m[i][j] = t[0][i] * w[0] * t[0][j] + t[1][i] * w[1] * t[1][j];
                }
                m[i][i] += body[i];
            }
            m
        };
        let mass_matrix = congruence([s.mass, s.inertia], inertia);
        let damping = congruence([s.friction_linear, s.friction_angular], drag);
        let drive = [
            [t[0][0] * torque_per_volt[0], t[1][0] * torque_per_volt[1]],
            [t[0][1] * torque_per_volt[0], t[1][1] * torque_per_volt[1]],
        ];
        let mass_matrix_inverse = inverse2(&mass_matrix);
        let mut a = product(&mass_matrix_inverse, &damping);
        a.iter_mut().flatten().for_each(|x| *x = -*x);
        let b_matrix = product(&mass_matrix_inverse, &drive);
        let radius = [s.wheel_radius_right, s.wheel_radius_left];
        let wheel = |i: usize| Wheel {
            radius: radius[i],
            inverse_radius: 1.0 / radius[i],
            left: if i == 0 { -0.5 * b } else { 0.5 * b },
            inertia: inertia[i],
            torque_per_volt: torque_per_volt[i],
            drag: drag[i],
        };
        let normal_force = 0.5 * s.mass * gravity;
        let (grip_static, grip_kinetic) = match s.traction {
            Some(t) => (t.mu_static * normal_force, t.mu_kinetic * normal_force),
            None => (f64::INFINITY, f64::INFINITY),
        };
        let stick = StickMap::new(integrator, &a, &b_matrix, s, step_s);
        let by_volts = [[stick.v[2], stick.v[3]], [stick.omega[2], stick.omega[3]]];
        Ok(Self {
            spec: s.clone(),
            mass_matrix,
            mass_matrix_inverse,
            a,
            b: b_matrix,
            volts_by_change: if torque_per_volt.iter().all(|t| *t > 0.0) {
                inverse2(&by_volts)
            } else {
                [[0.0; 2]; 2]
            },
            stick,
            wheels: [wheel(0), wheel(1)],
            grip_static,
            grip_kinetic,
        })
    }

    /// Voltages (right, left) that bring a robot whose wheels stick from (v, omega) to `to` in one
    /// step, V; what the supply lets through of them is another matter.
    pub fn volts_for(&self, [v, omega]: [f64; 2], to: [f64; 2]) -> [f64; 2] {
        let rows = [&self.stick.v, &self.stick.omega];
        let lack = [0, 1].map(|i| to[i] - rows[i][0] * v - rows[i][1] * omega);
        let inverse = &self.volts_by_change;
        [0, 1].map(|i| inverse[i][0] * lack[0] + inverse[i][1] * lack[1])
    }

    /// Whether its wheels can slip.
    pub fn has_traction_limit(&self) -> bool {
        self.grip_static.is_finite()
    }

    /// Armature currents (right, left) at these voltages and wheel speeds (rad/s), A: what is left
    /// of the voltage after the back EMF, times the conductance: rho (e - K omega).
    pub fn currents(&self, volts: [f64; 2], wheel_speeds: [f64; 2]) -> [f64; 2] {
        let s = &self.spec;
        [
            s.conductance_right * (volts[0] - s.motor_constant_right * wheel_speeds[0]),
            s.conductance_left * (volts[1] - s.motor_constant_left * wheel_speeds[1]),
        ]
    }

    /// Speeds of the right and left wheel that go with (v, omega) while they stick (eq 1), rad/s.
    #[inline]
    pub fn rolling_wheel_speeds(&self, v: f64, omega: f64) -> [f64; 2] {
        self.wheels.map(|w| (v - w.left * omega) * w.inverse_radius)
    }
}

fn check(key: &str, s: &DriveSpec) -> Result<(), ModelError> {
    // What has nothing to supply, a cart, needs no supply.
    let is_cart = s.supply == 0.0 && [s.conductance_right, s.conductance_left] == [0.0; 2];
    let checked =
        if is_cart { DriveSpec { supply: DriveSpec::default().supply, ..*s } } else { s.clone() };
    check_numbers(key, &checked, DriveSpec::KEYS)?;
    if let Some(t) = s.traction {
        let key = format!("{key}.traction");
        check_numbers(&key, &t, TractionSpec::KEYS)?;
        if t.mu_kinetic > t.mu_static {
            return Err(ModelError::new(
                format!("{key}.mu_kinetic"),
                format!("at most mu_static = {}", t.mu_static),
                t.mu_kinetic,
            ));
        }
    }
    Ok(())
}

/// sum of `k * row`.
fn combine(terms: &[(f64, LinearRow)]) -> LinearRow {
    let mut sum = [0.0; 4];
    for (k, row) in terms {
        for i in 0..4 {
            sum[i] += k * row[i];
        }
    }
    sum
}

impl StickMap {
    fn new(integrator: Integrator, a: &Matrix<2>, b: &Matrix<2>, spec: &DriveSpec, h: f64) -> Self {
        const OLD: [LinearRow; 2] = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
        const VOLTS: [LinearRow; 2] = [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
        // A z + B e, for z given as rows.
        let rate = |z: [LinearRow; 2]| -> [LinearRow; 2] {
            [0, 1].map(|i| {
                combine(&[
                    (a[i][0], z[0]),
                    (a[i][1], z[1]),
                    (b[i][0], VOLTS[0]),
                    (b[i][1], VOLTS[1]),
                ])
            })
        };
        let plus = |z: [LinearRow; 2], k: f64, d: [LinearRow; 2]| -> [LinearRow; 2] {
            [0, 1].map(|i| combine(&[(1.0, z[i]), (k, d[i])]))
        };
        let (new, mean, first_weight, stages) = match integrator {
            Integrator::Euler => (plus(OLD, h, rate(OLD)), OLD, h, vec![]),
            Integrator::Rk4 => {
                let z2 = plus(OLD, 0.5 * h, rate(OLD));
                let z3 = plus(OLD, 0.5 * h, rate(z2));
                let z4 = plus(OLD, h, rate(z3));
                let weighted = |f: &dyn Fn([LinearRow; 2]) -> [LinearRow; 2]| -> [LinearRow; 2] {
                    let (k1, k2, k3, k4) = (f(OLD), f(z2), f(z3), f(z4));
                    [0, 1].map(|i| {
                        combine(&[
                            (1.0 / 6.0, k1[i]),
                            (1.0 / 3.0, k2[i]),
                            (1.0 / 3.0, k3[i]),
                            (1.0 / 6.0, k4[i]),
                        ])
                    })
                };
                let new = plus(OLD, h, weighted(&rate));
                let stages = vec![
                    (h / 3.0, z2[0], combine(&[(0.5 * h, OLD[1])])),
                    (h / 3.0, z3[0], combine(&[(0.5 * h, z2[1])])),
                    (h / 6.0, z4[0], combine(&[(h, z3[1])])),
                ];
                (new, weighted(&|z| z), h / 6.0, stages)
            }
            Integrator::Exact => {
                let (mid, mid_integral) = exact_map(a, b, 0.5 * h);
                let (new, integral) = exact_map(a, b, h);
                let mean = integral.map(|row| combine(&[(1.0 / h, row)]));
                // Simpson's rule on speed * (cos, sin)(heading) along the exact course.
                let stages =
                    vec![(4.0 * h / 6.0, mid[0], mid_integral[1]), (h / 6.0, new[0], integral[1])];
                (new, mean, h / 6.0, stages)
            }
        };
        // What the tyres must have given: m v' + beta_lin v and J omega' + beta_ang omega (eq 6).
        let force = combine(&[
            (spec.mass / h, new[0]),
            (-spec.mass / h, OLD[0]),
            (spec.friction_linear, mean[0]),
        ]);
        let torque = combine(&[
            (spec.inertia / h, new[1]),
            (-spec.inertia / h, OLD[1]),
            (spec.friction_angular, mean[1]),
        ]);
        let b = spec.wheel_distance;
        Self {
            integrator,
            v: new[0],
            omega: new[1],
            turn: combine(&[(h, mean[1])]),
            first_weight,
            stages,
            force_right: combine(&[(0.5, force), (1.0 / b, torque)]),
            force_left: combine(&[(0.5, force), (-1.0 / b, torque)]),
        }
    }
}

/// The exact map of equation 8 over `t`: (new velocities, their integrals) as rows.
fn exact_map(a: &Matrix<2>, b: &Matrix<2>, t: f64) -> ([LinearRow; 2], [LinearRow; 2]) {
    // States: v, omega, their integrals, and the two voltages, which stay.
    let mut m = [[0.0; 6]; 6];
    for i in 0..2 {
        for j in 0..2 {
            m[i][j] = a[i][j];
            m[i][4 + j] = b[i][j];
        }
        m[2 + i][i] = 1.0;
    }
    let e = exponential(&m, t);
    let row = |i: usize| [e[i][0], e[i][1], e[i][4], e[i][5]];
    ([row(0), row(1)], [row(2), row(3)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relative(got: f64, expected: f64) -> f64 {
        ((got - expected) / expected).abs()
    }

    #[test]
    fn matrices_of_the_listed_robot_equal_the_oracle() {
        let drive = DriveModel::compile(
            "drive",
            &DriveSpec::minirobot_2001(),
            Integrator::Exact,
            1e-3,
            9.80665,
        )
        .unwrap();
        let oracle = [
            (
                drive.mass_matrix,
                [0.3614243503220106, 4.0811884115e-06, 4.0811884115e-06, 2.6272992640327393e-05],
            ),
            (
                drive.a,
                [
                    -0.5435842138440152,
                    -1.3789912357658e-04,
                    -3.0271578424214822,
                    -7.819012734306982,
                ],
            ),
            (
                drive.b,
                [0.1289966336561956, 0.1272905109932747, 66.91507213782748, -65.30454668790007],
            ),
        ];
        for (matrix, expected) in oracle {
            for (got, want) in matrix.iter().flatten().zip(expected) {
                assert!(relative(*got, want) < 1e-9, "{got} against {want}");
            }
        }
    }

    #[test]
    fn tyre_forces_of_a_step_explain_the_change_of_speed() {
        for integrator in [Integrator::Euler, Integrator::Rk4, Integrator::Exact] {
            let spec = DriveSpec::default();
            let h = 1e-3;
            let d = DriveModel::compile("drive", &spec, integrator, h, 9.8).unwrap();
            let x = [0.7, 2.0, 8.0, -3.0];
            let at = |row: &LinearRow| row.iter().zip(x).map(|(k, x)| k * x).sum::<f64>();
            // The wheel's own balance, an independent way: motor torque = J w' + r F.
            let forces = [at(&d.stick.force_right), at(&d.stick.force_left)];
            let old = d.rolling_wheel_speeds(x[0], x[1]);
            let new = d.rolling_wheel_speeds(at(&d.stick.v), at(&d.stick.omega));
            for i in 0..2 {
                let w = d.wheels[i];
                let mean = 0.5 * (old[i] + new[i]);
                let torque = w.torque_per_volt * x[2 + i] - w.drag * mean;
                let force = (torque - w.inertia * (new[i] - old[i]) / h) / w.radius;
                // The mean of a step is taken differently by each integrator: O(h).
                assert!((force - forces[i]).abs() < 2e-3, "{integrator:?} {force} {}", forces[i]);
            }
        }
    }
}
