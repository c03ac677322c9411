//! `rolima grade`: runs a student's program without a view and says whether the robot got there.

use crate::cli::GradeArguments;
use crate::scene::{self, Opened};
use anyhow::Result;
use rolima_console::failure::{Failed, Usage, say, tell};
use rolima_math::Vec2;
use rolima_run::live::Setup;
use rolima_serve::robotone::graded::{Graded, GradedCourse, GradedRun, GradedTask, grade as run};
use rolima_serve::worlds::glance;
use serde_json::json;
use std::sync::Arc;

/// Runs the program and tells how it did.
pub(crate) fn grade(arguments: &GradeArguments) -> Result<()> {
    let Opened { model, map, .. } = scene::open(&arguments.scene)?;
    let robots = model.robots.len();
    if arguments.robot as usize >= robots {
        let robot = arguments.robot;
        let why = format!("--robot: there are {robots} robots, from 0; got {robot}");
        return Err(Usage(why).into());
    }
    let start_at = model.spec.robots[arguments.robot as usize].pose.position;
    let [x, y] = arguments.goal;
    if (start_at - Vec2::new(x, y)).length() <= arguments.tolerance {
        let why = format!(
            "--goal: expected a place farther from the start ({}, {}) than the tolerance of {} m, got ({x}, {y})",
            start_at.x, start_at.y, arguments.tolerance
        );
        return Err(Usage(why).into());
    }
    let task = GradedTask {
        program: arguments.program.clone(),
        robot: arguments.robot,
        goal: arguments.goal,
        tolerance_m: arguments.tolerance,
        within_s: arguments.within,
        real_time: arguments.real_time,
        anything_goes: arguments.anything_goes,
        patience: arguments.patience,
    };
    let seed = arguments.seed.unwrap_or(model.spec.sim.seed);
    let graded = run(
        &task,
        GradedRun {
            setup: Setup { map, seed, ..Setup::new(&arguments.scene.name(), model) },
            glance: glance(),
            make: arguments.scene.world().maker(),
            log: Arc::new(tell),
        },
    )?;
    say(&verdict(&graded, &task, arguments.json))?;
    if graded.passed() { Ok(()) } else { Err(Failed.into()) }
}

/// How it did, in a line.
fn verdict(graded: &Graded, task: &GradedTask, as_json: bool) -> String {
    let (passed, reason) = (graded.passed(), graded.reason(task));
    if !as_json {
        return format!("{}: {reason}", if passed { "passed" } else { "failed" });
    }
    let GradedCourse { time_s, away_m, nearest_m, nearest_s, reached_s, .. } = graded.course;
    // JSON has no infinity.
    let finite = |number: f64| number.is_finite().then_some(number);
    json!({
        "passed": passed, "reason": reason, "time_s": time_s, "reached_s": reached_s,
        "away_m": finite(away_m), "nearest_m": finite(nearest_m), "nearest_s": nearest_s,
    })
    .to_string()
}
