//! The built-in scenes: all of them load and compile, and hold what their comments say.

use crate::common;

use common::{builtin, check, text};
use rolima_math::Vec2;
use rolima_model::{BallFriction, Course, DriveSpec, DriverSpec, PartSpec, RobotSpec, WallSpec};
use rolima_scene::{Source, builtin_files, builtin_presets, builtin_scenes, load};

#[test]
fn every_scene_and_robot_loads_and_compiles() {
    for file in builtin_files().iter().filter(|file| !file.starts_with("parts/")) {
        assert!(!builtin(file, &[]).spec.title.is_empty(), "{file} has no title");
    }
    for name in ["soccer", "scrum", "pile", "crowd", "open-loop", "figure-13", "maze", "playground"]
    {
        assert!(builtin_scenes().iter().any(|known| known == name), "{name}");
    }
    assert_eq!(
        builtin_presets(),
        [
            "car",
            "crawler",
            "disc",
            "fork",
            "minirobot-2001",
            "minirobot",
            "pioneer-bare",
            "pioneer-p3dx",
            "robot-one",
            "rover",
            "skid-steer",
            "vivi",
        ]
    );
}

#[test]
fn every_part_is_used_by_some_scene_or_robot() {
    let texts: String = builtin_files()
        .iter()
        .map(|file| {
            let path = format!("{}/../../../scenes/{file}", env!("CARGO_MANIFEST_DIR"));
            std::fs::read_to_string(path).unwrap()
        })
        .collect();
    for file in builtin_files().iter().filter(|file| file.starts_with("parts/")) {
        assert!(texts.contains(&format!("{file:?}")), "{file} is included nowhere");
    }
}

#[test]
fn an_argument_means_a_file_then_a_scene_then_a_robot() {
    for argument in ["soccer", "soccer.toml", "scenes/soccer", "scenes/soccer.toml"] {
        assert_eq!(Source::resolve(argument).unwrap(), Source::BuiltIn("soccer.toml".to_owned()));
    }
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../scenes/soccer.toml");
    assert_eq!(Source::resolve(file).unwrap(), Source::File(file.into()));
    assert_eq!(check(&Source::File(file.into()), &[]).unwrap().spec, builtin("soccer", &[]).spec);
    assert_eq!(builtin("minirobot-2001", &[]).spec.robots.len(), 1);
    let error = Source::resolve("socer").unwrap_err().to_string();
    assert_eq!(
        error,
        "socer: no such file, and no built-in scene; built-in scenes: car, crowd, figure-13, \
         flat, go-to, hall, hills, match, maze, navigation, open-loop, pile, pipe, playground, proving-ground, \
         realistic, road, scrum, soccer, things, watched; robots: car, crawler, disc, fork, minirobot-2001, minirobot, pioneer-bare, pioneer-p3dx, robot-one, rover, skid-steer, vivi \
         (did you mean \"soccer\"?)"
    );
}

#[test]
fn presets_equal_the_defaults_of_the_model() {
    let robot = |name| builtin(name, &[]).spec.robots[0].clone();
    assert_eq!(robot("minirobot").drive, DriveSpec::default());
    assert_eq!(robot("minirobot-2001").drive, DriveSpec::minirobot_2001());
    assert_eq!(robot("minirobot").shape, robot("minirobot-2001").shape);
    let rows = builtin("minirobot-2001", &[]).ledger;
    let inertia = rows.find("robot.0.drive.inertia").unwrap();
    assert_eq!((inertia.value.as_str(), inertia.unit), ("1.302e-5", "kg m2"));
    assert!(load(&Source::preset("unicycle"), &[]).is_err());
    // Without a preset, the drive is the default one too.
    let bare = text("[[robot]]\nshape = [{ kind = \"circle\", radius = 0.1 }]");
    assert_eq!(check(&bare, &[]).unwrap().spec.robots[0].drive, DriveSpec::default());
}

#[test]
fn a_fork_is_a_cube_with_two_prongs_at_their_poses() {
    let fork = builtin("fork", &[]).spec.robots[0].clone();
    assert_eq!(fork.drive, DriveSpec::default());
    let [PartSpec::Box { .. }, PartSpec::Polygon { vertices: up }, PartSpec::Polygon { .. }] =
        &fork.shape[..]
    else {
        panic!("{:?}", fork.shape)
    };
    assert_eq!(up[0], Vec2::new(0.0375, 0.0295 - 0.008));
    // What is given on the robot replaces its preset's outline, parts included; parts are added.
    let own = text(
        "[[robot]]\npreset = \"fork\"\nshape = [{ kind = \"circle\", radius = 0.1 }]\n\
         [[robot.part]]\ninclude = \"parts/bar.toml\"\npose = [0, 1, 90]",
    );
    let shape = check(&own, &[]).unwrap().spec.robots[0].shape.clone();
    let [PartSpec::Circle { .. }, PartSpec::Box { pose, .. }] = &shape[..] else {
        panic!("{shape:?}")
    };
    assert_eq!(pose.position, Vec2::new(0.0, 1.045));
}

#[test]
fn soccer_has_two_teams_in_their_halves_and_a_ball_in_the_centre() {
    let scene = builtin("soccer", &[]).spec;
    for robot in &scene.robots {
        let left = robot.pose.position.x < 0.0;
        assert_eq!(robot.team, if left { "blue" } else { "yellow" });
        assert_eq!(robot.pose.rotation.c, if left { 1.0 } else { -1.0 }, "{}", robot.name);
        assert_eq!(robot.driver, DriverSpec::Chaser { max_volts: 9.0, patience_s: 0.6 });
    }
    assert_eq!(scene.robots.iter().filter(|robot| robot.team == "blue").count(), 3);
    let ball = &scene.balls[0];
    assert_eq!((ball.position, ball.radius, ball.mass), (Vec2::ZERO, 0.02135, 0.046));
    assert_eq!(ball.friction, BallFriction::Rolling { mu_slide: 0.2, deceleration: 0.10 });
}

/// Whether a point lies in a wall.
fn in_wall(walls: &[WallSpec], p: Vec2) -> bool {
    walls.iter().any(|wall| match wall {
        WallSpec::Segment { from, to, thickness, .. } => {
            let along = (*to - *from).unit_or(Vec2::ZERO);
            let (s, off) = ((p - *from).dot(along), (p - *from).cross(along));
            (0.0..=(*to - *from).length()).contains(&s) && off.abs() <= 0.5 * thickness
        }
        WallSpec::Polygon { vertices, .. } => (0..vertices.len()).all(|i| {
            let (a, b) = (vertices[i], vertices[(i + 1) % vertices.len()]);
            (b - a).cross(p - a) >= 0.0
        }),
        WallSpec::Arc { .. } => false,
    })
}

#[test]
fn the_field_is_closed_and_as_large_as_the_rules_say() {
    let field = builtin("fields/mirosot", &[]).spec;
    // A point is free exactly where the rules leave room: field without corners, and goals.
    let free = |x: f64, y: f64| {
        let field = x.abs() < 0.75 && y.abs() < 0.65 && x.abs() + y.abs() < 0.75 + 0.65 - 0.07;
        field || (x.abs() < 0.85 && y.abs() < 0.2)
    };
    let outside = |x: f64, y: f64| {
        (x.abs() > 0.775 || y.abs() > 0.675) && (x.abs() > 0.875 || y.abs() > 0.225)
    };
    for i in -181..=181 {
        for j in -141..=141 {
            // 5 mm apart, and a little off the lines of the rules.
            let p = Vec2::new(0.005 * f64::from(i) + 0.0011, 0.005 * f64::from(j) + 0.0013);
            let expected = !free(p.x, p.y) && !outside(p.x, p.y);
            assert_eq!(in_wall(&field.walls, p), expected, "at {p:?}");
        }
    }
}

#[test]
fn goals_count_when_the_whole_ball_is_behind_the_line() {
    let field = builtin("fields/mirosot", &[]).spec;
    let [left, right] = &field.zones[..] else { panic!("two goals") };
    assert_eq!((left.scores_for.as_str(), left.kick_off), ("yellow", true));
    assert_eq!((right.scores_for.as_str(), right.kick_off), ("blue", true));
    assert!((left.max.x + 0.75 + 0.02135).abs() < 1e-12 && left.max.x == -right.min.x);
    let scrum = builtin("scrum", &[]).spec;
    assert!(scrum.zones.iter().all(|zone| !zone.kick_off));
}

#[test]
fn a_free_ball_mark_is_a_cross_in_each_quarter_and_a_penalty_mark_before_each_goal() {
    let mut crosses = std::collections::BTreeMap::new();
    let field = builtin("fields/mirosot.toml", &[]).spec;
    for marking in &field.markings {
        if let Course::Line { from, to } = marking.course
            && (to - from).length() < 0.05
        {
            let centre = (from + to) * 500.0;
            let material = marking.material.map(|id| field.materials[id.0 as usize].name.as_str());
            let place = (centre.x.round() as i32, centre.y.round() as i32);
            *crosses.entry((place, material)).or_insert(0) += 1;
        }
    }
    let grey = [(-375, -400), (-375, 400), (375, -400), (375, 400)]
        .map(|mm| ((mm, Some("field-free-ball-mark")), 2));
    let white = [(-375, 0), (375, 0)].map(|mm| ((mm, Some("field-line")), 2));
    let mut expected: Vec<_> = grey.into_iter().chain(white).collect();
    expected.sort();
    assert_eq!(crosses.into_iter().collect::<Vec<_>>(), expected);
}

#[test]
fn arcs_of_the_goal_areas_have_the_chord_and_height_of_the_rules() {
    let field = builtin("fields/mirosot", &[]).spec;
    let mut seen = 0;
    for marking in &field.markings {
        let Course::Arc { center, radius: 0.125, from_angle, to_angle } = marking.course else {
            continue;
        };
        let end = |angle| center + rolima_math::Rot2::from_angle(angle).x_axis() * 0.125;
        let (a, b) = (end(from_angle), end(to_angle));
        assert!(((b - a).length() - 0.2).abs() < 1e-12);
        assert!((a.x.abs() - 0.6).abs() < 1e-12 && (b.x.abs() - 0.6).abs() < 1e-12);
        let top = end(0.5 * (from_angle + to_angle));
        assert!((top.x.abs() - 0.55).abs() < 1e-12, "{top:?}");
        seen += 1;
    }
    assert_eq!(seen, 2);
}

#[test]
fn parts_turn_and_move_with_their_pose() {
    let scene = builtin("tests/turned-field", &[]).spec;
    let plain = builtin("fields/mirosot", &[]).spec;
    let moved = |p: Vec2| Vec2::new(1.0 - p.y, 2.0 + p.x);
    for (turned, straight) in scene.walls.iter().zip(&plain.walls) {
        match (turned, straight) {
            (WallSpec::Segment { from, .. }, WallSpec::Segment { from: old, .. }) => {
                assert_eq!(*from, moved(*old));
            }
            (WallSpec::Polygon { vertices, .. }, WallSpec::Polygon { vertices: old, .. }) => {
                assert_eq!(vertices[1], moved(old[1]));
            }
            other => panic!("{other:?}"),
        }
    }
    let zone = &scene.zones[0];
    assert_eq!(
        (zone.min, zone.max),
        (moved(Vec2::new(-0.85, 0.2)), moved(Vec2::new(-0.77135, -0.2)))
    );
    let two = builtin("tests/two-fields", &[]).spec;
    let names: Vec<_> = two.robots.iter().map(|r| (r.name.as_str(), r.team.as_str())).collect();
    assert_eq!(names, [("west.keeper", "blue"), ("east.keeper", "yellow")]);
    assert_eq!(two.robots[1].pose.position, Vec2::new(1.65, 0.0));
    assert_eq!(two.robots[1].pose.rotation.c, -1.0);
}

#[test]
fn a_rectangle_of_walls_is_closed_with_its_inner_faces_on_the_corners() {
    let scene =
        text("[[wall]]\nkind = \"rectangle\"\nmin = [-1, -2]\nmax = [3, 4]\nthickness = 0.5");
    let walls = check(&scene, &[]).unwrap().spec.walls;
    for (x, y, inside) in [
        (-0.999, -1.999, false),
        (2.999, 3.999, false),
        (-1.001, 0.0, true),
        (3.499, 4.499, true),
        (-1.499, -2.499, true),
        (3.499, -2.499, true),
        (-1.499, 4.499, true),
        (3.501, 0.0, false),
    ] {
        assert_eq!(in_wall(&walls, Vec2::new(x, y)), inside, "({x}, {y})");
    }
}

fn closest(robots: &[RobotSpec]) -> f64 {
    let mut least = f64::INFINITY;
    for (i, a) in robots.iter().enumerate() {
        for b in &robots[..i] {
            least = least.min((a.pose.position - b.pose.position).length());
        }
    }
    least
}

#[test]
fn a_crowd_fills_its_hall_to_the_wanted_share_without_overlap() {
    for robots in [1u32, 2, 10, 100] {
        let scene = builtin("crowd", &[&format!("robots={robots}")]).spec;
        assert_eq!(scene.robots.len(), robots as usize);
        let WallSpec::Segment { from, to, thickness, .. } = scene.walls[0] else {
            panic!("a wall")
        };
        let side = (to - from).length() - 2.0 * thickness;
        let share = f64::from(robots) * 0.075 * 0.075 / (side * side);
        assert!((share - 0.1).abs() < 1e-9, "{share}");
        assert!(closest(&scene.robots) > 0.075 * 1.4143);
        for robot in &scene.robots {
            let reach = robot.pose.position.x.abs().max(robot.pose.position.y.abs());
            assert!(reach + 0.0531 < 0.5 * side, "{reach} in a hall of {side}");
        }
    }
    let headings = |sets: &[&str]| builtin("crowd", sets).spec.robots[7].pose.rotation;
    assert_eq!(headings(&[]), headings(&[]));
    assert_ne!(headings(&[]), headings(&["swarm.0.seed=2"]));
}

#[test]
fn a_clump_is_as_tight_as_its_pitch() {
    let scene = builtin("crowd", &["robots=100", "layout=clump"]).spec;
    assert!((closest(&scene.robots) - 0.0765).abs() < 1e-12);
    let sum = scene.robots.iter().fold(Vec2::ZERO, |sum, robot| sum + robot.pose.position);
    assert!(sum.length() < 1e-9, "not at the centre: {sum:?}");
    assert!(scene.robots.iter().all(|robot| robot.pose.rotation.c == 1.0));
}

#[test]
fn a_robot_can_start_moving() {
    let scene = builtin("figure-13", &[]).spec;
    assert_eq!((scene.robots[0].velocity, scene.robots[0].omega), (0.5, 0.0));
    let turning = text("[[robot]]\npreset = \"minirobot\"\nomega_deg_s = 180");
    assert_eq!(load(&turning, &[]).unwrap().spec.robots[0].omega, std::f64::consts::PI);
}
