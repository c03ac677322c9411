//! What cameras make of what they see, and pictures that are drawn only where something changed.

use rolima_math::{PlaneMotion, Pose2, Stream, Vec2};
use rolima_model::{CameraSpec, Model};
use rolima_render::{
    CameraRenderer, CameraShot, FIRST_BODY, Grain, KeptPicture, PictureRect, Pictures, WALL,
    camera_of,
};
use rolima_scene::{Source, load};

/// What the scene says of its camera's edges.
const SMOOTH: &str = "smooth = true          # a pixel is as wide as a line\n";

/// Small pictures of a field from above, with these keys of the camera.
fn model(keys: &str) -> Model {
    let (old, new) = ("width = 640\nheight = 480\n", format!("width = 203\nheight = 151\n{keys}"));
    let text = include_str!("../../../../scenes/watched.toml");
    assert!(text.contains(old) && text.contains(SMOOTH));
    let text = text.replace(SMOOTH, "");
    let source = Source::Text { name: "test".to_owned(), text: text.replace(old, &new) };
    load(&source, &[]).expect("a good scene").compile().expect("a good scene")
}

fn camera(model: &Model) -> (usize, CameraSpec) {
    let found = (0..model.devices.len()).find_map(|i| Some((i, *camera_of(model, i)?.1)));
    found.expect("a camera")
}

/// Poses and motions of everything, some of which stand as they did before.
fn moved(
    model: &Model,
    random: &mut Stream,
    poses: &mut Vec<Pose2>,
    motions: &mut Vec<PlaneMotion>,
) {
    if poses.is_empty() {
        poses.extend(model.bodies().map(|body| body.home));
        motions.resize(poses.len(), PlaneMotion::default());
    }
    for (pose, motion) in poses.iter_mut().zip(motions) {
        if random.uniform() < 0.3 {
            continue;
        }
        // Now and then beyond the field, where the camera does not see it, or only a part.
        let far = if random.uniform() < 0.2 { 1.2 } else { 0.7 };
        *pose = Pose2::new(
            random.between(-far, far),
            random.between(-far, far),
            random.between(-3.0, 3.0),
        );
        let velocity = Vec2::new(random.between(-3.0, 3.0), random.between(-3.0, 3.0));
        *motion = PlaneMotion { velocity, omega: random.between(-30.0, 30.0) };
    }
}

const KINDS: [&str; 7] = [
    "",
    "shadows = true\nsmooth = true\n",
    "imaging = \"good\"\n",
    "imaging = \"competition\"\n",
    "k1 = -0.3\np1 = 0.01\nblur = 1.7\nshadows = true\n",
    "readout_s = 0.02\nsmooth = true\n",
    "white_balance = [1.5, 1, 0.5]\nslope_x = 0.5\nfalloff = 0.5\nsigma = 4\n",
];

/// The claim that makes frames cheap: drawn only where something changed, a picture has the bits of one that is drawn
/// in whole, and beyond its rectangles those of the background.
#[test]
fn what_is_drawn_again_only_where_it_changed_has_the_bits_of_a_whole_picture() {
    let cases = rolima_testing::samples(12, 400);
    for (kind, keys) in KINDS.into_iter().enumerate() {
        let model = model(keys);
        let (device, spec) = camera(&model);
        let [mut eyes, mut others] = [0, 1].map(|_| CameraRenderer::new(&model).expect("a stage"));
        let kept = KeptPicture::new(&mut eyes, &model, device).expect("a good lens");
        let mut kept = kept.expect("a camera of the world");
        let mut random = Stream::new(kind as u64, 0, "moves");
        let (mut poses, mut motions) = (vec![], vec![]);
        let (mut drawn, mut whole) = (0, vec![0; kept.background().len()]);
        for case in 0..cases {
            moved(&model, &mut random, &mut poses, &mut motions);
            let grain = Some(Grain {
                sigma: spec.sigma,
                stream: Stream::new(1, 2, "noise"),
                number: case as u64,
            });
            let shot = CameraShot {
                poses: &poses,
                motions: &motions,
                time_s: 0.0301 * case as f64,
                grain,
                ..CameraShot::default()
            };
            kept.take(&mut eyes, &model, &shot).expect("a good lens");
            drawn += kept.drawn_pixels();
            others.place(&poses, &[]);
            let pictures = Pictures { rgb: Some(&mut whole), depth: None, objects: None };
            others.draw(&model, device, &shot, pictures).expect("a good lens");
            assert!(kept.rgb() == whole, "case {case} of {keys:?}");
            outside_is_background(&kept, 203);
            assert_eq!(kept.differs_everywhere(), spec.sigma > 0.0 || spec.imaging.flicker > 0.0);
        }
        assert!(drawn > 0 && drawn < cases * 203 * 151 / 3, "{drawn} of {}", cases * 203 * 151);
    }
}

fn outside_is_background(kept: &KeptPicture, width: usize) {
    let (rgb, background) = (kept.rgb().chunks_exact(3), kept.background().chunks_exact(3));
    for (i, (pixel, empty)) in rgb.zip(background).enumerate() {
        let (x, y) = ((i % width) as u32, (i / width) as u32);
        let one = PictureRect { left: x, top: y, right: x + 1, bottom: y + 1 };
        let is_within = kept.rects().iter().any(|rect| !rect.intersection(&one).is_empty());
        assert!(is_within || pixel == empty, "{x} {y}");
    }
}

#[test]
fn a_photograph_is_seen_wherever_nothing_stands_on_the_field() {
    let model = model("shadows = true\n");
    let (device, _) = camera(&model);
    let mut eyes = CameraRenderer::new(&model).expect("a stage");
    let mut kept =
        KeptPicture::new(&mut eyes, &model, device).unwrap().expect("a camera of the world");
    let drawn = kept.background().to_vec();
    let photograph: Vec<u8> = (0..drawn.len()).map(|i| (i % 251) as u8).collect();
    assert!(!kept.set_photograph(&photograph[3..]) && kept.set_photograph(&photograph));
    let (mut poses, mut motions) = (vec![], vec![]);
    let mut random = Stream::new(5, 0, "moves");
    for _ in 0..4 {
        moved(&model, &mut random, &mut poses, &mut motions);
        let shot = CameraShot { poses: &poses, ..CameraShot::default() };
        kept.take(&mut eyes, &model, &shot).unwrap();
        let mut objects = vec![0; drawn.len() / 3];
        let mut rgb = vec![0; drawn.len()];
        let pictures = Pictures { rgb: Some(&mut rgb), depth: None, objects: Some(&mut objects) };
        eyes.draw(&model, device, &shot, pictures).unwrap();
        let differs = |i: usize| rgb[3 * i..3 * i + 3] != drawn[3 * i..3 * i + 3];
        for i in 0..objects.len() {
            let from = if differs(i) { &rgb } else { &photograph };
            assert_eq!(kept.rgb()[3 * i..3 * i + 3], from[3 * i..3 * i + 3]);
        }
        assert!((0..objects.len()).any(|i| objects[i] >= FIRST_BODY && differs(i)));
    }
}

/// A picture, and what is seen at each pixel.
fn seen(model: &Model, shot: &CameraShot<'_>) -> (Vec<u8>, Vec<u32>) {
    let (device, spec) = camera(model);
    let count = (spec.pixels[0] * spec.pixels[1]) as usize;
    let (mut rgb, mut objects) = (vec![0; 3 * count], vec![0; count]);
    let mut eyes = CameraRenderer::new(model).expect("a stage");
    eyes.place(shot.poses, &[]);
    let pictures = Pictures { rgb: Some(&mut rgb), depth: None, objects: Some(&mut objects) };
    eyes.draw(model, device, shot, pictures).expect("a good lens");
    (rgb, objects)
}

#[test]
fn a_lens_with_distortion_shows_walls_where_brown_says() {
    let (straight, bent) = (model(""), model("k1 = -0.2\nk2 = 0.05\np2 = 0.01\n"));
    let imaging = camera(&bent).1.imaging;
    let shot = CameraShot::default();
    let [ideal, lens] = [&straight, &bent].map(|model| seen(model, &shot).1);
    let focal =
        [101.5 / rolima_math::tan(26f64.to_radians()), 75.5 / rolima_math::tan(20f64.to_radians())];
    // How many of the walls' pixels are within a pixel of where they are expected.
    let hits = |place: &dyn Fn([f64; 2]) -> [f64; 2]| {
        let (mut hits, mut all) = (0_u32, 0_u32);
        for (i, _) in ideal.iter().enumerate().filter(|(_, object)| **object == WALL) {
            let x = ((i % 203) as f64 + 0.5 - 101.5) / focal[0];
            let y = ((i / 203) as f64 + 0.5 - 75.5) / focal[1];
            let [x, y] = place([x, y]);
            let (x, y) = ((x * focal[0] + 101.5) as usize, (y * focal[1] + 75.5) as usize);
            let near =
                |dx: usize, dy: usize| lens.get((y + dy - 1) * 203 + x + dx - 1) == Some(&WALL);
            hits += u32::from((0..9).any(|k| near(k % 3, k / 3)));
            all += 1;
        }
        assert!(all > 1_000, "{all}");
        f64::from(hits) / f64::from(all)
    };
    let (by_brown, straight) = (hits(&|at| imaging.distorted(at)), hits(&|at| at));
    assert!(by_brown > 0.995, "{by_brown}");
    assert!(straight < 0.7, "it is bent by some pixels: {straight}");
}

#[test]
fn a_rolling_shutter_shows_what_moves_at_a_slant() {
    let model = model("readout_s = 0.03\nsmooth = true\n");
    // A robot in the middle that drives to the right in the picture: rows above were read before those below.
    let mut poses: Vec<Pose2> = model.bodies().map(|body| body.home).collect();
    poses.iter_mut().for_each(|pose| *pose = Pose2::new(5.0, 5.0, 0.0));
    poses[0] = Pose2::new(0.0, 0.0, 0.0);
    let mut motions = vec![PlaneMotion::default(); poses.len()];
    let middle = |motions: &[PlaneMotion], row: usize| {
        let shot = CameraShot { poses: &poses, motions, ..CameraShot::default() };
        let (rgb, _) = seen(&model, &shot);
        let (empty, _) = seen(&model, &CameraShot { poses: &vec![poses[1]; poses.len()], ..shot });
        let differs =
            |x: &usize| rgb[3 * (row * 203 + x)..][..3] != empty[3 * (row * 203 + x)..][..3];
        let columns: Vec<usize> = (0..203).filter(differs).collect();
        columns.iter().sum::<usize>() as f64 / columns.len() as f64
    };
    let standing = middle(&motions, 75);
    motions[0].velocity = Vec2::new(2.0, 0.0);
    // Half a readout before the picture was taken the robot was 3 cm further left: about 3 pixels of 203 in 1.95 m.
    let moving = middle(&motions, 75);
    let (off, expected) = (standing - moving, 2.0 * 0.015 * 203.0 / 1.95);
    assert!((off - expected).abs() < 0.7, "{off} {expected}");
}

#[test]
fn uneven_light_and_white_balance_are_gains_of_light() {
    let with = |keys: &str| {
        let plain = model(keys);
        let mut spec = plain.spec.clone();
        spec.look.ground = Some(0x0080_8080);
        spec.markings.clear();
        let model = Model::compile(&spec).expect("a good scene");
        seen(&model, &CameraShot::default()).0
    };
    let (plain, lit) = (with(""), with("white_balance = [1.44, 1, 0.25]\nfalloff = 0.36\n"));
    let at =
        |rgb: &[u8], x: usize, y: usize| [0, 1, 2].map(|c| f64::from(rgb[3 * (y * 203 + x) + c]));
    let (before, after) = (at(&plain, 101, 70), at(&lit, 101, 70));
    // Shown are roots: gains of 1.2, 1 and 0.5.
    for (c, gain) in [1.2, 1.0, 0.5].into_iter().enumerate() {
        assert!((after[c] - gain * before[c]).abs() < 1.5, "{before:?} {after:?}");
    }
    let (before, after) = (at(&plain, 0, 0), at(&lit, 0, 0));
    assert!((after[1] - 0.8 * before[1]).abs() < 1.5, "the corner: {before:?} {after:?}");
}

#[test]
fn a_photograph_that_a_scene_names_lies_on_the_ground_where_its_corners_say() {
    // A chessboard of 20 pixels, as if the field were seen at a slant.
    let (width, height) = (320_u32, 240_u32);
    let folder = rolima_testing::Folder::new("photograph");
    let is_white = |x: u32, y: u32| (x / 20 + y / 20).is_multiple_of(2);
    let bytes = rolima_testing::bmp(width as usize, height as usize, |x, y| {
        if is_white(x as u32, y as u32) { [250; 3] } else { [10; 3] }
    });
    std::fs::write(folder.file("field.bmp"), bytes).expect("a file");
    let keys = "imaging = \"good\"\nfalloff = 0\nslope_x = 0\nblur = 0\n";
    let corners = "[[40, 200], [290, 210], [250, 30], [60, 20]]";
    let table = format!(
        "\n[sensor.background]\npicture = \"field.bmp\"\ncorners = {corners}\n\
         at = [[-0.75, -0.65], [0.75, -0.65], [0.75, 0.65], [-0.75, 0.65]]\n"
    );
    let text = include_str!("../../../../scenes/watched.toml");
    let text = text.replace(SMOOTH, &format!("{keys}{table}"));
    let file = folder.file("scene.toml");
    std::fs::write(&file, text).expect("a file");
    let source = Source::resolve(file.to_str().expect("a path")).expect("a scene");
    let model = load(&source, &[]).expect("a good scene").compile().expect("a good scene");
    let (device, spec) = camera(&model);
    let mut eyes = CameraRenderer::new(&model).expect("a stage");
    let kept = KeptPicture::new(&mut eyes, &model, device).unwrap().expect("a camera of the world");
    let map = model.background(device).expect("a photograph").picture_from_ground().expect("a map");
    // The camera is 2 m above the middle, +y up in its picture.
    let [wide, high] = spec.pixels.map(f64::from);
    let focal = [26f64, 20f64].map(|half| rolima_math::tan(half.to_radians()));
    let (mut alike, mut all) = (0_u32, 0_u32);
    for i in 0..2_000_u32 {
        let ground = Vec2::new(f64::from(i % 50) * 0.029 - 0.72, f64::from(i / 50) * 0.03 - 0.6);
        let ideal = [ground.x / 2.0, -ground.y / 2.0];
        let [x, y] = spec.imaging.distorted(ideal);
        let column = ((x / focal[0] + 1.0) * 0.5 * wide) as usize;
        let row = ((y / focal[1] + 1.0) * 0.5 * high) as usize;
        let at = map.map(ground).expect("near");
        // Not where a pixel more or less is another square.
        let inner = |x: f64| (2.0..18.0).contains(&(x % 20.0));
        if inner(at.x) && inner(at.y) {
            let seen = kept.background()[3 * (row * 640 + column)] > 128;
            alike += u32::from(seen == is_white(at.x as u32, at.y as u32));
            all += 1;
        }
    }
    assert!(all > 1_000 && alike == all, "{alike} of {all}");
}
