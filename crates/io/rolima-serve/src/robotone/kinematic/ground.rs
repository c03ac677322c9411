//! What a robot in memory sees: the painted ground under the sky.

use rolima_math::{sin_cos, tan};
use std::f64::consts::PI;
use std::sync::Arc;

/// The colour of the ground at x, y (m).
pub type GroundColour = Arc<dyn Fn(f64, f64) -> [u8; 3] + Send + Sync>;

const WIDTH: usize = 320;
const HEIGHT: usize = 240;
/// Angle of view across, degrees.
const ACROSS_DEG: f64 = 60.0;
/// Height of the camera, m.
const EYE: f64 = 0.5;
/// Beyond, everything is in the haze, m.
const FAR: f64 = 60.0;

const SKY: [u8; 3] = [170, 205, 240];
const GRASS: [u8; 3] = [60, 150, 50];
const ROAD: [u8; 3] = [110, 110, 112];

/// Nothing but grass.
pub fn grass() -> GroundColour {
    Arc::new(|_, _| GRASS)
}

/// A closed road on grass: two straights of a length along x, joined by half circles; it passes
/// through the origin. All in metres.
pub fn road(straight: f64, radius: f64, width: f64) -> GroundColour {
    Arc::new(move |x, y| {
        let beyond = x - x.clamp(0.0, straight);
        let y = y - radius;
        let off = ((beyond * beyond + y * y).sqrt() - radius).abs();
        if off <= width / 2.0 { ROAD } else { GRASS }
    })
}

/// The picture at a pose: RGB, top row first.
pub(super) fn draw(ground: &GroundColour, [x, y, theta]: [f64; 3]) -> Vec<u8> {
    let focal = WIDTH as f64 / 2.0 / tan(ACROSS_DEG / 2.0 * PI / 180.0);
    let (sin, cos) = sin_cos(theta);
    let mut rgb = Vec::with_capacity(WIDTH * HEIGHT * 3);
    for row in 0..HEIGHT {
        let down = row as f64 + 0.5 - HEIGHT as f64 / 2.0;
        let ahead = EYE * focal / down;
        if down <= 0.0 || ahead > FAR {
            rgb.extend(SKY.repeat(WIDTH));
            continue;
        }
        for column in 0..WIDTH {
            let left = (WIDTH as f64 / 2.0 - column as f64 - 0.5) * ahead / focal;
            rgb.extend(ground(x + ahead * cos - left * sin, y + ahead * sin + left * cos));
        }
    }
    rgb
}
