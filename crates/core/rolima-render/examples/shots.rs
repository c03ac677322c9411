//! Draws pictures worth looking at into a folder: `cargo run --release --package rolima-render
//! --example shots -- FOLDER`.

use rolima_render::scenes::{bench_scene, hills, hills_terrain, road, road_line, robot_one};
use rolima_render::{
    Camera, CameraRenderer, Lens, Paint, Pattern, Pictures, Quality, Renderer, Solid, Stage,
    StageBuilder, StagePose, StageShape,
};
use rolima_scene::{Source, load};
use std::error::Error;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("expected a folder")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let nice = Quality { supersample: true, shadows: true };
    let lens = Lens::ROBOT_ONE;

    let (stage, cameras) = bench_scene(1)?;
    for (i, camera) in cameras.iter().take(6).enumerate() {
        shot(folder, &format!("maze-{i}"), &stage, camera)?;
        let camera = Camera { quality: nice, ..*camera };
        shot(folder, &format!("maze-{i}-nice"), &stage, &camera)?;
    }
    let large = Lens { width: 960, height: 720, ..lens }.with_square_pixels();
    let pose = StagePose::from_angles([-6.0, 20.0, 14.0], 0.0, 0.62, 0.0);
    shot(folder, "maze-above", &stage, &Camera { lens: large, pose, quality: nice })?;

    let stage = road(1)?;
    let line = road_line();
    for i in [0, 40, 75, 130, 200] {
        let (a, b) = (line[i], line[i + 1]);
        let heading = rolima_math::atan2(b[1] - a[1], b[0] - a[0]);
        let pose = StagePose::upright(a[0], a[1], 0.55, heading);
        let camera = Camera { lens, pose, quality: Quality { supersample: false, shadows: true } };
        shot(folder, &format!("road-{i}"), &stage, &camera)?;
    }
    let pose = StagePose::from_angles([-60.0, -40.0, 26.0], 0.8, 0.22, 0.0);
    shot(folder, "road-above", &stage, &Camera { lens: large, pose, quality: nice })?;
    let (stage, ground) = (hills(1)?, hills_terrain(1));
    for i in [0, 7, 40, 75, 130, 200] {
        let (a, b) = (line[i], line[i + 1]);
        let heading = rolima_math::atan2(b[1] - a[1], b[0] - a[0]);
        let pose = StagePose::upright(a[0], a[1], ground.height(a[0], a[1]) + 0.55, heading);
        let camera = Camera { lens, pose, quality: Quality { supersample: false, shadows: true } };
        shot(folder, &format!("hills-{i}"), &stage, &camera)?;
        let camera = Camera { lens: large, pose, quality: nice };
        shot(folder, &format!("hills-{i}-nice"), &stage, &camera)?;
    }
    let pose = StagePose::from_angles([-60.0, -40.0, 26.0], 0.8, 0.22, 0.0);
    shot(folder, "hills-above", &stage, &Camera { lens: large, pose, quality: nice })?;
    for name in ["realistic", "hills", "proving-ground", "pipe"] {
        scene(folder, name)?;
    }
    let stage = gallery()?;
    let pose = StagePose::from_angles([-5.2, 0.6, 2.3], -0.1, 0.24, 0.0);
    shot(folder, "gallery", &stage, &Camera { lens: large, pose, quality: nice })?;
    let pose = StagePose::upright(-3.5, 0.4, 0.5, -0.1);
    shot(folder, "gallery-robot", &stage, &Camera { lens, pose, quality: Quality::default() })
}

/// A scene on rough ground from behind its first vehicle, and what that sees.
fn scene(folder: &Path, name: &str) -> Result<(), Box<dyn Error>> {
    let model = load(&Source::resolve(name)?, &[])?.compile()?;
    let camera_renderer = CameraRenderer::new(&model)?;
    let ground = model.spec.ground.as_ref().ok_or("expected ground")?;
    let first = model.bodies().next().ok_or("expected a body")?;
    let (x, y, heading) = (first.home.position.x, first.home.position.y, first.home.theta());
    let nice = Quality { supersample: true, shadows: true };
    let lens = Lens { width: 960, height: 600, ..Lens::ROBOT_ONE }.with_square_pixels();
    for (view, back, up, turn, down) in [
        ("behind", 3.2, 1.5, 0.25, 0.2),
        ("eye", -0.6, 0.6, 0.0, 0.0),
        ("high", 14.0, 8.0, 0.5, 0.35),
    ] {
        let way = heading + turn;
        let (s, c) = rolima_math::sin_cos(way);
        let (x, y) = (x - back * c, y - back * s);
        let position = [x, y, ground.terrain.height(x, y) + up];
        let pose = StagePose::from_angles(position, way, down, 0.0);
        let camera = Camera { lens, pose, quality: nice };
        shot(folder, &format!("{name}-{view}"), camera_renderer.stage(), &camera)?;
    }
    Ok(())
}

/// A yard with one of everything.
fn gallery() -> Result<Stage, Box<dyn Error>> {
    let mut builder = StageBuilder::new();
    let boards = builder.pattern(Pattern::Boards)?;
    let brick = builder.pattern(Pattern::Brick)?;
    let wood = builder.pattern(Pattern::Crate)?;
    let checker = builder.pattern(Pattern::Checker)?;
    let concrete = builder.pattern(Pattern::Concrete)?;
    builder.ground(Paint::textured(concrete, 4.0), 1);
    let field = [[-2.5, -3.0], [3.5, -3.0], [3.5, 3.0], [-2.5, 3.0]];
    builder.paint_polygon(&field, Paint::textured(boards, 2.0), 2);
    builder.paint_strip(&field, 0.08, true, Paint::plain([240; 3]), 3);
    builder.paint_disc([0.5, 0.0], 0.62, Paint::plain([240; 3]), 3);
    builder.paint_disc([0.5, 0.0], 0.54, Paint::textured(boards, 2.0), 2);
    let wall = Paint::textured(brick, 1.6);
    builder.wall([5.0, -6.0], [5.0, 2.0], 0.2, 2.0, wall, 10);
    builder.wall([5.0, 2.0], [8.0, 5.0], 0.2, 2.0, wall, 11);
    builder.wall([-1.0, -4.5], [5.0, -4.5], 0.2, 1.2, wall.coloured([240, 226, 190]), 12);
    let red = Paint::plain([206, 36, 40]).with_second([244, 244, 238]).glossy(0.6);
    let at = StagePose::from_angles;
    builder.body(
        StageShape::Ball { radius: 0.4, paint: red },
        at([0.5, 0.0, 0.4], 0.5, 0.4, 0.3),
        20,
    );
    let orange = Paint::plain([240, 130, 20]).glossy(0.8);
    builder.body(
        StageShape::Ball { radius: 0.22, paint: orange },
        at([-1.2, 1.2, 0.22], 0.0, 0.0, 0.0),
        21,
    );
    let blue = Paint::plain([30, 90, 220]).glossy(0.8);
    builder.body(
        StageShape::Ball { radius: 0.7, paint: blue },
        at([3.0, 1.8, 0.7], 0.0, 0.0, 0.0),
        22,
    );
    let mut put = |solid: Solid, x: f64, y: f64, z: f64, heading: f64, object: u32| {
        builder.body(
            StageShape::Solid(Arc::new(solid)),
            StagePose::upright(x, y, z, heading),
            object,
        );
    };
    let crate_paint = Paint::textured(wood, 0.9);
    put(Solid::cuboid([0.9; 3], crate_paint), 3.6, -2.2, 0.45, 0.2, 23);
    put(Solid::cuboid([0.9; 3], crate_paint), 3.5, -1.1, 0.45, -0.15, 24);
    put(Solid::cuboid([0.9; 3], crate_paint), 3.6, -1.7, 1.35, 0.5, 25);
    put(Solid::cuboid([0.5; 3], Paint::plain([40, 160, 70])), 1.2, -1.6, 0.25, 0.6, 26);
    put(Solid::cylinder(0.35, 1.0, Paint::plain([230, 190, 40])), 1.8, 2.4, 0.5, 0.0, 27);
    put(Solid::cone(0.35, 0.05, 0.8, Paint::plain([240, 110, 30])), -0.4, 2.2, 0.4, 0.0, 28);
    put(robot_one(Paint::plain([196, 32, 38])), -1.0, -0.9, 0.0, 0.7, 29);
    put(robot_one(Paint::plain([40, 90, 190])), 1.9, 0.9, 0.0, -2.2, 30);
    put(Solid::cuboid([1.0, 1.0, 0.3], Paint::textured(checker, 1.0)), -0.6, -2.4, 0.15, 0.1, 31);
    let knot = Solid::from_obj(&torus(), Paint::plain([150, 70, 180]), |_| None)?;
    put(knot, -0.6, -2.4, 0.55, 0.4, 32);
    Ok(builder.build())
}

/// A torus as OBJ text, with normals.
fn torus() -> String {
    let (rings, sides) = (32, 16);
    let mut text = String::from("usemtl purple\n");
    for i in 0..rings {
        for j in 0..sides {
            let turn = |k: i32, n: i32| {
                rolima_math::sin_cos(2.0 * std::f64::consts::PI * f64::from(k) / f64::from(n))
            };
            let ((s, c), (t, u)) = (turn(i, rings), turn(j, sides));
            let r = 0.28 + 0.11 * u;
            text += &format!("v {} {} {}\n", 0.11 * t, r * c, r * s);
            text += &format!("vn {} {} {}\n", t, u * c, u * s);
        }
    }
    for i in 0..rings {
        for j in 0..sides {
            let at = |i: i32, j: i32| i % rings * sides + j % sides + 1;
            let corners = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
            let corners = corners.map(|k| format!("{k}//{k}"));
            text += &format!("f {}\n", corners.join(" "));
        }
    }
    text
}

/// Colours as `NAME.png`, depth and objects as grey and coloured pictures beside it.
fn shot(folder: &Path, name: &str, stage: &Stage, camera: &Camera) -> Result<(), Box<dyn Error>> {
    let pixels = camera.lens.pixels();
    let (mut rgb, mut depth, mut objects) =
        (vec![0; 3 * pixels], vec![0.0; pixels], vec![0; pixels]);
    let pictures =
        Pictures { rgb: Some(&mut rgb), depth: Some(&mut depth), objects: Some(&mut objects) };
    Renderer::new().draw(stage, camera, pictures)?;
    write(folder, name, camera, &rgb)?;
    let grey: Vec<u8> = depth.iter().flat_map(|d| [(255.0 / (1.0 + 0.15 * d)) as u8; 3]).collect();
    write(folder, &format!("{name}-depth"), camera, &grey)?;
    let coloured = |object: &u32| {
        let mixed = rolima_math::random::mix(u64::from(*object)).to_le_bytes();
        [mixed[0], mixed[1], mixed[2]]
    };
    let colours: Vec<u8> = objects.iter().flat_map(coloured).collect();
    write(folder, &format!("{name}-objects"), camera, &colours)
}

fn write(folder: &Path, name: &str, camera: &Camera, rgb: &[u8]) -> Result<(), Box<dyn Error>> {
    let file = File::create(folder.join(format!("{name}.png")))?;
    let mut encoder = png::Encoder::new(file, camera.lens.width, camera.lens.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header()?.write_image_data(rgb)?;
    Ok(())
}
