//! What lies on rough ground in a picture: surfaces of ground and paint, and which pixels they have.

use super::{Casts, Land, LandView};
use crate::paint::Paint;
use crate::pose::{Point3, scale};
use crate::raster::{Buffers, GROUND_BIT, LANES, SHADOW_BIT, widest};
use crate::shade::{Kind, Surface};
use crate::stage::Stage;
use crate::visible::PictureDraft;

impl PictureDraft<'_> {
    /// Puts ground and inks among the surfaces of the picture, in this order.
    pub(crate) fn land_surfaces(&mut self, stage: &Stage, land: &Land) {
        let terrain = land.mesh.terrain();
        let (min, cell) = (terrain.spec().min, terrain.cell());
        let position = self.view.position;
        let axis = |direction: [f64; 3], per_metre: f64, here: f64| {
            self.linear(scale(self.view.turn(direction), per_metre), here * per_metre, 1.0)
        };
        let cells = [
            axis([1.0, 0.0, 0.0], 1.0 / cell.x, position[0] - min.x),
            axis([0.0, 1.0, 0.0], 1.0 / cell.y, position[1] - min.y),
        ];
        self.palette.land = LandView { cells };
        let ground = Paint::plain([255; 3]);
        let mut surface = self.on_land(&ground, land.object, Kind::Land);
        if let Some((texture, size)) = land.paint.texture {
            let (axes, spread) = self.over_ground(size, [1.0, 0.0, 0.0]);
            (surface.texture, surface.spread) = (Some((texture.0, axes)), spread);
        }
        self.palette.surfaces.push(surface);
        for (paint, object) in &stage.inks {
            let surface = self.on_land(paint, *object, Kind::Draped);
            self.palette.surfaces.push(surface);
        }
    }

    /// Light comes with the pixels, and so does the slant of the surface.
    fn on_land(&self, paint: &Paint, object: u32, kind: Kind) -> Surface {
        let flat = self.ground_surface(paint, object, [1.0, 0.0, 0.0]);
        Surface { kind, colour: paint.colour.map(f32::from), ..flat }
    }

    /// Gives pixels of rough ground the number of the paint that lies on them; `ground` is that of
    /// the ground, the inks follow. What lies in one of the shadows gets no sun.
    pub(crate) fn drape(&mut self, stage: &Stage, ground: u32, shadows: &[&Casts]) {
        if stage.drape.is_empty() && shadows.is_empty() {
            return;
        }
        let view = self.view;
        // What one metre of depth adds to a place, m, at pixel (i, j).
        let directions = [0, 1, 2].map(|axis| {
            view.over_pixels([view.rows[0][axis], view.rows[1][axis], view.rows[2][axis]])
        });
        let eye = (view.position, directions);
        drape_pixels(self.buffers, stage, ground | GROUND_BIT, eye, (shadows, self.sun));
    }
}

/// The camera, and what one metre of depth adds at pixel (i, j), m.
type Eye = (Point3, [[f64; 3]; 3]);

widest! {
    /// Looks at every pixel that has the number of the ground.
    fn drape_pixels(
        buffers: &mut Buffers,
        stage: &Stage,
        ground: u32,
        eye: Eye,
        sun: (&[&Casts], Point3),
    ) = drape_kernel
}

#[inline(always)]
fn drape_kernel(
    buffers: &mut Buffers,
    stage: &Stage,
    ground: u32,
    (position, directions): Eye,
    (shadows, sun): (&[&Casts], Point3),
) {
    let blocks = buffers.blocks;
    let rows = buffers.inverse_depth.chunks_exact(blocks);
    for (row, (depths, numbers)) in rows.zip(buffers.numbers.chunks_exact_mut(blocks)).enumerate() {
        let starts = directions.map(|[_, b, c]| b * row as f64 + c);
        for (block, (depth, number)) in depths.iter().zip(numbers).enumerate() {
            if number.iter().all(|&n| n != ground) {
                continue;
            }
            let mut places = [[0.0; LANES]; 3];
            for i in 0..LANES {
                let (column, z) = ((block * LANES + i) as f64, 1.0 / f64::from(depth[i]));
                for axis in 0..3 {
                    places[axis][i] =
                        position[axis] + z * (directions[axis][0] * column + starts[axis]);
                }
            }
            for i in 0..LANES {
                if number[i] != ground {
                    continue;
                }
                let at = places.map(|lanes| lanes[i]);
                if let Some(decal) = stage.drape.find([at[0], at[1]], |_| true) {
                    number[i] = ground + 1 + stage.decals[decal].ink;
                }
                if shadows.iter().any(|casts| casts.darken(at, sun)) {
                    number[i] |= SHADOW_BIT;
                }
            }
        }
    }
}
