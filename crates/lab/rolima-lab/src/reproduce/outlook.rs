//! What the thesis names without a figure: the methods of its outlook, and its way around obstacles.

use super::paths::{PAIRS, poses};
use super::whole_loop::alone;
use super::{Claim, Section, Verdict};
use crate::plot::{COLOURS, Plot};
use anyhow::Result;
use rolima_agents::pilot::{drive_of, send, steps_of_frame, truth_of};
use rolima_core::{RobotId, World};
use rolima_math::{Pose2, Vec2};
use rolima_nav::path::{Method, Path, plan, thesis};
use rolima_nav::{Field, Goal, Navigator, Obstacle, Settings};

/// Methods that the thesis names in its outlook, side by side.
pub(super) fn paths() -> Result<Section> {
    // All six differ here, the nearest two by some 5 cm.
    let (from, to) =
        (Pose2::new(0.0, 0.0, 60f64.to_radians()), Pose2::new(0.45, 0.15, 130f64.to_radians()));
    let methods = [
        Method::Cubic,
        Method::Gentle,
        Method::Bounded(0.1),
        Method::Dubins(0.1),
        Method::ReedsShepp(0.1),
        Method::Turn,
    ];
    let points = |path: &Path| -> Vec<Vec2> {
        (0..=300).map(|i| path.pose(path.end() * f64::from(i) / 300.0).position).collect()
    };
    let mut planned = vec![];
    for method in methods {
        planned.push((method, plan(from, to, method)?.path));
    }
    let corners = [from, to].into_iter().flat_map(Plot::robot_corners);
    let all = planned.iter().flat_map(|(_, path)| points(path)).chain(corners);
    let mut plot = Plot::map_around("One task, six methods", all);
    plot.robot(from, "#202124");
    plot.robot(to, "#202124");
    let (mut text, mut met, mut tightest) = (vec![], true, f64::INFINITY);
    for (i, (method, path)) in planned.into_iter().enumerate() {
        let end = path.pose(path.end());
        met &= (end.position - to.position).length() < 1e-9
            && (end.rotation.x_axis() - to.rotation.x_axis()).length() < 1e-9;
        if matches!(method, Method::Bounded(_) | Method::Dubins(_) | Method::ReedsShepp(_)) {
            tightest = tightest.min(1.0 / path.largest_curvature());
        }
        plot.line(points(&path), COLOURS[i], false);
        plot.label(&format!("{}, {:.2} m", method.name(), path.length()), COLOURS[i], false);
        text.push(format!(
            "{} {:.3} m, largest curvature {:.1} 1/m",
            method.name(),
            path.length(),
            path.largest_curvature()
        ));
    }
    let mut ellipses = 0;
    let mut off = 0.0f64;
    for pair in PAIRS {
        let (from, to) = poses(pair);
        if let Ok(ellipse) = thesis::Ellipse::through(from, to) {
            ellipses += 1;
            off = off.max((ellipse.point(0.0) - from.position).length());
            off = off.max((ellipse.point(1.0) - to.position).length());
        }
    }
    Ok(Section {
        id: "beyond-paths",
        title: "Beyond the thesis: the methods of its outlook".to_owned(),
        setting: "From (0, 0) m with 60 degrees to (0.45, 0.15) m with 130 degrees; least radius 0.1 m where a method has one.".to_owned(),
        claims: vec![Claim::new(
            "other curves and criteria remain to be compared (chapter 7)",
            text.join("; "),
            Verdict::Measured,
        ), Claim::ours(
            "all meet both poses to 1e-9, and those with a least radius keep 0.1 m",
            format!("both poses met: {met}; least radius {tightest:.6} m"),
            Verdict::of(met && tightest > 0.1 - 1e-9),
        ), Claim::new(
            "an ellipse through both configurations (section 5.3) is not of trivial solution",
            format!("with q = b^2/a^2 it is linear; {ellipses} of {} pairs of figure 5.4 have one, met to {off:.0e} m", PAIRS.len()),
            Verdict::printed(ellipses == 0, off < 1e-9),
        )],
        pictures: vec![plot.finish()],
    })
}

/// Section 5.1's proposal for obstacles, which the thesis has no figure of.
pub(super) fn avoidance() -> Result<Section> {
    let others = [Vec2::new(0.0, 0.02), Vec2::new(0.3, -0.16), Vec2::new(-0.2, 0.3)];
    let obstacles =
        others.map(|position| Obstacle { position, velocity: Vec2::ZERO, radius: 0.053 });
    let settings = Settings { field: Field::mirosot(), ..Settings::default() };
    let model = alone("minirobot")?;
    let drive = drive_of(&model.drives[0], model.spec.sim.gravity)?;
    let mut plot = Plot::map("Around others", Vec2::new(-0.8, -0.7), Vec2::new(0.8, 0.7));
    plot.rectangle(Vec2::new(-0.75, -0.65), Vec2::new(0.75, 0.65), "#9aa0a6");
    others.iter().for_each(|&p| plot.disc(p, 0.053, "#b3261e"));
    let starts =
        [Pose2::new(-0.6, 0.0, 0.0), Pose2::new(-0.55, 0.45, -0.6), Pose2::new(-0.5, -0.5, 1.2)];
    let goal = Pose2::new(0.55, 0.05, 0.0);
    let (mut nearest, mut slowest, mut off) = (f64::INFINITY, f64::INFINITY, 0.0f64);
    for (i, start) in starts.into_iter().enumerate() {
        let mut world = World::new(model.clone());
        let robot = RobotId(0);
        world.place_body(robot, start);
        let mut navigator = Navigator::new(&drive, settings)?;
        let steps = steps_of_frame(&world);
        let mut way = vec![];
        for frame in 0..130 {
            let Some(truth) = truth_of(&world, robot) else { break };
            way.push(truth.pose.position);
            for p in others {
                nearest = nearest.min((truth.pose.position - p).length() - 2.0 * 0.053);
            }
            let far = (truth.pose.position - goal.position).length();
            if frame > 15 && far > 0.15 {
                slowest = slowest.min(truth.velocity.length());
            }
            let output = navigator.frame(Some(truth.pose), Some(Goal::stop_at(goal)), &obstacles);
            send(&mut world, robot, output.volts);
            world.steps(steps);
        }
        off = off.max(way.last().map_or(f64::NAN, |p| (*p - goal.position).length()));
        plot.line(way, COLOURS[i], false);
        plot.robot(start, COLOURS[i]);
    }
    plot.robot(goal, "#202124");
    let setting = "Three robots stand in the way on the MiroSot field, preset minirobot; the thesis proposes the method and has \
                   no figure of it.";
    Ok(Section {
        id: "beyond-avoidance",
        title: "Section 5.1: an intermediate configuration beside an obstacle".to_owned(),
        setting: setting.to_owned(),
        claims: vec![
            Claim::new(
                "a path over an intermediate configuration frees the robot from the collision",
                format!(
                    "room to the others' circles at least {:.1} mm; after 3.9 s off by at most {:.1} mm",
                    1e3 * nearest,
                    1e3 * off
                ),
                Verdict::of(nearest > 0.0 && off < 0.01),
            ),
            Claim::ours(
                "the robot keeps moving",
                format!("never slower than {slowest:.2} m/s on the way"),
                Verdict::of(slowest > 0.05),
            ),
        ],
        pictures: vec![plot.finish()],
    })
}
