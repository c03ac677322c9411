//! Lock step: the world advances only with its controllers.
//!
//! A controller that takes part is asked at every step whose number is a multiple of its period, or
//! when its sink says so ([`TurnSink::steps_to_turn`]), for periods that are no whole number of steps.
//! The world waits there until all that were asked have answered; then the answers take effect, in
//! the order of the controllers' numbers whatever order they came in, and the world goes on to the
//! next step at which somebody is asked. A controller that has gone is waited for no more: what it
//! answered before holds up to its next turn, where the robots that it drove are released. So the bits
//! depend on the answers only.

use super::happened::RecentEvents;
use super::turn::{PublishedTurn, TurnRefusal, TurnSink};
use rolima_core::{Command, EventLog, RobotId};
use std::collections::BTreeMap;

/// Most controllers of a run.
pub const MOST_CONTROLLERS: usize = 1024;

/// Somebody who takes part.
struct Controller {
    number: u32,
    period: u64,
    turns: Box<dyn TurnSink>,
    turn: Turn,
    /// What happened since its last turn.
    happened: RecentEvents,
    /// Whether it is gone, and taken out at its next turn.
    is_gone: bool,
}

/// How far a controller has got with the step that the world waits at.
#[derive(Debug, PartialEq)]
enum Turn {
    /// Not asked.
    None,
    /// Asked at this step.
    Asked(u64),
    /// Has answered for this step.
    Answered(u64, Vec<(RobotId, Command)>),
}

/// The controllers of a run in lock step.
pub(super) struct LockStep {
    /// By number.
    controllers: Vec<Controller>,
    /// By robots, the controllers whose commands they obey.
    driven: BTreeMap<RobotId, u32>,
    /// The world does not begin before so many take part.
    first_needed: usize,
    begun: bool,
}

impl LockStep {
    /// Nobody takes part yet; the world begins with so many controllers, at least one.
    pub(super) fn new(first_needed: u32) -> Self {
        let first_needed = first_needed.max(1) as usize;
        Self { controllers: vec![], driven: BTreeMap::new(), first_needed, begun: false }
    }

    /// A controller takes part. It is told if it is refused.
    pub(super) fn join(
        &mut self,
        number: u32,
        period: u64,
        mut turns: Box<dyn TurnSink>,
    ) -> Result<(), TurnRefusal> {
        let at = self.controllers.binary_search_by_key(&number, |c| c.number);
        let refusal = match at {
            Ok(_) => Some(TurnRefusal::NumberTaken(number)),
            Err(_) if period == 0 => Some(TurnRefusal::Period),
            Err(_) if self.controllers.len() >= MOST_CONTROLLERS => Some(TurnRefusal::TooMany),
            Err(_) => None,
        };
        if let Some(refusal) = refusal {
            turns.refused(refusal);
            return Err(refusal);
        }
        let (Ok(at) | Err(at)) = at;
        let (turn, happened) = (Turn::None, RecentEvents::default());
        let joined = Controller { number, period, turns, turn, happened, is_gone: false };
        self.controllers.insert(at, joined);
        self.begun |= self.controllers() as usize >= self.first_needed;
        Ok(())
    }

    /// A controller is gone: it is taken out at the turn that it has not answered, or at its next one,
    /// and gives back these robots besides those that obey it. False if it does not take part.
    pub(super) fn leave(&mut self, number: u32, robots: &[RobotId]) -> bool {
        let Ok(at) = self.controllers.binary_search_by_key(&number, |c| c.number) else {
            return false;
        };
        self.driven.extend(robots.iter().map(|robot| (*robot, number)));
        let controller = &mut self.controllers[at];
        controller.is_gone = true;
        // Before the world begins an answer would hold for as long as others take to come.
        if matches!(controller.turn, Turn::Asked(_)) || !self.begun {
            controller.turn = Turn::None;
        }
        true
    }

    /// Takes out those who are gone and whose turn it is at this step. Returns the robots that obey
    /// them, in order.
    pub(super) fn depart(&mut self, step: u64) -> Vec<RobotId> {
        let is_due = |c: &Controller| c.is_gone && c.must_be_asked(step);
        let mut released = vec![];
        for gone in self.controllers.extract_if(.., |c| is_due(c)) {
            self.driven.retain(|robot, by| {
                let obeys = *by == gone.number;
                released.extend(obeys.then_some(*robot));
                !obeys
            });
        }
        released.sort_unstable();
        released
    }

    /// Somebody else has taken the wheel of a robot.
    pub(super) fn forget(&mut self, robot: RobotId) {
        self.driven.remove(&robot);
    }

    /// Takes note of what has happened.
    pub(super) fn note(&mut self, log: &EventLog) {
        if !log.events().is_empty() || log.dropped() > 0 {
            self.controllers.iter_mut().for_each(|c| c.happened.add(log));
        }
    }

    /// A controller answers the turn at a step. It is told if it is refused; `most_commands` is how
    /// many an answer can have.
    pub(super) fn answer(
        &mut self,
        number: u32,
        step: u64,
        commands: Vec<(RobotId, Command)>,
        most_commands: usize,
    ) -> Result<(), TurnRefusal> {
        let Ok(at) = self.controllers.binary_search_by_key(&number, |c| c.number) else {
            return Err(TurnRefusal::NotJoined(number));
        };
        let controller = &mut self.controllers[at];
        let refusal = match controller.turn {
            Turn::Asked(asked) if asked != step => {
                TurnRefusal::WrongStep { expected: asked, got: step }
            }
            Turn::Asked(_) if commands.len() > most_commands => {
                TurnRefusal::Commands { most: most_commands, got: commands.len() }
            }
            Turn::Asked(_) => {
                controller.turn = Turn::Answered(step, commands);
                return Ok(());
            }
            Turn::None | Turn::Answered(..) => TurnRefusal::NotAsked { got: step },
        };
        controller.turns.refused(refusal);
        Err(refusal)
    }

    /// Whether somebody has to be asked at this step.
    pub(super) fn must_ask(&self, step: u64) -> bool {
        self.controllers.iter().any(|c| c.must_be_asked(step))
    }

    /// Asks those whose turn it is, with what is to be seen besides the events.
    pub(super) fn ask(&mut self, publication: &PublishedTurn<'_>) {
        let step = publication.frame.step;
        for controller in self.controllers.iter_mut().filter(|c| c.must_be_asked(step)) {
            controller.turn = Turn::Asked(step);
            let (events, events_left_out) = controller.happened.newest();
            controller.turns.turn(&PublishedTurn { events, events_left_out, ..*publication });
            controller.happened.clear();
        }
    }

    /// Whether the world may leave this step.
    pub(super) fn is_ready(&self, step: u64) -> bool {
        self.begun && !self.controllers.is_empty() && self.awaited() == 0 && !self.must_ask(step)
    }

    /// Hands out the answers, in the order of controllers, as the world leaves the step. `apply` says
    /// whether the world took the command.
    pub(super) fn take_answers(&mut self, mut apply: impl FnMut(RobotId, Command) -> bool) {
        for controller in &mut self.controllers {
            if let Turn::Answered(_, commands) = std::mem::replace(&mut controller.turn, Turn::None)
            {
                for (robot, command) in commands {
                    if apply(robot, command) {
                        self.driven.insert(robot, controller.number);
                    }
                }
            }
        }
    }

    /// How many steps the world may do from this one until somebody is asked.
    pub(super) fn steps_to_next_turn(&self, step: u64) -> u64 {
        let to_next = self.controllers.iter().map(|c| c.steps_to_turn(step));
        to_next.min().unwrap_or(0)
    }

    /// The world starts over: what was asked before is void, and everybody is asked anew.
    pub(super) fn start_over(&mut self) {
        self.controllers.retain(|c| !c.is_gone);
        self.driven.clear();
        for controller in &mut self.controllers {
            controller.turn = Turn::None;
            controller.happened.clear();
        }
    }

    /// How many take part.
    pub(super) fn controllers(&self) -> u32 {
        self.controllers.iter().filter(|c| !c.is_gone).count() as u32
    }

    /// How many the world waits for.
    pub(super) fn awaited(&self) -> u32 {
        self.controllers.iter().filter(|c| matches!(c.turn, Turn::Asked(_))).count() as u32
    }
}

impl Controller {
    fn must_be_asked(&self, step: u64) -> bool {
        let is_turn = step.checked_sub(1).is_none_or(|before| self.steps_to_turn(before) == 1);
        self.turn == Turn::None && is_turn
    }

    /// Steps from this one to its next turn.
    fn steps_to_turn(&self, step: u64) -> u64 {
        self.turns.steps_to_turn(self.period, step).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_core::{Frame, SenseState};
    use std::sync::mpsc::{Sender, channel};

    struct TestSink(Sender<Result<u64, TurnRefusal>>);

    impl TurnSink for TestSink {
        fn turn(&mut self, turn: &PublishedTurn<'_>) {
            self.0.send(Ok(turn.frame.step)).unwrap();
        }
        fn refused(&mut self, why: TurnRefusal) {
            self.0.send(Err(why)).unwrap();
        }
    }

    fn ask(lock: &mut LockStep, step: u64) {
        let (frame, senses) = (Frame { step, ..Frame::default() }, SenseState::default());
        lock.ask(&PublishedTurn {
            generation: 1,
            frame: &frame,
            senses: &senses,
            contacts: &[],
            events: &[],
            events_left_out: 0,
        });
    }

    fn volts(v: f64) -> Command {
        Command::Volts(rolima_core::Volts { right: v, left: v })
    }

    #[test]
    fn answers_take_effect_in_the_order_of_numbers_and_periods_say_who_is_asked() {
        let mut lock = LockStep::new(2);
        let (sink, turns) = channel();
        assert!(!lock.is_ready(0), "nobody takes part");
        lock.join(7, 2, Box::new(TestSink(sink.clone()))).unwrap();
        ask(&mut lock, 0);
        lock.answer(7, 0, vec![(RobotId(0), volts(7.0))], 10).unwrap();
        assert!(!lock.is_ready(0), "it begins with two");
        lock.join(3, 3, Box::new(TestSink(sink))).unwrap();
        assert!(!lock.is_ready(0), "the second has not been asked");
        ask(&mut lock, 0);
        assert_eq!(lock.awaited(), 1);
        lock.answer(3, 0, vec![(RobotId(0), volts(3.0)), (RobotId(1), volts(1.0))], 10).unwrap();
        assert!(lock.is_ready(0));
        let mut applied = vec![];
        lock.take_answers(|robot, v| {
            applied.push((robot.0, v.parts().1[0]));
            true
        });
        assert_eq!(applied, [(0, 3.0), (1, 1.0), (0, 7.0)]);
        assert_eq!(lock.steps_to_next_turn(0), 2);
        assert_eq!(lock.steps_to_next_turn(2), 1);
        ask(&mut lock, 2);
        lock.answer(7, 2, vec![], 10).unwrap();
        assert!(lock.is_ready(2), "only one of them is asked at 2");
        assert_eq!(turns.try_iter().collect::<Vec<_>>(), [Ok(0), Ok(0), Ok(2)]);
    }

    #[test]
    fn answers_to_other_steps_and_second_answers_are_refused_and_say_why() {
        let mut lock = LockStep::new(1);
        let (sink, refused) = channel();
        lock.join(1, 1, Box::new(TestSink(sink.clone()))).unwrap();
        let refusals = [
            lock.answer(1, 0, vec![], 10),
            lock.join(1, 1, Box::new(TestSink(sink.clone()))),
            lock.join(2, 0, Box::new(TestSink(sink))),
            lock.answer(9, 0, vec![], 10),
        ];
        ask(&mut lock, 5);
        let wrong = lock.answer(1, 4, vec![], 10);
        let many = lock.answer(1, 5, vec![(RobotId(0), volts(0.0)); 11], 10);
        lock.answer(1, 5, vec![], 10).unwrap();
        let again = lock.answer(1, 5, vec![], 10);
        let all: Vec<_> = refusals.into_iter().chain([wrong, many, again]).collect();
        let expected = [
            TurnRefusal::NotAsked { got: 0 },
            TurnRefusal::NumberTaken(1),
            TurnRefusal::Period,
            TurnRefusal::NotJoined(9),
            TurnRefusal::WrongStep { expected: 5, got: 4 },
            TurnRefusal::Commands { most: 10, got: 11 },
            TurnRefusal::NotAsked { got: 5 },
        ];
        assert_eq!(all, expected.map(Err));
        // Everybody that has joined or tried to is told; 9 has nowhere to be told.
        let refused: Vec<_> = refused.try_iter().filter_map(Result::err).collect();
        let heard: Vec<_> =
            expected.into_iter().filter(|r| *r != TurnRefusal::NotJoined(9)).collect();
        assert_eq!(refused, heard);
    }

    #[test]
    fn who_leaves_is_not_waited_for_and_without_anybody_the_world_waits() {
        let mut lock = LockStep::new(2);
        let (sink, _told) = channel();
        lock.join(1, 1, Box::new(TestSink(sink.clone()))).unwrap();
        lock.join(2, 1, Box::new(TestSink(sink))).unwrap();
        ask(&mut lock, 0);
        lock.answer(1, 0, vec![], 1).unwrap();
        assert!(!lock.is_ready(0));
        assert!(lock.leave(2, &[]));
        assert_eq!((lock.depart(0), lock.controllers()), (vec![], 1));
        assert!(lock.is_ready(0));
        assert!(lock.leave(1, &[]));
        assert!(lock.is_ready(0), "what it answered holds up to its next turn");
        lock.take_answers(|_, _| true);
        assert_eq!(lock.steps_to_next_turn(0), 1);
        assert!(lock.depart(1).is_empty());
        assert!(!lock.is_ready(1));
    }

    #[test]
    fn who_leaves_gives_back_the_robots_that_still_obey_at_the_next_turn() {
        let mut lock = LockStep::new(2);
        let (sink, _told) = channel();
        lock.join(1, 10, Box::new(TestSink(sink.clone()))).unwrap();
        lock.join(2, 10, Box::new(TestSink(sink))).unwrap();
        ask(&mut lock, 0);
        let all = |robots: &[u32]| robots.iter().map(|r| (RobotId(*r), volts(1.0))).collect();
        lock.answer(1, 0, all(&[4, 0, 1, 2, 3]), 5).unwrap();
        lock.answer(2, 0, all(&[1]), 5).unwrap();
        // Robot 2 refuses; somebody else takes robot 3.
        lock.take_answers(|robot, _| robot != RobotId(2));
        lock.forget(RobotId(3));
        assert!(lock.leave(1, &[RobotId(5)]) && !lock.leave(7, &[RobotId(1)]));
        assert!(lock.depart(5).is_empty(), "its answer holds until its next turn");
        assert_eq!(lock.depart(10), [0, 4, 5].map(RobotId), "robot 1 obeys controller 2");
        ask(&mut lock, 10);
        lock.answer(2, 10, all(&[1]), 5).unwrap();
        lock.start_over();
        assert!(lock.leave(2, &[]));
        assert!(lock.depart(0).is_empty(), "after a reset nobody obeys anybody");
        assert_eq!(lock.controllers(), 0);
    }
}
