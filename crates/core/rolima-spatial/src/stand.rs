//! Vehicles that stand somewhere: how they lie on the ground, how they are set in motion, and what
//! the wheels of a side do together.

use crate::actuator::JointRotation;
use crate::bodies::BodyState;
use crate::model::{LANES, SpatialModel, VehicleModel};
use crate::spec::{MOST_WHEELS, Side, VehicleSpec};
use crate::state::VehicleState;
use crate::terrain::Terrain;
use crate::world::{SpatialEvent, SpatialState, Vehicle};
use rolima_math::{Pose2, Pose3, Quat, Vec2, Vec3, atan2, sin_cos};

/// How often the tilt is found again with the wheels where the last one puts them.
const ROUNDS: usize = 4;

/// From how many times the slip of a linear tyre's peak on a tyre slides.
const SLIDING: f64 = 3.0;

/// Steepest slope that a vehicle is put down on: 63 degrees.
const STEEPEST_STAND: f64 = 2.0;

/// Means over the wheels of the right and of the left side.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sides {
    /// Spin against the chassis, rad/s.
    pub spin: [f64; 2],
    /// Angle turned against the chassis, rad.
    pub angle: [f64; 2],
    /// Voltage of the motors, V.
    pub volts: [f64; 2],
    /// Current of the motors in the last step, A.
    pub amps: [f64; 2],
}

/// How something lies on the ground at a place and heading: its supports, points of its own frame
/// (m, from an origin on the ground), on the plane that fits the ground under them best. Its
/// heading seen from above is the given one.
pub fn lying(terrain: &Terrain, at: Pose2, supports: &[Vec3]) -> Quat {
    let yaw = atan2(at.rotation.s, at.rotation.c);
    let mut turn = Quat::from_roll_pitch_yaw(0.0, 0.0, yaw);
    for _ in 0..ROUNDS {
        let slope = slope(terrain, at, supports, turn);
        // The up axis of the turned frame lies along (-slope.x, -slope.y, 1).
        let pitch = -atan2(slope.x, 1.0);
        let roll = atan2(slope.y * sin_cos(pitch).1, 1.0);
        turn = Quat::from_roll_pitch_yaw(roll, pitch, yaw);
    }
    turn
}

/// How high the origin of something that is turned so has to be, m, for no support to be in the
/// ground.
pub fn lift(terrain: &Terrain, at: Pose2, turn: Quat, supports: &[Vec3]) -> f64 {
    let mut most = f64::NEG_INFINITY;
    for &support in supports {
        let p = turn.rotate(support);
        most = most.max(terrain.height(at.position.x + p.x, at.position.y + p.y) - p.z);
    }
    most
}

/// Rises, forward and to the left in a frame with the heading, of the ground under the supports, less
/// those of the supports themselves.
fn slope(terrain: &Terrain, at: Pose2, supports: &[Vec3], turn: Quat) -> Vec2 {
    let per_support = 1.0 / supports.len().max(1) as f64;
    // Place in the frame, and height of the ground over the support.
    let stands = |&support: &Vec3| {
        let p = turn.rotate(support);
        let ground = terrain.height(at.position.x + p.x, at.position.y + p.y);
        (at.rotation.unrotate(Vec2::new(p.x, p.y)), ground - support.z)
    };
    let (mut middle, mut level) = (Vec2::ZERO, 0.0);
    for (place, z) in supports.iter().map(stands) {
        middle += place * per_support;
        level += z * per_support;
    }
    let (mut xx, mut xy, mut yy, mut xz, mut yz) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for (place, z) in supports.iter().map(stands) {
        let (d, z) = (place - middle, z - level);
        (xx, xy, yy) = (xx + d.x * d.x, xy + d.x * d.y, yy + d.y * d.y);
        (xz, yz) = (xz + d.x * z, yz + d.y * z);
    }
    let determinant = xx * yy - xy * xy;
    let slope = if determinant > 1e-6 * (xx + yy) * (xx + yy) {
        Vec2::new(xz * yy - yz * xy, yz * xx - xz * xy) * (1.0 / determinant)
    } else {
        // Feet in a row say nothing of the tilt across it.
        at.rotation.unrotate(terrain.gradient(at.position.x, at.position.y))
    };
    let cut = |x: f64| x.clamp(-STEEPEST_STAND, STEEPEST_STAND);
    if slope.is_finite() { Vec2::new(cut(slope.x), cut(slope.y)) } else { Vec2::ZERO }
}

impl VehicleSpec {
    /// How a vehicle lies on the ground at a place and heading, on its relaxed wheels.
    pub fn lying(&self, terrain: &Terrain, at: Pose2) -> Quat {
        let height = self.ride_height();
        let mut supports = [Vec3::ZERO; MOST_WHEELS];
        for (support, wheel) in supports.iter_mut().zip(&self.wheels) {
            *support = wheel.position + Vec3::new(0.0, 0.0, height - wheel.radius);
        }
        lying(terrain, at, &supports[..self.wheels.len().min(MOST_WHEELS)])
    }
}

impl SpatialModel {
    /// Centre of mass and orientation of a vehicle that was just put down: its own frame's origin
    /// over `at`, its relaxed wheels just on the ground.
    pub fn standing(&self, vehicle: u32, at: Pose2) -> Option<(Vec3, Quat)> {
        let known = self.vehicles.get(vehicle as usize)?;
        let turn = known.spec.lying(&self.terrain, at);
        let mut position = known.spec.centre_over(at, turn);
        position.z = crate::place::resting_height(self, known, position, turn);
        Some((position, turn))
    }
}

impl PartialEq for SpatialModel {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}

impl VehicleSpec {
    /// Where the centre of mass is, at height 0, when the origin of the vehicle's own frame is
    /// over `at`.
    pub fn centre_over(&self, at: Pose2, turn: Quat) -> Vec3 {
        let up = turn.rotate(Vec3::new(0.0, 0.0, self.ride_height()));
        Vec3::new(at.position.x + up.x, at.position.y + up.y, 0.0)
    }
}

impl SpatialState {
    /// Puts everything back where it started; time and commands go on.
    pub fn send_home(&mut self, model: &SpatialModel) {
        for (i, (vehicle, known)) in self.vehicles.iter_mut().zip(&model.vehicles).enumerate() {
            let mut fresh = VehicleState::new(model, known);
            fresh.step = vehicle.state.step;
            fresh.keep_orders(&vehicle.state);
            self.contact_state.vehicles[i] = (fresh.position, fresh.orientation);
            vehicle.state = fresh;
        }
        for (body, b) in self.contact_state.bodies.iter_mut().zip(&model.spec.bodies) {
            *body = BodyState::new(b.position, b.orientation, b.velocity, b.omega);
        }
        self.contact_state.touches.clear();
    }

    /// Several steps of the vehicles alone, as [`SpatialState::drive`] does it, by a caller with
    /// threads: `each` calls [`Vehicle::advance`] on every one of them with its index.
    pub fn drive_by(
        &mut self,
        model: &SpatialModel,
        steps: u64,
        each: impl FnOnce(&mut [Vehicle]),
    ) {
        each(&mut self.vehicles);
        self.advance_trains(model, steps);
        self.contact_state.clock += steps;
        self.collect_events();
    }

    /// Kinetic energy of the bodies, J.
    pub fn bodies_energy(&self, model: &SpatialModel) -> f64 {
        #[cfg(feature = "bodies")]
        if let Some(contact_state) = &model.contact_state {
            let mut sum = 0.0;
            for (solid, body) in contact_state.solids.iter().zip(&self.contact_state.bodies) {
                if solid.per_mass > 0.0 {
                    let turning = body.orientation.unrotate(body.omega);
                    let inertia = solid.inverse_inertia.inverse().unwrap_or_default();
                    let speed = body.velocity.dot(body.velocity);
                    sum += 0.5 * (speed / solid.per_mass + turning.dot(inertia.times(turning)));
                }
            }
            return sum;
        }
        0.0
    }

    /// Hands out the events since the last time, without memory of its own.
    pub fn hear(&mut self, each: impl FnMut(SpatialEvent)) {
        self.events.drain(..).for_each(each);
    }
}

impl Vehicle {
    /// The vehicle's own frame in the world: the chassis' axes, [`VehicleSpec::ride_height`] below
    /// its centre of mass.
    pub fn frame(&self, known: &VehicleModel) -> Pose3 {
        let VehicleState { position, orientation, .. } = self.state;
        let down = orientation.rotate(Vec3::new(0.0, 0.0, -known.spec.ride_height()));
        Pose3 { position: position + down, rotation: orientation }
    }

    /// Sets a vehicle in motion with a velocity (m/s) and an angular velocity (rad/s) of its
    /// centre of mass, both in its own frame; its wheels roll along.
    pub fn set_moving(&mut self, known: &VehicleModel, velocity: Vec3, omega: Vec3) {
        let state = &mut self.state;
        state.velocity = state.orientation.rotate(velocity);
        for (i, c) in known.blocks.iter().enumerate() {
            let turn = known.turn(state, i);
            for l in 0..c.wheels {
                let hub = velocity + omega.cross(Vec3::new(c.x[l], c.y[l], 0.0));
                let own =
                    |v: Vec3| if state.steering.is_empty() { v } else { turn.in_wheel_frame(l, v) };
                let rolling = if c.coupling[l] > 0.0 { own(hub).x / c.radius[l] } else { 0.0 };
                state.wheels[i].spin[l] = rolling * c.inertia[l] + c.coupling[l] * own(omega).y;
            }
        }
        let momentum = known.inertia(state).times(omega) + known.spins(state);
        state.momentum = state.orientation.rotate(momentum);
    }

    /// Moves a vehicle along its forward axis (m) and turns it about its up axis (rad), without
    /// its wheels turning.
    pub fn shift(&mut self, distance: f64, turn: f64) {
        let state = &mut self.state;
        let [forward, _, up] = state.orientation.axes();
        state.position += forward * distance;
        state.orientation = (Quat::about(up, turn) * state.orientation).unit();
        // The chassis is looked at again.
        state.hull_clear = 0.0;
    }

    /// How fast a wheel spins against the chassis, rad/s; `omega` is the chassis' own
    /// [angular velocity](Vehicle::angular_velocity).
    pub fn spin(&self, known: &VehicleModel, omega: Vec3, wheel: usize) -> f64 {
        let (b, l) = (wheel / LANES, wheel % LANES);
        let (Some(c), Some(w)) = (known.blocks.get(b), self.state.wheels.get(b)) else {
            return 0.0;
        };
        let pitching = match self.state.steering.get(b) {
            Some(steer) => JointRotation::of(steer).in_wheel_frame(l, omega).y,
            None => omega.y,
        };
        (w.spin[l] - c.coupling[l] * pitching) * c.per_inertia[l]
    }

    /// Angle by which a wheel is steered to the left, rad.
    pub fn steer(&self, wheel: usize) -> f64 {
        self.state.steering.get(wheel / LANES).map_or(0.0, |s| s.angle[wheel % LANES])
    }

    /// Voltage of a wheel's motor, V.
    pub fn volts(&self, known: &VehicleModel, omega: Vec3, wheel: usize) -> f64 {
        let (b, l) = (wheel / LANES, wheel % LANES);
        let (Some(c), Some(w)) = (known.blocks.get(b), self.state.wheels.get(b)) else {
            return 0.0;
        };
        match &c.drivers {
            Some(drivers) => drivers.volts(l, w.volts[l], self.spin(known, omega, wheel)),
            None => w.volts[l],
        }
    }

    /// Whether a tyre slides: whether the slip that it has built up is more than three times that at
    /// which it would reach its peak, did its force grow as it begins to.
    pub fn slides(&self, known: &VehicleModel) -> bool {
        (0..known.spec.wheels.len()).any(|wheel| self.wheel_slides(known, wheel))
    }

    /// The same of one wheel's tyre.
    pub fn wheel_slides(&self, known: &VehicleModel, wheel: usize) -> bool {
        let (b, l) = (wheel / LANES, wheel % LANES);
        let (Some(c), Some(w)) = (known.blocks.get(b), self.state.wheels.get(b)) else {
            return false;
        };
        let [along, across] = [0, 1].map(|i| w.bristle[i][l] * w.grip[3 + i][l]);
        c.coupling[l] > 0.0 && along * along + across * across > SLIDING * SLIDING
    }

    /// Share of what a wheel's tyre can give at its load that it gives: of its peaks along and across the
    /// rolling direction, 1 about where it lets go. None in the air, and where it can give nothing.
    pub fn grip_used(&self, known: &VehicleModel, wheel: usize) -> Option<f64> {
        let (b, l) = (wheel / LANES, wheel % LANES);
        let (c, w) = (known.blocks.get(b)?, self.state.wheels.get(b)?);
        let load = self.reading(wheel, |r| r.load);
        let [along, across] = c.tyres.peaks(l, load, w.ground[l]);
        let (x, y) = (
            self.reading(wheel, |r| r.lengthwise) / along,
            self.reading(wheel, |r| r.sideways) / across,
        );
        let share = (x * x + y * y).sqrt();
        (load > 0.0 && share.is_finite()).then_some(share)
    }

    /// Unit normal of the ground under a wheel, in the world, as last searched.
    pub fn ground_normal(&self, wheel: usize) -> Vec3 {
        let lane = wheel % LANES;
        self.state.wheels.get(wheel / LANES).map_or(Vec3::new(0.0, 0.0, 1.0), |w| {
            Vec3::new(w.normal[0][lane], w.normal[1][lane], w.normal[2][lane])
        })
    }

    /// Where a wheel touches the ground, in the world, m; none in the air.
    pub fn contact_point(&self, known: &VehicleModel, wheel: usize) -> Option<Vec3> {
        let (b, l) = (wheel / LANES, wheel % LANES);
        let (c, w) = (known.blocks.get(b)?, self.state.wheels.get(b)?);
        if self.reading(wheel, |r| r.load) <= 0.0 {
            return None;
        }
        // As the wheels' kinematics have it, with the compression of the last step.
        let turn = known.turn(&self.state, b);
        let normal = self.state.orientation.unrotate(self.ground_normal(wheel));
        let normal = turn.in_wheel_frame(l, normal);
        let (p, s) = (-normal.x / normal.z, -normal.y / normal.z);
        let per_q = 1.0 / (1.0 + p * p).sqrt();
        let apart = 2.0 * c.half_width[l] * s + w.lean[l];
        let lean = (apart * c.per_lean[l]).clamp(-1.0, 1.0);
        // From the hub, which stays where it is when the wheel is turned.
        let [x, y] = turn.in_chassis_frame(l, [c.radius[l] * p * per_q, c.half_width[l] * lean]);
        let z = self.reading(wheel, |r| r.compression) - c.radius[l] * per_q;
        let own = Vec3::new(c.x[l] + x, c.y[l] + y, c.z[l] + z);
        Some(self.state.position + self.state.orientation.rotate(own))
    }

    /// Angle that a wheel has turned against the chassis, rad.
    pub fn wheel_angle(&self, wheel: usize) -> f64 {
        self.state.wheels.get(wheel / LANES).map_or(0.0, |w| w.angle[wheel % LANES])
    }

    /// Means over the wheels of each side.
    pub fn sides(&self, model: &SpatialModel, index: u32) -> Sides {
        let Some(known) = model.vehicles.get(index as usize) else { return Sides::default() };
        let omega = self.angular_velocity(model, index);
        Sides {
            spin: mean_of_sides(known, |wheel| self.spin(known, omega, wheel)),
            angle: mean_of_sides(known, |wheel| self.wheel_angle(wheel)),
            volts: mean_of_sides(known, |wheel| self.volts(known, omega, wheel)),
            amps: mean_of_sides(known, |wheel| self.reading(wheel, |r| r.current)),
        }
    }

    /// Mean angle of the wheels of each side, right and left, rad; what a step asks for several times.
    pub fn side_angles(&self, model: &SpatialModel, index: u32) -> [f64; 2] {
        let known = model.vehicles.get(index as usize);
        known.map_or([0.0; 2], |known| mean_of_sides(known, |wheel| self.wheel_angle(wheel)))
    }

    /// Mean spin of the wheels of each side, right and left, rad/s.
    pub fn side_spins(&self, model: &SpatialModel, index: u32) -> [f64; 2] {
        let Some(known) = model.vehicles.get(index as usize) else { return [0.0; 2] };
        let omega = self.angular_velocity(model, index);
        mean_of_sides(known, |wheel| self.spin(known, omega, wheel))
    }
}

/// Means over the wheels of each side, right and left, in the order of wheels; zero where a side has none.
fn mean_of_sides(known: &VehicleModel, of: impl Fn(usize) -> f64) -> [f64; 2] {
    let (mut sums, mut counts) = ([0.0; 2], [0.0; 2]);
    for (i, wheel) in known.spec.wheels.iter().enumerate() {
        let side = match wheel.side {
            Side::Right => 0,
            Side::Left => 1,
            Side::Free => continue,
        };
        counts[side] += 1.0;
        sums[side] += of(i);
    }
    [0, 1].map(|side| if counts[side] > 0.0 { sums[side] / counts[side] } else { 0.0 })
}
