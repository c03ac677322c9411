//! A world that runs live: people and programs act on it and look at it while it runs.
//!
//! ```text
//!  sockets, keys ──TimedRequest──►  loop: wait for a request or the next deadline,
//!                                   simulate up to that instant, apply, publish ──Publication──► Sink
//! ```
//!
//! The loop never waits for anybody but the clock (and, in lock step, its controllers): requests
//! come through a bounded queue, publications go to sinks that must not block.
//!
//! ```
//! use rolima_run::Speed;
//! use rolima_run::live::{Action, Live, Request, Setup};
//! # use rolima_core::{RobotId, Volts, model::{Model, SceneSpec}};
//! # let model = Model::compile(&SceneSpec::default()).expect("an empty scene");
//! let live = Live::new(Setup { speed: Speed::Max, ..Setup::new("empty", model.into()) });
//! let mailbox = live.mailbox();
//! let running = std::thread::spawn(|| live.run());
//! mailbox.send(Request::Step(1000))?;
//! mailbox.send(Request::Action(Action::Release { robot: RobotId(0) }))?;
//! mailbox.send(Request::Stop)?;
//! let outcome = running.join().expect("it does not panic");
//! assert_eq!(outcome.report.refused_requests, 1, "there is no robot");
//! # Ok::<(), rolima_run::live::Undelivered>(())
//! ```
//!
//! | module | what | reads => writes |
//! |---|---|---|
//! | `contract` | what goes in and what comes out | |
//! | `setup` | what a run starts with | |
//! | `mailbox` | the way in, bounded | requests => queue |
//! | `loaded` | scenes that are ready to run, and worlds that are done with | model => world |
//! | `clock` | waiting for a request or a time | queue => request |
//! | `run` | the loop | requests, clock => world, log, publications |
//! | `session` | a simulation, and how far it got | acts => world |
//! | `replaying` | what was done comes from a log | log => acts |
//! | `scenes` | how far a run got in each of its scenes | world => summaries |
//! | [`seats`] | who drives which robot; asked by all who would, never by the loop | |
//! | `lock_step` | advancing only with the controllers | answers => commands |
//! | `turn` | what controllers are told | |
//! | `controllers` | what the loop does for them | world => turns |
//! | `happened` | events since somebody looked, bounded | events => events |
//! | `publish` | what is published | world => publications |
//! | `deadlines` | ticks and frames, and how late they were | clock => lateness |
//! | `bare` | the same deadlines met by a loop that only sleeps, to compare with | clock => lateness |
//! | `rate` | the real-time factor of the last second | clock => factor |
//! | `recorder` | who keeps a run whole, and when the loop lets it see | world => recorder |
//! | [`history`] | what was simulated, to go back to: in memory, or recorded | world => history |
//! | `timeline` | which instant is shown, and which can be | |
//! | `travelling` | showing other instants; taking one over | history => world, publications |
//! | [`log`] | what was done, for a replay to the same bits | acts => file => acts |
//! | `words` | events in words | event => text |
//! | `schedule` | priority and core of the loop's thread | |

mod bare;
mod clock;
mod contract;
mod controllers;
mod deadlines;
mod happened;
pub mod history;
mod loaded;
mod lock_step;
pub mod log;
mod mailbox;
mod publish;
mod rate;
mod recorder;
mod replaying;
mod run;
mod scenes;
mod schedule;
pub mod seats;
mod session;
mod setup;
mod timeline;
mod travelling;
mod turn;
mod words;

pub use bare::{bare_loop, bare_loop_while};
pub use clock::LiveClock;
pub use contract::{
    FRAME_S, Lateness, MOST_CHANNELS, MapSource, Publication, PublishedContact, PublishedScene,
    Request, RunStatus, Sink, TICK_S, TimedRequest,
};
pub use deadlines::Deadlines;
pub use happened::{MOST_EVENTS_TOLD, thin_events};
pub use history::{Keep, RunInstant};
pub use loaded::{Loaded, Prepared};
pub use lock_step::MOST_CONTROLLERS;
pub use mailbox::{Mailbox, QUEUE_LENGTH, Undelivered};
pub use recorder::{RecordAnswer, RecordBroken, RecordEnd, RecordNews, RecordSummary, Recorder};
pub use replaying::{ReplayNews, Replaying};
pub use rolima_agents::{
    Action, GoalRefusal, GoalStatus, MOST_GOALS, NavError, Phase, Progress, PublishedGoal,
    RestoreError, Route, Simulation, Target,
};
pub use run::{Live, RunOutcome};
pub use scenes::{SceneSummary, ScenesLeft};
pub use schedule::Schedule;
pub use seats::{HeldSeat, Holder, Idle, NotHeld, Purpose, SeatTaken, Seats, SharedSeats};
pub use session::Session;
pub use setup::Setup;
pub use timeline::{
    Future, MOST_FUTURES, ShownMode, ShownTimeline, TakenFrom, Travel, TravelAnswer, TravelRefusal,
};
pub use turn::{PublishedTurn, TurnRefusal, TurnSink};
pub use words::event_in_words;
