//! What changes in space.

use super::{known, loose_index};
use crate::motion::Twist;
use crate::snapshot::SnapshotError;
use crate::sound::{AreFinite, holds};
use crate::state::Visitor;
use rolima_math::{Pose2, Pose3, Rot2, Vec2, Vec3, Words};
use rolima_model::spatial::{BodyState, DriveVolts, SpatialState, Vehicle, WheelReadings};
use rolima_model::{BodyKind, BodyModel, Model};

/// What a vehicle's speed controller remembers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ServoState {
    /// Speed, m/s, and turning, rad/s, that it goes for now, on the way to what is commanded.
    pub aim: [f64; 2],
    /// What it has learnt that the motors (right, left) need beyond its plan, V.
    pub learnt: [f64; 2],
}

/// What changes in space.
#[derive(Clone, Debug)]
pub struct State {
    /// Vehicles and free bodies.
    pub(crate) world: SpatialState,
    /// Speed controllers, by robot.
    pub(crate) servos: Vec<ServoState>,
    /// Part of the brakes' torque that is asked for, 0 to 1, by robot.
    pub(crate) brakes: Vec<f64>,
    /// Voltages (right, left) that are asked for, V, by robot.
    pub(crate) volts: Vec<[f64; 2]>,
    /// What each vehicle was told last, both sides of it.
    pub(crate) last_command: Vec<DriveVolts>,
    /// Who touched whom in the last step: names of the contacts, sorted.
    pub(crate) touching: Vec<u64>,
}

/// Of a vehicle whose actuators were told one by one: no order of both sides is equal to it.
pub(crate) const ONE_BY_ONE: DriveVolts =
    DriveVolts { left_volts: 0.0, right_volts: 0.0, brake: -1.0 };

/// A vehicle that was told nothing.
const NOTHING: DriveVolts = DriveVolts { left_volts: 0.0, right_volts: 0.0, brake: 0.0 };

impl State {
    /// The first state of a model.
    pub(crate) fn new(model: &Model) -> Self {
        let robots = model.robots.len();
        Self {
            world: SpatialState::new(known(model)),
            servos: vec![ServoState::default(); robots],
            brakes: vec![0.0; robots],
            volts: vec![[0.0; 2]; robots],
            last_command: vec![NOTHING; robots],
            // Room for some contacts a body, so that a step does not allocate later.
            touching: Vec::with_capacity(4 * model.body_count() + 64),
        }
    }

    /// Puts everything where the scene starts it.
    pub(crate) fn send_home(&mut self, model: &Model) {
        let spatial = known(model);
        self.world.send_home(spatial);
        let vehicles = self.world.vehicles_mut().iter_mut().zip(&spatial.vehicles);
        for ((vehicle, known), robot) in vehicles.zip(&model.spec.robots) {
            if robot.velocity != 0.0 || robot.omega != 0.0 {
                let along = Vec3::new(robot.velocity, 0.0, 0.0);
                vehicle.set_moving(known, along, Vec3::new(0.0, 0.0, robot.omega));
            }
        }
        self.touching.clear();
    }

    /// What a ball or an object does.
    pub(crate) fn body(&self, model: &Model, body: &BodyModel) -> Option<&BodyState> {
        self.world.bodies().get(loose_index(model, body)? as usize)
    }

    /// The vehicle that a robot is.
    pub(crate) fn vehicle(&self, robot: u32) -> Option<&Vehicle> {
        self.world.vehicle(robot)
    }

    /// Where a body is in space, as [`crate::Frame::spatial`] has it.
    pub(crate) fn pose_in_space(&self, model: &Model, body: &BodyModel) -> Pose3 {
        if body.kind == BodyKind::Robot {
            let known = known(model).vehicles.get(body.index as usize);
            let vehicle = self.vehicle(body.index).zip(known);
            return vehicle.map_or_else(Pose3::default, |(vehicle, known)| vehicle.frame(known));
        }
        self.body(model, body).map_or_else(Pose3::default, |b| Pose3 {
            position: b.position,
            rotation: b.orientation,
        })
    }

    /// A body projected onto the plane: pose from above, velocity in the frame that its kind uses, turning
    /// about the vertical.
    pub(crate) fn motion(&self, model: &Model, body: &BodyModel) -> (Pose2, Vec2, f64) {
        if body.kind == BodyKind::Robot {
            return self.vehicle_motion(model, body.index);
        }
        let Some(now) = self.body(model, body) else { return Default::default() };
        let pose = self.pose(model, body);
        // A ball has no front.
        let turning = if body.kind == BodyKind::Ball { 0.0 } else { now.omega.z };
        (pose, Vec2::new(now.velocity.x, now.velocity.y), turning)
    }

    fn vehicle_motion(&self, model: &Model, robot: u32) -> (Pose2, Vec2, f64) {
        let spatial = known(model);
        let Some(vehicle) = self.vehicle(robot) else { return Default::default() };
        let known = &spatial.vehicles[robot as usize];
        let pose = vehicle.frame(known).planar();
        let state = &vehicle.state;
        let omega = vehicle.angular_velocity(spatial, robot);
        // Of the frame's origin, which is not the centre of mass.
        let arm = Vec3::new(0.0, 0.0, -known.spec.ride_height());
        let velocity = state.velocity + state.orientation.rotate(omega.cross(arm));
        let turning = state.orientation.rotate(omega).z;
        (pose, pose.rotation.unrotate(Vec2::new(velocity.x, velocity.y)), turning)
    }

    /// Where a body is, seen from above.
    pub(crate) fn pose(&self, model: &Model, body: &BodyModel) -> Pose2 {
        let pose = self.pose_in_space(model, body).planar();
        match body.kind {
            BodyKind::Ball => Pose2 { rotation: Rot2 { c: 1.0, s: 0.0 }, ..pose },
            _ => pose,
        }
    }

    /// How a body moves, seen from above.
    pub(crate) fn twist(&self, model: &Model, body: &BodyModel) -> Twist {
        let (pose, velocity, omega) = self.motion(model, body);
        Twist::new(body, pose, velocity, omega)
    }

    /// Whether a body was taken out because its motion went wild.
    pub(crate) fn is_quarantined(&self, body: &BodyModel) -> bool {
        let vehicle = (body.kind == BodyKind::Robot).then(|| self.vehicle(body.index)).flatten();
        vehicle.is_some_and(|vehicle| vehicle.state.quarantined)
    }

    /// Kinetic energy of everything, spinning wheels included, J.
    pub(crate) fn kinetic_energy(&self, model: &Model) -> f64 {
        let spatial = known(model);
        let vehicles = (0..model.robots.len() as u32).filter_map(|i| Some((i, self.vehicle(i)?)));
        let vehicles = vehicles.map(|(i, vehicle)| vehicle.kinetic_energy(spatial, i));
        vehicles.sum::<f64>() + self.world.bodies_energy(spatial)
    }

    /// Whether steps can be made from it, after so many.
    pub(crate) fn check(&mut self, model: &Model, steps: u64) -> Result<(), SnapshotError> {
        let mut numbers = AreFinite(true);
        self.visit_orders(&mut numbers);
        holds(numbers.0, "orders to vehicles", "finite numbers")?;
        let sorted = self.touching.is_sorted();
        holds(sorted, "who touched in the last step", "an order by name")?;
        let fine = steps.saturating_mul(model.fine_steps());
        let (what, expected) = match self.world.check(fine) {
            Ok(()) => return Ok(()),
            Err(fault) => fault,
        };
        Err(SnapshotError::Word { what, expected })
    }

    /// Every word of it, in a fixed order.
    pub(crate) fn visit(&mut self, visitor: &mut impl Visitor) {
        self.visit_orders(visitor);
        self.touching.iter_mut().for_each(|name| visitor.word(name));
        self.world.words(&mut |word| visitor.word(word));
        // What the last step computed: a restored world shows the same frame.
        for vehicle in self.world.vehicles_mut() {
            vehicle.readings.iter_mut().for_each(|readings| visit_readings(readings, visitor));
        }
    }

    /// Words of what vehicles are told.
    fn visit_orders(&mut self, visitor: &mut impl Visitor) {
        for servo in &mut self.servos {
            servo.aim.iter_mut().chain(&mut servo.learnt).for_each(|x| visitor.number(x));
        }
        self.brakes.iter_mut().for_each(|x| visitor.number(x));
        self.volts.iter_mut().flatten().for_each(|x| visitor.number(x));
        for DriveVolts { left_volts, right_volts, brake } in &mut self.last_command {
            [left_volts, right_volts, brake].into_iter().for_each(|x| visitor.number(x));
        }
    }
}

/// Quantities of four wheels: steps read none of them, frames show the first three.
fn visit_readings(r: &mut WheelReadings, visitor: &mut impl Visitor) {
    let framed = [&mut r.compression, &mut r.load, &mut r.current];
    framed.into_iter().flatten().for_each(|x| visitor.number(x));
    let [along, across] = &mut r.speed;
    let of_ground = [&mut r.lengthwise, &mut r.sideways, &mut r.contact, along, across];
    let of_suspension = [&mut r.compression_rate, &mut r.suspension, &mut r.spring];
    let of_wheel = [&mut r.slip, &mut r.slip_angle, &mut r.spin];
    let of_axle = [&mut r.motor_torque, &mut r.friction_torque];
    let all = of_ground.into_iter().chain(of_suspension).chain(of_wheel).chain(of_axle);
    all.flatten().for_each(|x| visitor.shown(x));
}

impl PartialEq for State {
    fn eq(&self, other: &Self) -> bool {
        let same = self.servos == other.servos && self.brakes == other.brakes;
        let last_command = self.volts == other.volts && self.last_command == other.last_command;
        let touching = self.touching == other.touching;
        same && last_command && touching && self.world.save() == other.world.save()
    }
}
