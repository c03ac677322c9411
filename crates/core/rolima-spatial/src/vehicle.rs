//! The fine step of one vehicle.
//!
//! Semi-implicit Euler: forces from the pose at the start, then velocities, then the pose with the
//! new velocities; the wheels' spin is solved implicitly together with tyre, motor and axle
//! friction ([`crate::wheels`]). First order; symplectic where nothing damps. Turning freely is of
//! second order and keeps energy and angular momentum ([`turn_far`]).
//!
//! The state has the angular momentum of everything, spinning wheels included, so that motors in
//! the air turn the chassis the other way and nothing is lost: with L the momentum in the chassis'
//! frame and p_i the wheels' spins, omega = I^-1 (L - y sum(A_i/J_i p_i)), where A_i is what the
//! chassis feels of wheel i's spin, J_i its inertia, and I the inertia without what can spin.

use crate::actuator::JointRotation;
use crate::hull;
use crate::model::{LANES, SpatialModel, VehicleModel};
use crate::search::{self, ChassisFrame};
use crate::spec::Side;
use crate::state::{DriveVolts, VehicleState};
use crate::terrain::Edge;
use crate::wheels::{self, Load, Motion, WheelReadings};
use rolima_math::{Quat, Sym3, Vec3};

/// Below this cosine of the tilt a vehicle has rolled over, and above the other one not any more.
const ROLLED: [f64; 2] = [0.1, 0.3];

/// Speed that a chassis may gain until the next look, m/s: what gravity and wheels give it in some
/// steps, with room.
const HULL_MARGIN: f64 = 1.0;

/// Squares of the angle that a vehicle turns in a step, rad2: below the first one pass finds the turn
/// to some 1e-13 of the energy; from the second on the short formula of rotations is not good enough.
const NEAR: f64 = 1e-6;
const FAR: f64 = 0.01;

/// Passes of turns between the two, and of those beyond.
const PASSES: u32 = 6;
const FAR_PASSES: u32 = 12;

/// What happened to a vehicle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VehicleEvent {
    /// It lies on its side or roof.
    RolledOver,
    /// It has come back onto its wheels.
    Righted,
    /// It, or a body, has left a terrain that ends, and is stopped.
    LeftTerrain,
    /// Its state was not finite; it is stopped at its last good pose.
    Quarantined,
}

/// Runs `steps` steps of a vehicle. Readings are those of the last step; `event` hears what
/// happened, with the step.
pub(crate) fn advance(
    model: &SpatialModel,
    vehicle: &VehicleModel,
    state: &mut VehicleState,
    readings: &mut [WheelReadings],
    steps: u64,
    event: &mut dyn FnMut(u64, VehicleEvent),
) {
    #[cfg(target_arch = "x86_64")]
    {
        #[target_feature(enable = "avx2")]
        fn avx2(
            model: &SpatialModel,
            vehicle: &VehicleModel,
            state: &mut VehicleState,
            readings: &mut [WheelReadings],
            steps: u64,
            event: &mut dyn FnMut(u64, VehicleEvent),
        ) {
            run(model, vehicle, state, readings, steps, event);
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code)]
            // SAFETY: the processor has AVX2, as the line above asked.
            return unsafe { avx2(model, vehicle, state, readings, steps, event) };
        }
    }
    run(model, vehicle, state, readings, steps, event);
}

/// The loop, in vectors as wide as the caller was compiled for; the bits are the same.
#[inline(always)]
pub(crate) fn run(
    model: &SpatialModel,
    vehicle: &VehicleModel,
    state: &mut VehicleState,
    readings: &mut [WheelReadings],
    steps: u64,
    event: &mut dyn FnMut(u64, VehicleEvent),
) {
    let contact_every = u64::from(model.spec.contact_every);
    let tyre_every = u64::from(model.spec.tyre_every);
    // Countdowns instead of remainders, which are slow.
    let left = |every: u64, step: u64| (every - step % every) % every;
    let mut to_control = left(model.control_steps, state.step);
    let mut to_search = left(contact_every, state.step);
    let mut to_tyre = left(tyre_every, state.step);
    for _ in 0..steps {
        if state.is_stopped() {
            state.step += 1;
            continue;
        }
        if to_control == 0 {
            to_control = model.control_steps;
            if let Some(drive) = state.waiting.take() {
                take_over(vehicle, state, drive);
            }
        }
        let axes = state.orientation.axes();
        if to_search == 0 {
            to_search = contact_every;
            look(model, vehicle, state, axes, event);
            // What was just stopped does not move any more.
            if state.is_stopped() {
                state.step += 1;
                continue;
            }
        }
        let fresh = to_tyre == 0;
        if fresh {
            to_tyre = tyre_every;
        }
        if vehicle.has_drivers {
            choose_torques(vehicle, state, model.step_s);
        }
        if vehicle.steers {
            step::<true>(model, vehicle, state, readings, axes, fresh);
        } else {
            step::<false>(model, vehicle, state, readings, axes, fresh);
        }
        state.step += 1;
        to_control -= 1;
        to_search -= 1;
        to_tyre -= 1;
    }
}

/// Orders to both sides => voltages and brakes.
fn take_over(vehicle: &VehicleModel, state: &mut VehicleState, drive: DriveVolts) {
    for (i, wheel) in vehicle.spec.wheels.iter().enumerate() {
        let volts = match wheel.side {
            Side::Left => drive.left_volts,
            Side::Right => drive.right_volts,
            Side::Free => 0.0,
        };
        let most = wheel.motor.map_or(0.0, |m| m.nominal_volts);
        state.wheels[i / LANES].volts[i % LANES] = volts.clamp(-most, most);
        state.wheels[i / LANES].brake[i % LANES] = drive.brake * wheel.brake_torque;
    }
}

/// Pose => contacts, what the vehicle is in.
#[inline(always)]
fn look(
    model: &SpatialModel,
    vehicle: &VehicleModel,
    state: &mut VehicleState,
    axes: [Vec3; 3],
    event: &mut dyn FnMut(u64, VehicleEvent),
) {
    let finite = (state.position.x + state.position.y + state.position.z).abs() < 1e7
        && (state.velocity.length() + state.momentum.length()).is_finite()
        && state.orientation.is_finite()
        && state.wheels.iter().all(|w| (w.spin[0] + w.spin[1] + w.spin[2] + w.spin[3]).is_finite());
    if !finite {
        (state.position, state.orientation) = state.good;
        (state.velocity, state.momentum) = (Vec3::ZERO, Vec3::ZERO);
        for w in &mut state.wheels {
            w.spin = [0.0; LANES];
            w.bristle = [[0.0; LANES]; 2];
        }
        state.quarantined = true;
        event(state.step, VehicleEvent::Quarantined);
        return;
    }
    state.good = (state.position, state.orientation);
    let terrain = &*model.terrain;
    if terrain.spec().edge == Edge::Ends && !terrain.contains(state.position.x, state.position.y) {
        state.left_terrain = true;
        state.velocity = Vec3::ZERO;
        state.momentum = Vec3::ZERO;
        for w in &mut state.wheels {
            w.spin = [0.0; LANES];
        }
        event(state.step, VehicleEvent::LeftTerrain);
        return;
    }
    let up = axes[2].z;
    if !state.rolled_over && up < ROLLED[0] {
        state.rolled_over = true;
        event(state.step, VehicleEvent::RolledOver);
    } else if state.rolled_over && up > ROLLED[1] {
        state.rolled_over = false;
        event(state.step, VehicleEvent::Righted);
    }
    let frame = ChassisFrame { position: state.position, axes };
    let period = f64::from(model.spec.contact_every) * model.step_s;
    let speed = state.velocity.length()
        + vehicle.straight_inverse.times(state.momentum).length() * vehicle.reach;
    let growth = 1e-3 + period * (5.0 * speed + 0.5);
    for (i, (block, w)) in vehicle.blocks.iter().zip(&mut state.wheels).enumerate() {
        let turn = state.steering.get(i).map(JointRotation::of);
        search::block(terrain, &model.rim, block, (&frame, growth), turn.as_ref(), w);
    }
    // Looked at again only once it may have moved by what was clear.
    let distance = 2.0 * speed * period + HULL_MARGIN * period;
    state.hull_clear -= distance;
    if state.hull_clear < distance || state.hull_near {
        state.hull_clear = hull::clearance(terrain, vehicle, &frame);
        let is_near = state.hull_clear < distance;
        if state.hull_near && !is_near {
            state.hull.fill(Vec3::ZERO);
        }
        state.hull_near = is_near;
    }
}

/// Aims and speeds of wheels => torques of their motors.
fn choose_torques(vehicle: &VehicleModel, state: &mut VehicleState, dt: f64) {
    let omega = state.omega(vehicle);
    for (i, c) in vehicle.blocks.iter().enumerate() {
        let Some(drivers) = &c.drivers else { continue };
        let turn = vehicle.turn(state, i);
        let (w, driver) = (&mut state.wheels[i], &mut state.drivers[i]);
        let pitching = |l: usize| c.coupling[l] * turn.in_wheel_frame(l, omega).y;
        let spins = core::array::from_fn(|l| (w.spin[l] - pitching(l)) * c.per_inertia[l]);
        drivers.choose(driver, &spins, w, dt);
    }
}

/// Pose, velocities => forces => velocities => pose; the joints turn first.
#[inline(always)]
fn step<const STEERED: bool>(
    model: &SpatialModel,
    vehicle: &VehicleModel,
    state: &mut VehicleState,
    readings: &mut [WheelReadings],
    axes: [Vec3; 3],
    fresh: bool,
) {
    let dt = model.step_s;
    let [n, t, b] = axes;
    let to_body = |v: Vec3| Vec3::new(n.dot(v), t.dot(v), b.dot(v));
    let to_world = |v: Vec3| n * v.x + t * v.y + b * v.z;
    let mut inverse = vehicle.straight_inverse;
    if STEERED {
        for (steer, wheels) in state.steering.iter_mut().zip(vehicle.spec.wheels.chunks(LANES)) {
            steer.advance(wheels, dt);
        }
        inverse = vehicle.inverse_inertia(state);
    }
    let momentum = to_body(state.momentum);
    let omega = inverse.times(momentum - vehicle.spins(state));
    // How far the momentum turns, seen from the chassis, by the middle of the step: the first pass of
    // what `turn_far` explains, from the speed before, so that the step does not wait for it.
    let turning = momentum.cross(omega) * (0.5 * dt);
    let velocity = to_body(state.velocity);
    let motion = Motion { position: state.position, axes, velocity, omega };

    let mut load = Load::default();
    let blocks = vehicle.blocks.iter().zip(&mut state.wheels).zip(readings);
    for (i, ((c, w), out)) in blocks.enumerate() {
        let turn =
            if STEERED { JointRotation::of(&state.steering[i]) } else { JointRotation::NONE };
        let part = wheels::step::<STEERED>((c, &turn), w, out, &motion, dt, fresh);
        load.force += part.force;
        load.torque += part.torque;
        load.spin += part.spin;
    }
    if vehicle.has_drag {
        let [along, turning] = vehicle.spec.chassis.drag;
        load.force.x -= along * velocity.x;
        load.torque.z -= turning * omega.z;
    }
    if state.hull_near {
        let part = hull::forces(&model.terrain, vehicle, &motion, &mut state.hull, dt);
        load.force += part.force;
        load.torque += part.torque;
    }

    let mut acceleration = to_world(load.force) * vehicle.per_mass;
    acceleration.z -= model.spec.gravity;
    state.velocity += acceleration * dt;
    state.momentum += to_world(load.torque) * dt;
    state.position += state.velocity * dt;
    let momentum = momentum + load.torque * dt;
    let omega = inverse.times(momentum + turning - load.spin);
    state.orientation = if omega.dot(omega) * (dt * dt) < NEAR {
        state.orientation.turned(omega, dt)
    } else {
        turn_far(&inverse, state.orientation, (momentum, load.spin), omega, dt)
    };
}

/// Turns on by more than a milliradian with this angular momentum and sum of spins, in the chassis'
/// frame; `omega` is a first guess of the speed.
///
/// Seen from the chassis the momentum L turns back to L' while the chassis turns. A turn about
/// omega = I^-1 ((L + L')/2 - spins), by whatever angle, keeps the energy: this has changed by
/// (L' - L) omega, and L' - L is at a right angle to the axis of the turn. The equation is solved by
/// passes; each makes the error smaller by the angle.
#[inline(never)]
fn turn_far(
    inverse: &Sym3,
    orientation: Quat,
    (momentum, spin): (Vec3, Vec3),
    mut omega: Vec3,
    dt: f64,
) -> Quat {
    let speed = |momentum: Vec3| inverse.times(momentum - spin);
    if omega.dot(omega) * (dt * dt) < FAR {
        let mut middle = momentum;
        for _ in 0..PASSES {
            middle = momentum + middle.cross(omega) * (0.5 * dt);
            omega = speed(middle);
        }
        // Its own correction of the length leaves an error of the angle's fourth power, and a length
        // that is not one changes the momentum that the chassis sees.
        return orientation.turned(omega, dt).unit();
    }
    // By more than the short formula of rotations is good for.
    let axis = |omega: Vec3| omega.unit_or(Vec3::new(0.0, 0.0, 1.0));
    let turn = |omega: Vec3| Quat::about(axis(omega), omega.length() * dt);
    for _ in 0..FAR_PASSES {
        omega = speed((momentum + turn(omega).unrotate(momentum)) * 0.5);
    }
    (orientation * turn(omega)).unit()
}
