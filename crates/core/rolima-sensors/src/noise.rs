//! Gaussian errors out of a stream.

use rolima_math::Stream;

/// An error of mean 0 and standard deviation `sigma`. Takes one draw, also for `sigma` 0.
#[inline]
pub fn gaussian(stream: &mut Stream, sigma: f64) -> f64 {
    if sigma > 0.0 {
        return sigma * stream.normal();
    }
    stream.skip(1);
    0.0
}
