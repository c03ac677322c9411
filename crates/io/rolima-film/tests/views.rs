//! Where cameras are, and what is drawn over their pictures.

use rolima_core::{Model, World};
use rolima_film::{Film, FilmError, FilmView, Overlays};
use rolima_scene::builtin_model;
use std::sync::Arc;

const SIZE: [u32; 2] = [320, 240];

fn model(name: &str) -> Arc<Model> {
    builtin_model(name, &[]).expect("a scene")
}

/// A picture of a world after so many steps, with pictures every 20 steps before it.
fn picture(model: &Arc<Model>, view: &str, overlays: Overlays, steps: u64) -> Vec<u8> {
    let view = FilmView::find(view, model).expect("a view");
    let mut film = Film::new(model, view, SIZE, overlays).expect("a film");
    let mut world = World::new(model.clone());
    let mut rgb = vec![0; 3 * 320 * 240];
    for _ in 0..steps / 20 {
        film.draw(&world, world.time_s(), None, &mut rgb).expect("a picture");
        world.steps(20);
    }
    film.draw(&world, world.time_s(), Some("blue 1 : 0 yellow"), &mut rgb).expect("a picture");
    rgb
}

/// How many pixels have a colour, give or take some shades.
fn pixels_like(rgb: &[u8], colour: [u8; 3], off: u8) -> usize {
    let is_like = |pixel: &&[u8]| pixel.iter().zip(colour).all(|(a, b)| a.abs_diff(b) <= off);
    rgb.chunks_exact(3).filter(is_like).count()
}

#[test]
fn from_above_the_whole_field_and_all_bodies_are_seen_on_any_ground() {
    for name in ["soccer", "maze", "hills", "playground"] {
        let model = model(name);
        let view = FilmView::find("top", &model).expect("a view");
        let mut film = Film::new(&model, view, SIZE, Overlays::NONE).expect("a film");
        let world = World::new(model.clone());
        let mut rgb = vec![0; 3 * 320 * 240];
        film.draw(&world, 0.0, None, &mut rgb).expect("a picture");
        // A frame of ground around all: no sky, and neither black nor of one colour.
        let sky = pixels_like(&rgb, [206, 222, 238], 6);
        assert!(sky < 320 * 240 / 3, "{name}: {sky} pixels of sky");
        let first = [rgb[0], rgb[1], rgb[2]];
        assert!(pixels_like(&rgb, first, 3) < 320 * 240 * 9 / 10, "{name}");
    }
    // The orange ball lies in the middle of the field.
    let rgb = picture(&model("soccer"), "top", Overlays::NONE, 0);
    let [r, g, b] = [0, 1, 2].map(|i| rgb[3 * (120 * 320 + 160) + i]);
    assert!(r > 180 && g < r && b < g, "{r} {g} {b}");
}

#[test]
fn a_body_that_leaves_the_field_stays_in_sight() {
    let model = builtin_model("open-loop", &[]).expect("a scene");
    let (near, far) =
        (picture(&model, "top", Overlays::NONE, 0), picture(&model, "top", Overlays::NONE, 800));
    assert_ne!(near, far);
    let robot = |rgb: &[u8]| pixels_like(rgb, [36, 38, 44], 30);
    assert!(robot(&near) > 20 && robot(&far) > 5, "{} {}", robot(&near), robot(&far));
}

#[test]
fn the_camera_behind_a_robot_has_it_in_the_middle_while_it_turns() {
    let model = builtin_model("soccer", &["driver=random".to_owned()]).expect("a scene");
    let blue = model.robots[0].name.clone();
    for steps in [0, 1000, 3000] {
        let rgb = picture(&model, &format!("chase:{blue}"), Overlays::NONE, steps);
        let middle: Vec<u8> = (100..180)
            .flat_map(|y| rgb[3 * (y * 320 + 120)..3 * (y * 320 + 200)].to_vec())
            .collect();
        // Its dark lid, or its blue sides.
        let dark = middle.chunks_exact(3).filter(|p| p.iter().all(|&shade| shade < 90)).count();
        let blue = middle.chunks_exact(3).filter(|p| p[2] > p[0].saturating_add(40)).count();
        assert!(dark + blue > 300, "after {steps} steps: {dark} {blue}");
    }
}

#[test]
fn cameras_are_found_by_all_their_names_and_show_what_the_sensor_sees() {
    let maze = model("maze");
    let views = ["robot:robot", "camera", "robot.robot.sensor.camera"];
    let found = views.map(|name| FilmView::find(name, &maze).expect("a view"));
    assert!(
        matches!(found[0], FilmView::Camera(_)) && found[0] == found[1] && found[1] == found[2]
    );
    assert_eq!(found[0].own_size(&maze), Some([320, 240]));
    // As `rolima picture` draws it.
    let FilmView::Camera(device) = found[0] else { panic!("a camera") };
    let mut renderer = rolima_render::CameraRenderer::new(&maze).expect("a stage");
    let world = World::new(maze.clone());
    let frame = world.frame();
    let poses: Vec<_> = frame.bodies.iter().map(|body| body.pose).collect();
    renderer.place(&poses, &frame.spatial);
    let mut expected = vec![0; 3 * 320 * 240];
    let pictures = rolima_render::Pictures { rgb: Some(&mut expected), ..Default::default() };
    let shot = rolima_render::CameraShot {
        poses: &poses,
        spatial: &frame.spatial,
        ..rolima_render::CameraShot::default()
    };
    renderer.draw(&maze, device, &shot, pictures).expect("a picture");
    assert!(picture(&maze, "camera", Overlays::NONE, 0) == expected);

    let watched = model("watched");
    assert_eq!(
        FilmView::find("sensor.overhead", &watched).expect("it is well"),
        FilmView::find("overhead", &watched).expect("it is well")
    );
    assert_eq!(
        FilmView::find("robot:blue-1", &model("soccer")).expect("it is well"),
        FilmView::Aboard(rolima_core::RobotId(0))
    );
}

#[test]
fn an_unknown_camera_is_told_with_the_known_ones() {
    for (scene, name) in
        [("watched", "overhed"), ("soccer", "robot:green"), ("soccer", "chase:"), ("soccer", "")]
    {
        let error = FilmView::find(name, &model(scene)).unwrap_err();
        assert!(error.is_usage());
        let said = error.to_string();
        assert!(
            said.contains("--camera: expected top") && said.ends_with(&format!("got `{name}`")),
            "{said}"
        );
        assert!(scene != "watched" || said.contains("sensor.overhead"), "{said}");
    }
    assert!(
        FilmView::find("chase", &Model::compile(&Default::default()).expect("it is well")).is_err()
    );
}

#[test]
fn overlays_change_what_they_cover_and_nothing_else() {
    let model = model("soccer");
    let plain = picture(&model, "top", Overlays::NONE, 0);
    let time = picture(&model, "top", Overlays { time: true, ..Overlays::NONE }, 0);
    let differs =
        |y: usize, other: &[u8]| plain[960 * y..960 * (y + 1)] != other[960 * y..960 * (y + 1)];
    assert!((2..13).all(|y| differs(y, &time)) && !(13..240).any(|y| differs(y, &time)));
    let score = picture(&model, "top", Overlays { score: true, ..Overlays::NONE }, 0);
    assert!(differs(5, &score) && score[960 * 5..960 * 5 + 90] == plain[960 * 5..960 * 5 + 90]);
}

#[test]
fn traces_lie_where_robots_have_been_and_behind_what_stands_before_them() {
    let sets = ["driver=random".to_owned()];
    let model = builtin_model("soccer", &sets).expect("a scene");
    let traces = Overlays { traces: true, ..Overlays::NONE };
    let (plain, traced) =
        (picture(&model, "top", Overlays::NONE, 2000), picture(&model, "top", traces, 2000));
    let changed: Vec<usize> =
        (0..320 * 240).filter(|p| plain[3 * p..3 * p + 3] != traced[3 * p..3 * p + 3]).collect();
    assert!(changed.len() > 150, "{}", changed.len());
    // Where the robots stand now they hide their traces: the patches on their lids are as they were.
    let strong = |rgb: &[u8], p: usize| {
        let pixel = &rgb[3 * p..3 * p + 3];
        let [least, most] = [pixel.iter().min(), pixel.iter().max()].map(|shade| shade.copied());
        most > least.map(|shade| shade.saturating_add(100))
    };
    let lids = (0..320 * 240).filter(|&p| strong(&plain, p)).collect::<Vec<_>>();
    let hidden = lids.iter().filter(|p| changed.binary_search(p).is_err()).count();
    assert!(lids.len() > 100 && hidden * 10 > lids.len() * 9, "{hidden} of {}", lids.len());
}

#[test]
fn a_picture_that_nobody_can_draw_is_refused() {
    let model = model("soccer");
    let mut film = Film::new(&model, FilmView::Top, [0, 10], Overlays::NONE).expect("a film");
    let error = film.draw(&World::new(model.clone()), 0.0, None, &mut []).unwrap_err();
    assert!(matches!(error, FilmError::Draw(_)), "{error}");
}
