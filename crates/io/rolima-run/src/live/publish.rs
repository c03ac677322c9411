//! What a live run shows: publications, at deadlines.

use super::contract::{
    FRAME_S, MOST_CHANNELS, MapSource, Publication, PublishedContact, PublishedScene, RunStatus,
    Sink, TICK_S,
};
use super::deadlines::Deadlines;
use super::loaded::Prepared;
use super::rate::RateMeter;
use super::session::Session;
use super::timeline::ShownTimeline;
use super::turn::PublishedTurn;
use crate::stopwatch::Stopwatch;
use rolima_agents::{MOST_GOALS, PublishedGoal};
use rolima_core::{Event, Frame, GoalReport, Instant, Model, events::LOG_CAPACITY, schema};
use std::sync::Arc;

/// Shows the world to the sinks and counts missed deadlines.
pub(super) struct Publisher {
    sinks: Vec<Box<dyn Sink>>,
    pub(super) status: RunStatus,
    generation: u32,
    frame: Frame,
    contacts: Vec<PublishedContact>,
    goals: Vec<PublishedGoal>,
    reports: Vec<GoalReport>,
    channels: Vec<f64>,
    /// Where the time of steps goes, while a sink wants to know.
    pub(super) watch: Option<Box<Stopwatch>>,
    /// What happened since the last publication, as far as there is room, and how much ever was too
    /// much.
    events: Vec<Event>,
    events_dropped: u64,
    ticks: Deadlines,
    frames: Deadlines,
    rate: RateMeter,
    /// The scene that is shown.
    model: Arc<Model>,
}

impl Publisher {
    /// Deadlines count from now on.
    pub(super) fn new(sinks: Vec<Box<dyn Sink>>, model: &Arc<Model>, now_s: f64) -> Self {
        Self {
            sinks,
            status: RunStatus::default(),
            generation: 0,
            frame: Frame::default(),
            contacts: vec![],
            goals: vec![],
            reports: Vec::with_capacity(MOST_GOALS),
            channels: vec![],
            watch: None,
            events: Vec::with_capacity(LOG_CAPACITY),
            events_dropped: 0,
            ticks: Deadlines::new(now_s, TICK_S),
            frames: Deadlines::new(now_s, FRAME_S),
            rate: RateMeter::new(now_s),
            model: Arc::clone(model),
        }
    }

    /// Another scene begins.
    pub(super) fn scene(
        &mut self,
        name: &str,
        model: &Arc<Model>,
        map: Option<&MapSource>,
        notes: &[String],
        prepared: Option<&Prepared>,
    ) {
        self.generation += 1;
        self.model = Arc::clone(model);
        // As many as the solver has room for, so that no publication allocates.
        self.contacts.clear();
        self.contacts.reserve(4 * model.body_count() + 64);
        self.channels.clear();
        self.channels.reserve(schema::count(model).min(MOST_CHANNELS));
        // What was measured in another scene says nothing about this one.
        self.watch = None;
        let scene =
            PublishedScene { generation: self.generation, name, model, map, notes, prepared };
        self.sinks.iter_mut().for_each(|sink| sink.scene(&scene));
    }

    /// The scene that is shown.
    pub(super) fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// The books of the ticks and of the frames.
    pub(super) fn into_deadlines(self) -> [Deadlines; 2] {
        [self.ticks, self.frames]
    }

    /// When the next tick is, s.
    pub(super) fn next_s(&self) -> f64 {
        self.ticks.next_s()
    }

    /// What a controller in lock step sees of the world, but for events.
    pub(super) fn turn<'a>(&'a mut self, session: &'a Session) -> PublishedTurn<'a> {
        self.fill(session);
        PublishedTurn {
            generation: self.generation,
            frame: &self.frame,
            senses: &session.world().state().senses,
            contacts: &self.contacts,
            events: &[],
            events_left_out: 0,
        }
    }

    /// Takes over what has happened, for the next publication.
    pub(super) fn take_events(&mut self, session: &mut Session) {
        self.note_events(session);
        session.clear_events();
    }

    /// The same; the world keeps them.
    pub(super) fn note_events(&mut self, session: &Session) {
        if !self.sinks.is_empty() {
            let log = session.world().log();
            let room = log.events().len().min(LOG_CAPACITY - self.events.len());
            self.events.extend_from_slice(&log.events()[..room]);
            self.events_dropped += log.dropped() + (log.events().len() - room) as u64;
        }
    }

    fn fill(&mut self, session: &Session) {
        let world = session.world();
        self.frame.fill(world.model(), world.state());
        self.contacts.clear();
        let published =
            |p: rolima_core::ContactPoint| PublishedContact { point: p.point, impulse: p.impulse };
        // What lies on the ground presses all the time.
        let apart =
            |p: &rolima_core::ContactPoint| !p.between.contains(&rolima_core::Presser::Ground);
        self.contacts.extend(world.contact_points().filter(apart).map(published));
    }

    /// Shows the world, with the events that were taken since the last time.
    pub(super) fn show(&mut self, session: &Session, timeline: &ShownTimeline) {
        if self.sinks.is_empty() {
            return;
        }
        self.fill(session);
        session.publish_goals(&mut self.goals);
        self.reports.clear();
        self.reports.extend(self.goals.iter().map(PublishedGoal::report));
        let (world, frame, goals) = (session.world(), &self.frame, self.reports.as_slice());
        schema::read_first(Instant { world, frame, goals }, MOST_CHANNELS, &mut self.channels);
        let state = session.world().state();
        self.status.seed = state.seed;
        (self.status.run_time_s, self.status.shown) = (timeline.at.time_s, timeline.mode);
        let publication = Publication {
            generation: self.generation,
            frame: &self.frame,
            senses: &state.senses,
            contacts: &self.contacts,
            events: &self.events,
            events_dropped: self.events_dropped,
            goals: &self.goals,
            channels: &self.channels,
            profile: self.watch.as_deref().map(Stopwatch::profile),
            status: &self.status,
            timeline,
        };
        self.sinks.iter_mut().for_each(|sink| sink.publication(&publication));
        self.events.clear();
        match (self.sinks.iter().any(|sink| sink.wants_profile()), &self.watch) {
            (true, None) => self.watch = Some(Box::default()),
            (false, Some(_)) => self.watch = None,
            _ => {}
        }
    }

    /// Notes that the deadlines up to now were served, and what was simulated by now.
    pub(super) fn served(&mut self, now_s: f64, simulated_s: f64) {
        self.ticks.serve(now_s);
        self.frames.serve(now_s);
        self.status.missed_ticks = self.ticks.missed();
        self.status.missed_frames = self.frames.missed();
        if self.rate.note(now_s, simulated_s) {
            self.update_figures();
        }
    }

    /// Brings those figures up to date that are not kept so all the time.
    pub(super) fn update_figures(&mut self) {
        self.status.real_time_factor = self.rate.factor();
        self.status.tick_lateness = self.ticks.lateness();
        self.status.frame_lateness = self.frames.lateness();
    }
}
