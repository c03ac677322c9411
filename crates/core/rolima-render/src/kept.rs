//! Pictures of a camera that stands still: drawn once, then only where something changed.
//!
//! What a body can change of a picture lies within its projected bounds, its shadow's included. So a picture that is
//! drawn again within the bounds of all that has moved, where it was and where it is, has the bits of one that is
//! drawn in whole.

use crate::DrawError;
use crate::camera::{Camera, CameraView};
use crate::camera_renderer::{CameraRenderer, CameraShot, bands, camera_of, finish, lens_of};
use crate::imaging::{photograph, rows_of};
use crate::pose::{Point3, StagePose, scale, sub};
use crate::rects::PictureRect;
use crate::stage::{Body, Stage, StageShape};
use rolima_model::{CameraSpec, Model, Mount};

/// What rounding may move an edge by, pixels.
const MARGIN: f64 = 1.0;

/// Where a body is in the picture, in a band of rows that are read together.
#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    pose: Option<StagePose>,
    rect: PictureRect,
}

/// The picture of a camera of the world, kept from one shot to the next.
pub struct KeptPicture {
    device: usize,
    spec: CameraSpec,
    /// By bands and the stage's bodies.
    seen: Vec<Vec<Seen>>,
    /// Without bodies, as it is drawn.
    empty: Vec<u8>,
    /// With bodies, but without what differs from picture to picture.
    clean: Vec<u8>,
    /// A photograph of the empty field, and the same with bodies.
    photograph: Option<[Vec<u8>; 2]>,
    /// With flicker and noise, where there are any.
    finished: Option<Vec<u8>>,
    /// What was drawn again for the last shot.
    changed: Vec<PictureRect>,
    /// Where it may differ from the background.
    rects: Vec<PictureRect>,
}

impl KeptPicture {
    /// The empty picture of a camera of the world, by its number in [`Model::devices`]; none where that is no such
    /// camera.
    pub fn new(
        renderer: &mut CameraRenderer,
        model: &Model,
        device: usize,
    ) -> Result<Option<Self>, DrawError> {
        let Some((known, spec)) = camera_of(model, device) else { return Ok(None) };
        if known.mount != Mount::World {
            return Ok(None);
        }
        let lens = lens_of(spec);
        lens.check()?;
        let mut empty = vec![0; 3 * lens.pixels()];
        let whole = PictureRect::whole(lens.width, lens.height);
        let shot = CameraShot::default();
        let at = renderer.camera_of(model, device, &[], &[]);
        renderer
            .without_bodies(|own| own.draw_clean((model, device), &shot, &[whole], &mut empty))?;
        let mut kept = Self {
            device,
            spec: *spec,
            seen: bands(spec)
                .map(|_| vec![Seen::default(); renderer.stage().body_count()])
                .collect(),
            clean: empty.clone(),
            empty,
            photograph: None,
            finished: None,
            changed: vec![],
            rects: vec![],
        };
        if let (Some(background), Some((camera, _))) = (model.background(device), at) {
            kept.set_photograph(&photograph(spec, &camera, background));
        }
        Ok(Some(kept))
    }

    /// Puts a photograph of the empty field in the place of the drawn one: red, green, blue of each pixel. False
    /// where it has another size.
    pub fn set_photograph(&mut self, rgb: &[u8]) -> bool {
        if rgb.len() != self.empty.len() {
            return false;
        }
        let mut composed = rgb.to_vec();
        self.compose(&[self.whole()], rgb, &mut composed);
        self.photograph = Some([rgb.to_vec(), composed]);
        true
    }

    /// Width and height, pixels.
    pub fn size(&self) -> [u32; 2] {
        self.spec.pixels
    }

    /// The picture of the empty field, without flicker and noise: red, green, blue of each pixel, top row first.
    pub fn background(&self) -> &[u8] {
        self.photograph.as_ref().map_or(&self.empty, |[background, _]| background)
    }

    /// The picture of the last shot, in the same form.
    pub fn rgb(&self) -> &[u8] {
        match (&self.finished, &self.photograph) {
            (Some(finished), _) => finished,
            (None, Some([_, composed])) => composed,
            (None, None) => &self.clean,
        }
    }

    /// Where the picture may differ from the background: in order from top to bottom, without overlaps.
    pub fn rects(&self) -> &[PictureRect] {
        &self.rects
    }

    /// Pixels that were drawn for the last shot.
    pub fn drawn_pixels(&self) -> usize {
        self.changed.iter().map(PictureRect::pixels).sum()
    }

    /// Whether flicker or noise changed every pixel of the last shot.
    pub fn differs_everywhere(&self) -> bool {
        self.finished.is_some()
    }

    /// Draws what has changed since the last shot. The bodies stand as the shot says then. The renderer has to be the
    /// one that this was made with.
    pub fn take(
        &mut self,
        renderer: &mut CameraRenderer,
        model: &Model,
        shot: &CameraShot<'_>,
    ) -> Result<(), DrawError> {
        self.find_changes(renderer, model, shot);
        let drawn = renderer.draw_clean((model, self.device), shot, &self.changed, &mut self.clean);
        if let Err(error) = drawn {
            // What was not drawn has to be, next time.
            self.seen.iter_mut().flatten().for_each(|seen| seen.pose = None);
            return Err(error);
        }
        if let Some([background, mut composed]) = self.photograph.take() {
            self.compose(&self.changed, &background, &mut composed);
            self.photograph = Some([background, composed]);
        }
        let is_noisy = shot.grain.is_some_and(|grain| grain.sigma > 0.0);
        let finished = self.finished.take();
        if is_noisy || self.spec.imaging.flicker > 0.0 {
            let mut finished = finished.unwrap_or_default();
            finished.clear();
            finished.extend_from_slice(self.rgb());
            finish(&self.spec, shot, &mut finished);
            self.finished = Some(finished);
            self.rects.clear();
            self.rects.push(self.whole());
        }
        Ok(())
    }

    fn whole(&self) -> PictureRect {
        PictureRect::whole(self.spec.pixels[0], self.spec.pixels[1])
    }

    /// Puts what differs from the empty picture over another one, in some rectangles.
    fn compose(&self, rects: &[PictureRect], background: &[u8], composed: &mut [u8]) {
        for row in rects.iter().flat_map(|rect| rows_of(rect, self.spec.pixels[0])) {
            for at in row.step_by(3) {
                let pixel = at..at + 3;
                let is_empty = self.clean[pixel.clone()] == self.empty[pixel.clone()];
                let from = if is_empty { background } else { &self.clean };
                composed[pixel.clone()].copy_from_slice(&from[pixel]);
            }
        }
    }

    /// Finds what has to be drawn again, and where the picture differs from the background.
    fn find_changes(
        &mut self,
        renderer: &mut CameraRenderer,
        model: &Model,
        shot: &CameraShot<'_>,
    ) {
        self.changed.clear();
        self.rects.clear();
        for (band, seen) in bands(&self.spec).zip(&mut self.seen) {
            let moved = renderer.place_before(shot, band.before_s);
            let camera = renderer.camera_of(model, self.device, &moved.0, &moved.1);
            renderer.give_back(moved);
            let Some((camera, _)) = camera else { continue };
            for (body, seen) in seen.iter_mut().enumerate() {
                let known = renderer.stage().bodies.get(body);
                let Some(pose) = known.map(|body| body.pose) else { continue };
                if seen.pose != Some(pose) {
                    self.changed.push(seen.rect);
                    let rect = renderer.seen_rect((self.device, &self.spec), &camera, body);
                    *seen = Seen { pose: Some(pose), rect: rect.intersection(&band.rows) };
                    self.changed.push(seen.rect);
                }
                self.rects.push(seen.rect);
            }
        }
        PictureRect::merge(&mut self.changed);
        PictureRect::merge(&mut self.rects);
    }
}

impl CameraRenderer {
    /// Where a camera sees a body of the stage, or its shadow.
    fn seen_rect(
        &mut self,
        (device, spec): (usize, &CameraSpec),
        camera: &Camera,
        body: usize,
    ) -> PictureRect {
        let lens = self.optics(device, spec).map_or(camera.lens, |optics| optics.source);
        let drawn = Camera { lens, ..*camera };
        let rect = bounds_of(self.stage(), &drawn, body);
        self.optics(device, spec).map_or(rect, |optics| optics.seen_in(&rect))
    }
}

/// The pixels of an ideal camera that a body, or its shadow, can be in.
fn bounds_of(stage: &Stage, camera: &Camera, body: usize) -> PictureRect {
    let whole = PictureRect::whole(camera.lens.width, camera.lens.height);
    let Some(body) = stage.bodies.get(body) else { return PictureRect::default() };
    if stage.land.is_some() || !body.pose.is_sane() || !camera.pose.is_sane() {
        return whole;
    }
    let view = CameraView::new(camera, 1);
    let own = bounds_of_points(&view, body, |p| p);
    if !camera.quality.shadows {
        return own;
    }
    let sun = stage.daylight.sun_direction();
    // Where the sun's ray through a point meets the ground.
    let cast = |p: Point3| sub(p, scale(sun, p[2] / sun[2]));
    let shadow = match &body.shape {
        StageShape::Solid(_) => bounds_of_points(&view, body, cast),
        StageShape::Ball { radius, .. } => {
            let middle = view.see(cast(body.pose.position));
            rect_of(view.bounds_of_sphere(middle, radius / sun[2]).map(f64::from), &view)
        }
    };
    own.union(&shadow)
}

/// The pixels around a body, each of whose points is seen where `place` puts it.
fn bounds_of_points(
    view: &CameraView,
    body: &Body,
    place: impl Fn(Point3) -> Point3,
) -> PictureRect {
    let solid = match &body.shape {
        StageShape::Solid(solid) => solid,
        StageShape::Ball { radius, .. } => {
            let centre = view.see(body.pose.position);
            return rect_of(view.bounds_of_sphere(centre, *radius).map(f64::from), view);
        }
    };
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for &vertex in &solid.vertices {
        let [x, y, z] = view.see(place(body.pose.transform(vertex)));
        if z <= view.near {
            // It reaches behind the lens.
            return PictureRect::whole(view.width as u32, view.height as u32);
        }
        for (axis, at) in
            [x / z * view.fx + view.cx, y / z * view.fy + view.cy].into_iter().enumerate()
        {
            low[axis] = rolima_math::smaller(low[axis], at);
            high[axis] = rolima_math::larger(high[axis], at);
        }
    }
    rect_of([low[0], low[1], high[0], high[1]], view)
}

/// Whole pixels around left, top, right and bottom.
fn rect_of([left, top, right, bottom]: [f64; 4], view: &CameraView) -> PictureRect {
    // The casts saturate.
    let first = |x: f64, most: usize| ((x - MARGIN).floor() as u32).min(most as u32);
    let end = |x: f64, most: usize| ((x + MARGIN).ceil() as u32).min(most as u32);
    PictureRect {
        left: first(left, view.width),
        top: first(top, view.height),
        right: end(right, view.width),
        bottom: end(bottom, view.height),
    }
}
