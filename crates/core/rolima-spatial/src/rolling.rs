//! From speed and turning of a vehicle to the values of its actuators.
//!
//! All wheels roll about one point, on the line through the wheels that are not steered. With v the
//! speed along the heading and omega the turning, the hub at (x, y), seen from where that line crosses
//! the middle, moves by (v - omega y, omega x): a steered wheel points there (Ackermann), and spins as
//! fast as its hub moves.

use crate::actuator::ActuatorKind;
use crate::model::VehicleModel;
use crate::spec::WheelSpec;
use rolima_math::{atan, larger, smaller, tan};

impl VehicleModel {
    /// Whether any wheel is steered.
    pub fn steers(&self) -> bool {
        self.steers
    }

    /// Whether all motors are commanded by speed.
    pub fn has_speeds(&self) -> bool {
        let mut motors = self.actuators.iter().filter(|a| a.kind != ActuatorKind::Position);
        motors.all(|a| a.kind == ActuatorKind::Speed)
    }

    /// Whether all motors are commanded by voltage.
    pub fn has_voltages(&self) -> bool {
        let mut motors = self.actuators.iter().filter(|a| a.kind != ActuatorKind::Position);
        motors.all(|a| a.kind == ActuatorKind::Voltage)
    }

    /// Where the line through the wheels that are not steered is, forward of the centre of mass, m;
    /// if all are, the middle of all.
    fn axle(&self) -> f64 {
        let mean = |of: &dyn Fn(&&WheelSpec) -> bool| {
            let all = self.spec.wheels.iter().filter(|w| !w.ball).filter(of);
            let (sum, count) = all.fold((0.0, 0.0), |(s, n), w| (s + w.position.x, n + 1.0));
            (count > 0.0).then(|| sum / count)
        };
        let unsteered = mean(&|w| w.steer.is_none());
        unsteered.or_else(|| mean(&|_| true)).unwrap_or(0.0)
    }

    /// The sharpest curve that its joints allow, 1/m; none where nothing is steered.
    pub fn most_curvature(&self) -> Option<f64> {
        let axle = self.axle();
        let mut least: Option<f64> = None;
        for wheel in &self.spec.wheels {
            let (Some(steer), x) = (wheel.steer, (wheel.position.x - axle).abs()) else { continue };
            if x > 0.0 {
                let slope = tan(steer.limit);
                let curvature = slope / (x + wheel.position.y.abs() * slope);
                least = Some(least.map_or(curvature, |l| l.min(curvature)));
            }
        }
        least
    }

    /// Values of the actuators at which the vehicle drives a curve (1/m, left positive) with a speed
    /// (m/s) along its heading: angles of its joints and speeds of its motors. What its joints cannot
    /// turn to is left out of the curve.
    pub fn roll(&self, speed: f64, curvature: f64, values: &mut [f64]) {
        let axle = self.axle();
        let most = self.most_curvature().unwrap_or(f64::MAX);
        let curvature = smaller(larger(curvature, -most), most);
        for (value, actuator) in values.iter_mut().zip(&self.actuators) {
            let wheel = &self.spec.wheels[actuator.wheel as usize];
            let (x, y) = (wheel.position.x - axle, wheel.position.y);
            // The hub's motion by the vehicle's speed. Joints turn by less than 86 degrees, so that the
            // point about which all turn is beyond their wheels.
            let (along, across) = (1.0 - curvature * y, curvature * x);
            *value = match (actuator.kind, wheel.steer) {
                (ActuatorKind::Position, _) => atan(across / larger(along, 1e-9)),
                (_, Some(_)) => speed * (along * along + across * across).sqrt() / wheel.radius,
                (_, None) => speed * along / wheel.radius,
            };
        }
    }

    /// Speeds of the motors at which a vehicle without joints goes and turns (m/s, rad/s).
    pub fn skid(&self, speed: f64, turning: f64, values: &mut [f64]) {
        for (value, actuator) in values.iter_mut().zip(&self.actuators) {
            let wheel = &self.spec.wheels[actuator.wheel as usize];
            *value = (speed - turning * wheel.position.y) / wheel.radius;
        }
    }
}
