//! What changes on rough ground, and its shadow in the plane.

use crate::state::{State, Visitor, place};
use crate::world::World;
use rolima_math::{Pose2, Pose3, Vec2, Vec3};
use rolima_model::spatial::{Drive, SpatialModel, SpatialWorld, Vehicle};
use rolima_model::{BodyKind, BodyModel, MOST_SPEED, Model};
use std::sync::Arc;

/// What a vehicle's speed controller remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ServoState {
    /// Speed, m/s, and turning, rad/s, that it goes for now, on the way to what is commanded.
    pub aim: [f64; 2],
    /// What it has learnt that the motors (right, left) need beyond its plan, V.
    pub learnt: [f64; 2],
}

/// What changes on rough ground.
#[derive(Clone, Debug)]
pub struct RoughState {
    /// Vehicles and free bodies.
    pub world: SpatialWorld,
    /// Speed controllers, by robot.
    pub servos: Vec<ServoState>,
    /// Part of the brakes' torque that is asked for, 0 to 1, by robot.
    pub brakes: Vec<f64>,
    /// What each vehicle was told last.
    pub(crate) told: Vec<Drive>,
}

/// A vehicle that was told nothing.
const NOTHING: Drive = Drive { left_volts: 0.0, right_volts: 0.0, brake: 0.0 };

impl RoughState {
    /// The first state of a model.
    pub(crate) fn new(model: &Model, spatial: &Arc<SpatialModel>) -> Self {
        let robots = model.robots.len();
        Self {
            world: SpatialWorld::new(spatial.clone()),
            servos: vec![ServoState::default(); robots],
            brakes: vec![0.0; robots],
            told: vec![NOTHING; robots],
        }
    }

    /// Every word of it, in a fixed order.
    pub(crate) fn visit(&mut self, visitor: &mut impl Visitor) {
        for servo in &mut self.servos {
            servo.aim.iter_mut().chain(&mut servo.learnt).for_each(|x| visitor.number(x));
        }
        self.brakes.iter_mut().for_each(|x| visitor.number(x));
        for Drive { left_volts, right_volts, brake } in &mut self.told {
            [left_volts, right_volts, brake].into_iter().for_each(|x| visitor.number(x));
        }
        let mut words = self.world.save();
        // All but the model's fingerprint, which stands first.
        words.iter_mut().skip(1).for_each(|word| visitor.word(word));
        self.world.restore(&words);
        for vehicle in self.world.vehicles_mut() {
            // What the last step computed: a restored world shows the same frame.
            for r in &mut vehicle.readings {
                let shown = [&mut r.compression, &mut r.load, &mut r.current];
                shown.into_iter().flatten().for_each(|x| visitor.number(x));
            }
        }
    }

    /// The vehicle that a robot is.
    pub fn vehicle(&self, robot: u32) -> Option<&Vehicle> {
        self.world.vehicle(robot)
    }
}

impl PartialEq for RoughState {
    fn eq(&self, other: &Self) -> bool {
        let same = self.servos == other.servos && self.brakes == other.brakes;
        same && self.told == other.told && self.world.save() == other.world.save()
    }
}

/// Where the body in a slot is in space, as [`crate::Frame::spatial`] has it.
pub(crate) fn spatial_pose(model: &Model, rough: &RoughState, slot: u32) -> Pose3 {
    let Some(body) = model.body(slot) else { return Pose3::default() };
    match (body.kind, rough.vehicle(body.index), &model.spatial) {
        (BodyKind::Robot, Some(vehicle), Some(spatial)) => {
            vehicle.frame(&spatial.vehicles[body.index as usize])
        }
        _ => Pose3::default(),
    }
}

/// Writes what is seen from above of every body.
pub(crate) fn cast_shadows(model: &Model, state: &mut State) {
    let (Some(spatial), Some(rough)) = (&model.spatial, &state.rough) else { return };
    for (robot, known) in model.robots.iter().zip(0..) {
        let Some(vehicle) = rough.vehicle(known) else { continue };
        let (pose, velocity, omega) = shadow(spatial, vehicle, known);
        let (block, lane) = place(robot.slot);
        state.motion[block].set_pose(lane, pose);
        state.motion[block].set_velocity(lane, velocity, omega);
        let bit = 1 << lane;
        if vehicle.state.quarantined {
            state.quarantined[block] |= bit;
        } else {
            state.quarantined[block] &= !bit;
        }
    }
}

/// Pose from above, velocity along and across the heading, turning about the vertical.
fn shadow(spatial: &SpatialModel, vehicle: &Vehicle, index: u32) -> (Pose2, Vec2, f64) {
    let known = &spatial.vehicles[index as usize];
    let pose = vehicle.frame(known).planar();
    let state = &vehicle.state;
    let omega = vehicle.angular_velocity(spatial, index);
    // Of the frame's origin, which is not the centre of mass.
    let arm = Vec3::new(0.0, 0.0, -known.spec.ride_height());
    let velocity = state.velocity + state.orientation.rotate(omega.cross(arm));
    let turning = state.orientation.rotate(omega).z;
    (pose, pose.rotation.unrotate(Vec2::new(velocity.x, velocity.y)), turning)
}

impl RoughState {
    /// Kinetic energy of everything, spinning wheels included, J.
    pub(crate) fn kinetic_energy(&self) -> f64 {
        let model = self.world.model();
        let vehicles = (0..model.vehicles.len() as u32).filter_map(|i| Some((i, self.vehicle(i)?)));
        vehicles.map(|(i, vehicle)| vehicle.kinetic_energy(model, i)).sum()
    }
}

/// Puts everything where the scene starts it.
pub(crate) fn send_home(model: &Model, state: &mut State) {
    let (Some(spatial), Some(rough)) = (&model.spatial, &mut state.rough) else { return };
    rough.world.send_home();
    for ((vehicle, known), robot) in
        rough.world.vehicles_mut().iter_mut().zip(&spatial.vehicles).zip(&model.spec.robots)
    {
        if robot.velocity != 0.0 || robot.omega != 0.0 {
            let along = Vec3::new(robot.velocity, 0.0, 0.0);
            vehicle.set_moving(known, along, Vec3::new(0.0, 0.0, robot.omega));
        }
    }
    cast_shadows(model, state);
}

impl World {
    /// Puts a body down on rough ground.
    pub(crate) fn put_down(&mut self, slot: u32, pose: Pose2, velocity: Vec2, omega: f64) {
        let model = self.model.clone();
        let (Some(spatial), Some(rough)) = (&model.spatial, &mut self.state.rough) else { return };
        let Some(body) = model.body(slot) else { return };
        if body.kind == BodyKind::Robot {
            let index = body.index;
            let Some((position, turn)) = spatial.standing(index, pose) else { return };
            rough.world.place(index, position, turn);
            if velocity != Vec2::ZERO || omega != 0.0 {
                let known = &spatial.vehicles[index as usize];
                let vehicle = &mut rough.world.vehicles_mut()[index as usize];
                let own = Vec3::new(velocity.x, velocity.y, 0.0);
                vehicle.set_moving(known, own, Vec3::new(0.0, 0.0, omega));
            }
            self.state.senses.teleported(&model, index..index + 1);
        }
        cast_shadows(&model, &mut self.state);
    }

    /// Hits a body at the height of its centre of mass.
    pub(crate) fn push_on_rough_ground(
        &mut self,
        body: &BodyModel,
        point: Vec2,
        impulse: Vec2,
    ) -> bool {
        let model = self.model.clone();
        let (Some(spatial), Some(rough)) = (&model.spatial, &mut self.state.rough) else {
            return false;
        };
        if body.kind != BodyKind::Robot {
            return false;
        }
        let known = &spatial.vehicles[body.index as usize];
        let vehicle = &mut rough.world.vehicles_mut()[body.index as usize];
        if vehicle.state.is_stopped() {
            return false;
        }
        let before = (vehicle.state.velocity, vehicle.state.momentum);
        let at = Vec3::new(point.x, point.y, vehicle.state.position.z);
        vehicle.hit(known, at, Vec3::new(impulse.x, impulse.y, 0.0));
        let turning = vehicle.angular_velocity(spatial, body.index).length();
        // Written so that a number that is none is refused, too.
        let sane = vehicle.state.velocity.length() < MOST_SPEED && turning < MOST_SPEED;
        if !sane {
            (vehicle.state.velocity, vehicle.state.momentum) = before;
        }
        cast_shadows(&model, &mut self.state);
        sane
    }
}
