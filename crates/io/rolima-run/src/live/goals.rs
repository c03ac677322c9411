//! Robots that are sent to poses: an errand each, which commands its robot every 30 ms of simulated
//! time, between two steps. The same goals at the same steps give the same bits.
//!
//! However many there are, they do not hold the loop: what they look for in a frame is counted and
//! shared out ([`Effort`]), they search for their ways one after the other, and robots that were sent
//! at one instant have their frames one after the other.

use super::contract::{GoalShown, GoalStatus};
use rolima_core::{RobotId, World};
use rolima_math::Pose2;
use rolima_pilot::pilot::steps_of_frame;
use rolima_pilot::{Allowance, Cost, Effort, Errand, Progress, Refusal, Rooms};

/// Most robots of a world that have goals at a time.
pub const MOST_GOALS: usize = 32;

/// A robot that was sent somewhere.
#[derive(Clone)]
struct Sent {
    robot: RobotId,
    goal: Pose2,
    /// None where the goal was refused; why, then.
    errand: Result<Box<Errand>, Refusal>,
    /// The step before which its next frame is due.
    due: u64,
    /// The number of its first plan: goes on over goals of a robot.
    first_plan: u32,
    /// Its turn to search for a way, while it does.
    turn: Option<u64>,
}

/// A robot whose goal was taken away, until it stands.
#[derive(Clone)]
struct Braking {
    robot: RobotId,
    errand: Box<Errand>,
    due: u64,
}

/// The goals of a world's robots, in the order of robots.
#[derive(Clone)]
pub(super) struct Goals {
    sent: Vec<Sent>,
    /// At most as many as may have goals; a robot is not in both.
    braking: Vec<Braking>,
    /// Told plans of goals that are gone, so that none has the number of another.
    plans: u32,
    /// What searches may cost, and looks for ways around others.
    searches: Allowance,
    detours: Allowance,
    /// The turn of who was the last to begin a search.
    last_turn: u64,
    /// What was found out about the walls.
    rooms: Rooms,
}

impl Default for Goals {
    fn default() -> Self {
        Self {
            sent: vec![],
            braking: vec![],
            plans: 0,
            searches: Allowance::SEARCHES,
            detours: Allowance::DETOURS,
            last_turn: 0,
            rooms: Rooms::default(),
        }
    }
}

impl Goals {
    /// Whether no robot goes anywhere.
    pub(super) fn is_empty(&self) -> bool {
        self.sent.is_empty() && self.braking.is_empty()
    }

    /// Whether a robot is under way to its goal, or there.
    pub(super) fn is_going(&self, robot: RobotId) -> bool {
        self.place(robot).is_ok_and(|i| self.sent[i].errand.is_ok())
    }

    /// Sends a robot to a pose. Refused (false) where that cannot be; a refusal of a robot that there
    /// is stays, to be shown.
    pub(super) fn send(&mut self, world: &World, robot: RobotId, goal: Pose2) -> bool {
        let (known, due) = (robot.index() < world.model().robots.len(), world.state().step);
        let place = self.place(robot);
        if !known || place.is_err() && self.sent.len() >= MOST_GOALS {
            return false;
        }
        if let Ok(i) = place
            && let Ok(errand) = &mut self.sent[i].errand
            && errand.send_to(world, goal).is_ok()
        {
            // It goes on from the motion that it knows; its frames keep their pace.
            self.sent[i].goal = goal;
            return true;
        }
        if let Some(i) = self.braking.iter().position(|braking| braking.robot == robot)
            && self.braking[i].errand.send_to(world, goal).is_ok()
        {
            let Braking { errand, due, .. } = self.braking.remove(i);
            self.forget(robot);
            self.put(robot, goal, Ok(errand), due);
            return true;
        }
        let errand = Errand::new(world, robot, goal).map(Box::new);
        let is_sent = errand.is_ok();
        // A robot that cannot go there does not go on to where it was sent before.
        self.call_back(robot);
        self.put(robot, goal, errand, due);
        is_sent
    }

    /// Takes a robot's goal away, and what is shown of one that was refused. Returns whether it has to
    /// brake, and does.
    pub(super) fn call_back(&mut self, robot: RobotId) -> bool {
        let brakes = self.halt(robot);
        self.forget(robot);
        brakes
    }

    /// Takes the goal of a robot that goes somewhere away. Returns whether it brakes; a refusal is
    /// shown on.
    pub(super) fn halt(&mut self, robot: RobotId) -> bool {
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
    pub(super) fn leave(&mut self, robot: RobotId) {
        self.forget(robot);
        self.braking.retain(|braking| braking.robot != robot);
    }

    /// Takes all goals away.
    pub(super) fn clear(&mut self) {
        while let Some(last) = self.sent.last() {
            self.forget(last.robot);
        }
        self.braking.clear();
        // As in a world where nobody was ever sent anywhere.
        (self.searches, self.detours) = (Allowance::SEARCHES, Allowance::DETOURS);
        self.rooms.clear();
    }

    /// Lets those act whose frame is due before the next step, or as many of them as may before one;
    /// the others act before the steps after it. Returns what they looked for.
    pub(super) fn act(&mut self, world: &mut World) -> Cost {
        let mut costs = Cost::default();
        let (now, mut left) = (world.state().step, most_frames(world));
        let frame = steps_of_frame(world);
        let (going, searcher) = self.take_turns();
        for sent in self.sent.iter_mut().filter(|sent| sent.due <= now).take(left) {
            left -= 1;
            sent.due = now + frame;
            if let Ok(errand) = &mut sent.errand {
                let is_searcher = searcher == Some(sent.robot);
                let search = if is_searcher { self.searches.at(now, frame) } else { 0 };
                let may_detour = self.detours.at(now, frame) > 0;
                let effort = Effort::shared(going, search, may_detour);
                let cost = errand.frame_within(world, &mut self.rooms, effort);
                self.searches.spend(cost.search, frame);
                self.detours.spend(cost.detours, frame);
                costs.search += cost.search;
                costs.detours += cost.detours;
            }
        }
        self.braking.retain_mut(|braking| {
            if braking.due > now || left == 0 {
                return true;
            }
            left -= 1;
            braking.due = now + frame;
            let stands = braking.errand.braking_frame(world);
            if stands {
                // From here on as any robot that was stopped.
                let _ = world.stop(braking.robot);
            }
            !stands
        });
        costs
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

    /// How many steps there are before the next frame of any.
    pub(super) fn steps_to_next(&self, world: &World) -> u64 {
        let now = world.state().step;
        let braking = self.braking.iter().map(|braking| braking.due);
        let next = self.sent.iter().map(|sent| sent.due).chain(braking).min();
        next.map_or(u64::MAX, |due| due.saturating_sub(now).max(1))
    }

    /// What is shown of them; `shown` keeps its memory.
    pub(super) fn show(&self, shown: &mut Vec<GoalShown>) {
        shown.truncate(self.sent.len());
        while shown.len() < self.sent.len() {
            shown.push(GoalShown::default());
        }
        for (sent, shown) in self.sent.iter().zip(shown) {
            sent.show(shown);
        }
    }

    fn put(&mut self, robot: RobotId, goal: Pose2, errand: Result<Box<Errand>, Refusal>, due: u64) {
        let i = self.place(robot).unwrap_or_else(|i| i);
        self.sent.insert(i, Sent { robot, goal, errand, due, first_plan: self.plans, turn: None });
    }

    fn forget(&mut self, robot: RobotId) -> Option<Sent> {
        let sent = self.sent.remove(self.place(robot).ok()?);
        let told = sent.errand.as_ref().map_or(0, |errand| errand.shown().plan);
        self.plans = self.plans.max(sent.first_plan.wrapping_add(told).wrapping_add(1));
        Some(sent)
    }

    fn place(&self, robot: RobotId) -> Result<usize, usize> {
        self.sent.binary_search_by_key(&robot, |sent| sent.robot)
    }
}

/// Robots that have their frames before one step: as few as let every one have its own in time, with
/// as many under way and braking as there may be.
fn most_frames(world: &World) -> usize {
    (2 * MOST_GOALS).div_ceil(steps_of_frame(world) as usize)
}

impl Sent {
    fn show(&self, shown: &mut GoalShown) {
        (shown.robot, shown.goal) = (self.robot, self.goal);
        match &self.errand {
            Err(why) => {
                shown.status = GoalStatus::Refused(*why);
                shown.reference = self.goal;
                (shown.left_m, shown.left_s, shown.plan) = (0.0, 0.0, self.first_plan);
                shown.references.clear();
                shown.beyond.clear();
            }
            Ok(errand) => {
                let now = errand.shown();
                shown.status = match now.progress {
                    Progress::Driving => GoalStatus::Driving,
                    Progress::Searching => GoalStatus::Searching,
                    Progress::Arrived => GoalStatus::Arrived,
                    Progress::Blocked => GoalStatus::Blocked,
                    Progress::Lost => GoalStatus::Lost,
                    Progress::Unplanned(why) => GoalStatus::Unplanned(why),
                };
                shown.reference = now.reference;
                (shown.left_m, shown.left_s) = now.left;
                shown.clock_s = now.clock;
                let plan = self.first_plan.wrapping_add(now.plan);
                if shown.plan != plan || shown.references.len() != now.references.len() {
                    shown.plan = plan;
                    shown.every_s = now.every;
                    shown.references.clone_from(&now.references);
                    shown.beyond.clone_from(&now.beyond);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// Most ways around others that one robot looks at in a frame: two that brake and two that do
    /// not, of one obstacle or of pairs of eight, on both sides, of three kinds each.
    const MOST_OF_ONE: usize = 4 * (6 + 4 * 8 * 8 + 1) * 3;

    /// 32 robots shoulder to shoulder, each sent to where another one stands.
    fn crowd() -> (World, Vec<Pose2>) {
        let place = |i: u32| (0.13 * f64::from(i % 8), 0.13 * f64::from(i / 8));
        let mut text = "title = \"crowd\"\n".to_owned();
        for robot in 0..MOST_GOALS as u32 {
            let (x, y) = place(robot);
            text += &format!(
                "[[robot]]\nname = \"r{robot}\"\npreset = \"minirobot\"\npose = [{x}, {y}, 0]\n"
            );
        }
        let source = rolima_scene::Source::Text { name: "crowd".to_owned(), text };
        let model = rolima_scene::load(&source, &[]).expect("a scene").compile().expect("a model");
        let goal = |robot: u32| {
            let (x, y) = place(MOST_GOALS as u32 - 1 - robot);
            Pose2::new(x, y, 0.0)
        };
        (World::new(Arc::new(model)), (0..MOST_GOALS as u32).map(goal).collect())
    }

    #[test]
    fn robots_that_block_one_another_look_for_no_more_than_a_frame_may_take() {
        let (mut world, poses) = crowd();
        let mut goals = Goals::default();
        for (robot, pose) in (0..).zip(poses) {
            assert!(goals.send(&world, rolima_core::RobotId(robot), pose), "{robot}");
        }
        let frame = steps_of_frame(&world);
        let (mut all, mut most, mut own) = (0, 0, 0);
        for step in 0..100 * frame {
            let cost = goals.act(&mut world);
            own += cost.detours;
            if (step + 1) % frame == 0 {
                (all, most, own) = (all + own, most.max(own), 0);
            }
            world.step();
        }
        println!("{} a frame, {most} at most", all / 100);
        assert!(most <= 2000 + MOST_OF_ONE, "{most} in one frame");
        assert!(all <= 101 * 2000 + MOST_OF_ONE, "{all} in 100 frames");
        // They do want more than that: else this would show nothing.
        assert!(all > 50 * 2000, "{all} in 100 frames");
    }

    /// 32 robots between 3,721 short walls, each sent to the other end.
    fn maze() -> (World, Vec<Pose2>) {
        const SIDE: i32 = 61;
        let place = |i: u32| 0.4 * f64::from(i) - 0.2;
        let mut text = "title = \"walls\"\n".to_owned();
        for i in 0..SIDE * SIDE {
            let (x, y) = (f64::from(i % SIDE) * 0.4, f64::from(i / SIDE) * 0.4);
            let to = if i % 3 == 0 { [x + 0.2, y] } else { [x, y + 0.2] };
            text += &format!(
                "[[wall]]\nkind = \"segment\"\nfrom = [{x}, {y}]\nto = {to:?}\nthickness = 0.01\n"
            );
        }
        let mut goals = vec![];
        for robot in 0..MOST_GOALS as u32 {
            let (i, k) = (1 + robot % 8 * 7, 1 + robot / 8 * 3);
            let (x, y) = (place(i), place(k));
            text += &format!(
                "[[robot]]\nname = \"r{robot}\"\npreset = \"minirobot\"\npose = [{x}, {y}, 0]\n"
            );
            goals.push(Pose2::new(place(60 - i), place(60 - k), 0.0));
        }
        let source = rolima_scene::Source::Text { name: "walls".to_owned(), text };
        let model = rolima_scene::load(&source, &[]).expect("a scene").compile().expect("a model");
        (World::new(Arc::new(model)), goals)
    }

    #[test]
    fn robots_among_3721_walls_search_for_no_more_than_a_frame_may_take() {
        let (mut world, poses) = maze();
        let mut goals = Goals::default();
        for (robot, pose) in (0..).zip(poses) {
            assert!(goals.send(&world, rolima_core::RobotId(robot), pose), "{robot}");
        }
        let frame = steps_of_frame(&world);
        let (mut all, mut most, mut own) = (0, 0, 0);
        for step in 0..100 * frame {
            own += goals.act(&mut world).search;
            if (step + 1) % frame == 0 {
                (all, most, own) = (all + own, most.max(own), 0);
            }
            world.step();
        }
        println!("{} a frame, {most} at most", all / 100);
        // The last portion of a search may be a frame's more than what was left.
        assert!(most <= 2 * 1000, "{most} in one frame");
        assert!(all <= 102 * 1000, "{all} in 100 frames");
        // They do search all the time: else this would show nothing.
        assert!(all > 50 * 1000, "{all} in 100 frames");
    }
}
