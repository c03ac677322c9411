//! Going for a ball: straight to it, or where walls stand between, along a way that the planner finds.
//!
//! A ball rolls on, and a way leads to where it was to be met. So the way is looked at anew now and then: where
//! nothing stands between robot and meeting place any more, it goes straight there; where something stands
//! between that place and the last corner, it asks for another way.

use super::{GoToPose, LOOK_AHEAD_EVERY, REST};
use crate::grid_planner::Search;
use crate::walls::Walls;
use rolima_core::World;
use rolima_math::{Pose2, Vec2};
use rolima_nav::estimate::EstimateStatus;
use rolima_nav::{Goal, Obstacle};

impl GoToPose {
    /// Where to go for the ball, and the ball where it is to be kept off; none without one to meet.
    pub(super) fn chase(&mut self, world: &World) -> Option<(Option<Goal>, Option<Obstacle>)> {
        let encounter = self.encounter.as_mut()?;
        // As of the picture before the delay, as the ball is.
        let state = *self.navigator.filter().state();
        let walls = Walls::of(world, self.settings.radius);
        let wish = encounter.frame(world, &walls, &state, &self.settings);
        let goal =
            wish.goal.filter(|_| self.navigator.filter().estimate_status() != EstimateStatus::Lost);
        if let Some(goal) = goal {
            self.goal = goal.pose;
        }
        Some((goal, wish.keep_off))
    }

    /// What to go for on the way to the ball: the place behind it, or a corner before that.
    pub(super) fn on_way_to_ball(
        &mut self,
        world: &World,
        here: Option<Pose2>,
        goal: Option<Goal>,
        may_look: bool,
    ) -> Option<Goal> {
        let (here, goal) = (here?, goal?);
        if self.encounter.as_ref().is_some_and(|encounter| encounter.strikes()) {
            self.planner.rest();
            return Some(goal);
        }
        if may_look && self.frames.is_multiple_of(u64::from(LOOK_AHEAD_EVERY)) {
            self.mind_walls(world, here.position, goal.pose.position);
        }
        match self.planner.search() {
            Search::Working | Search::Nowhere => None,
            Search::Idle => Some(goal),
            Search::Found => Some(self.on_way(world, here, goal, may_look)),
        }
    }

    /// Asks for a way where walls stand between, and for another one where it no longer leads there.
    fn mind_walls(&mut self, world: &World, here: Vec2, to: Vec2) {
        let is_nowhere = self.planner.search() == Search::Nowhere;
        if self.planner.search() == Search::Working || is_nowhere && self.rest > 0 {
            return;
        }
        let (walls, keep, mut looked) = (self.walls(world), self.keep(), 0);
        let mut is_clear = |from: Vec2| walls.are_clear([from, to], keep, &mut looked);
        // Past the last corner nothing but the robot's own sight counts.
        let corners = self.planner.path().len().saturating_sub(1);
        let corner = self.planner.path()[..corners].last().filter(|_| self.corner < corners);
        if is_clear(here) {
            self.planner.rest();
        } else if !corner.is_some_and(|corner| is_clear(*corner)) {
            self.planner.seek(here, to, &[]);
            (self.corner, self.rest) = (1, REST);
        }
        self.looks -= looked as isize;
    }
}
