//! What a viewer sees of robots' sensors: readings with every frame, pictures as they come.

use super::tick::Tick;
use crate::senses::{Senses, Watching};
use axum::body::Bytes;
use rolima_wire::{now, pb};
use std::sync::{Arc, Mutex, PoisonError};

/// The robots whose sensors a viewer wants to see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Watched {
    pub(crate) bodies: Vec<u32>,
    pub(crate) pictures: bool,
}

/// What one viewer sees of robots' sensors.
pub(crate) struct Sights {
    senses: Option<Senses>,
    wanted: Arc<Mutex<Watched>>,
    /// What `cameras` were made for, and of which scene.
    watched: (u32, Watched),
    cameras: Vec<Watching>,
}

impl Sights {
    pub(crate) fn new(senses: Option<Senses>, wanted: Arc<Mutex<Watched>>) -> Self {
        Self { senses, wanted, watched: Default::default(), cameras: vec![] }
    }

    /// The robots whose sensors the viewer wants to see now.
    pub(crate) fn wanted(&self) -> Watched {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The messages that go with a tick.
    pub(crate) fn messages(&mut self, tick: &Tick) -> Vec<Bytes> {
        let wanted = self.wanted();
        let generation = tick.moment.now.generation;
        if (generation, &wanted) != (self.watched.0, &self.watched.1) {
            self.cameras = self.watch(tick, &wanted);
            self.watched = (generation, wanted);
        }
        let watched = &self.watched.1;
        if watched.bodies.is_empty() {
            return vec![];
        }
        let sigmas = self.senses.as_ref().filter(|_| tick.tells_status).map(Senses::sigmas);
        let of_body = |body: &u32| tick.readings(*body, sigmas.as_ref());
        let mut messages: Vec<Bytes> = watched.bodies.iter().filter_map(of_body).collect();
        for camera in &mut self.cameras {
            let Some(picture) = camera.take_new() else { continue };
            if picture.generation != generation {
                continue;
            }
            let message = pb::Picture {
                generation,
                step: picture.step,
                body: picture.robot,
                sensor: picture.sensor,
                number: picture.number,
                png: picture.png(),
            };
            let message = pb::server_message::Kind::Picture(message);
            messages.push(now::server_message(message).into());
        }
        messages
    }

    /// Watches the cameras of the wanted robots.
    fn watch(&self, tick: &Tick, wanted: &Watched) -> Vec<Watching> {
        let Some(senses) = self.senses.as_ref().filter(|_| wanted.pictures) else { return vec![] };
        let mut cameras = vec![];
        for &body in &wanted.bodies {
            let Some(of) = tick.scene.sensors.get(body as usize) else { continue };
            let sensors = &tick.scene.scene.bodies[body as usize].sensors;
            for (i, _) in sensors.iter().enumerate().filter(|(_, s)| s.kind == "camera") {
                cameras.push(senses.watch(of.device + i));
            }
        }
        cameras
    }
}
