//! From two poses to a path.
//!
//! | here | thesis |
//! |---|---|
//! | from, to | (x_i, y_i, theta_i), (x_f, y_f, theta_f) of 5.3 |
//! | [`Method::Turn`] | 5.2: Reeds and Shepp with radius 0 |
//! | [`Method::Quadratic`] | 5.4.1, equations 5.3 and 5.4 |
//! | [`Method::Printed`] | 5.4.2 with (a1, a2) = (0, dx) of 5.5 |
//! | [`Method::Cubic`] | 5.5 and B, in the form of [`super::hermite`] |
//! | [`Method::Gentle`], [`Method::Bounded`], [`Method::Dubins`], [`Method::ReedsShepp`], [`Note`] | beyond the thesis (its outlook, chapter 7) |

use super::cubic::Cubic;
use super::hermite::{self, Choice, Relaxed, SHARP, Wish};
use super::words::{self, Letter, PathWord};
use super::{Leg, LegShape, Path, is_near, thesis};
use crate::COINCIDENT;
use crate::error::NavError;
use rolima_math::{Pose2, Rot2, Vec2, atan2, larger, wrap_angle};

/// How to get from a pose to another.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Method {
    /// Third degree with the no-extremum criterion, least maximal curvature (our form).
    #[default]
    Cubic,
    /// Third degree without the criterion: gentlest bend.
    Gentle,
    /// Third degree as the thesis prints it, (a1, a2) = (0, dx): for its figures, not for driving.
    ///
    /// a1 = 0 leaves the first heading at 0/0, and tangents do not know front from back, so this
    /// curve as a rule leaves or arrives otherwise than the headings say. The path is that curve
    /// with a turn on the spot before or after it, and [`Note::HeadingsLost`] says by how much.
    Printed,
    /// Second degree (section 5.4.1), as printed: it may leave or arrive against a heading, which
    /// is made up for and told as with [`Method::Printed`].
    Quadratic,
    /// Turn, drive, turn (section 5.2), forwards or backwards, whichever turns less.
    Turn,
    /// Curves of third degree with at least this radius, m; arcs and lines where curves cannot.
    Bounded(f64),
    /// Arcs of this radius, m, and lines, forwards.
    Dubins(f64),
    /// Arcs of this radius, m, and lines, both ways.
    ReedsShepp(f64),
}

impl Method {
    /// The name, as the command line has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cubic => "cubic",
            Self::Gentle => "gentle",
            Self::Printed => "printed",
            Self::Quadratic => "quadratic",
            Self::Turn => "turn",
            Self::Bounded(_) => "bounded",
            Self::Dubins(_) => "dubins",
            Self::ReedsShepp(_) => "reeds-shepp",
        }
    }
}

/// What else is worth knowing about a plan.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Note {
    /// Nothing.
    #[default]
    None,
    /// The method has no curve for these poses, for this reason; this is [`Method::Cubic`]'s.
    InsteadOf(NavError),
    /// The printed curve does not keep the headings: turns on the spot make up for them.
    HeadingsLost {
        /// From the heading at the start to the direction in which the curve leaves, rad, positive
        /// to the left; 0 where it is kept.
        first: f64,
        /// From the heading at the goal to the direction in which the curve arrives, rad.
        last: f64,
    },
    /// One curve would have a cusp or bend too sharply: intermediate poses divide it.
    Divided,
    /// Curves cannot keep the radius: arcs and lines do.
    Arcs,
}

/// A path with how it came about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plan {
    /// The path.
    pub path: Path,
    /// What became of the criterion in x and y.
    pub relaxed: [Relaxed; 2],
    /// Anything else.
    pub note: Note,
}

impl Plan {
    fn new(path: Path, note: Note) -> Self {
        Self { path, relaxed: [Relaxed::NotAsked; 2], note }
    }
}

/// A path from a pose to another that a robot with two wheels can drive.
///
/// Refused are poses that are not finite or further away than [`super::FURTHEST`], coincident positions
/// (except by [`Method::Turn`], if the headings differ), radii that are not above zero, and those beyond
/// any scale of the way ([`NavError::RadiusOutOfScale`]); all other pairs get a path that leaves and
/// arrives with the headings asked for, in their direction.
#[inline]
pub fn plan(from: Pose2, to: Pose2, method: Method) -> Result<Plan, NavError> {
    match method {
        Method::Cubic => by_cubic(from, to, Wish::NoExtremum),
        Method::Gentle => by_cubic(from, to, Wish::Gentle),
        _ => plan_otherwise(sane(from)?, sane(to)?, method),
    }
}

/// The pose with a rotation of length one.
fn sane(pose: Pose2) -> Result<Pose2, NavError> {
    let Rot2 { c, s } = pose.rotation;
    let scale = 1.0 / (c * c + s * s).sqrt();
    let rotation = Rot2 { c: c * scale, s: s * scale };
    let good = is_near(pose.position) && scale > 0.0 && (rotation.c + rotation.s).is_finite();
    if good { Ok(Pose2 { rotation, ..pose }) } else { Err(NavError::NotFinite) }
}

fn plan_otherwise(from: Pose2, to: Pose2, method: Method) -> Result<Plan, NavError> {
    match method {
        Method::Cubic => by_cubic(from, to, Wish::NoExtremum),
        Method::Gentle => by_cubic(from, to, Wish::Gentle),
        Method::Printed => printed(from, to, thesis::printed(from, to)),
        Method::Quadratic => printed(from, to, thesis::parabola(from, to)),
        Method::Turn => Ok(Plan::new(turn_drive_turn(from, to)?, Note::None)),
        Method::Bounded(radius) => bounded(from, to, radius),
        Method::Dubins(radius) => {
            let path = by_word(from, to, radius, words::dubins)?;
            Ok(Plan::new(path, Note::None))
        }
        Method::ReedsShepp(radius) => {
            let path = by_word(from, to, radius, words::reeds_shepp)?;
            Ok(Plan::new(path, Note::None))
        }
    }
}

#[inline]
fn of(curve: Cubic) -> Path {
    Path::of(Leg::forwards(LegShape::Cubic(curve)))
}

#[inline]
fn by_cubic(from: Pose2, to: Pose2, wish: Wish) -> Result<Plan, NavError> {
    let choice = hermite::plan(from, to, wish)?;
    // The criterion is kept whatever it costs; without it a sharp bend is worth an intermediate pose.
    let sharp = choice.sharpness > SHARP && !choice.feasible();
    Ok(match if sharp { divided(from, to, choice.sharpness) } else { None } {
        None => Plan { path: of(choice.curve), relaxed: choice.relaxed, note: Note::None },
        Some([first, second]) => {
            let mut path = of(first);
            path.push(Leg::forwards(LegShape::Cubic(second)))?;
            let given_up = |r| if r == Relaxed::No { Relaxed::Sharp } else { r };
            Plan { path, relaxed: choice.relaxed.map(given_up), note: Note::Divided }
        }
    })
}

/// Two curves over a pose between start and goal, where one would have to reverse nearly on the spot,
/// if they bend less than this over the distance.
///
/// As a rule that pose is beside the middle and heads from start to goal: one heading points back, or
/// both do to opposite sides. Where both point back and to the same side, the way winds: it
/// leaves on that side, crosses the line in its middle, and comes to the goal from the other.
fn divided(from: Pose2, to: Pose2, sharpness: f64) -> Option<[Cubic; 2]> {
    let gap = to.position - from.position;
    let distance = gap.length();
    let along = gap * (1.0 / distance);
    let middle = (from.position + to.position) * 0.5;
    let (first, last) = (from.rotation.x_axis(), to.rotation.x_axis());
    // The side to which the headings that point back already lean.
    let lean = |t: Vec2| (1.0 - t.dot(along)) * along.cross(t);
    let side = if lean(first) - lean(last) >= 0.0 { 0.5 * distance } else { -0.5 * distance };
    let beside =
        Pose2 { position: middle + along.perp() * side, rotation: Rot2 { c: along.x, s: along.y } };
    let (mut curves, mut worst) = by_way_of(from, beside, to)?;
    if worst * distance > SHARP {
        let across = if along.cross(first + last) > 0.0 { -along.perp() } else { along.perp() };
        let winding = Pose2 { position: middle, rotation: Rot2 { c: across.x, s: across.y } };
        let (other, bend) = by_way_of(from, winding, to)?;
        if bend < worst {
            (curves, worst) = (other, bend);
        }
    }
    (worst * distance < sharpness).then_some(curves)
}

/// Two curves over an intermediate pose, and their largest curvature, 1/m.
fn by_way_of(from: Pose2, via: Pose2, to: Pose2) -> Option<([Cubic; 2], f64)> {
    let first = hermite::plan(from, via, Wish::Quick).ok()?;
    let second = hermite::plan(via, to, Wish::Quick).ok()?;
    // Sharpness is relative to each part's own distance.
    let bend = |c: &Choice| c.sharpness / (c.curve.end - c.curve.start).length();
    Some(([first.curve, second.curve], larger(bend(&first), bend(&second))))
}

/// A printed form where it exists, else our own with the reason. Where its curve does not keep the
/// headings, turns on the spot make a path of it that can be driven.
fn printed(from: Pose2, to: Pose2, curve: Result<Cubic, NavError>) -> Result<Plan, NavError> {
    let curve = match curve {
        Ok(curve) => curve,
        Err(refused @ (NavError::NotFinite | NavError::CoincidentPoses)) => return Err(refused),
        Err(singular) => {
            let ours = by_cubic(from, to, Wish::NoExtremum)?;
            return Ok(Plan { note: Note::InsteadOf(singular), ..ours });
        }
    };
    // What rounding leaves of a heading that is kept.
    const KEPT: f64 = 1e-9;
    let [first, last] =
        thesis::off_headings(&curve, from, to).map(|off| if off.abs() > KEPT { off } else { 0.0 });
    let mut path = Path::default();
    if first != 0.0 {
        path.push(Leg::forwards(LegShape::Turn { from, by: first }))?;
    }
    path.push(Leg::forwards(LegShape::Cubic(curve)))?;
    if last != 0.0 {
        let arrived = Pose2 { position: to.position, rotation: curve.direction(1.0) };
        path.push(Leg::forwards(LegShape::Turn { from: arrived, by: -last }))?;
    }
    let kept = first == 0.0 && last == 0.0;
    Ok(Plan::new(path, if kept { Note::None } else { Note::HeadingsLost { first, last } }))
}

/// Checks poses; displacement and distance.
fn apart(from: Pose2, to: Pose2) -> Result<(Vec2, f64), NavError> {
    let gap = to.position - from.position;
    let distance = gap.length();
    let near = is_near(from.position) && is_near(to.position);
    if !(near && from.is_finite() && to.is_finite()) {
        return Err(NavError::NotFinite);
    }
    Ok((gap, distance))
}

/// Turns up to this are none, rad: what rounding leaves of whole turns, of which there may be thousands
/// in a heading that was given in degrees.
const NO_TURN: f64 = 1e-11;

/// A turn towards the goal (or away from it), a straight line, a turn to the goal's heading. A goal
/// at the start's own position is a turn only, unless the headings coincide as well.
pub fn turn_drive_turn(from: Pose2, to: Pose2) -> Result<Path, NavError> {
    let (gap, distance) = apart(from, to)?;
    let (start, goal) = (from.theta(), to.theta());
    if distance < COINCIDENT {
        let by = wrap_angle(goal - start);
        if by.abs() <= NO_TURN {
            return Err(NavError::CoincidentPoses);
        }
        return Ok(Path::of(Leg::forwards(LegShape::Turn { from, by })));
    }
    let travel = atan2(gap.y, gap.x);
    let turns = |heading: f64| [wrap_angle(heading - start), wrap_angle(goal - heading)];
    let (ahead, back) = (turns(travel), turns(travel + core::f64::consts::PI));
    let sum = |t: [f64; 2]| t[0].abs() + t[1].abs();
    let backwards = sum(back) < sum(ahead);
    let [first, last] = if backwards { back } else { ahead };
    let line = Pose2 { position: from.position, rotation: Rot2::from_angle(travel) };
    let turned = Rot2::from_angle(first).after(from.rotation);
    // Turns of nothing are left out: a path may be passed through without stopping for them.
    let mut path = Path::default();
    if first.abs() > NO_TURN {
        path.push(Leg::forwards(LegShape::Turn { from, by: first }))?;
    }
    path.push(Leg {
        shape: LegShape::Arc { from: line, length: distance, curvature: 0.0 },
        backwards,
    })?;
    let arrived = Pose2 { position: to.position, rotation: turned };
    if last.abs() > NO_TURN {
        path.push(Leg::forwards(LegShape::Turn { from: arrived, by: last }))?;
    }
    Ok(path)
}

/// A word of arcs and lines of this radius.
fn by_word(
    from: Pose2,
    to: Pose2,
    radius: f64,
    find: fn(f64, f64, f64) -> PathWord,
) -> Result<Path, NavError> {
    let (_, distance) = apart(from, to)?;
    if !(radius > 0.0 && radius.is_finite()) {
        return Err(NavError::BadLimit);
    }
    if distance < COINCIDENT {
        return Err(NavError::CoincidentPoses);
    }
    // Angles of a circle that is billions of times smaller or larger than the way mean nothing.
    let ratio = distance / radius;
    if !(1e-9..1e9).contains(&ratio) {
        return Err(NavError::RadiusOutOfScale);
    }
    let seen = from.inverse_transform(to.position) * (1.0 / radius);
    let turn = wrap_angle(to.theta() - from.theta());
    let word = find(seen.x, seen.y, turn);
    let mut path = Path::default();
    let mut robot = from;
    for i in 0..word.count {
        let (letter, length) = (word.letters[i], word.lengths[i]);
        // Pieces of no length are left out; they have no direction.
        if length.abs() < 1e-12 {
            continue;
        }
        let backwards = length < 0.0;
        let way = length.abs() * radius;
        let steer = match letter {
            Letter::L => 1.0 / radius,
            Letter::S => 0.0,
            Letter::R => -1.0 / radius,
        };
        // Travel is opposite to the heading when backing up; a left lock then bends to the right.
        let back = Rot2 { c: -robot.rotation.c, s: -robot.rotation.s };
        let travel = Pose2 { rotation: if backwards { back } else { robot.rotation }, ..robot };
        let curvature = if backwards { -steer } else { steer };
        let leg = Leg { shape: LegShape::Arc { from: travel, length: way, curvature }, backwards };
        robot = leg.pose(1.0);
        path.push(leg)?;
    }
    Ok(path)
}

/// Curves of at least this radius: one, or several over poses of a Dubins path, or arcs.
fn bounded(from: Pose2, to: Pose2, radius: f64) -> Result<Plan, NavError> {
    let arcs = by_word(from, to, radius, words::dubins)?;
    let most = 1.0 / radius;
    if let Some(path) = curves_along(&arcs, from, to, most, 1) {
        return Ok(Plan::new(path, Note::None));
    }
    // A curve bends more than the arc it follows somewhere, so the arcs are wider than they need be;
    // of those that do the shortest.
    let mut best: Option<Path> = None;
    for wider in [1.05, 1.15, 1.3] {
        let Ok(wide) = by_word(from, to, wider * radius, words::dubins) else { continue };
        for parts in [2, 3, 4, 6, 8] {
            if let Some(path) = curves_along(&wide, from, to, most, parts)
                && best.is_none_or(|best| path.length() < best.length())
            {
                best = Some(path);
            }
        }
    }
    Ok(match best {
        Some(path) => Plan::new(path, Note::Divided),
        None => Plan::new(arcs, Note::Arcs),
    })
}

/// Curves from pose to pose at equal distances along a path, if none bends more than this, 1/m.
fn curves_along(along: &Path, from: Pose2, to: Pose2, most: f64, parts: u32) -> Option<Path> {
    let mut path = Path::default();
    let mut start = from;
    for part in 1..=parts {
        let share = f64::from(part) / f64::from(parts);
        let goal =
            if part == parts { to } else { along.pose(along.parameter_at(along.length() * share)) };
        let curve = hermite::plan(start, goal, Wish::Gentle).ok()?.curve;
        if curve.largest_curvature().0 > most {
            return None;
        }
        path.push(Leg::forwards(LegShape::Cubic(curve))).ok()?;
        start = goal;
    }
    Some(path)
}
