//! Everything that changes, complete and serialisable.

use crate::actuator::{Actuator, ActuatorKind, DriverStages, SteerState};
use crate::model::{LANES, Lanes, SpatialModel, VehicleModel};
use rolima_math::words::{flag, number, numbers};
use rolima_math::{Quat, Vec3, Words};

/// State of up to four wheels.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct WheelState {
    /// Momentum of the spin, N m s: what motor and ground change.
    pub(crate) spin: Lanes,
    /// Angle turned against the chassis, rad.
    pub(crate) angle: Lanes,
    /// Slip that the bristles have built up: ratio lengthwise, tangent of the angle sideways.
    pub(crate) bristle: [Lanes; 2],
    /// Axle friction's own state.
    pub(crate) axle: Lanes,
    /// Voltage, V, and largest torque of the brake, N m.
    pub(crate) volts: Lanes,
    pub(crate) brake: Lanes,
    /// The ground's plane under the wheel: unit normal in the world, and its offset from the
    /// world's origin, m.
    pub(crate) normal: [Lanes; 3],
    pub(crate) offset: Lanes,
    /// How much more the left rim is pressed in than the plane says, m.
    pub(crate) lean: Lanes,
    /// Friction factor of the ground there.
    pub(crate) ground: Lanes,
    /// Compression at the last search, m: where the next one starts.
    pub(crate) found: Lanes,
    /// The slices that touched, left rim and right rim.
    pub(crate) slices: [Lanes; 2],
    /// Secants, largest force and sharpness of the tyre, and rates of the axle friction, when last
    /// evaluated.
    pub(crate) grip: [Lanes; 5],
    pub(crate) rates: [Lanes; 2],
}

/// Orders to a vehicle whose motors are commanded by their voltages, side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DriveVolts {
    /// Voltage of the left motors, V.
    pub left_volts: f64,
    /// Voltage of the right motors, V.
    pub right_volts: f64,
    /// Part of the brakes' torque, 0 to 1.
    pub brake: f64,
}

/// State of a vehicle.
#[derive(Clone, Debug, PartialEq)]
pub struct VehicleState {
    /// Steps done.
    pub step: u64,
    /// Centre of mass, m.
    pub position: Vec3,
    /// Orientation: world from chassis.
    pub orientation: Quat,
    /// Velocity in the world, m/s.
    pub velocity: Vec3,
    /// Angular momentum of the vehicle and its spinning wheels, in the world, N m s.
    pub momentum: Vec3,
    pub(crate) wheels: Vec<WheelState>,
    /// Driver stages and steered joints, by block of wheels; empty where a vehicle has none.
    pub(crate) drivers: Vec<DriverStages>,
    pub(crate) steering: Vec<SteerState>,
    /// Shift of the chassis' touching points against the ground, m, in the world.
    pub(crate) hull: Vec<Vec3>,
    /// Whether the chassis may touch before the next search.
    pub(crate) hull_near: bool,
    /// How far the chassis can move before it may touch, m.
    pub(crate) hull_clear: f64,
    /// Orders to both sides that wait for the next control period.
    pub(crate) waiting: Option<DriveVolts>,
    /// Lies on its side or roof.
    pub rolled_over: bool,
    /// Has left a terrain that ends, and stands still.
    pub left_terrain: bool,
    /// Was not finite any more, and stands still at its last good pose.
    pub quarantined: bool,
    /// Last pose that was finite.
    pub(crate) good: (Vec3, Quat),
}

impl VehicleState {
    /// At its start.
    pub(crate) fn new(model: &SpatialModel, vehicle: &VehicleModel) -> Self {
        let start = &vehicle.spec.start;
        let orientation = start.orientation.unit();
        let mut position = start.position;
        if start.on_ground {
            let level = Vec3::new(position.x, position.y, 0.0);
            position.z += crate::place::resting_height(model, vehicle, level, orientation);
        }
        let block = WheelState {
            normal: [[0.0; LANES], [0.0; LANES], [1.0; LANES]],
            // Far below, until the first search.
            offset: [-1e6; LANES],
            slices: [[(model.rim.slices / 2) as f64; LANES]; 2],
            ground: [1.0; LANES],
            found: [2.0 * crate::search::UNKNOWN; LANES],
            ..WheelState::default()
        };
        let blocks = vehicle.blocks.len();
        Self {
            step: 0,
            position,
            orientation,
            velocity: start.velocity,
            momentum: Vec3::ZERO,
            wheels: vec![block; blocks],
            drivers: vec![DriverStages::default(); if vehicle.has_drivers { blocks } else { 0 }],
            steering: vec![SteerState::default(); if vehicle.steers { blocks } else { 0 }],
            hull: vec![Vec3::ZERO; vehicle.hull.len()],
            hull_near: false,
            hull_clear: 0.0,
            waiting: None,
            rolled_over: false,
            left_terrain: false,
            quarantined: false,
            good: (position, orientation),
        }
    }

    /// Angular velocity in the vehicle's own frame, rad/s.
    pub(crate) fn omega(&self, vehicle: &VehicleModel) -> Vec3 {
        let momentum = self.orientation.unrotate(self.momentum);
        vehicle.inverse_inertia(self).times(momentum - vehicle.spins(self))
    }

    /// Gives one of its actuators a value, cut to its limit. Orders to both sides that wait are dropped.
    pub(crate) fn obey(&mut self, actuator: &Actuator, value: f64) {
        let (block, lane) = (actuator.wheel as usize / LANES, actuator.wheel as usize % LANES);
        let value = value.clamp(-actuator.limit, actuator.limit);
        match actuator.kind {
            ActuatorKind::Voltage => self.wheels[block].volts[lane] = value,
            ActuatorKind::Torque | ActuatorKind::Speed => self.drivers[block].aim[lane] = value,
            ActuatorKind::Position => self.steering[block].aim[lane] = value,
        }
        self.waiting = None;
    }

    /// What one of its actuators was told, in its unit; nothing where it has no such one.
    pub fn last_command(&self, actuator: &Actuator) -> Option<f64> {
        let (block, lane) = (actuator.wheel as usize / LANES, actuator.wheel as usize % LANES);
        let lanes = match actuator.kind {
            ActuatorKind::Voltage => self.wheels.get(block).map(|w| w.volts),
            ActuatorKind::Torque | ActuatorKind::Speed => self.drivers.get(block).map(|d| d.aim),
            ActuatorKind::Position => self.steering.get(block).map(|s| s.aim),
        };
        lanes.map(|lanes| lanes[lane])
    }

    /// Brakes with this part of all brakes' torques.
    pub(crate) fn brake(&mut self, vehicle: &VehicleModel, part: f64) {
        for (i, wheel) in vehicle.spec.wheels.iter().enumerate() {
            self.wheels[i / LANES].brake[i % LANES] = part * wheel.brake_torque;
        }
    }

    /// Takes over what holds until the next command from the state before a vehicle was put down.
    pub(crate) fn keep_orders(&mut self, old: &Self) {
        for (new, old) in self.wheels.iter_mut().zip(&old.wheels) {
            (new.volts, new.brake) = (old.volts, old.brake);
        }
        for (new, old) in self.drivers.iter_mut().zip(&old.drivers) {
            new.aim = old.aim;
        }
        self.steering.clone_from(&old.steering);
        self.waiting = old.waiting;
    }

    /// Whether the bare chassis touches the ground.
    pub fn chassis_touches(&self) -> bool {
        self.hull.iter().any(|shift| *shift != Vec3::ZERO)
    }

    /// Whether it does not move any more.
    pub fn is_stopped(&self) -> bool {
        self.left_terrain || self.quarantined
    }
}

/// Words of a vector.
pub(crate) fn vector(v: &mut Vec3, each: &mut dyn FnMut(&mut u64)) {
    for x in [&mut v.x, &mut v.y, &mut v.z] {
        number(x, each);
    }
}

/// Words of a rotation.
pub(crate) fn rotation(q: &mut Quat, each: &mut dyn FnMut(&mut u64)) {
    for x in [&mut q.w, &mut q.x, &mut q.y, &mut q.z] {
        number(x, each);
    }
}

impl Words for VehicleState {
    fn words(&mut self, each: &mut dyn FnMut(&mut u64)) {
        each(&mut self.step);
        vector(&mut self.position, each);
        rotation(&mut self.orientation, each);
        vector(&mut self.velocity, each);
        vector(&mut self.momentum, each);
        for w in &mut self.wheels {
            for lanes in [&mut w.spin, &mut w.angle, &mut w.axle, &mut w.volts, &mut w.brake] {
                numbers(lanes, each);
            }
            for lanes in [&mut w.offset, &mut w.lean, &mut w.ground, &mut w.found] {
                numbers(lanes, each);
            }
            let groups = w.bristle.iter_mut().chain(&mut w.normal).chain(&mut w.slices);
            groups.chain(&mut w.grip).chain(&mut w.rates).for_each(|lanes| numbers(lanes, each));
        }
        for driver in &mut self.drivers {
            numbers(&mut driver.aim, each);
            numbers(&mut driver.learnt, each);
        }
        for steer in &mut self.steering {
            numbers(&mut steer.angle, each);
            numbers(&mut steer.aim, each);
        }
        self.hull.iter_mut().for_each(|p| vector(p, each));
        flag(&mut self.hull_near, each);
        number(&mut self.hull_clear, each);
        let mut there = self.waiting.is_some();
        flag(&mut there, each);
        let mut drive =
            self.waiting.unwrap_or(DriveVolts { left_volts: 0.0, right_volts: 0.0, brake: 0.0 });
        for x in [&mut drive.left_volts, &mut drive.right_volts, &mut drive.brake] {
            number(x, each);
        }
        self.waiting = there.then_some(drive);
        for f in [&mut self.rolled_over, &mut self.left_terrain, &mut self.quarantined] {
            flag(f, each);
        }
        vector(&mut self.good.0, each);
        rotation(&mut self.good.1, each);
    }
}
