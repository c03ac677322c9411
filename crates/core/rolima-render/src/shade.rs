//! Colours: from surface number and depth to what the eye sees, eight pixels at a time.

use crate::land::{LandLook, LandView, Piece, run_land};
use crate::raster::{Buffers, LANES, NUMBER, SHADOW_BIT, widest};
use crate::texture::{LEVELS, TEXELS, TEXTURE_SIDE, Texture};
use std::ops::Range;

/// Depths beyond this, m, are shown as this: keeps all numbers finite.
const FARTHEST_INVERSE: f32 = 1.0e-6;
/// Added to a number below 2^22, leaves its nearest whole number in the low bits.
pub(crate) const ROUND: f32 = 12_582_912.0;

/// Blocks whose texels are looked up together.
const PIECE: usize = 16;

pub(crate) type Lanes = [f32; LANES];

/// What is needed to colour a surface of this picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    /// Number in object pictures.
    pub(crate) object: u32,
    pub(crate) kind: Kind,
    /// Shown colour, 0 to 255: lit already if the surface is flat.
    pub(crate) colour: [f32; 3],
    /// The same without the sun.
    pub(crate) shadow: [f32; 3],
    /// Texture of the stage, and its coordinates in texels.
    pub(crate) texture: Option<(u16, [Linear; 2])>,
    /// Texels that a pixel spreads over, squared, both directions together: with depth z it is
    /// z^2 (first + z^2 second), the second for surfaces seen at a slant.
    pub(crate) spread: [f32; 2],
    /// How it mirrors the sun, where that reaches it; balls have their own.
    pub(crate) shine: Option<Shine>,
    /// Of paint on rough ground: share of light that is its own.
    pub(crate) glow: f32,
}

/// How a flat surface mirrors the sun.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shine {
    /// Unit normal in the camera frame.
    pub(crate) normal: [f32; 3],
    /// 0 to 1.
    pub(crate) gloss: f32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Sky,
    Flat,
    /// Number of a [`Round`].
    Smooth(u32),
    /// Number of a [`Ball`].
    Ball(u32),
    /// Rough ground, with the colours of its nodes.
    Land,
    /// Paint on rough ground.
    Draped,
}

/// A linear function of the place on a surface: depth times (a column + b row + c), plus `start`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Linear {
    pub(crate) a: f32,
    pub(crate) b: f32,
    pub(crate) c: f32,
    pub(crate) start: f32,
}

/// Light on a face that looks round.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Round {
    pub(crate) ambient: [f32; 3],
    pub(crate) share: Linear,
    pub(crate) least: f32,
    pub(crate) most: f32,
}

/// A ball, in the camera frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ball {
    pub(crate) centre: [f32; 3],
    pub(crate) inverse_radius: f32,
    /// Axes of the body, for its second colour.
    pub(crate) axes: [[f32; 3]; 3],
    pub(crate) second: [f32; 3],
    pub(crate) gloss: f32,
    /// Share of light that is its own.
    pub(crate) glow: f32,
}

/// Light and air, in the camera frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Air {
    pub(crate) dx: [f32; 2],
    pub(crate) dy: [f32; 2],
    pub(crate) towards_sun: [f32; 3],
    pub(crate) up: [f32; 3],
    pub(crate) sun: [f32; 3],
    pub(crate) ambient: [f32; 3],
    pub(crate) zenith: [f32; 3],
    pub(crate) horizon: [f32; 3],
    pub(crate) half_fade_m: f32,
}

/// What the surfaces of a picture are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Palette {
    pub(crate) air: Air,
    pub(crate) surfaces: Vec<Surface>,
    pub(crate) rounds: Vec<Round>,
    pub(crate) balls: Vec<Ball>,
    pub(crate) land: LandView,
}

/// What pixels are coloured from.
type Scene<'a> = (&'a Palette, &'a [Texture], Option<&'a LandLook>, &'a Buffers);

widest! {
    /// Colours some rows from `first` on into packed pixels, from one block to another a row.
    fn shade_rows(
        palette: &Palette,
        textures: &[Texture],
        look: Option<&LandLook>,
        buffers: &Buffers,
        first: usize,
        columns: Range<usize>,
        out: &mut [[u32; LANES]],
    ) = rows_kernel
}

#[inline(always)]
fn rows_kernel(
    palette: &Palette,
    textures: &[Texture],
    look: Option<&LandLook>,
    buffers: &Buffers,
    first: usize,
    columns: Range<usize>,
    out: &mut [[u32; LANES]],
) {
    let blocks = buffers.blocks;
    let skipped = columns.start;
    for (i, out) in out.chunks_exact_mut(columns.len()).enumerate() {
        let row = first + i;
        let range = row * blocks..(row + 1) * blocks;
        let (depths, numbers) = (&buffers.inverse_depth[range.clone()], &buffers.numbers[range]);
        let mut at = columns.start;
        while at < columns.end {
            let number = numbers[at][0];
            let alike = |block: &[u32; LANES]| block.iter().fold(0, |d, n| d | (n ^ number)) == 0;
            if !alike(&numbers[at]) {
                let scene = (palette, textures, look, buffers);
                let out = &mut out[at - skipped];
                mixed(scene, &depths[at], &numbers[at], at, row, out);
                at += 1;
                continue;
            }
            let mut end = at + 1;
            while end < columns.end && alike(&numbers[end]) {
                end += 1;
            }
            let scene = (palette, textures, look, buffers);
            let out = &mut out[at - skipped..end - skipped];
            run::<PIECE>(scene, number, at, row, &depths[at..end], out);
            at = end;
        }
    }
}

/// A block of several surfaces: each colours all of it, and its own pixels are kept.
#[inline(always)]
fn mixed(
    scene: Scene<'_>,
    depth: &Lanes,
    numbers: &[u32; LANES],
    at: usize,
    row: usize,
    out: &mut [u32; LANES],
) {
    let mut left = 0xFF_u32;
    while left != 0 {
        let number = numbers[left.trailing_zeros() as usize];
        let mut colours = [[0; LANES]];
        let depth = std::slice::from_ref(depth);
        run::<1>(scene, number, at, row, depth, &mut colours);
        for i in 0..LANES {
            if numbers[i] == number {
                out[i] = colours[0][i];
                left &= !(1 << i);
            }
        }
    }
}

/// Blocks of one surface, in pieces of some.
#[inline(always)]
fn run<const PIECE: usize>(
    (palette, textures, look, buffers): Scene<'_>,
    number: u32,
    at: usize,
    row: usize,
    depths: &[Lanes],
    out: &mut [[u32; LANES]],
) {
    let Some(surface) = palette.surfaces.get((number & NUMBER) as usize) else { return };
    let shadow = number & SHADOW_BIT != 0;
    if let Kind::Land | Kind::Draped = surface.kind {
        let Some(look) = look else { return };
        let piece = Piece { surface, at, row, shadow };
        return match surface.kind {
            Kind::Land => run_land::<true>(palette, textures, look, buffers, &piece, out),
            _ => run_land::<false>(palette, textures, look, buffers, &piece, out),
        };
    }
    let (air, row) = (&palette.air, row as f32);
    let colour = if shadow { surface.shadow } else { surface.colour };
    let texture = surface
        .texture
        .and_then(|(i, axes)| textures.get(usize::from(i)).map(|t| (&*t.texels, axes)));
    let shine = if shadow { None } else { surface.shine.as_ref() };
    let mut x = (at * LANES) as f32;
    for (depths, out) in depths.chunks(PIECE).zip(out.chunks_mut(PIECE)) {
        let mut texels = [[0x00FF_FFFF; LANES]; PIECE];
        if let Some((image, axes)) = &texture {
            let texels = &mut texels[..depths.len()];
            for (block, (depth, index)) in depths.iter().zip(texels.iter_mut()).enumerate() {
                let x = x + (block * LANES) as f32;
                let [across, along] = surface.spread;
                let spread = |_: usize, square: f32| square * (across + along * square);
                *index = look_up(axes, spread, x, row, depth);
            }
            for block in texels {
                for texel in block {
                    *texel = image[*texel as usize & (TEXELS - 1)];
                }
                // Keeps the compiler from weaving blocks together.
                std::hint::black_box(());
            }
        }
        for ((depth, texel), out) in depths.iter().zip(&texels).zip(out) {
            let mut rgb = match surface.kind {
                Kind::Flat => colour.map(|c| [c; LANES]),
                Kind::Smooth(i) => match palette.rounds.get(i as usize) {
                    Some(round) => smooth(air, round, x, row, depth, colour),
                    None => [[0.0; LANES]; 3],
                },
                Kind::Ball(i) => match palette.balls.get(i as usize) {
                    Some(body) => ball(air, body, x, row, depth, colour),
                    None => [[0.0; LANES]; 3],
                },
                Kind::Sky | Kind::Land | Kind::Draped => [[0.0; LANES]; 3],
            };
            if let Some(shine) = shine {
                mirror(air, shine, x, row, &mut rgb);
            }
            *out = match surface.kind {
                Kind::Sky => sky(air, x, row),
                _ => finish(air, depth, texel, &rgb),
            };
            x += LANES as f32;
        }
    }
}

/// Multiplies by a texture, and lets far things take on the colour of the horizon, by
/// 1 / (1 + (half / depth)^2).
#[inline(always)]
pub(crate) fn finish(
    air: &Air,
    depth: &Lanes,
    texel: &[u32; LANES],
    rgb: &[Lanes; 3],
) -> [u32; LANES] {
    let mut out = [0; LANES];
    for i in 0..LANES {
        let near = air.half_fade_m * depth[i];
        let share = 1.0 / (1.0 + near * near);
        let mut packed = 0;
        for c in 0..3 {
            let part = ((texel[i] >> (8 * c)) & 0xFF) as i32 as f32 * (1.0 / 255.0);
            let own = rgb[c][i] * part;
            packed |= byte(own + (air.horizon[c] - own) * share) << (8 * c);
        }
        out[i] = packed;
    }
    out
}

/// The nearest whole number of one that is within 0 to 255 but for rounding.
#[inline(always)]
fn byte(x: f32) -> u32 {
    (x + ROUND).to_bits() & 0xFF
}

#[inline(always)]
pub(crate) fn reciprocal(inverse: f32) -> f32 {
    1.0 / (if inverse > FARTHEST_INVERSE { inverse } else { FARTHEST_INVERSE })
}

#[inline(always)]
pub(crate) fn at_most(x: f32, most: f32) -> f32 {
    if x < most { x } else { most }
}

#[inline(always)]
pub(crate) fn at_least(x: f32, least: f32) -> f32 {
    if x > least { x } else { least }
}

/// Sky by elevation, bright around the sun.
#[inline(always)]
fn sky(air: &Air, x: f32, row: f32) -> [u32; LANES] {
    let mut out = [0; LANES];
    let dy = air.dy[0] * row + air.dy[1];
    let (up, sun) = (air.up, air.towards_sun);
    for i in 0..LANES {
        let dx = air.dx[0] * (x + i as f32) + air.dx[1];
        let inverse = 1.0 / (dx * dx + dy * dy + 1.0).sqrt();
        let rise = at_least((up[0] * dx + up[1] * dy + up[2]) * inverse, 0.0);
        let low = 1.0 - rise;
        let low = low * low;
        let blue = 1.0 - low * low;
        let facing = at_least((sun[0] * dx + sun[1] * dy + sun[2]) * inverse, 0.0);
        let glow = facing * facing * facing * facing;
        let glow = glow * glow;
        let glow = 0.35 * glow * glow;
        let mut packed = 0;
        for c in 0..3 {
            let colour = air.horizon[c] + (air.zenith[c] - air.horizon[c]) * blue;
            packed |= byte(colour + (255.0 - colour) * glow) << (8 * c);
        }
        out[i] = packed;
    }
    out
}

/// Light that changes over a face.
#[inline(always)]
fn smooth(
    air: &Air,
    round: &Round,
    x: f32,
    row: f32,
    depth: &Lanes,
    colour: [f32; 3],
) -> [Lanes; 3] {
    let mut rgb = [[0.0; LANES]; 3];
    let share = &round.share;
    let start = share.b * row + share.c;
    for i in 0..LANES {
        let s = reciprocal(depth[i]) * (share.a * (x + i as f32) + start) + share.start;
        let s = at_most(at_least(s, round.least), round.most);
        for c in 0..3 {
            let light = (round.ambient[c] + air.sun[c] * s).sqrt();
            rgb[c][i] = at_most(colour[c] * light, 255.0);
        }
    }
    rgb
}

#[inline(always)]
fn ball(air: &Air, ball: &Ball, x: f32, row: f32, depth: &Lanes, colour: [f32; 3]) -> [Lanes; 3] {
    let mut rgb = [[0.0; LANES]; 3];
    let dy = air.dy[0] * row + air.dy[1];
    let [cx, cy, cz] = ball.centre;
    // Products are written out: arrays of three keep the compiler from making vectors of eight.
    let ([sx, sy, sz], [ux, uy, uz]) = (air.towards_sun, air.up);
    let [[ax, ay, az], [bx, by, bz], [gx, gy, gz]] = ball.axes;
    for i in 0..LANES {
        let dx = air.dx[0] * (x + i as f32) + air.dx[1];
        let z = reciprocal(depth[i]);
        let nx = (z * dx - cx) * ball.inverse_radius;
        let ny = (z * dy - cy) * ball.inverse_radius;
        let nz = (z - cz) * ball.inverse_radius;
        let facing = nx * sx + ny * sy + nz * sz;
        let half = 0.5 * facing + 0.5;
        let (share, sky) = (half * half, 0.75 + 0.25 * (nx * ux + ny * uy + nz * uz));
        let eighth = (nx * ax + ny * ay + nz * az)
            * (nx * bx + ny * by + nz * bz)
            * (nx * gx + ny * gy + nz * gz);
        // Cosine between the eye and the mirrored sun, to the 24th.
        let mirrored = sx * dx + sy * dy + sz - 2.0 * facing * (nx * dx + ny * dy + nz);
        let mirrored = mirrored / (dx * dx + dy * dy + 1.0).sqrt();
        let mirrored = at_most(at_least(mirrored, 0.0), 1.0);
        let m2 = mirrored * mirrored;
        let m8 = m2 * m2 * m2 * m2;
        let shine = ball.gloss * (m8 * m8 * m8);
        for c in 0..3 {
            let own = if eighth < 0.0 { ball.second[c] } else { colour[c] };
            let light = at_least(air.ambient[c] * sky + air.sun[c] * share, 0.0);
            let light = (light * (1.0 - ball.glow) + ball.glow).sqrt();
            let lit = at_most(own * light, 255.0);
            rgb[c][i] = lit + (255.0 - lit) * shine;
        }
    }
    rgb
}

/// Brightens a flat surface where it mirrors the sun: by the cosine between the eye and the mirrored sun, to
/// the 24th, as on balls.
#[inline(always)]
fn mirror(air: &Air, shine: &Shine, x: f32, row: f32, rgb: &mut [Lanes; 3]) {
    let ([sx, sy, sz], [nx, ny, nz]) = (air.towards_sun, shine.normal);
    let facing = nx * sx + ny * sy + nz * sz;
    if facing <= 0.0 {
        return;
    }
    let dy = air.dy[0] * row + air.dy[1];
    for i in 0..LANES {
        let dx = air.dx[0] * (x + i as f32) + air.dx[1];
        let mirrored = sx * dx + sy * dy + sz - 2.0 * facing * (nx * dx + ny * dy + nz);
        let mirrored = mirrored / (dx * dx + dy * dy + 1.0).sqrt();
        let mirrored = at_most(at_least(mirrored, 0.0), 1.0);
        let m2 = mirrored * mirrored;
        let m8 = m2 * m2 * m2 * m2;
        let share = shine.gloss * (m8 * m8 * m8);
        for lanes in &mut *rgb {
            lanes[i] += (255.0 - lanes[i]) * share;
        }
    }
}

/// Where the texels of eight pixels are, in the copy whose texels are about as large as the pixels:
/// `spread` tells, by pixel and squared depth, how many texels a pixel spreads over, squared.
#[inline(always)]
pub(crate) fn look_up(
    axes: &[Linear; 2],
    spread: impl Fn(usize, f32) -> f32,
    x: f32,
    row: f32,
    depth: &Lanes,
) -> [u32; LANES] {
    const WIDTH: u32 = 2 * TEXTURE_SIDE as u32;
    /// Where the smallest copy begins to be right.
    const MOST_SPREAD: f32 = (1_u32 << (2 * (LEVELS - 1))) as f32;
    let starts = axes.map(|axis| axis.b * row + axis.c);
    let mut index = [0_u32; LANES];
    for i in 0..LANES {
        let z = reciprocal(depth[i]);
        let square = z * z;
        let texels = at_most(at_least(spread(i, square), 1.0), MOST_SPREAD);
        // The exponent is the logarithm; half of it is that of the root.
        let level = ((texels.to_bits() >> 23) - 127) >> 1;
        let shrink = f32::from_bits((127 - level) << 23);
        let width = WIDTH >> level;
        let place = |k: usize| {
            let p = z * (axes[k].a * (x + i as f32) + starts[k]) + axes[k].start;
            // Rounds down: half a texel less, to the nearest.
            (p * shrink - 0.5 + ROUND).to_bits() & ((width >> 1) - 1)
        };
        index[i] = place(1) * WIDTH + (WIDTH - width) + place(0);
    }
    index
}
