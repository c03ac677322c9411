//! Claims about paths, over a million random pairs of poses.

mod common;
use common::pair;
use rolima_math::{Pose2, Rot2, Stream, Vec2};
use rolima_nav::NavError;
use rolima_nav::path::hermite::{self, Relaxed, Wish};
use rolima_nav::path::thesis::{self, Case, Ellipse, Problem};
use rolima_nav::path::{Cubic, Leg, Method, Note, Path, Shape, plan};

const MILLION: usize = 1_000_000;

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
fn a_million_cubics_meet_both_poses_with_their_direction_and_stay_in_the_rectangle_if_they_can() {
    let mut random = Stream::new(1, 0, "pairs");
    let (mut feasible, mut divided) = (0, 0);
    for _ in 0..MILLION {
        let (from, to) = pair(&mut random);
        let found = plan(from, to, Method::Cubic).unwrap();
        assert_ends(&found.path, from, to, "cubic");
        let can = hermite::feasible(from, to).unwrap();
        divided += usize::from(found.note == Note::Divided);
        if can == [true; 2] {
            feasible += 1;
            assert_eq!(found.relaxed, [Relaxed::No; 2]);
            assert_eq!(found.note, Note::None);
            let Shape::Cubic(curve) = found.path.legs()[0].shape else { panic!("a cubic leg") };
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
    assert!(feasible > MILLION / 20, "{feasible}");
    assert!(divided > 100 && divided < MILLION / 3, "{divided}");
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

#[test]
fn a_million_cubics_have_no_loop_and_no_cusp() {
    let mut random = Stream::new(2, 0, "pairs");
    let mut sharp = 0;
    for _ in 0..MILLION {
        let (from, to) = pair(&mut random);
        let found = plan(from, to, Method::Cubic).unwrap();
        if found.path.legs().len() > 1 {
            assert_one_piece(&found.path, from, to);
        }
        for leg in found.path.legs() {
            let Shape::Cubic(curve) = leg.shape else { panic!("a cubic path has cubic legs") };
            assert!(!curve.crosses_itself(), "loop from {from:?} to {to:?}");
            let distance = (curve.end - curve.start).length();
            let slowest = (0..=64)
                .map(|i| curve.derivative(f64::from(i) / 64.0).length())
                .fold(f64::INFINITY, f64::min);
            // Where the criterion binds, the ends may be as slow as the narrow rectangle asks.
            assert!(slowest > 0.0);
            if found.relaxed != [Relaxed::No; 2] {
                sharp += usize::from(slowest < 0.02 * distance);
            }
        }
    }
    assert!(sharp < MILLION / 2000, "{sharp} nearly stand still");
}

#[test]
fn the_choice_bends_hardly_more_than_the_best_of_a_fine_grid() {
    let mut random = Stream::new(3, 0, "pairs");
    let (mut worst, mut sum, mut count) = (0.0f64, 0.0, 0.0);
    for _ in 0..2000 {
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
    for _ in 0..MILLION / 20 {
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
    assert!(bounded.iter().all(|&n| n > 1000), "{bounded:?}");
}

/// The one curve of a path, and the turns on the spot before and after it, rad.
fn curve_and_turns(path: &Path) -> (Cubic, [f64; 2]) {
    let mut turns = [0.0; 2];
    let mut found = None;
    for leg in path.legs() {
        match leg.shape {
            Shape::Cubic(curve) => found = Some(curve),
            Shape::Turn { by, .. } => turns[usize::from(found.is_some())] = by,
            Shape::Arc { .. } => panic!("an arc"),
        }
    }
    (found.expect("a curve"), turns)
}

#[test]
fn the_printed_curves_are_planned_where_they_exist_and_say_which_heading_they_lose() {
    let mut random = Stream::new(10, 0, "pairs");
    // How often each curve is none, keeps both headings, loses the first, the last.
    let mut seen = [[0; 4]; 2];
    let mut checked = 0;
    for _ in 0..MILLION / 20 {
        let (from, to) = pair(&mut random);
        let forms = [
            (Method::Printed, thesis::printed(from, to)),
            (Method::Quadratic, thesis::parabola(from, to)),
        ];
        for ((method, curve), seen) in forms.into_iter().zip(&mut seen) {
            let found = plan(from, to, method).unwrap();
            let Ok(curve) = curve else {
                assert_eq!(found.note, Note::InsteadOf(curve.unwrap_err()), "{from:?} {to:?}");
                let ours = plan(from, to, Method::Cubic).unwrap().path;
                assert_eq!(found.path.legs().len(), ours.legs().len());
                assert!((found.path.length() - ours.length()).abs() < 1e-9);
                seen[0] += 1;
                continue;
            };
            let (planned, turns) = curve_and_turns(&found.path);
            // But for the rounding of the heading, which slopes of near-parallel headings enlarge.
            let size = curve.d0.length() + curve.d1.length() + curve.d2.length();
            assert_eq!((planned.start, planned.end), (from.position, to.position));
            for (got, want) in
                [(planned.d0, curve.d0), (planned.d1, curve.d1), (planned.d2, curve.d2)]
            {
                assert!((got - want).length() <= 1e-6 * size, "{method:?} {from:?} {to:?}");
            }
            let curve = planned;
            let (first, last) = match found.note {
                Note::None => (0.0, 0.0),
                Note::HeadingsLost { first, last } => (first, last),
                other => panic!("{other:?}"),
            };
            assert_eq!(turns, [first, -last]);
            // By where the curve goes just after its start and comes from just before its end.
            let ends = [
                (from, first, curve.d0, curve.point(1e-4) - curve.start),
                (to, last, curve.d2, curve.end - curve.point(1.0 - 1e-4)),
            ];
            for (pose, off, slope, way) in ends {
                // Not where it bends within a hair of its end, nor where rounding hides the way.
                let still = slope.length() == 0.0 && curve.d1.length() > 0.01 * size;
                let plain = still || slope.length() > 0.01 * size;
                if plain && way.length() > 1e-10 * (1.0 + size) {
                    let turned = Rot2::from_angle(off).after(pose.rotation).x_axis();
                    let along = turned.dot(way) / way.length();
                    assert!(along > 0.99, "{method:?} {from:?} {to:?} {off} {along}");
                    checked += 1;
                }
            }
            seen[1] += usize::from(found.note == Note::None);
            seen[2] += usize::from(first != 0.0);
            seen[3] += usize::from(last != 0.0);
        }
    }
    assert!(seen.iter().flatten().all(|&n| n > 20) && checked > 10_000, "{seen:?} {checked}");
}

#[test]
fn the_printed_curve_to_the_thesis_goals_loses_its_first_heading_by_a_known_angle() {
    for degrees in [50.0f64, 0.0, -50.0] {
        let to = Pose2::new(0.5, 0.5, degrees.to_radians());
        let found = plan(Pose2::IDENTITY, to, Method::Printed).unwrap();
        let (curve, _) = curve_and_turns(&found.path);
        assert_eq!(curve.coefficients().a[..3], [0.0, 0.0, 0.5]);
        // It leaves along (dx, 3 dy - 2 d_f dx), whatever the first heading is.
        let (sine, cosine) = rolima_math::sin_cos(degrees.to_radians());
        let expected = rolima_math::atan2(3.0 - 2.0 * sine / cosine, 1.0);
        let Note::HeadingsLost { first, last } = found.note else { panic!("{:?}", found.note) };
        assert!((first - expected).abs() < 1e-12 && last == 0.0, "{first} {last}");
    }
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
            assert!((last.way - path.length()).abs() < 1e-9);
            let half = path.parameter_at(0.5 * path.length());
            assert!((path.at(half).unwrap().way - 0.5 * path.length()).abs() < 1e-9);
        }
    }
}

#[test]
fn the_thesis_regions_keep_extrema_out_in_every_case_of_appendix_b() {
    let mut random = Stream::new(6, 0, "pairs");
    let mut seen = [0; 4];
    let mut signs = [[0; 3]; 3];
    for _ in 0..400_000 {
        let (from, to) = pair(&mut random);
        let problem = Problem::new(from, to).unwrap();
        let [dx, dy] = problem.gap;
        let near = |x: f64| x.abs() < 1e-6;
        if near(dx) || near(dy) {
            continue;
        }
        let reach = 4.0 * (dx.abs() + dy.abs());
        let free = [random.between(-reach, reach), random.between(-reach, reach)];
        let curve = problem.curve(free);
        let [x, y] = curve.extrema();
        // An extremum that rounding puts at the very end is none.
        let inside = |at: Option<f64>| at.is_some_and(|at| at > 1e-7 && at < 1.0 - 1e-7);
        if problem.in_region_x(free) {
            assert!(!inside(x), "x turns back: {problem:?} {free:?} {x:?}");
        }
        if problem.in_region_y(free) && problem.in_region_x(free) {
            assert!(!inside(y), "y turns back: {problem:?} {free:?} {y:?}");
            seen[problem.case as usize] += 1;
            if problem.case == Case::General {
                let turn = dx.signum() * dy.signum();
                let place = |d: f64| if near(d) { 1 } else { (d * turn).signum() as i32 + 1 };
                let (i, f) = (place(problem.first_slope), place(problem.last_slope));
                signs[i as usize][f as usize] += 1;
            }
        }
    }
    assert!(seen.iter().all(|&n| n > 20), "{seen:?}");
    // Where a slope points against dy, both regions share at most a line: appendix B's cases 2, 3,
    // 4, 6 and 8 cannot be met together with x, as the exact condition says too.
    assert!(signs[2][2] > 100 && signs[1][2] > 20 && signs[2][1] > 20, "{signs:?}");
    assert_eq!(signs[2][0] + signs[0][2] + signs[0][0] + signs[1][0] + signs[0][1], 0, "{signs:?}");
}

#[test]
fn a_choice_in_both_regions_is_found_where_the_headings_allow_it() {
    let mut random = Stream::new(7, 0, "pairs");
    let mut found = 0;
    for _ in 0..3000 {
        let (from, to) = pair(&mut random);
        let problem = Problem::new(from, to).unwrap();
        if let Some(free) = problem.choice_in_both() {
            let curve = problem.curve(free);
            let inside = |at: Option<f64>| at.is_some_and(|at| at > 1e-9 && at < 1.0 - 1e-9);
            let turns_back = curve.extrema().map(inside);
            assert_eq!(turns_back, [false; 2], "{problem:?} {free:?} {:?}", curve.extrema());
            found += 1;
        }
    }
    assert!(found > 300, "{found}");
}

#[test]
fn the_printed_centroid_is_none() {
    let to = Pose2::new(0.5, 0.5, 50f64.to_radians());
    let problem = Problem::new(Pose2::IDENTITY, to).unwrap();
    assert_eq!(problem.printed_choice(), [0.0, 0.5]);
    assert_eq!(problem.centroid_choice(), [0.5, 0.0]);
    // With a1 = 0 the curve starts with no speed, and its Taylor length divides by it.
    let curve = problem.curve(problem.printed_choice());
    assert_eq!(curve.d0.length(), 0.0);
    assert_eq!(rolima_nav::path::length::taylor(&curve, 0.5), None);
    assert!(curve.direction(0.0).c.is_finite());
}

#[test]
fn ellipses_are_tangent_to_both_headings_where_they_exist() {
    let mut random = Stream::new(8, 0, "pairs");
    let mut found = 0;
    for _ in 0..20_000 {
        let (from, to) = pair(&mut random);
        let Ok(ellipse) = Ellipse::through(from, to) else { continue };
        found += 1;
        let size = ellipse.half_axes[0].max(ellipse.half_axes[1]) + 1.0;
        for (share, pose) in [(0.0, from), (1.0, to)] {
            assert!((ellipse.point(share) - pose.position).length() < 1e-6 * size);
            let across = ellipse.direction(share).cross(pose.rotation.x_axis());
            assert!(across.abs() < 1e-5, "{from:?} {to:?} {across}");
        }
        assert!(ellipse.direction(0.0).dot(from.rotation.x_axis()) > 0.0);
    }
    assert!(found > 2000, "{found}");
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
        let far = Pose2::new(1e200, 0.0, 0.0);
        assert_eq!(plan(good, far, method).err(), Some(NavError::NotFinite), "{method:?}");
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
                let sum = s.point.x + s.point.y + s.heading.c + s.heading.s + s.curvature + s.way;
                assert!(sum.is_finite(), "{method:?} {from:?} {near:?}");
            }
        }
    }
}
