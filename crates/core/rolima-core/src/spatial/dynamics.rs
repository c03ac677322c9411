//! Stage 3 in space: vehicles run their fine steps alone.

use super::{Scratch, State, known};
use crate::commands::Control;
use rolima_model::Model;
use rolima_model::spatial::DriveVolts;

/// So many fine steps, of about a microsecond each, take longer than waking threads.
#[cfg(feature = "parallel")]
const STEPS_WORTH_THREADS: u64 = 32;

/// Moves every vehicle as if it were alone on its ground.
pub(crate) fn run(
    model: &Model,
    state: &mut State,
    control: &[Option<Control>],
    scratch: &mut Scratch,
) {
    let spatial = known(model);
    for i in 0..model.robots.len() {
        let direct = control[i] == Some(Control::Direct);
        if direct || !spatial.vehicles[i].has_voltages() {
            // Its actuators have their values: of stage 2, or since the command came.
            continue;
        }
        let [right_volts, left_volts] = state.volts[i];
        let drive = DriveVolts { left_volts, right_volts, brake: state.brakes[i] };
        // Told only what is new: a vehicle alone that gets the same orders has the same bits.
        if drive != state.last_command[i] && state.world.command(spatial, i as u32, drive) {
            state.last_command[i] = drive;
        }
    }
    for (before, i) in scratch.turned_before.iter_mut().zip(0..) {
        *before = state.vehicle(i).map_or([0.0; 2], |v| v.side_angles(spatial, i));
    }
    scratch.velocities_before.clear();
    let vehicles = state.world.vehicles_mut().iter();
    scratch.velocities_before.extend(vehicles.map(|vehicle| vehicle.state.velocity));
    let steps = model.fine_steps();
    state.world.drive_by(spatial, steps, |vehicles| {
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
