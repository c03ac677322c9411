//! The robot as navigation knows it: equation 6.12 as z' = A z + B e, and its limits.
//!
//! z = (v, omega), e = (e_d, e_e) the armature voltages, right first.
//!
//! | here | thesis |
//! |---|---|
//! | z = (v, omega) | **v** of 6.1 and 6.2 |
//! | [`MotorVolts`] | **e** = (e_d, e_e) of 6.9 |
//! | [`Parameters`] | the list at the end of 6.1.1, names as there |
//! | t in [`Parameters::drive`] | T of 6.1, (v, omega) to wheel speeds; its transpose takes the motors' torques **tau** = (tau_d, tau_e) to **f** in 6.7 |
//! | z', of which [`Drive::feed_forward`] takes dv and domega | **v**' of 6.5; **f** = (f, tau), the force and the torque on the robot of 6.5 and 6.6, is eliminated between 6.8 and 6.11 |
//! | [`Parameters::mass`], [`Parameters::inertia`] | the diagonal of M_r of 6.5 and 6.8 |
//! | [`Parameters::friction`] | beta_lin and beta_ang, the diagonal of B_r of 6.5 and 6.8 |
//! | [`Parameters::conductance`] | rho_d and rho_e, the diagonal of R_m of 6.9 |
//! | [`Parameters::motor_constant`] | K_d and K_e, the diagonal of K_m of 6.9 and 6.10 |
//! | [`Parameters::wheel_inertia`] | J_d and J_e, the diagonal of J_m of 6.10 |
//! | [`Parameters::axle_friction`] | beta_d and beta_e, the diagonal of B_m of 6.10 |
//! | drag in [`Parameters::drive`] | R_m K_m^2 + B_m of 6.11 |
//! | mass, damping, push there | M_v = M_r + T' J_m T, B_v = B_r + T' (R_m K_m^2 + B_m) T, K_v = T' R_m K_m of 6.12: 6.8 with 6.11 |
//! | [`Drive::a`], [`Drive::b`] | -M_v^-1 B_v and M_v^-1 K_v, the upper rows of A(theta) and B |
//! | [`Drive::supply`] | V_cc of 6.2.1 |
//! | [`Drive::grip`], [`Drive::feed_forward`], [`Step`], [`MotorVolts::within`] | beyond the thesis |

use crate::error::NavError;
use rolima_math::matrix::{Matrix, exponential, inverse2, product};
use serde::{Deserialize, Serialize};

/// Armature voltages of both motors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MotorVolts {
    /// Right motor e_d, V.
    pub right: f64,
    /// Left motor e_e, V.
    pub left: f64,
}

impl MotorVolts {
    /// None on either motor.
    pub const ZERO: Self = Self { right: 0.0, left: 0.0 };

    /// Cut to a supply, V, so that turning is kept first: the common part gives way, and only then
    /// the difference. Nothing at all for voltages that are not finite.
    pub fn within(self, supply: f64) -> Self {
        if !self.is_finite() || supply.is_nan() || supply <= 0.0 {
            return Self::ZERO;
        }
        let half = (0.5 * (self.right - self.left)).clamp(-supply, supply);
        let clearance = supply - half.abs();
        let common = (0.5 * (self.right + self.left)).clamp(-clearance, clearance);
        Self { right: common + half, left: common - half }
    }

    /// Whether both are finite.
    pub fn is_finite(self) -> bool {
        self.right.is_finite() && self.left.is_finite()
    }
}

/// The parameters of section 6.1.1, SI units; the right wheel (d) comes first in pairs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// Distance between the wheels d, m.
    pub wheel_distance: f64,
    /// Radii r_d, r_e, m.
    pub radii: [f64; 2],
    /// Mass m, kg.
    pub mass: f64,
    /// Moment of inertia J, kg m2.
    pub inertia: f64,
    /// beta_lin, N s/m, and beta_ang, N m s.
    pub friction: [f64; 2],
    /// J_d, J_e, kg m2.
    pub wheel_inertia: [f64; 2],
    /// beta_d, beta_e, N m s.
    pub axle_friction: [f64; 2],
    /// K_d, K_e, V s.
    pub motor_constant: [f64; 2],
    /// rho_d, rho_e, S.
    pub conductance: [f64; 2],
    /// Supply V_cc, V.
    pub supply: f64,
    /// Largest acceleration that the tyres hold in any direction, m/s2; infinite for no slip.
    pub grip: f64,
}

impl Parameters {
    /// The robot as the thesis lists it, tyres that never slip.
    pub const THESIS: Self = Self {
        wheel_distance: 0.0750,
        radii: [0.0251, 0.0254],
        mass: 0.352,
        inertia: 13.02e-6,
        friction: [0.1002, 7.004e-5],
        wheel_inertia: [3.003e-6, 3.005e-6],
        axle_friction: [7.002e-6; 2],
        motor_constant: [2.04e-2, 2.01e-2],
        conductance: [0.0577, 0.0578],
        supply: 9.0,
        grip: f64::INFINITY,
    };

    /// The simulator's preset `minirobot`: the moment of inertia of a cube, where the thesis's is 25
    /// times too small, and tyres that slip on a board (0.8 g).
    pub const MINIROBOT: Self = Self { inertia: 3.3e-4, grip: 0.8 * 9.80665, ..Self::THESIS };

    /// A and B of equation 6.12. The thesis's element-wise B_v lost beta_ang; it is here.
    pub fn drive(&self) -> Result<Drive, NavError> {
        let half = 0.5 * self.wheel_distance;
        let t = [
            [1.0 / self.radii[0], half / self.radii[0]],
            [1.0 / self.radii[1], -half / self.radii[1]],
        ];
        let spread = |body: [f64; 2], wheel: [f64; 2]| -> Matrix<2> {
            core::array::from_fn(|i| {
                core::array::from_fn(|j| {
                    let own = if i == j { body[i] } else { 0.0 };
                    own + t[0][i] * wheel[0] * t[0][j] + t[1][i] * wheel[1] * t[1][j]
                })
            })
        };
        let mass = spread([self.mass, self.inertia], self.wheel_inertia);
        let drag = core::array::from_fn(|i| {
            self.conductance[i] * self.motor_constant[i] * self.motor_constant[i]
                + self.axle_friction[i]
        });
        let damping = spread(self.friction, drag);
        let push: Matrix<2> = core::array::from_fn(|i| {
            core::array::from_fn(|j| t[j][i] * self.conductance[j] * self.motor_constant[j])
        });
        let light = inverse2(&mass);
        let mut a = product(&light, &damping);
        a.iter_mut().flatten().for_each(|x| *x = -*x);
        Drive::new(a, product(&light, &push), self.supply, self.grip)
    }
}

/// The linear model with its limits, checked.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drive {
    /// A of z' = A z + B e, 1/s.
    pub a: Matrix<2>,
    /// B; columns: right, left voltage.
    pub b: Matrix<2>,
    /// B^-1.
    pub b_inverse: Matrix<2>,
    /// Supply, V.
    pub supply: f64,
    /// Largest acceleration that the tyres hold, m/s2.
    pub grip: f64,
}

impl Drive {
    /// From the matrices of z' = A z + B e, supply (V) and grip (m/s2, may be infinite).
    pub fn new(a: Matrix<2>, b: Matrix<2>, supply: f64, grip: f64) -> Result<Self, NavError> {
        let all = a.iter().chain(&b).flatten();
        if !all.copied().all(f64::is_finite) {
            return Err(NavError::NotFinite);
        }
        if !(supply > 0.0 && supply.is_finite() && grip > 0.0) {
            return Err(NavError::BadLimit);
        }
        let b_inverse = inverse2(&b);
        if !b_inverse.iter().flatten().copied().all(f64::is_finite) {
            return Err(NavError::SingularDrive);
        }
        Ok(Self { a, b, b_inverse, supply, grip })
    }

    /// Voltages that hold (v, omega) while they change by (dv, domega) per second: feed-forward.
    pub fn feed_forward(&self, v: f64, omega: f64, dv: f64, domega: f64) -> MotorVolts {
        let rest = [
            dv - self.a[0][0] * v - self.a[0][1] * omega,
            domega - self.a[1][0] * v - self.a[1][1] * omega,
        ];
        let [right, left] = times(&self.b_inverse, rest);
        MotorVolts { right, left }
    }

    /// The exact map over a period, s, with held voltages.
    pub fn over(&self, period: f64) -> Result<Step, NavError> {
        if !(period > 0.0 && period.is_finite()) {
            return Err(NavError::BadLimit);
        }
        // (z, e, integral of z): e is held.
        let mut whole = [[0.0; 6]; 6];
        for i in 0..2 {
            whole[i][..2].copy_from_slice(&self.a[i]);
            whole[i][2..4].copy_from_slice(&self.b[i]);
            whole[4 + i][i] = 1.0;
        }
        let e = exponential(&whole, period);
        let block = |i: usize, j: usize| [[e[i][j], e[i][j + 1]], [e[i + 1][j], e[i + 1][j + 1]]];
        let (a, b) = (block(0, 0), block(0, 2));
        let b_inverse = inverse2(&b);
        if !b_inverse.iter().flatten().copied().all(f64::is_finite) {
            return Err(NavError::SingularDrive);
        }
        Ok(Step { period, a, b, b_inverse, sum_a: block(4, 0), sum_b: block(4, 2) })
    }
}

/// The model over one period with held voltages.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The period, s.
    pub period: f64,
    /// exp(A period).
    pub a: Matrix<2>,
    /// Effect of held voltages.
    pub b: Matrix<2>,
    /// Its inverse.
    pub b_inverse: Matrix<2>,
    /// Way and turn over the period, from (v, omega) at its start.
    pub sum_a: Matrix<2>,
    /// Way and turn over the period, from held voltages.
    pub sum_b: Matrix<2>,
}

impl Step {
    /// Way (m) and turn (rad) over the period.
    #[inline]
    pub fn moved(&self, z: [f64; 2], volts: MotorVolts) -> [f64; 2] {
        let e = [volts.right, volts.left];
        let (own, push) = (times(&self.sum_a, z), times(&self.sum_b, e));
        [own[0] + push[0], own[1] + push[1]]
    }

    /// (v, omega) after the period.
    #[inline]
    pub fn after(&self, z: [f64; 2], volts: MotorVolts) -> [f64; 2] {
        let e = [volts.right, volts.left];
        let (own, push) = (times(&self.a, z), times(&self.b, e));
        [own[0] + push[0], own[1] + push[1]]
    }

    /// Voltages that lead from (v, omega) to the wanted ones within the period.
    #[inline]
    pub fn volts_for(&self, z: [f64; 2], wanted: [f64; 2]) -> MotorVolts {
        let own = times(&self.a, z);
        let [right, left] = times(&self.b_inverse, [wanted[0] - own[0], wanted[1] - own[1]]);
        MotorVolts { right, left }
    }
}

#[inline]
pub(crate) fn times(m: &Matrix<2>, x: [f64; 2]) -> [f64; 2] {
    [m[0][0] * x[0] + m[0][1] * x[1], m[1][0] * x[0] + m[1][1] * x[1]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thesis_robot_has_the_matrices_of_the_oracle() {
        let drive = Parameters::THESIS.drive().unwrap();
        let a = [
            [-0.5435842138440152, -1.3789912357658e-04],
            [-3.0271578424214822, -7.819012734306982],
        ];
        let b = [[0.1289966336561956, 0.1272905109932747], [66.91507213782748, -65.30454668790007]];
        for (got, want) in [(drive.a, a), (drive.b, b)] {
            for (got, want) in got.iter().flatten().zip(want.iter().flatten()) {
                assert!((got / want - 1.0).abs() < 1e-9, "{got} against {want}");
            }
        }
    }

    #[test]
    fn voltages_for_a_motion_lead_to_it_exactly() {
        let drive = Parameters::THESIS.drive().unwrap();
        let step = drive.over(0.03).unwrap();
        let volts = step.volts_for([0.1, -1.0], [0.2, 2.0]);
        let [v, omega] = step.after([0.1, -1.0], volts);
        assert!((v - 0.2).abs() < 1e-12 && (omega - 2.0).abs() < 1e-10);
        // Steady motion: both ways of computing it agree.
        let hold = drive.feed_forward(0.5, 1.0, 0.0, 0.0);
        let also = step.volts_for([0.5, 1.0], [0.5, 1.0]);
        assert!((hold.right - also.right).abs() < 1e-9 && (hold.left - also.left).abs() < 1e-9);
    }

    #[test]
    fn saturation_keeps_turning_before_driving() {
        let cut = MotorVolts { right: 12.0, left: 4.0 }.within(9.0);
        assert_eq!(cut, MotorVolts { right: 9.0, left: 1.0 });
        assert_eq!(
            MotorVolts { right: 30.0, left: -30.0 }.within(9.0),
            MotorVolts { right: 9.0, left: -9.0 }
        );
        assert_eq!(MotorVolts { right: f64::NAN, left: 1.0 }.within(9.0), MotorVolts::ZERO);
    }

    #[test]
    fn bad_drives_are_refused() {
        let good = Parameters::THESIS;
        let refused = |p: Parameters| p.drive().err();
        assert_eq!(refused(Parameters { mass: f64::NAN, ..good }), Some(NavError::NotFinite));
        assert_eq!(refused(Parameters { supply: 0.0, ..good }), Some(NavError::BadLimit));
        assert_eq!(
            refused(Parameters { conductance: [0.0; 2], ..good }),
            Some(NavError::SingularDrive)
        );
        assert_eq!(good.drive().unwrap().over(0.0).err(), Some(NavError::BadLimit));
    }
}
