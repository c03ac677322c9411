//! The buffers of a picture, and the loops that fill them.
//!
//! A pixel holds the reciprocal of its depth, which is linear over the picture, and the number of the
//! surface that is seen. Colours come afterwards, once for every pixel.

use std::ops::Range;

/// Pixels that are worked on together.
pub(crate) const LANES: usize = 8;
/// Tiles remember what lies behind them in whole: 4 blocks wide, 8 rows high.
const TILE_BLOCKS: usize = 4;
const TILE_ROWS: usize = 8;
/// Marks a tile whose farthest depth must be looked up again.
const STALE: f32 = -1.0;

/// Surface numbers with this bit lie on the ground.
pub(crate) const GROUND_BIT: u32 = 1 << 30;
/// Ground that the sun does not reach.
pub(crate) const SHADOW_BIT: u32 = 1 << 31;
/// The number itself.
pub(crate) const NUMBER: u32 = GROUND_BIT - 1;

/// Makes of a kernel a function that runs it in the widest vectors of this processor. Both variants
/// compute the same bits: AVX2 alone brings no fused multiply-add.
macro_rules! widest {
    ($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) = $kernel:path) => {
        $(#[$doc])*
        pub(crate) fn $name($($arg: $type),*) {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2")]
                fn avx2($($arg: $type),*) {
                    $kernel($($arg),*)
                }
                if std::arch::is_x86_feature_detected!("avx2") {
                    #[allow(unsafe_code)]
                    // SAFETY: the processor has AVX2, as the line above asked.
                    return unsafe { avx2($($arg),*) };
                }
            }
            $kernel($($arg),*)
        }
    };
}
pub(crate) use widest;

#[derive(Clone, Debug, Default)]
pub(crate) struct Buffers {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Where is drawn: left, top, right, bottom, the last two exclusive; whole blocks. What lies elsewhere is
    /// left over from pictures before.
    pub(crate) clips: Vec<[i32; 4]>,
    /// Blocks of [`LANES`] pixels in a row; the last may stick out.
    pub(crate) blocks: usize,
    /// Reciprocal depth, 1/m; 0 is the sky.
    pub(crate) inverse_depth: Vec<[f32; LANES]>,
    pub(crate) numbers: Vec<[u32; LANES]>,
    /// First and end column of each row of the polygon at hand.
    pub(crate) spans: Vec<[i32; 2]>,
    tiles: Vec<f32>,
    tiles_across: usize,
}

impl Buffers {
    /// Makes room for a picture, of which only some rectangles are drawn.
    pub(crate) fn begin(
        &mut self,
        width: usize,
        height: usize,
        clips: impl Iterator<Item = [i32; 4]>,
    ) {
        self.clips.clear();
        let (right, bottom) = (width as i32, height as i32);
        let lanes = LANES as i32;
        let widened = clips.map(|[l, t, r, b]| {
            let r = (r + lanes - 1) & !(lanes - 1);
            [l.max(0) & !(lanes - 1), t.max(0), r.min(right), b.min(bottom)]
        });
        self.clips.extend(widened.filter(|[l, t, r, b]| l < r && t < b));
        if (self.width, self.height) != (width, height) {
            (self.width, self.height) = (width, height);
            self.blocks = width.div_ceil(LANES);
            self.inverse_depth.resize(self.blocks * height, [0.0; LANES]);
            self.numbers.resize(self.blocks * height, [0; LANES]);
            self.spans.resize(height, [0; 2]);
            self.tiles_across = self.blocks.div_ceil(TILE_BLOCKS);
            self.tiles.resize(self.tiles_across * height.div_ceil(TILE_ROWS), STALE);
        }
        self.tiles.fill(STALE);
    }

    fn tile_range(&self, [l, t, r, b]: [i32; 4]) -> (Range<usize>, Range<usize>) {
        let (across, down) = (LANES * TILE_BLOCKS, TILE_ROWS);
        let range =
            |low: i32, high: i32, size: usize| low as usize / size..(high as usize).div_ceil(size);
        (range(l, r, across), range(t, b, down))
    }

    /// Says that pixels within bounds may have changed.
    pub(crate) fn touch(&mut self, bounds: [i32; 4]) {
        let (columns, rows) = self.tile_range(bounds);
        for row in rows {
            self.tiles[row * self.tiles_across..][columns.clone()].fill(STALE);
        }
    }

    /// What of some bounds is in a rectangle that is drawn.
    pub(crate) fn clipped(&self, clip: usize, [l, t, r, b]: [i32; 4]) -> Option<[i32; 4]> {
        let &[left, top, right, bottom] = self.clips.get(clip)?;
        let [l, t, r, b] = [l.max(left), t.max(top), r.min(right), b.min(bottom)];
        (l < r && t < b).then_some([l, t, r, b])
    }

    /// Whether any of it is drawn.
    pub(crate) fn is_drawn(&self, bounds: [i32; 4]) -> bool {
        (0..self.clips.len()).any(|clip| self.clipped(clip, bounds).is_some())
    }

    /// True if something within bounds, no nearer than `inverse_depth`, can be seen anywhere.
    pub(crate) fn may_show(&mut self, bounds: [i32; 4], inverse_depth: f32) -> bool {
        (0..self.clips.len()).any(|clip| {
            let bounds = self.clipped(clip, bounds);
            bounds.is_some_and(|bounds| self.may_show_in(bounds, inverse_depth))
        })
    }

    /// The same of bounds that are all drawn. A tile that is not drawn in whole has pixels of pictures before, which
    /// can only make it seem farther than it is.
    fn may_show_in(&mut self, bounds: [i32; 4], inverse_depth: f32) -> bool {
        let (columns, rows) = self.tile_range(bounds);
        for row in rows {
            for column in columns.clone() {
                let index = row * self.tiles_across + column;
                if self.tiles[index] == STALE {
                    self.tiles[index] = self.farthest(column, row);
                }
                if self.tiles[index] < inverse_depth {
                    return true;
                }
            }
        }
        false
    }

    /// Smallest reciprocal depth of a tile.
    fn farthest(&self, column: usize, row: usize) -> f32 {
        let first = column * TILE_BLOCKS;
        let end = (first + TILE_BLOCKS).min(self.blocks);
        let mut least = [f32::INFINITY; LANES];
        for y in row * TILE_ROWS..((row + 1) * TILE_ROWS).min(self.height) {
            for block in &self.inverse_depth[y * self.blocks + first..y * self.blocks + end] {
                for i in 0..LANES {
                    least[i] = if block[i] < least[i] { block[i] } else { least[i] };
                }
            }
        }
        least.iter().fold(f32::INFINITY, |a, &b| if b < a { b } else { a })
    }
}

/// A linear function over the picture, from coefficients over pixels: its value at column 0 of a
/// row, and its step to the next column.
#[inline(always)]
fn along(plane: [f64; 3], row: usize) -> (f32, f32) {
    ((plane[1] * row as f64 + plane[2]) as f32, plane[0] as f32)
}

/// All bits set, or none.
#[inline(always)]
fn bits(condition: bool) -> u32 {
    u32::from(condition).wrapping_neg()
}

widest! {
    /// Starts a picture: ground where its reciprocal depth (`plane`) is positive, sky elsewhere.
    fn clear(buffers: &mut Buffers, plane: [f64; 3], most: f32, ground: u32, sky: u32) = clear_kernel
}

#[inline(always)]
fn clear_kernel(buffers: &mut Buffers, plane: [f64; 3], most: f32, ground: u32, sky: u32) {
    for clip in 0..buffers.clips.len() {
        let [left, top, right, bottom] = buffers.clips[clip].map(|x| x as usize);
        let columns = left / LANES..right.div_ceil(LANES);
        for row in top..bottom {
            let range = row * buffers.blocks + columns.start..row * buffers.blocks + columns.end;
            let depths = &mut buffers.inverse_depth[range.clone()];
            let numbers = &mut buffers.numbers[range];
            clear_row((depths, numbers), (along(plane, row), left as f32), most, [ground, sky]);
        }
    }
}

#[inline(always)]
fn clear_row(
    (depths, numbers): (&mut [[f32; LANES]], &mut [[u32; LANES]]),
    ((start, step), first): ((f32, f32), f32),
    most: f32,
    [ground, sky]: [u32; 2],
) {
    let mut x = first;
    for (depth, number) in depths.iter_mut().zip(numbers) {
        let (mut d, mut n) = ([0.0; LANES], [0; LANES]);
        for i in 0..LANES {
            let at = start + step * (x + i as f32);
            let positive = at > 0.0;
            let limited = if at < most { at } else { most };
            d[i] = if positive { limited } else { 0.0 };
            n[i] = if positive { ground } else { sky };
        }
        (*depth, *number) = (d, n);
        x += LANES as f32;
    }
}

/// What a polygon writes.
#[derive(Clone, Copy)]
pub(crate) struct Fill {
    /// Reciprocal depth over pixels, and its bounds.
    pub(crate) plane: [f64; 3],
    pub(crate) least: f32,
    pub(crate) most: f32,
    pub(crate) number: u32,
}

/// Rows and blocks of the spans of a polygon, with first and end column.
macro_rules! for_each_block {
    ($buffers:ident, $rows:ident, $columns:ident, |$row:ident, $first:ident, $end:ident, $depths:ident, $numbers:ident| $start:expr, |$start_name:ident, $x:ident, $depth:ident, $number:ident| $body:block) => {
        let (blocks, [left, right]) = ($buffers.blocks, $columns);
        for $row in $rows {
            let [first, end] = $buffers.spans[$row];
            let ($first, $end) = (first.max(left), end.min(right));
            if $first >= $end {
                continue;
            }
            let range = $row * blocks + $first as usize / LANES
                ..$row * blocks + ($end as usize).div_ceil(LANES);
            let $depths = &mut $buffers.inverse_depth[range.clone()];
            let $numbers = &mut $buffers.numbers[range];
            let $start_name = $start;
            let mut $x = $first & !(LANES as i32 - 1);
            for ($depth, $number) in $depths.iter_mut().zip($numbers.iter_mut()) {
                $body
                $x += LANES as i32;
                // Keeps the compiler from weaving blocks together, which takes more moves than work.
                std::hint::black_box(());
            }
        }
    };
}

widest! {
    /// Writes a polygon's number wherever it is nearer than what is there.
    fn fill_surface(
        buffers: &mut Buffers,
        rows: Range<usize>,
        columns: [i32; 2],
        fill: &Fill,
    ) = surface_kernel
}

#[inline(always)]
fn surface_kernel(buffers: &mut Buffers, rows: Range<usize>, columns: [i32; 2], fill: &Fill) {
    let (least, most, new) = (fill.least, fill.most, fill.number);
    for_each_block!(
        buffers,
        rows,
        columns,
        |row, first, end, depths, numbers| along(fill.plane, row),
        |line, x, depth, number| {
            // Copies, so that the compiler need not fear that one write changes the next read; and
            // masks, so that it makes no branches.
            let (old, mut d, mut n) = (*depth, *depth, *number);
            let count = (end - first) as u32;
            for i in 0..LANES {
                let column = x + i as i32;
                let at = line.0 + line.1 * column as f32;
                let at = if at > least { at } else { least };
                let at = if at < most { at } else { most };
                let inside = (column.wrapping_sub(first) as u32) < count;
                let mask = bits(inside) & bits(at > old[i]);
                d[i] = f32::from_bits((at.to_bits() & mask) | (old[i].to_bits() & !mask));
                n[i] = (new & mask) | (n[i] & !mask);
            }
            (*depth, *number) = (d, n);
        }
    );
}

widest! {
    /// Writes a polygon's number wherever the ground is seen.
    fn fill_ground(
        buffers: &mut Buffers,
        rows: Range<usize>,
        columns: [i32; 2],
        number: u32,
    ) = ground_kernel
}

#[inline(always)]
fn ground_kernel(buffers: &mut Buffers, rows: Range<usize>, columns: [i32; 2], new: u32) {
    for_each_block!(
        buffers,
        rows,
        columns,
        |row, first, end, depths, numbers| (),
        |_start, x, _depth, number| {
            for i in 0..LANES {
                let column = x + i as i32;
                let ground = number[i] & GROUND_BIT != 0;
                let here = (column >= first) & (column < end) & ground;
                number[i] = if here { new } else { number[i] };
            }
        }
    );
}

widest! {
    /// Takes the sun away wherever the ground is seen.
    fn fill_shadow(buffers: &mut Buffers, rows: Range<usize>, columns: [i32; 2]) = shadow_kernel
}

#[inline(always)]
fn shadow_kernel(buffers: &mut Buffers, rows: Range<usize>, columns: [i32; 2]) {
    for_each_block!(
        buffers,
        rows,
        columns,
        |row, first, end, depths, numbers| (),
        |_start, x, _depth, number| {
            for i in 0..LANES {
                let column = x + i as i32;
                let bit = (number[i] & GROUND_BIT) << 1;
                let here = (column >= first) & (column < end);
                number[i] |= if here { bit } else { 0 };
            }
        }
    );
}

/// A ball before the eye, in the camera frame, m.
#[derive(Clone, Copy)]
pub(crate) struct BallFill {
    pub(crate) centre: [f32; 3],
    pub(crate) radius: f32,
    /// 1 / (centre . centre - radius squared).
    pub(crate) inverse_power: f32,
    /// Nearest reciprocal depth that is seen: that of the near plane.
    pub(crate) most: f32,
    pub(crate) number: u32,
    /// Direction of pixel (i, j): (dx[0] i + dx[1], dy[0] j + dy[1], 1).
    pub(crate) dx: [f32; 2],
    pub(crate) dy: [f32; 2],
}

widest! {
    /// Writes a ball's number wherever it is nearer than what is there.
    fn fill_ball(buffers: &mut Buffers, bounds: [i32; 4], ball: &BallFill) = ball_kernel
}

/// Points z d of a ray d on the ball have |z d - c| = r: with w = 1 / z,
/// (c.c - r r) w w - 2 (d.c) w + d.d = 0. The root's argument is written with the cross product of d
/// and c, which does not cancel for balls far away.
#[inline(always)]
fn ball_kernel(buffers: &mut Buffers, [left, top, right, bottom]: [i32; 4], ball: &BallFill) {
    let blocks = buffers.blocks;
    let [cx, cy, cz] = ball.centre;
    let square = ball.radius * ball.radius;
    for row in top as usize..bottom as usize {
        let range =
            row * blocks + left as usize / LANES..row * blocks + (right as usize).div_ceil(LANES);
        let depths = &mut buffers.inverse_depth[range.clone()];
        let numbers = &mut buffers.numbers[range];
        let dy = ball.dy[0] * row as f32 + ball.dy[1];
        let (cross_x, along_y, length_y) = (dy * cz - cy, dy * cy + cz, dy * dy + 1.0);
        let mut x = left & !(LANES as i32 - 1);
        for (depth, number) in depths.iter_mut().zip(numbers) {
            let (old, mut d, mut n) = (*depth, *depth, *number);
            for i in 0..LANES {
                let dx = ball.dx[0] * (x + i as i32) as f32 + ball.dx[1];
                let (cross_y, cross_z) = (cx - dx * cz, dx * cy - dy * cx);
                let cross = cross_x * cross_x + cross_y * cross_y + cross_z * cross_z;
                let under = (dx * dx + length_y) * square - cross;
                let root = (if under > 0.0 { under } else { 0.0 }).sqrt();
                let at = (dx * cx + along_y + root) * ball.inverse_power;
                let nearer = (under >= 0.0) & (at > old[i]) & (at <= ball.most);
                d[i] = if nearer { at } else { old[i] };
                n[i] = if nearer { ball.number } else { n[i] };
            }
            (*depth, *number) = (d, n);
            x += LANES as i32;
        }
    }
}
