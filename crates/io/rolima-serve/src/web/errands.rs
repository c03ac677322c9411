//! Viewers that send robots to poses.

use super::desk::{Claim, Desk, Visitor};
use rolima_core::RobotId;
use rolima_math::Pose2;
use rolima_run::live::{Act, GoalShown, GoalStatus, MOST_GOALS};
use std::time::Instant;

impl Desk {
    /// Sends a robot somewhere; that is driving it, too.
    pub(super) fn send_to(&self, body: u32, pose: Pose2, visitor: &Visitor) -> Result<(), String> {
        let tick = self.robot(body)?;
        self.check_program(body, &tick)?;
        let mut book = self.book();
        self.forget_old_scene(&mut book, Some(&tick));
        let is_mine = self.is_mine(&book, body, visitor, &tick)?;
        if !self.has_room_for_goal(body) {
            return Err(format!("At most {MOST_GOALS} robots can have goals at a time."));
        }
        self.act(Act::Goal { robot: RobotId(body), pose })?;
        let (client, commanded) = (visitor.client, Instant::now());
        book.claims.insert(body, Claim { client, commanded, stopped: false, sent: true });
        if !is_mine {
            self.tell_drivers(&book);
        }
        Ok(())
    }

    /// Takes a robot's goal away; it brakes, stands, and stays whose it is.
    pub(super) fn call_back(&self, body: u32, visitor: &Visitor) -> Result<(), String> {
        let tick = self.robot(body)?;
        self.check_program(body, &tick)?;
        let mut book = self.book();
        self.is_mine(&book, body, visitor, &tick)?;
        self.act(Act::NoGoal { robot: RobotId(body) })?;
        if let Some(claim) = book.claims.get_mut(&body) {
            (claim.commanded, claim.sent) = (Instant::now(), false);
        }
        Ok(())
    }

    /// Whether the loop shows that a robot goes somewhere; believed where it is not known.
    pub(super) fn has_goal(&self, robot: u32) -> bool {
        let is_sent = |goal: &GoalShown| {
            goal.robot.0 == robot && !matches!(goal.status, GoalStatus::Refused(_))
        };
        let board = self.backend.goals.as_ref();
        board.is_none_or(|board| board.look(|now| now.goals.iter().any(is_sent)))
    }

    fn has_room_for_goal(&self, robot: u32) -> bool {
        let has_room = |goals: &[GoalShown]| {
            goals.len() < MOST_GOALS || goals.iter().any(|goal| goal.robot.0 == robot)
        };
        let board = self.backend.goals.as_ref();
        board.is_none_or(|board| board.look(|now| has_room(&now.goals)))
    }
}
