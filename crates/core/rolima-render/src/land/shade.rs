//! Colours of rough ground and of paint on it, eight pixels at a time.

use super::LandLook;
use crate::raster::{Buffers, LANES};
use crate::shade::{
    Lanes, Linear, Palette, ROUND, Surface, at_least, at_most, finish, look_up, reciprocal,
};
use crate::texture::{TEXELS, Texture};

/// Where a picture's pixels lie on the terrain: in cells from its first node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LandView {
    pub(crate) cells: [Linear; 2],
}

/// A surface to colour: the first block and the row, and whether it lies in a shadow.
pub(crate) struct Piece<'a> {
    pub(crate) surface: &'a Surface,
    pub(crate) at: usize,
    pub(crate) row: usize,
    pub(crate) shadow: bool,
}

/// Colours blocks of one surface: the ground itself (`GROUND`), with the colours of its nodes, or
/// paint on it.
#[inline(always)]
pub(crate) fn run_land<const GROUND: bool>(
    palette: &Palette,
    textures: &[Texture],
    look: &LandLook,
    buffers: &Buffers,
    piece: &Piece<'_>,
    out: &mut [[u32; LANES]],
) {
    let Piece { surface, at, row, shadow } = *piece;
    let air = &palette.air;
    let first = row * buffers.blocks + at;
    let depths = &buffers.inverse_depth[first..first + out.len()];
    // Texels are chosen by how depth changes to the next row, or the one before.
    let next = match row {
        _ if row + 1 < buffers.height => first + buffers.blocks,
        0 => first,
        _ => first - buffers.blocks,
    };
    let others = &buffers.inverse_depth[next..next + out.len()];
    let texture = surface
        .texture
        .and_then(|(i, axes)| textures.get(usize::from(i)).map(|t| (&*t.texels, axes)));
    let row = row as f32;
    let colour = surface.colour.map(|c| if GROUND { c * (1.0 / 255.0) } else { c });
    let sunny = if shadow { 0.0 } else { 1.0 / 255.0 };
    for (block, ((depth, other), out)) in depths.iter().zip(others).zip(out).enumerate() {
        let x = ((at + block) * LANES) as f32;
        let mut texels = [0x00FF_FFFF; LANES];
        if let Some((image, axes)) = &texture {
            let mut along = [0.0; LANES];
            for i in 0..LANES {
                let beside = depth[if i + 1 < LANES { i + 1 } else { i - 1 }] - depth[i];
                let below = other[i] - depth[i];
                along[i] = surface.spread[1] * (beside * beside + below * below);
            }
            let spread = |i: usize, square: f32| square * (surface.spread[0] + along[i] * square);
            let index = look_up(axes, spread, x, row, depth);
            for i in 0..LANES {
                texels[i] = image[index[i] as usize & (TEXELS - 1)];
            }
        }
        let (parts, nodes) = around(palette, look, x, row, depth);
        let share = mean(&nodes, 24, &parts);
        let mut rgb = [[0.0; LANES]; 3];
        for c in 0..3 {
            let own = if GROUND { mean(&nodes, 8 * c as u32, &parts) } else { [1.0; LANES] };
            for i in 0..LANES {
                let light = air.ambient[c] + air.sun[c] * (share[i] * sunny);
                let light = (light * (1.0 - surface.glow) + surface.glow).sqrt();
                rgb[c][i] = at_most(colour[c] * own[i] * light, 255.0);
            }
        }
        *out = finish(air, depth, &texels, &rgb);
    }
}

/// The four nodes around each pixel, and where between them it lies, 0 to 1 each way.
#[inline(always)]
fn around(
    palette: &Palette,
    look: &LandLook,
    x: f32,
    row: f32,
    depth: &Lanes,
) -> ([Lanes; 2], [[u32; LANES]; 4]) {
    let (mut parts, mut cells) = ([[0.0; LANES]; 2], [[0_u32; LANES]; 2]);
    for axis in 0..2 {
        let Linear { a, b, c, start } = palette.land.cells[axis];
        let (row_start, last) = (b * row + c, (look.nodes[axis] - 1) as f32);
        let most = look.nodes[axis] as u32 - 2;
        for i in 0..LANES {
            let p = reciprocal(depth[i]) * (a * (x + i as f32) + row_start) + start;
            let p = at_most(at_least(p, 0.0), last);
            // Rounds down: half less, to the nearest; at whole numbers either cell will do.
            let cell = (p - 0.5 + ROUND).to_bits() & 0x3F_FFFF;
            let cell = if cell < most { cell } else { most };
            cells[axis][i] = cell;
            parts[axis][i] = p - cell as i32 as f32;
        }
    }
    let across = look.nodes[0];
    let mut nodes = [[0_u32; LANES]; 4];
    for i in 0..LANES {
        let at = cells[1][i] as usize * across + cells[0][i] as usize;
        let (low, high) = (&look.words[at..at + 2], &look.words[at + across..at + across + 2]);
        (nodes[0][i], nodes[1][i]) = (low[0], low[1]);
        (nodes[2][i], nodes[3][i]) = (high[0], high[1]);
    }
    (parts, nodes)
}

/// The mean of the nodes' bytes at a shift, by where the pixels lie.
#[inline(always)]
fn mean(nodes: &[[u32; LANES]; 4], shift: u32, [u, v]: &[Lanes; 2]) -> Lanes {
    let mut out = [0.0; LANES];
    for i in 0..LANES {
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| ((nodes[k][i] >> shift) & 0xFF) as i32 as f32);
        let low = a + (b - a) * u[i];
        let high = c + (d - c) * u[i];
        out[i] = low + (high - low) * v[i];
    }
    out
}
