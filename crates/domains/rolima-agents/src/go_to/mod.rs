//! Robots that go to goals: each has a [`GoToPose`](crate::GoToPose), which commands its robot
//! every 30 ms of simulated time, between two steps. The same goals at the same steps give the same
//! bits.
//!
//! Who is sent by somebody goes where it is told; a robot whose driver says so (`go-to`) goes along its
//! route from the first instant, and again once it is released.
//!
//! However many there are, they do not hold the loop: what they look for in a frame is counted and
//! shared out ([`Effort`]), they search for their ways one after the other, and robots that were sent
//! at one instant have their frames one after the other.

#[cfg(test)]
mod tests;

use crate::active_goal::{ActiveGoal, checked, go_to_pose_of, route_of, set_out};
use crate::agent::{Agent, Commands, View};
use crate::effort::{Allowance, Cost, Effort};
use crate::go_to_pose::GoToPose;
use crate::grid_planner::ClearanceMap;
use crate::pilot::steps_of_frame;
use crate::published_goal::PublishedGoal;
use crate::route::Route;
use rolima_core::{Command, Model, RobotId, Volts, World};
use rolima_model::MOST_GOING;
use serde::{Deserialize, Serialize};

/// Most robots of a world that have goals at a time.
pub const MOST_GOALS: usize = MOST_GOING;

/// More turns to search than frames give time for.
const MOST_TURNS: u64 = 1 << 53;

/// A robot whose goal was taken away, until it stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Braking {
    robot: RobotId,
    go_to_pose: Box<GoToPose>,
    due: u64,
}

/// The goals of a world's robots, in the order of robots.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GoTo {
    active: Vec<ActiveGoal>,
    /// At most as many as may have goals; a robot is not in both.
    braking: Vec<Braking>,
    /// The goals with which drivers go on once their robots are released.
    drivers: Vec<(RobotId, u32)>,
    /// Told plans of goals that are gone, so that none has the number of another.
    plans: u32,
    /// What searches may cost, and looks for ways around others.
    searches: Allowance,
    detours: Allowance,
    /// The turn of who was the last to begin a search.
    last_turn: u64,
    /// What was found out about the walls.
    clearances: ClearanceMap,
    /// The step before which the next frame of any is due; zero once somebody was sent or called back.
    due: u64,
    /// What was looked for in the last frames.
    cost: Cost,
}

impl Default for GoTo {
    fn default() -> Self {
        Self {
            active: vec![],
            braking: vec![],
            drivers: vec![],
            plans: 0,
            searches: Allowance::SEARCHES,
            detours: Allowance::DETOURS,
            last_turn: 0,
            clearances: ClearanceMap::default(),
            due: 0,
            cost: Cost::default(),
        }
    }
}

impl GoTo {
    /// The robots of a world at its first instant, of which some have drivers that go to goals.
    pub(crate) fn of(world: &World) -> Self {
        let mut new = Self::default();
        new.start(world);
        new
    }

    /// Sends those on their way whose drivers go to goals.
    fn start(&mut self, world: &World) {
        let model = world.model();
        let goes = |robot: &RobotId| route_of(model, *robot).is_some();
        self.drivers = model.robot_ids().filter(goes).map(|robot| (robot, 0)).collect();
        for robot in self.drivers.iter().map(|(robot, _)| *robot).collect::<Vec<_>>() {
            self.drive_on(world, robot);
        }
    }

    /// Lets the robot's own driver go on with its route, if it has one and there is room.
    fn drive_on(&mut self, world: &World, robot: RobotId) {
        let Ok(own) = self.drivers.binary_search_by_key(&robot, |driver| driver.0) else { return };
        let Some(route) = route_of(world.model(), robot) else { return };
        let from = self.drivers[own].1;
        self.send_from(world, robot, (route, from), true);
    }

    /// Gives a robot back to its own driver.
    pub(crate) fn release(&mut self, world: &World, robot: RobotId) {
        self.leave(robot);
        self.drive_on(world, robot);
    }

    /// Whether no robot goes anywhere.
    fn is_empty(&self) -> bool {
        self.active.is_empty() && self.braking.is_empty()
    }

    /// Whether a robot is under way to its goal, or there.
    pub(crate) fn is_going(&self, robot: RobotId) -> bool {
        self.place(robot).is_ok_and(|i| self.active[i].go_to_pose.is_ok())
    }

    /// Sends a robot along a route. Refused (false) where that cannot be; a refusal of a robot that
    /// there is stays, to be shown.
    pub(crate) fn send(&mut self, world: &World, robot: RobotId, route: Route) -> bool {
        self.send_from(world, robot, (route, 0), false)
    }

    /// Lets a robot that goes somewhere go on along a route. Refused (false) where it does not, or one
    /// of the goals is; it then goes where it went.
    pub(crate) fn append(&mut self, world: &World, robot: RobotId, route: &Route) -> bool {
        let Ok(i) = self.place(robot) else { return false };
        let active = &mut self.active[i];
        let Ok(go_to_pose) = &active.go_to_pose else { return false };
        let mut longer = active.route.clone();
        longer.goals.extend_from_slice(&route.goals);
        longer.repeat = route.repeat;
        if checked(go_to_pose, world, &longer, active.at).is_err() {
            return false;
        }
        (active.route, active.is_own) = (longer, false);
        true
    }

    fn send_from(
        &mut self,
        world: &World,
        robot: RobotId,
        (route, at): (Route, u32),
        is_own: bool,
    ) -> bool {
        let (known, mut due) = (robot.index() < world.model().robots.len(), world.state().step);
        let place = self.place(robot);
        if !known || place.is_err() && self.active.len() >= MOST_GOALS {
            return false;
        }
        self.due = 0;
        let mut goal = (route, at);
        if let Ok(i) = place
            && let Ok(go_to_pose) = &mut self.active[i].go_to_pose
            && set_out(go_to_pose, world, &goal).is_ok()
        {
            // It goes on from the motion that it knows; its frames keep their pace.
            let active = &mut self.active[i];
            ((active.route, active.at), active.is_own) = (goal, is_own);
            (active.reached, active.waited) = (false, 0);
            return true;
        }
        let mut go_to_pose = None;
        if let Some(i) = self.braking.iter().position(|braking| braking.robot == robot)
            && set_out(&mut self.braking[i].go_to_pose, world, &goal).is_ok()
        {
            let braking = self.braking.remove(i);
            (go_to_pose, due) = (Some(Ok(braking.go_to_pose)), braking.due);
            self.forget(robot);
        }
        let go_to_pose = go_to_pose.unwrap_or_else(|| {
            let go_to_pose = go_to_pose_of(world, robot, &goal).map(Box::new);
            // A robot that cannot go there does not go on to where it was sent before.
            self.call_back(robot);
            go_to_pose
        });
        let is_sent = go_to_pose.is_ok();
        let (route, at) = std::mem::take(&mut goal);
        let first_plan = self.plans;
        let (reached, waited, turn) = (false, 0, None);
        let active = ActiveGoal {
            robot,
            route,
            at,
            reached,
            waited,
            is_own,
            go_to_pose,
            due,
            first_plan,
            turn,
        };
        let i = self.place(robot).unwrap_or_else(|i| i);
        self.active.insert(i, active);
        is_sent
    }

    /// Takes a robot's goal away, and what is shown of one that was refused. Returns whether it has to
    /// brake, and does.
    pub(crate) fn call_back(&mut self, robot: RobotId) -> bool {
        let brakes = self.halt(robot);
        self.forget(robot);
        brakes
    }

    /// Takes the goal of a robot that goes somewhere away. Returns whether it brakes; a refusal is
    /// shown on.
    pub(crate) fn halt(&mut self, robot: RobotId) -> bool {
        if self.is_going(robot)
            && let Some(ActiveGoal { go_to_pose: Ok(mut go_to_pose), due, .. }) = self.forget(robot)
            && self.braking.len() < MOST_GOALS
        {
            go_to_pose.brake();
            self.braking.push(Braking { robot, go_to_pose, due });
        }
        self.braking.iter().any(|braking| braking.robot == robot)
    }

    /// Leaves a robot to somebody else.
    pub(crate) fn leave(&mut self, robot: RobotId) {
        self.forget(robot);
        self.braking.retain(|braking| braking.robot != robot);
    }

    /// Takes all goals away, for a world at its first instant: only drivers go on, from the first goal.
    pub(crate) fn start_over(&mut self, world: &World) {
        while let Some(last) = self.active.last() {
            self.forget(last.robot);
        }
        self.braking.clear();
        // As in a world where nobody was ever sent anywhere.
        (self.searches, self.detours) = (Allowance::SEARCHES, Allowance::DETOURS);
        self.clearances.clear();
        self.start(world);
    }

    /// How many robots go somewhere, and who of them may search for its way now: the one that has
    /// waited longest. One after the other most of them wait less than if all searched together, and
    /// none waits longer.
    fn take_turns(&mut self) -> (usize, Option<RobotId>) {
        let (mut going, mut first) = (0, None);
        for active in &mut self.active {
            let Ok(go_to_pose) = &active.go_to_pose else { continue };
            going += 1;
            if !go_to_pose.is_searching() {
                active.turn = None;
                continue;
            }
            let turn = *active.turn.get_or_insert_with(|| {
                self.last_turn += 1;
                self.last_turn
            });
            if first.is_none_or(|(before, _)| turn < before) {
                first = Some((turn, active.robot));
            }
        }
        (going, first.map(|(_, robot)| robot))
    }

    /// What was looked for in the frames of the last step that had any.
    #[cfg(test)]
    fn cost(&self) -> Cost {
        self.cost
    }

    /// The tasks of robots that are under way.
    #[cfg(test)]
    pub(crate) fn tasks(&self) -> Vec<&GoToPose> {
        self.active.iter().filter_map(|active| active.go_to_pose.as_deref().ok()).collect()
    }

    /// Whether all that it says of a model's robots and bodies can be so, and can go on.
    pub(crate) fn fits(&self, model: &Model) -> bool {
        let braking =
            |one: &Braking| one.go_to_pose.robot() == one.robot && one.go_to_pose.fits(model);
        self.active.is_sorted_by(|a, b| a.robot < b.robot)
            && self.active.len() <= MOST_GOALS
            && self.active.iter().all(|active| active.fits(model))
            && self.braking.len() <= MOST_GOALS
            && self.braking.iter().all(braking)
            && self.drivers.is_sorted_by(|a, b| a.0 < b.0)
            && self.drivers.iter().all(|(robot, at)| {
                route_of(model, *robot).is_some_and(|route| (*at as usize) < route.goals.len())
            })
            && self.searches.fits(&Allowance::SEARCHES)
            && self.detours.fits(&Allowance::DETOURS)
            && self.last_turn < MOST_TURNS
            && self.clearances.fit()
    }

    fn forget(&mut self, robot: RobotId) -> Option<ActiveGoal> {
        let active = self.active.remove(self.place(robot).ok()?);
        self.due = 0;
        let plans =
            active.go_to_pose.as_ref().map_or(0, |go_to_pose| go_to_pose.goal_progress().plan);
        self.plans = self.plans.max(active.first_plan.wrapping_add(plans).wrapping_add(1));
        Some(active)
    }

    fn place(&self, robot: RobotId) -> Result<usize, usize> {
        self.active.binary_search_by_key(&robot, |active| active.robot)
    }
}

impl Agent for GoTo {
    type Report = PublishedGoal;

    fn due(&self) -> u64 {
        if self.is_empty() { u64::MAX } else { self.due }
    }

    /// Lets those act whose frame is due before the next step, or as many of them as may before one;
    /// the others act before the steps after it.
    fn act(&mut self, see: &View<'_>, commands: &mut Commands) {
        let (world, now) = (see.world, see.step());
        let (mut left, frame) = (most_frames(world), steps_of_frame(world));
        self.cost = Cost::default();
        let (going, searcher) = self.take_turns();
        for active in self.active.iter_mut().filter(|active| active.due <= now).take(left) {
            left -= 1;
            active.due = now + frame;
            let Ok(go_to_pose) = &mut active.go_to_pose else { continue };
            let is_searcher = searcher == Some(active.robot);
            let search = if is_searcher { self.searches.at(now, frame) } else { 0 };
            let may_detour = self.detours.at(now, frame) > 0;
            let effort = Effort::shared(going, search, may_detour);
            let (volts, cost) = go_to_pose.decide(world, &mut self.clearances, effort);
            commands.command(active.robot, Volts { right: volts.right, left: volts.left });
            self.searches.spend(cost.search, frame);
            self.detours.spend(cost.detours, frame);
            self.cost.search += cost.search;
            self.cost.detours += cost.detours;
            if active.mind_route(world) == Err(()) {
                commands.command(active.robot, Command::Stop);
            }
            if active.is_own
                && let Ok(own) = self.drivers.binary_search_by_key(&active.robot, |own| own.0)
            {
                self.drivers[own].1 = active.at;
            }
        }
        self.braking.retain_mut(|braking| {
            if braking.due > now || left == 0 {
                return true;
            }
            left -= 1;
            braking.due = now + frame;
            let (volts, stands) = braking.go_to_pose.decide_braking(world);
            if let Some(volts) = volts {
                commands.command(braking.robot, Volts { right: volts.right, left: volts.left });
            }
            if stands {
                // From here on as any robot that was stopped.
                commands.command(braking.robot, Command::Stop);
            }
            !stands
        });
        let braking = self.braking.iter().map(|braking| braking.due);
        let next = self.active.iter().map(|active| active.due).chain(braking).min();
        self.due = next.map_or(u64::MAX, |due| due.max(now + 1));
    }

    fn report(&self, published: &mut Vec<PublishedGoal>) {
        published.truncate(self.active.len());
        while published.len() < self.active.len() {
            published.push(PublishedGoal::default());
        }
        for (active, published) in self.active.iter().zip(published) {
            active.show(published);
        }
    }
}

/// Robots that have their frames before one step: as few as let every one have its own in time, with
/// as many under way and braking as there may be.
fn most_frames(world: &World) -> usize {
    (2 * MOST_GOALS).div_ceil(steps_of_frame(world) as usize)
}
