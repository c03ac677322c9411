//! The beams of a scan.

use rolima_math::{Rot2, Vec2};
use rolima_model::check::{finite, shown};
use rolima_model::{MOST_BEAMS, ModelError, SMALLEST_BEAM_STEP};

/// Beams at equal angles, as directions in the sensor's frame.
#[derive(Clone, Debug, PartialEq)]
pub struct Fan {
    first_angle: f64,
    step_angle: f64,
    /// Unit directions, in the order of the readings.
    directions: Vec<Vec2>,
}

impl Fan {
    /// `beams` beams; beam i at the angle `first_angle` + i `step_angle`, rad, counter-clockwise
    /// from the sensor's x axis. A negative step turns clockwise. At most one full turn.
    pub fn new(first_angle: f64, step_angle: f64, beams: usize) -> Result<Self, ModelError> {
        finite("first_angle", first_angle)?;
        finite("step_angle", step_angle)?;
        if beams == 0 || beams > MOST_BEAMS {
            return Err(ModelError::new("beams", format!("1 to {MOST_BEAMS} beams"), beams));
        }
        let turn = step_angle.abs() * (beams - 1) as f64;
        let small = beams > 1 && step_angle.abs() < SMALLEST_BEAM_STEP;
        if small || turn > core::f64::consts::TAU * (1.0 + 1e-12) || first_angle.abs() > 1e3 {
            return Err(ModelError::new(
                "step_angle",
                format!("steps of at least {SMALLEST_BEAM_STEP} rad that make at most a full turn"),
                format!("{beams} beams at steps of {} rad", shown(step_angle)),
            ));
        }
        let angle = |i: usize| first_angle + step_angle * i as f64;
        let directions = (0..beams).map(|i| Rot2::from_angle(angle(i)).x_axis()).collect();
        Ok(Self { first_angle, step_angle, directions })
    }

    /// How many beams.
    #[inline]
    pub fn beams(&self) -> usize {
        self.directions.len()
    }
    /// Angle of a beam in the sensor's frame, rad.
    #[inline]
    pub fn angle(&self, beam: usize) -> f64 {
        self.first_angle + self.step_angle * beam as f64
    }
    /// Angle between beams, rad; negative if they turn clockwise.
    #[inline]
    pub fn step_angle(&self) -> f64 {
        self.step_angle
    }
    /// Direction of a beam when the sensor's frame is turned by `rotation`: what a scan uses.
    #[inline(always)]
    pub fn direction(&self, beam: usize, rotation: Rot2) -> Vec2 {
        rotation.rotate(self.directions[beam])
    }
    #[inline(always)]
    pub(crate) fn directions(&self) -> &[Vec2] {
        &self.directions
    }
}
