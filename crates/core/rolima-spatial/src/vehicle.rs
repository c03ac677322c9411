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
    let spin = Vec3::new(0.0, state.spins(vehicle), 0.0);
    let omega = vehicle.inverse_inertia.times(momentum - spin);
    // How far the momentum turns, seen from the chassis, by the middle of the step: the first pass of
    // what `turn_far` explains, from the speed before, so that the step does not wait for it.
    let turning = momentum.cross(omega) * (0.5 * dt);
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
    state.position += state.velocity * dt;
    let momentum = momentum + load.torque * dt;
    let omega = vehicle.inverse_inertia.times(momentum + turning - Vec3::new(0.0, load.spin, 0.0));
    state.orientation = if omega.dot(omega) * (dt * dt) < NEAR {
        state.orientation.turned(omega, dt)
    } else {
        turn_far(vehicle, state.orientation, (momentum, load.spin), omega, dt)
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
    vehicle: &VehicleModel,
    orientation: Quat,
    (momentum, spin): (Vec3, f64),
    mut omega: Vec3,
    dt: f64,
) -> Quat {
    let speed =
        |momentum: Vec3| vehicle.inverse_inertia.times(momentum - Vec3::new(0.0, spin, 0.0));
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

#[cfg(test)]
mod tests {
    use crate::golden;
    use crate::model::LANES;
    use crate::wheels::WheelReadings;
    use crate::{
        ChassisSpec, Shapes, SpatialModel, SpatialSpec, SpatialWorld, Start, Terrain, TerrainSpec,
        VehicleSpec, WheelSpec,
    };
    use rolima_math::{Quat, Vec3, Words};
    use std::sync::Arc;

    /// A vehicle high in the air, on four free wheels; the front ones spin with this momentum, N m s.
    fn thrown(inertia: [f64; 3], omega: Vec3, spin: f64, step_s: f64) -> SpatialWorld {
        let wheels = [(0.25, 0.25), (0.25, -0.25), (-0.25, 0.25), (-0.25, -0.25)]
            .map(|(x, y)| WheelSpec { position: Vec3::new(x, y, -0.05), ..WheelSpec::default() });
        let vehicle = VehicleSpec {
            name: "thrown".to_owned(),
            chassis: ChassisSpec { inertia, ..ChassisSpec::default() },
            wheels: wheels.to_vec(),
            start: Start { position: Vec3::new(0.0, 0.0, 1e5), ..Start::default() },
            shapes: Shapes::default(),
        };
        let spec = SpatialSpec::new(Arc::new(Terrain::new(TerrainSpec::flat(40.0)).unwrap()));
        let spec = SpatialSpec { step_s, gravity: 0.0, vehicles: vec![vehicle], ..spec };
        let mut world = SpatialWorld::new(Arc::new(SpatialModel::compile(spec).unwrap()));
        let model = world.model().clone();
        let v = &mut world.vehicles_mut()[0].state;
        v.wheels[0].spin = [spin, spin, 0.0, 0.0];
        let axis = model.vehicles[0].inertia.times(omega);
        v.momentum = axis + Vec3::new(0.0, 2.0 * spin, 0.0);
        world
    }

    #[test]
    fn a_vehicle_that_turns_freely_with_spinning_wheels_keeps_its_energy() {
        // About no main axis, and nearly about each; the second is the unstable one.
        for (x, y, z) in [(1.0, 2.0, 3.0), (1.0, 0.01, 0.0), (0.01, 1.0, 0.01), (0.0, 0.01, 1.0)] {
            for (fast, spin) in [(0.5, 0.0), (1.0, 0.3), (8.0, -0.5), (20.0, 1.0), (60.0, 0.0)] {
                let omega = Vec3::new(x, y, z) * fast;
                let mut world = thrown([1.5, 2.5, 3.5], omega, spin, 1e-3);
                let model = world.model().clone();
                let energy = |w: &SpatialWorld| w.vehicle(0).unwrap().kinetic_energy(&model, 0);
                let (start, momentum) = (energy(&world), world.vehicles_mut()[0].state.momentum);
                let (mut old, mut gain) = (start, 0.0f64);
                for _ in 0..10_000 {
                    world.step();
                    let now = energy(&world);
                    (gain, old) = (gain.max(now - old), now);
                }
                let (gain, off) = (gain / start, old / start - 1.0);
                let what = format!("({x}, {y}, {z}) x {fast}, spin {spin}: {gain:e}, {off:e}");
                println!("{what}");
                assert!(gain < 1e-9 && off.abs() < 1e-7, "{what}");
                assert_eq!(world.vehicles_mut()[0].state.momentum, momentum);
            }
        }
    }

    /// A body that is symmetric about its wheels' axis carries that axis evenly around its angular
    /// momentum L, by L/I, I its inertia across.
    #[test]
    fn a_symmetric_vehicle_precesses_as_the_closed_form_says_to_second_order() {
        let error = |step_s: f64| {
            let spun = LANES as f64 * WheelSpec::default().inertia;
            let omega = Vec3::new(3.0, 4.0, 5.0);
            let mut world = thrown([2.0, 1.0 + spun, 2.0], omega, 0.8, step_s);
            let momentum = world.vehicles_mut()[0].state.momentum;
            world.steps((2.0 / step_s).round() as u64);
            let turn = Quat::about(momentum.unit_or(Vec3::ZERO), momentum.length() / 2.0 * 2.0);
            let y = Vec3::new(0.0, 1.0, 0.0);
            (world.vehicle(0).unwrap().state.orientation.rotate(y) - turn.rotate(y)).length()
        };
        let [coarse, fine] = [1e-3, 5e-4].map(error);
        println!("off by {coarse:e} rad after 2 s at 1 ms, {fine:e} at half of it");
        assert!(coarse < 1e-4, "{coarse}");
        assert!((coarse / fine - 4.0).abs() < 0.1, "{}", coarse / fine);
    }

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
