//! Narrow phase: properties of contact points over random convex parts.

use crate::geometry;
use geometry::*;
use rolima_core::model::{Part, Polygon};
use rolima_core::planar::contacts::narrow::boxes::box_box;
use rolima_core::planar::contacts::narrow::polygons::polygon_polygon;
use rolima_core::planar::contacts::narrow::{Manifold, collide};
use rolima_math::{Pose2, Rot2, Stream, Vec2};

const CASES: u32 = if cfg!(debug_assertions) { 20_000 } else { 300_000 };

/// Axes that separate equally well but for this are a tie, which may be decided either way, m.
const TIE: f64 = 2e-6;

/// Random pairs with margins that a step may ask for: up to 20 mm, as bodies at 10 m/s have.
fn for_random_pairs(seed: u64, mut look: impl FnMut(&Part, &Part, f64, &mut Stream)) {
    let mut rng = Stream::new(seed, 0, "narrow");
    for _ in 0..CASES {
        let (a, b) = random_pair(&mut rng);
        let margin = rng.between(0.0, 0.02);
        look(&a, &b, margin, &mut rng);
    }
}

/// How far each face of either part separates them, best first; nothing where one is a circle.
fn separations(a: &Part, b: &Part) -> Vec<(f64, Vec2)> {
    let polygon = |part: &Part| match part {
        Part::Polygon(p) => Some(*p),
        Part::Box { pose, half } => Some(Polygon::rectangle(*pose, *half)),
        Part::Circle { .. } => None,
    };
    let (Some(p), Some(q)) = (polygon(a), polygon(b)) else { return vec![] };
    let mut all = vec![];
    for (from, to) in [(&p, &q), (&q, &p)] {
        for i in 0..from.count {
            let (v, n) = (from.vertices[i], from.normals[i]);
            let nearest = to.vertices[..to.count].iter().map(|w| (*w - v).dot(n));
            all.push((nearest.fold(f64::INFINITY, f64::min), n));
        }
    }
    all.sort_by(|x, y| y.0.total_cmp(&x.0));
    all
}

/// Whether two axes of different directions separate about equally well.
fn is_tie(a: &Part, b: &Part) -> bool {
    let all = separations(a, b);
    all.iter().any(|(s, n)| s + TIE > all[0].0 && n.cross(all[0].1).abs() > 1e-9)
}

fn assert_alike(m: &Manifold, w: &Manifold, normal: Vec2, tie: bool, what: &str) {
    let (d, e) = (deepest(m), deepest(w));
    assert!((d - e).abs() < if tie { TIE } else { 1e-9 }, "{what}: gaps {d} and {e}");
    assert!(tie || (m.normal - normal).length() < 1e-9, "{what}: {:?} and {normal:?}", m.normal);
}

#[test]
fn squares_face_to_face_touch_at_both_ends_of_the_common_edge() {
    let square =
        |x: f64, y: f64| Part::Box { pose: Pose2::new(x, y, 0.0), half: Vec2::new(0.5, 0.5) };
    let m = collide(&square(0.0, 0.0), &square(1.01, 0.25), 0.02).expect("near enough");
    assert_eq!((m.count, m.normal), (2, Vec2::new(-1.0, 0.0)));
    let mut ends: Vec<f64> = m.points.iter().map(|p| p.position.y).collect();
    ends.sort_by(f64::total_cmp);
    assert_eq!(ends, [-0.25, 0.5]);
    for p in m.points {
        assert!((p.gap - 0.01).abs() < 1e-15 && (p.position.x - 0.505).abs() < 1e-15, "{p:?}");
    }
    let far = collide(&square(0.0, 0.0), &square(1.01, 0.25), 0.005).expect_err("too far");
    assert!((far - 0.01).abs() < 1e-15);
}

#[test]
fn normals_are_unit_vectors_and_points_lie_between_the_surfaces() {
    let mut apart = 0;
    for_random_pairs(1, |a, b, margin, _| {
        let Ok(m) = collide(a, b, margin) else { return };
        assert!((m.normal.length() - 1.0).abs() < 1e-12, "{:?}", m.normal);
        assert!(m.count == 1 || m.count == 2);
        for p in m.points[..m.count].iter().filter(|p| p.gap > 0.0) {
            apart += 1;
            assert!(p.gap <= margin);
            for part in [a, b] {
                let off = point_distance(p.position, part);
                assert!(off <= 0.5 * p.gap + 1e-12, "{off} from a surface, gap {}", p.gap);
            }
        }
        if m.count == 2 {
            assert_ne!(m.points[0].feature, m.points[1].feature);
        }
    });
    assert!(apart > CASES / 20, "{apart} points apart");
}

#[test]
fn swapping_the_parts_turns_the_normal_round_and_changes_no_gap() {
    let mut touching = 0;
    for_random_pairs(2, |a, b, margin, _| {
        let tie = is_tie(a, b);
        match (collide(a, b, margin), collide(b, a, margin)) {
            (Ok(m), Ok(w)) => {
                touching += 1;
                assert_alike(&m, &w, -w.normal, tie, "swapped");
            }
            (Err(g), Err(h)) => assert!((g - h).abs() < if tie { TIE } else { 1e-9 }, "{g} {h}"),
            (one, other) => assert!(tie, "{one:?} against {other:?}"),
        }
    });
    assert!(touching > CASES / 4, "{touching} touching pairs");
}

#[test]
fn moving_both_parts_together_moves_the_contact_along() {
    for_random_pairs(3, |a, b, margin, rng| {
        let pose = random_pose(rng, 3.0);
        let (moved_a, moved_b) = (a.transformed(pose), b.transformed(pose));
        let tie = is_tie(a, b);
        match (collide(a, b, margin), collide(&moved_a, &moved_b, margin)) {
            (Ok(m), Ok(w)) => {
                assert_alike(&w, &m, pose.rotation.rotate(m.normal), tie, "moved");
                for (p, q) in m.points[..m.count].iter().zip(&w.points[..w.count]) {
                    let off = (pose.transform(p.position) - q.position).length();
                    assert!(tie || m.count != w.count || off < 1e-7, "point moved by {off}");
                }
            }
            (Err(g), Err(h)) => assert!((g - h).abs() < if tie { TIE } else { 1e-9 }, "{g} {h}"),
            (one, other) => assert!(tie, "{one:?} against {other:?}"),
        }
    });
}

#[test]
fn rectangles_touch_as_the_polygons_of_their_corners_do() {
    let mut rng = Stream::new(4, 0, "narrow");
    let mut touching = 0;
    for _ in 0..CASES {
        let ((at, half), (_, half_b)) = (random_box(&mut rng), random_box(&mut rng));
        let (a, b) =
            (Part::Box { pose: at, half }, Part::Box { pose: Pose2::IDENTITY, half: half_b });
        let pose = near_pose(&mut rng, &a, &b);
        let margin = rng.between(0.0, 0.02);
        let polygons = (Polygon::rectangle(at, half), Polygon::rectangle(pose, half_b));
        let tie = is_tie(&a, &b.transformed(pose));
        let boxes = box_box((at, half), (pose, half_b), margin);
        match (boxes, polygon_polygon(&polygons.0, &polygons.1, margin)) {
            (Ok(m), Ok(w)) => {
                touching += 1;
                assert_alike(&m, &w, w.normal, tie, "as polygons");
                assert!(tie || m.count == w.count);
            }
            (Err(g), Err(h)) => assert!((g - h).abs() < if tie { TIE } else { 1e-9 }, "{g} {h}"),
            (one, other) => assert!(tie, "{one:?} against {other:?}"),
        }
    }
    assert!(touching > CASES / 4, "{touching} touching pairs");
}

#[test]
fn a_circle_touches_a_rectangle_as_the_polygon_of_its_corners() {
    let mut rng = Stream::new(5, 0, "narrow");
    for _ in 0..CASES {
        let (pose, half) = random_box(&mut rng);
        let half = Vec2::new(half.x, half.y.max(1e-3));
        let rectangle = Part::Box { pose, half };
        let polygon = Part::Polygon(Polygon::rectangle(pose, half));
        let radius = rng.between(0.005, 0.1);
        let ball = Part::Circle { center: Vec2::ZERO, radius };
        let ball = ball.transformed(near_pose(&mut rng, &rectangle, &ball));
        let margin = rng.between(0.0, 0.02);
        match (collide(&ball, &rectangle, margin), collide(&ball, &polygon, margin)) {
            (Ok(m), Ok(w)) => {
                // A centre inside may be as near to two faces.
                let tie = deepest(&m) < -radius && (m.normal - w.normal).length() > 1e-9;
                assert_alike(&m, &w, w.normal, tie, "as a polygon");
            }
            (Err(g), Err(h)) => assert!((g - h).abs() < 1e-12, "{g} {h}"),
            (one, other) => panic!("{one:?} against {other:?}"),
        }
    }
}

#[test]
fn what_is_called_apart_is_at_least_that_far_apart() {
    let mut far = 0;
    for_random_pairs(6, |a, b, margin, _| {
        if let Err(bound) = collide(a, b, margin) {
            far += 1;
            let truth = true_distance(a, b);
            assert!(bound <= truth + 1e-12, "bound {bound}, truth {truth}: {a:?} {b:?}");
        }
    });
    assert!(far > CASES / 20, "{far} pairs apart");
}

#[test]
fn what_is_nearer_than_half_the_margin_is_always_seen() {
    // Corner against corner the gap is measured along a face's normal, which is longer than the
    // shortest way; so pairs between half a margin and a margin apart may be left to a later step.
    let mut near = 0;
    for_random_pairs(7, |a, b, margin, _| {
        let truth = true_distance(a, b);
        if truth < 0.5 * margin {
            near += 1;
            assert!(collide(a, b, margin).is_ok(), "{truth} of {margin}: {a:?} {b:?}");
        }
    });
    assert!(near > CASES / 4, "{near} near pairs");
}

#[test]
fn gaps_of_parts_that_are_apart_are_their_distance_unless_corner_meets_corner() {
    let (mut faces, mut corners) = (0, 0);
    for_random_pairs(8, |a, b, margin, _| {
        let truth = true_distance(a, b);
        let Ok(m) = collide(a, b, margin) else { return };
        if truth <= 0.0 {
            return;
        }
        let gap = deepest(&m);
        let best = separations(a, b).first().map_or(truth, |s| s.0);
        if best > truth - 1e-9 {
            faces += 1;
            assert!((gap - truth).abs() < TIE, "gap {gap}, truth {truth}: {a:?} {b:?}");
        } else {
            corners += 1;
            assert!(gap > best - TIE && gap < 3.0 * truth + TIE, "gap {gap}, truth {truth}");
        }
    });
    assert!(faces > CASES / 20 && corners > CASES / 1000, "{faces} faces, {corners} corners");
}

#[test]
fn moving_an_overlapping_part_along_the_normal_by_its_depth_parts_them() {
    let mut overlapping = 0;
    for_random_pairs(9, |a, b, margin, _| {
        let Ok(m) = collide(a, b, margin) else { return };
        let depth = -deepest(&m);
        if depth <= 0.0 {
            return;
        }
        overlapping += 1;
        let out = |way: f64| {
            let pose = Pose2 { position: m.normal * way, rotation: Rot2::IDENTITY };
            true_distance(&a.transformed(pose), b)
        };
        assert!(out(depth + 1e-9) > 0.0, "still touching after {depth} m: {a:?} {b:?}");
    });
    assert!(overlapping > CASES / 10, "{overlapping} overlapping pairs");
}
