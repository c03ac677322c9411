//! Files that include files, on disk.

use crate::common;

use common::check;
use rolima_scene::{MAX_FILE_BYTES, SceneError, Source};
use std::path::PathBuf;

/// A new folder with these files.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    for (file, text) in files {
        let path = folder.join(file);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a new folder");
        std::fs::write(path, text).expect("a new file");
    }
    folder
}

/// The message of a scene on disk, with the folder's name cut out.
fn message(folder: &std::path::Path, file: &str) -> String {
    let error = check(&Source::File(folder.join(file)), &[]).expect_err("a bad scene");
    error.to_string().replace(&format!("{}/", folder.display()), "")
}

#[test]
fn includes_on_disk_come_from_beside_the_file_then_from_the_program() {
    let own = "[[ball]]\nname = \"own\"";
    let folder = folder(
        "beside",
        &[
            (
                "a.toml",
                "[[part]]\ninclude = \"fields/mirosot.toml\"\n[[part]]\ninclude = \"sub/b.toml\"",
            ),
            ("sub/b.toml", "[[part]]\ninclude = \"fields/mirosot.toml\""),
            ("sub/fields/mirosot.toml", own),
        ],
    );
    let scene = check(&Source::File(folder.join("a.toml")), &[]).unwrap();
    assert_eq!((scene.spec.walls.len(), scene.spec.balls[0].name.as_str()), (16, "own"));
}

#[test]
fn errors_in_included_files_name_those_files() {
    let folder = folder(
        "inside",
        &[
            ("a.toml", "[[part]]\ninclude = \"b.toml\"\n[[robot]]\ninclude = \"r.toml\""),
            ("b.toml", "# here\n[[ball]]\nradius = -1"),
            ("r.toml", "[drive]\nmass = 0"),
            ("c.toml", "[[part]]\ninclude = \"d.toml\""),
            ("d.toml", "[[wall]]\nkind = \"segment\"\nfrom = [0, 0]\nto = [0, 0]\n"),
            ("e.toml", "[[part]]\ninclude = \"f.toml\""),
            ("f.toml", "not toml"),
        ],
    );
    assert_eq!(
        message(&folder, "a.toml"),
        "a.toml:3: robot.0.shape: expected at least one shape or part of an outline, got nothing: \
         the key is missing\n\
         r.toml:2: robot.0.drive.mass: expected a positive number (kg), got 0\n\
         b.toml:3: part.0.ball.0.radius: expected a positive number (m), got -1"
    );
    assert_eq!(
        message(&folder, "c.toml"),
        "d.toml:1: part.0.wall.0: expected two different points, got a length of 0 m"
    );
    assert_eq!(message(&folder, "e.toml"), "f.toml:1:5: key with no value, expected `=`");
}

#[test]
fn includes_that_never_end_are_refused() {
    let folder = folder(
        "cycle",
        &[
            ("a.toml", "[[part]]\ninclude = \"b.toml\""),
            ("b.toml", "\n[[part]]\ninclude = \"a.toml\""),
            ("robot.toml", "[[robot]]\ninclude = \"r.toml\""),
            ("r.toml", "include = \"r.toml\""),
            ("shape.toml", "[[object]]\nmass = 1\npart = [{ include = \"s.toml\" }]"),
            ("s.toml", "[[part]]\ninclude = \"s.toml\""),
            ("dot.toml", "[[part]]\ninclude = \"./dot.toml\""),
        ],
    );
    assert_eq!(
        message(&folder, "a.toml"),
        "b.toml:3: part.0.part.0.include: expected files that do not include themselves, got a.toml \
         -> b.toml -> a.toml"
    );
    assert_eq!(
        message(&folder, "robot.toml"),
        "r.toml:1: robot.0.include: expected files that do not include themselves, got robot.toml \
         -> r.toml -> r.toml"
    );
    assert_eq!(
        message(&folder, "shape.toml"),
        "s.toml:2: object.0.part.0.part.0.include: expected files that do not include themselves, \
         got shape.toml -> s.toml -> s.toml"
    );
    assert_eq!(
        message(&folder, "dot.toml"),
        "dot.toml:2: part.0.include: expected files that do not include themselves, got dot.toml -> \
         dot.toml"
    );
}

#[test]
fn includes_may_be_deep_but_not_without_end() {
    let names: Vec<String> = (0..20).map(|i| format!("{i}.toml")).collect();
    let texts: Vec<String> = (1..21).map(|i| format!("[[part]]\ninclude = \"{i}.toml\"")).collect();
    let mut files: Vec<(&str, &str)> =
        names.iter().zip(&texts).map(|(name, text)| (name.as_str(), text.as_str())).collect();
    files.push(("20.toml", "title = \"end\""));
    let folder = folder("deep", &files);
    assert!(check(&Source::File(folder.join("5.toml")), &[]).is_ok());
    let message = message(&folder, "4.toml");
    assert!(message.starts_with("19.toml:2: part.0."), "{message}");
    assert!(message.contains("expected includes at most 16 deep, got 4.toml -> 5.toml -> "));
}

#[test]
fn includes_that_multiply_are_refused() {
    let many = "[[part]]\ninclude = \"NEXT\"\n".repeat(100);
    let names = ["a.toml", "b.toml", "c.toml", "d.toml", "e.toml"];
    let mut files: Vec<(&str, String)> =
        names.windows(2).map(|w| (w[0], many.replace("NEXT", w[1]))).collect();
    files.push(("e.toml", "title = \"end\"".to_owned()));
    let files: Vec<(&str, &str)> =
        files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let message = message(&folder("bomb", &files), "a.toml");
    assert!(
        message.ends_with("expected at most 1000000 values in all included files, got more"),
        "{message}"
    );
    assert_eq!(message.lines().count(), 1);
}

#[test]
fn files_that_cannot_be_read_are_told() {
    let huge = "#".repeat(MAX_FILE_BYTES as usize + 1);
    let folder = folder("files", &[("huge.toml", &huge)]);
    std::fs::write(folder.join("latin.toml"), b"title = \"\xe9\"").unwrap();
    assert_eq!(message(&folder, "huge.toml"), "huge.toml: larger than 4 MiB");
    assert_eq!(message(&folder, "latin.toml"), "latin.toml: not a text in UTF-8");
    assert!(message(&folder, "none.toml").starts_with("none.toml: "));
    let error = check(&Source::BuiltIn("none.toml".to_owned()), &[]).unwrap_err();
    assert!(matches!(error, SceneError::NotFound { .. }));
}
