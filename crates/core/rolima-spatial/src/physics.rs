//! What of vehicles, bodies and ground shapes the course of a world: the fingerprint.

use crate::bodies::{BodyKind, BodyPart, BodyShape, BodySpec, PairContacts, PairTable};
use crate::{
    ActuatorKind, ActuatorSpec, ChassisSpec, Curve, HitchSpec, LuGreForm, LuGreSpec, Magic,
    MotorSpec, Shapes, Side, SpatialSpec, Start, SteerSpec, SuspensionSpec, Terrain, TyreLaw,
    VehicleSpec, Weakening, WheelSpec,
};
use rolima_math::{Hash64, Physics, physics};

physics! {
    SpatialSpec {
        step_s, control_period_s, gravity, slices, contact_every, tyre_every, outer_steps, contact, terrain, vehicles, bodies
    }
    VehicleSpec { name, chassis, wheels, wheel_names, start, shapes, hitch }
    Start { position, orientation, velocity, on_ground }
    HitchSpec { to, at, own, stiffness, damping }
    ChassisSpec {
        mass, inertia, products, length, width, height, friction, contact_stiffness, contact_damping, drag
    }
    WheelSpec {
        position, radius, width, crown, inertia, side, motor, actuator, steer, axle, brake_torque,
        rolling_resistance, suspension, tyre, relaxation, side_relaxation, bristle_damping_s, ball
    }
    enum Side { Left = 0, Right = 1, Free = 2 }
    MotorSpec {
        nominal_volts, torque_constant, speed_constant_rpm_v, resistance, no_load_current, gear, efficiency,
        rotor_inertia, current_limit
    }
    ActuatorSpec { kind, limit }
    enum ActuatorKind { Voltage = 0, Torque = 1, Speed = 2, Position = 3 }
    SteerSpec { limit, rate, response_s }
    LuGreSpec {
        form, stiffness, damping, viscous, coulomb, breakaway, stribeck_speed, steepness
    }
    enum LuGreForm { Standard = 0, Continuous = 1 }
    SuspensionSpec { stiffness, damping, linear_travel, stop_travel, stop_stiffness }
    enum TyreLaw {
        Magic(magic) = 0,
        Coulomb { static_friction, sliding_friction, peak_slip } = 1,
    }
    Magic { lengthwise, sideways, weaken_lengthwise, weaken_sideways, friction_scale }
    Curve { a, c, slope_per_kn }
    Weakening { b1, b2, b3, c, shift }
    // How it looks touches nothing.
    Shapes { hull; chassis, wheels }

    BodySpec {
        name, kind, shape, mass, turn_inertia, friction, restitution, rolling_resistance, drag, position,
        orientation, velocity, omega
    }
    enum BodyKind { Wall = 0, Robot = 1, Ball = 2, Object = 3 }
    enum BodyShape {
        Box(half) = 0,
        Ball(radius) = 1,
        Cylinder(radius, half) = 2,
        Parts(parts) = 3,
    }
    enum BodyPart { Prism { outline, z } = 0, Cylinder { centre, radius, z } = 1 }
    PairContacts { friction, restitution, restitution_threshold }
    PairTable {
        ball_wall, ball_robot, ball_ball, ball_object, robot_wall, robot_robot, robot_object, object_wall,
        object_object
    }
}

impl Physics for Terrain {
    fn physics(&self, hash: &mut Hash64) {
        // It has many nodes, which were hashed when it was made.
        hash.word(self.fingerprint());
    }
}
