//! Goals that are passed at a speed: what a path to them has to end like, and run-ups to them.
//!
//! Beyond the thesis. Such a goal is passed ahead: a robot that came to it backwards, or crept through a
//! narrow bend there, would not be where it should be next, and would come again and again.

use super::{ChosenPath, PathKind, fastest, quickest, rough_time};
use crate::error::NavError;
use crate::field::Surroundings;
use crate::path::{Leg, LegShape, Path};
use crate::trajectory::TrajectoryLimits;
use rolima_math::{Pose2, smaller};

/// How a path ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PathEnd {
    /// At rest: it may be driven backwards, and end with a turn on the spot.
    AtRest,
    /// At a speed, m/s, along the heading there.
    Passing(f64),
}

/// A goal that is passed at less than this share of its speed is as good as missed: what it takes to come
/// to it again, s, counts as well.
pub(crate) const TOO_SLOW: f64 = 0.8;
pub(crate) const AGAIN: f64 = 2.0;

/// Run-ups to a goal that is to be passed, in lengths that it takes to get that fast.
const RUN_UPS: [f64; 2] = [2.0, 1.2];

/// Whether a path cannot end as it should: with a turn on the spot, or a bend too narrow for the speed.
fn misses(path: &Path, end: PathEnd, limits: &TrajectoryLimits) -> bool {
    const LAST_PARTS: [f64; 5] = [1.0, 0.95, 0.9, 0.8, 0.7];
    let (PathEnd::Passing(speed), Some(leg)) = (end, path.legs().last()) else { return false };
    if leg.backwards || matches!(leg.shape, LegShape::Turn { .. }) {
        return true;
    }
    let to = leg.pose(1.0).position;
    let least = LAST_PARTS.into_iter().fold(f64::INFINITY, |least, at| {
        let (slow, rest) = (fastest(leg.curvature(at), limits), leg.pose(at).position - to);
        smaller(least, slow * slow + 2.0 * limits.acceleration * rest.length())
    });
    let wanted = TOO_SLOW * smaller(speed, limits.speed);
    least < wanted * wanted
}

/// About how long a path takes, s, and how long what has to be done again.
pub(super) fn cost(path: &Path, end: PathEnd, limits: &TrajectoryLimits) -> f64 {
    rough_time(path, limits) + if misses(path, end, limits) { AGAIN } else { 0.0 }
}

/// To a place behind the goal, at rest, and from there straight on through it.
pub(crate) fn with_run_up(
    from: Pose2,
    to: Pose2,
    speed: f64,
    surroundings: &Surroundings<'_>,
    limits: &TrajectoryLimits,
    margin: f64,
) -> Result<ChosenPath, NavError> {
    let speed = smaller(speed, limits.speed);
    let behind = |length: f64| to.position - to.rotation.x_axis() * length;
    let has_clearance = |length: &f64| surroundings.clearance(behind(*length), 0.0).0 >= margin;
    // Twice what it takes to get that fast, or little more than that where there is no room.
    let lengths = RUN_UPS.map(|times| times * 0.5 * speed * speed / limits.acceleration);
    let length = lengths.into_iter().find(has_clearance).ok_or(NavError::Blocked)?;
    let behind = Pose2 { position: behind(length), ..to };
    let mut path = quickest(from, behind, PathEnd::AtRest, surroundings, limits, margin)?.path;
    path.push(Leg::forwards(LegShape::Arc { from: behind, length, curvature: 0.0 }))?;
    if !surroundings.allows(&path, margin) {
        return Err(NavError::Blocked);
    }
    Ok(ChosenPath { path, kind: PathKind::Around, time: rough_time(&path, limits) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Field;
    use crate::route::{PASSING, of_kind, route};
    use rolima_math::{Stream, wrap_angle};

    /// What it takes to come again, s.
    const AGAIN_S: f64 = 2.0;

    fn within(field: &Field) -> Surroundings<'_> {
        Surroundings::within(field, 0.053, 0.6)
    }

    #[test]
    fn paths_through_a_goal_end_ahead_and_not_in_a_bend_too_narrow_for_its_speed() {
        let (field, limits) = (Field::mirosot(), TrajectoryLimits::default());
        let surroundings = Surroundings::within(&field, 0.053, 0.6);
        let mut random = Stream::new(6, 0, "through");
        let (mut narrow, mut with_run_ups) = (0, 0);
        for _ in 0..1000 {
            let mut place = || {
                let (x, y) = (random.between(-0.65, 0.65), random.between(-0.55, 0.55));
                Pose2::new(x, y, random.between(-3.2, 3.2))
            };
            let (from, to) = (place(), place());
            let end = PathEnd::Passing(0.3);
            let found = route(from, to, end, &surroundings, &limits, 0.006).unwrap();
            let behind = with_run_up(from, to, 0.3, &surroundings, &limits, 0.006);
            if let Ok(behind) = behind {
                with_run_ups += 1;
                assert!(!misses(&behind.path, end, &limits));
                assert!(surroundings.allows(&behind.path, 0.006));
                let last = behind.path.pose(behind.path.end());
                assert!((last.position - to.position).length() < 1e-9);
                assert!(wrap_angle(last.theta() - to.theta()).abs() < 1e-9);
            }
            if misses(&found.path, end, &limits) {
                narrow += 1;
                // What passes as it should takes longer than to come again.
                let takes = rough_time(&found.path, &limits);
                for path in PASSING.into_iter().filter_map(|kind| of_kind(from, to, kind).ok()) {
                    let passes = surroundings.allows(&path, 0.006) && !misses(&path, end, &limits);
                    assert!(!passes || rough_time(&path, &limits) >= takes + AGAIN_S, "{to:?}");
                }
            }
            // At rest only where there is no room to pass.
            let last = found.path.legs().last().unwrap();
            let ahead = !last.backwards && !matches!(last.shape, LegShape::Turn { .. });
            assert!(ahead || behind.is_err(), "{from:?} {to:?}: {:?}", found.kind);
        }
        assert!(narrow < 40 && with_run_ups > 100, "{narrow} {with_run_ups}");
    }

    #[test]
    fn a_goal_where_the_robot_already_stands_is_passed_with_a_run_up() {
        let surroundings = within(&Field::EVERYWHERE);
        let (here, limits) = (Pose2::new(0.2, 0.1, 1.0), TrajectoryLimits::default());
        let found =
            route(here, here, PathEnd::Passing(0.3), &surroundings, &limits, 0.006).unwrap();
        let [back, on] = found.path.legs() else { panic!("{:?}", found.path.legs()) };
        assert!(back.backwards && !on.backwards);
        assert!(2.0 * limits.acceleration * on.arc_length(1.0) > 0.3 * 0.3);
        let stays = route(here, here, PathEnd::AtRest, &surroundings, &limits, 0.006);
        assert_eq!(stays.err(), Some(NavError::CoincidentPoses));
    }
}
