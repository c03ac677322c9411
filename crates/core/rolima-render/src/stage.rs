//! The stage: what stands and moves before the cameras.

use crate::StageError;
use crate::grid::Grid;
use crate::land::{Casts, Drape, Land, LandPaint};
use crate::paint::{Colour, Daylight, Paint, TextureId};
use crate::pattern::Pattern;
use crate::pose::{Point3, StagePose, is_sane, sub};
use crate::solid::{MOST_CORNERS, Solid};
use crate::texture::Texture;
use rolima_spatial::Terrain;
use std::sync::{Arc, OnceLock};

/// The object number of the sky.
pub const SKY: u32 = 0;

const MOST_TEXTURES: usize = 1024;

/// What a body looks like.
#[derive(Clone, Debug)]
pub enum StageShape {
    /// Flat faces, in the body's frame.
    Solid(Arc<Solid>),
    /// A ball around the body's origin, radius in m. It is drawn exactly, not from faces.
    Ball {
        /// Radius, m.
        radius: f64,
        /// How it looks.
        paint: Paint,
    },
}

/// A body of a stage, to move it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageBody(pub(crate) usize);

#[derive(Clone, Debug)]
pub(crate) struct Body {
    pub(crate) shape: StageShape,
    pub(crate) object: u32,
    pub(crate) pose: StagePose,
    pub(crate) shown: bool,
}

/// Paint on the ground: a convex polygon, in the order of painting.
#[derive(Clone, Debug)]
pub(crate) struct Decal {
    pub(crate) corners: Vec<[f64; 2]>,
    pub(crate) paint: Paint,
    pub(crate) object: u32,
    pub(crate) centre: Point3,
    pub(crate) radius: f64,
    /// Which of the stage's inks.
    pub(crate) ink: u32,
}

/// The flat ground at z = 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatGround {
    /// How it looks.
    pub paint: Paint,
    /// Its number in object pictures.
    pub object: u32,
}

/// Collects what a stage is made of.
#[derive(Clone, Debug, Default)]
pub struct StageBuilder {
    daylight: Daylight,
    ground: Option<FlatGround>,
    textures: Vec<Texture>,
    fixed: Vec<Body>,
    bodies: Vec<Body>,
    decals: Vec<Decal>,
    inks: Vec<(Paint, u32)>,
    land: Option<(Arc<Terrain>, LandPaint, u32)>,
}

impl StageBuilder {
    /// Nothing but the sky.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets sun, sky and air.
    pub fn daylight(&mut self, daylight: Daylight) -> &mut Self {
        self.daylight = daylight;
        self
    }

    /// Puts in flat ground at z = 0. Without it, as with terrain, there is sky all around.
    pub fn ground(&mut self, paint: Paint, object: u32) -> &mut Self {
        self.ground = Some(FlatGround { paint, object });
        self
    }

    /// Puts in rough ground in place of flat ground: the surface that wheels feel and rays hit.
    /// Paint lies on it where its polygons lie in plan.
    pub fn terrain(&mut self, terrain: Arc<Terrain>, paint: LandPaint, object: u32) -> &mut Self {
        self.land = Some((terrain, paint, object));
        self
    }

    /// Adds a texture.
    pub fn texture(&mut self, texture: Texture) -> Result<TextureId, StageError> {
        if self.textures.len() >= MOST_TEXTURES {
            return Err(StageError::TooManyTextures);
        }
        self.textures.push(texture);
        Ok(TextureId((self.textures.len() - 1) as u16))
    }

    /// Adds a texture made by rule.
    pub fn pattern(&mut self, pattern: Pattern) -> Result<TextureId, StageError> {
        self.texture(pattern.texture())
    }

    /// Adds something that never moves. Fixed solids are found through a grid, so that a stage may
    /// have many; terrain is a fixed solid a chunk.
    pub fn fixed(&mut self, solid: Solid, pose: &StagePose, object: u32) -> &mut Self {
        let mut solid = solid;
        if *pose != StagePose::IDENTITY {
            solid.place(pose);
        }
        if is_sane(solid.centre) && solid.radius.is_finite() {
            let (shape, pose) = (StageShape::Solid(Arc::new(solid)), StagePose::IDENTITY);
            self.fixed.push(Body { shape, object, pose, shown: true });
        }
        self
    }

    /// Adds a wall that stands on the ground, m.
    pub fn wall(
        &mut self,
        from: [f64; 2],
        to: [f64; 2],
        thickness: f64,
        height: f64,
        paint: Paint,
        object: u32,
    ) -> &mut Self {
        self.fixed(Solid::wall(from, to, thickness, height, paint), &StagePose::IDENTITY, object)
    }

    /// Adds a body that moves; it stays at `pose` until [`Stage::set_pose`].
    pub fn body(&mut self, shape: StageShape, pose: StagePose, object: u32) -> StageBody {
        self.bodies.push(Body { shape, object, pose, shown: true });
        StageBody(self.bodies.len() - 1)
    }

    /// Paints a convex polygon on the ground, over what was painted before.
    pub fn paint_polygon(&mut self, corners: &[[f64; 2]], paint: Paint, object: u32) -> &mut Self {
        let sane = corners.iter().all(|&[x, y]| is_sane([x, y, 0.0]));
        if corners.len() < 3 || corners.len() > MOST_CORNERS || !sane {
            // Long outlines go in fans; what is nowhere is not painted.
            if sane && corners.len() > MOST_CORNERS {
                let mut first = 1;
                while first + 1 < corners.len() {
                    let last = (first + MOST_CORNERS - 1).min(corners.len());
                    let mut part = vec![corners[0]];
                    part.extend_from_slice(&corners[first..last]);
                    self.paint_polygon(&part, paint, object);
                    first = last - 1;
                }
            }
            return self;
        }
        let area: f64 = (0..corners.len())
            .map(|i| (corners[i], corners[(i + 1) % corners.len()]))
            .map(|(a, b)| a[0] * b[1] - a[1] * b[0])
            .sum();
        let mut corners = corners.to_vec();
        if area < 0.0 {
            corners.reverse();
        }
        let n = corners.len() as f64;
        let sum = corners.iter().fold([0.0; 2], |s, c| [s[0] + c[0], s[1] + c[1]]);
        let centre = [sum[0] / n, sum[1] / n, 0.0];
        let radius = corners
            .iter()
            .map(|&[x, y]| crate::pose::length(sub([x, y, 0.0], centre)))
            .fold(0.0, rolima_math::functions::larger);
        let known = self.inks.iter().rposition(|&ink| ink == (paint, object));
        let ink = known.unwrap_or_else(|| {
            self.inks.push((paint, object));
            self.inks.len() - 1
        }) as u32;
        self.decals.push(Decal { corners, paint, object, centre, radius: radius + 1e-9, ink });
        self
    }

    /// Paints a straight line `width` wide, m.
    pub fn paint_line(
        &mut self,
        from: [f64; 2],
        to: [f64; 2],
        width: f64,
        paint: Paint,
        object: u32,
    ) -> &mut Self {
        self.paint_strip(&[from, to], width, false, paint, object)
    }

    /// Paints a band along a polyline, such as a road, mitred at its bends; `closed` joins its ends.
    pub fn paint_strip(
        &mut self,
        line: &[[f64; 2]],
        width: f64,
        closed: bool,
        paint: Paint,
        object: u32,
    ) -> &mut Self {
        let n = line.len();
        if n < 2 {
            return self;
        }
        let towards = |i: usize, j: usize| {
            let [x, y, _] = crate::pose::unit_or(
                [line[j][0] - line[i][0], line[j][1] - line[i][1], 0.0],
                [0.0; 3],
            );
            [x, y]
        };
        let sides: Vec<[[f64; 2]; 2]> = (0..n)
            .map(|i| {
                let before = if i > 0 || closed { towards((i + n - 1) % n, i) } else { [0.0; 2] };
                let after = if i + 1 < n || closed { towards(i, (i + 1) % n) } else { [0.0; 2] };
                let sum = [before[0] + after[0], before[1] + after[1], 0.0];
                let [x, y, _] = crate::pose::unit_or(sum, [1.0, 0.0, 0.0]);
                let one = if i + 1 < n || closed { after } else { before };
                // Mitres of sharp bends are cut at four times the half width.
                let half = width / 2.0 / (x * one[0] + y * one[1]).max(0.25);
                let [px, py] = line[i];
                [[px - y * half, py + x * half], [px + y * half, py - x * half]]
            })
            .collect();
        for i in 0..if closed { n } else { n - 1 } {
            let ([l0, r0], [l1, r1]) = (sides[i], sides[(i + 1) % n]);
            self.paint_polygon(&[r0, r1, l1, l0], paint, object);
        }
        self
    }

    /// Paints a disc, m.
    pub fn paint_disc(
        &mut self,
        centre: [f64; 2],
        radius: f64,
        paint: Paint,
        object: u32,
    ) -> &mut Self {
        let step = 2.0 * std::f64::consts::PI / MOST_CORNERS as f64;
        let corners: Vec<[f64; 2]> = (0..MOST_CORNERS)
            .map(|i| rolima_math::sin_cos(step * i as f64))
            .map(|(s, c)| [centre[0] + radius * c, centre[1] + radius * s])
            .collect();
        self.paint_polygon(&corners, paint, object)
    }

    /// The stage, ready to be drawn.
    pub fn build(self) -> Stage {
        let sphere = |body: &Body| match &body.shape {
            StageShape::Solid(solid) => (solid.centre, solid.radius),
            StageShape::Ball { radius, .. } => (body.pose.position, *radius),
        };
        let land = self
            .land
            .map(|(terrain, paint, object)| Land::new(terrain, paint, object, &self.daylight));
        let drape = match &land {
            Some(_) => Drape::new(self.decals.iter().map(|decal| &decal.corners[..])),
            None => Drape::default(),
        };
        Stage {
            land,
            drape,
            inks: self.inks,
            casts: OnceLock::new(),
            fixed_grid: Grid::new(self.fixed.iter().map(sphere)),
            decal_grid: Grid::new(self.decals.iter().map(|d| (d.centre, d.radius))),
            daylight: self.daylight,
            ground: self.ground,
            textures: self.textures,
            fixed: self.fixed,
            bodies: self.bodies,
            decals: self.decals,
        }
    }
}

/// What stands and moves before the cameras. Any number of cameras may draw one at the same time.
#[derive(Clone, Debug)]
pub struct Stage {
    pub(crate) daylight: Daylight,
    pub(crate) ground: Option<FlatGround>,
    pub(crate) textures: Vec<Texture>,
    pub(crate) fixed: Vec<Body>,
    pub(crate) bodies: Vec<Body>,
    pub(crate) decals: Vec<Decal>,
    pub(crate) fixed_grid: Grid,
    pub(crate) decal_grid: Grid,
    pub(crate) land: Option<Land>,
    /// Which decals lie over a point of rough ground.
    pub(crate) drape: Drape,
    /// Paints of decals, with their object numbers, each once.
    pub(crate) inks: Vec<(Paint, u32)>,
    /// Shadows that fixed things cast on rough ground, found when the first picture wants them.
    pub(crate) casts: OnceLock<Casts>,
}

impl Stage {
    /// Moves a body. One whose pose is not finite, or absurdly far, is not drawn until it comes back.
    pub fn set_pose(&mut self, body: StageBody, pose: StagePose) {
        if let Some(body) = self.bodies.get_mut(body.0) {
            body.pose = pose;
        }
    }

    /// Shows or hides a body.
    pub fn set_shown(&mut self, body: StageBody, shown: bool) {
        if let Some(body) = self.bodies.get_mut(body.0) {
            body.shown = shown;
        }
    }

    /// Changes sun, sky and air.
    pub fn set_daylight(&mut self, daylight: Daylight) {
        self.daylight = daylight;
        if let Some(land) = &mut self.land {
            land.look.light(land.mesh.terrain(), &self.daylight);
            self.casts = OnceLock::new();
        }
    }

    /// Where a body is.
    pub fn pose(&self, body: StageBody) -> Option<StagePose> {
        self.bodies.get(body.0).map(|body| body.pose)
    }

    /// Number of fixed solids, moving bodies and painted polygons.
    pub fn counts(&self) -> [usize; 3] {
        [self.fixed.len(), self.bodies.len(), self.decals.len()]
    }

    /// How many bodies there are.
    pub(crate) fn body_count(&self) -> usize {
        self.bodies.len()
    }

    pub(crate) fn horizon(&self) -> Colour {
        self.daylight.horizon
    }
}
