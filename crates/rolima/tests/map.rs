//! `rolima map` on the command line.

use crate::common;

use common::{code_and_stderr, good, output, stderr};
use rolima_testing::{Folder, bmp};

/// A picture of 60 x 40 pixels with a black bar from (10, 8) to (50, 12), as an uncompressed BMP.
fn bar() -> Vec<u8> {
    let is_in = |x: usize, y: usize| (10..50).contains(&x) && (8..12).contains(&y);
    bmp(60, 40, |x, y| [if is_in(x, y) { 0 } else { 255 }; 3])
}

#[test]
fn a_picture_becomes_a_text_map_and_a_preview() {
    let folder = Folder::new("map-good");
    let path = |name: &str| folder.file(name).to_string_lossy().into_owned();
    std::fs::write(path("bar.bmp"), bar()).unwrap();
    let (txt, svg) = (path("bar.txt"), path("bar.svg"));
    let said = good(&["map", &path("bar.bmp"), "--size", "6x4", "--out", &txt, "--preview", &svg]);
    assert_eq!(said, "1 wall in 6 x 4 m\n");
    // The pen is 4 pixels wide: its centre went from (12, 10) to (48, 10).
    let text = std::fs::read_to_string(&txt).unwrap();
    assert!(["W 1 1.8 1 -1.8\n", "W 1 -1.8 1 1.8\n"].contains(&text.as_str()), "{text}");
    assert!(std::fs::read_to_string(&svg).unwrap().starts_with("<svg "));
    // Without a size one is proposed, as on the page, and that is told.
    let (code, said) = code_and_stderr(&["map", &path("bar.bmp"), "--out", &path("own.txt")]);
    let file = path("bar.bmp");
    let told = format!(
        "{file}: no size was given, so that the picture is taken to be 40 x 26.6667 m; --size WxH gives another\n"
    );
    assert_eq!((code, said), (Some(0), told));
    let named = path("bar 12x8 m.bmp");
    std::fs::write(&named, bar()).unwrap();
    assert_eq!(good(&["map", &named, "--out", &path("own.txt")]), "1 wall in 12 x 8 m\n");
    // A text map goes through as it is, tidied.
    assert_eq!(good(&["map", &txt]), text);
}

#[test]
fn notes_of_a_picture_in_a_scene_are_told_as_those_of_a_maze() {
    let folder = Folder::new("map-notes");
    let path = |name: &str| folder.file(name).to_string_lossy().into_owned();
    let mut picture = bar();
    // A dot of three pixels in the row second from below.
    picture[54 + 60 * 3 + 30 * 3..][..9].fill(0);
    std::fs::write(path("bar.bmp"), picture).unwrap();
    std::fs::write(path("bar.toml"), "[[map]]\nfile = \"bar.bmp\"\nsize = [6, 4]\n").unwrap();
    let note = "bar.bmp: black ink was left out: 3 px at (-1.85, -0.15) m\n";
    for arguments in [
        &["check", &path("bar.toml")][..],
        &["run", &path("bar.toml"), "--for", "0.01", "--json"],
        &["check", "--maze", &path("bar.bmp"), "--size", "6x4"],
    ] {
        let (code, said) = code_and_stderr(arguments);
        assert!(code == Some(0) && said.contains(note), "{arguments:?}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn notes_of_the_pictures_of_a_scene_reach_those_who_watch_it() {
    use crate::common::running::{HERE, Running};
    use rolima_wire::pb::server_message::Kind;

    let folder = Folder::new("map-shown");
    let path = |name: &str| folder.file(name).to_string_lossy().into_owned();
    let mut picture = bar();
    picture[54 + 60 * 3 + 30 * 3..][..9].fill(0);
    std::fs::write(path("bar.bmp"), picture).unwrap();
    std::fs::write(path("bar.toml"), "[[map]]\nfile = \"bar.bmp\"\nsize = [6, 4]\n").unwrap();
    let left = "black ink was left out: 3 px at (-1.85, -0.15) m";
    let robot = "there is no robot in the map: one is put at the origin";
    let named = format!("bar.bmp: {left}");
    for (arguments, notes) in [
        (&["run", &path("bar.toml")][..], &[&*named][..]),
        (&["run", "--maze", &path("bar.bmp"), "--size", "6x4"], &[left, robot]),
    ] {
        let ports = ["--listen", HERE, "--no-browser", "--no-robotone"];
        let run = Running::start(&[arguments, &ports].concat());
        let scene = run.connect().until(|kind| match kind {
            Kind::Scene(scene) => Some(scene),
            _ => None,
        });
        assert_eq!(scene.notes, notes, "{arguments:?}");
    }
}

#[test]
fn bad_maps_and_sizes_are_bad_usage() {
    let folder = Folder::new("map-bad");
    let path = |name: &str| folder.file(name).to_string_lossy().into_owned();
    let bad = path("bad.txt");
    std::fs::write(&bad, "W 1 2 3\nB 1 two\n").unwrap();
    let out = path("out.txt");
    let (code, said) = code_and_stderr(&["map", &bad, "--out", &out]);
    assert_eq!(code, Some(2));
    assert_eq!(
        said.replace(&bad, "bad.txt"),
        "bad.txt:1:8: expected 4 fields or more: W x1 y1 x2 y2, or W x y, got 3 of them\n\
         bad.txt:2:5: expected a number of metres, at most 1000000 from 0, got \"two\"\n"
    );
    assert!(!folder.file("out.txt").exists(), "a bad map writes nothing");
    // What is no map at all takes one sentence.
    let scene = path("scene.toml");
    std::fs::write(&scene, "title = \"x\"\n[[robot]]\npreset = \"minirobot\"\n").unwrap();
    let (code, said) = code_and_stderr(&["map", &scene]);
    assert_eq!(code, Some(2));
    assert_eq!(
        said.replace(&scene, "scene.toml"),
        "scene.toml: expected a text map in UTF-8 or a PNG, JPEG, GIF, WebP or BMP picture, got a scene, \
         which `rolima run FILE` runs\n"
    );
    // Nor is a sheet on which nothing is drawn.
    let blank = path("blank.bmp");
    let mut sheet = bar();
    sheet[54..].fill(255);
    std::fs::write(&blank, sheet).unwrap();
    let (code, said) = code_and_stderr(&["map", &blank, "--size", "6x4", "--out", &out]);
    let expected = "expected strokes or shapes in black, yellow, red, blue or green; got none";
    assert_eq!((code, said), (Some(2), format!("error: {blank}: {expected}\n")));
    assert!(!folder.file("out.txt").exists(), "nothing writes nothing");
    assert_eq!(code_and_stderr(&["map", &path("none.png")]).0, Some(2));
    assert_eq!(code_and_stderr(&["map", &bad, "--size", "40"]).0, Some(2));
    let output = output(&["map", &path("none.png")]);
    assert!(stderr(&output).contains("none.png: "), "{}", stderr(&output));
}

#[test]
fn worlds_beyond_what_there_is_memory_for_are_refused_before_they_are_built() {
    let folder = Folder::new("map-large");
    let path = |name: &str| folder.file(name).to_string_lossy().into_owned();
    let many: String = (0..100_001).map(|i| format!("W {} 0 {} 1\n", i % 300, i % 300)).collect();
    std::fs::write(path("many.txt"), many).unwrap();
    std::fs::write(path("far.txt"), "R 0 0\nW 0 0 1000001 0\n").unwrap();
    for (map, why) in [
        ("many.txt", "100001:1: expected at most 100000 elements, got more"),
        ("far.txt", "2:7: expected a number of metres, at most 1000000 from 0, got \"1000001\""),
    ] {
        let (code, said) =
            code_and_stderr(&["run", "--maze", &path(map), "--headless", "--for", "1"]);
        assert!(code == Some(2) && said.contains(why), "{code:?} {said}");
    }
}
