//! Choosing a path: the quickest of several, around what is in the way (section 5.1).
//!
//! The thesis proposes, for an obstacle near the path, "a new intermediate configuration, far
//! enough from the obstacle": [`around`] puts one beside it, heading along the path, so that the
//! robot passes without stopping. Beyond the thesis: everything else here. It has no obstacles in its
//! figures, compares no kinds of paths and knows no time of a path; two obstacles in a row are ours, and
//! so are run-ups to goals that are passed at a speed.

mod around;
mod passing;

pub use around::around;
pub(crate) use around::spare;
pub use passing::PathEnd;
pub(crate) use passing::{AGAIN, TOO_SLOW, with_run_up};
use serde::{Deserialize, Serialize};

use crate::error::NavError;
use crate::field::Surroundings;
use crate::path::hermite::{self, Wish};
use crate::path::plan::turn_drive_turn;
use crate::path::{Leg, LegShape, Method, Path, plan};
use crate::trajectory::TrajectoryLimits;
use passing::cost;
use rolima_math::{Pose2, Rot2, larger, smaller, wrap_angle};

/// Kinds of paths that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum PathKind {
    /// [`Method::Cubic`], forwards.
    Ahead,
    /// The same, backwards.
    Back,
    /// [`Method::Gentle`], forwards.
    WideAhead,
    /// The same, backwards.
    WideBack,
    /// Turn, drive, turn.
    Turn,
    /// A bend towards the goal's position and a turn there: what [`PathKind::Turn`] becomes under
    /// way.
    LineAhead,
    /// The same, backwards.
    LineBack,
    /// Around an obstacle.
    Around,
}

/// Those for a goal to stop at, and for one to be passed at a speed: they end moving ahead.
const KINDS: [PathKind; 5] =
    [PathKind::Ahead, PathKind::Back, PathKind::WideAhead, PathKind::WideBack, PathKind::Turn];
const PASSING: [PathKind; 2] = [PathKind::Ahead, PathKind::WideAhead];

/// The fastest that a bend can be driven, m/s.
fn fastest(curvature: f64, limits: &TrajectoryLimits) -> f64 {
    let bend = larger(curvature.abs(), 1e-6);
    smaller(limits.speed, smaller((limits.lateral / bend).sqrt(), limits.turning / bend))
}

/// A chosen path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChosenPath {
    /// The path.
    pub path: Path,
    /// Its kind.
    pub kind: PathKind,
    /// About how long it takes, s.
    pub time: f64,
}

/// The path of one kind.
pub fn of_kind(from: Pose2, to: Pose2, kind: PathKind) -> Result<Path, NavError> {
    match kind {
        PathKind::Ahead => Ok(plan(from, to, Method::Cubic)?.path),
        PathKind::WideAhead => Ok(plan(from, to, Method::Gentle)?.path),
        PathKind::Back => backwards(from, to, Method::Cubic),
        PathKind::WideBack => backwards(from, to, Method::Gentle),
        PathKind::Turn | PathKind::Around => turn_drive_turn(from, to),
        PathKind::LineAhead => line(from, to),
        PathKind::LineBack => reversed(&line(turned(from), turned(to))?),
    }
}

/// A bend that arrives along the line to the goal's position, and a turn to its heading.
fn line(from: Pose2, to: Pose2) -> Result<Path, NavError> {
    let way = (to.position - from.position).unit_or(from.rotation.x_axis());
    let arrives = Pose2 { position: to.position, rotation: Rot2 { c: way.x, s: way.y } };
    let curve = hermite::plan(from, arrives, Wish::Gentle)?.curve;
    let mut path = Path::of(Leg::forwards(LegShape::Cubic(curve)));
    let by = wrap_angle(to.theta() - arrives.theta());
    path.push(Leg::forwards(LegShape::Turn { from: arrives, by }))?;
    Ok(path)
}

/// The path of a robot that looks the other way, driven backwards.
fn backwards(from: Pose2, to: Pose2, method: Method) -> Result<Path, NavError> {
    reversed(&plan(turned(from), turned(to), method)?.path)
}

/// What a robot that looks the other way drives, which is backwards. It turns on the spot as well.
fn reversed(path: &Path) -> Result<Path, NavError> {
    let mut other = Path::default();
    for leg in path.legs() {
        other.push(match leg.shape {
            LegShape::Turn { from, by } => Leg::forwards(LegShape::Turn { from: turned(from), by }),
            shape => Leg { shape, backwards: !leg.backwards },
        })?;
    }
    Ok(other)
}

fn turned(pose: Pose2) -> Pose2 {
    Pose2 { rotation: Rot2 { c: -pose.rotation.c, s: -pose.rotation.s }, ..pose }
}

/// Whether a wide path is the one with the criterion: where that cannot be met on either axis, it is
/// not asked for.
fn is_the_same_as_narrow(from: Pose2, to: Pose2, kind: PathKind) -> bool {
    let can = match kind {
        PathKind::WideAhead => hermite::feasible(from, to),
        PathKind::WideBack => hermite::feasible(turned(from), turned(to)),
        _ => return false,
    };
    can == Ok([false; 2])
}

/// About how long a path takes from rest to rest, s: speeds by curvature alone, and a share for
/// speeding up and braking each time it stands.
pub fn rough_time(path: &Path, limits: &TrajectoryLimits) -> f64 {
    const PARTS: usize = 10;
    let mut time = 0.0;
    let mut stands = true;
    let mut was_backwards = None;
    for leg in path.legs() {
        let speed = |k: f64| fastest(k, limits);
        let stands_between = was_backwards.is_some_and(|b| b != leg.backwards);
        match leg.shape {
            LegShape::Turn { by, .. } => {
                let (rate, change) = (limits.turning, 0.6 * limits.turning_change);
                let top = smaller(rate, (by.abs() * change).sqrt());
                time += if top > 0.0 { by.abs() / top + top / change } else { 0.0 };
                stands = true;
                was_backwards = None;
                continue;
            }
            LegShape::Arc { length, curvature, .. } => time += length / speed(curvature),
            LegShape::Cubic(curve) => {
                for i in 0..PARTS {
                    let at = (i as f64 + 0.5) / PARTS as f64;
                    let way = curve.derivative(at).length() / PARTS as f64;
                    time += way / speed(curve.curvature(at));
                }
            }
        }
        if stands || stands_between {
            // From rest and to rest: short ways never reach the top speed.
            let length = match leg.shape {
                LegShape::Arc { length, .. } => length,
                LegShape::Cubic(curve) => (curve.end - curve.start).length(),
                LegShape::Turn { .. } => 0.0,
            };
            let top = smaller(limits.speed, (length * limits.acceleration).sqrt());
            let a = limits.acceleration;
            time += smaller(limits.speed, top) / a
                + if top < limits.speed {
                    length / larger(top, 1e-6) - length / limits.speed
                } else {
                    0.0
                };
        }
        stands = false;
        was_backwards = Some(leg.backwards);
    }
    time
}

/// The quickest path that keeps its distance; around an obstacle if none does, or if that is
/// quicker. What cannot be around a robot ([`Surroundings::check`]) is refused.
///
/// Where no curve through a goal that is to be passed keeps its distance, it is one with a run-up from
/// behind the goal, and at last one that ends there at rest.
pub fn route(
    from: Pose2,
    to: Pose2,
    end: PathEnd,
    surroundings: &Surroundings<'_>,
    limits: &TrajectoryLimits,
    margin: f64,
) -> Result<ChosenPath, NavError> {
    surroundings.check()?;
    let found = quickest(from, to, end, surroundings, limits, margin);
    match (end, found) {
        (PathEnd::Passing(speed), Err(_)) => {
            with_run_up(from, to, speed, surroundings, limits, margin)
                .or_else(|_| quickest(from, to, PathEnd::AtRest, surroundings, limits, margin))
        }
        _ => found,
    }
}

fn quickest(
    from: Pose2,
    to: Pose2,
    end: PathEnd,
    surroundings: &Surroundings<'_>,
    limits: &TrajectoryLimits,
    margin: f64,
) -> Result<ChosenPath, NavError> {
    let mut best: Option<ChosenPath> = None;
    let mut first: Option<ChosenPath> = None;
    let kinds = if end == PathEnd::AtRest { &KINDS[..] } else { &PASSING };
    for &kind in kinds {
        if is_the_same_as_narrow(from, to, kind) {
            continue;
        }
        let path = match of_kind(from, to, kind) {
            Ok(path) => path,
            // A goal at the robot's own position is a matter of turning alone.
            Err(NavError::CoincidentPoses) if kind != PathKind::Turn => continue,
            Err(error) => return Err(error),
        };
        let time = cost(&path, end, limits);
        let found = ChosenPath { path, kind, time };
        if first.is_none_or(|old| time < old.time) {
            first = Some(found);
        }
        if best.is_none_or(|old| time < old.time) && surroundings.allows(&path, margin) {
            best = Some(found);
        }
    }
    let first = first.ok_or(NavError::CoincidentPoses)?;
    let Some(best) = best else {
        // What the quickest curve meets may not be what stands before the goal.
        let straight = || {
            let path = turn_drive_turn(from, to)?;
            let straight =
                ChosenPath { path, kind: PathKind::Turn, time: cost(&path, end, limits) };
            around(from, to, end, &straight, surroundings, limits, margin)
        };
        let beside = around(from, to, end, &first, surroundings, limits, margin);
        return if first.kind == PathKind::Turn { beside } else { beside.or_else(|_| straight()) };
    };
    // Where something is in the way of the quickest, another kind may keep clear of it by a wide
    // detour: passing beside it may be quicker.
    let in_the_way = best.time > first.time
        && !surroundings.obstacles.is_empty()
        && surroundings.closest(&first.path).obstacle.is_some();
    if !in_the_way {
        return Ok(best);
    }
    let beside = around(from, to, end, &first, surroundings, limits, margin);
    Ok(beside.ok().filter(|beside| beside.time < best.time).unwrap_or(best))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Field, Obstacle};
    use rolima_math::{Stream, Vec2};

    #[test]
    fn one_small_obstacle_makes_no_wide_detour() {
        let limits = TrajectoryLimits { speed: 1.0, ..TrajectoryLimits::default() };
        for y in [-0.1, 0.0, 0.05] {
            let obstacles =
                [Obstacle { position: Vec2::new(0.0, y), velocity: Vec2::ZERO, radius: 0.2 }];
            let surroundings = Surroundings {
                obstacles: &obstacles,
                ..Surroundings::within(&Field::EVERYWHERE, 0.3, 1.0)
            };
            let (from, to) = (Pose2::new(-16.0, 0.0, 0.0), Pose2::new(16.0, 0.0, 0.0));
            let found = route(from, to, PathEnd::AtRest, &surroundings, &limits, 0.05).unwrap();
            assert!(found.path.length() < 1.05 * 32.0, "{:?} {}", found.kind, found.path.length());
            assert!(surroundings.closest(&found.path).clearance > 0.04);
        }
    }

    #[test]
    fn among_five_robots_nearly_every_goal_has_a_way() {
        let field = Field::mirosot();
        let mut random = Stream::new(5, 0, "among");
        let (mut all, mut blocked) = (0, 0);
        while all < 3000 {
            let mut place = || Vec2::new(random.between(-0.65, 0.65), random.between(-0.55, 0.55));
            let others: [Vec2; 5] = core::array::from_fn(|_| place());
            let ends = [place(), place()];
            let close = |a: Vec2, b: Vec2, least: f64| (a - b).length() < least;
            let near_other = |p: &Vec2| others.iter().any(|o| close(*o, *p, 0.13));
            if close(ends[0], ends[1], 0.1) || ends.iter().any(near_other) {
                continue;
            }
            let [from, to] = ends.map(|position| Pose2 {
                position,
                rotation: Rot2::from_angle(random.between(-3.2, 3.2)),
            });
            let obstacles =
                others.map(|position| Obstacle { position, velocity: Vec2::ZERO, radius: 0.053 });
            let surroundings =
                Surroundings { obstacles: &obstacles, ..Surroundings::within(&field, 0.053, 0.6) };
            all += 1;
            match route(
                from,
                to,
                PathEnd::AtRest,
                &surroundings,
                &TrajectoryLimits::default(),
                0.006,
            ) {
                Ok(found) => assert!(surroundings.allows(&found.path, 0.006)),
                Err(error) => {
                    assert_eq!(error, NavError::Blocked);
                    blocked += 1;
                }
            }
        }
        assert!(blocked <= 18, "{blocked} of {all}");
    }
}
