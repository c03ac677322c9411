//! Sensors of the world, and pictures of all cameras.

use super::super::robots::{RequestError, Rgb, Shot, Ticket};
use super::super::world_sensors::{WorldSensorNow, WorldSensors};
use super::LiveRobots;
use super::cameras::Which;
use rolima_core::model::Mount;
use rolima_run::live::{Action, Request};
use std::sync::Arc;

/// A camera: its number among all sensors, and which of the scene's exposures it draws from.
#[derive(Clone, Copy)]
pub(super) struct ProgramCamera {
    pub(super) device: usize,
    pub(super) exposure: usize,
}

impl LiveRobots {
    /// The newest picture of a camera, unless its number is `had`.
    pub(super) fn shot_of(
        &self,
        which: Which,
        camera: Option<ProgramCamera>,
        had: Option<u64>,
    ) -> Shot {
        let (Some(ProgramCamera { device, exposure }), Some(senses)) = (camera, &self.setup.senses)
        else {
            return Shot::NoCamera;
        };
        let (generation, exposed) = {
            let newest = self.buffer.newest();
            (newest.generation, newest.exposures.get(exposure).copied())
        };
        let seen = self.state().cameras.newest(senses, which, device, generation);
        if let Some(seen) = &seen
            && Some(seen.number) != had
        {
            return Shot::Picture { number: seen.number, rgb: Arc::clone(&seen.picture) as Rgb };
        }
        if self.setup.lock_step.is_none() {
            return Shot::NotYet;
        }
        // In lock step the world must not run away from a picture that is being drawn.
        let drawn = seen.map(|seen| seen.picture.step);
        if exposed.is_some() && exposed == drawn { Shot::NotYet } else { Shot::Soon }
    }

    /// Place of a sensor of the world among its sensors.
    fn place_of(&self, name: &str) -> Option<usize> {
        self.layout().world.iter().position(|known| known.name == name)
    }
}

impl WorldSensors for LiveRobots {
    fn names(&self) -> Vec<String> {
        self.layout().world.iter().map(|known| known.name.clone()).collect()
    }

    fn sensor(&self, name: &str) -> Option<WorldSensorNow> {
        let newest = self.buffer.newest();
        let place = newest.layout.world.iter().position(|known| known.name == name)?;
        let known = &newest.layout.world[place];
        let reading = newest.readings.get(known.sensor.range.clone())?;
        Some(WorldSensorNow {
            reading: reading.iter().map(|number| *number as f32).collect(),
            place: known.place,
            beams: known.beams,
            size: known.camera.map(|(size, _)| size),
            std: newest.world_std.get(place).copied().unwrap_or(0.0),
        })
    }

    fn shot(&self, name: &str, had: Option<u64>) -> Shot {
        let Some(place) = self.place_of(name) else { return Shot::NoCamera };
        let layout = self.layout();
        let lens = layout.world.get(place).and_then(|known| {
            let (_, exposure) = known.camera?;
            Some(ProgramCamera { device: known.sensor.device, exposure })
        });
        self.shot_of((Mount::World, place), lens, had)
    }

    fn set_std(&self, name: &str, std: f64) -> Result<Ticket, RequestError> {
        let gone = || RequestError::Refused(format!("the sensor {name:?} is gone"));
        let layout = self.layout();
        let known = layout.world.iter().find(|known| known.name == name).ok_or_else(gone)?;
        let device = known.sensor.device as u32;
        self.send(Request::Action(Action::Sigma { device, axis: 0, sigma: std }))?;
        self.mark()
    }
}
