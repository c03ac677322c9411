//! What a camera's clients get, and who has got what.

use super::lock;
use crate::messages::Turn;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// Frames that are kept for clients that are about to send another one.
const KEPT: usize = 4;

/// A frame that was delivered.
#[derive(Clone)]
pub(crate) struct Sent {
    pub(crate) body: Arc<[u8]>,
    pub(crate) number: u64,
}

/// What is delivered now.
#[derive(Default)]
struct Now {
    /// Counts what is delivered.
    sequence: u64,
    /// Counts cameras: another scene has another one.
    camera: u64,
    /// The camera, for those who watch and for those in lock step.
    info: Option<[Arc<[u8]>; 2]>,
    key: Option<Arc<[u8]>>,
    /// The newest frames with their places in the sequence, the oldest first.
    frames: VecDeque<(u64, Sent)>,
    /// How many were delivered.
    delivered: u64,
    turn: Option<(u64, Turn)>,
    /// How many clients there are: without any, nothing is drawn.
    clients: usize,
    ended: bool,
}

/// What a camera's clients get.
#[derive(Default)]
pub(crate) struct Outbox {
    now: Mutex<Now>,
    /// Rung when there is something new.
    news: Condvar,
}

/// How far a client has got.
#[derive(Clone, Copy, Default)]
pub(crate) struct Place {
    sequence: u64,
    camera: u64,
    delivered: u64,
    is_begun: bool,
}

/// A camera as its clients are told first.
#[derive(Clone)]
pub(crate) struct CameraBegun {
    /// Its message, for those who watch and for those in lock step.
    pub(crate) info: [Arc<[u8]>; 2],
    /// The message with its background.
    pub(crate) key: Arc<[u8]>,
}

/// What there is for a client.
#[derive(Default)]
pub(crate) struct News {
    /// Another camera, and its background.
    pub(crate) camera: Option<CameraBegun>,
    pub(crate) frames: Vec<Sent>,
    /// Frames that were delivered and are gone already.
    pub(crate) missed: u64,
    pub(crate) turn: Option<Turn>,
    pub(crate) ended: bool,
}

impl Outbox {
    fn change(&self, change: impl FnOnce(&mut Now)) {
        let mut now = lock(&self.now);
        now.sequence += 1;
        change(&mut now);
        drop(now);
        self.news.notify_all();
    }

    /// A camera begins, with its background.
    pub(crate) fn begin(&self, info: [Arc<[u8]>; 2], key: Arc<[u8]>) {
        self.change(|now| {
            now.camera += 1;
            (now.info, now.key, now.turn) = (Some(info), Some(key), None);
            now.frames.clear();
        });
    }

    /// There is no such camera any more.
    pub(crate) fn nothing(&self) {
        self.change(|now| {
            (now.info, now.key, now.turn) = (None, None, None);
            now.frames.clear();
        });
    }

    /// Delivers a frame.
    pub(crate) fn frame(&self, sent: Sent) {
        self.change(|now| {
            now.delivered += 1;
            if now.frames.len() == KEPT {
                now.frames.pop_front();
            }
            let sequence = now.sequence;
            now.frames.push_back((sequence, sent));
        });
    }

    /// The world waits.
    pub(crate) fn turn(&self, turn: Turn) {
        self.change(|now| now.turn = Some((now.sequence, turn)));
    }

    /// Nobody is to be told of the last turn any more.
    pub(crate) fn forget_turn(&self) {
        lock(&self.now).turn = None;
    }

    /// The run is over.
    pub(crate) fn end(&self) {
        self.change(|now| now.ended = true);
    }

    /// Wakes all who wait, to look at something else.
    pub(crate) fn ring(&self) {
        self.news.notify_all();
    }

    /// A client comes (1) or goes (-1).
    pub(crate) fn add_clients(&self, change: isize) {
        let mut now = lock(&self.now);
        now.clients = now.clients.saturating_add_signed(change);
    }

    /// Whether somebody wants frames. The loop's thread asks; if others are just looking, it is told yes.
    pub(crate) fn has_clients(&self) -> bool {
        self.now.try_lock().map_or(true, |now| now.clients > 0)
    }

    /// The background now.
    pub(crate) fn key(&self) -> Option<Arc<[u8]>> {
        lock(&self.now).key.clone()
    }

    /// How many frames were delivered since a client got its last ones.
    pub(crate) fn delivered_since(&self, place: &Place) -> u64 {
        lock(&self.now).delivered.saturating_sub(place.delivered)
    }

    /// What is new for a client, or nothing after a while, or when it is `woken`.
    pub(crate) fn wait(
        &self,
        place: &mut Place,
        longest: Duration,
        woken: impl Fn() -> bool,
    ) -> News {
        let mut now = lock(&self.now);
        if now.sequence == place.sequence && !now.ended && !woken() {
            now = self.news.wait_timeout(now, longest).unwrap_or_else(PoisonError::into_inner).0;
        }
        let mut news = News { ended: now.ended, ..News::default() };
        if place.camera != now.camera
            && let (Some(info), Some(key)) = (&now.info, &now.key)
        {
            news.camera = Some(CameraBegun { info: info.clone(), key: Arc::clone(key) });
        }
        let fresh = now.frames.iter().filter(|(sequence, _)| *sequence > place.sequence);
        news.frames.extend(fresh.map(|(_, sent)| sent.clone()));
        // Who has just come gets the newest frame alone, and has missed none.
        let due = now.delivered - place.delivered;
        if place.is_begun {
            news.missed = due.saturating_sub(news.frames.len() as u64);
        } else if let Some(newest) = news.frames.pop() {
            news.frames = vec![newest];
        }
        let turn = now.turn.filter(|(sequence, _)| *sequence > place.sequence);
        news.turn = turn.map(|(_, turn)| turn);
        *place = Place {
            sequence: now.sequence,
            camera: now.camera,
            delivered: now.delivered,
            is_begun: true,
        };
        news
    }
}
