//! What all vehicles and bodies do: commands, steps, events, words.

use crate::actuator::ActuatorKind;
use crate::bodies::{BodyRef, BodyState, ContactState};
use crate::model::{LANES, SpatialModel, VehicleModel};
use crate::state::{DriveVolts, VehicleState};
use crate::vehicle::{self, VehicleEvent};
use crate::wheels::WheelReadings;
use rolima_math::{Hash64, Quat, Vec3, Words};

/// Something that happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpatialEvent {
    /// At the beginning of this step.
    pub step: u64,
    /// To this vehicle, or body: bodies only ever leave the terrain.
    pub who: BodyRef,
    /// What.
    pub kind: VehicleEvent,
}

/// Most events that are kept until somebody takes them.
pub(crate) const MOST_EVENTS: usize = 1024;

/// Bodies farther out than this are nowhere, m.
const MOST_POSITION: f64 = 1e9;

/// Most events of one vehicle between two collections.
const MOST_AT_ONCE: usize = 64;

/// A wheel as the outside sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WheelPose {
    /// Hub in the world, m, moved by the suspension.
    pub hub: Vec3,
    /// Angle turned against the chassis, rad.
    pub angle: f64,
    /// Angle by which it is steered to the left, rad.
    pub steer: f64,
    /// Spin against the chassis, rad/s.
    pub spin: f64,
    /// Compression of the suspension, m; 0 in the air.
    pub compression: f64,
    /// Whether it touches the ground.
    pub touches: bool,
}

/// One vehicle on its own: what a thread can take away and step.
#[derive(Clone, Debug)]
pub struct Vehicle {
    /// What changes.
    pub state: VehicleState,
    /// What the last step computed, by blocks of four wheels; not part of the state.
    pub readings: Vec<WheelReadings>,
    events: Vec<(u64, VehicleEvent)>,
}

/// All vehicles and bodies on a terrain: what changes, and what the last step computed. Functions that need
/// what does not change are given the model that the state was made of.
#[derive(Clone, Debug)]
pub struct SpatialState {
    pub(crate) vehicles: Vec<Vehicle>,
    pub(crate) events: Vec<SpatialEvent>,
    pub(crate) contact_state: ContactState,
}

impl SpatialState {
    /// The first instant of a model.
    pub fn new(model: &SpatialModel) -> Self {
        let vehicles: Vec<Vehicle> = model
            .vehicles
            .iter()
            .map(|v| Vehicle {
                state: VehicleState::new(model, v),
                readings: vec![WheelReadings::default(); v.blocks.len()],
                events: Vec::with_capacity(MOST_AT_ONCE),
            })
            .collect();
        let contact_state = ContactState::new(model, &vehicles);
        Self { vehicles, events: Vec::with_capacity(MOST_EVENTS), contact_state }
    }

    /// Steps done.
    pub fn step_count(&self) -> u64 {
        self.vehicles.first().map_or(self.contact_state.clock, |v| v.state.step)
    }

    /// Whether it can be what so many steps have led to, the last of which was a contact
    /// resolution: an error says what cannot be, and what was expected. A vehicle whose motion is
    /// none is taken out by its next step.
    pub fn check(&self, steps: u64) -> Result<(), (&'static str, &'static str)> {
        let ContactState { bodies, vehicles, step, clock, .. } = &self.contact_state;
        let at = |place: &(Vec3, Quat)| {
            place.0.is_finite() && place.0.length() <= MOST_POSITION && is_turn(place.1)
        };
        let same = self.vehicles.iter().all(|vehicle| vehicle.state.step == steps);
        if !same || *step != steps || *clock != steps {
            return Err(("steps of vehicles and of bodies", "those of the world"));
        }
        let body = |body: &BodyState| {
            let moves = body.velocity.is_finite() && body.omega.is_finite();
            moves && at(&(body.position, body.orientation)) && at(&body.rest)
        };
        if !bodies.iter().all(body) || !vehicles.iter().all(at) {
            return Err(("where bodies are and how they move", "finite numbers"));
        }
        Ok(())
    }

    /// A vehicle.
    pub fn vehicle(&self, index: u32) -> Option<&Vehicle> {
        self.vehicles.get(index as usize)
    }

    /// Orders to a vehicle of which all motors are commanded by voltage: one voltage for each side.
    /// They hold from the next control period on, until the next ones. Voltages beyond a motor's
    /// nominal one are cut to it. Refused (false) where there is no such vehicle, a motor is not commanded
    /// by its voltage, a voltage is not finite, or the brake not from 0 to 1.
    pub fn command(&mut self, model: &SpatialModel, vehicle: u32, drive: DriveVolts) -> bool {
        let Some(known) = model.vehicles.get(vehicle as usize) else { return false };
        let finite = drive.left_volts.is_finite() && drive.right_volts.is_finite();
        let good = finite && (0.0..=1.0).contains(&drive.brake) && known.has_voltages();
        if good {
            self.vehicles[vehicle as usize].state.waiting = Some(drive);
        }
        good
    }

    /// Values of all [actuators](crate::VehicleModel::actuators) of a vehicle, in their units, and the part of the
    /// brakes' torque, 0 to 1. They hold at once, until the next ones; what is beyond an actuator's
    /// limit is cut to it. Refused (false) where there is no such vehicle, there are not as many values as
    /// actuators, a number is not finite, or the brake not from 0 to 1.
    pub fn order(
        &mut self,
        model: &SpatialModel,
        vehicle: u32,
        values: &[f64],
        brake: f64,
    ) -> bool {
        let Some(known) = model.vehicles.get(vehicle as usize) else { return false };
        let good = values.len() == known.actuators.len() && values.iter().all(|x| x.is_finite());
        if !good || !(0.0..=1.0).contains(&brake) {
            return false;
        }
        let state = &mut self.vehicles[vehicle as usize].state;
        for (actuator, &value) in known.actuators.iter().zip(values) {
            state.obey(actuator, value);
        }
        state.brake(known, brake);
        true
    }

    /// The value of one of its actuators, in its unit: the others and the brakes stay as they are. Refused
    /// (false) where there is no such vehicle or actuator, or the value is not finite.
    pub fn actuate(
        &mut self,
        model: &SpatialModel,
        vehicle: u32,
        actuator: u32,
        value: f64,
    ) -> bool {
        let known = model.vehicles.get(vehicle as usize);
        let Some(actuator) = known.and_then(|known| known.actuators.get(actuator as usize)) else {
            return false;
        };
        if value.is_finite() {
            self.vehicles[vehicle as usize].state.obey(actuator, value);
        }
        value.is_finite()
    }

    /// Motors off and brakes on, at once; joints stay as they are. False where there is no such vehicle.
    pub fn stand(&mut self, model: &SpatialModel, vehicle: u32) -> bool {
        let Some(known) = model.vehicles.get(vehicle as usize) else { return false };
        let state = &mut self.vehicles[vehicle as usize].state;
        for motor in known.actuators.iter().filter(|a| a.kind != ActuatorKind::Position) {
            state.obey(motor, 0.0);
        }
        state.brake(known, 1.0);
        true
    }

    /// Puts a vehicle elsewhere, at rest, wheels relaxed. Refused (false) where a number is not
    /// finite or absurd, or there is no such vehicle.
    pub fn place(
        &mut self,
        model: &SpatialModel,
        vehicle: u32,
        position: Vec3,
        orientation: Quat,
    ) -> bool {
        let index = vehicle as usize;
        let good = position.is_finite() && position.length() < 1e6 && orientation.is_finite();
        let (Some(v), true) = (self.vehicles.get_mut(index), good) else { return false };
        let mut fresh = VehicleState::new(model, &model.vehicles[index]);
        (fresh.position, fresh.orientation) = (position, orientation.unit());
        (fresh.velocity, fresh.step) = (Vec3::ZERO, v.state.step);
        fresh.good = (fresh.position, fresh.orientation);
        fresh.keep_orders(&v.state);
        v.state = fresh;
        self.contact_state.vehicles[index] = (v.state.position, v.state.orientation);
        true
    }

    /// Several steps: vehicles drive alone and all meet in turn, whenever the count of steps is a
    /// multiple of [`crate::SpatialSpec::outer_steps`].
    pub fn steps(&mut self, model: &SpatialModel, steps: u64) {
        let outer = u64::from(model.spec.outer_steps);
        if !model.has_contacts {
            return self.drive(model, steps);
        }
        let mut left = steps;
        while left > 0 {
            let now = (outer - self.step_count() % outer).min(left);
            self.drive(model, now);
            left -= now;
            if self.step_count().is_multiple_of(outer) {
                self.resolve_contacts(model);
            }
        }
    }

    /// Several steps of the vehicles alone, each for itself; then call [`SpatialState::resolve_contacts`].
    pub fn drive(&mut self, model: &SpatialModel, steps: u64) {
        self.drive_by(model, steps, |vehicles| {
            for (index, vehicle) in vehicles.iter_mut().enumerate() {
                vehicle.advance(model, index as u32, steps);
            }
        });
    }

    /// The vehicles one by one, for callers with threads: call [`Vehicle::advance`] on each with
    /// its index and the same number of steps, then [`SpatialState::collect_events`], and
    /// [`SpatialState::resolve_contacts`] where there is anything to meet.
    pub fn vehicles_mut(&mut self) -> &mut [Vehicle] {
        &mut self.vehicles
    }

    /// Takes the vehicles' events over, in the order of steps and vehicles.
    pub fn collect_events(&mut self) {
        let begin = self.events.len();
        for (index, vehicle) in self.vehicles.iter_mut().enumerate() {
            for (step, kind) in vehicle.events.drain(..) {
                if self.events.len() < MOST_EVENTS {
                    self.events.push(SpatialEvent {
                        step,
                        who: BodyRef::Vehicle(index as u32),
                        kind,
                    });
                }
            }
        }
        // Sorting in place does not allocate; the kind makes the order complete.
        self.events[begin..].sort_unstable_by_key(|e| (e.step, e.who, e.kind as u8));
    }

    /// Takes the events since the last call.
    pub fn take_events(&mut self) -> Vec<SpatialEvent> {
        self.events.drain(..).collect()
    }

    /// Forgets what is no part of the state and holds no longer: who touched, and what happened.
    pub fn forget(&mut self) {
        self.contact_state.forget_touches();
        self.events.clear();
    }

    /// Hash of every bit of the state.
    pub fn state_hash(&self, model: &SpatialModel) -> u64 {
        let mut hash = Hash64::default();
        self.vehicles.iter().for_each(|v| hash.word(v.state.hash()));
        if model.has_contacts {
            hash.word(self.contact_state.hash());
        }
        hash.finish()
    }

    /// Poses of a vehicle's wheels.
    pub fn wheel_poses(&self, model: &SpatialModel, vehicle: u32) -> Vec<WheelPose> {
        let index = vehicle as usize;
        let Some(v) = self.vehicles.get(index) else { return vec![] };
        let wheels = &model.vehicles[index].spec.wheels;
        (0..wheels.len()).map(|i| v.wheel_pose(wheels[i].position, i)).collect()
    }
}

/// Whether a rotation has the length of one.
fn is_turn(q: Quat) -> bool {
    (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z - 1.0).abs() < 1e-3
}

impl Words for SpatialState {
    /// Every vehicle's, then those of bodies and of what is remembered from one contact resolution
    /// to the next.
    fn words(&mut self, each: &mut dyn FnMut(&mut u64)) {
        self.vehicles.iter_mut().for_each(|vehicle| vehicle.state.words(each));
        self.contact_state.words(each);
    }
}

impl Vehicle {
    /// Runs several steps of the vehicle with this index in the model. Vehicles that are hitched
    /// advance together, after the others: this leaves them alone.
    pub fn advance(&mut self, model: &SpatialModel, index: u32, steps: u64) {
        let Some(vehicle) = model.vehicles.get(index as usize) else { return };
        if !vehicle.is_hitched {
            self.advance_alone(model, vehicle, steps);
        }
    }

    /// Runs several steps, hitched or not.
    pub(crate) fn advance_alone(
        &mut self,
        model: &SpatialModel,
        vehicle: &VehicleModel,
        steps: u64,
    ) {
        let events = &mut self.events;
        let mut hear = |step, event| {
            if events.len() < MOST_AT_ONCE {
                events.push((step, event));
            }
        };
        vehicle::advance(model, vehicle, &mut self.state, &mut self.readings, steps, &mut hear);
    }

    /// Angular velocity in the vehicle's own frame, rad/s.
    pub fn angular_velocity(&self, model: &SpatialModel, index: u32) -> Vec3 {
        model.vehicles.get(index as usize).map_or(Vec3::ZERO, |v| self.state.omega(v))
    }

    /// Kinetic energy, spinning wheels included, J.
    pub fn kinetic_energy(&self, model: &SpatialModel, index: u32) -> f64 {
        let Some(vehicle) = model.vehicles.get(index as usize) else { return 0.0 };
        let omega = self.angular_velocity(model, index);
        let speed = self.state.velocity;
        let turning = omega.dot(vehicle.inertia(&self.state).times(omega));
        let mut twice = speed.dot(speed) * vehicle.spec.chassis.mass + turning;
        for (c, w) in vehicle.blocks.iter().zip(&self.state.wheels) {
            for l in 0..c.wheels {
                twice += w.spin[l] * w.spin[l] * c.per_inertia[l];
            }
        }
        0.5 * twice
    }

    /// Energy in the springs of the suspension at the last step, J.
    pub fn spring_energy(&self, model: &SpatialModel, index: u32) -> f64 {
        let Some(vehicle) = model.vehicles.get(index as usize) else { return 0.0 };
        let mut sum = 0.0;
        for (i, wheel) in vehicle.spec.wheels.iter().enumerate() {
            let h = self.reading(i, |r| r.compression).max(0.0);
            sum += wheel.suspension.energy(h);
        }
        sum
    }

    /// One number of a wheel's readings.
    pub fn reading(&self, wheel: usize, of: impl Fn(&WheelReadings) -> [f64; LANES]) -> f64 {
        self.readings.get(wheel / LANES).map_or(0.0, |r| of(r)[wheel % LANES])
    }

    fn wheel_pose(&self, position: Vec3, wheel: usize) -> WheelPose {
        let state = &self.state;
        let compression = self.reading(wheel, |r| r.compression).max(0.0);
        let at = position + Vec3::new(0.0, 0.0, compression);
        WheelPose {
            hub: state.position + state.orientation.rotate(at),
            angle: state.wheels[wheel / LANES].angle[wheel % LANES],
            steer: self.steer(wheel),
            spin: self.reading(wheel, |r| r.spin),
            compression,
            touches: self.reading(wheel, |r| r.load) > 0.0,
        }
    }
}
