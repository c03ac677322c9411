//! What a scene says about a robot: body, wheels, motors, tyres, driver.

use super::{PartSpec, RobotLook, RouteSpec, SensorSpec, VisionSpec};
use Range::{NotNegative, Positive, Within};
use rolima_check::{OURS, Range, keys};
use rolima_math::Pose2;
use rolima_spatial::VehicleSpec;

/// Source of a default taken from the minirobot paper's list of parameters.
const PAPER: &str = "2001 paper";

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
    /// Mass, wheels, motors. Of a vehicle: those of its planar equivalent ([`planar_drive`]
    /// makes it), for odometry, views and speed controllers.
    ///
    /// [`planar_drive`]: crate::planar_drive
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
    /// What it looks like, as far as the scene says it.
    pub look: RobotLook,
}

keys! {
    /// A speed controller in the robot: it gives the motors, step by step, the voltages that bring
    /// body (high level) or wheels (low level) to the commanded speeds as fast as its limits and the
    /// supply let it.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct ServoSpec {
        /// fastest speed; commands beyond it are scaled down, turning as well, so that the curve stays
        max_speed: f64 = 5.0, "m/s", Within(0.0, 1e3), OURS;
        /// fastest turning; commands beyond it are scaled down, speed as well
        max_turning: f64 = 2.0 * core::f64::consts::PI, "deg/s" as "max_turning_deg_s",
            Within(0.0, 5e4), OURS;
        /// largest change of speed that it asks for
        acceleration: f64 = 3.0, "m/s2", Positive, OURS;
        /// largest change of turning that it asks for
        turning_acceleration: f64 = 10.0, "deg/s2" as "turning_acceleration_deg_s2", Positive, OURS;
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

keys! {
    /// Equation 1-8 of the minirobot paper: body, wheels and motors. Defaults: preset `minirobot`.
    #[derive(Clone, Debug, PartialEq)]
    pub struct DriveSpec {
        /// distance between the wheels b
        wheel_distance: f64 = 0.0750, "m", Positive, PAPER;
        /// radius of the right wheel r_d
        wheel_radius_right: f64 = 0.0251, "m", Positive, PAPER;
        /// radius of the left wheel r_e
        wheel_radius_left: f64 = 0.0254, "m", Positive, PAPER;
        /// mass m
        mass: f64 = 0.352, "kg", Positive, PAPER;
        /// moment of inertia about the vertical J
        inertia: f64 = 3.30e-4, "kg m2", Positive,
            "ours: m b^2/6 of a cube; the 2001 paper's J is 25 times too small";
        /// viscous friction along its way beta_lin
        friction_linear: f64 = 0.1002, "N s/m", NotNegative, PAPER;
        /// viscous friction of turning beta_ang
        friction_angular: f64 = 7.004e-5, "N m s", NotNegative, PAPER;
        /// inertia of right wheel and rotor J_d
        wheel_inertia_right: f64 = 3.003e-6, "kg m2", Positive, PAPER;
        /// inertia of left wheel and rotor J_e
        wheel_inertia_left: f64 = 3.005e-6, "kg m2", Positive, PAPER;
        /// viscous friction of the right axle beta_d
        axle_friction_right: f64 = 7.002e-6, "N m s", NotNegative, PAPER;
        /// viscous friction of the left axle beta_e
        axle_friction_left: f64 = 7.002e-6, "N m s", NotNegative, PAPER;
        /// constant of the right motor K_d
        motor_constant_right: f64 = 2.04e-2, "V s", NotNegative, PAPER;
        /// constant of the left motor K_e
        motor_constant_left: f64 = 2.01e-2, "V s", NotNegative, PAPER;
        /// armature conductance of the right motor rho_d
        conductance_right: f64 = 0.0577, "S", NotNegative, PAPER;
        /// armature conductance of the left motor rho_e
        conductance_left: f64 = 0.0578, "S", NotNegative, PAPER;
        /// largest voltage; commands beyond it saturate
        supply: f64 = 9.0, "V", Positive, PAPER;
        /// Grip of the tyres, or none for wheels that never slip.
        traction: Option<TractionSpec> = Some(TractionSpec::default());
    }
}

keys! {
    /// The tyres' grip: one friction circle a wheel for drive and side force, each wheel carrying half
    /// the weight.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct TractionSpec {
        /// static friction: a wheel lets go beyond it
        mu_static: f64 = 0.8, "1", Positive, "ours: rubber on a painted board";
        /// kinetic friction: what a sliding wheel gets; at most mu_static
        mu_kinetic: f64 = 0.7, "1", Positive, "ours: rubber on a painted board";
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
