//! Ways among walls.

use super::*;
use crate::walls::given::{self, barriers};
use rolima_core::WallIndex;
use rolima_core::model::Part;
use rolima_math::Stream;

fn wall(a: (f64, f64), b: (f64, f64)) -> Part {
    given::wall(Vec2::new(a.0, a.1), Vec2::new(b.0, b.1), 0.04)
}

fn found(guide: &mut Guide, walls: &Walls<'_>) -> usize {
    found_by(guide, walls, PORTION)
}

fn found_by(guide: &mut Guide, walls: &Walls<'_>, effort: usize) -> usize {
    let mut rooms = Rooms::default();
    for portion in 1..1_000_000 {
        guide.work(walls, &mut rooms, effort);
        if guide.search() != Search::Working {
            return portion;
        }
    }
    panic!("never done");
}

fn length(way: &[Vec2]) -> f64 {
    way.windows(2).map(|pair| (pair[1] - pair[0]).length()).sum()
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
    let mut guide = Guide::new(0.15, 0.02);
    guide.seek(Vec2::ZERO, Vec2::new(2.0, 0.0), &[]);
    found(&mut guide, &walls);
    assert_eq!(guide.search(), Search::Found);
    let way = guide.way();
    assert_eq!((way[0], way[way.len() - 1]), (Vec2::ZERO, Vec2::new(2.0, 0.0)));
    let is_clear = |pair: &[Vec2]| walls.are_clear([pair[0], pair[1]], 0.17, &mut 0);
    assert!(way.windows(2).all(is_clear), "{way:?}");
    assert!(way.len() <= 7 && length(way) < 6.5, "{} {way:?}", length(way));
    // Something stands in that way around the cup: the one on the other side, as long as the first, is
    // taken.
    let side = if way.iter().any(|p| p.y > 1.0) { 1.0 } else { -1.0 };
    let first = length(way);
    let obstacle =
        Obstacle { position: Vec2::new(0.5, 1.3 * side), radius: 0.5, ..Obstacle::default() };
    guide.seek(Vec2::ZERO, Vec2::new(2.0, 0.0), &[obstacle]);
    found(&mut guide, &walls);
    assert_eq!(guide.search(), Search::Found);
    let way = guide.way();
    let around = |side: f64| way.iter().any(|p| p.y * side > 1.0);
    assert!(around(-side) && !around(side), "{way:?}");
    assert!((length(way) - first).abs() < 0.1, "{} and {first}: {way:?}", length(way));
}

#[test]
fn a_closed_room_is_nowhere_to_go() {
    let corners = [(1.0, 1.0), (3.0, 1.0), (3.0, 3.0), (1.0, 3.0)];
    let walls: Vec<Part> = (0..4).map(|i| wall(corners[i], corners[(i + 1) % 4])).collect();
    let index = WallIndex::of(&walls, 0.4);
    let walls = Walls::new(&walls, &index, 0.1);
    let mut guide = Guide::new(0.1, 0.01);
    guide.seek(Vec2::ZERO, Vec2::new(2.0, 2.0), &[]);
    found(&mut guide, &walls);
    assert_eq!(guide.search(), Search::Nowhere);
    assert!(guide.way().is_empty());
    guide.seek(Vec2::ZERO, Vec2::new(0.5, 2.0), &[]);
    found(&mut guide, &walls);
    assert_eq!(guide.search(), Search::Found);
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
        let room = [from, to].map(|end| walls.room_at(end, 1.0, &mut 0));
        if room[0].min(room[1]) < 0.1 {
            continue;
        }
        let mut guide = Guide::new(0.1, 0.01);
        guide.seek(from, to, &[]);
        assert!(found(&mut guide, &walls) <= 40, "at most 40,000 cells and their walls");
        let all = barriers(&parts, 0.1);
        for pair in guide.way().windows(2) {
            let way = [pair[0], pair[1]];
            let room = all.iter().fold(1.0, |r, wall| smaller(r, wall.distance_to(way)));
            assert!(room > 0.02, "{room}");
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
        let mut whole = Guide::new(0.1, 0.01);
        whole.seek(from, to, &[]);
        let portions = found_by(&mut whole, &walls, usize::MAX);
        assert_eq!(portions, 1);
        for effort in [1, 100, PORTION] {
            let mut cut = Guide::new(0.1, 0.01);
            cut.seek(from, to, &[]);
            found_by(&mut cut, &walls, effort);
            assert_eq!((cut.search(), cut.way()), (whole.search(), whole.way()));
        }
        turns += whole.way().len().saturating_sub(2);
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
    let mut guide = Guide::new(0.2, 0.02);
    guide.seek(Vec2::new(20.5, 20.4), Vec2::new(80.3, 70.6), &[]);
    let mut rooms = Rooms::default();
    while guide.search() == Search::Working {
        // The cells are made ready at once; a straight piece is looked at as a whole.
        let done = guide.work(&walls, &mut rooms, 500);
        assert!(done < 1500, "{done}");
    }
    assert_eq!(guide.search(), Search::Found);
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
    let mut guide = Guide::new(0.05, 0.005);
    for y in [0.0, 0.11, 0.23, 0.37] {
        guide.seek(Vec2::new(0.0, y), Vec2::new(70.0, -y), &[]);
        found(&mut guide, &walls);
        assert_eq!(guide.search(), Search::Found);
        for pair in guide.way().windows(2) {
            let way = [pair[0], pair[1]];
            let room = all.iter().fold(1.0, |r, wall| smaller(r, wall.distance_to(way)));
            assert!(room > 0.05, "{room} m on {way:?}");
        }
    }
}

#[test]
fn a_way_is_the_same_whoever_has_searched_before() {
    let mut random = Stream::new(6, 0, "walls");
    let (parts, ..) = random_walls(&mut random, 60);
    let index = WallIndex::of(&parts, 0.4);
    let walls = Walls::new(&parts, &index, 0.1);
    let mut shared = Rooms::default();
    let (mut turns, mut efforts) = (0, [0; 2]);
    for i in 0..20 {
        let mut place = || Vec2::new(random.between(-5.0, 5.0), random.between(-5.0, 5.0));
        let (from, to) = (place(), place());
        // Of some another radius, so that what is known of the cells is of no use.
        let mut guides = [0; 2].map(|_| Guide::new(if i % 5 == 4 { 0.12 } else { 0.1 }, 0.01));
        guides.iter_mut().for_each(|guide| guide.seek(from, to, &[]));
        efforts[0] += guides[0].work(&walls, &mut shared, usize::MAX);
        efforts[1] += guides[1].work(&walls, &mut Rooms::default(), usize::MAX);
        assert_ne!(guides[0].search(), Search::Working);
        assert_eq!(guides[0].search(), guides[1].search());
        assert_eq!(guides[0].way(), guides[1].way());
        turns += guides[0].way().len().saturating_sub(2);
    }
    assert!(turns > 10, "{turns}");
    assert!(efforts[0] < efforts[1], "{efforts:?}");
}
