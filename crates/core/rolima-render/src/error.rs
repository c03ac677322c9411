//! What can be wrong with a stage, a lens or a mesh file.

/// A shape or texture that cannot be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum StageError {
    /// An outline without area.
    #[error("outline: expected at least 3 corners, and not millions, got {corners}")]
    Outline {
        /// Corners given.
        corners: usize,
    },
    /// A vertex that is nowhere.
    #[error("vertex {index}: expected finite coordinates within 10,000 km")]
    Vertex {
        /// Counted from 0.
        index: usize,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle corner {index}: expected one of {vertices} vertices, counted from 0")]
    Corner {
        /// The vertex named.
        index: u32,
        /// How many there are.
        vertices: usize,
    },
    /// More vertices or faces than a solid may have.
    #[error("solid: expected at most 4,000,000 vertices and faces, got {parts}")]
    TooLarge {
        /// The larger count.
        parts: usize,
    },
    /// Bytes that do not fit the size of a picture.
    #[error("texture: expected 3 x {width} x {height} bytes and at least one pixel, got {bytes}")]
    TextureSize {
        /// Pixels across.
        width: usize,
        /// Pixels down.
        height: usize,
        /// Bytes given.
        bytes: usize,
    },
    /// More textures than a stage may have.
    #[error("texture: a stage has at most 1,024")]
    TooManyTextures,
    /// A mesh file that does not parse.
    #[error("line {line}: expected {expected}, got `{got}`")]
    Obj {
        /// Counted from 1.
        line: usize,
        /// What would have been right.
        expected: &'static str,
        /// What was there, shortened.
        got: String,
    },
}

/// A picture that cannot be drawn.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// A picture that is too small or too large.
    #[error("{name}: expected 1 to 8192 pixels, got {pixels}")]
    Size {
        /// `width` or `height`.
        name: &'static str,
        /// Pixels wanted.
        pixels: u32,
    },
    /// An opening that no flat picture has.
    #[error("{name} field of view: expected 0.01 to 175 degrees, got {degrees}")]
    Opening {
        /// `horizontal` or `vertical`.
        name: &'static str,
        /// Opening wanted.
        degrees: f64,
    },
    /// A near plane that is too near or too far.
    #[error("near: expected 0.0001 to 1000 m, got {near}")]
    Near {
        /// Distance wanted, m.
        near: f64,
    },
    /// A buffer of another size than the picture.
    #[error("{name}: expected room for {expected} values, got {got}")]
    Buffer {
        /// `rgb`, `depth` or `objects`.
        name: &'static str,
        /// Values of the picture.
        expected: usize,
        /// Values of the buffer.
        got: usize,
    },
}
