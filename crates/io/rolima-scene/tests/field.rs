//! The field of MiroSot as the teams' cameras see it: markings at their places, walls with black tops, tags in
//! their colours, and nothing orange but the ball.

use crate::common;

use common::{builtin, check, text};
use rolima_math::{Pose2, Rot2, Vec2};
use rolima_model::colour::TeamColours;
use rolima_model::{
    BodyKind, Course, MarkingSpec, Model, Mount, Part, PartSpec, RobotId, TagColour,
};
use rolima_render::{Camera, CameraRenderer, Pictures};

/// Nothing but the field and its two cameras.
const EMPTY: &str = "[[part]]\ninclude = \"fields/mirosot.toml\"\n[[part]]\n\
                     include = \"parts/overhead-cameras.toml\"\n";

/// A picture and where it was taken from.
struct Shot {
    camera: Camera,
    rgb: Vec<u8>,
}

impl Shot {
    /// What a camera of the world sees, with smooth edges or without, of bodies at these poses.
    fn take(model: &Model, number: usize, poses: &[Pose2], smooth: bool) -> Self {
        let mut renderer = CameraRenderer::new(model).expect("a stage");
        renderer.place(poses, &[]);
        let device = model.devices_of(Mount::World).start + number;
        let found = renderer.camera_of(model, device, poses, &[]);
        let (mut camera, hidden) = found.expect("a camera");
        assert_eq!([camera.lens.width, camera.lens.height], [640, 480]);
        assert!(camera.pose.position[2] >= 2.0, "the rules want 2 m");
        camera.quality.supersample = smooth;
        let mut rgb = vec![0; 3 * camera.lens.pixels()];
        let pictures = Pictures { rgb: Some(&mut rgb), ..Pictures::default() };
        renderer.draw_from(&camera, hidden, pictures).expect("a picture");
        Self { camera, rgb }
    }

    /// Where a point of the world is in the picture, pixels; the middle of the first pixel is at 0.5.
    fn place(&self, [x, y, z]: [f64; 3]) -> [f64; 2] {
        let Camera { lens, pose, .. } = &self.camera;
        let from = [x - pose.position[0], y - pose.position[1], z - pose.position[2]];
        let along = |axis: [f64; 3]| axis[0] * from[0] + axis[1] * from[1] + axis[2] * from[2];
        let [ahead, left, up] = pose.axes.map(along);
        let across = |size: u32, opening: f64, off: f64| {
            let half = 0.5 * f64::from(size);
            half - half * off / ahead / rolima_math::tan(0.5 * opening)
        };
        [across(lens.width, lens.horizontal_fov, left), across(lens.height, lens.vertical_fov, up)]
    }

    fn pixel(&self, column: i64, row: i64) -> [f64; 3] {
        assert!((0..640).contains(&column) && (0..480).contains(&row), "({column}, {row})");
        let at = 3 * (row * 640 + column) as usize;
        [0, 1, 2].map(|channel| f64::from(self.rgb[at + channel]))
    }

    /// The pixel in which a place lies.
    fn at(&self, [u, v]: [f64; 2]) -> [f64; 3] {
        self.pixel(u.floor() as i64, v.floor() as i64)
    }

    /// Brightness between pixels, 0 to 255.
    fn brightness(&self, [u, v]: [f64; 2]) -> f64 {
        let (left, top) = ((u - 0.5).floor(), (v - 0.5).floor());
        let (right, low) = (u - 0.5 - left, v - 0.5 - top);
        let at = |i: i64, j: i64| {
            let [r, g, b] = self.pixel(left as i64 + i, top as i64 + j);
            (r + g + b) / 3.0
        };
        let upper = at(0, 0) * (1.0 - right) + at(1, 0) * right;
        upper * (1.0 - low) + (at(0, 1) * (1.0 - right) + at(1, 1) * right) * low
    }

    /// How far beside `place`, along `direction`, the middle of what is bright within 4 pixels lies, and how
    /// bright it is there at most.
    fn middle_across(&self, [u, v]: [f64; 2], [du, dv]: [f64; 2]) -> [f64; 2] {
        let offsets = (-40..=40).map(|i| 0.1 * f64::from(i));
        let seen: Vec<[f64; 2]> =
            offsets.map(|off| [off, self.brightness([u + off * du, v + off * dv])]).collect();
        let ground = seen.iter().map(|s| s[1]).fold(f64::INFINITY, f64::min);
        let most = seen.iter().map(|s| s[1]).fold(0.0, f64::max);
        let (mut sum, mut moment) = (0.0, 0.0);
        for [off, bright] in seen {
            sum += bright - ground;
            moment += off * (bright - ground);
        }
        [moment / sum.max(1e-9), most]
    }
}

fn empty() -> Model {
    check(&text(EMPTY), &[]).expect("a good scene").compile().expect("a good model")
}

/// Points of a marking's middle line with the direction along it there.
fn points(course: Course) -> Vec<(Vec2, Vec2)> {
    let shares = (2..=38).map(|i| f64::from(i) / 40.0);
    match course {
        Course::Line { from, to } => {
            let along = (to - from) * (1.0 / (to - from).length());
            shares.map(|share| (from + (to - from) * share, along)).collect()
        }
        Course::Arc { center, radius, from_angle, to_angle } => shares
            .map(|share| {
                let out = Rot2::from_angle(from_angle + (to_angle - from_angle) * share);
                (center + out.x_axis() * radius, out.y_axis())
            })
            .collect(),
    }
}

/// Distance of a point from a marking's middle line, m.
fn distance(marking: &MarkingSpec, p: Vec2) -> f64 {
    points(marking.course).iter().map(|(q, _)| (*q - p).length()).fold(f64::INFINITY, f64::min)
}

fn is_cross(marking: &MarkingSpec) -> bool {
    matches!(marking.course, Course::Line { from, to } if (to - from).length() < 0.05)
}

#[test]
fn each_marking_of_the_empty_field_is_seen_at_its_place_within_a_pixel() {
    let model = empty();
    let markings = &model.spec.markings;
    let (mut seen, mut worst) = ([0, 0], 0.0_f64);
    for (camera, smooth) in [(0, true), (1, true), (0, false), (1, false)] {
        let shot = Shot::take(&model, camera, &[], smooth);
        for (i, marking) in markings.iter().enumerate().filter(|(_, marking)| !is_cross(marking)) {
            let mut told = 0;
            for (p, along) in points(marking.course) {
                // Where lines cross or meet, the middle of what is bright is elsewhere.
                let is_free =
                    |(k, other): (usize, &MarkingSpec)| k == i || distance(other, p) > 0.03;
                if !markings.iter().enumerate().all(is_free) {
                    continue;
                }
                let place = shot.place([p.x, p.y, 0.0]);
                let next = p + along * 1e-4;
                let ahead = shot.place([next.x, next.y, 0.0]);
                let [du, dv] = [ahead[0] - place[0], ahead[1] - place[1]];
                let length = (du * du + dv * dv).sqrt();
                let [off, bright] = shot.middle_across(place, [-dv / length, du / length]);
                told += 1;
                // Of one sample a pixel what is narrower than a pixel may fall between two.
                if !smooth && bright < 60.0 {
                    continue;
                }
                assert!(off.abs() < 1.0, "marking {i} at {p:?} is {off} pixels beside its place");
                let is_clear = !smooth || bright > 110.0;
                assert!(is_clear, "marking {i} at {p:?} is only {bright} bright");
                worst = worst.max(off.abs());
                seen[usize::from(smooth)] += 1;
            }
            assert!(told >= 10, "marking {i} is looked at {told} times");
        }
    }
    assert!(seen[1] > 500 && seen[0] > 400, "{seen:?} looks, at most {worst} pixels off");
}

#[test]
fn marks_of_free_balls_are_grey_and_those_of_penalties_white_each_at_its_place() {
    let model = empty();
    let shot = Shot::take(&model, 0, &[], true);
    let mut middles: Vec<(Vec2, String)> = vec![];
    for marking in model.spec.markings.iter().filter(|marking| is_cross(marking)) {
        let Course::Line { from, to } = marking.course else { unreachable!() };
        let name = model.material(marking.material).expect("a material").name.clone();
        let middle = (from + to) * 0.5;
        if !middles.iter().any(|(known, _)| (*known - middle).length() < 1e-6) {
            middles.push((middle, name));
        }
    }
    assert_eq!(middles.len(), 6);
    for (middle, name) in middles {
        let [u, v] = shot.place([middle.x, middle.y, 0.0]);
        let (mut sum, mut moments, mut most) = (0.0, [0.0; 2], 0.0_f64);
        for (j, i) in (-6..=6).flat_map(|j| (-6..=6).map(move |i| (j, i))) {
            let [x, y] = [u.floor() as i64 + i, v.floor() as i64 + j];
            let bright = (shot.pixel(x, y).iter().sum::<f64>() / 3.0 - 40.0).max(0.0);
            sum += bright;
            moments[0] += bright * (x as f64 + 0.5 - u);
            moments[1] += bright * (y as f64 + 0.5 - v);
            most = most.max(bright);
        }
        let off = moments.map(|moment| moment / sum);
        assert!(off.iter().all(|off| off.abs() < 0.5), "{name} at {middle:?} is {off:?} off");
        let white = name == "field-line";
        assert!(white == (most > 130.0) && most > 40.0, "{name} at {middle:?}: {most}");
    }
}

#[test]
fn walls_are_white_with_black_tops_and_the_ground_between_them_is_black() {
    let model = empty();
    let mut tops = 0;
    for camera in [0, 1] {
        let shot = Shot::take(&model, camera, &[], true);
        let grey = |p: [f64; 3]| shot.at(shot.place(p)).iter().sum::<f64>() / 3.0;
        for part in &model.walls {
            let middle = match part {
                Part::Box { pose, .. } => pose.position,
                Part::Polygon(polygon) => polygon.middle(),
                Part::Circle { center, .. } => *center,
            };
            let top = grey([middle.x, middle.y, 0.05]);
            assert!(top < 40.0, "the top of the wall at {middle:?} is {top}");
            tops += 1;
        }
        // Inner faces, halfway up.
        for (x, y) in [(0.749, 0.4), (-0.749, -0.4), (0.3, 0.649), (-0.3, -0.649), (0.849, 0.1)] {
            let side = grey([x, y, 0.025]);
            assert!(side > 110.0, "the wall at ({x}, {y}) is {side}");
        }
        for (x, y) in [(0.1, 0.3), (-0.5, 0.5), (0.65, 0.1), (-0.8, 0.0), (0.8, 0.1)] {
            let ground = grey([x, y, 0.0]);
            assert!(ground < 40.0, "the ground at ({x}, {y}) is {ground}");
        }
    }
    assert_eq!(tops, 2 * 16);
}

#[test]
fn both_cameras_see_all_of_the_field_from_over_their_halves() {
    let model = empty();
    let names = model.devices.iter().map(|device| device.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["camera-blue", "camera-yellow"]);
    for (camera, side) in [(0, -1.0), (1, 1.0)] {
        let shot = Shot::take(&model, camera, &[], false);
        assert!((shot.camera.pose.position[0] - side * 0.375).abs() < 1e-12);
        // Right in the picture is right on the field, and up is up.
        let [middle, right, up] =
            [[0.0; 3], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0]].map(|p| shot.place(p));
        assert!(right[0] > middle[0] + 25.0 && (right[1] - middle[1]).abs() < 0.01);
        assert!(up[1] < middle[1] - 25.0 && (up[0] - middle[0]).abs() < 0.01);
        for (x, y) in [(0.875, 0.225), (0.775, 0.675)] {
            for (sx, sy) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
                for z in [0.0, 0.05] {
                    let [u, v] = shot.place([sx * x, sy * y, z]);
                    let is_in = (2.0..638.0).contains(&u) && (2.0..478.0).contains(&v);
                    assert!(is_in, "({u}, {v}) of camera {camera}");
                }
            }
        }
    }
}

/// Hue, degrees, saturation and value.
fn hue([r, g, b]: [f64; 3]) -> [f64; 3] {
    let (high, low) = (r.max(g).max(b), r.min(g).min(b));
    let span = high - low;
    let turn = match high {
        _ if span == 0.0 => 0.0,
        h if h == r => (g - b) / span,
        h if h == g => (b - r) / span + 2.0,
        _ => (r - g) / span + 4.0,
    };
    [(60.0 * turn).rem_euclid(360.0), if high > 0.0 { span / high } else { 0.0 }, high]
}

fn rgb(colour: u32) -> [f64; 3] {
    [16, 8, 0].map(|shift| f64::from(colour >> shift & 0xff))
}

/// Poses of the scene's bodies: robots spread over the field and turned, another way in each round.
fn poses(model: &Model, round: u32) -> Vec<Pose2> {
    let spread = |i: f64| {
        let turn = f64::from(round) * 0.7 + 1.3 * i;
        Pose2::new(-0.62 + 0.22 * i, 0.5 * rolima_math::sin(turn), turn)
    };
    let place = |(i, body): (usize, &rolima_model::BodyModel)| match body.kind {
        BodyKind::Robot => spread(i as f64),
        _ => Pose2::new(0.3 - 0.2 * f64::from(round), -0.58 + 0.2 * f64::from(round), 0.0),
    };
    model.bodies().enumerate().map(place).collect()
}

#[test]
fn each_patch_of_a_tag_has_its_colour_within_its_outline() {
    let model = builtin("match", &[]).compile().unwrap();
    let colours = TeamColours::of(&model);
    let mut looks = 0;
    for round in 0..4 {
        let poses = poses(&model, round);
        let shot = Shot::take(&model, (round % 2) as usize, &poses, true);
        for robot in model.robot_ids() {
            let body = model.body(robot).expect("a robot");
            assert!((body.height - 0.075).abs() < 1e-12, "a cube of 7.5 cm");
            for patch in model.tag(robot, &colours) {
                let Part::Box { pose, half } = patch.outline else { panic!("a rectangle") };
                // A pixel is 3.2 mm wide at most, and its diagonal half as long again.
                let inner = half - Vec2::new(0.005, 0.005);
                for (i, j) in (-3..=3).flat_map(|i| (-3..=3).map(move |j| (i, j))) {
                    let share =
                        Vec2::new(f64::from(i) / 3.0 * inner.x, f64::from(j) / 3.0 * inner.y);
                    let p = poses[robot.index()].transform(pose.transform(share));
                    let seen = shot.at(shot.place([p.x, p.y, body.height]));
                    let (got, told) = (hue(seen), hue(rgb(patch.colour)));
                    let off = (got[0] - told[0]).rem_euclid(360.0);
                    let off = off.min(360.0 - off);
                    let same = off < 4.0 && (got[1] - told[1]).abs() < 0.1;
                    let bright = got[2] > 0.85 * told[2] && got[2] <= told[2] + 1.0;
                    assert!(same && bright, "{robot:?} {:?}: {seen:?}, {told:?}", patch.tells);
                    looks += 1;
                }
            }
        }
    }
    assert_eq!(looks, 4 * 6 * 2 * 49);
}

#[test]
fn tags_tell_teams_and_players_apart_and_the_teams_colour_is_as_large_as_the_rules_want() {
    let robots = |team: &str| -> String {
        let robot = |i: usize| {
            let x = i as f64 * 0.1;
            format!("[[robot]]\npreset = \"minirobot\"\nteam = \"{team}\"\npose = [{x}, 0, 0]\n")
        };
        (0..5).map(robot).collect()
    };
    let scene =
        check(&text(&(robots("blue") + &robots("yellow").replace(", 0, 0]", ", 1, 0]"))), &[]);
    let model = scene.unwrap().compile().unwrap();
    let colours = TeamColours::of(&model);
    let tags: Vec<_> = model.robot_ids().map(|robot| model.tag(robot, &colours)).collect();
    let hues: Vec<[f64; 3]> = tags[..5].iter().map(|tag| hue(rgb(tag[1].colour))).collect();
    for (i, a) in hues.iter().enumerate() {
        for b in &hues[..i] {
            let off = (a[0] - b[0]).rem_euclid(360.0);
            let apart = off.min(360.0 - off) > 25.0 || (a[1] < 0.1) != (b[1] < 0.1);
            assert!(apart, "{a:?} and {b:?}");
        }
    }
    for (robot, tag) in tags.iter().enumerate() {
        assert_eq!(tag[0].tells, TagColour::Team);
        assert_eq!(tag[1].colour, tags[robot % 5][1].colour, "the third of both teams");
        let Part::Box { half, .. } = tag[0].outline else { panic!("a rectangle") };
        assert!(half.x >= 0.0175 && half.y >= 0.0175, "3.5 x 3.5 cm");
    }
    let three: Vec<_> = [0, 5].map(|robot| tags[robot][0].colour).into();
    assert_eq!(three, [colours.colour("blue"), colours.colour("yellow")]);
}

#[test]
fn nothing_is_orange_but_the_ball() {
    let model = builtin("match", &[]).compile().unwrap();
    let ball = model.bodies().find(|body| body.kind == BodyKind::Ball).expect("a ball");
    for round in 0..4 {
        let poses = poses(&model, round);
        let shot = Shot::take(&model, (round % 2) as usize, &poses, true);
        let Vec2 { x, y } = poses[ball.id.index()].position;
        let [u, v] = shot.place([x, y, ball.radius]);
        let (mut inside, mut outside) = (0, vec![]);
        for (row, column) in (0..480).flat_map(|row| (0..640).map(move |column| (row, column))) {
            let [hue, saturation, value] = hue(shot.pixel(column, row));
            if !((10.0..40.0).contains(&hue) && saturation > 0.35 && value > 60.0) {
                continue;
            }
            let off = [column as f64 + 0.5 - u, row as f64 + 0.5 - v];
            // 2.2 m above it a ball of 42.7 mm has a radius of 7 pixels.
            if off[0] * off[0] + off[1] * off[1] < 8.5 * 8.5 {
                inside += 1;
            } else {
                outside.push((column, row));
            }
        }
        assert!(inside > 100, "only {inside} pixels of the ball are orange");
        assert!(outside.is_empty(), "orange at {outside:?}");
    }
}

#[test]
fn a_robots_own_list_takes_the_place_of_its_presets_tag_and_its_number_that_of_its_place() {
    let scene = "[[robot]]\npreset = \"minirobot\"\nteam = \"blue\"\nplayer = 3\n\
                 tag = [{ kind = \"circle\", radius = 0.02, colour = \"player\" },\n\
                 { kind = \"box\", size = [0.01, 0.02], colour = \"#123456\" }]\n\
                 [[robot]]\npreset = \"minirobot\"\nteam = \"blue\"\npose = [1, 0, 0]\n";
    let model = check(&text(scene), &[]).unwrap().compile().unwrap();
    let colours = TeamColours::of(&model);
    let own = model.tag(RobotId(0), &colours);
    assert_eq!(own.len(), 2);
    assert!(matches!(own[0].outline, Part::Circle { radius: 0.02, .. }));
    assert_eq!((own[1].colour, own[1].tells), (0x12_34_56, TagColour::Own(0x12_34_56)));
    let [third, second] = [RobotId(0), RobotId(1)].map(|robot| colours.player(robot));
    assert_ne!(third, second);
    // The one that is not numbered is the second of its team, whatever the first is called.
    assert_eq!(model.tag(RobotId(1), &colours)[1].colour, second);
}

#[test]
fn names_of_materials_are_looked_for_in_the_part_then_around_it_then_among_those_of_all() {
    let scene = "[[material]]\nname = \"field-line\"\ncolour = \"#ff0000\"\n\
                 [[part]]\nname = \"west\"\ninclude = \"fields/mirosot.toml\"\n\
                 [[ball]]\nmaterial = \"field-line\"\n[[ball]]\nposition = [0.3, 0]\nmaterial = \"grey\"\n";
    let model = check(&text(scene), &[]).unwrap().compile().unwrap();
    let colour = |id| model.material(id).expect("a material").colour;
    assert_eq!(colour(model.spec.markings[0].material), 0xf4f5f6);
    assert_eq!(colour(model.spec.balls[0].material), 0xff0000);
    assert_eq!(colour(model.spec.balls[1].material), 0x80848a);
    // Two fields without names are of the same materials.
    let twice =
        "[[part]]\ninclude = \"parts/board.toml\"\n".replace("parts/board", "fields/mirosot");
    let [one, two] = [twice.clone(), twice.replace("[[part]]", "[[part]]\nname = \"a\"") + &twice]
        .map(|scene| check(&text(&scene), &[]).unwrap().spec.materials.len());
    assert_eq!((one, two), (6, 12));
}

#[test]
fn what_is_wrong_with_materials_is_told_with_line_and_key() {
    for (scene, expected) in [
        (
            "[[wall]]\nkind = \"segment\"\nfrom = [0, 0]\nto = [1, 0]\ntop = \"matt-blak\"\n",
            "x.toml:5: wall.0.top: expected a material: one of \"matt-black\", \"black\"",
        ),
        (
            "[[wall]]\nkind = \"segment\"\nfrom = [0, 0]\nto = [1, 0]\ntop = \"matt-blak\"\n",
            "got \"matt-blak\" (did you mean \"matt-black\"?)",
        ),
        ("[[material]]\nname = \"a\"\nroughness = 2\n", "x.toml:3: material.0.roughness: expected"),
        (
            "[[material]]\nname = \"\"\n",
            "x.toml:2: material.0.name: expected a name, got an empty one",
        ),
        ("[[material]]\ncolour = \"#123456\"\n", "x.toml:1: material.0.name: expected a text"),
        (
            "[[material]]\nname = \"a\"\ntexture = \"cheker\"\n",
            "x.toml:3: material.0.texture: expected checker, stripes, grass",
        ),
        (
            "[[material]]\nname = \"a\"\n[[material]]\nname = \"a\"\nlight = 1\n",
            "x.toml:4: material.1.name: expected a name of its own",
        ),
        (
            "[[material]]\nname = \"a\"\ntexture = \"checker\"\n[[ball]]\nmaterial = \"a\"\n",
            "x.toml:5: ball.0.material: expected a material without texture, got \"a\", which has one",
        ),
        (
            "[[floor]]\nkind = \"rectangle\"\nmin = [0, 0]\nmax = [1, 1]\n",
            "x.toml:1: floor.0.material: expected a text, got nothing",
        ),
        (
            "[[floor]]\nkind = \"rectangle\"\nmin = [0, 0]\nmax = [-1, 1]\nmaterial = \"grey\"\n",
            "x.toml:4: floor.0.max: expected a corner right of and above min",
        ),
        (
            "[[robot]]\npreset = \"minirobot\"\ntag = [{ kind = \"circle\", radius = -1, colour = \"team\" }]\n",
            "x.toml:3: robot.0.tag.0.radius: expected",
        ),
        (
            "[[robot]]\npreset = \"minirobot\"\ntag = [{ kind = \"circle\", radius = 1, colour = \"blue\" }]\n",
            "robot.0.tag.0.colour: expected one of \"team\", \"player\", or a colour such as",
        ),
        (
            "[[robot]]\npreset = \"minirobot\"\nplayer = 0\n",
            "x.toml:3: robot.0.player: expected a whole",
        ),
    ] {
        let message = check(&text(scene), &[]).unwrap_err().to_string();
        assert!(message.contains(expected), "{scene}: {message}");
    }
}

#[test]
fn two_colours_of_a_pattern_are_in_its_picture_and_those_of_a_ball_in_its_material() {
    let scene = "[[material]]\nname = \"tiles\"\ntexture = \"checker\"\ncolour = \"#102030\"\n\
                 second_colour = \"#405060\"\ntexture_size = 0.5\n\
                 [[material]]\nname = \"old-ball\"\ncolour = \"#ff0000\"\nsecond_colour = \"#ffffff\"\n\
                 [[floor]]\nkind = \"polygon\"\nvertices = [[0, 0], [1, 0], [0, 1]]\nmaterial = \"tiles\"\n\
                 [[ball]]\nmaterial = \"old-ball\"\n";
    let spec = check(&text(scene), &[]).unwrap().spec;
    let texture = spec.materials[0].texture.as_ref().expect("a texture");
    let (dark, light) = ([0x10, 0x20, 0x30], [0x40, 0x50, 0x60]);
    assert_eq!(texture.picture.rgb, [dark, light, light, dark].concat());
    assert_eq!((texture.size, spec.materials[0].colour), ([0.5; 2], 0xff_ffff));
    assert_eq!((spec.materials[1].colour, spec.materials[1].second), (0xff0000, Some(0xff_ffff)));
    assert!(matches!(&spec.robots[..], []) && spec.floors.len() == 1);
    let outline = PartSpec::Polygon { vertices: spec.floors[0].vertices.clone() };
    assert!(Part::compile("floor", &outline).is_ok());
}
