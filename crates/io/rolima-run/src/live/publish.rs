//! What a live run shows: moments, at deadlines.

use super::contract::{
    ContactShown, FRAME_S, GoalShown, MOST_CHANNELS, MapSource, Moment, Outlet, SceneShown, Status,
    TICK_S,
};
use super::deadlines::Deadlines;
use super::goals::MOST_GOALS;
use super::loaded::Prepared;
use super::player::Player;
use super::rate::Rate;
use super::turn::TurnShown;
use crate::stopwatch::Stopwatch;
use rolima_core::{Event, Frame, GoalReport, Instant, Model, events::LOG_CAPACITY, schema};
use std::sync::Arc;

/// Shows the world to the outlets and keeps the books of the deadlines.
pub(super) struct Publisher {
    outlets: Vec<Box<dyn Outlet>>,
    pub(super) status: Status,
    generation: u32,
    frame: Frame,
    contacts: Vec<ContactShown>,
    goals: Vec<GoalShown>,
    reports: Vec<GoalReport>,
    channels: Vec<f64>,
    /// Where the time of steps goes, while an outlet wants to know.
    pub(super) watch: Option<Box<Stopwatch>>,
    /// What happened since the last moment, as far as there is room, and how much ever was too much.
    events: Vec<Event>,
    events_dropped: u64,
    ticks: Deadlines,
    frames: Deadlines,
    rate: Rate,
}

impl Publisher {
    /// Deadlines count from now on.
    pub(super) fn new(outlets: Vec<Box<dyn Outlet>>, now_s: f64) -> Self {
        Self {
            outlets,
            status: Status::default(),
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
            rate: Rate::new(now_s),
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
        // As many as the solver has room for, so that no moment allocates.
        self.contacts.clear();
        self.contacts.reserve(4 * model.body_count() + 64);
        self.channels.clear();
        self.channels.reserve(schema::count(model).min(MOST_CHANNELS));
        // What was measured in another scene says nothing about this one.
        self.watch = None;
        let shown = SceneShown { generation: self.generation, name, model, map, notes, prepared };
        self.outlets.iter_mut().for_each(|outlet| outlet.scene(&shown));
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
    pub(super) fn turn<'a>(&'a mut self, player: &'a Player) -> TurnShown<'a> {
        self.fill(player);
        TurnShown {
            generation: self.generation,
            frame: &self.frame,
            senses: &player.world().state().senses,
            contacts: &self.contacts,
            events: &[],
            events_left_out: 0,
        }
    }

    /// Takes over what has happened, for the next moment.
    pub(super) fn take_events(&mut self, player: &mut Player) {
        if !self.outlets.is_empty() {
            let log = player.world().log();
            let room = log.events().len().min(LOG_CAPACITY - self.events.len());
            self.events.extend_from_slice(&log.events()[..room]);
            self.events_dropped += log.dropped() + (log.events().len() - room) as u64;
        }
        player.clear_events();
    }

    fn fill(&mut self, player: &Player) {
        let world = player.world();
        self.frame.fill(world.model(), world.state());
        self.contacts.clear();
        let shown = |p: rolima_core::Pressing| ContactShown { point: p.point, impulse: p.impulse };
        // What lies on the ground presses all the time.
        let apart = |p: &rolima_core::Pressing| !p.between.contains(&rolima_core::Presser::Ground);
        self.contacts.extend(world.pressing().filter(apart).map(shown));
    }

    /// Shows the world, with the events that were taken since the last time.
    pub(super) fn show(&mut self, player: &Player) {
        if self.outlets.is_empty() {
            return;
        }
        self.fill(player);
        player.show_goals(&mut self.goals);
        self.reports.clear();
        self.reports.extend(self.goals.iter().map(GoalShown::report));
        let (world, frame, goals) = (player.world(), &self.frame, self.reports.as_slice());
        schema::read_first(Instant { world, frame, goals }, MOST_CHANNELS, &mut self.channels);
        let state = player.world().state();
        self.status.seed = state.seed;
        let moment = Moment {
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
        };
        self.outlets.iter_mut().for_each(|outlet| outlet.moment(&moment));
        self.events.clear();
        match (self.outlets.iter().any(|outlet| outlet.wants_profile()), &self.watch) {
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
