//! Pictures of a world: what stands where is seen where, and the same bits every time.

use rolima_math::{Hash64, Pose2, Stream, Vec2, tan};
use rolima_model::{BodyId, CameraSpec, Model, SensorKind};
use rolima_render::{
    Camera, CameraRenderer, CameraShot, FIRST_BODY, GROUND, Grain, Lens, MARKING, Pictures,
    Quality, Renderer, SKY, StagePose, WALL, camera_in_space, camera_of,
};
use rolima_scene::{Source, load};

const WORLD: &str = r##"
[[robot]]
preset = "robot-one"
[[wall]]
kind = "segment"
from = [8, -20]
to = [8, 20]
thickness = 0.2
height = 1.2
[[ball]]
position = [4, 1]
radius = 0.4
mass = 1
colour = "#2457d6"
[[object]]
pose = [4, -1.2, 0]
mass = 1
height = 0.8
[[object.shape]]
kind = "box"
size = [0.8, 0.8]
[[marking]]
kind = "line"
from = [1, 0]
to = [7, 0]
width = 0.3
colour = "#f5c400"
"##;

fn model(text: &str) -> Model {
    let source = Source::Text { name: "test".to_owned(), text: text.to_owned() };
    load(&source, &[]).expect("a good scene").compile().expect("a good scene")
}

struct Seen {
    rgb: Vec<u8>,
    objects: Vec<u32>,
    depth: Vec<f32>,
}

fn look(model: &Model, poses: &[Pose2], grain: Option<Grain>) -> Seen {
    let device =
        (0..model.devices.len()).find(|&d| camera_of(model, d).is_some()).expect("a camera");
    let (_, CameraSpec { pixels: [width, height], .. }) =
        camera_of(model, device).expect("a camera");
    let count = (width * height) as usize;
    let mut seen =
        Seen { rgb: vec![0; 3 * count], objects: vec![0; count], depth: vec![0.0; count] };
    let mut camera_renderer = CameraRenderer::new(model).expect("a camera");
    camera_renderer.place(poses, &[]);
    let pictures = Pictures {
        rgb: Some(&mut seen.rgb),
        objects: Some(&mut seen.objects),
        depth: Some(&mut seen.depth),
    };
    let shot = CameraShot { poses, grain, ..CameraShot::default() };
    camera_renderer.draw(model, device, &shot, pictures).expect("a camera");
    seen
}

fn homes(model: &Model) -> Vec<Pose2> {
    model.bodies().map(|body| body.home).collect()
}

#[test]
fn things_are_seen_where_they_stand() {
    let model = model(WORLD);
    let seen = look(&model, &homes(&model), None);
    let at = |x: usize, y: usize| y * 320 + x;
    // One robot, one ball, one cube, in this order.
    let object = |number| FIRST_BODY + model.body(BodyId(number)).expect("a body").slot;
    let (ball, cube) = (object(1), object(2));
    // The lens is at (0.2, 0, 0.55). A point d m away, l m to the left and u m above it is seen at
    // column 160 (1 - l/d/tan 30 deg) and row 120 (1 - u/d/tan 23.5 deg).
    let pixel = |d: f64, l: f64, u: f64| {
        let (tx, ty) = (tan(30f64.to_radians()), tan(23.5f64.to_radians()));
        at((160.0 * (1.0 - l / d / tx)) as usize, (120.0 * (1.0 - u / d / ty)) as usize)
    };
    assert_eq!(seen.objects[pixel(3.8, 1.0, -0.15)], ball);
    assert_eq!(seen.objects[pixel(3.8, -1.2, -0.15)], cube);
    assert_eq!(seen.objects[pixel(7.7, 0.0, 0.3)], WALL);
    assert_eq!(seen.objects[pixel(3.0, 0.0, -0.55)], MARKING);
    assert_eq!(seen.objects[pixel(3.0, 0.5, -0.55)], GROUND);
    assert_eq!(seen.objects[at(160, 5)], SKY);
    // The wall's face stands 7.7 m before the lens.
    assert!((seen.depth[pixel(7.7, 0.0, 0.3)] - 7.7).abs() < 0.01);
    let colour = |i: usize| [seen.rgb[3 * i], seen.rgb[3 * i + 1], seen.rgb[3 * i + 2]];
    let [r, g, b] = colour(pixel(3.0, 0.0, -0.55));
    assert!(r > 150 && g > 120 && b < 100, "yellow: {r} {g} {b}");
    let blue = (0..seen.objects.len()).filter(|&i| seen.objects[i] == ball);
    let blue: Vec<[u8; 3]> = blue.map(colour).filter(|c| c[2] > 2 * c[0]).collect();
    assert!(blue.len() > 100, "the ball has its colour: {}", blue.len());

    // The ball rolls away, the robot turns left by a quarter: neither ball nor wall in the middle.
    let mut poses = homes(&model);
    poses[1].position = Vec2::new(0.0, 5.0);
    poses[0] = Pose2::new(0.0, 0.0, std::f64::consts::FRAC_PI_2);
    let turned = look(&model, &poses, None);
    assert_eq!(turned.objects[pixel(4.8, 0.0, -0.15)], ball);
    assert!(!turned.objects.contains(&cube));
}

#[test]
fn a_robot_with_a_lens_below_its_lid_does_not_see_itself() {
    let inside = "[[robot.sensor]]\nkind = \"camera\"\nmount_height = 0.3\nmount = [0, 0]\n";
    let model = model(&WORLD.replace("[[wall]]", &format!("{inside}[[wall]]")));
    let seen = look(&model, &homes(&model), None);
    assert!(!seen.objects.contains(&FIRST_BODY));
    assert!(seen.objects.contains(&WALL));
}

#[test]
fn grain_has_its_deviation_and_every_picture_its_own() {
    let model = model(WORLD);
    let SensorKind::Camera(_) = model.devices[3].kind else { panic!() };
    let stream = Stream::new(1, 0, "camera");
    let grain = |number| Some(Grain { sigma: 4.0, stream, number });
    let clean = look(&model, &homes(&model), None);
    let [one, again, two] = [1, 1, 2].map(|n| look(&model, &homes(&model), grain(n)).rgb);
    assert_eq!(one, again);
    assert_ne!(one, two);
    // Away from black and white, where nothing is cut.
    let pairs = clean.rgb.iter().zip(&one).filter(|(c, _)| (40..215).contains(*c));
    let errors: Vec<f64> = pairs.map(|(c, n)| f64::from(*n) - f64::from(*c)).collect();
    let count = errors.len() as f64;
    let mean = errors.iter().sum::<f64>() / count;
    let sigma = (errors.iter().map(|e| (e - mean) * (e - mean)).sum::<f64>() / count).sqrt();
    assert!(errors.len() > 50_000 && mean.abs() < 0.1, "{mean}");
    // Rounding adds 1/12.
    assert!((sigma - (16.0f64 + 1.0 / 12.0).sqrt()).abs() < 0.1, "{sigma}");
}

/// Two vehicles on a slope that rises by 1 in 5 along x, with a road across it.
const SLOPE: &str = r##"
[ground]
kind = "expression"
size = [60, 60]
nodes = [61, 61]
z = "0.2 * x"
[[robot]]
preset = "skid-steer"
[[robot.sensor]]
kind = "camera"
mount = [0.2, 0]
mount_height = 0.6
[[robot]]
preset = "skid-steer"
pose = [4, 1, 90]
[[wall]]
kind = "segment"
from = [9, -8]
to = [9, 8]
thickness = 0.2
height = 1.0
[[marking]]
kind = "line"
from = [6, -8]
to = [6, 8]
width = 0.6
colour = "#6e6e70"
"##;

#[test]
fn on_a_slope_the_camera_tilts_with_its_vehicle_and_things_stand_on_the_ground() {
    let model = model(SLOPE);
    let device = (0..model.devices.len()).find(|&d| camera_of(&model, d).is_some()).unwrap();
    let (_, spec) = camera_of(&model, device).unwrap();
    let terrain = &model.spec.ground.as_ref().unwrap().terrain;
    let climb = -rolima_math::atan(0.2);
    let at = |x: f64, y: f64, yaw: f64| {
        let position = rolima_math::Vec3::new(x, y, terrain.height(x, y));
        let up = rolima_math::Quat::from_roll_pitch_yaw(0.0, climb, 0.0);
        let turn = rolima_math::Quat::from_roll_pitch_yaw(0.0, 0.0, yaw);
        rolima_math::Pose3 { position, rotation: up * turn }
    };
    let mut spatial = vec![at(0.0, 0.0, 0.0); model.body_count()];
    spatial[1] = at(4.0, 1.0, 1.57);
    let (planar, count) = (homes(&model), (spec.pixels[0] * spec.pixels[1]) as usize);
    let (mut objects, mut depth) = (vec![0; count], vec![0.0; count]);
    let mut camera_renderer = CameraRenderer::new(&model).unwrap();
    camera_renderer.place(&planar, &spatial);
    let pictures = Pictures { rgb: None, depth: Some(&mut depth), objects: Some(&mut objects) };
    let shot = CameraShot { poses: &planar, spatial: &spatial, ..CameraShot::default() };
    camera_renderer.draw(&model, device, &shot, pictures).unwrap();

    let camera = camera_in_space(spec, &StagePose::from(&spatial[0]));
    // A point of the world in the picture, and its depth.
    let pixel = |x: f64, y: f64, above: f64| {
        let p = [x, y, terrain.height(x, y) + above];
        let way = camera.pose.unrotate(std::array::from_fn(|i| p[i] - camera.pose.position[i]));
        let (tx, ty) = (tan(spec.opening[0] / 2.0), tan(spec.opening[1] / 2.0));
        let [width, height] = spec.pixels.map(f64::from);
        let column = 0.5 * width * (1.0 - way[1] / way[0] / tx);
        let row = 0.5 * height * (1.0 - way[2] / way[0] / ty);
        (row as usize * spec.pixels[0] as usize + column as usize, way[0])
    };
    let other = FIRST_BODY + model.body(BodyId(1)).expect("a vehicle").slot;
    let ride = model.spec.robots[1].vehicle.as_ref().unwrap().ride_height();
    for (x, y, above, object) in [
        (4.0, 1.0, ride, other),
        (6.0, -1.0, 0.0, MARKING),
        (6.1, -1.5, 0.0, MARKING),
        (6.7, -1.0, 0.0, GROUND),
        (5.0, -1.0, 0.0, GROUND),
        (8.9, -2.0, 0.1, WALL),
        (8.9, -2.0, 0.9, WALL),
        (8.9, -2.0, 1.2, SKY),
    ] {
        let (at, away) = pixel(x, y, above);
        assert_eq!(objects[at], object, "({x}, {y}), {above} m above the ground");
        if object == MARKING || object == GROUND {
            let off = (f64::from(depth[at]) - away).abs();
            assert!(off < 0.02 * away, "({x}, {y}): depth {} in place of {away}", depth[at]);
        }
    }
    // Below the middle of the other vehicle stands a wheel on the ground, not in it or above it.
    let wheel = &model.spec.robots[1].vehicle.as_ref().unwrap().wheels[0];
    let hub = StagePose::from(&spatial[1]).transform([
        wheel.position.x,
        wheel.position.y,
        wheel.position.z + ride,
    ]);
    let over = hub[2] - terrain.height(hub[0], hub[1]);
    assert!((over - wheel.radius).abs() < 0.1 * wheel.radius, "{over}");
    assert_eq!(objects[pixel(hub[0], hub[1], 0.5 * over).0], other);
    // The lens stands higher than the lid, but the vehicle does not see itself when it is below.
    assert!(!objects.contains(&FIRST_BODY));
}

#[test]
fn a_road_of_lines_and_arcs_has_no_slits_and_trees_have_trunks_of_wood() {
    let road = r##"
[ground]
kind = "flat"
size = [60, 60]
[[robot]]
preset = "skid-steer"
pose = [20, 20, 0]
[[marking]]
kind = "line"
from = [-9, 0]
to = [0, 0]
width = 3
colour = "#6e6e70"
[[marking]]
kind = "arc"
center = [0, 9]
radius = 9
from_deg = -90
to_deg = 0
width = 3
colour = "#6e6e70"
[[tree]]
at = [[4, -5]]
"##;
    let camera_renderer = CameraRenderer::new(&model(road)).unwrap();
    let lens = Lens { width: 700, height: 700, ..Lens::ROBOT_ONE }.with_square_pixels();
    let look = |pose: StagePose| {
        let camera = Camera { lens, pose, quality: Quality::default() };
        let (mut rgb, mut objects) = (vec![0; 3 * lens.pixels()], vec![0; lens.pixels()]);
        let pictures = Pictures { rgb: Some(&mut rgb), depth: None, objects: Some(&mut objects) };
        Renderer::new().draw(camera_renderer.stage(), &camera, pictures).unwrap();
        (rgb, objects)
    };
    // Straight down on the joint of line and arc; up in the picture is x, left is y.
    let down = StagePose::from_angles([0.0, 0.0, 4.0], 0.0, std::f64::consts::FRAC_PI_2, 0.0);
    let (_, objects) = look(down);
    let scale = 350.0 / tan(30f64.to_radians()) / 4.0;
    for along in -60..=60 {
        for across in -140..=140 {
            let (x, y) = (f64::from(along) * 0.01, f64::from(across) * 0.01);
            let at = (350.0 - scale * x) as usize * 700 + (350.0 - scale * y) as usize;
            assert_eq!(objects[at], MARKING, "at ({x}, {y})");
        }
    }
    // The trunk is brown, not of bricks: one colour a face.
    let (rgb, objects) = look(StagePose::upright(1.0, -5.0, 0.8, 0.0));
    let trunk = (0..objects.len()).filter(|&i| objects[i] == WALL);
    let colours: std::collections::BTreeSet<&[u8]> =
        trunk.map(|i| &rgb[3 * i..3 * i + 3]).collect();
    assert!((1..=8).contains(&colours.len()), "{} colours", colours.len());
    assert!(colours.iter().all(|c| c[0] > c[1] && c[1] > c[2]), "{colours:?}");
}

#[test]
fn every_built_in_scene_can_be_seen_and_the_maze_has_its_bits() {
    let mut hashes = String::new();
    for name in ["soccer", "playground", "maze"] {
        let camera = "[[robot.sensor]]\nkind = \"camera\"\n";
        let scene = load(&Source::resolve(name).unwrap(), &[]).unwrap();
        let mut spec = scene.spec;
        if spec.robots.iter().all(|robot| robot.sensors.is_empty()) {
            let given = model(&format!("[[robot]]\npreset = \"disc\"\n{camera}"));
            spec.robots[0].sensors = given.spec.robots[0].sensors.clone();
        }
        let model = Model::compile(&spec).unwrap();
        let seen = look(&model, &homes(&model), None);
        let mut hash = Hash64::default();
        seen.rgb.iter().for_each(|byte| hash.word(u64::from(*byte)));
        seen.depth.iter().for_each(|depth| hash.word(u64::from(depth.to_bits())));
        hashes += &format!("{name} {:016x}\n", hash.finish());
        assert!(seen.objects.contains(&GROUND) && seen.objects.contains(&SKY), "{name}");
    }
    // Mint anew with the line printed here, after looking at the pictures.
    let golden = include_str!("eyes.txt");
    assert_eq!(hashes, golden, "pictures of the built-in scenes changed");
}

/// Draws the first sensor of a world, a camera.
fn taken(model: &Model) -> (Seen, [u32; 2]) {
    (look(model, &homes(model), None), camera_of(model, 0).expect("a camera").1.pixels)
}

/// Pixels, column and row, of an object.
fn pixels_of(seen: &Seen, width: u32, object: u32) -> Vec<[f64; 2]> {
    let place = |i: usize| [i % width as usize, i / width as usize].map(|x| x as f64 + 0.5);
    let own = (0..seen.objects.len()).filter(|&i| seen.objects[i] == object);
    own.map(place).collect()
}

#[test]
fn an_overhead_camera_sees_balls_and_corners_at_the_pixels_of_the_pinhole() {
    // Looks straight down from 3 m, +y up in the picture.
    let text = r##"
[[sensor]]
kind = "camera"
position = [0.5, -0.25, 3]
heading_deg = 90
tilt_deg = 90
width = 640
height = 480
opening_deg = [70, 55]
[[ball]]
position = [1.6, 0.5]
radius = 0.1
mass = 1
[[object]]
pose = [-0.4, 0.45, 40]
mass = 1
height = 0.5
[[object.shape]]
kind = "box"
size = [0.5, 0.3]
[[robot]]
preset = "minirobot"
pose = [1.1, -1.1, 20]
"##;
    let model = model(text);
    let (seen, [width, height]) = taken(&model);
    let object = |number| FIRST_BODY + model.body(BodyId(number)).expect("a body").slot;
    let pixel = |x: f64, y: f64, z: f64| {
        let (tx, ty) = (tan(35f64.to_radians()), tan(27.5f64.to_radians()));
        let depth = 3.0 - z;
        let column = 0.5 * f64::from(width) * (1.0 + (x - 0.5) / depth / tx);
        [column, 0.5 * f64::from(height) * (1.0 - (y + 0.25) / depth / ty)]
    };
    // The middle of what is seen of a ball, 0.1 m above the ground.
    let ball = pixels_of(&seen, width, object(1));
    let count = ball.len() as f64;
    let middle = [0, 1].map(|axis| ball.iter().map(|at| at[axis]).sum::<f64>() / count);
    let [column, row] = pixel(1.6, 0.5, 0.1);
    assert!((middle[0] - column).abs() < 1.0 && (middle[1] - row).abs() < 1.0, "{middle:?}");
    // The corners of lids lie farthest out: the box stands to the left and above, the robot below.
    let corner = |body: u32, along: f64, across: f64, z: f64| {
        let at = model.body(BodyId(body)).unwrap().home.transform(Vec2::new(along, across));
        pixel(at.x, at.y, z)
    };
    let boxes = pixels_of(&seen, width, object(2));
    // The outer edge of the outermost pixel.
    let extreme = |pixels: &[[f64; 2]], axis: usize, sign: f64| {
        (pixels.iter().map(|at| sign * at[axis]).fold(f64::NEG_INFINITY, f64::max) + 0.5) * sign
    };
    let leftmost = extreme(&boxes, 0, -1.0);
    assert!((leftmost - corner(2, -0.25, 0.15, 0.5)[0]).abs() < 1.0, "{leftmost}");
    let topmost = extreme(&boxes, 1, -1.0);
    assert!((topmost - corner(2, 0.25, 0.15, 0.5)[1]).abs() < 1.0, "{topmost}");
    let robot = pixels_of(&seen, width, object(0));
    let lid = model.body(BodyId(0)).unwrap().height;
    let lowest = extreme(&robot, 1, 1.0);
    assert!((lowest - corner(0, -0.0375, -0.0375, lid)[1]).abs() < 1.0, "{lowest}");
}

#[test]
fn a_camera_of_the_world_looks_where_heading_tilt_and_roll_say() {
    for [heading, tilt, roll] in [[20.0, 15.0, 0.0], [-130.0, 40.0, 10.0], [95.0, 5.0, -30.0]] {
        let angles = [heading, tilt, roll].map(f64::to_radians);
        let [(sh, ch), (st, ct), (sr, cr)] = angles.map(rolima_math::sin_cos);
        // A point so far ahead, to the left and up in the camera's own frame, in the world.
        let place = |x: f64, y: f64, z: f64| {
            let (y, z) = (y * cr - z * sr, y * sr + z * cr);
            let (x, z) = (x * ct + z * st, z * ct - x * st);
            [1.0 + ch * x - sh * y, -2.0 + sh * x + ch * y, 2.5 + z]
        };
        // A ball on the ground that is somewhat off the optical axis.
        let own = |x: f64| [x, 0.05 * x, -0.1 * x];
        let height = |x: f64| place(own(x)[0], own(x)[1], own(x)[2])[2];
        let (mut near, mut far) = (0.1, 100.0);
        for _ in 0..100 {
            let middle = 0.5 * (near + far);
            if height(middle) > 0.05 { near = middle } else { far = middle }
        }
        let [x, y, _] = place(own(near)[0], own(near)[1], own(near)[2]);
        let text = format!(
            "[[sensor]]\nkind = \"camera\"\nposition = [1, -2, 2.5]\nheading_deg = {heading}\n\
             tilt_deg = {tilt}\nroll_deg = {roll}\nwidth = 640\nheight = 480\n\
             [[ball]]\nposition = [{x}, {y}]\nradius = 0.05\nmass = 1\n"
        );
        let model = model(&text);
        let (seen, [width, _]) = taken(&model);
        let ball = pixels_of(&seen, width, FIRST_BODY + model.body(BodyId(0)).unwrap().slot);
        assert!(!ball.is_empty(), "{heading} {tilt} {roll}");
        let count = ball.len() as f64;
        let middle = [0, 1].map(|axis| ball.iter().map(|at| at[axis]).sum::<f64>() / count);
        let (tx, ty) = (tan(30f64.to_radians()), tan(23.5f64.to_radians()));
        let expected = [320.0 * (1.0 - 0.05 / tx), 240.0 * (1.0 + 0.1 / ty)];
        let off = [0, 1].map(|axis| (middle[axis] - expected[axis]).abs());
        assert!(off[0] < 1.0 && off[1] < 1.0, "{middle:?} against {expected:?}");
    }
}

#[test]
fn the_overhead_camera_of_the_scene_watched_sees_all_of_the_field_and_draws_the_same_bits() {
    let source = Source::BuiltIn("watched.toml".to_owned());
    let model = load(&source, &[]).expect("built in").compile().expect("a good scene");
    let (seen, [width, height]) = taken(&model);
    // Walls all around, and ground outside of them in every corner.
    let at = |column: u32, row: u32| seen.objects[(row * width + column) as usize];
    for (column, row) in [(0, 0), (width - 1, 0), (0, height - 1), (width - 1, height - 1)] {
        assert_eq!(at(column, row), GROUND, "{column}, {row}");
    }
    let walls = pixels_of(&seen, width, WALL);
    let inside = |at: &[f64; 2]| {
        (1.0..f64::from(width) - 1.0).contains(&at[0])
            && (1.0..f64::from(height) - 1.0).contains(&at[1])
    };
    assert!(walls.len() > 1000 && walls.iter().all(inside));
    for body in model.bodies() {
        assert!(seen.objects.contains(&(FIRST_BODY + body.slot)));
    }
    assert!(taken(&model).0.rgb == seen.rgb);
}
