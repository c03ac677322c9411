//! What passes between the simulation and the view. Neither ever waits for the other's work: the
//! simulation leaves pictures in a slot if nobody is just taking one, and looks for requests without
//! blocking.

use super::events;
use rolima_core::{Command, Event, Frame, RobotId};
use rolima_run::Speed;
use rolima_run::live::{Action, Publication, PublishedScene, Request, RunStatus, ShownMode, Sink};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, TryLockError};
use std::time::{Duration, Instant};

/// What the view shows.
#[derive(Clone, Debug, Default)]
pub(super) struct Picture {
    pub(super) frame: Frame,
    /// The latest events worth reading, the newest last.
    pub(super) events: VecDeque<Event>,
    pub(super) pace: RunPace,
    /// The values of the scene's channels.
    pub(super) channels: Vec<f64>,
}

/// How the run goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct RunPace {
    pub(super) speed: Speed,
    pub(super) paused: bool,
    /// Whether somebody looks at an earlier instant, and the run stands.
    pub(super) past: bool,
    /// Steps a second of wall time, lately.
    pub(super) steps_per_s: f64,
    /// Simulated time by wall time, lately.
    pub(super) real_time_factor: f64,
    /// Wall time given up because the machine was too slow, s.
    pub(super) behind_s: f64,
}

impl Default for RunPace {
    fn default() -> Self {
        let (speed, paused, past) = (Speed::REAL_TIME, false, false);
        Self { speed, paused, past, steps_per_s: 0.0, real_time_factor: 0.0, behind_s: 0.0 }
    }
}

impl RunPace {
    fn of(status: &RunStatus, step_s: f64) -> Self {
        Self {
            speed: if status.speed > 0.0 { Speed::factor(status.speed) } else { Speed::Max },
            paused: status.paused,
            past: status.shown == ShownMode::Past,
            steps_per_s: status.real_time_factor / step_s,
            real_time_factor: status.real_time_factor,
            behind_s: status.behind_s,
        }
    }
}

/// What the view asks of the simulation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum ViewRequest {
    TogglePause,
    SingleStep,
    Faster,
    Slower,
    /// As fast as possible, and back to real time.
    ToggleMax,
    Reset,
    Drive(u32, Command),
    Release(u32),
}

/// Speeds that + and - choose from go from 1/64 to 1,024, by factors of two.
const SLOWEST: f64 = 1.0 / 64.0;
const FASTEST: f64 = 1024.0;

impl ViewRequest {
    /// What it means for a run at this pace, which it changes.
    pub(super) fn request(self, pace: &mut RunPace) -> Request {
        match self {
            Self::TogglePause => {
                pace.paused = !pace.paused;
                if pace.paused { Request::Pause } else { Request::Play }
            }
            Self::SingleStep => {
                pace.paused = true;
                Request::Step(1)
            }
            Self::Faster | Self::Slower | Self::ToggleMax => {
                pace.speed = self.speed_from(pace.speed);
                Request::Speed(pace.speed)
            }
            Self::Reset => Request::Reset,
            // A refusal is an event, which the view shows.
            Self::Drive(robot, command) => {
                Request::Action(Action::Command { robot: RobotId(robot), command })
            }
            Self::Release(robot) => Request::Action(Action::Release { robot: RobotId(robot) }),
        }
    }

    fn speed_from(self, speed: Speed) -> Speed {
        match (self, speed) {
            (Self::Faster, Speed::Factor(factor)) if 2.0 * factor <= FASTEST => {
                Speed::factor(2.0 * factor)
            }
            (Self::Slower, Speed::Factor(factor)) => Speed::factor((0.5 * factor).max(SLOWEST)),
            (Self::Slower, Speed::Max) => Speed::factor(FASTEST),
            (Self::ToggleMax, Speed::Max) => Speed::REAL_TIME,
            _ => Speed::Max,
        }
    }
}

/// The latest picture.
#[derive(Debug, Default)]
pub(super) struct Slot {
    latest: Mutex<(Picture, bool)>,
}

impl Slot {
    /// Swaps a newer picture in, if there is one.
    pub(super) fn take(&self, picture: &mut Picture) {
        // A simulation that panicked while it wrote leaves the last whole frame or a mixture of
        // two; the view ends soon after in any case.
        let mut slot = self.latest.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let (latest, is_new) = &mut *slot;
        if *is_new {
            std::mem::swap(latest, picture);
            *is_new = false;
        }
    }

    /// Lets `fill` write the latest picture, unless the view is just taking one.
    fn offer(&self, fill: impl FnOnce(&mut Picture)) -> bool {
        match self.latest.try_lock() {
            Ok(mut slot) => {
                fill(&mut slot.0);
                slot.1 = true;
                true
            }
            Err(TryLockError::WouldBlock | TryLockError::Poisoned(_)) => false,
        }
    }
}

/// Wall time between pictures.
const PICTURE: Duration = Duration::from_millis(16);
const MOST_EVENTS: usize = 100;

/// The simulation's end: leaves pictures.
pub(super) struct Window {
    slot: Arc<Slot>,
    events: VecDeque<Event>,
    next_picture: Instant,
    last_step: u64,
    step_s: f64,
}

impl Window {
    pub(super) fn new(slot: Arc<Slot>) -> Self {
        Self {
            slot,
            events: VecDeque::with_capacity(MOST_EVENTS),
            next_picture: Instant::now(),
            last_step: 0,
            step_s: 1e-3,
        }
    }
}

impl Sink for Window {
    fn scene(&mut self, scene: &PublishedScene<'_>) {
        self.events.clear();
        self.step_s = scene.model.step_s;
    }

    fn publication(&mut self, publication: &Publication<'_>) {
        if publication.frame.step < self.last_step {
            // A reset: what happened before is over.
            self.events.clear();
        }
        self.last_step = publication.frame.step;
        for event in publication.events.iter().filter(|event| events::is_told(event)) {
            if self.events.len() == MOST_EVENTS {
                self.events.pop_front();
            }
            self.events.push_back(*event);
        }
        let now = Instant::now();
        // What happens in a pause is shown at once: there may be no other publication for long.
        if now < self.next_picture && !publication.status.paused && !publication.status.ended {
            return;
        }
        self.next_picture = now + PICTURE;
        let (events, pace) = (&self.events, RunPace::of(publication.status, self.step_s));
        self.slot.offer(|picture| {
            picture.frame.clone_from(publication.frame);
            picture.events.clone_from(events);
            picture.pace = pace;
            picture.channels.clear();
            picture.channels.extend_from_slice(publication.channels);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rolima_run::live::{Live, Setup};
    use rolima_scene::builtin_model;

    #[test]
    fn orders_reach_the_simulation_and_pictures_the_view() {
        let slot = Arc::new(Slot::default());
        let mut live = Live::new(Setup {
            paused: true,
            ..Setup::new("soccer", builtin_model("soccer", &[]).unwrap())
        });
        live.add_sink(Box::new(Window::new(slot.clone())));
        let mailbox = live.mailbox();
        let mut pace = RunPace::default();
        let volts = Command::Volts(rolima_core::Volts { right: 3.0, left: 2.0 });
        for order in [
            ViewRequest::Drive(1, volts),
            ViewRequest::SingleStep,
            ViewRequest::SingleStep,
            ViewRequest::Faster,
        ] {
            mailbox.send(order.request(&mut pace)).unwrap();
        }
        let running = std::thread::spawn(|| live.run());
        let mut seen = Picture::default();
        while seen.frame.step < 2 || seen.pace.speed != Speed::Factor(2.0) {
            std::thread::yield_now();
            slot.take(&mut seen);
        }
        assert!(seen.pace.paused && seen.frame.step == 2);
        assert_eq!(seen.frame.bodies[1].volts, [3.0, 2.0]);
        let schema = rolima_core::Schema::new(&builtin_model("soccer", &[]).unwrap());
        let number = schema.find("robot.blue-2.actuator.right.voltage")[0];
        assert_eq!(seen.channels[number], 3.0);
        mailbox.send(Request::Stop).unwrap();
        assert_eq!(running.join().unwrap().report.steps, 2);
    }

    #[test]
    fn the_simulation_never_waits_for_the_view() {
        let slot = Slot::default();
        let taking = slot.latest.lock().unwrap();
        assert!(!slot.offer(|_| panic!("the view has the slot")));
        drop(taking);
        assert!(slot.offer(|picture| picture.frame.step = 7));
        let mut seen = Picture::default();
        slot.take(&mut seen);
        assert_eq!(seen.frame.step, 7);
        seen.frame.step = 8;
        slot.take(&mut seen);
        assert_eq!(seen.frame.step, 8, "an old picture does not come again");
    }

    #[test]
    fn speeds_go_up_to_max_and_down_to_slow_motion() {
        let mut pace = RunPace::default();
        let mut press = |order: ViewRequest, times: u32| {
            (0..times).for_each(|_| drop(order.request(&mut pace)));
            pace.speed
        };
        assert_eq!(press(ViewRequest::Faster, 11), Speed::Max);
        assert_eq!(press(ViewRequest::Slower, 1), Speed::Factor(1024.0));
        assert_eq!(press(ViewRequest::Slower, 30), Speed::Factor(SLOWEST));
        assert_eq!(press(ViewRequest::ToggleMax, 1), Speed::Max);
        assert_eq!(press(ViewRequest::ToggleMax, 1), Speed::REAL_TIME);
    }
}
