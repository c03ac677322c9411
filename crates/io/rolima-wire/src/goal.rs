//! What clients ask of goals.

use crate::ask::{WireError, number, point};
use crate::pb;
use rolima_math::Pose2;

/// A goal that a client sends a robot to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GoalAsked {
    /// Where to; of a ball, where to send that.
    pub pose: Pose2,
    /// The ball to meet, by the number of its body.
    pub ball: Option<u32>,
    /// Whether it goes there after the goals that it has.
    pub append: bool,
    /// Whether it goes for the first goal again after the last.
    pub repeat: bool,
}

/// The goal; none to take it away.
pub(crate) fn asked(goal: pb::SetGoal) -> Result<Option<GoalAsked>, WireError> {
    let pb::SetGoal { x, y, heading, cancel, ball, append, repeat, .. } = goal;
    if cancel {
        return Ok(None);
    }
    let position = point(["set_goal.x", "set_goal.y"], x, y)?;
    let heading = number("set_goal.heading", heading)?;
    let pose = Pose2::new(position.x, position.y, heading);
    Ok(Some(GoalAsked { pose, ball: (ball > 0).then_some(ball), append, repeat }))
}
