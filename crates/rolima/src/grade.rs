//! `rolima grade`: runs a student's program without a view and says whether the robot got there.

use crate::cli::GradeArguments;
use crate::robotone;
use crate::scene::{self, Opened};
use anyhow::{Context, Result, anyhow};
use rolima_console::failure::{Failed, say};
use rolima_core::{Frame, Model};
use rolima_math::Vec2;
use rolima_run::Speed;
use rolima_run::live::{
    Live, Mailbox, Publication, PublishedScene, PublishedTurn, Request, Setup, SharedSeats, Sink,
    TurnRefusal, TurnSink,
};
use rolima_serve::robotone::{Dialect, LiveRobots, LiveRobotsSetup, RobotOneOptions, ViewHints};
use rolima_serve::{RobotOneServer, RobotOneServerHandle, Senses};
use serde_json::json;
use std::process::{Child, Command, ExitStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The judge as a controller in lock step.
const JUDGE: u32 = 1;
/// How often to look.
const LOOK: Duration = Duration::from_millis(2);
/// Steps of the judge's looks, s of simulated time.
const JUDGE_S: f64 = 0.01;

/// How the robot has done so far.
#[derive(Clone, Copy, Debug)]
struct Course {
    /// Time that has passed, s, over other worlds and new starts.
    time_s: f64,
    /// Time of the world at the last look, s.
    world_s: f64,
    /// Where the robot is, m from the goal.
    away_m: f64,
    /// Where it was nearest, and when.
    nearest_m: f64,
    nearest_s: f64,
    /// When it was first at the goal.
    reached_s: Option<f64>,
}

impl Default for Course {
    fn default() -> Self {
        let (time_s, world_s, nearest_s, reached_s) = (0.0, 0.0, 0.0, None);
        let (away_m, nearest_m) = (f64::INFINITY, f64::INFINITY);
        Self { time_s, world_s, away_m, nearest_m, nearest_s, reached_s }
    }
}

/// Looks at the robot and notes how it does.
#[derive(Clone)]
struct Judge {
    course: Arc<Mutex<Course>>,
    robot: usize,
    goal: [f64; 2],
    tolerance_m: f64,
    within_s: f64,
}

impl Judge {
    fn course(&self) -> MutexGuard<'_, Course> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self, frame: &Frame) {
        let Some(body) = frame.bodies.get(self.robot) else { return };
        let mut course = self.course();
        // What is after the end does not count.
        if course.time_s >= self.within_s || course.reached_s.is_some() {
            return;
        }
        let (dx, dy) = (body.pose.position.x - self.goal[0], body.pose.position.y - self.goal[1]);
        // A world that starts over does not give its time back.
        let passed = frame.time_s - course.world_s;
        course.time_s += if passed >= 0.0 { passed } else { frame.time_s };
        course.world_s = frame.time_s;
        course.away_m = (dx * dx + dy * dy).sqrt();
        if course.away_m < course.nearest_m {
            (course.nearest_m, course.nearest_s) = (course.away_m, course.time_s);
        }
        if course.away_m <= self.tolerance_m {
            course.reached_s = Some(course.time_s);
        }
    }
}

/// In real time, at every moment.
impl Sink for Judge {
    fn scene(&mut self, _scene: &PublishedScene<'_>) {}

    fn publication(&mut self, publication: &Publication<'_>) {
        self.look(publication.frame);
    }
}

/// In lock step, at turns that the judge answers at once.
struct JudgeInStep {
    judge: Judge,
    mailbox: Mailbox,
}

impl TurnSink for JudgeInStep {
    fn turn(&mut self, turn: &PublishedTurn<'_>) {
        self.judge.look(turn.frame);
        let step = turn.frame.step;
        let answer = Request::Answer { controller: JUDGE, step, commands: vec![] };
        // A world that gets no answer stands still, which the patience below notices.
        let _ = self.mailbox.send(answer);
    }

    fn refused(&mut self, _why: TurnRefusal) {}
}

/// Runs the program and tells how it did.
pub(crate) fn grade(arguments: &GradeArguments) -> Result<()> {
    let Opened { model, map, .. } = scene::open(&arguments.scene)?;
    let robots = model.robots.len();
    if arguments.robot as usize >= robots {
        let robot = arguments.robot;
        let why = format!("--robot: there are {robots} robots, from 0; got {robot}");
        return Err(rolima_console::failure::Usage(why).into());
    }
    let start_at = model.spec.robots[arguments.robot as usize].pose.position;
    let [x, y] = arguments.goal;
    if (start_at - Vec2::new(x, y)).length() <= arguments.tolerance {
        let why = format!(
            "--goal: expected a place farther from the start ({}, {}) than the tolerance of {} m, got ({x}, {y})",
            start_at.x, start_at.y, arguments.tolerance
        );
        return Err(rolima_console::failure::Usage(why).into());
    }
    let judge = Judge {
        course: Arc::default(),
        robot: arguments.robot as usize,
        goal: arguments.goal,
        tolerance_m: arguments.tolerance,
        within_s: arguments.within,
    };
    let mut live = Live::new(Setup { map, ..setup(arguments, &model) });
    let server = open(arguments, &model, &mut live, &judge)?;
    let mailbox = live.mailbox();
    let running = std::thread::spawn(move || live.run());
    let mut program = start(arguments, &server)?;
    let verdict = watch(arguments, &judge, &mut program);
    let ended = end(&mut program);
    // It may have ended by itself.
    let _ = mailbox.send(Request::Stop);
    running.join().map_err(|_| anyhow!("the simulation broke off"))?;
    let verdict = verdict?;
    let connected = server.stats().connections > 0;
    drop(server);
    tell_verdict(arguments, &judge, verdict, ended?, connected)
}

fn setup(arguments: &GradeArguments, model: &Arc<Model>) -> Setup {
    let name = arguments.scene.name();
    let speed = if arguments.real_time { Speed::REAL_TIME } else { Speed::Max };
    // The judge and the program.
    let lock_step = (!arguments.real_time).then_some(2);
    let seed = arguments.seed.unwrap_or(model.spec.sim.seed);
    Setup { speed, lock_step, seed, ..Setup::new(&name, Arc::clone(model)) }
}

/// Starts the server for the program, and gives the judge a seat.
fn open(
    arguments: &GradeArguments,
    model: &Model,
    live: &mut Live,
    judge: &Judge,
) -> Result<RobotOneServerHandle> {
    let (senses, sink) = Senses::new()?;
    live.add_sink(Box::new(sink));
    if arguments.real_time {
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
        glance: if arguments.anything_goes {
            robotone::glance()
        } else {
            Arc::new(|_| Err("in a graded run the world stays as it is".to_owned()))
        },
        make: robotone::maker(&arguments.scene),
        may_place: arguments.anything_goes,
        lock_step: (!arguments.real_time).then_some(model.step_s),
        seats: SharedSeats::default(),
        view_hints: ViewHints::default(),
    });
    live.add_sink(Box::new(sink));
    let log = Arc::new(|line: &str| rolima_console::failure::tell(line));
    let options = RobotOneOptions { log, ..RobotOneOptions::any_ports() };
    Ok(RobotOneServer::start(options, Arc::new(robots))?)
}

/// Starts the program, which finds the server by its environment.
fn start(arguments: &GradeArguments, server: &RobotOneServerHandle) -> Result<Child> {
    let port = |dialect| server.address(dialect).map_or(0, |address| address.port()).to_string();
    let (shell, flag) = if cfg!(windows) { ("cmd", "/C") } else { ("sh", "-c") };
    let mut command = Command::new(shell);
    command.arg(flag).arg(&arguments.program);
    command.env("ROBOTONE_PORT", port(Dialect::Thesis));
    command.env("ROBOTONE_RELEASE_PORT", port(Dialect::Release));
    // What it prints is not the verdict.
    command.stdin(std::process::Stdio::null()).stdout(std::io::stderr());
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.spawn().with_context(|| format!("`{}` cannot be started", arguments.program))
}

/// Ends the program, and all that it has started, and says how it ended.
fn end(program: &mut Child) -> std::io::Result<ExitStatus> {
    // Its number is its own until it has been waited for: the group is that of this program, also
    // where the program itself has ended and only its children are left.
    #[cfg(unix)]
    {
        let group = rustix::process::Pid::from_child(program);
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
    #[cfg(not(unix))]
    if matches!(program.try_wait(), Ok(None)) {
        let _ = program.kill();
    }
    program.wait()
}

/// Whether the program has ended; it is not waited for yet.
#[cfg(unix)]
fn has_ended(program: &mut Child) -> std::io::Result<bool> {
    use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    Ok(waitid(WaitId::Pid(Pid::from_child(program)), options)?.is_some())
}

/// Whether the program has ended.
#[cfg(not(unix))]
fn has_ended(program: &mut Child) -> std::io::Result<bool> {
    Ok(program.try_wait()?.is_some())
}

/// How it ended.
enum Verdict {
    Passed,
    TimeOver,
    Ended,
    Stuck,
}

/// Waits until it is decided.
fn watch(arguments: &GradeArguments, judge: &Judge, program: &mut Child) -> Result<Verdict> {
    let mut moved = (f64::NEG_INFINITY, Instant::now());
    loop {
        let ended = has_ended(program)?;
        let course = *judge.course();
        if course.reached_s.is_some() {
            return Ok(Verdict::Passed);
        }
        if course.time_s >= arguments.within {
            return Ok(Verdict::TimeOver);
        }
        if ended {
            return Ok(Verdict::Ended);
        }
        if course.time_s > moved.0 {
            moved = (course.time_s, Instant::now());
        }
        if moved.1.elapsed() > arguments.patience {
            return Ok(Verdict::Stuck);
        }
        std::thread::sleep(LOOK);
    }
}

fn tell_verdict(
    arguments: &GradeArguments,
    judge: &Judge,
    verdict: Verdict,
    status: ExitStatus,
    connected: bool,
) -> Result<()> {
    let course = *judge.course();
    let [x, y] = arguments.goal;
    let Course { time_s, away_m, nearest_m, nearest_s, .. } = course;
    let far = match connected {
        true => format!(
            "{away_m:.2} m from the goal, at its nearest {nearest_m:.2} m after {nearest_s:.1} s"
        ),
        // Then nothing else matters.
        false => "and never connected to the simulator, whose port is in ROBOTONE_PORT".to_owned(),
    };
    let reason = match verdict {
        Verdict::Passed => {
            let at = course.reached_s.unwrap_or(time_s);
            format!("the robot was at ({x}, {y}) after {at:.1} s")
        }
        Verdict::TimeOver => {
            format!("the robot was not at ({x}, {y}) within {} s: {far}", arguments.within)
        }
        Verdict::Ended if status.success() => {
            format!("the program ended after {time_s:.1} s, {far}")
        }
        Verdict::Ended => {
            format!("the program broke off ({status}) after {time_s:.1} s, {far}")
        }
        Verdict::Stuck if !connected => {
            let patience_s = arguments.patience.as_secs_f64();
            format!("the program ran for {patience_s} s {far}")
        }
        Verdict::Stuck => format!(
            "the program let the simulation stand still for {} s; it goes on while the program \
             waits (waitRobotOne); {far}",
            arguments.patience.as_secs_f64()
        ),
    };
    let passed = matches!(verdict, Verdict::Passed);
    let word = if passed { "passed" } else { "failed" };
    if arguments.json {
        let finite = |number: f64| number.is_finite().then_some(number);
        say(&json!({
            "passed": passed, "reason": reason, "time_s": time_s, "reached_s": course.reached_s,
            "away_m": finite(away_m), "nearest_m": finite(nearest_m), "nearest_s": nearest_s,
        })
        .to_string())?;
    } else {
        say(&format!("{word}: {reason}"))?;
    }
    if passed { Ok(()) } else { Err(Failed.into()) }
}
