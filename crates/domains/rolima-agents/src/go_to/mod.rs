//! Robots that go to goals: an errand each, which commands its robot every 30 ms of simulated time,
//! between two steps. The same goals at the same steps give the same bits.
//!
//! Who is sent by somebody goes where it is told; a robot whose driver says so (`go-to`) goes along its
//! route from the first instant, and again once it is released.
//!
//! However many there are, they do not hold the loop: what they look for in a frame is counted and
//! shared out ([`Effort`]), they search for their ways one after the other, and robots that were sent
//! at one instant have their frames one after the other.

#[cfg(test)]
mod tests;

use crate::agent::{Agent, Commands, View};
use crate::effort::{Allowance, Cost, Effort};
use crate::errand::Errand;
use crate::guide::Rooms;
use crate::pilot::steps_of_frame;
use crate::route::Route;
use crate::sent::{Sent, checked, errand_of, route_of, set_out};
use crate::shown::GoalShown;
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
    errand: Box<Errand>,
    due: u64,
}

/// The goals of a world's robots, in the order of robots.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct GoTo {
    sent: Vec<Sent>,
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
    rooms: Rooms,
    /// The step before which the next frame of any is due; zero once somebody was sent or called back.
    due: u64,
    /// What was looked for in the last frames.
    cost: Cost,
}

impl Default for GoTo {
    fn default() -> Self {
        Self {
            sent: vec![],
            braking: vec![],
            drivers: vec![],
            plans: 0,
            searches: Allowance::SEARCHES,
            detours: Allowance::DETOURS,
            last_turn: 0,
            rooms: Rooms::default(),
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
        self.sent.is_empty() && self.braking.is_empty()
    }

    /// Whether a robot is under way to its goal, or there.
    pub(crate) fn is_going(&self, robot: RobotId) -> bool {
        self.place(robot).is_ok_and(|i| self.sent[i].errand.is_ok())
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
        let sent = &mut self.sent[i];
        let Ok(errand) = &sent.errand else { return false };
        let mut longer = sent.route.clone();
        longer.goals.extend_from_slice(&route.goals);
        longer.repeat = route.repeat;
        if checked(errand, world, &longer, sent.at).is_err() {
            return false;
        }
        (sent.route, sent.is_own) = (longer, false);
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
        if !known || place.is_err() && self.sent.len() >= MOST_GOALS {
            return false;
        }
        self.due = 0;
        let mut told = (route, at);
        if let Ok(i) = place
            && let Ok(errand) = &mut self.sent[i].errand
            && set_out(errand, world, &told).is_ok()
        {
            // It goes on from the motion that it knows; its frames keep their pace.
            let sent = &mut self.sent[i];
            ((sent.route, sent.at), sent.is_own) = (told, is_own);
            (sent.reached, sent.waited) = (false, 0);
            return true;
        }
        let mut errand = None;
        if let Some(i) = self.braking.iter().position(|braking| braking.robot == robot)
            && set_out(&mut self.braking[i].errand, world, &told).is_ok()
        {
            let braking = self.braking.remove(i);
            (errand, due) = (Some(Ok(braking.errand)), braking.due);
            self.forget(robot);
        }
        let errand = errand.unwrap_or_else(|| {
            let errand = errand_of(world, robot, &told).map(Box::new);
            // A robot that cannot go there does not go on to where it was sent before.
            self.call_back(robot);
            errand
        });
        let is_sent = errand.is_ok();
        let (route, at) = std::mem::take(&mut told);
        let first_plan = self.plans;
        let (reached, waited, turn) = (false, 0, None);
        let sent =
            Sent { robot, route, at, reached, waited, is_own, errand, due, first_plan, turn };
        let i = self.place(robot).unwrap_or_else(|i| i);
        self.sent.insert(i, sent);
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
            && let Some(Sent { errand: Ok(mut errand), due, .. }) = self.forget(robot)
            && self.braking.len() < MOST_GOALS
        {
            errand.brake();
            self.braking.push(Braking { robot, errand, due });
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
        while let Some(last) = self.sent.last() {
            self.forget(last.robot);
        }
        self.braking.clear();
        // As in a world where nobody was ever sent anywhere.
        (self.searches, self.detours) = (Allowance::SEARCHES, Allowance::DETOURS);
        self.rooms.clear();
        self.start(world);
    }

    /// How many robots go somewhere, and who of them may search for its way now: the one that has
    /// waited longest. One after the other most of them wait less than if all searched together, and
    /// none waits longer.
    fn take_turns(&mut self) -> (usize, Option<RobotId>) {
        let (mut going, mut first) = (0, None);
        for sent in &mut self.sent {
            let Ok(errand) = &sent.errand else { continue };
            going += 1;
            if !errand.is_searching() {
                sent.turn = None;
                continue;
            }
            let turn = *sent.turn.get_or_insert_with(|| {
                self.last_turn += 1;
                self.last_turn
            });
            if first.is_none_or(|(before, _)| turn < before) {
                first = Some((turn, sent.robot));
            }
        }
        (going, first.map(|(_, robot)| robot))
    }

    /// What was looked for in the frames of the last step that had any.
    #[cfg(test)]
    fn cost(&self) -> Cost {
        self.cost
    }

    /// The errands of robots that are under way.
    #[cfg(test)]
    pub(crate) fn errands(&self) -> Vec<&Errand> {
        self.sent.iter().filter_map(|sent| sent.errand.as_deref().ok()).collect()
    }

    /// Whether all that it says of a model's robots and bodies can be so, and can go on.
    pub(crate) fn fits(&self, model: &Model) -> bool {
        let braking = |one: &Braking| one.errand.robot() == one.robot && one.errand.fits(model);
        self.sent.is_sorted_by(|a, b| a.robot < b.robot)
            && self.sent.len() <= MOST_GOALS
            && self.sent.iter().all(|sent| sent.fits(model))
            && self.braking.len() <= MOST_GOALS
            && self.braking.iter().all(braking)
            && self.drivers.is_sorted_by(|a, b| a.0 < b.0)
            && self.drivers.iter().all(|(robot, at)| {
                route_of(model, *robot).is_some_and(|route| (*at as usize) < route.goals.len())
            })
            && self.searches.fits(&Allowance::SEARCHES)
            && self.detours.fits(&Allowance::DETOURS)
            && self.last_turn < MOST_TURNS
            && self.rooms.fit()
    }

    fn forget(&mut self, robot: RobotId) -> Option<Sent> {
        let sent = self.sent.remove(self.place(robot).ok()?);
        self.due = 0;
        let told = sent.errand.as_ref().map_or(0, |errand| errand.shown().plan);
        self.plans = self.plans.max(sent.first_plan.wrapping_add(told).wrapping_add(1));
        Some(sent)
    }

    fn place(&self, robot: RobotId) -> Result<usize, usize> {
        self.sent.binary_search_by_key(&robot, |sent| sent.robot)
    }
}

impl Agent for GoTo {
    type Report = GoalShown;

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
        for sent in self.sent.iter_mut().filter(|sent| sent.due <= now).take(left) {
            left -= 1;
            sent.due = now + frame;
            let Ok(errand) = &mut sent.errand else { continue };
            let is_searcher = searcher == Some(sent.robot);
            let search = if is_searcher { self.searches.at(now, frame) } else { 0 };
            let may_detour = self.detours.at(now, frame) > 0;
            let effort = Effort::shared(going, search, may_detour);
            let (volts, cost) = errand.decide(world, &mut self.rooms, effort);
            commands.command(sent.robot, Volts { right: volts.right, left: volts.left });
            self.searches.spend(cost.search, frame);
            self.detours.spend(cost.detours, frame);
            self.cost.search += cost.search;
            self.cost.detours += cost.detours;
            if sent.mind_route(world) == Err(()) {
                commands.command(sent.robot, Command::Stop);
            }
            if sent.is_own
                && let Ok(own) = self.drivers.binary_search_by_key(&sent.robot, |own| own.0)
            {
                self.drivers[own].1 = sent.at;
            }
        }
        self.braking.retain_mut(|braking| {
            if braking.due > now || left == 0 {
                return true;
            }
            left -= 1;
            braking.due = now + frame;
            let (volts, stands) = braking.errand.decide_braking(world);
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
        let next = self.sent.iter().map(|sent| sent.due).chain(braking).min();
        self.due = next.map_or(u64::MAX, |due| due.max(now + 1));
    }

    fn report(&self, shown: &mut Vec<GoalShown>) {
        shown.truncate(self.sent.len());
        while shown.len() < self.sent.len() {
            shown.push(GoalShown::default());
        }
        for (sent, shown) in self.sent.iter().zip(shown) {
            sent.show(shown);
        }
    }
}

/// Robots that have their frames before one step: as few as let every one have its own in time, with
/// as many under way and braking as there may be.
fn most_frames(world: &World) -> usize {
    (2 * MOST_GOALS).div_ceil(steps_of_frame(world) as usize)
}
