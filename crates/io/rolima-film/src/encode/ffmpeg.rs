//! Whatever ffmpeg makes of the pictures, by the file's name.

use super::{Encode, Output, Reel};
use crate::FilmError;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::{self, JoinHandle};

pub(super) struct Ffmpeg {
    output: Output,
    child: Child,
    /// Reads what it says on standard error, so that it never waits for that; none once it has ended.
    said: Option<JoinHandle<String>>,
}

impl Ffmpeg {
    /// Starts `program`, which is ffmpeg.
    pub(super) fn create(
        reel: &Reel,
        path: &Path,
        force: bool,
        program: &str,
    ) -> Result<Self, FilmError> {
        let [width, height] = reel.size;
        // Made here, so that an old file is not lost; ffmpeg writes over this one.
        let (output, _) = Output::create(path, force)?;
        let mut ffmpeg = Command::new(program);
        ffmpeg.args(["-loglevel", "error", "-f", "rawvideo", "-pixel_format", "rgb24"]);
        ffmpeg.args(["-video_size", &format!("{width}x{height}")]);
        ffmpeg.args(["-framerate", &reel.fps.to_string(), "-i", "pipe:0", "-y"]);
        if is_video(path) {
            // By itself it would keep all of the colours, which few players show.
            ffmpeg.args(["-pix_fmt", "yuv420p"]);
        }
        // Never an option or a protocol, however the file is named.
        let mut file = OsString::from("file:");
        file.push(path);
        ffmpeg.arg(file).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = ffmpeg.spawn().map_err(|why| {
            output.remove();
            FilmError::NoFfmpeg { why }
        })?;
        let mut errors = child.stderr.take();
        let said = thread::spawn(move || {
            let mut said = vec![];
            if let Some(errors) = &mut errors {
                // What cannot be read is not told.
                let _ = errors.read_to_end(&mut said);
            }
            String::from_utf8_lossy(&said).into_owned()
        });
        Ok(Self { output, child, said: Some(said) })
    }

    /// Waits for its end; the last line that it said, if it did not end well.
    fn end(&mut self) -> Result<(), FilmError> {
        drop(self.child.stdin.take());
        let ended = self.child.wait().map_err(|why| self.output.broken(why))?;
        let said = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
        if ended.success() {
            return Ok(());
        }
        let file = self.output.path.display().to_string();
        let said = said.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("it says not why");
        Err(FilmError::Ffmpeg { file, said: said.to_owned() })
    }
}

/// Whether a file is to be a film for players, by its name, rather than an animated picture.
fn is_video(path: &Path) -> bool {
    const VIDEOS: [&str; 7] = ["avi", "m4v", "mkv", "mov", "mp4", "ogv", "webm"];
    let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    VIDEOS.contains(&ending.to_ascii_lowercase().as_str())
}

impl Encode for Ffmpeg {
    fn write(&mut self, rgb: &[u8]) -> Result<(), FilmError> {
        let Some(input) = &mut self.child.stdin else { return Ok(()) };
        // Nobody reads any more: ffmpeg says why, or has taken all that it wanted.
        input.write_all(rgb).or_else(|why| match self.end() {
            Ok(()) => Err(self.output.broken(why)),
            said => said,
        })
    }

    fn finish(mut self: Box<Self>) -> Result<(), FilmError> {
        let ended = self.end();
        if ended.is_err() {
            self.output.remove();
        }
        ended
    }

    fn call_off(mut self: Box<Self>) {
        if self.said.is_some() {
            // Why the film is called off is known already.
            let _ = self.end();
        }
        self.output.remove();
    }
}
