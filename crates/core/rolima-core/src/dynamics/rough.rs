//! Stage 3 on rough ground: vehicles run their fine steps alone.

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
