//! What a scene says about a robot: body, wheels, motors, tyres, driver.

use super::{PartSpec, RouteSpec, SensorSpec, VisionSpec};
use rolima_math::Pose2;
use rolima_spatial::VehicleSpec;

/// A differential-drive robot.
#[derive(Clone, Debug, PartialEq)]
pub struct RobotSpec {
    /// Unique name.
    pub name: String,
    /// Team or colour, for views and scores; empty for none.
    pub team: String,
    /// Where it starts.
    pub pose: Pose2,
    /// Its first speed along its heading v, m/s.
    pub velocity: f64,
    /// Its first turning, rad/s.
    pub omega: f64,
    /// Convex pieces of its outline, in the robot's frame (origin: centre of mass, x forward).
    pub shape: Vec<PartSpec>,
    /// Mass, wheels, motors. Of a vehicle: those of its twin on flat ground ([`twin_drive`]
    /// makes it), for odometry, views and speed controllers.
    ///
    /// [`twin_drive`]: crate::twin_drive
    pub drive: DriveSpec,
    /// Of robots on rough ground: chassis and suspended wheels. Its name and start are not read:
    /// the robot's own are.
    pub vehicle: Option<Box<VehicleSpec>>,
    /// Its speed controller, for those that have one: without it only voltages are obeyed.
    pub servo: Option<ServoSpec>,
    /// Who commands it when no client does.
    pub driver: DriverSpec,
    /// Height above the ground, m, for views, cameras and rays; none: that of a cube.
    pub height: Option<f64>,
    /// What it carries to sense with.
    pub sensors: Vec<SensorSpec>,
}

/// A speed controller in the robot: it gives the motors, step by step, the voltages that bring
/// body (high level) or wheels (low level) to the commanded speeds as fast as its limits and the
/// supply let it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServoSpec {
    /// Fastest speed that it goes for, m/s; commands beyond it are scaled down, turning as well, so
    /// that the curve stays. Default 5 (ours).
    pub max_speed: f64,
    /// Fastest turning that it goes for, rad/s; commands beyond it are scaled down, speed as well.
    /// Default 2 pi (ours).
    pub max_turning: f64,
    /// Largest change of speed that it asks for, m/s2. Default 3 (ours).
    pub acceleration: f64,
    /// Largest change of turning that it asks for, rad/s2. Default 10 (ours).
    pub turning_acceleration: f64,
}

impl Default for ServoSpec {
    fn default() -> Self {
        Self {
            max_speed: 5.0,
            max_turning: 2.0 * core::f64::consts::PI,
            acceleration: 3.0,
            turning_acceleration: 10.0,
        }
    }
}

impl ServoSpec {
    /// What is left of a commanded speed (m/s) and turning (rad/s) within the limits: both are scaled
    /// by the same factor, so that the robot drives the commanded curve, only slower.
    pub fn within_limits(&self, [speed, turning]: [f64; 2]) -> [f64; 2] {
        let share =
            |wanted: f64, most: f64| if wanted.abs() > most { most / wanted.abs() } else { 1.0 };
        let factor = share(speed, self.max_speed).min(share(turning, self.max_turning));
        // A factor of a rounded quotient may pass the limit by its last bit.
        let scaled = |wanted: f64, most: f64| (wanted * factor).clamp(-most, most);
        [scaled(speed, self.max_speed), scaled(turning, self.max_turning)]
    }
}

/// Equation 1-8 of the minirobot paper: body, wheels and motors. Defaults: preset `minirobot`.
#[derive(Clone, Debug, PartialEq)]
pub struct DriveSpec {
    /// Distance between the wheels b, m (2001).
    pub wheel_distance: f64,
    /// Radius of the right wheel r_d, m (2001).
    pub wheel_radius_right: f64,
    /// Radius of the left wheel r_e, m (2001).
    pub wheel_radius_left: f64,
    /// Mass m, kg (2001).
    pub mass: f64,
    /// Moment of inertia J about the vertical, kg m2. Ours, m b^2 / 6 of a cube: the listed
    /// 13.02e-6 is 25 times too small.
    pub inertia: f64,
    /// Viscous friction of the body along its way beta_lin, N s/m (2001).
    pub friction_linear: f64,
    /// Viscous friction of the body's turning beta_ang, N m s (2001).
    pub friction_angular: f64,
    /// Inertia of the right wheel and rotor J_d, kg m2 (2001).
    pub wheel_inertia_right: f64,
    /// Inertia of the left wheel and rotor J_e, kg m2 (2001).
    pub wheel_inertia_left: f64,
    /// Viscous friction of the right axle beta_d, N m s (2001).
    pub axle_friction_right: f64,
    /// Viscous friction of the left axle beta_e, N m s (2001).
    pub axle_friction_left: f64,
    /// Motor constant of the right motor K_d, V s = N m/A (2001).
    pub motor_constant_right: f64,
    /// Motor constant of the left motor K_e, V s (2001).
    pub motor_constant_left: f64,
    /// Armature conductance of the right motor rho_d = 1/R, S (2001).
    pub conductance_right: f64,
    /// Armature conductance of the left motor rho_e, S (2001).
    pub conductance_left: f64,
    /// Largest voltage the driver stage gives, V (2001: 9 V); commands beyond it saturate.
    pub supply: f64,
    /// Grip of the tyres, or none for wheels that never slip.
    pub traction: Option<TractionSpec>,
}

/// The tyres' grip: one friction circle a wheel for drive and side force, each wheel carrying half
/// the weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TractionSpec {
    /// Static coefficient: a wheel lets go beyond it.
    pub mu_static: f64,
    /// Kinetic coefficient: what a sliding wheel gets.
    pub mu_kinetic: f64,
}

impl Default for TractionSpec {
    /// Rubber on a painted board (ours).
    fn default() -> Self {
        Self { mu_static: 0.8, mu_kinetic: 0.7 }
    }
}

impl Default for DriveSpec {
    fn default() -> Self {
        Self {
            wheel_distance: 0.0750,
            wheel_radius_right: 0.0251,
            wheel_radius_left: 0.0254,
            mass: 0.352,
            inertia: 3.30e-4,
            friction_linear: 0.1002,
            friction_angular: 7.004e-5,
            wheel_inertia_right: 3.003e-6,
            wheel_inertia_left: 3.005e-6,
            axle_friction_right: 7.002e-6,
            axle_friction_left: 7.002e-6,
            motor_constant_right: 2.04e-2,
            motor_constant_left: 2.01e-2,
            conductance_right: 0.0577,
            conductance_left: 0.0578,
            supply: 9.0,
            traction: Some(TractionSpec::default()),
        }
    }
}

impl DriveSpec {
    /// The paper's robot exactly as listed: its J, and wheels that never slip.
    pub fn minirobot_2001() -> Self {
        Self { inertia: 13.02e-6, traction: None, ..Self::default() }
    }
}

/// Who commands a robot when no client does.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum DriverSpec {
    /// Zero volts.
    #[default]
    None,
    /// The same voltages for ever.
    Constant {
        /// Left motor, V.
        left: f64,
        /// Right motor, V.
        right: f64,
    },
    /// New voltages, uniform in +-`max_volts`, every `period_s`; from the robot's own stream.
    Random {
        /// Largest voltage, V.
        max_volts: f64,
        /// Time between draws, s. Default 30 ms: a control system's frame.
        period_s: f64,
    },
    /// Drives about by its speed controller: on as long as its first lidar shows room ahead, else
    /// turning to the freer side; without a lidar new random speeds every so often.
    Wander {
        /// Speed, m/s.
        speed: f64,
        /// Turning, rad/s.
        turning: f64,
        /// Time between looks, s. Default 0.1 (ours).
        period_s: f64,
    },
    /// Drives at the nearest ball; backs off for a while where it gets stuck.
    Chaser {
        /// Largest voltage, V.
        max_volts: f64,
        /// How long it stands stuck before it backs off, s. Default 0.6 (ours).
        patience_s: f64,
    },
    /// Goes to goals, one after the other, by navigation. The core lets it stand: it is an agent of
    /// the simulation around a world that drives it.
    GoTo {
        /// Its goals.
        route: RouteSpec,
        /// By what it sees; none: by what the scene says.
        vision: Option<VisionSpec>,
    },
}
