//! What a viewer is told of robots that were sent to poses.

use super::refusal;
use super::tick::Tick;
use crate::goals::SharedGoals;
use axum::body::Bytes;
use rolima_run::live::{GoalStatus, Phase, Progress, PublishedGoal};
use rolima_wire::{now, pb};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What one viewer was told of goals.
pub(crate) struct SentGoals {
    shared_goals: Option<SharedGoals>,
    wanted: Arc<AtomicBool>,
    /// Scene and version of what was told last.
    last_sent: Option<(u32, u64)>,
    /// Plans that were told, by robot.
    plans: BTreeMap<u32, u32>,
}

impl SentGoals {
    pub(crate) fn new(shared_goals: Option<SharedGoals>, wanted: Arc<AtomicBool>) -> Self {
        Self { shared_goals, wanted, last_sent: None, plans: BTreeMap::new() }
    }

    /// The message that goes with a tick, where something has changed.
    pub(crate) fn message(&mut self, tick: &Tick) -> Option<Bytes> {
        let shared_goals = self.shared_goals.as_ref()?;
        if !self.wanted.load(Relaxed) {
            self.last_sent = None;
            return None;
        }
        let generation = tick.publication.now.generation;
        if self.last_sent == Some((generation, shared_goals.version())) {
            return None;
        }
        let (last_sent, goals) =
            shared_goals.look(|now| ((now.generation, now.version), now.goals.clone()));
        // Of a scene that is gone, or of one that is yet to come.
        if last_sent.0 != generation {
            return None;
        }
        if self.last_sent.is_none_or(|before| before.0 != generation) {
            self.plans.clear();
        }
        self.last_sent = Some(last_sent);
        self.plans.retain(|robot, _| goals.iter().any(|goal| goal.robot.0 == *robot));
        let goals = goals.iter().map(|goal| {
            let is_new = self.plans.insert(goal.robot.0, goal.shown.plan) != Some(goal.shown.plan);
            message_of(goal, is_new)
        });
        let goals = pb::Goals { generation, goals: goals.collect() };
        Some(now::server_message(pb::server_message::Kind::Goals(goals)).into())
    }
}

fn message_of(published: &PublishedGoal, with_path: bool) -> pb::Goal {
    use pb::goal::State;
    let (state, refusal) = match published.status {
        GoalStatus::Going(Progress::Driving) => (State::Driving, None),
        GoalStatus::Going(Progress::Searching) => (State::Searching, None),
        GoalStatus::Going(Progress::Arrived) => (State::Arrived, None),
        GoalStatus::Going(Progress::Blocked) => (State::Blocked, None),
        GoalStatus::Going(Progress::Lost) => (State::Lost, None),
        GoalStatus::Going(Progress::Unplanned(why)) => {
            (State::Unplanned, Some(refusal::of_plan(why)))
        }
        GoalStatus::Refused(why) => (State::Refused, Some(refusal::of_goal(why))),
    };
    let reason = match published.status {
        GoalStatus::Going(Progress::Unplanned(why)) => why.to_string(),
        GoalStatus::Refused(why) => why.to_string(),
        _ => String::new(),
    };
    let phase = match published.shown.phase {
        Phase::Standing => pb::goal::Phase::Standing,
        Phase::Turning => pb::goal::Phase::Turning,
        Phase::Driving => pb::goal::Phase::Moving,
        Phase::Approaching => pb::goal::Phase::Approaching,
        Phase::Striking => pb::goal::Phase::Striking,
        Phase::Holding => pb::goal::Phase::Holding,
    };
    let path = with_path.then(|| {
        let points = || published.shown.references.iter().chain(&published.shown.beyond);
        pb::GoalPath {
            x: points().map(|p| p.x as f32).collect(),
            y: points().map(|p| p.y as f32).collect(),
            references: published.shown.references.len() as u32,
            every_s: published.shown.every_s as f32,
        }
    });
    pb::Goal {
        body: published.robot.0,
        x: published.goal.position.x,
        y: published.goal.position.y,
        heading: published.goal.theta(),
        state: state.into(),
        reason,
        refusal,
        reference_x: published.shown.reference.position.x as f32,
        reference_y: published.shown.reference.position.y as f32,
        reference_heading: published.shown.reference.theta() as f32,
        left_m: published.shown.left_m as f32,
        left_s: published.shown.left_s as f32,
        plan: published.shown.plan,
        clock_s: published.shown.clock_s as f32,
        path,
        number: published.number + 1,
        count: published.count,
        phase: phase.into(),
        believed_x: published.shown.believed.position.x as f32,
        believed_y: published.shown.believed.position.y as f32,
        believed_heading: published.shown.believed.theta() as f32,
        predicted_error: published.shown.error_m as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_run::live::{GoalRefusal, NavError};

    #[test]
    fn what_stands_in_the_way_is_told_with_its_reason() {
        use pb::goal::State;
        use pb::refusal::{Code, Nav};
        let told = |status| {
            let goal = message_of(&PublishedGoal { status, ..PublishedGoal::default() }, false);
            let code = goal.refusal.as_ref().map(|why| (why.code(), why.nav()));
            (goal.state(), goal.reason, code)
        };
        let legs = NavError::TooManyLegs;
        let code = Some((Code::GoalUnplanned, Nav::TooManyLegs));
        assert_eq!(
            told(GoalStatus::Going(Progress::Unplanned(legs))),
            (State::Unplanned, legs.to_string(), code)
        );
        let wall = GoalRefusal::InWall;
        let code = Some((Code::GoalInWall, Nav::Unknown));
        assert_eq!(told(GoalStatus::Refused(wall)), (State::Refused, wall.to_string(), code));
        let (_, _, code) = told(GoalStatus::Refused(GoalRefusal::Robot(NavError::BadLimit)));
        assert_eq!(code, Some((Code::GoalNotDrivable, Nav::BadLimit)));
        assert_eq!(
            told(GoalStatus::Going(Progress::Driving)),
            (State::Driving, String::new(), None)
        );
    }
}
