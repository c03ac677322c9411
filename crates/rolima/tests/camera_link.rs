//! The camera link of a run of the program, and `rolima camera`.

use crate::common;

use common::running::{HERE, Running, address_by};
use common::{rolima, stderr};
use rolima_testing::Folder;
use std::fs::File;
use std::process::{Command, Stdio};

const PIXELS: usize = 640 * 480;

/// A run with a camera link; the address is that of its first camera.
fn run(arguments: &[&str]) -> Running {
    let mut child = rolima(&[&["run", "watched", "--headless"], arguments].concat())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let address = address_by(&mut child, "overhead: camera link at ").expect("an address");
    Running::of(child, address.trim_end_matches(','))
}

#[test]
fn raw_frames_go_to_a_pipe_that_ffmpeg_reads() {
    let run = run(&["--camera-link-listen", HERE]);
    let folder = Folder::new("camera-link");
    for (way, frames) in [("--raw", 3), ("--udp", 2)] {
        let file = folder.file("frames.rgb");
        let count = frames.to_string();
        let mut command = rolima(&["camera", &run.address, "--raw", "--frames", &count]);
        if way != "--raw" {
            command.arg(way);
        }
        let output =
            command.stdout(File::create(&file).expect("a file")).output().expect("it runs");
        let said = stderr(&output);
        assert!(output.status.success(), "{said}");
        assert!(said.contains("overhead: 640 x 480, rgb24, 30.000 frames/s"), "{said}");
        assert_eq!(std::fs::metadata(&file).expect("a file").len() as usize, frames * 3 * PIXELS);
        let read = Command::new("ffmpeg")
            .args([
                "-v",
                "error",
                "-f",
                "rawvideo",
                "-pixel_format",
                "rgb24",
                "-video_size",
                "640x480",
                "-i",
            ])
            .arg(&file)
            .args(["-f", "framemd5", "-"])
            .output()
            .expect("ffmpeg, which `cargo xtask test` installs");
        let text = String::from_utf8_lossy(&read.stdout).into_owned();
        let seen = text.lines().filter(|line| !line.starts_with('#')).count();
        assert_eq!(seen, frames, "{text}{}", stderr(&read));
    }
    let output = rolima(&["camera", &run.address, "--frames", "4"]).output().expect("it runs");
    assert!(common::stdout(&output).contains("frames/s"), "{}", stderr(&output));
}

#[test]
fn tokens_are_kept_in_a_file_and_needed_then() {
    let folder = Folder::new("camera-tokens");
    let file = folder.file("match.tokens");
    let path = file.to_str().expect("a path");
    let first = run(&["--camera-link-listen", HERE, "--camera-link-tokens", path]);
    let text = std::fs::read_to_string(&file).expect("a file");
    let token = text.lines().find_map(|line| line.strip_prefix("overhead ")).expect("a token");
    let taken = |token: &str| {
        let options = ["camera", &first.address, "--frames", "1", "--token", token];
        rolima(&options).output().expect("it runs")
    };
    assert!(taken(token).status.success());
    let refused = taken("");
    assert!(
        stderr(&refused).contains("the camera link refuses: wrong token"),
        "{}",
        stderr(&refused)
    );
    assert!(!refused.status.success());
    let twice =
        rolima(&["run", "soccer", "--headless", "--camera-link"]).output().expect("it runs");
    assert_eq!(twice.status.code(), Some(2));
    assert!(stderr(&twice).contains("no camera of the world"), "{}", stderr(&twice));
}
