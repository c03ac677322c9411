//! Claims about paths, over up to a million random pairs of poses.

use crate::common;
use common::pair;
use core::f64::consts::{FRAC_PI_2, PI};
use rolima_math::{Pose2, Stream, Vec2, exp, sin_cos};
use rolima_nav::NavError;
use rolima_nav::path::hermite::{self, Relaxed, Wish};
use rolima_nav::path::plan::turn_drive_turn;
use rolima_nav::path::thesis::Problem;
use rolima_nav::path::{Leg, LegShape, Method, Note, Path, plan};
use rolima_testing::samples;

const MILLION: usize = 1_000_000;

/// The pairs of poses that a test looks at: a tenth of the given number with every change.
fn pairs(all: usize) -> usize {
    samples(all / 10, all)
}

/// Ends met in position and direction.
fn assert_ends(path: &Path, from: Pose2, to: Pose2, what: &str) {
    for (at, pose) in [(0.0, from), (path.end(), to)] {
        let sample = path.at(at).expect("a path has legs");
        assert!((sample.point - pose.position).length() < 1e-9, "{what}: {sample:?}, {pose:?}");
        let aim = sample.heading.x_axis() - pose.rotation.x_axis();
        assert!(aim.length() < 1e-9, "{what} from {from:?} to {to:?} at {at}: {sample:?}");
    }
}

#[test]
fn random_cubics_meet_both_poses_with_their_direction_and_stay_in_the_rectangle_if_they_can() {
    let mut random = Stream::new(1, 0, "pairs");
    let (mut feasible, mut divided) = (0, 0);
    for _ in 0..pairs(MILLION) {
        let (from, to) = pair(&mut random);
        let found = plan(from, to, Method::Cubic).unwrap();
        assert_ends(&found.path, from, to, "cubic");
        let can = hermite::feasible(from, to).unwrap();
        divided += usize::from(found.note == Note::Divided);
        if can == [true; 2] {
            feasible += 1;
            assert_eq!(found.relaxed, [Relaxed::No; 2]);
            assert_eq!(found.note, Note::None);
            let LegShape::Cubic(curve) = found.path.legs()[0].shape else { panic!("a cubic leg") };
            let inside = |at: Option<f64>| at.is_some_and(|at| at > 1e-9 && at < 1.0 - 1e-9);
            assert_eq!(curve.extrema().map(inside), [false; 2], "{from:?} {to:?}");
            let (a, b) = (from.position, to.position);
            for i in 0..=16 {
                let p = found.path.pose(f64::from(i) / 16.0).position;
                let inside =
                    |x: f64, a: f64, b: f64| x >= a.min(b) - 1e-12 && x <= a.max(b) + 1e-12;
                assert!(inside(p.x, a.x, b.x) && inside(p.y, a.y, b.y), "{from:?} {to:?}");
            }
        } else {
            for (met, relaxed) in can.iter().zip(found.relaxed) {
                assert_eq!(!met, relaxed == Relaxed::Infeasible);
            }
        }
    }
    // A quarter of the pairs has both headings along both displacements; special ones add to it.
    assert!(feasible > pairs(MILLION / 20), "{feasible}");
    assert!(divided > pairs(100) && divided < pairs(MILLION / 3), "{divided}");
}

/// The curves of a divided path do not cross one another, and join with one heading.
fn assert_one_piece(path: &Path, from: Pose2, to: Pose2) {
    const PARTS: usize = 32;
    let points = |leg: &Leg| -> [Vec2; PARTS + 1] {
        core::array::from_fn(|i| leg.pose(i as f64 / PARTS as f64).position)
    };
    let crosses = |[a, b]: [Vec2; 2], [p, q]: [Vec2; 2]| {
        (b - a).cross(p - a) * (b - a).cross(q - a) < 0.0
            && (q - p).cross(a - p) * (q - p).cross(b - p) < 0.0
    };
    let legs = path.legs();
    for (i, leg) in legs.iter().enumerate() {
        let own = points(leg);
        if let Some(next) = legs.get(i + 1) {
            let (end, start) = (leg.pose(1.0).rotation, next.pose(0.0).rotation);
            assert!(
                (end.x_axis() - start.x_axis()).length() < 1e-9,
                "cusp from {from:?} to {to:?}"
            );
        }
        for later in &legs[i + 1..] {
            let others = points(later);
            let loops = own
                .windows(2)
                .any(|a| others.windows(2).any(|b| crosses([a[0], a[1]], [b[0], b[1]])));
            assert!(!loops, "loop from {from:?} to {to:?}");
        }
    }
}

/// Most that a path bends where no criterion binds it, times its distance: what is believed to bend
/// by less than [`hermite::SHARP`] may do so up to 1.7 times as much, and all others are divided.
const MOST_BEND: f64 = 2.0 * hermite::SHARP;

#[test]
fn random_cubics_have_no_loop_and_no_cusp() {
    let mut random = Stream::new(2, 0, "pairs");
    let mut bound = 0;
    for _ in 0..pairs(MILLION) {
        let (from, to) = pair(&mut random);
        let found = plan(from, to, Method::Cubic).unwrap();
        if found.path.legs().len() > 1 {
            assert_one_piece(&found.path, from, to);
        }
        for leg in found.path.legs() {
            let LegShape::Cubic(curve) = leg.shape else { panic!("a cubic path has cubic legs") };
            assert!(!curve.crosses_itself(), "loop from {from:?} to {to:?}");
        }
        // The criterion is kept whatever it costs: in a narrow rectangle that may be a sharp bend.
        if found.relaxed == [Relaxed::No; 2] {
            bound += 1;
        } else {
            let bend = found.path.largest_curvature() * (to.position - from.position).length();
            assert!(bend < MOST_BEND, "{bend} from {from:?} to {to:?}: {:?}", found.note);
        }
    }
    assert!(bound < pairs(MILLION / 5), "{bound}");
}

/// A heading close to the line between two positions, along it or back, or close to an axis.
fn awkward_heading(random: &mut Stream, line: f64) -> f64 {
    let base = match random.next_u64() % 4 {
        0 => line,
        1 => line + PI,
        2 => FRAC_PI_2 * (random.next_u64() % 4) as f64,
        _ => return random.between(-PI, PI),
    };
    let off = [0.0, 1.0, -1.0][(random.next_u64() % 3) as usize];
    base + off * exp(random.between(-32.0, 0.0))
}

#[test]
fn nor_do_those_whose_headings_lie_on_the_line_between_them_but_for_a_hair() {
    let mut random = Stream::new(13, 0, "pairs");
    let mut divided = 0;
    for _ in 0..pairs(MILLION / 4) {
        let tilt = if random.uniform() < 0.5 { 0.0 } else { exp(random.between(-32.0, 0.0)) };
        let line = FRAC_PI_2 * (random.next_u64() % 4) as f64 + tilt;
        let distance = exp(random.between(-7.0, 3.0));
        let (sine, cosine) = sin_cos(line);
        let from = Pose2::new(0.0, 0.0, awkward_heading(&mut random, line));
        let heading = awkward_heading(&mut random, line);
        let to = Pose2::new(distance * cosine, distance * sine, heading);
        for method in [Method::Cubic, Method::Gentle] {
            let found = plan(from, to, method).unwrap();
            divided += usize::from(found.note == Note::Divided);
            if found.relaxed != [Relaxed::No; 2] {
                let bend = found.path.largest_curvature() * distance;
                assert!(bend < MOST_BEND, "{method:?} {bend} from {from:?} to {to:?}");
            }
        }
    }
    assert!(divided > pairs(MILLION / 20), "{divided}");
}

#[test]
fn cusps_between_the_points_looked_at_are_seen() {
    // Ends that are slower than the place of the cusp drew the eye away from it.
    let pairs = [
        ((0.0, 0.0, 13.201748290543197), (0.13072514377922212, 0.0021448498475007405, 180.0)),
        ((0.0, 0.0, 166.65784465658527), (0.48739414198766307, 0.008762052301667378, 0.0)),
        ((0.0, 0.0, -10.300217594517004), (-0.6701568818513169, -0.00911664256397704, 180.0)),
    ];
    for (from, to) in pairs {
        let [from, to] =
            [from, to].map(|(x, y, deg): (f64, f64, f64)| Pose2::new(x, y, deg.to_radians()));
        let distance = (to.position - from.position).length();
        for method in [Method::Cubic, Method::Gentle] {
            let found = plan(from, to, method).unwrap();
            assert_eq!(found.note, Note::Divided);
            let bend = found.path.largest_curvature() * distance;
            assert!(bend < 12.0, "{method:?} {bend} from {from:?} to {to:?}");
        }
    }
}

#[test]
fn headings_back_and_to_the_same_side_are_joined_by_a_winding_way() {
    for (first, last) in [(140.0f64, 120.0f64), (128.0, 112.0), (-137.0, -92.0), (-138.0, -95.0)] {
        let from = Pose2::new(0.0, 0.0, first.to_radians());
        let to = Pose2::new(1.0, 0.0, last.to_radians());
        let found = plan(from, to, Method::Gentle).unwrap();
        assert_ends(&found.path, from, to, "gentle");
        assert_one_piece(&found.path, from, to);
        let bend = found.path.largest_curvature();
        assert!(found.note == Note::Divided && bend < 12.0, "{first} {last}: {bend}");
    }
}

#[test]
fn the_choice_bends_hardly_more_than_the_best_of_a_fine_grid() {
    let mut random = Stream::new(3, 0, "pairs");
    let (mut worst, mut sum, mut count) = (0.0f64, 0.0, 0.0);
    for _ in 0..samples(400, 2000) {
        let (from, to) = pair(&mut random);
        let distance = (to.position - from.position).length();
        let chosen = hermite::plan(from, to, Wish::Gentle).unwrap();
        if chosen.sharpness < 1e-6 || chosen.sharpness > hermite::SHARP {
            continue;
        }
        let ours = chosen.curve.largest_curvature().0;
        let mut best = f64::INFINITY;
        for i in 1..=30 {
            for j in 1..=30 {
                let pull = |n: i32| hermite::MOST_PULL * distance * f64::from(n) / 30.0;
                let curve = hermite::with_pulls(from, to, pull(i), pull(j)).unwrap();
                if !curve.crosses_itself() {
                    best = best.min(curve.largest_curvature().0);
                }
            }
        }
        let ratio = ours / best;
        worst = worst.max(ratio);
        sum += ratio;
        count += 1.0;
    }
    println!("mean ratio {}, worst {worst}", sum / count);
    assert!(sum / count < 1.15, "mean ratio {}", sum / count);
    assert!(worst < 2.5, "worst ratio {worst}");
}

#[test]
fn every_method_meets_both_poses_or_says_why_it_took_another() {
    let mut random = Stream::new(4, 0, "pairs");
    // By one curve, by several, by arcs.
    let mut bounded = [0; 3];
    for _ in 0..pairs(MILLION / 20) {
        let (from, to) = pair(&mut random);
        for method in [
            Method::Gentle,
            Method::Turn,
            Method::Quadratic,
            Method::Printed,
            Method::Bounded(0.1),
            Method::Dubins(0.1),
            Method::ReedsShepp(0.1),
        ] {
            let found = plan(from, to, method).unwrap();
            assert_ends(&found.path, from, to, method.name());
            if let Method::Bounded(radius) | Method::Dubins(radius) | Method::ReedsShepp(radius) =
                method
            {
                let bend = found.path.largest_curvature();
                assert!(bend <= 1.0 / radius * (1.0 + 1e-9), "{method:?} bends by {bend}");
            }
            if method == Method::Bounded(0.1) {
                bounded[match found.note {
                    Note::None => 0,
                    Note::Divided => 1,
                    _ => 2,
                }] += 1;
            }
        }
    }
    println!("one curve, several, arcs: {bounded:?}");
    assert!(bounded.iter().all(|&n| n > pairs(MILLION / 1000)), "{bounded:?}");
}

#[test]
fn headings_along_a_path_are_its_tangents_and_lengths_add_up() {
    let mut random = Stream::new(5, 0, "pairs");
    for _ in 0..2000 {
        let (from, to) = pair(&mut random);
        for method in [Method::Cubic, Method::Turn, Method::ReedsShepp(0.08)] {
            let path = plan(from, to, method).unwrap().path;
            if path.largest_curvature() > 100.0 {
                continue;
            }
            let steps = 400 * path.legs().len();
            let mut chords = 0.0;
            let mut last = path.at(0.0).unwrap();
            for i in 1..=steps {
                let here = path.at(path.end() * i as f64 / steps as f64).unwrap();
                let step = here.point - last.point;
                chords += step.length();
                if step.length() > 1e-6 && last.backwards == here.backwards {
                    let sign = if here.backwards { -1.0 } else { 1.0 };
                    let mean = last.heading.x_axis() + here.heading.x_axis();
                    let aim = step.unit_or(Vec2::ZERO).dot(mean.unit_or(Vec2::ZERO)) * sign;
                    assert!(aim > 0.98, "{method:?} {from:?} {to:?} {aim}");
                }
                last = here;
            }
            assert!((chords - path.length()).abs() < 1e-3 * (chords + 1e-3), "{method:?}");
            assert!((last.arc_length - path.length()).abs() < 1e-9);
            let half = path.parameter_at(0.5 * path.length());
            assert!((path.at(half).unwrap().arc_length - 0.5 * path.length()).abs() < 1e-9);
        }
    }
}

#[test]
fn bad_poses_are_refused_by_name_and_nothing_is_ever_nan() {
    let good = Pose2::new(0.3, 0.2, 1.0);
    let methods = [
        Method::Cubic,
        Method::Gentle,
        Method::Printed,
        Method::Quadratic,
        Method::Turn,
        Method::Bounded(0.1),
        Method::Dubins(0.1),
        Method::ReedsShepp(0.1),
    ];
    for method in methods {
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for pose in
                [Pose2::new(bad, 0.0, 0.0), Pose2::new(0.0, bad, 0.0), Pose2::new(0.0, 0.0, bad)]
            {
                assert_eq!(plan(pose, good, method).err(), Some(NavError::NotFinite), "{method:?}");
                assert_eq!(plan(good, pose, method).err(), Some(NavError::NotFinite), "{method:?}");
            }
        }
        assert_eq!(plan(good, good, method).err(), Some(NavError::CoincidentPoses), "{method:?}");
        // Far away, and far away together: the way may be short, the coordinates still mean nothing.
        for far in [1e12, 1e15, 1e200, 1e300] {
            for (from, to) in [
                (good, Pose2::new(far, 0.0, 0.0)),
                (Pose2::new(0.0, -far, 0.0), good),
                (Pose2::new(far, 0.0, 0.0), Pose2::new(far, 1.0, 0.0)),
                (Pose2::new(0.3, far, 0.0), Pose2::new(0.0, far, 1.0)),
            ] {
                let refused = plan(from, to, method).err();
                assert_eq!(refused, Some(NavError::NotFinite), "{method:?} {far}");
                assert_eq!(hermite::feasible(from, to).err(), Some(NavError::NotFinite));
                assert_eq!(Problem::new(from, to).err(), Some(NavError::NotFinite));
                let turns = turn_drive_turn(from, to).err();
                assert_eq!(turns, Some(NavError::NotFinite));
            }
        }
        // Within the bound a millimetre is still one.
        let (from, to) = (Pose2::new(9e11, 0.0, 0.0), Pose2::new(9e11, 1.0, 0.0));
        let path = plan(from, to, method).unwrap().path;
        assert!((path.pose(path.end()).position - to.position).length() < 1e-3, "{method:?}");
    }
    for radius in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        for method in [Method::Bounded(radius), Method::Dubins(radius), Method::ReedsShepp(radius)]
        {
            assert_eq!(plan(Pose2::IDENTITY, good, method).err(), Some(NavError::BadLimit));
        }
    }
    for radius in [1e12, 1e-12] {
        for method in [Method::Bounded(radius), Method::Dubins(radius), Method::ReedsShepp(radius)]
        {
            let refused = plan(Pose2::IDENTITY, good, method).err();
            assert_eq!(refused, Some(NavError::RadiusOutOfScale));
        }
    }
}

#[test]
fn whole_turns_at_one_place_are_no_turn() {
    for start in [0.0, 30.0, -135.0] {
        let from = Pose2::new(0.3, 0.2, f64::to_radians(start));
        for turns in [-2777.0, -2.0, -1.0, 0.0, 1.0, 2.0, 2777.0] {
            let to = Pose2::new(0.3, 0.2, f64::to_radians(start + 360.0 * turns));
            let refused = plan(from, to, Method::Turn).err();
            assert_eq!(refused, Some(NavError::CoincidentPoses), "{start} {turns}");
        }
        // The least that is one.
        let to = Pose2::new(0.3, 0.2, f64::to_radians(start) + 1e-9);
        let path = plan(from, to, Method::Turn).unwrap().path;
        assert!((path.turning() - 1e-9).abs() < 1e-14 && path.length() == 0.0);
    }
}

#[test]
fn a_pair_a_hair_apart_still_gets_a_finite_path() {
    let mut random = Stream::new(9, 0, "pairs");
    for _ in 0..20_000 {
        let (from, to) = pair(&mut random);
        let direction = Pose2::new(0.0, 0.0, common::heading(&mut random)).rotation;
        let gap = direction.x_axis() * random.between(2e-9, 1e-7);
        let near = Pose2 { position: from.position + gap, ..to };
        for method in [Method::Cubic, Method::Turn, Method::Dubins(0.05)] {
            let path = plan(from, near, method).unwrap().path;
            for i in 0..=20 {
                let s = path.at(path.end() * f64::from(i) / 20.0).unwrap();
                let sum =
                    s.point.x + s.point.y + s.heading.c + s.heading.s + s.curvature + s.arc_length;
                assert!(sum.is_finite(), "{method:?} {from:?} {near:?}");
            }
        }
    }
}

#[test]
fn without_the_criterion_a_sharp_bend_is_never_sharper_than_with_it() {
    let mut random = Stream::new(12, 0, "pairs");
    let (mut sharp, mut worse) = (0, 0.0f64);
    for _ in 0..pairs(MILLION / 10) {
        let (from, to) = pair(&mut random);
        let with = hermite::plan(from, to, Wish::NoExtremum).unwrap().sharpness;
        let without = hermite::plan(from, to, Wish::Gentle).unwrap().sharpness;
        if without > hermite::SHARP {
            sharp += 1;
            worse = worse.max(without / with);
        }
    }
    assert!(sharp > pairs(100) && worse < 1.0001, "{sharp} sharp ones, at worst {worse} times");
}
