//! Viewers that are controllers in lock step.

use super::handler::{Client, RequestHandler};
use super::outbox::Outbox;
use super::refusal::RequestRefusal;
use super::sensor_feed::Watched;
use super::tick::{SceneKnown, saturated};
use crate::senses::sigmas_of;
use rolima_core::model::Mount;
use rolima_core::{CameraNoise, Event, Exposure, Frame, RobotId};
use rolima_run::live::{PublishedContact, PublishedTurn, Request, TurnRefusal, TurnSink};
use rolima_wire::{ContactNow, DriveAsked, EventNow, Now, now, pb};

impl RequestHandler {
    pub(super) fn join(&self, period: u32, client: &Client) -> Result<(), RequestRefusal> {
        let turns = Box::new(TurnSender { outbox: client.outbox.clone() });
        let period = period.into();
        // Before: the first turn, or the refusal, may come at once.
        self.note_controller(client);
        let controlled = client.outbox.controls();
        client.outbox.set_controls(true);
        let sent = self.send(Request::Join { controller: client.number, period, turns });
        if sent.is_err() {
            client.outbox.set_controls(controlled);
        }
        sent
    }

    pub(super) fn answer(
        &self,
        step: u64,
        drives: Vec<DriveAsked>,
        client: &Client,
    ) -> Result<(), RequestRefusal> {
        if !client.outbox.controls() {
            return Err(RequestRefusal::NotJoined);
        }
        let mut wrong = vec![];
        let mut commands = Vec::with_capacity(drives.len());
        let mut seats = self.seats();
        for drive in drives {
            match self.take_for_answer(&mut seats, &drive, client) {
                Ok(()) => commands.push((RobotId(drive.body), drive.command)),
                Err(why) => wrong.push(why),
            }
        }
        // Told before the next turn can come.
        let others = wrong.len().saturating_sub(1);
        match wrong.into_iter().next() {
            None => {}
            Some(why) if others == 0 => client.refuse(&why),
            Some(why) => client.refuse(&RequestRefusal::Several { first: Box::new(why), others }),
        }
        // The world waits for the answer, also if parts of it are refused.
        self.send(Request::Answer { controller: client.number, step, commands })
    }
}

/// Tells a controller in lock step that the world waits for it.
struct TurnSender {
    outbox: Outbox,
}

impl TurnSink for TurnSender {
    fn turn(&mut self, turn: &PublishedTurn<'_>) {
        self.outbox.turn(turn);
    }

    fn refused(&mut self, why: TurnRefusal) {
        use TurnRefusal::{NotLockStep, Period, TooMany};
        if matches!(why, NotLockStep | Period | TooMany) {
            // It does not take part: it stays a viewer.
            self.outbox.set_controls(false);
        }
        self.outbox.refuse(pb::notice::Level::Warning, &RequestRefusal::Turn(why));
    }
}

/// A turn as the loop leaves it for the viewer's task.
pub(crate) struct TurnCopy {
    pub(crate) generation: u32,
    frame: Frame,
    contacts: Vec<PublishedContact>,
    events: Vec<Event>,
    events_left_out: u64,
    /// Standard deviations of all sensors, where the controller watches some.
    sigmas: Vec<Vec<f64>>,
    /// What all cameras took last, where the controller wants pictures.
    pub(crate) exposures: Vec<Exposure>,
    pub(crate) cameras: Vec<(usize, CameraNoise)>,
}

impl TurnCopy {
    pub(crate) fn new(turn: &PublishedTurn<'_>, watches: bool, pictures: bool) -> Self {
        let sensors = if watches { turn.senses.count() } else { 0 };
        let cameras = if pictures { sensors } else { 0 };
        let taken = |device| Some((device, turn.senses.camera_noise(device)?));
        let cameras: Vec<_> = (0..cameras).filter_map(taken).collect();
        let exposures = if cameras.is_empty() { vec![] } else { turn.senses.exposures.clone() };
        let sigmas = (0..sensors).map(|device| sigmas_of(turn.senses, device).collect());
        Self {
            generation: turn.generation,
            frame: turn.frame.clone(),
            contacts: turn.contacts.to_vec(),
            events: turn.events.to_vec(),
            events_left_out: turn.events_left_out,
            sigmas: sigmas.collect(),
            exposures,
            cameras,
        }
    }

    /// The step that the world waits at.
    pub(crate) fn step(&self) -> u64 {
        self.frame.step
    }

    /// The whole message.
    pub(crate) fn message(
        &self,
        scene: &SceneKnown,
        watched: &Watched,
        pictures: Vec<pb::Picture>,
    ) -> Vec<u8> {
        let contact =
            |c: &PublishedContact| ContactNow { x: c.point.x, y: c.point.y, impulse: c.impulse };
        let now = Now {
            contacts: self.contacts.iter().map(contact).collect(),
            ..Now::of(self.generation, &self.frame)
        };
        let told = |event| EventNow::of(0, event).message(&scene.scene);
        let frame = pb::Frame {
            events: self.events.iter().map(told).collect(),
            events_dropped: saturated(self.events_left_out),
            ..now.key_frame()
        };
        let readings = |mount: &Mount| scene.readings(&now, *mount, Some(self.sigmas.as_slice()));
        let readings = watched.mounts.iter().filter_map(readings).collect();
        let turn = pb::Turn { step: self.step(), frame: Some(frame), readings, pictures };
        now::server_message(pb::server_message::Kind::Turn(turn))
    }
}
