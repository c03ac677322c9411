//! What the loop does for controllers in lock step.

use super::clock::LiveClock;
use super::run::LoopState;
use super::turn::{TurnRefusal, TurnSink};
use rolima_agents::Action;
use rolima_core::{Command, RobotId};

impl<C: LiveClock> LoopState<C> {
    /// Steps the world, up to so often. In lock step every event is noted in its own step, so that
    /// what controllers are told does not depend on when the world is shown.
    pub(super) fn do_steps(&mut self, count: u64) -> u64 {
        if self.live.lock_step.is_none() {
            return self.steps(count);
        }
        for done in 0..count {
            if self.steps(1) == 0 {
                return done;
            }
            self.collect_events();
        }
        count
    }

    /// Steps the world, up to so often; with a clock in every step while somebody wants to know where its
    /// time goes.
    fn steps(&mut self, count: u64) -> u64 {
        match &mut self.publisher.watch {
            None => self.live.session.steps(count),
            Some(watch) => self.live.session.steps_with(count, &mut **watch),
        }
    }

    /// Hands on what has happened, and empties the world's list.
    pub(super) fn collect_events(&mut self) {
        if let Some(lock) = &mut self.live.lock_step {
            lock.note(self.live.session.world().log());
        }
        let waits = self.waits();
        if let Some(recorder) = &mut self.live.recorder {
            recorder.events(&self.live.session, waits);
        }
        if let Some(memory) = &self.live.memory {
            memory.events(&self.live.session, self.live.session.world().log());
        }
        self.publisher.take_events(&mut self.live.session);
    }

    /// Lets the controllers' answers take effect. Returns how many steps are free then.
    pub(super) fn take_answers(&mut self) -> u64 {
        let Some(mut lock) = self.live.lock_step.take() else { return 0 };
        lock.take_answers(|robot, command| self.act(Action::Command { robot, command }));
        let free = lock.steps_to_next_turn(self.live.session.world().state().step);
        self.live.lock_step = Some(lock);
        free
    }

    /// Releases what controllers drove who are gone, and tells the others whose turn it is.
    pub(super) fn ask_controllers(&mut self) {
        let step = self.live.session.world().state().step;
        let Some(lock) = &mut self.live.lock_step else { return };
        for robot in lock.depart(step) {
            self.act(Action::Release { robot });
        }
        if self.live.lock_step.as_ref().is_some_and(|lock| lock.must_ask(step)) {
            self.collect_events();
            let publication = self.publisher.turn(&self.live.session);
            if let Some(lock) = &mut self.live.lock_step {
                lock.ask(&publication);
            }
        }
    }

    /// Does what somebody else than a controller in lock step asks.
    pub(super) fn action_of_others(&mut self, action: Action) {
        let robot = action.takes_wheel_of();
        let is_taken = self.act(action);
        if let Some(lock) = self.live.lock_step.as_mut().filter(|_| is_taken)
            && let Some(robot) = robot
        {
            lock.forget(robot);
        }
    }

    /// A controller wants to take part.
    pub(super) fn join(&mut self, controller: u32, period: u64, mut turns: Box<dyn TurnSink>) {
        let joined = if let Some(lock) = &mut self.live.lock_step {
            lock.join(controller, period, turns)
        } else {
            turns.refused(TurnRefusal::NotLockStep);
            Err(TurnRefusal::NotLockStep)
        };
        self.refused += u64::from(joined.is_err());
    }

    /// A controller is gone; one that does not take part gives its robots back at once.
    pub(super) fn leave(&mut self, controller: u32, robots: Vec<RobotId>) {
        let lock = self.live.lock_step.as_mut();
        if !lock.is_some_and(|lock| lock.leave(controller, &robots)) {
            for robot in robots {
                self.act(Action::Release { robot });
            }
        }
    }

    /// A controller answers its turn.
    pub(super) fn take_answer(
        &mut self,
        controller: u32,
        step: u64,
        commands: Vec<(RobotId, Command)>,
    ) {
        let most = self.live.model.robots.len();
        let lock = self.live.lock_step.as_mut();
        let answered = lock.map(|lock| lock.answer(controller, step, commands, most));
        self.refused += u64::from(!matches!(answered, Some(Ok(()))));
    }
}
