//! Ways among walls.

use super::*;
use crate::walls::given::{self, barriers};
use rolima_core::WallIndex;
use rolima_core::model::Part;
use rolima_math::Stream;

fn wall(a: (f64, f64), b: (f64, f64)) -> Part {
    given::wall(Vec2::new(a.0, a.1), Vec2::new(b.0, b.1), 0.04)
}

fn found(planner: &mut GridPlanner, walls: &Walls<'_>) -> usize {
    found_by(planner, walls, PORTION)
}

fn found_by(planner: &mut GridPlanner, walls: &Walls<'_>, effort: usize) -> usize {
    let mut clearances = ClearanceMap::default();
    for portion in 1..1_000_000 {
        planner.work(walls, &mut clearances, effort);
        if planner.search() != Search::Working {
            return portion;
        }
    }
    panic!("never done");
}

fn length(path: &[Vec2]) -> f64 {
    path.windows(2).map(|pair| (pair[1] - pair[0]).length()).sum()
}

#[test]
fn a_way_leads_out_of_a_dead_end_and_keeps_its_distance() {
    // A cup that opens to the left, around the start; the goal is behind its bottom.
    let walls = [
        wall((-1.0, 1.0), (1.0, 1.0)),
        wall((1.0, 1.0), (1.0, -1.0)),
        wall((1.0, -1.0), (-1.0, -1.0)),
    ];
    let index = WallIndex::of(&walls, 0.6);
    let walls = Walls::new(&walls, &index, 0.15);
    let mut planner = GridPlanner::new(0.15, 0.02);
    planner.seek(Vec2::ZERO, Vec2::new(2.0, 0.0), &[]);
    found(&mut planner, &walls);
    assert_eq!(planner.search(), Search::Found);
    let path = planner.path();
    assert_eq!((path[0], path[path.len() - 1]), (Vec2::ZERO, Vec2::new(2.0, 0.0)));
    let is_clear = |pair: &[Vec2]| walls.are_clear([pair[0], pair[1]], 0.17, &mut 0);
    assert!(path.windows(2).all(is_clear), "{path:?}");
    assert!(path.len() <= 7 && length(path) < 6.5, "{} {path:?}", length(path));
    // Something stands in that way around the cup: the one on the other side, as long as the first, is
    // taken.
    let side = if path.iter().any(|p| p.y > 1.0) { 1.0 } else { -1.0 };
    let first = length(path);
    let obstacle =
        Obstacle { position: Vec2::new(0.5, 1.3 * side), radius: 0.5, ..Obstacle::default() };
    planner.seek(Vec2::ZERO, Vec2::new(2.0, 0.0), &[obstacle]);
    found(&mut planner, &walls);
    assert_eq!(planner.search(), Search::Found);
    let path = planner.path();
    let around = |side: f64| path.iter().any(|p| p.y * side > 1.0);
    assert!(around(-side) && !around(side), "{path:?}");
    assert!((length(path) - first).abs() < 0.1, "{} and {first}: {path:?}", length(path));
}

#[test]
fn a_closed_room_is_nowhere_to_go() {
    let corners = [(1.0, 1.0), (3.0, 1.0), (3.0, 3.0), (1.0, 3.0)];
    let walls: Vec<Part> = (0..4).map(|i| wall(corners[i], corners[(i + 1) % 4])).collect();
    let index = WallIndex::of(&walls, 0.4);
    let walls = Walls::new(&walls, &index, 0.1);
    let mut planner = GridPlanner::new(0.1, 0.01);
    planner.seek(Vec2::ZERO, Vec2::new(2.0, 2.0), &[]);
    found(&mut planner, &walls);
    assert_eq!(planner.search(), Search::Nowhere);
    assert!(planner.path().is_empty());
    planner.seek(Vec2::ZERO, Vec2::new(0.5, 2.0), &[]);
    found(&mut planner, &walls);
    assert_eq!(planner.search(), Search::Found);
}

/// Walls anywhere, and two places.
fn random_walls(random: &mut Stream, count: usize) -> (Vec<Part>, Vec2, Vec2) {
    let mut place = || Vec2::new(random.between(-5.0, 5.0), random.between(-5.0, 5.0));
    let walls = (0..count).map(|_| {
        let (a, b) = (place(), place());
        given::wall(a, a + (b - a) * 0.3, 0.0)
    });
    (walls.collect(), place(), place())
}

#[test]
fn no_way_crosses_a_wall_and_the_largest_search_ends_soon() {
    let mut random = Stream::new(3, 0, "walls");
    let mut ways = 0;
    for _ in 0..40 {
        let (parts, from, to) = random_walls(&mut random, 25);
        let index = WallIndex::of(&parts, 0.4);
        let walls = Walls::new(&parts, &index, 0.1);
        let clearance = [from, to].map(|end| walls.clearance_at(end, 1.0, &mut 0));
        if clearance[0].min(clearance[1]) < 0.1 {
            continue;
        }
        let mut planner = GridPlanner::new(0.1, 0.01);
        planner.seek(from, to, &[]);
        assert!(found(&mut planner, &walls) <= 40, "at most 40,000 cells and their walls");
        let all = barriers(&parts, 0.1);
        for pair in planner.path().windows(2) {
            let path = [pair[0], pair[1]];
            let clearance = all.iter().fold(1.0, |r, wall| smaller(r, wall.distance_to(path)));
            assert!(clearance > 0.02, "{clearance}");
            ways += 1;
        }
    }
    assert!(ways > 40, "{ways}");
}

#[test]
fn a_way_is_the_same_however_the_search_is_cut() {
    let mut random = Stream::new(4, 0, "walls");
    let mut turns = 0;
    for _ in 0..20 {
        let (parts, from, to) = random_walls(&mut random, 60);
        let index = WallIndex::of(&parts, 0.4);
        let walls = Walls::new(&parts, &index, 0.1);
        let mut whole = GridPlanner::new(0.1, 0.01);
        whole.seek(from, to, &[]);
        let portions = found_by(&mut whole, &walls, usize::MAX);
        assert_eq!(portions, 1);
        for effort in [1, 100, PORTION] {
            let mut cut = GridPlanner::new(0.1, 0.01);
            cut.seek(from, to, &[]);
            found_by(&mut cut, &walls, effort);
            assert_eq!((cut.search(), cut.path()), (whole.search(), whole.path()));
        }
        turns += whole.path().len().saturating_sub(2);
    }
    assert!(turns > 10, "{turns}");
}

#[test]
fn a_portion_among_very_many_walls_is_no_more_effort_than_it_may_be() {
    let mut random = Stream::new(5, 0, "walls");
    let mut parts = vec![];
    for i in 0..10_000 {
        let by = if random.next_u64().is_multiple_of(2) { (0.3, 0.0) } else { (0.0, 0.3) };
        let (x, y) = (f64::from(i % 100), f64::from(i / 100));
        parts.push(wall((x, y), (x + by.0, y + by.1)));
    }
    let index = WallIndex::of(&parts, 0.8);
    let walls = Walls::new(&parts, &index, 0.2);
    let mut planner = GridPlanner::new(0.2, 0.02);
    planner.seek(Vec2::new(20.5, 20.4), Vec2::new(80.3, 70.6), &[]);
    let mut clearances = ClearanceMap::default();
    while planner.search() == Search::Working {
        // The cells are made ready at once; a straight piece is looked at as a whole.
        let done = planner.work(&walls, &mut clearances, 500);
        assert!(done < 1500, "{done}");
    }
    assert_eq!(planner.search(), Search::Found);
}

#[test]
fn where_cells_are_wide_no_way_leaps_a_wall() {
    // Cells of half a metre, a robot of 5 cm, and walls that lie between the middles of cells.
    let mut parts = vec![];
    for i in 0..6 {
        let x = 10.0 + 10.0 * f64::from(i) + 0.013 * f64::from(i);
        let from = if i % 2 == 0 { -60.0 } else { -20.0 };
        parts.push(wall((x, from), (x, from + 80.0)));
    }
    let index = WallIndex::of(&parts, 0.25);
    let walls = Walls::new(&parts, &index, 0.05);
    let all = barriers(&parts, 0.05);
    let mut planner = GridPlanner::new(0.05, 0.005);
    for y in [0.0, 0.11, 0.23, 0.37] {
        planner.seek(Vec2::new(0.0, y), Vec2::new(70.0, -y), &[]);
        found(&mut planner, &walls);
        assert_eq!(planner.search(), Search::Found);
        for pair in planner.path().windows(2) {
            let path = [pair[0], pair[1]];
            let clearance = all.iter().fold(1.0, |r, wall| smaller(r, wall.distance_to(path)));
            assert!(clearance > 0.05, "{clearance} m on {path:?}");
        }
    }
}

#[test]
fn a_way_is_the_same_whoever_has_searched_before() {
    let mut random = Stream::new(6, 0, "walls");
    let (parts, ..) = random_walls(&mut random, 60);
    let index = WallIndex::of(&parts, 0.4);
    let walls = Walls::new(&parts, &index, 0.1);
    let mut shared = ClearanceMap::default();
    let (mut turns, mut efforts) = (0, [0; 2]);
    for i in 0..20 {
        let mut place = || Vec2::new(random.between(-5.0, 5.0), random.between(-5.0, 5.0));
        let (from, to) = (place(), place());
        // Of some another radius, so that what is known of the cells is of no use.
        let mut planners =
            [0; 2].map(|_| GridPlanner::new(if i % 5 == 4 { 0.12 } else { 0.1 }, 0.01));
        planners.iter_mut().for_each(|planner| planner.seek(from, to, &[]));
        efforts[0] += planners[0].work(&walls, &mut shared, usize::MAX);
        efforts[1] += planners[1].work(&walls, &mut ClearanceMap::default(), usize::MAX);
        assert_ne!(planners[0].search(), Search::Working);
        assert_eq!(planners[0].search(), planners[1].search());
        assert_eq!(planners[0].path(), planners[1].path());
        turns += planners[0].path().len().saturating_sub(2);
    }
    assert!(turns > 10, "{turns}");
    assert!(efforts[0] < efforts[1], "{efforts:?}");
}
