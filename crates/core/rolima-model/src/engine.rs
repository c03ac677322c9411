//! Which engine runs a scene: the spatial one where the scene has ground, else the planar one.
//!
//! The spatial engine has a model of its own, made here. Outside the engines nobody asks which one runs
//! ([`Model::spatial`]); what the two know in different ways is answered here for both.

use crate::check::within;
use crate::loose;
use crate::model::Model;
use crate::spec::{ContactResponse, GroundSpec, Integrator, RobotSpec, SceneSpec};
use rolima_check::ModelError;
use rolima_math::Vec3;
use rolima_spatial::{
    Actuator, ActuatorKind, Side, SpatialModel, SpatialSpec, Start, Terrain, VehicleSpec,
};
use std::sync::Arc;

/// Longest step of a world with ground, s: vehicles and bodies meet once a step.
const LONGEST_STEP_S: f64 = 0.02;

/// What the rules for scenes with and without ground say; the vehicles of those with it.
pub(crate) fn check(spec: &SceneSpec) -> Result<Option<SpatialSpec>, ModelError> {
    let Some(ground) = &spec.ground else {
        return match spec.robots.iter().position(|r| r.vehicle.is_some()) {
            None => Ok(None),
            Some(i) => {
                let expected = "ground in the scene, as the robot is a vehicle";
                Err(ModelError::new(format!("robot.{i}.vehicle"), expected, "none"))
            }
        };
    };
    check_ground(spec, ground)?;
    let vehicles = spec
        .robots
        .iter()
        .enumerate()
        .map(|(i, robot)| vehicle(i, robot, ground))
        .collect::<Result<Vec<_>, _>>()?;
    let spatial = SpatialSpec {
        step_s: ground.fine_step_s,
        control_period_s: ground.control_period_s,
        gravity: spec.sim.gravity,
        slices: ground.slices,
        contact_every: ground.contact_every,
        tyre_every: ground.tyre_every,
        vehicles,
        outer_steps: 0,
        ..SpatialSpec::new(ground.terrain.clone())
    };
    // Vehicles by themselves, so that what is wrong with them is told before their planar equivalents are made.
    SpatialModel::compile(spatial.clone()).map_err(|error| renamed(error, &[]))?;
    Ok(Some(spatial))
}

/// Vehicles with everything that they meet.
pub(crate) fn compile(model: &mut Model, vehicles: SpatialSpec) -> Result<(), ModelError> {
    let (bodies, keys) = loose::bodies(model, &vehicles.terrain);
    let steps = (model.step_s / vehicles.step_s + 0.5) as u32;
    let spatial =
        SpatialSpec { bodies, outer_steps: steps, contact: loose::contacts(model), ..vehicles };
    let compiled = SpatialModel::compile(spatial).map_err(|error| renamed(error, &keys))?;
    let mut first = 0;
    model.first_wheels = vec![0];
    for vehicle in &compiled.vehicles {
        first += vehicle.spec.wheels.len() as u32;
        model.first_wheels.push(first);
    }
    model.spatial = Some(Arc::new(compiled));
    Ok(())
}

fn check_ground(spec: &SceneSpec, ground: &GroundSpec) -> Result<(), ModelError> {
    let (step, fine) = (spec.sim.step_s, ground.fine_step_s);
    within("ground.fine_step_s", fine, 1e-7, step.min(1e-3))?;
    let steps = (step / fine).round();
    if (steps * fine / step - 1.0).abs() > 1e-6 {
        let expected = format!("a whole part of the step of {step} s");
        return Err(ModelError::new("ground.fine_step_s", expected, fine));
    }
    within("sim.step_s", step, fine, LONGEST_STEP_S)?;
    if spec.contact.response != ContactResponse::Rigid {
        let expected = "rigid: rough ground knows no other response";
        return Err(ModelError::new("contact.response", expected, "equivalent-sphere"));
    }
    Ok(())
}

/// The vehicle of a robot, where the robot starts.
fn vehicle(i: usize, robot: &RobotSpec, ground: &GroundSpec) -> Result<VehicleSpec, ModelError> {
    let key = format!("robot.{i}.vehicle");
    let Some(vehicle) = &robot.vehicle else {
        let expected = "a vehicle, as the scene has rough ground";
        return Err(ModelError::new(key, expected, "none"));
    };
    for (side, named) in [(Side::Left, "left"), (Side::Right, "right")] {
        if !vehicle.wheels.iter().any(|w| w.side == side && w.motor.is_some() && !w.ball) {
            let expected = format!("a wheel with a motor on the {named} side");
            return Err(ModelError::new(format!("{key}.wheel"), expected, "none"));
        }
    }
    // What is not finite is refused with the other bodies.
    let at = robot.pose;
    let orientation = vehicle.lying(&ground.terrain, at);
    let along = orientation.rotate(Vec3::new(robot.velocity, 0.0, 0.0));
    Ok(VehicleSpec {
        name: robot.name.clone(),
        start: Start {
            position: vehicle.centre_over(at, orientation),
            orientation,
            velocity: along,
            on_ground: true,
        },
        ..(**vehicle).clone()
    })
}

/// The keys of the spatial engine as a scene has them, `keys` those of its bodies.
fn renamed(error: ModelError, keys: &[String]) -> ModelError {
    let key = match error.key.as_str() {
        "sim.gravity" => error.key.clone(),
        "sim.step_s" => "ground.fine_step_s".to_owned(),
        key => match key.strip_prefix("sim.") {
            Some(rest) => format!("ground.{rest}"),
            None => scene_key(key, keys),
        },
    };
    ModelError { key, ..error }
}

/// `vehicle.3.wheels.0.radius` => `robot.3.vehicle.wheel.0.radius`.
fn scene_key(key: &str, keys: &[String]) -> String {
    if let Some((number, rest)) = key.strip_prefix("body.").and_then(|k| k.split_once('.')) {
        let known = number.parse().ok().and_then(|i: usize| keys.get(i));
        return format!("{}.{rest}", known.map_or("body", String::as_str));
    }
    if key.starts_with("contact.") {
        return key.replace("vehicle", "robot");
    }
    let Some((number, rest)) = key.strip_prefix("vehicle.").and_then(|k| k.split_once('.')) else {
        return key.to_owned();
    };
    let rest = match rest.strip_prefix("wheels") {
        Some(wheel) => format!("wheel{wheel}"),
        None => rest.to_owned(),
    };
    format!("robot.{number}.vehicle.{rest}")
}

/// Numbers of a two-wheeled robot's wheels, right before left as everywhere; its actuators are named
/// by them.
const TWO_WHEELS: [(&str, u32); 2] = [("left", 1), ("right", 0)];

/// The actuators of a robot: its vehicle's, or the voltages of both motors.
pub(crate) fn actuators(model: &Model, robot: usize) -> Vec<Actuator> {
    if let Some(spatial) = &model.spatial {
        return spatial.vehicles[robot].actuators.clone();
    }
    let limit = model.drives[model.robots[robot].drive as usize].spec.supply;
    let of_wheel = |(name, wheel): (&str, u32)| Actuator {
        name: name.to_owned(),
        kind: ActuatorKind::Voltage,
        wheel,
        limit,
    };
    TWO_WHEELS.map(of_wheel).into()
}

/// A wheel of a robot: what it is called in names of channels, and on which side it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WheelName {
    /// Its side's name, or its number among the vehicle's wheels.
    pub name: String,
    /// Its side.
    pub side: Side,
}

impl Model {
    /// For the engines: what the spatial one runs, its vehicles the robots in their order; none where the
    /// planar one does.
    pub fn spatial(&self) -> Option<&Arc<SpatialModel>> {
        self.spatial.as_ref()
    }

    /// The terrain that everything stands on; none where that is the plane.
    pub fn terrain(&self) -> Option<&Arc<Terrain>> {
        self.spec.ground.as_ref().map(|ground| &ground.terrain)
    }

    /// How motion is integrated, as scenes name it; that of vehicles is always the same.
    pub fn integrator(&self) -> &'static str {
        match self.spec.sim.integrator {
            _ if self.spatial.is_some() => "semi-implicit",
            Integrator::Euler => "euler",
            Integrator::Rk4 => "rk4",
            Integrator::Exact => "exact",
        }
    }

    /// How many bodies have a pose in space, as frames have it: all or none.
    pub fn poses_in_space(&self) -> usize {
        if self.spatial.is_some() { self.body_count() } else { 0 }
    }

    /// How far a robot that steers can turn its way, 1/m; none where it turns on the spot, or there is no
    /// such robot.
    pub fn most_curvature(&self, robot: u32) -> Option<f64> {
        self.spatial.as_ref()?.vehicles.get(robot as usize)?.most_curvature()
    }

    /// The wheels of a robot: right and left, or as its vehicle has them.
    pub fn wheels(&self, robot: u32) -> Vec<WheelName> {
        let Some(spatial) = &self.spatial else {
            let sides = [("right", Side::Right), ("left", Side::Left)];
            return sides.map(|(name, side)| WheelName { name: name.to_owned(), side }).into();
        };
        let vehicle = spatial.vehicles.get(robot as usize);
        let wheels = vehicle.into_iter().flat_map(|vehicle| vehicle.spec.wheels.iter().enumerate());
        wheels.map(|(i, wheel)| WheelName { name: i.to_string(), side: wheel.side }).collect()
    }

    /// Where the wheels of a robot stand among the wheels of all vehicles, as frames have them;
    /// empty where robots have no suspended wheels.
    pub fn wheel_range(&self, robot: u32) -> core::ops::Range<usize> {
        let at = |i: usize| self.first_wheels.get(i).map_or(0, |&first| first as usize);
        match (robot as usize) < self.robots.len() {
            true => at(robot as usize)..at(robot as usize + 1),
            false => 0..0,
        }
    }

    /// How many steps robots take in one step of the world.
    pub fn fine_steps(&self) -> u64 {
        self.spatial.as_ref().map_or(1, |s| (self.step_s / s.step_s + 0.5) as u64)
    }
}
