//! What a camera makes of what it sees: lens, light, shutter and noise, over pictures of an ideal one.
//!
//! What a lens and uneven light do to a pixel follows from the pixels around it and is the same in every picture, so
//! that a rectangle of a picture can be made anew by itself. Flicker and noise change every pixel of every picture.
//! All of it is done in whole numbers, with tables that are made once.
//!
//! | module | what |
//! |---|---|
//! | `lens` | where distorted pixels come from |
//! | `blur` | pixels mixed with their neighbours |
//! | `photograph` | a photograph of the empty field, as a camera would see it |
//! | `light` | gains: uneven light, white balance, flicker; noise |

mod blur;
mod lens;
mod light;
mod photograph;

use crate::camera::Lens;
use crate::rects::PictureRect;
use blur::Blur;
use lens::Remap;
pub use light::Grain;
use light::Light;
pub(crate) use light::{add_grain, flicker_rows, read_before};
pub(crate) use photograph::photograph;
use rolima_model::CameraSpec;

/// A camera's lens and light, ready to be put over pictures.
pub(crate) struct Optics {
    /// Of the picture that they are put over: wider, where the lens sees more than an ideal one.
    pub(crate) source: Lens,
    size: [u32; 2],
    remap: Option<Remap>,
    blur: Option<Blur>,
    light: Option<Light>,
    /// Pixels on the way.
    warped: Vec<u8>,
}

impl Optics {
    /// Of a camera; none of an ideal one.
    pub(crate) fn new(spec: &CameraSpec, lens: &Lens) -> Option<Self> {
        let imaging = &spec.imaging;
        let remap = imaging.distorts().then(|| Remap::new(imaging, lens));
        let blur = (imaging.blur > 0.0).then(|| Blur::new(imaging.blur));
        let light = imaging.changes_light().then(|| Light::new(imaging, lens));
        if remap.is_none() && blur.is_none() && light.is_none() {
            return None;
        }
        let source = remap.as_ref().map_or(*lens, |remap| remap.source);
        let size = [lens.width, lens.height];
        Some(Self { source, size, remap, blur, light, warped: vec![] })
    }

    /// Where something is seen that an ideal camera sees in a rectangle of the source.
    pub(crate) fn seen_in(&self, rect: &PictureRect) -> PictureRect {
        let [width, height] = self.size;
        let rect = match &self.remap {
            Some(remap) => remap.seen_in(rect),
            None => *rect,
        };
        rect.grown(self.reach(), width, height)
    }

    /// What of the source a rectangle is made from.
    pub(crate) fn needed(&self, rect: &PictureRect) -> PictureRect {
        let rect = self.mixed(rect);
        self.remap.as_ref().map_or(rect, |remap| remap.needed(&rect))
    }

    /// What a rectangle is mixed from, once it is distorted.
    fn mixed(&self, rect: &PictureRect) -> PictureRect {
        rect.grown(self.reach(), self.size[0], self.size[1])
    }

    fn reach(&self) -> u32 {
        self.blur.as_ref().map_or(0, Blur::reach)
    }

    /// Makes a rectangle of a picture from the source.
    pub(crate) fn put(&mut self, rect: &PictureRect, source: &[u8], rgb: &mut [u8]) {
        let mixed = self.mixed(rect);
        self.warped.clear();
        match &self.remap {
            Some(remap) => remap.warp(&mixed, source, &mut self.warped),
            None => {
                for row in rows_of(&mixed, self.size[0]) {
                    self.warped.extend_from_slice(&source[row]);
                }
            }
        }
        match &mut self.blur {
            Some(blur) => blur.mix(&self.warped, (&mixed, rect), self.size[0], rgb),
            None => {
                let bytes = 3 * rect.width() as usize;
                let rows = rows_of(rect, self.size[0]).zip(self.warped.chunks_exact(bytes));
                rows.for_each(|(row, warped)| rgb[row].copy_from_slice(warped));
            }
        }
        if let Some(light) = &self.light {
            light.shine(rect, rgb);
        }
    }

    /// Depth or objects as this camera sees them: each pixel what lies nearest to it in the source.
    pub(crate) fn pick<T: Copy>(&self, source: &[T], out: &mut [T]) {
        match &self.remap {
            Some(remap) => remap.pick(source, out),
            None => out.copy_from_slice(source),
        }
    }
}

/// Where the bytes of each row of a rectangle are in a picture so many pixels wide.
pub(crate) fn rows_of(
    rect: &PictureRect,
    width: u32,
) -> impl Iterator<Item = std::ops::Range<usize>> + use<> {
    let (left, right, width) = (rect.left as usize, rect.right as usize, width as usize);
    (rect.top as usize..rect.bottom as usize)
        .map(move |row| 3 * (row * width + left)..3 * (row * width + right))
}
