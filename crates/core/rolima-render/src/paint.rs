//! Colours, light and sky.

use crate::pose::{Point3, dot, unit_or};

/// Red, green, blue as shown on a screen, 0 to 255.
pub type Colour = [u8; 3];

/// Which texture of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextureId(pub(crate) u16);

/// How a surface looks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Paint {
    /// Its colour in full sunlight. Textures are multiplied by it.
    pub colour: Colour,
    /// What covers it, and how many metres one copy of the texture is wide and high.
    pub texture: Option<(TextureId, [f64; 2])>,
    /// A second colour: balls have it on every other eighth, so that one sees them roll.
    pub second: Option<Colour>,
    /// How strongly it mirrors the sun, 0 to 1.
    pub gloss: f64,
    /// Share of its light that is its own, 0 to 1: 1 is seen in its colour whatever shines on it.
    pub glow: f64,
}

impl Paint {
    /// One colour, without gloss.
    pub const fn plain(colour: Colour) -> Self {
        Self { colour, texture: None, second: None, gloss: 0.0, glow: 0.0 }
    }

    /// A texture in its own colours; one copy covers `size_m` metres.
    pub const fn textured(texture: TextureId, size_m: f64) -> Self {
        Self { texture: Some((texture, [size_m; 2])), ..Self::plain([255, 255, 255]) }
    }

    /// This paint with another colour.
    pub const fn coloured(self, colour: Colour) -> Self {
        Self { colour, ..self }
    }

    /// This paint with a second colour on balls.
    pub const fn with_second(self, colour: Colour) -> Self {
        Self { second: Some(colour), ..self }
    }

    /// This paint with the given gloss.
    pub const fn glossy(self, gloss: f64) -> Self {
        Self { gloss, ..self }
    }

    /// What light comes off it where this much falls on it, linear.
    pub(crate) fn lit(&self, light: [f64; 3]) -> [f64; 3] {
        let own = if self.glow > 0.0 { self.glow.min(1.0) } else { 0.0 };
        light.map(|light| light * (1.0 - own) + own)
    }
}

/// Sun, sky and air.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Daylight {
    /// Where the sun stands: a direction of the world, of any length, pointing up.
    pub towards_sun: Point3,
    /// Light of the sun on a surface that faces it, linear, 1 = white.
    pub sun: [f64; 3],
    /// Light of the sky on a surface that looks up, linear, 1 = white.
    pub ambient: [f64; 3],
    /// Colour of the sky overhead.
    pub zenith: Colour,
    /// Colour of the sky at the horizon; far things take it on.
    pub horizon: Colour,
    /// Where things have faded halfway into the horizon, m; infinite for clear air.
    pub half_fade_m: f64,
}

impl Default for Daylight {
    /// A clear day with the sun at 48 degrees, behind and to the left of one who looks along x.
    fn default() -> Self {
        Self {
            towards_sun: [-0.45, 0.5, 0.75],
            sun: [0.86, 0.79, 0.66],
            ambient: [0.24, 0.28, 0.35],
            zenith: [64, 124, 204],
            horizon: [206, 222, 238],
            half_fade_m: 160.0,
        }
    }
}

impl Daylight {
    /// Unit vector towards the sun; straight up if the given one has no direction or points down.
    pub(crate) fn sun_direction(&self) -> Point3 {
        let up = [0.0, 0.0, 1.0];
        let direction = unit_or(self.towards_sun, up);
        if direction[2] > 0.05 { direction } else { up }
    }

    /// How much of the sun reaches a surface whose unit normal has cosine `facing` to it. Squared
    /// half-Lambert: surfaces that face away still differ from one another.
    #[inline(always)]
    pub(crate) fn sun_share(facing: f64) -> f64 {
        let half = 0.5 * facing + 0.5;
        half * half
    }

    /// Linear light on a surface: `facing` as above, `up` the upward part of its unit normal.
    pub(crate) fn light(&self, facing: f64, up: f64) -> [f64; 3] {
        let (sun, sky) = (Self::sun_share(facing), 0.75 + 0.25 * up);
        [0, 1, 2].map(|i| self.ambient[i] * sky + self.sun[i] * sun)
    }

    /// Shown colour of a surface under linear light. Screens show about the square root of light.
    pub(crate) fn shown(colour: Colour, light: [f64; 3]) -> [f32; 3] {
        [0, 1, 2].map(|i| {
            let x = f64::from(colour[i]) * light[i].sqrt();
            // Written so that what is not a number becomes black.
            if x > 0.0 { if x < 255.0 { x as f32 } else { 255.0 } } else { 0.0 }
        })
    }

    /// Shown colour of a flat surface with a world normal.
    pub(crate) fn shown_flat(&self, paint: &Paint, normal: Point3) -> [f32; 3] {
        let light = self.light(dot(normal, self.sun_direction()), normal[2]);
        Self::shown(paint.colour, paint.lit(light))
    }
}
