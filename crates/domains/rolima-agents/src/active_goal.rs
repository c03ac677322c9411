//! A robot on its route: from goal to goal.

use crate::go_to_pose::{GoToPose, GoalProgress, GoalRefusal};
use crate::pilot::{frame_of, steps_of_frame};
use crate::published_goal::{GoalStatus, PublishedGoal};
use crate::route::{Route, Target};
use crate::vision::Blur;
use rolima_core::{Model, RobotId, World};
use rolima_math::Pose2;
use rolima_model::DriverSpec;
use serde::{Deserialize, Serialize};

/// More frames than any robot waits at a goal.
const MOST_WAITED: u64 = 1 << 53;

/// A robot that goes somewhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct ActiveGoal {
    pub(crate) robot: RobotId,
    pub(crate) route: Route,
    /// The goal of its route that it goes for, or stays at.
    pub(crate) at: u32,
    /// Whether it is there, and for how many frames.
    pub(crate) reached: bool,
    pub(crate) waited: u64,
    /// Whether its own driver sends it.
    pub(crate) is_own: bool,
    /// None where the goal was refused; why, then.
    pub(crate) go_to_pose: Result<Box<GoToPose>, GoalRefusal>,
    /// The step before which its next frame is due.
    pub(crate) due: u64,
    /// The number of its first plan: goes on over goals of a robot.
    pub(crate) first_plan: u32,
    /// Its turn to search for a way, while it does.
    pub(crate) turn: Option<u64>,
}

impl ActiveGoal {
    /// Goes on to the next goal once it was at this one for as long as it is to be. Where that is
    /// refused, it goes no further.
    pub(crate) fn mind_route(&mut self, world: &World) -> Result<(), ()> {
        let Ok(go_to_pose) = &mut self.go_to_pose else { return Ok(()) };
        if !self.reached && go_to_pose.is_done() {
            self.reached = true;
            go_to_pose.settle(world);
        }
        let Some(next) = self.next().filter(|_| self.reached) else { return Ok(()) };
        let frame_s = steps_of_frame(world) as f64 * world.model().step_s;
        if (self.waited as f64) * frame_s < self.route.wait_s {
            self.waited += 1;
            return Ok(());
        }
        (self.at, self.reached, self.waited) = (next, false, 0);
        let Some(goal) = self.route.goals.get(next as usize) else { return Ok(()) };
        let Ok(go_to_pose) = &mut self.go_to_pose else { return Ok(()) };
        go_to_pose.send_on(world, *goal).map_err(|why| self.go_to_pose = Err(why))
    }

    /// The goal after this one, if there is one: a single pose is not gone to again.
    pub(crate) fn next(&self) -> Option<u32> {
        let goals = &self.route.goals;
        let next = self.at + 1;
        let stays = matches!(goals[..], [Target::Pose(_)]);
        match (next as usize) < goals.len() {
            true => Some(next),
            false => (self.route.repeat && !stays).then_some(0),
        }
    }

    /// Whether what was read back is a robot of a model on its route, or why it was refused: a route without
    /// goals, too.
    pub(crate) fn fits(&self, model: &Model) -> bool {
        let counted = self.waited < MOST_WAITED && self.robot.index() < model.robots.len();
        counted
            && match &self.go_to_pose {
                Ok(go_to_pose) => {
                    self.route.is_sane()
                        && (self.at as usize) < self.route.goals.len()
                        && go_to_pose.robot() == self.robot
                        && go_to_pose.fits(model)
                }
                Err(_) => true,
            }
    }

    pub(crate) fn show(&self, published: &mut PublishedGoal) {
        (published.robot, published.number) = (self.robot, self.at);
        published.count = self.route.goals.len() as u32;
        match &self.go_to_pose {
            Err(why) => {
                published.status = GoalStatus::Refused(*why);
                published.goal = match self.route.goals.get(self.at as usize) {
                    Some(Target::Pose(pose)) => *pose,
                    Some(Target::Ball { aim, .. }) => Pose2 { position: *aim, ..Pose2::IDENTITY },
                    None => Pose2::IDENTITY,
                };
                let stands = GoalProgress {
                    believed: published.goal,
                    reference: published.goal,
                    ..GoalProgress::default()
                };
                published.shown.follow(&stands, self.first_plan);
            }
            Ok(go_to_pose) => {
                let now = go_to_pose.goal_progress();
                published.goal = go_to_pose.goal();
                published.status = GoalStatus::Going(now.state);
                published.shown.follow(now, self.first_plan);
            }
        }
    }
}

/// The route of a robot's own driver, if it goes to goals.
pub(crate) fn route_of(model: &Model, robot: RobotId) -> Option<Route> {
    match &model.robots.get(robot.index())?.driver {
        DriverSpec::GoTo { route, .. } => Some(Route::of(model, route)),
        _ => None,
    }
}

/// Sends a robot that has a task of going to a pose along a route, from one of its goals on; none
/// of them is refused.
pub(crate) fn set_out(
    go_to_pose: &mut GoToPose,
    world: &World,
    (route, at): &(Route, u32),
) -> Result<(), GoalRefusal> {
    let goal = checked(go_to_pose, world, route, *at)?;
    go_to_pose.send_on(world, goal)
}

/// The same for a robot that has none yet: it sees as its driver says, or the scene.
pub(crate) fn go_to_pose_of(
    world: &World,
    robot: RobotId,
    (route, at): &(Route, u32),
) -> Result<GoToPose, GoalRefusal> {
    let blur = blur_of(world.model(), robot);
    // Another noise with every goal, told by when it began.
    let state = world.state();
    let key = state.seed.wrapping_add(state.step.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let goal = route.goals.get(*at as usize).filter(|_| route.is_sane());
    let go_to_pose =
        GoToPose::seeing(world, robot, *goal.ok_or(GoalRefusal::BadRoute)?, (blur, key))?;
    checked(&go_to_pose, world, route, *at)?;
    Ok(go_to_pose)
}

/// How a robot of a model sees that is sent somewhere: as its driver says, or the scene.
pub(crate) fn blur_of(model: &Model, robot: RobotId) -> Blur {
    let driver = model.robots.get(robot.index()).map(|robot| &robot.driver);
    let own = match driver {
        Some(DriverSpec::GoTo { vision, .. }) => *vision,
        _ => None,
    };
    let period = frame_of(model) as f64 * model.step_s;
    Blur::of(&own.unwrap_or(model.spec.vision), period)
}

/// A goal of a route of which all could be gone for.
pub(crate) fn checked(
    go_to_pose: &GoToPose,
    world: &World,
    route: &Route,
    at: u32,
) -> Result<Target, GoalRefusal> {
    if !route.is_sane() {
        return Err(GoalRefusal::BadRoute);
    }
    route.goals.iter().try_for_each(|goal| go_to_pose.check(world, *goal))?;
    route.goals.get(at as usize).copied().ok_or(GoalRefusal::BadRoute)
}
