//! What a viewer sees of the sensors of robots and of the world: readings with every frame, pictures as they come.

use super::lock_step::TurnCopy;
use super::tick::{SceneKnown, Tick};
use crate::senses::{CameraImage, PictureOrder, Senses, Watching};
use axum::body::Bytes;
use rolima_core::model::Mount;
use rolima_wire::{now, pb};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::oneshot;

/// Whose sensors a viewer wants to see.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Watched {
    pub(crate) mounts: Vec<Mount>,
    pub(crate) pictures: bool,
}

/// What one viewer sees of sensors.
pub(crate) struct SensorFeed {
    senses: Option<Senses>,
    wanted: Arc<Mutex<Watched>>,
    /// What `cameras` were made for, and of which scene.
    watched: (u32, Watched),
    cameras: Vec<Watching>,
    /// Scene and step of the last turn in lock step, and the pictures told by then, by camera.
    turned: (u32, u64),
    last_sent: BTreeMap<usize, u64>,
}

fn message_of(picture: &CameraImage) -> pb::Picture {
    pb::Picture {
        generation: picture.generation,
        step: picture.step,
        body: picture.mount.robot().map_or(0, |robot| robot.0),
        world: picture.mount == Mount::World,
        sensor: picture.sensor,
        number: picture.number,
        png: picture.png(),
    }
}

impl SensorFeed {
    pub(crate) fn new(senses: Option<Senses>, wanted: Arc<Mutex<Watched>>) -> Self {
        let (watched, turned, last_sent) = (Default::default(), (0, 0), BTreeMap::new());
        Self { senses, wanted, watched, cameras: vec![], turned, last_sent }
    }

    /// Whose sensors the viewer wants to see now.
    pub(crate) fn wanted(&self) -> Watched {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The messages that go with a tick.
    pub(crate) fn messages(&mut self, tick: &Tick) -> Vec<Bytes> {
        let wanted = self.wanted();
        let generation = tick.publication.now.generation;
        if (generation, &wanted) != (self.watched.0, &self.watched.1) {
            self.cameras = self.watch(tick, &wanted);
            self.watched = (generation, wanted);
        }
        let watched = &self.watched.1;
        if watched.mounts.is_empty() {
            return vec![];
        }
        let sigmas = self.senses.as_ref().filter(|_| tick.tells_status).map(Senses::sigmas);
        let of = |mount: &Mount| tick.readings(*mount, sigmas.as_ref());
        let mut messages: Vec<Bytes> = watched.mounts.iter().filter_map(of).collect();
        for camera in &mut self.cameras {
            let Some(picture) = camera.take_new() else { continue };
            if picture.generation != generation {
                continue;
            }
            let message = pb::server_message::Kind::Picture(message_of(&picture));
            messages.push(now::server_message(message).into());
        }
        messages
    }

    /// The pictures that go with a turn: the newest of each wanted camera that has taken one since the last
    /// turn.
    pub(crate) async fn pictures_of(
        &mut self,
        turn: &TurnCopy,
        scene: &SceneKnown,
        wanted: &Watched,
    ) -> Vec<pb::Picture> {
        let Some(senses) = self.senses.as_ref().filter(|_| wanted.pictures) else { return vec![] };
        let (generation, step) = (turn.generation, turn.step());
        if generation != self.turned.0 || step <= self.turned.1 {
            // Another world, or the same from its beginning.
            self.last_sent.clear();
        }
        self.turned = (generation, step);
        let wanted = cameras_of(scene, wanted);
        let mut cameras = turn.cameras.clone();
        cameras.retain(|(device, noise)| {
            let is_new =
                self.last_sent.get(device).is_none_or(|last_sent| *last_sent < noise.taken);
            noise.taken > 0 && wanted.contains(device) && is_new
        });
        if cameras.is_empty() {
            return vec![];
        }
        self.last_sent.extend(cameras.iter().map(|(device, noise)| (*device, noise.taken)));
        let (drawn, pictures) = oneshot::channel();
        senses.order(PictureOrder {
            generation,
            exposures: turn.exposures.clone(),
            cameras,
            drawn,
        });
        // None where the scene, or the run, is gone.
        let pictures = pictures.await.unwrap_or_default();
        pictures.iter().map(message_of).collect()
    }

    /// Watches the wanted cameras.
    fn watch(&self, tick: &Tick, wanted: &Watched) -> Vec<Watching> {
        let Some(senses) = self.senses.as_ref().filter(|_| wanted.pictures) else { return vec![] };
        let cameras = cameras_of(&tick.scene, wanted);
        cameras.into_iter().map(|camera| senses.watch(camera)).collect()
    }
}

/// The cameras of those who are wanted, by their numbers among all sensors.
fn cameras_of(scene: &SceneKnown, wanted: &Watched) -> Vec<usize> {
    let of = wanted.mounts.iter().filter_map(|mount| scene.sensors_of(*mount));
    of.flat_map(|of| of.cameras).collect()
}
