//! `[[map]]`: mazes from text maps and pictures in scenes.

use crate::common;

use common::{builtin, check, text};
use rolima_map::{Element, Map, parse};
use rolima_math::Vec2;
use rolima_model::{Course, DriverSpec, PartSpec, RobotSpec, WallSpec};
use rolima_scene::{MapStyle, Source, load, load_map, load_map_in, map_parts};
use rolima_testing::Folder;

/// A mesh of one triangle.
const TRIANGLE: &[u8] = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// A folder of its own for a test, with files in it.
fn folder(name: &str, files: &[(&str, &[u8])]) -> Folder {
    let folder = Folder::new(&format!("maps-{name}"));
    for (file, bytes) in files {
        std::fs::write(folder.join(file), bytes).expect("a folder to write to");
    }
    folder
}

/// What is wrong with a scene file in a folder, without the folder's name.
fn errors(folder: &std::path::Path, scene: &str) -> String {
    std::fs::write(folder.join("s.toml"), scene).expect("a folder to write to");
    let error =
        check(&Source::File(folder.join("s.toml")), &[]).expect_err("a bad scene").to_string();
    error.replace(&format!("{}/", folder.display()), "")
}

fn near(a: Vec2, b: Vec2) -> bool {
    (a - b).length() < 1e-9
}

#[test]
fn the_thesis_maze_has_its_nine_walls_with_closed_corners_and_its_robot() {
    let scene = builtin("maze", &[]);
    assert_eq!(scene.spec.walls.len(), 9);
    let WallSpec::Segment { from, to, thickness, height } = scene.spec.walls[0] else { panic!() };
    assert_eq!((thickness, height), (0.2, 2.0));
    // Half a thickness longer at both corners, so that no notch is left.
    assert!(
        near(from, Vec2::new(-20.1, -20.0)) && near(to, Vec2::new(20.1, -20.0)),
        "{from:?} {to:?}"
    );
    // Ends on the side of another wall stay where they are; only ends that meet ends move.
    let WallSpec::Segment { from, to, .. } = scene.spec.walls[4] else { panic!() };
    assert!(near(from, Vec2::new(-20.0, -12.0)) && near(to, Vec2::new(-11.9, -12.0)));
    assert_eq!(scene.spec.robots.len(), 1);
    assert_eq!(scene.spec.robots[0].name, "robot");
    let row = scene.ledger.find("map.0.wall_thickness").unwrap();
    assert_eq!((row.value.as_str(), row.unit), ("0.2", "m"));
    let thick = builtin("maze", &["map.0.wall_thickness=0.5", "robot=disc"]);
    assert!(matches!(thick.spec.walls[0], WallSpec::Segment { thickness: 0.5, .. }));
    assert!(matches!(thick.spec.robots[0].shape[0], PartSpec::Circle { .. }));
}

#[test]
fn every_element_becomes_its_part_of_the_scene() {
    let map =
        "R 1 2 0.5\nR 3 2\nW 0 0 4 0\nW 5 5\nL 0 0 0 1\nB 2 2 0.6\nC -2 1 0.5\nO 1 1 a.obj 1 2\n";
    let folder = folder("all", &[("m.txt", map.as_bytes()), ("a.obj", TRIANGLE)]);
    let scene = "[[map]]\nname = \"west\"\nfile = \"m.txt\"\npose = [10, 0, 90]\n\
                 cube_mass = 3\nrobot = { preset = \"disc\", name = \"bot\", team = \"blue\" }\n";
    std::fs::write(folder.join("s.toml"), scene).unwrap();
    let scene = check(&Source::File(folder.join("s.toml")), &[]).unwrap();
    let spec = &scene.spec;
    let names: Vec<&str> = spec.robots.iter().map(|robot| robot.name.as_str()).collect();
    assert_eq!(names, ["west.bot", "west.bot-2"]);
    assert!(near(spec.robots[0].pose.position, Vec2::new(8.0, 1.0)));
    let turned = spec.robots[0].pose.theta() - 0.5 - core::f64::consts::FRAC_PI_2;
    assert!(turned.abs() < 1e-12 && spec.robots[0].team == "blue");
    let WallSpec::Segment { from, to, .. } = spec.walls[0] else { panic!() };
    assert!(near(from, Vec2::new(10.0, 0.0)) && near(to, Vec2::new(10.0, 4.0)));
    let WallSpec::Polygon { vertices, .. } = &spec.walls[1] else { panic!() };
    assert!(near(vertices[0], Vec2::new(5.5, 4.5)) && vertices.len() == 4);
    assert!(
        matches!(spec.markings[0].course, Course::Line { to, .. } if near(to, Vec2::new(9.0, 0.0)))
    );
    assert_eq!(
        (spec.balls[0].name.as_str(), spec.balls[0].radius, spec.balls[0].mass),
        ("west.ball", 0.3, 1.0)
    );
    assert_eq!((spec.objects[0].name.as_str(), spec.objects[0].mass), ("west.cube", 3.0));
    assert_eq!(spec.objects[0].ground_friction, 0.4);
    assert_eq!((spec.meshes[0].name.as_str(), spec.meshes[0].scale), ("a.obj", [2.0; 3]));
    assert!(spec.meshes[0].obj.contains("f 1 2 3"));
    // A mesh that does not parse, and one that is not there.
    for (obj, expected) in
        [("v 0 0\n", "a.obj:1: expected three finite coordinates"), ("", "expected")]
    {
        let path = folder.join("a.obj");
        if obj.is_empty() {
            std::fs::remove_file(path).unwrap();
        } else {
            std::fs::write(path, obj).unwrap();
        }
        let error = check(&Source::File(folder.join("s.toml")), &[]).unwrap_err().to_string();
        assert!(error.contains(expected) && error.contains("a.obj"), "{error}");
    }
}

#[test]
fn meshes_are_found_whichever_way_the_slashes_lean() {
    let folder =
        folder("slashes", &[("m.txt", b"O 1 1 things\\small\\a.obj\nO 2 2 things/small/a.obj\n")]);
    std::fs::create_dir_all(folder.join("things/small")).unwrap();
    std::fs::write(folder.join("things/small/a.obj"), TRIANGLE).unwrap();
    std::fs::write(folder.join("s.toml"), "[[map]]\nfile = \"m.txt\"\n").unwrap();
    let scene = check(&Source::File(folder.join("s.toml")), &[]).unwrap();
    assert_eq!(scene.spec.meshes.len(), 2);
    let map = parse("m", &std::fs::read_to_string(folder.join("m.txt")).unwrap()).unwrap();
    let given = load_map_in(&map, Some(folder.path()), &[]).unwrap();
    assert_eq!(given.spec.meshes.len(), 2);
    assert_eq!(given.spec.meshes[0].obj, given.spec.meshes[1].obj);
}

/// Viewers get meshes: a map that somebody else wrote must not send them the host's files.
#[test]
fn a_map_names_only_meshes_beside_it_and_only_their_geometry_goes_on() {
    let secret = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n# the key is 4711\n";
    let folder = folder("confined", &[("a.obj", secret)]);
    std::fs::create_dir_all(folder.join("maps")).unwrap();
    std::fs::write(folder.join("maps/b.obj"), secret).unwrap();
    std::fs::write(folder.join("s.toml"), "[[map]]\nfile = \"maps/m.txt\"\n").unwrap();
    let absolute = folder.join("a.obj").display().to_string();
    for path in [absolute.as_str(), "../a.obj", "..\\a.obj", "x/../../a.obj", "C:\\a.obj"] {
        let text = format!("O 1 1 {path}\n");
        std::fs::write(folder.join("maps/m.txt"), &text).unwrap();
        let map = parse("m", &text).unwrap();
        let named = check(&Source::File(folder.join("s.toml")), &[]).unwrap_err();
        let given = load_map_in(&map, Some(&folder.join("maps")), &[]).unwrap_err();
        for error in [named.to_string(), given.to_string()] {
            let expected = "expected meshes in files beside the map or in folders below it";
            assert!(error.contains(expected) && !error.contains("4711"), "{path}: {error}");
        }
    }
    std::fs::write(folder.join("maps/m.txt"), "O 1 1 b.obj\n").unwrap();
    let scene = check(&Source::File(folder.join("s.toml")), &[]).unwrap();
    assert_eq!(&*scene.spec.meshes[0].obj, str::from_utf8(TRIANGLE).unwrap());
}

#[test]
fn a_map_in_memory_becomes_a_scene() {
    let map = parse("m", "W 0 0 1 0\nR 0.5 0.5\n").unwrap();
    let scene = load_map(&map, &[]).unwrap();
    assert_eq!((scene.spec.walls.len(), scene.spec.robots.len()), (1, 1));
    let disc = load_map(&map, &["robot=disc".to_owned()]).unwrap();
    assert!(matches!(disc.spec.robots[0].shape[0], PartSpec::Circle { .. }));
    assert!(load_map(&map, &["robot=unicycle".to_owned()]).is_err());
    // By that name only, and only there.
    let error = check(&text("[[map]]\nfile = \"given-map\""), &[]).unwrap_err().to_string();
    assert!(error.contains("expected a file beside the including one"), "{error}");
}

#[test]
fn what_is_set_reaches_the_robots_of_a_map() {
    let map = parse("m", "R 0 0\nR 3 0\n").unwrap();
    let speeds = |sets: &[&str]| {
        let sets: Vec<String> = sets.iter().map(|set| (*set).to_owned()).collect();
        let scene = load_map(&map, &sets).map_err(|error| error.to_string())?;
        let speed = |robot: &RobotSpec| robot.servo.expect("it has one").max_speed;
        Ok::<Vec<f64>, String>(scene.spec.robots.iter().map(speed).collect())
    };
    assert_eq!(speeds(&[]).unwrap(), [4.0; 2]);
    assert_eq!(speeds(&["robot.*.servo.max_speed=2"]).unwrap(), [2.0; 2]);
    assert_eq!(speeds(&["robot.1.servo.max_speed=2"]).unwrap(), [4.0, 2.0]);
    assert_eq!(speeds(&["robot.robot-2.servo.max_speed=2"]).unwrap(), [4.0, 2.0]);
    // Later ones win, whatever they mean robots by.
    let sets = ["robot.1.servo.max_speed=2", "robot.*.servo.max_speed=3"];
    assert_eq!(speeds(&sets).unwrap(), [3.0; 2]);
    let sets = ["robot.*.servo.max_speed=3", "robot.robot.servo.max_speed=1"];
    assert_eq!(speeds(&sets).unwrap(), [1.0, 3.0]);
    // A driver, and another key of the scene.
    let sets = ["driver=random", "sim.step_s=0.002"];
    let scene = load_map(&map, &sets.map(str::to_owned)).unwrap();
    assert_eq!(scene.spec.sim.step_s, 0.002);
    assert!(matches!(scene.spec.robots[1].driver, DriverSpec::Random { .. }));
    assert_eq!(
        speeds(&["robot.2.servo.max_speed=2"]).unwrap_err(),
        "--set robot.2.servo.max_speed=2: robot.2: expected a name (\"robot\", \"robot-2\"), a number \
         from 0 to 1 or *, got \"2\""
    );
    assert!(
        speeds(&["robot.0.servo.max_sped=2"]).unwrap_err().contains("did you mean \"max_speed\"")
    );
    let empty = parse("m", "W 0 0 1 0\n").unwrap();
    let error = load_map(&empty, &["robot.*.team=blue".to_owned()]).unwrap_err().to_string();
    assert!(error.contains("a robot, of which the map has none"), "{error}");
}

#[test]
fn what_is_set_reaches_the_lists_of_a_preset_with_a_map_as_without() {
    let map = parse("m", "R 0 0\n").unwrap();
    let alone = Source::preset("robot-one");
    let sets = ["robot.0.sensor.2.sigma=0.25", "robot.*.sensor.*.rate_hz=7"];
    let keys = ["sensor.2.sigma", "sensor.0.rate_hz", "sensor.3.rate_hz"];
    let plain = check(&alone, &sets).unwrap();
    let maze = load_map(&map, &sets.map(str::to_owned)).unwrap();
    for key in keys {
        let value = |scene: &rolima_scene::Scene, robot: &str| {
            scene.ledger.find(&format!("{robot}.{key}")).map(|row| row.value.clone())
        };
        let expected = if key.ends_with("sigma") { "0.25" } else { "7" };
        assert_eq!(value(&plain, "robot.0").as_deref(), Some(expected), "{key}");
        assert_eq!(value(&maze, "map.0.robot.0").as_deref(), Some(expected), "{key}");
    }
    // The others are as they were.
    let none: [String; 0] = [];
    let before = load_map(&map, &none).unwrap();
    let key = "map.0.robot.0.sensor.0.sigma_x";
    let value = |scene: &rolima_scene::Scene| scene.ledger.find(key).map(|row| row.value.clone());
    assert!(value(&maze).is_some() && value(&maze) == value(&before));
    // What is wrong is told in both.
    let wrong = "robot.0.sensor.9.sigma=1";
    for error in [
        check(&alone, &[wrong]).unwrap_err().to_string(),
        load_map(&map, &[wrong.to_owned()]).unwrap_err().to_string(),
    ] {
        assert!(error.contains("sensor.9: expected a number from 0 to 3 or *"), "{error}");
    }
}

#[test]
fn notes_of_a_picture_reach_the_scene_that_names_it() {
    let folder = folder("notes", &[]);
    let (width, height) = (80_u32, 40_u32);
    let mut pixels = vec![255_u8; (width * height) as usize];
    // A wall, and a dot of two pixels.
    (10..70).for_each(|x| (20..23).for_each(|y| pixels[(y * width + x) as usize] = 0));
    pixels[(5 * width + 40) as usize] = 0;
    pixels[(5 * width + 41) as usize] = 0;
    let file = std::fs::File::create(folder.join("maze.png")).unwrap();
    let mut encoder = png::Encoder::new(file, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    // Named twice, told once.
    let text = "[[map]]\nfile = \"maze.png\"\n[[map]]\nfile = \"maze.png\"\npose = [100, 0, 0]\n";
    std::fs::write(folder.join("s.toml"), text).unwrap();
    let scene = check(&Source::File(folder.join("s.toml")), &[]).unwrap();
    let [size, left] = &scene.notes[..] else { panic!("{:?}", scene.notes) };
    assert!(size.contains("maze.png: no size was given") && size.ends_with("; size gives another"));
    assert!(left.contains("maze.png: black ink was left out: 2 px at (7.25, -0.5) m"), "{left}");
    assert_eq!(builtin("maze", &[]).notes, Vec::<String>::new());
}

#[test]
fn errors_name_the_map_and_its_line_or_the_key() {
    let folder = folder(
        "bad",
        &[("bad.txt", b"W 0 0\nW 1 2 3\nQ"), ("good.txt", b"R 0 0"), ("cut.png", b"\x89PNG\r\n")],
    );
    assert_eq!(
        errors(&folder, "[[map]]\nfile = \"bad.txt\""),
        "bad.txt:2:8: expected 4 fields or more: W x1 y1 x2 y2, or W x y, got something else\n\
         bad.txt:3:1: expected an element: R, W, L, B, C or O, got something else"
    );
    assert!(
        errors(&folder, "[[map]]\nfile = \"cut.png\"")
            .starts_with("cut.png: expected a whole PNG picture")
    );
    assert_eq!(
        errors(&folder, "[[map]]\nfile = \"good.txt\"\nsize = [1, 2]"),
        "good.txt: expected no size, as a text map says its own coordinates, got one"
    );
    assert_eq!(
        errors(&folder, "[[map]]\nfile = \"good.txt\"\nsize = [0, 2]\nwal_height = 1"),
        "s.toml:4: map.0.wal_height: expected one of file, size, pose, name, robot, wall_thickness, \
         wall_height, line_width, ball_mass, cube_mass, ground_friction, got the unknown key \"wal_height\" (did \
         you mean \"wall_height\"?)\n\
         s.toml:3: map.0.size: expected a positive width and height (m), got [0, 2]"
    );
    assert_eq!(
        errors(&folder, "[[map]]\nfile = \"none.txt\""),
        "s.toml:2: map.0.file: expected a file beside the including one, or a built-in one, got \"none.txt\""
    );
    assert_eq!(
        errors(
            &folder,
            "[[map]]\nfile = \"good.txt\"\nrobot = { preset = \"disc\", pose = [1, 2, 3] }"
        ),
        "s.toml:3: map.0.robot.pose: expected no pose, as it comes from the map, got [1, 2, 3]"
    );
    assert_eq!(
        errors(&folder, "[[map]]\nfile = \"good.txt\"\nrobot = { preset = \"unicycle\" }")
            .lines()
            .count(),
        1
    );
    assert!(errors(&folder, "[[map]]\n").contains("map.0.file: expected a text, got nothing"));
}

#[test]
fn walls_that_meet_at_their_ends_close_the_corner_whatever_the_angle() {
    let ends = |text: &str| {
        let parts = map_parts(&parse("m", text).unwrap(), &MapStyle::default());
        let WallSpec::Segment { from, to, .. } = parts.walls[0] else { panic!() };
        (from, to)
    };
    // Straight on: nothing to close. Square: half a thickness. Sharp: no more than that.
    assert!(near(ends("W 0 0 1 0\nW 1 0 2 0").1, Vec2::new(1.0, 0.0)));
    assert!(near(ends("W 0 0 1 0\nW 1 0 1 5").1, Vec2::new(1.1, 0.0)));
    assert!(near(ends("W 0 0 1 0\nW 1 0 0 0.1").1, Vec2::new(1.1, 0.0)));
    // A turn by 2 atan(1/2): the outer faces meet at a tenth times one half.
    assert!(near(ends("W 0 0 1 0\nW 1 0 4 4").1, Vec2::new(1.05, 0.0)));
    assert!(near(ends("W 0 0 1 0\nW 1 -1 1 1").1, Vec2::new(1.0, 0.0)));
    let doubled =
        Map { elements: vec![Element::Wall { from: Vec2::ZERO, to: Vec2::new(1.0, 0.0) }; 2] };
    assert_eq!(map_parts(&doubled, &MapStyle::default()).walls.len(), 2);
}

#[test]
fn a_scene_that_is_one_map_and_nothing_else_has_it() {
    let of = |text: &str| {
        let source = Source::Text { name: "s".to_owned(), text: text.to_owned() };
        load(&source, &[]).unwrap().map.map(|map| map.to_string())
    };
    let maze = load(&Source::resolve("maze").unwrap(), &[]).unwrap().map.unwrap();
    assert_eq!(maze.elements.len(), 10);
    let map = "[[map]]\nfile = \"maps/thesis.txt\"\n";
    assert_eq!(of(map), Some(maze.to_string()));
    assert_eq!(of(&format!("{map}{map}")), None);
    assert_eq!(of(&format!("{map}pose = [1, 0, 0]\n")), None);
    assert_eq!(of(&format!("{map}[[ball]]\nposition = [1, 2]\n")), None);
    assert_eq!(of(""), None);
    let given = parse("m", "R 1 2 0.5\nO 1 2 a.obj\nW 3 4\nL 1 1 2 2\nB 5 5\nC 6 6\n").unwrap();
    assert_eq!(load_map(&given, &[]).unwrap().map, Some(given));
}

#[test]
fn meshes_are_bounded_by_all_their_bytes_as_often_as_they_are_placed() {
    // One triangle and 3 MiB of comments, placed 20 and 30 times: 60 and 90 MiB.
    let mut large = TRIANGLE.to_vec();
    large.resize(3 << 20, b'\n');
    let folder = folder("large", &[("large.obj", &large)]);
    for (count, is_good) in [(20, true), (30, false)] {
        let map = "O 1 2 large.obj\n".repeat(count);
        std::fs::write(folder.join("m.txt"), map).expect("a folder to write to");
        let scene = "[[map]]\nfile = \"m.txt\"\n";
        if is_good {
            std::fs::write(folder.join("s.toml"), scene).expect("a folder to write to");
            let scene = load(&Source::File(folder.join("s.toml")), &[]).expect("a good scene");
            assert_eq!(scene.spec.meshes.len(), count);
        } else {
            let told = errors(&folder, scene);
            assert_eq!(told.lines().count(), 1, "{told}");
            assert!(
                told.contains("map.0.file: expected meshes of at most 64 MiB in all"),
                "{told}"
            );
        }
    }
}
