//! Scenes read again from the contents of their files, without the files.

use rolima_scene::{Root, Source, builtin_scenes, load, load_map_in, rolima_map};
use std::path::{Path, PathBuf};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bundles").join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

#[test]
fn every_scene_is_the_same_from_its_bundle_alone() {
    for name in builtin_scenes() {
        let scene = load(&Source::resolve(&name).expect("a built-in scene"), &[]).expect("good");
        let again = scene.bundle.load().unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(again.bundle, scene.bundle, "{name}");
        assert_eq!(again.spec.title, scene.spec.title);
        let print = |scene: &rolima_scene::Scene| scene.compile().expect("good").fingerprint;
        assert_eq!(print(&again), print(&scene), "{name}");
    }
}

#[test]
fn files_on_disk_may_go_once_they_are_read() {
    let folder = folder("gone");
    let (root, walls) = (folder.join("match.toml"), folder.join("walls.toml"));
    let map = folder.join("hall.txt");
    let text = "[[part]]\ninclude = \"walls.toml\"\n[[map]]\nfile = \"hall.txt\"\n\
                [[robot]]\nname = \"a\"\npreset = \"minirobot\"\n";
    std::fs::write(&root, text).unwrap();
    let text = "[[wall]]\nkind = \"segment\"\nfrom = [-2, 3]\nto = [2, 3]\n";
    std::fs::write(&walls, text).unwrap();
    std::fs::write(&map, "W 0 2 4 2\n").unwrap();
    let sets = ["robot.a.pose=[0.5, 0, 0]".to_owned()];
    let scene = load(&Source::File(root.clone()), &sets).expect("a good scene");
    let print = scene.compile().expect("a good model").fingerprint;
    for file in [&root, &walls, &map] {
        std::fs::remove_file(file).unwrap();
    }
    let again = scene.bundle.load().expect("all is in it");
    assert_eq!(again.compile().expect("a good model").fingerprint, print);
    // One of them less, and the error names it.
    let mut less = scene.bundle.clone();
    let key: std::sync::Arc<str> = walls.to_string_lossy().into();
    less.files.remove(&key).expect("it is there");
    let error = less.load().expect_err("a file less").to_string();
    assert!(error.contains("walls.toml"), "{error}");
}

#[test]
fn what_is_on_disk_is_not_looked_at() {
    let folder = folder("changed");
    let root = folder.join("one.toml");
    let text = |x: u32| format!("[[robot]]\npreset = \"minirobot\"\npose = [{x}, 0, 0]\n");
    std::fs::write(&root, text(1)).unwrap();
    let scene = load(&Source::File(root.clone()), &[]).expect("a good scene");
    std::fs::write(&root, text(2)).unwrap();
    let x = |scene: &rolima_scene::Scene| scene.spec.robots[0].pose.position.x;
    assert_eq!((x(&scene), x(&scene.bundle.load().unwrap())), (1.0, 1.0));
    let mut empty = scene.bundle.clone();
    empty.files.clear();
    let error = empty.load().expect_err("nothing in it").to_string();
    assert!(error.contains("one.toml") && error.contains("not found"), "{error}");
}

#[test]
fn the_scene_of_a_map_is_the_same_from_its_bundle_with_title_and_text() {
    let text = "# mine\nW 0 0 0 4\nR 1 1\n";
    let map = rolima_map::parse("mine.txt", text).expect("a good map");
    let mut scene = load_map_in(&map, None, &["robot=minirobot".to_owned()]).expect("good");
    scene.bundle.set_map_text(text);
    scene.set_title("Mine");
    let again = scene.bundle.load().expect("all is in it");
    assert_eq!(scene.bundle.root, Root::Map { folder: None });
    assert_eq!(again.bundle, scene.bundle);
    assert_eq!((again.spec.title.as_str(), again.bundle.map_text()), ("Mine", Some(text)));
    assert_eq!(again.compile().unwrap().fingerprint, scene.compile().unwrap().fingerprint);
}
