//! What a run begins with: a scene, or a run that was saved (`--save`, `--from`), and robots that are sent
//! somewhere from its first instant on (`--send`).

use crate::cli::{RunArguments, SceneArguments};
use crate::scene::{self, Opened};
use anyhow::{Context, Result, bail};
use rolima_console::failure::{Usage, tell};
use rolima_core::{Model, RobotId};
use rolima_math::{Pose2, Vec2};
use rolima_record::{BranchOrigin, GoOn, Recording};
use rolima_run::live::log::{Bundle, Header, SavedRun, open_saved, save_run};
use rolima_run::live::{Action, GoalStatus, MapSource, Route, Session, Simulation, Target};
use rolima_scene::create_file;
use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;

/// What a run begins with.
pub(crate) struct Beginning {
    pub(crate) model: Arc<Model>,
    pub(crate) map: Option<Arc<MapSource>>,
    /// What people may want to know of the pictures that the scene was read from, a line each.
    pub(crate) notes: Vec<String>,
    pub(crate) source: Arc<Bundle>,
    /// A simulation that was saved, and the same as it was.
    pub(crate) from: Option<(Simulation, Arc<[u8]>)>,
    /// What is done before the first step.
    pub(crate) actions: Vec<Action>,
    /// Where it comes from, if it is a branch of a recorded run.
    pub(crate) origin: Option<BranchOrigin>,
}

impl Beginning {
    /// Opens what the arguments name. They name the scene of a saved run from then on.
    pub(crate) fn of(arguments: &mut RunArguments) -> Result<Self> {
        if let Some(file) = &arguments.live.save {
            check_new(file, arguments.live.force)?;
        }
        let from = arguments.from.clone();
        let mut beginning = match &from {
            Some(file) if Recording::is_recording(file) => Self::branch(file, arguments)?,
            Some(file) if arguments.at.is_some() => {
                let file = file.display();
                let why = format!("--at: expected a recording (`rolima run --record`), not {file}");
                return Err(Usage(why).into());
            }
            Some(file) => {
                let saved = open_saved(file).map_err(|error| Usage(error.to_string()))?;
                let saved = changed(saved, arguments)?;
                let (start, source) = (saved.start, saved.header.source);
                let sets = source.sets.clone();
                arguments.scene =
                    SceneArguments { scene: Some(start.name), maze: None, size: None, sets };
                let (model, map) = (start.model, start.map);
                let from = Some(saved.from);
                Self { model, map, notes: vec![], source, from, actions: vec![], origin: None }
            }
            None => {
                let Opened { model, map, notes, source, .. } = scene::open(&arguments.scene)?;
                Self { model, map, notes, source, from: None, actions: vec![], origin: None }
            }
        };
        beginning.actions = actions_of(&beginning.model, &arguments.send)?;
        if !beginning.actions.is_empty() {
            // Tried first, so that what is refused is said before anything runs.
            drop(beginning.simulation(arguments)?);
        }
        Ok(beginning)
    }

    /// Goes on from an instant of a recording.
    fn branch(file: &Path, arguments: &mut RunArguments) -> Result<Self> {
        let recording = Recording::open(file).map_err(crate::record::as_usage)?;
        let [begin_s, end_s] = recording.span_s();
        let at_s = arguments.at.unwrap_or(end_s);
        if !(begin_s..=end_s).contains(&at_s) {
            return Err(Usage(format!(
                "--at {at_s}: expected a time of {}, from {begin_s} to {end_s} s",
                file.display()
            ))
            .into());
        }
        let GoOn { start, header, from, origin } =
            recording.go_on(at_s).map_err(crate::record::as_usage)?;
        let SavedRun { start, header, from } =
            changed(SavedRun { start, header, from }, arguments)?;
        let source = header.source;
        let sets = source.sets.clone();
        arguments.scene = SceneArguments { scene: Some(start.name), maze: None, size: None, sets };
        tell(&format!("going on from {} at {:.3} s", origin.file, origin.time_s));
        let (model, map, origin) = (start.model, start.map, Some(origin));
        Ok(Self { model, map, notes: vec![], source, from: Some(from), actions: vec![], origin })
    }

    /// The simulation, in which the robots have been sent.
    fn simulation(&self, arguments: &RunArguments) -> Result<Simulation> {
        let seed = arguments.seed.unwrap_or(self.model.spec.sim.seed);
        let mut simulation = match &self.from {
            Some((simulation, _)) => simulation.fork(),
            None => Simulation::with_seed(self.model.clone(), seed),
        };
        for (action, told) in self.actions.iter().zip(&arguments.send) {
            if !simulation.act(action) {
                return Err(refusal_of(&simulation, action, told).into());
            }
        }
        Ok(simulation)
    }

    /// The same for a run that nobody takes part in.
    pub(crate) fn session(&self, arguments: &RunArguments) -> Result<Session> {
        Ok(Session::of(self.simulation(arguments)?))
    }
}

/// A run that goes on by the seed and the settings that are asked for.
fn changed(saved: SavedRun, arguments: &RunArguments) -> Result<SavedRun, Usage> {
    let file = arguments.from.as_deref().unwrap_or(Path::new("")).display().to_string();
    let failed = |why: String| Usage(format!("--from {file}: {why}"));
    saved.changed(arguments.seed, &arguments.scene.sets).map_err(failed)
}

/// Why a robot was not sent.
fn refusal_of(simulation: &Simulation, action: &Action, told: &str) -> Usage {
    let mut goals = vec![];
    simulation.publish_goals(&mut goals);
    let refused = goals.iter().find(|goal| Some(goal.robot) == action.takes_wheel_of());
    let why = match refused.map(|goal| goal.status) {
        Some(GoalStatus::Refused(why)) => why.to_string(),
        _ => "too many robots have goals".to_owned(),
    };
    Usage(format!("--send {told}: {why}"))
}

/// A goal for each `NAME=GOAL/GOAL/...`, by the names of a model.
fn actions_of(model: &Model, told: &[String]) -> Result<Vec<Action>, Usage> {
    told.iter().map(|told| action_of(model, told)).collect()
}

fn action_of(model: &Model, told: &str) -> Result<Action, Usage> {
    let wrong = |expected: String| Usage(format!("--send {told}: expected {expected}"));
    let form = "ROBOT=X,Y,HEADING (m, m, degrees) or ROBOT=BALL@X,Y, with more goals after slashes";
    let (name, goals) = told.split_once('=').ok_or_else(|| wrong(form.to_owned()))?;
    let robot = model.robots.iter().position(|robot| robot.name == name).ok_or_else(|| {
        let some = model.robots.iter().take(10).map(|robot| robot.name.as_str());
        wrong(format!("a robot of the scene, such as {}", some.collect::<Vec<_>>().join(", ")))
    })?;
    let mut goals: Vec<&str> = goals.split('/').collect();
    let repeat = goals.last() == Some(&"repeat");
    if repeat {
        goals.pop();
    }
    let numbers = |text: &str| -> Option<Vec<f64>> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        text.split(',').map(number).collect()
    };
    let target = |goal: &&str| -> Result<Target, Usage> {
        if let Some((name, aim)) = goal.split_once('@') {
            let known = model.spec.balls.iter().position(|known| known.name == name);
            let ball = known.and_then(|known| model.balls().nth(known));
            let ball = ball.ok_or_else(|| wrong(format!("a ball of the scene, not `{name}`")))?;
            return match numbers(aim).as_deref() {
                Some(&[x, y]) => Ok(Target::Ball { ball, aim: Vec2::new(x, y) }),
                _ => Err(wrong(form.to_owned())),
            };
        }
        match numbers(goal).as_deref() {
            Some(&[x, y, degrees]) => Ok(Target::Pose(Pose2::new(x, y, degrees.to_radians()))),
            _ => Err(wrong(form.to_owned())),
        }
    };
    let goals = goals.iter().map(target).collect::<Result<Vec<_>, _>>()?;
    let robot = RobotId(robot as u32);
    Ok(match (&goals[..], repeat) {
        (&[Target::Pose(pose)], false) => Action::Goal { robot, pose },
        _ => {
            let route = Arc::new(Route { goals, repeat, ..Route::default() });
            Action::Route { robot, route, append: false }
        }
    })
}

/// Refuses to write over an old file, before anything runs.
fn check_new(file: &Path, force: bool) -> Result<(), Usage> {
    let has_something = file.metadata().is_ok_and(|found| found.is_file() && found.len() > 0);
    if force || !has_something {
        return Ok(());
    }
    let why = "expected a new file, got one with something in it; --force writes over it";
    Err(Usage(format!("--save {}: {why}", file.display())))
}

/// Saves a run as it ended, if that is asked for. `loaded`: its scene, where another one was loaded.
pub(crate) fn save(
    arguments: &RunArguments,
    session: &Session,
    source: &Arc<Bundle>,
    loaded: Option<&(String, Option<Arc<Bundle>>)>,
) -> Result<()> {
    let Some(file) = &arguments.live.save else { return Ok(()) };
    let (name, source) = match loaded {
        None => (arguments.scene.name(), source),
        Some((name, Some(source))) => (name.clone(), source),
        Some((name, None)) => {
            bail!("--save {}: the files of the scene `{name}` are not known", file.display())
        }
    };
    let world = session.world();
    let header = Header::new(&name, source.clone(), world.model(), world.state().seed);
    let opened = create_file(file, arguments.live.force);
    let named = || format!("{} cannot be written", file.display());
    let mut output = BufWriter::new(opened.with_context(named)?);
    save_run(&mut output, &header, session).with_context(named)?;
    tell(&format!(
        "saved at {:.3} s: `rolima run --from {}` goes on",
        world.time_s(),
        file.display()
    ));
    Ok(())
}
