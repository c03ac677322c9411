//! Rays against brute force: over random worlds, both ways of asking find the same distance to the
//! bit, and it is the one that an independent computation over all parts finds.

use rolima_math::{Pose2, Rot2, Stream, Vec2, acos, cos, sin};
use rolima_model::{BodyId, Part, Polygon, Shape};
use rolima_sensors::rays::{
    Fan, Outline, Placed, Plane, Ray, Scan, ScanScratch, Thing, VerticalProfile,
};
use rolima_testing::samples;
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Parts with what they belong to: the world as the brute force knows it.
struct World {
    plane: Plane,
    parts: Vec<(Part, Thing)>,
}

fn random_part(random: &mut Stream, spread: f64, size: f64) -> Part {
    let center = Vec2::new(random.between(-spread, spread), random.between(-spread, spread));
    let pose = Pose2 { position: center, rotation: Rot2::from_angle(random.between(0.0, TAU)) };
    let (one, other) = (length_of(random, size), length_of(random, size));
    match random.next_u64() % 5 {
        0 => Part::Circle { center, radius: 0.5 * one },
        1 => Part::Box { pose, half: Vec2::new(one, 0.0) },
        2 | 3 => Part::Box { pose, half: Vec2::new(one, other) },
        _ => {
            let count = 3 + (random.next_u64() % 6) as usize;
            let radius = length_of(random, size);
            let corner = |i: usize| {
                let angle = TAU * (i as f64 + 0.3 * (i % 2) as f64) / count as f64;
                pose.transform(Vec2::new(radius * cos(angle), 0.8 * radius * sin(angle)))
            };
            Part::Polygon(Polygon::from_vertices(&(0..count).map(corner).collect::<Vec<_>>()))
        }
    }
}

fn length_of(random: &mut Stream, size: f64) -> f64 {
    random.between(0.05, 1.0) * size
}

fn random_world(random: &mut Stream) -> World {
    let spread = random.between(0.5, 8.0);
    let size = random.between(0.05, 1.5);
    let walls: Vec<Part> =
        (0..random.next_u64() % 60).map(|_| random_part(random, spread, size)).collect();
    let bodies: Vec<(Shape, Pose2)> = (0..random.next_u64() % 12)
        .map(|_| {
            let count = 1 + random.next_u64() % 3;
            let parts = (0..count).map(|_| random_part(random, 0.3, 0.5 * size)).collect();
            let at = Vec2::new(random.between(-spread, spread), random.between(-spread, spread));
            let rotation = Rot2::from_angle(random.between(0.0, TAU));
            (Shape::from_parts(parts), Pose2 { position: at, rotation })
        })
        .collect();
    let outlines: Vec<Outline> =
        bodies.iter().map(|(shape, _)| Outline::new(shape, VerticalProfile::up_to(1.0))).collect();
    let mut plane = Plane::new(0.3, walls.iter().map(|w| (w, 2.0)), &outlines);
    if random.next_u64().is_multiple_of(2) {
        plane.look_out();
    }
    plane.place((0..).zip(&bodies).map(|(i, &(_, pose))| Placed {
        body: BodyId(i),
        outline: i,
        pose,
    }));
    let mut parts: Vec<(Part, Thing)> =
        (0..).zip(walls).map(|(i, wall)| (wall, Thing::Wall(i))).collect();
    for (i, (shape, pose)) in (0..).zip(&bodies) {
        parts.extend(shape.parts.iter().map(|p| (p.transformed(*pose), Thing::Body(BodyId(i)))));
    }
    World { plane, parts }
}

/// Where a ray enters a convex part: by clipping it to the part's half planes, or by the quadratic
/// formula; nothing if it starts inside.
fn enters(part: &Part, origin: Vec2, direction: Vec2) -> Option<f64> {
    let polygon = match *part {
        Part::Circle { center, radius } => {
            let to = center - origin;
            let (b, c) = (to.dot(direction), to.dot(to) - radius * radius);
            let root = b * b - c;
            return (c > 0.0 && root >= 0.0 && b > 0.0).then(|| b - root.sqrt());
        }
        Part::Box { pose, half } => Polygon::rectangle(pose, half),
        Part::Polygon(p) => p,
    };
    let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
    for i in 0..polygon.count {
        let out = (origin - polygon.vertices[i]).dot(polygon.normals[i]);
        let speed = direction.dot(polygon.normals[i]);
        if speed < 0.0 {
            enter = enter.max(-out / speed);
        } else if speed > 0.0 {
            leave = leave.min(-out / speed);
        } else if out > 0.0 {
            return None;
        }
    }
    // Walls without thickness are left where they are entered, but for rounding.
    (enter <= leave + 1e-9 && enter > 0.0).then_some(enter)
}

impl World {
    fn brute(&self, ray: &Ray) -> f64 {
        let parts = self.parts.iter().filter(|(_, t)| ray.skip.map(Thing::Body) != Some(*t));
        let enters = parts.filter_map(|(part, _)| enters(part, ray.origin, ray.direction));
        enters.fold(ray.range, f64::min)
    }

    /// Whether a point lies in a wall: from there, faces inside of other walls are not seen.
    fn in_wall(&self, point: Vec2) -> bool {
        let walls = self.parts.iter().filter(|(_, thing)| matches!(thing, Thing::Wall(_)));
        walls
            .map(|(part, _)| Plane::new(0.0, [(part, 1.0)], &[]))
            .any(|p| p.inside(point, None).is_some())
    }

    /// Agreement but for rays that graze something: then a hair to the left or right of them.
    fn agrees(&self, ray: &Ray, distance: f64) -> bool {
        let near = |turn: f64| {
            let direction = Rot2::from_angle(turn).rotate(ray.direction);
            self.brute(&Ray { direction, ..*ray })
        };
        let found = [near(0.0), near(1e-9), near(-1e-9)];
        let low = found.iter().copied().fold(f64::INFINITY, f64::min);
        let high = found.iter().copied().fold(0.0, f64::max);
        distance >= low - 1e-6 && distance <= high + 1e-6
    }

    fn check(&self, scan: &Scan<'_>, scratch: &mut ScanScratch) {
        let beams = scan.fan.beams();
        let mut distances = vec![f64::NAN; beams];
        let mut again = distances.clone();
        let mut codes = vec![0; beams];
        let outside = !self.in_wall(scan.pose.position);
        self.plane.scan(scan, scratch, &mut distances);
        self.plane.scan_things(scan, scratch, &mut again, &mut codes);
        for beam in 0..beams {
            let ray = scan.ray(beam);
            let distance = distances[beam];
            let one = self.plane.cast(&ray);
            assert_eq!(one.to_bits(), distance.to_bits(), "beam {beam}: {one} and {distance}");
            assert_eq!(again[beam].to_bits(), distance.to_bits(), "beam {beam} with codes");
            let hit = self.plane.cast_thing(&ray);
            let thing = Thing::from_code(codes[beam]);
            assert_eq!(hit.map(|h| h.thing), thing, "beam {beam} at {distance}");
            assert_eq!(hit.map_or(scan.range, |h| h.distance).to_bits(), distance.to_bits());
            if let Some(hit) = hit {
                assert!(hit.normal.dot(ray.direction) <= 1e-6 && distance < scan.range);
                assert!((hit.normal.length() - 1.0).abs() < 1e-12);
            }
            if outside {
                assert!(self.agrees(&ray, distance), "{ray:?}: {distance}, {}", self.brute(&ray));
            }
        }
    }
}

#[test]
fn scans_single_rays_and_brute_force_agree_in_random_worlds() {
    let worlds = if cfg!(debug_assertions) { 30 } else { samples(200, 800) };
    let mut random = Stream::new(5, 0, "worlds");
    let mut scratch = ScanScratch::default();
    for _ in 0..worlds {
        let world = random_world(&mut random);
        for _ in 0..3 {
            // Inside things, between them, and far outside of the grid.
            let far = if random.next_u64().is_multiple_of(4) { 30.0 } else { 5.0 };
            let position = Vec2::new(random.between(-far, far), random.between(-far, far));
            let pose = Pose2 { position, rotation: Rot2::from_angle(random.between(-9.0, 9.0)) };
            let beams = 1 + (random.next_u64() % 250) as usize;
            let view = random.between(0.01, TAU);
            let sign = if random.next_u64().is_multiple_of(2) { 1.0 } else { -1.0 };
            let fan = Fan::new(random.between(-4.0, 4.0), sign * view / beams as f64, beams);
            let range = [0.4, 3.0, 8.0, 1e3][(random.next_u64() % 4) as usize];
            let skip = (random.next_u64().is_multiple_of(3))
                .then(|| BodyId((random.next_u64() % 12) as u32));
            let scan = Scan { pose, fan: &fan.unwrap(), range, skip };
            world.check(&scan, &mut scratch);
        }
    }
}

#[test]
fn rays_along_walls_and_through_corners_agree_on_a_lattice() {
    // Everything at whole numbers, beams at multiples of 15 degrees: most beams meet corners or
    // run along walls. Both ways of asking must still find the same.
    let mut random = Stream::new(6, 0, "lattice");
    let mut scratch = ScanScratch::default();
    for _ in 0..if cfg!(debug_assertions) { 50 } else { samples(120, 500) } {
        let parts: Vec<(Part, Thing)> = (0..12)
            .map(|i| {
                let mut whole = |n: u64| (random.next_u64() % n) as f64;
                let center = Vec2::new(whole(9) - 4.0, whole(9) - 4.0);
                let half = Vec2::new(1.0 + whole(2), whole(2));
                let rotation = [Rot2::IDENTITY, Rot2 { c: 0.0, s: 1.0 }][whole(2) as usize];
                (Part::Box { pose: Pose2 { position: center, rotation }, half }, Thing::Wall(i))
            })
            .collect();
        let plane = Plane::new(0.0, parts.iter().map(|(part, _)| (part, 1.0)), &[]);
        let world = World { plane, parts };
        for _ in 0..10 {
            let mut whole = |n: u64| (random.next_u64() % n) as f64;
            let position = Vec2::new(whole(13) - 6.0, whole(13) - 6.0);
            let rotation = Rot2::from_angle(whole(4) * FRAC_PI_2);
            let fan = Fan::new(0.0, PI / 12.0, 24).unwrap();
            let scan =
                Scan { pose: Pose2 { position, rotation }, fan: &fan, range: 20.0, skip: None };
            let beams = fan.beams();
            let outside = !world.in_wall(position);
            let (mut distances, mut codes) = (vec![0.0; beams], vec![0; beams]);
            world.plane.scan_things(&scan, &mut scratch, &mut distances, &mut codes);
            for beam in 0..beams {
                let ray = scan.ray(beam);
                assert_eq!(world.plane.cast(&ray).to_bits(), distances[beam].to_bits());
                let hit = world.plane.cast_thing(&ray);
                assert_eq!(hit.map(|h| h.thing), Thing::from_code(codes[beam]));
                if outside {
                    assert!(world.agrees(&ray, distances[beam]), "{ray:?}: {}", distances[beam]);
                }
            }
        }
    }
}

#[test]
fn no_ray_slips_between_the_edges_of_a_corner() {
    let corners: Vec<Vec2> =
        (0..7).map(|i| Rot2::from_angle(0.9 * f64::from(i)).x_axis()).collect();
    let part = Part::Polygon(Polygon::from_vertices(&corners));
    let plane = Plane::new(0.0, [(&part, 1.0)], &[]);
    let mut random = Stream::new(1, 1, "corners");
    for _ in 0..20_000 {
        let at = Rot2::from_angle(random.between(0.0, TAU)).x_axis() * random.between(1.1, 90.0);
        // Of the corners seen from here, all but the outermost two have material behind them.
        let mut seen: Vec<(f64, Vec2)> = corners
            .iter()
            .map(|&corner| ((corner - at).cross(-at) / (corner - at).length(), corner))
            .collect();
        seen.sort_by(|a, b| a.0.total_cmp(&b.0));
        for (_, corner) in &seen[1..6] {
            let direction = (*corner - at).unit_or(Vec2::ZERO);
            let ray = Ray { origin: at, direction, range: 100.0, skip: None };
            assert!(plane.cast(&ray) < 100.0, "from {at:?} through {corner:?}");
        }
    }
}

#[test]
fn distances_to_a_wall_and_a_disc_are_the_closed_forms() {
    let wall = Part::Box { pose: Pose2::new(3.1, 0.0, 0.0), half: Vec2::new(0.1, 50.0) };
    let disc = Part::Circle { center: Vec2::new(-4.0, 0.0), radius: 1.0 };
    let plane = Plane::new(0.2, [(&wall, 1.0), (&disc, 1.0)], &[]);
    for degrees in -80..=80 {
        let angle = f64::from(degrees).to_radians();
        let direction = Rot2::from_angle(angle).x_axis();
        let ray = Ray { origin: Vec2::ZERO, direction, range: 100.0, skip: None };
        assert!((plane.cast(&ray) - 3.0 / cos(angle)).abs() < 1e-12);
        let back = plane.cast(&Ray { direction: -direction, ..ray });
        let expected = 4.0 * cos(angle) - (1.0 - 16.0 * sin(angle) * sin(angle)).max(0.0).sqrt();
        let limit = FRAC_PI_2 - acos(0.25);
        if angle.abs() < limit - 1e-9 {
            assert!((back - expected).abs() < 1e-12, "{degrees}: {back} against {expected}");
        } else if angle.abs() > limit + 1e-9 {
            assert_eq!(back, 100.0);
        }
    }
}

#[test]
fn what_lies_below_the_plane_is_not_seen_and_balls_look_smaller_off_their_middle() {
    let wall = Part::Box { pose: Pose2::new(2.0, 0.0, 0.0), half: Vec2::new(0.1, 1.0) };
    let disc = Part::Circle { center: Vec2::ZERO, radius: 0.5 };
    let shape = Shape::from_parts(vec![disc]);
    let looks = |height: f64, profile: VerticalProfile| {
        let mut plane = Plane::new(height, [(&wall, 0.3)], &[Outline::new(&shape, profile)]);
        plane.place([Placed { body: BodyId(7), outline: 0, pose: Pose2::new(-3.0, 0.0, 1.0) }]);
        let ahead =
            Ray { origin: Vec2::ZERO, direction: Vec2::new(1.0, 0.0), range: 8.0, skip: None };
        (plane.cast(&ahead), plane.cast(&Ray { direction: Vec2::new(-1.0, 0.0), ..ahead }))
    };
    assert!((looks(0.2, VerticalProfile::up_to(0.3)).0 - 1.9).abs() < 1e-12);
    assert_eq!(looks(0.3, VerticalProfile::up_to(0.3)), (8.0, 8.0));
    assert!((looks(0.3, VerticalProfile::up_to(0.4)).1 - 2.5).abs() < 1e-12);
    assert_eq!(looks(0.1, VerticalProfile::Upright { bottom: 0.2, top: 0.4 }).1, 8.0);
    assert!((looks(0.5, VerticalProfile::Balls).1 - 2.5).abs() < 1e-12);
    // At 0.2 m a ball of radius 0.5 m has the radius 0.4 m.
    assert!((looks(0.2, VerticalProfile::Balls).1 - 2.6).abs() < 1e-12);
    assert_eq!(looks(1.0, VerticalProfile::Balls).1, 8.0);
}

#[test]
fn a_point_inside_something_is_told_and_the_own_body_is_passed_through() {
    let wall = Part::Box { pose: Pose2::new(2.0, 0.0, 0.3), half: Vec2::new(0.5, 0.5) };
    let shape = Shape::from_parts(vec![Part::Circle { center: Vec2::ZERO, radius: 0.5 }]);
    let mut plane =
        Plane::new(0.2, [(&wall, 0.3)], &[Outline::new(&shape, VerticalProfile::up_to(0.3))]);
    plane.place([Placed { body: BodyId(3), outline: 0, pose: Pose2::new(0.0, 0.0, 0.0) }]);
    assert_eq!(plane.inside(Vec2::new(2.1, 0.1), None), Some(Thing::Wall(0)));
    assert_eq!(plane.inside(Vec2::new(0.1, 0.1), None), Some(Thing::Body(BodyId(3))));
    assert_eq!(plane.inside(Vec2::new(0.1, 0.1), Some(BodyId(3))), None);
    assert_eq!(plane.inside(Vec2::new(1.1, 0.1), None), None);
    assert_eq!(plane.inside(Vec2::new(1e9, 0.1), None), None);
    let ray = Ray {
        origin: Vec2::new(-2.0, 0.0),
        direction: Vec2::new(1.0, 0.0),
        range: 8.0,
        skip: None,
    };
    assert!((plane.cast(&ray) - 1.5).abs() < 1e-12);
    assert!(plane.cast(&Ray { skip: Some(BodyId(3)), ..ray }) > 3.0);
}

#[test]
fn an_empty_plane_and_bad_poses_read_the_range() {
    let mut plane = Plane::new(0.1, [], &[]);
    plane.place([Placed { body: BodyId(0), outline: 5, pose: Pose2::IDENTITY }]);
    let fan = Fan::new(0.0, 0.1, 20).unwrap();
    let mut out = [0.0; 20];
    for x in [0.0, 1e12, f64::NAN, f64::INFINITY] {
        let pose = Pose2 { position: Vec2::new(x, 0.0), ..Pose2::IDENTITY };
        let scan = Scan { pose, fan: &fan, range: 4.0, skip: None };
        plane.scan(&scan, &mut ScanScratch::default(), &mut out);
        assert_eq!(out, [4.0; 20], "{x}");
    }
    // The same from very far away, with something there.
    let wall = Part::Circle { center: Vec2::new(0.0, 1.0), radius: 0.5 };
    let mut plane = Plane::new(0.1, [(&wall, 1.0)], &[]);
    plane.look_out();
    for x in [1e9, -1e15, 1e300, -1e300, f64::NAN, f64::NEG_INFINITY] {
        for range in [4.0, 1e250] {
            let pose = Pose2 { position: Vec2::new(x, -x), ..Pose2::IDENTITY };
            let fan = Fan::new(0.0, 0.001, 100).unwrap();
            let scan = Scan { pose, fan: &fan, range, skip: None };
            let mut out = [0.0; 100];
            plane.scan(&scan, &mut ScanScratch::default(), &mut out);
            assert_eq!(out, [range; 100], "{x}");
        }
    }
    assert!(Fan::new(0.0, 0.1, 100).is_err() && Fan::new(0.0, 0.1, 0).is_err());
    assert!(Fan::new(f64::NAN, 0.1, 10).is_err() && Fan::new(0.0, 0.0, 2).is_err());
}
