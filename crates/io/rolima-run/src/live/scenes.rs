//! The scenes of a run, and how each was left.

use crate::score::by_team;
use rolima_core::{EventKind, World};
use std::collections::VecDeque;

/// Scenes before the one that runs that are kept; of older ones only the count is, so that a viewer
/// who loads scene after scene does not fill the memory.
const MOST_KEPT: usize = 100;

/// How far a run got in one of its scenes.
#[derive(Clone, Debug, PartialEq)]
pub struct SceneSummary {
    /// The scene's title; may be empty.
    pub title: String,
    /// Steps in this scene, over all its starts.
    pub steps: u64,
    /// Simulated time in this scene, s, over all its starts.
    pub simulated_s: f64,
    /// How often it began: once, and again with every reset.
    pub starts: u64,
    /// Simulated time since the last start, s; what is below counts from there.
    pub since_start_s: f64,
    /// Goals by team.
    pub scores: Vec<(String, u64)>,
    /// Events by kind, those that happened.
    pub events: Vec<(EventKind, u64)>,
    /// Hash of every bit of the world's state.
    pub state_hash: u64,
}

impl SceneSummary {
    /// How a world is now, after so many steps of so much simulated time in s, and so many starts.
    pub(super) fn of(world: &World, (simulated_s, steps): (f64, u64), starts: u64) -> Self {
        let state = world.state();
        let scores = by_team(world.model(), &state.scores);
        let count = |&kind: &EventKind| (kind, state.event_count(kind));
        Self {
            title: world.model().spec.title.clone(),
            steps,
            simulated_s,
            starts,
            since_start_s: world.time_s(),
            scores: scores.into_iter().map(|(team, goals)| (team.to_owned(), goals)).collect(),
            events: EventKind::ALL.iter().map(count).filter(|(_, count)| *count > 0).collect(),
            state_hash: world.state_hash(),
        }
    }
}

/// The scenes that a run has left, the last ones in full.
#[derive(Clone, Debug, Default)]
pub struct ScenesLeft {
    kept: VecDeque<SceneSummary>,
    older: u64,
}

impl ScenesLeft {
    pub(super) fn push(&mut self, scene: SceneSummary) {
        if self.kept.len() == MOST_KEPT {
            self.kept.pop_front();
            self.older += 1;
        }
        self.kept.push_back(scene);
    }

    /// How many scenes came before the first that is kept.
    pub fn older(&self) -> u64 {
        self.older
    }

    /// The scenes that are kept, in the order in which they ran.
    pub fn kept(&self) -> impl Iterator<Item = &SceneSummary> {
        self.kept.iter()
    }
}
