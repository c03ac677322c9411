//! Stage 3 on rough ground: vehicles run their fine steps alone.

use crate::commands::Control;
use crate::scratch::Scratch;
use crate::state::{State, place};
use rolima_model::spatial::{Drive, SpatialModel};
use rolima_model::{Model, RobotId};

/// So many fine steps, of about a microsecond each, take longer than waking threads.
#[cfg(feature = "parallel")]
const STEPS_WORTH_THREADS: u64 = 32;

/// Moves every vehicle as if it were alone on its ground.
pub(super) fn run(model: &Model, spatial: &SpatialModel, state: &mut State, scratch: &mut Scratch) {
    let Some(rough) = &mut state.rough else { return };
    for i in 0..model.robots.len() {
        let direct = state.control[i] == Some(Control::Direct);
        if direct || !spatial.vehicles[i].has_voltages() {
            // Its actuators have their values: of stage 2, or since the command came.
            continue;
        }
        let (block, lane) = place(model.layout.robot_slot(RobotId(i as u32)));
        let volts = &state.volts[block];
        let drive = Drive {
            left_volts: volts.left[lane],
            right_volts: volts.right[lane],
            brake: rough.brakes[i],
        };
        // Told only what is new: a vehicle alone that gets the same orders has the same bits.
        if drive != rough.told[i] && rough.world.command(i as u32, drive).is_ok() {
            rough.told[i] = drive;
        }
    }
    for (before, i) in scratch.turned_before.iter_mut().zip(0..) {
        *before = rough.vehicle(i).map_or([0.0; 2], |v| v.sides(spatial, i).angle);
    }
    scratch.stepped_at = state.step;
    scratch.velocities_before.clear();
    let vehicles = rough.world.vehicles_mut().iter();
    scratch.velocities_before.extend(vehicles.map(|vehicle| vehicle.state.velocity));
    let steps = model.fine_steps();
    rough.world.drive_by(steps, |spatial, vehicles| {
        #[cfg(feature = "parallel")]
        if vehicles.len() as u64 * steps >= STEPS_WORTH_THREADS
            && vehicles.len() > 1
            && rayon::current_num_threads() > 1
        {
            use rayon::prelude::*;
            let numbered = vehicles.par_iter_mut().enumerate();
            return numbered.for_each(|(i, vehicle)| vehicle.advance(spatial, i as u32, steps));
        }
        for (i, vehicle) in vehicles.iter_mut().enumerate() {
            vehicle.advance(spatial, i as u32, steps);
        }
    });
}
