//! Ways around what is in the way: over intermediate configurations (section 5.1).

use super::{ChosenPath, PathEnd, PathKind, cost, turned};
use crate::error::NavError;
use crate::field::Surroundings;
use crate::path::hermite::{self, Wish};
use crate::path::plan::turn_drive_turn;
use crate::path::{Leg, LegShape, Path};
use crate::trajectory::TrajectoryLimits;
use rolima_math::{Pose2, Rot2, Vec2, larger};

/// Most obstacles around the first one that are looked at in pairs.
const MOST_IN_A_ROW: usize = 8;

/// A path over an intermediate configuration beside the obstacle that a blocked path meets. One that ends
/// at a speed is driven ahead all the way.
pub fn around(
    from: Pose2,
    to: Pose2,
    end: PathEnd,
    blocked: &ChosenPath,
    surroundings: &Surroundings<'_>,
    limits: &TrajectoryLimits,
    margin: f64,
) -> Result<ChosenPath, NavError> {
    surroundings.check()?;
    let meets = surroundings.closest(&blocked.path);
    // Beside the field's edge there is nothing to go around: straight lines keep inside. Unless
    // something stands before it.
    let index = match meets.obstacle {
        Some(index) => index,
        None => {
            if let Some(found) = over(from, to, end, &[], surroundings, limits, margin) {
                return Ok(found);
            }
            surroundings.obstacle_near(&blocked.path, margin).ok_or(NavError::Blocked)?
        }
    };
    let obstacle = surroundings.obstacles[index];
    let way = course(from, to);
    let mut best: Option<ChosenPath> = None;
    for spread in [1.0, 1.35, 1.8] {
        let reach = (obstacle.radius + surroundings.radius + margin + spare(surroundings)) * spread;
        for side in [1.0, -1.0] {
            let beside = obstacle.position + way.perp() * (side * reach);
            let beside = surroundings.field.keep(beside, surroundings.radius + margin);
            if let Some(found) = over(from, to, end, &[beside], surroundings, limits, margin)
                && best.is_none_or(|old| found.time < old.time)
            {
                best = Some(found);
            }
        }
        if best.is_some() {
            break;
        }
    }
    // Two in a row: beside the first, then beside whatever the rest of the way meets.
    if best.is_none() {
        best = two_in_a_row(from, to, end, obstacle.position, surroundings, limits, margin);
    }
    best.ok_or(NavError::Blocked)
}

fn course(from: Pose2, to: Pose2) -> Vec2 {
    (to.position - from.position).unit_or(Vec2::new(1.0, 0.0))
}

/// Room beyond what must be kept, m: a path that passes a point bends around it.
pub(crate) fn spare(surroundings: &Surroundings<'_>) -> f64 {
    larger(0.01, 0.188 * surroundings.radius)
}

fn two_in_a_row(
    from: Pose2,
    to: Pose2,
    end: PathEnd,
    first: Vec2,
    surroundings: &Surroundings<'_>,
    limits: &TrajectoryLimits,
    margin: f64,
) -> Option<ChosenPath> {
    let way = course(from, to);
    let mut best: Option<ChosenPath> = None;
    // Some 40 cm among minirobots; few, so that a crowd does not cost more than a frame.
    let far = larger(0.4, 7.5 * surroundings.radius);
    let near = |position: Vec2| {
        let others = surroundings.obstacles.iter();
        others.filter(move |o| (o.position - position).length() < far).take(MOST_IN_A_ROW)
    };
    let reach = |radius: f64| (radius + surroundings.radius + margin + spare(surroundings)) * 1.1;
    for a in near(first) {
        for b in near(first) {
            for sides in [(1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)] {
                let keep = |p: Vec2| surroundings.field.keep(p, surroundings.radius + margin);
                let p = keep(a.position + way.perp() * (sides.0 * reach(a.radius)));
                let q = keep(b.position + way.perp() * (sides.1 * reach(b.radius)));
                if let Some(found) = over(from, to, end, &[p, q], surroundings, limits, margin)
                    && best.is_none_or(|old| found.time < old.time)
                {
                    best = Some(found);
                }
            }
        }
    }
    best
}

/// The quickest allowed path over some points: curves that pass them, or straight lines with turns.
fn over(
    from: Pose2,
    to: Pose2,
    end: PathEnd,
    points: &[Vec2],
    surroundings: &Surroundings<'_>,
    limits: &TrajectoryLimits,
    margin: f64,
) -> Option<ChosenPath> {
    // Far cheaper than a path to a place in a wall. Where there are none, nothing is asked.
    let asks = !points.is_empty() && !surroundings.barriers.is_empty();
    if asks && surroundings.detours.is_some_and(|detours| !detours.ask()) {
        return None;
    }
    if !points.iter().all(|&p| surroundings.may_pass([from.position, to.position], p, margin)) {
        return None;
    }
    let mut best: Option<ChosenPath> = None;
    let all = [PathKind::WideAhead, PathKind::WideBack, PathKind::Turn];
    for &kind in if end == PathEnd::AtRest { &all[..] } else { &all[..1] } {
        if surroundings.detours.is_some_and(|detours| !detours.take()) {
            break;
        }
        let Ok(path) = chain(from, to, points, kind) else { continue };
        let time = cost(&path, end, limits);
        let better = best.is_none_or(|old: ChosenPath| time < old.time);
        if better && surroundings.allows(&path, margin) {
            best = Some(ChosenPath { path, kind: PathKind::Around, time });
        }
    }
    best
}

fn chain(from: Pose2, to: Pose2, points: &[Vec2], kind: PathKind) -> Result<Path, NavError> {
    let mut path = Path::default();
    let mut here = from;
    for (i, &point) in points.iter().enumerate() {
        let next = points.get(i + 1).copied().unwrap_or(to.position);
        // Through each point along the line between its neighbours.
        let course = (next - here.position).unit_or(Vec2::new(1.0, 0.0));
        let facing = match kind {
            PathKind::WideBack => -course,
            // A straight line: no turn on arrival.
            PathKind::Turn => (point - here.position).unit_or(course),
            _ => course,
        };
        let via = Pose2 { position: point, rotation: Rot2 { c: facing.x, s: facing.y } };
        path.append(&piece(here, via, kind)?)?;
        here = via;
    }
    path.append(&piece(here, to, kind)?)?;
    Ok(path)
}

fn piece(from: Pose2, to: Pose2, kind: PathKind) -> Result<Path, NavError> {
    match kind {
        PathKind::Turn => turn_drive_turn(from, to),
        PathKind::WideBack => {
            let curve = hermite::plan(turned(from), turned(to), Wish::Gentle)?.curve;
            Ok(Path::of(Leg { shape: LegShape::Cubic(curve), backwards: true }))
        }
        _ => {
            let curve = hermite::plan(from, to, Wish::Gentle)?.curve;
            Ok(Path::of(Leg::forwards(LegShape::Cubic(curve))))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::{Barrier, Detours, Field, Obstacle};
    use crate::route::quickest;

    /// A crowd in a corridor that is too narrow to go around any of it.
    #[test]
    fn places_between_walls_that_are_asked_about_count_as_well() {
        let stands =
            |x: f64| Obstacle { position: Vec2::new(x, 0.0), velocity: Vec2::ZERO, radius: 0.05 };
        let obstacles = [0.3, 0.45, 0.6, 0.75].map(stands);
        let wall = |y: f64| Barrier { ends: [Vec2::new(-2.0, y), Vec2::new(2.0, y)], radius: 0.0 };
        let barriers = [wall(0.12), wall(-0.12)];
        let look = |detours: &Detours| {
            let surroundings = Surroundings {
                field: &Field::EVERYWHERE,
                obstacles: &obstacles,
                barriers: &barriers,
                radius: 0.053,
                pace: 0.5,
                detours: Some(detours),
            };
            let (from, to) = (Pose2::IDENTITY, Pose2::new(1.2, 0.0, 0.0));
            let limits = TrajectoryLimits::default();
            let found = quickest(from, to, PathEnd::AtRest, &surroundings, &limits, 0.006);
            assert_eq!(found.err(), Some(NavError::Blocked));
            (detours.looked(), detours.is_short())
        };
        // Six places beside the first, and four pairs each of sixteen.
        let (all, is_short) = look(&Detours::new(usize::MAX));
        assert!(all >= 70 / ASKED_PER_PATH && !is_short, "{all}");
        assert_eq!(look(&Detours::new(3)), (3, true));
    }

    /// As the budget counts them.
    const ASKED_PER_PATH: usize = 8;
}
