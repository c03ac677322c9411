//! What changes on rough ground, and its shadow in the plane.

use crate::state::{State, Visitor, place};
use crate::world::World;
use rolima_math::{Pose2, Pose3, Rot2, Vec2, Vec3};
use rolima_model::loose;
use rolima_model::spatial::{BodyState, Drive, Hitch, SpatialModel, SpatialWorld, Vehicle};
use rolima_model::{BodyKind, BodyModel, MOST_SPEED, Model, RobotId};
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
    /// What each vehicle was told last, both sides of it.
    pub(crate) told: Vec<Drive>,
}

/// Of a vehicle whose actuators were told one by one: no order of both sides is equal to it.
pub(crate) const ONE_BY_ONE: Drive = Drive { left_volts: 0.0, right_volts: 0.0, brake: -1.0 };

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
        // And all other quantities of its wheels.
        for vehicle in self.world.vehicles_mut() {
            for r in &mut vehicle.readings {
                let [along, across] = &mut r.speed;
                let of_ground = [&mut r.lengthwise, &mut r.sideways, &mut r.contact, along, across];
                let of_suspension = [&mut r.compression_rate, &mut r.suspension, &mut r.spring];
                let of_wheel = [&mut r.slip, &mut r.slip_angle, &mut r.spin];
                let of_axle = [&mut r.motor_torque, &mut r.friction_torque];
                let all = of_ground.into_iter().chain(of_suspension).chain(of_wheel).chain(of_axle);
                all.flatten().for_each(|x| visitor.shown(x));
            }
        }
    }

    /// What a ball or an object does.
    pub fn body(&self, model: &Model, body: &BodyModel) -> Option<&BodyState> {
        self.world.bodies().get(loose_index(model, body)? as usize)
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

/// Where a body is in space, as [`crate::Frame::spatial`] has it.
pub(crate) fn spatial_pose(model: &Model, rough: &RoughState, body: &BodyModel) -> Pose3 {
    match (body.kind, &model.spatial) {
        (BodyKind::Robot, Some(spatial)) => rough
            .vehicle(body.index)
            .map_or_else(Pose3::default, |v| v.frame(&spatial.vehicles[body.index as usize])),
        _ => rough.body(model, body).map_or_else(Pose3::default, |b| Pose3 {
            position: b.position,
            rotation: b.orientation,
        }),
    }
}

/// Number of a ball or an object among the bodies of the spatial engine.
fn loose_index(model: &Model, body: &BodyModel) -> Option<u32> {
    match body.kind {
        BodyKind::Ball => Some(body.index),
        BodyKind::Object => Some(model.layout.ball_slots.len() as u32 + body.index),
        BodyKind::Robot | BodyKind::Wall => None,
    }
}

/// Writes what is seen from above of every body.
pub(crate) fn cast_shadows(model: &Model, state: &mut State) {
    let (Some(spatial), Some(rough)) = (&model.spatial, &state.rough) else { return };
    for robot in model.robot_ids() {
        let Some(vehicle) = rough.vehicle(robot.0) else { continue };
        let (pose, velocity, omega) = shadow(spatial, vehicle, robot.0);
        let (block, lane) = place(model.layout.robot_slot(robot));
        state.motion[block].set_pose(lane, pose);
        state.motion[block].set_velocity(lane, velocity, omega);
        let bit = 1 << lane;
        if vehicle.state.quarantined {
            state.quarantined[block] |= bit;
        } else {
            state.quarantined[block] &= !bit;
        }
    }
    for body in model.bodies() {
        let Some(now) = rough.body(model, body) else { continue };
        let (block, lane) = place(body.slot);
        let mut pose = Pose3 { position: now.position, rotation: now.orientation }.planar();
        let mut turning = now.omega.z;
        if body.kind == BodyKind::Ball {
            // A ball has no front.
            (pose.rotation, turning) = (Rot2 { c: 1.0, s: 0.0 }, 0.0);
        }
        state.motion[block].set_pose(lane, pose);
        let velocity = Vec2::new(now.velocity.x, now.velocity.y);
        state.motion[block].set_velocity(lane, velocity, turning);
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
        let vehicles = vehicles.map(|(i, vehicle)| vehicle.kinetic_energy(model, i));
        vehicles.sum::<f64>() + self.world.bodies_energy()
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
    /// Puts a body down on rough ground. False where the engine refuses.
    pub(crate) fn put_down(
        &mut self,
        body: &BodyModel,
        pose: Pose2,
        velocity: Vec2,
        omega: f64,
    ) -> bool {
        let model = self.model.clone();
        let (Some(spatial), Some(rough)) = (&model.spatial, &mut self.state.rough) else {
            return false;
        };
        let index = body.index;
        let placed = if let Some(loose) = loose_index(&model, body) {
            let terrain = &spatial.terrain;
            let Pose3 { position, rotation } = loose::resting(&model, terrain, body, pose);
            let [along, turning] = loose::moving(terrain, body, pose, (velocity, omega));
            rough.world.place_body(loose, position, rotation, along, turning)
        } else if let Some((position, turn)) = spatial.standing(index, pose) {
            let placed = rough.world.place(index, position, turn);
            if velocity != Vec2::ZERO || omega != 0.0 {
                let known = &spatial.vehicles[index as usize];
                let vehicle = &mut rough.world.vehicles_mut()[index as usize];
                let own = Vec3::new(velocity.x, velocity.y, 0.0);
                vehicle.set_moving(known, own, Vec3::new(0.0, 0.0, omega));
            }
            self.state.senses.teleported(&model, index..index + 1);
            for hitch in spatial.hitches.iter().filter(|hitch| hitch.towing == index) {
                self.put_behind(hitch, pose, (velocity, omega));
            }
            placed
        } else {
            false
        };
        cast_shadows(&model, &mut self.state);
        placed
    }

    /// Puts what hangs on a vehicle down behind it, and sets it in motion as one with it.
    fn put_behind(&mut self, hitch: &Hitch, front: Pose2, (velocity, omega): (Vec2, f64)) {
        let model = self.model.clone();
        let Some(towed) = model.body(RobotId(hitch.towed)) else { return };
        let (arm, turned) = (hitch.behind.position, hitch.behind.rotation);
        let along = turned.unrotate(velocity + Vec2::new(-arm.y, arm.x) * omega);
        self.put_down(towed, hitch.place_behind(front), along, omega);
    }

    /// Hits a body on rough ground with a level impulse at the height of its centre.
    pub(crate) fn push_on_rough_ground(
        &mut self,
        body: &BodyModel,
        point: Vec2,
        impulse: Vec2,
    ) -> bool {
        let model = self.model.clone();
        let lever = (point - self.state.pose(body.slot).position).length();
        let Some(rough) = &mut self.state.rough else { return false };
        let level = Vec3::new(impulse.x, impulse.y, 0.0);
        let gained = impulse.length() * (body.inverse[0] + lever * body.inverse[1]);
        // Written so that a number that is none is refused, too.
        let sane = gained < MOST_SPEED;
        let pushed = sane
            && match (loose_index(&model, body), rough.body(&model, body)) {
                (Some(loose), Some(now)) if !now.left_terrain => {
                    // An object's origin is at its foot.
                    let up = if body.kind == BodyKind::Object { 0.5 * body.height } else { 0.0 };
                    let at = now.position + now.orientation.rotate(Vec3::new(0.0, 0.0, up));
                    rough.world.push_body(loose, Vec3::new(point.x, point.y, at.z), level)
                }
                (None, _) => match rough.vehicle(body.index) {
                    Some(vehicle) if !vehicle.state.is_stopped() => {
                        let at = Vec3::new(point.x, point.y, vehicle.state.position.z);
                        rough.world.push_vehicle(body.index, at, level)
                    }
                    _ => false,
                },
                _ => false,
            };
        cast_shadows(&model, &mut self.state);
        pushed
    }
}
