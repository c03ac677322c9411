//! Films that cannot be made.

use rolima_render::{DrawError, StageError};
use std::io;

/// Why a film cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FilmError {
    /// The name of the file says of no format that can be written.
    #[error(
        "{file}: expected a name that ends in .mp4, .gif or .apng, or any that ffmpeg knows with --ffmpeg"
    )]
    Format {
        /// The file.
        file: String,
    },
    /// A size, a rate or a length that a format does not have.
    #[error("{format}: expected {expected}, got {got}")]
    Reel {
        /// The format.
        format: &'static str,
        /// What it has.
        expected: &'static str,
        /// What was asked for.
        got: String,
    },
    /// This program was built without an encoder.
    #[error(
        "{file}: this rolima was built without MP4; build it again with a C++ compiler there (on Debian and \
         Ubuntu: apt install g++), or choose .gif or .apng, or --ffmpeg"
    )]
    NoMp4 {
        /// The file.
        file: String,
    },
    /// ffmpeg is not there.
    #[error(
        "--ffmpeg: ffmpeg cannot be started ({why}); install it (on Debian and Ubuntu: apt install ffmpeg), \
         or choose .mp4, .gif or .apng without --ffmpeg"
    )]
    NoFfmpeg {
        /// What the system says.
        why: io::Error,
    },
    /// ffmpeg gave up.
    #[error("{file}: ffmpeg gave up: {said}")]
    Ffmpeg {
        /// The file.
        file: String,
        /// Its last line.
        said: String,
    },
    /// The file cannot be written.
    #[error("{file} cannot be written: {why}")]
    File {
        /// The file.
        file: String,
        /// What the system says.
        why: io::Error,
    },
    /// An encoder refused a picture.
    #[error("{file}: a picture cannot be encoded: {why}")]
    Encoder {
        /// The file.
        file: String,
        /// What it says.
        why: String,
    },
    /// There is no such camera.
    #[error("--camera: expected {expected}, got `{got}`")]
    Camera {
        /// The cameras that there are.
        expected: String,
        /// What was asked for.
        got: String,
    },
    /// An overlay that there is not.
    #[error(
        "--overlay: expected some of time, score and traces with commas between them, or none, got `{got}`"
    )]
    Overlay {
        /// What was asked for.
        got: String,
    },
    /// The stage cannot be built.
    #[error(transparent)]
    Stage(#[from] StageError),
    /// A picture cannot be drawn.
    #[error(transparent)]
    Draw(#[from] DrawError),
}

impl FilmError {
    /// Whether what was asked for cannot be, rather than what the machine can do.
    pub fn is_usage(&self) -> bool {
        !matches!(self, Self::File { .. } | Self::Encoder { .. } | Self::Ffmpeg { .. })
    }
}
