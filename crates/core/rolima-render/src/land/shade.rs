//! Colours of rough ground and of paint on it, eight pixels at a time.

use super::Look;
use crate::raster::{Buffers, LANES};
use crate::shade::{Linear, Palette, Surface, at_least, at_most, finish, look_up, reciprocal};
use crate::texture::{TEXELS, Texture};

/// Where a picture's pixels lie on the terrain: in cells from its first node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LandView {
    pub(crate) cells: [Linear; 2],
}

/// Colours blocks of one surface: the ground itself, with the colours of its nodes, or paint.
#[inline(always)]
pub(crate) fn run_land(
    palette: &Palette,
    textures: &[Texture],
    look: &Look,
    buffers: &Buffers,
    surface: &Surface,
    (is_ground, shadow): (bool, bool),
    (at, row): (usize, usize),
    out: &mut [[u32; LANES]],
) {
    let air = &palette.air;
    let first = row * buffers.blocks + at;
    let depths = &buffers.inverse_depth[first..first + out.len()];
    // Texels are chosen by how depth changes to the next row.
    let next = if row + 1 < buffers.height {
        first + buffers.blocks
    } else {
        first - buffers.blocks.min(first)
    };
    let others = &buffers.inverse_depth[next..next + out.len()];
    let texture = surface
        .texture
        .and_then(|(i, axes)| textures.get(usize::from(i)).map(|t| (&*t.texels, axes)));
    let row = row as f32;
    let starts = palette.land.cells.map(|axis| axis.b * row + axis.c);
    let [nx, ny] = look.nodes;
    let last = look.nodes.map(|n| (n - 1) as f32);
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
        let (mut parts, mut first) = ([[0.0; LANES]; 2], [0_usize; LANES]);
        for i in 0..LANES {
            let z = reciprocal(depth[i]);
            let place = |k: usize| {
                let axis = &palette.land.cells[k];
                let p = z * (axis.a * (x + i as f32) + starts[k]) + axis.start;
                at_most(at_least(p, 0.0), last[k])
            };
            let (u, v) = (place(0), place(1));
            let cell = |p: f32, n: usize| (p as u32 as usize).min(n - 2);
            let (cu, cv) = (cell(u, nx), cell(v, ny));
            parts[0][i] = u - cu as f32;
            parts[1][i] = v - cv as f32;
            first[i] = cv * nx + cu;
        }
        let mut nodes = [[0_u32; LANES]; 4];
        for i in 0..LANES {
            let at = first[i];
            let (low, high) = (&look.words[at..at + 2], &look.words[at + nx..at + nx + 2]);
            (nodes[0][i], nodes[1][i]) = (low[0], low[1]);
            (nodes[2][i], nodes[3][i]) = (high[0], high[1]);
        }
        let mean = |shift: u32, i: usize| {
            let part = |k: usize| ((nodes[k][i] >> shift) & 0xFF) as i32 as f32;
            let (u, v) = (parts[0][i], parts[1][i]);
            let low = part(0) + (part(1) - part(0)) * u;
            let high = part(2) + (part(3) - part(2)) * u;
            low + (high - low) * v
        };
        let mut rgb = [[0.0; LANES]; 3];
        let sunny = if shadow { 0.0 } else { 1.0 / 255.0 };
        let mut share = [0.0; LANES];
        for i in 0..LANES {
            share[i] = mean(24, i) * sunny;
        }
        for c in 0..3 {
            for i in 0..LANES {
                let tint = if is_ground { mean(8 * c as u32, i) } else { 255.0 };
                let own = surface.colour[c] * (1.0 / 255.0) * tint;
                let light = (air.ambient[c] + air.sun[c] * share[i]).sqrt();
                rgb[c][i] = at_most(own * light, 255.0);
            }
        }
        *out = finish(air, depth, &texels, &rgb);
    }
}
