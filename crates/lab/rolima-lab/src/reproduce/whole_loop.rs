//! Figures 6.5 to 6.7: the thesis's PIDs, the open loop, the whole loop; and our tracker beside.

use super::{Claim, Section, Verdict};
use crate::plot::{COLOURS, Plot};
use anyhow::Result;
use rolima_agents::pilot::{FRAME_S, Pilot, RobotTruth, send, steps_of_frame, truth_of};
use rolima_agents::thesis::{ThesisLoop, Use};
use rolima_agents::vision::Blur;
use rolima_core::{Model, RobotId, World};
use rolima_math::{Pose2, Stream, Vec2, wrap_angle};
use rolima_nav::path::{Method, plan};
use rolima_nav::{Goal, Settings};
use rolima_scene::builtin_model;
use std::sync::Arc;

const DEGREES: [f64; 3] = [50.0, 0.0, -50.0];

fn goal(degrees: f64) -> Pose2 {
    Pose2::new(0.5, 0.5, degrees.to_radians())
}

/// The robot alone on an unbounded floor, nobody at the wheel.
pub(super) fn alone(preset: &str) -> Result<Arc<Model>> {
    let sets = ["left=0", "right=0"].map(str::to_owned);
    let mut sets = sets.to_vec();
    sets.push(format!("robot.robot.preset={preset}"));
    Ok(builtin_model("open-loop", &sets)?)
}

struct Drive {
    course: Vec<RobotTruth>,
    /// Mean of what both motors get in common, V, over the last half of the time.
    volts: f64,
}

impl Drive {
    fn last(&self) -> Option<&RobotTruth> {
        self.course.last()
    }

    fn errors(&self, goal: Pose2) -> (f64, f64, f64) {
        self.last().map_or((f64::NAN, f64::NAN, f64::NAN), |t| {
            let off = (t.pose.position - goal.position).length();
            let turn = wrap_angle(t.pose.theta() - goal.theta()).abs().to_degrees();
            (off, turn, t.velocity.length())
        })
    }
}

/// Frames of 30 ms, a controller in each.
fn driven(model: &Arc<Model>, seconds: f64, mut frame: impl FnMut(&mut World)) -> Drive {
    let mut world = World::new(model.clone());
    let robot = RobotId(0);
    let steps = steps_of_frame(&world);
    let mut course = vec![];
    for _ in 0..(seconds / FRAME_S) as u64 {
        course.extend(truth_of(&world, robot));
        frame(&mut world);
        world.steps(steps);
    }
    course.extend(truth_of(&world, robot));
    Drive { course, volts: f64::NAN }
}

fn by_thesis(model: &Arc<Model>, used: Use, goal: Pose2, seconds: f64) -> Result<Drive> {
    let mut control = ThesisLoop::new(9.0, used)?;
    let robot = RobotId(0);
    let mut sent = vec![];
    let drive = driven(model, seconds, |world| {
        let seen = truth_of(world, robot).map(|truth| truth.pose);
        let (_, volts) = control.frame(seen, goal);
        sent.push(0.5 * (volts.right + volts.left).abs());
        send(world, robot, volts);
    });
    let late = &sent[sent.len() / 2..];
    let volts = late.iter().sum::<f64>() / late.len().max(1) as f64;
    Ok(Drive { volts, ..drive })
}

fn by_tracker(model: &Arc<Model>, goal: Pose2, seconds: f64) -> Result<Drive> {
    let world = World::new(model.clone());
    let mut pilot =
        Pilot::new(&world, RobotId(0), Settings::default(), Blur::default(), Stream::default())?;
    Ok(driven(model, seconds, |world| {
        pilot.frame(world, Some(Goal::stop_at(goal)));
    }))
}

fn way(drive: &Drive) -> impl Iterator<Item = Vec2> + '_ {
    drive.course.iter().map(|t| t.pose.position)
}

fn stabilisation(model: &Arc<Model>) -> Result<Section> {
    let mut drives = vec![];
    for degrees in DEGREES {
        drives.push((degrees, by_thesis(model, Use::Alone, goal(degrees), 10.0)?));
    }
    let corners = DEGREES.into_iter().flat_map(|degrees| Plot::robot_corners(goal(degrees)));
    let shown = drives.iter().flat_map(|(_, drive)| way(drive)).chain(corners);
    let mut plot = Plot::map_around("The PIDs alone, 10 s", shown);
    let mut off = vec![];
    for (i, (degrees, drive)) in drives.into_iter().enumerate() {
        off.push(drive.errors(goal(degrees)));
        plot.line(way(&drive), COLOURS[i], false);
        plot.robot(goal(degrees), COLOURS[i]);
        plot.label(&format!("{degrees} degrees"), COLOURS[i], false);
    }
    let text: Vec<String> =
        off.iter().map(|(d, a, _)| format!("{:.0} mm, {a:.0} degrees", 1e3 * d)).collect();
    Ok(Section {
        id: "figure-6.5",
        title: "Figure 6.5: stabilisation at a fixed configuration by the PIDs alone".to_owned(),
        setting: "minirobot-2001 from (0, 0, 0) to (0.5, 0.5) m with +50, 0 and -50 degrees (the thesis gives no goals here), frames of \
                  30 ms, true poses; near means 1 cm.".to_owned(),
        claims: vec![Claim::new(
            "the results are not satisfactory",
            format!("after 10 s off by {}", text.join("; ")),
            Verdict::of(off.iter().all(|(d, a, _)| *d > 0.01 || *a > 3.0)),
        )],
        pictures: vec![plot.finish()],
    })
}

fn open_loop() -> Result<Section> {
    let model = builtin_model("open-loop", &[])?;
    let drive = driven(&model, 3.0, |_| {});
    let mut world = World::new(model);
    world.steps(1000);
    let robot = RobotId(0);
    let at = truth_of(&world, robot)
        .map_or([f64::NAN; 3], |t| [t.pose.position.x, t.pose.position.y, t.pose.theta()]);
    let oracle = [0.582285737, 0.467846096, 1.0562476];
    let same = at.iter().zip(oracle).all(|(got, want)| (got - want).abs() < 1e-7);
    world.steps(79_000);
    let steady = truth_of(&world, robot);
    let radius = steady.map_or(f64::NAN, |t| t.velocity.length() / t.omega);
    // To the left of where it then is.
    let middle = steady.map_or(Vec2::ZERO, |t| t.pose.transform(Vec2::new(0.0, radius)));
    let circle: Vec<Vec2> = (0..=360)
        .map(|k| {
            let turned = Pose2::new(middle.x, middle.y, f64::from(k).to_radians());
            turned.transform(Vec2::new(radius, 0.0))
        })
        .collect();
    let long = driven(&builtin_model("open-loop", &[])?, 80.0, |_| {});
    let mut spiral = Plot::map_around("The same for 80 s", way(&long).chain(circle.clone()));
    spiral.line(way(&long), COLOURS[0], false);
    spiral.line(circle, COLOURS[1], true);
    spiral.label("robot", COLOURS[0], false);
    spiral.label(&format!("circle of {radius:.2} m"), COLOURS[1], true);
    let mut plot = Plot::map_around("7.2 V on both motors, 3 s", way(&drive));
    plot.line(way(&drive), COLOURS[0], false);
    Ok(Section {
        id: "figure-6.6",
        title: "Figure 6.6: the simulated robot in open loop with equal inputs".to_owned(),
        setting: "minirobot-2001 from rest at the origin, 7.2 V on both motors, as in the thesis."
            .to_owned(),
        claims: vec![
            Claim::new(
                "unequal motors and wheels make it turn in spirals",
                format!("it curves to the left; its steady circle has a radius of {radius:.2} m"),
                Verdict::of((radius - 20.1104).abs() < 1e-3),
            ),
            Claim::ours(
                "the model of equation 6.12 with the listed parameters is what runs",
                format!(
                    "after 1 s at ({:.6}, {:.6}) m, {:.6} rad; computed apart from the simulator: ({:.6}, {:.6}) m, {:.6} rad",
                    at[0], at[1], at[2], oracle[0], oracle[1], oracle[2]
                ),
                Verdict::of(same),
            ),
        ],
        pictures: vec![plot.finish(), spiral.finish()],
    })
}

/// One goal of figure 6.7, driven to by all.
struct Driven {
    degrees: f64,
    goal: Pose2,
    /// The PIDs on the thesis's own path, and on ours.
    pids: [Drive; 2],
    /// The tracker on minirobot-2001, and on minirobot.
    tracker: [Drive; 2],
    /// The thesis's path and ours as planned at the start.
    planned: [Vec<Vec2>; 2],
}

impl Driven {
    fn to(degrees: f64, listed: &Arc<Model>, physical: &Arc<Model>) -> Result<Self> {
        let goal = goal(degrees);
        let points = |method: Method| -> Result<Vec<Vec2>> {
            let path = plan(Pose2::IDENTITY, goal, method)?.path;
            let at = |k: i32| path.pose(path.end() * f64::from(k) / 300.0).position;
            Ok((0..=300).map(at).collect())
        };
        Ok(Self {
            degrees,
            goal,
            pids: [
                by_thesis(listed, Use::WithPrintedPlan, goal, 20.0)?,
                by_thesis(listed, Use::WithPlan, goal, 20.0)?,
            ],
            tracker: [by_tracker(listed, goal, 5.0)?, by_tracker(physical, goal, 5.0)?],
            planned: [points(Method::Printed)?, points(Method::Cubic)?],
        })
    }

    /// Furthest that a drive is from the path planned at the start, m.
    fn strays(&self, drive: &Drive, planned: &[Vec2]) -> f64 {
        let off = |p: Vec2| planned.iter().map(|q| (p - *q).length()).fold(f64::INFINITY, f64::min);
        way(drive).map(off).fold(0.0, f64::max)
    }

    /// The PIDs on both paths, and the tracker.
    fn pictures(&self) -> [String; 2] {
        const PATHS: [&str; 2] = [COLOURS[5], COLOURS[4]];
        let corners = Plot::robot_corners(self.goal);
        let about = |what: &str, drives: &[Drive; 2], planned: &[Vec<Vec2>]| {
            let shown = drives.iter().flat_map(way).chain(planned.iter().flatten().copied());
            let title = format!("Goal with {} degrees: {what}", self.degrees);
            let mut plot = Plot::map_around(&title, shown.chain(corners));
            plot.robot(self.goal, "#202124");
            plot
        };
        let mut pids = about("the PIDs, 20 s", &self.pids, &self.planned);
        for (i, name) in ["thesis's path", "our path"].into_iter().enumerate() {
            pids.line(self.planned[i].iter().copied(), PATHS[i], true);
            pids.line(way(&self.pids[i]), COLOURS[i], false);
            pids.label(&format!("{name} as planned at rest"), PATHS[i], true);
            pids.label(&format!("PIDs, {name} every frame"), COLOURS[i], false);
        }
        let mut tracker = about("our tracker, 5 s", &self.tracker, &self.planned[1..]);
        tracker.line(self.planned[1].iter().copied(), PATHS[1], true);
        tracker.line(way(&self.tracker[0]), COLOURS[0], false);
        // Both presets go nearly the same way: dashes let the one below be seen.
        tracker.line(way(&self.tracker[1]), COLOURS[2], true);
        tracker.label("our path as planned at rest", PATHS[1], true);
        tracker.label("minirobot-2001", COLOURS[0], false);
        tracker.label("minirobot", COLOURS[2], true);
        [pids.finish(), tracker.finish()]
    }
}

fn whole_loop(listed: &Arc<Model>) -> Result<Section> {
    let physical = alone("minirobot")?;
    let all = DEGREES.map(|degrees| Driven::to(degrees, listed, &physical));
    let all = all.into_iter().collect::<Result<Vec<Driven>>>()?;
    let errors = |of: &dyn Fn(&Driven) -> &Drive| -> Vec<(f64, f64, f64)> {
        all.iter().map(|driven| of(driven).errors(driven.goal)).collect()
    };
    let told = |all: &[(f64, f64, f64)]| {
        let each = all
            .iter()
            .map(|(d, a, v)| format!("{:.1} mm, {a:.1} degrees, {:.0} mm/s", 1e3 * d, 1e3 * v));
        each.collect::<Vec<_>>().join("; ")
    };
    let good =
        |all: &[(f64, f64, f64)]| all.iter().all(|&(d, a, v)| d < 0.01 && a < 3.0 && v < 0.02);
    let [theirs, on_ours] = [0, 1].map(|i| errors(&move |driven: &Driven| &driven.pids[i]));
    let ours = [0, 1].map(|i| errors(&move |driven: &Driven| &driven.tracker[i])).concat();
    let volts = |i: usize| {
        let each = all.iter().map(|driven| format!("{:.2} V", driven.pids[i].volts));
        each.collect::<Vec<_>>().join(", ")
    };
    let strays = all.iter().map(|driven| driven.strays(&driven.pids[0], &driven.planned[0]));
    let strays: Vec<f64> = strays.collect();
    let each = |values: &[f64]| {
        values.iter().map(|v| format!("{:.0} mm", 1e3 * v)).collect::<Vec<_>>().join(", ")
    };
    Ok(Section {
        id: "figure-6.7",
        title: "Figure 6.7: planning, references and control together".to_owned(),
        setting: "From (0, 0, 0) to (0.5, 0.5) m with +50, 0 and -50 degrees, replanning every 30 ms, as in the thesis. Its PIDs on \
                  minirobot-2001, twice: after references on its own path as printed, (a1, a2) = (0, dx), and on our cubic. With \
                  a1 = 0 the printed length is 0/0, so that ours by quadrature places the reference, 16.5 mm ahead, headings are \
                  those of travel, and where dx = 0 our path stands in. Our tracker on both presets, which may find a quicker \
                  kind of path than the cubic. Dashes: paths as planned at the start, before the robot has moved."
            .to_owned(),
        claims: vec![
            Claim::new(
                "the robot always reaches the final configuration with an error near zero",
                format!(
                    "with the printed gains on the printed paths, after 20 s: {}, at {} in the second half; on our paths: {}, at {}. \
                     Replanning keeps the reference 16.5 mm ahead, which is worth 0.15 V: it crawls, and near the goal it hunts. \
                     Our tracker: last row",
                    told(&theirs),
                    volts(0),
                    told(&on_ours),
                    volts(1)
                ),
                Verdict::printed(good(&theirs), good(&ours)),
            ),
            Claim::new(
                "the way driven differs from the path planned at first, as it is planned anew all the time",
                format!("on the printed paths it strays by up to {}", each(&strays)),
                // A robot is 75 mm wide: what strays by a fifth of that is another way.
                Verdict::of(strays.iter().all(|off| *off > 0.015)),
            ),
            Claim::ours(
                "within 1 cm, 3 degrees and 2 cm/s after 5 s, on both presets",
                told(&ours),
                Verdict::of(good(&ours)),
            ),
        ],
        pictures: all.iter().flat_map(Driven::pictures).collect(),
    })
}

pub(super) fn sections() -> Result<Vec<Section>> {
    let listed = alone("minirobot-2001")?;
    Ok(vec![stabilisation(&listed)?, open_loop()?, whole_loop(&listed)?])
}
