//! Graded programs: a program runs without a view, and it is told whether its robot got to a goal in time.
//!
//! In lock step the world waits for the program and the judge, so that the verdict follows from what the program
//! does and not from how fast the machine is.
//!
//! | module | what |
//! |---|---|
//! | `judge` | who looks how the robot does |
//! | `program` | the program, with all that it starts |

mod judge;
mod program;

pub use judge::GradedCourse;

use super::live::{WorldGlance, WorldMaker};
use super::{
    LiveRobots, LiveRobotsSetup, RobotOneLog, RobotOneOptions, RobotOneServer, RobotOneServerError,
    RobotOneServerHandle, ViewHints,
};
use crate::senses::Senses;
use judge::{JUDGE, JUDGE_S, Judge, JudgeInStep};
use rolima_core::Model;
use rolima_run::Speed;
use rolima_run::live::{Live, Request, Setup, SharedSeats, Undelivered};
use rolima_wire::robotone::Dialect;
use std::io;
use std::process::{Child, ExitStatus};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How often to look.
const LOOK: Duration = Duration::from_millis(2);

/// What a program has to do.
#[derive(Clone, Debug)]
pub struct GradedTask {
    /// The program, as one would type it; it finds the simulator by `ROBOTONE_PORT` and
    /// `ROBOTONE_RELEASE_PORT` in its environment.
    pub program: String,
    /// Which robot.
    pub robot: u32,
    /// Where it must get, m.
    pub goal: [f64; 2],
    /// How near is near enough, m.
    pub tolerance_m: f64,
    /// In how much simulated time, s.
    pub within_s: f64,
    /// Runs against the clock, for programs that do not wait for the simulation.
    pub real_time: bool,
    /// The program may put the robot elsewhere and load other worlds.
    pub anything_goes: bool,
    /// It is given up if it lets the simulation stand still for so long.
    pub patience: Duration,
}

/// What a graded program is run with.
pub struct GradedRun {
    /// What the live run begins with; its speed and lock step are those of the task.
    pub setup: Setup,
    /// Refuses other worlds at a glance, where the task allows them.
    pub glance: WorldGlance,
    /// Makes them.
    pub make: WorldMaker,
    /// Where the server tells what it refused.
    pub log: RobotOneLog,
}

/// Why it is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The robot was at the goal.
    Passed,
    /// It was not in time.
    TimeOver,
    /// The program ended before.
    Ended,
    /// The program let the simulation stand still.
    Stuck,
}

/// How a program did.
#[derive(Clone, Debug)]
pub struct Graded {
    /// Why it is over.
    pub verdict: Verdict,
    /// How the robot did.
    pub course: GradedCourse,
    /// How the program ended.
    pub status: ExitStatus,
    /// Whether it ever connected.
    pub connected: bool,
}

/// Why a program cannot be graded.
#[derive(Debug, thiserror::Error)]
pub enum GradeError {
    /// The server cannot start.
    #[error(transparent)]
    Server(#[from] RobotOneServerError),
    /// The program cannot be started.
    #[error("`{program}` cannot be started: {source}")]
    Program {
        /// The program.
        program: String,
        /// What the system says.
        source: io::Error,
    },
    /// Threads and processes.
    #[error(transparent)]
    System(#[from] io::Error),
    /// The loop takes no controller.
    #[error(transparent)]
    Loop(#[from] Undelivered),
    /// The simulation is gone.
    #[error("the simulation broke off")]
    BrokenOff,
}

/// Runs a program and tells how it did.
pub fn grade(task: &GradedTask, run: GradedRun) -> Result<Graded, GradeError> {
    let GradedRun { setup, glance, make, log } = run;
    let speed = if task.real_time { Speed::REAL_TIME } else { Speed::Max };
    // The judge and the program.
    let lock_step = (!task.real_time).then_some(2);
    let model = Arc::clone(&setup.model);
    let mut live = Live::new(Setup { speed, lock_step, ..setup });
    let judge = Judge::new(task);
    let server = open(task, (&model, glance, make, log), &mut live, &judge)?;
    let mailbox = live.mailbox();
    let running = std::thread::spawn(move || live.run());
    let port = |dialect: Dialect| server.address(dialect).map_or(0, |address| address.port());
    let started = program::start(&task.program, port);
    let graded = started.map(|mut program| {
        let verdict = watch(task, &judge, &mut program);
        (verdict, program::end(&mut program))
    });
    // It may have ended by itself.
    let _ = mailbox.send(Request::Stop);
    running.join().map_err(|_| GradeError::BrokenOff)?;
    let (verdict, status) =
        graded.map_err(|source| GradeError::Program { program: task.program.clone(), source })?;
    let connected = server.stats().connections > 0;
    Ok(Graded { verdict: verdict?, course: *judge.course(), status: status?, connected })
}

/// Starts the server for the program, and makes the judge take part.
fn open(
    task: &GradedTask,
    (model, glance, make, log): (&Model, WorldGlance, WorldMaker, RobotOneLog),
    live: &mut Live,
    judge: &Judge,
) -> Result<RobotOneServerHandle, GradeError> {
    let (senses, sink) = Senses::new()?;
    live.add_sink(Box::new(sink));
    if task.real_time {
        live.add_sink(Box::new(judge.clone()));
    } else {
        let period = ((JUDGE_S / model.step_s).round() as u64).max(1);
        let turns = JudgeInStep { judge: judge.clone(), mailbox: live.mailbox() };
        let turns = Box::new(turns);
        live.mailbox().send(Request::Join { controller: JUDGE, period, turns })?;
    }
    let (robots, sink) = LiveRobots::new(LiveRobotsSetup {
        mailbox: live.mailbox(),
        senses: Some(senses),
        glance: match task.anything_goes {
            true => glance,
            false => Arc::new(|_| Err("in a graded run the world stays as it is".to_owned())),
        },
        make,
        may_place: task.anything_goes,
        lock_step: (!task.real_time).then_some(model.step_s),
        seats: SharedSeats::default(),
        view_hints: ViewHints::default(),
    });
    live.add_sink(Box::new(sink));
    let options = RobotOneOptions { log, ..RobotOneOptions::any_ports() };
    Ok(RobotOneServer::start(options, Arc::new(robots))?)
}

/// Waits until it is decided.
fn watch(task: &GradedTask, judge: &Judge, program: &mut Child) -> io::Result<Verdict> {
    let mut moved = (f64::NEG_INFINITY, Instant::now());
    loop {
        let ended = program::has_ended(program)?;
        let course = *judge.course();
        if course.reached_s.is_some() {
            return Ok(Verdict::Passed);
        }
        if course.time_s >= task.within_s {
            return Ok(Verdict::TimeOver);
        }
        if ended {
            return Ok(Verdict::Ended);
        }
        if course.time_s > moved.0 {
            moved = (course.time_s, Instant::now());
        }
        if moved.1.elapsed() > task.patience {
            return Ok(Verdict::Stuck);
        }
        std::thread::sleep(LOOK);
    }
}

impl Graded {
    /// Whether the robot was at the goal in time.
    pub fn passed(&self) -> bool {
        self.verdict == Verdict::Passed
    }

    /// Why it passed or failed, for people.
    pub fn reason(&self, task: &GradedTask) -> String {
        let GradedCourse { time_s, away_m, nearest_m, nearest_s, reached_s, .. } = self.course;
        let ([x, y], patience_s) = (task.goal, task.patience.as_secs_f64());
        let far = match self.connected {
            true => format!(
                "{away_m:.2} m from the goal, at its nearest {nearest_m:.2} m after {nearest_s:.1} s"
            ),
            // Then nothing else matters.
            false => {
                "and never connected to the simulator, whose port is in ROBOTONE_PORT".to_owned()
            }
        };
        match self.verdict {
            Verdict::Passed => {
                let at_s = reached_s.unwrap_or(time_s);
                format!("the robot was at ({x}, {y}) after {at_s:.1} s")
            }
            Verdict::TimeOver => {
                format!("the robot was not at ({x}, {y}) within {} s: {far}", task.within_s)
            }
            Verdict::Ended if self.status.success() => {
                format!("the program ended after {time_s:.1} s, {far}")
            }
            Verdict::Ended => {
                format!("the program broke off ({}) after {time_s:.1} s, {far}", self.status)
            }
            Verdict::Stuck if !self.connected => {
                format!("the program ran for {patience_s} s {far}")
            }
            Verdict::Stuck => format!(
                "the program let the simulation stand still for {patience_s} s; it goes on while the \
                 program waits (waitRobotOne); {far}"
            ),
        }
    }
}
