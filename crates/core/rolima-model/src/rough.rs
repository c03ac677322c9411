//! A scene on rough ground, compiled for the spatial engine.

use crate::check::within;
use crate::model::Model;
use crate::spec::{ContactResponse, GroundSpec, RobotSpec, SceneSpec};
use rolima_check::ModelError;
use rolima_math::Vec3;
use rolima_spatial::{Side, SpatialModel, SpatialSpec, Start, VehicleSpec};
use std::sync::Arc;

/// What the rules for scenes with and without ground say; none for flat ones.
pub(crate) fn compile(spec: &SceneSpec) -> Result<Option<Arc<SpatialModel>>, ModelError> {
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
        ..SpatialSpec::new(ground.terrain.clone())
    };
    let compiled = SpatialModel::compile(spatial);
    compiled.map(|model| Some(Arc::new(model))).map_err(renamed)
}

fn check_ground(spec: &SceneSpec, ground: &GroundSpec) -> Result<(), ModelError> {
    let (step, fine) = (spec.sim.step_s, ground.fine_step_s);
    within("ground.fine_step_s", fine, 1e-7, step.min(1e-3))?;
    let steps = (step / fine).round();
    if (steps * fine / step - 1.0).abs() > 1e-6 {
        let expected = format!("a whole part of the step of {step} s");
        return Err(ModelError::new("ground.fine_step_s", expected, fine));
    }
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
        if !vehicle.wheels.iter().any(|w| w.side == side && w.motor.is_some()) {
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

/// The keys of the spatial engine as a scene has them.
fn renamed(error: ModelError) -> ModelError {
    let key = match error.key.as_str() {
        "sim.gravity" => error.key.clone(),
        "sim.step_s" => "ground.fine_step_s".to_owned(),
        key => match key.strip_prefix("sim.") {
            Some(rest) => format!("ground.{rest}"),
            None => scene_key(key),
        },
    };
    ModelError { key, ..error }
}

/// `vehicle.3.wheels.0.radius` => `robot.3.vehicle.wheel.0.radius`.
fn scene_key(key: &str) -> String {
    let Some((number, rest)) = key.strip_prefix("vehicle.").and_then(|k| k.split_once('.')) else {
        return key.to_owned();
    };
    let rest = match rest.strip_prefix("wheels") {
        Some(wheel) => format!("wheel{wheel}"),
        None => rest.to_owned(),
    };
    format!("robot.{number}.vehicle.{rest}")
}

impl Model {
    /// Where the wheels of a robot stand among the wheels of all vehicles, as frames have them;
    /// empty on flat ground.
    pub fn wheel_range(&self, robot: u32) -> core::ops::Range<usize> {
        let at = |i: usize| self.first_wheels.get(i).map_or(0, |&first| first as usize);
        match (robot as usize) < self.robots.len() {
            true => at(robot as usize)..at(robot as usize + 1),
            false => 0..0,
        }
    }

    /// How many steps vehicles take in one step of the world; 0 on flat ground.
    pub fn fine_steps(&self) -> u64 {
        self.spatial.as_ref().map_or(0, |s| (self.step_s / s.step_s + 0.5) as u64)
    }
}

/// Where the wheels of each robot begin, and where the last one's end; empty on flat ground.
pub(crate) fn first_wheels(spatial: Option<&SpatialModel>) -> Vec<u32> {
    let Some(spatial) = spatial else { return vec![] };
    let mut sum = 0;
    let mut first = vec![0];
    for vehicle in &spatial.vehicles {
        sum += vehicle.spec.wheels.len() as u32;
        first.push(sum);
    }
    first
}
