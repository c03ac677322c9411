//! Pictures whose every bit is tested, here and on wasm32.

use super::hills_bench_scene;
use super::maze::{look, maze, place};
use super::road::road;
use crate::{
    Camera, CameraRenderer, CameraShot, Grain, Lens, Pictures, Quality, Renderer, Stage, StageBody,
    StageError, StagePose,
};
use rolima_math::{Hash64, Pose2, Stream, Vec2};
use rolima_model::{
    BallSpec, CameraSpec, Course, DriveSpec, DriverSpec, GroundPicture, GroundSpec, GroundTexture,
    MarkingSpec, Model, ObjectSpec, PartSpec, RobotLook, RobotSpec, SceneSpec, SensorKind,
    SensorSpec, VehicleSpec, WallSpec, planar_drive, planar_outline,
};
use rolima_spatial::{Hills, Terrain};

/// The goldens' names.
pub const GOLDENS: [&str; 8] =
    ["maze", "road", "nice", "tilted", "world", "hills", "rough", "textured"];

/// Hash of `count` pictures of a golden: colours, depth and objects. 0 for names that do not exist,
/// and for stages that cannot be built.
pub fn golden(name: &str, count: u32) -> u64 {
    hash_of(name, count).unwrap_or(0)
}

fn hash_of(name: &str, count: u32) -> Result<u64, StageError> {
    match name {
        "world" => return world(count),
        "hills" => return over_hills(count),
        "rough" => return rough(&rough_world(None), count),
        "textured" => return rough(&rough_world(Some(lopsided())), count),
        _ => {}
    }
    let mut stage = if name == "road" { road(1)? } else { maze(1, 16, 20)? };
    let mut random = Stream::new(2, 0, name);
    let mut renderer = Renderer::new();
    let mut hash = Hash64::default();
    for i in 0..count {
        let Some(camera) = camera(name, i, &mut random) else { return Ok(0) };
        if name != "road" {
            let pose = |body| place(1, 16, body, f64::from(i));
            (0..20).for_each(|body| stage.set_pose(StageBody(body), pose(body)));
        }
        take_in(&mut renderer, &stage, &camera, &mut hash);
    }
    Ok(hash.finish())
}

/// Along a road over hills: plain, with shadows, and from above with smooth edges.
fn over_hills(count: u32) -> Result<u64, StageError> {
    let (stage, cameras) = hills_bench_scene(1)?;
    let (mut renderer, mut hash) = (Renderer::new(), Hash64::default());
    for i in 0..count {
        let mut camera = cameras[(7 * i as usize) % cameras.len()];
        camera.quality = Quality { supersample: i % 3 == 2, shadows: i % 3 > 0 };
        if i % 3 == 2 {
            let [x, y, z] = camera.pose.position;
            let turn = 0.5 * f64::from(i);
            camera.pose = StagePose::from_angles([x, y, z + 5.0], turn, 0.4, 0.2);
            camera.lens = Lens { width: 131, height: 97, ..camera.lens };
        }
        take_in(&mut renderer, &stage, &camera, &mut hash);
    }
    Ok(hash.finish())
}

/// What a vehicle on hills sees of another one, tilted and rolling.
fn rough(model: &Model, count: u32) -> Result<u64, StageError> {
    let mut camera_renderer = CameraRenderer::new(model)?;
    let planar = vec![Pose2::IDENTITY; model.body_count()];
    let mut hash = Hash64::default();
    for number in 1..=count {
        let t = 0.2 * f64::from(number);
        let place = |x: f64, y: f64, roll: f64, pitch: f64, yaw: f64| {
            let ground = model.spec.ground.as_ref().map_or(0.0, |g| g.terrain.height(x, y));
            let position = rolima_math::Vec3::new(x, y, ground + 0.02);
            let rotation = rolima_math::Quat::from_roll_pitch_yaw(roll, pitch, yaw);
            rolima_math::Pose3 { position, rotation }
        };
        let mut spatial = vec![place(0.0, 0.0, 0.05 * t, 0.03 * t, 0.1 * t); model.body_count()];
        for body in model.bodies().filter(|body| body.id.0 > 0) {
            let along = 2.0 + 0.8 * f64::from(body.slot);
            spatial[body.id.index()] = place(along, 0.5 - 0.2 * t, -0.2, 0.1 * t, t);
        }
        camera_renderer.place(&planar, &spatial);
        let pixels = Lens::ROBOT_ONE.pixels();
        let (mut rgb, mut objects) = (vec![0; 3 * pixels], vec![0; pixels]);
        let pictures = Pictures { rgb: Some(&mut rgb), depth: None, objects: Some(&mut objects) };
        let shot = CameraShot { poses: &planar, spatial: &spatial, ..CameraShot::default() };
        if camera_renderer.draw(model, 0, &shot, pictures).is_err() {
            hash.word(0);
        }
        rgb.iter().for_each(|&byte| hash.word(u64::from(byte)));
        objects.iter().for_each(|&object| hash.word(u64::from(object)));
    }
    Ok(hash.finish())
}

/// A picture that no turn and no mirror leaves as it is, wider than high.
fn lopsided() -> GroundTexture {
    let (width, height) = (48, 32);
    let pixel = |at: usize| {
        let (x, y) = (at % width, at / width);
        [(5 * x) as u8, (7 * y) as u8, if x + 2 * y < 40 { 200 } else { 40 }]
    };
    let rgb = (0..width * height).flat_map(pixel).collect();
    let picture = std::sync::Arc::new(GroundPicture { width, height, rgb });
    GroundTexture { name: "lopsided".to_owned(), picture, size: [1.5, 1.0] }
}

/// Two vehicles, a wall and a painted line on hills.
fn rough_world(texture: Option<GroundTexture>) -> Model {
    let hills = Hills { nodes: 65, size: 30.0, amplitude: 0.6, ..Hills::default() };
    let terrain = hills.terrain().and_then(Terrain::new).expect("good hills");
    let camera = CameraSpec { shadows: true, mount: [0.2, 0.0, 0.7], ..CameraSpec::default() };
    let sensors = vec![SensorSpec { name: "camera".to_owned(), kind: SensorKind::Camera(camera) }];
    let vehicle = |name: &str, x: f64, spec: VehicleSpec, sensors: Vec<SensorSpec>| RobotSpec {
        name: name.to_owned(),
        team: name.to_owned(),
        pose: Pose2::new(x, 0.0, 0.0),
        velocity: 0.0,
        omega: 0.0,
        shape: vec![planar_outline(&spec)],
        drive: planar_drive(&spec),
        vehicle: Some(Box::new(spec)),
        servo: None,
        driver: DriverSpec::None,
        height: None,
        sensors,
        look: RobotLook::default(),
    };
    let course = Course::Line { from: Vec2::new(1.0, -0.6), to: Vec2::new(12.0, 1.5) };
    let spec = SceneSpec {
        ground: Some(GroundSpec {
            texture,
            ..GroundSpec::new("hills", std::sync::Arc::new(terrain))
        }),
        walls: vec![WallSpec::Segment {
            from: Vec2::new(6.0, -2.0),
            to: Vec2::new(7.0, 4.0),
            thickness: 0.2,
            height: 0.8,
        }],
        markings: vec![MarkingSpec {
            course,
            width: Some(0.4),
            colour: Some(0x6e6e70),
            material: None,
        }],
        robots: vec![
            vehicle("seer", 0.0, rolima_spatial::presets::skid_steer(), sensors),
            vehicle("seen", 3.0, rolima_spatial::presets::rover(), vec![]),
        ],
        ..SceneSpec::default()
    };
    // It is constant, and tested.
    Model::compile(&spec).expect("a good scene")
}

/// What a robot of a small world sees, with grain, turning on the spot.
fn world(count: u32) -> Result<u64, StageError> {
    let model = small_world();
    let mut camera_renderer = CameraRenderer::new(&model)?;
    let mut poses: Vec<Pose2> = model.bodies().map(|body| body.home).collect();
    let mut hash = Hash64::default();
    for number in 1..=count {
        poses[0] = Pose2::new(0.1 * f64::from(number), 0.0, 0.3 * f64::from(number));
        camera_renderer.place(&poses, &[]);
        let mut rgb = vec![0; 3 * Lens::ROBOT_ONE.pixels()];
        let grain =
            Grain { sigma: 3.0, stream: Stream::new(1, 0, "camera"), number: number.into() };
        let pictures = Pictures { rgb: Some(&mut rgb), depth: None, objects: None };
        let shot = CameraShot { poses: &poses, grain: Some(grain), ..CameraShot::default() };
        if camera_renderer.draw(&model, 0, &shot, pictures).is_err() {
            hash.word(0);
        }
        rgb.iter().for_each(|&byte| hash.word(u64::from(byte)));
    }
    Ok(hash.finish())
}

/// A robot with a camera among walls, lines, balls and crates.
fn small_world() -> Model {
    let segment = |x: f64, y: f64, dx: f64, dy: f64| WallSpec::Segment {
        from: Vec2::new(x, y),
        to: Vec2::new(x + dx, y + dy),
        thickness: 0.2,
        height: 1.5,
    };
    let course = Course::Arc {
        center: Vec2::ZERO,
        radius: 2.5,
        from_angle: 0.0,
        to_angle: 2.0 * std::f64::consts::PI,
    };
    let camera = SensorKind::Camera(CameraSpec::default());
    let boxed = |size: f64| vec![PartSpec::Box { pose: Pose2::IDENTITY, size: [size; 2] }];
    let spec = SceneSpec {
        walls: vec![segment(6.0, -5.0, 0.0, 9.0), segment(-4.0, 5.0, 8.0, 1.0)],
        markings: vec![MarkingSpec {
            course,
            width: Some(0.2),
            colour: Some(0xf5c400),
            material: None,
        }],
        robots: vec![RobotSpec {
            name: "robot".to_owned(),
            team: "blue".to_owned(),
            pose: Pose2::IDENTITY,
            velocity: 0.0,
            omega: 0.0,
            shape: boxed(0.4),
            drive: DriveSpec::default(),
            vehicle: None,
            servo: None,
            driver: DriverSpec::None,
            height: Some(0.4),
            sensors: vec![SensorSpec { name: "camera".to_owned(), kind: camera }],
            look: RobotLook::default(),
        }],
        balls: vec![BallSpec { position: Vec2::new(3.0, 1.0), radius: 0.3, ..BallSpec::default() }],
        objects: vec![ObjectSpec {
            name: "crate".to_owned(),
            pose: Pose2::new(-3.0, -1.0, 0.4),
            velocity: Vec2::ZERO,
            omega: 0.0,
            shape: boxed(0.8),
            mass: 1.0,
            inertia: None,
            ground_friction: 0.4,
            height: Some(0.8),
            colour: None,
            material: None,
        }],
        ..SceneSpec::default()
    };
    // It is constant, and tested.
    Model::compile(&spec).expect("a good scene")
}

fn camera(name: &str, i: u32, random: &mut Stream) -> Option<Camera> {
    let pose = look(random, 16);
    let lens = Lens::ROBOT_ONE;
    let quality = Quality::default();
    Some(match name {
        "maze" => Camera { lens, pose, quality },
        "road" => {
            let pose = StagePose::upright(0.0, 0.0, 0.5, 0.3 * f64::from(i));
            Camera { lens, pose, quality }
        }
        "nice" => Camera { lens, pose, quality: Quality { supersample: true, shadows: true } },
        "tilted" => {
            // Widths that are no multiple of the lanes, from above, rolled.
            let lens = Lens { width: 203, height: 151, ..lens };
            let turn = |low: f64, high: f64, random: &mut Stream| random.between(low, high);
            let angles =
                [turn(-3.0, 3.0, random), turn(-0.5, 1.5, random), turn(-3.0, 3.0, random)];
            let position = [pose.position[0], pose.position[1], turn(0.1, 6.0, random)];
            let pose = StagePose::from_angles(position, angles[0], angles[1], angles[2]);
            Camera { lens, pose, quality: Quality { supersample: false, shadows: true } }
        }
        _ => return None,
    })
}

fn take_in(renderer: &mut Renderer, stage: &Stage, camera: &Camera, hash: &mut Hash64) {
    let pixels = camera.lens.pixels();
    let (mut rgb, mut depth, mut objects) =
        (vec![0; 3 * pixels], vec![0.0; pixels], vec![0; pixels]);
    let pictures =
        Pictures { rgb: Some(&mut rgb), depth: Some(&mut depth), objects: Some(&mut objects) };
    if renderer.draw(stage, camera, pictures).is_err() {
        hash.word(0);
    }
    rgb.iter().for_each(|&byte| hash.word(u64::from(byte)));
    depth.iter().for_each(|metres| hash.word(u64::from(metres.to_bits())));
    objects.iter().for_each(|&object| hash.word(u64::from(object)));
}
