//! What a viewer is told of channels, and of where the time of steps goes.

use super::tick::{SceneKnown, Tick, saturated};
use crate::profile::{Looking, SharedProfile};
use axum::body::Bytes;
use rolima_core::schema::matches_any;
use rolima_wire::{ChannelsAsked, MOST_CHANNELS_WATCHED, now, pb};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// What a viewer asks for: set by the task that reads, looked at by the one that writes.
#[derive(Clone, Default)]
pub(crate) struct Wishes {
    channels: Arc<Mutex<Asked>>,
    profile: Arc<AtomicBool>,
}

#[derive(Clone, Default)]
struct Asked {
    /// Counts what was asked.
    version: u64,
    channels: ChannelsAsked,
}

impl Wishes {
    /// Which channels are wanted from now on.
    pub(crate) fn channels(&self, channels: ChannelsAsked) {
        let mut asked = self.channels.lock().unwrap_or_else(PoisonError::into_inner);
        *asked = Asked { version: asked.version + 1, channels };
    }

    /// Whether the profile is wanted.
    pub(crate) fn profile(&self, on: bool) {
        self.profile.store(on, Relaxed);
    }
}

/// What one viewer was told of channels.
pub(crate) struct SentChannels {
    wishes: Wishes,
    shared_profile: Option<SharedProfile>,
    /// The scene whose list was told.
    listed: Option<u32>,
    /// Scene and question that `chosen` answers.
    answered: (u32, u64),
    chosen: Vec<u32>,
    looking: Option<(Looking, u64)>,
}

impl SentChannels {
    pub(crate) fn new(wishes: Wishes, shared_profile: Option<SharedProfile>) -> Self {
        let (listed, answered, chosen, looking) = (None, (0, 0), vec![], None);
        Self { wishes, shared_profile, listed, answered, chosen, looking }
    }

    /// The messages that go with a tick.
    pub(crate) fn messages(&mut self, tick: &Tick) -> Vec<Bytes> {
        let mut messages = vec![];
        self.tell_channels(tick, &mut messages);
        messages.extend(self.profile(tick));
        messages
    }

    fn tell_channels(&mut self, tick: &Tick, messages: &mut Vec<Bytes>) {
        let generation = tick.publication.now.generation;
        let (version, list) = {
            let asked = self.wishes.channels.lock().unwrap_or_else(PoisonError::into_inner);
            (asked.version, asked.channels.list)
        };
        if list && self.listed != Some(generation) {
            self.listed = Some(generation);
            messages.push(tick.scene.channels_message());
        }
        let is_new = self.answered != (generation, version);
        let mut left_out = 0;
        if is_new {
            let asked = self.wishes.channels.lock().unwrap_or_else(PoisonError::into_inner).clone();
            // Numbers are of the scene that they were asked in.
            let is_same_question = self.answered.1 == asked.version;
            self.answered = (generation, asked.version);
            let numbers = if is_same_question { &[] } else { asked.channels.numbers.as_slice() };
            (self.chosen, left_out) = choose(&tick.scene, &asked.channels.patterns, numbers);
        }
        if self.chosen.is_empty() && !(is_new && version > 0) {
            return;
        }
        let of = |number: &u32| tick.publication.channels.get(*number as usize).copied();
        let values = self.chosen.iter().map(|number| of(number).unwrap_or(f64::NAN));
        let message = pb::ChannelValues {
            generation,
            step: tick.publication.now.step,
            time_s: tick.publication.now.time_s,
            channels: if is_new { self.chosen.clone() } else { vec![] },
            values: values.collect(),
            left_out: saturated(left_out),
        };
        messages.push(now::server_message(pb::server_message::Kind::ChannelValues(message)).into());
    }

    fn profile(&mut self, tick: &Tick) -> Option<Bytes> {
        if !self.wishes.profile.load(Relaxed) {
            self.looking = None;
            return None;
        }
        let shared_profile = self.shared_profile.as_ref()?;
        let (looking, last_sent) = self.looking.get_or_insert_with(|| (shared_profile.look(), 0));
        let version = looking.version();
        if *last_sent == version {
            return None;
        }
        *last_sent = version;
        let (generation, profile) = looking.profile()?;
        if generation != tick.publication.now.generation {
            return None;
        }
        let parts = profile.spent().map(|spent| pb::ProfilePart {
            stage: spent.part.stage().to_owned(),
            part: spent.part.name().to_owned(),
            calls: spent.calls,
            time_s: spent.time_s,
        });
        let message = pb::Profile { generation, steps: profile.steps(), parts: parts.collect() };
        Some(now::server_message(pb::server_message::Kind::Profile(message)).into())
    }
}

/// The channels that are asked for, as many as one viewer gets, and how many are left out.
fn choose(scene: &SceneKnown, patterns: &str, numbers: &[u32]) -> (Vec<u32>, u64) {
    let all = &scene.channels.channels;
    let mut chosen: Vec<u32> = numbers.to_vec();
    if !patterns.is_empty() {
        let named = (0u32..).zip(all).filter(|(_, channel)| matches_any(patterns, &channel.name));
        chosen.extend(named.map(|(number, _)| number));
    }
    chosen.retain(|number| (*number as usize) < all.len());
    chosen.sort_unstable();
    chosen.dedup();
    let left_out = chosen.len().saturating_sub(MOST_CHANNELS_WATCHED);
    chosen.truncate(MOST_CHANNELS_WATCHED);
    (chosen, left_out as u64)
}
