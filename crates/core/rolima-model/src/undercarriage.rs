//! Robots with a `drive` on ground: the vehicle that they are there.
//!
//! The planar drive says mass, turning inertia, wheels, motors and friction. What terrain needs
//! besides is an [`Undercarriage`]: how high the body is, what springs its wheels have, and what holds
//! it up before and behind. No number stands in both.

use crate::shape::Shape;
use crate::spec::DriveSpec;
use core::f64::consts::{SQRT_2, TAU};
use rolima_math::{Vec2, Vec3};
use rolima_spatial::{
    ChassisSpec, LuGreSpec, MotorSpec, Shapes, Side, Start, VehicleSpec, WheelSpec,
};

/// What a robot with a `drive` says about itself for terrain.
#[derive(Clone, Debug, PartialEq)]
pub struct Undercarriage {
    /// Height of the centre of mass over flat ground with the suspension relaxed, m. From above it is
    /// in the middle between the driven wheels, as the planar drive has it.
    pub center_height: f64,
    /// Height of the body's bottom there, m.
    pub clearance: f64,
    /// Height of its top there, m.
    pub top: f64,
    /// Corners of the box around its outline from above, m: the lower left and the upper right one.
    pub outline: [Vec2; 2],
    /// Friction, stiffness (N/m) and damping (N s/m) of the touching body.
    pub contact: [f64; 3],
    /// What the driven wheels have beside radius, place, inertia, motor and axle, which are the drive's.
    pub wheel: WheelSpec,
    /// Castors and other wheels without motors.
    pub supports: Vec<WheelSpec>,
    /// Their names; empty where they have none.
    pub support_names: Vec<String>,
}

/// How many wheels of such a vehicle are the drive's: left, right. They come first.
pub const DRIVEN_WHEELS: usize = 2;

/// The corners of the box around an outline, m: the lower left and the upper right one.
pub fn outline_box(shape: &Shape) -> [Vec2; 2] {
    let mut low = Vec2::new(f64::INFINITY, f64::INFINITY);
    let mut high = -low;
    for part in &shape.parts {
        let (least, most) = part.bounding_box();
        low = Vec2::new(low.x.min(least.x), low.y.min(least.y));
        high = Vec2::new(high.x.max(most.x), high.y.max(most.y));
    }
    [low, high]
}

/// Height of a robot that does not say it, m, by the radius of its outline and the mean one of its
/// wheels: the cube of the soccer rules, and in any case above the wheels.
pub fn height_of_cube(outline: f64, wheel: f64) -> f64 {
    (outline * SQRT_2).min(3.0 * wheel).max(2.1 * wheel)
}

/// The vehicle of a drive and what it has for terrain.
///
/// Each wheel has the drive's motor at a gear of 1, and its axle friction. The body's viscous friction
/// is the chassis'. Its moments of roll and pitch are those of its box, in the proportion in which the
/// drive's moment about the vertical is the box's.
pub fn vehicle_of_drive(drive: &DriveSpec, under: &Undercarriage) -> VehicleSpec {
    let [low, high] = under.outline;
    let [friction, contact_stiffness, contact_damping] = under.contact;
    let mut chassis = ChassisSpec {
        mass: drive.mass,
        length: [high.x, -low.x],
        width: [high.y, -low.y],
        height: [under.top - under.center_height, under.center_height - under.clearance],
        friction,
        contact_stiffness,
        contact_damping,
        drag: [drive.friction_linear, drive.friction_angular],
        ..ChassisSpec::default()
    };
    let [roll, pitch, yaw] = chassis.box_inertia();
    let share = drive.inertia / yaw;
    chassis.inertia = [roll * share, pitch * share, drive.inertia];
    let half = 0.5 * drive.wheel_distance;
    let left = Driven {
        y: half,
        side: Side::Left,
        radius: drive.wheel_radius_left,
        inertia: drive.wheel_inertia_left,
        friction: drive.axle_friction_left,
        motor: [drive.motor_constant_left, drive.conductance_left],
    };
    let right = Driven {
        y: -half,
        side: Side::Right,
        radius: drive.wheel_radius_right,
        inertia: drive.wheel_inertia_right,
        friction: drive.axle_friction_right,
        motor: [drive.motor_constant_right, drive.conductance_right],
    };
    let mut wheels: Vec<WheelSpec> =
        [left, right].map(|driven| driven.wheel(drive.supply, under)).to_vec();
    wheels.extend_from_slice(&under.supports);
    let mut wheel_names = vec!["left".to_owned(), "right".to_owned()];
    wheel_names.extend_from_slice(&under.support_names);
    VehicleSpec {
        name: String::new(),
        chassis,
        wheels,
        wheel_names,
        start: Start { on_ground: true, ..Start::default() },
        shapes: Shapes::default(),
        hitch: None,
    }
}

/// What the drive says of a wheel.
struct Driven {
    y: f64,
    side: Side,
    radius: f64,
    inertia: f64,
    friction: f64,
    /// Motor constant, V s, and conductance, S.
    motor: [f64; 2],
}

impl Driven {
    fn wheel(&self, supply: f64, under: &Undercarriage) -> WheelSpec {
        let [constant, conductance] = self.motor;
        let motor = MotorSpec {
            nominal_volts: supply,
            torque_constant: constant,
            speed_constant_rpm_v: 60.0 / (TAU * constant),
            resistance: 1.0 / conductance,
            no_load_current: 0.0,
            gear: 1.0,
            efficiency: 1.0,
            rotor_inertia: 0.0,
            current_limit: f64::INFINITY,
        };
        WheelSpec {
            position: Vec3::new(0.0, self.y, self.radius - under.center_height),
            radius: self.radius,
            inertia: self.inertia,
            side: self.side,
            motor: Some(motor),
            axle: LuGreSpec { viscous: self.friction, ..LuGreSpec::NONE },
            ..under.wheel
        }
    }
}
