//! The fine step of one vehicle.
//!
//! Semi-implicit Euler: forces from the pose at the start, then velocities, then the pose with the
//! new velocities; the wheels' spin is solved implicitly together with tyre, motor and axle
//! friction ([`crate::wheels`]). First order; symplectic where nothing damps.
//!
//! The state has the angular momentum of everything, spinning wheels included, so that motors in
//! the air turn the chassis the other way and nothing is lost: with L the momentum in the chassis'
//! frame and p_i the wheels' spins, omega = I^-1 (L - y sum(A_i/J_i p_i)), where A_i is what the
//! chassis feels of wheel i's spin, J_i its inertia, and I the inertia without what can spin.

use crate::hull;
use crate::model::{SpatialModel, VehicleModel};
use crate::search::{self, Frame};
use crate::spec::Side;
use crate::state::{Drive, VehicleState};
use crate::terrain::Edge;
use crate::wheels::{self, Load, Motion, WheelReadings};
use rolima_math::{Quat, Vec3};

/// Below this cosine of the tilt a vehicle has rolled over, and above the other one not any more.
const ROLLED: [f64; 2] = [0.1, 0.3];

/// Speed that a chassis may gain until the next look, m/s: what gravity and wheels give it in some
/// steps, with room.
const HULL_MARGIN: f64 = 1.0;

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
        step(model, vehicle, state, readings, axes, fresh);
        state.step += 1;
        to_control -= 1;
        to_search -= 1;
        to_tyre -= 1;
    }
}

/// Commands => voltages and brakes.
fn take_over(vehicle: &VehicleModel, state: &mut VehicleState, drive: Drive) {
    for (i, wheel) in vehicle.spec.wheels.iter().enumerate() {
        let (block, lane) = (i / crate::model::LANES, i % crate::model::LANES);
        let volts = match wheel.side {
            Side::Left => drive.left_volts,
            Side::Right => drive.right_volts,
            Side::Free => 0.0,
        };
        let most = wheel.motor.map_or(0.0, |m| m.nominal_volts);
        state.wheels[block].volts[lane] = volts.clamp(-most, most);
        state.wheels[block].brake[lane] = drive.brake * wheel.brake_torque;
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
            w.spin = [0.0; crate::model::LANES];
            w.bristle = [[0.0; crate::model::LANES]; 2];
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
            w.spin = [0.0; crate::model::LANES];
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
    let frame = Frame { position: state.position, axes };
    let period = f64::from(model.spec.contact_every) * model.step_s;
    let speed = state.velocity.length()
        + vehicle.inverse_inertia.times(state.momentum).length() * vehicle.reach;
    let growth = 1e-3 + period * (5.0 * speed + 0.5);
    for (block, w) in vehicle.blocks.iter().zip(&mut state.wheels) {
        search::block(terrain, &model.rim, block, (&frame, growth), w);
    }
    // Looked at again only once it may have moved by what was clear.
    let way = 2.0 * speed * period + HULL_MARGIN * period;
    state.hull_clear -= way;
    if state.hull_clear < way || state.hull_near {
        state.hull_clear = hull::clearance(terrain, vehicle, &frame);
        let is_near = state.hull_clear < way;
        if state.hull_near && !is_near {
            state.hull.fill(Vec3::ZERO);
        }
        state.hull_near = is_near;
    }
}

/// Pose, velocities => forces => velocities => pose.
#[inline(always)]
fn step(
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
    let momentum = to_body(state.momentum);
    let mut spin = 0.0;
    for (c, w) in vehicle.blocks.iter().zip(&state.wheels) {
        let part = |l: usize| w.spin[l] * c.coupling[l] * c.per_inertia[l];
        spin += (part(0) + part(1)) + (part(2) + part(3));
    }
    let omega = vehicle.inverse_inertia.times(momentum - Vec3::new(0.0, spin, 0.0));
    let velocity = to_body(state.velocity);
    let motion = Motion { position: state.position, axes, velocity, omega };

    let mut load = Load::default();
    for ((c, w), out) in vehicle.blocks.iter().zip(&mut state.wheels).zip(readings) {
        let part = wheels::step(c, w, out, &motion, dt, fresh);
        load.force += part.force;
        load.torque += part.torque;
        load.spin += part.spin;
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
    let momentum = momentum + load.torque * dt;
    let omega = vehicle.inverse_inertia.times(momentum - Vec3::new(0.0, load.spin, 0.0));
    state.position += state.velocity * dt;
    let turn = omega.dot(omega) * (dt * dt);
    state.orientation = if turn < 0.01 {
        state.orientation.turned(omega, dt)
    } else {
        far(state.orientation, omega, dt)
    };
}

/// Turns by more than the short formula is good for.
#[cold]
fn far(orientation: Quat, omega: Vec3, dt: f64) -> Quat {
    let axis = omega.unit_or(Vec3::new(0.0, 0.0, 1.0));
    (orientation * Quat::about(axis, omega.length() * dt)).unit()
}

#[cfg(test)]
mod tests {
    use crate::golden;
    use crate::wheels::WheelReadings;
    use rolima_math::Words;

    /// What processors without wide vectors compute is what those with them do, to the bit.
    #[test]
    fn narrow_and_wide_vectors_give_the_same_bits() {
        for (name, ..) in golden::MOMENTS {
            let mut world = golden::world(name).unwrap();
            let model = world.model().clone();
            for (index, vehicle) in model.vehicles.iter().enumerate() {
                let start = world.vehicles_mut()[index].state.clone();
                let mut readings = vec![WheelReadings::default(); vehicle.blocks.len()];
                let (mut narrow, mut wide) = (start.clone(), start);
                super::run(&model, vehicle, &mut narrow, &mut readings, 800, &mut |_, _| {});
                super::advance(&model, vehicle, &mut wide, &mut readings, 800, &mut |_, _| {});
                assert_eq!(narrow.hash(), wide.hash(), "{name}, vehicle {index}");
            }
        }
    }
}
