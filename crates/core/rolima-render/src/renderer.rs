//! One picture: what may be seen, nearest first, into the buffers, and from there into bytes.

use crate::DrawError;
use crate::camera::{Camera, CameraView};
use crate::land::{COARSE, Casts, FINE, Land, Triangle};
use crate::output::{write_rgb, write_rgb_mean};
use crate::pose::{Point3, is_sane, length, sub};
use crate::raster::{Buffers, GROUND_BIT, LANES, NUMBER, clear};
use crate::rects::PictureRect;
use crate::shade::{Air, Kind, Palette, Surface, shade_rows};
use crate::stage::{Body, SKY, Stage, StageShape};
use crate::visible::PictureDraft;

/// Bodies whose radius is less than this many pixels are left out.
const LEAST_PIXELS: f64 = 0.2;
/// Corners of a ball's shadow.
const CIRCLE: usize = 24;
/// Surfaces 0 and 1 of every picture.
const SKY_NUMBER: u32 = 0;
const GROUND_NUMBER: u32 = 1;
/// Marks moving bodies among what is drawn.
const MOVING: u64 = 1 << 31;

/// The pictures that are wanted, top row first.
#[derive(Debug, Default)]
pub struct Pictures<'a> {
    /// Red, green, blue: three bytes a pixel.
    pub rgb: Option<&'a mut [u8]>,
    /// Depth along the optical axis, m; infinite where the sky is.
    pub depth: Option<&'a mut [f32]>,
    /// The object of each pixel, as numbered in the stage; [`SKY`] is 0.
    pub objects: Option<&'a mut [u32]>,
}

/// Draws pictures. It keeps its memory from one to the next and does not allocate once it has drawn
/// a few of the same stage. Use one a thread.
#[derive(Clone, Debug)]
pub struct Renderer {
    buffers: Buffers,
    palette: Palette,
    /// Distance in the upper half, number of the body in the lower: sorts nearest first.
    order: Vec<u64>,
    decals: Vec<u32>,
    points: Vec<Point3>,
    packed: Vec<[u32; LANES]>,
    circle: [[f64; 2]; CIRCLE],
    /// The coarsest triangles of rough ground, nearest first.
    roots: Vec<(f64, Triangle)>,
    /// Shadows that moving things cast on rough ground.
    casts: Casts,
}

impl Default for Renderer {
    fn default() -> Self {
        let step = 2.0 * std::f64::consts::PI / CIRCLE as f64;
        let circle = std::array::from_fn(|i| {
            let (s, c) = rolima_math::sin_cos(step * i as f64);
            [c, s]
        });
        Self {
            buffers: Buffers::default(),
            palette: Palette::default(),
            order: Vec::new(),
            decals: Vec::new(),
            points: Vec::new(),
            packed: Vec::new(),
            circle,
            roots: Vec::new(),
            casts: Casts::default(),
        }
    }
}

impl Renderer {
    /// One without memory yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Draws what a camera sees. A camera whose pose is not finite sees nothing but haze.
    pub fn draw(
        &mut self,
        stage: &Stage,
        camera: &Camera,
        pictures: Pictures<'_>,
    ) -> Result<(), DrawError> {
        let whole = PictureRect::whole(camera.lens.width, camera.lens.height);
        self.draw_in(stage, camera, &[whole], pictures)
    }

    /// Draws some rectangles of a colour picture again, to the bits that [`Renderer::draw`] draws there. A few
    /// pixels left and right of them may be drawn as well; all others stay. Over rough ground all is drawn.
    pub fn draw_rects(
        &mut self,
        stage: &Stage,
        camera: &Camera,
        rects: &[PictureRect],
        rgb: &mut [u8],
    ) -> Result<(), DrawError> {
        let pictures = Pictures { rgb: Some(rgb), depth: None, objects: None };
        if stage.land.is_some() {
            return self.draw(stage, camera, pictures);
        }
        self.draw_in(stage, camera, rects, pictures)
    }

    fn draw_in(
        &mut self,
        stage: &Stage,
        camera: &Camera,
        rects: &[PictureRect],
        mut pictures: Pictures<'_>,
    ) -> Result<(), DrawError> {
        camera.lens.check()?;
        check_rooms(camera.lens.pixels(), &pictures)?;
        if !camera.pose.is_sane() {
            haze(stage, &mut pictures);
            return Ok(());
        }
        let samples = if camera.quality.supersample { 2 } else { 1 };
        let view = CameraView::new(camera, samples);
        let clips = rects.iter().map(|rect| rect.corners().map(|x| (x * samples) as i32));
        self.buffers.begin(view.width, view.height, clips);
        self.see(stage, &view, camera.quality.shadows);
        if let Some(rgb) = pictures.rgb {
            self.colour(stage, samples as usize, rgb);
        }
        if let Some(depth) = pictures.depth {
            self.each_pixel(samples as usize, depth, |inverse, _| 1.0 / inverse);
        }
        if let Some(objects) = pictures.objects {
            let surfaces = &self.palette.surfaces;
            self.each_pixel(samples as usize, objects, |_, number| {
                surfaces.get((number & NUMBER) as usize).map_or(SKY, |surface| surface.object)
            });
        }
        Ok(())
    }

    /// Fills depth and surface numbers.
    fn see(&mut self, stage: &Stage, view: &CameraView, shadows: bool) {
        self.palette.surfaces.clear();
        self.palette.rounds.clear();
        self.palette.balls.clear();
        self.palette.air = air(stage, view);
        let mut draft = PictureDraft {
            view: *view,
            daylight: &stage.daylight,
            sun: stage.daylight.sun_direction(),
            buffers: &mut self.buffers,
            palette: &mut self.palette,
            points: &mut self.points,
        };
        let plane = start(&mut draft, stage);
        if let Some(land) = &stage.land {
            draft.land(&land.mesh, GROUND_NUMBER | GROUND_BIT, &mut self.roots);
        }

        sort_by_distance(stage, view, &mut self.order);
        for &entry in &self.order {
            draw_body(&mut draft, body_of(stage, entry));
        }
        if let Some(land) = &stage.land {
            if shadows {
                let (sun, circle) = (draft.sun, &self.circle);
                let fixed = stage.casts.get_or_init(|| {
                    let mut casts = Casts::default();
                    casts.set(stage.fixed.iter().filter(|body| is_shown(body)), sun, circle, FINE);
                    casts
                });
                let near = |body: &&Body| is_shown(body) && may_darken(land, view, body, sun);
                self.casts.set(stage.bodies.iter().filter(near), sun, circle, COARSE);
                draft.drape(stage, GROUND_NUMBER, &[fixed, &self.casts]);
            } else {
                draft.drape(stage, GROUND_NUMBER, &[]);
            }
        }
        let Some(plane) = plane else { return };
        let decals = &mut self.decals;
        decals.clear();
        stage.decal_grid.visit(view, |index, _, _| decals.push(index));
        // Later paint covers earlier paint.
        decals.sort_unstable();
        for &index in decals.iter() {
            let decal = &stage.decals[index as usize];
            let surface = draft.ground_surface(&decal.paint, decal.object, plane);
            draft.decal(&decal.corners, surface);
        }
        if shadows {
            for body in stage.fixed.iter().chain(&stage.bodies).filter(|body| is_shown(body)) {
                match &body.shape {
                    StageShape::Solid(solid) => draft.solid_shadow(solid, &body.pose),
                    StageShape::Ball { radius, .. } => {
                        draft.ball_shadow(*radius, body.pose.position, &self.circle);
                    }
                }
            }
        }
    }

    fn colour(&mut self, stage: &Stage, samples: usize, rgb: &mut [u8]) {
        let bytes = self.buffers.width / samples * 3;
        let look = stage.land.as_ref().map(|land| &land.look);
        for &[left, top, right, bottom] in &self.buffers.clips {
            let [left, top, right, bottom] = [left, top, right, bottom].map(|x| x as usize);
            let columns = left / LANES..right.div_ceil(LANES);
            self.packed.resize(columns.len() * samples, [0; LANES]);
            let (from, to) = (left / samples * 3, right / samples * 3);
            let rows = rgb.chunks_exact_mut(bytes).enumerate();
            for (row, rgb) in rows.take(bottom / samples).skip(top / samples) {
                let (packed, first) = (&mut self.packed[..], row * samples);
                let (palette, textures) = (&self.palette, &stage.textures);
                shade_rows(palette, textures, look, &self.buffers, first, columns.clone(), packed);
                if samples == 1 {
                    write_rgb(packed, &mut rgb[from..to]);
                } else {
                    let (upper, lower) = packed.split_at(columns.len());
                    write_rgb_mean(upper, lower, &mut rgb[from..to]);
                }
            }
        }
    }

    /// Makes a value of reciprocal depth and surface number, for every pixel.
    fn each_pixel<T>(&self, samples: usize, out: &mut [T], value: impl Fn(f32, u32) -> T) {
        let (blocks, width) = (self.buffers.blocks, self.buffers.width / samples);
        for (row, out) in out.chunks_exact_mut(width).enumerate() {
            let range = row * samples * blocks..(row * samples + 1) * blocks;
            let inverse = self.buffers.inverse_depth[range.clone()].as_flattened();
            let numbers = self.buffers.numbers[range].as_flattened();
            let seen = inverse.iter().zip(numbers).step_by(samples);
            for (out, (&inverse, &number)) in out.iter_mut().zip(seen) {
                *out = value(inverse, number);
            }
        }
    }
}

fn check_rooms(pixels: usize, pictures: &Pictures<'_>) -> Result<(), DrawError> {
    let rooms = [
        ("rgb", 3 * pixels, pictures.rgb.as_ref().map(|room| room.len())),
        ("depth", pixels, pictures.depth.as_ref().map(|room| room.len())),
        ("objects", pixels, pictures.objects.as_ref().map(|room| room.len())),
    ];
    for (name, expected, got) in rooms {
        if let Some(got) = got.filter(|&got| got != expected) {
            return Err(DrawError::Buffer { name, expected, got });
        }
    }
    Ok(())
}

fn haze(stage: &Stage, pictures: &mut Pictures<'_>) {
    if let Some(rgb) = &mut pictures.rgb {
        rgb.chunks_exact_mut(3).for_each(|pixel| pixel.copy_from_slice(&stage.horizon()));
    }
    if let Some(depth) = &mut pictures.depth {
        depth.fill(f32::INFINITY);
    }
    if let Some(objects) = &mut pictures.objects {
        objects.fill(SKY);
    }
}

fn air(stage: &Stage, view: &CameraView) -> Air {
    let day = &stage.daylight;
    let part = |x: f64| if x > 0.0 { if x < 4.0 { x as f32 } else { 4.0 } } else { 0.0 };
    Air {
        dx: [(1.0 / view.fx) as f32, ((0.5 - view.cx) / view.fx) as f32],
        dy: [(1.0 / view.fy) as f32, ((0.5 - view.cy) / view.fy) as f32],
        towards_sun: view.turn(day.sun_direction()).map(|x| x as f32),
        up: view.turn([0.0, 0.0, 1.0]).map(|x| x as f32),
        sun: day.sun.map(part),
        ambient: day.ambient.map(part),
        zenith: day.zenith.map(f32::from),
        horizon: day.horizon.map(f32::from),
        // Bounded so that its square stays finite.
        half_fade_m: if day.half_fade_m < 1e9 { day.half_fade_m.max(1e-3) as f32 } else { 1e9 },
    }
}

/// Begins with sky and ground. Returns the ground's reciprocal depth over pixels, if it is seen.
fn start(draft: &mut PictureDraft<'_>, stage: &Stage) -> Option<[f64; 3]> {
    let sky = Surface {
        object: SKY,
        kind: Kind::Sky,
        colour: [0.0; 3],
        shadow: [0.0; 3],
        texture: None,
        spread: [0.0; 2],
        shine: None,
        glow: 0.0,
    };
    draft.palette.surfaces.push(sky);
    let height = draft.view.position[2];
    if let Some(land) = &stage.land {
        draft.land_surfaces(stage, land);
    }
    let ground = stage.ground.as_ref().filter(|_| height > 1e-6 && stage.land.is_none());
    let plane = ground.map(|ground| {
        let up = draft.view.turn([0.0, 0.0, 1.0]);
        let plane = draft.view.over_pixels(up.map(|x| -x / height));
        let surface = draft.ground_surface(&ground.paint, ground.object, plane);
        draft.palette.surfaces.push(surface);
        plane
    });
    let everywhere_sky = [0.0, 0.0, -1.0];
    let most = (1.0 / draft.view.near) as f32;
    let ground_number = GROUND_NUMBER | GROUND_BIT;
    clear(draft.buffers, plane.unwrap_or(everywhere_sky), most, ground_number, SKY_NUMBER);
    plane
}

fn is_shown(body: &Body) -> bool {
    let radius_is_good = match &body.shape {
        StageShape::Solid(solid) => solid.radius < 1e7,
        StageShape::Ball { radius, .. } => *radius > 0.0 && *radius < 1e6,
    };
    body.shown && radius_is_good && body.pose.is_sane()
}

/// False if the shadow of a body is most likely not in the picture: one that is cast farther than
/// this falls on the far side of a valley.
fn may_darken(land: &Land, view: &CameraView, body: &Body, sun: Point3) -> bool {
    let (centre, radius) = match &body.shape {
        StageShape::Solid(solid) => (body.pose.transform(solid.centre), solid.radius),
        StageShape::Ball { radius, .. } => (body.pose.position, *radius),
    };
    let above = centre[2] - land.mesh.terrain().height(centre[0], centre[1]);
    let far = 4.0 * (radius + if above > 0.0 { above } else { 0.0 }) / sun[2];
    view.may_see_sphere(view.see(centre), far)
}

/// What may be seen, nearest first.
fn sort_by_distance(stage: &Stage, view: &CameraView, order: &mut Vec<u64>) {
    order.clear();
    let mut put = |index: u64, centre: Point3, radius: f64| {
        if view.pixels_of_sphere(centre, radius) > LEAST_PIXELS {
            let distance = length(centre) - radius;
            let distance = if distance > 0.0 { distance as f32 } else { 0.0 };
            // Bits of positive numbers sort like the numbers.
            order.push(u64::from(distance.to_bits()) << 32 | index);
        }
    };
    stage.fixed_grid.visit(view, |index, centre, radius| put(u64::from(index), centre, radius));
    for (index, body) in stage.bodies.iter().enumerate().filter(|(_, body)| is_shown(body)) {
        let (centre, radius) = match &body.shape {
            StageShape::Solid(solid) => (body.pose.transform(solid.centre), solid.radius),
            StageShape::Ball { radius, .. } => (body.pose.position, *radius),
        };
        let centre = view.turn(sub(centre, view.position));
        if is_sane(centre) && view.may_see_sphere(centre, radius) {
            put(index as u64 | MOVING, centre, radius);
        }
    }
    order.sort_unstable();
}

fn body_of(stage: &Stage, entry: u64) -> &Body {
    let index = (entry & (MOVING - 1)) as usize;
    if entry & MOVING != 0 { &stage.bodies[index] } else { &stage.fixed[index] }
}

fn draw_body(draft: &mut PictureDraft<'_>, body: &Body) {
    match &body.shape {
        StageShape::Ball { radius, paint } => draft.ball(*radius, paint, &body.pose, body.object),
        StageShape::Solid(solid) => {
            let centre = draft.view.see(body.pose.transform(solid.centre));
            let nearest = centre[2] - solid.radius;
            if nearest > draft.view.near {
                let [l, t, r, b] = draft.view.bounds_of_sphere(centre, solid.radius);
                let inside = l < r && t < b;
                if !inside || !draft.buffers.may_show([l, t, r, b], (1.0 / nearest) as f32) {
                    return;
                }
            }
            draft.solid(solid, &body.pose, body.object);
        }
    }
}
