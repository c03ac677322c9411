//! Deterministic mathematics: the same bits on every target.
//!
//! The standard library's transcendental functions differ between platforms, so everything in
//! Rolimã that needs a sine or an exponential takes it from here. Plain `+ - * /` and `sqrt` are
//! exact by IEEE 754 and are used as they are; fused multiply-add is never used.
//!
//! | module | what |
//! |---|---|
//! | [`functions`] | sin, cos, atan2, exp, ... (libm) and a fast pair for small angles |
//! | [`straight`] | atan, sin, exp as straight-line code, for loops that become vectors |
//! | [`plane`] | vectors, rotations and poses in the plane |
//! | [`space`] | vectors, quaternions and symmetric matrices in space |
//! | [`matrix`] | small fixed-size matrices and the matrix exponential |
//! | [`random`] | named random streams, keyed by seed and device, never by the clock |
//! | [`normal`] | normally distributed numbers out of such streams |
//! | [`hash`] | the 64-bit hash behind golden tests; what of specifications goes into fingerprints |
//! | [`words`] | states as lists of words: hash, save, restore |

pub mod functions;
pub mod hash;
pub mod matrix;
pub mod normal;
pub mod plane;
pub mod random;
pub mod space;
pub mod straight;
pub mod words;

pub use functions::{
    acos, asin, atan, atan2, cos, exp, larger, ln, powf, sin, sin_cos, smaller, tan, wrap_angle,
};
pub use hash::{Hash64, Physics};
pub use normal::normal_quantile;
pub use plane::{PlaneMotion, Pose2, Rot2, Vec2};
pub use random::Stream;
pub use space::{Pose3, Quat, Sym3, Vec3};
pub use words::Words;
