//! `rolima film`: films as other programs play them.

use crate::common::{code_and_stderr, good, output, stderr};
use rolima_testing::Folder;
use std::path::Path;
use std::process::{Command, Stdio};

/// What ffprobe says of a film's pictures: width, height, how many there are, and how long they last, s.
fn probed(path: &Path) -> (u32, u32, u64, f64) {
    let entries = "stream=width,height,nb_read_frames:format=duration";
    let probe = Command::new("ffprobe")
        .args(["-v", "error", "-count_frames", "-select_streams", "v:0", "-of", "default=nw=1"])
        .args(["-show_entries", entries])
        .arg(path)
        .output()
        .expect("ffprobe, which `cargo xtask test` installs");
    let said = String::from_utf8(probe.stdout).expect("text");
    assert!(probe.status.success(), "{}", String::from_utf8_lossy(&probe.stderr));
    let number = |key: &str| {
        let line = said.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        line.and_then(|number| number.parse::<f64>().ok()).unwrap_or(f64::NAN)
    };
    let [width, height, count] = ["width", "height", "nb_read_frames"].map(number);
    (width as u32, height as u32, count as u64, number("duration"))
}

/// All pictures of a film, as ffmpeg shows them: three bytes a pixel.
fn shown(path: &Path) -> Vec<u8> {
    let played = Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(path)
        .args(["-f", "rawvideo", "-pix_fmt", "rgb24", "-fps_mode", "passthrough", "-"])
        .stdin(Stdio::null())
        .output()
        .expect("ffmpeg, which `cargo xtask test` installs");
    assert!(played.status.success(), "{}", String::from_utf8_lossy(&played.stderr));
    played.stdout
}

/// The picture that `rolima picture` takes of the maze's robot after some time.
fn picture(folder: &Folder, after: &str) -> Vec<u8> {
    let path = folder.file("picture.png");
    let out = path.to_string_lossy();
    good(&["picture", "maze", "--after", after, "--out", &out]);
    let file = std::io::BufReader::new(std::fs::File::open(&path).expect("a file"));
    let mut reader = png::Decoder::new(file).read_info().expect("a PNG");
    let mut bytes = vec![0; reader.output_buffer_size().expect("a size")];
    reader.next_frame(&mut bytes).expect("a picture");
    bytes
}

/// Mean difference of two pictures, shades of 255.
fn off(one: &[u8], other: &[u8]) -> f64 {
    assert_eq!(one.len(), other.len());
    let sum: u64 = one.iter().zip(other).map(|(a, b)| u64::from(a.abs_diff(*b))).sum();
    sum as f64 / one.len() as f64
}

#[test]
fn films_play_with_the_size_count_length_and_pictures_that_were_asked_for() {
    let folder = Folder::new("film-play");
    let endings: &[(&str, f64)] = &[
        ("apng", 0.0),
        ("gif", 6.0),
        #[cfg(feature = "mp4")]
        ("mp4", 6.0),
    ];
    // The robot of the maze stands; the first picture is what `picture` takes.
    let expected = picture(&folder, "0");
    for (ending, most_off) in endings {
        let file = folder.file(&format!("a.{ending}"));
        let out = file.to_string_lossy();
        let said = good(&[
            "film",
            "maze",
            "--camera",
            "robot:robot",
            "--for",
            "1.2",
            "--fps",
            "25",
            "--out",
            &out,
        ]);
        assert!(said.contains("30 pictures of 320 x 240 pixels, 1.20 s"), "{said}");
        let (width, height, count, duration_s) = probed(&file);
        assert_eq!((width, height, count), (320, 240, 30), "{ending}");
        // ffprobe tells no length of an APNG.
        let is_right = (duration_s - 1.2).abs() < 0.03 || duration_s.is_nan() && *ending == "apng";
        assert!(is_right, "{ending}: {duration_s} s");
        let pictures = shown(&file);
        assert_eq!(pictures.len(), 30 * 320 * 240 * 3, "{ending}");
        let off = off(&pictures[..320 * 240 * 3], &expected);
        assert!(off <= *most_off, "{ending}: the first picture is off by {off} shades");
    }
}

#[test]
fn what_moves_in_the_world_moves_in_the_film_at_its_time() {
    let folder = Folder::new("film-moves");
    let whole = folder.file("whole.apng");
    let late = folder.file("late.apng");
    let film = |file: &Path, more: &[&str]| {
        let out = file.to_string_lossy().into_owned();
        let base =
            ["film", "soccer", "--size", "160x120", "--overlay", "none", "--fps", "10", "--out"];
        good(&[&base[..], &[&out], more].concat());
        shown(file)
    };
    let size = 160 * 120 * 3;
    let pictures = film(&whole, &["--for", "2"]);
    let of = |pictures: &[u8], n: usize| pictures[n * size..(n + 1) * size].to_vec();
    assert_eq!(pictures.len(), 20 * size);
    assert!(off(&of(&pictures, 0), &of(&pictures, 19)) > 0.05, "nobody moves");
    // The second half by itself is the same, to the bit; so is what is twice as fast.
    let second = film(&late, &["--start", "1", "--for", "1"]);
    assert!(second == pictures[10 * size..]);
    let fast = film(&folder.file("fast.apng"), &["--speed", "2", "--for", "2"]);
    assert_eq!(fast.len(), 10 * size);
    assert!((0..10).all(|n| of(&fast, n) == of(&pictures, 2 * n)));
    let other =
        film(&folder.file("seed.apng"), &["--seed", "9", "--set", "driver=random", "--for", "2"]);
    assert!(other != pictures);
}

#[test]
fn a_film_of_a_log_and_of_a_recording_are_those_of_the_run() {
    let folder = Folder::new("film-log");
    let path = |name: &str| folder.file(name).to_string_lossy().into_owned();
    let log = path("run.log");
    good(&["run", "soccer", "--headless", "--for", "1", "--log", &log, "--no-share"]);
    let film = |what: &str, name: &str| {
        let out = path(name);
        let more = ["--size", "160x120", "--fps", "20", "--out", &out];
        let said = good(
            &[&["film", what][..], &more, if what == "soccer" { &["--for", "1"] } else { &[] }]
                .concat(),
        );
        assert!(said.contains("pictures of 160 x 120 pixels"), "{said}");
        shown(out.as_ref())
    };
    let (scene, logged) = (film("soccer", "scene.apng"), film(&log, "log.apng"));
    // A log has its last instant, too.
    assert!(logged.len() >= scene.len() && logged[..scene.len()] == scene);
    let (code, said) = code_and_stderr(&["film", &log, "--seed", "3", "--out", &path("b.gif")]);
    assert!(code == Some(2) && said.contains("--seed: expected with scenes only"), "{said}");
    let recording =
        crate::export::recorded(&folder, "run.mcap", &rolima_record::Options::default());
    let recorded = film(&recording, "recording.apng");
    assert!(recorded == scene, "{} and {} bytes", recorded.len(), scene.len());
    std::fs::write(path("cut.mcap"), &std::fs::read(&recording).expect("it")[..2000])
        .expect("a file");
    let (code, said) = code_and_stderr(&["film", &path("cut.mcap"), "--out", &path("c.gif")]);
    assert!(code != Some(0) && said.contains("cut.mcap"), "{said}");
}

/// A film of a recording is simulated again: where that goes otherwise than recorded, as by another version,
/// it is told.
#[test]
fn a_recording_of_another_version_is_filmed_and_what_differs_is_told() {
    let folder = Folder::new("film-version");
    let path = |name: &str| folder.file(name).to_string_lossy().into_owned();
    let source = rolima_scene::Source::resolve("built-in:soccer").expect("a scene");
    let scene = rolima_scene::load(&source, &[]).expect("a good one");
    let options = rolima_record::Options { compressed: false, ..Default::default() };
    let mut file = vec![];
    rolima_record::record("soccer", &scene, 1.3, &options, &mut file).expect("a recording");
    let place = |bytes: &[u8], what: &[u8], from: usize| {
        let found = bytes[from..].windows(what.len()).position(|part| part == what);
        from + found.expect("it is there")
    };
    // The version; and a digit of the hash after a second, in a chunk whose checksum is left out.
    let version = env!("CARGO_PKG_VERSION").as_bytes();
    let at = place(&file, version, 0);
    file[at..at + version.len()].copy_from_slice(&b"9.9.9.9.9"[..version.len()]);
    let line = br#"{"step":1000,"do":"hash","state_hash":""#;
    let digit = place(&file, line, 0) + line.len();
    file[digit] = if file[digit] == b'0' { b'1' } else { b'0' };
    let (mut at, mut chunk) = (8, 0);
    while at < digit {
        chunk = at;
        at += 9 + u64::from_le_bytes(file[at + 1..at + 9].try_into().expect("8 bytes")) as usize;
    }
    file[chunk + 33..chunk + 37].fill(0);
    std::fs::write(path("other.mcap"), &file).expect("a file");
    let out = path("a.apng");
    let film = ["film", &path("other.mcap"), "--size", "64x48", "--fps", "10", "--out", &out];
    let (code, said) = code_and_stderr(&film);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("was recorded by rolima 9.9.9: this version may simulate"), "{said}");
    assert!(said.contains("between step 0 and step 1000 the run went otherwise"), "{said}");
    assert_eq!(shown(out.as_ref()).len(), 13 * 64 * 48 * 3);
}

#[test]
fn ffmpeg_writes_what_we_do_not_if_it_is_asked_to() {
    let folder = Folder::new("film-ffmpeg");
    let file = folder.file("a.webm");
    let out = file.to_string_lossy().into_owned();
    let film = ["film", "soccer", "--size", "64x48", "--for", "0.5", "--fps", "10", "--out", &out];
    let (code, said) = code_and_stderr(&film);
    assert!(code == Some(2) && said.contains("--ffmpeg"), "{said}");
    good(&[&film[..], &["--ffmpeg"]].concat());
    assert_eq!(probed(&file).2, 5);
    // Where it is not there the error says what to do.
    let folder = folder.path().to_string_lossy().into_owned();
    let mut without = crate::common::rolima(&[&film[..], &["--ffmpeg", "--force"]].concat());
    let without = without.env("PATH", &folder).output().expect("the program starts");
    let said = stderr(&without);
    assert!(without.status.code() == Some(2) && said.contains("apt install ffmpeg"), "{said}");
}

#[test]
fn bad_input_is_one_clear_sentence() {
    let folder = Folder::new("film-bad");
    let file = folder.file("a.gif");
    let out = file.to_string_lossy().into_owned();
    let film = ["film", "soccer", "--out", &out];
    for (more, expected) in [
        (&["--camera", "side"][..], "--camera: expected top"),
        (&["--size", "640"], "expected width x height"),
        (&["--size", "0x480"], "expected width x height"),
        (&["--fps", "0"], "expected a whole number from 1 to 1000"),
        (&["--fps", "60"], "GIF: expected at most 50 pictures a second, got 60"),
        (&["--overlay", "clock"], "--overlay: expected some of time"),
        (&["--speed", "0"], "expected a number from 0.001 to 1000"),
        (&["--for", "-1"], "expected a number of seconds"),
    ] {
        let (code, said) = code_and_stderr(&[&film[..], more].concat());
        assert!(code == Some(2) && said.contains(expected), "{more:?}: {said}");
        assert!(!file.exists(), "{more:?} left a file");
    }
    let nowhere = folder.file("none/a.gif").to_string_lossy().into_owned();
    let (code, said) = code_and_stderr(&["film", "soccer", "--out", &nowhere]);
    assert!(code == Some(1) && said.contains("a.gif cannot be written"), "{said}");
    std::fs::write(&file, "mine").expect("a file");
    let refused = output(&film);
    assert!(stderr(&refused).contains("--force"), "{}", stderr(&refused));
    assert_eq!(std::fs::read(&file).expect("it"), b"mine");
}
