//! Viewers that send robots to goals.

use super::driving::name_of;
use super::handler::{Client, RequestHandler};
use super::refusal::RequestRefusal;
use rolima_core::{BodyId, RobotId};
use rolima_run::live::{
    Action, GoalStatus, MOST_GOALS, NotHeld, PublishedGoal, Purpose, Route, Target,
};
use rolima_wire::GoalAsked;
use std::sync::Arc;
use std::time::Instant;

impl RequestHandler {
    /// Sends a robot somewhere; that is driving it, too.
    pub(super) fn send_to(
        &self,
        body: u32,
        asked: GoalAsked,
        client: &Client,
    ) -> Result<(), RequestRefusal> {
        let tick = self.robot(body)?;
        let mut seats = self.seats();
        let held = |held| RequestRefusal::held(held, name_of(&tick.scene, body));
        seats.check(body, client.holder()).map_err(held)?;
        if !self.has_room_for_goal(body) {
            return Err(RequestRefusal::TooManyGoals);
        }
        self.act(action_of(RobotId(body), asked))?;
        seats.take(body, client.holder(), Purpose::Goal, Instant::now()).map_err(held)?;
        Ok(())
    }

    /// Takes a robot's goal away; it brakes, stands, and stays whose it is.
    pub(super) fn call_back(&self, body: u32, client: &Client) -> Result<(), RequestRefusal> {
        let tick = self.robot(body)?;
        let mut seats = self.seats();
        match seats.must_hold(body, client.holder()) {
            // What is shown of a goal that was refused can be taken away by anybody.
            Ok(()) | Err(NotHeld::Free) => {}
            Err(why) => return Err(RequestRefusal::not_held(why, name_of(&tick.scene, body))),
        }
        self.act(Action::NoGoal { robot: RobotId(body) })?;
        // Where it is not held there is nothing to note.
        let _ = seats.command(body, client.holder(), Instant::now());
        Ok(())
    }

    /// Whether the loop shows that a robot goes somewhere; believed where it is not known.
    pub(super) fn has_goal(&self, robot: u32) -> bool {
        let is_sent = |goal: &PublishedGoal| {
            goal.robot == RobotId(robot) && !matches!(goal.status, GoalStatus::Refused(_))
        };
        let shared_goals = self.backend.goals.as_ref();
        shared_goals
            .is_none_or(|shared_goals| shared_goals.look(|now| now.goals.iter().any(is_sent)))
    }

    fn has_room_for_goal(&self, robot: u32) -> bool {
        let has_room = |goals: &[PublishedGoal]| {
            goals.len() < MOST_GOALS || goals.iter().any(|goal| goal.robot == RobotId(robot))
        };
        let shared_goals = self.backend.goals.as_ref();
        shared_goals.is_none_or(|shared_goals| shared_goals.look(|now| has_room(&now.goals)))
    }
}

/// What is done to the world where a client sends a robot to a goal.
fn action_of(robot: RobotId, asked: GoalAsked) -> Action {
    let GoalAsked { pose, ball, append, repeat } = asked;
    let target = match ball {
        None if !append && !repeat => return Action::Goal { robot, pose },
        None => Target::Pose(pose),
        Some(ball) => Target::Ball { ball: BodyId(ball), aim: pose.position },
    };
    let route = Arc::new(Route { goals: vec![target], repeat, ..Route::default() });
    Action::Route { robot, route, append }
}
