//! What a viewer is told of robots that were sent to poses.

use super::refusal;
use super::tick::Tick;
use crate::goals::GoalBoard;
use axum::body::Bytes;
use rolima_run::live::{GoalShown, GoalStatus, Phase, Progress};
use rolima_wire::{now, pb};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What one viewer was told of goals.
pub(crate) struct GoalsTold {
    board: Option<GoalBoard>,
    wanted: Arc<AtomicBool>,
    /// Scene and version of what was told last.
    told: Option<(u32, u64)>,
    /// Plans that were told, by robot.
    plans: BTreeMap<u32, u32>,
}

impl GoalsTold {
    pub(crate) fn new(board: Option<GoalBoard>, wanted: Arc<AtomicBool>) -> Self {
        Self { board, wanted, told: None, plans: BTreeMap::new() }
    }

    /// The message that goes with a tick, where something has changed.
    pub(crate) fn message(&mut self, tick: &Tick) -> Option<Bytes> {
        let board = self.board.as_ref()?;
        if !self.wanted.load(Relaxed) {
            self.told = None;
            return None;
        }
        let generation = tick.moment.now.generation;
        if self.told == Some((generation, board.version())) {
            return None;
        }
        let (told, goals) = board.look(|now| ((now.generation, now.version), now.goals.clone()));
        // Of a scene that is gone, or of one that is yet to come.
        if told.0 != generation {
            return None;
        }
        if self.told.is_none_or(|before| before.0 != generation) {
            self.plans.clear();
        }
        self.told = Some(told);
        self.plans.retain(|robot, _| goals.iter().any(|goal| goal.robot.0 == *robot));
        let goals = goals.iter().map(|goal| {
            let is_new = self.plans.insert(goal.robot.0, goal.plan) != Some(goal.plan);
            message_of(goal, is_new)
        });
        let goals = pb::Goals { generation, goals: goals.collect() };
        Some(now::server_message(pb::server_message::Kind::Goals(goals)).into())
    }
}

fn message_of(shown: &GoalShown, with_path: bool) -> pb::Goal {
    use pb::goal::State;
    let (state, refusal) = match shown.status {
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
    let reason = match shown.status {
        GoalStatus::Going(Progress::Unplanned(why)) => why.to_string(),
        GoalStatus::Refused(why) => why.to_string(),
        _ => String::new(),
    };
    let phase = match shown.phase {
        Phase::Standing => pb::goal::Phase::Standing,
        Phase::Turning => pb::goal::Phase::Turning,
        Phase::Driving => pb::goal::Phase::Moving,
        Phase::Approaching => pb::goal::Phase::Approaching,
        Phase::Striking => pb::goal::Phase::Striking,
        Phase::Holding => pb::goal::Phase::Holding,
    };
    let path = with_path.then(|| {
        let points = || shown.references.iter().chain(&shown.beyond);
        pb::GoalPath {
            x: points().map(|p| p.x as f32).collect(),
            y: points().map(|p| p.y as f32).collect(),
            references: shown.references.len() as u32,
            every_s: shown.every_s as f32,
        }
    });
    pb::Goal {
        body: shown.robot.0,
        x: shown.goal.position.x,
        y: shown.goal.position.y,
        heading: shown.goal.theta(),
        state: state.into(),
        reason,
        refusal,
        reference_x: shown.reference.position.x as f32,
        reference_y: shown.reference.position.y as f32,
        reference_heading: shown.reference.theta() as f32,
        left_m: shown.left_m as f32,
        left_s: shown.left_s as f32,
        plan: shown.plan,
        clock_s: shown.clock_s as f32,
        path,
        number: shown.number + 1,
        count: shown.count,
        phase: phase.into(),
        believed_x: shown.believed.position.x as f32,
        believed_y: shown.believed.position.y as f32,
        believed_heading: shown.believed.theta() as f32,
        predicted_error: shown.error_m as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_run::live::{NavError, Refusal};

    #[test]
    fn what_stands_in_the_way_is_told_with_its_reason() {
        use pb::goal::State;
        use pb::refusal::{Code, Nav};
        let told = |status| {
            let goal = message_of(&GoalShown { status, ..GoalShown::default() }, false);
            let code = goal.refusal.as_ref().map(|why| (why.code(), why.nav()));
            (goal.state(), goal.reason, code)
        };
        let legs = NavError::TooManyLegs;
        let code = Some((Code::GoalUnplanned, Nav::TooManyLegs));
        assert_eq!(
            told(GoalStatus::Going(Progress::Unplanned(legs))),
            (State::Unplanned, legs.to_string(), code)
        );
        let wall = Refusal::InWall;
        let code = Some((Code::GoalInWall, Nav::Unknown));
        assert_eq!(told(GoalStatus::Refused(wall)), (State::Refused, wall.to_string(), code));
        let (_, _, code) = told(GoalStatus::Refused(Refusal::Robot(NavError::BadLimit)));
        assert_eq!(code, Some((Code::GoalNotDrivable, Nav::BadLimit)));
        assert_eq!(
            told(GoalStatus::Going(Progress::Driving)),
            (State::Driving, String::new(), None)
        );
    }
}
